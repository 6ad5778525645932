"""Patterns over parses: what they find, and how they fail."""

from __future__ import annotations

import pytest

from gapsmith.parsing.model import Scheme
from gapsmith.parsing.patterns import PatternError, Tree, read_pattern
from tests.parsing.test_relations import DECLARATIVE, POSSESSIVE
from tests.parsing.trees import tree

pytestmark = pytest.mark.fast

UD = tree(DECLARATIVE[0], *DECLARATIVE[1])
CLEARNLP = tree(DECLARATIVE[0], *DECLARATIVE[2], scheme=Scheme.CLEARNLP)


def found(pattern: str, parse: object = UD) -> list[dict[str, str]]:
    matches = read_pattern(pattern).matches(parse)  # type: ignore[arg-type]  # chosen so that the types go together
    # The types that meet here are known to go together.
    return [{name: parse.tokens[word].text for name, word in match.items()} for match in matches]  # type: ignore[attr-defined]


@pytest.mark.parametrize("parse", [UD, CLEARNLP])
def test_roles_hold_over_both_annotations(parse: object) -> None:
    pattern = """
        verb[lemma=know|tell] -complement-clause-> clause   # the matrix verb
        clause -subject-> noun[upos=NOUN]; noun -modifier-> name
        clause -open-complement-> below; below -object-> object[upos=PROPN]
    """
    assert found(pattern, parse) == [
        {"verb": "know", "clause": "likely", "noun": "story", "name": "Mary", "below": "amuse", "object": "Anna"}
    ]


def test_every_match_is_given_in_the_order_of_the_sentence() -> None:
    assert found("name[upos=PROPN]") == [{"name": "Mary"}, {"name": "Anna"}]
    assert found("a[upos=PROPN]; b[upos=PROPN]") == [{"a": "Mary", "b": "Anna"}, {"a": "Anna", "b": "Mary"}]
    assert found("a[upos=PROPN] < b[upos=PROPN]") == [{"a": "Mary", "b": "Anna"}]


def test_what_must_not_be_there() -> None:
    assert found("noun[upos=NOUN]; no noun -modifier-> [upos=PROPN]") == []
    assert found("noun[upos=NOUN]; no noun -modifier-> [upos=PRON]") == [{"noun": "story"}]
    assert found("verb[upos=VERB]; no verb -object-> any") == [{"verb": "know"}]
    assert found("verb[upos=VERB]; no [lemma=whisper]") == [{"verb": "know"}, {"verb": "amuse"}]
    assert found("verb[upos=VERB]; no [lemma=likely]") == []


def test_a_property_of_a_known_word_can_be_denied() -> None:
    assert found("word[upos=PROPN]; no word[text=Mary]") == [{"word": "Anna"}]


def test_depth_and_neighbours() -> None:
    assert found("know[lower=know] ->> x[upos=VERB]") == [{"know": "know", "x": "amuse"}]
    assert found("a[upos=ADP] . b") == [{"a": "about", "b": "Mary"}]
    assert found("[lower=know] -> x[label=ccomp]") == [{"x": "likely"}]
    assert found("x[role=root]") == [{"x": "know"}]


def test_tests_on_values() -> None:
    assert found('x[text~"[A-Z].*", upos!=PRON]') == [{"x": "Mary"}, {"x": "Anna"}]
    assert found('x[text="\'s"]', tree(POSSESSIVE[0], *POSSESSIVE[1])) == [{"x": "'s"}]
    plural = tree("stories vary", "stories NOUN 2 nsubj Number=Plur", "vary VERB 0 root Mood=Ind Number=Plur")
    assert found("x[Number=Plur]", plural) == [{"x": "stories"}, {"x": "vary"}]
    assert found("x[Mood!=Ind]", plural) == [{"x": "stories"}]


def test_one_tree_serves_several_patterns() -> None:
    reading = Tree(UD)
    assert read_pattern("x[upos=AUX]").fits(reading)
    assert not read_pattern("x[upos=INTJ]").fits(reading)


@pytest.mark.parametrize(
    ("pattern", "says"),
    [
        ("", "names no word"),
        ("no [upos=VERB]", "names no word"),
        ("a -objct-> b", "no role 'objct'"),
        ("a[pos=VERB]", "'pos' is no property"),
        ("a[upos VERB]", "=, != or ~ is missing"),
        ("a[upos=]", "a value is missing"),
        ("a[upos=VERB", "`]` is missing"),
        ("a -object->", "a word is missing"),
        ("a -object-> a", "on both sides"),
        ('a[text~"("]', "no regular expression"),
        ("a\nb c", "line 2, character 3"),
        ('a "x', "is not understood"),
    ],
)
def test_a_pattern_that_cannot_be_read_says_where(pattern: str, says: str) -> None:
    with pytest.raises(PatternError) as caught:
        read_pattern(pattern)
    assert says in caught.value.message
    assert caught.value.exit_code == 2
