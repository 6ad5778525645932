"""The figures of an analysis: effects with their items and shares with Wilson intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np

from gapsmith.scoring.analysis import Analysis, Conclusion, ContrastResult, label
from gapsmith.scoring.report.criterion_figures import criterion_figures
from gapsmith.scoring.report.drawing import Drawing, draw, figure_name
from gapsmith.scoring.report.numbers import bits, interval, minus, percent, percent_interval, unit_of
from gapsmith.scoring.report.points import MOST_POINTS, paint_items
from gapsmith.scoring.report.region_figures import region_figures
from gapsmith.scoring.report.style import BANDS, DARK, GREY, INK
from gapsmith.scoring.report.word_figures import word_figure
from gapsmith.templates import CRITICAL_PLACE, Paradigm, count

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MEAN_MARKS: Mapping[Conclusion, Mapping[str, Any]] = {
    Conclusion.AS_EXPECTED: {"marker": "o", "markerfacecolor": DARK},
    Conclusion.ABOVE: {"marker": "o", "markerfacecolor": DARK},
    Conclusion.BELOW: {"marker": "o", "markerfacecolor": DARK},
    Conclusion.OPPOSITE: {"marker": "X", "markerfacecolor": "#d9730d"},
    Conclusion.NO_EVIDENCE: {"marker": "o", "markerfacecolor": "white"},
    Conclusion.SMALL: {"marker": "d", "markerfacecolor": DARK},
    Conclusion.ABSENT: {"marker": "s", "markerfacecolor": "white"},
    Conclusion.UNDECIDED: {"marker": "o", "markerfacecolor": "white"},
}


def figures_of(analysis: Analysis) -> list[Drawing]:
    """Every figure that the analysis has data for."""
    effects, shares = effects_drawn(analysis), shares_drawn(analysis)
    drawings = []
    if effects:
        drawings.append(summary_figure(analysis, effects))
        drawings.append(effect_figure(analysis, effects))
    if shares:
        drawings.append(accuracy_figure(analysis, shares))
    drawings += criterion_figures(analysis)
    words = word_figure(analysis)
    if words is not None:
        drawings.append(words)
    return drawings + region_figures(analysis)


def effect_figure(analysis: Analysis, results: Sequence[ContrastResult]) -> Drawing:
    """Mean and interval of each contrast over its items' points; the expected side is shaded."""
    confidence = f"{100 * analysis.options.confidence:g}%"
    only_wh = all(result.contrast.kind == "wh-effect" for result in results)
    what = f"Mean {'wh-effect' if only_wh else 'of each contrast' if len(results) > 1 else 'of the contrast'}"
    of = f", for {len(results)} contrasts" if only_wh and len(results) > 1 else ""
    unit = unit_of(result.contrast.measure for result in results)
    alt = f"{what} in {unit} with its {confidence} interval{of}. " + " ".join(
        f"{label(r.contrast)}: {bits(r.estimate)} {interval(*r.interval)}, {r.verdict.value}." for r in results
    )
    low, high = _range(results)

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        axes.set_xlim(-0.6, len(results) - 0.4)
        axes.set_ylim(low, high)
        axes.axhline(0, color=INK, linewidth=1)
        for x, result in enumerate(results):
            _expected_side(axes, x, result.contrast.expected, low, high)
            paint_items(axes, x, list(result.values.values()))
            _mean(axes, x, result)
        axes.set_xticks(range(len(results)), [_tick(analysis.paradigm, result) for result in results])
        axes.tick_params(axis="x", length=0)
        axes.set_ylabel(f"wh-effect, S(+F) − S(−F), {unit}" if only_wh else unit)

    title = effect_title(results)
    name = figure_name(analysis.part, "effects")
    return draw(name, title, alt, size=(6.4, 4.2), paint=paint)


