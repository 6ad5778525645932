"""Linting what is in a bank: paradigm by paradigm, the findings stored in place of the older ones. The only place that stores
any."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import NamedTuple

from gapsmith.bank import Bank, Finding, FindingPlace, ItemFilter, LintReading, Look, Looked, Severity, StoredFinding, StoredItem
from gapsmith.parsing import parse_store
from gapsmith.templates import Alignment, Paradigm, Sentence, Source, align, carried, settled_slots
from gapsmith.vetting.lint_digest import OfItem, made_of, read_half, set_as_read, set_made_of
from gapsmith.vetting.roles import RoleReader
from gapsmith.vetting.rules.engine import NOT_READ, Linter, RuleSelection, ruleset_of
from gapsmith.vetting.rules.knowledge import Knowledge
from gapsmith.vetting.rules.parses import Parses
from gapsmith.vetting.rules.role_rules import OTHER_WORDS, UNKNOWN_WORDS, told_in_no_list
from gapsmith.vetting.rules.setfacts import SetFacts, TokenCounter
from gapsmith.vetting.rules.text_repair import repair_steps, repaired_text
from gapsmith.vetting.rules.view import ItemView

_CHUNK = 500
ADVISORY = frozenset("CJ")
"""Families that never fail a lint."""
_NAMED_ITEMS = 5
_TOLD_ONCE = frozenset({NOT_READ, *UNKNOWN_WORDS, *OTHER_WORDS})
"""Rules whose remarks are told once of a whole set, with the items."""


@dataclass(frozen=True, slots=True)
class LintFinding:
    """A finding and where it belongs; `stored.item_id` is None for one about a data set as a whole."""

    paradigm: str
    dataset: str
    stored: StoredFinding

    @property
    def item(self) -> str | None:
        """What the item is called; None for a data set."""
        return self.stored.label

    @property
    def code(self) -> str:
        """Of the rule."""
        return self.stored.finding.code

    @property
    def severity(self) -> Severity:
        """error, warning or info."""
        return self.stored.finding.severity

    @property
    def message(self) -> str:
        """What is said of the item."""
        return self.stored.finding.message

    @property
    def remedy(self) -> str:
        """What to do about it."""
        return self.stored.finding.remedy

    @property
    def condition(self) -> str | None:
        """Whose sentence it points at; None for the item as a whole."""
        return self.stored.finding.place.condition

    @property
    def start(self) -> int | None:
        """The first character of that sentence that it points at; None for the sentence as a whole."""
        return self.stored.finding.place.start

    @property
    def end(self) -> int | None:
        """The character after the last one."""
        return self.stored.finding.place.end

    @property
    def slot(self) -> str | None:
        """Whose word it is about; None where no slot has it."""
        return self.stored.finding.place.slot


@dataclass(frozen=True, slots=True)
class SetReport:
    """A data set as a whole: what was measured, and what the rules say of it."""

    dataset: str
    facts: SetFacts | None
    """None where they were not asked for, and the findings are those of a lint of before."""
    findings: tuple[Finding, ...]


@dataclass
class LintReport:
    """What a lint found. `findings` holds a paradigm's items in bank order, then its data sets."""

    findings: list[LintFinding] = field(default_factory=list)
    n_items: int = 0
    n_clean: int = 0
    """Items without an error or a warning."""
    n_clean_unread: int = 0
    """Those of them whose words could not all be read, so that nothing found says less."""
    sets: list[SetReport] = field(default_factory=list)
    """One for each data set and version of a paradigm that was read."""
    looked: Looked = field(default_factory=Looked)
    """What the rules on words could look at, and what not."""
    unlisted: dict[str, set[int]] = field(default_factory=dict)
    """Each word that no list has, to the items that have it."""

    @property
    def in_no_list(self) -> str:
        """Which words of how many items no word list has, and what follows; empty where there are none."""
        where = "; a line in a list of the workspace tells it (`gapsmith lint --level info` names the list)"
        return told_in_no_list(self.unlisted, where)

    def counts(self) -> Counter[tuple[str, Severity]]:
        """Findings by code and severity."""
        return Counter((entry.stored.finding.code, entry.stored.finding.severity) for entry in self.findings)

    def reaches(self, threshold: Severity) -> bool:
        """Whether a finding about an item is at or above the threshold; what sets as wholes show, and judges, are advisory."""
        return any(
            entry.stored.item_id is not None
            and entry.stored.finding.code[0] not in ADVISORY
            and entry.stored.finding.severity.rank >= threshold.rank
            for entry in self.findings
        )


