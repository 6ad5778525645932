"""What a study of contexts measured: right or wrong, for each item, prediction and context."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from gapsmith.bank import NO_CONTEXT, Bank, StoredItem
from gapsmith.scoring.analysis.criteria import meets
from gapsmith.scoring.contexts import StepContexts, step_contexts
from gapsmith.scoring.item_values import ItemValues, measured_text
from gapsmith.templates import MEASURES, Condition, ConfigError, Contrast, Criterion, MeasuredText, Paradigm, Status

Cell = tuple[str, int, int]
"""The name of a context set, the tokens that were aimed at, and which of the shared contexts; ``("", 0, 0)`` is none."""


@dataclass(frozen=True, slots=True)
class PairOutcome:
    """One prediction of one item behind one context."""

    suite: str
    item: int
    prediction: str
    cell: Cell
    context: int
    """The context's id; 0 for none."""
    tokens: int
    """Of the context."""
    correct: bool
    margin: float | None
    """Perplexity of the sentences that are ok minus that of those with ``*``; each the mean over its kind. None where an item has
    only one kind."""


def read_outcomes(
    bank: Bank,
    items: Mapping[int, str],
    names: Sequence[str],
    scorer_id: int,
    *,
    predictions: Sequence[str] = (),
) -> list[PairOutcome]:
    """Every outcome behind nothing and behind the contexts of these sets, for the items (by id, with the label of their suite).

    An item whose context of a length is empty, since no sentence was short enough, stands behind nothing there: it is left out.
    A contrast is right where its value has the expected sign, a criterion where it holds; those without a value are left out. Of
    predictions that differ in their measure alone the first counts. Raises `ConfigError` for a prediction that no paradigm has.
    """
    stored: dict[int, StoredItem] = {}
    for item in bank.items.iterate():
        if item.id in items:
            stored[item.id] = item
    chosen = predictions_of(bank, (item.paradigm for item in stored.values()), predictions)
    found: list[PairOutcome] = []
    cells = step_contexts(bank, names, ids=items)
    joined = bank.contexts.joined({context for cell in cells for context in cell.contexts.values()})
    for cell in cells:
        at: Cell = (cell.name, cell.step.target or 0, cell.step.draw)
        found += _of_cell(bank, cell, at, joined, stored, items, scorer_id, chosen)
    return found


def _of_cell(
    bank: Bank,
    cell: StepContexts,
    at: Cell,
    joined: Mapping[int, str],
    stored: Mapping[int, StoredItem],
    labels: Mapping[int, str],
    scorer_id: int,
    chosen: Mapping[str, tuple[Paradigm, list[Contrast | Criterion]]],
) -> Iterator[PairOutcome]:
    texts: dict[tuple[int, str], MeasuredText] = {}
    wanted = {
        (context, sentence.text)
        for item, context in cell.contexts.items()
        if item in stored
        for sentence in stored[item].sentences
    }
    for context, tokens in bank.scores.in_contexts(scorer_id, {own: joined[own] for own in cell.contexts.values()}):
        if (context, tokens.text) in wanted:
            texts[context, tokens.text] = measured_text(tokens)
    for own, context in cell.contexts.items():
        if own not in stored or (cell.step.number and context == NO_CONTEXT):
            continue
        item = stored[own]
        paradigm, predictions = chosen[item.paradigm]
        variant = paradigm.variant(item.slots if item.slots is not None else item.attributes)
        sentences = {s.condition: s for s in item.sentences if (context, s.text) in texts}
        known = variant.condition_by_name
        read = {condition: texts[context, s.text] for condition, s in sentences.items()}
        margin = _margin(read, known)
        values: dict[str, ItemValues] = {}
        for one in predictions:
            if not meets(item.attributes, one.where):
                continue
            if one.measure not in values:
                values[one.measure] = ItemValues(
                    read,
                    {condition: s.regions for condition, s in sentences.items()},
                    MEASURES.find(one.measure),
                    critical={c: known[c].critical or "" for c in sentences if c in known and known[c].critical},
                )
            correct = _is_right(values[one.measure], one)
            if correct is not None:
                tokens_before = 0 if context == NO_CONTEXT else cell.lengths.get(context, 0)
                yield PairOutcome(labels[own], own, one.name, at, context, tokens_before, correct, margin)


def _is_right(values: ItemValues, one: Contrast | Criterion) -> bool | None:
    if isinstance(one, Criterion):
        holds = values.outcome(one.formula).holds
        return None if holds is None else bool(holds)
    total = 0.0
    for term in one.terms:
        value = values.value(term.condition, term.place)
        if value.number is None:
            return None
        total += float(term.weight) * value.number
    return total * one.expected > 0


def _margin(read: Mapping[str, MeasuredText], conditions: Mapping[str, Condition]) -> float | None:
    perplexity = MEASURES.find("perplexity")
    kinds: dict[str, list[float]] = {Status.OK: [], Status.STAR: []}
    for condition, text in read.items():
        expected = conditions[condition].expected if condition in conditions else None
        if expected in kinds and len(text.bits) and text.whole:
            number = perplexity.compute(text.bits, None, text.text)
            if number is not None:
                kinds[expected].append(number)
    good, bad = kinds[Status.OK], kinds[Status.STAR]
    return sum(good) / len(good) - sum(bad) / len(bad) if good and bad else None


def predictions_of(
    bank: Bank, paradigms: Iterable[str], names: Sequence[str] = ()
) -> dict[str, tuple[Paradigm, list[Contrast | Criterion]]]:
    """By paradigm, the contrasts with an expected sign and the criteria that count. Raises `ConfigError` for a name that none
    has, and where there are none at all."""
    found: dict[str, tuple[Paradigm, list[Contrast | Criterion]]] = {}
    known: set[str] = set()
    for name in dict.fromkeys(paradigms):
        paradigm = bank.paradigms.current(name).paradigm
        every: list[Contrast | Criterion] = [*(own for own in paradigm.contrasts if own.expected), *paradigm.criteria]
        known.update(own.name for own in every)
        first: dict[object, Contrast | Criterion] = {}
        for own in every:
            key = str(own.formula) if isinstance(own, Criterion) else own.terms
            if names:
                if own.name in names:
                    first[own.name] = own
            else:
                first.setdefault((key, tuple(own.where.items())), own)
        found[name] = paradigm, list(first.values())
    unknown = [name for name in names if name not in known]
    if unknown:
        raise ConfigError(
            f"there is no contrast or criterion {unknown[0]!r} that expects something",
            hint=f"There are: {', '.join(sorted(known)) or 'none'}.",
        )
    if not known:
        raise ConfigError(
            "Nothing is predicted of these items, so nothing can be right or wrong.",
            hint="Give the paradigm's file [[contrasts]] with an expected sign, or [[criteria]].",
        )
    return found
