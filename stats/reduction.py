"""Random slopes that the data do not call for are left out, one after the other, and each step is kept.

Backward from the model without correlations, by the likelihood ratio at alpha = .20, interactions of the highest order first (Matuschek,
Kliegl, Vasishth, Baayen & Bates 2017). Intercepts stay, and so does a slope while one of a higher order that contains it is there. The fixed
effects are the same throughout, so the restricted likelihoods can be compared. That a variance cannot be below 0 makes the test careful: it
keeps fewer slopes than .20 says (Stram & Lee 1994). A model that was chosen on the data that it is tested on says so.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from gapsmith.stats import distributions
from gapsmith.stats.design import Coding, DoubleBar, Frame
from gapsmith.stats.lmm import NOTHING_LEFT, Family, MixedFit, RandomTerm, ReductionStep, is_nothing
from gapsmith.stats.mixed import PreparedModel
from gapsmith.stats.model_formula import parse_formula

ALPHA = 0.20
CHOSEN = "Chosen on these data: p values do not know that random slopes were tried and left out."

_Unit = tuple[str, tuple[str, ...]]
"""A grouping factor, and the variables of a term that varies by it."""


def reduce_mixed(
    formula: str,
    frame: Frame,
    *,
    coding: Coding | Mapping[str, Coding] = "sum",
    levels: Mapping[str, Sequence[str]] | None = None,
    family: Family = "gaussian",
    reml: bool = True,
    confidence: float = 0.95,
    double_bar: DoubleBar = "contrasts",
    keep: Collection[str] = (),
) -> MixedFit:
    """`gapsmith.stats.fit_mixed` of the formula without correlations and without the random slopes that the data do not call for.

    Slopes by the grouping factors in `keep` stay. `steps` of the fit says what was tried and what came out, and `expanded` which
    model it is. Raises as `gapsmith.stats.fit_mixed` does.
    """
    parsed = parse_formula(formula)
    parsed = replace(parsed, random=tuple(replace(bars, double=True) for bars in parsed.random))
    model = PreparedModel.of(parsed, frame, coding, levels, family, double_bar)
    units: dict[_Unit, list[RandomTerm]] = {}
    for term in model.design.random:
        units.setdefault((term.group, term.of), []).append(term)
    steps: list[ReductionStep] = []

    def fitted(chosen: Mapping[_Unit, list[RandomTerm]]) -> MixedFit:
        random = [term for own in chosen.values() for term in own]
        fit = model.fit(random, formula=formula, reml=reml, confidence=confidence)
        return replace(fit, expanded=model.written(random))

    def with_residuals() -> MixedFit:
        """The fit of what is there, without the terms of the highest order while all together leave no residuals."""
        # Each group has fewer effects than there are rows, and still all of them can be as many.
        fit = fitted(units)
        while fit.undefined == NOTHING_LEFT and (most := _highest(units)):
            for unit in most:
                step = ReductionStep(_named(unit), None, _parameters(units.pop(unit)), None, kept=False)
                steps.append(replace(step, why="all terms together leave no residuals"))
            fit = fitted(units)
        return fit

    units = _estimable(units, len(model.design.rows), family, steps)
    fit = with_residuals()
    for order in range(max((len(of) for _, of in units), default=0), 0, -1):
        while fit.undefined is None:
            candidates = _candidates(units, order, keep)
            if still := [unit for unit in candidates if _still(units[unit], fit)]:
                # Without what does not vary the likelihood is the same, so nothing is to be fitted to know it.
                for unit in still:
                    steps.append(ReductionStep(_named(unit), 0.0, _parameters(units.pop(unit)), 1.0, kept=False))
                fit = with_residuals()
                continue
            tried = {unit: _without(unit, units, fit, fitted) for unit in candidates}
            # Where the fit without a term is undefined there is no p, and the term stays.
            tested = [(step.p, unit) for unit, (step, _) in tried.items() if step.p is not None]
            p, best = max(tested, key=lambda own: own[0], default=(None, None))
            if p is None or best is None or p <= ALPHA:
                steps += [replace(step, kept=True) for step, _ in tried.values()]
                break
            step, fit = tried[best]
            steps.append(step)
            del units[best]
    return replace(fit, steps=tuple(steps), notes=(*fit.notes, CHOSEN) if steps else fit.notes)


def _estimable(
    units: Mapping[_Unit, list[RandomTerm]], n: int, family: Family, steps: list[ReductionStep]
) -> dict[_Unit, list[RandomTerm]]:
    """Without the terms of the highest order of a group whose random effects would be as many as the rows."""
    found = dict(units)
    for group in dict.fromkeys(group for group, _ in units):
        while family == "gaussian":
            own = {unit: terms for unit, terms in found.items() if unit[0] == group}
            columns = sum(len(term.columns) for terms in own.values() for term in terms)
            order = max(len(of) for _, of in own)
            if order == 0 or columns * len({level for terms in own.values() for level in terms[0].levels}) < n:
                break
            for unit in [unit for unit in own if len(unit[1]) == order]:
                why = "its effects and the residuals are the same thing"
                steps.append(ReductionStep(_named(unit), None, _parameters(found.pop(unit)), None, kept=False, why=why))
    return found


def _highest(units: Collection[_Unit]) -> list[_Unit]:
    """The terms of the highest order beyond the lowest one of their group, which is its intercept, or that of its words where they are
    read."""
    least = {group: min(len(of) for other, of in units if other == group) for group, _ in units}
    beyond = {(group, of): len(of) - least[group] for group, of in units}
    most = max(beyond.values(), default=0)
    return [unit for unit, order in beyond.items() if order == most > 0]


def _candidates(units: Mapping[_Unit, list[RandomTerm]], order: int, keep: Collection[str]) -> list[_Unit]:
    """The terms of that order that may go: none contains them, and their group is not to be kept."""
    return [
        (group, of)
        for group, of in units
        if len(of) == order and group not in keep and not any(other == group and set(of) < set(larger) for other, larger in units)
    ]


def _still(terms: Sequence[RandomTerm], fit: MixedFit) -> bool:
    """Whether a term is estimated not to vary."""
    own = {(term.group, name) for term in terms for name in term.columns}
    return all(is_nothing(v.sd, fit.residual_sd) for v in fit.variances if (v.group, v.name) in own)


def _without(
    unit: _Unit,
    units: Mapping[_Unit, list[RandomTerm]],
    fit: MixedFit,
    fitted: Callable[[Mapping[_Unit, list[RandomTerm]]], MixedFit],
) -> tuple[ReductionStep, MixedFit]:
    """The likelihood ratio of leaving a term out, and the fit without it."""
    df = _parameters(units[unit])
    less = fitted({own: terms for own, terms in units.items() if own != unit})
    if less.log_likelihood is None or fit.log_likelihood is None:
        return ReductionStep(_named(unit), None, df, None, kept=True, why=f"without it {less.undefined}"), less
    chi_square = max(0.0, 2 * (fit.log_likelihood - less.log_likelihood))
    return ReductionStep(_named(unit), chi_square, df, float(distributions.chi_square.sf(chi_square, df)), kept=False), less


def _parameters(terms: Sequence[RandomTerm]) -> int:
    """Variances and correlations of a term."""
    return sum(len(term.columns) * (len(term.columns) + 1) // 2 for term in terms)


def _named(unit: _Unit) -> str:
    return f"{':'.join(unit[1])} by {unit[0]}"
