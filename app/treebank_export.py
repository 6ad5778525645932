"""Items as a treebank: `gapsmith export conllu`."""

from __future__ import annotations

import io
from dataclasses import dataclass

from gapsmith.bank import Bank, ItemFilter


@dataclass(frozen=True, slots=True)
class Treebank:
    """What was parsed."""

    content: bytes
    sentences: int
    items: int
    blank: tuple[str, ...]
    """The sentences without a word, which a treebank cannot hold, by data set, item and condition."""


def export_treebank(bank: Bank, selection: ItemFilter, parser_name: str) -> Treebank:
    """The selected items' sentences as CoNLL-U, with data set, item, uid, digest of its texts, condition and paradigm in the
    comments. Parses are taken from the bank, or made and kept there. Raises `GapsmithError` where nothing is selected, and where
    there is no such parser."""
    from gapsmith.bank import find_items
    from gapsmith.parsing import open_parser, parse_store, write_item_parses

    find_items(bank, selection)
    parser = open_parser(parser_name)
    file = io.StringIO()
    items = bank.items.iterate(selection, chunk=500)
    written = write_item_parses(file, items, parser, parse_store(bank, parser))
    content = file.getvalue().encode("utf-8")
    return Treebank(content, written.sentences, bank.items.count(selection), written.blank)
