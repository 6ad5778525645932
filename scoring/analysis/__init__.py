"""From the bank to numbers: contrasts per item, their tests, region means, and what to be careful about."""

from scoring.analysis.cells import Cell, ItemCells, cells_of
from scoring.analysis.contrasts import ContrastValues, contrast_values
from scoring.analysis.results import (
    Analysis,
    AnalysisOptions,
    ContrastPart,
    ContrastResult,
    ItemAccount,
    ItemSelection,
    KeptAgainstAll,
    PartPlan,
    RegionMean,
    SetAside,
    Undefined,
    Verdict,
)
from scoring.analysis.run import analyze, describe_scorer, find_scorer

__all__ = [
    "Analysis",
    "AnalysisOptions",
    "Cell",
    "ContrastPart",
    "ContrastResult",
    "ContrastValues",
    "ItemAccount",
    "ItemCells",
    "ItemSelection",
    "KeptAgainstAll",
    "PartPlan",
    "RegionMean",
    "SetAside",
    "Undefined",
    "Verdict",
    "analyze",
    "cells_of",
    "contrast_values",
    "describe_scorer",
    "find_scorer",
]
