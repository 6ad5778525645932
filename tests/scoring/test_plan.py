"""A plan that was frozen: what it decides, and that every difference from it is said, in analyses, reports, JSON and copies."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

import gapsmith.templates
from gapsmith import freeze_plan, lint, list_plans, open_workspace
from gapsmith.app.requests.base import entries
from gapsmith.app.requests.measuring import Analyze
from gapsmith.app.requests.plans import FreezePlan
from gapsmith.bank import Bank, BankError, ItemFilter, NewItem, Plan, Verdict, merge, read_log, write_log
from gapsmith.scoring.analysis import Analysis, AnalysisOptions, analyze
from gapsmith.scoring.report import analysis_text
from gapsmith.templates import Alignment, GapsmithError, load_paradigm
from tests.printed import results
from tests.scoring.analysing import add_items, by_name, published_bits, score

SHIPPED = Path(gapsmith.templates.__file__).parent / "paradigms" / "subject_pg.toml"


@pytest.fixture
def ws(tmp_path: Path, published_file: Path) -> Path:
    (tmp_path / "gapsmith.toml").write_text('annotator = "lea"\n', encoding="utf-8")
    shutil.copy(published_file, tmp_path / "bank.sqlite")
    return tmp_path


def planned(ws: Path, **how: Any) -> None:
    with open_workspace(ws) as workspace:
        freeze_plan(workspace, "subject_pg", **how)


def analysed(ws: Path, **how: Any) -> Analysis:
    with Bank.open(ws / "bank.sqlite") as bank:
        return analyze(bank, "subject_pg", options=AnalysisOptions(by_region=False, permutations=99, **how))


def deviations(ws: Path, **how: Any) -> tuple[str, ...]:
    plan = analysed(ws, **how).plan
    assert plan is not None
    return plan.deviations


def test_what_is_as_planned_says_so_and_its_tests_are_the_plans(ws: Path) -> None:
    before = analysed(ws)
    assert before.plan is None
    n_tests = sum(own.main.interpretable and not own.n_unlike for own in before.contrasts)
    assert n_tests > 3
    assert {own.family for own in before.contrasts} == {"", f"the {n_tests} tests of this run, unplanned"}
    planned(ws, items=33)
    after = analysed(ws)
    assert after.plan is not None
    assert (after.plan.author, after.plan.n_scored, after.plan.number, after.plan.deviations) == ("lea", 33, 1, ())
    assert {own.family for own in after.contrasts} == {"", f"the {n_tests} tests of the plan, frozen after the first score"}
    assert [own.p_holm for own in after.contrasts] == [own.p_holm for own in before.contrasts]
    assert "when 33 of its items had scores already. Nothing differs from it." in after.caveats[0]


def test_what_was_not_planned_is_no_test_of_the_plan(ws: Path) -> None:
    planned(ws, contrast=["P1", "P2"])
    found = by_name(analysed(ws))
    assert found["P1"].family == found["P2"].family == "the 2 tests of the plan, frozen after the first score"
    n_others = sum(own.main.interpretable and not own.n_unlike for own in found.values()) - 2
    late = "the plan, frozen after the first score, does not name"
    assert found["P3"].family == f"the {n_others} tests of this run that {late}"
    (said,) = deviations(ws)
    assert said.startswith("tested, and not in the plan: P3, P4, ")
    (fewer,) = deviations(ws, contrasts=("P1",))
    assert fewer == "not tested here: P2; p is corrected over fewer tests than were planned"


@pytest.mark.parametrize(
    ("plan", "asked", "said"),
    [
        ({"items": 40}, {}, "33 items; planned: 40"),
        ({"model": ["gpt2"]}, {}, "scored by tiny; planned: gpt2"),
        ({}, {"all_items": True}, "the items that are analysed: approved was planned, and it is all"),
        ({}, {"confidence": 0.9}, "confidence: 0.95 was planned, and it is 0.9"),
        ({}, {"holm": False}, "correction for several tests: holm was planned, and it is none"),
        ({"uncorrected": True}, {}, "correction for several tests: none was planned, and it is holm"),
        ({}, {"complete": True}, "only items that have every value: no was planned, and it is yes"),
        ({"where": {"adverb": "soon"}}, {}, "restricted to: adverb = soon was planned, and it is nothing"),
        (
            {"contrast": ["P1"]},
            {"contrasts": ("P1",), "alternative": "less"},
            "P1: side two-sided was planned, and now it is side less",
        ),
        (
            {"contrast": ["P1"]},
            {"contrasts": ("P1",), "measure": "mean"},
            "P1: measure sum was planned, and now it is measure mean",
        ),
    ],
)
def test_every_difference_is_said(ws: Path, plan: dict[str, Any], asked: dict[str, Any], said: str) -> None:
    planned(ws, **plan)
    with Bank.open(ws / "bank.sqlite") as bank:
        (model,) = {own.model for own in bank.scores.scorers()}
    found = analysed(ws, **asked)
    assert found.plan is not None
    assert said.replace("tiny", model) in found.plan.deviations
    assert f"Not as planned: {found.plan.deviations[0]}." in found.caveats


def test_a_changed_file_is_said_and_delta_is_the_plans(ws: Path, gapsmith: Callable[..., Any]) -> None:
    """In a paradigm of one's own, δ of which is changed after it was frozen."""
    folder = ws / "paradigms"
    folder.mkdir()
    text = SHIPPED.read_text(encoding="utf-8")
    file = folder / "subject_pg.toml"
    marked = text.replace('name = "P1"', 'name = "P1"\ndelta = 0.5', 1)
    assert marked != text
    file.write_text(marked, encoding="utf-8")
    planned(ws)
    file.write_text(text.replace('name = "P1"', 'name = "P1"\ndelta = 99.0', 1), encoding="utf-8")
    (shown,) = results(gapsmith("analyze", "--json", "-p", "subject_pg", "-c", "P1", "-w", ws).out)
    assert shown["contrasts"][0]["contrast"]["delta"] == 0.5
    assert "P1: δ 0.5 was planned, and now it is δ 99.0" in shown["plan"]["deviations"]


