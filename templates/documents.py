"""JSON and TOML documents that others wrote: the only place that reads them, so that what is wrong in one is always a
`DocumentError` with its line. An object amid the prose of a model is found elsewhere (`gapsmith.prompts.replies`). Python's own
readers raise other errors for whole numbers of thousands of digits and for lists inside lists without end, and take NaN and
infinity, with which no comparison holds and which no JSON may be written with."""

from __future__ import annotations

import json
import math
import re
import sys
import tomllib
from typing import Any, TypeVar

from gapsmith.templates.boundary import is_too_deep, limits

_JSON_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|-?Infinity|NaN|-?\d[\d.eE+-]*')
_TOML_TEXTS = (
    r'"""(?:[^\\]|\\.)*?"""',
    r"'''.*?'''",
    r'"(?:[^"\\\n]|\\.)*"',
    r"'[^'\n]*'",
)
_TOML_TOKEN = re.compile("|".join((*_TOML_TEXTS, r"#[^\n]*|[\w.+-]+")), re.DOTALL)
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
        raise DocumentError(_TOO_DEEP) from None
    except (ValueError, _OddNumberError):
        raise _odd_number(content, _JSON_TOKEN, '"') from None
    return _expect_shallow(value)


_TOO_DEEP = "lists inside lists without end"
_T = TypeVar("_T")


def _expect_shallow(value: _T) -> _T:
    if is_too_deep(value):
        raise DocumentError(f"lists and objects stand more than {limits().depth} deep in one another (limit depth)")
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
    try:
        return _expect_shallow(tomllib.loads(text, parse_float=float if odd_numbers else _finite))
    except tomllib.TOMLDecodeError as error:
        place = _AT.search(str(error))
        why = str(error)[: place.start()] if place else str(error)
        line, column = (int(place[1]), int(place[2])) if place else (None, None)
        raise DocumentError(f"not TOML: {why[:1].lower()}{why[1:]}", line, column) from None
    except RecursionError:
        raise DocumentError("brackets stand too deep in one another") from None
    except (ValueError, _OddNumberError):
        raise _odd_number(text, _TOML_TOKEN, "\"'#") from None


def whole(digits: str) -> int | None:
    """The number of a cell of digits; None where it is none, or one of more digits than any number of ours has."""
    return int(digits) if digits.isdecimal() and len(digits) <= 18 else None


def _odd_number(text: str, tokens: re.Pattern[str], no_numbers: str) -> DocumentError:
    """For a number in a document that is none or has too many digits: which, and where."""
    for found in tokens.finditer(text):
        token = found.group()
        if token[0] in no_numbers:
            continue
        line = text.count("\n", 0, found.start()) + 1
        column = found.start() - text.rfind("\n", 0, found.start())
        digits = len(token.replace("_", "").lstrip("+-"))
        if digits > sys.get_int_max_str_digits() and re.fullmatch(r"[+-]?[\d_]+", token):
            return DocumentError(f"a number of {digits:,} digits, which nothing here can be", line, column)
        try:
            if not math.isfinite(float(token)):
                shown = token if len(token) <= 40 else f"{token[:40]}…"
                return DocumentError(f"{shown} is not a number that can be counted with", line, column)
        except ValueError:
            continue
    return DocumentError("holds a number that cannot be read")
