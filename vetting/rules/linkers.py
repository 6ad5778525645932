"""L25: the linker has to be a raising predicate, a modal or the periphrastic future, in the singular."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from bank import Severity
from vetting.rules.inflection import BASE, PARTICIPLE, PAST
from vetting.rules.knowledge import Knowledge
from vetting.rules.model import Hit, WordRule, Words
from vetting.rules.wordset import word_set

__all__ = ["RULES", "LinkerReading", "read_linker"]

_SINGULAR = word_set("is was has does isn't wasn't hasn't doesn't 's")
_PLURAL = word_set("are were have do aren't weren't haven't don't 're")
_PAST = word_set("was were had did wasn't weren't hadn't didn't")
_BE = word_set("is are was were be been being am 's 're isn't aren't wasn't weren't")
_DEGREE = word_set("very more most quite so rather less least highly almost nearly pretty fairly extremely")
_HAVE = word_set("has have had hasn't haven't hadn't")


@dataclass(frozen=True, slots=True)
class LinkerReading:
    """A linker, analysed word by word."""

    head: str | None
    """The adjective, participle, verb or modal that decides what it is, as the list has it; None where unknown."""
    classes: frozenset[str]
    number: str | None
    """``singular``, ``plural``, or None where the form does not tell."""
    past: bool
    negated: bool
    excess: str | None
    """*too* or *enough*, which license an object gap of their own."""
    malformed: str | None
    """What is missing or too much for a verb in the base form to follow."""


def read_linker(linker: str, knowledge: Knowledge) -> LinkerReading:
    """Take a linker such as ``is very likely to`` apart."""
    words = linker.replace("’", "'").casefold().split()
    number = next((n for n, forms in (("singular", _SINGULAR), ("plural", _PLURAL)) if words[0] in forms), None)
    negated = any(w in {"not", "never", "hardly", "unlikely"} or w.endswith("n't") for w in words)
    excess = next((w for w in words if w in {"too", "enough"}), None)
    past = words[0] in _PAST
    core = [
        w for w in words if w not in _DEGREE | {"not", "never", "too", "enough", "also", "still"} and not _is_adverb(w)
    ]
    ends_in_to = core[-1:] == ["to"]
    core = core[:-1] if ends_in_to else core
    head, classes, form = _head(core, knowledge)
    if form is not None:
        past = past or form in {PAST, PARTICIPLE}
        number = number or {BASE: "plural", "third person": "singular"}.get(form)
    modal = classes == {"modal"} and knowledge.entry("linkers", head or "") is not None and _pos(head, knowledge) == "m"
    malformed = None
    if modal and head != "ought" and ends_in_to:
        malformed = "has “to” after a modal"
    elif not modal and not ends_in_to:
        malformed = "lacks its final “to”"
    return LinkerReading(head, classes, None if modal else number, past, negated, excess, malformed)


def _head(core: list[str], knowledge: Knowledge) -> tuple[str | None, frozenset[str], str | None]:
    """The deciding word, its classes, and the verb form where it is a finite verb."""
    rest = core
    if rest and _pos(rest[0], knowledge) == "m":
        if len(rest) == 1 or rest[1] not in {"be", "have", "seem", "appear"}:
            return rest[0], knowledge.classes("linkers", rest[0]), None
        rest = rest[1:]
    if rest and rest[0] in _HAVE and len(rest) > 1:
        rest = rest[1:]
    if rest and rest[0] in _BE:
        if len(rest) == 1:
            return "be", frozenset({"modal"}), None
        for start in range(1, len(rest)):
            phrase = " ".join(rest[start:])
            if phrase in knowledge.lists["linkers"]:
                return phrase, knowledge.classes("linkers", phrase), None
        return None, frozenset(), None
    return _finite(rest, knowledge)


def _finite(rest: list[str], knowledge: Knowledge) -> tuple[str | None, frozenset[str], str | None]:
    if not rest:
        return None, frozenset(), None
    for form in knowledge.verb_forms.get(rest[0], ()):
        phrase = " ".join([form.lemma, *rest[1:]])
        for candidate in (phrase, form.lemma):
            if "v" in _pos(candidate, knowledge):
                # "seems likely" is as raising as its adjective: the adjective decides.
                inner = rest[-1] if len(rest) > 1 and rest[-1] in knowledge.lists["linkers"] else candidate
                return inner, knowledge.classes("linkers", inner), form.kind
    if rest[0] in _HAVE:
        return "have", knowledge.classes("linkers", "have"), None
    return None, frozenset(), None


def _pos(form: str | None, knowledge: Knowledge) -> str:
    entry = knowledge.entry("linkers", form) if form else None
    return "".join(entry.values("pos")) if entry is not None else ""


def _is_adverb(word: str) -> bool:
    return word in {"well", "soon", "also", "just", "even", "now", "then", "yet", "always"} or (
        word.endswith("ly") and word not in {"likely", "unlikely", "lovely"}
    )


def _readings(words: Words) -> Iterator[tuple[str, str | None, LinkerReading]]:
    for word in words.of("linker"):
        if word.value.split():
            yield word.value, word.slot, _adjusted(word.value, words.knowledge)


def _adjusted(value: str, knowledge: Knowledge) -> LinkerReading:
    # "will likely" is a modal with an adverb; "is likely" is an adjective that lacks its "to".
    pieces = value.casefold().split()
    if pieces[-1] == "likely" and _pos(pieces[0], knowledge) == "m":
        return read_linker(" ".join(pieces[:-1]), knowledge)
    return read_linker(value, knowledge)


def _of_class(wanted: str, message: str) -> Callable[[Words], Iterator[Hit]]:
    def check(words: Words) -> Iterator[Hit]:
        for value, slot, reading in _readings(words):
            if wanted in reading.classes and reading.excess is None:
                yield Hit(message.format(linker=value, head=reading.head), slot=slot)

    return check


def _unknown(words: Words) -> Iterator[Hit]:
    for value, slot, reading in _readings(words):
        if reading.head is None and reading.excess is None and reading.malformed is None:
            yield Hit(f"“{value}”: neither raising predicate, modal nor future that the lists know", slot=slot)


def _excess(words: Words) -> Iterator[Hit]:
    for value, slot, reading in _readings(words):
        if reading.excess is not None:
            yield Hit(f"“{value}”: “{reading.excess}” licenses an object gap of its own", slot=slot)


def _agreement(words: Words) -> Iterator[Hit]:
    for value, slot, reading in _readings(words):
        for noun in words.of("noun"):
            plural = noun.value.casefold() in words.knowledge.plural_nouns or "plural" in words.knowledge.classes(
                "nouns", noun.value
            )
            if reading.number == "plural" and not plural:
                yield Hit(f"“{value}” is plural, its head noun “{noun.value}” is singular", slot=slot)


def _past(words: Words) -> Iterator[Hit]:
    for value, slot, reading in _readings(words):
        if reading.past and reading.malformed is None:
            yield Hit(f"“{value}” is past; the adverb is about the future", slot=slot)


def _negated(words: Words) -> Iterator[Hit]:
    for value, slot, reading in _readings(words):
        if reading.negated:
            yield Hit(f"“{value}” is negative", slot=slot)


def _malformed(words: Words) -> Iterator[Hit]:
    for value, slot, reading in _readings(words):
        if reading.malformed is not None:
            yield Hit(f"“{value}” {reading.malformed}", slot=slot)


_LINKER = ("linker",)
RULES = (
    WordRule("L250", Severity.INFO, _LINKER, _unknown),
    WordRule(
        "L251",
        Severity.ERROR,
        _LINKER,
        _of_class("tough", "“{linker}”: {head} is a tough predicate, which makes the subject the missing object"),
    ),
    WordRule(
        "L252",
        Severity.ERROR,
        _LINKER,
        _of_class("ready", "“{linker}”: with {head} the subject may be the missing object (“ready to eat”)"),
    ),
    WordRule("L253", Severity.ERROR, _LINKER, _excess),
    WordRule(
        "L254",
        Severity.ERROR,
        _LINKER,
        _of_class("control", "“{linker}”: {head} wants a person as its subject, not what the island names"),
    ),
    WordRule(
        "L255",
        Severity.INFO,
        _LINKER,
        _of_class("ambiguous", "“{linker}”: {head} is raising with things and control with persons"),
    ),
    WordRule("L256", Severity.ERROR, ("linker", "noun"), _agreement),
    WordRule(
        "L257",
        Severity.WARNING,
        _LINKER,
        _of_class(
            "purpose", "“{linker}”: the infinitive after {head} is one of purpose, and its object may be missing"
        ),
    ),
    WordRule("L258", Severity.WARNING, _LINKER, _past),
    WordRule("L259", Severity.INFO, _LINKER, _negated),
    WordRule("L260", Severity.ERROR, _LINKER, _malformed),
    WordRule(
        "L261",
        Severity.WARNING,
        _LINKER,
        _of_class("aspect", "“{linker}”: {head} is about the course of an event and asks for a stretch of time"),
    ),
)
