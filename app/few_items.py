"""What is said where a contrast or criterion will have few items: how many, why, and what to ask for instead."""

from __future__ import annotations

from gapsmith.templates import ENOUGH, DrawnItems, Paradigm, did_you_mean, drawn, listed

_LONGEST = 60
"""Characters of a list of levels that a message still shows."""


def few_items(paradigm: Paradigm, n: int | None, *, by_model: bool = False, chosen: bool = False) -> list[str]:
    """A line for each `where` of contrasts and criteria that fewer than `ENOUGH` of `n` items will have (None: of all items of an
    exhaustive paradigm). `by_model`: a model is asked for the levels, and may not keep to that. `chosen`: somebody has chosen
    levels, so what these leave out altogether is left out on purpose."""
    few = [one for one in drawn(paradigm, n) if one.n < ENOUGH and not (chosen and one.n == 0 and one.for_enough is None)]
    return [_line(one, by_model=by_model) + _attributes(paradigm, one) for one in few]


def _line(one: DrawnItems, *, by_model: bool) -> str:
    where = " and ".join(f"{name} = {value}" for name, value in one.where.items())
    how_many = f"{'about ' if by_model and one.n else ''}{one.n or 'none'} of {one.of:,} items"
    return f"{listed(one.names)} will have {how_many} ({where}): {_way_out(one)}"


def _attributes(paradigm: Paradigm, one: DrawnItems) -> str:
    """The attributes that items made from words have, where one is asked for that they have not; else empty."""
    said = {choice.name: None for choice in paradigm.choices}
    said |= {name: None for choice in paradigm.choices for own in choice.levels.values() for name in own}
    unknown = next((name for name in one.where if name not in said), None)
    return "" if unknown is None or not said else f". {did_you_mean(unknown, said)}The choices give {', '.join(said)}"


def _way_out(one: DrawnItems) -> str:
    ways = []
    if one.for_enough is not None and one.for_enough > one.of:
        ways.append(f"ask for {ENOUGH} of them with -n {one.for_enough}")
    flags = [f'--choose "{levels}"' for levels in one.levels]
    if flags and sum(map(len, flags)) <= _LONGEST:
        ways.append(f"make only such items with {' '.join(flags)}")
    if ways:
        return ", or ".join(ways)
    return "the words give no more" if one.n else "no item that is made from words has that"
