"""Every public statistic has a check against scipy, statsmodels, R or 40-digit arithmetic, and this table says where."""

from __future__ import annotations

import ast
import inspect
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import optimize
from scipy import stats as scipy_stats

import gapsmith.stats
from gapsmith.stats import (
    ItemOutcomes,
    Result,
    accuracy,
    accuracy_by_group,
    adjust,
    chi_square_2x2,
    compare_sets,
    correlation,
    fit_mixed,
    leave_one_out,
    mixed_results,
    rank_correlation,
    set_results,
)

HERE = Path(__file__).parent
FILES = HERE.parent / "reference"
REFERENCE: dict[str, Any] = json.loads((FILES / "stats_reference.json").read_text(encoding="utf-8"))
IN_R: dict[str, Any] = json.loads((FILES / "effects_reference.json").read_text(encoding="utf-8"))
MIXED: dict[str, Any] = json.loads((FILES / "mixed_reference.json").read_text(encoding="utf-8"))

# Statistic: the module and the test that checks it, and what it is checked against: a script in tests/reference whose
# output the module reads, or what the test itself calls.
CHECKED = {
    "one_sample_t": ("reference", "test_t_test_agrees_in_every_field", "stats_reference.py"),
    "dz_interval": ("result", "test_the_interval_of_dz_is_that_of_the_noncentral_t", "effects_reference.R"),
    "wilcoxon_signed_rank": ("reference", "test_wilcoxon_with_ties_and_zeros", "stats_reference.py"),
    "sign_flip_test": ("reference", "test_sign_flips_exact", "stats_reference.py"),
    "rank_correlation": (
        "reference",
        "test_rank_correlations_are_scipys_and_groups_widen_the_interval",
        "scipy_stats.",
    ),
    "correlation": ("checked", "test_correlations_are_those_of_rs_cor_test", "effects_reference.R"),
    "word_test": ("words", "test_the_model_of_words_is_that_of_the_formula", "fit_mixed("),
    "repeated_slots": ("words", "test_the_rule_looks_at_the_words", "SlotUse"),
    "fit_mixed": ("mixed", "test_linear_mixed_models_are_lme4s", "mixed_reference.R"),
    "reduce_mixed": ("choosing", "test_slopes_are_left_out_backward_and_each_step_is_said", "fit_mixed("),
    "compare_mixed": ("choosing", "test_models_compare_as_by_rs_anova", "pytest.approx(190.913983128"),
    "kind_columns": ("words", "test_columns_of_kinds_make_the_formulas_effect_that_of_the_test", "fit_mixed("),
    "word_slots": ("words", "test_the_rule_looks_at_the_words", "SlotUse"),
    "mixed_results": ("checked", "test_results_of_a_mixed_model_have_lmertests_p", "mixed_reference.R"),
    "export_r": ("r_export", "test_three_designs_two_models_two_sets_agree_with_r", "fit_mixed("),
    "default_formula": ("r_export", "test_three_designs_two_models_two_sets_agree_with_r", "fit_mixed("),
    "fit_bayes": ("bayes", "test_the_approximation_is_exact_arithmetic_where_that_can_be_had", "np.logaddexp"),
    "exact_interval": ("reference", "test_the_exact_interval_is_scipys", "scipy_stats.binomtest"),
    "wilson_interval": ("reference", "test_wilson_interval", "stats_reference.py"),
    "accuracy": ("checked", "test_a_share_has_wilsons_interval", "stats_reference.py"),
    "accuracy_by_group": ("checked", "test_the_interval_over_suites_solves_its_equation", "optimize.brentq"),
    "chi_square_counts": ("reference", "test_chi_square", "stats_reference.py"),
    "chi_square_2x2": ("checked", "test_sets_and_tables_have_the_reference_chi_square", "stats_reference.py"),
    "compare_sets": ("checked", "test_sets_and_tables_have_the_reference_chi_square", "stats_reference.py"),
    "set_results": ("checked", "test_sets_and_tables_have_the_reference_chi_square", "stats_reference.py"),
    "chi_square_chance": ("reference", "test_chi_square_against_chance_is_scipys", "scipy_stats."),
    "compare_models": ("robustness", "test_models_are_compared_on_the_items_they_share", "mcnemar("),
    "over_models": ("crossed_models", "test_seven_seeds_are_what_lme4_and_lmertest_say_of_them", "lme4"),
    "shares_over_models": ("crossed_shares", "test_seeds_items_and_words_are_what_glmer_says_of_them", "glmer"),
    "model_variances": ("crossed_models", "test_seven_seeds_are_what_lme4_and_lmertest_say_of_them", "lme4"),
    "models_for": ("power", "test_over_models_the_variance_and_the_power_are_those_of_simulated_seeds", "np.std(means)"),
    "fisher_combined": ("reference", "test_p_values_are_combined_as_by_scipy", "scipy_stats."),
    "holm": ("reference", "test_holm_agrees_with_statsmodels", "stats_reference.py"),
    "two_sample_t": ("welch", "test_it_is_scipys", "scipy_stats."),
    "adjust": ("checked", "test_results_are_corrected_as_by_statsmodels", "stats_reference.py"),
    "outliers": ("robustness", "test_outliers_lie_beyond_rs_fences", "effects_reference.R"),
    "leave_one_out": ("checked", "test_without_each_group_the_test_is_scipys", "scipy_stats."),
    "two_sided_p": ("absence", "test_p_of_both_sides_is_scipys_whatever_side_was_looked_at", "scipy_stats.ttest_1samp("),
    "evidence_of_absence": ("absence", "test_evidence_of_absence_is_that_of_twenty_digits", "exactly("),
    "pilot_assumed": ("power", "test_assumed_words_alone_are_the_mean_of_their_words", "scipy_stats.t.ppf("),
    "pilot_of": ("power", "test_power_of_the_t_test_is_statsmodels", "TTestPower("),
    "power_of": ("power", "test_power_of_the_t_test_is_statsmodels", "TTestPower("),
    "items_for": ("power", "test_power_of_the_t_test_is_statsmodels", "TTestPower("),
    "smallest_effect": ("power", "test_power_of_the_t_test_is_statsmodels", "TTestPower("),
    "standard_error": ("power", "test_where_words_repeat_the_variance_is_that_of_simulated_means", "np.std(means)"),
    "half_width": ("power", "test_where_words_repeat_the_variance_is_that_of_simulated_means", "np.std(means)"),
    "words_for": ("power", "test_words_and_not_items_are_too_few", "items_for(more, 0.5)"),
    "capture_recapture": ("capture", "test_estimate_and_interval_are_those_of_the_literature", "stats."),
}
NO_STATISTIC = {
    "contrasts_in_r": "writes what R is to compute; test_r_check has R compute it",
    "count_variances": "counts",
    "without_fit": "says why there is none",
    "check_alternative": "reads a word",
    "complete_cases": "counts",
    "describe_crossing": "counts",
    "distinct": "counts",
    "parse_formula": "reads a formula",
    "posh_table_8": "shipped data",
}


