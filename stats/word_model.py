"""The test of a mean over items whose words repeat. The only place that decides which words are fixed, which are random, and what
an estimate speaks for.

What one verb does is repeated in every item that has it, so a t test over items takes for independent what is not (Clark 1973).
A slot of which all words are known (`closed`), or with too few words to tell how words vary, is a fixed effect: the estimate is
the equally weighted mean over these words and speaks for them alone. Every other slot whose words repeat is a random intercept
(Baayen, Davidson & Bates 2008), whatever its variance comes to. Where some items lack a slot, being without it is no word: it is a
fixed column, once for slots that one another's items lack, and the slot's words are those of the items that have it; the estimate
is then equally weighted over items with it and without. The rule looks at the words, how often they repeat and what can be
estimated; never at a p value, and never at the number of items as such.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gapsmith.stats import distributions
from gapsmith.stats.checks import beyond_computing, check_alternative, check_probability
from gapsmith.stats.components import Combined, Components, fit_components
from gapsmith.stats.distinct_values import distinct, repetition
from gapsmith.stats.results import Result
from gapsmith.stats.ttest import t_p_value

RANDOM_FROM = 6
"""A sample of words with fewer than this says too little of how words vary, and its words are fixed (line 1)."""
INTERVAL_FROM = 3
"""With fewer sampled words than this there is no interval over other words (line 2)."""
LEAST_DF = 5
"""Observations beyond the fixed columns, below which nothing is tested."""
_NEARLY_ALL = 0.9
"""A slot with at least this share of different words cannot be told from the items."""
_EXACT = 1e-8
"""Residuals below this share of the values are rounding."""
_MOST_LEVELS = 4_000
"""Words of all random slots together, beyond which the model does not fit into memory."""
WANTED = 12
"""Words with which line 2 says how wide its interval would be."""

_MOST_NAMED = 8
"""Fixed words that a sentence names, beyond which it says how many of which slot."""

_IDLE = "what is measured does not depend on it"

WORD_CLASSES = frozenset(
    {"adjective", "adverb", "auxiliary", "complementizer", "conjunction", "determiner", "noun", "preposition", "pronoun", "verb"}
)
"""Names of slots that say what one of their words is called; their plurals have an s."""

Use = Literal["fixed", "random", "left out"]
Kind = Literal["words", "items", "described", "unknown"]
"""What the test is: a model of the words; a t test, since no word repeats; a t test from which no verdict follows; a t test over
items whose words are not known."""


@dataclass(frozen=True, slots=True)
class SlotUse:
    """What becomes of a slot that has several words."""

    name: str
    also: tuple[str, ...]
    """Slots that go word by word with it, which cannot be told from it."""
    n_words: int
    """Different words; lacking the slot is none of them."""
    words: tuple[str, ...]
    """The words of a fixed slot, in the order of their text; of others none."""
    closed: bool
    """Whether these words are all there are; else they are a sample."""
    use: Use
    why: str = ""
    """Why it is left out."""
    n_lacking: int = 0
    """Observations that lack it."""
    built_of: tuple[str, ...] = ()
    """The slots in the model that are its parts: beside them it stands for how they are combined, and for no words of its own."""

    @property
    def has_own_words(self) -> bool:
        """Whether it is left out since its words cannot be told from the items."""
        return self.use == "left out" and self.why != _IDLE

    @property
    def named(self) -> str:
        """The slot with those that go with it."""
        return f"{self.name}{self._with}"

    @property
    def counted(self) -> str:
        """How many words it has: ``2 prepositions``, or ``2 words of the slot 'name1'`` where its name is not what one calls a word."""
        n = self.n_words
        if self.name in WORD_CLASSES:
            return f"{n:,} {self.name if n == 1 else self._plural}{self._with}"
        return f"{n:,} {'word' if n == 1 else 'words'} of the slot {self.name!r}{self._with}"

    @property
    def others(self) -> str:
        """Words that are not among its own: ``other prepositions``, or ``other words of the slot 'name1'``."""
        return (
            f"other {self._plural}{self._with}"
            if self.name in WORD_CLASSES
            else f"other words of the slot {self.name!r}{self._with}"
        )

    @property
    def _plural(self) -> str:
        return f"{self.name[:-1]}ies" if self.name.endswith("y") else f"{self.name}s"

    @property
    def _with(self) -> str:
        return f" (with {', '.join(self.also)})" if self.also else ""


@dataclass(frozen=True, slots=True)
class FixedWord:
    """The observations with one word of a fixed slot; those that lack it have the word ``""``."""

    slot: str
    word: str
    n: int
    mean: float
    """Of the values themselves."""
    modelled: float | None = None
    """The model's mean, equally weighted over the words of the other fixed slots; None where there is no model."""
    without: tuple[float, float, float] | None = None
    """The model's mean over the other words of the slot, weighted equally, and the ends of its interval."""

    @property
    def best(self) -> float:
        """The model's mean, or that of the values where there is no model."""
        return self.mean if self.modelled is None else self.modelled


