"""`gapsmith report`: what came out, as one HTML file and a Markdown file with its figures."""

from __future__ import annotations

from gapsmith.app.cli.console import note, print_text
from gapsmith.app.report_files import Reported


def as_data(made: Reported) -> object:
    """The headline and where the report is, as JSON takes it."""
    return {"headline": made.headline, "html": str(made.files.html), "markdown": str(made.files.markdown)}


def show(made: Reported) -> None:
    """Say the headline, and where the report is."""
    note(made.headline)
    print_text(str(made.files.html))
