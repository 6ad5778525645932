"""From outcomes to what is shown: accuracies and changes by length and type, the mixed logistic regression, suites, effects."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean, stdev
from typing import Any, Generic, TypeVar

from gapsmith.bank import Bank
from gapsmith.scoring.context_study.outcomes import CELLS, Cell, LackingOutcome, PairOutcome, distinct_outcomes, read_outcomes
from gapsmith.scoring.context_study.plan import CONDITIONS, DrawnStudy, StudyPlan
from gapsmith.scoring.observations import NO_CONTEXT_BEFORE, Grouping, PairedSide, Pairing, restricted
from gapsmith.scoring.perturbing import Perturbation
from gapsmith.stats import MixedFit, ModelFormulaError, Restriction, Result, correlation, fit_mixed, one_sample_t

N = TypeVar("N", float, Result)
_BARE: Cell = ("", 0, 0)
_SUITES, _TYPES, _LENGTHS, _DRAWS = (Grouping((key,)) for key in CELLS.keys)
MOST_AFFECTED = 20
"""So many suites that respond most are asked what perturbations do to them."""
RELATED = tuple(own.name for own in CONDITIONS[:4])
"""The types of the regression."""
UNRELATED = CONDITIONS[4].name


@dataclass(frozen=True, slots=True)
class ContextChange(Generic[N]):
    """One length of one type of context: in a suite (numbers), or over suites (each counting once, with t intervals)."""

    suite: str
    """Empty over suites."""
    condition: str
    target: int
    """Tokens aimed at; 0 for nothing."""
    tokens: float
    """Realised, on average."""
    n: int
    """Distinct outcomes: items by predictions by shared contexts, what items share once."""
    accuracy: N
    """Over suites its interval is cut to what is possible."""
    delta: N
    """Accuracy minus that of the same items behind nothing."""
    margin: N | None


@dataclass(frozen=True, slots=True)
class AffectedSuite:
    """How far a suite moves over all lengths."""

    suite: str
    mean: float
    """Of the changes over lengths."""
    sd: float | None
    baseline: float


@dataclass(frozen=True, slots=True)
class StudyResults:
    """Everything that a study of contexts found under one model."""

    model: str
    plan: StudyPlan
    drawn: DrawnStudy
    outcomes: tuple[PairOutcome, ...]
    """Behind nothing and behind the five types."""
    lacking: tuple[LackingOutcome, ...]
    """Those that there are not."""
    suites: tuple[ContextChange[float], ...]
    baseline: Mapping[str, float]
    """Accuracy of each suite behind nothing."""
    points: tuple[ContextChange[Result], ...]
    regression: MixedFit | str
    """Accuracy by log length, match and acceptability, or why there is none."""
    unrelated: MixedFit | str
    """Accuracy by log length of unrelated contexts."""
    matrix: Mapping[tuple[str, str], ContextChange[float]]
    """By suite and the suite that contexts are of."""
    perturbed: Mapping[tuple[str, Perturbation], float]
    """Mean change over lengths and over the most affected suites, by condition and perturbation (`NONE` too)."""
    notes: tuple[str, ...] = field(default=())
    before: tuple[Restriction, ...] = ()
    """Why these are not all items that there are."""

    @property
    def longest(self) -> int:
        """The last of the lengths aimed at."""
        return self.plan.lengths[-1]

    def n_behind(self, conditions: Collection[str]) -> int:
        """Distinct outcomes behind contexts of these types."""
        names = {own.made.name for name, own in self.drawn.conditions.items() if name in conditions}
        return len(distinct_outcomes(own for own in self.outcomes if own.cell[0] in names))

    def at_longest(self, condition: str) -> dict[str, ContextChange[float]]:
        """Suite to its change at the longest contexts."""
        return {own.suite: own for own in self.suites if (own.condition, own.target) == (condition, self.longest)}


def study_results(
    bank: Bank, plan: StudyPlan, drawn: DrawnStudy, scorer_id: int, model: str, *, before: Sequence[Restriction] = ()
) -> StudyResults:
    """Read what was scored and work everything out but similarity. `before` says why the items that were drawn for are not all.
    Raises `ConfigError` as `read_outcomes` does."""
    conditions = {own.made.name: name for name, own in drawn.conditions.items()}
    outcomes, lacking = read_outcomes(
        bank, drawn.items, list(conditions), scorer_id, predictions=plan.predictions, convention=plan.convention
    )
    baseline = _by_suite([own for own in outcomes if own.cell == _BARE])
    suites = changes(outcomes, conditions)
    crossed = {own.made.name: source for source, own in drawn.crossed.items()}
    matrix = {}
    if crossed:
        read = read_outcomes(
            bank, drawn.items, list(crossed), scorer_id, predictions=plan.predictions, convention=plan.convention
        ).outcomes
        matrix = {(own.suite, own.condition): own for own in changes(read, crossed)}
    return StudyResults(
        model=model,
        plan=plan,
        drawn=drawn,
        outcomes=tuple(outcomes),
        lacking=tuple(lacking),
        suites=tuple(suites),
        baseline=baseline,
        points=tuple(_points(suites, outcomes, baseline)),
        regression=length_regression(outcomes, conditions, shared=plan.shared is not None),
        unrelated=_unrelated(outcomes, conditions, shared=plan.shared is not None),
        matrix=matrix,
        perturbed=_perturbed(bank, plan, drawn, scorer_id, suites),
        notes=(*_notes(plan, drawn), *_lacking(lacking)),
        before=tuple(before),
    )


def changes(outcomes: Iterable[PairOutcome], conditions: Mapping[str, str]) -> list[ContextChange[float]]:
    """Accuracy and change of each suite in each condition (by context set) and at each length; shared contexts together.
    The change is over the distinct outcomes that have one behind nothing too."""
    every = list(outcomes)
    nothing = _side(own for own in every if own.cell == _BARE)
    behind = [own for own in every if own.cell != _BARE]
    found = []
    for (suite, condition, target), members in CELLS.without("seed").split(behind, _typed(conditions)).items():
        met: list[PairOutcome] = []
        for same in _DRAWS.split(members, PairOutcome.place).values():
            partners = Pairing(nothing, _side(same), "item").partners
            met += [own for own in same if (own.item, own.prediction) in partners]
        paired = distinct_outcomes(met)
        if not paired:
            continue
        accuracy = fmean(own.correct for own in paired)
        before = fmean(nothing.values[own.item, own.prediction] for own in paired)
        margins = [own.margin for own in paired if own.margin is not None]
        found.append(
            ContextChange(
                suite,
                condition,
                target,
                fmean(own.tokens for own in paired),
                len(paired),
                accuracy,
                accuracy - before,
                fmean(margins) if margins else None,
            )
        )
    return found


def _side(outcomes: Iterable[PairOutcome]) -> PairedSide[tuple[int, str]]:
    """The outcomes behind one context by item and prediction."""
    own = {(one.item, one.prediction): one for one in outcomes}
    return PairedSide({key: one.correct for key, one in own.items()}, {key: one.seen for key, one in own.items()})


def _typed(conditions: Mapping[str, str]) -> Callable[[PairOutcome, str], Any]:
    """Where an outcome stands, its context being of a type."""
    return lambda own, key: conditions[own.cell[0]] if key == "context" else own.place(key)


def _by_type(own: ContextChange[float], key: str) -> Any:
    """Where a suite's change stands."""
    return {"attribute:suite": own.suite, "context": own.condition, "length": own.target}[key]


