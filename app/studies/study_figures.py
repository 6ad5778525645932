"""Figures of a study: what was published and what came out here, with their intervals, on one axis."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import scipy

from gapsmith.app.studies.running import StudyRun
from gapsmith.app.studies.study import FigureOf, Study
from gapsmith.scoring.analysis import label
from gapsmith.scoring.report import DARK, INK, PAIR, Drawing, draw, minus
from gapsmith.stats import wilson_interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MARKS = "os^vPX*"
_COLORS = (DARK, str(PAIR[1]["color"]), "#5b2a86", "#1b7f4b")
_WIDTH = 7.5


@dataclass(frozen=True, slots=True)
class _Point:
    """A number of one row of a figure."""

    row: str
    whose: str
    """The model; empty for the published one."""
    value: float
    ci: tuple[float, float] | None


def figures_of(study: Study, runs: Sequence[StudyRun]) -> list[tuple[str, str, Drawing]]:
    """Titles of the figures that the study asks for, what their numbers are where the tables have others, and drawings; of its published
    means where it asks for none."""
    asked = study.figure or _of_means(study)
    found = []
    for number, one in enumerate(asked):
        drawing = _figure(study, runs, one, "numbers" if number == 0 else f"numbers-{number + 1}")
        if drawing is not None:
            found.append((one.title, _whose(runs, one), drawing))
    return found


def _whose(runs: Sequence[StudyRun], asked: FigureOf) -> str:
    """Which means of ours are not those of the tables of published numbers; empty where all are."""
    results = [run.result(name, contrast) for run in runs for contrast in asked.contrasts for name in asked.sets]
    if asked.statistic == "share" or not any(own.words.these is not None for own in results):
        return ""
    return (
        "Where words repeat, ours is the mean of the model of these words with its interval, over the words that it holds fixed, each "
        "counted alike; the tables of published numbers have the plain mean over items. "
    )


def _of_means(study: Study) -> tuple[FigureOf, ...]:
    means = [number for number in study.number if number.statistic == "mean"]
    if not means:
        return ()
    sets, contrasts = (tuple(dict.fromkeys(values)) for values in zip(*((m.set, m.contrast) for m in means), strict=True))
    return (FigureOf(title="Published means and ours", statistic="mean", sets=sets, contrasts=contrasts),)


def _points(study: Study, runs: Sequence[StudyRun], asked: FigureOf) -> Iterator[_Point]:
    sets = {one.name: one for one in study.set}
    for contrast in asked.contrasts:
        for name in asked.sets:
            published = _published(study, name, contrast, asked.statistic)
            row = contrast
            for run in runs:
                result = run.result(name, contrast)
                row = f"{label(result.contrast)}, {sets[name].title}"
                own = result.accuracy if asked.statistic == "share" else result.main
                low, high = (own.ci_low, own.ci_high) if asked.statistic == "share" else result.interval
                # Wilson's interval takes items for independent, which those whose words repeat are not, whoever counted them.
                dependent = asked.statistic == "share" and result.words.repeats
                if dependent and published is not None:
                    published = published[0], None
                if own.estimate is not None:
                    interval = None if low is None or high is None or dependent else (low, high)
                    yield _Point(row, run.model, own.estimate, interval)
            if published is not None:
                yield _Point(row, "", *published)


def _published(
    study: Study, name: str, contrast: str, statistic: Literal["mean", "share"]
) -> tuple[float, tuple[float, float] | None] | None:
    """What was published of a set, with its 95 % interval where that was printed or follows from what was: Wilson's from a share
    and its n, that of a mean from its t and n."""
    said = {one.statistic: one.published for one in study.number if (one.set, one.contrast) == (name, contrast)}
    if statistic not in said:
        return None
    n = next(one.published_n for one in study.set if one.name == name)
    if statistic == "share" and n is not None:
        return said["share"], wilson_interval(round(said["share"] * n), n)
    if "ci_low" in said and "ci_high" in said and statistic == "mean":
        return said["mean"], (said["ci_low"], said["ci_high"])
    if statistic == "mean" and said.get("t") and n is not None:
        half = abs(said["mean"] / said["t"]) * float(scipy.stats.t.ppf(0.975, n - 1))
        return said["mean"], (said["mean"] - half, said["mean"] + half)
    return said[statistic], None


def _figure(study: Study, runs: Sequence[StudyRun], asked: FigureOf, name: str) -> Drawing | None:
    points = list(_points(study, runs, asked))
    if not any(not point.whose for point in points):
        return None
    scale = 100.0 if asked.statistic == "share" else 1.0
    rows = list(dict.fromkeys(point.row for point in points))
    series = ["", *dict.fromkeys(point.whose for point in points if point.whose)]

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        axes.axvline(50.0 if asked.statistic == "share" else 0.0, linewidth=1, color=INK)
        for number, whose in enumerate(series):
            _series(axes, [p for p in points if p.whose == whose], rows, scale, number, len(series))
        axes.set_yticks(range(len(rows)), [minus(row) for row in reversed(rows)])
        axes.set_ylim(-0.6, len(rows) - 0.4)
        if asked.statistic == "share":
            axes.set_xlim(-3, 103)
        axes.grid(axis="x")
        axes.grid(visible=False, axis="y")
        axes.set_xlabel("items above 0, per cent" if asked.statistic == "share" else "mean, bits")
        figure.legend(*axes.get_legend_handles_labels(), loc="outside upper left", ncols=3, frameon=False)

    unit = " %" if asked.statistic == "share" else " bits"
    alt = f"{asked.title}. " + "; ".join(
        f"{point.row}, {point.whose or 'published'}: {scale * point.value:.4g}{unit}{_ends(point, scale)}" for point in points
    )
    size = (_WIDTH, 1.1 + 0.36 * len(rows) + 0.12 * len(rows) * (len(series) - 1))
    return draw(name, asked.title, alt + ".", size=size, paint=paint)


def _series(axes: Axes, points: Sequence[_Point], rows: Sequence[str], scale: float, number: int, of: int) -> None:
    """One series, each of its points a little below those of the series before."""
    published = number == 0
    color = INK if published else _COLORS[(number - 1) % len(_COLORS)]
    step = min(0.25, 0.7 / of)
    for position, point in enumerate(points):
        y = len(rows) - 1 - rows.index(point.row) + step * ((of - 1) / 2 - number)
        x = scale * point.value
        if point.ci is not None:
            low, high = (scale * end for end in point.ci)
            axes.plot([low, high], [y, y], color=color, linewidth=1.4)
        axes.plot(
            [x],
            [y],
            marker="D" if published else _MARKS[(number - 1) % len(_MARKS)],
            linestyle="none",
            color=color,
            markerfacecolor="white" if published else color,
            label=(point.whose or "published") if position == 0 else None,
        )


def _ends(point: _Point, scale: float) -> str:
    return "" if point.ci is None else f" [{scale * point.ci[0]:.4g}, {scale * point.ci[1]:.4g}]"
