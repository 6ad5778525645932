"""What is wrong with a TOML file that somebody wrote, in the file's own language: the line, the table, the key, what can stand there, and
how the line can read. The only place that tells it: whatever reads such a file reads it through `made_of`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from itertools import islice
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, get_type_hints

from gapsmith.templates.documents import DocumentError, read_toml, whole
from gapsmith.templates.errors import ConfigError, FilePlace
from gapsmith.templates.line_slips import QUOTES, endings, guesses, line_left_open, straight, too_many
from gapsmith.templates.spelling import did_you_mean, nearest, taken_for
from gapsmith.templates.toml_places import key_lines, line_of, named_before, place_shown

if TYPE_CHECKING:
    from pydantic import ValidationError

T = TypeVar("T")

_MOST = 5
_OF_A_LIST = ("regions", 0)
"""The place of a table of a list of tables, by example: tables within these are written in their braces or with their keys."""
_WHAT = {
    r"^[a-z][a-z0-9_]*$": "small letters, digits and _, a letter first",
    r"^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$": "a slot and a column, as in noun.preposition",
}
_LIST = "a list between [ and ]"
_NUMBER, _WHOLE, _TRUTH = "a number", "a whole number", "true or false"
_DATE = "a date, such as 2026-01-31"
_KINDS = {
    "string_type": "text in quotes",
    "int_type": _WHOLE,
    "int_parsing": _WHOLE,
    "int_from_float": _WHOLE,
    "float_type": _NUMBER,
    "float_parsing": _NUMBER,
    "finite_number": _NUMBER,
    "bool_type": _TRUTH,
    "bool_parsing": _TRUTH,
    "list_type": _LIST,
    "tuple_type": _LIST,
    "path_type": "text in quotes",
    "date_type": _DATE,
    "date_parsing": _DATE,
    "date_from_datetime_parsing": _DATE,
    "date_from_datetime_inexact": _DATE,
    "dict_type": 'a table: { name = "text" } or lines under its heading',
    "mapping_type": 'a table: { name = "text" } or lines under its heading',
    "model_type": "a table: { key = … } or lines under its heading",
    "model_attributes_type": "a table: { key = … } or lines under its heading",
    "dataclass_type": "a table: { key = … } or lines under its heading",
}
_EXTRA = ("extra_forbidden", "unexpected_keyword_argument")
_MISSING = ("missing", "missing_argument")
_TEXT = re.compile(r'""".*?"""|\'\'\'.*?\'\'\'|"(?:[^"\\]|\\.)*"|\'[^\']*\'')
_WORD = re.compile(r"""[^\s,=\[\]{}#"']+""")
_TRIES = 40
"""The most ways of writing lines that are tried for a fault."""
Again: TypeAlias = Callable[[str], str]
"""What is said of a text of the file; empty where it can be read."""
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


@dataclass(frozen=True, slots=True)
class WrittenText:
    """The text of a TOML file that somebody wrote, and how what is wrong in it is told."""

    text: str
    where: str
    """What the file is called, for messages."""
    again: Again | None = None
    """What is wrong with another text of it; without it no lines are shown."""
    what: str = "the file"
    """Which kind of file it is, with its article."""
    error: type[ConfigError] = ConfigError
    model: Any = None
    """The pydantic model or dataclass of its tables and keys, where it has one."""


def made_of(
    text: str,
    where: str,
    make: Callable[[dict[str, Any]], T],
    *,
    what: str,
    error: type[ConfigError] = ConfigError,
    model: Any = None,
    odd_numbers: bool = False,
) -> T:
    """What `make` makes of the tables of a TOML file that somebody wrote. Raises `error` with the file, the line, what can stand there,
    and lines as they can read, for a text that is no TOML and for what `make` refuses: pydantic's error for `model`, and a `ConfigError`
    that has its place in the file (`ConfigError.place`, `in_place`)."""

    def made(one: str, again: Again | None) -> T:
        file = WrittenText(one, where, again, what, error, model)
        try:
            data = read_toml(one, odd_numbers=odd_numbers)
        except DocumentError as wrong:
            raise not_toml(wrong, file) from None
        try:
            return make(data)
        except ConfigError as wrong:
            raise placed(wrong, wrong.place, file) from None
        except ValueError as wrong:
            # pydantic's is a ValueError, and pydantic takes long to load for files that need none of it.
            if model is None or not hasattr(wrong, "errors"):
                raise
            raise of_shape(wrong, data, file) from None  # type: ignore[arg-type]  # it has `errors`

    def again(other: str) -> str:
        try:
            made(other, None)
        except ConfigError as wrong:
            return wrong.message
        return ""

    return made(text, again)


def not_toml(error: DocumentError, file: WrittenText) -> ConfigError:
    """For a file that is not TOML at all."""
    text, lines = file.text, file.text.splitlines()
    number, hint, mended = error.line, "", ""
    if number is None and "deep in one another" not in error.why:
        # An error at the end of a file has no line of its own.
        number = line_left_open(text)
    if number and (twice := named_before(text, number)) is not None and _is_twice(error.why):
        hint = f"{twice[0]} stands in line {twice[1]} already: put the two together, or give one another name."
    elif number and file.again is not None and number <= len(lines):
        hint, mended, number = _likely(text, number, error.column if number == error.line else None, file.again)
    for name in _several(file.model):
        if single := re.search(rf"^\s*\[{name}\]", text, re.MULTILINE):
            number = text.count("\n", 0, single.end()) + 1
            hint = f"There are several {name}: each begins with [[{name}]], in double brackets."
            mended = _shown({number: f"[[{name}]]"})
    if number and (joined := _in_one_line(text, number, file.again)):
        hint, mended = "A table between { and } stands in one line.", joined
    hint = hint or "Text stands in quotes, lists between [ and ], and a key comes once in its table."
    line = f", line {number}" if number else ""
    column = f", at character {error.column}" if error.column and number == error.line else ""
    return file.error(f"{file.where}{line}: not valid TOML: {error.why.removeprefix('not TOML: ')}{column}", hint=hint + mended)


def _in_one_line(text: str, number: int, again: Again | None) -> str:
    """A table in braces that was begun in a line and goes on, in one line; empty where that does not help."""
    lines = text.splitlines()
    first = next((n for n in range(number, max(number - _MOST, 0), -1) if lines[n - 1].rstrip().endswith("{")), None)
    if again is None or first is None:
        return ""
    last = next((n for n in range(first + 1, len(lines) + 1) if lines[n - 1].strip().startswith("}")), None)
    if last is None:
        return ""
    inside = [line.strip().rstrip(",") for line in lines[first : last - 1] if line.strip()]
    joined = f"{lines[first - 1].strip()} {', '.join(inside)} }}"
    way = {first: joined, **dict.fromkeys(range(first + 1, last + 1), "")}
    if f"line {first}:" in again(_with_lines(text, way)):
        return ""
    return _below(f"Lines {first} to {last} can read:", joined)


def _is_twice(why: str) -> bool:
    return any(said in why for said in ("overwrite", "twice", "already", "redefine", "extend", "mutate"))


def _likely(text: str, number: int, column: int | None, again: Again) -> tuple[str, str, int]:
    """What is likely wrong where TOML stops at a line, that line or an earlier one as it can read, and which it is."""
    lines = text.splitlines()
    wrong = [(said, {number: line}) for said, line in islice(guesses(lines[number - 1]), 4 * _TRIES)]
    wrong += [(said, {number: line}) for said, line in (too_many(lines[number - 1], column) if column else ())]
    # What is not closed goes on until something stands there that cannot.
    for before in range(number - 1, max(number - _MOST, 0), -1):
        if lines[before - 1].strip():
            wrong[_MOST:_MOST] = [(said, {before: line}) for said, line in endings(lines[before - 1])]
            break
    half: tuple[str, str, int] | None = None
    for said, way in wrong:
        mended = _with_lines(text, way)
        (at,) = way
        try:
            read_toml(mended)
        except DocumentError as other:
            if other.line is None or other.line <= max(at, number):
                continue
        # Of a line that can be read whoever reads on says what else is wrong with it; what lacks below a heading is not its fault.
        left = again(mended)
        if not re.search(rf"line {at}[:,] (?!\[.*?\] has no `)", left):
            return said, _shown(way), at
        half = half or (said, "", at)
    if half is not None:
        return half
    return ("" if straight(lines[number - 1]) == lines[number - 1] else QUOTES), "", number


def of_shape(error: ValidationError, data: Mapping[str, Any], file: WrittenText) -> ConfigError:
    """For a file whose keys or values are not those of its kind; up to five faults, in the order of the file."""
    lines = key_lines(file.text)
    found: dict[FilePlace, list[Mapping[str, Any]]] = {}
    for problem in error.errors():
        own, place = _plain(problem)
        if isinstance(inside := problem.get("ctx", {}).get("error"), UnfitError):
            place = (*place, *inside.told.place)
        found.setdefault(_within(place, data, missing=own["type"] == "missing"), []).append(own)
    said = []
    hints: dict[str, None] = {}
    mended: list[tuple[int, str]] = []
    for path, problems in found.items():
        odd = _misspelt_for(path, data, file.model, found) if problems[0]["type"] == "missing" else None
        line = line_of(path if odd is None else (*path[:-1], odd), lines)
        message, hint = _said(path, problems, data, file)
        hint = hint if odd is None else f"`{odd}` stands there. Did you mean {path[-1]}?"
        said.append((line or 0, f"{f'line {line}: ' if line else ''}{message}"))
        hints |= {hint: None} if hint else {}
        if len(found) <= _MOST and file.again is not None:
            missing = problems[0]["type"] == "missing" and not _is_misspelt(path, found)
            shown = _lacking(path, data) if missing and odd is None else ""
            ways = () if shown else _ways_of_writing(path, problems[0], data, file)
            if odd is not None:
                path, ways = (*path[:-1], odd), _other_name(file.text, (*path[:-1], odd), odd, str(path[-1]))
            mended.append((line or 0, shown or _that_mends(ways, path, message, data, file)))
    said.sort(key=lambda entry: entry[0])
    messages = [message for _, message in said[:_MOST]]
    if len(said) > _MOST:
        messages.append(f"and {len(said) - _MOST} more")
    together = f"{file.where}, {messages[0]}" if messages[0].startswith("line ") and len(messages) == 1 else ""
    return file.error(
        together or f"{file.where}: " + "; ".join(messages), hint=" ".join(hints) + "".join(shown for _, shown in sorted(mended))
    )


def _plain(problem: Mapping[str, Any]) -> tuple[dict[str, Any], FilePlace]:
    """A problem and its place, with one name for what models and dataclasses, and unions told apart by a key, call differently."""
    own, place = dict(problem), tuple(problem["loc"])
    kind, context = own["type"], own.get("ctx", {})
    if kind.startswith("union_tag"):
        key = str(context["discriminator"]).strip("'")
        kind = "literal_error" if kind == "union_tag_invalid" else "missing"
        own["ctx"], place = {"expected": context.get("expected_tags", "")}, (*place, key)
    own["type"] = "extra_forbidden" if kind in _EXTRA else "missing" if kind in _MISSING else kind
    return own, place


def _misspelt_for(path: FilePlace, data: Mapping[str, Any], model: Any, found: Collection[FilePlace]) -> str | None:
    """The key that stands there for one that is missing, where keys of other names may stand there as well; None where none does."""
    table = _inside_of(path[:-1], data)
    others = [key for key in table if key not in _keys(path[:-1], model)] if isinstance(table, dict) else []
    others = [key for key in others if (*path[:-1], key) not in found]
    return next((key for key in others if taken_for(key, [str(path[-1])]) is not None), None)


def _is_misspelt(path: FilePlace, found: Mapping[FilePlace, Sequence[Mapping[str, Any]]]) -> bool:
    """Whether a key that is missing stands there under a name that is much like it."""
    return any(
        own[:-1] == path[:-1]
        and problems[0]["type"] == "extra_forbidden"
        and taken_for(str(own[-1]), [str(path[-1])]) is not None
        for own, problems in found.items()
        if own != path
    )


class UnfitError(ValueError):
    """What a model refuses of itself, for pydantic to carry: `told` says it, with its place below that of the model."""

    def __init__(self, told: ConfigError) -> None:
        super().__init__(told.message)
        self.told = told


def place_named(message: str, data: Mapping[str, Any]) -> FilePlace:
    """The place between back quotes that a message begins with."""
    place = re.match(r"`([^`]+)`", message)
    return () if place is None else _path(place.group(1), data)


def placed(error: ConfigError, path: FilePlace, file: WrittenText, *, about: str = "") -> ConfigError:
    """An error of what stands at a place of a file's text, with the line, and how the lines can read where that is known; `about`
    names the place where the message does not."""
    line = line_of(path, key_lines(file.text))
    message = f"{about}{error.message.removeprefix(f'{file.where}: ')}"
    shown = ""
    if file.again is not None:
        if error.instead is not None:
            ways = _other_name(file.text, path, *error.instead)
            shown = _that_mends(ways, path, message, read_toml(file.text, odd_numbers=True), file)
        shown = shown or (_below("It can read:", error.add) if error.add else "")
    return file.error(f"{file.where}{f', line {line}' if line else ''}: {message}", hint=error.hint + shown)


def _below(head: str, lines: str) -> str:
    return "\n".join(["", head, *(f"  {line}" for line in lines.splitlines())])


def _shown(way: _Lines) -> str:
    """Lines of TOML below a hint, with the numbers of those that they stand for."""
    return "".join(_below(f"Line {number} can read:", line.strip()) for number, line in sorted(way.items()))


def _with_lines(text: str, way: _Lines) -> str:
    return "\n".join(way.get(number, line) for number, line in enumerate(text.splitlines(), 1))


def _that_mends(ways: Iterable[_Lines], path: FilePlace, message: str, data: Mapping[str, Any], file: WrittenText) -> str:
    """The first of some ways to write lines, shown, with which nothing but what stands at `path` is changed (a table or list may have
    another name) and the fault is no longer said; empty where none is such a way."""
    assert file.again is not None
    for way in islice(ways, _TRIES):
        mended = _with_lines(file.text, way)
        try:
            other = read_toml(mended, odd_numbers=True)
        except DocumentError:
            continue
        said = file.again(mended)
        if _only_there(path, data, other) and message not in said and not any(f"line {number}:" in said for number in way):
            return _shown(way)
    return ""


def _only_there(path: FilePlace, data: Any, other: Any) -> bool:
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
    joined = _joined(there, moved) if name in data else moved
    if name in data and isinstance(there, list) and isinstance(moved, list) and isinstance(other[name], list):
        # Tables of a list stand in the order of the file.
        all_there = len(other[name]) == len(there) + len(moved) and all(one in other[name] for one in (*there, *moved))
        return not more and all_there and {key: value for key, value in other.items() if key != name} == rest
    return not more and other == {**rest, name: joined}


def _joined(there: Any, moved: Any) -> Any:
    """Two tables as one; of what is no table the second."""
    if not isinstance(there, dict) or not isinstance(moved, dict):
        return moved
    return {**there, **{key: _joined(there[key], own) if key in there else own for key, own in moved.items()}}


def _other_name(text: str, path: FilePlace, wrong: str, right: str) -> Iterator[_Lines]:
    """The lines of a place with the right name for the wrong one: once in one line, as often as it stands in one, in all of them."""
    name = _alone(wrong)
    beside = _alone(right)
    lines = {number: line for number, line in _lines_at(text, path) if name.search(line)}
    # Where the other one stands beside it, two things would become one.
    if any(name.search(line) is not None and _is_key(name, line) for line in lines.values()):
        name, beside = (re.compile(rf"{own.pattern}(?=[\"']?\s*=)") for own in (name, beside))
    if any(beside.search(line) for line in lines.values()):
        return
    for number, line in lines.items():
        for place in name.finditer(line):
            yield {number: f"{line[: place.start()]}{right}{line[place.end() :]}"}
    whole_lines = {number: name.sub(lambda _: right, line) for number, line in lines.items()}
    yield from ({number: line} for number, line in whole_lines.items())
    yield whole_lines


def _is_key(name: re.Pattern[str], line: str) -> bool:
    """Whether a name stands in a line as a key."""
    return re.search(rf"{name.pattern}[\"']?\s*=", line) is not None


def _alone(name: str) -> re.Pattern[str]:
    """A name where it is not a part of another one."""
    before, after = (r"(?<![\w-])" if re.match(r"[\w-]", name) else "", r"(?![\w-])" if re.search(r"[\w-]$", name) else "")
    return re.compile(f"{before}{re.escape(name)}{after}")


def _lines_at(text: str, path: FilePlace) -> Iterator[tuple[int, str]]:
    """The lines of a place, with their numbers, without those that are nothing but a remark."""
    beginning: dict[int, FilePlace] = {}
    for place, number in key_lines(text).items():
        beginning[number] = max(beginning.get(number, ()), place, key=len)
    around: FilePlace = ()
    for number, line in enumerate(text.splitlines(), 1):
        around = beginning.get(number, around)
        if not line.lstrip().startswith("#") and (around[: len(path)] == path or path[: len(around)] == around != ()):
            yield number, line


def _lacking(path: FilePlace, data: Mapping[str, Any]) -> str:
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


def _ways_of_writing(path: FilePlace, problem: Mapping[str, Any], data: Mapping[str, Any], file: WrittenText) -> Iterator[_Lines]:
    """How the lines of a key may read that is misspelt or of another kind."""
    kind, given = problem["type"], _inside_of(path, data)
    if kind == "extra_forbidden":
        close = taken_for(str(path[-1]), _keys(path[:-1], file.model)) if path else None
        yield from _other_name(file.text, path, *close) if close is not None else ()
        return
    if isinstance(inside := problem.get("ctx", {}).get("error"), UnfitError) and inside.told.instead is not None:
        yield from _other_name(file.text, path, *inside.told.instead)
    for number, line in _lines_at(file.text, path):
        if _KINDS.get(kind) == _LIST and isinstance(given, dict) and re.fullmatch(rf"\s*\[{path[-1]}\]\s*", line):
            yield {number: f"[[{path[-1]}]]"}
        if (
            _KINDS.get(kind, "").startswith("a table")
            and isinstance(given, list)
            and (single := re.fullmatch(r"\s*\[(\[.*\])\]\s*", line))
        ):
            yield {number: single[1]}
        if kind == "string_type" and isinstance(given, bool | int | float):
            for word in _WORD.finditer(line):
                if _read_alone(word[0]) == given:
                    yield {number: _put(line, word, json.dumps(word[0], ensure_ascii=False))}
        if not isinstance(given, str):
            continue
        for literal in _TEXT.finditer(line):
            if _read_alone(literal[0]) == given:
                yield from ({number: _put(line, literal, new)} for new in _other_values(kind, given, problem))


def _other_values(kind: str, given: str, problem: Mapping[str, Any]) -> Iterator[str]:
    """What may stand in the place of a text, as TOML writes it."""
    wanted = _KINDS.get(kind)
    if kind == "literal_error" and (meant := taken_for(given, _choices(problem))) is not None:
        yield json.dumps(meant[1], ensure_ascii=False)
    if wanted == _LIST:
        yield json.dumps([part.strip() for part in given.split(",")], ensure_ascii=False)
    if kind == "string_pattern_mismatch" and re.match("[a-z]", own := re.sub(r"[^a-z0-9]+", "_", given.casefold()).strip("_")):
        yield json.dumps(own)
    if wanted == _WHOLE and given.isdecimal():
        yield str(int(given))
    if wanted == _NUMBER and re.fullmatch(r"-?\d+,\d+", given):
        yield given.replace(",", ".")
    if wanted == _TRUTH and given.lower() in ("true", "false"):
        yield given.lower()


def _choices(problem: Mapping[str, Any]) -> list[str]:
    """The values of a closed set of which one has to stand there."""
    return [own for own in re.findall(r"'([^']*)'", str(problem.get("ctx", {}).get("expected", ""))) if own]


def _put(line: str, place: re.Match[str], new: str) -> str:
    return f"{line[: place.start()]}{new}{line[place.end() :]}"


def _read_alone(value: str) -> Any:
    """What a value of TOML is by itself; None where it is none."""
    try:
        return read_toml(f"x = {value}")["x"]
    except DocumentError:
        return None


def _inside_of(path: FilePlace, data: Mapping[str, Any]) -> Any:
    here: Any = data
    for part in path:
        try:
            here = here[part]
        except (KeyError, IndexError, TypeError):
            return None
    return here


def _path(place: str, data: Mapping[str, Any]) -> FilePlace:
    """From ``contrasts.P1.formula`` to the keys and numbers that lead there, as far as they do."""
    path: FilePlace = ()
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


def _within(place: FilePlace, data: Mapping[str, Any], *, missing: bool) -> FilePlace:
    """The part of a place that is in the file; what pydantic adds to tell kinds of value apart is not. A missing key stays."""
    here: Any = data
    path: FilePlace = ()
    for part, after in zip(place, (*place[1:], None)[: len(place)], strict=True):
        inside = isinstance(here, dict) and part in here
        inside |= isinstance(here, list) and isinstance(part, int) and 0 <= part < len(here)
        if (
            not inside
            and str(part).isidentifier()
            and isinstance(here, dict)
            and (after in here or (missing and after is not None))
        ):
            # Which of several kinds of table it is.
            continue
        if not inside:
            return (*path, part) if missing else path
        here = here[part]
        path = (*path, part)
    return path


def _said(path: FilePlace, problems: Sequence[Mapping[str, Any]], data: Mapping[str, Any], file: WrittenText) -> tuple[str, str]:
    """What is wrong at a place, and a hint."""
    table = f" in {place_shown(path[:-1], data)}" if len(path) > 1 else ""
    key = f"`{path[-1]}`" if path and isinstance(path[-1], str) else place_shown(path, data) if path else "the file"
    first = problems[0]
    kind, context = first["type"], first.get("ctx", {})
    if kind == "missing":
        return (f"{place_shown(path[:-1], data)} has no {key}" if table else f"{key} is missing"), ""
    if kind == "extra_forbidden":
        known = _keys(path[:-1], file.model)
        place = place_shown(path[:-1], data) if table else file.what
        meant = _below_which(path, data, file.model) or did_you_mean(str(path[-1]), known) or _elsewhere(path, file.model)
        return f"{place} has no key {key}", f"{meant}Keys there: {', '.join(known)}."
    if isinstance(context.get("error"), UnfitError):
        return context["error"].told.message, context["error"].told.hint
    given = _value(path, data)
    if len(problems) > 1:
        wanted = _SEVERAL.get(str(path[-1]), "text, a number, true or false")
        return f"{key}{table} is {given}; it has to be {wanted}", ""
    if kind == "literal_error":
        choices = _choices(first)
        *some, last = (f'"{choice}"' for choice in choices)
        expected = f"{', '.join(some)} or {last}" if some else last
        near = nearest(str(_inside_of(path, data)), choices)
        return f"{key}{table} is {given}; it has to be {expected}", f'Did you mean "{near}"?' if near is not None else ""
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
    if kind in ("greater_than_equal", "less_than_equal", "greater_than", "less_than"):
        words = {"ge": "{} or more", "le": "{} or less", "gt": "more than {}", "lt": "less than {}"}
        limit = next(words[name].format(own) for name, own in context.items() if name in words)
        return f"{key}{table} is {given}; it has to be {limit}", ""
    if kind == "value_error":
        return f"{place_shown(path, data) if path else 'the file'}: {context['error']}", ""
    wanted = _KINDS.get(kind, "something else")
    if wanted == _LIST and path[-1] in _several(file.model):
        wanted = f"tables that begin with [[{path[-1]}]], in double brackets"
    return f"{key}{table} is {given}; it has to be {wanted}", ""


def _value(path: FilePlace, data: Mapping[str, Any]) -> str:
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


def _keys(table: FilePlace, model: Any) -> list[str]:
    """The keys that a table of a file can have."""
    models = [model]
    for step in table:
        inner = [one for own in models for one in _models(_annotation(own, str(step)))]
        # The name of one of several tables is no key of theirs.
        models = inner or models
    return list(dict.fromkeys(key for own in models for key in _fields(own)))


def _below_which(path: FilePlace, data: Mapping[str, Any], model: Any) -> str:
    """The heading that a table at the top of a file should have, where its keys are those of one kind of table; else empty."""
    own = data.get(str(path[0])) if len(path) == 1 else None
    if not isinstance(own, dict) or not own or path[0] in _fields(model):
        return ""
    kinds = [name for name in _fields(model) if name not in _several(model) and next(_models(_annotation(model, name)), None)]
    fitting = [name for name in kinds if set(own) <= set(_keys((name,), model))]
    return f"Did you mean [{fitting[0]}.{path[0]}]? " if len(fitting) == 1 else ""


def _annotation(model: Any, name: str) -> Any:
    return getattr(_fields(model).get(name), "annotation", None)


def _elsewhere(path: FilePlace, model: Any) -> str:
    """Where a key belongs that does not belong where it stands, as a sentence with a space behind it; empty where nothing has it."""
    key = str(path[-1])
    if len(path) > 1 and key in _fields(model):
        return (
            f"`{key}` is a key of the head of the file: it stands before the first heading, or has a heading [{key}] of its own. "
        )
    several = _several(model)
    names = [f"[[{name}]]" if name in several else f"[{name}.…]" for name in _fields(model) if key in _keys((name,), model)]
    return f"`{key}` is a key of {' and '.join(names)}. " if names else ""


def _several(model: Any) -> list[str]:
    """The keys of a file of which each is a list of tables."""
    found = []
    for name in _fields(model):
        annotation = _annotation(model, name)
        if getattr(annotation, "__origin__", None) in (list, tuple) and next(_models(annotation), None) is not None:
            found.append(name)
    return found


def _fields(model: Any) -> Mapping[str, Any]:
    """The keys of a model or dataclass, each with what has an `annotation`."""
    found = getattr(model, "model_fields", None) or getattr(model, "__pydantic_fields__", None)
    if found is None and is_dataclass(model):
        return {name: SimpleNamespace(annotation=own) for name, own in get_type_hints(model).items()}
    return found or {}


def _models(annotation: Any) -> Iterator[Any]:
    if isinstance(annotation, type) and _fields(annotation):
        yield annotation
    for part in getattr(annotation, "__args__", ()):
        yield from _models(part)
