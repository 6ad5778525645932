"""Predictions over the table: a value or a reason for each item, and what it was computed from.

A **prediction** is a contrast (a weighted sum) or a criterion (true or false). The **evidence** of an item's value is the set of
the observations that it was computed from, each with its weight: items with the same evidence are one, whatever their names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import blake2b
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from gapsmith.scoring.observations.by_item import ByItem, ItemKey
from gapsmith.scoring.observations.reading import NO_CONDITION, TWO_SENTENCES
from gapsmith.scoring.observations.table import (
    NO_BOUNDARY,
    NO_SENTENCE,
    NOT_SCORED,
    TOO_LARGE,
    Column,
    Ids,
    Observations,
)
from gapsmith.stats import Restriction, RestrictionKind
from gapsmith.templates import (
    EMPTY,
    SENTENCE_PLACE,
    AttributeValue,
    Contrast,
    Empty,
    Formula,
    Lookup,
    Measure,
    Operand,
    Place,
    both_sentence_readings,
    meets,
)

_ORDER: tuple[RestrictionKind, ...] = get_args(RestrictionKind)
APPROVED, NOT_APPROVED = "approved", "not approved"
NO_CALIBRATION = "no calibration items"
NO_CONTEXT_BEFORE = "no such context stands before the item, or before those of its suite"


@dataclass(frozen=True, slots=True)
class Undefined:
    """Items for which a prediction has no value, and why."""

    condition: str
    reason: str
    count: int


@dataclass(frozen=True, eq=False, slots=True)
class PredictedValues:
    """What a prediction comes to. Arrays are (items,), over the items that it is about."""

    given: Observations
    """The items that it is about: those that meet its `where`."""
    value: NDArray[np.float64]
    """NaN exactly where there is a reason."""
    reason: tuple[str, ...]
    """Empty where there is a value."""
    undefined: tuple[Undefined, ...]
    evidence: Ids
    """What each value was computed from; 0 where there is none."""
    used: Ids
    """(items, terms): the observations."""
    n_straddling: int
    """Items with a value of which a token lies across the edge of what is measured; it counts where it begins."""
    n_unlike: int
    """Items with a value that compares different words, so that it also holds how frequent these are. A word that is added and
    taken away, as in a difference in differences, cancels."""
    restrictions: tuple[Restriction, ...]
    n_other_words: int = 0
    """Items with a value that holds whole sentences, or the two places of a criterion, of different words against each other."""
    n_other_lengths: int = 0
    """Those of them whose numbers of words differ, too."""

    @property
    def having(self) -> NDArray[np.intp]:
        """The positions of the items that have a value."""
        return np.flatnonzero(self.evidence != 0)

    @property
    def numbers(self) -> NDArray[np.float64]:
        """The values that there are."""
        return self.value[self.having]

    @property
    def observations(self) -> list[int]:
        """The evidence of each of `numbers`."""
        return [int(one) for one in self.evidence[self.having]]

    @property
    def by_item(self) -> Mapping[ItemKey, float]:
        """Value by item, for those that have one."""
        return ByItem(self.given.names, self.having, self.numbers)

    @property
    def evidence_by_item(self) -> Mapping[ItemKey, int]:
        """Evidence by item, for those that have a value."""
        return ByItem(self.given.names, self.having, self.evidence[self.having])

    @property
    def reasons_by_item(self) -> dict[ItemKey, str]:
        """Why there is none, for the others."""
        return {key: why for key, why in zip(self.given.keys, self.reason, strict=True) if why}

    def words_by_item(self, rows: Sequence[Mapping[str, str]]) -> Mapping[ItemKey, Mapping[str, str]]:
        """The words that were read, of which there is a row for each value, by item."""
        return ByItem(self.given.names, self.having, rows)

    @property
    def n_overlapping(self) -> int:
        """Pieces of evidence that share an observation with another one, but not all of them."""
        first = np.unique(self.evidence[self.having], return_index=True)[1]
        own = np.sort(self.used[self.having][first], axis=1)
        # What a value takes twice is one of its observations, and 0 is none.
        own[:, 1:][own[:, 1:] == own[:, :-1]] = 0
        ids, which, often = np.unique(own, return_inverse=True, return_counts=True)
        shared = (ids != 0) & (often > 1)
        return int(shared[which.reshape(own.shape)].any(axis=1).sum())


def contrast_values(
    table: Observations, contrast: Contrast, by: Measure, *, corrected: bool = False, words: bool = True
) -> PredictedValues:
    """The weighted sum of a contrast's terms for each item that it is about; undefined where any term is.

    Source: the within-item sums of Wilcox et al. (2018). `words` False leaves `n_unlike` uncounted.
    """
    given, restrictions = meeting(table, contrast.where)
    columns = [given.column(term.condition, term.place, by, corrected=corrected) for term in contrast.terms]
    total = np.zeros(len(given))
    missing = np.full(len(given), -1, dtype=np.int64)
    for number, column in reversed(list(enumerate(columns))):
        missing[column.reason > 0] = number
    for term, column in zip(contrast.terms, columns, strict=True):
        with np.errstate(over="ignore", invalid="ignore"):
            total += float(term.weight) * column.value
    # Each value may be a number, and their sum none.
    beyond = (missing < 0) & ~np.isfinite(total)
    there = (missing < 0) & ~beyond
    reason = [""] * len(given)
    undefined: Counter[tuple[str, str]] = Counter()
    for position in np.flatnonzero(beyond):
        undefined["sum", TOO_LARGE] += 1
        reason[position] = f"sum: {TOO_LARGE}"
    for position in np.flatnonzero(missing >= 0):
        number = int(missing[position])
        condition, why = contrast.terms[number].condition, given.reasons[columns[number].reason[position]]
        undefined[condition, why] += 1
        reason[position] = f"{condition}: {why}"
    crossing = np.zeros(len(given), dtype=np.bool_)
    for column in columns:
        crossing |= column.straddling > 0
    value = np.where(there, total, np.nan)
    parts = [(term.weight, column.observation) for term, column in zip(contrast.terms, columns, strict=True)]
    used = np.stack([column.observation for column in columns], axis=1) if columns else np.zeros((len(given), 0), np.uint64)
    return PredictedValues(
        given=given,
        value=value,
        reason=tuple(reason),
        undefined=_most_often(undefined),
        evidence=np.where(there, together(parts), np.uint64(0)),
        used=used,
        n_straddling=int((crossing & there).sum()),
        n_unlike=_unlike(given, contrast, by, there) if words else 0,
        restrictions=(*table.before, *restrictions, *restricted(len(given), _by_reason(undefined))),
        **(_sentences_unlike(given, contrast, by, there) if words else {}),
    )


@dataclass(frozen=True, eq=False, slots=True)
class Outcomes:
    """What a formula comes to for each item, and how SyntaxGym would read it."""

    values: PredictedValues
    """1 where it holds and 0 where it does not, or the number of a formula that compares nothing."""
    syntaxgym: NDArray[np.float64]
    """(items,): the same as SyntaxGym computes it, which adds up the regions for ``*`` whatever the metric; NaN for none."""
    measured: Mapping[Operand, NDArray[np.float64]]
    """(items,): what each operand comes to; 0 in an empty region, NaN where it has no value."""
    lacking: Mapping[ItemKey, str]
    """Items of which it is true or false here and neither so, with the region that has no value, and why."""

    @property
    def differing(self) -> NDArray[np.intp]:
        """Where the two readings of ``*`` give different answers."""
        return np.flatnonzero(~np.isnan(self.values.value) & ~np.isnan(self.syntaxgym) & (self.values.value != self.syntaxgym))

    @property
    def one_sided(self) -> NDArray[np.intp]:
        """Where one reading of ``*`` gives an answer and the other none, as where a region is empty and has no mean."""
        return np.flatnonzero(np.isnan(self.values.value) != np.isnan(self.syntaxgym))


def outcomes(
    table: Observations,
    formula: Formula,
    by: Measure,
    *,
    where: Mapping[str, AttributeValue] | None = None,
    corrected: bool = False,
) -> Outcomes:
    """A formula's truth, or its number, for each item that meets `where`."""
    given, restrictions = meeting(table, where or {})
    n = len(given)
    holds, other = np.full(n, np.nan), np.full(n, np.nan)
    reason, lacking = [""] * n, dict[ItemKey, str]()
    undefined: Counter[tuple[str, str]] = Counter()
    whole = any(operand.place == SENTENCE_PLACE for operand in formula.operands)

    def column(condition: str, place: Place) -> Column:
        return given.column(condition, place, by, corrected=corrected)

    columns = [column(operand.condition, operand.place) for operand in formula.operands]
    operands: dict[tuple[str, Place], list[float | Empty | None]] = {}
    at = 0

    def lookup(condition: str, place: Place) -> float | Empty | None:
        key = condition, place
        if key not in operands:
            operands[key] = column(condition, place).operands
        return operands[key][at]

    def places(condition: str) -> list[Place]:
        regions = given.regions_of(at, condition)
        # Without regions the sentence is the only one there is.
        return [SENTENCE_PLACE] if regions is None else [Place(name) for name in regions]

    for at in range(n):
        found, theirs = both_sentence_readings(formula, lookup, places)
        if found is not None:
            holds[at] = float(found)
        else:
            operand, why = next(_undefined(formula, lookup, columns, at, given))
            undefined[str(operand), why] += 1
            reason[at] = f"{operand}: {why}"
        if theirs is not None:
            other[at] = float(theirs)
        elif found is not None and whole:
            every = [
                Operand(operand.condition, place)
                for operand in formula.operands
                if operand.place == SENTENCE_PLACE
                for place in places(operand.condition)
            ]
            said = (
                f"{own}: {given.reasons[column(own.condition, own.place).reason[at]]}"
                for own in every
                if lookup(own.condition, own.place) is None
            )
            lacking[given.items[at].key] = next(said, "it has no value")
    there = ~np.isnan(holds)
    used = np.stack([own.observation for own in columns], axis=1) if columns else np.zeros((n, 0), np.uint64)
    crossing = np.any(np.stack([own.straddling > 0 for own in columns], axis=1), axis=1) if columns else np.zeros(n, np.bool_)
    # Of an empty region nothing was read. Two truths of one reading, a hair apart, are two pieces of evidence.
    parts = [((str(operand), 1), own.observation) for operand, own in zip(formula.operands, columns, strict=True)]
    evidence = together([*parts, ("truth", np.where(holds == 0, np.uint64(1), np.uint64(2)))], all_needed=False)
    values = PredictedValues(
        given=given,
        value=holds,
        reason=tuple(reason),
        undefined=_most_often(undefined),
        evidence=np.where(there, evidence, np.uint64(0)),
        used=used,
        n_straddling=int((crossing & there).sum()),
        n_unlike=0,
        restrictions=(*table.before, *restrictions, *restricted(n, _by_reason(undefined))),
        **_sides_unlike(given, formula, by, there),
    )
    measured = {
        operand: np.where(own.adds_nothing, 0.0, own.value) for operand, own in zip(formula.operands, columns, strict=True)
    }
    return Outcomes(values, other, measured, lacking)


