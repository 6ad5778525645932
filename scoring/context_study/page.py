"""What a study of contexts leaves behind: a page, tables for R and pandas, figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from gapsmith.bank import NAMING, request_line
from gapsmith.bank.formats import csv_text
from gapsmith.scoring.context_study.context_effects import (
    RELATED,
    UNRELATED,
    StudyResults,
    effects_of,
    most_affected,
)
from gapsmith.scoring.context_study.similarity import Similarity
from gapsmith.scoring.context_study.study_figures import study_figures
from gapsmith.scoring.report.effect_tables import results_table, shown_effects, write_effects
from gapsmith.scoring.report.markdown import markdown_table, markdown_text
from gapsmith.scoring.report.numbers import p_value
from gapsmith.scoring.report.tables import Table
from gapsmith.scoring.report.written import WrittenPage
from gapsmith.stats import MixedFit
from gapsmith.templates import find_convention

_TOP = 10


def write_contexts(results: StudyResults, similarity: Similarity, folder: Path) -> WrittenPage:
    """Write ``contexts.md``, its figures (PNG and SVG), ``points.csv``, ``suites.csv``, ``matrix.csv``, ``outcomes.csv`` and
    the effects (``effects.json``, ``effects.csv``) into `folder`; what is there is replaced. Raises OSError."""
    written = WrittenPage(folder)
    figures = study_figures(results, similarity)
    for drawing, _ in figures:
        written.draw(drawing)
    effects = effects_of(results, similarity.effects)
    files = {
        "points.csv": _point_rows(results),
        "suites.csv": [asdict(own) for own in results.suites],
        "matrix.csv": _matrix_rows(results, similarity),
        "outcomes.csv": _outcome_rows(results),
    }
    for name, rows in files.items():
        written.write(name, csv_text(list(rows), without_rows="nothing"))
    written.files.append(write_effects(folder, effects, model=results.model))
    written.write("effects.csv", results_table("At the longest contexts", effects).as_csv())
    shown = [f"![{markdown_text(own.alt)}]({own.name}.png)\n\n{markdown_text(caption)}\n" for own, caption in figures]
    written.write("contexts.md", study_page(results, similarity, shown))
    return written


def study_page(results: StudyResults, similarity: Similarity, figures: Sequence[str] = ()) -> str:
    """The page as Markdown."""
    plan = results.plan
    per = "a context for each item" if plan.shared is None else f"{plan.shared} contexts for all items of a suite"
    said = (
        f"{len(results.drawn.items):,} items of {len(results.drawn.suites)} suites; {per}, grown to "
        f"{', '.join(map(str, plan.lengths))} tokens; seed {plan.seed}. After Sinha et al. (2023). Scoring convention "
        f"{plan.convention}: {markdown_text(find_convention(plan.convention).title)}."
    )
    lines = [
        f"# Judgements behind contexts, {markdown_text(results.model)}",
        "",
        said,
        "",
        "## Effects",
        "",
        markdown_table(shown_effects("At the longest contexts", effects_of(results, similarity.effects))),
        "## By length and type",
        "",
        markdown_table(_point_table(results)),
        *(f"{own}\n" for own in figures),
        "## The regression",
        "",
        *_regression(results.regression, results.n_behind(RELATED)),
        *_regression(results.unrelated, results.n_behind((UNRELATED,))),
        "## Suites",
        "",
        *(
            markdown_table(_affected(results, condition, rising=rising))
            for condition, rising in (("matched acceptable", True), ("matched unacceptable", False))
            if condition in results.drawn.conditions
        ),
    ]
    if similarity.perturbed:
        lines += ["## Perturbed contexts", "", markdown_table(_perturbed_table(results, similarity))]
    lines += ["## What to know with these numbers", "", *(f"- {markdown_text(note)}" for note in results.notes), ""]
    lines += [made, ""] if (made := request_line()) else []
    return "\n".join(lines)


def _point_table(results: StudyResults) -> Table:
    rows = []
    for own in results.points:
        accuracy, delta, margin = own.accuracy, own.delta, own.margin
        rows.append(
            (
                own.condition or "nothing",
                f"{own.target}",
                f"{own.tokens:.1f}",
                f"{own.n:,}",
                _share(accuracy.estimate),
                _ends(accuracy.ci),
                _share(delta.estimate, sign=True) if own.condition else "",
                _ends(delta.ci, sign=True),
                "" if margin is None or margin.estimate is None else f"{margin.estimate:+.1f}",
            )
        )
    columns = ("behind", "to", "tokens", "n", "accuracy", "95% CI", "change", "95% CI", "margin")
    notes = (
        "Means over suites with t intervals over suites, those of accuracy cut at 0 and 100; n counts outcomes.",
        "Tokens are those that there are, on average.",
        "margin: perplexity of the acceptable sentence minus that of the unacceptable one.",
    )
    return Table("Accuracy (%) and its change (points)", columns, tuple(rows), frozenset(range(1, 9)), notes)


def _regression(fit: MixedFit | str, n_outcomes: int) -> list[str]:
    if isinstance(fit, str):
        return [f"No regression: {markdown_text(fit)}.", ""]
    rows = tuple(
        (own.name, f"{own.estimate:+.3f}", f"{own.se:.3f}", f"{own.statistic:.2f}", p_value(own.p)) for own in fit.coefficients
    )
    notes = (
        f"n = {n_outcomes:,}; n counts outcomes, of which those of one suite, type and length are one row.",
        *fit.notes,
    )
    table = Table(fit.formula, ("term", "log-odds", "SE", "z", "p"), rows, frozenset({1, 2, 3, 4}), notes)
    return [markdown_table(table)]


def _affected(results: StudyResults, condition: str, *, rising: bool) -> Table:
    found = most_affected(results, condition, rising=rising)[:_TOP]
    rows = tuple(
        (own.suite, _share(own.baseline), _share(own.mean, sign=True), "" if own.sd is None else f"{100 * own.sd:.1f}")
        for own in found
    )
    columns = ("suite", "accuracy behind nothing", "mean change", "SD over lengths")
    return Table(
        f"The {len(rows)} suites that {condition} contexts {'raise' if rising else 'lower'} most",
        columns,
        rows,
        frozenset({1, 2, 3}),
    )


def _perturbed_table(results: StudyResults, similarity: Similarity) -> Table:
    conditions = list(dict.fromkeys(name for name, _ in results.perturbed))
    hows = list(dict.fromkeys(how for _, how in results.perturbed))
    hows.sort(key=lambda how: -similarity.perturbed_f1[how])
    rows = []
    for how in hows:
        cells = [results.perturbed.get((condition, how)) for condition in conditions]
        rows.append((how.value, f"{similarity.perturbed_f1[how]:.2f}", *(_share(cell, sign=True) for cell in cells)))
    columns = ("added", "token F1", *conditions)
    caption = "Mean change over lengths, by what is added to the sentences of contexts"
    return Table(caption, columns, tuple(rows), frozenset(range(1, len(columns))))


def _share(value: float | None, *, sign: bool = False) -> str:
    return "–" if value is None else f"{100 * value:{'+' if sign else ''}.1f}"


def _ends(ci: tuple[float, float] | None, *, sign: bool = False) -> str:
    return "" if ci is None else f"[{_share(ci[0], sign=sign)}, {_share(ci[1], sign=sign)}]"


def _point_rows(results: StudyResults) -> Iterable[Mapping[str, object]]:
    for own in results.points:
        yield {
            "condition": own.condition,
            "target": own.target,
            "tokens": own.tokens,
            "n": own.n,
            "suites": own.accuracy.n,
            "accuracy": own.accuracy.estimate,
            "accuracy_low": own.accuracy.ci_low,
            "accuracy_high": own.accuracy.ci_high,
            "delta": own.delta.estimate,
            "delta_low": own.delta.ci_low,
            "delta_high": own.delta.ci_high,
            "margin": None if own.margin is None else own.margin.estimate,
        }


def _matrix_rows(results: StudyResults, similarity: Similarity) -> Iterable[Mapping[str, object]]:
    for (target, source), overlap in similarity.suites.items():
        change = results.matrix.get((target, source))
        yield {
            "suite": target,
            "contexts_of": source,
            "token_f1": overlap.tokens,
            "label_f1": overlap.labels,
            "accuracy": None if change is None else change.accuracy,
            "delta": None if change is None else change.delta,
            "n": None if change is None else change.n,
        }


def _outcome_rows(results: StudyResults) -> Iterable[Mapping[str, object]]:
    conditions = {own.made.name: name for name, own in results.drawn.conditions.items()}
    for own in results.outcomes:
        match, _, acceptability = conditions.get(own.cell[0], "").partition(" ")
        names = results.drawn.named[own.item]
        yield {
            **{name: names[name] for name in ("paradigm", "dataset", "item")},
            "suite": own.suite,
            "prediction": own.prediction,
            "match": match,
            "acceptability": acceptability,
            "target": own.cell[1],
            "draw": own.cell[2],
            "context_number": own.context,
            "tokens": own.tokens,
            "correct": int(own.correct),
            "margin": own.margin,
            **{name: names[name] for name in NAMING},
        }
