"""Which items and which scorer an analysis takes, and what it says of the others."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gapsmith.bank import Bank, Finding, ItemFilter, ItemStatus, NewItem, ScreenRecord, Severity, Verdict
from gapsmith.scoring.analysis import (
    AnalysisOptions,
    analysis_json,
    analyze,
    analyze_all,
)
from gapsmith.scoring.analysis.selecting import chosen_predictions
from gapsmith.scoring.report import analysis_text
from gapsmith.scoring.report.items import item_sentences
from gapsmith.templates import load_paradigm, realise
from gapsmith.templates.errors import ConfigError, GapsmithError
from tests.making import made_scorer, registered
from tests.printed import results
from tests.scoring.analysing import (
    SCORER,
    add_items,
    approve,
    by_name,
    filled_bank,
    published_bits,
    score,
    slots_of,
)


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
    slots = next(itertools.islice(slots_of("subject_pg"), 40, None))
    item = NewItem(slots, realise(paradigm, slots), label="1", dataset="second")
    approve(bank, add_items(bank, paradigm, [item], identity="second"))
    score(bank, "subject_pg", lambda position, s, region: published_bits(min(position, 32), s, region))
    both = analyze(bank, "subject_pg")
    assert both.contrasts[0].n_items == 34
    assert {"generated/1", "second/1"} <= {both.shown(key) for key in both.contrasts[0].values}
    second = analyze(bank, "subject_pg", options=AnalysisOptions(dataset="second"))
    assert [second.shown(key) for key in second.contrasts[0].values] == ["1"]
    with pytest.raises(ConfigError, match="there is no data set 'third'"):
        analyze(bank, "subject_pg", options=AnalysisOptions(dataset="third"))


def test_newest_scorer_is_taken_and_said(bank: Bank) -> None:
    assert analyze(bank, "subject_pg").notes == ()
    other = made_scorer(SCORER, model="other")
    score(bank, "subject_pg", lambda *_: 3.0, scorer=other)
    newest = analyze(bank, "subject_pg")
    assert newest.scorer.identity == other.identity
    assert "Several scorers" in newest.notes[0]
    assert "chosen" in newest.notes[0]
    # Without BOS the same is another convention, which no later run puts in place of ours; named, it is taken and said.
    score(bank, "subject_pg", lambda *_: 3.0, scorer=made_scorer(SCORER, model="bare", bos="none"))
    again = analyze(bank, "subject_pg")
    assert again.scorer.identity == other.identity
    assert "convention gapsmith" in again.notes[0] or "bare" in again.notes[0]
    named = analyze(bank, "subject_pg", model="bare")
    assert any("beginning-of-sequence" in caveat for caveat in named.caveats)
    assert analyze(bank, "subject_pg", model="chosen").scorer.identity == SCORER.identity
    with pytest.raises(ConfigError, match="no scores by 'gpt2'") as raised:
        analyze(bank, "subject_pg", model="gpt2")
    assert "chosen, other, bare" in raised.value.hint


def test_a_scorer_without_scores_for_these_items_is_not_taken(bank: Bank) -> None:
    registered(bank, made_scorer(SCORER, model="empty"))
    assert analyze(bank, "subject_pg").scorer.identity == SCORER.identity
    with pytest.raises(GapsmithError, match="None of these items has been scored by empty"):
        analyze(bank, "subject_pg", model="empty")


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
    bank.items.revise(ids[6], slots=item.slots, sentences=item.sentences[1:], author="Anna")
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
    low = [key.label for key, bits in values.items() if bits <= 0]
    ids = bank.items.ids(ItemFilter(labels=tuple(low[:2] or [key.label for key in values][:2])))
    bank.decisions.decide(ids, Verdict.EXCLUDE, author="Anna", reason="odd")
    found = {c.contrast: c.comparison for c in analyze(bank, "subject_pg").comparisons}
    assert set(found) == {"delta_pf", "did"}
    comparison = found["delta_pf"]
    assert (comparison.n_first, comparison.n_second, comparison.relation) == (33, 31, "second inside first")
    assert comparison.remainder is not None
    assert comparison.remainder.n == 33
    assert any("not independent" in caveat for caveat in comparison.caveats)
    assert analyze(bank, "subject_pg", options=AnalysisOptions(all_items=True)).comparisons == ()


def test_several_paradigms_share_a_scorer_and_say_what_is_left_out(bank: Bank) -> None:
    control = load_paradigm("embedded_wh")
    items = [NewItem(s, realise(control, s)) for s in itertools.islice(slots_of("embedded_wh"), 6)]
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
    score(bank, "subject_pg", lambda *_: 1.0, scorer=made_scorer(SCORER, model="newer"))
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


def test_commands(bank: Bank, gapsmith: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "gapsmith.toml").write_text("", encoding="utf-8")
    shown = gapsmith("analyze")
    assert shown.code == 0, shown.err
    assert max(len(line) for line in shown.out.splitlines()) <= 80
    (line,) = [line.split() for line in shown.out.splitlines() if line.startswith("P1 < 0")]
    assert line[3:11] == ["-2.13", "[-3.20,", "-1.06]", "-4.07", "31", ".0003", ".0003", "(-1.04)"]
    assert line[11:] == ["33", "as", "expected"]
    data = results(gapsmith("analyze", "--json", "--contrast", "P4").out)
    assert [entry["contrast"]["name"] for entry in data[0]["contrasts"]] == ["P4"]
    wrong = gapsmith("analyze", "--alternative", "bigger")
    assert (wrong.code, wrong.out) == (2, "")
    assert "two-sided" in wrong.err
    assert gapsmith("analyze", "--model", "gpt2").code == 2
    typo = gapsmith("analyze", "--contrast", "delta_fp")
    assert (typo.code, typo.out) == (2, "")
    assert "Did you mean delta_pf?" in typo.err
    assert gapsmith("analyze", "-p", "nothing").code == 2


def test_json_has_every_number_and_no_nan(bank: Bank) -> None:
    analysis = analyze(bank, "subject_pg", options=AnalysisOptions(holm=True))
    data = json.loads(json.dumps(analysis_json(analysis), allow_nan=False))
    assert data["paradigm"]["digest"] == load_paradigm("subject_pg").digest
    first = data["contrasts"][0]
    assert first["contrast"]["name"] == "P1"
    assert first["ttest"]["statistic"] == pytest.approx(-5.95)
    assert len(first["values"]) == 33
    assert data["contrasts"][6]["paths"][0][0]["plan"]["changes"] == "filler"
    assert data["scorer"]["model"] == "chosen"
    assert data["items"]["by_status"] == {"approved": 33}


def test_who_approved_is_said(bank: Bank) -> None:
    ids = bank.items.ids()
    bank.decisions.decide(ids, Verdict.APPROVE, author="policy:clean", kind="policy")
    alone = analyze(bank, "subject_pg")
    assert (alone.account.by_policy, alone.account.n_by_person) == ((("clean", 33),), 0)
    assert "33 approved items of 33 were analysed (33 by policy clean, 0 by a person)." in item_sentences(alone)
    caveat = "No person has decided on any of these items, only the policy clean; read them with `gapsmith review`."
    assert caveat in alone.caveats
    bank.decisions.decide(ids[:2], Verdict.APPROVE, author="Anna")
    bank.decisions.decide(ids[2:3], Verdict.EXCLUDE, author="Anna", reason="odd")
    read = analyze(bank, "subject_pg")
    assert "(30 by policy clean, 2 by people who did not open them; 1 excluded)" in item_sentences(read)[0]
    assert not any("No person" in found for found in read.caveats)
    everything = analyze(bank, "subject_pg", options=AnalysisOptions(all_items=True))
    said = "(32 approved, 1 excluded; 3 decided by people who did not open them)"
    assert said in item_sentences(everything)[0]


def test_what_a_person_had_on_screen_is_told_apart_from_what_was_decided_in_bulk(bank: Bank) -> None:
    ids = bank.items.ids()
    bank.decisions.decide(ids, Verdict.APPROVE, author="Anna")
    seen = ScreenRecord("2026-01-01T10:00:00.000+00:00", 2.5, (1,), 1)
    for item_id in ids[:3]:
        bank.decisions.decide([item_id], Verdict.APPROVE, author="Anna", seen=seen)
    read = analyze(bank, "subject_pg")
    assert (read.account.n_by_person, read.account.n_unopened) == (3, 30)
    assert "(3 by a person, 30 by people who did not open them)" in item_sentences(read)[0]
    for item_id in ids[3:6]:
        bank.decisions.decide([item_id], Verdict.APPROVE, author="Ben", packet="p1")
    both = item_sentences(analyze(bank, "subject_pg"))[0]
    here = "3 in packets or files, opened or not (3 of them also here, unopened)"
    assert f"(3 by a person, {here}, 27 by people who did not open them)" in both


def test_pooled_data_sets_are_named_with_what_they_share(bank: Bank) -> None:
    assert "Data sets" not in analysis_text(analyze(bank, "subject_pg"))
    paradigm = load_paradigm("subject_pg")
    same = bank.items.get(bank.items.ids()[0])
    slots = next(itertools.islice(slots_of("subject_pg"), 40, None))
    items = [
        NewItem(same.slots, same.sentences, label="1", dataset="second"),
        NewItem(slots, realise(paradigm, slots), label="2", dataset="second"),
    ]
    approve(bank, add_items(bank, paradigm, items, identity="second"))
    score(bank, "subject_pg", lambda position, s, region: published_bits(min(position, 32), s, region))
    both = analyze(bank, "subject_pg")
    assert both.items.by_dataset == {"generated": 33, "second": 2}
    title, rule, _, line, *_ = analysis_text(both).splitlines()
    assert title.startswith("subject_pg: ")
    assert set(rule) == {"="}
    assert line == "Data sets: generated (n = 33), second (n = 2)."
    assert any("2 data sets are pooled (generated 33, second 2)" in caveat for caveat in both.caveats)
    (said,) = (caveat for caveat in both.caveats if "1 item occurs with identical sentences in more than one" in caveat)
    assert "count it once" in said
    assert (both.contrasts[0].n_items, both.contrasts[0].ttest.n) == (35, 34)
    alone = analyze(bank, "subject_pg", options=AnalysisOptions(dataset="second"))
    assert not any("identical sentences" in caveat or "pooled" in caveat for caveat in alone.caveats)


@pytest.mark.parametrize(("asked", "name"), [("DiD", "did"), ("p1", "P1"), ("Delta(+F)", "delta_pf"), ("delta(-f)", "delta_mf")])
def test_contrasts_are_found_by_what_tables_call_them(bank: Bank, asked: str, name: str) -> None:
    found = analyze(bank, "subject_pg", options=AnalysisOptions(contrasts=(asked,)))
    assert list(by_name(found)) == [name]


def test_a_name_beats_a_label_and_no_guess_is_made_between_two(bank: Bank) -> None:
    contrasts = load_paradigm("subject_pg").contrasts
    names = [replace(contrasts[0], name="a"), replace(contrasts[1], name="A"), replace(contrasts[2], title="a: third")]
    paradigm = replace(load_paradigm("subject_pg"), contrasts=tuple(names))
    for asked in ("a", "A"):
        assert [c.name for c in chosen_predictions(paradigm, AnalysisOptions(contrasts=(asked,)))[0]] == [asked]
    two = replace(paradigm, contrasts=(replace(names[0], name="ab"), replace(names[1], name="AB")))
    with pytest.raises(ConfigError, match="no contrast 'aB'") as raised:
        chosen_predictions(two, AnalysisOptions(contrasts=("aB",)))
    assert raised.value.hint.startswith("Did you mean")


def test_what_is_not_scored_can_be_scored_without_a_network(tmp_path: Path) -> None:
    with (
        filled_bank(tmp_path / "bank.sqlite", "subject_pg", 2) as opened,
        pytest.raises(GapsmithError, match="None of these items has been scored") as raised,
    ):
        analyze(opened, "subject_pg")
    assert "--model bundled" in raised.value.hint