@dataclass(frozen=True, slots=True)
class KindMean:
    """The observations that have the same slots, where not all have the same."""

    named: str
    """Which slots they have, of those that others lack: ``with heads and other``."""
    n: int
    mean: float


@dataclass(frozen=True, slots=True)
class WordTest:
    """The lines of the test of a mean, from the narrowest claim about words to the widest; the t test over items is beside it."""

    kind: Kind
    slots: tuple[SlotUse, ...] = ()
    """Slots with several words, without those that go word by word with an earlier one."""
    these: Result | None = None
    """Line 1: for the words of fixed slots, over other words of random ones. None unless `kind` is ``words``."""
    others: Result | None = None
    """Line 2: over other words of sampled slots that line 1 holds fixed. None where there are none: line 1 is then over words."""
    fixed: tuple[FixedWord, ...] = ()
    """The means by fixed word."""
    why: str = ""
    """Why there is no line 1, in a sentence."""
    kinds: tuple[KindMean, ...] = ()
    """The means by the slots that items have, where some lack slots that others have."""
    named: bool = True
    """Whether `slots` and the lines name words."""

    def without_words(self) -> WordTest:
        """The same with the number of words where they are named, for one whom words would tell which items these are; the means by fixed
        word stay."""
        these, others = (
            None if line is None else replace(line, scope=unnamed(line.scope, self.slots)) for line in (self.these, self.others)
        )
        return replace(self, slots=tuple(replace(use, words=()) for use in self.slots), these=these, others=others, named=False)

    @property
    def repeats(self) -> bool:
        """Whether words repeat, so that what takes items for independent is not to be trusted."""
        return self.kind in ("words", "described")

    @property
    def may_repeat(self) -> bool:
        """Whether words repeat or, since nobody knows them, may."""
        return self.repeats or self.kind == "unknown"

    @property
    def by_number(self) -> str:
        """How a t test over items weights kinds of items, where some lack slots that others have."""
        return (
            f"over kinds of items by their number ({_and([f'{own.n} {own.named}' for own in self.kinds])})" if self.kinds else ""
        )

    @property
    def none_vary(self) -> bool:
        """Whether there are random slots in line 1 and the words of all of them are estimated not to vary."""
        return bool(self.zero) and len(self.zero) == len(self.of_use("random"))

    @property
    def zero(self) -> tuple[str, ...]:
        """Random slots whose words are estimated not to vary, in line 1."""
        sds = {} if self.these is None else self.these.details.get("sds", {})
        return tuple(slot.named for slot in self.slots if sds.get(slot.name) == 0)

    @property
    def few(self) -> str:
        """The sampled slots that line 1 holds fixed, with their numbers of words."""
        return ", ".join(use.counted for use in self.of_use("fixed") if not use.closed)

    @property
    def modelled(self) -> bool:
        """Whether the means by fixed word are the model's; else they are those of the values."""
        return bool(self.fixed) and all(own.modelled is not None for own in self.fixed)

    @property
    def both_sides(self) -> tuple[str, ...]:
        """Fixed slots with a word whose mean is above 0 and one whose mean is below it: the model's means, where there is a model."""
        by_slot: dict[str, set[bool]] = {}
        for own in self.fixed:
            if own.best:
                by_slot.setdefault(own.slot, set()).add(own.best > 0)
        return tuple(name for name, above in by_slot.items() if len(above) == 2)

    def hangs_on(self, side: int) -> tuple[FixedWord, ...]:
        """The fixed words without which the interval is not wholly on that side of 0 (1 or -1): that of the model's mean over the other
        words of the slot, weighted equally. Where a slot has two words there are no others, but one, which the means by word have."""
        n_words = {use.name: use.n_words for use in self.slots}
        return tuple(
            own
            for own in self.fixed
            if n_words.get(own.slot, 0) > 2 and own.without is not None and min(side * end for end in own.without[1:]) <= 0
        )

    def in_short(self, scope: str) -> str:
        """A scope of line 1 as a sentence bears it: where more than `_MOST_NAMED` words are fixed, how many of which slot, without the words,
        which `fixed` has."""
        fixed = self.of_use("fixed")
        return unnamed(scope, fixed) if sum(use.n_words for use in fixed) > _MOST_NAMED else scope

    def of_use(self, use: Use) -> tuple[SlotUse, ...]:
        """The slots of that use, in their order."""
        return tuple(slot for slot in self.slots if slot.use == use)


