"""What kind of minimal pair two sentences are, read off their words: which phenomenon, and which words carry the contrast.

Nothing here depends on who wrote the pair: it works on sentences made from a paradigm and on files of strangers alike. What is no
pair of a known kind is of none, and only the rule on minimality looks at it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from gapsmith.vetting.rules.inflection import BASE, GERUND, PAST
from gapsmith.vetting.rules.knowledge import Knowledge
from gapsmith.vetting.wordset import word_set

MODALS = word_set("can could will would shall should must may might")
AUXILIARIES = MODALS | word_set("do does did is are was were am has have had")
REFLEXIVES = word_set("myself yourself himself herself itself ourselves yourselves themselves")
_WH = word_set("who what whom which")
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


@dataclass(frozen=True, slots=True)
class ComplexNp:
    """*What did the man who fixed the gate open?* against *… who fixed open the gate?*"""

    filler: str
    inner_verb: str
    verb: str
    object: Tokens


@dataclass(frozen=True, slots=True)
class WhIsland:
    """*What did he say that Tom bought?* against *… whether Tom bought?*"""

    filler: str
    good_verb: str
    bad_verb: str
    good_clause: str
    bad_clause: str
    inner_verb: str


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
    before: Tokens
    """The words before it, as they are written."""


@dataclass(frozen=True, slots=True)
class Perception:
    """*She saw herself opening the door* against *… herself opened the door*."""

    gerund: str
    finite: str


@dataclass(frozen=True, slots=True)
class Wanna:
    """*When does she wanna wait?* against *Who does she wanna wait?*"""

    filler: str
    verb: str
    object: Tokens


Kind = Adjunct | ComplexNp | WhIsland | YesNo | Reflexive | Perception | Wanna


def change_of(pair: Pair) -> tuple[str, tuple[tuple[Tokens, Tokens], ...]]:
    """How the two differ: ``same``, ``moved`` (one stretch stands elsewhere), ``swapped`` (the auxiliaries of a question),
    ``replaced`` (one stretch for another), or ``several``; and the stretches."""
    if pair.good == pair.bad:
        return "same", ()
    hunks = tuple(
        (pair.good[i1:i2], pair.bad[j1:j2])
        for tag, i1, i2, j1, j2 in SequenceMatcher(None, pair.good, pair.bad, autojunk=False).get_opcodes()
        if tag != "equal"
    )
    if len(hunks) == 1:
        return "replaced", hunks
    if Counter(pair.good) == Counter(pair.bad) and _is_one_move(pair.good, pair.bad):
        return "moved", hunks
    without = [[word for word in side if word not in AUXILIARIES] for side in (pair.good, pair.bad)]
    if without[0] == without[1] and Counter(pair.good) == Counter(pair.bad):
        return "swapped", hunks
    return "several", hunks


def _is_one_move(good: Tokens, bad: Tokens) -> bool:
    first = next(i for i, (a, b) in enumerate(zip(good, bad, strict=True)) if a != b)
    last = len(good) - next(i for i, (a, b) in enumerate(zip(good[::-1], bad[::-1], strict=True)) if a != b)
    middle, other = good[first:last], bad[first:last]
    return any(middle[cut:] + middle[:cut] == other for cut in range(1, len(middle)))


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
    if good in REFLEXIVES and bad in REFLEXIVES:
        return Reflexive(good, bad, pair.written[: pair.good.index(good)])
    after_reflexive = any(word in REFLEXIVES for word in pair.good[: pair.good.index(good)])
    if after_reflexive and has_form(good, GERUND, knowledge) and has_form(bad, PAST, knowledge):
        return Perception(good, bad)
    return None


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
    inner = pair.good[good + 2 :]
    start = bad - len(inner) - 1
    if not inner or start < 1 or pair.bad[start + 1 : bad] != inner:
        return None
    return Adjunct(pair.good[0], pair.good[good - 1], pair.good[good + 1], pair.bad[start], pair.bad[bad + 1], inner)


def _adjunct_at(words: Tokens, knowledge: Knowledge) -> int | None:
    places = range(2, len(words) - 1)
    return next((i for i in places if words[i] in _CONJUNCTIONS and has_form(words[i + 1], GERUND, knowledge)), None)


def _complex_np(pair: Pair, _knowledge: Knowledge) -> ComplexNp | None:
    if pair.good[0] not in _WH or change_of(pair)[0] != "moved":
        return None
    relative = next((i for i, word in enumerate(pair.good) if i > 1 and word in {"who", "that", "which"}), None)
    if relative is None or relative + 3 >= len(pair.good) or pair.good[: relative + 2] != pair.bad[: relative + 2]:
        return None
    return ComplexNp(pair.good[0], pair.good[relative + 1], pair.good[-1], pair.good[relative + 2 : -1])


def _wh_island(pair: Pair, _knowledge: Knowledge) -> WhIsland | None:
    how, hunks = change_of(pair)
    if pair.good[0] not in _WH or pair.good[0] != pair.bad[0] or how != "replaced":
        return None
    (good, bad) = hunks[0]
    if not good or not bad or good[-1] not in _OPENERS or bad[-1] not in _OPENERS:
        return None
    end = next(i for i in range(len(pair.good)) if pair.good[i : i + len(good)] == good) + len(good)
    if end >= len(pair.good):
        return None
    before = pair.good[end - len(good) - 1]
    verbs = [side[0] if len(side) > 1 else before for side in (good, bad)]
    return WhIsland(pair.good[0], verbs[0], verbs[1], good[-1], bad[-1], pair.good[-1])


def has_form(word: str, kind: str, knowledge: Knowledge) -> bool:
    """Whether a word can be that form of a verb."""
    return any(form.kind == kind for form in knowledge.verb_forms.get(word, ()))


def lemmas(word: str, knowledge: Knowledge, *kinds: str) -> Sequence[str]:
    """The verbs that a word can be one of these forms of (any, where none is named)."""
    found = [form.lemma for form in knowledge.verb_forms.get(word, ()) if not kinds or form.kind in kinds]
    return list(dict.fromkeys(found)) or ([word] if has_form(word, BASE, knowledge) else [])
