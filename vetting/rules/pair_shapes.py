"""What kind of minimal pair two sentences are, read off their words: which phenomenon, and which words carry the contrast.

Nothing here depends on who wrote the pair: it works on sentences made from a paradigm and on files of strangers alike. What is no
pair of a known kind is of none, and only the rule on minimality looks at it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from gapsmith.vetting.rules.clause_reading import AUXILIARIES, MODALS, PREPOSITIONS, REFLEXIVES, read_clauses
from gapsmith.vetting.rules.inflection import BASE, GERUND, PAST
from gapsmith.vetting.rules.knowledge import Knowledge
from gapsmith.vetting.wordset import word_set

BARE_AFTER = MODALS | word_set("do does did")
"""Auxiliaries after which a base form stands."""
_WH = word_set("who what whom which")
QUESTION_WORDS = _WH | word_set("whose when where why how")
_ONE_AGREEMENT = {
    **dict.fromkeys(("is", "are", "am"), "is"),
    **dict.fromkeys(("was", "were"), "was"),
    **dict.fromkeys(("has", "have"), "has"),
    **dict.fromkeys(("do", "does"), "does"),
    **dict.fromkeys(("isn't", "aren't"), "isn't"),
    **dict.fromkeys(("wasn't", "weren't"), "wasn't"),
    **dict.fromkeys(("hasn't", "haven't"), "hasn't"),
    **dict.fromkeys(("don't", "doesn't"), "doesn't"),
    **dict.fromkeys(("a", "an"), "a"),
}
"""Words whose form follows from another word: where that one has moved, they are no difference of their own."""
_RELATIVES = word_set("who that which whom")
_CONJUNCTIONS = word_set("before after while without when since by despite")
_OPENERS = word_set("that whether if who what he she they it we i you")

Tokens = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """The acceptable and the unacceptable sentence as words in small letters, with the words as they are written."""

    good: Tokens
    bad: Tokens
    written: Tokens
    """Of the acceptable one."""
    bad_written: Tokens
    """Of the unacceptable one."""


@dataclass(frozen=True, slots=True)
class Adjunct:
    """*Who should he thank before inviting Anna?* against *… thank Anna before inviting?*"""

    filler: str
    asked_verb: str
    """Whose object the acceptable sentence asks for."""
    good_gerund: str
    verb: str
    """The main verb of the unacceptable sentence, before its object."""
    gerund: str
    """The one without an object."""
    object: Tokens
    stranded: bool
    """Whether the gap in the adjunct is that of a preposition: *while playing with*."""


@dataclass(frozen=True, slots=True)
class ComplexNp:
    """*What did the man who fixed the gate open?* against *… who fixed open the gate?*"""

    filler: str
    inner_verb: str
    verb: str
    object: Tokens
    stranded: bool
    """Whether the gap in the relative clause is that of a preposition: *who talked to*."""
    adjacent: bool
    """Whether in the acceptable sentence the main verb follows the object of the relative clause at once."""


@dataclass(frozen=True, slots=True)
class WhIsland:
    """*What did he say that Tom bought?* against *… whether Tom bought?*"""

    filler: str
    good_verb: str
    bad_verb: str
    good_clause: str
    bad_clause: str
    inner_verb: str
    stranded: bool
    """Whether the gap in the clause is that of a preposition: *helped with*."""


@dataclass(frozen=True, slots=True)
class YesNo:
    """*Can the man who will visit us wait?* against *Will the man who visit us can wait?*"""

    front: str
    inner: str
    verb: str
    """Of the relative clause, in the acceptable sentence."""
    next: str
    """The word after it."""
    wrong_front: str
    wrong_inner: str
    """The word that stands for `verb` in the unacceptable sentence, empty where it cannot be found."""


@dataclass(frozen=True, slots=True)
class Reflexive:
    """*The man said that the girl hurt herself* against *himself*."""

    good: str
    bad: str
    place: int
    """Of the reflexive."""
    words: Tokens
    """Of the acceptable sentence, as they are written."""


@dataclass(frozen=True, slots=True)
class Perception:
    """*She saw herself opening the door* against *… herself opened the door*."""

    verb: str
    """The verb whose object the reflexive is; empty where it is a preposition's."""
    gerund: str
    finite: str
    object: Tokens
    """What follows it."""


