"""Where items came from, what the linter found and who set which aside: read from the bank, nothing computed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from gapsmith.bank import ELSEWHERE, Bank, Decision, ItemFilter, ItemStatus, StoredItem, Verdict, unfinished
from gapsmith.scoring.analysis.names import item_name
from gapsmith.scoring.analysis.results import Excluded, ItemAccount, SetAside
from gapsmith.scoring.observations import ItemKey

_ORDER = (ItemStatus.EXCLUDED, ItemStatus.FLAGGED, ItemStatus.DISPUTED, ItemStatus.PENDING)
_VERDICTS = {ItemStatus.EXCLUDED: Verdict.EXCLUDE, ItemStatus.FLAGGED: Verdict.FLAG}


def account_for(
    bank: Bank,
    selection: ItemFilter,
    items: Sequence[StoredItem],
    analysed: frozenset[int],
    hidden: frozenset[int] = frozenset(),
    planned_at: str | None = None,
) -> ItemAccount:
    """The account of `items` (those of `selection`), of which the ids in `analysed` were analysed. Where any are `hidden`,
    what was decided is left out."""
    everywhere = bank.findings.counts(selection)
    within = bank.findings.counts(ItemFilter(ids=tuple(sorted(analysed)))) if analysed else {}
    findings = [(*key, count, within.get(key, 0)) for key, count in everywhere.items()]
    runs = Counter(item.run_id for item in items)
    of_sets = tuple(
        entry
        for entry in (bank.findings.of_sets(selection.paradigm) if selection.paradigm else ())
        if selection.dataset in (None, entry.dataset)
    )
    # Where others' decisions are hidden, a list of the items that nobody has decided on would tell on which they have.
    open_items = [] if hidden else list(items)
    decisions, deciders = _current(bank, open_items, analysed)
    by_person, elsewhere, also_here, unopened, by_policy = _deciders(deciders)
    return ItemAccount(
        set_aside=_set_aside(open_items, decisions),
        n_left_out=len(hidden),
        excluded=_excluded(bank, open_items, decisions, planned_at),
        findings=tuple(sorted(findings, key=lambda row: (-row[1].rank, row[0]))),
        n_unlinted=len(bank.findings.unlinted(selection)),
        looked=bank.findings.looked(ItemFilter(ids=tuple(sorted(analysed)))).told if analysed else "looked at no item",
        runs=tuple((bank.runs.get(run_id), count) for run_id, count in sorted(runs.items())),
        by_policy=by_policy,
        n_by_person=by_person,
        n_unopened=unopened,
        n_elsewhere=elsewhere,
        n_elsewhere_and_here=also_here,
        unfinished=unfinished(bank, paradigm=selection.paradigm, dataset=selection.dataset, taken=analysed),
        of_sets=of_sets,
        titles=bank.findings.titles(),
    )


class _Decider(NamedTuple):
    """A decision, as far as it says who decided."""

    policy: str | None
    """The policy's name; None for people."""
    opened: bool | None


def _current(
    bank: Bank, items: Sequence[StoredItem], analysed: frozenset[int]
) -> tuple[dict[int, list[Decision]], dict[int, tuple[_Decider, ...]]]:
    """The decisions that count for each item's current texts, by item id; an old one does not speak for a new text. Whole for items that are
    not approved, and who decided for those that are analysed, which may be all of a large bank."""
    ids, aside = {item.id for item in items}, {item.id for item in items if item.status is not ItemStatus.APPROVED}
    decisions: defaultdict[int, list[Decision]] = defaultdict(list)
    deciders: dict[int, tuple[_Decider, ...]] = {}
    known: dict[tuple[_Decider, ...], tuple[_Decider, ...]] = {}
    for decision in bank.decisions.current():
        if decision.item_id in aside:
            decisions[decision.item_id].append(decision)
        if decision.item_id in ids and decision.item_id in analysed:
            own = _Decider(_author(decision) if decision.kind == "policy" else None, decision.opened)
            every = (*deciders.get(decision.item_id, ()), own)
            deciders[decision.item_id] = known.setdefault(every, every)
    return decisions, deciders


def _deciders(deciders: Mapping[int, Sequence[_Decider]]) -> tuple[int, int, int, int, tuple[tuple[str, int], ...]]:
    """Of the analysed items, how many a person decided on who had opened them, how many else people in packets or files of whom
    that is not known, how many of these people who had not as well, how many only people who had not, and how many only each policy did."""
    by_person, elsewhere, also_here, unopened, policies = 0, 0, 0, 0, Counter[str]()
    for own in deciders.values():
        people = [decision for decision in own if decision.policy is None]
        if any(decision.opened for decision in people):
            by_person += 1
        elif any(decision.opened is None for decision in people):
            elsewhere += 1
            also_here += any(decision.opened is False for decision in people)
        elif people:
            unopened += 1
        elif own[-1].policy is not None:
            policies[own[-1].policy] += 1
    return by_person, elsewhere, also_here, unopened, tuple(sorted(policies.items(), key=lambda entry: (-entry[1], entry[0])))


def _set_aside(items: Sequence[StoredItem], decisions: Mapping[int, Sequence[Decision]]) -> tuple[SetAside, ...]:
    """Items that are not approved, grouped by status, reason and who decided; the largest groups first."""
    aside = {item.id: item for item in items if item.status is not ItemStatus.APPROVED}
    groups: defaultdict[tuple[ItemStatus, str, tuple[str, ...]], list[StoredItem]] = defaultdict(list)
    comments: defaultdict[tuple[ItemStatus, str, tuple[str, ...]], dict[str, None]] = defaultdict(dict)
    for item in aside.values():
        deciding = _deciding(item, decisions.get(item.id, ()))
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


def _excluded(
    bank: Bank, items: Sequence[StoredItem], decisions: Mapping[int, Sequence[Decision]], planned_at: str | None
) -> tuple[Excluded, ...]:
    found = []
    for item in items:
        if item.status in _VERDICTS and (deciding := _deciding(item, decisions.get(item.id, ()))):
            at, first = max(own.at for own in deciding), bank.scores.first_at((item.id,))
            found.append(
                Excluded(item.reason or "", first is not None and first <= at, planned_at is not None and planned_at < at)
            )
    return tuple(found)


def _deciding(item: StoredItem, decisions: Sequence[Decision]) -> list[Decision]:
    """The decisions that gave the item its status: adjudications before people before policies."""
    wanted = _VERDICTS.get(item.status)
    adjudications = [decision for decision in decisions if decision.kind == "adjudication"]
    of_people = [decision for decision in decisions if decision.by_person]
    for those in (adjudications, of_people, list(decisions)):
        if those:
            return [decision for decision in those if wanted is None or decision.verdict is wanted]
    return []


def _name(decision: Decision) -> str:
    if decision.kind in ELSEWHERE:
        return f"{decision.author} ({decision.kind})"
    return decision.author if decision.by_person else f"{decision.kind} {_author(decision)}"


def _author(decision: Decision) -> str:
    """Who decided; a policy signs as ``policy:NAME``, of which this is the name."""
    return decision.author.removeprefix("policy:") if decision.kind == "policy" else decision.author
