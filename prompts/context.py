"""What a prompt file may speak of: the paradigm in words, what has been used, and why items were excluded."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from gapsmith.bank import Bank, ItemFilter, ItemStatus
from gapsmith.prompts.advice import Advice
from gapsmith.prompts.request import Mode
from gapsmith.templates import (
    AttributeValue,
    Choice,
    Condition,
    Constraint,
    Paradigm,
    Slot,
    Status,
    chosen_entries,
    first_of,
    realise,
)

MAX_USED_WORDS = 40
"""The most used words of a slot that a prompt lists; longer lists cost tokens and are ignored by models."""

MAX_EXCLUSIONS = 20

_FEW = 30

_MOST_PATTERNS = 6
"""How many levels of a choice a prompt shows the pattern of."""

_MOST_LEVELS = 3
"""How many levels with the same value a prompt names where values are balanced."""

_PLACE = re.compile(r"\{([a-z][a-z0-9_]*)\}")

_STATUS_WORDS = {
    Status.OK: "grammatical and natural",
    Status.QUESTIONABLE: "doubtful",
    Status.STAR: "ungrammatical",
}


class UsedWords:
    """The words that items already use, slot by slot. Closed classes are left out: they are used up at once."""

    def __init__(self, paradigm: Paradigm) -> None:
        # Nor is anybody steered away from the few words that can stand where surprisal is measured.
        measured = {
            name
            for c in paradigm.conditions
            for name in _PLACE.findall(c.regions.get(c.critical or "", ""))
            if len(_own(paradigm, name)) < _FEW
        }
        steered = (s.name for s in paradigm.visible_slots if not s.closed and s.name not in measured)
        self._counts: dict[str, Counter[str]] = {name: Counter() for name in steered}
        self._latest: dict[tuple[str, str], int] = {}

    def add(self, slots: Mapping[str, str] | None) -> None:
        """Note an item's words; None for an item whose words are not known."""
        for name, value in (slots or {}).items():
            if name in self._counts:
                self._counts[name][value] += 1
                self._latest[name, value] = len(self._latest)

    def most_used(self, limit: int = MAX_USED_WORDS) -> dict[str, list[str]]:
        """Slot name to its words, the most used first and of those the latest; slots without any are left out."""
        ranked = {
            name: sorted(counts, key=lambda word: (-counts[word], -self._latest[name, word]))[:limit]
            for name, counts in self._counts.items()
        }
        return {name: words for name, words in ranked.items() if words}


@dataclass(frozen=True, slots=True)
class Exclusion:
    """An item that people threw out, and why."""

    sentence: str
    reason: str
    comment: str


def exclusions(bank: Bank, paradigm: str, limit: int = MAX_EXCLUSIONS) -> list[Exclusion]:
    """The latest excluded items that have a reason or a comment, newest first; as far as the reader may see, since a prompt is
    shown and kept."""
    found: list[Exclusion] = []
    ids = bank.items.ids(ItemFilter(paradigm=paradigm, statuses=(ItemStatus.EXCLUDED,)))
    for item_id in reversed(ids):
        item = bank.items.get(item_id)
        comments = [d.comment for d in bank.decisions.history(item_id) if d.comment]
        if item.sentences and (item.reason or comments):
            found.append(Exclusion(item.sentences[0].text, item.reason or "", "; ".join(comments)))
        if len(found) >= limit:
            break
    return found


def prompt_context(
    paradigm: Paradigm,
    *,
    n: int,
    mode: Mode,
    design: str | None = None,
    used: Mapping[str, Sequence[str]] | None = None,
    excluded: Iterable[Exclusion] = (),
    advice: Advice | None = None,
) -> dict[str, Any]:
    """The variables of a prompt, as plain values. docs/generation.md lists them. (`repair` has ``faulty`` besides.)"""
    chosen = paradigm.design(design) if design else paradigm.designs[0]
    labels = {condition: label for label, condition in chosen.labels.items()}
    words = example_words(paradigm, mode, advice)
    example = {s.condition: s.text for s in realise(paradigm, words)} if words else {}
    shown = paradigm.conditions if mode is Mode.SLOTS else [paradigm.condition(c) for c in chosen.conditions]
    return {
        "paradigm": {
            "name": paradigm.name,
            "title": paradigm.title,
            "description": " ".join(paradigm.description.split()),
            "final_punctuation": paradigm.final_punctuation,
            "one_word_critical": paradigm.one_word_critical,
        },
        "n": n,
        "mode": mode.value,
        "design": {"name": chosen.name, "description": chosen.description, "labels": list(chosen.labels)},
        "slots": [
            *(_choice(choice, paradigm) for choice in paradigm.choices),
            *(_slot(slot, advice or Advice()) for slot in paradigm.visible_slots),
        ],
        "mistakes": [asdict(mistake) for mistake in (advice.mistakes if advice else ())],
        "constraints": [said for c in paradigm.constraints if (said := _constraint(c, paradigm))],
        "cells": [_condition(paradigm, c, labels.get(c.name, c.name), example) for c in shown],
        "example": {
            **_levels(paradigm, words),
            **{s.name: words[s.name] for s in paradigm.variant(words).visible_slots},
        }
        if words
        else {},
        "used": {name: list(words) for name, words in (used or {}).items()},
        "exclusions": [{"sentence": e.sentence, "reason": e.reason, "comment": e.comment} for e in excluded],
    }


