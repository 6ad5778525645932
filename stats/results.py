"""What the statistics give back: frozen, named, signs kept, nothing rounded; `n` counts items.

A value that does not exist for the data at hand (a t with no variance, a mean of nothing) is None, and
`reason` says why. No field is ever NaN or infinite.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = [
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
]

Alternative = Literal["two-sided", "greater", "less"]
"""Which deviation from the null counts: either, only above it, or only below it."""

Correction = Literal["yates", "none"]
"""Continuity correction of a 2x2 chi-square."""

TieRule = Literal["wrong", "excluded"]
"""What a value of exactly 0 counts as in an accuracy: a miss, or no item at all."""

ZeroRule = Literal["wilcox", "pratt"]
"""What Wilcoxon's test does with values of 0: drop them before ranking, or rank them and drop their ranks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One test, of whatever kind, as tables, figures and exports take it: signs kept, nothing rounded, nothing NaN.

    The first seven fields say what was asked and of what; the rest what came out.
    """

    test: str
    """The test in words: ``t test``, ``Wilcoxon signed rank``, ``crossed mixed model``, …"""
    design: str = ""
    contrast: str = ""
    group: str = ""
    model: str = ""
    dataset: str = ""
    context: str = ""
    estimate: float | None = None
    """A mean, difference, share or coefficient, in the unit of the values."""
    ci: tuple[float, float] | None = None
    """Two-sided at `confidence`, whatever the alternative."""
    statistic: float | None = None
    df: float | None = None
    p: float | None = None
    """For `alternative`, not corrected."""
    p_adj: float | None = None
    """Corrected for the tests of its family; None where nothing was corrected."""
    n: int
    """Distinct observations that the test is over."""
    n_given: int | None = None
    """Items they come from, where that was counted; more than `n` where several items give one observation."""
    n_undefined: int = 0
    """Items left out because they have no value."""
    sd: float | None = None
    effect: float | None = None
    """A standardised effect: Cohen's dz of a t test, the rank-biserial correlation of Wilcoxon's."""
    effect_ci: tuple[float, float] | None = None
    alternative: Alternative = "two-sided"
    confidence: float = 0.95
    undefined: str | None = None
    """Why there is no result, where there is none."""
    notes: tuple[str, ...] = ()
    """What a reader has to know with the numbers; whole sentences."""
    interpretable: bool = True
    """Whether a conclusion may be drawn from `p`."""

    @property
    def note(self) -> str:
        """The notes as one text."""
        return " ".join(self.notes)


@dataclass(frozen=True, slots=True)
class TTest:
    """A one-sample t test over items. Units of `mean`, `sd`, `se` and the interval are those of the data
    (bits)."""

    n: int
    mean: float | None
    sd: float | None
    """Sample standard deviation, n - 1 in the denominator; None below two items."""
    se: float | None
    t: float | None
    df: int | None
    p: float | None
    """For `alternative`."""
    alternative: Alternative
    ci_low: float | None
    """The interval is two-sided whatever the alternative."""
    ci_high: float | None
    confidence: float
    dz: float | None
    """Cohen's d of differences, (mean - null) / sd, with its sign."""
    null: float = 0.0
    n_given: int | None = None
    """Items given; more than `n` observations where several of them are one."""
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class WilcoxonTest:
    """Wilcoxon's signed-rank test over items."""

    n: int
    n_used: int
    """Items left after values of exactly 0 were set aside."""
    w_plus: float | None
    """Sum of the ranks of the positive values."""
    w_minus: float | None
    rank_biserial: float | None
    """(W+ - W-) / (W+ + W-), from -1 to 1: the effect size that belongs to the test."""
    p: float | None
    alternative: Alternative
    method: str
    """``exact`` or ``normal`` (approximation with tie and continuity corrections)."""
    zeros: ZeroRule
    n_given: int | None = None
    """Items given; more than `n` observations where several of them are one."""
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class PermutationTest:
    """A sign-flip permutation test of the mean."""

    n: int
    mean: float | None
    p: float | None
    alternative: Alternative
    method: str
    """``exact``: every assignment of signs; ``random``: a sample of them, one added to numerator and
    denominator."""
    n_permutations: int
    """Sign assignments looked at, the observed one not counted where they were drawn at random."""
    n_given: int | None = None
    """Items given; more than `n` observations where several of them are one."""
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Accuracy:
    """The share of items whose value has the expected sign, with a Wilson score interval."""

    n: int
    """The denominator: all items, less the ties where these are excluded."""
    successes: int
    ties: int
    """Items whose value is exactly 0."""
    tie_rule: TieRule
    direction: int
    """+1: a success is a value above 0; -1: below 0."""
    proportion: float | None
    ci_low: float | None
    ci_high: float | None
    confidence: float
    n_given: int | None = None
    """Items given; more than `n` observations where several of them are one."""
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class ChiSquare:
    """Pearson's chi-square of a 2x2 table: rows are groups, columns successes and failures."""

    table: tuple[tuple[int, int], tuple[int, int]]
    expected: tuple[tuple[float, float], tuple[float, float]] | None
    statistic: float | None
    df: int
    p: float | None
    correction: Correction
    n: int
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class SetComparison:
    """Two data sets compared by their share of successes, with what stands between the number and its use."""

    first: str
    second: str
    n_first: int
    n_second: int
    successes_first: int
    successes_second: int
    difference: float
    """Share in the second set minus share in the first."""
    test: ChiSquare
    n_shared: int
    """Items that are in both sets, by key."""
    relation: Literal["disjoint", "identical", "second inside first", "first inside second", "overlapping"]
    remainder: ChiSquare | None
    """Where one set lies inside the other: that set against the items it leaves out, which are separate
    items."""
    caveats: tuple[str, ...]
    crossed: bool = False
    """Whether the items of one of them repeat the same few words, and so are not independent."""
