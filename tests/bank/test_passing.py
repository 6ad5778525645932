"""What is there in passing is taken away by the next command when nobody holds it any more, and never before."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path

import pytest

from gapsmith.app.doctor import examine
from gapsmith.bank import PassingFolder, free_leases, take_away
from gapsmith.prompts.lease import RunLease

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
