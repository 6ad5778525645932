"""Statistics over items. No model, no screen, no bank: numbers in, frozen results out."""

from stats.association import ModelComparison, compare_models, pearson, point_biserial, spearman
from stats.bayes import BayesFit, Posterior, Priors, fit_bayes, posh_table_8
from stats.checks import check_alternative
from stats.convert import Asked, adjust, as_result, mixed_results, set_results
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
from stats.resampling import BootstrapInterval, GroupAccuracy, accuracy_by_group, bootstrap_mean
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
from stats.sensitivity import CompleteCases, LeaveOneOut, OutlierRule, complete_cases, leave_one_out, outliers
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
    # Bayesian binomial mixed models
    "BayesFit",
    "Posterior",
    "Priors",
    "fit_bayes",
    "posh_table_8",
    # shares
    "accuracy",
    "chi_square_2x2",
    "chi_square_counts",
    "wilson_interval",
    "GroupAccuracy",
    "accuracy_by_group",
    # intervals by resampling
    "BootstrapInterval",
    "bootstrap_mean",
    # what a result hangs on
    "CompleteCases",
    "LeaveOneOut",
    "OutlierRule",
    "complete_cases",
    "leave_one_out",
    "outliers",
    # correlations and models
    "ModelComparison",
    "compare_models",
    "pearson",
    "point_biserial",
    "spearman",
    # data sets
    "ItemOutcomes",
    "compare_sets",
    "crossed_factors",
    "set_results",
    # several tests
    "adjust",
    "check_alternative",
    "holm",
]