def most_affected(results: StudyResults, condition: str, *, rising: bool) -> list[AffectedSuite]:
    """The suites by their mean change over all lengths, the most changed first."""
    of_condition = [own for own in results.suites if own.condition == condition]
    found = []
    for (suite,), members in _SUITES.split(of_condition, _by_type).items():
        deltas = [own.delta for own in members]
        sd = stdev(deltas) if len(deltas) > 1 else None
        found.append(AffectedSuite(suite, fmean(deltas), sd, results.baseline[suite]))
    return sorted(found, key=lambda own: -own.mean if rising else own.mean)


def _by_suite(outcomes: Iterable[PairOutcome]) -> dict[str, float]:
    suites = _SUITES.split(distinct_outcomes(outcomes), PairOutcome.place)
    return {suite: fmean(own.correct for own in members) for (suite,), members in suites.items()}


def _points(
    suites: Sequence[ContextChange[float]], outcomes: Sequence[PairOutcome], baseline: Mapping[str, float]
) -> Iterable[ContextChange[Result]]:
    bare = distinct_outcomes(own for own in outcomes if own.cell == _BARE)
    margins = _SUITES.split((own for own in bare if own.margin is not None), PairOutcome.place).values()
    of_bare = _mean([fmean(own.margin for own in members if own.margin is not None) for members in margins]) if margins else None
    accuracy = list(baseline.values())
    yield ContextChange("", "", 0, 0.0, len(bare), mean_accuracy(accuracy), mean_change([0.0] * len(accuracy), accuracy), of_bare)
    for condition in (own.name for own in CONDITIONS):
        lengths = _LENGTHS.split((own for own in suites if own.condition == condition), _by_type)
        # A short length may come up first in a later one of the shared contexts, where an earlier one is empty.
        for (target,), members in sorted(lengths.items()):
            margin = [own.margin for own in members if own.margin is not None]
            yield ContextChange(
                "",
                condition,
                target,
                fmean(own.tokens for own in members),
                sum(own.n for own in members),
                mean_accuracy([own.accuracy for own in members]),
                mean_change([own.delta for own in members], [own.accuracy - own.delta for own in members]),
                _mean(margin) if margin else None,
            )


