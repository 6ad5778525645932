"""From items and token surprisals to region surprisals by condition, each with a reason where it is undefined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bank.records import StoredItem, TokenScores
from scoring.analysis.results import ItemKey
from scoring.regions import RegionScore, region_scores
from templates.model import Paradigm, Sentence, Term

__all__ = ["Cell", "ItemCells", "cells_of", "term_value"]

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
    items: Sequence[StoredItem], paradigms: Mapping[int, Paradigm], scores: Mapping[str, TokenScores]
) -> list[ItemCells]:
    """The cells of every item, read with the version of the paradigm that the item was made with.

    `paradigms` by paradigm id, `scores` by text. Sentences that several items share are summed once.
    """
    summed: dict[tuple[int, Sentence], Cell] = {}
    result = []
    for item in items:
        paradigm = paradigms[item.paradigm_id]
        cells: dict[str, Cell | str] = {}
        for sentence in item.sentences:
            if sentence.condition in cells:
                cells[sentence.condition] = TWO_SENTENCES
                continue
            key = (item.paradigm_id, sentence)
            if key not in summed:
                regions = region_scores(paradigm, sentence, scores.get(sentence.text))
                summed[key] = Cell(sentence.text, regions)
            cells[sentence.condition] = summed[key]
        missing = NO_SENTENCE
        if item.design is not None:
            missing = f"the item has only the cells of {item.design}"
        for condition in paradigm.conditions:
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
