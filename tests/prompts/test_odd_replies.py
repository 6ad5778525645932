"""Whatever a server answers: one call fails at most, the others are kept, and every byte can be looked at."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from gapsmith.app.generation import carry_out
from gapsmith.bank import Bank
from gapsmith.prompts import CallRequest, Ending, FailureKind, Order, PromptError, Reply, prepare
from gapsmith.prompts.bodies import BODY, EARLIER_BODIES, unpack_body
from gapsmith.prompts.fake import Behaviour, FakeServer, RawAnswer, SeenRequest
from gapsmith.prompts.ledger import Ledger
from gapsmith.templates import Paradigm
from tests.conftest import CommandOutcome
from tests.parts import first_of
from tests.prompts.generating import ENVIRONMENT, KEY, EchoProvider, as_json, generate, stored, texts
from tools.fuzz_replies import fuzz

HTTP = ["gemini", "openai"]

ODD = {
    "deep": b"[" * 100_000,
    "long number": b'{"usage": ' + b"9" * 5_000 + b"}",
    "numbers for candidates": b'{"candidates": [5], "choices": [5]}',
    "a word for candidates": b'{"candidates": "x", "choices": 7}',
    "web page": b"<html>Welcome</html>",
    "nothing": b"",
    "half a pair": b'{"candidates": [{"content": {"parts": [{"text": "\\ud800"}]}}]}',
    "compressed wrongly": b"\x1f\x8b" + b"\x00" * 50,
}


@pytest.mark.full
@pytest.mark.parametrize("name", HTTP)
def test_fuzzed_replies_end_in_one_failed_call_each_and_lose_no_byte(name: str, tmp_path: Path, lan_pg: Paradigm) -> None:
    found = fuzz(name, 150, seed=50_000, folder=tmp_path, paradigm=lan_pg)
    assert found.faults == []
    assert sum(found.outcomes.values()) == 150
    assert len(found.outcomes) > 8


@pytest.mark.parametrize("name", HTTP)
@pytest.mark.parametrize("odd", first_of(ODD, 4))
def test_an_odd_answer_ends_no_other_call_and_its_body_is_kept(bank: Bank, lan_pg: Paradigm, name: str, odd: str) -> None:
    body = ODD[odd]

    def raw_answer(seen: SeenRequest) -> RawAnswer | None:
        # The first call answers at once, while the others are on their way.
        headers = {"Content-Encoding": "gzip"} if odd == "compressed wrongly" else {}
        return RawAnswer(body, headers=headers) if seen.number == 0 else None

    with FakeServer(lan_pg, latency_s=lambda seen: 0.0 if seen.number == 0 else 0.2) as fake:
        fake.raw_answer = raw_answer
        outcome = generate(Order(lan_pg, provider=name, n=24, n_per_call=6, timeout_s=20.0), bank, fake)
        asked = len(fake.requests)
    assert outcome.ending is Ending.COMPLETE
    assert len(set(texts(stored(bank)))) == 24
    calls = bank.runs.calls(outcome.run.id)
    assert len(calls) == asked
    (failed,) = [call for call in calls if call.outcome != "ok"]
    assert failed.outcome in {"garbled", "empty", "unreadable"}
    assert failed.cost_usd is None, "nobody knows what it cost"
    assert unpack_body(failed.details[BODY]) == body
    assert all(b"{" in unpack_body(call.details[BODY]) for call in calls if call.outcome == "ok")


@pytest.mark.parametrize("name", HTTP)
def test_an_unknown_finish_reason_is_no_block_and_its_whole_items_are_kept(bank: Bank, lan_pg: Paradigm, name: str) -> None:
    def odd_ending(seen: SeenRequest) -> RawAnswer | None:
        if seen.number:
            return None
        text = fake.writer.write("exactly 6 items", Behaviour.WELL).replace('"', '\\"')
        finish = '"finishReason": "WHATEVER"' if name == "gemini" else '"finish_reason": "whatever"'
        inner = f'"content": {{"parts": [{{"text": "{text}"}}]}}' if name == "gemini" else f'"message": {{"content": "{text}"}}'
        return RawAnswer(f'{{"{"candidates" if name == "gemini" else "choices"}": [{{{inner}, {finish}}}]}}'.encode())

    with FakeServer(lan_pg) as fake:
        fake.raw_answer = odd_ending
        outcome = generate(Order(lan_pg, provider=name, n=12, n_per_call=6, concurrency=1, timeout_s=20.0), bank, fake)
    assert outcome.ending is Ending.COMPLETE
    first = bank.runs.calls(outcome.run.id)[0]
    assert (first.outcome, first.finish_reason, first.usage["kept"]) == (
        "odd_ending",
        "WHATEVER" if name == "gemini" else "whatever",
        6,
    )


@pytest.mark.parametrize("name", HTTP)
def test_the_part_of_a_body_that_came_before_the_connection_broke_is_kept(
    bank: Bank, lan_pg: Paradigm, name: str, short_waits: None
) -> None:
    def breaks(seen: SeenRequest) -> RawAnswer | None:
        return RawAnswer(b'{"half of', missing=100) if seen.number == 0 else None

    with FakeServer(lan_pg) as fake:
        fake.raw_answer = breaks
        outcome = generate(Order(lan_pg, provider=name, n=6, n_per_call=6, timeout_s=20.0), bank, fake)
    assert outcome.ending is Ending.COMPLETE
    (call,) = bank.runs.calls(outcome.run.id)
    assert [unpack_body(body) for body in call.details[EARLIER_BODIES]] == [b'{"half of']


def test_a_key_in_a_body_does_not_reach_the_bank(bank: Bank, lan_pg: Paradigm, tmp_path: Path) -> None:
    with FakeServer(lan_pg) as fake:
        fake.raw_answer = lambda seen: RawAnswer(f"you sent {KEY}".encode()) if seen.number == 0 else None
        outcome = generate(Order(lan_pg, provider="openai", n=6, timeout_s=20.0), bank, fake)
    kept = unpack_body(bank.runs.calls(outcome.run.id)[0].details[BODY])
    assert kept == b"you sent [key removed]"


class _Clumsy(EchoProvider):
    """Fails in the first call as no provider should, and answers the others a little later."""

    name = "clumsy"
    paid = True

    async def call(self, request: CallRequest) -> Reply:
        if request.number == 0:
            raise ZeroDivisionError("oh")
        await asyncio.sleep(0.2)
        slots = {slot.name: slot.example for slot in self.options.paradigm.visible_slots}
        verb = self.options.paradigm.visible_slots[-1].name
        return Reply(as_json([{**slots, verb: f"word{request.number}{k}"} for k in range(request.n_items)]))


def test_a_provider_that_breaks_its_contract_loses_no_other_answer(
    bank: Bank, subject_pg: Paradigm, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gapsmith.prompts.order.provider_class", lambda _: _Clumsy)
    monkeypatch.setattr("gapsmith.prompts.order.build_provider", lambda _, options: _Clumsy(options))
    order = Order(subject_pg, provider="clumsy", n=12, n_per_call=3)
    outcome = carry_out(prepare(order, bank, workspace=None, environment={}), bank)
    assert outcome.ending is Ending.FAILED
    assert outcome.failure is not None
    assert outcome.failure.kind is FailureKind.INTERNAL
    assert "ZeroDivisionError: oh" in outcome.failure.message
    assert bank.items.count() == 9


def test_a_prompt_that_fails_in_the_middle_of_a_run_loses_no_answer(bank: Bank, lan_pg: Paradigm, tmp_path: Path) -> None:
    prompt = tmp_path / "mine.v1.jinja"
    prompt.write_text("{# mode: slots — x #}\nexactly {{ n }} items{% if used %}{{ 1 / 0 }}{% endif %}", encoding="utf-8")
    order = Order(lan_pg, provider="openai", prompt=str(prompt), n=30, n_per_call=6, timeout_s=20.0, concurrency=3)
    with FakeServer(lan_pg, latency_s=lambda seen: 0.3 * min(seen.number, 1)) as fake:
        with pytest.raises(PromptError, match="ZeroDivisionError"):
            generate(order, bank, fake)
        assert bank.items.count() == 6 * len(fake.requests) == 18


async def test_a_write_that_fails_takes_no_other_with_it(bank: Bank) -> None:
    ledger = Ledger(bank)

    def fails(_: Bank) -> int:
        raise ZeroDivisionError

    def works(writing: Bank) -> int:
        return writing.db.execute("SELECT 7").fetchone()[0]  # type: ignore[no-any-return]  # sqlite's rows are untyped

    outcomes: list[Any] = await asyncio.gather(
        *(ledger.write(operation) for operation in (works, fails, works)), return_exceptions=True
    )
    await ledger.close()
    assert outcomes[0] == outcomes[2] == 7
    assert isinstance(outcomes[1], ZeroDivisionError)


def test_the_http_body_is_shown_byte_for_byte(gapsmith: Any, lan_pg: Paradigm, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    with FakeServer(lan_pg) as fake:
        fake.raw_answer = lambda seen: RawAnswer(b"<p>\x1b[31mno\n") if seen.number == 0 else None
        flags = ["--provider", "openai", "--model", "m", "--base-url", fake.openai_url]
        assert gapsmith("generate", "lan_pg", "-n", 3, *flags).code == 0
    assert gapsmith("runs", "show", 1, "--call", 0, "--raw").out == "<p>\x1b[31mno\n"
    shown: CommandOutcome = gapsmith("runs", "show", 1, "--call", 0)
    assert "<p>\\x1b[31mno" in shown.out
    assert BODY not in gapsmith("runs", "show", 1, "--call", 0, "--json").out
