"""The bank: everything a workspace made, decided and measured, in one SQLite file."""

from bank.errors import BankError, BankMovedError
from bank.records import (
    DEFAULT_DATASET,
    BatchRecord,
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
    Scorer,
    Severity,
    StoredFinding,
    StoredItem,
    Verdict,
)
from bank.store import Bank
from bank.tokens import Tokens

__all__ = [
    "DEFAULT_DATASET",
    "Bank",
    "BankError",
    "BankMovedError",
    "BatchRecord",
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
    "Scorer",
    "Severity",
    "StoredFinding",
    "StoredItem",
    "Tokens",
    "Verdict",
]
