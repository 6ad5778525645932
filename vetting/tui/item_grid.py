"""The item as a widget that draws its own lines, with a cursor on one sentence, and that knows which rows were painted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from gapsmith.vetting.review.grid import Line, first_in_sight, layout, sentence_lines
from gapsmith.vetting.review.item_view import ReviewedItem
from gapsmith.vetting.review.parse_rows import parse_rows
from gapsmith.vetting.review.parsing import ParseLine
from gapsmith.vetting.review.sentence_rows import SentenceRow
from gapsmith.vetting.tui.styles import palette

_ROOMY = 24
"""From so many lines on, a blank one may be spent on stillness."""
_ONE_LINE = 110
"""Sentences nearly always fit into one line of this width, and into two of less."""


class ItemGrid(ScrollView, can_focus=True, inherit_bindings=False):
    """What all sentences share, a table of what differs, and the selected sentence in full below."""

    help_title: ClassVar[str] = "The item"
    help_text: ClassVar[str] = (
        "At the top the words that all sentences share, with {names} in the place of what differs. Below, one row per"
        " condition of the design and one column for everything that differs. ‹who› is the filler (or the complementizer in"
        " its place), __ an open gap, [soon] the critical region: where surprisal is measured. ok, ? and * say how a"
        " speaker is expected to judge the sentence. A raised number points at a finding below; in the heading it is about"
        " the words of that column in every row.\n\n"
        "Where a sentence is not what the words of the slots give, [-words-] are missing and {+words+} are there instead;"
        " = writes the expected sentence. The selected sentence stands below in full, as it is; in adjudication on a small screen"
        " it stands at the top, in the place of the shared words. z wraps all sentences instead.\n\n"
        "1 to 9, the arrows or the mouse select a sentence. Judge it with o (ok), m (?) or * and the next one is selected;"
        " = before the judgement says that you judged as expected, ≠ that you did not."
    )

    cursor: reactive[int] = reactive(1, init=False)
    """The number of the selected row."""

    @dataclass
    class RowClicked(Message):
        """A row was clicked."""

        number: int

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.view: ReviewedItem | None = None
        self.whole = False
        self.below = True
        """Whether the selected sentence stands in full below the table; not where all do beside it."""
        self.above = False
        """Whether it stands in full above the table, in the place of the words that all sentences share: where there is no room for
        both."""
        self.aligned = True
        """Whether it is a table; else all sentences stand in it in full."""
        self.parse: tuple[ParseLine, ...] = ()
        """The parse of the selected sentence, where it is asked for and there."""
        self.painted: set[int] = set()
        """The rows of the view that were drawn since it is shown."""
        self._lines: tuple[Line, ...] = ()
        self._styles: dict[str, Style] | None = None
        self._base: Style | None = None
        self._width = 0
        self._height = 0
        self._drawn_cursor = 0
        """The row that was selected when lines were last looked through."""

    def show(self, view: ReviewedItem, cursor: int, *, whole: bool) -> None:
        """Show an item with one of its rows selected."""
        if self.view is None or self.view.item.id != view.item.id:
            # Before anything is drawn: rows further down must not count as painted in passing.
            self.scroll_to(0, 0, animate=False, force=True, immediate=True)
        self.view, self.whole = view, whole
        self.set_reactive(ItemGrid.cursor, cursor)
        self.painted = set()
        self.parse = ()
        self._lay_out()

    def watch_cursor(self) -> None:
        """Select another sentence."""
        self.parse = ()
        self._lay_out()

    def show_parse(self, words: tuple[ParseLine, ...]) -> None:
        """Show the parse of the selected sentence below it."""
        self.parse = words
        self._lay_out()

    def row(self) -> SentenceRow | None:
        """The selected row."""
        rows = self.view.rows if self.view is not None else ()
        return next((row for row in rows if row.number == self.cursor), None)

    def on_resize(self) -> None:
        """Fit again, where there is more or less room to the side; with more or fewer lines, the selected row stays in sight."""
        if self.scrollable_content_region.width != self._width:
            self._lay_out()
        else:
            self._reveal()

    def _lay_out(self) -> None:
        view, row = self.view, self.row()
        width = self.scrollable_content_region.width
        if view is None or width < 10:
            return
        self._width = width
        grid = layout(
            view.rows,
            view.paradigm,
            view.groups,
            expected=view.expected,
            width=width,
            selected=self.cursor,
            whole=self.whole,
        )
        lines = list(grid.lines)
        self.aligned = grid.aligned
        usual = 1 if width >= _ONE_LINE else 2
        if grid.aligned and grid.columns and self.app.size.height >= _ROOMY:
            # The table begins at the same place in every item.
            frame = next(i for i, line in enumerate(lines) if line.row is not None) - 1
            lines[frame:frame] = [Line(())] * (usual - frame)
        if row is not None and self.above and not self.parse and grid.aligned and grid.columns:
            frame = next(i for i, line in enumerate(lines) if line.row is not None) - 1
            above = [Line(line.segs) for line in sentence_lines(row, view.paradigm, view.groups, view.rows, width)]
            lines[:frame] = [*above, *([Line(())] * (usual - len(above)))]
        elif row is not None and not self.whole and (self.below or self.parse):
            below = sentence_lines(row, view.paradigm, view.groups, view.rows, width)
            # As many lines for every sentence, so that the panels below neither jump nor are laid out twice.
            lines += [Line(()), *(Line(line.segs) for line in below), *([Line(())] * (usual - len(below)))]
            lines += parse_rows(self.parse, width)
        before, self._lines = self._lines, tuple(lines)
        height = len(lines) + self.gutter.height
        if height != self._height:
            self._height = height
            self.styles.height = height
        self.virtual_size = Size(width, len(lines))
        self._draw_changed(before)
        self._reveal()

    def _draw_changed(self, before: tuple[Line, ...]) -> None:
        """Draw the lines that are not as they were, which is what a key costs most; all of them where none was painted yet, so that it
        is known of each row."""
        # The selected row is bold, and so differs without another word.
        bold = {self.cursor, self._drawn_cursor}
        self._drawn_cursor = self.cursor
        if not self.painted or len(before) != len(self._lines):
            self.refresh()
            return
        for number, (old, new) in enumerate(zip(before, self._lines, strict=True)):
            if old != new or new.row in bold:
                self.refresh_lines(number)

    def _reveal(self) -> None:
        """Have the selected row in sight. Where it then stands follows from the lines and the height alone, so that it does not
        matter through which heights the screen came to this one."""
        top = first_in_sight(self._lines, self.cursor, self.scrollable_content_region.height)
        if top is not None:
            self.scroll_to(y=top, animate=False, force=True, immediate=True)

    def render_line(self, y: int) -> Strip:
        """One line of the screen; the row it belongs to counts as painted."""
        number = y + round(self.scroll_y)
        width = self.size.width
        base = self._base = self._base or self.rich_style
        if number >= len(self._lines):
            return Strip.blank(width, base)
        line = self._lines[number]
        if line.row is not None:
            self.painted.add(line.row)
        styles = self._styles = self._styles or palette(self.app)
        selected = Style(bold=True) if line.row == self.cursor else Style()
        segments = []
        for seg in line.segs:
            style = base
            for mark in seg.marks:
                style += styles.get(mark, Style())
            segments.append(Segment(seg.text, style + selected))
        return Strip(segments).adjust_cell_length(width, base)

    def notify_style_update(self) -> None:
        """Take the colours of a new theme, or of the focus."""
        self._styles = self._base = None
        super().notify_style_update()

    def on_click(self, event: events.Click) -> None:
        """Select the row under the pointer."""
        offset = event.get_content_offset(self)
        if offset is None:
            return
        number = offset.y + round(self.scroll_y)
        if 0 <= number < len(self._lines) and (row := self._lines[number].row) is not None:
            self.post_message(self.RowClicked(row))
