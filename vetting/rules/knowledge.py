"""What the linter knows of words: shipped lists, and what a user adds in the workspace.

A list is a CSV file with a header: `form`, mostly `class` (several joined by ``|``) and further columns. Each file in
``vetting/lexicons`` is one, with the classes that the comment at its top explains. A file of the
same name in the workspace's ``lexicons/`` adds entries; an entry there replaces the shipped one of the same form. A file of another
name is a list of the workspace's own, with the classes that it has, where a row of its table of word rules asks it.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from importlib import resources
from pathlib import Path

from gapsmith.templates import Entry, FormatError, count, did_you_mean, load_dictionary, load_lexicon, text_of
from gapsmith.vetting.rules.inflection import Form, form_index, plural_of
from gapsmith.vetting.rules.word_rows import WORD_RULES, RuleRow, by_code, lists_asked, read_word_rows
from gapsmith.vetting.wordrates import KIND_TABLES

_LEXICONS = Path(str(resources.files("gapsmith.vetting"))) / "lexicons"
_EXPLAINED = re.compile(r"# Classes.*\n((?:#   .*\n)*)")


def _explained(path: Path) -> frozenset[str]:
    """The classes that the comment at the top of a list explains: a line each below ``# Classes``, three blanks before the class."""
    found = _EXPLAINED.search(path.read_text(encoding="utf-8", errors="replace"))
    return frozenset(re.findall(r"(?m)^#   (\w+)", found[1])) if found else frozenset()


LISTS: Mapping[str, frozenset[str]] = {path.stem: _explained(path) for path in sorted(_LEXICONS.glob("*.csv"))}
"""Shipped list to the classes that its entries may have, as the list itself explains them; none where it has no classes."""


@dataclass(frozen=True, eq=False)
class Knowledge:
    """Word lists by name, each from a case-folded form to its entry. It never changes, and as the key of a cache stands for itself."""

    lists: Mapping[str, Mapping[str, Entry]]
    digest: str
    """Changes whenever an entry of any list or a row of the table of word rules does."""
    rows: Mapping[str, tuple[RuleRow, ...]] = field(default_factory=dict)
    """Code to its rows in the table of word rules, the workspace's after ours."""
    replaced: tuple[str, ...] = ()
    """For each list of the workspace that takes entries of ours out: which, and what they said, in a sentence for people."""

    def entry(self, name: str, form: str) -> Entry | None:
        """What the list called `name` says of a word or phrase, or None. *Zoë* and *Zoe* are one name."""
        entries = self.lists[name]
        folded = form.casefold()
        return entries.get(folded) or (None if folded.isascii() else entries.get(_without_marks(folded)))

    def classes(self, name: str, form: str) -> frozenset[str]:
        """The classes of a word or phrase, empty where the list does not know it."""
        entry = self.entry(name, form)
        return frozenset(entry.values("class")) if entry is not None else frozenset()

    def without(self, forms: frozenset[str]) -> Knowledge:
        """The same knowledge with these entries gone from every list."""
        lists = {
            name: entries if forms.isdisjoint(entries) else {f: e for f, e in entries.items() if f not in forms}
            for name, entries in self.lists.items()
        }
        less = Knowledge(lists, f"{self.digest}-{'-'.join(sorted(forms))}", self.rows)
        # Forms are the dictionary's as well as the lists'; what is said of a verb is the lists' alone.
        less.__dict__["verb_forms"] = self.verb_forms
        nouns = forms & self.lists["nouns"].keys()
        less.__dict__["plural_nouns"] = (
            {plural: noun for plural, noun in self.plural_nouns.items() if noun not in nouns} if nouns else self.plural_nouns
        )
        return less

    def with_heads(self, name: str, heads: Mapping[str, str]) -> Knowledge:
        """The same knowledge with more entries in a list, each with its part of speech and without a class."""
        more = {form: Entry(form, {"pos": (pos,)}) for form, pos in heads.items()}
        found = Knowledge({**self.lists, name: {**self.lists[name], **more}}, f"{self.digest}+{sorted(more)}", self.rows)
        found.__dict__["verb_forms"] = self.verb_forms
        return found

    @cached_property
    def readings(self) -> dict[tuple[str, str], object]:
        """What phrases were read as, for those that read them (``linker``, ``frame``): many rules ask for the same."""
        return {}

    @cached_property
    def verb_forms(self) -> Mapping[str, tuple[Form, ...]]:
        """Every form of every verb in the lists and in the dictionary, to the verbs that it can be a form of."""
        lemmas = {form.split()[0] for name in ("verbs", "predicates") for form in self.lists[name]}
        lemmas |= {form.split()[0] for form, entry in self.lists["linkers"].items() if "v" in entry.values("pos")}
        table = load_dictionary().verbs
        return form_index([*sorted(lemmas), *sorted(table.keys() - lemmas)], self.lists["irregular_verbs"], table)

    def singular_of(self, noun: str) -> str:
        """The singular of a plural noun, by the lists and else by the dictionary; the noun itself where it is none."""
        return self.plural_nouns.get(noun) or load_dictionary().plurals.get(noun, noun)

    @cached_property
    def plural_nouns(self) -> Mapping[str, str]:
        """Plural to singular, for the nouns in the lists."""
        return {
            plural: form
            for form, entry in self.lists["nouns"].items()
            if not {"mass", "plural"} & set(entry.values("class"))
            for plural in _plurals(form)
        }


