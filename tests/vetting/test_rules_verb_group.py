"""The linker, the time that it gives, and what the verb and the adverb after it make of that."""

from __future__ import annotations

import pytest

from gapsmith.bank import Severity
from gapsmith.templates import load_dictionary, load_paradigm
from gapsmith.vetting.rules import load_knowledge
from gapsmith.vetting.rules.inflection import BASE, GERUND, PARTICIPLE
from gapsmith.vetting.rules.linker_grammar import Time, read_linker
from tests.vetting.linting import SLOTS, codes, lint, stored, texts, with_words

pytestmark = pytest.mark.fast


@pytest.mark.parametrize(
    ("linker", "time", "wants"),
    [
        ("will", Time.FUTURE, BASE),
        ("won't", Time.FUTURE, BASE),
        ("cannot", Time.FUTURE, BASE),
        ("may well", Time.FUTURE, BASE),
        ("could", Time.OPEN, BASE),
        ("will have to", Time.FUTURE, BASE),
        ("may turn out to", Time.FUTURE, BASE),
        ("is going to have to", Time.FUTURE, BASE),
        ("is about to", Time.FUTURE, BASE),
        ("was about to", Time.OPEN, BASE),
        ("was going to", Time.OPEN, BASE),
        ("was likely to", Time.OPEN, BASE),
        ("had been going to", Time.OPEN, BASE),
        ("does not", Time.PRESENT, BASE),
        ("did not", Time.PAST, BASE),
        ("didn't", Time.PAST, BASE),
        ("used to", Time.PAST, BASE),
        ("had managed to", Time.PAST, BASE),
        ("happened to", Time.PAST, BASE),
        ("seems to", Time.PRESENT, BASE),
        ("seems likely to", Time.FUTURE, BASE),
        ("has begun to", Time.PERFECT, BASE),
        ("is said to", Time.PRESENT, BASE),
        ("must have", Time.PAST, PARTICIPLE),
        ("is likely to have", Time.PAST, PARTICIPLE),
        ("has", Time.PERFECT, PARTICIPLE),
        ("is", Time.OPEN, GERUND),
        ("keeps", Time.PRESENT, GERUND),
        ("could end up", Time.OPEN, GERUND),
        ("need not", Time.FUTURE, BASE),
        ("will no doubt", Time.FUTURE, BASE),
        ("looks set to", Time.FUTURE, BASE),
        ("has a tendency to", Time.PRESENT, BASE),
        ("cannot help but", Time.FUTURE, BASE),
        ("can't but", Time.FUTURE, BASE),
        ("is gonna", Time.FUTURE, BASE),
        ("is all but certain to", Time.FUTURE, BASE),
        ("oughtn't to", Time.FUTURE, BASE),
        ("might've", Time.PAST, PARTICIPLE),
        ("is likely to end up", Time.FUTURE, GERUND),
        ("hasn't stopped", Time.PERFECT, GERUND),
        ("is believed to have been going to", Time.PAST, BASE),
    ],
)
def test_a_linker_is_read_as_a_chain(linker: str, time: Time, wants: str) -> None:
    """Modals, perfects, forms of *do* and catenatives, in any order that English has."""
    reading = read_linker(linker, load_knowledge())
    assert reading.malformed is None
    assert reading.head is not None
    assert (reading.time, reading.wants) == (time, wants)


@pytest.mark.parametrize(
    "linker",
    [
        "is likely",
        "will to",
        "has begin to",
        "will seems to",
        "does to",
        "ought",
        "is bound",
        "might to",
        "will be",
        "is believed to be",
    ],
)
def test_a_malformed_linker(linker: str) -> None:
    """No verb can follow."""
    assert "L260" in codes(with_words(linker=linker), "L260")


@pytest.mark.parametrize(
    ("linker", "adverb", "code"),
    [
        ("will", "yesterday", "L604"),
        ("is about to", "yesterday", "L604"),
        ("seems to", "yesterday", "L604"),
        ("is bound to", "recently", "L604"),
        ("managed to", "tomorrow", "L258"),
        ("did not", "someday", "L258"),
        ("has begun to", "tomorrow", "L258"),
        ("is bound to", "anymore", "L608"),
        ("will", "never", "L608"),
        ("will", "already", "L608"),
        ("begins to", "soon", "L261"),
    ],
)
def test_linker_and_adverb_clash(linker: str, adverb: str, code: str) -> None:
    """One finding, by the rule that it is about."""
    assert codes(with_words(linker=linker, adverb=adverb), "L258", "L261", "L601", "L604", "L608") == [code]


@pytest.mark.parametrize(
    ("linker", "adverb"),
    [
        ("was about to", "instantly"),
        ("was going to", "yesterday"),
        ("was going to", "tomorrow"),
        ("would", "eventually"),
        ("could", "yesterday"),
        ("seemed to", "yesterday"),
        ("managed to", "yesterday"),
        ("had begun to", "recently"),
        ("has begun to", "lately"),
        ("has begun to", "already"),
        ("continues to", "daily"),
        ("will continue to", "tomorrow"),
        ("is bound to", "tomorrow"),
        ("may", "tonight"),
        ("does not", "anymore"),
        ("will not", "anymore"),
        ("must have", "yesterday"),
    ],
)
def test_linker_and_adverb_go_together(linker: str, adverb: str) -> None:
    """Nothing is said where there is no clash: not that the linker is past, nor that the adverb can be a noun."""
    item = with_words(linker=linker, adverb=adverb, verb="enraged" if linker == "must have" else "enrage")
    assert [f for f in lint(item, "L25", "L26", "L6", "L209") if f.severity != "info"] == []


