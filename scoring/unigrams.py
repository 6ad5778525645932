"""How frequent each token of a model is by itself, which SLOR takes away: counted in the text that the model was trained on.

The unit of counting is the token of the model's own tokenizer: each line of the corpus is one text, special tokens are not
counted, and every token's count is raised by one (add-one), so that a token that the corpus lacks has a probability. The bundled
model ships with the counts of its own training text. For another model whose training text is not at hand, a table of English
word frequencies stands in: each word, with a space before it, is cut into the model's tokens. That is approximate, and said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import resources
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gapsmith.scoring.lm import BUNDLED, find_source, load_tokenizer
from gapsmith.templates import ConfigError, GapsmithError, Unigrams, file_sha256, packed_lines, text_sha256

if TYPE_CHECKING:
    from tokenizers import Tokenizer

    from gapsmith.bank import Scorer

_CHUNK = 2_000
BUNDLED_FILE = "unigrams.npz"
"""Beside the bundled model: counts by token number and the tokenizer's digest, by ``python -m tools.count_unigrams``."""


@dataclass(frozen=True)
class UnigramTable:
    """Counts of a model's tokens, and where they come from."""

    unigrams: Unigrams
    n_tokens: int
    source: str
    """What was counted, in words."""
    approximate: bool = False

    @property
    def note(self) -> str:
        """What a reader of SLOR has to know."""
        unit = f"{self.n_tokens:,} tokens of the model's own tokenizer, add-one"
        if self.approximate:
            return (
                f"SLOR is approximate: its unigram table is of {self.source}, not of the text that the model was trained on "
                f"({unit}); --unigram FILE (in Python unigram=FILE) counts that text."
            )
        return f"SLOR's unigram table is of {self.source} ({unit})."


@dataclass(frozen=True)
class FoundUnigrams:
    """What SLOR takes away under a scorer, for analyses and frames alike."""

    unigrams: Unigrams | str
    """Text says why there is no table, and every value is then undefined for that reason."""
    note: str = ""
    """What a reader of SLOR has to know; empty where its values say it."""
    doubtful: bool = False
    """Whether the table is a stand-in, or lacking."""


class UnigramTables:
    """What SLOR takes away under each scorer that is asked for, found once, with what a reader has to know of it.

    `words` gives how often English words occur, the stand-in for a training text that is not at hand. With a `corpus` (plain
    text, also .xz and .gz) its tokens are counted instead; `cache` is a folder for counts of corpora, by digests of tokenizer and
    corpus. What has to be known of a table is told when it is found; to
    `doubt` where it is a stand-in, or lacking."""

    def __init__(
        self,
        words: Callable[[], Mapping[str, int]],
        *,
        corpus: Path | None = None,
        cache: Path | None = None,
        tell: Callable[[str], None] = lambda _: None,
        doubt: Callable[[str], None] | None = None,
    ) -> None:
        self._words, self._corpus, self._cache = words, corpus, cache
        self._tell, self._doubt = tell, doubt or tell
        self._found: dict[int, FoundUnigrams] = {}

    def __call__(self, scorer: Scorer, /) -> Unigrams | str:
        """The table, or why there is none. Raises `ConfigError` where the corpus cannot be read."""
        if scorer.id not in self._found:
            found = self._find(scorer)
            self._found[scorer.id] = found
            if found.note:
                (self._doubt if found.doubtful else self._tell)(found.note)
        return self._found[scorer.id].unigrams

    @property
    def notes(self) -> tuple[str, ...]:
        """What has to be known of the tables."""
        return tuple(dict.fromkeys(found.note for found in self._found.values() if found.note))

    @property
    def doubts(self) -> tuple[str, ...]:
        """Those of the notes that say that a table is a stand-in, or lacking."""
        return tuple(dict.fromkeys(found.note for found in self._found.values() if found.note and found.doubtful))

    def _find(self, scorer: Scorer) -> FoundUnigrams:
        """The table, or why there is none: scores that were made elsewhere, a tokenizer out of reach."""
        _check_corpus(self._corpus)
        if scorer.is_table:
            return FoundUnigrams(
                f"SLOR needs the tokens of a model's tokenizer, and the scores of {scorer.model} were made elsewhere"
            )
        table = _shipped_table(scorer) if self._corpus is None else None
        if table is None:
            try:
                tokenizer = _tokenizer(scorer)
            except GapsmithError as error:
                # The other models of a frame, and the other contrasts of an analysis, have values all the same.
                said = f"SLOR has no unigram table for {scorer.model}: {error.message}"
                return FoundUnigrams(said, f"{said}. {error.hint}".removesuffix(". "), doubtful=True)
            table = self._counted(scorer, tokenizer)
        return FoundUnigrams(table.unigrams, table.note, table.approximate)

    def _counted(self, scorer: Scorer, tokenizer: Tokenizer) -> UnigramTable:
        digest = _tokenizer_digest(scorer)
        if self._corpus is not None:
            counts = _counted(self._corpus, tokenizer, digest, self._cache)
            return UnigramTable(Unigrams.from_counts(digest, counts), int(counts.sum()), self._corpus.name)
        counts = count_words(self._words(), tokenizer)
        source = "frequencies of English words, each cut into tokens"
        return UnigramTable(Unigrams.from_counts(digest, counts), int(counts.sum()), source, approximate=True)


