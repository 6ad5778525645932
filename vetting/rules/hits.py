"""What rules find."""

from __future__ import annotations

from dataclasses import dataclass

from gapsmith.bank import Severity


@dataclass(frozen=True, slots=True)
class Hit:
    """What a rule found, before it carries the rule's code. `start` and `end` count characters of the sentence."""

    message: str
    condition: str | None = None
    start: int | None = None
    end: int | None = None
    slot: str | None = None
    severity: Severity | None = None
    """None takes the rule's own."""
    remedy: str = ""
    """Empty takes the remedy of the rule's page."""
    items: tuple[int, ...] = ()
    """Of what a set says of one of its items: its number in the bank, and that of one that is told beside it."""
    word: str = ""
    """The word that it is about, where a list was asked for it."""
    may_stay: bool = False
    """Whether it is about the first of items that are alike: since one may stay, no more than a remark."""
