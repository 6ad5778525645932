"""Scoring the items of a bank: every distinct sentence once, kept block by block, so that a stopped run goes on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from bank import Bank
from bank.records import ItemFilter, ItemStatus, Scorer
from scoring.lm import Engine, Request
from templates.errors import GapsmithError
from templates.formula import CRITICAL_PLACE
from templates.measures import Span, locate
from templates.model import Paradigm, Sentence

Progress = Callable[[int, int], None]
"""Called with the number of texts that have scores in the bank, and the number there will be."""


class NothingToScoreError(GapsmithError):
    """No item is there to be scored, or none is approved; exit code 1."""


@dataclass(frozen=True, slots=True)
class Selected:
    """What is to be scored."""

    n_items: int
    n_sentences: int
    texts: tuple[str, ...]
    """The distinct texts of the sentences, in the order of the items."""
    spans: Mapping[str, tuple[Span, ...]] | None = None
    """By text, the characters ``[start, end)`` that predictions are about; None where whole sentences are wanted."""


@dataclass(frozen=True, slots=True)
class ScoreReport:
    """What a scoring run found and did."""

    scorer_id: int
    scorer: Scorer
    provenance: Mapping[str, Any]
    """How the values are computed: engine, device, batch, library versions."""
    n_items: int
    n_sentences: int
    n_texts: int
    """Distinct texts among the sentences."""
    n_present: int
    """Texts that this scorer had measured before."""
    n_scored: int
    """Texts that this run has measured."""
    seconds: float
    undefined: Mapping[str, str] = field(default_factory=dict)
    """Text to reason, for the texts of this run of which no token has a value."""
    partial: Mapping[str, str] = field(default_factory=dict)
    """Text to reason, for the texts of this run of which some tokens have no value."""


def select_texts(
    bank: Bank, selection: ItemFilter, *, everything: bool = False, critical_only: bool = False
) -> Selected:
    """The texts of the approved items among `selection`; of all of them with `everything`, whatever was decided; with
    `critical_only`, only what today's contrasts and criteria measure in them.

    Raises `NothingToScoreError` where there is no such item, saying what there is and what to do.
    """
    chosen = selection if everything else replace(selection, statuses=(ItemStatus.APPROVED,))
    n_items, n_sentences = 0, 0
    texts: dict[str, None] = {}
    spans: dict[str, tuple[Span, ...]] = {}
    measured: dict[str, Paradigm] = {}
    for item in bank.items.iterate(chosen):
        n_items += 1
        n_sentences += len(item.sentences)
        texts.update(dict.fromkeys(sentence.text for sentence in item.sentences))
        if critical_only:
            if item.paradigm not in measured:
                measured[item.paradigm] = bank.paradigms.current(item.paradigm).paradigm
            paradigm = measured[item.paradigm].variant(item.slots if item.slots is not None else item.attributes)
            for sentence in item.sentences:
                known = spans.get(sentence.text, ())
                spans[sentence.text] = tuple(dict.fromkeys([*known, *_measured_in(paradigm, sentence)]))
    if n_items == 0:
        raise _nothing(bank, selection)
    return Selected(n_items, n_sentences, tuple(texts), spans if critical_only else None)


def _measured_in(paradigm: Paradigm, sentence: Sentence) -> Iterator[Span]:
    """Where the contrasts and criteria look in a sentence; all of it where they look nowhere that can be found."""
    condition = paradigm.condition_by_name.get(sentence.condition)
    critical = None if condition is None else condition.critical
    places = {CRITICAL_PLACE}
    places.update(t.place for c in paradigm.contrasts for t in c.terms if t.condition == sentence.condition)
    places.update(o.place for c in paradigm.criteria for o in c.formula.operands if o.condition == sentence.condition)
    spans = [locate(place, sentence.text, sentence.regions, critical=critical) for place in places]
    found = [span for span in spans if not isinstance(span, str)]
    yield from found or [(0, len(sentence.text))]


def score_selected(
    bank: Bank,
    engine: Engine,
    selected: Selected,
    *,
    progress: Progress | None = None,
    revision: str | None = None,
    boundary: bool = False,
) -> ScoreReport:
    """Score the texts that the engine's settings have no scores for yet; each block is committed as it comes.

    A run that is stopped at any moment loses at most the block it was computing, and the next one goes on from there. Raises
    `ModelError` where the model fails. `revision` is the name by which the model's revision was asked for, for the record;
    `boundary` asks for the mass of word boundaries too, which the correction for them needs.
    """
    started = time.monotonic()
    scorer_id = bank.scores.register(engine.model, engine.revision, engine.identity)
    missing = bank.scores.missing(scorer_id, selected.texts, boundary=boundary, spans=selected.spans)
    total = len(selected.texts)
    done = total - len(missing)
    undefined: dict[str, str] = {}
    partial: dict[str, str] = {}
    if progress is not None:
        progress(done, total)
    provenance = {**engine.provenance, **({} if revision is None else {"revision": revision})}
    block = bank.scores.block(scorer_id, provenance) if missing else None
    wanted = selected.spans
    requests = [Request(text, spans=None if wanted is None else wanted[text], boundary=boundary) for text in missing]
    for chunk in engine.score(requests) if missing else ():
        bank.scores.add(scorer_id, chunk, block=block, complete=wanted is None)
        for tokens in chunk:
            if tokens.reason is not None or tokens.n_values == 0:
                (partial if tokens.n_values else undefined)[tokens.text] = tokens.reason or "no reason was given"
        done += len(chunk)
        if progress is not None:
            progress(done, total)
    return ScoreReport(
        scorer_id=scorer_id,
        scorer=bank.scores.scorer(scorer_id),
        provenance=provenance,
        n_items=selected.n_items,
        n_sentences=selected.n_sentences,
        n_texts=total,
        n_present=total - len(missing),
        n_scored=len(missing),
        seconds=time.monotonic() - started,
        undefined=undefined,
        partial=partial,
    )


def _nothing(bank: Bank, selection: ItemFilter) -> NothingToScoreError:
    n_there = bank.items.count(selection)
    if n_there:
        which = "the only item is not" if n_there == 1 else f"none of the {n_there:,} items is"
        return NothingToScoreError(
            f"{which} approved, so there is nothing to score",
            hint="Decide on them with `gapsmith review` or `gapsmith decide --policy clean`, or score them undecided with "
            "`gapsmith score --all`.",
        )
    names = bank.paradigms.names()
    if selection.paradigm is not None and names:
        return NothingToScoreError(
            f"there are no items of {selection.paradigm} to score", hint=f"There are items of: {', '.join(names)}."
        )
    return NothingToScoreError(
        "there are no items to score yet",
        hint="Make some with `gapsmith generate`, or bring yours with `gapsmith import`.",
    )
