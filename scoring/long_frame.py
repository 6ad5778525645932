"""The long frame for R and pandas: one row per item, condition, region, model and measure, read off the table of observations.

`observation` names what a value was computed from (`gapsmith.scoring.observations`). Rows of one region with the same observation are
one measurement repeated, and any n over them counts observations, not rows.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, product
from typing import Any

from gapsmith.bank import NAMING, NO_CONTEXT, Bank, ItemFilter, Scorer, StoredItem, naming
from gapsmith.scoring.contexts import ContextStep, StepContexts, step_contexts
from gapsmith.scoring.observations import (
    Column,
    Observations,
    ObservedSentence,
    Producer,
    measure_name,
    name_of,
    observe,
    observed_items,
    producer_of,
)
from gapsmith.scoring.withheld import expect_to_tell_contexts
from gapsmith.templates import (
    DEFAULT_MEASURE,
    GAPSMITH,
    MEASURES,
    SENTENCE_PLACE,
    ConfigError,
    Convention,
    Measure,
    Paradigm,
    Place,
    Sentence,
    Unigrams,
    find_convention,
)

_HEAD = ("paradigm", "dataset", "item")
_TAIL = (
    "status",
    "words_from",
    "sentence",
    "region",
    "region_number",
    "critical",
    "content",
    "context",
    "context_type",
    "context_target",
    "context_length",
    "context_number",
    "model",
    "revision",
    "revision_name",
    "scorer",
    "measure",
    "value",
    "n_tokens",
    "n_straddling",
    "reason",
    "observation",
    *NAMING,
)
CHUNK = 500
"""Items that are read at once."""
_OWN = frozenset((*_HEAD, "condition", *_TAIL))
OPTIONAL: Mapping[str, type] = {
    "value": float,
    "scorer": int,
    "n_tokens": int,
    "n_straddling": int,
    "context_length": int,
    "observation": str,
}
"""The types of the columns in which values can be missing."""
WHOLE = "*"
"""The region that stands for the whole sentence."""


@dataclass(frozen=True, slots=True)
class LongTable:
    """A table whose rows come as they are read."""

    columns: tuple[str, ...]
    rows: Iterator[dict[str, Any]]


def factor_columns(
    names: Sequence[str], others: Collection[str] = _OWN, prefixes: tuple[str, ...] = ("attr_", "slot_")
) -> dict[str, tuple[str, str]]:
    """For each factor the column of its levels and that of their codes: ``NAME`` and ``NAME_code``, after ``factor_`` where
    another column is called so: one of `others`, one that begins with one of the `prefixes`, or what codes another factor."""
    codes = {name: f"factor_{name}_code" if name.startswith(prefixes) else f"{name}_code" for name in names}
    taken = {*others, *codes.values()}
    found: dict[str, tuple[str, str]] = {}
    for name in names:
        column = name
        while column in taken or column.startswith(prefixes) or (column != name and column in names):
            column = f"factor_{column}"
        taken.add(column)
        found[name] = column, codes[name]
    return found


def which_measures(names: Sequence[str]) -> list[Measure]:
    """The measures of these names. Raises `ConfigError` for a name that is none."""
    return [MEASURES.find(name) for name in dict.fromkeys(names)]


def long_table(
    bank: Bank,
    selection: ItemFilter,
    *,
    scorers: Sequence[int],
    conditions: Collection[str] | None = None,
    measures: Sequence[str] = (DEFAULT_MEASURE,),
    corrected: bool = False,
    convention: str = GAPSMITH,
    unigrams: Callable[[Scorer], Unigrams | str] | None = None,
    critical_only: bool = False,
    whole: bool = False,
    contexts: Sequence[str] = (),
) -> LongTable:
    """The frame of the selected items, all of one paradigm, in these conditions (all by default), for each scorer and measure.

    Status and critical region are those of the paradigm's file as it stands today; the places of regions are stored with the
    sentences, and conditions are matched by name. A value that is undefined is None and `reason` says why; with no scorer at all
    the rows come once, without values. Regions count from 1; the whole sentence is region ``*``, number 0: where a sentence has
    no regions, and with `whole` in every one. `critical_only` leaves the other regions out. Attributes of items are columns
    ``attr_NAME``, their words ``slot_NAME``. `convention` says how numbers are made of tokens;
    `corrected` moves the mass of word boundaries (`gapsmith.templates.measures`); `unigrams`
    gives what SLOR needs of a scorer, or why there is none. With `contexts`, names of context sets, the rows of each context of an
    item follow those of no context. Raises `ConfigError` for an unknown measure, and for SLOR or the correction where they lack
    what they need.
    """
    assert selection.paradigm is not None
    chosen = which_measures(measures)
    paradigm = bank.paradigms.current(selection.paradigm).paradigm
    attributes: dict[str, None] = {}
    words: dict[str, None] = {}
    for item in bank.items.iterate(selection):
        attributes.update(dict.fromkeys(item.attributes))
        words.update(dict.fromkeys(item.slots or ()))
    factors = factor_columns([factor.name for factor in paradigm.factors])
    columns = (
        *_HEAD,
        *(f"attr_{name}" for name in attributes),
        *(f"slot_{name}" for name in words),
        "condition",
        *(column for both in factors.values() for column in both),
        *_TAIL,
    )
    producers = [bank.scores.scorer(scorer_id) for scorer_id in scorers]
    needing = [by.name for by in chosen if by.needs_unigrams]
    if needing and producers and unigrams is None:
        raise ConfigError(
            f"{needing[0]} needs a table of unigram counts for {producers[0].model}",
            hint="Name the text that the model was trained on (`--unigram FILE`, in Python unigram=FILE); the bundled "
            "model has its own.",
        )
    tables = {producer.id: unigrams(producer) for producer in producers} if needing and unigrams is not None else {}
    wanted = paradigm.condition_by_name if conditions is None else conditions
    ids = bank.items.ids(selection)
    expect_to_tell_contexts(bank, contexts, "--contexts")
    # No context is the first row of every item, whether or not it is in a set.
    cells = (_NOTHING, *(own for own in step_contexts(bank, contexts, ids=ids) if own.step.number))
    maker = _Rows(
        bank,
        paradigm,
        wanted,
        {own.id: producer_of(bank, own, paradigm.name, tables.get(own.id)) for own in producers},
        producers,
        chosen,
        corrected,
        find_convention(convention),
        critical_only,
        whole,
        attributes,
        words,
        factors,
        cells,
        {own.id: bank.scores.revision_name(own) for own in producers},
    )
    return LongTable(columns, maker.rows(selection))


_NOTHING = StepContexts("", "", ContextStep(0, 0), {}, {0: 0})
_NOBODY = Producer("", "")


@dataclass(frozen=True)
class _Rows:
    bank: Bank
    paradigm: Paradigm
    conditions: Collection[str]
    producers: Mapping[int, Producer]
    scorers: Sequence[Scorer]
    measures: Sequence[Measure]
    corrected: bool
    convention: Convention
    critical_only: bool
    whole: bool
    attributes: Collection[str]
    words: Collection[str]
    factors: Mapping[str, tuple[str, str]]
    cells: Sequence[StepContexts]
    revisions: Mapping[int, str]
    """What the scorers' revisions were called, by scorer."""
    measured_forms: dict[tuple[int, str], tuple[Paradigm, Paradigm]] = field(default_factory=dict)
    """Forms by themselves and data set, each with the same as it is measured there."""

    def rows(self, selection: ItemFilter) -> Iterator[dict[str, Any]]:
        items = self.bank.items.iterate(selection)
        while chunk := list(islice(items, CHUNK)):
            forms = {own: self.bank.paradigms.reading(own) for own in {item.paradigm_id for item in chunk}}
            scorers: Sequence[Scorer | None] = self.scorers or (None,)
            for scorer, cell in product(scorers, self.cells):
                some = [item for item in chunk if cell is _NOTHING or item.id in cell.contexts]
                if some:
                    yield from self._of_cell(some, forms, scorer, cell)

    def _of_cell(
        self, items: Sequence[StoredItem], forms: Mapping[int, Paradigm], scorer: Scorer | None, cell: StepContexts
    ) -> Iterator[dict[str, Any]]:
        if scorer is None:
            table = Observations(observed_items(items, self.paradigm, forms, {}), _NOBODY)
        else:
            contexts = None if cell is _NOTHING else cell
            table = observe(
                self.bank,
                items,
                self.paradigm,
                scorer,
                producer=self.producers[scorer.id],
                contexts=contexts,
                convention=self.convention,
            )
        known: dict[tuple[str, int], list[dict[str, Any]]] = {}
        for position, item in enumerate(items):
            form = forms[item.paradigm_id]
            names = naming(item)
            own = self._measured_form(form, item.dataset).variant(item.slots if item.slots is not None else item.attributes)
            context = NO_CONTEXT if cell is _NOTHING else cell.contexts[item.id]
            about = {
                "context": cell.name,
                "context_type": cell.kind,
                "context_target": cell.step.target,
                "context_length": cell.lengths.get(context),
                "context_number": context,
            }
            for sentence in item.sentences:
                if sentence.condition not in self.conditions or sentence.condition not in own.condition_by_name:
                    continue
                # What is said of a sentence that many items share is written once.
                found = table.sentence(position, sentence.condition)
                key = item.dataset, id(sentence) if found is None else id(found)
                if key not in known:
                    known[key] = list(self._measured(table, position, sentence, found, own, scorer))
                head = self._head(item, sentence, own)
                for row in known[key]:
                    yield head | row | about | names

    def _measured_form(self, form: Paradigm, dataset: str) -> Paradigm:
        """A form, measured where the data set says: rows of several stand in one frame, and each says which region is critical."""
        key = id(form), dataset
        if key not in self.measured_forms:
            # The form is kept with it, so that no other one gets its place in memory.
            self.measured_forms[key] = form, self.bank.datasets.measured(form, dataset)
        return self.measured_forms[key][1]

    def _head(self, item: StoredItem, sentence: Sentence, paradigm: Paradigm) -> dict[str, Any]:
        condition = paradigm.condition(sentence.condition)
        head: dict[str, Any] = {"paradigm": item.paradigm, "dataset": item.dataset, "item": item.label}
        head |= {f"attr_{name}": item.attributes.get(name) for name in self.attributes}
        head |= {f"slot_{name}": (item.slots or {}).get(name) for name in self.words}
        head["condition"] = condition.name
        for factor, level in zip(paradigm.factors, condition.levels, strict=True):
            column, code = self.factors[factor.name]
            head[column], head[code] = level, factor.codes[level]
        # As the tests of contrasts know words: by slot, else by region, else not.
        known = "slots" if item.slots else "regions" if sentence.regions else "unknown"
        return head | {"status": condition.expected, "words_from": known, "sentence": sentence.text}

    def _measured(
        self,
        table: Observations,
        position: int,
        sentence: Sentence,
        found: ObservedSentence | None,
        paradigm: Paradigm,
        scorer: Scorer | None,
    ) -> Iterator[dict[str, Any]]:
        text = None if found is None else found.measured
        if self.corrected and text is not None and text.boundary is None and scorer is not None:
            raise ConfigError(
                f"{scorer.model} scored {text.text!r} without the mass of word boundaries",
                hint=f"Add it with `gapsmith score --model {scorer.model} --boundary`, or leave the correction out.",
            )
        tail = {
            "model": "" if scorer is None else scorer.model,
            "revision": "" if scorer is None else scorer.revision,
            "revision_name": "" if scorer is None else self.revisions[scorer.id],
            "scorer": None if scorer is None else scorer.id,
        }
        for region, number, critical, place, span, why in self._places(sentence, paradigm):
            at = {"region": region, "region_number": number, "critical": critical, "content": sentence.text[slice(*span)]}
            for by in self.measures:
                column = table.column(sentence.condition, place, by, corrected=self.corrected)
                yield (
                    at
                    | tail
                    | {"measure": measure_name(by.name, scorer, corrected=self.corrected, convention=self.convention.name)}
                    | self._value(table, column, position, text, why)
                )

    def _value(self, table: Observations, column: Column, position: int, text: Any, why: str) -> dict[str, Any]:
        reason, observation = table.reasons[column.reason[position]], int(column.observation[position])
        return {
            "value": float(column.value[position]) if observation else None,
            # What a region's value is the sum of is not known where it came as one.
            "n_tokens": None if text is None or text.by_region else int(column.n_tokens[position]),
            "n_straddling": None if text is None else int(column.straddling[position]),
            "reason": "; ".join(one for one in (reason, why) if one),
            "observation": name_of(observation) if observation else None,
        }

    def _places(self, sentence: Sentence, paradigm: Paradigm) -> Iterator[tuple[str, int, bool, Place, tuple[int, int], str]]:
        if sentence.regions is None or self.whole:
            why = f"no regions: {sentence.why or 'not aligned'}" if sentence.regions is None else ""
            yield WHOLE, 0, False, SENTENCE_PLACE, (0, len(sentence.text)), why
        critical = paradigm.condition(sentence.condition).critical
        for number, own in enumerate(sentence.regions or (), 1):
            if own.name == critical or not self.critical_only:
                yield own.name, number, own.name == critical, Place(own.name), (own.start, own.end), ""
