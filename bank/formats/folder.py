"""A folder whose files are one set of items: a text for each condition or item, or tables with the same columns. Composed as one table, or
as the lines of one text; a folder whose files do not say by themselves how they belong together is refused with a command for each file."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from gapsmith.bank.formats.headings import roles_of
from gapsmith.bank.formats.likeness import shared_within
from gapsmith.templates import bytes_of

_TEXTS = frozenset({".txt", ""})
_TABLES = {".csv": ",", ".tsv": "\t"}
HOLDING = frozenset(
    {
        ".csv",
        ".tsv",
        ".txt",
        ".json",
        ".jsonl",
        ".xlsx",
        ".tex",
        ".md",
        ".html",
        ".htm",
        ".yaml",
        ".yml",
        ".xml",
        ".js",
        ".toml",
        ".r",
    }
)
"""Suffixes of files that may hold items."""
_ABOUT = (".", "readme", "license", "licence", "changelog")
_MOST = 500
"""Folders of more files are no set of items."""
_LABELLED = re.compile(r"(?P<label>[^\s:=\t][^:=\t]{0,40}?)\s*(?::\s|[=\t])\s*(?P<text>\S+\s.*\S)")
_LIST = re.compile(r"(?:.*[\W_])?(?:list|liste|lst)[\W_]?\w{1,2}", re.IGNORECASE)
SHARED, APART = 0.35, 1.5
"""So many words the lines of a number share, and so many times what the lines of a file share, where the files are conditions; the other way
round where they are items."""


@dataclass(frozen=True, slots=True)
class Composed:
    """The files of a folder as one text."""

    raw: bytes
    suffix: str
    places: tuple[str, ...]
    """Where each line stands, in words."""
    how: str
    is_assumed: bool = False
    """Whether only the words of the sentences say that it is so."""


class FolderError(ValueError):
    """Files that do not say how they belong together; the text is why, and `alike` are those that would, without the others."""

    def __init__(self, why: str, alike: Sequence[Path] = ()) -> None:
        super().__init__(why)
        self.alike = tuple(alike)


def files_in(path: Path) -> list[Path]:
    """The files of a folder that may hold items, by name; without what is about them."""
    return sorted(
        (
            own
            for own in path.iterdir()
            if own.is_file() and own.suffix.casefold() in HOLDING and not own.name.casefold().startswith(_ABOUT)
        ),
        key=lambda own: [(int(part) if part.isdecimal() else 0, part) for part in re.split(r"(\d+)", own.name)],
    )


def composed(files: Sequence[Path]) -> Composed:
    """The files as one. Raises `FolderError`, and `OSError` where one cannot be read."""
    suffixes = {file.suffix.casefold() for file in files}
    if not 2 <= len(files) <= _MOST or len(suffixes) != 1:
        raise FolderError("its files are of several kinds" if len(suffixes) > 1 else f"it has {len(files)} files")
    (suffix,) = suffixes
    if suffix not in _TEXTS and suffix not in _TABLES:
        raise FolderError(f"it has {len(files)} files of the kind {suffix}")
    if suffix in _TEXTS and all(_LIST.fullmatch(file.stem) for file in files):
        raise FolderError("its files are called as lists of an experiment are")
    texts: list[str] = []
    for file in files:
        try:
            texts.append(bytes_of(file).decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n"))
        except UnicodeDecodeError:
            raise FolderError(f"{file.name} is not UTF-8 text") from None
    return _tables(files, texts, _TABLES[suffix]) if suffix in _TABLES else _texts(files, texts)


def _tables(files: Sequence[Path], texts: Sequence[str], delimiter: str) -> Composed:
    """Tables with the same columns, none of which says the condition: that is the file's name."""
    try:
        tables = [
            [(rows.line_num, row) for row in rows if any(map(str.strip, row))]
            for rows in (csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True) for text in texts)
        ]
    except csv.Error:
        raise FolderError("a table in it has broken quotation marks") from None
    heads = {tuple(map(str.strip, table[0][1])) for table in tables if table}
    if len(heads) != 1 or any(len(table) < 2 for table in tables):
        raise FolderError("its tables have other columns each")
    (head,) = heads
    found = roles_of(head)
    if {"item", "condition", "sentence"} <= set(found):
        return _lists(files, tables, head, (found["item"], found["condition"]))
    if all(_LIST.fullmatch(file.stem) for file in files):
        raise FolderError("its files are called as lists of an experiment are")
    if "sentence" not in found or "condition" in found or "item" not in found or "condition" in map(str.casefold, head):
        raise FolderError("its tables are complete each, or do not say what their items are")
    items = [{row[found["item"]].strip() for _, row in table[1:] if len(row) > found["item"]} for table in tables]
    if any(own != items[0] for own in items) or any(len(own) != len(table) - 1 for own, table in zip(items, tables, strict=True)):
        raise FolderError("its tables have other items each, so that none is a condition of the others' items")
    rows = [[*head, "condition"]]
    places = ["the headings"]
    for file, table in zip(files, tables, strict=True):
        for line, row in table[1:]:
            if len(row) != len(head):
                raise FolderError(f"{file.name}, line {line}, has {len(row)} cells under {len(head)} headings")
            rows.append([*row, file.stem])
            places.append(f"{file.name}, line {line}")
    return _as_table(rows, places, f"the tables {_named(files)} of a folder, the name of each as the condition")


