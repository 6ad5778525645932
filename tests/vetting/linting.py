"""Items made for the linter's tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from gapsmith.bank import Finding, StoredItem
from gapsmith.templates import Paradigm, Source, align, load_paradigm, realise
from gapsmith.vetting.loose_items import loose_item
from gapsmith.vetting.rules import Linter, RuleSelection, load_knowledge

SLOTS: Mapping[str, str] = {
    "matrix": "I know",
    "determiner": "the",
    "noun": "story",
    "preposition": "about",
    "name1": "Maria",
    "linker": "is likely to",
    "verb": "enrage",
    "name2": "Anna",
    "adverb": "soon",
}


def stored(
    paradigm: Paradigm,
    sentences: Iterable[tuple[str, str]],
    slots: Mapping[str, str] | None = None,
    design: str | None = None,
) -> StoredItem:
    """An item as the bank would give it: its texts aligned with its slots."""
    aligned = tuple(align(paradigm, name, text, slots or {}, Source.IMPORTED) for name, text in sentences)
    expects = paradigm.design(design).conditions if design is not None else None
    return replace(loose_item(paradigm, aligned, slots, label="1"), id=1, dataset="test", expects=expects)


def texts(paradigm: Paradigm, slots: Mapping[str, str]) -> dict[str, str]:
    """The texts of every cell."""
    return {sentence.condition: sentence.text for sentence in realise(paradigm, slots)}


def with_words(paradigm: Paradigm | str = "subject_pg", **words: str) -> StoredItem:
    """A sound item of the subject parasitic gap with some of its words replaced; the sentences follow the slots."""
    loaded = load_paradigm(paradigm) if isinstance(paradigm, str) else paradigm
    slots = {**SLOTS, **words}
    return stored(loaded, texts(loaded, slots).items(), slots)


def lint(item: StoredItem, *select: str) -> list[Finding]:
    """The findings of an item, of the selected rules."""
    paradigm = load_paradigm(item.paradigm)
    return Linter(paradigm, load_knowledge(), RuleSelection(select)).check(item)


def codes(item: StoredItem, *select: str) -> list[str]:
    """The codes of an item's findings, without repetition, in order."""
    return sorted({finding.code for finding in lint(item, *select)})
