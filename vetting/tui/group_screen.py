"""The preview before items that share something are decided on at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, cast

from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Label, Static

from gapsmith.bank import QueueRow, Severity, Verdict
from gapsmith.templates import count
from gapsmith.vetting.review.display import visible
from gapsmith.vetting.review.groups import Group
from gapsmith.vetting.tui.dialogs import Dialog
from gapsmith.vetting.tui.frame import ReviewFrame, clock
from gapsmith.vetting.tui.keymap import bindings, key_label
from gapsmith.vetting.tui.styles import palette


class GroupScreen(Dialog[Verdict]):
    """Every item that a verdict would be about, and the verdict keys. They count once the preview has been painted."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings("group"),
        Binding("escape", "cancel", "cancel"),
        Binding("down", "scroll(1)", show=False),
        Binding("up", "scroll(-1)", show=False),
        Binding("pagedown", "scroll(10)", show=False),
        Binding("pageup", "scroll(-10)", show=False),
    ]

    def __init__(self, group: Group, rows: Sequence[QueueRow]) -> None:
        super().__init__()
        self._group, self._rows = group, tuple(rows)
        self._since: float | None = None
        """When it was first on screen."""

    @property
    def _frame(self) -> ReviewFrame:
        return cast("ReviewFrame", self.app)

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog reading few"):
            yield Label(Text(self._question()), classes="question")
            with VerticalScroll(id="text"):
                yield Static(id="items")
            yield Label(Text(self._keys()), classes="hint", id="hint")

    def _question(self) -> str:
        left = len(self._rows)
        text = f"Decide on {count(left, 'item')} with {self._group.title}"
        if (more := len(self._group.rows) - left) > 0:
            stay = "is decided already and stays as it is" if more == 1 else "are decided already and stay as they are"
            text += f" ({more:,} more {stay})"
        errors = sum(row.worst >= Severity.ERROR.rank for row in self._rows)
        if errors:
            which = "It" if left == 1 else f"{errors:,} of them"
            text += f". {which} {'has an error' if errors == 1 else 'have errors'} ✗"
        opened = "it was not opened" if left == 1 else "they were not opened one by one"
        return f"{text}. It is on record that {opened}. One undo takes {'it' if left == 1 else 'it all'} back."

    def _keys(self) -> str:
        keys = self._frame.keys
        named = [f"{key_label(keys[name][0])}: {name} all" for name in ("approve", "exclude", "flag") if keys[name]]
        return " · ".join([*named, "↑ ↓: scroll", "esc: back"])

    def on_mount(self) -> None:
        """Show the items."""
        styles = palette(self.app)
        items = Table.grid(padding=(0, 2, 0, 0))
        for justify in ("left", "right", "left"):
            items.add_column(justify=justify)
        for row in self._rows:
            shape, mark = _WORST[row.worst]
            label = Text(visible(row.label), styles["label"])
            items.add_row(Text(shape, styles[mark]), label, Text(self._frame.session.sentence_of(row)))
        self.query_one("#items", Static).update(items)
        self.set_focus(self.query_one("#text"))

    def displayed(self) -> None:
        """The terminal has got what was drawn."""
        if self._since is None and self.up.is_set():
            self._since = clock()

    def _decide(self, verdict: Verdict) -> None:
        press = self._frame.press
        if self._since is None or (press is not None and (press.repeat or press.time <= self._since)):
            self.query_one("#hint", Label).update(Text(f"Look first, then press it again. {self._keys()}"))
            return
        self.finish(verdict)

    def action_approve(self) -> None:
        """Approve them all."""
        self._decide(Verdict.APPROVE)

    def action_exclude(self) -> None:
        """Exclude them all; the reason is asked for next."""
        self._decide(Verdict.EXCLUDE)

    def action_flag(self) -> None:
        """Flag them all."""
        self._decide(Verdict.FLAG)

    def action_cancel(self) -> None:
        """Decide nothing."""
        self.finish(None)

    def action_scroll(self, by: int) -> None:
        """Scroll by lines."""
        self.query_one("#text").scroll_relative(y=by, animate=False)


_WORST = {-1: (" ", "note"), 0: ("i", "info"), 1: ("!", "warning"), 2: ("✗", "error")}
