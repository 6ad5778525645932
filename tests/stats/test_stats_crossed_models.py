"""Several models over the same items: against lme4 with lmerTest, in simulations, and where models are no sample."""

from __future__ import annotations

import itertools
import math
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats as scipy_stats

from gapsmith.stats import Result, model_variances, one_sample_t, over_models, word_test
from tests.parts import first_of

Values = np.ndarray[Any, Any]


def crossed(models: int, n: int, of_models: float, left: float, seed: int) -> Values:
    """Values of models by items, whose mean is 0."""
    rng = np.random.default_rng(seed)
    parts = rng.normal(0, math.sqrt(of_models), (models, 1)) + rng.normal(0, 1, (1, n))
    return np.asarray(parts + rng.normal(0, math.sqrt(left), (models, n)))


def by_items(values: Values, is_mean: bool) -> Result:
    return one_sample_t(values)


def named(n: int) -> list[str]:
    return [f"seed{number}" for number in range(n)]


def test_seven_seeds_are_what_lme4_and_lmertest_say_of_them() -> None:
    """`lmer(y ~ 1 + (1 | seed) + (1 | item))` of 84 values made here, lme4 1.1 with lmerTest 3.1 (R 4.2)."""
    found = over_models(_stored(), named(7), by_items, noun="seed")[0]
    assert found.estimate == pytest.approx(0.393014761372, abs=1e-10)
    assert found.se == pytest.approx(0.214603849364, rel=1e-5)
    assert found.df == pytest.approx(10.0913691, rel=1e-4)
    assert found.p == pytest.approx(0.0966907954, rel=1e-5)
    assert found.details["sd_models"] == pytest.approx(0.41961352, rel=1e-5)
    variances = model_variances(_stored(), ["one"] * 7)
    assert variances is not None
    assert variances.of_models == pytest.approx(0.17607551, rel=1e-5)
    assert variances.left == pytest.approx(0.56808452, rel=1e-5)
    assert found.scope == "over other seeds of the kind"
    assert "seeds are a sample of their kind" in found.assumes[-1]


def _stored() -> Values:
    rng = np.random.default_rng(1)
    return np.asarray(0.4 + rng.normal(0, 0.5, (7, 1)) + rng.normal(0, 1, (1, 12)) + rng.normal(0, 0.8, (7, 12)))


@pytest.mark.full
def test_sizes_and_families_are_what_lme4_says_of_them(tmp_path: Path) -> None:
    """Two families by two sizes with four seeds each, as fixed effects beside crossed seeds and items."""
    rscript = shutil.which("Rscript")
    if rscript is None or subprocess.run([rscript, "-e", "library(lmerTest)"], capture_output=True, check=False).returncode:
        pytest.skip("R with lme4 and lmerTest is not here")
    values, levels = _kinds(4)
    rows = [
        f"{value},{model},{item},{levels[model]['family']},{levels[model]['size']}"
        for (model, item), value in np.ndenumerate(values)
    ]
    (tmp_path / "d.csv").write_text("\n".join(["y,model,item,family,size", *rows]))
    script = (
        "suppressMessages(library(lmerTest)); d <- read.csv('d.csv'); for (x in c('model','item','family','size')) d[[x]] <- factor(d[[x]]);"
        "d$family <- relevel(d$family, 'gpt'); d$size <- relevel(d$size, '10');"
        "m <- lmer(y ~ family + size + (1|model) + (1|item), d, control=lmerControl(optCtrl=list(ftol_abs=1e-12, xtol_abs=1e-12)));"
        "s <- summary(m)$coefficients; cat(sprintf('%.10f %.10f %.10f', s[2:3,1], s[2:3,2], s[2:3,3]), sep='\\n')"
    )
    ran = subprocess.run([rscript, "-e", script], capture_output=True, text=True, cwd=tmp_path, check=True)
    theirs = [tuple(map(float, line.split())) for line in ran.stdout.split("\n") if line.strip()]
    _, *ours = over_models(values, named(16), by_items, levels=levels)
    for own, (estimate, _, _) in zip(ours, theirs, strict=True):
        assert own.estimate == pytest.approx(estimate, abs=1e-8)
    # There residuals of models hold what interacts, here models of one kind alone, so that only the estimates are equal;
    # with the interaction in the model they are the same.
    full = script.replace("family + size", "family * size").replace(
        "d$size <- relevel(d$size, '10');",
        "d$size <- relevel(d$size, '10'); contrasts(d$family) <- contr.sum(2); contrasts(d$size) <- contr.sum(2);",
    )
    ran = subprocess.run([rscript, "-e", full], capture_output=True, text=True, cwd=tmp_path, check=True)
    theirs = [tuple(map(float, line.split())) for line in ran.stdout.split("\n") if line.strip()]
    for own, (half, se, _) in zip(ours, theirs, strict=True):
        assert own.estimate == pytest.approx(-2 * half, abs=1e-8)
        assert own.se == pytest.approx(2 * se, rel=0.02)


def _kinds(seeds: int) -> tuple[Values, list[dict[str, str]]]:
    levels = [{"family": f, "size": s} for f, s in itertools.product(("gpt", "pythia"), ("10", "100")) for _ in range(seeds)]
    values = crossed(len(levels), 15, 0.1, 0.4, 3)
    values += np.array([[0.6 * (own["size"] == "100") - 0.3 * (own["family"] == "gpt")] for own in levels])
    return values, levels


