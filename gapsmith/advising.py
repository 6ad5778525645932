"""From the linter's rules to what a prompt says: words that no rule complains of, words that one does, mistakes to avoid."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest
from pathlib import Path
from typing import TypeVar

from bank import Finding, Severity
from prompts.advice import Advice, Avoided, Fault, Mistake
from templates import Paradigm, Slot, lexicon_for, realise, sample
from vetting.frequency import load_frequencies
from vetting.loose_items import loose_item
from vetting.rules import RULES, Linter, WordRule, load_knowledge, page, plain

__all__ = ["Adviser"]

T = TypeVar("T")

_MOST_CANDIDATES = 150
_MOST_EXAMPLES = 16
_MOST_WORDS = 12
_MOST_MISTAKES = 14


class Adviser:
    """Asks the linter about words of a paradigm. Making one reads the word lists of the linter and of the workspace."""

    def __init__(self, paradigm: Paradigm, workspace: Path | None = None) -> None:
        self._paradigm = paradigm
        self._linter = Linter(paradigm, load_knowledge(workspace))

    def check(self, slots: Mapping[str, str]) -> list[Fault]:
        """What is wrong with an item of these words, worst first."""
        return [Fault(f.code, f.message, f.remedy, serious=f.severity is Severity.ERROR) for f in self._findings(slots)]

    def advice(self) -> Advice:
        """What a prompt for the paradigm should offer, and what it should warn of."""
        base = self._sound_filling()
        if base is None:
            return Advice(mistakes=self._mistakes())
        good: dict[str, tuple[str, ...]] = {}
        avoid: dict[str, tuple[Avoided, ...]] = {}
        for slot in self._paradigm.visible_slots:
            fine, bad = self._sorted_words(slot, base)
            if fine:
                good[slot.name] = fine if slot.closed else _spread(_commonest(fine), _MOST_EXAMPLES)
            if bad:
                avoid[slot.name] = tuple(Avoided(_spread(words, _MOST_WORDS), why) for why, words in bad.items())
        return Advice(good, avoid, self._mistakes())

    def _sound_filling(self) -> dict[str, str] | None:
        example = {slot.name: slot.example for slot in self._paradigm.visible_slots}
        example |= {choice.name: next(iter(choice.levels)) for choice in self._paradigm.choices}
        if all(example.values()):
            return example
        return next(sample(self._paradigm, 1), None)

    def _sorted_words(self, slot: Slot, base: Mapping[str, str]) -> tuple[tuple[str, ...], dict[str, tuple[str, ...]]]:
        """The slot's own words without a complaint about that slot, and the others by what is said of them."""
        found = {
            word: [
                finding
                for finding in self._findings({**base, **carried, slot.name: word})
                if finding.severity.rank >= Severity.WARNING.rank
            ]
            for word, carried in _candidates(self._paradigm, slot)
        }
        # What names no slot, and is said whatever stands in this one, is not this one's fault.
        always = (
            frozenset.intersection(*(frozenset(f.code for f in entry) for entry in found.values()))
            if found
            else frozenset()
        )
        fine: list[str] = []
        bad: dict[str, list[str]] = {}
        for word, findings in found.items():
            blamed = [
                f for f in findings
                if f.place.slot == slot.name or (f.place.slot is None and f.code[0] == "L" and f.code not in always)
            ]  # fmt: skip
            if not blamed:
                fine.append(word)
            else:
                bad.setdefault(_why(blamed[0]), []).append(word)
        return tuple(fine), {why: tuple(words) for why, words in bad.items()}

    def _mistakes(self) -> tuple[Mistake, ...]:
        roles = {slot.role for slot in self._paradigm.visible_slots}
        found = [
            rule
            for rule in RULES.values()
            if isinstance(rule, WordRule) and rule.severity is Severity.ERROR and roles & set(rule.needs)
        ]
        # A few of each group, so that every slot has its turn.
        groups: dict[str, list[WordRule]] = {}
        for rule in found:
            groups.setdefault(rule.code[:2], []).append(rule)
        chosen = [rule for turn in zip_longest(*groups.values()) for rule in turn if rule is not None][:_MOST_MISTAKES]
        return tuple(
            Mistake(
                what=plain(entry.summary),
                why=plain(entry.reason),
                remedy=plain(entry.remedy),
                bad=entry.bad[0] if entry.bad else "",
                good=entry.good[0] if entry.good else "",
            )
            for entry in (page(rule.code) for rule in sorted(chosen, key=lambda rule: rule.code))
        )

    def _findings(self, slots: Mapping[str, str]) -> list[Finding]:
        return self._linter.check(loose_item(self._paradigm, realise(self._paradigm, slots), slots))


def _candidates(paradigm: Paradigm, slot: Slot) -> list[tuple[str, dict[str, str]]]:
    """The words that a slot's own lists offer, each with the words that it brings along in other slots."""
    if slot.closed or slot.words:
        return [(word, {}) for word in slot.closed or slot.words]
    if slot.lexicon is None:
        return []
    entries = lexicon_for(slot.lexicon, paradigm.path).entries
    dependents = [
        (other.name, other.offered_by[1])
        for other in paradigm.visible_slots
        if other.offered_by is not None and other.offered_by[0] == slot.name
    ]
    return [
        (entry.form, {name: entry.values(column)[0] for name, column in dependents if entry.values(column)})
        for entry in _spread(entries, _MOST_CANDIDATES)
    ]


def _commonest(words: tuple[str, ...]) -> tuple[str, ...]:
    """The third of the words that are most common, of one with several words by its rarest."""
    table = load_frequencies()

    def rarest(word: str) -> float:
        return min(table.log_per_million(part) or -9.0 for part in word.split())

    most = max(_MOST_EXAMPLES, len(words) // 3)
    chosen = set(sorted(words, key=rarest, reverse=True)[:most])
    return tuple(word for word in words if word in chosen)


def _why(finding: Finding) -> str:
    return f"{plain(page(finding.code).summary)} {plain(finding.remedy)}"


def _spread(words: tuple[T, ...], most: int) -> tuple[T, ...]:
    """So many of the words at most, from all parts of the list."""
    step = max(1.0, len(words) / most)
    return tuple(words[int(k * step)] for k in range(min(most, len(words))))
