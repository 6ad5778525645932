"""Forms of the words of a slot: one noun in both numbers, one verb in its forms, and which number a word has.

A slot that says of which `kind` its words are (``noun``, ``verb``, ``determiner``) has its other forms beside it: ``{head}`` and
``{head_pl}``, ``{see}``, ``{see_s}``, ``{see_past}``, ``{see_part}``, ``{see_ing}``. They come from lemminflect's table
(`gapsmith.templates.dictionary`), or from what the file or a column of the word list says, which goes before. Where the table has several
forms or none, nothing is chosen: the file has to say one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gapsmith.templates.dictionary import load_dictionary
from gapsmith.templates.errors import ParadigmError
from gapsmith.templates.lexicon import Entry, Lexicon
from gapsmith.templates.model import Paradigm, Slot

NUMBER = "number"
"""The column that says whether a word is singular, plural, or goes with both."""
FORMS: Mapping[str, Mapping[str, str]] = {
    "noun": {"pl": "in the plural"},
    "verb": {
        "s": "in the third person singular, present tense",
        "past": "in the past tense",
        "part": "as past participle",
        "ing": "as -ing form",
    },
    "determiner": {},
}
"""The kinds of words, each with its other forms."""
OTHER_NAMES: Mapping[str, str] = {
    **dict.fromkeys(("plural", "plur", "s"), "pl"),
    **dict.fromkeys(("3sg", "sg", "present", "pres"), "s"),
    **dict.fromkeys(("ed", "pst", "preterite"), "past"),
    **dict.fromkeys(("en", "pp", "ptcp", "participle"), "part"),
    **dict.fromkeys(("prog", "progressive", "gerund"), "ing"),
}
"""What else the forms are called, for a guess at what was meant."""
_VERB_PLACES = {"past": 0, "part": 1, "ing": 2, "s": 3}
_SINGULAR, _PLURAL = ("singular",), ("plural",)
_BOTH = (*_SINGULAR, *_PLURAL)
_SUPPLETIVE = frozenset({"person"})
"""Nouns whose usual plural (people) the table lists as a noun of its own."""
_AUXILIARIES: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("is", "was", "has", "does", "isn't", "wasn't", "hasn't", "doesn't"), _SINGULAR),
    **dict.fromkeys(("are", "were", "have", "do", "aren't", "weren't", "haven't", "don't"), _PLURAL),
    **dict.fromkeys(("can", "could", "will", "would", "shall", "should", "may", "might", "must", "had", "did"), _BOTH),
}
_DETERMINERS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("a", "an", "this", "that", "each", "every", "another", "either", "neither", "one", "much"), _SINGULAR),
    **dict.fromkeys(("these", "those", "many", "few", "several", "both", "two", "three", "four", "five", "ten"), _PLURAL),
    **dict.fromkeys(("the", "my", "your", "his", "her", "its", "our", "their", "some", "no", "any", "which", "what"), _BOTH),
}


def derived_name(slot: str, form: str) -> str:
    """What the slot of a form is called."""
    return f"{slot}_{form}"


def form_lexicon(paradigm: Paradigm, slot: Slot, listed: Lexicon | None) -> Lexicon:
    """The words of a slot that says its kind, with the forms that the paradigm shows and their number as columns; `listed` is the
    word list that the slot names. Raises `ParadigmError`, with the line of TOML that settles it, where a form is not certain."""
    entries = listed.entries if listed is not None else tuple(Entry(word, {}) for word in slot.words)
    wanted = [own.form_of[1] for own in paradigm.slots if own.form_of is not None and own.form_of[0] == slot.name]
    needs_number = any(slot.name in c.slots and NUMBER in c.columns for c in paradigm.constraints)
    made = []
    for entry in entries:
        columns = dict(entry.columns)
        own = slot.forms.get(entry.form, {})
        for form in wanted:
            columns[form] = (own[form],) if form in own else columns.get(form) or (_form(slot, entry.form, form),)
        if NUMBER in own:
            columns[NUMBER] = (own[NUMBER],)
        if needs_number and not columns.get(NUMBER):
            columns[NUMBER] = _number(slot, entry.form)
        made.append(Entry(entry.form, columns))
    return Lexicon(slot.lexicon or slot.name, tuple(made), listed.path if listed is not None else paradigm.path)


def example_of(slot: Slot, form: str) -> str:
    """A form of the slot's example; empty where it has none. Raises `ParadigmError` where the form is not certain."""
    if not slot.example:
        return ""
    return slot.forms.get(slot.example, {}).get(form) or _form(slot, slot.example, form)


def derived_lexicon(paradigm: Paradigm, slot: Slot, base: Lexicon) -> Lexicon:
    """The words of a slot that shows a form of another slot's words (`Slot.form_of`), each once."""
    assert slot.form_of is not None
    form = slot.form_of[1]
    number = _PLURAL if form == "pl" else _SINGULAR if form == "s" else _BOTH
    found: dict[str, Entry] = {}
    for entry in base.entries:
        for word in entry.values(form):
            found.setdefault(word, Entry(word, {NUMBER: number}))
    return Lexicon(slot.name, tuple(found.values()), paradigm.path)


def _form(slot: Slot, word: str, form: str) -> str:
    """The form of a word: of the last word of a noun phrase, of the first word of a verb phrase."""
    words = word.split()
    place = 0 if slot.kind == "verb" else len(words) - 1
    lemma = words[place].casefold()
    table = load_dictionary()
    if slot.kind == "noun":
        forms: Sequence[str] = table.nouns.get(lemma, ())
        if len(forms) == 2 and lemma in forms and lemma not in _SUPPLETIVE:
            # The table also lists the noun itself for some that are counted in -s (box: boxes, box).
            forms = tuple(own for own in forms if own != lemma)
    else:
        verb = table.verbs.get(lemma)
        forms = verb[_VERB_PLACES[form]] if verb is not None else ()
    if len(forms) != 1:
        said = f"has {' and '.join(forms)}" if forms else "is not in the table of word forms"
        raise ParadigmError(
            f"`slots.{slot.name}`: {word!r} {said}, so its form {FORMS[slot.kind][form]} is not certain",
            hint=f'Say it:\n[slots.{slot.name}.forms]\n{_key(word)} = {{ {form} = "{forms[0] if forms else "…"}" }}',
        )
    made = forms[0]
    inflected = made.capitalize() if words[place][:1].isupper() else made
    return " ".join([*words[:place], inflected, *words[place + 1 :]])


def _number(slot: Slot, word: str) -> tuple[str, ...]:
    words = word.casefold().split()
    table = load_dictionary()
    found: tuple[str, ...] | None = None
    if slot.kind == "determiner":
        found = _DETERMINERS.get(words[0])
    elif slot.kind == "noun":
        said = table.number(words[-1])
        found = (said,) if said is not None else None
    elif words[0] in _AUXILIARIES:
        found = _AUXILIARIES[words[0]]
    elif words[0] in table.verbs:
        found = _PLURAL
    elif any(words[0] in forms[_VERB_PLACES["s"]] for forms in table.verbs.values()):
        found = _SINGULAR
    elif any(words[0] in (*forms[0], *forms[1]) for forms in table.verbs.values()):
        found = _BOTH
    if found is None:
        raise ParadigmError(
            f"`slots.{slot.name}`: whether {word!r} is singular or plural is not certain",
            hint=f'Say it:\n[slots.{slot.name}.forms]\n{_key(word)} = {{ number = "singular" }}',
        )
    return found


def _key(word: str) -> str:
    return word if word.replace("-", "").replace("_", "").isalnum() and word.isascii() else f'"{word}"'
