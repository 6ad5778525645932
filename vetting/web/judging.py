"""Judging sentences in a browser: one at a time, with a button for every point of the scale, and nothing beside it."""

from __future__ import annotations

import hashlib
import html
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from gapsmith.bank import Bank
from gapsmith.templates import ConfigError
from gapsmith.vetting.assignment import no_share
from gapsmith.vetting.html_page import form
from gapsmith.vetting.review.acceptability import THE_LAST, AcceptabilityStudy, SheetTrial, practice_trials, sheet
from gapsmith.vetting.review.answer_quality import sheet_count, take_back, waiting_trials
from gapsmith.vetting.review.display import visible
from gapsmith.vetting.review.norming import Scale, expect_unlocked, judge_trial, stimuli
from gapsmith.vetting.review.session import Scope, Session

_CATEGORIES = {"ok": "ok", "?": "questionable", "*": "bad"}


@dataclass
class _Seat:
    """Where somebody is."""

    practised: int = 0
    answered: list[bool] = field(default_factory=list)
    """What was answered since the server began: whether it is kept."""
    pausing: bool = False
    shown: tuple[int, str] | None = None
    """The item and condition that the page has shown."""
    since: float = 0.0
    """When it was first made, by `time.monotonic`: the seconds count from there, with the way to the browser and back."""


