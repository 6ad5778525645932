"""How large corpora are: sentences, words, and tokens under vocabularies of several sizes, each of a tokenizer trained on the corpus itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gapsmith.templates import ConfigError, packed_lines, read_json, text_of
from gapsmith.training.text import MANIFEST, find_corpus

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_BLOCK = 10_000
"""Sentences that are tokenised at once."""


@dataclass(frozen=True, slots=True)
class CorpusCount:
    """The size of a corpus's training text."""

    corpus: str
    recipe: str
    """The recipe that it was mixed from, empty where that is not known."""
    scale: float
    """What the recipe's word counts were multiplied with."""
    sentences: int
    words: int
    """Stretches between white space."""
    tokens: dict[int, int]
    """By the size of the vocabulary; ends of sentences are not counted."""
    entries: dict[int, int]
    """How many entries such a vocabulary came to have: fewer where the text is too short for all."""

    @property
    def words_per_sentence(self) -> float:
        """Their mean length."""
        return self.words / self.sentences


def count_corpus(folder: Path, vocabularies: Sequence[int] = (), *, say: Callable[[str], None] = lambda _: None) -> CorpusCount:
    """Count the training text of a folder of `gapsmith train corpus`. For each size of vocabulary a byte-level BPE is trained on it.

    Raises `ConfigError` for a folder that is none, and for one without a sentence."""
    if not (folder / MANIFEST).is_file():
        raise ConfigError(f"{folder} has no {MANIFEST}", hint="Give folders that `gapsmith train corpus` made.")
    find_corpus([folder])
    told = _told(folder / MANIFEST)
    text = folder / "train.txt"
    sentences = words = 0
    for line in _sentences(text):
        sentences += 1
        words += len(line.split())
    if not sentences:
        raise ConfigError(f"{text} has no sentence")
    tokens, entries = {}, {}
    for size in vocabularies:
        from gapsmith.training.tokenizer import train_bpe

        say(f"{folder}: a vocabulary of {size:,}")
        tokenizer = train_bpe(_sentences(text), size)
        entries[size] = tokenizer.get_vocab_size()
        tokens[size] = sum(_lengths(tokenizer, text))
    scale = told.get("scale")
    return CorpusCount(
        str(folder),
        str(told.get("recipe") or ""),
        float(scale) if isinstance(scale, int | float) else 1.0,
        sentences,
        words,
        tokens,
        entries,
    )


def _lengths(tokenizer: Tokenizer, text: Path) -> Iterator[int]:
    lines = _sentences(text)
    while block := list(islice(lines, _BLOCK)):
        yield sum(len(own.ids) for own in tokenizer.encode_batch(block))


def _told(path: Path) -> dict[str, Any]:
    told: dict[str, Any] = read_json(text_of(path, "utf-8"))
    return told


def _sentences(path: Path) -> Iterator[str]:
    return (sentence for line in packed_lines(path) if (sentence := line.strip()))
