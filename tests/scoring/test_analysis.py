"""From a bank on disk to contrasts, with every number known beforehand."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from gapsmith.app.paradigm_check import check_paradigm
from gapsmith.bank import Bank, NewItem
from gapsmith.scoring.analysis import (
    AnalysisOptions,
    analyze,
)
from gapsmith.scoring.analysis import Conclusion as Says
from gapsmith.scoring.observations import ItemKey
from gapsmith.scoring.report import contrast_sentence, contrast_tables, make_report
from gapsmith.scoring.report.tables import more_tests
from gapsmith.stats import components
from gapsmith.templates import Sentence, Source, expand, load_paradigm, parse_paradigm, realise
from gapsmith.templates.errors import ConfigError
from tests.documented import blocks_of
from tests.scoring.analysing import (
    PUBLISHED,
    add_items,
    approve,
    by_name,
    filled_bank,
    published_bits,
    score,
    slots_of,
)
from tests.scoring.reporting import DAY


def test_published_effects_come_out_of_the_bank(bank: Bank) -> None:
    results = by_name(analyze(bank, "subject_pg"))
    for name, (mean, t), dz in zip(("P1", "P2", "P3", "P4"), PUBLISHED.values(), (-1.04, -1.32, 0.72, 1.74), strict=True):
        test = results[name].ttest
        assert test.estimate == pytest.approx(mean)
        assert test.statistic == pytest.approx(t)
        assert (test.n, test.df) == (33, 32)
        assert test.effect is not None
        assert round(test.effect, 2) == dz
    assert results["P3"].ttest.p == pytest.approx(0.00025, abs=5e-6)
    assert [results[name].verdict for name in ("P1", "P2", "P3", "P4")] == [
        Says.AS_EXPECTED,
        Says.AS_EXPECTED,
        Says.ABOVE,
        Says.AS_EXPECTED,
    ]
    assert all(results[name].n_distinct == 33 for name in results)


def test_did_is_the_sum_of_its_parts(bank: Bank) -> None:
    results = by_name(analyze(bank, "subject_pg"))
    did = results["did"]
    assert did.together == (("filler or complementizer", "gap 1 (parasitic)"),)
    assert did.confounded
    assert (did.n_unlike, results["delta_pf"].n_unlike) == (0, 33)
    assert not results["delta_pf"].confounded
    assert not results["P1"].confounded
    filler_first, gap1_first = did.paths
    assert [(p.plan.changes, p.plan.holds, p.plan.at) for p in filler_first] == [
        ("filler", "gap1", "+G1"),
        ("gap1", "filler", "-F"),
    ]
    assert [(p.plan.changes, p.plan.holds, p.plan.at) for p in gap1_first] == [
        ("gap1", "filler", "+F"),
        ("filler", "gap1", "-G1"),
    ]
    # The filler's part is a difference of wh-effects: P3 - P1 with gap 1 open, P4 - P2 with it filled.
    assert filler_first[0].ttest.estimate == pytest.approx(3.93)
    assert gap1_first[1].ttest.estimate == pytest.approx(7.72)
    for path in did.paths:
        assert sum(part.ttest.estimate or 0.0 for part in path) == pytest.approx(did.ttest.estimate)


def test_one_published_tuple_of_lan_et_al(tmp_path: Path) -> None:
    paradigm = load_paradigm("lan_pg")
    slots = {
        "name1": "John",
        "np": "talking to",
        "name2": "Mary",
        "linker": "is about to",
        "verb": "annoy",
        "object": "you",
        "adverb": "soon",
    }
    bits = {"pf_mg": 4.14, "pf_pg": 22.98, "mf_mg": 5.77, "mf_pg": 23.34}
    with Bank.open(tmp_path / "bank.sqlite", create=True) as opened:
        sentences = realise(paradigm, slots)
        assert "I know who John's talking to is about to annoy you soon" in {s.text for s in sentences}
        approve(opened, add_items(opened, paradigm, [NewItem(slots, sentences, label="2")]))
        critical = {"mg": "gap2", "pg": "adverb"}
        score(opened, "lan_pg", lambda _, s, region: bits[s.condition] if region == critical[s.condition[3:]] else 1.0)
        results = by_name(analyze(opened, "lan_pg"))
    assert results["delta_pf"].values == {ItemKey("generated", "2"): pytest.approx(-18.84)}
    assert results["delta_mf"].values == {ItemKey("generated", "2"): pytest.approx(-17.57)}
    assert results["did"].values == {ItemKey("generated", "2"): pytest.approx(-1.27)}
    assert results["did"].paths == ()
    assert results["did"].verdict is Says.UNDEFINED
    assert "at least two" in str(results["did"].ttest.undefined)


def test_undefined_values_are_counted_with_their_reasons(tmp_path: Path) -> None:
    paradigm = load_paradigm("subject_pg")
    stream = [dict(item) for item in itertools.islice(slots_of("subject_pg"), 6)]
    cells = [list(realise(paradigm, slots)) for slots in stream]
    # Item 1 lacks a cell, item 2 has one twice, item 3 cannot be aligned in one, item 4 has a token without a value.
    cells[0] = [s for s in cells[0] if s.condition != "pf_pg1_pg2"]
    cells[1].append(replace(cells[1][0], text="A second text in the same cell."))
    cells[2][0] = Sentence("pf_pg1_pg2", "Nothing here fits the design at all", None, Source.IMPORTED)
    items = [NewItem(slots, tuple(own), label=str(i + 1)) for i, (slots, own) in enumerate(zip(stream, cells, strict=True))]
    with Bank.open(tmp_path / "bank.sqlite", create=True) as opened:
        approve(opened, add_items(opened, paradigm, items))

        def bits(position: int, sentence: Sentence, region: str) -> float | None:
            hidden = position == 3 and sentence.condition == "pf_pg1_pg2" and region == "adverb"
            return None if hidden else 1.0 + position

        score(opened, "subject_pg", bits)
        results = by_name(analyze(opened, "subject_pg"))
        p1 = results["P1"]
        assert [key.label for key in p1.values] == ["5", "6"]
        assert (p1.n_items, p1.n_undefined, sum(u.count for u in p1.undefined)) == (2, 4, 4)
        reasons = {undefined.reason: undefined.condition for undefined in p1.undefined}
        assert set(reasons.values()) == {"pf_pg1_pg2"}
        assert {
            "the item has no sentence in this condition",
            "the item has two sentences in this condition",
            "nobody can say where its regions lie: not aligned",
            "left out on purpose",
        } == set(reasons)
        assert results["P4"].n_undefined == 0


def test_values_that_cannot_be_added_up_have_a_reason(tmp_path: Path) -> None:
    with filled_bank(tmp_path / "bank.sqlite", "subject_pg", 5) as opened:
        added = {term.condition for term in load_paradigm("subject_pg").contrast("did").terms if term.weight > 0}

        def bits(position: int, sentence: Sentence, region: str) -> float:
            # Of the first item each value is a number, and their sum is none.
            large = 1.7e308 if sentence.condition in added else 0.0
            return {0: large, 2: 1e200 if sentence.condition in added else 0.0}.get(position, 1.0 + position)

        score(opened, "subject_pg", bits)
        results = by_name(analyze(opened, "subject_pg"))
    did = results["did"]
    assert any("too large to be added up" in own.reason for own in did.undefined)
    assert all(abs(value) < 1e308 for value in did.values.values())
    assert did.ttest.p is None
    assert "too large to compute with" in (did.ttest.undefined or "")
    assert did.n_items + did.n_undefined == 5


def test_unscored_sentences_are_undefined_and_said(tmp_path: Path) -> None:
    with filled_bank(tmp_path / "bank.sqlite", "subject_pg", 5) as opened:
        score(opened, "subject_pg", published_bits, skip=frozenset({"mf_mg1_mg2"}))
        analysis = analyze(opened, "subject_pg")
        results = by_name(analysis)
        assert results["P4"].undefined[0].reason == "the sentence has not been scored"
        assert results["P4"].n_undefined == 5
        assert results["P1"].n_undefined == 0
        assert analysis.items.n_unscored == 5
        assert any("no scores" in caveat for caveat in analysis.caveats)


def test_contrasts_of_cells_that_no_item_has_are_omitted(tmp_path: Path) -> None:
    paradigm = load_paradigm("subject_pg")
    design = paradigm.design("lan2x2").conditions
    items = [
        NewItem(slots, tuple(s for s in realise(paradigm, slots) if s.condition in design), expects=design)
        for slots in itertools.islice(slots_of("subject_pg"), 4)
    ]
    with Bank.open(tmp_path / "bank.sqlite", create=True) as opened:
        approve(opened, add_items(opened, paradigm, items))
        score(opened, "subject_pg", published_bits)
        analysis = analyze(opened, "subject_pg")
        assert analysis.omitted == ("P1", "P2", "P3", "P4")
        assert [result.contrast.name for result in analysis.contrasts] == ["delta_pf", "delta_mf", "did"]
        assert by_name(analysis)["did"].paths == ()
        assert any("Not computed" in caveat for caveat in analysis.caveats)


def test_no_variance_is_undefined_and_not_a_number_in_disguise(tmp_path: Path) -> None:
    with filled_bank(tmp_path / "bank.sqlite", "embedded_wh", 5, lambda *_: 3.0) as opened:
        analysis = analyze(opened, "embedded_wh")
    for result in analysis.contrasts:
        assert (result.ttest.estimate, result.ttest.statistic, result.p, result.verdict) == (
            0.0,
            None,
            None,
            Says.UNDEFINED,
        )
        assert result.accuracy.details["successes"] == 0
    assert any("no variance" in caveat for caveat in analysis.caveats)


def test_the_order_and_choice_of_contrasts_do_not_move_a_number(bank: Bank) -> None:
    everything = by_name(analyze(bank, "subject_pg"))
    one = analyze(bank, "subject_pg", options=AnalysisOptions(contrasts=("P4",)))
    assert [result.contrast.name for result in one.contrasts] == ["P4"]
    (alone,) = one.contrasts
    assert alone == replace(everything["P4"], p_holm=alone.p_holm, family=alone.family)
    assert (alone.p_holm, alone.family) == (alone.p_raw, "the 1 test of this run, unplanned")
    other_seed = analyze(bank, "subject_pg", options=AnalysisOptions(contrasts=("P3",), seed=9))
    assert other_seed.contrasts[0].permutation != everything["P3"].permutation
    assert other_seed.contrasts[0].ttest == everything["P3"].ttest


def test_a_paradigm_without_contrasts_or_titles(tmp_path: Path) -> None:
    text = load_paradigm("embedded_wh").text
    bare = parse_paradigm(text[: text.index("[[contrasts]]")].replace('name = "embedded_wh"', 'name = "bare"'), path="bare.toml")
    changed = re.sub(r'title = "wh-effect.*"', 'title = ""', text)
    own = tmp_path / "paradigms" / "embedded_wh.toml"
    own.parent.mkdir()
    own.write_text(changed, encoding="utf-8")
    untitled = parse_paradigm(changed, path=str(own))
    slots = next(slots_of("embedded_wh"))
    with Bank.open(tmp_path / "bank.sqlite", create=True) as opened:
        for paradigm in (bare, untitled):
            approve(opened, add_items(opened, paradigm, [NewItem(slots, realise(paradigm, slots))]))
        score(opened, "embedded_wh", lambda *_: 1.0)
        with pytest.raises(ConfigError, match="defines no contrasts"):
            analyze(opened, "bare")
        said = [contrast_sentence(result) for result in analyze(opened, "embedded_wh").contrasts]
    assert said[0].startswith("W1: not tested, because one item")


def crossed(path: Path) -> Bank:
    """Every eighth of Lan et al.'s tuples would not be crossed; a sub-grid of 96 is."""
    paradigm = load_paradigm("lan_pg")
    kept = [
        slots
        for slots in expand(paradigm)
        if slots["linker"] == "is about to" and slots["np"] in {"talking to", "decision to call"}
    ]
    opened = Bank.open(path, create=True)
    approve(opened, add_items(opened, paradigm, [NewItem(s, realise(paradigm, s)) for s in kept]))
    score(opened, "lan_pg", lambda position, s, _: len(s.text) % 7 + position % 5)
    return opened