def test_a_later_plan_holds_and_the_same_one_twice_is_refused(ws: Path) -> None:
    planned(ws, items=33)
    with pytest.raises(GapsmithError, match="frozen already"):
        planned(ws, items=33)
    planned(ws, items=12)
    assert deviations(ws) == ("33 items; planned: 12",)
    with open_workspace(ws) as workspace:
        found = list_plans(workspace)
        assert [own.plan["n_items"] for own in found] == [33, 12]
        assert [own["n_scored"] for own in found.as_data()] == [33, 33]
        assert len(list_plans(workspace, "embedded_wh")) == 0
    later = analysed(ws)
    said = "when 33 of its items had scores already. It is plan 2 of subject_pg, and holds; plan 1 was frozen "
    assert said in later.caveats[0]
    shown = " ".join(analysis_text(later).split())
    assert shown.index("Planned: ") < shown.index("Not as planned: 33 items; planned: 12.") < shown.index("Scored by ")
    assert shown.count("Not as planned: 33 items") == 1


def test_numbers_are_shown_as_numbers(ws: Path) -> None:
    """1.0 is equal to True."""
    file = ws / "paradigms" / "subject_pg.toml"
    file.parent.mkdir()
    text = SHIPPED.read_text(encoding="utf-8")
    file.write_text(text.replace('name = "P1"', 'name = "P1"\ndelta = 1.0', 1), encoding="utf-8")
    planned(ws)
    file.write_text(text, encoding="utf-8")
    assert deviations(ws) == ("P1: δ 1.0 was planned, and now it is δ none",)


def test_the_same_sentences_in_two_data_sets_are_one_item(ws: Path) -> None:
    with Bank.open(ws / "bank.sqlite") as bank:
        copies = [NewItem(item.slots, item.sentences, f"again {item.label}") for item in bank.items.iterate(ItemFilter())]
        add_items(bank, load_paradigm("subject_pg"), copies, identity="again")
    planned(ws, items=33)
    checked = analysed(ws, all_items=True).plan
    assert checked is not None
    assert checked.n_scored == 33
    assert not [said for said in checked.deviations if "33" in said]


def test_what_was_scored_before_counts_when_it_is_removed_or_edited(ws: Path, gapsmith: Callable[..., Any]) -> None:
    with Bank.open(ws / "bank.sqlite") as bank:
        (own,) = bank.items.datasets("subject_pg")
        for item in bank.items.iterate(ItemFilter()):
            new = [
                replace(one, text=one.text.replace(" ", " really ", 1), regions=None, how=Alignment.NONE)
                for one in item.sentences
            ]
            bank.items.revise(item.id, slots=None, sentences=new, author="lea")
    planned(ws, items=33)
    assert gapsmith("dataset", "remove", own, "-w", ws).code == 0
    planned(ws)
    with open_workspace(ws) as workspace:
        assert [plan.n_scored for plan in list_plans(workspace)] == [33, 33]