@pytest.mark.parametrize(("linker", "verb"), [("is bound to", "enraged"), ("might", "stunned"), ("must have", "enrage")])
def test_the_verb_takes_the_form_that_the_linker_asks_for(linker: str, verb: str) -> None:
    """A past form after *is bound to* is an error, a base form after *must have* another."""
    assert codes(with_words(linker=linker, verb=verb), "L209") == ["L209"]


def test_a_form_of_a_verb_in_no_list() -> None:
    """The dictionary knows the forms of verbs that nobody has judged."""
    knowledge = load_knowledge()
    assert knowledge.entry("verbs", "bisect") is None
    assert codes(with_words(verb="bisected"), "L209") == ["L209"]
    assert codes(with_words(verb="bisect"), "L209") == []


def test_tomorrow_after_a_verb_of_things() -> None:
    """One can postpone tomorrow, and not embarrass it."""
    assert codes(with_words(verb="postpone", adverb="tomorrow"), "L601") == ["L601"]
    assert codes(with_words(verb="embarrass", adverb="tomorrow"), "L601") == []


def test_a_particle_verb_is_one_verb() -> None:
    """It is not too long for its slot, not unknown, and not judged as the verb without its particle."""
    found = codes(with_words(verb="let down"), "T", "L2")
    assert "L205" in found
    assert not {"T103", "L200", "L206"} & set(found)


def test_a_prediction_of_the_past() -> None:
    """*Predict* looks ahead; in the past it may look ahead to what is past by now."""
    assert codes(with_words(matrix="We predict", linker="managed to", adverb="yesterday"), "L113") == ["L113"]
    assert codes(with_words(matrix="We predicted", linker="managed to", adverb="yesterday"), "L113") == []
    assert codes(with_words(matrix="We predict", linker="is going to"), "L113") == []


@pytest.mark.parametrize(
    "matrix",
    [
        "They know",
        "She knows",
        "We were told",
        "I was told",
        "He has learned",
        "Everybody knows",
        "My aunt knows",
        "The editor of the stories knows",
        "Mary and Tom know",
        "The team know",
        "The team knows",
        "The news revealed",
        "Some of us could tell",
        "The family realized",
        "It is clear",
        "She finally realized",
        "The people who saw it know",
        "One of them has heard",
        "I can see",
        "John's sisters know",
        "The data show",
        "All of us know",
        "None of them knows",
    ],
)
def test_frames_that_agree(matrix: str) -> None:
    """Also with a collective noun, a conjunction, a phrase after the head, or a verb that has one form."""
    assert codes(with_words(matrix=matrix), "L112") == []


def test_a_noun_in_ly_is_no_adverb() -> None:
    """*The family realized* is a frame like any other; *family* was passed over as an adverb, and *realized* read as a noun."""
    assert codes(with_words(matrix="The family realized"), "L10") == []


def test_a_time_in_the_frame_is_no_object() -> None:
    """*She mentioned this morning who …* gives nobody to *mention*."""
    assert codes(with_words(matrix="She mentioned this morning"), "L111") == []
    assert codes(with_words(matrix="She mentioned the editor"), "L111") == ["L111"]


@pytest.mark.parametrize(
    ("linker", "verb", "code"),
    [
        ("will likely", "solve", "L204"),
        ("is liable to", "cheer up", "L205"),
        ("will", "let down", "L205"),
        ("may well turn out to", "enrage", None),
        ("is going to have to", "enrage", None),
        ("would've", "enraged", None),
    ],
)
def test_linker_and_verb_are_told_apart_in_sentences_from_a_file(linker: str, verb: str, code: str | None) -> None:
    """Also where the words are in no list of the paradigm, and where the linker is longer than it allows."""
    paradigm = load_paradigm("subject_pg")
    item = stored(paradigm, texts(paradigm, {**SLOTS, "linker": linker, "verb": verb}).items())
    assert [f.code for f in lint(item) if f.severity is not Severity.INFO] == ([code] if code else [])


@pytest.mark.parametrize(
    ("linker", "verb"),
    [
        ("must have", "traveled"),
        ("must have", "travelled"),
        ("must have", "fueled"),
        ("must have", "focused"),
        ("must have", "controlled"),
        ("must have", "worshipped"),
        ("must have", "revealed"),
        ("must have", "equaled"),
    ],
)
def test_both_spellings_of_a_participle(linker: str, verb: str) -> None:
    assert lint(with_words(linker=linker, verb=verb), "L209") == []


@pytest.mark.parametrize("verb", ["controled", "revealled", "appaled"])
def test_a_spelling_that_is_none(verb: str) -> None:
    assert load_dictionary().forms.isdisjoint({verb})


def test_back_is_a_verb_as_well() -> None:
    paradigm = load_paradigm("subject_pg")
    item = stored(paradigm, texts(paradigm, {**SLOTS, "linker": "will probably", "verb": "back"}).items())
    assert codes(item, "L211") == ["L211"]


def test_what_stands_beside_be_is_not_always_an_object() -> None:
    """*On the verge of* is unknown, and no other subject; a participle after *be* is a passive."""
    assert codes(with_words(linker="is on the verge of", verb="amusing"), "L262", "L260") == []
    (passive,) = lint(with_words(linker="was likely to be", verb="upset"), "L260")
    assert "“was likely to be upset” is a passive" in passive.message
