"""What a paradigm is: frozen types, with the invariants of a factorial design checked when they are built.

Offsets everywhere in gapsmith count characters of the sentence's text, half-open: ``text[start:end]``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

from gapsmith.templates.digest import digest_of
from gapsmith.templates.errors import ParadigmError
from gapsmith.templates.formula import CRITICAL_PLACE, DEFAULT_MEASURE, SENTENCE_PLACE, Formula, Term
from gapsmith.templates.lexicon import lexicon_contents

CRITICAL = CRITICAL_PLACE.name
"""The name under which contrasts and tables refer to the critical region of a condition."""


AttributeValue = str | int | float | bool
"""What an attribute of an item can be."""

EVERY_LEVEL = "*"
"""What stands for all levels of a choice where some are asked for; no level can be called so."""

ROLES: Mapping[str, str] = {
    "matrix": "subject and verb of the main clause",
    "determiner": "determiner of the island's noun",
    "noun": "head noun of the island",
    "preposition": "preposition of the island's noun",
    "island": "the rest of a subject island, up to its gap",
    "name": "a name that fills a gap",
    "object": "another word or phrase that fills a gap",
    "linker": "raising predicate, modal or future, with its to",
    "verb": "the verb whose object is the gap",
    "verb_phrase": "a whole verb phrase up to its gap",
    "adverb": "the adverb right after a gap",
    "subject": "subject of the embedded clause",
    "subject_head": "head noun of that subject",
    "bridge": "verb of a clause above the gap through which gaps go",
    "question": "verb of a question above the gap",
    "content_verb": "verb of a complex noun phrase above the gap",
    "content_noun": "noun of a complex noun phrase above the gap, with its clause",
    "extraposing": "adjective, or noun with its determiner, that takes an extraposed clause",
    "tough": "adjective of tough-movement",
    "plural": "a plural noun that is the filler, or fills the gap",
    "shared": "a singular noun after which: what two gaps stand for",
    "adjunct_verb": "verb of an adjunct clause, an -ing form, whose object is a gap",
    "conjunct": "verb of the second conjunct, whose object is a gap",
    "time": "a phrase of time or place at the end",
    "wh_word": "the question word of a pair that the gap belongs to",
    "gap_governor": "verb of a pair whose object is the gap of the acceptable sentence",
    "island_governor": "verb in the island of a pair, whose object is the gap of the starred sentence",
    "embedding_verb": "verb of a pair whose clause has the gap in it",
    "antecedent": "subject that a reflexive goes with",
    "anaphor": "a reflexive",
    "controller": "noun that decides the form of another word",
    "attractor": "noun between a controller and its target",
    "target": "the verb or determiner whose form it decides",
    "licensor": "what a polarity item needs before it",
    "licensee": "a polarity item",
    "changed": "a word that only the starred sentence of a pair has",
    "rest": "any other word",
}
"""What kind of words a slot can hold, so that lexical rules know which of them they may read."""
NO_PART = frozenset({"changed", "rest"})
"""The roles that say where a word stands and nothing of what it does in the construction."""


def meets(attributes: Mapping[str, AttributeValue], where: Mapping[str, AttributeValue]) -> bool:
    """Whether an item's attributes have the values asked for. A file's columns are text, so what is written alike is alike."""
    return all(name in attributes and _alike(attributes[name], wanted) for name, wanted in where.items())


def _alike(own: AttributeValue, wanted: AttributeValue) -> bool:
    return own == wanted or str(own).casefold() == str(wanted).casefold()


class Status(StrEnum):
    """How a native speaker is expected to judge a condition."""

    OK = "ok"
    QUESTIONABLE = "?"
    STAR = "*"


class Source(StrEnum):
    """Where the text of a sentence came from. Only `REALISED` text follows from the item's slots."""

    REALISED = "realised"
    IMPORTED = "imported"
    GENERATED = "generated"
    EDITED = "edited"


class Alignment(StrEnum):
    """How a sentence came by its spans."""

    ALIGNED = "aligned"
    """The text is what the item's slots give, so the regions lie where they lie there."""
    GIVEN = "given"
    """The file that it came from said where its regions lie."""
    CARRIED = "carried"
    """An edit within one region moved the spans of the text before it."""
    NONE = "none"
    """There are no spans; the sentence's `why` says why."""