@dataclass(frozen=True, slots=True)
class Wanna:
    """*When does she wanna wait?* against *Who does she wanna wait?*"""

    filler: str
    verb: str
    object: Tokens


Kind = Adjunct | ComplexNp | WhIsland | YesNo | Reflexive | Perception | Wanna


def change_of(pair: Pair) -> tuple[str, tuple[tuple[Tokens, Tokens], ...]]:
    """How the two differ, and the stretches in which they do:

    ``same``; ``replaced`` (one stretch for another); ``moved`` (one stretch stands elsewhere); ``exchanged`` (two stretches stand in
    each other's place); ``swapped`` (the auxiliaries of a question); ``fronted`` (a question word and the auxiliary that follows it
    stand in front); ``filled`` (a noun phrase with a relative clause against a question with that noun phrase in its gap);
    ``moved and another auxiliary``; or ``several``.
    An auxiliary or article whose form only follows from what stands beside it is no difference where something has moved."""
    if pair.good == pair.bad:
        return "same", ()
    return _change_of(pair)


@lru_cache(maxsize=4096)
def _change_of(pair: Pair) -> tuple[str, tuple[tuple[Tokens, Tokens], ...]]:
    hunks = tuple(
        (pair.good[i1:i2], pair.bad[j1:j2])
        for tag, i1, i2, j1, j2 in SequenceMatcher(None, pair.good, pair.bad, autojunk=False).get_opcodes()
        if tag != "equal"
    )
    if len(hunks) == 1:
        return "replaced", hunks
    good, bad = (tuple(_ONE_AGREEMENT.get(word, word) for word in side) for side in (pair.good, pair.bad))
    if Counter(good) == Counter(bad):
        if good == bad or _is_one_move(good, bad):
            return "moved", hunks
        if _without(good, AUXILIARIES) == _without(bad, AUXILIARIES):
            return "swapped", hunks
        if bad[0] in QUESTION_WORDS and _without(good, AUXILIARIES | QUESTION_WORDS) == _without(
            bad, AUXILIARIES | QUESTION_WORDS
        ):
            return "fronted", hunks
        if _is_exchange(good, bad):
            return "exchanged", hunks
    apart, other_apart = (_negation_apart(side) for side in (good, bad))
    if Counter(apart) == Counter(other_apart) and _is_one_move(apart, other_apart):
        return "moved", hunks
    if _is_filled(pair):
        return "filled", hunks
    ours, theirs = (tuple(word for word in side if word in AUXILIARIES) for side in (pair.good, pair.bad))
    one, other = (tuple(_without(side, AUXILIARIES)) for side in (good, bad))
    if Counter(one) == Counter(other) and ours and theirs and (one == other or _is_one_move(one, other)):
        return "moved and another auxiliary", ((ours, theirs),)
    return "several", hunks


def _negation_apart(words: Tokens) -> Tokens:
    """The words with *n't* as one of its own: who don't … has moved its negation against who do … hasn't."""
    return tuple(
        part for word in words for part in ((_STEMS.get(word[:-3], word[:-3]), "n't") if word.endswith("n't") else (word,))
    )


_STEMS = {"ca": "can", "wo": "will", "sha": "shall"}
"""What is left of an auxiliary without its *n't*."""


def _without(words: Tokens, left_out: frozenset[str]) -> list[str]:
    return [word for word in words if word not in left_out]


_SLACK = 5
"""A stretch that has moved may begin or end with the word that stood in its place before (*the*), so that it seems shorter by some."""


