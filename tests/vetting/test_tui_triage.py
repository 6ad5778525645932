"""Triage: cards for clean items, decisions on what shares a word or a finding, and the last steps in sight."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from textual.app import App
from textual.pilot import Pilot

from gapsmith.bank import Bank, Finding, FindingPlace, ItemStatus, Look, Severity, Verdict
from gapsmith.templates import load_paradigm, realise
from gapsmith.vetting.review import Session, parse_query
from gapsmith.vetting.review.card import card_lines, needs_table
from gapsmith.vetting.review.groups import groups_of
from gapsmith.vetting.tui import ReviewApp
from gapsmith.vetting.tui.group_screen import GroupScreen
from gapsmith.vetting.tui.item_screen import ItemScreen
from gapsmith.vetting.tui.triage_screen import TriageScreen
from tests.parts import first_of
from tests.vetting.reviewing import press
from tests.vetting.test_tui_item import LARGE, SMALL, screen_text, text_of
from tests.vetting.test_tui_keys import post, settle


@pytest.fixture
def clean(make_bank: Callable[[int], Bank]) -> Session:
    """Twelve items without findings, but the fourth, which has an error."""
    bank = make_bank(12)
    error = Finding("L310", Severity.ERROR, "may lack its object", place=FindingPlace(slot="verb"))
    findings = {row.id: [error] if row.id == 4 else [] for row in Session(bank, "ann").rows()}
    bank.findings.replace("subject_pg", findings, ruleset="test")
    return Session(bank, "ann")


def mine(session: Session) -> dict[int, Verdict]:
    return {row.id: row.mine for row in session.rows() if row.mine is not None}


async def ribbon(pilot: Pilot[None]) -> str:
    """The line of the last steps, once it is up to date."""
    await pilot.pause(0.3)
    return next(line for line in screen_text(pilot.app) if "takes back" in line or "Nothing done yet" in line)


def test_a_card_has_every_word_of_every_sentence(clean: Session) -> None:
    view = clean.view(1)
    assert needs_table(view) == ()
    shown = " ".join(line.text for line in card_lines(view, 70))
    for row in view.rows:
        assert row.sentence is not None
        for word in row.sentence.text.rstrip(".").split():
            assert word.strip(",") in shown, word
    assert set("{|}_") <= set(shown)
    assert all(len(line.text) <= 30 for line in card_lines(view, 30))


def test_what_is_not_clean_says_why(clean: Session) -> None:
    assert needs_table(clean.view(4)) == ("L310: may lack its object",)
    unseen = Look((), (("L201", ("verb",)),), "no gap can be told")
    (said,) = needs_table(replace(clean.view(1), look=unseen))
    assert said == "rules on words looked at no words; 0 of 1 rules on words apply to it: no gap can be told"
    view = clean.view(5)
    clean.save_sentence(view, view.rows[2], "Something else altogether.")
    found = needs_table(clean.view(5))
    assert found[0] == "edited after the last lint"
    assert any("+F -G1 +G2" in one or "cannot be aligned" in one or "not what the slots give" in one for one in found[1:])


@pytest.mark.parametrize("size", first_of([SMALL, LARGE, (60, 20)]))
async def test_cards_are_decided_on_one_after_the_other(clean: Session, size: tuple[int, int]) -> None:
    app = ReviewApp(clean)
    async with app.run_test(size=size) as pilot:
        await press(pilot, "G")
        await settle(pilot)
        assert isinstance(app.screen, TriageScreen)
        assert sum("▌" in line and "·" in line for line in screen_text(app)) == 1
        assert "Nothing done yet" in await ribbon(pilot)
        await press(pilot, "a", "f", "x", "3")
        await settle(pilot)
        assert list(mine(clean).values()) == [Verdict.APPROVE, Verdict.FLAG, Verdict.EXCLUDE]
        assert (await ribbon(pilot)).split("takes back ")[1].startswith("3 ✗  ‹ 2 ⚑  ‹ 1 ✓")
        records = list(clean.bank.decisions.all())
        assert all(record.seen is not None and record.seen.card and record.seen.total == 8 for record in records)
        await press(pilot, "backspace")
        await settle(pilot)
        assert 3 not in mine(clean)
        assert (await ribbon(pilot)).split("takes back ")[1].startswith("2 ⚑  ‹ 1 ✓")


async def test_cards_fill_the_screen_also_at_the_end_of_the_queue(clean: Session) -> None:
    app = ReviewApp(clean)
    async with app.run_test(size=SMALL) as pilot:
        app.queue.go(11)
        await press(pilot, "G")
        await settle(pilot)
        assert isinstance(app.screen, TriageScreen)
        room = app.screen.cards.size.height
        cards = screen_text(app)[1 : room + 1]
        assert sum(bool(line.strip()) for line in cards) > room // 2
        (bar,) = [line for line in cards if "▌" in line and "·" in line]
        assert bar.split()[:2] == ["▌12", "·"]
        await press(pilot, "a")
        await settle(pilot)
        assert list(mine(clean)) == [12]


async def test_what_is_not_clean_is_opened_instead(clean: Session) -> None:
    app = ReviewApp(clean)
    async with app.run_test(size=LARGE) as pilot:
        await press(pilot, "G", "j", "j", "j")
        await settle(pilot)
        assert any("! L310: may lack its object" in line for line in screen_text(app))
        await press(pilot, "a")
        await settle(pilot)
        assert isinstance(app.screen, ItemScreen)
        assert "Item 4 wants a look: L310" in text_of(app)
        assert mine(clean) == {}


@pytest.mark.parametrize("gap_ms", [0, 1, 5, 20])
async def test_a_burst_decides_on_the_card_that_was_in_front_only(
    clean: Session, gap_ms: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # On a machine under load the gaps grow; they stay what they are meant to be, one burst.
    monkeypatch.setattr("gapsmith.vetting.tui.frame.REPEAT_S", 30.0)
    app = ReviewApp(clean)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "G")
        await settle(pilot)
        await post(app, "a" * 20, gap_ms)
        await settle(pilot)
        assert mine(clean) == {1: Verdict.APPROVE}
        shown = text_of(app)
        assert "a is held down: let go" in shown or "not on screen yet when a was pressed" in shown


async def test_steps_that_come_when_the_screen_is_gone_are_shown_to_nobody(clean: Session) -> None:
    app = ReviewApp(clean)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "G")
        await settle(pilot)
        left = app.screen
        assert isinstance(left, TriageScreen)
        await left.query("#ribbon").remove()  # as when the program ends
        left._show_ribbon()


async def test_verdicts_of_one_read_are_about_one_card(clean: Session) -> None:
    app = ReviewApp(clean)
    async with app.run_test(size=SMALL) as pilot:
        await settle(pilot)
        # It ends with another key than the next read begins with: that one would count as held down.
        await post(app, "Gfa")
        await settle(pilot)
        assert mine(clean) == {}, "no card was painted"
        await post(app, "faf")
        await settle(pilot)
        assert mine(clean) == {1: Verdict.FLAG}


async def test_a_text_that_somebody_changes_is_not_decided_on_as_a_card(clean: Session) -> None:
    app = ReviewApp(clean)
    async with app.run_test(size=LARGE) as pilot:
        await press(pilot, "G")
        await settle(pilot)
        with Bank.open(clean.bank.path) as other:
            bo = Session(other, "bo")
            view = bo.view(1)
            bo.save_slots(view, {**(view.item.slots or {}), "verb": "delight"})
            other.findings.replace("subject_pg", {1: []}, ruleset="test")
        app._read_changes()
        for _ in range(20):
            await pilot.pause(0.05)
        assert any("somebody else has changed it" in line for line in screen_text(app))
        await press(pilot, "a")
        await settle(pilot)
        assert mine(clean) == {}
        assert isinstance(app.screen, ItemScreen)
        await press(pilot, "a")
        await settle(pilot)
        assert mine(clean) == {1: Verdict.APPROVE}


async def test_a_lock_holds_for_cards_and_groups(clean: Session) -> None:
    clean.lock()
    app = ReviewApp(clean)
    async with app.run_test(size=LARGE) as pilot:
        await press(pilot, "G", "a")
        await settle(pilot)
        assert app.screen.check_action("approve", ()) is None
        assert "You have locked these decisions; L unlocks them" in text_of(app)
        await press(pilot, "b", "1")
        await settle(pilot)
        assert "You have locked these decisions; L unlocks them" in text_of(app)
        await press(pilot, "a")
        await settle(pilot)
        assert mine(clean) == {}


# Together


WORDS = """
    I know    story   Mary   is likely to   amuse    Anna   soon
    We see    story   Mary   is bound to    annoy    Ben    soon
    We see    story   Carl   is likely to   annoy    Ben    soon
    We see    story   Carl   is bound to    annoy    Ben    soon
    We see    story   Carl   is going to    annoy    Ben    soon
    We see    rumour  Mary   is going to    amuse    Ben    soon
    We see    rumour  Carl   will           amuse    Ben    soon
    We see    rumour  Carl   is bound to    amuse    Ben    soon
