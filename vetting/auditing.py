"""How good is the linter? The only place that says it, from its findings on items whose flaws are known: recall with the right
code, precision, and how often a sound item is warned of, each apart for words that the lists have and words that they do not.

A gold file is a CSV in one of three shapes. One row per sentence: sentence_type (the paradigm), item_id, design, condition,
full_sentence, expected, flaw and word. `expected` is empty for a sound item; else it holds the codes that name the flaw,
joined by ``|``, its own code first. `word` is the word or phrase that is flawed, empty where it is no word. A column `also`
may hold codes of what is true of the item besides.

One row per item: id, the slots of the subject parasitic gap, sound (yes or no), flaw_slot and flaw_kind. Which codes name a
flaw is then said by a file ``codes.csv`` beside it (flaw_slot, flaw_kind, codes). The sentences are realised from the slots
and read back without them, as a file of sentences would be.

One row per item of any paradigm: paradigm, expected, flaw and words, the choices and slots with their values (``verb=wrapped;
object=clock``). The sentences are realised and read back in the same way.
"""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from importlib import resources
from pathlib import Path

from gapsmith.bank import Finding, ItemStatus, Severity, StoredItem
from gapsmith.templates import FormatError, Paradigm, Source, align, load_paradigm, realise, text_of
from gapsmith.vetting.rules.engine import Linter
from gapsmith.vetting.rules.frames import read_frame
from gapsmith.vetting.rules.knowledge import Knowledge
from gapsmith.vetting.rules.linker_grammar import read_linker
from gapsmith.vetting.rules.view import ItemView
from gapsmith.vetting.wordrates import KIND_TABLES, load_kinds

_SENTENCE_COLUMNS = ("sentence_type", "item_id", "design", "condition", "full_sentence", "expected", "flaw", "word")
_SLOT_COLUMNS = ("id", "sound", "flaw_slot", "flaw_kind")
_WORD_COLUMNS = ("paradigm", "expected", "flaw", "words")
_SLOT_PARADIGM = "subject_pg"

_LISTS_BY_FAMILY: Mapping[str, tuple[str, ...]] = {
    "L2": ("verbs",),
    "L3": ("verbs", "function_words", "linkers"),
    "L4": ("nouns", "function_words"),
    "L5": ("names", "function_words", "nouns"),
    "L6": ("adverbs",),
}
"""The lists on which the rules of a group rest; frames and linkers are read by their own parsers."""


class Wordhood(StrEnum):
    """Where the linter's knowledge of an item's words comes from."""

    KNOWN = "known"
    """From a list."""
    COUNTED = "counted"
    """From rates counted in a corpus."""
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class GoldItem:
    """An item and what is wrong with it."""

    paradigm: str
    label: str
    design: str | None
    texts: tuple[tuple[str, str], ...]
    """(condition label, text), in file order; a condition may be missing or doubled, that may be the flaw."""
    expected: tuple[str, ...]
    """The codes that name the flaw, its own first; empty for a sound item."""
    flaw: str
    word: str
    also: tuple[str, ...] = ()
    """Codes of what is true of the item besides: a flaw may bring another with it."""
    source: str = ""
    """Who wrote it, and in sight of what; the audit counts sources apart."""
    words: tuple[tuple[str, str], ...] = ()
    """(role, word) of what has to be known to judge the item: the flawed words, or all of a sound one's content words."""
    levels: tuple[tuple[str, str], ...] = ()
    """(choice, level), where the paradigm has choices."""


@dataclass
class CodeAudit:
    """What became of the flaws that have this code as their own, and of the findings with this code."""

    planted: int = 0
    found: int = 0
    right: int = 0
    """Findings with this code that name the flaw of their item, or what else is true of it."""
    wrong: int = 0
    """Errors and warnings with this code on items of which that is not true."""

    @property
    def precision(self) -> float | None:
        """Share of the findings that are right; None where there are none."""
        return self.right / (self.right + self.wrong) if self.right + self.wrong else None


