"""`gapsmith lint`: what a careful syntactician would object to, item by item."""

from __future__ import annotations

import typer

from gapsmith.app.cli.console import ExitCode
from gapsmith.app.cli.door import Terminal
from gapsmith.app.cli.lint_listing import show_agreement, show_findings
from gapsmith.app.cli.lint_pages import audit_data, confounds_data, show_audit, show_confounds
from gapsmith.app.linted import Linted
from gapsmith.app.requests.base import UNSET
from gapsmith.app.requests.checking import Lint
from gapsmith.app.stages.linting import lint, measured
from gapsmith.app.workspace import find_workspace, open_workspace
from gapsmith.bank import Severity


def run(request: Lint, terminal: Terminal) -> None:
    """Lint, and print what is found; the exit code says whether that is too severe."""
    results = None
    if request.audit is not UNSET:
        # The linter is measured where there is no workspace, too.
        linted = measured(find_workspace(terminal.workspace), request)
        results = as_data(linted) if terminal.as_json else None
    else:
        with open_workspace(terminal.workspace) as workspace:
            linted = lint(workspace, request, terminal.services)
            results = as_data(linted) if terminal.as_json else None
    if terminal.as_json:
        terminal.print_json(request, results, None if linted.audit is not None else linted.report.looked.as_data())
    else:
        show(linted)
    if linted.reached and not request.confounds:
        raise typer.Exit(ExitCode.FAILED)


def as_data(linted: Linted) -> object:
    """The findings as JSON takes them; instead of these the confounds of every set, or how good the linter is."""
    if linted.audit is not None:
        return audit_data(linted.audit)
    return confounds_data(linted.report) if linted.request.confounds else linted.as_data()


def show(linted: Linted) -> None:
    """Print what is found, as the request wants it."""
    if linted.audit is not None:
        show_audit(linted.audit)
    elif linted.request.confounds:
        show_confounds(linted.report)
    else:
        show_findings(linted.report, Severity(linted.request.level), full=linted.request.full)
        if linted.agreement:
            show_agreement(linted.agreement)
