"""What may be a name that people give: to data sets, context sets, each other, and scores from elsewhere. The only place that says so.

A name is shown in lists and messages, typed in commands and shells, and written into files that others read; what cannot be read or
typed, or reads as a path, is refused where it would be kept for the first time. Names that a bank has from before stay."""

from __future__ import annotations

from functools import lru_cache
from unicodedata import name as character_name

from gapsmith.bank.errors import BankError

PERSON = "a person"
"""What is named where somebody does something, or is given something to do."""
LONGEST = 200
"""Characters of the longest name."""
_SHOWN = 40


@lru_cache(maxsize=1024)
def as_name(name: str, what: str, *, slashes: bool = False) -> str:
    """The name as it is. `what` is what would be called so, in words (“a data set”); with `slashes`, these may stand in it, as in
    names of models and accounts. Raises `BankError` for one that is empty, cannot be read, is too long, or reads as a path."""
    hint = "Give it a name that can be read and typed, such as set-2."
    if not name.strip():
        raise BankError(f"{what} needs a name, and this one is empty", hint=hint)
    short = name if len(name) <= _SHOWN else f"{name[:_SHOWN]}…"
    if len(name) > LONGEST:
        raise BankError(
            f"{what} cannot be called {short!r}: {len(name):,} characters, and at most {LONGEST} can be read", hint=hint
        )
    if name != name.strip():
        raise BankError(f"{what} cannot be called {short!r}: a space begins or ends it", hint=f"Call it {name.strip()!r}.")
    unseen = next((character for character in name if not character.isprintable()), None)
    if unseen is not None:
        said = character_name(unseen, f"U+{ord(unseen):04X}")
        raise BankError(f"{what} cannot be called {short!r}: it has a character that is not seen ({said})", hint=hint)
    parts = name.replace("\\", "/").split("/")
    if (len(parts) > 1 and not slashes) or not {".", ".."}.isdisjoint(parts):
        raise BankError(f"{what} cannot be called {short!r}: it reads as the path of a file", hint=hint)
    return name
