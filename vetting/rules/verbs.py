"""L2: the embedded verb has to need an object, and one that is a person where the filler is *who*."""

from __future__ import annotations

from collections.abc import Iterator

from gapsmith.vetting.rules.counted import Counted, counted
from gapsmith.vetting.rules.inflection import BASE, GERUND, PARTICIPLE, Form
from gapsmith.vetting.rules.knowledge import Knowledge
from gapsmith.vetting.rules.linker_grammar import read_linker
from gapsmith.vetting.rules.model import Word, Words
from gapsmith.vetting.rules.view import PARTICLES
from gapsmith.vetting.wordrates import load_word_rates


def verb_lemma(word: Word, words: Words) -> str | None:
    """The listed verb that the word is a form of; a verb with its particle is one verb (*cheer up*)."""
    return next((verb for verb in base_forms(word, words) if words.knowledge.entry("verbs", verb) is not None), None)


def base_forms(word: Word, words: Words) -> Iterator[str]:
    """The verbs that the word can be a form of, best first, each with the particle that stands after the word."""
    pieces = word.value.casefold().split()
    tail = "".join(f" {piece}" for piece in pieces[1:])
    for form in _forms(pieces[0], words) if pieces else ():
        yield form.lemma + tail


def _forms(verb: str, words: Words) -> list[Form]:
    """What the word can be a form of, best first: the form that the linker wants, and in a finite clause an inflected form
    before the base ("saw" is of see before it is of saw). Verbs in no list come from the dictionary."""
    forms = words.knowledge.verb_forms.get(verb, ())
    wanted = _wanted(words)
    if wanted is None:
        return sorted(forms, key=lambda form: form.kind == BASE)
    return sorted(forms, key=lambda form: form.kind != wanted)


def _wanted(words: Words) -> str | None:
    """The form that the linker wants; None in a finite clause."""
    linkers = [word.value for word in words.with_role("linker") if word.value.split()]
    return read_linker(linkers[-1], words.knowledge).wants if linkers else None


def counted_verb(word: Word, words: Words) -> Counted | None:
    """What is guessed about a verb that is in no list."""
    pieces = word.value.casefold().split()
    if len(pieces) != 1 or verb_lemma(word, words) is not None:
        return None
    return next((found for form in _forms(pieces[0], words) if (found := counted("verbs", form.lemma))), None)


def is_with_particle(phrase: str) -> bool:
    """Whether a verb has a particle or preposition of its own."""
    pieces = phrase.casefold().split()
    return len(pieces) > 1 and pieces[-1] in PARTICLES


def particle_counts(phrase: str, words: Words) -> tuple[str, bool]:
    """How often the verb has an object together with its particle, and whether it mostly has one: *put off*, but not *doze off*."""
    pieces = phrase.casefold().split()
    for form in _forms(pieces[0], words) if pieces else ():
        row = load_word_rates().verb(" ".join([form.lemma, *pieces[1:]]))
        if row is not None and row.active:
            return f" (an object in {row.object_rate})", row.active >= _COUNTED and row.object >= _MOSTLY * row.active
    return "", False


_COUNTED, _MOSTLY = 20, 0.75


def is_base(verb: str, knowledge: Knowledge) -> bool:
    """Whether a word can only be the base form of a verb, as far as it is known."""
    forms = knowledge.verb_forms.get(verb.casefold().split()[0], ()) if verb.split() else ()
    return bool(forms) and {form.kind for form in forms} == {BASE}


def is_participle(verb: str, knowledge: Knowledge) -> bool:
    """Whether a word can be a past participle and no -ing form."""
    forms = knowledge.verb_forms.get(verb.casefold().split()[0], ()) if verb.split() else ()
    kinds = {form.kind for form in forms}
    return PARTICIPLE in kinds and GERUND not in kinds


def inflected(word: Word, words: Words) -> str | None:
    """Which other form the word is than the one that the linker wants, or None."""
    wanted = _wanted(words)
    if wanted is None or not word.value.split():
        return None
    forms = _forms(word.value.casefold().split()[0], words)
    # "is" may be followed by a participle as well (is amused), which makes the clause passive and is no matter of form.
    kinds = {wanted, PARTICIPLE} if wanted == GERUND else {wanted}
    if not forms or any(form.kind in kinds for form in forms):
        return None
    if wanted == GERUND and is_base(word.value, words.knowledge):
        return None  # L260 speaks of the linker.
    return f"the {forms[0].kind} of {forms[0].lemma}; the linker needs the {_FORM_NAMES[wanted]}"


_FORM_NAMES = {BASE: "base form", PARTICIPLE: "past participle", GERUND: "-ing form"}