def lint_bank(
    bank: Bank,
    selection: ItemFilter,
    *,
    knowledge: Knowledge,
    rules: RuleSelection | None = None,
    store: bool = True,
    tokens: TokenCounter | None = None,
    parses: Parses | None = None,
    advance: Callable[[int], None] = lambda _: None,
    facts: bool = True,
) -> LintReport:
    """Read the selected items with the selected rules; `advance` is told how many were read.

    With `store`, an item that was read before is not read again where nothing that decides its findings has changed
    (`gapsmith.vetting.lint_digest`): the report has what was stored. Without `facts`, data sets in which nothing is new are told from
    what was stored as well, and their reports have no facts.

    With `store`, the findings take the place of the items' older ones. Do not store what only some of the rules say:
    the others' findings would be gone, and a policy would approve what nobody has looked at.

    Findings about a set are made unless single items were asked for, and stored for the data sets all of whose items were
    read, so that a look at a part of them does not replace what is known of the whole. Of single items the report has, with `store`,
    what is known of them by their sets; a set that names one and does not stand as it was read is read again for that.

    `tokens` counts the tokens of a text, for the rules that compare them. The rules on parses run where there are `parses`."""
    report = LintReport()
    for name in _paradigms(bank, selection):
        chosen = replace(selection, paradigm=name)
        whole = _read_whole(bank, chosen) if not chosen.ids else frozenset()
        reader = _Reader(bank, knowledge, rules or RuleSelection(), tokens, parses, with_sets=not chosen.ids, whole=whole)
        before = _Before(bank, name, chosen, reader) if store else None
        if before is not None and not facts and tokens is None and before.nothing_is_new():
            before.tell(report)
            advance(len(before.items))
            continue
        at: str | None = None
        read: list[_ReadItem] = []
        items = _as_the_bank_calls_them(bank, chosen)
        while chunk := list(islice(items, _CHUNK)):
            known = before.found(chunk) if before is not None else {}
            new = [item for item in chunk if item.id not in known]
            reader.look_ahead(new)
            reader.looks.clear()
            reader.asked.clear()
            reader.unlisted.clear()
            found = {item.id: reader.read(item, known.get(item.id)) for item in chunk}
            read += [
                _ReadItem(item.dataset, item.id, item.label, found[item.id], reader.looks[item.id], reader.unlisted[item.id])
                for item in chunk
            ]
            if before is not None and new:
                at = at or bank.findings.begin_lint()
                bank.findings.replace(
                    name,
                    {item.id: found[item.id] for item in new},
                    ruleset=reader.ruleset(name),
                    revisions={item.id: item.revision_id for item in new},
                    looks={item.id: reader.looks[item.id] for item in new},
                    readings=reader.readings(new),
                    at=at,
                )
            advance(len(chunk))
        report.looked.merge(reader.looked)
        sets, named = reader.sets()
        if chosen.ids and store:
            ids = [item.item_id for item in read]
            unread = {} if not bank.findings.sets_that_name(ids) else unread_sets(bank, name, reader.ruleset(name))
            for paradigm, dataset in bank.findings.sets_that_name(ids):
                if paradigm == name and dataset in unread:
                    # Whoever may not know the data sets is shown nothing of this but what is said of their items.
                    seeing, whole_set = bank.read_by(bank.reader, everything=True), ItemFilter(paradigm=name, dataset=dataset)
                    lint_bank(seeing, whole_set, knowledge=knowledge, rules=rules, tokens=tokens, parses=parses, facts=False)
            named = {n: of_set for n, own in bank.findings.of_items(ids).items() if (of_set := [f for f in own if f.items])}
        for item in read:
            _record(report, name, item, named.get(item.item_id, ()))
        report.sets.extend(sets)
        report.findings.extend(
            LintFinding(name, entry.dataset, StoredFinding(None, None, finding, entry.dataset))
            for entry in sets
            for finding in entry.findings
        )
        if whole and store:
            of_sets: dict[str, list[Finding]] = {dataset: [] for dataset in sorted(whole)}
            for entry in sets:
                if entry.dataset in whole:
                    of_sets[entry.dataset].extend(entry.findings)
            sets_made_of = reader.sets_made_of(name, tokens=tokens is not None)
            kept = {item.item_id: named[item.item_id] for item in read if item.dataset in whole and item.item_id in named}
            bank.findings.replace(name, {}, ruleset=reader.ruleset(name), of_sets=of_sets, named=kept, sets_made_of=sets_made_of)
    return report


