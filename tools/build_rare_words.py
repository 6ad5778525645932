"""Builds the list of words that the corpus has, but too rarely for the table of frequencies: ``python -m tools.build_rare_words CORPUS.txt.xz``.

A word counts where it stands in small letters (so that names stay out) at least `LEAST` times, has four letters or more, and is neither in
the table of frequencies nor in the dictionary. The list says that a word exists, and nothing else.
"""

from __future__ import annotations

import argparse
import lzma
import re
from collections import Counter
from pathlib import Path

from gapsmith.templates import load_dictionary
from gapsmith.vetting.frequency import load_frequencies

LEAST = 1
"""A misprint among them costs little: the list only keeps a rule from saying that a word does not exist."""
_TARGET = Path(__file__).parents[1] / "vetting" / "frequency" / "rare_words.txt.xz"
_WORD = re.compile(r"(?<![\w'’-])[a-z]{4,}(?![\w'’-])")


def rare_words(lines: list[str], known: frozenset[str], least: int = LEAST) -> list[str]:
    """The words in small letters that occur often enough and are not known, in alphabetical order."""
    counts: Counter[str] = Counter()
    for line in lines:
        counts.update(_WORD.findall(line))
    return sorted(word for word, count in counts.items() if count >= least and word not in known)


def main() -> None:
    """Read the corpus and write the list."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path, help="one paragraph a line, under xz")
    chosen = parser.parse_args()
    known = frozenset(load_dictionary().forms) | load_frequencies().counts.keys()
    with lzma.open(chosen.corpus, "rt", encoding="utf-8") as stream:
        found = rare_words(stream.readlines(), known)
    head = "# Words of running English (the corpus of unigrams.tsv.xz) that are in no other table.\n"
    _TARGET.write_bytes(lzma.compress((head + "\n".join(found) + "\n").encode(), preset=9 | lzma.PRESET_EXTREME))
    print(f"{len(found):,} words, {_TARGET.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
