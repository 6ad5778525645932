"""What a run tells whoever watches it, and what it comes to."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from gapsmith.bank import BatchRecord, CallRecord, RunRecord
from gapsmith.prompts.failures import ProviderError


class Ending(StrEnum):
    """Why a run came to its end."""

    COMPLETE = "complete"
    EXHAUSTED = "exhausted"
    """The provider has no more items to give; the run is complete with fewer than were asked for."""
    ALREADY_THERE = "already there"
    INTERRUPTED = "interrupted"
    GAVE_UP = "gave up"
    """Too many answers in a row brought nothing new."""
    BUDGET = "budget"
    """The next call might go beyond the cost that is allowed."""
    UNDER_WAY = "under way"
    """A batch is with the provider."""
    PARTLY = "partly"
    """A batch has come back, and items are missing."""
    PERHAPS_SENT = "perhaps sent"
    """Whether the provider has made the batch is not known."""
    FAILED = "failed"
    """A failure that no further call can mend."""


@dataclass(slots=True)
class RunCounts:
    """Running counts of one go at a run, and `in_bank` over all goes."""

    target: int | None
    in_bank: int = 0
    kept: int = 0
    calls: int = 0
    asked: int = 0
    returned: int = 0
    duplicates: int = 0
    unreadable: int = 0
    surplus: int = 0
    failed_calls: int = 0
    cost_usd: float = 0.0
    calls_of_unknown_cost: int = 0
    reused: int = 0
    """Answers taken from other runs."""

    @property
    def missing(self) -> int | None:
        """How many items are still to come; None where all there are is wanted."""
        return None if self.target is None else max(0, self.target - self.in_bank)


@dataclass(frozen=True, slots=True)
class GenerationOutcome:
    """What a go at a run came to."""

    run: RunRecord
    ending: Ending
    tally: RunCounts
    failure: ProviderError | None = None
    unanswered: tuple[CallRecord, ...] = field(default=())
    """Calls of this run that were sent, or were about to be, and have no answer: they may have been paid. Those of a batch
    that is under way are awaited, and none of them."""
    batch: BatchRecord | None = None
    """The last batch of the run, where this go had to do with one."""


class Observer(Protocol):
    """Hears how a run is going; called from the thread of the run."""

    def progress(self, tally: RunCounts) -> None:
        """An answer is in the bank."""

    def note(self, message: str) -> None:
        """Something worth a line: a wait, a failed call."""


class Quiet:
    """An observer that does not care."""

    def progress(self, tally: RunCounts) -> None:
        """Nothing."""

    def note(self, message: str) -> None:
        """Nothing."""
