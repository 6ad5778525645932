"""What setting items aside did: the accuracies of the items kept against those of all."""

from __future__ import annotations

from collections.abc import Sequence

from gapsmith.scoring.analysis.contrasts import values_of
from gapsmith.scoring.analysis.results import AnalysisOptions, ContrastResult, KeptComparison
from gapsmith.scoring.observations import Observations, words_read
from gapsmith.stats import ItemOutcomes, compare_sets
from gapsmith.templates import Paradigm


def compare_kept_with_all(
    paradigm: Paradigm,
    everything: Observations,
    kept: frozenset[int],
    results: Sequence[ContrastResult],
    options: AnalysisOptions,
) -> tuple[KeptComparison, ...]:
    """Chi-square (Yates) of kept against all items for each preference and interaction with a prediction; `kept` are their ids.

    Only where items were set aside and have been scored too. The sets are nested, which the comparison says and
    answers with kept against removed. What items share is one outcome.
    """
    if len(kept) == len(everything):
        return ()
    found = []
    for result in results:
        sign = result.contrast.expected
        if result.contrast.kind not in ("preference", "did") or not sign or not result.values:
            continue
        of_all = values_of(everything, result.contrast, options)
        evidence, values = of_all.evidence_by_item, of_all.by_item
        if {evidence[key] for key in result.values} == set(evidence.values()):
            continue
        # Sorted, so that of two values of one observation, a hair apart, always the same one counts.
        success = {str(evidence[key]): sign * values[key] > 0 for key in sorted(values)}
        items = [of_all.given.items[position] for position in of_all.having]
        rows = words_read(items, paradigm, [(term.condition, term.place) for term in result.contrast.terms]).rows
        own = {str(evidence[item.key]): row for item, row in zip(items, rows, strict=True)}
        every = ItemOutcomes("all scored items", success, own)
        inner = ItemOutcomes("kept items", {str(evidence[key]): success[str(evidence[key])] for key in result.values})
        found.append(KeptComparison(result.contrast.name, sign, compare_sets(every, inner, correction="yates")))
    return tuple(found)
