"""Two data sets compared by a share of successes, and what makes their items less than independent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from gapsmith.stats.proportions import chi_square_counts
from gapsmith.stats.results import Correction, Result, SetComparison
from gapsmith.stats.word_model import repeated_slots

Relation = Literal["disjoint", "identical", "second inside first", "first inside second", "overlapping"]


@dataclass(frozen=True, slots=True)
class ItemOutcomes:
    """A data set: for each item, by a key that is the same wherever the item occurs, whether it succeeded."""

    name: str
    success: Mapping[str, bool]
    words: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Slot values by item key, where they are known; used to see which words repeat."""


def compare_sets(first: ItemOutcomes, second: ItemOutcomes, *, correction: Correction) -> SetComparison:
    """Chi-square between two sets' success rates, with the reasons to distrust it.

    The test asked for is the one computed, also where the sets overlap: `caveats` then says that the
    samples are not independent, and for nested sets `remainder` tests the inner set against what it leaves
    out. Sets whose words repeat (`gapsmith.stats.word_model`) get a caveat too: such items are not independent.

    Raises ValueError for an empty set or for an item that succeeds in one set and fails in the other.
    """
    for outcomes in (first, second):
        if not outcomes.success:
            raise ValueError(f"data set {outcomes.name!r} has no items")
    shared = first.success.keys() & second.success.keys()
    at_odds = sorted(key for key in shared if first.success[key] != second.success[key])
    if at_odds:
        raise ValueError(
            f"item {at_odds[0]!r} succeeds in one set and fails in the other ({len(at_odds)} such items): "
            "the keys do not name the same items, or the sets were not scored alike"
        )
    hits = [sum(outcomes.success.values()) for outcomes in (first, second)]
    sizes = [len(first.success), len(second.success)]
    test = chi_square_counts(hits[0], sizes[0], hits[1], sizes[1], correction=correction)
    relation = _relation(sizes[0], sizes[1], len(shared))
    remainder = _remainder(relation, hits, sizes, correction)
    repeating = _repeating_caveats(first, second)
    caveats = [*_overlap_caveats(first, second, relation, len(shared)), *repeating]
    expected = test.details["expected"]
    if expected is not None and min(min(row) for row in expected) < 5:
        caveats.append("An expected count is below 5, where the chi-square approximation is poor.")

    def supported(own: Result, separate: bool) -> Result:
        allowed = own.interpretable and separate and not repeating
        return replace(own, notes=(*own.notes, *caveats), interpretable=allowed)

    return SetComparison(
        first=first.name,
        second=second.name,
        n_first=sizes[0],
        n_second=sizes[1],
        successes_first=hits[0],
        successes_second=hits[1],
        difference=hits[1] / sizes[1] - hits[0] / sizes[0],
        test=supported(test, relation == "disjoint"),
        n_shared=len(shared),
        relation=relation,
        remainder=None if remainder is None else supported(remainder, True),
        caveats=tuple(caveats),
        repeats=bool(repeating),
    )


def _relation(n_first: int, n_second: int, n_shared: int) -> Relation:
    if n_shared == 0:
        return "disjoint"
    if n_shared == n_first == n_second:
        return "identical"
    if n_shared == n_second:
        return "second inside first"
    if n_shared == n_first:
        return "first inside second"
    return "overlapping"


def _remainder(relation: Relation, hits: Sequence[int], sizes: Sequence[int], correction: Correction) -> Result | None:
    """The inner set against the items of the outer one that it leaves out."""
    if relation == "second inside first":
        inner, outer = 1, 0
    elif relation == "first inside second":
        inner, outer = 0, 1
    else:
        return None
    return chi_square_counts(
        hits[inner],
        sizes[inner],
        hits[outer] - hits[inner],
        sizes[outer] - sizes[inner],
        correction=correction,
    )


def _overlap_caveats(first: ItemOutcomes, second: ItemOutcomes, relation: Relation, n_shared: int) -> list[str]:
    if relation == "disjoint":
        return []
    if relation == "identical":
        return [f"{first.name} and {second.name} are the same {n_shared:,} items: there is nothing to compare."]
    message = (
        f"The sets share {n_shared:,} items ({first.name}: {len(first.success):,}; {second.name}: "
        f"{len(second.success):,}), so the two samples are not independent, as the chi-square test assumes."
    )
    if relation != "overlapping":
        inner = second if relation == "second inside first" else first
        message += f" Compare {inner.name} with what they leave out instead."
    return [message]


def _repeating_caveats(first: ItemOutcomes, second: ItemOutcomes) -> list[str]:
    caveats = []
    for outcomes in (first, second):
        slots = repeated_slots(list(outcomes.words.values()))
        if slots:
            caveats.append(
                f"The items of {outcomes.name} repeat their words ({', '.join(slots)}), so they are not independent, and p is "
                "too small if the words matter."
            )
    return caveats
