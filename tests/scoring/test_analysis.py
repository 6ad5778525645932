"""From a bank on disk to contrasts, with every number known beforehand."""

from __future__ import annotations

import itertools
import json
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bank import Bank, Finding, ItemFilter, ItemStatus, NewItem, Severity, Verdict
from scoring.analysis import (
    Analysis,
    AnalysisOptions,
    ContrastResult,
    analysis_json,
    analyze,
    analyze_all,
)
from scoring.analysis import (
    Verdict as Says,
)
from scoring.analysis.contrasts import judge
from scoring.report import contrast_sentence
from scoring.stats import holm, one_sample_t
from templates import Sentence, Source, expand, load_paradigm, parse_paradigm, realise
from templates.errors import ConfigError, GapsmithError
from tests.scoring.analysing import SCORER, add_items, approve, filled_bank, score, spread

# Published means and t values of GPT-2 on 33 items, P1 to P4.
PUBLISHED = {
    ("pg1", "pg2"): (-2.61, -5.95),
    ("mg1", "pg2"): (-3.50, -7.59),
    ("pg1", "mg2"): (1.32, 4.12),
    ("mg1", "mg2"): (4.22, 10.02),
}
SPREADS = {gaps: spread(mean, t, 33) for gaps, (mean, t) in PUBLISHED.items()}


