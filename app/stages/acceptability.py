"""Acceptability studies: the file that decides one, and what came of it."""

from __future__ import annotations

import csv
import io
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, zip_longest
from pathlib import Path
from statistics import fmean, median
from typing import TYPE_CHECKING, Any

from gapsmith.app.chosen import as_said
from gapsmith.app.requests.base import Unset
from gapsmith.app.requests.norming import JudgingResults, NewJudging
from gapsmith.app.services import QUIET, Services
from gapsmith.app.stages.selecting import selection_of
from gapsmith.app.workspace import Workspace
from gapsmith.bank import PERSON, Bank, ItemFilter, ItemStatus, SheetCount, StoredItem, as_name
from gapsmith.bank.formats import defuse
from gapsmith.templates import ConfigError, GapsmithError, count, first_of
from gapsmith.vetting.review import (
    ANCHORS,
    PRACTICE,
    AcceptabilityStudy,
    GivenAnswer,
    answers_of,
    edited_since,
    expect_conditions,
    load_study,
    sheet,
    study_item,
    study_text,
    waiting_trials,
)

if TYPE_CHECKING:
    import pandas

_QUESTION = {"choice": "Which of these two sentences sounds more natural?"}
_USUAL_QUESTION = "How natural does this sentence sound to you?"


@dataclass(frozen=True, slots=True)
class JudgingMade:
    """A study's file that was written."""

    file: Path
    study: str
    """Its digest, which judgements carry."""
    items: int
    fillers: int
    sheets: tuple[tuple[str, int], ...]
    """Who judges, and how many sentences (pairs, for a choice)."""


def judge_new(workspace: Workspace, request: NewJudging, services: Services = QUIET) -> JudgingMade:
    """What was written. Raises `GapsmithError` for what cannot be a study, and where the file is there already."""
    if request.file.suffix.casefold() != ".toml":
        raise ConfigError(f"{request.file}: a study is a TOML file", hint=f"Call it {request.file.stem}.toml.")
    if request.file.exists():
        raise ConfigError(f"{request.file}: is there already", hint="Take another name; judgements may belong to it.")
    bank = as_said(workspace, request.by).bank
    chosen = selection_of(bank, request)
    bank.datasets.expect(request.fillers, [])
    statuses = tuple(ItemStatus(word) for word in request.status)
    items = [
        item
        for item in bank.items.iterate(ItemFilter(paradigms=chosen.paradigms, datasets=chosen.datasets, statuses=statuses))
        if item.dataset not in request.fillers
    ]
    items = _left_in(bank, items, by_status=bool(statuses), services=services)
    if not isinstance(request.n, Unset):
        items = _drawn(items, request.n, request.seed)
    fillers = list(bank.items.iterate(ItemFilter(datasets=request.fillers))) if request.fillers else []
    conditions = request.condition or tuple(dict.fromkeys(s.condition for item in items for s in item.sentences))
    expect_conditions(items, conditions)
    scale = request.task == "scale"
    for name in request.to:
        as_name(name, PERSON, slashes=True)
    study = AcceptabilityStudy(
        name=request.file.stem,
        task=request.task,
        question=_QUESTION.get(request.task, _USUAL_QUESTION) if isinstance(request.question, Unset) else request.question,
        conditions=tuple(conditions),
        annotators=request.to,
        items=tuple(study_item(item, bank) for item in items),
        fillers=tuple(study_item(item, bank) for item in fillers),
        points=request.points,
        anchors=(request.anchor or ANCHORS.get(request.points, ())) if scale else (),
        shown=request.shown,
        apart=request.apart,
        practice=request.practice or PRACTICE,
        pause_every=request.pause_every,
        seed=request.seed,
    )
    sheets = tuple((name, len(sheet(study, bank, name))) for name in study.annotators)
    try:
        request.file.write_text(study_text(study), encoding="utf-8")
    except OSError as error:
        raise GapsmithError(f"{request.file}: cannot be written ({error.strerror})") from None
    what = "pair" if study.task == "choice" else "sentence"
    services.note(
        f"{request.file}: {count(len(items), 'item')}, {count(len(fillers), 'filler')}, {count(len(conditions), 'condition')}"
    )
    for name, own in sheets:
        services.note(f"{name}: {count(own, what)}")
    if len(study.annotators) % len(conditions) and study.shown == "one" and study.task != "choice":
        services.note(
            f"{count(len(conditions), 'condition')} and {count(len(study.annotators), 'annotator')}: each item is seen in every condition"
            f" once the number of annotators is a multiple of {len(conditions)}."
        )
    excluded = sum(item.status is ItemStatus.EXCLUDED for item in items)
    if excluded:
        services.note(
            f"{excluded:,} of the items {'is' if excluded == 1 else 'are'} excluded; --status approved leaves such out."
        )
    services.note(
        f"Next: gapsmith review --judge {request.file} --by {study.annotators[0]}; in a browser, for all:"
        f" gapsmith review --judge {request.file} --web"
    )
    return JudgingMade(request.file, study.digest, len(items), len(fillers), sheets)


