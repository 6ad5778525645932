"""Tables that R code writes down: what `dput` prints, data frames, tibbles, vectors of sentences. Literals and the few functions that repeat and
number them are read; nothing is run."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from gapsmith.bank.formats.composing import unspaced_in

_TOKEN = re.compile(
    r"""(?P<skip>(?:\s|\#[^\n]*)+)|(?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?P<number>\d+\.?\d*(?:[eE][-+]?\d+)?L?|\.\d+)"""
    r"|(?P<name>`[^`]+`|[A-Za-z.][\w.]*(?:::[A-Za-z.][\w.]*)?)|(?P<sign><-|[(),=:~-])",
    re.DOTALL,
)
_SET = re.compile(r"(?:\A|(?<=\n))[ \t]*(?P<name>[A-Za-z.][\w.]*)[ \t]*(?:<-|=)\s*(?=[A-Za-z.])")
_FRAME = re.compile(r"\b(?:data\.frame|data_frame|tibble|tribble|data\.table|structure\s*\(\s*list)\s*\(")
_START = re.compile(
    r"(?:\s|#[^\n]*\n)*(?:[A-Za-z.][\w.]*\s*<-\s*)?(?:structure\s*\(\s*list|(?:tibble::)?(?:tibble|tribble)|data\.frame|"
    r"list\s*\(\s*[\w.]+\s*=\s*c)\s*\("
)
_END = re.compile(r"[ \t]*(?:#[^\n]*)?(?:;|\n|\Z)")
"""Nothing stands behind a value that does something with it."""
_FRAMES = frozenset({"data.frame", "data_frame", "tibble", "data.table"})
_BLANK = frozenset({"NA", "NULL", "NA_character_", "NA_integer_", "NA_real_"})
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}
_ESCAPED = re.compile(r"\\(?:u\{?([0-9a-fA-F]{1,6})\}?|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_MOST = 5_000_000
"""Longer vectors are not laid out."""
_DEEPEST = 50


class RValue(NamedTuple):
    """A value as text, and the line on which it stands."""

    text: str
    line: int


Vector: TypeAlias = "tuple[RValue, ...]"


@dataclass(frozen=True, slots=True)
class RTable:
    """Columns of equal length under their names."""

    columns: tuple[tuple[str, Vector], ...]

    @property
    def rows(self) -> list[list[str]]:
        """The headings, and below them the rows."""
        return [[name for name, _ in self.columns], *([cell.text for cell in row] for row in self._cells)]

    @property
    def places(self) -> list[int]:
        """The line of each row below the headings: that of its longest cell."""
        return [max(row, key=lambda cell: len(cell.text)).line for row in self._cells]

    @property
    def _cells(self) -> list[tuple[RValue, ...]]:
        return list(zip(*(cells for _, cells in self.columns), strict=True))


Value: TypeAlias = "Vector | RTable | _List"


@dataclass(frozen=True, slots=True)
class _List:
    entries: tuple[tuple[str, Value], ...]


class _NoLiteralError(ValueError):
    """What stands here would have to be run."""


def is_r(text: str, suffix: str) -> bool:
    """Whether a text is R code, by its name or its beginning."""
    return suffix == ".r" or _START.match(text[:2000]) is not None


def frames_of(text: str) -> list[RTable]:
    """The tables in R code that hold sentences; none where one of them would have to be run."""
    known: dict[str, Value] = {}
    found: list[RTable] = []
    end = 0
    places = [(match.end(), match["name"]) for match in _SET.finditer(text)]
    if _START.match(text) is not None and (not places or places[0][0] > len(text) - len(text.lstrip()) + 80):
        places.insert(0, (0, ""))
    for place, name in places:
        if place < end:
            continue  # an argument of the call above
        reader = _Reader(text, place, known)
        try:
            value = reader.value()
        except _NoLiteralError:
            if isinstance(known.get(name), RTable):
                return []
            line_end = text.find("\n\n", place)
            if _FRAME.search(text[place : line_end if line_end > 0 else len(text)]):
                return []
            continue
        end = reader.at
        if _END.match(text, end) is None:
            # What becomes of it would have to be run.
            if isinstance(value, RTable):
                return []
            continue
        if isinstance(value, _List):
            with contextlib.suppress(_NoLiteralError):
                value = reader.framed(value)
        known[name] = value
        if isinstance(value, RTable):
            found.append(value)
    if any(re.search(rf"\b{re.escape(name)}\s*(?:\$\w+|\[[^\n]*\])+\s*<-", text) for name in known if name):
        return []  # changed later
    held = [frame for frame in found if any(_are_sentences(cells) for _, cells in frame.columns)]
    if held or _FRAME.search(text):
        return held
    vectors = [(name, value) for name, value in known.items() if isinstance(value, tuple) and len(value) > 1]
    texts = [(name, cells) for name, cells in vectors if _are_sentences(cells)]
    beside = [(name, cells) for name, cells in vectors if texts and len(cells) == len(texts[0][1])]
    if not texts or len({len(cells) for _, cells in texts}) > 1 or len(beside) < 2:
        return []
    return [RTable(tuple(beside))]


def _are_sentences(cells: Vector) -> bool:
    return sum(len(cell.text.split()) > 1 or len(unspaced_in(cell.text)) > 3 for cell in cells) * 2 > len(cells)


ROW_NAME = "item"
"""The heading of the names of a list's entries."""


class _NamedVector(tuple[RValue, ...]):
    """A vector whose cells have names."""

    names: tuple[str, ...]

    def __new__(cls, names: Iterable[str], cells: Iterable[RValue]) -> _NamedVector:
        made = super().__new__(cls, tuple(cells))
        made.names = tuple(names)
        return made


class _Reader:
    """Values, from a place of a text on."""

    def __init__(self, text: str, at: int, known: dict[str, Value]) -> None:
        self.at = at
        self._text = text
        self._known = known
        self._line = text.count("\n", 0, at) + 1
        self._counted = at
        self._depth = 0

    def value(self) -> Value:
        """The value that begins here, and the sequence from it to another."""
        first = self._one()
        if self._is(":"):
            begin, end = _number(first), _number(self._one())
            if abs(end - begin) > _MOST:
                raise _NoLiteralError
            step = 1 if end >= begin else -1
            return tuple(RValue(str(n), self._line) for n in range(begin, end + step, step))
        return first

    def framed(self, value: _List) -> RTable:
        """A list of vectors as a table."""
        return self._frame(value.entries)

    def _one(self) -> Value:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _NoLiteralError
        kind, token = self._next()
        line = self._here()
        try:
            if kind == "string":
                return (RValue(_unescaped(token[1:-1]), line),)
            if kind == "number":
                return (RValue(token.removesuffix("L"), line),)
            if token == "-":
                (cell,) = self._vector(self._one())
                return (RValue(f"-{cell.text}", line),)
            if kind != "name":
                raise _NoLiteralError
            if self._is("("):
                return self._call(token.rpartition("::")[2])
            if token in ("TRUE", "FALSE", "T", "F"):
                return (RValue({"T": "TRUE", "F": "FALSE"}.get(token, token), line),)
            if token in _BLANK:
                return (RValue("", line),)
            if token in self._known:
                return self._known[token]
            raise _NoLiteralError
        finally:
            self._depth -= 1

    def _call(self, name: str) -> Value:
        if name == "tribble":
            return self._tribble()
        given = self._arguments()
        own = {key: value for key, value in given if key}
        bare = [value for key, value in given if not key]
        if name in ("factor", "as.factor") and set(own) - {"levels", "ordered"}:
            raise _NoLiteralError
        if name == "c" and len(own) == len(given) > 1 and all(len(self._vector(value)) == 1 for value in own.values()):
            return _NamedVector(own, (self._vector(value)[0] for value in own.values()))
        if name in ("c", "as.character", "I", "factor", "as.factor", "trimws"):
            return tuple(cell for _, value in (given if name == "c" else given[:1]) for cell in self._vector(value))
        if name in ("rep", "rep_len"):
            return self._repeated(own, bare)
        if name in ("seq_len", "seq"):
            numbers = [_number(value) for value in bare]
            if own or not numbers or len(numbers) > 2 or numbers[-1] > _MOST:
                raise _NoLiteralError
            begin, end = (1, numbers[0]) if len(numbers) == 1 else numbers
            return tuple(RValue(str(n), self._line) for n in range(begin, end + 1))
        if name == "list":
            return self._of_records(given) or _List(tuple(given))
        if name in _FRAMES:
            return self._frame(
                [(key, value) for key, value in given if key not in ("stringsAsFactors", "check.names", "row.names")]
            )
        if name == "structure" and bare:
            return self._structure(bare[0], own)
        raise _NoLiteralError

    def _of_records(self, given: Sequence[tuple[str, Value]]) -> RTable | None:
        """A list of lists with the same names and a value each, as a table."""
        records = [
            value.entries
            if isinstance(value, _List)
            else tuple((name, (cell,)) for name, cell in zip(value.names, value, strict=True))
            for _, value in given
            if isinstance(value, _List | _NamedVector)
        ]
        names = {tuple(name for name, _ in own) for own in records}
        if len(records) < 2 or len(records) < len(given) or len(names) != 1 or not all(next(iter(names))):
            return None
        if any(not isinstance(value, tuple) or len(value) != 1 for own in records for _, value in own):
            return None
        columns = zip(*(tuple(self._vector(value)[0] for _, value in own) for own in records), strict=True)
        table = tuple(zip(next(iter(names)), columns, strict=True))
        called = [key for key, _ in given]
        if all(called) and len(set(called)) == len(called) and ROW_NAME not in next(iter(names)):
            # What the list calls its entries.
            table = ((ROW_NAME, tuple(RValue(key, cells.line) for key, cells in zip(called, table[0][1], strict=True))), *table)
        return RTable(table)

    def _structure(self, held: Value, own: dict[str, Value]) -> Value:
        if isinstance(held, _List):
            return self._frame(held.entries)
        labels = own.get("levels", own.get("Label", own.get(".Label")))
        if labels is None:
            return held
        names = self._vector(labels)
        cells = self._vector(held)
        if any(cell.text and not (cell.text.isdecimal() and 0 < int(cell.text) <= len(names)) for cell in cells):
            raise _NoLiteralError
        return tuple(RValue(names[int(cell.text) - 1].text if cell.text else "", cell.line) for cell in cells)

    def _frame(self, entries: Sequence[tuple[str, Value]]) -> RTable:
        columns = [(name, self._vector(value)) for name, value in entries]
        longest = max((len(cells) for _, cells in columns), default=0)
        if not longest or any(not name or not cells or longest % len(cells) for name, cells in columns):
            raise _NoLiteralError
        return RTable(tuple((name, cells * (longest // len(cells))) for name, cells in columns))

    def _tribble(self) -> RTable:
        names: list[str] = []
        while self._is("~"):
            kind, token = self._next()
            if kind not in ("name", "string"):
                raise _NoLiteralError
            names.append(token.strip("`\"'"))
            self._is(",")
        cells: list[RValue] = []
        while not self._is(")"):
            cells += self._vector(self._one())
            self._is(",")
        if not names or not cells or len(cells) % len(names):
            raise _NoLiteralError
        return RTable(tuple((name, tuple(cells[n :: len(names)])) for n, name in enumerate(names)))

    def _repeated(self, own: dict[str, Value], bare: Sequence[Value]) -> Vector:
        if not bare or len(bare) > 2 or set(own) - {"times", "each", "length.out"}:
            raise _NoLiteralError
        cells = self._vector(bare[0])
        if "each" in own:
            cells = tuple(cell for cell in cells for _ in range(_number(own["each"])))
        if len(bare) > 1 or "times" in own:
            times = self._vector(own["times"] if "times" in own else bare[1])
            counts = [_number((count,)) for count in times]
            if len(counts) not in (1, len(cells)):
                raise _NoLiteralError
            if len(counts) > 1:
                cells = tuple(cell for cell, count in zip(cells, counts, strict=True) for _ in range(count))
            elif len(cells) * counts[0] > _MOST:
                raise _NoLiteralError
            else:
                cells = cells * counts[0]
        if "length.out" in own:
            long = _number(own["length.out"])
            if not cells or long > _MOST:
                raise _NoLiteralError
            cells = (cells * (long // len(cells) + 1))[:long]
        return cells

    def _arguments(self) -> list[tuple[str, Value]]:
        given: list[tuple[str, Value]] = []
        while not self._is(")"):
            key, before = "", self.at
            kind, token = self._next()
            if kind in ("name", "string") and self._is("="):
                key = token.strip("`\"'")
            else:
                self.at = before
            given.append((key, self.value()))
            if not self._is(",") and self._peek() != ")":
                raise _NoLiteralError
        return given

    def _vector(self, value: Value) -> Vector:
        if not isinstance(value, tuple):
            raise _NoLiteralError
        return value

    def _next(self) -> tuple[str, str]:
        while (match := _TOKEN.match(self._text, self.at)) is not None:
            self.at = match.end()
            if match.lastgroup != "skip":
                return str(match.lastgroup), match[0]
        raise _NoLiteralError

    def _peek(self) -> str:
        before = self.at
        try:
            return self._next()[1]
        except _NoLiteralError:
            return ""
        finally:
            self.at = before

    def _is(self, sign: str) -> bool:
        if self._peek() != sign:
            return False
        self._next()
        return True

    def _here(self) -> int:
        """The line of the place that has been reached."""
        if self.at >= self._counted:
            self._line += self._text.count("\n", self._counted, self.at)
            self._counted = self.at
        return self._line


def _number(value: Value) -> int:
    if isinstance(value, tuple) and len(value) == 1 and re.fullmatch(r"-?\d{1,9}", value[0].text):
        return int(value[0].text)
    raise _NoLiteralError


def _unescaped(text: str) -> str:
    def one(match: re.Match[str]) -> str:
        if code := match[1] or match[2]:
            return chr(int(code, 16)) if int(code, 16) < 0x110000 else match[0]
        return _ESCAPES.get(match[3], match[3])

    return _ESCAPED.sub(one, text) if "\\" in text else text
