"""What reading a set as a whole finds of some of its items stands with each of them, wherever an item's findings are told."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from gapsmith.app.item_view import as_data, as_text
from gapsmith.bank import Bank, ItemFilter, ItemStatus, Severity
from gapsmith.scoring.analysis.account import account_for
from gapsmith.vetting import lint_bank
from gapsmith.vetting.review.session import Session
from gapsmith.vetting.rules import RULES, load_knowledge
from gapsmith.vetting.rules.model import SetRule
from tests.conftest import CommandOutcome
from tests.printed import results

NOUNS = ("actor", "author", "pilot", "baker", "doctor", "singer", "lawyer")
OTHERS = ("neighbor", "manager", "agent", "teacher", "friend", "cousin", "guard")
KINDS = ("old", "tired", "rich", "loud", "calm", "late", "proud")
NAMED = {"4": {("C104", "warning")}, "7": {("C101", "info")}, "8": {("C101", "warning")}}
"""Item 4 is unlike the others; 7 and 8 are the same, and of these one may stay."""


def _file(path: Path) -> None:
    rows = ["item,subj,attr,sentence"]
    words = list(zip(NOUNS, OTHERS, KINDS, strict=True))
    for number, (noun, other, kind) in enumerate([*words, words[-1]], 1):
        for subj, attr in (("sg", "sg"), ("sg", "pl"), ("pl", "sg"), ("pl", "pl")):
            one, two = (word + "s" * (level == "pl") for word, level in ((noun, subj), (other, attr)))
            turned = number == 4 and subj == attr == "pl"
            rows.append(f"{number},{subj},{attr},The {two if turned else one} of the {one if turned else two} is {kind}.")
    path.write_text("\n".join(rows) + "\n")


def test_what_names_an_item_stands_with_it_at_every_consumer(gapsmith: Callable[..., CommandOutcome], tmp_path: Path) -> None:
    _file(tmp_path / "set.csv")
    gapsmith("init", "ws")
    columns = ("--condition-column", "subj", "--condition-column", "attr")
    done = gapsmith("import", "set.csv", *columns, "-w", "ws")
    assert done.code == 0, done.err
    linted = gapsmith("lint", "--json", "-w", "ws")
    of_sets = {code for code, rule in RULES.items() if isinstance(rule, SetRule)}
    told: dict[str, set[tuple[str, str]]] = {}
    for entry in results(linted.out):
        if entry["code"] in of_sets and entry["item"] is not None:
            told.setdefault(entry["item"], set()).add((entry["code"], entry["severity"]))
    assert told == NAMED
    said = gapsmith("lint", "-w", "ws").out
    assert "8 items read; 6 without an error or a warning" in said
    assert "about the set" not in said
    assert "2 of 8 items have a fault" in gapsmith("audit", "set.csv", *columns).err

    with Bank.open(tmp_path / "ws" / "bank.sqlite") as bank:
        by_label = {item.label: item for item in bank.items.iterate(ItemFilter())}
        session = Session(bank, "ann")
        for label, item in by_label.items():
            expected = {code for code, _ in NAMED.get(label, ())}
            view = session.view(item.id)
            doors = {
                "review": {finding.code for finding in view.findings},
                "cards": {group.code for group in view.groups},
                "json": {finding["code"] for finding in json.loads(json.dumps(as_data(bank, item)))["findings"]},
                "show": {code for code in of_sets if f" {code}: " in as_text(bank, item)},
                "queue": {code for code in of_sets if item.id in bank.items.ids(ItemFilter(codes=(code,)))},
            }
            assert {name: codes & of_sets for name, codes in doors.items()} == dict.fromkeys(doors, expected)
        items = list(by_label.values())
        counted = {row[:3] for row in account_for(bank, ItemFilter(), items, frozenset(item.id for item in items)).findings}
        assert {("C104", Severity.WARNING, 1), ("C101", Severity.WARNING, 1), ("C101", Severity.INFO, 1)} <= counted
        # An item that is read alone keeps what its set has shown; an edit that mends it takes that away with the next reading of the set.
        lint_bank(bank, ItemFilter(ids=(by_label["4"].id,)), knowledge=load_knowledge())
        assert "C104" in {finding.code for finding in bank.findings.for_item(by_label["4"].id)}
        assert bank.findings.sets_that_name([by_label["4"].id]) == [("set", "set")]

    assert gapsmith("decide", "--policy", "clean", "-w", "ws").code == 0
    with Bank.open(tmp_path / "ws" / "bank.sqlite") as bank:
        pending = {item.label for item in bank.items.iterate(ItemFilter(statuses=(ItemStatus.PENDING,)))}
        assert pending == {"4", "8"}
