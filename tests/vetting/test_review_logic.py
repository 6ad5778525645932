"""The review without a screen: filters, orders, queue, session, edits, guide."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gapsmith.bank import Bank, ItemStatus, LockedError, NewItem, StaleItemError, Verdict
from gapsmith.templates import Sentence, Source, load_paradigm
from gapsmith.templates.errors import ConfigError, ParadigmError
from gapsmith.vetting.review import (
    GUIDE,
    Query,
    Queue,
    Scope,
    Session,
    load_guide,
    parse_query,
    word_diff,
)

pytestmark = pytest.mark.fast


def decide(session: Session, item_id: int, verdict: Verdict, reason: str | None = None) -> None:
    """Decide on the text as it is now."""
    session.decide({item_id: session.row(item_id).revision_id}, verdict, reason=reason)


def test_a_filter_line_is_read_into_its_parts() -> None:
    query = parse_query('status:undecided,flagged code:l3 severity:warning word:amuse run:2 item:7 by:ann "the story"')
    assert query.statuses == ("pending", "flagged")
    assert query.codes == ("L3",)
    assert query.severity is not None
    assert query.severity.value == "warning"
    assert (query.words, query.run_id, query.labels, query.author) == (("amuse",), 2, ("7",), "ann")
    assert query.phrase == "the story"


def test_apostrophes_and_unclosed_quotes_are_words_not_errors() -> None:
    assert parse_query("John's talking").phrase == "John's talking"
    assert parse_query('"unclosed quote').phrase == "unclosed quote"


@pytest.mark.parametrize(
    ("line", "named"),
    [("stauts:undecided", "status"), ("status:maybe", "maybe"), ("severity:bad", "bad"), ("run:two", "two")],
)
def test_what_a_filter_cannot_mean_is_named(line: str, named: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_query(line)
    assert named in str(caught.value)


def test_each_filter_selects_what_it_says(session: Session) -> None:
    ids = [row.id for row in session.rows()]
    decide(session, ids[0], Verdict.APPROVE)
    decide(session, ids[1], Verdict.EXCLUDE, "implausible")
    verb = (session.bank.items.get(ids[4]).slots or {})["verb"]
    assert [r.id for r in session.rows(parse_query("status:approved"))] == [ids[0]]
    assert [r.id for r in session.rows(parse_query("status:excluded"))] == [ids[1]]
    assert [r.id for r in session.rows(parse_query("status:undecided"))] == ids[2:]
    assert [r.id for r in session.rows(parse_query("code:L3"))] == [ids[0], ids[5]]
    assert [r.id for r in session.rows(parse_query("severity:error status:undecided"))] == [ids[5]]
    assert [r.id for r in session.rows(parse_query(f"word:{verb}"))] == [ids[4]]
    assert session.rows(parse_query(f"word:{verb[:-1]}")) == []
    assert [r.id for r in session.rows(parse_query(verb[:-1]))] == [ids[4]]
    assert [r.id for r in session.rows(parse_query("by:ann"))] == ids[:2]
    assert len(session.rows(parse_query("run:1"))) == 10
    assert session.rows(parse_query("run:2")) == []


def test_random_order_belongs_to_annotator_and_seed_and_survives_new_items(make_bank: Callable[[int], Bank]) -> None:
    bank = make_bank(30)

    def order(author: str, seed: int) -> list[int]:
        return [row.id for row in Session(bank, author, seed=seed).rows(order="random")]

    assert order("ann", 0) == order("ann", 0)
    assert sorted(order("ann", 0)) == list(range(1, 31))
    assert len({tuple(order("ann", 0)), tuple(order("bo", 0)), tuple(order("ann", 1))}) == 3
    larger = [i for i in (row.id for row in Session(make_bank(40), "ann").rows(order="random")) if i <= 30]
    assert larger == order("ann", 0)


def test_other_orders(session: Session) -> None:
    ids = [row.id for row in session.rows()]
    decide(session, ids[0], Verdict.APPROVE)
    decide(session, ids[3], Verdict.FLAG)
    assert [r.id for r in session.rows(order="findings")][:2] == [ids[0], ids[5]]
    assert [r.id for r in session.rows(order="status")][-2:] == [ids[3], ids[0]]
    texts = [r.text.casefold() for r in session.rows(order="text")]
    assert texts == sorted(texts)
    with pytest.raises(ConfigError):
        session.rows(order="size")


def test_the_queue_keeps_decided_items_in_place_until_it_is_loaded_again(session: Session) -> None:
    queue = Queue(session, parse_query("status:undecided"))
    queue.load()
    first = queue.rows[0]
    decide(session, first.id, Verdict.APPROVE)
    queue.update([first.id])
    assert (queue.rows[0].id, queue.decided, len(queue.rows)) == (first.id, 1, 10)
    assert queue.next_undecided()
    assert queue.position == 1
    queue.load()
    assert (len(queue.rows), queue.decided, queue.position) == (9, 0, 0)


def test_next_undecided_comes_round_and_ends(session: Session) -> None:
    queue = Queue(session)
    queue.load()
    for row in queue.rows[1:]:
        decide(session, row.id, Verdict.APPROVE)
    queue.update([row.id for row in queue.rows])
    queue.go(5)
    assert queue.next_undecided()
    assert queue.position == 0
    decide(session, queue.rows[0].id, Verdict.APPROVE)
    queue.update([queue.rows[0].id])
    assert not queue.next_undecided()


def test_an_empty_queue_goes_nowhere(session: Session) -> None:
    queue = Queue(session, parse_query("word:nothinglikethis"))
    queue.load()
    assert queue.current is None
    assert not queue.move(1)
    assert not queue.next_undecided()


def test_nobody_decides_on_a_text_that_was_not_shown(session: Session) -> None:
    shown = session.row(1).revision_id
    other = Session(session.bank, "bo")
    view = other.view(1)
    other.save_slots(view, {**(view.item.slots or {}), "verb": "startle"})
    with pytest.raises(StaleItemError, match="changed meanwhile"):
        session.decide({1: shown, 2: session.row(2).revision_id}, Verdict.APPROVE)
    assert session.row(2).mine is None


def test_an_edit_realises_again_keeps_the_original_and_waits_for_a_new_decision(session: Session) -> None:
    decide(session, 1, Verdict.APPROVE)
    before = session.view(1)
    session.save_slots(before, {**(before.item.slots or {}), "verb": "startle"})
    after = session.view(1)
    assert all("startle" in s.text and s.regions is not None for s in after.item.sentences)
    assert after.queue_row.outdated
    assert session.standing(after.queue_row) is ItemStatus.PENDING
    assert after.revisions[0].sentences == before.item.sentences
    assert after.lint == "outdated"
    step = session.undo()
    assert step is not None
    assert "startle" in step.message
    assert session.view(1).item.sentences == before.item.sentences
    assert session.row(1).mine is Verdict.APPROVE
    session.redo()
    assert "startle" in session.view(1).item.sentences[0].text


def test_an_edit_of_slots_leaves_hand_written_sentences_alone(session: Session) -> None:
    view = session.view(1)
    session.save_sentence(view, view.rows[2], "Something else entirely.")
    view = session.view(1)
    assert view.unaligned == 1
    session.save_slots(view, {**(view.item.slots or {}), "verb": "startle"})
    texts = [s.text for s in session.view(1).item.sentences]
    assert texts[2] == "Something else entirely."
    assert all("startle" in text for i, text in enumerate(texts) if i != 2)


def test_two_windows_cannot_overwrite_each_others_edits(session: Session) -> None:
    mine, theirs = session.view(1), Session(session.bank, "bo").view(1)
    Session(session.bank, "bo").save_slots(theirs, {**(theirs.item.slots or {}), "verb": "startle"})
    with pytest.raises(StaleItemError, match="bo"):
        session.save_slots(mine, {**(mine.item.slots or {}), "verb": "amaze"})
    assert "startle" in session.view(1).item.sentences[0].text


@pytest.mark.parametrize("value", ["", "   "])
def test_an_empty_slot_is_refused(session: Session, value: str) -> None:
    view = session.view(1)
    with pytest.raises(ParadigmError):
        session.save_slots(view, {**(view.item.slots or {}), "verb": value})
    assert session.view(1).item.revision_number == 1


def test_a_missing_sentence_can_be_written_and_completes_the_item(bank: Bank) -> None:
    paradigm = load_paradigm("subject_pg")
    whole = bank.items.get(1)
    run = bank.runs.begin(kind="import", paradigm_id=whole.paradigm_id, provider="file", identity="x", parameters={})
    texts = tuple(Sentence(s.condition, s.text, None, Source.IMPORTED) for s in whole.sentences)
    (item_id,) = bank.items.add(whole.paradigm_id, [NewItem(None, texts[:-1], dataset="file")], run_id=run.id)
    session = Session(bank, "ann")
    view = session.view(item_id)
    assert [row.note for row in view.rows][-1] == "missing"
    assert view.unaligned == 7
    session.save_sentence(view, view.rows[-1], texts[-1].text)
    fixed = session.view(item_id)
    assert fixed.unaligned == 0
    assert fixed.item.slots is not None
    assert fixed.item.slots["verb"] == (whole.slots or {})["verb"]
    assert len(fixed.rows) == len(paradigm.conditions)


def test_word_diffs_say_what_went_and_what_came() -> None:
    pieces = word_diff("I know who the story is", "I know that the tale is new")
    assert [(p.op, p.text) for p in pieces] == [
        ("=", "I know"),
        ("-", "who"),
        ("+", "that"),
        ("=", "the"),
        ("-", "story"),
        ("+", "tale"),
        ("=", "is"),
        ("+", "new"),
    ]


def test_undo_and_redo_have_no_end_and_survive_a_restart(session: Session, bank: Bank) -> None:
    for item_id in range(1, 11):
        decide(session, item_id, Verdict.APPROVE)
    session.comment(3, "hm")
    view = session.view(4)
    session.judge(view, view.rows[0], "*")
    with Bank.open(bank.path) as again:
        later = Session(again, "ann")
        messages = []
        while (step := later.undo()) is not None:
            messages.append(step.message)
        assert len(messages) == 12
        assert all(row.mine is None and not row.commented for row in later.rows())
        while later.redo() is not None:
            pass
        assert all(row.mine is Verdict.APPROVE for row in later.rows())
        assert later.row(3).commented
        assert later.view(4).rows[0].judgement == "*"


def test_undo_touches_only_ones_own_actions(session: Session) -> None:
    decide(session, 1, Verdict.APPROVE)
    other = Session(session.bank, "bo")
    decide(other, 1, Verdict.FLAG)
    session.undo()
    assert other.row(1).mine is Verdict.FLAG
    assert session.undo() is None


def test_one_undo_takes_back_a_bulk_decision(session: Session) -> None:
    session.decide({row.id: row.revision_id for row in session.rows()}, Verdict.EXCLUDE, reason="duplicate")
    step = session.undo()
    assert step is not None
    assert "10 items" in step.message
    assert all(row.mine is None for row in session.rows())


def test_judgements_are_compared_with_what_is_expected(session: Session) -> None:
    view = session.view(1)
    session.judge(view, view.rows[0], "ok")
    session.judge(view, view.rows[1], "ok")
    rows = session.view(1).rows
    assert (rows[0].agrees, rows[1].agrees, rows[2].agrees) == (True, False, None)
    with pytest.raises(ConfigError):
        Session(session.bank, "  ")


def test_the_guide_of_a_workspace_adds_reasons_and_questions_after_the_standing_ones(tmp_path: Path) -> None:
    (tmp_path / "review.toml").write_text(
        'reasons = ["needs a context", "implausible"]\nquestions = ["Would you say it?"]', encoding="utf-8"
    )
    guide = load_guide(tmp_path)
    assert guide.reasons == (*GUIDE.reasons, "needs a context")
    assert guide.reasons.count("implausible") == 1
    assert guide.questions[-1].text == "Would you say it?"
    assert len(guide.questions) == 5
    assert load_guide(None).reasons[-1] == "other"


@pytest.mark.parametrize("text", ['reason = ["x"]', "reasons = 3", 'reasons = [""]', "reasons = ["])
def test_a_bad_guide_is_refused_with_its_file(tmp_path: Path, text: str) -> None:
    (tmp_path / "review.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=r"review\.toml"):
        load_guide(tmp_path)


def test_scopes_narrow_the_queue(bank: Bank) -> None:
    assert len(Session(bank, "ann", scope=Scope(paradigm="subject_pg")).rows()) == 10
    assert Session(bank, "ann", scope=Scope(paradigm="lan_pg")).rows() == []
    assert Session(bank, "ann", scope=Scope(dataset="other")).rows(Query()) == []


def test_locked_decisions_do_not_change_until_they_are_unlocked(session: Session) -> None:
    decide(session, 1, Verdict.APPROVE)
    session.lock()
    with pytest.raises(LockedError):
        decide(session, 2, Verdict.APPROVE)
    with pytest.raises(LockedError):
        session.undo()
    session.lock(locked=False)
    decide(session, 2, Verdict.APPROVE)
    assert [lock.locked for lock in session.bank.review.locks()] == [True, False]
