"""G1: the grammar of the whole sentence, read off the fullest condition of an item. What is wrong with words that all conditions share is
no part of the design, so that the item is at fault."""

from __future__ import annotations

from collections.abc import Iterator

from gapsmith.bank import Severity
from gapsmith.parsing import ROOT, Role
from gapsmith.templates import load_dictionary
from gapsmith.vetting.frequency import load_frequencies
from gapsmith.vetting.rules.clause_reading import MODALS, PREPOSITIONS, REFLEXIVES
from gapsmith.vetting.rules.hits import Hit
from gapsmith.vetting.rules.inflection import BASE, GERUND, PARTICIPLE, PAST, PRESENT
from gapsmith.vetting.rules.knowledge import Knowledge, is_used
from gapsmith.vetting.rules.late_words import adverb_of
from gapsmith.vetting.rules.model import SentenceRule
from gapsmith.vetting.rules.nouns import wrong_preposition
from gapsmith.vetting.rules.number_agreement import COLLECTIVES, agreeing
from gapsmith.vetting.rules.sentence import (
    AUXILIARY_ROLES,
    BE,
    DETERMINERS,
    DO,
    HAVE,
    OBJECT_PRONOUNS,
    SMALL_ADVERBS,
    TIME_NOUNS,
    SentenceReading,
)
from gapsmith.vetting.wordrates import load_word_rates
from gapsmith.vetting.wordset import word_set

_PERCEPTION = word_set("see saw seen hear heard watch feel felt notice make made let have help bid observe")
_UNREAL = word_set("if though whether unless lest")


def _at(reading: SentenceReading, first: int, last: int, message: str, remedy: str = "") -> Hit:
    tokens = reading.tokens
    return Hit(message, condition=reading.base, start=tokens[first].start, end=tokens[last].end, remedy=remedy)


# ----- agreement


def _agreement(reading: SentenceReading) -> Iterator[Hit]:
    for subject, predicate in reading.subjects():
        verb = reading.finite(predicate)
        if verb is None or not (reading.shared[verb] and reading.shared[subject]) or reading.low[verb] in MODALS:
            continue
        wanted = reading.number(subject)
        small = reading.low[subject]
        if wanted is None or small in _EITHER_NUMBER or verb < subject:
            continue
        if _excused(reading, predicate, verb) or _is_doubtful(reading, subject, verb):
            continue
        right = agreeing(
            reading.low[verb], {"sg": "singular", "pl": "plural"}[wanted], reading.knowledge, is_first=reading.low[subject] == "i"
        )
        if right is not None and right != reading.low[verb]:
            noun = _phrase(reading, subject)
            yield _at(
                reading,
                verb,
                verb,
                f"“{noun} … {reading.tokens[verb].text}”: the verb does not agree with its subject",
                f"Write “{right}”.",
            )


def _excused(reading: SentenceReading, predicate: int, verb: int) -> bool:
    """Whether the form may be no finite one: a subjunctive, or a bare infinitive."""
    small = reading.low[verb]
    above = reading.tree.heads[predicate]
    marks = {reading.low[child] for child in reading.children(predicate, Role.MARKER)}
    if "to" in marks or any(reading.low[child] == "to" for child in reading.children(predicate, Role.AUXILIARY)):
        return True
    if small == "were" and (marks & _UNREAL or (above != ROOT and "wish" in reading.lemmas(above))):
        return True
    if BASE in reading.kinds(verb) and above != ROOT:
        named = {reading.low[above], *reading.lemmas(above)}
        if named & _PERCEPTION or is_used("mandative", named, reading.knowledge):
            return True
    # "the man and the woman", "neither he nor she": what stands in a row decides otherwise.
    before = reading.low[:verb]
    return "nor" in before or "either" in before or (small in {"be"})


_AMOUNTS = word_set(
    "dollars pounds euros cents miles kilometers kilometres metres meters feet inches percent degrees people police"
)
_EITHER_NUMBER = COLLECTIVES | TIME_NOUNS | _AMOUNTS


def _is_doubtful(reading: SentenceReading, subject: int, verb: int) -> bool:
    """Whether a parser may have taken the wrong noun for the subject: an object before a verb that belongs to a noun further up."""
    low = reading.low
    following = low[verb + 1] if verb + 1 < len(low) else ""
    if following in {"you", "i", "he", "she", "we", "they", "it"} or low[verb - 1] == ",":
        return True
    first = subject
    while first and reading.tree.heads.get(first - 1) == subject:
        first -= 1
    before = first - 1
    if any(found == subject for found, _, _ in reading.read_off):
        return False
    if before >= 0 and GERUND in reading.kinds(before):
        return True
    has_relative = any(
        low[i] in {"that", "who", "which"} and reading.tokens[i - 1].upos in {"NOUN", "PROPN"} for i in range(1, max(1, before))
    )
    if before > 0 and reading.tokens[before].upos in {"VERB", "AUX"} and has_relative:
        return True
    between = [i for i in range(subject + 1, verb) if reading.tokens[i].upos in {"VERB", "AUX"}]
    opens = any(
        low[i] in {"that", "who", "which", "whom", "to"} or reading.starts_phrase(i)
        for i in range(subject + 1, min(subject + 3, verb))
    )
    return len(between) > 2 or (bool(between) and not opens and low[subject + 1] not in PREPOSITIONS)


