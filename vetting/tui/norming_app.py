"""`gapsmith review --judge`: one sentence at a time, and a scale."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any, ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.geometry import Region
from textual.screen import Screen
from textual.strip import Strip
from textual.widgets import Static

from gapsmith.bank import StoredItem
from gapsmith.templates import GapsmithError, Paradigm, Sentence
from gapsmith.vetting.review.display import visible
from gapsmith.vetting.review.norming import Scale, Stimulus, judge_stimulus
from gapsmith.vetting.review.parsing import ParseLine
from gapsmith.vetting.review.session import Session
from gapsmith.vetting.tui.bars import StatusLine, TitleBar
from gapsmith.vetting.tui.frame import POLL_S, WAITING, ReviewFrame, clock
from gapsmith.vetting.tui.styles import palette

_KEYS = {"ok": "o", "?": "m", "*": "asterisk"}
_SHOWN = {"ok": "o ok", "?": "m questionable", "*": "* bad"}


class SentenceView(Static):
    """The sentence, and whether it has been drawn."""

    painted = False

    def put(self, text: Text) -> None:
        """Show another sentence."""
        self.painted = False
        self.update(text)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Draw it."""
        self.painted = True
        return super().render_lines(crop)


class NormingScreen(Screen[None]):
    """One sentence."""

    def compose(self) -> ComposeResult:
        yield TitleBar(id="title")
        with Vertical(id="stage"):
            yield SentenceView(id="stimulus")
        yield StatusLine(id="status")
        yield Static(id="keys")


class NormingApp(ReviewFrame):
    """Shows sentences and keeps judgements; knows nothing of what is expected of them."""

    CSS_PATH = "review.tcss"
    TITLE = "gapsmith review --judge"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key, f"judge('{value}')", show=False) for value, key in _KEYS.items()),
        *(Binding(str(point), f"judge('{point}')", show=False) for point in range(1, 10)),
        Binding("backspace", "undo", show=False),
        Binding("space", "skip", show=False),
        Binding("ctrl+q", "leave", priority=True, show=False),
    ]

    def __init__(self, session: Session, waiting: Sequence[Stimulus], scale: Scale, **options: Any) -> None:
        super().__init__(session, **options)
        self.animation_level = "none"
        self._waiting = list(waiting)
        self._scale = scale
        self._at = 0
        self._judged: list[int] = []
        """Positions that were judged here, for undo."""
        self._since: float | None = None

    async def on_mount(self) -> None:
        """Show the first sentence."""
        self.mind_signals()
        await self.push_screen(NormingScreen())
        self._show()
        self.set_interval(POLL_S, self.look_at_bank)

    def on_unmount(self) -> None:
        """Finish what is on its way to the disk."""
        self.writer.close()

    def takes_keys(self) -> bool:
        """Whether the screen in front is ours."""
        return bool(self.screen_stack) and isinstance(self.screen, NormingScreen)

    @property
    def stimulus(self) -> Stimulus | None:
        """The sentence on screen; None when all are judged."""
        return self._waiting[self._at] if self._at < len(self._waiting) else None

    def summary(self) -> list[str]:
        """What was done, when it is over."""
        return self.pace.lines(len(self._waiting) - len(self._judged), what="sentence")

    def _show(self) -> None:
        styles = palette(self)
        self._since = None
        view = self.screen.query_one(SentenceView)
        one = self.stimulus
        if one is None:
            lines = ["All sentences have been shown.", *self.summary(), "", "ctrl+q leaves."]
            view.put(Text("\n".join(lines), styles["title"]))
        else:
            view.put(Text(visible(one.text), styles["selected"], justify="center"))
        left = Text("judging sentences", styles["title"])
        done = Text(
            f"{min(self._at + 1, len(self._waiting)):,} of {len(self._waiting):,} · {visible(self.session.author)}",
            styles["key"],
        )
        self.screen.query_one(TitleBar).show(left, done)
        scale = (
            f"1 bad … {self._scale.points} good"
            if self._scale.points is not None
            else "  ".join(_SHOWN[value] for value in self._scale.values)
        )
        self.screen.query_one("#keys", Static).update(Text(f"{scale}   ␣ skip   ⌫ undo   ctrl+q leave", styles["key"]))

    def post_display_hook(self) -> None:
        """What was drawn has gone to the terminal: from here on, keys are about this sentence."""
        if self.takes_keys() and self._since is None:
            views = self.screen.query(SentenceView)
            if views and views.first().painted:
                self._since = clock()

    def say(self, message: str) -> None:
        """Say something in the line above the keys."""
        self._say(message)

    def _say(self, message: str, *, problem: bool = False) -> None:
        self.screen.query_one(StatusLine).say(visible(message), problem=problem)

    async def action_judge(self, value: str) -> None:
        """Judge the sentence that was on screen when the key was pressed."""
        one, press = self.stimulus, self.press
        if one is None:
            return
        if value not in self._scale.values:
            self._say(f"The scale has {', '.join(self._scale.values)}.")
            return
        if self._since is None or (press is not None and (press.repeat or press.time <= self._since)):
            self._say("This sentence was not on screen yet when the key was pressed: read it, and press again.")
            return
        seconds = (press.time if press is not None else clock()) - self._since
        await self.written(lambda session: judge_stimulus(session, one, value, self._scale, seconds))
        self.pace.count(seconds)
        self._judged.append(self._at)
        self._at += 1
        self._show()
        self._say(self.pace.break_line or f"judged {value}, undo with ⌫")

    async def action_undo(self) -> None:
        """Take back the last judgement made here, and show its sentence again."""
        if not self._judged:
            self._say("There is nothing to take back here.")
            return
        await self.written(lambda session: session.undo())
        self._at = self._judged.pop()
        self._show()
        self._say("Taken back: judge it again.")

    def action_skip(self) -> None:
        """Put the sentence off to the end."""
        if self.stimulus is not None and self._at < len(self._waiting) - 1:
            self._waiting.append(self._waiting.pop(self._at))
            self._show()
            self._say("Put off to the end.")

    async def action_leave(self) -> None:
        """Leave; everything is on disk."""
        self.exit()

    def failed(self, error: GapsmithError | sqlite3.Error) -> None:
        """Tell what did not work; what is pressed before that is painted does not count."""
        self._show()
        self._say(self.words_of(error), problem=True)

    def waiting(self) -> None:
        """Tell that the bank is waited for."""
        self._say(WAITING)

    def relint(self, item_ids: Sequence[int]) -> None:
        """Nothing is edited here."""

    async def parsed(self, item: StoredItem, paradigm: Paradigm, sentence: Sentence) -> tuple[ParseLine, ...]:  # noqa: ARG002  # as asked
        """Nothing is shown beside a sentence here."""
        return ()

    async def show_parse(self, item: StoredItem, paradigm: Paradigm, sentence: Sentence) -> None:
        """Nothing is shown beside a sentence here."""
