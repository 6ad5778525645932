"""Whether an open bank notices that its file was replaced, taken away or written over, and what it saves then."""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from gapsmith.app.workspace import mark_workspace
from gapsmith.bank import Bank, BankError, BankMovedError, Verdict
from gapsmith.bank.place import BankPath
from gapsmith.bank.saved_copies import is_rescued
from tests.conftest import CommandOutcome
from tests.making import made_tokens
from tests.vetting.reviewing import fill_bank

Run = Callable[..., CommandOutcome]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the bank is: a workspace with six items, and an older copy beside it."""
    found = tmp_path / "study" / "bank.sqlite"
    found.parent.mkdir()
    mark_workspace(found.parent)
    fill_bank(found, 6).close()
    shutil.copy(found, tmp_path / "older.sqlite")
    return found


@pytest.fixture
def bank(path: Path) -> Iterator[Bank]:
    """The bank, open, with one decision of ours."""
    opened = Bank.open(path)
    opened.decisions.decide([1], Verdict.APPROVE, author="ann")
    yield opened
    # What is tried here may have taken it away.
    opened.db.place = None
    opened.close()


def decide(bank: Bank, item: int) -> None:
    """One more decision."""
    bank.decisions.decide([item], Verdict.FLAG, author="ann")


def saved_decisions(error: BankMovedError) -> dict[int, Verdict]:
    """What the copy that the error names holds."""
    assert error.saved is not None
    assert str(error.saved) in error.message
    with Bank.open_copy(error.saved) as copy:
        assert copy.faults() == []
        assert is_rescued(copy)
        return {d.item_id: d.verdict for d in copy.decisions.current()}


def replace(path: Path) -> None:
    """As sync programs do."""
    shutil.copy(path.parent.parent / "older.sqlite", path.parent / "new")
    (path.parent / "new").replace(path)


def replace_all(path: Path) -> None:
    """With what lies beside it, too."""
    for ending in ("-wal", "-shm"):
        path.with_name(path.name + ending).unlink()
    replace(path)


WAYS: dict[str, Callable[[Path], object]] = {
    "replaced": replace,
    "replaced with its log": replace_all,
    "deleted": lambda path: path.unlink(),
    "moved": lambda path: path.rename(path.with_name("elsewhere.sqlite")),
    "log deleted": lambda path: path.with_name(path.name + "-wal").unlink(),
    "index deleted": lambda path: path.with_name(path.name + "-shm").unlink(),
}


@pytest.mark.parametrize("way", WAYS)
def test_the_commit_at_hand_is_in_the_copy_and_nothing_comes_after(bank: Bank, path: Path, way: str) -> None:
    WAYS[way](path)
    with pytest.raises(BankMovedError) as told:
        decide(bank, 2)
    assert told.value.exit_code == 1
    with pytest.raises(BankMovedError) as again:
        decide(bank, 3)
    assert again.value.saved == told.value.saved, "one copy is enough"
    assert saved_decisions(told.value) == {1: Verdict.APPROVE, 2: Verdict.FLAG}
    bank.close()
    if path.exists():
        # The log of the file that was taken away does not get into the one that came.
        with Bank.open(path) as there:
            assert there.faults() == []
            assert len(list(there.decisions.current())) == (2 if ("log" in way and "with" not in way) or "index" in way else 0)


@pytest.mark.parametrize("way", WAYS)
def test_a_look_and_the_end_notice_it_without_a_commit(bank: Bank, path: Path, way: str) -> None:
    other = bank.another()
    WAYS[way](path)
    with pytest.raises(BankMovedError) as told:
        other.db.look()
    assert saved_decisions(told.value) == {1: Verdict.APPROVE}, "what another connection has recorded is saved"
    with pytest.raises(BankMovedError) as ended:
        bank.close()
    assert ended.value.saved == told.value.saved


def test_who_has_recorded_nothing_is_told_and_lays_nothing_down(path: Path) -> None:
    with Bank.open(path) as bank:
        replace(path)
        with pytest.raises(BankMovedError, match="it had recorded nothing") as told:
            bank.db.look()
        assert told.value.saved is None
    assert not list(path.parent.glob("*rescued*"))


def test_other_numbers_of_the_same_file_are_no_other_file(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Path.stat

    def renumbered(self: Path, *, follow_symlinks: bool = True) -> os.stat_result:
        # As some disks of a network do when they are connected again.
        numbers = list(real(self, follow_symlinks=follow_symlinks))
        numbers[1:3] = [numbers[1] + 1_000, 77]
        return os.stat_result(numbers)

    monkeypatch.setattr(Path, "stat", renumbered)
    decide(bank, 2)
    decide(bank, 3)
    replace(bank.path)
    with pytest.raises(BankMovedError) as told:
        decide(bank, 4)
    monkeypatch.undo()
    assert set(saved_decisions(told.value)) == {1, 2, 3, 4}


def test_a_bank_that_was_written_over_is_noticed(bank: Bank, path: Path, tmp_path: Path) -> None:
    fill_bank(tmp_path / "foreign.sqlite", 3).close()
    with closing(sqlite3.connect(tmp_path / "foreign.sqlite")) as foreign:
        foreign.execute("UPDATE property SET value = 'another bank' WHERE name = 'bank'")
        foreign.commit()
    bank.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    decide(bank, 2)
    shutil.copyfile(tmp_path / "foreign.sqlite", path)
    with pytest.raises(BankMovedError, match="written over by another program"):
        decide(bank, 3)


def test_checkpoints_and_other_writers_are_no_reason_to_stop(bank: Bank, path: Path) -> None:
    with Bank.open(path) as other:
        for item in (2, 3, 4):
            decide(bank, item)
            decide(other, item)
            other.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            bank.db.look()
            other.db.look()
    decide(bank, 5)
    link = path.with_name("link.sqlite")
    link.symlink_to(path)
    with Bank.open(link) as linked:
        decide(linked, 6)
        linked.db.look()


def test_a_connection_for_a_thread_is_to_this_bank_or_none(bank: Bank, path: Path) -> None:
    with bank.another() as same:
        assert len(list(same.decisions.current())) == 1
    replace(path)
    with pytest.raises(BankMovedError):
        bank.another()


def test_a_bank_replaced_while_it_is_opened_is_not_opened(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = BankPath.__init__

    def late(self: BankPath, where: Path) -> None:
        replace(where)
        real(self, where)

    monkeypatch.setattr(BankPath, "__init__", late)
    with pytest.raises(BankMovedError, match="while it was being opened"):
        Bank.open(path)


# Where the copy goes


def test_where_the_folder_is_gone_the_copy_is_the_users_own(bank: Bank, path: Path) -> None:
    shutil.rmtree(path.parent)
    with pytest.raises(BankMovedError) as told:
        decide(bank, 2)
    assert set(saved_decisions(told.value)) == {1, 2}
    assert told.value.saved is not None
    assert path.parent not in told.value.saved.parents
    told.value.saved.unlink()


def test_where_no_disk_has_room_it_says_so_and_tries_again(
    bank: Bank, path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    places = [tmp_path / "one", tmp_path / "two"]
    monkeypatch.setattr("gapsmith.bank.rescue.folders_elsewhere", lambda: places)
    room = _Room(monkeypatch)
    path.unlink()
    with pytest.raises(BankMovedError) as told:
        decide(bank, 2)
    assert told.value.unsaved
    for place in (path.parent, *places):
        assert f"{place}: the disk is full" in told.value.message
        assert not list(place.glob("*rescued*")), "no half of a copy is left"
    assert "tries again" in told.value.hint
    with pytest.raises(BankMovedError) as still:
        decide(bank, 3)
    assert still.value.unsaved
    room.is_there = True
    with pytest.raises(BankMovedError) as ended:
        bank.close()
    assert set(saved_decisions(ended.value)) == {1, 2}, "the bank is kept open until it is saved"


class _Room:
    """Whether the disks have room: where they have not, new databases are cut off after a few pages, by SQLite itself."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.is_there = False
        real = sqlite3.connect

        def connect(*arguments: object, **options: object) -> sqlite3.Connection:
            made = real(*arguments, **options)  # type: ignore[call-overload]  # handed on as it came
            if not self.is_there and "/.gapsmith-" in Path(str(arguments[0])).as_posix():
                made.execute("PRAGMA max_page_count = 3")
            return made  # type: ignore[no-any-return]

        monkeypatch.setattr("gapsmith.bank.copies.sqlite3.connect", connect)


