"""What somebody says is left out of a file: rows by what a column says of them, lines or rows by the numbers that messages give them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

_NUMBERS = re.compile(r"\s*\d+(?:\s*-\s*\d+)?(?:\s*,\s*\d+(?:\s*-\s*\d+)?)*\s*")
_SHEET = re.compile(r"(?P<sheet>.+)!(?P<numbers>[\d\s,-]+)", re.DOTALL)
_LONGEST = 1_000_000
_TABLES = frozenset({".csv", ".tsv"})


@dataclass(frozen=True, slots=True)
class SaidLeftOut:
    """What ``--leave-out`` said, taken apart."""

    columns: tuple[str, ...] = ()
    """``COLUMN=VALUE``, as ``--only`` has it."""
    numbers: frozenset[int] = frozenset()
    """Lines of a text, or rows of what is laid out or of a sheet, from 1."""
    of_sheets: frozenset[tuple[str, int]] = frozenset()
    """Rows where several sheets are read, each with its sheet."""


def left_out_of(said: Sequence[str]) -> SaidLeftOut:
    """What was said. Raises `ValueError` with what is neither ``COLUMN=VALUE``, nor numbers such as ``4,7-9``, nor ``SHEET!4``."""
    columns: list[str] = []
    numbers: set[int] = set()
    of_sheets: set[tuple[str, int]] = set()
    for one in said:
        if _NUMBERS.fullmatch(one):
            numbers |= set(_numbers(one))
        elif (match := _SHEET.fullmatch(one)) is not None and _NUMBERS.fullmatch(match["numbers"]):
            of_sheets |= {(match["sheet"], number) for number in _numbers(match["numbers"])}
        elif "=" in one:
            columns.append(one)
        else:
            raise ValueError(one)
    return SaidLeftOut(tuple(columns), frozenset(numbers), frozenset(of_sheets))


def _numbers(said: str) -> Iterable[int]:
    for part in said.split(","):
        first, _, last = part.partition("-")
        begin, end = int(first), int(last or first)
        if not 0 < begin <= end <= _LONGEST:
            raise ValueError(part.strip())
        yield from range(begin, end + 1)


def as_numbers(numbers: Iterable[int]) -> str:
    """Numbers as one says them: ``4,7-9``."""
    parts = []
    for _, run in groupby(enumerate(sorted(set(numbers))), key=lambda own: own[1] - own[0]):
        own = [number for _, number in run]
        parts.append(str(own[0]) if len(own) == 1 else f"{own[0]}-{own[-1]}")
    return ",".join(parts)


def without_lines(text: str, numbers: Iterable[int], suffix: str) -> tuple[str, tuple[int, ...], list[tuple[int, str]]]:
    """The text without these lines, with as many lines as before; the number in the file of each, where these are not the same; and the lines
    that are gone, each with its number.

    What stands below such a line in its block moves up, so that it parts no block in two. In a table, a cell that goes on in the next line
    goes with its row. Raises `ValueError` with the number of a line that is not there."""
    lines = text.split("\n")
    gone: dict[int, str] = {}
    for number in sorted(set(numbers)):
        if number > len(lines) or (number == len(lines) and not lines[-1]):
            raise ValueError(number)
        if number in gone:
            continue
        gone[number] = lines[number - 1]
        quotes, end = lines[number - 1].count('"'), number
        while suffix in _TABLES and quotes % 2 and end < len(lines):
            end += 1
            gone[end] = lines[end - 1]
            quotes += lines[end - 1].count('"')
    kept: list[tuple[int, str]] = []
    held: list[int] = []
    for number, line in enumerate(lines, 1):
        if number in gone:
            held.append(number)
            continue
        if not line.strip():
            kept += [(one, "") for one in held]
            held = []
        kept.append((number, line))
    kept += [(one, "") for one in held]
    order = tuple(number for number, _ in kept)
    is_moved = any(number != place for place, number in enumerate(order, 1))
    return "\n".join(line for _, line in kept), order if is_moved else (), list(gone.items())
