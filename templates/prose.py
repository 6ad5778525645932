"""Our own sentences on HTML pages: what stands between backticks in them is code. Texts of others, such as items, are no such sentences."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape

_CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")


def prose_html(text: str, plain: Callable[[str], str] = escape) -> str:
    """The sentence as HTML, escaped, its code in ``<code>``; `plain` makes HTML of what stands between."""
    parts = _CODE.split(text)
    # Every second part is what stood between two backticks.
    return "".join(f"<code>{escape(part)}</code>" if place % 2 else plain(part) for place, part in enumerate(parts))
