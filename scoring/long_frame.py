"""The long frame for R and pandas: one row per item, condition, region, model and measure.

`observation` names what a value was computed from: the scorer, the context, where what is measured begins, and the text up to its
end; the whole text, where the values say that whoever made them knew what comes after, as they do in analyses
(`gapsmith.stats.observation_keys_of`). Rows of one region with the same observation are one measurement repeated, and any n over them counts
observations, not rows.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from itertools import islice, product
from typing import Any

from gapsmith.bank import NAMING, NO_CONTEXT, Bank, ItemFilter, Scorer, StoredItem, Tokens, canonical, naming
from gapsmith.scoring.contexts import ContextStep, StepContexts, step_contexts
from gapsmith.scoring.item_values import measured_text, reads_whole_texts
from gapsmith.templates import (
    DEFAULT_MEASURE,
    MEASURES,
    ConfigError,
    Measure,
    MeasuredText,
    Paradigm,
    Sentence,
    Unigrams,
    Value,
    measure,
)

_HEAD = ("paradigm", "dataset", "item")
_TAIL = (
    "status",
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


def observation_of(scorer: Scorer, text: str, start: int, end: int, context: str = "") -> str:
    """What names the measurement of what begins at `start`: 16 hexadecimal digits of a hash over scorer, context, `start` and the
    text up to `end`."""
    read = "\0".join((scorer.revision, canonical(scorer.identity), context, str(start), text[:end]))
    return blake2b(read.encode(), digest_size=8).hexdigest()


def long_table(
    bank: Bank,
    selection: ItemFilter,
    *,
    scorers: Sequence[int],
    conditions: Collection[str] | None = None,
    measures: Sequence[str] = (DEFAULT_MEASURE,),
    corrected: bool = False,
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
    ``attr_NAME``, their words ``slot_NAME``. `corrected` moves the mass of word boundaries (`gapsmith.templates.measures`); `unigrams`
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
    # No context is the first row of every item, whether or not it is in a set.
    cells = (_NOTHING, *(own for own in step_contexts(bank, contexts, ids=ids) if own.step.number))
    maker = _Rows(
        bank,
        wanted,
        producers,
        chosen,
        corrected,
        tables,
        critical_only,
        whole,
        attributes,
        words,
        factors,
        cells,
        {own.id: bank.scores.revision_name(own) for own in producers},
    )
    maker = replace(maker, by_whole_text=frozenset(own.id for own in producers if reads_whole_texts(bank, own, paradigm.name)))
    # What a table has of one beginning is always the same where it is not told apart.
    elsewhere = frozenset(own.id for own in producers if not own.is_table and bank.scores.made_elsewhere(own.id))
    if elsewhere:
        from gapsmith.stats import unsettled

        # What people or other tools say of a word may depend on what comes after it; only all of their values can tell.
        reader = replace(maker, producers=[own for own in producers if own.id in elsewhere], elsewhere=elsewhere)
        apart = [row for row in reader.rows(selection) if row["observation"] is not None]
        unlike = unsettled([(row["value"],) for row in apart], map(_reading, apart))
        maker = replace(maker, elsewhere=elsewhere, unlike=unlike)
    return LongTable(columns, maker.rows(selection))


def _reading(row: Mapping[str, Any]) -> tuple[str, ...]:
    return row["condition"], row["region"], row["measure"], row["observation"]


_NOTHING = StepContexts("", "", ContextStep(0, 0), {}, {0: 0})


@dataclass(frozen=True)
class _Rows:
    bank: Bank
    conditions: Collection[str]
    producers: Sequence[Scorer]
    measures: Sequence[Measure]
    corrected: bool
    unigrams: Mapping[int, Unigrams | str]
    critical_only: bool
    whole: bool
    attributes: Collection[str]
    words: Collection[str]
    factors: Mapping[str, tuple[str, str]]
    cells: Sequence[StepContexts]
    revisions: Mapping[int, str]
    """What the scorers' revisions were called, by scorer."""
    by_whole_text: Collection[int] = frozenset()
    """The scorers under which each whole text is an observation, as `gapsmith.scoring.item_values.reads_whole_texts` has it."""
    elsewhere: Collection[int] = frozenset()
    """The other scorers whose values were made elsewhere."""
    unlike: Collection[Hashable] = frozenset()
    """Their readings that have different values, so that each whole text is an observation."""
    first: dict[tuple[str, str, str], dict[int, float]] = field(default_factory=dict)
    """The value that each reading of the other scorers had first, by condition, region and measure."""

    def rows(self, selection: ItemFilter) -> Iterator[dict[str, Any]]:
        items = self.bank.items.iterate(selection)
        while chunk := list(islice(items, 500)):
            forms = {
                paradigm_id: self.bank.paradigms.reading(paradigm_id) for paradigm_id in {item.paradigm_id for item in chunk}
            }
            texts = list(dict.fromkeys(s.text for item in chunk for s in item.sentences))
            producers: Sequence[Scorer | None] = self.producers or (None,)
            for producer, cell in product(producers, self.cells):
                by_context: dict[int, list[StoredItem]] = {}
                for item in chunk:
                    context = NO_CONTEXT if cell is _NOTHING else cell.contexts.get(item.id)
                    if context is not None:
                        by_context.setdefault(context, []).append(item)
                for context, some in by_context.items():
                    yield from self._of_context(some, forms, producer, cell, context, texts)

    def _of_context(
        self,
        items: Sequence[StoredItem],
        forms: Mapping[int, Paradigm],
        producer: Scorer | None,
        cell: StepContexts,
        context: int,
        texts: Sequence[str],
    ) -> Iterator[dict[str, Any]]:
        own_texts = texts if cell is _NOTHING else {s.text: None for item in items for s in item.sentences}
        scores = self.bank.scores.get(producer.id, own_texts, context=context) if producer is not None else {}
        about = {
            "context": cell.name,
            "context_type": cell.kind,
            "context_target": cell.step.target,
            "context_length": cell.lengths.get(context),
            "context_number": context,
        }
        known: dict[Any, list[dict[str, Any]]] = {}
        for item in items:
            form = forms[item.paradigm_id]
            names = naming(item)
            own = form.variant(item.slots if item.slots is not None else item.attributes)
            for sentence in item.sentences:
                if sentence.condition not in self.conditions or sentence.condition not in own.condition_by_name:
                    continue
                # What is measured of a sentence that many items share is worked out once.
                key = (id(own), sentence)
                if key not in known:
                    known[key] = list(self._measured(sentence, own, scores.get(sentence.text), producer))
                head = self._head(item, sentence, own)
                for row in known[key]:
                    yield head | row | about | names

    def _head(self, item: StoredItem, sentence: Sentence, paradigm: Paradigm) -> dict[str, Any]:
        condition = paradigm.condition(sentence.condition)
        head: dict[str, Any] = {"paradigm": item.paradigm, "dataset": item.dataset, "item": item.label}
        head |= {f"attr_{name}": item.attributes.get(name) for name in self.attributes}
        head |= {f"slot_{name}": (item.slots or {}).get(name) for name in self.words}
        head["condition"] = condition.name
        for factor, level in zip(paradigm.factors, condition.levels, strict=True):
            column, code = self.factors[factor.name]
            head[column], head[code] = level, factor.codes[level]
        return head | {"status": condition.expected, "sentence": sentence.text}

    def _measured(
        self, sentence: Sentence, paradigm: Paradigm, score: Tokens | None, producer: Scorer | None
    ) -> Iterator[dict[str, Any]]:
        tail: dict[str, Any] = {"model": "", "revision": "", "revision_name": "", "scorer": None}
        if producer is not None:
            tail |= {
                "model": producer.model,
                "revision": producer.revision,
                "revision_name": self.revisions[producer.id],
                "scorer": producer.id,
            }
        text = measured_text(score, scorer=producer) if score is not None else None
        for region, number, critical, start, end, why in self._places(sentence, paradigm):
            place = {
                "region": region,
                "region_number": number,
                "critical": critical,
                "content": sentence.text[start:end],
            }
            for by in self.measures:
                value = self._value(text, start, end, by, producer)
                reasons = [reason for reason in (value.reason, why) if reason]
                observation = None
                if producer is not None and text is not None and value.number is not None:
                    read = text.read_up_to((start, end))
                    observation = observation_of(producer, text.text, start, read, text.context)
                    if self._is_apart(producer, (sentence.condition, region, by.name), observation, value.number):
                        observation = observation_of(producer, text.text, start, len(text.text), text.context)
                # What a region's value is the sum of is not known where it came as one.
                n_tokens = None if text is None or text.by_region else value.n_tokens
                yield (
                    place
                    | tail
                    | {
                        "measure": by.name,
                        "value": value.number,
                        "n_tokens": n_tokens,
                        "n_straddling": value.n_straddling if text is not None else None,
                        "reason": "; ".join(reasons),
                        "observation": observation,
                    }
                )

    def _is_apart(self, producer: Scorer, place: tuple[str, str, str], observation: str, number: float) -> bool:
        """Whether the value is no repetition of what was read for it, as `gapsmith.stats.observation_keys_of` has it."""
        if producer.id in self.by_whole_text:
            return True
        if producer.id in self.elsewhere:
            return (*place, observation) in self.unlike
        # A model's values are held against the first one as they come, so that nothing is read twice.
        known = self.first.setdefault(place, {})
        first = known.setdefault(int(observation, 16), number)
        if first == number:
            return False
        from gapsmith.stats import unsettled

        return bool(unsettled([(first,), (number,)], [observation, observation]))

    def _places(self, sentence: Sentence, paradigm: Paradigm) -> Iterator[tuple[str, int, bool, int, int, str]]:
        if sentence.regions is None or self.whole:
            why = f"no regions: {sentence.why or 'not aligned'}" if sentence.regions is None else ""
            yield WHOLE, 0, False, 0, len(sentence.text), why
        critical = paradigm.condition(sentence.condition).critical
        for number, span in enumerate(sentence.regions or (), 1):
            if span.name == critical or not self.critical_only:
                yield span.name, number, span.name == critical, span.start, span.end, ""

    def _value(self, text: MeasuredText | None, start: int, end: int, by: Measure, producer: Scorer | None) -> Value:
        if text is None or producer is None:
            return Value(None, reason="not scored")
        if self.corrected and text.boundary is None:
            raise ConfigError(
                f"{producer.model} scored {text.text!r} without the mass of word boundaries",
                hint=f"Add it with `gapsmith score --model {producer.model} --boundary`, or leave the correction out.",
            )
        table = self.unigrams.get(producer.id) if by.needs_unigrams else None
        return measure(text, (start, end), by, unigrams=table, corrected=self.corrected)