"""
"""Items whose words are shared by: *story* 1 to 5, *amuse* 1 and 6 to 8, *Mary* 1, 2 and 6, *likely* 1 and 3; *know* and *Anna* only 1
has, *soon* all have, and *the*, *about*, *is*, *to* and *I* are of the frame."""
STORY = ("“story”", [1, 2, 3, 4, 5])


@pytest.fixture
def grouped(make_bank: Callable[[int], Bank]) -> Session:
    """The items of `WORDS`, without findings."""
    bank = make_bank(8)
    paradigm = load_paradigm("subject_pg")
    for item_id, line in enumerate(WORDS.strip().splitlines(), start=1):
        matrix, noun, name1, linker, verb, name2, adverb = re.split("  +", line.strip())
        words = {"matrix": matrix, "determiner": "the", "noun": noun, "preposition": "about", "name1": name1}
        words |= {"linker": linker, "verb": verb, "name2": name2, "adverb": adverb}
        bank.items.revise(item_id, slots=words, sentences=realise(paradigm, words), author="maker")
    bank.findings.replace("subject_pg", dict.fromkeys(bank.items.ids(), ()), ruleset="test")
    return Session(bank, "ann")


def words_offered(session: Session) -> list[tuple[str, int]]:
    """What groups of the first item's words there are, with how many items each."""
    return [(group.title, len(group.rows)) for group in groups_of(session, 1, parse_query(""))]


