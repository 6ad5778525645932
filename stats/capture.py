"""How many there are of something that two people looked for, each by themselves, from how many both have found.

Two readers find n1 and n2 faults, m of them the same. If they looked independently and every fault is as easy to find as any other,
Lincoln and Petersen's estimate of all faults is n1 n2 / m. Chapman's is nearly unbiased and defined for m = 0:

    N = (n1 + 1)(n2 + 1) / (m + 1) - 1
    var(N) = (n1 + 1)(n2 + 1)(n1 - m)(n2 - m) / ((m + 1)^2 (m + 2))

Chapman, D. G. (1951). Some properties of the hypergeometric distribution with applications to zoological sample censuses.
University of California Publications in Statistics 1, 131-160. Variance: Seber, G. A. F. (1970). The effects of trap response on tag
recapture estimates. Biometrics 26, 13-22. The interval is log-normal in what is left, so that it never goes below what was found:
Chao, A. (1987). Estimating the population size for capture-recapture data with unequal catchability. Biometrics 43, 783-791.

Where readers find the same easy faults, which is usual, m is too large and the estimate too small: it is a lower bound then.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

from gapsmith.stats.checks import check_probability


@dataclass(frozen=True, slots=True)
class Captured:
    """What two people have found, and how much there is likely to be."""

    first: int
    second: int
    both: int
    found: int
    """By either: distinct ones."""
    lincoln_petersen: float | None
    """None where nothing was found by both."""
    estimate: float | None
    """Chapman's, of all there are; None where neither has found anything, which says nothing of how much there is."""
    left: float | None
    """Of these, how many nobody has found."""
    left_low: float | None
    left_high: float | None
    """Both None also where one of the two found nothing that the other did not: the variance is 0 there, which is no certainty."""
    confidence: float


def capture_recapture(first: int, second: int, both: int, *, confidence: float = 0.95) -> Captured:
    """Estimate how many there are from how many each of two found, and how many both.

    Raises ValueError for counts that cannot be."""
    check_probability(confidence, "confidence")
    if not 0 <= both <= min(first, second):
        raise ValueError(f"{both} found by both of {first} and {second} cannot be")
    found = first + second - both
    if not found:
        return Captured(0, 0, 0, 0, None, None, None, None, None, confidence)
    estimate = (first + 1) * (second + 1) / (both + 1) - 1
    variance = (first + 1) * (second + 1) * (first - both) * (second - both) / ((both + 1) ** 2 * (both + 2))
    # Rounding alone can bring it below what was found.
    left = max(estimate - found, 0.0)
    low = high = None
    if left > 0:
        width = math.exp(NormalDist().inv_cdf((1 + confidence) / 2) * math.sqrt(math.log1p(variance / left**2)))
        low, high = left / width, left * width
    petersen = first * second / both if both else None
    return Captured(first, second, both, found, petersen, estimate, left, low, high, confidence)
