"""Who reads what, who adjudicates, and items whose right verdict is known: the only place that writes and reads assignments.

All are events, so that copies of a bank agree on them. An item can be assigned to several people. As long as nothing was ever
assigned, everybody may read everything; from the first assignment on, everybody reads what is theirs, and who has no share
reads nothing. A calibration item is one with a known verdict, read by everybody; nobody is told which items these are.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from gapsmith.bank.connection import Db
from gapsmith.bank.events import add_events
from gapsmith.bank.projection import IN_ORDER
from gapsmith.bank.records import Verdict


class AssignmentTable:
    """Items by who is to read them."""

    def __init__(self, db: Db) -> None:
        self._db = db

    def assign(
        self,
        given: Mapping[int, Collection[str]],
        known: Mapping[int, Verdict] | None = None,
        *,
        by: str,
        adjudicators: Collection[str] = (),
    ) -> None:
        """Keep who reads what and who adjudicates it, in the place of what was assigned of these items before, and the known
        verdicts, as one action."""
        entries: list[tuple[int, dict[str, Any]]] = []
        for item_id in sorted(given):
            payload: dict[str, Any] = {"to": sorted(given[item_id])}
            if known is not None and item_id in known:
                payload["known"] = known[item_id].value
            if adjudicators:
                payload["adjudicators"] = sorted(adjudicators)
            entries.append((item_id, payload))
        if entries:
            add_events(self._db, "assign", entries, author=by)

    def of(self, reader: str) -> frozenset[int] | None:
        """The items that somebody is to read, none for one without a share; None where nothing was ever assigned, so that
        everybody may read everything."""
        said = list(self._newest())
        return frozenset(item_id for item_id, own in said if reader in own["to"]) if said else None

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

    def known_verdicts(self) -> dict[int, Verdict]:
        """The calibration items, with the verdict that is known of each."""
        return {item_id: Verdict(said["known"]) for item_id, said in self._newest() if "known" in said}

    def _newest(self) -> Iterator[tuple[int, Mapping[str, Any]]]:
        rows = self._db.checked("event", f"SELECT * FROM event WHERE kind = 'assign' ORDER BY {IN_ORDER}")
        newest = {row["item_id"]: row["payload"] for row in rows}
        for item_id, payload in newest.items():
            yield item_id, json.loads(payload)
