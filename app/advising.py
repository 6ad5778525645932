"""From the linter's rules to what a prompt says: words that no rule complains of, words that one does, mistakes to avoid."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import lru_cache
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple, TypeVar

from gapsmith.bank import Finding, Looked, Severity, StoredItem
from gapsmith.prompts import Advice, Avoided, Fault, Mistake
from gapsmith.templates import Paradigm, Slot, Status, drawn_words, lexicon_of, realise, sample, slots_in
from gapsmith.vetting import loose_item
from gapsmith.vetting.frequency import load_frequencies
from gapsmith.vetting.rules import ItemView, Linter, RuleSelection, load_knowledge, page, plain

T = TypeVar("T")

_MOST_CANDIDATES = 150
_MOST_EXAMPLES = 16
_MOST_WORDS = 12
_FEW = 3


class _Where(Enum):
    """The condition that shows best what a word does."""

    FILLED = auto()
    """The first that is meant to be good and has the word: the word makes it bad."""
    BARE = auto()
    """The last that is meant to be good and has the word, which is one without a filler."""
    SPOILED = auto()
    """That one with the gap open, which is meant to be bad: the word makes it good."""


class _Temptation(NamedTuple):
    word: str
    where: _Where = _Where.FILLED
    also: Mapping[str, str] = {}
    """Role to the word that another slot needs for it."""


_TEMPTING: Mapping[str, tuple[_Temptation, ...]] = {
    "matrix": (
        _Temptation("I believe"),
        _Temptation("I wonder", _Where.BARE),
        _Temptation("I am sure"),
        _Temptation("She told"),
    ),
    "noun": (_Temptation("portrait", also={"preposition": "about"}), _Temptation("friend", also={"preposition": "of"})),
    "island": (_Temptation("decision to eat"),),
    "name": (_Temptation("him"), _Temptation("the teacher")),
    "object": (_Temptation("the teacher"), _Temptation("everybody")),
    "linker": (
        _Temptation("is ready to", _Where.SPOILED),
        _Temptation("is easy to", _Where.SPOILED),
        _Temptation("is eager to"),
        _Temptation("is designed to", _Where.SPOILED),
    ),
    "verb": (
        *(_Temptation(word, _Where.SPOILED) for word in ("ate", "eat", "broke", "break")),
        _Temptation("postpone"),
        _Temptation("convince"),
        _Temptation("interview"),
    ),
    "verb_phrase": (_Temptation("ate"), _Temptation("eat")),
    "bridge": (_Temptation("whispered"), _Temptation("regretted")),
    "question": (_Temptation("said"), _Temptation("persuade")),
    "content_noun": (_Temptation("table"),),
    "extraposing": (_Temptation("wooden"), _Temptation("a song")),
    "tough": (_Temptation("eager"), _Temptation("likely")),
    "plural": (_Temptation("lamp"),),
    "shared": (_Temptation("vases"), _Temptation("actress")),
    "adjunct_verb": (_Temptation("eating", _Where.SPOILED),),
    "conjunct": (_Temptation("ate", _Where.SPOILED),),
    "adverb": (
        _Temptation("everybody"),
        _Temptation("before"),
        _Temptation("yesterday"),
        _Temptation("never"),
        _Temptation("very soon"),
    ),
}
"""By the role of a slot, words that models and people put there and that are often wrong. Whether one is wrong in a
paradigm, and why, is for the rules to say."""


@dataclass(frozen=True, slots=True)
class _Question:
    """What advice depends on. The adviser keeps the lists alive, whose number is compared."""

    paradigm: tuple[str, str]
    rules: RuleSelection
    knowledge: int
    adviser: Adviser = field(compare=False)


@lru_cache(maxsize=8)
def _worked_out(question: _Question) -> Advice:
    return question.adviser._advice()


class Adviser:
    """Asks the linter about words of a paradigm. Making one reads the word lists of the linter and of the workspace."""

    def __init__(self, paradigm: Paradigm, workspace: Path | None = None, *, rules: RuleSelection | None = None) -> None:
        self._paradigm = paradigm
        self._rules = rules or RuleSelection()
        self._knowledge = load_knowledge(workspace)
        self._linters: dict[int, Linter] = {}
        self._drawn = drawn_words(paradigm)

    def check(self, slots: Mapping[str, str]) -> list[Fault]:
        """What is wrong with an item of these words, worst first."""
        return [Fault(f.code, f.message, f.remedy, f.severity) for f in self._findings(slots)]

    def looked_at(self, fillings: Iterable[Mapping[str, str]]) -> Looked:
        """What the rules on words can look at in items of these words."""
        looked = Looked()
        for slots in fillings:
            linter, item = self._linted(slots)
            looked.add(linter.read(ItemView(item, linter.paradigm))[1])
        return looked

    def advice(self) -> Advice:
        """What a prompt for the paradigm should offer, and what it should warn of. A process works it out once for the same words,
        lists and rules."""
        said = (self._paradigm.digest, self._paradigm.words_digest)
        return _worked_out(_Question(said, self._rules, id(self._knowledge), self)) if all(said) else self._advice()

    def _advice(self) -> Advice:
        base = self._sound_filling()
        if base is None:
            return Advice()
        good: dict[str, tuple[str, ...]] = {}
        avoid: dict[str, tuple[Avoided, ...]] = {}
        for slot in self._paradigm.visible_slots:
            fine, bad = self._sorted_words(slot, base)
            if fine:
                good[slot.name] = fine if slot.closed else _spread(_commonest(fine), _MOST_EXAMPLES)
            if bad:
                avoid[slot.name] = tuple(Avoided(_spread(words, _MOST_WORDS), why) for why, words in bad.items())
        return Advice(good, avoid, self._mistakes(base), base)

    def _sound_filling(self) -> dict[str, str] | None:
        """The paradigm's own example where no rule has a word to say of it, else the first such item that is drawn; where there
        is none, the example."""
        example = {choice.name: next(iter(choice.levels)) for choice in self._paradigm.choices}
        example |= {slot.name: slot.example for slot in self._paradigm.visible_slots}
        given = [example] if all(example.values()) else []
        # Slots that only models fill have nothing to draw.
        listed = all(slot.words or slot.lexicon or slot.offered_by for slot in self._paradigm.slots)
        drawn = islice(sample(self._paradigm.evenly, 1), _MOST_CANDIDATES) if listed else ()
        first: dict[str, str] | None = None
        for filling in chain(given, drawn):
            if not self._findings(filling):
                return filling
            first = first or filling
        return first

    def _sorted_words(self, slot: Slot, base: Mapping[str, str]) -> tuple[tuple[str, ...], dict[str, tuple[str, ...]]]:
        """The slot's own words without a comment on that slot (where few have none, without a complaint), and those that there
        is a complaint about, by what is said of them."""
        # A word that stands in another slot already would only be a repetition there.
        taken = {value for name, value in base.items() if name != slot.name}
        found = {
            word: self._findings({**base, **carried})
            for word, carried in _candidates(self._paradigm, slot, self._drawn)
            if word not in taken
        }
        # What names no slot, and is said whatever stands in this one, is not this one's fault.
        always = frozenset.intersection(*(frozenset(f.code for f in entry) for entry in found.values())) if found else frozenset()
        fine: list[str] = []
        passable: list[str] = []
        bad: dict[str, list[str]] = {}
        for word, findings in found.items():
            blamed = [
                f
                for f in findings
                if f.place.slot == slot.name or (f.place.slot is None and f.code[0] == "L" and f.code not in always)
            ]
            complaints = [f for f in blamed if f.severity.rank >= Severity.WARNING.rank]
            if complaints:
                bad.setdefault(_why(complaints[0]), []).append(word)
            elif blamed:
                passable.append(word)
            else:
                fine.append(word)
        return tuple(fine if len(fine) >= _FEW else [*fine, *passable]), {why: tuple(words) for why, words in bad.items()}

    def _mistakes(self, base: Mapping[str, str]) -> tuple[Mistake, ...]:
        """Words that are often taken and that a rule complains of here: a sentence of the paradigm with each, against `base`."""
        said: set[str] = set()
        mistakes: list[Mistake] = []
        for slot in self._paradigm.visible_slots:
            sound = self._showing(slot, base)
            usual = {f.code for f in self._findings(sound)}
            for word, where, also in _TEMPTING.get(slot.role, ()):
                if not self._is_of_form(word, slot.example):
                    continue
                words = {**sound, slot.name: word}
                words |= {s.name: also[s.role] for s in self._paradigm.visible_slots if s.role in also}
                complaints = {
                    f.code: f for f in self._findings(words) if f.severity.rank >= Severity.WARNING.rank and f.code not in usual
                }
                # With two faults in it, a sentence would not show what one of them is.
                if len(complaints) != 1 or slot.closed or not said.isdisjoint(complaints):
                    continue
                (finding,) = complaints.values()
                said.add(finding.code)
                entry = page(finding.code)
                mistakes.append(
                    Mistake(
                        what=plain(entry.summary),
                        why=_first_sentence(plain(entry.reason)),
                        remedy=plain(entry.remedy),
                        bad=self._sentence(words, slot, where),
                        good="" if where is _Where.SPOILED else self._sentence(sound, slot, where),
                    )
                )
        return tuple(mistakes)

    def _showing(self, slot: Slot, base: Mapping[str, str]) -> Mapping[str, str]:
        """The sound words, under a level of the choices that shows the slot, with examples for what it shows besides."""
        for chosen, own in self._paradigm.variants.items():
            if slot.name in own.slot_by_name and slot.name not in self._paradigm.variant(base).slot_by_name:
                levels = {choice.name: level for choice, level in zip(self._paradigm.choices, chosen, strict=True)}
                return {**levels, **{s.name: base.get(s.name) or s.example for s in own.visible_slots}}
        return base

    def _is_of_form(self, word: str, example: str) -> bool:
        """Whether a verb has the form that the slot's example has; true of words that are no verbs."""
        forms = self._knowledge.verb_forms
        has, wanted = ({form.kind for form in forms.get(text, ())} for text in (word, example))
        return not has or not wanted or bool(has & wanted)

    def _sentence(self, words: Mapping[str, str], slot: Slot, where: _Where) -> str:
        variant = self._paradigm.variant(words)
        shown = [c for c in variant.conditions if any(slot.name in slots_in(text) for text in c.regions.values())]
        good = [c for c in shown if c.status is Status.OK] or shown
        condition = good[0] if where is _Where.FILLED else good[-1]
        if where is _Where.SPOILED:
            opened = (
                c
                for c in shown
                if c.status is not Status.OK
                and c.critical != condition.critical
                and sum(a != b for a, b in zip(c.levels, condition.levels, strict=True)) == 1
            )
            condition = next(opened, condition)
        return next(s.text for s in realise(self._paradigm, words) if s.condition == condition.name)

    def _findings(self, slots: Mapping[str, str]) -> list[Finding]:
        linter, item = self._linted(slots)
        return linter.check(item)

    def _linted(self, slots: Mapping[str, str]) -> tuple[Linter, StoredItem]:
        own = self._paradigm.variant(slots)
        linter = self._linters.get(id(own)) or self._linters.setdefault(id(own), Linter(own, self._knowledge, self._rules))
        return linter, loose_item(own, realise(self._paradigm, slots), slots)


