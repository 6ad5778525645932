"""The table of observations: for items under one scorer, the value of a measure at a place, and what was read for it. The only
place that calls `gapsmith.templates.measure` on what scorers say, and that decides which measurements are one.

A column is the items' values in one condition at one place under one measure, as numpy arrays with coded reasons: a column is
worked out when it is first asked for, once for each different sentence, and kept. One **observation** is

* of a causal model, what it has read: who made the value, the context, where what is measured begins, and the text up to the end
  of the last token that was read; with the mass of word boundaries moved, also whether a word goes on there;
* of a table of values that tells texts apart which are equal up to there (people read on, and so do other tools), the whole text.

Two items whose texts agree that far are one observation, however often and under whatever names the text was given.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gapsmith.bank import NATS_PER_BIT, Scorer, StoredItem, Tokens, canonical
from gapsmith.scoring.observations.by_item import ItemKey, ItemNames
from gapsmith.scoring.observations.places import Spot, find
from gapsmith.stats import Restriction
from gapsmith.templates import (
    CONVENTIONS,
    EMPTY,
    GAPSMITH,
    AttributeValue,
    BosPolicy,
    Convention,
    Empty,
    Measure,
    MeasuredText,
    Place,
    RegionSpan,
    Span,
    Unigrams,
    Value,
    measure,
)

NO_SENTENCE = "the item has no sentence in this condition"
NO_BOUNDARY = "scored without the mass of word boundaries (`gapsmith score --boundary` adds it)"
NOT_SCORED = "the sentence has not been scored"
TOO_LARGE = "its values are too large to be added up"
NOTHING_LEFT = "its only token is the first, which has no value without a beginning-of-sequence token"
OF_REGIONS = "the scores are of whole regions"

Ids = NDArray[np.uint64]
"""Observations by number; 0 is none."""


@dataclass(frozen=True, slots=True)
class Producer:
    """Who made the values."""

    name: str
    """As it is shown."""
    identity: str
    """What tells it from every other one."""
    by_whole_text: bool = False
    """Whether each whole text is an observation."""
    unigrams: Unigrams | str | None = field(default=None, repr=False)
    """What SLOR takes away, or why there is nothing."""

    @classmethod
    def of(cls, scorer: Scorer, *, by_whole_text: bool = False, unigrams: Unigrams | str | None = None) -> Producer:
        """A scorer of a bank."""
        return cls(scorer.model, f"{scorer.revision}\0{canonical(scorer.identity)}", by_whole_text, unigrams)


@dataclass(frozen=True, eq=False, slots=True)
class ObservedSentence:
    """A sentence in its condition and behind its context, which several items may share."""

    text: str
    regions: Sequence[RegionSpan] | None
    """In reading order; None where nobody can say where they lie, and then `unplaced` says why."""
    measured: MeasuredText | None
    """What is known of its tokens; None where nothing is, and then `why` says so."""
    critical: str | None = None
    """The name of its critical region."""
    expected: str | None = None
    """How acceptable a native speaker should find it."""
    why: str = NOT_SCORED
    unplaced: str = ""

    def words(self, region: str) -> str:
        """What stands in a region; empty where there is no such region."""
        own = next((one for one in self.regions or () if one.name == region), None)
        return "" if own is None else self.text[own.start : own.end]


@dataclass(frozen=True, slots=True)
class RoleWord:
    """What plays a role in an item, for items that have no slots."""

    word: str
    starts: Mapping[str, int]
    """Where it begins in each condition that has it."""


@dataclass(frozen=True, slots=True)
class RoleWords:
    """The words of roles in items without slots, and where they are from."""

    items: Mapping[int, Mapping[str, RoleWord]]
    """By the bank's id of the item: name of a role to its word."""
    told: str
    """Which roles, in how many items and by what they were read."""


@dataclass(frozen=True, eq=False, slots=True)
class ObservedItem:
    """An item: its sentences by condition, with a text instead that says why there is none."""

    key: ItemKey
    sentences: Mapping[str, ObservedSentence | str]
    attributes: Mapping[str, AttributeValue] = field(default_factory=dict)
    slots: Mapping[str, str] | None = None
    item: StoredItem | None = None
    """The item of the bank; None for one of a file."""
    roles: Mapping[str, RoleWord] = field(default_factory=dict)
    """Name of a role to its word, where roles are to stand for slots."""


