"""G2: what can be said of the words of the sentences as they stand, whatever their conditions and without a parse."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from gapsmith.bank import Severity
from gapsmith.templates import load_dictionary
from gapsmith.vetting.rules.clause_reading import FUNCTION_WORDS, number_of_noun
from gapsmith.vetting.rules.hits import Hit
from gapsmith.vetting.rules.knowledge import Knowledge
from gapsmith.vetting.rules.model import TextRule
from gapsmith.vetting.rules.nouns import starts_with_vowel
from gapsmith.vetting.rules.number_agreement import COLLECTIVES
from gapsmith.vetting.rules.spelling import homophone_in, in_small, suspects_of
from gapsmith.vetting.wordset import word_set

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_CAPITAL = re.compile(r"\b[^\W\d_a-z][^\W\d_]+(?:['’]s)?")
_PIECE = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|[,;:.?!]")
Texts = Mapping[str, str]


class _Window(NamedTuple):
    """A word of a sentence with the one before it and the two after it; marks count as words."""

    condition: str
    before: str
    word: str
    after: str
    third: str
    start: int
    end: int
    glued: bool
    """Whether nothing but a space stands before the next word."""
    small: str
    """The word in small letters, with a straight apostrophe."""


@lru_cache(maxsize=64)
def _windows(texts: tuple[tuple[str, str], ...]) -> tuple[_Window, ...]:
    """The words of an item with their neighbors; what several conditions have is there once."""
    found: dict[tuple[str, str, str, str], _Window] = {}
    for name, text in texts:
        matches = list(_PIECE.finditer(text))
        words = ["", *map(re.Match.group, matches), "", "", ""]
        keys = list(zip(words, words[1:], words[2:], words[3:-1], strict=False))
        for i in [i for i, key in enumerate(keys) if key not in found]:
            key = keys[i]
            start, end = matches[i].span()
            glued = i + 1 < len(matches) and text[end : matches[i + 1].start()].isspace()
            found.setdefault(key, _Window(name, *key, start, end, glued, in_small(key[1])))
    return tuple(found.values())


def _words_of(texts: Texts) -> tuple[_Window, ...]:
    return _windows(tuple(texts.items()))


def _sounds_alike(texts: Texts, knowledge: Knowledge) -> Iterator[Hit]:
    told: set[tuple[str, str]] = set()
    suspects = suspects_of(knowledge)
    for at in _words_of(texts):
        if at.small not in suspects:
            continue
        found = homophone_in(at.before, at.word, at.after, at.third, knowledge) or _confused(at, knowledge)
        if found is not None and found not in told:
            told.add(found)
            wrong, meant = found
            yield Hit(f"“{wrong}” sounds like “{meant}”, which is meant there", at.condition, remedy=f"Write “{meant}”.")


_COMPARED = word_set("then")


def _confused(at: _Window, knowledge: Knowledge) -> tuple[str, str] | None:
    entry = knowledge.lists["confusions"].get(f"{at.word} {at.after}".casefold().replace("’", "'")) if at.glued else None
    if entry is None or (at.word[:1].isupper() and at.after[:1].isupper()):
        return None
    # "was older then" may end a sentence; "older then Mary" may not.
    if at.after.casefold() in _COMPARED and not at.third[:1].isalpha():
        return None
    return f"{at.word} {at.after}", entry.values("meant")[0]


def _misformed(texts: Texts, knowledge: Knowledge) -> Iterator[Hit]:
    told: set[str] = set()
    for at in _words_of(texts):
        if at.word in told or len(at.word) < 4 or not at.word.islower() or not at.word.endswith(("s", "ed")):
            continue
        right = _regularized(at.word)
        if right is not None and knowledge.entry("nouns", at.word) is None:
            told.add(at.word)
            yield Hit(f"“{at.word}” is no form of its word", at.condition, at.start, at.end, remedy=f"Write “{right}”.")


@lru_cache(maxsize=16384)
def _regularized(word: str) -> str | None:
    """The irregular form that is meant by a regular one that nobody writes: *thiefs, childs, catched, teached*."""
    dictionary = load_dictionary()
    if word in dictionary.forms:
        return None
    if word.endswith("s"):
        stems = [word[:-1], word[:-2] if word.endswith("es") else "", f"{word[:-3]}y" if word.endswith("ies") else ""]
        for stem in stems:
            plurals = dictionary.nouns.get(stem, ())
            if plurals and word not in plurals and len(stem) > 2 and plurals != (stem,):
                return plurals[0]
    if word.endswith("ed"):
        stems = [word[:-2], word[:-1], word[:-3] if len(word) > 4 and word[-3] == word[-4] else ""]
        for stem in stems:
            if stem in dictionary.verbs and len(stem) > 1:
                past = dictionary.verbs[stem][0]
                if past and not any(form.endswith("ed") for form in past):
                    return past[0]
    return None


_SINGULAR_AFTER = word_set("the a an this that my your his her our their every each")


def _between(texts: Texts, knowledge: Knowledge) -> Iterator[Hit]:
    del knowledge
    for name, text in texts.items():
        if " between " not in text and " among" not in text:
            continue
        pieces = [match.group() for match in _PIECE.finditer(text)]
        low = [piece.casefold() for piece in pieces]
        for place, word in enumerate(low):
            if word not in {"between", "among", "amongst"} or place + 2 >= len(low) or low[place + 1] not in _SINGULAR_AFTER:
                continue
            noun = place + 2
            while noun + 1 < len(low) and low[noun] in load_dictionary().adjectives and low[noun + 1] in load_dictionary().forms:
                noun += 1
            following = low[noun + 1] if noun + 1 < len(low) else "."
            is_singular = number_of_noun(low[noun]) == "sg" and low[noun] not in COLLECTIVES
            # "between the garden needs" is no compound where another condition has "between the gardens needs".
            varied = any(f"{word} {low[place + 1]} {low[noun]}s " in other.casefold() for other in texts.values())
            compound = (following in load_dictionary().nouns or following in load_dictionary().plurals) and not varied
            if is_singular and not compound and "and" not in low[noun + 1 : noun + 5]:
                yield Hit(f"“{' '.join(pieces[place : noun + 1])}”: after “{word}” there have to be two or more", condition=name)
                return


def _named_twice(texts: Texts, knowledge: Knowledge) -> Iterator[Hit]:
    for name, text in texts.items():
        words = [match.group().removesuffix("'s").removesuffix("’s") for match in _CAPITAL.finditer(text)]
        if len(set(words)) == len(words):
            continue
        counts = Counter(word for word in words if _is_name(word, knowledge))
        for word, number in counts.items():
            if number > 1 and not knowledge.classes("proper_names", word) & {"city", "country", "region", "brand", "day"}:
                yield Hit(f"“{word}” is named {number} times in one sentence", condition=name)
                return


def _is_name(word: str, knowledge: Knowledge) -> bool:
    if not word[:1].isupper() or word.isupper() or word in _NO_NAMES or word.casefold() in _DAYS:
        return False
    small = word.casefold()
    if "'" in word or "’" in word or small in FUNCTION_WORDS:
        return False
    is_word = small in load_dictionary().forms or small in load_dictionary().nouns
    return "given" in knowledge.classes("names", word) or not is_word


_DAYS = word_set(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november"
    " december christmas easter"
)
_NO_NAMES = frozenset({"The", "It", "I", "May", "Will", "Mr", "Mrs", "Ms", "Dr"})


def _article(texts: Texts, knowledge: Knowledge) -> Iterator[Hit]:
    del knowledge
    told: set[str] = set()
    for at in _words_of(texts):
        small, following = at.word.casefold(), at.after
        if (
            small not in {"a", "an"}
            or following in told
            or len(following) < 3
            or not (following.isalpha() and following.islower())
        ):
            continue
        wanted = "an" if starts_with_vowel(following) else "a"
        if wanted != small:
            told.add(following)
            yield Hit(f"“{at.word} {following}”: write “{wanted} {following}”", at.condition, remedy=f"Write “{wanted}”.")


def _relative(texts: Texts, knowledge: Knowledge) -> Iterator[Hit]:
    """*Who* after a thing, *which* after a person."""
    told: set[str] = set()
    for at in _words_of(texts):
        pronoun = at.after.casefold()
        if pronoun not in {"who", "which"} or at.word[:1].isupper() or at.word in told:
            continue
        if at.before.casefold() not in _SINGULAR_AFTER | _PLURAL_AFTER and at.before not in load_dictionary().adjectives:
            continue  # "we saw who" is about no saw.
        kinds = knowledge.classes("subjects", knowledge.singular_of(at.word.casefold()))
        is_thing = "mindless" in kinds and not kinds & {"person", "animal"}
        is_person = "person" in kinds and "mindless" not in kinds and at.third.casefold() in _AFTER_RELATIVE
        asked = any(verb in texts[at.condition].casefold().split() for verb in _ASKING)
        if (pronoun == "who" and is_thing and not asked) or (pronoun == "which" and is_person and not asked):
            told.add(at.word)
            meant = "which" if pronoun == "who" else "who"
            yield Hit(f"“{at.word} {at.after}”: the noun takes “{meant}” or “that”", at.condition, remedy=f"Write “{meant}”.")


_PLURAL_AFTER = word_set("these those some any no all both several many two three")
_AFTER_RELATIVE = word_set("the a an my your his her our their she he they we i you is was has had would will could can might no")
_ASKING = word_set(
    "ask asked asks tell told tells show showed shows inform informed remind reminded advise advised teach taught warn warned by with from"
)


_DEGREES: Mapping[str, str] = {"more": "er", "most": "est"}


def _compared(texts: Texts, knowledge: Knowledge) -> Iterator[Hit]:
    del knowledge
    told: set[str] = set()
    for at in _words_of(texts):
        ends = _DEGREES.get(at.small)
        word = at.after
        if ends is None or not word.endswith(ends) or word in told:
            continue
        stem = word.removesuffix(ends)
        stems = (
            stem,
            f"{stem}e",
            f"{stem[:-1]}y" if stem.endswith("i") else "",
            stem[:-1] if len(stem) > 3 and stem[-1] == stem[-2] else "",
        )
        adjectives = load_dictionary().adjectives
        if word not in adjectives and any(one in adjectives for one in stems):
            told.add(word)
            yield Hit(f"“{at.word} {word}”: compared twice", at.condition, remedy=f"Write “{word}”.")


_MAY_REPEAT = word_set("that had very so really far many much more long no never bye ha tut is do her")
_ALONE = word_set("the a an my your our their every")


def _word_twice(texts: Texts, knowledge: Knowledge) -> Iterator[Hit]:
    del knowledge
    told: set[str] = set()
    for at in _words_of(texts):
        one, other = at.word.casefold(), at.after.casefold()
        same = one == other and one not in _MAY_REPEAT and one[:1].isalpha()
        both = one in _ALONE and other in _ALONE and one != other
        if not (same or both) or not at.glued or (at.after[:1].isupper() and at.word != at.after):
            continue
        said = f"{at.word} {at.after}"
        if said.casefold() not in told:
            told.add(said.casefold())
            yield Hit(f"“{said}”: a word too many", at.condition, remedy="Take one out.")


RULES = (
    TextRule("L704", Severity.ERROR, _sounds_alike),
    TextRule("G201", Severity.WARNING, _misformed),
    TextRule("G202", Severity.WARNING, _between),
    TextRule("G204", Severity.WARNING, _article),
    TextRule("G205", Severity.WARNING, _word_twice),
    TextRule("G206", Severity.WARNING, _relative),
    TextRule("G207", Severity.WARNING, _compared),
    TextRule("G203", Severity.WARNING, _named_twice),
)
