"""The characters of sentences: every kind of fault is found where it is, and certain repairs mend it."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gapsmith.vetting.rules import bare_text, repaired_text, text_flaws

pytestmark = pytest.mark.fast

BASE = "I know who the story about is likely to amuse soon."

FAULTY = [
    ("T030", "i know who the story about is likely to amuse soon."),
    ("T031", "I know  who the story about is likely to amuse soon."),
    ("T031", " I know who the story about is likely to amuse soon."),
    ("T031", "I know who the story about is likely to amuse soon.\n"),
    ("T031", "I know who\tthe story about is likely to amuse soon."),
    ("T031", "I know\u00a0who the story about is likely to amuse soon."),
    ("T031", "I know who the story about is likely to amuse soon ."),
    ("T032", "I know who the story about is likely to amuse soon"),
    ("T032", "I know who the story about is likely to amuse soon.."),
    ("T032", "I know who the story about is likely to amuse soon?"),
    ("T033", "I know who the sto\u200bry about is likely to amuse soon."),
    ("T033", "\ufeffI know who the story about is likely to amuse soon."),
    ("T033", "I know who the sto\u00adry about is likely to amuse soon."),
    ("T033", "I know \u202ewho the story about is likely to amuse soon."),
    ("T033", "I know \x07who the story about is likely to amuse soon."),
    ("T034", "**I know who the story about is likely to amuse soon.**"),
    ("T034", "I know *who* the story about is likely to amuse soon."),
    ("T034", "I know who the story about is likely to amuse <b>soon</b>."),
    ("T034", "I know who the story about is likely to amuse _soon_."),
    ("T034", "`I know who the story about is likely to amuse soon.`"),
    ("T034", "I know who the story about is likely to amuse $soon$."),
    ("T034", "&quot;I know who the story about is likely to amuse soon."),
    ("T035", '"I know who the story about is likely to amuse soon."'),
    ("T035", "“I know who the story about is likely to amuse soon.”"),
    ("T035", "'I know who the story about is likely to amuse soon.'"),
    ("T036", "I know who the story about _ is likely to amuse soon."),
    ("T036", "I know who the story about ___ is likely to amuse soon."),
    ("T036", "I know who the story about [gap] is likely to amuse soon."),
    ("T036", "I know who_i the story about t_i is likely to amuse soon."),
    ("T036", "I know who the story about ∅ is likely to amuse soon."),
    ("T036", "I know who the story about t is likely to amuse soon."),
    ("T036", "I know who the story about ... is likely to amuse soon."),
    ("T037", "*I know who the story about is likely to amuse soon."),
    ("T037", "?? I know who the story about is likely to amuse soon."),
    ("T037", "# I know who the story about is likely to amuse soon."),
    ("T037", "I know who the story about is likely to amuse soon. *"),
    ("T038", "1. I know who the story about is likely to amuse soon."),
    ("T038", "(3b) I know who the story about is likely to amuse soon."),
    ("T038", "a. I know who the story about is likely to amuse soon."),
    ("T038", "PFPG: I know who the story about is likely to amuse soon."),
    ("T038", "+F +G1 +G2: I know who the story about is likely to amuse soon."),
    ("T039", "I know whо the story about is likely to amuse soon."),
    ("T040", "I know, who the story about is likely to amuse soon."),
    ("T040", "I know who (the story about) is likely to amuse soon."),
]


@pytest.mark.parametrize(("code", "text"), FAULTY)
def test_each_fault_is_found_alone(code: str, text: str) -> None:
    """One kind of fault gives one code, and the sentence under it is what was meant (but for look-alike letters)."""
    assert {flaw.code for flaw in text_flaws(text, ".")} == {code}
    if code != "T039":
        assert bare_text(text, ".") == BASE


@pytest.mark.parametrize("code", ["T030", "T031", "T033"])
def test_certain_repairs_give_the_sentence(code: str) -> None:
    """Spaces, capitals and invisible characters are repaired without a doubt."""
    for text in [text for fault, text in FAULTY if fault == code]:
        assert repaired_text(text, ".") == BASE


@pytest.mark.parametrize("code", ["T034", "T035", "T036", "T037", "T038", "T040"])
def test_what_is_not_certain_stays(code: str) -> None:
    """A mark whose sense nobody can know is reported and left alone."""
    for text in [text for fault, text in FAULTY if fault == code]:
        assert any(flaw.code == code for flaw in text_flaws(repaired_text(text, "."), "."))


def test_missing_and_doubled_periods_are_certain_a_question_mark_is_not() -> None:
    """A question mark may say that another sentence was meant."""
    assert repaired_text(BASE[:-1], ".") == BASE
    assert repaired_text(BASE + ".", ".") == BASE
    assert repaired_text(BASE[:-1] + "?", ".") == BASE[:-1] + "?"


def test_a_paradigm_without_final_punctuation() -> None:
    """Lan et al.'s sentences end in a word; a period is then the fault."""
    text = "I know who John's talking to is about to annoy soon"
    assert text_flaws(text, "") == ()
    assert [flaw.code for flaw in text_flaws(text + ".", "")] == ["T032"]


def test_places_are_characters_of_the_text() -> None:
    """The span of a flaw cuts out what the message names."""
    text = "I know who the story about _ is likely to amuse soon."
    (flaw,) = text_flaws(text, ".")
    assert text[flaw.start : flaw.end] == "_"


def test_apostrophes_and_hyphens_inside_words_are_fine() -> None:
    """Possessives, contractions and hyphenated words are words."""
    assert text_flaws("I don't know that Ann-Marie's story is well-known.", ".") == ()
    (flaw,) = text_flaws("I know who John’s story is about.", ".")
    assert (flaw.code, flaw.replacement) == ("T039", "'")


@given(st.text(max_size=40), st.sampled_from([".", ""]))
def test_repairing_settles_and_keeps_the_letters(text: str, punctuation: str) -> None:
    """Repairs can be made once and for all, touch no letter but the first, and never make a new fault."""
    once = repaired_text(text, punctuation)
    assert repaired_text(once, punctuation) == once
    assert [c.casefold() for c in once if c.isalnum()] == [c.casefold() for c in text if c.isalnum()]


@given(st.text(max_size=40), st.sampled_from([".", ""]))
@example("A.:?", ".")
def test_flaws_lie_inside_and_apart(text: str, punctuation: str) -> None:
    """Any text has flaws with real places that do not overlap."""
    flaws = text_flaws(text, punctuation)
    assert all(0 <= flaw.start <= flaw.end <= len(text) for flaw in flaws)
    assert all(left.end <= right.start for left, right in pairwise(flaws))