@dataclass(frozen=True, slots=True)
class _Slot:
    use: SlotUse
    codes: NDArray[np.int64] = field(compare=False)
    """The place of each observation's word among the words; -1 where the slot is lacking."""


@dataclass(frozen=True, slots=True)
class _Lack:
    """A division of the observations into those that have slots and those that lack them."""

    having: NDArray[np.bool_] = field(compare=False)
    there: list[str]
    """The slots that those of `having` have and the others lack."""
    elsewhere: list[str]
    """The slots that the others have and those of `having` lack."""

    def named(self, has: bool) -> str:
        """What the observations of one side are called."""
        own, other = (self.there, self.elsewhere) if has else (self.elsewhere, self.there)
        return f"with {_and(own)}" if own else f"without {_and(other)}"


def word_test(
    values: Sequence[float] | NDArray[np.float64],
    rows: Sequence[Mapping[str, str]],
    *,
    closed: Collection[str] = (),
    observations: Sequence[Hashable] | None = None,
    alternative: str = "two-sided",
    confidence: float = 0.95,
    others: bool = True,
    between: Sequence[float] | None = None,
    parts: Mapping[str, Collection[str]] | None = None,
) -> WordTest:
    """Whether the mean of `values` (one per item) differs from 0, given the words of each item.

    `rows` has one mapping from slot to word per value: the slots that were read for it. `closed` names those whose words are all
    there are. With `observations` (a key per value) each distinct one counts once. Without `others` there is no line 2. With
    `between`, a number for each item such as 1 and 0 for two kinds of items, what is tested is not the mean but how much `values`
    rise as it rises by 1; then line 1 is there also where no word repeats, and there are no means by word. `parts` names the slots that
    the texts of a slot are built of. Raises ValueError for a
    value that is not finite, rows or numbers that are not one per value, numbers that are all the same, an unknown alternative or a
    confidence outside (0, 1).
    """
    chosen = check_alternative(alternative)
    check_probability(confidence, "confidence")
    if between is not None:
        if len(between) != len(rows) or len(set(between)) < 2:
            raise ValueError(f"{len(rows)} items need as many numbers, and two different ones")
        # What was read is one observation only among items of the same kind.
        observations = [(key, kind) for key, kind in zip(observations or range(len(between)), between, strict=True)]
    given = distinct(values, observations)
    if len(rows) != given.n_given:
        raise ValueError(f"{len(rows)} items with words for {given.n_given} values")
    slope = None if between is None else np.array([between[position] for position in given.positions], dtype=np.float64)
    slots = _slots([rows[position] for position in given.positions], frozenset(closed), _moving(rows, observations), parts)
    uses = tuple(slot.use for slot in slots)
    response = given.values
    about: dict[str, Any] = {
        "n": given.n,
        "n_given": given.n_given,
        "alternative": chosen,
        "confidence": confidence,
        "notes": repetition(given),
        "lacks": (),
    }
    lacks = _lacks(slots)
    kinds = () if slope is not None else _kind_means(lacks, response)
    if not any(use.use in ("fixed", "random") for use in uses):
        these = None if slope is None else _line(response, slope, [], [], about)[0]
        said = "No slot's words repeat, so the t test is over items of their own."
        return WordTest("items", uses, these, why=said, kinds=kinds)
    fixed = [slot for slot in slots if slot.use.use == "fixed"]
    about["lacks"] = lacks
    means = () if slope is not None else tuple(own for slot in fixed for own in _means(slot, response))
    if reason := _not_to_be_tested(slope, fixed, lacks, given.n):
        return WordTest("described", uses, fixed=means, why=reason, kinds=kinds)
    random = [slot for slot in slots if slot.use.use == "random"]
    these, means = _line(response, slope, fixed, random, about, means=means)
    sampled = [slot for slot in fixed if not slot.use.closed]
    wider = _over_others(response, slope, fixed, random, sampled, about) if others and sampled else None
    return WordTest("words", uses, these, wider, means, kinds=kinds)


@dataclass(frozen=True, slots=True)
class WordColumns:
    """Line 1 as the columns of a model of another kind than that of a mean, such as a logistic one."""

    kind: Kind
    uses: tuple[SlotUse, ...]
    fixed: NDArray[np.float64]
    """Shape (observations, columns): ones, then what holds words and lacking slots fixed, so that the first coefficient is equally weighted."""
    random: tuple[tuple[str, NDArray[np.int64]], ...]
    """Of each random slot its name and the code of each observation's word, -1 where it is lacking."""
    positions: tuple[int, ...]
    """For each observation, where the first item with it stood."""
    scope: str
    """What an estimate speaks for, of words."""
    why: str = ""
    """Why words cannot be held fixed; then there are no columns of words."""


