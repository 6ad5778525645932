"""Numbers that people give: the only place that says which ones a flag, a variable, a settings file or a keyword may be.

A `WholeNumber` or `RealNumber` is a range. It refuses, with the name under which it was given and the range, all that is not in
it: NaN, infinity, the wrong sign, true and false, a number of thousands of digits. A field or parameter says its range in its
annotation, ``seed: Annotated[int, SEED]``; `check_fields` and `numbers_checked` hold what comes against it.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import cache, wraps
from inspect import signature
from numbers import Integral, Real
from typing import Annotated, Any, ParamSpec, TypeVar, get_args, get_origin

from gapsmith.templates.errors import ConfigError

P = ParamSpec("P")
R = TypeVar("R")

_SHOWN = 40


@dataclass(frozen=True, slots=True)
class WholeNumber:
    """Whole numbers from `low` to `high`."""

    low: int
    high: int

    def __str__(self) -> str:
        return f"a whole number from {self.low:,} to {self.high:,}"

    def read(self, given: object, name: str) -> int:
        """The number that was given as `name`, also as text. Raises `ConfigError`, which says the name and the range."""
        number: object = given
        if isinstance(given, str):
            try:
                number = int(given)
            except ValueError:
                # Also a number of more digits than Python reads.
                number = None
        if isinstance(number, bool) or not isinstance(number, Integral) or not self.low <= int(number) <= self.high:
            raise ConfigError(f"{name}: {shown(given)} is not {self}")
        return int(number)


@dataclass(frozen=True, slots=True)
class RealNumber:
    """Numbers from `low` to `high`; `above` and `below` say that these two are not among them."""

    low: float
    high: float = math.inf
    above: bool = False
    below: bool = False

    def __str__(self) -> str:
        least = f"{'above' if self.above else 'from'} {self.low:g}"
        if math.isinf(self.high):
            return f"a number {least}" if self.above else f"a number {least} on"
        if self.above:
            return f"a number {least} and {'below' if self.below else 'at most'} {self.high:,.10g}"
        return f"a number {least} to {'below ' if self.below else ''}{self.high:,.10g}"

    def read(self, given: object, name: str) -> float:
        """The number that was given as `name`, also as text. Raises `ConfigError`, which says the name and the range."""
        number = math.nan
        if not isinstance(given, bool) and isinstance(given, str | Real):
            try:
                number = float(given)
            except (ValueError, OverflowError):
                number = math.nan
        inside = self.low < number if self.above else self.low <= number
        inside &= number < self.high if self.below else number <= self.high
        # NaN is in no range; infinity would be where there is no upper end.
        if not inside or not math.isfinite(number):
            raise ConfigError(f"{name}: {shown(given)} is not {self}")
        return number


def shown(given: object) -> str:
    """What was given as a number, short enough for a message."""
    if isinstance(given, int) and abs(given) >= 10**_SHOWN:
        # Python does not write a number of thousands of digits out.
        return "a number of so many digits"
    text = given if isinstance(given, str) else repr(given)
    text = text if text.strip() and text.isprintable() else repr(text)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}… ({len(text):,} characters)"


_MANY = 2**31 - 1

COUNT = WholeNumber(1, _MANY)
"""How many of something there shall be."""
COUNT_OR_NONE = WholeNumber(0, _MANY)
NUMBER_IN_BANK = WholeNumber(1, 2**63 - 1)
"""By which a bank calls a run, an item or a scorer."""
SEED = WholeNumber(0, 2**32 - 1)
PORT = WholeNumber(0, 65_535)
DRAWS = WholeNumber(20, 1_000_000)
REPAIRS = WholeNumber(0, 2)
PER_MINUTE = RealNumber(0.0, float(_MANY), above=True)
TEMPERATURE = RealNumber(0.0, 2.0)
TOP_P = RealNumber(0.0, 1.0, above=True)
SHARE_OR_ITEMS = RealNumber(0.0, float(_MANY))
"""A share up to 1; above, whole numbers count."""
PART = RealNumber(0.0, 1.0, below=True)
"""A share that leaves something over."""
CONFIDENCE = RealNumber(0.0, 1.0, above=True, below=True)
DOLLARS = RealNumber(0.0, above=True)
TIMEOUT = RealNumber(0.0, 604_800.0, above=True)
"""Seconds, of a week at most: the clocks of operating systems do not take any number there is."""
MINUTES = RealNumber(0.0, 10_080.0, above=True)
"""Of a week at most."""
DELAY = RealNumber(0.0, 604_800.0)
SECONDS_BETWEEN = RealNumber(1.0, 604_800.0)
SIZE = RealNumber(0.0, 1e12, above=True)
FACTOR = RealNumber(0.0, 1_000_000.0, above=True)
THINKING_TOKENS = WholeNumber(-1, _MANY)
"""0: none; -1: as the model likes."""


def check_fields(given: Any) -> None:
    """Hold the numbers of a dataclass against the ranges in the annotations of its fields; None is no number and passes.

    Raises `ConfigError` naming the field."""
    kind: Any = type(given)
    for name, allowed in _field_ranges(kind).items():
        _check(allowed, getattr(given, name), name)


def numbers_checked(function: Callable[P, R]) -> Callable[P, R]:
    """A function whose arguments are held against the ranges in its annotations before it begins; None passes.

    Raises `ConfigError` naming the argument."""
    ranges = ranges_of(function.__annotations__, function.__globals__)
    bound = signature(function)

    @wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        for name, value in bound.bind_partial(*args, **kwargs).arguments.items():
            if name in ranges:
                _check(ranges[name], value, name)
        return function(*args, **kwargs)

    return checked


def ranges_of(annotations: Mapping[str, Any], names: Mapping[str, Any]) -> dict[str, WholeNumber | RealNumber]:
    """The ranges that annotations name, by field or parameter. Others are not looked at, since what they name may be imported
    for type checkers alone."""
    found: dict[str, WholeNumber | RealNumber] = {}
    for name, said in annotations.items():
        # As typing.get_type_hints does it, one name at a time.
        hint = eval(said, dict(names)) if isinstance(said, str) and said.startswith("Annotated[") else said
        if get_origin(hint) is not Annotated:
            continue
        for part in get_args(hint)[1:]:
            if isinstance(part, WholeNumber | RealNumber):
                found[name] = part
    return found


@cache
def _field_ranges(kind: Any) -> dict[str, WholeNumber | RealNumber]:
    return ranges_of({entry.name: entry.type for entry in fields(kind)}, vars(sys.modules[kind.__module__]))


def _check(allowed: WholeNumber | RealNumber, value: object, name: str) -> None:
    if isinstance(value, str):
        raise ConfigError(f"{name}: the text {shown(value)!r} is not {allowed}")
    if value is not None:
        allowed.read(value, name)