def _shipped_table(scorer: Scorer) -> UnigramTable | None:
    """The table that came with the bundled model; None for another one."""
    shipped = _shipped()
    if not _is_bundled(scorer) or shipped["tokenizer"] != _tokenizer_digest(scorer):
        return None
    counts = shipped["counts"]
    assert isinstance(counts, np.ndarray)
    source = "the text that the bundled model was trained on"
    return UnigramTable(Unigrams.from_counts(_tokenizer_digest(scorer), counts), int(counts.sum()), source)


def count_lines(lines: Iterable[str], tokenizer: Tokenizer) -> NDArray[np.int64]:
    """(vocabulary,): how often each token occurs in the lines, each a text of its own."""
    counts = np.zeros(tokenizer.get_vocab_size(with_added_tokens=True), dtype=np.int64)
    stream = (line for line in (line.strip() for line in lines) if line)
    while chunk := list(islice(stream, _CHUNK)):
        for encoded in tokenizer.encode_batch(chunk, add_special_tokens=False):
            counts += np.bincount(encoded.ids, minlength=len(counts))
    return counts


def count_words(words: Mapping[str, int], tokenizer: Tokenizer) -> NDArray[np.int64]:
    """(vocabulary,): the tokens of each word behind a space, as often as the word occurs."""
    counts = np.zeros(tokenizer.get_vocab_size(with_added_tokens=True), dtype=np.int64)
    entries = list(words.items())
    for encoded, (_, number) in zip(
        tokenizer.encode_batch([f" {word}" for word, _ in entries], add_special_tokens=False), entries, strict=True
    ):
        np.add.at(counts, encoded.ids, number)
    return counts


def _shipped() -> dict[str, NDArray[np.int64] | str]:
    with (resources.files("gapsmith.scoring.bundled") / BUNDLED_FILE).open("rb") as stream, np.load(stream) as found:
        return {"counts": found["counts"].astype(np.int64), "tokenizer": str(found["tokenizer"])}


def _is_bundled(scorer: Scorer) -> bool:
    """Whether its weights are those of the bundled model, whatever it was called."""
    return scorer.identity.get("weights") == find_source(BUNDLED).weights


def _tokenizer_digest(scorer: Scorer) -> str:
    """What identifies its tokenizer."""
    return str(scorer.identity.get("tokenizer", ""))


def _tokenizer(scorer: Scorer) -> Tokenizer:
    source = find_source(scorer.model, revision=None if scorer.revision.startswith("sha256:") else scorer.revision)
    if _tokenizer_digest(scorer) not in ("", source.tokenizer):
        raise ConfigError(
            f"the tokenizer of {scorer.model} is not the one that scorer {scorer.id} was made with",
            hint="Score again with the files that are there now, or bring the older ones back.",
        )
    return load_tokenizer(source.directory)


def _check_corpus(corpus: Path | None) -> None:
    """Raises `ConfigError` where it is not there, so that nobody takes values for those of a corpus that was never read."""
    if corpus is not None and not corpus.is_file():
        raise ConfigError(f"{corpus}: there is no such file", hint="--unigram takes a text file, also .xz or .gz.")


def _counted(corpus: Path, tokenizer: Tokenizer, digest: str, cache: Path | None) -> NDArray[np.int64]:
    _check_corpus(corpus)
    key = text_sha256(f"{digest}\0{file_sha256(corpus)}")[:24]
    known = None if cache is None else cache / f"{key}.npy"
    if known is not None and known.is_file():
        stored: NDArray[np.int64] = np.load(known)
        return stored
    counts = count_lines(packed_lines(corpus), tokenizer)
    if not counts.any():
        raise ConfigError(f"{corpus}: there is no text to count", hint="The corpus of unigrams is a text file, also .xz or .gz.")
    if known is not None:
        known.parent.mkdir(parents=True, exist_ok=True)
        np.save(known, counts)
    return counts
