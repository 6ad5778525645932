"""The only place that decides which labels were given blind, and what stood blind where somebody said otherwise since.

The invariant: what agreement counts of a person on an item is what they said before they could know what others say of it, be that
by a look at the item or by a lock of its data set. What they say after that, once they have taken the lock back or have looked, replaces
nothing of it: the label that stood at that moment counts on, also where it was undone. Where none stood, nothing of theirs counts.
A lock opens nobody's answers in a study, so that these are blind until a look.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from gapsmith.bank.locks import Lock, is_locked
from gapsmith.bank.records import Decision, ItemFilter
from gapsmith.bank.review import Label
from gapsmith.bank.store import Bank
from gapsmith.templates import count, first_of, listed

_MOST_NAMED = 20
"""Changes that a sentence names; decisions.csv has all."""


@dataclass(frozen=True, slots=True)
class InformedChange:
    """What somebody says otherwise since they could know what others say."""

    author: str
    item_id: int
    label: str
    """What the item is called."""
    condition: str | None
    """Of a sentence that was judged; None for a decision on the item."""
    before: str
    """What stood blind."""
    now: str | None
    """None where it was taken back."""
    after_look: bool
    """After a look; else after a lock."""
    same_text: bool
    """Whether both are on the text that the item has now."""


@dataclass(frozen=True, slots=True)
class Unlocked:
    """Somebody who has taken a lock back."""

    author: str
    at: tuple[str, ...]
    """When, oldest first."""


@dataclass(frozen=True, slots=True)
class BlindLabels:
    """The labels of a scope that agreement counts."""

    labels: tuple[Label, ...]
    left_out: int
    """Labels that stand now and were not given blind."""
    changes: tuple[InformedChange, ...]
    unlocked: tuple[Unlocked, ...]


def blind_labels(
    bank: Bank, labels: Sequence[Label], *, sentences: bool = False, paradigm: str | None = None, dataset: str | None = None
) -> BlindLabels:
    """Of the verdicts of a scope, or with `sentences` the ratings (`gapsmith.bank.review.ReviewTable`, with those on earlier texts), those
    given blind, and in the place of the others what stood blind; as far as the bank's reader may see it."""
    locks, peeks = bank.review.locks(), bank.review.peeks()
    if not locks and not peeks:
        return BlindLabels(tuple(labels), 0, (), ())
    ids = bank.items.ids(ItemFilter(paradigm=paradigm, dataset=dataset))
    places, place_of = bank.review.places(), bank.review.order()
    looked: dict[tuple[str, int], int] = {}
    for peek in peeks:
        looked.setdefault((peek.author, peek.item_id), place_of[peek.event_id])
    first_lock: dict[tuple[str, tuple[str, str]], int] = {}
    for author, place in {(lock.author, place) for lock in locks for place in set(places.values())}:
        own = [place_of[lock.event_id] for lock in locks if lock.locked and is_locked([lock], author, *place)]
        if own:
            first_lock[author, place] = min(own)
    never = len(place_of)

    def opened(author: str, item_id: int) -> int:
        """The place of the event since which they could know."""
        return min(looked.get((author, item_id), never), first_lock.get((author, places[item_id]), never))

    def is_blind(label: Label) -> bool:
        key = (label.author, label.item_id)
        return place_of[label.event_id] <= (looked.get(key, never) if label.study is not None else opened(*key))

    back = [lock for lock in locks if not lock.locked and any(_covers(lock, places[item_id]) for item_id in ids)]
    maybe = {(label.author, label.item_id) for label in labels if not is_blind(label)}
    here = set(ids)
    maybe |= {key for key in looked if key[1] in here}
    maybe |= {(author, item_id) for author in {lock.author for lock in back} for item_id in ids}
    until = {key: at for key in maybe if (at := opened(*key)) < never}
    before = [label for label in bank.review.standing_before(until) if (label.condition is not None) == sentences]
    stood_as = {(label.author, label.item_id, label.condition): label.event_id for label in before}

    def is_kept(label: Label) -> bool:
        """An undo since then can bring back what was said earlier still: that did not stand."""
        is_as_it_stood = stood_as.get((label.author, label.item_id, label.condition)) == label.event_id
        return is_blind(label) and (label.study is not None or (label.author, label.item_id) not in until or is_as_it_stood)

    kept = [label for label in labels if is_kept(label)]
    others = {(la.author, la.item_id, la.condition): la for la in labels if not is_kept(la)}
    there = {(label.author, label.item_id, label.condition) for label in kept}
    stood = [label for label in before if (label.author, label.item_id, label.condition) not in there]
    changes = []
    for label in stood:
        now = others.get((label.author, label.item_id, label.condition))
        if now is None or _said(now) != _said(label):
            key = (label.author, label.item_id)
            changes.append(
                InformedChange(
                    label.author,
                    label.item_id,
                    bank.items.get(label.item_id).label,
                    label.condition,
                    _said(label),
                    _said(now) if now is not None else None,
                    looked.get(key, never) == until[key],
                    label.current and (now is None or now.current),
                )
            )
    by_author: dict[str, list[str]] = {}
    # One that is about several data sets counts once.
    for lock in {lock.event_id: lock for lock in back}.values():
        by_author.setdefault(lock.author, []).append(lock.at)
    return BlindLabels(
        (*kept, *stood),
        len(others),
        tuple(changes),
        tuple(Unlocked(author, tuple(times)) for author, times in sorted(by_author.items())),
    )


