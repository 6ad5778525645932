"""From the bank to numbers: contrasts per item, their tests, region means, and what to be careful about."""

from scoring.analysis.comparing import AXES, Comparison, Run, compare, step_of
from scoring.analysis.criteria import CriterionResult
from scoring.analysis.itemwise import ItemPair, item_pair_rows, item_pairs
from scoring.analysis.jsonable import analysis_json, comparison_json, plain_data, sensitivity_json
from scoring.analysis.names import about, label
from scoring.analysis.results import (
    TABLES,
    Analysis,
    AnalysisOptions,
    Conclusion,
    ContrastPart,
    ContrastResult,
    ItemKey,
    RegionDifference,
    RegionMean,
    WordMean,
)
from scoring.analysis.robust import Sensitivity, sensitivity
from scoring.analysis.run import analyze
from scoring.analysis.scorers import describe_scorer, find_scorer
from scoring.analysis.several import analyze_all
from scoring.analysis.tabled import item_rows, result_rows

__all__ = [
    "AXES",
    "Comparison",
    "Run",
    "compare",
    "Sensitivity",
    "sensitivity",
    "sensitivity_json",
    "step_of",
    "TABLES",
    "Analysis",
    "AnalysisOptions",
    "ContrastPart",
    "ContrastResult",
    "CriterionResult",
    "ItemKey",
    "ItemPair",
    "RegionDifference",
    "RegionMean",
    "Conclusion",
    "WordMean",
    "about",
    "analysis_json",
    "comparison_json",
    "plain_data",
    "analyze",
    "analyze_all",
    "item_pair_rows",
    "item_pairs",
    "item_rows",
    "result_rows",
    "describe_scorer",
    "find_scorer",
    "label",
]
