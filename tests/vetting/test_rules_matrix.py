"""L1: which frames embed a that-clause and a question alike."""

from __future__ import annotations

import pytest

from tests.vetting.linting import lint, with_words

ANTIROGATIVE = (
    "They thought|She hopes|We assumed|He claims|You insisted|I doubt|They feared|She regrets|He is glad|I am convinced"
    "|We were worried|It seems|It turned out|She convinced him|They have been claiming|He must believe|The truth is"
    "|I firmly believe|She was pleased|Rumor has it|They would prefer|He promised"
)


def said(frame: str) -> set[str]:
    """The codes of the rules on frames for an item with this frame."""
    return {finding.code for finding in lint(with_words(matrix=frame), "L1")}


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ("I know", None),
        ("She heard", None),
        ("They believe", "L101"),
        ("The report suggested", "L103"),
        ("It is clear", None),
    ],
)
def test_the_preambles_of_the_published_prompt(frame: str, code: str | None) -> None:
    """The first forbidden one is caught, the doubtful one questioned, the others pass."""
    assert said(frame) == ({code} if code else set())


@pytest.mark.parametrize(
    ("code", "frames"),
    [
        (
            "L101",
            ANTIROGATIVE,
        ),
        (
            "L102",
            "I wonder|She asked|They inquired|He is curious|We were debating|The question is|I would like to know|She asked me",
        ),
        ("L103", "The data imply|He hinted|It is surprising|She imagined|They agreed|I am amazed"),
        ("L104", "I am sure|She is certain|He was aware|He is not aware|I'm sure"),
        ("L105", "The oracle vouchsafed|They grokked|She is mayor"),
        ("L106", "They repaired|She met|He admires|They released"),
        ("L107", "Nobody knows|I don't know|She never learned|We did not hear"),
        ("L109", "I know that|She heard who|They wonder whether"),
        ("L110", "She told|He informed|They reminded"),
        ("L111", "He explained me|She revealed us|They announced the public|I know him"),
    ],
)
def test_frames_by_rule(code: str, frames: str) -> None:
    """Each of these frames has the flaw, in whatever tense, voice or company it comes."""
    for frame in frames.split("|"):
        assert code in said(frame), frame


SOUND = """
You know | He remembered | We have found out | They had discovered | She figured out | I realized | He can
tell | I could see | We guessed | She told us | He told the editor | They informed the police | It was
revealed | It has been announced | I was told | We were informed | She explained to me | The letter revealed
to us | It became obvious | It's clear | It is now known | It is no secret | Everyone already knows | The
editor quickly realized | She showed me | The notes show | He let slip | They made clear | I have no idea |
The report confirms | My neighbor's email disclosed | Remember | She may have learned | They decided | He can't tell | They could
easily tell | He couldn't tell | They could tell us | I wasn't told | It isn't clear | They don't know
"""


@pytest.mark.parametrize("frame", [" ".join(frame.split()) for frame in SOUND.split("|")])
def test_sound_frames(frame: str) -> None:
    """No error and no warning on frames that take both."""
    found = [f for f in lint(with_words(matrix=frame), "L1") if f.severity != "info"]
    assert found == [], [f.message for f in found]


@pytest.mark.parametrize(
    ("frame", "right"),
    [
        ("He don't know", "doesn't"),
        ("They doesn't know", "don't"),
        ("We wasn't told", "weren't"),
        ("The police knows", "know"),
        ("The list of editors show", "shows"),
        ("Mary and Tom knows", "know"),
    ],
)
def test_the_form_that_would_agree_is_named(frame: str, right: str) -> None:
    (finding,) = lint(with_words(matrix=frame), "L112")
    assert f"takes “{right}”" in finding.message


def test_the_message_names_the_predicate_and_the_slot() -> None:
    """The base form is named, whatever form stands there."""
    (finding,) = lint(with_words(matrix="They believed"), "L1")
    assert "believe takes a that-clause but no who-question" in finding.message
    assert (finding.place.slot, finding.severity) == ("matrix", "error")


def test_what_questions_are_called_so() -> None:
    """Where the filler is *what*, the message says so."""
    words = {"subject": "the lion", "verb": "devoured", "object": "the gazelle", "time": "at noon", "matrix": "I think"}
    (finding,) = lint(with_words("embedded_wh", **words), "L1")
    assert "no what-question" in finding.message
