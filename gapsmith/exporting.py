"""What goes out: the items and their numbers, in the formats that people use elsewhere."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bank import Bank, ItemFilter
from bank.formats import CsvWriter, defuse, looks_like_formula, write_sentence_csv, write_slot_jsonl
from templates import Design, Paradigm
from templates.errors import ConfigError, GapsmithError

__all__ = ["FORMATS", "Exported", "export", "write"]

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


def export(
    bank: Bank,
    kind: str,
    selection: ItemFilter,
    paradigm: Paradigm,
    *,
    design: Design,
    excel: bool = False,
    defused: bool = False,
) -> Exported:
    """The selected items of one paradigm in the format `kind`.

    `excel` puts a byte-order mark before CSV, without which Excel garbles UTF-8. `defused` puts an apostrophe before
    cells that a spreadsheet would run; they are counted either way. Raises `GapsmithError` where nothing is selected."""
    if kind not in FORMATS:
        raise ConfigError(f"there is no format {kind!r}", hint=f"There are: {', '.join(FORMATS)}.")
    if bank.items.count(selection) == 0:
        raise GapsmithError(
            f"no item of {paradigm.name} is selected",
            hint="Only approved items go out unless you say --all or --status. Nothing was written.",
        )
    out = io.StringIO(newline="")
    if kind == "slots":
        written, without = write_slot_jsonl(out, bank.items.iterate(selection))
        return Exported(out.getvalue().encode(), written, 0, tuple(without))
    if kind == "parquet":
        content, rows = _parquet(_long(bank, selection, paradigm, design), paradigm)
        return Exported(content, rows, 0)
    if kind == "csv":
        rows = write_sentence_csv(out, bank.items.iterate(selection), paradigm, design)
    else:
        rows = _write_long(out, _long(bank, selection, paradigm, design), paradigm)
    return _finished(out.getvalue(), rows, excel=excel, defused=defused)


def write(exported: Exported, path: Path) -> None:
    """Put the content into a file, whole or not at all."""
    temporary = path.with_name(f".{path.name}.part")
    try:
        temporary.write_bytes(exported.content)
        temporary.replace(path)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be written ({error.strerror})") from None


def _long(bank: Bank, selection: ItemFilter, paradigm: Paradigm, design: Design) -> Iterable[dict[str, Any]]:
    from scoring.long_table import long_rows

    return long_rows(bank, selection, paradigm, design=design)


def _write_long(out: io.StringIO, rows: Iterable[Mapping[str, Any]], paradigm: Paradigm) -> int:
    from scoring.long_table import columns

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

    from scoring.long_table import columns

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
