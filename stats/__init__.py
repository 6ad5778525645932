"""Statistics over items. No model, no screen, no bank: numbers in, frozen results out."""

from stats.bayes import BayesFit, Posterior, Priors, fit_bayes, posh_table_8
from stats.checks import check_alternative
from stats.convert import adjust, mixed_results, set_results
from stats.correction import holm
from stats.crossing import Crossing, SlotWords, crossed_test, describe_crossing
from stats.design import Coding
from stats.distinct import Distinct, distinct
from stats.formula import FormulaError
from stats.lmm import Coefficient, Family, MixedFit
from stats.mixed import fit_mixed
from stats.pairs import ModelComparison, compare_models
from stats.proportions import (
    accuracy,
    chi_square_2x2,
    chi_square_counts,
    wilson_interval,
)
from stats.r_export import RMaterial, default_formula, export_r
from stats.ranks import sign_flip_test, wilcoxon_signed_rank
from stats.results import (
    Alternative,
    Correction,
    Result,
    SetComparison,
    TieRule,
    ZeroRule,
)
from stats.sensitivity import CompleteCases, LeaveOneOut, OutlierRule, complete_cases, leave_one_out, outliers
from stats.sets import ItemOutcomes, compare_sets
from stats.suites import accuracy_by_group
from stats.ttest import dz_interval, one_sample_t

__all__ = [
    # results
    "Alternative",
    "Correction",
    "Result",
    "SetComparison",
    "TieRule",
    "ZeroRule",
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
    "accuracy_by_group",
    # what a result hangs on
    "CompleteCases",
    "LeaveOneOut",
    "OutlierRule",
    "complete_cases",
    "leave_one_out",
    "outliers",
    # models
    "ModelComparison",
    "compare_models",
    # data sets
    "ItemOutcomes",
    "compare_sets",
    "set_results",
    # several tests
    "adjust",
    "check_alternative",
    "holm",
]
