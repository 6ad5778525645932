"""Decisions from outside the review screen: by item, by filter, from a file, by policy."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from gapsmith.bank import (
    Bank,
    BankError,
    BankMovedError,
    ItemFilter,
    ItemStatus,
    Matcher,
    Severity,
    TextsDifferError,
    Verdict,
    awaited_for,
    digest_of,
)
from gapsmith.bank.formats import AnnotationFile, DecisionRow, JudgementRow, RemarkRow
from gapsmith.templates import ConfigError, GapsmithError
from gapsmith.vetting.annotators import adjudicated_apart, otherwise, too_early
from gapsmith.vetting.lint_run import unread_sets
from gapsmith.vetting.reasons import checked_reason


@dataclass(frozen=True, slots=True)
class Decided:
    """What a decision command did, or would do."""

    approved: int = 0
    excluded: int = 0
    flagged: int = 0
    left: int = 0
    """Items of the selection, or lines of the file, on which nothing was decided."""
    known: int = 0
    """Lines of a file that say what their author has said here already, of these texts."""
    judged: int = 0
    """Sentences that were judged."""
    remarked: int = 0
    """Remarks that were kept."""
    settled: int = 0
    """Of the decided items, those of others that the author settled as who leads the bank or adjudicates: nobody's vote."""
    unlocked: tuple[str, ...] = ()
    """Who had a share in the data sets of items that were settled or adjudicated, and had not locked: that stays on record."""
    overruled: tuple[str, ...] = ()
    """Of those, which ones somebody else had adjudicated otherwise, and who; what was said last counts."""
    unread_remarks: int = 0
    """Lines of a file whose column ``remarks`` says something that was not read."""
    looked: str = ""
    """What the rules looked at in the items that a policy approved, in words."""
    changed: tuple[str, ...] = ()
    """Ids of items that were left out, since the file is about other texts of them."""


def resolve_labels(bank: Bank, labels: Sequence[str], selection: ItemFilter) -> list[int]:
    """The items with these labels. Raises `ConfigError` for a label that no item has, or items of several sets have."""
    # An item may have another name for the reader (`gapsmith.bank.seeing.Gate.label`).
    found = {label: bank.items.ids(dataclasses.replace(selection, labels=(label,))) for label in labels}
    for label in labels:
        if not found[label]:
            raise ConfigError(f"there is no item {label!r} here", hint=bank.gate.finding_names)
        if len(found[label]) > 1:
            raise ConfigError(
                f"{len(found[label])} items are called {label!r}, in different paradigms or data sets",
                hint="Say which with --paradigm and --dataset.",
            )
    return [item_ids[0] for item_ids in found.values()]


def decide_selected(
    bank: Bank,
    item_ids: Sequence[int],
    verdict: Verdict,
    *,
    author: str,
    early: bool = False,
    reason: str | None = None,
    comment: str | None = None,
    reasons: Sequence[str] = (),
) -> Decided:
    """One decision on several items, as one action that one undo takes back. `reasons` are those that there are for an exclusion (none:
    any). Raises `ConfigError` for another one, for “other” without words, and for settling items of others, unless that is to be `early`,
    while somebody who has a share in their data sets has not locked."""
    if verdict is Verdict.EXCLUDE and reason is not None:
        reason = checked_reason(reason, comment, reasons)
    settled, _ = bank.assignments.outside(author, item_ids)
    waiting = _expect_locked(bank, settled, early=early)
    bank.decisions.decide(item_ids, verdict, author=author, reason=reason, comment=comment)
    # Who reads nothing and adjudicates sees what the others who do have said.
    seeing = bank if bank.assignments.of(author) else bank.read_by(author, everything=True)
    apart = adjudicated_apart(seeing, set(settled)) if settled else {}
    count = len(item_ids)
    return Decided(
        approved=count if verdict is Verdict.APPROVE else 0,
        excluded=count if verdict is Verdict.EXCLUDE else 0,
        flagged=count if verdict is Verdict.FLAG else 0,
        settled=len(settled),
        unlocked=waiting,
        overruled=tuple(f"{bank.items.get(item_id).label} ({otherwise(said, author)})" for item_id, said in apart.items()),
    )


