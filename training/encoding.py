"""A corpus as token ids: every sentence in the form it has at the beginning of a text, and in the form it has after another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from gapsmith.bank import written_whole
from gapsmith.training.errors import TrainingError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Ids = NDArray[np.int32]
_BLOCK = 4096
"""Paragraphs that are tokenised at once."""


@dataclass(frozen=True, slots=True)
class Ragged:
    """Lists of token ids of unequal length, one after the other."""

    ids: Ids
    starts: NDArray[np.int64]
    """(n + 1,): list n is ``ids[starts[n]:starts[n + 1]]``."""

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, number: int) -> Ids:
        return self.ids[self.starts[number] : self.starts[number + 1]]


@dataclass(frozen=True, slots=True)
class EncodedCorpus:
    """The sentences of a corpus in order."""

    bare: Ragged
    """Per sentence its tokens at the beginning of a text."""
    spaced: Ragged
    """Per sentence its tokens after a space, as they are when another sentence stands before it."""
    opens: NDArray[np.bool_]
    """Per sentence, whether a paragraph begins with it."""
    n_words: int
    """Stretches between white space."""
    n_bytes: int

    @property
    def n_tokens(self) -> int:
        """Tokens of all sentences in their form at the beginning of a text."""
        return len(self.bare.ids)


def encode_corpus(paragraphs: Iterable[Sequence[str]], tokenizer: Tokenizer, *, name: str) -> EncodedCorpus:
    """Tokenise every sentence as plain text. Raises `TrainingError` where there is none; `name` is named there."""
    raw: Any = tokenizer
    raw.no_padding()
    raw.no_truncation()
    raw.encode_special_tokens = True
    bare, spaced, opens = _Gatherer(), _Gatherer(), list[bool]()
    n_words = n_bytes = 0
    iterator = iter(paragraphs)
    while block := list(islice(iterator, _BLOCK)):
        sentences = [sentence for paragraph in block for sentence in paragraph]
        opens += [number == 0 for paragraph in block for number in range(len(paragraph))]
        n_words += sum(len(sentence.split()) for sentence in sentences)
        n_bytes += sum(len(sentence.encode()) + 1 for sentence in sentences)
        bare.add(_encode(raw, sentences))
        spaced.add(_encode(raw, [f" {sentence}" for sentence in sentences]))
    if not opens:
        raise TrainingError(f"{name} holds no text", hint="Give files with text, one paragraph on a line.")
    return EncodedCorpus(bare.ragged(), spaced.ragged(), np.array(opens, dtype=np.bool_), n_words, n_bytes)


def _encode(tokenizer: Any, texts: list[str]) -> Iterator[list[int]]:
    return (encoding.ids for encoding in tokenizer.encode_batch_fast(texts, add_special_tokens=False))


def save_encoded(path: Path, corpora: Mapping[str, EncodedCorpus]) -> None:
    """Keep encoded corpora in a file, whole or not at all."""
    arrays: dict[str, Any] = {}
    for name, corpus in corpora.items():
        for form in ("bare", "spaced"):
            ragged: Ragged = getattr(corpus, form)
            arrays |= {f"{name}.{form}.ids": ragged.ids, f"{name}.{form}.starts": ragged.starts}
        arrays[f"{name}.opens"] = corpus.opens
        arrays[f"{name}.sizes"] = np.array([corpus.n_words, corpus.n_bytes], dtype=np.int64)
    with written_whole(path) as building, building.open("wb") as stream:
        np.savez(stream, **arrays)


def load_encoded(path: Path) -> dict[str, EncodedCorpus]:
    """What `save_encoded` has kept. Raises `TrainingError` where the file is damaged."""
    try:
        with np.load(path, allow_pickle=False) as kept:
            names = sorted({key.split(".")[0] for key in kept.files})
            return {name: _loaded(kept, name) for name in names}
    except (OSError, ValueError, KeyError, BadZipFile) as error:
        raise TrainingError(f"{path} cannot be read ({error})", hint="Delete it: it is made again from the corpus.") from None


def _loaded(kept: Mapping[str, Any], name: str) -> EncodedCorpus:
    bare, spaced = (Ragged(kept[f"{name}.{form}.ids"], kept[f"{name}.{form}.starts"]) for form in ("bare", "spaced"))
    n_words, n_bytes = kept[f"{name}.sizes"].tolist()
    return EncodedCorpus(bare, spaced, kept[f"{name}.opens"], n_words, n_bytes)


def ragged(lists: Iterable[list[int]]) -> Ragged:
    """Lists of numbers, one after the other."""
    gatherer = _Gatherer()
    gatherer.add(lists)
    return gatherer.ragged()


class _Gatherer:
    def __init__(self) -> None:
        self._parts: list[Ids] = []
        self._lengths: list[int] = []

    def add(self, lists: Iterable[list[int]]) -> None:
        block = list(lists)
        self._parts.append(np.fromiter(chain.from_iterable(block), dtype=np.int32))
        self._lengths += map(len, block)

    def ragged(self) -> Ragged:
        starts = np.zeros(len(self._lengths) + 1, dtype=np.int64)
        np.cumsum(self._lengths, out=starts[1:])
        return Ragged(np.concatenate(self._parts), starts)
