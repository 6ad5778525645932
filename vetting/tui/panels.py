"""The panels of the item screen: sentences, findings, parse, history and notes, origin, protocol. Each explains itself under F1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from gapsmith.bank import NOT_KEPT
from gapsmith.templates import count
from gapsmith.vetting.review.display import visible
from gapsmith.vetting.review.finding_groups import FindingGroup
from gapsmith.vetting.review.grid import Line, first_in_sight, layout
from gapsmith.vetting.review.guide import Guide
from gapsmith.vetting.review.item_view import ReviewedItem
from gapsmith.vetting.review.notes import Note, notes_of
from gapsmith.vetting.review.side_by_side import people_beside, side_by_side
from gapsmith.vetting.rules import in_short
from gapsmith.vetting.tui.styles import SEVERITY_SHAPES, line_text, lines_text, palette

_FEW_LINES = 24
_MANY_LINES = 40
"""From so many lines on there is room for all that the linter looked at."""
_UNDER_WAY = "Parsing …"
_LEAST = 20
"""A sentence wants so many columns."""


class Panel(ScrollView, can_focus=True):
    """A scrolling part of the screen with one text in it. Its height is the screen's to give, whatever the text: another item's
    text scrolls in the same place and lays nothing out anew, which is dear."""

    help_title: ClassVar[str] = ""
    help_text: ClassVar[str] = ""
    _text: Text = Text()
    _lines: Sequence[Text] = ()
    """The text as it is broken in `_width` columns."""
    _width = 0
    _base: Style | None = None

    def put(self, title: str, text: Text) -> None:
        """Replace heading and text."""
        if title != self.border_title:
            self.border_title = title
        if text != self._text:
            self._text = text
            self._break()

    def on_resize(self) -> None:
        """Break the text anew where there is more or less room to the side."""
        if self.scrollable_content_region.width != self._width:
            self._break()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002  # as Textual asks
        """Where the text decides on the height."""
        return len(self._broken(width - self.styles.scrollbar_size_vertical))

    def _broken(self, width: int) -> Sequence[Text]:
        return list(self._text.wrap(self.app.console, max(width, 1)))

    def _break(self) -> None:
        room = self.scrollable_content_region.width
        as_wide, self._width = room == self._width, room
        before, self._lines = self._lines, self._broken(self._width)
        # To set it in the usual way would lay out the screen.
        self.set_reactive(Panel.virtual_size, Size(self._width, len(self._lines)))
        self.vertical_scrollbar.window_virtual_size = len(self._lines)
        self.scroll_to(y=self.scroll_y, animate=False)
        if self.styles.is_auto_height and len(self._lines) != len(before):
            self.refresh(layout=True)
        elif as_wide:
            # To draw a line is what costs most, and of most texts few lines differ from what was there.
            for number in range(max(len(before), len(self._lines))):
                if before[number : number + 1] != self._lines[number : number + 1]:
                    self.refresh_lines(number)
        else:
            self.refresh()

    def notify_style_update(self) -> None:
        """Take the colours of a new theme, or of the focus."""
        self._base = None
        super().notify_style_update()

    def render_line(self, y: int) -> Strip:
        """One line of the screen."""
        number, width = y + round(self.scroll_y), self.size.width
        base = self._base = self._base or self.rich_style
        if number >= len(self._lines):
            return Strip.blank(width, base)
        line = self._lines[number]
        segments = [Segment(one.text, base + one.style if one.style else base) for one in line.render(self.app.console)]
        return Strip(segments).adjust_cell_length(width, base)


class FindingsPanel(Panel):
    """What the linter says, worst first, with the numbers that the grid points with."""

    help_title = "Findings"
    help_text = (
        "What the linter says of this item, worst first: ✗ error, ! warning, i info. The number is the raised number in"
        " the grid. An arrow gives the remedy. `gapsmith rule CODE` explains a rule with its literature."
        " In brackets stands, where there is room, how often the rule was right when it was measured blind."
        " Last stands what the rules on words looked at: where they could not look, nothing found says nothing.\n\n"
        "A finding is advice: you decide. Findings about the set as a whole are not shown here."
    )

    def show(self, view: ReviewedItem, *, brief: bool = False) -> None:
        """List the findings of an item; with `brief`, in the heading alone until it has the focus."""
        styles = palette(self.app)
        text = Text()
        for group in view.groups:
            text.append("\n" if text else "")
            _append_group(text, group, styles, in_short(group.code) if self.app.size.height >= _MANY_LINES else "")
        if view.lint == "never":
            text = Text("Not linted yet: run `gapsmith lint`.", styles["note"])
        elif not view.groups:
            text.append("Nothing found.", styles["note"])
        if view.lint == "outdated":
            text.append("\nThe text was edited after this lint.", styles["warning"])
        none = not view.groups and view.lint == "current"
        # Where lines are very few, or others' words want them, the heading alone says it.
        short = (none and self.app.size.height < _FEW_LINES) or brief
        self.set_class(short, "none")
        self.set_class(brief and bool(view.groups), "brief")
        seen = "no record of what was looked at" if view.look is None else view.look.short
        roomy = self.app.size.height >= _MANY_LINES
        if view.lint != "never" and roomy:
            text.append(f"\nRules on words {NOT_KEPT if view.look is None else view.look.told}.", styles["note"])
        if brief and view.groups:
            codes = ", ".join(f"{SEVERITY_SHAPES[group.severity.value]} {visible(group.code)}" for group in view.groups)
            self.put(f"Findings: {codes} (tab)", text)
        elif view.lint == "never":
            self.put("Findings: not linted" if brief else "Findings", text)
        else:
            number = str(len(view.groups)) if view.groups else "none"
            said = f"Findings: {number}" if short else f"Findings ({number})"
            self.put(said if roomy and not short else f"{said}; {seen}", text)


def _append_group(text: Text, group: FindingGroup, styles: Mapping[str, Style], measured: str) -> None:
    severity = group.severity.value
    text.append(f"{group.number} {SEVERITY_SHAPES[severity]} {visible(group.code)}", styles[severity])
    text.append(f", {group.where}: " if group.where else ": ")
    text.append(visible(group.message))
    word = visible(group.word)
    if word and word not in visible(group.message):
        text.append(" in ")
        text.append(word, styles["selected"])
    if measured:
        text.append(f" ({measured})", styles["note"])
    if group.remedy:
        text.append(f" → {visible(group.remedy)}", styles["note"])


class NotesPanel(Panel):
    """Decisions, judgements, comments and edits."""

    help_title = "History and notes"
    help_text = (
        "What was decided, judged, remarked and edited. Until you lock (L), you see your own only: the others' come"
        " after you have made up your mind. v looks earlier, and that is recorded.\n\n"
        "In an edit, [-words-] went and {+words+} came. Nothing is ever overwritten: backspace takes an edit back."
    )

    _shown: tuple[ReviewedItem, str, Sequence[Note], bool] | None = None

    def on_resize(self) -> None:
        """Fit the columns again."""
        super().on_resize()
        if self._shown is not None and self._shown[-1]:
            view, author, extra, beside = self._shown
            self.show(view, author, extra, beside=beside)

    def show(self, view: ReviewedItem, author: str, extra: Sequence[Note] = (), *, beside: bool = False) -> None:
        """List the notes on an item; with `beside`, what everybody says in columns first."""
        self._shown = (view, author, extra, beside)
        room, high = self.scrollable_content_region.width, self.scrollable_content_region.height
        table = side_by_side(view, max(room, 40)) if beside else []
        told = people_beside(view) if beside else []
        # Sentences in full where all that is on record is in sight then.
        for whole in (True, False):
            notes = [*extra, *notes_of(view, author, beside=told, whole=whole)]
            text = self._as_text(table, notes)
            if len(text.wrap(self.app.console, max(room, 1))) <= high:
                break
        said = len(view.decisions) + len(view.comments) + len(view.edits) + (1 if view.judgements else 0)
        state = [str(said)] if said else []
        state += ["blind"] if view.blind else []
        self.put(f"History and notes ({', '.join(state)})" if state else "History and notes", text)

    def _as_text(self, table: Sequence[Line], notes: Sequence[Note]) -> Text:
        styles = palette(self.app)
        said = [*(line.segs for line in table), *(note.segs for note in notes)]
        text = Text("\n").join(line_text(segs, styles) for segs in said)
        text.no_wrap = False
        return text


class SentencesPanel(Panel):
    """All sentences in full; only on large screens, z shows them on any."""

    help_title = "Sentences"
    help_text = "Every sentence in full as it stands, the selected one in bold. z shows the same in the place of the table."

    _shown: tuple[ReviewedItem, int] | None = None
    _said: Sequence[Text] = ()

    def on_resize(self) -> None:
        """Fit again."""
        super().on_resize()
        if self._shown is not None:
            self.show(*self._shown)

    def _broken(self, width: int) -> Sequence[Text]:  # noqa: ARG002  # they are laid out for the width there is
        return self._said

    def show(self, view: ReviewedItem, selected: int) -> None:
        """List the sentences of an item, one of them selected."""
        self._shown = (view, selected)
        width = self.scrollable_content_region.width
        if width < _LEAST:
            # It has no room yet; it comes with a resize.
            return
        lines = layout(
            view.rows, view.paradigm, view.groups, expected=view.expected, width=width, selected=selected, whole=True
        ).lines
        styles = palette(self.app)
        self._said = [lines_text([line], styles, selected=selected) for line in lines]
        title = f"Sentences ({len(view.rows)})"
        if title != self.border_title:
            self.border_title = title
        if self._said != self._lines:
            self._break()
        top = first_in_sight(lines, selected, self.scrollable_content_region.height)
        if top is not None:
            self.scroll_to(y=top, animate=False, force=True, immediate=True)


class ParsePanel(Panel):
    """The parse of the selected sentence; only on large screens, p shows it on any."""

    help_title = "Parse"
    help_text = (
        "The parse of the selected sentence as a tree in reading order: each word, its tag, what it is to its head. What the design"
        " does not have so is marked. p shows it in a window, P below the sentence."
    )

    def outdate(self) -> None:
        """Say that what stands here is about the sentence before, or that nothing does yet, until `show` has another one."""
        if self._text.plain not in ("", _UNDER_WAY):
            self.border_title = "Parse of the sentence before"
        else:
            self.put("Parse", Text(_UNDER_WAY, palette(self.app)["note"]))

    def show(self, text: Text, number: int | None = None) -> None:
        """Show the parse of the sentence with that number, or why there is none."""
        self.put("Parse" if number is None else f"Parse of sentence {number}", text)


class OriginPanel(Panel):
    """Where the item comes from; only on large screens, w shows it on any."""

    help_title = "Origin"
    help_text = "The run, the paradigm, the parameters and the slots behind the item. w shows the raw reply and the prompt."

    def show(self, lines: Sequence[Line], where: str) -> None:
        """List the origin, which is called something in a word or two."""
        text = lines_text(lines, palette(self.app))
        text.no_wrap = False
        self.put(f"Origin ({where})", text)


class ProtocolPanel(Panel):
    """The questions to ask of every item."""

    help_title = "Protocol"
    help_text = (
        "The questions to ask of every item before you approve it. t shows and hides them. Add your own in review.toml:"
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
        self.put(f"Protocol ({count(len(guide.questions), 'question')})", text)