def _as_the_bank_calls_them(bank: Bank, chosen: ItemFilter) -> Iterator[StoredItem]:
    """The chosen items by the names that what is found of their sets is kept with, for everybody; a reader who may not know these has
    others, and `without_origins` shows what is found by them."""
    if bank.gate.tells_origins:
        return bank.items.iterate(chosen, chunk=_CHUNK)
    ids = tuple(bank.items.ids(chosen))
    return bank.read_by(bank.reader, everything=True).items.iterate(ItemFilter(ids=ids), chunk=_CHUNK) if ids else iter(())


class _ReadItem(NamedTuple):
    """An item that was read, with what was found of it alone."""

    dataset: str
    item_id: int
    label: str
    findings: Sequence[Finding]
    look: Look
    unlisted: tuple[str, ...]
    """Its words that are in no list."""


class _Known(NamedTuple):
    """What a lint of before found of an item, and would find again."""

    findings: list[Finding]
    look: Look
    reading: LintReading
    named: list[Finding]
    """What the reading of its data set as a whole found of it."""


class _Before:
    """What a lint of before has stored about the chosen items of a paradigm, as far as it would be the same today."""

    def __init__(self, bank: Bank, name: str, chosen: ItemFilter, reader: _Reader) -> None:
        self._bank = bank
        self._name = name
        self._reader = reader
        self.items = bank.findings.read_items(chosen)
        self._same = {
            item.item_id: item.reading
            for item in self.items
            if item.reading is not None and item.reading.made_of == reader.made_of_home(item.form_id, item.dataset)
        }

    def nothing_is_new(self) -> bool:
        """Whether every item, and every data set as a whole, would be read as it was."""
        if len(self._same) != len(self.items) or {item.dataset for item in self.items} - self._reader.whole:
            return False
        now: dict[str, list[OfItem]] = defaultdict(list)
        for item in self.items:
            now[item.dataset].append(OfItem(item.item_id, item.revision_id, self._same[item.item_id].made_of))
        kept, ruleset = self._bank.findings.sets_made_of(self._name), self._reader.ruleset(self._name)
        return all(kept.get(dataset) == set_made_of(ruleset, items) for dataset, items in now.items())

    def tell(self, report: LintReport) -> None:
        """Put what was stored into the report."""
        for start in range(0, len(self.items), _CHUNK):
            some = self.items[start : start + _CHUNK]
            known = self._of([item.item_id for item in some])
            for item in some:
                found = known[item.item_id]
                report.looked.add_item(found.look, self._name, item.label)
                read = _ReadItem(item.dataset, item.item_id, item.label, found.findings, found.look, found.reading.unlisted)
                _record(report, self._name, read, found.named)
        of_sets: dict[str, list[Finding]] = {item.dataset: [] for item in self.items}
        for entry in self._bank.findings.of_sets(self._name, as_stored=True):
            if entry.dataset in of_sets:
                of_sets[entry.dataset].append(entry.finding)
        for dataset, findings in of_sets.items():
            report.sets.append(SetReport(dataset, None, tuple(findings)))
            report.findings.extend(
                LintFinding(self._name, dataset, StoredFinding(None, None, finding, dataset)) for finding in findings
            )

    def found(self, items: Sequence[StoredItem]) -> dict[int, _Known]:
        """What is known of those of the items of which a lint would say the same."""
        return self._of([item.id for item in items if item.id in self._same])

    def _of(self, ids: Sequence[int]) -> dict[int, _Known]:
        findings, looks = self._bank.findings.of_items(ids), self._bank.findings.looks_at(ids)
        # What rules looked at is kept with each reading; where it is gone, the item is read anew.
        known = {}
        for n in ids:
            if n in looks:
                stored = findings.get(n, ())
                own, named = [f for f in stored if not f.items], [f for f in stored if f.items]
                known[n] = _Known(own, looks[n], self._same[n], named)
        return known


