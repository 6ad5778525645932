"""The linter on sentences that no paradigm of ours made: the rules that need nothing but the texts of an item, and the rules on words,
which read the roles that the sentences of an item show beside each other.

Rules on slots and shapes need a paradigm that says what each word is for; they are named as not asked, with the reason.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from gapsmith.bank import Finding, FindingPlace, Looked, Severity, texts_digest
from gapsmith.bank.formats import ForeignItem, ForeignSet
from gapsmith.vetting.roles import RoleReader
from gapsmith.vetting.rules.engine import RuleSelection, finding_of, text_rules, word_rules
from gapsmith.vetting.rules.knowledge import load_knowledge
from gapsmith.vetting.rules.model import Rule
from gapsmith.vetting.rules.packs import page
from gapsmith.vetting.rules.registry import RULES
from gapsmith.vetting.rules.role_rules import UNKNOWN_WORDS, told_in_no_list
from gapsmith.vetting.rules.set_edits import EditFacts
from gapsmith.vetting.rules.text_repair import final_mark, text_flaws

_EVERY = 1000
_TYPOGRAPHY = frozenset({"T030", "T031", "T032", "T033", "T034", "T035", "T036", "T037", "T038", "T039"})
_MOST = 0.5
"""A condition that more than this share of the items has is one that an item can lack."""

NOT_ASKED: Mapping[str, str] = {
    "T003": "any label is a condition here",
    "T01, T02, T1": "they compare sentences with the template that they were made from",
    "T040": "sentences that were not made from a template may well have commas",
    "L310, L311, L406": "they look for words of templates of ours",
    "L8": "rules on pairs need a paradigm that says which member is good; `gapsmith import` and `gapsmith lint` ask them",
    "P": "rules on parses need slots, which say what each word is for",
    "C1 (except C101, C103, C104)": "they compare words in slots",
}
"""Codes that are not asked of a file of sentences, and why."""


@dataclass(frozen=True, slots=True)
class ForeignFinding:
    """A finding and where in the file it belongs."""

    label: str
    line: int
    """The line or row of the sentence, else of the item's first one; 0 where the file has none."""
    sentence: str
    """The sentence that it is about; empty where it is about the item."""
    finding: Finding


@dataclass(frozen=True)
class ForeignAudit:
    """What the rules say of a file."""

    n_items: int
    n_sentences: int
    findings: tuple[ForeignFinding, ...]
    """Item by item in file order, the worst first."""
    asked: tuple[str, ...]
    """Codes of the rules that looked."""
    not_asked: Mapping[str, str]
    looked: Looked
    """What the rules on words could look at, and what not."""
    unlisted: Mapping[str, Collection[str]]
    """Each word that no list has, to the items that have it."""

    @property
    def in_no_list(self) -> str:
        """Which words of how many items no word list has, and what follows; empty where there are none."""
        return told_in_no_list(self.unlisted)

    def items_with(self, severity: Severity) -> tuple[str, ...]:
        """The labels of the items with a finding at or above a severity."""
        found = (f.label for f in self.findings if f.finding.severity.rank >= severity.rank)
        return tuple(dict.fromkeys(found))

    def by_rule(self) -> dict[str, list[ForeignFinding]]:
        """The findings by code: errors before warnings, the frequent ones first."""
        found: dict[str, list[ForeignFinding]] = defaultdict(list)
        for entry in self.findings:
            found[entry.finding.code].append(entry)
        return dict(
            sorted(
                found.items(),
                key=lambda rule: (-max(e.finding.severity.rank for e in rule[1]), -len(rule[1]), rule[0]),
            )
        )


def audit_set(items: ForeignSet, progress: Callable[[int], None] = lambda _: None) -> ForeignAudit:
    """Ask what can be asked of sentences alone; `progress` is told how many items were read."""
    shares = Counter(name for item in items.items for name in {s.condition for s in item.sentences})
    common = [name for name in items.conditions if shares[name] > _MOST * len(items.items)]
    same: dict[bytes, list[ForeignItem]] = defaultdict(list)
    findings: list[ForeignFinding] = []
    looked = Looked()
    unlisted: dict[str, dict[str, None]] = defaultdict(dict)
    words = _words(items, looked, unlisted)
    edits = EditFacts()
    for number, item in enumerate(items.items, 1):
        found = [*_conditions(item, common), *_typography(item), *next(words)]
        findings.extend(sorted(found, key=lambda f: (-f.finding.severity.rank, f.finding.code)))
        alike = same[texts_digest(sorted((s.condition, s.text) for s in item.sentences))] if item.sentences else []
        texts = {s.condition: s.text for s in reversed(item.sentences) if s.text.strip()}
        edits.add(item.label, texts, is_copy=bool(alike))
        alike.append(item)
        if number % _EVERY == 0:
            progress(number)
    findings = _with_findings(items, findings, [*_of_set(items, edits), *_copies(same.values())])
    return ForeignAudit(
        n_items=len(items.items),
        n_sentences=sum(len(item.sentences) for item in items.items),
        findings=tuple(findings),
        asked=(
            *("T001", "T002", "T004", "T005", *sorted(_TYPOGRAPHY), "C101", "C103", "C104"),
            *sorted(rule.code for rule in text_rules(RuleSelection())),
            *sorted(looked.rules),
        ),
        not_asked=NOT_ASKED,
        looked=looked,
        unlisted=unlisted,
    )


