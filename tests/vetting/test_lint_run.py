"""Linting a bank: findings stored and replaced, certain repairs made as revisions."""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.blind_frames import FRAMES
from gapsmith.bank import Bank, Finding, FindingPlace, ItemFilter, ItemStatus, Look, NewItem, Severity, Verdict
from gapsmith.bank.findings import LintReading
from gapsmith.bank.log import FindingEntry, LintEntry, read_log, write_log
from gapsmith.bank.merging import merge
from gapsmith.templates import GapsmithError, Paradigm, Sentence, Source, load_paradigm
from gapsmith.vetting import decide_by_policy, lint_digest, stored_ruleset
from gapsmith.vetting.lint_run import ADVISORY, LintReport, fix_bank, lint_bank, without_origins
from gapsmith.vetting.rules import Linter, RuleSelection, load_knowledge
from gapsmith.vetting.rules.engine import NOT_READ
from gapsmith.vetting.rules.role_rules import OTHER_WORDS, UNKNOWN_WORDS
from gapsmith.vetting.rules.view import ItemView
from tests.vetting.foreign_frames import drafted
from tests.vetting.linting import SLOTS, texts

PG = load_paradigm("subject_pg")


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[Bank]:
    """An empty bank on disk."""
    with Bank.open(tmp_path / "bank.sqlite", create=True) as opened:
        yield opened


def add(bank: Bank, *cells: Mapping[str, str], dataset: str = "mine", paradigm: Paradigm = PG) -> list[int]:
    """Import items given as texts by condition."""
    paradigm_id = bank.paradigms.register(paradigm)
    run = bank.runs.begin(
        kind="import",
        paradigm_id=paradigm_id,
        provider="file",
        model=None,
        identity=dataset,
        parameters={},
        prompt_name=None,
        prompt_hash=None,
        prompt_text=None,
    )
    items = [
        NewItem(
            SLOTS if paradigm is PG else None,
            tuple(Sentence(c, t, None, Source.IMPORTED) for c, t in entry.items()),
            dataset=dataset,
        )
        for entry in cells
    ]
    return bank.items.add(paradigm_id, items, run_id=run.id)


def bad() -> dict[str, str]:
    """A cell with two spaces, one with a judgment mark."""
    cells = texts(PG, SLOTS)
    cells["pf_pg1_pg2"] = cells["pf_pg1_pg2"].replace(" soon.", "  soon")
    cells["mf_pg1_pg2"] = "*" + cells["mf_pg1_pg2"]
    return cells


def test_findings_are_stored_and_replaced(bank: Bank) -> None:
    """A second lint leaves one copy of each finding, and an edit makes them go."""
    good_id, bad_id = add(bank, texts(PG, SLOTS), bad())
    for _ in range(2):
        report = lint_bank(bank, ItemFilter(), knowledge=load_knowledge())
    assert report.n_items == 2
    assert report.n_clean == 1
    alike = {f.code for f in bank.findings.for_item(good_id)}
    assert alike == {"C100", "C101"}
    assert [f.code for f in bank.findings.for_item(bad_id) if f.code not in alike] == ["T031", "T032", "T037"]
    assert bank.findings.unlinted() == []


def test_a_selection_of_rules_is_only_shown(bank: Bank) -> None:
    """What a part of the rules says does not wipe out what the others said."""
    (bad_id,) = add(bank, bad())
    lint_bank(bank, ItemFilter(), knowledge=load_knowledge())
    report = lint_bank(bank, ItemFilter(), knowledge=load_knowledge(), rules=RuleSelection(("T037",)), store=False)
    assert [entry.stored.finding.code for entry in report.findings] == ["T037"]
    assert len(bank.findings.for_item(bad_id)) == 3


def test_the_report_knows_the_threshold(bank: Bank) -> None:
    """Errors reach every threshold, nothing reaches none."""
    add(bank, bad())
    report = lint_bank(bank, ItemFilter(), knowledge=load_knowledge())
    assert report.reaches(Severity.ERROR)
    assert report.counts()[("T037", Severity.ERROR)] == 1
    assert not lint_bank(bank, ItemFilter(dataset="none"), knowledge=load_knowledge()).reaches(Severity.INFO)


