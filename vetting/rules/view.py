"""An item made ready for the rules: computed once, read by all."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property, lru_cache

from gapsmith.bank import StoredItem
from gapsmith.templates import Paradigm, ReadBack, Sentence, Slot, Source, lexicon_for, read_back, realise_condition
from gapsmith.vetting.rules.text_repair import TextFlaw, bare_text, final_mark, text_flaws
from gapsmith.vetting.wordset import word_set

DETERMINERS = word_set(
    "the a an this that these those my your his her its our their every each some any another no both many several few all"
    " most certain such one two three four five"
)
PARTICLES = word_set("up down off out on in over away back about through around along apart together")
_MARKS = re.compile(r"[,;:]")
_QUESTION_WORDS = word_set("which what whose")
_PREPOSITIONS = word_set(
    "about of on to for from with at by in against toward towards into over after before behind beside between concerning"
    " regarding through under upon around near without within among across like"
)


class ItemView:
    """An item beside its paradigm, with what several rules need.

    `conditions` maps each condition that the item has to its texts as they stand (several where it is doubled); `bare` maps
    each known condition of the design with a text to the words under its typography."""

    def __init__(self, item: StoredItem, paradigm: Paradigm) -> None:
        self.item = item
        self.paradigm = paradigm
        self.expected: tuple[str, ...] = item.expects if item.expects is not None else tuple(c.name for c in paradigm.conditions)
        self.texts: dict[str, list[str]] = {}
        for sentence in item.sentences:
            self.texts.setdefault(sentence.condition, []).append(sentence.text)
        self._from_slots: dict[str, Sentence] = {}

    def label(self, condition: str) -> str:
        """The condition as people read it, after the label that it has in files of the item's design, if any:
        ``MFPG (-F -G1 +G2)``."""
        known = self.paradigm.condition_by_name.get(condition)
        if known is None:
            return condition
        own = self._own_labels.get(condition, "")
        plain = {known.name.casefold(), known.label.casefold().replace(" ", "")}
        return known.label if not own or own.casefold().replace(" ", "") in plain else f"{own} ({known.label})"

    @cached_property
    def _own_labels(self) -> Mapping[str, str]:
        design = self.paradigm.design_of(self.item.expects) if self.item.expects is not None else None
        return {name: label for label, name in design.labels.items()} if design is not None else {}

    @cached_property
    def mark(self) -> str:
        """What its sentences should end with: what the paradigm says; of given ones, what most of them end with."""
        if not self.paradigm.given:
            return self.paradigm.final_punctuation
        return final_mark(text for texts in self.texts.values() for text in texts)

    @cached_property
    def own_marks(self) -> str:
        """The marks that the paradigm's own texts have inside, such as the comma after a topic."""
        texts = (text for condition in self.paradigm.conditions for text in condition.regions.values())
        return "".join({mark for text in texts for mark in _MARKS.findall(text)})

    @cached_property
    def bare(self) -> Mapping[str, str]:
        """Condition to its first text without faults of typography, for the conditions that belong to the design."""
        mark = self.mark
        known = self.paradigm.condition_by_name
        texts = {name: bare_text(texts[0], mark, self.own_marks) for name, texts in self.texts.items() if name in known}
        return {name: text for name, text in texts.items() if text.strip(mark + " ")}

    @cached_property
    def flaws(self) -> tuple[tuple[str, tuple[TextFlaw, ...]], ...]:
        """Condition and flaws of each text with words that has any."""
        found = (
            (name, text_flaws(text, self.mark, self.own_marks))
            for name, own in self.texts.items()
            for text in own
            if text.strip()
        )
        return tuple((name, flaws) for name, flaws in found if flaws)

    @property
    def is_imported(self) -> bool:
        """Whether a sentence of it came from elsewhere."""
        return any(sentence.source is Source.IMPORTED for sentence in self.item.sentences)

    @cached_property
    def realised(self) -> bool:
        """Every text is what the item's slots give, up to spaces and the capital, which rules of their own look at."""
        slots = self.item.slots
        if slots is None or any(slot.name not in slots for slot in self.paradigm.visible_slots):
            return False
        known = self.paradigm.condition_by_name
        return all(
            sentence.condition in known
            and (
                sentence.regions is not None
                or realise_condition(self.paradigm, known[sentence.condition], slots).text == sentence.text
            )
            for sentence in self.item.sentences
        )

    @property
    def reading(self) -> ReadBack | None:
        """What the conditions say about the slots; None where they are realised from the slots or given without any, and where
        there is no condition."""
        return self._read[1]

    @property
    def read_with(self) -> Paradigm:
        """The paradigm by which the conditions were read: the item's own, or one with room for more words in a slot."""
        return self._read[0]

    @cached_property
    def _read(self) -> tuple[Paradigm, ReadBack | None]:
        if self.realised or self.paradigm.given or not self.bare:
            return self.paradigm, None
        strict = read_back(self.paradigm, self.bare)
        if strict.ok and _known(self.paradigm, strict) == len(_listed_slots(self.paradigm)):
            return self.paradigm, strict
        # A slot with too many words is better seen as that than as words gone astray into its neighbors.
        roomy = _with_longer_slots(_ByDigest(self.paradigm))
        loose = _shortest(self.paradigm, read_back(roomy, self.bare))
        if loose.ok and (not strict.ok or _value(self.paradigm, loose) > _value(self.paradigm, strict)):
            return roomy, loose
        if strict.ok or not strict.failures:
            return self.paradigm, strict
        # A determiner or preposition that the paradigm does not list is seen as that, not as a sentence of no shape.
        opened = _with_closed_slots_open(_ByDigest(self.paradigm))
        free = _shortest(self.paradigm, read_back(opened, self.bare))
        if free.ok and _is_plausible(opened, free):
            return opened, free
        return self.paradigm, strict

    @cached_property
    def misshapen(self) -> frozenset[str]:
        """The conditions that are not sentences of their condition whatever the other conditions say."""
        if self.reading is None or not self.reading.failures:
            return frozenset()
        failed = {failure.condition for failure in self.reading.failures}
        return frozenset(name for name in failed if not _readings(self.paradigm, name, self.bare[name]))

    @cached_property
    def slots(self) -> Mapping[str, str]:
        """The words behind the sentences: read from them where they are not realised, else the item's own."""
        if self.reading is not None and self.reading.slots is not None:
            return self.reading.slots
        return self.item.slots or {}

    @cached_property
    def words(self) -> Mapping[str, str]:
        """`slots` for rules on words. Where the conditions do not agree on one reading, that of the largest part that does: a
        fault in one condition hides nothing in the others. Where there is none, still the matrix frame, as it stands before
        the filler."""
        if self.slots or self.reading is None:
            return self.slots
        failed = {failure.condition for failure in self.reading.failures}
        for left_out in (self.misshapen, failed):
            rest = {name: text for name, text in self.bare.items() if name not in left_out}
            for paradigm in (self.paradigm, _with_longer_slots(_ByDigest(self.paradigm))) if rest else ():
                part = _shortest(self.paradigm, read_back(paradigm, rest))
                if part.ok and part.slots is not None:
                    return part.slots
        slot = _frame_slot(self.paradigm)
        frames = {_before_filler(self.paradigm, name, text) for name, text in self.bare.items()} - {""}
        return {slot: frames.pop()} if slot is not None and len(frames) == 1 else {}

    def region(self, condition: str, region: str | None) -> str | None:
        """The words of a region in a condition, or None where the condition is not there or cannot be aligned; None for None."""
        sentence = self.item.sentence(condition)
        if sentence is None or region is None or condition not in self.bare:
            return None
        span = sentence.span(region)
        if span is not None:
            return sentence.text[span.start : span.end]
        reading = self.reading
        if reading is not None and reading.slots and condition not in {f.condition for f in reading.failures}:
            if condition not in self._from_slots:
                own = self.paradigm.condition(condition)
                self._from_slots[condition] = realise_condition(self.paradigm, own, reading.slots)
            return _words_of(self._from_slots[condition], region)
        return _region_text(self.paradigm, condition, self.bare[condition], region)

    def region_place(self, condition: str, region: str | None) -> tuple[int, int] | None:
        """The characters of a region in the text as it stands, where it could be aligned."""
        sentence = self.item.sentence(condition)
        span = sentence.span(region) if sentence is not None else None
        return (span.start, span.end) if span is not None else None


