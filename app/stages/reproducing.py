"""Doing a published study again: its steps, each by its stage, and the published numbers beside ours."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gapsmith.app.linted import Linted
from gapsmith.app.manifests import Used, write_manifest
from gapsmith.app.requests.base import Unset, said, said_or_none
from gapsmith.app.requests.instruments import Reproduce
from gapsmith.app.requests.typed import read_typed
from gapsmith.app.services import QUIET, Services
from gapsmith.app.stages.catalogue import STAGES
from gapsmith.app.stages.study_steps import Step, old_steps, steps_of
from gapsmith.app.studies import (
    Beside,
    Study,
    StudyRun,
    by_both,
    check_contrasts,
    checked_here,
    effects_beside,
    load_study,
    numbers_of,
    record_of,
    records_of,
    write_record,
    write_study,
)
from gapsmith.app.studies.running import ComparedEffect, NumberComparison
from gapsmith.app.workspace import Workspace, open_workspace
from gapsmith.templates import ConfigError, DocumentError, GapsmithError, bytes_of, read_json

if TYPE_CHECKING:
    import pandas

STEP_DONE = "step done"
"""In `Services.hand`: what is called with the stage and what came out of each step."""


@dataclass(frozen=True, slots=True)
class Reproduced:
    """A study that has been done again."""

    request: Reproduce
    study: Study
    models: tuple[str, ...]
    numbers: tuple[NumberComparison, ...]
    """Published numbers beside ours."""
    effects: tuple[ComparedEffect, ...]
    """Published effects beside ours: comparable, never equal."""
    page: Path
    beside: Beside
    """Its conclusions by its own scoring convention and by the one beside it."""

    @property
    def said(self) -> tuple[str, ...]:
        """How many published numbers could be checked here, the scoring convention, and what hangs on it."""
        return checked_here(self.study, self.numbers, self.effects, self.beside)

    @property
    def wrong(self) -> tuple[NumberComparison, ...]:
        """The numbers that should be equal and are not."""
        return tuple(row for row in self.numbers if row.agrees is False)

    def __iter__(self) -> Iterator[NumberComparison]:
        return iter(self.numbers)

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, place: int) -> NumberComparison:
        return self.numbers[place]

    def to_frame(self) -> pandas.DataFrame:
        """A row for each number, and then for each effect, as `numbers.csv` and `effects.csv` have them."""
        import pandas

        return pandas.DataFrame(self.as_data())

    def _repr_html_(self) -> str:
        html: str = self.to_frame().to_html(index=False, escape=True, float_format=lambda number: f"{number:.4g}")
        return html

    def as_data(self) -> list[dict[str, Any]]:
        """The same as JSON takes it."""
        numbers = [{**asdict(row), "difference": row.difference, "agrees": row.agrees} for row in self.numbers]
        return [*numbers, *map(asdict, self.effects)]


def reproduce(request: Reproduce, services: Services = QUIET) -> Reproduced:
    """Raises `ConfigError` for a study's file that is wrong, before anything is done, and what the stages raise."""
    study = load_study(request.study)
    study = study.by_convention(said(request.convention, study.convention))
    if request.one_convention:
        study = study.model_copy(update={"beside": None})
    folder = said(request.out, Path(study.name))
    models = request.model or (study.model,)
    steps = steps_of(study, str(folder), models, request.grid, said_or_none(request.minutes))
    check_contrasts(study, folder)
    for told in old_steps(study):
        services.note(told)
    if not isinstance(request.record, Unset) and len(models) > 1:
        raise ConfigError("a record is of one model", hint="Name one with --model, and record the others by themselves.")
    done = Done.read(folder / "study-steps.json")
    services.note(f"\n1. Make a place to keep everything.\n$ gapsmith init {shlex.quote(str(folder))}")
    with open_workspace(folder, create=True) as workspace:
        _carry_out(workspace, steps, done, services)
        runs = [StudyRun(study, workspace.bank, name) for name in models]
        rows = numbers_of(study, runs)
        effects = effects_beside(study, folder, models)
        others = records_of(study, folder)
        beside = by_both(study, runs, folder)
        written = write_study(study, runs, rows, folder / "study", effects=effects, records=others, beside=beside)
        bank = workspace.bank
        scorers = tuple(own.id for own in bank.scores.scorers() if own.model in models)
        behind = bool(bank.contexts.sets())
        used = [Used(name, scorers=scorers, contexts=behind) for name in bank.paradigms.names()]
        write_manifest(bank, used, written.page.parent)
        if not isinstance(request.record, Unset):
            write_record(record_of(study, runs[0], rows, by=workspace.bank.reader), request.record)
            services.note(f"Recorded: {request.record}")
    return Reproduced(request, study, tuple(models), tuple(rows), tuple(effects), written.page, beside)


class Done:
    """The steps that were carried out by an earlier go, of those that are done once only."""

    def __init__(self, file: Path, lines: Sequence[str]) -> None:
        self._file, self._lines = file, list(lines)

    @classmethod
    def read(cls, file: Path) -> Done:
        """What the file says. Raises `ConfigError` where it does not say so."""
        if not file.is_file():
            return cls(file, ())
        try:
            lines = read_json(bytes_of(file))
        except (OSError, DocumentError) as error:
            raise ConfigError(f"{file}: cannot be read ({error})", hint="Name another folder with --out.") from None
        if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
            raise ConfigError(f"{file}: is no list of commands", hint="Name another folder with --out.")
        return cls(file, lines)

    def __contains__(self, step: Step) -> bool:
        return step.once and any(line == step.line or _same(line, step) for line in self._lines)

    def add(self, step: Step) -> None:
        """Remember a step that is done once only."""
        if step.once:
            self._lines.append(step.line)
            self._file.write_text(json.dumps(self._lines, indent=1), encoding="utf-8")


def _same(line: str, step: Step) -> bool:
    """Whether a line that was remembered asks for what the step does, in whatever order and by whichever flags."""
    words, name = shlex.split(line), step.stage.split()
    if words[: len(name)] != name:
        return False
    kind = type(step.request)
    try:
        return kind.of(read_typed(kind, words[len(name) :], line)).given() == step.request.given()
    except ConfigError:
        return False


def _carry_out(workspace: Workspace, steps: Sequence[Step], done: Done, services: Services) -> None:
    shown: Callable[[str, Any], None] | None = (services.hand or {}).get(STEP_DONE)
    for number, step in enumerate(steps, 2):
        if step in done:
            continue
        services.note(f"\n{number}. {step.why}\n$ gapsmith {step.line}")
        found = STAGES[step.stage].carry_out(workspace, step.request, services)
        if shown is not None:
            shown(step.stage, found)
        if isinstance(found, Linted) and found.reached:
            raise GapsmithError(
                f"step {number}, lint: found what the study does not go on with", hint="`fail_on` of the step says from when on."
            )
        done.add(step)