def _mean(values: Sequence[float]) -> Result:
    """Their mean with a t interval, and no test. Suites are different observations even where their numbers agree."""
    mean = one_sample_t(values)
    return replace(mean, test="mean", scope="over suites", statistic=None, p=None, effect=None)


def mean_accuracy(values: Sequence[float]) -> Result:
    """The mean of shares with a t interval cut to what is possible: over few suites its ends lie far below 0 and above 1."""
    return _within(_mean(values), 0.0, 1.0)


def mean_change(values: Sequence[float], before: Sequence[float]) -> Result:
    """The mean of changes of shares that were `before`, its interval cut to what is possible: no share falls below 0 or rises above 1."""
    at = fmean(before) if before else 0.0
    return _within(_mean(values), -at, 1.0 - at)


def _within(mean: Result, least: float, most: float) -> Result:
    return mean if mean.ci is None else replace(mean, ci=(max(least, mean.ci[0]), min(most, mean.ci[1])))


def length_regression(outcomes: Sequence[PairOutcome], conditions: Mapping[str, str], *, shared: bool = False) -> MixedFit | str:
    """The paper's model: right or wrong by log length, match and acceptability with all interactions, sum-coded, with an
    intercept by suite; where contexts are shared, by context too. Rows are counts: outcomes with the same predictors say the
    same as counts."""
    frame = _frame(outcomes, {name: own for name, own in conditions.items() if own in RELATED}, shared=shared)
    if set(zip(frame["match"], frame["acceptability"], strict=True)) != {tuple(own.split()) for own in RELATED}:
        return "not all of the four related types were drawn"
    return _fit("cbind(right, wrong) ~ log_length * match * acceptability", frame, shared=shared)


def _unrelated(outcomes: Sequence[PairOutcome], conditions: Mapping[str, str], *, shared: bool) -> MixedFit | str:
    frame = _frame(outcomes, {name: own for name, own in conditions.items() if own not in RELATED}, shared=shared)
    if not frame["right"]:
        return "no unrelated contexts were drawn"
    return _fit("cbind(right, wrong) ~ log_length", frame, shared=shared)


def _fit(formula: str, frame: Mapping[str, list[object]], *, shared: bool) -> MixedFit | str:
    if len(set(frame["suite"])) < 2:
        return "there is one suite only, so there is no variance between suites"
    whole = f"{formula} + (1 | suite){' + (1 | context)' if shared else ''}"
    levels = {"match": ("matched", "mismatched"), "acceptability": ("acceptable", "unacceptable")}
    try:
        fit = fit_mixed(whole, frame, levels={k: v for k, v in levels.items() if k in frame}, family="binomial")
    except (ModelFormulaError, ValueError) as error:
        return str(error)
    return fit if fit.undefined is None else fit.undefined