def together(parts: Sequence[tuple[object, Ids]], *, all_needed: bool = True) -> Ids:
    """(items,): one number for all observations of each item with their weights, whatever their order; 0 where one is lacking and
    `all_needed`."""
    n = len(parts[0][1]) if parts else 0
    total, there = np.zeros(n, dtype=np.uint64), np.full(n, all_needed)
    for weight, ids in parts:
        salt = np.uint64(int.from_bytes(blake2b(repr(weight).encode(), digest_size=8).digest(), "big"))
        have = ids != 0
        total = np.where(have, total + _mixed(ids ^ salt), total)
        there = (there & have) if all_needed else (there | have)
    return np.where(there, np.maximum(total, np.uint64(1)), np.uint64(0))


def meeting(table: Observations, where: Mapping[str, AttributeValue]) -> tuple[Observations, tuple[Restriction, ...]]:
    """The items that have these attributes, and what that leaves out."""
    if not where:
        return table, ()
    kept = [position for position, item in enumerate(table.items) if meets(item.attributes, where)]
    phrase = " and ".join(f"{name} = {value}" for name, value in where.items())
    said = (Restriction("where", len(table), len(table) - len(kept), phrase),) if len(kept) < len(table) else ()
    return (table.subset(kept) if said else table), said


def added_up(parts: Iterable[Iterable[Restriction]], n_left: int) -> tuple[Restriction, ...]:
    """What leaves out items of several parts, added up over the parts, of which together `n_left` items stay: in the order of the
    kinds, each takes over what the one before it has left."""
    out: Counter[tuple[RestrictionKind, str]] = Counter()
    for own in parts:
        for one in own:
            out[one.kind, one.phrase] += one.n_out
    at, found = n_left + out.total(), []
    for (kind, phrase), n_out in sorted(out.items(), key=lambda entry: (_ORDER.index(entry[0][0]), -entry[1], entry[0][1])):
        found.append(Restriction(kind, at, n_out, phrase))
        at -= n_out
    return tuple(found)


