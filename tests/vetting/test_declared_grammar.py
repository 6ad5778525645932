"""Rules on whole sentences where slots declare roles: each names a flaw planted in slots under names that no rule knows, without a parse,
and says nothing of sound items."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from gapsmith.vetting.auditing import audit, read_gold, shipped_gold
from gapsmith.vetting.rules import load_knowledge
from gapsmith.vetting.rules.declared_grammar import ON_ROLES
from tests.vetting.foreign_frames import lint_slots

pytestmark = pytest.mark.fast

Parts = Mapping[str, tuple[str, str]]


def _clause(subject: str = "Peter", verb: str = "devoured", object: str = "the rings", **more: str) -> Parts:
    parts = {"subject": ("subject", subject), "verb": ("verb", verb)}
    return parts | {role: (role, words) for role, words in more.items()} | {"object": ("object", object)}


_FLAWED: Mapping[str, Parts] = {
    "G101": _clause(subject="these brokers", verb="pawns"),
    "G103": _clause(verb="pawning"),
    "G104": _clause(subject="broker"),
    "G105": _clause(verb="deprived"),
    "G107": _clause(time="next week"),
    "G109": _clause(subject="the table", verb="announced"),
    "G111": {"matrix": ("matrix", "The neighbors were interested at"), **_clause()},
    "G112": _clause(subject="them"),
    "G113": _clause(object="informations"),
    "G305": _clause(verb="fed", object="the monkey"),
}


@pytest.mark.parametrize("code", ON_ROLES)
def test_each_flaw_is_named_without_a_parse(code: str) -> None:
    """A rule that is added to those on declared roles fails here until a flaw is planted for it."""
    assert code in {finding.code for finding in lint_slots("what", _FLAWED[code], code)}


@pytest.mark.parametrize(
    "parts",
    [
        _clause(),
        _clause(subject="two brokers", verb="had pawned"),
        _clause(subject="the broker", time="last week"),
        {"matrix": ("matrix", "The neighbors insisted"), **_clause(subject="she", verb="pawn")},
        _clause(subject="the committee", verb="pawn"),
        _clause(subject="people", verb="pawn"),
        _clause(verb="will pawn", time="tomorrow"),
    ],
)
def test_sound_clauses_are_left_alone(parts: Parts) -> None:
    assert lint_slots("what", parts, *ON_ROLES) == []


@pytest.mark.parametrize("step", [12, pytest.param(1, marks=pytest.mark.full)])
def test_sound_items_of_the_gold_sets_are_left_alone(step: int) -> None:
    """What slots of shipped paradigms hold, and blind writers' words in them."""
    items = [item for path in shipped_gold() for item in read_gold(path) if not item.expected]
    assert len(items) > 400
    found = audit(items[::step], load_knowledge()).false_alarms
    assert not [(item.label, f.message) for item, own in found for f in own if f.code in ON_ROLES]
