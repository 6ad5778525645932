"""What fits and comparisons come to as `Result`s, and Holm's correction over several of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from gapsmith.stats.correction import holm
from gapsmith.stats.lmm import MixedFit
from gapsmith.stats.results import Result, SetComparison


def mixed_results(fit: MixedFit) -> tuple[Result, ...]:
    """One `Result` per fixed effect of a mixed model, its name as the contrast; one saying why where there is no fit."""
    test = "mixed model" if fit.family == "gaussian" else "logistic mixed model"
    common = Result(
        test=test,
        n=fit.n,
        n_undefined=fit.n_undefined,
        confidence=fit.confidence,
        undefined=fit.undefined,
        notes=fit.notes,
        interpretable=fit.undefined is None,
    )
    if fit.undefined is not None:
        return (common,)
    return tuple(
        replace(
            common,
            contrast=coefficient.name,
            estimate=coefficient.estimate,
            ci=coefficient.ci,
            statistic=coefficient.statistic,
            df=coefficient.df,
            p=coefficient.p,
        )
        for coefficient in fit.coefficients
    )


def set_results(found: SetComparison) -> tuple[Result, ...]:
    """The chi-square between two sets, and, where one lies inside the other, what it keeps against what it leaves out.

    The data set is ``first | second``, or ``inner | left out``. A test of sets that overlap, or over whose items
    words repeat, is shown with its reasons and supports no conclusion.
    """
    sets = [(found.test, f"{found.first} | {found.second}", found.relation == "disjoint")]
    if found.remainder is not None:
        inner = found.second if found.relation == "second inside first" else found.first
        sets.append((found.remainder, f"{inner} | left out", True))
    results = []
    for test, names, separate in sets:
        allowed = test.interpretable and separate and not found.repeats
        results.append(replace(test, dataset=names, notes=(*test.notes, *found.caveats), interpretable=allowed))
    return tuple(results)


def adjust(results: Iterable[Result], families: Mapping[str, str] | None = None) -> tuple[Result, ...]:
    """The same results with `p_adj`: Holm's correction within each family of tests.

    `families` maps a contrast to its family; a contrast that is not in it is a family of its own. Without it all results are one
    family. A family is taken within one test, group, model, data set and context, so that a table that shows two models corrects
    each over its own tests. A result without p, or from which nothing may be concluded, is no test and counts in no family.
    """
    given = list(results)
    together: dict[tuple[str, ...], dict[str, float]] = {}
    for position, result in enumerate(given):
        if result.p is not None and result.interpretable:
            family = "" if families is None else families.get(result.contrast, f"contrast {result.contrast}")
            key = (family, result.test, result.group, result.model, result.dataset, result.context)
            together.setdefault(key, {})[str(position)] = result.p
    adjusted = {name: p for family in together.values() for name, p in holm(family).items()}
    return tuple(replace(result, p_adj=adjusted.get(str(position))) for position, result in enumerate(given))
