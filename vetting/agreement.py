"""How far annotators agree, for nominal labels: raw agreement, Cohen's and Fleiss' kappa, Krippendorff's alpha.

All take a `RatingTable`. A value that is not defined is None with a reason, never 0 or 1 by convention: with a single
label in use, chance agreement is certain and the kappas and alpha have no value.

Cohen, J. (1960). A coefficient of agreement for nominal scales. Educational and Psychological Measurement 20.
Fleiss, J. L. (1971). Measuring nominal scale agreement among many raters. Psychological Bulletin 76.
Krippendorff, K. (2011). Computing Krippendorff's alpha-reliability. Departmental papers, University of Pennsylvania.
Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference. JASA 22.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import numpy as np

_MIN_UNITS = 2


@dataclass(frozen=True)
class RatingTable:
    """Labels by unit and rater. A unit is what is labelled: an item, or a sentence."""

    units: Mapping[Hashable, Mapping[str, str]]
    """Unit to {rater: label}; a rater who did not label a unit is not in its mapping."""

    @property
    def raters(self) -> tuple[str, ...]:
        """Everybody who labelled something, by name."""
        return tuple(sorted({rater for labels in self.units.values() for rater in labels}))

    def among(self, raters: Sequence[str]) -> RatingTable:
        """Only these raters' labels, and only the units that all of them labelled."""
        return RatingTable(
            {
                unit: {rater: labels[rater] for rater in raters}
                for unit, labels in self.units.items()
                if all(rater in labels for rater in raters)
            }
        )


@dataclass(frozen=True, slots=True)
class Proportion:
    """`hits` of `n` units, with Wilson's interval. `estimate`, `low` and `high` are None where n is 0."""

    hits: int
    n: int
    estimate: float | None
    low: float | None
    high: float | None
    confidence: float


@dataclass(frozen=True, slots=True)
class AgreementCoefficient:
    """A chance-corrected coefficient over `n` units, with a percentile bootstrap interval over units."""

    name: str
    n: int
    estimate: float | None
    low: float | None
    high: float | None
    confidence: float
    reason: str = ""
    """Why there is no estimate or no interval."""


def unanimity(table: RatingTable, confidence: float = 0.95) -> Proportion:
    """The share of units on which all who labelled them agree, among units with at least two labels."""
    rated = [labels for labels in table.units.values() if len(labels) >= _MIN_UNITS]
    return _proportion(sum(len(set(labels.values())) == 1 for labels in rated), len(rated), confidence)


def pairwise_agreement(table: RatingTable, first: str, second: str, confidence: float = 0.95) -> Proportion:
    """The share of the units labelled by both on which two raters agree."""
    both = table.among((first, second)).units.values()
    return _proportion(sum(labels[first] == labels[second] for labels in both), len(both), confidence)


def _proportion(hits: int, n: int, confidence: float) -> Proportion:
    if n == 0:
        return Proportion(0, 0, None, None, None, confidence)
    # scipy takes half a second, and the review has no use for it before it compares annotators.
    from gapsmith.stats import wilson_interval

    low, high = wilson_interval(hits, n, confidence=confidence)
    return Proportion(hits, n, hits / n, low, high, confidence)


def cohen_kappa(
    table: RatingTable,
    first: str,
    second: str,
    *,
    rng: np.random.Generator,
    confidence: float = 0.95,
    resamples: int = 2000,
) -> AgreementCoefficient:
    """Cohen's kappa of two raters, over the units that both labelled.

    (p_o - p_e) / (1 - p_e), with p_e the sum over labels of the product of the two raters' shares of that label.
    Resamples in which it is undefined are left out of the interval."""
    units = [(labels[first], labels[second]) for labels in table.among((first, second)).units.values()]
    return _coefficient("Cohen's kappa", units, _cohen, rng, confidence, resamples)


def fleiss_kappa(
    table: RatingTable, *, rng: np.random.Generator, confidence: float = 0.95, resamples: int = 2000
) -> AgreementCoefficient:
    """Fleiss' kappa of all raters, over the units that every one of them labelled.

    Mean over units of the share of agreeing pairs, corrected by the sum of the squared shares of the labels."""
    raters = table.raters
    complete = table.among(raters).units.values() if len(raters) >= _MIN_UNITS else ()
    units = [tuple(sorted(labels.values())) for labels in complete]
    return _coefficient("Fleiss' kappa", units, _fleiss, rng, confidence, resamples)


