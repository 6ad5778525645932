"""Data sets: named collections of items of one paradigm. Making, renaming and removing one are events that can be undone."""

from __future__ import annotations

import json
import shlex
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gapsmith.bank.connection import Db, new_uid
from gapsmith.bank.errors import BankError
from gapsmith.bank.events import add_event
from gapsmith.bank.names import as_name
from gapsmith.templates import ConfigError, Paradigm, did_you_mean

FILE_META = "file"
"""The key under which a data set's meta keeps what its first file said as a whole."""
TOLD = "told"
"""The key under which that, and the parameters of an import, keep what a person had to say of the file."""
MEASURED_ELSEWHERE = "measured where its paradigm does not say"
"""Begins what is told of a data set with critical regions of its own."""

DATA_SET = "data_set"
"""The key under which the parameters of such an import keep the uid of the data set that it went into."""
CRITICAL = "critical"
"""The key under which a data set's meta keeps in which region each condition is measured in it, where that is not where its paradigm
says."""


@dataclass(frozen=True, slots=True)
class Dataset:
    """One data set as it stands."""

    id: int
    uid: bytes
    paradigm: str
    name: str
    items: int
    removed: bool
    meta: Mapping[str, Any]
    """What its file said of it as a whole."""

    @property
    def critical(self) -> Mapping[str, str]:
        """The critical regions of its own: of each condition that has one."""
        own: Mapping[str, str] = self.meta.get(CRITICAL) or {}
        return own