def _middles(good: Tokens, bad: Tokens) -> Iterator[tuple[Tokens, Tokens]]:
    """What stands between the first and the last difference, with a few of the words around it."""
    first = next(i for i, (a, b) in enumerate(zip(good, bad, strict=True)) if a != b)
    last = len(good) - next(i for i, (a, b) in enumerate(zip(good[::-1], bad[::-1], strict=True)) if a != b)
    for start in range(first, max(-1, first - _SLACK), -1):
        for end in range(last, min(len(good), last + _SLACK) + 1):
            yield good[start:end], bad[start:end]


def _is_one_move(good: Tokens, bad: Tokens) -> bool:
    return any(middle[cut:] + middle[:cut] == other for middle, other in _middles(good, bad) for cut in range(1, len(middle)))


def _is_exchange(good: Tokens, bad: Tokens) -> bool:
    """Whether two stretches have changed places."""
    middle, other = next(_middles(good, bad))
    return any(
        other == middle[end:] + middle[start:end] + middle[:start]
        for start in range(1, len(middle))
        for end in range(start, len(middle))
    )


def _is_filled(pair: Pair) -> bool:
    """*… saw a cashier that Jo praised* against *… saw who Jo praised a cashier*: without the relative word the one is the other
    without the question word, but for the place of the noun phrase."""
    places = [i for i, word in enumerate(pair.bad) if word in _WH]
    for i in places:
        rest = pair.bad[:i] + pair.bad[i + 1 :]
        if rest == pair.good or Counter(rest) == Counter(pair.good):
            return rest == pair.good or _is_one_move(pair.good, rest)
        for k, word in enumerate(pair.good):
            if word not in _RELATIVES:
                continue
            less = pair.good[:k] + pair.good[k + 1 :]
            if less == rest or (Counter(less) == Counter(rest) and _is_one_move(less, rest)):
                return True
    return False


def kind_of(pair: Pair, knowledge: Knowledge) -> Kind | None:
    """The phenomenon of a pair, or None."""
    if len(pair.good) < 4 or len(pair.bad) < 3:
        return None
    for read in (_wanna, _reflexive, _yes_no, _adjunct, _complex_np, _wh_island):
        found = read(pair, knowledge)
        if found is not None:
            return found
    return None


def _wanna(pair: Pair, _knowledge: Knowledge) -> Wanna | None:
    if pair.bad[0] not in _WH or "wanna" not in pair.good or "wanna" not in pair.bad:
        return None
    rest = pair.bad[pair.bad.index("wanna") + 1 :]
    return Wanna(pair.bad[0], rest[0], rest[1:]) if rest else None


def _reflexive(pair: Pair, knowledge: Knowledge) -> Reflexive | Perception | None:
    how, hunks = change_of(pair)
    if how != "replaced" or any(len(side) != 1 for side in hunks[0]):
        return None
    (good,), (bad,) = hunks[0]
    place = _first_difference(pair)
    if good in REFLEXIVES and bad in REFLEXIVES:
        return Reflexive(good, bad, place, pair.written)
    anaphors = [i for i in range(1, place) if pair.good[i] in REFLEXIVES]
    if anaphors and has_form(good, GERUND, knowledge) and has_form(bad, PAST, knowledge):
        before = pair.good[anaphors[-1] - 1]
        verb = before if knowledge.verb_forms.get(before) and before not in PREPOSITIONS else ""
        return Perception(verb, good, bad, pair.good[place + 1 :])
    return None


def _first_difference(pair: Pair) -> int:
    return next((i for i, (a, b) in enumerate(zip(pair.good, pair.bad, strict=False)) if a != b), len(pair.good))


def _yes_no(pair: Pair, _knowledge: Knowledge) -> YesNo | None:
    if pair.good[0] not in AUXILIARIES or pair.bad[0] not in AUXILIARIES:
        return None
    inside = [i for i, word in enumerate(pair.good) if word in AUXILIARIES and i > 0]
    if not inside or inside[0] + 2 >= len(pair.good):
        return None
    place = inside[0]
    verb = pair.good[place + 1]
    # In the unacceptable one the auxiliary is gone and the verb has moved up to its place.
    wrong = pair.bad[place] if pair.bad[1:place] == pair.good[1:place] and place < len(pair.bad) else ""
    return YesNo(pair.good[0], pair.good[place], verb, pair.good[place + 2], pair.bad[0], wrong)


