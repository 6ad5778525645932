"""The bank: one SQLite file that holds everything a project made, decided and measured."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from types import TracebackType

from bank.batches import BatchTable
from bank.checking import faults
from bank.connection import Db, connect, explained
from bank.datasets import DatasetTable
from bank.decisions import DecisionTable
from bank.errors import BankError
from bank.findings import FindingTable
from bank.items import ItemTable
from bank.migrations import migrate
from bank.paradigms import ParadigmTable
from bank.parses import ParseTable
from bank.review import ReviewTable
from bank.runs import RunTable
from bank.scores import ScoreTable
from bank.texts import ContextTable, TextTable

__all__ = ["Bank"]


class Bank:
    """An open bank. Use `Bank.open`, as a context manager; one per thread."""

    def __init__(self, db: Db) -> None:
        self.db = db
        self.path = db.path

    @classmethod
    def open(cls, path: Path, *, create: bool = False) -> Bank:
        """Open the bank in a file, migrating it if it is old. Raises `BankError`, also for a file of another kind."""
        connection = connect(path, create=create)
        try:
            migrate(connection, path)
        except sqlite3.DatabaseError as error:
            connection.close()
            if "not a database" in str(error):
                raise BankError(f"{path}: is not a gapsmith bank ({error})") from None
            raise explained(error, path) from None
        except BankError:
            connection.close()
            raise
        return cls(Db(connection, path))

    def __enter__(self) -> Bank:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; an open transaction is rolled back."""
        self.db.raw.close()

    def faults(self) -> list[str]:
        """What is wrong with the bank, a sentence each; empty where all is well. Nothing is changed."""
        return list(faults(self.db))

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
        return ItemTable(self.db, self.paradigms, self.datasets, self.texts)

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
        return FindingTable(self.db)

    @cached_property
    def decisions(self) -> DecisionTable:
        """What people and policies decided."""
        return DecisionTable(self.db)

    @cached_property
    def review(self) -> ReviewTable:
        """Rows for a queue, comments, locks, peeks and drafts."""
        return ReviewTable(self.db)

    @cached_property
    def parses(self) -> ParseTable:
        """What parsers said."""
        return ParseTable(self.db, self.texts)

    @cached_property
    def scores(self) -> ScoreTable:
        """What models measured."""
        return ScoreTable(self.db, self.texts)
