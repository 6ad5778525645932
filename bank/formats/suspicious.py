"""What shows in a set that was read that a person has to look at before it comes in: labels that a program or a slip made of others,
cells that say that a sentence is missing. The only place that knows such."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import NoReturn

from gapsmith.bank.formats.asking import Assumption, FileAnswer
from gapsmith.bank.formats.foreign import ForeignItem, ForeignSentence, ForeignSet
from gapsmith.bank.formats.headings import ANY_MEMBER, fold, is_of_no_item
from gapsmith.bank.formats.likeness import odd_order
from gapsmith.bank.formats.said_of import said_of, saying
from gapsmith.bank.formats.source import SourceFile

_MONTH = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mär|mai|okt|dez|fev|avr|mei|maj|ene|abr|ago|dic|gen|mag|giu|lug|set|ott"
_DATE = re.compile(
    rf"\d{{1,2}}[-./ ]?(?:{_MONTH})[a-z]*\.?(?:[-./ ]\d{{2,4}})?|(?:{_MONTH})[a-z]*\.?[-./ ]\d{{1,4}}"
    r"|\d{4}-\d{2}-\d{2}(?:[T ]00:00(?::00)?)?|\d{1,2}[./]\d{1,2}[./](?:19|20)\d{2}",
    re.IGNORECASE,
)
"""What spreadsheets write where somebody typed something like 1-2 or 2/3."""
_SERIAL = re.compile(r"[34]\d{4}(?:\.0)?")
"""A date as the number that spreadsheets keep, from 1982 to 2036."""
_NOT_THERE = frozenset(
    {"n/a", "na", "n.a.", "#n/a", "nan", "none", "null", "missing", "fehlt", "leer", "todo", "tbd", "tba", "x", "xx", "xxx"}
    | {
        "to do",
        "to be done",
        "to follow",
        "pending",
        "à faire",
        "por hacer",
        "da fare",
        "a fazer",
        "offen",
        "falta",
        "manque",
        "manca",
    }
    | {"-", "--", "–", "—", ".", "…", "...", "?", "??", "//", "*", "**"}
)
"""What people write where there is no sentence."""
_BY_PLACE = frozenset({"json", "condition_columns"})
"""The formats whose conditions may be called as keys or columns are, which number sentences."""
_WITH_KEYS = frozenset({"blimp"})
"""The formats without columns whose keys ``--only`` names."""
_NO_WORD = re.compile(r"[^\w]+")
_SIGN = re.compile(r"[A-Za-z]|\d{1,2}|[ivx]{1,4}")
"""Labels that say nothing of what they mean."""
_JOINED = re.compile(r"[^\W_]_[^\W_]")
_NAMED = 6
"""So many rows without a sentence are named."""
_OUT = re.compile(
    r"(?:is_|was_|to_)?(?:be_)?(?:excluded?|exclusion|dropped|drop|omit|omitted|discard|discarded|removed?|deleted?|rejected|"
    r"skip|skipped|retired|hidden|practice|training|filler|distractor|dummy|warm_?up|ausgeschlossen|gestrichen|exclu|excluido|escluso)"
)
"""Headings that say of what they are true that it is not to be used."""
_IN = re.compile(
    r"(?:is_|was_|to_)?(?:be_)?(?:included?|used|use|keep|kept|in_use|verwendet|verwenden|benutzt|utilisé|usado|usato|gebruikt)"
)
"""Headings that say so of what they are false of."""
_TRUE = frozenset({"true", "yes", "y", "1", "x", "ja", "j", "oui", "si", "sì", "sí", "✓", "1.0"})
_FALSE = frozenset({"false", "no", "n", "0", "nein", "nee", "non", "-", "0.0"})
_NOT_USED = re.compile(
    r"(?:superseded|obsolete|deprecated|excluded|discarded|struck|dropped|"
    r"withdrawn|retired|cancelled|do not use|don['’]?t use|not to be used|not used|unused|nicht verwenden|"
    r"gestrichen|ausgeschlossen|ne pas utiliser|no usar|non usare|niet gebruiken)\b.{0,60}",
    re.IGNORECASE,
)
"""What people write at what is not to be used."""
_OF_STATUS = frozenset(
    {
        "note",
        "notes",
        "comment",
        "comments",
        "remark",
        "remarks",
        "memo",
        "todo",
        "status",
        "state",
        "flag",
        "flags",
        "decision",
        "action",
    }
    | {
        "check",
        "kommentar",
        "anmerkung",
        "anm",
        "bemerkung",
        "bemerkungen",
        "commentaire",
        "commentaires",
        "remarque",
        "comentario",
    }
    | {"nota", "notas", "opmerking", "opmerkingen"}
)
"""Headings of what is said about a sentence or an item."""
_RETIRED = re.compile(
    r"(?:drop(?:ped)?|remov(?:ed?)|delet(?:ed?)|omit(?:ted)?|retired|withdrawn|rejected|inactive|outdated|obsolete|archived|old|previous|"
    r"replaced|cut|out|raus|weg|streichen|gelöscht|entfernt|nicht benutzen|alt|supprim\w+|retir\w+|eliminad\w+|verwijderd)"
    r"(?:\b(?! in\b).{0,60})?\Z"
    r"|.*\b(?:raus|don['’]?t use|do not use|not to be used|leave out|take out|drop (?:this|it)|nicht verwenden|ne pas utiliser|"
    r"no usar|non usare)\b.*"
)
"""What such a remark says of what is not to be used."""
_KINDS = 6
"""An attribute of more values says of no kind that its sentences are."""
_VALUES = 8
"""So many values of those that are to be used are put into a command."""
_LIST = re.compile(
    r"(?:presentation|experimental|latin|stimulus)?[ _.-]*(?:list|liste|lista|lijst|group|gruppe|version)"
    r"[ _.-]*(?:[a-z]|\d{1,2}|[ivx]{1,4})"
)


_UNDONE = re.compile(
    r"(?:to ?do|tbd|tba|wip|unfinished|incomplete|not (?:done|finished|ready)|in progress|draft|offen|unfertig|à faire)[.!]?"
)
"""What a remark says of what is not written yet."""
_CORRECTED = re.compile(
    r".*\b(?:use (?:this|these|me)\b(?: one| ones| instead)?|(?:this|these) ones? (?:counts?|please)|"
    r"diese[nrs]? (?:nehmen|benutzen|verwenden)|utiliser (?:celui-ci|celle-ci)|usar (?:este|esta|questo|questa)|"
    r"deze gebruiken)\b.*"
    r"|\W*(?:corrected|correction|korrigiert|korrektur|corrigée?|corregid[oa]|corrett[oa]|gecorrigeerd|revised|amended|"
    r"new version|replaces)\b.*",
    re.IGNORECASE | re.DOTALL,
)
"""What people write at a row that takes the place of another one."""


def says_corrected(heading: str, said: str) -> bool:
    """Whether a remark says of its row that it takes the place of another one."""
    return fold(heading) in _OF_STATUS and _CORRECTED.fullmatch(said.strip()) is not None and _NEGATED.search(said) is None


_NEGATED = re.compile(r"\b(?:not|never|n['’]t|nicht|pas|non|niet)\b|\?", re.IGNORECASE)


def is_date(said: str) -> bool:
    """Whether a cell holds a date and nothing else."""
    return _DATE.fullmatch(said.strip()) is not None


def is_not_to_be_used(heading: str, said: str) -> bool:
    """Whether a value of a column says of its rows that they are no items, such as yes of practice or no of included."""
    folded, value = fold(heading), said.strip().casefold()
    return (_OUT.fullmatch(folded) is not None and value in _TRUE) or (_IN.fullmatch(folded) is not None and value in _FALSE)


def checked(found: ForeignSet, source: SourceFile) -> ForeignSet:
    """The set without cells that were said to hold no sentence, and with a note of items that lack a condition. Raises `FormatError`
    for labels that are damaged, and asks about cells that seem to hold no sentence."""
    found = _without_missing(found, source)
    if source.known.get("format") is None and not source.options.as_it_is:
        _expect_no_dates(found, source)
        _expect_no_slip(found, source)
        _expect_spaces(found, source)
        _expect_no_key(found, source)
        _expect_none_left_out(found, source)
        _expect_one_meaning(found, source)
        _expect_one_set_of_labels(found, source)
    if len(found.conditions) > 1 and all(item.slots is None for item in found.items):
        return replace(found, notes=(*found.notes, *_unequal(with_sentences(found)), *_empty(found, source)))
    return found


def with_sentences(found: ForeignSet) -> ForeignSet:
    """The set without the rows of a table in which there is no sentence, which stay in the file; a set of nothing else stays as it is."""
    if found.shape != "csv" or not any(s.text.strip() for item in found.items for s in item.sentences):
        return found
    if all(s.text.strip() for item in found.items for s in item.sentences):
        return found
    items = (replace(item, sentences=tuple(s for s in item.sentences if s.text.strip())) for item in found.items)
    return replace(found, items=tuple(item for item in items if item.sentences))


def _empty(found: ForeignSet, source: SourceFile) -> list[str]:
    """Which rows of a table have no sentence."""
    gone = [(item, s) for item in found.items for s in item.sentences if found.shape == "csv" and not s.text.strip()]
    if not gone:
        return []
    some = "; ".join(f"item {item.label}: {s.condition}, {source.place(s.line)}" for item, s in gone[:_NAMED])
    have, are = ("rows have", "their conditions are") if len(gone) > 1 else ("row has", "its condition is")
    return [f"{len(gone):,} {have} no sentence, and {are} lacking ({some}{' …' if len(gone) > _NAMED else ''})"]


def _unequal(found: ForeignSet) -> list[str]:
    """Which items have a condition that most do not have, and which lack one that others have."""
    times = Counter(condition for item in found.items for condition in {s.condition for s in item.sentences})
    rare = [condition for condition in found.conditions if times[condition] * 2 < len(found.items)]
    if len(rare) == len(found.conditions):
        rare = []  # no item is as most are
    own = {item.label: [c for c in rare if any(s.condition == c for s in item.sentences)] for item in found.items}
    lacking = {item.label: [c for c in _lacking(found, item) if c not in rare] for item in found.items}
    said = []
    for items, what in ((own, "have a condition that the others do not have"), (lacking, "lack a condition")):
        odd = [(label, names) for label, names in items.items() if names]
        if odd:
            some = "; ".join(f"item {label}: {', '.join(names[:4])}" for label, names in odd[:3])
            have = what if len(odd) > 1 else what.replace("have a", "has a", 1).replace("lack a", "lacks a")
            said.append(f"{len(odd):,} of {len(found.items):,} items {have} ({some}{' …' if len(odd) > 3 else ''})")
    return said


def _lacking(found: ForeignSet, item: ForeignItem) -> list[str]:
    own = {sentence.condition for sentence in item.sentences}
    return [condition for condition in found.conditions if condition not in own]


def says_missing(cell: str) -> bool:
    """Whether a cell holds what people write where there is no sentence, such as n/a or a dash."""
    cell = cell.strip()
    return len(cell) < 12 and bool(cell.casefold() in _NOT_THERE or _NO_WORD.fullmatch(cell))


def _without_missing(found: ForeignSet, source: SourceFile) -> ForeignSet:
    said = {cell.strip().casefold() for cell in source.options.missing}
    seen: dict[str, list[tuple[ForeignItem, ForeignSentence]]] = {}
    for item in found.items:
        for sentence in item.sentences:
            cell = sentence.text.strip()
            if (len(cell) < 12 and cell.casefold() in said) or says_missing(cell):
                seen.setdefault(cell, []).append((item, sentence))
    open_ones = [cell for cell in seen if cell.casefold() not in said]
    # Where most cells are such, they are what the file has.
    most = sum(map(len, seen.values())) * 2 > sum(len(item.sentences) for item in found.items)
    if open_ones and not most and not source.options.as_it_is and source.known.get("format") is None:
        item, sentence = seen[open_ones[0]][0]
        options = {"missing": (*source.options.missing, *open_ones)}
        times = sum(len(seen[cell]) for cell in open_ones)
        listed = ", ".join(map(repr, open_ones))
        lacking = sum(len(_lacking(found, item)) for item in found.items)
        are_gone = f"{times} sentence{' is' if times == 1 else 's are'} missing there"
        are_gone += f", beside {lacking} that the file does not have" if lacking else ""
        is_are = "is no sentence" if len(open_ones) == 1 else "are no sentences"
        message = f"item {item.label} holds {sentence.text.strip()!r} for {sentence.condition}, and {listed} {is_are}"
        source.ask(
            sentence.line,
            message,
            f"{listed} {is_are}, it seems. Are {times} sentences missing there?",
            [FileAnswer("yes", f"{are_gone}, and their items lack a condition", options)],
            hint="Or put the sentences in.",
        )
    if not said:
        return found
    gone = [sentence for cell, own in seen.items() if cell.casefold() in said for _, sentence in own]
    ours = {id(sentence) for sentence in gone}
    items = (replace(item, sentences=tuple(s for s in item.sentences if id(s) not in ours)) for item in found.items)
    lines = ", ".join(dict.fromkeys(source.place(s.line) for s in gone[:4] if s.line))
    taken = Assumption("missing sentences", f"{len(gone)} cells{f' ({lines})' if lines else ''}", "as said", "said", "--missing")
    return replace(found, items=tuple(item for item in items if item.sentences), assumptions=(*found.assumptions, taken))


def _expect_no_dates(found: ForeignSet, source: SourceFile) -> None:
    """Refuse labels of conditions that a spreadsheet made dates of: two labels may have become one, or one two."""
    dates = [label for label in found.conditions if _DATE.fullmatch(label)]
    numbers = [label for label in found.conditions if _SERIAL.fullmatch(label)]
    if not dates and not (numbers and len(numbers) < len(found.conditions)):
        return
    odd = numbers[0] if numbers else dates[0]
    _refuse_label(
        found,
        source,
        odd,
        f"the condition {odd!r} looks like a date that a spreadsheet made of another label",
        f"All labels: {', '.join(found.conditions)}. Write in the file what they were",
    )


def _expect_no_slip(found: ForeignSet, source: SourceFile) -> None:
    """Refuse a label that one item has instead of the one that all others have."""
    if len(found.items) < 3 or len(found.conditions) < 3 or found.shape == "condition_columns":
        return  # a heading is one label for all items
    times = Counter(condition for item in found.items for condition in {s.condition for s in item.sentences})
    usual = [condition for condition in found.conditions if times[condition] >= len(found.items) - 1]
    for condition in found.conditions:
        if times[condition] != 1:
            continue
        item = next(item for item in found.items if any(s.condition == condition for s in item.sentences))
        own = {s.condition for s in item.sentences}
        lacks = [name for name in usual if name not in own]
        if len(lacks) == 1 and times[lacks[0]] == len(found.items) - 1 and own - {condition} <= set(usual):
            _refuse_label(
                found,
                source,
                condition,
                f"item {item.label} alone has a condition {condition!r}, and lacks {lacks[0]!r}, which all others have",
                f"If it is that one, write {lacks[0]!r} there",
            )


def _expect_spaces(found: ForeignSet, source: SourceFile) -> None:
    """Refuse sentences whose words underscores part, as presentation programs write regions of several words."""
    texts = [sentence for item in found.items for sentence in item.sentences]
    odd = [sentence for sentence in texts if _JOINED.search(sentence.text)]
    if len(texts) > 1 and len(odd) * 2 > len(texts) and found.shape != "tuples":
        message = f"underscores stand between the words of {len(odd):,} of {len(texts):,} sentences: {odd[0].text[:60]}"
        source.ask(
            odd[0].line,
            message,
            f"{message[0].upper()}{message[1:]}. Do they stand for blanks?",
            [
                FileAnswer(
                    "yes",
                    "underscores become blanks; which words were shown together is not kept",
                    {"clean": (*source.options.clean, "underscores")},
                )
            ],
            hint=f"To keep what was shown together as regions, write blanks for them, and / between regions. If they belong to the sentences, "
            f"say --format {found.shape}.",
        )


def _expect_no_key(found: ForeignSet, source: SourceFile) -> None:
    """Ask about pairs that are called by their places only, where an attribute says one of two things of every pair: it may say which of
    the two is the good one, so that a place is no condition."""
    if (
        found.shape not in _BY_PLACE
        or len(found.conditions) != 2
        or found.expected
        or any(len(item.sentences) != 2 for item in found.items)
    ):
        return
    if not all(ANY_MEMBER.fullmatch(fold(condition)) for condition in found.conditions):
        return
    for known in found.meta.get("places", {}).values():
        if any(list(place[:-1]) != list(known["at"][0]) or place[-1] not in found.conditions for place, _ in known["sentences"]):
            return  # under a key of their own they are said to be conditions
    for name in found.items[0].attributes if len(found.items) > 1 else ():
        times = Counter(str(item.attributes.get(name)) for item in found.items)
        if len(times) != 2:
            continue
        one, other = found.conditions
        message = f"{name!r} says {' or '.join(sorted(times))} of every pair, and may say which of {one!r} and {other!r} is the good one"
        source.ask(
            found.items[0].line,
            message,
            f"{message[0].upper()}{message[1:]}. Is it something else, so that {one} and {other} are the conditions as they stand?",
            [
                *_by_key(found, name, sorted(times)),
                FileAnswer("yes", f"{one} and {other} are conditions, and {name} is an attribute", {"format": found.shape}),
            ],
            hint="If it says which is good and none of these is so, put the good sentence of every pair under sentence_good and the other one "
            "under sentence_bad.",
        )


def _by_key(found: ForeignSet, name: str, values: Sequence[str]) -> list[FileAnswer]:
    """That a key says which of two sentences is good, for each of its values that may mean the first one; a value that names the second one
    says nothing else than the other."""
    one, other = found.conditions
    last = fold(other).rpartition("_")[2]
    return [
        FileAnswer(
            value,
            f"where {name} is {value}, {one} is the good sentence, elsewhere {other}",
            {"format": "condition_columns", "sentence_columns": (one, other), "good": (f"{name}={value}",)},
        )
        for value in values
        if fold(value) not in (fold(other), last)
    ]


def _expect_none_left_out(found: ForeignSet, source: SourceFile) -> None:
    """Ask about an attribute that says of some of the items, or of some of their sentences, that they are not to be used."""
    whole = sum(len(item.sentences) for item in found.items)
    for name, counts in said_of(found, source).items():
        folded = fold(name)
        said = dict(counts)
        if (without := whole - sum(said.values())) > 0:
            said[""] = said.get("", 0) + without  # under a key that these do not have
        is_status = folded in _OF_STATUS
        out = {value for value in said if _says_out(folded, value, is_status=is_status)}
        of_kind = {value for value in said if len(said) <= _KINDS and is_of_no_item(value)}
        if _IN.fullmatch(folded) is not None and {v.strip().casefold() for v in said} - _TRUE <= {""}:
            out |= {value for value in said if not value.strip()}  # a cross at all that are used
        out |= of_kind
        if not out or len(out) == len(said):
            continue
        # Of practice and fillers there may be more than of items.
        if not of_kind and sum(said[value] for value in out) * 2 > whole:
            continue
        odd = [entry for entry in saying(found, name, out) if entry[1].text.strip()]
        by_item: dict[str, set[str]] = {item.label: set() for item in found.items}
        for item, sentence, _ in odd:
            by_item[item.label].add(sentence.condition)
        if not odd or (len(by_item) > 1 and len(set(map(frozenset, by_item.values()))) == 1):
            continue  # it tells the conditions apart
        if sum(value.strip().casefold() in s.text.casefold().split() for _, s, value in odd) * 2 > len(odd):
            continue  # a word of each sentence, such as the critical one
        kept = {value for value in said if value not in out}
        item, sentence, value = odd[0]
        items = len(dict.fromkeys(i.label for i, *_ in odd))
        message = (
            f"{name!r} says {value!r} of {len(odd):,} of {whole:,} sentences ({items:,} of {len(found.items):,} items), such as item "
            f"{item.label}: {sentence.text[:60]}, as if they were not to be used"
        )
        ways = [FileAnswer("all", f"all are taken, and {name} is an attribute", {"format": found.shape})]
        hint = "To leave them out, delete them from the file."
        if (found.shape in _WITH_KEYS or source.known.get("is_table")) and len(kept) <= _VALUES:
            own: dict[str, object] = {"only": (*source.options.only, *(f"{name}={value}" for value in sorted(kept)))}
            if source.known.get("is_table") and all(value.strip() for value in out):
                own = {"leave_out": (*source.options.leave_out, *(f"{name}={value.strip()}" for value in sorted(out)))}
            ways.insert(0, FileAnswer("out", f"what {name} says so of is left out, {len(odd):,} of the sentences", own))
            hint = ""
        source.ask(item.line or sentence.line, message, f"{message}. Are they left out?", ways, hint=hint)


def says_retired(said: str) -> bool:
    """Whether a remark says that what it is about is not to be used."""
    folded = said.strip().casefold()
    return _NOT_USED.search(folded) is not None or _RETIRED.match(folded) is not None


def _says_out(folded: str, value: str, *, is_status: bool) -> bool:
    """Whether what stands under a heading says that something is not to be used; of one for notes `is_status`, in more words."""
    said = value.strip().casefold()
    return (
        is_not_to_be_used(folded, value)
        or _NOT_USED.fullmatch(said) is not None
        or (is_status and (_RETIRED.match(said) is not None or _UNDONE.fullmatch(said) is not None))
    )


def _expect_one_meaning(found: ForeignSet, source: SourceFile) -> None:
    """Ask about letters or numbers before sentences that seem to mean another condition in one item than in the others."""
    if not all(_SIGN.fullmatch(label) for label in found.conditions) or found.shape not in ("numbered", "csv"):
        return
    odd = exchanged_of(found, source)
    if odd is not None:
        item = odd[0]
        message = (
            f"{', '.join(found.conditions)} seem to mean other conditions in item {item.label} than in the others, by {odd[1]!r}"
        )
        source.ask(
            item.sentences[0].line,
            message,
            f"{message}. Are they the same conditions all the same?",
            [FileAnswer("yes", "they are the same conditions in all items", {"format": found.shape})],
            hint="If they are not, correct them in the file.",
        )


def exchanged_of(found: ForeignSet, source: SourceFile, most: int | None = None) -> tuple[ForeignItem, str] | None:
    """The first item, of so many, whose words say that its labels stand at other sentences than those of the others, and what shows it; found
    once for whoever asks."""
    known = source.known.get("exchanged")
    if known is None or known[0] is not found.items:
        place = {label: n for n, label in enumerate(found.conditions)}
        whole = [
            item
            for item in found.items[:most]
            if len(item.sentences) == len(place) and {s.condition for s in item.sentences} == place.keys()
        ]
        odd = odd_order([[s.text for s in sorted(item.sentences, key=lambda s: place[s.condition])] for item in whole])
        known = source.known["exchanged"] = found.items, None if odd is None else (whole[odd[0]], odd[1])
    exchanged: tuple[ForeignItem, str] | None = known[1]
    return exchanged


def _expect_one_set_of_labels(found: ForeignSet, source: SourceFile) -> None:
    """Ask about items of which some have conditions of one set of labels and all others those of another one, equally many."""
    sets = Counter(frozenset(s.condition for s in item.sentences) for item in found.items if item.sentences)
    several = list(sets)
    if (
        len(several) != 2
        or several[0] & several[1]
        or len(several[0]) != len(several[1])
        or len(several[0]) < 2
        or min(sets.values()) < 2
    ):
        return
    first = next(item for item in found.items if {s.condition for s in item.sentences} == several[1])
    one, other = (", ".join(label for label in found.conditions if label in own) for own in several)
    counts = [sets[own] for own in several]
    message = (
        f"{counts[0]:,} items have the conditions {one}, and {counts[1]:,} the conditions {other}, from item {first.label} on"
    )
    source.ask(
        first.sentences[0].line,
        message,
        f"{message}. Are these other conditions?",
        [FileAnswer("yes", f"they are {len(found.conditions)} conditions, half of which each item has", {"format": found.shape})],
        hint="If they are two names of the same conditions, write one of them everywhere in the file.",
    )


def _refuse_label(found: ForeignSet, source: SourceFile, label: str, message: str, hint: str) -> NoReturn:
    line = found.line_of(label)
    options = {**source.options.said(), "format": found.shape}
    command = source.typed(FileAnswer("", "", options))
    source.refuse(line, message, hint=f"{hint}; or take the labels as they are:\n  {command}\n{source.head}\n")


def listed_columns(headings: Sequence[str]) -> bool:
    """Whether columns are called as the lists of an experiment are (List A, List B): on a list conditions change from row to row."""
    return len(headings) > 1 and all(_LIST.fullmatch(heading.strip().casefold()) for heading in headings)