def word_columns(
    rows: Sequence[Mapping[str, str]],
    closed: Collection[str] = (),
    observations: Sequence[Hashable] | None = None,
    parts: Mapping[str, Collection[str]] | None = None,
) -> WordColumns:
    """What line 1 of `word_test` is made of, for items with these words. Raises ValueError for observations that are not one per item."""
    given = distinct(np.zeros(len(rows)), observations)
    slots = _slots([rows[position] for position in given.positions], frozenset(closed), _moving(rows, observations), parts)
    uses = tuple(slot.use for slot in slots)
    alone = np.ones((given.n, 1))
    fixed, random = ([slot for slot in slots if slot.use.use == use] for use in ("fixed", "random"))
    if not fixed and not random:
        return WordColumns("items", uses, alone, (), given.positions, "")
    lacks = _lacks(slots)
    if why := _not_to_be_tested(None, fixed, lacks, given.n):
        return WordColumns("described", uses, alone, (), given.positions, "", why)
    matrix, kinds = _columns(None, fixed, lacks, given.n)
    scope = _scope([slot.use for slot in fixed], [slot.use for slot in random], kinds, mean=True)
    return WordColumns("words", uses, matrix, tuple((slot.use.name, slot.codes) for slot in random), given.positions, scope)


def word_slots(rows: Sequence[Mapping[str, str]], closed: Collection[str] = ()) -> tuple[SlotUse, ...]:
    """What becomes of each slot that has several words, of items with these words."""
    return tuple(slot.use for slot in _slots(rows, frozenset(closed)))


def fixed_columns(uses: Sequence[SlotUse], rows: Sequence[Mapping[str, str]]) -> NDArray[np.float64]:
    """The fixed columns of line 1 for items with these words, whose slots are of these uses; the mean that is tested comes first."""
    slots = []
    for use in uses:
        number = {word: code for code, word in enumerate(use.words)}
        words = [row.get(use.name, "") for row in rows]
        slots.append(_Slot(use, np.array([number.get(word, 0 if word else -1) for word in words], dtype=np.int64)))
    return _columns(None, [slot for slot in slots if slot.use.use == "fixed"], _lacks(slots), len(rows))[0]


def kind_columns(rows: Sequence[Mapping[str, str]], held: Collection[str] = ()) -> tuple[dict[str, list[float]], str, int]:
    """The fixed columns of line 1 that tell which items lack slots, beside the fixed words of the slots in `held`; the kinds of items that
    an effect then weights equally, in words; and how many degrees of freedom these columns and words leave between the items.

    A column is called ``with_SLOT``, 1 for items that have the slot and -1 for those that lack it; where kinds do not come apart slot by slot
    they are sum coded, ``kind_1`` and so on. None where no item lacks a slot that others have, or the fixed words tell already.
    """
    slots = _slots(rows, frozenset())
    # In the order of names, so that the columns are the same ones in whatever order items come.
    lacks = sorted(map(_in_order, _lacks(slots)), key=lambda own: own.there)
    fixed = [slot for slot in slots if {slot.use.name, *slot.use.also} & set(held)]
    before = _columns(None, fixed, [], len(rows))[0].shape[1]
    matrix, kinds = _columns(None, fixed, lacks, len(rows))
    columns = matrix[:, before:].T.tolist()
    names = [f"kind_{number}" for number in range(1, len(columns) + 1)]
    for own in lacks:
        signs = np.where(own.having, 1.0, -1.0).tolist()
        names = [f"with_{own.there[0]}" if column == signs else name for name, column in zip(names, columns, strict=True)]
    return dict(zip(names, columns, strict=True)), kinds, len(rows) - matrix.shape[1]


def _in_order(own: _Lack) -> _Lack:
    """The same division, as those that have the slot whose name is first and those that lack it."""
    there, elsewhere = sorted(own.there), sorted(own.elsewhere)
    return _Lack(~own.having, elsewhere, there) if elsewhere and elsewhere < there else _Lack(own.having, there, elsewhere)


def repeated_slots(rows: Sequence[Mapping[str, str]], closed: Collection[str] = ()) -> tuple[str, ...]:
    """The slots whose words repeat, of items with these words."""
    return tuple(use.name for use in word_slots(rows, closed) if use.use != "left out")


