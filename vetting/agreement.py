"""How far annotators agree, for nominal labels: raw agreement, Cohen's and Fleiss' kappa, Krippendorff's alpha.

All take a `RatingTable`. A value that is not defined is None with a reason, never 0 or 1 by convention: with a single
label in use, chance agreement is certain and the kappas and alpha have no value.

Cohen, J. (1960). A coefficient of agreement for nominal scales. Educational and Psychological Measurement 20.
Fleiss, J. L. (1971). Measuring nominal scale agreement among many raters. Psychological Bulletin 76.
Krippendorff, K. (2011). Computing Krippendorff's alpha-reliability. Departmental papers, University of Pennsylvania.
Efron, B. (1982). The jackknife, the bootstrap and other resampling plans. SIAM. (The infinitesimal jackknife, for the intervals.)
Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference. JASA 22.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

_MIN_UNITS = 2
INTERVAL_UNITS, INTERVAL_LABELS = 20, 10
"""From how many units, and how many labels other than the commonest one, `benchmarks kappa` finds that an interval holds."""


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
    """A chance-corrected coefficient over `n` units, with an interval where simulation bears one out (docs/statistics/agreement.md)."""

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


def cohen_kappa(table: RatingTable, first: str, second: str, *, confidence: float = 0.95) -> AgreementCoefficient:
    """Cohen's kappa of two raters, over the units that both labelled.

    (p_o - p_e) / (1 - p_e), with p_e the sum over labels of the product of the two raters' shares of that label."""
    units = [(labels[first], labels[second]) for labels in table.among((first, second)).units.values()]
    return _coefficient("Cohen's kappa", units, confidence, ordered=True)


def fleiss_kappa(table: RatingTable, *, confidence: float = 0.95) -> AgreementCoefficient:
    """Fleiss' kappa of all raters, over the units that every one of them labelled.

    Mean over units of the share of agreeing pairs, corrected by the sum of the squared shares of the labels."""
    raters = table.raters
    complete = table.among(raters).units.values() if len(raters) >= _MIN_UNITS else ()
    return _coefficient("Fleiss' kappa", [tuple(sorted(labels.values())) for labels in complete], confidence)


def krippendorff_alpha(table: RatingTable, *, confidence: float = 0.95) -> AgreementCoefficient:
    """Krippendorff's alpha for nominal labels, over the units with at least two labels; labels may be missing.

    1 - D_o / D_e over the coincidence matrix, to which a unit with m labels adds each of its ordered pairs with
    weight 1 / (m - 1)."""
    units = [tuple(sorted(labels.values())) for labels in table.units.values() if len(labels) >= _MIN_UNITS]
    return _coefficient("Krippendorff's alpha", units, confidence, small_sample=True)


Pattern = tuple[str, ...]
"""The labels of one unit. Units with the same labels are interchangeable, so only patterns and how often each is there matter."""


def _coefficient(
    name: str, units: Sequence[Pattern], confidence: float, *, ordered: bool = False, small_sample: bool = False
) -> AgreementCoefficient:
    import numpy as np

    n = len(units)
    if n == 0:
        return AgreementCoefficient(name, 0, None, None, None, confidence, "no unit has labels of all who are compared")
    counted = Counter(units)
    coincidences = Coincidences.of(list(counted), ordered=ordered, small_sample=small_sample)
    weights = np.array(list(counted.values()), dtype=float)
    if len(coincidences.labels) == 1:
        return AgreementCoefficient(name, n, None, None, None, confidence, "only one label is used, so chance agrees too")
    estimate = float(coincidences.estimates(weights))
    if reason := _no_interval(units):
        return AgreementCoefficient(name, n, estimate, None, None, confidence, reason)
    low, high = coincidences.intervals(weights, confidence)
    return AgreementCoefficient(name, n, estimate, float(low), float(high), confidence)


def _no_interval(units: Sequence[Pattern]) -> str:
    """Why these units have no interval; empty where they have one."""
    n = len(units)
    if n < INTERVAL_UNITS:
        return f"with {n} in common an interval cannot be trusted; from {INTERVAL_UNITS} on there is one"
    given = Counter(label for pattern in units for label in pattern)
    (commonest, most), *others = given.most_common()
    rest = given.total() - most
    if rest < INTERVAL_LABELS:
        what = f"label {others[0][0]!r} was" if len(others) == 1 else f"labels other than {commonest!r} were"
        times = "once" if rest == 1 else f"{rest} times"
        return f"{what} given {times}, too few for an interval to be trusted; from {INTERVAL_LABELS} times on there is one"
    return ""


