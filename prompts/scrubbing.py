"""Texts from outside, made harmless: no key gets into a message, a log or the bank, no control code to a terminal. The only place
that says what in a text is a key; the bytes of HTTP bodies are `gapsmith.prompts.bodies`'."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

REMOVED = "[key removed]"

_LOOKS_LIKE_A_KEY = re.compile(
    r"AIza[0-9A-Za-z_-]{20,}|\bAQ\.[0-9A-Za-z_-]{20,}|\bsk-[0-9A-Za-z_-]{16,}|(?<=[?&]key=)[^&\s\"']+|(?<=Bearer )[^\s\"',]{8,}"
    # A name and password before an address.
    r"|(?<=://)[^/\s:@\"']+:[^/\s@\"']+(?=@)"
)


_SECRET_NAMES = ("KEY", "TOKEN", "SECRET", "PASSWORD")


def keys_in(environment: Mapping[str, str]) -> tuple[str, ...]:
    """What variables hold that are called as keys are."""
    return tuple(own for name, value in environment.items() if name.upper().endswith(_SECRET_NAMES) and (own := value.strip()))


def scrub(text: str, secrets: Sequence[str] = (), *, guess: bool = True) -> str:
    """The text with every secret replaced; with `guess`, also whatever looks like a key of a known provider."""
    for secret in sorted(secrets, key=len, reverse=True):
        if len(secret) >= 4:
            text = text.replace(secret, REMOVED)
    return _LOOKS_LIKE_A_KEY.sub(REMOVED, text) if guess else text


def visible(text: str) -> str:
    """The text with control and direction characters written out as escapes; line breaks and tabs stay."""
    return "".join(
        char if char in "\n\t" or unicodedata.category(char) not in ("Cc", "Cf", "Cs") else ascii(char)[1:-1] for char in text
    )
