"""Statistics over items. No model, no screen, no bank: numbers in, frozen results out."""

from stats.checks import check_alternative
from stats.correction import holm
from stats.proportions import (
    accuracy,
    binomial_test,
    chi_square_2x2,
    chi_square_counts,
    wilson_interval,
)
from stats.ranks import sign_flip_test, wilcoxon_signed_rank
from stats.results import (
    Accuracy,
    Alternative,
    BinomialTest,
    ChiSquare,
    Correction,
    PermutationTest,
    SetComparison,
    TieRule,
    TTest,
    WilcoxonTest,
    ZeroRule,
)
from stats.sets import ItemOutcomes, compare_sets, crossed_factors
from stats.ttest import dz_from_t, one_sample_t, t_from_published, t_from_summary, t_p_value

__all__ = [
    # results
    "Accuracy",
    "Alternative",
    "BinomialTest",
    "ChiSquare",
    "Correction",
    "PermutationTest",
    "SetComparison",
    "TTest",
    "TieRule",
    "WilcoxonTest",
    "ZeroRule",
    # tests of a mean
    "one_sample_t",
    "sign_flip_test",
    "wilcoxon_signed_rank",
    # shares
    "accuracy",
    "binomial_test",
    "chi_square_2x2",
    "chi_square_counts",
    "wilson_interval",
    # data sets
    "ItemOutcomes",
    "compare_sets",
    "crossed_factors",
    # several tests
    "holm",
    # published figures
    "check_alternative",
    "dz_from_t",
    "t_from_published",
    "t_from_summary",
    "t_p_value",
]
