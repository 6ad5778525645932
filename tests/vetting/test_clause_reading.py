"""The clauses of plain sentences, read off their words; and the roles of the words of minimal pairs."""

from __future__ import annotations

import pytest

from gapsmith.vetting.rules import load_knowledge
from gapsmith.vetting.rules.clause_reading import read_clauses
from gapsmith.vetting.rules.pair_phenomena import agreement_of, pair_roles, polarity_of
from gapsmith.vetting.rules.pair_shapes import Pair, change_of, kind_of

pytestmark = pytest.mark.fast

SUBJECTS = {
    "the clerk heard that the female baker who serves Paul trusts herself": "baker",
    "the nurses say the king feared himself": "king",
    "Anna knows that Robert's sister washes herself": "sister",
    "the girl that had distracted Paul fires herself": "girl",
    "all guests of Maria criticize themselves": "guests",
    "Anna and the baker admired themselves": "Anna",
    "some park that two widows like impressed itself": "park",
}


@pytest.mark.parametrize(("sentence", "head"), SUBJECTS.items())
def test_a_reflexive_has_the_subject_of_its_clause(sentence: str, head: str) -> None:
    words = sentence.split()
    reading = read_clauses(words, load_knowledge())
    place = next(i for i, word in enumerate(words) if word.endswith(("self", "selves")))
    clause = reading.of_anaphor(place)
    assert reading.whole
    assert clause is not None
    assert clause.subject is not None
    assert clause.subject.noun == head


QUESTIONS = {
    "won't the pilot who the nurse couldn't warn travel": [("the pilot", "travel"), ("the nurse", "warn")],
    "can the man the boy will see wait": [("the man", "wait"), ("the boy", "see")],
    "who did the judge who talked to Maria thank": [("the judge", "thank"), ("the judge", "talked")],
    "who were teachers healing": [("teachers", "healing")],
}


@pytest.mark.parametrize(("sentence", "expected"), QUESTIONS.items())
def test_the_verbs_of_a_question_have_their_subjects(sentence: str, expected: list[tuple[str, str]]) -> None:
    words = sentence.split()
    reading = read_clauses(words, load_knowledge())
    found = [(clause.subject.shown, words[clause.verb]) for clause in reading.clauses if clause.subject and clause.verb]
    assert reading.whole
    assert found == expected


def test_what_cannot_be_read_is_no_whole_reading() -> None:
    assert not read_clauses(["the", "tree", "the", "house", "sky"], load_knowledge()).whole


def _pair(good: str, bad: str) -> Pair:
    sides = [tuple(text.split()) for text in (good, bad)]
    low = [tuple(word.casefold() for word in side) for side in sides]
    return Pair(low[0], low[1], sides[0], sides[1])


CHANGES = {
    "replaced": ("The widow laughs", "The widow laugh"),
    "moved": ("Who did he thank before greeting Anna", "Who did he thank Anna before greeting"),
    "swapped": ("Won't the boy who can't run wait", "Can't the boy who run won't wait"),
    "fronted": ("The clerk was thinking of which widows", "Which was the clerk thinking of widows"),
    "exchanged": ("Jill thinks Paul dressed", "Paul thinks Jill dressed"),
    "filled": ("Anna saw a clerk that the widow praised", "Anna saw who the widow praised a clerk"),
    "moved and another auxiliary": ("Who could Anna and Paul paint", "Who might Anna paint and Paul"),
    "several": ("Who did he thank before greeting Anna", "Who did he thank Anna when greeting"),
}


@pytest.mark.parametrize(("how", "pair"), CHANGES.items())
def test_how_two_sentences_differ(how: str, pair: tuple[str, str]) -> None:
    assert change_of(_pair(*pair))[0] == how


def test_a_form_that_follows_from_another_word_is_no_difference() -> None:
    assert change_of(_pair("What have Anna and Paul painted", "What has Anna painted and Paul"))[0] == "moved"


def _roles(good: str, bad: str) -> dict[str, str]:
    pair, knowledge = _pair(good, bad), load_knowledge()
    return {role.name: role.word for role in pair_roles(pair, kind_of(pair, knowledge), knowledge)}


def test_the_words_of_pairs_have_roles() -> None:
    assert _roles("Who did he thank before greeting Anna", "Who did he thank Anna before greeting") == {
        "wh_word": "who",
        "gap_governor": "thank",
        "island_governor": "greeting",
    }
    assert _roles("What did he hear that Anna fixed", "What did he hear whether Anna fixed") == {
        "wh_word": "what",
        "embedding_verb": "hear",
        "gap_governor": "fixed",
    }
    assert _roles("The clerk heard that the girl hurt herself", "The clerk heard that the girl hurt himself") == {
        "antecedent": "girl",
        "anaphor": "herself",
    }
    assert _roles("The sister of the bakers has laughed", "The sister of the bakers have laughed") == {
        "controller": "sister",
        "target": "has",
    }
    assert _roles("Only the widow has ever complained", "Even the widow has ever complained") == {
        "licensee": "ever",
        "licensor": "only",
    }


def test_attractors_stand_between_a_subject_and_its_verb() -> None:
    found = agreement_of(_pair("The sister of the bakers has laughed", "The sister of the bakers have laughed"), load_knowledge())
    assert found is not None
    assert found.attractors == ("bakers",)
    assert (found.good_number, found.bad_number) == (("sg", "sg"), ("sg", "pl"))


LICENSORS = {
    "The widow has not ever complained": "not",
    "The widow hasn't ever complained": "hasn't",
    "Nobody has ever complained": "nobody",
    "Only the pilots who the judge hired have ever complained": "only",
    "Has the widow ever complained": "has",
    "Paul did not say that the widow ever complained": "not",
    "The widow hardly ever complained": "hardly",
    "The pilots who only the judge hired have ever complained": "",
    "The widow that did not laugh has ever complained": "",
    "Even the widow ever complained": "",
    # In the restriction of every it may stand, so nothing is said.
    "Every widow who has ever complained laughed": None,
}


@pytest.mark.parametrize(("sentence", "licensor"), LICENSORS.items())
def test_what_licenses_ever(sentence: str, licensor: str | None) -> None:
    found = polarity_of(_pair(sentence, "The widow laughed"), load_knowledge())
    assert found is not None
    assert found.good_licensor == licensor


def test_what_stands_where_a_subject_has_to_is_one() -> None:
    """No noun phrase has no words: a text that nobody can read as a question is read all the same, and no rule on pairs falls over it."""
    subject = read_clauses(["where", "does", "evolve", "wanna", "wait"], load_knowledge()).clauses[0].subject
    assert subject is not None
    assert subject.noun == "wanna"
