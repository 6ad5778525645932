"""Shares of items over several models: a logistic model with items, models and words crossed.

log(share / (1 - share)) = kinds of models + words held fixed + item + model + other words, each of the last three a sample where the
rules of `gapsmith.stats.crossed_models` and `gapsmith.stats.word_model` take it for one; fitted by Laplace's approximation (Baayen,
Davidson & Bates 2008; Jaeger 2008), as lme4's `glmer` does. Such a fit has no degrees of freedom of its own: intervals and p are t with
those of the sample that has the fewest, models or words or items, which is wider than z (Li & Redden 2015, for few groups).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gapsmith.stats import distributions
from gapsmith.stats.crossed_models import ITEMS_FROM, SAMPLE_FROM, named_models
from gapsmith.stats.lmm import MixedFit, RandomTerm, fit_columns
from gapsmith.stats.results import Result
from gapsmith.stats.ttest import t_p_value
from gapsmith.stats.word_model import WordColumns, unnamed, word_columns

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Shares:
    """What several models do with the same items, right or wrong."""

    truths: NDArray[np.bool_]
    """A row for each model, a column for each item."""
    models: tuple[str, ...]
    rows: tuple[Mapping[str, str], ...]
    """The words of each item; empty where they are not known."""
    observations: tuple[Hashable, ...]
    """Of each item; items with the same are one observation."""
    levels: tuple[Mapping[str, str], ...]
    """Of each model what it is, such as its family and size; nothing where they are seeds of one kind."""
    closed: Collection[str] = ()
    parts: Mapping[str, Collection[str]] = field(default_factory=dict)
    """The slots that the texts of a slot are built of."""
    noun: str = "model"
    confidence: float = 0.95
    named: bool = True
    """Whether the scope names words."""


def shares_over_models(given: Shares) -> tuple[Result, ...]:
    """The share over models, for a typical item and model, and the differences between levels of what models differ in.

    The first result is a share, each kind of model and each fixed word counting alike in log-odds, with its interval and no p, since
    chance is not one number for all criteria; then, for each name of `levels`, each level less the first one, in log-odds, the others
    held equal. Models are a sample where `SAMPLE_FROM` - 1 degrees of freedom are left between those of a kind, else fixed and named.
    Details: ``models``, ``what``, ``factor``, ``level``, ``against`` as in `gapsmith.stats.over_models`; ``observed``, the plain mean over
    models of the shares of items; ``log_odds``; ``sd_models`` in log-odds, None where models are fixed; ``df_models``. Raises ValueError
    for parts that are not of one length.
    """
    m, n = given.truths.shape
    if len(given.models) != m or len(given.levels) != m or len(given.observations) != n or (given.rows and len(given.rows) != n):
        raise ValueError(f"{given.truths.shape} values, {len(given.models)} models, {len(given.observations)} observations")
    words = word_columns(given.rows or [{} for _ in range(n)], given.closed, given.observations, given.parts)
    truths = given.truths[:, list(words.positions)].astype(np.float64)
    kinds = [tuple(sorted(own.items())) for own in given.levels]
    df_models = m - len(set(kinds))
    sample = df_models >= SAMPLE_FROM - 1
    between, asked = _of_kinds(given.levels)
    fixed = between if sample else np.hstack([between, _within(kinds)])
    common = {
        "n": truths.shape[1],
        "n_given": n,
        "confidence": given.confidence,
        "notes": tuple(filter(None, (words.why,))),
        "interpretable": words.kind != "described",
    }
    observed = float(np.mean([truths[[own == kind for own in kinds]].mean() for kind in dict.fromkeys(kinds)])) if n else None
    about = {"models": given.models, "observed": observed, "df_models": df_models}
    named = f"{given.noun}s a sample" if sample else f"these {given.noun}s"
    scope = ", ".join(filter(None, (named_models(given.models, given.noun, sample=sample), _scope(given, words))))
    blank = [
        Result(
            test=f"share over {given.noun}s, {named}" if not own else f"difference of shares between {given.noun}s, {named}",
            scope=scope,
            details={**about, **own, "what": f"{own['factor']}: {own['level']} - {own['against']}" if own else "mean"},
            unit="log-odds" if own else "share",
            **common,
        )
        for own in ({}, *asked)
    ]
    if np.linalg.matrix_rank(fixed) < fixed.shape[1]:
        factors = ", ".join(dict.fromkeys(own["factor"] for own in asked))
        why = f"{factors} go together in these models, so that what each does cannot be told from the others"
        return tuple(replace(own, undefined=why, interpretable=False) for own in blank)
    fit, dfs = _fitted(truths, fixed, words, models=sample, df_models=df_models, confidence=given.confidence)
    undefined = fit.undefined
    if truths.size and np.all(truths == truths.flat[0]):
        undefined = (
            f"every item is {'right' if truths.flat[0] else 'wrong'} for every {given.noun}, so nothing varies to estimate from"
        )
    elif any("log-odds have no end" in said for said in fit.notes):
        undefined = f"with a {given.noun} or a word that is held fixed every item is right, or every item wrong, so its log-odds have no end"
    if undefined is not None:
        return tuple(replace(own, undefined=undefined, interpretable=False) for own in blank)
    df = float(min(dfs.values()))
    fewest = min(dfs, key=lambda name: dfs[name])
    assumed = (
        *(("words of random slots are a sample of those that could stand there",) if words.random else ()),
        *((f"{given.noun}s are a sample of their kind, and vary alike in each",) if sample else ()),
        *(
            ("what models differ in adds up in log-odds, without interactions",)
            if len({own["factor"] for own in asked}) > 1
            else ()
        ),
        f"log-odds vary about normally; t with {df:g} degree{'' if df == 1 else 's'} of freedom, of {fewest}, the sample with the fewest",
    )
    zero = [own.group for own in fit.variances if own.sd <= _NOTHING]
    said = (f"Estimated as not varying: {', '.join(zero)}.",) if zero else ()
    spread = {own.group: own.sd for own in fit.variances}
    found = []
    for number, own in enumerate(blank):
        at = fit.coefficients[number]
        half = float(distributions.t.ppf((1 + given.confidence) / 2, df)) * at.se
        ends = (at.estimate - half, at.estimate + half)
        details = {**own.details, "log_odds": at.estimate, "sd_models": spread.get(_MODELS), "sds": spread}
        about_it: dict[str, Any] = {"details": details, "df": df, "assumes": assumed, "notes": (*own.notes, *said)}
        if number == 0:
            about_it |= {"estimate": _share(at.estimate), "ci": (_share(ends[0]), _share(ends[1]))}
            about_it["details"] = {**details, "se_log_odds": at.se}
        else:
            statistic = at.estimate / at.se
            about_it |= {"estimate": at.estimate, "ci": ends, "standard_error": at.se, "statistic": statistic}
            about_it["p"] = t_p_value(statistic, df, "two-sided")
        found.append(replace(own, **about_it))
    return tuple(found)


_MODELS = "models"
_NOTHING = 1e-4
"""A standard deviation in log-odds below this is none."""


def _scope(given: Shares, words: WordColumns) -> str:
    if not given.rows:
        return "over items; which words they have is not known"
    if words.kind == "described":
        return "these words taken as given"
    return words.scope if given.named else unnamed(words.scope, words.uses)


def _of_kinds(levels: Sequence[Mapping[str, str]]) -> tuple[Values, list[dict[str, str]]]:
    """Ones, then a column for each level of each factor but the first: 1 for models of that level, less its share of the levels, so that
    the first coefficient is the mean in which all levels count alike and the others are differences from the first level."""
    columns, asked = [np.ones(len(levels))], []
    for name in dict.fromkeys(name for own in levels for name in own):
        having = list(dict.fromkeys(own.get(name, "") for own in levels))
        for level in having[1:]:
            columns.append(np.array([float(own.get(name, "") == level) for own in levels]) - 1 / len(having))
            asked.append({"factor": name, "level": level, "against": having[0]})
    return np.column_stack(columns), asked


def _within(kinds: Sequence[Hashable]) -> Values:
    """Models of one kind as sum-coded columns, which leave the mean of their kind as it is."""
    columns = []
    for kind in dict.fromkeys(kinds):
        *own, last = [place for place, other in enumerate(kinds) if other == kind]
        for place in own:
            column = np.zeros(len(kinds))
            column[place], column[last] = 1.0, -1.0
            columns.append(column)
    return np.column_stack(columns) if columns else np.zeros((len(kinds), 0))


def _fitted(
    truths: Values, fixed: Values, words: WordColumns, *, models: bool, df_models: int, confidence: float
) -> tuple[MixedFit, dict[str, int]]:
    """The fit over all models and items, and the degrees of freedom of each sample in it."""
    m, n = truths.shape
    matrix = np.hstack([np.repeat(fixed, n, axis=0), np.tile(words.fixed[:, 1:], (m, 1))])
    ones = np.ones((m * n, 1))
    random = [RandomTerm("items", tuple(np.tile(np.arange(n), m).tolist()), ("",), ones)]
    dfs = {"items": n - words.fixed.shape[1]}
    if models:
        random.append(RandomTerm(_MODELS, tuple(np.repeat(np.arange(m), n).tolist()), ("",), ones))
        dfs[_MODELS] = df_models
    for name, codes in words.random:
        own = np.tile(codes, m)
        # Called by more than its name, which may be that of another part.
        called = f"words of {name}"
        random.append(RandomTerm(called, tuple(own.tolist()), ("",), (own >= 0).astype(np.float64)[:, None]))
        dfs[called] = int(codes.max())
    names = [str(number) for number in range(matrix.shape[1])]
    if n < ITEMS_FROM or min(dfs.values()) < 1:
        return MixedFit(
            "",
            "binomial",
            False,
            (),
            (),
            (),
            None,
            None,
            m * n,
            0,
            False,
            confidence,
            (),
            f"{n} item{'s' if n > 1 else ''} and their words are too few",
        ), dfs
    try:
        return fit_columns(truths.ravel(), matrix, names, random, family="binomial", confidence=confidence), dfs
    except ValueError as error:
        return MixedFit("", "binomial", False, (), (), (), None, None, m * n, 0, False, confidence, (), str(error)), dfs


def _share(log_odds: float) -> float:
    return 1 / (1 + math.exp(-log_odds)) if log_odds > -700 else 0.0
