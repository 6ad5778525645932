"""Filling the slots without a model: every combination of an exhaustive paradigm, or a balanced random sample."""

from __future__ import annotations

import math
import random
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import product
from typing import Annotated, TypeVar

from gapsmith.templates.errors import ParadigmError
from gapsmith.templates.lexicon import FORM, Entry
from gapsmith.templates.model import AttributeValue, Constraint, Paradigm, Slot
from gapsmith.templates.numbers import SEED, numbers_checked
from gapsmith.templates.realisation import expect_words
from gapsmith.templates.slot_lexicons import lexicon_of

BANDS: Mapping[str, tuple[float, float]] = {
    "frequent": (10.0, math.inf),
    "plain": (1.0, math.inf),
    "rare": (0.0, 1.0),
    "any": (0.0, math.inf),
}
"""From how many occurrences in a million words to below how many, for words of lists that give them (`per_million`)."""

DEFAULT_BAND = "plain"

_TRIES_PER_ITEM = 400

T = TypeVar("T")


def expand(paradigm: Paradigm) -> Iterator[dict[str, str]]:
    """Every combination of the slots' own words that no `distinct` constraint forbids; the last slot varies fastest."""
    expect_words(paradigm)
    if paradigm.choices:
        for chosen, own in paradigm.variants.items():
            for filling in expand(own):
                yield {**_levels(paradigm, chosen), **filling}
        return
    slots = [slot for slot in paradigm.slots if slot.form_of is None]
    forms = [(slot.name, *slot.form_of) for slot in paradigm.slots if slot.form_of is not None]
    for combination in product(*(_own_words(paradigm, slot) for slot in slots)):
        filling = {slot.name: word for slot, word in zip(slots, combination, strict=True)}
        for name, parent, form in forms:
            entry = _entry_of(paradigm, parent, filling[parent])
            filling[name] = entry.values(form)[0] if entry is not None else ""
        if violated_constraint(paradigm, filling) is None:
            yield filling


def count_expansions(paradigm: Paradigm) -> int:
    """How many items `expand` gives."""
    return sum(1 for _ in expand(paradigm))


@numbers_checked
def sample(paradigm: Paradigm, seed: Annotated[int, SEED], band: str = DEFAULT_BAND) -> Iterator[dict[str, str]]:
    """Distinct random fillings that satisfy the paradigm's constraints, until no new one is found; from lists that say how
    frequent their words are, only words of the band (see `BANDS`).

    The same seed gives the same stream. Re-use is capped: each value is drawn from the least used ones that fit, so
    that within any prefix of the stream a slot's words are used as evenly as the constraints allow."""
    expect_words(paradigm)
    if paradigm.choices:
        return _sample_in_turn(paradigm, seed, band)
    return _sampled(paradigm, seed, band)


def _sampled(paradigm: Paradigm, seed: int, band: str) -> Iterator[dict[str, str]]:
    rng = random.Random(seed)
    choosers = _choosers(paradigm, paradigm.slots, band)
    seen: set[tuple[str, ...]] = set()
    while True:
        filling = _fresh_filling(paradigm, rng, choosers, seen)
        if filling is None:
            return
        for chooser in choosers:
            chooser.used[filling[chooser.slot.name]] += 1
        seen.add(_key(paradigm, filling))
        yield {slot.name: filling[slot.name] for slot in paradigm.visible_slots}


def drawn_words(paradigm: Paradigm, band: str = DEFAULT_BAND) -> dict[str, tuple[str, ...]]:
    """Slot name to the words that `sample` draws for it. Slots without a list of their own, and those whose words another
    slot's entry offers, are left out."""
    listed = [slot for slot in paradigm.slots if slot.words or slot.lexicon is not None]
    return {chooser.slot.name: chooser.words for chooser in _choosers(paradigm, listed, band)}


def _choosers(paradigm: Paradigm, slots: Sequence[Slot], band: str) -> list[_Chooser]:
    look_up = _looking_once(paradigm)
    choosers = [_Chooser(paradigm, slot, band, look_up) for slot in slots]
    by_name = {chooser.slot.name: chooser for chooser in choosers}
    for chooser in choosers:
        chooser.keep_matched(by_name)
    return choosers


def _sample_in_turn(paradigm: Paradigm, seed: int, band: str) -> Iterator[dict[str, str]]:
    streams = {
        chosen: _sampled(own, seed * 1_000 + number, band) for number, (chosen, own) in enumerate(paradigm.variants.items())
    }
    for chosen, filling in in_turn(paradigm, streams):
        yield {**_levels(paradigm, chosen), **filling}


