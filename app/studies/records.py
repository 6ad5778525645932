"""What somebody found who did a study elsewhere: a small file, which can be contributed and is shown as theirs.

A study of which a number needs weights that are not here cannot be checked here. Whoever has them runs it with ``--record``; the file
goes into ``records/`` beside the studies (or into that of a workspace), and pages show it under the name of its author.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from gapsmith.app.studies.running import NumberComparison, StudyRun
from gapsmith.app.studies.study import Study
from gapsmith.bank import canonical
from gapsmith.templates import VERSION, ConfigError, DocumentError, bytes_of, read_json

_FOLDER = Path(__file__).parent / "records"


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class RecordedNumber(_Strict):
    """A published number, and what came out."""

    what: str
    set: str
    at: str
    published: float
    ours: float | None
    decimals: int
    expected: Literal["equal", "comparable"]


class StudyRecord(_Strict):
    """A run of a study under one model."""

    study: str
    form: str
    """Of the study's file as it was: the first 16 digits of the SHA-256 of its sets and numbers."""
    model: str
    scorer: dict[str, Any]
    """What identifies who measured: weights, tokenizer, number format, what stands before a sentence."""
    convention: str
    computed_by: list[dict[str, Any]]
    """Engine, device and versions of libraries."""
    gapsmith: str
    by: str
    at: str
    numbers: list[RecordedNumber]

    @property
    def agreeing(self) -> tuple[int, int]:
        """How many of the numbers that should be equal are, and how many there are."""
        compared = [_agrees(own) for own in self.numbers]
        known = [own for own in compared if own is not None]
        return sum(known), len(known)


def _agrees(own: RecordedNumber) -> bool | None:
    shown = NumberComparison(own.what, own.set, "", own.published, "", own.ours, own.decimals, own.expected)
    return shown.agrees


def form_of(study: Study) -> str:
    """What decides the numbers of a study, as 16 digits."""
    said = study.model_dump(mode="json", include={"step", "set", "number", "compared", "surprisal"})
    return sha256(canonical(said).encode()).hexdigest()[:16]


def record_of(study: Study, run: StudyRun, rows: Sequence[NumberComparison], *, by: str) -> StudyRecord:
    """What came out under one model. Raises `ConfigError` where the study measures nothing under a model."""
    analyses = list(run.analyses.values())
    if not analyses:
        raise ConfigError(f"{study.name} compares nothing of a model, so there is nothing to record", hint="Leave --record out.")
    first = analyses[0]
    return StudyRecord(
        study=study.name,
        form=form_of(study),
        model=run.model,
        scorer={"revision": first.scorer.revision, **first.scorer.identity},
        convention=study.convention,
        computed_by=[dict(how) for how, _ in first.provenance],
        gapsmith=VERSION,
        by=by,
        at=datetime.now(UTC).date().isoformat(),
        numbers=[
            RecordedNumber(
                what=row.what,
                set=row.set,
                at=row.at,
                published=row.published,
                ours=row.ours,
                decimals=row.decimals,
                expected=row.expected,
            )
            for row in rows
            if row.model == run.model
        ],
    )


def write_record(record: StudyRecord, file: Path) -> None:
    """Raises `ConfigError` where it cannot be written."""
    try:
        file.write_text(json.dumps(record.model_dump(), indent=1, sort_keys=True) + "\n", encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{file}: cannot be written ({error.strerror})", hint="Name another file with --record.") from None


def read_record(file: Path) -> StudyRecord:
    """Raises `ConfigError`, naming the file, for one that is no record."""
    try:
        return StudyRecord.model_validate(read_json(bytes_of(file)))
    except OSError as error:
        raise ConfigError(f"{file}: cannot be read ({error.strerror})") from None
    except (DocumentError, ValidationError) as error:
        why = str(error).splitlines()[0] if isinstance(error, DocumentError) else _first(error)
        raise ConfigError(
            f"{file}: is no record of a study ({why})", hint="`gapsmith study NAME --record FILE` writes one."
        ) from None


def records_of(study: Study, folder: Path) -> list[StudyRecord]:
    """What others recorded of a study: those that ship and those in ``records/`` of the study's own folder, oldest first."""
    files = [path for place in (_FOLDER, folder / "records") for path in sorted(place.glob("*.json"))]
    found = [own for own in map(read_record, files) if own.study == study.name]
    return sorted(found, key=lambda own: own.at)


def _first(error: ValidationError) -> str:
    own = error.errors()[0]
    return f"{'.'.join(map(str, own['loc'])) or 'the file'}: {own['msg']}"