def test_fix_repairs_what_is_certain_and_keeps_the_original(bank: Bank) -> None:
    """Spaces and the period are mended in a new revision; the star stays for a person."""
    (bad_id,) = add(bank, bad())
    ((item, count),) = fix_bank(bank, ItemFilter())
    assert (item.id, count) == (bad_id, 1)
    lint_bank(bank, ItemFilter(), knowledge=load_knowledge())
    assert [f.code for f in bank.findings.for_item(bad_id)] == ["T037"]
    old, new = bank.items.history(bad_id)
    assert {s.text for s in old.sentences} == set(bad().values())
    mended = next(s for s in new.sentences if s.condition == "pf_pg1_pg2")
    assert (mended.text, mended.source) == (texts(PG, SLOTS)["pf_pg1_pg2"], Source.EDITED)
    assert fix_bank(bank, ItemFilter()) == []


def test_progress_counts_every_item(bank: Bank) -> None:
    """What `advance` is told adds up to the items that were read."""
    add(bank, *[texts(PG, SLOTS)] * 7)
    told: list[int] = []
    lint_bank(bank, ItemFilter(), knowledge=load_knowledge(), advance=told.append)
    assert sum(told) == 7


def test_sets_are_told_apart(bank: Bank) -> None:
    """Each data set is judged as a whole by itself; a look at one item says nothing of its set."""
    add(bank, texts(PG, SLOTS), texts(PG, SLOTS), dataset="twice")
    add(bank, texts(PG, {**SLOTS, "verb": "astound"}), dataset="once")
    report = lint_bank(bank, ItemFilter(), knowledge=load_knowledge())
    assert [entry.dataset for entry in report.sets] == ["twice", "once"]
    assert {entry.dataset for entry in report.findings if entry.stored.finding.code == "C101"} == {"twice"}
    (first,) = bank.items.ids(ItemFilter(labels=("1",), dataset="twice"))
    kept = bank.findings.for_item(first)
    assert "C101" in {finding.code for finding in kept}
    alone = lint_bank(bank, ItemFilter(ids=(first,)), knowledge=load_knowledge())
    assert (alone.sets, bank.findings.for_item(first)) == ([], kept)
    assert {entry.code for entry in alone.findings} == {finding.code for finding in kept}, (
        "what a lint of one says and what is kept"
    )


def test_an_item_that_is_read_alone_after_an_edit_takes_along_what_its_set_said_of_others(bank: Bank) -> None:
    """Two copies, one of them edited: neither is one any more, whichever door reads the edited one."""
    first, second, _ = add(bank, texts(PG, SLOTS), texts(PG, SLOTS), texts(PG, {**SLOTS, "matrix": "They said"}))
    knowledge = load_knowledge()
    lint_bank(bank, ItemFilter(), knowledge=knowledge)
    slots = {**SLOTS, "verb": "astound", "noun": "report"}
    sentences = tuple(Sentence(c, t, None, Source.EDITED) for c, t in texts(PG, slots).items())
    bank.items.revise(second, slots=slots, sentences=sentences, author="ann")
    assert {f.code for f in bank.findings.for_item(first)} >= {"C100", "C101"}
    alone = lint_bank(bank, ItemFilter(ids=(second,)), knowledge=knowledge)
    assert not {entry.code for entry in alone.findings} & {"C100", "C101"}
    assert {f.code for n in (first, second) for f in bank.findings.for_item(n)} & {"C100", "C101"} == {"C100"}
    assert [e.finding.code for e in bank.findings.iterate() if e.item_id == second and e.finding.items] == []


def _policy(bank: Bank) -> int:
    ruleset = stored_ruleset(bank, "subject_pg", RuleSelection(), load_knowledge())
    return decide_by_policy(bank, ItemFilter(), rulesets={"subject_pg": ruleset}).approved


