"""Writing a report of analyses into a folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from gapsmith.app.card import reading_of
from gapsmith.app.manifests import Used, write_manifest
from gapsmith.bank import Bank
from gapsmith.scoring.analysis import Analysis, RunComparison, Sensitivity
from gapsmith.scoring.report import ReportFiles, Table, Trail, make_report, write_report, write_trail
from gapsmith.stats import FormulaComparison, MixedFit
from gapsmith.templates import ConfigError


@dataclass(frozen=True, slots=True)
class Reported:
    """A report that was written."""

    headline: str
    """What came out, in a sentence."""
    files: ReportFiles
    notes: tuple[str, ...] = ()
    """What to know of the analyses, and which paradigms were left out."""


def write_analyses(
    bank: Bank,
    analyses: Sequence[Analysis],
    folder: Path,
    comparisons: Sequence[RunComparison] = (),
    *,
    fits: Sequence[MixedFit] = (),
    models: Sequence[FormulaComparison] = (),
    checks: Sequence[Sensitivity] = (),
    notes: Sequence[str] = (),
) -> Reported:
    """Write ``report.html``, ``report.md``, ``figures/``, ``items/`` and ``manifest.json`` about analyses under one scorer, dated today.

    A report that is already there is replaced. Raises `ConfigError` where it cannot be written."""
    trail = Trail(bank, analyses)
    today = datetime.now().astimezone().date()
    made = make_report(
        analyses,
        made_on=today,
        comparisons=comparisons,
        trail=trail,
        fits=fits,
        models=models,
        checks=checks,
        readers=_readers(bank, analyses),
    )
    try:
        files = write_report(made, folder)
        pages = write_trail(bank, analyses, trail, folder, comparisons)
        used = Used.by((*analyses, *(run.analysis for found in comparisons for run in found.runs)))
        write_manifest(bank, used, folder, (files.html, files.markdown, *files.figures, *pages))
    except OSError as error:
        raise ConfigError(
            f"{folder}: the report cannot be written there ({error})",
            hint="Name another folder: --out DIR, in Python out=DIR.",
        ) from None
    return Reported(made.headline, files, tuple(notes))


def _readers(bank: Bank, analyses: Sequence[Analysis]) -> dict[str, Table]:
    """Who decided on the items, by part of the report, as far as the bank's reader may know it; where that is one person, the account of
    the items says it."""
    if len(bank.review.annotators()) < _SEVERAL and not bank.gate.shared_out:
        return {}
    found = {own.part: reading_of(bank, own.paradigm.name, own.options.dataset) for own in analyses}
    return {part: own.table for part, own in found.items() if own is not None}


_SEVERAL = 2
