"""`gapsmith lab`: the lead's page, in the terminal or in a browser."""

from __future__ import annotations

import sys

from gapsmith.app.cli.console import note, print_text
from gapsmith.app.cli.door import Terminal
from gapsmith.app.requests.base import said_or_none
from gapsmith.app.requests.leading import AskLab
from gapsmith.app.stages.lab_view import LabSeen, lab
from gapsmith.app.workspace import open_workspace
from gapsmith.templates import ConfigError
from gapsmith.vetting.review import studies_in


def run(request: AskLab, terminal: Terminal) -> None:
    """Print the page, or serve it."""
    with open_workspace(terminal.workspace) as workspace:
        found = lab(workspace, request, terminal.services)
        bank, root = workspace.bank.path, workspace.root
    if request.web:
        try:
            from gapsmith.vetting.web import LabDesk, Link, PageServer, listen
        except ImportError:
            raise ConfigError(
                "the lead's page in a browser needs textual-serve, which is not installed",
                hint="Install it with: pip install 'gapsmith[web]'.",
            ) from None
        desk = LabDesk(
            bank,
            paradigm=said_or_none(request.paradigm),
            dataset=said_or_none(request.dataset),
            studies=lambda: studies_in(root),
        )
        with listen(request.port) as listening:
            port = listening.getsockname()[1]
            server = PageServer([Link(found.page.reader)], desk, port=port, public_url=said_or_none(request.url))
            print_text(f"{found.page.reader}: {server.url(server.links[0])}")
            note("The link is yours: whoever has it sees what you may see. Ctrl-C ends it.")
            sys.stdout.flush()
            server.serve_on(listening)
    elif terminal.as_json:
        terminal.print_json(request, as_data(found))
    else:
        show(found)


def as_data(found: LabSeen) -> object:
    """The page's numbers, as JSON takes them."""
    return found.data


def show(found: LabSeen) -> None:
    """Print the page."""
    print_text(str(found))
