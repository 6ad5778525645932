"""G1 and G3 where slots declare the roles of their words: what is said of whole sentences, as far as the roles alone tell it. Nothing is
parsed, and of what stands between the slots only what every condition of the paradigm has there is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from gapsmith.templates import load_dictionary
from gapsmith.vetting.rules.clause_reading import MODALS, PREPOSITIONS, REFLEXIVES
from gapsmith.vetting.rules.grammar import PLACES, is_count_noun, needs_a_mind
from gapsmith.vetting.rules.hits import Hit
from gapsmith.vetting.rules.inflection import BASE, GERUND, PARTICIPLE, PAST
from gapsmith.vetting.rules.knowledge import Knowledge, is_used
from gapsmith.vetting.rules.model import CLAUSE, DATED, SlotClause, Word, Words
from gapsmith.vetting.rules.number_agreement import COLLECTIVES, agreeing
from gapsmith.vetting.rules.sentence import BE, DETERMINERS, DO, HAVE, TIME_NOUNS
from gapsmith.vetting.wordset import word_set

_VERBS = ("verb", "adjunct_verb", "conjunct", "bridge", "question", "content_verb")
_PHRASES = ("subject", "object", "plural", "shared", "noun")
_ONE = word_set("a an this every each another")
_OF_MANY = word_set("people police cattle")
_MANY = word_set("these those both several many few two three four five six")
_OPENERS = word_set("that what which whether who")
_ACCUSATIVE = word_set("him them us me")
_AHEAD = word_set("would could might should planned scheduled due wanted hoped arranged promised if to")
_AUXILIARIES = BE | HAVE | DO | MODALS


def _kinds(word: str, knowledge: Knowledge) -> frozenset[str]:
    return frozenset(form.kind for form in knowledge.verb_forms.get(word.casefold(), ()))


def _lemmas(word: str, knowledge: Knowledge) -> tuple[str, ...]:
    forms = sorted(knowledge.verb_forms.get(word.casefold(), ()), key=lambda form: form.kind == BASE)
    return tuple(dict.fromkeys(form.lemma for form in forms))


def _first(word: Word) -> str:
    return word.value.split()[0].casefold() if word.value.split() else ""


def number_of(phrase: str, knowledge: Knowledge) -> str | None:
    """``singular`` or ``plural`` of a noun phrase whose last word is its noun; None where its words do not tell."""
    pieces = phrase.split()
    small = [piece.casefold() for piece in pieces]
    if not pieces or {"and", "or", ","} & set(small) or PREPOSITIONS & set(small[1:]) or small[-1] in COLLECTIVES | _OF_MANY:
        return None
    if len(pieces) == 1 and small[0] in {"he", "she", "it", "they", "we", "i", "you"}:
        return "singular" if small[0] in {"he", "she", "it"} else "plural"
    if len(pieces) == 1 and pieces[0][:1].isupper():
        return "singular" if knowledge.entry("names", pieces[0]) is not None else None
    own = load_dictionary().number(small[-1])
    said = "singular" if small[0] in _ONE else "plural" if small[0] in _MANY else None
    return own if said is None or said == own else None


def _inverted(clause: SlotClause) -> bool:
    return bool(clause.above & (_AUXILIARIES | {"?"}))


def _finite(clause: SlotClause) -> str:
    """The finite verb of a clause: an auxiliary that the paradigm fixes, else the verb."""
    fixed = [word for word in clause.between if word in _AUXILIARIES]
    return fixed[0] if fixed else _first(clause.verb)


def _agreement(words: Words) -> Iterator[Hit]:
    for clause in words.clauses:
        if _inverted(clause) or (clause.between and _finite(clause) not in clause.between):
            continue
        wanted, finite = number_of(clause.subject.value, words.knowledge), _finite(clause)
        if wanted is None or finite in MODALS or (BASE in _kinds(finite, words.knowledge) and _wishes(words)):
            continue
        right = agreeing(finite, wanted, words.knowledge, is_first=clause.subject.value.casefold() == "i")
        if right is not None and right != finite:
            said = f"“{clause.subject.value} … {finite}”: the verb does not agree with its subject"
            yield Hit(said, slot=clause.verb.slot, remedy=f"Write “{right}”.")


def _wishes(words: Words) -> bool:
    """Whether a predicate above may have a subjunctive below it: *insists that she pay*."""
    above = [piece for role in ("matrix", "bridge") for word in words.with_role(role) for piece in word.value.casefold().split()]
    return any(is_used("mandative", (piece, *_lemmas(piece, words.knowledge)), words.knowledge) for piece in above)


_FORMS: tuple[tuple[frozenset[str], frozenset[str], str], ...] = (
    (MODALS, frozenset({BASE}), "the base form"),
    (HAVE, frozenset({PARTICIPLE}), "the past participle"),
    (DO | {"to"}, frozenset({BASE}), "the base form"),
    (BE, frozenset({PARTICIPLE, GERUND}), "a participle"),
)


def _verb_form(words: Words) -> Iterator[Hit]:
    for verb in (word for role in _VERBS for word in words.with_role(role)):
        before, kinds = words.before.get(verb.slot or "", ""), _kinds(_first(verb), words.knowledge)
        for fixed, wanted, name in _FORMS:
            if before in fixed and kinds and not kinds & wanted:
                yield Hit(f"“{before} {verb.value}”: after “{before}” the verb has to be {name}", slot=verb.slot)
                break
    for clause in words.clauses:
        kinds = _kinds(_first(clause.verb), words.knowledge)
        if not clause.between and not _inverted(clause) and kinds and kinds <= {PARTICIPLE, GERUND}:
            yield Hit(f"“{clause.verb.value}” is no finite verb, and the clause has no other", slot=clause.verb.slot)


def _article(words: Words) -> Iterator[Hit]:
    for clause in words.clauses:
        value, above = clause.subject.value, clause.above
        # That and what open the clause where another condition has something else there; alone they may be its determiner.
        is_bare = not above & ((DETERMINERS - _OPENERS) | {"", "?"}) and bool(len(above) > 1 or above - _OPENERS)
        if (
            is_bare
            and not clause.subject.determined
            and " " not in value
            and value.islower()
            and is_count_noun(value, words.knowledge)
        ):
            yield Hit(f"“{value}” is a count noun without an article", slot=clause.subject.slot, remedy="Write “a” or “the”.")


def _complement(words: Words) -> Iterator[Hit]:
    there = words.fixed | {piece for own in words.by_role.values() for word in own for piece in word.value.casefold().split()}
    for verb in (word for role in ("verb", "adjunct_verb", "conjunct") for word in words.with_role(role)):
        for lemma in _lemmas(_first(verb), words.knowledge):
            entry = words.knowledge.entry("complements", lemma)
            if entry is None:
                continue
            classes, prepositions = entry.values("class"), entry.values("preposition")
            if "place" in classes and not there & PLACES:
                yield Hit(f"“{verb.value}”: {lemma} needs a place beside its object", slot=verb.slot, remedy="Say where.")
            elif "second" in classes and not there & set(prepositions):
                listed = " or ".join(f"“{p}”" for p in prepositions)
                said = f"“{verb.value}”: {lemma} needs a phrase with {listed} beside its object"
                yield Hit(said, slot=verb.slot, remedy="Add the phrase.")
            elif "reflexive" in classes and not there & REFLEXIVES:
                said = f"“{verb.value}”: the object of {lemma} is a reflexive, and there is none"
                yield Hit(said, slot=verb.slot, remedy="Add the reflexive.")
            break


def _time_of(phrase: str) -> str:
    """``past`` or ``future`` of a phrase of time; empty where it is neither."""
    pieces = phrase.casefold().split()
    if pieces[-1:] == ["ago"] or pieces[:1] == ["yesterday"] or (pieces[:1] == ["last"] and set(pieces[1:]) & TIME_NOUNS):
        return "past"
    if pieces[:1] == ["tomorrow"] or (pieces[:1] == ["next"] and set(pieces[1:]) & TIME_NOUNS):
        return "future"
    return ""


def _tense_of(clause: SlotClause, knowledge: Knowledge) -> str:
    finite = _finite(clause)
    if finite in {"will", "shall"}:
        return "future"
    if finite in {"has", "have"} and finite in clause.between:
        return "perfect"
    if finite in {"had", "was", "were", "did"}:
        return "past"
    if clause.between or finite in MODALS:
        return ""
    return "past" if _kinds(finite, knowledge) and _kinds(finite, knowledge) <= {PAST, PARTICIPLE} else ""


def _tense(words: Words) -> Iterator[Hit]:
    tenses = [tense for clause in words.clauses if (tense := _tense_of(clause, words.knowledge))]
    if len(tenses) < len(words.clauses):
        return
    there = words.fixed | {piece for own in words.by_role.values() for word in own for piece in word.value.casefold().split()}
    for phrase in (word for role in ("time", "adverb") for word in words.with_role(role)):
        when = _time_of(phrase.value)
        clash = (when == "past" and set(tenses) <= {"perfect", "future"}) or (
            when == "future" and set(tenses) <= {"past", "perfect"} and not there & _AHEAD
        )
        if clash and not words.with_role("linker"):
            said = f"“{phrase.value}” does not go with the tense of “{_finite(words.clauses[-1])}”"
            yield Hit(said, slot=phrase.slot)


def _subject(words: Words) -> Iterator[Hit]:
    for clause in words.clauses:
        if set(clause.between) & BE or clause.subject.value[:1].isupper() or not clause.subject.value.split():
            continue
        who, verb = clause.subject.value, clause.verb.value
        noun = words.knowledge.singular_of(who.split()[-1].casefold())
        kinds, lemmas = words.knowledge.classes("subjects", noun), set(_lemmas(_first(clause.verb), words.knowledge))
        if "mindless" in kinds and needs_a_mind(lemmas, words.knowledge):
            yield Hit(f"“{who}” has no mind and no voice, and “{verb}” needs one", slot=clause.verb.slot)
        elif kinds & {"infant", "animal", "fish", "plant"} and is_used("saying", lemmas, words.knowledge):
            yield Hit(f"“{who}” cannot speak, and “{verb}” needs somebody who can", slot=clause.verb.slot)
        elif any(words.knowledge.classes("actions", lemma) & kinds for lemma in sorted(lemmas)):
            yield Hit(f"“{who} … {verb}”: hardly anything that is one can do that", slot=clause.verb.slot)


def _preposition(words: Words) -> Iterator[Hit]:
    for word in (word for role in ("matrix", "linker", "verb_phrase", "verb") for word in words.with_role(role)):
        pieces = word.value.casefold().split()
        for place, (one, following) in enumerate(pairwise(pieces)):
            if following not in PREPOSITIONS | {"than"} or (place and pieces[place - 1] in DETERMINERS):
                continue
            is_infinitive = following == "to" and place + 2 <= len(pieces)
            for form, kind in ((one, "a"), *((lemma, "v") for lemma in _lemmas(one, words.knowledge))):
                entry = words.knowledge.entry("wrong_prepositions", form)
                if entry is None or is_infinitive or kind not in entry.values("class") or following not in entry.values("wrong"):
                    continue
                yield Hit(f"“{one} {following}”: {form} does not take “{following}”", slot=word.slot)
                break


def _case(words: Words) -> Iterator[Hit]:
    for clause in words.clauses:
        if clause.subject.value.casefold() in _ACCUSATIVE and not _inverted(clause) and not clause.between:
            said = f"“{clause.subject.value} {clause.verb.value}”: the pronoun has to be in the subject form"
            yield Hit(said, slot=clause.subject.slot)


def _countable(words: Words) -> Iterator[Hit]:
    mass = words.knowledge.lists["mass_nouns"]
    for word in (word for role in _PHRASES for word in words.with_role(role)):
        pieces = word.value.split()
        small = pieces[-1].casefold() if pieces else ""
        singular = words.knowledge.singular_of(small)
        if small != singular and singular in mass and not _kinds(small, words.knowledge) and small == pieces[-1]:
            yield Hit(f"“{small}”: the noun has no plural", slot=word.slot, remedy=f"Write “{singular}”.")


def _two_objects(words: Words) -> Iterator[Hit]:
    if not {filler.partition(" ")[0] for filler in words.fillers} & {"what", "which"}:
        return
    for verb in words.with_role("verb"):
        taken = [lemma for lemma in _lemmas(_first(verb), words.knowledge) if is_used("two_objects", (lemma,), words.knowledge)]
        for word in (
            (word for role in ("object", "name") for word in words.with_role(role)) if taken and " " not in verb.value else ()
        ):
            last = word.value.split()[-1:] or [""]
            noun = words.knowledge.singular_of(last[0].casefold())
            kinds = words.knowledge.classes("subjects", noun) | words.knowledge.classes("nouns", noun)
            if kinds & {"person", "animal", "infant"} or "given" in words.knowledge.classes("names", last[0]):
                said = f"“{verb.value} {word.value}”: “{taken[0]}” takes two objects, so that the filler can still be one"
                yield Hit(said, slot=word.slot)


@dataclass(frozen=True, slots=True)
class OnRoles:
    """How a rule on whole sentences looks at declared roles: it needs one of `needs`, and reads `roles` (all where there are none)."""

    check: Callable[[Words], Iterable[Hit]]
    needs: tuple[str, ...]


ON_ROLES: Mapping[str, OnRoles] = {
    "G101": OnRoles(_agreement, (CLAUSE,)),
    "G103": OnRoles(_verb_form, _VERBS),
    "G104": OnRoles(_article, (CLAUSE,)),
    "G105": OnRoles(_complement, ("verb", "adjunct_verb", "conjunct")),
    "G107": OnRoles(_tense, (DATED,)),
    "G109": OnRoles(_subject, (CLAUSE,)),
    "G111": OnRoles(_preposition, ("matrix", "linker", "verb_phrase", "verb")),
    "G112": OnRoles(_case, (CLAUSE,)),
    "G113": OnRoles(_countable, _PHRASES),
    "G305": OnRoles(_two_objects, ("verb",)),
}
"""Code to how the rule looks where roles are declared."""