@dataclass(frozen=True, slots=True)
class Coincidences:
    """What each pattern adds to the agreement that is there and to that expected by chance, for any number of units of each pattern.

    `benchmarks kappa` takes many tables over the same patterns at a time."""

    labels: tuple[str, ...]
    agreeing: np.ndarray
    """Of each pattern, the share of its pairs of labels that are alike, in [0, 1]."""
    first: np.ndarray
    """Patterns by labels: the share of each label, of two raters told apart that of the first one."""
    second: np.ndarray
    sizes: np.ndarray
    """How many labels a pattern has."""
    small_sample: bool
    """Whether expected disagreement is over pairs of different labels given, as in Krippendorff's alpha."""

    @staticmethod
    def of(patterns: Sequence[Pattern], *, ordered: bool = False, small_sample: bool = False) -> Coincidences:
        """Those of the patterns; with `ordered`, of two raters who are told apart, as in Cohen's kappa."""
        import numpy as np

        labels = tuple(sorted({label for pattern in patterns for label in pattern}))
        counts = np.array([[pattern.count(label) for label in labels] for pattern in patterns], dtype=float)
        sizes = counts.sum(axis=1)
        agreeing = (counts * (counts - 1)).sum(axis=1) / (sizes * (sizes - 1))
        first = second = counts / sizes[:, None]
        if ordered:
            first, second = (
                np.array([[float(pattern[rater] == label) for label in labels] for pattern in patterns]) for rater in (0, 1)
            )
        return Coincidences(labels, agreeing, first, second, sizes, small_sample)

    def estimates(self, weights: np.ndarray) -> np.ndarray:
        """The coefficient for each row of `weights`, which has how many units there are of each pattern; both labels must be in use."""
        return self._parts(weights)[-1]

    def intervals(self, weights: np.ndarray, confidence: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
        """Lower and upper ends for each row of `weights`, which leaves at least two labels in use.

        Infinitesimal jackknife on Fisher's z scale with t, three times: of the data; with one unit added, spread evenly over all pairs
        of labels; with two such units. The widest ends are taken. What is added keeps the ends apart where hardly anybody disagrees or
        a label hardly occurs; the data alone keep the upper end from falling below what they are compatible with, which is 1 where
        nobody disagrees. Where raters are not told apart, agreement by chance is that of Krippendorff's alpha, also for Fleiss' kappa, whose
        own is too high in small samples with many labels."""
        import numpy as np

        padded = self._padded()
        ends = [padded._interval(self._with(weights, units), confidence) for units in (0.0, 1.0, 2.0)]
        lows, highs = zip(*ends, strict=True)
        return np.minimum.reduce(lows), np.maximum.reduce(highs)

    def _with(self, weights: np.ndarray, units: float) -> np.ndarray:
        import numpy as np

        pairs = len(self.labels) ** 2
        return np.concatenate([weights, np.full((*weights.shape[:-1], pairs), units / pairs)], axis=-1)

    def _padded(self) -> Coincidences:
        """With a pattern for each ordered pair of labels."""
        import numpy as np

        own = np.eye(len(self.labels))
        one, other = np.repeat(own, len(own), axis=0), np.tile(own, (len(own), 1))
        apart = self.first is not self.second
        return Coincidences(
            self.labels,
            np.concatenate([self.agreeing, (one * other).sum(axis=1)]),
            np.concatenate([self.first, one if apart else (one + other) / 2]),
            np.concatenate([self.second, other if apart else (one + other) / 2]),
            np.concatenate([self.sizes, np.full(len(one), self.sizes.mean())]),
            not apart,
        )

    def _parts(self, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Observed agreement, shares of labels of the first and the second, agreement by chance, the factor of small samples, coefficient."""
        weighted = weights * self.sizes
        total = weighted.sum(axis=-1)
        observed = weighted @ self.agreeing / total
        first, second = weighted @ self.first / total[..., None], weighted @ self.second / total[..., None]
        expected = (first * second).sum(axis=-1)
        factor = (total - 1) / total if self.small_sample else total / total
        return observed, first, second, expected, factor, 1 - factor * (1 - observed) / (1 - expected)

    def _interval(self, weights: np.ndarray, confidence: float) -> tuple[np.ndarray, np.ndarray]:
        import numpy as np

        # scipy takes half a second, and the review has no use for it before it compares annotators.
        from scipy.stats import t

        observed, first, second, expected, factor, kappa = self._parts(weights)
        n = weights.sum(axis=-1)
        larger = self.sizes / ((weights * self.sizes).sum(axis=-1) / n)[..., None]
        by_chance = first @ self.second.T + second @ self.first.T
        chance = (1 - expected)[..., None]
        influence = larger * (
            (self.agreeing - observed[..., None]) / chance
            - (1 - observed)[..., None] / chance**2 * (by_chance - 2 * expected[..., None])
        )
        influence *= factor[..., None]
        error = np.sqrt((weights * influence**2).sum(axis=-1) / (n * (n - 1)))
        # Where all agree, or are as far apart as can be, the scale has no end and the data no variance.
        inside = np.abs(kappa) < 1 - 1e-12
        kept = np.where(inside, kappa, 0.0)
        half = t.ppf((1 + confidence) / 2, n - 1) * error / (1 - kept**2)
        middle = np.arctanh(kept)
        return np.where(inside, np.tanh(middle - half), kappa), np.where(inside, np.tanh(middle + half), kappa)
