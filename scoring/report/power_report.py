"""What more items or words would show, as tables."""

from __future__ import annotations

import math
from collections.abc import Sequence

from gapsmith.scoring.analysis import ContrastPower, label
from gapsmith.scoring.report.numbers import NO_VALUE, plain, unit_of
from gapsmith.scoring.report.tables import Table


def power_tables(found: Sequence[ContrastPower], power: float) -> list[Table]:
    """The smallest effect that numbers of items find, and, where an effect is asked for, the items and words that find it."""
    unit = unit_of(own.contrast.measure for own in found)
    sizes = list(dict.fromkeys(at.n for own in found for at in own.sizes))
    rows, notes = (
        [],
        ["∞: ever more items with the words that there are; a band: all variances at the ends of their 80% intervals"],
    )
    scopes: dict[str, list[str]] = {}
    for own in found:
        if own.reason:
            notes.append(f"{label(own.contrast)}: nothing can be said, since {own.reason[0].lower()}{own.reason[1:]}")
            continue
        for at in own.sizes:
            first = at is own.sizes[0]
            n = "∞" if math.isinf(at.n) else f"{at.n:,.0f}"
            band = f"{plain(at.band[0])} to {plain(at.band[1])}"
            cells = (n, f"± {plain(at.half_width)}", plain(at.smallest), band)
            rows.append((label(own.contrast) if first else "", *cells))
        scopes.setdefault(own.scope, []).append(label(own.contrast))
    notes += [f"{', '.join(names)}: {scope}" for scope, names in scopes.items() if scope]
    tables = []
    if sizes:
        columns = ("", "items", "interval", f"found with {power:.0%}", "band")
        caption = f"The smallest effect that is found ({unit})"
        tables.append(Table(caption, columns, tuple(rows), frozenset({1, 2, 3, 4}), tuple(notes)))
    asked = [own for own in found if own.effect is not None and not own.reason]
    if asked:
        tables.append(_needed(asked, power, unit))
    if not tables:
        tables.append(Table("The smallest effect that is found", ("",), (), frozenset(), tuple(notes)))
    return tables


def _needed(found: Sequence[ContrastPower], power: float, unit: str) -> Table:
    rows = []
    for own in found:
        enough = [f"{one.slot}: {one.n_needed:,} (now {plain(one.n_now, 0)})" for one in own.words if one.n_needed is not None]
        words = ", or ".join(enough) or ("more words in several slots" if own.n_needed is None else NO_VALUE)
        band = " to ".join(_items(n) for n in own.n_band)
        rows.append((label(own.contrast), plain(own.effect), _items(own.n_needed), band, words))
    return Table(
        f"Items that find an effect with {power:.0%} ({unit})",
        ("", "effect", "items", "band", "words that would do"),
        tuple(rows),
        frozenset({1, 2}),
        ("none: the words are too few for any number of items",),
    )


def _items(n: int | None) -> str:
    return "none" if n is None else f"{n:,}"