def shape_of(paradigm: Paradigm, condition: str) -> str:
    """The pattern of a condition as people read it: ``MATRIX who DETERMINER NOUN …``."""
    regions = paradigm.condition(condition).regions
    return " ".join(regions[r.name] for r in paradigm.regions if regions[r.name]) + paradigm.final_punctuation


def _frame_slot(paradigm: Paradigm) -> str | None:
    """The slot that all sentences consist of up to the filler, where it is a matrix frame."""
    filler = next((i for i, region in enumerate(paradigm.regions) if region.role == "filler"), 0)
    before = {" ".join(c.regions[r.name] for r in paradigm.regions[:filler]).strip() for c in paradigm.conditions}
    frames = [slot.name for slot in paradigm.visible_slots if slot.role == "matrix" and before == {f"{{{slot.name}}}"}]
    return frames[0] if frames else None


def _before_filler(paradigm: Paradigm, condition: str, text: str) -> str:
    fillers = [paradigm.condition(condition).regions[r.name] for r in paradigm.regions if r.role == "filler"]
    before, found, _ = text.partition(f" {fillers[0]} ") if fillers and fillers[0] else ("", "", "")
    return before if found else ""


def _readings(paradigm: Paradigm, condition: str, text: str) -> tuple[Mapping[str, str], ...]:
    return _cached_readings(_ByDigest(paradigm), condition, text)


