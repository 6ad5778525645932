"""L8: minimal pairs, one acceptable sentence and one that differs from it in a single point of grammar."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache

from gapsmith.bank import Severity
from gapsmith.templates import Entry, Paradigm, Status, lexicon_for, load_dictionary
from gapsmith.vetting.rules.hits import Hit
from gapsmith.vetting.rules.inflection import BASE, PAST
from gapsmith.vetting.rules.knowledge import Knowledge, load_knowledge
from gapsmith.vetting.rules.model import ItemRule
from gapsmith.vetting.rules.pair_shapes import (
    MODALS,
    Adjunct,
    ComplexNp,
    Kind,
    Pair,
    Perception,
    Reflexive,
    Wanna,
    WhIsland,
    YesNo,
    change_of,
    has_form,
    kind_of,
    lemmas,
)
from gapsmith.vetting.rules.view import DETERMINERS, ItemView
from gapsmith.vetting.wordset import word_set

_TWO_OBJECTS = word_set(
    "give send show tell teach buy sell write read bring make cook get find pay ask throw offer lend sing hand pass build draw"
    " order leave wish cost owe feed serve play pour grant promise lease rent mail award deny deal grab knit bake reserve"
)
_OBJECT_AND_PREDICATE = word_set("call name make paint dye consider choose elect appoint crown keep turn find think judge")
_BARE_INFINITIVE = word_set("help let make have see hear watch feel notice dare need go come")
_PERSONS_ONLY = word_set("thank invite greet hire punish arrest warn marry employ congratulate forgive obey bribe")
_PLURAL_DO = word_set("do are were have")
_SINGULAR_DO = word_set("does is was has")
_REFLEXIVE_OF = {"himself": ("m", "sg"), "herself": ("f", "sg"), "themselves": ("", "pl"), "itself": ("n", "sg")}


def is_pair(paradigm: Paradigm) -> bool:
    """Whether a paradigm's items are minimal pairs, which the rules here read without knowing the roles of slots."""
    statuses = [condition.status for condition in paradigm.conditions]
    return len(statuses) == 2 and set(statuses) == {Status.OK, Status.STAR}


def _pair_of(view: ItemView) -> tuple[Pair, str] | None:
    """The item as a pair, with the name of the unacceptable condition; None where it is no pair."""
    if not is_pair(view.paradigm) or len(view.bare) != 2:
        return None
    by_status = {condition.status: condition.name for condition in view.paradigm.conditions}
    texts = (view.bare[by_status[Status.OK]], view.bare[by_status[Status.STAR]])
    return _pair(texts, " .?!" + view.mark), by_status[Status.STAR]


@lru_cache(maxsize=4096)
def _pair(texts: tuple[str, str], mark: str) -> Pair:
    good, bad = (tuple(text.rstrip(mark).split()) for text in texts)
    plain = [tuple(word.casefold().strip(",") for word in side) for side in (good, bad)]
    return Pair(plain[0], plain[1], good)


@lru_cache(maxsize=4096)
def _kind(pair: Pair) -> Kind | None:
    return kind_of(pair, load_knowledge())


def _about(check: Callable[[Pair, Kind | None, Knowledge], Iterator[Hit]]) -> Callable[[ItemView], Iterator[Hit]]:
    """A rule on pairs as one on items; a hit is about the unacceptable sentence unless it says otherwise."""

    def checked(view: ItemView) -> Iterator[Hit]:
        found = _pair_of(view)
        if found is not None and found[0].good and found[0].bad:
            pair, bad = found
            for hit in check(pair, _kind(pair), load_knowledge()):
                yield Hit(hit.message, condition=hit.condition or bad, severity=hit.severity)

    return checked


def _minimality(pair: Pair, kind: Kind | None, _knowledge: Knowledge) -> Iterator[Hit]:
    how, hunks = change_of(pair)
    if how == "several":
        shown = "; ".join(f"“{' '.join(good) or '–'}” against “{' '.join(bad) or '–'}”" for good, bad in hunks)
        yield Hit(f"the two sentences differ in {len(hunks)} places: {shown}")
    elif how == "replaced" and isinstance(kind, WhIsland) and kind.good_verb != kind.bad_verb:
        yield Hit(
            f"the verbs differ beside the words that open the clause: “{kind.good_verb} {kind.good_clause}” against "
            f"“{kind.bad_verb} {kind.bad_clause}”"
        )


