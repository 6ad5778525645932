"""What the statistics give back: frozen, named, signs kept, nothing rounded; `n` counts items.

A value that does not exist for the data at hand (a t with no variance, a mean of nothing) is None, and
`undefined` says why. No field is ever NaN or infinite.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Alternative = Literal["two-sided", "greater", "less"]
"""Which deviation from the null counts: either, only above it, or only below it."""

Correction = Literal["yates", "none"]
"""Continuity correction of a 2x2 chi-square."""

TieRule = Literal["wrong", "excluded"]
"""What a value of exactly 0 counts as in an accuracy: a miss, or no item at all."""

ZeroRule = Literal["wilcox", "pratt"]
"""What Wilcoxon's test does with values of 0: drop them before ranking, or rank them and drop their ranks."""


RestrictionKind = Literal["calibration", "decision", "where", "context", "complete", "absent", "unscored", "window", "undefined"]
"""Why items are left out, in the order in which they are: what was decided of them; the attributes that are asked for; no context;
not complete; no sentence; no score; too long for the model's window; no value."""


@dataclass(frozen=True, slots=True)
class Restriction:
    """One reason for which a result is about fewer items than were given."""

    kind: RestrictionKind
    n_in: int
    n_out: int
    """Items that are left out for it."""
    phrase: str
    """Which items stay, or why the others went; in words."""

    @property
    def is_lack(self) -> bool:
        """Whether items lack something, and were not left out by who asked."""
        return self.kind in ("absent", "unscored", "window", "undefined")

    @property
    def n_left(self) -> int:
        """Items that stay."""
        return self.n_in - self.n_out

    def __str__(self) -> str:
        return f"{self.n_left:,} of {self.n_in:,} items: {self.phrase}"


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
    standard_error: float | None = None
    """Of an estimate that is no plain mean; see `se`."""
    effect: float | None = None
    """A standardised effect: Cohen's dz of a t test, the rank-biserial correlation of Wilcoxon's."""
    effect_ci: tuple[float, float] | None = None
    alternative: Alternative = "two-sided"
    confidence: float = 0.95
    undefined: str | None = None
    """Why there is no result, where there is none."""
    unit: str = ""
    """Of the estimate, where it has one."""
    scope: str = ""
    """What the result speaks for beyond these items: over which words; empty where the words are taken as given."""
    family: str = ""
    """The tests that `p_adj` is corrected with."""
    assumes: tuple[str, ...] = ()
    """What has to be so for `p` and `ci` to hold, in phrases."""
    restrictions: tuple[Restriction, ...] = ()
    """Why it is about fewer items than were given."""
    notes: tuple[str, ...] = ()
    """What a reader has to know with the numbers; whole sentences."""
    interpretable: bool = True
    """Whether a conclusion may be drawn from `p`."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """What belongs to this kind of test only, by name; each test's function lists its own."""

    @property
    def ci_low(self) -> float | None:
        """The lower end of `ci`."""
        return None if self.ci is None else self.ci[0]

    @property
    def ci_high(self) -> float | None:
        """The upper end of `ci`."""
        return None if self.ci is None else self.ci[1]

    @property
    def se(self) -> float | None:
        """The standard error of the estimate: of a plain mean sd / sqrt(n); None for what has none."""
        if self.standard_error is not None:
            return self.standard_error
        return None if self.sd is None else self.sd / math.sqrt(self.n)

    @property
    def note(self) -> str:
        """The notes as one text."""
        return " ".join(self.notes)


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
    test: Result
    n_shared: int
    """Items that are in both sets, by key."""
    relation: Literal["disjoint", "identical", "second inside first", "first inside second", "overlapping"]
    remainder: Result | None
    """Where one set lies inside the other: that set against the items it leaves out, which are separate
    items."""
    caveats: tuple[str, ...]
    """What stands between the tests and their use; notes of each of them, too."""
    repeats: bool = False
    """Whether words repeat over the items of one of them, which then are not independent."""
