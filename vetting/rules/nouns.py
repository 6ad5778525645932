"""L4: the island's head noun, its determiner and its preposition."""

from __future__ import annotations

from collections.abc import Iterator

from gapsmith.bank import Severity
from gapsmith.templates import Entry, Paradigm, load_dictionary, violated_constraint
from gapsmith.vetting.rules.counted import SURE, Counted, counted
from gapsmith.vetting.rules.hits import Hit
from gapsmith.vetting.rules.knowledge import Knowledge
from gapsmith.vetting.rules.linker_grammar import read_linker
from gapsmith.vetting.rules.model import ItemRule, Word, WordRule, Words
from gapsmith.vetting.rules.view import DETERMINERS, ItemView
from gapsmith.vetting.wordrates import load_word_rates
from gapsmith.vetting.wordset import word_set

_AMOUNTS = word_set("few dozen hundred thousand million couple two three four five six ten good great further whole")
"""After which a plural may follow a singular determiner: a few investors, every two weeks."""
_PLURAL_DETERMINERS = word_set("these those both many few several two three")
_SAYS_OR_SHOWS = frozenset({"content", "image", "event"})
_VOWEL_SOUND = ("honest", "hour", "heir", "honor", "x-ray", "mri", "fbi")
_CONSONANT_SOUND = ("uni", "use", "usu", "eu", "one", "once", "ubiq", "ufo", "ukulele")


def _singular(noun: str, knowledge: Knowledge) -> tuple[str, bool]:
    """The noun as the list has it, and whether it stood in the plural. Of a phrase, the last word counts."""
    folded = noun.casefold()
    for form in (folded, folded.rpartition(" ")[2]):
        if knowledge.entry("nouns", form) is not None:
            return form, "plural" in knowledge.classes("nouns", form)
        if form in knowledge.plural_nouns:
            return knowledge.plural_nouns[form], True
    return folded, False


def noun_classes(noun: str, knowledge: Knowledge) -> frozenset[str]:
    """The classes of a noun in the singular or the plural, empty where the list does not know it."""
    return knowledge.classes("nouns", _singular(noun, knowledge)[0])


def is_mindless(noun: Word, words: Words) -> bool:
    """Whether the noun is of what says or shows something and can feel nothing; of a noun in no list, whether that is likely."""
    if found := counted_noun(noun, words):
        return max(found.guess.share(kind) for kind in _SAYS_OR_SHOWS) >= _EVEN
    return bool(_classes(noun, words) & _SAYS_OR_SHOWS)


_EVEN = 0.5


def _classes(noun: Word, words: Words) -> frozenset[str]:
    return noun_classes(noun.value, words.knowledge)


def counted_noun(noun: Word, words: Words) -> Counted | None:
    """What is guessed about a noun that is in no list."""
    if _classes(noun, words):
        return None
    last = noun.value.casefold().rpartition(" ")[2]
    return counted("nouns", last) or counted("nouns", load_dictionary().plurals.get(last, last))


def _preposition(words: Words) -> Iterator[Hit]:
    for noun in words.with_role("noun"):
        if found := counted_noun(noun, words):
            yield from _counted_preposition(noun, found, words)
        entry = words.knowledge.entry("nouns", _singular(noun.value, words.knowledge)[0])
        if entry is None or not _SAYS_OR_SHOWS & set(entry.values("class")):
            continue
        taken = entry.values("preposition")
        for preposition in words.with_role("preposition"):
            if preposition.value.casefold() not in taken and preposition.value.casefold() in _JUDGED:
                wanted = " or ".join(f"“{noun.value} {p}”" for p in taken)
                yield Hit(f"“{noun.value} {preposition.value}” with a person: the noun takes {wanted}", slot=preposition.slot)


_JUDGED = frozenset({"about", "of"})
"""The prepositions that the list says of every noun whether it takes them; of *against* and *to* it has no opinion."""


