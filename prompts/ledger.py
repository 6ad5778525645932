"""Writing to the bank beside the event loop: what is due at the same time shares one transaction and one sync.

Waiting for the disk takes as long as much of a call's other work. Here a thread of its own does it, over a connection of its
own, and while it does, further writes gather for the next transaction. A write that has returned is on disk, as everywhere.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, TypeVar

from gapsmith.bank import Bank, BankMovedError

T = TypeVar("T")


class Ledger:
    """The only writer to a bank while a run is under way. Close it in the end."""

    def __init__(self, bank: Bank) -> None:
        self._bank = bank
        self._ours: Bank | None = None
        """The thread's own connection."""
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="ledger")
        self._waiting: list[tuple[Callable[[Bank], Any], asyncio.Future[Any]]] = []
        self._flushing: asyncio.Task[None] | None = None

    async def write(self, operation: Callable[[Bank], T]) -> T:
        """Carry out an operation within a transaction, on the bank that it is given, and return when it is committed.

        Operations are carried out in the order in which they come. One that fails has not happened, and takes no
        other with it."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.append((operation, done))
        if self._flushing is None or self._flushing.done():
            self._flushing = asyncio.create_task(self._flush())
        return await done

    async def close(self) -> None:
        """Wait for what is still to be written."""
        if self._flushing is not None:
            await asyncio.gather(self._flushing, return_exceptions=True)
        self._thread.submit(self._close)
        self._thread.shutdown()

    def _close(self) -> None:
        if self._ours is not None:
            # Whoever closes the run's own connection is told where the file has gone from its path.
            with suppress(BankMovedError):
                self._ours.close()

    async def _flush(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            batch, self._waiting = self._waiting, []
            outcomes = await loop.run_in_executor(self._thread, self._commit, [operation for operation, _ in batch])
            for (_, done), outcome in zip(batch, outcomes, strict=True):
                if done.done():
                    continue
                if isinstance(outcome, BaseException):
                    done.set_exception(outcome)
                else:
                    done.set_result(outcome)

    def _commit(self, operations: list[Callable[[Bank], Any]]) -> list[Any]:
        # An exception travels as a value: it belongs to whoever waits for the write, not to this thread.
        try:
            if self._ours is None:
                self._ours = self._bank.another()
            with self._ours.transaction():
                return [operation(self._ours) for operation in operations]
        except BaseException as error:  # noqa: BLE001 - handed on to the writers that wait
            if len(operations) == 1 or not isinstance(error, Exception):
                return [error] * len(operations)
        # Together they failed, and none of them has happened; alone, only those at fault do.
        return [outcome for operation in operations for outcome in self._commit([operation])]
