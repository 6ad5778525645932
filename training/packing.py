"""Rows of equal length that begin with the beginning-of-sequence token and the start of a sentence.

A model that reads such rows meets the beginning of a sequence where a sentence begins, as it does when single
sentences are scored. A sentence that the end of a row cuts is the first of the next row, so nothing is read only in part,
but for sentences longer than a row.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gapsmith.training.encoding import EncodedCorpus, Ids, Ragged

NOTHING = -1
"""What stands behind the end of a row that is shorter than others of its batch."""

_POOL = 50
"""Batches whose rows are sorted by length among themselves, so that rows of one batch are about equally long."""


def pack(corpus: EncodedCorpus, *, length: int, end: int, end_within: float, rng: np.random.Generator) -> Ids:
    """The corpus as rows (n, length): paragraphs in random order, rows in random order.

    `end` stands at the start of each row, between paragraphs, and at a share `end_within` of the sentence boundaries
    within them.
    """
    order = _shuffled_paragraphs(corpus.opens, rng)
    cut = corpus.opens[order] | (rng.random(len(order)) < end_within)
    stream, starts = _stream(corpus, order, cut, end)
    # The last row goes on at the beginning, however short the corpus is.
    stream = np.concatenate([stream, np.resize(stream, length)])
    body = length - 1
    rows: list[Ids] = []
    first = 0
    while first < len(order):
        sentence = corpus.bare[order[first]]
        after = int(starts[first + 1])
        row = np.concatenate([[end], sentence[:body], stream[after : after + max(0, body - len(sentence))]])
        rows.append(row.astype(np.int32))
        reached = after + max(0, body - len(sentence))
        # The sentence in which the row ended, or the next one where that is the row's first.
        first = max(first + 1, int(np.searchsorted(starts, reached, side="right")) - 1)
    packed = np.stack(rows)
    return packed[rng.permutation(len(packed))]


def _shuffled_paragraphs(opens: NDArray[np.bool_], rng: np.random.Generator) -> NDArray[np.int64]:
    """The numbers of all sentences, paragraphs shuffled, sentences in order within them."""
    firsts = np.flatnonzero(opens)
    lengths = np.diff(np.append(firsts, len(opens)))
    order = rng.permutation(len(firsts))
    return _ranges(firsts[order], lengths[order])


def _ranges(firsts: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """``first, first + 1, …`` for every pair of a first number and a length, one after the other."""
    ends = np.cumsum(lengths)
    steps: NDArray[np.int64] = np.arange(ends[-1]) + np.repeat(firsts - (ends - lengths), lengths)
    return steps


def _stream(corpus: EncodedCorpus, order: NDArray[np.int64], cut: NDArray[np.bool_], end: int) -> tuple[Ids, NDArray[np.int64]]:
    """All sentences in `order` as one list of ids, with `end` before those that are `cut`; and where each begins."""
    lengths = np.where(cut, _lengths(corpus.bare)[order] + 1, _lengths(corpus.spaced)[order])
    starts = np.zeros(len(order) + 1, dtype=np.int64)
    np.cumsum(lengths, out=starts[1:])
    stream = np.empty(starts[-1], dtype=np.int32)
    stream[starts[:-1][cut]] = end
    for form, chosen, shift in ((corpus.bare, cut, 1), (corpus.spaced, ~cut, 0)):
        sentences = order[chosen]
        sizes = _lengths(form)[sentences]
        if sizes.sum():
            source = _ranges(form.starts[:-1][sentences], sizes)
            stream[_ranges(starts[:-1][chosen] + shift, sizes)] = form.ids[source]
    return stream, starts


def _lengths(form: Ragged) -> NDArray[np.int64]:
    return np.diff(form.starts)


@dataclass(frozen=True, slots=True)
class CorpusPosition:
    """Where in the training text a run is: the pass over it, and the row within that."""

    epoch: int = 0
    row: int = 0


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows of tokens that are read side by side."""

    ids: Ids
    """(n, width); `NOTHING` behind the end of a row."""
    sentences: NDArray[np.int64] | None = None
    """(n,): of rows of single sentences, which sentence of the corpus each is."""

    @property
    def n_tokens(self) -> int:
        """Tokens, those at the beginnings among them."""
        return self.ids.size if self.sentences is None else int((self.ids != NOTHING).sum())

    @property
    def n_targets(self) -> int:
        """Tokens that are predicted: all but the first of each row."""
        return self.n_tokens - len(self.ids)

    def some(self, rows: slice) -> Batch:
        """Some of its rows."""
        return Batch(self.ids[rows], None if self.sentences is None else self.sentences[rows])


