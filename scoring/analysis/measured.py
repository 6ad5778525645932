"""From items and token surprisals to region surprisals by condition, each with a reason where it is undefined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from gapsmith.bank import Scorer, StoredItem, Tokens
from gapsmith.scoring.analysis.results import ItemKey
from gapsmith.scoring.item_values import ItemValues, Reading, measured_text
from gapsmith.scoring.region_scores import RegionScore, region_scores
from gapsmith.templates import Measure, MeasuredText, Paradigm, Place, Sentence, Unigrams

NO_SENTENCE = "the item has no sentence in this condition"
TWO_SENTENCES = "the item has two sentences in this condition"
NO_CONDITION = "the item's version of the paradigm has no such condition"


@dataclass(frozen=True, eq=False)
class MeasuredSentence:
    """One condition of an item: its text, and the surprisal of each region and of ``critical``."""

    text: str
    sentence: Sentence
    tokens: MeasuredText | None
    """What the model says of its tokens; None where it has not been scored."""
    critical: str | None
    """The name of its critical region."""
    paradigm: Paradigm = field(repr=False)
    """The variant of its item, which says what its regions are."""

    @cached_property
    def regions(self) -> Mapping[str, RegionScore]:
        """The surprisal of each region, and of ``critical``."""
        return region_scores(self.paradigm, self.sentence, self.tokens)

    @cached_property
    def known(self) -> dict[tuple[str, bool], dict[Place, Reading]]:
        """What has been computed of it, by measure and whether corrected, for all items that have it."""
        return {}


@dataclass(frozen=True)
class MeasuredItem:
    """The sentences of one item by condition; a string instead of one says why there is none."""

    key: ItemKey
    item: StoredItem
    sentences: Mapping[str, MeasuredSentence | str]
    conditions: tuple[str, ...] = ()
    """The conditions of today's paradigm."""
    unigrams: Unigrams | str | None = field(default=None, repr=False)
    by_whole_text: bool = False
    """Whether each whole text is an observation under its scorer, as `gapsmith.scoring.item_values.reads_whole_texts` has it."""

    def values(self, by: Measure, *, corrected: bool = False) -> ItemValues:
        """What its sentences come to under a measure, at any place; `corrected` for word boundaries or not."""
        key = by.name, corrected
        if key not in self._values:
            self._values[key] = self._measured(by, corrected)
        return self._values[key]

    @cached_property
    def _values(self) -> dict[tuple[str, bool], ItemValues]:
        return {}

    def _measured(self, by: Measure, corrected: bool) -> ItemValues:
        whys = dict.fromkeys(self.conditions, NO_CONDITION)
        texts: dict[str, MeasuredText] = {}
        own: dict[str, MeasuredSentence] = {}
        for condition, found in self.sentences.items():
            if isinstance(found, str):
                whys[condition] = found
                continue
            own[condition] = found
            if found.sentence.regions is None:
                whys[condition] = f"nobody can say where its regions lie: {found.sentence.why or 'not aligned'}"
            if found.tokens is not None and corrected and found.tokens.boundary is None:
                whys[condition] = "scored without the mass of word boundaries (`gapsmith score --boundary` adds it)"
            elif found.tokens is not None:
                texts[condition] = found.tokens
            else:
                whys[condition] = "the sentence has not been scored"
        return ItemValues(
            texts,
            {condition: found.sentence.regions for condition, found in own.items()},
            by,
            critical={condition: found.critical for condition, found in own.items() if found.critical is not None},
            unigrams=self.unigrams,
            corrected=corrected,
            whys=whys,
            by_whole_text=self.by_whole_text,
            known={
                condition: found.known.setdefault((by.name, corrected), {})
                for condition, found in own.items()
                if condition in texts
            },
        )


def measured_items(
    items: Sequence[StoredItem],
    paradigm: Paradigm,
    forms: Mapping[int, Paradigm],
    scores: Mapping[str, Tokens],
    *,
    scorer: Scorer | None = None,
    unigrams: Unigrams | str | None = None,
    by_whole_text: bool = False,
) -> list[MeasuredItem]:
    """The conditions of every item, measured in the regions that were stored with its sentences.

    `paradigm` says which region is critical; `forms`, by paradigm id, which conditions an item could have; `scores` by
    text, of `scorer`. Sentences that several items share are summed once. `unigrams` is what SLOR needs, or why there is none;
    `by_whole_text` is what `gapsmith.scoring.item_values.reads_whole_texts` has of the scorer.
    """
    summed: dict[tuple[tuple[Any, ...], Sentence], MeasuredSentence] = {}
    result = []
    for item in items:
        own = paradigm.variant(item.slots if item.slots is not None else item.attributes)
        chosen = tuple(item.attributes.get(choice.name) for choice in paradigm.choices)
        measured: dict[str, MeasuredSentence | str] = {}
        for sentence in item.sentences:
            if sentence.condition in measured:
                measured[sentence.condition] = TWO_SENTENCES
                continue
            if sentence.condition not in paradigm.condition_by_name:
                continue
            key = (chosen, sentence)
            if key not in summed:
                found = scores.get(sentence.text)
                critical = own.condition(sentence.condition).critical
                tokens = measured_text(found, scorer=scorer) if found is not None else None
                summed[key] = MeasuredSentence(sentence.text, sentence, tokens, critical, own)
            measured[sentence.condition] = summed[key]
        only = NO_SENTENCE
        if item.expects is not None:
            design = paradigm.design_of(item.expects)
            only = f"the item has only the conditions of {design.name if design else ', '.join(item.expects)}"
        for condition in forms[item.paradigm_id].conditions:
            wanted = item.expects is None or condition.name in item.expects
            measured.setdefault(condition.name, NO_SENTENCE if wanted else only)
        result.append(
            MeasuredItem(
                ItemKey(item.dataset, item.label), item, measured, tuple(paradigm.condition_by_name), unigrams, by_whole_text
            )
        )
    return result
