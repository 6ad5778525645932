"""Corpora as they lie on disk: plain text, also packed with xz or gzip, or a folder that `gapsmith train corpus` made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from gapsmith.templates import ConfigError, FormatError, expect_file, packed_lines, read_json, text_of
from gapsmith.training.sentences import split_sentences

Lines = Literal["paragraphs", "sentences"]
"""What a line of a file is. In a file of sentences, empty lines end paragraphs."""

MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True)
class CorpusFiles:
    """The files of a corpus and what is known of them."""

    train: tuple[Path, ...]
    valid: tuple[Path, ...]
    """Empty where nothing is set apart for validation."""
    lines: Lines
    manifests: tuple[dict[str, Any], ...] = ()
    """What `gapsmith train corpus` wrote of the folders among them."""


def find_corpus(named: Sequence[Path], valid: Sequence[Path] = (), *, lines: Lines = "paragraphs") -> CorpusFiles:
    """The files that `named` (files, or folders of `gapsmith train corpus`) stand for; `valid` are files for validation.

    Raises `ConfigError` for what is not there or is a pipe, or where folders and files that are not cut into the same lines are mixed.
    """
    train: list[Path] = []
    held_out = list(valid)
    manifests: list[dict[str, Any]] = []
    for path in named:
        if (path / MANIFEST).is_file():
            manifests.append(_manifest(path / MANIFEST))
            train.append(path / "train.txt")
            held_out += [path / "valid.txt"] if (path / "valid.txt").is_file() and not valid else []
        else:
            train.append(path)
    if manifests and len(manifests) < len(named) and lines != "sentences":
        raise ConfigError(
            "a folder of `gapsmith train corpus` has one sentence on a line, and the files beside it one paragraph",
            hint="Bring the files into the same form with `gapsmith train corpus`, or say --lines sentences if they have it.",
        )
    for path in (*train, *held_out):
        if path.exists():
            expect_file(path)
        if not path.is_file():
            what = f"a folder without {MANIFEST}" if path.is_dir() else "not there"
            raise ConfigError(f"the corpus {path} is {what}", hint="Give text files, or a folder of `gapsmith train corpus`.")
    return CorpusFiles(tuple(train), tuple(held_out), "sentences" if manifests else lines, tuple(manifests))


def _manifest(path: Path) -> dict[str, Any]:
    try:
        content: Any = read_json(text_of(path, "utf-8"))
    except (OSError, ValueError) as error:
        raise FormatError(f"{path}: cannot be read as JSON ({error})") from None
    if not isinstance(content, dict):
        raise FormatError(f"{path}: is not the manifest of a corpus", hint="Make it again with `gapsmith train corpus`.")
    return content


def paragraphs(path: Path, lines: Lines) -> Iterator[list[str]]:
    """The paragraphs of a file as lists of sentences; none is empty."""
    if lines == "paragraphs":
        for line in packed_lines(path):
            sentences = split_sentences(line)
            if sentences:
                yield sentences
        return
    gathered: list[str] = []
    for line in packed_lines(path):
        sentence = " ".join(line.split())
        if sentence:
            gathered.append(sentence)
        elif gathered:
            yield gathered
            gathered = []
    if gathered:
        yield gathered
