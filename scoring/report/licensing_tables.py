"""Tables and figures of `gapsmith.scoring.analysis.licensing_effects`: verdicts by construction and metric, several models side by side."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from gapsmith.scoring.analysis.licensing_effects import EFFECTS, METRICS, CellMean, EffectName, Licensing, LicensingEffect
from gapsmith.scoring.analysis.results import WORDS_UNKNOWN, Conclusion
from gapsmith.scoring.report.drawing import Drawing, draw
from gapsmith.scoring.report.numbers import NO_VALUE, bits, interval, p_value, plain
from gapsmith.scoring.report.style import INK
from gapsmith.scoring.report.tables import NOT_CORRECTED, UNKNOWN_WORDS, Table, bracketed
from gapsmith.stats import Result
from gapsmith.templates import first_of

_COLOURS = ("#0b4f8a", "#d9730d", "#3f7d4e", "#8a3b7a", "#6b7280", "#b08900")
_MARKERS = "osD^vP"
_PANELS = {metric.name: metric.title for metric in METRICS}
_TITLES = {"local": "local surprisal", "global": "global surprisal", "slor": "SLOR"}


def verdict_table(result: Licensing) -> Table:
    """One row per construction and metric: what holds at p < .05."""
    rows = []
    for construction in _constructions([result]):
        for metric in METRICS:

            def said(name: EffectName, construction: str = construction, metric: str = metric.name) -> str:
                effect = result.effect(construction, metric, name)
                return NO_VALUE if effect is None or effect.verdict is Conclusion.UNDEFINED else str(effect.verdict)

            opened, filled = said("flip_open"), said("flip_filled")
            n = next((e.n_items for e in result.effects if e.construction == construction), 0)
            marks = {e.mark for e in result.effects if e.construction == construction and e.metric == metric.name}
            rows.append(
                (
                    construction if not any(marks) else f"{construction} ({WORDS_UNKNOWN})",
                    _TITLES[metric.name],
                    _flip(opened, filled),
                    _yes(said("division")),
                    _yes(said("interaction")),
                    _island(said("island_licensed"), said("island_none")),
                    _yes(said("licensor_island_open")),
                    _depth(result.effect(construction, metric.name, "depth"), metric.good),
                    f"{n:,}",
                )
            )
    return Table(
        f"What {result.model} knows of each construction (p < .05, {_corrected(result)})",
        (
            "construction",
            "metric",
            "flip",
            "division",
            "licensor × gap",
            "islands",
            "licensor × island",
            "grammaticality × depth",
            "items",
        ),
        tuple(rows),
        frozenset({8}),
        notes=(
            "flip: the licensor lowers surprisal at the open gap and raises it where the gap is filled. Without embedding.",
            "division: what is grammatical is less surprising; not for local surprisal, whose regions differ. Without embedding.",
            "islands, one embedding: whether an island hurts where licensor and gap are, and whether it matters without both.",
            "licensor × island, one embedding: whether the licensor does less for an open gap in an island than for one outside.",
            "SLOR's signs are turned; items are those without embedding.",
            "no evidence: p is not below .05; that there is no effect does not follow from it.",
            *_after_correction(result),
            *_scopes([result]),
            *_said_of_unknown([result]),
        ),
    )


def _corrected(result: Licensing) -> str:
    family = next((own.test.family for own in result.effects if own.test.family), "")
    return f"Holm over {family}" if family else "not corrected"


def _after_correction(result: Licensing) -> list[str]:
    """Which effects have p below .05 only where it is not corrected over all of the run."""
    gone = [own for own in result.effects if own.p is not None and own.p < 0.05 and own.p_adj is not None and own.p_adj >= 0.05]
    which = first_of([f"{own.effect} {own.construction} {own.metric}" for own in gone], 8)
    return [f"below .05 only without the correction: {which}"] if gone else []


def _scopes(results: Sequence[Licensing]) -> list[str]:
    """What the effects speak for, once for those that speak for the same."""
    found: dict[str, dict[str, None]] = {}
    for own in (effect for result in results for effect in result.effects):
        if own.test.scope:
            found.setdefault(own.test.scope, {}).setdefault(f"{own.construction} {own.metric}")
    return [f"{first_of(list(which), 6)}: {scope}" for scope, which in found.items()]


def _said_of_unknown(results: Sequence[Licensing]) -> list[str]:
    """What the mark means, where it stands."""
    marked = any(effect.mark for result in results for effect in result.effects)
    return [f"{WORDS_UNKNOWN}: {UNKNOWN_WORDS}"] if marked else []


def _flip(opened: str, filled: str) -> str:
    if "opposite" in (opened, filled):
        where = {("opposite", "opposite"): "at both"}.get((opened, filled), "open" if opened == "opposite" else "filled")
        return f"no, reversed ({where})"
    if NO_VALUE in (opened, filled):
        return NO_VALUE
    good = [name for name, verdict in (("open", opened), ("filled", filled)) if verdict == "as expected"]
    return "yes" if len(good) == 2 else f"only {good[0]}" if good else "no evidence"


def _yes(verdict: str) -> str:
    return {"as expected": "yes", "opposite": "no, reversed", "no evidence": "no evidence"}.get(verdict, NO_VALUE)


def _island(licensed: str, none: str) -> str:
    hurt = {"as expected": "hurt", "opposite": "help", "no evidence": "no evidence"}.get(licensed, NO_VALUE)
    also = {"above 0": "; without: higher", "below 0": "; without: lower", "no evidence": "; without: no evidence"}
    return hurt + also.get(none, "") if hurt in ("hurt", "help") else hurt


def _depth(effect: LicensingEffect | None, good: int) -> str:
    if effect is None or effect.estimate is None or effect.verdict in (Conclusion.DESCRIBED, Conclusion.UNDEFINED):
        return NO_VALUE
    if effect.verdict is Conclusion.NO_EVIDENCE:
        return "no evidence"
    return "less division with depth" if effect.estimate * good < 0 else "more division with depth"


def effects_table(results: Sequence[Licensing], metric: str) -> Table:
    """Every effect under one metric, with its interval, p and verdict, and the paper's own test beside it."""
    columns = (
        "construction",
        "effect",
        "model",
        "expected",
        "estimate",
        "95 %",
        "p",
        "Holm",
        "verdict",
        "as published",
        "95 %, items",
        "items",
    )
    rows = []
    for construction in _constructions(results):
        for name, asked in EFFECTS.items():
            for result in results:
                effect = result.effect(construction, metric, name)
                if effect is None:
                    continue
                rows.append(
                    (
                        construction,
                        asked.title,
                        result.model,
                        {1: "> 0", -1: "< 0"}.get(effect.expected, "–"),
                        bits(effect.estimate),
                        bracketed(interval(*(effect.ci or (None, None))), bool(effect.mark)),
                        effect.reason or bracketed(p_value(effect.p), bool(effect.mark)),
                        p_value(effect.p_adj),
                        f"{effect.verdict} ({effect.mark})" if effect.mark else effect.verdict,
                        bits(effect.published.estimate),
                        interval(*(effect.published.ci or (None, None))),
                        f"{effect.n_items:,}",
                    )
                )
    title = next(m.title for m in METRICS if m.name == metric)
    every = [effect for result in results for effect in result.effects if effect.metric == metric]
    families = dict.fromkeys(f"Holm: over {own.test.family}" for own in every if own.test.family)
    notes = dict.fromkeys(f"{own.construction}, {own.model}: {said}" for own in every for said in own.test.restrictions)
    published = "as published: the coefficient of the paper's mixed model with an intercept by item, words taken as given"
    apart = (NOT_CORRECTED,) if families else ()
    said = (published, *families, *apart, *_scopes(results), *_said_of_unknown(results), *notes)
    return Table(title[0].upper() + title[1:], columns, tuple(rows), frozenset({4, 5, 6, 7, 9, 10, 11}), said)


