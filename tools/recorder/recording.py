"""Run the steps of a plan with a checkout's program, and keep what came out as it is.

A recording is a folder: `recording.json`, and for each step a folder with `stdout`, `stderr` and `files/`, the files that the
step made or changed. Nothing is made alike here: that is done when recordings are compared, so that it can be mended without
recording anew."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tools.recorder.plan import Step, exceptions_of, plan_of
from tools.recorder.recorded import Recorded, Recording
from tools.recorder.walking import Command, called_in, check_covered, commands_of

DATA = Path(__file__).parent / "data"
ROOT = Path(__file__).resolve().parents[2]
_COUNTED = {".png", ".safetensors", ".sqlite", ".npz", ".pt", ".npy", ".bin"}
"""Files of these kinds are not kept: that they are there is recorded."""
_BANK = re.compile(r"(^|/)bank\.sqlite(-wal|-shm)?$")
"""What a bank holds is recorded by `gapsmith bank log`."""
_KEY = "key-of-the-recorder-0000"
_LENGTH = 80
"""Characters of the path of the work."""
_PATIENCE_S = 3600.0
_SERVER_PATIENCE_S = 120.0


class RecordError(Exception):
    """A recording cannot be made; the message says why."""


@dataclass(frozen=True)
class Place:
    """Whose program is run, and where: the interpreter, the folder that everything happens in, the home."""

    python: Path
    work: Path
    home: Path

    def environment(self) -> dict[str, str]:
        """Nothing of the person who records: no settings, keys, caches; one thread, the same hashes, no network."""
        return {
            "PATH": os.environ.get("PATH", ""),
            "HOME": str(self.home),
            "TMPDIR": str(self.work),
            "LANG": "C.UTF-8",
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
            "TERM": "dumb",
            "COLUMNS": "200",
            "MPLCONFIGDIR": str(self.home / "matplotlib"),
            "PYTHONHASHSEED": "0",
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
            "MKL_NUM_THREADS": "1",
            # Which kernel is faster is measured, and may come out otherwise the next time.
            "GAPSMITH_KERNEL": "default",
            "HF_HUB_OFFLINE": "1",
            "GEMINI_API_KEY": _KEY,
            "OPENAI_API_KEY": _KEY,
        }

    def start(self, arguments: Sequence[str], folder: Path, out: Any, err: Any, *, server: bool) -> subprocess.Popen[bytes]:
        """`gapsmith` with these arguments, in a folder of the work; a server writes at once where it is."""
        return subprocess.Popen(
            [str(self.python), "-m", "gapsmith", *arguments],
            cwd=folder,
            env=self.environment() | ({"PYTHONUNBUFFERED": "1"} if server else {}),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
        )

    def help_of(self, command: Command) -> str:
        """What `--help` of a command says."""
        done = subprocess.run(
            [str(self.python), "-m", "gapsmith", *command, "--help"],
            cwd=self.work,
            env=self.environment(),
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        if done.returncode:
            raise RecordError(f"`gapsmith {' '.join(command)} --help` ended with {done.returncode}:\n{done.stderr}")
        return done.stdout


def record(
    out: Path, *, checkout: Path | None, python: Path | None, quick: bool, only: Sequence[str] = (), jobs: int = 2
) -> Recording:
    """Record all steps of the plan (of the sets `only`, where some are named) into a new folder; what was recorded.

    With `checkout`, the interpreter is the one of its .venv, unless `python` names another, and it has to run this checkout.
    Raises RecordError, and WalkError where a command of the program is neither recorded nor excepted."""
    if out.exists() and any(out.iterdir()):
        raise RecordError(f"{out} is not empty")
    python = python or _python_of(checkout or ROOT)
    out.mkdir(parents=True, exist_ok=True)
    # Resolved, since programs print the paths of their folder resolved.
    work = Path(tempfile.mkdtemp(prefix="gapsmith-recorder-")).resolve()
    # Of one length wherever it lies: tables are as wide as the paths in them.
    work = work.rename(work.with_name(work.name.ljust(_LENGTH - len(str(work.parent)) - 1, "_")))
    try:
        home = work / "home"
        home.mkdir()
        place = Place(python, work, home)
        roots = _roots(place, checkout)
        commands = commands_of(place.help_of)
        sets = plan_of(quick=quick)
        typed = [called_in(commands, step.arguments) for steps in sets.values() for step in steps]
        exceptions = exceptions_of(quick=quick)
        check_covered(commands, typed, {one: why for one, why in exceptions.items() if one in commands})
        if unknown := set(only) - set(sets):
            raise RecordError(f"no such set: {', '.join(sorted(unknown))}; there are {', '.join(sets)}")
        chosen = {name: steps for name, steps in sets.items() if not only or name in only}
        _warm_up(place)
        begun = datetime.now(UTC)
        with ThreadPoolExecutor(jobs) as pool:
            by_set = pool.map(lambda name: _record_set(name, chosen[name], place, out, commands), chosen)
            steps = [recorded for of_set in by_set for recorded in of_set]
        ended = datetime.now(UTC)
        recording = Recording(
            quick=quick,
            sets=list(chosen),
            begun=begun.isoformat(),
            ended=ended.isoformat(),
            seconds=round((ended - begun).total_seconds(), 1),
            commit=_commit_of(checkout),
            roots=roots,
            commands=[" ".join(command) for command in commands],
            steps=steps,
        )
        recording.write(out)
        return recording
    finally:
        shutil.rmtree(work, ignore_errors=True)


def never_done(recording: Recording) -> list[str]:
    """The commands of which no step ended with 0: what is recorded of them is how they refuse."""
    known = [tuple(command.split()) for command in recording.commands]
    done = [" ".join(called_in(known, tuple(step.arguments))) + " " for step in recording.steps if step.code == 0]
    excepted = {" ".join(command) for command in exceptions_of(quick=recording.quick)}
    return [
        command
        for command in recording.commands
        if command not in excepted and not any(line.startswith(f"{command} ") for line in done)
    ]


def _python_of(checkout: Path) -> Path:
    own = checkout / ".venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    return own.absolute() if own.exists() else Path(sys.executable)


def _roots(place: Place, checkout: Path | None) -> dict[str, str]:
    """Folders that paths in the output may begin with, by the name that stands for them."""
    found = subprocess.run(
        [str(place.python), "-c", "import gapsmith, sys; print(gapsmith.__file__); print(sys.prefix)"],
        cwd=place.work,
        env=place.environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    if found.returncode:
        raise RecordError(f"{place.python} has no gapsmith:\n{found.stderr.strip()}")
    package, prefix = map(Path, found.stdout.splitlines())
    if checkout is not None:
        inside = package.resolve().is_relative_to(checkout.resolve())
        if not inside or "site-packages" in package.resolve().relative_to(checkout.resolve()).parts:
            raise RecordError(
                f"{place.python} runs the gapsmith in {package.parent}, not the one of {checkout}. "
                "Name an interpreter that runs it with --python, or leave --checkout out."
            )
    return {
        "work": str(place.work),
        "checkout": str((checkout or package.parent.parent).resolve()),
        "python": str(prefix),
        "recorder": str(DATA),
    }


def _warm_up(place: Place) -> None:
    """Let matplotlib look for its fonts before it is timed and says so on stderr."""
    subprocess.run(
        [str(place.python), "-c", "import matplotlib.font_manager"],
        cwd=place.work,
        env=place.environment(),
        capture_output=True,
        check=False,
    )


def _record_set(name: str, steps: Sequence[Step], place: Place, out: Path, commands: Sequence[Command]) -> list[Recorded]:
    folder = place.work / name
    folder.mkdir()
    seen: dict[str, str] = {}
    recorded: list[Recorded] = []
    servers: list[tuple[subprocess.Popen[bytes], Recorded, float]] = []
    words = {"data": str(DATA)}
    try:
        for number, step in enumerate(steps, 1):
            if step.before is not None:
                step.before(folder)
                seen = _states(folder)
            into = out / name / f"{number:03}-{_slug(step.arguments)}"
            into.mkdir(parents=True)
            typed = called_in(commands, step.arguments)
            arguments = [argument.format(**words) if "{" in argument else argument for argument in typed]
            one = Recorded(name, list(step.arguments), into.relative_to(out).as_posix())
            began = time.monotonic()
            with (into / "stdout").open("wb") as stdout, (into / "stderr").open("wb") as stderr:
                process = place.start(arguments, folder, stdout, stderr, server=step.server)
            recorded.append(one)
            if step.server:
                servers.append((process, one, began))
                words["server"] = _address_of(into / "stdout", process)
                continue
            one.code = _wait(process, step)
            one.seconds = round(time.monotonic() - began, 2)
            states = _states(folder)
            changed = sorted(path for path, state in states.items() if seen.get(path) != state)
            one.files = {path: _keep(folder / path, into / "files" / path) for path in changed}
            seen = states
            print(f"{one.seconds:7.1f} s  {one.code}  {name}: gapsmith {' '.join(arguments)}", file=sys.stderr, flush=True)
    finally:
        for process, one, began in servers:
            process.send_signal(signal.SIGINT)
            one.code = process.wait()
            one.seconds = round(time.monotonic() - began, 2)
    return recorded


def _wait(process: subprocess.Popen[bytes], step: Step) -> int:
    try:
        return process.wait(_PATIENCE_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        raise RecordError(f"still running after {_PATIENCE_S:.0f} s: gapsmith {' '.join(step.arguments)}") from None


def _address_of(stdout: Path, process: subprocess.Popen[bytes]) -> str:
    """Where a server that was just started answers, as it says itself."""
    pause = threading.Event()
    for _ in range(int(_SERVER_PATIENCE_S / 0.05)):
        found = re.search(r"http://127\.0\.0\.1:\d+(?=\s)", stdout.read_text("utf-8"))
        if found is not None:
            return found[0]
        if process.poll() is not None:
            raise RecordError(f"the server ended with {process.returncode} before it said where it is")
        pause.wait(0.05)
    raise RecordError(f"the server did not say within {_SERVER_PATIENCE_S:.0f} s where it is")


def _slug(arguments: Sequence[str]) -> str:
    return re.sub(r"[^a-z0-9]+", "-", "-".join(arguments).lower()).strip("-")[:40].strip("-")


def _states(folder: Path) -> dict[str, str]:
    """What tells whether a file was written: its time, size and inode, by path."""
    states = {}
    for directory, _, names in os.walk(folder):
        for name in names:
            path = Path(directory, name)
            relative = path.relative_to(folder).as_posix()
            if _BANK.search(relative) is None:
                state = path.stat()
                states[relative] = f"{state.st_mtime_ns} {state.st_size} {state.st_ino}"
    return states


def _keep(path: Path, to: Path) -> bool:
    if path.suffix.lower() in _COUNTED:
        return False
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(path, to)
    return True


def _commit_of(checkout: Path | None) -> str | None:
    if checkout is None:
        return None
    found = subprocess.run(
        ["git", "-C", str(checkout), "describe", "--always", "--abbrev=40", "--dirty"],
        capture_output=True,
        text=True,
        check=False,
    )
    return found.stdout.strip() or None
