"""Being asked to stop, by Ctrl-C, by a scheduler (SIGTERM) or by a terminal that closes (SIGHUP)."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from gapsmith.templates import GapsmithError

_REQUESTS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name))


_HANG_UP = getattr(signal, "SIGHUP", None)


class StoppedError(GapsmithError):
    """A command was asked to stop; the message says what is true of its work."""

    exit_code = 130


@contextmanager
def on_request_to_stop(handler: Callable[[int], None]) -> Iterator[None]:
    """Call `handler` with the signal's number for every request to stop within the block. Only the main thread can set
    handlers; elsewhere whoever runs us has its own way to stop, and nothing is changed."""

    def handle(number: int, _frame: FrameType | None) -> None:
        handler(number)

    before = {}
    try:
        for request in _REQUESTS:
            # A hang-up that is ignored stays ignored: that is how `nohup` asks us to outlive the terminal.
            if request == _HANG_UP and signal.getsignal(request) is signal.SIG_IGN:
                continue
            before[request] = signal.signal(request, handle)
    except ValueError:
        # Only the main thread may set handlers; elsewhere whoever runs us has its own way to stop.
        pass
    try:
        yield
    finally:
        for request, earlier in before.items():
            signal.signal(request, earlier)


@contextmanager
def stoppable() -> Iterator[None]:
    """Within the block, every request to stop raises `KeyboardInterrupt`, as Ctrl-C does."""

    def stop(_number: int) -> None:
        raise KeyboardInterrupt

    with on_request_to_stop(stop):
        yield
