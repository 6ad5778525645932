"""The only place that says what names an item in a file: its uid, which copies of a bank share, and a digest of the texts that it
has.

Ids are given by each bank or file for itself, so that after a merge two items can have been called 12. Whatever lists items
writes these two columns beside the id, and whatever takes items in again goes by them (`gapsmith.bank.matching`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

from gapsmith.bank.digests import texts_digest
from gapsmith.bank.records import Comment, Decision, Judgement, StoredItem
from gapsmith.templates import Sentence

UID = "item_uid"
"""The column with the item's uid: 32 hexadecimal digits. Not `uid`: files of BLiMP have a column UID, which is another thing."""
TEXT_DIGEST = "text_digest"
"""The column with the digest of the item's conditions and sentences: 32 hexadecimal digits."""
NAMING = (UID, TEXT_DIGEST)
"""Both columns, as they stand in tables."""


def digest_of(sentences: Sequence[Sentence]) -> str:
    """The digest of these conditions and sentences, as files have it."""
    return texts_digest((sentence.condition, sentence.text) for sentence in sentences).hex()


def naming(item: StoredItem) -> dict[str, str]:
    """The uid and the digest of the texts of an item, by column."""
    return {UID: item.uid.hex(), TEXT_DIGEST: digest_of(item.sentences)}


class Namings(Sequence[dict[str, str]]):
    """`naming` of many items, 32 bytes each."""

    def __init__(self, items: Iterable[StoredItem]) -> None:
        kept = bytearray()
        for item in items:
            kept += item.uid + texts_digest((sentence.condition, sentence.text) for sentence in item.sentences)
        self._kept = bytes(kept)

    def __len__(self) -> int:
        return len(self._kept) // _WIDTH

    @overload
    def __getitem__(self, place: int) -> dict[str, str]: ...
    @overload
    def __getitem__(self, place: slice) -> list[dict[str, str]]: ...
    def __getitem__(self, place: int | slice) -> dict[str, str] | list[dict[str, str]]:
        if isinstance(place, slice):
            return [self[own] for own in range(*place.indices(len(self)))]
        if not 0 <= place < len(self):
            raise IndexError(place)
        own = self._kept[place * _WIDTH : (place + 1) * _WIDTH]
        return {UID: own[:_UID].hex(), TEXT_DIGEST: own[_UID:].hex()}


_UID, _WIDTH = 16, 32
"""Bytes of a uid, and of a uid with a digest."""


def is_on_texts_of(said: Decision | Judgement | Comment, item: StoredItem) -> bool:
    """Whether it was said of the very texts that the item has, so that it counts: also where they were edited and typed back."""
    return said.text_digest == digest_of(item.sentences)


@dataclass(frozen=True, slots=True)
class ItemReference:
    """What a line of a file says of the item that it means; empty where it says nothing."""

    line: int
    label: str = ""
    uid: str = ""
    text_digest: str = ""
    paradigm: str = ""
    dataset: str = ""
    texts: tuple[tuple[str, str], ...] = ()
    """Sentences of the item, each with its condition, or with none where only the sentence is there."""

    @property
    def has_texts(self) -> bool:
        """Whether anything is said of the item's texts."""
        return bool(self.text_digest or self.texts)


def without_naming(given: Mapping[str, Any]) -> dict[str, Any]:
    """What is said besides."""
    return {name: value for name, value in given.items() if name not in NAMING}


def named_by(given: Mapping[str, Any]) -> tuple[str, str] | None:
    """The uid and the digest that stand among an item's attributes, where both do: one alone may be somebody else's column."""
    uid, texts = (given.get(name) for name in NAMING)
    return (uid.strip(), texts.strip()) if isinstance(uid, str) and isinstance(texts, str) else None


def said_texts(texts: Iterator[tuple[str, str]] | Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Sentences as a file has them, without the apostrophe that keeps a spreadsheet from running a cell."""
    return tuple((condition, text.strip().removeprefix("'")) for condition, text in texts if text.strip())