def example_words(paradigm: Paradigm, mode: Mode, advice: Advice | None) -> Mapping[str, str]:
    """The words of a prompt's example: in slot mode those of the advice, else the examples of the paradigm's slots; none
    where a slot has no example."""
    if mode is Mode.SLOTS and advice is not None and advice.example:
        return advice.example
    slots = {slot.name: slot.example for slot in paradigm.visible_slots}
    slots |= {choice.name: next(iter(choice.levels)) for choice in paradigm.choices}
    return slots if all(slots.values()) else {}


def offered(slot: Slot, advice: Advice) -> tuple[str, ...]:
    """What a prompt offers for a slot: of a closed one, the values that no rule complains of (all, where that leaves none)."""
    good = advice.good.get(slot.name, ())
    if not slot.closed:
        return good
    return tuple(value for value in slot.closed if value in good) or slot.closed


def _own(paradigm: Paradigm, name: str) -> tuple[str, ...]:
    slot = paradigm.slot_by_name[name]
    if slot.lexicon is not None and not slot.words:
        return tuple(entry.form for entry in chosen_entries(paradigm, slot))
    return slot.words


def _levels(paradigm: Paradigm, words: Mapping[str, str]) -> dict[str, str]:
    return {choice.name: words[choice.name] for choice in paradigm.choices}


def _choice(choice: Choice, paradigm: Paradigm) -> dict[str, Any]:
    levels = list(choice.levels)
    said = (
        f"which kind of item this is: use {_equally(choice)}, and leave out the slots that its pattern does not show. "
        "The last condition by level"
    )
    # Of a long row of clauses the first few say what the others are made of.
    shown = [level for level in levels if int(choice.levels[level].get("depth", 0)) <= 1][:_MOST_PATTERNS]
    patterns = []
    for level in [*shown, *(level for level in levels[-1:] if level not in shown)]:
        own = next(own for chosen, own in paradigm.variants.items() if level in chosen)
        patterns.append(f"{level}: {_condition(paradigm, own.conditions[-1], '', {})['pattern']}")
    return {
        "name": choice.name,
        "description": f"{said}: {' '.join(patterns)} The other levels are made in the same way",
        "example": levels[0],
        "closed": levels,
        "offered": levels,
        "avoid": [],
        "max_words": 1,
    }


def _equally(choice: Choice) -> str:
    """What items are to have equally often: levels, or the values that the choice balances, with the first levels of each."""
    if not choice.balance:
        return "each level equally often"
    having: dict[AttributeValue, list[str]] = {}
    for level, attributes in choice.levels.items():
        having.setdefault(attributes[choice.balance], []).append(level)
    values = "; ".join(f"{value} ({first_of(levels, _MOST_LEVELS)})" for value, levels in having.items())
    return f"each {choice.balance} equally often, {values}"


def _slot(slot: Slot, advice: Advice) -> dict[str, Any]:
    return {
        "offered": list(offered(slot, advice)),
        "avoid": [{"words": list(entry.words), "why": entry.why} for entry in advice.avoid.get(slot.name, ())],
        "name": slot.name,
        "description": slot.description,
        "example": slot.example,
        "closed": list(slot.closed),
        "max_words": slot.max_words,
    }


def _condition(paradigm: Paradigm, condition: Condition, label: str, example: Mapping[str, str]) -> dict[str, Any]:
    words = (condition.regions.get(region.name) for region in paradigm.regions)
    pattern = _PLACE.sub(r"[\1]", " ".join(w for w in words if w)) + paradigm.final_punctuation
    critical = _PLACE.sub(r"[\1]", condition.regions.get(condition.critical or "", ""))
    return {
        "reading": _reading(paradigm, condition),
        "label": label,
        "condition": condition.name,
        "levels": condition.label,
        "status": condition.expected,
        "verdict": _STATUS_WORDS[condition.status] if condition.status is not None else "",
        "pattern": pattern,
        "critical": critical,
        "example": example.get(condition.name, ""),
    }


def _reading(paradigm: Paradigm, condition: Condition) -> str:
    """What a good condition says in which one filler stands for several gaps, with X in each of them; else empty."""
    gaps = {region.name for region in paradigm.regions if region.role == "gap" and not condition.regions[region.name]}
    names = [region.name for region in paradigm.regions]
    filler = next((region.name for region in paradigm.regions if region.role == "filler"), None)
    if condition.status is not Status.OK or len(gaps) < 2 or filler is None:
        return ""
    after = names[names.index(filler) + 1 :]
    words = ("X" if name in gaps else condition.regions[name] for name in after)
    return _PLACE.sub(r"[\1]", " ".join(word for word in words if word))


def _constraint(constraint: Constraint, paradigm: Paradigm) -> str:
    visible = {slot.name for slot in paradigm.visible_slots}
    if constraint.kind == "sample" or not set(constraint.slots) <= visible:
        return ""
    names = " and ".join(constraint.slots)
    if constraint.kind == "distinct":
        return f"{names} must be different words."
    return f"{names} must go together: choose words that make sense side by side."
