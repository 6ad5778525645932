"""Flaws of words in frames of their own: a given set whose four conditions are an embedded question and a that-clause, with and without the
object; roles come from the sentences."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from gapsmith.bank import Severity
from gapsmith.templates import Paradigm
from gapsmith.templates.loading import parse_paradigm
from gapsmith.vetting.rules import Linter, RuleSelection, load_knowledge
from gapsmith.vetting.rules.frame_clauses import RULES as FRAME_RULES
from gapsmith.vetting.rules.late_words import RULES as LATE_RULES
from gapsmith.vetting.rules.late_words import adverb_of
from gapsmith.vetting.rules.spelling import RULES as SPELLING_RULES
from gapsmith.vetting.rules.spelling import homophones, is_no_word
from tests.vetting.linting import stored

GIVEN = """
name = "own_frames"
title = "Sentences of somebody"
items = "given"
[conditions]
that_full = "that_full"
that_gap = "that_gap"
who_full = "who_full"
who_gap = "who_gap"
[status]
that_full = "ok"
that_gap = "*"
who_full = "*"
who_gap = "ok"
[designs.all]
conditions = "all"
"""
ROWS = {"L212", "L213", "L214", "L413", "L610"}
CODES = ROWS | {"L704"} | {rule.code for rule in (*FRAME_RULES, *LATE_RULES, *SPELLING_RULES)}
SOUND = {"frame": "The clerk recalls", "subject": "the rumor about Maria", "verb": "will enrage", "name": "Anna", "late": "soon"}


@pytest.fixture(scope="module")
def paradigm() -> Paradigm:
    return parse_paradigm(GIVEN)


def _found(paradigm: Paradigm, **changed: str) -> dict[str, Severity]:
    words = SOUND | changed
    texts = {
        f"{opener}_{kind}": " ".join(
            filter(
                None,
                (words["frame"], opener, words["subject"], words["verb"], words["name"] if kind == "full" else "", words["late"]),
            )
        )
        + "."
        for opener in ("that", "who")
        for kind in ("full", "gap")
    }
    linter = Linter(paradigm, load_knowledge(), RuleSelection(tuple(sorted(CODES))))
    return {finding.code: finding.severity for finding in linter.check(stored(paradigm, texts.items()))}


FLAWS = [
    ("L115", {"frame": "The umbrella recalls"}),
    ("L115", {"frame": "The carrots know"}),
    ("L116", {"frame": "I think the clerk recalls"}),
    ("L116", {"frame": "The clerk said they knew"}),
    ("L212", {"verb": "will ingratiate"}),
    ("L213", {"verb": "will eke"}),
    ("L214", {"verb": "will put"}),
    ("L609", {"late": "cruel"}),
    ("L610", {"verb": "will ruin", "late": "this summer"}),
    ("L703", {"verb": "will snorvel"}),
    ("L703", {"subject": "the gloptage about Maria"}),
    ("L704", {"subject": "there story about Maria"}),
    ("L704", {"verb": "will effect"}),
    ("L704", {"verb": "must of annoyed"}),
]
FINE = [
    {},
    {"frame": "The letter shows"},
    {"frame": "The office knows"},
    {"frame": "The clerk told us"},
    {"frame": "We heard them say"},
    {"frame": "The man at the table knows"},
    {"late": "fast"},
    {"late": "this summer"},
    {"late": "suddenly"},
    {"subject": "the podcast about Maria"},
    {"subject": "their story about Maria"},
    {"verb": "is likely to affect"},
]


def test_every_rule_here_has_a_planted_flaw() -> None:
    assert {code for code, _ in FLAWS} | {"L413"} == CODES


@pytest.mark.parametrize(("code", "changed"), FLAWS, ids=str)
def test_a_flaw_is_warned_of_in_a_frame_of_its_own(paradigm: Paradigm, code: str, changed: dict[str, str]) -> None:
    found = _found(paradigm, **changed)
    assert found.get(code, Severity.INFO).rank >= Severity.WARNING.rank, found


@pytest.mark.parametrize("changed", FINE, ids=str)
def test_sound_words_are_left_alone(paradigm: Paradigm, changed: dict[str, str]) -> None:
    assert _found(paradigm, **changed) == {}


def test_a_preposition_that_can_stand_alone_leaves_no_gap(paradigm: Paradigm) -> None:
    """The gap of a subject island: the people inside Maria's …; here the conditions differ in the name after the preposition."""
    texts = {
        "that_full": "The clerk knows that the people inside Maria will enrage Anna soon.",
        "that_gap": "The clerk knows that the people inside will enrage Anna soon.",
        "who_full": "The clerk knows who the people inside Maria will enrage Anna soon.",
        "who_gap": "The clerk knows who the people inside will enrage Anna soon.",
    }
    linter = Linter(paradigm, load_knowledge(), RuleSelection(("L413",)))
    assert [finding.code for finding in linter.check(stored(paradigm, texts.items()))] == ["L413"]
    sound = {name: text.replace("people inside", "rumor about") for name, text in texts.items()}
    assert linter.check(stored(paradigm, sound.items())) == []


def test_what_is_no_word() -> None:
    knowledge = load_knowledge()
    for word in ("blorvity", "gloptage", "snorvel"):
        assert is_no_word(word, knowledge), word
    for word in (
        "podcast",
        "backbenchers",
        "unforgettably",
        "reupholster",
        "Flumble",
        "cat",
        "folktale",
        "embarass",
        "raincoats",
    ):
        assert not is_no_word(word, knowledge), word


ALIKE = {
    "They're story is likely to amuse Anna": ("They're", "their"),
    "I asked weather he left": ("weather", "whether"),
    "She could of left": ("of", "have"),
    "He would rather stay then leave": None,
    "It is better then that": ("then", "than"),
    "There is a story about Anna": None,
    "They asked who there coach praised": ("there", "their"),
    "The people there work hard": None,
    "There story of Anna": ("There", "their"),
    "its likely that he left": ("its", "it's"),
    "its likely causes are known": None,
    "I no who left": ("no", "know"),
    "he can no longer wait": None,
    "he was suppose to leave": ("suppose", "supposed"),
    "she could here my neighbors": ("here", "hear"),
    "to effect a change": None,
    "due to many reasons": None,
}


@pytest.mark.parametrize(("sentence", "expected"), ALIKE.items())
def test_words_that_sound_alike(sentence: str, expected: tuple[str, str] | None) -> None:
    assert next(homophones(sentence.split(), load_knowledge()), None) == expected


def test_adjectives_have_their_adverbs() -> None:
    found = {word: adverb_of(word) for word in ("sudden", "happy", "gentle", "basic", "fast", "soon", "table", "lonely")}
    assert found == {
        **dict.fromkeys(("fast", "soon", "table", "lonely")),
        "sudden": "suddenly",
        "happy": "happily",
        "gentle": "gently",
        "basic": "basically",
    }


def test_no_noun_without_a_mind_is_a_person_or_an_institution_in_the_lists() -> None:
    knowledge = load_knowledge()
    for noun in knowledge.lists["subjects"]:
        if "mindless" in knowledge.classes("subjects", noun):
            assert not knowledge.classes("nouns", noun) & {"person", "content"}, noun


def test_words_of_our_days_are_in_no_dictionary_twice() -> None:
    path = Path(__file__).parents[2] / "vetting" / "lexicons" / "modern_words.csv"
    words = [row[0] for row in csv.reader(path.read_text(encoding="utf-8").splitlines()) if not row[0].startswith("#")][1:]
    assert words == sorted(set(words))
