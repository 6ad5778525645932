"""Family P with the parser that ships: what is named, what is left alone, and whom a vote blames."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from bank import Finding, Severity, StoredItem
from parsing.model import Parse
from parsing.parser import Parser, open_parser
from templates import Status, load_paradigm, sample
from tests.conftest import Outcome
from tests.vetting.linting import SLOTS, stored, texts, with_words
from vetting.rules import Linter, Parses, RuleSelection, load_knowledge
from vetting.rules.structure import claims_of

Run = Callable[..., Outcome]


@cache
def embedded() -> Parser:
    return open_parser("embedded")


@cache
def linter(paradigm: str, parsers: int = 1) -> Linter:
    return Linter(load_paradigm(paradigm), load_knowledge(), RuleSelection(("P",)), Parses([embedded()] * parsers))


def findings(item: StoredItem, parsers: int = 1) -> list[Finding]:
    return linter(item.paradigm, parsers).check(item)


def sampled(paradigm: str, count: int, seed: int) -> Iterator[StoredItem]:
    loaded = load_paradigm(paradigm)
    for _, slots in zip(range(count), sample(loaded, seed), strict=False):
        yield stored(loaded, texts(loaded, slots).items(), slots)


@pytest.mark.parametrize("paradigm", ["subject_pg", "embedded_wh", "lan_pg", "lan_atb"])
def test_only_conditions_that_are_acceptable_are_parsed(paradigm: str) -> None:
    loaded = load_paradigm(paradigm)
    asked: list[str] = []

    class Listening:
        name, identity = embedded().name, embedded().identity

        def parse(self, wanted: Iterable[str]) -> Iterator[Parse]:
            asked.extend(wanted := list(wanted))
            return embedded().parse(wanted)

    reading = Linter(loaded, load_knowledge(), RuleSelection(("P",)), Parses([Listening()]))
    items = list(sampled(paradigm, 3, seed=5))
    reading.look_ahead(items)
    for item in items:
        reading.check(item)
    starred = {c.name for c in loaded.conditions if c.status is not Status.OK}
    assert asked
    assert not set(asked) & {s.text for item in items for s in item.sentences if s.condition in starred}
    assert claims_of(loaded)


@pytest.mark.parametrize("paradigm", ["subject_pg", "embedded_wh", "lan_pg"])
def test_words_of_the_lists_are_hardly_ever_named(paradigm: str) -> None:
    items = list(sampled(paradigm, 60, seed=99))
    warned = [item.slots for item in items if any(f.severity is Severity.WARNING for f in findings(item))]
    assert len(warned) <= 3, warned


def test_without_a_parser_the_rules_do_not_run() -> None:
    item = with_words(verb="winter")
    assert Linter(load_paradigm("subject_pg"), load_knowledge(), RuleSelection(("P",))).check(item) == []


def test_a_paradigm_without_lists_is_left_alone(tmp_path: Path) -> None:
    listed = load_paradigm("subject_pg")
    own = replace(listed, slots=tuple(replace(slot, lexicon=None, offered_by=None, words=()) for slot in listed.slots))
    odd = {**SLOTS, "verb": "winter"}
    item = stored(own, texts(own, odd).items(), odd)
    reading = Linter(own, load_knowledge(), RuleSelection(("P",)), Parses([embedded()]))
    assert reading.check(item) == []
    assert findings(item)


def test_a_text_that_is_not_what_its_slots_give_is_left_to_other_rules() -> None:
    loaded = load_paradigm("subject_pg")
    odd = {**SLOTS, "verb": "winter"}
    broken = {name: f"Well, {text}" for name, text in texts(loaded, odd).items()}
    assert findings(stored(loaded, broken.items(), odd)) == []


def test_asking_for_family_p_without_a_parser_is_an_error(gapsmith: Run) -> None:
    assert gapsmith("generate", "subject_pg", "-n", "2").code == 0
    done = gapsmith("lint", "--select", "P")
    assert done.code == 2
    assert "--parser embedded" in done.err


def test_the_command_asks_the_parser_and_keeps_its_findings(gapsmith: Run) -> None:
    assert gapsmith("generate", "subject_pg", "-n", "3").code == 0
    done = gapsmith("lint", "--parser", "embedded", "--json")
    assert done.code == 0, done.err
    done = gapsmith("lint", "--parser", "none")
    assert done.code == 2
    assert "no parser 'none'" in done.err