def _left_in(bank: Bank, items: Sequence[StoredItem], *, by_status: bool, services: Services) -> list[StoredItem]:
    """What is judged where nothing more is said: the approved items as soon as there are some, and no calibration items among
    others."""
    chosen = list(items)
    # To others, leaving them out would tell which these are.
    known = bank.assignments.known_verdicts() if bank.reader == bank.gate.lead else {}
    drawn = [item for item in chosen if item.id not in known]
    if drawn and len(drawn) < len(chosen):
        services.note(f"{count(len(chosen) - len(drawn), 'calibration item')} left out; -d with their data set alone takes them.")
        chosen = drawn
    approved = [item for item in chosen if item.status is ItemStatus.APPROVED]
    if not by_status and approved and len(approved) < len(chosen):
        services.note(
            f"{count(len(approved), 'approved item')}; {len(chosen) - len(approved):,} that are not approved left out"
            " (--status approved --status pending takes those that nobody has decided on, too)."
        )
        chosen = approved
    return chosen


def _drawn(items: Sequence[StoredItem], number: int, seed: int) -> list[StoredItem]:
    """So many of the items, in their order: from each paradigm and data set as many as from the others, to one item, as far as it
    has them. Raises `ConfigError` where there are fewer."""
    if number > len(items):
        raise ConfigError(
            f"--n {number:,}: there are {count(len(items), 'item')} to judge",
            hint="Take a smaller number, or leave out --n for all; --status says which count.",
        )
    chance = random.Random(seed)
    places: dict[tuple[str, str], list[StoredItem]] = defaultdict(list)
    for item in items:
        places[item.paradigm, item.dataset].append(item)
    shuffled = [chance.sample(own, len(own)) for own in chance.sample(list(places.values()), len(places))]
    turns = (item for turn in zip_longest(*shuffled) for item in turn if item is not None)
    drawn = {item.id for item in islice(turns, number)}
    return [item for item in items if item.id in drawn]


@dataclass(frozen=True, slots=True)
class PersonsAnswers:
    """How one person answered."""

    annotator: str
    answered: int
    total: int
    """On their sheet."""
    median_seconds: float | None
    too_fast: int
    straight: int
    """Answers in long runs of the same."""


