"""Fields whose text is on disk while it is being typed, so that neither a kill nor a second window loses it."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from textual import events, on
from textual.timer import Timer
from textual.widgets import Input, TextArea

from bank import BankError
from vetting.review.desk import Desk
from vetting.review.display import defused

__all__ = ["DraftArea", "DraftInput", "DraftPlace", "SafeInput"]

_DELAY_S = 0.25


@dataclass(frozen=True, slots=True)
class DraftPlace:
    """Where a draft is kept: on whose desk, for which item and field, typed over which revision."""

    desk: Desk
    item_id: int
    field: str
    revision_id: int
    original: str = ""
    """What the field held before anybody typed; a draft equal to it is none."""

    def restored(self) -> str | None:
        """The text of an earlier draft, or None."""
        drafts = self.desk.bank.review.drafts(self.desk.author, self.item_id)
        return next((draft.text for draft in drafts if draft.field == self.field), None)

    def keep(self, text: str) -> bool:
        """Put the text on disk now; whether that could be done."""
        review = self.desk.bank.review
        try:
            if text == self.original:
                review.discard_drafts(self.desk.author, self.item_id, [self.field])
            else:
                review.save_draft(self.desk.author, self.item_id, self.field, text, self.revision_id)
        except (BankError, sqlite3.Error):
            return False
        return True


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


class DraftInput(SafeInput):
    """One line with a draft."""

    def __init__(self, place: DraftPlace, *, placeholder: str = "", id: str | None = None) -> None:
        self.place = place
        self._pending: Timer | None = None
        self.was_restored = (restored := place.restored()) is not None
        super().__init__(
            restored if restored is not None else place.original,
            placeholder=placeholder,
            id=id,
            compact=True,
            select_on_focus=False,
        )

    @on(Input.Changed)
    def _changed(self) -> None:
        if self._pending is not None:
            self._pending.stop()
        self._pending = self.set_timer(_DELAY_S, self.flush)

    def flush(self) -> None:
        """Put the text on disk at once."""
        if self._pending is not None:
            self._pending.stop()
            kept = self.place.keep(self.value)
            # A bank that is busy now is tried again.
            self._pending = None if kept else self.set_timer(_DELAY_S, self.flush)


class DraftArea(TextArea):
    """Several lines with a draft. Tab leaves the field."""

    async def take_typed(self, event: events.Key | events.Paste) -> bool:
        """Take what was typed or pasted now, not when its turn comes in a queue of messages; whether it was for us."""
        if isinstance(event, events.Paste):
            await self._on_paste(event)
            return True
        ours = event.is_printable or event.key == "enter"
        if ours:
            await self._on_key(event)
        return ours

    def __init__(self, place: DraftPlace, *, id: str | None = None) -> None:
        self.place = place
        self._pending: Timer | None = None
        self.was_restored = (restored := place.restored()) is not None
        super().__init__(
            restored if restored is not None else place.original,
            soft_wrap=True,
            tab_behavior="focus",
            show_line_numbers=False,
            id=id,
        )

    @on(TextArea.Changed)
    def _changed(self) -> None:
        if (safe := defused(self.text)) != self.text:
            self.text = safe
        if self._pending is not None:
            self._pending.stop()
        self._pending = self.set_timer(_DELAY_S, self.flush)

    def flush(self) -> None:
        """Put the text on disk at once."""
        if self._pending is not None:
            self._pending.stop()
            kept = self.place.keep(self.text)
            # A bank that is busy now is tried again.
            self._pending = None if kept else self.set_timer(_DELAY_S, self.flush)
