"""What strangers' files, full disks and users' own paradigms can do to a command: end it with a message, and not otherwise."""

from __future__ import annotations

import gc
import json
import resource
import shutil
import signal
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

import gapsmith as api
from gapsmith.app.cli.console import guarded
from gapsmith.app.interrupts import stoppable
from gapsmith.bank import Bank
from gapsmith.prompts.fake import FakeServer
from gapsmith.prompts.lease import RunLease
from gapsmith.templates import load_paradigm
from gapsmith.templates.errors import GapsmithError, ParadigmError
from tests.conftest import CommandOutcome
from tests.prompts.generating import KEY

Run = Callable[..., CommandOutcome]

LONG = "9" * 5_000
SHIPPED = Path(__file__).resolve().parents[2] / "templates" / "paradigms"


def refused(done: CommandOutcome, *said: str, code: int = 2) -> None:
    assert done.code == code, done.err
    assert "Traceback" not in done.err
    assert "Error:" in done.err or "error:" in done.err
    for words in said:
        assert words in done.err


SUITE = {
    "meta": {"name": "s", "metric": "sum"},
    "region_meta": {"1": "a"},
    "predictions": [],
    "items": [{"item_number": 1, "conditions": [{"condition_name": "c", "regions": [{"region_number": 1, "content": "It"}]}]}],
}

FILES = {
    "suite.json": json.dumps(SUITE).replace('"item_number": 1', f'"item_number": {LONG}'),
    "region.json": json.dumps(SUITE).replace('"region_number": 1', f'"region_number": {LONG}'),
    "nan.json": json.dumps(SUITE).replace('"item_number": 1', '"item_number": NaN'),
    "pairs.jsonl": f'{{"sentence_good": "It is.", "sentence_bad": "It are.", "UID": {LONG}}}\n',
    "later.jsonl": '{"sentence_good": "It is.", "sentence_bad": "It are."}\n'
    f'{{"sentence_good": "He is.", "sentence_bad": "He are.", "n": {LONG}}}\n',
    "slots.jsonl": f'{{"item": {LONG}, "slots": {{"verb": "eat"}}}}\n',
    "unknown.json": f'{{"what": {LONG}}}',
    "deep.jsonl": '{"sentence_good": ' + "[" * 100_000,
}


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with one item."""
    with api.open_workspace(tmp_path_factory.mktemp("generated"), create=True) as ws:
        api.generate(ws, "lan_pg", n=1)
        return ws.root


@pytest.mark.parametrize("command", ["import", "audit", "import-scores", "paradigm draft"])
@pytest.mark.parametrize("name", FILES)
def test_a_number_without_end_in_a_file_of_others(gapsmith: Run, generated: Path, command: str, name: str) -> None:
    Path(name).write_text(FILES[name], encoding="utf-8")
    if command == "import-scores":
        shutil.copytree(generated, ".", dirs_exist_ok=True)
    more = ["-o", "mine.toml"] if command == "paradigm draft" else ["--model", "m"] if command == "import-scores" else []
    done = gapsmith(*command.split(), name, *more)
    refused(done, name)
    if command in ("import", "audit"):
        assert "digits" in done.err or "NaN" in done.err or "limit depth" in done.err
        assert "line" in done.err or "limit depth" in done.err
    assert LONG[:100] not in done.err


def test_region_numbers_without_end_are_names(gapsmith: Run) -> None:
    rows = "".join(f"1,{condition},{LONG}{n},It\n1,{condition},{n},is\n" for condition in ("a", "b") for n in (1,))
    Path("regions.csv").write_text(f"item,condition,region_number,content\n{rows}", encoding="utf-8")
    assert "Traceback" not in gapsmith("import", "regions.csv").err


@pytest.mark.parametrize(
    ("file", "command"),
    [
        ("gapsmith.toml", ("show", "1")),
        ("prices.toml", ("generate", "lan_pg", "--provider", "openai", "--model", "m", "--dry-run")),
        ("review.toml", ("review",)),
        ("keys.toml", ("review",)),
        ("paradigms/mine.toml", ("generate", "mine")),
        ("study.toml", ("study", "study.toml")),
        ("recipe.toml", ("train", "corpus", "recipe.toml", "--out", "o")),
        ("config.toml", ("train", "lm", "lines.txt", "--config", "config.toml", "--out", "o")),
    ],
)
@pytest.mark.parametrize("text", [f"name = {LONG}\n", "name = " + "[" * 100_000, "name = nan\n", "name = \n"])
def test_toml_of_others(
    gapsmith: Run, generated: Path, file: str, command: tuple[str, ...], text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    shutil.copytree(generated, ".", dirs_exist_ok=True)
    Path("lines.txt").write_text("It is.\n", encoding="utf-8")
    Path(file).parent.mkdir(exist_ok=True)
    Path(file).write_text(text, encoding="utf-8")
    refused(gapsmith(*command), Path(file).name)


def test_a_memory_of_steps_that_somebody_changed(gapsmith: Run) -> None:
    for text in ("{", "[1]", LONG):
        Path("again").mkdir(exist_ok=True)
        (Path("again") / "study-steps.json").write_text(text, encoding="utf-8")
        refused(gapsmith("study", "posh2026", "--out", "again"), "study-steps.json")


def test_ports_that_there_are_not(gapsmith: Run) -> None:
    for port in ("99999", "-1", "65536", LONG):
        refused(gapsmith("serve-fake", "lan_pg", f"--port={port}"), "--port", "a whole number from 0 to 65,535")


@pytest.fixture
def mine(gapsmith: Run) -> Path:
    """A workspace with a paradigm of one's own whose word list is not there."""
    gapsmith("init")
    Path("paradigms").mkdir()
    text = (SHIPPED / "embedded_wh.toml").read_text(encoding="utf-8")
    path = Path("paradigms") / "mine.toml"
    path.write_text(text.replace('name = "embedded_wh"', 'name = "mine"').replace('"scenes"', '"my_scenes"'), encoding="utf-8")
    return path


