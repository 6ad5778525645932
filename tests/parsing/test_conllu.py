"""CoNLL-U in and out."""

from __future__ import annotations

import io
import lzma
from pathlib import Path

import pytest

from gapsmith.parsing.conllu import TreebankSentence, read_treebank, write_conllu
from gapsmith.parsing.errors import TreebankError
from gapsmith.parsing.evaluation import attachment
from gapsmith.parsing.model import ROOT, Parse, Token
from tests.parsing.test_relations import DECLARATIVE, GERUND, POSSESSIVE
from tests.parsing.trees import tree

pytestmark = pytest.mark.fast


def line(*columns: str) -> str:
    return "\t".join((*columns, *["_"] * (10 - len(columns))))


SENTENCE = "\n".join(
    [
        "# sent_id = one",
        "# text = Don't tell us who wanna win.",
        line("1-2", "Don't"),
        line("1", "Do", "do", "AUX", "VB", "Mood=Imp", "3", "aux", "_", "_"),
        line("2", "n't", "not", "PART", "RB", "_", "3", "advmod"),
        line("3", "tell", "tell", "VERB", "VB", "_", "0", "root"),
        line("3.1", "tell", "tell", "VERB", "VB", "_", "_", "_", "0:root", "CopyOf=3"),
        line("4", "us", "we", "PRON", "PRP", "Case=Acc", "3", "iobj"),
        line("5", "who", "who", "PRON", "WP", "_", "6", "nsubj"),
        line("6-7", "wanna"),
        line("6", "want", "want", "VERB", "VBP", "_", "3", "ccomp"),
        line("7", "to", "to", "PART", "TO", "_", "8", "mark"),
        line("8", "win", "win", "VERB", "VB", "_", "6", "xcomp", "_", "SpaceAfter=No"),
        line("9", ".", ".", "PUNCT", ".", "_", "3", "punct"),
        "",
        "",
    ]
)


def read(tmp_path: Path, text: str, name: str = "one.conllu") -> list[TreebankSentence]:
    path = tmp_path / name
    path.write_bytes(lzma.compress(text.encode()) if name.endswith(".xz") else text.encode())
    return list(read_treebank(path))


@pytest.mark.parametrize("name", ["one.conllu", "one.conllu.xz"])
def test_contractions_are_split_and_empty_nodes_left_out(tmp_path: Path, name: str) -> None:
    (sentence,) = read(tmp_path, SENTENCE, name)
    parse = sentence.parse
    assert parse.text == "Don't tell us who wanna win."
    assert sentence.comments == {"sent_id": "one", "text": parse.text}
    assert [token.text for token in parse.tokens] == ["Do", "n't", "tell", "us", "who", "want", "to", "win", "."]
    spans = [parse.text[token.start : token.end] for token in parse.tokens]
    # The parts of "wanna" do not spell it, so both cover it.
    assert spans == ["Do", "n't", "tell", "us", "who", "wanna", "wanna", "win", "."]
    assert [token.head for token in parse.tokens] == [2, 2, ROOT, 2, 5, 2, 7, 5, 2]
    assert parse.tokens[0].feats == "Mood=Imp"
    assert parse.tokens[3].lemma == "we"


def test_several_sentences_without_a_last_empty_line(tmp_path: Path) -> None:
    one = line("1", "Go", "go", "VERB", "VB", "_", "0", "root")
    found = read(tmp_path, f"{one}\r\n\r\n\r\n{one}")
    assert [sentence.parse.text for sentence in found] == ["Go", "Go"]
    assert [sentence.line for sentence in found] == [1, 4]


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        (["1\tGo\tgo"], "line 1: 3 columns"),
        ([line("2", "Go", "_", "VERB", "_", "_", "0", "root")], "word 2 where word 1 is due"),
        ([line("x", "Go", "_", "VERB", "_", "_", "0", "root")], "'x' is no word number"),
        ([line("1", "", "_", "VERB", "_", "_", "0", "root")], "without a form"),
        ([line("1", "Go", "_", "VERB", "_", "_", "7", "root")], "the head '7'"),
        ([line("1", "Go", "_", "VERB", "_", "_", "_", "root")], "the head '_'"),
        ([line("1", "Go", "_", "VERB", "_", "_", "1", "root")], "0 roots"),
        ([line(n, "Go", "_", "VERB", "_", "_", "0", "root") for n in "12"], "2 roots"),
        (
            [
                line("1", "Go", "_", "VERB", "_", "_", "0", "root"),
                line("2", "on", "_", "ADP", "_", "_", "3", "x"),
                line("3", "on", "_", "ADP", "_", "_", "2", "x"),
            ],
            "line 2: the heads go round",
        ),
        ([line("1-3", "Don't"), line("1", "Do", "_", "AUX", "_", "_", "0", "root")], "ends at word 3"),
    ],
)
def test_what_is_no_conllu_is_refused_with_its_line(tmp_path: Path, rows: list[str], says: str) -> None:
    with pytest.raises(TreebankError) as caught:
        read(tmp_path, "\n".join(rows) + "\n\n")
    assert says in caught.value.message
    assert "one.conllu" in caught.value.message


def test_a_file_that_is_not_there_or_no_text(tmp_path: Path) -> None:
    with pytest.raises(TreebankError, match="no file"):
        list(read_treebank(tmp_path / "none.conllu"))
    (tmp_path / "bad.conllu.xz").write_bytes(b"no xz at all")
    with pytest.raises(TreebankError, match="cannot be read"):
        list(read_treebank(tmp_path / "bad.conllu.xz"))
    (tmp_path / "bad.conllu").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(TreebankError, match="cannot be read"):
        list(read_treebank(tmp_path / "bad.conllu"))


def test_what_is_written_reads_back(tmp_path: Path) -> None:
    parses = [tree(text, *rows) for text, rows, _ in (DECLARATIVE, POSSESSIVE, GERUND)]
    parses.append(read(tmp_path, SENTENCE)[0].parse)
    file = io.StringIO()
    for number, parse in enumerate(parses):
        write_conllu(file, parse, {"item": f"a\tb\n{number}", "condition": "mf_mg1_mg2"})
    found = read(tmp_path, file.getvalue(), "two.conllu")
    assert [sentence.parse for sentence in found] == parses
    assert found[1].comments == {"item": "a b 1", "condition": "mf_mg1_mg2", "text": parses[1].text}


def test_attachment_counts_heads_labels_and_tags() -> None:
    gold = tree("Go on .", "Go VERB 0 root", "on ADP 1 compound:prt", ". PUNCT 1 punct")
    found = tree("Go on .", "Go NOUN 0 root", "on ADP 1 compound", ". PUNCT 2 punct")
    score = attachment([gold], [found])
    assert score.words == 3
    assert [round(share) for share in (score.upos, score.uas, score.las)] == [67, 67, 33]
    assert (score.uas_words, score.las_words) == (100, 50)


def test_nothing_is_no_number_out_of_nothing() -> None:
    assert attachment([], []).uas == 0
    assert Parse("", ()).children(0) == []
    assert Parse("a b", (Token("a", 0, 1, "X", ROOT, "root"), Token("b", 2, 3, "X", 0, "dep"))).at(2, 3) == [1]