class DatasetTable:
    """The data sets of the bank."""

    def __init__(self, db: Db) -> None:
        self._db = db

    def make(self, paradigm: str, name: str, *, meta: Mapping[str, Any] | None = None) -> int:
        """The id of the paradigm's data set of that name, new or known. Call it within a transaction."""
        row = self._db.execute(
            "SELECT dataset_id FROM dataset_state WHERE paradigm = ? AND name = ? AND removed = 0", (paradigm, name)
        ).fetchone()
        if row is not None:
            return int(row["dataset_id"])
        as_name(name, "a data set")
        cursor = self._db.execute(
            "INSERT INTO dataset (uid, paradigm, meta) VALUES (?, ?, ?)",
            # In the order given, which is that of the file.
            (new_uid(), paradigm, json.dumps(meta or {}, ensure_ascii=False, separators=(",", ":"))),
        )
        assert cursor.lastrowid is not None
        self._db.execute(
            "INSERT INTO dataset_state (dataset_id, paradigm, name, removed) VALUES (?, ?, ?, 0)",
            (cursor.lastrowid, paradigm, name),
        )
        return cursor.lastrowid

    def all(self, paradigm: str | None = None, *, removed: bool = False) -> list[Dataset]:
        """The data sets, oldest first; with `removed` those that were taken out as well."""
        rows = self._db.checked(
            ("dataset", "dataset_state"),
            "SELECT dataset.*, state.*,"
            " (SELECT count(*) FROM item WHERE item.dataset_id = dataset.id) AS n"
            " FROM dataset JOIN dataset_state state ON state.dataset_id = dataset.id"
            " WHERE (? IS NULL OR dataset.paradigm = ?) AND (state.removed = 0 OR ?) ORDER BY dataset.id",
            (paradigm, paradigm, removed),
        )
        return [
            Dataset(
                row["id"],
                row["uid"],
                row["paradigm"],
                row["name"],
                row["n"],
                bool(row["removed"]),
                json.loads(row["meta"]),
            )
            for row in rows
        ]

    def told(self, dataset: Dataset, *, critical: bool = True) -> tuple[str, ...]:
        """What people had to say of its files, since no line of these says it: which member of a pair comes first. With the names
        of the files, where they were told different things. Without `critical`, not where it is measured: whole sentences are."""
        rows = self._db.execute(
            "SELECT parameters FROM run WHERE kind = 'import' AND (id IN (SELECT run_id FROM item WHERE dataset_id = ?)"
            f" OR json_extract(parameters, '$.{DATA_SET}') = ?) ORDER BY id",
            (dataset.id, dataset.uid.hex()),
        )
        runs = [json.loads(row["parameters"]) for row in rows]
        by_file = [(run.get("file", ""), said) for run in runs for said in run.get(TOLD, ())]
        kept: Mapping[str, Any] = dataset.meta.get(FILE_META) or {}
        of_first = kept.get(TOLD, _taken_for_granted(kept, runs))
        if not critical:
            of_first = [said for said in of_first if not said.startswith(MEASURED_ELSEWHERE)]
            by_file = [(file, said) for file, said in by_file if not said.startswith(MEASURED_ELSEWHERE)]
        said = tuple(dict.fromkeys([*of_first, *(said for _, said in by_file)]))
        return said if len(said) < 2 else tuple(dict.fromkeys(f"{file}: {said}" for file, said in by_file))

    def measured(self, paradigm: Paradigm, name: str) -> Paradigm:
        """A paradigm, its conditions measured where the data set of that name says; the paradigm itself where it says nothing."""
        own = self._critical(paradigm.name).get(name)
        return paradigm if own is None else paradigm.measured_in(own)

    def measured_together(self, paradigm: Paradigm, names: Iterable[str]) -> Paradigm:
        """A paradigm, measured where all data sets of these names are. Raises `ConfigError` where they are measured in different
        regions: their values would be of different words."""
        said = self._critical(paradigm.name)
        chosen = list(dict.fromkeys(names))
        if not any(name in said for name in chosen):
            return paradigm
        measured = {name: paradigm.measured_in(said.get(name, {})) for name in chosen}
        places = {name: {c.name: c.critical for c in own.conditions} for name, own in measured.items()}
        first = chosen[0]
        for name in chosen[1:]:
            differing = [condition for condition, region in places[name].items() if region != places[first][condition]]
            if differing:
                condition = differing[0]
                raise ConfigError(
                    f"data sets of {paradigm.name} are measured in different regions: {condition} {_at(places[first][condition])} in "
                    f"{first}, and {_at(places[name][condition])} in {name}",
                    hint=f"Take one at a time: {' or '.join(f'--dataset {shlex.quote(one)}' for one in chosen)} (in Python dataset=NAME).",
                )
        return measured[first]

    def _critical(self, paradigm: str) -> dict[str, Mapping[str, str]]:
        """The critical regions of their own that data sets of a paradigm have, by name."""
        rows = self._db.checked(
            ("dataset", "dataset_state"),
            "SELECT dataset.*, state.* FROM dataset JOIN dataset_state state ON state.dataset_id = dataset.id"
            " WHERE dataset.paradigm = ? AND state.removed = 0",
            (paradigm,),
        )
        said = {row["name"]: json.loads(row["meta"]).get(CRITICAL) for row in rows}
        return {name: own for name, own in said.items() if own is not None}

    def uid(self, dataset_id: int) -> str:
        """Its uid, in hexadecimal."""
        row = self._db.execute("SELECT uid FROM dataset WHERE id = ?", (dataset_id,)).fetchone()
        return str(row["uid"].hex())

    def find(self, name: str, paradigm: str | None = None) -> Dataset:
        """The data set of that name. Raises `BankError` where there is none, or several paradigms have one."""
        found = [dataset for dataset in self.all(paradigm) if dataset.name == name]
        if len(found) == 1:
            return found[0]
        if found:
            raise BankError(
                f"several paradigms have a data set {name!r}: {', '.join(d.paradigm for d in found)}",
                hint="Say which with --paradigm NAME.",
            )
        self.expect([name], [] if paradigm is None else [paradigm])
        raise AssertionError(name)

    def expect(self, names: Iterable[str], paradigms: Collection[str] = ()) -> None:
        """Whoever names data sets to choose items by them means some that are there. Raises `BankError` for one that is not, of
        these paradigms, of any where none is given."""
        here = [dataset for dataset in self.all() if not paradigms or dataset.paradigm in paradigms]
        known = list(dict.fromkeys(dataset.name for dataset in here))
        for name in names:
            if name not in known:
                of = f" of {' or '.join(paradigms)}" if paradigms else ""
                raise BankError(
                    f"there is no data set {name!r}{of}",
                    hint=f"{did_you_mean(name, known)}Data sets{of or ' here'}: {', '.join(known) or 'none yet'}.",
                )

    def rename(self, dataset: Dataset, name: str, *, author: str) -> None:
        """Give a data set another name. Raises `BankError` where the name is taken, or can be none."""
        as_name(name, "a data set")
        if any(other.name == name for other in self.all(dataset.paradigm)):
            raise BankError(f"{dataset.paradigm} has a data set {name!r} already", hint="Give another name.")
        self._event(dataset, {"from": dataset.name, "to": name}, author)

    def remove(self, dataset: Dataset, *, author: str) -> None:
        """Take a data set and its items out of everything that is shown, scored or analysed. Nothing is deleted."""
        self._event(dataset, {"removed": True}, author)

    def _event(self, dataset: Dataset, change: Mapping[str, Any], author: str) -> None:
        with self._db.write():
            payload = {"dataset": dataset.uid.hex(), **change}
            add_event(self._db, "dataset", None, None, payload, author=author)


def _taken_for_granted(kept: Mapping[str, Any], runs: Sequence[Mapping[str, Any]]) -> list[str]:
    """What earlier releases assumed of pairs whose file does not say which member is the good one."""
    meta: Mapping[str, Any] = kept.get("meta") or {}
    if kept.get("shape") == "pair_lines":
        what, first = "first line of each pair", "bad" if meta.get("bad_first", True) else "good"
    elif kept.get("shape") == "pair_table" and not meta.get("header"):
        what, first = "first column", "bad" if meta.get("good") else "good"
    else:
        return []
    said = any(run.get("first") == first for run in runs)
    return [f"the {what} is the {first} member, {f'as said with --first {first}' if said else 'which nobody said'}"]


def _at(region: str | None) -> str:
    return "nowhere yet" if region is None else f"in {region}"
