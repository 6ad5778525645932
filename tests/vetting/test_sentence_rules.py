"""Flaws in the grammar of whole sentences and in what conditions differ in, planted in given sets whose frames and slots are nobody's."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path

import pytest

from gapsmith.bank import Severity
from gapsmith.vetting.rules import load_knowledge
from gapsmith.vetting.rules.designs import RULES as DESIGN_RULES
from gapsmith.vetting.rules.grammar import RULES as GRAMMAR_RULES
from gapsmith.vetting.rules.sentence_texts import RULES as TEXT_RULES
from gapsmith.vetting.rules.set_edits import EditFacts
from tests.vetting.foreign_frames import READER, crossed, island, lint_texts

pytestmark = pytest.mark.fast


def _long(
    frame: str = "The nurses know {filler} the porter had misplaced {gap} after lunch", filled: str = "the charts"
) -> dict[str, str]:
    return crossed(frame, "what", gap=filled)


def _number(
    frame: str = "The label on the {noun} {verb} torn.", nouns: str = "crate crates", verbs: str = "was were"
) -> dict[str, str]:
    return {
        f"{noun}_{verb}": frame.format(noun=noun, verb=verb).replace("_", " ") for noun in nouns.split() for verb in verbs.split()
    }


def _licensed(
    rest: str, first: str = "No clerk that the guards knew", second: str = "The clerk that no guards knew"
) -> dict[str, str]:
    return {"licensed": f"{first} {rest}", "unlicensed": f"{second} {rest}"}


def _island(noun: str, preposition: str) -> dict[str, str]:
    return island(noun=noun, preposition=preposition)


def _reflexive(*forms: str, who: str = "Anna") -> dict[str, str]:
    return {
        f"{opener}_{form}": f"The porter {opener} that {who} had blamed {form} for it."
        for opener in ("said", "knew")
        for form in forms
    }


FLAWS: list[tuple[str, Mapping[str, str]]] = [
    ("G101", _long("The nurses knows {filler} the porter had misplaced {gap} after lunch")),
    ("G101", _long("The nurses know {filler} the porters of the clinic has misplaced {gap} after lunch")),
    ("G101", _licensed("have ever signed a letter.")),
    ("G102", _long("These nurse know {filler} the porter had misplaced {gap} after lunch")),
    ("G103", _long("The nurses know {filler} the porter has broke {gap} after lunch")),
    ("G103", _long("The nurses know {filler} the porter would misplaced {gap} after lunch")),
    ("G103", _long("The nurses know {filler} the porter had misplaced {gap} without have seen the doctor")),
    ("G104", _long("The nurses know {filler} the porter had misplaced {gap} near old airport")),
    ("G105", _long("The nurses know {filler} the porter managed misplace {gap} after lunch")),
    ("G105", _licensed("has ever relied the doctor.")),
    ("G105", _licensed("has ever prided on a small car.")),
    ("G105", _licensed("has ever put with a loud car.")),
    ("G106", _long("The nurses know {filler} the porter had misplaced {gap} so careless")),
    ("G107", _long("The nurses know {filler} the porter has misplaced {gap} last week")),
    ("G107", _long("Next month the nurses found out {filler} the porter had misplaced {gap}")),
    ("G108", _long("The nurses know {filler} the contempt at the porter had ruined {gap} by noon")),
    ("L414", _island("contempt", "at")),
    ("L414", _island("accident", "about")),
    ("G108", _long("The nurses know {filler} the habit to smoke near the porter had ruined {gap} by noon")),
    ("G109", _long("The nurses know {filler} the goldfish said the porter had misplaced {gap}")),
    ("G109", _licensed("has ever climbed the fence.", "No goldfish that the guards fed", "The goldfish that no guards fed")),
    (
        "G110",
        _long("On Sunday Maria discussed that the porter had misplaced {gap} after lunch", "the charts")
        | {"topic": "The charts, on Sunday Maria discussed that the porter had misplaced after lunch."},
    ),
    ("G111", _long("The nurses interested on the porter know {filler} the clerk had misplaced {gap}")),
    ("G111", _licensed("has ever relied of a letter.")),
    ("G112", _long("The nurses know {filler} the porter had misplaced {gap} near the friend of he")),
    ("G113", _long("The nurses know {filler} the porter had misplaced {gap} after an advice")),
    ("G113", _long("The nurses know {filler} the porter had misplaced {gap} behind the furnitures")),
    ("G206", _long("The nurses know {filler} the statue who the porter saw had damaged {gap}")),
    ("G207", _long("The nurses know {filler} the porter had misplaced {gap} more easier")),
    ("G201", _long(filled="the thiefs")),
    ("G202", _number("The fence between the {noun} {verb} torn.", "garden gardens")),
    ("G203", _long("Maria knows {filler} the porter had misplaced {gap} after lunch with Maria")),
    ("G204", _long("The nurses know {filler} a old porter had misplaced {gap}")),
    ("G205", _long("The nurses know {filler} the the porter had misplaced {gap}")),
    ("G301", _number("The committee behind the {noun} {verb} quarrelling.", "plan plans")),
    ("G301", _number("The judge insists that the owner of the {noun} {verb} rent.", "kiosk kiosks", "pays pay")),
    ("G302", _licensed("would sign any letter.")),
    (
        "G303",
        {
            "topic_gap": "That old quarrel, the porter would never mention at lunch.",
            "topic_full": "That old quarrel, the porter would never mention it at lunch.",
            "plain_gap": "After that old quarrel, the porter would never mention at lunch.",
            "plain_full": "After that old quarrel, the porter would never mention it at lunch.",
        },
    ),
    ("G304", _long("The nurses know {filler} the porter wanted to enjoy {gap} that evening")),
    ("G305", _long("The nurses know {filler} the porter fed {gap} after lunch", "the dog")),
    ("G306", _number("The label on the {noun} has ever {verb} torn.", verbs="been got")),
    ("G307", _reflexive("himself")),
    ("G308", _reflexive("himself", "herself", who="the surgeon")),
    (
        "G309",
        {
            "hard_gap": "The goose was hard to roast in the kitchen.",
            "hard_full": "The goose was hard to roast the turnips in the kitchen.",
            "ready_gap": "The goose was ready to roast in the kitchen.",
            "ready_full": "The goose was ready to roast the turnips in the kitchen.",
        },
    ),
    ("L704", _long("The nurses know {filler} the porter had misplaced {gap} in there own office")),
]
FINE: list[Mapping[str, str]] = [
    _long(),
    _long("The nurses who the porter saw know {filler} the doctors of the clinic have misplaced {gap} after lunch"),
    _long("The nurses know {filler} the porter managed to misplace {gap} without having seen the doctor last week"),
    _long("The nurses know {filler} a few porters had put {gap} near the airport so carelessly"),
    _long("The nurses know {filler} the contempt for the porter had ruined {gap} by noon"),
    _long("The nurses know {filler} the porter will misplace {gap} next week"),
    _licensed("has ever signed a letter."),
    _number(),
    _number("The owner of the {noun} {verb} at home.", "kiosk kiosks"),
    _reflexive("himself", "herself"),
]


def test_every_rule_has_a_planted_flaw() -> None:
    assert {code for code, _ in FLAWS} == {rule.code for rule in (*GRAMMAR_RULES, *DESIGN_RULES, *TEXT_RULES)} | {"L414"}


@pytest.mark.parametrize(("code", "texts"), FLAWS, ids=[f"{code}-{number}" for number, (code, _) in enumerate(FLAWS)])
def test_a_flaw_is_warned_of(code: str, texts: Mapping[str, str]) -> None:
    found = {finding.code: finding.severity for finding in lint_texts(texts)}
    assert found.get(code, Severity.INFO).rank >= Severity.WARNING.rank, (texts, found)


@pytest.mark.parametrize("texts", FINE, ids=lambda texts: next(iter(texts.values())))
def test_sound_sentences_are_left_alone(texts: Mapping[str, str]) -> None:
    assert [finding for finding in lint_texts(texts, "G", "L704") if finding.severity is not Severity.INFO] == []


def test_sets_without_gaps_have_roles_of_their_own() -> None:
    """What two conditions differ in says what agrees, and what licenses."""
    number = READER.read(_number("The label on the {noun} {verb} torn.", "crate crates"))
    assert {role.name: role.form for role in number.roles if role.name != "rest"} == {
        "controller": "label",
        "attractor": "crate",
        "target": "was",
    }
    assert not number.unread
    polarity = READER.read(_licensed("has ever signed a letter."))
    assert {role.name: role.form for role in polarity.roles if role.name != "rest"} == {"licensor": "No", "licensee": "ever"}


_NOUNS = ["crate", "jar", "pipe", "lamp", "fence", "ladder", "barrel", "saddle"]


def _set(**changed: Mapping[str, str]) -> EditFacts:
    facts = EditFacts()
    for noun in _NOUNS:
        texts = _number(f"The {noun} near the {{noun}} {{verb}} {noun}like.", "gate gates")
        named = {
            f"{n}_{v}": texts[f"{a}_{b}"]
            for n, a in (("sg", "gate"), ("pl", "gates"))
            for v, b in (("was", "was"), ("were", "were"))
        }
        facts.add(noun, changed.get(noun, named))
    return facts


def test_items_of_one_kind_do_not_stand_out() -> None:
    assert not [*_set().odd(), *_set().copies()]


def test_swapped_conditions_stand_out() -> None:
    swapped = {
        "sg_was": "The lamp near the gate were torn.",
        "sg_were": "The lamp near the gate was torn.",
        "pl_was": "The lamp near the gates was torn.",
        "pl_were": "The lamp near the gates were torn.",
    }
    assert [odd.label for odd in _set(lamp=swapped).odd()] == ["lamp"]


def test_an_edit_that_one_condition_alone_has_stands_out() -> None:
    other = {
        "sg_was": "The lamp near the gate was torn.",
        "sg_were": "The lamp near the gate were torn.",
        "pl_was": "The lamp near the gates was torn.",
        "pl_were": "The lamp behind the gates were torn.",
    }
    (odd,) = _set(lamp=other).odd()
    assert "behind" in odd.message
    assert odd.conditions == ("pl_were",)


def test_gap_and_filled_under_each_others_names_stand_out() -> None:
    facts = EditFacts()
    for number, noun in enumerate(_NOUNS):
        texts = {"full": f"The clerk sold the {noun} to Maria.", "gap": "The clerk sold to Maria."}
        facts.add(noun, dict(zip(texts, reversed(texts.values()), strict=True)) if number == 3 else texts)
    assert [odd.label for odd in facts.odd()] == [_NOUNS[3]]


def test_near_copies_are_named_once_at_each() -> None:
    facts = EditFacts()
    for noun in _NOUNS:
        facts.add(noun, {"a": f"The {noun} fell.", "b": f"The {noun} falls."})
    facts.add(
        "x", {"a": "The scheme to evict the widow appalled the vicar.", "b": "The scheme to evict the widow appals the vicar."}
    )
    facts.add(
        "y", {"a": "The scheme to evict the widow alarmed the vicar.", "b": "The scheme to evict the widow alarms the vicar."}
    )
    first, later = facts.copies()
    assert (first.label, first.others, first.is_first) == ("x", ("y",), True)
    assert (later.label, later.others, later.is_first) == ("y", ("x",), False)
    assert later.message == first.message.replace("item y", "item x")
    assert "both have “evict”, “scheme”, “vicar”, “widow”" in later.message


def test_an_item_that_many_are_like_is_told_so_once_and_a_copy_is_no_near_copy() -> None:
    facts = EditFacts()
    for noun in (*_NOUNS, *(f"{noun}s" for noun in _NOUNS)):
        facts.add(noun, {"a": f"The {noun} fell.", "b": f"The {noun} falls."})
    alike = [{"a": f"The {n}x scheme to evict the widow.", "b": f"A {n}x scheme to evict the widow."} for n in "abcdef"]
    for number, texts in enumerate([*alike, alike[0]]):
        facts.add(str(number), texts, is_copy=number == len(alike))
    first, *later = facts.copies()
    assert first.message == "is nearly the same as items 1, 2, 3, 4, 5: all have “evict”, “scheme”, “widow”"
    assert [(own.label, own.others) for own in later] == [(str(n), ("0",)) for n in range(1, 6)]


@pytest.mark.parametrize(
    "name", ["actions", "complements", "confusions", "mass_nouns", "noun_complements", "subjects", "wrong_prepositions"]
)
def test_lists_are_in_order_and_have_each_form_once(name: str) -> None:
    path = Path(__file__).parents[2] / "vetting" / "lexicons" / f"{name}.csv"
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    forms = [row["form"] for row in csv.DictReader(lines)]
    assert forms == sorted(set(forms))


def test_no_pair_of_words_is_confused_with_itself() -> None:
    entries = load_knowledge().lists["confusions"]
    assert all(entry.values("meant") and entry.values("meant")[0] != form for form, entry in entries.items())
