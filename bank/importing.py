"""Bringing a file into the bank: read whole before anything is kept, then kept whole or not at all."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from bank.formats import read_sentence_csv, read_slot_jsonl
from bank.records import ItemFilter, NewItem, RunRecord, StoredItem
from bank.store import Bank
from templates import Paradigm
from templates.errors import FormatError

__all__ = ["Imported", "import_file", "read_items"]


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did."""

    run: RunRecord
    items: int
    """How many items came in; 0 where the very same file had been imported before."""
    aligned: int
    """How many of them read back into the paradigm's slots."""
    already_there: bool
    changed: int = 0
    """Items that were there and got a new revision from the file."""
    same: int = 0
    """Items that were there and are as the file has them."""


def import_file(bank: Bank, path: Path, paradigm: Paradigm, *, dataset: str, update: bool = False) -> Imported:
    """Import a four- or eight-condition CSV (``.csv``, ``.tsv``) or slots as JSON lines (``.jsonl``).

    Importing the same file into the same data set again does nothing and says so. With `update`, items whose ids are
    there already get a new revision where the file says something else (their decisions were about the old one); items
    that the file does not have stay. Raises `FormatError` for a file with
    structural faults, `BankError` where ids of the file are taken; the bank is then as it was."""
    items = read_items(path, paradigm, dataset)
    content = hashlib.sha256(path.read_bytes()).hexdigest()
    identity = hashlib.sha256(f"import\0{content}\0{paradigm.form_digest}\0{dataset}".encode()).hexdigest()
    aligned = sum(item.slots is not None for item in items)
    with bank.transaction():
        # A file whose data set was taken out since may be wanted once more, as a run of its own.
        is_out = bank.items.count(ItemFilter(paradigm=paradigm.name, dataset=dataset)) == 0
        for old in bank.paradigms.files(paradigm.name):
            # Release 0.1.0 bound an import to the bytes of the paradigm's file.
            before = hashlib.sha256(f"import\0{content}\0{old}\0{dataset}".encode()).hexdigest()
            known_run = bank.runs.find(f"0.1.0:{before}")
            if known_run is not None and not is_out:
                return Imported(known_run, 0, aligned, already_there=True)
        first, times = identity, 0
        while is_out and (done := bank.runs.find(identity)) is not None and done.finished_at is not None:
            times += 1
            identity = f"{first}:{times}"
        run = bank.runs.begin(
            kind="import",
            paradigm_id=bank.paradigms.register(paradigm),
            provider="file",
            identity=identity,
            parameters={"file": path.name, "sha256": content, "dataset": dataset},
        )
        if run.finished_at is not None:
            return Imported(run, 0, aligned, already_there=True)
        known = _known_items(bank, paradigm, dataset) if update else {}
        new = [item for item in items if item.label not in known]
        changed = sum(_revised(bank, known[item.label], item, path.name) for item in items if item.label in known)
        call_id = bank.runs.intend(run.id, 0, {"file": path.name})
        bank.runs.reply(call_id, outcome="ok", reply=None, items=new)
        bank.runs.finish(run.id)
    same = len(items) - len(new) - changed
    return Imported(bank.runs.get(run.id), len(new), aligned, already_there=False, changed=changed, same=same)


def _known_items(bank: Bank, paradigm: Paradigm, dataset: str) -> dict[str | None, StoredItem]:
    selection = ItemFilter(paradigm=paradigm.name, dataset=dataset)
    return {item.label: item for item in bank.items.iterate(selection)}


def _revised(bank: Bank, there: StoredItem, item: NewItem, file: str) -> bool:
    if [(s.condition, s.text) for s in there.sentences] == [(s.condition, s.text) for s in item.sentences]:
        return False
    note = f"imported again from {file}"
    bank.items.revise(there.id, slots=item.slots, sentences=item.sentences, author="import", note=note)
    return True


def read_items(path: Path, paradigm: Paradigm, dataset: str) -> tuple[NewItem, ...]:
    """The items in a file, as an import would keep them. Raises `FormatError` for a file with structural faults."""
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
