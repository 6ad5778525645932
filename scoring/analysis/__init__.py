"""From the bank to numbers: contrasts per item, their tests, region means, and what to be careful about."""

from scoring.analysis.comparing import AXES, Comparison, Run, compare, revision_name, step_of
from scoring.analysis.contrasts import ContrastValues, contrast_values
from scoring.analysis.criteria import CriterionResult, SyntaxGymReading, analyze_criteria
from scoring.analysis.itemwise import ItemPair, item_pair_rows, item_pairs
from scoring.analysis.jsonable import analysis_json, comparison_json, plain_data, sensitivity_json
from scoring.analysis.measured import MeasuredItem, MeasuredSentence, measured_items
from scoring.analysis.names import about, label
from scoring.analysis.results import (
    TABLES,
    Analysis,
    AnalysisOptions,
    Conclusion,
    ConditionMean,
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
    WordMean,
)
from scoring.analysis.robust import Sensitivity, Variant, sensitivity
from scoring.analysis.run import analyze
from scoring.analysis.scorers import describe_scorer, find_scorer
from scoring.analysis.several import Analyses, analyze_all
from scoring.analysis.tabled import condition_rows, item_rows, result_rows, results_of

__all__ = [
    "AXES",
    "Comparison",
    "Run",
    "compare",
    "Sensitivity",
    "Variant",
    "sensitivity",
    "sensitivity_json",
    "revision_name",
    "step_of",
    "TABLES",
    "Analyses",
    "Analysis",
    "AnalysisOptions",
    "ConditionMean",
    "MeasuredSentence",
    "ContrastPart",
    "ContrastResult",
    "ContrastValues",
    "CriterionResult",
    "ItemAccount",
    "ItemKey",
    "MeasuredItem",
    "ItemPair",
    "ItemSelection",
    "KeptComparison",
    "PartPlan",
    "RegionDifference",
    "RegionMean",
    "SetAside",
    "SyntaxGymReading",
    "Undefined",
    "Conclusion",
    "WordMean",
    "about",
    "analysis_json",
    "comparison_json",
    "plain_data",
    "analyze",
    "analyze_all",
    "analyze_criteria",
    "measured_items",
    "condition_rows",
    "contrast_values",
    "item_pair_rows",
    "item_pairs",
    "item_rows",
    "results_of",
    "result_rows",
    "describe_scorer",
    "find_scorer",
    "label",
]
