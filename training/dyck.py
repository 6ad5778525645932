"""The shuffled k-Dyck language (Hu et al. 2025): brackets of k kinds, each kind well nested or crossing any other.

At depth 0 a bracket opens, at the largest depth one closes, in between one opens with a given probability. What opens is any kind, what
closes any of the kinds that are open, all equally likely. A text is cut where it is long enough and not brought to an end. A symbol is
a decimal number (an opening one its kind from 0, the closing one k more), and a text is symbols with a space between.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from gapsmith.training.config import Dyck
from gapsmith.training.packing import Batch, CorpusPosition

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_OWN = 64_002
"""Beside the seed of the run, so that brackets are not drawn as the order of the text is."""


def draw_symbols(settings: Dyck, n: int, rng: np.random.Generator) -> list[int]:
    """The first `n` symbols of a text."""
    open_kinds = np.zeros(settings.types, dtype=np.int64)
    symbols: list[int] = []
    depth = 0
    for _ in range(n):
        opens = depth == 0 or (depth < settings.depth and rng.random() < settings.opening)
        kinds = np.arange(settings.types) if opens else np.flatnonzero(open_kinds)
        kind = int(rng.choice(kinds))
        open_kinds[kind] += 1 if opens else -1
        depth += 1 if opens else -1
        symbols.append(kind if opens else kind + settings.types)
    return symbols


class DyckStream:
    """Batches of rows of brackets, each row a text of its own."""

    def __init__(self, settings: Dyck, tokenizer: Tokenizer, *, length: int, end: int, seed: int, place: CorpusPosition) -> None:
        raw: Any = tokenizer
        symbols = range(2 * settings.types)
        self._settings, self._length, self._end, self._seed = settings, length, end, seed
        # A byte-level BPE cuts at spaces, so that a symbol has the same tokens behind every other one.
        self._first = [raw.encode(str(symbol), add_special_tokens=False).ids for symbol in symbols]
        self._later = [raw.encode(f" {symbol}", add_special_tokens=False).ids for symbol in symbols]
        self.place = place
        """`row` counts rows; there is only one pass."""

    @property
    def epochs(self) -> float:
        """None is ever read again."""
        return 0.0

    def batches(self, size: int) -> Iterator[Batch]:
        """Endless batches (size, length) from the present place on."""
        while True:
            rows = [self._row(self.place.row + number) for number in range(size)]
            self.place = CorpusPosition(0, self.place.row + size)
            yield Batch(np.array(rows, dtype=np.int32))

    def _row(self, number: int) -> list[int]:
        rng = np.random.default_rng([self._seed, _OWN, number])
        # A symbol is a token or more: no further ones can be seen.
        symbols = draw_symbols(self._settings, min(self._settings.length, self._length - 1), rng)
        row = [self._end, *self._first[symbols[0]], *(token for symbol in symbols[1:] for token in self._later[symbol])]
        # Of texts that are shorter than a row, as many as fill it.
        while len(row) < self._length:
            symbols = draw_symbols(self._settings, min(self._settings.length, self._length - len(row)), rng)
            row += [self._end, *self._first[symbols[0]], *(token for symbol in symbols[1:] for token in self._later[symbol])]
        return row[: self._length]
