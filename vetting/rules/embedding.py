"""L9: the clauses between a licensor and its gap, the words that license, and what two gaps share."""

from __future__ import annotations

from collections.abc import Iterator

from gapsmith.bank import Severity
from gapsmith.vetting.rules.hits import Hit
from gapsmith.vetting.rules.inflection import GERUND
from gapsmith.vetting.rules.model import Word, WordRule, Words

_VERBS = ("verb", "bridge", "question", "content_verb")
_NOUNS = ("plural", "content_noun", "noun", "shared", "object")
_ABOVE = ("bridge", "question", "content_noun")


def _lemmas(word: Word, words: Words) -> frozenset[str]:
    """What the word can be a form of; the word itself where no verb is known."""
    return frozenset(form.lemma for form in words.knowledge.verb_forms.get(word.value.casefold(), ())) or frozenset(
        {word.value.casefold()}
    )


def embedder_classes(word: Word, words: Words) -> frozenset[str]:
    """What the list of embedding words says of a word, or of the verbs that it can be a form of; empty where it has none of them."""
    forms = {word.value.casefold(), *_lemmas(word, words)}
    return frozenset().union(*(words.knowledge.classes("embedders", form) for form in forms))


def _repeated(words: Words) -> Iterator[Hit]:
    for roles, what in ((_VERBS, "verb"), (_NOUNS, "noun")):
        seen: dict[str, Word] = {}
        for word in (word for role in roles for word in words.with_role(role)):
            for form in sorted(_lemmas(word, words)) if what == "verb" else (word.value.casefold().rpartition(" ")[2],):
                other = seen.setdefault(form, word)
                if other is not word:
                    said = f"the {what} “{form}” stands twice, as “{other.value}” and as “{word.value}”"
                    yield Hit(said, slot=word.slot)
                    break


def _is_person(word: Word, words: Words) -> bool:
    form = words.knowledge.plural_nouns.get(word.value.casefold(), word.value)
    classes = words.knowledge.classes("nouns", form)
    return "person" in classes and "thing" not in classes


def _coordination(words: Words) -> Iterator[Hit]:
    conjuncts = words.with_role("conjunct")
    for conjunct in conjuncts:
        for word in (word for word in words.with_role("verb") if word not in conjuncts):
            one, other = _kinds(word, words), _kinds(conjunct, words)
            if one and other and not one & other:
                said = f"“{conjunct.value}” is coordinated with “{word.value}” and has not its form"
                yield Hit(said, slot=conjunct.slot)


def is_no_gerund(word: Word, words: Words) -> bool:
    """Whether a word is a verb and cannot be its -ing form."""
    kinds = _kinds(word, words)
    return bool(kinds) and GERUND not in kinds


def _kinds(word: Word, words: Words) -> frozenset[str]:
    """Which forms of verbs the word can be; of a verb with a particle, its first word."""
    first = word.value.casefold().split()[:1]
    return frozenset(form.kind for verb in first for form in words.knowledge.verb_forms.get(verb, ()))


def _same_object(words: Words) -> Iterator[Hit]:
    for noun in words.with_role("shared"):
        for verb in words.with_role("verb"):
            classes = frozenset().union(*(words.knowledge.classes("verbs", lemma) for lemma in _lemmas(verb, words)))
            if _is_person(noun, words):
                if "thing_object" in classes:
                    yield Hit(f"the object of “{verb.value}” is a thing, and “{noun.value}” a person", slot=verb.slot)
            elif "generic" in classes and not classes & {"agentive", "thing_object"}:
                yield Hit(f"the object of “{verb.value}” is a person, and “{noun.value}” is none", slot=verb.slot)


RULES = (
    WordRule("L907", Severity.WARNING, (*_VERBS, *_NOUNS), _repeated, (*_ABOVE, "shared")),
    WordRule("L910", Severity.ERROR, ("conjunct", "verb"), _coordination),
    WordRule("L912", Severity.ERROR, ("shared", "verb"), _same_object),
)
