"""Builds the list of words that two corpora share: ``python -m tools.build_common_words FOLDER``.

The folder holds ``train.txt.xz``, running text whose sources are separated by blank lines, and ``SOURCES.tsv``, which names
them in the same order. One corpus is its children's stories and sentences for learners, the other its novels. A word is kept
that is among the 5,000 most frequent of both; and an inflected form among the 10,000 most frequent of both, if its base form is
kept. A possessive or contracted *'s* is cut off before words are counted.
"""

from __future__ import annotations

import argparse
import lzma
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from gapsmith.templates import load_dictionary
from tools.build_frequencies import count_words

_PLAIN = ("african-storybook", "pratham-books", "tatoeba-en", "common-voice-sentences")
_NOVELS = ("se_", "eltec_")
_TOP, _TOP_FORMS = 5_000, 10_000
_TARGET = Path(__file__).parent.parent / "vetting" / "frequency" / "common_words.txt"


def common_words(plain: Counter[str], novels: Counter[str]) -> list[str]:
    """The words that both share, in alphabetical order."""
    both, forms = (_top(plain, n) & _top(novels, n) for n in (_TOP, _TOP_FORMS))
    return sorted(both | {form for base, form in _inflected() if base in both and form in forms})


def _top(counts: Counter[str], n: int) -> set[str]:
    return {word for word, _ in counts.most_common(n)}


def _inflected() -> Iterator[tuple[str, str]]:
    table = load_dictionary()
    for verb, kinds in table.verbs.items():
        yield from ((verb, form) for forms in kinds for form in forms)
    for noun, plurals in table.nouns.items():
        yield from ((noun, plural) for plural in plurals)


def main() -> None:
    """Read the folder named on the command line and write the list."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    lines = (folder / "SOURCES.tsv").read_text(encoding="utf-8").splitlines()[1:]
    names = iter(line.split("\t")[0] for line in lines)
    counts = {_PLAIN: Counter[str](), _NOVELS: Counter[str]()}
    name = next(names)
    with lzma.open(folder / "train.txt.xz", "rt", encoding="utf-8") as corpus:
        for line in corpus:
            if not line.strip():
                name = next(names)
            for prefixes, counted in counts.items():
                if name.startswith(prefixes):
                    counted.update(count_words([line]))
    words = common_words(counts[_PLAIN], counts[_NOVELS])
    head = (
        f"# Words among the {_TOP:,} most frequent of children's stories and sentences for learners "
        f"({counts[_PLAIN].total():,} words) and of novels ({counts[_NOVELS].total():,});\n"
        f"# inflected forms of these among the {_TOP_FORMS:,} most frequent. Built by tools.build_common_words.\n"
    )
    _TARGET.write_text(head + "\n".join(words) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
