"""Runs and their calls: the intent is on disk before a call, the reply and its items at once after it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

from gapsmith.bank.asked import with_request
from gapsmith.bank.connection import Db, canonical, new_uid, now
from gapsmith.bank.errors import BankError
from gapsmith.bank.items import ItemTable
from gapsmith.bank.records import CallRecord, NewItem, RunRecord


class RunTable:
    """Generations and imports."""

    def __init__(self, db: Db, items: ItemTable) -> None:
        self._db = db
        self._items = items

    def begin(
        self,
        *,
        kind: str,
        paradigm_id: int,
        provider: str,
        identity: str,
        parameters: Mapping[str, Any],
        model: str | None = None,
        prompt_name: str | None = None,
        prompt_hash: str | None = None,
        prompt_text: str | None = None,
    ) -> RunRecord:
        """The run with that identity, new or known; a new one keeps the request by which it is made."""
        with self._db.write():
            known = self.find(identity)
            if known is not None:
                return known
            cursor = self._db.execute(
                "INSERT INTO run (uid, kind, paradigm_id, provider, model, identity, parameters, prompt_name, prompt_hash,"
                " prompt_text, started_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    new_uid(),
                    kind,
                    paradigm_id,
                    provider,
                    model,
                    identity,
                    canonical(with_request(parameters)),
                    prompt_name,
                    prompt_hash,
                    prompt_text,
                    now(),
                ),
            )
            assert cursor.lastrowid is not None
            return self.get(cursor.lastrowid)

    def find(self, identity: str) -> RunRecord | None:
        """The run with that identity, or None."""
        row = next(self._db.checked("run", f"{SELECT_RUN} WHERE identity = ?", (identity,)), None)
        return run_record(row) if row is not None else None

    def get(self, run_id: int) -> RunRecord:
        """A run by id. Raises `BankError`."""
        row = next(self._db.checked("run", f"{SELECT_RUN} WHERE run.id = ?", (run_id,)), None)
        if row is None:
            raise BankError(f"there is no run {run_id}", hint="`gapsmith runs list` shows the runs there are.")
        return run_record(row)

    def all(self) -> list[RunRecord]:
        """All runs, oldest first."""
        return [run_record(row) for row in self._db.checked("run", f"{SELECT_RUN} ORDER BY run.id")]

    def intend(self, run_id: int, number: int, request: Mapping[str, Any]) -> int:
        """Write down, before asking, that a call is about to be made; its id."""
        with self._db.write():
            cursor = self._db.execute(
                "INSERT INTO call (uid, run_id, number, request, intended_at) VALUES (?, ?, ?, ?, ?)",
                (new_uid(), run_id, number, canonical(request), now()),
            )
            assert cursor.lastrowid is not None
            return cursor.lastrowid

    def annotate(self, call_id: int, details: Mapping[str, Any]) -> None:
        """Note something about a call that is still without its answer."""
        with self._db.write():
            self._db.execute("UPDATE call SET details = ? WHERE id = ? AND replied_at IS NULL", (canonical(details), call_id))

    def reply(
        self,
        call_id: int,
        *,
        outcome: str,
        reply: str | None,
        items: Sequence[NewItem] = (),
        finish_reason: str | None = None,
        usage: Mapping[str, int] | None = None,
        attempts: int = 1,
        latency_ms: int | None = None,
        cost_usd: float | None = None,
        error: str | None = None,
        details: Mapping[str, Any] | None = None,
    ) -> list[int]:
        """Keep the answer to a call and the items made from it, in one transaction; the items' ids.

        Raises `BankError` where the call already has an answer: an answer is never overwritten."""
        with self._db.write():
            row = self._db.execute(
                "SELECT call.run_id, call.replied_at, run.paradigm_id FROM call JOIN run ON run.id = call.run_id"
                " WHERE call.id = ?",
                (call_id,),
            ).fetchone()
            if row is None:
                raise BankError(f"there is no call {call_id}")
            if row["replied_at"] is not None:
                raise BankError(f"call {call_id} already has its answer")
            self._db.execute(
                "UPDATE call SET replied_at = ?, reply = ?, outcome = ?, finish_reason = ?, usage = ?, attempts = ?,"
                " latency_ms = ?, cost_usd = ?, error = ?, details = ? WHERE id = ?",
                (
                    now(),
                    reply,
                    outcome,
                    finish_reason,
                    canonical(usage or {}),
                    attempts,
                    latency_ms,
                    cost_usd,
                    error,
                    canonical(details or {}),
                    call_id,
                ),
            )
            return self._items.add(row["paradigm_id"], items, run_id=row["run_id"], call_id=call_id)

    def rename(self, run_id: int, identity: str, parameters: Mapping[str, Any]) -> None:
        """Give a run of an older release the identity that it has by today's rules, and what belongs to that."""
        with self._db.write():
            self._db.execute(
                "UPDATE run SET identity = ?, parameters = ? WHERE id = ?", (identity, canonical(parameters), run_id)
            )

    def finish(self, run_id: int) -> None:
        """Mark a run as complete."""
        with self._db.write():
            self._db.execute("UPDATE run SET finished_at = ? WHERE id = ? AND finished_at IS NULL", (now(), run_id))

    def calls(self, run_id: int) -> list[CallRecord]:
        """The calls of a run, in order."""
        return list(self.each_call(run_id))

    def each_call(self, run_id: int) -> Iterator[CallRecord]:
        """The calls of a run, in order, one at a time: their replies need not fit into memory together."""
        for row in self._db.checked("call", f"{SELECT_CALL} WHERE run_id = ? ORDER BY number, call.id", (run_id,)):
            yield call_record(row)

    def good_requests(self, member: str, *, except_run: int) -> list[tuple[int, str]]:
        """Of each call that a provider answered well, in all runs but one: its id, and this member of its request."""
        rows = self._db.tuples(
            f"SELECT id, json_extract(request, '$.{member}') FROM call WHERE run_id != ? AND outcome = 'ok'"
            f" AND json_extract(request, '$.{member}') IS NOT NULL AND json_extract(details, '$.reused') IS NULL"
            " ORDER BY id",
            (except_run,),
        )
        return list(rows)

    def call(self, call_id: int) -> CallRecord:
        """One call. Raises `BankError`."""
        row = next(self._db.checked("call", f"{SELECT_CALL} WHERE call.id = ?", (call_id,)), None)
        if row is None:
            raise BankError(f"there is no call {call_id}")
        return call_record(row)


SELECT_RUN = "SELECT run.*, paradigm.name AS paradigm FROM run JOIN paradigm ON paradigm.id = run.paradigm_id"
SELECT_CALL = "SELECT call.*, run.uid AS run FROM call JOIN run ON run.id = call.run_id"


def run_record(row: sqlite3.Row) -> RunRecord:
    """A row of `SELECT_RUN`."""
    packed = {"uid": row["uid"].hex(), "parameters": json.loads(row["parameters"])}
    return RunRecord(**{f.name: packed.get(f.name, row[f.name]) for f in fields(RunRecord)})


def call_record(row: sqlite3.Row) -> CallRecord:
    """A row of `SELECT_CALL`."""
    packed: dict[str, Any] = {name: json.loads(row[name]) for name in ("request", "usage", "details")}
    packed |= {name: row[name].hex() for name in ("uid", "run")}
    return CallRecord(**{f.name: packed.get(f.name, row[f.name]) for f in fields(CallRecord)})