def restricted(n: int, lacking: Mapping[str, int]) -> tuple[Restriction, ...]:
    """Why of n items some have no value, by reason and their number: a restriction for each kind of reason, the most frequent first,
    which takes over what the one before it has left; decisions come before all."""
    kinds: Counter[RestrictionKind] = Counter()
    said: dict[RestrictionKind, Counter[str]] = {}
    for why, count in lacking.items():
        kind = _kind(why)
        kinds[kind] += count
        said.setdefault(kind, Counter())[why] += count
    found = []
    for kind, count in sorted(kinds.items(), key=lambda entry: (entry[0] != "decision", -entry[1], entry[0])):
        reasons = sorted(said[kind].items(), key=lambda entry: (-entry[1], entry[0]))
        phrase = reasons[0][0] if len(reasons) == 1 else "; ".join(f"{why} ({n:,})" for why, n in reasons)
        found.append(Restriction(kind, n, count, APPROVED if kind == "decision" else f"left out: {phrase}"))
        n -= count
    return tuple(found)


def _by_reason(undefined: Mapping[tuple[str, str], int]) -> Counter[str]:
    found: Counter[str] = Counter()
    for (_, why), count in undefined.items():
        found[why] += count
    return found


def _most_often(undefined: Mapping[tuple[str, str], int]) -> tuple[Undefined, ...]:
    """The most frequent first; of equal ones in the order of their names, which is not that of the items."""
    ordered = sorted(undefined.items(), key=lambda entry: (-entry[1], entry[0]))
    return tuple(Undefined(place, why, count) for (place, why), count in ordered)


