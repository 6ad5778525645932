"""Reference values for the statistics, computed without the package and without scipy.

Plain formulas in 40-digit arithmetic (mpmath), full enumeration where a null distribution is discrete, and
statsmodels for Holm's correction. Run it from the repository root to write ``stats_reference.json`` beside
it:

    python tests/reference/stats_reference.py

Versions that made the committed file are stored in it.
"""

from __future__ import annotations

import itertools
import json
import sys
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path
from typing import Any

from mpmath import betainc, erfc, findroot, gammainc, mp, mpf, sqrt  # type: ignore[import-untyped]  # ships none
from statsmodels.stats.multitest import multipletests

mp.dps = 40

Number = Any
"""A mpmath number; mpmath has no types of its own."""
Result = dict[str, Any]
Share = tuple[int, int]

# Twelve differences without ties, and fifteen with ties and zeros, in bits.
CLEAN = ["-1.25", "0.5", "2.75", "-0.125", "1.5", "3.0", "-2.0", "0.875", "4.25", "1.125", "-0.375", "2.125"]
TIED = ["1.5", "-1.5", "0", "2", "2", "-0.5", "0.5", "3", "0", "-1", "4", "2.5", "1", "-3", "0.25"]


def t_sf(t: Number, df: int) -> Number:
    """Upper tail of Student's t through the regularised incomplete beta function."""
    half = betainc(mpf(df) / 2, mpf(1) / 2, 0, mpf(df) / (mpf(df) + t * t), regularized=True) / 2
    return half if t > 0 else 1 - half


def t_quantile(probability: str, df: int) -> Number:
    """The t below which that probability lies."""
    return findroot(lambda x: t_sf(x, df) - (1 - mpf(probability)), mpf(2))


def chi2_sf(x: Number, df: int) -> Number:
    """Upper tail of chi-square."""
    return gammainc(mpf(df) / 2, mpf(x) / 2, regularized=True)


def normal_sf(z: Number) -> Number:
    """Upper tail of the standard normal."""
    return erfc(z / sqrt(2)) / 2


def t_test(values: list[str]) -> Result:
    """A one-sample t test from its textbook formulas."""
    data = [mpf(v) for v in values]
    n = len(data)
    mean = sum(data) / n
    sd = sqrt(sum((v - mean) ** 2 for v in data) / (n - 1))
    se = sd / sqrt(n)
    t = mean / se
    half = t_quantile("0.975", n - 1) * se
    return {
        "n": n,
        "mean": mean,
        "sd": sd,
        "se": se,
        "t": t,
        "df": n - 1,
        "dz": mean / sd,
        "p_two_sided": 2 * t_sf(abs(t), n - 1),
        "p_greater": t_sf(t, n - 1),
        "p_less": 1 - t_sf(t, n - 1),
        "ci_low": mean - half,
        "ci_high": mean + half,
    }


def ranks_of(values: list[Fraction]) -> list[Fraction]:
    """Mid-ranks of absolute values, as fractions."""
    magnitudes = [abs(v) for v in values]
    return [Fraction(sum(m < own for m in magnitudes) * 2 + sum(m == own for m in magnitudes) + 1, 2) for own in magnitudes]


def wilcoxon_exact(values: list[str], *, pratt: bool = False) -> Result:
    """Signed ranks over every assignment of signs."""
    data = [Fraction(v) for v in values]
    kept = data if pratt else [v for v in data if v]
    pairs = [(r, v) for r, v in zip(ranks_of(kept), kept, strict=True) if v]
    ranks = [r for r, _ in pairs]
    w_plus = sum((r for r, v in pairs if v > 0), Fraction())
    sums = [
        sum(r for r, up in zip(ranks, signs, strict=True) if up) for signs in itertools.product((False, True), repeat=len(ranks))
    ]
    greater = Fraction(sum(s >= w_plus for s in sums), len(sums))
    less = Fraction(sum(s <= w_plus for s in sums), len(sums))
    return {
        "w_plus": float(w_plus),
        "w_minus": float(sum(ranks) - w_plus),
        "n_used": len(ranks),
        "p_two_sided": float(min(Fraction(1), 2 * min(greater, less))),
        "p_greater": float(greater),
        "p_less": float(less),
    }


