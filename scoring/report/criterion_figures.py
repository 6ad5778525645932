"""What is drawn of criteria: the share of items for which each holds, and the whole sentences that they compare."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import fill
from typing import TYPE_CHECKING

from gapsmith.scoring.analysis import Analysis, CriterionResult, label
from gapsmith.scoring.observations import ItemKey
from gapsmith.scoring.report.drawing import Drawing, draw, figure_name
from gapsmith.scoring.report.numbers import minus, percent, percent_interval, plain, plain_interval, titled
from gapsmith.scoring.report.points import paint_items, told_points
from gapsmith.scoring.report.sentences import preference, preferred, where_told
from gapsmith.scoring.report.style import DARK, GREY, INK
from gapsmith.stats import Result, one_sample_t
from gapsmith.templates import SENTENCE_PLACE, count

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_WIDE = 52
"""Letters of a line of what a criterion says."""
_DEPENDENT = "their words repeat and they are not independent"
"""Why items have no interval: ours hold over words."""


def criterion_figures(analysis: Analysis) -> Iterator[Drawing]:
    """The figures of the criteria that have values."""
    drawn = _drawn(analysis)
    if drawn:
        yield _shares(analysis, drawn)
    if values := _of_sentences(analysis):
        yield _sentences(analysis, values)


def criteria_caption(analysis: Analysis) -> str:
    """What the figure of shares shows."""
    bare = any(result.words.repeats for result in _drawn(analysis))
    sure = f"without intervals where {_DEPENDENT}" if bare else f"with Wilson's {_confidence(analysis)} interval"
    return f"The share of items for which each criterion holds, {sure}.{_chance_told(analysis)}"


def sentences_caption(analysis: Analysis) -> str:
    """What the figure of whole sentences shows."""
    values = _of_sentences(analysis)
    points = told_points(max(map(len, values.values()), default=0))
    sure = (
        f"without an interval, since {_DEPENDENT};"
        if _repeats(analysis)
        else f"with its {_confidence(analysis)} interval, which holds how items differ;"
    )
    return f"{_measure(analysis)} of whole sentences. {points} The mark beside is their mean {sure} a criterion compares sentences within items."


def _chance_told(analysis: Analysis) -> str:
    return (
        " The dotted line is chance, where a criterion says which of two sentences is preferred." if preferred(analysis) else ""
    )


def _confidence(analysis: Analysis) -> str:
    return f"{100 * analysis.options.confidence:g}%"


def _drawn(analysis: Analysis) -> list[CriterionResult]:
    return [result for result in analysis.criteria if result.share.estimate is not None]


def _first_measure(analysis: Analysis) -> str:
    """By what the sentences are drawn: as the first criterion over whole sentences measures them."""
    return next((own.criterion.measure for own in _drawn(analysis) if _is_whole(own)), "")


def _measure(analysis: Analysis) -> str:
    measure = _first_measure(analysis)
    # With the convention by which it was made behind it, where that is not the usual one.
    said = titled(measure) + analysis.measured_as(measure).removeprefix(measure)
    return f"{said[0].upper()}{said[1:]}"


def _repeats(analysis: Analysis) -> bool:
    """Whether words repeat over the items whose whole sentences are drawn."""
    return any(result.words.repeats for result in _whole(analysis))


def _whole(analysis: Analysis) -> list[CriterionResult]:
    """The criteria whose sentences are drawn."""
    measure = _first_measure(analysis)
    return [result for result in _drawn(analysis) if _is_whole(result) and result.criterion.measure == measure]


def _is_whole(result: CriterionResult) -> bool:
    return all(operand.place == SENTENCE_PLACE for operand in result.criterion.formula.operands)


def _of_sentences(analysis: Analysis) -> Mapping[str, Sequence[float]]:
    """Label of each condition, in the paradigm's order, to the values of its whole sentences, one per item."""
    found: dict[str, dict[ItemKey, float]] = {}
    for result in _whole(analysis):
        for operand in result.criterion.formula.operands:
            found.setdefault(operand.condition, {}).update(result.measured.get(str(operand), {}))
    return {c.label: tuple(found[c.name].values()) for c in analysis.paradigm.conditions if found.get(c.name)}


def _mean(values: Sequence[float], confidence: float) -> Result:
    # The very same number is the very same sentence, which counts once.
    return one_sample_t(list(values), confidence=confidence, observations=list(values))


