"""Small questions in front of a screen. Each only hands back an answer; whoever asked acts on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Label, OptionList, Static
from textual.widgets.option_list import Option

from vetting.review.display import visible
from vetting.review.guide import OTHER
from vetting.tui.drafts import DraftArea, DraftInput, DraftPlace, SafeInput

__all__ = ["AskScreen", "CommentScreen", "ConfirmScreen", "Reason", "ReasonScreen", "TextScreen"]


@dataclass(frozen=True, slots=True)
class Reason:
    """Why an item is excluded, with a remark where one was typed."""

    reason: str
    comment: str | None = None


class ConfirmScreen(ModalScreen[bool]):
    """Yes or no. Enter does not say yes by accident: the focus starts on no."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "yes"),
        Binding("n,escape", "answer(False)", "no"),
        Binding("left,right", "app.focus_next", show=False),
    ]

    def __init__(self, question: str, yes: str = "Yes") -> None:
        super().__init__()
        self._question = question
        self._yes = yes

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Label(Text(self._question), classes="question")
            with Horizontal(classes="buttons"):
                yield Button(Text(f"{self._yes} (y)"), id="yes", compact=True)
                yield Button(Text("No (n)"), id="no", compact=True)

    def on_mount(self) -> None:
        """Start on no."""
        self.query_one("#no").focus()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id == "yes")

    def action_answer(self, answer: bool) -> None:
        """Hand back the answer."""
        self.dismiss(answer)


class ReasonScreen(ModalScreen[Reason | None]):
    """The reasons for exclusion: a digit takes one at once; tab goes to a remark."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "cancel", "cancel"),
        Binding("j", "cursor(1)", show=False),
        Binding("k", "cursor(-1)", show=False),
    ]

    def __init__(self, reasons: Sequence[str], place: DraftPlace, what: str) -> None:
        super().__init__()
        self._reasons = list(reasons)
        self._place = place
        self._what = what

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Label(Text(f"Why exclude {self._what}?"), classes="question")
            options = [Option(Text(f"{_digit(i)}  {visible(r)}"), id=str(i)) for i, r in enumerate(self._reasons)]
            yield OptionList(*options, id="reasons", compact=True)
            yield DraftInput(self._place, placeholder="in your own words (needed for “other”)", id="words")
            yield Label(Text("digit or ⏎ takes a reason · tab: words of your own · esc: back"), classes="hint")

    def on_mount(self) -> None:
        """Start on the list."""
        self.query_one(OptionList).focus()

    def on_key(self, event: events.Key) -> None:
        """A digit takes a reason, unless it is typed into the remark."""
        if self.focused is self.query_one("#words") or event.character is None:
            return
        digits = [_digit(i) for i in range(len(self._reasons))]
        if event.character.strip() and event.character in digits:
            event.stop()
            self._take(digits.index(event.character))

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        self._take(event.option_index)

    @on(Input.Submitted)
    def _submitted(self) -> None:
        highlighted = self.query_one(OptionList).highlighted
        other = len(self._reasons) - 1
        self._take(highlighted if highlighted is not None else other)

    def _take(self, index: int) -> None:
        words = self.query_one("#words", DraftInput)
        comment = words.value.strip() or None
        if self._reasons[index] == OTHER and comment is None:
            self.query_one(OptionList).highlighted = index
            words.focus()
            return
        words.flush()
        self.dismiss(Reason(self._reasons[index], comment))

    def action_cursor(self, by: int) -> None:
        """Move in the list."""
        options = self.query_one(OptionList)
        if by > 0:
            options.action_cursor_down()
        else:
            options.action_cursor_up()

    def action_cancel(self) -> None:
        """Back without excluding; what was typed stays as a draft."""
        self.query_one("#words", DraftInput).flush()
        self.dismiss(None)


def _digit(index: int) -> str:
    return str(index + 1) if index < 9 else chr(ord("a") + index - 9) if index < 9 + 9 else " "


class CommentScreen(ModalScreen[str | None]):
    """A remark. Enter would be a new line, so ctrl+s or the button saves."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "save", "save", priority=True),
        Binding("escape", "cancel", "cancel"),
    ]

    def __init__(self, place: DraftPlace, what: str) -> None:
        super().__init__()
        self._place = place
        self._what = what

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Label(Text(f"A remark on {self._what}"), classes="question")
            yield DraftArea(self._place, id="words")
            with Horizontal(classes="buttons"):
                yield Button(Text("Save (ctrl+s)"), id="save", compact=True)
                yield Button(Text("Later (esc)"), id="later", compact=True)
            yield Label(Text("What you type is kept on disk, also if you leave with esc."), classes="hint")

    def on_mount(self) -> None:
        """Start typing, after what an earlier draft has."""
        area = self.query_one(DraftArea)
        area.focus()
        area.move_cursor(area.document.end)

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        if event.button.id == "save":
            self.action_save()
        else:
            self.action_cancel()

    def action_save(self) -> None:
        """Hand back the remark."""
        area = self.query_one(DraftArea)
        area.flush()
        self.dismiss(area.text if area.text.strip() else None)

    def action_cancel(self) -> None:
        """Leave; the text stays as a draft."""
        self.query_one(DraftArea).flush()
        self.dismiss(None)


class AskScreen(ModalScreen[str | None]):
    """One line to type, with help below it: filters and search."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "cancel", "cancel")]

    def __init__(self, question: str, value: str, hint: str) -> None:
        super().__init__()
        self._question, self._value, self._hint = question, value, hint

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Label(Text(self._question), classes="question")
            yield SafeInput(self._value, id="words", compact=True, select_on_focus=False)
            yield Label(Text(self._hint), classes="hint")

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value)

    def action_cancel(self) -> None:
        """Change nothing."""
        self.dismiss(None)


class TextScreen(ModalScreen[None]):
    """A text to read: help, why an item is here, a parse."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,f1,w,p,v,i,h,enter", "close", "close"),
        Binding("j,down", "scroll(1)", show=False),
        Binding("k,up", "scroll(-1)", show=False),
        Binding("space,pagedown", "scroll(10)", show=False),
        Binding("pageup", "scroll(-10)", show=False),
    ]

    def __init__(self, title: str, text: Text) -> None:
        super().__init__()
        self._title, self._text = title, text

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog reading"):
            with VerticalScroll(id="text"):
                yield Static(self._text)
            yield Label(Text("j k: scroll · esc: close"), classes="hint")

    def on_mount(self) -> None:
        """Name the window."""
        self.query_one(".dialog").border_title = self._title
        self.query_one("#text").focus()

    def put(self, text: Text) -> None:
        """Replace the text."""
        self.query_one("#text Static", Static).update(text)

    def action_close(self) -> None:
        """Go back."""
        self.dismiss(None)

    def action_scroll(self, by: int) -> None:
        """Scroll by lines."""
        self.query_one("#text").scroll_relative(y=by, animate=False)
