"""The table of word rules: its rows as they are written, ours and those that a workspace adds. The only place that reads it."""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from gapsmith.bank import Severity
from gapsmith.templates import ROLES, FormatError, did_you_mean, no_such, text_of
from gapsmith.vetting.wordset import word_set

WORD_RULES = "word_rules"
"""What the table's file is called, without its suffix."""
UNLISTED = "?"
"""The property of a word that a list does not have."""
ANY = "*"
"""The property of every word, in the list or not."""
CONDITIONS: Mapping[str, tuple[str, ...]] = {
    "person": (),
    "thing": (),
    "gap": (),
    "island": ("noun", "island"),
    "negated": (),
    "affirmative": (),
    "untold": (),
    "told_beside": (),
    "bare": (),
    "of_or_about": ("preposition",),
    "followed": ("adverb", "time"),
    "object_usual": (),
    "single": (),
    "several": (),
    "small": (),
    "capital": (),
    "described": (),
    "unlisted": (),
    "common": (),
    "named": (),
    "harmless": (),
    "zone_city": (),
    "in_frame": ("matrix",),
    "again": (),
    "singular": (),
    "plural": (),
    "that": (),
    "asks_what": (),
    "asks_where": (),
    "asks_ever": (),
    "what_alone": (),
    "unread": (),
    "guessed": (),
    "other_verb": (),
    "negative": (),
    "holds_complementizer": (),
    "fits": ("linker",),
    "main": ("adjunct_verb", "conjunct"),
    "with_particle": (),
    "particle_object": (),
    "mindless": ("noun", "subject_head"),
    "malformed": (),
    "before_base": ("verb",),
    "before_participle": ("verb",),
    "past": (),
    "present": (),
    "perfect": (),
    "frame_now": ("matrix",),
    "excess": (),
    "between": (),
    "no_gerund": (),
    "second_gap": ("adjunct_verb",),
    "modal_noun": ("preposition", "island"),
    "day": (),
    "period": (),
    "governed": ("verb", "verb_phrase", "linker"),
    "unlicensed": ("linker",),
    "future": ("linker",),
    "up_to_now": ("linker",),
    "attaches": (),
    "vulgar_part": (),
    "before_group": (),
}
"""What a row may ask by a name of ours besides the word's property, and the roles that have to be read for it."""
FLAWS: Mapping[str, frozenset[str]] = {
    "predicates": word_set("antirogative rogative doubtful polar none needs_addressee"),
    "verbs": word_set("object_drop intransitive inchoative thing_object clausal agentive"),
    "linkers": word_set("tough ready control purpose"),
    "nouns": word_set("thing person no_person"),
    "adverbs": word_set("nominal opener no_adverb manner misfit present recent earlier past medial polarity sofar"),
    **dict.fromkeys(("names", "proper_names"), word_set("word place famous city country region brand person day")),
}
"""List to the classes among which a guess has to be likely to be told. Of words in other lists nothing is guessed."""
WORDED = tuple(role for role in ROLES if role not in {"name", "subject_head", "changed"})
"""What ``*`` stands for as a role. Names are spelt as their owners like, and the head of a subject is in the subject."""
OWN_WORDED = (*WORDED, "changed")
"""What it stands for in a row of a workspace: the words of starred sentences as well, which ours were not measured on."""
_COLUMNS = ("code", "role", "list", "property", "when", "severity", "guess", "message", "remedy")
_OWN_CODE = re.compile(r"X[A-Z]{1,4}[0-9]{3}")
FIELDS = frozenset(
    {"word", "head", "question", "counts", "counted", "says", "corpus", "noun", "verb", "complementizer", "excess", "between"}
    | {
        "first",
        "governor",
        "other",
        "other_head",
        "time",
        "form",
        "malformed",
        "before",
        "tail",
        "small",
        "with_counts",
        "part",
        "group",
    }
)
"""What a message may name in braces."""
_FIELD = re.compile(r"\{(\w*)\}")


Wanted = tuple[tuple[str, ...], ...]
"""Alternatives, each of classes that have to be there together; ``!class`` must not be; ``?`` alone: not listed; ``*`` alone: any word."""


