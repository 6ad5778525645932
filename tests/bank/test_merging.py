"""Banks that were worked on apart and come together again: a replay of events, the same in whatever order."""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gapsmith.bank import Bank, BankError, ItemFilter, ItemStatus, NewItem, Verdict, blind_labels
from gapsmith.bank.connection import canonical
from gapsmith.bank.errors import LockedError
from gapsmith.bank.events import add_event
from gapsmith.bank.importing import ImportOrder, ImportPlace, bring_in
from gapsmith.bank.locks import is_locked
from gapsmith.bank.log import entries, read_log, write_log
from gapsmith.bank.merging import Merged, merge
from gapsmith.bank.sums import seal
from gapsmith.templates import load_paradigm, parse_paradigm, realise, sample
from gapsmith.vetting.agreement_pages import agreement_report, report_lines
from gapsmith.vetting.annotators import look_at_others
from gapsmith.vetting.review import Session
from tests.interface import expect_document
from tests.making import made_tokens
from tests.parts import first_of

FIXTURE = Path(__file__).parent.parent / "fixtures" / "bank_0_1_0"
PG = load_paradigm("subject_pg")
Copy = Callable[[Bank, str], Bank]


def fill(bank: Bank, n: int, dataset: str = "generated", *, seed: int = 1, provider: str = "x") -> list[int]:
    """So many sampled items in a run of their own."""
    paradigm_id = bank.paradigms.register(PG)
    identity = f"{dataset}{seed}"
    run = bank.runs.begin(kind="generate", paradigm_id=paradigm_id, provider=provider, identity=identity, parameters={})
    stream = sample(PG, seed)
    slots = [next(stream) for _ in range(n)]
    items = [NewItem(own, realise(PG, own), dataset=dataset) for own in slots]
    return bank.runs.reply(bank.runs.intend(run.id, 0, {}), outcome="ok", reply="raw", items=items)


def renamed(bank: Bank, item_id: int, name: str, author: str) -> None:
    """An edit of one slot."""
    slots = {**(bank.items.get(item_id).slots or {}), "name1": name}
    bank.items.revise(item_id, slots=slots, sentences=realise(PG, slots), author=author)


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[Bank]:
    """An empty bank."""
    with Bank.open(tmp_path / "bank.sqlite", create=True) as opened:
        yield opened


@pytest.fixture
def copy(tmp_path: Path) -> Iterator[Copy]:
    """Copies of a bank as it is now, as ``cp`` makes them: they think that they are the same bank."""
    opened: list[Bank] = []

    def make(source: Bank, name: str) -> Bank:
        (tmp_path / name).mkdir()
        target = sqlite3.connect(tmp_path / name / "bank.sqlite")
        source.db.raw.backup(target)
        target.close()
        opened.append(Bank.open(tmp_path / name / "bank.sqlite"))
        return opened[-1]

    yield make
    for one in opened:
        one.close()


def bring(source: Bank, target: Bank) -> Merged:
    """Merge one bank into the other."""
    return merge(target, entries(source), str(source.path))


def standing(bank: Bank) -> dict[str, tuple[Any, ...]]:
    """Where every item stands, and on which texts, by its uid."""
    return {
        item.uid.hex(): (item.status, item.reason, item.forked, tuple(s.text for s in item.sentences))
        for item in bank.items.iterate()
    }


def events(bank: Bank) -> dict[str, tuple[Any, ...]]:
    """Every event by its uid, without what only this bank knows it by."""
    rows = bank.db.execute(
        "SELECT event.*, item.uid AS item, revision.uid AS revision, first.uid AS first FROM event"
        " LEFT JOIN item ON item.id = event.item_id LEFT JOIN revision ON revision.id = event.revision_id"
        " JOIN event first ON first.id = event.action"
    )
    return {
        row["uid"].hex(): (
            row["kind"],
            row["author"],
            row["at"],
            row["seq"],
            row["payload"],
            row["item"],
            row["revision"],
            row["first"],
        )
        for row in rows
    }


