"""The review application: two screens over one deck, and what both need from outside."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sqlite3
import sys
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from rich.text import Text
from textual import events, on, work
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.command import CommandPalette
from textual.message import Message
from textual.screen import Screen

from bank import Bank, StoredItem
from bank.review import QueueRow
from templates.errors import GapsmithError
from vetting.review.cells import Seg
from vetting.review.deck import Deck
from vetting.review.desk import Desk
from vetting.review.display import visible
from vetting.review.filters import Query
from vetting.review.grid import Line
from vetting.review.parsing import ParseLine, Parser
from vetting.tui.base import ReviewScreen
from vetting.tui.dialogs import OneAnswer, TextScreen
from vetting.tui.drafts import DraftArea, SafeInput
from vetting.tui.item_screen import ItemScreen
from vetting.tui.keymap import COMMANDS, changed_keys, key_label, load_keys
from vetting.tui.queue_screen import QueueScreen
from vetting.tui.styles import lines_text, palette

__all__ = ["ReviewApp"]

_POLL_S = 2.0
_BUSY_MS = 3000
_THEME = "textual-dark"
Answer = TypeVar("Answer")


class ReviewApp(App[None]):
    """`gapsmith review`."""

    CSS_PATH = "review.tcss"
    TITLE = "gapsmith review"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "quit", "leave", priority=True),
        Binding("f1", "help", "help", show=False),
    ]
    ENABLE_COMMAND_PALETTE = True

    @dataclass
    class BankChanged(Message):
        """Another window or program has written to the bank; the rows as they are now."""

        rows: dict[int, QueueRow]

    @dataclass
    class TextMade(Message):
        """A text to show in a window that is waiting for it."""

        screen: TextScreen
        lines: Sequence[Line]

    @dataclass
    class Relinted(Message):
        """Items were linted again."""

        item_ids: tuple[int, ...]

    def __init__(
        self,
        desk: Desk,
        *,
        query: Query | None = None,
        order: str | None = None,
        keys: Mapping[str, Sequence[str]] | None = None,
        parser: Parser | None = None,
        folder: Path | None = None,
    ) -> None:
        self._no_color = "NO_COLOR" in os.environ
        super().__init__()
        self.HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (120, "-wide")]
        self.VERTICAL_BREAKPOINTS = [(0, "-low"), (34, "-high")]
        self.animation_level = "none"
        self.desk = desk
        # A screen should rather say that the bank is busy than stand still for half a minute.
        desk.bank.db.execute(f"PRAGMA busy_timeout = {_BUSY_MS}")
        self.deck = Deck(desk, query, order or desk.habit("order", "came"))
        self.keys = dict(keys) if keys is not None else load_keys([])
        self.parser = parser
        self.folder = folder or desk.bank.path.parent
        self._version = desk.bank.review.version()
        self._had_terminal = _on_terminal() and hasattr(signal, "SIGHUP")
        self._items: ItemScreen | None = None
        self._queue: QueueScreen | None = None
        self._your_turn = asyncio.Event()
        """Set while no flow is at work: then the next key is looked at."""
        self._your_turn.set()
        self._flowing = False

    def on_mount(self) -> None:
        """Open at the first item that waits for a decision."""
        self.theme = self._own_theme()
        self.theme_changed_signal.subscribe(self, lambda theme: self._keep_theme(theme.name))
        self.set_keymap(changed_keys(self.keys))
        self.deck.load()
        self._items, self._queue = ItemScreen(self.deck), QueueScreen(self.deck)
        # Installed screens stay as they are while the other one is in front.
        self.install_screen(self._items, "item")
        self.install_screen(self._queue, "queue")
        if self.deck.current is not None and not self.desk.undecided(self.deck.current):
            self.deck.next_undecided()
        self.push_screen(self._items if self.deck.rows else self._queue)
        self.set_interval(_POLL_S, self._look_for_changes)

    def _own_theme(self) -> str:
        theme = self.desk.habit("theme", _THEME)
        known = self.available_themes.get(theme)
        # Themes made of the terminal's own colours turn black on black without colour.
        if known is None or (self._no_color and known.ansi):
            return _THEME
        return theme

    def _keep_theme(self, name: str) -> None:
        if self.desk.bank.review.habit(self.desk.author, "theme") != name:
            self.desk.bank.review.set_habit(self.desk.author, "theme", name)

    def get_key_display(self, binding: Binding) -> str:
        """Keys as our help writes them."""
        return key_label(_character(binding.key.split(",")[0]))

    @property
    def review_screen(self) -> ReviewScreen | None:
        """The item screen or the queue, whichever is in front or behind a dialog."""
        return next((s for s in reversed(self.screen_stack) if isinstance(s, ReviewScreen)), None)

    def show_queue(self) -> None:
        """Go to the queue."""
        if self._queue is not None:
            self.switch_screen(self._queue)

    def show_item(self) -> None:
        """Go to the current item."""
        if self._items is not None:
            self.switch_screen(self._items)

    # Keys, one after the other

    async def on_event(self, event: events.Event) -> None:
        """A key is done with before the next one is looked at: its action has run, the screen that it opens is mounted
        and has the focus, and what it decided is on disk. Textual alone would send a second key of the same read to
        the screen that was in front when both were read."""
        ours = isinstance(self.screen_stack[-1], (ReviewScreen, OneAnswer)) if self.screen_stack else False
        if not ours or event.is_forwarded or not isinstance(event, (events.Key, events.Paste)):
            await super().on_event(event)
            return
        self.app_focus = True
        field = self.focused if isinstance(self.focused, (SafeInput, DraftArea)) else None
        if isinstance(event, events.Paste):
            if field is not None:
                await field.take_typed(event)
        elif not (
            await self._check_bindings(event.key, priority=True)
            or (field is not None and await field.take_typed(event))
        ):
            await self._check_bindings(event.key)
        await self._your_turn.wait()

    def flow(self, steps: Coroutine[Any, Any, None]) -> None:
        """Carry out the steps of one command, which may ask questions with `ask`. Keys wait while it works, and reach
        the question while it asks. Errors we raise on purpose become a message."""
        if self._flowing:
            steps.close()
            return
        self._flowing = True
        self._your_turn.clear()
        self._run_flow(steps)

    @work(group="flow")
    async def _run_flow(self, steps: Coroutine[Any, Any, None]) -> None:
        try:
            await steps
        except (GapsmithError, sqlite3.Error) as error:
            if self.review_screen is not None:
                self.review_screen.say_failed(error)
        finally:
            self._flowing = False
            self._your_turn.set()

    async def ask(self, question: OneAnswer[Answer]) -> Answer | None:
        """Put a question from within a flow and wait for its answer; None where it was left without one."""
        answer: asyncio.Future[Answer | None] = asyncio.get_running_loop().create_future()

        def answered(given: Answer | None) -> None:
            self._your_turn.clear()
            answer.set_result(given)

        question.when_answered = answered
        self.push_screen(question)
        await question.up.wait()
        self._your_turn.set()
        return await answer

    async def show(self, screen: OneAnswer[None]) -> None:
        """Put something to read in front."""
        self.push_screen(screen)
        await screen.up.wait()

    # Other windows

    def _look_for_changes(self) -> None:
        if self._had_terminal and not _on_terminal():
            # The terminal went away without a hang-up, as when a remote connection breaks. All is on disk: end like
            # one that was hung up on, instead of waiting for keys for ever.
            signal.raise_signal(signal.SIGHUP)
        version = self.desk.bank.review.version()
        if version != self._version:
            self._version = version
            self._read_changes()

    @work(thread=True, exclusive=True, group="watch")
    def _read_changes(self) -> None:
        with Bank.open(self.desk.bank.path) as bank:
            rows = self.desk.on_own_connection(bank).rows()
        self.post_message(self.BankChanged({row.id: row for row in rows}))

    @on(BankChanged)
    def _bank_changed(self, event: BankChanged) -> None:
        self.desk.refresh()
        self.deck.renew(event.rows)
        if isinstance(self.screen, ReviewScreen):
            self.screen.refresh_view()

    # Slow work

    def relint(self, item_ids: Sequence[int]) -> None:
        """Lint items again whose text has changed, if there is a linter."""
        if self.desk.relint is not None and item_ids:
            self._relint(tuple(item_ids))

    @work(thread=True, group="lint")
    def _relint(self, item_ids: tuple[int, ...]) -> None:
        assert self.desk.relint is not None
        with Bank.open(self.desk.bank.path) as bank:
            stale = [i for i in item_ids if bank.review.linted_revision(i) != bank.review.revision_of(i)]
            if stale:
                self.desk.relint(bank, stale)
        self.post_message(self.Relinted(item_ids))

    @on(Relinted)
    def _relinted(self, event: Relinted) -> None:
        self._version = self.desk.bank.review.version()
        self.deck.update(event.item_ids)
        if self.review_screen is not None:
            self.review_screen.refresh_view()

    async def show_parse(self, sentence: str) -> None:
        """Parse a sentence in a thread and show it."""
        screen = TextScreen("Parse", Text("Parsing …"))
        await self.show(screen)
        self._parse(sentence, screen)

    @work(thread=True, exclusive=True, group="parse")
    def _parse(self, sentence: str, screen: TextScreen) -> None:
        if self.parser is None:
            lines = [Line((Seg("No parser is at hand here."),))]
        else:
            try:
                lines = parse_lines(sentence, self.parser(sentence))
            except GapsmithError as error:
                lines = [Line((Seg(visible(part)),)) for part in (error.message, error.hint) if part]
        self.post_message(self.TextMade(screen, lines))

    async def show_annotators(self) -> None:
        """Show who is how far, and for those who may see it, agreement."""
        screen = TextScreen("Annotators", Text("Counting …"))
        await self.show(screen)
        self._count_annotators(screen)

    @work(thread=True, exclusive=True, group="count")
    def _count_annotators(self, screen: TextScreen) -> None:
        # Imported when it is asked for, because it brings numpy with it.
        from vetting.agreement_report import agreement_lines, progress_lines

        scope = self.desk.scope
        row = self.deck.current
        sighted = row is not None and self.desk.sighted(row)
        with Bank.open(self.desk.bank.path) as bank:
            lines = progress_lines(bank, paradigm=scope.paradigm, dataset=scope.dataset)
            if sighted:
                lines += ["", *agreement_lines(bank, paradigm=scope.paradigm, dataset=scope.dataset)]
            else:
                lines += ["", "How far you agree is shown once you have locked (L)."]
        self.post_message(self.TextMade(screen, [Line((Seg(visible(line)),)) for line in lines]))

    @on(TextMade)
    def _text_made(self, event: TextMade) -> None:
        # The window may have been closed before its text was ready.
        if event.screen in self.screen_stack:
            event.screen.put(lines_text(event.lines, palette(self)))

    # Help, palette, files

    async def action_help(self) -> None:
        """F1 outside of the review screens: on dialogs and editors."""
        await self.show_help()

    async def action_command_palette(self) -> None:  # type: ignore[override]  # actions may be awaited
        """Open the palette, and wait until letters reach it."""
        if self.use_command_palette and not any(isinstance(screen, CommandPalette) for screen in self.screen_stack):
            await self.push_screen(CommandPalette(id="--command-palette"))

    async def show_help(self) -> None:
        """Explain the focused panel, then every key of this place."""
        styles = palette(self)
        text = Text()
        for widget in (self.focused, self.screen):
            help_text = getattr(widget, "help_text", "")
            if help_text:
                text.append(f"{getattr(widget, 'help_title', '')}\n", styles["title"])
                text.append(f"{help_text}\n\n")
                break
        place = "queue" if isinstance(self.screen, QueueScreen) else "item"
        text.append(f"Keys ({'the queue' if place == 'queue' else 'an item'})\n", styles["title"])
        for command in COMMANDS:
            if place in command.places:
                shown = " ".join(key_label(key) for key in self.keys[command.name])
                text.append(f"{shown:>12}  ", styles["selected"])
                text.append(command.help)
                text.append(f" {command.name}\n", styles["note"])
        text.append(f"{'ctrl+p':>12}  ", styles["selected"])
        text.append("The command palette: everything by name, and themes.\n")
        text.append(
            'Other keys: write a keys.toml in the workspace with the names in grey, for example  accept = "y"',
            styles["note"],
        )
        await self.show(TextScreen("Help", text))

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Everything that can be done here, by name."""
        if isinstance(screen, ReviewScreen):
            place = "queue" if isinstance(screen, QueueScreen) else "item"
            for command in COMMANDS:
                if place in command.places and command.name != "quit":
                    keys = " ".join(key_label(key) for key in self.keys[command.name])
                    title = f"{command.title[:1].upper()}{command.title[1:]} ({keys})"
                    yield SystemCommand(title, command.help, _runner(screen, command.name))
            for title, line in _FILTERS.items():
                yield SystemCommand(title, f"Filter the queue by {line or 'nothing'}", _filterer(screen, line))
        yield SystemCommand("Theme", "Change the colours; remembered for you", self.action_change_theme)
        yield SystemCommand("Quit", "Leave; everything is saved already", self.action_quit)

    def write_file(self, item: StoredItem, text: str) -> Path:
        """Write an item to a file of the workspace. Raises `GapsmithError`."""
        safe = re.sub(r"[^\w.-]+", "_", f"{item.paradigm}-{item.dataset}-{item.label}")[:80]
        path = self.folder / "items" / f"{safe}.txt"
        try:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        except OSError as error:
            raise GapsmithError(f"{path}: cannot be written ({error})") from None
        return path


