"""L8: minimal pairs, one acceptable sentence and one that differs from it in a single point of grammar."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from gapsmith.bank import Severity
from gapsmith.templates import Entry, Paradigm, Status, lexicon_for, load_dictionary
from gapsmith.vetting.roles import ItemRole, ItemRoles, Origin
from gapsmith.vetting.rules.clause_reading import AUXILIARIES, Phrase, Reading, is_verb, number_of_noun, read_clauses
from gapsmith.vetting.rules.hits import Hit
from gapsmith.vetting.rules.inflection import BASE, PARTICIPLE, PAST, PRESENT
from gapsmith.vetting.rules.knowledge import Knowledge, is_used, load_knowledge
from gapsmith.vetting.rules.model import ItemRule
from gapsmith.vetting.rules.number_agreement import COLLECTIVES
from gapsmith.vetting.rules.pair_phenomena import PLURAL_FINITE, SINGULAR_FINITE, agreement_of, pair_roles, polarity_of
from gapsmith.vetting.rules.pair_shapes import (
    BARE_AFTER,
    QUESTION_WORDS,
    Adjunct,
    ComplexNp,
    Kind,
    Pair,
    Perception,
    Reflexive,
    Tokens,
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

_READ_OFF = 0.9
"""What a role is worth that is read off the words of a pair."""
_PERCEIVES = word_set("see hear watch feel notice observe")
_MAKES = word_set("help let make have dare")
_BARE_INFINITIVE = _PERCEIVES | _MAKES | word_set("go come")
_UNBELIEVED = frozenset({"can't", "couldn't", "won't", "wouldn't", "cannot"})
"""Auxiliaries that make *believe* an exclamation, which has a question below it: *you won't believe who came*."""
_BARE_AFTER_STEMS = BARE_AFTER | word_set("ca wo sha")
_TOKEN = re.compile(r"\S+(?:\s+(?:n['’]t|['’](?:s|re|ve|d|ll|m))(?!\S))*", re.IGNORECASE)
"""A word with what treebanks write apart from it: do n't, Anna 's."""
_CONTRACTED = {"cann't": "can't", "willn't": "won't", "shalln't": "shan't"}
_REFLEXIVE_OF = {"himself": ("m", "sg"), "herself": ("f", "sg"), "themselves": ("", "pl"), "itself": ("n", "sg")}


def is_pair(paradigm: Paradigm) -> bool:
    """Whether a paradigm's items are minimal pairs, which the rules here read without knowing the roles of slots."""
    conditions = paradigm.conditions
    return len(conditions) == 2 and {condition.status for condition in conditions} == {Status.OK, Status.STAR}


def _pair_of(view: ItemView) -> tuple[Pair, str] | None:
    """The item as a pair, with the name of the unacceptable condition; None where it is no pair."""
    if not is_pair(view.paradigm) or len(view.bare) != 2:
        return None
    by_status = {condition.status: condition.name for condition in view.paradigm.conditions}
    # A given sentence is read as it stands: the guests' partner is no slip of the pen.
    source = {name: texts[0] for name, texts in view.texts.items()} if view.paradigm.given else view.bare
    texts = (source[by_status[Status.OK]], source[by_status[Status.STAR]])
    return _pair(texts, " .?!" + view.mark), by_status[Status.STAR]


def mark_of_pair_member(view: ItemView, text: str) -> str:
    """What a sentence should end with: the item's mark; but of given pairs of a question and a statement each ends with its own."""
    if not view.paradigm.given or not is_pair(view.paradigm):
        return view.mark
    ends = {texts[0].rstrip()[-1:] for texts in view.texts.values()}
    words = text.casefold().split()
    if ends != {"?", "."} or not words:
        return view.mark
    is_question = words[0] in AUXILIARIES or (words[0] in QUESTION_WORDS and words[1:2] != [] and words[1] in AUXILIARIES)
    return "?" if is_question else "."


def _together(token: str) -> str:
    whole = "".join(token.split())
    return _CONTRACTED.get(whole, whole)


@lru_cache(maxsize=4096)
def _pair(texts: tuple[str, str], mark: str) -> Pair:
    good, bad = (tuple(_together(match[0]) for match in _TOKEN.finditer(text.rstrip(mark))) for text in texts)
    plain = [tuple(word.casefold().strip(",") for word in side) for side in (good, bad)]
    return Pair(plain[0], plain[1], good, bad)