def without_origins(bank: Bank, report: LintReport) -> LintReport:
    """The report as it may be shown to one who may not know which items calibrate: items as they are called on the screens and in that
    order, no data set, and nothing of these as wholes."""
    ids = tuple({entry.stored.item_id for entry in report.findings if entry.stored.item_id is not None})
    called = {item.id: bank.gate.called(item) for item in bank.items.iterate(ItemFilter(ids=ids))} if ids else {}
    found = [
        LintFinding(
            entry.paradigm,
            "",
            replace(
                entry.stored,
                label=called[entry.stored.item_id],
                dataset="",
                finding=bank.findings.as_shown(entry.stored.finding),
            ),
        )
        for entry in report.findings
        if entry.stored.item_id is not None
    ]
    found.sort(key=lambda entry: (entry.paradigm, entry.stored.label or ""))
    return replace(report, findings=found, sets=[], looked=report.looked.nameless)


def findings_of(bank: Bank, items: Sequence[StoredItem], *, knowledge: Knowledge, rules: RuleSelection) -> list[list[Finding]]:
    """What the rules say of items of the bank as they are given, with other texts perhaps than it has; nothing is stored."""
    reader = _Reader(bank, knowledge, rules, None, None, with_sets=False, whole=frozenset())
    return [reader.read(item) for item in items]


def _read_whole(bank: Bank, chosen: ItemFilter) -> frozenset[str]:
    """The data sets of a paradigm all of whose items are chosen."""
    datasets = [name for name in bank.items.datasets(chosen.paradigm) if chosen.dataset in (None, name)]
    return frozenset(
        name
        for name in datasets
        if bank.items.count(replace(chosen, dataset=name)) == bank.items.count(ItemFilter(paradigm=chosen.paradigm, dataset=name))
    )


