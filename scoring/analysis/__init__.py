"""From the bank to numbers: contrasts per item, their tests, region means, and what to be careful about."""

from gapsmith.scoring.analysis.comparing import AXES, ComparedRun, RunComparison, compare, step_of
from gapsmith.scoring.analysis.criteria import CriterionResult
from gapsmith.scoring.analysis.itemwise import ItemPair, item_pair_rows, item_pairs
from gapsmith.scoring.analysis.jsonable import analysis_json, comparison_json, plain_data, sensitivity_json
from gapsmith.scoring.analysis.names import about, label
from gapsmith.scoring.analysis.results import (
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
from gapsmith.scoring.analysis.robust import Sensitivity, sensitivity
from gapsmith.scoring.analysis.run import analyze
from gapsmith.scoring.analysis.scorers import describe_scorer, find_scorer
from gapsmith.scoring.analysis.several import analyze_all
from gapsmith.scoring.analysis.tabled import item_rows, result_rows

__all__ = [
    "AXES",
    "RunComparison",
    "ComparedRun",
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