def roles_of_pair(view: ItemView, knowledge: Knowledge) -> ItemRoles:
    """The roles of a pair's words, placed in its acceptable sentence, and of those that only the other one has in that; nothing is parsed."""
    found = _pair_of(view)
    if found is None or not (found[0].good and found[0].bad):
        return ItemRoles(unread="it is no pair of two sentences")
    pair, bad = found
    good = next(condition.name for condition in view.paradigm.conditions if condition.name != bad)
    named = {role.good: role.name for role in pair_roles(pair, _kind(pair), knowledge) if role.good is not None}
    roles = []
    for number, (form, at) in enumerate(_written(view.texts[good][0], pair.written)):
        origin = Origin.DIFFERENCE if number in named else Origin.WORDS
        roles.append(ItemRole(named.get(number, "rest"), form.strip(",;:"), origin, _READ_OFF, at))
    for plain, (form, at) in zip(pair.bad, _written(view.texts[bad][0], pair.bad_written), strict=False):
        if plain not in pair.good:
            roles.append(ItemRole("changed", form.strip(",;:"), Origin.DIFFERENCE, _READ_OFF, at, condition=bad))
    return ItemRoles(tuple(roles), base=good)


def _written(text: str, forms: Tokens) -> Iterator[tuple[str, tuple[int, int]]]:
    """The words of a sentence of a pair, each with its characters."""
    for match, form in zip(_TOKEN.finditer(text), forms, strict=False):
        yield form, (match.start(), match.start() + len(form) + len(match[0]) - len(_together(match[0])))


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
    elif how == "moved and another auxiliary":
        ((good, bad),) = hunks
        yield Hit(f"beside what stands in another place, the auxiliaries differ: “{' '.join(good)}” against “{' '.join(bad)}”")
    elif how == "replaced" and isinstance(kind, WhIsland) and kind.good_verb != kind.bad_verb:
        yield Hit(
            f"the verbs differ beside the words that open the clause: “{kind.good_verb} {kind.good_clause}” against "
            f"“{kind.bad_verb} {kind.bad_clause}”"
        )


def _binding(_pair: Pair, kind: Kind | None, knowledge: Knowledge) -> Iterator[Hit]:
    if not isinstance(kind, Reflexive):
        return
    reading = read_clauses(kind.words, knowledge)
    clause = reading.of_anaphor(kind.place)
    if clause is None or clause.subject is None or not reading.whole:
        return
    if clause.verb is not None and any(_may_be_finite(word, knowledge) for word in kind.words[clause.verb + 1 : kind.place]):
        return  # A second clause may begin there: says water shocked himself.
    local = clause.subject
    good, bad = (_agrees(local, reflexive, knowledge) for reflexive in (kind.good, kind.bad))
    if good is False:
        yield Hit(
            f"“{kind.good}” does not go with “{local.shown}”, the subject of its clause, and the sentence is meant to be good"
        )
    if bad is True:
        yield Hit(f"“{kind.bad}” goes with “{local.shown}”, the subject of its clause, so the sentence is sound")
    elif bad is False and good is not False and _nothing_goes(reading, kind, local, knowledge):
        yield Hit(f"nothing in the sentence goes with “{kind.bad}”", severity=Severity.WARNING)


def _may_be_finite(word: str, knowledge: Knowledge) -> bool:
    return is_verb(word.casefold(), knowledge, PRESENT, PAST) and word.casefold() not in load_dictionary().plurals


def _nothing_goes(reading: Reading, kind: Reflexive, local: Phrase, knowledge: Knowledge) -> bool:
    """Whether the sentence is about binding, with more than one phrase that a reflexive might go with, and none does."""
    others = [phrase for phrase in reading.phrases if phrase is not local and phrase.start < kind.place]
    owners = [phrase.possessor for phrase in reading.phrases if phrase.possessor and phrase.start < kind.place]
    goes = [_agrees(phrase, kind.bad, knowledge) for phrase in others]
    goes += [_agrees(_owner(owner), kind.bad, knowledge) for owner in owners]
    return bool(goes) and all(one is False for one in goes)


