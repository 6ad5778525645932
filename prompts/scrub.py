"""Keys out of texts: nothing that a provider or a library says may carry one into a message, a log or the bank."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["REMOVED", "scrub"]

REMOVED = "[key removed]"

_LOOKS_LIKE_A_KEY = re.compile(
    r"AIza[0-9A-Za-z_-]{20,}|\bAQ\.[0-9A-Za-z_-]{20,}|\bsk-[0-9A-Za-z_-]{16,}|(?<=[?&]key=)[^&\s\"']+|(?<=Bearer )[^\s\"',]{8,}"
)


def scrub(text: str, secrets: Sequence[str] = (), *, guess: bool = True) -> str:
    """The text with every secret replaced; with `guess`, also whatever looks like a key of a known provider."""
    for secret in sorted(secrets, key=len, reverse=True):
        if len(secret) >= 4:
            text = text.replace(secret, REMOVED)
    return _LOOKS_LIKE_A_KEY.sub(REMOVED, text) if guess else text
