"""Copies of banks, banks that may not be written to, and files that are no banks."""

from __future__ import annotations

import ctypes
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from gapsmith.bank import Bank, BankError, Verdict
from gapsmith.bank.copies import back_up, restore, uncopied_bytes
from gapsmith.bank.snapshots import snapshot
from tests.vetting.reviewing import fill_bank
from tools.fuzz_banks import fuzz_banks

FIXTURE = Path(__file__).parent.parent / "fixtures" / "bank_0_1_0"
Run = Callable[..., Any]


def decided(path: Path) -> int:
    """How many decisions are in a bank, of which nothing is changed."""
    with Bank.open_copy(path) as bank:
        return len(list(bank.decisions.current()))


# Backup


def test_a_backup_has_what_a_copy_of_the_one_file_lacks(gapsmith: Run) -> None:
    assert gapsmith("generate", "lan_pg", "-n", 4).code == 0
    with Bank.open(Path("bank.sqlite")) as bank:
        bank.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        bank.decisions.decide([1, 2], Verdict.APPROVE, author="ann")
        # Another process is at work, or was killed: what it wrote lies in the log beside the file.
        assert uncopied_bytes(bank.path) > 0
        shutil.copy("bank.sqlite", "by-hand.sqlite")
        done = gapsmith("bank", "backup", "copy.sqlite")
        assert (done.code, "Copied to copy.sqlite" in done.err) == (0, True)
        checked = gapsmith("bank", "check")
        assert "bank.sqlite-wal: a copy of bank.sqlite alone would lack" in checked.err
        told = [check.detail for check in _doctor() if check.area == "copies"]
        assert "gapsmith bank backup" in told[0]
    assert decided(Path("by-hand.sqlite")) == 0
    assert decided(Path("copy.sqlite")) == 2
    again = gapsmith("bank", "backup", "copy.sqlite")
    assert (again.code, "is there already" in again.err) == (2, True)


def _doctor() -> Iterator[Any]:
    from gapsmith.app.doctor import _bank

    return _bank(Path.cwd())


def test_a_backup_is_of_one_moment_while_others_write(tmp_path: Path) -> None:
    path = tmp_path / "bank.sqlite"
    fill_bank(path, 6).close()
    ended = threading.Event()

    def write() -> None:
        with Bank.open(path) as bank:
            while not ended.is_set():
                bank.decisions.decide([1, 2, 3, 4, 5, 6], Verdict.APPROVE, author="ann")

    writer = threading.Thread(target=write)
    writer.start()
    try:
        copies = [back_up(path, tmp_path / f"copy{n}") for n in range(3)]
    finally:
        ended.set()
        writer.join()
    for copy in copies:
        with Bank.open_copy(copy) as bank:
            assert bank.faults() == []
            (events,) = bank.db.execute("SELECT count(*) FROM event").fetchone()
            assert events % 6 == 0
    assert not list(tmp_path.glob(".gapsmith-*"))


# Restore


def test_restore_keeps_the_bank_that_was_there_and_what_lay_beside_it(gapsmith: Run) -> None:
    assert gapsmith("generate", "lan_pg", "-n", 3).code == 0
    assert gapsmith("bank", "backup", "copy").code == 0
    assert gapsmith("decide", "approve", 1, 2, "-p", "lan_pg", "--by", "ann").code == 0
    done = gapsmith("bank", "restore", "copy")
    assert (done.code, "3 items" in done.err) == (0, True)
    (kept,) = Path().glob("bank.sqlite.*.before-restore")
    assert str(kept) in done.err
    assert (decided(kept), decided(Path("bank.sqlite"))) == (2, 0)
    assert gapsmith("bank", "restore", str(kept)).code == 0
    assert decided(Path("bank.sqlite")) == 2
    assert len(list(Path().glob("*.before-restore"))) == 2


