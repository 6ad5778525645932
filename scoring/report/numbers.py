"""The only place that says how tables and sentences of a report write numbers: two decimals for bits, no leading zero for p, a dash
where there is no value.

What has a sign and is not in bits, or keeps its plus at an exact 0, is written where it stands: coefficients of the POSH pages,
percentage points of comparisons, the texts of figures, the pages on contexts; and pages that are no reports of ours (reproduced studies,
audits, agreement)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from gapsmith.templates import MEASURES

NO_VALUE = "–"
_TOO_LONG = 1e9
"""From here on a number is told with its power of ten: no table has room for two hundred digits."""


def bits(value: float | None, *, sign: bool = True) -> str:
    """A difference in bits, ``+0.25``; without its plus where `sign` is False. Only an exact 0 has no sign."""
    if value is None:
        return NO_VALUE
    digits = ".2f" if abs(value) < _TOO_LONG else ".2e"
    return f"{value:{'+' if sign and value else ''}{digits}}"


def unit_of(measures: Iterable[str]) -> str:
    """What values by these measures are in: bits, or where a measure has no unit what it is called."""
    found = [MEASURES.find(name) for name in measures]
    return " or ".join(dict.fromkeys(by.title if by.unit == "1" else by.unit for by in found)) or "bits"


def titled(measure: str) -> str:
    """What the measure is called and what it is in, ``surprisal (bits)``; without a unit what it is called."""
    title, unit = MEASURES.find(measure).title, unit_of([measure])
    return title if unit == title else f"{title} ({unit})"


def plain(value: float | None, digits: int = 2) -> str:
    """A number with so many decimals."""
    if value is None:
        return NO_VALUE
    return f"{value:.{digits}f}" if abs(value) < _TOO_LONG else f"{value:.{digits}e}"


def interval(low: float | None, high: float | None) -> str:
    """An interval in bits, ``[+0.10, +0.40]``."""
    return NO_VALUE if low is None or high is None else f"[{bits(low)}, {bits(high)}]"


def plain_interval(low: float | None, high: float | None, digits: int = 2) -> str:
    """An interval of means, ``[12.10, 14.40]``, without signs."""
    return NO_VALUE if low is None or high is None else f"[{plain(low, digits)}, {plain(high, digits)}]"


def p_value(p: float | None) -> str:
    """``.0312``, ``< .0001``, ``1.0000``."""
    if p is None:
        return NO_VALUE
    if p < 0.0001:
        return "< .0001"
    return f"{p:.4f}".removeprefix("0")


def percent(share_of_one: float | None) -> str:
    """A share as ``51.5%``."""
    return NO_VALUE if share_of_one is None else f"{_hundredths(share_of_one)}%"


def percent_interval(low: float | None, high: float | None) -> str:
    """An interval of shares as ``[35.2, 67.5]``, in per cent."""
    return NO_VALUE if low is None or high is None else f"[{_hundredths(low)}, {_hundredths(high)}]"


def _hundredths(share_of_one: float) -> str:
    # 100 without a decimal, so that no share is wider than 99.9 and tables fit a terminal.
    said = f"{100 * share_of_one:.1f}"
    return "100" if said == "100.0" else said


def share(part: int, whole: int) -> str:
    """``17 of 33``."""
    return f"{part:,} of {whole:,}"


def minus(text: str) -> str:
    """The text with a true minus sign before numbers and factor levels and in formulas; hyphens stay."""
    return re.sub(r"(?<![\w-])-(?=[\d.A-Z ])", "−", text)