# Bringing it back


def test_what_a_merge_leaves_out_of_others_comes_back_from_such_a_copy(
    bank: Bank, path: Path, gapsmith: Run, tmp_path: Path
) -> None:
    item = bank.items.get(1)
    text = item.sentences[0].text
    scorer = bank.scores.register("m", "r", {"weights": "m"})
    behind = bank.contexts.register(["It rained."])
    bank.scores.add(scorer, [made_tokens(text, [(0, len(text), 1.0)])])
    bank.scores.add(scorer, [made_tokens(text, [(0, len(text), 2.0)])], context=behind)
    bank.parses.add(bank.parses.register("p", {"model": "p"}), {text: "[]"})
    story = bank.contexts.define("story", {"kind": "text"})
    bank.contexts.assign(story, {(1, 0): behind}, lengths={behind: 2})
    bank.review.save_draft("ann", 2, "comment", "half a rem", bank.review.revision_of(2))
    batch = bank.batches.intend(bank.runs.all()[0].id, {7: {"n": 1}})
    bank.batches.submitted(batch.id, "batches/42")
    replace(path)
    with pytest.raises(BankMovedError) as told:
        decide(bank, 2)
    done = gapsmith("bank", "merge", "-w", path.parent, told.value.saved)
    assert done.code == 0, done.err
    assert "2 scores" in done.err
    assert "scores did not" not in done.err
    with Bank.open(path) as there:
        assert {d.item_id for d in there.decisions.current()} == {1, 2}
        (known,) = there.scores.scorers()
        for sentences, bits in (((), 1.0), (("It rained.",), 2.0)):
            context = there.contexts.register(sentences)
            assert there.scores.get(known.id, [text], context=context)[text].bits.tolist() == [bits]
        assert there.parses.get(there.parses.register("p", {"model": "p"}), [text]) == {text: "[]"}
        assert [one.name for one in there.contexts.sets()] == ["story"]
        assert list(there.contexts.lengths(there.contexts.sets()[0].id).values()) == [2]
        assert [draft.text for draft in there.review.drafts("ann")] == ["half a rem"]
        assert there.batches.of_run(there.runs.all()[0].id)[0].name == "batches/42"
        assert there.faults() == []
        assert not is_rescued(there)
    again = gapsmith("bank", "merge", "-w", path.parent, told.value.saved)
    assert "nothing new" in again.err


