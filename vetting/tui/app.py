"""The review application: the screens over one queue, and what they need from outside."""

from __future__ import annotations

import asyncio
import gc
import signal
import sqlite3
import sys
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from rich.console import Group
from rich.table import Table
from rich.text import Text
from textual import on, work
from textual.app import SystemCommand
from textual.binding import Binding, BindingType
from textual.command import CommandPalette
from textual.message import Message
from textual.screen import Screen
from textual.theme import Theme

from gapsmith.bank import BankError, BankMovedError, QueueRow, StoredItem
from gapsmith.templates import GapsmithError, Paradigm, Sentence, count
from gapsmith.vetting.review.display import visible
from gapsmith.vetting.review.grid import Line
from gapsmith.vetting.review.parsing import ParseLine
from gapsmith.vetting.review.region_text import Seg
from gapsmith.vetting.tui.bars import StatusLine
from gapsmith.vetting.tui.dialogs import OneAnswer, TextScreen
from gapsmith.vetting.tui.edit_screen import EditScreen
from gapsmith.vetting.tui.frame import POLL_S, WAITING, ReviewFrame, on_terminal
from gapsmith.vetting.tui.group_screen import GroupScreen
from gapsmith.vetting.tui.item_screen import ItemScreen
from gapsmith.vetting.tui.item_texts import parse_lines
from gapsmith.vetting.tui.keymap import COMMANDS, PLACES, action_of, changed_keys, key_label
from gapsmith.vetting.tui.queue_screen import QueueScreen
from gapsmith.vetting.tui.review_screen import ReviewScreen
from gapsmith.vetting.tui.signs import SIGNS
from gapsmith.vetting.tui.styles import lines_text, palette
from gapsmith.vetting.tui.triage_screen import TriageScreen

_RELINTED = 100
"""After the undo of a decision on more items than this, nobody's text has changed."""
_THEME = "textual-dark"
_GARBAGE = (20_000, 20, 100)
"""After so many new objects garbage is looked for among the newest, and after so many times of that among the older ones."""
_TURN_S = 0.0005
"""A thread lets another have its turn after so long; Python's own 5 ms would add up."""


