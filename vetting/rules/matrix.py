"""L1: the matrix frame has to embed a that-clause and a who-question alike."""

from __future__ import annotations

from collections.abc import Iterator

from bank import Severity
from vetting.rules.agreement import disagreement, is_present
from vetting.rules.frames import FrameReading, read_frame
from vetting.rules.model import Hit, Word, WordRule, Words
from vetting.rules.wordset import word_set

__all__ = ["RULES", "matrix_in_present"]

_PRONOUNS = word_set("me us you him her them it")
_DETERMINERS = word_set("the a an my your his her our their this that these those every each everyone everybody")


def _frames(words: Words) -> Iterator[tuple[Word, FrameReading]]:
    for word in words.with_role("matrix"):
        yield word, read_frame(word.value, words.knowledge)


def _filler(words: Words) -> str:
    return "who" if words.asks_for_person else "what"


def _antirogative(words: Words) -> Iterator[Hit]:
    for word, frame in _frames(words):
        if "antirogative" in frame.classes:
            yield Hit(
                f"“{word.value}”: {frame.predicate} takes a that-clause but no {_filler(words)}-question",
                slot=word.slot,
            )


def _rogative(words: Words) -> Iterator[Hit]:
    for word, frame in _frames(words):
        if "rogative" in frame.classes:
            yield Hit(
                f"“{word.value}”: {frame.predicate} takes a {_filler(words)}-question but no that-clause",
                slot=word.slot,
            )


def _doubtful(words: Words) -> Iterator[Hit]:
    for word, frame in _frames(words):
        if "doubtful" in frame.classes:
            yield Hit(
                f"“{word.value}”: a {_filler(words)}-question under {frame.predicate} is doubtful", slot=word.slot
            )


def _polar(words: Words) -> Iterator[Hit]:
    for word, frame in _frames(words):
        if "polar" in frame.classes:
            question = f"{_filler(words)}-question"
            if frame.negated:
                message = f"with its negation, {frame.predicate} takes a {question} more readily than a that-clause"
            else:
                message = f"{frame.predicate} takes a {question} only under a negation or in a question"
            yield Hit(f"“{word.value}”: {message}", slot=word.slot)


def _unknown(words: Words) -> Iterator[Hit]:
    for word, frame in _frames(words):
        if frame.predicate is None and frame.other_verb is None:
            yield Hit(f"“{word.value}”: no predicate that the lists know", slot=word.slot)


def _no_clause(words: Words) -> Iterator[Hit]:
    for word, frame in _frames(words):
        if "none" in frame.classes:
            yield Hit(f"“{word.value}”: {frame.predicate} takes no clause", slot=word.slot)
        elif frame.other_verb is not None:
            message = f"“{word.value}”: {frame.other_verb} is not known to take a clause"
            yield Hit(message, slot=word.slot, severity=Severity.WARNING)


def _negated(words: Words) -> Iterator[Hit]:
    for word, frame in _frames(words):
        if frame.negated and frame.predicate is not None and "polar" not in frame.classes:
            yield Hit(
                f"“{word.value}” is negative; polarity changes which clauses {frame.predicate} takes", slot=word.slot
            )


def _complementizer(words: Words) -> Iterator[Hit]:
    for word, frame in _frames(words):
        if frame.complementizer is not None:
            yield Hit(
                f"“{word.value}” already holds “{frame.complementizer}”; the filler would double it", slot=word.slot
            )


def _missing_addressee(words: Words) -> Iterator[Hit]:
    for word, frame in _frames(words):
        if "needs_addressee" in frame.classes and not frame.tail and not frame.passive:
            yield Hit(f"“{word.value}”: {frame.predicate} needs somebody who is told", slot=word.slot)


def _refused_object(words: Words) -> Iterator[Hit]:
    for word, frame in _frames(words):
        if not frame.tail or frame.classes & {"needs_addressee", "takes_addressee", "none"}:
            continue
        first = frame.tail[0]
        if frame.predicate is not None and (first in _PRONOUNS or first in _DETERMINERS):
            named = " ".join(frame.tail)
            hint = f"; say “to {named}”" if "refuses_addressee" in frame.classes else ""
            yield Hit(
                f"“{word.value}”: {frame.predicate} takes no object “{named}” beside the clause{hint}", slot=word.slot
            )


def _agreement(words: Words) -> Iterator[Hit]:
    for word, frame in _frames(words):
        if frame.predicate is not None and (wrong := disagreement(word.value, frame, words.knowledge)):
            subject, verb, right = wrong
            yield Hit(f"“{word.value}”: “{subject}” takes “{right}” and not “{verb}”", slot=word.slot)


def matrix_in_present(words: Words, wanted: str) -> Iterator[tuple[str, str]]:
    """(frame, predicate) of the matrix frames in the present tense whose predicate is of that class."""
    for word, frame in _frames(words):
        if frame.predicate is not None and wanted in frame.classes and is_present(frame, words.knowledge):
            yield word.value, frame.predicate


def _free_relative(words: Words) -> Iterator[Hit]:
    for word, frame in _frames(words):
        # Who begins no free relative in present-day English (*I met who you invited); what does.
        if "what" in words.fillers and "takes_thing" in frame.classes:
            yield Hit(
                f"“{word.value}”: “what …” may be the thing that one can {frame.predicate}, and no question",
                slot=word.slot,
            )


RULES = (
    WordRule("L101", Severity.ERROR, ("matrix",), _antirogative),
    WordRule("L102", Severity.ERROR, ("matrix",), _rogative),
    WordRule("L103", Severity.WARNING, ("matrix",), _doubtful),
    WordRule("L104", Severity.WARNING, ("matrix",), _polar),
    WordRule("L105", Severity.INFO, ("matrix",), _unknown),
    WordRule("L106", Severity.ERROR, ("matrix",), _no_clause),
    WordRule("L107", Severity.INFO, ("matrix",), _negated),
    WordRule("L109", Severity.ERROR, ("matrix",), _complementizer),
    WordRule("L110", Severity.ERROR, ("matrix",), _missing_addressee),
    WordRule("L111", Severity.ERROR, ("matrix",), _refused_object),
    WordRule("L112", Severity.ERROR, ("matrix",), _agreement),
    WordRule("L114", Severity.INFO, ("matrix",), _free_relative),
)