def test_a_policy_asks_whether_sets_were_read_as_they_stand(bank: Bank) -> None:
    """What a set finds of its items is a finding like others: items that were read one by one are not clean before their set is read."""
    ids = add(bank, texts(PG, SLOTS), texts(PG, {**SLOTS, "verb": "astound"}), texts(PG, {**SLOTS, "matrix": "They said"}))
    knowledge = load_knowledge()
    refused = pytest.raises(GapsmithError, match=r"^3 of the items have not been linted since they came or were edited")
    lint_bank(bank, ItemFilter(ids=tuple(ids)), knowledge=knowledge)
    with refused:
        _policy(bank)
    lint_bank(bank, ItemFilter(), knowledge=knowledge, tokens=len)
    lint_bank(bank, ItemFilter(ids=(ids[2],)), knowledge=knowledge)
    assert _policy(bank) == 1, "the two others are near copies of the first, which may stay"


def test_what_a_set_finds_at_an_item_does_not_travel_in_logs(bank: Bank, tmp_path: Path) -> None:
    """In another bank its items have other numbers and other company: a lint of the whole set finds it there."""
    first, second = add(bank, texts(PG, SLOTS), {**bad()})
    knowledge = load_knowledge()
    lint_bank(bank, ItemFilter(), knowledge=knowledge)
    assert any(finding.items for finding in bank.findings.for_item(second))
    own = {f.code for f in bank.findings.for_item(second) if not f.items}
    write_log(bank, tmp_path / "log.jsonl")
    copy = FindingEntry("C101", "warning", "", "items 1, 2 have the same sentences", "", None, None, None, None)
    for name, of_old in (("new", ()), ("old", (copy,))):
        with Bank.open(tmp_path / f"{name}.sqlite", create=True) as other:
            entries = list(read_log(tmp_path / "log.jsonl", other))
            lints = [entry for entry in entries if isinstance(entry, LintEntry)]
            assert not {f.code for entry in lints for f in entry.findings if f.code.startswith("C")}
            merge(other, (replace(e, findings=(*e.findings, *of_old)) if isinstance(e, LintEntry) else e for e in entries), "log")
            assert {f.code for f in other.findings.for_item(second)} == own
            lint_bank(other, ItemFilter(), knowledge=knowledge)
            lint_bank(other, ItemFilter(ids=(first,)), knowledge=knowledge)
            assert {f.code for f in other.findings.for_item(first)} == {f.code for f in bank.findings.for_item(first)}


def test_unknown_words_are_told_once_for_the_set(bank: Bank) -> None:
    """With the items that have them, beside the set; where one item is asked for, beside the item."""
    words = {**SLOTS, "verb": "zorble"}
    ids = add(bank, *(texts(PG, {**words, "name1": name}) for name in ("Maria", "Nina", "Elena")))
    report = lint_bank(bank, ItemFilter(), knowledge=load_knowledge())
    (told,) = [entry.stored for entry in report.findings if entry.stored.finding.code == "L200"]
    labels = [bank.items.get(i).label for i in ids]
    assert told.item_id is None
    assert told.finding.items == tuple(ids)
    for facts in (True, False):
        again = lint_bank(bank, ItemFilter(), knowledge=load_knowledge(), facts=facts)
        assert report.unlisted == again.unlisted == {"zorble": set(ids)}
    assert LintReading.of(bytes(16), "[]") is None, "what an older release kept says nothing of words"
    assert without_origins(bank, report).in_no_list.startswith("1 word in 3 items is in no list: zorble. ")
    assert told.finding.message == f"“zorble” is in no list of verbs (items {', '.join(labels)})"
    assert all(f.code != "L200" for i in ids for f in bank.findings.for_item(i))
    alone = lint_bank(bank, ItemFilter(ids=(ids[0],)), knowledge=load_knowledge(), store=False)
    assert [entry.stored.item_id for entry in alone.findings if entry.stored.finding.code == "L200"] == [ids[0]]


