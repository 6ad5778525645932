"""Sharing items out: who reads which, with an overlap, who adjudicates, and items whose verdict is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gapsmith.app.chosen import as_said
from gapsmith.app.requests.base import Unset
from gapsmith.app.requests.deciding import Assign
from gapsmith.app.services import QUIET, Services
from gapsmith.app.stages.selecting import selection_of
from gapsmith.app.workspace import Workspace
from gapsmith.bank import Bank, ItemFilter, Matcher, Verdict
from gapsmith.bank.formats import read_annotations
from gapsmith.templates import ConfigError, count
from gapsmith.vetting import ShareChange, ShareMove, like_name, share_changes, share_moves, share_out

_NOTHING = "Nothing was assigned."


@dataclass(frozen=True, slots=True)
class Assigned:
    """How items were shared out, or would be."""

    items: int
    overlap: int
    """Items that several people read."""
    known: int
    """Items that calibrate."""
    loads: Mapping[str, int]
    """Items by reader."""
    changes: tuple[ShareChange, ...] = ()
    """What it changes for whom."""
    moves: tuple[ShareMove, ...] = ()
    """What goes from whom to whom; nothing where nothing was assigned before."""
    done: bool = True
    """Whether it was assigned; not so for a dry run."""

    def lines(self) -> list[str]:
        """What it changes, in lines: for whom, from whom to whom, and who reads how much then."""
        told = self.moves or any(change.before or change.empty for change in self.changes)
        lines = [_told(change) for change in self.changes] if told else []
        lines += [_moved(move) for move in self.moves]
        lines += [f"{name}: {load:,} items" for name, load in self.loads.items()]
        return [*lines, f"{self.items:,} items; {self.overlap:,} of them have several readers, {self.known:,} calibrate"]

    def __str__(self) -> str:
        return "\n".join(self.lines())


def assign(workspace: Workspace, request: Assign, services: Services = QUIET) -> Assigned:
    """Who reads how many. Raises `GapsmithError` where that cannot be, and for items that would be taken away from people without
    `replace` or a yes; nothing is assigned then."""
    bank = as_said(workspace, request.by).bank
    with bank.transaction():
        selection = selection_of(bank, request)
        ids = bank.items.ids(selection)
        if not ids:
            raise ConfigError("there is nothing to assign here", hint="Check --paradigm and --dataset.")
        if not all(name.strip() for name in request.adjudicator):
            raise ConfigError("an adjudicator needs a name", hint="For example --adjudicator cy.")
        verdicts = _known(bank, request, selection)
        others = [item_id for item_id in ids if item_id not in verdicts]
        before = bank.assignments.readers()
        given = share_out(
            others,
            request.to,
            overlap=request.overlap,
            readers=request.readers,
            seed=request.seed,
            before=before,
            decided={(label.item_id, label.author) for label in bank.review.verdicts()},
        )
        doubled = sum(len(names) > 1 for names in given.values())
        given |= dict.fromkeys(verdicts, request.to)
        changes = tuple(share_changes(bank, given))
        moves = tuple(share_moves(before, given)) if before else ()
        counted = Counter(name for names in given.values() for name in names)
        loads = {name: counted[name] for name in request.to}
        found = Assigned(len(given), doubled, len(verdicts), loads, changes, moves, not request.dry_run)
        # All that changes is said before it does.
        for line in found.lines():
            services.note(line)
        dropped = sum(item_id in given and item_id not in verdicts for item_id in bank.assignments.known_verdicts())
        if dropped:
            services.note(f"{count(dropped, 'calibration item')} would calibrate no more: name their file with --known again.")
        for line in _alike(bank, request):
            services.note(line)
        bank.assignments.refuse_locked(given)
        if request.dry_run:
            services.note("This would be so; nothing was assigned (--dry-run).")
            return found
        if before:
            _expect_agreed(bank, request, changes, dropped, services)
        bank.assignments.assign(given, verdicts, by=bank.reader, adjudicators=request.adjudicator)
    services.note("Assigned.")
    return found


def _alike(bank: Bank, request: Assign) -> list[str]:
    """Who is new here under a name that is nearly somebody's: it may be the same person, whose share nobody would read."""
    known = {name for names in bank.assignments.readers().values() for name in names} | set(bank.review.annotators())
    new = [name for name in (*request.to, *request.adjudicator) if name not in known]
    return [
        f"{name} is new here, and there is {other}: if that is the same person, assign to {other}."
        for name in dict.fromkeys(new)
        if (other := like_name(name, known - {name})) is not None
    ]


def _told(change: ShareChange) -> str:
    """What changes for one person, in a line."""
    text = f"{change.name}: {change.before:,} → {change.after:,} of these items"
    if change.given or change.taken:
        text += f" ({change.given:,} new, {change.taken:,} taken away"
        text += f", {change.decided:,} of those decided on: the decisions stay)" if change.decided else ")"
    return f"{text}; has nothing to read then, an empty queue" if change.empty else text


def _moved(move: ShareMove) -> str:
    """What goes from one person to another, in a line."""
    what = count(move.items, "item")
    if not move.source:
        return f"    {what} more for {move.to}, without one being taken away for it"
    return f"    {what} from {move.source} to {move.to}" if move.to else f"    {what} less for {move.source}, for nobody"


def _expect_agreed(bank: Bank, request: Assign, changes: Sequence[ShareChange], dropped: int, services: Services) -> None:
    """Refuse to take items away from people, or to forget what is known of calibration items, without a word of who leads."""
    losing = [change for change in changes if change.taken]
    if not losing and not dropped:
        return
    lead = bank.gate.lead
    if lead not in (None, bank.reader):
        raise ConfigError(
            f"{lead} leads this bank, and items that are assigned are taken away by the lead alone",
            hint=f"Let {lead} do it (--by), or hand the lead on: gapsmith bank lead NAME. {_NOTHING}",
        )
    if request.replace or services.ask("Assign them so?", ("yes", "no")) == "yes":
        return
    if dropped and not losing:
        raise ConfigError(
            f"this forgets what is known of {count(dropped, 'calibration item')}",
            hint=f"Name their file with --known, or say --replace to do so. {_NOTHING}",
        )
    taken = ", ".join(f"{change.name} {change.taken:,}" for change in losing)
    raise ConfigError(
        f"this takes {'an item' if sum(change.taken for change in losing) == 1 else 'items'} away: {taken}",
        hint=f"Say --replace to do so, or choose other items with --paradigm and --dataset. {_NOTHING}",
    )


def _known(bank: Bank, request: Assign, selection: ItemFilter) -> dict[int, Verdict]:
    if isinstance(request.known, Unset):
        return {}
    verdicts: dict[int, Verdict] = {}
    finder = Matcher(bank, request.known, selection, our_ids=request.our_ids, unchanged=_NOTHING)
    for row in read_annotations(request.known, unchanged=_NOTHING).decisions:
        item_id = finder.find(row.reference).id
        if verdicts.setdefault(item_id, row.verdict) is not row.verdict:
            raise ConfigError(
                f"{request.known}, line {row.reference.line}: item {row.reference.label} has another verdict above",
                hint=_NOTHING,
            )
    return verdicts
