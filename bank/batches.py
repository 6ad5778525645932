"""Batches: calls of a run that travel to the provider together. Their intents are on disk before anything is sent."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from gapsmith.bank.connection import Db, canonical, new_uid, now
from gapsmith.bank.records import BatchRecord, CallRecord
from gapsmith.bank.runs import RunTable

BATCH = "batch"
"""The name under which a call's request holds the uid of the batch that it belongs to."""


class BatchTable:
    """The batches of runs, from the intent to the end."""

    def __init__(self, db: Db, runs: RunTable) -> None:
        self._db = db
        self._runs = runs

    def intend(self, run_id: int, calls: Mapping[int, Mapping[str, Any]]) -> BatchRecord:
        """Write down, before anything is sent, a batch and the requests of its calls, by number within the run."""
        with self._db.write():
            uid = new_uid()
            cursor = self._db.execute("INSERT INTO batch (uid, run_id, intended_at) VALUES (?, ?, ?)", (uid, run_id, now()))
            assert cursor.lastrowid is not None
            for number, request in calls.items():
                self._runs.intend(run_id, number, {**request, BATCH: uid.hex()})
            return self.get(cursor.lastrowid)

    def submitting(self, batch_id: int) -> None:
        """Note that the request that makes the batch goes out now: from here on it may be paid."""
        with self._db.write():
            self._db.execute("UPDATE batch SET submitting_at = ? WHERE id = ?", (now(), batch_id))

    def refused(self, batch_id: int) -> None:
        """Note that the provider said no to the request that makes the batch: it can be sent again."""
        with self._db.write():
            self._db.execute("UPDATE batch SET submitting_at = NULL WHERE id = ? AND name IS NULL", (batch_id,))

    def submitted(self, batch_id: int, name: str) -> None:
        """Note the provider's name for the batch."""
        with self._db.write():
            self._db.execute("UPDATE batch SET name = ? WHERE id = ?", (name, batch_id))

    def note(self, batch_id: int, status: str, details: Mapping[str, Any] | None = None) -> None:
        """Note how the batch stands, and with `details` what else there is to keep of it."""
        with self._db.write():
            known = dict(self.get(batch_id).details)
            self._db.execute(
                "UPDATE batch SET status = ?, details = ? WHERE id = ?",
                (status, canonical({**known, **(details or {})}), batch_id),
            )

    def end(self, batch_id: int) -> None:
        """Mark a batch as done with: what came of it is in the bank."""
        with self._db.write():
            self._db.execute("UPDATE batch SET ended_at = ? WHERE id = ? AND ended_at IS NULL", (now(), batch_id))

    def get(self, batch_id: int) -> BatchRecord:
        """A batch by id."""
        return _batch(next(self._db.checked("batch", "SELECT * FROM batch WHERE id = ?", (batch_id,))))

    def of_run(self, run_id: int) -> list[BatchRecord]:
        """The batches of a run, oldest first."""
        rows = self._db.checked("batch", "SELECT * FROM batch WHERE run_id = ? ORDER BY id", (run_id,))
        return [_batch(row) for row in rows]

    def open(self, run_id: int) -> BatchRecord | None:
        """The batch of a run that has not ended; a run has one at a time."""
        return next((batch for batch in self.of_run(run_id) if batch.ended_at is None), None)

    def calls(self, batch: BatchRecord) -> list[CallRecord]:
        """The calls of a batch, in order."""
        return [call for call in self._runs.each_call(batch.run_id) if call.request.get(BATCH) == batch.uid]


def _batch(row: sqlite3.Row) -> BatchRecord:
    read = {"uid": row["uid"].hex(), "details": json.loads(row["details"])}
    return BatchRecord(**{f.name: read.get(f.name, row[f.name]) for f in fields(BatchRecord)})
