"""The figures of a study of contexts: the lines and points of the paper's figures 2 to 5 and 9 to 15, over our suites."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import fmean
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from gapsmith.scoring.context_study.context_effects import ContextChange, StudyResults, mean_accuracy
from gapsmith.scoring.context_study.plan import CONDITIONS
from gapsmith.scoring.context_study.similarity import Similarity
from gapsmith.scoring.report.drawing import Drawing, draw
from gapsmith.scoring.report.style import GREY
from gapsmith.stats import Result, one_sample_t

# Lightness, marker and line differ at once, so that lines stay apart in grey too.
_LINES: Mapping[str, dict[str, Any]] = {
    "matched acceptable": {"aside": -1, "color": "#0b4f8a", "marker": "o", "linestyle": "-"},
    "matched unacceptable": {"aside": 1, "color": "#a61b1b", "marker": "s", "linestyle": "-"},
    "mismatched acceptable": {
        "aside": -2,
        "color": "#4d9bd6",
        "marker": "o",
        "linestyle": (0, (5, 2)),
        "markerfacecolor": "white",
    },
    "mismatched unacceptable": {
        "color": "#e8836b",
        "marker": "s",
        "linestyle": (0, (5, 2)),
        "markerfacecolor": "white",
    },
    "unrelated": {"color": GREY, "marker": "D", "linestyle": (0, (1, 1))},
}
_CAPTIONS = {
    "change": "Change of accuracy by the tokens of the context: mean over suites, each counting once, with its 95 % interval "
    "over suites (as figure 2).",
    "accuracy": "Accuracy, matched and mismatched taken together (as figure 3).",
    "match": "Matched and mismatched contexts apart (as figure 4).",
    "baseline": "Each suite behind nothing and behind the longest matched contexts (as figures 10 and 11).",
    "margins": "Perplexity of the acceptable sentence minus that of the unacceptable one; below 0 the model prefers the "
    "acceptable one (as figure 15).",
    "perturbed": "Change of accuracy by how much of a prefix a perturbation leaves (as figures 5 and 9).",
    "behind": "Accuracy of each suite (rows) behind acceptable sentences of each other suite (columns), in per cent (as figure 13, left).",
    "matrix": "Change of accuracy of each suite (rows) behind acceptable sentences of each other suite (columns), in points (as "
    "figures 13, right, and 14).",
    "overlap tokens": "How alike the sentences of two suites are in their tokens: F1 in per cent, rows are targets (as figure 12, left).",
    "overlap labels": "How alike they are in their dependency labels (as figure 12, right).",
}
_COLLAPSED: Mapping[str, tuple[str, ...]] = {
    "acceptable": ("matched acceptable", "mismatched acceptable"),
    "unacceptable": ("matched unacceptable", "mismatched unacceptable"),
    "unrelated": ("unrelated",),
}


def study_figures(results: StudyResults, similarity: Similarity) -> list[tuple[Drawing, str]]:
    """The drawings with their captions; those that there is nothing for are left out."""
    found = [(_change(results), _CAPTIONS["change"]), (_collapsed(results), _CAPTIONS["accuracy"])]
    if any(own.condition.startswith("mismatched") for own in results.points):
        found.append((_matched(results), _CAPTIONS["match"]))
    if len(results.baseline) > 2:
        found.append((_baseline(results), _CAPTIONS["baseline"]))
    if any(own.margin is not None for own in results.points):
        found.append((_margins(results), _CAPTIONS["margins"]))
    if results.perturbed:
        found.append((_perturbed(results, similarity), _CAPTIONS["perturbed"]))
    if results.matrix:
        suites = results.drawn.suites
        behind = {pair: 100 * own.accuracy for pair, own in results.matrix.items() if pair[0] != pair[1]}
        found.append(
            (_heat("context-matrix-accuracy", "Accuracy behind suites", suites, behind, "per cent"), _CAPTIONS["behind"])
        )
        change = {pair: 100 * own.delta for pair, own in results.matrix.items()}
        found.append(
            (_heat("context-matrix", "Suites behind suites", suites, change, "points", signed=True), _CAPTIONS["matrix"])
        )
    for measure, title in (("tokens", "tokens"), ("labels", "dependency labels")):
        shared = {pair: 100 * value for pair, own in similarity.suites.items() if (value := getattr(own, measure)) is not None}
        if shared:
            drawn = _heat(
                f"context-overlap-{measure}", f"Overlap of suites in {title}", results.drawn.suites, shared, "F1, per cent"
            )
            found.append((drawn, _CAPTIONS[f"overlap {measure}"]))
    return found


def _change(results: StudyResults) -> Drawing:
    def paint(figure: Figure) -> None:
        axes = figure.subplots()
        axes.axhline(0.0, color=GREY, linewidth=0.8)
        for condition in (own.name for own in CONDITIONS):
            _line(axes, _of(results, condition), lambda own: own.delta, _LINES[condition], condition)
        _finish(axes, "change of accuracy (points)")

    alt = "; ".join(
        f"{own.condition} at {own.tokens:.0f} tokens {_points(own.delta.estimate)}"
        for own in results.points
        if own.target == results.longest
    )
    return draw("context-change", "Change of accuracy by context", alt, size=(7.5, 4.6), paint=paint)


def _collapsed(results: StudyResults) -> Drawing:
    baseline = results.points[0]
    values = {name: _together(results, members) for name, members in _COLLAPSED.items()}

    def paint(figure: Figure) -> None:
        axes = figure.subplots()
        for name, points in values.items():
            line = _LINES["unrelated" if name == "unrelated" else f"matched {name}"]
            _draw(axes, [(0.0, baseline.accuracy), *points], line, name)
        _finish(axes, "accuracy (%)")

    alt = f"behind nothing {_percent(baseline.accuracy.estimate)}; " + "; ".join(
        f"{name} at {points[-1][0]:.0f} tokens {_percent(points[-1][1].estimate)}" for name, points in values.items() if points
    )
    return draw("context-accuracy", "Accuracy by type of context", alt, size=(7.5, 4.4), paint=paint)


def _matched(results: StudyResults) -> Drawing:
    def paint(figure: Figure) -> None:
        for axes, member in zip(figure.subplots(1, 2, sharey=True), ("acceptable", "unacceptable"), strict=True):
            axes.axhline(0.0, color=GREY, linewidth=0.8)
            for match in ("matched", "mismatched"):
                name = f"{match} {member}"
                _line(axes, _of(results, name), lambda own: own.delta, _LINES[name], match)
            axes.set_title(member)
            _finish(axes, "change of accuracy (points)" if member == "acceptable" else "")

    alt = "; ".join(
        f"{own.condition}: {_points(own.delta.estimate)} at {own.tokens:.0f} tokens"
        for own in results.points
        if own.condition and own.condition != "unrelated"
    )
    return draw("context-match", "Matched and mismatched contexts", alt, size=(9.0, 4.2), paint=paint)


def _baseline(results: StudyResults) -> Drawing:
    names = ("matched acceptable", "matched unacceptable")

    def paint(figure: Figure) -> None:
        for axes, name in zip(figure.subplots(1, 2, sharey=True), names, strict=True):
            axes.plot([0, 100], [0, 100], color=GREY, linewidth=0.8)
            for suite, own in results.at_longest(name).items():
                axes.plot(100 * results.baseline[suite], 100 * own.accuracy, linestyle="", **_marker(name))
            axes.set(title=name, xlabel="accuracy behind nothing (%)", xlim=(-3, 103), ylim=(-3, 103))
        figure.axes[0].set_ylabel("behind the longest contexts (%)")

    alt = "; ".join(
        f"{name}: {suite} from {_percent(results.baseline[suite])} to {_percent(own.accuracy)}"
        for name in names
        for suite, own in results.at_longest(name).items()
    )
    return draw("context-baseline", "Accuracy behind nothing and behind the longest contexts", alt, size=(9.0, 4.4), paint=paint)


def _margins(results: StudyResults) -> Drawing:
    bare = results.points[0].margin

    def paint(figure: Figure) -> None:
        axes = figure.subplots()
        if bare is not None and bare.estimate is not None:
            axes.axhline(bare.estimate, color=GREY, linewidth=0.8, linestyle=(0, (5, 2)), label="behind nothing")
        for condition in (own.name for own in CONDITIONS):
            points = [(own.tokens, own.margin) for own in _of(results, condition) if own.margin is not None]
            _draw(axes, points, _LINES[condition], condition, scale=1.0)
        _finish(axes, "margin of perplexity")

    alt = "; ".join(
        f"{own.condition or 'nothing'} at {own.tokens:.0f} tokens {own.margin.estimate:+.1f}"
        for own in results.points
        if own.margin is not None and own.margin.estimate is not None and own.target in (0, results.longest)
    )
    return draw("context-margins", "Margins of perplexity", alt, size=(7.5, 4.4), paint=paint)


def _perturbed(results: StudyResults, similarity: Similarity) -> Drawing:
    names = list(dict.fromkeys(name for name, _ in results.perturbed))

    def paint(figure: Figure) -> None:
        for axes, name in zip(figure.subplots(1, len(names), squeeze=False)[0], names, strict=True):
            for (condition, how), delta in results.perturbed.items():
                if condition == name:
                    x = similarity.perturbed_f1[how]
                    axes.plot(x, 100 * delta, linestyle="", **_marker(name))
                    axes.annotate(how.value, (x, 100 * delta), xytext=(4, 4), textcoords="offset points", fontsize=8)
            axes.margins(x=0.25, y=0.15)
            axes.set(title=name, xlabel="token F1 before and after")
        figure.axes[0].set_ylabel("mean change of accuracy (points)")

    alt = "; ".join(
        f"{condition}, {how.value}: F1 {similarity.perturbed_f1[how]:.2f}, change {_points(delta)}"
        for (condition, how), delta in results.perturbed.items()
    )
    return draw("context-perturbed", "Perturbed contexts", alt, size=(4.8 * len(names), 4.4), paint=paint)


def _heat(
    name: str, title: str, suites: Sequence[str], by_pair: Mapping[tuple[str, str], float], unit: str, *, signed: bool = False
) -> Drawing:
    """A number for each suite (rows) and suite (columns); with `signed`, colours go out from 0."""
    values = [[by_pair.get((row, column)) for column in suites] for row in suites]
    sign = "+" if signed else ""

    def paint(figure: Figure) -> None:
        axes = figure.subplots()
        axes.grid(visible=False)
        known = [abs(value) for row in values for value in row if value is not None] or [1.0]
        most = max(*known, 1.0)
        shown = [[float("nan") if value is None else value for value in row] for row in values]
        colours = {"cmap": "RdBu", "vmin": -most} if signed else {"cmap": "Blues", "vmin": 0.0}
        image = axes.imshow(shown, vmax=most, **colours)  # type: ignore[arg-type]  # a table of two kinds
        figure.colorbar(image, ax=axes, shrink=0.8, label=unit)
        if len(suites) <= 20:
            for y, row in enumerate(values):
                for x, value in enumerate(row):
                    if value is not None:
                        color = "white" if abs(value) > 0.6 * most else "black"
                        axes.text(x, y, f"{value:{sign}.0f}", ha="center", va="center", fontsize=8, color=color)
            axes.set_xticks(range(len(suites)), suites, rotation=60, ha="right", fontsize=8)
            axes.set_yticks(range(len(suites)), suites, fontsize=8)
        axes.set(xlabel="contexts of", ylabel="suite")

    alt = "; ".join(
        f"{row} behind {column} {value:{sign}.0f}"
        for row, cells in zip(suites, values, strict=True)
        for column, value in zip(suites, cells, strict=True)
        if value is not None
    )
    return draw(name, title, alt, size=(8.4, 7.2), paint=paint)


def _of(results: StudyResults, condition: str) -> list[ContextChange[Result]]:
    return [own for own in results.points if own.condition == condition]


def _together(results: StudyResults, conditions: Sequence[str]) -> list[tuple[float, Result]]:
    """Realised tokens and accuracy at each length, over suites, of several types together."""
    found = []
    for target in results.plan.lengths:
        by_suite: dict[str, list[float]] = {}
        tokens = []
        for own in results.suites:
            if own.condition in conditions and own.target == target:
                by_suite.setdefault(own.suite, []).append(own.accuracy)
                tokens.append(own.tokens)
        if by_suite:
            found.append((fmean(tokens), mean_accuracy([fmean(own) for own in by_suite.values()])))
    return found


def _line(
    axes: Axes,
    points: Sequence[ContextChange[Result]],
    value: Callable[[ContextChange[Result]], Result],
    style: dict[str, Any],
    label: str,
) -> None:
    nothing = one_sample_t([0.0, 0.0])
    _draw(axes, [(0.0, nothing), *((own.tokens, value(own)) for own in points)] if points else [], style, label)


def _draw(axes: Axes, points: Sequence[tuple[float, Result]], style: dict[str, Any], label: str, *, scale: float = 100.0) -> None:
    drawn = [(x, own, scale * own.estimate) for x, own in points if own.estimate is not None]
    if not drawn:
        return
    # Intervals stand side by side: where they lie on each other none can be read.
    step = 0.008 * drawn[-1][0]
    xs = [x + step * style.get("aside", 0) if x else x for x, _, _ in drawn]
    for x, (_, own, _) in zip(xs, drawn, strict=True):
        if own.ci is not None:
            ends = [scale * end for end in own.ci]
            axes.plot([x, x], ends, color=style["color"], linewidth=1.0, alpha=0.6, zorder=2)
    axes.plot(
        xs,
        [middle for _, _, middle in drawn],
        label=label,
        markersize=5,
        zorder=3,
        **{key: value for key, value in style.items() if key != "aside"},
    )


def _finish(axes: Axes, label: str) -> None:
    axes.set_xlabel("tokens of the context")
    axes.set_ylabel(label)
    axes.legend(frameon=False, fontsize=8)


def _marker(name: str) -> dict[str, Any]:
    style = _LINES[name]
    return {"marker": style["marker"], "color": style["color"], "markersize": 6}


def _points(share: float | None) -> str:
    return "none" if share is None else f"{100 * share:+.1f} points"


def _percent(share: float | None) -> str:
    return "none" if share is None else f"{100 * share:.1f} %"
