"""From a step of a study's file to the request of a stage: it fills one as flags do, and unknown names are refused."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from gapsmith.app.requests.base import StageRequest
from gapsmith.app.requests.typed import as_table, as_typed, read_typed
from gapsmith.app.stages.catalogue import MOVED, STAGES, typed
from gapsmith.app.studies.study import Study, StudyStep, study_of
from gapsmith.scoring.report import model_folder
from gapsmith.templates import ConfigError, in_place, made_of, no_such, text_of

_MODELS = "{models}"
_MAKES_THE_PLACE = "init"
"""The step of earlier files that is carried out for every study now."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do."""

    why: str
    stage: str
    request: StageRequest
    once: bool
    """Whether doing it again would do something twice, so that it is left out once it was done."""
    line: str
    """The command that does the same."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a step asks of a stage, with what stands for the folder and the models."""

    said: StudyStep
    stage: str
    given: Mapping[str, Any]
    where: str
    number: int
    """From 0."""


def steps_of(
    study: Study, folder: str, models: Sequence[str], grids: Sequence[str] = (), minutes: float | None = None
) -> list[Step]:
    """What is done, in order: a step that names ``{model}`` for each of them, and one that names ``{grid}`` for each grid, if any, with
    `minutes`. Raises `ConfigError`, which names file and step, for a stage that is not there, and for what it cannot be asked."""
    if study.file == Path():
        return _steps(study, folder, models, grids, minutes)

    def made(said: Mapping[str, Any]) -> list[Step]:
        again = study_of(said, study.file).model_copy(update={"convention": study.convention, "beside": study.beside})
        return _steps(again, folder, models, grids, minutes)

    return made_of(text_of(study.file, "utf-8-sig"), str(study.file), made, what="a study", model=Study)


def _steps(study: Study, folder: str, models: Sequence[str], grids: Sequence[str], minutes: float | None) -> list[Step]:
    found = []
    if grids and not any("{grid}" in text for asked in _asked(study) for text in _texts(asked.given)):
        raise ConfigError(f"{study.name} trains no learners", hint="Leave --grid out.")
    if minutes is not None and not grids:
        raise ConfigError(
            "--minutes is about the learners of a grid, and none is named", hint="Say --grid miniature, or leave --minutes out."
        )
    for asked in _asked(study):
        if study.beside is None and _is_of_the_other(asked):
            continue
        of_grids = any("{grid}" in text for text in _texts(asked.given))
        each = models if any("{model}" in text for text in _texts(asked.given)) else models[:1]
        for model, grid in product(each, grids if of_grids else [""]):
            here = {
                "grid": grid,
                "learners": Path(grid).stem,
                "folder": folder,
                "data": str(study.data),
                "model": model,
                "name": model_folder(model),
                "convention": study.convention,
                "beside": study.beside or study.convention,
            }
            given = {name: _filled(value, here, models) for name, value in asked.given.items()}
            if of_grids and minutes is not None:
                given["minutes"] = minutes
            stage = STAGES[asked.stage]
            with in_place("step", asked.number, *asked.stage.split()):
                request = stage.request_type().of(given, asked.where)
            words = [*typed(asked.stage).split(), *as_typed(request), *(["-w", folder] if stage.source else [])]
            found.append(Step(_in_place(asked.said.say, here), asked.stage, request, asked.said.once, shlex.join(words)))
    return found


def _is_of_the_other(asked: _Asked) -> bool:
    """Whether a step is about the second scoring convention alone."""
    texts = list(_texts(asked.given))
    return any("{beside}" in text for text in texts) and not any("{convention}" in text for text in texts)


def old_steps(study: Study) -> list[str]:
    """For every step that is written as the words of a command, how it is written now."""
    return [
        f"{asked.where}: `run = [...]` is read in this release only; write instead\n{as_table(asked.stage, asked.given)}"
        for asked in _asked(study)
        if asked.said.run
    ]


def _asked(study: Study) -> Iterator[_Asked]:
    for number, step in enumerate(study.step, 1):
        where = f"{study.file}: step {number}"
        tables = dict(step.model_extra or {})
        if step.run:
            if tables:
                raise ConfigError(
                    f"{where}: has `run` and {next(iter(tables))!r}", hint="A step does one thing.", place=("step", number - 1)
                )
            if step.run[0] == _MAKES_THE_PLACE:
                continue
            stage, words = _command(step.run, where)
            place = f"{where} ({stage})"
            yield _Asked(step, stage, read_typed(STAGES[stage].request_type(), words, place), place, number - 1)
            continue
        if len(tables) != 1:
            raise ConfigError(
                f"{where}: asks for {'several things' if tables else 'nothing'}",
                hint="A step has the table of one stage, such as [step.score].",
                place=("step", number - 1),
            )
        ((name, given),) = tables.items()
        if name not in STAGES and isinstance(given, dict) and len(given) == 1:
            ((below, inner),) = given.items()
            if f"{name} {below}" in STAGES:
                name, given = f"{name} {below}", inner
        if name not in STAGES or not STAGES[name].command or not isinstance(given, dict):
            known = [own for own, stage in STAGES.items() if stage.command]
            raise no_such(f"{where}: there is no stage {name!r}", "There are", name, known, place=("step", number - 1, name))
        yield _Asked(step, name, given, f"{where} ({name})", number - 1)


def _command(words: Sequence[str], where: str) -> tuple[str, list[str]]:
    """The stage of a command and the words behind its name, `{models}` as an option."""
    for n in (2, 1):
        name = " ".join(words[:n])
        stage = MOVED.get(name, name)
        if stage in STAGES and STAGES[stage].command:
            return stage, [own for word in words[n:] for own in (("--model", word) if word == _MODELS else (word,))]
    raise ConfigError(f"{where}: `gapsmith {words[0]}` is no stage that a study can have")


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from _texts(list(value.values()))
    elif isinstance(value, Sequence):
        for own in value:
            yield from _texts(own)


def _in_place(text: str, here: Mapping[str, str]) -> str:
    """A text with what its braces name; other braces, as in JSON, stay."""
    return re.sub(r"\{(\w+)\}", lambda found: here.get(found[1], found[0]), text)


def _filled(value: Any, here: Mapping[str, str], models: Sequence[str]) -> Any:
    if isinstance(value, str):
        return list(models) if value == _MODELS else _in_place(value, here)
    if isinstance(value, Mapping):
        return {name: _filled(own, here, models) for name, own in value.items()}
    if isinstance(value, Sequence):
        return [part for own in value for part in (models if own == _MODELS else [_filled(own, here, models)])]
    return value
