"""Tree planting (Yoshida et al. 2024): attention that is trained towards distances in dependency trees.

With D(v, w) the number of edges between two words, the beginning and the end of the sentence hanging on its root, a word w at place k
has the target S[k, j] = exp(-D(w, w_j)) over the words j before it (the beginning among them), divided by its sum. It supervises the
positions that predict w's tokens, which are those one token earlier: what they attend to is summed by word on both sides, only words
before w count, and the row is divided by its sum (A). The divergence is the sum over j of S ln(S / A).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from gapsmith.bank import written_whole
from gapsmith.parsing import ROOT, Parse, Parser
from gapsmith.training.encoding import Ids, Ragged, ragged
from gapsmith.training.errors import TrainingError
from gapsmith.training.packing import NOTHING, Batch
from gapsmith.training.parses import Parses

if TYPE_CHECKING:
    import torch
    from tokenizers import Tokenizer

_BLOCK = 512
"""Sentences that are parsed at once."""
_SMALLEST = 1e-30
"""Below this, attention is taken for this, so that its logarithm is a number."""


@dataclass(frozen=True, slots=True)
class SentenceTrees:
    """The trees of the sentences of a corpus, in order."""

    words: Ragged
    """Per sentence, of each of its tokens at the beginning of a text, the number of its word."""
    heads: Ragged
    """Per sentence, of each word, the number of its head; `ROOT` for the root."""


@dataclass(frozen=True, slots=True)
class PlantedTrees:
    """What attention is trained towards in a batch, as tensors. Word 0 is the beginning; the end is the last one."""

    targets: torch.Tensor
    """(n, words, words): S; a row that supervises nothing is all 0."""
    query_words: torch.Tensor
    """(n, positions): the word that each position predicts; negative for none."""
    key_words: torch.Tensor
    """(n, positions): the word that each position belongs to; negative for none."""

    @property
    def n_words(self) -> int:
        """Words that have a target."""
        return int((self.targets.sum(-1) > 0).sum())

    def some(self, rows: slice) -> PlantedTrees:
        """Those of some sentences."""
        return PlantedTrees(self.targets[rows], self.query_words[rows], self.key_words[rows])


def planting_divergence(kept: Sequence[torch.Tensor], trees: PlantedTrees) -> torch.Tensor:
    """The sum over words of the divergence of attention from the trees, in nats; the mean of it over layers and heads.

    `kept`: (n, heads, positions, positions) of each layer that is planted.
    """
    import torch

    width = trees.targets.shape[-1]
    numbers = torch.arange(width, device=trees.targets.device)
    queries = (trees.query_words[:, None, :] == numbers[:, None]).float()
    keys = (trees.key_words[:, :, None] == numbers).float()
    target = trees.targets[:, None]
    divergences = []
    for attention in kept:
        by_word = queries[:, None] @ attention.float() @ keys[:, None]
        # Where a target is 0 there is no word before the one in question, or none with a token of its own.
        before = by_word * (target > 0)
        share = before / before.sum(-1, keepdim=True).clamp_min(_SMALLEST)
        part = torch.xlogy(target, target) - target * share.clamp_min(_SMALLEST).log()
        divergences.append(part.sum((-1, -2)).mean(1).sum())
    return torch.stack(divergences).mean()


class Planter:
    """From the sentences of a batch to what their attention is trained towards."""

    def __init__(self, trees: SentenceTrees) -> None:
        self._trees = trees

    def plant(self, batch: Batch, device: str) -> PlantedTrees:
        """For the rows of a batch of sentences."""
        import torch

        if batch.sentences is None:
            raise ValueError("trees belong to rows of single sentences")
        n, width = batch.ids.shape
        made = [self._sentence(number, row) for number, row in zip(batch.sentences.tolist(), batch.ids, strict=True)]
        most = max(len(target) for target, _ in made)
        targets = np.zeros((n, most, most), dtype=np.float32)
        words = np.full((n, width), NOTHING, dtype=np.int64)
        for place, (target, own) in enumerate(made):
            targets[place, : len(target), : len(target)] = target
            words[place, : len(own)] = own
        found = torch.from_numpy(words).to(device)
        return PlantedTrees(torch.from_numpy(targets).to(device), found[:, 1:], found[:, :-1])

    def tree(self, number: int, row: Ids) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The word of each token in the row of a sentence, and the head of each word but the beginning and the end."""
        heads = self._trees.heads[number].astype(np.int64)
        n_read = int((row != NOTHING).sum())
        return np.concatenate([[0], self._trees.words[number] + 1, [len(heads) + 1]])[:n_read], heads

    def _sentence(self, number: int, row: Ids) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """S of one sentence, and the word of each token of its row."""
        words, heads = self.tree(number, row)
        target = np.exp(-tree_distances(heads))
        there = np.isin(np.arange(len(target)), words)
        target *= np.tril(there[:, None] & there[None, :], -1)
        sums = target.sum(-1, keepdims=True)
        return np.divide(target, sums, out=np.zeros_like(target), where=sums > 0), words


