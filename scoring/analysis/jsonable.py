"""An analysis as plain values that JSON can hold: enums as text, mappings as objects, missing values as null."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from scoring.analysis.results import Analysis

__all__ = ["analysis_json"]


def analysis_json(analysis: Analysis) -> dict[str, Any]:
    """Everything in the analysis but the paradigm's own text, which its name, version and digest identify."""
    paradigm = analysis.paradigm
    identity = {"name": paradigm.name, "title": paradigm.title, "version": paradigm.version, "digest": paradigm.digest}
    rest = {
        f.name: _plain(getattr(analysis, f.name))
        for f in fields(analysis)
        if f.name not in ("paradigm", "example", "texts")
    }
    for result, entry in zip(analysis.contrasts, rest["contrasts"], strict=True):
        del entry["observed"]
        entry["reasons"] = [{"dataset": k.dataset, "item": k.label, "reason": why} for k, why in result.reasons.items()]
        entry["values"] = [
            {"dataset": key.dataset, "item": key.label, "bits": value} for key, value in result.values.items()
        ]
        entry["p"] = result.p
        entry["confounded"] = result.confounded
    rest["texts"] = [{"dataset": k.dataset, "item": k.label, "text": text} for k, text in analysis.texts.items()]
    return {"paradigm": identity, **rest}


def _plain(value: Any) -> Any:
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
