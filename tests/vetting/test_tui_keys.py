"""Keys that arrive together, as terminals, remote connections and macros send them: each is done with before the next."""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from textual import events
from textual.app import App
from textual.keys import _character_to_key  # the names that Textual's own parser gives to characters
from textual.pilot import Pilot

from gapsmith.app.workspace import make_workspace
from gapsmith.bank import Bank, Verdict
from gapsmith.vetting.review import Session
from gapsmith.vetting.tui import ReviewApp
from gapsmith.vetting.tui.dialogs import ReasonScreen
from gapsmith.vetting.tui.item_screen import ItemScreen
from tests.parts import first_of
from tests.vetting.reviewing import fill_bank

GAPS_MS = (0, 5, 1, 20)


async def post(app: App[None], keys: str | list[str], gap_ms: float = 0) -> None:
    """Hand over keys as a driver does that has read them at once (gap 0) or one after the other; waits for nothing."""
    driver = app._driver
    assert driver is not None
    for key in keys:
        name = key if len(key) > 1 else _character_to_key(key)
        driver.send_message(events.Key(name, key if len(key) == 1 else None))
        if gap_ms:
            await asyncio.sleep(gap_ms / 1000)


async def settle(pilot: Pilot[None]) -> None:
    """Wait until everything that was posted is done with and on the screen."""
    others = [worker for worker in pilot.app.workers if worker.group not in {"flow", "watch", "look"}]
    # An empty list would mean all of them, and a flow that asks waits for its answer.
    if others:
        await pilot.app.workers.wait_for_complete(others)
    for _ in range(3):
        await pilot.pause()


@pytest.mark.parametrize("gap_ms", first_of(GAPS_MS, 2))
async def test_a_reason_in_the_same_read_goes_to_the_item_that_was_on_screen(session: Session, gap_ms: int) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=(80, 24)) as pilot:
        for number, key in enumerate("132", start=1):
            await settle(pilot)
            await post(app, ["x", key], gap_ms)
            await settle(pilot)
            assert session.row(number).mine is Verdict.EXCLUDE
            assert session.row(number + 1).mine is None
        reasons = [session.row(number).my_reason for number in (1, 2, 3)]
        assert reasons == [session.guide.reasons[i] for i in (0, 2, 1)]
        assert isinstance(app.screen, ItemScreen)


@pytest.mark.parametrize(
    "keys",
    first_of(
        [
            ["x", "escape", "escape", "escape"],
            ["x", "3", "3", "3"],
            ["x", "enter", "enter", "enter"],
            ["L", "n", "n", "n"],
            ["L", "y", "y", "y"],
            ["v", "y", "escape", "escape"],
            ["f1", "escape", "escape", "escape"],
            ["w", "q", "q", "q"],
            ["c", "ctrl+s", "ctrl+s", "ctrl+s"],
            ["e", "escape", "escape", "escape"],
            ["e", "ctrl+d", "ctrl+d", "ctrl+d"],
            ["/", "enter", "enter", "enter"],
            ["g", "A", "y", "y", "y"],
        ],
        6,
    ),
    ids=" ".join,
)
async def test_a_doubled_key_takes_no_second_screen_away(session: Session, keys: list[str]) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=(80, 24)) as pilot:
        for gap_ms in GAPS_MS:
            await post(app, [*keys, "escape", "escape"], gap_ms)
            await settle(pilot)
            assert app.review_screen is app.screen
            assert len(app.screen_stack) == 2
    assert app.return_code in {None, 0}


@pytest.mark.parametrize("gap_ms", first_of(GAPS_MS, 2))
async def test_the_first_letters_typed_into_a_dialog_reach_it_in_order(session: Session, gap_ms: int) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=(80, 24)) as pilot:
        await post(app, ["c", *"a, aforesaid xylophone", "ctrl+s"], gap_ms)
        await settle(pilot)
        assert [comment.text for comment in session.view(1).comments] == ["a, aforesaid xylophone"]
        assert all(row.mine is None for row in session.rows())
        await post(app, ["x", "8", *"2 odd", "enter"], gap_ms)
        await settle(pilot)
        (decision,) = session.bank.decisions.for_item(1)
        assert (decision.reason, decision.comment) == ("other", "2 odd")


@pytest.mark.parametrize("move", [["down"], ["j"], ["end", "up", "pageup", "down"]])
async def test_a_key_after_a_move_in_the_same_read_is_about_the_line_that_it_went_to(session: Session, move: list[str]) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=(80, 24)) as pilot:
        await post(app, ["g", *move, "c", *"hm", "ctrl+s"])
        await settle(pilot)
        assert [comment.text for comment in session.view(2).comments] == ["hm"]
        assert app.queue.position == 1


async def test_a_pasted_remark_is_there_when_it_is_saved_in_the_same_read(session: Session) -> None:
    app = ReviewApp(session)
    async with app.run_test(size=(80, 24)) as pilot:
        await post(app, ["c"])
        assert app._driver is not None
        app._driver.send_message(events.Paste("pasted words"))
        await post(app, ["ctrl+s"])
        await settle(pilot)
        assert [comment.text for comment in session.view(1).comments] == ["pasted words"]


