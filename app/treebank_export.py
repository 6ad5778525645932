"""Items as a treebank: `gapsmith export conllu`."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gapsmith.app.services import QUIET, Services
from gapsmith.bank import Bank, ItemFilter

if TYPE_CHECKING:
    from gapsmith.parsing import Parser, ParseStore


@dataclass(frozen=True, slots=True)
class Treebank:
    """What was parsed."""

    content: bytes
    sentences: int
    items: int
    blank: tuple[str, ...]
    """The sentences without a word, which a treebank cannot hold, by data set, item and condition."""


def export_treebank(
    bank: Bank, selection: ItemFilter, parser_name: str, *, on: str | None = None, services: Services = QUIET
) -> Treebank:
    """The selected items' sentences as CoNLL-U, with data set, item, uid, digest of its texts, condition and paradigm in the
    comments. Parses are taken from the bank, or made and kept there, `on` a cluster where one is named. Raises `GapsmithError` where
    nothing is selected, and where there is no such parser."""
    from gapsmith.bank import find_items
    from gapsmith.parsing import open_parser, parse_store, write_item_parses

    find_items(bank, selection)
    parser = open_parser(parser_name)
    store = parse_store(bank, parser)
    if on is not None:
        _parse_on(on, bank, selection, parser, store, services)
    file = io.StringIO()
    items = bank.items.iterate(selection, chunk=500)
    written = write_item_parses(file, items, parser, store)
    content = file.getvalue().encode("utf-8")
    return Treebank(content, written.sentences, bank.items.count(selection), written.blank)


def _parse_on(place: str, bank: Bank, selection: ItemFilter, parser: Parser, store: ParseStore, services: Services) -> None:
    """Parse the sentences of the selected items on a cluster, and keep what comes back in the `store` as it comes."""
    from gapsmith.parsing import Cluster, cluster_at, parse_on

    cluster = Cluster(cluster_at(place, "parse"))

    def texts() -> Iterator[str]:
        for item in bank.items.iterate(selection):
            yield from (sentence.text for sentence in item.sentences if sentence.text.strip())

    with services.progress(f"parsing with {parser.name} on Ray", None) as advance:
        done = parse_on(cluster, parser, store, texts(), advance)
    services.note(f"{done:,} sentences parsed on Ray")