@pytest.mark.usefixtures("painted")
def test_crossed_tuples_are_not_independent_items(tmp_path: Path) -> None:
    with crossed(tmp_path / "bank.sqlite") as opened:
        analysis = analyze(opened, "lan_pg")
    assert analysis.items.n_selected == 2 * 2 * 2 * 3 * 3 * 2
    results = by_name(analysis)
    # With the filler, nothing shows the name that fills gap 1: half of the tuples repeat each other.
    assert results["delta_pf"].n_distinct == analysis.items.n_selected // 2
    assert (results["delta_pf"].accuracy.n, results["delta_pf"].accuracy.n_given) == (72, 144)
    # Each takes some sentences that others take too, beside some of its own.
    assert (results["delta_pf"].n_overlapping, results["did"].n_overlapping, results["did"].n_distinct) == (72, 144, 144)
    (overlap,) = [caveat for caveat in analysis.caveats if "counted as separate" in caveat]
    assert "DiD (144 of 144)" in overlap
    figures = make_report([analysis], made_on=DAY).sections[0].figures
    shares = next(figure for figure in figures if figure.drawing.name == "lan_pg-shares")
    assert "their words repeat" in shares.caption
    assert "(no interval)" in shares.drawing.alt
    assert "n = 72" in shares.drawing.svg
    assert any("items are not independent" in caveat for caveat in analysis.caveats)
    assert any("are one observation" in caveat for caveat in analysis.caveats)
    assert results["did"].words.these is not None
    assert results["did"].p_raw == results["did"].words.these.p != results["did"].ttest.p
    # What takes the tuples for independent items stands in brackets, and n counts what was read.
    rows = {row[0]: dict(zip(table.columns, row, strict=True)) for table in contrast_tables(analysis) for row in table.rows}
    assert (rows["Delta(+F)"]["n"], rows["DiD"]["n"]) == ("72", "144")
    assert rows["DiD"]["Wilson 95%"].startswith("([")
    others = dict(zip(more_tests(analysis).columns, more_tests(analysis).rows[-1], strict=True))
    assert others["p"].startswith("(")
    assert others["p flips"].startswith("(")
    assert any("no sample of it" in caveat for caveat in analysis.caveats)
    assert analysis.items.n_distinct_texts < analysis.items.n_sentences
    # One factor of the published grammar moves the filler and gap 1, which the sentences show.
    assert results["did"].together == (("filler or complementizer", "gap 1 (parasitic)"),)


