"""Sharing items out: who reads which, with an overlap, who adjudicates, and items whose verdict is known."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from gapsmith.app.chosen import as_said, expect_name
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
_OVERLAP, _READERS = 0.2, 2
"""Of items that were never assigned, where nothing is said."""


@dataclass(frozen=True, slots=True)
class Assigned:
    """How items were shared out, or would be."""

    items: int
    overlap: int
    """Items that several people read; those that calibrate, which everybody does, are not among them."""
    known: int
    """Items that calibrate."""
    loads: Mapping[str, int]
    """Items by reader."""
    changes: tuple[ShareChange, ...] = ()
    """What it changes for whom."""
    moves: tuple[ShareMove, ...] = ()
    """What goes from whom to whom; nothing where nothing was assigned before."""
    done: bool = True
    """Whether it was assigned; not so for a dry run, and where somebody said no."""
    kept: tuple[str, ...] = ()
    """What was not said, and is as it was assigned before."""
    readers: tuple[int, ...] = ()
    """How many readers the items that do not calibrate have, fewest first."""

    def lines(self) -> list[str]:
        """What it changes, in lines: for whom, from whom to whom, and who reads how much then."""
        told = self.moves or any(change.before or change.empty for change in self.changes)
        lines = [*self.kept, *(_told(change) for change in self.changes if told)]
        lines += [_moved(move) for move in self.moves]
        if not told:
            lines += [f"{name}: {count(load, 'item')}" for name, load in self.loads.items()]
        return [*lines, f"{count(self.items, 'item')}; {self._readers()}, {self.known:,} calibrate"]

    def _readers(self) -> str:
        if self.known:
            others = self.items - self.known
            return f"{self.overlap:,} of the {others:,} that do not calibrate {'has' if self.overlap == 1 else 'have'} several readers"
        if len(self.readers) == 1:
            return f"{'all have' if self.items > 1 else 'it has'} {count(self.readers[0], 'reader')}"
        return f"{self.overlap:,} of them {'has' if self.overlap == 1 else 'have'} several readers"

    def __str__(self) -> str:
        return "\n".join(self.lines())


def assign(workspace: Workspace, request: Assign, services: Services = QUIET) -> Assigned:
    """Who reads how many. Raises `GapsmithError` where that cannot be, and for items that would be taken away from people without
    `replace` or a yes; nothing is assigned then."""
    seen = as_said(workspace, request.by)
    bank = seen.bank
    if bank.gate.shared_out and bank.gate.lead not in (None, bank.reader):
        raise ConfigError(
            f"{bank.gate.lead} leads this bank and shares its items out; {bank.reader} does not",
            hint=f"Ask {bank.gate.lead} to do it, or to hand that on: gapsmith bank lead {shlex.quote(bank.reader)}.",
        )
    with bank.transaction():
        selection = selection_of(bank, request)
        ids = bank.items.ids(selection)
        if not ids:
            raise ConfigError("there is nothing to assign here", hint="Check --paradigm and --dataset.")
        if not all(name.strip() for name in request.adjudicator):
            raise ConfigError("an adjudicator needs a name", hint="For example --adjudicator cy.")
        verdicts = _known(bank, request, selection)
        before = bank.assignments.readers()
        ids, kept = _as_before(bank, request, selection, before)
        others = [item_id for item_id in ids if item_id not in verdicts]
        overlap, readers, more = _sharing(bank, request, others, before)
        _expect_everybody(request, overlap, readers, {name for item_id in others for name in before.get(item_id, ())})
        given = share_out(
            others,
            request.to,
            overlap=overlap,
            readers=readers,
            seed=request.seed,
            before=before,
            decided={(label.item_id, label.author) for label in bank.review.verdicts()},
        )
        given |= dict.fromkeys(verdicts, request.to)
        adjudicators, told = _adjudicators(bank, request, given)
        numbers = Counter(len(given[item_id]) for item_id in others)
        changes = tuple(share_changes(bank, given))
        moves = tuple(share_moves(before, given)) if before else ()
        counted = Counter(name for names in given.values() for name in names)
        loads = {name: counted[name] for name in request.to}
        found = Assigned(
            len(given),
            sum(items for number, items in numbers.items() if number > 1),
            len(verdicts),
            loads,
            changes,
            moves,
            not request.dry_run,
            (*kept, *more, *told),
            tuple(sorted(numbers)),
        )
        # All that changes is said before it does.
        for line in found.lines():
            services.note(line)
        for line in _calibrating(bank, verdicts):
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
        expect_name(seen, "assigning")
        if before and not _agreed(bank, request, changes, dropped, services):
            services.note("Nothing was changed.")
            return replace(found, done=False)
        bank.assignments.assign(given, verdicts, by=bank.reader, adjudicators=adjudicators)
    services.note("Assigned.")
    return found


def _as_before(
    bank: Bank, request: Assign, selection: ItemFilter, before: Mapping[int, Sequence[str]]
) -> tuple[list[int], list[str]]:
    """The items that are shared out, and what to say where they are those of the data sets that were before."""
    places = [one for one in bank.datasets.all() if not request.paradigm or one.paradigm in request.paradigm]
    own = {one.id: bank.items.ids(ItemFilter(paradigm=one.paradigm, dataset=one.name)) for one in places}
    had = [one for one in places if any(item_id in before for item_id in own[one.id])]
    if request.dataset or not had:
        return bank.items.ids(selection), []
    left = [f"{one.name} ({one.paradigm})" for one in places if one not in had and own[one.id]]
    kept = [
        f"Shared out, as before: {', '.join(f'{one.name} ({one.paradigm})' for one in had)}"
        + (f"; to share out {', '.join(left)} too, say -d for each." if left else ".")
    ]
    return [item_id for one in had for item_id in own[one.id]], kept if left else []


def _sharing(
    bank: Bank, request: Assign, others: Sequence[int], before: Mapping[int, Sequence[str]]
) -> tuple[float, int, list[str]]:
    """The share of items with several readers, how many these are, and what to say of it: as was said, else as it was before."""
    known = bank.assignments.known_verdicts()
    had = [len(before[item_id]) for item_id in others if item_id in before and item_id not in known]
    several = sorted({number for number in had if number > 1})
    said: list[str] = []
    if isinstance(request.readers, Unset) and len(several) > 1 and request.overlap != 0:
        raise ConfigError(
            f"of these items some have {several[0]} readers and others {several[-1]}",
            hint=f"Say how many an item of the overlap shall have: --readers {several[0]}. {_NOTHING}",
        )
    readers = (several or [_READERS])[0] if isinstance(request.readers, Unset) else request.readers
    if isinstance(request.overlap, Unset):
        number = sum(each > 1 for each in had)
        overlap = number / len(had) if had else _OVERLAP
        if had:
            each = f", {count(readers, 'reader')} each" if number and isinstance(request.readers, Unset) else ""
            # Items that are new, or calibrate no more, overlap as the others do.
            now = f", which makes {round(overlap * len(others)):,} of {len(others):,} now" if len(others) != len(had) else ""
            said.append(
                f"Overlap as before: {number:,} of {count(len(had), 'item')}{now}{each} (--overlap and --readers change that)."
            )
    elif request.overlap > 1:
        if request.overlap > len(others):
            raise ConfigError(
                f"--overlap {request.overlap:g}: there are {count(len(others), 'item')} to share out",
                hint=f"A number above 1 counts items; 1 is all of them. {_NOTHING}",
            )
        overlap = request.overlap / len(others)
        said.append(f"--overlap {request.overlap:g}: taken as a number of items, because it is above 1.")
    else:
        overlap = request.overlap
    if not isinstance(request.overlap, Unset) and overlap and several and isinstance(request.readers, Unset):
        said.append(f"As before, items of the overlap have {count(readers, 'reader')} (--readers changes that).")
    return overlap, readers, said


def _adjudicators(bank: Bank, request: Assign, given: Collection[int]) -> tuple[tuple[str, ...], list[str]]:
    """Who is named to adjudicate, as was said, else as it was before, and what to say of that."""
    if request.adjudicator:
        return request.adjudicator, []
    had = bank.assignments.adjudicators()
    before = tuple(sorted({name for item_id in given for name in had.get(item_id, ())}))
    return before, [f"Adjudicators as before: {', '.join(before)} (--adjudicator names others)."] if before else []


def _expect_everybody(request: Assign, overlap: float, readers: int, had: Collection[str]) -> None:
    """Whoever names somebody new alone means that the others keep what they have; an assignment takes the place of all of that."""
    forgotten = [name for name in sorted(had) if name not in request.to]
    if overlap > 0 and readers > len(request.to) and forgotten:
        everybody = " ".join(f"--to {shlex.quote(name)}" for name in (*sorted(had), *(n for n in request.to if n not in had)))
        raise ConfigError(
            f"of these items some are to have {count(readers, 'reader')}, and --to names {len(request.to):,}",
            hint=f"An assignment takes the place of the one before: name everybody who is to have a share ({everybody}). {_NOTHING}",
        )


def _calibrating(bank: Bank, verdicts: Collection[int]) -> Iterator[str]:
    """What it means that items calibrate: of the study's own data sets, too."""
    if not verdicts:
        return
    yield "Everybody reads what calibrates; it counts neither in overlap and kappas nor in results."
    for one in bank.datasets.all():
        own = bank.items.ids(ItemFilter(paradigm=one.paradigm, dataset=one.name))
        inside = sum(item_id in verdicts for item_id in own)
        if 0 < inside < len(own):
            yield (
                f"{count(inside, 'calibration item')} of {count(len(own), 'item')} in {one.name} ({one.paradigm}): its results are over"
                f" the other {len(own) - inside:,}. Calibration items of a data set of their own cost the study none."
            )


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
    what, goes = count(move.items, "item"), "goes" if move.items == 1 else "go"
    if not move.source:
        return f"    {what} more for {move.to}, without one being taken away for it"
    return f"    {what} from {move.source} to {move.to}" if move.to else f"    {what} {goes} from {move.source} to nobody"


def _agreed(bank: Bank, request: Assign, changes: Sequence[ShareChange], dropped: int, services: Services) -> bool:
    """Whether who leads agrees to take items away from people, or to forget what is known of calibration items. Raises `ConfigError`
    where nobody can say."""
    losing = [change for change in changes if change.taken]
    if not losing and not dropped:
        return True
    lead = bank.gate.lead
    if lead not in (None, bank.reader):
        raise ConfigError(
            f"{lead} leads this bank, and items that are assigned are taken away by the lead alone",
            hint=f"Ask {lead} to do it, or to hand that on: gapsmith bank lead {shlex.quote(bank.reader)}. {_NOTHING}",
        )
    answer = "yes" if request.replace else services.ask("Assign them so?", ("yes", "no"))
    if answer is not None:
        return answer == "yes"
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
