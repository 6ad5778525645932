"""Edits: new words for a slot, with all its sentences realised again, or a new text for one sentence; and what
changed, word by word. An edit is a revision beside the old ones; nothing is overwritten."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from gapsmith.bank import Bank, StaleItemError, StoredItem
from gapsmith.templates import Alignment, ConfigError, Paradigm, Sentence, Source, carried, read_back, realign, realise
from gapsmith.vetting.gap_marks import marked


@dataclass(frozen=True, slots=True)
class Piece:
    """Consecutive words that were kept (``=``), removed (``-``) or added (``+``)."""

    op: str
    text: str


@dataclass(frozen=True, slots=True)
class Change:
    """What an edit did to one sentence."""

    condition: str
    pieces: tuple[Piece, ...]


def slots_behind(item: StoredItem, paradigm: Paradigm) -> dict[str, str] | None:
    """The item's slots, or those that its sentences read back into; None where neither is known."""
    if item.slots is not None:
        return {slot.name: item.slots.get(slot.name, "") for slot in paradigm.visible_slots}
    reading = read_back(paradigm, _texts(item.sentences, paradigm))
    if not reading.ok or reading.slots is None:
        return None
    return {slot.name: reading.slots.get(slot.name, "") for slot in paradigm.visible_slots}


def expected_sentences(item: StoredItem, paradigm: Paradigm) -> dict[str, Sentence]:
    """The sentence that the item's slots give for each condition; empty where the slots are not known or not whole."""
    slots = slots_behind(item, paradigm)
    if slots is None or not all(value.strip() for value in slots.values()):
        return {}
    return {sentence.condition: sentence for sentence in realise(paradigm, slots)}


def _texts(sentences: Sequence[Sentence], paradigm: Paradigm) -> dict[str, str]:
    return {s.condition: s.text for s in reversed(sentences) if s.condition in paradigm.condition_by_name}


def edit_slots(item: StoredItem, paradigm: Paradigm, slots: Mapping[str, str]) -> tuple[Sentence, ...]:
    """The item's sentences with these slots. Texts that the old slots gave are realised again; texts that a person
    or a model wrote differently stay as they are.

    Raises `ParadigmError` where a slot has no words."""
    fresh = {sentence.condition: sentence for sentence in realise(paradigm, _tidy(slots))}
    before = slots_behind(item, paradigm)
    old = {}
    if before is not None and all(before.values()):
        old = {sentence.condition: sentence.text for sentence in realise(paradigm, before)}
    return tuple(
        fresh[s.condition]
        if s.condition in fresh and (s.source is Source.REALISED or s.text == old.get(s.condition))
        else realign(paradigm, s, slots)
        for s in item.sentences
    )


def _tidy(slots: Mapping[str, str]) -> dict[str, str]:
    return {name: " ".join(value.split()) for name, value in slots.items()}


def edit_sentence(item: StoredItem, condition: str, text: str, *, which: Sentence | None) -> tuple[Sentence, ...]:
    """The item's sentences with another text for one of them (`which`), or with a new one where it was missing.

    Raises `ConfigError` for an empty text."""
    if not text.strip():
        raise ConfigError("a sentence needs words", hint="Exclude the item to take it out of the set.")
    given = which is not None and which.how in (Alignment.GIVEN, Alignment.CARRIED)
    edited = carried(which, text, Source.EDITED) if which and given else Sentence(condition, text, None, Source.EDITED)
    if which is None:
        return (*item.sentences, edited)
    return tuple(edited if sentence is which else sentence for sentence in item.sentences)


def with_slots(item: StoredItem, paradigm: Paradigm, slots: Mapping[str, str]) -> StoredItem:
    """The item as an edit of its slots leaves it. Raises `ParadigmError`."""
    tidy = _tidy(slots)
    return replace(item, slots=tidy, sentences=edit_slots(item, paradigm, tidy))


