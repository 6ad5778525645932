"""Cards below each other, drawn line by line; knows which of them were painted as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from gapsmith.vetting.review.grid import Line
from gapsmith.vetting.tui.styles import palette


@dataclass(frozen=True, slots=True)
class Card:
    """One item on screen."""

    item_id: int
    position: int
    """Its place in the queue."""
    lines: tuple[Line, ...]


class CardList(Widget, can_focus=True):
    """Cards, of which one is the current one. A card that does not fit at the bottom is not drawn at all."""

    help_title: ClassVar[str] = "Triage"
    help_text: ClassVar[str] = (
        "One card per item: its sentences in one, with what varies in braces, as the table of the item has it. A card that"
        " has nothing but its number and its sentence is clean: linted without an error or a warning, and every sentence as"
        " its slots give it. The others say why they are not; a verdict key opens those, enter opens any.\n\n"
        "a, x and f decide on the card with the bar, once it has been on screen; a key held down stops at the next card."
        " At the bottom stand the last five things that you did: the undo key takes back the first of them, then the"
        " next. b decides at once on all items that share a finding or a word with this one, after a preview; that is"
        " one step, and one undo takes it back. It is on record that those were not looked at one by one."
    )

    @dataclass
    class Clicked(Message):
        """A card was clicked."""

        position: int

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._lines: list[tuple[Card, int]] = []
        self._current = 0
        self._drawn: dict[int, set[int]] = {}

    def show(self, cards: Sequence[Card], current: int) -> None:
        """Show cards with the one of an item in front."""
        self._lines = [(card, number) for card in cards for number in range(len(card.lines))]
        self._current = current
        self._drawn = {}
        self.refresh()

    def was_painted(self, item_id: int) -> bool:
        """Whether every line of a card was drawn since it is shown."""
        wanted = {number for card, number in self._lines if card.item_id == item_id}
        return bool(wanted) and wanted <= self._drawn.get(item_id, set())

    def render_line(self, y: int) -> Strip:
        """One line of the screen."""
        width, base = self.size.width, self.rich_style
        if y >= len(self._lines):
            return Strip.blank(width, base)
        card, number = self._lines[y]
        self._drawn.setdefault(card.item_id, set()).add(number)
        styles = palette(self.app)
        here = card.item_id == self._current
        segments = [Segment("▌" if here else " ", base + styles["cursor"])]
        for seg in card.lines[number].segs:
            style = base
            for mark in seg.marks:
                style += styles.get(mark, Style())
            segments.append(Segment(seg.text, style + styles["selected"] if here and not number else style))
        return Strip(segments).adjust_cell_length(width, base)

    def on_click(self, event: events.Click) -> None:
        """Go to the card under the pointer."""
        if 0 <= event.y < len(self._lines):
            self.post_message(self.Clicked(self._lines[event.y][0].position))