def _phrase(reading: SentenceReading, noun: int) -> str:
    first = noun
    allowed = {Role.DETERMINER, Role.ADJECTIVE, Role.COMPOUND, Role.NUMBER, Role.POSSESSOR}
    while first and reading.tree.heads.get(first - 1) == noun and reading.tree.roles[first - 1] in allowed:
        first -= 1
    return reading.words(first, noun)


_ONE = word_set("a an this every each another")
_MANY = word_set("these those several both two three four five six seven eight nine ten eleven twelve twenty")
_MEASURED = word_set("few hundred dozen couple lot many thousand million great good number further additional extra whole")


def _determiner(reading: SentenceReading) -> Iterator[Hit]:
    for word in range(len(reading.tokens) - 1):
        small = reading.low[word]
        if small not in _ONE | _MANY or not reading.shared[word]:
            continue
        noun = reading.tree.heads[word]
        if not word < noun <= word + 3 or not reading.shared[noun] or reading.tokens[noun].upos != "NOUN":
            continue
        between = set(reading.low[word + 1 : noun])
        if between & (_MEASURED | _MANY | {"one"}) or any(b.endswith(("'s", "s'")) for b in between) or "and" in between:
            continue
        if any(reading.tokens[i].upos not in {"ADJ", "NOUN", "ADV", "VERB", "PROPN"} for i in range(word + 1, noun)):
            continue
        if noun + 1 < len(reading.tokens) and reading.tokens[noun + 1].upos == "NOUN" and reading.tree.heads[noun] == noun + 1:
            continue
        if reading.low[noun] in COLLECTIVES | {"people", "police", "cattle"} or reading.tokens[noun].text[:1].isupper():
            continue
        if noun + 1 < len(reading.tokens) and reading.low[noun + 1] in {"'", "’", "'s"}:
            continue
        if reading.kinds(noun) and noun > word + 1 and reading.tokens[noun - 1].upos != "ADJ":
            continue
        dictionary = load_dictionary()
        form = reading.low[noun]
        if small in _ONE and dictionary.number(form) == "plural" and form not in dictionary.adjectives | {"people"}:
            yield _at(reading, word, noun, f"“{reading.words(word, noun)}”: the determiner is singular, the noun plural")
        elif small in _MANY and dictionary.number(form) == "singular" and len(dictionary.nouns[form]) >= 1:
            if small in {"both", "two", "three"} and reading.children(noun, Role.CONJUNCT):
                continue
            if noun == word + 1 or reading.tokens[noun - 1].upos == "ADJ":
                yield _at(reading, word, noun, f"“{reading.words(word, noun)}”: the determiner is plural, the noun singular")


# ----- verb forms

_PREPOSITIONS_BEFORE_VERBS = word_set("without after by upon despite while from of for besides before")
_HALF_AUXILIARIES = word_set("better rather sooner best")
_ALL_AUXILIARIES = BE | HAVE | DO | MODALS
_WITH_BASE_FORMS = MODALS | {"'ll"}


def _verb_form(reading: SentenceReading) -> Iterator[Hit]:
    for word in range(len(reading.tokens) - 1):
        if not reading.shared[word]:
            continue
        small = reading.low[word]
        found = None
        if small in _WITH_BASE_FORMS and reading.tokens[word].upos == "AUX":
            found = _form_after(reading, word, frozenset({BASE}), "the base form")
        elif small in HAVE and reading.tree.roles.get(word) in AUXILIARY_ROLES:
            found = _form_after(reading, word, frozenset({PARTICIPLE}), "the past participle")
        elif small in DO and reading.tree.roles.get(word) is Role.AUXILIARY:
            found = _form_after(reading, word, frozenset({BASE}), "the base form")
        elif small in BE and reading.tree.roles.get(word) in {Role.AUXILIARY, Role.PASSIVE_AUXILIARY}:
            found = _form_after(reading, word, frozenset({PARTICIPLE, GERUND}), "a participle")
        elif small == "to" and reading.tokens[word].upos == "PART" and reading.low[word + 1] not in _ALL_AUXILIARIES:
            found = _form_after(reading, word, frozenset({BASE}), "the base form")
        elif small in _PREPOSITIONS_BEFORE_VERBS:
            found = _after_preposition(reading, word)
        if found is None:
            found = _before_object(reading, word)
        if found is not None:
            verb, wants = found
            yield _at(
                reading,
                word,
                verb,
                f"“{reading.words(word, verb)}”: after “{reading.tokens[word].text}” the verb has to be {wants}",
            )
    yield from _finite(reading)


_NOT_AFTER_AUXILIARIES = _HALF_AUXILIARIES | DETERMINERS


def _form_after(reading: SentenceReading, word: int, kinds: frozenset[str], wants: str) -> tuple[int, str] | None:
    verb = reading.after_adverbs(word + 1)
    if verb >= len(reading.tokens) or not reading.shared[verb] or reading.low[verb] in _NOT_AFTER_AUXILIARIES:
        return None
    is_of = reading.tree.heads[word] in {verb, ROOT} or reading.tree.heads[word] >= verb
    own = reading.kinds(verb)
    if reading.low[verb].endswith("ed") and (kinds & {PARTICIPLE} or reading.low[word] == "to"):
        return None
    if PRESENT in own and reading.is_noun(verb) and reading.low[word] == "to":
        return None
    if not is_of or not own or own & kinds or reading.tokens[verb].upos in {"DET", "PRON", "ADP", "SCONJ", "NUM", "PROPN"}:
        return None
    if reading.low[verb] in load_dictionary().adjectives and PARTICIPLE not in kinds:
        return None
    if reading.low[verb] in load_dictionary().adjectives and reading.low[word] in BE | HAVE:
        return None
    if reading.is_noun(verb) and reading.low[word] in BE | HAVE | {"to"} and reading.tokens[verb].upos == "NOUN":
        return None
    if reading.low[verb] in load_dictionary().adverbs and reading.tokens[verb].upos == "ADV":
        return None
    return verb, wants


