"""What the linter knows of words: shipped lists, and what a user adds in the workspace.

A list is a CSV file with a header: `form`, `class` (several joined by ``|``) and further columns. A file of the same
name in the workspace's ``lexicons/`` adds entries; an entry there replaces the shipped one of the same form.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path

from templates import Entry, FormatError, load_lexicon

__all__ = ["LISTS", "Knowledge", "load_knowledge"]

LISTS: Mapping[str, frozenset[str]] = {}
"""List name to the classes that its entries may have."""


@dataclass(frozen=True)
class Knowledge:
    """Word lists by name, each from a case-folded form to its entry."""

    lists: Mapping[str, Mapping[str, Entry]]
    digest: str
    """Changes whenever an entry of any list does."""

    def entry(self, name: str, form: str) -> Entry | None:
        """What the list called `name` says of a word or phrase, or None."""
        return self.lists[name].get(form.casefold())

    def classes(self, name: str, form: str) -> frozenset[str]:
        """The classes of a word or phrase, empty where the list does not know it."""
        entry = self.entry(name, form)
        return frozenset(entry.values("class")) if entry is not None else frozenset()


def load_knowledge(workspace: Path | None = None) -> Knowledge:
    """The shipped lists, with those of the workspace on top. Raises `FormatError` naming the file and the entry."""
    own = workspace / "lexicons" if workspace is not None else None
    stamps = []
    if own is not None and own.is_dir():
        stamps = [(p.name, p.stat().st_mtime_ns, p.stat().st_size) for p in sorted(own.glob("*.csv"))]
    return _load(own if stamps else None, tuple(stamps))


@lru_cache(maxsize=8)
def _load(own: Path | None, _stamps: tuple[tuple[str, int, int], ...]) -> Knowledge:
    shipped = Path(str(resources.files("vetting"))) / "lexicons"
    lists: dict[str, Mapping[str, Entry]] = {}
    digest = hashlib.sha256()
    for name, classes in LISTS.items():
        entries = dict(_checked(shipped / f"{name}.csv", classes))
        if own is not None and (own / f"{name}.csv").is_file():
            entries.update(_checked(own / f"{name}.csv", classes))
        lists[name] = entries
        for form, entry in entries.items():
            digest.update(f"{name}\t{form}\t{sorted(entry.columns.items())}\n".encode())
    return Knowledge(lists, digest.hexdigest()[:16])


def _checked(path: Path, classes: frozenset[str]) -> Mapping[str, Entry]:
    lexicon = load_lexicon(path)
    for entry in lexicon.entries:
        unknown = [value for value in entry.values("class") if value not in classes]
        if unknown or not entry.values("class"):
            what = f"the class {unknown[0]!r}" if unknown else "no class"
            raise FormatError(
                f"{path}: {entry.form!r} has {what}", hint=f"Classes in this list: {', '.join(sorted(classes))}."
            )
    return lexicon.by_form
