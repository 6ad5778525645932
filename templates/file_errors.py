"""What is wrong with a paradigm file, in the file's own language: the line, the table, the key, and what can stand there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gapsmith.templates.documents import DocumentError, whole
from gapsmith.templates.errors import ParadigmError
from gapsmith.templates.spelling import did_you_mean, taken_for
from gapsmith.templates.toml_places import Path, key_lines, line_of, place_shown

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError

_MOST = 5
_WHAT = {
    r"^[a-z][a-z0-9_]*$": "small letters, digits and _, a letter first",
    r"^[a-z_]*$": "small letters and _",
    r"^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$": "a slot and a column, as in noun.preposition",
}
_KINDS = {
    "string_type": "text in quotes",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "list_type": "a list between [ and ]",
    "dict_type": 'a table: { name = "text" } or lines under its heading',
    "model_type": "a table: { key = … } or lines under its heading",
}
_BARE = re.compile(r"""(\s*[\w.-]+\s*=\s*)([^\s"'\[\]{}#][^"'#]*?)(\s*#.*)?""")
"""A key whose value is neither in quotes nor a list or table."""
_TABLES = {
    "designs": '[designs.all]\nconditions = "all"',
    "conditions": 'conditions = "all"',
    "levels": 'levels = { a = "…", b = "…" }',
}
"""What tables and lists look like, of the keys that have to be there."""
_SEVERAL = {
    "conditions": '"all", or a table of labels: { LABEL = "condition" }',
}


def not_toml(error: DocumentError, text: str, where: str) -> ParadigmError:
    """For a file that is not TOML at all."""
    line = f", line {error.line}" if error.line else ""
    column = f", at character {error.column}" if error.column else ""
    written = text.splitlines()[error.line - 1 : error.line] if error.line else []
    bare = _BARE.fullmatch(written[0]) if written else None
    mended = "" if bare is None or error.line is None else _as_it_can_read(f'{bare[1]}"{bare[2]}"{bare[3] or ""}', error.line)
    return ParadigmError(
        f"{where}{line}: not valid TOML: {error.why.removeprefix('not TOML: ')}{column}",
        hint="Text stands in quotes, lists between [ and ], and a key comes once in its table." + mended,
    )


def of_shape(error: ValidationError, data: Mapping[str, Any], text: str, where: str) -> ParadigmError:
    """For a file whose keys or values are not those of a paradigm; up to five faults, in the order of the file."""
    lines = key_lines(text)
    found: dict[Path, list[Mapping[str, Any]]] = {}
    for problem in error.errors():
        found.setdefault(_within(tuple(problem["loc"]), data, missing=problem["type"] == "missing"), []).append(dict(problem))
    said = []
    hints: dict[str, None] = {}
    mended: list[tuple[int, str]] = []
    for path, problems in found.items():
        line = line_of(path, lines)
        message, hint = _said(path, problems, data)
        said.append((line or 0, f"{f'line {line}: ' if line else ''}{message}"))
        hints |= {hint: None} if hint else {}
        if len(found) <= _MOST and (shown := _mended(path, problems[0], data, text, line)):
            mended.append((line or 0, shown))
    said.sort(key=lambda entry: entry[0])
    messages = [message for _, message in said[:_MOST]]
    if len(said) > _MOST:
        messages.append(f"and {len(said) - _MOST} more")
    together = f"{where}, {messages[0]}" if messages[0].startswith("line ") and len(messages) == 1 else ""
    return ParadigmError(
        together or f"{where}: " + "; ".join(messages), hint=" ".join(hints) + "".join(shown for _, shown in sorted(mended))
    )


def located(error: ParadigmError, data: Mapping[str, Any], text: str, where: str) -> ParadigmError:
    """For what is wrong with the meaning of a file: the line of the place between back quotes that the message begins with."""
    place = re.match(r"`([^`]+)`", error.message)
    path = () if place is None else _path(place.group(1), data)
    return placed(error, path, text, where)


def placed(error: ParadigmError, path: Path, text: str, where: str, *, about: str = "") -> ParadigmError:
    """An error of what stands at a place of a file's text, with the line, and how the lines can read where that is known; `about`
    names the place where the message does not."""
    line = line_of(path, key_lines(text))
    shown = _replaced(text, 1 if line is None else line, *error.instead) if error.instead is not None else ""
    shown = shown or (_as_it_can_read(error.add) if error.add else "")
    return ParadigmError(f"{where}{f', line {line}' if line else ''}: {about}{error.message}", hint=error.hint + shown)


def _as_it_can_read(lines: str, number: int | None = None) -> str:
    """Lines of TOML below a hint; with the number of the line that they stand for, else to be written anew."""
    head = "It can read:" if number is None else f"Line {number} can read:"
    return "\n".join(["", head, *(f"  {line}" for line in lines.splitlines())])


def _replaced(text: str, start: int, wrong: str, right: str) -> str:
    """The first line, from this one on, in which the wrong name stands, with the right one; empty where none has it."""
    name = re.compile(rf"(?<![\w-]){re.escape(wrong)}(?![\w-])")
    for number, line in enumerate(text.splitlines()[start - 1 :], start):
        if not line.lstrip().startswith("#") and name.search(line):
            # Where the other one stands beside it, two things would become one.
            if re.search(rf"(?<![\w-]){re.escape(right)}(?![\w-])", line):
                return ""
            return _as_it_can_read(name.sub(right, line, count=1).strip(), number)
    return ""


def _mended(path: Path, problem: Mapping[str, Any], data: Mapping[str, Any], text: str, line: int | None) -> str:
    """How the lines of a key can read that is missing, misspelt or of another kind; empty where nothing says how."""
    kind, key = problem["type"], str(path[-1]) if path else ""
    if kind == "missing" and isinstance(path[-1], str):
        lines = _TABLES.get(key, f'{key} = "…"')
        return _as_it_can_read(f"{place_shown(path[:-1], data)}\n{lines}" if len(path) > 1 else lines)
    if kind == "extra_forbidden" and (close := taken_for(key, _keys(path[:-1]))) is not None and line is not None:
        return _replaced(text, line, *close)
    given = _inside_of(path, data)
    if kind == "string_type" and isinstance(given, bool | int | float) and line is not None:
        return _as_it_can_read(f'{key} = "{str(given).lower() if isinstance(given, bool) else given}"', line)
    if kind == "list_type" and isinstance(given, str) and line is not None:
        return _as_it_can_read(f'{key} = ["{given}"]', line)
    if kind in ("int_type", "bool_type") and isinstance(given, str) and given.isdecimal() and line is not None:
        return _as_it_can_read(f"{key} = {given}", line)
    return ""


def _inside_of(path: Path, data: Mapping[str, Any]) -> Any:
    here: Any = data
    for part in path:
        try:
            here = here[part]
        except (KeyError, IndexError, TypeError):
            return None
    return here


def _path(place: str, data: Mapping[str, Any]) -> Path:
    """From ``contrasts.P1.formula`` to the keys and numbers that lead there, as far as they do."""
    path: Path = ()
    here: Any = data
    rest = place
    while rest:
        if isinstance(here, list):
            named = [n for n, one in enumerate(here) if isinstance(one, dict) and _begins(rest, str(one.get("name")))]
            number = named[0] if named else _number(rest, len(here))
            if number is None:
                return path
            step: str | int = number
            rest = rest[len(str(here[number]["name"])) :] if named else rest.partition(".")[2]
        elif isinstance(here, dict):
            keys = sorted((key for key in here if _begins(rest, key)), key=len)
            if not keys:
                return path
            step = keys[-1]
            rest = rest[len(keys[-1]) :]
        else:
            return path
        path, here, rest = (*path, step), here[step], rest.removeprefix(".")
    return path


def _begins(rest: str, key: str) -> bool:
    return rest == key or rest.startswith(f"{key}.")


def _number(rest: str, size: int) -> int | None:
    first = rest.partition(".")[0]
    number = whole(first)
    return number - 1 if number is not None and 0 < number <= size else None


def _within(place: Path, data: Mapping[str, Any], *, missing: bool) -> Path:
    """The part of a place that is in the file; what pydantic adds to tell kinds of value apart is not. A missing key stays."""
    here: Any = data
    for length, part in enumerate(place):
        inside = isinstance(here, dict) and part in here
        inside |= isinstance(here, list) and isinstance(part, int) and 0 <= part < len(here)
        if not inside:
            return place[: length + 1] if missing else place[:length]
        here = here[part]
    return place


def _said(path: Path, problems: Sequence[Mapping[str, Any]], data: Mapping[str, Any]) -> tuple[str, str]:
    """What is wrong at a place, and a hint."""
    table = f" in {place_shown(path[:-1], data)}" if len(path) > 1 else ""
    key = f"`{path[-1]}`" if path and isinstance(path[-1], str) else place_shown(path, data) if path else "the file"
    first = problems[0]
    kind, context = first["type"], first.get("ctx", {})
    if kind == "missing":
        return (f"{place_shown(path[:-1], data)} has no {key}" if table else f"{key} is missing"), ""
    if kind == "extra_forbidden":
        known = _keys(path[:-1])
        place = place_shown(path[:-1], data) if table else "a paradigm file"
        return f"{place} has no key {key}", did_you_mean(str(path[-1]), known) + f"Keys there: {', '.join(known)}."
    given = _value(path, data)
    if len(problems) > 1:
        wanted = _SEVERAL.get(str(path[-1]), "text, a number, true or false")
        return f"{key}{table} is {given}; it has to be {wanted}", ""
    if kind == "literal_error":
        expected = str(context["expected"]).replace("'", '"')
        return f"{key}{table} is {given}; it has to be {expected}", ""
    if kind == "string_pattern_mismatch":
        return f"{key}{table} is {given}; it has to be {_WHAT[str(context['pattern'])]}", ""
    if kind in ("string_too_short", "too_short"):
        least = int(context["min_length"])
        if kind == "string_too_short":
            return f"{key}{table} is empty", ""
        return f"{key}{table} needs at least {least} {'entry' if least == 1 else 'entries'}", ""
    if kind in ("string_too_long", "too_long"):
        unit = "characters" if kind == "string_too_long" else "entries"
        return f"{key}{table} is {given}; it has {context['max_length']} {unit} at most", ""
    if kind in ("greater_than_equal", "less_than_equal"):
        limit = f"{context['ge']} or more" if "ge" in context else f"{context['le']} or less"
        return f"{key}{table} is {given}; it has to be {limit}", ""
    if kind == "value_error":
        return f"{place_shown(path, data) if path else 'the file'}: {context['error']}", ""
    wanted = _KINDS.get(kind, "something else")
    return f"{key}{table} is {given}; it has to be {wanted}", ""


def _value(path: Path, data: Mapping[str, Any]) -> str:
    here: Any = data
    for part in path:
        here = here[part]
    if isinstance(here, dict):
        return "a table"
    if isinstance(here, list):
        return "a list"
    if isinstance(here, bool):
        return "true" if here else "false"
    text = f'"{here}"' if isinstance(here, str) else str(here)
    return text if len(text) <= 60 else f"{text[:56]}…{text[-1]}"


def _keys(table: Path) -> list[str]:
    """The keys that a table of a paradigm file can have."""
    from gapsmith.templates.schema import ParadigmFile

    if not table:
        return list(ParadigmFile.model_fields)
    field = ParadigmFile.model_fields.get(str(table[0]))
    return [key for model in _models(field.annotation if field else None) for key in model.model_fields]


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    from pydantic import BaseModel

    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in getattr(annotation, "__args__", ()):
        yield from _models(part)