@dataclass
class AuditCounts:
    """Items of one source whose words the linter knows in one way."""

    flawed: int = 0
    named: int = 0
    """Flawed items with a finding of a code that names the flaw, whatever its severity."""
    warned: int = 0
    """Flawed items with an error or a warning of a code that names the flaw."""
    right: int = 0
    """Errors and warnings, one per item and code, that name the flaw of their item or what else is true of it."""
    wrong: int = 0
    """All other errors and warnings, one per item and code."""
    sound: int = 0
    sound_warned: int = 0
    """Sound items with an error or a warning."""
    sound_warned_anew: int = 0
    """Of these, items with an error or a warning of a code that the lists do not give the item."""
    sound_remarked: int = 0
    """Sound items with an info finding of which it says that it is a guess, of a code that the lists do not give the item."""

    def add(self, other: AuditCounts) -> None:
        """Count the other's items as well."""
        for name, count in vars(other).items():
            setattr(self, name, getattr(self, name) + count)

    @property
    def precision(self) -> float | None:
        """Share of the errors and warnings that are right; None where there are none."""
        return self.right / (self.right + self.wrong) if self.right + self.wrong else None


@dataclass
class Audit:
    """The outcome of an audit. `missed` and `false_alarms` hold what a person should read."""

    codes: dict[str, CodeAudit] = field(default_factory=lambda: defaultdict(CodeAudit))
    tallies: dict[tuple[str, Wordhood], AuditCounts] = field(default_factory=lambda: defaultdict(AuditCounts))
    """By source of the items and by where the knowledge of their words comes from."""
    flaw_kinds: set[str] = field(default_factory=set)
    missed: list[tuple[GoldItem, list[Finding]]] = field(default_factory=list)
    false_alarms: list[tuple[GoldItem, list[Finding]]] = field(default_factory=list)
    """Sound items with an error or a warning."""
    left_out: dict[tuple[str, Wordhood], AuditCounts] = field(default_factory=lambda: defaultdict(AuditCounts))
    """Items whose words are in a list, read once more with the entries of one word taken out: of a flawed item the flawed word,
    of a sound one each content word in turn (so that it counts several times). By source, and by whether the words were
    counted. Hand lists are made by people who think of words; this is what happens with the words that they did not think of."""
    left_out_codes: dict[str, CodeAudit] = field(default_factory=lambda: defaultdict(CodeAudit))
    """Of the flawed ones, by the flaw's own code: `planted` and `found`."""

    @property
    def sources(self) -> tuple[str, ...]:
        """Where the items come from, in the order in which they were read."""
        return tuple(dict.fromkeys(source for source, _ in self.tallies))

    def total(self, source: str | None = None, wordhood: Wordhood | None = None) -> AuditCounts:
        """The items of one source, of one kind of words, or (where None is given) of all."""
        total = AuditCounts()
        for (entry, known), tally in self.tallies.items():
            if (source is None or entry == source) and (wordhood is None or known is wordhood):
                total.add(tally)
        return total

    def recall(self, prefix: str) -> tuple[int, int]:
        """(found, planted) over the flaws whose own code starts with `prefix`."""
        chosen = [entry for code, entry in self.codes.items() if code.startswith(prefix)]
        return sum(c.found for c in chosen), sum(c.planted for c in chosen)


def shipped_gold() -> tuple[Path, ...]:
    """The gold sets that come with gapsmith: the one made beside the lists, that of the filler-gap constructions, and the blind
    one, a file for each writer."""
    folder = Path(str(resources.files("gapsmith.vetting"))) / "gold"
    return folder / "gold.csv", folder / "constructions.csv", *sorted((folder / "blind").glob("writer*.csv"))


def read_gold(path: Path) -> list[GoldItem]:
    """The items of a gold file of any shape. Raises `FormatError` with the line where it is not one."""
    rows = _rows(path)
    names = rows.names
    if "flaw_slot" in names or "sound" in names:
        _require(path, names, _SLOT_COLUMNS)
        return _slot_items(path, rows.rows)
    if "words" in names:
        _require(path, names, _WORD_COLUMNS)
        return [_word_item(path, row, number) for number, row in enumerate(rows.rows, 1)]
    _require(path, names, _SENTENCE_COLUMNS)
    grouped: dict[tuple[str, str], list[Mapping[str, str]]] = {}
    for row in rows.rows:
        grouped.setdefault((row["sentence_type"], row["item_id"]), []).append(row)
    return [_sentence_item(path, entry) for entry in grouped.values()]


@dataclass(frozen=True, slots=True)
class _Rows:
    names: Sequence[str]
    rows: list[dict[str, str]]


def _rows(path: Path) -> _Rows:
    try:
        lines = io.StringIO(text_of(path, "utf-8-sig", newline=""), newline="")
        reader = csv.DictReader(line for line in lines if not line.startswith("#"))
        return _Rows(tuple(reader.fieldnames or ()), list(reader))
    except FileNotFoundError:
        raise FormatError(f"{path}: there is no such file") from None
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise FormatError(f"{path}: cannot be read as CSV in UTF-8 ({error})") from None


