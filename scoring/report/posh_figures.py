"""The figures of POSH-BENCH: children and models (1), the Bayesian model's effects (3), and learning curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING

from gapsmith.scoring.analysis.posh.evaluating import Evaluation, PhenomenonRow
from gapsmith.scoring.analysis.posh.mapping import CATEGORIES, SUBCATEGORIES, Part
from gapsmith.scoring.analysis.posh.published import published_table
from gapsmith.scoring.report.drawing import Drawing, draw
from gapsmith.scoring.report.style import DARK, GREY, INK, PAIR
from gapsmith.stats import BayesFit

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.figure import Figure


_PANELS = ("adjunct island", "complex NP island", "question formation", "binding")
_MARKS = "osD^vP*X<>"
_COLORS = (DARK, str(PAIR[1]["color"]), INK, "#2f7d4f", "#7a3e8f", GREY)
_MOST_ROWS = 6


def row_name(row: PhenomenonRow, among: Sequence[PhenomenonRow]) -> str:
    """A row as people read it: its revision only where its model has several, and of a folder's path only the end where no other
    model ends so."""
    several = sum(other.model == row.model for other in among) > 1
    short = Path(row.model).name
    alone = row.model[:1] in "./~" and len({other.model for other in among if Path(other.model).name == short}) == 1
    model = short if alone else row.model
    return f"{model} {row.revision}".strip() if several else model


def children_figure(found: Evaluation) -> Drawing:
    """Figure 1: children, younger and older, the paper's models at 10 and 30 million words, and ours."""
    children = {name: [r for r in published_table(7) if r["phenomenon"] == name] for name in _PANELS}
    rows = [row for row in found.rows if any(_percent(found, row, name) is not None for name in _PANELS)][-_MOST_ROWS:]
    said = []
    for name in _PANELS:
        ages = ", ".join(f"{r['percent']} % at {r['ages']}" for r in children[name])
        ours = ", ".join(
            f"{row_name(row, found.rows)} {v:.1f} %" for row in rows if (v := _percent(found, row, name)) is not None
        )
        said.append(f"{name}: children {ages}; ours {ours or 'none'}.")

    def paint(figure: Figure) -> None:
        panels = figure.subplots(1, len(_PANELS), sharey=True)
        for axes, name in zip(panels, _PANELS, strict=True):
            axes.axhline(50, color=GREY, linestyle=":", linewidth=1)
            shares = [float(r["percent"]) for r in children[name]]
            axes.plot([0, 1], shares, color=INK, marker="D", label="children")
            for (label, style), values in zip((("BABY-F", PAIR[0]), ("BABY", PAIR[1])), _printed(name), strict=True):
                axes.plot([0, 1], values, label=f"GPT-2, {label} (printed)", **style)
            for number, row in enumerate(rows):
                value = _percent(found, row, name)
                if value is not None:
                    color = _COLORS[(number + 3) % len(_COLORS)]
                    axes.plot(
                        [1.45],
                        [value],
                        marker=_MARKS[(number + 3) % len(_MARKS)],
                        color=color,
                        linestyle="none",
                        label=row_name(row, found.rows),
                    )
            ages = [r["ages"] for r in children[name]]
            axes.set_xticks([0, 1, 1.45], [f"{ages[0]}\n10M", f"{ages[1]}\n30M", "ours"], fontsize=8.5)
            axes.set_xlim(-0.2, 1.7)
            axes.set_title(name, fontsize=10)
        panels[0].set_ylim(0, 100)
        panels[0].set_ylabel("right, %")
        handles: dict[str, Artist] = {}
        for axes in panels:
            found_handles, names = axes.get_legend_handles_labels()
            handles |= dict(zip(names, found_handles, strict=True))
        figure.supxlabel("age of the children (years;months), and words that the printed models were trained on", fontsize=9)
        figure.legend(list(handles.values()), list(handles), loc="outside upper center", ncols=3)

    return draw("children-and-models", "Children and models", " ".join(said), size=(10.5, 4.6), paint=paint)


def _percent(found: Evaluation, row: PhenomenonRow, name: str) -> float | None:
    if name in CATEGORIES:
        # The mean over some of its phenomena is of something else than the children's and the printed ones.
        own = None if found.missing(name) else found.category(row, name)
    else:
        own = found.outcomes.get((row, Part(found.posh, "island", name)))
    return None if own is None or own.estimate is None else 100 * own.estimate


def _printed(name: str) -> list[list[float]]:
    """BABY-F and BABY at 10 and 30 million words, of table 8 or, for a category, of table 3."""
    table, column = (published_table(3), "category") if name in CATEGORIES else (published_table(8), "phenomenon")
    return [
        [
            next(
                float(r["percent"])
                for r in table
                if r[column] == name and (r["size"], r["source"], r["filtered"]) == (size, "baby", filtered)
            )
            for size in ("10", "30")
        ]
        for filtered in ("yes", "no")
    ]


