"""What a study of contexts measured: right or wrong, for each item, prediction and context."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any, NamedTuple

from gapsmith.bank import NO_CONTEXT, Bank, StoredItem
from gapsmith.scoring.analysis import AnalysisOptions, measured_by
from gapsmith.scoring.contexts import StepContexts, step_contexts
from gapsmith.scoring.observations import Grouping, Observations, contrast_values, observe, outcomes, producer_of, together
from gapsmith.templates import (
    GAPSMITH,
    MEASURES,
    SENTENCE_PLACE,
    ConfigError,
    Contrast,
    Criterion,
    Paradigm,
    Status,
    find_convention,
)

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
    evidence: int = 0
    """What it was computed from; items with the same are one observation. 0 where nobody says, and then it is its own."""
    margin_evidence: int = 0
    """What the margin was computed from: whole sentences, which items of one evidence can differ in."""

    def place(self, key: str) -> Any:
        """Where it stands: its suite, its context, the tokens that were aimed at, and which of the shared contexts."""
        return {"attribute:suite": self.suite, "context": self.cell[0], "length": self.cell[1], "seed": self.cell[2]}[key]

    @property
    def seen(self) -> tuple[str, int, bool]:
        """What it was computed from, and what it came to: two truths of one reading, a hair apart, are two. What nobody says the
        evidence of is no other item's."""
        return self.prediction, self.evidence or -self.item - 1, self.correct


CELLS = Grouping(("attribute:suite", "context", "length", "seed"))
"""By what outcomes are taken apart; the contexts that items share differ by their seed."""


def distinct_outcomes(outcomes: Iterable[PairOutcome]) -> list[PairOutcome]:
    """Each observation once: of the outcomes of one prediction in a suite and cell that were computed from the same, one, with
    the mean of their different margins. They come in the order of what they were computed from, within suites and cells in theirs."""
    once = Grouping(("evidence",))
    cells = CELLS.split(outcomes, PairOutcome.place).values()
    return [_one_of(own) for cell in cells for _, own in sorted(once.split(cell, lambda one, _: one.seen).items())]


def _one_of(members: Sequence[PairOutcome]) -> PairOutcome:
    margins = {own.margin_evidence or -own.item - 1: own.margin for own in members if own.margin is not None}
    first = min(members, key=lambda own: own.item)
    return first if len(members) == 1 else replace(first, margin=fmean(margins.values()) if margins else None)


class LackingOutcome(NamedTuple):
    """A prediction that has no value for an item behind a context, or behind nothing."""

    item: int
    prediction: str
    cell: Cell
    reason: str


class OutcomesRead(NamedTuple):
    """Every outcome that there is, and those that there are not."""

    outcomes: list[PairOutcome]
    lacking: list[LackingOutcome]


def read_outcomes(
    bank: Bank,
    items: Mapping[int, str],
    names: Sequence[str],
    scorer_id: int,
    *,
    predictions: Sequence[str] = (),
    convention: str = GAPSMITH,
) -> OutcomesRead:
    """Every outcome behind nothing and behind the contexts of these sets, for the items (by id, with the label of their suite).

    An item whose context of a length is empty, since no sentence was short enough, stands behind nothing there: it is left out.
    A contrast is right where its value has the expected sign, a criterion where it holds; those without a value are counted. Of
    predictions that differ in their measure alone the first counts. Raises `ConfigError` for a prediction that no paradigm has.
    """
    stored: dict[int, StoredItem] = {}
    for item in bank.items.iterate():
        if item.id in items:
            stored[item.id] = item
    chosen = predictions_of(bank, (item.paradigm for item in stored.values()), predictions, convention=convention)
    scorer = bank.scores.scorer(scorer_id)
    by_paradigm: dict[str, list[StoredItem]] = {}
    for item in stored.values():
        by_paradigm.setdefault(item.paradigm, []).append(item)
    producers = {name: producer_of(bank, scorer, name) for name in by_paradigm}
    found: list[PairOutcome] = []
    lacking: list[LackingOutcome] = []
    for cell in step_contexts(bank, names, ids=items):
        at: Cell = (cell.name, cell.step.target or 0, cell.step.draw)
        for name, every in by_paradigm.items():
            paradigm, wanted = chosen[name]
            paradigm = bank.datasets.measured_together(paradigm, (item.dataset for item in every))
            behind = [item for item in every if item.id in cell.contexts]
            # Behind an empty context of a set there is nothing that a length could be said of.
            some = [item for item in behind if not cell.step.number or cell.contexts[item.id] != NO_CONTEXT]
            table = observe(
                bank, some, paradigm, scorer, producer=producers[name], contexts=cell, convention=find_convention(convention)
            )
            found += _of_cell(table, cell, at, items, wanted, lacking)
    order = {item: number for number, item in enumerate(stored)}
    cells = {own: number for number, own in enumerate(dict.fromkeys(one.cell for one in found))}
    return OutcomesRead(sorted(found, key=lambda own: (cells[own.cell], order[own.item])), lacking)