async def test_a_decision_names_the_item_that_it_was_asked_about(session: Session) -> None:
    """Whatever moves the queue while the question is open."""
    app = ReviewApp(session)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("x")
        assert isinstance(app.screen, ReasonScreen)
        app.queue.go(5)
        await pilot.press("1")
        await settle(pilot)
        assert session.row(1).mine is Verdict.EXCLUDE
        assert session.row(6).mine is None


# In a real terminal


class Tmux:
    """A tmux server of its own with the program in it."""

    def __init__(
        self, folder: Path, workspace: Path, author: str, *, columns: int = 80, lines: int = 24, program: str | None = None
    ) -> None:
        # The name of a socket has at most 107 bytes, and the folders of tests may be deep.
        self._short = tempfile.TemporaryDirectory(prefix="tmux-")
        self._socket = str(Path(self._short.name) / "sock")
        self._exit_code = folder / "exit-code"
        code = "from gapsmith.app.cli.app import main; main()"
        program = program or shlex.join([sys.executable, "-c", code, "review", "-w", str(workspace), "--by", author])
        self._run(
            "new-session",
            "-d",
            "-x",
            str(columns),
            "-y",
            str(lines),
            f"{program} 2>&1; echo $? > {shlex.quote(str(self._exit_code))}",
        )

    def _run(self, *arguments: str) -> str:
        environment = {**os.environ, "LC_ALL": "C.UTF-8", "TERM": "xterm-256color"}
        environment.pop("COLUMNS", None)
        done = subprocess.run(
            ["tmux", "-S", self._socket, "-f", "/dev/null", *arguments],
            capture_output=True,
            text=True,
            env=environment,
            check=False,
        )
        return done.stdout

    def send(self, *keys: str) -> None:
        """Send keys in one write."""
        self._run("send-keys", *keys)

    def screen(self) -> str:
        """What is on the screen."""
        return self._run("capture-pane", "-p")

    def wait_for(self, wanted: str, patience_s: float = 40.0) -> str:
        """Wait until a text is on the screen."""
        end = time.monotonic() + patience_s
        while wanted not in (shown := self.screen()):
            assert time.monotonic() < end, f"{wanted!r} did not appear in\n{shown}"
            time.sleep(0.1)
        return shown

    def exit_code(self, patience_s: float = 40.0) -> int:
        """Wait until the program has ended; its exit code."""
        end = time.monotonic() + patience_s
        while not (self._exit_code.is_file() and (said := self._exit_code.read_text().strip())):
            assert time.monotonic() < end, f"the program goes on:\n{self.screen()}"
            time.sleep(0.1)
        return int(said)

    def close(self) -> None:
        """Make an end of the server."""
        self._run("kill-server")
        self._short.cleanup()


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Callable[[], Tmux]]:
    """Starts the program in tmux, on a workspace with ten items."""
    if shutil.which("tmux") is None:
        pytest.skip("needs tmux")
    workspace = tmp_path / "ws"
    make_workspace(workspace)
    (workspace / "bank.sqlite").unlink()
    fill_bank(workspace / "bank.sqlite", 10).close()
    started: list[Tmux] = []

    def start() -> Tmux:
        started.append(Tmux(tmp_path, workspace, "ann"))
        started[-1].wait_for("1 of 10")
        return started[-1]

    yield start
    for one in started:
        one.close()


def test_keys_of_one_write_in_a_real_terminal(terminal: Callable[[], Tmux], tmp_path: Path) -> None:
    tmux = terminal()
    for number, key in enumerate("312", start=1):
        tmux.wait_for(f"{number} of 10 · {number - 1} decided")
        tmux.send("x", key)
    tmux.wait_for("4 of 10 · 3 decided")
    tmux.send("x", "Escape")
    tmux.wait_for("4 of 10 · 3 decided")
    tmux.send("L", "n", "n", "n")
    time.sleep(0.5)
    tmux.send("C-q")
    assert tmux.exit_code() == 0
    with Bank.open(tmp_path / "ws" / "bank.sqlite") as bank:
        session = Session(bank, "ann")
        assert [session.row(number).my_reason for number in (1, 2, 3)] == [session.guide.reasons[i] for i in (2, 0, 1)]
        assert session.row(4).mine is None


def test_a_screen_that_falls_over_ends_with_a_code_of_its_own_and_others_with_a_summary(
    gapsmith: Callable[..., object], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    make_workspace(tmp_path / "ws")
    (tmp_path / "ws" / "bank.sqlite").unlink()
    fill_bank(tmp_path / "ws" / "bank.sqlite", 1).close()
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    for stream in ("stdout", "stderr"):
        monkeypatch.setattr(f"sys.{stream}.isatty", lambda: True, raising=False)

    def fall_over(app: ReviewApp, **_: object) -> None:
        app._return_code = 1

    monkeypatch.setattr(ReviewApp, "run", fall_over)
    outcome = gapsmith("review", "-w", tmp_path / "ws", "--by", "ann")
    assert outcome.code == 1  # type: ignore[attr-defined]  # an Outcome

    def decide_on_one(app: ReviewApp, **_: object) -> None:
        app.pace.count(1, 2.0)

    monkeypatch.setattr(ReviewApp, "run", decide_on_one)
    outcome = gapsmith("review", "-w", tmp_path / "ws", "--by", "ann")
    assert outcome.code == 0  # type: ignore[attr-defined]  # an Outcome
    assert "1 decided in this session" in outcome.err  # type: ignore[attr-defined]  # an Outcome
