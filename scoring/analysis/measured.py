"""From items and token surprisals to region surprisals by condition, each with a reason where it is undefined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bank import StoredItem, Tokens
from scoring.analysis.results import ItemKey
from scoring.regions import RegionScore, region_scores
from templates.formula import Term
from templates.model import Paradigm, Sentence

__all__ = ["MeasuredSentence", "MeasuredItem", "measured_items", "observation", "term_value"]

NO_SENTENCE = "the item has no sentence in this condition"
TWO_SENTENCES = "the item has two sentences in this condition"
NO_CONDITION = "the item's version of the paradigm has no such condition"


@dataclass(frozen=True, slots=True)
class MeasuredSentence:
    """One condition of an item: its text, and the surprisal of each region and of ``critical``."""

    text: str
    regions: Mapping[str, RegionScore]


@dataclass(frozen=True, slots=True)
class MeasuredItem:
    """The sentences of one item by condition; a string instead of one says why there is none."""

    key: ItemKey
    item: StoredItem
    sentences: Mapping[str, MeasuredSentence | str]

    def text(self, condition: str) -> str:
        """The text of its sentence in that condition, which it must have."""
        found = self.sentences[condition]
        assert isinstance(found, MeasuredSentence)
        return found.text


def measured_items(
    items: Sequence[StoredItem], paradigm: Paradigm, forms: Mapping[int, Paradigm], scores: Mapping[str, Tokens]
) -> list[MeasuredItem]:
    """The conditions of every item, measured in the regions that were stored with its sentences.

    `paradigm` says which region is critical; `forms`, by paradigm id, which conditions an item could have; `scores` by
    text. Sentences that several items share are summed once.
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
                regions = region_scores(own, sentence, scores.get(sentence.text))
                summed[key] = MeasuredSentence(sentence.text, regions)
            measured[sentence.condition] = summed[key]
        missing = NO_SENTENCE
        if item.expects is not None:
            design = paradigm.design_of(item.expects)
            missing = f"the item has only the conditions of {design.name if design else ', '.join(item.expects)}"
        for condition in forms[item.paradigm_id].conditions:
            measured.setdefault(condition.name, missing)
        result.append(MeasuredItem(ItemKey(item.dataset, item.label), item, measured))
    return result


def term_value(item: MeasuredItem, term: Term) -> float | str:
    """The surprisal that `term` refers to, in bits and without its sign, or why it is undefined."""
    found = item.sentences.get(term.condition, NO_CONDITION)
    if isinstance(found, str):
        return found
    score = found.regions.get(str(term.place))
    if score is None:
        return f"the item's version of the paradigm has no region {term.place}"
    if score.surprisal_bits is None:
        return score.reason or "the region has no value"
    return score.surprisal_bits


def observation(item: MeasuredItem, term: Term) -> str:
    """What a causal model has read for the value of `term`: the text up to the end of the region that is measured."""
    found = item.sentences[term.condition]
    assert isinstance(found, MeasuredSentence)
    return item.text(term.condition)[: found.regions[str(term.place)].end]
