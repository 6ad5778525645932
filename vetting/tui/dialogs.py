"""Small questions in front of a screen. Each only hands back an answer, once; whoever asked acts on it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from typing import ClassVar, Generic, TypeVar

from rich.console import RenderableType
from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.message import Message
from textual.screen import ModalScreen, Screen
from textual.widgets import Button, Label, OptionList, Static
from textual.widgets.option_list import Option

from gapsmith.vetting.reasons import OTHER, REASON_SEPARATOR
from gapsmith.vetting.review.display import visible
from gapsmith.vetting.tui.drafts import DraftArea, DraftInput, DraftKey, SafeInput
from gapsmith.vetting.tui.reason_list import DIGITS, ReasonList

Answer = TypeVar("Answer")


class OneAnswer(Screen[Answer], Generic[Answer]):
    """A screen that hands back one answer. A second key in the same read finds it finished, so that it neither answers
    twice nor takes away the screen below."""

    def __init__(self) -> None:
        super().__init__()
        self.up = asyncio.Event()
        """Set once the screen is mounted and has its focus, so that keys reach it."""
        self.when_answered: Callable[[Answer | None], None] | None = None
        self._finished = False

    def on_mount(self) -> None:
        """Called after the subclass has set its focus."""
        self.up.set()

    def finish(self, answer: Answer | None = None) -> None:
        """Hand back the answer and go; does nothing the second time, or while another screen is in front."""
        if self._finished or not self.is_current:
            return
        self._finished = True
        if self.when_answered is not None:
            self.when_answered(answer)
        self.dismiss(answer)


class Dialog(OneAnswer[Answer], ModalScreen[Answer], Generic[Answer]):
    """A question in front of a screen."""

    def say(self, message: str) -> None:
        """Say something on the frame, where it covers nothing."""
        self.query_one(".dialog").border_subtitle = visible(message)


_TAKE_ONE = "digit: take it · space: mark several, ⏎: take them · tab: words · esc: back"
_TAKE_MARKED = "digit: mark or unmark · ⏎: take them · tab: words · esc: back"
"""What the keys of `ReasonScreen` do while nothing is marked, and once something is."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why an item is excluded, with a remark where one was typed."""

    reason: str
    """One reason, or several with `REASON_SEPARATOR` between them."""
    comment: str | None = None


