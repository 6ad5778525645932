"""`gapsmith paradigm check`: whether a design is sound."""

from __future__ import annotations

from gapsmith.app.cli.console import ExitCode, print_text
from gapsmith.app.stages.designs import ParadigmChecked


def show(found: ParadigmChecked) -> None:
    """Print a line for each check."""
    marks = ["warn" if row.warns else "ok  " if row.ok else "FAIL" for row in found]
    lines = [f"{mark}  {row.what}" + (f": {row.detail}" if row.detail else "") for mark, row in zip(marks, found, strict=True)]
    print_text("\n".join([f"{found.paradigm.name} ({found.paradigm.path})", *lines]))


def exit_code(found: ParadigmChecked) -> int:
    """1 where something does not hold."""
    return ExitCode.OK if found.is_sound else ExitCode.FAILED
