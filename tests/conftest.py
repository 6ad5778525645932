"""Options of the test run, and a home that is not the user's."""

from __future__ import annotations

import atexit
import gc
import os
import re
import shutil
import sqlite3
import ssl
import sys
import threading
import uuid
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

import pytest
import typer.main
from hypothesis import settings
from threadpoolctl import threadpool_limits

from gapsmith.bank import connection, migrations, store, sums
from gapsmith.parsing import embedded
from gapsmith.scoring.lm import bundled_directory, canary
from gapsmith.scoring.report import drawing
from gapsmith.scoring.report.style import drawing_style
from tests import processes, rooms
from tests.network_guard import keep_inside

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from gapsmith.bank import Tokens
    from gapsmith.parsing.spacy_pipeline import SpacyParser
    from gapsmith.scoring.lm.model import LanguageModel
    from gapsmith.scoring.lm.rows import TokenRow

# Here, before anything imports torch: threads that wait for each other give the processor back, as they do in the program, and
# workers that each take every core are in each other's way. Plugins have imported numpy before, whose threads are told by
# themselves: while they wait for each other they cost three times the time that they save.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    threadpool_limits(1)
    # The first to be registered is the last to run: a worker that has done all else leaves, without the five seconds that
    # the interpreter takes to put thousands of modules away.
    atexit.register(os._exit, 0)

# Modules and syntax trees stay while tests are collected: looking for garbage among them takes a fifth of that time.
gc.disable()

# And while tests run, most of what is looked through is what a test is still at work with.
gc.set_threshold(20_000, 20, 20)

# A busy machine is no fault of what is tested.
settings.register_profile("suite", settings.default, deadline=None, max_examples=30)
settings.load_profile("suite")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --gpt2."""
    parser.addoption("--gpt2", action="store_true", default=False, help="also run the checks that need the weights of gpt2")


def pytest_collection_finish() -> None:
    """From here on there is garbage, though not among what was imported."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Four workers for two cores, as in `make test`: a third of the time a test waits, for a screen, a server or another process."""
    return (os.cpu_count() or 1) + 2


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With ``-m fast``, import only the files that say of themselves that they are: importing all takes longer than they do."""
    if config.option.markexpr != "fast" or collection_path.suffix != ".py":
        return None
    return True if "mark.fast" not in collection_path.read_text(encoding="utf-8") else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip what needs the weights of gpt2, unless it is asked for; and where several workers share the files, mix those that
    compute with those that wait, the same way in each worker."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        items.sort(key=_place_in_the_run)
    if config.getoption("--gpt2"):
        return
    skip = pytest.mark.skip(reason="needs the weights of gpt2; run with --gpt2")
    for item in items:
        if item.get_closest_marker("gpt2") is not None:
            item.add_marker(skip)


def _place_in_the_run(item: pytest.Item) -> int:
    """By its file. The files that walk all of the code stand together, and so do those that train parsers and those that fork
    programs, so that one worker and not each of them reads the code, makes the parsers and loads what programs are forked from."""
    return crc32(_company(item.location[0], getattr(item, "module", None)).encode())


@cache
def _company(file: str, module: object) -> str:
    given = list(vars(module).values()) if module is not None else []
    if any(own is rooms.trees_of or own is rooms.tree_of for own in given):
        return "walks"
    if any(own is processes or own is processes.Program for own in given):
        return "programs"
    return "parsers" if file.startswith("tests/parsing") else file


ROOT = Path(__file__).parent.parent
_TWICE = "loaded as two modules"
_STANDARD = str(Path(os.__file__).parent)


def modules_of_one_file() -> list[str]:
    """Files of ours that this process has loaded under more than one name; there is to be none."""
    names: dict[Path, list[str]] = {}
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        # The program itself is loaded once more as ``__main__`` where it is started; to follow the links of thousands of modules of
        # others takes a second.
        if not file or name == "__main__" or "site-packages" in file or file.startswith(_STANDARD):
            continue
        if (path := Path(file).resolve()).is_relative_to(ROOT) and ".venv" not in path.parts:
            names.setdefault(path, []).append(name)
    return [f"{path}: {', '.join(sorted(found))}" for path, found in sorted(names.items()) if len(set(found)) > 1]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: object) -> None:
    """Hear from a worker that has ended what it loaded twice."""
    _found_twice.update(getattr(node, "workeroutput", {}).get(_TWICE, ()))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """After all tests, no file of ours has been loaded as two modules: the run fails where one has."""
    output: dict[str, list[str]] | None = getattr(session.config, "workeroutput", None)
    if output is not None:
        output[_TWICE] = modules_of_one_file()
        return
    _found_twice.update(modules_of_one_file())
    if _found_twice and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _processor_s() -> float:
    """What this process and the ones that it has waited for have computed."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Note when a test begins, by the time that was computed."""
    item.stash[_BEGAN] = _processor_s()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Say at the end of a test of `make test` how long it computed, where that is long."""
    report = yield
    if report.failed:
        item.stash[_FAILED] = True
    if call.when == "teardown" and item.get_closest_marker("full") is None:
        spent = _processor_s() - item.stash[_BEGAN]
        if spent > LONG_S:
            report.user_properties.append((_LONG, round(spent, 1)))
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Keep what computed long, in whichever process it ran."""
    _computed_long.extend((float(str(spent)), report.nodeid) for name, spent in report.user_properties if name == _LONG)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name the files that were loaded as two modules, and the tests that computed long and are not marked `full`."""
    for line in sorted(_found_twice):
        terminalreporter.write_line(f"FAILED {_TWICE}: {line}", red=True)
    for spent, name in sorted(_computed_long, reverse=True):
        terminalreporter.write_line(f"long: {spent:.1f} s of a processor, not marked full: {name}")


LONG_S = 2.5
"""From how many seconds of a processor on a test of `make test` is named at the end; the first one of a process imports much."""
_LONG = "processor seconds"
_BEGAN, _FAILED = pytest.StashKey[float](), pytest.StashKey[bool]()
_computed_long: list[tuple[float, str]] = []
_found_twice: set[str] = set()
_HOMES, _PLACES = count(), count()


@dataclass(frozen=True)
class CommandOutcome:
    """What a command did: exit code, stdout and stderr."""

    code: int
    out: str
    err: str


@pytest.fixture(autouse=True, scope="session")
def _same_kernel() -> Iterator[None]:
    """No digit hangs on what was faster just now: where a test names no kernel, it is torch's own, in fixtures of modules too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GAPSMITH_KERNEL", "default")
        patch.setattr("gapsmith.scoring.lm.opening.USUAL_KERNEL", "default")
        yield


