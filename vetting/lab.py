"""The lead's page: who has what, how fast, how far they overlap and agree, what drifts, what is disputed, and what to do next.

It computes nothing itself: progress, agreement, drift and faults left are those of `gapsmith.vetting.annotators` and
`gapsmith.vetting.agreement_pages`. Who may not see what others decide gets their own line, and no number of others.
"""

from __future__ import annotations

import html
import shlex
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from itertools import combinations
from statistics import median
from types import MappingProxyType

from gapsmith.bank import (
    Bank,
    Comment,
    Decision,
    ItemFilter,
    ItemStatus,
    SheetCount,
    Unfinished,
    awaited,
    changes_in_words,
    handed_on,
    is_on_texts_of,
    may_see_others,
    unfinished,
)
from gapsmith.templates import ConfigError, count, first_of, listed, prose_html
from gapsmith.vetting.agreement_pages import AgreementReport, agreement_report, drift_lines, edited_lines, fault_lines
from gapsmith.vetting.annotators import (
    NOT_BLIND,
    Adjudication,
    adjudicated_apart,
    adjudication,
    adjudication_waits,
    otherwise,
    progress,
    still_to_read,
)
from gapsmith.vetting.review.acceptability import AcceptabilityStudy
from gapsmith.vetting.review.answer_quality import sheet_count, too_fast

_WORDS_PER_S = 10.0
"""Nobody reads faster; studies of acceptability begin with the same (`fastest_words_per_second`)."""
_BREAK_S = 120.0
"""An item that stood on screen for longer was not looked at all that time."""


@dataclass(frozen=True, slots=True)
class LabPerson:
    """One person of the lab."""

    name: str
    roles: tuple[str, ...]
    """Of lead, annotator, adjudicator."""
    share: int
    """Items that are theirs to read."""
    decided: int
    """Of these."""
    outside: int
    """Decided on and not theirs (any more)."""
    locked: bool
    looks: int
    """Items that they looked at before locking."""
    median_s: float | None
    """Seconds for an item on screen, breaks of over two minutes left out; None where no item was timed."""
    hasty: int
    """Items that were on screen for less time than reading one of their sentences takes, at ten words a second."""
    timed: int
    """Of so many whose time is known."""
    days: int
    """On how many days they decided something."""
    last_at: str
    """When they last did; empty where they never have."""
    settled: int = 0
    """Of the others in their share, those on which they have nothing to decide any more: adjudicated, or edited by who adjudicates."""
    by_packet: bool = False
    """Whether what they decided last came in a packet."""
    remarks: int = 0
    """Remarks that they made (``c`` in the review), on whatever text."""

    @property
    def left(self) -> int:
        """Items that wait for them."""
        return self.share - self.decided - self.settled


@dataclass(frozen=True, slots=True)
class SharedReading:
    """What two people both read."""

    first: str
    second: str
    assigned: int
    decided: int
    """On how many of these both have decided."""
    kappa: float | None
    low: float | None
    high: float | None
    reason: str | None = None
    """Why there is no kappa or no interval of it, where both have decided on something."""


@dataclass(frozen=True, slots=True)
class LabPage:
    """What the lead, or whoever may see it, has before them."""

    reader: str
    lead: str | None
    whole: bool
    """Whether it shows everybody; else only who asks."""
    items: int
    shared_out: bool
    """Whether anything is assigned."""
    people: tuple[LabPerson, ...]
    overlaps: tuple[SharedReading, ...]
    report: AgreementReport | None
    standing: Adjudication | None
    steps: tuple[tuple[str, str], ...]
    """What to do next, and what to type for it."""
    remarked: int = 0
    """Items with remarks, for whom the statuses are shown; without calibration items."""
    statuses: tuple[tuple[str, int], ...] = ()
    """How many items are approved, excluded, flagged, …, for whom it is shown; calibration items are not among these."""
    calibrating: int = 0
    """Calibration items, for whom the statuses are shown."""
    sheets: tuple[SheetCount, ...] = ()
    """How far who is on which sheet of an acceptability study, all or the reader's own; who has not begun, of the studies whose files are
    known."""
    apart: tuple[str, ...] = ()
    """Of the items that several people adjudicated, and not alike, what each said, in words."""
    unfinished: Unfinished = field(default_factory=Unfinished)
    """What of the shares is unread or not locked."""
    coming: int = 0
    """Of the items decided alike by two or more, those that somebody else has still to read."""
    studies: Mapping[str, str] = field(default_factory=dict)
    """What these studies are called, by digest; for who has not answered all of a sheet, what tells nothing of it."""