@pytest.mark.parametrize("design", range(1, 7))
def test_what_is_found_of_an_item_depends_on_no_other(bank: Bank, design: int) -> None:
    """Blind items in frames of their own as a table of sentences: alone, with the others, and with these in another order. What is told
    once of a set names the item."""
    texts_of: dict[str, dict[str, str]] = {}
    with (FRAMES / f"writer12/design{design}.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            texts_of.setdefault(row["item"], {})[row["condition"]] = row["sentence"]
    items = list(texts_of.values())
    own = drafted(tuple(items[0]))
    ahead, back = (add(bank, *some, dataset=name, paradigm=own) for name, some in (("ahead", items), ("back", items[::-1])))
    known = load_knowledge()
    together = _said_of(lint_bank(bank, ItemFilter(), knowledge=known, store=False))
    assert together
    for here, there in zip(ahead, back[::-1], strict=True):
        alone = _said_of(lint_bank(bank, ItemFilter(ids=(here,)), knowledge=known, store=False))
        assert together[here] == together[there] == alone[here]


def _said_of(report: LintReport) -> dict[int, set[tuple[str, str, FindingPlace]]]:
    """Of each item code, message and place of all that is found, but for what compares the items of a set; what is told once by its code."""
    found: dict[int, set[tuple[str, str, FindingPlace]]] = defaultdict(set)
    for entry in report.findings:
        finding, item_id = entry.stored.finding, entry.stored.item_id
        once = finding.severity is Severity.INFO and finding.code in {NOT_READ, *UNKNOWN_WORDS, *OTHER_WORDS}
        if finding.code[0] not in ADVISORY:
            for own in (item_id,) if item_id is not None else finding.items:
                found[own].add((finding.code, "", FindingPlace()) if once else (finding.code, finding.message, finding.place))
    return found


def test_a_part_of_the_bank_keeps_what_is_said_of_its_words(bank: Bank) -> None:
    """Of a data set that is read as a whole the set has it; of one that is read in part, the items that were read."""
    words = texts(PG, {**SLOTS, "verb": "zorble"})
    add(bank, words, dataset="one")
    (second, third) = add(bank, words, words, dataset="two")
    lint_bank(bank, ItemFilter(dataset="one"), knowledge=load_knowledge())
    told = [entry.dataset for entry in bank.findings.of_sets("subject_pg") if entry.finding.code == "L200"]
    assert told == ["one"]
    bank.decisions.decide([second], Verdict.APPROVE, author="ann")
    lint_bank(bank, ItemFilter(statuses=(ItemStatus.APPROVED,)), knowledge=load_knowledge())
    assert "L200" in {f.code for f in bank.findings.for_item(second)}
    assert bank.findings.for_item(third) == []
    assert [e.dataset for e in bank.findings.of_sets("subject_pg") if e.finding.code == "L200"] == ["one"]


def test_a_workspace_ranks_rules_for_good(bank: Bank) -> None:
    """A rule that is off is off, another has the severity that the settings give it, and both are kept in the bank."""
    words = {**SLOTS, "verb": "befog", "determiner": "this"}
    (item_id,) = add(bank, texts(PG, words))
    rules = RuleSelection().with_settings({"L408": "off", "L2": "info", "L200": "warning"})
    lint_bank(bank, ItemFilter(), knowledge=load_knowledge(), rules=rules)
    found = {f.code: f.severity for f in bank.findings.for_item(item_id) if f.code.startswith("L")}
    assert found == {"L200": Severity.WARNING}
    again = RuleSelection(("L408",)).with_settings({"L408": "off"})
    assert [rule.code for rule in again.rules()] == ["L408"]
    assert RuleSelection(("L",)).with_settings({"L408": "off"}).rules() != RuleSelection(("L",)).rules()


def _in_full(report: LintReport) -> tuple[object, ...]:
    """All that a report says, but for the facts of sets."""
    return report.findings, report.n_items, report.n_clean, report.looked, [(own.dataset, own.findings) for own in report.sets]


def _counting(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The ids of the items that rules read from now on."""
    read: list[int] = []
    rules = Linter.read

    def counted(self: Linter, view: ItemView) -> tuple[list[Finding], Look]:
        read.append(view.item.id)
        return rules(self, view)

    monkeypatch.setattr(Linter, "read", counted)
    return read


def _two_sets(bank: Bank) -> list[int]:
    odd = texts(PG, {**SLOTS, "verb": "zorble"})
    return [*add(bank, texts(PG, SLOTS), bad(), odd, odd, dataset="one"), *add(bank, odd, texts(PG, SLOTS), dataset="two")]


def _edit(bank: Bank, item_id: int) -> None:
    slots = {**SLOTS, "verb": "zorble"}
    sentences = tuple(Sentence(c, t, None, Source.EDITED) for c, t in texts(PG, slots).items())
    bank.items.revise(item_id, slots=slots, sentences=sentences, author="ann")


@pytest.mark.parametrize("facts", [True, False])
def test_what_has_not_changed_is_not_read_again(bank: Bank, monkeypatch: pytest.MonkeyPatch, *, facts: bool) -> None:
    """The second lint says what the first said and asks no rule; after an edit one item is read, and the set says what a lint of a bank
    that was never read would say."""
    first, *_ = _two_sets(bank)
    knowledge = load_knowledge()
    said = lint_bank(bank, ItemFilter(), knowledge=knowledge)
    read = _counting(monkeypatch)
    assert _in_full(lint_bank(bank, ItemFilter(), knowledge=knowledge, facts=facts)) == _in_full(said)
    assert read == []
    _edit(bank, first)
    after = lint_bank(bank, ItemFilter(), knowledge=knowledge, facts=facts)
    assert read == [first]
    told = next(e.stored.finding for e in after.findings if e.stored.finding.code == "L200")
    assert first in told.items
    kept = bank.findings.of_sets("subject_pg")
    assert _in_full(lint_bank(bank, ItemFilter(), knowledge=knowledge, store=False)) == _in_full(after)
    assert bank.findings.of_sets("subject_pg") == kept


def test_whatever_decides_findings_makes_a_lint_read_again(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules ranked otherwise, an item by itself, another program."""
    first, *others = _two_sets(bank)
    everything = [first, *others]
    knowledge = load_knowledge()
    lint_bank(bank, ItemFilter(), knowledge=knowledge)
    read = _counting(monkeypatch)
    ranked = RuleSelection().with_settings({"L200": "warning"})
    lint_bank(bank, ItemFilter(), knowledge=knowledge, rules=ranked)
    assert read == everything
    read.clear()
    lint_bank(bank, ItemFilter(ids=(first,)), knowledge=knowledge, rules=ranked)
    lint_bank(bank, ItemFilter(), knowledge=knowledge, rules=ranked)
    assert read == [first, first]
    read.clear()
    monkeypatch.setattr(lint_digest, "program_digest", lambda: b"another")
    lint_bank(bank, ItemFilter(), knowledge=knowledge, rules=ranked)
    assert read == everything


def test_a_lint_that_ended_before_its_sets_were_told_is_made_whole(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """Items that were read are not read again, but the set's findings are not taken for those of today."""
    first, *_ = _two_sets(bank)
    knowledge = load_knowledge()
    lint_bank(bank, ItemFilter(), knowledge=knowledge)
    _edit(bank, first)
    with monkeypatch.context() as killed:
        killed.setattr("gapsmith.vetting.lint_run._Reader.sets", lambda _: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            lint_bank(bank, ItemFilter(), knowledge=knowledge, facts=False)
    read = _counting(monkeypatch)
    after = lint_bank(bank, ItemFilter(), knowledge=knowledge, facts=False)
    assert read == []
    assert _in_full(after) == _in_full(lint_bank(bank, ItemFilter(), knowledge=knowledge, store=False))
