"""Surprisal word by word: the two sentences of a contrast over each other and their differences below; a condition that no contrast
compares with one other has a panel of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gapsmith.scoring.analysis import Analysis, ContrastResult, WordDifference, WordMean, label
from gapsmith.scoring.report.drawing import Drawing, draw, figure_name
from gapsmith.scoring.report.numbers import bits, interval, minus, plain_interval, unit_of
from gapsmith.scoring.report.style import BANDS, DARK, GREY, INK, PAIR
from gapsmith.scoring.report.tables import Table, bracket_notes, bracketed
from gapsmith.templates import Condition

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_CROWDED = 12
"""With more words than this side by side, they are written aslant."""


@dataclass(frozen=True, slots=True)
class _Pair:
    """A contrast of two conditions, with what is drawn of it."""

    result: ContrastResult
    plus: str
    minus: str
    differences: tuple[WordDifference, ...]


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where each word stands: a place in a region has the same place in every panel."""

    at: Mapping[tuple[str, int], int]
    words: Mapping[str, Sequence[WordMean]]
    """Of each condition that has any."""
    pairs: tuple[_Pair, ...]

    @property
    def alone(self) -> tuple[str, ...]:
        """The conditions that no pair shows."""
        paired = {name for pair in self.pairs for name in (pair.plus, pair.minus)}
        return tuple(name for name in self.words if name not in paired)

    @property
    def reach(self) -> float:
        """The largest distance from 0 of a difference or an end of its interval, which is the scale that all pairs share; 1 bit where all
        are 0, so that there is a scale."""
        ends = [
            abs(end)
            for pair in self.pairs
            for own in pair.differences
            for end in (own.mean, own.ci_low, own.ci_high)
            if end is not None
        ]
        reach = max(ends, default=0.0)
        return reach if reach > 0 else 1.0


def word_figure(analysis: Analysis) -> Drawing | None:
    """The mean of every word in every condition, with its interval; None where words were not computed."""
    layout = _layout(analysis)
    if not layout.words:
        return None
    paradigm, crowded = analysis.paradigm, len(layout.at) > _CROWDED
    top = 1.12 * max(max(own.mean, own.ci_high or own.mean) for words in layout.words.values() for own in words)
    last = 0.3 if crowded else 0.1
    heights = [height for _ in layout.pairs for height in (1.25, 1.35 + last)] + [1.25 + last for _ in layout.alone]

    def paint(figure: Figure) -> None:
        # Not with shared axes, which would show the same words below every panel.
        panels = iter(figure.subplots(len(heights), 1, squeeze=False, height_ratios=heights)[:, 0])
        for pair in layout.pairs:
            _overlaid(next(panels), next(panels), layout, pair, analysis, top=top, crowded=crowded)
        for name in layout.alone:
            axes, condition = next(panels), paradigm.condition(name)
            _curve(axes, layout, layout.words[name], PAIR[0], "")
            _finished(axes, layout, [layout.words[name]], {condition.critical}, crowded=crowded)
            axes.set_ylim(0, top)
            axes.set_ylabel("bits", fontsize=9)
            axes.set_title(_named(condition), fontsize=9.5, pad=3)

    size = (max(5.8, 1.2 + 0.62 * len(layout.at)), 0.4 + 1.15 * sum(heights))
    return draw(figure_name(analysis.part, "words"), "Word by word", _alt(analysis, layout), size=size, paint=paint)


