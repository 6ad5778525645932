"""What setting items aside did: the accuracies of the items kept against those of all."""

from __future__ import annotations

from collections.abc import Sequence

from gapsmith.scoring.analysis.contrasts import contrast_values
from gapsmith.scoring.analysis.measured import MeasuredItem
from gapsmith.scoring.analysis.results import AnalysisOptions, ContrastResult, ItemKey, KeptComparison
from gapsmith.stats import ItemOutcomes, compare_sets


def compare_kept_with_all(
    everything: Sequence[MeasuredItem],
    kept: frozenset[int],
    results: Sequence[ContrastResult],
    options: AnalysisOptions,
) -> tuple[KeptComparison, ...]:
    """Chi-square (Yates) of kept against all items for each preference and interaction with a prediction.

    Only where items were set aside and have been scored too. The sets are nested, which the comparison says and
    answers with kept against removed.
    """
    if len(kept) == len(everything):
        return ()
    words = {_name(item.key): item.item.slots for item in everything if item.item.slots is not None}
    found = []
    for result in results:
        if result.contrast.kind not in ("preference", "did") or not result.contrast.expected or not result.values:
            continue
        of_all = contrast_values(everything, result.contrast, options)
        # What items share is one outcome, by the name of the first of them.
        first: dict[tuple[str, ...], ItemKey] = {}
        for key, observation in zip(of_all.values, of_all.observations, strict=True):
            first.setdefault(observation, key)
        named = {key: _name(first[observation]) for key, observation in zip(of_all.values, of_all.observations, strict=True)}
        if {named[key] for key in result.values} == set(named.values()):
            continue
        sign = result.contrast.expected
        success = {_name(key): sign * of_all.values[key] > 0 for key in first.values()}
        every = ItemOutcomes("all scored items", success, {name: own for name, own in words.items() if name in success})
        inner = ItemOutcomes("kept items", {named[key]: success[named[key]] for key in result.values})
        comparison = compare_sets(every, inner, correction="yates")
        found.append(KeptComparison(result.contrast.name, sign, comparison))
    return tuple(found)


def _name(key: ItemKey) -> str:
    """One text for one key: a slash may be part of either name, a null character of neither."""
    return f"{key.dataset}\0{key.label}"