def krippendorff_alpha(
    table: RatingTable, *, rng: np.random.Generator, confidence: float = 0.95, resamples: int = 2000
) -> AgreementCoefficient:
    """Krippendorff's alpha for nominal labels, over the units with at least two labels; labels may be missing.

    1 - D_o / D_e over the coincidence matrix, to which a unit with m labels adds each of its ordered pairs with
    weight 1 / (m - 1)."""
    units = [tuple(sorted(labels.values())) for labels in table.units.values() if len(labels) >= _MIN_UNITS]
    return _coefficient("Krippendorff's alpha", units, _krippendorff, rng, confidence, resamples)


Pattern = tuple[str, ...]
"""The labels of one unit. Units with the same labels are interchangeable, so only patterns and counts are resampled."""
Statistic: TypeAlias = "Callable[[Sequence[Pattern], np.ndarray], float | None]"


def _coefficient(
    name: str,
    units: Sequence[Pattern],
    statistic: Statistic,
    rng: np.random.Generator,
    confidence: float,
    resamples: int,
) -> AgreementCoefficient:
    import numpy as np

    n = len(units)
    if n == 0:
        return AgreementCoefficient(name, 0, None, None, None, confidence, "no unit has labels of all who are compared")
    counted = Counter(units)
    patterns = list(counted)
    weights = np.array([counted[pattern] for pattern in patterns], dtype=float)
    estimate = statistic(patterns, weights)
    if estimate is None:
        return AgreementCoefficient(name, n, None, None, None, confidence, "only one label is used, so chance agrees too")
    draws = rng.multinomial(n, weights / n, size=resamples)
    values = [value for draw in draws if (value := statistic(patterns, draw.astype(float))) is not None]
    if len(patterns) == 1 or len(values) < resamples / 2:
        return AgreementCoefficient(name, n, estimate, None, None, confidence, "too few units for an interval")
    tail = (1 - confidence) / 2
    low, high = np.quantile(values, [tail, 1 - tail])
    return AgreementCoefficient(name, n, estimate, float(low), float(high), confidence)


def _corrected(observed: float, expected: float) -> float | None:
    return None if expected >= 1 - 1e-12 else (observed - expected) / (1 - expected)


def _cohen(patterns: Sequence[Pattern], weights: np.ndarray) -> float | None:
    total = weights.sum()
    observed = 0.0
    first: Counter[str] = Counter()
    second: Counter[str] = Counter()
    for (a, b), weight in zip(patterns, weights.tolist(), strict=True):
        observed += weight * (a == b)
        first[a] += weight
        second[b] += weight
    expected = sum(first[label] * second[label] for label in first) / (total * total)
    return _corrected(observed / total, expected)


def _fleiss(patterns: Sequence[Pattern], weights: np.ndarray) -> float | None:
    raters = len(patterns[0])
    total = weights.sum()
    shares: Counter[str] = Counter()
    observed = 0.0
    for pattern, weight in zip(patterns, weights.tolist(), strict=True):
        counts = Counter(pattern)
        observed += weight * sum(c * (c - 1) for c in counts.values()) / (raters * (raters - 1))
        for label, count in counts.items():
            shares[label] += weight * count
    expected = sum(share * share for share in shares.values()) / (total * raters) ** 2
    return _corrected(observed / total, expected)


def _krippendorff(patterns: Sequence[Pattern], weights: np.ndarray) -> float | None:
    shares: Counter[str] = Counter()
    agreeing = 0.0
    for pattern, weight in zip(patterns, weights.tolist(), strict=True):
        counts = Counter(pattern)
        agreeing += weight * sum(c * (c - 1) for c in counts.values()) / (len(pattern) - 1)
        for label, count in counts.items():
            shares[label] += weight * count
    n = sum(shares.values())
    if n <= 1:
        return None
    observed_disagreement = (n - agreeing) / n
    expected_disagreement = (n * n - sum(share * share for share in shares.values())) / (n * (n - 1))
    return None if expected_disagreement <= 1e-12 else 1 - observed_disagreement / expected_disagreement