COLUMNS = (
    "study", "annotator", "place", "item", "filler", "condition", "other", "answer", "z", "seconds", "too_fast", "straight", "sentence",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Judged:
    """What came of a study."""

    study: AcceptabilityStudy
    answers: tuple[GivenAnswer, ...]
    people: tuple[PersonsAnswers, ...]
    titles: Mapping[str, str] = field(default_factory=dict)
    """What each condition is called in its paradigm, with what is expected of its sentences; none where that is not known."""
    unfinished: bool = False
    """Whether they are those of somebody whose sheet is not finished: then nothing says what any sentence is of."""
    edited: tuple[str, ...] = ()
    """What those of its items are called that have other texts now: the answers are about the texts that were judged."""

    def rows(self) -> list[dict[str, Any]]:
        """Each answer as plain values, by the columns of the CSV; None for what is not defined."""
        return [
            {
                "study": self.study.digest,
                "annotator": one.annotator,
                "place": one.trial.place,
                "item": one.trial.label or None,
                "filler": None if self.unfinished else one.trial.filler,
                "condition": one.trial.condition or None,
                "other": one.trial.other_condition or None,
                "answer": one.answer,
                "z": one.z,
                "seconds": one.seconds,
                "too_fast": one.too_fast,
                "straight": one.straight,
                "sentence": one.trial.text,
            }
            for one in self.answers
        ]

    def conditions(self) -> list[tuple[str, int, float | None, float | None]]:
        """Condition, answers, mean point and mean z over the items, fillers left out; for a choice how often it was chosen. Nothing
        as long as the sheet is not finished."""
        found: list[tuple[str, int, float | None, float | None]] = []
        if self.unfinished:
            return found
        for name in self.study.conditions:
            if self.study.task == "choice":
                own = [one for one in self.answers if not one.trial.filler]
                share = sum(one.answer == name for one in own) / len(own) if own else None
                found.append((name, len(own), share, None))
                continue
            own = [one for one in self.answers if one.trial.condition == name and not one.trial.filler]
            points = [float(one.answer) for one in own if one.answer.isdecimal()]
            scores = [one.z for one in own if one.z is not None]
            found.append((name, len(own), fmean(points) if points else None, fmean(scores) if scores else None))
        return found

    def to_csv(self) -> str:
        """A row for each answer; missing is empty."""
        out = io.StringIO(newline="")
        writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
        writer.writeheader()
        for row in self.rows():
            writer.writerow({name: _cell(value) for name, value in row.items()})
        return out.getvalue()

    def to_frame(self) -> pandas.DataFrame:
        """A row for each answer."""
        import pandas

        return pandas.DataFrame(self.rows(), columns=list(COLUMNS))

    def __str__(self) -> str:
        lines = [f"{self.study.name}: {self.study.question}"]
        for one in self.people:
            pace = f", median {one.median_seconds:.1f} s" if one.median_seconds is not None else ""
            marks = f", {one.too_fast:,} too fast" if one.too_fast else ""
            marks += f", {one.straight:,} in runs of {self.study.straight_run} or more equal answers" if one.straight else ""
            far = SheetCount(self.study.digest, one.annotator, one.answered, one.total).words
            lines.append(f"    {one.annotator}: {far}{pace}{marks}")
        what = "chosen" if self.study.task == "choice" else "mean"
        for name, n, mean, z in self.conditions():
            value = "no answer" if mean is None else f"{what} {mean:.2f}"
            title = f" ({self.titles[name]})" if name in self.titles else ""
            lines.append(f"    {name}{title}: {value}" + (f", z {z:+.2f}" if z is not None else "") + f" (n = {n})")
        if self.edited:
            named = f": {first_of(self.edited, 10)}" if not self.unfinished else ""
            lines.append(
                f"    {count(len(self.edited), 'item')} edited since the study was made{named}."
                " The answers are about the texts that were judged."
            )
        if self.unfinished:
            lines.append("    Items, conditions and fillers are named once the sheet is finished.")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return self.to_frame().to_html(index=False)


def _cell(value: object) -> object:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else value


def judge_results(workspace: Workspace, request: JudgingResults, services: Services = QUIET) -> Judged:
    """What came of a study. Raises `GapsmithError` where the reader may not see what others answered."""
    bank = as_said(workspace, request.by).bank
    study = load_study(request.file)
    only = bank.reader if request.mine else None
    if only is None:
        _expect_seen(bank, study, look=request.look)
    answers = tuple(answers_of(study, bank, only))
    people = tuple(_person(study, bank, name, answers) for name in study.annotators if only in (None, name))
    if unfinished := only in study.annotators and bool(waiting_trials(study, bank, only, as_made=True)):
        answers = tuple(map(_unnamed, answers))
    found = Judged(study, answers, people, {} if unfinished else _titles(study, bank), unfinished, edited_since(study, bank))
    if not isinstance(request.csv, Unset):
        try:
            request.csv.write_text(defuse(found.to_csv())[0], encoding="utf-8")
        except OSError as error:
            raise GapsmithError(f"{request.csv}: cannot be written ({error.strerror})") from None
        services.note(f"{request.csv}: {count(len(answers), 'answer')}")
    return found


def _unnamed(one: GivenAnswer) -> GivenAnswer:
    """An answer without what its sentence is of, which would tell what is expected of those to come."""
    answer = one.answer
    if one.trial.other_condition:
        answer = "1" if answer == one.trial.condition else "2"
    trial = replace(one.trial, item_id=0, revision_id=0, label="", condition="", other_condition="", filler=False)
    return replace(one, answer=answer, trial=trial)


def _titles(study: AcceptabilityStudy, bank: Bank) -> dict[str, str]:
    wanted = {one.uid for one in study.items}
    said: dict[str, str] = {}
    for paradigm_id in dict.fromkeys(i.paradigm_id for i in bank.items.iterate(ItemFilter()) if i.uid.hex() in wanted):
        known = bank.paradigms.load(paradigm_id).condition_by_name
        for name in study.conditions:
            if name in known and name not in said:
                expected = f", expected {known[name].expected}" if known[name].status is not None else ""
                said[name] = f"{known[name].label}{expected}"
    return said


def _expect_seen(bank: Bank, study: AcceptabilityStudy, *, look: bool) -> None:
    wanted = {one.uid for one in (*study.items, *study.fillers)}
    ids = tuple(item.id for item in bank.items.iterate(ItemFilter()) if item.uid.hex() in wanted)
    if not bank.gate.blind or bank.gate.has_finished(study.digest):
        return
    if not look:
        own = f" ({left:,} left)" if (left := _left(study, bank)) else ""
        raise ConfigError(
            f"{bank.reader} has not answered all of a sheet of this study{own}, and the results tell what others answered",
            hint="Answer it first, see your own answers with --mine, or add --look: that is recorded for every item.",
        )
    bank.gate.look(ItemFilter(ids=ids), "results of a study")


def _left(study: AcceptabilityStudy, bank: Bank) -> int:
    return len(waiting_trials(study, bank, bank.reader, as_made=True)) if bank.reader in study.annotators else 0


def _person(study: AcceptabilityStudy, bank: Bank, name: str, answers: Sequence[GivenAnswer]) -> PersonsAnswers:
    own = [one for one in answers if one.annotator == name]
    times = [one.seconds for one in own if one.seconds is not None]
    return PersonsAnswers(
        name,
        len(own),
        len(sheet(study, bank, name, as_made=True)),
        median(times) if times else None,
        sum(one.too_fast for one in own),
        sum(one.straight for one in own),
    )
