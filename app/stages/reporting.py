"""The report: analyses, comparisons, mixed models and checks on one page."""

from __future__ import annotations

from gapsmith.app.report_files import Reported, write_analyses
from gapsmith.app.requests.base import said
from gapsmith.app.requests.measuring import ReportRequest
from gapsmith.app.services import QUIET, Services
from gapsmith.app.stages.analysing import AnalysisSource, Analyzing
from gapsmith.app.workspace import Workspace
from gapsmith.templates import ConfigError


def report(workspace: Workspace, request: ReportRequest, services: Services = QUIET) -> Reported:
    """Write ``report.html``, ``report.md``, figures and a page for every item. Raises `GapsmithError`; what was there stays then."""
    out = said(request.out, workspace.root / "report")
    if out.suffix.lower() in (".html", ".htm", ".md", ".pdf") and not out.is_dir():
        raise ConfigError(
            f"{out} looks like a file, and a report is a folder: report.html, report.md and figures/.",
            hint=f"Name the folder: --out {out.with_suffix('')}, in Python out=.",
        )
    work = Analyzing(AnalysisSource.of(workspace), request, services, by_word=True)
    work.look()
    comparisons = work.compared() if request.compares else ()
    found = work.analysed()
    fits, models = work.modelled() if request.formula else ((), ())
    checks = work.checked_again() if request.sensitivity else ()
    return write_analyses(
        workspace.bank,
        found,
        out,
        comparisons,
        fits=fits,
        models=models if len(models) == len(found) else (),
        checks=checks,
        notes=work.notes,
    )
