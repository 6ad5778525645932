"""Items as a treebank: their sentences parsed, with item and condition in the comments."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import TextIO

from gapsmith.bank import StoredItem, naming
from gapsmith.parsing.conllu import write_conllu
from gapsmith.parsing.parser import Parser
from gapsmith.parsing.store import ParseStore, parsed

_CHUNK = 500


@dataclass(frozen=True, slots=True)
class WrittenParses:
    """What was written."""

    sentences: int
    blank: tuple[str, ...]
    """The `sent_id` of the sentences without a word: the format has none of these, so they are left out."""


def write_item_parses(file: TextIO, items: Iterable[StoredItem], parser: Parser, store: ParseStore) -> WrittenParses:
    """Write every sentence of the items as CoNLL-U.

    Comments: `sent_id` (data set, item and condition), `dataset`, `item`, `condition`, `paradigm`, `parser`. The labels are the
    parser's own: UD for `embedded` and Stanza.
    """
    written = 0
    blank: list[str] = []
    remaining = iter(items)
    while chunk := list(islice(remaining, _CHUNK)):
        texts = (sentence.text for item in chunk for sentence in item.sentences)
        trees = parsed(store, parser, (text for text in texts if text.strip()))
        for item in chunk:
            for sentence in item.sentences:
                sent_id = f"{item.dataset}/{item.label}/{sentence.condition}"
                if not sentence.text.strip():
                    blank.append(sent_id)
                    continue
                comments = {
                    "sent_id": sent_id,
                    "dataset": item.dataset,
                    "item": item.label,
                    **naming(item),
                    "condition": sentence.condition,
                    "paradigm": item.paradigm,
                    "parser": parser.identity,
                }
                write_conllu(file, trees[sentence.text], comments)
                written += 1
    return WrittenParses(written, tuple(blank))