@dataclass(frozen=True, eq=False, slots=True)
class Column:
    """One condition at one place under one measure; every array is (items,), in the items' order."""

    value: NDArray[np.float64]
    """NaN exactly where there is a reason."""
    reason: NDArray[np.int16]
    """0 for none, else a number in `Observations.reasons`."""
    observation: Ids
    """0 where there is no value."""
    n_tokens: NDArray[np.int16]
    straddling: NDArray[np.int16]
    """Tokens that lie partly inside and partly outside; a token counts where it begins."""
    adds_nothing: NDArray[np.bool_]
    """A region without a character, under a measure that adds up tokens: 0 inside a criterion."""
    spans: NDArray[np.int32]
    """(items, 2): the characters that were measured; -1 where there is no place."""

    @property
    def operands(self) -> list[float | Empty | None]:
        """The values as `gapsmith.templates.evaluate` takes them."""
        parts = zip(self.value.tolist(), self.reason.tolist(), self.adds_nothing.tolist(), strict=True)
        return [EMPTY if nothing else None if reason else value for value, reason, nothing in parts]


def measured_text(
    tokens: Tokens, *, scorer: Scorer | None = None, convention: Convention = CONVENTIONS[GAPSMITH]
) -> MeasuredText:
    """Tokens as measures take them: bits, NaN where a token has no value. `scorer`, which made them, says whose tokens they
    are, which SLOR needs to know, and whether they are tokens at all. Where the `convention` leaves out the first token of a text and
    nothing stood before it, it is none of them."""
    bits, reason = tokens.bits, tokens.reason
    # Behind a context the first token of the text has a value like any other.
    left_out = int(convention.leaves_out_first and not tokens.context and len(bits) > 0 and bool(np.isnan(bits[0])))
    if left_out:
        reason = reason if np.isnan(bits[1:]).any() else NOTHING_LEFT
    # A view of a whole array takes as much again as a short one.
    return MeasuredText(
        text=tokens.text,
        spans=tokens.spans[left_out:] if left_out else tokens.spans,
        bits=bits[left_out:] if left_out else bits,
        boundary=None if tokens.boundary is None else tokens.boundary[left_out:].astype(np.float64) / NATS_PER_BIT,
        ids=None if tokens.ids is None else tokens.ids[left_out:],
        tokenizer=None if scorer is None else str(scorer.identity.get("tokenizer", "")),
        context=tokens.context,
        by_region=scorer is not None and scorer.by_region,
        reason=reason,
    )


def value_of(
    text: MeasuredText,
    span: Span | str,
    by: Measure,
    *,
    unigrams: Unigrams | str | None = None,
    corrected: bool = False,
    of_word: bool = False,
) -> Value:
    """The measure over a stretch of one text; undefined where it lacks what it needs. `of_word`: the stretch is a word, which
    the value of a region of several words is none of."""
    if corrected and text.boundary is None:
        return Value(None, reason=NO_BOUNDARY)
    if by.needs_unigrams and unigrams is None:
        return Value(None, reason=f"{by.title} needs a table of unigram counts for the model's tokenizer")
    if of_word and text.by_region and not isinstance(span, str):
        inside = [piece for (at, _, _), piece in zip(text.placed, text.spans.tolist(), strict=True) if span[0] <= at < span[1]]
        if any(len(text.text[start:end].split()) != 1 for start, end in inside):
            return Value(None, reason=OF_REGIONS)
    with np.errstate(over="ignore", invalid="ignore"):
        found = measure(text, span, by, unigrams=unigrams, corrected=corrected)
    if found.number is not None and not math.isfinite(found.number):
        return Value(None, reason=TOO_LARGE)
    return found