class ReviewApp(ReviewFrame):
    """`gapsmith review`."""

    CSS_PATH = "review.tcss"
    TITLE = "gapsmith review"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "leave", "leave", priority=True),
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

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (120, "-wide"), (160, "-broad")]
        self.VERTICAL_BREAKPOINTS = [(0, "-low"), (34, "-high"), (56, "-tall")]
        self.animation_level = "none"
        self._version = 0
        self._shown: int | None = None
        self._had_terminal = on_terminal() and hasattr(signal, "SIGHUP")

    async def on_mount(self) -> None:
        """Open at the first item that waits for a decision."""
        self.mind_signals()
        self.theme = self._own_theme()
        self.theme_changed_signal.subscribe(self, self._theme_changed)
        self.set_keymap(changed_keys(self.keys))
        # Read before the queue, so that no change falls between the two.
        self._version = await self.writer.run(lambda session: session.bank.review.version())
        self.queue.load()
        if not self.is_headless:
            # What is here after the first picture stays to the end. Looking for garbage among ten thousand rows would keep one key
            # in twenty waiting, and looking a dozen times for each key costs a tenth of it.
            self.call_after_refresh(gc.freeze)
            gc.set_threshold(*_GARBAGE)
            # A key is drawn in many small steps, and would wait before each of them for a thread that parses or lints.
            sys.setswitchinterval(_TURN_S)
        # Installed screens stay as they are while the other one is in front.
        self.install_screen(ItemScreen(), "item")
        self.install_screen(QueueScreen(), "queue")
        self.install_screen(TriageScreen(), "triage")
        if self.queue.current is not None and not self.session.undecided(self.queue.current):
            self.queue.next_undecided()
        self.push_screen("item" if self.queue.rows else "queue")
        self.set_interval(POLL_S, self._look_for_changes)

    def on_unmount(self) -> None:
        """Finish what is on its way to the disk."""
        self.writer.close()

    def _own_theme(self) -> str:
        theme = self.session.habit("theme", _THEME)
        known = self.available_themes.get(theme)
        # Themes made of the terminal's own colours turn black on black without colour.
        if known is None or (self.without_colour and known.ansi):
            return _THEME
        return theme

    def _theme_changed(self, theme: Theme) -> None:
        self._keep_theme(theme.name)
        self._show_changes()

    @work(group="habit")
    async def _keep_theme(self, name: str) -> None:
        if self.session.habit("theme", _THEME) != name:
            await self.writer.run(lambda session: session.set_habit("theme", name))

    def get_key_display(self, binding: Binding) -> str:
        """Keys as our help writes them."""
        return key_label(_character(binding.key.split(",")[0]))

    @property
    def review_screen(self) -> ReviewScreen:
        """The item screen or the queue, whichever is in front or behind a dialog."""
        return next(screen for screen in reversed(self.screen_stack) if isinstance(screen, ReviewScreen))

    def takes_keys(self) -> bool:
        """Whether the screen in front is one of ours."""
        return bool(self.screen_stack) and isinstance(self.screen, (ReviewScreen, OneAnswer))

    def watch_current(self) -> None:
        """Show the item that the review is at; what was said of another one is not news any more."""
        if isinstance(self.screen, ReviewScreen):
            if self.current != self._shown:
                self._shown = self.current
                self.screen.query_one(StatusLine).hush()
            self.screen.refresh_view(ours=self.ours)

    def post_display_hook(self) -> None:
        """What was drawn has gone to the terminal."""
        if self.screen_stack and isinstance(self.screen, (ReviewScreen, GroupScreen)):
            self.screen.displayed()

    def failed(self, error: GapsmithError | sqlite3.Error) -> None:
        """Tell what did not work, where the annotator looks."""
        if isinstance(self.screen, EditScreen):
            self.screen.say(self.words_of(error))
            return
        screen = self.review_screen
        screen.failed()
        screen.say_error(error)

    def unanswered(self, key: str) -> None:
        """Say why a key whose command is greyed out does nothing."""
        screen = self.screen
        active = screen.active_bindings.get(key) if isinstance(screen, ReviewScreen) else None
        if isinstance(screen, ReviewScreen) and active is not None and not active.enabled:
            screen.say(screen.why_not(active.binding.action))

    def waiting(self) -> None:
        """Tell that the bank is waited for."""
        self.say(WAITING)

    def say(self, message: str) -> None:
        """Say something in the line above the keys."""
        if isinstance(self.screen, EditScreen):
            self.screen.say(message, problem=False)
        else:
            self.review_screen.say(message)

    # Other windows

    def _look_for_changes(self) -> None:
        if self._had_terminal and not on_terminal():
            # The terminal went away without a hang-up, as when a remote connection breaks. All is on disk: end like
            # one that was hung up on, instead of waiting for keys for ever.
            signal.raise_signal(signal.SIGHUP)
        self.look_at_bank()

    def bank_seen(self, version: int) -> None:
        """Read the rows again that others have changed."""
        known, self._version = self._version, version
        if known != version:
            self._read_changes()

    @work(thread=True, exclusive=True, group="watch")
    def _read_changes(self) -> None:
        try:
            with self.session.bank.another() as bank:
                rows = self.session.on_own_connection(bank).rows()
        except (BankError, sqlite3.Error):
            # The next look says of a bank what is wrong with it, or reads again.
            self._version = -1
            return
        self.post_message(self.BankChanged({row.id: row for row in rows}))

    @on(BankChanged)
    def _bank_changed(self, event: BankChanged) -> None:
        named = self.session.names_sets
        self.session.refresh()
        gone = self.queue.renew(event.rows)
        if self.session.names_sets != named:
            # Another window has locked, or unlocked.
            self.queue.name_anew()
        self._show_changes()
        if gone:
            who = self.session.bank.gate.lead or "who leads"
            self.say(
                f"{count(gone, 'item')} {'is' if gone == 1 else 'are'} not yours to read any more: {who} has shared items out anew."
                " What you decided on them stays."
            )

    # Slow work

    def relint(self, item_ids: Sequence[int]) -> None:
        """Lint items again whose text has changed, if there is a linter."""
        if self.session.relint is not None and item_ids:
            self._relint(tuple(item_ids[:_RELINTED]))

    @work(thread=True, group="lint")
    def _relint(self, item_ids: tuple[int, ...]) -> None:
        assert self.session.relint is not None
        try:
            with self.session.bank.another() as bank:
                stale = [i for i in item_ids if bank.review.linted_revision(i) != bank.review.revision_of(i)]
                if stale:
                    self.session.relint(bank, stale)
        except BankMovedError:
            # The next look says so.
            return
        self.post_message(self.Relinted(item_ids))

    @on(Relinted)
    def _relinted(self, event: Relinted) -> None:
        self.queue.update(event.item_ids)
        self._show_changes()

    def _show_changes(self) -> None:
        # What comes from a thread may come when the screens are being taken down, and some of their parts are gone.
        if not self.is_running:
            return
        for screen in reversed(self.screen_stack):
            if isinstance(screen, ReviewScreen):
                screen.refresh_view()
                return

    async def show_parse(self, item: StoredItem, paradigm: Paradigm, sentence: Sentence) -> None:
        """Parse a sentence of an item in a thread and show it."""
        screen = TextScreen("Parse", Text("Parsing …"))
        await self.show(screen)
        self._parse(item, paradigm, sentence, screen)

    @work(thread=True, exclusive=True, group="parse")
    def _parse(self, item: StoredItem, paradigm: Paradigm, sentence: Sentence, screen: TextScreen) -> None:
        if self.parser is None:
            lines = [Line((Seg("No parser is at hand here."),))]
        else:
            try:
                with self.session.bank.another(derived=True) as bank:
                    lines = parse_lines(sentence.text, self.parser(bank, item, paradigm, sentence))
            except GapsmithError as error:
                lines = [Line((Seg(visible(part)),)) for part in (error.message, error.hint) if part]
        self.post_message(self.TextMade(screen, lines))

    async def parsed(self, item: StoredItem, paradigm: Paradigm, sentence: Sentence) -> tuple[ParseLine, ...]:
        """The parse of a sentence of an item, made in a thread; empty where no parser is at hand."""
        parser = self.parser
        if parser is None:
            return ()

        def parse() -> tuple[ParseLine, ...]:
            with self.session.bank.another(derived=True) as bank:
                return tuple(parser(bank, item, paradigm, sentence))

        return await asyncio.to_thread(parse)

    async def action_annotators(self) -> None:
        """Show how far and how fast the annotator is; to those who may see it, the others too, and agreement."""
        screen = TextScreen("Pace and progress", Text("Counting …"))
        await self.show(screen)
        self._count_annotators(screen)

    @work(thread=True, exclusive=True, group="count")
    def _count_annotators(self, screen: TextScreen) -> None:
        # Imported when it is asked for, because it brings numpy with it.
        from gapsmith.vetting.agreement_pages import agreement_lines, progress_lines

        scope = self.session.scope
        row = self.queue.current
        sees_others = row is not None and self.session.sees_others(row)
        left = len(self.queue.rows) - self.queue.decided
        lines = [*self.pace.lines(left), ""]
        try:
            with self.session.bank.another() as opened:
                bank = self.session.on_own_connection(opened).bank
                only = None if sees_others else self.session.author
                lines += progress_lines(bank, paradigm=scope.paradigm, dataset=scope.dataset, only=only)
                if sees_others:
                    lines += ["", *agreement_lines(bank, paradigm=scope.paradigm, dataset=scope.dataset)]
                else:
                    lines += ["", "How far others are, and how far you agree, is shown once you have locked (L)."]
        except BankMovedError as error:
            lines += [error.message, error.hint]
        self.post_message(self.TextMade(screen, [Line((Seg(visible(line)),)) for line in lines]))

    @on(TextMade)
    def _text_made(self, event: TextMade) -> None:
        # The window may have been closed before its text was ready.
        if event.screen in self.screen_stack:
            event.screen.put(lines_text(event.lines, palette(self)))

    # Help, palette, files

    async def action_leave(self) -> None:
        """Leave, with what stands in a field on disk."""
        await self.keep_typed()
        self.exit()

    async def action_command_palette(self) -> None:  # type: ignore[override]  # actions may be awaited
        """Open the palette, and wait until letters reach it."""
        if self.use_command_palette and not any(isinstance(screen, CommandPalette) for screen in self.screen_stack):
            await self.push_screen(CommandPalette(id="--command-palette"))

    async def action_help(self) -> None:
        """Explain the focused panel, then every key of this place."""
        styles = palette(self)
        about, text = Text(), Text()
        for widget in (self.focused, self.screen):
            help_text = getattr(widget, "help_text", "")
            if help_text:
                about.append(f"{getattr(widget, 'help_title', '')}\n", styles["title"])
                about.append(f"{help_text}\n")
                break
        place = self.review_screen.name_of_place
        about.append(f"\nKeys ({PLACES[place]})", styles["title"])
        keys = Table.grid(padding=(0, 2, 0, 0))
        keys.add_column(justify="right", no_wrap=True, style=styles["selected"])
        keys.add_column()
        for command in COMMANDS:
            if place in command.places:
                shown = " ".join(key_label(key) for key in self.keys[command.name])
                keys.add_row(shown, Text.assemble(f"{command.help} ", (command.name, styles["note"])))
        keys.add_row("ctrl+p", "The command palette: everything by name, and themes.")
        keys.add_row("ctrl+z", "Back to the shell; fg comes back here.")
        signs = Table.grid(padding=(0, 2, 0, 0))
        signs.add_column(justify="right", no_wrap=True, style=styles["selected"])
        signs.add_column()
        for sign, meaning in SIGNS.items():
            signs.add_row(Text(sign), Text(meaning))
        text.append(
            'Other keys: write a keys.toml in the workspace with the names in grey, for example  approve = "y"',
            styles["note"],
        )
        await self.show(TextScreen("Help", Group(about, keys, text, Text("\nSigns", styles["title"]), signs)))

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Everything that can be done here, by name."""
        if isinstance(screen, ReviewScreen):
            place = screen.name_of_place
            for command in COMMANDS:
                if place in command.places and command.name not in {"leave", "look_first"}:
                    keys = " ".join(key_label(key) for key in self.keys[command.name])
                    title = f"{command.title[:1].upper()}{command.title[1:]} ({keys})"
                    yield SystemCommand(title, command.help, self._runner(screen, command.name))
            for title, line in _FILTERS.items():
                yield SystemCommand(title, f"Filter the queue by {line or 'nothing'}", self._filterer(screen, line))
        yield SystemCommand("Theme", "Change the colours; remembered for you", self.action_change_theme)
        yield SystemCommand("Quit", "Leave; everything is saved already", self.action_leave)

    def _runner(self, screen: ReviewScreen, name: str) -> Callable[[], Awaitable[None]]:
        return lambda: self.perform(screen.run_action(action_of(name)))

    def _filterer(self, screen: ReviewScreen, line: str) -> Callable[[], None]:
        return lambda: self.flow(screen.narrow(line))


_FILTERS = {
    "Show everything": "",
    "Show what is undecided": "status:undecided",
    "Show what has errors": "severity:error",
    "Show what has warnings or errors": "severity:warning",
    "Show what is flagged": "status:flagged",
    "Show what is excluded": "status:excluded",
    "Show what is disputed": "status:disputed",
    "Show what was edited since I decided": "status:outdated",
    "Show what has remarks (before adjudication, your own)": "status:commented",
}


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
