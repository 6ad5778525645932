"""Sharing items out between readers, and how well readers know the items whose right verdict is known (`gapsmith.bank` keeps who
reads what)."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from gapsmith.bank import Bank
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


def calibration(bank: Bank, *, paradigm: str | None = None, dataset: str | None = None) -> list[Calibration]:
    """How everybody who decided on calibration items of a scope did, by name."""
    # scipy takes a second, and who only asks what is assigned to whom has no use for it.
    from gapsmith.stats import wilson_interval

    known = bank.assignments.known_verdicts()
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