def tree_distances(heads: NDArray[np.int64]) -> NDArray[np.float64]:
    """(words + 2, words + 2): edges between the words of a tree, the beginning (first) and the end (last) hanging on its root."""
    n = len(heads)
    root = int(np.flatnonzero(heads == ROOT)[0])
    # Of each, the number of what it hangs on, counted with the beginning; 0 of the root, since nothing hangs on the beginning.
    above = np.concatenate([[root], heads, [root]]) + 1
    # Row w: what lies on the way from w to the root, w among them. Two ways share what lies above where they meet.
    ways = np.zeros((n + 2, n + 2), dtype=np.int64)
    for word in range(n + 2):
        at = word
        ways[word, at] = 1
        while above[at]:
            at = int(above[at])
            ways[word, at] = 1
    depths = ways.sum(-1)
    distances: NDArray[np.float64] = (depths[:, None] + depths[None, :] - 2 * (ways @ ways.T)).astype(np.float64)
    return distances


def words_of_tokens(parse: Parse, spans: Sequence[tuple[int, int]]) -> list[int]:
    """The word of each token: the last one that has begun where the token's first character is that is not white space."""
    starts = [token.start for token in parse.tokens]
    found = []
    for start, end in spans:
        text = parse.text[start:end]
        at = start + len(text) - len(text.lstrip())
        found.append(max(0, int(np.searchsorted(starts, at, side="right")) - 1))
    return found


def plant_corpus(
    sentences: Iterable[str], tokenizer: Tokenizer, parser: Parser, *, parses: Parses, say: Callable[[str], None]
) -> SentenceTrees:
    """Parse every sentence. `say` is told how far that is; sentences that were parsed before are taken from `parses`.

    Raises `TrainingError` where a sentence gets no word.
    """
    raw: Any = tokenizer
    raw.encode_special_tokens = True
    words: list[list[int]] = []
    heads: list[list[int]] = []
    iterator = iter(sentences)
    while block := list(islice(iterator, _BLOCK)):
        found = parses(parser, block)
        for sentence, encoding in zip(block, raw.encode_batch(block, add_special_tokens=False), strict=True):
            parse = found[sentence]
            if not parse.tokens:
                raise TrainingError(
                    f"{parser.name} finds no word in the sentence {sentence!r}", hint="Take it out of the corpus."
                )
            words.append(words_of_tokens(parse, encoding.offsets))
            heads.append([token.head for token in parse.tokens])
        if len(words) % (40 * _BLOCK) == 0:
            say(f"{len(words):,} sentences parsed")
    return SentenceTrees(ragged(words), ragged(heads))


def save_trees(path: Path, trees: SentenceTrees) -> None:
    """Keep trees in a file, whole or not at all."""
    arrays: dict[str, Any] = {}
    for name in ("words", "heads"):
        part: Ragged = getattr(trees, name)
        arrays |= {f"{name}.ids": part.ids, f"{name}.starts": part.starts}
    with written_whole(path) as building, building.open("wb") as stream:
        np.savez(stream, **arrays)


def load_trees(path: Path) -> SentenceTrees:
    """What `save_trees` has kept. Raises `TrainingError` where the file is damaged."""
    try:
        with np.load(path, allow_pickle=False) as kept:
            return SentenceTrees(*(Ragged(kept[f"{name}.ids"], kept[f"{name}.starts"]) for name in ("words", "heads")))
    except (OSError, ValueError, KeyError, BadZipFile) as error:
        raise TrainingError(f"{path} cannot be read ({error})", hint="Delete it: it is made again from the corpus.") from None