@pytest.mark.parametrize("what", ["missing", "text", "database", "damaged", "itself"])
def test_what_is_no_whole_bank_is_not_restored(gapsmith: Run, what: str) -> None:
    assert gapsmith("generate", "lan_pg", "-n", 3).code == 0
    other = Path("other")
    if what == "text":
        other.write_text("no bank at all\n" * 400)
    elif what == "database":
        with sqlite3.connect(other) as connection:
            connection.execute("CREATE TABLE mine (x)")
        connection.close()
    elif what == "damaged":
        assert gapsmith("bank", "backup", "other").code == 0
        content = bytearray(other.read_bytes())
        place = content.index(b"I know")
        content[place] ^= 1
        other.write_bytes(content)
    elif what == "itself":
        other = Path("bank.sqlite")
    before = Path("bank.sqlite").read_bytes()
    done = gapsmith("bank", "restore", str(other))
    assert done.code == 2
    assert "Nothing was changed" in done.err or "Take another copy" in done.err
    assert Path("bank.sqlite").read_bytes() == before
    assert not list(Path().glob("*restor*"))


def test_restore_waits_for_nobody_who_has_the_bank_open(tmp_path: Path) -> None:
    path = tmp_path / "bank.sqlite"
    with fill_bank(path, 2) as bank:
        copy = back_up(path)
        bank.decisions.decide([1], Verdict.APPROVE, author="ann")
        with pytest.raises(BankError, match="another program has it open"):
            restore(copy, path)
        assert len(list(bank.decisions.current())) == 1
    assert restore(copy, path)[0] == 2


def test_a_damaged_bank_can_be_replaced_and_is_kept(gapsmith: Run) -> None:
    assert gapsmith("generate", "lan_pg", "-n", 3).code == 0
    assert gapsmith("bank", "backup", "copy").code == 0
    Path("bank.sqlite").write_bytes(b"\0" * 5000)
    assert gapsmith("show", 1).code == 2
    assert gapsmith("bank", "restore", "copy").code == 0
    (kept,) = Path().glob("*.before-restore")
    assert kept.read_bytes() == b"\0" * 5000
    assert gapsmith("show", 1).code == 0


def test_restore_makes_a_workspace_around_a_copy_and_upgrades_an_old_one(gapsmith: Run, tmp_path: Path) -> None:
    done = gapsmith("bank", "restore", FIXTURE / "bank.sqlite", "-w", tmp_path)
    assert done.code == 0
    assert (tmp_path / "gapsmith.toml").is_file()
    assert gapsmith("runs", "list", "-w", tmp_path).code == 0
    (tmp_path / "new").mkdir()
    refused = gapsmith("bank", "restore", "nosuch", "-w", tmp_path / "new")
    assert (refused.code, list((tmp_path / "new").iterdir())) == (2, [])


# Files that are no banks


def test_an_empty_file_is_not_taken_for_a_new_bank(gapsmith: Run) -> None:
    assert gapsmith("generate", "lan_pg", "-n", 2).code == 0
    for path in Path().glob("bank.sqlite*"):
        path.unlink()
    Path("bank.sqlite").touch()
    for arguments in (["show", 1], ["generate", "lan_pg", "-n", 2], ["lint"], ["bank", "check"], ["bank", "backup"]):
        done = gapsmith(*arguments)
        assert (done.code, "is empty, which a bank never is" in done.err) == (2, True), done.err
        assert "gapsmith bank restore" in done.err
    assert Path("bank.sqlite").stat().st_size == 0


@pytest.mark.full
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_damaged_banks_end_in_a_message_and_never_in_other_sentences(tmp_path: Path) -> None:
    found = fuzz_banks(40, seed=7000, folder=tmp_path, readers=[("show", "2"), ("export", "csv", "--all")])
    assert found.faults == []
    assert found.ends["export 0"] < 40


def test_a_changed_sentence_is_refused_by_its_checksum(gapsmith: Run) -> None:
    assert gapsmith("generate", "lan_pg", "-n", 2).code == 0
    with sqlite3.connect("bank.sqlite") as connection:
        connection.execute("DROP TRIGGER text_is_never_updated")
        connection.execute("UPDATE text SET text = replace(text, 'know', 'knew')")
    connection.close()
    for arguments in (["show", 1], ["export", "csv", "--all"], ["lint", "--select", "T"]):
        done = gapsmith(*arguments)
        assert (done.code, "are not those that were kept" in done.err) == (2, True)
        assert "knew" not in done.out
    checked = gapsmith("bank", "check")
    assert checked.code == 1
    assert "texts are not what they were" in checked.err
    assert "revisions do not hold the sentences" in checked.err


