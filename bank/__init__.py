"""The bank: everything a workspace made, decided and measured, in one SQLite file."""

from bank.errors import BankError
from bank.records import (
    DEFAULT_DATASET,
    CallRecord,
    Decision,
    Finding,
    FindingPlace,
    ItemFilter,
    ItemStatus,
    Judgement,
    NewItem,
    Revision,
    RunRecord,
    ScorerSettings,
    Severity,
    StoredFinding,
    StoredItem,
    TokenScore,
    TokenScores,
    Verdict,
)
from bank.store import Bank

__all__ = [
    "DEFAULT_DATASET",
    "Bank",
    "BankError",
    "CallRecord",
    "Decision",
    "Finding",
    "FindingPlace",
    "ItemFilter",
    "ItemStatus",
    "Judgement",
    "NewItem",
    "Revision",
    "RunRecord",
    "ScorerSettings",
    "Severity",
    "StoredFinding",
    "StoredItem",
    "TokenScore",
    "TokenScores",
    "Verdict",
]
