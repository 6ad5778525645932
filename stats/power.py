"""What more items would show: from the variances of a pilot, how small an effect a set of a given size finds, and what no number of items
can do for it because its words repeat.

With n items the estimate varies by v_e a / n for what items and readings do, and by v_s c_s(n) for each slot whose words are a sample, where
c_s(n) is the sum of the squared shares that its words have among the items. Words drawn as in the pilot give c_s(n) = 1/n + (n - 1)/n q_s,
so that from some n on it is the words that are too few (Westfall, Kenny & Judd 2014). Over m models that are a sample it varies by v_m / m
besides, and what neither items nor models do by v_l / (n m).

A variance that is estimated as 0 is not known to be 0: it stands at the upper end of its interval.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy

from gapsmith.stats import distributions
from gapsmith.stats.checks import check_probability
from gapsmith.stats.crossed_models import SAMPLE_FROM, ModelVariances, combined
from gapsmith.stats.results import Result
from gapsmith.stats.word_model import INTERVAL_FROM, SlotUse, WordTest, fixed_columns, word_slots

_BAND = 0.80
"""Of the interval of each variance."""
_MOST_ITEMS = 1_000_000
_MOST_WORDS = 10_000
_MOST_MODELS = 10_000


@dataclass(frozen=True, slots=True)
class SlotVariance:
    """A slot whose words are a sample."""

    name: str
    variance: float
    """Of what its words do, in squared units of the estimate."""
    repeat: float
    """The chance that two items have the same word; 1 over the number of words where all are equally frequent."""
    is_bound: bool = False
    """Whether the variance was estimated as 0, and this is the upper end of its interval."""


@dataclass(frozen=True, slots=True)
class ModelSpread:
    """What models do that are a sample of their kind."""

    n: int
    """Models of the pilot."""
    variance: float
    """Of what a model does, in squared units of the estimate."""
    left: float
    """Of what neither items nor models do."""
    low: float
    high: float
    """The variance at the ends of its interval."""
    is_bound: bool = False
    """Whether the variance was estimated as 0, and this is the upper end of its interval."""

    @property
    def usual(self) -> int:
        """The models that are reckoned with where nobody says: as many as the pilot has, and no fewer than make a sample."""
        return max(self.n, SAMPLE_FROM)


@dataclass(frozen=True, slots=True)
class Pilot:
    """The variances that one analysis found, and how sure they are."""

    n: int
    residual: float
    """Of items and readings, in squared units of the estimate."""
    inflation: float
    """How much more than 1/n of it the estimate has, since words that are held fixed are not equally frequent; 1 where none are."""
    n_columns: int
    """Fixed columns, which no item of a new set pays for twice."""
    slots: tuple[SlotVariance, ...]
    alternative: str
    low: tuple[float, tuple[float, ...]] = (0.0, ())
    """The residual and the slots' variances at the lower end of their intervals."""
    high: tuple[float, tuple[float, ...]] = (0.0, ())
    """The same at the upper end; a variance of 0 has one too."""
    models: ModelSpread | None = None
    """Where models are a sample, too; the residual is then that of means over as many models as the pilot has."""

    def at(self, end: str) -> Pilot:
        """The same with all variances at the ``low`` or ``high`` end of their intervals."""
        residual, variances = self.low if end == "low" else self.high
        slots = tuple(replace(slot, variance=own) for slot, own in zip(self.slots, variances, strict=True))
        models = self.models
        if models is not None:
            models = replace(models, variance=models.low if end == "low" else models.high)
        return replace(self, residual=residual, slots=slots, models=models)

    def over(self, models: ModelVariances, n_models: int) -> Pilot:
        """The same, of means over `n_models` models that are a sample, with what they do."""
        df, left = models.df_between, models.left / models.n_items
        ends = [
            models.between * df / float(distributions.chi_square.ppf(share, df)) - left
            for share in ((1 + _BAND) / 2, (1 - _BAND) / 2)
        ]
        low, high = (max(0.0, end) for end in ends)
        found = models.of_models
        return replace(self, models=ModelSpread(n_models, found or high, models.left, low, high, is_bound=not found))