class ConfirmScreen(Dialog[bool]):
    """Yes or no. Enter does not say yes by accident: the focus starts on no, but where yes is what was just asked for (`ready`). A
    question that nobody can foresee is answered by no key that was pressed before it was there."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "yes"),
        Binding("n,escape", "answer(False)", "no"),
        Binding("enter", "choose", show=False, priority=True),
        Binding("left,right", "app.focus_next", show=False),
        Binding("down", "scroll(1)", show=False),
        Binding("up", "scroll(-1)", show=False),
        Binding("pagedown", "scroll(10)", show=False),
        Binding("pageup", "scroll(-10)", show=False),
    ]

    def __init__(self, question: str, yes: str = "Yes", no: str = "No", *, ready: bool = False, unforeseen: bool = False) -> None:
        super().__init__()
        self._unforeseen = unforeseen
        self._since = inf
        """When it was drawn, by the clock of events."""
        self._question = question
        self._yes, self._no = yes, no
        self._ready = ready

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            with VerticalScroll(classes="asking", can_focus=False):
                yield Label(Text(self._question), classes="question")
            with Horizontal(classes="buttons"):
                yield Button(Text(f"{self._yes} (y)"), id="yes", compact=True)
                yield Button(Text(f"{self._no} (n)"), id="no", compact=True)

    def on_mount(self) -> None:
        """Start on no, or where it was asked for on yes."""
        self.set_focus(self.query_one("#yes" if self._ready else "#no"))
        self.call_after_refresh(self._note_shown)

    def _note_shown(self) -> None:
        self._since = Message().time
        if self.query_one(".asking").max_scroll_y:
            self.say("↑ ↓: scroll")

    def action_scroll(self, by: int) -> None:
        """Scroll a question for which there is no room by lines."""
        self.query_one(".asking").scroll_relative(y=by, animate=False)

    def _typed_ahead(self) -> bool:
        press = getattr(self.app, "press", None)
        return self._unforeseen and press is not None and press.time < self._since

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        self.finish(event.button.id == "yes")

    def action_choose(self) -> None:
        """Answer as the button with the focus says."""
        self.action_answer(self.query_one("#yes").has_focus)

    def action_answer(self, answer: bool) -> None:
        """Hand back the answer."""
        if self._typed_ahead():
            self.say("that key came before the question")
        else:
            self.finish(answer)


class ReasonScreen(Dialog[Reason]):
    """The reasons for exclusion: a digit takes one at once, space marks several; tab goes to a remark."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "cancel", "cancel"),
        Binding("enter", "choose", show=False, priority=True),
        Binding("space", "mark", show=False),
        *(Binding(key, f"take({i})", show=False) for i, key in enumerate(DIGITS)),
    ]

    def __init__(self, reasons: Sequence[str], key: DraftKey, what: str, *, about: Text | None = None) -> None:
        super().__init__()
        self._reasons = list(reasons)
        self._draft = key
        self._what = what
        self._about = about
        """The sentence that stays in sight, whatever is behind."""
        self._marked: set[int] = set()

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog low") as dialog:
            dialog.border_title = Text(f"Why exclude {self._what}?")
            if self._about is not None:
                yield Label(self._about, classes="about")
            yield ReasonList(self._reasons, id="reasons")
            yield DraftInput(self._draft, placeholder="in your own words (needed for “other”)", id="words")
            yield Label(Text(_TAKE_ONE), classes="hint")

    @property
    def _list(self) -> ReasonList:
        return self.query_one(ReasonList)

    def on_mount(self) -> None:
        """Start on the list."""
        self.set_focus(self._list)

    def on_resize(self) -> None:
        """Have the screen behind end above the list of reasons, so that nothing of it is covered."""
        self.call_after_refresh(self._move_screen_up)

    def _move_screen_up(self) -> None:
        if self.is_current and not self._finished:
            self._behind.add_class("asked")
            self._behind.styles.padding = (0, 0, self.query_one(".dialog").outer_size.height, 0)

    @property
    def _behind(self) -> Screen[object]:
        stack = self.app.screen_stack
        return stack[stack.index(self) - 1]

    def finish(self, answer: Reason | None = None) -> None:
        """Hand back the answer, and give the screen behind its room again."""
        if self.is_current:
            self._behind.remove_class("asked")
            self._behind.styles.padding = 0
        super().finish(answer)

    def action_take(self, index: int) -> None:
        """Take a reason at once, or mark it where others are marked already."""
        if index >= len(self._reasons):
            return
        if self._marked:
            self._toggle(index)
        else:
            self._finish({index})

    def action_mark(self) -> None:
        """Mark the highlighted reason, or take the mark away."""
        if self._list.highlighted is not None:
            self._toggle(self._list.highlighted)

    def _toggle(self, index: int) -> None:
        self._marked ^= {index}
        self._list.mark(self._marked)
        self.query_one(".hint", Label).update(Text(_TAKE_MARKED if self._marked else _TAKE_ONE))

    @on(ReasonList.Chosen)
    def _clicked(self, event: ReasonList.Chosen) -> None:
        self._finish(self._marked | {event.index})

    @on(events.DescendantFocus)
    def _to_words(self, event: events.DescendantFocus) -> None:
        # The first reason is highlighted by itself: nobody who goes on to own words has chosen it.
        if isinstance(event.widget, DraftInput) and not self._marked and self._list.highlighted == 0:
            self._list.highlight(None)

    def action_choose(self) -> None:
        """Take what is marked, else what is highlighted; without either, what was typed says it."""
        highlighted = self._list.highlighted
        other = self._reasons.index(OTHER) if OTHER in self._reasons else len(self._reasons) - 1
        self._finish(self._marked or {highlighted if highlighted is not None else other})

    def _finish(self, chosen: set[int]) -> None:
        words = self.query_one("#words", DraftInput)
        comment = words.value.strip() or None
        reasons = [self._reasons[index] for index in sorted(chosen)]
        if OTHER in reasons and comment is None:
            self._list.highlight(self._reasons.index(OTHER))
            self.set_focus(words)
            self.say(f"“{OTHER}” says nothing by itself: type what is the matter, then ⏎")
            return
        words.flush()
        self.finish(Reason(REASON_SEPARATOR.join(reasons), comment))

    def action_cancel(self) -> None:
        """Back without excluding; what was typed stays as a draft."""
        self.query_one("#words", DraftInput).flush()
        self.finish(None)


