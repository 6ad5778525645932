"""L1: the matrix frame has to embed a that-clause and a who-question alike."""

from __future__ import annotations

from collections.abc import Iterator

from gapsmith.bank import Severity
from gapsmith.vetting.rules.counted import LIKELY, Counted
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


def guessed_rogative(found: Counted) -> bool:
    """Whether a predicate in no list was counted with questions, and many times as often as with that-clauses: of the verbs in
    the list that were, nine of fourteen are rogative and two take both."""
    rates = load_word_rates()
    row = (rates.adjective if found.table.endswith("a") else rates.verb)(found.word)
    return row is not None and row.wh >= _QUESTIONS and row.wh >= _MANY_TIMES * row.that


_QUESTIONS = 5
_MANY_TIMES = 8


def is_told_beside(frame: FrameReading) -> bool:
    """Whether somebody or something stands between the predicate and its clause, such as *him*."""
    return frame.predicate is not None and bool(frame.tail) and frame.tail[0] in _PRONOUNS | _DETERMINERS


def is_hardly_told(found: Counted) -> bool:
    """Whether a predicate in no list is unlikely to take somebody who is told."""
    return found.guess.share("needs_addressee") + found.guess.share("takes_addressee") < LIKELY


def _agreement(words: Words) -> Iterator[Hit]:
    for word, frame in _frames(words):
        pieces = word.value.split()
        if len(pieces) > 1 and (right := _NOMINATIVES.get(pieces[0].casefold())) is not None:
            yield Hit(f"“{word.value}”: “{pieces[0]}” is no subject, “{right}” is", slot=word.slot)
        elif frame.predicate is not None and (wrong := disagreement(word.value, frame, words.knowledge)):
            subject, verb, right = wrong
            yield Hit(f"“{word.value}”: “{subject}” takes “{right}” and not “{verb}”", slot=word.slot)


def is_now(words: Words) -> bool:
    """Whether the matrix frame is in the present tense."""
    return any(frame.predicate is not None and is_present(frame, words.knowledge) for _, frame in _frames(words))


RULES = (WordRule("L112", Severity.ERROR, ("matrix",), _agreement),)
