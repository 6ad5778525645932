"""Words on the command line that stand for values of ours; a wrong one lists the right ones."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Literal, TypeVar

from gapsmith.bank import ItemStatus, Severity, Verdict
from gapsmith.templates import ConfigError

if TYPE_CHECKING:
    from gapsmith.stats import Alternative

E = TypeVar("E", bound=StrEnum)


def parse_word(kind: type[E], word: str, what: str) -> E:
    """The member of an enumeration that a word stands for. Raises `ConfigError`, which lists them."""
    try:
        return kind(word.strip().casefold())
    except ValueError:
        raise ConfigError(f"there is no {what} {word!r}", hint=f"There are: {', '.join(kind)}.") from None


def parse_alternative(word: str) -> Alternative | Literal["expected"]:
    """The alternative of a test, or ``expected``: the side that the paradigm predicts."""
    from gapsmith.stats import check_alternative

    if word == "expected":
        return "expected"
    try:
        return check_alternative(word)
    except ValueError as error:
        raise ConfigError(str(error), hint="Say --alternative expected, two-sided, greater or less.") from None


def parse_severity(word: str) -> Severity:
    """A severity by name."""
    return parse_word(Severity, word, "severity")


def parse_status(word: str) -> ItemStatus:
    """An item status by name."""
    return parse_word(ItemStatus, word, "status")


def parse_verdict(word: str) -> Verdict:
    """A verdict by name."""
    return parse_word(Verdict, word, "verdict")