def _frame(outcomes: Sequence[PairOutcome], conditions: Mapping[str, str], *, shared: bool) -> dict[str, list[object]]:
    def place(own: PairOutcome, key: str) -> Any:
        if key == "length":
            return own.tokens
        return (own.cell[2] if shared else 0) if key == "seed" else _typed(conditions)(own, key)

    of_types = [own for own in distinct_outcomes(outcomes) if own.cell[0] in conditions]
    frame: dict[str, list[object]] = {
        name: [] for name in ("suite", "match", "acceptability", "log_length", "context", "right", "wrong")
    }
    for (suite, condition, tokens, draw), members in CELLS.split(of_types, place).items():
        match, _, acceptability = condition.partition(" ")
        right = sum(own.correct for own in members)
        drawn = f"{suite} {condition} {draw}" if shared else ""
        row = (suite, match, acceptability, math.log(tokens), drawn, right, len(members) - right)
        for name, value in zip(frame, row, strict=True):
            frame[name].append(value)
    return frame


def _perturbed(
    bank: Bank, plan: StudyPlan, drawn: DrawnStudy, scorer_id: int, suites: Sequence[ContextChange[float]]
) -> dict[tuple[str, Perturbation], float]:
    """Each perturbation, and none, over the same items of the most affected suites, as far as these have contexts."""
    found: dict[tuple[str, Perturbation], float] = {}
    for condition in dict.fromkeys(name for name, _ in drawn.perturbed):
        change = _SUITES.split((own for own in suites if own.condition == condition), _by_type)
        moved = {suite: fmean(abs(own.delta) for own in members) for (suite,), members in change.items()}
        wanted = sorted(moved, key=lambda suite: -moved[suite])[:MOST_AFFECTED]
        sets = {drawn.perturbed[condition, how].made.name: how for name, how in drawn.perturbed if name == condition}
        sets[drawn.conditions[condition].made.name] = Perturbation.NONE
        some = next(own.made for (name, _), own in drawn.perturbed.items() if name == condition)
        ids = {item for item, _ in bank.contexts.assigned(some.id)}
        items = {item: suite for item, suite in drawn.items.items() if item in ids and suite in wanted}
        read = read_outcomes(
            bank, items, list(sets), scorer_id, predictions=plan.predictions, convention=plan.convention
        ).outcomes
        by_how = _TYPES.split(changes(read, {name: how.value for name, how in sets.items()}), _by_type)
        found |= {(condition, Perturbation(how)): fmean(own.delta for own in members) for (how,), members in by_how.items()}
    return found


def _notes(plan: StudyPlan, drawn: DrawnStudy) -> Iterable[str]:
    yield from drawn.problems
    yield from drawn.without_context
    for name, own in drawn.conditions.items():
        for message in own.notes:
            yield f"{name}: {message}"
    yield (
        "The regression is the paper's: it takes the lengths of one context, and the items of one context, for independent, "
        "which they are not, so its p are too small."
    )
    if len(drawn.suites) < 10:
        yield f"{len(drawn.suites)} suites are few for an interval over suites or an intercept by suite."
    if plan.shared is not None:
        yield f"{plan.shared} contexts are shared by all items of a suite; the regression has an intercept for each of them."


def _lacking(lacking: Iterable[LackingOutcome]) -> Iterable[str]:
    counts = Counter((own.prediction, own.reason) for own in lacking)
    for (prediction, why), n in sorted(counts.items()):
        yield f"{prediction}: {n:,} outcomes, behind nothing and behind contexts, have no value and are left out ({why})."


def _titled(own: Result, name: str, title: str, **other: Any) -> Result:
    return replace(own, **{"contrast": name, "details": {**own.details, "title": title}, **other})


def _nothing(name: str, title: str, test: str, why: str) -> Result:
    return Result(
        test=test, contrast=name, n=0, unit="log-odds", undefined=why, interpretable=False, details={"title": title, "shown": "p"}
    )