def place_of(session: Session, title: str) -> str:
    return str([group.title for group in groups_of(session, 1, parse_query(""))].index(title) + 1)


def test_what_decides_most_comes_first_and_words_of_all_and_of_frames_are_not_offered(grouped: Session) -> None:
    assert words_offered(grouped) == [("“story”", 5), ("“amuse”", 4), ("“Mary”", 3), ("“likely”", 2)]
    grouped.decide({item_id: grouped.row(item_id).revision_id for item_id in (2, 3, 4)}, Verdict.APPROVE)
    # By how many wait: two with story are left, four with amuse; Mary has two left as well, of fewer.
    assert words_offered(grouped) == [("“amuse”", 4), ("“story”", 5), ("“Mary”", 3), ("“likely”", 2)]
    # Findings come before words, whatever they decide.
    warning = Finding("L501", Severity.WARNING, "a short name", place=FindingPlace(slot="name1"))
    grouped.bank.findings.replace("subject_pg", {1: [warning], 3: [warning]}, ruleset="test")
    assert words_offered(grouped)[:2] == [("L501", 2), ("“amuse”", 4)]


async def test_a_group_is_previewed_decided_once_and_taken_back_once(grouped: Session) -> None:
    clean, (title, ids) = grouped, STORY
    clean.decide({ids[-1]: clean.row(ids[-1]).revision_id}, Verdict.FLAG)
    clean.refresh()
    app = ReviewApp(clean)
    async with app.run_test(size=LARGE) as pilot:
        await press(pilot, "G", "b")
        await settle(pilot)
        assert f"{len(ids)} items with {title}, {len(ids) - 1} undecided" in text_of(app)
        await press(pilot, place_of(clean, title))
        await settle(pilot)
        assert isinstance(app.screen, GroupScreen)
        shown = text_of(app)
        assert f"Decide on {len(ids) - 1} items with {title}" in shown
        assert "1 more is decided already" in shown
        for item_id in ids[:-1]:
            assert clean.sentence_of(clean.row(item_id)) in shown
        await press(pilot, "a")
        await settle(pilot)
        assert {i: v for i, v in mine(clean).items() if v is Verdict.APPROVE} == dict.fromkeys(ids[:-1], Verdict.APPROVE)
        assert mine(clean)[ids[-1]] is Verdict.FLAG, "what was decided stays"
        assert f"4 items with {title} ✓" in await ribbon(pilot)
        group = [record for record in clean.bank.decisions.all() if record.verdict == "approve"]
        assert all(record.seen is None for record in group), "not looked at one by one"
        await press(pilot, "backspace")
        await settle(pilot)
        assert mine(clean) == {ids[-1]: Verdict.FLAG}
        assert f"Taken back: 4 items with {title} approved" in text_of(app)
        await press(pilot, "U")
        await settle(pilot)
        assert len(mine(clean)) == len(ids)


