"""From items and token surprisals to region surprisals by condition, each with a reason where it is undefined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bank import StoredItem, Tokens
from scoring.analysis.results import ItemKey
from scoring.regions import RegionScore, region_scores
from templates.model import Paradigm, Sentence, Term

__all__ = ["Cell", "ItemCells", "cells_of", "observation", "term_value"]

NO_SENTENCE = "the item has no sentence in this condition"
TWO_SENTENCES = "the item has two sentences in this condition"
NO_CONDITION = "the item's version of the paradigm has no such condition"


@dataclass(frozen=True, slots=True)
class Cell:
    """One condition of an item: its text, and the surprisal of each region and of ``critical``."""

    text: str
    regions: Mapping[str, RegionScore]


@dataclass(frozen=True, slots=True)
class ItemCells:
    """The cells of one item by condition; a string instead of a cell says why there is none."""

    key: ItemKey
    item: StoredItem
    cells: Mapping[str, Cell | str]


def cells_of(
    items: Sequence[StoredItem], paradigm: Paradigm, forms: Mapping[int, Paradigm], scores: Mapping[str, Tokens]
) -> list[ItemCells]:
    """The conditions of every item, measured in the regions that were stored with its sentences.

    `paradigm` says which region is critical; `forms`, by paradigm id, which conditions an item could have; `scores` by
    text. Sentences that several items share are summed once.
    """
    summed: dict[tuple[tuple[Any, ...], Sentence], Cell] = {}
    result = []
    for item in items:
        own = paradigm.variant(item.slots if item.slots is not None else item.attributes)
        chosen = tuple(item.attributes.get(choice.name) for choice in paradigm.choices)
        cells: dict[str, Cell | str] = {}
        for sentence in item.sentences:
            if sentence.condition in cells:
                cells[sentence.condition] = TWO_SENTENCES
                continue
            if sentence.condition not in paradigm.condition_by_name:
                continue
            key = (chosen, sentence)
            if key not in summed:
                regions = region_scores(own, sentence, scores.get(sentence.text))
                summed[key] = Cell(sentence.text, regions)
            cells[sentence.condition] = summed[key]
        missing = NO_SENTENCE
        if item.expects is not None:
            design = paradigm.design_of(item.expects)
            missing = f"the item has only the cells of {design.name if design else ', '.join(item.expects)}"
        for condition in forms[item.paradigm_id].conditions:
            cells.setdefault(condition.name, missing)
        result.append(ItemCells(ItemKey(item.dataset, item.label), item, cells))
    return result


def term_value(item: ItemCells, term: Term) -> float | str:
    """The surprisal that `term` refers to, in bits and without its sign, or why it is undefined."""
    cell = item.cells.get(term.condition, NO_CONDITION)
    if isinstance(cell, str):
        return cell
    score = cell.regions.get(term.region)
    if score is None:
        return f"the item's version of the paradigm has no region {term.region}"
    if score.surprisal_bits is None:
        return score.reason or "the region has no value"
    return score.surprisal_bits


def observation(item: ItemCells, term: Term) -> str:
    """What a causal model has read for the value of `term`: the text up to the end of the region that is measured."""
    cell = item.cells[term.condition]
    assert isinstance(cell, Cell)
    return cell.text[: cell.regions[term.region].end]
