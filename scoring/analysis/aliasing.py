"""What else changes when a contrast changes something: aliased factors, and contrasts taken apart.

The 2x2 design of Lan et al. opens gap 1 exactly where there is a filler, so its difference-in-differences mixes the
filler's work with gap 1's. Where a paradigm has the conditions in between, the contrast is a sum of two that each change one
factor only: at the items' own values, DiD = (filler changes, gap 1 held) + (gap 1 changes, filler held).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gapsmith.scoring.analysis.results import PartPlan
from gapsmith.scoring.copies import name_order
from gapsmith.scoring.observations import Observations
from gapsmith.templates import CRITICAL_PLACE, Contrast, Paradigm, Term


def changes_together(paradigm: Paradigm, contrast: Contrast, items: Observations) -> tuple[tuple[str, ...], ...]:
    """What the contrast's conditions change together, so that its value can come from either: groups of two or more.

    Two factors change together where knowing the level of one is knowing that of the other in every condition of the contrast. So
    do a filler and a gap, whatever factor moves them: whether they do is seen in the words of the sentences, in the item
    of the first name that has all of the conditions. Other regions that one factor moves, as agreement moves a noun and its verb, are its one
    change and no confound. Groups are named by their fillers and gaps, else by their factors.
    """
    conditions = [paradigm.condition(term.condition) for term in contrast.terms]
    factors = {
        factor.name: tuple(condition.levels[number] for condition in conditions) for number, factor in enumerate(paradigm.factors)
    }
    regions = _realised(paradigm, contrast, items)
    groups: list[tuple[list[str], list[str], tuple[str, ...]]] = []
    for name, levels, is_factor in [
        *((name, levels, True) for name, levels in factors.items()),
        *((name, levels, False) for name, levels in regions.items()),
    ]:
        if len(set(levels)) < 2:
            continue
        group = next((g for g in groups if _one_to_one(g[2], levels)), None)
        if group is None:
            group = ([], [], levels)
            groups.append(group)
        (group[0] if is_factor else group[1]).append(name)
    return tuple(
        tuple(moved if len(moved) > 1 else declared) for declared, moved, _ in groups if len(moved) > 1 or len(declared) > 1
    )


def _realised(paradigm: Paradigm, contrast: Contrast, items: Observations) -> dict[str, tuple[str, ...]]:
    """The words of each filler and gap in the contrast's conditions, by title, as they stand in one item."""
    marked = {region.name: region.title for region in paradigm.regions if region.role in ("filler", "gap")}
    keys = items.keys
    for position in sorted(range(len(items)), key=lambda at: name_order(keys[at].label, keys[at].dataset)):
        sentences = [items.sentence(position, term.condition) for term in contrast.terms]
        if any(sentence is None or sentence.regions is None for sentence in sentences):
            continue
        return {
            title: tuple(own.words(name).casefold() for own in sentences if own is not None) for name, title in marked.items()
        }
    return {}


def _one_to_one(first: Sequence[str], second: Sequence[str]) -> bool:
    pairs = set(zip(first, second, strict=True))
    return len(pairs) == len(set(first)) == len(set(second))


def part_plans(paradigm: Paradigm, contrast: Contrast) -> tuple[tuple[PartPlan, ...], ...]:
    """The ways to write a four-term contrast as a sum of contrasts that change one of two aliased factors each.

    Empty where the contrast has no aliased factors, or the paradigm lacks a condition in between. There are two ways: the
    one factor first, or the other.
    """
    aliased = _aliased_pair(paradigm, contrast)
    if aliased is None:
        return ()
    one, other = aliased
    paths = []
    for first, second in ((one, other), (other, one)):
        plans = _path(paradigm, contrast, first, second)
        if plans is None:
            return ()
        paths.append(plans)
    return tuple(paths)


def _aliased_pair(paradigm: Paradigm, contrast: Contrast) -> tuple[int, int] | None:
    """Positions of two factors that take their levels together in the contrast's conditions, if it has such a pair."""
    if len(contrast.terms) != 4 or any(term.place != CRITICAL_PLACE for term in contrast.terms):
        return None
    levels = [paradigm.condition(term.condition).levels for term in contrast.terms]
    varying = [i for i in range(len(paradigm.factors)) if len({row[i] for row in levels}) == 2]
    pairs = [
        (i, j)
        for position, i in enumerate(varying)
        for j in varying[position + 1 :]
        if len({(row[i], row[j]) for row in levels}) == 2
    ]
    return pairs[0] if len(pairs) == 1 and len(varying) == 3 else None


def _path(paradigm: Paradigm, contrast: Contrast, first: int, second: int) -> tuple[PartPlan, ...] | None:
    """The contrast as (change `first`, then `second`), starting from the conditions of the first term."""
    measured = {condition.levels: condition.name for condition in paradigm.conditions}
    start = paradigm.condition(contrast.terms[0].condition).levels
    near: list[Term] = []
    far: list[Term] = []
    between: list[Term] = []
    for term in contrast.terms:
        levels = list(paradigm.condition(term.condition).levels)
        if levels[first] == start[first]:
            near.append(term)
            continue
        far.append(term)
        # The far conditions with only `first` changed: their `second` stays where the near conditions have it.
        levels[second] = start[second]
        name = measured.get(tuple(levels))
        if name is None:
            return None
        between.append(Term(term.weight, name))
    flipped = [Term(-term.weight, term.condition) for term in between]
    held_near, held_far = start[second], _other_level(paradigm, contrast, first, start[first])
    return (
        _plan(paradigm, contrast, first, (second, held_near), (*near, *between)),
        _plan(paradigm, contrast, second, (first, held_far), (*flipped, *far)),
    )


def _other_level(paradigm: Paradigm, contrast: Contrast, factor: int, level: str) -> str:
    levels = {paradigm.condition(term.condition).levels[factor] for term in contrast.terms}
    return next(iter(levels - {level}))


def _plan(paradigm: Paradigm, contrast: Contrast, changes: int, held: tuple[int, str], terms: tuple[Term, ...]) -> PartPlan:
    factor, held_factor = paradigm.factors[changes], paradigm.factors[held[0]]
    label = held_factor.labels.get(held[1], held[1])
    part = replace(
        contrast,
        name=f"{contrast.name}: {factor.name} at {label}",
        title=f"the part of {factor.name}, with {held_factor.name} held at {label}",
        terms=terms,
    )
    return PartPlan(factor.name, held_factor.name, label, part)