_NO_BARE_VERBS = DETERMINERS | TIME_NOUNS | HAVE | BE | DO | _HALF_AUXILIARIES


def _before_object(reading: SentenceReading, word: int) -> tuple[int, str] | None:
    """Of words that may be nouns or adjectives as well, what stands before them and the noun phrase after them make verbs: *had damage the
    globe, to evicted the widow*."""
    small = reading.low[word]
    if small not in HAVE and small not in MODALS and small != "to":
        return None
    verb = reading.after_adverbs(word + 1)
    if small in HAVE and word == 0 and reading.low[1] in {"you", "they", "we", "i"}:
        verb = reading.after_adverbs(2)
    if verb + 1 >= len(reading.tokens) or not reading.shared[verb] or not reading.tokens[verb].text.islower():
        return None
    if not reading.starts_phrase(verb + 1) or reading.low[verb] in _NO_BARE_VERBS:
        return None
    if set(reading.low[verb + 1 : verb + 4]) & TIME_NOUNS or reading.low[verb + 1] in {"all", "both", "that"}:
        return None
    kinds = reading.kinds(verb)
    if small in HAVE and kinds & {BASE, PAST} and not kinds & {PARTICIPLE} and reading.low[verb] not in PREPOSITIONS:
        return verb, "the past participle"
    if (small == "to" or small in MODALS) and kinds & {PAST, PARTICIPLE} and BASE not in kinds and GERUND not in kinds:
        return verb, "the base form"
    return None


def _after_preposition(reading: SentenceReading, word: int) -> tuple[int, str] | None:
    verb = reading.after_adverbs(word + 1)
    if verb >= len(reading.tokens) or not reading.shared[verb] or verb > word + 2:
        return None
    kinds = reading.kinds(verb)
    small = reading.low[verb]
    if word and reading.low[word - 1] in {"sort", "kind"}:
        return None
    if not kinds or kinds & {GERUND, PARTICIPLE} or small in load_dictionary().adjectives | load_dictionary().adverbs:
        return None
    if reading.tokens[verb].text[:1].isupper() or small in PREPOSITIONS or small in DETERMINERS:
        return None
    if small in {"have", "be", "has", "do"}:
        return (verb, "an -ing form") if reading.low[word] not in {"before", "for"} else None
    if reading.low[word] in {"before", "after", "for"} and kinds != {BASE}:
        return None
    if reading.is_noun(verb) and not (reading.starts_phrase(verb + 1) and kinds == {BASE}):
        return None
    if reading.is_noun(verb) and reading.low[word] not in {"without", "by", "while", "before", "after"}:
        return None
    return verb, "an -ing form"


def _finite(reading: SentenceReading) -> Iterator[Hit]:
    """A participle or an -ing form where the clause needs a finite verb: *the clerk seen him*."""
    for subject, predicate in reading.subjects():
        if not (reading.shared[subject] and reading.shared[predicate]) or reading.tree.roles[predicate] is not Role.ROOT:
            continue
        kinds = reading.kinds(predicate)
        if reading.children(predicate, *AUXILIARY_ROLES) or reading.tokens[predicate].upos != "VERB":
            continue
        if any(reading.low[i] in _ALL_AUXILIARIES for i in range(subject + 1, predicate)):
            continue
        objects = reading.children(predicate, Role.OBJECT)
        if kinds and kinds <= {PARTICIPLE, GERUND} and objects and objects[0] > predicate:
            yield _at(
                reading,
                predicate,
                predicate,
                f"“{reading.tokens[predicate].text}” is no finite verb, and the clause has no other",
            )


# ----- articles

_OFTEN, _WITH_A, _IN_PLURAL = 150, 0.09, 0.06
"""A count noun is common enough to tell, and was counted with *a* and in the plural."""


def is_count_noun(word: str, knowledge: Knowledge) -> bool:
    """Whether a noun in the singular needs a determiner: of a person or thing, or of what says something, and counted often enough with *a*
    and in the plural."""
    row = load_word_rates().noun(word)
    if "bare" in knowledge.classes("noun_uses", word) or load_dictionary().number(word) != "singular":
        return False
    classes = knowledge.classes("nouns", word)
    listed = knowledge.classes("subjects", word)
    is_thing = bool(listed) or "person" in classes
    if listed & {"person", "place"}:
        return True
    if row is None or row.n < _OFTEN:
        return bool(listed & {"animal"})
    says = bool(classes & {"content", "image"}) and "mass" not in classes
    singular = row.n - row.plural
    with_a = _WITH_A if is_thing else 2 * _WITH_A if says else 3 * _WITH_A
    return singular > 0 and row.a / singular >= with_a and row.plural / row.n >= _IN_PLURAL


