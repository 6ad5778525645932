"""The parse that the review shows: roles and heads, and where the attachment contradicts the design."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gapsmith.bank import Bank, ItemFilter
from gapsmith.parsing import Parser, open_parser
from gapsmith.templates import load_paradigm
from gapsmith.vetting import sentence_parse
from gapsmith.vetting.rules.measured import Precision, precision_of
from gapsmith.vetting.sentence_parse import parser_for_review
from tests.conftest import CommandOutcome

Run = Callable[..., CommandOutcome]


def _lines(root: Path, condition: str) -> dict[str, tuple[str, str, str]]:
    with Bank.open(root / "bank.sqlite") as bank:
        (item,) = bank.items.iterate(ItemFilter())
        sentence = item.sentence(condition)
        assert sentence is not None
        lines = parser_for_review("embedded")(bank, item, load_paradigm("subject_pg"), sentence)
    return {line.word: (line.role, line.head, line.against) for line in lines}


def _made(gapsmith: Run, tmp_path: Path, **words: str) -> Path:
    from tests.vetting.linting import SLOTS, texts

    paradigm = load_paradigm("subject_pg")
    rows = [f"subject_pg,1,{name},{text}" for name, text in texts(paradigm, {**SLOTS, **words}).items()]
    file = tmp_path / "items.csv"
    file.write_text("\n".join(["sentence_type,item_id,condition,full_sentence", *rows, ""]), encoding="utf-8")
    assert gapsmith("init", "ws").code == 0
    assert gapsmith("import", file, "--paradigm", "subject_pg", "--workspace", "ws").code == 0
    return tmp_path / "ws"


def test_role_and_head_of_every_word(gapsmith: Run, tmp_path: Path) -> None:
    lines = _lines(_made(gapsmith, tmp_path), "mf_mg1_mg2")
    assert lines["know"][:2] == ("root", "")
    assert lines["Maria"][:2] == ("modifier", "story")
    assert lines["Anna"][:2] == ("object", "enrage")
    assert not any(against for _, _, against in lines.values())


def test_an_attachment_that_contradicts_its_region_is_marked_where_such_marks_are_right(
    gapsmith: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """*Weekends* right after the gap is read as what fills it; such a mark was right too seldom on blind items to be shown."""
    root = _made(gapsmith, tmp_path, adverb="weekends")
    measured = precision_of("P105", "mark")
    assert measured is not None
    assert not measured.is_enough
    assert not any(against for _, _, against in _lines(root, "pf_mg1_pg2").values())
    monkeypatch.setattr("gapsmith.vetting.sentence_parse.precision_of", lambda *_: Precision(20, 19, 100))
    marked = {word: against for word, (_, _, against) in _lines(root, "pf_mg1_pg2").items() if against}
    assert list(marked) == ["weekends"]
    assert marked["weekends"].endswith("(right in 19 of 20 on 100 blind items)")


def test_items_go_out_as_conllu(gapsmith: Run, tmp_path: Path) -> None:
    """With item and condition, parsed once: the second export asks no parser."""
    root = _made(gapsmith, tmp_path)
    done = gapsmith("export", "conllu", "--all", "--workspace", root, "-o", tmp_path / "items.conllu")
    assert done.code == 0, done.err
    assert "8 sentences of 1 item" in done.err
    text = (tmp_path / "items.conllu").read_text(encoding="utf-8")
    assert text.count("# condition = ") == 8
    assert "# item = 1" in text
    with Bank.open(root / "bank.sqlite") as bank:
        (item,) = bank.items.iterate(ItemFilter())
        assert all(f"# text = {sentence.text}" in text for sentence in item.sentences)
    again = gapsmith("export", "conllu", "--all", "--workspace", root)
    assert again.out == text
    assert gapsmith("export", "conllu", "--all", "--workspace", root, "--parser", "none").code == 2
    nothing = gapsmith("export", "conllu", "--workspace", root)
    assert nothing.code != 0


def test_the_parser_is_opened_once(gapsmith: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = _made(gapsmith, tmp_path)
    opened: list[str] = []

    def counted(name: str) -> Parser:
        opened.append(name)
        return open_parser(name)

    monkeypatch.setattr(sentence_parse, "open_parser", counted)
    parse = parser_for_review("embedded")
    assert not opened, "by the first parse, not before"
    with Bank.open(root / "bank.sqlite") as bank:
        (item,) = bank.items.iterate(ItemFilter())
        for sentence in item.sentences[:3]:
            assert [line.word for line in parse(bank, item, load_paradigm("subject_pg"), sentence)]
    assert opened == ["embedded"]