def _counted_preposition(noun: Word, found: Counted, words: Words) -> Iterator[Hit]:
    """Nouns like it take another preposition, and none takes this one."""
    prepositions = {kind[1:]: share for kind, share in found.guess.kinds.items() if kind.startswith("+")}
    best = max(prepositions, key=lambda name: prepositions[name], default="")
    for preposition in words.with_role("preposition"):
        value = preposition.value.casefold()
        if value not in _JUDGED:
            continue
        if _counts_say(found.word, value, best):
            continue
        share = prepositions.get(best, 0)
        if share >= max(_LIKELY_PREPOSITION, _FAR_LIKELIER * prepositions.get(value, _KEPT)):
            sure = value not in prepositions and share >= SURE
            yield Hit(
                f"“{noun.value} {preposition.value}” with a person: the noun is likely to take “{noun.value} {best}”"
                f" (a guess, {prepositions[best]:.0%}: {found.says})",
                slot=preposition.slot,
                severity=Severity.WARNING if sure else Severity.INFO,
            )


_LIKELY_PREPOSITION = 0.3
_FAR_LIKELIER = 2.5
_KEPT = 0.08
"""Smaller probabilities are not in the table."""


def _counts_say(noun: str, preposition: str, other: str) -> bool:
    """Whether the noun was counted with the preposition at least as often as with the other, and with *of* before persons."""
    row = load_word_rates().noun(noun)
    if row is None or (preposition == "of" and row.of_person < max(1, _PERSONS * row.of)):
        return False
    counts = {"of": row.of, "about": row.about}
    return counts.get(preposition, 0) > 0 and counts.get(preposition, 0) >= counts.get(other, 0)


_PERSONS = 0.02
"""Of the phrases under *of* as many have a person in them, where the noun is about one: *portrait of her*, but *rumor of war*."""


JUDGED_PREPOSITIONS = word_set("about against at for from in of on to with toward towards into over upon")
"""The prepositions that the list of complements says of its nouns whether they take them."""


def _complement(words: Words) -> Iterator[Hit]:
    # Of nouns that the list of nouns knows, L401 says it.
    if any(hit.severity is not Severity.INFO for hit in _preposition(words)):
        return
    for noun in words.with_role("noun"):
        last = words.knowledge.singular_of(noun.value.casefold().rpartition(" ")[2])
        entry = words.knowledge.entry("noun_complements", last)
        for preposition in words.with_role("preposition") if entry is not None else ():
            said = wrong_preposition(entry, preposition.value.casefold()) if entry is not None else None
            if said is not None:
                yield Hit(f"“{noun.value} {preposition.value}”: the noun {said}", slot=preposition.slot)


def wrong_preposition(entry: Entry, preposition: str) -> str | None:
    """What a noun goes with instead; None for a preposition that it may have."""
    classes, taken = entry.values("class"), entry.values("preposition")
    if "phrase" in classes and preposition in JUDGED_PREPOSITIONS and preposition not in taken:
        return f"goes with {' or '.join(f'“{p}”' for p in taken[:3])}"
    return "takes no phrase with “about”" if preposition == "about" and "no_about" in classes else None


def noun_number(noun: str, knowledge: Knowledge) -> str | None:
    """``singular`` or ``plural``, by the lists and else by the dictionary; None where the form does not tell."""
    form, plural = _singular(noun, knowledge)
    if plural:
        return "plural"
    if knowledge.entry("nouns", form) is not None:
        # A collective noun goes with either; "sheep" and "series" are either.
        return None if load_dictionary().nouns.get(form) == (form,) and not _is_mass(form, knowledge) else "singular"
    return load_dictionary().number(noun.split()[-1] if noun.split() else "")


def _is_mass(form: str, knowledge: Knowledge) -> bool:
    return "mass" in knowledge.classes("nouns", form)


