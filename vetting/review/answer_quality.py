"""What the answers of an acceptability study look like: by-person z-scores, straight-lining, answers that came too fast.

A z-score takes away how somebody uses the scale: (rating - the person's mean) / (the person's standard deviation, n - 1), over all
their ratings in the study, fillers among them. It is None where somebody has given fewer than two ratings, or always the same.
Schütze, C. T. and Sprouse, J. (2013). Judgment data. In Research Methods in Linguistics, Cambridge, section 4.3.

Nothing is left out here: answers are marked, and a person decides. Häussler, J. and Juzek, T. (2016). Detecting and discouraging
non-cooperative behavior in online experiments using an acceptability judgment task, on why one looks at times and at runs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import fmean, stdev

from gapsmith.bank import Bank, SheetCount
from gapsmith.templates import ConfigError
from gapsmith.vetting.review.acceptability import AcceptabilityStudy, SheetTrial, sheet
from gapsmith.vetting.review.session import Session


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """One answer of one person."""

    annotator: str
    trial: SheetTrial
    answer: str
    """A point, a category, or for a choice the condition that was chosen."""
    z: float | None
    """By person; None where that is not defined, and for tasks without points."""
    seconds: float | None
    too_fast: bool
    straight: bool
    """It is part of a long run of equal answers."""


def z_scores(ratings: Sequence[float]) -> list[float | None]:
    """One person's ratings, standardised by their mean and standard deviation (n - 1); all None where these do not vary."""
    if len(ratings) < 2 or (spread := stdev(ratings)) == 0:
        return [None] * len(ratings)
    mean = fmean(ratings)
    return [(rating - mean) / spread for rating in ratings]


def straight_runs(answers: Sequence[str], least: int) -> list[bool]:
    """Which answers, in the order in which they were given, belong to a run of at least so many equal ones."""
    marked: list[bool] = []
    for _, run in groupby(answers):
        length = sum(1 for _ in run)
        marked += [length >= least] * length
    return marked


def too_fast(words: int, seconds: float | None, most_per_second: float) -> bool:
    """Whether so many words cannot have been read in that time."""
    return seconds is not None and seconds < words / most_per_second


def answers_of(study: AcceptabilityStudy, bank: Bank, only: str | None = None) -> list[GivenAnswer]:
    """The answers to a study that the bank's reader may see, by person and in the order in which they were given."""
    given = _given(study, bank)
    found: list[GivenAnswer] = []
    for name in study.annotators:
        if only not in (None, name):
            continue
        by_key = given.get(name, {})
        trials = {
            (one.item_id, one.condition if study.task != "choice" else ""): one for one in sheet(study, bank, name, as_made=True)
        }
        own = sorted(
            ((event, answer, seconds, trials[key]) for key, (event, answer, seconds) in by_key.items() if key in trials),
            key=lambda one: one[0],
        )
        scores = z_scores([float(answer) for _, answer, _, _ in own]) if study.task == "scale" else [None] * len(own)
        if study.task == "choice":
            # In a choice the place is what somebody answers without reading.
            runs = straight_runs([str(answer == trial.condition) for _, answer, _, trial in own], study.straight_run)
        else:
            runs = straight_runs([answer for _, answer, _, _ in own], study.straight_run)
        found += [
            GivenAnswer(name, trial, answer, z, seconds, too_fast(trial.words, seconds, study.fastest_words_per_second), run)
            for (_, answer, seconds, trial), z, run in zip(own, scores, runs, strict=True)
        ]
    return found


def _given(study: AcceptabilityStudy, bank: Bank) -> Mapping[str, Mapping[tuple[int, str], tuple[int, str, float | None]]]:
    place_of = bank.review.order()
    given: dict[str, dict[tuple[int, str], tuple[int, str, float | None]]] = defaultdict(dict)
    if study.task == "choice":
        for choice in bank.decisions.choices():
            if choice.study == study.digest:
                given[choice.author][choice.item_id, ""] = (place_of[choice.event_id], choice.chosen, choice.seconds)
        return given
    for one in bank.decisions.judgements():
        if one.study == study.digest:
            given[one.author][one.item_id, one.condition] = (place_of[one.event_id], one.rating, one.seconds)
    return given


def answered(study: AcceptabilityStudy, bank: Bank, annotator: str) -> set[tuple[int, str]]:
    """Which trials somebody has answered: item and condition, no condition for a choice."""
    return set(_given(study, bank).get(annotator, {}))


def sheet_count(study: AcceptabilityStudy, bank: Bank, annotator: str) -> SheetCount:
    """How far somebody is on their sheet. Raises `ConfigError`."""
    left, total = len(waiting_trials(study, bank, annotator)), len(sheet(study, bank, annotator))
    return SheetCount(study.digest, annotator, total - left, total)


def waiting_trials(study: AcceptabilityStudy, bank: Bank, annotator: str, *, as_made: bool = False) -> list[SheetTrial]:
    """What somebody has still to judge, in the order of their sheet. `as_made` and what is raised as `sheet`."""
    done = answered(study, bank, annotator)
    return [
        one
        for one in sheet(study, bank, annotator, as_made=as_made)
        if (one.item_id, "" if study.task == "choice" else one.condition) not in done
    ]


def take_back(session: Session, study: AcceptabilityStudy) -> list[SheetTrial]:
    """Take the newest answer in a study back, also one of an earlier sitting; what waits then. Raises `ConfigError` where the session's
    newest step is none, and `BankError` for an answer that stays."""
    with session.bank.transaction():
        before = len(waiting_trials(study, session.bank, session.author))
        session.undo()
        waiting = waiting_trials(study, session.bank, session.author)
        if len(waiting) != before + 1:
            raise ConfigError("There is nothing to take back here.")
    return waiting