def decisions(bank: Bank) -> set[tuple[Any, ...]]:
    """Who says what now."""
    rows = bank.db.execute("SELECT item.uid, d.author, d.kind, d.verdict FROM decision_state d JOIN item ON item.id = item_id")
    return {tuple(row) for row in rows}


# Two annotators


def test_two_annotators_banks_merge_into_one_on_which_agreement_is_counted(bank: Bank, copy: Copy) -> None:
    ids = fill(bank, 6)
    other = copy(bank, "other")
    bank.decisions.decide(ids[:4], Verdict.APPROVE, author="ann")
    bank.review.lock("ann", paradigm=None, dataset=None)
    other.decisions.decide(ids[:3], Verdict.APPROVE, author="bob")
    other.decisions.decide([ids[3]], Verdict.EXCLUDE, author="bob", reason="odd")
    other.review.comment(ids[0], "fine", author="bob")
    done = bring(other, bank)
    assert dict(done.added) == {"decisions": 4, "comments": 1}
    assert done.authors == {"bob"}
    assert bank.items.count_by_status() == {
        ItemStatus.APPROVED: 3,
        ItemStatus.DISPUTED: 1,
        ItemStatus.PENDING: 2,
    }
    found = agreement_report(bank, paradigm=None, dataset=None, blind=True)
    assert len(blind_labels(bank, bank.review.verdicts(earlier=True)).labels) == 8
    assert found is not None
    assert bank.faults() == []
    # Who has not locked sees no more than before; who has, sees all.
    with pytest.raises(Exception, match="bob has not locked"):
        look_at_others(bank.read_by("bob"), None, None, on_record=False)
    assert {d.author for d in Session(bank, "bob").view(ids[0]).decisions} == {"bob"}
    assert {d.author for d in Session(bank, "ann").view(ids[0]).decisions} == {"ann", "bob"}


def test_a_second_merge_of_the_same_bank_changes_nothing(bank: Bank, copy: Copy) -> None:
    ids = fill(bank, 3)
    other = copy(bank, "other")
    bank.decisions.decide(ids[:1], Verdict.FLAG, author="ann")
    other.decisions.decide(ids[:2], Verdict.APPROVE, author="bob")
    renamed(other, ids[2], "Ada", "bob")
    fill(other, 2, "more", seed=7)
    bring(other, bank)
    before = (standing(bank), events(bank), bank.items.count(), len(bank.runs.all()))
    total = bank.db.raw.total_changes
    again = bring(other, bank)
    assert again.nothing
    assert again.same_items == 0
    assert bank.db.raw.total_changes == total
    assert (standing(bank), events(bank), bank.items.count(), len(bank.runs.all())) == before


def test_what_only_the_other_bank_has_comes_in_with_its_provenance(bank: Bank, copy: Copy) -> None:
    (here,) = fill(bank, 1)
    other = copy(bank, "other")
    ids = fill(other, 2, "more", seed=7)
    other.findings.replace("subject_pg", {ids[0]: ()}, ruleset="r")
    other.items.revise(ids[1], slots=other.items.get(ids[1]).slots, sentences=other.items.get(ids[1]).sentences, author="b")
    scorer = other.scores.register("m", "r", {"weights": "m"})
    text = other.items.get(ids[0]).sentences[0].text
    other.scores.add(scorer, [made_tokens(text, [(0, len(text), 1.0)])])
    done = bring(other, bank)
    assert done.added["items"] == 2
    assert done.added["runs"] == done.added["calls"] == done.added["data sets"] == 1
    new = list(bank.items.iterate(ItemFilter(dataset="more")))
    assert [i.sentences for i in new] == [i.sentences for i in other.items.iterate(ItemFilter(dataset="more"))]
    assert bank.runs.call(new[0].call_id or 0).reply == "raw"
    assert bank.findings.unlinted() == [here, new[1].id]
    assert bank.scores.scorers() == []
    assert bank.faults() == []


