"""The contract of a provider that takes many requests together: cheaper, answered within a day or so."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, ClassVar

from gapsmith.prompts.failures import ProviderError
from gapsmith.prompts.request import CallRequest, Reply

MOST_PAGES = 1_000
"""A list of batches that is longer has no end."""

CLOCK_SLACK = timedelta(days=2)
"""So much may the provider's clock and ours differ, and more."""


@dataclass(frozen=True, slots=True)
class BatchLook:
    """How a batch stands."""

    status: str
    """In the provider's words."""
    ended: bool
    """Nothing more will come of it."""
    untouched: bool = False
    """It ended before anything was worked on, so that nothing is charged."""
    counts: str = ""
    """What the provider says of how far it is."""
    error: str = ""
    results: tuple[Any, ...] = field(default=(), repr=False)
    """Where its answers are, or they themselves; for `Batching.lines`."""


@dataclass(frozen=True, slots=True)
class BatchLine:
    """What came of one request of a batch."""

    key: str | None
    """Ours, as it came back; None where there is none."""
    raw: bytes
    reply: Reply | None
    failure: ProviderError | None


class Batching(ABC):
    """What a provider with batches can do beside single calls. Each method is one request or a few, raises
    `ProviderError`, and never retries."""

    most_requests: ClassVar[int]
    most_bytes: ClassVar[int]
    """Of all requests of one batch together."""

    @abstractmethod
    async def stage(self, requests: Mapping[str, CallRequest]) -> Any:
        """Make everything ready that costs nothing and may be done twice; for `submit`. Requests by our keys."""

    @abstractmethod
    async def submit(self, tag: str, staged: Any) -> str:
        """Make the batch, which is paid for: the provider's name for it. `tag` is ours, by which `search` finds it."""

    @abstractmethod
    async def search(self, tag: str, since: datetime) -> str | None:
        """The name of the batch with this tag in the provider's list, made about `since` or later; None: there is none."""

    @abstractmethod
    async def look(self, name: str) -> BatchLook:
        """How the batch stands."""

    @abstractmethod
    async def lines(self, look: BatchLook) -> list[BatchLine]:
        """What came of the requests of a batch that has ended, in any order, with gaps."""

    @abstractmethod
    async def cancel(self, name: str) -> None:
        """Ask for the batch to be ended early."""


def line_of(key: object, raw: bytes, found: Reply | ProviderError) -> BatchLine:
    """A line with its reply or its failure, which carries the raw line."""
    name = key if isinstance(key, str) else None
    if isinstance(found, Reply):
        return BatchLine(name, raw, found, None)
    found.body = raw
    return BatchLine(name, raw, None, found)
