"""The only place that decides what of others' verdicts a person may see.

The invariant: whoever reads a bank is somebody, its *reader*. Of an item, the reader sees their own verdicts, those of policies, and,
once they have decided on it, adjudicated ones; what other people decided, judged or remarked, the status that follows from it, counts
of it and the names behind edits only

- where the reader has locked the item's data set,
- where the reader has looked at the item, which is an event, so that agreement can tell what was decided after it, or
- where the reader leads the bank. On review screens the lead is an annotator like others.

A lock is about decisions. What others answered in an acceptability study, the reader sees where they have answered all of their own
sheet of that study, have looked at the item, or lead the bank: so a study can be judged after a lock.

All reading functions of the bank ask a `Gate`, and none reads the tables of decisions, judgements, comments or standings past it.
To choose what work is done on, such as the approved items that are scored or analysed, is no look: `ItemFilter.standing` goes by
everybody's decisions, and whoever uses it does not show which items these are, neither by name, nor by words, nor by values that other
tables have by name, and narrows it no further (`Gate.expect_to_tell_items`). Totals remain: who has the value of every item can reckon from
a mean over few of them which they are.

This protects from accident, not from a database tool: what is hidden lies in the file, and a name can be borrowed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

from gapsmith.bank.connection import CODE_FUNCTION, Db
from gapsmith.bank.digests import code_of
from gapsmith.bank.errors import BankError
from gapsmith.bank.events import add_event, add_events
from gapsmith.bank.locks import is_locked, read_locks
from gapsmith.bank.names import PERSON, as_name
from gapsmith.bank.projection import IN_ORDER
from gapsmith.bank.query import where
from gapsmith.bank.records import ItemFilter, ItemStatus, RunRecord, StoredItem, Verdict
from gapsmith.templates import count

T = TypeVar("T")
SOMEBODY = "somebody"
"""Who made an edit, to those who may not know it."""
BEGUN_BY, BEGUN_UNNAMED = "begun by", "begun unnamed"
"""The property with the name of who began the bank, and the one that says that this is only what an account is called."""
_HAS_AUTHORS = ("decision", "judgement", "choice", "comment", "lock", "assign", "dataset")
"""Kinds of events that people make. Edits and looks are not among them: programs edit too, and who looks has done nothing."""
CALIBRATING = (
    "SELECT said.item_id FROM event said WHERE said.kind = 'assign' AND said.payload ->> 'known' IS NOT NULL"
    " AND NOT EXISTS (SELECT 1 FROM event later WHERE later.item_id = said.item_id AND later.kind = 'assign'"
    " AND (later.at, later.seq, later.uid) > (said.at, said.seq, said.uid))"
)
"""The calibration items in SQL: those that were assigned last with the verdict that is known of them."""
_SPEAKS_OF_USED = re.compile(r"\bused\b")
"""In a prompt file that lists the words of earlier items."""
_STATUS = {
    Verdict.APPROVE: ItemStatus.APPROVED,
    Verdict.EXCLUDE: ItemStatus.EXCLUDED,
    Verdict.FLAG: ItemStatus.FLAGGED,
}


def account_name() -> str:
    """The name of the account on this machine: who somebody is that has not said so."""
    import getpass

    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "unnamed"


def note_beginner(db: Db, name: str, *, named: bool = True) -> None:
    """Keep who began a new bank, and so leads it; and where that is only what their account is called."""
    with db.write():
        for key, value in ((BEGUN_BY, name), *(() if named else ((BEGUN_UNNAMED, "yes"),))):
            db.execute("INSERT OR IGNORE INTO property (name, value) VALUES (?, ?)", (key, value))


class _Known(NamedTuple):
    """What the gate goes by, as of one state of the bank."""

    lead: str | None
    others: bool
    """Whether anybody but the reader has ever recorded anything."""
    locked: tuple[int, ...]
    """The data sets that the reader has locked."""
    finished: tuple[str, ...]
    """The acceptability studies, by digest, in which the reader has answered all of their sheet."""


class Gate:
    """What one reader may see, as relations and conditions of SQL that stand in the place of the bank's own tables.

    `reviewing`: at a review screen, where also the lead is an annotator like others and no policy may lead the eye.
    `everything`: for who adjudicates, whose door has recorded the looks that this takes (`look`)."""

    def __init__(self, db: Db, reader: str, *, reviewing: bool = False, everything: bool = False) -> None:
        self._db = db
        self.reader = reader
        self._me = "'" + reader.replace("'", "''") + "'"
        self._reviewing = reviewing
        self._everything = everything
        self._state: tuple[int, int, int] | None = None
        self._remembered: tuple[tuple[int, int, int] | None, dict[Hashable, Any]] = (None, {})
        self._known = _Known(None, False, (), ())
        self._looked_for_shares: tuple[int, int, bool, tuple[int, ...]] = (-1, 0, False, ())
        self._looked_for_finished: tuple[int, int, tuple[str, ...]] = (-1, 0, ())

    # Who sees everything

    @property
    def lead(self) -> str | None:
        """Who leads the bank: who began it, in banks of older releases its first author, or whom that one has named since. None
        where nobody has done anything yet."""
        return self._now().lead

    @property
    def leads(self) -> tuple[str, ...]:
        """Everybody who has led the bank, the first one first; who leads it now comes last."""
        return tuple(self._all_leads())

    @property
    def begun_unnamed(self) -> bool:
        """Whether who began the bank had not said who they are."""
        return self._db.property(BEGUN_UNNAMED) is not None

    @property
    def blind(self) -> bool:
        """Whether there may be something that the reader may not see."""
        if self._everything:
            return False
        if self._reviewing:
            return True
        known = self._now()
        return known.others and known.lead != self.reader

    @property
    def adjudicating(self) -> bool:
        """Whether the reader adjudicates, and so sees what everybody says."""
        return self._everything

    def remembered(self, key: Hashable, find: Callable[[], T]) -> T:
        """What was found under that key since the bank last changed; else what `find` finds."""
        state = self._db.state()
        if self._remembered[0] != state:
            self._remembered = (state, {})
        known = self._remembered[1]
        if key not in known:
            known[key] = find()
        found: T = known[key]
        return found

    def _now(self) -> _Known:
        state = self._db.state()
        if state != self._state:
            self._known = _Known(self._read_lead(), self._has_others(), tuple(self._read_locked()), self._read_finished())
            self._state = state
        return self._known

    def _read_lead(self) -> str | None:
        return next(reversed(self._all_leads()), None)

    def _all_leads(self) -> list[str]:
        begun = self._db.property(BEGUN_BY)
        if begun is not None:
            lead = begun
        else:
            places = ", ".join("?" * len(_HAS_AUTHORS))
            done = (
                f"SELECT * FROM event WHERE kind IN ({places}) AND coalesce(payload ->> 'by', '') <> 'policy' ORDER BY id LIMIT 1"
            )
            first = next(self._db.checked("event", done, _HAS_AUTHORS), None)
            if first is None:
                return []
            lead = str(first["author"])
        leads = [lead]
        handed = f"SELECT * FROM event WHERE item_id IS NULL AND kind = 'lead' ORDER BY {IN_ORDER}"
        for row in self._db.checked("event", handed):
            # Only who leads can hand that on: an event of a bank that was merged in may be by somebody who never did here.
            if row["author"] == leads[-1]:
                leads.append(json.loads(row["payload"])["to"])
        return leads

    def _has_others(self) -> bool:
        # From name to name over the index: a bank of one person costs two steps, however many events it has.
        name = ""
        while True:
            (found,) = self._db.execute("SELECT min(author) FROM event WHERE author > ?", (name,)).fetchone()
            if found is None:
                return False
            if found != self.reader and not found.startswith("policy:"):
                return True
            name = found

    def _read_locked(self) -> Iterable[int]:
        locks = read_locks(self._db)
        if not any(lock.author == self.reader for lock in locks):
            return
        for row in self._db.execute("SELECT dataset_id, paradigm, name FROM dataset_state").fetchall():
            if is_locked(locks, self.reader, row["paradigm"], row["name"]):
                yield row["dataset_id"]

    def _read_finished(self) -> tuple[str, ...]:
        # As with shares: answers are looked through again where there is a new one, or one was taken back.
        rollbacks, until, finished = self._looked_for_finished
        if rollbacks != self._db.rollbacks:
            until, finished = 0, ()
        (newest,) = self._db.execute("SELECT coalesce(max(id), 0) FROM event").fetchone()
        changes = "SELECT 1 FROM event WHERE id > ? AND kind IN ('judgement', 'choice', 'undo', 'redo') LIMIT 1"
        if newest > until and self._db.execute(changes, (until,)).fetchone():
            finished = tuple(self._finished_now())
        self._looked_for_finished = (self._db.rollbacks, newest, finished)
        return finished

    def _finished_now(self) -> Iterable[str]:
        # Each answer says how many places the sheet has; what was taken back is open again.
        query = (
            "SELECT payload ->> 'study' AS study FROM event WHERE author = ? AND kind IN ('judgement', 'choice')"
            " AND payload ->> 'of' IS NOT NULL AND action NOT IN (SELECT action FROM undone)"
            " GROUP BY 1 HAVING count(DISTINCT payload ->> 'place') >= max(payload ->> 'of')"
        )
        return [str(study) for (study,) in self._db.tuples(query, (self.reader,))]

    def has_finished(self, study: str) -> bool:
        """Whether the reader has answered all of their sheet of a study, by its digest."""
        return study in self._now().finished

    def has_open_sheet(self, study: str) -> bool:
        """Whether the reader has answered a part of their sheet of a study. Of answers of older releases, which do not say how many
        places the sheet has, nobody knows, and it is not so."""
        if self.has_finished(study):
            return False
        own = self._db.execute(
            "SELECT 1 FROM event WHERE author = ? AND kind IN ('judgement', 'choice') AND payload ->> 'study' = ?"
            " AND payload ->> 'of' IS NOT NULL AND action NOT IN (SELECT action FROM undone) LIMIT 1",
            (self.reader, study),
        ).fetchone()
        return own is not None

    @property
    def shared_out(self) -> bool:
        """Whether anything was ever assigned."""
        return self._shares()[0]

    @property
    def calibrates(self) -> bool:
        """Whether there are calibration items: items whose right verdict is known."""
        return bool(self._shares()[1])

    def _shares(self) -> tuple[bool, tuple[int, ...]]:
        # Events are only added, so that those that were looked through need no second look: this is asked with every decision.
        rollbacks, until, shared, calibrating = self._looked_for_shares
        if rollbacks != self._db.rollbacks:
            until, shared, calibrating = 0, False, ()
        (newest,) = self._db.execute("SELECT coalesce(max(id), 0) FROM event").fetchone()
        if (
            newest > until
            and self._db.execute("SELECT 1 FROM event WHERE id > ? AND kind = 'assign' LIMIT 1", (until,)).fetchone()
        ):
            shared, calibrating = True, tuple(item_id for (item_id,) in self._db.tuples(CALIBRATING))
        self._looked_for_shares = (self._db.rollbacks, newest, shared, calibrating)
        return shared, calibrating

    @property
    def may_tell_calibration(self) -> bool:
        """Whether the reader may know which items calibrate, by whatever a list leaves out: who leads the bank, and who sees what others
        say of all of them."""
        return self.sees_all(self._shares()[1])

    @property
    def tells_origins(self) -> bool:
        """Whether the reader may be told which data set and run an item is from. Where a bank has calibration items, that gives away
        which these are."""
        return not self.calibrates or self.may_tell_calibration

    def expect_to_tell_origins(self, what: str, instead: str = "") -> None:
        """Raise `BankError` where `what` (in words) tells it to one who may not know it; `instead` is what they can do."""
        if not self.tells_origins:
            raise BankError(
                f"{what} would tell {self.reader} which data sets and runs items are from",
                hint=f"Some items calibrate, and nobody is told which these are before they have locked (L in `gapsmith review`); {self.lead}"
                f" leads this bank and may know. {instead}".strip(),
            )

    def expect_to_tell_items(self, what: str, selection: ItemFilter | None = None, *, look: str = "--look") -> None:
        """Raise `BankError` where `what` (in words) is about single or some approved items, and would so tell the reader what others said of
        them; totals over all approved items do not. `look` is how the reader can look first."""
        if self.hidden(selection):
            after = "takes the approved ones" if look == "--look" else "shows them"
            raise BankError(
                f"{what} would tell {self.reader} which items others approved",
                hint=f"--all takes every item, whatever was decided of it. {look} {after}, and that {self.reader} looked is on record."
                " What is computed over all approved items needs neither.",
            )

    def called(self, item: StoredItem) -> str:
        """What an item is called to the reader (`label`), whoever read it from the bank."""
        return item.label if self.tells_origins else code_of(item.uid)

    @property
    def veiled(self) -> bool:
        """Whether nothing at a review screen may tell a calibration item from another one: before the lock, for all but who adjudicates.
        Neither data sets nor runs are named there."""
        return self._reviewing and not self._everything and not self.tells_origins

    @property
    def label(self) -> str:
        """What an ``item`` is called, as an expression of SQL. What a bank calls an item begins again in every data set, so that items have
        another name, and no other one, for a reader who may not be told which of them calibrate: before the lock, for all but who leads the
        bank or adjudicates. After the lock the other name finds them still."""
        return "item.label" if self.tells_origins else f"{CODE_FUNCTION}(item.uid)"

    @property
    def finding_names(self) -> str:
        """What to say to the reader where no item is called as they said."""
        if self.tells_origins:
            return "Check --paradigm and --dataset."
        return "Some items calibrate, so that before your lock each is called by five letters: `gapsmith show` lists these."

    @property
    def hides_in_log(self) -> bool:
        """Whether a file of everything that was recorded would tell the reader what they may not see: what others said, who made an
        edit, or which items calibrate."""
        if not self.blind:
            return False
        others = f"said.author <> {self._me} AND said.author NOT LIKE 'policy:%' AND NOT {self._opened('said.item_id')}"
        query = f"SELECT EXISTS (SELECT 1 FROM event said WHERE said.item_id IS NOT NULL AND {others})"
        return bool(self._db.execute(query).fetchone()[0]) or bool(self.hidden())

    def sees(self, item_id: int) -> bool:
        """Whether the reader may see what others say of an item, be there something or nothing."""
        if not self.blind:
            return True
        (seen,) = self._db.execute(f"SELECT {self._opened('?1')}", (item_id,)).fetchone()
        return bool(seen)

    def sees_all(self, item_ids: Iterable[int]) -> bool:
        """Whether that is so of each of these items."""
        if not self.blind:
            return True
        hidden = f"SELECT EXISTS (SELECT 1 FROM json_each(?) one WHERE NOT {self._opened('one.value')})"
        return not self._db.execute(hidden, (json.dumps(list(item_ids)),)).fetchone()[0]

    # What stands in the place of tables

    def may_see(self, author: str, item: str) -> str:
        """A condition of SQL: whether the reader may see what the author (an expression) said of the item (another one)."""
        return f"({author} = {self._me} OR {self._opened(item)})" if self.blind else "1"

    def may_see_answer(self, author: str, item: str, payload: str) -> str:
        """The same of a judgement or choice with that payload. The lock opens what is no answer in a study, and answers of older
        releases, which do not say how many places their sheet has."""
        if not self.blind:
            return "1"
        said = ", ".join("'" + study.replace("'", "''") + "'" for study in self._now().finished)
        finished = f" OR {payload} ->> 'study' IN ({said})" if said else ""
        return f"({author} = {self._me} OR {self._looked(item)}{finished} OR {payload} ->> 'of' IS NULL AND {self._opened(item)})"

    def _looked(self, item: str) -> str:
        return (
            f"EXISTS (SELECT 1 FROM event looked WHERE looked.item_id = {item} AND looked.kind = 'peek'"
            f" AND looked.author = {self._me})"
        )

    def _opened(self, item: str) -> str:
        looked = self._looked(item)
        if not (locked := self._now().locked):
            return looked
        ids = ", ".join(map(str, locked))
        return f"(EXISTS (SELECT 1 FROM item own WHERE own.id = {item} AND own.dataset_id IN ({ids})) OR {looked})"

    def _decided(self, item: str) -> str:
        """A condition of SQL: whether the reader has decided on the item, so that an adjudicator's verdict can lead them no more."""
        return (
            f"EXISTS (SELECT 1 FROM decision_state own_one WHERE own_one.item_id = {item} AND own_one.kind = 'person'"
            f" AND own_one.author = {self._me})"
        )

    def may_see_decision(self, kind: str, author: str, item: str) -> str:
        """A condition of SQL: whether the reader may see a decision of that kind (an expression) by that author on that item."""
        if not self.blind:
            return "1"
        policy = "" if self._reviewing else f" OR {kind} = 'policy'"
        return f"({self.may_see(author, item)}{policy} OR {kind} = 'adjudication' AND {self._decided(item)})"

    def may_see_edit(self, event: str) -> str:
        """A condition of SQL: whether the reader may see that an edit (a row of ``event`` under that name) was made. Where items calibrate,
        what others edited before an item was assigned is not told before the reader may know which these are: that somebody put a fault into
        an item would say what its right verdict is."""
        if not (self.blind and self.calibrates):
            return "1"
        assigned = (
            f"EXISTS (SELECT 1 FROM event given WHERE given.item_id = {event}.item_id AND given.kind = 'assign'"
            f" AND (given.at, given.seq, given.uid) > ({event}.at, {event}.seq, {event}.uid))"
        )
        return f"({event}.author = {self._me} OR {self._opened(f'{event}.item_id')} OR NOT {assigned})"

    def _said_by_others(self, table: str, item: str) -> str:
        """A condition of SQL on a row of ``decision_state`` under that name: somebody else's decision that is not for everybody."""
        kinds = f"({table}.kind = 'person' OR {table}.kind = 'adjudication' AND NOT {self._decided(item)})"
        return f"{table}.item_id = {item} AND {table}.author <> {self._me} AND {kinds}"

    def _hidden(self, item: str) -> str:
        """A condition of SQL: whether other people have decided on the item, and the reader may not see it."""
        said = f"EXISTS (SELECT 1 FROM decision_state other WHERE {self._said_by_others('other', item)})"
        return f"({said} AND NOT {self._opened(item)})"

    @property
    def decisions(self) -> str:
        """In the place of ``decision_state``."""
        if not self.blind:
            return "decision_state"
        return (
            f"(SELECT seen.* FROM decision_state seen WHERE {self.may_see_decision('seen.kind', 'seen.author', 'seen.item_id')})"
        )

    @property
    def judgements(self) -> str:
        """In the place of ``judgement_state``."""
        if not self.blind:
            return "judgement_state"
        payload = "(SELECT given.payload FROM event given WHERE given.id = seen.event_id)"
        return f"(SELECT seen.* FROM judgement_state seen WHERE {self.may_see_answer('seen.author', 'seen.item_id', payload)})"

    @property
    def items(self) -> str:
        """In the place of ``current_item``: an item on which others have decided stands, to one who may not see that, as if they
        had not."""
        if not self.blind:
            return "current_item"
        hidden = self._hidden("c.id")
        cases = " ".join(f"WHEN '{verdict}' THEN '{status}'" for verdict, status in _STATUS.items())
        replaced = {
            "status": f"CASE WHEN NOT {hidden} OR c.forked THEN c.status"
            f" ELSE coalesce(CASE counts.verdict {cases} END, '{ItemStatus.PENDING}') END AS status",
            "reason": f"CASE WHEN NOT {hidden} THEN c.reason ELSE counts.reason END AS reason",
        }
        names = [row["name"] for row in self._db.execute("PRAGMA table_info(current_item)")]
        columns = ", ".join(replaced.get(name, f"c.{name}") for name in names)
        return (
            f"(SELECT {columns} FROM current_item c LEFT JOIN decision_state counts"
            f" ON counts.item_id = c.id AND {hidden} AND counts.event_id = {self._counting()})"
        )

    def _counting(self) -> str:
        """The event of the decision by which an item stands, of those that the reader sees; as in `gapsmith.bank.projection`."""
        newest = "e.at DESC, e.seq DESC, e.uid DESC"
        mine = f"d.kind = 'person' AND d.author = {self._me}"
        settled = f"kind = 'adjudication' AND ({{0}}.author = {self._me} OR {self._decided('c.id')})"
        spoken = (
            "EXISTS (SELECT 1 FROM decision_state p JOIN event pe ON pe.id = p.event_id WHERE p.item_id = c.id"
            f" AND (p.{settled.format('p')} OR p.kind = 'person' AND p.author = {self._me})"
            " AND (pe.at, pe.seq, pe.uid) > (e.at, e.seq, e.uid))"
        )
        # The kinds in the order of the alphabet are in the order of what they weigh.
        return (
            "(SELECT d.event_id FROM decision_state d JOIN event e ON e.id = d.event_id"
            f" WHERE d.item_id = c.id AND d.texts = c.texts AND (d.{settled.format('d')} OR {mine}"
            f" OR d.kind = 'policy' AND NOT {spoken}) ORDER BY d.kind, {newest} LIMIT 1)"
        )

    def compare(self, item_ids: Sequence[int]) -> None:
        """Raise `BankError` where a decision on these items is not what was kept: to one who may not see it, `items` says where
        an item stands by the others."""
        if self.blind:
            query = "SELECT * FROM decision_state WHERE item_id IN (SELECT value FROM json_each(?))"
            for _ in self._db.checked("decision_state", query, (json.dumps(list(item_ids)),)):
                pass

    def where(self, selection: ItemFilter | None) -> tuple[str, list[Any]]:
        """A WHERE clause over `items` ``AS item`` and its parameters. Raises `BankError` for a selection without calibration items
        (`ItemFilter.in_results`) where the reader may not know which these are: its number would tell, if only by not growing after a
        decision of the reader's own."""
        if selection is not None and selection.in_results and not self.tells_origins:
            raise BankError(
                f"which items results are over would tell {self.reader} which items calibrate",
                hint="Some items calibrate, and nobody is told which these are before they have locked (L in `gapsmith review`);"
                f" {self.lead} leads this bank and may know.",
            )
        names = [self.label]
        if self.calibrates and self.tells_origins:
            # What somebody remarks or asks names an item as it was called on their screen.
            names.append(f"{CODE_FUNCTION}(item.uid)")
        calibrating = CALIBRATING if self.calibrates else ""
        return where(selection or ItemFilter(), decisions=self.decisions, names=names, calibrating=calibrating)

    # What is left out, and looks

    def hidden(self, selection: ItemFilter | None = None) -> list[int]:
        """The selected items of which others have said something that the reader may not see."""
        if not self.blind:
            return []
        # Which items these are does not depend on where they stand, to whomever.
        clause, values = self.where(replace(selection or ItemFilter(), statuses=(), standing=(), author=None))
        opened = self._opened("item.id")
        stands = "o.action NOT IN (SELECT action FROM undone)"
        payload = "(SELECT given.payload FROM event given WHERE given.id = o.event_id)"
        said = " OR ".join(
            f"EXISTS (SELECT 1 FROM {table} o WHERE o.item_id = item.id AND o.author <> {self._me} AND {which})"
            for table, which in (
                ("decision_state", f"{self._said_by_others('o', 'item.id')} AND NOT {opened}"),
                ("judgement_state", f"NOT {self.may_see_answer('o.author', 'o.item_id', payload)}"),
                ("event", f"o.kind = 'choice' AND {stands} AND NOT {self.may_see_answer('o.author', 'o.item_id', 'o.payload')}"),
                ("event", f"o.kind = 'comment' AND {stands} AND NOT {opened}"),
            )
        )
        rows = self._db.execute(
            f"SELECT item.id FROM {self.items} AS item{clause}{' AND ' if clause else ' WHERE '}({said}) ORDER BY item.id",
            values,
        )
        return [row["id"] for row in rows]

    def shown_request(self, run: RunRecord, request: Mapping[str, Any]) -> Mapping[str, Any]:
        """A call's request as the reader may see it: a prompt that told the model why items were excluded, or which words are used, which
        those of excluded items are not, is left out where others have said something of items of that paradigm that the reader may not
        see."""
        tells = run.parameters.get("feedback") or _SPEAKS_OF_USED.search(run.prompt_text or "")
        if "prompt" not in request or not tells or not self.hidden(ItemFilter(paradigm=run.paradigm)):
            return request
        return {**request, "prompt": "left out: it tells what others said of items"}

    def left_out(self, selection: ItemFilter | None = None, *, how: str = " or look on record (--look)") -> str:
        """What to say where something of the selected items is left out; empty where nothing is. `how` says what there is besides
        locking."""
        if not (n := len(hidden := self.hidden(selection))):
            return ""
        if all(map(self.sees, hidden)):
            return (
                f"What others answered in studies of {count(n, 'item')} is left out: {self.reader} has not answered all of a sheet"
                f" of their own there. Answer it (gapsmith review --judge FILE){how}."
            )
        return (
            f"What others said of {count(n, 'item')} is left out: {self.reader} has not locked"
            f" and does not lead this bank ({self.lead} does). Lock in `gapsmith review` (L){how}."
        )

    def look(self, selection: ItemFilter | None = None, what: str = "decisions") -> int:
        """Let the reader see what others said of the selected items: an event for each that was hidden; how many these are."""
        with self._db.write():
            hidden = self.hidden(selection)
            for item_id in hidden:
                # Each is an event of its own: none of them is an action that could be undone.
                add_events(self._db, "peek", [(item_id, {"what": what})], author=self.reader)
        return len(hidden)

    def hand_on(self, to: str) -> None:
        """Make somebody else the lead, which is an event. Raises `BankError` for one who does not lead the bank."""
        if not to.strip():
            raise BankError("the lead needs a name", hint="For example: gapsmith bank lead ann.")
        as_name(to, PERSON, slashes=True)
        with self._db.write():
            if self.lead is not None and self.lead != self.reader:
                raise BankError(
                    f"{self.lead} leads this bank, not {self.reader}, and only the lead hands that on",
                    hint=f"Ask {self.lead}: `gapsmith bank lead {json.dumps(to)}`, run by {self.lead}, hands it on.",
                )
            if self.lead is None:
                note_beginner(self._db, self.reader)
            add_event(self._db, "lead", None, None, {"to": to}, author=self.reader)