def lab_page(
    bank: Bank,
    *,
    paradigm: str | None = None,
    dataset: str | None = None,
    studies: Mapping[str, AcceptabilityStudy] = MappingProxyType({}),
) -> LabPage:
    """The page of a scope, for the bank's reader. `studies` are those whose files are known, by what one types for the file: only they
    say who has a sheet and has not begun it."""
    whole = may_see_others(bank, paradigm, dataset)
    ids = set(bank.items.ids(ItemFilter(paradigm=paradigm, dataset=dataset)))
    settled, edited = handed_on(bank, ids)
    remarks = [one for one in bank.review.comments() if one.item_id in ids]
    people = _people(bank, ids, paradigm, dataset, settled | edited, remarks, only=None if whole else bank.reader)
    report = agreement_report(bank, paradigm=paradigm, dataset=dataset) if whole else None
    standing = adjudication(bank, paradigm=paradigm, dataset=dataset) if whole else None
    shared_out = bool(bank.assignments.readers())
    # Who may not know which items calibrate has them counted like others.
    tells = bank.gate.tells_origins
    statuses = tuple(
        (status.value, bank.items.count(ItemFilter(paradigm=paradigm, dataset=dataset, statuses=(status,), in_results=tells)))
        for status in (ItemStatus if whole else ())
    )
    approved = bank.items.ids(ItemFilter(paradigm=paradigm, dataset=dataset, statuses=(ItemStatus.APPROVED,))) if whole else ()
    left = unfinished(bank, paradigm=paradigm, dataset=dataset, taken=approved)
    flagged = dict(statuses).get(ItemStatus.FLAGGED.value, 0)
    after_lock = _after_lock(bank, ids - settled - edited, people)
    # What calibrates is adjudicated by nobody.
    known = bank.assignments.known_verdicts()
    to_judge = sorted(edited - known.keys()) if whole else []
    named = {one.digest: bank.review.study_name(one.digest, one.name) for one in studies.values()} | bank.review.study_names()
    called = Counter(named.values())
    for file, one in studies.items():
        if called[named[one.digest]] > 1:
            # Studies of one name are told apart by their files.
            named[one.digest] += f" ({file})"
    # The name of a study may say what it is about, and so may that of its file.
    names = {study: name if whole or bank.gate.has_finished(study) else f"study {study[:8]}" for study, name in named.items()}
    sheets = _sheets(bank, studies.values(), only=None if whole else bank.reader)
    files = {one.digest: file if names[one.digest] == named[one.digest] else _FILE for file, one in studies.items()}
    return LabPage(
        reader=bank.reader,
        lead=bank.gate.lead,
        whole=whole,
        items=len(ids),
        shared_out=shared_out,
        people=people,
        overlaps=_overlaps(bank, ids, people, report),
        report=report,
        standing=standing,
        steps=_own(
            bank,
            _steps(
                people,
                standing,
                after_lock,
                flagged,
                awaited(bank, paradigm=paradigm, dataset=dataset),
                [bank.items.get(item_id).label for item_id in to_judge],
                [one.label for one in left.contested],
                shared_out=shared_out,
                judging=[(one, names[one.study], files[one.study]) for one in sheets if one.left and one.study in files],
                whole=whole,
                items=len(ids),
            ),
        ),
        remarked=len({one.item_id for one in remarks} - (known.keys() if tells else set())) if whole else 0,
        statuses=statuses,
        calibrating=len(ids & known.keys()) if whole and tells else 0,
        sheets=sheets,
        apart=_apart(bank, ids) if whole else (),
        unfinished=left,
        coming=still_to_read(bank, standing.agreed) if standing is not None else 0,
        studies=names,
    )


def _sheets(bank: Bank, studies: Iterable[AcceptabilityStudy], *, only: str | None) -> tuple[SheetCount, ...]:
    """How far everybody is, or one person: as the answers say it, and of who has given none as the study does."""
    begun = {(one.study, one.author): one for one in bank.review.sheets()}
    found = dict(begun)
    for study in studies:
        for name in study.annotators:
            if (study.digest, name) not in begun and only in (None, name):
                # What is not in this bank, or was edited, cannot be judged here.
                with suppress(ConfigError):
                    found[study.digest, name] = sheet_count(study, bank, name)
    return tuple(found[key] for key in sorted(found) if only in (None, key[1]))


