"""`gapsmith audit`: what is wrong with a set of sentences that someone published."""

from __future__ import annotations

from gapsmith.app.cli.console import ExitCode, note
from gapsmith.app.stages.published import Audited, in_words


def show(found: Audited) -> None:
    """Say what is wrong with the set, and where the page is."""
    for line in in_words(found):
        note(line)


def exit_code(found: Audited) -> int:
    """1 where something is found that is as severe as ``--fail-on`` says."""
    return ExitCode.FAILED if found.reached else 0
