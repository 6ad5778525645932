"""The one interface of all parsers, and opening one by its name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from gapsmith.parsing.errors import ParserError
from gapsmith.parsing.model import Parse


class Parser(Protocol):
    """A parser of English. Each text is one sentence; a blank text has a parse without words."""

    @property
    def name(self) -> str:
        """As it is asked for: `embedded`, `spacy:en_core_web_sm`, `stanza`."""

    @property
    def identity(self) -> str:
        """What decides its parses: name, version or hash of the weights. Parses are kept under it."""

    def parse(self, texts: Iterable[str]) -> Iterator[Parse]:
        """One tree for each text, in order. Offsets are characters of the text."""


def open_parser(name: str) -> Parser:
    """The parser called `embedded`, `spacy:NAME` (an installed pipeline or a folder), `stanza` or `stanza:FOLDER`.

    Raises ParserError, before anything is loaded, where files are missing.
    """
    backend, _, which = name.partition(":")
    match backend:
        case "embedded" if not which:
            from gapsmith.parsing.embedded import open_embedded

            return open_embedded()
        case "spacy" if which:
            from gapsmith.parsing.spacy_pipeline import open_spacy

            return open_spacy(which)
        case "stanza":
            from gapsmith.parsing.stanza_pipeline import open_stanza

            return open_stanza(which)
    raise ParserError(
        f"There is no parser {name!r}.",
        hint="Give `embedded`, `spacy:NAME` for an installed spaCy pipeline, `stanza`, or `stanza:FOLDER`.",
    )