def _lists(
    files: Sequence[Path], tables: Sequence[Sequence[tuple[int, list[str]]]], head: tuple[str, ...], key: tuple[int, int]
) -> Composed:
    """Tables of items and conditions that share none, as the lists of an experiment do: one table, with the name of each in a column."""
    seen: dict[tuple[str, str], Path] = {}
    rows, places = [[*head, "file"]], ["the headings"]
    for file, table in zip(files, tables, strict=True):
        for line, row in table[1:]:
            if len(row) != len(head):
                raise FolderError(f"{file.name}, line {line}, has {len(row)} cells under {len(head)} headings")
            own = (row[key[0]].strip(), row[key[1]].strip())
            if seen.setdefault(own, file) is not file:
                raise FolderError(f"item {own[0]}, {own[1]}, is in {seen[own].name} and in {file.name}")
            rows.append([*row, file.stem])
            places.append(f"{file.name}, line {line}")
    return _as_table(rows, places, f"the tables {_named(files)} of a folder below each other; the column file names them")


def _texts(files: Sequence[Path], texts: Sequence[str]) -> Composed:
    lines = [[(n, line.strip()) for n, line in enumerate(text.split("\n"), 1) if line.strip()] for text in texts]
    if (kept := _with_places(texts)) is not None:
        lines = kept
    if len(files) < 2:
        raise FolderError(f"it has {len(files)} file")
    if any(not own for own in lines):
        raise FolderError(f"{files[next(n for n, own in enumerate(lines) if not own)].name} is empty")
    labelled = [[_LABELLED.fullmatch(line) for _, line in own] for own in lines]
    labels = [[match["label"] for match in own if match] for own in labelled]
    if all(all(own) for own in labelled) and len(labels[0]) > 1 and all(sorted(set(own)) == sorted(labels[0]) for own in labels):
        rows, places = [["item", "condition", "sentence"]], ["the headings"]
        for file, own, matches in zip(files, lines, labelled, strict=True):
            for (n, _), match in zip(own, matches, strict=True):
                if match:
                    rows.append([file.stem, match["label"], match["text"]])
                    places.append(f"{file.name}, line {n}")
        return _as_table(rows, places, f"the texts {_named(files)} of a folder, an item each")
    if len({len(own) for own in lines}) > 1:
        raise _of_other_lengths(files, texts)
    count = len(lines[0])
    texts_of = [[line for _, line in own] for own in lines]
    of_number = shared_within([[line for line in one if line] for one in zip(*texts_of, strict=True)])
    of_file = shared_within([[line for line in own if line] for own in texts_of])
    if count > 1 and of_number >= SHARED and of_number >= APART * of_file:
        rows, places = [["item", "condition", "sentence"]], ["the headings"]
        for file, own in zip(files, lines, strict=True):
            for number, (n, line) in enumerate(own, 1):
                if not line:
                    continue  # it holds the place of a sentence that is not there
                rows.append([str(number), file.stem, line])
                places.append(f"{file.name}, line {n}")
        said = f"the texts {_named(files)} of a folder, each a condition; sentences of a number are an item, since they share their words"
        return replace(_as_table(rows, places, said), is_assumed=True)
    if kept is None and count > 1 and of_file >= SHARED and of_file >= APART * of_number:
        blocks, places = [], []
        for file, own in zip(files, lines, strict=True):
            blocks += [*(line for _, line in own), ""]
            places += [*(f"{file.name}, line {n}" for n, _ in own), file.name]
        how = f"the texts {_named(files)} of a folder, each a block of lines, since their sentences share their words"
        return Composed(("\n".join(blocks) + "\n").encode(), ".txt", tuple(places), how, is_assumed=True)
    raise FolderError(
        "neither the lines of one number nor those of one file share their words, so that nothing says what an item is"
    )


def _numbered(text: str) -> list[tuple[int, str]]:
    """The lines of a text with their numbers, blank ones between them, too."""
    return [(n, line.strip()) for n, line in enumerate(text.strip("\n").rstrip().split("\n"), 1)]


def _with_places(texts: Sequence[str]) -> list[list[tuple[int, str]]] | None:
    """The lines of texts, with the blank ones that hold a place: these make all as long as one that has none; None elsewhere."""
    own = [_numbered(text) for text in texts]
    are_full = [all(line for _, line in lines) for lines in own]
    return own if any(are_full) and not all(are_full) and len({len(lines) for lines in own}) == 1 else None


def _of_other_lengths(files: Sequence[Path], texts: Sequence[str]) -> FolderError:
    """Which texts of a folder have as many lines as most, and which have others."""
    lengths = [len(_numbered(text)) for text in texts]
    usual = max(lengths, key=lengths.count)
    counts = ", ".join(f"{file.name} {n}" for file, n in list(zip(files, lengths, strict=True))[:6])
    said = f"its texts have other numbers of lines each ({counts}; a blank line between others holds the place of an item)"
    alike = [(file, text) for file, text, n in zip(files, texts, lengths, strict=True) if n == usual]
    try:
        _texts([file for file, _ in alike], [text for _, text in alike])
    except FolderError:
        return FolderError(said)
    others = ", ".join(f"{file.name} ({n})" for file, n in zip(files, lengths, strict=True) if n != usual)
    return FolderError(
        f"{said}: {', '.join(file.name for file, _ in alike)} have {usual}, and {others} not", [file for file, _ in alike]
    )


def _as_table(rows: Sequence[Sequence[str]], places: Sequence[str], how: str) -> Composed:
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\n").writerows([[" ".join(cell.split()) for cell in row] for row in rows])
    return Composed(out.getvalue().encode(), ".csv", tuple(places), how)


def _named(files: Sequence[Path]) -> str:
    return ", ".join(file.name for file in files[:6]) + (f" … ({len(files)})" if len(files) > 6 else "")
