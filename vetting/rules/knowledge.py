"""What the linter knows of words: shipped lists, and what a user adds in the workspace.

A list is a CSV file with a header: `form`, mostly `class` (several joined by ``|``) and further columns. A file of the
same name in the workspace's ``lexicons/`` adds entries; an entry there replaces the shipped one of the same form.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import resources
from pathlib import Path

from templates import Entry, FormatError, load_lexicon
from vetting.rules.inflection import Form, form_index, plural_of
from vetting.rules.wordset import word_set

__all__ = ["LISTS", "Knowledge", "load_knowledge"]

LISTS: Mapping[str, frozenset[str]] = {
    "predicates": word_set(
        "responsive antirogative rogative doubtful polar none needs_addressee takes_addressee refuses_addressee"
    ),
    "verbs": word_set(
        "strict generic object_drop reciprocal inchoative intransitive thing_object clausal homograph agentive"
    ),
    "nouns": word_set("content image event mass plural person thing no_person"),
    "linkers": word_set("raising future modal tough ready control purpose ambiguous aspect evaluative"),
    "adverbs": word_set("temporal nominal opener past present manner misfit no_adverb"),
    "names": word_set("given word place famous"),
    "function_words": word_set("pronoun reflexive indefinite question determiner title"),
    "irregular_verbs": frozenset(),
}
"""List name to the classes that its entries may have; none where the list has no classes."""


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

    def without(self, forms: frozenset[str]) -> Knowledge:
        """The same knowledge with these entries gone from every list."""
        lists = {
            name: {form: entry for form, entry in entries.items() if form not in forms}
            for name, entries in self.lists.items()
        }
        less = Knowledge(lists, f"{self.digest}-{'-'.join(sorted(forms))}")
        kept = {form: tuple(f for f in found if f.lemma not in forms) for form, found in self.verb_forms.items()}
        # The index is the costly part, and this is what it would be.
        less.__dict__["verb_forms"] = {form: found for form, found in kept.items() if found}
        return less

    @cached_property
    def verb_forms(self) -> Mapping[str, tuple[Form, ...]]:
        """Every form of every verb in the lists, to the verbs that it can be a form of."""
        lemmas = {form for form in self.lists["verbs"] if " " not in form}
        lemmas |= {form.split()[0] for form in self.lists["predicates"]}
        lemmas |= {form for form, entry in self.lists["linkers"].items() if "v" in entry.values("pos")}
        return form_index(sorted(lemmas), self.lists["irregular_verbs"])

    @cached_property
    def plural_nouns(self) -> Mapping[str, str]:
        """Plural to singular, for the nouns in the lists."""
        return {
            plural_of(form): form
            for form, entry in self.lists["nouns"].items()
            if not {"mass", "plural"} & set(entry.values("class"))
        }


def load_knowledge(workspace: Path | None = None) -> Knowledge:
    """The shipped lists, with those of the workspace on top. Raises `FormatError` naming the file and the entry."""
    own = workspace / "lexicons" if workspace is not None else None
    files = sorted(own.glob("*.csv")) if own is not None and own.is_dir() else []
    unknown = [path for path in files if path.stem not in LISTS]
    if unknown:
        raise FormatError(
            f"{unknown[0]}: the linter has no word list of that name",
            hint=f"Call the file {', '.join(f'{name}.csv' for name in LISTS)}. "
            "Lists that a paradigm samples from go into paradigms/lexicons/.",
        )
    stamps = tuple((path.name, path.stat().st_mtime_ns, path.stat().st_size) for path in files)
    return _load(own if files else None, stamps)


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
    for entry in lexicon.entries if classes else ():
        values = entry.values("class")
        unknown = [value for value in values if value not in classes]
        if unknown or not values:
            what = f"the class {unknown[0]!r}" if unknown else "no class"
            raise FormatError(
                f"{path}: {entry.form!r} has {what}", hint=f"Classes in this list: {', '.join(sorted(classes))}."
            )
    return lexicon.by_form