_OF_PLACES = word_set("into near behind under inside outside through onto beside over around against from in at on after before")


def _is_concrete(reading: SentenceReading, noun: int) -> bool:
    small = reading.low[noun]
    classes = reading.knowledge.classes("subjects", small) | reading.knowledge.classes("nouns", small)
    stands_bare = "idiom" in reading.knowledge.classes("noun_uses", small)
    return bool(classes & {"mindless", "animal", "person", "place"}) and not stands_bare


def _article(reading: SentenceReading) -> Iterator[Hit]:
    marks = (Role.DETERMINER, Role.POSSESSOR, Role.NUMBER, Role.CONJUNCT, Role.COORDINATOR, Role.APPOSITION)
    for noun, token in enumerate(reading.tokens):
        role = reading.tree.roles.get(noun)
        if token.upos != "NOUN" or not reading.shared[noun] or not is_count_noun(reading.low[noun], reading.knowledge):
            continue
        is_argument = role in {Role.OBJECT, Role.SUBJECT, Role.PASSIVE_SUBJECT}
        case = reading.children(noun, Role.CASE)
        is_placed = len(case) == 1 and reading.low[case[0]] in _OF_PLACES and _is_concrete(reading, noun)
        if not (is_placed if case else is_argument) or reading.children(noun, *marks):
            continue
        first = noun
        while first and reading.tokens[first - 1].upos == "ADJ" and reading.tree.heads[first - 1] == noun:
            first -= 1
        before = reading.tokens[first - 1] if first else None
        if before is not None and (
            (before.upos == "ADP" and not is_placed)
            or before.upos in {"DET", "NUM", "NOUN", "PROPN", "ADJ", "PRON", "CCONJ", "SCONJ", "PART", "PUNCT"}
            or before.text in {"-", "’s", "'s"}
        ):
            continue
        if first < noun and reading.low[first] in DETERMINERS | {"last", "next"}:
            continue
        if role is not Role.OBJECT and not is_placed and (first == 0 or before is None):
            continue
        after = reading.tokens[noun + 1] if noun + 1 < len(reading.tokens) else None
        if after is not None and (after.upos in {"NOUN", "PROPN"} or after.text in {"-", "and", "or", "’s", "'s"}):
            continue
        is_person = "person" in reading.knowledge.classes("subjects", reading.low[noun])
        if reading.kinds(noun) and role is not Role.OBJECT and not is_placed and not is_person:
            continue
        yield _at(
            reading, first, noun, f"“{reading.words(first, noun)}” is a count noun without an article", "Write “a” or “the”."
        )


# ----- what a verb needs beside it

PLACES = word_set(
    "first last second ahead right straight in on into onto at under behind by near next back away down up out off aside together there here"
    " over through to between beside inside"
    " outside around against across forward forth where somewhere upstairs downstairs home within beneath along about upon toward towards"
    " among amid beyond underneath wherever everywhere anywhere nowhere elsewhere alongside atop from above below"
)


def _complement(reading: SentenceReading) -> Iterator[Hit]:
    knowledge = reading.knowledge
    for verb, token in enumerate(reading.tokens):
        if token.upos != "VERB" or not reading.shared[verb]:
            continue
        lemma = next((one for one in reading.lemmas(verb) if knowledge.entry("complements", one) is not None), None)
        if lemma is None:
            continue
        entry = knowledge.entry("complements", lemma)
        assert entry is not None
        classes, prepositions = set(entry.values("class")), entry.values("preposition")
        following = verb + 1
        nearby = reading.low[verb + 1 :]
        if "place" in classes and not _has_place(reading, verb):
            yield _at(reading, verb, verb, f"“{token.text}”: {lemma} needs a place beside its object", "Say where.")
        elif "second" in classes and not set(reading.low) & set(prepositions):
            listed = " or ".join(f"“{p}”" for p in prepositions)
            yield _at(
                reading, verb, verb, f"“{token.text}”: {lemma} needs a phrase with {listed} beside its object", "Add the phrase."
            )
        elif "reflexive" in classes and not set(nearby[:3]) & REFLEXIVES:
            yield _at(
                reading,
                verb,
                verb,
                f"“{token.text}”: the object of {lemma} is a reflexive, and there is none",
                "Add the reflexive.",
            )
        elif "prepositional" in classes and following < len(reading.tokens):
            yield from _without_preposition(reading, verb, lemma, prepositions)
        if "to" in classes and following < len(reading.tokens) and reading.shared[following]:
            yield from _without_to(reading, verb, lemma)
    yield from _without_particle(reading)


def _has_place(reading: SentenceReading, verb: int) -> bool:
    if "where" in reading.low[:verb]:
        return True
    for word in range(verb + 1, len(reading.tokens)):
        if reading.low[word] not in PLACES:
            continue
        head = reading.tree.heads[word]
        is_time = reading.tree.roles[word] is Role.CASE and head != ROOT and reading.low[head] in TIME_NOUNS
        if not is_time:
            return True
    # A preposition that is stranded under a filler: which shelf she put it on.
    return False


