"""Decisions from outside the review screen: by item, by filter, from a file, by policy."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bank import Bank, ItemFilter, ItemStatus, Severity, Verdict
from bank.formats import DecisionRow
from templates.errors import ConfigError, GapsmithError


@dataclass(frozen=True, slots=True)
class Decided:
    """What a decision command did, or would do."""

    approved: int = 0
    excluded: int = 0
    flagged: int = 0
    left: int = 0
    """Items of the selection that were not decided on."""


def resolve_labels(bank: Bank, labels: Sequence[str], selection: ItemFilter) -> list[int]:
    """The items with these labels. Raises `ConfigError` for a label that no item has, or items of several sets have."""
    found: dict[str, list[int]] = defaultdict(list)
    for item in bank.items.iterate(dataclasses.replace(selection, labels=tuple(labels))):
        found[item.label].append(item.id)
    for label in labels:
        if not found[label]:
            raise ConfigError(f"there is no item {label!r} here", hint="Check --paradigm and --dataset.")
        if len(found[label]) > 1:
            raise ConfigError(
                f"{len(found[label])} items are called {label!r}, in different paradigms or data sets",
                hint="Say which with --paradigm and --dataset.",
            )
    return [found[label][0] for label in dict.fromkeys(labels)]


def decide_selected(
    bank: Bank,
    item_ids: Sequence[int],
    verdict: Verdict,
    *,
    author: str,
    reason: str | None = None,
    comment: str | None = None,
) -> Decided:
    """One decision on several items, as one action that one undo takes back."""
    bank.decisions.decide(item_ids, verdict, author=author, reason=reason, comment=comment)
    count = len(item_ids)
    return Decided(
        approved=count if verdict is Verdict.APPROVE else 0,
        excluded=count if verdict is Verdict.EXCLUDE else 0,
        flagged=count if verdict is Verdict.FLAG else 0,
    )


def decide_by_file(
    bank: Bank, path: Path, rows: Sequence[DecisionRow], selection: ItemFilter, *, author: str
) -> Decided:
    """The decisions of a file, all or none; a row's own author wins over `author`."""
    counts = dict.fromkeys(Verdict, 0)
    with bank.transaction():
        for row in rows:
            try:
                ids = resolve_labels(bank, [row.label], selection)
            except ConfigError as error:
                raise ConfigError(f"{path}, line {row.line}: {error.message}", hint=error.hint) from None
            bank.decisions.decide(ids, row.verdict, author=row.author or author, reason=row.reason, comment=row.comment)
            counts[row.verdict] += 1
    return Decided(counts[Verdict.APPROVE], counts[Verdict.EXCLUDE], counts[Verdict.FLAG])


def decide_by_policy(
    bank: Bank,
    selection: ItemFilter,
    *,
    severity: Severity = Severity.WARNING,
    rulesets: Mapping[str, str] | None = None,
) -> Decided:
    """Approve the pending items that have no finding at or above a severity, recorded as decided by that policy.

    What a person has decided stays. Raises `GapsmithError` where items have not been linted in their current state, or
    not with `rulesets`, by paradigm (all rules, today's word lists and predictions): having no finding then means nothing."""
    pending = dataclasses.replace(selection, statuses=(ItemStatus.PENDING,))
    with bank.transaction():
        unread = [
            item_id
            for name in bank.paradigms.names()
            if selection.paradigm in (None, name)
            for item_id in bank.findings.unlinted(
                dataclasses.replace(pending, paradigm=name), ruleset=rulesets[name] if rulesets is not None else None
            )
        ]
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
    return Decided(approved=len(clean), left=len(dirty))
