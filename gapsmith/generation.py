"""Starting and watching a generation run: what the command line and the public API share."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable

from bank import Bank
from gapsmith.interrupts import on_request_to_stop
from prompts import Observer, Outcome, Prepared

__all__ = ["carry_out"]


def carry_out(
    prepared: Prepared,
    bank: Bank,
    observer: Observer | None = None,
    *,
    on_interrupt: Callable[[int], None] = lambda _: None,
) -> Outcome:
    """Run a prepared generation to its end.

    The first Ctrl-C, SIGTERM or SIGHUP begins no more calls, tells `on_interrupt` how many answers are still awaited, and
    returns when they are in the bank; a Ctrl-C after that raises `KeyboardInterrupt` at once."""
    generation = prepared.generation(bank, observer)

    async def run() -> Outcome:
        loop = asyncio.get_running_loop()
        asked = False

        def stop(number: int) -> None:
            nonlocal asked
            if asked and number == signal.SIGINT:
                raise KeyboardInterrupt
            # Schedulers and terminals may say it several times: only a person's second Ctrl-C means at once.
            if not asked:
                loop.call_soon_threadsafe(lambda: on_interrupt(generation.stop()))
            asked = True

        with on_request_to_stop(stop):
            try:
                return await generation.run()
            finally:
                await prepared.provider.close()

    return asyncio.run(run())