def test_two_edits_of_one_item_are_shown_and_adjudicated_either_way(bank: Bank, copy: Copy) -> None:
    one, two = fill(bank, 2)
    other = copy(bank, "other")
    renamed(bank, one, "Zoë", "ann")
    renamed(other, one, "José", "bob")
    renamed(bank, two, "Ada", "ann")
    renamed(other, two, "Ada", "bob")
    done = bring(other, bank)
    assert done.forked == [f"generated/{bank.items.get(one).label}"]
    # The same edit on both sides is no dispute.
    assert bank.items.get(two).status is ItemStatus.PENDING
    assert bank.items.get(one).status is ItemStatus.DISPUTED
    chair = Session(bank, "chair", adjudicating=True)
    versions = chair.versions(one)
    assert {(v.slots or {})["name1"] for v in versions} == {"Zoë", "José"}
    shown = chair.view(one).item.revision_id
    (hidden,) = [v.id for v in versions if v.id != shown]
    assert {(chair.view(one, version=v.id).item.slots or {})["name1"] for v in versions} == {"Zoë", "José"}
    chair.decide({one: hidden}, Verdict.APPROVE)
    settled = bank.items.get(one)
    assert (settled.forked, settled.status, settled.revision_id) == (False, ItemStatus.APPROVED, hidden)
    # An edit goes on from the version that was picked, and a merge later on does not open it again.
    renamed(bank, one, "Eve", "ann")
    assert (bank.items.get(one).forked, (bank.items.get(one).slots or {})["name1"]) == (False, "Eve")
    bring(other, bank)
    assert (bank.items.get(one).slots or {})["name1"] == "Eve"
    assert bank.faults() == []
    with pytest.raises(BankError, match="no version"):
        bank.decisions.decide([two], Verdict.APPROVE, author="chair", kind="adjudication", versions={two: shown})


def test_an_edit_upon_one_that_was_taken_back_elsewhere_is_not_lost(bank: Bank, copy: Copy) -> None:
    (item,) = fill(bank, 1)
    renamed(bank, item, "Ada", "ann")
    other = copy(bank, "other")
    bank.decisions.undo("ann")
    renamed(other, item, "Bea", "bob")
    bring(other, bank)
    assert bank.items.get(item).forked
    assert {(v.slots or {})["name1"] for v in Session(bank, "c", adjudicating=True).versions(item)} >= {"Bea"}


def test_undo_of_what_came_in_and_decisions_after_a_merge_count_whatever_the_clocks_say(
    bank: Bank, copy: Copy, monkeypatch: pytest.MonkeyPatch
) -> None:
    (item,) = fill(bank, 1)
    other = copy(bank, "other")
    monkeypatch.setattr("gapsmith.bank.events.now", lambda: "2099-01-01T00:00:00.000+00:00")
    other.decisions.decide([item], Verdict.APPROVE, author="ann")
    monkeypatch.undo()
    bring(other, bank)
    assert bank.items.get(item).status is ItemStatus.APPROVED
    bank.decisions.decide([item], Verdict.FLAG, author="ann")
    assert bank.items.get(item).status is ItemStatus.FLAGGED
    bank.decisions.undo("ann")
    assert bank.items.get(item).status is ItemStatus.APPROVED
    bank.decisions.undo("ann")
    assert bank.items.get(item).status is ItemStatus.PENDING
    bring(bank, other)
    assert other.items.get(item).status is ItemStatus.PENDING


# Items that both sides have