def blind_verdicts(bank: Bank, *, paradigm: str | None = None, dataset: str | None = None) -> BlindLabels:
    """`blind_labels` of all verdicts of a scope, which a page asks for many times."""

    def find() -> BlindLabels:
        labels = bank.review.verdicts(paradigm=paradigm, dataset=dataset, earlier=True)
        return blind_labels(bank, labels, paradigm=paradigm, dataset=dataset)

    return bank.gate.remembered(("blind verdicts", paradigm, dataset), find)


@dataclass(frozen=True, slots=True)
class Contested:
    """An item on which people disagreed until one of them, who could see the others' decisions by then, decided otherwise. Nobody has
    adjudicated it."""

    item_id: int
    label: str
    authors: tuple[str, ...]
    """Who decided otherwise."""


def contested(bank: Bank, *, paradigm: str | None = None, dataset: str | None = None) -> tuple[Contested, ...]:
    """Those of a scope, on the texts that items have now; as far as the bank's reader may see decisions."""
    found = blind_verdicts(bank, paradigm=paradigm, dataset=dataset)
    authors: dict[int, list[str]] = {}
    for change in found.changes:
        if change.same_text:
            authors.setdefault(change.item_id, []).append(change.author)
    if not authors:
        return ()
    now: dict[int, dict[str, str]] = {}
    for label in bank.review.verdicts(paradigm=paradigm, dataset=dataset):
        if label.item_id in authors:
            now.setdefault(label.item_id, {})[label.author] = label.value
    then = {item_id: dict(said) for item_id, said in now.items()}
    for label in found.labels:
        if label.current and label.item_id in authors:
            then.setdefault(label.item_id, {})[label.author] = label.value
    settled = set(bank.review.adjudicated(paradigm=paradigm, dataset=dataset))
    return tuple(
        Contested(item_id, bank.items.get(item_id).label, tuple(sorted(names)))
        for item_id, names in sorted(authors.items())
        if item_id not in settled and len(set(now.get(item_id, {}).values())) < 2 and len(set(then.get(item_id, {}).values())) > 1
    )


def contested_in_words(items: Sequence[Contested]) -> str:
    """Which items these are, and what to do; empty where there are none."""
    if not items:
        return ""
    labels = [one.label for one in items]
    names = sorted({name for one in items for name in one.authors})
    be, it = ("was", "it") if len(items) == 1 else ("were", "them")
    named, command = first_of(labels, _MOST_NAMED), f"gapsmith review --adjudicate --show item:{','.join(labels[:_MOST_NAMED])}"
    return (
        f"{count(len(items), 'item')} {be} disputed until {listed(names)}, who could see the others' decisions by then, decided otherwise:"
        f" {named}. Nobody has adjudicated {it}: {command}."
    )