def pilot_of(test: Result, words: WordTest, rows: Sequence[Mapping[str, str]]) -> Pilot | None:
    """The variances behind a test over items with these words; None where it has none, where items do not vary beside their words, or where
    nothing may be concluded from it.

    `test` is the t test over items, or the model that `words` allows; `rows` has the words of each item.
    """
    if not test.interpretable or test.se is None or test.estimate is None:
        return None
    if words.these is None:
        if test.sd is None:
            return None
        variance, df = test.sd**2, test.n - 1
        ends = [variance * df / float(distributions.chi_square.ppf(share, df)) for share in ((1 + _BAND) / 2, (1 - _BAND) / 2)]
        return Pilot(test.n, variance, 1.0, 1, (), test.alternative, (ends[0], ()), (ends[1], ()))
    sds: Mapping[str, float] = words.these.details["sds"]
    residual = float(words.these.details["residual_sd"]) ** 2
    if not residual:
        # Of a 0 there is no interval, and to promise that more items cost nothing would be a guess.
        return None
    n = words.these.n
    slots = tuple(
        SlotVariance(use.name, sds[use.name] ** 2, _repeat([row.get(use.name, "") for row in rows]))
        for use in words.of_use("random")
    )
    columns = fixed_columns(words.slots, rows)
    n_columns = columns.shape[1]
    # Crossed slots share their degrees of freedom; the band is about as wide as beside the slot that takes most.
    df = max(1, n - n_columns - max((use.n_words - 1 for use in words.of_use("random")), default=0))
    ends = [residual * df / float(distributions.chi_square.ppf(share, df)) for share in ((1 + _BAND) / 2, (1 - _BAND) / 2)]
    bands = [_band(slot, use, residual, n, df) for slot, use in zip(slots, words.of_use("random"), strict=True)]
    slots = tuple(
        slot if slot.variance else replace(slot, variance=high, is_bound=True)
        for slot, (_, high) in zip(slots, bands, strict=True)
    )
    return Pilot(
        n=n,
        residual=residual,
        # What fixed words cost that are not equally frequent: 1 where all are.
        inflation=float(len(rows) * np.linalg.inv(columns.T @ columns)[0, 0]),
        n_columns=n_columns,
        slots=slots,
        alternative=test.alternative,
        low=(ends[0], tuple(low for low, _ in bands)),
        high=(ends[1], tuple(high for _, high in bands)),
    )


def pilot_assumed(
    rows: Sequence[Mapping[str, str]], closed: Collection[str] = (), *, share: float, others: bool = False
) -> Pilot:
    """The variances of items with these words if nothing was measured yet, of a value whose variance is 1: the words of each slot that
    is a sample carry `share` of it, or less where all together would carry more than there is, items and readings the rest.

    Which slots are a sample and which are held fixed is what the test of a mean says of these words; with `others` sampled slots that it
    holds fixed are a sample too, where three words or more tell how words vary. Raises ValueError for a share outside (0, 1).
    """
    check_probability(share, "share")
    uses = word_slots(rows, closed)
    if others:
        few = [use for use in uses if use.use == "fixed" and not use.closed and use.n_words >= INTERVAL_FROM]
        uses = tuple(replace(use, use="random", words=()) if use in few else use for use in uses)
    random = [use for use in uses if use.use == "random"]
    each = min(share, 1 / (len(random) + 1))
    # Words that take turns repeat less often than as many that are drawn, but no less than 1 in as many, among ever more items.
    repeats = [max(_repeat([row.get(use.name, "") for row in rows]), 1 / use.n_words) for use in random]
    slots = tuple(SlotVariance(use.name, each, repeat) for use, repeat in zip(random, repeats, strict=True))
    columns = fixed_columns(uses, rows)
    inflation = float(len(rows) * np.linalg.pinv(columns.T @ columns)[0, 0])
    return Pilot(len(rows), 1 - each * len(random), inflation, columns.shape[1], slots, "two-sided")


def _repeat(words: Sequence[str]) -> float:
    """The chance that two different items have the same word, estimated without bias."""
    n = len(words)
    # Items that lack the slot have no word to share.
    counts = np.unique(np.array([word for word in words if word], dtype=object).astype(str), return_counts=True)[1]
    return float((counts * (counts - 1)).sum() / (n * (n - 1))) if n > 1 else 1.0


