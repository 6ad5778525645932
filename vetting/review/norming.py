"""Acceptability judgements as in a norming study: one sentence at a time, in an order of the annotator's own, with nothing
beside it that could lead the judgement. With a study's file (`gapsmith.vetting.review.acceptability`), that decides what is shown."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from gapsmith.bank import LockedError
from gapsmith.templates import ConfigError, Sentence
from gapsmith.vetting.review.acceptability import MAX_POINTS, MIN_POINTS, AcceptabilityStudy, SheetTrial
from gapsmith.vetting.review.session import Session


@dataclass(frozen=True, slots=True)
class Scale:
    """What a sentence can be judged as."""

    values: tuple[str, ...]
    points: int | None
    """How many points a Likert scale has; None for the three categories, and for a choice."""
    names: tuple[str, ...] = ()
    """What each value is called; empty where only the ends are."""
    question: str = ""
    """What is asked of every sentence."""

    @classmethod
    def likert(cls, points: int) -> Scale:
        """1 to `points`, from bad to good. Raises `ConfigError` where a single digit would not do."""
        if not MIN_POINTS <= points <= MAX_POINTS:
            raise ConfigError(
                f"a scale of {points} points cannot be typed with one digit",
                hint=f"Take {MIN_POINTS} to {MAX_POINTS}: --scale 7.",
            )
        return cls(tuple(str(point) for point in range(1, points + 1)), points)

    @classmethod
    def of(cls, study: AcceptabilityStudy) -> Scale:
        """The scale of a study."""
        return cls(study.values, study.points if study.task == "scale" else None, study.names, study.question)


CATEGORIES = Scale(("ok", "?", "*"), None)
"""The judgements of the item screen."""


def stimuli(session: Session) -> list[SheetTrial]:
    """The sentences of the session's scope that are its annotator's to read and not judged yet as they stand, in an order
    that belongs to annotator and seed and that new sentences do not change."""
    done = {
        (label.item_id, label.condition)
        for label in session.bank.review.ratings(paradigm=session.scope.paradigm, dataset=session.scope.dataset)
        if label.author == session.author
    }
    mine = session.bank.assignments.of(session.author)
    waiting = [
        SheetTrial(-1, item.id, item.revision_id, item.label, sentence.condition, sentence.text)
        for item in session.bank.items.iterate(session.scope.filter)
        for sentence in _first_by_condition(item.sentences)
        if (item.id, sentence.condition) not in done and (mine is None or item.id in mine)
    ]
    return sorted(waiting, key=lambda one: _place(session, one))


def _first_by_condition(sentences: Sequence[Sentence]) -> list[Sentence]:
    found: dict[str, Sentence] = {}
    for sentence in sentences:
        found.setdefault(sentence.condition, sentence)
    return list(found.values())


def _place(session: Session, one: SheetTrial) -> bytes:
    text = f"{session.seed}\x00{session.author}\x00{one.item_id}\x00{one.condition}"
    return hashlib.blake2b(text.encode(), digest_size=8).digest()


def expect_unlocked(session: Session, waiting: Sequence[SheetTrial]) -> None:
    """Raise `ConfigError`, before a sentence is shown, where the annotator has locked what would be judged outside of a study: who
    has locked may see how others judge these sentences, and no answer would be kept."""
    ids = sorted({one.item_id for one in waiting if not one.practice})
    if session.adjudicating or not ids:
        return
    try:
        session.bank.decisions.refuse_if_locked(session.author, ids)
    except LockedError as error:
        raise ConfigError(
            f"{error.message}, and no answer of theirs would be kept",
            hint="A study can be judged after a lock, too (`gapsmith judge new`). Else take the lock back first, which is recorded:"
            f" `gapsmith review --by {session.author}`, then L. Lock again afterwards.",
        ) from None


def judge_trial(
    session: Session, one: SheetTrial, value: str, scale: Scale, seconds: float | None, study: AcceptabilityStudy | None = None
) -> None:
    """Keep an answer with the time it took; one of practice is not kept. Raises `StaleItemError` where the text was changed
    meanwhile, `LockedError` and `ConfigError` for a value that the scale lacks."""
    if value not in scale.values:
        said = f"{value!r} is not on the scale" if value else "no answer was chosen"
        raise ConfigError(said, hint=f"The scale has {', '.join(scale.values)}.")
    if one.practice:
        return
    if study is not None and study.task == "choice":
        first = value == "1"
        chosen, other = (one.condition, one.other_condition) if first else (one.other_condition, one.condition)
        session.bank.decisions.choose(
            one.item_id,
            chosen,
            other,
            first=first,
            author=session.author,
            study=study.digest,
            title=study.name,
            place=one.place,
            of=one.of,
            seconds=seconds,
            version=one.revision_id,
        )
        return
    session.bank.decisions.judge(
        one.item_id,
        one.condition,
        value,
        author=session.author,
        points=scale.points,
        seconds=seconds,
        alone=True,
        version=one.revision_id,
        adjudicating=session.adjudicating,
        study=study.digest if study is not None else None,
        title=study.name if study is not None else None,
        place=one.place if study is not None else None,
        of=one.of if study is not None else None,
    )
