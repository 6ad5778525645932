"""How figures look: one set of settings, and marks that stay apart in grey and for colour-blind readers."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

INK = "#1b1f24"
GREY = "#6b7280"
BANDS = "#e9edf2"
DARK = "#0b4f8a"
# Two series differ in lightness, marker, filling and line at once.
PAIR: tuple[dict[str, Any], dict[str, Any]] = (
    {"color": "#0b4f8a", "marker": "o", "linestyle": "-", "markerfacecolor": "#0b4f8a"},
    {"color": "#d9730d", "marker": "s", "linestyle": (0, (5, 2)), "markerfacecolor": "white"},
)

_SETTINGS: Any = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Verdana", "Arial", "Helvetica", "sans-serif"],
    "font.size": 10.5,
    "axes.edgecolor": GREY,
    "axes.labelcolor": INK,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "grid.color": "#dfe3e8",
    "grid.linewidth": 0.7,
    "hatch.linewidth": 0.8,
    "legend.frameon": False,
    "lines.linewidth": 1.8,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    # Words in labels come from users' files: a dollar sign there is not mathematics.
    "text.parse_math": False,
    "svg.fonttype": "none",
    # Identifiers inside the SVG follow from the drawing alone, so equal figures are equal files.
    "svg.hashsalt": "gapsmith",
}


@contextmanager
def drawing_style() -> Iterator[None]:
    """Draw with these settings, whatever the user's own matplotlib is set to, and leave theirs as they were."""
    import matplotlib as mpl

    with warnings.catch_warnings(), mpl.rc_context():
        mpl.rcdefaults()
        for name, value in _SETTINGS.items():
            mpl.rcParams[name] = value
        # Labels in a script that the font lacks still come out right in SVG, where the reader's fonts are used.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        yield
