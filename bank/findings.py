"""What the linter found, per item and per set. Findings are derived: each lint replaces those of the items it read."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence

from bank.connection import Db, now
from bank.query import where
from bank.records import Finding, FindingPlace, ItemFilter, Severity, StoredFinding

__all__ = ["FindingTable"]


class FindingTable:
    """Findings as they stand."""

    def __init__(self, db: Db) -> None:
        self._db = db

    def replace(
        self,
        paradigm: str,
        findings: Mapping[int, Sequence[Finding]],
        *,
        ruleset: str,
        revisions: Mapping[int, int] | None = None,
        set_findings: Sequence[Finding] | None = None,
    ) -> None:
        """Replace the findings of these items, and those about the whole set where `set_findings` is given.

        `ruleset` says with which rules the items were read, `revisions` which revision of each (the current one where it
        is not given), so that a lint can be known to be out of date."""
        with self._db.write():
            self._db.executemany("DELETE FROM finding WHERE item_id = ?", [(item_id,) for item_id in findings])
            self._insert(paradigm, [(item_id, f) for item_id, found in findings.items() for f in found])
            at = now()
            read = revisions or {}
            self._db.executemany(
                "INSERT OR REPLACE INTO lint_state SELECT item_id, coalesce(?, revision_id), ?, ? FROM item_state"
                " WHERE item_id = ?",
                [(read.get(item_id), ruleset, at, item_id) for item_id in findings],
            )
            if set_findings is not None:
                self._db.execute("DELETE FROM finding WHERE paradigm = ? AND item_id IS NULL", (paradigm,))
                self._insert(paradigm, [(None, f) for f in set_findings])

    def _insert(self, paradigm: str, rows: list[tuple[int | None, Finding]]) -> None:
        self._db.executemany(
            "INSERT INTO finding (paradigm, item_id, code, severity, rank, message, remedy,"
            ' condition, start, "end", slot)'
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    paradigm, item_id, f.code, f.severity.value, f.severity.rank, f.message, f.remedy,
                    f.place.condition, f.place.start, f.place.end, f.place.slot,
                )
                for item_id, f in rows
            ],
        )  # fmt: skip

    def of(self, item_id: int) -> list[Finding]:
        """The findings of one item, worst first."""
        rows = self._db.execute("SELECT * FROM finding WHERE item_id = ? ORDER BY rank DESC, code, id", (item_id,))
        return [_finding(row) for row in rows]

    def of_set(self, paradigm: str) -> list[Finding]:
        """The findings about a paradigm's items as a whole, worst first."""
        rows = self._db.execute(
            "SELECT * FROM finding WHERE paradigm = ? AND item_id IS NULL ORDER BY rank DESC, code, id", (paradigm,)
        )
        return [_finding(row) for row in rows]

    def iterate(self, selection: ItemFilter | None = None) -> Iterator[StoredFinding]:
        """The findings of the selected items, item by item, worst first."""
        clause, values = where(selection or ItemFilter())
        rows = self._db.execute(
            "SELECT finding.*, item.label FROM item JOIN item_state ON item_state.item_id = item.id"
            f" JOIN finding ON finding.item_id = item.id{clause} ORDER BY item.id, finding.rank DESC, finding.code",
            values,
        )
        for row in rows:
            yield StoredFinding(row["item_id"], row["label"], _finding(row))

    def counts(self, selection: ItemFilter | None = None) -> dict[tuple[str, Severity], int]:
        """How many of the selected items have a finding of each code and severity, by code."""
        clause, values = where(selection or ItemFilter())
        rows = self._db.execute(
            "SELECT finding.code, finding.severity, count(DISTINCT finding.item_id) AS n FROM item"
            " JOIN item_state ON item_state.item_id = item.id"
            f" JOIN finding ON finding.item_id = item.id{clause} GROUP BY finding.code, finding.severity ORDER BY 1, 2",
            values,
        )
        return {(row["code"], Severity(row["severity"])): row["n"] for row in rows}

    def unlinted(self, selection: ItemFilter | None = None, *, ruleset: str | None = None) -> list[int]:
        """The selected items whose current revision no lint has read, or none with these rules."""
        clause, values = where(selection or ItemFilter())
        same = ""
        if ruleset is not None:
            same = " AND l.ruleset = ?"
            values.append(ruleset)
        missing = (
            "(SELECT 1 FROM lint_state l WHERE l.item_id = item.id AND l.revision_id = item_state.revision_id"
            + same
            + ")"
        )
        clause = f"{clause} AND NOT EXISTS {missing}" if clause else f" WHERE NOT EXISTS {missing}"
        rows = self._db.execute(
            f"SELECT item.id FROM item JOIN item_state ON item_state.item_id = item.id{clause} ORDER BY item.id", values
        )
        return [row["id"] for row in rows]


def _finding(row: sqlite3.Row) -> Finding:
    return Finding(
        code=row["code"],
        severity=Severity(row["severity"]),
        message=row["message"],
        remedy=row["remedy"],
        place=FindingPlace(row["condition"], row["start"], row["end"], row["slot"]),
    )
