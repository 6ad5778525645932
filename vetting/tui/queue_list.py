"""The queue as a list that draws only the items on screen, so that 10,000 items cost no more than 20. An item takes as many lines
as its sentence needs."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate, compress, count
from operator import is_not
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from gapsmith.vetting.review.display import shorten
from gapsmith.vetting.review.region_text import Seg
from gapsmith.vetting.tui.styles import palette

_STEPS = 8
"""In so many steps a bar goes from one cell to the next."""
_REVERSE, _NO_STYLE = Style(reverse=True), Style()


class QueueList(ScrollView, can_focus=True):
    """A cursor over lines that a function makes on demand."""

    help_title = "The queue"
    help_text = (
        "Every item in full: your decision (· undecided, ✓ approved, ✗ excluded, ⚑ flagged, ↻ the text was edited after"
        " you decided;"
        " p✓, after you have locked, is approved by a policy only), its id, the worst finding and how many there are, and the"
        " first sentence.\n\n"
        "/ narrows the queue: words as they stand in a sentence, and status: code: severity: word: by: run: item:, for"
        " example  status:undecided severity:warning code:L  or  word:amuse . s changes the order; the random one is"
        " your own and stays the same; the doubtful first says why: what the linter has found and, once you may know it, that"
        " people disagree. A verdict key opens the item, because a verdict"
        " is about what one has seen. A, X and F decide on all items that are shown, after saying how many; it is on record"
        " that they were not opened."
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "cursor(1)", show=False),
        Binding("up", "cursor(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("home", "edge(False)", show=False),
        Binding("end", "edge(True)", show=False),
    ]
    cursor: reactive[int] = reactive(0, repaint=False)

    @dataclass
    class Opened(Message):
        """A line was clicked that the cursor was on already."""

        position: int

    def __init__(
        self,
        make_lines: Callable[[int, int], Sequence[Sequence[Seg]]],
        moved: Callable[[int], None],
        *,
        id: str,
        height: Callable[[int, int], int],
    ) -> None:
        super().__init__(id=id)
        self._make_lines = make_lines
        """The lines of the item at a position, in so many columns."""
        self._height = height
        """How many lines it takes there."""
        self._moved = moved
        """Called at once, so that a second key of the same read is about the line that the first has gone to."""
        self._items: list[object] = []
        """What the lines are of, as it was measured last; something new of an item is another object."""
        self._heights: list[int] = []
        """How many lines each item takes."""
        self._tops: list[int] = [0]
        """The first line of every item, and the line after the last."""
        self._measured = 0
        """The width that these are for."""
        self._styles: dict[str, Style] | None = None
        self._base: Style | None = None
        self._drawn: dict[tuple[int, bool], tuple[Sequence[Sequence[Seg]], list[Strip]]] = {}
        """Items as they were drawn in this width, with what their lines were, by position and whether the cursor was there."""
        self._beside = Strip([])
        """What stands at the right of every line: the place of the bar, and the border."""
        self._empty: Strip | None = None
        """A line below the last item, as wide as we are; None until the style is known by which lines are drawn."""
        self._bar_at = 0.0
        """The line at which the bar stands: that of the list, or one so near that the bar looks the same."""

    @property
    def room(self) -> int:
        """The columns there are."""
        return self.scrollable_content_region.width or self.size.width

    @property
    def _count(self) -> int:
        return len(self._items)

    def show(self, items: Sequence[object], cursor: int) -> None:
        """Show these items, with the cursor on one of them. Only lines that are not as they were are drawn anew."""
        before = (self._measured, self._tops)
        self._measure(items)
        if before == (self._measured, self._tops):
            self._draw_changed()
        else:
            self._drawn.clear()
            self.refresh()
        self.cursor = min(max(cursor, 0), max(self._count - 1, 0))
        self._reveal()

    def _draw_changed(self) -> None:
        top = round(self.scroll_y)
        seen = range(self._at(top), min(self._at(top + self.size.height) + 1, self._count))
        drawn = self._drawn
        self._drawn = {key: drawn[key] for key in drawn if key[0] in seen}
        for position in seen:
            known = [drawn[key][0] for key in ((position, False), (position, True)) if key in drawn]
            lines = self._make_lines(position, self._measured)
            if not known or any(one != lines for one in known):
                self._drawn.pop((position, False), None)
                self._drawn.pop((position, True), None)
                self.refresh_lines(self._top(position), self._lines(position))

    def _measure(self, items: Sequence[object]) -> None:
        """Find out where each item stands. With ten thousand of them, those that are as they were are not asked again."""
        width, known = self.room, self._items
        if width != self._measured or len(items) != len(known):
            # Before there is any room, there is nothing to measure by.
            self._heights = [self._height(position, width) if width else 1 for position in range(len(items))]
        elif changed := list(compress(count(), map(is_not, items, known))):
            heights = [self._height(position, width) for position in changed]
            same = heights == [self._heights[position] for position in changed]
            for position, height in zip(changed, heights, strict=True):
                self._items[position], self._heights[position] = items[position], height
            if same:
                return
        else:
            return
        self._measured, self._items = width, list(items)
        self._tops = [0, *accumulate(self._heights)]
        self.virtual_size = Size(width, self._tops[-1])

    def on_resize(self) -> None:
        """Break lines anew where there is more or less room to the side; the item of the cursor stays in sight."""
        if self.room != self._measured:
            self._drawn.clear()
            self._measure(self._items)
            self.refresh()
        self._reveal()

    def _top(self, position: int) -> int:
        return self._tops[position]

    def _lines(self, position: int) -> int:
        return self._tops[position + 1] - self._tops[position]

    def _at(self, line: int) -> int:
        """The position of the item that has a line; the number of items below the last."""
        return bisect_right(self._tops, line) - 1

    def watch_cursor(self, old: int, new: int) -> None:
        """Draw the two items that changed."""
        if old != new:
            top = self.scroll_offset.y
            self._reveal()
            if self.scroll_offset.y == top:
                for position in (old, new):
                    if position < self._count:
                        self.refresh_lines(self._top(position), self._lines(position))
            else:
                self.refresh()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Scroll. Among thousands of lines the bar looks the same for many of them, and to draw it is as dear as the list."""
        if round(old_value) != round(new_value):
            self.refresh(self.size.region)
        room = max(self.max_scroll_y, 1)
        # A cell has eight steps.
        old_step, step = (int(_STEPS * self.size.height * line / room) for line in (self._bar_at, new_value))
        if self.show_vertical_scrollbar and (old_step != step or not new_value):
            self._bar_at = new_value
            self.vertical_scrollbar.position = new_value

    def _reveal(self) -> None:
        if self._count and self.is_mounted and self.size.height:
            region = Region(0, self._top(self.cursor), 1, self._lines(self.cursor))
            self.scroll_to_region(region, animate=False, force=True)

    def render_line(self, y: int) -> Strip:  # noqa: ARG002  # as Textual asks
        """A line with nothing on it, from which `render_lines` learns what stands beside every line."""
        return Strip.blank(self.size.width, self.rich_style)

    def render_lines(self, crop: Region) -> list[Strip]:
        """The lines of the screen. One that was drawn before is taken as it was, wherever it stands now: of a list that scrolls,
        only what comes is drawn. There is no border or padding but at the right."""
        whole = self.outer_size.width
        if self._empty is None or self._empty.cell_length != whole:
            self._drawn.clear()
            self._empty = super().render_lines(Region(0, 0, whole, 1))[0]
            self._beside = self._empty.crop(self.size.width, whole)
        lines = [self._line_at(y + round(self.scroll_y), self._empty) for y in crop.line_range]
        return lines if crop.column_span == (0, whole) else [line.crop(*crop.column_span) for line in lines]

    def _line_at(self, line: int, empty: Strip) -> Strip:
        position = self._at(line)
        base = self._base = self._base or self.rich_style
        if position >= self._count:
            return empty
        key = (position, position == self.cursor)
        if key not in self._drawn:
            lines = self._make_lines(position, self._measured)
            self._drawn[key] = (lines, self._draw(lines, base + _REVERSE if key[1] else base, plain=key[1]))
        return self._drawn[key][1][line - self._top(position)]

    def _draw(self, lines: Sequence[Sequence[Seg]], base: Style, *, plain: bool) -> list[Strip]:
        styles = self._styles = self._styles or palette(self.app)
        width, behind = self.size.width, self.background_colors[1]
        strips = []
        for line in lines:
            segments = []
            room = width
            for seg in line:
                text = shorten(seg.text, room)
                style = base
                for mark in () if plain else seg.marks:
                    style += styles.get(mark, _NO_STYLE)
                segments.append(Segment(text, style))
                room -= segments[-1].cell_length
            strip = Strip(segments).adjust_cell_length(width, base)
            for one in self.get_line_filters():
                strip = strip.apply_filter(one, behind)
            strips.append(Strip.join([strip, self._beside]))
        return strips

    def notify_style_update(self) -> None:
        """Take the colours of a new theme."""
        self._styles = self._base = self._empty = None
        super().notify_style_update()

    def _move(self, position: int) -> None:
        target = min(max(position, 0), max(self._count - 1, 0))
        if target != self.cursor:
            self.cursor = target
            self._moved(target)

    def action_cursor(self, by: int) -> None:
        """Move the cursor by lines."""
        self._move(self.cursor + by)

    def action_page(self, by: int) -> None:
        """Move the cursor by pages."""
        line = self._top(self.cursor) + by * max(self.size.height - 1, 1)
        target = self._at(max(line, 0))
        self._move(target if target != self.cursor else self.cursor + by)

    def action_edge(self, last: bool) -> None:
        """Move the cursor to the first or last line."""
        self._move(self._count - 1 if last else 0)

    def on_click(self, event: events.Click) -> None:
        """Move to a line; a click on the line of the cursor opens it."""
        position = self._at(event.y + round(self.scroll_y))
        if position >= self._count:
            return
        if position == self.cursor:
            self.post_message(self.Opened(position))
        else:
            self._move(position)