class Observations:
    """Items under one scorer, each behind its own context or none.

    Columns are shared with every `subset`, so that what is measured of a sentence is worked out once.
    """

    def __init__(self, items: Sequence[ObservedItem], producer: Producer, *, numbers: Mapping[str, str] | None = None) -> None:
        """`numbers` maps a suite's region numbers to names."""
        self.items = tuple(items)
        self.producer = producer
        self.before: tuple[Restriction, ...] = ()
        """Why these are not all items: what was left out before anything was computed of them."""
        self._store = _Store(producer, numbers or {})
        self._index = {name: self._store.indexed(name, self.items) for name in _conditions(self.items)}
        self._columns: dict[_Key, Column] = {}
        self._names: ItemNames | None = None

    def __len__(self) -> int:
        return len(self.items)

    def subset(self, positions: Sequence[int] | NDArray[np.intp], *because: Restriction) -> Observations:
        """These items alone, in this order; `because` says why the others are left out, where that is to be said of results."""
        taken = np.asarray(positions, dtype=np.intp)
        found = object.__new__(Observations)
        found.items = tuple(self.items[position] for position in taken)
        found.producer, found._store = self.producer, self._store
        found.before = (*self.before, *because)
        found._index = {name: (rows[taken], why[taken]) for name, (rows, why) in self._index.items()}
        found._columns = {}
        found._names = self._names if len(taken) == len(self) and (taken == np.arange(len(self))).all() else None
        return found

    @property
    def keys(self) -> tuple[ItemKey, ...]:
        """The items' names."""
        return self.names.keys

    @property
    def names(self) -> ItemNames:
        """The items' names, with where each stands: made once, for all values of these items."""
        if self._names is None:
            self._names = ItemNames(tuple(item.key for item in self.items))
        return self._names

    @property
    def reasons(self) -> Sequence[str]:
        """Why there are no values, by number; the first is no reason."""
        return self._store.reasons

    def has(self, condition: str) -> bool:
        """Whether any item has a sentence in the condition."""
        return condition in self._index and bool((self._index[condition][0] >= 0).any())

    def sentence(self, position: int, condition: str) -> ObservedSentence | None:
        """An item's sentence; None where it has none."""
        found = self.items[position].sentences.get(condition)
        return found if isinstance(found, ObservedSentence) else None

    def sentence_numbers(self, condition: str) -> NDArray[np.int32]:
        """(items,): which of the condition's different sentences each item has; -1 for none."""
        return self._rows(condition)[0]

    def column(self, condition: str, spot: Spot, by: Measure, *, corrected: bool = False) -> Column:
        """The values of all items in one condition at one place."""
        key = condition, spot, by.name, corrected
        if key not in self._columns:
            rows, missing = self._rows(condition)
            whole = self._store.column(condition, spot, by, corrected)
            there = rows >= 0
            if not len(whole.value):
                whole = _nothing(1)
            at = np.where(there, rows, 0)
            self._columns[key] = Column(
                value=np.where(there, whole.value[at], np.nan),
                reason=np.where(there, whole.reason[at], missing).astype(np.int16),
                observation=np.where(there, whole.observation[at], np.uint64(0)),
                n_tokens=np.where(there, whole.n_tokens[at], 0).astype(np.int16),
                straddling=np.where(there, whole.straddling[at], 0).astype(np.int16),
                adds_nothing=there & whole.adds_nothing[at],
                spans=np.where(there[:, None], whole.spans[at], -1).astype(np.int32),
            )
        return self._columns[key]

    def words(self, condition: str, spot: Spot, by: Measure) -> list[str]:
        """What stands at a place, by item; empty where there is no place."""
        column = self.column(condition, spot, by)
        found = []
        for position, (start, end) in enumerate(column.spans.tolist()):
            sentence = self.sentence(position, condition)
            found.append("" if sentence is None or start < 0 else sentence.text[start:end].strip())
        return found

    def regions_of(self, position: int, condition: str) -> list[str] | None:
        """The names of the regions of an item's sentence, in reading order; None where it has no sentence or no regions."""
        sentence = self.sentence(position, condition)
        return None if sentence is None or sentence.regions is None else [region.name for region in sentence.regions]

    def _rows(self, condition: str) -> tuple[NDArray[np.int32], NDArray[np.int16]]:
        if condition not in self._index:
            self._index[condition] = self._store.indexed(condition, self.items)
        return self._index[condition]


_Key = tuple[str, Spot, str, bool]


class _Places(NamedTuple):
    """Where each of a condition's sentences has a place."""

    spans: NDArray[np.int32]
    """(sentences, 2): the characters; -1 where there is none."""
    lacking: dict[int, str]
    """Why there is none, by the sentence's number."""
    ids: Ids
    """The observation of what begins there; 0 for none."""


