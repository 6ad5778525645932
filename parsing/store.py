"""Where parses are kept: a parse of a text by a parser is computed once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from parsing.model import Parse
from parsing.parser import Parser

__all__ = ["MemoryParseStore", "ParseStore", "parsed"]


class ParseStore(Protocol):
    """Parses by text, of one parser. What is there is never replaced."""

    def get(self, text: str) -> Parse | None:
        """The parse of the text, if there is one."""

    def put(self, parses: Iterable[Parse]) -> None:
        """Keep parses that were not there."""


class MemoryParseStore:
    """Parses that last as long as the program."""

    def __init__(self) -> None:
        self._parses: dict[str, Parse] = {}

    def get(self, text: str) -> Parse | None:
        """The parse of the text, if there is one."""
        return self._parses.get(text)

    def put(self, parses: Iterable[Parse]) -> None:
        """Keep parses that were not there."""
        for parse in parses:
            self._parses.setdefault(parse.text, parse)


def parsed(store: ParseStore, parser: Parser, texts: Iterable[str]) -> Mapping[str, Parse]:
    """The parse of every text, taken from the store or made and put there."""
    wanted = list(dict.fromkeys(texts))
    found = {text: parse for text in wanted if (parse := store.get(text)) is not None}
    absent = [text for text in wanted if text not in found]
    if absent:
        made = list(parser.parse(absent))
        store.put(made)
        found.update(zip(absent, made, strict=True))
    return found
