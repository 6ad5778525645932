"""How fast somebody decides: time per decision in this session, and how long the rest would take at that pace."""

from __future__ import annotations

from collections.abc import Hashable
from statistics import median

from gapsmith.templates import count

_BREAK_S = 120.0
"""An item that stood on screen for longer was not looked at all that time."""
_FEW = 5
_BREAK_EVERY = 50


class ReviewPace:
    """The decisions of one session, with the seconds from an item's first paint to the key that decided."""

    def __init__(self, done: str = "decided") -> None:
        self._done = done
        """What was done, in a word."""
        self._times: dict[Hashable, float | None] = {}
        """Seconds by what was decided on."""
        self._undone: dict[Hashable, float | None] = {}

    def count(self, what: Hashable, seconds: float | None) -> None:
        """Count a decision on something; None where it is not known how long it was on screen. Who decides again on it has decided
        on one thing, and took the latest time."""
        self._times[what] = seconds

    def undo(self, what: Hashable) -> None:
        """What was taken back is not decided; nothing is told of what was decided in another session."""
        if what in self._times:
            self._undone[what] = self._times.pop(what)

    def redo(self, what: Hashable) -> None:
        """What was taken back here and is done again counts as before."""
        if what in self._undone:
            self._times[what] = self._undone.pop(what)

    @property
    def _seconds(self) -> list[float]:
        return [seconds for seconds in self._times.values() if seconds is not None and seconds <= _BREAK_S]

    @property
    def _breaks(self) -> int:
        return sum(seconds is not None and seconds > _BREAK_S for seconds in self._times.values())

    @property
    def decisions(self) -> int:
        """How many decisions were made and stand."""
        return len(self._times)

    @property
    def median_s(self) -> float | None:
        """The median of the seconds per decision, breaks left out; None before there are five."""
        seconds = self._seconds
        return median(seconds) if len(seconds) >= _FEW else None

    @property
    def break_line(self) -> str:
        """After every fiftieth decision, that a break is due, with the pace so far; else empty."""
        if not self.decisions or self.decisions % _BREAK_EVERY:
            return ""
        pace = f", median {self.median_s:.1f} s" if self.median_s is not None else ""
        return f"{self.decisions:,} {self._done} in this session{pace}. A short break keeps judgements steady."

    def lines(self, waiting: int, what: str = "item") -> list[str]:
        """The pace in words, with what is left."""
        left_over = f"{count(waiting, what)} {'waits' if waiting == 1 else 'wait'}"
        if not self.decisions:
            return [f"Nothing {self._done} in this session yet; {left_over}."]
        lines = [f"{self.decisions:,} {self._done} in this session; {left_over}."]
        if self.median_s is None:
            lines.append(f"The pace is told from {_FEW} timed decisions on.")
        else:
            rest = f": the rest takes {_duration(waiting * self.median_s)}" if waiting else ""
            lines.append(f"Median {self.median_s:.1f} s per decision{rest}.")
        if self._breaks:
            lines.append(f"{self._breaks:,} took over {_BREAK_S / 60:.0f} minutes and count as breaks.")
        return lines


def _duration(seconds: float) -> str:
    minutes = round(seconds / 60)
    if minutes < 1:
        return "less than a minute"
    if minutes < 60:
        return f"about {minutes} min"
    return f"about {minutes // 60} h {minutes % 60:02d} min"