def test_the_same_file_imported_on_both_sides_is_one_set_of_items(bank: Bank, tmp_path: Path) -> None:
    fill(bank, 4, "source")
    lines = [json.dumps({"item": item.label, "slots": item.slots}) for item in bank.items.iterate()]
    file = tmp_path / "mine.jsonl"
    file.write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    with (
        Bank.open(tmp_path / "one" / "bank.sqlite", create=True) as one,
        Bank.open(tmp_path / "two" / "bank.sqlite", create=True) as two,
    ):
        for side in (one, two):
            bring_in(ImportPlace.of(side.path.parent, side), ImportOrder(file, PG.name, "mine"))
        one.decisions.decide([1, 2], Verdict.APPROVE, author="ann")
        two.decisions.decide([1], Verdict.APPROVE, author="bob")
        two.decisions.decide([2], Verdict.FLAG, author="bob")
        renamed(two, 3, "Ada", "bob")
        done = bring(two, one)
        assert (done.same_items, done.added["items"], done.added["runs"], done.renamed) == (4, 0, 0, {})
        assert [i.status for i in one.items.iterate()] == [
            ItemStatus.APPROVED,
            ItemStatus.DISPUTED,
            ItemStatus.PENDING,
            ItemStatus.PENDING,
        ]
        assert (one.items.get(3).slots or {})["name1"] == "Ada"
        assert bring(two, one).nothing
        bring(one, two)
        by_label = [{(i.label, i.status, i.sentences) for i in side.items.iterate()} for side in (one, two)]
        assert by_label[0] == by_label[1]
        assert one.faults() == two.faults() == []


def test_ids_taken_on_both_sides_and_one_run_on_both_sides_keep_everything(bank: Bank, copy: Copy) -> None:
    other = copy(bank, "other")
    fill(bank, 2, seed=1, provider="gemini")
    fill(other, 2, seed=3, provider="gemini")
    # The same paid command on both sides: two runs with one identity, and other answers.
    other.db.execute("UPDATE run SET identity = 'generated1'")
    done = bring(other, bank)
    assert done.renamed == {"generated/1": "1-2", "generated/2": "2-2"}
    assert [i.label for i in bank.items.iterate()] == ["1", "2", "1-2", "2-2"]
    assert len(bank.runs.all()) == 2
    assert bank.runs.find("generated1") is not None
    assert bring(other, bank).nothing


def test_a_run_that_went_on_in_both_copies_keeps_every_answer(bank: Bank, copy: Copy) -> None:
    paradigm_id = bank.paradigms.register(PG)
    run = bank.runs.begin(kind="generate", paradigm_id=paradigm_id, provider="openai", identity="r", parameters={})
    waiting = bank.runs.intend(run.id, 0, {"n": 1})
    other = copy(bank, "other")
    other.runs.reply(waiting, outcome="ok", reply="the answer", cost_usd=0.5)
    for side, word in ((bank, "here"), (other, "there")):
        side.runs.reply(side.runs.intend(run.id, 1, {}), outcome="ok", reply=word)
    other.runs.finish(run.id)
    bring(other, bank)
    found = bank.runs.calls(run.id)
    assert [(call.number, call.reply) for call in found] == [(0, "the answer"), (1, "here"), (2, "there")]
    assert bank.runs.get(run.id).finished_at is not None
    assert bring(other, bank).nothing


def test_items_of_another_form_of_the_paradigm_keep_it(bank: Bank, copy: Copy) -> None:
    fill(bank, 1)
    other = copy(bank, "other")
    changed = parse_paradigm(PG.text.replace('text = "{determiner} {noun}"', 'text = "{determiner} old {noun}"'))
    assert changed.form_digest != PG.form_digest
    run = other.runs.begin(
        kind="generate", paradigm_id=other.paradigms.register(changed), provider="x", identity="c", parameters={}
    )
    slots = next(sample(PG, 5))
    other.runs.reply(other.runs.intend(run.id, 0, {}), outcome="ok", reply=None, items=[NewItem(slots, realise(changed, slots))])
    done = bring(other, bank)
    assert done.other_forms == {"subject_pg"}
    (new,) = [i for i in bank.items.iterate() if "old" in i.sentences[0].text]
    assert bank.paradigms.load(new.paradigm_id).form_digest == changed.form_digest


