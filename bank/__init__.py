"""The bank: everything a workspace made, decided and measured, in one SQLite file."""

from gapsmith.bank.errors import BankError, BankMovedError
from gapsmith.bank.records import (
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
from gapsmith.bank.store import Bank
from gapsmith.bank.tokens import Tokens

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
