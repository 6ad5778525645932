"""Word lists: CSV files with a header, ``#`` comments at the top, and ``|`` between several values of a cell."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

from gapsmith.templates.boundary import text_of
from gapsmith.templates.errors import FormatError, GapsmithError, ParadigmError
from gapsmith.templates.spelling import taken_for

FORM = "form"
"""The column of the words themselves, the first of every list."""

_QUOTES = "“”„‟«»"
PER_MILLION = "per_million"
"""The column that says how often a word occurs in a million words."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One word or phrase, with what its list says of it: column name to values."""

    form: str
    columns: Mapping[str, tuple[str, ...]]

    def values(self, column: str) -> tuple[str, ...]:
        """The values in a column, empty where there are none. The column `form` is the word itself."""
        return (self.form,) if column == FORM else self.columns.get(column, ())

    @property
    def per_million(self) -> float | None:
        """How often the word occurs in a million words, where its list says so."""
        said = self.columns.get(PER_MILLION, ())
        return float(said[0]) if said else None


@dataclass(frozen=True, eq=False)
class Lexicon:
    """A word list, in file order."""

    name: str
    entries: tuple[Entry, ...]
    path: str

    @cached_property
    def by_form(self) -> Mapping[str, Entry]:
        """Entries by their form, case-folded."""
        return {entry.form.casefold(): entry for entry in self.entries}

    @cached_property
    def forms(self) -> Mapping[str, str]:
        """Case-folded form to the form as it is listed."""
        return {folded: entry.form for folded, entry in self.by_form.items()}

    def line_of(self, form: str) -> int:
        """The line of the file in which a form stands, from 1."""
        lines = enumerate(text_of(Path(self.path), "utf-8-sig").splitlines(), 1)
        return next(number for number, line in lines if next(csv.reader([line]), [""])[0].strip() == form)

    def get(self, form: str) -> Entry | None:
        """The entry for a word or phrase, ignoring case, or None."""
        return self.by_form.get(form.casefold())


def load_lexicon(path: Path) -> Lexicon:
    """The lexicon in a file. Raises `FormatError` with the line of an empty, doubled or misshapen row."""
    try:
        stat = path.stat()
    except OSError:
        return _read_lexicon(path, 0, 0)
    return _read_lexicon(path, stat.st_mtime_ns, stat.st_size)


@lru_cache(maxsize=64)
def _read_lexicon(path: Path, _modified: int, _size: int) -> Lexicon:
    try:
        lines = text_of(path, "utf-8-sig").splitlines()
    except FileNotFoundError:
        raise FormatError(f"{path}: there is no such lexicon") from None
    except (OSError, UnicodeDecodeError) as error:
        raise FormatError(f"{path}: cannot be read as UTF-8 text ({error})") from None
    numbered = [(n, line) for n, line in enumerate(lines, 1) if line.strip() and not line.lstrip().startswith("#")]
    if not numbered:
        raise FormatError(f"{path}: the lexicon is empty", hint="Its first line is a header that starts with `form`.")
    header = [cell.strip() for cell in next(csv.reader([numbered[0][1]]))]
    if header[0] != FORM:
        other = next((sign for sign in ";\t" if sign in header[0]), "")
        raise FormatError(
            f"{path}, line {numbered[0][0]}: the first column must be called `form`, not {header[0]!r}",
            hint="Between the columns stand commas: save it as CSV with commas." if other else "The header begins with form,",
        )
    entries: dict[str, Entry] = {}
    for number, line in numbered[1:]:
        cells = [cell.strip() for cell in next(csv.reader([line]))]
        if len(cells) != len(header):
            raise FormatError(
                f"{path}, line {number}: {len(cells)} cells where the header has {len(header)}",
                hint="Put a value with a comma in double quotes.",
            )
        form = cells[0]
        if not form or form != " ".join(form.split()):
            raise FormatError(f"{path}, line {number}: the form {form!r} is empty or has irregular spaces")
        if form[0] in _QUOTES or form[-1] in _QUOTES:
            raise FormatError(
                f"{path}, line {number}: the form {form!r} has a typographic quote at an end", hint="Words stand without quotes."
            )
        if form in entries:
            raise FormatError(f"{path}, line {number}: {form!r} is there twice")
        columns = {
            name: tuple(value.strip() for value in cell.split("|") if value.strip())
            for name, cell in zip(header[1:], cells[1:], strict=True)
        }
        for rate in columns.get(PER_MILLION, ()):
            if re.fullmatch(r"\d+(\.\d+)?", rate) is None:
                raise FormatError(
                    f"{path}, line {number}: {PER_MILLION} is {rate!r}",
                    hint="Write how often the word occurs in a million words, such as 0.4, or leave the cell empty.",
                )
        entries[form] = Entry(form, columns)
    return Lexicon(path.stem, tuple(entries.values()), str(path))


def shipped_lexicons() -> Path:
    """The folder of the lexicons that come with gapsmith."""
    return Path(str(resources.files("gapsmith.templates"))) / "lexicons"


def lexicon_for(name: str, paradigm_path: str = "") -> Lexicon:
    """The lexicon that a paradigm means by `name`: beside the paradigm's own file (``lexicons/NAME.csv``), else the
    shipped one, else that in the workspace's ``lexicons/``;
    read anew where the file has changed. Raises `ParadigmError` listing the shipped ones."""
    for candidate in _candidates(name, paradigm_path):
        try:
            stat = candidate.stat()
        except OSError:
            continue
        return _read_lexicon(candidate, stat.st_mtime_ns, stat.st_size)
    known = sorted(p.stem for p in shipped_lexicons().glob("*.csv"))
    raise ParadigmError(
        f"there is no lexicon {name!r}",
        hint=f"Put {name}.csv into lexicons/ of the workspace (its first line is a header that begins with form), or use one of: "
        f"{', '.join(known)}",
        instead=taken_for(name, known),
        add='words = ["…", "…"]',
    )


def lexicon_contents(names: Iterable[str], paradigm_path: str) -> list[Any]:
    """The content of every word list that a paradigm means by these names, in their order; None for one that is not there."""
    contents: list[Any] = []
    for name in names:
        try:
            lexicon = lexicon_for(name, paradigm_path)
        except GapsmithError:
            contents.append(None)
            continue
        contents.append([[entry.form, sorted(entry.columns.items())] for entry in lexicon.entries])
    return contents


@lru_cache(maxsize=256)
def _candidates(name: str, paradigm_path: str) -> tuple[Path, ...]:
    if re.fullmatch(r"[A-Za-z0-9_-]+", name) is None:
        raise ParadigmError(
            f"a lexicon cannot be called {name!r}",
            hint="Its name is that of a file beside the paradigm without .csv: letters, digits, _ and -; no path.",
        )
    shipped = shipped_lexicons() / f"{name}.csv"
    folder = Path(paradigm_path).resolve().parent
    if not paradigm_path or folder == Path(str(resources.files("gapsmith.templates"))) / "paradigms":
        return (shipped,)
    found = (folder / "lexicons" / f"{name}.csv", folder / f"{name}.csv", shipped)
    # A workspace has its word lists in one folder, those of its paradigms and those of the rules; a shipped list keeps its name.
    return (*found, folder.parent / "lexicons" / f"{name}.csv") if folder.name == "paradigms" else found