def test_kinds_differ_by_their_means_each_counting_alike() -> None:
    values, levels = _kinds(4)
    mean, family, size = over_models(values, named(16), by_items, levels=levels)
    means = values.mean(axis=1)
    large = np.array([own["size"] == "100" for own in levels])
    assert mean.estimate == pytest.approx(means.mean())
    assert size.estimate == pytest.approx(means[large].mean() - means[~large].mean())
    assert (size.details["what"], size.details["df_models"]) == ("size: 100 - 10", 12)
    assert family.details["what"] == "family: pythia - gpt"
    assert any("without interactions" in own for own in size.assumes)
    # Of a kind with more models than another each model weighs less.
    odd = [0, 1, 2, 3, 4, 5, 8, 9, 10, 12, 13]
    own = over_models(values[odd], [named(16)[n] for n in odd], by_items, levels=[levels[n] for n in odd])
    cells = {
        kind: means[[n for n in odd if tuple(levels[n].values()) == kind]].mean() for kind in {tuple(k.values()) for k in levels}
    }
    expected = (cells["gpt", "100"] + cells["pythia", "100"] - cells["gpt", "10"] - cells["pythia", "10"]) / 2
    assert own[2].estimate == pytest.approx(expected)


def test_few_seeds_are_these_seeds_and_the_test_is_that_of_items() -> None:
    values = crossed(3, 20, 0.5, 0.5, 2)
    (found,) = over_models(values, named(3), by_items, noun="seed")
    alone = one_sample_t(values.mean(axis=0))
    assert found.ci is not None
    assert (found.estimate, *found.ci, found.p, found.df) == pytest.approx((alone.estimate, *(alone.ci or ()), alone.p, alone.df))
    assert found.scope == "for these 3 seeds (seed0, seed1, seed2)"
    (six,) = over_models(crossed(6, 20, 0.5, 0.5, 2), named(6), by_items, noun="seed")
    assert six.scope == "over other seeds of the kind"
    # Models of different kinds, one of each, are not a sample either.
    _, size = over_models(values[:2], ["a", "b"], by_items, levels=[{"size": "1"}, {"size": "2"}])
    paired = scipy_stats.ttest_rel(values[1], values[0])
    assert (size.statistic, size.p) == pytest.approx((float(paired.statistic), float(paired.pvalue)))


def test_what_goes_together_is_not_told_apart() -> None:
    levels = [{"family": name, "size": size} for name, size in (("a", "1"), ("b", "2")) for _ in range(4)]
    mean, *differences = over_models(crossed(8, 20, 0.1, 0.5, 1), named(8), by_items, levels=levels)
    assert mean.p is not None
    assert all("family, size go together" in (own.undefined or "") and own.p is None for own in differences)


def test_two_items_give_no_verdict_over_models_and_items() -> None:
    (found,) = over_models(crossed(7, 2, 0.1, 0.4, 1), named(7), by_items, noun="seed")
    assert not found.interpretable
    assert "2 do not tell how items vary" in found.note
    (three,) = over_models(crossed(7, 3, 0.1, 0.4, 1), named(7), by_items, noun="seed")
    assert three.interpretable


def test_values_too_large_or_alike_have_a_reason() -> None:
    for values in (np.full((6, 10), 1e200), np.full((6, 10), 1e-300), np.ones((6, 10))):
        (found,) = over_models(values, named(6), by_items)
        assert found.p is None
        assert found.undefined
        assert not found.interpretable
    with pytest.raises(ValueError, match="one length"):
        over_models(np.ones((2, 3)), ["a"], by_items)
    assert model_variances(np.ones((2, 3)), ["a", "b"]) is None


@pytest.mark.parametrize("spread", first_of([(0.5, 0.2), (0.0, 0.5), (0.05, 0.5)]), ids=str)
def test_with_no_effect_seeds_and_items_reject_as_often_as_they_may(spread: tuple[float, float]) -> None:
    """1,500 sets of seven seeds by 20 items: at most .065, where the items alone reject up to .19."""
    of_models, left = spread
    ps, alone = [], []
    for seed in range(1_500):
        values = crossed(7, 20, of_models, left, seed)
        ps.append(over_models(values, named(7), by_items)[0].p)
        alone.append(one_sample_t(values.mean(axis=0)).p)
    assert np.mean(np.array(ps) < 0.05) <= 0.065
    if of_models == 0.5:
        assert np.mean(np.array(alone) < 0.05) > 0.15


@pytest.mark.full
def test_words_that_seeds_learn_each_in_their_way_do_not_break_it() -> None:
    """Verbs vary, and vary again in each seed; 400 sets of eight seeds, 40 items, eight verbs."""
    rejected = 0
    for seed in range(400):
        rng = np.random.default_rng([seed, 1])
        verbs = rng.integers(8, size=40)
        values = crossed(8, 40, 0.1, 0.5, seed) + rng.normal(0, 0.5, 8)[verbs] + rng.normal(0, 0.4, (8, 8))[:, verbs]
        rows = [{"verb": str(verb)} for verb in verbs]

        def by_words(own: Values, _: bool, rows: list[dict[str, str]] = rows) -> Result:
            return word_test(own, rows, others=False).these or one_sample_t(own)

        found = over_models(values, named(8), by_words)[0]
        rejected += found.p is not None and found.p < 0.05
    assert rejected / 400 <= 0.065 + 2 * math.sqrt(0.05 * 0.95 / 400)
