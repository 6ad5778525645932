"""A corpus from several sources: so many words of each, in stretches chosen at random, with a manifest of where they are from."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path
from typing import IO, Any, Generic, TypeVar

from gapsmith.templates import VERSION, ConfigError, file_sha256, packed_lines
from gapsmith.training.checkpoints import write_whole
from gapsmith.training.corpus.readers import Document, files_of, read_documents
from gapsmith.training.corpus.recipe import CorpusSource, Recipe
from gapsmith.training.errors import TrainingError
from gapsmith.training.text import MANIFEST

Parse = TypeVar("Parse")

STRETCH = 500
"""Words that are taken together, so that sentences keep their neighbours."""

_BLOCK = 1000
"""Sentences that are parsed at once."""


@dataclass(frozen=True, slots=True)
class SentenceFilter(Generic[Parse]):
    """Which sentences stay out of a corpus: a function of the parsed sentence.

    The parser is handed in with it, so that this room needs none; sentences are parsed a thousand at a time.
    """

    name: str
    """As the manifest calls it."""
    parse: Callable[[Sequence[str]], Iterable[Parse]]
    """One parse per sentence, in order."""
    keep: Callable[[Parse], bool]


@dataclass(slots=True)
class MixedSource:
    """What was taken from a source."""

    name: str
    format: str
    licence: str
    words: int = 0
    """In the training text."""
    valid_words: int = 0
    sentences: int = 0
    available: int = 0
    """Words there were to choose from."""
    filtered: int = 0
    """Sentences that the filters kept out."""
    files: list[dict[str, str]] = field(default_factory=list)
    """Name and SHA-256 of every file that was read."""
    documents: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Of sources that list their documents: words taken and licence, by name."""

    def as_data(self) -> dict[str, Any]:
        """As the manifest has it."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


def mix_corpus(
    recipe: Recipe,
    out: Path,
    *,
    seed: int = 1,
    valid_share: float = 0.01,
    filters: Sequence[SentenceFilter[Any]] = (),
    say: Callable[[str], None] | None = None,
) -> list[MixedSource]:
    """Write ``train.txt``, ``valid.txt`` and ``manifest.json`` into the new folder `out`.

    A line is a sentence, an empty line ends a paragraph. Of every source as many words as the recipe says are taken, to the
    sentence, in stretches of some 500 words chosen with `seed`, and a further `valid_share` of that for validation. Raises
    `ConfigError` where `out` is there already or a source has too few words, and `FormatError` for files that cannot be read.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise ConfigError(f"{out} is there already", hint="Choose another --out; a corpus is never written over.")
    with write_whole(out) as folder:
        mixed: list[MixedSource] = []
        with (folder / "train.txt").open("wb") as train, (folder / "valid.txt").open("wb") as valid:
            for number, source in enumerate(recipe.source):
                spool = folder / "spool"
                if say is not None:
                    say(f"reading {source.name}")
                with spool.open("w+b") as stream:
                    made, stretches = _gather(source, stream, filters)
                    rng = random.Random(f"{seed}/{number}")
                    _choose(source, made, stretches, stream, train, valid, rng, valid_share)
                spool.unlink()
                mixed.append(made)
                if say is not None:
                    say(f"{source.name}: {made.words:,} of {made.available:,} words taken")
        manifest = {
            "made_with": f"gapsmith {VERSION}",
            "seed": seed,
            "valid_share": valid_share,
            "filters": [one.name for one in filters],
            "sources": [made.as_data() for made in mixed],
            "sha256": {name: file_sha256(folder / name) for name in ("train.txt", "valid.txt")},
        }
        (folder / MANIFEST).write_text(json.dumps(manifest, indent=1, ensure_ascii=False), encoding="utf-8")
    return mixed


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Neighbouring sentences of a document in the spool."""

    start: int
    size: int
    words: int
    document: str


def _gather(source: CorpusSource, spool: IO[bytes], filters: Sequence[SentenceFilter[Any]]) -> tuple[MixedSource, list[_Stretch]]:
    """Write all sentences of a source into `spool`, the way they stand in a corpus, and say where its stretches are."""
    made = MixedSource(source.name, source.format, source.licence)
    stretches: list[_Stretch] = []
    for file in files_of(Path(source.path).expanduser(), source.format):
        made.files.append({"name": file.name, "sha256": file_sha256(file)})
        listed = _documents_listed(file)
        n_documents = 0
        for document in read_documents(file, source.format):
            name = ""
            if listed:
                n_documents = document.number
                if n_documents > len(listed):
                    break
                name, licence = listed[document.number - 1]
                if source.documents and not any(fnmatchcase(name, pattern) for pattern in source.documents):
                    continue
                made.documents[name] = {"words": 0, "licence": licence}
            elif source.documents:
                raise ConfigError(
                    f"the source {source.name} asks for documents by name, but there is no SOURCES.tsv beside {file}",
                    hint="Take `documents` out of the recipe.",
                )
            for paragraphs in _stretches(_filtered(document, filters, made)):
                start = spool.tell()
                text = "\n".join("".join(f"{sentence}\n" for sentence in paragraph) for paragraph in paragraphs) + "\n"
                spool.write(text.encode())
                words = sum(len(sentence.split()) for paragraph in paragraphs for sentence in paragraph)
                stretches.append(_Stretch(start, spool.tell() - start, words, name))
                made.available += words
        if n_documents != len(listed):
            raise ConfigError(
                f"SOURCES.tsv beside {file} lists {len(listed)} documents, the file has "
                f"{n_documents if n_documents < len(listed) else 'more'}",
                hint="Take SOURCES.tsv away, or bring it up to date.",
            )
    return made, stretches


def _documents_listed(file: Path) -> list[tuple[str, str]]:
    """Name and licence per document of a file, where a SOURCES.tsv lies beside it (columns source, licence)."""
    table = file.parent / "SOURCES.tsv"
    if not table.is_file():
        return []
    rows = list(csv.DictReader(packed_lines(table), delimiter="\t", quoting=csv.QUOTE_NONE))
    if not rows or not {"source", "licence"} <= set(rows[0]):
        raise ConfigError(f"{table} has no columns source and licence", hint="Take it away, or name its columns so.")
    return [(row["source"] or "", row["licence"] or "") for row in rows]


def _filtered(document: Document, filters: Sequence[SentenceFilter[Any]], made: MixedSource) -> Iterator[list[str]]:
    """The paragraphs of a document without the sentences that a filter keeps out."""
    if not filters:
        yield from document.paragraphs
        return
    numbered = ((n, sentence) for n, paragraph in enumerate(document.paragraphs) for sentence in paragraph)
    kept: list[list[str]] = [[] for _ in document.paragraphs]
    while block := list(islice(numbered, _BLOCK)):
        good = [True] * len(block)
        for one in filters:
            parses = one.parse([sentence for _, sentence in block])
            good = [so_far and one.keep(parse) for so_far, parse in zip(good, parses, strict=True)]
        made.filtered += good.count(False)
        for (n, sentence), stays in zip(block, good, strict=True):
            if stays:
                kept[n].append(sentence)
    yield from (paragraph for paragraph in kept if paragraph)


def _stretches(paragraphs: Iterable[list[str]]) -> Iterator[list[list[str]]]:
    """Paragraphs in groups of about `STRETCH` words; a longer paragraph is cut between sentences."""
    group: list[list[str]] = []
    words = 0
    for paragraph in paragraphs:
        group.append([])
        for sentence in paragraph:
            if words >= STRETCH:
                yield [part for part in group if part]
                group, words = [[]], 0
            group[-1].append(sentence)
            words += len(sentence.split())
    if words:
        yield [part for part in group if part]


def _choose(
    source: CorpusSource,
    made: MixedSource,
    stretches: Sequence[_Stretch],
    spool: IO[bytes],
    train: IO[bytes],
    valid: IO[bytes],
    rng: random.Random,
    valid_share: float,
) -> None:
    """Copy stretches chosen at random, in the order they stand in, until both texts have their words."""
    wanted = round(source.words * valid_share)
    if made.available < source.words + wanted:
        raise TrainingError(
            f"{source.name} has {made.available:,} words, and {source.words + wanted:,} are asked for",
            hint="Give more files, lower its words in the recipe, or make a smaller corpus with --scale.",
        )
    order = list(range(len(stretches)))
    rng.shuffle(order)
    rest = iter(order)
    for target, goal, training in ((valid, wanted, False), (train, source.words, True)):
        chosen: list[int] = []
        total = 0
        while total < goal:
            number = next(rest, None)
            if number is None:
                break
            chosen.append(number)
            total += stretches[number].words
        # What is over is cut off the stretch that was chosen last.
        spare = total - goal
        for number in sorted(chosen):
            stretch = stretches[number]
            keep = stretch.words - spare if number == chosen[-1] else stretch.words
            spool.seek(stretch.start)
            words, sentences = _copy(spool.read(stretch.size).decode(), target, keep)
            if training:
                made.words += words
                made.sentences += sentences
                if stretch.document:
                    made.documents[stretch.document]["words"] += words
            else:
                made.valid_words += words
    made.documents = {name: entry for name, entry in made.documents.items() if entry["words"]}


def _copy(text: str, target: IO[bytes], keep: int) -> tuple[int, int]:
    """Write the sentences of a stretch until `keep` words are reached; how many words and sentences that were."""
    words = sentences = 0
    lines: list[str] = []
    for line in text.split("\n"):
        if words >= keep:
            break
        lines.append(line)
        if line:
            words += len(line.split())
            sentences += 1
    target.write(("\n".join(lines).rstrip("\n") + "\n\n").encode())
    return words, sentences
