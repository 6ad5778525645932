"""A comparison item by item, in the report: who differs most, a page for every contrast, and all of it as one table."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from gapsmith.bank.formats import CsvWriter
from gapsmith.scoring.analysis import ComparedRun, ItemPair, RunComparison, item_pair_rows, item_pairs, label
from gapsmith.scoring.analysis.names import item_name
from gapsmith.scoring.observations import ItemKey
from gapsmith.scoring.report.drawing import figure_name
from gapsmith.scoring.report.items import BY_TOTAL_ONLY
from gapsmith.scoring.report.links import FOLDER, Trail
from gapsmith.scoring.report.numbers import bits, unit_of
from gapsmith.scoring.report.tables import Table

_MOST = 5
"""Items per contrast and pair of runs on the report's own page."""
_WAYS = {
    (True, True): "both",
    (True, False): "the first only",
    (False, True): "the second only",
    (False, False): "neither",
}


def page_of(paradigm: str, contrast: str) -> str:
    """The page with a contrast of a comparison, item by item."""
    return f"{figure_name(paradigm, 'compared', contrast)}.html"


def csv_of(paradigm: str) -> str:
    """The file with every item's values and differences."""
    return f"{figure_name(paradigm, 'differences')}.csv"


def most_different(found: RunComparison, trail: Trail | None) -> tuple[Table, ...]:
    """For each two runs the items whose values lie furthest apart, contrast by contrast."""
    tables: list[Table] = []
    if _by_total_only(found):
        return ()
    for caption, pairs in _by_runs(item_pairs(found)):
        chosen: list[ItemPair] = []
        for name in dict.fromkeys(pair.contrast for pair in pairs):
            own = [(pair, pair.difference) for pair in pairs if pair.contrast == name]
            known = [(abs(difference), pair) for pair, difference in own if difference]
            chosen += [pair for _, pair in sorted(known, key=lambda entry: -entry[0])[:_MOST]]
        if chosen:
            tables.append(_table(found, trail, f"The items that differ most: {caption}", chosen, with_contrast=True))
    return tuple(tables)


def write_as_csv(found: RunComparison) -> str:
    """Every item of every two runs that are compared, as CSV."""
    rows = [] if _by_total_only(found) else list(item_pair_rows(found))
    stream = io.StringIO(newline="")
    writer = CsvWriter(stream)
    writer.row(tuple(rows[0]) if rows else ("item",))
    for row in rows:
        writer.row([int(cell) if isinstance(cell, bool) else cell for cell in row.values()])
    return stream.getvalue()


def compared_pages(found: RunComparison, trail: Trail) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Name, template and contents of a page for every contrast: its items in every two runs, or in every run by itself."""
    every = list(item_pairs(found))
    for contrast in found.contrasts:
        name = label(found.paradigm.contrast(contrast))
        pairs = [pair for pair in every if pair.contrast == contrast]
        tables = [
            _table(found, trail, f"{name}: {caption}", sorted(own, key=_by_difference)) for caption, own in _by_runs(pairs)
        ] or [_values(found, trail, run, contrast) for run in found.runs]
        if _by_total_only(found):
            pairs, tables = [], []
        said = "From the lowest difference to the highest, then items that one of the two has no value for." if pairs else ""
        said = BY_TOTAL_ONLY if _by_total_only(found) else said
        title = f"{found.paradigm.title}: {name}, side by side"
        yield page_of(found.paradigm.name, contrast), "list", {"title": title, "said": said, "tables": tables}


def _by_total_only(found: RunComparison) -> bool:
    return any(run.analysis.by_total_only for run in found.runs)


def _by_difference(pair: ItemPair) -> tuple[bool, float]:
    difference = pair.difference
    return (True, 0.0) if difference is None else (False, difference)


def _by_runs(pairs: Iterator[ItemPair] | Sequence[ItemPair]) -> list[tuple[str, list[ItemPair]]]:
    """The pairs of each two runs, under what tables say of them."""
    groups: dict[str, list[ItemPair]] = {}
    for pair in pairs:
        of = ", ".join(place for _, place in pair.about if place)
        groups.setdefault(f"{pair.second} − {pair.first}{f' ({of})' if of else ''}", []).append(pair)
    return list(groups.items())


def _table(
    found: RunComparison, trail: Trail | None, caption: str, pairs: Sequence[ItemPair], *, with_contrast: bool = False
) -> Table:
    first, second = pairs[0].first, pairs[0].second
    rows = tuple(
        (
            _shown(found, pair.key),
            *((label(found.paradigm.contrast(pair.contrast)),) if with_contrast else ()),
            bits(pair.values[0]),
            bits(pair.values[1]),
            bits(pair.difference),
            _expected(pair),
            pair.text,
        )
        for pair in pairs
    )
    columns = (
        "item",
        *(("contrast",) if with_contrast else ()),
        first,
        second,
        "difference",
        "as expected",
        "its first sentence",
    )
    start = 2 if with_contrast else 1
    links = _links(found, trail, [pair.key for pair in pairs])
    return Table(caption, columns, rows, frozenset(range(start, start + 3)), links=links)


def _values(found: RunComparison, trail: Trail, run: ComparedRun, contrast: str) -> Table:
    """One run's values, where no other run has the same items."""
    results = [r for r in run.analysis.contrasts if r.contrast.name == contrast]
    values = results[0].values if results else {}
    keys = sorted(values, key=lambda key: values[key])
    place = ", ".join(run.place(axis) for axis in found.varying if run.place(axis))
    rows = tuple((_shown(found, key), bits(values[key]), run.analysis.texts.get(key, "")) for key in keys)
    links = _links(found, trail, keys)
    return Table(
        place,
        ("item", unit_of(r.contrast.measure for r in results), "its first sentence"),
        rows,
        frozenset({1}),
        links=links,
    )


def _expected(pair: ItemPair) -> str:
    first, second = pair.as_expected
    return "" if first is None or second is None else _WAYS[first, second]


def _shown(found: RunComparison, key: ItemKey) -> str:
    several = len({name for run in found.runs for name in run.analysis.items.datasets}) > 1
    return item_name(key, several=several)


def _links(found: RunComparison, trail: Trail | None, keys: Sequence[ItemKey]) -> tuple[str, ...]:
    """Where items are, from a page beside theirs."""
    return () if trail is None else tuple(trail.item(found.paradigm.name, key) for key in keys)


def from_report(table: Table) -> Table:
    """The table with its links as the report's own page needs them."""
    return replace(table, links=tuple(f"{FOLDER}/{link}" if link else "" for link in table.links))
