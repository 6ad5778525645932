"""How many of the items that are made each contrast and criterion is about: counted by the order in which the levels of choices
take turns, without drawing any words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice, product, repeat

from gapsmith.templates.model import AttributeValue, Contrast, Criterion, Paradigm, meets
from gapsmith.templates.sampling import count_expansions, in_turn

ENOUGH = 10
"""With fewer items than these a contrast is hardly worth a test."""


@dataclass(frozen=True, slots=True)
class DrawnItems:
    """The items that contrasts and criteria with one and the same `where` are about."""

    names: tuple[str, ...]
    """Of the contrasts and criteria."""
    where: Mapping[str, AttributeValue]
    n: int
    """How many items have these attributes."""
    of: int
    """Among so many that are made."""
    for_enough: int | None
    """How many have to be made so that `ENOUGH` have them; None where that many are never reached."""
    levels: tuple[str, ...]
    """The levels that give such items and no others, as `Paradigm.with_levels` takes them, one for each choice that matters; empty
    where no levels do."""


def drawn(paradigm: Paradigm, n: int | None) -> list[DrawnItems]:
    """For every `where` of the contrasts and criteria, how many of `n` items have what it asks for; None: of all items that an
    exhaustive paradigm has. Contrasts about all items are left out.

    Exact for `sample`, as long as the word lists last; where an exhaustive paradigm's combinations end is counted."""
    asked: dict[tuple[tuple[str, AttributeValue], ...], list[str]] = {}
    predictions: list[Contrast | Criterion] = [*paradigm.contrasts, *paradigm.criteria]
    for one in predictions:
        if one.where:
            asked.setdefault(tuple(one.where.items()), []).append(one.name)
    if not asked:
        return []
    sizes = _sizes(paradigm)
    return [_of_those(paradigm, n, dict(where), tuple(names), sizes) for where, names in asked.items()]


def _sizes(paradigm: Paradigm) -> dict[tuple[str, ...], int | None]:
    """How many items there are of each combination of choices; None where items are sampled and that is not counted."""
    variants = paradigm.variants or {(): paradigm}
    return {chosen: count_expansions(own) if paradigm.exhaustive else None for chosen, own in variants.items()}


def _turns(paradigm: Paradigm, sizes: Mapping[tuple[str, ...], int | None]) -> Iterator[tuple[str, ...]]:
    """The combination of choices of the first item, the second, and so on."""
    streams = {chosen: repeat(True) if size is None else repeat(True, size) for chosen, size in sizes.items()}
    return (chosen for chosen, _ in in_turn(paradigm, streams))


def _of_those(
    paradigm: Paradigm,
    n: int | None,
    where: Mapping[str, AttributeValue],
    names: tuple[str, ...],
    sizes: Mapping[tuple[str, ...], int | None],
) -> DrawnItems:
    named = [choice.name for choice in paradigm.choices]
    fitting = {chosen for chosen in sizes if meets(paradigm.attributes_of(dict(zip(named, chosen, strict=True))), where)}
    had = [chosen in fitting for chosen in islice(_turns(paradigm, sizes), n)]
    numbers = (number for number, chosen in enumerate(_turns(paradigm, sizes), 1) if chosen in fitting)
    for_enough = next(islice(numbers, ENOUGH - 1, None), None) if fitting else None
    return DrawnItems(names, where, sum(had), len(had), for_enough, _levels(paradigm, fitting, len(sizes)))


def _levels(paradigm: Paradigm, fitting: set[tuple[str, ...]], n_all: int) -> tuple[str, ...]:
    by_choice = [dict.fromkeys(chosen[at] for chosen in fitting) for at in range(len(paradigm.choices))]
    if not 0 < len(fitting) < n_all or set(product(*by_choice)) != fitting:
        return ()
    return tuple(
        f"{choice.name}={'|'.join(level for level in choice.levels if level in some)}"
        for choice, some in zip(paradigm.choices, by_choice, strict=True)
        if len(some) < len(choice.levels)
    )
