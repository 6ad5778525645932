"""Who reads what, who adjudicates, and items whose right verdict is known: the only place that writes and reads assignments.

All are events, so that copies of a bank agree on them. An item can be assigned to several people. As long as nothing was ever
assigned, everybody may read everything; from the first assignment on, everybody reads what is theirs, and who has no share
reads nothing. A calibration item is one with a known verdict, read by everybody; nobody is told which items these are.
"""

from __future__ import annotations

import json
import shlex
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gapsmith.bank.connection import Db
from gapsmith.bank.errors import LockedError
from gapsmith.bank.events import add_events
from gapsmith.bank.locks import is_locked, read_locks
from gapsmith.bank.names import PERSON, as_name
from gapsmith.bank.projection import IN_ORDER
from gapsmith.bank.records import Verdict
from gapsmith.bank.seeing import Gate
from gapsmith.templates import count

Place = tuple[str, str]
"""Paradigm and data set."""


@dataclass(frozen=True, slots=True)
class Awaited:
    """For whom adjudicating waits, as of one state of assignments and locks."""

    places: Mapping[int, Place]
    """Where each item is."""
    waiting: Mapping[Place, tuple[str, ...]]
    """Who has a share there and has not locked."""
    readers: Mapping[int, tuple[str, ...]]
    """Who is to read each item."""

    def of(self, item_ids: Collection[int]) -> tuple[str, ...]:
        """Who has not locked in the data sets of these items, by name."""
        return tuple(sorted({name for place in {self.places[one] for one in item_ids} for name in self.waiting.get(place, ())}))


