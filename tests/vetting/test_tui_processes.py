"""The real program in a pseudo-terminal: killed, and beside a second one on the same bank."""

from __future__ import annotations

import fcntl
import os
import pty
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gapsmith.app.workspace import make_workspace
from gapsmith.bank import Bank, Verdict
from gapsmith.vetting.review import Session
from tests import processes
from tests.processes import is_readable
from tests.vetting.reviewing import fill_bank

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs pseudo-terminals")
_PATIENCE_S = 40.0


class Program:
    """`gapsmith review` behind a pseudo-terminal."""

    def __init__(self, workspace: Path, author: str) -> None:
        self._leader, follower = pty.openpty()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self._process = processes.Program(
            "review",
            "-w",
            workspace,
            "--by",
            author,
            folder=workspace,
            terminal=os.ttyname(follower),
            environment={"TERM": "xterm-256color", "HOME": str(workspace), "COLUMNS": "80", "LINES": "24"},
        )
        # Kept open: without a follower, a leader that is read before the program has opened its end gives an error.
        self._follower: int | None = follower
        self.seen = ""
        self._open = True

    def read_until(self, wanted: str) -> None:
        """Read what is written to the terminal until it contains a text."""
        end = time.monotonic() + _PATIENCE_S
        while wanted not in self.seen:
            assert time.monotonic() < end, f"{wanted!r} did not appear; the end of what did: {self.seen[-2000:]!r}"
            self.read(0.2)

    def read(self, quiet: float) -> None:
        """Read until nothing comes for that many seconds, for three times as long at most: a cursor may blink."""
        end = time.monotonic() + 3 * quiet
        while time.monotonic() < end and is_readable(self._leader, quiet):
            self.seen += os.read(self._leader, 65536).decode("utf-8", "replace")

    def press(self, keys: str) -> None:
        """Send keys and wait for the first byte of an answer."""
        os.write(self._leader, keys.encode())
        assert is_readable(self._leader, _PATIENCE_S), f"no answer to {keys!r}"

    def kill(self) -> None:
        """kill -9."""
        self._process.kill()

    def quit(self) -> int:
        """Leave with ctrl+q; the exit code."""
        os.write(self._leader, b"\x11")
        end = time.monotonic() + _PATIENCE_S
        while self._process.poll() is None and time.monotonic() < end:
            if is_readable(self._leader, 0.1):
                try:
                    os.read(self._leader, 65536)
                except OSError:
                    break
        return self._process.wait(10)

    def hang_up(self) -> None:
        """Take the terminal away."""
        self._let_go()
        os.close(self._leader)
        self._open = False

    def wait(self) -> int:
        """Wait until the program has ended by itself; its exit code."""
        return self._process.wait(_PATIENCE_S)

    def close(self) -> None:
        """Make an end, whatever happened."""
        self.kill()
        self._let_go()
        if self._open:
            os.close(self._leader)

    def _let_go(self) -> None:
        if self._follower is not None:
            os.close(self._follower)
        self._follower = None


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A workspace with ten items."""
    make_workspace(tmp_path)
    (tmp_path / "bank.sqlite").unlink()
    with fill_bank(tmp_path / "bank.sqlite", 10) as bank:
        bank.findings.replace("subject_pg", dict.fromkeys(bank.items.ids(), ()), ruleset="none")
    return tmp_path


@pytest.fixture
def start(workspace: Path) -> Iterator[Callable[[str], Program]]:
    """Starts the program and waits until the first item is on screen."""
    started: list[Program] = []

    def begin(author: str) -> Program:
        program = Program(workspace, author)
        started.append(program)
        program.read_until("approve")
        program.read(0.3)
        return program

    yield begin
    for program in started:
        program.close()


@pytest.mark.full
def test_a_review_whose_bank_is_deleted_ends_and_says_where_the_decisions_are(
    start: Callable[[str], Program], workspace: Path
) -> None:
    ann = start("ann")
    ann.press("a")
    ann.read_until("1 decided")
    (workspace / "bank.sqlite").unlink()
    # The next look finds out by itself.
    ann.read_until("not there any more")
    ann.read(0.3)
    ann.seen = ""
    ann.press("\x1b")
    ann.read_until("gapsmith bank restore")
    assert ann.wait() == 1
    (copy,) = workspace.glob("bank.rescued-*.sqlite")
    assert copy.name in ann.seen
    with Bank.open_copy(copy) as bank:
        assert [d.item_id for d in bank.decisions.current()] == [1]


def verdicts(workspace: Path, author: str) -> dict[int, Verdict | None]:
    """What an annotator has decided, as another process reads it."""
    with Bank.open(workspace / "bank.sqlite") as bank:
        (check,) = bank.db.execute("PRAGMA integrity_check").fetchone()
        assert check == "ok"
        return {row.id: row.mine for row in Session(bank, author).rows() if row.mine is not None}


@pytest.mark.full
def test_a_decision_survives_kill_9_as_soon_as_the_screen_moves(workspace: Path, start: Callable[[str], Program]) -> None:
    program = start("ann")
    program.press("a")
    program.read(0.3)
    program.press("f")
    program.kill()
    assert verdicts(workspace, "ann") == {1: Verdict.APPROVE, 2: Verdict.FLAG}
    again = start("ann")
    assert "2 decided" in again.seen
    again.press("\x7f")
    again.read(0.3)
    assert again.quit() == 0
    assert verdicts(workspace, "ann") == {1: Verdict.APPROVE}


@pytest.mark.full
def test_what_was_being_typed_survives_kill_9(workspace: Path, start: Callable[[str], Program]) -> None:
    program = start("ann")
    program.press("c")
    program.read(0.3)
    program.press("half a thought")
    program.read(0.8)
    program.kill()
    with Bank.open(workspace / "bank.sqlite") as bank:
        assert [(d.field, d.text) for d in bank.review.drafts("ann")] == [("comment", "half a thought")]
    again = start("ann")
    again.read_until("half a thought")


def test_a_terminal_that_goes_away_ends_the_program(workspace: Path, start: Callable[[str], Program]) -> None:
    program = start("ann")
    program.press("a")
    program.hang_up()
    assert program.wait() == -signal.SIGHUP
    assert verdicts(workspace, "ann") == {1: Verdict.APPROVE}


@pytest.mark.full
def test_two_annotators_at_once_lose_nothing(workspace: Path, start: Callable[[str], Program]) -> None:
    first, second = start("ann"), start("bo")
    for i in range(10):
        first.press("a")
        second.press("a" if i % 2 else "f")
        # A verdict counts only for an item that was on screen: give it the time to be drawn.
        first.read(0.4)
        second.read(0.4)
    first.read(0.5)
    second.read(0.5)
    assert first.quit() == 0
    assert second.quit() == 0
    assert list(verdicts(workspace, "ann").values()) == [Verdict.APPROVE] * 10
    assert list(verdicts(workspace, "bo").values()) == [Verdict.FLAG, Verdict.APPROVE] * 5
    with Bank.open(workspace / "bank.sqlite") as bank:
        before = bank.db.execute("SELECT * FROM decision_state ORDER BY item_id, author").fetchall()
        bank.decisions.rebuild_projection()
        after = bank.db.execute("SELECT * FROM decision_state ORDER BY item_id, author").fetchall()
        assert [tuple(row) for row in before] == [tuple(row) for row in after]


def test_output_that_is_no_terminal_is_refused(workspace: Path) -> None:
    with processes.Program("review", "-w", workspace, "--by", "ann", folder=workspace) as done:
        assert done.wait() == 2
    assert "needs a terminal" in done.err
    assert done.out == ""
