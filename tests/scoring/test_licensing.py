"""Licensor × gap: effects whose size is known, their signs and verdicts, correlations, and the command from items to page."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from scipy import stats as scipy_stats

from gapsmith.app.cli.app import app
from gapsmith.app.studies.study import shipped_counts
from gapsmith.bank import Bank
from gapsmith.scoring.analysis.frequency import correlations, read_construction_counts
from gapsmith.scoring.analysis.licensing_effects import (
    EFFECTS,
    METRICS,
    EffectName,
    LicensedSentence,
    Licensing,
    corrected_effects,
    licensing,
)
from gapsmith.scoring.report.licensing_pages import write_licensing
from gapsmith.scoring.report.licensing_tables import effects_table, verdict_table
from gapsmith.stats import holm
from gapsmith.templates.errors import ConfigError
from tests.interface import expect_table
from tests.making import made_scorer
from tests.printed import results
from tests.scoring.analysing import SCORER, score

pytestmark = pytest.mark.fast


def _observations(construction: str, *, licensing: float, island: float = 0.0, depth: float = 0.0) -> Iterator[LicensedSentence]:
    """Items with a mean of their own: the licensor lowers surprisal at the open gap by `licensing` bits and raises it as much
    where the gap is filled; an island adds `island` bits where both are; each embedding costs the grammatical `depth` bits."""
    rng = np.random.default_rng(7)
    for n in range(48):
        deep, in_island = divmod(n % 8, 2)
        in_island = bool(in_island and deep)
        own = float(n // 2 % 5)
        for licensor in (True, False):
            for gap in (True, False):
                value = 10.0 + own + 0.3 * gap + rng.normal(0.0, 0.05)
                value += (licensing / 2.0) * (1.0 if licensor != gap else -1.0) * (2.0 if licensor else 0.0)
                value += island * (in_island and licensor and gap) + depth * deep * (licensor == gap)
                values = {"local": value, "global": value, "slor": -value}
                yield LicensedSentence(f"d/{n}", construction, licensor, gap, deep, in_island, values)


@pytest.fixture(scope="module")
def known() -> Licensing:
    """A model that knows one construction, is indifferent to another and has a third the wrong way round."""
    rows = [
        *_observations("embwhq", licensing=1.0, island=2.0, depth=0.5),
        *_observations("topic", licensing=0.0),
        *_observations("tough", licensing=-1.0),
    ]
    return licensing("made up", rows)


def test_effects_are_those_that_were_put_in(known: Licensing) -> None:
    for metric, sign in (("local", 1.0), ("global", 1.0), ("slor", -1.0)):
        for name, size in (
            ("flip_open", -1.0),
            ("flip_filled", 1.0),
            ("interaction", -2.0),
            ("island_licensed", 2.0),
            ("licensor_island_open", 2.0),
        ):
            effect = known.effect("embwhq", metric, name)  # type: ignore[arg-type]  # names of a table
            assert effect is not None
            assert effect.estimate == pytest.approx(sign * size, abs=0.1)
            assert (effect.verdict, effect.expected) == ("as expected", sign * np.sign(size))
            assert effect.ci is not None
            assert effect.ci[0] < sign * size < effect.ci[1]
            if "island_licensed" not in name:
                assert effect.published.estimate == pytest.approx(effect.estimate)
        none = known.effect("embwhq", metric, "island_none")
        assert none is not None
        assert none.verdict == "no evidence"
        filled = known.effect("embwhq", metric, "licensor_island_filled")
        assert filled is not None
        assert (filled.verdict, filled.expected) == ("no evidence", 0)
    depth = known.effect("embwhq", "global", "depth")
    assert depth is not None
    assert depth.estimate == pytest.approx(0.5, abs=0.05)
    assert depth.n_items == 30
    assert depth.verdict == "above 0"
    division = known.effect("embwhq", "slor", "division")
    assert division is not None
    assert division.verdict == "as expected"
    assert division.estimate == pytest.approx(1.0, abs=0.05)
    # Local surprisal is of other words where the gap is open, so nothing divides.
    assert known.effect("embwhq", "local", "division") is None
    assert known.effect("embwhq", "local", "depth") is None


def test_one_verdict_per_construction_and_metric(known: Licensing) -> None:
    table = verdict_table(known)
    # Their words are not known, which stands beside each verdict.
    assert all(row[0].endswith(" (shared words unknown)") for row in table.rows)
    assert {row[8] for row in effects_table([known], "global").rows} <= {
        "no evidence (shared words unknown)",
        "opposite (shared words unknown)",
    } | {f"{side} (shared words unknown)" for side in ("as expected", "above 0", "below 0")}
    said = {(row[0].removesuffix(" (shared words unknown)"), row[1]): row[2:] for row in table.rows}
    assert len(said) == 9
    assert said["embwhq", "local surprisal"] == ("yes", "–", "yes", "hurt; without: no evidence", "yes", "–", "12")
    assert said["embwhq", "SLOR"] == ("yes", "yes", "yes", "hurt; without: no evidence", "yes", "less division with depth", "12")
    assert said["topic", "global surprisal"] == ("no evidence",) * 6 + ("12",)
    assert said["tough", "global surprisal"][:3] == ("no, reversed (at both)", "no, reversed", "no, reversed")
    assert len(effects_table([known], "global").rows) == 3 * len(EFFECTS)


def test_points_have_the_interval_of_their_t_test(known: Licensing) -> None:
    assert len(known.cells) == 3 * len(METRICS) * 4
    cell = next(c for c in known.cells if (c.construction, c.metric, c.licensor, c.gap) == ("embwhq", "slor", True, True))
    assert cell.n_items == 12
    assert cell.ci is not None
    assert cell.ci[0] < cell.mean < cell.ci[1]
    half = (cell.ci[1] - cell.ci[0]) / 2
    assert cell.result.sd is not None
    assert half == pytest.approx(scipy_stats.t.ppf(0.975, 11) * cell.result.sd / 12**0.5)


def test_too_little_is_undefined_with_a_reason() -> None:
    few = [o for o in _observations("embwhq", licensing=1.0) if o.item == "d/0"]
    effect = licensing("m", few).effect("embwhq", "local", "flip_open")
    assert effect is not None
    assert (effect.verdict, effect.p) == ("undefined", None)
    assert effect.reason
    assert effect.published.undefined == "1 items have a value"
    unlicensed = [o for o in _observations("embwhq", licensing=1.0) if o.licensor]
    effect = licensing("m", unlicensed).effect("embwhq", "global", "flip_open")
    assert effect is not None
    assert effect.reason == "no item has all 2 sentences that it takes"
    assert effect.published.undefined == "licensor does not vary"


def test_words_that_repeat_decide_the_test_and_the_papers_stands_beside_it() -> None:
    """Six verbs carry all of the effect: over items it is beyond doubt, over verbs it is not."""
    of_verb = dict(enumerate((2.6, 0.4, -1.2, 1.9, -0.8, 1.4)))

    def observed(*, words: bool) -> Iterator[LicensedSentence]:
        rng = np.random.default_rng(3)
        for n in range(48):
            for licensor in (True, False):
                for gap in (True, False):
                    value = 10 + rng.normal(0, 0.05) - 0.5 * of_verb[n % 6] * (1 if licensor == gap else -1)
                    read = {"verb": f"v{n % 6}", "noun": f"n{n}"} if words else {}
                    values = dict.fromkeys(("local", "global", "slor"), value)
                    yield LicensedSentence(
                        f"d/{n}", "made", licensor, gap, 0, False, values, words=dict.fromkeys(("local", "global", "slor"), read)
                    )

    having, without = (
        licensing("m", list(observed(words=words))).effect("made", "global", "interaction") for words in (True, False)
    )
    assert having is not None
    assert without is not None
    assert having.words.kind == "words"
    assert having.test.scope == "over other verbs"
    assert having.verdict == "no evidence"
    assert having.p is not None
    assert having.p > 0.05
    assert having.published.p is not None
    assert having.published.p < 0.001
    assert having.published.estimate == pytest.approx(having.estimate)
    assert (without.words.kind, without.verdict) == ("unknown", "as expected")
    assert (having.mark, without.mark) == ("", "shared words unknown")
    assert without.test.scope == "over items; which words they have is not known"


def test_words_that_would_tell_who_is_approved_are_counted() -> None:
    rng = np.random.default_rng(5)
    rows = []
    for n in range(40):
        for licensor, gap in ((True, True), (True, False), (False, True), (False, False)):
            value = 10.0 + (n % 3) + rng.normal(0, 0.5) - (licensor == gap)
            names = ("local", "global", "slor")
            words = {name: {"verb": ("find", "mend", "sell")[n % 3]} for name in names}
            rows.append(LicensedSentence(f"d/{n}", "made", licensor, gap, 0, False, dict.fromkeys(names, value), words=words))
    told, untold = (licensing("m", [row._replace(named=named) for row in rows]) for named in (True, False))
    known, counted = (own.effect("made", "global", "interaction") for own in (told, untold))
    assert known is not None
    assert counted is not None
    assert known.test.scope == "for the equally weighted mean over 3 verbs (find, mend, sell)"
    assert counted.test.scope == "for the equally weighted mean over 3 verbs"
    assert counted.estimate == known.estimate
    assert not any(word in str(untold) for word in ("find", "mend", "sell"))


def test_kinds_of_items_are_compared_over_their_words(known: Licensing) -> None:
    effect = known.effect("embwhq", "local", "island_licensed")
    assert effect is not None
    assert effect.test.test == "linear model"
    assert effect.n_items == 12


@pytest.mark.parametrize(("name", "items"), [("interaction", (0, 1, 8, 9, 16, 17)), ("island_licensed", (2, 3, 4, 5, 10, 11))])
def test_where_words_leave_too_little_the_items_are_described(name: EffectName, items: tuple[int, ...]) -> None:
    """With the mean or the slope over the items, their p, and no verdict; not as undefined."""
    few = [o for o in _observations("embwhq", licensing=1.0, island=2.0) if int(o.item.partition("/")[2]) in items]
    words = {item: {"adverb": f"a{n % 3}", "verb": f"v{n % 2}"} for n, item in enumerate(dict.fromkeys(o.item for o in few))}
    rows = [o._replace(words=dict.fromkeys(("local", "global", "slor"), words[o.item])) for o in few]
    effect = licensing("m", rows).effect("embwhq", "local", name)
    assert effect is not None
    assert effect.words.kind == "described"
    assert effect.verdict == "described"
    assert effect.estimate is not None
    assert effect.p is not None
    assert "a verdict needs" in effect.reason


def test_correlations_over_constructions_and_sets(known: Licensing, tmp_path: Path) -> None:
    counts = tmp_path / "counts.csv"
    counts.write_text("construction,paradigms,Mine\nembwhq,embwhq,30\ntopic,topic,20\ntough,tough,10\nrest,none,5\n")
    found = correlations([known], read_construction_counts([counts]))
    by_metric = {(c.details["metric"], c.details["point"]): c.estimate for c in found}
    assert {c.n for c in found} == {3}
    # The coefficients are -2, 0 and 2 for counts of 30, 20 and 10; SLOR's sign is turned.
    assert by_metric["local", "construction"] == pytest.approx(-1.0, abs=0.01)
    assert by_metric["slor", "set"] == pytest.approx(1.0, abs=0.01)
    shipped = {one.construction: one.counts for one in read_construction_counts([shipped_counts()])}
    assert [shipped[name]["Brown"] for name in ("clefts", "comp-quant", "embwhq", "topic", "tough")] == [
        108,
        9,
        280,
        119,
        36,
    ]
    assert [shipped[name]["WSJ"] for name in ("clefts", "comp-quant", "embwhq", "topic", "tough")] == [
        65,
        41,
        146,
        14,
        79,
    ]
    both = read_construction_counts([shipped_counts(), counts])
    assert {one.construction: len(one.counts) for one in both} == {
        "clefts": 3,
        "comp-quant": 3,
        "embwhq": 4,
        "topic": 4,
        "tough": 4,
        "rest": 1,
    }
    counts.write_text("construction,paradigms,Mine\nembwhq,embwhq,many\n")
    with pytest.raises(ConfigError, match=r"counts.csv, line 2"):
        read_construction_counts([counts])


def test_effects_of_all_models_are_corrected_effects(known: Licensing) -> None:
    other = licensing("other", list(_observations("embwhq", licensing=0.5, island=1.0)))
    one, two = corrected_effects([known, other])
    tests = [own.test for result in (one, two) for own in result.effects]
    having = [own for own in tests if own.p is not None]
    found = holm({str(number): own.p for number, own in enumerate(having) if own.p is not None})
    assert [own.p_adj for own in having] == list(found.values())
    assert {own.family for own in having} == {f"the {len(having)} tests of this run, unplanned"}
    assert all(own.p_adj is None for own in tests if own.p is None)
    table = effects_table([one, two], "local")
    assert table.columns[6:8] == ("p", "Holm")
    assert any(note.startswith("Holm: over the ") for note in table.notes)
    assert f"Holm over the {len(having)} tests of this run, unplanned" in verdict_table(one).caption


@pytest.mark.usefixtures("painted")
@pytest.mark.full
def test_two_models_side_by_side_on_disk(known: Licensing, tmp_path: Path) -> None:
    other = licensing("other", list(_observations("embwhq", licensing=0.5, island=1.0)))
    written = write_licensing(
        [known, other], correlations([known, other], read_construction_counts([shipped_counts()])), tmp_path
    )
    text = written.page.read_text(encoding="utf-8")
    names = ["figure1", "figure2", "figure3", "figure4", "figure5"]
    for name in names:
        assert f"figures/{name}.svg" in text
        svg = (tmp_path / "figures" / f"{name}.svg").read_text(encoding="utf-8")
        assert "other, embwhq" in svg.split("</desc>")[0]
        assert (tmp_path / "figures" / f"{name}.png").stat().st_size > 1_000
    for name in ("effects", "cells"):
        expect_table(f"{name}.csv of licensing", (tmp_path / f"{name}.csv").read_text(encoding="utf-8"))
    with (tmp_path / "effects.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == len(known.effects) + len(other.effects)
    assert {row["verdict"] for row in rows} == {"as expected", "opposite", "no evidence", "above 0", "below 0"}


def test_from_items_to_verdicts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    here = ["-w", str(tmp_path / "ws")]
    app(["init", str(tmp_path / "ws")], standalone_mode=False)
    for name, levels in (("embwhq", "embedding=none|b|c"), ("wh_positions", "position=subj|pp")):
        app(["generate", name, "-n", "9", "--seed", "1", "--choose", levels, *here], standalone_mode=False)
    app(["generate", "lan_pg", "-n", "1", *here], standalone_mode=False)
    app(["score", "--all", "--model", "bundled", *here], standalone_mode=False)
    capsys.readouterr()
    app(["study", "licensing", "--all", "--json", *here], standalone_mode=False)
    said = capsys.readouterr()
    assert "SLOR's unigram table is of the text that the bundled model was trained on" in said.err
    (model,) = results(said.out)
    effects = {(e["construction"], e["metric"], e["effect"]): e for e in model["effects"]}
    # What is described has a p, and is no test of the family.
    tested = {key: e for key, e in effects.items() if e["verdict"] != "described"}
    assert all((e["p"] is None) == (e["p_adj"] is None) for e in tested.values())
    assert all(e["p"] is not None and e["p_adj"] is None for key, e in effects.items() if key not in tested)
    assert {key[0] for key in effects} == {"embwhq", "wh_positions, subject", "wh_positions, prepositional object"}
    assert effects["embwhq", "slor", "island_licensed"]["n_items"] == 6
    assert all(effects["embwhq", metric.name, "flip_open"]["estimate"] is not None for metric in METRICS)
    with Bank.open(tmp_path / "ws" / "bank.sqlite") as bank:
        people = made_scorer(SCORER, model="people", kind="table")
        score(bank, "wh_positions", lambda position, *_: float(position), scorer=people)
    app(["study", "licensing", "--all", "-p", "wh_positions", "-m", "people", "--json", *here], standalone_mode=False)
    said = capsys.readouterr()
    assert "the scores of people were made elsewhere" in " ".join(said.err.split())
    (model,) = results(said.out)
    there = {e["metric"] for e in model["effects"] if e["estimate"] is not None}
    assert "global" in there
    assert "slor" not in there
    with pytest.raises(ConfigError, match="does not cross a licensor with a gap"):
        app(["study", "licensing", "--all", "-p", "lan_pg", *here], standalone_mode=False)
