"""What goes out: the items, in the formats that people use elsewhere. Their numbers: `gapsmith.number_exports`."""

from __future__ import annotations

import io
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from bank import Bank, ItemFilter
from bank.formats import defuse, looks_like_formula, write_sentence_csv, write_slot_jsonl
from gapsmith.export_source import find_items
from templates.errors import ConfigError

__all__ = ["FORMATS", "Exported", "export", "finished", "write", "write_whole"]

FORMATS: Mapping[str, str] = {
    "csv": "one row per sentence: sentence_type,item_id,condition,full_sentence (four or eight conditions by --design)",
    "slots": "one JSON line per item, with its slots",
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
    folder: bool = False
    """Whether it is a folder, which is there already."""
    shared_labels: int = 0
    """Labels that stand for items of several data sets, in a format that does not name the data set."""


def export(
    bank: Bank,
    kind: str,
    selection: ItemFilter,
    *,
    design: str | None = None,
    excel: bool = False,
    defused: bool = False,
) -> Exported:
    """The selected items, which are all of one paradigm, in the format `kind`.

    `design` names the conditions to write, all of the paradigm's if it is None. `excel` puts a byte-order mark before CSV,
    without which Excel garbles UTF-8. `defused` puts an apostrophe before cells that a spreadsheet would run; they are counted
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
    rows = write_sentence_csv(out, bank.items.iterate(selection), paradigm, chosen)
    done = finished(out.getvalue(), rows, excel=excel, defused=defused)
    return replace(done, versions=len(source.versions), left_out=left_out, shared_labels=source.shared_labels)


def write(exported: Exported, path: Path) -> None:
    """Put the content into a file, whole or not at all. Raises `ConfigError`."""
    write_whole(path, exported.content)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file, whole or not at all; through a link to what it points to, and into a pipe or device as it is. Raises
    `ConfigError`."""
    if path.is_dir():
        raise ConfigError(f"{path} is a directory", hint=f"Name a file in it, such as -o {path / 'items.csv'}.")
    target = path.resolve()
    temporary = target.with_name(f".{target.name}.part")
    try:
        if target.exists() and not target.is_file():
            with target.open("wb") as stream:
                stream.write(content)
            return
        temporary.write_bytes(content)
        temporary.replace(target)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise ConfigError(f"{path}: cannot be written ({error.strerror})") from None


def finished(text: str, rows: int, *, excel: bool, defused: bool) -> Exported:
    """CSV on its way out, with the cells counted that a spreadsheet would run; `excel` and `defused` as in `export`."""
    import csv

    formulas = sum(looks_like_formula(cell) for row in csv.reader(io.StringIO(text, newline="")) for cell in row)
    if defused:
        text, formulas = defuse(text)
    return Exported(("\ufeff" if excel else "").encode() + text.encode(), rows, formulas)
