"""A corpus from several sources: so many words of each, in stretches chosen at random, with a manifest of where they are from."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any

from gapsmith.templates import VERSION, ConfigError, FormatError, file_sha256, packed_lines
from gapsmith.training.checkpoints import write_whole
from gapsmith.training.corpus.filtering import CorpusFilter, Filters
from gapsmith.training.corpus.readers import Document, files_of, read_documents
from gapsmith.training.corpus.recipe import CorpusSource, Recipe
from gapsmith.training.errors import TrainingError
from gapsmith.training.text import MANIFEST

STRETCH = 500
"""Words that are taken together, so that sentences keep their neighbours."""

_BLOCK = 1000
"""Sentences that are looked at, and parsed, at once."""
_LONGEST = 1000
"""A sentence of more words than this has no end that anybody can see."""
TAKEN_OUT = "taken-out.tsv"
"""A line for each sentence that stays out: the filter, a tab, the sentence."""
_NOTHING: Mapping[str, float] = MappingProxyType({})


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
    filtered_by: dict[str, int] = field(default_factory=dict)
    """How many of them each filter took first."""
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
    filters: Filters | None = None,
    put_back: Mapping[str, float] = _NOTHING,
    say: Callable[[str], None] | None = None,
) -> list[MixedSource]:
    """Write ``train.txt``, ``valid.txt`` and ``manifest.json`` into the new folder `out`.

    A line is a sentence, an empty line ends a paragraph. Of every source as many words as the recipe says are taken, to the
    sentence, in stretches of some 500 words chosen with `seed`, and a further `valid_share` of that for validation.

    What `filters` take stays out and is listed in ``taken-out.tsv``. `put_back` is the share of all sentences of the training text that
    are replaced, each where it stands, by sentences that the filter of that name has taken: drawn with `seed`, so that the text differs
    in these alone from the one without, and has as many sentences. The manifest lists them.

    Raises `ConfigError` where `out` is there already, a source has too few words or a filter has taken too few sentences, and
    `FormatError` for files that cannot be read, or filtered because they have no ends of sentences.
    """
    for name in put_back:
        if filters is None or name not in [own.name for own in filters.of]:
            raise ConfigError(f"{name} is put back, and no filter of that name takes anything out", hint=f"Add --filter {name}.")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise ConfigError(f"{out} is there already", hint="Choose another --out; a corpus is never written over.")
    with write_whole(out) as folder:
        mixed: list[MixedSource] = []
        with ExitStack() as files:
            train, valid = (files.enter_context((folder / name).open("wb")) for name in ("train.txt", "valid.txt"))
            taken = files.enter_context((folder / TAKEN_OUT).open("w", encoding="utf-8")) if filters is not None else None
            for number, source in enumerate(recipe.source):
                spool = folder / "spool"
                if say is not None:
                    say(f"reading {source.name}")
                with spool.open("w+b") as stream:
                    made, stretches = _gather(source, stream, filters, taken)
                    rng = random.Random(f"{seed}/{number}")
                    _choose(source, made, stretches, stream, train, valid, rng, valid_share)
                spool.unlink()
                mixed.append(made)
                if say is not None:
                    say(f"{source.name}: {made.words:,} of {made.available:,} words taken")
        replaced = _put_back(folder, put_back, seed)
        if say is not None:
            for name, share in put_back.items():
                n = sum(entry["filter"] == name for entry in replaced)
                say(f"{name}: {n:,} sentences put back ({share:.2%})" + ("" if n else "; the text is too short for one"))
        manifest = {
            "made_with": f"gapsmith {VERSION}",
            "recipe": recipe.name,
            "scale": recipe.scale,
            "seed": seed,
            "valid_share": valid_share,
            "filters": [] if filters is None else [_told(one, mixed) for one in filters.of],
            "parser": None if filters is None else filters.parser.identity,
            "parser_name": None if filters is None else filters.parser.name,
            "put_back": replaced,
            "sources": [made.as_data() for made in mixed],
            "sha256": {file.name: file_sha256(file) for file in sorted(folder.iterdir())},
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


def _gather(
    source: CorpusSource, spool: IO[bytes], filters: Filters | None, taken: IO[str] | None
) -> tuple[MixedSource, list[_Stretch]]:
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
            for paragraphs in _stretches(_filtered(file, document, filters, made, taken)):
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


def _filtered(
    file: Path, document: Document, filters: Filters | None, made: MixedSource, taken: IO[str] | None
) -> Iterator[list[str]]:
    """The paragraphs of a document without the sentences that a filter keeps out; these are written to `taken`."""
    if filters is None or taken is None:
        yield from document.paragraphs
        return
    numbered = ((n, sentence) for n, paragraph in enumerate(document.paragraphs) for sentence in paragraph)
    kept: list[list[str]] = [[] for _ in document.paragraphs]
    while block := list(islice(numbered, _BLOCK)):
        for _, sentence in block:
            if len(words := sentence.split()) > _LONGEST:
                raise FormatError(
                    f"{file}: {len(words):,} words from “{' '.join(words[:6])} …” have no end of a sentence, so that nothing can be"
                    " filtered out of them",
                    hint='Give the text with full stops, or with a sentence on each line and format = "sentences".',
                )
        for (n, sentence), name in zip(block, filters.taken([sentence for _, sentence in block]), strict=True):
            if name is None:
                kept[n].append(sentence)
            else:
                made.filtered += 1
                made.filtered_by[name] = made.filtered_by.get(name, 0) + 1
                taken.write(f"{name}\t{' '.join(sentence.split())}\n")
    yield from (paragraph for paragraph in kept if paragraph)


def _told(one: CorpusFilter, mixed: Sequence[MixedSource]) -> dict[str, Any]:
    taken = sum(source.filtered_by.get(one.name, 0) for source in mixed)
    return {"name": one.name, "sha256": one.digest, "taken_out": taken}


def _put_back(folder: Path, shares: Mapping[str, float], seed: int) -> list[dict[str, Any]]:
    """Replace sentences of ``train.txt`` by some that were taken out, and list them: filter, line, sentence, instead of what."""
    if not shares:
        return []
    with (folder / "train.txt").open(encoding="utf-8") as stream:
        places = [number for number, line in enumerate(stream) if line.strip()]
    chosen: dict[int, tuple[str, str]] = {}
    rng = random.Random(f"{seed}/put back")
    for name, share in sorted(shares.items()):
        with (folder / TAKEN_OUT).open(encoding="utf-8") as stream:
            there = [line.rstrip("\n").partition("\t")[2] for line in stream if line.startswith(f"{name}\t")]
        n = round(share * len(places))
        if len(there) < n:
            raise ConfigError(
                f"{name} took {len(there):,} sentences out, and {n:,} are to be put back ({share:.2%} of {len(places):,})",
                hint=f"Give more text, or a filter file of your own with put_back = {len(there) / len(places):.4f} or less.",
            )
        free = [place for place in places if place not in chosen]
        chosen |= {place: (name, sentence) for place, sentence in zip(rng.sample(free, n), rng.sample(there, n), strict=True)}
    listed = []
    before = (folder / "train.txt").rename(folder / "before")
    with before.open(encoding="utf-8") as stream, (folder / "train.txt").open("w", encoding="utf-8") as out:
        for number, line in enumerate(stream):
            if number in chosen:
                name, sentence = chosen[number]
                listed.append({"filter": name, "line": number + 1, "sentence": sentence, "instead_of": line.rstrip("\n")})
                line = f"{sentence}\n"
            out.write(line)
    before.unlink()
    return listed


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