def _number(words: Words) -> Iterator[Hit]:
    heads = [(noun, noun.value) for role in ("noun", "subject_head") for noun in words.with_role(role)]
    heads += [(island, head) for island in words.with_role("island") if (head := _island_head(island.value)) is not None]
    for place, noun in heads:
        own = noun_number(noun, words.knowledge)
        for linker in words.with_role("linker"):
            number = read_linker(linker.value, words.knowledge).number
            if own == "plural" and number == "singular":
                yield Hit(f"“{noun}” is plural, its linker “{linker.value}” is singular", slot=place.slot)


def _island_head(island: str) -> str | None:
    """The noun that an island with an infinitive hangs on: *the refusal to pardon*; None of other islands."""
    noun, to, _ = island.partition(" to ")
    last = noun.rpartition(" ")[2]
    return last if to and last.isalpha() and load_dictionary().number(last) is not None else None


def _sense(view: ItemView) -> Iterator[Hit]:
    for constraint in view.paradigm.constraints:
        if constraint.kind != "match" or not all(name in view.slots for name in constraint.slots):
            continue
        pair = {name: view.slots[name] for name in constraint.slots}
        if _mismatch(view.paradigm, pair):
            words = " and ".join(f"“{value}”" for value in pair.values())
            yield Hit(f"{words} are not known to make sense together", slot=constraint.slots[-1])


def _mismatch(paradigm: Paradigm, pair: dict[str, str]) -> bool:
    return violated_constraint(paradigm, pair) is not None


def _article(words: Words) -> Iterator[Hit]:
    for role in ("object", "subject"):
        for phrase in words.with_role(role):
            first, *between, last = phrase.value.split() if " " in phrase.value else ("", "")
            if first.casefold() in DETERMINERS and len(between) < 2 and between[-1:] != ["of"]:
                problem = _article_problem(first.casefold(), last, words.knowledge, next=(*between, last)[0])
                if problem:
                    yield Hit(f"“{phrase.value}”: {problem}", slot=phrase.slot)
    for determiner in words.with_role("determiner"):
        for noun in words.with_role("noun"):
            problem = _article_problem(determiner.value.casefold(), noun.value, words.knowledge)
            if problem:
                yield Hit(f"“{determiner.value} {noun.value}”: {problem}", slot=determiner.slot)


def _article_problem(determiner: str, noun: str, knowledge: Knowledge, next: str = "") -> str | None:
    """What is wrong with a determiner before a noun; `next` is the word after it, where that is not the noun."""
    form = _singular(noun, knowledge)[0]
    number = noun_number(noun, knowledge)
    if next.casefold() in _AMOUNTS:
        return None
    if determiner in {"a", "an", "every", "each", "another"}:
        if _is_mass(form, knowledge) and number != "plural":
            return "a mass noun takes no such determiner"
        if number == "plural":
            return "the determiner is singular, the noun plural"
    if determiner in _PLURAL_DETERMINERS and number == "singular":
        return "the determiner is plural, the noun singular"
    if determiner in {"this", "that"} and number == "plural":
        return "the determiner is singular, the noun plural"
    if determiner in {"a", "an"} and ("an" if starts_with_vowel(next or noun) else "a") != determiner:
        return f"write “{'an' if determiner == 'a' else 'a'} {next or noun}”"
    return None


def starts_with_vowel(noun: str) -> bool:
    """Whether a word begins with the sound of a vowel."""
    folded = noun.casefold()
    if folded.startswith(_VOWEL_SOUND):
        return True
    return folded[:1] in set("aeioué") and not folded.startswith(_CONSONANT_SOUND)


RULES = (
    WordRule("L401", Severity.ERROR, ("noun", "preposition"), _preposition),
    WordRule("L403", Severity.ERROR, ("noun", "subject_head", "island", "linker"), _number, ("noun", "subject_head", "island")),
    ItemRule("L406", Severity.INFO, _sense),
    WordRule("L414", Severity.WARNING, ("noun", "preposition"), _complement),
    WordRule("L410", Severity.ERROR, ("determiner", "noun", "object", "subject"), _article, ("determiner", "object", "subject")),
)
