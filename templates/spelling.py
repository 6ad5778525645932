"""Did you mean …? One guess for a name that is not there."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def nearest(wanted: str, known: Iterable[str]) -> str | None:
    """The known name that is most like `wanted`, whatever the case; None where none is much like it."""
    folded = {name.casefold(): name for name in reversed(list(known))}
    close = difflib.get_close_matches(wanted.strip().casefold(), folded, n=1)
    return folded[close[0]] if close else None


def did_you_mean(wanted: str, known: Iterable[str]) -> str:
    """``Did you mean sum? ``, with a space behind it; empty where no known name is much like it."""
    close = nearest(wanted, known)
    return f"Did you mean {close}? " if close is not None else ""


def those_there_are(what: str, wanted: str, known: Iterable[str]) -> str:
    """``Did you mean gap? Regions: filler, gap``: a hint for a name that is not there."""
    names = list(known)
    return f"{did_you_mean(wanted, names)}{what}: {', '.join(names)}"


def taken_for(wanted: str, known: Iterable[str]) -> tuple[str, str] | None:
    """A name that is not there, and the known one that is much like it; None where none is."""
    close = nearest(wanted, known)
    return None if close is None else (wanted, close)
