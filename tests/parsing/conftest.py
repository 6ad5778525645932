"""A treebank of five sentences, small enough to be learnt by heart, and parsers that learnt it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gapsmith.parsing.conllu import write_conllu
from gapsmith.parsing.model import Parse, Scheme
from gapsmith.parsing.plan import TrainingPlan
from gapsmith.parsing.train_parser import make_parser, splits_of, train_parser
from tests.parsing.test_relations import DECLARATIVE, EXPLETIVE, GERUND, POSSESSIVE
from tests.parsing.trees import tree

CASES = (DECLARATIVE, EXPLETIVE, POSSESSIVE, GERUND)
SMALL = TrainingPlan(
    steps=60,
    evaluate_every=30,
    width=32,
    rows=(200, 100, 100, 100),
    hidden=32,
    rare=1,
    dropout=0.0,
    learning_rate=0.01,
)


def write_treebank(folder: Path, sentences: Sequence[Parse]) -> Path:
    """The sentences as train, dev and test; the fine tags are the universal ones."""
    folder.mkdir()
    for split in ("train", "dev", "test"):
        with (folder / f"xx-ud-{split}.conllu").open("w", encoding="utf-8") as file:
            for parse in sentences:
                tagged = tuple(replace(token, xpos=token.upos) for token in parse.tokens)
                write_conllu(file, replace(parse, tokens=tagged), {})
    return folder


@pytest.fixture(scope="session")
def ud_sentences() -> list[Parse]:
    return [tree(text, *rows) for text, rows, _ in CASES]


@pytest.fixture(scope="session")
def treebank(tmp_path_factory: pytest.TempPathFactory, ud_sentences: list[Parse]) -> Path:
    return write_treebank(tmp_path_factory.mktemp("treebank") / "ud", ud_sentences)


@pytest.fixture(scope="session")
def embedded(treebank: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("embedded") / "parser"
    assert make_parser(treebank, out, SMALL).test.las == 100
    return out


@pytest.fixture(scope="session")
def clearnlp_pipeline(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A spaCy pipeline on disk whose labels are those of spaCy's own English models."""
    where = tmp_path_factory.mktemp("clearnlp")
    sentences = [tree(text, *rows, scheme=Scheme.CLEARNLP) for text, _, rows in CASES]
    nlp: Any = train_parser(splits_of(write_treebank(where / "bank", sentences)), SMALL)[0]
    nlp.to_disk(where / "pipeline")
    return where / "pipeline"