class _Reader:
    """Reads the items of one paradigm, each with the version of the paradigm that it was made with."""

    def __init__(
        self,
        bank: Bank,
        knowledge: Knowledge,
        rules: RuleSelection,
        tokens: TokenCounter | None,
        parses: Parses | None,
        *,
        with_sets: bool,
        whole: frozenset[str],
    ) -> None:
        self._bank = bank
        self._knowledge = knowledge
        self._rules = rules
        self._tokens = tokens
        self._parses = parses
        self._with_sets = with_sets
        self.whole = whole
        """The data sets all of whose items are read."""
        self._roles = RoleReader(lambda parser: parse_store(bank, parser))
        self._linters: dict[int, Linter] = {}
        self._variants: dict[tuple[int, int], Linter] = {}
        self._measured: dict[tuple[int, str], Paradigm] = {}
        """Forms as each data set measures them."""
        self._facts: dict[tuple[str, int], SetFacts | None] = {}
        self._unknown: dict[tuple[str, int], dict[Finding, dict[int, str]]] = {}
        self._rulesets: dict[str, str] = {}
        self._made_of: dict[tuple[int, str], bytes] = {}
        self._of_sets: dict[str, list[OfItem]] = defaultdict(list)
        self.looks: dict[int, Look] = {}
        """What the rules on words looked at in each item of the chunk."""
        self.asked: dict[int, tuple[Finding, ...]] = {}
        """Of the items of the chunk: what is said of them once for their set, and not stored with them."""
        self.unlisted: dict[int, tuple[str, ...]] = {}
        """The words of each item of the chunk that are in no list."""
        self.looked = Looked()
        """What the rules on words looked at in all items that were read."""

    def ruleset(self, name: str) -> str:
        """What decides the findings about a paradigm's items besides the items: rules, word lists, today's predictions."""
        if name not in self._rulesets:
            self._rulesets[name] = stored_ruleset(self._bank, name, self._rules, self._knowledge)
        return self._rulesets[name]

    def made_of_home(self, form_id: int, dataset: str) -> bytes:
        """What the findings about items of a data set are made of besides the items."""
        home = form_id, dataset
        if home not in self._made_of:
            paradigm = self._whole_linter(form_id).paradigm
            self._made_of[home] = made_of(
                paradigm,
                self._measured_at(home),
                ruleset=self.ruleset(paradigm.name),
                parses=self._parses,
                of_whole_set=dataset in self.whole,
            )
        return self._made_of[home]

    def made_of(self, item: StoredItem) -> bytes:
        """The same for an item."""
        return self.made_of_home(item.paradigm_id, item.dataset)

    def readings(self, items: Sequence[StoredItem]) -> dict[int, LintReading]:
        """What the findings about items of the chunk are made of; nothing where a parser could not be opened, which may be otherwise
        tomorrow."""
        if self._roles.trouble:
            return {}
        return {item.id: LintReading(self.made_of(item), self.asked.get(item.id, ()), self.unlisted[item.id]) for item in items}

    def sets_made_of(self, paradigm: str, *, tokens: bool) -> dict[str, bytes]:
        """What the findings about each data set that was read as a whole are made of."""
        return {
            dataset: set_made_of(self.ruleset(paradigm), items, tokens=tokens)
            for dataset, items in self._of_sets.items()
            if dataset in self.whole
        }

    def read(self, item: StoredItem, known: _Known | None = None) -> list[Finding]:
        """The findings about the item, which are `known` or made; its data set takes note of it."""
        linter = self._linter(item)
        view = ItemView(item, linter.paradigm)
        if known is not None:
            findings, look, unlisted = known.findings, known.look, known.reading.unlisted
        else:
            findings, look = linter.read(view)
            unlisted = tuple(dict.fromkeys(finding.unlisted for finding in findings if finding.unlisted))
        self.unlisted[item.id] = unlisted
        self.looks[item.id] = look
        self.looked.add_item(look, linter.paradigm.name, item.label)
        key = (item.dataset, item.paradigm_id)
        if key not in self._facts:
            self._facts[key] = self._linters[item.paradigm_id].new_set(self._tokens) if self._with_sets else None
        facts = self._facts[key]
        self._of_sets[item.dataset].append(OfItem(item.id, item.revision_id, self.made_of(item)))
        if facts is None:
            return findings
        facts.add(view)
        if item.dataset not in self.whole:
            # What is said of the set is not kept, so what is said of its words stays with the items.
            return findings
        kept, asked = (findings, known.reading.asked) if known is not None else _told_apart(findings)
        self.asked[item.id] = tuple(asked)
        of_set = self._unknown.setdefault(key, {})
        for once in asked:
            of_set.setdefault(once, {})[item.id] = item.label
        return kept

    def look_ahead(self, items: list[StoredItem]) -> None:
        """Parse at once what will be read one by one."""
        together: dict[int, list[StoredItem]] = {}
        for item in items:
            together.setdefault(id(self._linter(item)), []).append(item)
        for entry in together.values():
            self._linter(entry[0]).look_ahead(entry)

    def _whole_linter(self, form_id: int) -> Linter:
        if form_id not in self._linters:
            paradigm = self._bank.paradigms.reading(form_id)
            self._linters[form_id] = Linter(paradigm, self._knowledge, self._rules, self._parses, self._roles)
        return self._linters[form_id]

    def _measured_at(self, home: tuple[int, str]) -> Paradigm:
        if home not in self._measured:
            self._measured[home] = self._bank.datasets.measured(self._whole_linter(home[0]).paradigm, home[1])
        return self._measured[home]

    def _linter(self, item: StoredItem) -> Linter:
        whole = self._whole_linter(item.paradigm_id)
        variant = self._measured_at((item.paradigm_id, item.dataset)).variant(item.slots)
        if variant is whole.paradigm:
            return whole
        key = (item.paradigm_id, id(variant))
        if key not in self._variants:
            self._variants[key] = Linter(variant, self._knowledge, self._rules, self._parses, self._roles)
        return self._variants[key]

    def sets(self) -> tuple[list[SetReport], dict[int, list[Finding]]]:
        """What the rules say of each data set that was read as a whole, and what they say of some of its items, by item."""
        sets: list[SetReport] = []
        named: dict[int, list[Finding]] = defaultdict(list)
        for (dataset, paradigm_id), facts in self._facts.items():
            if facts is None:
                continue
            of_set: list[Finding] = []
            for finding in self._linters[paradigm_id].check_set(facts):
                (named[finding.items[0]] if finding.items else of_set).append(finding)
            sets.append(SetReport(dataset, facts, (*of_set, *_told_once(self._unknown.get((dataset, paradigm_id), {})))))
        return sets, named


