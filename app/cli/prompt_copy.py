"""`gapsmith prompt copy`: a prompt for editing."""

from __future__ import annotations

from gapsmith.app.cli.console import print_text
from gapsmith.app.stages.prompt_files import PromptCopied


def show(found: PromptCopied) -> None:
    """Print where the copy is."""
    print_text(str(found.file))
