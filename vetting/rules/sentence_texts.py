"""G2: what can be said of the words of the sentences as they stand, whatever their conditions and without a parse."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import pairwise

from gapsmith.bank import Severity
from gapsmith.templates import load_dictionary
from gapsmith.vetting.rules.clause_reading import FUNCTION_WORDS, number_of_noun
from gapsmith.vetting.rules.hits import Hit
from gapsmith.vetting.rules.knowledge import Knowledge
from gapsmith.vetting.rules.model import TextRule
from gapsmith.vetting.rules.nouns import starts_with_vowel
from gapsmith.vetting.rules.number_agreement import COLLECTIVES
from gapsmith.vetting.rules.spelling import homophones
from gapsmith.vetting.wordset import word_set

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_PIECE = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|[,;:.?!]")
Texts = Mapping[str, str]


def _sounds_alike(texts: Texts, knowledge: Knowledge) -> Iterator[Hit]:
    told: set[tuple[str, str]] = set()
    for name, text in texts.items():
        words = [match.group() for match in _WORD.finditer(text)]
        for wrong, meant in (*homophones(words, knowledge), *_confused(text, knowledge)):
            if (wrong, meant) not in told:
                told.add((wrong, meant))
                yield Hit(f"“{wrong}” sounds like “{meant}”, which is meant there", condition=name, remedy=f"Write “{meant}”.")


_COMPARED = word_set("then")


def _confused(text: str, knowledge: Knowledge) -> Iterator[tuple[str, str]]:
    pieces = [match.group().replace("’", "'") for match in _PIECE.finditer(text)]
    for place in range(len(pieces) - 1):
        first, second = pieces[place : place + 2]
        entry = knowledge.entry("confusions", f"{first.casefold()} {second.casefold()}")
        if entry is None or (first[:1].isupper() and second[:1].isupper()):
            continue
        # "was older then" may end a sentence; "older then Mary" may not.
        if second.casefold() in _COMPARED and not (place + 2 < len(pieces) and pieces[place + 2][0].isalpha()):
            continue
        yield f"{first} {second}", entry.values("meant")[0]


def _misformed(texts: Texts, knowledge: Knowledge) -> Iterator[Hit]:
    told: set[str] = set()
    for name, text in texts.items():
        for match in _WORD.finditer(text):
            word = match.group()
            if word in told or not word.islower() or len(word) < 4:
                continue
            right = _regularized(word)
            if right is not None and knowledge.entry("nouns", word) is None:
                told.add(word)
                yield Hit(f"“{word}” is no form of its word", name, match.start(), match.end(), remedy=f"Write “{right}”.")


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
        words = [match.group().removesuffix("'s").removesuffix("’s") for match in _WORD.finditer(text)]
        later = set(words[1:])
        counts = Counter(word for word in words if _is_name(word, knowledge) and word in later)
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
    for name, text in texts.items():
        pieces = [match.group() for match in _PIECE.finditer(text)]
        for article, following in pairwise(pieces):
            small = article.casefold()
            if small not in {"a", "an"} or not following.isalpha() or not following.islower() or len(following) < 3:
                continue
            wanted = "an" if starts_with_vowel(following) else "a"
            if wanted != small and following not in told:
                told.add(following)
                yield Hit(f"“{article} {following}”: write “{wanted} {following}”", condition=name, remedy=f"Write “{wanted}”.")


_MAY_REPEAT = word_set("that had very so really far many much more long no never bye ha tut is do her")
_ALONE = word_set("the a an my your our their every")


def _word_twice(texts: Texts, knowledge: Knowledge) -> Iterator[Hit]:
    del knowledge
    told: set[str] = set()
    for name, text in texts.items():
        matches = list(_PIECE.finditer(text))
        for before, after in pairwise(matches):
            first, second = before.group(), after.group()
            one, other = first.casefold(), second.casefold()
            if text[before.end() : after.start()].strip() or (second[:1].isupper() and first != second):
                continue
            same = one == other and one not in _MAY_REPEAT and one[0].isalpha()
            both = one in _ALONE and other in _ALONE and one != other
            if (same or both) and f"{one} {other}" not in told:
                told.add(f"{one} {other}")
                yield Hit(f"“{first} {second}”: a word too many", condition=name, remedy="Take one out.")


RULES = (
    TextRule("L704", Severity.ERROR, _sounds_alike),
    TextRule("G201", Severity.WARNING, _misformed),
    TextRule("G202", Severity.WARNING, _between),
    TextRule("G204", Severity.WARNING, _article),
    TextRule("G205", Severity.WARNING, _word_twice),
    TextRule("G203", Severity.WARNING, _named_twice),
)
