"""What the item screen and the queue have in common: deciding, undoing, searching, locking.

Database calls that touch a few items are made at once and have committed before the screen moves. What touches many
items, or reads many, runs in a thread with a connection of its own and comes back as a message."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from rich.text import Text
from textual import on, work
from textual.message import Message
from textual.screen import Screen
from textual.worker import get_current_worker

from bank import Bank, Verdict
from bank.review import QueueRow
from templates.errors import GapsmithError
from vetting.review.deck import Deck
from vetting.review.desk import Desk, Step
from vetting.review.display import visible
from vetting.review.filters import KEYS, Query, parse_query
from vetting.tui.dialogs import AskScreen, CommentScreen, ConfirmScreen, Reason, ReasonScreen
from vetting.tui.drafts import DraftPlace
from vetting.tui.panels import TitleBar
from vetting.tui.styles import palette

if TYPE_CHECKING:
    from vetting.tui.app import ReviewApp

__all__ = ["ReviewScreen"]

_MANY = 100
"""More items than this are worked on in a thread."""
_SAID = {Verdict.APPROVE: "accepted", Verdict.EXCLUDE: "excluded", Verdict.FLAG: "flagged"}
_FILTER_HINT = (
    f"Words are looked for as they stand in a sentence. Filters: {' '.join(f'{key}:' for key in KEYS)}\n"
    "For example  status:undecided severity:warning  ·  code:L3 word:amuse  ·  empty shows everything"
)


class ReviewScreen(Screen[None]):
    """A screen over the deck."""

    @dataclass
    class ManyDecided(Message):
        """A bulk decision has been committed."""

        item_ids: tuple[int, ...]
        said: str

    @dataclass
    class Stepped(Message):
        """An undo or redo has been committed."""

        step: Step | None
        name: str

    @dataclass
    class RowsRead(Message):
        """Rows for a query were read."""

        rows: list[QueueRow]
        query: Query
        order: str

    @dataclass
    class WorkFailed(Message):
        """Work in a thread ended with an error that the user can understand."""

        error: GapsmithError

    def __init__(self, deck: Deck) -> None:
        super().__init__()
        self.deck = deck

    @property
    def desk(self) -> Desk:
        """The annotator's desk."""
        return self.deck.desk

    @property
    def review(self) -> ReviewApp:
        """The application."""
        return cast("ReviewApp", self.app)

    def refresh_view(self) -> None:
        """Show the deck as it is now."""
        raise AssertionError("every review screen shows the deck in its own way")

    def advance(self) -> None:
        """Move on after a decision."""
        raise AssertionError("every review screen moves on in its own way")

    def action_do(self, name: str) -> None:
        """Run a command of the key map; errors we raise on purpose become a message."""
        command: Callable[[], None] = getattr(self, f"do_{name}")
        self.query_one(TitleBar).hush()
        try:
            command()
        except GapsmithError as error:
            self.say_error(error)
            self.reread()
        except sqlite3.Error as error:
            self.say_error(_unwritten(error))

    def say(self, message: str) -> None:
        """Tell something good, in the line at the top where it covers nothing."""
        self.query_one(TitleBar).say(Text(f"» {visible(message)}", palette(self.app)["title"]))

    def say_error(self, error: GapsmithError) -> None:
        """Tell what did not work and what to do."""
        text = f"{error.message}\n{error.hint}" if error.hint else error.message
        self.app.clear_notifications()
        self.app.notify(visible_lines(text), severity="warning", markup=False, timeout=8)

    def reread(self) -> None:
        """Read the current item's row again and show it."""
        if self.deck.current is not None:
            self.deck.update([self.deck.current.id])
        self.refresh_view()

    # Deciding

    def do_accept(self) -> None:
        """Accept the current item."""
        self._decide(Verdict.APPROVE)

    def do_flag(self) -> None:
        """Flag the current item."""
        self._decide(Verdict.FLAG)

    def do_exclude(self) -> None:
        """Ask for a reason, then exclude the current item."""
        row = self.deck.current
        if row is None:
            return
        place = DraftPlace(self.desk, row.id, "reason", row.revision_id)

        def answered(reason: Reason | None) -> None:
            if reason is not None:
                self.guarded(lambda: self._decide(Verdict.EXCLUDE, reason, row=row))

        self.app.push_screen(ReasonScreen(self.desk.guide.reasons, place, f"item {visible(row.label)}"), answered)

    def guarded(self, command: Callable[[], None]) -> None:
        """Run something; an error we raise on purpose becomes a message."""
        try:
            command()
        except GapsmithError as error:
            self.say_error(error)
            self.reread()
        except sqlite3.Error as error:
            self.say_error(_unwritten(error))

    def shown_revision(self, row: QueueRow) -> int:
        """The revision of the item that was on screen."""
        return row.revision_id

    def _decide(self, verdict: Verdict, reason: Reason | None = None, *, row: QueueRow | None = None) -> None:
        row = row or self.deck.current
        if row is None:
            return
        self.desk.decide(
            {row.id: self.shown_revision(row)},
            verdict,
            reason=reason.reason if reason is not None else None,
            comment=reason.comment if reason is not None else None,
        )
        if reason is not None:
            self.desk.bank.review.discard_drafts(self.desk.author, row.id, ["reason"])
        self.deck.update([row.id])
        self.advance()
        self.refresh_view()

    # Many at once

    def do_accept_all(self) -> None:
        """Accept all that is shown, after asking."""
        self._confirm_all(Verdict.APPROVE, "Accept", None)

    def do_flag_all(self) -> None:
        """Flag all that is shown, after asking."""
        self._confirm_all(Verdict.FLAG, "Flag", None)

    def do_exclude_all(self) -> None:
        """Ask for a reason, then exclude all that is shown, after asking."""
        row = self.deck.current
        if row is None:
            return
        place = DraftPlace(self.desk, row.id, "reason", row.revision_id)

        def answered(reason: Reason | None) -> None:
            if reason is not None:
                self._confirm_all(Verdict.EXCLUDE, "Exclude", reason)

        what = f"all {len(self.deck.rows):,} items shown"
        self.app.push_screen(ReasonScreen(self.desk.guide.reasons, place, what), answered)

    def _confirm_all(self, verdict: Verdict, verb: str, reason: Reason | None) -> None:
        rows = list(self.deck.rows)
        if not rows:
            return
        again = sum(not self.desk.undecided(row) for row in rows)
        shown = f"the filter “{visible(self.deck.query.text)}” shows" if self.deck.query.text else "there are"
        question = f"{verb} {len(rows):,} items? That is everything {shown}."
        if again:
            question += f" {again:,} of them are decided already and would be decided again."
        question += " One undo takes it all back."

        def answered(yes: bool | None) -> None:
            if yes:
                self.loading = True
                self._decide_many({row.id: row.revision_id for row in rows}, verdict, reason)

        self.app.push_screen(ConfirmScreen(question, f"{verb} {len(rows):,}"), answered)

    @work(thread=True, exclusive=True, group="write")
    def _decide_many(self, revisions: dict[int, int], verdict: Verdict, reason: Reason | None) -> None:
        def run(desk: Desk) -> Message:
            desk.decide(
                revisions,
                verdict,
                reason=reason.reason if reason is not None else None,
                comment=reason.comment if reason is not None else None,
            )
            return self.ManyDecided(tuple(revisions), f"{len(revisions):,} items {_SAID[verdict]}")

        self.in_thread(run)

    def in_thread(self, run: Callable[[Desk], Message | None]) -> None:
        """Inside a worker thread: run with a connection of its own and post what comes of it."""
        worker = get_current_worker()
        try:
            with Bank.open(self.desk.bank.path) as bank:
                message = run(self.desk.on_own_connection(bank))
        except GapsmithError as error:
            message = self.WorkFailed(error)
        if message is not None and not worker.is_cancelled:
            self.post_message(message)

    @on(ManyDecided)
    def _many_decided(self, event: ManyDecided) -> None:
        self.loading = False
        self.deck.update(event.item_ids)
        self.say(event.said)
        self.refresh_view()

    @on(WorkFailed)
    def _work_failed(self, event: WorkFailed) -> None:
        self.loading = False
        self.say_error(event.error)
        self.reread()

    # Undo and redo

    def do_undo(self) -> None:
        """Take back the newest action."""
        self._step("undo")

    def do_redo(self) -> None:
        """Do again what was taken back."""
        self._step("redo")

    def _step(self, name: str) -> None:
        if self.desk.next_step_size(name) > _MANY:
            self.loading = True
            self._step_many(name)
            return
        self._stepped(self.Stepped(self.desk.undo() if name == "undo" else self.desk.redo(), name))

    @work(thread=True, exclusive=True, group="write")
    def _step_many(self, name: str) -> None:
        self.in_thread(lambda desk: self.Stepped(desk.undo() if name == "undo" else desk.redo(), name))

    @on(Stepped)
    def _stepped(self, event: Stepped) -> None:
        self.loading = False
        if event.step is None:
            self.say(f"There is nothing to {event.name}.")
            return
        ids = event.step.item_ids
        self.deck.update(ids)
        if len(ids) == 1 and not self.deck.find(ids[0]):
            self.say(f"{event.step.message} (not in this queue)")
        else:
            self.say(event.step.message)
        self.refresh_view()
        self.review.relint(ids[:_MANY])

    # The queue

    def do_search(self) -> None:
        """Ask for a filter line."""

        def answered(line: str | None) -> None:
            if line is not None:
                self.guarded(lambda: self.narrow(line))

        self.app.push_screen(AskScreen("Show items with", self.deck.query.text, _FILTER_HINT), answered)

    def narrow(self, line: str) -> None:
        """Read the rows that fit a filter line. Raises `ConfigError` where it cannot be understood."""
        self.read_rows(parse_query(line), self.deck.order)

    @work(thread=True, exclusive=True, group="read")
    def read_rows(self, query: Query, order: str) -> None:
        """Read the rows of a query in a thread."""
        self.in_thread(lambda desk: self.RowsRead(desk.rows(query, order), query, order))

    @on(RowsRead)
    def _rows_read(self, event: RowsRead) -> None:
        if not event.rows and event.query.text:
            self.say(f"Nothing fits “{visible(event.query.text)}”; the queue stays as it was.")
            return
        self.deck.take(event.rows, event.query, event.order)
        self.desk.bank.review.set_habit(self.desk.author, "order", event.order)
        self.refresh_view()

    def do_next(self) -> None:
        """Go on by one item."""
        if not self.deck.move(1):
            self.say("This is the last item of the queue.")
        self.refresh_view()

    def do_previous(self) -> None:
        """Go back by one item."""
        self.deck.move(-1)
        self.refresh_view()

    def do_next_undecided(self) -> None:
        """Go to the next undecided item."""
        if not self.deck.next_undecided():
            self.say_all_decided()
        self.refresh_view()

    def say_all_decided(self) -> None:
        """Everything in the queue is decided."""
        more = " L locks them." if not self.desk.adjudicating else ""
        self.say(f"All {len(self.deck.rows):,} items here are decided.{more}")

    # Remarks, locks, help

    def do_comment(self) -> None:
        """Ask for a remark on the current item."""
        row = self.deck.current
        if row is None:
            return

        def answered(text: str | None) -> None:
            if text is not None:
                self.guarded(lambda: self._comment(row.id, text))
            else:
                self.refresh_view()

        place = DraftPlace(self.desk, row.id, "comment", row.revision_id)
        self.app.push_screen(CommentScreen(place, f"item {visible(row.label)}"), answered)

    def _comment(self, item_id: int, text: str) -> None:
        self.desk.comment(item_id, text)
        self.deck.update([item_id])
        self.refresh_view()

    def do_lock(self) -> None:
        """Lock, or unlock, after asking."""
        row = self.deck.current
        if row is None or self.desk.adjudicating:
            self.say("An adjudicator sees everything; there is nothing to lock.")
            return
        locked = self.desk.locked(row)
        waiting = sum(self.desk.undecided(one) for one in self.deck.rows)
        if locked:
            question = (
                "Unlock your decisions? You have seen what others say, so what you change now counts as not blind."
            )
        else:
            question = "Lock your decisions? You will see what others say, and change nothing any more."
            if waiting:
                question += f" {waiting:,} of the {len(self.deck.rows):,} items shown are still undecided."

        def answered(yes: bool | None) -> None:
            if yes:
                self.desk.lock(locked=not locked)
                self.say("Unlocked; that is on record." if locked else "Locked. v shows what others say, and scores.")
                self.refresh_view()

        self.app.push_screen(ConfirmScreen(question, "Unlock" if locked else "Lock"), answered)

    def do_annotators(self) -> None:
        """Show who is how far."""
        self.review.show_annotators()

    def do_help(self) -> None:
        """Explain the focused panel and the keys."""
        self.review.show_help()

    def do_quit(self) -> None:
        """Leave."""
        self.app.exit()


def _unwritten(error: sqlite3.Error) -> GapsmithError:
    return GapsmithError(
        f"the bank could not be read or written ({error}); what you just did is not recorded",
        hint="Is the disk full, or the file gone? What was recorded before is safe.",
    )


def visible_lines(text: str) -> str:
    """Visible text that keeps the line breaks that we put in ourselves."""
    return "\n".join(visible(line) for line in text.split("\n"))