def _slots(
    rows: Sequence[Mapping[str, str]],
    closed: frozenset[str],
    moving: frozenset[str] = frozenset(),
    parts: Mapping[str, Collection[str]] | None = None,
) -> list[_Slot]:
    """The slots with several words; those that go word by word with an earlier one are named with it.

    `moving` slots have several words within one observation: what was measured does not depend on them.
    """
    divisions: dict[Hashable, list[str]] = {}
    for name in dict.fromkeys(slot for row in rows for slot in row):
        # The same division of the items is the same slot, whatever its parts are called.
        first: dict[str, int] = {}
        own = tuple(first.setdefault(row.get(name, ""), len(first)) for row in rows)
        if len(first) > 1 or name in moving:
            divisions.setdefault(name if name in moving else own, []).append(name)
    found = []
    for alike in divisions.values():
        # Of slots that divide the items alike, one that no item lacks says it without a column for those that lack it.
        names = sorted(alike, key=lambda name: any(not row.get(name) for row in rows))
        words = [row.get(names[0], "") for row in rows]
        ordered = tuple(sorted(set(words) - {""}))
        number = {"": -1, **{word: code for code, word in enumerate(ordered)}}
        idle = names[0] in moving
        n_lacking = words.count("")
        use = _used(names, ordered, len(rows), n_lacking, closed=all(name in closed for name in names), idle=idle)
        found.append(_Slot(use, np.array([number[word] for word in words], dtype=np.int64)))
    return [replace(slot, use=replace(slot.use, built_of=_parts_in(slot, found, parts))) for slot in found] if parts else found


def _parts_in(slot: _Slot, slots: Sequence[_Slot], parts: Mapping[str, Collection[str]]) -> tuple[str, ...]:
    """The parts of a slot that are in the model beside it."""
    wanted = {part for name in (slot.use.name, *slot.use.also) for part in parts.get(name, ())}
    return tuple(
        own.use.name for own in slots if own is not slot and own.use.use != "left out" and wanted & {own.use.name, *own.use.also}
    )


def _used(names: Sequence[str], words: tuple[str, ...], n: int, n_lacking: int, *, closed: bool, idle: bool) -> SlotUse:
    k = len(words)
    having = n - n_lacking
    use: Use = "fixed" if closed or k < RANDOM_FROM else "random"
    why = ""
    if idle:
        use, why = "left out", _IDLE
    elif k >= _NEARLY_ALL * having and (k > 1 or having == n):
        each = "each item that has it" if n_lacking else "each item"
        use, why = "left out", f"{each} has its own word" if k == having else f"nearly {each} has its own word"
    return SlotUse(names[0], tuple(names[1:]), k, words if use == "fixed" else (), closed, use, why, n_lacking)


def _lacks(slots: Sequence[_Slot]) -> list[_Lack]:
    """How the slots that some observations lack divide these; slots with the same division, or its opposite, are one."""
    found: list[_Lack] = []
    for slot in slots:
        having = slot.codes >= 0
        if having.all() or slot.use.why == _IDLE:
            continue
        names = [slot.use.name, *slot.use.also]
        for own in found:
            if np.array_equal(own.having, having):
                own.there.extend(names)
                break
            if np.array_equal(own.having, ~having):
                own.elsewhere.extend(names)
                break
        else:
            found.append(_Lack(having, names, []))
    return found


def _kind_means(lacks: Sequence[_Lack], response: NDArray[np.float64]) -> tuple[KindMean, ...]:
    """The mean of each kind of observations, in the order in which they come."""
    kinds: dict[tuple[bool, ...], list[float]] = {}
    if lacks:
        for value, *has in zip(response.tolist(), *(own.having.tolist() for own in lacks), strict=True):
            kinds.setdefault(tuple(has), []).append(value)
    return tuple(KindMean(_kind(lacks, has), len(own), float(np.mean(own))) for has, own in kinds.items())


def _kind(lacks: Sequence[_Lack], has: Sequence[bool]) -> str:
    return ", ".join(own.named(one) for own, one in zip(lacks, has, strict=True))


def _moving(rows: Sequence[Mapping[str, str]], observations: Sequence[Hashable] | None) -> frozenset[str]:
    """The slots whose words differ between items of one observation; which of these words counted would be the items' order."""
    first: dict[Hashable, Mapping[str, str]] = {}
    found = set()
    for row, key in zip(rows, observations or (), strict=False):
        seen = first.setdefault(key, row)
        if seen is not row:
            found |= {name for name in {*seen, *row} if seen.get(name, "") != row.get(name, "")}
    return frozenset(found)


def _means(slot: _Slot, response: NDArray[np.float64]) -> list[FixedWord]:
    found = []
    for code, word in [*([(-1, "")] if slot.use.n_lacking else []), *enumerate(slot.use.words)]:
        own = response[slot.codes == code]
        found.append(FixedWord(slot.use.name, word, own.size, float(own.mean())))
    return found


