"""What the bank keeps for the review: rows, comments, locks, peeks, drafts, habits; and the step to the new schema."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from gapsmith.bank import Bank, BankError, Finding, ItemFilter, ItemStatus, NewItem, Severity, Verdict
from gapsmith.bank.connection import connect
from gapsmith.bank.migrations import LATEST, migrate
from gapsmith.templates import load_paradigm, realise, sample

pytestmark = pytest.mark.fast


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[Bank]:
    """Five items."""
    with Bank.open(tmp_path / "bank.sqlite", create=True) as bank:
        add_items(bank, 5)
        yield bank


def add_items(bank: Bank, count: int) -> None:
    """Items of the subject parasitic gap."""
    paradigm = load_paradigm("subject_pg")
    paradigm_id = bank.paradigms.register(paradigm)
    run = bank.runs.begin(kind="generate", paradigm_id=paradigm_id, provider="lexicon", identity=f"{count}", parameters={})
    items = [NewItem(slots, realise(paradigm, slots)) for slots in islice(sample(paradigm, 1), count)]
    bank.items.add(paradigm_id, items, run_id=run.id)


def test_a_row_says_what_its_author_and_a_policy_decided_on_the_current_text(bank: Bank) -> None:
    bank.findings.replace("subject_pg", {1: [Finding("L1", Severity.WARNING, "x")] * 2}, ruleset="r")
    bank.decisions.decide([1], Verdict.EXCLUDE, author="ann", reason="odd")
    bank.decisions.decide([1], Verdict.FLAG, author="bo")
    bank.decisions.decide([2], Verdict.APPROVE, author="policy:clean", kind="policy")
    one, two = bank.review.rows(ItemFilter(ids=(1, 2)), author="ann")
    assert (one.mine, one.my_reason, one.people, one.findings, one.worst) == (Verdict.EXCLUDE, "odd", 2, 2, 1)
    assert one.status is ItemStatus.DISPUTED
    assert one.text == bank.items.get(1).sentences[0].text
    assert (two.mine, two.policy, two.people, two.worst) == (None, Verdict.APPROVE, 0, -1)
    item = bank.items.get(1)
    bank.items.revise(1, slots=item.slots, sentences=item.sentences, author="bo")
    (same,) = bank.review.rows(ItemFilter(ids=(1,)), author="ann")
    assert (same.mine, same.outdated, same.people) == (Verdict.EXCLUDE, False, 2)
    bank.items.revise(1, slots=item.slots, sentences=item.sentences[1:], author="bo")
    (edited,) = bank.review.rows(ItemFilter(ids=(1,)), author="ann")
    assert (edited.mine, edited.outdated, edited.people) == (None, True, 0)


def test_words_are_found_whole_and_in_any_sentence(bank: Bank) -> None:
    slots = bank.items.get(3).slots or {}
    for word in (slots["name2"], slots["verb"].upper(), slots["adverb"]):
        assert 3 in [row.id for row in bank.review.rows(author="ann", words=[word])]
    assert bank.review.rows(author="ann", words=[slots["verb"][:-2]]) == []
    assert bank.review.rows(author="ann", words=[slots["verb"], "nothinglikeit"]) == []


def test_comments_are_undone_like_decisions(bank: Bank) -> None:
    bank.review.comment(1, "first", author="ann", condition="pf_pg1_pg2")
    bank.review.comment(1, "second", author="ann")
    assert [c.text for c in bank.review.comments(1)] == ["first", "second"]
    action = bank.review.next_action("ann", "undo")
    assert action is not None
    assert (action.kind, action.detail, action.item_ids) == ("comment", "second", (1,))
    bank.decisions.undo("ann")
    assert [c.text for c in bank.review.comments(1)] == ["first"]
    assert bank.review.rows(author="ann")[0].commented
    bank.decisions.undo("ann")
    assert not bank.review.rows(author="ann")[0].commented
    bank.decisions.redo("ann")
    bank.decisions.rebuild_projection()
    assert [c.condition for c in bank.review.comments(1)] == ["pf_pg1_pg2"]
    with pytest.raises(BankError):
        bank.review.comment(1, "  ", author="ann")


def test_locks_and_peeks_are_on_record_and_no_undo_touches_them(bank: Bank) -> None:
    bank.review.lock("ann", paradigm="subject_pg", dataset=None)
    bank.review.peek(2, "scores", author="ann")
    assert bank.decisions.undo("ann") is None
    assert bank.review.next_action("ann", "undo") is None
    (lock,) = bank.review.locks()
    assert (lock.author, lock.paradigm, lock.dataset, lock.locked) == ("ann", "subject_pg", None, True)
    assert [(p.item_id, p.what) for p in bank.review.peeks()] == [(2, "scores")]
    assert bank.review.peeks(1) == []
    bank.decisions.rebuild_projection()
    assert len(bank.review.locks()) == 1
    with pytest.raises(BankError):
        bank.review.lock(" ", paradigm=None, dataset=None)


def test_drafts_belong_to_author_item_and_field(bank: Bank) -> None:
    revision = bank.review.revision_of(1)
    bank.review.save_draft("ann", 1, "comment", "a", revision)
    bank.review.save_draft("ann", 1, "comment", "ab", revision)
    bank.review.save_draft("ann", 2, "comment", "other", bank.review.revision_of(2))
    bank.review.save_draft("bo", 1, "comment", "b", revision)
    assert [(d.item_id, d.text) for d in bank.review.drafts("ann")] == [(1, "ab"), (2, "other")]
    bank.review.discard_drafts("ann", 1, ["comment", "slot:verb"])
    assert [d.text for d in bank.review.drafts("ann")] == ["other"]
    assert [d.text for d in bank.review.drafts("bo", 1)] == ["b"]


def test_habits_and_versions(bank: Bank, tmp_path: Path) -> None:
    assert bank.review.habit("ann", "theme") is None
    bank.review.set_habit("ann", "theme", "nord")
    bank.review.set_habit("ann", "theme", "dracula")
    assert bank.review.habit("ann", "theme") == "dracula"
    before = bank.review.version()
    bank.review.set_habit("ann", "theme", "nord")
    assert bank.review.version() == before
    with Bank.open(bank.path) as other:
        other.review.set_habit("bo", "theme", "nord")
    assert bank.review.version() != before


def test_items_that_are_not_there_are_named(bank: Bank) -> None:
    with pytest.raises(BankError, match="99"):
        bank.review.revision_of(99)
    with pytest.raises(BankError, match="99"):
        bank.review.peek(99, "scores", author="ann")


def test_a_bank_of_the_second_schema_keeps_its_calls_and_takes_their_details_from_then_on(tmp_path: Path) -> None:
    path = tmp_path / "old.sqlite"
    connection = connect(path, create=True)
    migrate(connection, path, up_to=2)
    paradigm = load_paradigm("subject_pg")
    connection.execute("INSERT INTO paradigm VALUES (1, 'subject_pg', 1, ?, ?, '', 'now')", (paradigm.digest, paradigm.text))
    connection.execute(
        "INSERT INTO run (id, kind, paradigm_id, provider, identity, parameters, started_at)"
        " VALUES (1, 'generate', 1, 'openai', 'i', '{}', 'then')"
    )
    connection.execute(
        "INSERT INTO call (id, run_id, number, request, intended_at, replied_at, reply, outcome, usage, attempts)"
        " VALUES (1, 1, 0, '{\"n\":5}', 'then', 'later', 'an answer', 'ok', '{\"kept\":5}', 2)"
    )
    connection.execute("INSERT INTO call (id, run_id, number, request, intended_at) VALUES (2, 1, 1, '{\"n\":5}', 'then')")
    connection.execute(
        "INSERT INTO item VALUES (1, 1, 'subject_pg', 'generated', '1', NULL, 1, 1, 'then')",
    )
    connection.execute("INSERT INTO revision VALUES (1, 1, 1, NULL, NULL, NULL, 'then')")
    connection.execute("INSERT INTO sentence VALUES (1, 0, 'pf_pg1_pg2', 'A sentence.', 'generated')")
    connection.execute("INSERT INTO item_state VALUES (1, 1, 'pending', NULL)")
    connection.close()
    with Bank.open(path) as bank:
        old, open_call = bank.runs.calls(1)
        assert (old.reply, old.usage, old.attempts, old.details) == ("an answer", {"kept": 5}, 2, {})
        assert open_call.replied_at is None
        assert open_call.details == {}
        assert [(item.call_id, item.sentences[0].text) for item in bank.items.iterate()] == [(1, "A sentence.")]
        told = {"model": "m-2026-01", "structure": "json_object"}
        bank.runs.reply(2, outcome="ok", reply="x", details=told)
        assert bank.runs.call(2).details == told
    with Bank.open(path) as bank:
        assert [call.details for call in bank.runs.calls(1)] == [{}, told]
    assert len(list(tmp_path.glob("old.sqlite.schema2.*.backup"))) == 1


def test_a_bank_of_the_first_schema_is_brought_up_to_date_with_its_decisions(tmp_path: Path) -> None:
    path = tmp_path / "old.sqlite"
    connection = connect(path, create=True)
    migrate(connection, path, up_to=1)
    connection.execute("INSERT INTO paradigm VALUES (1, 'p', 1, 'd', 't', 'x', 'now')")
    connection.execute("INSERT INTO event VALUES (1, 1, 'lock', NULL, NULL, 'ann', 'now', '{}')")
    connection.close()
    with Bank.open(path) as bank:
        bank.review.set_habit("ann", "theme", "nord")
        add_items(bank, 1)
        bank.review.save_draft("ann", 1, "comment", "x", bank.review.revision_of(1))
    with sqlite3.connect(path) as raw:
        assert raw.execute("SELECT max(number) FROM migration").fetchone() == (LATEST,)
        assert raw.execute("SELECT count(*) FROM event").fetchone() == (1,)
    raw.close()
    assert len(list(tmp_path.glob("old.sqlite.schema1.*.backup"))) == 1
