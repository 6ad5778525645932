"""`gapsmith prompt show`: what a model is asked with."""

from __future__ import annotations

from gapsmith.app.cli.console import print_text
from gapsmith.app.stages.prompt_files import PromptShown


def show(found: PromptShown) -> None:
    """Print the text."""
    print_text(found.text, as_it_is=True)