def effects_of(results: StudyResults, similarity: Sequence[Result] = ()) -> tuple[Result, ...]:
    """The table of effects: changes at the longest contexts, p of the regression's terms, correlations over suites; then those of
    similarity. The contrast of each is the name that studies' files call it by; details: ``title``, the effect in words; ``shown``,
    where p and not the estimate is what it is about."""
    found = []
    for name, what, members in (
        ("acceptable", "acceptable, matched and mismatched", RELATED[::2]),
        ("matched acceptable", "acceptable, matched", RELATED[:1]),
        ("mismatched acceptable", "acceptable, mismatched", RELATED[2:3]),
        ("unacceptable", "unacceptable, matched and mismatched", RELATED[1::2]),
        ("matched unacceptable", "unacceptable, matched", RELATED[1:2]),
        ("mismatched unacceptable", "unacceptable, mismatched", RELATED[3:]),
        ("unrelated", "unrelated", (UNRELATED,)),
    ):
        at_longest = [own for condition in members for own in results.at_longest(condition).values()]
        suites = {suite: own for (suite,), own in _SUITES.split(at_longest, _by_type).items() if len(own) == len(members)}
        before = [fmean(one.accuracy - one.delta for one in own) for own in suites.values()]
        mean = mean_change([fmean(one.delta for one in own) for own in suites.values()], before)
        drawn = all(name in results.drawn.conditions for name in members)
        about = {} if suites else {"undefined": "no suite has such contexts" if drawn else "not drawn"}
        title = f"change behind {what} (points)"
        over = _over(results, members, suites=suites, longest=True) if suites else {}
        found.append(_titled(mean, f"delta {name}", title, test="t test over suites", unit="share", **over, **about))
    logistic = "mixed logistic regression"
    for name, what, fit, behind, terms in (
        ("p length unrelated", "length of unrelated contexts, p", results.unrelated, (UNRELATED,), {"log_length"}),
        ("p length acceptability", "length by acceptability, p", results.regression, RELATED, {"log_length", "acceptability"}),
        (
            "p three-way",
            "length by match by acceptability, p",
            results.regression,
            RELATED,
            {"log_length", "match", "acceptability"},
        ),
    ):
        if isinstance(fit, str):
            found.append(_nothing(name, what, logistic, fit))
            continue
        named = {frozenset(part.split("[")[0] for part in own.name.split(":")): own for own in fit.coefficients}
        term = named.get(frozenset(terms))
        if term is None:
            # A term that says the same as others, such as the length where all are equally long, is not in the fit.
            found.append(_nothing(name, what, logistic, "these contexts do not differ in what the term is of"))
            continue
        own = Result(
            test=logistic,
            estimate=term.estimate,
            ci=term.ci,
            statistic=term.statistic,
            p=term.p,
            n=results.n_behind(behind),
            unit="log-odds",
            assumes=("lengths of one context are independent", "items behind one context are independent"),
            details={"shown": "p"},
            **_over(results, behind, longest=False),
        )
        found.append(_titled(own, name, what))
    for condition, what in ((RELATED[0], "acceptable"), (RELATED[1], "unacceptable")):
        there = results.at_longest(condition)
        r = correlation([results.baseline[suite] for suite in there], [own.accuracy for own in there.values()])
        title = f"accuracy behind nothing and behind the longest {what} matched, r"
        over = _over(results, (condition,), suites=there, longest=True) if there else {}
        found.append(correlated(f"r baseline {what}", title, replace(r, **over)))
    return tuple(replace(own, model=results.model) for own in (*found, *similarity))


def correlated(name: str, title: str, r: Result) -> Result:
    """A correlation under the name that studies' files call it by."""
    return _titled(r, name, title, unit="r")


def _over(
    results: StudyResults, conditions: Collection[str], *, suites: Collection[str] | None = None, longest: bool
) -> dict[str, Any]:
    """How many items of the study an effect of these types of contexts is over, and why the others are left out: the fields
    `n_given`, `n_undefined` and `restrictions`. With `suites`, of these alone, and compared with nothing behind."""
    names = {own.made.name for name, own in results.drawn.conditions.items() if name in conditions}

    def meant(cell: Cell) -> bool:
        return cell[0] in names and (not longest or cell[1] == results.longest)

    bare = {(own.item, own.prediction) for own in results.outcomes if own.cell == _BARE}
    used = {
        own.item
        for own in results.outcomes
        if meant(own.cell) and (suites is None or (own.suite in suites and (own.item, own.prediction) in bare))
    }
    reasons = {own.item: own.reason for own in reversed(results.lacking) if meant(own.cell) or own.cell == _BARE}
    lacking = Counter(reasons.get(item, NO_CONTEXT_BEFORE) for item in results.drawn.items if item not in used)
    undefined = lacking.total() - lacking[NO_CONTEXT_BEFORE]
    restrictions = (*results.before, *restricted(len(results.drawn.items), lacking))
    return {"n_given": len(used), "n_undefined": undefined, "restrictions": restrictions}
