"""A bank of commit b630b51 (tests/fixtures/bank_b630b51) under this release: the same facts, the same numbers."""

from __future__ import annotations

import csv
import io
import json
import math
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gapsmith.bank import Bank
from tests.conftest import CommandOutcome

FIXTURE = Path(__file__).parent.parent / "fixtures" / "bank_b630b51"
EXPECTED: dict[str, Any] = json.loads((FIXTURE / "expected.json").read_text(encoding="utf-8"))
ASKED = [name for name, value in EXPECTED.items() if isinstance(value, dict) and "command" in value]
Run = Callable[..., CommandOutcome]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A workspace with a copy of the old bank."""
    shutil.copy(FIXTURE / "bank.sqlite", tmp_path)
    (tmp_path / "gapsmith.toml").write_text("", encoding="utf-8")
    return tmp_path


def lacking(old: Any, new: Any, where: str = "") -> list[str]:
    """Where `new` does not have what `old` has; what was added since is no fault."""
    if isinstance(old, dict) and isinstance(new, dict):
        gone = [f"{where}.{name} is gone" for name in old if name not in new]
        return gone + [fault for name in old if name in new for fault in lacking(old[name], new[name], f"{where}.{name}")]
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return [fault for i, (a, b) in enumerate(zip(old, new, strict=True)) for fault in lacking(a, b, f"{where}[{i}]")]
    return [] if old == new else [f"{where}: {old!r} was said, now {new!r}"]


def read(command: list[str], printed: str) -> Any:
    """What a command printed: JSON, or the rows of a table by their headings."""
    return json.loads(printed) if "--json" in command else list(csv.DictReader(io.StringIO(printed)))


@pytest.mark.parametrize("name", ASKED)
def test_every_command_says_what_it_said(name: str, place: Path, gapsmith: Run) -> None:
    command, printed = EXPECTED[name]["command"], EXPECTED[name]["printed"]
    done = gapsmith(*command)
    assert done.code == 0, done.err
    old = printed if "--json" in command else read(command, printed)
    assert old
    assert lacking(old, read(command, done.out)) == []


def test_items_and_derived_facts_stand_as_they_stood(place: Path) -> None:
    with Bank.open(place / "bank.sqlite") as bank:
        items = [
            [own.uid.hex(), own.dataset, own.label, own.status.value, own.reason, own.revision_number, own.forked]
            for own in bank.items.iterate()
        ]
        assert items == EXPECTED["items"]
        assert {status.value: n for status, n in bank.items.count_by_status().items()} == EXPECTED["statuses"]
        assigned = bank.contexts.assigned(bank.contexts.find("near").id)
        (bundled,) = [own for own in bank.scores.scorers() if own.model == "bundled"]
        behind = [
            [tokens.context, tokens.text, [None if math.isnan(bits) else bits for bits in tokens.bits.tolist()]]
            for _, tokens in bank.scores.in_contexts(bundled.id, bank.contexts.joined(set(assigned.values())))
        ]
        assert behind == EXPECTED["behind contexts"]
        (parser,) = [row["id"] for row in bank.db.execute("SELECT id FROM producer WHERE kind = 'parser'")]
        assert bank.parses.get(parser, EXPECTED["parses"]) == EXPECTED["parses"]
        assert bank.faults() == []
