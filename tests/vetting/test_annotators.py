"""Several annotators on one bank: blindness, locks, peeks, adjudication, agreement from the bank."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gapsmith.app.critical_values import critical_values
from gapsmith.bank import Bank, ItemFilter, ItemStatus, Label, Verdict
from gapsmith.bank.locks import is_locked
from gapsmith.scoring.report.number_exports import decision_table
from gapsmith.templates.errors import ConfigError
from gapsmith.vetting import decisions_csv
from gapsmith.vetting.agreement_pages import (
    agreement_lines,
    agreement_report,
    as_data,
    drift_lines,
    progress_lines,
    report_lines,
)
from gapsmith.vetting.annotators import adjudication, progress, rating_tables
from gapsmith.vetting.assignment import DriftBlock
from gapsmith.vetting.review import Scope, Session, parse_query
from tests.making import made_tokens
from tests.printed import result
from tests.vetting.reviewing import fill_bank


def decide(session: Session, item_id: int, verdict: Verdict = Verdict.APPROVE, reason: str | None = None) -> None:
    """Decide on the text as it is now."""
    session.decide({item_id: session.row(item_id).revision_id}, verdict, reason=reason)


@pytest.fixture
def bo(bank: Bank) -> Session:
    """A second annotator."""
    return Session(bank, "bo")


def test_a_blind_annotator_sees_nothing_of_the_others(session: Session, bo: Session) -> None:
    decide(bo, 1, Verdict.EXCLUDE, "implausible")
    bo.comment(1, "told by bo")
    view = bo.view(1)
    bo.judge(view, view.rows[0], "*")
    seen = session.view(1)
    assert (seen.decisions, seen.judgements, seen.comments) == ((), (), ())
    assert seen.blind
    assert session.view(2).blind, "said where nobody else has decided, too"
    assert session.standing(seen.queue_row) is ItemStatus.PENDING
    assert session.rows(parse_query("status:excluded")) == []
    assert (seen.queue_row.commented, session.rows(parse_query("status:commented"))) == (False, [])
    assert [row.id for row in bo.rows(parse_query("status:commented"))] == [1]
    with pytest.raises(ConfigError, match="hidden"):
        session.rows(parse_query("by:bo"))
    assert [row.id for row in bo.rows(parse_query("by:bo"))] == [1]


def test_who_adjudicates_finds_what_anybody_remarked_on(session: Session, bo: Session) -> None:
    bo.comment(3, "told by bo")
    session.comment(5, "told by ann")
    session.undo()
    adjudicator = Session(session.bank, "zoe", adjudicating=True)
    assert [row.id for row in adjudicator.rows(parse_query("status:commented"))] == [3]
    assert adjudicator.row(3).commented
    assert [one.text for one in adjudicator.view(3).comments] == ["told by bo"]
    session.lock()
    assert session.rows(parse_query("status:commented")) == [], "an annotator's own, also after the lock"


def test_locking_opens_the_eyes_in_its_scope_only(bank: Bank, bo: Session) -> None:
    session = Session(bank, "ann", scope=Scope("subject_pg", "generated"))
    decide(bo, 1, Verdict.FLAG)
    session.lock()
    assert [d.author for d in session.view(1).decisions] == ["bo"]
    assert not session.view(1).blind
    locks = bank.review.locks()
    assert is_locked(locks, "ann", "subject_pg", "generated")
    assert not is_locked(locks, "ann", "subject_pg", "other")
    assert not is_locked(locks, "bo", "subject_pg", "generated")
    session.lock(locked=False)
    assert session.view(1).decisions == ()


def test_a_peek_is_recorded_before_it_shows_anything(session: Session, bo: Session) -> None:
    decide(bo, 1, Verdict.FLAG)
    assert [d.author for d in session.peek(1).decisions] == ["bo"]
    (peek,) = session.bank.review.peeks()
    assert (peek.author, peek.item_id) == ("ann", 1)
    assert [d.author for d in session.view(1).decisions] == ["bo"], "it is on record, and stays open"
    session.peek(1)
    session.lock()
    session.peek(2)
    assert len(session.bank.review.peeks()) == 1


def test_scores_of_the_critical_region_are_summed_over_its_tokens(session: Session) -> None:
    sentence = session.view(1).rows[0].sentence
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
    scorer = session.bank.scores.register("tiny", "r", {"dtype": "float32", "bos": "bos"})
    session.bank.scores.add(scorer, [made_tokens(sentence.text, tokens)])
    session.values = critical_values
    assert session.scores(session.view(1)) == {"tiny (bos)": {"pf_pg1_pg2": 3.75}}


def test_decisions_after_a_peek_or_a_lock_do_not_count_as_blind(bank: Bank, session: Session, bo: Session) -> None:
    for item_id in (1, 2, 3):
        decide(bo, item_id)
    decide(session, 1)
    session.peek(2)
    decide(session, 2)
    session.lock()
    session.lock(locked=False)
    decide(session, 3)
    report = agreement_report(bank)
    assert report.left_out == 2
    assert report.parts[0].raw.n == 1
    assert agreement_report(bank, blind=False).parts[0].raw.n == 3


def test_where_all_agree_nothing_is_left_to_adjudicate(bank: Bank, session: Session, bo: Session) -> None:
    for one in (session, bo):
        decide(one, 1)
        decide(one, 2, Verdict.EXCLUDE, "implausible" if one is session else "ambiguous")
    decide(session, 3)
    decide(bo, 3, Verdict.FLAG)
    decide(session, 4)
    state = adjudication(bank)
    assert (state.agreed, state.disputed, state.single, state.undecided) == ((1, 2), (3,), (4,), 6)
    assert state.unlocked == ("ann", "bo")
    assert bank.items.get(1).status is ItemStatus.APPROVED
    assert bank.items.get(2).status is ItemStatus.EXCLUDED

    judge = Session(bank, "cy", adjudicating=True)
    assert [row.id for row in judge.rows(parse_query("status:disputed"))] == [3]
    assert {d.author for d in judge.view(3).decisions} == {"ann", "bo"}
    decide(judge, 3, Verdict.EXCLUDE, "unnatural")
    item = bank.items.get(3)
    assert (item.status, item.reason) == (ItemStatus.EXCLUDED, "unnatural")
    assert adjudication(bank).adjudicated == (3,)
    judge.undo()
    assert bank.items.get(3).status is ItemStatus.DISPUTED


def test_an_adjudicator_cannot_undo_what_was_locked(session: Session, bo: Session) -> None:
    decide(session, 1)
    decide(bo, 1, Verdict.FLAG)
    session.lock()
    judge = Session(session.bank, "ann", adjudicating=True)
    decide(judge, 1)
    assert judge.undo() is not None
    with pytest.raises(ConfigError, match="locked"):
        judge.undo()
    assert session.row(1).mine is Verdict.APPROVE


def test_progress_counts_current_texts(bank: Bank, session: Session, bo: Session) -> None:
    decide(session, 1)
    decide(session, 2)
    view = bo.view(2)
    bo.save_slots(view, {**(view.item.slots or {}), "verb": "startle"})
    decide(bo, 2)
    people = {person.author: person for person in progress(bank)}
    assert (people["ann"].decided, people["bo"].decided) == (1, 1)
    assert people["ann"].total == 10
    assert "ann" in progress_lines(bank)[0]


def test_the_report_covers_decisions_reasons_and_conditions(bank: Bank, session: Session, bo: Session) -> None:
    cy = Session(bank, "cy")
    for one, verdicts in ((session, "aaxxf"), (bo, "aaxaf"), (cy, "axxxf")):
        for item_id, letter in enumerate(verdicts, start=1):
            if letter == "x":
                decide(one, item_id, Verdict.EXCLUDE, "implausible")
            else:
                decide(one, item_id, Verdict.APPROVE if letter == "a" else Verdict.FLAG)
            view = one.view(item_id)
            one.judge(view, view.rows[1], "*" if (item_id + len(one.author)) % 2 else "?")
    report = agreement_report(bank)
    assert [part.about for part in report.parts] == ["decisions", "reason: implausible", "sentences: pf_pg1_mg2"]
    assert (report.parts[0].raw.hits, report.parts[0].raw.n) == (3, 5)
    assert len(report.parts[0].pairs) == 3
    assert report.parts[0].fleiss.estimate is not None
    told = "\n".join(agreement_lines(bank))
    assert "Fleiss" in told
    assert "Krippendorff" in told
    assert json.loads(json.dumps(as_data(session.bank, report)))["annotators"] == ["ann", "bo", "cy"]


def test_what_matters_of_three_people_fits_a_screen_and_no_number_is_lost(bank: Bank, session: Session, bo: Session) -> None:
    for one in (session, bo, Session(bank, "cy")):
        for item_id in range(1, 9):
            reason = ("implausible", "ambiguous", "unnatural")[item_id % 3]
            out = (item_id + len(one.author)) % 2 == 0
            decide(one, item_id, Verdict.EXCLUDE if out else Verdict.APPROVE, reason if out else None)
            view = one.view(item_id)
            for row in view.rows:
                one.judge(view, row, "*" if (item_id + row.number) % 3 else "ok")
    report = agreement_report(bank)
    assert len(report.parts) == 12
    lines = report_lines(bank, report)
    assert len([*progress_lines(bank), *lines]) <= 40
    assert lines[0].startswith("decisions: ")
    assert [line.count(" and ") for line in lines[1:4]] == [1, 1, 1], "of every two people on decisions first"
    heading = lines.index("By reason and sentence (--full: also every two people):")
    for part in report.parts[1:]:
        (told,) = [line for line in lines[heading:] if line.strip().startswith(f"{part.about}: ")]
        assert f"{part.raw.hits} of {part.raw.n} = " in told
        assert "Krippendorff" in told
    full = report_lines(bank, report, full=True)
    assert len([line for line in full if "ann and bo" in line and "kappa" in line]) == 12
    assert len(as_data(bank, report)["parts"][5]["pairs"]) == 3


def test_one_annotator_alone_has_no_agreement(session: Session) -> None:
    decide(session, 1)
    assert agreement_lines(session.bank) == ["Agreement needs two annotators."]


def test_the_commands(tmp_path: Path) -> None:
    from gapsmith.app.cli.app import app
    from gapsmith.app.workspace import make_workspace

    make_workspace(tmp_path / "ws")
    (tmp_path / "ws" / "bank.sqlite").unlink()
    with fill_bank(tmp_path / "ws" / "bank.sqlite", 4) as bank:
        for name in ("ann", "bo"):
            session = Session(bank, name)
            for item_id in (1, 2, 3):
                decide(session, item_id, Verdict.FLAG if (name, item_id) == ("bo", 3) else Verdict.APPROVE)
    run = CliRunner()
    told = run.invoke(app, ["agreement", "-w", str(tmp_path / "ws"), "--look", "--json"])
    assert told.exit_code == 0
    assert result(told.stdout)["parts"][0]["raw"]["hits"] == 2
    assert "ann and bo" in run.invoke(app, ["agreement", "-w", str(tmp_path / "ws"), "--look"]).stdout
    refused = run.invoke(app, ["review", "-w", str(tmp_path / "ws"), "--adjudicate", "--by", "ann"])
    assert isinstance(refused.exception, ConfigError)
    assert "not locked" in str(refused.exception)
    no_terminal = run.invoke(app, ["review", "-w", str(tmp_path / "ws"), "--by", "ann"])
    assert "terminal" in str(no_terminal.exception)
    nothing = run.invoke(app, ["review", "-w", str(tmp_path / "ws"), "-p", "lan_pg"])
    assert "nothing to review" in str(nothing.exception)


def test_ratings_on_different_scales_are_never_one_table() -> None:
    said = [
        Label(1, "ann", "ok", None, "c", 1),
        Label(1, "ben", "4", None, "c", 2, 7),
        Label(1, "cy", "4", None, "c", 3, 5),
        Label(1, "dee", "6", None, "c", 4, 7, "0123456789abcdef"),
    ]
    tables = rating_tables(said, {"0123456789abcdef": "study pilot"})
    assert {name: table.raters for name, table in tables.items()} == {
        "c": ("ann",),
        "c, 1 to 7": ("ben",),
        "c, 1 to 5": ("cy",),
        "c, 1 to 7, study pilot": ("dee",),
    }


def test_stretches_of_one_day_are_told_apart() -> None:
    def block(number: int, at: str) -> DriftBlock:
        return DriftBlock("ann", number, at, at, 3, 3, 0.4, 1.0)

    one_day = drift_lines([block(1, "2026-01-02T10:00:00+00:00"), block(2, "2026-01-02T11:30:00+00:00")])
    assert "2026-01-02 10:00 3 of 3" in one_day[-1]
    assert "2026-01-02 11:30 3 of 3" in one_day[-1]
    assert "2026-01-02 3 of 3" in drift_lines([block(1, "2026-01-02T10:00:00+00:00"), block(2, "2026-01-03T11:30:00+00:00")])[-1]


def test_where_there_is_no_course_over_time_it_says_what_it_takes() -> None:
    at = "2026-01-02T10:00:00+00:00"
    few = drift_lines([DriftBlock("ann", 1, at, at, 3, 4, 0.4, 1.0), DriftBlock("bo", 1, at, at, 2, 5, 0.1, 0.8)])
    assert (
        few[-1] == "Over time: nothing to compare yet; it takes 6 calibration decisions of one person, and there are 5 at most."
    )
    assert drift_lines([]) == []
    one = DriftBlock("ann", 1, at, at, 3, 3, 0.4, 1.0)
    some = drift_lines([one, replace(one, number=2, hits=0), DriftBlock("bo", 1, at, at, 2, 5, 0.1, 0.8)])
    assert some[-1].strip() == "bo: 2 of 5 so far; it takes 6 for a course", "nobody is left out in silence"


def test_what_was_said_blind_counts_and_a_dispute_outlives_an_informed_change(bank: Bank, session: Session, bo: Session) -> None:
    for item_id in (1, 2, 3):
        decide(bo, item_id)
    decide(session, 1, Verdict.FLAG)
    decide(session, 2, Verdict.FLAG)
    decide(session, 3)
    session.lock()
    before = agreement_report(bank).parts[0].raw
    assert (before.hits, before.n, adjudication(bank).disputed) == (1, 3, (1, 2))
    session.lock(locked=False)
    session.undo()
    decide(session, 3)
    decide(session, 1)
    report = agreement_report(bank)
    assert (report.parts[0].raw.hits, report.parts[0].raw.n) == (1, 3), "the change after the lock counts nowhere"
    told = "\n".join(report_lines(bank, report))
    assert "ann took the lock back on " in told
    assert "changed 1 label: item 1 from flag to approve. Agreement counts what stood before." in told
    state = adjudication(bank)
    assert (state.agreed, state.disputed, state.contested) == ((3,), (2,), (1,))
    said = "1 item was disputed until ann, who could see the others' decisions by then, decided otherwise: 1."
    assert said in "\n".join(progress_lines(bank))
    rows = {row["item"]: row for row in csv.DictReader(decisions_csv(bank, ItemFilter(), "ann").splitlines())}
    assert {item: (row["decision"], row["blind"], row["said_blind"]) for item, row in rows.items()} == {
        "1": ("approve", "no", "flag"),
        "2": ("flag", "yes", ""),
        "3": ("approve", "no", "approve"),
    }
    judge = Session(bank, "cy", adjudicating=True)
    decide(judge, 1, Verdict.EXCLUDE, "unnatural")
    assert adjudication(bank).contested == ()
    everything = agreement_report(bank, blind=False)
    assert (everything.parts[0].raw.hits, everything.left_out) == (2, 0)


def test_a_label_that_was_taken_back_after_the_lock_counts_on(bank: Bank, session: Session, bo: Session) -> None:
    decide(bo, 1)
    decide(session, 1, Verdict.FLAG)
    view = session.view(1)
    session.judge(view, view.rows[0], "*")
    session.lock()
    session.lock(locked=False)
    session.undo()
    session.undo()
    report = agreement_report(bank)
    assert (report.parts[0].raw.n, report.parts[0].raw.hits) == (1, 0)
    assert {(change.condition is None, change.before, change.now) for change in report.changes} == {
        (True, "flag", None),
        (False, "*", None),
    }
    rows = [row for row in decision_table(bank, ItemFilter()).rows if row["author"] == "ann"]
    assert [(row["item"], row["decision"], row["blind"], row["said_blind"]) for row in rows] == [("1", None, "no", "flag")]
    (row,) = csv.DictReader(decisions_csv(bank, ItemFilter(), "ann").splitlines())
    own = ("item", "current", "decision", "author", "at", "blind", "said_blind")
    assert [row[name] for name in own] == ["1", "yes", "", "ann", "", "no", "flag"]


def test_what_comes_back_by_an_undo_after_a_look_is_not_what_was_said_blind(bank: Bank, session: Session, bo: Session) -> None:
    decide(bo, 1)
    decide(session, 1)
    decide(session, 1, Verdict.FLAG)
    bank.review.peek(1, "others", author="ann")
    session.undo()
    report = agreement_report(bank)
    assert (report.parts[0].raw.n, report.parts[0].raw.hits) == (1, 0)
    assert [(change.before, change.now) for change in report.changes] == [("flag", "approve")]
    (row,) = csv.DictReader(decisions_csv(bank, ItemFilter(), "ann").splitlines())
    assert (row["decision"], row["blind"], row["said_blind"]) == ("approve", "no", "flag")


def test_people_agree_where_two_of_them_said_so_blind(bank: Bank, session: Session, bo: Session) -> None:
    for item_id in (1, 2):
        decide(bo, item_id)
    decide(session, 2)
    bank.review.peek(1, "others", author="ann")
    decide(session, 1)
    state = adjudication(bank)
    assert (state.agreed, state.informed, state.single) == ((2,), (1,), ())
    assert "1 more alike, fewer than two of them said blind: so do these." in progress_lines(bank)
    decide(Session(bank, "cy"), 1)
    assert adjudication(bank).agreed == (1, 2)
