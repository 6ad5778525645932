"""From marks to terminal styles, in the colours of the current theme. Every mark also has a shape of its own in the
text, so that nothing depends on these."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from rich.style import Style
from rich.text import Text
from textual.color import Color

from gapsmith.vetting.review.grid import Line
from gapsmith.vetting.review.region_text import Seg

if TYPE_CHECKING:
    from textual.app import App

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
    "key": "foreground",
    "approved": "success",
    "excluded": "error",
    "flagged": "warning",
}
_MUTED = "text-muted"
_AUTO = 0.6
CONTRAST = 4.5
"""What every text has at least against what it is written on."""
_BOLD = frozenset({"filler", "critical", "selected", "cursor", "title", "differs", "error", "added", "ref"})
_OTHER: Mapping[str, Style] = {
    "filler": Style(underline=True),
    "heading": Style(italic=True),
    "removed": Style(strike=True),
}


def palette(app: App[Any]) -> dict[str, Style]:
    """The style of every mark under the app's theme, each at least `CONTRAST` against all that it is written on.

    Without colour, reds and greens would turn into greys of poor contrast, so all but what is muted is foreground."""
    variables = app.theme_variables
    names = [name if name == _MUTED or not app.no_color else "foreground" for name in _COLOURS.values()]
    return _palette(tuple(variables.get(name, "") for name in names), _grounds(variables), variables.get("foreground", ""))


def readable_accent(variables: Mapping[str, str]) -> str:
    """The accent of a theme, given by its variables, at least `CONTRAST` against all that it is written on; as it is where the
    colours are the terminal's."""
    found = _readable(variables["accent"], _grounds(variables), variables["foreground"]).color
    return variables["accent"] if found is None else found.name


def _grounds(variables: Mapping[str, str]) -> tuple[str, ...]:
    """What the screens write on."""
    return tuple(variables.get(name, "") for name in ("background", "surface", "panel"))


@lru_cache(maxsize=16)
def _palette(colours: tuple[str, ...], grounds: tuple[str, ...], foreground: str) -> dict[str, Style]:
    styles: dict[str, Style] = {"selected": Style(bold=True)}
    for mark, colour in zip(_COLOURS, colours, strict=True):
        styles[mark] = _readable(colour, grounds, foreground) + Style(bold=True if mark in _BOLD else None)
        styles[mark] += _OTHER.get(mark, Style())
    return styles


def _readable(colour: str, grounds: tuple[str, ...], foreground: str) -> Style:
    """The colour, moved towards the foreground as far as it takes to be read. Muted colours of a theme are given as
    ``auto`` with a share: that share of the foreground over the background. Colours of the terminal are left to it."""
    if not all(ground.startswith("#") for ground in (*grounds, foreground)):
        return Style(color=colour) if colour.startswith("#") else Style()
    front, behind = Color.parse(foreground), [Color.parse(ground) for ground in grounds]
    wanted = Color.parse(colour) if colour.startswith("#") else behind[0].blend(front, _AUTO)
    # Where a theme's own foreground is too pale, on to black or white.
    end = max((Color(0, 0, 0), Color(255, 255, 255)), key=lambda one: contrast(one, behind[0]))
    ladder = [wanted.blend(front, step / 10) for step in range(11)] + [front.blend(end, s / 10) for s in range(11)]
    shown = next((c for c in ladder if min(contrast(c, ground) for ground in behind) >= CONTRAST), end)
    return Style(color=shown.hex)


def contrast(one: Color, other: Color) -> float:
    """The contrast ratio of two colours, 1 to 21 (WCAG 2.2, relative luminance)."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: Color) -> float:
    def linear(value: int) -> float:
        share = value / 255
        return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4

    return 0.2126 * linear(colour.r) + 0.7152 * linear(colour.g) + 0.0722 * linear(colour.b)


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