def test_what_is_measured_here_stays_when_a_copy_comes_back(bank: Bank, path: Path, gapsmith: Run) -> None:
    text = bank.items.get(1).sentences[0].text
    bank.scores.add(bank.scores.register("m", "r", {"weights": "m"}), [made_tokens(text, [(0, len(text), 1.0)])])
    replace(path)
    with pytest.raises(BankMovedError) as told:
        decide(bank, 2)
    with Bank.open(path) as there:
        ours = there.scores.register("m", "r", {"weights": "m"})
        there.scores.add(ours, [made_tokens(text, [(0, len(text), 5.0)])])
    assert gapsmith("bank", "merge", "-w", path.parent, told.value.saved).code == 0
    with Bank.open(path) as there:
        assert there.scores.get(ours, [text])[text].bits.tolist() == [5.0]


def test_a_copy_that_was_restored_is_a_bank_like_others(bank: Bank, path: Path, gapsmith: Run) -> None:
    path.unlink()
    with pytest.raises(BankMovedError) as told:
        decide(bank, 2)
    assert "gapsmith bank restore" in told.value.hint
    assert gapsmith("bank", "restore", "-w", path.parent, told.value.saved).code == 0
    with Bank.open(path) as there:
        assert {d.item_id for d in there.decisions.current()} == {1, 2}
        assert not is_rescued(there)
        decide(there, 3)


def test_the_file_that_was_moved_is_whole_where_it_is_now(bank: Bank, path: Path) -> None:
    moved = path.with_name("elsewhere.sqlite")
    path.rename(moved)
    with pytest.raises(BankMovedError):
        decide(bank, 2)
    with Bank.open_copy(moved) as there:
        assert {d.item_id for d in there.decisions.current()} == {1, 2}


def test_an_error_of_sqlite_over_a_taken_file_says_what_happened(bank: Bank, path: Path) -> None:
    path.unlink()
    with pytest.raises(BankMovedError), bank.transaction():
        raise BankError("something else went wrong on the way")


@pytest.mark.skipif(sys.platform == "win32", reason="an open file stays where it is there")
def test_a_bank_of_two_processes_saves_what_each_has(path: Path) -> None:
    one, two = Bank.open(path), Bank.open(path)
    decide(one, 1)
    decide(two, 2)
    replace(path)
    with pytest.raises(BankMovedError) as first:
        decide(one, 3)
    with pytest.raises(BankMovedError) as second:
        decide(two, 4)
    assert set(saved_decisions(first.value)) == {1, 2, 3}
    assert set(saved_decisions(second.value)) == {1, 2, 3, 4}
    one.close()
    two.close()