@pytest.mark.parametrize("gap_ms", [0, 1, 5])
async def test_no_group_is_decided_on_before_its_preview_was_on_screen(clean: Session, gap_ms: int) -> None:
    app = ReviewApp(clean)
    async with app.run_test(size=SMALL) as pilot:
        await press(pilot, "G")
        await settle(pilot)
        await post(app, "b1afa", gap_ms)
        if gap_ms == 0:
            await settle(pilot)
            assert mine(clean) == {}
            assert isinstance(app.screen, GroupScreen)
            assert "Look first" in text_of(app)
            await press(pilot, "f")
        await settle(pilot)
        decided = set(mine(clean).values())
        assert len(decided) <= 1, "one verdict for all"


@pytest.mark.full
@pytest.mark.parametrize("place", first_of(["item", "queue", "triage"]))
async def test_a_group_by_finding_asks_for_a_reason_and_can_be_left(clean: Session, place: str) -> None:
    warning = Finding("L501", Severity.WARNING, "a short name", place=FindingPlace(slot="name1"))
    clean.bank.findings.replace("subject_pg", {1: [warning], 2: [warning], 3: []}, ruleset="test")
    app = ReviewApp(clean)
    async with app.run_test(size=LARGE) as pilot:
        await press(pilot, *{"item": [], "queue": ["g"], "triage": ["G"]}[place], "b")
        await settle(pilot)
        assert "2 items with L501, 2 undecided" in text_of(app)
        await press(pilot, "1", "escape")
        await settle(pilot)
        assert mine(clean) == {}
        await press(pilot, "b", "1", "x", "escape")
        await settle(pilot)
        assert mine(clean) == {}
        await press(pilot, "b", "1", "x", "3")
        await settle(pilot)
        assert mine(clean) == dict.fromkeys((1, 2), Verdict.EXCLUDE)
        assert app.review_screen.name_of_place == place
        assert "2 items with L501 excluded unopened" in text_of(app)
        assert app.pace.decisions == 2
        await press(pilot, "backspace")
        await settle(pilot)
        assert app.pace.decisions == 0


async def test_a_group_says_nothing_of_what_others_decided(grouped: Session) -> None:
    clean, (title, ids) = grouped, STORY

    async def shown() -> str:
        app: App[None] = ReviewApp(clean)
        async with app.run_test(size=LARGE) as pilot:
            await press(pilot, "G", "b", place_of(clean, title))
            await settle(pilot)
            assert isinstance(app.screen, GroupScreen)
            return text_of(app)

    before = await shown()
    bo = Session(clean.bank, "bo")
    bo.decide({i: bo.row(i).revision_id for i in ids}, Verdict.EXCLUDE, reason="ambiguous")
    assert bo.bank.items.get(ids[0]).status is ItemStatus.EXCLUDED
    assert clean.bank.items.get(ids[0]).status is ItemStatus.PENDING, "which is what ann may know"
    assert await shown() == before


async def test_triage_is_not_for_adjudication(clean: Session) -> None:
    view = clean.view(2)
    clean.decide({2: view.item.revision_id}, Verdict.APPROVE)
    Session(clean.bank, "bo").decide({2: view.item.revision_id}, Verdict.EXCLUDE, reason="ambiguous")
    app = ReviewApp(Session(clean.bank, "cy", adjudicating=True), query=parse_query("status:disputed"))
    async with app.run_test(size=LARGE) as pilot:
        await press(pilot, "G", "b")
        assert isinstance(app.screen, ItemScreen)


async def test_where_all_that_share_something_is_decided_that_is_said_at_once(clean: Session) -> None:
    clean.decide({row.id: row.revision_id for row in clean.rows()}, Verdict.APPROVE)
    clean.refresh()
    app = ReviewApp(clean)
    async with app.run_test(size=LARGE) as pilot:
        await press(pilot, "b")
        await settle(pilot)
        assert isinstance(app.screen, ItemScreen)
        assert "All that share a finding or a word with item 1 are decided." in text_of(app)
