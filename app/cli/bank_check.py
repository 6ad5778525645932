"""`gapsmith bank check`: whether a bank is whole."""

from __future__ import annotations

from gapsmith.app.cli.console import ExitCode, error, note
from gapsmith.app.manifests import in_words
from gapsmith.app.stages.bank_keeping import BankChecked
from gapsmith.templates import count


def show(found: BankChecked) -> None:
    """Say what agrees, what is wrong, and what lies beside the file."""
    for fault in found.faults:
        error(f"{found.file}: {fault}")
    if found.items is None:
        note("Keep this file as it is, and go on with a copy: gapsmith bank restore FILE.")
        return
    note(f"{found.file}: whole: {count(found.items, 'item')}; file, rows, references, texts and events agree")
    if found.checksums_since is None:
        note("It has no checksums of its rows yet: the first command that opens it computes them, and they vouch from then on.")
    else:
        note(f"Its checksums vouch from {found.checksums_since} on: what was changed before that is not known to them.")
    if found.bytes_beside:
        note(
            f"{found.bytes_beside / 1024:,.0f} KB of it are in {found.file.name}-wal: a copy of {found.file.name} alone would lack"
            " what is in there. Copy it with `gapsmith bank backup`."
        )
    if found.changed is None:
        return
    report = found.request.report
    for line in in_words(found.changed):
        error(f"{report}: {line}")
    if not found.changed:
        note(
            f"{report}: nothing has changed since it was written: its files, items, decisions, values, plan and program are the same"
        )
    if found.unseen:
        note(
            f"Not compared: what was decided of {count(found.unseen, 'item')}, which you may not see now, or its writer could not see."
        )


def exit_code(found: BankChecked) -> int:
    """1 where something is wrong, or is not as it was when the report was written."""
    return ExitCode.OK if found.is_whole and not found.changed else ExitCode.FAILED
