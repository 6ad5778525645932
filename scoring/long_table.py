"""The long table for R and pandas: one row per item, condition, region and model."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import islice
from typing import Any

from bank import Bank, ItemFilter, StoredItem, Tokens
from scoring.regions import region_scores
from templates import Paradigm, Sentence

__all__ = ["columns", "long_rows"]


def columns(paradigm: Paradigm) -> list[str]:
    """The columns in order: factors by level and, beside it, by its ±0.5 code."""
    factors = [name for factor in paradigm.factors for name in (factor.name, f"{factor.name}_code")]
    return [
        "paradigm", "dataset", "item", "condition", *factors, "status", "sentence", "region", "region_number",
        "critical", "content", "model", "scorer", "n_tokens", "surprisal", "reason",
    ]  # fmt: skip


def long_rows(
    bank: Bank, selection: ItemFilter, *, scorers: Iterable[int], conditions: Collection[str]
) -> Iterator[dict[str, Any]]:
    """The rows of the selected items in these conditions, surprisal in bits, for each scorer.

    Each item is read with the version of the paradigm that it was made with; all versions must have the same factors and
    conditions, and these `conditions` among them. A value that is undefined is None and `reason` says why; with no scorer
    at all the rows come once, without values. Regions count from 1; a sentence that is not aligned has one row for the
    whole sentence, region ``*``."""
    chosen: list[tuple[int | None, str]] = [(scorer_id, bank.scores.scorer(scorer_id).model) for scorer_id in scorers]
    items = bank.items.iterate(selection)
    while chunk := list(islice(items, 500)):
        versions = {own: bank.paradigms.reading(own) for own in {item.paradigm_id for item in chunk}}
        texts = [s.text for item in chunk for s in item.sentences]
        for scorer_id, model in chosen or [(None, "")]:
            scores = bank.scores.get(scorer_id, texts) if scorer_id is not None else {}
            tail = {"model": model, "scorer": scorer_id}
            for item in chunk:
                for sentence in item.sentences:
                    if sentence.condition in conditions:
                        head = _head(item, sentence, versions[item.paradigm_id])
                        for region in _regions(sentence, versions[item.paradigm_id], scores):
                            yield head | region | tail


def _head(item: StoredItem, sentence: Sentence, paradigm: Paradigm) -> dict[str, Any]:
    condition = paradigm.condition(sentence.condition)
    head: dict[str, Any] = {
        "paradigm": item.paradigm,
        "dataset": item.dataset,
        "item": item.label,
        "condition": condition.name,
    }
    for factor, level in zip(paradigm.factors, condition.levels, strict=True):
        head[factor.name] = level
        head[f"{factor.name}_code"] = factor.codes[level]
    return head | {"status": condition.expected, "sentence": sentence.text}


def _regions(sentence: Sentence, paradigm: Paradigm, scores: dict[str, Tokens]) -> Iterator[dict[str, Any]]:
    score = scores.get(sentence.text)
    if sentence.regions is None:
        # What was measured of it is there all the same, for the sentence as a whole.
        whole = score is not None and score.n_values == len(score.values) > 0
        why = f"no regions: {sentence.why or 'not aligned'}"
        yield {
            "region": "*",
            "region_number": 0,
            "critical": False,
            "content": sentence.text,
            "n_tokens": len(score.values) if score is not None else None,
            "surprisal": float(score.bits.sum()) if score is not None and whole else None,
            "reason": why if score is not None else f"not scored; {why}",
        }
        return
    measured = region_scores(paradigm, sentence, score) if score is not None else {}
    critical = paradigm.condition(sentence.condition).critical
    for number, span in enumerate(sentence.regions, 1):
        value = measured.get(span.name)
        yield {
            "region": span.name,
            "region_number": number,
            "critical": span.name == critical,
            "content": sentence.text[span.start : span.end],
            "n_tokens": value.n_tokens if value is not None else None,
            "surprisal": value.surprisal_bits if value is not None else None,
            "reason": (value.reason or "") if value is not None else "not scored",
        }