def has(wanted: Wanted, classes: frozenset[str] | None) -> bool:
    """Whether a word with these classes has the property; None stands for a word that the list does not have."""
    if (ANY,) in wanted:
        return True
    if classes is None:
        return (UNLISTED,) in wanted
    return any(
        all((name[1:] not in classes) if name[0] == "!" else name in classes for name in some)
        for some in wanted
        if some != (UNLISTED,)
    )


@dataclass(frozen=True, slots=True)
class Asked:
    """What else has to hold: a condition that has a `name`, or that the word, or one in `role`, has a property in a `list`."""

    name: str
    holds: bool
    """False where the condition must not hold."""
    role: str = ""
    list: str = ""
    wanted: Wanted = ()

    @property
    def reads(self) -> tuple[str, ...]:
        """The roles that have to be read for it."""
        return CONDITIONS[self.name] if self.name else (self.role,) if self.role else ()


@dataclass(frozen=True, slots=True)
class RuleRow:
    """A row: a word in one of `roles` that has the property is objected to, where the conditions hold."""

    code: str
    roles: tuple[str, ...]
    list: str
    wanted: Wanted
    when: tuple[str, ...]
    """What else is asked, as it is written."""
    asked: tuple[Asked, ...]
    """The same, as it is read."""
    severity: Severity
    guess: Severity | None
    """The most that a guess about a word in no list may weigh; None where no guess is made."""
    message: str
    remedy: str
    place: str
    """File and line, for messages."""

    @property
    def of(self) -> str:
        """Which words it is about, for people."""
        return "all words that are no names" if self.roles in (WORDED, OWN_WORDED) else " or ".join(self.roles)

    @property
    def fields(self) -> tuple[str, ...]:
        """What the message names in braces."""
        return tuple(_FIELD.findall(self.message))

    @property
    def kinds(self) -> tuple[str, ...]:
        """The classes that are guessed at: of each alternative the first that has to be there."""
        return tuple(found[0] for some in self.wanted if (found := [name for name in some if name[0] not in "!?*"]))

    def holds(self, classes: frozenset[str] | None) -> bool:
        """Whether a word with these classes has the property; None stands for a word that the list does not have."""
        return has(self.wanted, classes)


def read_word_rows(path: Path, lists: Mapping[str, Collection[str]], codes: Collection[str] = ()) -> tuple[RuleRow, ...]:
    """The rows of a table, in file order. `lists` has the classes of each list; `codes` are those of our own table, where the file is a
    workspace's. Raises `FormatError` with file, line and column of what cannot be."""
    return tuple(_row(cell, place, lists, codes) for cell, place in _cells(path))


def lists_asked(path: Path) -> frozenset[str]:
    """The names of the word lists that the rows of a table ask, whether there are such lists or not. Raises `FormatError`."""
    found: set[str] = set()
    for cell, _ in _cells(path):
        found.add(cell["list"])
        found |= {entry.removeprefix("!").split(":")[-2] for entry in cell["when"].split() if ":" in entry}
    return frozenset(found)


