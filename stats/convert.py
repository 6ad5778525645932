"""What fits and comparisons come to as `Result`s, and Holm's correction over several of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from gapsmith.stats.correction import holm
from gapsmith.stats.results import Result, SetComparison

if TYPE_CHECKING:
    from gapsmith.stats.lmm import MixedFit


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
    sets = [(found.test, f"{found.first} | {found.second}")]
    if found.remainder is not None:
        inner = found.second if found.relation == "second inside first" else found.first
        sets.append((found.remainder, f"{inner} | left out"))
    return tuple(replace(test, dataset=names) for test, names in sets)


def adjust(results: Iterable[Result], families: Sequence[str] | None = None) -> tuple[Result, ...]:
    """The same results with `p_adj`, Holm's correction over all tests of a family, and `family`, what these are in words.

    `families` names one for each result, those without a name (empty) being one family, all tests of a run that nobody planned; without
    it all results are one. Models, data
    sets, groups and kinds of tests of one family are corrected together. A result without p, or from which nothing may be concluded,
    is no test and counts in no family.
    """
    given = list(results)
    names = [""] * len(given) if families is None else list(families)
    together: dict[str, dict[str, float]] = {}
    for position, (result, name) in enumerate(zip(given, names, strict=True)):
        if result.p is not None and result.interpretable:
            together.setdefault(name, {})[str(position)] = result.p
    adjusted = {position: p for family in together.values() for position, p in holm(family).items()}
    found = []
    for position, (result, name) in enumerate(zip(given, names, strict=True)):
        p, n = adjusted.get(str(position)), len(together.get(name, ()))
        said = f"the {n:,} test{'' if n == 1 else 's'} of {name or 'this run, unplanned'}" if p is not None else ""
        found.append(replace(result, p_adj=p, family=said))
    return tuple(found)