def _apart(bank: Bank, ids: set[int]) -> tuple[str, ...]:
    found = []
    for item_id, said in adjudicated_apart(bank, ids).items():
        found.append(f"item {bank.items.get(item_id).label}: {otherwise(said, '')}; what was said last counts")
    return tuple(found)


def _after_lock(bank: Bank, ids: set[int], people: Sequence[LabPerson]) -> dict[str, str]:
    """Which items wait again for people who have locked, because they were edited since, and by whom, in words by name."""
    waiting = [one for one in people if one.locked and one.left > 0]
    if not waiting:
        return {}
    shares, decided = bank.assignments.shares(), defaultdict(set)
    for label in bank.review.verdicts():
        decided[label.author].add(label.item_id)
    place_of, locks = bank.review.order(), [lock for lock in bank.review.locks() if lock.locked]
    found = {}
    for one in waiting:
        at = max(place_of[lock.event_id] for lock in locks if lock.author == one.name)
        told = []
        for item_id in sorted((shares.get(one.name, frozenset()) & ids if shares else ids) - decided[one.name]):
            since = [edit for edit in bank.review.edits(item_id) if not edit.undone and place_of[edit.event_id] > at]
            if since:
                told.append(f"item {bank.items.get(item_id).label} was edited by {since[-1].author}")
        if told:
            found[one.name] = first_of(told, 3)
    return found


def _people(
    bank: Bank,
    ids: set[int],
    paradigm: str | None,
    dataset: str | None,
    handed: frozenset[int],
    remarks: Sequence[Comment],
    *,
    only: str | None,
) -> tuple[LabPerson, ...]:
    shares, named = bank.assignments.shares(), bank.assignments.adjudicators()
    how_far = {one.author: one for one in progress(bank, paradigm=paradigm, dataset=dataset)}
    by_person: dict[str, list[Decision]] = defaultdict(list)
    adjudicators = {name for item_id, names in named.items() if item_id in ids for name in names}
    # How and when they decided is so on whatever text that was.
    for decision in bank.decisions.all():
        if decision.item_id in ids and decision.by_person:
            by_person[decision.author].append(decision)
        elif decision.item_id in ids and decision.kind == "adjudication":
            adjudicators.add(decision.author)
    words = _words_read(bank, [d for decisions in by_person.values() for d in decisions if d.seen is not None])
    own = {name: share & ids for name, share in shares.items() if share & ids}
    remarked = Counter(one.author for one in remarks)
    names = {*own, *how_far, *adjudicators, *remarked, *([bank.gate.lead] if bank.gate.lead is not None else [])}
    found = []
    for name in sorted(names if only is None else {only}):
        person, decisions = how_far.get(name), by_person.get(name, [])
        roles = [
            ("lead", name == bank.gate.lead),
            ("annotator", name in own or person is not None),
            ("adjudicator", name in adjudicators),
        ]
        times = [d.seen.seconds for d in decisions if d.seen is not None and d.seen.seconds <= _BREAK_S]
        hasty = [d for d in decisions if d.seen is not None and too_fast(words[d.event_id], d.seen.seconds, _WORDS_PER_S)]
        share = len(own.get(name, ())) if shares else len(ids) if person is not None or only is not None else 0
        outside = person.outside if person is not None else 0
        found.append(
            LabPerson(
                name,
                tuple(role for role, has in roles if has),
                share,
                person.decided - outside if person is not None else 0,
                outside,
                person.locked if person is not None else False,
                person.peeks if person is not None else 0,
                median(times) if times else None,
                len(hasty),
                sum(d.seen is not None for d in decisions),
                len({decision.at[:10] for decision in decisions}),
                max((decision.at for decision in decisions), default=""),
                person.settled
                if person is not None
                else len((own.get(name, set()) if shares else ids if share else set()) & handed),
                max(decisions, key=lambda one: one.at).kind == "packet" if decisions else False,
                remarked[name],
            )
        )
    return tuple(found)


