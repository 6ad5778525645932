"""Agreement among the annotators of a scope, gathered once and told as lines or data."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import Any

from gapsmith.bank import (
    Bank,
    BlindLabels,
    InformedChange,
    ItemFilter,
    ItemStatus,
    Label,
    Unlocked,
    blind_labels,
    blind_verdicts,
    changes_in_words,
    naming,
    unfinished,
)
from gapsmith.templates import count
from gapsmith.vetting.agreement import (
    AgreementCoefficient,
    Proportion,
    RatingTable,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    pairwise_agreement,
    unanimity,
)
from gapsmith.vetting.annotators import (
    NOT_BLIND,
    adjudication,
    on_one_text,
    progress,
    rating_tables,
    reason_table,
    still_to_read,
    verdict_table,
    who_adjudicates,
)
from gapsmith.vetting.assignment import DRIFT_FROM, Calibration, DriftBlock, calibration, drift
from gapsmith.vetting.faults_left import FaultsLeft, faults_left
from gapsmith.vetting.reasons import reasons_of

_DECISIONS, _SENTENCES = "decisions", "sentences: "


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far people agree on one thing."""

    about: str
    """``decisions``, ``reason: …`` or ``sentences: <condition>``, of a scale ``sentences: <condition>, 1 to 7``, of a study with its
    digest after that."""
    raters: tuple[str, ...]
    raw: Proportion
    """Units on which all agree."""
    pairs: tuple[tuple[str, str, Proportion, AgreementCoefficient], ...]
    """For every two raters: raw agreement and Cohen's kappa."""
    fleiss: AgreementCoefficient
    alpha: AgreementCoefficient


@dataclass(frozen=True, slots=True)
class AgreementReport:
    """Agreement on decisions, on each reason for exclusion that was given, and on the sentences of each condition."""

    annotators: tuple[str, ...]
    left_out: int
    """Labels that were not given blind and are not counted; of `changes`, what stood before is."""
    parts: tuple[Agreement, ...]
    calibration: tuple[Calibration, ...]
    """How everybody did on the items whose verdict is known."""
    lead: str | None = None
    """Who leads the bank, and so sees what others decide without a look on record."""
    lead_after_others: int = 0
    """Counted labels of the lead that came after another person's of the same item."""
    calibrating: int = 0
    """Labels of calibration items, which are not counted unless that was asked for."""
    drift: tuple[DriftBlock, ...] = ()
    """How everybody does on calibration items over time."""
    edited: int = 0
    """Items that have other texts now than those on which two people or more gave labels that are counted."""
    other_texts: int = 0
    """Labels that are not counted since most people labelled another text of the same item."""
    faults: tuple[FaultsLeft, ...] = ()
    """How many faults are likely left in what every two people have read."""
    changes: tuple[InformedChange, ...] = ()
    """What people say otherwise since they could know what others say."""
    unlocked: tuple[Unlocked, ...] = ()
    """Who has taken a lock back."""
    blind: bool = True
    """Only what was said blind is counted."""


def agreement_report(
    bank: Bank,
    *,
    paradigm: str | None = None,
    dataset: str | None = None,
    blind: bool = True,
    calibrating: bool = False,
) -> AgreementReport:
    """Agreement about the texts that people read in a scope (`on_one_text`), also where these were edited afterwards. With `blind`,
    only labels given before their author had looked at others' or had locked (`gapsmith.bank.blind_labels`); with `calibrating`,
    calibration items count, which everybody reads because their verdict is known."""
    all_verdicts = bank.review.verdicts(paradigm=paradigm, dataset=dataset, earlier=True)
    all_ratings = bank.review.ratings(paradigm=paradigm, dataset=dataset, earlier=True)
    known = frozenset() if calibrating else bank.assignments.known_verdicts().keys()
    verdicts = [label for label in all_verdicts if label.item_id not in known]
    ratings = [label for label in all_ratings if label.item_id not in known]

    def counted(labels: list[Label], *, sentences: bool) -> BlindLabels:
        if sentences:
            found = blind_labels(bank, labels, sentences=True, paradigm=paradigm, dataset=dataset)
        else:
            found = blind_verdicts(bank, paradigm=paradigm, dataset=dataset)
            kept = {label.event_id for label in found.labels}
            found = replace(found, left_out=sum(label.event_id not in kept for label in labels))
        stood = tuple(label for label in found.labels if label.item_id not in known)
        changes = tuple(change for change in found.changes if change.item_id not in known)
        return replace(found, labels=stood if blind else tuple(labels), changes=changes)

    seen_verdicts, seen_ratings = counted(verdicts, sentences=False), counted(ratings, sentences=True)
    kept_verdicts, other_verdicts = on_one_text(seen_verdicts.labels)
    kept_ratings, other_ratings = on_one_text(seen_ratings.labels)
    tables = {_DECISIONS: verdict_table(kept_verdicts)}
    for reason in _reasons(kept_verdicts):
        tables[f"reason: {reason}"] = reason_table(kept_verdicts, reason)
    for condition, table in rating_tables(kept_ratings, bank.review.study_names()).items():
        tables[f"{_SENTENCES}{condition}"] = table
    return AgreementReport(
        annotators=tuple(sorted({label.author for label in [*all_verdicts, *all_ratings]})),
        left_out=seen_verdicts.left_out + seen_ratings.left_out if blind else 0,
        parts=tuple(_agreement(about, table) for about, table in tables.items()),
        calibration=tuple(calibration(bank, paradigm=paradigm, dataset=dataset)),
        lead=bank.gate.lead,
        lead_after_others=_after_others(bank, bank.gate.lead, [*kept_verdicts, *kept_ratings]),
        calibrating=len(all_verdicts) + len(all_ratings) - len(verdicts) - len(ratings),
        edited=_edited([*kept_verdicts, *kept_ratings]),
        other_texts=len(other_verdicts) + len(other_ratings),
        drift=tuple(drift(bank, paradigm=paradigm, dataset=dataset)),
        faults=tuple(faults_left(kept_verdicts)),
        changes=(*seen_verdicts.changes, *seen_ratings.changes),
        unlocked=seen_verdicts.unlocked,
        blind=blind,
    )


