"""`gapsmith bank lead`: who leads the bank."""

from __future__ import annotations

from gapsmith.app.cli.console import print_text
from gapsmith.app.requests.base import UNSET
from gapsmith.app.stages.bank_keeping import BankLead


def show(found: BankLead) -> None:
    """Print who leads it, where that was asked."""
    if found.request.name is UNSET:
        print_text(found.lead or "Nobody leads this bank yet: nobody has decided anything.")
