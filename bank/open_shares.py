"""The only place that says what of people's shares is unread or not locked, and for whom adjudicating waits.

Unread is what of a share has no verdict of its reader on the text that it has now, and that nobody has settled in adjudication. Whoever
may not see what others decided is told of their own share alone: how far others are is told to the lead, and after the lock.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Set
from dataclasses import asdict, dataclass
from typing import Any

from gapsmith.bank.given_blind import Contested, contested, contested_in_words
from gapsmith.bank.locks import is_locked
from gapsmith.bank.records import ItemFilter
from gapsmith.bank.store import Bank
from gapsmith.templates import count, first_of, listed

_MOST_NAMED = 20
"""Items that a sentence names; the log and `show` have all."""


@dataclass(frozen=True, slots=True)
class OpenShare:
    """The share of somebody who has not read or not locked all of it."""

    name: str
    share: int
    """Items that are theirs to read."""
    unread: int
    locked: bool

    @property
    def words(self) -> str:
        """``cy has 8 of 12 items left and has not locked``."""
        left = f"{self.unread:,} of {count(self.share, 'item')} left"
        if not self.unread:
            return f"{self.name} has not locked"
        return f"{self.name} has locked with {left}" if self.locked else f"{self.name} has {left} and has not locked"


@dataclass(frozen=True, slots=True)
class EarlyItem:
    """An item that stands as somebody settled it before it was time."""

    label: str
    unlocked: tuple[str, ...]
    """Who had a share in its data set and had not locked then."""
    unread: tuple[str, ...]
    """Which of its own readers had not decided on it then."""


@dataclass(frozen=True, slots=True)
class Unfinished:
    """What of the shares in a scope is unread or not locked, or was when items were settled, as far as the bank's reader may know."""

    shares: tuple[OpenShare, ...] = ()
    """Those that are not read and locked as wholes, by name; only the reader's own where others' are hidden."""
    items: int = 0
    """Items that lack the verdict of one who reads them, at least."""
    taken: int | None = None
    """Of these, how many are taken all the same, as the approved ones are; None where the reader may not know it."""
    hidden: str = ""
    """The reader, where others have shares and it may not be told how far they are."""
    early: tuple[EarlyItem, ...] = ()
    """Without items that calibrate, whose verdict is known."""
    contested: tuple[Contested, ...] = ()
    """Without these, too."""

    def as_data(self) -> dict[str, Any]:
        """As JSON takes it; items are named by what they are called."""
        return {
            **asdict(self),
            "contested": [{"label": one.label, "authors": list(one.authors)} for one in self.contested],
        }

    @property
    def settled_otherwise(self) -> str:
        """Which items stand by something else than blind verdicts and adjudication in its time; empty where none does. That stays so when
        reading is finished."""
        return " ".join(filter(None, [self.before_time, contested_in_words(self.contested)]))

    @property
    def before_time(self) -> str:
        """Which items were settled before all had locked, and before all had read them; empty where none was."""
        if not self.early:
            return ""
        names = sorted({name for one in self.early for name in one.unlocked})
        labels = first_of([one.label for one in self.early], _MOST_NAMED)
        said = (
            f"{count(len(self.early), 'item')} {'was' if len(self.early) == 1 else 'were'} adjudicated before everybody had locked"
            f" ({listed(names)} had not): {labels}"
        )
        unread = [f"{one.label} ({listed(one.unread)})" for one in self.early if one.unread]
        if not unread:
            return f"{said}; all their readers had read them."
        return f"{said}. {len(unread):,} of them before all readers had read them: {first_of(unread, _MOST_NAMED)}."

    @property
    def who(self) -> str:
        """Whose shares these are, in a sentence; empty where there are none."""
        return f"Reading is not finished: {'; '.join(one.words for one in self.shares)}." if self.shares else ""

    def told(self, taken: str) -> str:
        """All of it in a sentence or two; empty where there is nothing to say. `taken` says what is done with items: ``analysed``."""
        return " ".join(filter(None, [self.left(taken), self.settled_otherwise]))

    def left(self, taken: str) -> str:
        """The same of what is unread or not locked now."""
        said = [self.who] if self.shares else []
        if self.items:
            among = "" if self.taken is None else f", {self.taken:,} of them among those {taken}"
            said.append(f"{count(self.items, 'item')} {'lacks' if self.items == 1 else 'lack'} a reader's verdict{among}.")
        if self.hidden:
            said.append(f"How far others are with their shares is not shown to {self.hidden} before the lock.")
        return " ".join(said)


