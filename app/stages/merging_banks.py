"""Bringing in what was done in other banks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gapsmith.app.requests.keeping import MergeBanks
from gapsmith.app.services import QUIET, Services
from gapsmith.app.workspace import Workspace, bank_file
from gapsmith.bank import Bank, BankError, Merged, bring_back, entries, is_rescued, merge, read_log

NAMED = 5
"""How many items are named."""


@dataclass(frozen=True, slots=True)
class MergedBanks:
    """What came in, from each source in turn; of a dry run, what would."""

    found: tuple[tuple[Path, Merged], ...]
    dry_run: bool

    def __len__(self) -> int:
        return len(self.found)

    def __iter__(self) -> Iterator[tuple[Path, Merged]]:
        return iter(self.found)

    def __getitem__(self, place: int) -> tuple[Path, Merged]:
        return self.found[place]


class _DryRunError(Exception):
    """Ends the transaction of a dry run, so that what was tried in earnest is taken back."""


def merge_banks(workspace: Workspace, request: MergeBanks, services: Services = QUIET) -> MergedBanks:
    """What came in from all sources, or nothing. Raises `GapsmithError` for one that is no bank, or damaged."""
    bank = workspace.bank
    found: list[tuple[Path, Merged]] = []
    try:
        # All or none: a name that is wrong does not leave half of the work done.
        with bank.transaction():
            found += [(source, _merge_one(bank, source)) for source in request.sources]
            if request.dry_run:
                raise _DryRunError
    except _DryRunError:
        services.note("a dry run: nothing was brought in")
    for source, done in found:
        _say(done, source, services, dry_run=request.dry_run)
    if not request.dry_run and not all(done.nothing for _, done in found):
        scores = "" if any("scores" in done.added for _, done in found) else ", scores did not"
        services.note(f"Findings about new items came along{scores}. Next: gapsmith lint, gapsmith agreement, gapsmith score")
    return MergedBanks(tuple(found), request.dry_run)


def _merge_one(ours: Bank, source: Path) -> Merged:
    if source.suffix.casefold() == ".jsonl":
        return merge(ours, read_log(source, ours), str(source))
    path = bank_file(source)
    if path.exists() and path.samefile(ours.path):
        raise BankError(f"{source}: is this very bank", hint="Name the other one. Nothing was brought in.")
    with Bank.open_copy(path) as other:
        if found := other.faults():
            raise BankError(f"{path}: {found[0]}", hint="It is damaged; merge a copy that is whole. Nothing was brought in.")
        done = merge(ours, entries(other), str(source))
        if is_rescued(other):
            bring_back(ours, other, done)
        return done


def _say(done: Merged, source: Path, services: Services, *, dry_run: bool) -> None:
    if done.nothing:
        services.note(f"{source}: nothing new")
    else:
        parts = ", ".join(f"{count:,} {what}" for what, count in done.added.items())
        by = f" by {', '.join(sorted(done.authors))}" if done.authors else ""
        services.note(f"{source}: {'would bring in' if dry_run else 'brought in'} {parts}{by}")
    if done.same_items:
        services.note(f"{done.same_items:,} items had come in on both sides, and are one item each")
    for old, new in list(done.renamed.items())[:NAMED]:
        services.note(f"{old}: that id was taken by another item, so it is {new} here")
    if len(done.renamed) > NAMED:
        services.note(f"and {len(done.renamed) - NAMED:,} more ids like these")
    for name in sorted(done.other_forms):
        services.note(f"{name}: items came in that follow another form of the paradigm (gapsmith paradigm diff {name})")
    if done.not_blind:
        services.warn(
            f"assignments came in for people who see already what others say of these items: {'; '.join(done.not_blind)}. To decide blind"
            f" they take the lock back first, with L: {'; '.join(done.not_blind.values())}"
        )
    if done.forked:
        named = ", ".join(done.forked[:NAMED]) + (", …" if len(done.forked) > NAMED else "")
        services.warn(f"edited apart, and disputed until somebody picks a version: {named} (gapsmith review --adjudicate)")