def wilcoxon_normal(values: list[str], *, pratt: bool) -> Result:
    """The normal approximation with continuity correction; ties correct themselves through mid-ranks."""
    data = [Fraction(v) for v in values]
    kept = data if pratt else [v for v in data if v]
    ranks = ranks_of(kept)
    pairs = [(r, v) for r, v in zip(ranks, kept, strict=True) if v]
    w_plus = sum((r for r, v in pairs if v > 0), Fraction())
    centre = sum((r for r, _ in pairs), Fraction()) / 2
    variance = sum((r * r for r, _ in pairs), Fraction()) / 4
    spread = sqrt(mpf(variance.numerator) / variance.denominator)
    deviation = mpf((w_plus - centre).numerator) / (w_plus - centre).denominator
    return {
        "w_plus": float(w_plus),
        "w_minus": float(sum(r for r, _ in pairs) - w_plus),
        "n_used": len(pairs),
        "p_two_sided": 2 * normal_sf((abs(deviation) - mpf("0.5")) / spread),
        "p_greater": normal_sf((deviation - mpf("0.5")) / spread),
        "p_less": 1 - normal_sf((deviation + mpf("0.5")) / spread),
    }


def sign_flip(values: list[str]) -> Result:
    """The mean over every assignment of signs."""
    data = [Fraction(v) for v in values]
    observed = sum(data, Fraction())
    sums = [
        sum((v if up else -v for v, up in zip(data, signs, strict=True)), Fraction())
        for signs in itertools.product((False, True), repeat=len(data))
    ]
    return {
        "p_two_sided": float(Fraction(sum(abs(s) >= abs(observed) for s in sums), len(sums))),
        "p_greater": float(Fraction(sum(s >= observed for s in sums), len(sums))),
        "p_less": float(Fraction(sum(s <= observed for s in sums), len(sums))),
        "n_permutations": len(sums),
    }


def wilson(successes: int, n: int) -> Result:
    """The two roots p of (share - p)² = z² p (1 - p) / n."""
    z = findroot(lambda x: normal_sf(x) - mpf("0.025"), mpf(2))
    share = mpf(successes) / n
    a, b, c = 1 + z * z / n, -(2 * share + z * z / n), share * share
    root = sqrt(b * b - 4 * a * c)
    return {"successes": successes, "n": n, "low": (-b - root) / (2 * a), "high": (-b + root) / (2 * a)}


def chi_square(first: Share, second: Share, *, yates: bool) -> Result:
    """n (|ad - bc| - n/2)² / (r1 r2 c1 c2), without the n/2 where there is no correction."""
    (s1, n1), (s2, n2) = first, second
    a, b, c, d = s1, n1 - s1, s2, n2 - s2
    n = a + b + c + d
    gap = max(mpf(0), abs(mpf(a * d - b * c)) - (mpf(n) / 2 if yates else 0))
    statistic = n * gap**2 / (mpf(a + b) * (c + d) * (a + c) * (b + d))
    return {
        "first": first,
        "second": second,
        "yates": yates,
        "statistic": statistic,
        "p": chi2_sf(statistic, 1),
    }


def main() -> None:
    """Compute everything and write the JSON file."""
    p_values = [0.001, 0.04, 0.0004, 0.03, 0.9, 0.03, 0.2]
    counts = {
        "delta_original_filtered": ((452, 8064), (404, 5760)),
        "did_original_filtered": ((5544, 8064), (4201, 5760)),
        "delta_removed_kept": ((48, 2304), (404, 5760)),
        "did_removed_kept": ((1343, 2304), (4201, 5760)),
        "small": ((7, 10), (3, 12)),
    }
    reference = {
        "made_with": {
            "python": sys.version.split()[0],
            "mpmath": version("mpmath"),
            "statsmodels": version("statsmodels"),
        },
        "clean": [float(v) for v in CLEAN],
        "tied": [float(v) for v in TIED],
        "t_clean": t_test(CLEAN),
        "t_tied": t_test(TIED),
        "wilcoxon_clean": wilcoxon_exact(CLEAN),
        "wilcoxon_tied_wilcox": wilcoxon_exact(TIED),
        "wilcoxon_tied_pratt": wilcoxon_exact(TIED, pratt=True),
        "wilcoxon_many_wilcox": wilcoxon_normal(5 * TIED, pratt=False),
        "wilcoxon_many_pratt": wilcoxon_normal(5 * TIED, pratt=True),
        "sign_flip_clean": sign_flip(CLEAN),
        "sign_flip_tied": sign_flip(TIED),
        "wilson": [wilson(*pair) for pair in ((17, 33), (29, 33), (6, 10), (8, 10), (0, 12), (12, 12), (452, 8064))],
        "chi_square": {
            f"{name}_{'yates' if yates else 'none'}": chi_square(*pair, yates=yates)
            for name, pair in counts.items()
            for yates in (True, False)
        },
        "holm": {"p": p_values, "adjusted": list(multipletests(p_values, method="holm")[1])},
    }
    target = Path(__file__).with_suffix(".json")
    target.write_text(json.dumps(reference, indent=1, default=float) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
