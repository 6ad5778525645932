"""What the item screen and the queue have in common: deciding, undoing, searching, locking.

Database calls that touch a few items are made at once and have committed before the screen moves. What touches many
items, or reads many, runs in a thread with a connection of its own and comes back as a message."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable
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

    async def action_do(self, name: str) -> None:
        """Run a command of the key map; errors we raise on purpose become a message."""
        command: Callable[[], Awaitable[None] | None] = getattr(self, f"do_{name}")
        self.query_one(TitleBar).hush()
        try:
            waiting = command()
            if waiting is not None:
                await waiting
        except (GapsmithError, sqlite3.Error) as error:
            self.say_failed(error)

    def say_failed(self, error: GapsmithError | sqlite3.Error) -> None:
        """Tell what did not work, and show the item as it is now."""
        if isinstance(error, GapsmithError):
            self.say_error(error)
            self.reread()
        else:
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
        self._decide_current(Verdict.APPROVE)

    def do_flag(self) -> None:
        """Flag the current item."""
        self._decide_current(Verdict.FLAG)

    def do_exclude(self) -> None:
        """Ask for a reason, then exclude the item that was current when the question was put."""
        row = self.deck.current
        if row is not None:
            self.review.flow(self._exclude(row, self.shown_revision(row)))

    async def _exclude(self, row: QueueRow, revision_id: int) -> None:
        place = DraftPlace(self.desk, row.id, "reason", revision_id)
        reason = await self.review.ask(ReasonScreen(self.desk.guide.reasons, place, f"item {visible(row.label)}"))
        if reason is not None:
            self._decide(row.id, revision_id, Verdict.EXCLUDE, reason)
        else:
            self.refresh_view()

    def guarded(self, command: Callable[[], None]) -> None:
        """Run something; an error we raise on purpose becomes a message."""
        try:
            command()
        except (GapsmithError, sqlite3.Error) as error:
            self.say_failed(error)

    def shown_revision(self, row: QueueRow) -> int:
        """The revision of the item that was on screen."""
        return row.revision_id

    def _decide_current(self, verdict: Verdict) -> None:
        row = self.deck.current
        if row is not None:
            self._decide(row.id, self.shown_revision(row), verdict)

    def _decide(self, item_id: int, revision_id: int, verdict: Verdict, reason: Reason | None = None) -> None:
        self.desk.decide(
            {item_id: revision_id},
            verdict,
            reason=reason.reason if reason is not None else None,
            comment=reason.comment if reason is not None else None,
        )
        if reason is not None:
            self.desk.bank.review.discard_drafts(self.desk.author, item_id, ["reason"])
        self.deck.update([item_id])
        self.advance()
        self.refresh_view()

    # Many at once

    def do_accept_all(self) -> None:
        """Accept all that is shown, after asking."""
        self.review.flow(self._decide_all(list(self.deck.rows), Verdict.APPROVE, "Accept"))

    def do_flag_all(self) -> None:
        """Flag all that is shown, after asking."""
        self.review.flow(self._decide_all(list(self.deck.rows), Verdict.FLAG, "Flag"))

    def do_exclude_all(self) -> None:
        """Ask for a reason, then exclude all that is shown, after asking."""
        self.review.flow(self._exclude_all(list(self.deck.rows)))

    async def _exclude_all(self, rows: list[QueueRow]) -> None:
        if not rows:
            return
        place = DraftPlace(self.desk, rows[0].id, "reason", rows[0].revision_id)
        reason = await self.review.ask(ReasonScreen(self.desk.guide.reasons, place, f"all {len(rows):,} items shown"))
        if reason is not None:
            await self._decide_all(rows, Verdict.EXCLUDE, "Exclude", reason)

    async def _decide_all(
        self, rows: list[QueueRow], verdict: Verdict, verb: str, reason: Reason | None = None
    ) -> None:
        if not rows:
            return
        again = sum(not self.desk.undecided(row) for row in rows)
        shown = f"the filter “{visible(self.deck.query.text)}” shows" if self.deck.query.text else "there are"
        question = f"{verb} {len(rows):,} items? That is everything {shown}."
        if again:
            question += f" {again:,} of them are decided already and would be decided again."
        question += " One undo takes it all back."
        if await self.review.ask(ConfirmScreen(question, f"{verb} {len(rows):,}")):
            self.loading = True
            self._decide_many({row.id: row.revision_id for row in rows}, verdict, reason)

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
        self.review.flow(self._search())

    async def _search(self) -> None:
        line = await self.review.ask(AskScreen("Show items with", self.deck.query.text, _FILTER_HINT))
        if line is not None:
            self.narrow(line)

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
        if row is not None:
            self.review.flow(self._ask_comment(row))

    async def _ask_comment(self, row: QueueRow) -> None:
        place = DraftPlace(self.desk, row.id, "comment", row.revision_id)
        text = await self.review.ask(CommentScreen(place, f"item {visible(row.label)}"))
        if text is not None:
            self._comment(row.id, text)
        else:
            self.refresh_view()

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

        self.review.flow(self._lock(question, locked=locked))

    async def _lock(self, question: str, *, locked: bool) -> None:
        if await self.review.ask(ConfirmScreen(question, "Unlock" if locked else "Lock")):
            self.desk.lock(locked=not locked)
            self.say("Unlocked; that is on record." if locked else "Locked. v shows what others say, and scores.")
            self.refresh_view()

    async def do_annotators(self) -> None:
        """Show who is how far."""
        await self.review.show_annotators()

    async def do_help(self) -> None:
        """Explain the focused panel and the keys."""
        await self.review.show_help()

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
