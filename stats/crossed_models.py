"""Several models over the same items: their mean, how kinds of models differ, and whether that holds for other models of the kind.
The only place that decides whether models are a sample.

A model's value for an item is what the item does, what the model does, and what is left, each a sample: items and models cross. With m
models of n items each, a weighted sum of the models' means varies by what it varies over items with these models, plus what models of
one kind differ by, less what both of these have in them (the variances of a two-way layout without replication; Satterthwaite 1946;
Clark 1973 for the same sum of words and people). How it varies over items is asked of a test of items, which may hold words for a
sample; so whatever words do is in it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gapsmith.stats import distributions
from gapsmith.stats.checks import beyond_computing, check_alternative
from gapsmith.stats.results import Result
from gapsmith.stats.ttest import t_p_value

SAMPLE_FROM = 6
"""Fewer models of a kind say too little of how models vary: they are fixed, and named. Of several kinds as many degrees of freedom."""
ITEMS_FROM = 3
"""Two items do not tell how items vary, and beside models that are a sample such a test rejects .10 of the sets for .05 (simulated)."""
_RANK = 1e-9

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ModelVariances:
    """What models of one kind do, from the values of models (rows) by items (columns)."""

    between: float
    """The mean square of the models' means over items around the mean of their kind."""
    df_between: int
    left: float
    """The mean square of what neither items nor models do."""
    df_left: int
    n_items: int

    @property
    def of_models(self) -> float:
        """The variance of what a model does; 0 where its mean square is no larger than what items leave to chance."""
        return max(0.0, self.between - self.left / self.n_items)


def model_variances(values: Values, kinds: Sequence[Any]) -> ModelVariances | None:
    """Within kinds of models, pooled over kinds; `kinds` has one for each row. None where no kind has two models, or there are not two
    items."""
    n_items = values.shape[1]
    between, left, df = 0.0, 0.0, 0
    for kind in dict.fromkeys(kinds):
        own = values[[place for place, other in enumerate(kinds) if other == kind]]
        means = own.mean(axis=1, keepdims=True)
        between += float(((means - means.mean()) ** 2).sum())
        left += float(((own - means - own.mean(axis=0, keepdims=True) + means.mean()) ** 2).sum())
        df += len(own) - 1
    if df == 0 or n_items < 2:
        return None
    df_left = df * (n_items - 1)
    return ModelVariances(between / df, df, left / df_left, df_left, n_items)


def over_models(
    values: Values,
    models: Sequence[str],
    test: Callable[[Values, bool], Result],
    *,
    levels: Sequence[Mapping[str, str]] = (),
    noun: str = "model",
) -> tuple[Result, ...]:
    """The mean over models, and the differences between levels of what they differ in.

    `values` has a row for each of the `models`, and a column for each observation, which all of them have. `test` tests the mean of one
    number for each observation, told whether it is the models' mean or a difference, and is the rule that says what words are; of it come
    estimate, se, df, alternative and confidence. `levels`
    says of each model what it is, such as its family and size: models with the same levels are seeds, as it were, of one kind. The first
    result is the mean, each kind counting alike; then, for each name of `levels`, each level less the first one, the others held equal
    (sum coded, without interactions).

    Models are a sample, as the items are, where each kind has so many that `SAMPLE_FROM` - 1 degrees of freedom are left between them;
    else they are fixed, and the scope says for which models the result is. The details have ``models``; ``sd_models``, of what models of
    one kind do; ``df_models``; ``level`` and ``against`` of a difference. Raises ValueError for values and names of other lengths.
    """
    m = len(models)
    levels = list(levels) or [{} for _ in models]
    if values.ndim != 2 or values.shape[0] != m or len(levels) != m:
        raise ValueError(f"{values.shape} values, {m} models and {len(levels)} of their levels are not of one length")
    kinds = [tuple(sorted(own.items())) for own in levels]
    sums = _sums(kinds, levels)
    variances = model_variances(values, kinds) if beyond_computing(values.ravel()) is None else None
    return tuple(_weighed(values, own, test, variances, tuple(models), noun) for own in sums)


@dataclass(frozen=True, slots=True)
class _Sum:
    """A weighted sum of models' means."""

    name: str
    weights: Values | None
    """None where the levels do not come apart."""
    detail: Mapping[str, str]
    adds: bool = False
    """Whether several factors are taken to add up."""
    why: str = ""


