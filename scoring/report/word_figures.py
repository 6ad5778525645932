"""Surprisal word by word: a panel for every condition, with its words on the axis and intervals as bands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gapsmith.scoring.analysis import Analysis, WordMean
from gapsmith.scoring.report.drawing import Drawing, draw, figure_name
from gapsmith.scoring.report.numbers import bits, minus, plain_interval
from gapsmith.scoring.report.style import BANDS, DARK, GREY
from gapsmith.scoring.report.tables import Table, bracket_notes, bracketed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_BAND = "#9db8d2"
_CROWDED = 12
"""With more words than this side by side, they are written aslant."""


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where each word stands: a place in a region has the same place in every panel."""

    at: Mapping[tuple[str, int], int]
    panels: Mapping[str, Sequence[WordMean]]
    """The words of each condition that has any."""


def word_figure(analysis: Analysis) -> Drawing | None:
    """The mean of every word in every condition, with its interval; None where words were not computed."""
    layout = _layout(analysis)
    if not layout.panels:
        return None
    paradigm, crowded = analysis.paradigm, len(layout.at) > _CROWDED
    top = max(max(own.mean, own.ci_high or own.mean) for words in layout.panels.values() for own in words)

    def paint(figure: Figure) -> None:
        # Not with shared axes, which would show the same words below every panel.
        all_axes = figure.subplots(len(layout.panels), 1, squeeze=False)[:, 0]
        for axes, (name, words) in zip(all_axes, layout.panels.items(), strict=True):
            condition = paradigm.condition(name)
            _panel(axes, layout, words, condition.critical, crowded=crowded)
            axes.set_ylim(0, 1.12 * top)
            axes.set_xlim(-0.6, len(layout.at) - 0.4)
            title = minus(f"{condition.label}  {condition.expected}".rstrip())
            axes.set_title(title, fontsize=9.5, pad=3)
        figure.supylabel("bits", fontsize=10)

    size = (max(5.8, 1.2 + 0.62 * len(layout.at)), 0.4 + (1.55 if crowded else 1.35) * len(layout.panels))
    return draw(figure_name(analysis.part, "words"), "Word by word", _alt(analysis, layout), size=size, paint=paint)


def word_caption(analysis: Analysis) -> str:
    """What the figure shows, and which words stand on its axis."""
    confidence = f"{100 * analysis.options.confidence:g}%"
    one = analysis.items.n_selected == 1
    over = "of the only item" if one else "mean over the distinct texts up to its end, of which the table has the number"
    repeats = any(result.words.repeats for result in analysis.contrasts)
    which = (
        ""
        if one
        else " and stand there as an example: means are of the k-th word of a region, whichever words the items have there"
    )
    narrow = " Words repeat over the items, which are not independent, so the bands are narrower than they should be."
    return (
        f"Surprisal of every word in every condition, {over}; the band is the {confidence} interval. On the axes are the "
        f"words of item {analysis.example.label}{which}. Shaded: the critical region.{narrow if repeats else ''}"
    )


def word_table(analysis: Analysis) -> Table:
    """The numbers behind the figure."""
    titles = {region.name: region.title for region in analysis.paradigm.regions}
    doubted = any(result.words.may_repeat for result in analysis.contrasts)
    rows = tuple(
        (
            analysis.paradigm.condition(own.condition).label,
            titles.get(own.region, own.region),
            own.word,
            bits(own.mean, sign=False),
            bracketed(plain_interval(own.ci_low, own.ci_high), doubted),
            f"{own.n:,}",
        )
        for own in analysis.words
    )
    columns = ("condition", "region", "word", "mean", "interval", "n")
    notes = [
        f"word: of item {analysis.example.label}, as an example; means are of the k-th word of the region, whichever it is in an item",
        "n: distinct observations, that is different texts up to the end of the word",
        *bracket_notes(analysis.contrasts),
    ]
    return Table("Surprisal by condition and word (bits)", columns, rows, frozenset({3, 4, 5}), tuple(notes))


def _layout(analysis: Analysis) -> _Layout:
    order = {region.name: number for number, region in enumerate(analysis.paradigm.regions)}
    places = {(own.region, own.number) for own in analysis.words}
    columns = sorted(places, key=lambda place: (order.get(place[0], len(order)), place[1]))
    names = dict.fromkeys(own.condition for own in analysis.words)
    panels = {name: [own for own in analysis.words if own.condition == name] for name in names}
    return _Layout({place: number for number, place in enumerate(columns)}, panels)


def _panel(axes: Axes, layout: _Layout, words: Sequence[WordMean], critical: str | None, *, crowded: bool) -> None:
    at = [layout.at[own.region, own.number] for own in words]
    for x, own in zip(at, words, strict=True):
        if own.region == critical:
            axes.axvspan(x - 0.5, x + 0.5, color=BANDS, zorder=0, linewidth=0)
    means = [own.mean for own in words]
    low = [own.mean if own.ci_low is None else own.ci_low for own in words]
    high = [own.mean if own.ci_high is None else own.ci_high for own in words]
    axes.fill_between(at, low, high, color=_BAND, alpha=0.7, linewidth=0, zorder=2)
    axes.plot(at, means, color=DARK, marker="o", markersize=4, linewidth=1.3, zorder=3)
    turned: dict[str, Any] = {"rotation": 30, "ha": "right", "rotation_mode": "anchor"} if crowded else {}
    axes.set_xticks(at, [own.word for own in words], fontsize=8.5, **turned)
    axes.tick_params(axis="x", labelbottom=True, length=2, color=GREY)
    axes.tick_params(axis="y", labelsize=8)


def _alt(analysis: Analysis, layout: _Layout) -> str:
    sentences = ["Mean surprisal in bits of each word, a panel for each condition."]
    for name, words in layout.panels.items():
        values = ", ".join(f"{own.word} {bits(own.mean, sign=False)}" for own in words)
        sentences.append(f"{analysis.paradigm.condition(name).label}: {values}.")
    return " ".join(sentences)
