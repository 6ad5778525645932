"""What the linter found, per item and per set. Findings are derived: each lint replaces those of the items it read."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gapsmith.bank.asked import forget_lints, keep_of_lint, request_of_lint
from gapsmith.bank.connection import Db, now
from gapsmith.bank.errors import BankError
from gapsmith.bank.looks import NOT_KEPT, Look, Looked
from gapsmith.bank.records import Finding, FindingPlace, ItemFilter, Severity, StoredFinding
from gapsmith.bank.seeing import Gate


@dataclass(frozen=True, slots=True)
class LintReading:
    """What the findings of an item were made of."""

    made_of: bytes
    """A digest, of 16 bytes, of all that decides them besides the item's revision."""
    asked: tuple[Finding, ...] = ()
    """Findings of the item that are told once for its data set, and not stored with it."""
    unlisted: tuple[str, ...] = ()
    """The item's words that are in no list."""

    @property
    def kept(self) -> str | None:
        """The findings and words as a bank keeps them; None where there are none."""
        if not self.asked and not self.unlisted:
            return None
        return json.dumps({"asked": [_told(f) for f in self.asked], "unlisted": self.unlisted}, ensure_ascii=False)

    @classmethod
    def of(cls, made_of: bytes, kept: str | None) -> LintReading | None:
        """What a bank has kept; None where an older release did, which knew of no words."""
        said = json.loads(kept) if kept is not None else {"asked": [], "unlisted": []}
        if isinstance(said, list):
            return None
        return cls(made_of, tuple(map(_from_told, said["asked"])), tuple(said["unlisted"]))


@dataclass(frozen=True, slots=True)
class ReadItem:
    """An item as it stands, and what its stored findings were made of."""

    item_id: int
    label: str
    dataset: str
    form_id: int
    revision_id: int
    reading: LintReading | None
    """None where no lint has read this revision, or its findings came with the log of another bank."""


_WITH_OTHERS = 2
"""A finding of so many items names one beside the item with which it stands."""


