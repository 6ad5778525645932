"""A bank with items to review."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gapsmith.bank import Bank
from gapsmith.vetting.review import Session
from tests.vetting.reviewing import fill_bank


@pytest.fixture
def make_bank(tmp_path: Path) -> Iterator[Callable[[int], Bank]]:
    """Makes banks that are closed at the end."""
    made: list[Bank] = []

    def make(count: int) -> Bank:
        made.append(fill_bank(tmp_path / f"bank{len(made)}.sqlite", count))
        return made[-1]

    yield make
    for bank in made:
        bank.close()


@pytest.fixture
def bank(make_bank: Callable[[int], Bank]) -> Bank:
    """A bank with ten items."""
    return make_bank(10)


@pytest.fixture
def session(bank: Bank) -> Session:
    """The session of ann."""
    return Session(bank, "ann")


@pytest.fixture(autouse=True)
def _short_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pilot looks at the clock of the processor every 5 ms, not 20, to find out whether all that a key did is done."""
    monkeypatch.setattr("textual._wait.SLEEP_GRANULARITY", 0.005)
    monkeypatch.setattr("textual._wait.SLEEP_IDLE", 0.00025)