def _without_preposition(reading: SentenceReading, verb: int, lemma: str, prepositions: tuple[str, ...]) -> Iterator[Hit]:
    first = reading.after_adverbs(verb + 1)
    if first != verb + 1 or not reading.starts_phrase(first) or not reading.shared[first]:
        return
    head = first if reading.low[first] in OBJECT_PRONOUNS or reading.tokens[first].upos == "PROPN" else reading.tree.heads[first]
    if head == ROOT or reading.tree.roles.get(head) is not Role.OBJECT or reading.tree.heads[head] != verb:
        return
    if head + 1 < len(reading.low) and reading.low[head] in OBJECT_PRONOUNS and reading.low[head + 1] in PLACES:
        return
    if {"little", "bit"} & set(reading.low[first : first + 2]):
        return
    if reading.low[head] in TIME_NOUNS | {"way", "lot", "deal", "bit", "mile", "miles", "that", "this"} | REFLEXIVES:
        return
    listed = " or ".join(f"“{p}”" for p in prepositions)
    yield _at(
        reading, verb, head, f"“{reading.words(verb, head)}”: {lemma} needs {listed} before what it is about", f"Add {listed}."
    )


_OPEN_PHRASES = DETERMINERS | SMALL_ADVERBS | PREPOSITIONS


def _without_to(reading: SentenceReading, verb: int, lemma: str) -> Iterator[Hit]:
    following = verb + 1
    if reading.kinds(following) != {BASE} and not (BASE in reading.kinds(following) and reading.low[following].endswith("t")):
        return
    if reading.low[following] in _OPEN_PHRASES or reading.tokens[following].text[:1].isupper():
        return
    after = following + 1
    is_noun = reading.is_noun(following) or reading.low[following] in load_dictionary().adjectives
    if is_noun and not reading.starts_phrase(after):
        return
    phrase = reading.words(verb, following)
    yield _at(
        reading, verb, following, f"“{phrase}”: the infinitive after {lemma} has “to”", f"Write “{reading.tokens[verb].text} to”."
    )


def _without_particle(reading: SentenceReading) -> Iterator[Hit]:
    for verb in range(len(reading.tokens) - 1):
        if (
            not (reading.shared[verb] and reading.shared[verb + 1])
            or not reading.kinds(verb)
            or reading.tokens[verb].upos == "NOUN"
        ):
            continue
        for lemma in reading.lemmas(verb):
            entry = reading.knowledge.entry("complements", f"{lemma} {reading.low[verb + 1]}")
            if entry is not None and "particle" in entry.values("class"):
                particle = entry.values("preposition")[0]
                meant = f"{reading.tokens[verb].text} {particle} {reading.tokens[verb + 1].text}"
                yield _at(
                    reading, verb, verb + 1, f"“{reading.words(verb, verb + 1)}”: a particle is missing", f"Write “{meant}”."
                )
                break


# ----- adverbs

_DEGREE = word_set("so very too quite rather extremely really fairly pretty")


def _adjective(reading: SentenceReading) -> Iterator[Hit]:
    n = len(reading.tokens)
    for word in range(1, n):
        small = reading.low[word]
        if not reading.shared[word] or reading.tokens[word].text[:1].isupper():
            continue
        adverb = adverb_of(small)
        if adverb is None or small in _AS_THEY_STAND or reading.tokens[word].upos == "VERB":
            continue
        if reading.kinds(word) & {PARTICIPLE, GERUND, PAST} or (reading.is_noun(word) and small not in _NOUNS_TOO):
            continue
        if _needs_adverb(reading, word, small, adverb):
            yield _at(reading, word, word, f"“{small}” is an adjective, and an adverb has to stand there", f"Write “{adverb}”.")


_AS_THEY_STAND = word_set(
    "just even only still well right very far full past close ill pretty dead long enough clean clear sharp wide tight easy loud slow quick deep"
    " straight short flat sure real direct high low late early hard fast near fair fine round light cheap thick thin"
)
"""Adjectives that are adverbs as they stand, or that people use so."""
_NOUNS_TOO = word_set("quick rapid gentle bold brave kind polite proud secret wild rude harsh rough")


def _needs_adverb(reading: SentenceReading, word: int, small: str, adverb: str) -> bool:
    n = len(reading.tokens)
    before = reading.low[word - 1]
    following = word + 1
    ends = following >= n or reading.tokens[following].upos == "PUNCT"
    # had thorough demoralised the crew, to defraud your brother eventual enriched a few
    if following + 1 < n and reading.kinds(following) & {PAST} and reading.starts_phrase(following + 1):
        is_host = reading.tokens[word - 1].upos in {"NOUN", "PROPN", "VERB"} or before in HAVE
        if is_host and before not in BE and before not in DETERMINERS and reading.tokens[following].upos in {"VERB", "ADJ"}:
            return True
    # has thorough repaired, will careful open
    if following < n and reading.tokens[word - 1].upos == "AUX" and before not in BE:
        wanted = PARTICIPLE if before in HAVE else BASE
        if before in HAVE | MODALS | DO and wanted in reading.kinds(following) and not reading.is_noun(following):
            return True
    # the clerk careless dropped
    if (
        following < n
        and reading.tokens[word - 1].upos in {"NOUN", "PROPN", "PRON"}
        and reading.tree.roles[word - 1]
        in {
            Role.SUBJECT,
            Role.PASSIVE_SUBJECT,
        }
    ):
        head = reading.tree.heads[word - 1]
        if head == following and reading.kinds(following) & {PAST, PRESENT} and not reading.is_noun(following):
            return True
    beside = {"after", "before", "during", "when", "while"} | (
        {"from", "at", "in", "on"} if before in {"so", "too", "very", "quite"} else set()
    )
    if not ends and not (following < n and reading.low[following] in beside):
        return False
    start = word - 1 if before in _DEGREE else word
    host = start - 1
    if host < 1:
        return False
    verbs = [i for i in reading.ancestors(word) if reading.tokens[i].upos in {"VERB", "AUX"}]
    verb = verbs[0] if verbs else next((i for i in range(host, -1, -1) if reading.tokens[i].upos == "VERB"), None)
    if verb is None or is_used("resultative", reading.lemmas(verb), reading.knowledge) or reading.tokens[verb].upos == "AUX":
        return False
    if any(reading.low[i] in BE for i in reading.children(word, *AUXILIARY_ROLES)):
        return False
    counts = load_frequencies().counts
    usual = counts.get(adverb, 0) >= _SHARE * max(1, counts.get(small, 0)) or before in _DEGREE
    is_noun_before = (
        reading.tokens[host].upos in {"NOUN", "PROPN", "PRON", "VERB", "ADV"} or reading.tokens[host].text[:1].isupper()
    )
    return usual and is_noun_before


