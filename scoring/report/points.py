"""Items as points beside the mark of their mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from gapsmith.scoring.report.style import GREY

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_POINTS = 300
"""With more items than this, quantiles are drawn instead of points."""


def paint_items(axes: Axes, x: int, of_items: Sequence[float]) -> None:
    """A point per item, spread evenly sideways in the order of the values; above 300 items, their quantiles."""
    from matplotlib.patches import Rectangle

    values = np.array(of_items)
    if values.size > MOST_POINTS:
        lowest, lower, middle, upper, highest = np.quantile(values, [0.05, 0.25, 0.5, 0.75, 0.95])
        axes.plot([x, x], [lowest, highest], color=GREY, linewidth=1)
        box = Rectangle((x - 0.2, lower), 0.4, upper - lower, facecolor="#ffffff", edgecolor=GREY, hatch="////")
        axes.add_patch(box)
        axes.plot([x - 0.2, x + 0.2], [middle, middle], color=GREY, linewidth=1)
        return
    # Steps of the golden section never bunch, so that the spread invents no groups (a checksum of the keys did).
    spread = np.empty(len(values))
    spread[np.argsort(values, kind="stable")] = np.arange(1, len(values) + 1) * 0.6180339887498949 % 1 - 0.5
    axes.plot(x - 0.14 + 0.3 * spread, values, linestyle="none", marker=".", markersize=6, color=GREY, alpha=0.55)


def told_points(most: int) -> str:
    """What is drawn of items, of which there are `most` at the most."""
    if most > MOST_POINTS:
        return "The box holds the middle half of the items, with their median, and the line the middle 90%."
    return "Each grey point is an item."
