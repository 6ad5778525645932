"""The parser that ships."""

from __future__ import annotations

from pathlib import Path

import pytest

from gapsmith.parsing.conllu import read_treebank
from gapsmith.parsing.embedded import open_embedded
from gapsmith.parsing.evaluation import attachment
from gapsmith.parsing.model import ROOT
from gapsmith.parsing.parser import open_parser
from gapsmith.parsing.patterns import read_pattern
from gapsmith.parsing.train_parser import parses_of

BUNDLED = Path(__file__).parents[2] / "parsing" / "bundled"
TREEBANK = Path(__file__).resolve().parents[3] / "shared" / "data" / "ud-ewt"


def test_it_takes_less_than_five_megabytes() -> None:
    assert sum(path.stat().st_size for path in BUNDLED.rglob("*") if path.is_file()) < 5e6


def test_it_reads_a_sound_condition() -> None:
    pattern = read_pattern(
        """
        know[lemma=know] -complement-clause-> likely; likely -subject-> story; story -modifier-> name[text=Mary]
        name -case-> about[upos=ADP]; likely -open-complement-> amuse; amuse -object-> object[text=Anna]
        """
    )
    (parse,) = open_embedded().parse(["I know that the story about Mary is likely to amuse Anna soon."])
    assert pattern.fits(parse)


@pytest.mark.parametrize("text", ["...", "¿", "a" * 300, "No. Yes! Why? Because.", "🙂 they 🙂 know 🙂", "x\u200by", "A  B\n\nC"])
def test_odd_texts_have_one_tree(text: str) -> None:
    (parse,) = open_parser("embedded").parse([text])
    assert sum(token.head == ROOT for token in parse.tokens) == 1
    assert all(text[token.start : token.end] == token.text for token in parse.tokens)


@pytest.mark.full
@pytest.mark.shared
def test_it_is_as_good_as_its_card_says() -> None:
    if not TREEBANK.is_dir():
        pytest.skip(f"UD English-EWT is not in {TREEBANK}")
    gold = [sentence.parse for sentence in read_treebank(TREEBANK / "test.conllu.xz")]
    found = attachment(gold, parses_of(open_embedded().nlp, gold))
    card = (BUNDLED / "MODEL_CARD.md").read_text(encoding="utf-8")
    assert f"| test | {found.upos:.1f} | {found.uas:.1f} | {found.las:.1f} |" in card
    assert found.uas >= 85.5
    assert found.las >= 82