_SHARE = 0.2
"""An adverb that is not much rarer than its adjective is what one would write of a deed."""


# ----- tense and time

_PAST_PERIODS = TIME_NOUNS - {"today", "tomorrow", "lunch", "dinner", "breakfast", "time", "moment", "tonight"}


def _time_adverbials(reading: SentenceReading) -> Iterator[tuple[int, int, str]]:
    """(first word, last word, ``past``, ``future`` or ``present``) of phrases that say when it was."""
    low = reading.low
    for word, small in enumerate(low):
        before = low[word - 1] if word else ""
        if (small == "yesterday" and before not in {"since", "until", "from", "of", "for", "before", "till"}) or small == "ago":
            yield word, word, "past"
        elif small == "tomorrow" and before not in {"of", "for", "from", "about", "until", "till", "before", "by"}:
            yield word, word, "future"
        elif small in {"last", "next"} and word + 1 < len(low) and low[word + 1] in _PAST_PERIODS:
            excused = {
                "the",
                "of",
                "for",
                "since",
                "until",
                "from",
                "by",
                "before",
                "about",
                "this",
                "their",
                "our",
                "his",
                "her",
                "in",
                "till",
            }
            if before not in excused and not low[word + 1].endswith("s"):
                yield word, word + 1, "past" if small == "last" else "future"
        elif small in {"nowadays", "currently"}:
            yield word, word, "present"


def _tense(reading: SentenceReading) -> Iterator[Hit]:
    for first, last, when in _time_adverbials(reading):
        if not all(reading.shared[word] for word in range(first, last + 1)):
            continue
        chain = [
            i
            for i in reading.ancestors(last)
            if reading.tokens[i].upos in {"VERB", "AUX"} or reading.children(i, *AUXILIARY_ROLES)
        ]
        if first <= 1:
            chain = [i for i in range(len(reading.tokens)) if reading.tree.heads[i] == ROOT]
        elif any(reading.tokens[i].upos == "NOUN" for i in list(reading.ancestors(last))[:1]) and when == "future":
            continue
        # A clause in the present that has the time's own clause below it does not say when that was.
        outer = [verb for verb in chain[1:] if "to" not in [reading.low[child] for child in reading.children(verb)]]
        tenses = {reading.tense(verb) for verb in chain[:1]} | {t for verb in outer if (t := reading.tense(verb)) != "present"}
        if not tenses or tenses & {"", "either"}:
            continue
        clash = {
            "past": not tenses & {"past", "modal"}
            and bool(tenses & {"perfect", "future"} or (tenses == {"present"} and reading.low[first] in {"last", "yesterday"})),
            "future": tenses <= {"past", "perfect"} and not _looks_ahead(reading),
            "present": tenses <= {"past"} and not {"had", "was", "were"} & set(reading.low),
        }[when]
        if clash and all(reading.shared[verb] for verb in chain):
            verb = reading.finite(chain[0])
            said = reading.tokens[verb if verb is not None else chain[0]].text
            phrase = reading.words(first, last)
            yield _at(reading, first, last, f"“{phrase}” does not go with the tense of “{said}”")


def _looks_ahead(reading: SentenceReading) -> bool:
    """Whether the past tense may be about what was to come: *was leaving tomorrow, planned to*."""
    low = set(reading.low)
    return bool(
        low
        & {"would", "could", "might", "should", "planned", "scheduled", "due", "wanted", "hoped", "arranged", "promised", "if"}
    ) or (
        bool(low & {"was", "were"}) and any(GERUND in reading.kinds(i) or reading.low[i] == "to" for i in range(len(reading.low)))
    )


# ----- nouns


