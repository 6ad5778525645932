"""Two commands on one run, and a disk that is full: nothing is paid twice, and nothing that was paid is lost."""

from __future__ import annotations

import os
import signal
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from gapsmith.bank import Bank, BankError
from gapsmith.prompts import Ending, Order
from gapsmith.prompts.fake import Behaviour, FakeServer, SeenRequest
from gapsmith.prompts.lease import RunLease, RunUnderWayError
from gapsmith.prompts.spill import Spill
from gapsmith.templates import Paradigm
from gapsmith.templates.errors import GapsmithError
from tests.processes import PATIENCE_S, wait_for
from tests.prompts.generating import Notes, SmallDisk, generate, stored, texts
from tests.prompts.test_generation_killed import count_items, started


@pytest.mark.full
def test_the_same_command_in_two_terminals_pays_once(tmp_path: Path, lan_pg: Paradigm) -> None:
    other_is_done = threading.Event()

    def script(seen: SeenRequest) -> Behaviour:
        if seen.number == 1:
            other_is_done.wait(PATIENCE_S)
        return Behaviour.WELL

    with FakeServer(lan_pg, script=script) as fake:
        arguments = ["lan_pg", "-n", 20, "--n-per-call", 5, "--concurrency", 1, "--provider", "openai"]
        arguments += ["--model", "m", "--base-url", fake.openai_url]
        with started(tmp_path, *arguments) as one:
            wait_for(lambda: count_items(tmp_path) >= 5, one)
            with started(tmp_path, *arguments) as other:
                assert other.wait() == 1
            other_is_done.set()
            assert f"run 1 is under way in process {one.pid}" in other.err
            assert one.wait() == 0
        assert len(fake.requests) == 4
    assert count_items(tmp_path) == 20
    assert not list(tmp_path.glob("*.lease"))


@pytest.mark.full
def test_a_killed_process_gives_its_lease_back(tmp_path: Path, lan_pg: Paradigm) -> None:
    with FakeServer(lan_pg, script=lambda seen: Behaviour.HANG if seen.number == 0 else Behaviour.WELL) as fake:
        arguments = ["lan_pg", "-n", 4, "--provider", "openai", "--model", "m", "--base-url", fake.openai_url]
        with started(tmp_path, *arguments) as process:
            wait_for(lambda: len(fake.requests) == 1, process)
            process.send(signal.SIGKILL)
            process.wait()
        with started(tmp_path, *arguments) as process:
            assert process.wait() == 0
    assert count_items(tmp_path) == 4


def test_a_lease_is_one_holder_s_until_it_is_given_back(tmp_path: Path) -> None:
    bank = tmp_path / "bank.sqlite"
    under_way = pytest.raises(RunUnderWayError, match=f"run 1 is under way in process {os.getpid()}")
    with RunLease(bank, 1), RunLease(bank, 2), under_way:
        RunLease(bank, 1)
    with RunLease(bank, 1):
        pass
    (tmp_path / "bank.sqlite.run1.lease").write_text("left behind by an older one")
    with RunLease(bank, 1):
        pass
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("provider", ["gemini", "openai"])
def test_answers_that_a_full_disk_does_not_take_come_in_with_the_next_go(
    bank: Bank, lan_pg: Paradigm, provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = Order(lan_pg, provider=provider, n=60, n_per_call=6, timeout_s=20.0, concurrency=4)

    disk = SmallDisk(bank, monkeypatch)
    with FakeServer(lan_pg, latency_s=0.02) as fake:
        with pytest.raises(GapsmithError, match="disk is full") as caught:
            generate(order, bank, fake, Notes(on_progress=lambda _: disk.fill()))
        assert "answers that came wait in" in caught.value.message
        answered = len(fake.requests)
        before = bank.items.count()
        assert before < 6 * answered
        with Bank.open(bank.path) as roomy:
            notes = Notes()
            outcome = generate(order, roomy, fake, notes)
            assert outcome.ending is Ending.COMPLETE
            assert any("are in it now" in line for line in notes.lines)
            items = stored(roomy)
            assert len(items) == len(set(texts(items))) == 60
            assert len(fake.requests) == 10, "nothing that was answered is asked for again"
            calls = roomy.runs.calls(outcome.run.id)
            assert all(call.outcome == "ok" and call.usage["kept"] == 6 for call in calls)
    assert not [path for path, _ in Spill(bank.path, outcome.run.identity).waiting()]


def test_a_spill_file_of_another_bank_or_one_that_broke_off_is_no_matter(bank: Bank, lan_pg: Paradigm, tmp_path: Path) -> None:
    spill = Spill(bank.path, "abc")
    path = spill.keep({"number": 3, "outcome": "ok"})
    assert path is not None
    with path.open("a", encoding="utf-8") as file:
        file.write('{"bank": "/elsewhere", "run": "abc", "number": 4}\n[1]\n{"numb')
    ((found, answers),) = spill.waiting()
    assert found == path
    assert [answer["number"] for answer in answers] == [3]
    assert not list(Spill(tmp_path / "other.sqlite", "abc").waiting())


def test_a_bank_that_cannot_be_written_says_so(bank: Bank, lan_pg: Paradigm) -> None:
    generate(Order(lan_pg, n=5), bank)
    bank.db.execute("PRAGMA query_only = ON")
    with pytest.raises(BankError, match="may not be written to"):
        generate(replace(Order(lan_pg, n=5), seed=2), bank)


def test_answers_to_calls_that_a_bank_does_not_know_are_not_thrown_away(bank: Bank, lan_pg: Paradigm) -> None:
    order = Order(lan_pg, provider="openai", n=6, n_per_call=6, timeout_s=20.0)
    with FakeServer(lan_pg) as fake:
        identity = generate(order, bank, fake).run.identity
        path = Spill(bank.path, identity).keep({"number": 77, "outcome": "ok", "reply": "paid for"})
        assert path is not None
        notes = Notes()
        generate(order, bank, fake, notes)
    assert path.is_file()
    assert any("does not know" in line for line in notes.lines)
