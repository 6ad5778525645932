"""Invariants of items without values: each has its reason, nothing is dropped silently, what restricts a number stands beside it.

The items are planted: of each kind of lack there is one, so that counts can be held against what is known.
"""

from __future__ import annotations

import ast
import csv
import dataclasses
import io
import itertools
import json
import re
import shutil
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from gapsmith.app.audit_page import render_audit
from gapsmith.app.auditing import audit_file, with_accuracies
from gapsmith.app.cli.app import app
from gapsmith.app.critical_values import critical_values
from gapsmith.app.workspace import make_workspace
from gapsmith.bank import Bank, ItemFilter, NewItem, Tokens
from gapsmith.bank.formats import ReadOptions, ReadServices
from gapsmith.scoring import FrameWish, accuracy_by_step
from gapsmith.scoring import long_frame as long_frames
from gapsmith.scoring.analysis import (
    AnalysisOptions,
    analyze,
    compare,
    item_frame,
    item_pair_rows,
    item_rows,
    licensed_sentences,
    licensing,
    result_rows,
    sentence_frame,
)
from gapsmith.scoring.analysis.posh import evaluate
from gapsmith.scoring.analysis.results import Analysis
from gapsmith.scoring.analysis.tabled import condition_rows
from gapsmith.scoring.context_study.outcomes import read_outcomes
from gapsmith.scoring.contexts import keep_texts
from gapsmith.scoring.lm import Engine, Request
from gapsmith.scoring.observations import (
    NOT_SCORED,
    ItemKey,
    Observations,
    ObservedItem,
    ObservedSentence,
    Producer,
    RegionWord,
    Spot,
    TextWord,
    measured_text,
)
from gapsmith.scoring.observations.reading import READS_LEFT
from gapsmith.scoring.report import comparison_text, evaluation_tests, long_frame, write_licensing
from gapsmith.stats import Restriction, distinct
from gapsmith.templates import (
    MEASURES,
    SENTENCE_PLACE,
    Alignment,
    Place,
    RegionSpan,
    Sentence,
    Source,
    load_paradigm,
    parse_paradigm,
    realise,
    sample,
)
from tests.making import made_scorer, made_tokens, registered
from tests.printed import results
from tests.rooms import ROOMS, trees_of, walked
from tests.scoring.analysing import SCORER, add_items
from tests.scoring.consumers import CHECKS, PLANTED_IN

PLANTED = """
name = "planted"
title = "Planted"
items = "given"
final_punctuation = ""
[conditions]
a = "A"
b = "B"
[status]
a = "*"
b = "ok"
[critical]
a = "verb"
b = "verb"
[[regions]]
name = "subject"
[[regions]]
name = "verb"
[[regions]]
name = "rest"
[designs.all]
conditions = "all"
[[contrasts]]
name = "diff"
title = "A minus B"
formula = "a - b"
design = "all"
expected = "positive"
[[contrasts]]
name = "deep"
title = "The same, deep"
formula = "a - b"
design = "all"
expected = "positive"
where = { depth = 2 }
[[criteria]]
name = "less"
formula = "b@verb < a@verb"
design = "all"
[[criteria]]
name = "less deep"
formula = "b@verb < a@verb"
design = "all"
where = { depth = 2 }
"""
LACKS = ("", "", "", "", "", "copy", "twin", "absent", "unscored", "no value", "no verb", "straddling", "window")
"""What each item lacks; of each kind there is one at depth 1 and one at depth 2."""
WITH_VALUE = ("", "copy", "twin", "straddling")