def stored_ruleset(bank: Bank, paradigm: str, rules: RuleSelection, knowledge: Knowledge) -> str:
    """What a stored lint of the paradigm's items rests on; where this has changed, the lint is out of date."""
    return f"{ruleset_of(rules, knowledge)};{bank.paradigms.newest(paradigm).predictions_digest}"


def unread_sets(bank: Bank, paradigm: str, ruleset: str) -> dict[str, frozenset[int]]:
    """The data sets of a paradigm that no lint has read as wholes as they stand, with these rules, to their items: what holding these
    against each other finds is not known."""
    now: dict[str, list[OfItem]] = defaultdict(list)
    for item in bank.read_by(bank.reader, everything=True).findings.read_items(ItemFilter(paradigm=paradigm)):
        now[item.dataset].append(OfItem(item.item_id, item.revision_id))
    kept = bank.findings.sets_made_of(paradigm)
    return {
        dataset: frozenset(item.item_id for item in items)
        for dataset, items in now.items()
        if read_half(kept.get(dataset, b"")) != set_as_read(ruleset, items)
    }


def _told_apart(findings: Sequence[Finding]) -> tuple[list[Finding], list[Finding]]:
    """Findings that are stored with an item, and those that are told once for its data set."""
    kept, asked = [], []
    for finding in findings:
        # Who ranks such a finding higher wants it to hold the item back.
        if finding.code in _TOLD_ONCE and finding.severity is Severity.INFO:
            once = replace(finding, place=FindingPlace(slot=finding.place.slot))
            if finding.code in OTHER_WORDS:
                once = replace(once, message=OTHER_WORDS[finding.code].format(slot=finding.place.slot), remedy="")
            asked.append(once)
        else:
            kept.append(finding)
    return kept, asked


