"""The console on which tables, messages and progress are drawn: texts from outside cannot give orders to the terminal."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.table import Table
from rich.text import Span, Text

from gapsmith.app.cli.printable import shown


class SafeConsole(Console):
    """A console that writes control and direction characters of texts out; its own colours and movements stay."""

    def render_str(self, text: str, **how: Any) -> Text:
        """Every string comes through here before it is measured or drawn."""
        return super().render_str(shown(text), **how)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Every other text comes through here; those of a table with it, before it measures its columns."""
        cells = [cell for column in renderable.columns for cell in column.cells] if isinstance(renderable, Table) else []
        for text in (renderable, *cells):
            if isinstance(text, Text):
                _write_out(text)
        return super().render(renderable, options)


def _write_out(text: Text) -> None:
    plain = text.plain
    if shown(plain) == plain:
        return
    # A character may become several; the styles go with them.
    at = list(accumulate((len(shown(character)) for character in plain), initial=0))
    spans = [Span(at[span.start], at[min(span.end, len(plain))], span.style) for span in text.spans]
    text.plain = shown(plain)
    text.spans = spans
