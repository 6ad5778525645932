"""How many faults are likely left in the items that two people have read, each blind to the other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from gapsmith.bank import Label, Verdict
from gapsmith.stats import Captured, capture_recapture


@dataclass(frozen=True, slots=True)
class FaultsLeft:
    """Of the items that both have decided on, how many either has excluded, and how many are likely to be faulty all the same."""

    first: str
    second: str
    items: int
    captured: Captured


def faults_left(labels: Sequence[Label]) -> list[FaultsLeft]:
    """For every two people who have decided on the same items; an excluded item counts as one with a fault."""
    said: dict[str, dict[int, bool]] = defaultdict(dict)
    for label in labels:
        said[label.author][label.item_id] = label.value == Verdict.EXCLUDE
    found = []
    for first, second in combinations(sorted(said), 2):
        both = said[first].keys() & said[second].keys()
        if both:
            mine, theirs = ({item for item in both if said[name][item]} for name in (first, second))
            found.append(FaultsLeft(first, second, len(both), capture_recapture(len(mine), len(theirs), len(mine & theirs))))
    return found
