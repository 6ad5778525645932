"""Where items came from, what the linter found and who set which aside: read from the bank, nothing computed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from bank import Bank, Decision, ItemFilter, ItemStatus, StoredItem, Verdict
from scoring.analysis.results import ItemAccount, ItemKey, SetAside, item_name

__all__ = ["account_for"]

_ORDER = (ItemStatus.EXCLUDED, ItemStatus.FLAGGED, ItemStatus.DISPUTED, ItemStatus.PENDING)
_VERDICTS = {ItemStatus.EXCLUDED: Verdict.EXCLUDE, ItemStatus.FLAGGED: Verdict.FLAG}


def account_for(
    bank: Bank, selection: ItemFilter, items: Sequence[StoredItem], analysed: frozenset[int]
) -> ItemAccount:
    """The account of `items` (those of `selection`), of which the ids in `analysed` were analysed."""
    everywhere = bank.findings.counts(selection)
    within = bank.findings.counts(ItemFilter(ids=tuple(sorted(analysed)))) if analysed else {}
    findings = [(*key, count, within.get(key, 0)) for key, count in everywhere.items()]
    runs = Counter(item.run_id for item in items)
    return ItemAccount(
        set_aside=_set_aside(bank, items),
        findings=tuple(sorted(findings, key=lambda row: (-row[1].rank, row[0]))),
        n_unlinted=len(bank.findings.unlinted(selection)),
        runs=tuple((bank.runs.get(run_id), count) for run_id, count in sorted(runs.items())),
    )


def _set_aside(bank: Bank, items: Sequence[StoredItem]) -> tuple[SetAside, ...]:
    """Items that are not approved, grouped by status, reason and who decided; the largest groups first."""
    aside = {item.id: item for item in items if item.status is not ItemStatus.APPROVED}
    decisions: defaultdict[int, list[Decision]] = defaultdict(list)
    for decision in bank.decisions.current():
        item = aside.get(decision.item_id)
        if item is not None and item.revision_id == decision.revision_id:
            decisions[item.id].append(decision)
    groups: defaultdict[tuple[ItemStatus, str, tuple[str, ...]], list[StoredItem]] = defaultdict(list)
    comments: defaultdict[tuple[ItemStatus, str, tuple[str, ...]], dict[str, None]] = defaultdict(dict)
    for item in aside.values():
        deciding = _deciding(item, decisions[item.id])
        key = (item.status, item.reason or "", tuple(sorted({_name(decision) for decision in deciding})))
        groups[key].append(item)
        comments[key].update(dict.fromkeys(decision.comment for decision in deciding if decision.comment))
    several = len({item.dataset for item in items}) > 1
    rows = [
        SetAside(
            status,
            reason,
            people,
            tuple(item_name(ItemKey(item.dataset, item.label), several=several) for item in members),
            tuple(comments[status, reason, people]),
        )
        for (status, reason, people), members in groups.items()
    ]
    return tuple(sorted(rows, key=lambda row: (_ORDER.index(row.status), -len(row.labels), row.reason)))


def _deciding(item: StoredItem, decisions: Sequence[Decision]) -> list[Decision]:
    """The decisions that gave the item its status: adjudications before people before policies."""
    wanted = _VERDICTS.get(item.status)
    for kind in ("adjudication", "person", "policy"):
        those = [decision for decision in decisions if decision.kind == kind]
        if those:
            return [decision for decision in those if wanted is None or decision.verdict is wanted]
    return []


def _name(decision: Decision) -> str:
    return decision.author if decision.kind == "person" else f"{decision.kind} {decision.author}"
