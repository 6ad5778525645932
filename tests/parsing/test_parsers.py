"""The three backends behind the one interface, each with a model that the tests train."""

from __future__ import annotations

import gc
import json
import shutil
import warnings
from collections.abc import Sequence
from pathlib import Path

import pytest

from gapsmith.parsing.embedded import open_embedded
from gapsmith.parsing.errors import ParserError, TreebankError
from gapsmith.parsing.model import ROOT, Parse, Scheme, Token
from gapsmith.parsing.parser import Parser, open_parser
from gapsmith.parsing.relations import Relation, relations
from gapsmith.parsing.store import MemoryParseStore, parsed
from gapsmith.parsing.train_parser import make_parser
from gapsmith.parsing.trees import one_tree
from tests.parsing.conftest import CASES, SMALL


@pytest.fixture(scope="session")
def stanza_models(treebank: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    from stanza.models import parser, tagger

    out = tmp_path_factory.mktemp("stanza")
    options = """
        --mode train --lang en --shorthand en_tiny --no_pretrain --no_char --cpu --num_layers 1 --hidden_dim 16
        --word_emb_dim 16 --tag_emb_dim 8 --transformed_dim 16 --deep_biaff_hidden_dim 16 --word_dropout 0 --dropout 0
        --max_steps 60 --eval_interval 60 --drop_initial_punct_prob 0 --word_cutoff 0
    """
    files = ["--train_file", str(treebank / "xx-ud-train.conllu"), "--eval_file", str(treebank / "xx-ud-dev.conllu")]
    common = [*options.split(), *files, "--save_dir", str(out)]
    with warnings.catch_warnings():
        # Stanza's training leaves the files that it reads open.
        warnings.simplefilter("ignore", ResourceWarning)
        tagger.main(["--save_name", "pos.pt", "--lr", "0.05", *common])
        parser.main(["--save_name", "depparse.pt", "--no_checkpoint", "--optim", "adam", "--lr", "0.02", *common])
        gc.collect()
    return out


def shape(parse: Parse) -> list[tuple[str, int, int, str, int, str]]:
    return [(entry.text, entry.start, entry.end, entry.upos, entry.head, entry.relation) for entry in parse.tokens]


def check(parser: Parser, sentences: Sequence[Parse]) -> None:
    """The sentences that were learnt come back, in order, with a blank text and a strange one between them."""
    odd = "  They  know\tthat\u00a0the story about Mary is likely to amuse Anna soon. "
    texts = [sentence.text for sentence in sentences]
    found = list(parser.parse([texts[0], "", *texts[1:], " \n", odd]))
    assert [parse.text for parse in found] == [texts[0], "", *texts[1:], " \n", odd]
    assert [shape(parse) for parse in (found[0], *found[2:-2])] == [shape(sentence) for sentence in sentences]
    assert found[1].tokens == found[-2].tokens == ()
    assert [token.text for token in found[-1].tokens] == [token.text for token in sentences[0].tokens]
    assert all(odd[token.start : token.end] == token.text for token in found[-1].tokens)
    for parse in found:
        assert sum(token.head == ROOT for token in parse.tokens) == (1 if parse.tokens else 0)


def test_embedded(embedded: Path, ud_sentences: list[Parse]) -> None:
    parser = open_embedded(embedded)
    check(parser, ud_sentences)
    assert parser.scheme is Scheme.UD
    assert parser.identity == open_embedded(embedded).identity


@pytest.mark.full
def test_stanza(stanza_models: Path, ud_sentences: list[Parse]) -> None:
    parser = open_parser(f"stanza:{stanza_models}")
    check(parser, ud_sentences)
    assert parser.identity.startswith("stanza:")


def test_an_installed_spacy_pipeline(clearnlp_pipeline: Path, ud_sentences: list[Parse]) -> None:
    parser = open_parser(f"spacy:{clearnlp_pipeline}")
    found = list(parser.parse([text for text, _, _ in CASES]))
    assert {parse.scheme for parse in found} == {Scheme.CLEARNLP}

    def plain(parse: Parse) -> set[Relation]:
        return set(relations(parse))

    assert [plain(parse) for parse in found] == [plain(sentence) for sentence in ud_sentences]


@pytest.mark.full
def test_the_same_seed_gives_the_same_parser(embedded: Path, treebank: Path, tmp_path: Path) -> None:
    make_parser(treebank, tmp_path / "again", SMALL)
    assert (tmp_path / "again" / "manifest.json").read_text() == (embedded / "manifest.json").read_text()


def test_the_card_says_what_was_measured(embedded: Path) -> None:
    card = (embedded / "MODEL_CARD.md").read_text(encoding="utf-8")
    assert "| test | 100.0 | 100.0 | 100.0 |" in card
    assert "xx-ud-train.conllu | 4 |" in card
    assert "seed 1" in card


def test_a_file_that_is_missing_or_changed_is_named(embedded: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(embedded, copy)
    (copy / "parser" / "model").write_bytes(b"something else")
    with pytest.raises(ParserError, match=r"parser.model is not the file"):
        open_embedded(copy)
    (copy / "parser" / "model").unlink()
    with pytest.raises(ParserError, match=r"lacks its file parser.model"):
        open_embedded(copy)
    with pytest.raises(ParserError, match="holds no parser"):
        open_embedded(tmp_path)


def test_a_folder_that_holds_something_is_left_alone(treebank: Path) -> None:
    with pytest.raises(ParserError, match="not empty"):
        make_parser(treebank, treebank, SMALL)


def test_a_treebank_lacks_a_split(treebank: Path, tmp_path: Path) -> None:
    with pytest.raises(TreebankError, match=r"one train\.conllu .* it holds none"):
        make_parser(tmp_path, tmp_path / "out", SMALL)


@pytest.mark.parametrize("name", ["", "embeded", "embedded:x", "spacy:", "spacy", "corenlp"])
def test_a_name_that_is_no_parser(name: str) -> None:
    with pytest.raises(ParserError, match="no parser"):
        open_parser(name)


def test_a_pipeline_that_is_not_installed() -> None:
    with pytest.raises(ParserError, match="not installed") as caught:
        open_parser("spacy:xx_none_such")
    assert "python -m spacy download" in caught.value.hint


def test_a_pipeline_without_a_parser(tmp_path: Path) -> None:
    import spacy

    spacy.blank("en").to_disk(tmp_path / "blank")
    with pytest.raises(ParserError, match="has no parser"):
        open_parser(f"spacy:{tmp_path / 'blank'}")


def test_stanza_models_that_are_not_there_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STANZA_RESOURCES_DIR", str(tmp_path))
    with pytest.raises(ParserError, match=r"there is no .*resources\.json"):
        open_parser("stanza")
    listing = {
        "en": {
            "packages": {"default": {"tokenize": "combined", "pos": "charlm", "depparse": "charlm"}},
            "pos": {"charlm": {"dependencies": [{"model": "pretrain", "package": "conll17"}]}},
            "depparse": {"charlm": {"dependencies": [{"model": "pretrain", "package": "conll17"}]}},
        }
    }
    (tmp_path / "resources.json").write_text(json.dumps(listing))
    (tmp_path / "en" / "pos").mkdir(parents=True)
    (tmp_path / "en" / "pos" / "charlm.pt").write_bytes(b"")
    with pytest.raises(ParserError) as caught:
        open_parser("stanza")
    assert str(Path("en", "depparse", "charlm.pt")) in caught.value.message
    assert str(Path("en", "pretrain", "conll17.pt")) in caught.value.message
    assert str(Path("en", "pos", "charlm.pt")) not in caught.value.message
    (tmp_path / "resources.json").write_text("{}")
    with pytest.raises(ParserError, match="does not say where"):
        open_parser("stanza")


@pytest.mark.full
def test_damaged_stanza_models_are_no_traceback(stanza_models: Path, tmp_path: Path) -> None:
    (tmp_path / "pos.pt").write_bytes(b"no model")
    with pytest.raises(ParserError, match=r"depparse\.pt"):
        open_parser(f"stanza:{tmp_path}")
    (tmp_path / "depparse.pt").write_bytes((stanza_models / "depparse.pt").read_bytes())
    with pytest.raises(ParserError, match="cannot load"):
        open_parser(f"stanza:{tmp_path}")


def test_a_parse_is_made_once(embedded: Path) -> None:
    parser = open_embedded(embedded)

    class Counting:
        name, identity = parser.name, parser.identity
        asked: list[str] = []  # noqa: RUF012  # only read

        def parse(self, texts):  # type: ignore[no-untyped-def]  # what it takes differs by case
            texts = list(texts)
            self.asked += texts
            return parser.parse(texts)

    counting, store = Counting(), MemoryParseStore()
    first = parsed(store, counting, ["They know.", "They know.", "She left."])
    again = parsed(store, counting, ["She left.", "They know.", "It is clear."])
    assert counting.asked == ["They know.", "She left.", "It is clear."]
    assert again["She left."] is first["She left."]


def test_loose_words_and_cycles_become_one_tree() -> None:
    def token(head: int) -> Token:
        return Token("x", 0, 1, "X", head, "dep")

    def heads(*given: int) -> list[int]:
        return [entry.head for entry in one_tree([token(head) for head in given])]

    assert heads() == []
    assert heads(ROOT, ROOT, 1) == [ROOT, 0, 1]
    assert heads(1, ROOT, 3, 2) == [1, ROOT, 1, 2]
    assert heads(1, 0) == [ROOT, 0]
    assert heads(2, 0, 1, 2) == [ROOT, 0, 1, 2]
