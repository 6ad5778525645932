"""`gapsmith next`: what this workspace needs now, with the command to type."""

from __future__ import annotations

from dataclasses import asdict

from gapsmith.app.cli.console import print_text
from gapsmith.app.stages.guide import Needed


def as_data(found: Needed) -> object:
    """The steps, as JSON takes them."""
    return [asdict(step) for step in found]


def show(found: Needed) -> None:
    """Print the steps, the most urgent first."""
    print_text("\n".join(f"{step.why}\n  {step.command}" for step in found))