def _words_read(bank: Bank, decisions: Sequence[Decision]) -> dict[int, int]:
    """The words of the shortest sentence that stood on screen, by the decision's event: of the text that was decided on, which may have
    been edited since."""
    ids = tuple({decision.item_id for decision in decisions})
    items = {item.id: item for item in bank.items.iterate(ItemFilter(ids=ids))} if ids else {}
    found = {}
    for one in decisions:
        now = items[one.item_id]
        item = now if is_on_texts_of(one, now) else bank.items.at(one.item_id, one.revision_id)
        found[one.event_id] = min((len(sentence.text.split()) for sentence in item.sentences), default=0)
    return found


def _overlaps(
    bank: Bank, ids: set[int], people: Sequence[LabPerson], report: AgreementReport | None
) -> tuple[SharedReading, ...]:
    if report is None:
        return ()
    known = bank.assignments.known_verdicts()
    readers = {item_id: names for item_id, names in bank.assignments.readers().items() if item_id in ids and item_id not in known}
    shared = Counter(pair for names in readers.values() for pair in combinations(sorted(set(names)), 2))
    kappas = {
        (first, second): (raw.n, kappa)
        for part in report.parts
        if part.about == "decisions"
        for first, second, raw, kappa in part.pairs
    }
    found = []
    for pair in combinations([one.name for one in people], 2):
        decided, kappa = kappas.get(pair, (0, None))
        if shared[pair] or decided:
            estimate = (kappa.estimate, kappa.low, kappa.high, kappa.reason) if kappa is not None else (None,) * 4
            found.append(SharedReading(*pair, shared[pair] if readers else len(ids), decided, *estimate))
    return tuple(found)


