"""POSH-BENCH (Yang, Bisazza, Schneider & Wilcox 2026): poverty-of-the-stimulus phenomena over every model that scored them."""

from gapsmith.scoring.analysis.posh.evaluating import Evaluation, PhenomenonRow, evaluate
from gapsmith.scoring.analysis.posh.mapping import BENCHMARKS, CATEGORIES, Part, part_of
from gapsmith.scoring.analysis.posh.published import read_counts
from gapsmith.scoring.report.posh_pages import write_evaluation

__all__ = [
    "BENCHMARKS",
    "CATEGORIES",
    "Evaluation",
    "Part",
    "PhenomenonRow",
    "evaluate",
    "part_of",
    "read_counts",
    "write_evaluation",
]
