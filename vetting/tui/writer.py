"""The only place from which the review writes what a person did: a thread with a connection of its own, one job after the other.

So a busy bank or a decision on thousands of items never keeps the screen from being painted, and what was asked for
first is written first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from gapsmith.bank import Bank
from gapsmith.vetting.review.session import Session

PATIENCE_MS = 3000
"""How long a busy bank is waited for; then it is said that it is busy."""
Result = TypeVar("Result")


class Writer:
    """Carries out jobs over a session of its own."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="review-writer")
        self._bank: Bank | None = None
        self._ours: Session | None = None

    def submit(self, job: Callable[[Session], Result]) -> Future[Result]:
        """Put a job in the line at once."""
        return self._thread.submit(self._carry_out, job)

    async def run(self, job: Callable[[Session], Result]) -> Result:
        """Wait for the jobs before it and for this one; what it returns or raises. It has committed then."""
        return await asyncio.wrap_future(self.submit(job))

    def _carry_out(self, job: Callable[[Session], Result]) -> Result:
        if self._ours is None:
            self._bank = self._session.bank.another()
            self._bank.wait_at_most(PATIENCE_MS)
            self._ours = self._session.on_own_connection(self._bank)
        return job(self._ours)

    def close(self) -> None:
        """Finish the jobs that wait and close the connection."""
        self._thread.submit(self._close)
        self._thread.shutdown(wait=True)

    def _close(self) -> None:
        if self._bank is not None:
            self._bank.close()
