"""What people say of single sentences beside what the model says of them: acceptability by condition, and the rank
correlation of a sentence's mean rating with its surprisal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from gapsmith.bank import Bank, StoredItem
from gapsmith.scoring.analysis.results import AnalysisOptions, ConditionMean, ConditionRating, RatedScale
from gapsmith.scoring.copies import in_name_order, wording
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

    A judgement is one observation of a person. A sentence's rating is the mean over its judgements, whichever items have it in
    the condition, and a condition's the mean over its sentences. Items of the very same sentences are one."""
    norms = bank.review.norms(paradigm=paradigm)
    if not norms:
        return ()
    ordered = in_name_order(items)
    firsts: dict[object, ItemKey] = {}
    having: dict[Judged, list[ItemKey]] = {}
    groups: dict[Judged, ItemKey] = {}
    texts: dict[tuple[int, str], str] = {}
    for item in ordered:
        key = ItemKey(item.dataset, item.label)
        group = firsts.setdefault(wording(item), key)
        for sentence in item.sentences:
            if (item.id, sentence.condition) not in texts:
                texts[item.id, sentence.condition] = sentence.text
                having.setdefault((sentence.condition, sentence.text), []).append(key)
                groups.setdefault((sentence.condition, sentence.text), group)
    by_scale: dict[int | None, dict[Judged, list[float]]] = defaultdict(lambda: defaultdict(list))
    people: dict[int | None, set[str]] = defaultdict(set)
    for one in norms:
        text = texts.get((one.item_id, one.condition))
        if text is not None:
            value = float(one.rating) if one.points is not None else float(CATEGORIES[one.rating])
            by_scale[one.points][one.condition, text].append(value)
            people[one.points].add(one.author)
    sentences = _Rated(having, groups)
    unnumbered: list[int | None] = [None] if None in by_scale else []
    return tuple(
        _scale(points, by_scale[points], len(people[points]), conditions, sentences, options)
        for points in (*unnumbered, *sorted(points for points in by_scale if points is not None))
    )


Judged = tuple[str, str]
"""A condition and a sentence of it."""


@dataclass(frozen=True, slots=True)
class _Rated:
    """The sentences of the items."""

    having: Mapping[Judged, Sequence[ItemKey]]
    """The items that have each."""
    groups: Mapping[Judged, ItemKey]
    """One of these items, so that the sentences of an item are drawn together."""

    def measured(self, sentence: Judged, values: Mapping[ItemKey, float]) -> float | None:
        """The sentence's value, on average over its items, which can stand behind different contexts."""
        found = [values[key] for key in self.having[sentence] if key in values]
        return fmean(found) if found else None


def _mean(values: list[float], confidence: float) -> Result:
    # No hypothesis is about a mean rating of 0.
    found = one_sample_t(values, confidence=confidence)
    return replace(found, test="mean", statistic=None, df=None, p=None, effect=None)


def _scale(
    points: int | None,
    judged: Mapping[Judged, list[float]],
    n_people: int,
    conditions: Sequence[ConditionMean],
    sentences: _Rated,
    options: AnalysisOptions,
) -> RatedScale:
    found = []
    ratings: list[float] = []
    surprisals: list[float] = []
    groups: list[ItemKey] = []
    for condition in conditions:
        own = {sentence: values for sentence, values in sorted(judged.items()) if sentence[0] == condition.name}
        means = {sentence: fmean(values) for sentence, values in own.items()}
        known = {sentence: sentences.measured(sentence, condition.values) for sentence in means}
        measures = {sentence: value for sentence, value in known.items() if value is not None}
        found.append(
            ConditionRating(
                name=condition.name,
                label=condition.label,
                n_ratings=sum(map(len, own.values())),
                rating=_mean(list(means.values()), options.confidence),
                n_measured=len(measures),
                measure=fmean(measures.values()) if measures else None,
                status=condition.status,
            )
        )
        ratings += [means[sentence] for sentence in measures]
        surprisals += measures.values()
        groups += [sentences.groups[sentence] for sentence in measures]
    return RatedScale(
        points, n_people, tuple(found), rank_correlation(ratings, surprisals, groups, confidence=options.confidence)
    )
