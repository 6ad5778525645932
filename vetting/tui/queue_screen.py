"""The queue: every item in a line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, cast

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType

from gapsmith.bank import QueueRow
from gapsmith.vetting.review.display import broken, shorten, visible
from gapsmith.vetting.review.filters import ORDERS, Query
from gapsmith.vetting.review.region_text import Seg
from gapsmith.vetting.tui.bars import KeyBar, StatusLine, TitleBar
from gapsmith.vetting.tui.keymap import bindings
from gapsmith.vetting.tui.queue_lines import fixed_part, fixed_width, pieces, remark
from gapsmith.vetting.tui.queue_list import QueueList
from gapsmith.vetting.tui.review_screen import ReviewScreen
from gapsmith.vetting.tui.styles import palette

_LEAST_FILTER = 8
"""So many characters of the filter are always shown."""
_LEAST = 20
"""A sentence is broken into lines no shorter than that."""


class QueueScreen(ReviewScreen):
    """All items."""

    name_of_place = "queue"
    counts_place = False
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("queue")]

    def compose(self) -> ComposeResult:
        yield TitleBar(id="title")
        yield QueueList(self._line, self._moved, id="queue", height=self._height)
        yield StatusLine(id="status")
        yield KeyBar("queue", adjudicating=self.session.adjudicating)

    def on_mount(self) -> None:
        """Show the queue."""
        self.set_focus(self.query_one(QueueList))
        self.refresh_view()

    def on_resize(self) -> None:
        """Fit again."""
        self.refresh_view()

    def on_screen_resume(self) -> None:
        """The item screen may have moved on."""
        self.refresh_view()

    def refresh_view(self, *, ours: bool = False) -> None:  # noqa: ARG002  # lines are one screenful; nothing to announce
        """Show the queue."""
        if self.is_mounted:
            self.query_one(QueueList).show(self.queue.rows, self.queue.position)
            self._show_title()
            self.show_bars()

    def _show_title(self) -> None:
        queue, styles = self.queue, palette(self.app)
        name = Text("queue ", styles["title"])
        left = Text.assemble(name, (f"{self.session.words_of(queue.order)}  ", styles["note"]))
        if queue.doubtless:
            left.append("(nothing is doubtful)  ", styles["warning"])
        right = [*self.state(), *self.counts(), Text(visible(self.session.author), styles["key"])]
        line, source = visible(queue.query.text), self.source()
        # Where all comes from, then a long filter, then who decides give way, so that nothing is cut beside empty space.
        room = TitleBar.room(self.app.size.width, left, right)
        if queue.order == "came" and 1 + len(line) > room:
            # The order that it has anyway says least.
            left = name
            room = TitleBar.room(self.app.size.width, left, right)
        while len(right) > 1 and 1 + min(len(line), _LEAST_FILTER) > room:
            right.pop()
            room = TitleBar.room(self.app.size.width, left, right)
        if line:
            source = f"  {source}" if source and 3 + len(line) + len(source) <= room else ""
            left.append(f"/{shorten(line, max(room - 1, _LEAST_FILTER))}", styles["warning"])
        left.append(source, styles["note"])
        self.query_one(TitleBar).show(left, *right)

    def _line(self, position: int, width: int) -> list[Sequence[Seg]]:
        queue = self.queue
        row = queue.rows[position]
        lines = pieces(remark(self.session, queue, row), self._broken(row, width))
        first = (*fixed_part(self.session, queue, row, width), *lines[0])
        return [first, *((Seg(" " * fixed_width(queue, width)), *line) for line in lines[1:])]

    def _height(self, position: int, width: int) -> int:
        return len(self._broken(self.queue.rows[position], width))

    def _broken(self, row: QueueRow, width: int) -> tuple[str, ...]:
        said = remark(self.session, self.queue, row) + self.session.sentence_of(row)
        return broken(said, max(width - fixed_width(self.queue, width), _LEAST))

    def _moved(self, position: int) -> None:
        self.queue.go(position)
        self.query_one(StatusLine).hush()
        self._show_title()

    def action_next(self) -> None:
        """Go on by one line."""
        self._step_by(1, super().action_next)

    def action_previous(self) -> None:
        """Go back by one line."""
        self._step_by(-1, super().action_previous)

    def _step_by(self, by: int, at_the_end: Callable[[], None]) -> None:
        # Two lines are drawn anew instead of all.
        if 0 <= self.queue.position + by < len(self.queue.rows):
            self.query_one(QueueList).action_cursor(by)
        else:
            at_the_end()

    @on(QueueList.Opened)
    async def _opened(self) -> None:
        await self.action_open()

    async def action_open(self) -> None:
        """Open the item under the cursor."""
        if self.queue.current is not None:
            await self.app.switch_screen("item")

    async def action_look_first(self) -> None:
        """A verdict is about an item that one has seen: its key opens the item."""
        row = self.queue.current
        if row is not None:
            await self.action_open()
            cast("ReviewScreen", self.app.screen).say(f"Item {row.label}: look at it, then decide.")

    def action_back(self) -> None:
        """Clear the filter; who adjudicates goes back to what the adjudication began with."""
        wanted = self.queue.begun_with if self.session.adjudicating else Query()
        if self.queue.query.text != wanted.text:
            self.frame.flow(self.read_rows(wanted, self.queue.order))

    def action_sort(self) -> None:
        """Take the next order."""
        names = list(ORDERS)
        order = names[(names.index(self.queue.order) + 1) % len(names)]
        self.frame.flow(self.read_rows(self.queue.query, order))
