"""Words as rows of the table look them up: each list has its own way of finding a word in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from gapsmith.templates import NO_PART
from gapsmith.vetting.rules.adverbs import adverb_classes, counted_adverb
from gapsmith.vetting.rules.counted import Counted, counted
from gapsmith.vetting.rules.embedding import embedder_classes
from gapsmith.vetting.rules.fillers import counted_name
from gapsmith.vetting.rules.frames import FrameReading, read_frame
from gapsmith.vetting.rules.knowledge import Knowledge
from gapsmith.vetting.rules.linker_grammar import LinkerReading, read_linker
from gapsmith.vetting.rules.model import Word, Words
from gapsmith.vetting.rules.nouns import counted_noun, noun_classes
from gapsmith.vetting.rules.verbs import base_forms, counted_verb, verb_lemma
from gapsmith.vetting.rules.wording import pieces_of
from gapsmith.vetting.wordset import word_set


class LookedUp(NamedTuple):
    """A word as a list has it."""

    word: Word
    head: str
    """The entry that it was looked up as; empty where nothing in it could be."""
    classes: frozenset[str] | None
    """None where the list does not have the word."""
    guess: Counted | None = None
    frame: FrameReading | None = None
    linker: LinkerReading | None = None
    following: tuple[str, ...] = ()
    """The next two words of a phrase that is looked up word by word."""

    @property
    def value(self) -> str:
        """The word as it stands."""
        return self.word.value


def _verb(word: Word, words: Words) -> LookedUp:
    lemma = verb_lemma(word, words)
    if lemma is not None:
        return LookedUp(word, lemma, words.knowledge.classes("verbs", lemma))
    return LookedUp(word, word.value, None, counted_verb(word, words))


def _noun(word: Word, words: Words) -> LookedUp:
    classes = noun_classes(word.value, words.knowledge)
    return LookedUp(word, word.value, classes or None, counted_noun(word, words))


def _adverb(word: Word, words: Words) -> LookedUp:
    if len(word.value.split()) != 1:
        return LookedUp(word, word.value, None)
    return LookedUp(word, word.value, adverb_classes(word.value, words.knowledge) or None, counted_adverb(word, words))


def _linker(word: Word, words: Words) -> LookedUp | None:
    if not word.value.split():
        return None
    reading = read_linker(word.value, words.knowledge)
    if reading.excess is not None or reading.head is None:
        return LookedUp(word, reading.head or "", None, linker=reading)
    guess = counted(reading.guessed, reading.head) if reading.guessed else None
    return LookedUp(word, reading.head, None if guess else reading.classes, guess, linker=reading)


def _predicate(word: Word, words: Words) -> LookedUp:
    frame = read_frame(word.value, words.knowledge)
    if frame.predicate is None:
        return LookedUp(word, "", None, frame=frame)
    guess = counted(frame.guessed, frame.predicate) if frame.guessed else None
    return LookedUp(word, frame.predicate, None if guess else frame.classes, guess, frame)


def _embedder(word: Word, words: Words) -> LookedUp:
    return LookedUp(word, word.value, embedder_classes(word, words) or None)


def _name(word: Word, words: Words) -> LookedUp:
    return LookedUp(word, word.value, words.knowledge.classes("names", word.value) or None, counted_name(word, words))


def _subject(word: Word, words: Words) -> LookedUp | None:
    if not word.value.split() or word.value[:1].isupper():
        return None
    last = words.knowledge.singular_of(word.value.split()[-1].casefold())
    return LookedUp(word, last, words.knowledge.classes("subjects", last) or None)


def _proper_name(word: Word, words: Words) -> LookedUp:
    known = words.knowledge.classes("proper_names", word.value) or None
    return LookedUp(word, word.value, known, counted_name(word, words))


def _use(word: Word, words: Words) -> LookedUp:
    lemma = verb_lemma(word, words) or word.value.casefold()
    return LookedUp(word, lemma, words.knowledge.classes("verb_uses", lemma) or None)


def _offensive(word: Word, words: Words) -> Iterator[LookedUp]:
    known = words.knowledge.readings
    for piece in pieces_of(word.value):
        key = "offensive", piece
        if key not in known:
            known[key] = _offensive_classes(piece.casefold(), words.knowledge)
        classes = known[key]
        assert classes is None or isinstance(classes, frozenset)
        yield LookedUp(word if piece == word.value else Word(word.slot, piece), piece.casefold(), classes)


def _offensive_classes(word: str, knowledge: Knowledge) -> frozenset[str] | None:
    forms = [word, *(form.lemma for form in knowledge.verb_forms.get(word, ())), *([word[:-1]] if word.endswith("s") else [])]
    return frozenset().union(*(knowledge.classes("offensive", form) for form in forms)) or None


def _stereotype(word: Word, words: Words) -> Iterator[LookedUp]:
    pieces = word.value.split()
    for place, piece in enumerate(pieces):
        classes = words.knowledge.classes("stereotypes", piece) or None
        yield LookedUp(Word(word.slot, piece), piece, classes, following=tuple(pieces[place + 1 : place + 3]))


def _as_it_stands(name: str) -> Callable[[Word, Words], LookedUp]:
    """Closed classes, in which a longer phrase is looked up for no word of it."""
    return lambda word, words: LookedUp(word, word.value, words.knowledge.classes(name, word.value) or None)


_BY_WORD: Mapping[str, Callable[[Word, Words], Iterable[LookedUp]]] = {"offensive": _offensive, "stereotypes": _stereotype}
"""Lists in which each word of a phrase is looked up by itself."""
_READERS: Mapping[str, Callable[[Word, Words], LookedUp | None]] = {
    "verbs": _verb,
    "nouns": _noun,
    "adverbs": _adverb,
    "linkers": _linker,
    "predicates": _predicate,
    "embedders": _embedder,
    "names": _name,
    "subjects": _subject,
    "proper_names": _proper_name,
    "verb_uses": _use,
    "function_words": _as_it_stands("function_words"),
    "prepositions": _as_it_stands("prepositions"),
}


_OF_VERBS = word_set("verb adjunct_verb conjunct bridge question content_verb target gap_governor island_governor embedding_verb")
_OF_NOUNS = word_set("noun object subject subject_head content_noun plural shared controller attractor")


def _by_role(name: str, role: str, word: Word, words: Words) -> LookedUp:
    """The word in any other list: as it stands, or as what its role is listed under in those above."""
    for head in (word.value, *_heads(role, word, words)):
        if head and (entry := words.knowledge.entry(name, head)) is not None:
            return LookedUp(word, entry.form, frozenset(entry.values("class")))
    return LookedUp(word, word.value, None)


def _heads(role: str, word: Word, words: Words) -> Iterator[str]:
    if role in _OF_VERBS:
        yield from base_forms(word, words)
    elif role in _OF_NOUNS:
        last = word.value.casefold().rpartition(" ")[2]
        yield last
        yield words.knowledge.singular_of(last)
    elif role == "matrix":
        yield read_frame(word.value, words.knowledge).predicate or ""
    elif role == "linker" and word.value.split():
        yield read_linker(word.value, words.knowledge).head or ""
    elif role in NO_PART and " " not in word.value:
        # Nothing tells a verb from a noun here, so that the list does.
        yield from base_forms(word, words)
        yield words.knowledge.singular_of(word.value.casefold())


def is_by_role(name: str) -> bool:
    """Whether the role of a word decides what it is looked up as in a list: in each that has no way of its own."""
    return name not in _READERS and name not in _BY_WORD


def look_up(name: str, role: str, word: Word, words: Words) -> tuple[LookedUp, ...]:
    """A word in a role as the list called `name` has it, or each word of a phrase; none where the list is not asked about such a word."""
    key = (f"{name}:{role}", word) if is_by_role(name) else (name, word)
    found = words.read.get(key)
    if found is None:
        found = words.read[key] = tuple(_looked_up(name, role, word, words))
    assert isinstance(found, tuple)
    return found


def _looked_up(name: str, role: str, word: Word, words: Words) -> Iterable[LookedUp]:
    if is_by_role(name):
        return (_by_role(name, role, word, words),)
    if name in _BY_WORD:
        return _BY_WORD[name](word, words)
    found = _READERS[name](word, words)
    return () if found is None else (found,)