@cache
def _plurals(form: str) -> frozenset[str]:
    return frozenset({plural_of(form), *load_dictionary().nouns.get(form, ())} - {form})


def _without_marks(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def is_used(kind: str, verbs: Iterable[str], knowledge: Knowledge) -> bool:
    """Whether one of some verbs is of that class in the list of what verbs are used for."""
    return any(kind in knowledge.classes("verb_uses", verb) for verb in verbs)


def load_knowledge(workspace: Path | None = None) -> Knowledge:
    """The shipped lists, with those of the workspace on top. Raises `FormatError` naming the file and the entry."""
    own = workspace / "lexicons" if workspace is not None else None
    files = sorted(own.glob("*.csv")) if own is not None and own.is_dir() else []
    named = _named_by_paradigms(workspace) if workspace is not None else frozenset()
    table = next((path for path in files if path.stem == WORD_RULES), None)
    others = [path for path in files if path.stem not in {WORD_RULES, *LISTS}]
    asked = lists_asked(table) if table is not None and others else frozenset()
    unknown = [path for path in others if path.stem not in {*asked, *named}]
    files = [path for path in files if path.stem in {WORD_RULES, *LISTS, *asked}]
    if unknown:
        raise FormatError(
            f"{unknown[0]}: the linter has no word list of that name, no row of {WORD_RULES}.csv asks it, and no paradigm of the"
            " workspace draws from it",
            hint=f"Lists of the linter: {', '.join(f'{name}.csv' for name in LISTS)}. A list of your own is asked by a row whose column"
            f' list is {unknown[0].stem}. A paradigm draws from a list that it names: lexicon = "{unknown[0].stem}".',
        )
    stamps = tuple((path.name, path.stat().st_mtime_ns, path.stat().st_size) for path in files)
    return _load(own if files else None, stamps)


def _named_by_paradigms(workspace: Path) -> frozenset[str]:
    """The names of the word lists that paradigms of the workspace draw from."""
    found: set[str] = set()
    for path in sorted((workspace / "paradigms").glob("*.toml")):
        try:
            text = text_of(path, "utf-8-sig")
        except (OSError, UnicodeDecodeError):
            continue  # what is wrong with it is said when it is loaded
        found |= set(re.findall(r"""(?m)^\s*lexicon\s*=\s*["']([^"']+)["']""", text))
    return frozenset(found)


@lru_cache(maxsize=8)
def _load(own: Path | None, stamps: tuple[tuple[str, int, int], ...]) -> Knowledge:
    lists: dict[str, Mapping[str, Entry]] = {}
    classes_of = dict(LISTS)
    replaced: list[str] = []
    digest = hashlib.sha256()
    for table in KIND_TABLES:
        # What is guessed of a word in no list decides findings as well.
        digest.update((resources.files("gapsmith.vetting") / "wordrates" / f"kinds-{table}.tsv.xz").read_bytes())
    names = {name.removesuffix(".csv") for name, _, _ in stamps}
    for name in (*LISTS, *sorted(names - {WORD_RULES, *LISTS})):
        entries = dict(_checked(_LEXICONS / f"{name}.csv", LISTS[name])) if name in LISTS else {}
        if own is not None and name in names:
            added = _checked(own / f"{name}.csv", LISTS.get(name))
            if name not in LISTS:
                classes_of[name] = frozenset(value for entry in added.values() for value in entry.values("class"))
            replaced += _replaced(name, entries, added)
            entries.update(added)
        for form, entry in list(entries.items()):
            if not form.isascii():
                entries.setdefault(_without_marks(form), entry)
        lists[name] = entries
        for form, entry in entries.items():
            digest.update(f"{name}\t{form}\t{sorted(entry.columns.items())}\n".encode())
    rows = shipped_rows()
    if own is not None and WORD_RULES in names:
        rows += read_word_rows(own / f"{WORD_RULES}.csv", classes_of, by_code(rows))
    for row in rows:
        digest.update(repr(replace(row, place="")).encode())
    return Knowledge(lists, digest.hexdigest()[:16], by_code(rows), tuple(replaced))


def _replaced(name: str, ours: Mapping[str, Entry], theirs: Mapping[str, Entry]) -> Iterator[str]:
    """What a list of a workspace takes out of ours, in a sentence; nothing where it takes nothing out."""
    other = [(ours[form], entry) for form, entry in theirs.items() if form in ours and ours[form].columns != entry.columns]
    if other:
        told = ", ".join(f"{was.form} ({_as_written(was)}, now {_as_written(now)})" for was, now in other[:_NAMED])
        more = f" and {len(other) - _NAMED} more" if len(other) > _NAMED else ""
        yield (
            f"lexicons/{name}.csv takes the place of {count(len(other), 'entry', 'entries')} of ours: {told}{more}; rules go by what"
            " they say now (write what is to stay beside what is new, such as a|b)"
        )


_NAMED = 6


def _as_written(entry: Entry) -> str:
    return ", ".join("|".join(values) for values in entry.columns.values() if values) or "nothing said"


@cache
def shipped_rows() -> tuple[RuleRow, ...]:
    """The rows of our own table of word rules."""
    return read_word_rows(Path(str(resources.files("gapsmith.vetting.rules"))) / f"{WORD_RULES}.csv", LISTS)


def _checked(path: Path, classes: frozenset[str] | None) -> Mapping[str, Entry]:
    """The entries of a list whose classes are these; None for a list of the workspace's own, which has what classes it likes."""
    lexicon = load_lexicon(path)
    for entry in lexicon.entries if classes is not None else ():
        values = entry.values("class")
        unknown = [value for value in values if value not in (classes or ())]
        if unknown or (classes and not values):
            what = f"the class {unknown[0]!r}" if unknown else "no class"
            meant = did_you_mean(unknown[0], sorted(classes or ())) if unknown else ""
            hint = f"{meant}Classes in this list: {', '.join(sorted(classes or ())) or 'none'}. "
            if path.parent == _LEXICONS:
                hint += "A new one takes a line in the comment at its top, below a line “# Classes:”: #   NAME  what it means."
            else:
                hint += f"One of your own goes into a list of your own: lexicons/NAME.csv, which a row of {WORD_RULES}.csv asks."
            raise FormatError(f"{path}, line {lexicon.line_of(entry.form)}: {entry.form!r} has {what}", hint=hint)
    return lexicon.by_form