def _cells(path: Path) -> Iterator[tuple[Mapping[str, str], str]]:
    """The rows as they are written, each with its file and line."""
    try:
        lines = text_of(path, "utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise FormatError(f"{path}: cannot be read as UTF-8 text ({error})") from None
    numbered = [(n, line) for n, line in enumerate(lines, 1) if line.strip() and not line.lstrip().startswith("#")]
    reader = csv.DictReader(line for _, line in numbered)
    missing = [name for name in _COLUMNS if name not in (reader.fieldnames or ())]
    if missing:
        place = f"{path}, line {numbered[0][0]}" if numbered else str(path)
        raise FormatError(f"{place}: the column {missing[0]!r} is missing", hint=f"Columns: {', '.join(_COLUMNS)}.")
    head = len(reader.fieldnames or ())
    for (number, _), cells in zip(numbered[1:], reader, strict=True):
        # DictReader puts what is too much under None, and None where cells lack.
        there = sum(value is not None for name, value in cells.items() if name is not None)
        if (n := there + len(cells.get(None) or ())) != head:
            raise FormatError(
                f"{path}, line {number}: {n} cells where the header has {head}",
                hint="Put a value with a comma in double quotes; an empty cell is two commas.",
            )
        yield {name: (cells[name] or "").strip() for name in _COLUMNS}, f"{path}, line {number}"


def _row(cell: Mapping[str, str], place: str, lists: Mapping[str, Collection[str]], codes: Collection[str]) -> RuleRow:
    roles = (OWN_WORDED if codes else WORDED) if cell["role"] == ANY else tuple(name.strip() for name in cell["role"].split("|"))
    when = tuple(cell["when"].split())
    severities = {entry.value: entry for entry in Severity}
    if codes and not (cell["code"] in codes or _OWN_CODE.fullmatch(cell["code"])):
        raise FormatError(
            f"{place}, column code: {cell['code']!r} is no code of the table",
            hint="A code of your own is X, one to four capitals and three digits, such as XMY001.",
        )
    for role in roles:
        _expect(role, ROLES, place, "role")
    wanted = _wanted(cell["property"], cell["list"], lists, place, ("list", "property"))
    asked = tuple(_asked(entry, lists, place) for entry in when)
    _expect(cell["severity"], severities, place, "severity")
    if cell["guess"]:
        _expect(cell["guess"], ("info", "warning"), place, "guess")
        if cell["list"] not in FLAWS:
            raise FormatError(
                f"{place}, column guess: nothing is guessed of words that {cell['list']} does not have",
                hint=f"Leave it empty, or ask one of: {', '.join(sorted(FLAWS))}.",
            )
    for name in _FIELD.findall(cell["message"]):
        _expect(name, FIELDS, place, "message")
    if not cell["message"]:
        raise FormatError(f"{place}, column message: it is empty", hint="Say what is wrong with {word}.")
    return RuleRow(
        cell["code"],
        roles,
        cell["list"],
        wanted,
        when,
        asked,
        severities[cell["severity"]],
        severities[cell["guess"]] if cell["guess"] else None,
        cell["message"],
        cell["remedy"],
        place,
    )


def _wanted(text: str, name: str, lists: Mapping[str, Collection[str]], place: str, columns: tuple[str, str]) -> Wanted:
    if name not in lists:
        raise FormatError(
            f"{place}, column {columns[0]}: there is no {name!r}",
            hint=f"{did_you_mean(name, lists)}A list of your own is a file lexicons/{name or 'NAME'}.csv with the columns form and class."
            f" Lists that there are: {', '.join(sorted(lists))}.",
        )
    choices = tuple(tuple(entry.strip() for entry in some.split("+")) for some in text.split("|"))
    for entry in (entry.removeprefix("!") for some in choices for entry in some):
        _expect(entry, {*lists[name], UNLISTED, ANY}, place, columns[1])
    return choices


def _asked(entry: str, lists: Mapping[str, Collection[str]], place: str) -> Asked:
    plain = entry.removeprefix("!")
    if ":" not in plain:
        _expect(plain, CONDITIONS, place, "when")
        return Asked(plain, plain == entry)
    *role, name, wanted = plain.split(":")
    if len(role) > 1:
        raise FormatError(f"{place}, column when: {entry!r}", hint="Write list:property, or role:list:property.")
    for one in role:
        _expect(one, ROLES, place, "when")
    return Asked("", plain == entry, "".join(role), name, _wanted(wanted, name, lists, place, ("when", "when")))


def _expect(value: str, known: Collection[str], place: str, column: str) -> None:
    if value not in known:
        raise no_such(f"{place}, column {column}: there is no {value!r}", "There are", value, sorted(known), kind=FormatError)


def by_code(rows: tuple[RuleRow, ...]) -> Mapping[str, tuple[RuleRow, ...]]:
    """Code to its rows, in the order of the codes' first rows."""
    found: dict[str, tuple[RuleRow, ...]] = {}
    for row in rows:
        found[row.code] = (*found.get(row.code, ()), row)
    return found
