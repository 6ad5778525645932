"""Where the scoring convention decides: what a study concludes by its own convention, and by the one that its file names beside it.

A conclusion is what a reader takes away, and not a number: on which side of nothing the paper's test puts an effect, if on any; what our
verdict is where words repeat; on which side of a half a share of items lies with its interval.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from gapsmith.app.studies.running import StudyRun, effects_left
from gapsmith.app.studies.study import Study
from gapsmith.scoring.analysis import Conclusion, ContrastResult
from gapsmith.scoring.report import OVER_WORDS, Table, effect_value, p_value
from gapsmith.stats import Result
from gapsmith.templates import GapsmithError, count, find_convention

ALPHA = 0.05
"""Below which p a test says something: that of the papers."""
_WITHOUT_P = (Conclusion.DESCRIBED, Conclusion.UNLIKE, Conclusion.UNDEFINED)
"""What rests on no p."""
Side = Literal["above", "below", "neither", "unknown"]


@dataclass(frozen=True, slots=True)
class Concluded:
    """What one convention comes to."""

    shown: str
    """With its numbers, as tables show it."""
    sides: tuple[str, ...]
    """What is concluded; two conventions agree where these are the same."""


@dataclass(frozen=True, slots=True)
class ByBoth:
    """One question of a study under one model, by its own convention and by the one beside it."""

    what: str
    set: str
    model: str
    own: Concluded
    other: Concluded

    @property
    def differs(self) -> bool:
        """Whether the conclusion is not the same."""
        return self.own.sides != self.other.sides


@dataclass(frozen=True, slots=True)
class Beside:
    """A study by two conventions."""

    study: Study
    rows: tuple[ByBoth, ...]
    """Every question, in the study's order, model by model."""
    lacking: tuple[str, ...] = ()
    """What there is of one convention only, and why."""

    @property
    def differing(self) -> tuple[ByBoth, ...]:
        """Those whose conclusion the convention decides."""
        return tuple(row for row in self.rows if row.differs)

    @property
    def said(self) -> str:
        """How many conclusions hang on the convention; empty where the study names no other."""
        if self.study.beside is None:
            return ""
        n = len(self.rows)
        other = find_convention(self.study.beside)
        if not n:
            return f"Nothing could be compared with the convention {other.name} ({other.title})."
        alike = "none of them is another" if not self.differing else f"{len(self.differing)} of them differ"
        return f"Beside it {other.name} ({other.title}): {count(n, 'conclusion')}, {alike}."


def by_both(study: Study, runs: Sequence[StudyRun], folder: Path) -> Beside:
    """Every question of the study by its own convention and by the one beside it; nothing where it names none."""
    if study.beside is None:
        return Beside(study, ())
    rows: list[ByBoth] = []
    lacking: list[str] = []
    for run in runs:
        other = replace(run, study=study.model_copy(update={"convention": study.beside}))
        try:
            rows += _of_sets(run, other)
        except GapsmithError as error:
            lacking.append(f"{run.model}: {error.message}")
        rows += _of_effects(study, folder, run.model, lacking)
    return Beside(study, tuple(rows), tuple(dict.fromkeys(lacking)))


def beside_tables(found: Beside) -> list[Table]:
    """The conclusions that the convention decides, a column for each; without rows where it decides none."""
    if found.study.beside is None:
        return []
    names = (found.study.convention, found.study.beside)
    cells = tuple((row.what, row.set, row.model, row.own.shown, row.other.shown) for row in found.differing)
    alike = len(found.rows) - len(cells)
    notes = (
        f"{count(alike, 'other conclusion')} the same by both."
        if cells
        else f"All {count(alike, 'conclusion')} the same by both.",
        *(f"{name}: {find_convention(name).title}." for name in names),
        *(f"Not compared: {why}" for why in found.lacking),
    )
    return [Table("Where the scoring convention decides", ("what", "set", "under", *names), cells, frozenset(), notes)]


def beside_rows(found: Beside) -> list[dict[str, object]]:
    """Every question, as `conventions.csv` has it."""
    return [
        {
            "what": row.what,
            "set": row.set,
            "model": row.model,
            found.study.convention: row.own.shown,
            str(found.study.beside): row.other.shown,
            "differs": row.differs,
        }
        for row in found.rows
    ]


def _of_sets(run: StudyRun, other: StudyRun) -> Iterator[ByBoth]:
    titles = {one.name: one.title for one in run.study.set}
    shares = {(one.set, one.contrast) for one in run.study.number if one.statistic in ("share", "count")}
    for name, contrast in run.study.asked_contrasts:
        sides = (_of_contrast(one.result(name, contrast), shares=(name, contrast) in shares) for one in (run, other))
        yield ByBoth(contrast, titles[name], run.model, *sides)


def _of_contrast(own: ContrastResult, *, shares: bool) -> Concluded:
    test = own.ttest
    shown = "none" if test.estimate is None else f"{test.estimate:+.2f} bits, {_decided(own)}"
    sides: tuple[str, ...] = (_side(test), str(own.verdict))
    share = own.accuracy
    if shares and share.estimate is not None:
        shown += f", {100 * share.estimate:.1f} % right"
        low, high = share.ci or (0.0, 1.0)
        sides += ("above" if low > 0.5 else "below" if high < 0.5 else "neither",)
    return Concluded(shown, sides)


def _decided(own: ContrastResult) -> str:
    """The verdict with the p that it rests on; before it that of the paper's test, where this is another one."""
    paper = f"p {p_value(own.ttest.p)}"
    if own.verdict in _WITHOUT_P:
        return f"{paper} by the paper's test; {own.verdict}"
    how = ["by the model of the words"] * (own.words.these is not None) + [f"corrected over {own.family}"] * (own.p != own.p_raw)
    return (
        f"{paper} by the paper's test; {own.verdict}, p {p_value(own.p)} {', '.join(how)}" if how else f"{paper}, {own.verdict}"
    )


def _of_effects(study: Study, folder: Path, model: str, lacking: list[str]) -> Iterator[ByBoth]:
    if not study.effect:
        return
    own, other = (effects_left(study, folder, model, beside=beside) for beside in (False, True))
    for asked in study.effect:
        one, two = own.get(asked.effect), other.get(asked.effect)
        if one is None or two is None:
            lacking.append(f"{model}, {asked.what}: it was not measured by both")
            continue
        yield ByBoth(asked.what, "", model, _of_effect(asked.effect, own), _of_effect(asked.effect, other))


def _of_effect(name: str, effects: Mapping[str, Result]) -> Concluded:
    every = [effects[own] for own in (name, name + OVER_WORDS) if own in effects]
    said = [effect_value(own) if own.details.get("shown") == "p" else f"{effect_value(own)}, p {p_value(own.p)}" for own in every]
    return Concluded("; over words ".join(said), tuple(map(_side, every)))


def _side(own: Result) -> Side:
    """On which side of nothing a test puts its estimate: neither where p is not below `ALPHA`; of what has no p, where the number lies."""
    if own.estimate is None:
        return "unknown"
    if own.p is not None and own.p >= ALPHA:
        return "neither"
    return "above" if own.estimate > 0 else "below" if own.estimate < 0 else "neither"