def _noun_complement(reading: SentenceReading) -> Iterator[Hit]:
    knowledge = reading.knowledge
    islands = {role.at for role in reading.roles.named("preposition")}
    for noun in range(len(reading.tokens) - 1):
        if reading.tokens[noun].upos not in {"NOUN", "PROPN", "VERB", "ADJ"} or not reading.shared[noun]:
            continue
        entry = knowledge.entry("noun_complements", knowledge.singular_of(reading.low[noun]))
        if entry is None or (noun and reading.tokens[noun].upos != "NOUN" and reading.low[noun - 1] not in DETERMINERS):
            continue
        after = noun + 1
        small, token = reading.low[after], reading.tokens[after]
        if not reading.shared[after] or (noun and reading.low[noun - 1] in {"in", "with", "at", "of", "on"}):
            continue
        classes = entry.values("class")
        if (
            "no_infinitive" in classes
            and small == "to"
            and after + 1 < len(reading.tokens)
            and reading.tokens[after + 1].upos == "VERB"
        ):
            said = f"“{reading.words(noun, after + 1)}”: the noun takes “of” and an -ing form, and no infinitive"
            yield _at(reading, noun, after + 1, said)
        elif (token.start, token.end) in islands or not _is_person(reading, after):
            continue  # L414 speaks of the noun of an island.
        elif (wrong := wrong_preposition(entry, small)) is not None:
            yield _at(reading, noun, after, f"“{reading.words(noun, after)}”: the noun {wrong}")


def _is_person(reading: SentenceReading, preposition: int) -> bool:
    """Whether what stands under a preposition is a person, by a name, a pronoun or the list of nouns."""
    head = reading.tree.heads[preposition]
    if reading.tree.roles[preposition] is not Role.CASE or head == ROOT or head < preposition:
        return False
    small = reading.low[head]
    if small in OBJECT_PRONOUNS - {"it"}:
        return True
    classes = reading.knowledge.classes("nouns", reading.knowledge.singular_of(small))
    return "person" in classes or "given" in reading.knowledge.classes("names", small)


# ----- who does what


def _subject(reading: SentenceReading) -> Iterator[Hit]:
    for subject, predicate in _agents(reading):
        if not (reading.shared[subject] and reading.shared[predicate]):
            continue
        if reading.tokens[subject].upos == "PROPN" or reading.tokens[predicate].upos != "VERB":
            continue
        kinds = subject_kinds(reading, subject)
        lemmas = set(reading.lemmas(predicate))
        who = _phrase(reading, subject)
        verb = reading.tokens[predicate].text
        if "mindless" in kinds and needs_a_mind(lemmas, reading.knowledge):
            yield _at(reading, subject, predicate, f"“{who}” has no mind and no voice, and “{verb}” needs one")
        elif kinds & {"infant", "animal", "fish", "plant"} and is_used("saying", lemmas, reading.knowledge):
            yield _at(reading, subject, predicate, f"“{who}” cannot speak, and “{verb}” needs somebody who can")
        else:
            for lemma in sorted(lemmas):
                unable = set(reading.knowledge.classes("actions", lemma)) & kinds
                if unable:
                    yield _at(reading, subject, predicate, f"“{who} … {verb}”: hardly anything that is one can do that")
                    break


def needs_a_mind(verbs: set[str], knowledge: Knowledge) -> bool:
    """Whether a word that can be a form of these verbs says what only somebody who thinks or speaks does."""
    is_of_minds = is_used("saying", verbs, knowledge) or is_used("knowing", verbs, knowledge)
    return is_of_minds and not verbs & {"tell", "suggest", "state", "decline", "want"}


def _agents(reading: SentenceReading) -> Iterator[tuple[int, int]]:
    """(subject, verb) of each active clause, the verb below a predicate such as *is keen to* among them."""
    for subject, predicate in reading.subjects():
        if reading.tree.roles[subject] is Role.PASSIVE_SUBJECT or reading.children(predicate, Role.PASSIVE_AUXILIARY):
            continue
        yield subject, predicate
        for below in reading.children(predicate, Role.OPEN_COMPLEMENT, Role.COMPLEMENT_CLAUSE):
            is_tough = reading.tokens[predicate].upos == "ADJ" and not reading.children(below, Role.OBJECT)
            if below > predicate and not is_tough and not reading.children(below, Role.SUBJECT, Role.PASSIVE_AUXILIARY):
                yield subject, below


def subject_kinds(reading: SentenceReading, noun: int) -> frozenset[str]:
    """The classes of a subject in the list of subjects, by its head noun or an adjective that says as much (*newborn*)."""
    found: set[str] = set()
    for word in (noun, *reading.children(noun, Role.ADJECTIVE, Role.COMPOUND)):
        small = reading.low[word]
        classes = reading.knowledge.classes("subjects", reading.knowledge.singular_of(small))
        found |= classes if word == noun else classes & {"infant"}
    return frozenset(found)


# ----- what a verb embeds


def _clause(reading: SentenceReading) -> Iterator[Hit]:
    for verb, token in enumerate(reading.tokens):
        if token.upos != "VERB" or not reading.shared[verb]:
            continue
        after = verb + 1
        if after >= len(reading.tokens) or reading.low[after] != "that" or not reading.shared[after]:
            continue
        is_marker = reading.tree.roles[after] is Role.MARKER and reading.tree.heads[after] > after
        if not is_marker or reading.tree.roles.get(reading.tree.heads[after]) is not Role.COMPLEMENT_CLAUSE:
            continue
        known = [reading.knowledge.classes("predicates", lemma) for lemma in reading.lemmas(verb)]
        lemma = next(iter(reading.lemmas(verb)), "")
        if known and all(classes & {"rogative", "none"} and not classes & {"responsive", "antirogative"} for classes in known):
            yield _at(reading, verb, after, f"“{reading.words(verb, after)}”: {lemma} takes no that-clause")


