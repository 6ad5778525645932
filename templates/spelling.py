"""Did you mean …? One guess for a name that is not there."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

from gapsmith.templates.errors import ConfigError, FilePlace


def nearest(wanted: str, known: Iterable[str]) -> str | None:
    """The known name that is most like `wanted`, whatever the case: of the same parts in another order, a word of it, spelt alike,
    or the only one that begins so; None where none is much like it."""
    folded = {name.casefold(): name for name in reversed(list(known))}
    own = wanted.strip().casefold()
    parts = _parts(own)
    if len(parts) > 1 and (same := [name for name in folded if name != own and _parts(name) == parts]):
        return folded[same[-1]]
    if " " in own and len(words := [name for name in folded if name in own.split()]) == 1:
        return folded[words[0]]
    if close := difflib.get_close_matches(own, folded, n=1):
        return folded[close[0]]
    begun = [name for name in folded if len(own) >= _BEGUN and name.startswith(own)]
    return folded[begun[0]] if len(begun) == 1 else None


def _parts(name: str) -> list[str]:
    return sorted(part for part in re.split(r"[\W_]+", name) if part)


_BEGUN = 3
"""So many letters of a name are taken for its beginning."""


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


def no_such(
    message: str, what: str, wanted: str, known: Iterable[str], *, place: FilePlace = (), kind: type[ConfigError] = ConfigError
) -> ConfigError:
    """For a name or value that is none of those that there are: all of them, `what` they are, and the nearest."""
    names = list(known)
    return kind(message, hint=f"{those_there_are(what, wanted, names)}.", place=place, instead=taken_for(wanted, names))
