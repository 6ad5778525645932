"""An analysis as plain values that JSON can hold: enums as text, mappings as objects, missing values as null."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from typing import Any

from scoring.analysis.criteria import CriterionResult
from scoring.analysis.results import Analysis
from templates.formula import Place, weighted_sum

__all__ = ["analysis_json"]


def analysis_json(analysis: Analysis) -> dict[str, Any]:
    """Everything in the analysis but the paradigm's own text, which its name, version and digest identify."""
    paradigm = analysis.paradigm
    identity = {"name": paradigm.name, "title": paradigm.title, "version": paradigm.version, "digest": paradigm.digest}
    rest = {
        f.name: _plain(getattr(analysis, f.name))
        for f in fields(analysis)
        if f.name not in ("paradigm", "example", "texts", "criteria")
    }
    rest["criteria"] = [_criterion(result) for result in analysis.criteria]
    for result, entry in zip(analysis.contrasts, rest["contrasts"], strict=True):
        entry["contrast"]["formula"] = weighted_sum(result.contrast.terms)
        entry["values"] = [
            {"dataset": key.dataset, "item": key.label, "bits": value} for key, value in result.values.items()
        ]
        entry["p"] = result.p
        entry["confounded"] = result.confounded
    rest["texts"] = [{"dataset": k.dataset, "item": k.label, "text": text} for k, text in analysis.texts.items()]
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
        "share": _plain(result.share),
        "n_items": result.n_items,
        "n_holds": result.n_holds,
        "undefined": _plain(result.undefined),
        "n_straddling": result.n_straddling,
        "syntaxgym": None
        if other is None
        else {
            "n": other.n,
            "n_holds": other.n_holds,
            "differing": [{"dataset": key.dataset, "item": key.label} for key in other.differing],
        },
        "values": [{"dataset": key.dataset, "item": key.label, "holds": truth} for key, truth in result.holds.items()],
    }


def _plain(value: Any) -> Any:
    if isinstance(value, Place):
        return str(value)
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else float(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: _plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(_plain(key)): _plain(entry) for key, entry in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(entry) for entry in value]
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{value} is no result")
    return value
