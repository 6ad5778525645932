"""What was planned of an analysis before it was done: the only place that freezes plans and reads them.

A plan is an event, so that copies of a bank agree on it; it is never changed or taken back, and a later one stands beside it. What a
plan says is not this room's business (`gapsmith.scoring.analysis.plan`): here it is an object of JSON, and its digest.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gapsmith.bank.connection import Db, canonical
from gapsmith.bank.errors import BankError
from gapsmith.bank.events import add_event
from gapsmith.bank.projection import IN_ORDER


@dataclass(frozen=True, slots=True)
class FrozenPlan:
    """A plan of the analysis of one paradigm's items, as it was frozen."""

    paradigm: str
    plan: Mapping[str, Any]
    digest: str
    """The first 16 digits of SHA-256 over the plan as canonical JSON."""
    author: str
    at: str
    n_scored: int
    """Items of the paradigm that had scores in this bank when it was frozen."""


class PlanTable:
    """Plans, oldest first."""

    def __init__(self, db: Db) -> None:
        self._db = db

    def freeze(self, paradigm: str, plan: Mapping[str, Any], *, by: str) -> FrozenPlan:
        """Keep a plan. Raises `BankError` where the newest plan of the paradigm says the same."""
        digest = digest_of(plan)
        with self._db.write():
            known = self.of(paradigm)
            if known and known[-1].digest == digest:
                raise BankError(
                    f"this plan of {paradigm} is frozen already: {digest}, {known[-1].at[:16]}, by {known[-1].author}",
                    hint="Nothing was changed. Another plan differs in what it says; `gapsmith plan list` shows them.",
                )
            payload = {"paradigm": paradigm, "digest": digest, "plan": dict(plan), "scored": self._n_scored(paradigm)}
            add_event(self._db, "plan", None, None, payload, author=by)
        return self.of(paradigm)[-1]

    def of(self, paradigm: str | None = None) -> tuple[FrozenPlan, ...]:
        """The plans of a paradigm, or of all, oldest first. Raises `BankError` for one that does not agree with its digest."""
        rows = self._db.checked("event", f"SELECT * FROM event WHERE item_id IS NULL AND kind = 'plan' ORDER BY {IN_ORDER}")
        found = []
        for row in rows:
            said = json.loads(row["payload"])
            if paradigm is not None and said["paradigm"] != paradigm:
                continue
            if digest_of(said["plan"]) != said["digest"]:
                raise BankError(
                    f"the plan of {said['paradigm']} of {row['at'][:16]} does not agree with its digest {said['digest']}"
                )
            scored = said.get("scored", 0)
            found.append(FrozenPlan(said["paradigm"], said["plan"], said["digest"], row["author"], row["at"], scored))
        return tuple(found)

    def _n_scored(self, paradigm: str) -> int:
        (n,) = self._db.execute(
            "SELECT count(*) FROM current_item item WHERE item.paradigm = ? AND EXISTS ("
            " SELECT 1 FROM sentence JOIN producer ON producer.kind <> 'parser'"
            " JOIN (SELECT 0 AS context_id, NULL AS item_id UNION ALL SELECT context_id, item_id FROM context_of) own"
            " ON own.item_id IS NULL OR own.item_id = item.id"
            " JOIN score ON score.producer_id = producer.id AND score.context_id = own.context_id"
            " AND score.text_id = sentence.text_id WHERE sentence.revision_id = item.revision_id)",
            (paradigm,),
        ).fetchone()
        return int(n)


def digest_of(plan: Mapping[str, Any]) -> str:
    """The first 16 digits of SHA-256 over the plan as canonical JSON."""
    return hashlib.sha256(canonical(plan).encode()).hexdigest()[:16]