def _shares(analysis: Analysis, results: Sequence[CriterionResult]) -> Drawing:
    by_chance = [y for y, result in enumerate(results) if preference(analysis.paradigm, result.criterion)]
    intervals = f", {_confidence(analysis)} intervals" if any(map(_interval, results)) else ""
    title = f"{analysis.paradigm.title}: how often its criteria hold"
    about = f"{analysis.scorer.model}, {count(analysis.items.n_selected, 'item')}; share of items{intervals}"
    said = {result.criterion.name: _said(analysis, result) for result in results}
    alt = f"{title}. {about}. " + " ".join(
        f"{label(r.criterion)}: {percent(r.share.estimate)}{f' {percent_interval(*ends)}' if (ends := _interval(r)) else ''} of {r.share.n:,}."
        for r in results
    )
    lines = sum(1 + len(said[result.criterion.name].splitlines()) for result in results)

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        axes.set_xlim(0, 100)
        axes.set_ylim(len(results) - 0.5, -0.5)
        axes.grid(visible=False, axis="y")
        axes.grid(visible=True, axis="x")
        for y, result in enumerate(results):
            estimate, ends = result.share.estimate, _interval(result)
            assert estimate is not None
            if ends is not None:
                axes.plot([100 * end for end in ends], [y, y], color=DARK, linewidth=3, solid_capstyle="butt", zorder=3)
            axes.plot(
                [100 * estimate],
                [y],
                marker="o",
                markersize=12,
                markeredgecolor=DARK,
                markerfacecolor=DARK,
                zorder=5,
                clip_on=False,
            )
            n = f"{round(estimate * result.share.n):,} of {result.share.n:,}"
            axes.annotate(
                n, (1, y), (8, 0), xycoords=("axes fraction", "data"), textcoords="offset points", va="center", fontsize=11
            )
        for y in by_chance:
            axes.plot([50, 50], [y - 0.5, y + 0.5], color=INK, linewidth=1.2, linestyle=(0, (2, 2)), zorder=2)
        for y in by_chance[:1]:
            axes.annotate(
                "chance", (50, y - 0.5), (3, -3), textcoords="offset points", va="top", fontsize=9.5, annotation_clip=False
            )
        axes.set_yticks(range(len(results)), [said[result.criterion.name] for result in results], fontsize=11)
        axes.tick_params(axis="y", length=0)
        axes.tick_params(axis="x", labelsize=11)
        axes.set_xlabel("items for which it holds, %", fontsize=11.5)
        figure.suptitle(fill(title, 72), fontsize=13, fontweight="bold", x=0.01, ha="left")
        axes.set_title(about, fontsize=10.5, fontweight="normal", color=GREY)

    return draw(figure_name(analysis.part, "criteria"), title, alt, size=(8.6, max(3.0, 1.6 + 0.27 * lines)), paint=paint)


def _interval(result: CriterionResult) -> tuple[float, float] | None:
    """Wilson's interval, which takes items for independent: None where their words repeat."""
    return None if result.words.repeats else result.share.ci


def _said(analysis: Analysis, result: CriterionResult) -> str:
    """A criterion on its tick: what it is called, what it says and of which items."""
    criterion = result.criterion
    name, says = label(criterion), (preference(analysis.paradigm, criterion) or str(criterion.formula)) + where_told(criterion)
    return minus("\n".join(filter(None, (fill(name, _WIDE), fill(says, _WIDE)))))


def _sentences(analysis: Analysis, values: Mapping[str, Sequence[float]]) -> Drawing:
    measure = _measure(analysis)
    means: dict[str, Result] = {name: _mean(own, analysis.options.confidence) for name, own in values.items()}
    bare = _repeats(analysis)
    sure = f" without an interval, since {_DEPENDENT}" if bare else f" with its {_confidence(analysis)} interval"
    expected = {c.label: c.expected for c in analysis.paradigm.conditions}
    title = f"{analysis.paradigm.title}: whole sentences"
    alt = f"{title}. {measure} under {analysis.scorer.model}, mean over items{sure}. " + " ".join(
        f"{name}: {plain(mean.estimate)}{'' if bare else f' {plain_interval(mean.ci_low, mean.ci_high)}'}."
        for name, mean in means.items()
    )

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        axes.set_xlim(-0.6, len(values) - 0.4)
        for x, (name, own) in enumerate(values.items()):
            paint_items(axes, x, own)
            mean = means[name]
            if mean.estimate is None:
                continue
            if mean.ci_low is not None and mean.ci_high is not None and not bare:
                axes.plot([x + 0.22] * 2, [mean.ci_low, mean.ci_high], color=DARK, linewidth=3, solid_capstyle="butt", zorder=4)
            axes.plot([x + 0.22], [mean.estimate], marker="o", markersize=10, color=DARK, zorder=5)
        ticks = [minus("\n".join(filter(None, (fill(name, 18), expected[name])))) for name in values]
        axes.set_xticks(range(len(values)), ticks, fontsize=11)
        axes.tick_params(axis="x", length=0)
        axes.set_ylabel(measure, fontsize=11)
        figure.suptitle(fill(title, 72), fontsize=13, fontweight="bold", x=0.01, ha="left")
        axes.set_title(
            f"{analysis.scorer.model}; points are items, marks their means", fontsize=10.5, fontweight="normal", color=GREY
        )

    size = (max(5.2, 1.6 + 1.3 * len(values)), 4.4)
    return draw(figure_name(analysis.part, "sentences"), title, alt, size=size, paint=paint)