def _adjunct(pair: Pair, knowledge: Knowledge) -> Adjunct | None:
    if pair.good[0] not in _WH or pair.bad[0] not in _WH:
        return None
    good, bad = (_adjunct_at(side, knowledge) for side in (pair.good, pair.bad))
    if good is None or bad is None:
        return None
    stranded = pair.bad[-1] in PREPOSITIONS and bad + 2 == len(pair.bad) - 1
    inner = pair.good[good + (3 if stranded else 2) :]
    start = bad - len(inner) - 1
    if not inner or start < 1 or pair.bad[start + 1 : bad] != inner:
        return None
    asked = pair.good[good - 1]
    if asked in PREPOSITIONS and good > 1:
        asked = ""
    verb = pair.bad[start] if pair.bad[start] not in PREPOSITIONS else ""
    return Adjunct(pair.good[0], asked, pair.good[good + 1], verb, pair.bad[bad + 1], inner, stranded)


def _adjunct_at(words: Tokens, knowledge: Knowledge) -> int | None:
    places = range(2, len(words) - 1)
    return next((i for i in places if words[i] in _CONJUNCTIONS and has_form(words[i + 1], GERUND, knowledge)), None)


def _complex_np(pair: Pair, knowledge: Knowledge) -> ComplexNp | None:
    if pair.good[0] not in _WH or change_of(pair)[0] not in {"moved", "exchanged"}:
        return None
    reading = read_clauses(pair.written, knowledge)
    main, *others = reading.clauses
    if not reading.whole or len(others) != 1 or not main.inverted or others[0].kind != "relative":
        return None
    (inner,) = others
    if main.verb is None or inner.verb is None or inner.subject is not main.subject or main.verb < inner.verb:
        return None
    own = pair.good[inner.verb + 1 : main.verb]
    stranded = own[:1] != () and own[0] in PREPOSITIONS
    is_next = main.verb == (inner.verb + 1 + len(own))
    object_ = own[1:] if stranded else own
    verb = pair.good[main.verb] if main.verb == len(pair.good) - 1 else ""
    return ComplexNp(pair.good[0], pair.good[inner.verb], verb, object_, stranded, is_next and bool(own))


def _wh_island(pair: Pair, knowledge: Knowledge) -> WhIsland | None:
    how, hunks = change_of(pair)
    if pair.good[0] not in _WH or pair.good[0] != pair.bad[0] or how != "replaced":
        return None
    (good, bad) = hunks[0]
    if not good or not bad or good[-1] not in _OPENERS or bad[-1] not in _OPENERS:
        return None
    end = _first_difference(pair) + len(good)
    if end >= len(pair.good):
        return None
    before = pair.good[end - len(good) - 1]
    verbs = [side[0] if len(side) > 1 else before for side in (good, bad)]
    last = read_clauses(pair.written, knowledge).clauses[-1]
    governor = last.verb if last.verb is not None and last.verb >= end else None
    stranded = pair.good[-1] in PREPOSITIONS
    has_object = governor is not None and any(phrase.start == governor + 1 for phrase in last.objects)
    inner = pair.good[governor] if governor is not None and not has_object else ""
    return WhIsland(pair.good[0], verbs[0], verbs[1], good[-1], bad[-1], inner, stranded)


def has_form(word: str, kind: str, knowledge: Knowledge) -> bool:
    """Whether a word can be that form of a verb."""
    return any(form.kind == kind for form in knowledge.verb_forms.get(word, ()))


def lemmas(word: str, knowledge: Knowledge, *kinds: str) -> Sequence[str]:
    """The verbs that a word can be one of these forms of (any, where none is named)."""
    found = [form.lemma for form in knowledge.verb_forms.get(word, ()) if not kinds or form.kind in kinds]
    return list(dict.fromkeys(found)) or ([word] if has_form(word, BASE, knowledge) else [])