def test_a_model_that_does_not_converge_leaves_no_verdict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(components, "_CERTIFIED", -1.0)
    with crossed(tmp_path / "bank.sqlite") as opened:
        analysis = analyze(opened, "lan_pg", options=AnalysisOptions(contrasts=("did",)))
    (result,) = analysis.contrasts
    assert (result.p, result.p_holm, result.verdict) == (None, None, Says.UNDEFINED)
    assert "did not converge" in contrast_sentence(result)


def test_words_that_come_after_what_is_measured_make_no_observations_and_cross_nothing(tmp_path: Path) -> None:
    """The polarity items of the documentation: nine items, three of them read differently by the time they are measured."""
    pages = Path(__file__).parents[2] / "docs" / "paradigms.md"
    (text,) = [b.text for b in blocks_of(pages.read_text(encoding="utf-8")) if b.file == "paradigms/npi.toml"]
    paradigm = parse_paradigm(text, path=str(tmp_path / "npi.toml"))
    (warned,) = [result for result in check_paradigm(paradigm) if result.warns]
    assert warned.detail.startswith("rest comes only after what is measured")
    late = warned.what
    assert not [result for result in check_paradigm(load_paradigm("lan_pg")) if result.warns and result.what == late]
    with Bank.open(tmp_path / "bank.sqlite", create=True) as opened:
        approve(opened, add_items(opened, paradigm, [NewItem(s, realise(paradigm, s)) for s in expand(paradigm)]))
        # A model that reads from left to right knows the subject's noun only behind it.
        own = {"neg": 1.0, "pos": 2.0}
        score(opened, "npi", lambda _, s, r: len(s.text.split()[1]) * own[s.condition[:3]] if r == "polarity" else 1.0)
        analysis = analyze(opened, "npi")
    (result,) = analysis.contrasts
    assert (result.n_items, result.n_distinct, result.words.kind) == (9, 3, "items")
    assert (result.ttest.n, result.df) == (3, 2)
    by_hand = scipy_stats.ttest_1samp([-7.0, -6.0, -6.0], 0.0)
    assert result.statistic == pytest.approx(by_hand.statistic)
    assert result.p == pytest.approx(by_hand.pvalue)
    assert not any("Words repeat" in caveat for caveat in analysis.caveats)


