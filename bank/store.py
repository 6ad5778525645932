"""The bank: one SQLite file that holds everything a project made, decided and measured."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from types import TracebackType

from gapsmith.bank.assignments import AssignmentTable
from gapsmith.bank.batches import BatchTable
from gapsmith.bank.checking import faults
from gapsmith.bank.connection import Db, connect, explained, refuse_what_is_no_bank
from gapsmith.bank.datasets import DatasetTable
from gapsmith.bank.decisions import DecisionTable
from gapsmith.bank.errors import BankError, BankMovedError
from gapsmith.bank.findings import FindingTable
from gapsmith.bank.items import ItemTable
from gapsmith.bank.migrations import SUMS_SINCE, WITH_SUMS, migrate
from gapsmith.bank.paradigms import ParadigmTable
from gapsmith.bank.parses import ParseTable
from gapsmith.bank.passing import PassingFolder
from gapsmith.bank.place import BankPath
from gapsmith.bank.plans import PlanTable
from gapsmith.bank.rescue import moved_error
from gapsmith.bank.review import ReviewTable
from gapsmith.bank.runs import RunTable
from gapsmith.bank.scores import ScoreTable
from gapsmith.bank.seeing import Gate, account_name, note_beginner
from gapsmith.bank.snapshots import snapshot
from gapsmith.bank.texts import ContextTable, TextTable

_opened: list[Path] = []


def opened_banks() -> list[Path]:
    """The banks that this process has opened, in that order: where something unforeseen happens, one may be damaged."""
    return list(_opened)


@contextmanager
def _told(connection: sqlite3.Connection, path: Path) -> Iterator[None]:
    """Close the connection on an error, and say of SQLite's errors what they mean for the user."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        connection.close()
        if "not a database" in str(error):
            raise BankError(f"{path}: is not a gapsmith bank ({error})") from None
        raise explained(error, path) from None
    except BaseException:
        connection.close()
        raise