def _own(bank: Bank, steps: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Of what is to be done, what the reader does: all of it for the lead, for others what is done under their name."""
    if bank.gate.lead in (None, bank.reader):
        return tuple(steps)
    mine = tuple(f" {how} {_typed(bank.reader)}" for how in ("--by", "--for"))
    return tuple((why, command) for why, command in steps if command.endswith(mine))


_NAME = "NAME"
"""Where nobody is known who could do it."""
_FILE = "FILE"
"""Where the name of a study's file would tell what it is about."""
_typed = shlex.quote
"""A name as one types it in a command."""


def _steps(
    people: Sequence[LabPerson],
    standing: Adjudication | None,
    after_lock: Mapping[str, str],
    flagged: int,
    waiting: Sequence[str],
    edited: Sequence[str],
    contested: Sequence[str],
    *,
    judging: Sequence[tuple[SheetCount, str, str]],
    shared_out: bool,
    whole: bool,
    items: int,
) -> list[tuple[str, str]]:
    steps = []
    if whole and not shared_out and items:
        steps.append(("Nothing is assigned: everybody reads everything.", "gapsmith assign --to NAME --to NAME --overlap 0.2"))
    for one in people:
        if "annotator" in one.roles and one.left > 0 and one.locked:
            why = after_lock.get(one.name)
            since = f"; since then {why}" if why else ""
            steps.append(
                (
                    f"{one.name} has locked and has {count(one.left, 'item')} left{since}: unlock (L), decide, lock again.",
                    f"gapsmith review --by {_typed(one.name)}",
                )
            )
        elif "annotator" in one.roles and one.left > 0 and one.by_packet:
            why = f"{one.name} has {count(one.left, 'item')} left, and answers by packet."
            steps.append((why, f"gapsmith packet make FILE.xlsx --for {_typed(one.name)}"))
        elif "annotator" in one.roles and one.left > 0:
            steps.append((f"{one.name} has {count(one.left, 'item')} left.", f"gapsmith review --by {_typed(one.name)}"))
        elif "annotator" in one.roles and not one.locked and one.decided:
            steps.append(
                (
                    f"{one.name} has decided on all and can lock (L; who answers by packet: gapsmith packet take FILE --lock).",
                    f"gapsmith review --by {_typed(one.name)}",
                )
            )
    for sheet, name, file in judging:
        begun = f"has {sheet.left:,} of {sheet.of:,} left" if sheet.done else f"has not begun, {sheet.of:,} left"
        asked = file if file == _FILE else _typed(file)
        steps.append((f"{sheet.author} {begun} in {name}.", f"gapsmith review --judge {asked} --by {_typed(sheet.author)}"))
    ready = sorted(one.name for one in people if "adjudicator" in one.roles)
    # The lead may, whoever else does.
    who = ready[0] if ready else next((one.name for one in people if "lead" in one.roles), _NAME)
    open_items = [
        *([f"{count(len(standing.disputed), 'item')} disputed"] if standing is not None and standing.disputed else []),
        *([f"{count(flagged, 'item')} flagged"] if flagged else []),
    ]
    if edited:
        named, was, wait = ("Items", "were", "wait") if len(edited) > 1 else ("Item", "was", "waits")
        why = f"{named} {first_of(edited, 3)} {was} edited by who adjudicates, and {wait} for a verdict there."
        steps.append(
            (why, f"gapsmith review --adjudicate --show item:{','.join(edited)} --by {who if who == _NAME else _typed(who)}")
        )
    if waiting and open_items:
        steps.append(
            (f"{listed(open_items)} so far. {adjudication_waits(waiting)}", f"gapsmith review --by {_typed(waiting[0])}")
        )
        return steps
    if standing is not None and standing.disputed:
        unlocked = f" Not locked yet: {', '.join(standing.unlocked)}." if standing.unlocked else ""
        steps.append(
            (
                f"{count(len(standing.disputed), 'item')} disputed.{unlocked}",
                f"gapsmith review --adjudicate --by {who if who == _NAME else _typed(who)}",
            )
        )
    if flagged:
        why = f"{count(flagged, 'item')} {'is' if flagged == 1 else 'are'} flagged."
        steps.append((why, f"gapsmith review --adjudicate --show status:flagged --by {who if who == _NAME else _typed(who)}"))
    if contested:
        named, be, say = ("Items", "were", "their") if len(contested) > 1 else ("Item", "was", "its")
        why = f"{named} {first_of(contested, 3)} {be} disputed until somebody decided otherwise who could see {say} other decisions by then."
        steps.append(
            (why, f"gapsmith review --adjudicate --show item:{','.join(contested)} --by {who if who == _NAME else _typed(who)}")
        )
    if standing is not None and not standing.disputed and not standing.undecided and items:
        steps.append(("Everything else is decided." if flagged else "Everything is decided.", "gapsmith score"))
    return steps


# In words


def lab_text(page: LabPage) -> str:
    """The page as text."""
    lines = [f"{count(page.items, 'item')}; {page.lead or 'nobody'} leads this bank. Roles: lead, annotator, adjudicator.", ""]
    lines += _aligned([_HEAD, *(_cells(one) for one in page.people)])
    if not page.whole:
        lines += [
            "",
            "Others' pace, agreement and disputes are shown to the lead, and to you once you have locked (L in the review).",
        ]
    for title, part in sections(page):
        lines += ["", title, *(f"    {line}" for line in part)]
    return "\n".join(lines)


_HOW_REMARKS = ": in adjudication the filter status:commented shows them, `gapsmith annotations remarks` lists them"
_HEAD = ("who", "locked", "share", "decided", "left", "s/item", "days", "last")


def _cells(one: LabPerson) -> tuple[str, ...]:
    return (
        one.name,
        "yes" if one.locked else "no",
        f"{one.share:,}",
        f"{one.decided:,}",
        f"{max(one.left, 0):,}",
        f"{one.median_s:.1f}" if one.median_s is not None else "",
        str(one.days) if one.days else "",
        _when(one.last_at),
    )


def _about(one: LabPerson) -> str:
    said = [f"{one.name}: {', '.join(one.roles) or 'no role'}"]
    said += [f"{one.hasty:,} of {one.timed:,} faster than one sentence can be read"] if one.hasty else []
    said += ["looked once" if one.looks == 1 else f"looked {one.looks:,} times"] if one.looks else []
    said += [count(one.remarks, "remark")] if one.remarks else []
    said += [f"{one.outside:,} outside of their share"] if one.outside else []
    if one.settled:
        # Before they have locked, adjudication is not shown to them: their own pages count these as left.
        blind = "" if one.locked else f", which {one.name} is not shown and counts as left"
        said.append(f"{one.settled:,} more edited or settled in adjudication, nothing to decide there{blind}")
    return "; ".join(said)


def _when(at: str) -> str:
    return datetime.fromisoformat(at).strftime("%Y-%m-%d %H:%M") if at else ""


def sections(page: LabPage) -> list[tuple[str, list[str]]]:
    """What follows the table of people: titles with lines; none is empty."""
    found: list[tuple[str, list[str]]] = [("Roles, and what stands out", [_about(one) for one in page.people])]
    overlap = []
    for one in page.overlaps:
        why = f" ({one.reason})" if one.reason and one.decided else " yet"
        kappa = f"no kappa{why}" if one.kappa is None else f"kappa {one.kappa:.2f}"
        if one.kappa is not None:
            kappa += f" [{one.low:.2f}, {one.high:.2f}]" if one.low is not None and one.high is not None else why
        both = f"{one.decided:,} of {one.assigned:,} decided by both"
        if one.decided > one.assigned:
            # What was decided stays where shares are others now.
            both = f"{one.decided:,} decided by both, of whose shares {one.assigned:,} are in common now"
        overlap.append(f"{one.first} and {one.second}: {both}, {kappa}")
    found.append(("Overlap and agreement so far", overlap))
    if page.report is not None:
        alpha = [part.alpha for part in page.report.parts if part.about == "decisions" and part.alpha.estimate is not None]
        if alpha:
            known_ends = alpha[0].low is not None and alpha[0].high is not None
            interval = f" [{alpha[0].low:.2f}, {alpha[0].high:.2f}]" if known_ends else f" ({alpha[0].reason})"
            overlap.append(f"all: Krippendorff's alpha {alpha[0].estimate:.2f}{interval}, n = {alpha[0].n}")
        overlap += changes_in_words(page.report.changes, page.report.unlocked)
        overlap += edited_lines(page.report)
        known = [
            f"{one.author}: {one.hits} of {one.decided} as known [{one.low:.2f}, {one.high:.2f}]"
            for one in page.report.calibration
        ]
        found.append(("Calibration", known))
        course = [line.strip() for line in drift_lines(page.report.drift)]
        # The heading is the page's own; where nobody has decided on enough, the one line there is says so.
        found.append(("Drift", course[2:] or course[1:]))
        found.append(("Faults likely left", fault_lines(page.report.faults)))
    if page.standing is not None:
        now = page.standing
        informed = f"{len(now.informed):,} alike, {NOT_BLIND}, " if now.informed else ""
        coming = f" ({page.coming:,} of them with a reader to come)" if page.coming else ""
        found.append(
            (
                "Where the items stand",
                [
                    f"{len(now.agreed):,} decided alike by two or more{coming}, {informed}{len(now.single):,} by one,"
                    f" {now.undecided:,} by nobody"
                    + (f" ({len(now.edited):,} of them edited since people decided)" if now.edited else ""),
                    f"{len(now.disputed):,} disputed, {len(now.adjudicated):,} adjudicated",
                    *(f"adjudicated by several, not alike: {one}" for one in page.apart),
                    *([f"{count(page.remarked, 'item')} with remarks{_HOW_REMARKS}"] if page.remarked else []),
                    *([told] if (told := page.unfinished.told("approved")) else []),
                    "in all " + ", ".join(f"{n:,} {status}" for status, n in page.statuses),
                    *(
                        [f"{count(page.calibrating, 'calibration item')} besides: they calibrate, and are no part of the results"]
                        if page.calibrating
                        else []
                    ),
                ],
            )
        )
    found.append(("Studies", [f"{page.studies[one.study]}, {one.author}: {one.words}" for one in page.sheets]))
    found.append(("Next", [f"{why} {command}" for why, command in page.steps]))
    return [(title, lines) for title, lines in found if lines]


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def lab_html(page: LabPage) -> str:
    """The page as the body of an HTML document."""
    head = "".join(f"<th>{html.escape(name)}</th>" for name in _HEAD)
    rows = "".join(
        "<tr>"
        + "".join(
            f"<td{' class=number' if name in _NUMBERS else ''}>{html.escape(cell)}</td>"
            for name, cell in zip(_HEAD, _cells(one), strict=True)
        )
        + "</tr>"
        for one in page.people
    )
    leads = html.escape(f"{count(page.items, 'item')}; {page.lead or 'nobody'} leads this bank.")
    body = f"<h1>The lab</h1><p>{leads}</p><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    if not page.whole:
        body += "<p>Others' pace, agreement and disputes are shown to the lead, and to you once you have locked.</p>"
    for title, lines in sections(page):
        if title == "Next":
            steps = "".join(f"<li>{prose_html(why)} <code>{html.escape(command)}</code></li>" for why, command in page.steps)
            body += f"<h2>Next</h2><ul>{steps}</ul>"
        else:
            body += f"<h2>{html.escape(title)}</h2><ul>{''.join(f'<li>{prose_html(line)}</li>' for line in lines)}</ul>"
    return body


_NUMBERS = {"share", "decided", "left", "s/item", "days"}
