"""Items as a treebank: their sentences parsed, with item and condition in the comments."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import TextIO

from bank import StoredItem
from parsing.conllu import write_conllu
from parsing.parser import Parser
from parsing.store import ParseStore, parsed

__all__ = ["write_item_parses"]

_CHUNK = 500


def write_item_parses(file: TextIO, items: Iterable[StoredItem], parser: Parser, store: ParseStore) -> int:
    """Write every sentence of the items as CoNLL-U; how many there were.

    Comments: `sent_id` (data set, item and condition), `dataset`, `item`, `condition`, `paradigm`, `parser`. The labels are the
    parser's own: UD for `embedded` and Stanza.
    """
    written = 0
    remaining = iter(items)
    while chunk := list(islice(remaining, _CHUNK)):
        trees = parsed(store, parser, (sentence.text for item in chunk for sentence in item.sentences))
        for item in chunk:
            for sentence in item.sentences:
                comments = {
                    "sent_id": f"{item.dataset}/{item.label}/{sentence.condition}",
                    "dataset": item.dataset,
                    "item": item.label,
                    "condition": sentence.condition,
                    "paradigm": item.paradigm,
                    "parser": parser.identity,
                }
                write_conllu(file, trees[sentence.text], comments)
                written += 1
    return written