def _columns(
    slope: NDArray[np.float64] | None, fixed: Sequence[_Slot], lacks: Sequence[_Lack], n: int
) -> tuple[NDArray[np.float64], str]:
    """The intercept and the sum-coded words of fixed slots, so that the intercept is the equally weighted mean over them, and the
    columns of those that lack slots; before it the numbers whose slope is asked for. What is tested is the first column. Beside them the
    kinds of items that the mean weights equally, in words."""
    columns = [np.ones((n, 1))] if slope is None else [slope[:, None], np.ones((n, 1))]
    for slot in fixed:
        own = np.vstack([np.eye(slot.use.n_words), np.zeros(slot.use.n_words)])[slot.codes]
        columns.append(own[:, :-1] - own[:, -1:])
    matrix = np.hstack(columns)
    if not lacks:
        return matrix, ""
    if slope is not None and (within := _within(slope, lacks)) is not None:
        among, said = within
        for column in among:
            if np.linalg.matrix_rank(wider := np.column_stack([matrix, column])) == wider.shape[1]:
                matrix = wider
        return matrix, said
    rank = np.linalg.matrix_rank(matrix)
    signs = {number: np.where(own.having, 1.0, -1.0) for number, own in enumerate(lacks)}
    # Fixed words, or the numbers whose slope is asked for, may say already who lacks a slot.
    signs = {number: own for number, own in signs.items() if np.linalg.matrix_rank(np.column_stack([matrix, own])) > rank}
    kept = [lacks[number] for number in signs]
    if not kept:
        return matrix, ""
    more = np.column_stack(list(signs.values()))
    if np.linalg.matrix_rank(np.column_stack([np.ones(n), more])) == len(kept) + 1:
        said = _and([f"{own.named(True)} and {own.named(False)}" for own in kept])
        return np.hstack([matrix, more]), f"equally for items {said}"
    # Three slots of which each item has one: what sets two kinds apart sets the third apart, and all three weigh the same.
    kinds, codes = np.unique(more, axis=0, return_inverse=True)
    own = np.eye(len(kinds))[codes.reshape(-1)]
    said = f" ({'; '.join(_kind(kept, [sign > 0 for sign in kind]) for kind in kinds)})" if len(kinds) <= _MOST_NAMED else ""
    return np.hstack([matrix, own[:, :-1] - own[:, -1:]]), f"equally for {len(kinds)} kinds of items{said}"


def _within(slope: NDArray[np.float64], lacks: Sequence[_Lack]) -> tuple[list[NDArray[np.float64]], str] | None:
    """Columns of the kinds of items that have the same number, where each kind has one: sum coded among these, so that all kinds of one number
    weigh alike, and what is between numbers is left to the slope. None where some kind has several numbers."""
    has, codes = np.unique(np.column_stack([own.having for own in lacks]), axis=0, return_inverse=True)
    own = np.eye(len(has))[codes.reshape(-1)]
    numbers = [np.unique(slope[own[:, kind] > 0]) for kind in range(len(has))]
    if any(number.size > 1 for number in numbers):
        return None
    columns, said = [], []
    for level in np.unique(slope):
        here = [kind for kind, number in enumerate(numbers) if number[0] == level]
        columns += [own[:, kind] - own[:, here[-1]] for kind in here[:-1]]
        if len(here) > 1:
            said.append("; ".join(_kind(lacks, list(has[kind])) for kind in here))
    return columns, f"equally for kinds of items ({' / '.join(said)})" if said else ""


def _not_to_be_tested(slope: NDArray[np.float64] | None, fixed: Sequence[_Slot], lacks: Sequence[_Lack], n: int) -> str:
    """Why the fixed columns leave nothing to test with; empty where they leave enough."""
    matrix, kinds = _columns(slope, fixed, lacks, n)
    parts = [slot.use.counted for slot in fixed]
    parts += [f"the mean {kinds}"] if kinds else []
    named = _and(parts)
    if n - matrix.shape[1] < LEAST_DF:
        return (
            f"The {n} observations are too few beside the words to hold fixed ({named}): they leave {max(0, n - matrix.shape[1])} "
            f"degrees of freedom, and a verdict needs {LEAST_DF}; more items, or fewer different words, give one."
        )
    if np.linalg.matrix_rank(matrix) < matrix.shape[1]:
        return (
            f"The words to hold fixed ({named}) do not come apart: some are only there together with others, so it takes items that "
            "combine them otherwise."
        )
    return ""