def _edited(labels: Sequence[Label]) -> int:
    """How many items of which two people labelled the same thing have other texts now."""
    people: dict[tuple[int, str | None, str | None], set[str]] = defaultdict(set)
    for label in labels:
        if not label.current:
            people[label.item_id, label.condition, label.study].add(label.author)
    return len({item_id for (item_id, _, _), names in people.items() if len(names) > 1})


def _after_others(bank: Bank, author: str | None, labels: Sequence[Label]) -> int:
    """How many of the author's labels came after somebody else's of the same item."""
    place_of = bank.review.order()
    first: dict[int, int] = {}
    for label in labels:
        if label.author != author:
            place = place_of[label.event_id]
            first[label.item_id] = min(place, first.get(label.item_id, place))
    return sum(
        label.author == author and first.get(label.item_id, place_of[label.event_id]) < place_of[label.event_id]
        for label in labels
    )


def _reasons(labels: Sequence[Label]) -> list[str]:
    return sorted({reason for label in labels for reason in reasons_of(label.reason)})


def _agreement(about: str, table: RatingTable) -> Agreement:
    raters = table.raters
    return Agreement(
        about=about,
        raters=raters,
        raw=unanimity(table),
        pairs=tuple((a, b, pairwise_agreement(table, a, b), cohen_kappa(table, a, b)) for a, b in combinations(raters, 2)),
        fleiss=fleiss_kappa(table),
        alpha=krippendorff_alpha(table),
    )


def as_data(bank: Bank, report: AgreementReport) -> dict[str, Any]:
    """The report as plain data for JSON."""
    data = asdict(report)
    for one in data["calibration"]:
        missed = [bank.items.get(item_id) for item_id in one["missed"]]
        one["missed"] = [
            {"paradigm": item.paradigm, "dataset": item.dataset, "item": item.label, **naming(item)} for item in missed
        ]
    for change in data["changes"]:
        item = bank.items.get(change.pop("item_id"))
        change |= {"item": change.pop("label"), "paradigm": item.paradigm, "dataset": item.dataset, **naming(item)}
    for part in data["parts"]:
        part["pairs"] = [
            {"first": first, "second": second, "raw": raw, "kappa": kappa} for first, second, raw, kappa in part["pairs"]
        ]
    return data


