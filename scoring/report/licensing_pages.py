"""What models know of filler-gap constructions, as tables, figures and a page on disk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from gapsmith.bank import request_line
from gapsmith.bank.formats import csv_text
from gapsmith.scoring.analysis.licensing_effects import EFFECTS, METRICS, Licensing
from gapsmith.scoring.report.effect_tables import OVER_WORDS, write_effects
from gapsmith.scoring.report.licensing_tables import correlation_table, effects_table, licensing_figures, verdict_table
from gapsmith.scoring.report.markdown import markdown_table
from gapsmith.scoring.report.models import model_folder
from gapsmith.scoring.report.written import WrittenPage
from gapsmith.stats import Result


def write_licensing(results: Sequence[Licensing], found: Sequence[Result], folder: Path) -> WrittenPage:
    """``licensing.md``, its figures, and every effect and mean as CSV."""
    written = WrittenPage(folder)
    drawings = licensing_figures(results)
    for drawing in drawings:
        written.draw(drawing, below="figures/")
    effects = [
        {
            "model": e.model,
            "construction": e.construction,
            "metric": e.metric,
            "effect": e.effect,
            "expected": e.expected,
            "estimate": e.estimate,
            "ci_low": e.ci[0] if e.ci else None,
            "ci_high": e.ci[1] if e.ci else None,
            "p": e.p,
            "p_adj": e.p_adj,
            "verdict": str(e.verdict),
            "mark": e.mark,
            "scope": e.test.scope,
            "published_estimate": e.published.estimate,
            "published_ci_low": e.published.ci_low,
            "published_ci_high": e.published.ci_high,
            "published_p": e.published.p,
            "n_items": e.n_items,
            "reason": e.reason,
        }
        for result in results
        for e in result.effects
    ]
    cells = [
        {
            "model": c.model,
            "construction": c.construction,
            "metric": c.metric,
            "licensor": int(c.licensor),
            "gap": int(c.gap),
            "mean": c.mean,
            "ci_low": c.ci[0] if c.ci else None,
            "ci_high": c.ci[1] if c.ci else None,
            "n_items": c.n_items,
        }
        for result in results
        for c in result.cells
    ]
    for name, rows in (("effects.csv", effects), ("cells.csv", cells)):
        written.write(name, csv_text(rows, without_rows="model"))
    for result in results:
        named = _write_named(result, [one for one in found if one.model == result.model], folder / model_folder(result.model))
        written.files.append(named)
    parts = [
        "# Filler-gap constructions: licensor × gap",
        *(markdown_table(verdict_table(result)) for result in results),
    ]
    for drawing in drawings:
        parts.append(f"## {drawing.title}\n\n![{drawing.title}](figures/{drawing.name}.svg)")
    if found:
        parts.append(markdown_table(correlation_table(found)))
    parts += [markdown_table(effects_table(results, metric.name)) for metric in METRICS]
    notes = dict.fromkeys(said for result in results for said in result.notes)
    parts += ["\n".join(f"- {said}" for said in notes)] if notes else []
    parts += [said] if (said := request_line()) else []
    written.write("licensing.md", "\n\n".join(part.strip() for part in parts) + "\n")
    return written


def _write_named(result: Licensing, found: Sequence[Result], folder: Path) -> Path:
    """``effects.json``: each effect and correlation by the name that a study's file calls it by, such as ``division tough slor``
    and ``r slor WSJ construction``: the paper's test, and under the name with `OVER_WORDS` ours."""
    effects = []
    for own in result.effects:
        name = f"{own.effect} {own.construction} {own.metric}"
        title = f"{EFFECTS[own.effect].title}, {own.construction}, {own.metric}"
        for test, more in ((own.published, ""), (own.test, OVER_WORDS)):
            effects.append(
                replace(test, contrast=f"{name}{more}", details={**test.details, "title": f"{title}{more}", "why": own.reason})
            )
    effects += found
    return write_effects(folder, effects)
