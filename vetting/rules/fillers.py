"""L5: what fills a gap: given names, one word each, that are nothing but names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from importlib import resources

from gapsmith.bank import Severity
from gapsmith.templates import load_dictionary
from gapsmith.vetting.rules.clause_reading import MODALS
from gapsmith.vetting.rules.counted import Counted, counted
from gapsmith.vetting.rules.hits import Hit
from gapsmith.vetting.rules.knowledge import Knowledge
from gapsmith.vetting.rules.model import Word, WordRule, Words

_POSSESSIVE = re.compile(r"['’]s?$")


def _fillers(words: Words) -> Iterator[tuple[Word, str]]:
    """The slots whose words fill a gap that asks for a person, with their role."""
    for role in ("name", "object") if words.asks_for_person else ("name",):
        for word in words.with_role(role):
            yield word, role


def is_common(name: str, knowledge: Knowledge) -> bool:
    """Whether a name is also a common noun of the lists, in the singular or the plural."""
    folded = name.casefold()
    return knowledge.entry("nouns", folded) is not None or folded in knowledge.plural_nouns


def is_listed_elsewhere(name: str, knowledge: Knowledge) -> bool:
    """Whether a name is known for something else than a given name, or is no name."""
    return knowledge.entry("proper_names", name) is not None or bool(knowledge.classes("function_words", name))


def counted_name(word: Word, words: Words) -> Counted | None:
    """What is guessed about a name that is in no list."""
    value = word.value
    listed = any(words.knowledge.entry(name, value) for name in ("names", "proper_names", "function_words"))
    return counted("names", value.casefold()) if value[:1].isupper() and not listed else None


_FLAWS = frozenset({"word", "place", "famous", "city", "country", "region", "brand", "person", "day"})


def _also_word(words: Words) -> Iterator[Hit]:
    for word, _ in _fillers(words):
        said = f"“{word.value}” is also the word “{word.value.casefold()}”"
        if word.value[:1].isupper() and "word" in words.knowledge.classes("names", word.value):
            small = word.value.casefold()
            # A capital tells, unless the word is a verb that could go on with the clause.
            harmless = words.knowledge.entry("verbs", small) is None and small not in MODALS
            yield Hit(said, slot=word.slot, severity=Severity.INFO if harmless or _only_counts(small) else None)
        elif found := counted_name(word, words):
            yield from found.hits("word", _FLAWS, said, word.slot)


def _only_counts(word: str) -> bool:
    """Whether a word is a count noun and neither verb nor adverb: without a determiner nobody reads it for a name (*Hazel*)."""
    known = load_dictionary()
    counts = known.nouns.get(word, (word,)) != (word,)
    return counts and word not in known.verbs and word not in known.adverbs


def _in_frame(words: Words) -> Iterator[Hit]:
    frame = {_POSSESSIVE.sub("", piece) for m in words.with_role("matrix") for piece in m.value.casefold().split()}
    for word, _ in _fillers(words):
        if word.value.casefold() in frame and word.value[:1].isupper():
            yield Hit(f"“{word.value}” stands in the matrix frame as well", slot=word.slot)


_WHAT = {
    "city": "a city",
    "country": "a country",
    "region": "a part of the world",
    "brand": "a company or a product",
    "day": "a day, a month or a holiday",
}


@lru_cache(maxsize=1)
def _zone_cities() -> frozenset[str]:
    """Cities after which the time zones of the IANA's database are named (``Europe/Helsinki``), of one word, in small letters."""
    zones = (resources.files("tzdata") / "zones").read_text(encoding="utf-8").split()
    parts = [zone.split("/") for zone in zones]
    return frozenset(city[1].casefold() for city in parts if len(city) == 2 and city[0] in _CONTINENTS and "_" not in city[1])


_CONTINENTS = frozenset({"Africa", "America", "Asia", "Europe"})


def _more_than_a_name(words: Words) -> Iterator[Hit]:
    for word, _ in _fillers(words):
        kinds = words.knowledge.classes("names", word.value)
        others = words.knowledge.classes("proper_names", word.value)
        if "place" in kinds:
            yield Hit(f"“{word.value}” is at least as well known as a place", slot=word.slot)
        elif "famous" in kinds or ("person" in others and not kinds):
            yield Hit(f"“{word.value}” is one person above all", slot=word.slot)
        elif others and not kinds and word.value[:1].isupper():
            what = _WHAT[sorted(others)[0]]
            yield Hit(f"“{word.value}” is {what} and no person", slot=word.slot, severity=Severity.WARNING)
        elif not kinds and word.value[:1].isupper() and word.value.casefold() in _zone_cities():
            yield Hit(f"“{word.value}” is also a city, after which a time zone is named", slot=word.slot)
        elif found := counted_name(word, words):
            for kind, what in _WHAT.items():
                yield from found.hits(kind, _FLAWS, f"“{word.value}” is {what} and no person", word.slot)
            said = f"“{word.value}” is one person above all"
            yield from found.hits("person", _FLAWS, said, word.slot, Severity.INFO)


def _person_for_what(words: Words) -> Iterator[Hit]:
    if words.asks_for_person or "what" not in words.fillers:
        return
    for word in words.with_role("object"):
        head = word.value.split()[-1:] or [""]
        named = head[0][:1].isupper() and words.knowledge.entry("names", head[0]) is not None
        if named or "person" in words.knowledge.classes("nouns", head[0]):
            yield Hit(f"“{word.value}” is a person, for whom “what” does not ask", slot=word.slot)


def _twice(words: Words) -> Iterator[Hit]:
    names: dict[str, Word] = {}
    for word in words.with_role("name"):
        # Of slots their paradigm says whether they have to differ (T100).
        if word.value.casefold() in names and word.is_read:
            yield Hit(f"“{word.value}” fills two gaps", slot=word.slot)
        names.setdefault(word.value.casefold(), word)


_ROLES = ("name", "object")


def _rule(code: str, severity: Severity, roles: tuple[str, ...], check: Callable[[Words], Iterator[Hit]]) -> WordRule:
    return WordRule(code, severity, roles, check, subjects=_ROLES)


RULES = (
    _rule("L502", Severity.WARNING, _ROLES, _also_word),
    _rule("L503", Severity.ERROR, (*_ROLES, "matrix"), _in_frame),
    _rule("L507", Severity.INFO, _ROLES, _more_than_a_name),
    WordRule("L511", Severity.WARNING, ("name",), _twice),
    WordRule("L508", Severity.WARNING, ("object",), _person_for_what),
)