def test_nothing_that_is_not_there_can_be_planned(ws: Path, gapsmith: Callable[..., Any]) -> None:
    for wrong in (("-c", "P9"), ("--measure", "loudness")):
        done = gapsmith("plan", "freeze", "subject_pg", *wrong, "-w", ws)
        assert (done.code, done.out) == (2, ""), wrong
    assert gapsmith("plan", "freeze", "no_such", "-w", ws).code == 2
    assert "No plan was frozen yet" in gapsmith("plan", "list", "-w", ws).err
    # A data set may come after its plan; a wrong name is told.
    later = gapsmith("plan", "freeze", "subject_pg", "-d", "later", "-w", ws)
    assert (later.code, "There is no data set 'later' of subject_pg yet" in later.err) == (0, True)


def test_the_commands_and_the_report_show_it(ws: Path, gapsmith: Callable[..., Any], tmp_path: Path) -> None:
    done = gapsmith("plan", "freeze", "subject_pg", "--items", 40, "-c", "P1", "-w", ws)
    assert done.code == 0, done.err
    shown = gapsmith("plan", "list", "-w", ws).out
    assert "40 approved items; any model; correction: holm" in shown
    assert "P1: pf_pg1_pg2 - mf_pg1_pg2 (sum; below 0 expected, two-sided)" in shown
    (listed,) = results(gapsmith("plan", "list", "--json", "-w", ws).out)
    assert listed["plan"]["n_items"] == 40
    assert gapsmith("report", "-o", tmp_path / "rep", "-w", ws).code == 0
    for page in ("report.md", "report.html"):
        assert "Not as planned: 33 items; planned: 40." in (tmp_path / "rep" / page).read_text(encoding="utf-8"), page


def test_a_plan_goes_into_logs_and_other_banks_and_is_not_undone(ws: Path, tmp_path: Path) -> None:
    planned(ws, items=33)
    with Bank.open(ws / "bank.sqlite") as bank:
        known = bank.plans.of()
        assert bank.decisions.undo("lea") is None
        assert bank.plans.of() == known
        write_log(bank, tmp_path / "all.jsonl")
    with Bank.open(tmp_path / "other.sqlite", create=True) as other:
        log = tmp_path / "all.jsonl"
        assert merge(other, read_log(log, other), str(log)).added["plans"] == 1
        assert other.plans.of() == known
        assert merge(other, read_log(log, other), str(log)).added["plans"] == 0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"digest": "0" * 16}, "it does not agree with its digest 0000000000000000"),
        ({"plan": {"form": "x"}}, "contrasts: Field required"),
        ({"scored": -1}, "how many items had scores by then is no number"),
    ],
)
def test_a_plan_that_cannot_be_read_comes_in_with_no_log(ws: Path, tmp_path: Path, change: dict[str, Any], said: str) -> None:
    """Else it would stand before every analysis of that paradigm."""
    planned(ws, items=33)
    log = tmp_path / "all.jsonl"
    with Bank.open(ws / "bank.sqlite") as bank:
        write_log(bank, log)
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        if line.get("what") == "plan":
            line["payload"] |= change
    log.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    with Bank.open(tmp_path / "other.sqlite", create=True) as other:
        with pytest.raises(BankError, match=re.escape(said)):
            merge(other, read_log(log, other), str(log))
        assert other.plans.of() == ()


def test_a_plan_of_another_form_is_not_frozen(ws: Path) -> None:
    with Bank.open(ws / "bank.sqlite") as bank:
        with pytest.raises(BankError, match="cannot be kept: contrasts: Field required"):
            bank.plans.freeze("subject_pg", cast("Plan", {"form": "x"}), by="lea")
        assert bank.plans.of() == ()


@pytest.mark.full
def test_each_word_of_an_option_of_an_analysis_is_taken(ws: Path, gapsmith: Callable[..., Any]) -> None:
    asked = {
        (stage.stage, field.flags[0], word)
        for stage in (Analyze, FreezePlan)
        for field in entries(stage)
        for word in field.option.words
    }
    assert ("analyze", "--ties", "excluded") in asked
    for stage, flag, word in sorted(asked):
        first = ("-p", "subject_pg", "--permutations", 9) if stage == "analyze" else ("subject_pg",)
        done = gapsmith(*stage.split(), *first, flag, word, "-w", ws)
        # Nothing is scored as other programs do; that it is said is what taking the word means.
        lacking = flag == "--convention" and f"--convention {word}` first" in done.err
        assert done.code == 0 or lacking, (stage, flag, word, done.err)