@pytest.fixture(autouse=True)
def _own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No setting, key or cache of the person who runs the tests reaches them, and no hub is asked."""
    for name in list(os.environ):
        if name.startswith("GAPSMITH_") or name.endswith("_API_KEY") or name == "OPENAI_BASE_URL":
            monkeypatch.delenv(name)
    # Not by `mktemp`, which reads the whole folder to find the next number: thousands of names, for every test.
    home = tmp_path_factory.getbasetemp() / "homes" / str(next(_HOMES))
    home.mkdir(parents=True)
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "state"))
    monkeypatch.setenv("GAPSMITH_CONFIG", str(home / "config.toml"))
    monkeypatch.setenv("GAPSMITH_KERNEL", "default")
    monkeypatch.setenv("COLUMNS", "120")


@pytest.fixture
def tmp_path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder of the test's own, named after it. Not by pytest, which reads the names of all that there are for the next number.
    It goes when the test has passed: at the end of a later run one process alone would have all of them to take away."""
    name = re.sub(r"\W", "_", str(request.node.name))[:28]
    path = tmp_path_factory.getbasetemp() / "t" / f"{name}{next(_PLACES)}"
    path.mkdir(parents=True, mode=0o700)
    yield path
    if not request.node.stash.get(_FAILED, False):
        shutil.rmtree(path, ignore_errors=True)


@pytest.fixture(autouse=True, scope="session")
def _no_wait_for_the_disk() -> Iterator[None]:
    """Banks of this process do not wait until the disk has what was committed: only a power cut, which no test makes, would
    show it, and the waiting takes longer than most tests. That they do otherwise is held by tests/bank/test_bank_store.py."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(connection, "DURABILITY", "OFF")
        yield


@pytest.fixture(autouse=True, scope="session")
def _new_banks_are_copies(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The tables of a new bank are made once for all tests of a process: two thousand of them begin with one. That the copy is
    what the program makes is held by tests/bank/test_bank_store.py."""
    made: list[sqlite3.Connection] = []

    @cache
    def empty() -> bytes:
        path = tmp_path_factory.mktemp("empty") / "bank.sqlite"
        raw = connection.connect(path, create=True)
        migrations.migrate(raw, path)
        raw.close()
        return path.read_bytes()

    def connect(path: Path, *, create: bool, called: Path | None = None) -> sqlite3.Connection:
        # What several threads begin at once is the program's own to get right, and so is what cannot be written.
        alone = threading.current_thread() is threading.main_thread()
        copied = create and alone and not path.exists() and _written(path, empty())
        raw = connection.connect(path, create=create, called=called)
        made[:] = [raw] if copied else []
        return raw

    def migrate(raw: sqlite3.Connection, path: Path) -> int:
        if made != [raw]:
            return migrations.migrate(raw, path)
        own = uuid.uuid4().hex
        raw.execute("UPDATE property SET value = ?, sum = ? WHERE name = 'bank'", (own, sums.row_sum("property", ("bank", own))))
        return 0

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "connect", connect)
        patch.setattr(store, "migrate", migrate)
        yield


