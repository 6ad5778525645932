"""Statistics over items. No model, no screen, no bank: numbers in, frozen results out."""

from stats.checks import check_alternative
from stats.convert import Asked, adjust, as_result, mixed_results
from stats.correction import holm
from stats.crossing import Crossing, SlotWords, crossed_test, describe_crossing
from stats.design import Coding
from stats.distinct import Distinct, distinct
from stats.formula import FormulaError
from stats.lmm import Coefficient, Family, MixedFit
from stats.mixed import fit_mixed
from stats.proportions import (
    accuracy,
    chi_square_2x2,
    chi_square_counts,
    wilson_interval,
)
from stats.r_export import RMaterial, default_formula, export_r
from stats.ranks import sign_flip_test, wilcoxon_signed_rank
from stats.results import (
    Accuracy,
    Alternative,
    ChiSquare,
    Correction,
    PermutationTest,
    Result,
    SetComparison,
    TieRule,
    TTest,
    WilcoxonTest,
    ZeroRule,
)
from stats.sets import ItemOutcomes, compare_sets, crossed_factors
from stats.ttest import dz_interval, one_sample_t

__all__ = [
    # results
    "Accuracy",
    "Alternative",
    "ChiSquare",
    "Correction",
    "PermutationTest",
    "Result",
    "SetComparison",
    "TTest",
    "TieRule",
    "WilcoxonTest",
    "ZeroRule",
    "Asked",
    "as_result",
    # observations and words
    "Crossing",
    "Distinct",
    "SlotWords",
    "crossed_test",
    "describe_crossing",
    "distinct",
    # tests of a mean
    "dz_interval",
    "one_sample_t",
    "sign_flip_test",
    "wilcoxon_signed_rank",
    # mixed models
    "Coding",
    "Coefficient",
    "Family",
    "FormulaError",
    "MixedFit",
    "RMaterial",
    "default_formula",
    "export_r",
    "fit_mixed",
    "mixed_results",
    # shares
    "accuracy",
    "chi_square_2x2",
    "chi_square_counts",
    "wilson_interval",
    # data sets
    "ItemOutcomes",
    "compare_sets",
    "crossed_factors",
    # several tests
    "adjust",
    "check_alternative",
    "holm",
]