def _planted(folder: Path) -> None:
    make_workspace(folder)
    (folder / "paradigms").mkdir(exist_ok=True)
    (folder / "paradigms" / "planted.toml").write_text(PLANTED, encoding="utf-8")
    paradigm = parse_paradigm(PLANTED, path="planted.toml")
    items, tokens = [], dict[str, Tokens]()
    for depth in (1, 2):
        for number, lack in enumerate(LACKS):
            subject = f"Kim{chr(97 + depth)}{chr(97 + (0 if lack in ('copy', 'twin') else number))}"
            sentences = []
            for condition in ("a", "b"):
                if lack == "absent" and condition == "b":
                    continue
                verb = "" if lack == "no verb" and condition == "a" else f"saw{condition}"
                rest = "them again" if lack == "twin" else "them"
                text = " ".join(filter(None, (subject, verb, rest)))
                at = len(subject) + 1
                end = at + len(verb)
                regions = (
                    RegionSpan("subject", 0, len(subject)),
                    RegionSpan("verb", at, end),
                    RegionSpan("rest", len(text) - len(rest), len(text)),
                )
                sentences.append(Sentence(condition, text, regions, Source.IMPORTED, Alignment.GIVEN))
                bits = 3.0 + depth + number % 5 / 7 + (2 + number % 3 / 4 if condition == "a" else 0)
                value = {"no value": None, "window": None}.get(lack, bits) if condition == "b" else bits
                # What is measured twice has the value that it had.
                value = 3.0 + depth + (2.0 if condition == "a" else 0) if lack in ("copy", "twin") or number == 0 else value
                cut = [(0, len(subject), 4.0), *([(at, end, value)] if verb else []), (len(text) - len(rest), len(text), 2.0)]
                if lack == "straddling":
                    cut = [
                        (0, len(subject), 4.0),
                        (at, len(text) - len(rest) + 2, value),
                        (len(text) - len(rest) + 2, len(text), 2.0),
                    ]
                reason = {"no value": "left out on purpose", "window": "the text is longer than the model's window"}.get(lack)
                if lack != "unscored":
                    tokens[text] = made_tokens(text, cut, reason)
            items.append(
                NewItem(None, tuple(sentences), f"{depth}-{number}", attributes={"depth": depth, "lack": lack or "nothing"})
            )
    with Bank.open(folder / "bank.sqlite", create=True) as bank:
        add_items(bank, paradigm, items)
        scorer = registered(bank, SCORER)
        bank.scores.add(scorer, list(tokens.values()), block=bank.scores.block(scorer, {"engine": "tree/1"}))


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("planted") / "study"
    _planted(folder)
    return folder


@pytest.fixture
def bank(planted: Path) -> Iterator[Bank]:
    with Bank.open(planted / "bank.sqlite") as opened:
        yield opened


def _analysis(bank: Bank, **options: Any) -> Analysis:
    return analyze(bank, "planted", options=AnalysisOptions(all_items=True, permutations=99, **options))


def _selected() -> ItemFilter:
    return ItemFilter(paradigm="planted")


def _rows(bank: Bank) -> list[Mapping[str, Any]]:
    return list(long_frame(bank, _selected(), FrameWish(critical_only=True)).table.rows)


def _lacking(lack: str, condition: str) -> bool:
    return {"absent": condition == "b", "unscored": True, "no verb": condition == "a"}.get(
        lack, condition == "b" and lack in ("no value", "window")
    )


def test_every_item_without_a_value_has_a_reason_and_none_is_dropped(bank: Bank) -> None:
    found = _analysis(bank)
    n_items = bank.items.count(_selected())
    assert n_items == 2 * len(LACKS)
    lacks = {ItemKey(item.dataset, item.label): str(item.attributes["lack"]) for item in bank.items.iterate(_selected())}
    for result in found.contrasts:
        given = n_items // (2 if result.contrast.where else 1)
        assert set(result.values).isdisjoint(result.reasons)
        assert len(result.values) + len(result.reasons) == given
        assert sum(own.count for own in result.undefined) == result.n_undefined == len(result.reasons)
        assert {lacks[key] for key in result.values} == {lack or "nothing" for lack in WITH_VALUE}
        assert all(result.reasons.values())
        for test in (result.ttest, result.wilcoxon, result.permutation, result.accuracy):
            assert (test.n, test.n_given) == (result.n_distinct, len(result.values))
    for criterion in found.criteria:
        assert len(criterion.holds) + len(criterion.reasons) == n_items // (2 if criterion.criterion.where else 1)
        assert (criterion.share.n_given, criterion.share.n_undefined) == (len(criterion.holds), len(criterion.reasons))
    for condition in found.conditions:
        assert (condition.result.n_given or 0) + condition.result.n_undefined == n_items
    rows = list(item_rows(found))
    assert all((row["value"] is None and row["as_expected"] is None) == bool(row["reason"]) for row in rows)
    for name, n in Counter(row["contrast"] for row in rows).items():
        assert n == n_items // (2 if "deep" in name else 1)
    for row in result_rows(found):
        assert row["n_given"] + row["n_undefined"] == n_items // (2 if "deep" in row["contrast"] else 1)


