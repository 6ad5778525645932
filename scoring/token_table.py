"""Surprisal token by token and word by word, each with the region it lies in."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice
from typing import Any

from gapsmith.bank import NAMING, Bank, ItemFilter, StoredItem, Tokens, anchor, naming
from gapsmith.scoring.observations import measured_text, value_of, words_of
from gapsmith.templates import DEFAULT_MEASURE, MEASURES, Sentence

_HEAD = ("paradigm", "dataset", "item", "condition", "model", "revision", "revision_name", "scorer")
TOKEN_COLUMNS = (*_HEAD, "number", "token", "token_id", "start", "end", "region", "surprisal", "reason", *NAMING)
WORD_COLUMNS = (*_HEAD, "number", "word", "start", "end", "region", "n_tokens", "surprisal", "reason", *NAMING)


def token_rows(bank: Bank, selection: ItemFilter, scorer_id: int, conditions: Collection[str]) -> Iterator[dict[str, Any]]:
    """One row per token, numbered from 1, surprisal in bits; None and a reason where it has no value.

    A token belongs to the region that holds its first character that is not white space. A sentence that was not scored has none.
    """
    for head, sentence, tokens in _measured(bank, selection, scorer_id, conditions):
        for number, (start, end) in enumerate(tokens.spans.tolist()):
            value = float(tokens.bits[number])
            yield head | {
                "number": number + 1,
                "token": tokens.text[start:end],
                "token_id": None if tokens.ids is None else tokens.ids[number],
                "start": start,
                "end": end,
                "region": _region(sentence, anchor(tokens.text, start)),
                **_value(value, tokens, number),
            }


def word_rows(bank: Bank, selection: ItemFilter, scorer_id: int, conditions: Collection[str]) -> Iterator[dict[str, Any]]:
    """One row per word between white space, numbered from 1: the sum over the tokens that begin in it, in bits.

    Undefined, with the reason, where one of its tokens has no value or none begins in it, and where a value is of a region that
    holds more words.
    """
    scorer = bank.scores.scorer(scorer_id)
    for head, sentence, tokens in _measured(bank, selection, scorer_id, conditions):
        text = measured_text(tokens, scorer=scorer)
        for number, (start, end) in enumerate(words_of(tokens.text), 1):
            value = value_of(text, (start, end), MEASURES[DEFAULT_MEASURE], of_word=True)
            yield head | {
                "number": number,
                "word": tokens.text[start:end],
                "start": start,
                "end": end,
                "region": _region(sentence, start),
                "n_tokens": None if scorer.by_region else value.n_tokens,
                "surprisal": value.number,
                "reason": value.reason or "",
            }


def _measured(
    bank: Bank, selection: ItemFilter, scorer_id: int, conditions: Collection[str]
) -> Iterator[tuple[dict[str, Any], Sentence, Tokens]]:
    scorer = bank.scores.scorer(scorer_id)
    revision = scorer.revision, bank.scores.revision_name(scorer)
    items = bank.items.iterate(selection)
    while chunk := list(islice(items, 500)):
        scores = bank.scores.get(scorer_id, [sentence.text for item in chunk for sentence in item.sentences])
        for item in chunk:
            for sentence in item.sentences:
                tokens = scores.get(sentence.text)
                if tokens is not None and sentence.condition in conditions:
                    yield _head(item, sentence, (scorer.model, *revision, scorer_id)), sentence, tokens


def _head(item: StoredItem, sentence: Sentence, of_scorer: tuple[str, str, str, int]) -> dict[str, Any]:
    values = (item.paradigm, item.dataset, item.label, sentence.condition, *of_scorer)
    return dict(zip(_HEAD, values, strict=True)) | naming(item)


def _region(sentence: Sentence, place: int) -> str | None:
    return next((span.name for span in sentence.regions or () if span.start <= place < span.end), None)


def _value(value: float, tokens: Tokens, number: int) -> dict[str, Any]:
    if value != value:
        return {"surprisal": None, "reason": tokens.reason or f"{tokens.piece(number)!r} was not measured"}
    return {"surprisal": value, "reason": ""}
