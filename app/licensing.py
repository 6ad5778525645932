"""What models know of filler-gap constructions, from a workspace to tables and figures on disk."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gapsmith.app.chosen import preferred_model
from gapsmith.app.workspace import Workspace
from gapsmith.templates import ConfigError

if TYPE_CHECKING:
    from gapsmith.scoring.analysis import Correlation, Licensing, Observation


def analyse_licensing(
    workspace: Workspace,
    paradigms: Sequence[str] | None = None,
    *,
    models: Sequence[str] = (),
    dataset: str | None = None,
    all_items: bool = False,
    corpus: Path | None = None,
) -> list[Licensing]:
    """Every effect of the paradigms that cross a licensor with a gap (of those named), under each model.

    `corpus` is the text in which SLOR counts tokens. Raises `ConfigError` where there is no such paradigm, and what
    `gapsmith.scoring.analysis.licensing_effects.observe` raises."""
    from gapsmith.app.unigrams import UnigramTables
    from gapsmith.scoring.analysis import is_licensing, licensing, observe

    bank = workspace.bank
    names = list(paradigms or [n for n in bank.paradigms.names() if is_licensing(bank.paradigms.current(n).paradigm)])
    if not names:
        raise ConfigError(
            "No paradigm here crosses a licensor with a gap.",
            hint="For instance: gapsmith generate embwhq -n 120 --seed 1",
        )
    found = []
    for model in models or (preferred_model(workspace.settings),):
        tables = UnigramTables(corpus=corpus, cache=workspace.root / "unigrams")
        observations: list[Observation] = []
        notes: list[str] = []
        scored_by = ""
        for name in names:
            scorer, own, said = observe(
                bank,
                name,
                model=model,
                dataset=dataset,
                all_items=all_items,
                unigrams=tables,
            )
            observations += own
            notes += said
            scored_by = scorer.model
        found.append(licensing(scored_by, observations, list(dict.fromkeys((*notes, *tables.notes)))))
    return found


def shipped_counts() -> Path:
    """The file of counts that ships."""
    return Path(str(resources.files("gapsmith.app.studies"))) / "data" / "construction_counts.csv"


def write_licensing(results: Sequence[Licensing], found: Sequence[Correlation], folder: Path) -> Path:
    """``licensing.md``, its figures, and every effect and mean as CSV; gives the page."""
    from gapsmith.app.studies.running import folder_name
    from gapsmith.scoring.analysis import METRICS
    from gapsmith.scoring.report import correlation_table, effects_table, licensing_figures, markdown_table, verdict_table

    (folder / "figures").mkdir(parents=True, exist_ok=True)
    drawings = licensing_figures(results)
    for drawing in drawings:
        (folder / "figures" / f"{drawing.name}.png").write_bytes(drawing.png)
        (folder / "figures" / f"{drawing.name}.svg").write_text(drawing.svg, encoding="utf-8")
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
            "verdict": e.verdict,
            "direct": e.direct,
            "direct_ci_low": e.direct_ci[0] if e.direct_ci else None,
            "direct_ci_high": e.direct_ci[1] if e.direct_ci else None,
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
            "ci_low": c.ci[0],
            "ci_high": c.ci[1],
            "n_items": c.n_items,
        }
        for result in results
        for c in result.cells
    ]
    _write_csv(folder / "effects.csv", effects)
    _write_csv(folder / "cells.csv", cells)
    for result in results:
        _write_effects(result, [one for one in found if one.model == result.model], folder / folder_name(result.model))
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
    page = folder / "licensing.md"
    page.write_text("\n\n".join(part.strip() for part in parts) + "\n", encoding="utf-8")
    return page


def _write_effects(result: Licensing, found: Sequence[Correlation], folder: Path) -> None:
    """``effects.json``: each effect and correlation by the name that a study's file calls it by, such as ``division tough slor``
    and ``r slor WSJ construction``."""
    from gapsmith.scoring.analysis import EFFECTS

    effects: list[dict[str, Any]] = [
        {
            "name": f"{e.effect} {e.construction} {e.metric}",
            "what": f"{EFFECTS[e.effect].title}, {e.construction}, {e.metric}",
            "value": e.estimate,
            "kind": "bits",
            "ci": e.ci,
            "p": e.p,
            "n": e.n_items,
            "why": e.reason,
        }
        for e in result.effects
    ]
    effects += [
        {
            "name": f"r {c.metric} {c.corpus} {c.unit}",
            "what": f"r of {c.metric} and {c.corpus}, a point for each {c.unit}",
            "value": c.r,
            "kind": "r",
            "ci": None,
            "p": None,
            "n": c.n,
            "why": "" if c.r is not None else "too few points",
        }
        for c in found
    ]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "effects.json").write_text(json.dumps({"effects": effects}, indent=1) + "\n", encoding="utf-8")


def _write_csv(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]) if rows else ["model"], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