def in_turn(paradigm: Paradigm, streams: Mapping[tuple[str, ...], Iterator[T]]) -> Iterator[tuple[tuple[str, ...], T]]:
    """The next of each combination of choices in turn, so that any prefix is balanced over them; where a choice has a
    `balance`, over the values of that attribute, and over the levels that share a value. A stream that has ended is left out."""
    groups: dict[tuple[AttributeValue, ...], deque[tuple[tuple[str, ...], Iterator[T]]]] = {}
    for chosen, stream in streams.items():
        groups.setdefault(_turn_of(paradigm, chosen), deque()).append((chosen, stream))
    while groups:
        for turn in list(groups):
            waiting = groups[turn]
            while waiting:
                chosen, stream = waiting.popleft()
                following = next(stream, None)
                if following is not None:
                    waiting.append((chosen, stream))
                    yield chosen, following
                    break
            else:
                del groups[turn]


def _turn_of(paradigm: Paradigm, chosen: tuple[str, ...]) -> tuple[AttributeValue, ...]:
    """What takes turns with one another: levels, or the values that are balanced."""
    named = zip(paradigm.choices, chosen, strict=True)
    return tuple(choice.levels[level][choice.balance] if choice.balance else level for choice, level in named)


def _levels(paradigm: Paradigm, chosen: tuple[str, ...]) -> dict[str, str]:
    return {choice.name: level for choice, level in zip(paradigm.choices, chosen, strict=True)}


def violated_constraint(paradigm: Paradigm, filling: Mapping[str, str]) -> Constraint | None:
    """The first constraint that the filling violates, or None. Words that are in no lexicon are not constrained, and what is
    only never sampled violates nothing."""
    for constraint in paradigm.constraints:
        if (
            constraint.kind != "sample"
            and all(name in filling for name in constraint.slots)
            and _violates(constraint, filling, partial(_entry_of, paradigm))
        ):
            return constraint
    return None


_LookUp = Callable[[str, str], Entry | None]
"""Slot and word to the word's row in the slot's lexicon."""


def _violates(constraint: Constraint, filling: Mapping[str, str], look_up: _LookUp) -> bool:
    if constraint.kind == "distinct":
        values = [filling[name].casefold() for name in constraint.slots]
        return len(set(values)) < len(values)
    return not _matches(constraint, filling, look_up)


def _matches(constraint: Constraint, filling: Mapping[str, str], look_up: _LookUp) -> bool:
    offered: list[set[str]] = []
    for name, column in zip(constraint.slots, constraint.columns, strict=True):
        entry = look_up(name, filling[name])
        # A word of which its list says nothing goes with everything, but is not drawn where pairs were judged.
        if entry is None or (not entry.values(column) and constraint.kind == "match"):
            return True
        offered.append(set(entry.values(column)))
    return bool(offered[0] & offered[1])


def _own_words(paradigm: Paradigm, slot: Slot) -> Sequence[str]:
    if slot.words:
        return slot.words
    if slot.lexicon is not None:
        return [entry.form for entry in chosen_entries(paradigm, slot)]
    raise ParadigmError(
        f"{paradigm.name}: slot {slot.name!r} has no list of words of its own, so its items cannot be enumerated",
        hint="Give it `words`, or sample with -n.",
    )


def chosen_entries(paradigm: Paradigm, slot: Slot) -> list[Entry]:
    """The entries of the slot's lexicon that have what its `where` asks for; none where it has no lexicon. Raises
    `ParadigmError` where the lexicon has no such entry."""
    lexicon = lexicon_of(paradigm, slot)
    if lexicon is None:
        return []
    entries = lexicon.entries
    found = [e for e in entries if all({*v.split("|")} & {*e.values(n)} for n, v in slot.where.items())]
    if entries and not found:
        said = ", ".join(f"{name} {value!r}" for name, value in slot.where.items())
        raise ParadigmError(
            f"{paradigm.name}: no word of the lexicon {slot.lexicon} has the {said} of slot {slot.name!r}",
            hint="Mend `where` of the slot, or fill the lexicon's column.",
        )
    return found


def _entry_of(paradigm: Paradigm, name: str, form: str) -> Entry | None:
    return _looking_once(paradigm)(name, form)


def _looking_once(paradigm: Paradigm) -> _LookUp:
    """Looks up words for one drawing. Each look at a lexicon asks the disk whether the file has changed: a drawing asks once, and is
    from one state of it."""
    lexicon_of_slot = cache(lambda name: lexicon_of(paradigm, paradigm.slot_by_name[name]))

    def look_up(name: str, form: str) -> Entry | None:
        lexicon = lexicon_of_slot(name)
        return lexicon.get(form) if lexicon is not None else None

    return look_up


def _words_of_band(paradigm: Paradigm, slot: Slot, band: str) -> tuple[str, ...]:
    words = tuple(_own_words(paradigm, slot))
    if slot.words or slot.lexicon is None:
        return words
    least, most = BANDS[band]
    rates = {entry.form: entry.per_million for entry in chosen_entries(paradigm, slot)}
    kept = tuple(word for word in words if (rate := rates[word]) is None or least <= rate < most)
    if words and not kept:
        raise ParadigmError(
            f"{paradigm.name}: the lexicon {slot.lexicon} of slot {slot.name!r} has no word of the band {band!r}",
            hint=f"Take another band ({', '.join(BANDS)}), or add words.",
        )
    return kept


