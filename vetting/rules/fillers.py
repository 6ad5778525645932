"""L5: what fills a gap: given names, one word each, that are nothing but names."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources

from gapsmith.templates import load_dictionary
from gapsmith.vetting.rules.counted import Counted, counted
from gapsmith.vetting.rules.knowledge import Knowledge
from gapsmith.vetting.rules.model import Word, Words


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


def only_counts(word: str) -> bool:
    """Whether a word is a count noun and neither verb nor adverb: without a determiner nobody reads it for a name (*Hazel*)."""
    known = load_dictionary()
    counts = known.nouns.get(word, (word,)) != (word,)
    return counts and word not in known.verbs and word not in known.adverbs


@lru_cache(maxsize=1)
def zone_cities() -> frozenset[str]:
    """Cities after which the time zones of the IANA's database are named (``Europe/Helsinki``), of one word, in small letters."""
    zones = (resources.files("tzdata") / "zones").read_text(encoding="utf-8").split()
    parts = [zone.split("/") for zone in zones]
    return frozenset(city[1].casefold() for city in parts if len(city) == 2 and city[0] in _CONTINENTS and "_" not in city[1])


_CONTINENTS = frozenset({"Africa", "America", "Asia", "Europe"})
