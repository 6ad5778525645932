"""L1: who is said to know, and whether the frame holds a clause of its own."""

from __future__ import annotations

from collections.abc import Iterator

from gapsmith.bank import Severity
from gapsmith.vetting.rules.clause_reading import Clause, Reading, read_clauses
from gapsmith.vetting.rules.frames import read_frame, spaced
from gapsmith.vetting.rules.hits import Hit
from gapsmith.vetting.rules.inflection import PAST, PRESENT
from gapsmith.vetting.rules.knowledge import Knowledge, is_used
from gapsmith.vetting.rules.model import WordRule, Words
from gapsmith.vetting.wordset import word_set

_ACCUSATIVES = word_set("me him her us them it you")
_NEVER_A_CLAUSE = word_set("see hear watch feel notice let make have help get want find")
"""Verbs after which a noun phrase with a bare verb or a participle is no finite clause: *saw the men leave*."""


def _mindless(words: Words) -> Iterator[Hit]:
    for word in words.with_role("matrix"):
        frame = read_frame(word.value, words.knowledge)
        reading = _reading(spaced(word.value), words.knowledge)
        subject = reading.clauses[0].subject
        if frame.passive or frame.predicate is None or subject is None or subject.coordinated or _inner(reading, word.value):
            continue
        noun = words.knowledge.singular_of(subject.noun.casefold())
        if is_used("mind", frame.predicate.split()[:1], words.knowledge) and "mindless" in words.knowledge.classes(
            "subjects", noun
        ):
            yield Hit(
                f"“{word.value}”: “{subject.shown}” has no mind and no voice, and {frame.predicate} needs one", slot=word.slot
            )


_AFTER = ["that", "they", "left"]
"""A clause that the frame may embed, so that its last word is read as what it is before one."""


def _reading(pieces: list[str], knowledge: Knowledge) -> Reading:
    return read_clauses([*pieces, *_AFTER], knowledge)


def _inner(reading: Reading, frame: str) -> list[Clause]:
    """The clauses that begin inside the frame, but for its own."""
    end = len(spaced(frame))
    return [clause for clause in reading.clauses[1:] if clause.subject is not None and clause.subject.end <= end]


def _second_clause(words: Words) -> Iterator[Hit]:
    for word in words.with_role("matrix"):
        pieces = spaced(word.value)
        for clause in _inner(_reading(pieces, words.knowledge), word.value):
            if clause.kind == "complement" and _is_finite(clause, pieces, words.knowledge):
                start = clause.subject.start if clause.subject is not None else 0
                held = " ".join(pieces[start:])
                yield Hit(
                    f"“{word.value}” holds a second clause, “{held} …”, under which the filler's clause stands", slot=word.slot
                )
                break


def _is_finite(clause: Clause, pieces: list[str], knowledge: Knowledge) -> bool:
    subject, finite = clause.subject, clause.finite
    if subject is None or finite is None or subject.noun.casefold() in _ACCUSATIVES - {"you", "it"}:
        return False
    above = clause.parent.verb if clause.parent is not None else None
    kinds = {form.kind for form in knowledge.verb_forms.get(pieces[finite].casefold(), ())}
    if above is not None and _lemmas(pieces[above], knowledge) & _NEVER_A_CLAUSE:
        return PRESENT in kinds
    return bool(kinds & {PRESENT, PAST}) or not kinds or subject.number == "pl" or subject.noun.casefold() in {"i", "you"}


def _lemmas(word: str, knowledge: Knowledge) -> set[str]:
    return {form.lemma for form in knowledge.verb_forms.get(word.casefold(), ())}


RULES = (
    WordRule("L115", Severity.WARNING, ("matrix",), _mindless),
    WordRule("L116", Severity.WARNING, ("matrix",), _second_clause),
)
