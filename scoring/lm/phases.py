"""What a run of scoring spends its time on: wall and processor time by phase, each moment counted for the innermost phase only.

Nothing is measured unless somebody asks (`measured_phases`).
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

OTHER = "all else"


@dataclass(frozen=True, slots=True)
class PhaseTime:
    """What one phase took."""

    name: str
    wall: float
    """Seconds."""
    cpu: float
    """Seconds of the processor, of all threads of this process."""


@dataclass(slots=True)
class Phases:
    """The phases of a run, in the order in which they began."""

    _taken: dict[str, list[float]] = field(default_factory=dict)
    _stack: list[str] = field(default_factory=lambda: [OTHER])
    _since: tuple[float, float] = field(default_factory=lambda: (time.perf_counter(), time.process_time()))

    @property
    def times(self) -> tuple[PhaseTime, ...]:
        """What each took until now; what belongs to no phase comes last."""
        self._charge()
        named = [PhaseTime(name, *taken) for name, taken in self._taken.items() if name != OTHER]
        return (*named, PhaseTime(OTHER, *self._taken[OTHER]))

    @contextmanager
    def within(self, name: str) -> Iterator[None]:
        """What happens within it is of this phase."""
        self._charge()
        self._taken.setdefault(name, [0.0, 0.0])
        self._stack.append(name)
        try:
            yield
        finally:
            self._charge()
            self._stack.pop()

    def _charge(self) -> None:
        now = (time.perf_counter(), time.process_time())
        taken = self._taken.setdefault(self._stack[-1], [0.0, 0.0])
        for place in range(2):
            taken[place] += now[place] - self._since[place]
        self._since = now


_current: ContextVar[Phases | None] = ContextVar("phases", default=None)


@contextmanager
def measured_phases() -> Iterator[Phases]:
    """Within it `phase` measures."""
    found = Phases()
    token = _current.set(found)
    try:
        yield found
    finally:
        _current.reset(token)


@contextmanager
def phase(name: str) -> Iterator[None]:
    """What happens within it is counted for this phase, where somebody measures. Not around a ``yield``, whose consumer would be
    counted too."""
    phases = _current.get()
    if phases is None:
        yield
        return
    with phases.within(name):
        yield


def phase_lines(times: tuple[PhaseTime, ...]) -> list[str]:
    """The phases as a table of text, with their sum."""
    total = PhaseTime("together", sum(one.wall for one in times), sum(one.cpu for one in times))
    width = max(len(one.name) for one in times)
    return [
        f"{'phase':<{width}}  {'wall':>8}  {'processor':>9}",
        *(f"{one.name:<{width}}  {one.wall:>6.2f} s  {one.cpu:>7.2f} s" for one in (*times, total)),
    ]
