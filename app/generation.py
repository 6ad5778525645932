"""Starting and watching a generation run: what the command line and the public API share."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeVar

from gapsmith.app.interrupts import on_request_to_stop
from gapsmith.app.loops import run_async
from gapsmith.bank import Bank, RunRecord
from gapsmith.prompts import Check, GenerationOutcome, Observer, Prepared, Repaired

T = TypeVar("T")


def carry_out(
    prepared: Prepared,
    bank: Bank,
    observer: Observer | None = None,
    *,
    on_interrupt: Callable[[int], None] = lambda _: None,
) -> GenerationOutcome:
    """Run a prepared generation to its end.

    The first Ctrl-C, SIGTERM or SIGHUP begins no more calls, tells `on_interrupt` how many answers are still awaited, and
    returns when they are in the bank; a Ctrl-C after that raises `KeyboardInterrupt` at once."""
    generation = prepared.generation(bank, observer)
    return _carried_out(generation.run, generation.stop, prepared, on_interrupt)


def carry_out_watch(
    prepared: Prepared,
    bank: Bank,
    observer: Observer | None = None,
    *,
    every_s: float | None,
    give_up: bool = False,
    on_interrupt: Callable[[int], None] = lambda _: None,
) -> GenerationOutcome:
    """Look after the open batch of a run; requests to stop are met as in `carry_out`, and the batch goes on."""
    watch = prepared.watch(bank, every_s=every_s, give_up=give_up, observer=observer)
    return _carried_out(watch.run, watch.stop, prepared, on_interrupt)


def carry_out_repair(
    prepared: Prepared,
    bank: Bank,
    run: RunRecord,
    check: Check,
    *,
    rounds: int,
    observer: Observer | None = None,
    on_interrupt: Callable[[int], None] = lambda _: None,
) -> Repaired:
    """Send the items of a run that have errors back to the model; requests to stop are met as in `carry_out`."""
    repair = prepared.repair(bank, check, rounds=rounds, observer=observer)
    return _carried_out(partial(repair.run, run), repair.stop, prepared, on_interrupt)


def _carried_out(
    work: Callable[[], Awaitable[T]],
    stop_work: Callable[[], int],
    prepared: Prepared,
    on_interrupt: Callable[[int], None],
) -> T:
    async def run() -> T:
        loop = asyncio.get_running_loop()
        asked = False

        def stop(number: int) -> None:
            nonlocal asked
            if asked and number == signal.SIGINT:
                raise KeyboardInterrupt
            # Schedulers and terminals may say it several times: only a person's second Ctrl-C means at once.
            if not asked:
                loop.call_soon_threadsafe(lambda: on_interrupt(stop_work()))
            asked = True

        with on_request_to_stop(stop):
            try:
                return await work()
            finally:
                await prepared.provider.close()

    return run_async(run())
