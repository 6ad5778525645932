"""Several sheets of a workbook as one table: a sheet per condition, per list or per experiment, with a readme beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gapsmith.bank.formats.asking import FileAnswer
from gapsmith.bank.formats.headings import fold, roles_of
from gapsmith.bank.formats.likeness import shared_within

SHEET, ROW = "sheet", "row"
"""The headings of the sheet's name, and of the row's number in its sheet where no column numbers the rows."""
FORMER = re.compile(
    r"(?<![^\W_])(?:old|alt|backup|archive|former|obsolete|superseded|draft|v0|do.not.use|copy|kopie|vieux|vecchio)(?![^\W_])",
    re.I,
)
"""Names of sheets or columns of an older state."""
Row = tuple[int, tuple[str, ...]]
_BESIDE = re.compile(r"filler|practi[cs]e|distract|übung|uebung|training|warm.?up|example|beispiel", re.IGNORECASE)
"""Names of sheets of sentences that are no items."""


def joined(sheets: Mapping[str, Sequence[Row]]) -> Iterator[tuple[str, int, tuple[str, ...]]]:
    """The rows of all sheets as one table below one row of headings, each with its sheet and its number there. Columns stand in the
    order of the first sheet, those that only others have behind them; headings are made up where no sheet has any. Raises `ValueError` with
    the sheet that lacks some of those that all others have, or has none of them."""
    first = next(iter(sheets))
    heads = {name: _headings(rows) for name, rows in sheets.items()}
    top, begin = heads[first]
    core = _core([heads[name][0] for name in sheets])
    odd = next((name for name in sheets if not _has_core(core, heads[name][0])), None)
    if odd is not None:
        raise ValueError(f"the sheets {first} and {odd} have other columns: {', '.join(top)}; {', '.join(heads[odd][0])}")
    known = {fold(heading): heading for name in sheets for heading in heads[name][0] if heading}
    top = (*top, *(heading for folded, heading in known.items() if folded not in set(map(fold, top))))
    order = [fold(heading) for heading in top]
    has_number = _is_numbered(sheets, heads)
    called = SHEET if SHEET not in order else f"{SHEET}_name"
    yield first, begin, (called, *(() if has_number else (ROW,)), *top)
    for name, rows in sheets.items():
        own = [fold(heading) for heading in heads[name][0]]
        places = [own.index(heading) if heading in own else None for heading in order]
        for count, (number, cells) in enumerate((row for row in rows if row[0] > heads[name][1]), 1):
            whole = (*cells, *[""] * (len(own) - len(cells)))
            rest = whole[len(own) :]
            yield (
                name,
                number,
                (
                    name,
                    *(() if has_number else (str(count),)),
                    *("" if place is None else whole[place] for place in places),
                    *rest,
                ),
            )


def _core(heads: Sequence[Sequence[str]]) -> frozenset[str]:
    """The headings, folded, of the sheet of which most others have all, two or more; none where no two sheets share so many."""
    sets = [frozenset(fold(heading) for heading in own if heading) for own in heads]
    able = [own for own in sets if len(own) > 1] or sets
    return max(able, key=lambda own: sum(own <= other for other in sets), default=frozenset())


def _has_core(core: frozenset[str], headings: Sequence[str]) -> bool:
    """Whether a sheet has these columns, and no other one that says what its rows are."""
    others = [heading for heading in headings if heading and fold(heading) not in core]
    return (
        bool(core)
        and core <= set(map(fold, headings))
        and not set(roles_of(others)) & {"item", "condition", "sentence", "good", "bad"}
    )


def _headings(rows: Sequence[Row]) -> tuple[tuple[str, ...], int]:
    """The headings of a sheet and the row where they stand: the first one that has more than a title's cell; made up, with row 0,
    where a sentence stands among them."""
    wide = max((len(cells) for _, cells in rows), default=0)
    number, cells = next((row for row in rows if sum(map(bool, row[1])) > 1 or wide < 2), (0, ()))
    if any(_is_sentence(cell) for cell in cells):
        return tuple(f"column_{n}" for n in range(1, wide + 1)), 0
    return tuple(cell.strip() for cell in cells), number


def _is_sentence(cell: str) -> bool:
    return len(cell.split()) > 5 or (len(cell.split()) > 2 and cell.rstrip("\"'”’») ").endswith((".", "?", "!")))


def _is_numbered(sheets: Mapping[str, Sequence[Row]], heads: Mapping[str, tuple[tuple[str, ...], int]]) -> bool:
    """Whether a column says which rows of the sheets belong together, or the sheets are not equally long."""
    bodies = {name: [cells for number, cells in rows if number > heads[name][1]] for name, rows in sheets.items()}
    if len({len(body) for body in bodies.values()}) > 1:
        return True
    for heading in next(iter(heads.values()))[0]:
        if any(fold(heading) not in map(fold, own) for own, _ in heads.values()):
            continue
        values = []
        for name, body in bodies.items():
            place = [fold(one) for one in heads[name][0]].index(fold(heading))
            cells = [own[place].strip() if place < len(own) else "" for own in body]
            if len(set(cells)) < len(cells) and "condition" not in roles_of(heads[name][0]):
                break
            values.append(frozenset(cells))
        else:
            if len(set(values)) == 1 or "item" in roles_of((heading,)):
                return True
    return False


def answers(sheets: Mapping[str, Sequence[Row]]) -> list[FileAnswer]:
    """What sheets of one workbook may be: those with the same columns together, their names conditions or not, or each by itself."""
    # What is called as an older state of the others is comes last.
    names = sorted(sheets, key=lambda name: FORMER.search(name) is not None)
    alone = [FileAnswer(name, f"the sheet {name}", {"sheets": (name,)}) for name in names]
    able = [name for name, rows in sheets.items() if rows and not _BESIDE.search(name)]
    core = _core([_headings(sheets[name])[0] for name in able])
    # One that has a column more, as of remarks, is still one of them.
    group = [name for name in able if _has_core(core, _headings(sheets[name])[0])]
    if len(group) < 2:
        return alone
    said: dict[str, Any] = {"sheets": tuple(group)}
    top = _headings(sheets[group[0]])[0]
    if "condition" not in roles_of(top):
        if "good" in roles_of(top):
            return [FileAnswer("all", f"{', '.join(group)} together", said), *alone]
        is_crossed = _share(sheets, group)
        by_name = FileAnswer("conditions", "every sheet is a condition, called as it is", {**said, "condition_columns": (SHEET,)})
        return [by_name, *alone] if is_crossed else alone
    labels = [_values(sheets[name], "condition") for name in group]
    if any(one.isdisjoint(other) for one in labels for other in labels):
        return alone
    if "item" in roles_of(top) and all(_once_each(sheets[name]) for name in group):
        # Lists of an experiment: each has every item in one condition, and says nothing alone.
        alone = [way for way in alone if way.word not in group]
    return [FileAnswer("all", f"{', '.join(group)} together, one below the other", said), *alone]


def _once_each(rows: Sequence[Row]) -> bool:
    """Whether no item has a second row."""
    top, begin = _headings(rows)
    place = roles_of(top)["item"]
    own = [cells[place].strip() for number, cells in rows if number > begin and place < len(cells) and cells[place].strip()]
    return len(set(own)) == len(own) > 1


def _values(rows: Sequence[Row], role: str) -> frozenset[str]:
    top, begin = _headings(rows)
    place = roles_of(top)[role]
    return frozenset(cells[place].strip() for number, cells in rows if number > begin and place < len(cells))


def _share(sheets: Mapping[str, Sequence[Row]], group: Sequence[str]) -> bool:
    """Whether sentences of the same number share more over the sheets than sentences of a sheet do."""
    texts: list[dict[str, str]] = []
    for name in group:
        top, begin = _headings(sheets[name])
        rows = [(*cells, *[""] * (len(top) - len(cells))) for number, cells in sheets[name] if number > begin]
        if not rows:
            return False
        words = [sum(len(row[column].split()) for row in rows) for column in range(len(top))]
        text = words.index(max(words))
        keys = [c for c in range(len(top)) if c != text and len({row[c] for row in rows}) == len(rows)]
        texts.append({row[keys[0]] if keys else str(n): row[text] for n, row in enumerate(rows)})
    shared = [key for key in texts[0] if all(key in own for own in texts)]
    across = shared_within([[own[key] for own in texts] for key in shared])
    return len(shared) > 1 and across > shared_within([list(own.values()) for own in texts])
