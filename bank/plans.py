"""What was planned of an analysis before it was done: the only place that freezes plans and reads them.

A plan is an event, so that copies of a bank agree on it; it is never changed or taken back, and a later one stands beside it. What it
means for an analysis is not this room's business (`gapsmith.scoring.analysis.planned`); what form it has is, since plans come out of
other banks' logs too.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal, NotRequired

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError, with_config
from typing_extensions import TypedDict

from gapsmith.bank.connection import Db, canonical
from gapsmith.bank.errors import BankError
from gapsmith.bank.events import add_event
from gapsmith.bank.projection import IN_ORDER

_AS_WRITTEN = ConfigDict(strict=True, extra="forbid")


@with_config(_AS_WRITTEN)
class PlannedContrast(TypedDict):
    """What decides the test of a contrast."""

    formula: str
    measure: str
    expected: Annotated[int, Field(ge=-1, le=1)]
    alternative: Literal["two-sided", "greater", "less"]
    where: dict[str, str]
    family: str
    delta: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None


@with_config(_AS_WRITTEN)
class PlannedCriterion(TypedDict):
    """What a criterion counts."""

    formula: str
    measure: str


@with_config(_AS_WRITTEN)
class Plan(TypedDict):
    """What decides an analysis; no data sets, no models and no number of items: any."""

    form: str
    contrasts: dict[str, PlannedContrast]
    criteria: dict[str, PlannedCriterion]
    items: Literal["all", "approved"]
    where: dict[str, str]
    complete: bool
    n_items: Annotated[int, Field(ge=1)] | None
    datasets: list[str]
    models: list[str]
    boundaries: Literal["corrected", "as scored"]
    convention: NotRequired[str]
    """Plans of older releases, which knew one, have none."""
    lists: NotRequired[str]
    """Digest of word lists, limits and constraints. Plans of older releases have none of this and the next three."""
    closed: NotRequired[dict[str, list[str]]]
    """The words of every slot whose words are all there are."""
    exclusion: NotRequired[list[str]]
    """By which rules items are approved or left out, in somebody's words."""
    linter: NotRequired[str]
    """Digest of the rules and word lists that the linter reads items with."""
    ties: Literal["wrong", "excluded"]
    confidence: Annotated[float, Field(gt=0, lt=1)]
    correction: Literal["holm", "none"]
    words: NotRequired[Literal["roles"]]
    """What the words of items without slots are; regions where it is not said."""


@cache
def _form() -> TypeAdapter[Plan]:
    return TypeAdapter(Plan)


@dataclass(frozen=True, slots=True)
class FrozenPlan:
    """A plan of the analysis of one paradigm's items, as it was frozen."""

    paradigm: str
    plan: Plan
    digest: str
    """The first 16 digits of SHA-256 over the plan as canonical JSON."""
    author: str
    at: str
    n_scored: int
    """Different items of the paradigm that had scores in that bank when it was frozen, as they stood or as they had been, those of
    removed data sets as well."""


class PlanTable:
    """Plans, oldest first."""

    def __init__(self, db: Db) -> None:
        self._db = db

    def freeze(self, paradigm: str, plan: Plan, *, by: str) -> FrozenPlan:
        """Keep a plan. Raises `BankError` where the newest plan of the paradigm says the same, and for what has no plan's form."""
        digest = digest_of(plan)
        with self._db.write():
            known = self.of(paradigm)
            if known and known[-1].digest == digest:
                raise BankError(
                    f"this plan of {paradigm} is frozen already: {digest}, {known[-1].at[:16]}, by {known[-1].author}",
                    hint="Nothing was changed. Another plan differs in what it says; `gapsmith plan list` shows them.",
                )
            payload = {"paradigm": paradigm, "digest": digest, "plan": dict(plan), "scored": self._n_scored(paradigm)}
            if fault := plan_fault(payload):
                raise BankError(f"this plan of {paradigm} cannot be kept: {fault}", hint="Nothing was changed.")
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
            if fault := plan_fault(said):
                raise BankError(f"the plan of {said['paradigm']} of {row['at'][:16]} was changed or is damaged: {fault}")
            found.append(FrozenPlan(said["paradigm"], said["plan"], said["digest"], row["author"], row["at"], said["scored"]))
        return tuple(found)

    def _n_scored(self, paradigm: str) -> int:
        (n,) = self._db.execute(
            "SELECT count(DISTINCT state.texts) FROM item JOIN item_state state ON state.item_id = item.id"
            " JOIN paradigm ON paradigm.id = item.paradigm_id WHERE paradigm.name = ? AND EXISTS ("
            " SELECT 1 FROM revision JOIN sentence ON sentence.revision_id = revision.id JOIN producer ON producer.kind <> 'parser'"
            " JOIN (SELECT 0 AS context_id, NULL AS item_id UNION ALL SELECT context_id, item_id FROM context_of) own"
            " ON own.item_id IS NULL OR own.item_id = item.id"
            " JOIN score ON score.producer_id = producer.id AND score.context_id = own.context_id"
            " AND score.text_id = sentence.text_id WHERE revision.item_id = item.id)",
            (paradigm,),
        ).fetchone()
        return int(n)


def plan_fault(payload: Mapping[str, Any]) -> str | None:
    """What is wrong with what a plan's event would keep, whoever made it and wherever; None where nothing is."""
    try:
        _form().validate_python(payload["plan"])
    except ValidationError as error:
        first = error.errors()[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    if digest_of(payload["plan"]) != payload["digest"]:
        return f"it does not agree with its digest {payload['digest']}"
    scored = payload.get("scored")
    if type(scored) is not int or scored < 0:
        return "how many items had scores by then is no number"
    return None


def digest_of(plan: Plan) -> str:
    """The first 16 digits of SHA-256 over the plan as canonical JSON."""
    return hashlib.sha256(canonical(plan).encode()).hexdigest()[:16]
