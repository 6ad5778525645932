"""Being asked to stop, by Ctrl-C, by a scheduler (SIGTERM) or by a terminal that closes (SIGHUP)."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import FrameType

from gapsmith.app.services import Advance, Services
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


class Stopping:
    """Requests to stop raise `KeyboardInterrupt`, as Ctrl-C does, until the work is done: to stop a command that only says what came of
    it would be to call a success a failure."""

    def __init__(self) -> None:
        self._is_done = self._was_asked = False

    def done(self, is_done: bool = True) -> None:
        """The work is done, or there is more of it than seemed: then what was asked for meanwhile is met."""
        self._is_done = is_done
        if self._was_asked and not is_done:
            raise KeyboardInterrupt

    @property
    def is_stopping(self) -> bool:
        """Whether a request to stop was met."""
        return self._was_asked and not self._is_done

    def ask(self, _number: int = 0) -> None:
        """Meet a request to stop."""
        self._was_asked = True
        if not self._is_done:
            raise KeyboardInterrupt

    def by_progress(self, services: Services) -> Services:
        """Services whose progress says when the work is done."""

        @contextmanager
        def progress(title: str, total: int | None = None) -> Iterator[Advance]:
            with services.progress(title, total) as advance:

                def told(done: int, /, total: int | None = total, told: str = "") -> None:
                    advance(done, total=total, told=told)
                    self.done(total is not None and done >= total)

                yield told

        return replace(services, progress=progress)


@contextmanager
def stoppable() -> Iterator[Stopping]:
    """Within the block, every request to stop raises `KeyboardInterrupt` while there is work to do."""
    stopping = Stopping()
    with on_request_to_stop(stopping.ask):
        try:
            yield stopping
        except Exception:
            # Within what SQLite calls, such as the sum of a row, it makes an error of its own of the interruption.
            if stopping.is_stopping:
                raise KeyboardInterrupt from None
            raise
