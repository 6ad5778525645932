"""L1: the matrix frame has to embed a that-clause and a who-question alike."""

from __future__ import annotations

from collections.abc import Iterator

from gapsmith.bank import Severity
from gapsmith.vetting.rules.counted import LIKELY, Counted, counted
from gapsmith.vetting.rules.frames import FrameReading, read_frame
from gapsmith.vetting.rules.hits import Hit
from gapsmith.vetting.rules.model import Word, WordRule, Words
from gapsmith.vetting.rules.number_agreement import disagreement, is_present
from gapsmith.vetting.wordrates import load_word_rates
from gapsmith.vetting.wordset import word_set

_NOMINATIVES = {"me": "I", "us": "we", "him": "he", "them": "they"}
_PRONOUNS = word_set("me us you him her them it")
_DETERMINERS = word_set("the a an my your his her our their this that these those every each everyone everybody")


def _frames(words: Words) -> Iterator[tuple[Word, FrameReading]]:
    for word in words.with_role("matrix"):
        yield word, read_frame(word.value, words.knowledge)


_FLAWS = word_set("antirogative rogative doubtful polar none needs_addressee")


def _counted(frame: FrameReading) -> Counted | None:
    return counted(frame.guessed, frame.predicate) if frame.guessed and frame.predicate else None


def _rogative(words: Words) -> Iterator[Hit]:
    if words.fillers and "that" not in words.fillers:
        return  # "which" against "whether": no condition has a that-clause.
    filler = words.question
    for word, frame in _frames(words):
        said = f"“{word.value}”: {frame.predicate} takes a {filler}-question but no that-clause"
        if "rogative" in frame.classes:
            yield Hit(said, slot=word.slot)
        elif found := _counted(frame):
            if _hardly_that(frame):
                yield Hit(f"{said} (a guess: {found.says})", slot=word.slot, severity=Severity.INFO)
            else:
                yield from found.hits("rogative", _FLAWS, said, word.slot)


_QUESTIONS = 5
_MANY_TIMES = 8


def _hardly_that(frame: FrameReading) -> bool:
    """Whether a predicate in no list was counted with questions, and many times as often as with that-clauses: of the verbs in
    the list that were, nine of fourteen are rogative and two take both."""
    rates = load_word_rates()
    row = (rates.adjective if frame.guessed.endswith("a") else rates.verb)(frame.predicate or "")
    return row is not None and row.wh >= _QUESTIONS and row.wh >= _MANY_TIMES * row.that


def _unknown(words: Words) -> Iterator[Hit]:
    for word, frame in _frames(words):
        if frame.predicate is None and frame.other_verb is None:
            yield Hit(f"“{word.value}”: no predicate that the lists know", slot=word.slot)
        elif found := _counted(frame):
            counts = f"; counted: {found.told}" if found.told else ""
            yield Hit(f"“{word.value}”: {frame.predicate} is in no list of predicates{counts}", slot=word.slot)


def _no_clause(words: Words) -> Iterator[Hit]:
    for word, frame in _frames(words):
        if "none" in frame.classes:
            yield Hit(f"“{word.value}”: {frame.predicate} takes no clause", slot=word.slot)
        elif found := _counted(frame):
            yield from found.hits("none", _FLAWS, f"“{word.value}”: {frame.predicate} takes no clause", word.slot)
        elif frame.other_verb is not None:
            message = f"“{word.value}”: {frame.other_verb} is not known to take a clause"
            yield Hit(message, slot=word.slot, severity=Severity.WARNING)


def _negated(words: Words) -> Iterator[Hit]:
    for word, frame in _frames(words):
        if frame.negated and frame.predicate is not None and "polar" not in frame.classes:
            yield Hit(f"“{word.value}” is negative; polarity changes which clauses {frame.predicate} takes", slot=word.slot)


def _complementizer(words: Words) -> Iterator[Hit]:
    for word, frame in _frames(words):
        if frame.complementizer is not None:
            yield Hit(f"“{word.value}” already holds “{frame.complementizer}”; the filler would double it", slot=word.slot)


def _refused_object(words: Words) -> Iterator[Hit]:
    for word, frame in _frames(words):
        if not frame.tail or frame.classes & {"needs_addressee", "takes_addressee", "none"}:
            continue
        first = frame.tail[0]
        if frame.predicate is not None and (first in _PRONOUNS or first in _DETERMINERS):
            named = " ".join(frame.tail)
            hint = f"; say “to {named}”" if "refuses_addressee" in frame.classes else ""
            message = f"“{word.value}”: {frame.predicate} takes no object “{named}” beside the clause{hint}"
            if found := _counted(frame):
                told = found.guess.share("needs_addressee") + found.guess.share("takes_addressee")
                if told < LIKELY:
                    yield Hit(f"{message} (a guess: {found.says})", slot=word.slot, severity=Severity.INFO)
            else:
                yield Hit(message, slot=word.slot)


def _agreement(words: Words) -> Iterator[Hit]:
    for word, frame in _frames(words):
        pieces = word.value.split()
        if len(pieces) > 1 and (right := _NOMINATIVES.get(pieces[0].casefold())) is not None:
            yield Hit(f"“{word.value}”: “{pieces[0]}” is no subject, “{right}” is", slot=word.slot)
        elif frame.predicate is not None and (wrong := disagreement(word.value, frame, words.knowledge)):
            subject, verb, right = wrong
            yield Hit(f"“{word.value}”: “{subject}” takes “{right}” and not “{verb}”", slot=word.slot)


def matrix_in_present(words: Words, wanted: str) -> Iterator[tuple[str, str]]:
    """(frame, predicate) of the matrix frames in the present tense whose predicate is of that class."""
    for word, frame in _frames(words):
        if frame.predicate is not None and wanted in frame.classes and is_present(frame, words.knowledge):
            yield word.value, frame.predicate


_FREE = {"what": "thing", "where": "place"}
"""Question words that begin a free relative as well, and what that stands for. *Who*, *which* and *why* begin none in present-day
English (*I met who you invited*; Huddleston & Pullum 2002, chapter 12)."""


def _free_relative(words: Words) -> Iterator[Hit]:
    question = words.question
    for word, frame in _frames(words):
        if question.endswith("ever"):
            yield Hit(f"“{word.value} {question} …” is a free relative, and no question", slot=word.slot)
        elif question in _FREE and "takes_thing" in frame.classes:
            yield Hit(
                f"“{word.value}”: “{question} …” may be the {_FREE[question]} that one can {frame.predicate}, and no question",
                slot=word.slot,
            )


RULES = (
    WordRule("L102", Severity.ERROR, ("matrix",), _rogative),
    WordRule("L105", Severity.INFO, ("matrix",), _unknown),
    WordRule("L106", Severity.ERROR, ("matrix",), _no_clause),
    WordRule("L107", Severity.INFO, ("matrix",), _negated),
    WordRule("L109", Severity.ERROR, ("matrix",), _complementizer),
    WordRule("L111", Severity.ERROR, ("matrix",), _refused_object),
    WordRule("L112", Severity.ERROR, ("matrix",), _agreement),
    WordRule("L114", Severity.INFO, ("matrix",), _free_relative),
)
