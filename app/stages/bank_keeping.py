"""The file that everything is kept in: whether it is whole, copies of it, who leads it, its log."""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gapsmith.app.chosen import as_said
from gapsmith.app.manifests import ChangedSince, changes, read_manifest, unseen
from gapsmith.app.requests.base import Unset, said_or_none
from gapsmith.app.requests.keeping import BackUpBank, CheckBank, LeadBank, LogBank, RestoreBank
from gapsmith.app.services import QUIET, Services
from gapsmith.app.workspace import (
    BANK,
    Workspace,
    bank_file,
    find_workspace,
    mark_workspace,
    place_of,
    reader_name,
    root_of,
    settings_of,
)
from gapsmith.bank import Bank, back_up, uncopied_bytes, write_log
from gapsmith.bank import restore as put_back
from gapsmith.templates import ConfigError, count


@dataclass(frozen=True, slots=True)
class BankChecked:
    """Whether a bank is whole."""

    request: CheckBank
    file: Path
    faults: tuple[str, ...]
    """What is wrong, a line each."""
    items: int | None
    """None where something is wrong."""
    checksums_since: str | None
    """From when on its checksums vouch; None where it has none, or something is wrong."""
    bytes_beside: int
    """What lies beside the file and would be lost with it."""
    changed: tuple[ChangedSince, ...] | None = None
    """What is not as it was when a report was written; None where that was not asked, or something is wrong."""
    unseen: int = 0
    """Items of which the decisions were not compared, since the reader may not see them, or could not then."""

    @property
    def is_whole(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults

    def as_data(self) -> dict[str, Any]:
        """The same as JSON takes it."""
        return {
            "bank": str(self.file),
            "faults": list(self.faults),
            "items": self.items,
            "checksums_since": self.checksums_since,
            "bytes_beside_the_file": self.bytes_beside,
            "changed": None if self.changed is None else [own.as_data() for own in self.changed],
            "decisions_not_compared": self.unseen,
        }


@dataclass(frozen=True, slots=True)
class BankCopied:
    """A copy of a bank."""

    request: BackUpBank
    file: Path
    size: int
    """Bytes."""

    def as_data(self) -> dict[str, Any]:
        """The same as JSON takes it."""
        return {"file": str(self.file), "bytes": self.size}


@dataclass(frozen=True, slots=True)
class BankRestored:
    """A bank in whose place a copy is."""

    request: RestoreBank
    file: Path
    items: int
    kept: Path | None
    """Where the bank is that was there."""

    def as_data(self) -> dict[str, Any]:
        """The same as JSON takes it."""
        return {"bank": str(self.file), "items": self.items, "kept": None if self.kept is None else str(self.kept)}


@dataclass(frozen=True, slots=True)
class BankLead:
    """Who leads a bank."""

    request: LeadBank
    lead: str | None
    """None where nobody has decided anything yet."""

    def as_data(self) -> dict[str, Any]:
        """The same as JSON takes it."""
        return {"lead": self.lead}


@dataclass(frozen=True, slots=True)
class BankLogged:
    """The log of a bank."""

    request: LogBank
    file: Path
    entries: int | None
    """None where it is sealed: how many there are would tell how much others said."""

    @property
    def is_sealed(self) -> bool:
        """Whether it hides what its writer may not see."""
        return self.entries is None

    def as_data(self) -> dict[str, Any]:
        """The same as JSON takes it."""
        return {"file": str(self.file), "entries": self.entries, "sealed": self.is_sealed}


def check_bank(source: Workspace | str | os.PathLike[str] | None, request: CheckBank, _services: Services = QUIET) -> BankChecked:
    """Nothing is changed. `source` is a workspace or where one is (None: from here upwards). Raises `GapsmithError` where there is
    no bank, or one that is too damaged to be opened."""
    path = _bank_here(source) if isinstance(request.file, Unset) else bank_file(request.file)
    written = None if isinstance(request.report, Unset) else read_manifest(request.report)
    reader = source.bank.reader if isinstance(source, Workspace) else reader_name(None, settings_of(root_of(source)))
    with Bank.open_copy(path, reader=reader) as bank:
        found = tuple(bank.faults())
        items = bank.items.count() if not found else None
        since = None if bank.sums_missing or found else bank.sums_since()
        changed, hidden = None, 0
        if written is not None and not found:
            changed, hidden = tuple(changes(bank, *written)), unseen(bank, written[1])
    return BankChecked(request, path, found, items, since, uncopied_bytes(path), changed, hidden)


def back_up_bank(
    source: Workspace | str | os.PathLike[str] | None, request: BackUpBank, services: Services = QUIET
) -> BankCopied:
    """Raises `GapsmithError` where the copy is there already or cannot be written."""
    made = back_up(_bank_here(source), said_or_none(request.to))
    size = made.stat().st_size
    services.note(f"Copied to {made} ({size / 1e6:,.1f} MB). `gapsmith bank restore {shlex.quote(str(made))}` goes back to it.")
    return BankCopied(request, made, size)


def restore_bank(
    source: Workspace | str | os.PathLike[str] | None, request: RestoreBank, services: Services = QUIET
) -> BankRestored:
    """`source` is where the workspace is or is to be. Raises `ConfigError` for one that is open, and `GapsmithError` where the copy
    is not whole, or another program has the bank open; then everything is as it was."""
    if isinstance(source, Workspace):
        raise ConfigError(
            f"{source.root}: the workspace is open, and its bank is to be replaced",
            hint="Close it first, and name its folder in its place.",
        )
    at = None if source is None else Path(source)
    root = find_workspace(at)
    place = root if root is not None else place_of(at)
    items, kept = put_back(request.file, place / BANK)
    if root is None:
        mark_workspace(place)
    if kept is not None:
        services.note(f"The bank that was there is kept as {kept}")
    services.note(f"{place / BANK} is what {request.file} was: {count(items, 'item')}")
    return BankRestored(request, place / BANK, items, kept)


def lead_bank(workspace: Workspace, request: LeadBank, services: Services = QUIET) -> BankLead:
    """Who leads it; after handing on, who leads it now. Raises `GapsmithError` where somebody else leads it."""
    bank = as_said(workspace, request.by).bank
    if isinstance(request.name, Unset):
        return BankLead(request, bank.gate.lead)
    bank.gate.hand_on(request.name)
    services.note(f"{request.name} leads this bank now; {bank.reader} did until now.")
    return BankLead(request, request.name)


def log_bank(workspace: Workspace, request: LogBank, services: Services = QUIET) -> BankLogged:
    """Raises `GapsmithError` where the file is there already or cannot be written."""
    gate = workspace.bank.gate
    if gate.hides_in_log:
        write_log(workspace.bank, request.file)
        services.note(
            f"Everything is in {request.file}, sealed: {gate.reader} may not see yet what others said, nor which items calibrate."
            f" `gapsmith bank merge` opens it for {gate.lead}, who leads this bank, and brings in all of it."
        )
        return BankLogged(request, request.file, None)
    entries = write_log(workspace.bank, request.file)
    services.note(f"{entries:,} entries in {request.file}")
    return BankLogged(request, request.file, entries)


def _bank_here(source: Workspace | str | os.PathLike[str] | None) -> Path:
    root = root_of(source)
    if root is None:
        where = place_of(None if source is None or isinstance(source, Workspace) else Path(source))
        raise ConfigError(f"{where}: there is no gapsmith workspace here", hint="Say where it is with --workspace DIR.")
    return root / BANK