def _kind(why: str) -> RestrictionKind:
    """What kind of lack a reason is."""
    if why == NOT_APPROVED:
        return "decision"
    if why == NO_CONTEXT_BEFORE:
        return "context"
    if why in (NO_SENTENCE, NO_CONDITION, TWO_SENTENCES) or why.startswith("the item has only the conditions of"):
        return "absent"
    if why in (NOT_SCORED, NO_BOUNDARY):
        return "unscored"
    return "window" if "window" in why else "undefined"


def _undefined(
    formula: Formula, lookup: Lookup, columns: Sequence[Column], at: int, given: Observations
) -> Iterator[tuple[Operand, str]]:
    """What a formula names and has no value, each with the reason. An empty region is no such thing inside a criterion."""
    none = (None, EMPTY) if not formula.is_criterion else (None,)
    for operand, own in zip(formula.operands, columns, strict=True):
        if lookup(operand.condition, operand.place) in none:
            yield operand, given.reasons[own.reason[at]] or "it has no value"


def _unlike(given: Observations, contrast: Contrast, by: Measure, there: NDArray[np.bool_]) -> int:
    """How many items have words at the places that do not cancel. Whole sentences are compared as such, whatever their words."""
    if any(term.place == SENTENCE_PLACE for term in contrast.terms):
        return 0
    words = [given.words(term.condition, term.place, by) for term in contrast.terms]
    known: dict[tuple[str, ...], bool] = {}
    found = 0
    for position in np.flatnonzero(there):
        own = tuple([column[position] for column in words])
        if own not in known:
            weights: dict[str, Fraction] = {}
            for word, term in zip(own, contrast.terms, strict=True):
                weights[word.casefold()] = weights.get(word.casefold(), Fraction(0)) + term.weight
            known[own] = any(weights.values())
        found += known[own]
    return found


def _sentences_unlike(
    given: Observations, contrast: Contrast, by: Measure, there: NDArray[np.bool_]
) -> dict[Literal["n_other_words", "n_other_lengths"], int]:
    """In how many items the words of whole sentences do not cancel, and the numbers of words do not."""
    if any(term.place != SENTENCE_PLACE for term in contrast.terms):
        return {}
    return _not_cancelling(given, [(term.weight, term.condition, term.place) for term in contrast.terms], by, there)


def _sides_unlike(
    given: Observations, formula: Formula, by: Measure, there: NDArray[np.bool_]
) -> dict[Literal["n_other_words", "n_other_lengths"], int]:
    """The same of the two places that a criterion holds against each other; of a formula of more, what cancels is not known."""
    if len(formula.operands) != 2:
        return {}
    one, two = formula.operands
    sides = [(Fraction(1), one.condition, one.place), (Fraction(-1), two.condition, two.place)]
    return _not_cancelling(given, sides, by, there)


def _not_cancelling(
    given: Observations, sides: Sequence[tuple[Fraction, str, Place]], by: Measure, there: NDArray[np.bool_]
) -> dict[Literal["n_other_words", "n_other_lengths"], int]:
    texts = [given.words(condition, place, by) for _, condition, place in sides]
    n_words = n_lengths = 0
    for position in np.flatnonzero(there):
        weights: dict[str, Fraction] = {}
        for (weight, _, _), column in zip(sides, texts, strict=True):
            for word in _WORD.findall(column[position].casefold()):
                weights[word] = weights.get(word, Fraction(0)) + weight
        n_words += any(weights.values())
        n_lengths += sum(weights.values()) != 0
    return {"n_other_words": n_words, "n_other_lengths": n_lengths}


_WORD = re.compile(r"\w+(?:['’]\w+)*")


def _mixed(ids: Ids) -> Ids:
    """Numbers that look alike far apart (splitmix64), so that their sum tells sets of them apart."""
    mixed = ids + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    result: Ids = mixed ^ (mixed >> np.uint64(31))
    return result
