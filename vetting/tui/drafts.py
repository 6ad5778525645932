"""Fields whose text is on disk while it is being typed, so that neither a kill nor a second window loses it."""

from __future__ import annotations

import asyncio
import sqlite3
from abc import abstractmethod
from concurrent.futures import Future
from dataclasses import dataclass

from textual import events, on
from textual.message_pump import MessagePump
from textual.timer import Timer
from textual.widgets import Input, TextArea

from gapsmith.bank import BankError, BankMovedError
from gapsmith.vetting.review.display import defused
from gapsmith.vetting.review.session import Session
from gapsmith.vetting.tui.writer import Writer

_DELAY_S = 0.25


class DraftKeeper:
    """Puts drafts on disk, and tries again while the bank is busy, also when the field is gone."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._waiting: dict[tuple[int, str], str | None] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def keep(self, key: DraftKey, text: str) -> None:
        """Put the text on disk soon, in place of what waits there."""
        self._waiting[key.item_id, key.field] = text
        # In the line at once: what is saved a moment later discards the draft after it was written, not before.
        first = self._writer.submit(lambda session: key.write(session, text))
        task = asyncio.get_running_loop().create_task(self._see_through(key, text, first))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def forget(self, item_id: int, field: str) -> None:
        """What was typed there has been saved or thrown away: write nothing any more."""
        self._waiting.pop((item_id, field), None)

    def waiting(self, item_id: int, field: str) -> str | None:
        """What could not be put on disk so far; None where all could."""
        return self._waiting.get((item_id, field))

    def unsaved(self) -> list[str]:
        """Every text that is not on disk."""
        return [text for text in self._waiting.values() if text]

    async def done(self) -> None:
        """Wait for everything that is on its way to the disk."""
        if self._tasks:
            await asyncio.wait(set(self._tasks), timeout=_DELAY_S * 20)

    async def _see_through(self, key: DraftKey, text: str, attempt: Future[None]) -> None:
        field = (key.item_id, key.field)
        while True:
            try:
                await asyncio.wrap_future(attempt)
                break
            except BankMovedError as error:
                if error.unsaved:
                    await asyncio.sleep(_DELAY_S)
                else:
                    # Nothing is written to this bank any more; the text is told when the review ends.
                    return
            except (BankError, sqlite3.Error):
                await asyncio.sleep(_DELAY_S)
            if self._waiting.get(field) != text:
                return
            attempt = self._writer.submit(lambda session: key.write(session, text))
        if self._waiting.get(field) == text:
            del self._waiting[field]


@dataclass(frozen=True, slots=True)
class DraftKey:
    """Where a draft is kept: in whose session, for which item and field, typed over which revision."""

    session: Session
    keeper: DraftKeeper
    item_id: int
    field: str
    revision_id: int
    original: str = ""
    """What the field held before anybody typed; a draft equal to it is none."""

    def restored(self) -> str | None:
        """The text of an earlier draft, or None."""
        if (waiting := self.keeper.waiting(self.item_id, self.field)) is not None:
            return waiting
        drafts = self.session.bank.review.drafts(self.session.author, self.item_id)
        return next((draft.text for draft in drafts if draft.field == self.field), None)

    def write(self, session: Session, text: str) -> None:
        """Put the text on disk over the connection of a session."""
        review = session.bank.review
        if text == self.original:
            review.discard_drafts(session.author, self.item_id, [self.field])
        else:
            review.save_draft(session.author, self.item_id, self.field, text, self.revision_id)


class SafeInput(Input):
    """One line in which pasted control characters become visible codes."""

    async def take_typed(self, event: events.Key | events.Paste) -> bool:
        """Take what was typed or pasted now, not when its turn comes in a queue of messages; whether it was for us."""
        if isinstance(event, events.Paste):
            self._on_paste(event)
            return True
        if event.is_printable:
            await self._on_key(event)
        return event.is_printable

    @on(Input.Changed)
    def _defuse(self) -> None:
        if (safe := defused(self.value)) != self.value:
            self.value = safe


class _Drafted:
    """What the two kinds of fields have in common. No widget itself: the styles of a field go by its first base."""

    draft: DraftKey
    was_restored: bool
    _kept: str
    """What is on disk, or on its way there."""
    _pending: Timer | None

    def _take_up(self, key: DraftKey) -> None:
        restored = key.restored()
        self.draft, self._pending, self.was_restored = key, None, restored is not None
        self._kept = restored if restored is not None else key.original

    @property
    @abstractmethod
    def words(self) -> str:
        """What stands in the field, as it may be kept."""

    def _flush_soon(self, field: MessagePump) -> None:
        if self._pending is not None:
            self._pending.stop()
        self._pending = field.set_timer(_DELAY_S, self.flush)

    def flush(self) -> None:
        """Put the text on disk at once, also what was typed in the same read as the key that leaves."""
        if self._pending is not None:
            self._pending.stop()
            self._pending = None
        if (text := self.words) != self._kept:
            self._kept = text
            self.draft.keeper.keep(self.draft, text)

    @property
    def differs(self) -> bool:
        """Whether something else stands here than before anybody typed."""
        return self.words != self.draft.original


class DraftInput(_Drafted, SafeInput):
    """One line with a draft."""

    def __init__(self, key: DraftKey, *, placeholder: str = "", id: str | None = None) -> None:
        self._take_up(key)
        super().__init__(
            self._kept,
            placeholder=placeholder,
            id=id,
            compact=True,
            select_on_focus=False,
        )

    @on(Input.Changed)
    def _changed(self) -> None:
        self._flush_soon(self)

    @property
    def words(self) -> str:
        """What stands in the field, as it may be kept."""
        return defused(self.value)


class DraftArea(_Drafted, TextArea):
    """Several lines with a draft. Tab leaves the field."""

    def __init__(self, key: DraftKey, *, id: str | None = None) -> None:
        self._take_up(key)
        super().__init__(
            self._kept,
            soft_wrap=True,
            tab_behavior="focus",
            show_line_numbers=False,
            id=id,
        )

    async def take_typed(self, event: events.Key | events.Paste) -> bool:
        """Take what was typed or pasted now, not when its turn comes in a queue of messages; whether it was for us."""
        if isinstance(event, events.Paste):
            await self._on_paste(event)
            return True
        ours = event.is_printable or event.key == "enter"
        if ours:
            await self._on_key(event)
        return ours

    @on(TextArea.Changed)
    def _changed(self) -> None:
        if (safe := defused(self.text)) != self.text:
            self.text = safe
        self._flush_soon(self)

    @property
    def words(self) -> str:
        """What stands in the field, as it may be kept."""
        return defused(self.text)