@pytest.mark.parametrize("provider", ["lexicon", "openai"])
def test_a_missing_word_list_is_said_by_file_and_line_and_leaves_no_run(
    gapsmith: Run, mine: Path, provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with FakeServer(load_paradigm("embedded_wh")) as fake:
        asked = ["--model", "m", "--base-url", fake.openai_url] if provider == "openai" else []
        done = gapsmith("generate", "mine", "-n", 3, "--provider", provider, *asked)
        assert not fake.requests
    line = next(n for n, text in enumerate(mine.read_text().splitlines(), 1) if "my_scenes" in text)
    refused(done, f"mine.toml, line {line}: `slots.scene.lexicon`: there is no lexicon 'my_scenes'", "my_scenes.csv")
    assert "report it" not in done.err
    with api.open_workspace(".") as ws:
        assert not ws.bank.runs.all()
        with pytest.raises(ParadigmError, match=f"line {line}"):
            api.generate(ws, "mine", 3)
        assert not ws.bank.runs.all()


def test_every_command_that_reads_the_words_says_so(gapsmith: Run, mine: Path) -> None:
    place = "`slots.scene.lexicon`: there is no lexicon 'my_scenes'"
    refused(gapsmith("serve-fake", "mine", "--port", 0), place)
    refused(gapsmith("prompt", "show", "slots", "-p", "mine"), place)
    assert place in gapsmith("paradigm", "check", "mine").out
    (Path("paradigms") / "lexicons").mkdir()
    shutil.copy(SHIPPED.parent / "lexicons" / "scenes.csv", Path("paradigms") / "lexicons" / "my_scenes.csv")
    assert gapsmith("generate", "mine", "-n", 3).code == 0
    (Path("paradigms") / "lexicons" / "my_scenes.csv").unlink()
    refused(gapsmith("generate", "mine", "-n", 9), place)
    with Bank.open(Path("bank.sqlite")) as bank:
        assert [run.finished_at is not None for run in bank.runs.all()] == [True]


def test_a_word_list_that_goes_while_words_are_drawn_is_the_user_s_to_mend(
    gapsmith: Run, mine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gapsmith.prompts.providers.lexicon import LexiconProvider

    own = Path("paradigms") / "my_scenes.csv"
    shutil.copy(SHIPPED.parent / "lexicons" / "scenes.csv", own)
    call = LexiconProvider.call

    async def without(self: LexiconProvider, request: object) -> object:
        own.unlink()
        return await call(self, request)  # type: ignore[arg-type]  # as it came

    monkeypatch.setattr(LexiconProvider, "call", without)
    refused(gapsmith("generate", "mine", "-n", 3), "`slots.scene.lexicon`")


@contextmanager
def full_disk() -> Iterator[None]:
    """No file of this process may grow: what a full disk does, done by the system itself."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_takes_no_lease_and_leaves_none(tmp_path: Path) -> None:
    with full_disk(), pytest.raises(GapsmithError, match="cannot be written") as caught:
        RunLease(tmp_path / "bank.sqlite", 1)
    assert "Make room on the disk" in caught.value.hint
    assert not list(tmp_path.iterdir())
    with RunLease(tmp_path / "bank.sqlite", 1):
        pass


@pytest.mark.parametrize("name", ["page.md", "sub/page.md"])
def test_what_the_machine_refuses_is_no_fault_of_a_command(tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)

    def write() -> None:
        with guarded(), path.open("wb", buffering=0) as file, full_disk():
            file.write(b"x")

    with pytest.raises(SystemExit) as caught:
        write()
    assert caught.value.code == 1
    said = capsys.readouterr().err
    assert "error: File too large" in said
    assert "Make room" in said
    assert "Traceback" not in said


def test_a_request_to_stop_within_what_sqlite_calls_stops(tmp_path: Path) -> None:
    """SQLite makes an error of its own of what is raised there."""
    with closing(sqlite3.connect(tmp_path / "some.sqlite")) as db:
        db.create_function("sum_of_row", 0, lambda: signal.raise_signal(signal.SIGTERM))
        with pytest.raises(KeyboardInterrupt), stoppable():
            db.execute("SELECT sum_of_row()")
        with pytest.raises(sqlite3.OperationalError), stoppable():
            db.execute("SELECT no_such_function()")
        with stoppable() as stopping:
            stopping.done()
            assert db.execute("SELECT sum_of_row()").fetchone() == (None,)


def test_a_transaction_that_ends_after_its_bank_was_closed_says_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A request to stop can come between two steps of Python's `with`, and then the transaction is the last to end."""
    said: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda caught: said.append(caught.exc_value))
    with Bank.open(tmp_path / "bank.sqlite", create=True) as bank:
        bank.items.count()
        begun = bank.db.write()
        begun.__enter__()
        bank.db.execute("INSERT INTO property (name, value) VALUES ('half', 'done')")
    del begun
    gc.collect()
    assert said == []
    with Bank.open(tmp_path / "bank.sqlite") as bank:
        assert bank.db.property("half") is None
