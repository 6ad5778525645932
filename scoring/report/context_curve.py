"""Accuracy by the length of the context, for one paradigm: a line for each context set."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gapsmith.scoring.analysis import ComparedRun, RunComparison, label
from gapsmith.scoring.observations import Grouping
from gapsmith.scoring.report.drawing import Drawing, draw, figure_name
from gapsmith.scoring.report.numbers import minus, percent
from gapsmith.scoring.report.style import DARK, GREY, INK, PAIR
from gapsmith.stats import Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MOST_PANELS = 6
_COLORS = (DARK, str(PAIR[1]["color"]), INK, GREY)
_MARKERS = "osD^vPX*"


def context_curve(found: RunComparison) -> Drawing | None:
    """The share of items as expected over realised tokens, a panel for each of the first six predictions; None where contexts
    are not all that differs, or have no lengths."""
    if found.varying != ("context",):
        return None
    known = [run for run in found.runs if run.analysis.context_length is not None]
    bare = [run for run in known if not run.analysis.context_length]
    behind = Grouping(("context",)).split(
        (run for run in known if run.analysis.context_length), lambda run, key: re.sub(r" to \d+$", "", run.place(key))
    )
    sets = {name: runs for (name,), runs in behind.items()}
    panels = [(name, title) for name, title in _predictions(found) if _points(bare, name)][:_MOST_PANELS]
    if not sets or not panels:
        return None
    n_columns = min(3, len(panels))
    n_rows = -(-len(panels) // n_columns)

    def paint(figure: Figure) -> None:
        grid = figure.subplots(n_rows, n_columns, squeeze=False, sharey=True)
        flat = [axes for row in grid for axes in row]
        for axes in flat[len(panels) :]:
            axes.set_visible(False)
        for axes, (name, title) in zip(flat, panels, strict=False):
            for number, (called, runs) in enumerate(sets.items()):
                points = _points([*bare, *runs], name)
                color = _COLORS[number % 4]
                axes.plot(
                    [x for x, _ in points],
                    [100 * own.estimate for _, own in points if own.estimate is not None],
                    color=color,
                    label=minus(called),
                    marker=_MARKERS[number % len(_MARKERS)],
                    markersize=5,
                )
                for x, own in points:
                    if own.ci is not None:
                        axes.plot([x, x], [100 * end for end in own.ci], color=color, linewidth=1.0, alpha=0.6)
            axes.set(title=minus(title), xlabel="tokens of the context", ylim=(-3, 103))
        for row in grid:
            row[0].set_ylabel("as expected (%)")
        flat[0].legend(fontsize=8)

    alt = "; ".join(
        f"{title}, {called}: "
        + ", ".join(f"{percent(own.estimate)} at {x:.0f} tokens" for x, own in _points([*bare, *runs], name))
        for name, title in panels
        for called, runs in sets.items()
    )
    return draw(
        figure_name(found.paradigm.name, "contexts"),
        f"{found.paradigm.title} behind contexts",
        alt,
        size=(3.4 * n_columns + 0.8, 3.2 * n_rows + 0.4),
        paint=paint,
    )


def _predictions(found: RunComparison) -> list[tuple[str, str]]:
    """Name and title of what can be right or wrong."""
    contrasts = [own for own in found.paradigm.contrasts if own.name in found.contrasts and own.expected]
    return [*((own.name, label(own)) for own in contrasts), *((own.name, own.name) for own in found.paradigm.criteria)]


def _points(runs: list[ComparedRun], name: str) -> list[tuple[float, Result]]:
    """Realised tokens and share, by length."""
    points = []
    for run in runs:
        tokens = run.analysis.context_length
        if tokens is None:
            continue
        shares = [own.accuracy for own in run.analysis.contrasts if own.contrast.name == name]
        shares += [own.share for own in run.analysis.criteria if own.criterion.name == name]
        points += [(tokens, own) for own in shares if own.estimate is not None]
    return sorted(points, key=lambda point: point[0])