def test_frames_have_a_row_or_a_word_for_every_item_without_a_value(bank: Bank) -> None:
    rows = _rows(bank)
    assert all((row["value"] is None) == bool(row["reason"]) == (row["observation"] is None) for row in rows)
    lacks = {item.label: str(item.attributes["lack"]) for item in bank.items.iterate(_selected())}
    # An item without a sentence has no row of it.
    wanted = {(label, condition) for label, lack in lacks.items() for condition in "ab" if (lack, condition) != ("absent", "b")}
    assert {(row["item"], row["condition"]) for row in rows} == wanted
    assert {(row["item"], row["condition"]) for row in rows if row["value"] is None} == {
        (label, condition) for label, condition in wanted if _lacking(lacks[label], condition)
    }
    by_sentence = sentence_frame(bank, _selected(), FrameWish(), rows="all")
    values = by_sentence.columns["surprisal"]
    assert (len(values), sum(value is None for value in values)) == (len(wanted), sum(row["value"] is None for row in rows))
    by_item = item_frame(bank.items.iterate(_selected()), [_analysis(bank)])
    assert len(by_item.columns["correct"]) == sum(result.n_distinct for result in _analysis(bank).contrasts)
    for result in _analysis(bank).contrasts:
        for restriction in result.restrictions:
            assert any(note == f"{result.contrast.name}: {restriction}." for note in by_item.notes)


def test_values_of_a_review_are_there_for_what_has_one(bank: Bank) -> None:
    for item in bank.items.iterate(_selected()):
        lack = str(item.attributes["lack"])
        values = critical_values(bank, item, bank.paradigms.reading(item.paradigm_id))
        if lack == "unscored":
            assert values == {}
            continue
        [own] = values.values()
        assert set(own) == {sentence.condition for sentence in item.sentences}
        assert {name for name, value in own.items() if value is None} == {name for name in own if _lacking(lack, name)}


def test_outcomes_behind_nothing_are_counted_where_there_are_none(bank: Bank, planted: Path, tmp_path: Path) -> None:
    own = tmp_path / "study"
    shutil.copytree(planted, own)
    with Bank.open(own / "bank.sqlite") as opened:
        keep_texts(opened, "one", ["It rained."], _selected(), lambda text: len(text.split()), everything=True)
        suites = {item.id: item.dataset for item in opened.items.iterate(_selected())}
        [scorer] = opened.scores.scorers()
        read = read_outcomes(opened, suites, ["one"], scorer.id)
    bare = [one for one in read.outcomes if one.context == 0]
    n = bank.items.count(_selected())
    names = {one.prediction for one in bare}
    assert names == {"diff", "deep", "less", "less deep"}
    for name in names:
        given = n // (2 if "deep" in name else 1)
        lacking = sum(own.prediction == name for own in read.lacking)
        # Behind the context nothing was scored, which is a reason, too.
        assert len([one for one in bare if one.prediction == name]) + lacking == 2 * given
    assert all(own.reason for own in read.lacking)


def test_restrictions_add_up(bank: Bank) -> None:
    n_items = bank.items.count(_selected())
    found = _analysis(bank)
    results = [(own.restrictions, own.n_items, own.undefined) for own in found.contrasts]
    results += [(own.restrictions, own.n_items, own.undefined) for own in found.criteria]
    for restrictions, used, undefined in results:
        assert sum(own.n_out for own in restrictions) == n_items - used
        # Each takes over what the one before it has left.
        at = n_items
        for own in restrictions:
            assert own.n_in == at
            at -= own.n_out
        assert at == used
        kinds = {own.kind: own for own in restrictions}
        assert {"absent", "unscored", "undefined", "window"} <= set(kinds)
        for lack in undefined:
            assert any(lack.reason in own.phrase for own in restrictions), lack
    [deep] = [own for own in found.contrasts if own.contrast.name == "deep"]
    assert str(deep.restrictions[0]) == "13 of 26 items: depth = 2"


def test_what_restricts_a_result_stands_beside_it_at_every_door(planted: Path, tmp_path: Path) -> None:
    folder = tmp_path / "study"
    shutil.copytree(planted, folder)

    def run(*order: str) -> str:
        done = CliRunner().invoke(app, [*order, "--all", "--workspace", str(folder)])
        assert done.exit_code == 0, done.output
        return done.stdout

    said = "13 of 26 items: depth = 2"
    run("report", "-o", str(folder / "report"))
    for text in (
        run("analyze"),
        run("analyze", "--contrast", "less deep"),
        run("export", "tests"),
        run("export", "tests", "-o", str(folder / "tests.tex")) + (folder / "tests.tex").read_text(encoding="utf-8"),
        run("export", "tests", "-o", str(folder / "tests.md")) + (folder / "tests.md").read_text(encoding="utf-8"),
        (folder / "report" / "report.md").read_text(encoding="utf-8"),
        (folder / "report" / "report.html").read_text(encoding="utf-8"),
    ):
        assert said in " ".join(text.split()), text[:2000]
    by_test = [row for row in csv.DictReader(io.StringIO(run("export", "tests"))) if "deep" in row["contrast"]]
    assert {row["contrast"] for row in by_test} == {"deep", "less deep"}
    assert all(said in row["restriction"] for row in by_test)
    analyses = results(run("analyze", "--json"))
    [contrast] = [own for one in analyses for own in one["contrasts"] if own["contrast"]["name"] == "deep"]
    assert {"kind": "where", "n_in": 26, "n_out": 13, "phrase": "depth = 2"} in contrast["restrictions"]
    [criterion] = [own for one in analyses for own in one["criteria"] if own["name"] == "less deep"]
    assert {"kind": "where", "n_in": 26, "n_out": 13, "phrase": "depth = 2"} in criterion["share"]["restrictions"]