def test_every_statistic_is_checked_or_is_none() -> None:
    functions = {name for name in dir(gapsmith.stats) if inspect.isfunction(getattr(gapsmith.stats, name))}
    assert functions == CHECKED.keys() | NO_STATISTIC.keys()
    assert not CHECKED.keys() & NO_STATISTIC.keys()


@pytest.mark.parametrize("name", sorted(CHECKED))
def test_the_check_calls_the_statistic_and_its_reference(name: str) -> None:
    module, test, against = CHECKED[name]
    text = (HERE / f"test_stats_{module}.py").read_text(encoding="utf-8")
    (found,) = [own for own in ast.parse(text).body if isinstance(own, ast.FunctionDef) and own.name == test]
    source = ast.get_source_segment(text, found)
    assert source is not None
    called = {own.func.id for own in ast.walk(found) if isinstance(own, ast.Call) and isinstance(own.func, ast.Name)}
    assert name in called
    if against.endswith((".py", ".R")):
        assert (FILES / against).is_file()
        written = f"{Path(against).stem}.json"
        assert (FILES / written).is_file()
        assert written in text
    else:
        assert against in source


@pytest.mark.parametrize("kind", ["pearson", "spearman", "point-biserial"])
def test_correlations_are_those_of_rs_cor_test(kind: Any) -> None:
    block = IN_R[kind.replace("-", "_")]
    first, second = (IN_R["x"], IN_R["yes"]) if kind == "point-biserial" else (IN_R["x"], IN_R["y"])
    found = correlation(first, second, kind=kind)
    assert (found.estimate, found.statistic, found.p) == pytest.approx((block["r"], block["t"], block["p"]), rel=1e-9)
    assert found.df == len(first) - 2
    if kind == "spearman":
        assert found.ci is None
        assert rank_correlation(first, second, range(len(first))).estimate == pytest.approx(block["r"], rel=1e-12)
    else:
        assert found.ci == pytest.approx((block["low"], block["high"]), rel=1e-9)