def summary_figure(analysis: Analysis, results: Sequence[ContrastResult]) -> Drawing:
    """Each contrast on a line, its estimate and interval alone, so that small effects can be seen; it stands without the report, as on
    a slide: what was measured, under which model, in how many items, and what follows."""
    confidence = f"{100 * analysis.options.confidence:g}%"
    unit = unit_of(result.contrast.measure for result in results)
    drawn = [result for result in results if result.main.estimate is not None]
    ends = [0.0] + [
        end for result in drawn for end in (result.main.estimate, result.main.ci_low, result.main.ci_high) if end is not None
    ]
    margin = 0.12 * (max(ends) - min(ends) or 1.0)
    low, high = min(ends) - margin, max(ends) + margin
    what = effect_title(results)
    title = f"{analysis.paradigm.title}: {what[0].lower()}{what[1:]}"
    about = f"{analysis.scorer.model}, {count(analysis.items.n_selected, 'item')}; estimates and {confidence} intervals"
    alt = f"{title}. {about}. " + " ".join(
        f"{label(r.contrast)}: {bits(r.main.estimate)} {interval(r.main.ci_low, r.main.ci_high)} {unit}, {r.verdict.value}."
        for r in results
    )

    def paint(figure: Figure) -> None:
        from matplotlib.patches import Rectangle

        axes = figure.add_subplot()
        axes.set_xlim(low, high)
        axes.set_ylim(len(results) - 0.5, -0.5)
        axes.grid(visible=False, axis="y")
        axes.grid(visible=True, axis="x")
        axes.axvline(0, color=INK, linewidth=1.2)
        for y, result in enumerate(results):
            if result.contrast.expected != 0:
                start, width = (low, -low) if result.contrast.expected < 0 else (0.0, high)
                axes.add_patch(Rectangle((start, y - 0.36), width, 0.72, facecolor=BANDS, edgecolor="none", zorder=0))
            test = result.main
            if test.estimate is None:
                continue
            if test.ci_low is not None and test.ci_high is not None:
                axes.plot([test.ci_low, test.ci_high], [y, y], color=DARK, linewidth=3, solid_capstyle="butt", zorder=3)
            mark = _MEAN_MARKS.get(result.verdict, {"marker": "|", "markerfacecolor": INK})
            axes.plot(
                [test.estimate], [y], markersize=12, markeredgecolor=DARK, markeredgewidth=1.6, linestyle="none", zorder=5, **mark
            )
        axes.set_yticks(range(len(results)), [_tick(analysis.paradigm, result) for result in results], fontsize=12)
        axes.tick_params(axis="y", length=0)
        axes.tick_params(axis="x", labelsize=11)
        axes.set_xlabel(f"{unit}; shaded: the side that is expected", fontsize=11.5)
        figure.suptitle(fill(title, 72), fontsize=13, fontweight="bold", x=0.01, ha="left")
        axes.set_title(about, fontsize=10.5, fontweight="normal", color=GREY)

    name = figure_name(analysis.part, "summary")
    return draw(name, title, alt, size=(8.0, max(3.0, 1.5 + 0.75 * len(results))), paint=paint)


def effect_title(results: Sequence[ContrastResult]) -> str:
    """What the figure of effects shows: ``wh-effects at the critical region``, where that is so."""
    what = "wh-effect" if all(result.contrast.kind == "wh-effect" for result in results) else "contrast"
    there = all(term.place == CRITICAL_PLACE for result in results for term in result.contrast.terms)
    many = what if len(results) == 1 else f"{what}s"
    named = many if what == "wh-effect" else many.capitalize()
    return f"{named} at the critical region" if there else named


def effects_drawn(analysis: Analysis) -> list[ContrastResult]:
    """The contrasts that the figure of effects shows."""
    return [result for result in analysis.of_kind("wh-effect", "contrast") if result.values]


def shares_drawn(analysis: Analysis) -> list[ContrastResult]:
    """The contrasts that the figure of shares shows."""
    return [r for r in analysis.of_kind("preference", "did") if r.accuracy.estimate is not None]


def _range(results: Sequence[ContrastResult]) -> tuple[float, float]:
    """Limits that hold every interval and everything that is drawn of the items."""
    edges = [0.0]
    for result in results:
        values = np.array(list(result.values.values()))
        drawn = [0.0, 1.0] if values.size <= MOST_POINTS else [0.05, 0.95]
        edges += [float(edge) for edge in np.quantile(values, drawn)]
        edges += [bound for bound in result.interval if bound is not None]
    margin = 0.1 * (max(edges) - min(edges) or 1.0)
    return min(edges) - margin, max(edges) + margin


