"""Parts that the generation tests share: paradigms, banks, the stand-in server and short waits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from gapsmith.bank import Bank
from gapsmith.prompts import RULES, FailureKind
from gapsmith.templates import Paradigm, load_paradigm


@pytest.fixture
def subject_pg() -> Paradigm:
    """The main paradigm."""
    return load_paradigm("subject_pg")


@pytest.fixture
def lan_pg() -> Paradigm:
    """An exhaustive paradigm, whose items are quick to draw."""
    return load_paradigm("lan_pg")


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[Bank]:
    """An empty bank on disk."""
    with Bank.open(tmp_path / "bank.sqlite", create=True) as opened:
        yield opened


@pytest.fixture
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retries by the same rules, with waits of milliseconds."""
    assert isinstance(RULES, dict)
    for kind in FailureKind:
        monkeypatch.setitem(RULES, kind, replace(RULES[kind], first_wait_s=0.001))