def test_a_plan_that_was_tampered_with_is_refused(ws: Path) -> None:
    planned(ws, items=33)
    db = sqlite3.connect(ws / "bank.sqlite")
    (payload,) = db.execute("SELECT payload FROM event WHERE kind = 'plan'").fetchone()
    said = json.loads(payload)
    said["plan"]["n_items"] = 12
    db.execute("DROP TRIGGER event_is_never_updated")
    db.execute("UPDATE event SET payload = ? WHERE kind = 'plan'", (json.dumps(said),))
    db.commit()
    db.close()
    with Bank.open(ws / "bank.sqlite") as bank, pytest.raises(BankError):
        bank.plans.of()


def _file(ws: Path, text: str) -> None:
    file = ws / "paradigms" / "subject_pg.toml"
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, encoding="utf-8")


def test_words_that_are_others_now_are_said(ws: Path) -> None:
    """Which words are all there are decides what is fixed in the test, and so the verdict's scope."""
    text = SHIPPED.read_text(encoding="utf-8")
    _file(ws, text)
    with Bank.open(ws / "bank.sqlite") as bank:
        slots = {slot.name: slot for slot in bank.paradigms.newest("subject_pg").slots}
    (name, slot), *_ = ((name, slot) for name, slot in slots.items() if slot.closed)
    planned(ws)
    assert deviations(ws) == ()
    (table,) = re.findall(r"^closed = \[.*?\]$", text, flags=re.M)[:1]
    words = table.removeprefix("closed = ")
    assert slot.closed[0] in words
    _file(ws, text.replace(table, table.replace(f'"{slot.closed[0]}"', f'"{slot.closed[0]}", "beneath"'), 1))
    (said,) = deviations(ws)
    assert said.startswith(f"all the words of {name}: {slot.closed[0]}")
    assert "beneath" in said


@pytest.mark.parametrize(
    ("bos", "said"),
    [
        ("bos", ()),
        ("none", ("scored with nothing before a sentence; gapsmith, the planned convention, has a beginning-of-sequence token",)),
    ],
)
def test_scores_that_begin_otherwise_than_planned_are_said(ws: Path, bos: str, said: tuple[str, ...]) -> None:
    planned(ws)
    with Bank.open(ws / "bank.sqlite") as bank:
        (scorer,) = bank.scores.scorers()
        other = score(
            bank, "subject_pg", published_bits, scorer=replace(scorer, model="other", identity={**scorer.identity, "bos": bos})
        )
        plan = analyze(bank, "subject_pg", scorer_id=other, options=AnalysisOptions(by_region=False, permutations=99)).plan
    assert plan is not None
    assert plan.deviations == said


def test_who_leaves_items_out_later_is_told(ws: Path, gapsmith: Callable[..., Any]) -> None:
    """With how many and why; the plan says by which rules."""
    planned(ws, exclude_rule=("whatever two readers call odd",))
    before = analysed(ws)
    assert "Items are approved or left out so: whatever two readers call odd." in before.caveats[0]
    assert not any("left out after" in own.lower() for own in before.caveats)
    with Bank.open(ws / "bank.sqlite") as bank:
        ids = bank.items.ids(ItemFilter())[:3]
        bank.decisions.decide(ids, Verdict.EXCLUDE, author="lea", reason="implausible")
    assert "left out after the plan was frozen: 3 items (implausible 3)" in deviations(ws)
    assert "Left out after they had scores: 3 items (implausible 3)." in analysed(ws).caveats
    assert "whatever two readers call odd" in gapsmith("plan", "list", "-w", ws).out


def test_a_lint_by_other_rules_than_planned_is_told(ws: Path) -> None:
    planned(ws)
    assert deviations(ws) == ()
    with open_workspace(ws) as workspace:
        lint(workspace)
    assert deviations(ws) == ()
    with Bank.open(ws / "bank.sqlite") as bank:
        some = dict.fromkeys(bank.items.ids(ItemFilter())[:4], ())
        bank.findings.replace("subject_pg", some, ruleset="A01;x;y")
    assert deviations(ws) == ("the linter read 4 of the items with other rules or word lists than were planned",)
