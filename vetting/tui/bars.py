"""The lines around a screen: where we are at the top, what a key did and which keys there are at the bottom."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.text import Text
from textual import events
from textual.keys import _character_to_key
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Static

from gapsmith.vetting.review.display import shorten
from gapsmith.vetting.tui.keymap import COMMANDS, KeyCommand, key_label
from gapsmith.vetting.tui.styles import palette

_SAID_S = 8.0
_ROOMY = 110
"""A bar of so many columns names more than the most wanted keys."""
_MOVES = {"next", "previous", "row_down", "row_up", "acknowledge", "back", "look_first"}
"""Keys that go without saying, and those that a screen names where they are wanted."""


class TitleBar(Static):
    """The line at the top: what we look at on the left, who and how far on the right."""

    _left = Text()
    _right: tuple[Text, ...] = ()

    def show(self, left: Text, *right: Text) -> None:
        """The right gives way first, one part after the other from its end."""
        self._left, self._right = left, right
        self._draw()

    def on_resize(self) -> None:
        """Fit again."""
        self._draw()

    def _draw(self) -> None:
        left, parts = self._left.copy(), list(self._right)
        width = max(self.size.width, 20)
        between = Text(" · ", palette(self.app)["key"])
        while len(parts) > 1 and left.cell_len + between.join(parts).cell_len + 3 > width:
            parts.pop()
        right = between.join(parts)
        right.truncate(max(width - left.cell_len - 3, width // 3), overflow="ellipsis")
        left.truncate(max(width - right.cell_len - 3, 10), overflow="ellipsis")
        gap = max(width - left.cell_len - right.cell_len - 2, 1)
        self.update(Text.assemble(" ", left, " " * gap, right, no_wrap=True, overflow="ellipsis"), layout=False)


class StatusLine(Static):
    """What the last key did, or what did not work; two lines at most. It has a place of its own and covers nothing."""

    _fading: Timer | None = None
    _lines = 1
    _said: tuple[str, str] | None = None
    """What is shown, and its mark."""

    def say(self, message: str, *, problem: bool = False) -> None:
        """Show a message until the next one; good news fades."""
        sign, mark = ("! ", "warning") if problem else ("» ", "title")
        width = max(self.size.width, self.app.size.width, 20)
        text = sign + shorten(message, 2 * width - 12)
        self._said = (text, mark)
        self._put(Text(text, palette(self.app)[mark]), 1 if cell_len(text) <= width - 2 else 2)
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
    """The most wanted keys of a screen, always in the same order; what cannot be done is dim. A click presses the key. `lines`
    is how many lines it may take where one is too short."""

    def __init__(self, place: str, *, lines: int = 1, adjudicating: bool = False) -> None:
        super().__init__(id="keys")
        self._place, self._most, self._adjudicating = place, lines, adjudicating
        self._broken: tuple[int, list[list[tuple[KeyCommand, str]]]] = (0, [])
        """The keys by line, and the width for which they were chosen."""
        self._can: tuple[bool, ...] = ()
        """Which of them can be used, as it was drawn."""

    def on_mount(self) -> None:
        """Take as many lines as there is something to say."""
        self._fit()

    def on_resize(self) -> None:
        """Fit again."""
        self._fit()

    def _fit(self) -> None:
        wanted = max(len(self._lines()), 1)
        if self.styles.height is None or self.styles.height.value != wanted:
            self.styles.height = wanted

    def bring_up_to_date(self) -> None:
        """Draw anew, where another key can be used or cannot be any more."""
        if self._usable() != self._can:
            self.refresh()

    def _usable(self) -> tuple[bool, ...]:
        return tuple(bool(self.screen.check_action(command.name, ())) for line in self._lines() for command, _ in line)

    def _lines(self) -> list[list[tuple[KeyCommand, str]]]:
        width = self.app.size.width
        if self._broken[0] != width:
            self._broken = (width, self._chosen())
        return self._broken[1]

    def _chosen(self) -> list[list[tuple[KeyCommand, str]]]:
        """The keys by line. Where there is no room for all, help and the way out stay to the last."""
        keys = self.app.keys  # type: ignore[attr-defined]  # a ReviewFrame
        here = [c for c in COMMANDS if self._place in c.places and keys[c.name]]
        wanted = [c for c in here if self._place in c.footer or (c.adjudicators and self._adjudicating)]
        shown = [(c, f"{key_label(keys[c.name][0])} {c.title}") for c in wanted]
        width = max(self.app.size.width - 2, 20)
        if width >= _ROOMY:
            # Where there is room, more of them, in the order of the help.
            others = [c for c in here if c.name not in _MOVES]
            for command in others:
                more = sorted([*wanted, command], key=COMMANDS.index) if command not in wanted else wanted
                if len(_broken([(c, f"{key_label(keys[c.name][0])} {c.title}") for c in more], width)) <= self._most:
                    wanted = more
            shown = [(c, f"{key_label(keys[c.name][0])} {c.title}") for c in wanted]
        while len(lines := _broken(shown, width)) > self._most and len(shown) > 2:
            shown.pop(-3)
        return lines

    def render(self) -> Text:
        """The keys in a line."""
        styles = palette(self.app)
        text = Text(no_wrap=True, overflow="ellipsis")
        self._can = self._usable()
        usable = iter(self._can)
        for number, line in enumerate(self._lines()):
            text.append("\n" if number else "")
            for place, (_, shown) in enumerate(line):
                key, _, title = shown.partition(" ")
                can = next(usable)
                text.append(" " if place else "")
                text.append(key, styles["title"] if can else styles["dim"])
                text.append(f" {title}", styles["key"] if can else styles["dim"])
        return text

    async def on_click(self, event: events.Click) -> None:
        """Press the key that was clicked on."""
        lines = self._lines()
        x = 0
        for command, text in lines[event.y] if event.y < len(lines) else ():
            if x <= event.x - 1 < x + len(text):
                key = self.app.keys[command.name][0]  # type: ignore[attr-defined]  # a ReviewFrame
                self.app.simulate_key(_character_to_key(key) if len(key) == 1 else key)
                return
            x += len(text) + 1


def _broken(shown: Sequence[tuple[KeyCommand, str]], width: int) -> list[list[tuple[KeyCommand, str]]]:
    lines: list[list[tuple[KeyCommand, str]]] = []
    room = 0
    for command, text in shown:
        if not lines or room < len(text) + 1:
            lines.append([])
            room = width + 1
        lines[-1].append((command, text))
        room -= len(text) + 1
    return lines
