"""What the templates of all pages share."""

from __future__ import annotations

from html import escape

from markupsafe import Markup

from gapsmith.scoring.report.numbers import minus
from gapsmith.templates import prose_html


def minus_markup(text: str) -> Markup:
    """The text, escaped, with a true minus sign before numbers, factor levels and in formulas."""
    return Markup(minus(escape(str(text))))


def prose_markup(text: str) -> Markup:
    """The same of a sentence of ours, with its code as code."""
    return Markup(prose_html(str(text), lambda part: minus(escape(part))))