def _owner(possessor: str) -> Phrase:
    word = possessor.removesuffix("'s").removesuffix("’s")
    return Phrase(0, 0, 1, (word,), "sg" if possessor.endswith("s") and word != possessor else None)


@lru_cache(maxsize=1024)
def _entry(word: str) -> Entry | None:
    return lexicon_for("posh_people").get(word)


_MEN = word_set(
    "guy bloke chap lad gentleman husband father son brother uncle nephew grandfather grandson stepfather king prince duke monk"
    " bachelor widower waiter groom lord sir dad daddy grandpa ex-husband boyfriend stepson godfather"
)
_WOMEN = word_set(
    "actress waitress princess duchess hostess goddess stewardess heiress mistress countess empress sorceress lioness"
    " lady lass wife mother daughter sister aunt niece grandmother granddaughter stepmother queen nun bride widow mom mum mummy"
    " grandma ex-wife girlfriend stepdaughter godmother ballerina"
)
_PRONOUN_GENDERS = {"he": "m", "she": "f", "it": "n"}
_MARKED_GENDERS = {"male": "m", "female": "f"}


def _genders(phrase: Phrase, knowledge: Knowledge) -> frozenset[str] | None:
    """Which of *himself* (m), *herself* (f) and *itself* (n) a singular phrase allows; None where its words do not tell."""
    noun = phrase.noun
    folded = noun.casefold()
    if folded in _PRONOUN_GENDERS:
        return frozenset(_PRONOUN_GENDERS[folded])
    for word in phrase.words:
        if word in _MARKED_GENDERS:
            return frozenset(_MARKED_GENDERS[word])
    entry = _entry(folded)
    if noun[:1].isupper() and len(phrase.words) == 1 and entry is None:
        name = knowledge.entry("names", noun)
        return _either(name.values("gender")) if name is not None and name.values("gender") else None
    if entry is not None:
        return _either(entry.values("gender"))
    if folded.endswith(("woman", "girl")) or folded in _WOMEN:
        return frozenset("f")
    if folded.endswith(("man", "boy")) or folded in _MEN:
        return frozenset("m")
    classes = knowledge.classes("nouns", folded)
    if "person" in classes:
        return frozenset("mf")
    return frozenset("n") if "thing" in classes else None


def _either(genders: tuple[str, ...]) -> frozenset[str]:
    return frozenset("mf") if "u" in genders else frozenset(genders) & frozenset("mfn")


def _agrees(phrase: Phrase, reflexive: str, knowledge: Knowledge) -> bool | None:
    """Whether a reflexive can go with a noun phrase; None where its gender or number is not known."""
    gender, number = _REFLEXIVE_OF.get(reflexive, ("", ""))
    if not number or phrase.noun.casefold() in COLLECTIVES:
        return None
    if phrase.number is None:
        return None
    if phrase.start == 0 and len(phrase.words) == 1 and number_of_noun(phrase.noun.casefold()) not in {None, phrase.number}:
        return None  # Banks and Waters are names, and plurals where a sentence begins.
    if number != phrase.number:
        return False
    if number == "pl":
        return True
    genders = _genders(phrase, knowledge)
    return gender in genders if genders is not None else None


def _auxiliaries(pair: Pair, kind: Kind | None, knowledge: Knowledge) -> Iterator[Hit]:
    if isinstance(kind, YesNo):
        if kind.front == kind.inner:
            yield Hit(f"“{kind.front}” is both auxiliaries, so the word in front does not show which one it is")
        if kind.inner.removesuffix("n't") in _BARE_AFTER_STEMS and not has_form(kind.verb, BASE, knowledge):
            yield Hit(f"after “{kind.inner}” stands “{kind.verb}”, which is no base form")
        if kind.wrong_front != kind.inner:
            yield Hit(f"in front stands “{kind.wrong_front}”, where the auxiliary of the relative clause is “{kind.inner}”")
    reading = read_clauses(pair.written, knowledge)
    main = reading.clauses[0]
    if not main.inverted or main.finite is None or main.subject is None:
        return
    finite, subject = pair.good[main.finite], main.subject
    number = None if subject.noun.casefold() in COLLECTIVES | {"i", "you", "there"} else subject.number
    says = "pl" if finite in PLURAL_FINITE else "sg" if finite in SINGULAR_FINITE else None
    if says is not None and number is not None and number != says:
        yield Hit(f"“{finite}” does not agree with its subject “{subject.shown}”")


