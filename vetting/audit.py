"""How good is the linter? Its findings on items whose flaws are known, code by code.

A gold file is a CSV with the columns sentence_type (the paradigm), item_id, design, condition, full_sentence, expected,
flaw and word: one row per sentence. `expected` is empty for a sound item; else it holds the codes that name the flaw,
joined by ``|``, its own code first. `word` is the word or phrase that is flawed, empty where it is no word. A column `also`
may hold codes of what is true of the item besides.
"""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path

from bank import Finding, ItemStatus, Severity, StoredItem
from templates import FormatError, Paradigm, Source, align, load_paradigm
from vetting.rules.engine import Linter
from vetting.rules.frames import read_frame
from vetting.rules.knowledge import Knowledge
from vetting.rules.linkers import read_linker

__all__ = ["Audit", "CodeAudit", "GoldItem", "audit", "read_gold", "shipped_gold"]

_COLUMNS = ("sentence_type", "item_id", "design", "condition", "full_sentence", "expected", "flaw", "word")


_LISTS_BY_FAMILY: Mapping[str, tuple[str, ...]] = {
    "L2": ("verbs",),
    "L3": ("verbs", "function_words", "linkers"),
    "L4": ("nouns", "function_words"),
    "L5": ("names", "function_words", "nouns"),
    "L6": ("adverbs",),
}
"""The lists on which the rules of a group rest; frames and linkers are read by their own parsers."""


@dataclass(frozen=True, slots=True)
class GoldItem:
    """An item and what is wrong with it."""

    paradigm: str
    label: str
    design: str | None
    cells: tuple[tuple[str, str], ...]
    """(condition label, text), in file order; a condition may be missing or doubled, that may be the flaw."""
    expected: tuple[str, ...]
    """The codes that name the flaw, its own first; empty for a sound item."""
    flaw: str
    word: str
    also: tuple[str, ...] = ()
    """Codes of what is true of the item besides: a flaw may bring another with it."""


@dataclass
class CodeAudit:
    """What became of the flaws that have this code as their own, and of the findings with this code."""

    planted_known: int = 0
    found_known: int = 0
    planted_unknown: int = 0
    """Flaws whose word is in none of the linter's lists."""
    found_unknown: int = 0
    right: int = 0
    """Findings with this code that name the flaw of their item, or what else is true of it."""
    wrong: int = 0
    """Errors and warnings with this code on items of which that is not true."""

    @property
    def precision(self) -> float | None:
        """Share of the findings that are right; None where there are none."""
        return self.right / (self.right + self.wrong) if self.right + self.wrong else None


@dataclass
class Audit:
    """The outcome of an audit. `missed` and `false_alarms` hold what a person should read."""

    codes: dict[str, CodeAudit] = field(default_factory=lambda: defaultdict(CodeAudit))
    n_clean: int = 0
    n_flawed: int = 0
    n_flaw_kinds: int = 0
    missed: list[tuple[GoldItem, list[Finding]]] = field(default_factory=list)
    false_alarms: list[tuple[GoldItem, list[Finding]]] = field(default_factory=list)
    """Sound items with an error or a warning."""
    hidden_planted: int = 0
    """Flaws with a known word, read once more with the entries of that word taken out of the lists."""
    hidden_found: int = 0
    hidden_questioned: int = 0
    """Of those not found, how many have a finding that says that a word is unknown."""

    def recall(self, prefix: str, *, known: bool) -> tuple[int, int]:
        """(found, planted) over the codes that start with `prefix`."""
        chosen = [entry for code, entry in self.codes.items() if code.startswith(prefix)]
        if known:
            return sum(c.found_known for c in chosen), sum(c.planted_known for c in chosen)
        return sum(c.found_unknown for c in chosen), sum(c.planted_unknown for c in chosen)


def shipped_gold() -> Path:
    """The gold set that comes with gapsmith."""
    return Path(str(resources.files("vetting"))) / "gold" / "gold.csv"