NOTHING_DECIDED = "Nothing was decided."


def _expect_locked(bank: Bank, settled: Collection[int], *, early: bool) -> tuple[str, ...]:
    """Whom settling these items should wait for. Raises `ConfigError`, naming them, unless it is to be `early`."""
    waiting = awaited_for(bank, settled) if settled else ()
    if waiting and not early:
        raise too_early(waiting)
    return waiting


def decide_by_file(
    bank: Bank,
    path: Path,
    given: AnnotationFile,
    selection: ItemFilter,
    *,
    author: str,
    our_ids: bool = False,
    skip_changed: bool = False,
    early: bool = False,
    reasons: Sequence[str] = (),
) -> Decided:
    """The decisions, judgements or remarks of a file, all or none; a row's own author wins over `author`.

    Items are found as `gapsmith.bank.matching.Matcher` does it. What its author has said here already, of the same texts, is not said
    again. With `skip_changed`, rows about other texts than the items have are left out. `reasons` are those that there are for an exclusion
    (none: any). Raises `ConfigError`, naming line and item, and where items are settled before it is time, as `decide_selected` does."""
    finder = Matcher(bank, path, selection, our_ids=our_ids, unchanged=NOTHING_DECIDED, skip="--skip-changed")
    counts = dict.fromkeys(Verdict, 0)
    changed: list[str] = []
    known = judged = remarked = settled = 0
    adjudicated: set[int] = set()
    standing = _Standing(bank)
    with bank.transaction():
        for row in given.decisions:
            item_id = _found(finder, row, changed, skip_changed=skip_changed)
            if item_id is None:
                continue
            by = row.author or author
            settles = row.kind == "person" and bool(bank.assignments.outside(by, [item_id])[0])
            if settles:
                row = dataclasses.replace(row, kind="adjudication")
            if standing.has_decision(item_id, by, row):
                known += 1
                continue
            with _named(path, row):
                reason = row.reason
                if row.verdict is Verdict.EXCLUDE and reason is not None and row.kind != "policy":
                    reason = checked_reason(reason, row.comment, reasons)
                bank.decisions.decide(
                    [item_id],
                    row.verdict,
                    author=by,
                    kind=row.kind,
                    reason=reason,
                    comment=row.comment,
                    texts={item_id: row.reference.text_digest} if row.reference.text_digest else None,
                    file=path.name,
                )
            counts[row.verdict] += 1
            settled += settles
            if row.kind == "adjudication":
                adjudicated.add(item_id)
        waiting = _expect_locked(bank, adjudicated, early=early)
        for judgement in given.judgements:
            item_id = _found(finder, judgement, changed, skip_changed=skip_changed)
            if item_id is None:
                continue
            by = judgement.author or author
            if standing.has_judgement(item_id, by, judgement):
                known += 1
                continue
            with _named(path, judgement):
                bank.decisions.judge(
                    item_id,
                    judgement.condition,
                    judgement.value,
                    author=by,
                    points=judgement.points,
                    seconds=judgement.seconds,
                    alone=judgement.points is not None or judgement.seconds is not None,
                )
            judged += 1
        for remark in given.remarks:
            item_id = _found(finder, remark, changed, skip_changed=skip_changed)
            if item_id is None:
                continue
            by = remark.author or author
            if standing.has_remark(item_id, by, remark):
                known += 1
                continue
            with _named(path, remark):
                bank.review.comment(item_id, remark.text, author=by, condition=remark.condition)
            remarked += 1
    return Decided(
        counts[Verdict.APPROVE],
        counts[Verdict.EXCLUDE],
        counts[Verdict.FLAG],
        left=given.empty,
        known=known,
        judged=judged,
        remarked=remarked,
        settled=settled,
        unlocked=waiting,
        unread_remarks=given.unread_remarks,
        changed=tuple(dict.fromkeys(changed)),
    )


@contextmanager
def _named(path: Path, row: DecisionRow | JudgementRow | RemarkRow) -> Iterator[None]:
    """What the bank refuses, with the place in the file that asked for it."""
    try:
        yield
    except BankMovedError:
        raise
    except (BankError, ConfigError) as refused:
        raise ConfigError(
            f"{path}, line {row.reference.line}: item {row.reference.label}: {refused.message}",
            hint=f"{refused.hint} {NOTHING_DECIDED}".strip(),
        ) from None