def published_bits(position: int, sentence: Sentence, region: str) -> float:
    """Critical surprisals whose wh-effects have the published means and t values."""
    filler, gap1, gap2 = sentence.condition.split("_")
    if region != ("adverb" if gap2 == "pg2" else "gap2"):
        return 2.0
    return 20.0 + (SPREADS[gap1, gap2][position] if filler == "pf" else 0.0)


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a bank that no test writes to."""
    path = tmp_path_factory.mktemp("published") / "bank.sqlite"
    filled_bank(path, "subject_pg", 33, published_bits).close()
    return path


@pytest.fixture
def bank(original: Path, tmp_path: Path) -> Iterator[Bank]:
    """33 approved items of the eight-permutation paradigm with the published effects."""
    with Bank.open(Path(shutil.copy(original, tmp_path / "bank.sqlite"))) as opened:
        yield opened


def by_name(analysis: Analysis) -> dict[str, ContrastResult]:
    """The results by the name of their contrast."""
    return {result.contrast.name: result for result in analysis.contrasts}


def test_published_effects_come_out_of_the_bank(bank: Bank) -> None:
    results = by_name(analyze(bank, "subject_pg"))
    for name, (mean, t), dz in zip(
        ("P1", "P2", "P3", "P4"), PUBLISHED.values(), (-1.04, -1.32, 0.72, 1.74), strict=True
    ):
        test = results[name].ttest
        assert test.mean == pytest.approx(mean)
        assert test.t == pytest.approx(t)
        assert (test.n, test.df) == (33, 32)
        assert test.dz is not None
        assert round(test.dz, 2) == dz
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
    assert did.varying == ("filler or complementizer", "gap 1 (parasitic)", "gap 2 (host)")
    assert did.confounded
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
    assert filler_first[0].ttest.mean == pytest.approx(3.93)
    assert gap1_first[1].ttest.mean == pytest.approx(7.72)
    for path in did.paths:
        assert sum(part.ttest.mean or 0.0 for part in path) == pytest.approx(did.ttest.mean)


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
    assert results["delta_pf"].values == {"2": pytest.approx(-18.84)}
    assert results["delta_mf"].values == {"2": pytest.approx(-17.57)}
    assert results["did"].values == {"2": pytest.approx(-1.27)}
    assert results["did"].paths == ()
    assert results["did"].verdict is Says.UNDEFINED
    assert "at least two" in str(results["did"].ttest.reason)


def test_undefined_values_are_counted_with_their_reasons(tmp_path: Path) -> None:
    paradigm = load_paradigm("subject_pg")
    stream = [dict(item) for item in itertools.islice(_slots("subject_pg"), 6)]
    cells = [list(realise(paradigm, slots)) for slots in stream]
    # Item 1 lacks a cell, item 2 has one twice, item 3 cannot be aligned in one, item 4 has a token without a value.
    cells[0] = [s for s in cells[0] if s.condition != "pf_pg1_pg2"]
    cells[1].append(replace(cells[1][0], text="A second text in the same cell."))
    cells[2][0] = Sentence("pf_pg1_pg2", "Nothing here fits the design at all", None, Source.IMPORTED)
    items = [
        NewItem(slots, tuple(own), label=str(i + 1)) for i, (slots, own) in enumerate(zip(stream, cells, strict=True))
    ]
    with Bank.open(tmp_path / "bank.sqlite", create=True) as opened:
        approve(opened, add_items(opened, paradigm, items))

        def bits(position: int, sentence: Sentence, region: str) -> float | None:
            hidden = position == 3 and sentence.condition == "pf_pg1_pg2" and region == "adverb"
            return None if hidden else 1.0 + position

        score(opened, "subject_pg", bits)
        results = by_name(analyze(opened, "subject_pg"))
        p1 = results["P1"]
        assert set(p1.values) == {"5", "6"}
        assert (p1.n_items, p1.n_undefined, sum(u.count for u in p1.undefined)) == (2, 4, 4)
        reasons = {undefined.reason: undefined.condition for undefined in p1.undefined}
        assert set(reasons.values()) == {"pf_pg1_pg2"}
        assert {
            "the item has no sentence in this condition",
            "the item has two sentences in this condition",
            "the sentence is not aligned with the paradigm",
            "left out on purpose",
        } == set(reasons)
        assert results["P4"].n_undefined == 0


def _slots(name: str) -> Iterator[dict[str, str]]:
    from templates import sample

    return sample(load_paradigm(name), 1)


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
        NewItem(slots, tuple(s for s in realise(paradigm, slots) if s.condition in design), design="lan2x2")
        for slots in itertools.islice(_slots("subject_pg"), 4)
    ]
    with Bank.open(tmp_path / "bank.sqlite", create=True) as opened:
        approve(opened, add_items(opened, paradigm, items))
        score(opened, "subject_pg", published_bits)
        analysis = analyze(opened, "subject_pg")
        assert analysis.omitted == ("P1", "P2", "P3", "P4")
        assert [result.contrast.name for result in analysis.contrasts] == ["delta_pf", "delta_mf", "did"]
        assert by_name(analysis)["did"].paths == ()
        assert any("Not computed" in caveat for caveat in analysis.caveats)


def test_only_approved_items_unless_all_are_asked_for(bank: Bank) -> None:
    ids = bank.items.ids()
    bank.decisions.decide(ids[:3], Verdict.EXCLUDE, author="Anna", reason="implausible")
    analysis = analyze(bank, "subject_pg")
    assert (analysis.items.n_selected, analysis.items.n_total) == (30, 33)
    assert analysis.items.by_status == {ItemStatus.APPROVED: 30, ItemStatus.EXCLUDED: 3}
    everything = analyze(bank, "subject_pg", options=AnalysisOptions(all_items=True))
    assert everything.contrasts[0].n_items == 33
    assert any("All 33 items" in caveat for caveat in everything.caveats)


def test_nothing_approved_names_the_way_out(tmp_path: Path) -> None:
    with (
        filled_bank(tmp_path / "bank.sqlite", "subject_pg", 4, published_bits, approved=False) as opened,
        pytest.raises(GapsmithError, match="No item of subject_pg is approved") as raised,
    ):
        analyze(opened, "subject_pg")
    assert "--all" in raised.value.hint


def test_equal_labels_of_two_data_sets_stay_apart(bank: Bank) -> None:
    paradigm = load_paradigm("subject_pg")
    slots = next(itertools.islice(_slots("subject_pg"), 40, None))
    item = NewItem(slots, realise(paradigm, slots), label="1", dataset="second")
    approve(bank, add_items(bank, paradigm, [item], identity="second"))
    score(bank, "subject_pg", lambda position, s, region: published_bits(min(position, 32), s, region))
    both = analyze(bank, "subject_pg")
    assert both.contrasts[0].n_items == 34
    assert {"generated/1", "second/1"} <= set(both.contrasts[0].values)
    second = analyze(bank, "subject_pg", options=AnalysisOptions(dataset="second"))
    assert set(second.contrasts[0].values) == {"1"}
    with pytest.raises(ConfigError, match="no data set 'third'"):
        analyze(bank, "subject_pg", options=AnalysisOptions(dataset="third"))


def test_newest_scorer_is_taken_and_said(bank: Bank) -> None:
    assert analyze(bank, "subject_pg").notes == ()
    other = replace(SCORER, model="other", bos="none")
    score(bank, "subject_pg", lambda *_: 3.0, scorer=other)
    newest = analyze(bank, "subject_pg")
    assert newest.scorer == other
    assert "Several scorers" in newest.notes[0]
    assert "chosen" in newest.notes[0]
    assert any("beginning-of-sequence" in caveat for caveat in newest.caveats)
    assert analyze(bank, "subject_pg", model="chosen").scorer == SCORER
    with pytest.raises(ConfigError, match="no scores by 'gpt2'") as raised:
        analyze(bank, "subject_pg", model="gpt2")
    assert "chosen, other" in raised.value.hint


def test_a_scorer_without_scores_for_these_items_is_not_taken(bank: Bank) -> None:
    bank.scores.register(replace(SCORER, model="empty"))
    assert analyze(bank, "subject_pg").scorer == SCORER
    with pytest.raises(GapsmithError, match="None of these items has been scored by empty"):
        analyze(bank, "subject_pg", model="empty")


def test_no_variance_is_undefined_and_not_a_number_in_disguise(tmp_path: Path) -> None:
    with filled_bank(tmp_path / "bank.sqlite", "embedded_wh", 5, lambda *_: 3.0) as opened:
        analysis = analyze(opened, "embedded_wh")
    for result in analysis.contrasts:
        assert (result.ttest.mean, result.ttest.t, result.p, result.verdict) == (0.0, None, None, Says.UNDEFINED)
        assert result.accuracy.successes == 0
    assert any("no variance" in caveat for caveat in analysis.caveats)


@pytest.mark.parametrize(
    ("mean", "t", "alternative", "expected", "verdict"),
    [
        (1.0, 5.0, "two-sided", 1, Says.AS_EXPECTED),
        (1.0, 5.0, "two-sided", -1, Says.OPPOSITE),
        (-1.0, -5.0, "two-sided", -1, Says.AS_EXPECTED),
        (1.0, 1.0, "two-sided", 1, Says.NO_EVIDENCE),
        (1.0, 5.0, "two-sided", 0, Says.ABOVE),
        (-1.0, -5.0, "two-sided", 0, Says.BELOW),
        (1.0, 1.8, "two-sided", 1, Says.NO_EVIDENCE),
        (1.0, 1.8, "greater", 1, Says.AS_EXPECTED),
        (-1.0, -5.0, "greater", 1, Says.OPPOSITE),
        (1.0, 5.0, "less", -1, Says.OPPOSITE),
        (1.0, 1.8, "less", 1, Says.NO_EVIDENCE),
    ],
)
def test_verdicts(mean: float, t: float, alternative: str, expected: int, verdict: Says) -> None:
    test = one_sample_t(spread(mean, t, 20), alternative=alternative)
    assert judge(test, expected, test.p, AnalysisOptions()) is verdict


def test_holm_corrects_within_each_kind(bank: Bank) -> None:
    plain = by_name(analyze(bank, "subject_pg"))
    corrected = by_name(analyze(bank, "subject_pg", options=AnalysisOptions(holm=True)))
    effects = {name: plain[name].ttest.p or 0.0 for name in ("P1", "P2", "P3", "P4")}
    assert {name: corrected[name].p_holm for name in effects} == holm(effects)
    assert all(plain[name].p_holm is None for name in plain)
    assert corrected["P1"].ttest == plain["P1"].ttest


def test_the_order_and_choice_of_contrasts_do_not_move_a_number(bank: Bank) -> None:
    everything = by_name(analyze(bank, "subject_pg"))
    one = analyze(bank, "subject_pg", options=AnalysisOptions(contrasts=("P4",)))
    assert [result.contrast.name for result in one.contrasts] == ["P4"]
    assert one.contrasts[0] == everything["P4"]
    other_seed = analyze(bank, "subject_pg", options=AnalysisOptions(contrasts=("P3",), seed=9))
    assert other_seed.contrasts[0].permutation != everything["P3"].permutation
    assert other_seed.contrasts[0].ttest == everything["P3"].ttest


def test_design_and_alternative(bank: Bank) -> None:
    lan = analyze(bank, "subject_pg", options=AnalysisOptions(design="lan2x2", alternative="greater"))
    assert [result.contrast.name for result in lan.contrasts] == ["delta_pf", "delta_mf", "did"]
    assert {result.ttest.alternative for result in lan.contrasts} == {"greater"}
    two = analyze(bank, "subject_pg", options=AnalysisOptions(design="lan2x2"))
    assert [r.ttest.ci_low for r in lan.contrasts] == [r.ttest.ci_low for r in two.contrasts]
    for bad in (AnalysisOptions(design="lan"), AnalysisOptions(contrasts=("P9",))):
        with pytest.raises(ConfigError, match="It has:"):
            analyze(bank, "subject_pg", options=bad)
    with pytest.raises(ConfigError, match="no contrast in the design"):
        analyze(bank, "subject_pg", options=AnalysisOptions(design="lan2x2", contrasts=("P1",)))


def test_a_paradigm_without_contrasts_or_titles(tmp_path: Path) -> None:
    text = load_paradigm("embedded_wh").text
    bare = parse_paradigm(
        text[: text.index("[[contrasts]]")].replace('name = "embedded_wh"', 'name = "bare"'), path="bare.toml"
    )
    untitled = parse_paradigm(re.sub(r'title = "wh-effect.*"', 'title = ""', text), path="untitled.toml")
    slots = next(_slots("embedded_wh"))
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


def test_crossed_tuples_are_not_independent_items(tmp_path: Path) -> None:
    with crossed(tmp_path / "bank.sqlite") as opened:
        analysis = analyze(opened, "lan_pg")
    assert analysis.items.n_selected == 2 * 2 * 2 * 3 * 3 * 2
    results = by_name(analysis)
    # With the filler, nothing shows the name that fills gap 1: half of the tuples repeat each other.
    assert results["delta_pf"].n_distinct == analysis.items.n_selected // 2
    assert any("not independent items" in caveat and "name1" in caveat for caveat in analysis.caveats)
    assert any("share all the sentences" in caveat for caveat in analysis.caveats)
    assert analysis.items.n_distinct_texts < analysis.items.n_cells
    assert results["did"].confounded


def test_who_set_items_aside_and_why(bank: Bank) -> None:
    ids = bank.items.ids()
    decide = bank.decisions.decide
    decide(ids[:2], Verdict.EXCLUDE, author="Anna", reason="implausible", comment="nobody says this")
    decide(ids[2:3], Verdict.EXCLUDE, author="strict", kind="policy", reason="has an error")
    decide(ids[3:4], Verdict.FLAG, author="Anna", reason="look again")
    decide(ids[4:5], Verdict.APPROVE, author="Anna")
    decide(ids[4:5], Verdict.EXCLUDE, author="Ben", reason="bad verb")
    decide(ids[5:6], Verdict.APPROVE, author="Anna")
    decide(ids[5:6], Verdict.EXCLUDE, author="Ben", reason="bad verb")
    decide(ids[5:6], Verdict.EXCLUDE, author="Cleo", kind="adjudication", reason="agreed with Ben")
    item = bank.items.get(ids[6])
    bank.items.revise(ids[6], slots=item.slots, sentences=item.sentences, author="Anna")
    rows = {(row.status.value, row.reason): row for row in analyze(bank, "subject_pg").account.set_aside}
    assert rows["excluded", "implausible"].decided_by == ("Anna",)
    assert rows["excluded", "implausible"].labels == ("1", "2")
    assert rows["excluded", "implausible"].comments == ("nobody says this",)
    assert rows["excluded", "has an error"].decided_by == ("policy strict",)
    assert rows["flagged", "look again"].decided_by == ("Anna",)
    assert rows["disputed", ""].decided_by == ("Anna", "Ben")
    assert rows["excluded", "agreed with Ben"].decided_by == ("adjudication Cleo",)
    # An edit waits for a new decision: the old one does not speak for the new text.
    assert rows["pending", ""].labels == ("7",)
    assert rows["pending", ""].decided_by == ()


def test_findings_and_runs_are_accounted_for(bank: Bank) -> None:
    ids = bank.items.ids()
    found = {item_id: [Finding("L310", Severity.WARNING, "ambiguous")] for item_id in ids[:4]}
    bank.findings.replace("subject_pg", found, ruleset="r1")
    bank.decisions.decide(ids[:3], Verdict.EXCLUDE, author="Anna", reason="ambiguous")
    account = analyze(bank, "subject_pg").account
    assert account.findings == (("L310", Severity.WARNING, 4, 1),)
    assert account.n_unlinted == 29
    assert [(run.provider, count) for run, count in account.runs] == [("lexicon", 33)]


def test_kept_items_against_all(bank: Bank) -> None:
    values = by_name(analyze(bank, "subject_pg"))["delta_pf"].values
    low = [label for label, bits in values.items() if bits <= 0]
    ids = bank.items.ids(ItemFilter(labels=tuple(low[:2] or list(values)[:2])))
    bank.decisions.decide(ids, Verdict.EXCLUDE, author="Anna", reason="odd")
    found = {c.contrast: c.comparison for c in analyze(bank, "subject_pg").comparisons}
    assert set(found) == {"delta_pf", "did"}
    comparison = found["delta_pf"]
    assert (comparison.n_first, comparison.n_second, comparison.relation) == (33, 31, "second inside first")
    assert comparison.remainder is not None
    assert comparison.remainder.n == 33
    assert any("not independent" in caveat for caveat in comparison.caveats)
    assert analyze(bank, "subject_pg", options=AnalysisOptions(all_items=True)).comparisons == ()


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


def test_json_has_every_number_and_no_nan(bank: Bank) -> None:
    analysis = analyze(bank, "subject_pg", options=AnalysisOptions(holm=True))
    data = json.loads(json.dumps(analysis_json(analysis), allow_nan=False))
    assert data["paradigm"]["digest"] == load_paradigm("subject_pg").digest
    first = data["contrasts"][0]
    assert first["contrast"]["name"] == "P1"
    assert first["ttest"]["t"] == pytest.approx(-5.95)
    assert len(first["values"]) == 33
    assert data["contrasts"][6]["paths"][0][0]["plan"]["changes"] == "filler"
    assert data["scorer"]["model"] == "chosen"
    assert data["items"]["by_status"] == {"approved": 33}


def test_several_paradigms_share_a_scorer_and_say_what_is_left_out(bank: Bank) -> None:
    control = load_paradigm("embedded_wh")
    items = [NewItem(s, realise(control, s)) for s in itertools.islice(_slots("embedded_wh"), 6)]
    ids = add_items(bank, control, items)
    found = analyze_all(bank)
    assert [analysis.paradigm.name for analysis in found.analyses] == ["subject_pg"]
    assert [name for name, _ in found.left_out] == ["embedded_wh"]
    approve(bank, ids)
    score(bank, "embedded_wh", lambda position, *_: float(position))
    both = analyze_all(bank)
    assert [analysis.paradigm.name for analysis in both.analyses] == ["subject_pg", "embedded_wh"]
    assert len({analysis.scorer_id for analysis in both.analyses}) == 1
    some = analyze_all(bank, options=AnalysisOptions(contrasts=("P1",)))
    assert [name for name, _ in some.left_out] == ["embedded_wh"]
    with pytest.raises(ConfigError, match="no contrast 'Q'"):
        analyze_all(bank, options=AnalysisOptions(contrasts=("Q",)))
    with pytest.raises(GapsmithError, match="no items of 'adjunct'"):
        analyze_all(bank, ["adjunct"])


def test_the_preferred_model_is_taken_where_it_has_scores(bank: Bank) -> None:
    score(bank, "subject_pg", lambda *_: 1.0, scorer=replace(SCORER, model="newer"))
    assert analyze_all(bank).analyses[0].scorer.model == "newer"
    assert analyze_all(bank, preferred="chosen").analyses[0].scorer.model == "chosen"
    assert analyze_all(bank, preferred="gpt2").analyses[0].scorer.model == "newer"


def test_an_empty_bank_says_what_to_do(tmp_path: Path) -> None:
    with (
        Bank.open(tmp_path / "bank.sqlite", create=True) as opened,
        pytest.raises(GapsmithError, match="no items") as raised,
    ):
        analyze_all(opened)
    assert "generate" in raised.value.hint


CRITICAL_BITS = st.lists(
    st.lists(st.integers(0, 400).map(lambda v: v / 16), min_size=8, max_size=8), min_size=2, max_size=6
)


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


def test_commands(bank: Bank, gapsmith: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "gapsmith.toml").write_text("", encoding="utf-8")
    shown = gapsmith("analyze")
    assert shown.code == 0, shown.err
    assert max(len(line) for line in shown.out.splitlines()) <= 80
    assert "P1  < 0  -2.61  [-3.50, -1.72]  -5.95  32  < .0001  -1.04  33  as expected" in shown.out
    data = json.loads(gapsmith("analyze", "--json", "--contrast", "P4").out)
    assert [entry["contrast"]["name"] for entry in data[0]["contrasts"]] == ["P4"]
    wrong = gapsmith("analyze", "--alternative", "bigger")
    assert (wrong.code, wrong.out) == (2, "")
    assert "two-sided" in wrong.err
    assert gapsmith("analyze", "--model", "gpt2").code == 2
    assert gapsmith("analyze", "-p", "nothing").code == 2