def _sums(kinds: Sequence[Any], levels: Sequence[Mapping[str, str]]) -> list[_Sum]:
    """The mean and the differences; each kind counts alike, whatever the number of its models."""
    distinct = list(dict.fromkeys(kinds))
    counts = np.array([kinds.count(kind) for kind in distinct])
    names = list(dict.fromkeys(name for own in levels for name in own))
    of_kind = [dict(kind) for kind in distinct]
    columns, at = [np.ones((len(distinct), 1))], {}
    for name in names:
        having = list(dict.fromkeys(own.get(name, "") for own in of_kind))
        if len(having) < 2:
            continue
        coded = np.eye(len(having))[[having.index(own.get(name, "")) for own in of_kind]]
        at[name] = (sum(column.shape[1] for column in columns), having)
        columns.append(coded[:, :-1] - coded[:, -1:])
    matrix = np.hstack(columns)
    place = [distinct.index(kind) for kind in kinds]

    def spread(of_kinds: Values) -> Values:
        """Weights of kinds as weights of models."""
        found: Values = (of_kinds / counts)[place]
        return found

    found = [_Sum("mean", spread(np.full(len(distinct), 1 / len(distinct))), {})]
    whole = np.linalg.matrix_rank(matrix, tol=_RANK * len(distinct)) == matrix.shape[1]
    solving = np.linalg.pinv(matrix)
    for name, (start, having) in at.items():
        k = len(having)
        # The last level is minus the sum of the others.
        rows = np.vstack([solving[start : start + k - 1], -solving[start : start + k - 1].sum(axis=0)])
        for number in range(1, k):
            detail = {"factor": name, "level": having[number], "against": having[0]}
            called = f"{name}: {having[number]} - {having[0]}"
            if whole:
                found.append(_Sum(called, spread(rows[number] - rows[0]), detail, adds=len(at) > 1))
            else:
                why = f"{', '.join(at)} go together in these models, so that what each does cannot be told from the others"
                found.append(_Sum(called, None, detail, why=why))
    return found


def _weighed(
    values: Values,
    own: _Sum,
    test: Callable[[Values, bool], Result],
    variances: ModelVariances | None,
    models: tuple[str, ...],
    noun: str,
) -> Result:
    sample = variances is not None and variances.df_between >= SAMPLE_FROM - 1
    named = f"mean over {noun}s" if not own.detail else f"difference between {noun}s"
    kind = f"{named}, {noun}s a sample" if sample else f"{named}, these {noun}s"
    details = {
        "models": models,
        "what": own.name,
        **own.detail,
        "sd_models": None if variances is None else math.sqrt(variances.of_models),
        "df_models": None if variances is None else variances.df_between,
    }
    if own.weights is None:
        return Result(test=kind, n=values.shape[1], details=details, undefined=own.why, interpretable=False)
    items = test(own.weights @ values, not own.detail)
    scope = ", ".join(filter(None, (named_models(models, noun, sample=sample), items.scope)))
    found = replace(items, test=kind, scope=scope, details={**details, "items": items.test}, effect=None, effect_ci=None)
    if own.adds:
        found = replace(found, assumes=(*found.assumes, "what models differ in adds up, without interactions"))
    if not sample:
        return found
    if items.se is None or items.df is None or items.estimate is None or not items.interpretable:
        return replace(found, interpretable=False)
    if values.shape[1] < ITEMS_FROM:
        said = f"No verdict over other items: {values.shape[1]} do not tell how items vary; it takes {ITEMS_FROM}."
        found = replace(found, notes=(*found.notes, said), interpretable=False)
    assert variances is not None
    share = float(own.weights @ own.weights)
    se, df = combined(
        (items.se**2, items.df),
        (variances.between * share, variances.df_between),
        (variances.left * share / variances.n_items, variances.df_left),
    )
    half = float(distributions.t.ppf((1 + items.confidence) / 2, df)) * se
    return replace(
        found,
        sd=None,
        ci=(items.estimate - half, items.estimate + half),
        statistic=items.estimate / se,
        df=df,
        p=t_p_value(items.estimate / se, df, check_alternative(items.alternative)),
        standard_error=se,
        assumes=(*found.assumes, f"{noun}s are a sample of their kind, and vary alike in each; what they do is about normal"),
    )


def combined(items: tuple[float, float], models: tuple[float, float], both: tuple[float, float]) -> tuple[float, float]:
    """The standard error and Satterthwaite's degrees of freedom of a sum that varies over items and over models.

    Each argument is a part of its variance and the degrees of freedom of that part: over items, over models, and what both of these hold.
    A part that is no larger than the last is nothing of its own.
    """
    (a, df_a), (b, df_b), (c, df_c) = items, models, both
    if a <= c:
        return math.sqrt(max(b, c)), df_b if b > c else df_c
    if b <= c:
        return math.sqrt(a), df_a
    total = a + b - c
    df = total**2 / (a**2 / df_a + b**2 / df_b + c**2 / df_c)
    return math.sqrt(total), df


def named_models(models: Sequence[str], noun: str, *, sample: bool) -> str:
    """For which models a result is: others of their kind where they are a sample, else these, by name."""
    return f"over other {noun}s of the kind" if sample else f"for these {len(models)} {noun}s ({_some(models)})"


def _some(names: Sequence[str], most: int = 6) -> str:
    return ", ".join(names[:most]) + (", …" if len(names) > most else "")
