"""Parsing on the machines of a Ray cluster: a parser per actor; each share of the sentences is kept as it comes back."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from gapsmith.parsing.cluster import Cluster
from gapsmith.parsing.errors import ParserError
from gapsmith.parsing.model import Parse
from gapsmith.parsing.parser import Parser, open_parser
from gapsmith.parsing.store import ParseStore

SHARE = 1000
"""Sentences that an actor parses at a time: half a second's work, so that the last shares keep no machine waiting for long."""


class _Parser:
    """What runs on each machine."""

    def __init__(self, name: str) -> None:
        self.parser = open_parser(name)

    def parse(self, texts: list[str]) -> tuple[str, list[Parse]]:
        """The parser's identity, and a share's parses."""
        return self.parser.identity, list(self.parser.parse(texts))


def parse_on(
    cluster: Cluster, parser: Parser, store: ParseStore, texts: Iterable[str], advance: Callable[[int], None] = lambda _: None
) -> int:
    """Parse what the store has no parse of by this parser, and keep it there: what a run that was stopped has kept is not parsed again, and
    what is kept is what the parser says here. `advance` is told how many were parsed. How many these are.

    The parser must be in reach of every machine under the same name. Raises `ParserError` where a machine has another one of that name,
    or a share fails on every try."""
    wanted = list(dict.fromkeys(texts))
    absent: list[str] = []
    for start in range(0, len(wanted), SHARE):
        some = wanted[start : start + SHARE]
        there = store.get(some)
        absent += [text for text in some if text not in there]
    shares = [absent[start : start + SHARE] for start in range(0, len(absent), SHARE)]
    done = 0
    for identity, parses in cluster.done(_Parser, (parser.name,), "parse", shares, lambda said: _failed(parser, said)):
        if identity != parser.identity:
            raise ParserError(
                f"a machine of the cluster has another {parser.name}: {identity} instead of {parser.identity}",
                hint="Put the same files on every machine. What was parsed before is kept.",
            )
        store.put(parses)
        done += len(parses)
        advance(done)
    return done


def _failed(parser: Parser, said: str) -> ParserError:
    return ParserError(
        f"parsing with {parser.name} on Ray failed: {said}",
        hint="See that the parser is in reach of every machine of the cluster. What is parsed so far is kept.",
    )
