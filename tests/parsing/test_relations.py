"""The same sentence in both annotations says the same in the one vocabulary."""

from __future__ import annotations

import pytest

from gapsmith.parsing.model import Parse, Scheme
from gapsmith.parsing.relations import Role, relations
from tests.parsing.trees import tree

pytestmark = pytest.mark.fast


def named(parse: Parse) -> set[tuple[str, str, str]]:
    words = [token.text for token in parse.tokens]
    return {
        (entry.role.value, words[entry.head] if entry.head >= 0 else "", words[entry.dependent])
        for entry in relations(parse)
        if entry.role is not Role.PUNCTUATION
    }


DECLARATIVE = (
    "They know that the story about Mary is likely to amuse Anna soon.",
    (
        "They PRON 2 nsubj",
        "know VERB 0 root",
        "that SCONJ 9 mark",
        "the DET 5 det",
        "story NOUN 9 nsubj",
        "about ADP 7 case",
        "Mary PROPN 5 nmod",
        "is AUX 9 cop",
        "likely ADJ 2 ccomp",
        "to PART 11 mark",
        "amuse VERB 9 xcomp",
        "Anna PROPN 11 obj",
        "soon ADV 11 advmod",
        ". PUNCT 2 punct",
    ),
    (
        "They PRON 2 nsubj",
        "know VERB 0 ROOT",
        "that SCONJ 8 mark",
        "the DET 5 det",
        "story NOUN 8 nsubj",
        "about ADP 5 prep",
        "Mary PROPN 6 pobj",
        "is AUX 2 ccomp",
        "likely ADJ 8 acomp",
        "to PART 11 aux",
        "amuse VERB 9 xcomp",
        "Anna PROPN 11 dobj",
        "soon ADV 11 advmod",
        ". PUNCT 2 punct",
    ),
)
EXPLETIVE = (
    "It is clear that Mary was amused by him.",
    (
        "It PRON 3 expl",
        "is AUX 3 cop",
        "clear ADJ 0 root",
        "that SCONJ 7 mark",
        "Mary PROPN 7 nsubj:pass",
        "was AUX 7 aux:pass",
        "amused VERB 3 csubj",
        "by ADP 9 case",
        "him PRON 7 obl:agent",
        ". PUNCT 3 punct",
    ),
    (
        "It PRON 2 nsubj",
        "is AUX 0 ROOT",
        "clear ADJ 2 acomp",
        "that SCONJ 7 mark",
        "Mary PROPN 7 nsubjpass",
        "was AUX 7 auxpass",
        "amused VERB 2 ccomp",
        "by ADP 7 agent",
        "him PRON 8 pobj",
        ". PUNCT 2 punct",
    ),
)
POSSESSIVE = (
    "John's decision to talk to Mary did not cheer up us yesterday",
    (
        "John PROPN 3 nmod:poss",
        "'s PART 1 case",
        "decision NOUN 10 nsubj",
        "to PART 5 mark",
        "talk VERB 3 acl",
        "to ADP 7 case",
        "Mary PROPN 5 obl",
        "did AUX 10 aux",
        "not PART 10 advmod",
        "cheer VERB 0 root",
        "up ADP 10 compound:prt",
        "us PRON 10 obj",
        "yesterday NOUN 10 obl:tmod",
    ),
    (
        "John PROPN 3 poss",
        "'s PART 1 case",
        "decision NOUN 10 nsubj",
        "to PART 5 aux",
        "talk VERB 3 acl",
        "to ADP 5 prep",
        "Mary PROPN 6 pobj",
        "did AUX 10 aux",
        "not PART 10 neg",
        "cheer VERB 0 ROOT",
        "up ADP 10 prt",
        "us PRON 10 dobj",
        "yesterday NOUN 10 npadvmod",
    ),
)
EXISTENTIAL = (
    "There is a rumor from under the desk",
    (
        "There PRON 2 expl",
        "is VERB 0 root",
        "a DET 4 det",
        "rumor NOUN 2 nsubj",
        "from ADP 8 case",
        "under ADP 8 case",
        "the DET 8 det",
        "desk NOUN 4 nmod",
    ),
    (
        "There PRON 2 expl",
        "is VERB 0 ROOT",
        "a DET 4 det",
        "rumor NOUN 2 attr",
        "from ADP 4 prep",
        "under ADP 5 prep",
        "the DET 8 det",
        "desk NOUN 6 pobj",
    ),
)
GERUND = (
    "She left without telling him who the story about her will upset",
    (
        "She PRON 2 nsubj",
        "left VERB 0 root",
        "without SCONJ 4 mark",
        "telling VERB 2 advcl",
        "him PRON 4 iobj",
        "who PRON 12 obj",
        "the DET 8 det",
        "story NOUN 12 nsubj",
        "about ADP 10 case",
        "her PRON 8 nmod",
        "will AUX 12 aux",
        "upset VERB 4 ccomp",
    ),
    (
        "She PRON 2 nsubj",
        "left VERB 0 ROOT",
        "without ADP 2 prep",
        "telling VERB 3 pcomp",
        "him PRON 4 dative",
        "who PRON 12 dobj",
        "the DET 8 det",
        "story NOUN 12 nsubj",
        "about ADP 8 prep",
        "her PRON 9 pobj",
        "will AUX 12 aux",
        "upset VERB 4 ccomp",
    ),
)


@pytest.mark.parametrize("case", [DECLARATIVE, EXPLETIVE, POSSESSIVE, EXISTENTIAL, GERUND])
def test_both_annotations_say_the_same(case: tuple[str, tuple[str, ...], tuple[str, ...]]) -> None:
    text, ud, clearnlp = case
    assert named(tree(text, *ud)) == named(tree(text, *clearnlp, scheme=Scheme.CLEARNLP))


def test_the_relations_of_the_declarative() -> None:
    assert named(tree(DECLARATIVE[0], *DECLARATIVE[1])) >= {
        ("complement-clause", "know", "likely"),
        ("subject", "likely", "story"),
        ("modifier", "story", "Mary"),
        ("case", "Mary", "about"),
        ("copula", "likely", "is"),
        ("open-complement", "likely", "amuse"),
        ("marker", "amuse", "to"),
        ("object", "amuse", "Anna"),
    }


def test_every_word_is_the_dependent_of_one_relation() -> None:
    for text, ud, clearnlp in (DECLARATIVE, EXPLETIVE, POSSESSIVE, EXISTENTIAL, GERUND):
        for parse in (tree(text, *ud), tree(text, *clearnlp, scheme=Scheme.CLEARNLP)):
            assert [entry.dependent for entry in relations(parse)] == list(range(len(parse.tokens)))


def test_labels_that_nobody_listed_are_other() -> None:
    parse = tree("so be it", "so X 2 frobnicate", "be VERB 0 root", "it PRON 2 obj:lvc")
    assert [entry.role for entry in relations(parse)] == [Role.OTHER, Role.ROOT, Role.OBJECT]


def test_a_stranded_preposition_of_clearnlp_is_said_to_be_one() -> None:
    parse = tree(
        "whom they talked about",
        "whom PRON 3 dobj",
        "they PRON 3 nsubj",
        "talked VERB 0 ROOT",
        "about ADP 3 prep",
        scheme=Scheme.CLEARNLP,
    )
    assert ("stranded", "talked", "about") in named(parse)
