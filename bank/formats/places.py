"""Conditions by the place of a row within its item, where no column names them: offered where the rows of an item stand together, every item has
as many, and no judgement or rating says that their order changes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise

from gapsmith.bank.formats.asking import FileAnswer
from gapsmith.bank.formats.composing import plain
from gapsmith.bank.formats.headings import HIGH, JUDGES, LOW, fold
from gapsmith.bank.formats.likeness import shared_within
from gapsmith.bank.formats.source import TableRow

_MOST = 12
_ALIKE = 0.3
"""The sentences of an item share so many of their words at least."""
_APART = 2.0
"""And so many times what they share with those of the next item, where nothing numbers the items."""
_RATED = ("rating", "judg", "accept", "mean", "score", "likert", "gramm", "natural")
"""What headings of judgements and ratings have in them."""
_BETTER = {
    "ok": 1.0,
    "good": 1.0,
    "yes": 1.0,
    "y": 1.0,
    "✓": 1.0,
    "": 1.0,
    "?": 0.6,
    "??": 0.4,
    "?*": 0.3,
    "*?": 0.3,
    "*": 0.0,
    "bad": 0.0,
    "no": 0.0,
    "n": 0.0,
    "**": 0.0,
}


def place_ways(header: Sequence[str], body: Sequence[TableRow], item: Sequence[int], sentence: int) -> Iterator[FileAnswer]:
    """The way to take a table of sentences whose rows are told apart by their place alone, within an item or, where nothing numbers these,
    within so many rows; nothing where they are not."""
    if len(item) > 1 or len(body) < 4:
        return
    if item and all(map(str.isdecimal, own := [row.cells[item[0]].strip() for row in body])) and len(set(own)) == len(own):
        item = ()  # a number for every row, which is of no item
    if not item:
        if any(
            heading and n != sentence and not _is_rating(heading) and not _is_beside(body, n) for n, heading in enumerate(header)
        ):
            return  # what names the item or the condition, perhaps
        yield from _in_rounds(header, body, sentence)
        return
    items = [list(rows) for _, rows in groupby(body, key=lambda row: plain(row.cells[item[0]]))]
    size = len(items[0])
    labels = [plain(rows[0].cells[item[0]]) for rows in items]
    if not 2 <= size <= _MOST or any(len(rows) != size for rows in items) or len(set(labels)) < len(labels) or len(items) < 2:
        return
    if shared_within([[row.cells[sentence] for row in rows] for rows in items]) < _ALIKE:
        return
    options: dict[str, object] = {"item_columns": (header[item[0]],), "per_item": size}
    if (turned := turned_by(header, items, {*item, sentence})) is not None:
        yield from _by_rating(header, items, turned[0], options, "the 2 rows of an item are a pair")
        return
    yield FileAnswer("", f"the {size} rows of an item are its conditions, called {_called(size)} by their place", options)


def _in_rounds(header: Sequence[str], body: Sequence[TableRow], sentence: int) -> Iterator[FileAnswer]:
    """So many rows below each other that share their words, and not those of the next."""
    for size in range(2, _MOST + 1):
        if len(body) % size or len(body) < 2 * size:
            continue
        items = [list(body[n : n + size]) for n in range(0, len(body), size)]
        texts = [[row.cells[sentence] for row in rows] for rows in items]
        within, across = shared_within(texts), shared_within([[one[-1], other[0]] for one, other in pairwise(texts)])
        if within >= _ALIKE and within > _APART * across:
            if (turned := turned_by(header, items, {sentence})) is not None:
                options: dict[str, object] = {"per_item": size, "sentence_columns": (header[sentence],)}
                yield from _by_rating(header, items, turned[0], options, "every 2 rows are a pair")
                return
            means = f"every {size} rows are an item, and their conditions are called {_called(size)} by their place"
            yield FileAnswer("", means, {"per_item": size, "sentence_columns": (header[sentence],)})
            return


def _by_rating(
    header: Sequence[str], items: Sequence[Sequence[TableRow]], name: str, options: Mapping[str, object], means: str
) -> Iterator[FileAnswer]:
    """That of the two rows of every item the one with the higher, or the lower, rating is the good one, or the one of which a column says one of
    two things; nothing where items have more rows, or say the same of both."""
    values = [[row.cells[header.index(name)].strip() for row in rows] for rows in items]
    if any(len(own) != 2 or own[0] == own[1] for own in values):
        return
    known = sorted(
        {value for own in values for value in own},
        key=lambda value: (_worth(value) is not None, _worth(value), value),
        reverse=True,
    )
    if len(known) == 2:
        for value in known:
            yield FileAnswer(
                "", f"{means}; where {name} is {value} a sentence is the good one", {**options, "good": (f"{name}={value}",)}
            )
        return
    if all(_worth(value) is not None for value in known):
        for value, said in ((HIGH, "higher"), (LOW, "lower")):
            told = f"{means}; the sentence with the {said} {name} is the good one"
            yield FileAnswer("", told, {**options, "good": (f"{name}={value}",)})


def _is_beside(body: Sequence[TableRow], column: int) -> bool:
    """Whether a column numbers the rows, says one thing of all, or holds marks of judgement: it names no item and no condition."""
    cells = [row.cells[column].strip() for row in body]
    are_marks = all(re.fullmatch(r"[*?#%]{0,3}", cell) for cell in cells)
    return len(set(cells)) == 1 or are_marks or (all(map(str.isdecimal, cells)) and len(set(cells)) == len(cells))


def _called(size: int) -> str:
    return ", ".join(f"row_{n}" for n in range(1, size + 1)[:3]) + (" …" if size > 3 else "")


def turned_by(header: Sequence[str], items: Sequence[Sequence[TableRow]], others: set[int]) -> tuple[str, str] | None:
    """The judgement or rating that says that rows of one place are not of one condition, and the first item that shows it; None where there
    is none."""
    for column, heading in enumerate(header):
        if column in others or not _is_rating(heading):
            continue
        values = [[_worth(row.cells[column]) for row in rows] for rows in items]
        for one, other in pairwise(range(len(items[0]))):
            signs: Mapping[int, int] = {
                n: (own[one] > own[other]) - (own[one] < own[other])  # type: ignore[operator]
                for n, own in enumerate(values)
                if own[one] is not None and own[other] is not None
            }
            first = next((sign for sign in signs.values() if sign), 0)
            if (turned := next((n for n, sign in signs.items() if sign and sign != first), None)) is not None:
                return heading, f"line {items[turned][0].line}"
    return None


def _is_rating(heading: str) -> bool:
    name = fold(heading)
    return name in JUDGES or any(part in name for part in _RATED)


def _worth(cell: str) -> float | None:
    text = cell.strip().casefold()
    if text in _BETTER:
        return _BETTER[text]
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return None