def test_a_bank_is_copied_in_passing_whatever_links_stand_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "bank.sqlite"
    Bank.open(path, create=True).close()
    (tmp_path / "paradigms").mkdir()
    (tmp_path / "paradigms" / "gone.toml").symlink_to(tmp_path / "nowhere.toml")
    passing = tmp_path / "passing"
    passing.mkdir()
    assert snapshot(path, passing) == passing / path.name


# Places that may not be written to


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Nobody may write there, as on a medium that is only read."""
    paths = [folder, *folder.rglob("*")]
    for path in paths:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        yield
    finally:
        for path in paths:
            path.chmod(0o755 if path.is_dir() else 0o644)


def as_reader(*arguments: object) -> subprocess.CompletedProcess[str]:
    """A command by a user who may not write in the workspace: root, who may everywhere, without that right."""
    return subprocess.run(
        [sys.executable, "-c", "from gapsmith.app.cli.app import main; main()", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=_give_up_overriding if os.geteuid() == 0 else None,
    )


def _give_up_overriding() -> None:
    drop_from_bounding_set, may_override_modes = 24, 1
    ctypes.CDLL(None).prctl(drop_from_bounding_set, may_override_modes, 0, 0, 0)


@pytest.mark.full
@pytest.mark.skipif(sys.platform != "linux", reason="takes a right from root as Linux has it")
def test_readers_read_where_nothing_may_be_written(gapsmith: Run, tmp_path: Path) -> None:
    place = tmp_path / "ws"
    assert gapsmith("generate", "lan_pg", "-n", 3, "-w", place).code == 0
    with locked(place):
        if as_reader("bank", "backup", place / "copy", "-w", place).returncode == 0:
            pytest.skip("this user cannot be kept from writing")
        before = sorted((path.name, path.stat().st_mtime_ns) for path in place.iterdir())
        for arguments in (
            ["lint", "--select", "T", "--fail-on", "never"],
            ["export", "csv", "--all"],
            ["bank", "backup", tmp_path / "copy.sqlite"],
        ):
            done = as_reader(*arguments, "-w", place)
            assert (done.returncode, done.stderr.count("Traceback")) == (0, 0), done.stderr
        trees = as_reader("export", "conllu", "--all", "-w", place)
        # Where no parse can be kept they are made for the occasion.
        assert (trees.returncode, trees.stdout.count("# sent_id = ")) == (0, 12), trees.stderr
        for arguments in (["decide", "approve", 2, "--by", "bo"], ["review", "--by", "bo"]):
            done = as_reader(*arguments, "-w", place)
            assert (done.returncode, "may not be written to" in done.stderr) == (2, True), done.stderr
        assert sorted((path.name, path.stat().st_mtime_ns) for path in place.iterdir()) == before
    assert decided(tmp_path / "copy.sqlite") == 0


@pytest.mark.skipif(sys.platform != "linux", reason="takes a right from root as Linux has it")
@pytest.mark.full
def test_what_a_kill_left_in_the_log_is_read_where_nothing_may_be_written(gapsmith: Run, tmp_path: Path) -> None:
    place = tmp_path / "ws"
    assert gapsmith("generate", "lan_pg", "-n", 3, "-w", place).code == 0
    with Bank.open(place / "bank.sqlite") as bank:
        bank.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        bank.decisions.decide([1], Verdict.EXCLUDE, author="ann", reason="oddly-so")
        shutil.copytree(place, tmp_path / "copy")
    (tmp_path / "copy" / "bank.sqlite-shm").unlink()
    with locked(tmp_path / "copy"):
        done = as_reader("show", 1, "-w", tmp_path / "copy")
    assert (done.returncode, "oddly-so" in done.stdout) == (0, True), done.stderr
    assert "excluded" in done.stdout
