"""The bank on a real file: what is kept, what follows from events, and what a newer or broken file gives."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gapsmith.bank import (
    Bank,
    BankError,
    Finding,
    ItemFilter,
    ItemStatus,
    NewItem,
    Severity,
    StoredItem,
    Verdict,
    store,
)
from gapsmith.bank.connection import DURABILITY, connect
from gapsmith.bank.migrations import LATEST, migrate
from gapsmith.bank.sums import row_sum
from gapsmith.templates import Sentence, Source, align, load_paradigm, realise, sample
from gapsmith.templates.version import VERSION
from tests.interface import expect_names
from tests.making import made_tokens

pytestmark = pytest.mark.fast

PG = load_paradigm("subject_pg")


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[Bank]:
    with Bank.open(tmp_path / "bank.sqlite", create=True) as opened:
        yield opened


def test_a_commit_is_on_the_disk_when_it_returns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gapsmith.bank.connection.DURABILITY", DURABILITY)
    connection = connect(tmp_path / "bank.sqlite", create=True)
    assert connection.execute("PRAGMA synchronous").fetchone()[0] == 2
    connection.close()


def test_a_new_bank_of_the_tests_is_one_that_the_program_makes(tmp_path: Path) -> None:
    def held(path: Path) -> list[tuple[object, ...]]:
        connection = connect(path, create=True)
        found = [tuple(row) for row in connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY 1, 2")]
        # A bank's own name and the time differ, and with them the checksums.
        found += [tuple(row) for row in connection.execute("SELECT number, name FROM migration")]
        found += [tuple(row) for row in connection.execute("SELECT name, length(value) FROM property ORDER BY 1")]
        found += [tuple(row) for row in connection.execute("PRAGMA application_id")]
        found += [tuple(row) for row in connection.execute("PRAGMA journal_mode")]
        connection.close()
        return found

    for name, made in (("program", migrate), ("tests", vars(store)["migrate"])):
        path = tmp_path / f"{name}.sqlite"
        raw = connect(path, create=True)
        made(raw, path)
        raw.close()
    assert held(tmp_path / "tests.sqlite") == held(tmp_path / "program.sqlite")
    with Bank.open(tmp_path / "tests.sqlite") as bank, Bank.open(tmp_path / "other.sqlite", create=True) as other:
        assert list(bank.faults()) == []
        assert bank.db.property("bank") != other.db.property("bank")


def test_a_new_bank_is_what_all_steps_come_to(tmp_path: Path) -> None:
    def schema(path: Path, *stops: int) -> list[tuple[str, ...]]:
        connection = connect(path, create=True)
        for stop in stops:
            migrate(connection, path, up_to=stop)
        found = [tuple(row) for row in connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY 1, 2")]
        found += [tuple(row) for row in connection.execute("SELECT number, name FROM migration")]
        found += [tuple(row) for row in connection.execute("PRAGMA application_id")]
        connection.close()
        return found

    assert schema(tmp_path / "new.sqlite", LATEST) == schema(tmp_path / "old.sqlite", 1, LATEST)


def test_schema_and_checksums_change_only_with_the_version(tmp_path: Path) -> None:
    """A bank says which version made it, and others ask for that version: each schema has one of its own. Steps that landed stay."""

    def digest(said: str) -> str:
        return hashlib.sha256(said.encode()).hexdigest()[:12]

    new = connect(tmp_path / "new.sqlite", create=True)
    migrate(new, tmp_path / "new.sqlite")
    parts = new.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY 1, 2").fetchall()
    new.close()
    expect_names("bank: schema", [[f"{kind} {name} {digest(sql)}" for kind, name, sql in parts]])
    old = connect(tmp_path / "old.sqlite", create=True)
    steps = []
    for number in range(1, LATEST + 1):
        migrate(old, tmp_path / "old.sqlite", up_to=number)
        (name,) = old.execute("SELECT name FROM migration WHERE number = ?", (number,)).fetchone()
        tables = old.execute("SELECT name, sql FROM sqlite_master ORDER BY type, name").fetchall()
        steps.append(f"{number} {name} {digest(ascii([tuple(own) for own in tables]))}")
    old.close()
    expect_names("bank: steps", [steps])
    expect_names("bank: checksum of a row", [[str(row_sum("text", (1, "é", b"\x00\xff", None, 0.1, -0.0)))]])


def fill(bank: Bank, count: int = 5, *, dataset: str = "generated") -> list[int]:
    """Items of subject_pg, in one run and call."""
    run = bank.runs.begin(
        kind="generate",
        paradigm_id=bank.paradigms.register(PG),
        provider="lexicon",
        identity=f"test {dataset} {count}",
        parameters={"n": count},
    )
    call = bank.runs.intend(run.id, 0, {"n": count})
    stream = sample(PG, 1)
    items = [NewItem(slots, realise(PG, slots), dataset=dataset) for slots, _ in zip(stream, range(count), strict=False)]
    return bank.runs.reply(call, outcome="ok", reply="[…]", items=items)


def state(bank: Bank) -> list[tuple[int, ItemStatus, str | None, int]]:
    return [(i.id, i.status, i.reason, i.revision_id) for i in bank.items.iterate()]


def test_items_come_back_as_they_went_in_after_reopening(tmp_path: Path) -> None:
    path = tmp_path / "bank.sqlite"
    with Bank.open(path, create=True) as bank:
        ids = fill(bank, 3)
        before = [bank.items.get(i) for i in ids]
    with Bank.open(path) as bank:
        after = list(bank.items.iterate())
    assert after == before
    assert [item.label for item in after] == ["1", "2", "3"]
    assert list(after[0].slots or {}) == [slot.name for slot in PG.visible_slots]
    assert after[0].sentences == realise(PG, after[0].slots or {})


def test_labels_are_unique_within_a_data_set_only(bank: Bank) -> None:
    fill(bank, 2)
    fill(bank, 2, dataset="second")
    assert bank.items.datasets() == ["generated", "second"]
    run = bank.runs.begin(kind="import", paradigm_id=bank.paradigms.register(PG), provider="file", identity="x", parameters={})
    call = bank.runs.intend(run.id, 0, {})
    taken = NewItem(None, (Sentence("pf_pg1_pg2", "Text."),), label="1")
    with pytest.raises(BankError, match="already has an item '1'"):
        bank.runs.reply(call, outcome="ok", reply=None, items=[NewItem(None, (), label="9"), taken])
    assert bank.items.count(ItemFilter(run_id=run.id)) == 0


def test_an_answer_is_never_overwritten(bank: Bank) -> None:
    fill(bank, 1)
    with pytest.raises(BankError, match="already has its answer"):
        bank.runs.reply(1, outcome="ok", reply="another")
    assert bank.runs.calls(1)[0].reply == "[…]"


def test_a_call_without_an_answer_stays_visible(bank: Bank) -> None:
    fill(bank, 1)
    call = bank.runs.intend(1, 1, {"n": 5})
    pending = [c for c in bank.runs.calls(1) if c.replied_at is None]
    assert [c.id for c in pending] == [call]


def test_beginning_the_same_run_again_continues_it(bank: Bank) -> None:
    paradigm_id = bank.paradigms.register(PG)
    one = bank.runs.begin(kind="generate", paradigm_id=paradigm_id, provider="p", identity="i", parameters={"n": 1})
    two = bank.runs.begin(kind="generate", paradigm_id=paradigm_id, provider="p", identity="i", parameters={"n": 1})
    assert one == two
    assert bank.runs.all() == [one]


def test_decisions_project_to_statuses(bank: Bank) -> None:
    a, b, c, d, e = fill(bank, 5)
    bank.decisions.decide([a, b, c, d], Verdict.APPROVE, author="policy:clean", kind="policy")
    bank.decisions.decide([b], Verdict.EXCLUDE, author="ann", reason="verb selection")
    bank.decisions.decide([c], Verdict.EXCLUDE, author="ann", reason="implausible")
    bank.decisions.decide([c], Verdict.APPROVE, author="bob")
    bank.decisions.decide([d], Verdict.FLAG, author="ann")
    statuses = {i.id: i.status for i in bank.items.iterate()}
    assert statuses == {
        a: ItemStatus.APPROVED,
        b: ItemStatus.EXCLUDED,
        c: ItemStatus.DISPUTED,
        d: ItemStatus.FLAGGED,
        e: ItemStatus.PENDING,
    }
    assert bank.items.get(b).reason == "verb selection"
    bank.decisions.decide([c], Verdict.APPROVE, author="chair", kind="adjudication")
    assert bank.items.get(c).status is ItemStatus.APPROVED
    assert sum(bank.items.count_by_status().values()) == 5


def test_an_exclusion_needs_a_reason_and_a_decision_an_author(bank: Bank) -> None:
    (a,) = fill(bank, 1)
    with pytest.raises(BankError, match="reason"):
        bank.decisions.decide([a], Verdict.EXCLUDE, author="ann")
    with pytest.raises(BankError, match="name"):
        bank.decisions.decide([a], Verdict.APPROVE, author="  ")
    with pytest.raises(BankError, match="99"):
        bank.decisions.decide([a, 99], Verdict.APPROVE, author="ann")
    assert bank.items.get(a).status is ItemStatus.PENDING


def test_undo_takes_back_a_bulk_decision_as_one_and_redo_does_it_again(bank: Bank) -> None:
    ids = fill(bank, 4)
    bank.decisions.decide(ids, Verdict.APPROVE, author="ann")
    bank.decisions.decide(ids[:1], Verdict.FLAG, author="ann")
    approved = state(bank)
    assert bank.decisions.undo("ann") == ids[:1]
    assert bank.decisions.undo("ann") == ids
    assert {s for _, s, _, _ in state(bank)} == {ItemStatus.PENDING}
    assert bank.decisions.undo("ann") is None
    bank.decisions.redo("ann")
    bank.decisions.redo("ann")
    assert bank.decisions.redo("ann") is None
    assert state(bank) == approved


def test_after_an_action_of_ones_own_nothing_that_was_undone_before_can_be_done_again(bank: Bank) -> None:
    a, b = fill(bank, 2)
    bank.decisions.decide([a], Verdict.EXCLUDE, author="ann", reason="r")
    bank.decisions.undo("ann")
    bank.decisions.decide([b], Verdict.FLAG, author="bob")
    assert bank.review.next_action("ann", "redo") is not None
    bank.decisions.decide([a], Verdict.APPROVE, author="ann")
    assert bank.review.next_action("ann", "redo") is None
    assert bank.decisions.redo("ann") is None
    assert bank.items.get(a).status is ItemStatus.APPROVED


def test_one_persons_undo_leaves_anothers_decision(bank: Bank) -> None:
    (a,) = fill(bank, 1)
    bank.decisions.decide([a], Verdict.APPROVE, author="ann")
    bank.decisions.decide([a], Verdict.APPROVE, author="bob")
    bank.decisions.undo("ann")
    assert [d.author for d in bank.decisions.for_item(a)] == ["bob"]
    assert len(bank.decisions.history(a)) == 2


def test_an_edit_is_a_new_revision_that_waits_for_a_decision_and_can_be_undone(bank: Bank) -> None:
    (a,) = fill(bank, 1)
    before = bank.items.get(a)
    bank.decisions.decide([a], Verdict.APPROVE, author="ann")
    assert before.slots is not None
    slots = {**before.slots, "noun": "portrait", "preposition": "of"}
    bank.items.revise(a, slots=slots, sentences=realise(PG, slots), author="ann", note="better noun")
    after = bank.items.get(a)
    assert (after.status, after.revision_number) == (ItemStatus.PENDING, 2)
    assert "portrait of" in after.sentences[0].text
    assert [r.number for r in bank.items.history(a)] == [1, 2]
    bank.decisions.undo("ann")
    restored = bank.items.get(a)
    assert restored.sentences == before.sentences
    assert restored.status is ItemStatus.APPROVED


ACTIONS = st.lists(
    st.tuples(
        st.sampled_from(["approve", "exclude", "flag", "undo", "redo", "edit", "judge", "policy", "adjudicate"]),
        st.integers(0, 2),
        st.sampled_from(["ann", "bob"]),
    ),
    max_size=25,
)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(actions=ACTIONS)
def test_the_projection_rebuilt_from_the_events_is_the_same(tmp_path: Path, actions: list[tuple[str, int, str]]) -> None:
    path = tmp_path / "bank.sqlite"
    for leftover in tmp_path.glob("bank.sqlite*"):
        leftover.unlink()
    with Bank.open(path, create=True) as bank:
        ids = fill(bank, 3)
        for what, index, author in actions:
            act(bank, what, bank.items.get(ids[index]), author)
        kept = state(bank), [bank.decisions.for_item(i) for i in ids], [bank.decisions.judgements(i) for i in ids]
        bank.decisions.rebuild_projection()
        assert (
            state(bank),
            [bank.decisions.for_item(i) for i in ids],
            [bank.decisions.judgements(i) for i in ids],
        ) == kept


def act(bank: Bank, what: str, item: StoredItem, author: str) -> None:
    """One step of a reviewer."""
    if what == "undo":
        with suppress(BankError):  # an edit that somebody else has built upon is not taken back
            bank.decisions.undo(author)
    elif what == "redo":
        bank.decisions.redo(author)
    elif what == "judge":
        bank.decisions.judge(item.id, "pf_pg1_pg2", "?", author=author)
    elif what == "edit":
        bank.items.revise(item.id, slots=item.slots, sentences=item.sentences, author=author)
    elif what == "policy":
        bank.decisions.decide([item.id], Verdict.APPROVE, author="policy:clean", kind="policy")
    elif what == "adjudicate":
        bank.decisions.decide([item.id], Verdict.EXCLUDE, author=author, kind="adjudication", reason="r")
    else:
        bank.decisions.decide([item.id], Verdict(what), author=author, reason="r")


def test_findings_replace_those_of_the_items_read_and_select_items(bank: Bank) -> None:
    a, b, c = fill(bank, 3)
    error = Finding("L201", Severity.ERROR, "no")
    info = Finding("L310", Severity.INFO, "hm")
    assert bank.findings.unlinted() == [a, b, c]
    bank.findings.replace("subject_pg", {a: [error, info], b: [info]}, ruleset="r1")
    assert bank.findings.unlinted() == [c]
    assert bank.items.ids(ItemFilter(codes=("L310",))) == [a, b]
    assert bank.items.ids(ItemFilter(codes=("L2",))) == [a]
    assert bank.items.ids(ItemFilter(severity=Severity.WARNING)) == [a]
    assert bank.findings.counts() == {("L201", Severity.ERROR): 1, ("L310", Severity.INFO): 2}
    bank.findings.replace("subject_pg", {a: []}, ruleset="r2")
    assert bank.findings.for_item(a) == []
    assert bank.findings.for_item(b) == [info]


def test_text_search_ignores_case_and_treats_wildcards_as_text(bank: Bank) -> None:
    ids = fill(bank, 3)
    word = (bank.items.get(ids[1]).slots or {})["name1"]
    assert ids[1] in bank.items.ids(ItemFilter(text=word.upper()))
    assert bank.items.ids(ItemFilter(text="%")) == []


def test_scores_are_kept_to_the_last_bit_and_only_once(bank: Bank) -> None:
    scorer = bank.scores.register("m", "r", {"bos": "bos"})
    assert bank.scores.register("m", "r", {"bos": "bos"}) == scorer
    assert bank.scores.register("m", "r", {"bos": "none"}) != scorer
    value = 0.1 + 0.2
    bank.scores.add(scorer, [made_tokens("I know", [(0, 1, None), (1, 6, value)], "no context")])
    bank.scores.add(scorer, [made_tokens("I know", [(0, 1, None), (1, 6, 7.0)], "later")])
    (found,) = bank.scores.get(scorer, ["I know", "other"]).values()
    assert found.spans.tolist() == [[0, 1], [1, 6]]
    assert found.bits.tolist()[1] == value
    assert (found.n_values, found.reason) == (1, "no context")
    assert bank.scores.missing(scorer, ["other", "I know", "other"]) == ["other"]


def test_a_score_that_is_not_a_number_is_refused(bank: Bank) -> None:
    scorer = bank.scores.register("m", "r", {"bos": "bos"})
    bad = made_tokens("x", [(0, 1, float("nan"))])
    with pytest.raises(ValueError, match="is not a number"):
        bank.scores.add(scorer, [bad])
    assert bank.scores.count(scorer) == 0


def test_a_transaction_that_fails_leaves_nothing(bank: Bank) -> None:
    ids = fill(bank, 2)

    def decide_and_fail() -> None:
        with bank.transaction():
            bank.decisions.decide(ids, Verdict.APPROVE, author="ann")
            raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        decide_and_fail()
    assert {s for _, s, _, _ in state(bank)} == {ItemStatus.PENDING}
    assert bank.decisions.history(ids[0]) == []


def test_two_connections_see_each_other(tmp_path: Path) -> None:
    path = tmp_path / "bank.sqlite"
    with Bank.open(path, create=True) as one, Bank.open(path) as two:
        ids = fill(one, 2)
        two.decisions.decide(ids, Verdict.APPROVE, author="ann")
        one.decisions.decide(ids[:1], Verdict.APPROVE, author="bob")
        assert one.items.count(ItemFilter(statuses=(ItemStatus.APPROVED,))) == 2


def test_no_bank_here_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(BankError, match="no bank") as caught:
        Bank.open(tmp_path / "bank.sqlite")
    assert "gapsmith init" in caught.value.hint


def test_a_file_of_another_kind_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "bank.sqlite"
    path.write_text("this is not a database, but a shopping list\n" * 50, encoding="utf-8")
    with pytest.raises(BankError, match=r"bank\.sqlite"):
        Bank.open(path)
    assert path.read_text(encoding="utf-8").startswith("this is not a database")


def test_a_bank_of_a_newer_gapsmith_is_refused_untouched(tmp_path: Path) -> None:
    path = tmp_path / "bank.sqlite"
    Bank.open(path, create=True).close()
    raw = sqlite3.connect(path)
    raw.execute("INSERT INTO migration (number, name, applied_at) VALUES (?, 'tomorrow', 'then')", (LATEST + 1,))
    raw.execute("UPDATE property SET value = '9.7' WHERE name = 'program'")
    raw.commit()
    raw.close()
    before = path.read_bytes()
    with pytest.raises(BankError, match="newer gapsmith") as caught:
        Bank.open(path)
    assert f"this one is {VERSION} and knows schema {LATEST}" in caught.value.message
    assert "Install gapsmith 9.7" in caught.value.hint
    assert path.read_bytes() == before


def test_a_step_that_fails_halfway_leaves_the_bank_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "bank.sqlite"
    with Bank.open(path, create=True) as bank:
        fill(bank, 2)
    from gapsmith.bank import migrations

    breaks = ("breaks", ("CREATE TABLE half (x)", "CREATE TABLE half (x)"))
    monkeypatch.setattr(migrations, "LATEST", migrations.LATEST + 1)
    monkeypatch.setattr(migrations, "_LATER", (*migrations._LATER, breaks))
    connection = connect(path, create=False)
    with pytest.raises(sqlite3.OperationalError, match="half"):
        migrate(connection, path, up_to=migrations.LATEST)
    connection.close()
    monkeypatch.undo()
    with Bank.open(path) as bank:
        assert bank.items.count() == 2
    assert len(list(tmp_path.glob("*.backup"))) == 1


def test_the_backup_before_a_migration_holds_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "bank.sqlite"
    with Bank.open(path, create=True) as bank:
        fill(bank, 3)
    from gapsmith.bank import migrations

    monkeypatch.setattr(migrations, "LATEST", migrations.LATEST + 1)
    monkeypatch.setattr(migrations, "_LATER", (*migrations._LATER, ("more", ("CREATE TABLE more (x)",))))
    connection = connect(path, create=False)
    migrate(connection, path, up_to=migrations.LATEST)
    connection.close()
    monkeypatch.undo()
    (backup,) = tmp_path.glob("*.backup")
    with Bank.open(backup) as bank:
        assert bank.items.count() == 3


def test_imported_text_that_reads_back_is_aligned_and_the_rest_is_kept_as_it_is(bank: Bank) -> None:
    run = bank.runs.begin(kind="import", paradigm_id=bank.paradigms.register(PG), provider="file", identity="x", parameters={})
    slots = next(sample(PG, 2))
    good = realise(PG, slots)[0]
    odd = align(PG, "pf_mg1_pg2", "Something [bold]else[/bold].", slots, Source.IMPORTED)
    call = bank.runs.intend(run.id, 0, {})
    (item_id,) = bank.runs.reply(
        call,
        outcome="ok",
        reply=None,
        items=[NewItem(slots, (align(PG, good.condition, good.text, slots, Source.IMPORTED), odd))],
    )
    first, second = bank.items.get(item_id).sentences
    assert first.regions == good.regions
    assert first.source is Source.IMPORTED
    assert second == odd
    assert second.regions is None
    assert "it is not what the item's words give" in (second.why or "")


def test_a_new_bank_that_the_disk_does_not_take_says_so(tmp_path: Path) -> None:
    raw = connect(tmp_path / "bank.sqlite", create=True)
    raw.execute("PRAGMA max_page_count = 4")
    with pytest.raises(sqlite3.OperationalError, match="disk is full"):
        migrate(raw, tmp_path / "bank.sqlite")
    raw.close()
