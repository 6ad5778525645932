"""Who reads what, and items whose right verdict is known.

Both are events, so that copies of a bank agree on them. An item can be assigned to several people; whoever has been assigned
something is shown that and nothing else, and whoever has not is shown everything. A calibration item is one with a known
verdict, read by everybody; nobody is told which items these are.
"""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gapsmith.bank import IN_ORDER, Bank, Verdict, add_events
from gapsmith.templates import ConfigError


@dataclass(frozen=True, slots=True)
class Calibration:
    """How often one annotator says of calibration items what is known of them."""

    author: str
    hits: int
    decided: int
    low: float
    """Of Wilson's 95 % interval of the share."""
    high: float
    missed: tuple[int, ...]
    """The items on which they said something else."""


def share_out(
    item_ids: Sequence[int], annotators: Sequence[str], *, overlap: float, readers: int, seed: int
) -> dict[int, tuple[str, ...]]:
    """Give every item one reader, and a random share `overlap` (0 to 1, rounded to items) of them `readers`, so that every two
    loads differ by one item at most.

    Raises `ConfigError` for fewer than two names where items overlap, a name given twice, and numbers out of range."""
    if not annotators or len(set(annotators)) < len(annotators) or not all(name.strip() for name in annotators):
        raise ConfigError("annotators need a name each, all different", hint="For example --to ann --to ben.")
    if not 0.0 <= overlap <= 1.0:
        raise ConfigError(f"an overlap of {overlap:g} is no share", hint="For example --overlap 0.2 for a fifth.")
    if overlap > 0 and not 2 <= readers <= len(annotators):
        raise ConfigError(
            f"{readers} readers of {len(annotators)} annotators cannot overlap",
            hint="Take 2 to as many as there are annotators: --readers 2; or --overlap 0.",
        )
    rng = random.Random(seed)
    shuffled = rng.sample(list(item_ids), len(item_ids))
    doubled = set(shuffled[: round(overlap * len(shuffled))])
    given: dict[int, tuple[str, ...]] = {}
    turn = 0
    for item_id in shuffled:
        count = readers if item_id in doubled else 1
        # Going round in turn, no name comes twice on an item and no load is more than one ahead.
        given[item_id] = tuple(annotators[(turn + step) % len(annotators)] for step in range(count))
        turn += count
    return given


def assign(bank: Bank, given: Mapping[int, Collection[str]], known: Mapping[int, Verdict] | None = None, *, by: str) -> None:
    """Keep who reads what, in the place of what was assigned of these items before, and the known verdicts, as one action."""
    entries: list[tuple[int, dict[str, Any]]] = []
    for item_id in sorted(given):
        payload: dict[str, Any] = {"to": sorted(given[item_id])}
        if known is not None and item_id in known:
            payload["known"] = known[item_id].value
        entries.append((item_id, payload))
    if entries:
        add_events(bank.db, "assign", entries, author=by)


def _newest(bank: Bank) -> Iterator[tuple[int, Mapping[str, Any]]]:
    rows = bank.db.checked("event", f"SELECT * FROM event WHERE kind = 'assign' ORDER BY {IN_ORDER}")
    newest = {row["item_id"]: row["payload"] for row in rows}
    for item_id, payload in newest.items():
        yield item_id, json.loads(payload)


def assigned_to(bank: Bank, author: str) -> frozenset[int] | None:
    """The items that somebody is to read; None for one to whom nothing was assigned, who may read everything."""
    mine = frozenset(item_id for item_id, said in _newest(bank) if author in said["to"])
    return mine or None


def known_verdicts(bank: Bank) -> dict[int, Verdict]:
    """The calibration items, with the verdict that is known of each."""
    return {item_id: Verdict(said["known"]) for item_id, said in _newest(bank) if "known" in said}


def calibration(bank: Bank, *, paradigm: str | None = None, dataset: str | None = None) -> list[Calibration]:
    """How everybody who decided on calibration items of a scope did, by name."""
    # scipy takes a second, and who only asks what is assigned to whom has no use for it.
    from gapsmith.stats import wilson_interval

    known = known_verdicts(bank)
    said: dict[str, list[tuple[int, bool]]] = defaultdict(list)
    for label in bank.review.verdicts(paradigm=paradigm, dataset=dataset):
        if label.item_id in known:
            said[label.author].append((label.item_id, label.value == known[label.item_id].value))
    found = []
    for author, answers in sorted(said.items()):
        hits = sum(right for _, right in answers)
        low, high = wilson_interval(hits, len(answers))
        found.append(Calibration(author, hits, len(answers), low, high, tuple(item for item, right in answers if not right)))
    return found
