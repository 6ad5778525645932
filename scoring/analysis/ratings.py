"""What people say of single sentences beside what the model says of them: acceptability by condition, and the rank
correlation of a sentence's mean rating with its surprisal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean

from gapsmith.bank import Bank, StoredItem
from gapsmith.scoring.analysis.results import AnalysisOptions, ConditionMean, ConditionRating, RatedScale
from gapsmith.scoring.copies import wording
from gapsmith.scoring.observations import ItemKey
from gapsmith.stats import Result, one_sample_t, rank_correlation

CATEGORIES = {"*": 1, "?": 2, "ok": 3}
"""Where no scale of points was used, as numbers: from bad to good."""


def rated_scales(
    bank: Bank,
    paradigm: str,
    items: Sequence[StoredItem],
    conditions: Sequence[ConditionMean],
    options: AnalysisOptions,
) -> tuple[RatedScale, ...]:
    """The judgements of sentences that were shown alone (`gapsmith review --judge`), on the texts of these items as they
    stand, one entry for each scale that was used; those made beside an item's other sentences are left out, because
    they were made in sight of what is expected.

    A sentence's rating is the mean over its judges, a condition's the mean over its sentences. Items of the very same sentences
    are one."""
    firsts: dict[object, ItemKey] = {}
    keys = {item.id: firsts.setdefault(wording(item), ItemKey(item.dataset, item.label)) for item in items}
    by_scale: dict[int | None, dict[tuple[str, ItemKey], list[float]]] = defaultdict(lambda: defaultdict(list))
    people: dict[int | None, set[str]] = defaultdict(set)
    for one in bank.review.norms(paradigm=paradigm):
        if one.item_id in keys:
            value = float(one.rating) if one.points is not None else float(CATEGORIES[one.rating])
            by_scale[one.points][one.condition, keys[one.item_id]].append(value)
            people[one.points].add(one.author)
    unnumbered: list[int | None] = [None] if None in by_scale else []
    return tuple(
        _scale(points, by_scale[points], len(people[points]), conditions, options)
        for points in (*unnumbered, *sorted(points for points in by_scale if points is not None))
    )


def _mean(values: list[float], confidence: float) -> Result:
    # No hypothesis is about a mean rating of 0.
    found = one_sample_t(values, confidence=confidence)
    return replace(found, test="mean", statistic=None, df=None, p=None, effect=None)


def _scale(
    points: int | None,
    judged: dict[tuple[str, ItemKey], list[float]],
    n_people: int,
    conditions: Sequence[ConditionMean],
    options: AnalysisOptions,
) -> RatedScale:
    found = []
    ratings: list[float] = []
    surprisals: list[float] = []
    groups: list[ItemKey] = []
    for condition in conditions:
        own = {key: values for (name, key), values in judged.items() if name == condition.name}
        means = {key: fmean(values) for key, values in own.items()}
        both = [key for key in means if key in condition.values]
        found.append(
            ConditionRating(
                name=condition.name,
                label=condition.label,
                n_ratings=sum(map(len, own.values())),
                rating=_mean(list(means.values()), options.confidence),
                n_measured=len(both),
                measure=fmean(condition.values[key] for key in both) if both else None,
            )
        )
        ratings += [means[key] for key in both]
        surprisals += [condition.values[key] for key in both]
        groups += both
    return RatedScale(
        points, n_people, tuple(found), rank_correlation(ratings, surprisals, groups, confidence=options.confidence)
    )