def _found(finder: Matcher, row: DecisionRow | JudgementRow | RemarkRow, changed: list[str], *, skip_changed: bool) -> int | None:
    try:
        return finder.find(row.reference).id
    except TextsDifferError:
        if not skip_changed:
            raise
        changed.append(row.reference.label)
        return None


class _Standing:
    """What people and policies say now, on the texts that items have, whoever brings the file: what an author has said already
    is not said again. Whoever asks has the file in hand, and learns no more than that the bank says the same."""

    def __init__(self, bank: Bank) -> None:
        bank = bank.read_by(bank.reader, everything=True)
        self._decisions = {
            (d.item_id, d.author, "person" if d.by_person else d.kind): (d.verdict, d.reason, d.comment)
            for d in bank.decisions.current()
        }
        judged = bank.decisions.judgements()
        wanted = ItemFilter(ids=tuple({j.item_id for j in judged}))
        texts = {item.id: digest_of(item.sentences) for item in bank.items.iterate(wanted)} if judged else {}
        self._judgements = {
            (j.item_id, j.author, j.condition): (j.rating, j.points) for j in judged if texts.get(j.item_id) == j.text_digest
        }

        self._remarks = {(one.item_id, one.author, one.condition, one.text.strip()) for one in bank.review.comments()}

    def has_decision(self, item_id: int, author: str, row: DecisionRow) -> bool:
        said = self._decisions.get((item_id, author, row.kind))
        return said == (row.verdict, row.reason, row.comment)

    def has_judgement(self, item_id: int, author: str, row: JudgementRow) -> bool:
        return self._judgements.get((item_id, author, row.condition)) == (row.value, row.points)

    def has_remark(self, item_id: int, author: str, row: RemarkRow) -> bool:
        return (item_id, author, row.condition, row.text) in self._remarks


def decide_by_policy(
    bank: Bank,
    selection: ItemFilter,
    *,
    severity: Severity = Severity.WARNING,
    rulesets: Mapping[str, str],
) -> Decided:
    """Approve the pending items that have no finding at or above a severity, recorded as decided by that policy.

    What a person has decided stays. Raises `GapsmithError` where items have not been linted in their current state, by themselves and with
    their data sets, or not with `rulesets`, by paradigm (all rules, today's word lists and predictions): having no finding then means
    nothing."""
    if bank.gate.shared_out and bank.gate.lead not in (None, bank.reader):
        raise GapsmithError(
            f"items are shared out here, and a policy decides on everybody's: {bank.gate.lead} leads this bank, and {bank.reader} does not",
            hint="Decide on your own items, with `gapsmith review` or by their ids. Nothing was decided.",
        )
    pending = dataclasses.replace(selection, statuses=(ItemStatus.PENDING,))
    with bank.transaction():
        unread: set[int] = set()
        for name in bank.paradigms.names():
            if selection.paradigm in (None, name) and name in (selection.paradigms or (name,)):
                own = dataclasses.replace(pending, paradigm=name)
                unread.update(bank.findings.unlinted(own, ruleset=rulesets[name]))
                sets = unread_sets(bank, name, rulesets[name])
                unread.update(frozenset(bank.items.ids(own)).intersection(chain.from_iterable(sets.values())))
        if unread:
            raise GapsmithError(
                f"{len(unread):,} of the items have not been linted since they came or were edited, or with other word lists "
                "or another expected status",
                hint="Run `gapsmith lint` first; then having no finding means something. Nothing was decided.",
            )
        dirty = set(bank.items.ids(dataclasses.replace(pending, severity=severity)))
        clean = [item_id for item_id in bank.items.ids(pending) if item_id not in dirty]
        if clean:
            comment = f"no finding at or above {severity.value}"
            bank.decisions.decide(clean, Verdict.APPROVE, author="policy:clean", kind="policy", comment=comment)
    looked = bank.findings.looked(ItemFilter(ids=tuple(clean))).told if clean else ""
    return Decided(approved=len(clean), left=len(dirty), looked=looked)
