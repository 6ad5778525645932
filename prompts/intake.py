"""From an answer to items for the bank: read, realise or read back, and leave out what the bank has already."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from gapsmith.bank import Bank, ItemFilter, NewItem, alike_digest
from gapsmith.prompts.replies import ParsedReply, SentenceSet, parse_sentences, parse_slots
from gapsmith.prompts.request import Mode
from gapsmith.templates import Paradigm, ParadigmError, Sentence, Source, align, realise, settled_slots


class SeenItems:
    """Which items there are already, as one short hash per item: 16 bytes for each, whatever its sentences."""

    def __init__(self, hashes: Iterable[bytes] = ()) -> None:
        self._hashes = set(hashes)

    @classmethod
    def of_bank(cls, bank: Bank, selection: ItemFilter) -> SeenItems:
        """The items of the bank in that selection, as their sentences stand now."""
        return cls(bank.items.alike_digests(selection))

    def add(self, sentences: Iterable[Sentence]) -> bool:
        """Note an item; False where one with the same sentences was noted before (ignoring case and spacing)."""
        key = alike_digest((s.condition, s.text) for s in sentences)
        if key in self._hashes:
            return False
        self._hashes.add(key)
        return True

    def __len__(self) -> int:
        return len(self._hashes)


@dataclass(frozen=True, slots=True)
class Harvest:
    """What an answer was worth."""

    items: tuple[NewItem, ...]
    returned: int
    """Things in the answer that are, or look like, items."""
    duplicates: int
    surplus: int
    """Good items beyond the number asked for, which are not kept."""
    unreadable: tuple[str, ...]

    def as_counts(self) -> dict[str, int]:
        """The counts as the bank keeps them beside the call's tokens."""
        return {
            "returned": self.returned,
            "kept": len(self.items),
            "duplicates": self.duplicates,
            "surplus": self.surplus,
            "unreadable": len(self.unreadable),
        }


def harvest(
    text: str,
    paradigm: Paradigm,
    *,
    mode: Mode,
    design: str | None,
    wanted: int,
    seen: SeenItems,
    dataset: str,
    cut: bool = False,
) -> Harvest:
    """The new items in an answer, at most `wanted` of them, noted in `seen`. `cut` says that the answer broke off."""
    parsed = _parse(text, paradigm, mode, design, cut)
    unreadable = list(parsed.unreadable)
    drafts: list[tuple[Mapping[str, str] | None, tuple[Sentence, ...]]] = []
    for filling in parsed.slots:
        try:
            drafts.append((filling, realise(paradigm, filling)))
        except ParadigmError as error:
            unreadable.append(error.message)
    drafts += [_from_sentences(found, paradigm) for found in parsed.sentences]
    items: list[NewItem] = []
    duplicates = surplus = 0
    for slots, sentences in drafts:
        if len(items) >= wanted:
            surplus += 1
        elif not seen.add(sentences):
            duplicates += 1
        else:
            expects = paradigm.design(design).conditions if design and mode is Mode.SENTENCES else None
            items.append(NewItem(slots, sentences, dataset=dataset, expects=expects, attributes=paradigm.attributes_of(slots)))
    return Harvest(tuple(items), parsed.returned, duplicates, surplus, tuple(unreadable))


def _parse(text: str, paradigm: Paradigm, mode: Mode, design: str | None, cut: bool) -> ParsedReply:
    if mode is Mode.SLOTS:
        return parse_slots(text, paradigm)
    return parse_sentences(text, paradigm, design=design or paradigm.designs[0].name, cut=cut)


def _from_sentences(found: SentenceSet, paradigm: Paradigm) -> tuple[Mapping[str, str] | None, tuple[Sentence, ...]]:
    # Where a condition is there twice, its first sentence counts; the other one becomes a finding.
    first_of_each = dict(reversed(found.sentences))
    slots = settled_slots(paradigm, first_of_each)
    return slots, tuple(align(paradigm, condition, text, slots or {}, Source.GENERATED) for condition, text in found.sentences)