def _homographs(_pair: Pair, kind: Kind | None, knowledge: Knowledge) -> Iterator[Hit]:
    if isinstance(kind, YesNo) and has_form(kind.verb, BASE, knowledge) and has_form(kind.verb, PAST, knowledge):
        yield Hit(
            f"“{kind.verb}” is also a past tense, so the relative clause is well-formed without its auxiliary, and the second auxiliary"
            " alone is wrong",
            severity=Severity.INFO,
        )
    if isinstance(kind, Perception):
        if not kind.verb:
            return  # Under a preposition (thinks about herself sold the car) a small clause is hardly possible.
        governs = set(lemmas(kind.verb, knowledge))
        if governs & _PERCEIVES and has_form(kind.finite, BASE, knowledge):
            yield Hit(f"“{kind.finite}” is also a base form, which “{kind.verb}” takes")
        elif (
            has_form(kind.finite, PARTICIPLE, knowledge)
            and is_used("keeps_object", lemmas(kind.finite, knowledge, PARTICIPLE), knowledge)
            and kind.object
            and "to" not in kind.object
            and _is_person(kind.object, knowledge) is not True
        ):
            yield Hit(f"“{kind.finite}” is also the participle of a verb with two objects, whose passive keeps one of them")
        elif has_form(kind.finite, PARTICIPLE, knowledge) and not kind.object:
            yield Hit(f"“{kind.finite}” is also a participle: “{kind.verb} … {kind.finite}” is a passive")


def _gap_not_needed(_pair: Pair, kind: Kind | None, knowledge: Knowledge) -> Iterator[Hit]:
    if not isinstance(kind, Adjunct | ComplexNp | WhIsland) or kind.stranded:
        return
    word = kind.gerund if isinstance(kind, Adjunct) else kind.inner_verb
    classes = [knowledge.classes("verbs", verb) for verb in lemmas(word, knowledge)] if word else []
    if classes and all("intransitive" in found for found in classes):
        yield Hit(f"“{word}” takes no object, so there is no gap in the island", severity=Severity.WARNING)
    elif any(found & {"object_drop", "reciprocal"} for found in classes):
        yield Hit(f"“{word}” can do without its object, so the star is owed to the wh-word alone")


def _two_objects(_pair: Pair, kind: Kind | None, knowledge: Knowledge) -> Iterator[Hit]:
    if not isinstance(kind, Adjunct | Wanna) or not kind.object or not kind.verb:
        return
    person = _is_person(kind.object, knowledge)
    for verb in lemmas(kind.verb, knowledge, BASE):
        uses = knowledge.classes("verb_uses", verb)
        asks_for_person = kind.filler in {"who", "whom"}
        if asks_for_person and person is False and "given_to" in uses and verb not in {"serve", "throw"}:
            which = "the one who gets it"
        elif kind.filler == "what" and person is True and uses & {"given_to", "done_for"}:
            which = "what they get"
        elif kind.filler == "what" and (person is True or isinstance(kind, Wanna)) and "called" in uses:
            which = "the name or the color"
        else:
            continue
        yield Hit(
            f"“{verb} {' '.join(kind.object)}” leaves room for a second object or predicate, {which}, which “{kind.filler}” can ask for"
        )


def _bare_infinitives(_pair: Pair, kind: Kind | None, knowledge: Knowledge) -> Iterator[Hit]:
    if isinstance(kind, ComplexNp) and kind.adjacent and not kind.stranded:
        verb, following, object_ = kind.inner_verb, kind.verb, " ".join(kind.object)
    elif isinstance(kind, YesNo):
        verb, following, object_ = kind.verb, kind.next, ""
    else:
        return
    governs = set(lemmas(verb, knowledge)) & _BARE_INFINITIVE
    second = set(lemmas(following, knowledge, BASE))
    states = all(is_used("state", (one,), knowledge) for one in second)
    if not governs or not second or (governs <= _PERCEIVES and states) or has_form(following, PAST, knowledge):
        return
    shown = " ".join(part for part in (verb, object_, following) if part)
    yield Hit(f"“{shown}” is one predicate as well, with no verb left for the main clause")


