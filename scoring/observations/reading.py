"""From the bank to the table of observations: the sentences of items, what a scorer says of them, behind what."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import merge
from typing import Any, Protocol

from gapsmith.bank import NO_CONTEXT, Bank, ItemFilter, Scorer, StoredItem, Tokens
from gapsmith.scoring.contexts import StepContexts
from gapsmith.scoring.observations.by_item import ItemKey
from gapsmith.scoring.observations.table import (
    NO_SENTENCE,
    NOT_SCORED,
    Observations,
    ObservedItem,
    ObservedSentence,
    Producer,
    RoleWords,
    measured_text,
)
from gapsmith.templates import CONVENTIONS, GAPSMITH, BosPolicy, Condition, Convention, Paradigm, Sentence, Unigrams

TWO_SENTENCES = "the item has two sentences in this condition"
NO_CONDITION = "the item's version of the paradigm has no such condition"
READS_LEFT = ("tree/1", "batches/1")
"""Our engines, which compute what a model says of a token from what stands before it."""
_OF_TABLES, _OF_ENGINES = 1e-5, 1e-3
"""Difference, in bits or relative, up to which two numbers are one. A causal model that another tool ran in batches gives no more
than the first (float32), and the reading times and ratings of people differ by more; engines of installed packages that compute in
bfloat16 come a thousandth apart as batches fall."""


class UnigramSource(Protocol):
    """What SLOR takes away under each scorer that is asked for, and what is to be said of it (`gapsmith.scoring.UnigramTables`)."""

    def __call__(self, scorer: Scorer, /) -> Unigrams | str:
        """The table of its tokens, or why there is none."""
        ...

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader has to know of the tables so far."""
        ...


def tells_texts_apart(
    bank: Bank,
    scorer: Scorer,
    paradigm: str,
    *,
    items: Sequence[StoredItem] = (),
    scores: Mapping[str, Tokens] | None = None,
) -> bool:
    """Whether the values differ over one beginning of a text in one condition of the paradigm, so that people, or a model or tool
    that reads on, made them. Then each whole text is an observation, also where values tie.

    It is decided once, from what there is for all of the paradigm's items, so that all that is counted of them, under any
    measure and in any data set, is counted alike. Of models that our engines ran it is never so.

    `items` of the bank and `scores`, all that the scorer says of their texts without a context, are not read again.
    """
    elsewhere = scorer.is_table or bank.scores.made_elsewhere(scorer.id)
    engines = {str(said.get("engine", "")) for said, _ in bank.scores.provenance(scorer.id)}
    if not elsewhere and engines <= set(READS_LEFT):
        return False
    rounding = _OF_TABLES if elsewhere else _OF_ENGINES
    known = {} if scores is None else {item.id: item for item in items}
    wanted: dict[tuple[str, str], None] = {}
    for item in _all_items(bank, paradigm, known):
        wanted.update(dict.fromkeys((sentence.condition, sentence.text) for sentence in item.sentences))
    asked = {sentence.text for item in known.values() for sentence in item.sentences}
    unread = [text for _, text in wanted if text not in asked]
    found = {**(scores or {}), **(bank.scores.get(scorer.id, unread) if unread else {})}
    first: dict[tuple[str, int, str], float] = {}
    for condition, text in wanted:
        if text not in found:
            continue
        measured = measured_text(found[text], scorer=scorer)
        for (start, end), bits in zip(measured.spans.tolist(), measured.bits.tolist(), strict=True):
            if math.isnan(bits):
                continue
            before = first.setdefault((condition, start, text[:end]), bits)
            if not math.isclose(before, bits, rel_tol=rounding, abs_tol=rounding):
                return True
    return False


def _all_items(bank: Bank, paradigm: str, known: Mapping[int, StoredItem]) -> Iterator[StoredItem]:
    """The paradigm's items in the bank's order, those that are known not read again."""
    ids = bank.items.ids(ItemFilter(paradigm=paradigm))
    unread = tuple(number for number in ids if number not in known)
    others = bank.items.iterate(ItemFilter(ids=unread)) if unread else iter(())
    return merge((known[number] for number in ids if number in known), others, key=lambda item: item.id)


def begins_as(bank: Bank, scorer: Scorer, convention: Convention) -> bool:
    """Whether a scorer's texts began as a convention has them begin. Of what does not say how, such as tables of other tools, that is
    known of no convention but ours, which takes them as they are."""
    if "bos" not in scorer.identity:
        return convention.name == GAPSMITH
    if scorer.bos == convention.beginning:
        return True
    own = any(how.get("adds_bos") for how, _ in bank.scores.provenance(scorer.id))
    return convention.leaves_out_first and own and scorer.bos == BosPolicy.BOS