def correlation_table(found: Sequence[Result]) -> Table:
    """Pearson's r by metric and corpus, over constructions and over sets."""
    by_place = {(one.model, *(one.details[name] for name in ("metric", "corpus", "point"))): one for one in found}
    rows = [
        (model, _TITLES[metric], corpus, *(_with_points(by_place[model, metric, corpus, own]) for own in ("construction", "set")))
        for model, metric, corpus in dict.fromkeys(place[:3] for place in by_place)
    ]
    return Table(
        "Pearson's r of the licensor × gap coefficient and the frequency of the construction (points)",
        ("model", "metric", "corpus", "over constructions", "over sets"),
        tuple(rows),
        frozenset({3, 4}),
        notes=("The more frequent, the better known: r is negative under surprisal, positive under SLOR. Too few for a test.",),
    )


def _with_points(r: Result) -> str:
    return f"{bits(r.estimate)} ({r.n})"


def licensing_figures(results: Sequence[Licensing]) -> list[Drawing]:
    """The figures after the paper's 1 to 5; those without a value are left out."""
    positions = [c for c in _constructions(results) if ", " in c]
    sets = [c for c in _constructions(results) if ", " not in c]
    found = []
    if positions:
        found.append(_cells_figure("figure1", "Means of the four variants, by position of the gap", results, positions))
    if not sets:
        return found
    found.append(_cells_figure("figure1-sets" if positions else "figure1", "Means of the four variants", results, sets))
    every = [m.name for m in METRICS]
    plans: list[tuple[str, str, list[tuple[EffectName, list[str]]]]] = [
        ("figure2", "Licensor × gap, no embedding", [("interaction", every)]),
        ("figure3", "Effect of the licensor, no embedding", [("flip_filled", every), ("flip_open", every)]),
        ("figure4", "Effect of an island, one embedding", [("island_none", every), ("island_licensed", every)]),
        (
            "figure4-interaction",
            "Licensor × island, one embedding",
            [("licensor_island_filled", every), ("licensor_island_open", every)],
        ),
        ("figure5", "Grammaticality, and grammaticality × depth", [("division", every[1:]), ("depth", every[1:])]),
    ]
    for name, title, rows in plans:
        effects = [r.effect(c, m, e) for r in results for c in sets for e, metrics in rows for m in metrics]
        if any(effect is not None and effect.estimate is not None for effect in effects):
            found.append(_effects_figure(name, title, results, sets, rows))
    return found


