"""Rules that are rows of the table (`gapsmith.vetting.rules.word_rows`): the word is looked up in the row's list, and the row says what
its property means. The only place that carries rows out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from gapsmith.vetting.rules.adverbs import adverb_classes, counted_adverb
from gapsmith.vetting.rules.counted import Counted, counted
from gapsmith.vetting.rules.embedding import embedder_classes
from gapsmith.vetting.rules.frames import FrameReading, read_frame
from gapsmith.vetting.rules.hits import Hit
from gapsmith.vetting.rules.knowledge import Knowledge, shipped_rows
from gapsmith.vetting.rules.linker_grammar import read_linker
from gapsmith.vetting.rules.model import Word, WordRule, Words
from gapsmith.vetting.rules.nouns import counted_noun, noun_classes, noun_number
from gapsmith.vetting.rules.rule_pages import RulePage
from gapsmith.vetting.rules.verbs import counted_verb, verb_lemma
from gapsmith.vetting.rules.word_rows import CONDITIONS, RuleRow, by_code
from gapsmith.vetting.wordrates import Rate, load_word_rates
from gapsmith.vetting.wordset import word_set

_FLAWS: Mapping[str, frozenset[str]] = {
    "predicates": word_set("antirogative rogative doubtful polar none needs_addressee"),
    "verbs": word_set("object_drop intransitive inchoative thing_object clausal agentive"),
    "linkers": word_set("tough ready control purpose"),
    "nouns": word_set("thing person no_person"),
    "adverbs": word_set("nominal opener no_adverb manner misfit present recent earlier past medial polarity sofar"),
}
"""List to the classes among which a guess has to be likely to be told."""
_READ_BESIDE: Mapping[str, tuple[str, ...]] = {"verbs": ("linker",)}
"""List to the roles that decide which of its entries a word is: the linker says which form its verb has."""


@dataclass(frozen=True, slots=True)
class _Looked:
    """A word as a list has it."""

    word: str
    """As it stands."""
    head: str
    classes: frozenset[str] | None
    """None where the list does not have the word."""
    guess: Counted | None = None
    frame: FrameReading | None = None


def _verb(word: Word, words: Words) -> _Looked | None:
    lemma = verb_lemma(word, words)
    if lemma is not None:
        return _Looked(word.value, lemma, words.knowledge.classes("verbs", lemma))
    return _Looked(word.value, word.value, None, counted_verb(word, words))


def _noun(word: Word, words: Words) -> _Looked | None:
    classes = noun_classes(word.value, words.knowledge)
    return _Looked(word.value, word.value, classes or None, counted_noun(word, words))


def _adverb(word: Word, words: Words) -> _Looked | None:
    if len(word.value.split()) != 1:
        return None
    return _Looked(word.value, word.value, adverb_classes(word.value, words.knowledge) or None, counted_adverb(word, words))


def _linker(word: Word, words: Words) -> _Looked | None:
    reading = read_linker(word.value, words.knowledge) if word.value.split() else None
    if reading is None or reading.excess is not None or reading.head is None:
        return None
    guess = counted(reading.guessed, reading.head) if reading.guessed else None
    return _Looked(word.value, reading.head, None if guess else reading.classes, guess)


def _predicate(word: Word, words: Words) -> _Looked | None:
    frame = read_frame(word.value, words.knowledge)
    if frame.predicate is None:
        return None
    guess = counted(frame.guessed, frame.predicate) if frame.guessed else None
    return _Looked(word.value, frame.predicate, None if guess else frame.classes, guess, frame)


def _embedder(word: Word, words: Words) -> _Looked | None:
    return _Looked(word.value, word.value, embedder_classes(word, words) or None)


def _subject(word: Word, words: Words) -> _Looked | None:
    if not word.value.split() or word.value[:1].isupper():
        return None
    last = words.knowledge.singular_of(word.value.split()[-1].casefold())
    return _Looked(word.value, last, words.knowledge.classes("subjects", last) or None)


_READERS: Mapping[str, Callable[[Word, Words], _Looked | None]] = {
    "verbs": _verb,
    "nouns": _noun,
    "adverbs": _adverb,
    "linkers": _linker,
    "predicates": _predicate,
    "embedders": _embedder,
    "subjects": _subject,
}


def _plain(name: str, word: Word, words: Words) -> _Looked:
    return _Looked(word.value, word.value, words.knowledge.classes(name, word.value) or None)


def _is_met(condition: str, looked: _Looked, words: Words) -> bool:
    frame = looked.frame
    match condition:
        case "person":
            return words.asks_for_person
        case "island" | "followed":
            return any(words.with_role(role) for role in CONDITIONS[condition])
        case "of_or_about":
            prepositions = {word.value.casefold() for word in words.with_role("preposition")}
            return not prepositions or bool(prepositions & {"of", "about"})
        case "negated" | "affirmative":
            held_against_that = condition != "negated" or not words.fillers or "that" in words.fillers
            return frame is not None and frame.negated is (condition == "negated") and held_against_that
        case "untold":
            return frame is not None and not frame.tail and not frame.passive
        case "bare":
            return looked.word.islower() and " " not in looked.word and noun_number(looked.word, words.knowledge) == "singular"
        case "object_usual" | "object_optional":
            rate = _with_object(looked.head)
            usual = rate.total >= _COUNTED_ENOUGH and rate.count >= _USUAL * rate.total
            return usual is (condition == "object_usual")
    raise AssertionError(condition)


_COUNTED_ENOUGH, _USUAL = 30, 0.8
"""Verbs that the list has as needing an object were counted with one in 80 % of the clauses, in the median."""


def _with_object(verb: str) -> Rate:
    row = load_word_rates().verb(verb)
    return row.object_rate if row is not None else Rate(0, 0)


def _check(code: str, words: Words) -> Iterator[Hit]:
    for row in words.knowledge.rows.get(code, ()):
        reader = _READERS.get(row.list) or partial(_plain, row.list)
        for word in (word for role in row.roles for word in words.with_role(role)):
            looked = reader(word, words)
            if looked is None or not all(_is_met(condition, looked, words) for condition in row.when):
                continue
            if row.holds(looked.classes):
                yield Hit(_said(row, word, looked, words), slot=word.slot, severity=row.severity, remedy=row.remedy)
            elif looked.classes is None and looked.guess is not None and row.guess is not None:
                said = _said(row, word, looked, words)
                yield from looked.guess.hits(row.kind, _FLAWS[row.list], said, word.slot, row.guess)


def _said(row: RuleRow, word: Word, looked: _Looked, words: Words) -> str:
    return row.message.format(word=word.value, head=looked.head, question=words.question, counts=_with_object(looked.head))


def row_rule(code: str, rows: tuple[RuleRow, ...]) -> WordRule:
    """The rule that the rows of one code make; it reads the roles that they name, and those that decide how a word is read."""
    subjects = tuple(dict.fromkeys(role for row in rows for role in row.roles))
    beside = (
        *(role for row in rows for role in _READ_BESIDE.get(row.list, ())),
        *(role for row in rows for condition in row.when for role in CONDITIONS[condition]),
    )
    return WordRule(code, rows[0].severity, tuple(dict.fromkeys((*subjects, *beside))), partial(_check, code), subjects)


def own_page(code: str, knowledge: Knowledge) -> RulePage:
    """What there is to read about a rule of a workspace's table: its rows."""
    rows = knowledge.rows[code]
    told = "; ".join(
        f"{'|'.join(row.roles)} with {'|'.join('+'.join(some) for some in row.wanted)} in {row.list}" for row in rows
    )
    remedy = next((row.remedy for row in rows if row.remedy), "Look at it.")
    return RulePage(code, "Rule of the workspace", f"{told}.", (), (), f"The row stands in {rows[0].place}.", remedy, ())


RULES = tuple(row_rule(code, rows) for code, rows in by_code(shipped_rows()).items())
