"""`gapsmith lint`: what a careful syntactician would object to, item by item."""

from __future__ import annotations

import typer

from gapsmith.app.cli.console import ExitCode, print_json
from gapsmith.app.cli.door import Terminal
from gapsmith.app.cli.lint_listing import show_agreement, show_findings
from gapsmith.app.cli.lint_pages import show_audit, show_confounds
from gapsmith.app.linted import Linted
from gapsmith.app.requests.base import UNSET
from gapsmith.app.requests.checking import Lint
from gapsmith.app.stages.linting import lint, measured
from gapsmith.app.workspace import find_workspace, open_workspace
from gapsmith.bank import Severity


def run(request: Lint, terminal: Terminal) -> None:
    """Lint, and print what is found; the exit code says whether that is too severe."""
    if request.audit is not UNSET:
        # The linter is measured where there is no workspace, too.
        show_audit(measured(find_workspace(terminal.workspace), request), as_json=terminal.as_json)
        return
    with open_workspace(terminal.workspace) as workspace:
        linted = lint(workspace, request, terminal.services)
        found = linted.as_data() if terminal.as_json and not request.confounds else []
    if request.confounds:
        show_confounds(linted.report, as_json=terminal.as_json)
        return
    if terminal.as_json:
        print_json(found)
    else:
        show(linted)
    if linted.reached:
        raise typer.Exit(ExitCode.FAILED)


def show(linted: Linted) -> None:
    """Print what is found, as the request wants it."""
    show_findings(linted.report, Severity(linted.request.level), full=linted.request.full)
    if linted.agreement:
        show_agreement(linted.agreement)