def _effects_figure(
    name: str,
    title: str,
    results: Sequence[Licensing],
    constructions: Sequence[str],
    rows: Sequence[tuple[EffectName, Sequence[str]]],
) -> Drawing:
    n_columns = len(rows[0][1])
    said = []

    def paint(figure: Figure) -> None:
        grid = figure.subplots(len(rows), n_columns, squeeze=False)
        for (effect_name, metrics), axes_row in zip(rows, grid, strict=True):
            for metric, axes in zip(metrics, axes_row, strict=True):
                _points(axes, results, constructions, metric, effect_name)
                axes.set_title(f"{EFFECTS[effect_name].title}\n{_PANELS[metric]}", fontsize=9.5)
        _legend(figure, results)

    for effect_name, metrics in rows:
        for metric in metrics:
            for result in results:
                for construction in constructions:
                    effect = result.effect(construction, metric, effect_name)
                    if effect is not None and effect.estimate is not None:
                        said.append(
                            f"{result.model}, {construction}, {EFFECTS[effect_name].title}, {metric}: {effect.estimate:+.2f}"
                        )
    size = (3.6 * n_columns + 0.6, 3.1 * len(rows) + 0.8)
    return draw(name, title, "; ".join(said), size=size, paint=paint)


def _points(
    axes: Axes,
    results: Sequence[Licensing],
    constructions: Sequence[str],
    metric: str,
    name: EffectName,
) -> None:
    """Estimates with their intervals, models side by side within each construction."""
    axes.axhline(0.0, color=INK, linewidth=0.8)
    for number, result in enumerate(results):
        offset = (number - (len(results) - 1) / 2) * min(0.22, 0.7 / len(results))
        for place, construction in enumerate(constructions):
            effect = result.effect(construction, metric, name)
            if effect is not None and effect.estimate is not None and effect.ci is not None:
                _point(axes, place + offset, effect.estimate, effect.ci, number)
    axes.set_xticks(range(len(constructions)), constructions, rotation=40, ha="right", fontsize=8.5)
    axes.set_xlim(-0.6, len(constructions) - 0.4)


