"""What every screen of the review stands in: keys one after the other, flows that ask questions, the writer, the queue.

The screens know this class; the application that puts them together is in `app`.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sqlite3
import sys
from abc import abstractmethod
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from rich.text import Text
from textual import events, work
from textual.app import App
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.reactive import reactive
from textual.widgets import Input, TextArea

from gapsmith.bank import BankError, BankMovedError, Finding, StoredItem
from gapsmith.templates import GapsmithError, Paradigm, Sentence, listed
from gapsmith.vetting.review.acceptability import edit_of_judged
from gapsmith.vetting.review.display import visible
from gapsmith.vetting.review.filters import Query
from gapsmith.vetting.review.item_view import ReviewedItem
from gapsmith.vetting.review.pace import ReviewPace
from gapsmith.vetting.review.parsing import ParseLine, Parser
from gapsmith.vetting.review.queue import Queue
from gapsmith.vetting.review.session import Session
from gapsmith.vetting.tui.bars import StatusLine
from gapsmith.vetting.tui.dialogs import ConfirmScreen, Dialog, OneAnswer, TextScreen
from gapsmith.vetting.tui.drafts import DraftArea, DraftInput, DraftKeeper, DraftKey, SafeInput
from gapsmith.vetting.tui.keymap import load_keys
from gapsmith.vetting.tui.styles import SEVERITY_SHAPES, readable_accent
from gapsmith.vetting.tui.writer import Writer

WAITING = "Waiting for the bank: the disk is slow, or another program writes to it …"

REPEAT_S = 0.15
"""The same key again within this time is one key held down: terminals repeat every 30 to 90 ms."""
_SILENCE_S = 0.4
"""Who has pressed a key is told by then that it is being seen to."""
POLL_S = 2.0
"""How often the review looks at what others have done to the bank."""
_NAMED = 5
"""So many new errors of an edit are named before it is saved."""
_SOON_S = 1.0
"""Work that takes longer goes on in the background, and keys are looked at again."""
Answer = TypeVar("Answer")
Result = TypeVar("Result")


def on_terminal() -> bool:
    """Whether the terminal is still there."""
    stream = sys.__stdin__
    return stream is not None and not stream.closed and stream.isatty()


def end_by(which: signal.Signals) -> None:
    """End as one whom the signal has ended, now."""
    signal.signal(which, signal.SIG_DFL)
    signal.raise_signal(which)


def has_shell() -> bool:
    """Whether we were started by a shell that minds jobs: it is in our session and has given us a process group of our own. Who
    stops elsewhere is never continued."""
    try:
        parent = os.getppid()
        return os.getpgrp() == os.getpid() and os.getsid(parent) == os.getsid(0) and os.getpgid(parent) != os.getpgrp()
    except (AttributeError, OSError):
        return False


def clock() -> float:
    """The time by which keys are stamped when they are read."""
    return Message().time


@dataclass(frozen=True, slots=True)
class Press:
    """The key that is being looked at."""

    key: str
    time: float
    """When it was read from the terminal, by `clock`."""
    repeat: bool
    """The same key came so shortly before that it is held down."""


ENDINGS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Signals by which a program is asked to end."""
_PATIENCE_S = 5.0
"""A program that was asked to end and has not given the terminal back by then ends as it stands."""


