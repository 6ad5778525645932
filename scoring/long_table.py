"""The long table for R and pandas: one row per item, condition, region and model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from bank import Bank, ItemFilter, StoredItem, TokenScores
from scoring.regions import sum_regions
from templates import Design, Paradigm

__all__ = ["columns", "long_rows"]


def columns(paradigm: Paradigm) -> list[str]:
    """The columns in order: factors by level and, beside it, by its ±0.5 code."""
    factors = [name for factor in paradigm.factors for name in (factor.name, f"{factor.name}_code")]
    return [
        "paradigm", "dataset", "item", "condition", *factors, "status", "sentence", "region", "region_number",
        "critical", "content", "model", "scorer", "n_tokens", "surprisal", "reason",
    ]  # fmt: skip


def long_rows(
    bank: Bank, selection: ItemFilter, paradigm: Paradigm, *, scorers: Iterable[int] | None = None, design: Design
) -> Iterator[dict[str, Any]]:
    """The rows of the selected items, surprisal in bits.

    A value that is undefined is None and `reason` says why; with no scorer at all the rows come once, without values.
    Regions count from 1; a sentence that is not aligned has one row for the whole sentence, region ``*``."""
    chosen = list(scorers) if scorers is not None else [scorer_id for scorer_id, _ in bank.scores.scorers()]
    items = bank.items.iterate(selection)
    while chunk := list(islice(items, 500)):
        if not chosen:
            for item in chunk:
                yield from _item_rows(item, paradigm, design, None, "", {})
        for scorer_id in chosen:
            texts = [s.text for item in chunk for s in item.sentences]
            scores = bank.scores.get(scorer_id, texts)
            model = bank.scores.settings(scorer_id).model
            for item in chunk:
                yield from _item_rows(item, paradigm, design, scorer_id, model, scores)


def _item_rows(
    item: StoredItem,
    paradigm: Paradigm,
    design: Design,
    scorer_id: int | None,
    model: str,
    scores: dict[str, TokenScores],
) -> Iterator[dict[str, Any]]:
    for sentence in item.sentences:
        if sentence.condition not in design.conditions:
            continue
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
        head |= {"status": condition.status.value, "sentence": sentence.text}
        tail: dict[str, Any] = {"model": model, "scorer": scorer_id}
        score = scores.get(sentence.text)
        if sentence.regions is None:
            reason = "the sentence is not aligned with the paradigm's regions"
            yield head | _values("*", 0, False, sentence.text, tail, None, None, reason)
            continue
        measured = sum_regions(score, sentence.regions) if score is not None else {}
        for number, span in enumerate(sentence.regions, 1):
            value = measured.get(span.name)
            yield head | _values(
                span.name,
                number,
                span.name == condition.critical,
                sentence.text[span.start : span.end],
                tail,
                value.n_tokens if value is not None else None,
                value.surprisal_bits if value is not None else None,
                (value.reason or "") if value is not None else "not scored",
            )


def _values(
    region: str,
    number: int,
    critical: bool,
    content: str,
    tail: dict[str, Any],
    n_tokens: int | None,
    surprisal: float | None,
    reason: str,
) -> dict[str, Any]:
    return {
        "region": region,
        "region_number": number,
        "critical": critical,
        "content": content,
        **tail,
        "n_tokens": n_tokens,
        "surprisal": surprisal,
        "reason": reason,
    }
