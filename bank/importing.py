"""Bringing a file into the bank: read whole before anything is kept, then kept whole or not at all."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from bank.formats import read_sentence_csv, read_slot_jsonl
from bank.records import NewItem, RunRecord
from bank.store import Bank
from templates import Paradigm
from templates.errors import FormatError

__all__ = ["Imported", "import_file"]


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did."""

    run: RunRecord
    items: int
    """How many items came in; 0 where the very same file had been imported before."""
    aligned: int
    """How many of them read back into the paradigm's slots."""
    already_there: bool


def import_file(bank: Bank, path: Path, paradigm: Paradigm, *, dataset: str) -> Imported:
    """Import a four- or eight-condition CSV (``.csv``, ``.tsv``) or slots as JSON lines (``.jsonl``).

    Importing the same file into the same data set again does nothing and says so. Raises `FormatError` for a file with
    structural faults, `BankError` where ids of the file are taken; the bank is then as it was."""
    items = _read(path, paradigm, dataset)
    content = hashlib.sha256(path.read_bytes()).hexdigest()
    identity = hashlib.sha256(f"import\0{content}\0{paradigm.digest}\0{dataset}".encode()).hexdigest()
    aligned = sum(item.slots is not None for item in items)
    with bank.transaction():
        run = bank.runs.begin(
            kind="import",
            paradigm_id=bank.paradigms.register(paradigm),
            provider="file",
            identity=identity,
            parameters={"file": path.name, "sha256": content, "dataset": dataset},
        )
        if run.finished_at is not None:
            return Imported(run, 0, aligned, already_there=True)
        call_id = bank.runs.intend(run.id, 0, {"file": path.name})
        bank.runs.reply(call_id, outcome="ok", reply=None, items=items)
        bank.runs.finish(run.id)
    return Imported(bank.runs.get(run.id), len(items), aligned, already_there=False)


def _read(path: Path, paradigm: Paradigm, dataset: str) -> tuple[NewItem, ...]:
    suffix = path.suffix.casefold()
    if suffix in {".csv", ".tsv"}:
        return read_sentence_csv(path, paradigm, dataset=dataset).items
    if suffix in {".jsonl", ".ndjson"}:
        return read_slot_jsonl(path, paradigm, dataset=dataset)
    if not path.exists():
        raise FormatError(f"{path}: there is no such file")
    raise FormatError(
        f"{path}: cannot tell what kind of file this is",
        hint="Files that are read: .csv or .tsv (four or eight conditions) and .jsonl (slots).",
    )
