"""The two corpora that stand in for those of POSH-BENCH: ``python -m tools.stand_ins CORPUS`` writes ``training/stand_ins``.

CORPUS is a folder with ``train.txt.xz`` (a paragraph a line, documents between empty lines), ``SOURCES.tsv`` (source, licence, words, in the
order of the documents) and ``STORY_ATTRIBUTION.tsv``. Child-like: the African Storybook, Pratham Books, *The Wonderful Wizard of Oz* and the
beginning of *The Railway Children*. Expository: a textbook of OpenStax and State of the Union addresses. Each is cut to its words, at the
end of a sentence; a line is a sentence, an empty line ends a document. The same folder gives the same bytes.
"""

from __future__ import annotations

import csv
import lzma
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from gapsmith.templates import packed_lines
from gapsmith.training.sentences import split_sentences

WORDS = 255_000
"""A little over 250,000, so that a corpus of that size has text left for validation."""
OUT = Path(__file__).resolve().parent.parent / "training" / "stand_ins"
STAND_INS: Mapping[str, tuple[str, ...]] = {
    "child": (
        "african-storybook",
        "pratham-books",
        "se_l-frank-baum_the-wonderful-wizard-of-oz",
        "se_e-nesbit_the-railway-children",
    ),
    "expository": ("openstax_college-success", "state-of-the-union"),
}
"""Name to the documents that it is made of, in order."""


def main() -> None:
    """Write both, with where they are from."""
    corpus = Path(sys.argv[1])
    with (corpus / "SOURCES.tsv").open(encoding="utf-8", newline="") as stream:
        sources = {row["source"]: row for row in csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)}
    wanted = {document for documents in STAND_INS.values() for document in documents}
    found = dict(document for document in _documents(corpus, list(sources)) if document[0] in wanted)
    for name, documents in STAND_INS.items():
        folder = OUT / name
        folder.mkdir(parents=True, exist_ok=True)
        left = WORDS
        parts: list[list[str]] = []
        rows: list[tuple[str, str, str, int]] = []
        for document in documents:
            own: list[str] = []
            words = 0
            for sentence in found[document]:
                if words >= left:
                    break
                own.append(sentence)
                words += len(sentence.split())
            left -= words
            parts.append(own)
            rows.append((document, sources[document]["repo"], sources[document]["licence"], words))
        text = "\n".join("".join(f"{sentence}\n" for sentence in part) for part in parts)
        (folder / "text.txt.xz").write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))
        _table(folder / "SOURCES.tsv", ("source", "from", "licence", "words"), rows)
        print(f"{name}: {WORDS - left:,} words, {sum(len(part) for part in parts):,} sentences")
    stories = [line for line in (corpus / "STORY_ATTRIBUTION.tsv").read_text(encoding="utf-8").splitlines() if line]
    (OUT / "child" / "STORIES.tsv").write_text("\n".join(stories) + "\n", encoding="utf-8")


def _documents(corpus: Path, names: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Name and sentences of each document."""
    number = 0
    sentences: list[str] = []
    for line in packed_lines(corpus / "train.txt.xz"):
        if line.strip():
            sentences += split_sentences(line)
        elif sentences:
            yield names[number], sentences
            number, sentences = number + 1, []
    if sentences:
        yield names[number], sentences


def _table(path: Path, columns: tuple[str, ...], rows: list[tuple[str, str, str, int]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_NONE, escapechar="\\")
        writer.writerow(columns)
        writer.writerows(rows)


if __name__ == "__main__":
    main()