def _band(slot: SlotVariance, use: SlotUse, residual: float, n: int, df: int) -> tuple[float, float]:
    """The variances of words for which mean squares such as those found are not unlikely: exact for one slot with words equally often
    (Searle, Casella & McCulloch 1992, ch. 3), and so with an upper end where the estimate is 0."""
    per_word = (n - use.n_lacking) / use.n_words
    ratio = 1 + per_word * slot.variance / residual if residual > 0 else math.inf
    if not math.isfinite(ratio):
        return slot.variance, slot.variance
    quantiles = [float(scipy.stats.f.ppf(share, use.n_words - 1, df)) for share in ((1 + _BAND) / 2, (1 - _BAND) / 2)]
    low, high = (max(0.0, (ratio / quantile - 1) * residual / per_word) for quantile in quantiles)
    return low, high


@dataclass(frozen=True, slots=True)
class _Spread:
    """What the estimate of a set varies by."""

    variance: float
    expected: float
    """What its test takes for the variance, on average: more where variances are estimated that are near 0, since none is below it."""
    df: float


def standard_error(pilot: Pilot, n: float, models: float | None = None) -> tuple[float, float]:
    """The standard error that the test of `n` items is expected to have, infinity included, and its degrees of freedom; where models are a
    sample, over as many `models` (infinity included; `ModelSpread.usual` where nobody says)."""
    spread = _spread(pilot, n, models)
    return math.sqrt(spread.expected), spread.df


def _spread(pilot: Pilot, n: float, models: float | None) -> _Spread:
    of_models = pilot.models
    if of_models is None:
        return _over_items(pilot, n)
    m = of_models.usual if models is None else models
    residual = max(0.0, pilot.residual - of_models.left / of_models.n) + of_models.left / m
    own = _over_items(replace(pilot, residual=residual), n)
    if math.isinf(m):
        return own
    both = 0.0 if math.isinf(n) else of_models.left / (n * m)
    df_both = math.inf if math.isinf(n) else (m - 1) * max(1.0, n - 1)
    others = (of_models.variance / m + both, m - 1), (both, df_both)
    se, df = combined((own.expected, own.df), *others)
    return _Spread(combined((own.variance, own.df), *others)[0] ** 2, se**2, df)


def _over_items(pilot: Pilot, n: float) -> _Spread:
    """The same of what items and their words do.

    The variance of the estimate is that of n values of which no two share a word, and, for each slot, what its words add since they repeat. The
    latter is estimated from the slot's mean square less that of items, or as 0 where that is negative. What both
    are on average, and how much they vary, gives the degrees of freedom (Satterthwaite 1946): no fewer than the slot's where the slot is all
    there is, and no more than those of the items. The two parts are taken to vary together, as they do where one word makes much of both.
    """
    share = 0.0 if math.isinf(n) else 1 / n
    of_items = pilot.residual * pilot.inflation * share
    df_items = math.inf if math.isinf(n) else max(1.0, n - pilot.n_columns)
    alone = of_items + sum(slot.variance for slot in pilot.slots) * share
    variance, expected, squares = alone, alone, 0.0
    for slot in pilot.slots:
        together = share + (1 - share) * slot.repeat
        if not together:
            continue
        repeated = 1 - share / together
        # Few items have hardly fewer words than items, which fixed columns then take from these, too.
        df = min(df_items, max(1.0, _distinct(slot.repeat, n) - 1))
        mean, square = _above(of_items + slot.variance * together, of_items, df)
        variance += slot.variance * together * repeated
        expected += mean * repeated
        squares += square * repeated**2
    spread = math.sqrt(squares) + alone * math.sqrt(2 / df_items)
    return _Spread(variance, expected, min(df_items, 2 * expected**2 / spread**2) if spread else df_items)


def _above(mean_square: float, other: float, df: float) -> tuple[float, float]:
    """The mean and the variance of what a mean square with so many degrees of freedom has above another one, or 0."""
    if not mean_square:
        return 0.0, 0.0
    least = other * df / mean_square
    tails = [float(distributions.chi_square.sf(least, df + 2 * power)) for power in range(3)]
    mean = mean_square * tails[1] - other * tails[0]
    square = mean_square**2 * (1 + 2 / df) * tails[2] - 2 * mean_square * other * tails[1] + other**2 * tails[0]
    return mean, max(0.0, square - mean**2)


