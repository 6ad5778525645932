"""SQL is the bank's alone, and decisions and judgements have one writer, whose checks no door goes round."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from gapsmith.bank import Bank, BankError, LockedError, ScreenRecord, StaleItemError, Verdict
from gapsmith.bank.decisions import decision_fault, judgement_fault
from gapsmith.bank.log import entries
from gapsmith.bank.merging import merge
from gapsmith.templates import realise
from tests.bank.test_merging import PG, Copy, bank, copy, fill, renamed  # noqa: F401 - fixtures
from tests.rooms import trees_of, walked

ROOMS = ("app", "bank", "parsing", "prompts", "scoring", "stats", "templates", "training", "vetting")
_SQL = re.compile(r"\s*(SELECT|INSERT|UPDATE|DELETE FROM|PRAGMA|CREATE|DROP|ALTER|ATTACH|VACUUM|WITH \w+ AS)\b(?!:)")
_RUNS = {"execute", "executemany", "executescript"}
_GATE = {"decisions", "judgements", "items", "where", "may_see"}
NO_SQL = {
    ("scoring/lm/hub.py", "execute"): "carries out the removal of files from the cache of the hub",
    ("app/doctor.py", "sqlite3.sqlite_version"): "tells which SQLite this Python has",
}
"""What looks like it and is none."""


def sql_in(tree: ast.Module) -> Iterator[str]:
    docs = {id(node.value) for node in walked(tree) if isinstance(node, ast.Expr)}
    for node in walked(tree):
        if isinstance(node, ast.Attribute):
            of = node.value
            if node.attr == "db":
                yield "db"
            elif node.attr in _RUNS:
                yield node.attr
            elif node.attr in _GATE and isinstance(of, ast.Attribute) and of.attr in ("gate", "_gate"):
                yield f"gate.{node.attr}"
            elif isinstance(of, ast.Name) and of.id == "sqlite3" and not node.attr.endswith("Error"):
                yield f"sqlite3.{node.attr}"
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs and _SQL.match(node.value):
            yield node.value


def test_nothing_but_the_bank_speaks_sql() -> None:
    others = [room for room in ROOMS if room != "bank"]
    found = {(name, what) for name, tree in trees_of(*others) for what in sql_in(tree)}
    assert found == set(NO_SQL)


def test_what_speaks_sql_is_seen() -> None:
    told = 'x = bank.db.raw\nbank.gate.items\nsqlite3.connect(p)\ny = " SELECT 1"\nf(f"DELETE FROM {t}")\nc.executemany(q)\n'
    assert set(sql_in(ast.parse(told))) == {"db", "gate.items", "sqlite3.connect", " SELECT 1", "DELETE FROM ", "executemany"}
    assert not list(sql_in(ast.parse('"""SELECT is a word of SQL."""\nbank.gate.sees(1)\n')))


# Events

ONE_PLACE = {
    "decision": "bank/decisions.py",
    "judgement": "bank/decisions.py",
    "assign": "bank/assignments.py",
    "edit": "bank/events.py",
    "plan": "bank/plans.py",
}
WRITERS = {
    "bank/assignments.py": {"add_events"},
    "bank/datasets.py": {"add_event"},
    "bank/decisions.py": {"add_event", "add_events"},
    "bank/events.py": {"add_event", "insert_event"},
    # What was written elsewhere comes in as it is, when `decision_fault` and `judgement_fault` have nothing against it.
    "bank/merging.py": {"insert_event"},
    "bank/plans.py": {"add_event"},
    "bank/review.py": {"add_event", "add_events"},
    "bank/seeing.py": {"add_event", "add_events"},
}
FROZEN = {"bank/upgrade.py": "brings the events of release 0.1.0 over, once"}


def calls_of(tree: ast.Module, *names: str) -> Iterator[ast.Call]:
    for node in walked(tree):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", None)
            if name in names:
                yield node


def test_events_are_added_in_one_place_and_those_of_a_kind_in_one_too() -> None:
    inserting: set[str] = set()
    writing: dict[str, set[str]] = {}
    kinds: dict[str, set[str]] = {}
    for name, tree in trees_of(*ROOMS):
        texts = [node.value for node in walked(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
        if any(re.search(r"INTO event\b", text) for text in texts):
            inserting.add(name)
        for call in calls_of(tree, "add_event", "add_events", "insert_event"):
            function = call.func.attr if isinstance(call.func, ast.Attribute) else call.func.id  # type: ignore[attr-defined]
            writing.setdefault(name, set()).add(function)
            kind = call.args[1] if len(call.args) > 1 else None
            if isinstance(kind, ast.Constant):
                kinds.setdefault(str(kind.value), set()).add(name)
    assert inserting == {"bank/events.py", *FROZEN}
    assert writing == WRITERS
    assert {kind: kinds[kind] for kind in ONE_PLACE} == {kind: {place} for kind, place in ONE_PLACE.items()}


# What the writer refuses

SEEN = ScreenRecord("2026-01-01T10:00:00.000+00:00", 2.5, (1, 2), 8)
DECIDED: dict[str, tuple[dict[str, Any], str]] = {
    "no verdict": ({"verdict": "perhaps"}, "is no decision"),
    "no such kind": ({"kind": "packet"}, "by a person, a policy or an adjudication"),
    "nobody": ({"author": " "}, "needs a name"),
    "no reason": ({"verdict": Verdict.EXCLUDE}, "needs a reason"),
    "seen elsewhere": ({"seen": SEEN, "packet": "0" * 16}, "on screen is not known"),
    "no time": ({"seen": ScreenRecord("", float("nan"), (), 8)}, "no record"),
    "a policy's packet": ({"packet": "0" * 16, "kind": "policy"}, "comes back in a packet"),
    "both ways": ({"packet": "0" * 16, "file": "a.csv"}, "in a packet"),
    "another item's revision": ({"versions": {1: 2}}, "is no version of item"),
    "other texts": ({"texts": {1: "0" * 32}}, "other texts now"),
    "not there": ({"item_ids": [1, 99]}, "no item with the bank id 99"),
    "two on screen": ({"item_ids": [1, 2], "seen": SEEN}, "one item is on screen"),
}


@pytest.mark.parametrize("case", DECIDED)
def test_a_decision_that_cannot_be_is_refused_whole(bank: Bank, case: str) -> None:  # noqa: F811
    fill(bank, 2)
    given, said = DECIDED[case]
    with pytest.raises(BankError, match=said):
        bank.decisions.decide(**{"item_ids": [1], "verdict": Verdict.APPROVE, "author": "ann", **given})
    assert bank.decisions.history(1) == bank.decisions.history(2) == []


JUDGED: dict[str, tuple[dict[str, Any], str]] = {
    "no rating": ({"rating": "fine"}, "ok, "),
    "beyond the scale": ({"rating": "8", "points": 7}, "no point of a scale of 7"),
    "no time": ({"seconds": -1.0}, "no number of seconds"),
    "nobody": ({"author": ""}, "needs a name"),
    "no such condition": ({"condition": "xyz"}, "no sentence in the condition 'xyz'"),
    "not there": ({"item_id": 99}, "no item with the bank id 99"),
}


@pytest.mark.parametrize("case", JUDGED)
def test_a_judgement_that_cannot_be_is_refused(bank: Bank, case: str) -> None:  # noqa: F811
    fill(bank, 1)
    given, said = JUDGED[case]
    whole = {"item_id": 1, "condition": "pf_pg1_pg2", "rating": "ok", "author": "ann", **given}
    with pytest.raises(BankError, match=said):
        bank.decisions.judge(**whole)
    assert bank.decisions.judgements() == []


def test_a_text_that_was_changed_meanwhile_is_decided_on_by_nobody(bank: Bank) -> None:  # noqa: F811
    (item,) = fill(bank, 1)
    shown = bank.items.get(item).revision_id
    renamed(bank, item, "Ada", "ben")
    for kind in ("person", "policy", "adjudication"):
        with pytest.raises(StaleItemError, match="was changed meanwhile"):
            bank.decisions.decide([item], Verdict.APPROVE, author="ann", kind=kind, versions={item: shown})
    with pytest.raises(StaleItemError, match="was changed meanwhile"):
        bank.decisions.judge(item, "pf_pg1_pg2", "ok", author="ann", version=shown)


LOCKED: dict[str, Callable[[Bank], object]] = {
    "decide": lambda b: b.decisions.decide([1], Verdict.FLAG, author="ann"),
    "file": lambda b: b.decisions.decide([1], Verdict.FLAG, author="ann", file="a.csv"),
    "packet": lambda b: b.decisions.decide([1], Verdict.FLAG, author="ann", packet="0" * 16),
    "judge": lambda b: b.decisions.judge(1, "pf_pg1_pg2", "ok", author="ann"),
    "undo": lambda b: b.decisions.undo("ann"),
}


@pytest.mark.parametrize("door", LOCKED)
def test_what_somebody_has_locked_they_change_by_no_door(bank: Bank, door: str) -> None:  # noqa: F811
    fill(bank, 1)
    bank.decisions.decide([1], Verdict.APPROVE, author="ann")
    bank.review.lock("ann", paradigm="subject_pg", dataset=None)
    with pytest.raises(LockedError, match="ann has locked"):
        LOCKED[door](bank)
    # Others, policies and who adjudicates are not held.
    bank.decisions.decide([1], Verdict.FLAG, author="ben")
    bank.decisions.decide([1], Verdict.FLAG, author="policy:clean", kind="policy")
    bank.decisions.decide([1], Verdict.FLAG, author="ann", kind="adjudication")
    bank.review.lock("ann", paradigm="subject_pg", dataset=None, locked=False)
    LOCKED[door](bank)


BY_HAND: dict[str, tuple[str, dict[str, Any]]] = {
    "a decision without a reason": ("decision", {"verdict": "exclude", "by": "person", "reason": None, "comment": None}),
    "a screen that is none": ("decision", {"verdict": "approve", "by": "person", "seen": {"rows": "all"}}),
    "a comment that is none": ("decision", {"verdict": "approve", "by": "person", "comment": 3}),
    "a point that is none": ("judgement", {"condition": "pf_pg1_pg2", "rating": "9", "points": 7}),
    "a rating that is none": ("judgement", {"condition": "pf_pg1_pg2", "rating": "well"}),
}


@pytest.mark.parametrize("case", BY_HAND)
def test_what_our_own_writer_refuses_comes_in_by_no_merge(bank: Bank, copy: Copy, case: str) -> None:  # noqa: F811
    (item,) = fill(bank, 1)
    other = copy(bank, "other")
    other.decisions.decide([item], Verdict.APPROVE, author="ben")
    other.decisions.judge(item, "pf_pg1_pg2", "ok", author="ben")
    kind, payload = BY_HAND[case]
    fault = (decision_fault if kind == "decision" else judgement_fault)(payload)
    assert fault is not None
    log = list(entries(other))
    place = next(place for place, entry in enumerate(log) if getattr(entry, "what", None) == kind)
    log[place] = type(log[place])(**{**_fields(log[place]), "payload": payload})
    with pytest.raises(BankError, match=re.escape(fault)):
        merge(bank, log, "other")
    assert bank.decisions.history(item) == []


def _fields(entry: Any) -> dict[str, Any]:
    return {name: getattr(entry, name) for name in entry.__slots__}


def test_how_a_decision_and_a_judgement_were_made_is_read_back(bank: Bank) -> None:  # noqa: F811
    one, two = fill(bank, 2)
    bank.decisions.decide([one], Verdict.APPROVE, author="ann", seen=SEEN, versions={one: bank.items.get(one).revision_id})
    bank.decisions.decide([one], Verdict.FLAG, author="ben", packet="0" * 16)
    bank.decisions.decide([two], Verdict.FLAG, author="ann", group="L200")
    bank.decisions.judge(one, "pf_pg1_pg2", "6", author="ann", points=7, seconds=1.25, alone=True)
    made = {(d.item_id, d.author): (d.kind, d.seen, d.opened) for d in bank.decisions.all()}
    assert made == {
        (one, "ann"): ("person", SEEN, True),
        (one, "ben"): ("packet", None, None),
        (two, "ann"): ("person", None, False),
    }
    assert bank.decisions.history(one) == bank.decisions.for_item(one)
    (judged,) = bank.decisions.judgements()
    assert (judged.rating, judged.points, judged.seconds) == ("6", 7, 1.25)
    assert judged.text_digest == bank.decisions.for_item(one)[0].text_digest
    slots = {**(bank.items.get(one).slots or {}), "name1": "Zed"}
    bank.items.revise(one, slots=slots, sentences=realise(PG, slots), author="ann")
    assert [d.item_id for d in bank.decisions.current()] == [two]
    assert {d.text_digest for d in bank.decisions.for_item(one)} == {judged.text_digest}