def progress_lines(bank: Bank, *, paradigm: str | None = None, dataset: str | None = None, only: str | None = None) -> list[str]:
    """Who is how far, and where the items stand between those who decided. Counts only. With `only`, nothing but how
    far this person is: to somebody who is still deciding, counts of agreeing and disputed items would tell decisions."""
    people = [p for p in progress(bank, paradigm=paradigm, dataset=dataset) if only in {None, p.author}]
    if not people:
        return ["Nobody has decided anything here yet." if only is None else "You have not decided anything here yet."]
    lines = []
    for person in people:
        own = person.decided - person.outside
        share = own / person.total if person.total else 0.0
        bar = "█" * round(20 * share) + "░" * (20 - round(20 * share))
        state = "locked" if person.locked else "not locked"
        looked = f", looked {person.peeks} times" if person.peeks else ""
        unopened = person.decided - person.opened - person.elsewhere
        how = f", {unopened:,} of them unopened" if unopened else ""
        how += f", {person.elsewhere:,} in packets or files" if person.elsewhere else ""
        how += f", {person.outside:,} more outside of their share" if person.outside else ""
        how += f", {person.settled:,} more edited or settled in adjudication" if person.settled else ""
        lines.append(f"{person.author:<16} {bar} {own:,} of {person.total:,}{how}  {state}{looked}")
    if only is not None:
        return lines
    standing = adjudication(bank, paradigm=paradigm, dataset=dataset)
    before = f" ({len(standing.edited):,} of them edited since people decided)" if standing.edited else ""
    approved = bank.items.ids(ItemFilter(paradigm=paradigm, dataset=dataset, statuses=(ItemStatus.APPROVED,)))
    left = unfinished(bank, paradigm=paradigm, dataset=dataset, taken=approved)
    coming = still_to_read(bank, standing.agreed)
    # What all have said who read it so far is not what all say who are to read it.
    rest = f" for now, {coming:,} of them with a reader to come" if coming else "" if left.shares else ", nothing to do"
    others = f"{standing.undecided:,} by nobody{before}; {len(standing.adjudicated):,} adjudicated."
    lines += [
        "",
        f"{len(standing.agreed):,} items decided alike by two or more: they stand as decided{rest}.",
        *([f"{len(standing.informed):,} more alike, {NOT_BLIND}: so do these."] if standing.informed else []),
        f"{len(standing.single):,} decided by one person only; {others}",
    ]
    if len(people) > 1:
        settling = bank.assignments.who_adjudicates_instead(bank.reader)
        command = f": {who_adjudicates(settling)}" if settling else ": gapsmith review --adjudicate"
        lines.append(f"{len(standing.disputed):,} disputed{command if standing.disputed else ''}")
    if told := left.told("approved"):
        lines.append(told)
    return lines


def agreement_lines(bank: Bank, *, paradigm: str | None = None, dataset: str | None = None, blind: bool = True) -> list[str]:
    """The agreement in a scope as lines."""
    return report_lines(bank, agreement_report(bank, paradigm=paradigm, dataset=dataset, blind=blind))


def report_lines(bank: Bank, report: AgreementReport, *, full: bool = False) -> list[str]:
    """The agreement report as lines: decisions first, then what is known and overlooked; of each reason and condition the coefficient of all,
    with `full` that of every two people, too."""
    known = [*_calibration_lines(bank, report.calibration), *drift_lines(report.drift)]
    if len(report.annotators) < 2:
        return ["Agreement needs two annotators.", *known]
    parts = [part for part in report.parts if part.raw.n]
    lines = [line for part in parts if part.about == _DECISIONS for line in _part_lines(part)]
    if empty := [part.about for part in report.parts if part.raw.n == 0]:
        of_sentences = [about for about in empty if about.startswith(_SENTENCES)]
        named = [about for about in empty if about not in of_sentences]
        # A condition that is judged in the review and in a study is one condition of each.
        sources = Counter(about.removeprefix(_SENTENCES).partition(", ")[2] for about in of_sentences)
        named += [f"{count(n, 'condition')} of sentences ({source or 'the review'})" for source, n in sorted(sources.items())]
        lines.append(f"Nothing was labelled by two people: {', '.join(named)}.")
    if report.left_out:
        lines.append(
            f"{count(report.left_out, 'label')} given after a look or a lock {'is' if report.left_out == 1 else 'are'} left out."
        )
    lines += changes_in_words(report.changes, report.unlocked, blind=report.blind)
    lines += edited_lines(report)
    if report.calibrating:
        lines.append(f"{report.calibrating:,} labels of calibration items are left out; --calibration counts them.")
    if report.lead_after_others:
        lines.append(
            f"{report.lead} leads this bank and can see what others decide without a look on record;"
            f" {report.lead_after_others:,} of {report.lead}'s labels came after another's of the same item."
        )
    lines += known
    if told := fault_lines(report.faults):
        lines += [
            "",
            "Bad items that both have probably overlooked: the more of what one excluded the other excluded too, the fewer are left",
            "(capture-recapture, Chapman's estimate with a log-normal interval). Where both see the same easy ones, there are more:",
            *(f"    {line}" for line in told),
        ]
    others = [part for part in parts if part.about != _DECISIONS]
    if others and full:
        lines += ["", *(line for part in others for line in _part_lines(part))]
    elif others:
        lines += ["", "By reason and sentence (--full: also every two people):"]
        lines += [f"    {part.about}: {_proportion(part.raw)} alike; {_coefficient(part.alpha)}" for part in others]
    return [*lines, "", "Intervals: 95 %, items taken as independent; Wilson for shares, jackknife over items for coefficients."]