def test_a_paradigm_is_as_old_as_in_the_bank_that_kept_it_first(bank: Bank, tmp_path: Path) -> None:
    """Both ways round: what was predicted, and of what size, was fixed at the earlier of the two times."""
    with Bank.open(tmp_path / "other.sqlite", create=True) as other:
        for opened, at in ((bank, "2026-03-01T00:00:00.000000Z"), (other, "2026-02-01T00:00:00.000000Z")):
            fill(opened, 1)
            opened.db.execute("UPDATE paradigm SET at = ?", (at,))
        # Another size is another prediction, with a time of its own.
        other.paradigms.register(
            parse_paradigm(PG.text.replace('expected = "negative"', 'expected = "negative"\ndelta = 0.5', 1))
        )
        done = bring(other, bank)
        assert done.added["earlier times of paradigms"] == 1
        assert bring(other, bank).nothing
        assert [one.form_digest for one in bank.paradigms.known_by("subject_pg", "2026-02-15")] == [PG.form_digest]
        bring(bank, other)
        for opened in (bank, other):
            assert [one.form_digest for one in opened.paradigms.known_by("subject_pg", "2026-01-15")] == []
            assert [one.form_digest for one in opened.paradigms.known_by("subject_pg", "2026-02-15")] == [PG.form_digest]
            assert opened.faults() == []


def test_names_of_data_sets_follow_from_the_events_of_both(bank: Bank, copy: Copy) -> None:
    fill(bank, 1, "items")
    other = copy(bank, "other")
    other.datasets.rename(other.datasets.find("items"), "final", author="bob")
    fill(other, 1, "items", seed=5)
    bring(other, bank)
    assert {d.name: d.items for d in bank.datasets.all()} == {"final": 1, "items": 1}
    bank.datasets.remove(bank.datasets.find("items"), author="ann")
    bring(bank, other)
    assert [d.name for d in other.datasets.all()] == ["final"]
    assert bank.faults() == other.faults() == []


def test_changes_are_told_by_what_came_before_them(bank: Bank, copy: Copy) -> None:
    """A look, or a lock that another copy of the bank did not know of."""
    one, two, three = fill(bank, 3)
    for author, verdict in (("ann", Verdict.FLAG), ("bob", Verdict.APPROVE)):
        bank.decisions.decide([one, two, three], verdict, author=author)
    other = copy(bank, "other")
    other.review.peek(two, "others", author="ann")
    bank.review.lock("ann", paradigm=None, dataset=None)
    other.decisions.decide([one, two], Verdict.APPROVE, author="ann")
    bring(other, bank)
    told = report_lines(bank, agreement_report(bank))
    counts = "Agreement counts what stood before."
    assert f"ann changed 1 label after the lock: item 1 from flag to approve. {counts}" in told
    assert f"ann changed 1 label after a look at what others say: item 2 from flag to approve. {counts}" in told
    bank.review.lock("ann", paradigm=None, dataset=None, locked=False)
    told = report_lines(bank, agreement_report(bank))
    assert [line.partition(" on ")[0] for line in told if "took" in line] == ["ann took the lock back"]
    assert sum("label after a look" in line for line in told) == 1
    assert not any("after the lock" in line for line in told)


def locked_sets(bank: Bank) -> set[str | None]:
    """What ann has locked, as it is called now."""
    return {own.name for own in bank.datasets.all() if is_locked(bank.review.locks(), "ann", own.paradigm, own.name)}


@pytest.mark.parametrize("with_uid", [True, False])
def test_a_lock_is_about_its_data_set_whatever_that_is_called(bank: Bank, copy: Copy, with_uid: bool) -> None:
    pilot = fill(bank, 2, "pilot")
    main = fill(bank, 2, "main", seed=5)
    bank.decisions.decide([*pilot, *main], Verdict.EXCLUDE, author="bob", reason="odd")
    bank.decisions.decide(pilot, Verdict.APPROVE, author="ann")
    if with_uid:
        bank.review.lock("ann", paradigm="subject_pg", dataset="pilot")
    else:
        # As releases before 0.2.2 kept it.
        with bank.transaction():
            said = {"paradigm": "subject_pg", "dataset": "pilot", "locked": True}
            add_event(bank.db, "lock", None, None, said, author="ann")
    other = copy(bank, "other")

    def expect(locked: str | None, sees: list[int], of: Bank = bank) -> None:
        assert locked_sets(of) == ({locked} if locked is not None else set())
        ann = of.read_by("ann")
        assert sorted({one.item_id for one in ann.decisions.all() if one.author == "bob"}) == sees

    def rename(name: str, to: str, of: Bank = bank) -> None:
        of.datasets.rename(of.datasets.find(name), to, author="lead")

    expect("pilot", pilot)
    rename("pilot", "pilot1")
    rename("main", "pilot")
    expect("pilot1", pilot)
    with pytest.raises(LockedError, match=r"ann has locked the decisions on subject_pg/pilot1"):
        bank.decisions.decide(pilot, Verdict.FLAG, author="ann")
    bank.decisions.undo("lead")
    bank.decisions.undo("lead")
    expect("pilot", pilot)
    bank.datasets.remove(bank.datasets.find("pilot"), author="lead")
    later = fill(bank, 1, "pilot", seed=9)
    bank.decisions.decide(later, Verdict.APPROVE, author="bob")
    expect(None, [])
    bring(bank, other)
    rename("main", "final", other)
    bring(other, bank)
    expect(None, [])
    assert bank.faults() == other.faults() == []


