"""JSON and TOML documents that others wrote: the only place that reads them, so that what is wrong in one is always a
`DocumentError` with its line. An object amid the prose of a model is found elsewhere (`gapsmith.prompts.replies`). Python's own
readers raise other errors for whole numbers of thousands of digits and for lists inside lists without end, and take NaN and
infinity, with which no comparison holds and which no JSON may be written with."""

from __future__ import annotations

import json
import math
import re
import tomllib
from typing import Any, TypeVar

from gapsmith.templates.boundary import FileLimitError, has_long_number, in_time, is_too_deep, limits

_JSON_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|-?Infinity|NaN|-?\d[\d.eE+-]*')
_TOML_TEXTS = (
    r'"""(?:[^\\]|\\.)*?"""',
    r"'''.*?'''",
    r'"(?:[^"\\\n]|\\.)*"',
    r"'[^'\n]*'",
)
_TOML_TOKEN = re.compile("|".join((*_TOML_TEXTS, r"#[^\n]*|[\w.+-]+")), re.DOTALL)
_TOML_PART = r"(?:[\w-]+|\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*')[ \t]*"
"""A part of a key; parts have full stops between them."""
_NUMBER = re.compile(r"[+-]?(?:0[xob])?[\da-fA-F_]+|[+-]?[\d_]+(?:\.[\d_]+)?(?:[eE][+-]?[\d_]+)?")
_AT = re.compile(r"\s*\(at line (\d+), column (\d+)\)$")


class DocumentError(ValueError):
    """What is wrong in a document; `line` and `column` count from 1 and are None where the whole is meant."""

    def __init__(self, why: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(f"{why} (line {line}, column {column})" if line else why)
        self.why = why
        self.line = line
        self.column = column


class _OddNumberError(Exception):
    """NaN, infinity, or beyond what a number can be."""


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise _OddNumberError
    return number


_JSON = json.JSONDecoder(parse_float=_finite, parse_constant=_finite)


def read_json(content: str | bytes) -> Any:
    """The value of a JSON document. Raises `DocumentError`."""
    if isinstance(content, bytes):
        try:
            content = content.decode(json.detect_encoding(content))
        except UnicodeDecodeError as error:
            raise DocumentError(f"not {error.encoding} text") from None
    try:
        value = _JSON.decode(content)
    except json.JSONDecodeError as error:
        raise DocumentError(f"not JSON: {error.msg}", error.lineno, error.colno) from None
    except RecursionError:
        raise DocumentError(nested_too_deep()) from None
    except (ValueError, _OddNumberError):
        raise _odd_number(content, _JSON_TOKEN, '"') from None
    _expect_short_numbers(content, _JSON_TOKEN, '"')
    return _expect_shallow(value)


_T = TypeVar("_T")


def nested_too_deep() -> str:
    """What is said of a document whose parts stand deeper in one another than is read: the limit, and how to move it."""
    return f"lists and objects stand more than {limits().depth} deep in one another (limit depth; GAPSMITH_LIMITS=depth=NUMBER moves it)"


def _expect_shallow(value: _T) -> _T:
    if is_too_deep(value):
        raise DocumentError(nested_too_deep())
    return value


def key_given_twice(text: str) -> str | None:
    """A key that one object of a JSON document has twice, of which `read_json` keeps the last; None where there is none."""
    found: list[str] = []

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                found.append(key)
            seen.add(key)
        return dict(pairs)

    json.loads(text, object_pairs_hook=once)
    return found[0] if found else None


def read_toml(text: str, *, odd_numbers: bool = False) -> dict[str, Any]:
    """The tables of a TOML document. Raises `DocumentError`; for NaN and infinity too, unless `odd_numbers` are for the caller
    to refuse."""
    if (deep := _key_too_deep(text)) is not None:
        # Before it is read: what that takes grows with the square of the parts.
        raise DocumentError(nested_too_deep(), *_place(text, deep))
    try:
        with in_time("the TOML document"):
            found = tomllib.loads(text, parse_float=float if odd_numbers else _finite)
        _expect_short_numbers(text, _TOML_TOKEN, "\"'#")
        return _expect_shallow(found)
    except tomllib.TOMLDecodeError as error:
        place = _AT.search(str(error))
        why = str(error)[: place.start()] if place else str(error)
        line, column = (int(place[1]), int(place[2])) if place else (None, None)
        raise DocumentError(f"not TOML: {why[:1].lower()}{why[1:]}", line, column) from None
    except RecursionError:
        raise DocumentError(nested_too_deep()) from None
    except DocumentError:
        raise
    except FileLimitError as error:
        raise DocumentError(f"{error.message}; {error.hint}") from None
    except (ValueError, _OddNumberError):
        raise _odd_number(text, _TOML_TOKEN, "\"'#") from None


def _key_too_deep(text: str) -> int | None:
    """Where a key of a TOML document has more parts than tables may stand in one another."""
    most = limits().depth
    if text.count(".") < most:
        return None
    texts = "|".join(_TOML_TEXTS[:2])
    tokens = re.compile(rf"(?s:{texts})|(?P<key>(?:{_TOML_PART}\.[ \t]*){{{most},}})|{_TOML_PART}|#[^\n]*")
    return next((found.start() for found in tokens.finditer(text) if found["key"]), None)


def whole(digits: str) -> int | None:
    """The number of a cell of digits; None where it is none, or one of more digits than any number of ours has."""
    return int(digits) if digits.isdecimal() and len(digits) <= 18 else None


def _expect_short_numbers(text: str, tokens: re.Pattern[str], no_numbers: str) -> None:
    if has_long_number(text):
        long = (_too_long(text, found) for found in tokens.finditer(text) if found[0][0] not in no_numbers)
        if (error := next(filter(None, long), None)) is not None:
            raise error


def _place(text: str, at: int) -> tuple[int, int]:
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


def _too_long(text: str, found: re.Match[str]) -> DocumentError | None:
    """For a token that is a number with more digits than are read."""
    token, most = found[0], limits().digits
    if len(token) <= most or not _NUMBER.fullmatch(token) or (digits := sum(sign.isalnum() for sign in token)) <= most:
        return None
    why = f"a number of {digits:,} digits, and at most {most:,} are read (limit digits; GAPSMITH_LIMITS=digits=NUMBER moves it)"
    return DocumentError(why, *_place(text, found.start()))


def _odd_number(text: str, tokens: re.Pattern[str], no_numbers: str) -> DocumentError:
    """For a number in a document that is none or has too many digits: which, and where."""
    for found in tokens.finditer(text):
        token = found.group()
        if token[0] in no_numbers:
            continue
        if (long := _too_long(text, found)) is not None:
            return long
        try:
            if not math.isfinite(float(token)):
                shown = token if len(token) <= 40 else f"{token[:40]}…"
                return DocumentError(f"{shown} is not a number that can be counted with", *_place(text, found.start()))
        except ValueError:
            continue
    return DocumentError("holds a number that cannot be read")
