"""The roles of an item: declared by slots or regions where they are, else read from its sentences. The only place that decides which."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache

from gapsmith.parsing import Parse, Parser, ParserError, ParseStore, Tree, open_parser, parsed
from gapsmith.vetting.roles.differences import Differences, differences_of
from gapsmith.vetting.roles.item_role import ItemRoles
from gapsmith.vetting.roles.parsed import roles_in_parse

_PARSER = "embedded"
_MOST = 5000
"""So many items are remembered."""


class RoleReader:
    """Reads roles from sentences with one parser, whose parses are kept in a store. It is opened when the first item needs it.

    `parser` is another one than the embedded, such as ``stanza``: findings rest on the embedded one alone, others are measured."""

    def __init__(self, store: Callable[[Parser], ParseStore] | None = None, parser: str = _PARSER) -> None:
        self._make_store = store
        self._name = parser
        self._opened: tuple[Parser, ParseStore] | None = None
        self.trouble = ""
        """Why no sentence can be parsed; empty where nothing stands in the way, or nobody has asked yet."""
        self._trees: dict[str, Tree] = {}
        self._differences: dict[tuple[tuple[str, str], ...], Differences | None] = {}

    def look_ahead(self, items: Iterable[Mapping[str, str]]) -> None:
        """Parse at once what will be read one by one: condition to text of each item."""
        self._trees = {}
        self._differences = {}
        wanted = [found for texts in items if (found := self._compared(texts)) is not None]
        self._parse(found.texts[found.base] for found in wanted)

    def read(self, texts: Mapping[str, str]) -> ItemRoles:
        """The roles of the item with these conditions."""
        differences = self._compared(texts)
        if differences is None:
            return ItemRoles(unread="no condition has a sentence")
        if len(differences.texts) < 2:
            return ItemRoles(unread="it has one sentence only, and roles show where conditions differ")
        text = differences.texts[differences.base]
        if text not in self._trees:
            self._parse([text])
        if text not in self._trees:
            return ItemRoles(unread=self.trouble)
        return roles_in_parse(differences, self._trees[text])

    def _compared(self, texts: Mapping[str, str]) -> Differences | None:
        key = tuple(texts.items())
        if len(self._differences) > _MOST:
            self._differences = {}
        if key not in self._differences:
            self._differences[key] = differences_of(texts)
        return self._differences[key]

    def _parse(self, texts: Iterable[str]) -> None:
        wanted = [text for text in texts if text not in self._trees]
        if len(self._trees) > _MOST:
            self._trees = {}
        if not wanted or self.trouble:
            return
        if self._opened is None:
            try:
                parser = _shared_parser(self._name)
            except ParserError as error:
                self.trouble = f"the parser could not be opened ({error})"
                return
            self._opened = parser, self._make_store(parser) if self._make_store is not None else _Nothing()
        parser, store = self._opened
        self._trees |= {text: Tree(parse) for text, parse in parsed(store, parser, wanted).items()}


@lru_cache(maxsize=1)
def _shared_parser(name: str) -> Parser:
    """The parser, opened once in the life of the program: readers differ in their stores.

    It and the word lists stay as long as the program: the collector of cycles, which goes through all there is again and again, is told to
    leave them alone (a tenth of the time of a linter that reads many sentences)."""
    parser = open_parser(name)
    gc.freeze()
    return parser


class _Nothing:
    """A store that keeps no parse."""

    def get(self, texts: Iterable[str]) -> Mapping[str, Parse]:
        """None."""
        del texts
        return {}

    def put(self, parses: Iterable[Parse]) -> None:
        """Forget them."""


@lru_cache(maxsize=1)
def shared_reader() -> RoleReader:
    """The reader for items of no bank; its parses last as long as the program."""
    return RoleReader()