def _point(axes: Axes, x: float, estimate: float, ci: tuple[float, float], number: int) -> None:
    colour, marker = _COLOURS[number % len(_COLOURS)], _MARKERS[number % len(_MARKERS)]
    axes.plot([x, x], ci, color=colour, linewidth=1.6)
    axes.plot([x], [estimate], marker=marker, color=colour, markersize=5)


def _legend(figure: Figure, results: Sequence[Licensing]) -> None:
    axes = figure.axes[0]
    handles = [
        axes.plot([], [], marker=_MARKERS[n % len(_MARKERS)], color=_COLOURS[n % len(_COLOURS)], label=result.model)[0]
        for n, result in enumerate(results)
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=min(4, len(handles)))


def _cells_figure(name: str, title: str, results: Sequence[Licensing], constructions: Sequence[str]) -> Drawing:
    """The four variants' means with 95 % intervals: a row of panels for each model, a panel for each metric."""
    variants = [(True, True), (True, False), (False, True), (False, False)]
    labels = [f"{'+' if licensor else '−'}licensor {'+' if gap else '−'}gap" for licensor, gap in variants]
    cells: dict[tuple[str, str, str, bool, bool], CellMean] = {
        (c.model, c.construction, c.metric, c.licensor, c.gap): c for result in results for c in result.cells
    }

    def paint(figure: Figure) -> None:
        grid = figure.subplots(len(results), len(METRICS), squeeze=False)
        for result, axes_row in zip(results, grid, strict=True):
            for metric, axes in zip(METRICS, axes_row, strict=True):
                for number, (licensor, gap) in enumerate(variants):
                    for place, construction in enumerate(constructions):
                        cell = cells.get((result.model, construction, metric.name, licensor, gap))
                        if cell is not None:
                            _point(axes, place + (number - 1.5) * 0.18, cell.mean, cell.ci or (cell.mean, cell.mean), number)
                short = [c.partition(", ")[2] or c for c in constructions]
                axes.set_xlim(-0.6, len(constructions) - 0.4)
                axes.set_xticks(range(len(constructions)), short, rotation=40, ha="right", fontsize=8.5)
                axes.set_title(f"{result.model}\n{_PANELS[metric.name]}", fontsize=9.5)
        handles = [
            figure.axes[0].plot([], [], linestyle="", marker=_MARKERS[n], color=_COLOURS[n], label=label)[0]
            for n, label in enumerate(labels)
        ]
        figure.legend(handles=handles, loc="outside lower center", ncols=4)

    said = [
        f"{c.model}, {c.construction}, {c.metric}, {'+' if c.licensor else '-'}licensor {'+' if c.gap else '-'}gap: {plain(c.mean)}"
        for c in cells.values()
        if c.construction in constructions
    ]
    return draw(name, title, "; ".join(said), size=(11.4, 3.1 * len(results) + 0.8), paint=paint)


def _constructions(results: Sequence[Licensing]) -> list[str]:
    return list(dict.fromkeys(effect.construction for result in results for effect in result.effects))