def producer_of(bank: Bank, scorer: Scorer, paradigm: str, unigrams: Unigrams | str | None = None) -> Producer:
    """A scorer as the table takes it, for items of a paradigm."""
    return Producer.of(scorer, by_whole_text=tells_texts_apart(bank, scorer, paradigm), unigrams=unigrams)


def observe(
    bank: Bank,
    items: Sequence[StoredItem],
    paradigm: Paradigm,
    scorer: Scorer,
    *,
    producer: Producer | None = None,
    contexts: StepContexts | None = None,
    unigrams: Unigrams | str | None = None,
    roles: RoleWords | None = None,
    convention: Convention = CONVENTIONS[GAPSMITH],
) -> Observations:
    """What a scorer of the bank says of items of one paradigm, each behind its own context where `contexts` has one, by a scoring
    convention that the scorer fits (`gapsmith.scoring.analysis.scorers`).

    `paradigm` says which region is critical, and the bank which conditions each item could have. `producer` is
    `producer_of` the scorer where it is known already. `roles` gives words to items that have no slots.
    """
    by_context: defaultdict[int, list[int]] = defaultdict(list)
    for position, item in enumerate(items):
        by_context[NO_CONTEXT if contexts is None else contexts.contexts[item.id]].append(position)
    forms = {own: bank.paradigms.reading(own) for own in {item.paradigm_id for item in items}}
    found: list[ObservedItem | None] = [None] * len(items)
    read, alone = list[StoredItem](), dict[str, Tokens]()
    for context, positions in by_context.items():
        some = [items[position] for position in positions]
        scores = bank.scores.get(scorer.id, [s.text for item in some for s in item.sentences], context=context)
        rows = observed_items(some, paradigm, forms, scores, scorer=scorer, convention=convention)
        if roles is not None:
            rows = [replace(row, roles=roles.items.get(item.id, {})) for row, item in zip(rows, some, strict=True)]
        if context == NO_CONTEXT:
            read, alone = some, scores
        for position, row in zip(positions, rows, strict=True):
            found[position] = row
    if producer is None:
        apart = tells_texts_apart(bank, scorer, paradigm.name, items=read, scores=alone)
        producer = Producer.of(scorer, by_whole_text=apart, unigrams=unigrams)
    return Observations([row for row in found if row is not None], producer)


def observed_items(
    items: Sequence[StoredItem],
    paradigm: Paradigm,
    forms: Mapping[int, Paradigm],
    scores: Mapping[str, Tokens],
    *,
    scorer: Scorer | None = None,
    convention: Convention = CONVENTIONS[GAPSMITH],
) -> list[ObservedItem]:
    """The conditions of every item, in the regions that were stored with its sentences.

    `paradigm` says which region is critical; `forms`, by paradigm id, which conditions an item could have; `scores` by text,
    of `scorer`. Items that have the same sentence share its row.
    """
    known: dict[tuple[tuple[Any, ...], Sentence], ObservedSentence] = {}
    result = []
    for item in items:
        own = paradigm.variant(item.slots if item.slots is not None else item.attributes)
        chosen = tuple(item.attributes.get(choice.name) for choice in paradigm.choices)
        found: dict[str, ObservedSentence | str] = {}
        for sentence in item.sentences:
            if sentence.condition in found:
                found[sentence.condition] = TWO_SENTENCES
                continue
            if sentence.condition not in paradigm.condition_by_name:
                continue
            key = (chosen, sentence)
            if key not in known:
                made = own.condition(sentence.condition), scores.get(sentence.text), scorer, convention
                known[key] = _row(sentence, *made)
            found[sentence.condition] = known[key]
        only = NO_SENTENCE
        if item.expects is not None:
            design = paradigm.design_of(item.expects)
            only = f"the item has only the conditions of {design.name if design else ', '.join(item.expects)}"
        for condition in forms[item.paradigm_id].conditions:
            wanted = item.expects is None or condition.name in item.expects
            found.setdefault(condition.name, NO_SENTENCE if wanted else only)
        for name in paradigm.condition_by_name:
            found.setdefault(name, NO_CONDITION)
        result.append(ObservedItem(ItemKey(item.dataset, item.label), found, item.attributes, item.slots, item))
    return result


def _row(
    sentence: Sentence, condition: Condition, tokens: Tokens | None, scorer: Scorer | None, convention: Convention
) -> ObservedSentence:
    return ObservedSentence(
        text=sentence.text,
        regions=sentence.regions,
        measured=None if tokens is None else measured_text(tokens, scorer=scorer, convention=convention),
        critical=condition.critical,
        expected=condition.expected,
        why=NOT_SCORED,
        unplaced="" if sentence.regions is not None else f"nobody can say where its regions lie: {sentence.why or 'not aligned'}",
    )
