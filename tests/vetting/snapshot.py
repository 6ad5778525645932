"""Screens as pictures, kept beside the tests: every character in its place and colour, one line of SVG per line of the screen,
so that a difference can be read. `docs/review.md` shows some of them."""

from __future__ import annotations

import os
from html import escape
from pathlib import Path

from rich.cells import cell_len
from rich.style import Style
from rich.terminal_theme import SVG_EXPORT_THEME
from textual.app import App
from textual.widgets import Input, TextArea

_FOLDER = Path(__file__).parent / "snapshots"
_WIDE, _HIGH = 10, 20
"""Pixels of a cell."""


def compare(app: App[None], name: str) -> None:
    """Compare the screen with the snapshot; with UPDATE_SNAPSHOTS set in the environment, keep it as the new one."""
    shown = picture(app)
    path = _FOLDER / f"{name}-{app.size.width}x{app.size.height}.svg"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(shown, encoding="utf-8")
    kept = path.read_text(encoding="utf-8").splitlines()
    differing = [(a, b) for a, b in zip(kept, shown.splitlines(), strict=False) if a != b]
    assert kept == shown.splitlines(), (
        f"{path.name} differs, first here: {differing[:1]}; UPDATE_SNAPSHOTS=1 keeps the new screen: look at it"
    )


def steady(app: App[None]) -> None:
    """Let no cursor blink."""
    for field in (*app.screen.query(Input), *app.screen.query(TextArea)):
        field.cursor_blink = False


def picture(app: App[None]) -> str:
    """The screen in front as SVG."""
    width, height = app.size
    strips = app.screen._compositor.render_strips()
    assert len(strips) == height
    looks: dict[str, str] = {}
    lines = []
    for y, strip in enumerate(strips):
        x, row = 0, ""
        for segment in strip.crop(0, width).simplify():
            cells = cell_len(segment.text)
            style = segment.style or Style()
            front, back = _colours(style)
            at = f'x="{x * _WIDE}" y="{y * _HIGH}"'
            size = f'width="{cells * _WIDE}" height="{_HIGH}"'
            row += f'<rect {at} {size} fill="{back}"/>' if back else ""
            if segment.text.strip():
                look = looks.setdefault(_look(style, front), f"s{len(looks)}")
                at = f'x="{x * _WIDE}" y="{y * _HIGH + 15}" textLength="{cells * _WIDE}"'
                row += f'<text class="{look}" {at}>{escape(segment.text)}</text>'
            x += cells
        lines.append(row)
    classes = "".join(f".{name}{{{look}}}" for look, name in looks.items())
    common = "text{font:16px 'DejaVu Sans Mono',Menlo,Consolas,monospace;white-space:pre}"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width * _WIDE} {height * _HIGH}" xml:space="preserve">'
    ground = f'<rect width="100%" height="100%" fill="{SVG_EXPORT_THEME.background_color.hex}"/>'
    return "\n".join([head, f"<style>{common}{classes}</style>", ground, *lines, "</svg>", ""])


def _colours(style: Style) -> tuple[str, str]:
    front = style.color.get_truecolor(SVG_EXPORT_THEME).hex if style.color else ""
    back = style.bgcolor.get_truecolor(SVG_EXPORT_THEME, foreground=False).hex if style.bgcolor else ""
    if style.reverse:
        ground = SVG_EXPORT_THEME
        return back or ground.background_color.hex, front or ground.foreground_color.hex
    return front or SVG_EXPORT_THEME.foreground_color.hex, back


def _look(style: Style, front: str) -> str:
    lines = [name for name, on in (("underline", style.underline), ("line-through", style.strike)) if on]
    marks = [
        f"fill:{front}",
        "font-weight:bold" if style.bold else "",
        "font-style:italic" if style.italic else "",
        f"text-decoration:{' '.join(lines)}" if lines else "",
        "opacity:.6" if style.dim else "",
    ]
    return ";".join(mark for mark in marks if mark)