def _require(path: Path, names: Sequence[str], wanted: Sequence[str]) -> None:
    missing = [name for name in wanted if name not in names]
    if missing:
        raise FormatError(f"{path}, line 1: the column {missing[0]!r} is missing", hint=f"Columns: {', '.join(wanted)}.")


def _sentence_item(path: Path, rows: list[Mapping[str, str]]) -> GoldItem:
    first = rows[0]
    for name in ("expected", "design"):
        if len({row[name] for row in rows}) > 1:
            raise FormatError(f"{path}, item {first['item_id']}: its rows disagree on {name}")
    return GoldItem(
        paradigm=first["sentence_type"],
        label=first["item_id"],
        design=first["design"] or None,
        texts=tuple((row["condition"], row["full_sentence"]) for row in rows),
        expected=_codes(first["expected"]),
        flaw=first["flaw"],
        word=first["word"],
        also=_codes(first.get("also") or ""),
        source=first.get("source") or path.stem,
    )


def _codes(cell: str) -> tuple[str, ...]:
    return tuple(code.strip() for code in cell.split("|") if code.strip())


_JUDGED_ROLES = ("matrix", "noun", "linker", "verb", "adverb")
"""The roles whose words decide whether an item is sound; an unknown name is no reason to doubt it."""


def _slot_items(path: Path, rows: list[dict[str, str]]) -> list[GoldItem]:
    paradigm = load_paradigm(_SLOT_PARADIGM)
    names = [slot.name for slot in paradigm.visible_slots]
    _require(path, tuple(rows[0]) if rows else names, names)
    codes = {(row["flaw_slot"], row["flaw_kind"]): _codes(row["codes"]) for row in _rows(path.parent / "codes.csv").rows}
    items = []
    for row in rows:
        expected: tuple[str, ...] = ()
        flawed = row["flaw_slot"].split("+") if row["sound"] == "no" else []
        if row["sound"] == "no":
            try:
                expected = codes[row["flaw_slot"], row["flaw_kind"]]
            except KeyError:
                raise FormatError(
                    f"{path}, item {row['id']}: codes.csv has no line for {row['flaw_slot']}, {row['flaw_kind']}",
                    hint=f"Add it to {path.parent / 'codes.csv'}: which codes name this flaw?",
                ) from None
        slots = {name: row[name] for name in names}
        texts = tuple((sentence.condition, sentence.text) for sentence in realise(paradigm, slots))
        items.append(
            GoldItem(
                paradigm=paradigm.name,
                label=row["id"],
                design=None,
                texts=texts,
                expected=expected,
                flaw=row["flaw_kind"],
                word=" / ".join(row[name] for name in flawed),
                source=f"{path.parent.name} {path.stem}",
                words=tuple(
                    (slot.role or "", row[slot.name])
                    for slot in paradigm.visible_slots
                    if (slot.name in flawed if flawed else slot.role in _JUDGED_ROLES)
                ),
            )
        )
    return items


def _word_item(path: Path, row: Mapping[str, str], number: int) -> GoldItem:
    paradigm = load_paradigm(row["paradigm"])
    pairs = [part.partition("=") for part in row["words"].split(";")]
    words = {name.strip(): value.strip() for name, _, value in pairs}
    own = paradigm.variant(words)
    missing = [slot.name for slot in own.visible_slots if not words.get(slot.name)]
    if missing or (paradigm.choices and own is paradigm):
        raise FormatError(
            f"{path}, item {number}: {missing[0] if missing else paradigm.choices[0].name} has no value",
            hint="The column words holds each choice and slot of the item: verb=wrapped; object=clock.",
        )
    return GoldItem(
        paradigm=paradigm.name,
        label=f"{paradigm.name} {number}",
        design=None,
        texts=tuple((sentence.condition, sentence.text) for sentence in realise(paradigm, words)),
        expected=_codes(row["expected"]),
        flaw=row["flaw"],
        word="",
        also=_codes(row.get("also") or ""),
        source=path.stem,
        levels=tuple((choice.name, words[choice.name]) for choice in paradigm.choices),
    )