class AssignmentTable:
    """Items by who is to read them."""

    def __init__(self, db: Db, gate: Gate) -> None:
        self._db = db
        self._gate = gate

    def assign(
        self,
        given: Mapping[int, Collection[str]],
        known: Mapping[int, Verdict] | None = None,
        *,
        by: str,
        adjudicators: Collection[str] = (),
    ) -> None:
        """Keep who reads what and who adjudicates it, in the place of what was assigned of these items before, and the known
        verdicts, as one action. Raises `LockedError` as `refuse_locked` does."""
        entries: list[tuple[int, dict[str, Any]]] = []
        for name in {name for names in given.values() for name in names} | set(adjudicators):
            as_name(name, PERSON, slashes=True)
        for item_id in sorted(given):
            payload: dict[str, Any] = {"to": sorted(given[item_id])}
            if known is not None and item_id in known:
                payload["known"] = known[item_id].value
            if adjudicators:
                payload["adjudicators"] = sorted(adjudicators)
            entries.append((item_id, payload))
        if entries:
            with self._db.write():
                self.refuse_locked(given)
                add_events(self._db, "assign", entries, author=by)

    def refuse_locked(self, given: Mapping[int, Collection[str]]) -> None:
        """Raise `LockedError` where items are new to somebody who has locked their data set and has not decided on them: they would see
        what others say of these before they decide."""
        if found := self.new_to_locked(given, self.readers()):
            raise LockedError(
                f"items would be new to people who see already what others say of them: {'; '.join(found)}",
                hint=f"They take the lock back first, with L: {'; '.join(found.values())}. Or assign to others. Nothing was assigned.",
            )

    def new_to_locked(self, given: Mapping[int, Collection[str]], before: Mapping[int, Collection[str]]) -> dict[str, str]:
        """Who has locked data sets in which `given` makes items new to them, on which they have not decided: who, where and how many
        in words, and the command by which they take the lock back."""
        locks = read_locks(self._db)
        if not any(lock.locked for lock in locks):
            return {}
        decided = {
            (row["item_id"], row["author"])
            for row in self._db.execute(
                "SELECT d.item_id, d.author FROM decision_state d JOIN current_item AS item ON item.id = d.item_id"
                " AND d.texts = item.texts WHERE d.kind = 'person'"
            )
        }
        places = {row["id"]: (row["paradigm"], row["dataset"]) for row in self._db.execute("SELECT * FROM current_item")}
        new = Counter(
            (name, *places[item_id])
            for item_id, names in given.items()
            for name in names
            if item_id in places and name not in before.get(item_id, ()) and (item_id, name) not in decided
        )
        return {
            f"{name} has locked {paradigm}/{dataset} ({count(n, 'item')})": (
                f"gapsmith review --by {shlex.quote(name)} -p {paradigm} -d {shlex.quote(dataset)}"
            )
            for (name, paradigm, dataset), n in sorted(new.items())
            if is_locked(locks, name, paradigm, dataset)
        }

    def not_locked(self, item_ids: Collection[int]) -> tuple[str, ...]:
        """Who has a share in the data sets of these items and has not locked all of it there, by name."""
        return self.awaited().of(item_ids) if self._gate.shared_out else ()

    def awaited(self) -> Awaited:
        """Who has not locked, in each data set, and who reads each item."""
        rows = self._db.tuples("SELECT id, paradigm, dataset FROM current_item")
        places = {item_id: (paradigm, dataset) for item_id, paradigm, dataset in rows}
        readers = {item_id: tuple(said["to"]) for item_id, said in self._newest()}
        people: dict[Place, set[str]] = defaultdict(set)
        for item_id, names in readers.items():
            if item_id in places:
                people[places[item_id]].update(names)
        locks = read_locks(self._db)
        waiting = {
            place: tuple(name for name in sorted(names) if not is_locked(locks, name, *place)) for place, names in people.items()
        }
        return Awaited(places, waiting, readers)

    def of(self, reader: str) -> frozenset[int] | None:
        """The items that somebody is to read, none for one without a share; None where nothing was ever assigned, so that
        everybody may read everything."""
        said = list(self._newest())
        return frozenset(item_id for item_id, own in said if reader in own["to"]) if said else None

    def outside(self, name: str, item_ids: Collection[int]) -> tuple[list[int], list[int]]:
        """Of these items those that are not somebody's to read, where anything was assigned at all: first those that they adjudicate, as
        the lead or because they were named, then the others."""
        said = dict(self._newest(item_ids))
        strange = [item_id for item_id in item_ids if name not in said.get(item_id, {}).get("to", ())]
        if not strange or not self._gate.shared_out:
            return [], []
        leads = name == self._gate.lead
        settled = [one for one in strange if leads or name in said.get(one, {}).get("adjudicators", ())]
        return settled, [one for one in strange if one not in set(settled)]

    def shares(self) -> dict[str, frozenset[int]]:
        """The items of everybody who has a share, by name."""
        found: dict[str, set[int]] = defaultdict(set)
        for item_id, said in self._newest():
            for name in said["to"]:
                found[name].add(item_id)
        return {name: frozenset(found[name]) for name in sorted(found)}

    def readers(self) -> dict[int, tuple[str, ...]]:
        """Who is to read each item that was assigned, by name."""
        return {item_id: tuple(said["to"]) for item_id, said in self._newest()}

    def adjudicators(self) -> dict[int, tuple[str, ...]]:
        """Who adjudicates each item for which somebody was named."""
        return {item_id: tuple(said["adjudicators"]) for item_id, said in self._newest() if said.get("adjudicators")}

    def who_adjudicates_instead(self, author: str) -> tuple[str, ...]:
        """Who adjudicates here where the author does not: those who were named for any item, and not the author, who leads the bank as little.
        Nobody where the author may."""
        named = {name for names in self.adjudicators().values() for name in names}
        return () if author in named or author == self._gate.lead else tuple(sorted(named))

    def known_verdicts(self) -> dict[int, Verdict]:
        """The calibration items, with the verdict that is known of each."""
        return {item_id: Verdict(said["known"]) for item_id, said in self._newest() if "known" in said}

    def _newest(self, item_ids: Collection[int] | None = None) -> Iterator[tuple[int, Mapping[str, Any]]]:
        """What was assigned last of each item, or of these."""
        of = "" if item_ids is None else " AND item_id IN (SELECT value FROM json_each(?))"
        values = () if item_ids is None else (json.dumps(list(item_ids)),)
        rows = self._db.checked("event", f"SELECT * FROM event WHERE kind = 'assign'{of} ORDER BY {IN_ORDER}", values)
        newest = {row["item_id"]: row["payload"] for row in rows}
        for item_id, payload in newest.items():
            yield item_id, json.loads(payload)