def _region_text(paradigm: Paradigm, condition: str, text: str, region: str) -> str | None:
    found = {_region_in(paradigm, condition, slots, region) for slots in _readings(paradigm, condition, text)}
    return found.pop() if len(found) == 1 else None


def _region_in(paradigm: Paradigm, condition: str, slots: Mapping[str, str], region: str) -> str | None:
    return _words_of(realise_condition(paradigm, paradigm.condition(condition), slots), region)


def _words_of(sentence: Sentence, region: str) -> str | None:
    span = sentence.span(region)
    return sentence.text[span.start : span.end] if span is not None else None


def _listed_slots(paradigm: Paradigm) -> tuple[Slot, ...]:
    return tuple(slot for slot in paradigm.visible_slots if slot.lexicon is not None)


def _known(paradigm: Paradigm, reading: ReadBack) -> int:
    """How many slots of a reading hold a word of their list."""
    slots = reading.slots or {}
    return sum(
        lexicon_for(slot.lexicon or "", paradigm.path).get(slots.get(slot.name, "")) is not None
        for slot in _listed_slots(paradigm)
    )


def _value(paradigm: Paradigm, reading: ReadBack) -> int:
    """What speaks for a reading: its known words, less the words that have no room. So *will likely* and *solve* is better than
    *will*, which is listed, and *likely solve*."""
    return _known(paradigm, reading) - _excess(paradigm, reading.slots or {})


class _ByDigest:
    """A paradigm as a cache key: paradigms hold dicts, so they have no hash of their own."""

    __slots__ = ("paradigm",)

    def __init__(self, paradigm: Paradigm) -> None:
        self.paradigm = paradigm

    def __hash__(self) -> int:
        return hash((self.paradigm.digest, self.paradigm.path))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ByDigest) and (other.paradigm.digest, other.paradigm.path) == (
            self.paradigm.digest,
            self.paradigm.path,
        )


@lru_cache(maxsize=16384)
def _cached_readings(key: _ByDigest, condition: str, text: str) -> tuple[Mapping[str, str], ...]:
    return read_back(key.paradigm, {condition: text}).readings


def _shortest(paradigm: Paradigm, reading: ReadBack) -> ReadBack:
    """Of several readings with room for more words the one that needs least of that room, if there is one."""
    if reading.failures or len(reading.readings) < 2:
        return reading
    least = min(_excess(paradigm, slots) for slots in reading.readings)
    best = tuple(slots for slots in reading.readings if _excess(paradigm, slots) == least)
    return replace(reading, slots=best[0], readings=best)


def _excess(paradigm: Paradigm, slots: Mapping[str, str]) -> int:
    """How many words have no room in their slot; what cannot be a verb counts as so many more."""
    excess = 0
    for slot in paradigm.visible_slots:
        words = slots.get(slot.name, "").casefold().split()
        if slot.role == "verb" and len(words) == 2 and words[0] not in PARTICLES and words[1] in PARTICLES:
            continue  # A verb with its particle is one verb.
        excess += max(0, len(words) - slot.max_words)
        if slot.role == "verb" and words and (words[0] in PARTICLES - {"back"} or "to" in words):
            excess += _NO_VERB
    return excess


_NO_VERB = 3


@lru_cache(maxsize=16)
def _with_longer_slots(key: _ByDigest) -> Paradigm:
    """The paradigm with room for two more words in every open slot."""
    slots = tuple(slot if slot.closed else replace(slot, max_words=slot.max_words + 2) for slot in key.paradigm.slots)
    return replace(key.paradigm, slots=slots)


@lru_cache(maxsize=16)
def _with_closed_slots_open(key: _ByDigest) -> Paradigm:
    """The paradigm with room for more words, and for any determiner and preposition."""
    roomy = _with_longer_slots(key)
    slots = tuple(replace(slot, closed=()) if slot.role in _OPENED else slot for slot in roomy.slots)
    return replace(roomy, slots=slots)


_OPENED = {"determiner": DETERMINERS | _QUESTION_WORDS, "preposition": _PREPOSITIONS}
OPENED: Mapping[str, frozenset[str]] = {"determiner": DETERMINERS, "preposition": _PREPOSITIONS}
"""Role of a slot with a closed list to the words that are fine there all the same: they are not ours, and nobody's fault."""


def _is_plausible(paradigm: Paradigm, reading: ReadBack) -> bool:
    slots = reading.slots or {}
    return all(
        slots.get(slot.name, "").casefold() in _OPENED[slot.role]
        for slot in paradigm.visible_slots
        if slot.role in _OPENED and slot.name in slots
    )