def _objects(_pair: Pair, kind: Kind | None, knowledge: Knowledge) -> Iterator[Hit]:
    asked: list[tuple[str, str]] = []
    filled: list[tuple[str, tuple[str, ...]]] = []
    if isinstance(kind, Adjunct):
        asked = [(kind.filler, kind.asked_verb)]
        filled = [(kind.verb, kind.object), *([] if kind.stranded else [(kind.good_gerund, kind.object)])]
    elif isinstance(kind, ComplexNp):
        asked = [(kind.filler, kind.verb)]
        filled = [(kind.verb, kind.object), *([] if kind.stranded else [(kind.inner_verb, kind.object)])]
    elif isinstance(kind, WhIsland) and not kind.stranded:
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
        "person"
        if is_used("persons_only", (verb,), knowledge)
        else "thing"
        if "thing_object" in knowledge.classes("verbs", verb)
        else None
        for verb in lemmas(word, knowledge)
    } or {None}
    return found.pop() if len(found) == 1 else None


def _is_person(words: tuple[str, ...], knowledge: Knowledge) -> bool | None:
    """Whether a noun phrase is a person; None where nobody can say. The words are in small letters."""
    if not words:
        return None
    last = load_dictionary().plurals.get(words[-1], words[-1])
    if words[0] not in DETERMINERS:
        return True if knowledge.entry("names", last) is not None else None
    if _entry(last) is not None or _entry(words[-1]) is not None:
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
        if (
            classes
            and "intransitive" not in classes
            and kind.filler in {"who", "whom"}
            and is_used("no_persons", (verb,), knowledge)
        ):
            yield Hit(f"“{verb}” can have an object, though hardly one that “{kind.filler}” asks for", severity=Severity.INFO)
        elif classes and "intransitive" not in classes:
            yield Hit(f"“{verb}” can have an object, so “{kind.filler}” can be that and the sentence sound")


def _clause_types(pair: Pair, kind: Kind | None, knowledge: Knowledge) -> Iterator[Hit]:
    if not isinstance(kind, WhIsland):
        return
    for verb in lemmas(kind.bad_verb, knowledge, BASE):
        if kind.bad_clause in {"whether", "if", "who", "what"} and "antirogative" in knowledge.classes("predicates", verb):
            modal = next((word for word in pair.bad if word in _UNBELIEVED), "")
            negated = bool(modal) and verb == "believe"
            yield Hit(
                f"“{verb}” takes no question, unless “{modal} {verb}” is an exclamation"
                if negated
                else f"“{verb}” takes no question, so the sentence is bad for another reason than the island",
                severity=Severity.INFO if negated else None,
            )
    for verb in lemmas(kind.good_verb, knowledge, BASE):
        if kind.good_clause == "that" and "rogative" in knowledge.classes("predicates", verb):
            yield Hit(f"“{verb}” takes no that-clause, and the sentence is meant to be good")


def _agreement(pair: Pair, kind: Kind | None, knowledge: Knowledge) -> Iterator[Hit]:
    found = agreement_of(pair, knowledge) if kind is None else None
    if found is None:
        return
    what = "its determiner" if found.kind == "determiner" else "its verb"
    if None not in found.good_number and found.good_number[0] != found.good_number[1]:
        yield Hit(f"“{found.controller}” does not agree with {what} “{found.target}”, and the sentence is meant to be good")
    elif found.either:
        yield Hit(f"“{found.either}” goes with either number, so both sentences are sound", severity=Severity.WARNING)
    elif None not in found.bad_number and found.bad_number[0] == found.bad_number[1]:
        yield Hit(f"with “{found.bad}” there is agreement with {what} as well, so the sentence is sound")


def _polarity(pair: Pair, _kind: Kind | None, knowledge: Knowledge) -> Iterator[Hit]:
    found = polarity_of(pair, knowledge)
    if found is None:
        return
    if found.good_licensor == "":
        yield Hit(f"nothing licenses “{found.licensee}”, and the sentence is meant to be good")
    if found.bad_licensor:
        yield Hit(f"“{found.bad_licensor}” licenses “{found.licensee}”, so the sentence is sound")


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
    ItemRule("L811", Severity.ERROR, _about(_agreement)),
    ItemRule("L812", Severity.ERROR, _about(_polarity)),
)
