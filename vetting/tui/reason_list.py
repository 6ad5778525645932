"""The reasons to choose from, one after the other in as few lines as they take: the screen behind keeps the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from gapsmith.vetting.review.display import broken, visible

DIGITS = "123456789abcdefghi"
"""What takes each reason of the list."""
_BETWEEN = 2
"""Columns between two reasons of a line."""
_UNDER = 3
"""A reason of several lines goes on below its first word."""


class ReasonList(ScrollView, can_focus=True, inherit_bindings=False):
    """Reasons with their digits, one of which is highlighted and any of which may be marked."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,right,j", "go(1)", show=False),
        Binding("up,left,k", "go(-1)", show=False),
    ]

    @dataclass
    class Chosen(Message):
        """A reason was clicked."""

        index: int

    def __init__(self, reasons: Sequence[str], *, id: str) -> None:
        super().__init__(id=id)
        self._reasons = [visible(reason) for reason in reasons]
        self._marked: frozenset[int] = frozenset()
        self._placed: list[list[tuple[int, int, str]]] = []
        """By line: which reasons, from which column on, and what stands there of each."""
        self.highlighted: int | None = 0

    def mark(self, marked: set[int]) -> None:
        """Show which ones are marked."""
        self._marked = frozenset(marked)
        self._placed = self._lines(self.scrollable_content_region.width)
        self.refresh()

    def highlight(self, index: int | None) -> None:
        """Go to a reason, or to none."""
        self.highlighted = index
        for line, placed in enumerate(self._placed):
            if any(one == index for one, _, _ in placed) and not 0 <= line - self.scroll_y < self.size.height:
                self.scroll_to(y=line if line < self.scroll_y else line - self.size.height + 1, animate=False)
        self.refresh()

    def action_go(self, by: int) -> None:
        """Highlight the next reason, or the one before."""
        at = -1 if self.highlighted is None else self.highlighted
        self.highlight((at + by) % len(self._reasons) if at + by >= -1 else len(self._reasons) - 1)

    def _text(self, index: int) -> str:
        digit = DIGITS[index] if index < len(DIGITS) else " "
        return f"{'●' if index in self._marked else ' '}{digit} {self._reasons[index]}"

    def _lines(self, width: int) -> list[list[tuple[int, int, str]]]:
        """As many in a line as fit; a reason that is wider than a line has as many lines as it takes."""
        lines: list[list[tuple[int, int, str]]] = []
        used = 0
        for index in range(len(self._reasons)):
            text = self._text(index)
            wide = cell_len(text)
            if not lines or used + _BETWEEN + wide > width:
                lines.append([])
                used = -_BETWEEN
            first, *rest = broken(text, max(width - _UNDER, 1), first=max(width, 1))
            lines[-1].append((index, used + _BETWEEN, first))
            used += _BETWEEN + wide
            # What comes after the last line of a long one begins a line of its own.
            lines += [[(index, _UNDER, line)] for line in rest]
        return lines

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002  # as Textual asks
        """As many lines as they take."""
        return len(self._lines(width - self.styles.scrollbar_size_vertical))

    def on_resize(self) -> None:
        """Place them anew."""
        width = self.scrollable_content_region.width
        self._placed = self._lines(width)
        self.virtual_size = Size(width, len(self._placed))
        self.highlight(self.highlighted)

    def render_line(self, y: int) -> Strip:
        """One line of the screen."""
        number, base, width = y + round(self.scroll_y), self.rich_style, self.size.width
        segments, used = [], 0
        for index, start, text in self._placed[number] if number < len(self._placed) else ():
            here = Style(bold=True, reverse=self.has_focus) if index == self.highlighted else Style()
            segments += [Segment(" " * (start - used), base), Segment(text, base + here)]
            used = start + cell_len(text)
        return Strip(segments).adjust_cell_length(width, base)

    def on_click(self, event: events.Click) -> None:
        """Take the reason under the pointer."""
        offset = event.get_content_offset(self)
        if offset is None:
            return
        number = offset.y + round(self.scroll_y)
        for index, start, text in self._placed[number] if 0 <= number < len(self._placed) else ():
            if start <= offset.x < start + cell_len(text):
                self.post_message(self.Chosen(index))
