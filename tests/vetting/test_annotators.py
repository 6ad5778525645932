"""Several annotators on one bank: blindness, locks, peeks, adjudication, agreement from the bank."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bank import Bank, ItemStatus, Verdict
from templates.errors import ConfigError
from tests.making import made_tokens
from tests.vetting.reviewing import fill_bank
from vetting.agreement_report import agreement_lines, agreement_report, as_data, progress_lines
from vetting.annotators import adjudication, is_locked, progress
from vetting.review import Desk, Scope, parse_query


def decide(desk: Desk, item_id: int, verdict: Verdict = Verdict.APPROVE, reason: str | None = None) -> None:
    """Decide on the text as it is now."""
    desk.decide({item_id: desk.row(item_id).revision_id}, verdict, reason=reason)


@pytest.fixture
def bo(bank: Bank) -> Desk:
    """A second annotator."""
    return Desk(bank, "bo")


def test_a_blind_annotator_sees_nothing_of_the_others(desk: Desk, bo: Desk) -> None:
    decide(bo, 1, Verdict.EXCLUDE, "implausible")
    bo.comment(1, "told by bo")
    sheet = bo.sheet(1)
    bo.judge(sheet, sheet.rows[0], "*")
    seen = desk.sheet(1)
    assert (seen.decisions, seen.judgements, seen.comments) == ((), (), ())
    assert seen.hidden == 3
    assert desk.standing(seen.place) is ItemStatus.PENDING
    assert desk.rows(parse_query("status:excluded")) == []
    with pytest.raises(ConfigError, match="hidden"):
        desk.rows(parse_query("by:bo"))
    assert [row.id for row in bo.rows(parse_query("by:bo"))] == [1]


def test_locking_opens_the_eyes_in_its_scope_only(bank: Bank, bo: Desk) -> None:
    desk = Desk(bank, "ann", scope=Scope("subject_pg", "generated"))
    decide(bo, 1, Verdict.FLAG)
    desk.lock()
    assert [d.author for d in desk.sheet(1).decisions] == ["bo"]
    assert desk.sheet(1).hidden == 0
    locks = bank.review.locks()
    assert is_locked(locks, "ann", "subject_pg", "generated")
    assert not is_locked(locks, "ann", "subject_pg", "other")
    assert not is_locked(locks, "bo", "subject_pg", "generated")
    desk.lock(locked=False)
    assert desk.sheet(1).decisions == ()


def test_a_peek_is_recorded_before_it_shows_anything(desk: Desk, bo: Desk) -> None:
    decide(bo, 1, Verdict.FLAG)
    assert [d.author for d in desk.peek(1).decisions] == ["bo"]
    (peek,) = desk.bank.review.peeks()
    assert (peek.author, peek.item_id) == ("ann", 1)
    assert desk.sheet(1).decisions == ()
    desk.lock()
    desk.peek(2)
    assert len(desk.bank.review.peeks()) == 1


def test_scores_of_the_critical_region_are_summed_over_its_tokens(desk: Desk) -> None:
    sentence = desk.sheet(1).rows[0].sentence
    assert sentence is not None
    span = sentence.span("adverb")
    assert span is not None
    middle = span.start + 2
    tokens = (
        (0, span.start - 1, 9.0),
        (span.start - 1, middle, 2.5),
        (middle, span.end, 1.25),
        (span.end, span.end + 1, 7.0),
    )
    scorer = desk.bank.scores.register("tiny", "r", {"dtype": "float32", "bos": "bos"})
    desk.bank.scores.add(scorer, [made_tokens(sentence.text, tokens)])
    assert desk.scores(desk.sheet(1)) == {"tiny (bos)": {"pf_pg1_pg2": 3.75}}


def test_decisions_after_a_peek_or_a_lock_do_not_count_as_blind(desk: Desk, bo: Desk) -> None:
    for item_id in (1, 2, 3):
        decide(bo, item_id)
    decide(desk, 1)
    desk.peek(2)
    decide(desk, 2)
    desk.lock()
    desk.lock(locked=False)
    decide(desk, 3)
    report = agreement_report(desk.bank)
    assert report.left_out == 2
    assert report.parts[0].raw.n == 1
    assert agreement_report(desk.bank, blind=False).parts[0].raw.n == 3


def test_where_all_agree_nothing_is_left_to_adjudicate(desk: Desk, bo: Desk) -> None:
    for one in (desk, bo):
        decide(one, 1)
        decide(one, 2, Verdict.EXCLUDE, "implausible" if one is desk else "ambiguous")
    decide(desk, 3)
    decide(bo, 3, Verdict.FLAG)
    decide(desk, 4)
    state = adjudication(desk.bank)
    assert (state.agreed, state.disputed, state.single, state.undecided) == ((1, 2), (3,), (4,), 6)
    assert state.unlocked == ("ann", "bo")
    assert desk.bank.items.get(1).status is ItemStatus.APPROVED
    assert desk.bank.items.get(2).status is ItemStatus.EXCLUDED

    judge = Desk(desk.bank, "cy", adjudicating=True)
    assert [row.id for row in judge.rows(parse_query("status:disputed"))] == [3]
    assert {d.author for d in judge.sheet(3).decisions} == {"ann", "bo"}
    decide(judge, 3, Verdict.EXCLUDE, "unnatural")
    item = desk.bank.items.get(3)
    assert (item.status, item.reason) == (ItemStatus.EXCLUDED, "unnatural")
    assert adjudication(desk.bank).adjudicated == (3,)
    judge.undo()
    assert desk.bank.items.get(3).status is ItemStatus.DISPUTED


def test_an_adjudicator_cannot_undo_what_was_locked(desk: Desk, bo: Desk) -> None:
    decide(desk, 1)
    decide(bo, 1, Verdict.FLAG)
    desk.lock()
    judge = Desk(desk.bank, "ann", adjudicating=True)
    decide(judge, 1)
    assert judge.undo() is not None
    with pytest.raises(ConfigError, match="locked"):
        judge.undo()
    assert desk.row(1).mine is Verdict.APPROVE


def test_progress_counts_current_texts(desk: Desk, bo: Desk) -> None:
    decide(desk, 1)
    decide(desk, 2)
    sheet = bo.sheet(2)
    bo.save_slots(sheet, {**(sheet.item.slots or {}), "verb": "startle"})
    decide(bo, 2)
    people = {person.author: person for person in progress(desk.bank)}
    assert (people["ann"].decided, people["bo"].decided) == (1, 1)
    assert people["ann"].total == 10
    assert "ann" in progress_lines(desk.bank)[0]


def test_the_report_covers_decisions_reasons_and_conditions(desk: Desk, bo: Desk) -> None:
    cy = Desk(desk.bank, "cy")
    for one, verdicts in ((desk, "aaxxf"), (bo, "aaxaf"), (cy, "axxxf")):
        for item_id, letter in enumerate(verdicts, start=1):
            if letter == "x":
                decide(one, item_id, Verdict.EXCLUDE, "implausible")
            else:
                decide(one, item_id, Verdict.APPROVE if letter == "a" else Verdict.FLAG)
            sheet = one.sheet(item_id)
            one.judge(sheet, sheet.rows[1], "*" if (item_id + len(one.author)) % 2 else "?")
    report = agreement_report(desk.bank)
    assert [part.about for part in report.parts] == ["decisions", "reason: implausible", "sentences: pf_pg1_mg2"]
    assert (report.parts[0].raw.hits, report.parts[0].raw.n) == (3, 5)
    assert len(report.parts[0].pairs) == 3
    assert report.parts[0].fleiss.estimate is not None
    told = "\n".join(agreement_lines(desk.bank))
    assert "Fleiss" in told
    assert "Krippendorff" in told
    assert json.loads(json.dumps(as_data(report)))["annotators"] == ["ann", "bo", "cy"]


def test_one_annotator_alone_has_no_agreement(desk: Desk) -> None:
    decide(desk, 1)
    assert agreement_lines(desk.bank) == ["Agreement needs two annotators."]


def test_the_commands(tmp_path: Path) -> None:
    from gapsmith.cli.app import app
    from gapsmith.workspace import make_workspace

    make_workspace(tmp_path / "ws")
    (tmp_path / "ws" / "bank.sqlite").unlink()
    with fill_bank(tmp_path / "ws" / "bank.sqlite", 4) as bank:
        for name in ("ann", "bo"):
            desk = Desk(bank, name)
            for item_id in (1, 2, 3):
                decide(desk, item_id, Verdict.FLAG if (name, item_id) == ("bo", 3) else Verdict.APPROVE)
    run = CliRunner()
    told = run.invoke(app, ["agreement", "-w", str(tmp_path / "ws"), "--json"])
    assert told.exit_code == 0
    assert json.loads(told.stdout)["parts"][0]["raw"]["hits"] == 2
    assert "ann and bo" in run.invoke(app, ["agreement", "-w", str(tmp_path / "ws")]).stdout
    refused = run.invoke(app, ["review", "-w", str(tmp_path / "ws"), "--adjudicate", "--by", "ann"])
    assert isinstance(refused.exception, ConfigError)
    assert "not locked" in str(refused.exception)
    no_terminal = run.invoke(app, ["review", "-w", str(tmp_path / "ws"), "--by", "ann"])
    assert "terminal" in str(no_terminal.exception)
    nothing = run.invoke(app, ["review", "-w", str(tmp_path / "ws"), "-p", "lan_pg"])
    assert "nothing to review" in str(nothing.exception)