def unfinished(bank: Bank, *, paradigm: str | None = None, dataset: str | None = None, taken: Collection[int] = ()) -> Unfinished:
    """What of the shares in a scope is unread or not locked; of the items that lack a verdict, how many are among `taken`. Where
    nothing was ever assigned, only what is contested."""
    shares = bank.assignments.shares()
    ids = set(bank.items.ids(ItemFilter(paradigm=paradigm, dataset=dataset)))
    whole = may_see_others(bank, paradigm, dataset) or bank.gate.sees_all(ids)
    known = bank.assignments.known_verdicts().keys()
    open_again = contested(bank, paradigm=paradigm, dataset=dataset) if whole else ()
    open_again = tuple(one for one in open_again if one.item_id not in known)
    if not shares:
        return Unfinished(contested=open_again)
    own = {name: share & ids for name, share in shares.items() if share & ids}
    told = {name: share for name, share in own.items() if whole or name == bank.reader}
    left = unread(bank, told)
    found = []
    for name, share in told.items():
        locked = _has_locked(bank, name, ids)
        if left[name] or not locked:
            found.append(OpenShare(name, len(share), len(left[name]), locked))
    lacking = frozenset[int]().union(*left.values())
    return Unfinished(
        tuple(found),
        len(lacking),
        len(lacking.intersection(taken)) if whole else None,
        bank.reader if own.keys() - told.keys() else "",
        _early(bank, ids - known) if whole else (),
        open_again,
    )


def _early(bank: Bank, ids: Set[int]) -> tuple[EarlyItem, ...]:
    # The newest adjudication of a text is the one that counts.
    standing = {one.item_id: one for one in bank.decisions.current() if one.kind == "adjudication" and one.item_id in ids}
    return tuple(
        EarlyItem(bank.items.get(item_id).label, one.unlocked, one.unread)
        for item_id, one in sorted(standing.items())
        if one.unlocked
    )


def unread(bank: Bank, shares: dict[str, frozenset[int]]) -> dict[str, frozenset[int]]:
    """Of each person's items those on which they have still to decide."""
    decided: dict[str, set[int]] = defaultdict(set)
    for label in bank.review.verdicts():
        decided[label.author].add(label.item_id)
    handed = frozenset[int]().union(*handed_on(bank, frozenset[int]().union(*shares.values())))
    return {name: share - handed - decided[name] for name, share in shares.items()}


def has_locked(bank: Bank, author: str, *, paradigm: str | None = None, dataset: str | None = None) -> bool:
    """Whether somebody has locked all data sets of a scope in which they have a share: the only meaning of “has locked” on every page,
    list and screen. Where nothing was assigned all items are everybody's; who has no share goes by what they have decided."""
    return _has_locked(bank, author, set(bank.items.ids(ItemFilter(paradigm=paradigm, dataset=dataset))))


def _has_locked(bank: Bank, author: str, ids: Set[int]) -> bool:
    share = bank.assignments.of(author)
    own = ids if share is None else share & ids
    if not own:
        own = {label.item_id for label in bank.review.verdicts() if label.author == author} & ids
    locks, places = bank.review.locks(), bank.review.places()
    return bool(own) and all(is_locked(locks, author, *place) for place in {places[item_id] for item_id in own})


def handed_on(bank: Bank, ids: Set[int]) -> tuple[frozenset[int], frozenset[int]]:
    """Of these items, those on which their readers have nothing to decide (any more), although their text was edited: those that were
    adjudicated as they stand; and those that were edited last by somebody who adjudicates them and reads none of them, so that they wait
    for a verdict of theirs. As far as the bank's reader may know."""
    settled = frozenset(bank.review.adjudicated()) & ids
    readers, named, lead = bank.assignments.readers(), bank.assignments.adjudicators(), bank.gate.lead
    before = set(bank.review.decided_before()) & ids - settled
    decisions = bank.decisions.all() if before else []
    adjudicating = {one.author for one in decisions if one.kind == "adjudication"}
    deciding = {one.author for one in decisions if one.by_person}
    waiting = set()
    for item_id in before:
        edit = next((edit for edit in reversed(bank.review.edits(item_id)) if not edit.undone), None)
        if edit is None:
            continue
        who = edit.author
        if readers:
            settles = who not in readers.get(item_id, ()) and (
                who == lead or who in named.get(item_id, ()) or who in adjudicating
            )
        else:
            settles = who in adjudicating and who not in deciding
        if settles:
            waiting.add(item_id)
    return settled, frozenset(waiting)


def awaited(bank: Bank, *, paradigm: str | None = None, dataset: str | None = None) -> tuple[str, ...]:
    """Who has a share in a scope and has not locked all of it, by name: until they have, their decisions may change, and it is too
    soon to adjudicate. Nobody where nothing was assigned, because then nobody knows who is to decide."""
    return bank.assignments.not_locked(bank.items.ids(ItemFilter(paradigm=paradigm, dataset=dataset)))


def awaited_for(bank: Bank, item_ids: Collection[int]) -> tuple[str, ...]:
    """Who has a share in the data sets of these items and has not locked all of it there, by name: who settles the items waits for
    them, as who adjudicates a data set in the review does."""
    return bank.assignments.not_locked(item_ids)


def may_see_others(bank: Bank, paradigm: str | None, dataset: str | None) -> bool:
    """Whether the reader may see what others decided in a scope without a look on record: who leads the bank, and who has locked,
    where nothing is hidden from them (a lock opens the data sets that it is about)."""
    if not bank.gate.blind:
        return True
    if not has_locked(bank, bank.reader, paradigm=paradigm, dataset=dataset):
        return False
    return all(map(bank.gate.sees, bank.gate.hidden(ItemFilter(paradigm=paradigm, dataset=dataset))))