@dataclass(frozen=True, slots=True)
class Factor:
    """One factor of the design: its levels in order, and how each is shown (``+F``)."""

    name: str
    levels: tuple[str, ...]
    labels: Mapping[str, str]
    codes: Mapping[str, float]
    """Contrast codes for regression, ±0.5 for a two-level factor."""


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition: a level of every factor, whose names `name` joins with ``_``; or just a name."""

    name: str
    levels: tuple[str, ...]
    """Empty where the paradigm names its conditions instead of crossing factors."""
    status: Status | None
    """None where the paradigm does not say; only sentences that are given may do without."""
    label: str
    """As shown to people, e.g. ``+F +G1 +G2``."""
    critical: str | None
    """The region in which this condition is measured where a formula names none; None where the paradigm does not say."""
    regions: Mapping[str, str]
    """Region name to its text in this condition, with ``{slot}`` places; an empty text is an empty region. A region whose
    words only the given sentences know is not there."""

    @property
    def expected(self) -> str:
        """What a native speaker is expected to say, as it is shown: ``ok``, ``?``, ``*``; empty where the paradigm is silent."""
        return self.status.value if self.status is not None else ""


@dataclass(frozen=True, slots=True)
class Design:
    """A named subset of the conditions, with the label each condition has in that design's files (``PFPG``)."""

    name: str
    labels: Mapping[str, str]
    """Label to condition name, in the design's order."""
    description: str = ""

    @property
    def conditions(self) -> tuple[str, ...]:
        """The condition names, in the design's order."""
        return tuple(self.labels.values())


@dataclass(frozen=True, slots=True)
class Choice:
    """What differs between items and not between conditions: one of its levels holds for a whole item."""

    name: str
    levels: Mapping[str, Mapping[str, AttributeValue]]
    """Level to its attributes, which become attributes of the items that have it. Of a sequence (`longest`), every ordered row of
    parts is a level (``none``, ``b``, ``bc``, …), and `depth` counts them."""
    balance: str = ""
    """The attribute whose values are drawn equally often, and the levels with one value equally often among themselves; empty
    where every level is drawn as often as every other."""


@dataclass(frozen=True, slots=True)
class Region:
    """A stretch of the sentence that has a name, in reading order."""

    name: str
    title: str
    role: str = "frame"
    """``frame``, ``filler``, ``gap`` or ``punctuation``, which tells screens what to mark; of given sentences also one of ROLES, which
    tells rules on words what the region holds."""


@dataclass(frozen=True, slots=True)
class SlotPart:
    """One of the parts that the texts of a slot are built of."""

    name: str
    """``SLOT_PART``."""
    words: tuple[tuple[str, tuple[str, ...]], ...]
    """Each word with the texts that have it, in which ``*`` stands for one word or more."""

    def those_of(self, text: str) -> list[str]:
        """The words that a text has."""
        return [word for word, texts in self.words if any(_stands_for(own, text) for own in texts)]

    def word_of(self, text: str) -> str:
        """The word that a text has; a text that has none of them, or several, is a word of its own."""
        found = self.those_of(text)
        return found[0] if len(found) == 1 else text