def read_gold(path: Path) -> list[GoldItem]:
    """The items of a gold file. Raises `FormatError` with the line where it is not one."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            missing = [name for name in _COLUMNS if name not in (reader.fieldnames or ())]
            if missing:
                raise FormatError(
                    f"{path}, line 1: the column {missing[0]!r} is missing", hint=f"Columns: {', '.join(_COLUMNS)}."
                )
            rows = list(reader)
    except FileNotFoundError:
        raise FormatError(f"{path}: there is no such file") from None
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise FormatError(f"{path}: cannot be read as CSV in UTF-8 ({error})") from None
    grouped: dict[tuple[str, str], list[Mapping[str, str]]] = {}
    for row in rows:
        grouped.setdefault((row["sentence_type"], row["item_id"]), []).append(row)
    return [_item(path, of) for of in grouped.values()]


def _item(path: Path, rows: list[Mapping[str, str]]) -> GoldItem:
    first = rows[0]
    for name in ("expected", "design"):
        if len({row[name] for row in rows}) > 1:
            raise FormatError(f"{path}, item {first['item_id']}: its rows disagree on {name}")
    return GoldItem(
        paradigm=first["sentence_type"],
        label=first["item_id"],
        design=first["design"] or None,
        cells=tuple((row["condition"], row["full_sentence"]) for row in rows),
        expected=_codes(first["expected"]),
        flaw=first["flaw"],
        word=first["word"],
        also=_codes(first.get("also") or ""),
    )


def _codes(cell: str) -> tuple[str, ...]:
    return tuple(code.strip() for code in cell.split("|") if code.strip())


def audit(items: list[GoldItem], knowledge: Knowledge, workspace: Path | None = None) -> Audit:
    """Read every item with all rules. A flaw counts as found if one of the codes that name it is among the findings;
    on a sound item every error or warning is a false alarm."""
    result = Audit(n_flaw_kinds=len({item.flaw for item in items if item.expected}))
    linters: dict[str, Linter] = {}
    for item in items:
        linter = linters.get(item.paradigm)
        if linter is None:
            linter = linters[item.paradigm] = Linter(load_paradigm(item.paradigm, workspace), knowledge)
        findings = linter.check(_stored(item, linter.paradigm))
        _count(result, item, findings, knowledge)
        if item.expected and item.expected[0].startswith("L") and (entries := _entries(item, knowledge)):
            _count_hidden(result, item, Linter(linter.paradigm, knowledge.without(entries)))
    return result


def _count(result: Audit, item: GoldItem, findings: list[Finding], knowledge: Knowledge) -> None:
    codes = Counter(finding.code for finding in findings)
    serious = [finding for finding in findings if finding.severity is not Severity.INFO]
    if not item.expected:
        result.n_clean += 1
        if serious:
            result.false_alarms.append((item, serious))
    else:
        result.n_flawed += 1
        found = any(code in codes for code in item.expected)
        own = result.codes[item.expected[0]]
        if not item.word or _entries(item, knowledge):
            own.planted_known += 1
            own.found_known += found
        else:
            own.planted_unknown += 1
            own.found_unknown += found
        if not found:
            result.missed.append((item, findings))
    for code in codes:
        if code in item.expected or code in item.also:
            result.codes[code].right += 1
        elif any(finding.code == code for finding in serious):
            result.codes[code].wrong += 1


def _count_hidden(result: Audit, item: GoldItem, linter: Linter) -> None:
    codes = {finding.code for finding in linter.check(_stored(item, linter.paradigm))}
    result.hidden_planted += 1
    if codes & set(item.expected):
        result.hidden_found += 1
    elif codes & {"L105", "L200", "L250", "L400", "L500", "L600"}:
        result.hidden_questioned += 1


def _entries(item: GoldItem, knowledge: Knowledge) -> frozenset[str]:
    """The entries of the lists that the flawed word of an item rests on."""
    word = item.word.casefold()
    code = item.expected[0]
    if code.startswith("L1"):
        predicate = read_frame(item.word, knowledge).predicate
        return frozenset({predicate} if predicate else ())
    if code.startswith(("L25", "L26")):
        head = read_linker(item.word, knowledge).head
        return frozenset({head} if head else ())
    lists = _LISTS_BY_FAMILY.get(code[:2], tuple(knowledge.lists))
    found = {form for form in (word, *word.split()) if any(form in knowledge.lists[name] for name in lists)}
    if "verbs" in lists:
        found |= {form.lemma for form in knowledge.verb_forms.get(word, ()) if form.lemma in knowledge.lists["verbs"]}
    if "nouns" in lists and word in knowledge.plural_nouns:
        found.add(knowledge.plural_nouns[word])
    return frozenset(found)


def _stored(item: GoldItem, paradigm: Paradigm) -> StoredItem:
    resolved = [(paradigm.resolve_label(label) or label, text) for label, text in item.cells]
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
