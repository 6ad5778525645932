"""Parses of training text, each made once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from gapsmith.bank import Bank
from gapsmith.parsing import Parse, Parser, parse_store, parsed

Parses = Callable[[Parser, Sequence[str]], Mapping[str, Parse]]
"""From a parser and sentences to their trees, wherever these come from."""
PARSES_FILE = "parses.sqlite"


def kept_parses(folder: Path) -> Parses:
    """Parses that are kept in `folder`, in a bank that holds nothing else."""

    def parses(parser: Parser, sentences: Sequence[str]) -> Mapping[str, Parse]:
        folder.mkdir(parents=True, exist_ok=True)
        with Bank.open(folder / PARSES_FILE, create=True) as bank:
            return parsed(parse_store(bank, parser), parser, sentences)

    return parses
