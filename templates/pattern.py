"""Region texts as patterns: literal words and ``{slot}`` places, and lists of words with ``(a|b)`` alternatives."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from gapsmith.templates.errors import ParadigmError

_PLACE = re.compile(r"\{([a-z][a-z0-9_]*)\}")
_ALTERNATIVES = re.compile(r"\(([^()]*)\)")


@dataclass(frozen=True, slots=True)
class WordPattern:
    """One whitespace-separated piece of a pattern: ``prefix{slot}suffix``, or a literal word (`slot` is None)."""

    prefix: str
    slot: str | None = None
    suffix: str = ""

    @property
    def is_bare(self) -> bool:
        """A slot with nothing attached to it, which may hold several words."""
        return self.slot is not None and not self.prefix and not self.suffix


def slots_in(text: str) -> tuple[str, ...]:
    """The slot names in a region text, in order of appearance."""
    return tuple(_PLACE.findall(text))


def fill(text: str, slots: Mapping[str, str]) -> str:
    """The region text with its places filled. Raises `ParadigmError` naming the slot that has no value."""

    pieces = _pieces(text)
    try:
        return "".join([slots[piece] if odd else piece for odd, piece in pieces])
    except KeyError as missing:
        name = missing.args[0]
        raise ParadigmError(f"slot {name!r} has no value", hint=f"Give a value for {name}.") from None


@lru_cache(maxsize=1024)
def _pieces(text: str) -> tuple[tuple[bool, str], ...]:
    """A region text cut at its places: (whether it is a slot's name, the piece)."""
    return tuple((bool(n % 2), piece) for n, piece in enumerate(_PLACE.split(text)) if piece)


@lru_cache(maxsize=1024)
def word_patterns(text: str) -> tuple[WordPattern, ...]:
    """A region text cut at its spaces. A piece may hold one slot at most."""
    patterns = []
    for piece in text.split():
        places = _PLACE.findall(piece)
        if len(places) > 1:
            raise ParadigmError(f"{piece!r} has two slots in one word", hint="Put a space between the slots.")
        if "{" in _PLACE.sub("", piece) or "}" in _PLACE.sub("", piece):
            raise ParadigmError(
                f"{piece!r} is neither a word nor a slot",
                hint="A slot is written {name}, in small letters, digits and _.",
            )
        if not places:
            patterns.append(WordPattern(piece))
            continue
        prefix, suffix = _PLACE.split(piece)[0], _PLACE.split(piece)[2]
        patterns.append(WordPattern(prefix, places[0], suffix))
    return tuple(patterns)


def expand_alternatives(text: str) -> Iterator[str]:
    """Every reading of ``(a|b) to (c|d)``, in order; a text without parentheses is its own only reading."""
    pieces = _ALTERNATIVES.split(text)
    choices = [[piece] if i % 2 == 0 else piece.split("|") for i, piece in enumerate(pieces)]
    for combination in product(*choices):
        yield " ".join("".join(combination).split())
