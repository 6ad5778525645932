"""The lines around a screen: where we are at the top, what a key did and which keys there are at the bottom."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text
from textual import events
from textual.keys import _character_to_key
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Static

from gapsmith.vetting.review.display import shorten
from gapsmith.vetting.tui.keymap import COMMANDS, IN_LINE, KeyCommand, key_label
from gapsmith.vetting.tui.styles import palette

_SAID_S = 8.0
_BETWEEN = " · "
"""Between the parts on the right of a title."""


class TitleBar(Static):
    """The line at the top: what we look at on the left, who and how far on the right."""

    _left = Text()
    _right: tuple[Text, ...] = ()

    def show(self, left: Text, *right: Text) -> None:
        """The right gives way first, one part after the other from its end."""
        self._left, self._right = left, right
        self._draw()

    @staticmethod
    def room(width: int, left: Text, right: Sequence[Text]) -> int:
        """How many more characters there is room for on the left of a line so wide, beside all of the right."""
        return width - left.cell_len - Text(_BETWEEN).join(right).cell_len - 3

    def on_resize(self) -> None:
        """Fit again."""
        self._draw()

    def _draw(self) -> None:
        left, parts = self._left.copy(), list(self._right)
        width = max(self.size.width, 20)
        between = Text(_BETWEEN, palette(self.app)["key"])
        while len(parts) > 1 and self.room(width, left, parts) < 0:
            parts.pop()
        right = between.join(parts)
        right.truncate(max(width - left.cell_len - 3, width // 3), overflow="ellipsis")
        left.truncate(max(width - right.cell_len - 3, 10), overflow="ellipsis")
        gap = max(width - left.cell_len - right.cell_len - 2, 1)
        self.update(Text.assemble(" ", left, " " * gap, right, no_wrap=True, overflow="ellipsis"), layout=False)


class StatusLine(Static):
    """What the last key did, or what did not work, in as many lines as that takes. It has a place of its own and covers nothing."""

    _fading: Timer | None = None
    _lines = 1
    _said: tuple[str, str] | None = None
    """What is shown, and its mark."""

    def say(self, message: str, *, problem: bool = False) -> None:
        """Show a message until the next one; good news fades."""
        sign, mark = ("! ", "warning") if problem else ("» ", "title")
        room, most = max(self.app.size.width - 2, 20), max(self.app.size.height // 2, 2)
        text = Text(sign + message, palette(self.app)[mark])
        lines = text.wrap(self.app.console, room)
        if len(lines) > most:
            # Nothing that we say is so long; what somebody typed can be, and stands in a message.
            text = Text("\n", style=text.style).join([*lines[: most - 1], Text(shorten(lines[most - 1].plain + "…", room))])
        self._said = (text.plain, mark)
        self._put(text, min(len(lines), most))
        # The time of an earlier message must not end this one.
        if self._fading is not None:
            self._fading.stop()
        self._fading = None if problem else self.set_timer(_SAID_S, self.hush)

    def hush(self) -> None:
        """Show nothing."""
        self._said = None
        self._put(Text(""), 1)

    def notify_style_update(self) -> None:
        """Take the colours of a new theme."""
        super().notify_style_update()
        if self._said is not None:
            text, mark = self._said
            self.update(Text(text, palette(self.app)[mark]), layout=False)

    def _put(self, text: Text, lines: int) -> None:
        # Only another number of lines needs another layout.
        self.update(text, layout=lines != self._lines)
        self._lines = lines


class KeyBar(Widget):
    """The most wanted keys of a screen in one line, always in the same order; what cannot be done is dim. A click presses the key.
    The help has the others, and the palette."""

    def __init__(self, place: str, *, adjudicating: bool = False) -> None:
        super().__init__(id="keys")
        other = {"item": "adjudicating", "queue": "adjudicating queue"} if adjudicating else {}
        self._wanted = IN_LINE[other.get(place, place)].split()
        self._fitted: tuple[int, list[tuple[KeyCommand, str, str]]] = (0, [])
        """The commands with key and title, and the width for which they were chosen."""
        self._can: tuple[bool, ...] = ()
        """Which of them can be used, as it was drawn."""

    def bring_up_to_date(self) -> None:
        """Draw anew, where another key can be used or cannot be any more."""
        if self._usable() != self._can:
            self.refresh()

    def _usable(self) -> tuple[bool, ...]:
        return tuple(bool(self.screen.check_action(command.name, ())) for command, _, _ in self._line())

    def _line(self) -> list[tuple[KeyCommand, str, str]]:
        width = self.app.size.width
        if self._fitted[0] != width:
            self._fitted = (width, self._chosen(max(width - 2, 20)))
        return self._fitted[1]

    def _chosen(self, width: int) -> list[tuple[KeyCommand, str, str]]:
        """As many of the most wanted as there is room for, in the order of the help."""
        keys = self.app.keys  # type: ignore[attr-defined]  # a ReviewFrame
        named = {command.name: command for command in COMMANDS}
        found: list[tuple[KeyCommand, str, str]] = []
        room = width + 1
        for command in (named[name] for name in self._wanted):
            if not keys[command.name]:
                continue
            one = (command, key_label(keys[command.name][0]), command.short or command.title)
            if (taken := len(one[1]) + len(one[2]) + 2) <= room:
                room -= taken
                found.append(one)
        return sorted(found, key=lambda one: COMMANDS.index(one[0]))

    def render(self) -> Text:
        """The keys in a line."""
        styles = palette(self.app)
        text = Text(no_wrap=True, overflow="ellipsis")
        self._can = self._usable()
        for place, ((_, key, title), can) in enumerate(zip(self._line(), self._can, strict=True)):
            text.append(" " if place else "")
            text.append(key, styles["title"] if can else styles["dim"])
            text.append(f" {title}", styles["key"] if can else styles["dim"])
        return text

    async def on_click(self, event: events.Click) -> None:
        """Press the key that was clicked on."""
        x = 0
        for command, label, title in self._line():
            width = len(label) + 1 + len(title)
            if x <= event.x - 1 < x + width:
                key = self.app.keys[command.name][0]  # type: ignore[attr-defined]  # a ReviewFrame
                self.app.simulate_key(_character_to_key(key) if len(key) == 1 else key)
                return
            x += width + 1
