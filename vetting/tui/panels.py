"""The parts of the item screen: the aligned grid, findings, notes, protocol. Each explains itself under F1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.style import Style
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.geometry import Region
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Static

from bank import Finding
from vetting.review.display import visible
from vetting.review.grid import Line, layout, sentence_lines
from vetting.review.guide import Guide
from vetting.review.notes import Note, notes_of
from vetting.review.sheet import Row, Sheet
from vetting.tui.styles import SEVERITY_SHAPES, line_text, lines_text, palette

__all__ = ["FindingsPanel", "ItemGrid", "NotesPanel", "OriginPanel", "Panel", "ProtocolPanel", "TitleBar"]


_SAID_S = 4.0
_ONE_LINE = 110
"""Sentences nearly always fit into one line of this width, and into two of less."""


class TitleBar(Static):
    """The line at the top: where we are, or for a moment what has just been done."""

    _said: Text | None = None
    _fading: Timer | None = None
    _left = Text()
    _right = Text()

    def say(self, message: Text) -> None:
        """Show a message in place of where we are, until `hush` or for some seconds."""
        self._said = message
        self._draw()
        # The time of an earlier message must not end this one.
        if self._fading is not None:
            self._fading.stop()
        self._fading = self.set_timer(_SAID_S, self._fade)

    def hush(self) -> None:
        """Drop the message; the next `show` is seen."""
        self._said = None

    def _fade(self) -> None:
        self.hush()
        self._draw()

    def show(self, left: Text, right: Text) -> None:
        """What we look at on the left, who and how far on the right; the left gives way, a message never does."""
        self._left, self._right = left, right
        self._draw()

    def _draw(self) -> None:
        left, right = (self._said or self._left).copy(), self._right
        width = max(self.size.width, 20)
        if self._said is not None and left.cell_len + right.cell_len + 3 > width:
            right = Text()
        left.truncate(max(width - right.cell_len - 3, 10), overflow="ellipsis")
        gap = max(width - left.cell_len - right.cell_len - 2, 1)
        line = Text.assemble(" ", left, " " * gap, right, no_wrap=True, overflow="ellipsis")
        self.update(line, layout=False)


class Panel(VerticalScroll):
    """A scrolling part of the screen with one text in it."""

    help_title: ClassVar[str] = ""
    help_text: ClassVar[str] = ""
    can_focus = True

    def compose(self) -> ComposeResult:
        yield Static(classes="body")

    def put(self, text: Text) -> None:
        """Replace the text."""
        self.query_one(".body", Static).update(text)


class ItemGrid(Panel, inherit_bindings=False):
    """One row per condition, one column per region, and the selected sentence in full below."""

    help_title = "The item"
    help_text = (
        "One row per condition of the design, one column per region. ‹who› is the filler (or the complementizer in its"
        " place), __ an open gap, [soon] the critical region: where surprisal is measured. ok, ? and * say how a speaker"
        " is expected to judge the cell. A raised number points at a finding below; in the heading it is about the"
        " words of that column in every row.\n\n"
        "Where the sentences do not fit, condition labels shrink to their signs, the words that open every sentence"
        " alike are left out, and columns that never change are cut with …: the selected sentence stands below in"
        " full. z wraps all sentences instead.\n\n"
        "1 to 9, the arrows or the mouse select a sentence. Judge it with o (ok), ? or * and the next one is selected;"
        " = says that you judged as expected, ≠ that you did not."
    )

    @dataclass
    class RowClicked(Message):
        """A row was clicked."""

        number: int

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self.sheet: Sheet | None = None
        self.selected = 1
        self.whole = False
        self._lines: tuple[Line, ...] = ()
        self._width = 0

    def show(self, sheet: Sheet, selected: int, *, whole: bool) -> None:
        """Show an item with one of its rows selected."""
        self.sheet, self.selected, self.whole = sheet, selected, whole
        self._draw()

    def row(self) -> Row | None:
        """The selected row."""
        rows = self.sheet.rows if self.sheet is not None else ()
        return next((row for row in rows if row.number == self.selected), None)

    def on_resize(self) -> None:
        """Fit again, where there is more or less room to the side; height alone changes nothing."""
        if self.scrollable_content_region.width != self._width:
            self._draw()

    def _draw(self) -> None:
        sheet, row = self.sheet, self.row()
        width = self.scrollable_content_region.width
        if sheet is None or width < 10:
            return
        self._width = width
        styles = palette(self.app)
        grid = layout(sheet.rows, sheet.paradigm, sheet.findings, width=width, selected=self.selected, whole=self.whole)
        self._lines = grid.lines
        text = lines_text(grid.lines, styles, selected=self.selected)
        if row is not None and not self.whole:
            text.append("\n\n")
            below = sentence_lines(row, sheet.paradigm, sheet.findings, sheet.rows, width - 2)
            # As many lines for every sentence, so that the panels below neither jump nor are laid out twice.
            below += [Line(())] * (self._lines_below(sheet, width - 2) - len(below))
            for i, line in enumerate(below):
                text.append("  " if not i else "\n  ")
                text.append_text(line_text(line.segs, styles))
        self.put(text)
        lines = [y for y, line in enumerate(grid.lines) if line.row == self.selected]
        # Only where the rows do not all fit: it costs a second drawing of the screen.
        if lines and len(grid.lines) > self.scrollable_content_region.height:
            self.call_after_refresh(self._reveal, Region(0, lines[0], 1, len(lines)))

    def _lines_below(self, sheet: Sheet, width: int) -> int:
        usual = 1 if width >= _ONE_LINE else 2
        longest = max(
            sum(len(word) + 4 for word in (r.sentence.text if r.sentence else "").split()) for r in sheet.rows
        )
        if longest <= width * usual:
            return usual
        lines = (len(sentence_lines(r, sheet.paradigm, sheet.findings, sheet.rows, width)) for r in sheet.rows)
        return max(usual, *lines)

    def _reveal(self, region: Region) -> None:
        self.scroll_to_region(region, animate=False)

    def on_click(self, event: events.Click) -> None:
        """Select the row under the pointer."""
        y = event.screen_y - self.query_one(".body", Static).region.y
        if 0 <= y < len(self._lines) and (row := self._lines[y].row) is not None:
            self.post_message(self.RowClicked(row))


class FindingsPanel(Panel):
    """What the linter says, worst first, with the numbers that the grid points with."""

    help_title = "Findings"
    help_text = (
        "What the linter says of this item, worst first: ✗ error, ! warning, i info. The number is the raised number in"
        " the grid. An arrow gives the remedy. `gapsmith rule CODE` explains a rule with its literature.\n\n"
        "A finding is advice: you decide. Findings about the set as a whole are not shown here."
    )

    def show(self, sheet: Sheet) -> None:
        """List the findings of an item."""
        styles = palette(self.app)
        text = Text()
        for number, finding in enumerate(sheet.findings, start=1):
            text.append("\n" if number > 1 else "")
            _append_finding(text, number, finding, sheet, styles)
        if sheet.lint == "never":
            text = Text("Not linted yet: run `gapsmith lint`.", styles["note"])
        elif not sheet.findings:
            text.append("Nothing found.", styles["note"])
        if sheet.lint == "outdated":
            text.append("\nThe text was edited after this lint.", styles["warning"])
        self.border_title = f"Findings ({len(sheet.findings)})" if sheet.findings else "Findings"
        self.put(text)


def _append_finding(text: Text, number: int, finding: Finding, sheet: Sheet, styles: Mapping[str, Style]) -> None:
    severity = finding.severity.value
    text.append(f"{number} {SEVERITY_SHAPES[severity]} {visible(finding.code)} ", styles[severity])
    where = finding.place.condition
    if where is not None:
        known = sheet.paradigm.condition_by_name.get(where)
        text.append(f"{visible(known.label if known else where)}: ")
    text.append(visible(finding.message))
    if finding.remedy:
        text.append(f" → {visible(finding.remedy)}", styles["note"])


class NotesPanel(Panel):
    """Decisions, judgements, comments and edits."""

    help_title = "Notes"
    help_text = (
        "What was decided, judged, remarked and edited. Until you lock (L), you see your own only: the others' come"
        " after you have made up your mind. v looks earlier, and that is recorded.\n\n"
        "In an edit, [-words-] went and {+words+} came. Nothing is ever overwritten: backspace takes an edit back."
    )

    def show(self, sheet: Sheet, author: str, extra: Sequence[Note] = ()) -> None:
        """List the notes on an item."""
        styles = palette(self.app)
        text = Text()
        notes = [*extra, *notes_of(sheet, author)]
        for i, note in enumerate(notes):
            text.append("\n" if i else "")
            text.append_text(line_text(note.segs, styles))
        text.no_wrap = False
        self.border_title = "Notes"
        self.put(text)


class OriginPanel(Panel):
    """Where the item comes from; only on large screens, w shows it on any."""

    help_title = "Origin"
    help_text = (
        "The run, the paradigm, the parameters and the slots behind the item. w shows the raw reply and the prompt."
    )

    def show(self, lines: Sequence[Line]) -> None:
        """List the origin."""
        text = lines_text(lines, palette(self.app))
        text.no_wrap = False
        self.border_title = "Origin"
        self.put(text)


class ProtocolPanel(Panel):
    """The questions to ask of every item."""

    help_title = "Protocol"
    help_text = (
        "The questions to ask of every item before you accept it. t shows and hides them. Add your own in review.toml:"
        ' questions = ["…"].'
    )

    def show(self, guide: Guide) -> None:
        """List the questions."""
        styles = palette(self.app)
        text = Text()
        for number, question in enumerate(guide.questions, start=1):
            text.append("\n" if number > 1 else "")
            text.append(f"{number}. {visible(question.text)}", styles["selected"])
            if question.hint:
                text.append(f" {visible(question.hint)}", styles["note"])
        self.border_title = "Protocol"
        self.put(text)
