"""From a matplotlib figure to an SVG that can stand in a page: with its own text alternative and its own ids."""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from gapsmith.scoring.report.style import drawing_style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_ID = re.compile(r'\bid="([^"]+)"')


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure with everything a page needs."""

    name: str
    """Unique in a report; the stem of its file."""
    title: str
    alt: str
    """What the figure shows, in words, with its numbers."""
    svg: str
    """An ``<svg>`` element without an XML header, every id of which starts with `name`."""
    png: bytes


def figure_name(*parts: str) -> str:
    """A name from words of the user's, fit for a file and for an identifier, different for different words."""
    joined = "-".join(parts)
    safe = re.sub(r"[^A-Za-z0-9_-]", "-", joined)
    return safe if safe == joined else f"{safe}-{zlib.crc32(joined.encode()):08x}"


def draw(name: str, title: str, alt: str, *, size: tuple[float, float], paint: Callable[[Figure], None]) -> Drawing:
    """Let `paint` fill a figure of `size` inches, and render it as SVG and PNG (160 dots per inch)."""
    svg, png = _rendered(size, paint)
    return Drawing(name, title, alt, _embeddable(svg, name, title, alt), png)


def _rendered(size: tuple[float, float], paint: Callable[[Figure], None]) -> tuple[str, bytes]:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with drawing_style():
        figure = Figure(figsize=size, layout="constrained")
        dots: Any = FigureCanvasAgg(figure)
        paint(figure)
        svg, png = io.StringIO(), io.BytesIO()
        # Not by `savefig`, which draws everything once more to find the places; its parts have no types.
        vectors: Any = FigureCanvasSVG(figure)
        # Without dates and version in the files, equal data give equal bytes.
        vectors.print_svg(svg, metadata={"Date": None, "Creator": None})
        # The places found for the SVG hold for the PNG as well; finding them again would take as long as drawing.
        figure.set_layout_engine("none")
        figure.set_dpi(160)
        dots.print_png(png, metadata={"Software": None})
    return svg.getvalue(), png.getvalue()


def _embeddable(svg: str, name: str, title: str, alt: str) -> str:
    """The ``<svg>`` element with prefixed ids, a title and a description, and a width that follows the page."""
    start = svg.index("<svg")
    head_end = svg.index(">", start)
    head, body = svg[start : head_end + 1], svg[head_end + 1 :]
    body = re.sub(r"<metadata>.*?</metadata>", "", body, flags=re.DOTALL)
    for own in dict.fromkeys(_ID.findall(body)):
        body = body.replace(f'id="{own}"', f'id="{name}-{own}"')
        body = body.replace(f'"#{own}"', f'"#{name}-{own}"').replace(f"url(#{own})", f"url(#{name}-{own})")
    box = re.search(r'viewBox="[^"]+"', head)
    viewbox = box.group() if box else ""
    labels = f'role="img" aria-labelledby="{name}-title {name}-desc"'
    namespaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    described = f'<title id="{name}-title">{escape(title)}</title><desc id="{name}-desc">{escape(alt)}</desc>'
    return f"<svg {namespaces} {viewbox} {labels}>\n{described}{body}"