def _distinct(repeat: float, n: float) -> float:
    """How many different words `n` items are expected to have, all words being equally frequent."""
    if not repeat:
        return n
    return float(1 - (1 - repeat) ** n) / repeat


def half_width(pilot: Pilot, n: float, *, confidence: float = 0.95, models: float | None = None) -> float:
    """Half the two-sided interval that `n` items give; as n grows, what the words leave."""
    check_probability(confidence, "confidence")
    se, df = standard_error(pilot, n, models)
    return float(distributions.t.ppf((1 + confidence) / 2, df)) * se if se else 0.0


def power_of(pilot: Pilot, n: float, effect: float, *, confidence: float = 0.95, models: float | None = None) -> float:
    """The chance that an effect of that size is found with `n` items, by the noncentral t; one-sided where the test is."""
    spread = _spread(pilot, n, models)
    if not spread.variance:
        return float(effect != 0)
    df, alpha = spread.df, 1 - confidence
    sided = alpha if pilot.alternative != "two-sided" else alpha / 2
    critical = float(distributions.t.isf(sided, df)) * math.sqrt(spread.expected / spread.variance)
    shift = abs(effect) / math.sqrt(spread.variance)
    found = float(scipy.stats.nct.sf(critical, df, shift))
    if pilot.alternative == "two-sided":
        below = float(scipy.stats.nct.cdf(-critical, df, shift))
        found += below if math.isfinite(below) else 0.0
    return min(1.0, found)


def smallest_effect(
    pilot: Pilot, n: float, *, power: float = 0.8, confidence: float = 0.95, models: float | None = None
) -> float:
    """The effect that `n` items find with that power, in the unit of the estimate."""
    check_probability(power, "power")
    se, _ = standard_error(pilot, n, models)
    if not se:
        return 0.0

    def lacking(size: float) -> float:
        return power_of(pilot, n, size, confidence=confidence, models=models) - power

    top = se
    while lacking(top) < 0:
        top *= 2
    return float(scipy.optimize.brentq(lacking, 0.0, top, xtol=1e-9 * top)) if lacking(0.0) < 0 else 0.0


def items_for(pilot: Pilot, effect: float, *, power: float = 0.8, confidence: float = 0.95) -> int | None:
    """The fewest items that find an effect of that size with that power; None where no number does, since the words are too few."""
    if power_of(pilot, _MOST_ITEMS, effect, confidence=confidence) < power:
        return None
    low, high = pilot.n_columns + 1, _MOST_ITEMS
    while low < high:
        middle = (low + high) // 2
        if power_of(pilot, middle, effect, confidence=confidence) >= power:
            high = middle
        else:
            low = middle + 1
    return low


def words_for(pilot: Pilot, slot: str, effect: float, *, power: float = 0.8, confidence: float = 0.95) -> int | None:
    """The fewest equally frequent words of one slot with which enough items find the effect, the other slots' lists staying as they are;
    None where no number of them does."""

    def enough(k: int) -> bool:
        slots = tuple(replace(own, repeat=min(own.repeat, 1 / k)) if own.name == slot else own for own in pilot.slots)
        return power_of(replace(pilot, slots=slots), math.inf, effect, confidence=confidence) >= power

    if not enough(_MOST_WORDS):
        return None
    low, high = 2, _MOST_WORDS
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle + 1, high)
    return low


def models_for(pilot: Pilot, n: float, effect: float, *, power: float = 0.8, confidence: float = 0.95) -> int | None:
    """The fewest models over which `n` items find an effect of that size, of those numbers of models that are a sample; None where no number
    does, since the items or their words are too few, or where models are no sample."""
    if pilot.models is None or power_of(pilot, n, effect, confidence=confidence, models=_MOST_MODELS) < power:
        return None
    low, high = SAMPLE_FROM, _MOST_MODELS
    while low < high:
        middle = (low + high) // 2
        if power_of(pilot, n, effect, confidence=confidence, models=middle) >= power:
            high = middle
        else:
            low = middle + 1
    return low
