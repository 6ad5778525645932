"""The queue: every item in a line."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Footer

from bank import Verdict
from vetting.review.cells import Seg
from vetting.review.display import fit, visible
from vetting.review.filters import ORDERS, Query
from vetting.review.notes import VERDICT_SHAPES
from vetting.tui.base import ReviewScreen
from vetting.tui.keymap import COMMANDS, bindings
from vetting.tui.panels import TitleBar
from vetting.tui.queue_list import QueueList
from vetting.tui.styles import palette

__all__ = ["QueueScreen"]

_SEVERITY = {-1: (" ", ""), 0: ("i", "info"), 1: ("!", "warning"), 2: ("✗", "error")}
_STANDING = {
    "pending": ("·", "note"),
    "approved": ("✓", "accepted"),
    "excluded": ("✗", "excluded"),
    "flagged": ("⚑", "flagged"),
    "disputed": ("≠", "warning"),
}
_MARKS = {Verdict.APPROVE: "accepted", Verdict.EXCLUDE: "excluded", Verdict.FLAG: "flagged"}


class QueueScreen(ReviewScreen):
    """All items."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("queue", {c.name: c.keys for c in COMMANDS})]

    def compose(self) -> ComposeResult:
        yield TitleBar(id="title")
        yield QueueList(self._line, id="queue")
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """Show the queue."""
        self.set_focus(self.query_one(QueueList))
        self.refresh_view()

    def on_resize(self) -> None:
        """Fit the title again."""
        self._show_title()

    def on_screen_resume(self) -> None:
        """The item screen may have moved on."""
        self.refresh_view()

    def refresh_view(self) -> None:
        """Show the deck."""
        if self.is_mounted:
            self.query_one(QueueList).show(len(self.deck.rows), self.deck.position)
            self._show_title()

    def _show_title(self) -> None:
        deck, styles = self.deck, palette(self.app)
        left = Text.assemble(("queue ", styles["title"]), (f"{ORDERS[deck.order]}  ", styles["note"]))
        if deck.query.text:
            left.append(f"/{visible(deck.query.text)}", styles["warning"])
        right = Text(f"{len(deck.rows):,} items · {deck.decided:,} decided · {visible(self.desk.author)}")
        if self.desk.adjudicating:
            right.append(" · ADJUDICATING", styles["warning"])
        self.query_one(TitleBar).show(left, right)

    def _line(self, position: int) -> tuple[Seg, ...]:
        row = self.deck.rows[position]
        by = " "
        if row.outdated:
            shape, mark = "↻", "warning"
        elif row.mine is not None and not self.desk.adjudicating:
            shape, mark = VERDICT_SHAPES[row.mine], _MARKS[row.mine]
        elif self.desk.by_policy(row):
            by, shape, mark = "p", _STANDING[self.desk.standing(row).value][0], "note"
        else:
            shape, mark = _STANDING[self.desk.standing(row).value]
        worst, worst_mark = _SEVERITY[row.worst]
        count = f"{worst}{row.findings}" if row.findings else ""
        reason = row.my_reason if not self.desk.adjudicating else row.reason
        place = f"{row.paradigm}/{row.dataset}" if self.deck.sets > 1 else ""
        said = f"({visible(reason)}) " if reason else ""
        return (
            Seg(f"{by}{shape} ", (mark,)),
            Seg(f"{fit(visible(row.label), 7)} ", ("label",)),
            Seg(f"{fit(visible(place), 24 if self.size.width >= 120 else 12)} " if place else "", ("note",)),
            Seg(f"{count:<4}", (worst_mark,)),
            Seg("“ " if row.commented else "  ", ("note",)),
            Seg(said, ("note",)),
            Seg(visible(row.text) or "— no sentence —"),
        )

    def advance(self) -> None:
        """Go to the next line."""
        self.deck.move(1)

    @on(QueueList.Moved)
    def _moved(self, event: QueueList.Moved) -> None:
        self.deck.go(event.position)
        self._show_title()

    @on(QueueList.Opened)
    def _opened(self) -> None:
        self.do_open()

    def do_open(self) -> None:
        """Open the item under the cursor."""
        if self.deck.current is not None:
            self.review.show_item()

    def do_back(self) -> None:
        """Clear the filter; without one, open the item."""
        if self.deck.query.text:
            self.read_rows(Query(), self.deck.order)
        else:
            self.do_open()

    def do_sort(self) -> None:
        """Take the next order."""
        names = list(ORDERS)
        order = names[(names.index(self.deck.order) + 1) % len(names)]
        self.read_rows(self.deck.query, order)
