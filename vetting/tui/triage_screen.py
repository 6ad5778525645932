"""Triage: one compact card per item, decided on one by one or by what they share, with the last steps in sight."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import ClassVar, cast

from rich.cells import cell_len
from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.timer import Timer
from textual.widgets import Static

from gapsmith.bank import QueueRow, ScreenRecord, Verdict
from gapsmith.vetting.review.card import card_lines, needs_table
from gapsmith.vetting.review.display import broken, visible
from gapsmith.vetting.review.grid import Line
from gapsmith.vetting.review.item_view import ReviewedItem
from gapsmith.vetting.review.notes import verdict_words
from gapsmith.vetting.review.region_text import Seg
from gapsmith.vetting.tui.bars import KeyBar, StatusLine, TitleBar
from gapsmith.vetting.tui.card_list import Card, CardList
from gapsmith.vetting.tui.frame import clock
from gapsmith.vetting.tui.keymap import bindings
from gapsmith.vetting.tui.review_screen import SAID, ReviewScreen
from gapsmith.vetting.tui.styles import palette

_RIBBON = 5
_STEPS_S = 0.1
_LEAST = 20
"""A verdict with its reasons is broken into lines no shorter than that."""
_CHANGED = "somebody else has changed it since you saw it"


@dataclass(frozen=True, slots=True)
class _Look:
    """Since when the current card has been on screen, in which text."""

    item_id: int
    revision_id: int
    since: float | None = None
    painted_at: str = ""


class TriageScreen(ReviewScreen):
    """The items of the queue as cards."""

    name_of_place = "triage"
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings("triage"),
        Binding("down", "next", show=False),
        Binding("up", "previous", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._top = 0
        self._views: dict[int, ReviewedItem] = {}
        """What was read for a card, by item."""
        self._texts: dict[int, int] = {}
        """The revision in which each card was first shown here, or taken note of by opening it."""
        self._look = _Look(0, 0)
        self._steps: tuple[str, ...] = ()
        self._reading: Timer | None = None

    def compose(self) -> ComposeResult:
        yield TitleBar(id="title")
        yield CardList(id="cards")
        yield Static(id="ribbon")
        yield StatusLine(id="status")
        yield KeyBar("triage")

    @property
    def cards(self) -> CardList:
        """The cards."""
        return self.query_one(CardList)

    def on_mount(self) -> None:
        """Show the cards."""
        self.set_focus(self.cards)

    def on_resize(self) -> None:
        """Fit again."""
        self.call_after_refresh(self.refresh_view)

    def on_screen_resume(self) -> None:
        """Another screen may have moved on; what was opened there was seen there."""
        self._views.clear()
        self._texts.clear()
        self._look = _Look(0, 0)
        self._top = self.queue.position
        self.refresh_view()
        self._read_steps()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """None greys out what cannot be done here and now."""
        row = self.queue.current
        if action in {"approve", "exclude", "flag", "open", "skip", "peek"} and row is None:
            return None
        if action in {"approve", "exclude", "flag"} and row is not None and self.session.locked(row):
            return None
        return super().check_action(action, parameters)

    # Showing

    def refresh_view(self, *, ours: bool = False) -> None:
        """Show the cards from the topmost one on, moving on where the current one is not among them."""
        if not self.is_mounted or self.cards.size.width < 10:
            return
        if ours:
            self._texts.clear()
        row, queue = self.queue.current, self.queue
        cards: list[Card] = []
        if row is not None:
            if not self._top <= queue.position < len(queue.rows):
                self._top = queue.position
            cards = self._cards_from(self._top)
            if all(card.item_id != row.id for card in cards):
                self._top = queue.position
                cards = self._cards_from(self._top)
            self._fill_up(cards)
            view = self._view(row)
            if (self._look.item_id, self._look.revision_id) != (row.id, view.item.revision_id):
                self._look = _Look(row.id, view.item.revision_id)
        self.cards.show(cards, row.id if row is not None else 0)
        self._show_title()
        self._show_ribbon()
        self.show_bars()

    def _cards_from(self, top: int) -> list[Card]:
        room, cards = self.cards.size.height, list[Card]()
        for position in range(top, len(self.queue.rows)):
            card = self._card(position)
            # The first one is shown as far as it goes: it says that it is to be opened.
            if cards and len(card.lines) > room:
                break
            cards.append(card)
            room -= len(card.lines)
        return cards

    def _fill_up(self, cards: list[Card]) -> None:
        """Put cards of before above the last ones of the queue, as far as there is room."""
        if self._top + len(cards) < len(self.queue.rows):
            return
        room = self.cards.size.height - sum(len(card.lines) for card in cards)
        while self._top > 0 and len((card := self._card(self._top - 1)).lines) <= room:
            cards.insert(0, card)
            room -= len(card.lines)
            self._top -= 1

    def _view(self, row: QueueRow) -> ReviewedItem:
        known = self._views.get(row.id)
        if known is None or not known.queue_row.says_the_same(row):
            known = self._views[row.id] = self.session.view(row.id)
        return known

    def _doubts(self, row: QueueRow, view: ReviewedItem) -> tuple[str, ...]:
        changed = self._texts.setdefault(row.id, view.item.revision_id) != view.item.revision_id
        found = ((_CHANGED,) if changed else ()) + needs_table(view)
        tall = len(card_lines(view, self.cards.size.width - 3)) + 2 > self.cards.size.height
        return found or (("it does not fit on a card here",) if tall else ())

    def _card(self, position: int) -> Card:
        row = self.queue.rows[position]
        view = self._view(row)
        width = self.cards.size.width - 3
        label = Seg(f"{visible(row.label):<5} ", ("label",))
        said, mark = (verdict_words(row.mine, row.my_reason), (SAID[row.mine],)) if row.mine is not None else ("·", ())
        source = f"  {visible(self.session.source(row))}" if self.queue.sources > 1 else ""
        # One's own reason is as long as one has made it.
        first, *rest = broken(said, width, first=max(width - cell_len(label.text) - cell_len(source), _LEAST))
        lines = [Line((label, Seg(first, mark), Seg(source, ("note",)))), *(Line((Seg("  "), Seg(part, mark))) for part in rest)]
        found = self._doubts(row, view)
        if found:
            more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
            text = f"! {found[0]}{more}"
            lines += [Line((Seg("  "), Seg(part, ("warning",)))) for part in broken(text, width)]
        lines += [Line((Seg("  "), *line.segs)) for line in card_lines(view, width)]
        return Card(row.id, position, (*lines, Line(())))

    def _show_title(self) -> None:
        queue, styles = self.queue, palette(self.app)
        left = Text.assemble(("triage ", styles["title"]))
        if queue.query.text:
            left.append(f"/{visible(queue.query.text)}  ", styles["warning"])
        left.append(self.source(), styles["note"])
        self.query_one(TitleBar).show(
            left,
            *self.state(),
            *self.counts(),
            Text(visible(self.session.author), styles["key"]),
        )

    def _show_ribbon(self) -> None:
        styles = palette(self.app)
        text = Text(f"{self.key_of('undo')} takes back ", styles["note"], no_wrap=True, overflow="ellipsis")
        if not self._steps:
            text = Text("Nothing done yet that could be taken back.", styles["note"])
        for i, step in enumerate(self._steps):
            text.append("  ‹ " if i else "", styles["note"])
            text.append(visible(step), styles["selected"] if not i else styles["key"])
        # The steps are read beside the screen, which may be on its way out when they come: then there is no ribbon any more.
        for ribbon in self.query("#ribbon").results(Static):
            ribbon.update(text, layout=False)

    def say(self, message: str) -> None:
        """Say what a key did; what it did may be a step to take back."""
        super().say(message)
        # Reading the steps goes through all that the annotator ever did: not for every key of somebody in a hurry.
        if self._reading is not None:
            self._reading.stop()
        self._reading = self.set_timer(_STEPS_S, self._read_steps)

    @work(group="ribbon")
    async def _read_steps(self) -> None:
        self._steps = await self.frame.writer.run(lambda session: session.recent(_RIBBON))
        if self.is_mounted:
            self._show_ribbon()

    def displayed(self) -> None:
        """The terminal has got what was drawn: from here on, keys are about the current card."""
        look = self._look
        if look.since is None and self.cards.was_painted(look.item_id):
            self._look = _Look(look.item_id, look.revision_id, clock(), datetime.now(UTC).isoformat(timespec="milliseconds"))

    @on(CardList.Clicked)
    def _clicked(self, event: CardList.Clicked) -> None:
        self.queue.go(event.position)
        self.frame.show_current()

    # Deciding

    async def action_approve(self) -> None:
        """Approve the item of the current card."""
        await self._verdict(Verdict.APPROVE, "approve")

    async def action_flag(self) -> None:
        """Flag the item of the current card."""
        await self._verdict(Verdict.FLAG, "flag")

    async def action_exclude(self) -> None:
        """Ask for a reason, then exclude the item of the current card."""
        await self._verdict(Verdict.EXCLUDE, "exclude")

    async def _verdict(self, verdict: Verdict, command: str) -> None:
        row = self.queue.current
        if row is None or not self.was_meant(self._look.since, row.label, self.key_of(command)):
            return
        view = self._view(row)
        found = self._doubts(row, view)
        if found:
            await self.action_open()
            cast("ReviewScreen", self.app.screen).say(f"Item {row.label} wants a look: {found[0]}")
            return
        press = self.frame.press
        seconds = (press.time if press is not None else clock()) - cast("float", self._look.since)
        seen = ScreenRecord(self._look.painted_at, seconds, (), len(view.rows), card=True)
        if verdict is Verdict.EXCLUDE:
            self.frame.flow(self._exclude(row, view, seen))
        else:
            await self.decide(row, view.item.revision_id, verdict, seen)

    async def _exclude(self, row: QueueRow, view: ReviewedItem, seen: ScreenRecord) -> None:
        reason = await self.ask_reason(row)
        if reason is not None:
            await self.decide(row, view.item.revision_id, Verdict.EXCLUDE, seen, reason)

    def failed(self) -> None:
        """Something was not recorded: what is pressed before that is painted is not meant as an answer to it."""
        self._look = _Look(0, 0)
        if self.queue.current is not None:
            self.queue.update([self.queue.current.id])
        self.refresh_view()

    def action_skip(self) -> None:
        """Go on without deciding."""
        self.action_next()

    async def action_open(self) -> None:
        """Open the item of the current card."""
        if self.queue.current is not None:
            await self.app.switch_screen("item")

    async def action_peek(self) -> None:
        """Open the item of the current card and show there what others say, and scores; before locking, ask and record it."""
        await self.action_open()
        await self.app.screen.run_action("peek")

    def action_queue(self) -> None:
        """Go to the queue."""
        self.app.switch_screen("queue")

    def action_back(self) -> None:
        """Go to the queue."""
        self.action_queue()
