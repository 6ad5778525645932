"""Each kind of test as the one `Result` that tables, figures and exports take."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from stats.correction import holm
from stats.lmm import MixedFit
from stats.results import Accuracy, ChiSquare, PermutationTest, Result, SetComparison, TTest, WilcoxonTest
from stats.ttest import dz_interval

__all__ = ["Asked", "adjust", "as_result", "mixed_results", "set_results"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a test was about; the first fields of its `Result`."""

    design: str = ""
    contrast: str = ""
    group: str = ""
    model: str = ""
    dataset: str = ""
    context: str = ""


def as_result(
    found: TTest | WilcoxonTest | PermutationTest | Accuracy | ChiSquare,
    asked: Asked | None = None,
    *,
    n_undefined: int = 0,
) -> Result:
    """`found` as a `Result`, with what was asked and how many items had no value."""
    if isinstance(found, TTest):
        result = _of_t(found)
    elif isinstance(found, WilcoxonTest):
        result = Result(
            test=f"Wilcoxon signed rank ({found.method})", statistic=found.w_plus, p=found.p, n=found.n, n_given=found.n_given,
            effect=found.rank_biserial, alternative=found.alternative, undefined=found.reason,
        )  # fmt: skip
    elif isinstance(found, PermutationTest):
        result = Result(
            test=f"sign flips ({found.method})", estimate=found.mean, p=found.p, n=found.n, n_given=found.n_given,
            alternative=found.alternative, undefined=found.reason,
        )  # fmt: skip
    elif isinstance(found, Accuracy):
        result = _of_share(found)
    else:
        result = Result(
            test=f"chi-square ({'Yates' if found.correction == 'yates' else 'uncorrected'})", statistic=found.statistic,
            df=found.df, p=found.p, n=found.n, undefined=found.reason, estimate=_difference(found),
        )  # fmt: skip
    notes = result.notes
    if result.n_given is not None and result.n < result.n_given and not isinstance(found, Accuracy):
        notes = (*notes, f"{result.n_given:,} items give {result.n:,} distinct observations.")
    what = asked or Asked()
    return replace(
        result, design=what.design, contrast=what.contrast, group=what.group, model=what.model, dataset=what.dataset,
        context=what.context, n_undefined=n_undefined, notes=notes, interpretable=result.undefined is None,
    )  # fmt: skip


def _of_t(found: TTest) -> Result:
    interval = (found.ci_low, found.ci_high)
    return Result(
        test="t test", estimate=found.mean, ci=None if interval[0] is None or interval[1] is None else (interval[0], interval[1]),
        statistic=found.t, df=found.df, p=found.p, n=found.n, n_given=found.n_given, sd=found.sd, effect=found.dz,
        effect_ci=None if found.t is None else dz_interval(found.t, found.n, confidence=found.confidence),
        alternative=found.alternative, confidence=found.confidence, undefined=found.reason,
    )  # fmt: skip


def _of_share(found: Accuracy) -> Result:
    notes = []
    distinct = found.n + (found.ties if found.tie_rule == "excluded" else 0)
    if found.n_given is not None and distinct < found.n_given:
        notes.append(f"{found.n_given:,} items give {distinct:,} distinct observations.")
    if found.ties:
        how = "left out" if found.tie_rule == "excluded" else "counted as misses"
        notes.append(f"{found.ties:,} {'value is' if found.ties == 1 else 'values are'} exactly 0 and {how}.")
    interval = (found.ci_low, found.ci_high)
    return Result(
        test="share", estimate=found.proportion, n=found.n, n_given=found.n_given, confidence=found.confidence,
        ci=None if interval[0] is None or interval[1] is None else (interval[0], interval[1]), undefined=found.reason,
        notes=tuple(notes),
    )  # fmt: skip


def _difference(found: ChiSquare) -> float | None:
    """Share of the second row minus share of the first."""
    (a, b), (c, d) = found.table
    return c / (c + d) - a / (a + b) if a + b and c + d else None


def mixed_results(fit: MixedFit, asked: Asked | None = None) -> tuple[Result, ...]:
    """One `Result` per fixed effect of a mixed model, its name as the contrast; one saying why where there is no fit."""
    what = asked or Asked()
    test = "mixed model" if fit.family == "gaussian" else "logistic mixed model"
    common = Result(
        test=test, design=what.design, contrast=what.contrast, group=what.group, model=what.model, dataset=what.dataset,
        context=what.context, n=fit.n, n_undefined=fit.n_undefined, confidence=fit.confidence, undefined=fit.undefined,
        notes=fit.notes, interpretable=fit.undefined is None and fit.converged,
    )  # fmt: skip
    if fit.undefined is not None:
        return (common,)
    return tuple(
        replace(
            common, contrast=own.name, estimate=own.estimate, ci=own.ci, statistic=own.statistic, df=own.df, p=own.p
        )
        for own in fit.coefficients
    )


def set_results(found: SetComparison, asked: Asked | None = None) -> tuple[Result, ...]:
    """The chi-square between two sets, and, where one lies inside the other, what it keeps against what it leaves out.

    The data set is ``first | second``, or ``inner | left out``. A test of sets that overlap, or whose items repeat the same few
    words, is shown with its reasons and supports no conclusion.
    """
    what = asked or Asked()
    sets = [(found.test, f"{found.first} | {found.second}", found.relation == "disjoint")]
    if found.remainder is not None:
        inner = found.second if found.relation == "second inside first" else found.first
        sets.append((found.remainder, f"{inner} | left out", True))
    results = []
    for test, names, separate in sets:
        own = as_result(test, replace(what, dataset=names))
        allowed = own.interpretable and separate and not found.crossed
        results.append(replace(own, notes=(*own.notes, *found.caveats), interpretable=allowed))
    return tuple(results)


def adjust(results: Iterable[Result], families: Mapping[str, str] | None = None) -> tuple[Result, ...]:
    """The same results with `p_adj`: Holm's correction within each family of tests.

    `families` maps a contrast to its family; a contrast that is not in it is a family of its own. Without it all results are one
    family. A family is taken within one test, group, model, data set and context, so that a table that shows two models corrects
    each over its own tests. A result without p, or from which nothing may be concluded, is no test and counts in no family.
    """
    given = list(results)
    together: dict[tuple[str, ...], dict[str, float]] = {}
    for position, own in enumerate(given):
        if own.p is not None and own.interpretable:
            family = "" if families is None else families.get(own.contrast, f"contrast {own.contrast}")
            key = (family, own.test, own.group, own.model, own.dataset, own.context)
            together.setdefault(key, {})[str(position)] = own.p
    adjusted = {name: p for family in together.values() for name, p in holm(family).items()}
    return tuple(replace(own, p_adj=adjusted.get(str(position))) for position, own in enumerate(given))