class _Store:
    """The different sentences of each condition, and what has been measured of them."""

    def __init__(self, producer: Producer, numbers: Mapping[str, str]) -> None:
        self.producer, self._numbers = producer, numbers
        self.reasons: list[str] = [""]
        self._code: dict[str, int] = {"": 0}
        self._sentences: dict[str, list[ObservedSentence]] = {}
        self._found: dict[tuple[str, Spot, bool], _Places] = {}
        self._columns: dict[_Key, Column] = {}

    def code(self, reason: str) -> int:
        """The number of a reason."""
        found = self._code.setdefault(reason, len(self.reasons))
        if found == len(self.reasons):
            self.reasons.append(reason)
        return found

    def indexed(self, condition: str, items: Sequence[ObservedItem]) -> tuple[NDArray[np.int32], NDArray[np.int16]]:
        """(items,) twice: the number of each item's sentence, -1 for none; and why there is none."""
        sentences = self._sentences.setdefault(condition, [])
        numbers = {id(one): number for number, one in enumerate(sentences)}
        rows, why = np.full(len(items), -1, dtype=np.int32), np.zeros(len(items), dtype=np.int16)
        for position, item in enumerate(items):
            found = item.sentences.get(condition, NO_SENTENCE)
            if isinstance(found, str):
                why[position] = self.code(found)
                continue
            number = numbers.setdefault(id(found), len(sentences))
            if number == len(sentences):
                sentences.append(found)
            rows[position] = number
        return rows, why

    def column(self, condition: str, spot: Spot, by: Measure, corrected: bool) -> Column:
        """Over the condition's different sentences."""
        key = condition, spot, by.name, corrected
        if key not in self._columns:
            self._columns[key] = self._measured(condition, spot, by, corrected)
        return self._columns[key]

    def _measured(self, condition: str, spot: Spot, by: Measure, corrected: bool) -> Column:
        sentences = self._sentences.get(condition, [])
        where = self._spots(condition, spot, corrected)
        found = _nothing(len(sentences))
        found.spans[:] = where.spans
        unigrams = self.producer.unigrams
        for number, (sentence, (start, end)) in enumerate(zip(sentences, where.spans.tolist(), strict=True)):
            span: Span | str = where.lacking.get(number) or (start, end)
            if sentence.measured is None:
                value = Value(None, reason=sentence.why)
            else:
                value = value_of(
                    sentence.measured,
                    span,
                    by,
                    unigrams=unigrams,
                    corrected=corrected,
                    of_word=not isinstance(spot, Place),
                )
            found.n_tokens[number], found.straddling[number] = value.n_tokens, value.n_straddling
            found.adds_nothing[number] = value.adds_nothing
            if value.number is None:
                found.reason[number] = self.code(value.reason or "it has no value")
            else:
                found.value[number], found.observation[number] = value.number, where.ids[number]
        return found

    def _spots(self, condition: str, spot: Spot, corrected: bool) -> _Places:
        """Where each sentence has the place, and the observation of what begins there."""
        key = condition, spot, corrected
        if key not in self._found:
            sentences = self._sentences.get(condition, [])
            places = _Places(np.full((len(sentences), 2), -1, dtype=np.int32), {}, np.zeros(len(sentences), dtype=np.uint64))
            for number, sentence in enumerate(sentences):
                span = find(spot, sentence.text, sentence.regions, critical=sentence.critical, numbers=self._numbers)
                if isinstance(span, str) and sentence.regions is None and sentence.unplaced:
                    span = sentence.unplaced
                if isinstance(span, str):
                    places.lacking[number] = span
                    continue
                places.spans[number] = span
                if sentence.measured is not None:
                    places.ids[number] = self._identify(sentence.measured, span, corrected)
            self._found[key] = places
        return self._found[key]

    def _identify(self, text: MeasuredText, span: Span, corrected: bool) -> int:
        """The observation, as a number: a hash of who made it, the context, where it begins and what was read. Where the mass of
        word boundaries is moved, that the word goes on was read, too."""
        end = len(text.text) if self.producer.by_whole_text else text.read_up_to(span)
        on = ("goes on",) if corrected and text.boundary is not None and text.goes_on(span) else ()
        read = "\0".join((self.producer.identity, text.context, str(span[0]), text.text[:end], *on))
        # 0 is for no observation.
        return max(1, int.from_bytes(blake2b(read.encode(), digest_size=8).digest(), "big"))


def name_of(observation: int) -> str:
    """An observation as tables write it: 16 hexadecimal digits."""
    return f"{observation:016x}"


def measure_name(name: str, scorer: Scorer | None, *, corrected: bool, convention: str = GAPSMITH) -> str:
    """What a measure is called in tables: its name and, where it is not the usual one, by which convention it was made of what the
    scorer says: that of another program (``minicons``), with the mass of word boundaries moved (``corrected``), without a
    beginning-of-sequence token (``no BOS``), where the first token of a text has no value, or with a space behind it (``a space before``)."""
    if convention != GAPSMITH:
        return f"{name}, {convention}"
    begun = {BosPolicy.NONE: "no BOS", BosPolicy.SPACE: "a space before"}
    made = (
        "corrected" if corrected else "",
        next((said for own, said in begun.items() if scorer is not None and scorer.bos == own), ""),
    )
    return ", ".join(part for part in (name, *made) if part)


def _conditions(items: Sequence[ObservedItem]) -> list[str]:
    return list(dict.fromkeys(name for item in items for name in item.sentences))


def _nothing(size: int) -> Column:
    return Column(
        value=np.full(size, np.nan),
        reason=np.zeros(size, dtype=np.int16),
        observation=np.zeros(size, dtype=np.uint64),
        n_tokens=np.zeros(size, dtype=np.int16),
        straddling=np.zeros(size, dtype=np.int16),
        adds_nothing=np.zeros(size, dtype=np.bool_),
        spans=np.full((size, 2), -1, dtype=np.int32),
    )