def _line(
    response: NDArray[np.float64],
    slope: NDArray[np.float64] | None,
    fixed: Sequence[_Slot],
    random: Sequence[_Slot],
    about: Mapping[str, Any],
    *,
    projected: Sequence[_Slot] | None = None,
    means: tuple[FixedWord, ...] = (),
) -> tuple[Result, tuple[FixedWord, ...]]:
    """The mean over the words of fixed slots, or the slope, with the words of random ones as a sample; line 2 where there are `projected` ones,
    which line 1 holds fixed. Beside it `means` with what the model says of each word."""
    notes = list(about["notes"])
    about = dict(about)
    matrix, kinds = _columns(slope, fixed, about.pop("lacks"), response.size)
    test = ("mixed model of words" if random else "linear model of words" if fixed or kinds else "linear model") + (
        "" if projected is None else ", others too"
    )
    common = {
        **about,
        "test": test,
        "scope": _scope([slot.use for slot in fixed], [slot.use for slot in random], kinds, mean=slope is None),
        "assumes": (
            *(("words of random slots are a sample of those that could stand there",) if random else ()),
            "what words and observations do is about normal",
        ),
    }
    mean = float(response.mean()) if slope is None and beyond_computing(response) is None else None
    levels = sum(slot.use.n_words for slot in random)
    reason = beyond_computing(response)
    fit: Components | None = None
    if reason is None and levels > _MOST_LEVELS:
        reason = f"{levels:,} words are more than a model of words takes ({_MOST_LEVELS:,})"
    if reason is None:
        rest = response - matrix @ np.linalg.lstsq(matrix, response, rcond=None)[0]
        if float(np.linalg.norm(rest)) <= _EXACT * float(np.abs(response).max()) * math.sqrt(response.size):
            reason = "the fixed words reproduce every value, so there is no variance to test against"
    if reason is None:
        try:
            fit = fit_components(response, matrix, [slot.codes for slot in random], _sums(matrix, fixed) if means else None)
        except ValueError as error:
            reason = str(error)
    if fit is not None and not fit.converged:
        reason = "the search for the variances of words did not converge"
    if reason is not None or fit is None:
        return Result(**{**common, "notes": tuple(notes)}, estimate=mean, undefined=reason, interpretable=False), means
    zero = [slot.use.named for slot, variance in zip(random, fit.variances, strict=False) if variance == 0]
    if zero:
        notes.append(f"Estimated as not varying by word: {_and(zero)}.")
    estimate, variance, df = float(fit.coefficients[0]), float(fit.covariance[0, 0]), float(fit.df[0])
    se = math.sqrt(variance)
    half = float(distributions.t.ppf((1 + about["confidence"]) / 2, df)) * se
    details: dict[str, Any] = {
        "sds": {slot.use.name: math.sqrt(v) for slot, v in zip(random, fit.variances, strict=False)},
        "residual_sd": math.sqrt(float(fit.variances[-1])),
    }
    if projected and slope is None:
        details["half_width"] = half
        details["half_width_wanted"] = _with_more_words(fit, random, projected, response.size, about["confidence"])
    line = Result(
        **{**common, "notes": tuple(notes)},
        estimate=estimate,
        ci=(estimate - half, estimate + half),
        statistic=estimate / se,
        df=df,
        p=t_p_value(estimate / se, df, about["alternative"]),
        standard_error=se,
        details=details,
    )
    return line, _modelled(means, fit.combined, about["confidence"])


def _sums(matrix: NDArray[np.float64], fixed: Sequence[_Slot]) -> NDArray[np.float64]:
    """For each fixed word, in the order of `_means`, two sums of the coefficients: the mean with it, and the mean over the other words of its
    slot; kinds of items that lack slots weigh equally in both. Shape (2 * words, columns)."""
    n_words = sum(slot.use.n_words - 1 for slot in fixed)
    kinds = matrix[:, 1 + n_words :]
    found: list[NDArray[np.float64]] = []
    start = 1
    for slot in fixed:
        k, having = slot.use.n_words, slot.codes >= 0
        codes = np.vstack([np.eye(k), np.zeros(k)])
        codes = codes[:, :-1] - codes[:, -1:]
        # With a column of +1 and -1 the mean weighs items with and without the slot equally; with more kinds, each kind.
        share = 1.0 if having.all() else 0.5
        if kinds.size and not having.all() and not np.isin(kinds, (-1, 1)).all():
            share = len(np.unique(kinds[having], axis=0)) / len(np.unique(kinds, axis=0))
        for code in [*([] if having.all() else [-1]), *range(k)]:
            own, rest = np.zeros(matrix.shape[1]), np.zeros(matrix.shape[1])
            own[0] = rest[0] = 1
            own[start : start + k - 1] = codes[code]
            own[1 + n_words :] = np.unique(kinds[having == (code >= 0)], axis=0).mean(axis=0) if kinds.size else 0
            if code >= 0 and k > 1:
                # Sum coded, the other words have together what this one has, on the other side.
                rest[start : start + k - 1] = -share * codes[code] / (k - 1)
            found += [own, rest]
        start += k - 1
    return np.array(found)