def test_a_lock_of_a_data_set_that_both_brought_in_is_about_the_one_that_stays(bank: Bank, tmp_path: Path) -> None:
    with Bank.open(tmp_path / "two.sqlite", create=True) as two:
        for own in (bank, two):
            fill(own, 2)
        two.review.lock("ann", paradigm="subject_pg", dataset="generated")
        bank.datasets.rename(bank.datasets.find("generated"), "mine", author="lead")
        bank.datasets.rename(bank.datasets.find("mine"), "generated", author="lead")
        bring(two, bank)
        assert bring(two, bank).nothing
    assert len(bank.datasets.all()) == 1
    bank.datasets.rename(bank.datasets.find("generated"), "new", author="lead")
    assert locked_sets(bank) == {"new"}
    with pytest.raises(BankError, match="no data set 'generated'"):
        bank.review.lock("ann", paradigm=None, dataset="generated")


def test_two_data_sets_that_would_have_one_name_are_refused(bank: Bank, copy: Copy) -> None:
    fill(bank, 1, "one")
    fill(bank, 1, "two", seed=5)
    other = copy(bank, "other")
    bank.datasets.rename(bank.datasets.find("one"), "final", author="ann")
    other.datasets.rename(other.datasets.find("two"), "final", author="bob")
    before = events(bank)
    with pytest.raises(BankError, match="one name") as refused:
        bring(other, bank)
    assert "dataset rename" in refused.value.hint
    assert events(bank) == before
    assert bank.faults() == []


# What is refused