class FindingTable:
    """Findings as they stand."""

    def __init__(self, db: Db, gate: Gate) -> None:
        self._db = db
        self._gate = gate

    def replace(
        self,
        paradigm: str,
        findings: Mapping[int, Sequence[Finding]],
        *,
        ruleset: str,
        revisions: Mapping[int, int] | None = None,
        of_sets: Mapping[str, Sequence[Finding]] | None = None,
        named: Mapping[int, Sequence[Finding]] | None = None,
        looks: Mapping[int, Look] | None = None,
        readings: Mapping[int, LintReading] | None = None,
        sets_made_of: Mapping[str, bytes] | None = None,
        at: str | None = None,
    ) -> None:
        """Replace the findings of these items, and those about each data set of the paradigm that `of_sets` names, with what was found of its
        items by reading it as a whole (`named`), which stays where items alone are read again.

        `ruleset` says with which rules, lists and predictions the items were read, `revisions` which revision of each (the
        current one where it is not given), so that a lint can be known to be out of date; `looks` what the rules looked at in
        each; `readings` and `sets_made_of` (16 bytes) what the findings were made of, so that they need not be made again of the same. `at` is
        when the lint began (`begin_lint`); without it these findings are a lint by themselves."""
        with self._db.write():
            ruleset_id = self._ruleset(ruleset)
            self._db.executemany("DELETE FROM finding WHERE item_id = ? AND items IS NULL", [(item_id,) for item_id in findings])
            datasets = self._datasets(findings)
            self._insert([(datasets[item_id], item_id, f) for item_id, found in findings.items() for f in found])
            read = revisions or {}
            if at is None:
                at = now()
                if findings:
                    keep_of_lint(self._db, at)
            self._db.executemany(
                "INSERT OR REPLACE INTO lint_state (item_id, revision_id, ruleset_id, at)"
                " SELECT item_id, coalesce(?, revision_id), ?, ? FROM item_state WHERE item_id = ?",
                [(read.get(item_id), ruleset_id, at, item_id) for item_id in findings],
            )
            for look in set((looks or {}).values()):
                self._db.execute("INSERT OR IGNORE INTO look (said) VALUES (?)", (look.kept,))
            self._db.executemany(
                "INSERT OR REPLACE INTO look_state (item_id, look_id) SELECT ?, id FROM look WHERE said = ?",
                [(item_id, look.kept) for item_id, look in (looks or {}).items()],
            )
            self._db.executemany(
                "INSERT OR REPLACE INTO reading (item_id, made_of, asked) VALUES (?, ?, ?)",
                [(item_id, reading.made_of, reading.kept) for item_id, reading in (readings or {}).items()],
            )
            for name, found in (of_sets or {}).items():
                row = self._db.execute(
                    "SELECT dataset_id FROM dataset_state WHERE paradigm = ? AND name = ? AND removed = 0",
                    (paradigm, name),
                ).fetchone()
                if row is None:
                    raise BankError(f"{paradigm} has no data set {name!r}")
                of_set = "DELETE FROM finding WHERE dataset_id = ? AND (item_id IS NULL OR items IS NOT NULL)"
                self._db.execute(of_set, (row["dataset_id"],))
                self._insert([(row["dataset_id"], None, f) for f in found])
                self._db.execute("DELETE FROM set_reading WHERE dataset_id = ?", (row["dataset_id"],))
                if sets_made_of is not None and name in sets_made_of:
                    made_of = (row["dataset_id"], sets_made_of[name])
                    self._db.execute("INSERT INTO set_reading (dataset_id, made_of) VALUES (?, ?)", made_of)

            if named:
                homes = self._datasets(named)
                self._insert([(homes[item_id], item_id, f) for item_id, found in named.items() for f in found])

    def begin_lint(self) -> str:
        """The time of a lint that begins now, whose request is kept; what was kept of lints of which nothing is left is forgotten."""
        with self._db.write():
            at = now()
            forget_lints(self._db)
            keep_of_lint(self._db, at)
        return at

    def read_items(self, selection: ItemFilter | None = None) -> list[ReadItem]:
        """The selected items in the order in which they came, each with what its stored findings were made of; no text is read."""
        clause, values = self._gate.where(selection)
        readings = {
            row["item_id"]: row
            for row in self._db.checked(
                ("reading", "lint_state"),
                "SELECT reading.*, lint_state.*, lint_state.revision_id AS was_read FROM reading"
                " JOIN lint_state ON lint_state.item_id = reading.item_id",
            )
        }
        items = self._db.tuples(
            f"SELECT item.id, {self._gate.label}, item.dataset, revision.paradigm_id, item.revision_id FROM {self._gate.items} AS item"
            f" JOIN revision ON revision.id = item.revision_id{clause} ORDER BY item.id",
            values,
        )
        same: dict[bytes, bytes] = {}
        found = []
        for item_id, label, dataset, form_id, revision_id in items:
            row = readings.get(item_id)
            reading = None
            if row is not None and row["was_read"] == revision_id:
                reading = LintReading.of(same.setdefault(row["made_of"], row["made_of"]), row["asked"])
            found.append(ReadItem(item_id, label, dataset, form_id, revision_id, reading))
        return found

    def sets_made_of(self, paradigm: str) -> dict[str, bytes]:
        """What the findings about each data set of a paradigm were made of, where that is known."""
        rows = self._db.checked(
            "set_reading",
            "SELECT set_reading.*, state.name FROM set_reading JOIN dataset_state state ON state.dataset_id = set_reading.dataset_id"
            " WHERE state.paradigm = ? AND state.removed = 0",
            (paradigm,),
        )
        return {row["name"]: row["made_of"] for row in rows}

    def of_items(self, item_ids: Sequence[int]) -> dict[int, list[Finding]]:
        """The stored findings of each of these items, in the order in which they were stored; an item without any has no entry."""
        found: dict[int, list[Finding]] = {}
        chosen = "SELECT * FROM finding WHERE item_id IN (SELECT value FROM json_each(?)) ORDER BY id"
        for row in self._db.checked("finding", chosen, (json.dumps(list(item_ids)),)):
            found.setdefault(row["item_id"], []).append(_finding(row))
        return found

    def looks_at(self, item_ids: Sequence[int]) -> dict[int, Look]:
        """What the rules on words looked at in each of these items, where it was kept."""
        rows = self._db.checked(
            ("look_state", "look"),
            "SELECT look_state.*, look.* FROM look_state JOIN look ON look.id = look_state.look_id"
            " WHERE item_id IN (SELECT value FROM json_each(?))",
            (json.dumps(list(item_ids)),),
        )
        looks: dict[str, Look] = {}
        found = {}
        for row in rows:
            if row["said"] not in looks:
                looks[row["said"]] = Look.of(row["said"])
            found[row["item_id"]] = looks[row["said"]]
        return found

    def _ruleset(self, identity: str) -> int:
        self._db.execute("INSERT OR IGNORE INTO ruleset (identity) VALUES (?)", (identity,))
        (found,) = self._db.execute("SELECT id FROM ruleset WHERE identity = ?", (identity,)).fetchone()
        return int(found)

    def _datasets(self, items: Iterable[int]) -> dict[int, int]:
        rows = self._db.execute(
            "SELECT id, dataset_id FROM item WHERE id IN (SELECT value FROM json_each(?))", (json.dumps(list(items)),)
        )
        return {row["id"]: row["dataset_id"] for row in rows}

    def _insert(self, rows: list[tuple[int, int | None, Finding]]) -> None:
        self._db.executemany(
            "INSERT INTO finding (dataset_id, item_id, code, severity, rank, title, message, remedy,"
            ' condition, start, "end", slot, items)'
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    dataset_id,
                    item_id,
                    f.code,
                    f.severity.value,
                    f.severity.rank,
                    f.title,
                    f.message,
                    f.remedy,
                    f.place.condition,
                    f.place.start,
                    f.place.end,
                    f.place.slot,
                    json.dumps(f.items) if f.items else None,
                )
                for dataset_id, item_id, f in rows
            ],
        )

    def look(self, item_id: int) -> Look | None:
        """What the rules on words looked at in an item; None where no lint has kept it."""
        rows = self._db.checked(
            ("look_state", "look"),
            "SELECT look_state.*, look.* FROM look_state JOIN look ON look.id = look_state.look_id WHERE item_id = ?",
            (item_id,),
        )
        return next((Look.of(row["said"]) for row in rows), None)

    def looked_at(self, item_id: int) -> str:
        """The same in words."""
        look = self.look(item_id)
        return NOT_KEPT if look is None else look.told

    def looked(self, selection: ItemFilter | None = None) -> Looked:
        """What the rules on words looked at in the selected items, as far as a lint has read them and it was kept."""
        clause, values = self._gate.where(selection)
        rows = self._db.checked(
            ("look_state", "look"),
            f"SELECT look_state.*, look.* FROM {self._gate.items} AS item JOIN look_state ON look_state.item_id = item.id"
            f" JOIN look ON look.id = look_state.look_id{clause}",
            values,
        )
        looked = Looked()
        for said, items in Counter(row["said"] for row in rows).items():
            looked.add(Look.of(said), items)
        return looked

    def request(self, item_id: int) -> Mapping[str, Any] | None:
        """The request by which the item was last linted: stage, version, digest, and as TOML; None where that is not known."""
        row = next(self._db.checked("lint_state", "SELECT * FROM lint_state WHERE item_id = ?", (item_id,)), None)
        return None if row is None else request_of_lint(self._db, row["at"])

    def for_item(self, item_id: int) -> list[Finding]:
        """The findings of one item, worst first."""
        chosen = "SELECT * FROM finding WHERE item_id = ? ORDER BY rank DESC, code, id"
        rows = self._db.checked("finding", chosen, (item_id,))
        return [self.as_shown(_finding(row)) for row in rows]

    def as_shown(self, finding: Finding) -> Finding:
        """A finding of an item as it may be shown: who may not know the data sets is not told what the items beside it are called there."""
        if self._gate.tells_origins or len(finding.items) < _WITH_OTHERS:
            return finding
        return replace(finding, message="other items of its set are like it; which ones is told after your lock")

    def sets_that_name(self, item_ids: Sequence[int]) -> list[tuple[str, str]]:
        """Paradigm and name of the data sets whose reading has found something of one of these items."""
        rows = self._db.execute(
            "SELECT DISTINCT state.paradigm, state.name FROM finding JOIN dataset_state state ON state.dataset_id = finding.dataset_id"
            " WHERE finding.items IS NOT NULL AND finding.item_id IN (SELECT value FROM json_each(?)) ORDER BY state.dataset_id",
            (json.dumps(list(item_ids)),),
        )
        return [(row["paradigm"], row["name"]) for row in rows]

    def of_sets(self, paradigm: str, *, as_stored: bool = False) -> list[StoredFinding]:
        """The findings about a paradigm's data sets as wholes, by data set, worst first, or in the order in which they were stored."""
        rows = self._db.checked(
            "finding",
            "SELECT finding.*, state.name AS dataset FROM finding"
            " JOIN dataset_state state ON state.dataset_id = finding.dataset_id"
            " WHERE state.paradigm = ? AND state.removed = 0 AND finding.item_id IS NULL"
            f" ORDER BY finding.dataset_id, {'finding.id' if as_stored else 'rank DESC, code, finding.id'}",
            (paradigm,),
        )
        return [StoredFinding(None, None, _finding(row), row["dataset"]) for row in rows]

    def iterate(self, selection: ItemFilter | None = None) -> Iterator[StoredFinding]:
        """The findings of the selected items, item by item, worst first."""
        clause, values = self._gate.where(selection)
        rows = self._db.checked(
            "finding",
            f"SELECT finding.*, {self._gate.label} AS label, item.dataset FROM {self._gate.items} AS item"
            f" JOIN finding ON finding.item_id = item.id{clause} ORDER BY item.id, finding.rank DESC, finding.code",
            values,
        )
        for row in rows:
            yield StoredFinding(row["item_id"], row["label"], self.as_shown(_finding(row)), row["dataset"])

    def titles(self) -> dict[str, str]:
        """What each rule with findings looks for, by code."""
        first = "SELECT min(id) FROM finding WHERE title <> '' GROUP BY code"
        rows = self._db.checked("finding", f"SELECT * FROM finding WHERE id IN ({first}) ORDER BY code")
        return {row["code"]: row["title"] for row in rows}

    def counts(self, selection: ItemFilter | None = None) -> dict[tuple[str, Severity], int]:
        """How many of the selected items have a finding of each code and severity, by code."""
        clause, values = self._gate.where(selection)
        rows = self._db.checked(
            "finding",
            f"SELECT finding.* FROM {self._gate.items} AS item"
            f" JOIN finding ON finding.item_id = item.id{clause} ORDER BY finding.code, finding.severity",
            values,
        )
        items: dict[tuple[str, Severity], set[int]] = {}
        for row in rows:
            items.setdefault((row["code"], Severity(row["severity"])), set()).add(row["item_id"])
        return {key: len(found) for key, found in items.items()}

    def rulesets(self, items: Iterable[int]) -> dict[str, int]:
        """With which rules these items were read as they stand, and how many with each."""
        rows = self._db.execute(
            "SELECT ruleset.identity, count(*) AS n FROM lint_state l JOIN item_state ON item_state.item_id = l.item_id"
            " AND item_state.revision_id = l.revision_id JOIN ruleset ON ruleset.id = l.ruleset_id"
            " WHERE l.item_id IN (SELECT value FROM json_each(?)) GROUP BY ruleset.identity ORDER BY ruleset.identity",
            (json.dumps(list(items)),),
        )
        return {row["identity"]: row["n"] for row in rows}

    def unlinted(self, selection: ItemFilter | None = None, *, ruleset: str | None = None) -> list[int]:
        """The selected items whose current revision no lint has read, or none with these rules."""
        clause, values = self._gate.where(selection)
        same = ""
        if ruleset is not None:
            same = " AND l.ruleset_id = (SELECT id FROM ruleset WHERE identity = ?)"
            values.append(ruleset)
        missing = "(SELECT 1 FROM lint_state l WHERE l.item_id = item.id AND l.revision_id = item.revision_id" + same + ")"
        clause = f"{clause} AND NOT EXISTS {missing}" if clause else f" WHERE NOT EXISTS {missing}"
        rows = self._db.execute(f"SELECT item.id FROM {self._gate.items} AS item{clause} ORDER BY item.id", values)
        return [row["id"] for row in rows]


def _told(finding: Finding) -> list[str | None]:
    """A finding that is told once for a data set: it has no place but a slot."""
    return [finding.code, finding.severity.value, finding.title, finding.message, finding.remedy, finding.place.slot]


def _from_told(told: Sequence[str | None]) -> Finding:
    code, severity, title, message, remedy, slot = told
    return Finding(
        code=str(code),
        severity=Severity(str(severity)),
        message=str(message),
        remedy=str(remedy),
        title=str(title),
        place=FindingPlace(slot=slot),
    )


def _finding(row: sqlite3.Row) -> Finding:
    return Finding(
        code=row["code"],
        severity=Severity(row["severity"]),
        message=row["message"],
        remedy=row["remedy"],
        place=FindingPlace(row["condition"], row["start"], row["end"], row["slot"]),
        title=row["title"],
        items=tuple(json.loads(row["items"])) if row["items"] is not None else (),
    )