def test_results_of_a_mixed_model_have_lmertests_p() -> None:
    block = MIXED["lmm"][0]
    fit = fit_mixed(block["formula"], pd.read_csv(FILES / "mixed_data.csv"), coding=block["coding"])
    results = mixed_results(fit)
    assert [own.estimate for own in results] == pytest.approx(block["estimate"], rel=1e-3, abs=1e-4)
    assert [own.p for own in results] == pytest.approx(block["p"], rel=1e-2, abs=1e-12)


@pytest.mark.parametrize("row", REFERENCE["wilson"], ids=lambda row: f"{row['successes']}of{row['n']}")
def test_a_share_has_wilsons_interval(row: dict[str, Any]) -> None:
    hits = row["successes"]
    found = accuracy([-1.0] * hits + [2.0] * (row["n"] - hits), direction=-1)
    assert found.estimate == hits / row["n"]
    assert found.ci == pytest.approx((row["low"], row["high"]), abs=1e-12)


def test_the_interval_over_suites_solves_its_equation() -> None:
    """Both ends are as far from the mean as t says, by the variance that suites would have around them; found by scipy's root finder."""
    hits = [3, 9, 14, 15, 17, 20]
    success = [number < own for own in hits for number in range(20)]
    suites = [f"s{own}" for own in hits for _ in range(20)]
    (found,) = accuracy_by_group(success, suites, ["g"] * len(success))
    shares = np.array(hits) / 20
    mean = float(shares.mean())
    assert found.estimate == pytest.approx(mean)
    more = float(shares.var(ddof=1)) / (mean * (1 - mean))

    def distance(share: float) -> float:
        reach = float(scipy_stats.t.ppf(0.975, 5)) ** 2 * more * share * (1 - share) / 6
        return (mean - share) ** 2 - reach

    ends = (optimize.brentq(distance, 0.0, mean), optimize.brentq(distance, mean, 1.0))
    assert found.ci == pytest.approx(ends, abs=1e-9)


@pytest.mark.parametrize("contrast", ["delta", "did"])
def test_sets_and_tables_have_the_reference_chi_square(contrast: str) -> None:
    whole, left = (REFERENCE["chi_square"][f"{contrast}_{name}_yates"] for name in ("original_filtered", "removed_kept"))
    (hits, n), (kept_hits, kept_n) = whole["first"], whole["second"]
    table = ((hits, n - hits), (kept_hits, kept_n - kept_hits))
    assert chi_square_2x2(table, correction="yates").statistic == pytest.approx(whole["statistic"], rel=1e-10)
    kept = {f"k{item}": item < kept_hits for item in range(kept_n)}
    removed = {f"r{item}": item < hits - kept_hits for item in range(n - kept_n)}
    found = compare_sets(ItemOutcomes("all", kept | removed), ItemOutcomes("kept", kept), correction="yates")
    both, remainder = set_results(found)
    assert (both.statistic, both.p) == pytest.approx((whole["statistic"], whole["p"]), rel=1e-8)
    assert (remainder.statistic, remainder.p) == pytest.approx((left["statistic"], left["p"]), rel=1e-8)


def test_results_are_corrected_as_by_statsmodels() -> None:
    given = [Result(test="t test", contrast=str(n), n=9, p=p) for n, p in enumerate(REFERENCE["holm"]["p"])]
    assert [own.p_adj for own in adjust(given)] == pytest.approx(REFERENCE["holm"]["adjusted"], rel=1e-12)


def test_without_each_group_the_test_is_scipys() -> None:
    values, verbs = REFERENCE["clean"], [f"v{number % 4}" for number in range(12)]
    found = leave_one_out(values, verbs, alternative="greater")
    for verb in set(verbs):
        kept = [value for value, own in zip(values, verbs, strict=True) if own != verb]
        by_scipy = scipy_stats.ttest_1samp(kept, 0.0, alternative="greater")
        assert found.without[verb].statistic == pytest.approx(float(by_scipy.statistic))
        assert found.without[verb].p == pytest.approx(float(by_scipy.pvalue))