class Stream(Protocol):
    """Where the batches of a run come from; what they are depends on the seed and on `place` alone."""

    place: CorpusPosition
    """After the last batch that was given."""

    @property
    def epochs(self) -> float:
        """How often the text has been read."""

    def batches(self, size: int) -> Iterator[Batch]:
        """Endless batches of `size` rows from the present place on."""


class RowStream:
    """Batches of rows, pass after pass; the rows of a pass depend on the seed and its number alone."""

    def __init__(
        self, corpus: EncodedCorpus, *, length: int, end: int, end_within: float, seed: int, place: CorpusPosition
    ) -> None:
        self._corpus, self._length, self._end, self._end_within, self._seed = corpus, length, end, end_within, seed
        self.place = place
        self._rows = self._pack(place.epoch)

    def _pack(self, epoch: int) -> Ids:
        rng = np.random.default_rng([self._seed, epoch])
        return pack(self._corpus, length=self._length, end=self._end, end_within=self._end_within, rng=rng)

    @property
    def epochs(self) -> float:
        """How often the text has been read."""
        return self.place.epoch + self.place.row / len(self._rows)

    def batches(self, size: int) -> Iterator[Batch]:
        """Endless batches of rows of equal length from the present place on."""
        while True:
            parts: list[Ids] = []
            wanted = size
            while wanted:
                part = self._rows[self.place.row : self.place.row + wanted]
                parts.append(part)
                wanted -= len(part)
                self.place = CorpusPosition(self.place.epoch, self.place.row + len(part))
                if self.place.row == len(self._rows):
                    self.place = CorpusPosition(self.place.epoch + 1, 0)
                    self._rows = self._pack(self.place.epoch)
            yield Batch(np.concatenate(parts))


class SentenceStream:
    """Batches of single sentences, pass after pass: a pass is the same number of batches each time, of which the last may be smaller."""

    def __init__(self, corpus: EncodedCorpus, *, length: int, end: int, seed: int, size: int, place: CorpusPosition) -> None:
        self._corpus, self._length, self._end, self._seed, self._size = corpus, length, end, seed, size
        self.place = place
        """`row` counts batches."""
        self.per_epoch = batches_per_epoch(corpus, size)
        self._plan = self._planned(place.epoch)

    def _planned(self, epoch: int) -> list[NDArray[np.int64]]:
        """The sentences of every batch of a pass."""
        rng = np.random.default_rng([self._seed, epoch])
        order = rng.permutation(len(self._corpus.opens))
        lengths = _lengths(self._corpus.bare)
        planned: list[NDArray[np.int64]] = []
        for start in range(0, len(order), _POOL * self._size):
            pool = order[start : start + _POOL * self._size]
            pool = pool[np.argsort(lengths[pool], kind="stable")]
            planned += [pool[first : first + self._size] for first in range(0, len(pool), self._size)]
        return [planned[number] for number in rng.permutation(len(planned))]

    @property
    def epochs(self) -> float:
        """How often the text has been read."""
        return self.place.epoch + self.place.row / self.per_epoch

    def batches(self, size: int) -> Iterator[Batch]:
        """Endless batches from the present place on, of the size that the stream was made for."""
        if size != self._size:
            raise ValueError(f"batches of {size} rows are asked for, and the passes are cut into batches of {self._size}")
        while True:
            sentences = self._plan[self.place.row]
            row = self.place.row + 1
            self.place = CorpusPosition(self.place.epoch, row)
            if row == self.per_epoch:
                self.place = CorpusPosition(self.place.epoch + 1, 0)
                self._plan = self._planned(self.place.epoch)
            yield sentence_batch(self._corpus, sentences, length=self._length, end=self._end)


def batches_per_epoch(corpus: EncodedCorpus, size: int) -> int:
    """How many batches of `size` sentences the text has."""
    return -(-len(corpus.opens) // size)


def sentence_batch(corpus: EncodedCorpus, sentences: NDArray[np.int64], *, length: int, end: int) -> Batch:
    """These sentences, each between two `end` tokens and cut to `length`."""
    rows = [np.concatenate([[end], corpus.bare[number], [end]])[:length] for number in sentences.tolist()]
    ids = np.full((len(rows), max(map(len, rows))), NOTHING, dtype=np.int32)
    for place, row in enumerate(rows):
        ids[place, : len(row)] = row
    return Batch(ids, sentences)
