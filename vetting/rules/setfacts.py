"""Facts about a whole set of items, gathered in one pass: what it repeats, and what differs between its conditions."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from statistics import fmean

from gapsmith.bank import texts_digest
from gapsmith.templates import Paradigm
from gapsmith.vetting.frequency import load_frequencies
from gapsmith.vetting.rules.knowledge import Knowledge
from gapsmith.vetting.rules.set_edits import EditFacts
from gapsmith.vetting.rules.view import ItemView

TokenCounter = Callable[[str], int]
"""How many tokens a tokenizer makes of a text, without special tokens."""


@dataclass
class ConditionFacts:
    """Measures of one condition, one value per item."""

    words: list[int] = field(default_factory=list)
    """Words of the sentence."""
    characters: list[int] = field(default_factory=list)
    tokens: list[int] = field(default_factory=list)
    """Tokens of the sentence; empty where no tokenizer was given."""
    critical_characters: list[int] = field(default_factory=list)
    critical_tokens: list[int] = field(default_factory=list)
    critical_frequency: list[float] = field(default_factory=list)
    """log10 of the critical word's occurrences per million words, where the table has the word."""
    critical_rare: int = 0
    """Critical words that are not in the table."""

    def mean(self, measure: str) -> float | None:
        """The mean of a measure by name, None where there is no value."""
        values = getattr(self, measure)
        return fmean(values) if values else None


class SetFacts:
    """What set rules look at. Items are added one by one; nothing of an item is kept but its words and measures."""

    def __init__(self, paradigm: Paradigm, knowledge: Knowledge, tokens: TokenCounter | None = None) -> None:
        self.paradigm = paradigm
        self.knowledge = knowledge
        self.n_items = 0
        self.conditions: dict[str, ConditionFacts] = defaultdict(ConditionFacts)
        self.used: dict[str, Counter[str]] = defaultdict(Counter)
        """Slot name to its words, case-folded."""
        self.genders: dict[str, Counter[str]] = defaultdict(Counter)
        """Name slot to how many of its names are f, m or u."""
        self.same_but_one: dict[tuple[str, tuple[str, ...]], list[str]] = defaultdict(list)
        """(slot left out, the words of all other slots) to the labels of the items that have them."""
        self._same_texts: dict[bytes, list[str]] = defaultdict(list)
        """A digest of all conditions of an item, to the labels of the items that have exactly these."""
        self.edits = EditFacts()
        """What differs between the conditions of each item, where the sentences were given."""
        self._ids: dict[str, int] = {}
        self._tokens = tokens
        self._frequencies = load_frequencies()
        self._names = [slot.name for slot in paradigm.visible_slots if slot.role in {"name", "object"}]

    def add(self, view: ItemView) -> None:
        """Take in one item."""
        self.n_items += 1
        label = view.item.label
        slots = {slot.name: view.slots[slot.name] for slot in self.paradigm.visible_slots if view.slots.get(slot.name)}
        for name, value in slots.items():
            self.used[name][value.casefold()] += 1
        for name in self._names:
            entry = self.knowledge.entry("names", slots.get(name, ""))
            if entry is not None and entry.values("gender"):
                self.genders[name][entry.values("gender")[0]] += 1
        if not self.paradigm.exhaustive and len(slots) == len(self.paradigm.visible_slots):
            for left_out in slots:
                others = tuple(value.casefold() for name, value in slots.items() if name != left_out)
                self.same_but_one[left_out, others].append(label)
        self._ids[label] = view.item.id
        same = self._same_texts[texts_digest(sorted(view.bare.items()))] if view.bare else []
        if self.paradigm.given:
            texts = {name: own[0] for name, own in view.texts.items() if own[0].strip()}
            self.edits.add(label, texts, is_copy=bool(same))
        same.append(label)
        for name, text in view.bare.items():
            self._measure(self.conditions[name], text, view.region(name, self.paradigm.condition(name).critical))

    def _measure(self, facts: ConditionFacts, text: str, critical: str | None) -> None:
        facts.words.append(len(text.split()))
        facts.characters.append(len(text))
        if self._tokens is not None:
            facts.tokens.append(self._tokens(text))
        if not critical:
            return
        facts.critical_characters.append(len(critical))
        if self._tokens is not None:
            facts.critical_tokens.append(self._tokens(" " + critical))
        known = [self._frequencies.log_per_million(word) for word in critical.split()]
        frequencies = [value for value in known if value is not None]
        if frequencies and len(frequencies) == len(known):
            facts.critical_frequency.append(fmean(frequencies))
        else:
            facts.critical_rare += 1

    def ids_of(self, labels: Iterable[str]) -> tuple[int, ...]:
        """The numbers in the bank of the items that are called so, each once."""
        return tuple(dict.fromkeys(self._ids[label] for label in labels))

    def near_duplicates(self) -> Iterator[tuple[str, list[str]]]:
        """(slot, labels) for items that have the same words in every slot but that one, at the most."""
        seen: set[tuple[str, ...]] = set()
        for (slot, _), labels in self.same_but_one.items():
            key = tuple(sorted(set(labels)))
            if len(key) > 1 and key not in seen:
                seen.add(key)
                yield slot, labels

    def duplicates(self) -> Iterator[list[str]]:
        """The labels of items that have the same sentences in all conditions."""
        for labels in self._same_texts.values():
            if len(labels) > 1:
                yield labels

    def share(self, slot: str) -> Mapping[str, float]:
        """Word to the share of the items that have it in that slot."""
        total = self.used[slot].total()
        return {word: count / total for word, count in self.used[slot].most_common()}