def with_sentence(item: StoredItem, paradigm: Paradigm, condition: str, text: str, *, which: Sentence | None) -> StoredItem:
    """The item as an edit of one sentence leaves it: one without slots gets those that its sentences now read back into, if they do
    in one way only. Raises `ConfigError`."""
    sentences = edit_sentence(item, condition, text, which=which)
    slots = slots_behind(replace(item, sentences=sentences), paradigm) if item.slots is None else item.slots
    return replace(item, slots=slots, sentences=tuple(realign(paradigm, sentence, slots) for sentence in sentences))


def save_slots(bank: Bank, item: StoredItem, paradigm: Paradigm, slots: Mapping[str, str], *, author: str) -> int:
    """Keep an edit of slots made on the revision `item` shows. Raises `StaleItemError`, `ParadigmError`."""
    tidy = _tidy(slots)
    before = slots_behind(item, paradigm) or {}
    note = ", ".join(f"{name}: {before.get(name) or '—'} → {tidy[name]}" for name in tidy if before.get(name) != tidy[name])
    return _save(bank, item, with_slots(item, paradigm, slots), author=author, note=note)


def save_sentence(
    bank: Bank, item: StoredItem, paradigm: Paradigm, condition: str, text: str, *, which: Sentence | None, author: str
) -> int:
    """Keep an edit of one sentence made on the revision `item` shows. Raises `StaleItemError`, `ConfigError`."""
    known = paradigm.condition_by_name.get(condition)
    note = f"sentence {known.label if known else condition}"
    return _save(bank, item, with_sentence(item, paradigm, condition, text, which=which), author=author, note=note)


def _save(bank: Bank, item: StoredItem, edited: StoredItem, *, author: str, note: str) -> int:
    with bank.transaction():
        if bank.review.revision_of(item.id) != item.revision_id:
            newest = bank.items.history(item.id)[-1]
            raise StaleItemError(
                f"item {item.label} was changed by {newest.author or 'somebody'} while you were typing",
                hint="Your text is kept as a draft: look at the new text, then edit again.",
            )
        return bank.items.revise(item.id, slots=edited.slots, sentences=edited.sentences, author=author, note=note).revision_id


def changes(before: Sequence[Sentence], after: Sequence[Sentence], paradigm: Paradigm) -> tuple[Change, ...]:
    """What differs between two states of an item, sentence by sentence in the order of `after`, with open gaps where both are aligned."""
    found = []
    remaining = list(before)
    for sentence in after:
        old = next((s for s in remaining if s.condition == sentence.condition), None)
        if old is not None:
            remaining.remove(old)
        if old is None or old.text != sentence.text:
            aligned = sentence.regions is not None and (old is None or old.regions is not None)
            # Where one of two cannot be aligned, the other one's gaps would look like words that went or came.
            texts = [marked(s, paradigm, critical=False) if aligned else s.text for s in (old, sentence) if s is not None]
            found.append(Change(sentence.condition, word_diff(texts[0] if old is not None else "", texts[-1])))
    return (*found, *(Change(s.condition, word_diff(marked(s, paradigm, critical=False), "")) for s in remaining))


def word_diff(before: str, after: str) -> tuple[Piece, ...]:
    """The two texts as pieces that were kept, removed and added, in reading order."""
    old, new = before.split(" ") if before else [], after.split(" ") if after else []
    pieces: list[Piece] = []
    for op, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if op == "equal":
            pieces.append(Piece("=", " ".join(old[a:b])))
            continue
        if a < b:
            pieces.append(Piece("-", " ".join(old[a:b])))
        if c < d:
            pieces.append(Piece("+", " ".join(new[c:d])))
    return tuple(pieces)


def odd_words(paradigm: Paradigm, slots: Mapping[str, str]) -> dict[str, str]:
    """What is odd about slot values, by slot; a doubt does not keep anybody from saving."""
    found = {}
    for slot in paradigm.visible_slots:
        value = " ".join(slots.get(slot.name, "").split())
        if not value:
            found[slot.name] = "needs words"
        elif slot.closed and value not in slot.closed:
            found[slot.name] = f"is usually one of {', '.join(slot.closed)}"
        elif len(value.split()) > slot.max_words:
            most = "one word" if slot.max_words == 1 else f"at most {slot.max_words} words"
            found[slot.name] = f"is usually {most}"
    return found