def _written(path: Path, content: bytes) -> bool:
    try:
        with path.open("xb") as file:
            file.write(content)
    except OSError:
        with suppress(OSError):
            path.unlink()
        return False
    return True


@pytest.fixture(autouse=True, scope="session")
def _packages_are_found_once() -> Iterator[None]:
    """What installed packages add is looked up in all of them, many times in every command; no test installs one into its own
    process. That it is asked anew in the program is held by tests/test_plugins.py."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gapsmith.templates.plugins.entry_points", cache(entry_points))
        yield


@pytest.fixture(autouse=True, scope="session")
def _the_program_is_built_once() -> Iterator[None]:
    """A process of the program puts its list of commands together once, and a process of tests as often as it plays the program."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(typer.main, "get_command", cache(typer.main.get_command))
        yield


@pytest.fixture(autouse=True, scope="session")
def _what_ships_is_opened_and_checked_once() -> Iterator[None]:
    """The parser that ships is opened once for all tests of a process, and its model is asked once whether a tree gives what one text
    at a time gives. Other parsers and models are as often as the program does it."""
    sound: dict[tuple[str, str], str | None] = {}

    def opened(folder: Path | None = None) -> SpacyParser:
        return shipped() if folder is None else open_embedded(folder)

    def fault(model: LanguageModel, run: Callable[[list[TokenRow]], list[list[Tokens]]]) -> str | None:
        if model.source.directory != bundled_directory():
            return canary.tree_fault(model, run)
        _ = model.network  # The check loads the weights, and what follows counts on them.
        key = model.dtype, repr(model.kernel)
        if key not in sound:
            sound[key] = canary.tree_fault(model, run)
        return sound[key]

    shipped = cache(open_embedded := embedded.open_embedded)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gapsmith.parsing.embedded.open_embedded", opened)
        patch.setattr("gapsmith.scoring.lm.tree.tree_fault", fault)
        yield


_rendered = drawing._rendered


_composed: set[tuple[object, ...]] = set()


def _only_composed(size: tuple[float, float], paint: Callable[[Figure], None]) -> tuple[str, bytes]:
    from matplotlib.figure import Figure

    # A figure that says the same in words, with its numbers, is the same one.
    of = sys._getframe(1).f_locals
    figure = (paint.__code__, size, of["name"], of["title"], of["alt"])
    if figure not in _composed:
        with drawing_style():
            paint(Figure(figsize=size))
        _composed.add(figure)
    return '<svg viewBox="0 0 1 1"></svg>', b"\x89PNG"


@pytest.fixture(autouse=True, scope="session")
def _figures_are_not_rendered() -> Iterator[None]:
    """Of figures of reports all is composed, once, and nothing rendered, which takes longer than all the rest of a report; who looks
    at them asks for `painted`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(drawing, "_rendered", _only_composed)
        yield


@contextmanager
def painting() -> Iterator[None]:
    """Within, figures of reports are rendered as the program does."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(drawing, "_rendered", _rendered)
        yield


@pytest.fixture
def painted() -> Iterator[None]:
    """Figures of reports as the program renders them, for a test that looks at them."""
    with painting():
        yield


@pytest.fixture(autouse=True, scope="session")
def _certificates_are_read_once() -> Iterator[None]:
    """Every client of a provider reads all the roots of the world's certificates, though the servers of the tests have none."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ssl, "create_default_context", cache(ssl.create_default_context))
        yield


@pytest.fixture(autouse=True, scope="session")
def _no_outside_calls() -> Iterator[None]:
    """No test reaches another machine by accident."""
    with pytest.MonkeyPatch.context() as patch:
        keep_inside(patch)
        yield


@pytest.fixture
def gapsmith(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> Callable[..., CommandOutcome]:
    """Run a command as the program does, in a directory of its own: ``gapsmith("lint", "--json")``."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: object) -> CommandOutcome:
        from gapsmith.app.cli.app import main

        monkeypatch.setattr(sys, "argv", ["gapsmith", *map(str, arguments)])
        capfdbinary.readouterr()
        code = 0
        try:
            main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        sys.stdout.flush()
        out, err = capfdbinary.readouterr()
        return CommandOutcome(code, out.decode(), err.decode())

    return run
