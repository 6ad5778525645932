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

from gapsmith.bank import SheetCount, StoredItem
from gapsmith.templates import GapsmithError, Paradigm, Sentence
from gapsmith.vetting.review.acceptability import THE_LAST, AcceptabilityStudy, SheetTrial
from gapsmith.vetting.review.answer_quality import take_back
from gapsmith.vetting.review.display import visible
from gapsmith.vetting.review.norming import Scale, judge_trial
from gapsmith.vetting.review.pace import ReviewPace
from gapsmith.vetting.review.parsing import ParseLine
from gapsmith.vetting.review.session import Session
from gapsmith.vetting.tui.bars import StatusLine, TitleBar
from gapsmith.vetting.tui.dialogs import OneAnswer, TextScreen
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
            yield Static(id="question")
            yield SentenceView(id="stimulus")
            yield Static(id="anchors")
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
        Binding("question_mark,f1", "help", show=False),
        Binding("ctrl+q", "leave", priority=True, show=False),
    ]

    def __init__(
        self,
        session: Session,
        waiting: Sequence[SheetTrial],
        scale: Scale,
        *,
        study: AcceptabilityStudy | None = None,
        practice: Sequence[SheetTrial] = (),
        **options: Any,
    ) -> None:
        super().__init__(session, **options)
        self.animation_level = "none"
        self._waiting = [*practice, *waiting]
        self._practice = len(practice)
        self._scale = scale
        self._study = study
        self.pace = ReviewPace("judged")
        self._pausing = False
        """A break is on screen; no sentence is."""
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
        return bool(self.screen_stack) and isinstance(self.screen, (NormingScreen, OneAnswer))

    @property
    def trial(self) -> SheetTrial | None:
        """The sentence on screen; None when all are judged."""
        return self._waiting[self._at] if self._at < len(self._waiting) else None

    def summary(self) -> list[str]:
        """What was done, when it is over."""
        kept = sum(place >= self._practice for place in self._judged)
        return self.pace.lines(len(self._waiting) - self._practice - kept, what="sentence")

    def _show(self) -> None:
        styles = palette(self)
        self._since = None
        view, one = self.screen.query_one(SentenceView), self.trial
        question, anchors = Text(""), Text("")
        if self._pausing:
            view.put(Text("A break: look away for a minute.\n\nspace goes on.", styles["title"], justify="center"))
        elif one is None:
            lines = ["All sentences have been shown.", *self.summary(), "", *self._finished(), "ctrl+q leaves."]
            view.put(Text("\n".join(lines), styles["title"]))
        else:
            pair = f"1  {visible(one.text)}\n\n2  {visible(one.other_text)}"
            shown = (
                Text(pair, styles["selected"])
                if one.other_text
                else Text(visible(one.text), styles["selected"], justify="center")
            )
            view.put(shown)
            question = Text(visible(self._scale.question), styles["title"], justify="center")
            anchors = Text("\n".join(self._anchors()), styles["key"])
            if self._study is not None and self._at == len(self._waiting) - 1:
                anchors.append(f"\n\n! {THE_LAST}", styles["warning"])
        self.screen.query_one("#question", Static).update(question)
        self.screen.query_one("#anchors", Static).update(anchors)
        practising = one is not None and one.practice
        left = Text("practice: not kept" if practising else "judging sentences", styles["title"])
        if practising:
            left.append(f"  {self._at + 1} of {self._practice}", styles["key"])
        done = Text(f"{self._how_far()} · {visible(self.session.author)}", styles["key"])
        self.screen.query_one(TitleBar).show(left, done)
        if self._scale.names:
            scale = "a digit" if self._scale.points is not None or one is None or one.other_text else "a key"
        elif self._scale.points is not None:
            scale = f"1 bad … {self._scale.points} good"
        else:
            scale = "  ".join(_SHOWN[value] for value in self._scale.values)
        # In a study nothing is put off, so that space has a use in a break alone.
        space = "␣ go on" if self._pausing else "␣ skip" if self._study is None else ""
        # Only where all is answered can an answer be one that stays: the bank is not asked at every sentence.
        stays = (
            one is None and self._study is not None and self.session.bank.decisions.stays(self.session.author, self._study.digest)
        )
        keys = [scale if not self._pausing else "", space, "" if stays else "⌫ undo", "? help", "ctrl+q leave"]
        self.screen.query_one("#keys", Static).update(Text("   ".join(filter(None, keys)), styles["key"]))

    def _how_far(self) -> str:
        """How many sentences are done and how many wait: in a study, of the whole sheet."""
        left = len(self._waiting) - max(self._at, self._practice)
        total = len(self._waiting) - self._practice if self._study is None else max(one.of for one in self._waiting)
        return SheetCount("", self.session.author, total - left, total).words

    def _finished(self) -> list[str]:
        if self._study is None:
            return []
        return ["Your sheet is finished: what the others answered is open to you now (gapsmith judge results).", ""]

    def _anchors(self) -> list[str]:
        """Every value with its key and its name."""
        keys = {"ok": "o", "?": "m"}
        return [
            f"{keys.get(value, value)}  {visible(name)}"
            for value, name in zip(self._scale.values, self._scale.names, strict=False)
        ]

    async def action_help(self) -> None:
        """Explain what is asked and which keys answer."""
        lines = [
            self._scale.question or "How does this sentence sound to you?",
            "",
            *(self._anchors() or [_SHOWN.get(value, value) for value in self._scale.values]),
            "",
            "␣ puts the sentence off to the end."
            if self._study is None
            else "Sentences come in an order that keeps those of one item apart, so that none can be put off.",
            "⌫ takes the last answer back. Each answer is on disk before the next sentence comes.",
            "Sentences of practice come first, and their answers are not kept.",
        ]
        await self.show(TextScreen("Help", Text("\n".join(lines))))

    def post_display_hook(self) -> None:
        """What was drawn has gone to the terminal: from here on, keys are about this sentence."""
        if self.screen_stack and isinstance(self.screen, NormingScreen) and self._since is None:
            views = self.screen.query(SentenceView)
            if views and views.first().painted:
                self._since = clock()

    def say(self, message: str) -> None:
        """Say something in the line above the keys."""
        self._say(message)

    def _say(self, message: str, *, problem: bool = False) -> None:
        front = next(screen for screen in reversed(self.screen_stack) if isinstance(screen, NormingScreen))
        front.query_one(StatusLine).say(visible(message), problem=problem)

    async def action_judge(self, value: str) -> None:
        """Judge the sentence that was on screen when the key was pressed."""
        one, press = self.trial, self.press
        if self._pausing:
            self._say("This is a break; space goes on.")
            return
        if one is None:
            return
        if value not in self._scale.values:
            self._say(f"The scale has {', '.join(self._scale.values)}.")
            return
        if self._since is None or (press is not None and (press.repeat or press.time <= self._since)):
            self._say("This sentence was not on screen yet when the key was pressed: read it, and press again.")
            return
        seconds = (press.time if press is not None else clock()) - self._since
        await self.written(lambda session: judge_trial(session, one, value, self._scale, seconds, self._study))
        self._judged.append(self._at)
        self._at += 1
        if one.practice:
            self._show()
            last = self._at == self._practice
            self._say("That was practice. From here on, answers count." if last else "practice, not kept")
            return
        self.pace.count(self._judged[-1], seconds)
        every = self._study.pause_every if self._study is not None else None
        self._pausing = every is not None and self.trial is not None and self.pace.decisions % every == 0
        self._show()
        rest = "" if every is not None and not self._pausing else self.pace.break_line
        self._say(rest or f"judged {value}, undo with ⌫")

    async def action_undo(self) -> None:
        """Take back the last judgement made here, and show its sentence again."""
        if not self._judged:
            study = self._study
            if study is None:
                self._say("There is nothing to take back here.")
                return
            # One of an earlier sitting: what is practised on came before it.
            self._waiting = await self.written(lambda session: take_back(session, study))
            self._practice = self._at = 0
            self._pausing = False
            self._show()
            self._say("Taken back: judge it again.")
            return
        if self._judged[-1] >= self._practice:
            await self.written(lambda session: session.undo())
        self._pausing = False
        self._at = self._judged.pop()
        self.pace.undo(self._at)
        self._show()
        self._say("Taken back: judge it again.")

    def action_skip(self) -> None:
        """Put the sentence off to the end; go on after a break."""
        if self._pausing:
            self._pausing = False
            self._show()
            self._say("On we go.")
            return
        if self._study is not None and self.trial is not None:
            self._say("In a study every sentence is answered in its place: others of its item stand apart from it.")
            return
        if self.trial is not None and self._at < len(self._waiting) - 1:
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