class JudgingDesk:
    """Shows each annotator their next sentence and keeps the answers. With a study, that decides all; else every sentence of a
    scope, on a scale."""

    def __init__(
        self,
        bank: Path,
        scale: Scale,
        *,
        study: AcceptabilityStudy | None = None,
        scope: Scope | None = None,
        seed: int = 0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        # The name of a study may say what it is about.
        self.title = "Judging sentences"
        self._bank, self._scale, self._study, self._scope, self._seed = bank, scale, study, scope, seed
        self._clock = clock
        self._seats: dict[str, _Seat] = {}
        self._secret = secrets.token_bytes(16)
        self._end = "All sentences have been shown. Thank you."
        if study is not None:
            self._end += " Your sheet is finished: what the others answered is open to you now."

    @contextmanager
    def _session(self, author: str) -> Iterator[Session]:
        bank = Bank.open(self._bank)
        try:
            yield Session(bank, author, scope=self._scope, seed=self._seed)
        finally:
            bank.close()

    def _mark(self, one: SheetTrial) -> str:
        """What the page calls a sentence: nobody who reads its source learns item or condition."""
        said = "\0".join(map(str, (*_key(one), one.text, one.other_text))).encode()
        return hashlib.blake2b(said, digest_size=16, key=self._secret).hexdigest()

    def _seat(self, author: str) -> _Seat:
        return self._seats.setdefault(author, _Seat())

    def _left(self, session: Session) -> tuple[list[SheetTrial], list[SheetTrial]]:
        """What is practised on first, and what waits."""
        study = self._study
        if study is None:
            return [], stimuli(session)
        waiting = waiting_trials(study, session.bank, session.author)
        begun = len(waiting) < len(sheet(study, session.bank, session.author))
        return [] if begun else practice_trials(study)[self._seat(session.author).practised :], waiting

    def page(self, author: str) -> str:
        """The next sentence with its buttons, a break, or the end. Raises `GapsmithError`."""
        seat = self._seat(author)
        with self._session(author) as session:
            practice, waiting = self._left(session)
            if self._study is None:
                expect_unlocked(session, waiting)
            empty = no_share(session.bank, author) if self._study is None else ""
            far, begun = f"{len(waiting):,} to go", bool(seat.answered)
            if self._study is not None:
                counted = sheet_count(self._study, session.bank, author)
                far, begun = counted.words, begun or counted.done > 0
                begun = begun and not session.bank.decisions.stays(author, self._study.digest)
        undo = form("undo", "<button>Take the last answer back</button>") if begun else ""
        undo = f'<div class="quiet">{undo}</div>'
        if seat.pausing and waiting:
            going = form("go", "<button>Go on</button>")
            return f'{_head(author, far)}<p class="sentence">A break: look away for a minute.</p>{going}{undo}'
        if not practice and not waiting:
            return f'{_head(author, far)}<p class="sentence">{html.escape(empty or self._end)}</p>{undo}'
        one = (practice or waiting)[0]
        if seat.shown != _key(one):
            seat.shown, seat.since = _key(one), self._clock()
        place, begins = far, ""
        if practice:
            place = f"practice: not kept, {seat.practised + 1:,} of {seat.practised + len(practice):,} · {far}"
        elif seat.practised and not any(seat.answered):
            begins = '<p class="told" role="status">That was practice. From here on, answers count.</p>'
        sentences = [one.text, one.other_text] if one.other_text else [one.text]
        numbered = len(sentences) > 1
        shown = "".join(
            f'<p class="sentence" dir="auto">{f"<b>{number}</b> " if numbered else ""}{html.escape(visible(text))}</p>'
            for number, text in enumerate(sentences, 1)
        )
        buttons = "".join(
            f'<button name="value" value="{html.escape(value)}"><b>{html.escape(key)}</b> {html.escape(name)}</button>'
            for value, key, name in self._buttons()
        )
        if self._study is not None and len(waiting) == 1 and not practice:
            begins += f'<p class="told" role="status">{html.escape(THE_LAST)}</p>'
        question = f"<p>{html.escape(self._scale.question)}</p>" if self._scale.question else ""
        answers = form("answer", f'<div class="answers">{buttons}</div>', shown=self._mark(one))
        return f"{_head(author, place)}{begins}{question}{shown}{answers}{undo}"

    def _buttons(self) -> list[tuple[str, str, str]]:
        names: Sequence[str] = self._scale.names
        if not names and self._scale.points is not None:
            last = len(self._scale.values) - 1
            names = ["bad" if not place else "good" if place == last else "" for place in range(last + 1)]
        elif not names:
            names = [_CATEGORIES[value] for value in self._scale.values]
        digits = self._scale.values[0].isdecimal()
        return [(value, value if digits else "", name) for value, name in zip(self._scale.values, names, strict=True)]

    def take(self, author: str, action: str, said: Mapping[str, str]) -> None:
        """Keep an answer, take the last one back, or go on after a break. Raises `GapsmithError`."""
        seat = self._seat(author)
        if action == "answer":
            self._answer(author, seat, said)
        elif action == "undo":
            self._undo(author, seat)
        elif action == "go":
            seat.pausing, seat.shown = False, None
        else:
            raise ConfigError(f"there is no {action!r} here")

    def _answer(self, author: str, seat: _Seat, said: Mapping[str, str]) -> None:
        with self._session(author) as session:
            practice, waiting = self._left(session)
            one = next(iter(practice or waiting), None)
            # A page of before, a second tap: the answer is about a sentence that is not asked for any more.
            if one is None or said.get("shown") != self._mark(one) or seat.shown != _key(one):
                raise ConfigError(
                    "That was a second tap, or a page of before: it was not kept. What was answered first stays as it was.",
                    hint="" if one is None or seat.pausing else "This is the next sentence.",
                )
            judge_trial(session, one, said.get("value", ""), self._scale, self._clock() - seat.since, self._study)
        seat.shown = None
        seat.answered.append(not one.practice)
        if one.practice:
            seat.practised += 1
            return
        kept = sum(seat.answered)
        seat.pausing = self._study is not None and len(waiting) > 1 and kept % self._study.pause_every == 0

    def _undo(self, author: str, seat: _Seat) -> None:
        if seat.answered and not seat.answered[-1]:
            seat.practised -= 1
        elif self._study is not None:
            with self._session(author) as session:
                take_back(session, self._study)
        elif seat.answered:
            with self._session(author) as session:
                session.undo()
        else:
            raise ConfigError("There is nothing to take back here.")
        if seat.answered:
            seat.answered.pop()
        seat.pausing, seat.shown = False, None


def _key(one: SheetTrial) -> tuple[int, str]:
    # Sentences of practice have no item; their texts tell them apart.
    return one.item_id, one.condition if one.item_id else one.text


def _head(author: str, place: str) -> str:
    return f"<header><span>{html.escape(author)}</span><span>{html.escape(place)}</span></header>"