def test_regions_have_means_and_differences_of_like_words(bank: Bank) -> None:
    analysis = analyze(bank, "subject_pg")
    means = {(mean.condition, mean.region): mean for mean in analysis.regions}
    assert means["mf_pg1_pg2", "adverb"].mean == pytest.approx(20.0)
    assert means["pf_pg1_pg2", "adverb"].mean == pytest.approx(17.39)
    assert means["pf_pg1_pg2", "preamble"].n == 33
    assert ("pf_pg1_pg2", "gap1") not in means
    assert ("pf_mg1_pg2", "gap1") in means
    own = {d.region: d for d in analysis.differences if d.contrast == "P1"}
    assert own["adverb"].mean == pytest.approx(-2.61)
    assert own["verb"].mean == 0.0
    # The filler region holds different words, so a difference there would be one between words.
    assert "filler" not in own


CRITICAL_BITS = st.lists(st.lists(st.integers(0, 400).map(lambda v: v / 16), min_size=8, max_size=8), min_size=2, max_size=6)


@settings(max_examples=15, deadline=None)
@given(CRITICAL_BITS)
def test_identities_between_contrasts_hold_for_every_item(
    tmp_path_factory: pytest.TempPathFactory, table: list[list[float]]
) -> None:
    order = [condition.name for condition in load_paradigm("subject_pg").conditions]
    path = tmp_path_factory.mktemp("identities") / "bank.sqlite"

    def bits(position: int, sentence: Sentence, region: str) -> float:
        critical = "adverb" if sentence.condition.endswith("pg2") else "gap2"
        return table[position][order.index(sentence.condition)] if region == critical else 0.0

    with filled_bank(path, "subject_pg", len(table), bits) as opened:
        results = by_name(analyze(opened, "subject_pg"))
    surprisal = [dict(zip(order, row, strict=True)) for row in table]
    for position, cell in enumerate(surprisal):
        value = {name: list(result.values.values())[position] for name, result in results.items()}
        assert value["did"] == value["delta_pf"] - value["delta_mf"]
        # DiD of the 2x2 design is P3 - P1 and what gap 1 does without a filler.
        gap1 = (cell["mf_pg1_mg2"] - cell["mf_pg1_pg2"]) - (cell["mf_mg1_mg2"] - cell["mf_mg1_pg2"])
        assert value["did"] == value["P3"] - value["P1"] + gap1
