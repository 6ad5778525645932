"""The harness that kills commands, in its short form: two kills of each command, on one bank."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools.kill_commands import COMMANDS

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs fork and SIGKILL")


@pytest.mark.full
def test_no_kill_loses_what_was_seen(tmp_path: Path) -> None:
    # A process of its own: what forks must have no other threads.
    done = subprocess.run(
        [sys.executable, "-m", "tools.kill_commands", "--kills", "16", "--seed", "3"],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
        env={**os.environ, "TMPDIR": str(tmp_path), "OMP_NUM_THREADS": "1"},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "16 kills" in done.stdout
    for command in COMMANDS:
        assert f"'{command}': " in done.stdout.splitlines()[0]
    assert "0 faults" in done.stdout