def _modelled(means: Sequence[FixedWord], sums: Combined, confidence: float) -> tuple[FixedWord, ...]:
    """The means by word with the model's beside them."""
    n_words: dict[str, int] = {}
    for own in means:
        n_words[own.slot] = n_words.get(own.slot, 0) + bool(own.word)
    found = []
    for number, own in enumerate(means):
        without = None
        if own.word and n_words[own.slot] > 1:
            at = 2 * number + 1
            half = float(distributions.t.ppf((1 + confidence) / 2, sums.df[at])) * math.sqrt(sums.variances[at])
            middle = float(sums.estimates[at])
            without = (middle, middle - half, middle + half)
        found.append(replace(own, modelled=float(sums.estimates[2 * number]), without=without))
    return tuple(found)


def _over_others(
    response: NDArray[np.float64],
    slope: NDArray[np.float64] | None,
    fixed: Sequence[_Slot],
    random: Sequence[_Slot],
    sampled: Sequence[_Slot],
    about: Mapping[str, Any],
) -> Result:
    """Line 2: the sampled words that line 1 holds fixed are random too, and nothing is concluded from so few."""
    moved = [slot for slot in sampled if slot.use.n_words >= INTERVAL_FROM]
    few_words = [slot.use for slot in sampled if slot.use.n_words < INTERVAL_FROM]
    kept = [slot for slot in fixed if slot not in moved]
    line, _ = _line(response, slope, kept, [*random, *moved], about, projected=moved)
    few = _and([f"{slot.use.name}: {slot.use.n_words} words" for slot in sampled])
    if few_words:
        too = "two words" if all(use.n_words == 2 for use in few_words) else "fewer than three words"
        said = f"No interval over {_and([use.others for use in few_words])}: {too} do not tell how words vary."
        return Result(
            test=line.test,
            scope=line.scope,
            assumes=line.assumes,
            n=line.n,
            n_given=line.n_given,
            alternative=line.alternative,
            confidence=line.confidence,
            notes=(*line.notes, said),
            estimate=line.estimate,
            undefined=said,
            interpretable=False,
        )
    if line.undefined is not None:
        return line
    wide = line.details.get("half_width_wanted")
    with_more = "" if wide is None else f"; with {WANTED} words each the interval would be about ± {wide:.2f}"
    said = f"No verdict over other words ({few}){with_more}."
    return replace(line, notes=(*line.notes, said), interpretable=False)


def _with_more_words(fit: Components, random: Sequence[_Slot], projected: Sequence[_Slot], n: int, confidence: float) -> float:
    """Half the interval that the same variances would give with `WANTED` words in the projected slots, all words equally often."""
    parts = [(float(fit.variances[-1]) / n, n - 1)]
    for slot, variance in zip(random, fit.variances, strict=False):
        k = WANTED if slot in projected else slot.use.n_words
        parts.append((float(variance) / k, k - 1))
    total = sum(part for part, _ in parts)
    df = total**2 / sum(part**2 / own for part, own in parts)
    return float(distributions.t.ppf((1 + confidence) / 2, df)) * math.sqrt(total)


def _scope(fixed: Sequence[SlotUse], random: Sequence[SlotUse], kinds: str, *, mean: bool) -> str:
    """What an estimate speaks for: a mean, or a slope, which is the same for all words."""
    these = _and([_these(use) for use in fixed])
    parts = [f"for {'the equally weighted mean over' if mean else 'these words:'} {these}"] if fixed else []
    # A text whose parts are in the model says nothing of other texts: its parts speak, where they are a sample.
    words, built = [use for use in random if not use.built_of], [use for use in random if use.built_of]
    parts += [f"over {_and([use.others for use in words])}"] if words else []
    parts += [f"with how the slot {use.name!r} combines {_and(use.built_of)} as a random part" for use in built]
    parts += [kinds] if kinds else []
    return ", ".join(parts)


def unnamed(scope: str, uses: Iterable[SlotUse]) -> str:
    """A scope over these slots with their numbers of words alone."""
    for use in uses:
        scope = scope.replace(_these(use), use.counted)
    return scope


def _these(use: SlotUse) -> str:
    return f"{use.counted} ({_some(use.words)})"


def _some(words: Sequence[str], most: int = 6) -> str:
    shown = [word or "none" for word in words[:most]]
    return ", ".join(shown) + (", …" if len(words) > most else "")


def _and(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}" if parts else ""