def audit(items: Iterable[GoldItem], knowledge: Knowledge, workspace: Path | None = None) -> Audit:
    """Read every item with all rules. A flaw counts as named if one of the codes that name it is among the findings;
    on a sound item every error or warning is a false alarm."""
    result = Audit()
    linters: dict[tuple[str, tuple[tuple[str, str], ...]], Linter] = {}
    for item in items:
        linter = linters.get((item.paradigm, item.levels))
        if linter is None:
            paradigm = load_paradigm(item.paradigm, workspace).variant(dict(item.levels))
            linter = linters[item.paradigm, item.levels] = Linter(paradigm, knowledge)
        view = ItemView(_stored(item, linter.paradigm), linter.paradigm)
        findings = linter.check_view(view)
        roles = linter.roles(view)
        _count(result, item, findings, knowledge)
        slots = [slot for slot in linter.paradigm.visible_slots if slot.role in _JUDGED_ROLES and view.words.get(slot.name)]
        if not item.expected:
            left_out = [_entries_of([(slot.role, view.words[slot.name])], knowledge) for slot in slots]
        elif item.words:
            left_out = [_entries_of(item.words, knowledge)]
        else:
            left_out = [_entries(item, knowledge)] if item.expected[0].startswith("L") else []
        with_lists = set(linter.check_roles(roles))
        for entries in filter(None, left_out):
            words = linter.knowing(knowledge.without(entries)).check_roles(roles)
            rest = [finding for finding in findings if finding not in with_lists]
            _count_left_out(result, item, entries, rest + words, {finding.code for finding in findings})
    return result


def _entries_of(words: Iterable[tuple[str, str]], knowledge: Knowledge) -> frozenset[str]:
    """The entries of the lists that words rest on, given with their roles."""
    found: set[str] = set()
    for role, word in words:
        folded = word.casefold()
        if role == "matrix":
            frame = read_frame(word, knowledge)
            heads = {head for head in (frame.predicate, frame.other_verb) if head is not None and not frame.guessed}
            found |= heads | _parts(heads, "predicates", knowledge)
        elif role == "linker":
            reading = read_linker(word, knowledge)
            heads = {reading.head} if reading.head is not None and not reading.guessed else set()
            found |= heads | _parts(heads, "linkers", knowledge)
        else:
            forms = {folded, folded.rpartition(" ")[2], knowledge.plural_nouns.get(folded, folded)}
            forms |= {form.lemma for form in knowledge.verb_forms.get(folded, ()) if role == "verb"}
            found |= {f for f in forms for name in _LISTS_BY_ROLE.get(role, ()) if f in knowledge.lists[name]}
    return frozenset(found)


def _parts(heads: Iterable[str], name: str, knowledge: Knowledge) -> set[str]:
    """The words of phrases that are entries of their own: who does not know *tell* does not know *can tell* either."""
    return {part for head in heads if " " in head for part in head.split() if part in knowledge.lists[name]}


def _count(result: Audit, item: GoldItem, findings: list[Finding], knowledge: Knowledge) -> None:
    true = {*item.expected, *item.also}
    serious = [finding for finding in findings if finding.severity is not Severity.INFO]
    warned_codes = {finding.code for finding in serious}
    tally = result.tallies[item.source, _wordhood(item, knowledge)]
    tally.right += len(warned_codes & true)
    tally.wrong += len(warned_codes - true)
    if not item.expected:
        tally.sound += 1
        if serious:
            tally.sound_warned += 1
            result.false_alarms.append((item, serious))
    else:
        result.flaw_kinds.add(item.flaw)
        named = any(finding.code in item.expected for finding in findings)
        tally.flawed += 1
        tally.named += named
        tally.warned += bool(warned_codes & set(item.expected))
        counts = result.codes[item.expected[0]]
        counts.planted += 1
        counts.found += named
        if not named:
            result.missed.append((item, findings))
    for code in {finding.code for finding in findings}:
        if code in true:
            result.codes[code].right += 1
        elif code in warned_codes:
            result.codes[code].wrong += 1


def _wordhood(item: GoldItem, knowledge: Knowledge) -> Wordhood:
    if not item.words:
        known = not item.word or bool(_entries(item, knowledge))
        return Wordhood.KNOWN if known else Wordhood.UNKNOWN
    unknown = [(role, word) for role, word in item.words if not _knows(role, word, knowledge)]
    if not unknown:
        return Wordhood.KNOWN
    return Wordhood.COUNTED if all(_is_counted(role, word, knowledge) for role, word in unknown) else Wordhood.UNKNOWN


