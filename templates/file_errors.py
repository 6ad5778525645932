"""What is wrong with a paradigm file, in the file's own language: the line, the table, the key, and what can stand there."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias

from gapsmith.templates.documents import DocumentError, read_toml, whole
from gapsmith.templates.errors import ParadigmError
from gapsmith.templates.spelling import did_you_mean, taken_for
from gapsmith.templates.toml_places import Path, key_lines, line_of, place_shown

if TYPE_CHECKING:
    from pydantic import BaseModel, ValidationError

_MOST = 5
_OF_A_LIST = ("regions", 0)
"""The place of a table of a list of tables, by example: tables within these are written in their braces or with their keys."""
_WHAT = {
    r"^[a-z][a-z0-9_]*$": "small letters, digits and _, a letter first",
    r"^[a-z_]*$": "small letters and _",
    r"^[a-z_]+$": "small letters and _, at least one",
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
_NUMBER = re.compile(r"[\d\s.,:+-]+")
"""What somebody may have meant for a number or a time."""
_TEXT = re.compile(r'""".*?"""|\'\'\'.*?\'\'\'|"(?:[^"\\]|\\.)*"|\'[^\']*\'')
_WORD = re.compile(r"""[^\s,=\[\]{}#"']+""")
_LISTS = ("regions", "constraints", "contrasts", "criteria")
"""Tables of which a file has several."""
_TRIES = 40
"""The most ways of writing lines that are tried for a fault."""
Again: TypeAlias = Callable[[str], str]
"""What is said of a text of the file; empty where it loads."""
_Lines: TypeAlias = dict[int, str]
"""Lines of the file, by number from 1, as they can read."""
_TABLES = {
    "designs": '[designs.all]\nconditions = "all"',
    "conditions": 'conditions = "all"',
    "levels": 'levels = { a = "…", b = "…" }',
}
"""What tables and lists look like, of the keys that have to be there."""
_SEVERAL = {
    "conditions": '"all", or a table of labels: { LABEL = "condition" }',
}


def not_toml(error: DocumentError, text: str, where: str, again: Again | None) -> ParadigmError:
    """For a file that is not TOML at all. `again` says what is wrong with another text of it; without it no lines are shown."""
    line = f", line {error.line}" if error.line else ""
    column = f", at character {error.column}" if error.column else ""
    mended = ""
    # An error at the end of a file has no line of its own.
    written = text.splitlines()[error.line - 1 : error.line] if error.line else []
    if error.line and written and again is not None and (bare := _BARE.fullmatch(written[0])):
        value = bare[2].lower() if bare[2] in ("True", "False") else json.dumps(bare[2], ensure_ascii=False)
        way = {error.line: f"{bare[1]}{value}{bare[3] or ''}"}
        # Of a line that can be read whoever reads on says what else is wrong with it.
        if not _NUMBER.fullmatch(bare[2]) and f"line {error.line}:" not in again(_with_lines(text, way)):
            mended = _shown(way)
    hint = "Text stands in quotes, lists between [ and ], and a key comes once in its table."
    if lists := [name for name in _LISTS if re.search(rf"^\s*\[{name}\]", text, re.MULTILINE)]:
        hint = f"There are several {lists[0]}: each begins with [[{lists[0]}]], in double brackets."
    return ParadigmError(f"{where}{line}: not valid TOML: {error.why.removeprefix('not TOML: ')}{column}", hint=hint + mended)


def of_shape(error: ValidationError, data: Mapping[str, Any], text: str, where: str, again: Again | None) -> ParadigmError:
    """For a file whose keys or values are not those of a paradigm; up to five faults, in the order of the file. `again` as for
    `not_toml`."""
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
        if len(found) <= _MOST and again is not None:
            shown = _lacking(path, data) if problems[0]["type"] == "missing" else ""
            ways = () if shown else _ways_of_writing(path, problems[0], data, text)
            mended.append((line or 0, shown or _that_mends(ways, path, message, data, text, again)))
    said.sort(key=lambda entry: entry[0])
    messages = [message for _, message in said[:_MOST]]
    if len(said) > _MOST:
        messages.append(f"and {len(said) - _MOST} more")
    together = f"{where}, {messages[0]}" if messages[0].startswith("line ") and len(messages) == 1 else ""
    return ParadigmError(
        together or f"{where}: " + "; ".join(messages), hint=" ".join(hints) + "".join(shown for _, shown in sorted(mended))
    )


def located(error: ParadigmError, data: Mapping[str, Any], text: str, where: str, again: Again | None) -> ParadigmError:
    """For what is wrong with the meaning of a file: the line of the place between back quotes that the message begins with. `again` as
    for `not_toml`."""
    place = re.match(r"`([^`]+)`", error.message)
    path = () if place is None else _path(place.group(1), data)
    return placed(error, path, text, where, again)


def placed(error: ParadigmError, path: Path, text: str, where: str, again: Again | None, *, about: str = "") -> ParadigmError:
    """An error of what stands at a place of a file's text, with the line, and how the lines can read where that is known; `about`
    names the place where the message does not. `again` as for `not_toml`."""
    line = line_of(path, key_lines(text))
    shown = ""
    if again is not None:
        if error.instead is not None:
            ways = _other_name(text, path, *error.instead)
            shown = _that_mends(ways, path, f"{about}{error.message}", read_toml(text), text, again)
        shown = shown or (_below("It can read:", error.add) if error.add else "")
    return ParadigmError(f"{where}{f', line {line}' if line else ''}: {about}{error.message}", hint=error.hint + shown)


def _below(head: str, lines: str) -> str:
    return "\n".join(["", head, *(f"  {line}" for line in lines.splitlines())])


def _shown(way: _Lines) -> str:
    """Lines of TOML below a hint, with the numbers of those that they stand for."""
    return "".join(_below(f"Line {number} can read:", line.strip()) for number, line in sorted(way.items()))


def _with_lines(text: str, way: _Lines) -> str:
    return "\n".join(way.get(number, line) for number, line in enumerate(text.splitlines(), 1))


def _that_mends(ways: Iterable[_Lines], path: Path, message: str, data: Mapping[str, Any], text: str, again: Again) -> str:
    """The first of some ways to write lines, shown, with which nothing but what stands at `path` is changed (a table or list may have
    another name) and the fault is no longer said; empty where none is such a way."""
    for way in islice(ways, _TRIES):
        mended = _with_lines(text, way)
        try:
            other = read_toml(mended)
        except DocumentError:
            continue
        said = again(mended)
        if _only_there(path, data, other) and message not in said and not any(f"line {number}:" in said for number in way):
            return _shown(way)
    return ""


def _only_there(path: Path, data: Any, other: Any) -> bool:
    """Whether two contents differ, and only at a place: below it, or in the name of its last key."""
    if not path:
        return bool(data != other)
    step = path[0]
    if isinstance(data, list) and isinstance(other, list):
        same = len(data) == len(other) and all(a == b for n, (a, b) in enumerate(zip(data, other, strict=True)) if n != step)
        return same and _only_there(path[1:], data[int(step)], other[int(step)])
    if not isinstance(data, dict) or not isinstance(other, dict):
        return False
    if step in other:
        beside = {key: value for key, value in other.items() if key != step}
        same = beside == {key: value for key, value in data.items() if key != step}
        return same and _only_there(path[1:], data.get(step), other[step])
    if len(path) > 1 or step not in data:
        return False
    rest = {key: value for key, value in data.items() if key != step}
    (name, *more) = [key for key in other if key not in rest or other[key] != rest[key]] or [""]
    there, moved = rest.pop(name, {}), data[step]
    # A table of that name may be there already, which now has what the other one had.
    joined = {**there, **moved} if name in data and isinstance(there, dict) and isinstance(moved, dict) else moved
    return not more and other == {**rest, name: joined}


def _other_name(text: str, path: Path, wrong: str, right: str) -> Iterator[_Lines]:
    """The lines of a place with the right name for the wrong one: once in one line, as often as it stands in one, in all of them."""
    name = re.compile(rf"(?<![\w-]){re.escape(wrong)}(?![\w-])")
    beside = re.compile(rf"(?<![\w-]){re.escape(right)}(?![\w-])")
    lines = {number: line for number, line in _lines_at(text, path) if name.search(line)}
    # Where the other one stands beside it, two things would become one.
    if any(beside.search(line) for line in lines.values()):
        return
    for number, line in lines.items():
        for place in name.finditer(line):
            yield {number: f"{line[: place.start()]}{right}{line[place.end() :]}"}
    whole_lines = {number: name.sub(right, line) for number, line in lines.items()}
    yield from ({number: line} for number, line in whole_lines.items())
    yield whole_lines


def _lines_at(text: str, path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a place, with their numbers, without those that are nothing but a remark."""
    beginning: dict[int, Path] = {}
    for place, number in key_lines(text).items():
        beginning[number] = max(beginning.get(number, ()), place, key=len)
    around: Path = ()
    for number, line in enumerate(text.splitlines(), 1):
        around = beginning.get(number, around)
        if not line.lstrip().startswith("#") and (around[: len(path)] == path or path[: len(around)] == around != ()):
            yield number, line


def _lacking(path: Path, data: Mapping[str, Any]) -> str:
    """The lines of a key that is missing."""
    key = path[-1]
    if not isinstance(key, str):
        return ""
    lines = _TABLES.get(key, f'{key} = "…"')
    table = path[:-1]
    if any(isinstance(part, int) for part in table):
        own = _inside_of(table, data)
        if len(table) != len(_OF_A_LIST) or not isinstance(own, dict):
            return ""
        named = f"name = {json.dumps(own['name'], ensure_ascii=False)}\n" if isinstance(own.get("name"), str) else ""
        return _below("It can read:", f"[[{table[0]}]]\n{named}{lines}")
    return _below("It can read:", f"{place_shown(table, data)}\n{lines}" if table else lines)


def _ways_of_writing(path: Path, problem: Mapping[str, Any], data: Mapping[str, Any], text: str) -> Iterator[_Lines]:
    """How the lines of a key may read that is misspelt or of another kind."""
    kind, given = problem["type"], _inside_of(path, data)
    if kind == "extra_forbidden":
        close = taken_for(str(path[-1]), _keys(path[:-1])) if path else None
        yield from _other_name(text, path, *close) if close is not None else ()
        return
    for number, line in _lines_at(text, path):
        if kind == "string_type" and isinstance(given, bool | int | float):
            for word in _WORD.finditer(line):
                if _read_alone(word[0]) == given:
                    yield {number: _put(line, word, json.dumps(word[0], ensure_ascii=False))}
        if not isinstance(given, str):
            continue
        for literal in _TEXT.finditer(line):
            if _read_alone(literal[0]) != given:
                continue
            if kind == "list_type":
                parts = [part.strip() for part in given.split(",")]
                yield {number: _put(line, literal, json.dumps(parts, ensure_ascii=False))}
            if kind in ("int_type", "int_parsing") and given.isdecimal():
                yield {number: _put(line, literal, str(int(given)))}
            if kind in ("bool_type", "bool_parsing") and given.lower() in ("true", "false"):
                yield {number: _put(line, literal, given.lower())}


def _put(line: str, place: re.Match[str], new: str) -> str:
    return f"{line[: place.start()]}{new}{line[place.end() :]}"


def _read_alone(value: str) -> Any:
    """What a value of TOML is by itself; None where it is none."""
    try:
        return read_toml(f"x = {value}")["x"]
    except DocumentError:
        return None


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
    if kind == "list_type" and path[-1] in _LISTS:
        wanted = f"tables that begin with [[{path[-1]}]], in double brackets"
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