def test_a_log_goes_out_and_in_as_lines(bank: Bank, copy: Copy, tmp_path: Path) -> None:
    ids = fill(bank, 3)
    other = copy(bank, "other")
    other.decisions.decide(ids, Verdict.APPROVE, author="bob")
    renamed(other, ids[0], "Zoë", "bob")
    other.decisions.undo("bob")
    path = tmp_path / "log.jsonl"
    assert write_log(other, path) == len(path.read_text().splitlines()) - 2
    for line in _lines(path):
        expect_document(f"log: {line['kind']}", line)
    assert list(read_log(path, bank)) == list(entries(other))
    merge(bank, read_log(path, bank), str(path))
    assert (standing(bank), events(bank), decisions(bank)) == (standing(other), events(other), decisions(other))
    with pytest.raises(BankError, match="cannot be made"):
        write_log(other, path)


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _tampered(lines: list[dict[str, Any]], how: str) -> list[dict[str, Any]]:
    item = next(line for line in lines if line["kind"] == "item")
    event = next(line for line in lines if line.get("what") == "decision")
    if how == "text":
        item["revisions"][0]["sentences"][0]["text"] += " indeed"
    elif how == "spans":
        item["revisions"][0]["sentences"][0]["spans"] = "ff" * (len(item["revisions"][0]["sentences"][0]["spans"]) // 2)
    elif how == "other text":
        event["revision"] = next(line for line in lines if line["kind"] == "item" and line is not item)["revisions"][0]["uid"]
    elif how == "said":
        event["payload"]["verdict"] = "perhaps"
    elif how == "nothing said":
        event["payload"] = {}
    elif how == "newer":
        event["what"] = "wish"
    elif how == "time":
        event["at"] = "soon"
    elif how == "no item":
        event["item"] = "0" * 32
    elif how == "cut":
        return lines[:-2]
    elif how == "shorter":
        del lines[-3]
    elif how == "other log":
        lines[0] |= {"version": 99, "program": "0.9.1"}
    elif how == "no log":
        return lines[1:]
    elif how == "unknown":
        event["more"] = 1
    return lines


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("text", "do not fit their checksum"),
        ("spans", "do not fit"),
        ("other text", "never had"),
        ("said", "is no decision"),
        ("nothing said", "does not say"),
        ("newer", "knows no such event"),
        ("time", "line"),
        ("no item", "not there"),
        ("cut", "breaks off"),
        ("shorter", "are here"),
        ("other log", "form 99; this gapsmith reads forms 1 and 2\n.*install gapsmith 0.9.1 or a later one"),
        ("no log", "is not the log"),
        ("unknown", "line"),
    ],
)
def test_a_log_that_somebody_changed_is_refused_whole(bank: Bank, copy: Copy, tmp_path: Path, how: str, said: str) -> None:
    ids = fill(bank, 3)
    other = copy(bank, "other")
    other.decisions.decide(ids, Verdict.APPROVE, author="bob")
    path = tmp_path / "log.jsonl"
    write_log(other, path)
    lines = _tampered(_lines(path), how)
    path.write_text("\n".join(json.dumps(line) for line in lines) + "\n", encoding="utf-8")
    before = (standing(bank), events(bank))
    with pytest.raises(BankError, match=said) as refused:
        merge(bank, read_log(path, bank), str(path))
    assert str(path) in refused.value.message
    assert (standing(bank), events(bank)) == before


@pytest.mark.parametrize(
    ("kind", "change", "said"),
    [
        ("paradigm", {"form": "0" * 64}, "subject_pg is not the one that its items were made with"),
        ("dataset", {"name": "../../x"}, "reads as the path of a file"),
        ("event", {"author": "bo\x07b"}, "a character that is not seen"),
        ("event", {"what": "lead", "payload": {"to": "x" * 5000}, "item": None, "revision": None}, "5,000 characters"),
        ("event", {"what": "assign", "payload": {"to": ["../../x"]}}, "reads as the path of a file"),
    ],
)
def test_a_forged_log_brings_in_nothing_that_would_be_refused_here(
    bank: Bank, copy: Copy, tmp_path: Path, kind: str, change: dict[str, Any], said: str
) -> None:
    other = copy(bank, "other")
    other.decisions.decide(fill(other, 3), Verdict.APPROVE, author="bob")
    path = tmp_path / "log.jsonl"
    write_log(other, path)
    lines = _lines(path)
    next(line for line in lines if line["kind"] == kind).update(change)
    path.write_text("\n".join(json.dumps(line) for line in lines) + "\n", encoding="utf-8")
    with pytest.raises(BankError, match=said) as refused:
        merge(bank, read_log(path, bank), str(path))
    assert str(path) in refused.value.message
    assert (bank.items.count(), events(bank), bank.datasets.all(), bank.faults()) == (0, {}, [], [])


def test_an_event_that_says_something_else_there_is_refused(bank: Bank, copy: Copy) -> None:
    ids = fill(bank, 1)
    bank.decisions.decide(ids, Verdict.APPROVE, author="ann")
    other = copy(bank, "other")
    other.db.execute("DROP TRIGGER event_is_never_updated")
    # An event that is whole in its bank, checksum and all, and not what it was.
    other.db.execute("UPDATE event SET payload = ?, sum = 0", (canonical({"verdict": "flag", "by": "person"}),))
    seal(other.db.raw)
    with pytest.raises(BankError, match="something else there than here"):
        bring(other, bank)


# Old banks


