"""The shipped table of unigram counts."""

from __future__ import annotations

import lzma
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

_FILE = "unigrams.tsv.xz"
_RARE = "rare_words.txt.xz"


@dataclass(frozen=True)
class Frequencies:
    """Case-folded words and how often they occur among `total` words of running text.

    Words below `minimum` occurrences are not in the table."""

    counts: Mapping[str, int]
    total: int
    minimum: int

    def log_per_million(self, word: str) -> float | None:
        """log10 of the occurrences per million words; None for a word that is not in the table."""
        count = self.counts.get(word.casefold())
        return math.log10(count * 1e6 / self.total) if count is not None else None


@lru_cache(maxsize=1)
def load_frequencies() -> Frequencies:
    """The table that comes with gapsmith, built by `tools.build_frequencies`."""
    data = (resources.files("gapsmith.vetting.frequency") / _FILE).read_bytes()
    lines = lzma.decompress(data).decode("utf-8").splitlines()
    header = dict(line[2:].split("\t") for line in lines if line.startswith("# "))
    counts = {word: int(count) for word, count in (line.split("\t") for line in lines if not line.startswith("#"))}
    return Frequencies(counts, int(header["total"]), int(header["minimum"]))


@lru_cache(maxsize=1)
def load_rare_words() -> frozenset[str]:
    """Words in small letters that the same corpus has, too rarely for the table: that they exist, and nothing else
    (`tools.build_rare_words`)."""
    data = (resources.files("gapsmith.vetting.frequency") / _RARE).read_bytes()
    return frozenset(line for line in lzma.decompress(data).decode("utf-8").splitlines() if not line.startswith("#"))
