"""Starting and watching a generation run: what the command line and the public API share."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from types import FrameType

from bank import Bank
from prompts import Generation, Observer, Outcome, Prepared

__all__ = ["carry_out"]


def carry_out(
    prepared: Prepared,
    bank: Bank,
    observer: Observer | None = None,
    *,
    on_interrupt: Callable[[int], None] = lambda _: None,
) -> Outcome:
    """Run a prepared generation to its end.

    The first Ctrl-C begins no more calls, tells `on_interrupt` how many answers are still awaited, and returns when
    they are in the bank; the second one raises `KeyboardInterrupt` at once."""
    generation = prepared.generation(bank, observer)

    async def run() -> Outcome:
        loop = asyncio.get_running_loop()
        restore = _on_sigint(loop, generation, on_interrupt)
        try:
            return await generation.run()
        finally:
            restore()
            await prepared.provider.close()

    return asyncio.run(run())


def _on_sigint(
    loop: asyncio.AbstractEventLoop, generation: Generation, on_interrupt: Callable[[int], None]
) -> Callable[[], None]:
    pressed = 0

    def handler(_number: int, _frame: FrameType | None) -> None:
        nonlocal pressed
        pressed += 1
        if pressed > 1:
            raise KeyboardInterrupt
        loop.call_soon_threadsafe(lambda: on_interrupt(generation.stop()))

    try:
        before = signal.signal(signal.SIGINT, handler)
    except ValueError:
        # Only the main thread may set handlers; elsewhere whoever runs us has its own way to stop.
        return lambda: None

    def restore() -> None:
        signal.signal(signal.SIGINT, before)

    return restore
