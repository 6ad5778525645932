"""Statistics over items. No model, no screen, no bank: numbers in, frozen results out."""

from gapsmith.stats.association import correlation
from gapsmith.stats.bayes import BayesFit, Priors, fit_bayes, posh_table_8
from gapsmith.stats.checks import check_alternative
from gapsmith.stats.convert import adjust, mixed_results, set_results
from gapsmith.stats.correction import holm
from gapsmith.stats.crossing import crossed_test, crossing_of_observations, describe_crossing
from gapsmith.stats.distinct_values import Distinct, distinct, told_apart, unsettled
from gapsmith.stats.lmm import MixedFit
from gapsmith.stats.mixed import fit_mixed
from gapsmith.stats.model_formula import ModelFormulaError
from gapsmith.stats.pairs import compare_models
from gapsmith.stats.proportions import (
    accuracy,
    chi_square_2x2,
    chi_square_chance,
    chi_square_counts,
    wilson_interval,
)
from gapsmith.stats.r_export import RMaterial, default_formula, export_r
from gapsmith.stats.ranked import rank_correlation
from gapsmith.stats.ranks import sign_flip_test, wilcoxon_signed_rank
from gapsmith.stats.results import (
    Alternative,
    Correction,
    Result,
    SetComparison,
    TieRule,
    ZeroRule,
)
from gapsmith.stats.sensitivity import OutlierRule, complete_cases, leave_one_out, outliers
from gapsmith.stats.sets import ItemOutcomes, compare_sets
from gapsmith.stats.suites import accuracy_by_group
from gapsmith.stats.ttest import dz_interval, one_sample_t

__all__ = [
    # results
    "Alternative",
    "Correction",
    "Result",
    "SetComparison",
    "TieRule",
    "ZeroRule",
    # observations and words
    "Distinct",
    "crossed_test",
    "crossing_of_observations",
    "describe_crossing",
    "distinct",
    "told_apart",
    "unsettled",
    # tests of a mean
    "dz_interval",
    "one_sample_t",
    "rank_correlation",
    "sign_flip_test",
    "wilcoxon_signed_rank",
    # mixed models
    "ModelFormulaError",
    "MixedFit",
    "RMaterial",
    "default_formula",
    "export_r",
    "fit_mixed",
    "mixed_results",
    # Bayesian binomial mixed models
    "BayesFit",
    "Priors",
    "fit_bayes",
    "posh_table_8",
    # shares
    "accuracy",
    "chi_square_2x2",
    "chi_square_chance",
    "chi_square_counts",
    "wilson_interval",
    "accuracy_by_group",
    # association
    "correlation",
    # what a result hangs on
    "OutlierRule",
    "complete_cases",
    "leave_one_out",
    "outliers",
    # models
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