def _expected_side(axes: Axes, x: int, expected: int, low: float, high: float) -> None:
    if expected == 0:
        return
    from matplotlib.patches import Rectangle

    bottom, height = (low, -low) if expected < 0 else (0.0, high)
    axes.add_patch(Rectangle((x - 0.42, bottom), 0.84, height, facecolor=BANDS, edgecolor="none", zorder=0))
    edge, where, inwards = (low, "bottom", 4) if expected < 0 else (high, "top", -4)
    axes.annotate(
        "expected side",
        (x, edge),
        (0, inwards),
        textcoords="offset points",
        ha="center",
        va=where,
        fontsize=8.5,
        color=GREY,
    )


def _mean(axes: Axes, x: int, result: ContrastResult) -> None:
    test = result.main
    if test.estimate is None:
        return
    place = x + 0.22
    if test.ci_low is not None and test.ci_high is not None:
        axes.errorbar(
            [place],
            [test.estimate],
            yerr=[[test.estimate - test.ci_low], [test.ci_high - test.estimate]],
            color=DARK,
            capsize=5,
            elinewidth=1.8,
            capthick=1.8,
            zorder=4,
            fmt="none",
        )
    mark = _MEAN_MARKS.get(result.verdict, {"marker": "_", "markerfacecolor": INK})
    axes.plot([place], [test.estimate], markersize=9, markeredgecolor=DARK, linestyle="none", zorder=5, **mark)


def _tick(paradigm: Paradigm, result: ContrastResult) -> str:
    """The contrast's name over what its conditions share (``P1`` over ``+G1 +G2``) and its verdict."""
    labels = [paradigm.condition(term.condition).label.split() for term in result.contrast.terms]
    shared = " ".join(part for part in labels[0] if all(part in other for other in labels[1:]))
    return minus("\n".join(line for line in (label(result.contrast), shared, result.verdict.value) if line))


def accuracy_figure(analysis: Analysis, results: Sequence[ContrastResult]) -> Drawing:
    """The share of items above 0 (or on the expected side) for each preference and interaction, with chance at half."""
    sure = "" if all(r.words.repeats for r in results) else ", with Wilson intervals"
    alt = f"Share of items with the expected sign{sure}. " + " ".join(
        f"{label(r.contrast)}: {percent(r.accuracy.estimate)} "
        f"{percent_interval(r.accuracy.ci_low, r.accuracy.ci_high) if not r.words.repeats else '(no interval)'}."
        for r in results
    )

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        axes.set_ylim(0, 104)
        axes.set_xlim(-0.6, len(results) - 0.4)
        for x, result in enumerate(results):
            found = result.accuracy
            assert found.estimate is not None
            height = 100 * found.estimate
            hatch, face = ("////", "#ffffff") if result.contrast.expected == 0 else ("", "#9db8d2")
            axes.bar([x], [height], width=0.5, facecolor=face, edgecolor=DARK, hatch=hatch, linewidth=1.2)
            # Wilson's interval takes items for independent, which those whose words repeat are not.
            if found.ci_low is not None and found.ci_high is not None and not result.words.repeats:
                low, high = 100 * found.ci_low, 100 * found.ci_high
                axes.errorbar(
                    [x],
                    [height],
                    yerr=[[height - low], [high - height]],
                    color=INK,
                    capsize=6,
                    elinewidth=1.6,
                    fmt="none",
                    zorder=4,
                )
            axes.text(
                x,
                2.5,
                percent(found.estimate),
                ha="center",
                va="bottom",
                fontsize=10,
                zorder=6,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.5},
            )
        axes.axhline(50, color=INK, linewidth=1, linestyle=(0, (2, 2)))
        axes.text(len(results) - 0.42, 51, "chance", ha="right", va="bottom", fontsize=8.5)
        axes.set_xticks(range(len(results)), [_share_tick(result) for result in results])
        axes.tick_params(axis="x", length=0)
        axes.set_ylabel("items with that sign, %")

    size = (max(4.8, 2.0 + 1.2 * len(results)), 4.2)
    return draw(
        figure_name(analysis.part, "shares"),
        "Share of items with the expected sign",
        alt,
        size=size,
        paint=paint,
    )


def _share_tick(result: ContrastResult) -> str:
    sign = "< 0" if result.accuracy.details["direction"] < 0 else "> 0"
    second = "exploratory" if result.contrast.expected == 0 else f"n = {result.accuracy.n:,}"
    return minus(f"{label(result.contrast)} {sign}\n{second}")