def edited_lines(report: AgreementReport) -> list[str]:
    """What became of the texts since they were labelled, as far as it bears on agreement."""
    lines = []
    if report.edited:
        have, their = ("has", "its") if report.edited == 1 else ("have", "their")
        lines.append(
            f"{count(report.edited, 'item')} {have} been edited since: agreement is about the text that people read,"
            f" results are about {their} new one."
        )
    if report.other_texts:
        lines.append(
            f"{count(report.other_texts, 'label')} given on another text of an item than most of its labels"
            f" {'is' if report.other_texts == 1 else 'are'} left out."
        )
    return lines


def _part_lines(part: Agreement) -> list[str]:
    lines = [f"{part.about}: {_proportion(part.raw)} alike"]
    lines += [f"    {first} and {second}: {_proportion(raw)}, {_coefficient(kappa)}" for first, second, raw, kappa in part.pairs]
    if len(part.raters) > 2:
        lines.append(f"    {_coefficient(part.fleiss)}")
    return [*lines, f"    {_coefficient(part.alpha)}"]


def _calibration_lines(bank: Bank, found: Sequence[Calibration]) -> list[str]:
    lines = ["", "Calibration items decided as is known of them:"] if found else []
    for one in found:
        # Ids begin anew in every data set.
        items = [bank.items.get(item_id) for item_id in one.missed]
        missed = ", ".join(f"{item.dataset}/{item.label}" for item in items)
        share = f"{one.hits} of {one.decided} = {one.hits / one.decided:.2f} [{one.low:.2f}, {one.high:.2f}]"
        lines.append(f"    {one.author}: {share}" + (f"; not {missed}" if missed else ""))
    return lines


def drift_lines(blocks: Sequence[DriftBlock]) -> list[str]:
    """How everybody does on calibration items over time, as lines; where nobody has decided on enough of them, how many it takes."""
    people = {block.author for block in blocks if block.number > 1}
    if not people:
        most = max((block.decided for block in blocks), default=0)
        few = f"Over time: nothing to compare yet; it takes {DRIFT_FROM} calibration decisions of one person, and there are {most} at most."
        return ["", few] if blocks else []
    lines = ["", "Over time, the earliest calibration decisions first:"]
    for author in sorted({block.author for block in blocks}):
        own = [block for block in blocks if block.author == author]
        if len(own) == 1:
            lines.append(f"    {author}: {own[0].hits} of {own[0].decided} so far; it takes {DRIFT_FROM} for a course")
            continue
        # Two stretches of one day are told apart by the time.
        days = {block.first_at[:10] for block in own}
        shown = 10 if len(days) == len(own) else 16
        told = " · ".join(
            f"{block.first_at[:shown].replace('T', ' ')} {block.hits} of {block.decided} [{block.low:.2f}, {block.high:.2f}]"
            for block in own
        )
        lines.append(f"    {author}: {told}")
    return lines


def fault_lines(found: Sequence[FaultsLeft]) -> list[str]:
    """How many faults are likely left, a line for every two people."""
    lines = []
    for one in found:
        caught = one.captured
        who = f"{one.first} and {one.second}, {count(one.items, 'item')}"
        if caught.left is None:
            lines.append(f"{who}: neither excluded any, which says nothing of how many there are")
            continue
        counts = f"{caught.found:,} excluded ({one.first} {caught.first:,}, {one.second} {caught.second:,}, both {caught.both:,})"
        if caught.left_low is None or caught.left_high is None:
            less, more = (one.first, one.second) if caught.first == caught.both else (one.second, one.first)
            lines.append(f"{who}: {counts}; {less} excluded none that {more} did not, which says nothing of how many are left")
            continue
        # There cannot be more than the items that nobody excluded.
        most = one.items - caught.found
        left, low, high = (min(value, most) for value in (caught.left, caught.left_low, caught.left_high))
        lines.append(f"{who}: {counts}; about {left:.1f} overlooked by both [{low:.1f}, {high:.1f}]")
    return lines


def _proportion(value: Proportion) -> str:
    if value.estimate is None or value.low is None or value.high is None:
        return "no item has two labels"
    return f"{value.hits} of {value.n} = {value.estimate:.2f} [{value.low:.2f}, {value.high:.2f}]"


def _coefficient(value: AgreementCoefficient) -> str:
    if value.estimate is None:
        return f"{value.name}: not defined ({value.reason})"
    if value.low is None or value.high is None:
        return f"{value.name} {value.estimate:.2f} ({value.reason})"
    return f"{value.name} {value.estimate:.2f} [{value.low:.2f}, {value.high:.2f}], n = {value.n}"
