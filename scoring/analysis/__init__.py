"""From the bank to numbers: contrasts per item, their tests, region means, and what to be careful about."""

from scoring.analysis.contrasts import ContrastValues, contrast_values
from scoring.analysis.criteria import CriterionResult, SyntaxGymReading, analyze_criteria
from scoring.analysis.jsonable import analysis_json
from scoring.analysis.measured import MeasuredItem, MeasuredSentence, measured_items
from scoring.analysis.names import about, label
from scoring.analysis.results import (
    TABLES,
    Analysis,
    AnalysisOptions,
    Conclusion,
    ContrastPart,
    ContrastResult,
    ItemAccount,
    ItemKey,
    ItemSelection,
    KeptComparison,
    PartPlan,
    RegionDifference,
    RegionMean,
    SetAside,
    Undefined,
)
from scoring.analysis.run import analyze
from scoring.analysis.scorers import describe_scorer, find_scorer
from scoring.analysis.several import Analyses, analyze_all

__all__ = [
    "TABLES",
    "Analyses",
    "Analysis",
    "AnalysisOptions",
    "MeasuredSentence",
    "ContrastPart",
    "ContrastResult",
    "ContrastValues",
    "CriterionResult",
    "ItemAccount",
    "ItemKey",
    "MeasuredItem",
    "ItemSelection",
    "KeptComparison",
    "PartPlan",
    "RegionDifference",
    "RegionMean",
    "SetAside",
    "SyntaxGymReading",
    "Undefined",
    "Conclusion",
    "about",
    "analysis_json",
    "analyze",
    "analyze_all",
    "analyze_criteria",
    "measured_items",
    "contrast_values",
    "describe_scorer",
    "find_scorer",
    "label",
]
