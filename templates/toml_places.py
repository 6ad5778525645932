"""Where things stand in a TOML file: the line of a table or key, which `tomllib` does not tell."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from gapsmith.templates.errors import FilePlace

_PART = r"""(?:[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|'[^']*')"""
_DOTTED = rf"{_PART}(?:\s*\.\s*{_PART})*"
_HEADER = re.compile(rf"\s*(\[\[?)\s*({_DOTTED})\s*\]")
_KEY = re.compile(rf"\s*({_DOTTED})\s*=\s*")


def key_lines(text: str) -> dict[FilePlace, int]:
    """The line, from 1, of every table and key of a TOML text that reads; keys within braces are not among them."""
    found: dict[FilePlace, int] = {}
    counts: dict[FilePlace, int] = {}
    table: FilePlace = ()
    closing = ""
    for number, line in enumerate(text.splitlines(), 1):
        if closing:
            # Inside of a text of several lines.
            closing = "" if closing in line else closing
            continue
        if header := _HEADER.match(line):
            table = _numbered(_parts(header.group(2)), counts, starts=header.group(1) == "[[")
            # A table that is only named within those of others begins with the first of them; a list of tables is no table.
            for length in range(1, len(table) + 1):
                if table[:length] not in counts:
                    found.setdefault(table[:length], number)
        elif key := _KEY.match(line):
            parts = _parts(key.group(1))
            for length in range(1, len(parts) + 1):
                found.setdefault((*table, *parts[:length]), number)
            closing = _left_open(line[key.end() :])
    return found


def line_of(path: FilePlace, lines: Mapping[FilePlace, int]) -> int | None:
    """The line of a place, or of the nearest table or key around it; None for the file as a whole."""
    for length in range(len(path), 0, -1):
        if path[:length] in lines:
            return lines[path[:length]]
    # A list of tables begins with the first of them.
    return lines.get((*path[:1], 0))


def named_before(text: str, line: int) -> tuple[str, int] | None:
    """What the table or key of a line is called, as people read it, and the line that has it already; None where none has."""
    lines = text.splitlines()
    before = key_lines("\n".join(lines[: line - 1]))
    path: FilePlace
    if header := _HEADER.match(lines[line - 1]):
        path = _parts(header.group(2))
        shown = f"[{'.'.join(map(str, path))}]"
    elif key := _KEY.match(lines[line - 1]):
        table: FilePlace = ()
        counts: dict[FilePlace, int] = {}
        for above in lines[: line - 1]:
            if header := _HEADER.match(above):
                table = _numbered(_parts(header.group(2)), counts, starts=header.group(1) == "[[")
        path, shown = (*table, *_parts(key.group(1))), f"`{key.group(1).strip()}`"
    else:
        return None
    found = before.get(path) or before.get((*path, 0))
    return None if found is None else (shown, found)


def place_shown(path: FilePlace, data: Mapping[str, Any]) -> str:
    """A place as people read it: ``[regions.gap]``, ``[slots.noun]``; a table of a list by its name, else by its number."""
    parts: list[str] = []
    here: Any = data
    for part in path:
        here = _inside(here, part)
        if isinstance(part, str):
            parts.append(part if re.fullmatch(r"[A-Za-z0-9_-]+", part) else repr(part))
        else:
            name = here.get("name") if isinstance(here, dict) else None
            parts.append(name if isinstance(name, str) and name else str(part + 1))
    return f"[{'.'.join(parts)}]"


def _inside(here: Any, part: str | int) -> Any:
    try:
        return here[part]
    except (KeyError, IndexError, TypeError):
        return None


def _parts(dotted: str) -> tuple[str, ...]:
    return tuple(part[1:-1] if part[0] in "\"'" else part for part in re.findall(_PART, dotted))


def _numbered(parts: Sequence[str], counts: dict[FilePlace, int], *, starts: bool) -> FilePlace:
    """The path of a header, with the number of each table of a list; `starts` begins the next one of the last list."""
    path: FilePlace = ()
    for position, part in enumerate(parts):
        path = (*path, part)
        last = position == len(parts) - 1
        if starts and last:
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = (*path, counts[path])
    return path


def _left_open(value: str) -> str:
    """The quotes that a text of several lines is to be closed with; empty where the value ends on its line."""
    for quotes in ('"""', "'''"):
        if value.startswith(quotes) and quotes not in value[3:]:
            return quotes
    return ""