def test_a_bank_of_release_0_1_0_is_upgraded_as_a_copy(bank: Bank, tmp_path: Path) -> None:
    old = tmp_path / "old"
    (old / "paradigms").mkdir(parents=True)
    shutil.copy(FIXTURE / "npi.toml", old / "paradigms")
    shutil.copy(FIXTURE / "bank.sqlite", old)
    content = (old / "bank.sqlite").read_bytes()
    # Read by the first author, who leads a bank of an older release.
    with Bank.open_copy(old / "bank.sqlite", reader="ann") as other:
        done = bring(other, bank)
        assert standing(other) == standing(bank)
        assert done.added["items"] == other.items.count() > 0
    assert (old / "bank.sqlite").read_bytes() == content
    assert sorted(path.name for path in old.iterdir()) == ["bank.sqlite", "paradigms"]
    # Upgraded in its own place, it is the same bank.
    with Bank.open(old / "bank.sqlite") as upgraded:
        assert bring(upgraded, bank).nothing
    assert bank.faults() == []


# Any order


def _some_work(bank: Bank, chance: random.Random, who: str, more: str) -> None:
    """What a person may do in an hour."""
    for step in range(chance.randint(1, 8)):
        ids = bank.items.ids()
        item = chance.choice(ids)
        what = chance.choice(
            (
                "decide",
                "decide",
                "many",
                "edit",
                "edit",
                "undo",
                "undo",
                "redo",
                "judge",
                "comment",
                "adjudicate",
                "policy",
                "new",
                "rename",
                "lock",
            )
        )
        try:
            if what == "decide":
                bank.decisions.decide([item], chance.choice([Verdict.APPROVE, Verdict.FLAG]), author=who)
            elif what == "many":
                bank.decisions.decide(ids[:3], Verdict.APPROVE, author=who)
            elif what == "policy":
                bank.decisions.decide([item], Verdict.APPROVE, author="clean", kind="policy")
            elif what == "adjudicate":
                bank.decisions.decide([item], Verdict.EXCLUDE, author="chair", kind="adjudication", reason="no")
            elif what == "edit":
                renamed(bank, item, chance.choice(["Ada", "Bea", "Cyd", "Dot"]), who)
            elif what in ("undo", "redo"):
                getattr(bank.decisions, what)(who)
            elif what == "judge":
                bank.decisions.judge(item, bank.items.get(item).sentences[0].condition, "*", author=who)
            elif what == "comment":
                bank.review.comment(item, "hm", author=who)
            elif what == "new":
                fill(bank, 1, f"{more}{step}", seed=chance.randint(10, 10**6))
            elif what == "rename":
                bank.datasets.rename(bank.datasets.find("generated"), f"{more}-{chance.random()}", author=who)
            else:
                bank.review.lock(who, paradigm=None, dataset=None)
        except BankError:
            # Some things cannot be done as things stand; the person does something else.
            continue


@pytest.mark.parametrize("seed", first_of(range(12), 3))
def test_whichever_bank_takes_in_the_others_in_whatever_order_the_result_is_one(bank: Bank, copy: Copy, seed: int) -> None:
    chance = random.Random(seed)
    fill(bank, 4)
    _some_work(bank, chance, "ann", "first")
    sides = [copy(bank, name) for name in "abc"]
    for side, who in zip(sides, ("ann", "bob", chance.choice(["ann", "cleo"])), strict=True):
        _some_work(side, chance, who, who + side.path.parent.name)
    if seed % 3 == 0:
        # Two of them meet before the third comes.
        bring(sides[1], sides[2])
        _some_work(sides[2], chance, "bob", "later")
    results = []
    for number, order in enumerate(([0, 1, 2], [2, 1, 0], [1, 2, 0])):
        first, *others = (copy(sides[which], f"{number}{which}") for which in order)
        for one in others:
            bring(one, first)
        assert first.faults() == []
        results.append(first)
    for one in results[1:]:
        assert standing(one) == standing(results[0])
        assert events(one) == events(results[0])
        assert decisions(one) == decisions(results[0])
        assert {d.name: d.removed for d in one.datasets.all(removed=True)} == {
            d.name: d.removed for d in results[0].datasets.all(removed=True)
        }
        assert bring(one, results[0]).nothing