def forest_figure(fits: Sequence[tuple[str, BayesFit]]) -> Drawing:
    """Figure 3: medians and 95 % intervals in log-odds, the printed ones of table 12 beside our fits."""
    printed = {r["term"]: tuple(float(r[k]) for k in ("estimate", "low", "high")) for r in published_table(12)}
    terms = [term for term in printed if term not in ("(Intercept)", "SD of seed", "SD of phenomenon")]
    terms += [own.name for own in fits[0][1].implied if own.name not in terms]
    series: list[tuple[str, dict[str, tuple[float, ...]]]] = [("printed, table 12", printed)]
    for label, fit in fits:
        own = (*fit.coefficients, *fit.implied)
        series.append((label, {posterior.name: (posterior.median, *posterior.ci) for posterior in own}))
    alt = "; ".join(
        f"{term}: " + ", ".join(f"{label} {values[term][0]:+.2f}" for label, values in series if term in values) for term in terms
    )

    def paint(figure: Figure) -> None:
        axes = figure.subplots()
        axes.axvline(0, color=INK, linewidth=1)
        for number, (label, values) in enumerate(series):
            there = [term for term in terms if term in values]
            places = [len(terms) - 1 - terms.index(term) + 0.22 * (1 - number) for term in there]
            middle = [values[term][0] for term in there]
            low = [values[term][0] - values[term][1] for term in there]
            high = [values[term][2] - values[term][0] for term in there]
            axes.errorbar(
                middle,
                places,
                xerr=[low, high],
                fmt=_MARKS[(number + 2) % len(_MARKS)],
                color=_COLORS[number],
                markersize=5,
                linewidth=1.3,
                label=label,
            )
        axes.set_yticks(range(len(terms)), [_readable(term) for term in reversed(terms)])
        axes.grid(axis="x")
        axes.set_xlabel("log-odds of a right answer")
        figure.legend(loc="outside lower center", ncols=len(series))

    size = (7.8, 1.4 + 0.42 * len(terms))
    return draw("effects", "Effects on the share of right answers", alt, size=size, paint=paint)


def _readable(term: str) -> str:
    for old, new in (("scale(size)", "size (z)"), ("filtered[yes]", "filtering"), ("source[baby]", "source (baby)")):
        term = term.replace(old, new)
    return term.replace("category[", "").replace("]", "").replace(":", " × ")


def learning_figure(found: Evaluation, model: str) -> Drawing | None:
    """Each category over the revisions of one model; None for fewer than two revisions with a number in their names."""
    rows = {row: row.step for row in found.rows if row.model == model and row.step is not None}
    name = f"learning-{model.replace('/', '-').strip('-')}"
    return _curve(found, rows, name, f"{model} over its revisions", "revision (step)")


def growth_figure(found: Evaluation, alike: tuple[str, ...]) -> Drawing | None:
    """Each category over the words that models of one training have seen, the last revision of each; None for fewer than two."""
    last = {row.model: row for row in found.rows if row.trained_alike == alike}
    rows = {row: row.millions for row in last.values() if row.millions is not None}
    said = " ".join(part for part in (*alike[:-1], "filtered" if alike[-1] == "yes" else "") if part)
    return _curve(found, rows, f"words-{said.replace(' ', '-')}", f"{said} over the words of its training", "millions of words")


def _curve(found: Evaluation, rows: Mapping[PhenomenonRow, int], name: str, title: str, axis: str) -> Drawing | None:
    if len(set(rows.values())) < 2:
        return None
    lines = []
    for category in CATEGORIES:
        points = [
            (at, own.estimate, own.details["sd"])
            for row, at in rows.items()
            if (own := found.category(row, category)) is not None and own.estimate is not None
        ]
        if points:
            n = sum(own == category for own, _, _ in SUBCATEGORIES.values())
            lacking = len(found.missing(category))
            lines.append((f"{category} ({n - lacking} of {n} phenomena)" if lacking else category, points))
    alt = "; ".join(f"{name}: " + ", ".join(f"{step} {100 * mean:.1f} %" for step, mean, _ in points) for name, points in lines)

    def paint(figure: Figure) -> None:
        axes = figure.subplots()
        axes.axhline(50, color=GREY, linestyle=":", linewidth=1)
        for number, (name, points) in enumerate(lines):
            x, y = [step for step, _, _ in points], [100 * mean for _, mean, _ in points]
            axes.plot(x, y, marker=_MARKS[number], color=_COLORS[number], label=name)
            # A revision with one seed has no spread, and the band has a gap there.
            bands = [(step, 100 * mean, 100 * sd) for step, mean, sd in points if sd is not None]
            if bands:
                at = {step: (mean - sd, mean + sd) for step, mean, sd in bands}
                low, high = ([at[step][end] if step in at else nan for step in x] for end in (0, 1))
                axes.fill_between(x, low, high, color=_COLORS[number], alpha=0.12, linewidth=0)
        axes.set_ylim(0, 100)
        axes.set_xlabel(axis)
        axes.set_ylabel("right, %")
        axes.legend(ncols=2)

    return draw(name, title, alt, size=(6.4, 4.2), paint=paint)
