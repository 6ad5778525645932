"""The queue of a reviewer: which items, in which order, and where we are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from gapsmith.bank import ItemStatus, QueueRow
from gapsmith.vetting.review.doubt import disagreement, is_doubtful
from gapsmith.vetting.review.filters import ORDERS, Query
from gapsmith.vetting.review.session import Session


class Queue:
    """The rows that fit a query, in an order, with a position. Rows stay where they are while they are worked on, even
    when a decision means that they no longer fit; `load` fits them again.

    Rows are read over several connections, in the background too, and may come in another order than they were read: a row
    never takes the place of a newer one (`QueueRow.as_of`)."""

    def __init__(self, session: Session, query: Query | None = None, order: str = "came") -> None:
        self.session = session
        self.query = self.begun_with = query or Query()
        """The filter, and the one to which clearing it goes back: in adjudication what is disputed."""
        self.order = order if order in ORDERS else "came"
        self.rows: list[QueueRow] = []
        self.position = 0
        self.sources = 0
        """From how many sources the rows come, as screens name these; with several, an item's label alone does not name it."""
        self._places: dict[int, int] = {}
        self._decided = self._flagged = 0
        self._newest: dict[int, QueueRow] = {}
        """Every row that was ever taken, also of items that a filter leaves out now."""
        self._as_of = 0
        """The newest event when it was read which items there are."""
        self.doubtless = False
        """Whether the order is by doubt and no row is doubtful."""
        self._disagreed: frozenset[int] = frozenset()
        """The items on which people disagreed, as far as the annotator may know, when the rows were put in order."""
        self._gone_through: set[int] = set()
        """Items decided on since the rows were read."""

    def load(self, query: Query | None = None, order: str | None = None) -> None:
        """Read the rows again, with another query or order if given, and stay on the same item if it is still there.

        Raises `ConfigError` for a query that cannot be answered; then nothing changes."""
        wanted, wanted_order = query if query is not None else self.query, order or self.order
        self.take(self.session.rows(wanted, wanted_order), wanted, wanted_order)

    def take(self, rows: Sequence[QueueRow], query: Query, order: str) -> None:
        """Take rows that were read elsewhere for a query and an order."""
        here = self.current
        self._as_of = max((row.as_of for row in rows), default=self._as_of)
        self.rows, self.query, self.order = [self._newer(row) for row in rows], query, order
        self._places = {row.id: i for i, row in enumerate(self.rows)}
        self.sources = len({self.session.source(row) for row in self.rows})
        self._decided = sum(map(self.session.decided, self.rows))
        self._flagged = sum(map(self.session.set_aside, self.rows))
        self.position = self._places.get(here.id, 0) if here is not None else 0
        self._gone_through.clear()
        self._note_doubts()

    def _note_doubts(self) -> None:
        self._disagreed = self._disagreements()
        self._note_doubtless()

    def _note_doubtless(self) -> None:
        sees = self.session.sees_dispute
        self.doubtless = self.order == "doubt" and not any(is_doubtful(row, sees_others=sees) for row in self.rows)

    def _disagreements(self) -> frozenset[int]:
        sees = self.session.sees_dispute
        disputed = (row for row in self.rows if row.status is ItemStatus.DISPUTED)
        return frozenset(row.id for row in disputed if disagreement(row, sees_others=sees(row)))

    def put_in_order(self) -> None:
        """In the order by doubt, put the rows in their places again where decisions of others or a lock have changed on which of
        them people disagree, and stay on the same item. Findings alone move nothing: one's own edit would."""
        if self.order != "doubt" or self._disagreements() == self._disagreed:
            return
        here = self.current
        self.rows = self._sorted(self.rows)
        self._places = {row.id: i for i, row in enumerate(self.rows)}
        self.position = self._places[here.id] if here is not None else 0
        self._note_doubts()

    def name_anew(self) -> None:
        """After a lock items are called otherwise, come from more sources as screens name these, and stand in another order: put the rows,
        which were read again, in their places, and stay on the same item."""
        self.take(self._sorted(self.rows), self.query, self.order)

    def _sorted(self, rows: Sequence[QueueRow]) -> list[QueueRow]:
        return self.session.in_order(rows, self.order)

    def _newer(self, row: QueueRow) -> QueueRow:
        """The row, or the one we have of the item where that is newer."""
        known = self._newest.get(row.id)
        if known is not None and known.as_of > row.as_of:
            return known
        self._newest[row.id] = row
        return row

    @property
    def current(self) -> QueueRow | None:
        """The row we are at; None where nothing fits."""
        return self.rows[self.position] if 0 <= self.position < len(self.rows) else None

    @property
    def decided(self) -> int:
        """How many of the rows are decided."""
        return self._decided

    @property
    def flagged(self) -> int:
        """In adjudication, how many of the rows stand flagged; those are not among the decided."""
        return self._flagged

    def go(self, position: int) -> bool:
        """Move to a position, kept within the queue; whether that is another one."""
        target = min(max(position, 0), max(len(self.rows) - 1, 0))
        moved = target != self.position
        self.position = target
        return moved

    def move(self, by: int) -> bool:
        """Move on or back; whether there was somewhere to go."""
        return self.go(self.position + by)

    def find(self, item_id: int) -> bool:
        """Move to an item; whether it is in the queue."""
        place = self._places.get(item_id)
        if place is None:
            return False
        self.position = place
        return True

    def next_undecided(self) -> bool:
        """Move to the next undecided item, from the start again after the end; False where all are decided."""
        count = len(self.rows)
        for step in range(1, count + 1):
            place = (self.position + step) % count
            if self.session.undecided(self.rows[place]):
                self.position = place
                return True
        return False

    def went_through(self, item_ids: Iterable[int], *, back: bool = False) -> None:
        """Note that items were decided on here, or that this was taken back."""
        (self._gone_through.difference_update if back else self._gone_through.update)(item_ids)

    def to_decide_together(self) -> list[QueueRow]:
        """The rows that a decision on all that is shown is about: not those on which somebody has decided here since they were read, nor
        those that do not stand any more as the filter wants it."""
        return [row for row in self.rows if row.id not in self._gone_through and self.session.fits(row, self.query)]

    def next_to_decide(self) -> bool:
        """Move to the next item to decide on, from the start again after the end; False where there is none. Who adjudicates or
        has asked for items by their status goes through what is shown, decided or not, once; others through what is undecided."""
        if not (self.session.adjudicating or self.query.statuses):
            return self.next_undecided()
        count = len(self.rows)
        for step in range(1, count + 1):
            place = (self.position + step) % count
            row = self.rows[place]
            if row.id not in self._gone_through or self.session.undecided(row):
                self.position = place
                return True
        return False

    def update(self, item_ids: Sequence[int]) -> None:
        """Read some rows again, in place."""
        self.replace(self.session.rows_by_id([item_id for item_id in item_ids if item_id in self._places]))

    def replace(self, rows: Mapping[int, QueueRow]) -> None:
        """Put rows that were read elsewhere in the place of those that we have, where these are not newer."""
        for item_id, row in rows.items():
            place, new = self._places.get(item_id), self._newer(row)
            if place is not None:
                old = self.rows[place]
                self._decided += self.session.decided(new) - self.session.decided(old)
                self._flagged += self.session.set_aside(new) - self.session.set_aside(old)
                self.rows[place] = new

    def renew(self, rows: Mapping[int, QueueRow]) -> int:
        """Take what another window changed: known rows in place, new items where nothing is filtered out, and none that have gone to
        others since. How many have; where nothing would be left, none goes."""
        whole = max((row.as_of for row in rows.values()), default=0) >= self._as_of
        gone = [row.id for row in self.rows if row.id not in rows] if whole else []
        if 0 < len(gone) < len(self.rows):
            left = frozenset(gone)
            here = next((row.id for row in self.rows[self.position :] if row.id not in left), None)
            self.take([row for row in self.rows if row.id not in left], self.query, self.order)
            self.position = self._places[here] if here is not None else len(self.rows) - 1
        else:
            gone = []
        if whole and not self.query.text and any(item_id not in self._places for item_id in rows):
            self.take(self._sorted(list(rows.values())), self.query, self.order)
            return len(gone)
        self.replace(rows)
        self.put_in_order()
        self._note_doubtless()
        return len(gone)
