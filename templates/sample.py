"""Filling the slots without a model: every combination of an exhaustive paradigm, or a balanced random sample."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from templates.errors import ParadigmError
from templates.lexicon import Entry, lexicon_for
from templates.model import Constraint, Paradigm, Slot

__all__ = ["count_expansions", "expand", "sample", "violated_constraint"]

_TRIES_PER_ITEM = 400


def expand(paradigm: Paradigm) -> Iterator[dict[str, str]]:
    """Every combination of the slots' own words that no `distinct` constraint forbids; the last slot varies fastest."""
    slots = paradigm.slots
    for combination in product(*(_own_words(paradigm, slot) for slot in slots)):
        filling = {slot.name: word for slot, word in zip(slots, combination, strict=True)}
        if violated_constraint(paradigm, filling) is None:
            yield filling


def count_expansions(paradigm: Paradigm) -> int:
    """How many items `expand` gives."""
    return sum(1 for _ in expand(paradigm))


def sample(paradigm: Paradigm, seed: int) -> Iterator[dict[str, str]]:
    """Distinct random fillings that satisfy the paradigm's constraints, until no new one is found.

    The same seed gives the same stream. Re-use is capped: each value is drawn from the least used ones that fit, so
    that within any prefix of the stream a slot's words are used as evenly as the constraints allow."""
    rng = random.Random(seed)
    used: dict[str, Counter[str]] = {slot.name: Counter() for slot in paradigm.slots}
    seen: set[tuple[str, ...]] = set()
    while True:
        filling = _fresh_filling(paradigm, rng, used, seen)
        if filling is None:
            return
        for name, value in filling.items():
            used[name][value] += 1
        seen.add(_key(paradigm, filling))
        yield {name: value for name, value in filling.items() if not paradigm.slot_by_name[name].latent}


def violated_constraint(paradigm: Paradigm, filling: Mapping[str, str]) -> Constraint | None:
    """The first constraint that the filling violates, or None. Words that are in no lexicon are not constrained."""
    for constraint in paradigm.constraints:
        if not all(name in filling for name in constraint.slots):
            continue
        if constraint.kind == "distinct":
            values = [filling[name].casefold() for name in constraint.slots]
            if len(set(values)) < len(values):
                return constraint
        elif not _matches(paradigm, constraint, filling):
            return constraint
    return None


def _matches(paradigm: Paradigm, constraint: Constraint, filling: Mapping[str, str]) -> bool:
    offered: list[set[str]] = []
    for name, column in zip(constraint.slots, constraint.columns, strict=True):
        entry = _entry(paradigm, paradigm.slot_by_name[name], filling[name])
        if entry is None or not entry.values(column):
            return True
        offered.append(set(entry.values(column)))
    return bool(offered[0] & offered[1])


def _own_words(paradigm: Paradigm, slot: Slot) -> Sequence[str]:
    if slot.words:
        return slot.words
    if slot.lexicon is not None:
        return [entry.form for entry in lexicon_for(slot.lexicon, paradigm.path).entries]
    raise ParadigmError(
        f"{paradigm.name}: slot {slot.name!r} has no list of words of its own, so its items cannot be enumerated",
        hint="Give it `words`, or sample with -n.",
    )


def _entry(paradigm: Paradigm, slot: Slot, form: str) -> Entry | None:
    return lexicon_for(slot.lexicon, paradigm.path).get(form) if slot.lexicon is not None else None


def _fresh_filling(
    paradigm: Paradigm, rng: random.Random, used: Mapping[str, Counter[str]], seen: set[tuple[str, ...]]
) -> dict[str, str] | None:
    # Later tries look beyond the least used values, so that the stream ends only when it must.
    for attempt in range(_TRIES_PER_ITEM):
        slack = attempt // 20
        filling: dict[str, str] = {}
        for slot in paradigm.slots:
            choices = _allowed(paradigm, slot, filling)
            if not choices:
                break
            floor = min(used[slot.name][choice] for choice in choices)
            filling[slot.name] = rng.choice([c for c in choices if used[slot.name][c] <= floor + slack])
        else:
            if _key(paradigm, filling) not in seen:
                return filling
    return None


def _allowed(paradigm: Paradigm, slot: Slot, filling: Mapping[str, str]) -> list[str]:
    if slot.offered_by is not None:
        other, column = slot.offered_by
        entry = _entry(paradigm, paradigm.slot_by_name[other], filling[other])
        choices: Sequence[str] = entry.values(column) if entry else ()
        if not choices:
            raise ParadigmError(
                f"{paradigm.name}: {filling[other]!r} offers nothing for slot {slot.name!r}",
                hint=f"Fill the column {column!r} of its row in the lexicon of {other}.",
            )
    else:
        choices = _own_words(paradigm, slot)
    return [c for c in choices if violated_constraint(paradigm, {**filling, slot.name: c}) is None]


def _key(paradigm: Paradigm, filling: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(filling[slot.name].casefold() for slot in paradigm.visible_slots)