class PickScreen(Dialog[int]):
    """One of a few lines: a digit, or the arrows and ⏎. Hands back its position."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "cancel", "cancel"),
        Binding("enter", "choose", show=False, priority=True),
        *(Binding(str(i + 1), f"take({i})", show=False) for i in range(9)),
    ]

    def __init__(self, question: str, lines: Sequence[str]) -> None:
        super().__init__()
        self._question, self._texts = question, list(lines)

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Label(Text(self._question), classes="question")
            options = [Option(Text(f"{i + 1}  {visible(text)}")) for i, text in enumerate(self._texts)]
            yield OptionList(*options, compact=True)
            yield Label(Text("digit or ⏎: take it · esc: back"), classes="hint")

    def on_mount(self) -> None:
        """Start on the list."""
        self.set_focus(self.query_one(OptionList))

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        self.finish(event.option_index)

    def action_take(self, index: int) -> None:
        """Take a line by its digit."""
        if index < len(self._texts):
            self.finish(index)

    def action_choose(self) -> None:
        """Take the highlighted line."""
        highlighted = self.query_one(OptionList).highlighted
        if highlighted is not None:
            self.finish(highlighted)

    def action_cancel(self) -> None:
        """Take none."""
        self.finish(None)


class CommentScreen(Dialog[str]):
    """A remark. Enter would be a new line, so ctrl+s or the button saves."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "save", "save", priority=True),
        Binding("escape", "cancel", "cancel"),
    ]

    def __init__(self, key: DraftKey, what: str, *, about: Text | None = None) -> None:
        super().__init__()
        self._draft = key
        self._what = what
        self._about = about
        """The sentence that stays in sight, whatever is behind."""

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Label(Text(f"A remark on {self._what}"), classes="question")
            if self._about is not None:
                yield Label(self._about, classes="about")
            yield DraftArea(self._draft, id="words")
            with Horizontal(classes="buttons"):
                yield Button(Text("Save (ctrl+s)"), id="save", compact=True)
                yield Button(Text("Later (esc)"), id="later", compact=True)
            yield Label(Text("What you type is kept on disk, also if you leave with esc."), classes="hint")

    def on_mount(self) -> None:
        """Start typing, after what an earlier draft has."""
        area = self.query_one(DraftArea)
        self.set_focus(area)
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
        self.finish(area.text if area.text.strip() else None)

    def action_cancel(self) -> None:
        """Leave; the text stays as a draft."""
        self.query_one(DraftArea).flush()
        self.finish(None)


class AskScreen(Dialog[str]):
    """One line to type, with help below it: filters and search."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "cancel", "cancel"),
        Binding("enter", "submit", show=False, priority=True),
    ]

    def __init__(self, question: str, value: str, hint: str) -> None:
        super().__init__()
        self._question, self._value, self._hint = question, value, hint

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Label(Text(self._question), classes="question")
            yield SafeInput(self._value, id="words", compact=True)
            yield Label(Text(self._hint), classes="hint")

    def action_submit(self) -> None:
        """Hand back the line."""
        self.finish(self.query_one(SafeInput).value)

    def action_cancel(self) -> None:
        """Change nothing."""
        self.finish(None)


class TextScreen(Dialog[None]):
    """A text to read: help, why an item is here, a parse."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,f1,w,p,v,i,h,question_mark,enter", "close", "close"),
        Binding("j,down", "scroll(1)", show=False),
        Binding("k,up", "scroll(-1)", show=False),
        Binding("space,pagedown", "scroll(10)", show=False),
        Binding("pageup", "scroll(-10)", show=False),
    ]

    def __init__(self, title: str, text: RenderableType) -> None:
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
        self.set_focus(self.query_one("#text"))

    def put(self, text: Text) -> None:
        """Replace the text."""
        self.query_one("#text Static", Static).update(text)

    def action_close(self) -> None:
        """Go back."""
        self.finish(None)

    def action_scroll(self, by: int) -> None:
        """Scroll by lines."""
        self.query_one("#text").scroll_relative(y=by, animate=False)