def _stands_for(pattern: str, text: str) -> bool:
    return re.fullmatch(r"\S+(?: \S+)*".join(map(re.escape, pattern.split("*"))), text) is not None


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for words. `words`, `lexicon` or `offered_by` say where offline sampling takes them from."""

    name: str
    description: str
    example: str = ""
    words: tuple[str, ...] = ()
    """The slot's own list."""
    lexicon: str | None = None
    """The name of a lexicon file."""
    where: Mapping[str, str] = field(default_factory=dict)
    """Only entries of the lexicon that have these values in these columns are drawn; ``a|b`` means one of them."""
    offered_by: tuple[str, str] | None = None
    """(slot, column): the values that the entry chosen for another slot offers."""
    closed: tuple[str, ...] = ()
    """If not empty, the only values that the slot can have."""
    max_words: int = 1
    role: str = ""
    """What kind of word this is, for rules that work on any paradigm: ``matrix``, ``noun``, ``name``, ``verb`` …"""
    kind: str = ""
    """``noun``, ``verb`` or ``determiner``, where the forms of its words are wanted (`gapsmith.templates.inflection`)."""
    forms: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Word to its forms, where the file says them: ``{"person": {"pl": "people"}}``."""
    form_of: tuple[str, str] | None = None
    """(slot, form) of which this one shows a form; it has no table of its own in the file."""
    latent: bool = False
    """A slot that no region shows; it only couples others, and no model is asked for it."""
    parts: tuple[SlotPart, ...] = ()
    """What its texts are built of, where the same words recur in several of them: slots of their own to tests."""

    def in_parts(self, text: str) -> dict[str, str]:
        """The text, and behind it the word of each of its parts."""
        return {self.name: text, **{part.name: part.word_of(text) for part in self.parts}}


@dataclass(frozen=True, slots=True)
class Constraint:
    """``distinct``: the slots' values all differ (case-insensitively). ``match``: the entries of two slots share a
    value in the named columns; a value that is in no lexicon is not constrained. ``sample``: as ``match``, but only for
    what is drawn from the word lists, and a word without a value is not drawn: nothing is said of other pairs."""

    kind: str
    slots: tuple[str, ...]
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Contrast:
    """A weighted sum of measures over (condition, place), computed per item: a number."""

    name: str
    title: str
    terms: tuple[Term, ...]
    design: str
    expected: int
    """The sign that grammatical knowledge predicts: -1, +1, or 0 where the contrast is exploratory."""
    alternative: str = "two-sided"
    """The alternative of the t test: ``two-sided``, ``greater`` or ``less``. A study may override it."""
    shares_critical: bool = False
    """Whether all terms are measured on the same words, so that lexical baselines cancel."""
    kind: str = "contrast"
    """``wh-effect``, ``preference``, ``did`` or ``contrast``: how tables and figures group it."""
    where: Mapping[str, AttributeValue] = field(default_factory=dict)
    """Only items whose attributes have these values."""
    measure: str = DEFAULT_MEASURE
    """What is measured at each place, by its name in `gapsmith.templates.measures`."""
    family: str = ""
    """The tests that are corrected together have one; empty for those of no family that is named."""
    delta: float | None = None
    """The smallest effect that matters, in the unit of `measure`, above 0; None where nobody has said, and then nothing is absent."""


@dataclass(frozen=True, slots=True)
class Criterion:
    """A comparison of measures over (condition, place): true or false of each item."""

    name: str
    title: str
    formula: Formula
    design: str
    measure: str = DEFAULT_MEASURE
    """What is measured at each place, by its name in `gapsmith.templates.measures`."""
    where: Mapping[str, AttributeValue] = field(default_factory=dict)
    """Only items whose attributes have these values."""


class RegionSpan(NamedTuple):
    """Where a region lies in a sentence: characters ``[start, end)``; empty where start == end."""

    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Sentence:
    """A text in a condition, with the place of its regions. `regions` is None where nobody can say where they lie."""

    condition: str
    text: str
    regions: tuple[RegionSpan, ...] | None = None
    source: Source = Source.REALISED
    how: Alignment = Alignment.ALIGNED
    """How it came by its regions."""
    why: str | None = None
    """Why it has none."""

    def __post_init__(self) -> None:
        if (self.regions is None) != (self.how is Alignment.NONE):
            object.__setattr__(self, "how", Alignment.NONE if self.regions is None else Alignment.ALIGNED)

    def span(self, region: str | None) -> RegionSpan | None:
        """The span of a region by name, or None where the text is not aligned or has no such region; None for None."""
        return next((s for s in self.regions or () if s.name == region), None)


@dataclass(frozen=True)
class Paradigm:
    """A design and everything that turns words into its sentences. Made by `gapsmith.templates.load_paradigm`."""

    name: str
    title: str
    version: int
    description: str
    source: str
    factors: tuple[Factor, ...]
    conditions: tuple[Condition, ...]
    designs: tuple[Design, ...]
    regions: tuple[Region, ...]
    slots: tuple[Slot, ...]
    constraints: tuple[Constraint, ...]
    contrasts: tuple[Contrast, ...]
    final_punctuation: str
    exhaustive: bool
    """True: the item set is every combination of the slots' words. False: items are sampled."""
    one_word_critical: bool
    clause: str = ""
    """The region with which the clause after the licensor begins, up to the final mark; empty where the file does not say."""
    given: bool = False
    """True: the sentences come from files; the paradigm has no words to make any from."""
    criteria: tuple[Criterion, ...] = ()
    choices: tuple[Choice, ...] = ()
    variants: Mapping[tuple[str, ...], Paradigm] = field(default_factory=dict, repr=False)
    """With choices: the paradigm for each combination of their levels, without choices of its own. The paradigm's own
    conditions are those of the first combination."""
    form_digest: str = ""
    """Digest of what decides the shape of its sentences: factors or conditions, choices, region texts, slots in order and
    punctuation."""
    predictions_digest: str = ""
    """Digest of what is expected of them: status, critical regions, designs, contrasts, criteria, titles."""
    own_words_digest: str = ""
    """Digest of what the file itself says of the words; `words_digest` adds the word lists that it names."""
    digest: str = ""
    """SHA-256 of the file as it is written, comments and all: for the record, not for comparing."""
    text: str = field(default="", repr=False)
    path: str = ""

    @cached_property
    def condition_by_name(self) -> Mapping[str, Condition]:
        """Conditions by name."""
        return {c.name: c for c in self.conditions}

    @cached_property
    def slot_by_name(self) -> Mapping[str, Slot]:
        """Slots by name."""
        return {s.name: s for s in self.slots}

    def in_parts(self, words: Mapping[str, str]) -> dict[str, str]:
        """Words by slot, and behind a slot with parts by part: a text may do what neither of its parts does."""
        found: dict[str, str] = {}
        for name, text in words.items():
            slot = self.slot_by_name.get(name)
            found |= {name: text} if slot is None else slot.in_parts(text)
        return found

    @cached_property
    def visible_slots(self) -> tuple[Slot, ...]:
        """The slots that some region shows: what a model or a person fills in."""
        return tuple(s for s in self.slots if not s.latent)

    @cached_property
    def words_digest(self) -> str:
        """Digest of the words: descriptions, limits and constraints, and the content of every word list that is named."""
        return digest_of([self.own_words_digest, self.lexicon_contents])

    @property
    def lexicon_contents(self) -> list[Any]:
        """The content of every word list that its slots name, in their order; None for one that is not there."""
        return lexicon_contents((slot.lexicon for slot in self.slots if slot.lexicon is not None), self.path)

    @cached_property
    def filled(self) -> tuple[str, ...]:
        """The names that an item's filling gives values for: its choices, then its visible slots."""
        return (*(choice.name for choice in self.choices), *(slot.name for slot in self.visible_slots))

    def variant(self, slots: Mapping[str, Any] | None) -> Paradigm:
        """The paradigm as it is for an item: `slots` holds the level of each choice under its name, beside the words.

        Without choices, or where the item's levels are not known, the paradigm itself."""
        if not self.choices or slots is None:
            return self
        return self.variants.get(tuple(str(slots.get(choice.name)) for choice in self.choices), self)

    def with_levels(self, asked: str) -> Paradigm:
        """The paradigm with some levels of its choices only, as the command line has them: ``embedding=none|b``, several choices
        with ``;`` between them; ``*`` is every level. Levels that are named are drawn equally often, whatever `Choice.balance`
        says. Raises `ParadigmError`."""
        kept = {choice.name: dict(choice.levels) for choice in self.choices}
        balance = {choice.name: choice.balance for choice in self.choices}
        for part in asked.split(";"):
            name, _, said = (piece.strip() for piece in part.partition("="))
            if name not in kept:
                known = ", ".join(kept) or "none"
                raise ParadigmError(f"{self.name} has no choice {name!r}", hint=f"Its choices: {known}.")
            balance[name] = ""
            if said == EVERY_LEVEL:
                continue
            levels = [level.strip() for level in said.split("|")]
            if unknown := [level for level in levels if level not in kept[name]]:
                raise ParadigmError(
                    f"{self.name}: the choice {name} has no level {unknown[0]!r}",
                    hint=f"Levels: {', '.join(kept[name])}.",
                )
            kept[name] = {level: value for level, value in kept[name].items() if level in levels}
        choices = tuple(Choice(name, levels, balance[name]) for name, levels in kept.items())
        fits = [set(choice.levels) for choice in choices]
        variants = {
            chosen: own
            for chosen, own in self.variants.items()
            if all(level in levels for level, levels in zip(chosen, fits, strict=True))
        }
        shown = {slot.name for own in variants.values() for slot in own.slots}
        constraints = {c: None for own in variants.values() for c in own.constraints}
        slots = tuple(slot for slot in self.slots if slot.name in shown)
        return replace(self, choices=choices, variants=variants, slots=slots, constraints=tuple(constraints))

    @property
    def evenly(self) -> Paradigm:
        """The paradigm with every level of its choices drawn as often as every other, whatever `Choice.balance` says."""
        return replace(self, choices=tuple(replace(choice, balance="") for choice in self.choices))

    def attributes_of(self, slots: Mapping[str, Any] | None) -> dict[str, AttributeValue]:
        """What an item's choices say of it: the level of each, and the attributes of that level."""
        found: dict[str, AttributeValue] = {}
        for choice in self.choices:
            level = (slots or {}).get(choice.name)
            if level in choice.levels:
                found |= {choice.name: str(level), **choice.levels[str(level)]}
        return found

    def design_of(self, conditions: Iterable[str]) -> Design | None:
        """The first design that has just these conditions, in whatever order, or None."""
        wanted = frozenset(conditions)
        return next((design for design in self.designs if frozenset(design.conditions) == wanted), None)

    def condition(self, name: str) -> Condition:
        """The condition called `name`; raises `ParadigmError` naming the ones there are."""
        try:
            return self.condition_by_name[name]
        except KeyError:
            known = ", ".join(c.name for c in self.conditions)
            raise ParadigmError(f"{self.name} has no condition {name!r}. It has: {known}") from None

    def measured_in(self, critical: Mapping[str, str]) -> Paradigm:
        """The paradigm with other critical regions: by the name of the condition, of those that have another one."""
        conditions = tuple(replace(c, critical=critical.get(c.name, c.critical)) for c in self.conditions)
        variants = {chosen: own.measured_in(critical) for chosen, own in self.variants.items()}
        return replace(self, conditions=conditions, variants=variants)

    def design(self, name: str) -> Design:
        """The design called `name`; raises `ParadigmError` naming the ones there are."""
        for design in self.designs:
            if design.name == name:
                return design
        known = ", ".join(d.name for d in self.designs)
        raise ParadigmError(f"{self.name} has no design {name!r}. It has: {known}")

    def region_of(self, term: Term) -> str | None:
        """The name of the region in which a term is measured. None for the whole sentence, for the region after another, which is
        not the same one in every sentence, and for a stretch of several."""
        if term.place == CRITICAL_PLACE:
            return self.condition(term.condition).critical
        beyond = term.place.steps or term.place.onwards or term.place == SENTENCE_PLACE
        return None if beyond else term.place.name

    def contrast(self, name: str) -> Contrast:
        """The contrast called `name`; raises `ParadigmError` naming the ones there are."""
        for contrast in self.contrasts:
            if contrast.name == name:
                return contrast
        known = ", ".join(c.name for c in self.contrasts)
        raise ParadigmError(f"{self.name} has no contrast {name!r}. It has: {known}")

    def resolve_label(self, label: str) -> str | None:
        """The condition that a file's label means, in any design, or None. ``PFPG`` and ``pf_pg1_pg2`` both work."""
        wanted = label.strip()
        if wanted in self.condition_by_name:
            return wanted
        folded = wanted.casefold().replace(" ", "")
        for condition in self.conditions:
            if folded in {condition.name.casefold(), condition.label.casefold().replace(" ", "")}:
                return condition.name
        for design in self.designs:
            for label, name in design.labels.items():
                if label.casefold().replace(" ", "") == folded:
                    return name
        return self._by_signs(wanted)

    def _by_signs(self, label: str) -> str | None:
        """The one condition that a label such as ``+filler -gap`` means by its signs and the names of its factors."""
        wanted = self._signature(_signed(label))
        if not wanted:
            return None
        meant = {condition.name for condition in self.conditions if self._signature_of(condition) == wanted}
        for design in self.designs:
            for known, name in design.labels.items():
                if self._signature(_signed(known) or _letters(known)) == wanted:
                    meant.add(name)
        return meant.pop() if len(meant) == 1 else None

    def _signature_of(self, condition: Condition) -> _Signature:
        if not self.factors:
            return self._signature(_signed(condition.label))
        levels = zip(self.factors, condition.levels, strict=True)
        return tuple((_signs(factor).get(level, ""), frozenset({factor.name})) for factor, level in levels)

    def _signature(self, pieces: Iterable[_Signed]) -> _Signature:
        """The sign and the factors of each piece; empty where one of them names no factor, or several."""
        signature = tuple((piece.sign, self._factors_called(piece)) for piece in pieces)
        return signature if all(factors for _, factors in signature) else ()

    def _factors_called(self, piece: _Signed) -> frozenset[str]:
        """The factor that the piece's word is the name of, else the only one whose name begins with it; ``gap`` may stand for
        all of gap1 and gap2, which a design may well call so."""
        for whole in (True, False):
            found = [
                known
                for known in self._factor_words
                if piece.number in ("", known.number)
                and (known.word == piece.word if whole else known.word.startswith(piece.word))
            ]
            factors = frozenset(known.factor for known in found)
            if factors:
                return factors if len(factors) == 1 or len({known.word for known in found}) == 1 else frozenset()
        return frozenset()

    @cached_property
    def _factor_words(self) -> frozenset[_FactorWord]:
        """What each factor is called: by its name, in its labels (``+F``), in the names of its levels (``pf``, ``mf``)."""
        words = set()
        for factor in self.factors:
            if _signs(factor):
                texts = [f"+{factor.name}", *(f"+{name}" for name in _level_names(factor))]
                texts += factor.labels.values() if _shown_signs(factor) else []
                words |= {_FactorWord(factor.name, piece.word, piece.number) for text in texts for piece in _signed(text)}
        if not self.factors:
            labels = [condition.label for condition in self.conditions]
            labels += [label for design in self.designs for label in design.labels]
            pieces = {(piece.word, piece.number) for label in labels for piece in _signed(label)}
            words = {_FactorWord(word + number, word, number) for word, number in pieces}
        return frozenset(words)