class ReviewFrame(App[None]):
    """Keys, flows and writing; no screens."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "say_how_to_leave", show=False, priority=True),
        Binding("ctrl+z", "suspend", show=False, priority=True),
    ]

    current: reactive[int | None] = reactive(None, init=False, always_update=True, repaint=False)
    """The item that the review is at; the screen in front shows it whenever this is set."""

    def __init__(
        self,
        session: Session,
        *,
        query: Query | None = None,
        order: str | None = None,
        keys: Mapping[str, Sequence[str]] | None = None,
        parser: Parser | None = None,
        folder: Path | None = None,
    ) -> None:
        self.without_colour = "NO_COLOR" in os.environ
        super().__init__()
        self.session = session
        self.queue = Queue(session, query, order or session.habit("order", "came"))
        self.keys = dict(keys) if keys is not None else load_keys([])
        self.parser = parser
        self.folder = folder or session.bank.path.parent
        self.pace = ReviewPace()
        self.writer = Writer(session)
        self.drafts = DraftKeeper(self.writer)
        self.ours = False
        """Whether what `current` shows next was changed here."""
        self.press: Press | None = None
        """The key whose action runs now; None for clicks and commands of the palette."""
        self._last_press: Press | None = None
        self._working = 0
        self._your_turn = asyncio.Event()
        """Set while no flow is at work: then the next key is looked at."""
        self._your_turn.set()
        self.moved: BankMovedError | None = None
        """Why the review came to an end where the bank was taken from under it."""
        self.ended_by: signal.Signals | None = None
        """The signal that asked for an end."""
        self.typed_at_end: list[str] = []
        """What stood in fields then, and is not on disk."""

    def get_css_variables(self) -> dict[str, str]:
        """The colours of the theme, and ``readable-accent`` for frames and their titles: an accent may be as pale as the ground."""
        variables = super().get_css_variables()
        return {**variables, "readable-accent": readable_accent(variables)}

    # Being asked to end, or to stand aside

    def mind_signals(self) -> None:
        """From here on, who is asked to end (SIGTERM, SIGHUP) puts what is typed on disk and gives the terminal back first."""
        if self.is_headless or sys.platform == "win32":
            return
        for one in ENDINGS:
            asyncio.get_running_loop().add_signal_handler(one, self._asked_to_end, one)

    def _asked_to_end(self, which: signal.Signals) -> None:
        loop = asyncio.get_running_loop()
        for one in ENDINGS:
            # Whoever asks twice does not want to wait.
            loop.remove_signal_handler(one)
        self.ended_by = which
        if not on_terminal() and not self.is_web:
            # Nobody is there to take anything back, and writing to a terminal that has gone may never return.
            end_by(which)
        loop.call_later(_PATIENCE_S, end_by, which)
        self._leave_orderly()

    @work(group="leave")
    async def _leave_orderly(self) -> None:
        await self.keep_typed()
        self.exit(return_code=128 + (self.ended_by or signal.SIGTERM))

    def tell(self, message: str) -> None:
        """Say something where the annotator looks, without covering anything."""
        if isinstance(self.screen, Dialog):
            self.screen.say(message)
        else:
            self.say(message)

    @abstractmethod
    def say(self, message: str) -> None:
        """Say something in the line above the keys."""

    def action_say_how_to_leave(self) -> None:
        """Copy what is selected in a field; else say how one leaves."""
        field = self.focused
        selected = field.selected_text if isinstance(field, (Input, TextArea)) else ""
        if selected:
            self.copy_to_clipboard(selected)
            self.tell("Copied, if your terminal allows it.")
        else:
            self.tell("ctrl+q leaves, all is on disk; ctrl+z goes back to the shell")

    def action_suspend(self) -> None:
        """Go back to the shell until it brings us back, where there is one."""
        if self.is_web or self.is_headless or not has_shell():
            self.tell("No shell behind this could bring the review back; ctrl+q leaves")
        else:
            self.action_suspend_process()

    # Keys

    async def on_event(self, event: events.Event) -> None:
        """A key is done with before the next one is looked at: its action has run, the screen that it opens is mounted
        and has the focus, and what it decided is on disk. Textual alone would send a second key of the same read to
        the screen that was in front when both were read."""
        ours = self.takes_keys() and not event.is_forwarded
        if ours and isinstance(event, events.Key):
            self.app_focus = True
            await self._take_key(event)
            await self._your_turn.wait()
        elif ours and isinstance(event, events.Paste):
            if isinstance(self.focused, (SafeInput, DraftArea)):
                await self.focused.take_typed(event)
        else:
            await super().on_event(event)

    def takes_keys(self) -> bool:
        """Whether the screen in front is one of ours."""
        return bool(self.screen_stack) and isinstance(self.screen, OneAnswer)

    async def _take_key(self, event: events.Key) -> None:
        last = self._last_press
        repeat = last is not None and last.key == event.key and event.time - last.time < REPEAT_S
        self.press = self._last_press = Press(event.key, event.time, repeat)
        field = self.focused if isinstance(self.focused, (SafeInput, DraftArea)) else None
        try:
            await self.perform(self._act_on(event, field))
        finally:
            self.press = None

    async def _act_on(self, event: events.Key, field: SafeInput | DraftArea | None) -> None:
        if await self._check_bindings(event.key, priority=True):
            return
        if (field is None or not await field.take_typed(event)) and not await self._check_bindings(event.key):
            self.unanswered(event.key)

    def unanswered(self, key: str) -> None:
        """A key was pressed that does nothing here and now."""

    async def perform(self, action: Awaitable[object]) -> None:
        """Carry out an action; an error we raise on purpose becomes a message."""
        try:
            await action
        except BankMovedError as error:
            self.failed(error)
            self.stop_for(error)
        except (GapsmithError, sqlite3.Error) as error:
            self.failed(error)

    @abstractmethod
    def failed(self, error: GapsmithError | sqlite3.Error) -> None:
        """Tell what did not work."""

    def words_of(self, error: GapsmithError | sqlite3.Error) -> str:
        """What did not work and what to do, in a line, control characters shown."""
        if not isinstance(error, GapsmithError):
            return (
                f"the bank could not be read or written ({visible(str(error))}); what you just did is not recorded."
                " Is the disk full, or the file gone? What was recorded before is safe."
            )
        text = f"{error.message} → {error.hint}" if error.hint else error.message
        # A line has room for the words or for the path of a deep folder.
        for folder in sorted({self.folder, self.session.bank.path.parent}, key=lambda path: -len(str(path))):
            text = text.replace(f"{folder}{os.sep}", "") if folder.is_absolute() else text
        return visible(text)

    # The bank's file

    @work(exclusive=True, group="look")
    async def look_at_bank(self) -> None:
        """Find out whether the bank is still where it was, and whether others have changed it."""
        try:
            version = await self.writer.run(_looked)
        except BankMovedError as error:
            self.stop_for(error)
        except (BankError, sqlite3.Error):
            return
        else:
            self.bank_seen(version)

    def bank_seen(self, version: int) -> None:
        """The bank is there; its version changes when others change it."""

    def stop_for(self, error: BankMovedError) -> None:
        """Say in front of everything that the bank was taken away, and end once that was read. Where no copy of it could be
        saved the review stays, and tries again."""
        told, self.moved = self.moved, error
        if told is not None and (error.unsaved or not told.unsaved):
            return
        words = [error.message, error.hint]
        if typed := self._typed():
            words += ["What you typed and had not saved:", *typed]
        words = [line for part in words for line in part.splitlines()]
        self.typed_at_end = typed
        screen = TextScreen("The bank is not there any more", Text("\n\n".join(map(visible, words))))
        if not error.unsaved:
            screen.when_answered = lambda _: self.exit(return_code=error.exit_code)
        self.push_screen(screen)

    def _typed(self) -> list[str]:
        """What stands in fields and is not on disk."""
        found = self.drafts.unsaved()
        for screen in self.screen_stack:
            found += [field.words for field in (*screen.query(DraftInput), *screen.query(DraftArea)) if field.differs]
        return list(dict.fromkeys(found))

    # Flows

    def flow(self, steps: Coroutine[Any, Any, None]) -> None:
        """Carry out the steps of one command, which may ask questions with `ask`. Keys wait while it works, and reach
        the question while it asks."""
        self._begin()
        self._run_flow(steps)

    @work(group="flow")
    async def _run_flow(self, steps: Coroutine[Any, Any, None]) -> None:
        try:
            await self.perform(steps)
        finally:
            self._end()

    def _begin(self) -> None:
        self._working += 1
        self._your_turn.clear()

    def _end(self) -> None:
        self._working -= 1
        if not self._working:
            self._your_turn.set()

    @contextmanager
    def in_background(self) -> Iterator[None]:
        """Within a flow: keys are looked at although it works on."""
        self._end()
        try:
            yield
        finally:
            self._begin()

    async def patiently(self, work: Awaitable[Result]) -> Result:
        """Within a flow: wait for work that may take long; after a moment it goes on in the background."""
        task = asyncio.ensure_future(work)
        done, _ = await asyncio.wait({task}, timeout=_SOON_S)
        if not done:
            with self.in_background():
                await asyncio.wait({task})
        return task.result()

    async def written(self, job: Callable[[Session], Result]) -> Result:
        """Wait for a job of the writer; where bank or disk keep it waiting, that is said."""
        task = asyncio.ensure_future(self.writer.run(job))
        done, _ = await asyncio.wait({task}, timeout=_SILENCE_S)
        if not done:
            self.waiting()
        return await task

    async def saved(self, key: DraftKey, text: str | None, job: Callable[[Session], Result]) -> Result:
        """Wait for a job that saves what was typed in a field. Where it cannot be done, the text stays as a draft, which is
        tried again and again."""
        self.drafts.forget(key.item_id, key.field)
        try:
            return await self.written(job)
        except (GapsmithError, sqlite3.Error):
            if text:
                self.drafts.keep(key, text)
            raise

    @abstractmethod
    def waiting(self) -> None:
        """Tell that the bank is waited for."""

    async def ask(self, question: OneAnswer[Answer]) -> Answer | None:
        """Within a flow: put a question and wait for its answer; None where it was left without one."""
        answer: asyncio.Future[Answer | None] = asyncio.get_running_loop().create_future()

        def answered(given: Answer | None) -> None:
            self._begin()
            answer.set_result(given)

        question.when_answered = answered
        self.push_screen(question)
        await question.up.wait()
        self._end()
        return await answer

    async def agreed_to_edit(self, view: ReviewedItem, edited: StoredItem) -> bool:
        """Within a flow: whether an edit is to be saved. Where the item has answers in a study, or the linter would find something in
        the edit that it does not find in the item now, that is named, and the annotator decides."""
        by_words: dict[str, list[str]] = {}
        # Keys wait for it: what is typed meanwhile would be saved without having been read.
        work = asyncio.ensure_future(asyncio.to_thread(self._new_findings, view.item, edited))
        done, _ = await asyncio.wait({work}, timeout=_SOON_S)
        if not done:
            self.tell("Having the linter read the edit …")
        found = await work
        if not done:
            # It has read it: what was said is no news behind the question that may follow.
            for line in self.screen.query(StatusLine):
                line.hush()
        for one in found:
            known = view.paradigm.condition_by_name.get(one.place.condition or "")
            where = by_words.setdefault(f"{SEVERITY_SHAPES[one.severity.value]} {one.code}: {one.message}", [])
            where += [known.label] if known is not None else []
        judged = self.session.bank.review.judged_in_studies([view.item.id])
        if not by_words and not judged:
            return True
        said = [f"{words}{f' (in {listed(where)})' if where else ''}" for words, where in by_words.items()]
        more = [f"and {len(said) - _NAMED} more"] if len(said) > _NAMED else []
        top = ["The linter finds in this edit what the item does not have:"] if said else []
        study = [edit_of_judged([view.queue_row.label])] if judged else []
        question = "\n".join([*study, *top, *map(visible, said[:_NAMED]), *more])
        return await self.ask(ConfirmScreen(question, "Save anyway", "Back to editing", ready=True, unforeseen=True)) is True

    def _new_findings(self, item: StoredItem, edited: StoredItem) -> list[Finding]:
        with self.session.bank.another() as bank:
            return self.session.on_own_connection(bank).new_findings(item, edited)

    async def show(self, screen: OneAnswer[None]) -> None:
        """Put something to read in front."""
        self.push_screen(screen)
        await screen.up.wait()

    # The queue and the bank

    def draft_key(self, item_id: int, field: str, revision_id: int, original: str = "") -> DraftKey:
        """Where to keep what is typed."""
        return DraftKey(self.session, self.drafts, item_id, field, revision_id, original)

    def show_current(self, *, ours: bool = False) -> None:
        """Show the item that the queue is at; with `ours`, a changed text is the annotator's doing."""
        row = self.queue.current
        self.ours = ours
        self.current = row.id if row is not None else None

    async def keep_typed(self) -> None:
        """Put everything that stands in a field on disk, and wait for it."""
        for screen in self.screen_stack:
            for field in (*screen.query(DraftInput), *screen.query(DraftArea)):
                field.flush()
        await self.drafts.done()

    @abstractmethod
    def relint(self, item_ids: Sequence[int]) -> None:
        """Lint items again whose text has changed, if there is a linter."""

    @abstractmethod
    async def show_parse(self, item: StoredItem, paradigm: Paradigm, sentence: Sentence) -> None:
        """Parse a sentence of an item in a thread and show it."""

    @abstractmethod
    async def parsed(self, item: StoredItem, paradigm: Paradigm, sentence: Sentence) -> tuple[ParseLine, ...]:
        """The parse of a sentence of an item, made in a thread; empty where no parser is at hand. Raises `GapsmithError`."""

    def write_file(self, item: StoredItem, text: str) -> Path:
        """Write an item to a file of the workspace. Raises `GapsmithError`."""
        safe = re.sub(r"[^\w.-]+", "_", f"{self.session.source(item)}-{item.label}".replace("/", "-"))[:80]
        path = self.folder / "items" / f"{safe}.txt"
        try:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            raise GapsmithError(f"{path}: cannot be written ({error.strerror})") from None
        return path


def _looked(session: Session) -> int:
    # Over the writer's connection, whose version does not change by what it writes itself.
    session.bank.look()
    return session.bank.review.version()
