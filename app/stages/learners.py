"""Learners of a grid as they lie on disk, for the page of POSH-BENCH's experiments."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gapsmith.templates import ConfigError, FormatError, read_json, text_of

if TYPE_CHECKING:
    from gapsmith.scoring.report import Learner

CELLS_FILE, COUNTS_FILE = "cells.csv", "counts.csv"
LEARNERS = "learners"
"""The folder of a workspace in which `gapsmith study posh` looks for grids."""


def grids_in(workspace: Path) -> list[Path]:
    """The folders of grids in a workspace's folder `learners`."""
    return sorted(file.parent for file in (workspace / LEARNERS).glob(f"*/{CELLS_FILE}"))


def learners_in(folder: Path) -> Iterator[Learner]:
    """The learners of a grid's folder that are trained. Raises `ConfigError` where it is none, and `FormatError` for files that cannot be
    read."""
    from gapsmith.scoring.report import Learner
    from gapsmith.training import DONE_FILE, FACTS, TrainingLog

    file = folder / CELLS_FILE
    try:
        rows = list(csv.DictReader(text_of(file, "utf-8").splitlines()))
    except FileNotFoundError:
        raise ConfigError(
            f"{folder} is no grid: it has no {CELLS_FILE}", hint="Give the --out of `gapsmith train grid`."
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise FormatError(f"{file}: cannot be read ({error})") from None
    for line, row in enumerate(rows, 2):
        name, kind, seed = (row.get(key) for key in ("name", "kind", "seed"))
        if not name or not kind or seed is None:
            raise FormatError(
                f"{file}, line {line}: no name, kind or seed", hint="Run `gapsmith train grid` again: it writes the file."
            )
        done = folder / name / DONE_FILE
        if row.get("problem") or not done.is_file():
            continue
        try:
            record: dict[str, Any] = read_json(text_of(done, "utf-8"))
            settings = record["config"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise FormatError(f"{done}: cannot be read ({error!r})", hint="Run `gapsmith train grid` again.") from None
        facts = {key: row[key] for key in FACTS if row.get(key)}
        measured = tuple(entry["measured"] for entry in TrainingLog(folder / name / "log.jsonl").entries() if "measured" in entry)
        yield Learner(
            kind,
            seed,
            # As it was scored, from wherever that was.
            row.get("folder") or str(folder / name),
            facts if len(facts) == len(FACTS) else {},
            settings,
            measured,
            str(record.get("note") or ""),
            _read(record),
        )


def _read(record: dict[str, Any]) -> dict[str, int]:
    """The sizes of the text that a learner read; empty where its record is older than they are."""
    told = record.get("read")
    return {key: value for key, value in told.items() if isinstance(value, int)} if isinstance(told, dict) else {}