class _Signed(NamedTuple):
    """A piece of a label: ``+gap 1``."""

    sign: str
    word: str
    number: str


class _FactorWord(NamedTuple):
    """A word that a factor is called, and the number behind it."""

    factor: str
    word: str
    number: str


_SIGNED_NAME = re.compile(r"([+-])\s*([^\W\d]+?)[ _]?(\d*)(?=_?[+\-]|[\s,;/|&]|$)")

_Signature: TypeAlias = tuple[tuple[str, frozenset[str]], ...]
"""What a label says by signs: the sign of each factor in turn; of several factors where it gives no number."""


def _signed(label: str) -> tuple[_Signed, ...]:
    """The pieces of ``+filler -gap``, ``+F −G1`` and the like; empty for a label that is not made of signed names."""
    plain = label.replace("−", "-").replace("–", "-").casefold()
    rest = _SIGNED_NAME.sub("", plain)
    return () if rest.strip(" ,;/|_&") else tuple(_Signed(*piece) for piece in _SIGNED_NAME.findall(plain))


def _letters(label: str) -> tuple[_Signed, ...]:
    """The pieces of ``PFMG``, which is ``+F -G`` in the labels of designs; empty for any other label."""
    plain = label.casefold()
    if not re.fullmatch(r"(?:[pm][^\W\d_]\d*)+", plain):
        return ()
    pieces = re.findall(r"([pm])([^\W\d_])(\d*)", plain)
    return tuple(_Signed("+" if sign == "p" else "-", word, number) for sign, word, number in pieces)


def _signs(factor: Factor) -> Mapping[str, str]:
    """The sign of each level, where the levels are the presence and absence of one thing: ``+F`` and ``-F``, or ``pf`` and
    ``mf``; empty for other levels, such as ``+sg`` and ``-pl``."""
    named = {level: "+" if level[0] == "p" else "-" for level in factor.levels} if _level_names(factor) else {}
    return _shown_signs(factor) or named


def _shown_signs(factor: Factor) -> Mapping[str, str]:
    """The signs in the labels of the levels, where these show one word."""
    shown = {level: _signed(label) for level, label in factor.labels.items()}
    words = {tuple((piece.word, piece.number) for piece in pieces) for pieces in shown.values()}
    one = len(words) == 1 and all(len(pieces) == 1 for pieces in shown.values())
    return {level: pieces[0].sign for level, pieces in shown.items()} if one else {}


def _level_names(factor: Factor) -> tuple[str, ...]:
    """``f`` of the levels ``pf`` and ``mf``, which say that something is there and that it is not; empty for other levels."""
    rests = {level[1:] for level in factor.levels}
    is_pair = {level[0] for level in factor.levels} == {"p", "m"} and len(factor.levels) == 2 and len(rests) == 1
    return tuple(rests - {""}) if is_pair else ()
