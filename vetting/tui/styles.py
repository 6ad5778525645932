"""From marks to terminal styles, in the colours of the current theme. Every mark also has a shape of its own in the
text, so that nothing depends on these."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from rich.style import Style
from rich.text import Text

from vetting.review.cells import Seg
from vetting.review.grid import Line

if TYPE_CHECKING:
    from textual.app import App

__all__ = ["SEVERITY_SHAPES", "line_text", "lines_text", "palette"]

SEVERITY_SHAPES: Mapping[str, str] = {"error": "✗", "warning": "!", "info": "i"}
_COLOURS: Mapping[str, str] = {
    "filler": "accent",
    "gap": "text-primary",
    "critical": "success",
    "ref": "warning",
    "status-ok": "success",
    "status-questionable": "warning",
    "status-star": "error",
    "differs": "error",
    "agrees": "success",
    "cursor": "accent",
    "heading": "text-muted",
    "dim": "text-muted",
    "label": "text-muted",
    "note": "text-muted",
    "error": "error",
    "warning": "warning",
    "info": "text-primary",
    "added": "success",
    "removed": "error",
    "title": "accent",
    "accepted": "success",
    "excluded": "error",
    "flagged": "warning",
}
_MUTED = "text-muted"
_BOLD = frozenset({"filler", "critical", "selected", "cursor", "title", "differs", "error", "added", "ref"})
_OTHER: Mapping[str, Style] = {
    "filler": Style(underline=True),
    "heading": Style(italic=True),
    "removed": Style(strike=True),
}


def palette(app: App[Any]) -> dict[str, Style]:
    """The style of every mark under the app's theme. Muted colours of a theme may be given as ``auto``; they are dim.

    Without colour, reds and greens would turn into greys of poor contrast, so all but what is muted is foreground."""
    variables = app.theme_variables
    names = [name if name == _MUTED or not app.no_color else "foreground" for name in _COLOURS.values()]
    return _palette(tuple(variables.get(name, "") for name in names))


@lru_cache(maxsize=16)
def _palette(colours: tuple[str, ...]) -> dict[str, Style]:
    styles: dict[str, Style] = {"selected": Style(bold=True)}
    for mark, colour in zip(_COLOURS, colours, strict=True):
        style = Style(color=colour) if colour.startswith("#") else Style(dim=True)
        styles[mark] = style + Style(bold=True if mark in _BOLD else None) + _OTHER.get(mark, Style())
    return styles


def line_text(segs: Iterable[Seg], styles: Mapping[str, Style]) -> Text:
    """Pieces of a line as text; never markup."""
    text = Text(no_wrap=True, end="")
    for seg in segs:
        style = None
        for mark in seg.marks:
            found = styles.get(mark)
            style = found if style is None else style + found if found is not None else style
        text.append(seg.text, style)
    return text


def lines_text(lines: Iterable[Line], styles: Mapping[str, Style], *, selected: int | None = None) -> Text:
    """Several lines as one text; the lines of the selected row are bold."""
    whole = Text(no_wrap=True)
    for i, line in enumerate(lines):
        if i:
            whole.append("\n")
        text = line_text(line.segs, styles)
        if selected is not None and line.row == selected:
            text.stylize(Style(bold=True))
        whole.append_text(text)
    return whole
