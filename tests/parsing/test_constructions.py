"""Counting constructions: patterns over trees in brackets and over dependencies, on trees made by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from gapsmith.parsing.brackets import read_bracket_pattern, read_brackets
from gapsmith.parsing.constructions import BRACKETS, CONSTRUCTIONS, count_constructions
from gapsmith.parsing.errors import TreebankError
from gapsmith.templates.errors import ConfigError

pytestmark = pytest.mark.fast

CLEFT = "( (S-CLF (NP-SBJ (PRP It)) (VP (VBD was) (NP-PRD (NNS books)) (SBAR (WHNP-1 (WDT that)) (S (NP-SBJ (NNP Mary)) (VP (VBD bought) (NP (-NONE- *T*-1))))))) )"  # noqa: E501
COMPARATIVE = "( (S (NP-SBJ (NNP Mary)) (VP (VBD bought) (NP (NP (JJR more) (NNS books)) (SBAR (IN than) (S (NP-SBJ (NNP John)) (VP (VBD bought)))))) (. .)) )"  # noqa: E501
MORE_ADJECTIVE = "( (S (NP-SBJ (NNP Mary)) (VP (VBD bought) (NP (NP (ADJP (RBR more) (JJ expensive)) (NNS books)) (SBAR (IN than) (S (NP-SBJ (NNP John)) (VP (VBD bought))))))) )"  # noqa: E501
QUESTION = "( (S (NP-SBJ (NNP Clara)) (VP (VBZ knows) (SBAR (WHNP-1 (WP what)) (S (NP-SBJ (NNP Mary)) (VP (VBD bought)))))) )"
THAT_CLAUSE = "( (S (NP-SBJ (NNP Clara)) (VP (VBZ knows) (SBAR (IN that) (S (NP-SBJ (NNP Mary)) (VP (VBD left)))))) )"
TOPIC = "( (S (NP-TPC-1 (DT These) (NNS books)) (, ,) (NP-SBJ (NNP Mary)) (VP (VBD bought) (NP (-NONE- *T*-1)))) )"
QUOTED = "( (S (`` ``) (NP-TPC-1 (PRP That)) ('' '') (NP-SBJ (PRP he)) (VP (VBD said))) )"
TOUGH = "( (S (NP-SBJ-1 (DT These) (NNS books)) (VP (VBP are) (ADJP-PRD (JJ hard) (SBAR (WHNP-2 (-NONE- 0)) (S (VP (TO to) (VP (VB finish))))))) (. .)) )"  # noqa: E501


def _file(folder: Path, *trees: str) -> Path:
    path = folder / "trees.mrg"
    path.write_text("\n\n".join(trees) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("pattern", "tree", "n"),
    [
        ("S-CLF", CLEFT, 1),
        ("NP", CLEFT, 1),
        ("@NP", CLEFT, 4),
        ("@S < NP-SBJ", CLEFT, 2),
        ("VP << that", CLEFT, 1),
        ("NP-SBJ $+ VP", CLEFT, 2),
        ("NP-SBJ !$+ VP", CLEFT, 0),
        ("VP !<< was & < VBD", CLEFT, 1),
        ("SBAR < ( < WDT|IN)", CLEFT, 1),
        ("/^WH.*-1$/", CLEFT, 1),
        ("( < ( < was))", CLEFT, 1),
        ("__ < (VBD < bought)", COMPARATIVE, 2),
        ("more", COMPARATIVE, 1),
    ],
)
def test_a_pattern_holds_of_so_many_nodes(pattern: str, tree: str, n: int, tmp_path: Path) -> None:
    (read,) = read_brackets(_file(tmp_path, tree))
    assert read_bracket_pattern(pattern).count(read) == n


def test_the_five_patterns_find_their_constructions_and_no_other(tmp_path: Path) -> None:
    every = (CLEFT, COMPARATIVE, MORE_ADJECTIVE, QUESTION, THAT_CLAUSE, TOPIC, QUOTED, TOUGH)
    for tree, expected in zip(every, ("clefts", "comp-quant", None, "embwhq", None, "topic", None, "tough"), strict=True):
        counts = count_constructions([_file(tmp_path, tree)]).counts
        assert {name for name, n in counts.items() if n} == ({expected} if expected else set()), tree
    whole = count_constructions([_file(tmp_path, *every)])
    assert (whole.counts, whole.n_sentences, whole.how) == (dict.fromkeys(CONSTRUCTIONS, 1), 8, "brackets")
    assert tuple(BRACKETS) == CONSTRUCTIONS


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("(S (NP x)", "line 1: a bracket is never closed"),
        ("(S x)\n)", "line 2: a bracket is closed that was never opened"),
        ("(S x)\nword", "line 2: 'word' stands outside"),
        ("(S ())", "a bracket without label"),
    ],
)
def test_trees_that_are_none_are_named_with_their_line(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(TreebankError, match=said):
        list(read_brackets(_file(tmp_path, text)))


@pytest.mark.parametrize("pattern", ["", "VP <", "VP < (SBAR", "VP < )", "VP & NP", "VP SBAR", "VP > NP"])
def test_patterns_that_are_none_are_refused(pattern: str) -> None:
    with pytest.raises(ConfigError, match="character"):
        read_bracket_pattern(pattern)


def _conllu(*sentences: str) -> str:
    """Sentences of ``form/lemma/upos/xpos/head/relation`` as CoNLL-U."""
    blocks = []
    for sentence in sentences:
        rows = [word.split("/") for word in sentence.split()]
        blocks.append("\n".join(f"{n}\t{r[0]}\t{r[1]}\t{r[2]}\t{r[3]}\t_\t{r[4]}\t{r[5]}\t_\t_" for n, r in enumerate(rows, 1)))
    return "\n\n".join(blocks) + "\n\n"


DEPENDENCIES = {
    "clefts": (
        "It/it/PRON/PRP/3/nsubj was/be/AUX/VBD/3/cop books/book/NOUN/NNS/0/root that/that/PRON/WDT/6/obj "
        "Mary/Mary/PROPN/NNP/6/nsubj bought/buy/VERB/VBD/3/acl:relcl"
    ),
    "comp-quant": (
        "Mary/Mary/PROPN/NNP/2/nsubj bought/buy/VERB/VBD/0/root more/more/ADJ/JJR/4/amod books/book/NOUN/NNS/2/obj "
        "than/than/SCONJ/IN/7/mark John/John/PROPN/NNP/7/nsubj bought/buy/VERB/VBD/3/advcl"
    ),
    "embwhq": (
        "Clara/Clara/PROPN/NNP/2/nsubj knows/know/VERB/VBZ/0/root what/what/PRON/WP/5/obj Mary/Mary/PROPN/NNP/5/nsubj "
        "bought/buy/VERB/VBD/2/ccomp"
    ),
    "topic": ("These/this/DET/DT/2/det books/book/NOUN/NNS/4/obj Mary/Mary/PROPN/NNP/4/nsubj bought/buy/VERB/VBD/0/root"),
    "tough": (
        "These/this/DET/DT/2/det books/book/NOUN/NNS/4/nsubj are/be/AUX/VBP/4/cop hard/hard/ADJ/JJ/0/root "
        "to/to/PART/TO/6/mark finish/finish/VERB/VB/4/xcomp"
    ),
    None: (
        "It/it/PRON/PRP/3/expl is/be/AUX/VBZ/3/cop hard/hard/ADJ/JJ/0/root to/to/PART/TO/5/mark "
        "finish/finish/VERB/VB/3/csubj books/book/NOUN/NNS/5/obj"
    ),
}


def test_the_patterns_over_dependencies_find_theirs(tmp_path: Path) -> None:
    path = tmp_path / "some.conllu"
    for name, sentence in DEPENDENCIES.items():
        path.write_text(_conllu(sentence), encoding="utf-8")
        counts = count_constructions([path]).counts
        assert {found for found, n in counts.items() if n} == ({name} if name else set()), sentence
