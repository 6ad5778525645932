"""A run that is killed loses nothing that was committed, and does nothing twice when it is run again."""

from __future__ import annotations

import asyncio
import importlib
import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from gapsmith.app.generated import ranges
from gapsmith.app.interrupts import stoppable
from gapsmith.bank import Bank
from gapsmith.bank.items import ItemTable
from gapsmith.bank.scores import ScoreTable
from gapsmith.prompts import Ending, GenerationOutcome, Order, run_yield
from gapsmith.prompts.fake import Behaviour, FakeServer, SeenRequest
from gapsmith.templates import Paradigm
from tests.parts import first_of
from tests.printed import result
from tests.processes import Program, wait_for
from tests.prompts.generating import ENVIRONMENT, generate, prepare_http, stored, texts


class KilledError(BaseException):
    """Stands for the end of the process: nothing of ours catches it."""


def started(folder: Path, *arguments: object) -> Program:
    """A `gapsmith generate` of its own."""
    return Program("generate", *arguments, folder=folder, environment=ENVIRONMENT)


def count_items(folder: Path) -> int:
    """How many items are committed, read beside the running process."""
    try:
        with closing(sqlite3.connect(f"file:{folder / 'bank.sqlite'}?mode=ro", uri=True)) as connection:
            return int(connection.execute("SELECT count(*) FROM item").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


@pytest.mark.full
def test_a_killed_lexicon_run_goes_on_where_it_was(tmp_path: Path) -> None:
    arguments = ("lan_pg", "--all", "--n-per-call", 40)
    for share in (1, 2_000, 5_000):
        with started(tmp_path, *arguments) as process:
            wait_for(lambda share=share: count_items(tmp_path) >= share, process)  # type: ignore[misc]  # bound now
            process.send(signal.SIGKILL)
            assert process.wait() == -signal.SIGKILL
    with started(tmp_path, *arguments) as process:
        assert process.wait() == 0
    with Bank.open(tmp_path / "bank.sqlite") as bank:
        items = stored(bank)
        assert [item.label for item in items] == [str(k) for k in range(1, 8_065)]
        assert len(set(texts(items))) == 8_064
        (run,) = bank.runs.all()
        calls = bank.runs.calls(run.id)
    assert run.finished_at is not None
    assert [call.number for call in calls] == list(range(len(calls)))
    assert all(call.outcome == "ok" for call in calls)


@pytest.mark.full
def test_a_killed_paid_run_asks_for_what_is_missing_and_lists_what_may_be_paid(tmp_path: Path, lan_pg: Paradigm) -> None:
    with FakeServer(lan_pg, latency_s=0.15) as fake:
        arguments = ["lan_pg", "-n", 60, "--n-per-call", 5, "--concurrency", 3, "--provider", "openai"]
        arguments += ["--model", "m", "--base-url", fake.openai_url]
        for floor in (5, 30):
            with started(tmp_path, *arguments) as process:
                wait_for(lambda floor=floor: count_items(tmp_path) >= floor, process)  # type: ignore[misc]  # bound now
                process.send(signal.SIGKILL)
                process.wait()
        with started(tmp_path, *arguments) as process:
            assert process.wait() == 0
        asked = len(fake.requests)
    with Bank.open(tmp_path / "bank.sqlite") as bank:
        items = stored(bank)
        assert len(items) == len(set(texts(items))) == 60
        (run,) = bank.runs.all()
        worth = run_yield(bank, run)
        calls = bank.runs.calls(run.id)
    assert worth.asked == 60
    assert len({call.number for call in calls}) == len(calls)
    unanswered = [call.number for call in calls if call.replied_at is None]
    assert list(worth.unanswered) == unanswered
    assert 1 <= len(unanswered) <= 6
    # Whatever reached the server is known to the bank: as an answer, or as a call that may have been paid.
    assert asked <= len(calls)
    assert "may have been paid" in process.err


@pytest.mark.parametrize("asked", first_of([signal.SIGINT, signal.SIGTERM, signal.SIGHUP]))
def test_a_request_to_stop_ends_a_run_with_exit_code_1_and_all_answers_kept(
    tmp_path: Path, lan_pg: Paradigm, asked: signal.Signals
) -> None:
    with FakeServer(lan_pg, latency_s=0.3) as fake:
        # So many that a busy machine is not through before it is asked to stop.
        arguments = ["lan_pg", "-n", 400, "--n-per-call", 5, "--concurrency", 2, "--provider", "gemini"]
        arguments += ["--model", "m", "--base-url", fake.url]
        with started(tmp_path, *arguments) as process:
            wait_for(lambda: count_items(tmp_path) >= 5, process)
            process.send(asked)
            if asked is not signal.SIGINT:
                process.send(asked)
            assert process.wait() == 1
        assert count_items(tmp_path) == 5 * len(fake.requests)
    assert "the same command continues this run" in process.err


def test_a_request_to_stop_after_the_last_item_is_no_failure(bank: Bank, lan_pg: Paradigm) -> None:
    with FakeServer(lan_pg) as fake:
        prepared = prepare_http(Order(lan_pg, provider="openai", n=5, n_per_call=5, timeout_s=20.0), bank, fake)
        generation = prepared.generation(bank)

        async def stopped_at_the_end() -> GenerationOutcome:
            loop = asyncio.get_running_loop()

            def stop(_: SeenRequest) -> None:
                loop.call_soon_threadsafe(generation.stop)

            fake.raw_answer = stop
            return await generation.run()

        assert asyncio.run(stopped_at_the_end()).ending is Ending.COMPLETE
    assert bank.runs.get(1).finished_at is not None


def test_nohup_outlives_the_terminal() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with stoppable():
            signal.raise_signal(signal.SIGHUP)
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        with pytest.raises(KeyboardInterrupt), stoppable():
            signal.raise_signal(signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)


def test_an_import_that_is_stopped_says_what_is_true_of_it(gapsmith: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    assert gapsmith("generate", "subject_pg", "-n", 6).code == 0
    Path("six.csv").write_text(gapsmith("export", "csv", "--all").out, encoding="utf-8")
    real = ItemTable._add_sentences

    def add(self: ItemTable, *arguments: Any) -> None:
        real(self, *arguments)
        signal.raise_signal(signal.SIGTERM)

    with monkeypatch.context() as patch:
        patch.setattr(ItemTable, "_add_sentences", add)
        stopped = gapsmith("import", "six.csv", "-p", "subject_pg")
    assert stopped.code == 130
    assert "nothing of six.csv was imported" in stopped.err
    with Bank.open(Path("bank.sqlite")) as bank:
        assert bank.items.count() == 6
    assert gapsmith("import", "six.csv", "-p", "subject_pg").code == 0
    with Bank.open(Path("bank.sqlite")) as bank:
        assert bank.items.count() == 12


def test_a_scoring_that_is_stopped_keeps_what_it_had(gapsmith: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    assert gapsmith("generate", "embedded_wh", "-n", 6).code == 0
    real, blocks = ScoreTable.add, []

    def add(self: ScoreTable, *arguments: Any, **more: Any) -> None:
        real(self, *arguments, **more)
        blocks.append(arguments)
        if len(blocks) == 2:
            signal.raise_signal(signal.SIGTERM)

    with monkeypatch.context() as patch:
        patch.setattr(ScoreTable, "add", add)
        # Kept after every batch: a fast machine has scored all of them before the time for a second keeping has come.
        patch.setattr("gapsmith.scoring.score_run.KEPT_S", 0)
        stopped = gapsmith("score", "--model", "bundled", "--all", "--engine", "batches", "--batch-size", 4)
    assert stopped.code == 130
    assert "run the same command again" in stopped.err
    again = result(gapsmith("score", "--model", "bundled", "--all", "--engine", "batches", "--batch-size", 4, "--json").out)
    assert again["already_scored"] > 0


@pytest.mark.parametrize(
    ("command", "after"),
    [
        ("score --model bundled --all", "gapsmith.scoring.score_run._unknown"),
        ("import three.csv -p embedded_wh -d more", "gapsmith.app.stages.importing_items._say"),
    ],
)
def test_a_request_to_stop_when_only_words_are_left_is_no_failure(
    command: str, after: str, gapsmith: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert gapsmith("generate", "embedded_wh", "-n", 3).code == 0
    Path("three.csv").write_text(gapsmith("export", "csv", "--all").out, encoding="utf-8")
    module, _, name = after.rpartition(".")
    real = getattr(importlib.import_module(module), name)
    asked: list[signal.Signals] = []

    def asks(*arguments: Any, **more: Any) -> Any:
        asked.append(signal.SIGTERM)
        signal.raise_signal(signal.SIGTERM)
        return real(*arguments, **more)

    monkeypatch.setattr(after, asks)
    done = gapsmith(*command.split())
    assert (done.code, len(asked)) == (0, 1), done.err


def test_a_request_to_stop_is_met_where_there_is_more_to_do_than_seemed() -> None:
    """As with several revisions, each of which has an end of its own."""
    with stoppable() as stopping:
        stopping.done()
        signal.raise_signal(signal.SIGTERM)
        with pytest.raises(KeyboardInterrupt):
            stopping.done(False)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)


def test_many_numbers_are_shown_as_ranges() -> None:
    assert ranges([]) == ""
    assert ranges([5, 0, 1, 2, 7, 8]) == "0-2, 5, 7-8"
    assert ranges(range(240)) == "0-239"


@pytest.mark.full
def test_a_second_ctrl_c_ends_it_at_once(tmp_path: Path, lan_pg: Paradigm) -> None:
    with FakeServer(lan_pg, script=lambda _: Behaviour.HANG) as fake:
        arguments = ["lan_pg", "-n", 10, "--provider", "openai", "--model", "m", "--base-url", fake.openai_url]
        with started(tmp_path, *arguments) as process:
            wait_for(lambda: len(fake.requests) >= 1, process)
            process.send(signal.SIGINT)
            wait_for(lambda: "Ctrl-C again" in process.err, process)
            process.send(signal.SIGINT)
            assert process.wait() == 130


@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize("nth", first_of(range(1, 7), 2))
def test_wherever_a_run_ends_the_next_one_completes_it_to_the_same_items(
    tmp_path: Path, lan_pg: Paradigm, monkeypatch: pytest.MonkeyPatch, moment: str, nth: int
) -> None:
    order = Order(lan_pg, n=30, n_per_call=6)
    with Bank.open(tmp_path / "whole.sqlite", create=True) as bank:
        generate(order, bank)
        whole = texts(stored(bank))
    path = tmp_path / "killed.sqlite"
    with monkeypatch.context() as patch, Bank.open(path, create=True) as bank:
        _die(patch, moment, nth)
        with pytest.raises(KilledError):
            generate(order, bank)
    with Bank.open(path) as bank:
        committed = texts(stored(bank))
        assert committed == whole[: len(committed)]
        assert len(committed) < 30 or moment == "after"
        assert generate(order, bank).ending is Ending.COMPLETE
        assert texts(stored(bank)) == whole
        (run,) = bank.runs.all()
        assert [call.number for call in bank.runs.calls(run.id)] == [0, 1, 2, 3, 4]
        assert all(call.replied_at for call in bank.runs.calls(run.id))


def _die(patch: pytest.MonkeyPatch, moment: str, nth: int) -> None:
    """End the run around the nth transaction of its calls: before its commit, or right after it."""
    real = Bank.transaction
    count = 0

    @contextmanager
    def transaction(self: Bank) -> Iterator[None]:
        nonlocal count
        count += 1
        with real(self):
            yield
            if count >= nth and moment == "before":
                raise KilledError
        if count >= nth:
            raise KilledError

    patch.setattr(Bank, "transaction", transaction)
