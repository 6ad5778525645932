"""Parses in the bank: computed once, the same when they come back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from gapsmith.bank import Bank
from gapsmith.parsing.model import Parse
from gapsmith.parsing.parser import open_parser
from gapsmith.parsing.store import BankParseStore, parse_store, parsed

TEXTS = ("I know who amused Anna.", "She doesn't wanna go, “Zoë” said.", "I know who amused Anna.")


class Counting:
    """The parser that ships, with a note of what it was asked."""

    def __init__(self, identity: str = "") -> None:
        self._parser = open_parser("embedded")
        self.name = self._parser.name
        self.identity = identity or self._parser.identity
        self.asked: list[str] = []

    def parse(self, texts: Iterable[str]) -> Iterator[Parse]:
        self.asked += (wanted := list(texts))
        return self._parser.parse(wanted)


def test_a_text_is_parsed_once_for_good(tmp_path: Path) -> None:
    path = tmp_path / "bank.sqlite"
    parser = Counting()
    with Bank.open(path, create=True) as bank:
        first = parsed(BankParseStore(bank.parses, parser), parser, TEXTS)
    assert parser.asked == list(dict.fromkeys(TEXTS))
    again = Counting()
    with Bank.open(path) as bank:
        second = parsed(BankParseStore(bank.parses, again), again, [*TEXTS, "One more."])
    assert again.asked == ["One more."]
    assert {text: second[text] for text in TEXTS} == dict(first)


def test_another_parser_has_parses_of_its_own(tmp_path: Path) -> None:
    with Bank.open(tmp_path / "bank.sqlite", create=True) as bank:
        parser, other = Counting(), Counting("another identity")
        parsed(BankParseStore(bank.parses, parser), parser, TEXTS)
        assert BankParseStore(bank.parses, other).get(TEXTS) == {}
        parsed(BankParseStore(bank.parses, other), other, TEXTS[:1])
        assert other.asked == [TEXTS[0]]


def test_parses_of_a_bank_that_cannot_be_written(tmp_path: Path) -> None:
    """They last as long as the program; the bank stays as it is."""
    Bank.open(tmp_path / "bank.sqlite", create=True).close()
    before = (tmp_path / "bank.sqlite").read_bytes()
    parser = Counting()
    with Bank.open_copy(tmp_path / "bank.sqlite") as bank:
        store = parse_store(bank, parser)
        assert parsed(store, parser, TEXTS) == parsed(store, parser, TEXTS)
    assert len(parser.asked) == 2
    assert (tmp_path / "bank.sqlite").read_bytes() == before
