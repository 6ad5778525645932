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
    """Of what is said of a set: the items that it is about, by their numbers in the bank. It is a finding of each of them, and of
    several a remark at the first, since one may stay."""