@dataclass(frozen=True, slots=True)
class BlindCells:
    """What a table of decisions says in ``blind`` and ``said_blind``, of all items that the bank's reader may see decisions on."""

    given_blind: frozenset[int]
    """Events."""
    known: frozenset[int]
    """Those of which it is known: the decisions of people that count now."""
    stood: Mapping[tuple[int, str], Label]
    """What stood blind, by item and author, where they decided since or took it back."""

    def of(self, decision: Decision) -> dict[str, str]:
        """The cells of a decision; empty of policies and adjudications."""
        if decision.event_id not in self.known:
            return {"blind": "", "said_blind": ""}
        is_blind = decision.event_id in self.given_blind
        before = None if is_blind else self.stood.get((decision.item_id, decision.author))
        return {"blind": "yes" if is_blind else "no", "said_blind": _said(before) if before is not None else ""}

    def taken_back(self, decisions: Iterable[Decision]) -> list[tuple[Label, dict[str, str]]]:
        """What stood blind of people of whom no decision (of these, which are all) stands now, by item and author, with its cells."""
        standing = {(one.item_id, one.author) for one in decisions if one.by_person}
        return [
            (label, {"blind": "no", "said_blind": _said(label)})
            for key, label in sorted(self.stood.items())
            if key not in standing
        ]


def blind_cells(bank: Bank) -> BlindCells:
    """Those of all that the bank's reader may see."""
    now = frozenset(label.event_id for label in bank.review.verdicts(earlier=True))
    found = blind_verdicts(bank).labels
    stood = {(label.item_id, label.author): label for label in found if label.event_id not in now}
    return BlindCells(frozenset(label.event_id for label in found), now, stood)


def changes_in_words(changes: Iterable[InformedChange], unlocked: Iterable[Unlocked], *, blind: bool = True) -> list[str]:
    """Who has taken a lock back, when, and what they or others changed after they could know what others say, in sentences; `blind`: what
    stood before is what is counted."""
    by_author: dict[str, list[InformedChange]] = {}
    for change in changes:
        by_author.setdefault(change.author, []).append(change)
    back = {one.author: one.at for one in unlocked}
    lines = []
    for author in sorted({*by_author, *back}):
        own = by_author.get(author, [])
        when = f" took the lock back on {listed([_when(at) for at in back[author]])}" if author in back else ""
        if when and not own:
            lines.append(f"{author}{when} and changed nothing of what stood before.")
            continue
        counts = " Agreement counts what stood before." if blind else ""
        locked, looked = ([one for one in own if one.after_look is look] for look in (False, True))
        if when and not locked:
            lines.append(f"{author}{when}.")
        if locked:
            since = "" if when else " after the lock"
            lines.append(f"{author}{when and f'{when} and'} changed {_changed(locked)[0]}{since}: {_changed(locked)[1]}.{counts}")
        if looked:
            lines.append(
                f"{author} changed {_changed(looked)[0]} after a look at what others say: {_changed(looked)[1]}.{counts}"
            )
    return lines


def _changed(changes: Sequence[InformedChange]) -> tuple[str, str]:
    """How many labels, and which."""
    return count(len(changes), "label"), first_of([_told(one) for one in changes], _MOST_NAMED)


def _told(change: InformedChange) -> str:
    place = f"item {change.label}" + (f" ({change.condition})" if change.condition is not None else "")
    now = change.now if change.now is not None else "nothing"
    return f"{place} from {change.before} to {now}" + ("" if change.same_text else " (the text was edited)")


def _when(at: str) -> str:
    return f"{datetime.fromisoformat(at):%Y-%m-%d %H:%M} UTC"


def _said(label: Label) -> str:
    return label.value + (f" ({label.reason})" if label.reason else "")


def _covers(lock: Lock, place: tuple[str, str]) -> bool:
    return lock.paradigm in {None, place[0]} and lock.dataset in {None, place[1]}
