"""Items as a treebank."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

from gapsmith.parsing.conllu import read_treebank
from gapsmith.parsing.embedded import open_embedded
from gapsmith.parsing.item_parses import WrittenParses, write_item_parses
from gapsmith.parsing.store import MemoryParseStore
from tests.vetting.linting import with_words


def test_items_go_out_with_item_and_condition(embedded: Path, tmp_path: Path) -> None:
    item = with_words()
    file, store, parser = io.StringIO(), MemoryParseStore(), open_embedded(embedded)
    assert write_item_parses(file, [item, item], parser, store) == WrittenParses(16, ())
    (tmp_path / "items.conllu").write_text(file.getvalue(), encoding="utf-8")
    found = list(read_treebank(tmp_path / "items.conllu"))
    assert [sentence.parse.text for sentence in found[:8]] == [sentence.text for sentence in item.sentences]
    assert [sentence.comments["condition"] for sentence in found[:8]] == [s.condition for s in item.sentences]
    first = found[0].comments
    assert first["item"] == "1"
    assert first["sent_id"] == "test/1/pf_pg1_pg2"
    assert first["parser"] == parser.identity
    assert [token.head for token in found[0].parse.tokens] == [
        token.head for token in next(iter(parser.parse([item.sentences[0].text]))).tokens
    ]


def test_a_sentence_without_a_word_is_left_out_and_named(embedded: Path, tmp_path: Path) -> None:
    """The format has no sentence of no words; what is written reads back."""
    item = with_words()
    item = replace(item, sentences=(replace(item.sentences[0], text=" \u00a0 ", regions=None), *item.sentences[1:]))
    file = io.StringIO()
    done = write_item_parses(file, [item], open_embedded(embedded), MemoryParseStore())
    assert done == WrittenParses(7, ("test/1/pf_pg1_pg2",))
    (tmp_path / "items.conllu").write_text(file.getvalue(), encoding="utf-8")
    assert len(list(read_treebank(tmp_path / "items.conllu"))) == 7