def word_caption(analysis: Analysis) -> str:
    """What the figure shows, and which words stand on its axis."""
    confidence = f"{100 * analysis.options.confidence:g}%"
    # Which one that is may be hidden, and the example another one.
    one = analysis.items.n_selected == 1 and not analysis.by_total_only
    over = "of the only item" if one else "mean over the distinct texts up to its end, of which the table has the number"
    repeats = any(result.words.repeats for result in analysis.contrasts)
    which = (
        ""
        if one
        else " and stand there as an example: means are of the k-th word of a region, whichever words the items have there"
    )
    below = (
        " The two conditions of a contrast lie over each other; below is their difference within items, at the words that both have,"
        " with its interval, on one scale for all contrasts. Beside a contrast's name is the estimate of its test, which can differ from"
        " a mean of the items where words repeat."
        if analysis.word_differences
        else ""
    )
    narrow = " Words repeat over the items, which are not independent, so the bands are narrower than they should be."
    return (
        f"Surprisal of every word in every condition, {over}; the band is the {confidence} interval.{below} On the axes are the "
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


def difference_table(analysis: Analysis) -> Table | None:
    """The numbers behind the lower panels; None where there are none."""
    if not analysis.word_differences:
        return None
    titles = {region.name: region.title for region in analysis.paradigm.regions}
    doubted = any(result.words.may_repeat for result in analysis.contrasts)
    names = {result.contrast.name: label(result.contrast) for result in analysis.contrasts}
    rows = tuple(
        (
            names[own.contrast],
            titles.get(own.region, own.region),
            own.word,
            bits(own.mean),
            bracketed(plain_interval(own.ci_low, own.ci_high), doubted),
            f"{own.n:,}",
        )
        for own in analysis.word_differences
        if own.contrast in names
    )
    columns = ("contrast", "region", "word", "mean", "interval", "n")
    notes = (
        "mean: within items, at words that both conditions have; n: distinct observations",
        *bracket_notes(analysis.contrasts),
    )
    return Table("Differences by contrast and word (bits)", columns, rows, frozenset({3, 4, 5}), notes)


def _layout(analysis: Analysis) -> _Layout:
    order = {region.name: number for number, region in enumerate(analysis.paradigm.regions)}
    places = {(own.region, own.number) for own in analysis.words}
    columns = sorted(places, key=lambda place: (order.get(place[0], len(order)), place[1]))
    names = dict.fromkeys(own.condition for own in analysis.words)
    words = {name: [own for own in analysis.words if own.condition == name] for name in names}
    return _Layout({place: number for number, place in enumerate(columns)}, words, tuple(_pairs(analysis, words)))


def _pairs(analysis: Analysis, words: Mapping[str, Sequence[WordMean]]) -> list[_Pair]:
    """Every wh-effect, or else every contrast of two conditions, that has words in common."""
    two = [r for r in analysis.contrasts if sorted(term.weight for term in r.contrast.terms) == [-1, 1]]
    found = []
    for result in [r for r in two if r.contrast.kind == "wh-effect"] or two:
        less, more = (term.condition for term in sorted(result.contrast.terms, key=lambda term: term.weight))
        own = tuple(one for one in analysis.word_differences if one.contrast == result.contrast.name)
        if own and more in words and less in words:
            found.append(_Pair(result, more, less, own))
    return found


def _named(condition: Condition) -> str:
    return minus(f"{condition.label}  {condition.expected}".rstrip())


def _titled(result: ContrastResult) -> str:
    """The contrast with the estimate of its test, which is the number that counts."""
    if result.main.estimate is None:
        return label(result.contrast)
    unit = unit_of([result.contrast.measure])
    known = bracketed(interval(result.main.ci_low, result.main.ci_high), result.words.may_repeat)
    return f"{label(result.contrast)}: {bits(result.main.estimate)} {unit} {known}"


def _overlaid(above: Axes, below: Axes, layout: _Layout, pair: _Pair, analysis: Analysis, *, top: float, crowded: bool) -> None:
    """Two conditions over each other, and their differences."""
    conditions = [analysis.paradigm.condition(name) for name in (pair.plus, pair.minus)]
    critical = {condition.critical for condition in conditions}
    both = [layout.words[condition.name] for condition in conditions]
    for condition, words, look in zip(conditions, both, PAIR, strict=True):
        _curve(above, layout, words, look, _named(condition))
    _finished(above, layout, both, critical, crowded=crowded, named=False)
    above.set_ylim(0, top)
    above.set_ylabel("bits", fontsize=9)
    above.set_title(minus(_titled(pair.result)), fontsize=9.5, pad=3)
    above.legend(loc="lower right", bbox_to_anchor=(1, 0.98), ncols=2, fontsize=8.5, borderaxespad=0, borderpad=0)
    below.axhline(0, color=INK, linewidth=1)
    for own in pair.differences:
        x = layout.at[own.region, own.number]
        if own.ci_low is not None and own.ci_high is not None:
            reach = [[own.mean - own.ci_low], [own.ci_high - own.mean]]
            below.errorbar([x], [own.mean], yerr=reach, color=DARK, capsize=3, elinewidth=1.3, fmt="none", zorder=3)
        below.plot([x], [own.mean], color=DARK, marker="D", markersize=4.5, markerfacecolor="white", zorder=4)
    _finished(below, layout, both, critical, crowded=crowded)
    below.set_ylim(-1.15 * layout.reach, 1.15 * layout.reach)
    below.set_ylabel("difference", fontsize=9)


def _curve(axes: Axes, layout: _Layout, words: Sequence[WordMean], look: Mapping[str, Any], name: str) -> None:
    at = [layout.at[own.region, own.number] for own in words]
    low = [own.mean if own.ci_low is None else own.ci_low for own in words]
    high = [own.mean if own.ci_high is None else own.ci_high for own in words]
    axes.fill_between(at, low, high, color=look["color"], alpha=0.22, linewidth=0, zorder=2)
    axes.plot(at, [own.mean for own in words], markersize=4, linewidth=1.3, zorder=3, label=name, **look)


def _finished(
    axes: Axes,
    layout: _Layout,
    sentences: Sequence[Sequence[WordMean]],
    critical: set[str | None],
    *,
    crowded: bool,
    named: bool = True,
) -> None:
    """The shade of the critical region and the words on the axis: those of the first sentence, and of the other where they differ."""
    words: dict[int, list[str]] = {}
    for sentence in sentences:
        for own in sentence:
            there = words.setdefault(layout.at[own.region, own.number], [])
            if own.word not in there:
                there.append(own.word)
    for x in {layout.at[own.region, own.number] for words_ in sentences for own in words_ if own.region in critical}:
        axes.axvspan(x - 0.5, x + 0.5, color=BANDS, zorder=0, linewidth=0)
    turned: dict[str, Any] = {"rotation": 30, "ha": "right", "rotation_mode": "anchor"} if crowded else {}
    places = sorted(words)
    axes.set_xticks(places, ["\n".join(words[x]) if named else "" for x in places], fontsize=8.5, **turned)
    axes.tick_params(axis="x", labelbottom=True, length=2, color=GREY)
    axes.tick_params(axis="y", labelsize=8)
    axes.set_xlim(-0.6, len(layout.at) - 0.4)


def _alt(analysis: Analysis, layout: _Layout) -> str:
    sentences = ["Mean surprisal in bits of each word of each condition."]
    for name, words in layout.words.items():
        values = ", ".join(f"{own.word} {bits(own.mean, sign=False)}" for own in words)
        sentences.append(f"{analysis.paradigm.condition(name).label}: {values}.")
    for pair in layout.pairs:
        differences = ", ".join(f"{own.word} {bits(own.mean)} {interval(own.ci_low, own.ci_high)}" for own in pair.differences)
        sentences.append(f"Difference {label(pair.result.contrast)}: {differences}.")
    return " ".join(sentences)
