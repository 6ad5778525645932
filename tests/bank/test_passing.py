"""What is there in passing is taken away by the next command when nobody holds it any more, and never before."""

from __future__ import annotations

import ast
import itertools
import os
import re
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

from gapsmith.app.doctor import examine
from gapsmith.bank import PassingFolder, free_leases, take_away, written_whole
from gapsmith.prompts.lease import RunLease, RunUnderWayError
from tests.rooms import ROOMS, trees_of, walked

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")

HOLD = """
import sys, time
from pathlib import Path
from gapsmith.bank.passing import PassingFolder
from gapsmith.prompts.lease import RunLease
here = Path(sys.argv[1])
folder, lease = PassingFolder(here), RunLease(here / "bank.sqlite", 3)
print(folder.path.parent, flush=True)
time.sleep(600)
"""


@contextmanager
def _holder(place: Path) -> Iterator[tuple[Path, subprocess.Popen[str]]]:
    """A folder that a process of its own holds, with the lease on run 3."""
    with subprocess.Popen([sys.executable, "-c", HOLD, str(place)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        folder = Path(process.stdout.readline().strip())
        try:
            yield folder, process
        finally:
            process.kill()


def test_what_a_kill_left_is_taken_away_and_a_live_ones_is_not(tmp_path: Path) -> None:
    with _holder(tmp_path) as (held, process):
        (held / "files" / "copy").write_text("half", encoding="utf-8")
        strange = tmp_path / ".gapsmith-mine"
        strange.mkdir()
        (strange / "notes.txt").write_text("mine", encoding="utf-8")
        (tmp_path / ".gapsmith-link").symlink_to(strange)
        with PassingFolder(tmp_path) as folder, RunLease(tmp_path / "bank.sqlite", 4):
            assert folder.is_dir()
            assert list(take_away(tmp_path, ".gapsmith-")) == []
            assert list(free_leases(tmp_path)) == []
        assert (held / "files" / "copy").is_file()
        assert (tmp_path / "bank.sqlite.run3.lease").is_file()
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    with PassingFolder(tmp_path), RunLease(tmp_path / "bank.sqlite", 4):
        assert not held.exists()
        assert not (tmp_path / "bank.sqlite.run3.lease").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == [".gapsmith-link", ".gapsmith-mine"]
    assert (strange / "notes.txt").is_file(), "nobody can tell whose a folder without a lock is"


def test_the_doctor_takes_away_what_nobody_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    for name in (".gapsmith-a", ".gapsmith-b"):
        (tmp_path / name).mkdir()
    (tmp_path / ".gapsmith-a" / "held").touch()
    (tmp_path / "bank.sqlite.run9.lease").write_text("4711", encoding="utf-8")
    (tmp_path / "bank.sqlite.x.backup.partial").touch()
    # What comes after has other tests, and takes long.
    checks = takewhile(lambda check: check.area in ("machine", "leftovers"), examine(workspace=tmp_path))
    said = {check.name: check.detail for check in checks}
    assert said["of killed commands"].startswith("taken away: 2 ")
    assert "did not finish" in said[str(tmp_path / "bank.sqlite.x.backup.partial")]
    assert sorted(path.name for path in tmp_path.iterdir()) == [".gapsmith-b", "bank.sqlite.x.backup.partial"]


OWN_WAYS = frozenset({"TemporaryDirectory", "NamedTemporaryFile", "mkstemp", "mkdtemp", "TemporaryFile", "SpooledTemporaryFile"})
HALF = re.compile(r"\.(?:part|partial|new|tmp|temp|building|incoming)$")


def test_whatever_is_there_in_passing_is_made_at_one_place() -> None:
    """So that what a kill leaves of any writer is known, and taken away: nobody has names for half a file of their own."""
    found = []
    for name, tree in trees_of(*ROOMS):
        for node in walked(tree):
            if isinstance(node, ast.Name | ast.Attribute):
                called = node.id if isinstance(node, ast.Name) else node.attr
                if called in OWN_WAYS and name != "bank/passing.py":
                    found.append((name, node.lineno, called))
            # A docstring ends in words.
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and HALF.search(node.value):
                found.append((name, node.lineno, node.value))
    assert found == [("app/doctor.py", found[0][1], "*.partial")], "written_whole or PassingFolder does it"


@pytest.mark.parametrize("kind", ["file", "folder"])
def test_a_writer_that_is_killed_leaves_the_target_as_it_was_and_nothing_for_long(tmp_path: Path, kind: str) -> None:
    target = tmp_path / "out"
    if kind == "file":
        target.write_text("before", encoding="utf-8")
    half = "made.mkdir(); (made / 'a').write_text('half')" if kind == "folder" else "made.write_text('half')"
    code = f"""
import os, signal, sys
from pathlib import Path
from gapsmith.bank import written_whole
with written_whole(Path(sys.argv[1])) as made:
    {half}
    os.kill(os.getpid(), signal.SIGKILL)
"""
    assert subprocess.run([sys.executable, "-c", code, str(target)], check=False).returncode == -signal.SIGKILL
    assert [path.read_text("utf-8") for path in tmp_path.glob("out")] == (["before"] if kind == "file" else [])
    assert len(list(tmp_path.glob(".gapsmith-*"))) == 1
    with written_whole(target) as made:
        made.write_text("after", encoding="utf-8")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert target.read_text("utf-8") == "after"


def test_a_lease_is_had_where_a_disk_numbers_its_files_anew_at_each_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = itertools.count(1)
    for name in ("stat", "fstat"):
        real = getattr(os, name)

        def told(*arguments: Any, real: Any = real, **more: Any) -> os.stat_result:
            found = list(real(*arguments, **more))
            found[stat.ST_INO] = next(numbers)
            return os.stat_result(found)

        monkeypatch.setattr(os, name, told)
    bank = tmp_path / "bank.sqlite"
    with RunLease(bank, 1), pytest.raises(RunUnderWayError, match=f"process {os.getpid()}"):
        RunLease(bank, 1)
    (tmp_path / "bank.sqlite.run2.lease").write_text("4711", encoding="utf-8")
    os.mkfifo(tmp_path / "bank.sqlite.run3.lease")
    assert [path.name for path in free_leases(tmp_path)] == ["bank.sqlite.run2.lease"]
