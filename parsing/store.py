"""Where parses are kept: a parse of a text by a parser is computed once."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Protocol

from gapsmith.parsing.model import Parse, Scheme, Token
from gapsmith.parsing.parser import Parser

if TYPE_CHECKING:
    from gapsmith.bank import Bank, ParseTable


class ParseStore(Protocol):
    """Parses by text, of one parser. What is there is never replaced."""

    def get(self, texts: Iterable[str]) -> Mapping[str, Parse]:
        """Text to its parse, for those of the texts that have one."""

    def put(self, parses: Iterable[Parse]) -> None:
        """Keep parses that were not there."""


class MemoryParseStore:
    """Parses that last as long as the program."""

    def __init__(self) -> None:
        self._parses: dict[str, Parse] = {}

    def get(self, texts: Iterable[str]) -> Mapping[str, Parse]:
        """Text to its parse, for those of the texts that have one."""
        return {text: self._parses[text] for text in texts if text in self._parses}

    def put(self, parses: Iterable[Parse]) -> None:
        """Keep parses that were not there."""
        for parse in parses:
            self._parses.setdefault(parse.text, parse)


class BankParseStore:
    """Parses kept in a bank, under the parser's identity: facts about texts, as scores are."""

    def __init__(self, table: ParseTable, parser: Parser) -> None:
        self._table = table
        self._id = table.register(parser.name, {"parser": parser.identity})

    def get(self, texts: Iterable[str]) -> Mapping[str, Parse]:
        """Text to its parse, for those of the texts that have one."""
        return {text: _read(text, said) for text, said in self._table.get(self._id, texts).items()}

    def put(self, parses: Iterable[Parse]) -> None:
        """Keep parses that were not there."""
        self._table.add(self._id, {parse.text: _written(parse) for parse in parses})


def parse_store(bank: Bank, parser: Parser) -> ParseStore:
    """The bank's parses by the parser. Of a bank that cannot be written they last as long as the program."""
    return MemoryParseStore() if bank.read_only else BankParseStore(bank.parses, parser)


def _written(parse: Parse) -> str:
    words = [[t.text, t.start, t.end, t.upos, t.head, t.relation, t.xpos, t.feats, t.lemma] for t in parse.tokens]
    return json.dumps([parse.scheme.value, words], ensure_ascii=False, separators=(",", ":"))


def _read(text: str, said: str) -> Parse:
    scheme, words = json.loads(said)
    return Parse(text, tuple(Token(*word) for word in words), Scheme(scheme))


def parsed(store: ParseStore, parser: Parser, texts: Iterable[str]) -> Mapping[str, Parse]:
    """The parse of every text, taken from the store or made and put there."""
    wanted = list(dict.fromkeys(texts))
    found = dict(store.get(wanted))
    absent = [text for text in wanted if text not in found]
    if absent:
        made = list(parser.parse(absent))
        store.put(made)
        found.update(zip(absent, made, strict=True))
    return found
