"""What goes out: the items and their numbers, in the formats that people use elsewhere."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bank import Bank, ItemFilter
from bank.formats import CsvWriter, defuse, looks_like_formula, write_sentence_csv, write_slot_jsonl
from gapsmith.export_source import find_items
from scoring.long_table import columns, long_rows
from templates import Paradigm
from templates.errors import ConfigError

__all__ = ["FORMATS", "Exported", "export", "write", "write_whole"]

FORMATS: Mapping[str, str] = {
    "csv": "one row per sentence: sentence_type,item_id,condition,full_sentence (four or eight conditions by --design)",
    "slots": "one JSON line per item, with its slots",
    "long": "CSV with one row per item, condition, region and model, for R and pandas",
    "parquet": "the same as Parquet",
}


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written."""

    content: bytes
    rows: int
    formulas: int
    """Cells that a spreadsheet would run as formulas; defused where that was asked for."""
    without_slots: tuple[str, ...] = ()
    """Labels of items that could not go out because they have no slots."""
    versions: int = 1
    """Versions of the paradigm file that the items were made with; each item was read with its own."""
    left_out: int = 0
    """Sentences that are not in it although nobody asked to leave their conditions out: their condition is not one of the
    paradigm's."""
    shared_labels: int = 0
    """Labels that stand for items of several data sets, in a format that does not name the data set."""


def export(
    bank: Bank,
    kind: str,
    selection: ItemFilter,
    *,
    design: str | None = None,
    model: str | None = None,
    excel: bool = False,
    defused: bool = False,
) -> Exported:
    """The selected items, which are all of one paradigm, in the format `kind`.

    `design` names the conditions to write, all of the paradigm's if it is None; `model` the one whose scores the long table
    holds, every one that measured any of the sentences if it is None. `excel` puts a byte-order mark before CSV, without
    which Excel garbles UTF-8. `defused` puts an apostrophe before cells that a spreadsheet would run; they are counted
    either way. Raises `GapsmithError` where nothing is selected, and where the items were made with versions of the
    paradigm that have different conditions."""
    if kind not in FORMATS:
        raise ConfigError(f"there is no format {kind!r}", hint=f"There are: {', '.join(FORMATS)}.")
    source = find_items(bank, selection)
    out = io.StringIO(newline="")
    if kind == "slots":
        written, without = write_slot_jsonl(out, bank.items.iterate(selection))
        return Exported(out.getvalue().encode(), written, 0, tuple(without), shared_labels=source.shared_labels)
    paradigm = source.common()
    chosen = source.design(design)
    left_out = source.outside(paradigm.condition_by_name)
    if kind == "csv":
        rows = write_sentence_csv(out, bank.items.iterate(selection), paradigm, chosen)
        done = _finished(out.getvalue(), rows, excel=excel, defused=defused)
    else:
        scorers = _scorers(bank, source.texts(chosen.conditions), model)
        found = long_rows(bank, selection, scorers=scorers, conditions=chosen.conditions)
        if kind == "parquet":
            content, rows = _parquet(found, paradigm)
            done = Exported(content, rows, 0)
        else:
            rows = _write_long(out, found, paradigm)
            done = _finished(out.getvalue(), rows, excel=excel, defused=defused)
    shared = source.shared_labels if kind == "csv" else 0
    return replace(done, versions=len(source.versions), left_out=left_out, shared_labels=shared)


def write(exported: Exported, path: Path) -> None:
    """Put the content into a file, whole or not at all. Raises `ConfigError`."""
    write_whole(path, exported.content)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file, whole or not at all; through a link to what it points to, and into a pipe or device as it is. Raises
    `ConfigError`."""
    if path.is_dir():
        raise ConfigError(f"{path} is a directory", hint=f"Name a file in it, such as -o {path / 'items.csv'}.")
    target = Path(os.path.realpath(path))
    temporary = target.with_name(f".{target.name}.part")
    try:
        if target.is_symlink():
            raise ConfigError(f"{path}: is a link that leads round in a circle", hint="Name another file.")
        if target.exists() and not target.is_file():
            with target.open("wb") as stream:
                stream.write(content)
            return
        # What is there may be a link that somebody laid out for us.
        temporary.unlink(missing_ok=True)
        with temporary.open("xb") as stream:
            stream.write(content)
        temporary.replace(target)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise ConfigError(f"{path}: cannot be written ({error.strerror})") from None


def _scorers(bank: Bank, texts: list[str], model: str | None) -> list[int]:
    """The scorers, of that model if one is given, that have measured any of the texts, oldest first."""
    known = [(scorer.id, scorer.model) for scorer in bank.scores.scorers()]
    measured = [(own, name) for own, name in known if len(bank.scores.missing(own, texts)) < len(texts)]
    found = [own for own, name in measured if model in (None, name)]
    if found or model is None:
        return found
    names = ", ".join(dict.fromkeys(name for _, name in measured)) or "none"
    raise ConfigError(
        f"{model} has scored none of these sentences",
        hint=f"Models that have: {names}. Run `gapsmith score --model {model}`, or leave --model out.",
    )


def _write_long(out: io.StringIO, rows: Iterable[Mapping[str, Any]], paradigm: Paradigm) -> int:
    names = columns(paradigm)
    writer = CsvWriter(out)
    writer.row(names)
    count = 0
    for row in rows:
        writer.row([int(row[name]) if isinstance(row[name], bool) else row[name] for name in names])
        count += 1
    return count


def _parquet(rows: Iterable[dict[str, Any]], paradigm: Paradigm) -> tuple[bytes, int]:
    import pyarrow
    import pyarrow.parquet

    kinds = {
        "region_number": pyarrow.int32(),
        "scorer": pyarrow.int64(),
        "n_tokens": pyarrow.int32(),
        "surprisal": pyarrow.float64(),
        "critical": pyarrow.bool_(),
    }
    fields = [
        pyarrow.field(name, pyarrow.float64() if name.endswith("_code") else kinds.get(name, pyarrow.string()))
        for name in columns(paradigm)
    ]
    table = pyarrow.Table.from_pylist(list(rows), schema=pyarrow.schema(fields))
    sink = io.BytesIO()
    pyarrow.parquet.write_table(table, sink)
    return sink.getvalue(), table.num_rows


def _finished(text: str, rows: int, *, excel: bool, defused: bool) -> Exported:
    import csv

    formulas = sum(looks_like_formula(cell) for row in csv.reader(io.StringIO(text, newline="")) for cell in row)
    if defused:
        text, formulas = defuse(text)
    return Exported(("\ufeff" if excel else "").encode() + text.encode(), rows, formulas)