def _of_cell(
    table: Observations,
    cell: StepContexts,
    at: Cell,
    labels: Mapping[int, str],
    predictions: Sequence[Contrast | Criterion],
    lacking: list[LackingOutcome],
) -> Iterator[PairOutcome]:
    margins = _margins(table)
    for one in predictions:
        by = MEASURES.find(one.measure)
        if isinstance(one, Criterion):
            values = outcomes(table, one.formula, by, where=one.where).values
        else:
            values = contrast_values(table, one, by, words=False)
        for row, why in zip(values.given.items, values.reason, strict=True):
            if why:
                assert row.item is not None
                lacking.append(LackingOutcome(row.item.id, one.name, at, why))
        for position in values.having:
            row, number = values.given.items[position], float(values.value[position])
            assert row.item is not None
            own = row.item.id
            context = cell.contexts[own]
            yield PairOutcome(
                suite=labels[own],
                item=own,
                prediction=one.name,
                cell=at,
                context=context,
                tokens=0 if context == NO_CONTEXT else cell.lengths.get(context, 0),
                correct=bool(number) if isinstance(one, Criterion) else number * one.expected > 0,
                margin=margins[own][0],
                evidence=int(values.evidence[position]),
                margin_evidence=margins[own][1],
            )


def _margins(table: Observations) -> dict[int, tuple[float | None, int]]:
    """By item: the mean perplexity of its sentences that are ok minus that of those with ``*``, None where it has only one kind;
    and what that was computed from."""
    by = MEASURES.find("perplexity")
    names = sorted({name for row in table.items for name, found in row.sentences.items() if not isinstance(found, str)})
    columns = [(name, table.column(name, SENTENCE_PLACE, by)) for name in names]
    read = together([(name, column.observation) for name, column in columns], all_needed=False)
    found: dict[int, tuple[float | None, int]] = {}
    for position, row in enumerate(table.items):
        assert row.item is not None
        own: dict[str, list[float]] = {Status.OK: [], Status.STAR: []}
        for name, column in columns:
            sentence = table.sentence(position, name)
            if sentence is not None and sentence.expected in own and column.observation[position]:
                own[sentence.expected].append(float(column.value[position]))
        both = own[Status.OK] and own[Status.STAR]
        found[row.item.id] = fmean(own[Status.OK]) - fmean(own[Status.STAR]) if both else None, int(read[position])
    return found


def predictions_of(
    bank: Bank, paradigms: Iterable[str], names: Sequence[str] = (), *, convention: str = GAPSMITH
) -> dict[str, tuple[Paradigm, list[Contrast | Criterion]]]:
    """By paradigm, the contrasts with an expected sign and the criteria that count. Raises `ConfigError` for a name that none
    has, and where there are none at all."""
    found: dict[str, tuple[Paradigm, list[Contrast | Criterion]]] = {}
    known: set[str] = set()
    for name in dict.fromkeys(paradigms):
        paradigm = bank.paradigms.current(name).paradigm
        expecting = [own for own in paradigm.contrasts if own.expected]
        contrasts, criteria = measured_by(AnalysisOptions(convention=convention), expecting, paradigm.criteria)
        every: list[Contrast | Criterion] = [*contrasts, *criteria]
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