def _told_once(unknown: Mapping[Finding, Mapping[int, str]]) -> Iterator[Finding]:
    for finding, items in sorted(unknown.items(), key=lambda entry: (entry[0].code, entry[0].message)):
        labels = list(items.values())
        named = ", ".join(labels[:_NAMED_ITEMS])
        more = f" and {len(labels) - _NAMED_ITEMS:,} more" if len(labels) > _NAMED_ITEMS else ""
        where = f"item{'s' if len(labels) > 1 else ''} {named}{more}"
        yield replace(finding, message=f"{finding.message} ({where})", items=tuple(items))


def fix_bank(bank: Bank, selection: ItemFilter, *, author: str = "gapsmith lint --fix") -> list[tuple[StoredItem, int]]:
    """Make the certain repairs in the selected items, as new revisions; the items as they were, and how many sentences
    of each were mended."""
    fixed = []
    for item in list(_needing_repair(bank, selection)):
        paradigm = bank.paradigms.reading(item.paradigm_id)
        slots = _slots_after_repair(paradigm, item)
        sentences = tuple(_repaired(paradigm, slots, sentence, _mark(paradigm, item)) for sentence in item.sentences)
        changed = sum(new.text != old.text for new, old in zip(sentences, item.sentences, strict=True))
        note = f"spaces, capital, final punctuation or invisible characters in {changed} sentence(s)"
        bank.items.revise(item.id, slots=slots, sentences=sentences, author=author, note=note)
        fixed.append((item, changed))
    return fixed


def _needing_repair(bank: Bank, selection: ItemFilter) -> Iterator[StoredItem]:
    for item in bank.items.iterate(selection, chunk=_CHUNK):
        mark = _mark(bank.paradigms.reading(item.paradigm_id), item)
        if any(s.text.strip() and repaired_text(s.text, mark) != s.text for s in item.sentences):
            yield item


def _mark(paradigm: Paradigm, item: StoredItem) -> str:
    return ItemView(item, paradigm).mark


def _slots_after_repair(paradigm: Paradigm, item: StoredItem) -> Mapping[str, str] | None:
    # Slots that were read from faulty texts hold the faults, so they are read again from the mended ones.
    if all(sentence.source is Source.REALISED for sentence in item.sentences):
        return item.slots
    texts: dict[str, str] = {}
    for sentence in item.sentences:
        if sentence.condition in paradigm.condition_by_name:
            texts.setdefault(sentence.condition, _mended(_mark(paradigm, item), sentence.text))
    return settled_slots(paradigm, texts, limited=False)


def _mended(mark: str, text: str) -> str:
    return repaired_text(text, mark) if text.strip() else text


def _repaired(paradigm: Paradigm, slots: Mapping[str, str] | None, sentence: Sentence, mark: str) -> Sentence:
    if sentence.how in (Alignment.GIVEN, Alignment.CARRIED) or paradigm.given:
        # No slot says where the regions lie: they move along with each repair.
        for text in repair_steps(sentence.text, mark) if sentence.text.strip() else ():
            sentence = carried(sentence, text, Source.EDITED)
        return sentence
    text = _mended(mark, sentence.text)
    source = sentence.source if text == sentence.text else Source.EDITED
    return align(paradigm, sentence.condition, text, slots or {}, source)


def _paradigms(bank: Bank, selection: ItemFilter) -> list[str]:
    if selection.paradigm is not None:
        return [selection.paradigm]
    return [name for name in bank.paradigms.names() if not selection.paradigms or name in selection.paradigms]


def _record(report: LintReport, paradigm: str, item: _ReadItem, named: Sequence[Finding]) -> None:
    findings = sorted((*item.findings, *named), key=lambda f: (-f.severity.rank, f.code)) if named else item.findings
    clean = not any(f.severity.rank >= Severity.WARNING.rank for f in findings)
    look = item.look
    report.n_items += 1
    report.n_clean += clean
    report.n_clean_unread += clean and look.is_partial
    for word in item.unlisted:
        report.unlisted.setdefault(word, set()).add(item.item_id)
    report.findings.extend(
        LintFinding(paradigm, item.dataset, StoredFinding(item.item_id, item.label, f, item.dataset)) for f in findings
    )