# ----- prepositions of adjectives and verbs, cases of pronouns


_AFTER_ADJECTIVES = PREPOSITIONS | {"than"}


def _preposition(reading: SentenceReading) -> Iterator[Hit]:
    for word in range(len(reading.tokens) - 1):
        following = reading.low[word + 1]
        if following not in _AFTER_ADJECTIVES or not (reading.shared[word] and reading.shared[word + 1]):
            continue
        for form, kind in ((reading.low[word], "a"), *((lemma, "v") for lemma in reading.lemmas(word))):
            entry = reading.knowledge.entry("wrong_prepositions", form)
            if entry is None or kind not in entry.values("class") or following not in entry.values("wrong"):
                continue
            is_verb = kind == "v" and reading.tokens[word].upos == "VERB"
            if is_verb or (kind == "a" and _is_predicate(reading, word)):
                yield _at(reading, word, word + 1, f"“{reading.words(word, word + 1)}”: {form} does not take “{following}”")
                break


def _is_predicate(reading: SentenceReading, word: int) -> bool:
    """Whether an adjective follows a verb or a noun, with an adverb between them at the most."""
    before = word - 1
    while before > 0 and (
        reading.low[before] in SMALL_ADVERBS or reading.low[before].endswith("ly") or reading.low[before] in _DEGREE
    ):
        before -= 1
    is_adverbial = reading.low[word + 1] == "to" and word + 2 < len(reading.low) and reading.tokens[word + 2].upos == "VERB"
    return before >= 0 and reading.low[before] not in DETERMINERS and not is_adverbial


_NOMINATIVE = word_set("he she they we i")
_ACCUSATIVE = word_set("him them us me")


def _case(reading: SentenceReading) -> Iterator[Hit]:
    for word, small in enumerate(reading.low):
        if not reading.shared[word]:
            continue
        following = reading.tokens[word + 1].upos if word + 1 < len(reading.tokens) else "PUNCT"
        before = reading.low[word - 1] if word else ""
        if small in _NOMINATIVE and before in _CASE_PREPOSITIONS and following in {"PUNCT", "ADP", "AUX", "VERB"}:
            is_subject = following in {"AUX", "VERB"} and reading.tree.roles[word] in {Role.SUBJECT, Role.PASSIVE_SUBJECT}
            if not (is_subject and before in {"for", "about", "of", "to"}):
                yield _at(reading, word - 1, word, f"“{reading.words(word - 1, word)}”: the pronoun has to be in the object form")
        elif small in _ACCUSATIVE and following == "AUX" and (word == 0 or before in {"that", "whether", "if", "because"}):
            verb = word + 1
            if reading.low[verb] in _ALL_AUXILIARIES:
                yield _at(reading, word, verb, f"“{reading.words(word, verb)}”: the pronoun has to be in the subject form")


_CASE_PREPOSITIONS = word_set("about for to with of from against at behind toward towards without")


def _countable(reading: SentenceReading) -> Iterator[Hit]:
    """An indefinite article or a plural where the noun has none, *much* before a plural, *many* before a singular."""
    dictionary = load_dictionary()
    for noun, token in enumerate(reading.tokens):
        small = reading.low[noun]
        if not noun or not reading.shared[noun] or token.upos not in {"NOUN", "VERB", "ADJ"} or token.text[:1].isupper():
            continue
        before = reading.low[noun - 1]
        if token.upos == "NOUN" and noun > 1 and reading.tokens[noun - 1].upos == "ADJ" and reading.tree.heads[noun - 1] == noun:
            before = reading.low[noun - 2]
        following = reading.tokens[noun + 1].upos if noun + 1 < len(reading.tokens) else "PUNCT"
        singular = reading.knowledge.singular_of(small)
        if small in reading.knowledge.lists["mass_nouns"] and before in {"a", "an", "many", "several", "these", "those"}:
            if following not in {"NOUN", "PROPN"}:
                yield _at(reading, noun, noun, f"“{before} … {small}”: the noun takes no such determiner")
        elif small != singular and singular in reading.knowledge.lists["mass_nouns"] and not reading.kinds(noun):
            yield _at(reading, noun, noun, f"“{small}”: the noun has no plural", f"Write “{singular}”.")
        elif (
            before == "much"
            and not reading.kinds(noun)
            and dictionary.number(small) == "plural"
            and reading.tree.heads[noun - 1] == noun
        ):
            yield _at(reading, noun - 1, noun, f"“much {small}”: a plural takes “many”")


RULES = (
    SentenceRule("G101", Severity.WARNING, _agreement),
    SentenceRule("G102", Severity.WARNING, _determiner),
    SentenceRule("G103", Severity.WARNING, _verb_form),
    SentenceRule("G104", Severity.WARNING, _article),
    SentenceRule("G105", Severity.WARNING, _complement),
    SentenceRule("G106", Severity.WARNING, _adjective),
    SentenceRule("G107", Severity.WARNING, _tense),
    SentenceRule("G108", Severity.WARNING, _noun_complement),
    SentenceRule("G109", Severity.WARNING, _subject),
    SentenceRule("G110", Severity.WARNING, _clause),
    SentenceRule("G111", Severity.WARNING, _preposition),
    SentenceRule("G112", Severity.WARNING, _case),
    SentenceRule("G113", Severity.WARNING, _countable),
)
