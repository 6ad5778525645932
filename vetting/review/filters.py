"""What a reviewer types to narrow the queue, and the orders in which it can be read.

A line of words and ``key:value`` pairs, all of which must hold: ``status:undecided code:L severity:warning word:amuse
run:2 by:ann item:17 the story about``. Words without a key are looked for as one phrase, as they stand in a sentence.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from gapsmith.bank import ItemFilter, ItemStatus, QueueRow, Severity
from gapsmith.templates import ConfigError, did_you_mean, shown, whole
from gapsmith.vetting.gap_marks import GAP
from gapsmith.vetting.review.doubt import doubt_rank

STATUSES = {
    "undecided": "pending",
    "pending": "pending",
    "approved": "approved",
    "excluded": "excluded",
    "flagged": "flagged",
    "disputed": "disputed",
    "outdated": "outdated",
    "commented": "commented",
}
"""What can follow ``status:``, and the standing it means."""
_PART = re.compile(r'(?:[^\s"]|"[^"]*"?)+')
KEYS = ("status", "code", "severity", "word", "by", "run", "item")


@dataclass(frozen=True, slots=True)
class Query:
    """What the queue is narrowed to."""

    statuses: tuple[str, ...] = ()
    """Standings (values of `STATUSES`); an item with any of them fits."""
    codes: tuple[str, ...] = ()
    severity: Severity | None = None
    words: tuple[str, ...] = ()
    """Whole words, each of which a sentence must have."""
    phrase: str | None = None
    author: str | None = None
    run_id: int | None = None
    labels: tuple[str, ...] = ()
    text: str = ""
    """As typed."""

    def narrow(self, base: ItemFilter) -> ItemFilter:
        """The filter of the bank for all that is not a matter of standing."""
        return replace(
            base,
            codes=self.codes,
            severity=self.severity,
            text=self.phrase,
            author=self.author,
            run_id=self.run_id if self.run_id is not None else base.run_id,
            labels=self.labels,
        )


def parse_query(line: str, offered: Sequence[str] = KEYS) -> Query:
    """Read a filter line. Raises `ConfigError` naming the part that cannot be understood, and the filters that are offered where it is
    read."""
    parts = [part.replace('"', "") for part in _PART.findall(line)]
    found: dict[str, list[str]] = {key: [] for key in KEYS}
    phrase: list[str] = []
    for part in parts:
        key, colon, value = part.partition(":")
        if not colon or not value or not key.isalpha():
            # A gap that stands in a sentence on the screen is no word of it.
            phrase += [word for word in part.split(" ") if word != GAP]
        elif key in found:
            found[key] += [piece for piece in value.split(",") if piece]
        else:
            guess = did_you_mean(f"{key}:", [f"{known}:" for known in offered])
            raise ConfigError(f"there is no filter {key}:", hint=f"{guess}There are: {', '.join(f'{k}:' for k in offered)}")
    return Query(
        statuses=tuple(_one_of("status", value, STATUSES) for value in found["status"]),
        codes=tuple(value.upper() for value in found["code"]),
        severity=_severity(found["severity"]),
        words=tuple(found["word"]),
        phrase=" ".join(phrase) or None,
        author=found["by"][-1] if found["by"] else None,
        run_id=_number("run", found["run"]),
        labels=tuple(found["item"]),
        text=line.strip(),
    )


def _one_of(key: str, value: str, known: dict[str, str]) -> str:
    if value.lower() not in known:
        raise ConfigError(f"{key}:{value} is not known", hint=f"After {key}: comes one of {', '.join(known)}.")
    return known[value.lower()]


def _severity(values: Sequence[str]) -> Severity | None:
    if not values:
        return None
    known = {severity.value: severity.value for severity in Severity}
    return min((Severity(_one_of("severity", value, known)) for value in values), key=lambda s: s.rank)


def _number(key: str, values: Sequence[str]) -> int | None:
    if not values:
        return None
    number = whole(values[-1])
    if number is None:
        raise ConfigError(f"{key}:{shown(values[-1])} is not a number", hint="`gapsmith runs` lists the runs.")
    return number


ORDERS: dict[str, str] = {
    "came": "as they came",
    "random": "in random order",
    "findings": "worst findings first",
    "doubt": "the doubtful first",
    "status": "by decision",
    "text": "by their first sentence",
}
"""The orders of the queue, and how each is called on screen."""
_STANDING_RANK = {"disputed": 0, "pending": 1, "flagged": 2, "excluded": 3, "approved": 4}


def random_order(author: str, seed: int, item_id: int) -> bytes:
    """Where an item stands in an annotator's random order: a hash, so that new items do not move the others."""
    return hashlib.blake2b(f"{seed}\x00{author}\x00{item_id}".encode(), digest_size=8).digest()


def sort_rows(
    rows: Sequence[QueueRow],
    order: str,
    *,
    author: str,
    seed: int,
    place: Callable[[QueueRow], int | str],
    standing: Callable[[QueueRow], ItemStatus],
    sees_others: Callable[[QueueRow], bool],
) -> list[QueueRow]:
    """The rows in one of `ORDERS`, those that it does not tell apart by their `place`. Raises `ConfigError` for another."""
    if order == "came":
        return sorted(rows, key=place)
    if order == "random":
        return sorted(rows, key=lambda row: random_order(author, seed, row.id))
    if order == "findings":
        return sorted(rows, key=lambda row: (-row.worst, -row.findings, place(row)))
    if order == "doubt":
        return sorted(rows, key=lambda row: (doubt_rank(row, sees_others=sees_others(row)), place(row)))
    if order == "status":
        return sorted(rows, key=lambda row: (_STANDING_RANK[standing(row).value], place(row)))
    if order == "text":
        return sorted(rows, key=lambda row: (row.text.casefold(), place(row)))
    raise ConfigError(f"there is no order {order!r}", hint=f"There are: {', '.join(ORDERS)}.")
