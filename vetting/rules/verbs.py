"""L2: the embedded verb has to need an object, and one that is a person where the filler is *who*."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bank import Severity
from vetting.rules.inflection import BASE
from vetting.rules.model import Hit, Word, WordRule, Words
from vetting.rules.wordset import word_set

__all__ = ["RULES"]

_PARTICLES = word_set("up down off out on in over away back about through around along apart together")


def _lemma(word: Word, words: Words) -> str | None:
    """The verb that the word is a form of: the word itself after a linker, any verb of that form elsewhere."""
    value = word.value.casefold()
    if _expects_base(words):
        return value if words.knowledge.entry("verbs", value) is not None else None
    # In a finite clause "saw" is the past of see before it is the base of saw.
    forms = sorted(words.knowledge.verb_forms.get(value, ()), key=lambda form: form.kind == BASE)
    return next((form.lemma for form in forms if words.knowledge.entry("verbs", form.lemma) is not None), None)


def _expects_base(words: Words) -> bool:
    return bool(words.of("linker"))


def _of_class(wanted: str, message: str, *, person_only: bool = False) -> Callable[[Words], Iterator[Hit]]:
    def check(words: Words) -> Iterator[Hit]:
        if person_only and not words.asks_for_person:
            return
        for word in words.of("verb"):
            lemma = _lemma(word, words)
            if lemma is not None and wanted in words.knowledge.classes("verbs", lemma):
                yield Hit(message.format(verb=word.value), slot=word.slot)

    return check


def _unknown(words: Words) -> Iterator[Hit]:
    for word in words.of("verb"):
        if _lemma(word, words) is None and " " not in word.value and not _inflected(word, words):
            yield Hit(f"“{word.value}” is in no list of verbs", slot=word.slot)


def _particle(words: Words) -> Iterator[Hit]:
    for word in words.of("verb"):
        pieces = word.value.casefold().split()
        if len(pieces) > 1 and pieces[-1] in _PARTICLES:
            yield Hit(f"“{word.value}” has a particle or preposition between the verb and the gap", slot=word.slot)


def _inflected(word: Word, words: Words) -> str | None:
    """Which inflected form the word is where a base form is expected, or None."""
    if not _expects_base(words):
        return None
    value = word.value.casefold()
    forms = words.knowledge.verb_forms.get(value, ())
    if not forms or any(form.kind == BASE for form in forms):
        return None
    return f"the {forms[0].kind} of {forms[0].lemma}"


def _form(words: Words) -> Iterator[Hit]:
    for word in words.of("verb"):
        form = _inflected(word, words)
        if form is not None:
            yield Hit(f"“{word.value}” is {form}; the linker needs the base form", slot=word.slot)


RULES = (
    WordRule("L200", Severity.INFO, ("verb", "linker"), _unknown),
    WordRule(
        "L201",
        Severity.ERROR,
        ("verb", "linker"),
        _of_class("object_drop", "“{verb}” can do without an object, so the gap need not be one"),
    ),
    WordRule(
        "L202",
        Severity.ERROR,
        ("verb", "linker"),
        _of_class("inchoative", "“{verb}” without an object says what happens to the subject itself"),
    ),
    WordRule("L203", Severity.ERROR, ("verb", "linker"), _of_class("intransitive", "“{verb}” takes no object")),
    WordRule(
        "L204",
        Severity.ERROR,
        ("verb", "linker"),
        _of_class(
            "thing_object", "the object of “{verb}” is a thing, and the filler asks for a person", person_only=True
        ),
    ),
    WordRule("L205", Severity.ERROR, ("verb",), _particle),
    WordRule(
        "L206",
        Severity.WARNING,
        ("verb", "linker"),
        _of_class("clausal", "“{verb}” wants a clause or a second object beside the person", person_only=True),
    ),
    WordRule(
        "L207",
        Severity.INFO,
        ("verb", "linker"),
        _of_class("generic", "“{verb}” tolerates a missing object with a generic sense", person_only=True),
    ),
    WordRule(
        "L208",
        Severity.WARNING,
        ("verb", "linker"),
        _of_class("homograph", "“{verb}” before the adverb reads as another part of speech"),
    ),
    WordRule("L209", Severity.ERROR, ("verb", "linker"), _form),
    WordRule(
        "L211",
        Severity.WARNING,
        ("verb", "linker"),
        _of_class("agentive", "“{verb}” wants a person as its subject, not what the island names", person_only=True),
    ),
)
