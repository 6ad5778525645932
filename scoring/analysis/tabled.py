"""An analysis as rows of plain values: tests, values by item, conditions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from gapsmith.bank import NAMING
from gapsmith.scoring.analysis.results import Analysis, ContrastResult
from gapsmith.stats import Result
from gapsmith.templates import DEFAULT_MEASURE, MEASURES

_NAMELESS: Mapping[str, str | None] = dict.fromkeys(NAMING)


def results_of(analysis: Analysis, *, group: str = "") -> tuple[Result, ...]:
    """Every test of every contrast: the model of the words that repeat, the same over other words where it holds sampled ones
    fixed, the t test over items, Wilcoxon's, sign flips, the share as expected. Only the first of them is corrected for several
    tests. Then the share of items of which each criterion is true."""
    shares = (
        replace(own.share, group=group, model=analysis.scorer.model, dataset=analysis.dataset_name, context=analysis.context)
        for own in analysis.criteria
    )
    return (*(own for result in analysis.contrasts for own in _results(analysis, result, group)), *shares)


def _results(analysis: Analysis, result: ContrastResult, group: str) -> Iterator[Result]:
    about: dict[str, Any] = {
        "design": result.contrast.design,
        "contrast": result.contrast.name,
        "group": group,
        "model": analysis.scorer.model,
        "dataset": analysis.dataset_name,
        "context": analysis.context,
        "n_undefined": result.n_undefined,
        "unit": MEASURES.find(result.contrast.measure).unit,
        "restrictions": result.restrictions,
    }
    yield replace(result.main, **about, p_adj=result.p_holm, family=result.family)
    if result.words.others is not None:
        yield replace(result.words.others, **about)
    if result.words.these is not None:
        yield replace(result.ttest, **about)
    yield replace(result.wilcoxon, **about)
    yield replace(result.permutation, **about)
    yield replace(result.accuracy, **{**about, "unit": "share"})


def result_row(own: Result) -> dict[str, Any]:
    """One test, of an analysis or of a study's own making, as plain values."""
    return {
        "design": own.design,
        "contrast": own.contrast,
        "group": own.group,
        "model": own.model,
        "dataset": own.dataset,
        "context": own.context,
        "test": own.test,
        "alternative": own.alternative,
        "estimate": own.estimate,
        "ci_low": own.ci_low,
        "ci_high": own.ci_high,
        "confidence": own.confidence,
        "statistic": own.statistic,
        "df": None if own.df is None else float(own.df),
        "p": own.p,
        "p_adj": own.p_adj,
        "n": own.n,
        "n_given": own.n_given,
        "n_undefined": own.n_undefined,
        "sd": own.sd,
        "effect": own.effect,
        "effect_low": None if own.effect_ci is None else own.effect_ci[0],
        "effect_high": None if own.effect_ci is None else own.effect_ci[1],
        "interpretable": own.interpretable,
        "undefined": own.undefined,
        "unit": own.unit,
        "restriction": "; ".join(map(str, own.restrictions)),
        "scope": own.scope,
        "family": own.family,
        "assumes": "; ".join(own.assumes),
        "note": own.note,
    }


_BEFORE: Mapping[str, tuple[str, ...]] = {
    "design": ("paradigm",),
    "group": ("measure",),
    "dataset": ("revision", "revision_name"),
    "alternative": ("expected",),
    "interpretable": ("verdict",),
}
"""What an analysis has to say besides, and the column before which it stands."""


def result_rows(analysis: Analysis, *, group: str = "") -> Iterator[dict[str, Any]]:
    """`results_of` with what was expected and what the first test of each contrast says of it, by Holm's p where the options of
    the analysis ask for it, as in every table."""
    verdicts = {result.contrast.name: result for result in analysis.contrasts}
    measures = {result.contrast.name: result.contrast.measure for result in analysis.contrasts}
    measures |= {found.criterion.name: found.criterion.measure for found in analysis.criteria}
    said: set[str] = set()
    for own in results_of(analysis, group=group):
        result = verdicts.get(own.contrast)
        besides = {
            "paradigm": analysis.paradigm.name,
            "measure": analysis.measured_as(measures[own.contrast]),
            "revision": analysis.scorer.revision,
            "revision_name": analysis.revision_name,
            "expected": None if result is None else result.contrast.expected,
            "verdict": None if result is None or own.contrast in said else result.verdict.value,
        }
        row: dict[str, Any] = {}
        for name, value in result_row(own).items():
            row |= {other: besides[other] for other in _BEFORE.get(name, ())}
            row[name] = value
        yield row
        said.add(own.contrast)


def item_rows(analysis: Analysis, *, group: str = "") -> Iterator[dict[str, Any]]:
    """Each contrast's value for each analysed item, or the reason why it has none; and whether each criterion holds, with its left
    side minus its right side where it is one comparison."""
    for result in analysis.contrasts:
        sign = result.contrast.expected
        for key in dict.fromkeys((*analysis.texts, *result.values, *result.reasons)):
            value = result.values.get(key)
            if value is None and key not in result.reasons:
                continue
            yield {
                "paradigm": analysis.paradigm.name,
                "dataset": key.dataset,
                "item": key.label,
                "contrast": result.contrast.name,
                "measure": analysis.measured_as(result.contrast.measure),
                "group": group,
                "model": analysis.scorer.model,
                "revision": analysis.scorer.revision,
                "revision_name": analysis.revision_name,
                "value": value,
                "as_expected": None if value is None or not sign else value * sign > 0,
                "reason": result.reasons.get(key, ""),
                "text": analysis.texts.get(key),
                **analysis.names.get(key, _NAMELESS),
            }
    for found in analysis.criteria:
        for key in dict.fromkeys((*analysis.texts, *found.holds, *found.reasons)):
            if key not in found.holds and key not in found.reasons:
                continue
            yield {
                "paradigm": analysis.paradigm.name,
                "dataset": key.dataset,
                "item": key.label,
                "contrast": found.criterion.name,
                "measure": analysis.measured_as(found.criterion.measure),
                "group": group,
                "model": analysis.scorer.model,
                "revision": analysis.scorer.revision,
                "revision_name": analysis.revision_name,
                "value": found.difference.get(key),
                "as_expected": found.holds.get(key),
                "reason": found.reasons.get(key, ""),
                "text": analysis.texts.get(key),
                **analysis.names.get(key, _NAMELESS),
            }


def condition_rows(analysis: Analysis, *, group: str = "") -> Iterator[dict[str, Any]]:
    """Mean, SD, interval and n of the measure at each condition's critical region, over distinct observations."""
    measure = analysis.options.measure or DEFAULT_MEASURE
    for condition in analysis.conditions:
        own = condition.result
        yield {
            "paradigm": analysis.paradigm.name,
            "condition": condition.name,
            "label": condition.label,
            "group": group,
            "model": analysis.scorer.model,
            "revision": analysis.scorer.revision,
            "revision_name": analysis.revision_name,
            "dataset": analysis.dataset_name,
            "region": condition.region,
            "measure": analysis.measured_as(measure),
            "mean": own.estimate,
            "sd": own.sd,
            "ci_low": own.ci_low,
            "ci_high": own.ci_high,
            "n": own.n,
            "n_given": own.n_given,
            "n_undefined": own.n_undefined,
            "n_straddling": condition.n_straddling,
            "undefined": own.undefined,
        }