@pytest.mark.parametrize("size", [1, 3, 7])
def test_a_frame_in_chunks_is_the_whole_frame(size: int, bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    wish = FrameWish(measures=("sum", "mean", "median"), whole=True)
    whole = list(long_frame(bank, _selected(), wish).table.rows)
    monkeypatch.setattr(long_frames, "CHUNK", size)
    assert list(long_frame(bank, _selected(), wish).table.rows) == whole


def _same_column(one: Any, other: Any, table: Observations, part: Observations) -> None:
    for name in ("value", "observation", "n_tokens", "straddling", "adds_nothing", "spans"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    assert [table.reasons[n] for n in one.reason] == [part.reasons[n] for n in other.reason]


def _causal(text: str, salt: int, *, boundary: bool) -> Tokens:
    """What a model says that reads from left to right: where a token ends, and its value, hang on the text up to there and on
    nothing that follows."""

    def chance(end: int, what: str) -> float:
        return zlib.crc32(f"{salt} {what} {text[:end]}".encode()) / 2**32

    cuts = [0, *(end for end in range(1, len(text)) if chance(end, "cut") < 0.5), len(text)]
    pieces = [
        (start, end, None if chance(end, "lacks") < 0.1 else 20 * chance(end, "bits")) for start, end in itertools.pairwise(cuts)
    ]
    mass = np.array([5 * chance(end, "mass") for end in cuts], dtype=np.float32) if boundary else None
    return dataclasses.replace(made_tokens(text, pieces, "left out"), boundary=mass)


@st.composite
def observed(draw: st.DrawFn) -> list[ObservedItem]:
    """Items with tokens as they come: some across the edges of regions, some without values, some texts not scored at all."""
    salt = draw(st.integers(0, 10_000))
    items = []
    for number in range(draw(st.integers(1, 5))):
        own: dict[str, ObservedSentence | str] = {}
        for condition in ("a", "b"):
            words = draw(st.tuples(*[st.sampled_from(("ab", "c", ""))] * 3))
            regions, text = [], ""
            for name, word in zip(("one", "two", "three"), words, strict=True):
                text = f"{text} " if text and word else text
                regions.append(RegionSpan(name, len(text), len(text) + len(word)))
                text += word
            # Per text it is the same for all that have it.
            kind = zlib.crc32(f"{salt} {text}".encode()) % 7
            if kind == 0:
                own[condition] = "the item has no sentence in this condition"
                continue
            measured = measured_text(_causal(text, salt, boundary=kind > 3)) if kind > 1 and text else None
            why = "not aligned" if kind == 2 else ""
            own[condition] = ObservedSentence(text, None if why else regions, measured, critical="two", unplaced=why)
        items.append(ObservedItem(ItemKey("set", str(number)), own))
    return items


SPOTS: tuple[Spot, ...] = (
    *(Place(name) for name in ("one", "two", "three", "nowhere", "critical")),
    Place("two", steps=1),
    Place("two", onwards=True),
    SENTENCE_PLACE,
    RegionWord("two", 1),
    TextWord(2),
)
NAMES = tuple(name for name in MEASURES if not MEASURES[name].needs_unigrams)


@settings(max_examples=40)
@given(observed(), st.sampled_from(NAMES), st.booleans(), st.data())
def test_there_is_no_number_exactly_where_there_is_a_reason(
    items: list[ObservedItem], name: str, corrected: bool, data: st.DataObject
) -> None:
    table = Observations(items, Producer("made", "made"))
    chosen = data.draw(st.lists(st.integers(0, len(items) - 1), max_size=6))
    part = table.subset(chosen)
    alone = Observations([items[n] for n in chosen], Producer("made", "made"))
    by_observation: dict[tuple[str, int], float] = {}
    for condition in ("a", "b", "none"):
        for spot in SPOTS:
            column = table.column(condition, spot, MEASURES[name], corrected=corrected)
            lacks = np.isnan(column.value)
            np.testing.assert_array_equal(lacks, column.reason > 0)
            np.testing.assert_array_equal(lacks, column.observation == 0)
            assert all(table.reasons[n] for n in column.reason[lacks])
            assert not (column.adds_nothing & ~lacks).any()
            # A subset of the table is the table of the subset.
            own = part.column(condition, spot, MEASURES[name], corrected=corrected)
            _same_column(own, alone.column(condition, spot, MEASURES[name], corrected=corrected), part, alone)
            np.testing.assert_array_equal(own.value, column.value[chosen])
            for number, value in zip(column.observation[~lacks].tolist(), column.value[~lacks].tolist(), strict=True):
                # What is one observation has one value, wherever it stands.
                assert by_observation.setdefault((str(spot), number), value) == value


@given(
    st.lists(st.floats(0, 40), min_size=3, max_size=3), st.sampled_from(("b", " b")), st.sampled_from(("c", " c")), st.booleans()
)
def test_texts_alike_up_to_what_was_read_are_one_observation(bits: list[float], one: str, other: str, corrected: bool) -> None:
    """Of the word before, the corrected value hangs on whether the word goes on."""
    items = []
    for number, rest in enumerate((one, other)):
        text = f"Kim aa{rest}"
        tokens = made_tokens(text, [(0, 3, bits[0]), (3, 6, bits[1]), (6, len(text), bits[2] + number)])
        mass = np.array([0.5, 1.0, 2.0, 0.0], dtype=np.float32)
        regions = (RegionSpan("one", 0, 3), RegionSpan("two", 4, 6), RegionSpan("rest", len(text) - 1, len(text)))
        measured = measured_text(dataclasses.replace(tokens, boundary=mass))
        items.append(ObservedItem(ItemKey("set", str(number)), {"a": ObservedSentence(text, regions, measured, critical="two")}))
    for whole in (False, True):
        table = Observations(items, Producer("made", "made", by_whole_text=whole))
        column = table.column("a", Place("two"), MEASURES["sum"], corrected=corrected)
        assert (column.observation[0] == column.observation[1]) == (
            not whole and (not corrected or one[0] == other[0] or " " not in one[0] + other[0])
        )
        if column.observation[0] == column.observation[1]:
            assert column.value[0] == column.value[1]


def test_equal_values_give_equal_results(bank: Bank) -> None:
    """By every way from tokens to a mean it is the same one."""
    found = _analysis(bank)
    rows = [row for row in _rows(bank) if row["value"] is not None]
    frame = sentence_frame(bank, _selected(), FrameWish()).columns
    exported = {row["condition"]: row for row in condition_rows(found)}
    assert {own.name for own in found.conditions} == {"a", "b"} == set(exported)
    for condition in found.conditions:
        by_observation = {row["observation"]: row["value"] for row in rows if row["condition"] == condition.name}
        mean = fmean(by_observation.values())
        both = zip(frame["condition"], frame["surprisal"], strict=True)
        modelled = [value for name, value in both if name == condition.name and value is not None]
        assert condition.result.n == len(by_observation) == len(modelled) == exported[condition.name]["n"]
        for other in (condition.result.estimate, exported[condition.name]["mean"], fmean(modelled)):
            assert other == pytest.approx(mean, rel=1e-12)
    by_hand: dict[str, dict[str, float]] = {}
    for row in rows:
        by_hand.setdefault(row["item"], {})[row["condition"]] = row["value"]
    exported_items = [row for row in item_rows(found) if row["contrast"] == "diff"]
    for row in exported_items:
        own = by_hand.get(row["item"], {})
        assert row["value"] == (pytest.approx(own["a"] - own["b"], rel=1e-12) if len(own) == 2 else None)
    [diff] = [own for own in found.contrasts if own.contrast.name == "diff"]
    keys = {row["item"]: (row["condition"], row["observation"]) for row in rows}
    assert keys
    pairs = {(of["a"][0], of["b"][0]): of["a"][1] - of["b"][1] for of in _by_item(rows).values() if len(of) == 2}
    assert diff.n_distinct == len(pairs)
    assert diff.ttest.estimate == pytest.approx(fmean(pairs.values()), rel=1e-12)
    assert distinct(list(diff.values.values()), list(diff.evidence.values())).values.mean() == pytest.approx(diff.ttest.estimate)


def _by_item(rows: list[Mapping[str, Any]]) -> dict[str, dict[str, tuple[str, float]]]:
    found: dict[str, dict[str, tuple[str, float]]] = {}
    for row in rows:
        found.setdefault(row["item"], {})[row["condition"]] = row["observation"], row["value"]
    return found


# Studies of their own making


def _adds_up(restrictions: Sequence[Restriction], given: int, used: int) -> None:
    """Each restriction takes over what the one before it has left, and every one says why."""
    at = given
    for own in restrictions:
        assert own.n_in == at
        assert own.phrase
        assert own.n_out > 0
        at -= own.n_out
    assert at == used


def _spoken(sentence: Sentence, salt: str) -> Tokens:
    """One token a word, its bits from what was read."""
    cut = [
        (own.start(), own.end(), 2 + 9 * zlib.crc32(f"{salt} {sentence.text[: own.end()]}".encode()) / 2**32)
        for own in re.finditer(r"\S+", sentence.text)
    ]
    return made_tokens(sentence.text, cut)


def _without_value(tokens: Tokens, reason: str) -> Tokens:
    """The same, but that no token has a value."""
    return dataclasses.replace(tokens, asked=np.zeros(len(tokens.values), dtype=np.bool_), reason=reason)


_WINDOW, _PURPOSE = "the text is longer than the model's window", "left out on purpose"


def _kept(folder: Path, name: str, n: int, lacks: Sequence[str]) -> Path:
    """A bank with items of a shipped paradigm, the first of which lack something in their first condition, and the last of which is a
    copy of one before it."""
    make_workspace(folder)
    paradigm = load_paradigm(name)
    items, tokens = [], list[Tokens]()
    for number, filling in enumerate(itertools.islice(sample(paradigm, 3), n)):
        lack = lacks[number] if number < len(lacks) else ""
        sentences = realise(paradigm, filling)
        first, *rest = sentences
        if lack != "unscored":
            own = _spoken(first, name)
            tokens.append(_without_value(own, lack) if lack in (_WINDOW, _PURPOSE) else own)
            tokens += [_spoken(one, name) for one in rest]
        given = tuple(rest) if lack == "absent" else sentences
        items.append(NewItem(filling, given, str(number), attributes=paradigm.attributes_of(filling)))
    items.append(dataclasses.replace(items[-1], label="copy"))
    with Bank.open(folder / "bank.sqlite", create=True) as bank:
        add_items(bank, paradigm, items)
        scorer = registered(bank, SCORER)
        block = bank.scores.block(scorer, {"engine": "tree/1"})
        bank.scores.add(scorer, list({own.text: own for own in tokens}.values()), block=block)
    return folder / "bank.sqlite"


def test_effects_of_licensing_say_of_which_items_they_are(tmp_path: Path) -> None:
    lacks = ("unscored", "absent", _WINDOW, _PURPOSE)
    with Bank.open(_kept(tmp_path, "embwhq", 40, lacks)) as bank:
        _, sentences, notes = licensed_sentences(
            bank, "embwhq", model=None, all_items=True, unigrams=lambda _: "there is no table"
        )
        items = list(bank.items.iterate())
        found = licensing("chosen", sentences, notes)
    assert all((own.values[metric] is None) == bool(own.reasons.get(metric)) for own in sentences for metric in own.values)
    depths = Counter(int(item.attributes["depth"]) for item in items)
    assert depths[0] > 5
    compared = 0
    for effect in found.effects:
        if effect.metric == "slor":
            assert effect.test.n_given == 0
            assert any("there is no table" in own.phrase for own in effect.test.restrictions)
        if effect.effect not in ("flip_open", "flip_filled", "division", "interaction"):
            continue
        for test in (effect.test, effect.published):
            compared += 1
            assert test.n_given is not None
            assert test.n_given + test.n_undefined == depths[0]
            _adds_up(test.restrictions, depths[0], test.n_given)
            assert test.n <= test.n_given
    assert compared > 10
    for cell in found.cells:
        assert cell.result.n_given is not None
        _adds_up(cell.result.restrictions, depths[0], cell.result.n_given)
    every = [test for effect in found.effects for test in (effect.test, effect.published)]
    kinds = {own.kind for test in every for own in test.restrictions}
    assert {"absent", "unscored", "undefined", "window"} <= kinds
    page = write_licensing([found], [], tmp_path / "page").page.read_text(encoding="utf-8").replace("\\", "")
    assert all(f"embwhq, chosen: {own}" in page for effect in found.effects for own in effect.test.restrictions)
    said = " ".join(found.notes)
    for why in (_WINDOW, _PURPOSE, "no sentence in this condition", "have not been scored"):
        assert why in said


def test_shares_of_posh_say_of_which_pairs_they_are(tmp_path: Path) -> None:
    with Bank.open(_kept(tmp_path, "posh_wanna", 12, ("absent", _WINDOW, _PURPOSE))) as bank:
        found = evaluate(bank)
    assert [own.n for own in found.results] == [9, 9, 9]
    for own in found.results:
        assert (own.n_given, own.n_undefined) == (10, 3)
        _adds_up(own.restrictions, 13, 10)
        assert {one.kind for one in own.restrictions} == {"absent", "window", "undefined"}
    [_, part] = next(iter(found.outcomes))
    [row] = found.rows
    together = found.share(row, [part])
    assert together is not None
    assert together.restrictions == found.results[0].restrictions
    rows = list(csv.DictReader(io.StringIO(evaluation_tests(found).as_csv())))
    assert all(why in row["restriction"] for row in rows for why in (_WINDOW, _PURPOSE, "no sentence"))
    assert any("lack a sentence or a value" in note for note in found.notes)


def test_a_model_that_has_not_scored_all_pairs_is_left_out_by_name(tmp_path: Path) -> None:
    with Bank.open(_kept(tmp_path, "posh_wanna", 6, ("unscored",))) as bank:
        other = registered(bank, made_scorer(SCORER, model="whole"))
        texts = {one.text: one for item in bank.items.iterate() for one in item.sentences}
        bank.scores.add(other, [_spoken(one, "whole") for one in texts.values()], block=bank.scores.block(other, {}))
        found = evaluate(bank)
    assert [row.model for row in found.rows] == ["whole"]
    assert "chosen has scored 10 of 12 sentences of wanna: left out" in found.notes


class _Lacking:
    """An engine that says nothing of one sentence, and of another one that it has no value."""

    model, revision = "made", "r1"

    def __init__(self, silent: str, without: str) -> None:
        self.silent, self.without = silent, without

    def score(self, requests: Sequence[Request]) -> Iterator[list[Tokens]]:
        for request in requests:
            sentence = Sentence("", request.text, None, Source.IMPORTED, Alignment.NONE)
            found = _spoken(sentence, "audit")
            if request.text != self.silent:
                yield [_without_value(found, _WINDOW) if request.text == self.without else found]


def test_an_audit_says_of_which_pairs_a_model_says_nothing(tmp_path: Path) -> None:
    pairs = [(f"The {noun} sleeps.", f"The {noun} sleep.") for noun in ("cat", "dog", "cow", "pig", "hen")]
    file = tmp_path / "pairs.jsonl"
    rows = [{"sentence_good": good, "sentence_bad": bad, "pairID": str(n)} for n, (good, bad) in enumerate([*pairs, pairs[-1]])]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    audited = audit_file(file, options=ReadOptions(), services=ReadServices())
    audited = with_accuracies(audited, cast(Engine, _Lacking(pairs[0][0], pairs[1][1])))
    assert audited.accuracies
    for own in audited.accuracies:
        assert (own.n, own.undefined) == (3, 2)
        _adds_up(own.restrictions, 6, 4)
        assert {one.kind for one in own.restrictions} == {"unscored", "window"}
        assert f"5 of 6 items: left out: {NOT_SCORED}" in render_audit(audited)
        assert _WINDOW in render_audit(audited).replace("&#39;", "'")


def test_training_says_how_many_items_have_no_value_and_why(planted: Path, tiny_gpt2: Path) -> None:
    said: list[str] = []
    with accuracy_by_step(planted / "bank.sqlite", ["planted"], everything=True, device="cpu", say=said.append) as measure:
        found = measure(tiny_gpt2)
    assert set(found) == {"planted diff", "planted deep", "planted less", "planted less deep"}
    # An empty region is no lack inside a criterion.
    for name, n, lacking in (("diff", 26, 4), ("deep", 13, 2), ("less", 26, 2), ("less deep", 13, 1)):
        [line] = [own for own in said if f"planted {name}: " in own]
        counts = [(int(out), int(of)) for out, of in re.findall(r"(\d+) of (\d+) items: left out", line)]
        assert counts[0][1] == n
        assert counts[-1][0] == n - lacking
        assert "the item has no sentence in this condition" in line


def test_what_is_compared_says_of_which_items_it_is(planted: Path, tmp_path: Path) -> None:
    folder = tmp_path / "study"
    shutil.copytree(planted, folder)
    with Bank.open(folder / "bank.sqlite") as bank:
        other = registered(bank, made_scorer(SCORER, model="whole"))
        texts = {one.text: one for item in bank.items.iterate() for one in item.sentences}
        block = bank.scores.block(other, {"engine": "tree/1"})
        # One text that the first has not is not scored by the second.
        bank.scores.add(other, [_spoken(one, "whole") for one in list(texts.values())[1:]], block=block)
        found = compare(bank, "planted", by=("model",), options=AnalysisOptions(all_items=True, permutations=99))
        apart = compare(bank, "planted", by=("depth",), options=AnalysisOptions(all_items=True, permutations=99))
    assert len(found.differences) == 2 * 2 + 2
    by_name: dict[tuple[str, str], set[ItemKey]] = {}
    for run in found.runs:
        by_name |= {(run.model, own.contrast.name): set(own.values) for own in run.analysis.contrasts}
        by_name |= {(run.model, own.criterion.name): set(own.holds) for own in run.analysis.criteria}
    for own in found.differences:
        both = by_name["chosen", own.contrast] & by_name["whole", own.contrast]
        assert own.n_given == len(both) < len(by_name["whole", own.contrast])
        _adds_up(own.restrictions, 26, len(both))
        assert ("13 of 26 items: depth = 2" in map(str, own.restrictions)) == ("deep" in own.contrast)
    text = " ".join(comparison_text(found, width=400).split())
    assert all(str(one) in text for own in found.differences for one in own.restrictions)
    pairs = list(item_pair_rows(found))
    for row in pairs:
        key = ItemKey(row["item_dataset"], row["item"])
        assert (row["first_as_expected"] is not None) is (key in by_name["chosen", row["contrast"]])
        assert (row["second_as_expected"] is not None) is (key in by_name["whole", row["contrast"]])
    assert {row["contrast"] for row in pairs} == {"diff", "deep", "less", "less deep"}
    # The groups of one analysis have all of its items, each in one.
    for name in ("diff", "less"):
        whole = sum(
            len(of.values) + len(of.reasons) for run in apart.runs for of in run.analysis.contrasts if of.contrast.name == name
        ) + sum(
            len(of.holds) + len(of.reasons) for run in apart.runs for of in run.analysis.criteria if of.criterion.name == name
        )
        assert whole == 26


def test_every_consumer_is_planted_or_says_why_not() -> None:
    assert set(PLANTED_IN) == set(CHECKS)
    here = {name for name in globals() if name.startswith("test_")}
    assert {test for test in PLANTED_IN.values() if test.startswith("test_")} <= here
    assert all(test.startswith("test_") or " " in test for test in PLANTED_IN.values())


# Who measures

LOOKING: Mapping[str, str] = {
    "scoring/observations/places.py": "finds where a sentence is measured",
    "scoring/score_run.py": "says which stretches a model is asked for, and computes nothing",
}
"""The modules that find places in texts."""
READING_BITS: Mapping[str, str] = {
    "scoring/observations/table.py": "makes measured texts of tokens",
    "scoring/observations/reading.py": "sees whether a table tells equal texts apart",
    "scoring/token_table.py": "writes each token as it is",
    "scoring/explaining.py": "says of one sentence what tools make of its tokens",
    "scoring/foreign_scores.py": "sees whether two files say the same of a text",
}
"""The modules that read tokens' bits."""


def _using(wanted: Callable[[ast.AST], bool]) -> set[str]:
    outside = ("bank/", "scoring/lm/", "templates/", "stats/")
    return {
        module
        for module, tree in trees_of(*ROOMS)
        if not module.startswith(outside) and any(wanted(node) for node in walked(tree))
    }


def _imports(node: ast.AST, name: str) -> bool:
    own = isinstance(node, ast.ImportFrom) and (node.module or "").startswith("gapsmith.templates")
    return own and any(alias.name == name for alias in getattr(node, "names", ()))


def test_only_the_table_of_observations_measures() -> None:
    assert _using(lambda node: _imports(node, "measure")) == {"scoring/observations/table.py"}
    assert _using(lambda node: _imports(node, "locate")) == set(LOOKING)

    def by_room(node: ast.AST) -> bool:
        """Under the name of their room."""
        own = isinstance(node, ast.Attribute) and node.attr in ("measure", "locate")
        return own and ast.unparse(node).endswith(("templates.measure", "templates.locate"))

    assert _using(by_room) == set()
    assert _using(
        lambda node: isinstance(node, ast.Attribute) and node.attr == "bits" and ast.unparse(node.value) != "way"
    ) == set(READING_BITS)


def test_every_engine_that_reads_from_left_to_right_is_known_to_do_so() -> None:
    """Their values of one beginning are never compared to learn whether they read on."""
    names = set()
    for _, tree in trees_of("scoring/lm"):
        for node in walked(tree):
            if isinstance(node, ast.ClassDef):
                names |= {
                    own.value.value
                    for own in node.body
                    if isinstance(own, ast.Assign)
                    and ast.unparse(own.targets[0]) == "name"
                    and isinstance(own.value, ast.Constant)
                }
    assert names == set(READS_LEFT)
