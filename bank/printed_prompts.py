"""Prompts that papers print: known word for word, so that a run can say that one of them was sent. Their texts are not ours to ship."""

from __future__ import annotations

from hashlib import sha256

_PRINTED = {
    "0041c2570e3ea7b670d8c1bf7f260880c9a0ea9bce3d3cb7a660509407227863": "pistotti2025",
    "76fe5efe1c7312a3f0a77299d93d2ba3593cd18039ca8c27400e0386f35d83f7": "pistotti2025",
}
"""SHA-256 of the letters and digits alone, in small letters, since copies differ in line ends, quotes and signs; the second is with × for
the name of that sign in TeX."""
_SOURCES = {"pistotti2025": "Pistotti, Brown & Witbrock (2025), arXiv 2510.06018, appendix A, listing 1"}


def printed_in(text: str | None) -> str | None:
    """Where a prompt is printed whose letters and digits are those of this text, every one; None where none is known."""
    letters = "".join(sign for sign in (text or "").casefold() if sign.isalnum())
    name = _PRINTED.get(sha256(letters.encode()).hexdigest())
    return None if name is None else _SOURCES[name]