def _candidates(paradigm: Paradigm, slot: Slot, drawn: Mapping[str, tuple[str, ...]]) -> list[tuple[str, dict[str, str]]]:
    """The words that a slot's own lists offer, each with the words of the slots that go with it."""
    if (slot.closed and slot.offered_by is None) or slot.words:
        return [(word, {slot.name: word}) for word in slot.closed or slot.words]
    source = paradigm.slot_by_name[slot.offered_by[0]] if slot.offered_by is not None else slot
    lexicon = lexicon_of(paradigm, source)
    if lexicon is None:
        return []
    dependents = [
        (other.name, other.offered_by[1])
        for other in paradigm.visible_slots
        if other.offered_by is not None and other.offered_by[0] == source.name
    ]
    shown = {source.name} & {visible.name for visible in paradigm.visible_slots}
    found: dict[str, dict[str, str]] = {}
    for form in _spread(drawn.get(source.name, ()), _MOST_CANDIDATES):
        entry = lexicon.by_form[form.casefold()]
        for word in entry.values(slot.offered_by[1]) if slot.offered_by is not None else (form,):
            if word in found:
                continue
            carried = {**dict.fromkeys(shown, form), slot.name: word}
            for name, column in dependents:
                # Slots that share a column ("other1" and "other2") take different words of it where there are any.
                values = entry.values(column)
                unused = [value for value in values if value not in carried.values()]
                if values and name not in carried:
                    carried[name] = (unused or values)[0]
            found[word] = carried
    return list(found.items())


def _first_sentence(text: str) -> str:
    return re.split(r"(?<=[.!?]) (?=[A-Z“])", text, maxsplit=1)[0]


def _commonest(words: tuple[str, ...]) -> tuple[str, ...]:
    """The third of the words that are most common, of one with several words by its rarest."""
    table = load_frequencies()

    def rarest(word: str) -> float:
        rates = [table.log_per_million(part) for part in word.split()]
        # What the table does not have is rarer than all that it has.
        return min(float("-inf") if rate is None else rate for rate in rates)

    most = max(_MOST_EXAMPLES, len(words) // 3)
    chosen = set(sorted(words, key=rarest, reverse=True)[:most])
    return tuple(word for word in words if word in chosen)


def _why(finding: Finding) -> str:
    return f"{plain(page(finding.code).summary)} {plain(finding.remedy)}"


def _spread(words: tuple[T, ...], most: int) -> tuple[T, ...]:
    """So many of the words at most, from all parts of the list."""
    step = max(1.0, len(words) / most)
    return tuple(words[int(k * step)] for k in range(min(most, len(words))))
