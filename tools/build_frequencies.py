"""Builds the table of unigram counts: ``python -m tools.build_frequencies CORPUS.txt.xz``.

The corpus is running text, one paragraph per line. Words are maximal runs of letters with inner apostrophes and hyphens,
case-folded; a possessive or contracted ``'s`` is cut off, since stimuli write it on names.
"""

from __future__ import annotations

import argparse
import io
import lzma
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TextIO

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_GENITIVE = re.compile(r"['’]s$")
_MINIMUM = 5


def count_words(lines: Iterable[str]) -> Counter[str]:
    """How often each word occurs in the lines."""
    counts: Counter[str] = Counter()
    for line in lines:
        counts.update(_GENITIVE.sub("", word.casefold()).replace("’", "'") for word in _WORD.findall(line))
    return counts


def table_text(counts: Counter[str], minimum: int, source: str) -> str:
    """The table as text: ``#`` lines of facts, then word and count, the most frequent first."""
    kept = sorted(((word, n) for word, n in counts.items() if n >= minimum), key=lambda entry: (-entry[1], entry[0]))
    head = [f"# source\t{source}", f"# total\t{counts.total()}", f"# minimum\t{minimum}"]
    return "\n".join([*head, *(f"{word}\t{n}" for word, n in kept)]) + "\n"


def _opened(corpus: Path) -> TextIO:
    if corpus.suffix == ".xz":
        return io.TextIOWrapper(lzma.LZMAFile(corpus), encoding="utf-8")
    return io.TextIOWrapper(io.BytesIO(corpus.read_bytes()), encoding="utf-8")


def main() -> None:
    """Read the corpus named on the command line and write the table beside this file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    corpus: Path = parser.parse_args().corpus
    with _opened(corpus) as lines:
        text = table_text(
            count_words(lines),
            _MINIMUM,
            "running English: CC0, public-domain and CC-BY texts, see SOURCES.tsv of the bundled model",
        )
    target = Path(__file__).parent.parent / "vetting" / "frequency" / "unigrams.tsv.xz"
    target.write_bytes(lzma.compress(text.encode("utf-8"), preset=9 | lzma.PRESET_EXTREME))


if __name__ == "__main__":
    main()