def _words(items: ForeignSet, looked: Looked, unlisted: dict[str, dict[str, None]]) -> Iterator[list[ForeignFinding]]:
    """What the rules on words say of each item, by the roles that its sentences show; words that no list has go to `unlisted`."""
    knowledge, selection = load_knowledge(), RuleSelection()
    rules = word_rules(knowledge, selection)
    of_texts = text_rules(selection)
    reader = RoleReader()
    unknown: set[str] = set()
    of_pairs = len(items.conditions) == _IN_A_PAIR
    for start in range(0, len(items.items), _EVERY):
        chunk = items.items[start : start + _EVERY]
        texts = [{s.condition: s.text for s in reversed(item.sentences) if s.text.strip()} for item in chunk]
        reader.look_ahead(texts)
        for item, own in zip(chunk, texts, strict=True):
            roles = reader.read(own)
            looked.add(rules.look(roles))
            found = [
                finding_of(rule, hit, knowledge, selection, of_pairs=of_pairs)
                for rule in of_texts
                for hit in rule.check(own, knowledge)
            ]
            found += rules.check(roles)
            for finding in found:
                if finding.unlisted:
                    unlisted[finding.unlisted][item.label] = None
            # A word that no list has is told once.
            yield [_of_word(item, f) for f in found if f.code not in UNKNOWN_WORDS or f.message not in unknown]
            unknown |= {finding.message for finding in found if finding.code in UNKNOWN_WORDS}


_IN_A_PAIR = 2


def _of_word(item: ForeignItem, finding: Finding) -> ForeignFinding:
    sentence = next((s for s in item.sentences if s.condition == finding.place.condition), None)
    line = sentence.line if sentence is not None else next((s.line for s in item.sentences), 0)
    return ForeignFinding(item.label, line, sentence.text if sentence is not None else "", finding)


def _conditions(item: ForeignItem, common: list[str]) -> Iterator[ForeignFinding]:
    texts: dict[str, list[str]] = {}
    for sentence in item.sentences:
        texts.setdefault(sentence.condition, []).append(sentence.text)
    for name in common:
        if name not in texts:
            yield _about(item, "T001", f"there is no sentence in the condition {name}", name)
    first: dict[str, str] = {}
    for name, same in texts.items():
        if len(same) > 1:
            how = "with the same text" if len(set(same)) == 1 else "with different texts"
            yield _about(item, "T002", f"the condition {name} is there {len(same)} times, {how}", name)
        if any(not text.strip(" \t\n.") for text in same):
            yield _about(item, "T004", f"the sentence of {name} is empty", name)
        bare = " ".join(same[0].split()).casefold()
        if bare in first:
            yield _about(item, "T005", f"{name} has the same text as {first[bare]}", name)
        elif bare:
            first[bare] = name


def _typography(item: ForeignItem) -> Iterator[ForeignFinding]:
    mark = final_mark(sentence.text for sentence in item.sentences)
    for sentence in item.sentences:
        if not sentence.text.strip():
            continue
        flaws = [flaw for flaw in text_flaws(sentence.text, mark) if flaw.code in _TYPOGRAPHY]
        for code in dict.fromkeys(flaw.code for flaw in flaws):
            of_code = [flaw for flaw in flaws if flaw.code == code]
            message = f"{sentence.condition} {'; '.join(dict.fromkeys(flaw.message for flaw in of_code))}"
            place = FindingPlace(sentence.condition, of_code[0].start, of_code[-1].end)
            yield ForeignFinding(item.label, sentence.line, sentence.text, _finding(code, message, place))


def _of_set(items: ForeignSet, edits: EditFacts) -> Iterator[ForeignFinding]:
    """What is said of an item beside the others."""
    by_label = {item.label: item for item in items.items}
    for alike in edits.copies():
        found = _about(by_label[alike.label], "C103", alike.message, None)
        yield _remark(found) if alike.is_first else found
    for odd in edits.odd():
        yield _about(by_label[odd.label], "C104", odd.message, odd.conditions[0])


def _copies(alike: Iterable[Sequence[ForeignItem]]) -> Iterator[ForeignFinding]:
    for items in alike:
        if len(items) > 1:
            first = [item.label for item in items[: _NAMED_WORDS + 1]]
            for place, item in enumerate(items):
                others = [label for label in first if label != item.label][:_NAMED_WORDS]
                more = f" and {len(items) - 1 - len(others):,} more" if len(items) - 1 > len(others) else ""
                what = f"item{'s' if len(items) > 2 else ''} {', '.join(others)}{more}"
                found = _about(item, "C101", f"has the same sentences as {what}", None)
                yield found if place else _remark(found)


def _remark(found: ForeignFinding) -> ForeignFinding:
    """Of items that are alike the first may stay."""
    return replace(found, finding=replace(found.finding, severity=Severity.INFO))


_NAMED_WORDS = 5


def _with_findings(items: ForeignSet, findings: list[ForeignFinding], more: Sequence[ForeignFinding]) -> list[ForeignFinding]:
    if not more:
        return findings
    by_item: dict[str, list[ForeignFinding]] = defaultdict(list)
    for entry in findings:
        by_item[entry.label].append(entry)
    for entry in more:
        by_item[entry.label].append(entry)
    return [entry for item in items.items for entry in by_item.get(item.label, ())]


def _about(item: ForeignItem, code: str, message: str, condition: str | None) -> ForeignFinding:
    sentence = next((s for s in reversed(item.sentences) if s.condition == condition), None)
    line = sentence.line if sentence is not None else next((s.line for s in item.sentences), 0)
    text = sentence.text if sentence is not None else ""
    return ForeignFinding(item.label, line, text, _finding(code, message, FindingPlace(condition)))


def _finding(code: str, message: str, place: FindingPlace) -> Finding:
    rule: Rule = RULES[code]
    return Finding(code, rule.severity, message, page(code).remedy, place)
