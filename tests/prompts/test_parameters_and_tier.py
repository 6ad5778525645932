"""What can be asked of a server beside the prompt, and what an answer at another tier costs."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from gapsmith.app.generation import carry_out
from gapsmith.bank import Bank
from gapsmith.prompts import Ending, FailureKind, GenerationOutcome, ModelParameters, Order, prepare, run_yield
from gapsmith.prompts.fake import Behaviour, FakeServer, RawAnswer, SeenRequest
from gapsmith.prompts.fake.fake_wire import THINKING_TOKENS
from gapsmith.templates import Paradigm
from gapsmith.templates.errors import ConfigError
from tests.conftest import CommandOutcome
from tests.printed import results
from tests.prompts.generating import ENVIRONMENT, generate, prepare_http

HTTP = ["gemini", "openai"]
Run = Callable[..., CommandOutcome]


@pytest.fixture
def order(lan_pg: Paradigm, tmp_path: Path) -> Order:
    prices = tmp_path / "prices.toml"
    entry = '[[price]]\nprovider = "{}"\nmodel = "fake-model"\ninput = 100.0\noutput = 1000.0\nas_of = 2026-01-01\n'
    prices.write_text("".join(entry.format(name) for name in HTTP), encoding="utf-8")
    return Order(lan_pg, provider="openai", n=6, n_per_call=6, timeout_s=20.0, price_files=(prices,))


def cost(bank: Bank, outcome: GenerationOutcome) -> float:
    (call,) = bank.runs.calls(outcome.run.id)
    assert call.cost_usd is not None
    return call.cost_usd


@pytest.mark.parametrize("provider", HTTP)
def test_flex_costs_half_where_the_answer_was_served_so(bank: Bank, order: Order, provider: str) -> None:
    order = replace(order, provider=provider)
    with FakeServer(order.paradigm) as fake:
        usual = generate(order, bank, fake)
        flex = generate(replace(order, tier="flex", dataset="flex"), bank, fake)
        fake.served_tier = "standard"
        shed = generate(replace(order, tier="flex", dataset="shed"), bank, fake)
        bodies = [seen.body for seen in fake.requests]
    name = "serviceTier" if provider == "gemini" else "service_tier"
    assert [body.get(name) for body in bodies] == [None, "flex", "flex"]
    tokens = [bank.runs.calls(outcome.run.id)[0].usage for outcome in (usual, flex, shed)]
    full = [(c["input_tokens"] * 100 + (c["output_tokens"] + c["thinking_tokens"]) * 1000) / 1e6 for c in tokens]
    assert cost(bank, usual) == pytest.approx(full[0])
    assert cost(bank, flex) == pytest.approx(full[1] / 2)
    assert cost(bank, shed) == pytest.approx(full[2])
    assert bank.runs.calls(flex.run.id)[0].details["tier"] == "flex"
    assert bank.runs.calls(shed.run.id)[0].details["tier"] == "standard"
    assert usual.run.identity != flex.run.identity


@pytest.mark.parametrize("provider", HTTP)
def test_flex_is_waited_for_where_there_is_no_room(bank: Bank, order: Order, provider: str, short_waits: None) -> None:
    message = {"error": {"message": "Resource Unavailable", "code": 429, "status": "RESOURCE_EXHAUSTED"}}
    answers = {0: RawAnswer(json.dumps(message).encode(), 429), 1: RawAnswer(b"{}", 503), 2: RawAnswer(b"", 503)}
    with FakeServer(order.paradigm) as fake:
        fake.raw_answer = lambda seen: answers.get(seen.number)
        outcome = generate(replace(order, provider=provider, tier="flex"), bank, fake)
    assert outcome.ending is Ending.COMPLETE
    assert bank.runs.calls(outcome.run.id)[0].attempts == 4


@pytest.mark.parametrize("provider", HTTP)
def test_flex_that_a_model_does_not_have_is_said_and_stops(bank: Bank, order: Order, provider: str) -> None:
    body = {"error": {"message": "Invalid service_tier argument: flex is not available for this model", "code": 400}}
    with FakeServer(order.paradigm) as fake:
        fake.raw_answer = lambda _: RawAnswer(json.dumps(body).encode(), 400)
        outcome = generate(replace(order, provider=provider, tier="flex"), bank, fake)
        assert len(fake.requests) == 1
    assert outcome.failure is not None
    assert outcome.failure.kind is FailureKind.NO_SUCH_TIER


def test_flex_has_patience(bank: Bank, order: Order) -> None:
    with FakeServer(order.paradigm) as fake:
        for tier, timeout_s, patience_s in (("flex", None, 900.0), ("flex", 7.0, 7.0), (None, None, 120.0)):
            prepared = prepare_http(replace(order, tier=tier, timeout_s=timeout_s), bank, fake)
            assert prepared.provider.timeout_s == patience_s  # type: ignore[attr-defined]  # of those that speak HTTP


def test_members_of_one_s_own_and_top_p_are_sent(bank: Bank, order: Order) -> None:
    with FakeServer(order.paradigm) as fake:
        generate(replace(order, top_p=0.9, extra_body='{"min_p": 0.05, "guided_decoding_backend": "x"}'), bank, fake)
        generate(replace(order, provider="gemini", top_p=0.8), bank, fake)
        one, other = fake.requests
    assert (one.body["top_p"], one.body["min_p"], one.body["guided_decoding_backend"]) == (0.9, 0.05, "x")
    assert other.body["generationConfig"]["topP"] == 0.8


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"extra_body": "{"}, "not JSON"),
        ({"extra_body": "[" * 100_000}, "not JSON"),
        ({"extra_body": "[1]"}, "not a JSON object"),
        ({"extra_body": '{"api_key": "sk-0123456789abcdef0123"}'}, "--extra-body holds a key"),
        ({"extra_body": '{"model": "x", "stream": true}'}, "model, stream is not for it to say"),
        ({"extra_body": "{}", "provider": "gemini"}, "speak OpenAI's API"),
        ({"top_p": 0.0}, "top_p: 0.0 is not a number above 0 and at most 1"),
        ({"api": "mail"}, "--api 'mail'"),
        ({"api": "responses", "provider": "gemini"}, "for OpenAI's APIs"),
        ({"api": "responses", "seed": 3}, "Responses API takes none"),
        ({"tier": "first class"}, "--tier 'first class'"),
        ({"tier": "flex", "provider": "lexicon", "timeout_s": None}, "--tier is for asking a model"),
    ],
)
def test_what_cannot_be_asked_is_refused_before_any_call(
    bank: Bank, order: Order, changes: dict[str, object], complaint: str
) -> None:
    def prepared(url: str) -> None:
        changed = replace(order, **changes)  # type: ignore[arg-type]  # the table is of many types
        own = None if changed.provider == "lexicon" else url
        prepare(replace(changed, base_url=own, model=own and "m"), bank, workspace=None, environment=ENVIRONMENT)

    with FakeServer(order.paradigm) as fake:
        with pytest.raises(ConfigError, match=complaint):
            prepared(fake.openai_url)
        assert not fake.requests


def test_what_came_later_does_not_make_earlier_runs_other_runs() -> None:
    names = ["model", "temperature", "seed", "max_output_tokens", "thinking"]
    assert list(ModelParameters(model="m").as_record()) == names
    assert list(ModelParameters(top_p=0.5).as_record()) == [*names, "top_p"]


def test_the_version_of_the_api_is_ours_and_kept(bank: Bank, order: Order, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_GENAI_API_VERSION", "v9")
    with FakeServer(order.paradigm) as fake:
        outcome = generate(replace(order, provider="gemini"), bank, fake)
        assert fake.requests[0].path.startswith("/v1/models/")
    assert outcome.run.parameters["api_version"] == "v1"


def test_a_server_that_is_free_costs_nothing_and_is_asked_again(
    gapsmith: Run, lan_pg: Paradigm, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FakeServer(lan_pg) as fake:
        flags = ["--provider", "openai", "--model", "m", "--base-url", fake.openai_url]
        done = gapsmith("generate", "lan_pg", "-n", 4, *flags, "--free")
        assert done.code == 0, done.err
        assert "unknown" not in done.err
        (listed,) = results(gapsmith("runs", "list", "--json").out)
        assert listed["cost_usd"] == 0.0
        Path("gapsmith.toml").write_text('free_hosts = ["127.0.0.1"]\n', encoding="utf-8")
        assert "not for a workspace to say" in gapsmith("generate", "lan_pg", "-n", 5, *flags).err
        Path("gapsmith.toml").write_text("", encoding="utf-8")
        monkeypatch.setenv("GAPSMITH_FREE_HOSTS", "other.example, 127.0.0.1")
        assert "unknown" not in gapsmith("generate", "lan_pg", "-n", 5, *flags).err
    monkeypatch.setenv("OPENAI_API_KEY", ENVIRONMENT["OPENAI_API_KEY"])
    own = gapsmith("generate", "lan_pg", "-n", 5, "--provider", "openai", "--model", "m", "--free")
    assert own.code == 2
    assert "server of your own" in own.err


def test_an_unanswered_call_of_a_free_server_is_no_worry(bank: Bank, order: Order, short_waits: None) -> None:
    def script(seen: SeenRequest) -> Behaviour:
        return Behaviour.BREAK if seen.number < 9 else Behaviour.WELL

    free = replace(order, free=True)
    with FakeServer(order.paradigm, script=script) as fake:
        failed = generate(free, bank, fake)
        assert failed.ending is Ending.FAILED
        assert failed.unanswered == ()
        generate(free, bank, fake)
        done = generate(free, bank, fake)
    assert done.ending is Ending.COMPLETE
    assert run_yield(bank, done.run).cost_usd == 0.0


def test_the_responses_api_is_asked_statelessly_and_read_like_the_other(bank: Bank, order: Order) -> None:
    asked = replace(order, api="responses", top_p=0.9, thinking="low", max_output_tokens=900, extra_body='{"min_p": 0.1}')
    with FakeServer(order.paradigm) as fake:
        done = generate(asked, bank, fake)
        (seen,) = fake.requests
        chat = generate(replace(asked, api="chat", dataset="chat"), bank, fake)
        assert fake.requests[1].path.endswith("/chat/completions")
    assert done.ending is chat.ending is Ending.COMPLETE
    assert seen.path == "/v1/responses"
    assert seen.body["store"] is False
    assert seen.structure == "json_schema"
    expected = {"top_p": 0.9, "max_output_tokens": 900, "reasoning": {"effort": "low"}, "min_p": 0.1}
    assert {name: seen.body[name] for name in expected} == expected
    (call,) = bank.runs.calls(done.run.id)
    assert call.usage["thinking_tokens"] == THINKING_TOKENS
    assert (call.finish_reason, call.details["response_id"]) == ("stop", "resp_fake")
    assert done.run.parameters["api"] == "responses"
    assert "api" not in chat.run.parameters or chat.run.parameters["api"] is None
    assert done.run.identity != chat.run.identity


@pytest.mark.parametrize(
    ("behaviour", "outcome"),
    [
        (Behaviour.TRUNCATED, "truncated"),
        (Behaviour.SAFETY, "safety"),
        (Behaviour.EMPTY, "empty"),
        (Behaviour.NOT_JSON, "garbled"),
        (Behaviour.UNKNOWN_MODEL, "unknown_model"),
        (Behaviour.NO_STRUCTURE, "ok"),
    ],
)
def test_what_goes_wrong_in_the_responses_api_is_told_apart(bank: Bank, order: Order, behaviour: Behaviour, outcome: str) -> None:
    with FakeServer(order.paradigm, script=lambda _: behaviour) as fake:
        generate(replace(order, api="responses"), bank, fake)
    assert bank.runs.calls(1)[0].outcome == outcome


def test_a_response_that_failed_says_why(bank: Bank, order: Order, short_waits: None) -> None:
    body = {"id": "r", "object": "response", "status": "failed", "output": [], "error": {"code": "x", "message": "why"}}
    with FakeServer(order.paradigm) as fake:
        fake.fixed_body = body
        failed = generate(replace(order, api="responses"), bank, fake)
    assert failed.failure is not None
    assert "why" in failed.failure.message


def test_a_batch_goes_to_the_api_that_is_asked_for(bank: Bank, order: Order) -> None:
    with FakeServer(order.paradigm) as fake:
        prepared = prepare_http(replace(order, api="responses", batch=True), bank, fake)
        carry_out(prepared, bank)
        (made,) = fake.batches.made
        assert made.requests[0][1]["store"] is False
        again = prepare_http(replace(order, api="responses", batch=True), bank, fake)
        assert carry_out(again, bank).ending is Ending.COMPLETE
    (call,) = bank.runs.calls(1)
    assert (call.outcome, call.details["response_id"], call.usage["kept"]) == ("ok", "resp_fake", 6)