class Bank:
    """An open bank. Use `Bank.open`, as a context manager; one per thread."""

    def __init__(self, db: Db, gate: Gate, *, found_schema: int, passing: PassingFolder | None = None) -> None:
        self.db = db
        self.gate = gate
        self.found_schema = found_schema
        """The schema that the file had before it was opened; 0 for a new one."""
        self.path = db.path
        self._passing = passing

    @classmethod
    def open(cls, path: Path, *, create: bool = False, reader: str | None = None, named: bool = True) -> Bank:
        """Open the bank in a file, migrating it if it is old. Where it may not be written to, a copy of it is opened, for
        reading only. Raises `BankError`, also for a file of another kind.

        `reader` is who reads, by default the name of the account: it decides what of others' verdicts is shown (`gapsmith.bank.seeing`).
        Who makes a new bank leads it; `named`: they have said who they are."""
        reader = reader or account_name()
        new = create and not path.exists()
        if not create:
            refuse_what_is_no_bank(path)
            if not (os.access(path, os.W_OK) and os.access(path.resolve().parent, os.W_OK)):
                return cls.open_copy(path, reader=reader)
        # Noted before anything is read: a damaged one may fail in any way.
        _opened.append(path)
        # Looked at before: bringing a bank up to date may take minutes.
        opened = path.stat() if path.exists() else None
        connection = connect(path, create=create)
        with _told(connection, path):
            found = migrate(connection, path)
            place = BankPath(path)
            if opened is not None and not place.began_as(opened):
                raise BankMovedError(
                    f"{path}: was replaced by another file while it was being opened",
                    hint="Run the same command again.",
                )
            db = Db(connection, path, place=place, rescue=moved_error)
        if new:
            note_beginner(db, reader, named=named)
        return cls(db, Gate(db, reader), found_schema=found)

    def another(self, *, derived: bool = False) -> Bank:
        """Another connection to this very bank, for the thread that calls this, whichever made the bank. With `derived`, what is
        written over it can be made again (parses), and nothing is saved of that where the file is taken away. Raises
        `BankMovedError` where the file at the path is not this bank's any more, and `BankError`.

        Only the thread of this bank can save what it holds then: its next look does."""
        ours_to_look = self.db.is_of_this_thread
        if ours_to_look:
            self.db.look()
        try:
            bank = Bank.open(self.path, reader=self.reader)
        except BankError as error:
            if ours_to_look:
                self.db.look()
            elif not self.path.exists():
                raise BankMovedError(error.message, hint=error.hint) from None
            raise
        ours, theirs = self.db.place, bank.db.place
        try:
            if not (ours is None or theirs is None or ours.is_that_of(theirs)) and ours_to_look:
                # A disk of a network may have numbered the file anew, and the look finds out.
                self.db.look()
            if not (ours is None or theirs is None or ours.is_that_of(theirs)):
                raise BankMovedError(
                    f"{self.path}: is another file than the one that was opened: something has put it there meanwhile",
                    hint="Run the same command again.",
                )
        except BankMovedError:
            bank.close()
            raise
        if derived:
            # What is not minded is not counted as something that has to be there in the end.
            bank.db.place = None
        return bank

    @classmethod
    def open_copy(cls, path: Path, *, reader: str | None = None) -> Bank:
        """A copy of the bank as it is now, in passing and brought up to date, for reading. Nothing at the path is touched.
        Raises `BankError`."""
        _opened.append(path)
        passing = PassingFolder(ignore_errors=True)
        try:
            copy = snapshot(path, passing.path)
            connection = connect(copy, create=False, called=path)
            with _told(connection, copy):
                found = migrate(connection, copy)
                db = Db(connection, path)
            connection.execute("PRAGMA query_only = ON")
        except BaseException:
            passing.cleanup()
            raise
        return cls(db, Gate(db, reader or account_name()), found_schema=found, passing=passing)

    def read_by(self, reader: str, *, reviewing: bool = False, everything: bool = False) -> Bank:
        """The same open bank in the eyes of somebody: at a review screen (`reviewing`), or adjudicating (`everything`). See
        `gapsmith.bank.seeing.Gate`."""
        gate = Gate(self.db, reader, reviewing=reviewing, everything=everything)
        return Bank(self.db, gate, found_schema=self.found_schema, passing=self._passing)

    @property
    def reader(self) -> str:
        """Who reads the bank."""
        return self.gate.reader

    def __enter__(self) -> Bank:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    @property
    def read_only(self) -> bool:
        """Whether nothing can be written: this is a copy in passing."""
        return self._passing is not None

    def close(self) -> None:
        """Close the file; an open transaction is rolled back. Raises `BankMovedError` where what was written here is not at the
        bank's path."""
        try:
            self.db.look_at_the_end()
        finally:
            self.db.place = None
            self.db.raw.close()
            if self._passing is not None:
                self._passing.cleanup()

    def faults(self) -> list[str]:
        """What is wrong with the bank, a sentence each; empty where all is well. Nothing is changed."""
        if not self.read_only:
            return list(faults(self.db))
        # What follows from the events is made again and compared, which only a copy takes.
        self.db.execute("PRAGMA query_only = OFF")
        try:
            return list(faults(self.db))
        finally:
            self.db.execute("PRAGMA query_only = ON")

    @property
    def sums_missing(self) -> bool:
        """Whether the file had no checksums of its rows before it was opened."""
        return 0 < self.found_schema < WITH_SUMS

    def sums_since(self) -> str:
        """When the checksums of the rows that there were then were computed, UTC in ISO 8601. Raises `BankError`."""
        said = self.db.property(SUMS_SINCE)
        if said is None:
            raise BankError(f"{self.path}: does not say since when it has checksums")
        return str(json.loads(said)["at"])

    def look(self) -> None:
        """Raise `BankMovedError` where the file at the bank's path is not the one that is open."""
        self.db.look()

    def wait_at_most(self, milliseconds: int) -> None:
        """Wait no longer than that for another program that writes to the bank; then it is said that it is busy."""
        self.db.execute(f"PRAGMA busy_timeout = {int(milliseconds)}")

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Several writes as one."""
        with self.db.write():
            yield

    @cached_property
    def paradigms(self) -> ParadigmTable:
        """The paradigms that items were made with."""
        return ParadigmTable(self.db)

    @cached_property
    def items(self) -> ItemTable:
        """Items and their revisions."""
        return ItemTable(self.db, self.paradigms, self.datasets, self.texts, self.gate)

    @cached_property
    def datasets(self) -> DatasetTable:
        """Named collections of items."""
        return DatasetTable(self.db)

    @cached_property
    def texts(self) -> TextTable:
        """Texts, each kept once."""
        return TextTable(self.db)

    @cached_property
    def contexts(self) -> ContextTable:
        """What stands before sentences when they are measured."""
        return ContextTable(self.db, self.texts)

    @cached_property
    def runs(self) -> RunTable:
        """Generations and imports."""
        return RunTable(self.db, self.items)

    @cached_property
    def batches(self) -> BatchTable:
        """Calls that travel together."""
        return BatchTable(self.db, self.runs)

    @cached_property
    def findings(self) -> FindingTable:
        """What the linter found."""
        return FindingTable(self.db, self.gate)

    @cached_property
    def decisions(self) -> DecisionTable:
        """What people and policies decided."""
        return DecisionTable(self.db, self.gate)

    @cached_property
    def assignments(self) -> AssignmentTable:
        """Who reads what, and items whose right verdict is known."""
        return AssignmentTable(self.db, self.gate)

    @cached_property
    def plans(self) -> PlanTable:
        """What was planned of analyses."""
        return PlanTable(self.db)

    @cached_property
    def review(self) -> ReviewTable:
        """Rows for a queue, comments, locks, peeks and drafts."""
        return ReviewTable(self.db, self.gate, self.texts)

    @cached_property
    def parses(self) -> ParseTable:
        """What parsers said."""
        return ParseTable(self.db, self.texts)

    @cached_property
    def scores(self) -> ScoreTable:
        """What models measured."""
        return ScoreTable(self.db, self.texts)
