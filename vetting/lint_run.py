"""Linting what is in a bank: paradigm by paradigm, the findings stored in place of the older ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from bank import Bank, Finding, ItemFilter, Severity, StoredFinding, StoredItem
from templates import Paradigm, Sentence, Source, align
from vetting.rules.engine import Linter, RuleSelection
from vetting.rules.knowledge import Knowledge
from vetting.rules.setfacts import SetFacts, TokenCounter
from vetting.rules.text import repaired_text
from vetting.rules.view import ItemView

__all__ = ["LintReport", "SetReport", "fix_bank", "lint_bank"]

_CHUNK = 500


@dataclass(frozen=True, slots=True)
class SetReport:
    """A data set as a whole: what was measured, and what the rules say of it."""

    dataset: str
    facts: SetFacts
    findings: tuple[Finding, ...]


@dataclass
class LintReport:
    """What a lint found. `findings` holds items' findings in bank order, then each set's."""

    findings: list[tuple[str, StoredFinding]] = field(default_factory=list)
    """(paradigm, finding)."""
    n_items: int = 0
    n_clean: int = 0
    """Items without an error or a warning."""
    sets: list[SetReport] = field(default_factory=list)
    """One for each data set and version of a paradigm that was read."""

    def counts(self) -> Counter[tuple[str, Severity]]:
        """Findings by code and severity."""
        return Counter((stored.finding.code, stored.finding.severity) for _, stored in self.findings)

    def reaches(self, threshold: Severity) -> bool:
        """Whether a finding about an item is at or above the threshold; findings about sets are advisory."""
        return any(
            stored.item_id is not None and stored.finding.severity.rank >= threshold.rank for _, stored in self.findings
        )


def lint_bank(
    bank: Bank,
    selection: ItemFilter,
    *,
    knowledge: Knowledge,
    rules: RuleSelection | None = None,
    store: bool = True,
    tokens: TokenCounter | None = None,
    advance: Callable[[int], None] = lambda _: None,
) -> LintReport:
    """Read the selected items with the selected rules; `advance` is told how many were read.

    With `store`, the findings take the place of the items' older ones. Do not store what only some of the rules say:
    the others' findings would be gone, and a policy would approve what nobody has looked at.

    Findings about a set are made unless single items were asked for, and stored where all items of the paradigm were
    read, so that a look at a part of them does not replace what is known of the whole. `tokens` counts the tokens of a
    text, for the rules that compare them."""
    report = LintReport()
    rules = rules or RuleSelection()
    for name in _paradigms(bank, selection):
        chosen = replace(selection, paradigm=name)
        whole = bank.items.count(chosen) == bank.items.count(ItemFilter(paradigm=name))
        linters: dict[int, Linter] = {}
        sets: dict[tuple[str, int], SetFacts] = {}
        found: dict[int, list[Finding]] = {}
        ruleset = ""
        for item in bank.items.iterate(chosen, chunk=_CHUNK):
            linter = linters.get(item.paradigm_id)
            if linter is None:
                linter = Linter(bank.paradigms.load(item.paradigm_id), knowledge, rules)
                linters[item.paradigm_id] = linter
                ruleset = linter.ruleset
            view = ItemView(item, linter.paradigm)
            found[item.id] = linter.check_view(view)
            _record(report, name, item, found[item.id])
            key = (item.dataset, item.paradigm_id)
            if key not in sets and not chosen.ids and (facts := linter.new_set(tokens)) is not None:
                sets[key] = facts
            if key in sets:
                sets[key].add(view)
            if len(found) >= _CHUNK:
                _keep(bank, name, found, ruleset, store)
                advance(len(found))
                found = {}
        _keep(bank, name, found, ruleset, store)
        advance(len(found))
        read = [
            SetReport(dataset, facts, tuple(linters[key].check_set(facts))) for (dataset, key), facts in sets.items()
        ]
        about = [
            finding if len(read) == 1 else replace(finding, message=f"{of.dataset}: {finding.message}")
            for of in read
            for finding in of.findings
        ]
        report.findings.extend((name, StoredFinding(None, None, finding)) for finding in about)
        report.sets.extend(read)
        if whole and store:
            bank.findings.replace(name, {}, ruleset=ruleset, set_findings=about)
    return report


def fix_bank(bank: Bank, selection: ItemFilter, *, author: str = "gapsmith lint --fix") -> list[tuple[StoredItem, int]]:
    """Make the certain repairs in the selected items, as new revisions; the items as they were, and how many sentences
    of each were mended."""
    fixed = []
    for item in list(_needing_repair(bank, selection)):
        paradigm = bank.paradigms.load(item.paradigm_id)
        sentences = tuple(_repaired(paradigm, item, sentence) for sentence in item.sentences)
        changed = sum(new.text != old.text for new, old in zip(sentences, item.sentences, strict=True))
        note = f"spaces, capital, final punctuation or invisible characters in {changed} sentence(s)"
        bank.items.revise(item.id, slots=item.slots, sentences=sentences, author=author, note=note)
        fixed.append((item, changed))
    return fixed


def _needing_repair(bank: Bank, selection: ItemFilter) -> Iterator[StoredItem]:
    for item in bank.items.iterate(selection, chunk=_CHUNK):
        mark = bank.paradigms.load(item.paradigm_id).final_punctuation
        if any(s.text.strip() and repaired_text(s.text, mark) != s.text for s in item.sentences):
            yield item


def _repaired(paradigm: Paradigm, item: StoredItem, sentence: Sentence) -> Sentence:
    text = repaired_text(sentence.text, paradigm.final_punctuation) if sentence.text.strip() else sentence.text
    if text == sentence.text:
        return sentence
    return align(paradigm, sentence.condition, text, item.slots or {}, Source.EDITED)


def _paradigms(bank: Bank, selection: ItemFilter) -> list[str]:
    return [selection.paradigm] if selection.paradigm is not None else bank.paradigms.names()


def _record(report: LintReport, paradigm: str, item: StoredItem, findings: list[Finding]) -> None:
    report.n_items += 1
    report.n_clean += not any(f.severity.rank >= Severity.WARNING.rank for f in findings)
    report.findings.extend((paradigm, StoredFinding(item.id, item.label, finding)) for finding in findings)


def _keep(bank: Bank, paradigm: str, found: dict[int, list[Finding]], ruleset: str, store: bool) -> None:
    if store and found:
        bank.findings.replace(paradigm, found, ruleset=ruleset)
