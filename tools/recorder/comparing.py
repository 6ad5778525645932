"""Compare two recordings: what was printed, exit codes, and files by what they are.

Text is equal or not. In JSON, CSV, Parquet and spreadsheets, values are compared one by one: numbers that are written
with a point or an exponent within `TOLERANCE`, everything else, and what is called n or df, exactly. In vector graphics, alone or
within a page, numbers count within the same tolerance or one of their last place. Files that the recorder does not keep (pictures
of pixels, banks, weights) have to be there on both sides and are counted."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from pathlib import Path, PurePosixPath
from typing import Any

import pandas as pd

from tools.recorder.alike import Alike
from tools.recorder.recorded import Recorded, Recording, read_recording
from tools.recorder.walking import called_now

TOLERANCE = 1e-9
"""How far two numbers may be apart, as a share of the larger."""

_EXACT = re.compile(r"(?:^|_)(?:n|df|count|counts|items|total)(?:_|\d|$)", re.IGNORECASE)
"""Columns and keys whose numbers have to be equal even where they have a point."""
_DECIMAL = re.compile(r"[+-]?(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][+-]?\d+)?")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_LAST_PLACE = 1.5e-6
"""Coordinates have six places: what is drawn from numbers within the tolerance can be one apart in the last."""
_LONG = 4000
"""Above so many lines that differ, they are not aligned, which takes time with the square of their number."""
_SHOWN = 200
"""Characters of either side of an example."""


class CompareError(Exception):
    """Two recordings cannot be compared; the message says why."""


@dataclass(frozen=True)
class Difference:
    """A difference: of which kind, in which step, file and place (a line, a row and column, a path in JSON), and both sides."""

    kind: str
    step: str
    file: str
    where: str
    a: str
    b: str


@dataclass
class Comparison:
    """What came of it: the differences in order, and how much was compared."""

    differences: list[Difference] = field(default_factory=list)
    steps: int = 0
    files: int = 0
    counted: int = 0


@dataclass(frozen=True)
class _Found:
    """A difference within one file."""

    what: str
    where: str
    a: object
    b: object


def compare(a: Path, b: Path, only: Sequence[str] = ()) -> Comparison:
    """Compare two recordings of the same plan; of the sets `only`, where some are named.

    Raises CompareError where one of them is no finished recording, or where they are of different plans."""
    left, right = _open(a), _open(b)
    if only and all(set(only) <= set(recording.sets) for recording in (left, right)):
        for recording in (left, right):
            recording.steps[:] = [step for step in recording.steps if step.set in only]
    elif only or sorted(left.sets) != sorted(right.sets):
        raise CompareError(f"{a} and {b} have not the same sets, or not those: {_plan(left)}; {_plan(right)}")
    if left.quick != right.quick:
        raise CompareError(f"{a} and {b} are of different plans: {_plan(left)}; {_plan(right)}")
    result = Comparison()
    alike = Alike(left), Alike(right)
    ours, theirs = _by_name(left.steps), _by_name(right.steps)
    for name in [*ours, *(name for name in theirs if name not in ours)]:
        one, other = ours.get(name), theirs.get(name)
        if one is None or other is None:
            result.differences.append(Difference("a step", name, "", "", _there(one is not None), _there(other is not None)))
            continue
        result.steps += 1
        for kind, file, found in _in_step(one, other, (a, b), alike, result):
            result.differences.append(
                Difference(f"{kind}: {found.what}", name, file, found.where, _shown(found.a), _shown(found.b))
            )
    return result


def told(comparison: Comparison, *, every: bool = False) -> str:
    """The comparison in words: what was compared, then the kinds of differences, most frequent first, with one example each (all
    with `every`)."""
    counted = f"{comparison.counted} more (pictures, banks, weights) are only counted"
    lines = [f"compared: {comparison.steps} steps, {comparison.files} files; {counted}"]
    if not comparison.differences:
        return "\n".join([*lines, "no differences"])
    kinds = Counter(difference.kind for difference in comparison.differences)
    lines.append(f"{len(comparison.differences)} differences of {len(kinds)} kinds")
    for kind, count in kinds.most_common():
        lines += ["", f"{kind} ({count})"]
        of_kind = [difference for difference in comparison.differences if difference.kind == kind]
        for difference in of_kind if every else of_kind[:1]:
            lines.append(f"  {difference.step}")
            lines.append(f"  {' '.join(filter(None, (difference.file, difference.where)))}")
            lines += [f"    A: {difference.a}", f"    B: {difference.b}"]
    return "\n".join(lines)


def _open(folder: Path) -> Recording:
    try:
        return read_recording(folder)
    except FileNotFoundError:
        raise CompareError(f"{folder} is no recording, or one that was not finished") from None
    except ValueError as error:
        raise CompareError(str(error)) from None


def _plan(recording: Recording) -> str:
    return f"{'quick' if recording.quick else 'full'}, {', '.join(sorted(recording.sets))}"


def _by_name(steps: Iterable[Recorded]) -> dict[str, Recorded]:
    """The steps by their set and command as it is called now, with a number where a set has one several times."""
    times = Counter[str]()
    named = {}
    for step in steps:
        name = str(replace(step, arguments=list(called_now(tuple(step.arguments)))))
        times[name] += 1
        named[f"{name} (time {times[name]})" if times[name] > 1 else name] = step
    return named


def _in_step(
    one: Recorded, other: Recorded, folders: tuple[Path, Path], alike: tuple[Alike, Alike], result: Comparison
) -> Iterator[tuple[str, str, _Found]]:
    """The differences of a step, each with what kind of file it is in, and the file."""
    if one.code != other.code:
        yield "exit code", "", _Found("of a command", "", one.code, other.code)
    streams = folders[0] / one.folder, folders[1] / other.folder
    for stream in ("stdout", "stderr"):
        result.files += 1
        texts = [(folder / stream).read_text("utf-8", "replace") for folder in streams]
        compared = _json if stream == "stdout" and all(text[:1] in ("{", "[") for text in texts) else _printed
        for found in compared(texts[0], texts[1], *alike):
            yield f"{stream}{', JSON' if compared is _json else ''}", stream, found
    files = [{alike_of.text(path): path for path in step.files} for step, alike_of in zip((one, other), alike, strict=True)]
    kept = [{**one.files}, {**other.files}]
    for name in sorted(files[0].keys() | files[1].keys()):
        paths = files[0].get(name), files[1].get(name)
        kind = PurePosixPath(name).suffix.lstrip(".") or "file"
        if paths[0] is None or paths[1] is None:
            yield kind, name, _Found("a file", "", _there(paths[0] is not None), _there(paths[1] is not None))
            continue
        sides = streams[0] / "files" / paths[0], streams[1] / "files" / paths[1]
        if kept[0][paths[0]] and kept[1][paths[1]] and not any(map(_is_no_text, sides)):
            result.files += 1
            for found in _in_file(*sides, alike):
                yield kind, name, found
        else:
            result.counted += 1


def _is_no_text(path: Path) -> bool:
    """Whether a file is neither text nor a table that can be read: weights without an ending that says so."""
    with path.open("rb") as file:
        return path.suffix not in (".parquet", ".xlsx") and b"\0" in file.read(1 << 16)


def _in_file(a: Path, b: Path, alike: tuple[Alike, Alike]) -> Iterable[_Found]:
    """The differences of two files, compared as what their ending, or else their beginning, says that they are."""
    ending = a.suffix.lower()
    if ending == ".parquet":
        return _frames(pd.read_parquet(a), pd.read_parquet(b), *alike)
    if ending == ".xlsx":
        return _books(a, b, *alike)
    if a.read_bytes() == b.read_bytes():
        return ()
    texts = a.read_text("utf-8", "replace"), b.read_text("utf-8", "replace")
    compared: Callable[[str, str, Alike, Alike], Iterable[_Found]] = {
        ".json": _json,
        ".jsonl": _json_lines,
        ".csv": _csv,
        ".tsv": _csv,
    }.get(ending, _printed)
    return compared(texts[0], texts[1], *alike)


# Text


def _printed(a: str, b: str, of_a: Alike, of_b: Alike) -> Iterator[_Found]:
    """Line by line; within vector graphics, numbers within the tolerance."""
    if a == b:
        return
    lines = of_a.printed(a).split("\n"), of_b.printed(b).split("\n")
    yield from _aligned(*_drawn_alike(*lines), _line)


def _line(where: str, a: str, b: str) -> Iterator[_Found]:
    same_words = _NUMBER.sub("#", a) == _NUMBER.sub("#", b)
    yield _Found("numbers of a line" if same_words else "words of a line", where, a, b)


def _drawn_alike(a: list[str], b: list[str]) -> tuple[list[str], list[str]]:
    """The lines, where those of graphics whose numbers are within the tolerance are made the same."""
    if len(a) == len(b):
        inside = False
        b = list(b)
        for at, (one, other) in enumerate(zip(a, b, strict=True)):
            inside = inside or "<svg" in one
            if inside and one != other and _drawn_the_same(one, other):
                b[at] = one
            if "</svg>" in one:
                inside = False
    return a, b


def _drawn_the_same(a: str, b: str) -> bool:
    if _NUMBER.sub("#", a) != _NUMBER.sub("#", b):
        return False
    numbers = zip(map(float, _NUMBER.findall(a)), map(float, _NUMBER.findall(b)), strict=True)
    return all(_near(one, other) or abs(one - other) < _LAST_PLACE for one, other in numbers)


# Values


def _json(a: str, b: str, of_a: Alike, of_b: Alike) -> Iterator[_Found]:
    if a == b:
        return
    try:
        values = _alike_shaped(json.loads(a), json.loads(b))
    except ValueError:
        yield from _printed(a, b, of_a, of_b)
        return
    yield from _values("$", "value", of_a.value("", values[0]), of_b.value("", values[1]))


def _alike_shaped(a: Any, b: Any) -> tuple[Any, Any]:
    """Both as they are; where only one of them is from a release that prints results in an envelope, the results of both."""
    in_envelope = [isinstance(value, dict) and list(value) == ["request", "results", "notes"] for value in (a, b)]
    if in_envelope[0] == in_envelope[1]:
        return a, b
    first, second = (
        value["results"] if wrapped else value if isinstance(value, list) else [value]
        for value, wrapped in zip((a, b), in_envelope, strict=True)
    )
    return first, second


def _json_lines(a: str, b: str, of_a: Alike, of_b: Alike) -> Iterator[_Found]:
    """A JSON value on each line. Written out again, lines that are the same but for what is made alike are equal."""
    if a == b:
        return

    def written(text: str, alike: Alike) -> list[str]:
        return [json.dumps(alike.value("", json.loads(line)), ensure_ascii=False) for line in text.splitlines() if line]

    def compared(where: str, one: str, other: str) -> Iterator[_Found]:
        yield from _values(f"{where} $", "value", json.loads(one), json.loads(other))

    try:
        lines = written(a, of_a), written(b, of_b)
    except ValueError:
        yield from _printed(a, b, of_a, of_b)
        return
    yield from _aligned(*lines, compared)


def _values(where: str, name: str, a: Any, b: Any) -> Iterator[_Found]:
    """The differences of two JSON values."""
    if isinstance(a, dict) and isinstance(b, dict):
        for key in [*a, *(key for key in b if key not in a)]:
            at = f"{where}.{key}"
            if key not in a or key not in b:
                yield _Found(f"key {key}", at, _there(key in a), _there(key in b))
            else:
                yield from _values(at, key, a[key], b[key])
        common = [key for key in a if key in b]
        if common != [key for key in b if key in a]:
            yield _Found("order of keys", where, common, [key for key in b if key in a])
    elif isinstance(a, list) and isinstance(b, list):
        if len(a) == len(b):
            if a != b and Counter(map(_written, a)) == Counter(map(_written, b)):
                yield _Found(f"order in {name}", where, a, b)
                return
            for index, (one, other) in enumerate(zip(a, b, strict=True)):
                yield from _values(f"{where}[{index}]", name, one, other)
        else:
            yield _Found(f"length of {name}", where, f"{len(a)}: {_written(a)}", f"{len(b)}: {_written(b)}")
    elif not _equal(name, a, b):
        yield _Found(f"{_kind_of(a, b)} {name}", where, a, b)


def _written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _there(there: bool) -> str:
    return "is there" if there else ""


def _equal(name: str, a: Any, b: Any) -> bool:
    """Whether two single values count as equal: floats within the tolerance, unless they are called n, df or the like."""
    if type(a) is type(b) is float and _EXACT.search(name) is None:
        return _near(a, b)
    return type(a) is type(b) and (a == b or (a != a and b != b))


def _near(a: float, b: float) -> bool:
    return a == b or (a != a and b != b) or abs(a - b) <= TOLERANCE * max(abs(a), abs(b)) < math.inf


def _kind_of(a: Any, b: Any) -> str:
    return "number" if all(isinstance(value, int | float) and not isinstance(value, bool) for value in (a, b)) else "value"


# Tables


def _csv(a: str, b: str, of_a: Alike, of_b: Alike) -> Iterator[_Found]:
    if a == b:
        return
    if a.splitlines()[:1] != b.splitlines()[:1] and of_a.text(a.split("\n")[0]) != of_b.text(b.split("\n")[0]):
        yield _Found("the header", "line 1", a.splitlines()[:1], b.splitlines()[:1])
        return
    delimiter = "\t" if "\t" in a.split("\n")[0] else ","
    tables = [list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), delimiter=delimiter)) for text in (a, b)]
    if not tables[0] or not tables[1]:
        yield from _printed(a, b, of_a, of_b)
        return
    yield from _tables(tables[0], tables[1], of_a, of_b)


def _tables(a: list[list[str]], b: list[list[str]], of_a: Alike, of_b: Alike) -> Iterator[_Found]:
    """Two tables of text, the first row being the names of the columns."""
    names = [of_a.text(name) for name in a[0]]
    if names != [of_b.text(name) for name in b[0]]:
        yield _Found("the header", "line 1", a[0], b[0])
        return

    def written(rows: list[list[str]], alike: Alike) -> list[str]:
        return [_written([alike.cell(name, cell) for name, cell in zip(names, row, strict=False)]) for row in rows[1:]]

    def compared(where: str, one: str, other: str) -> Iterator[_Found]:
        cells = json.loads(one), json.loads(other)
        if len(cells[0]) != len(cells[1]):
            yield _Found("length of a row", where, *cells)
            return
        for name, left, right in zip(names, *cells, strict=False):
            values = _read(left, right)
            if not _equal(name, *values):
                yield _Found(f"{_kind_of(*values)} {name}", f"{where}, column {name}", left, right)

    yield from _aligned(written(a, of_a), written(b, of_b), compared, first=2)


def _read(a: str, b: str) -> tuple[Any, Any]:
    """Two cells as numbers, where both are and one is written with a point or an exponent; else as they stand."""
    if all(map(_NUMBER.fullmatch, (a, b))) and any(map(_DECIMAL.fullmatch, (a, b))):
        return float(a), float(b)
    return a, b


def _frames(a: pd.DataFrame, b: pd.DataFrame, of_a: Alike, of_b: Alike) -> Iterator[_Found]:
    types = [[f"{name} {kind}" for name, kind in frame.dtypes.items()] for frame in (a, b)]
    if types[0] != types[1]:
        yield _Found("names and types of columns", "", *types)
        return
    tables = []
    for frame in (a, b):
        columns = [[_cell(value) for value in frame[name]] for name in frame]
        tables.append([list(map(str, frame.columns)), *map(list, zip(*columns, strict=True))])
    yield from _tables(tables[0], tables[1], of_a, of_b)


def _cell(value: Any) -> str:
    return "" if value is None else repr(value) if isinstance(value, float) else str(value)


def _books(a: Path, b: Path, of_a: Alike, of_b: Alike) -> Iterator[_Found]:
    books = [pd.read_excel(path, sheet_name=None, header=None, dtype=object, na_filter=False) for path in (a, b)]
    if list(books[0]) != list(books[1]):
        yield _Found("names of sheets", "", list(books[0]), list(books[1]))
        return
    for name, sheet in books[0].items():
        tables = [[[_cell(value) for value in row] for row in frame.itertuples(index=False)] for frame in (sheet, books[1][name])]
        if tables[0] and tables[1]:
            for found in _tables(tables[0], tables[1], of_a, of_b):
                yield _Found(found.what, f"sheet {name}, {found.where}", found.a, found.b)
        elif tables[0] != tables[1]:
            yield _Found("a sheet", name, *tables)


# Lines


def _aligned(
    a: Sequence[str], b: Sequence[str], compared: Callable[[str, str, str], Iterable[_Found]], first: int = 1
) -> Iterator[_Found]:
    """The differences of two sequences of lines or rows: those that only one side has, those in another order, and those that
    stand at the same place and differ, as `compared` says.

    Lines are put side by side by what they say without their numbers, so that numbers that moved hide no line that is new."""
    if a == b:
        return
    if Counter(a) == Counter(b):
        other = [at for at, (one, two) in enumerate(zip(a, b, strict=True)) if one != two]
        yield _Found("order of lines", f"{len(other)} from line {other[0] + first}", a[other[0]], b[other[0]])
        return
    pairs = list(_side_by_side(a, b))
    ours = Counter(a[i] for i, j in pairs if i is not None and (j is None or a[i] != b[j]))
    theirs = Counter(b[j] for i, j in pairs if j is not None and (i is None or a[i] != b[j]))
    moved = ours & theirs
    order: list[tuple[int | None, int | None]] = []
    for i, j in pairs:
        if i is not None and j is not None and a[i] == b[j]:
            continue
        if (i is None or a[i] in moved) and (j is None or b[j] in moved):
            order.append((i, j))
        elif j is None:
            assert i is not None
            yield _Found("a line in A only", f"line {i + first}", a[i], "")
        elif i is None:
            yield _Found("a line in B only", f"line {j + first}", "", b[j])
        else:
            yield from compared(f"line {i + first}" if i == j else f"lines {i + first} and {j + first}", a[i], b[j])
    for i, j in order[:1]:
        at = j if i is None else i
        assert at is not None
        yield _Found(
            "order of lines",
            f"{len(order)} from line {at + first}",
            "" if i is None else a[i],
            "" if j is None else b[j],
        )


def _side_by_side(a: Sequence[str], b: Sequence[str]) -> Iterator[tuple[int | None, int | None]]:
    """Which line of A stands beside which of B: indices, None where there is none."""
    start = 0
    while start < min(len(a), len(b)) and a[start] == b[start]:
        start += 1
    end = 0
    while end < min(len(a), len(b)) - start and a[-1 - end] == b[-1 - end]:
        end += 1
    left = [_NUMBER.sub("#", line) for line in a[start : len(a) - end]]
    right = [_NUMBER.sub("#", line) for line in b[start : len(b) - end]]
    if left == right or max(len(left), len(right)) > _LONG:
        for n in range(max(len(left), len(right))):
            yield (start + n if n < len(left) else None), (start + n if n < len(right) else None)
        return
    for _, i1, i2, j1, j2 in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        for n in range(max(i2 - i1, j2 - j1)):
            yield (start + i1 + n if i1 + n < i2 else None), (start + j1 + n if j1 + n < j2 else None)


def _shown(value: object) -> str:
    text = value if isinstance(value, str) else "" if value is None else str(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]} …"
