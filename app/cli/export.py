"""`gapsmith export`: item sets and results for other programs."""

from __future__ import annotations

import os
import sys

from gapsmith.app.cli.door import Terminal
from gapsmith.app.exporting import Exported
from gapsmith.app.requests.base import UNSET
from gapsmith.app.requests.outgoing import Export
from gapsmith.app.stages.exports import export
from gapsmith.app.workspace import open_workspace
from gapsmith.templates import ConfigError


def run(request: Export, terminal: Terminal) -> None:
    """Export, to stdout where nothing else is said, unless it is a file or a folder that was asked for."""
    if terminal.as_json and request.out is UNSET:
        raise ConfigError("--json says what was written, and stdout is for the export itself", hint="Name a file: --out FILE.")
    with open_workspace(terminal.workspace) as workspace:
        done = export(workspace, request, terminal.services, keep=False)
    if terminal.as_json:
        terminal.print_json(request, as_data(done))
    else:
        show(done)


def as_data(done: Exported) -> object:
    """What was written, as JSON takes it."""
    return {"out": str(done.out), "format": done.format, "rows": done.rows, "left_out": list(done.unfit)}


def show(done: Exported) -> None:
    """Print what was not written to a file or folder."""
    if done.out is None:
        _print(done.content)


def _print(content: bytes) -> None:
    """The content on stdout. Raises `ConfigError` where it cannot be written there."""
    try:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        # What is left in the buffer would be tried, and complained of, once more at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise ConfigError(f"stdout cannot be written ({error.strerror})", hint="Not all of it went out.") from None
