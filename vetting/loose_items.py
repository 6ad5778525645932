"""Items that are in no bank, made ready for the rules."""

from __future__ import annotations

from collections.abc import Mapping

from gapsmith.bank import ItemStatus, StoredItem
from gapsmith.templates import Paradigm, Sentence


def loose_item(
    paradigm: Paradigm, sentences: tuple[Sentence, ...], slots: Mapping[str, str] | None = None, *, label: str = ""
) -> StoredItem:
    """Sentences as an item that the linter takes; with `slots` where they are made from them, else it reads them back."""
    return StoredItem(
        id=0,
        uid=b"",
        label=label,
        dataset="",
        paradigm=paradigm.name,
        paradigm_id=0,
        revision_id=0,
        revision_number=1,
        slots=slots,
        sentences=sentences,
        status=ItemStatus.PENDING,
        reason=None,
        expects=None,
        run_id=0,
        call_id=None,
        created_at="",
    )
