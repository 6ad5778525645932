"""`--words roles`: items that came as sentences alone have words for the statistics, and it is said which and by what they were read."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

import pytest

from gapsmith.app.role_words import role_words
from gapsmith.bank import Bank
from gapsmith.scoring.observations import ItemKey, ObservedItem, ObservedSentence, RoleWord, words_read
from gapsmith.templates import SENTENCE_PLACE, load_paradigm
from gapsmith.templates.loading import parse_paradigm
from tests.conftest import CommandOutcome

Run = Callable[..., CommandOutcome]
MINE = """
name = "mine"
title = "Sentences of mine"
items = "given"
[conditions]
one = "one"
two = "two"
three = "three"
four = "four"
[status]
one = "ok"
two = "*"
three = "*"
four = "ok"
[designs.all]
conditions = "all"
[[contrasts]]
name = "effect"
formula = "(one@sentence - two@sentence) - (three@sentence - four@sentence)"
expected = "negative"
design = "all"
"""
VERBS = ("visited", "thanked", "invited", "helped", "warned", "followed", "greeted")


@pytest.fixture
def imported(gapsmith: Run, tmp_path: Path) -> Path:
    """A workspace with a table of sentences that was imported: seven verbs with each of three subjects."""
    rows = ["item,condition,sentence"]
    for number, (verb, subject) in enumerate(itertools.product(VERBS, ("the cook", "the pilot", "the lawyer")), 1):
        rows += [
            f"{number},one,I know who {subject} {verb} yesterday.",
            f"{number},two,I know who {subject} {verb} Mary yesterday.",
            f"{number},three,I know that {subject} {verb} yesterday.",
            f"{number},four,I know that {subject} {verb} Mary yesterday.",
        ]
    (tmp_path / "mine.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    gapsmith("init", ".")
    (tmp_path / "paradigms").mkdir(exist_ok=True)
    (tmp_path / "paradigms" / "mine.toml").write_text(MINE, encoding="utf-8")
    done = gapsmith("import", "mine.csv", "--paradigm", "mine")
    assert done.code == 0, done.err
    return tmp_path


def test_roles_join_only_where_they_are_asked_for_and_are_named_with_their_source(gapsmith: Run, imported: Path) -> None:
    assert gapsmith("score", "--model", "bundled", "--all").code == 0
    plain = " ".join(gapsmith("analyze", "--all").out.split())
    assert "which words they have is not known" in plain
    assert "role_" not in plain
    gapsmith("lint")
    assert " ".join(gapsmith("analyze", "--all").out.split()).count("role_") == 0, "what a lint has read changes no number"
    asked = gapsmith("analyze", "--all", "--words", "roles")
    told = " ".join(asked.out.split())
    assert "over other words of the slot 'role_verb'" in told
    assert "Roles stand for the words of items without slots (mine: " in told
    assert "role_verb in 21 of 21 items by the bundled parser" in " ".join(asked.err.split())
    assert "role_name in 21 of 21 items by what differs between the conditions" in told


def test_words_and_places_are_those_of_the_sentences(imported: Path) -> None:
    with Bank.open(imported / "bank.sqlite") as bank:
        first = bank.items.get(bank.items.ids()[0])
        found = role_words(bank, ("mine",), imported)
        assert found is not None
        words = {own["role_verb"].word for own in found.items.values()}
        assert words == set(VERBS)
        assert found.items[first.id]["role_verb"].starts["one"] == first.sentences[0].text.index("visited")
        assert set(found.items[first.id]["role_name"].starts) == {"two", "four"}, "a gap shows no word"


def test_a_role_that_too_few_items_have_is_left_out_and_named(gapsmith: Run, imported: Path) -> None:
    mine = (imported / "mine.csv").read_text(encoding="utf-8").splitlines()
    half = [line if int(line.split(",")[0]) > 10 else line.replace(" yesterday", "") for line in mine[1:]]
    (imported / "half.csv").write_text("\n".join([mine[0], *half]) + "\n", encoding="utf-8")
    gapsmith("dataset", "remove", "mine", "-p", "mine", "--yes")
    gapsmith("import", "half.csv", "--paradigm", "mine")
    with Bank.open(imported / "bank.sqlite") as bank:
        found = role_words(bank, ("mine",), imported)
    assert found is not None
    assert "left out, being in too few: " in found.told
    kept = {name for own in found.items.values() for name in own}
    assert "role_verb" in kept
    assert not {"role_time", "role_adverb"} & kept


def test_items_with_slots_keep_their_slots(gapsmith: Run, tmp_path: Path) -> None:
    gapsmith("init", ".")
    gapsmith("generate", "subject_pg", "-n", "2", "--seed", "1")
    with Bank.open(tmp_path / "bank.sqlite") as bank:
        assert role_words(bank, (), tmp_path) is None


def test_what_begins_after_the_place_was_not_read() -> None:
    paradigm = parse_paradigm(MINE)
    sentence = ObservedSentence("The cook left early.", None, None)
    roles = {"role_subject": RoleWord("cook", {"one": 4}), "role_adverb": RoleWord("early", {"two": 14})}
    item = ObservedItem(ItemKey("d", "1"), {"one": sentence, "two": sentence}, roles=roles)
    assert words_read([item], paradigm, [("one", SENTENCE_PLACE)]).rows == ({"role_subject": "cook"},)
    both = words_read([item], paradigm, [("one", SENTENCE_PLACE), ("two", SENTENCE_PLACE)])
    assert (both.kind, both.rows) == ("roles", ({"role_subject": "cook", "role_adverb": "early"},))
    slots = ObservedItem(ItemKey("d", "2"), {"one": sentence}, slots={"verb": "amuse"}, roles=roles)
    assert words_read([slots], load_paradigm("subject_pg"), [("one", SENTENCE_PLACE)]).kind == "slots"


def test_roles_are_not_for_formulas(gapsmith: Run, imported: Path) -> None:
    refused = gapsmith("analyze", "--words", "roles", "--formula", "auto")
    assert refused.code != 0
    assert "--words roles is about the tests of contrasts" in refused.err