_FILTERS = {
    "Show everything": "",
    "Show what is undecided": "status:undecided",
    "Show what has errors": "severity:error",
    "Show what has warnings or errors": "severity:warning",
    "Show what is flagged": "status:flagged",
    "Show what is excluded": "status:excluded",
    "Show what is disputed": "status:disputed",
    "Show what was edited since I decided": "status:outdated",
    "Show what I commented": "status:commented",
}


def _runner(screen: ReviewScreen, name: str) -> Callable[[], Coroutine[Any, Any, None]]:
    return lambda: screen.action_do(name)


def _filterer(screen: ReviewScreen, line: str) -> Callable[[], None]:
    return lambda: screen.guarded(lambda: screen.narrow(line))


def parse_lines(sentence: str, words: Sequence[ParseLine]) -> list[Line]:
    """A parse as an indented tree in reading order."""
    lines = [Line((Seg(visible(sentence), ("selected",)),)), Line((Seg(""),))]
    width = max((len(word.word) + 2 * word.depth for word in words), default=0)
    for word in words:
        shown = "  " * word.depth + visible(word.word)
        head = f" of {visible(word.head)}" if word.head else ""
        lines.append(
            Line((Seg(f"{shown:<{width + 2}}"), Seg(f"{word.tag:<7}", ("label",)), Seg(f"{word.relation}{head}")))
        )
    return lines


def _on_terminal() -> bool:
    stream = sys.__stdin__
    return stream is not None and not stream.closed and stream.isatty()


_CHARACTERS = {
    "question_mark": "?",
    "asterisk": "*",
    "slash": "/",
    "comma": ",",
    "full_stop": ".",
    "equals_sign": "=",
    "plus": "+",
    "minus": "-",
}


def _character(key: str) -> str:
    return _CHARACTERS.get(key, key)