class _Chooser:
    """One slot's words, how often each has been used, and the constraints that it is the last to meet."""

    def __init__(self, paradigm: Paradigm, slot: Slot, band: str, look_up: _LookUp) -> None:
        self.slot = slot
        self.used: Counter[str] = Counter()
        self._paradigm = paradigm
        self.words = () if slot.offered_by is not None else _words_of_band(paradigm, slot, band)
        before = {s.name for s in paradigm.slots[: paradigm.slots.index(slot)]}
        own = [c for c in paradigm.constraints if slot.name in c.slots]
        self._unlike = frozenset(name for c in own if c.kind == "distinct" for name in c.slots if name in before)
        self._constraints = [c for c in own if c.kind != "distinct" and before.issuperset({*c.slots} - {slot.name})]
        self._matching: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._entry_of = look_up

    def keep_matched(self, others: Mapping[str, _Chooser]) -> None:
        """Let go of words that no word of another slot goes with: they would only lead nowhere."""
        own = self.slot.name
        for constraint in self._paradigm.constraints:
            if constraint.kind != "sample" or own not in constraint.slots:
                continue
            columns = dict(zip(constraint.slots, constraint.columns, strict=True))
            partner = next(name for name in constraint.slots if name != own)
            words = others[partner].words if partner in others else ()
            offered = self._values(partner, columns[partner], words)
            if offered is None or not self.words:
                continue
            self.words = tuple(
                word for word in self.words if (values := self._values(own, columns[own], (word,))) is None or values & offered
            )
            if not self.words:
                raise ParadigmError(
                    f"{self._paradigm.name}: no word of {own!r} goes with any word of {partner!r}: "
                    f"{own}.{columns[own]} and {partner}.{columns[partner]} have no value in common",
                    hint="Fill these columns of the lexicons; an empty cell means that its word is not drawn.",
                )

    def _values(self, slot: str, column: str, words: Iterable[str]) -> set[str] | None:
        """What these words of a slot have in a column; None where one of them is in no list, or there are none."""
        lexicon = self._paradigm.slot_by_name[slot].lexicon
        entries = [self._entry_of(slot, word) for word in words]
        if column != FORM and any(entry is not None and column not in entry.columns for entry in entries):
            raise ParadigmError(
                f"{self._paradigm.name}: the lexicon {lexicon} of slot {slot!r} has no column {column!r}",
                hint="A constraint of the paradigm refers to it: add it to the file's header and fill it.",
            )
        if not entries or None in entries:
            return None
        return {value for entry in entries if entry is not None for value in entry.values(column)}

    def allowed(self, filling: Mapping[str, str]) -> Sequence[str]:
        """The words that fit what has been chosen for the slots before."""
        others = [name for c in self._constraints for name in c.slots if name != self.slot.name]
        if self.slot.offered_by is not None:
            others.append(self.slot.offered_by[0])
        key = tuple(filling[name] for name in others)
        if key not in self._matching:
            self._matching[key] = tuple(w for w in self._candidates(filling) if self._fits(filling, w))
        taken = {filling[name].casefold() for name in self._unlike}
        return [word for word in self._matching[key] if word.casefold() not in taken] if taken else self._matching[key]

    def _candidates(self, filling: Mapping[str, str]) -> Sequence[str]:
        if self.slot.offered_by is None:
            return self.words
        other, column = self.slot.offered_by
        entry = self._entry_of(other, filling[other])
        choices = entry.values(column) if entry else ()
        if not choices:
            raise ParadigmError(
                f"{self._paradigm.name}: {filling[other]!r} offers nothing for slot {self.slot.name!r}",
                hint=f"Fill the column {column!r} of its row in the lexicon of {other}.",
            )
        return choices

    def _fits(self, filling: Mapping[str, str], word: str) -> bool:
        trial = {**filling, self.slot.name: word}
        return not any(_violates(constraint, trial, self._entry_of) for constraint in self._constraints)


def _fresh_filling(
    paradigm: Paradigm, rng: random.Random, choosers: Sequence[_Chooser], seen: set[tuple[str, ...]]
) -> dict[str, str] | None:
    # Later tries look beyond the least used values, so that the stream ends only when it must.
    for attempt in range(_TRIES_PER_ITEM):
        slack = attempt // 20
        filling: dict[str, str] = {}
        for chooser in choosers:
            choices = chooser.allowed(filling)
            if not choices:
                break
            floor = min(chooser.used[choice] for choice in choices)
            filling[chooser.slot.name] = rng.choice([c for c in choices if chooser.used[c] <= floor + slack])
        else:
            if _key(paradigm, filling) not in seen:
                return filling
    return None


def _key(paradigm: Paradigm, filling: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(filling[slot.name].casefold() for slot in paradigm.visible_slots)