_TABLE_BY_ROLE = {"verb": "verbs", "noun": "nouns", "adverb": "adverbs", "name": "names"}


def _is_counted(role: str, word: str, knowledge: Knowledge) -> bool:
    folded = word.casefold()
    if role == "matrix":
        return bool(read_frame(word, knowledge).guessed)
    if role == "linker":
        return bool(read_linker(word, knowledge).guessed)
    forms = {folded, *(form.lemma for form in knowledge.verb_forms.get(folded, ()) if role == "verb")}
    return role in _TABLE_BY_ROLE and not forms.isdisjoint(load_kinds(_TABLE_BY_ROLE[role]))


_LISTS_BY_ROLE: Mapping[str, tuple[str, ...]] = {
    "verb": ("verbs",),
    "noun": ("nouns", "offensive"),
    "name": ("names", "proper_names"),
    "adverb": ("adverbs",),
}


def _knows(role: str, word: str, knowledge: Knowledge) -> bool:
    folded = word.casefold()
    if role == "matrix":
        frame = read_frame(word, knowledge)
        return (frame.predicate is not None and not frame.guessed) or frame.other_verb is not None
    if role == "linker":
        reading = read_linker(word, knowledge)
        return reading.head is not None and not reading.guessed
    if role not in _LISTS_BY_ROLE or any(knowledge.entry(name, folded) is not None for name in _LISTS_BY_ROLE[role]):
        return True
    if role == "noun":
        return folded in knowledge.plural_nouns or knowledge.entry("nouns", folded.rpartition(" ")[2]) is not None
    return role == "verb" and any(f.lemma in knowledge.lists["verbs"] for f in knowledge.verb_forms.get(folded, ()))


def _count_left_out(
    result: Audit, item: GoldItem, entries: frozenset[str], findings: list[Finding], with_lists: set[str]
) -> None:
    named = {finding.code for finding in findings} & set(item.expected)
    serious = {finding.code for finding in findings if finding.severity is not Severity.INFO}
    are_counted = any(entry.split()[0] in load_kinds(table) for entry in entries for table in KIND_TABLES)
    tally = result.left_out[item.source, Wordhood.COUNTED if are_counted else Wordhood.UNKNOWN]
    tally.right += len(serious & {*item.expected, *item.also})
    tally.wrong += len(serious - {*item.expected, *item.also})
    if not item.expected:
        tally.sound += 1
        tally.sound_warned += bool(serious)
        tally.sound_warned_anew += not serious <= with_lists
        remarks = {f.code for f in findings if f.severity is Severity.INFO and "(a guess" in f.message}
        tally.sound_remarked += not remarks <= with_lists
        return
    tally.flawed += 1
    tally.named += bool(named)
    tally.warned += bool(serious & set(item.expected))
    counts = result.left_out_codes[item.expected[0]]
    counts.planted += 1
    counts.found += bool(named)


def _entries(item: GoldItem, knowledge: Knowledge) -> frozenset[str]:
    """The entries of the lists that the flawed word of an item rests on."""
    word = item.word.casefold()
    code = item.expected[0] if item.expected else ""
    if code.startswith("L1"):
        return _entries_of([("matrix", item.word)], knowledge)
    if code.startswith(("L25", "L26")):
        return _entries_of([("linker", item.word)], knowledge)
    lists = _LISTS_BY_FAMILY.get(code[:2], tuple(knowledge.lists))
    found = {form for form in (word, *word.split()) if any(form in knowledge.lists[name] for name in lists)}
    if "verbs" in lists:
        found |= {form.lemma for form in knowledge.verb_forms.get(word, ()) if form.lemma in knowledge.lists["verbs"]}
    if "nouns" in lists and word in knowledge.plural_nouns:
        found.add(knowledge.plural_nouns[word])
    return frozenset(found)


def _stored(item: GoldItem, paradigm: Paradigm) -> StoredItem:
    resolved = [(paradigm.resolve_label(label) or label, text) for label, text in item.texts]
    return StoredItem(
        id=0,
        uid=bytes(16),
        label=item.label,
        dataset="gold",
        paradigm=paradigm.name,
        paradigm_id=0,
        revision_id=0,
        revision_number=1,
        slots=None,
        sentences=tuple(align(paradigm, name, text, {}, Source.IMPORTED) for name, text in resolved),
        status=ItemStatus.PENDING,
        reason=None,
        expects=paradigm.design(item.design).conditions if item.design else None,
        run_id=0,
        call_id=None,
        created_at="",
    )
