"""An analysis as plain values that JSON can hold: enums as text, mappings as objects, missing values as null."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from typing import Any

from gapsmith.scoring.analysis.comparing import RunComparison
from gapsmith.scoring.analysis.results import Analysis, CriterionResult
from gapsmith.scoring.analysis.robust import Sensitivity
from gapsmith.templates import Place, weighted_sum

_LARGE = {"conditions": ("values",), "contrasts": ("values", "reasons", "evidence", "word_rows")}
"""What has an entry for each item, and is said in another form or not at all."""


def analysis_json(analysis: Analysis) -> dict[str, Any]:
    """Everything in the analysis that its reader may know but the paradigm's own text, which its name, version and digest identify."""
    analysis = analysis.for_reader()
    paradigm = analysis.paradigm
    identity = {"name": paradigm.name, "title": paradigm.title, "version": paradigm.version, "digest": paradigm.digest}
    rest = {
        f.name: plain_data(getattr(analysis, f.name), _LARGE.get(f.name, ()))
        for f in fields(analysis)
        if f.name not in ("paradigm", "example", "texts", "names", "criteria")
    }
    for entry in rest["conditions"]:
        del entry["values"]
    for run, _ in rest["account"]["runs"]:
        # A prompt may tell what others said of items; `gapsmith runs show` asks who reads it.
        del run["prompt_text"], run["uid"]
    rest["criteria"] = [_criterion(result) for result in analysis.criteria]
    for result, entry in zip(analysis.contrasts, rest["contrasts"], strict=True):
        del entry["evidence"], entry["word_rows"]
        entry["reasons"] = [{"dataset": k.dataset, "item": k.label, "reason": why} for k, why in result.reasons.items()]
        entry["contrast"]["formula"] = weighted_sum(result.contrast.terms)
        entry["values"] = [{"dataset": key.dataset, "item": key.label, "bits": value} for key, value in result.values.items()]
        entry["p"] = result.p
        entry["mark"] = result.mark
        entry["confounded"] = result.confounded
    rest["texts"] = [
        {"dataset": k.dataset, "item": k.label, "text": text, **analysis.names.get(k, {})} for k, text in analysis.texts.items()
    ]
    if analysis.by_total_only:
        for entry in rest["criteria"]:
            entry["values"] = []
            if entry["syntaxgym"] is not None:
                entry["syntaxgym"] |= {"differing": [], "lacking": []}
    return {"paradigm": identity, **rest}


def _criterion(result: CriterionResult) -> dict[str, Any]:
    criterion, other = result.criterion, result.syntaxgym
    return {
        "name": criterion.name,
        "title": criterion.title,
        "formula": str(criterion.formula),
        "design": criterion.design,
        "measure": criterion.measure,
        "where": dict(criterion.where),
        "share": plain_data(result.share),
        "n_items": result.n_items,
        "mark": result.mark,
        "n_holds": result.n_holds,
        "undefined": plain_data(result.undefined),
        "n_straddling": result.n_straddling,
        "syntaxgym": None
        if other is None
        else {
            "n": other.n,
            "n_holds": other.n_holds,
            "differing": [{"dataset": key.dataset, "item": key.label} for key in other.differing],
            "lacking": [{"dataset": k.dataset, "item": k.label, "reason": why} for k, why in other.lacking.items()],
        },
        "values": [{"dataset": key.dataset, "item": key.label, "holds": truth} for key, truth in result.holds.items()],
    }


def comparison_json(comparison: RunComparison) -> dict[str, Any]:
    """Every run with its whole analysis, and the differences between them."""
    return {
        "paradigm": comparison.paradigm.name,
        "varying": list(comparison.varying),
        "runs": [
            {
                "model": run.model,
                "revision": run.revision,
                "dataset": run.dataset,
                "group": run.group,
                "context": run.context,
                "context_length": run.analysis.context_length,
                "analysis": analysis_json(run.analysis),
            }
            for run in comparison.runs
        ],
        "differences": plain_data(comparison.differences),
        "over_models": plain_data(comparison.over_models),
        "shares_over_models": plain_data(comparison.shares),
        "notes": list(comparison.notes),
    }


def sensitivity_json(found: Sensitivity) -> dict[str, Any]:
    """Every variant, and what could not be tried."""
    return {
        "paradigm": found.analysis.paradigm.name,
        "model": found.analysis.scorer.model,
        "dataset": found.analysis.dataset_name,
        "variants": plain_data(found.variants),
        "not_tried": list(found.not_tried),
    }


def plain_data(value: Any, without: Collection[str] = ()) -> Any:
    """Dataclasses, mappings and enums as JSON takes them; fields called one of `without`, of dataclasses in a list, as None, and those
    that serve the program alone left out. Raises ValueError for a number that is none."""
    if isinstance(value, Place):
        return str(value)
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else float(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {
            f.name: None if f.name in without else plain_data(getattr(value, f.name))
            for f in fields(value)
            if not f.metadata.get("inside")
        }
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(plain_data(key)): plain_data(entry) for key, entry in value.items()}
    if isinstance(value, tuple | list):
        return [plain_data(entry, without) for entry in value]
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{value} is no result")
    return value