def _binding(_pair: Pair, kind: Kind | None, knowledge: Knowledge) -> Iterator[Hit]:
    if not isinstance(kind, Reflexive):
        return
    clauses = _clauses(kind.before)
    local = _head(clauses[-1])
    others = [word for word in kind.before if word != local]
    if local is None:
        return
    good, bad = (_agrees(local, reflexive, knowledge) for reflexive in (kind.good, kind.bad))
    if good is False:
        yield Hit(f"“{kind.good}” does not go with “{local}”, the subject of its clause, and the sentence is meant to be good")
    if bad is True:
        yield Hit(f"“{kind.bad}” goes with “{local}”, the subject of its clause, so the sentence is sound")
    elif bad is False and good is not False and not any(_agrees(word, kind.bad, knowledge) for word in others):
        yield Hit(f"nothing in the sentence goes with “{kind.bad}”", severity=Severity.WARNING)


def _clauses(words: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The words cut at each *that* or *whether* that a determiner, name or noun follows and no noun is left without its verb."""
    cuts = [i for i, word in enumerate(words) if word in {"that", "whether", "because"} and 1 < i < len(words) - 1]
    cuts = [i for i in cuts if words[i - 1] not in {"that", "whether", "because"}]
    # *that* after a noun opens a relative clause, and before a singular noun it is a determiner.
    cuts = [i for i in cuts if _entry(words[i - 1]) is None and not _is_singular(words[i + 1])]
    ends = [*cuts[1:], len(words)]
    return [words[: cuts[0]]] + [words[i + 1 : end] for i, end in zip(cuts, ends, strict=True)] if cuts else [_embedded(words)]


def _is_singular(word: str) -> bool:
    entry = _entry(word)
    return entry is not None and "sg" in entry.values("number")


def _embedded(words: tuple[str, ...]) -> tuple[str, ...]:
    """Without *that*, the clause starts at the last determiner or name that a noun for people belongs to."""
    starts = [i for i, word in enumerate(words) if i > 1 and (word.casefold() in DETERMINERS or word[:1].isupper())]
    return words[starts[-1] :] if starts else words


def _head(words: tuple[str, ...]) -> str | None:
    """The noun that decides agreement: the one after a possessor, else the first noun for people or name."""
    for i, word in enumerate(words):
        if word.endswith(("'s", "’s")):
            return words[i + 1] if i + 1 < len(words) else None
        if _entry(word) is not None or (word[:1].isupper() and word.casefold() not in DETERMINERS):
            return word
    return None


@lru_cache(maxsize=1024)
def _entry(word: str) -> Entry | None:
    return lexicon_for("posh_people").get(word)


def _agrees(word: str, reflexive: str, knowledge: Knowledge) -> bool | None:
    """Whether a reflexive can go with a noun or name; None where its gender and number are not known."""
    gender, number = _REFLEXIVE_OF.get(reflexive, ("", ""))
    if not number:
        return None
    word = word.removesuffix("'s").removesuffix("’s")
    entry = _entry(word)
    if entry is not None:
        genders, numbers = entry.values("gender"), entry.values("number")
    elif word[:1].isupper() and (name := knowledge.entry("names", word)) is not None:
        genders, numbers = name.values("gender"), ("sg",)
    else:
        return None
    return number in numbers and (number == "pl" or gender in genders or "u" in genders)


def _auxiliaries(pair: Pair, kind: Kind | None, knowledge: Knowledge) -> Iterator[Hit]:
    if isinstance(kind, YesNo):
        if kind.front == kind.inner:
            yield Hit(f"“{kind.front}” is both auxiliaries, so nobody can tell which one stands in front")
        if {kind.inner} & (MODALS | {"do", "does", "did"}) and not has_form(kind.verb, BASE, knowledge):
            yield Hit(f"after “{kind.inner}” stands “{kind.verb}”, which is no base form")
        if kind.wrong_front != kind.inner:
            yield Hit(f"in front stands “{kind.wrong_front}”, where the auxiliary of the relative clause is “{kind.inner}”")
    words = pair.good
    place = 0 if words[0] in _PLURAL_DO | _SINGULAR_DO else 1
    if place < len(words) - 1 and words[place] in _PLURAL_DO | _SINGULAR_DO:
        number = _number_of(words[place + 1 :], pair.written[place + 1 :])
        wanted = "pl" if words[place] in _PLURAL_DO else "sg"
        if number is not None and number != wanted:
            yield Hit(f"“{words[place]}” does not agree with its subject “{' '.join(pair.written[place + 1 : place + 4])} …”")


def _number_of(words: tuple[str, ...], written: tuple[str, ...]) -> str | None:
    """The number of the noun phrase that the words begin with; None where nobody can say."""
    if words[0] not in DETERMINERS:
        known = {"he": "sg", "she": "sg", "it": "sg", "they": "pl", "we": "pl", "you": "pl"}
        return "sg" if written[0][:1].isupper() else known.get(words[0])
    for word in words[1:4]:
        entry = _entry(word)
        if entry is not None:
            return entry.values("number")[0]
        number = load_dictionary().number(word)
        if number == "plural":
            return "pl"
    return None


def _homographs(_pair: Pair, kind: Kind | None, knowledge: Knowledge) -> Iterator[Hit]:
    if isinstance(kind, YesNo) and has_form(kind.verb, BASE, knowledge) and has_form(kind.verb, PAST, knowledge):
        yield Hit(f"“{kind.verb}” is also a past tense, so the relative clause without its auxiliary is well-formed")
    if isinstance(kind, Perception):
        verbs = lemmas(kind.finite, knowledge, PAST)
        if any(has_form(kind.finite, BASE, knowledge) and verb == kind.finite for verb in verbs):
            yield Hit(f"“{kind.finite}” is also a base form, which a verb of perception takes")
        elif set(verbs) & _TWO_OBJECTS:
            yield Hit(f"“{kind.finite}” is also the participle of a verb with two objects, whose passive keeps one of them")


def _gap_not_needed(_pair: Pair, kind: Kind | None, knowledge: Knowledge) -> Iterator[Hit]:
    if not isinstance(kind, Adjunct | ComplexNp | WhIsland):
        return
    word = kind.gerund if isinstance(kind, Adjunct) else kind.inner_verb
    classes = [knowledge.classes("verbs", verb) for verb in lemmas(word, knowledge)]
    if classes and all("intransitive" in found for found in classes):
        yield Hit(f"“{word}” takes no object, so there is no gap in the island", severity=Severity.WARNING)
    elif any(found & {"object_drop", "reciprocal"} for found in classes):
        yield Hit(f"“{word}” can do without its object, so the star is owed to the wh-word alone")


def _two_objects(_pair: Pair, kind: Kind | None, knowledge: Knowledge) -> Iterator[Hit]:
    if not isinstance(kind, Adjunct | Wanna) or not kind.object:
        return
    for verb in lemmas(kind.verb, knowledge, BASE):
        person = _is_person(kind.object, knowledge) is True
        if (person or isinstance(kind, Wanna)) and verb in _TWO_OBJECTS | _OBJECT_AND_PREDICATE:
            yield Hit(
                f"“{verb} {' '.join(kind.object)}” leaves room for a second object or predicate, which “{kind.filler}” can be"
            )


def _bare_infinitives(_pair: Pair, kind: Kind | None, knowledge: Knowledge) -> Iterator[Hit]:
    if isinstance(kind, ComplexNp):
        verb, following, object_ = kind.inner_verb, kind.verb, " ".join(kind.object)
    elif isinstance(kind, YesNo):
        verb, following, object_ = kind.verb, kind.next, ""
    else:
        return
    if set(lemmas(verb, knowledge)) & _BARE_INFINITIVE and has_form(following, BASE, knowledge):
        shown = " ".join(part for part in (verb, object_, following) if part)
        yield Hit(f"“{shown}” is one predicate as well, with no verb left for the main clause")


def _objects(_pair: Pair, kind: Kind | None, knowledge: Knowledge) -> Iterator[Hit]:
    asked: list[tuple[str, str]] = []
    filled: list[tuple[str, tuple[str, ...]]] = []
    if isinstance(kind, Adjunct):
        asked, filled = [(kind.filler, kind.asked_verb)], [(kind.good_gerund, kind.object), (kind.verb, kind.object)]
    elif isinstance(kind, ComplexNp):
        asked, filled = [(kind.filler, kind.verb)], [(kind.inner_verb, kind.object), (kind.verb, kind.object)]
    elif isinstance(kind, WhIsland):
        asked = [(kind.filler, kind.inner_verb)]
    elif isinstance(kind, Wanna) and kind.object:
        filled = [(kind.verb, kind.object)]
    for filler, verb in asked:
        wants = _wants(verb, knowledge)
        if (wants == "person") == (filler == "what") and wants is not None:
            yield Hit(f"“{filler}” asks for the object of “{verb}”, which is a {wants}")
    for verb, words in dict.fromkeys(filled):
        wants, person = _wants(verb, knowledge), _is_person(words, knowledge)
        if wants is not None and person is not None and person != (wants == "person"):
            yield Hit(f"“{' '.join(words)}” is hardly the object of “{verb}”, which is a {wants}")


def _wants(word: str, knowledge: Knowledge) -> str | None:
    """``person`` or ``thing`` where every verb that a word can be takes only that."""
    found = {
        "person" if verb in _PERSONS_ONLY else "thing" if "thing_object" in knowledge.classes("verbs", verb) else None
        for verb in lemmas(word, knowledge)
    }
    return found.pop() if len(found) == 1 else None


def _is_person(words: tuple[str, ...], knowledge: Knowledge) -> bool | None:
    """Whether a noun phrase is a person; None where nobody can say. The words are in small letters."""
    if not words:
        return None
    last = words[-1]
    if words[0] not in DETERMINERS:
        return True if knowledge.entry("names", last) is not None else None
    if _entry(last) is not None:
        return True
    if lexicon_for("posh_things").get(last) is not None:
        return False
    classes = knowledge.classes("nouns", last)
    return True if "person" in classes else False if "thing" in classes else None


def _ordinary_question(_pair: Pair, kind: Kind | None, knowledge: Knowledge) -> Iterator[Hit]:
    if not isinstance(kind, Wanna) or kind.object:
        return
    for verb in lemmas(kind.verb, knowledge, BASE):
        classes = knowledge.classes("verbs", verb)
        if classes and "intransitive" not in classes:
            yield Hit(f"“{kind.filler}” can be the object of “{verb}”, so the sentence is sound")


def _clause_types(_pair: Pair, kind: Kind | None, knowledge: Knowledge) -> Iterator[Hit]:
    if not isinstance(kind, WhIsland):
        return
    for verb in lemmas(kind.bad_verb, knowledge, BASE):
        if kind.bad_clause in {"whether", "if", "who", "what"} and "antirogative" in knowledge.classes("predicates", verb):
            yield Hit(f"“{verb}” takes no question, so the sentence is bad for another reason than the island")
    for verb in lemmas(kind.good_verb, knowledge, BASE):
        if kind.good_clause == "that" and "rogative" in knowledge.classes("predicates", verb):
            yield Hit(f"“{verb}” takes no that-clause, and the sentence is meant to be good")


RULES = (
    ItemRule("L801", Severity.WARNING, _about(_minimality)),
    ItemRule("L802", Severity.ERROR, _about(_binding)),
    ItemRule("L803", Severity.ERROR, _about(_auxiliaries)),
    ItemRule("L804", Severity.WARNING, _about(_homographs)),
    ItemRule("L805", Severity.INFO, _about(_gap_not_needed)),
    ItemRule("L806", Severity.WARNING, _about(_two_objects)),
    ItemRule("L807", Severity.WARNING, _about(_bare_infinitives)),
    ItemRule("L808", Severity.WARNING, _about(_objects)),
    ItemRule("L809", Severity.ERROR, _about(_ordinary_question)),
    ItemRule("L810", Severity.WARNING, _about(_clause_types)),
)
