"""Who reads what, and items whose right verdict is known: the only place that writes and reads assignments.

Both are events, so that copies of a bank agree on them. An item can be assigned to several people; whoever has been assigned
something is shown that and nothing else, and whoever has not is shown everything. A calibration item is one with a known
verdict, read by everybody; nobody is told which items these are.
"""

from __future__ import annotations

import json
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

    def assign(self, given: Mapping[int, Collection[str]], known: Mapping[int, Verdict] | None = None, *, by: str) -> None:
        """Keep who reads what, in the place of what was assigned of these items before, and the known verdicts, as one action."""
        entries: list[tuple[int, dict[str, Any]]] = []
        for item_id in sorted(given):
            payload: dict[str, Any] = {"to": sorted(given[item_id])}
            if known is not None and item_id in known:
                payload["known"] = known[item_id].value
            entries.append((item_id, payload))
        if entries:
            add_events(self._db, "assign", entries, author=by)

    def of(self, reader: str) -> frozenset[int] | None:
        """The items that somebody is to read; None for one to whom nothing was assigned, who may read everything."""
        mine = frozenset(item_id for item_id, said in self._newest() if reader in said["to"])
        return mine or None

    def known_verdicts(self) -> dict[int, Verdict]:
        """The calibration items, with the verdict that is known of each."""
        return {item_id: Verdict(said["known"]) for item_id, said in self._newest() if "known" in said}

    def _newest(self) -> Iterator[tuple[int, Mapping[str, Any]]]:
        rows = self._db.checked("event", f"SELECT * FROM event WHERE kind = 'assign' ORDER BY {IN_ORDER}")
        newest = {row["item_id"]: row["payload"] for row in rows}
        for item_id, payload in newest.items():
            yield item_id, json.loads(payload)
