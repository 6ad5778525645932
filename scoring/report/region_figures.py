"""Surprisal region by region: the two sentences of a contrast, and below them their difference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING, Any

from gapsmith.scoring.analysis import Analysis, ContrastResult, RegionDifference, RegionMean, label
from gapsmith.scoring.report.drawing import Drawing, draw, figure_name
from gapsmith.scoring.report.numbers import bits, minus
from gapsmith.scoring.report.style import BANDS, DARK, GREY, INK, PAIR
from gapsmith.templates import Paradigm, Region

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True)
class RegionPair:
    """A contrast of two conditions with what each region of either holds."""

    result: ContrastResult
    plus: str
    """The condition whose surprisal is counted positively."""
    minus: str
    regions: tuple[Region, ...]
    means: Mapping[tuple[str, str], RegionMean]
    """By condition and region; only those with a value."""
    differences: Mapping[str, RegionDifference]
    """By region: plus minus minus, where both have the same words."""

    def critical(self, paradigm: Paradigm) -> frozenset[str]:
        """The regions in which the contrast is measured."""
        found = (paradigm.region_of(term) for term in self.result.contrast.terms)
        return frozenset(region for region in found if region is not None)


def region_pairs(analysis: Analysis) -> list[RegionPair]:
    """The pairs to show: every wh-effect, or else every contrast of two conditions, that has values in two regions."""
    two = [r for r in analysis.contrasts if sorted(term.weight for term in r.contrast.terms) == [-1, 1] and r.values]
    chosen = [r for r in two if r.contrast.kind == "wh-effect"] or two
    pairs = []
    for result in chosen:
        minus, plus = (term.condition for term in sorted(result.contrast.terms, key=lambda term: term.weight))
        name = result.contrast.name
        # What stands under a contrast's name is over its items.
        own_means = [mean for mean in analysis.contrast_regions if mean.contrast == name]
        means = {
            (mean.condition, mean.region): mean
            for mean in own_means or analysis.regions
            if mean.mean is not None and mean.condition in (plus, minus)
        }
        regions = tuple(r for r in analysis.paradigm.regions if (plus, r.name) in means or (minus, r.name) in means)
        if len(regions) > 1:
            own = {d.region: d for d in analysis.differences if d.contrast == result.contrast.name and d.mean is not None}
            pairs.append(RegionPair(result, plus, minus, regions, means, own))
    return pairs


def region_figures(analysis: Analysis) -> list[Drawing]:
    """A figure for every pair of `region_pairs`."""
    return [_region_figure(analysis.paradigm, analysis.part, pair) for pair in region_pairs(analysis)]


def _region_figure(paradigm: Paradigm, part: str, pair: RegionPair) -> Drawing:
    names = {
        c: minus(f"{paradigm.condition(c).label} ({paradigm.condition(c).expected})".removesuffix(" ()"))
        for c in (pair.plus, pair.minus)
    }

    def paint(figure: Figure) -> None:
        above, below = figure.subplots(2, 1, sharex=True, height_ratios=(1.7, 1))
        for number, condition in enumerate((pair.plus, pair.minus)):
            _curve(above, pair, condition, PAIR[number], names[condition], (number - 0.5) * 0.14)
        _differences(below, pair)
        above.set_ylim(0, 1.14 * above.get_ylim()[1])
        above.set_ylabel("bits")
        below.set_ylabel("difference, bits")
        critical = pair.critical(paradigm)
        for x, region in enumerate(pair.regions):
            if region.name in critical:
                for axes in (above, below):
                    axes.axvspan(x - 0.45, x + 0.45, color=BANDS, zorder=0)
                above.text(
                    x,
                    0.985,
                    "critical",
                    transform=above.get_xaxis_transform(),
                    ha="center",
                    va="top",
                    fontsize=8.5,
                    color=GREY,
                )
        titles = [_wrapped(region.title) for region in pair.regions]
        below.set_xticks(range(len(titles)), titles, rotation=40, ha="right", rotation_mode="anchor", fontsize=9.5)
        below.set_xlim(-0.6, len(titles) - 0.4)
        figure.legend(loc="outside upper left", ncols=2, fontsize=9.5)
        figure.align_ylabels()

    name = figure_name(part, "regions", pair.result.contrast.name)
    title = f"{label(pair.result.contrast)}, region by region"
    return draw(name, title, _alt(paradigm, pair), size=(5.8, 4.9), paint=paint)


def _alt(paradigm: Paradigm, pair: RegionPair) -> str:
    sentences = ["Mean surprisal in bits by region; below it the mean difference within items where the words are the same."]
    for condition in (pair.plus, pair.minus):
        values = [
            f"{region.title} {bits(pair.means[condition, region.name].mean, sign=False)}"
            for region in pair.regions
            if (condition, region.name) in pair.means
        ]
        sentences.append(f"{paradigm.condition(condition).label}: {', '.join(values)}.")
    differences = [
        f"{region.title} {bits(pair.differences[region.name].mean)}" for region in pair.regions if region.name in pair.differences
    ]
    if differences:
        sentences.append(f"Difference: {', '.join(differences)}.")
    return " ".join(sentences)


def _wrapped(title: str) -> str:
    """A long title in two lines, broken at the space nearest to its middle."""
    spaces = [i for i, character in enumerate(title) if character == " "]
    if len(title) <= 14 or not spaces:
        return title
    middle = min(spaces, key=lambda i: abs(i - len(title) / 2))
    return f"{title[:middle]}\n{title[middle + 1 :]}"


def _curve(axes: Axes, pair: RegionPair, condition: str, look: Mapping[str, Any], name: str, shift: float) -> None:
    """One condition's means with their intervals; an empty region is skipped, and the line runs on."""
    found = [(x, pair.means.get((condition, region.name))) for x, region in enumerate(pair.regions)]
    there = [(x, mean) for x, mean in found if mean is not None]
    _with_intervals(axes, there, shift, label=name, markersize=6.5, markeredgewidth=1.5, **look)


def _differences(axes: Axes, pair: RegionPair) -> None:
    axes.axhline(0, color=INK, linewidth=1)
    found = [(x, pair.differences.get(region.name)) for x, region in enumerate(pair.regions)]
    there = [(x, difference) for x, difference in found if difference is not None]
    look = {"color": DARK, "marker": "D", "markersize": 5.5, "markerfacecolor": "white", "linestyle": "none"}
    _with_intervals(axes, there, 0.0, markeredgewidth=1.4, **look)
    axes.margins(y=0.18)


def _with_intervals(axes: Axes, points: Sequence[tuple[int, RegionMean | RegionDifference]], shift: float, **look: Any) -> None:
    drawn = [(x + shift, point.mean, point.ci_low, point.ci_high) for x, point in points if point.mean is not None]
    # A mean without an interval has no bar, rather than one of no length.
    below = [nan if low is None else mean - low for _, mean, low, _ in drawn]
    above = [nan if high is None else high - mean for _, mean, _, high in drawn]
    xs, means = [x for x, _, _, _ in drawn], [mean for _, mean, _, _ in drawn]
    axes.errorbar(xs, means, yerr=[below, above], capsize=3, elinewidth=1.1, **look)
