"""The contract that every provider keeps, and how each kind of failure is told."""

from __future__ import annotations

import asyncio
import json
import re
import socket
from collections.abc import AsyncIterator, Mapping
from importlib.metadata import EntryPoint, EntryPoints
from typing import Any

import pytest
from google import genai

from gapsmith.prompts import (
    CallRequest,
    FailureKind,
    Mode,
    ModelParameters,
    Provider,
    ProviderError,
    ProviderOptions,
    Reply,
    build_provider,
    find_prompt,
    parse_sentences,
    parse_slots,
    prompt_context,
    provider_names,
    render_prompt,
    slot_schema,
)
from gapsmith.prompts.fake import Behaviour, FakeServer, RawAnswer, SeenRequest
from gapsmith.prompts.fake.fake_wire import THINKING_TOKENS
from gapsmith.templates import Paradigm
from gapsmith.templates.errors import ConfigError
from tests.network_guard import OutsideCallError
from tests.parts import first_of
from tests.prompts.generating import ENVIRONMENT, KEY, EchoProvider

HTTP = ["gemini", "openai"]


class Bench:
    """A provider with a stand-in server behind it."""

    def __init__(self, paradigm: Paradigm) -> None:
        self.paradigm = paradigm
        self.behaviour = Behaviour.WELL
        self.fake = FakeServer(paradigm, script=lambda _: self.behaviour, wait_s=7.0)
        self.providers: list[Provider] = []

    def provider(self, name: str, **options: Any) -> Provider:
        """The provider under this name, aimed at the server."""
        url = self.fake.url if name == "gemini" else self.fake.openai_url
        given = {"paradigm": self.paradigm, "model": "fake-model", "environment": ENVIRONMENT, "base_url": url}
        built = build_provider(name, ProviderOptions(**{**given, "timeout_s": 20.0, **options}))
        self.providers.append(built)
        return built

    def request(self, n: int = 3, *, mode: Mode = Mode.SLOTS, **parameters: Any) -> CallRequest:
        """A call for so many items."""
        prompt = find_prompt(mode.value)
        context = prompt_context(self.paradigm, n=n, mode=mode, design="lan2x2" if mode is Mode.SENTENCES else None)
        schema = slot_schema(self.paradigm) if mode is Mode.SLOTS else None
        return CallRequest(0, 0, n, mode, ModelParameters(**parameters), render_prompt(prompt, context), schema)

    @property
    def bodies(self) -> list[Mapping[str, Any]]:
        """What the server was sent."""
        return [seen.body for seen in self.fake.requests]


@pytest.fixture
async def bench(subject_pg: Paradigm) -> AsyncIterator[Bench]:
    made = Bench(subject_pg)
    with made.fake:
        yield made
        for provider in made.providers:
            await provider.close()


@pytest.mark.parametrize("name", ["lexicon", *HTTP])
async def test_every_provider_answers_with_items(bench: Bench, name: str) -> None:
    provider = bench.provider(name)
    reply = await provider.call(bench.request(4))
    assert isinstance(reply, Reply)
    parsed = parse_slots(reply.text, bench.paradigm)
    assert len(parsed.slots) == 4
    assert reply.finish_reason.casefold() == "stop"
    assert provider.name == name
    assert Mode.SLOTS in provider.modes
    if provider.paid:
        assert reply.usage.input_tokens
        assert reply.usage.output_tokens
        assert reply.usage.thinking_tokens == THINKING_TOKENS


@pytest.mark.parametrize("name", ["lexicon", *HTTP])
async def test_every_provider_answers_calls_side_by_side(bench: Bench, name: str) -> None:
    provider = bench.provider(name)
    requests = [
        CallRequest(k, 2 * k, 2, Mode.SLOTS, prompt=bench.request(2).prompt, schema=bench.request().schema) for k in range(5)
    ]
    replies = await asyncio.gather(*(provider.call(request) for request in requests))
    found = [tuple(item.items()) for reply in replies for item in parse_slots(reply.text, bench.paradigm).slots]
    assert len(found) == len(set(found)) == 10


@pytest.mark.parametrize("name", HTTP)
async def test_sentence_mode_gives_the_csv_of_the_design(bench: Bench, name: str) -> None:
    reply = await bench.provider(name).call(bench.request(3, mode=Mode.SENTENCES))
    parsed = parse_sentences(reply.text, bench.paradigm, design="lan2x2")
    assert [len(found.sentences) for found in parsed.sentences] == [4, 4, 4]
    assert "response_format" not in bench.bodies[0]
    assert "responseJsonSchema" not in bench.bodies[0].get("generationConfig", {})


def test_the_lexicon_gives_the_same_words_at_the_same_place(lan_pg: Paradigm) -> None:
    def ask(provider: Provider, offset: int, n: int) -> list[Mapping[str, str]]:
        reply = asyncio.run(provider.call(CallRequest(0, offset, n, Mode.SLOTS)))
        return list(parse_slots(reply.text, lan_pg).slots)

    first, second = (build_provider("lexicon", ProviderOptions(lan_pg, seed=5)) for _ in range(2))
    assert ask(first, 0, 6) == ask(second, 0, 3) + ask(second, 3, 3)
    assert ask(first, 2, 2) == ask(second, 2, 2)
    other = build_provider("lexicon", ProviderOptions(lan_pg, seed=6))
    assert ask(other, 0, 6) != ask(first, 0, 6)


def test_the_lexicon_says_when_it_has_no_more(lan_pg: Paradigm) -> None:
    provider = build_provider("lexicon", ProviderOptions(lan_pg, exhaustive=True))
    last = asyncio.run(provider.call(CallRequest(1, 8_060, 500, Mode.SLOTS)))
    assert last.finish_reason == "exhausted"
    assert len(parse_slots(last.text, lan_pg).slots) == 4


FAILURES: list[tuple[Behaviour, FailureKind]] = [
    (Behaviour.MINUTE_LIMIT, FailureKind.MINUTE_LIMIT),
    (Behaviour.DAILY_QUOTA, FailureKind.DAILY_QUOTA),
    (Behaviour.NO_FUNDS, FailureKind.NO_FUNDS),
    (Behaviour.BAD_KEY, FailureKind.BAD_KEY),
    (Behaviour.FORBIDDEN, FailureKind.FORBIDDEN),
    (Behaviour.UNKNOWN_MODEL, FailureKind.UNKNOWN_MODEL),
    (Behaviour.BAD_REQUEST, FailureKind.BAD_REQUEST),
    (Behaviour.SAFETY, FailureKind.SAFETY),
    (Behaviour.PROMPT_BLOCKED, FailureKind.SAFETY),
    (Behaviour.RECITATION, FailureKind.RECITATION),
    (Behaviour.TRUNCATED, FailureKind.TRUNCATED),
    (Behaviour.EMPTY, FailureKind.EMPTY),
    (Behaviour.SERVER_ERROR, FailureKind.SERVER_ERROR),
    (Behaviour.OVERLOADED, FailureKind.SERVER_ERROR),
    (Behaviour.NOT_JSON, FailureKind.GARBLED),
    (Behaviour.BREAK, FailureKind.CONNECTION),
]


@pytest.mark.parametrize("name", HTTP)
@pytest.mark.parametrize(("behaviour", "kind"), FAILURES)
async def test_every_failure_is_told_by_its_kind_and_sent_once(
    bench: Bench, name: str, behaviour: Behaviour, kind: FailureKind
) -> None:
    bench.behaviour = behaviour
    with pytest.raises(ProviderError) as caught:
        await bench.provider(name).call(bench.request())
    failure = caught.value
    assert failure.kind is kind
    assert len(bench.fake.requests) == 1, "the SDK must not retry on its own"
    assert failure.exit_code == 3
    assert failure.message.startswith(f"{name}: {failure.rule.message}")
    assert failure.hint
    assert KEY not in str(failure)
    assert failure.__cause__ is None


@pytest.mark.parametrize("name", HTTP)
async def test_no_answer_in_time_is_a_timeout_that_may_be_paid(bench: Bench, name: str) -> None:
    bench.behaviour = Behaviour.HANG
    with pytest.raises(ProviderError) as caught:
        await bench.provider(name, timeout_s=0.2).call(bench.request())
    assert caught.value.kind is FailureKind.TIMEOUT
    assert caught.value.may_be_paid


@pytest.mark.parametrize("name", HTTP)
async def test_a_server_that_is_not_there_was_never_asked(bench: Bench, name: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        with pytest.raises(ProviderError) as caught:
            await bench.provider(name, base_url=url).call(bench.request())
    assert caught.value.kind is FailureKind.CONNECTION
    assert not caught.value.may_be_paid


@pytest.mark.parametrize("name", HTTP)
async def test_a_limit_carries_the_wait_that_the_server_asks_for(bench: Bench, name: str) -> None:
    bench.behaviour = Behaviour.MINUTE_LIMIT
    with pytest.raises(ProviderError) as caught:
        await bench.provider(name).call(bench.request())
    assert caught.value.retry_after_s == 7.0


@pytest.mark.parametrize("name", HTTP)
async def test_a_limit_that_lasts_for_hours_is_a_quota(bench: Bench, name: str) -> None:
    bench.behaviour = Behaviour.MINUTE_LIMIT
    bench.fake.wait_s = 7_200.0
    with pytest.raises(ProviderError) as caught:
        await bench.provider(name).call(bench.request())
    assert caught.value.kind is FailureKind.DAILY_QUOTA


@pytest.mark.parametrize("name", HTTP)
@pytest.mark.parametrize("tier", [None, "flex"])
@pytest.mark.parametrize("status", first_of([429, 408, 409, 500, 503, 504, 529], 2))
@pytest.mark.parametrize(
    ("told", "value"), [("retry-after", "86400"), ("retry-after-ms", "86400000"), ("words", "try again in 24h")]
)
async def test_a_wait_of_a_day_is_a_quota_whatever_the_status_and_wherever_it_is_told(
    bench: Bench, name: str, tier: str | None, status: int, told: str, value: str
) -> None:
    body = json.dumps(
        {"error": {"message": f"No capacity now, {value if told == 'words' else 'sorry'}.", "code": status}}
    ).encode()
    headers = {} if told == "words" else {told: value}
    bench.fake.raw_answer = lambda _: RawAnswer(body, status=status, headers={"content-type": "application/json", **headers})
    with pytest.raises(ProviderError) as caught:
        await bench.provider(name).call(bench.request(tier=tier))
    assert len(bench.fake.requests) == 1
    assert caught.value.kind is FailureKind.DAILY_QUOTA
    assert caught.value.retry_after_s == 86_400.0
    assert caught.value.message.startswith(f"{name}: {caught.value.rule.message} (HTTP {status})")


@pytest.mark.parametrize("status", [429, 503])
async def test_a_day_s_delay_among_gemini_s_details_is_a_quota(bench: Bench, status: int) -> None:
    error = {"message": "Overloaded.", "details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "86400s"}]}
    bench.fake.fixed_error = (status, {"error": {"code": status, "status": "UNAVAILABLE", **error}})
    with pytest.raises(ProviderError) as caught:
        await bench.provider("gemini").call(bench.request(tier="flex"))
    assert caught.value.kind is FailureKind.DAILY_QUOTA


@pytest.mark.parametrize("name", HTTP)
async def test_a_cut_answer_brings_what_there_is_and_what_it_cost(bench: Bench, name: str) -> None:
    bench.behaviour = Behaviour.TRUNCATED
    with pytest.raises(ProviderError) as caught:
        await bench.provider(name).call(bench.request(10))
    assert caught.value.reply
    assert caught.value.reply.startswith('{"items"')
    assert caught.value.usage.thinking_tokens == THINKING_TOKENS
    assert "Let me think" not in caught.value.reply


@pytest.mark.parametrize("name", HTTP)
@pytest.mark.parametrize(
    ("behaviour", "asked"),
    [
        (Behaviour.NO_JSON_SCHEMA, ["json_schema", "json_object", "json_object"]),
        (Behaviour.NO_STRUCTURE, ["json_schema", "json_object", "prompt", "prompt"]),
    ],
)
async def test_a_server_that_refuses_a_form_is_asked_in_a_looser_one_from_then_on(
    bench: Bench, name: str, behaviour: Behaviour, asked: list[str]
) -> None:
    bench.behaviour = behaviour
    provider = bench.provider(name)
    first, second = await provider.call(bench.request()), await provider.call(bench.request())
    assert [seen.structure for seen in bench.fake.requests] == asked
    assert first.details["structure"] == second.details["structure"] == asked[-1]
    assert len(parse_slots(second.text, bench.paradigm).slots) == 3
    assert "must fit this schema" in bench.fake.requests[-1].prompt


def _camel(body: Mapping[str, Any]) -> dict[str, Any]:
    # The API reads both spellings, and the SDK sends now one and now the other.
    return {re.sub(r"_(.)", lambda m: m[1].upper(), name): value for name, value in body.items()}


async def test_gemini_gets_its_parameters_and_the_order_of_the_keys(bench: Bench) -> None:
    await bench.provider("gemini").call(bench.request(temperature=0.7, seed=11, max_output_tokens=900, thinking="256"))
    config = bench.bodies[0]["generationConfig"]
    assert (config["temperature"], config["seed"], config["maxOutputTokens"]) == (0.7, 11, 900)
    assert _camel(config["thinkingConfig"]) == {"thinkingBudget": 256}
    schema = config["responseJsonSchema"]
    names = [slot.name for slot in bench.paradigm.visible_slots]
    assert schema["properties"]["items"]["items"]["propertyOrdering"] == names
    assert bench.fake.requests[0].headers["x-goog-api-key"] == KEY
    assert "fake-model" in bench.fake.requests[0].path


async def test_gemini_takes_a_level_of_thinking(bench: Bench) -> None:
    await bench.provider("gemini").call(bench.request(thinking="low"))
    assert _camel(bench.bodies[0]["generationConfig"]["thinkingConfig"]) == {"thinkingLevel": "LOW"}


async def test_openai_gets_its_parameters_and_a_strict_schema(bench: Bench) -> None:
    await bench.provider("openai").call(bench.request(temperature=0.7, seed=11, max_output_tokens=900, thinking="low"))
    body = bench.bodies[0]
    assert (body["temperature"], body["seed"], body["max_tokens"]) == (0.7, 11, 900)
    assert body["reasoning_effort"] == "low"
    assert body["response_format"]["json_schema"]["strict"] is True
    assert body["response_format"]["json_schema"]["schema"] == slot_schema(bench.paradigm)
    assert bench.fake.requests[0].headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize("name", HTTP)
async def test_what_is_not_asked_for_is_not_sent(bench: Bench, name: str) -> None:
    await bench.provider(name).call(bench.request())
    sent = json.dumps(bench.bodies[0])
    for parameter in ("temperature", "seed", "max_tokens", "maxOutputTokens", "thinking", "reasoning_effort"):
        assert f'"{parameter}' not in sent


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({"choices": []}, FailureKind.EMPTY),
        ({"choices": None}, FailureKind.EMPTY),
        ({"error": {"message": "no capacity"}}, FailureKind.SERVER_ERROR),
        ({"choices": [{"message": {"content": None}, "finish_reason": "tool_calls"}]}, FailureKind.EMPTY),
        ({"choices": [{"message": {"content": "x", "refusal": "No."}, "finish_reason": "stop"}]}, FailureKind.SAFETY),
        ({"choices": [{"message": {"content": "x"}, "finish_reason": "SAFETY"}]}, FailureKind.SAFETY),
        ({"choices": [{"message": {"content": "x"}, "finish_reason": "MAX_TOKENS"}]}, FailureKind.TRUNCATED),
        ({"choices": [{}]}, FailureKind.EMPTY),
    ],
)
async def test_openai_like_servers_may_leave_out_anything(bench: Bench, body: Mapping[str, Any], kind: FailureKind) -> None:
    bench.fake.fixed_body = body
    with pytest.raises(ProviderError) as caught:
        await bench.provider("openai").call(bench.request())
    assert caught.value.kind is kind


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("gemini", {"model": "fake-model", "structure": "json_schema", "response_id": "fake-1"}),
        (
            "openai",
            {
                "model": "fake-model",
                "structure": "json_schema",
                "response_id": "chatcmpl-fake",
                "system_fingerprint": "fp_fake",
            },
        ),
    ],
)
async def test_who_answered_and_how_it_was_asked_comes_with_good_and_bad_answers(
    bench: Bench, name: str, told: Mapping[str, str]
) -> None:
    provider = bench.provider(name)
    assert (await provider.call(bench.request())).details == told
    assert (await provider.call(bench.request(mode=Mode.SENTENCES))).details == {**told, "structure": "prompt"}
    for behaviour in (Behaviour.TRUNCATED, Behaviour.RECITATION, Behaviour.SAFETY, Behaviour.EMPTY):
        bench.behaviour = behaviour
        with pytest.raises(ProviderError) as caught:
            await provider.call(bench.request())
        assert caught.value.details == told
    bench.behaviour = Behaviour.SERVER_ERROR
    with pytest.raises(ProviderError) as caught:
        await provider.call(bench.request())
    assert caught.value.details == {"structure": "json_schema"}


async def test_a_server_that_does_not_say_who_it_is_leaves_that_out(bench: Bench) -> None:
    bench.fake.fixed_body = {"choices": [{"message": {"content": "x"}}]}
    assert (await bench.provider("openai").call(bench.request())).details == {"structure": "json_schema"}
    bench.fake.fixed_body = {"candidates": [{"content": {"parts": [{"text": "x"}]}, "finishReason": "STOP"}]}
    assert (await bench.provider("gemini").call(bench.request())).details == {"structure": "json_schema"}


async def test_openai_content_in_parts_and_without_usage_is_read(bench: Bench) -> None:
    bench.fake.fixed_body = {"choices": [{"message": {"content": [{"type": "text", "text": "ab"}, {"text": "c"}]}}]}
    reply = await bench.provider("openai").call(bench.request())
    assert reply.text == "abc"
    assert not reply.usage.is_reported


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ({}, FailureKind.EMPTY),
        ({"candidates": [{"finishReason": "MAX_TOKENS"}]}, FailureKind.EMPTY),
        ({"candidates": [{"finishReason": "SPII"}]}, FailureKind.SAFETY),
        ({"candidates": [{"content": {"parts": [{"text": "x"}]}, "finishReason": "OTHER"}]}, FailureKind.TRUNCATED),
        ({"candidates": [{"content": {"parts": [{"text": "x"}]}, "finishReason": "CONTINUATION"}]}, FailureKind.TRUNCATED),
        ({"candidates": [{"content": {"parts": [{"text": "t", "thought": True}]}, "finishReason": "STOP"}]}, FailureKind.EMPTY),
    ],
)
async def test_gemini_answers_that_are_none(bench: Bench, body: Mapping[str, Any], kind: FailureKind) -> None:
    bench.fake.fixed_body = body
    with pytest.raises(ProviderError) as caught:
        await bench.provider("gemini").call(bench.request())
    assert caught.value.kind is kind


async def test_a_key_in_the_provider_s_own_words_is_removed(bench: Bench) -> None:
    bench.fake.fixed_error = (400, {"error": {"message": f"bad key={KEY} for you", "code": 400}})
    for name in HTTP:
        with pytest.raises(ProviderError) as caught:
            await bench.provider(name).call(bench.request())
        assert KEY not in str(caught.value)
        assert "[key removed]" in str(caught.value)


@pytest.mark.parametrize("name", HTTP)
def test_a_missing_key_or_model_is_said_before_any_call(subject_pg: Paradigm, name: str) -> None:
    with pytest.raises(ConfigError, match="no key"):
        build_provider(name, ProviderOptions(subject_pg, model="m"))
    with pytest.raises(ConfigError, match="needs the name of a model"):
        build_provider(name, ProviderOptions(subject_pg, environment=ENVIRONMENT))


@pytest.mark.parametrize("name", HTTP)
@pytest.mark.parametrize(
    "url", ["localhost:11434", "ftp://x/v1", "http://me:secret@host/v1", "http://", "http://[::1", "http://a:b/v1"]
)
def test_an_address_that_is_none_is_refused(subject_pg: Paradigm, name: str, url: str) -> None:
    with pytest.raises(ConfigError):
        build_provider(name, ProviderOptions(subject_pg, model="m", base_url=url, environment=ENVIRONMENT))


def test_the_variable_of_the_key_is_told_and_never_its_value(subject_pg: Paradigm) -> None:
    both = {"GEMINI_API_KEY": KEY, "GOOGLE_API_KEY": KEY + "2"}
    provider = build_provider("gemini", ProviderOptions(subject_pg, model="m", environment=both))
    assert "GOOGLE_API_KEY" in provider.notes[0]
    assert "GEMINI_API_KEY is set too" in provider.notes[0]
    assert KEY not in "".join(provider.notes)
    asyncio.run(provider.close())


def test_a_key_over_plain_http_to_elsewhere_is_warned_of(subject_pg: Paradigm) -> None:
    options = ProviderOptions(subject_pg, model="m", base_url="http://example.org/v1", environment=ENVIRONMENT)
    provider = build_provider("openai", options)
    assert any("unencrypted" in note for note in provider.notes)
    asyncio.run(provider.close())


@pytest.mark.parametrize("name", HTTP)
async def test_a_redirect_is_a_failure_that_names_both_hosts_and_the_other_one_gets_nothing(bench: Bench, name: str) -> None:
    bench.behaviour = Behaviour.REDIRECT
    with FakeServer(bench.paradigm) as other:
        bench.fake.redirect_to = other.url
        with pytest.raises(ProviderError) as caught:
            await bench.provider(name).call(bench.request())
        assert not other.requests
    assert len(bench.fake.requests) == 1
    failure = caught.value
    assert failure.kind is FailureKind.REDIRECTED
    assert failure.status == 307
    assert not failure.may_be_paid
    assert f"{bench.fake.url} sends the request on to {other.url}" in failure.message


@pytest.mark.parametrize("name", HTTP)
def test_no_client_of_an_sdk_follows_a_redirect(bench: Bench, name: str) -> None:
    bench.behaviour = Behaviour.REDIRECT
    with FakeServer(bench.paradigm) as other:
        bench.fake.redirect_to = other.url
        provider: Any = bench.provider(name)
        if name == "gemini":
            with pytest.raises(genai.errors.APIError):
                provider._client.models.generate_content(model="m", contents="x")
        else:
            assert not provider._client._client.follow_redirects
        assert not other.requests


@pytest.mark.parametrize("name", HTTP)
async def test_a_key_goes_only_where_its_owner_let_it(bench: Bench, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # The SDKs read these on their own.
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-mine")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "project-of-mine")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "x-secret: of-mine\nAuthorization: Bearer of-mine")
    monkeypatch.setenv("GOOGLE_API_KEY", KEY)
    stranger = bench.provider(name, send_key=False)
    assert (await stranger.call(bench.request())).text
    sent = json.dumps(dict(bench.fake.requests[0].headers)) + bench.fake.requests[0].path
    assert KEY not in sent
    assert "of-mine" not in sent
    assert "without the key" in stranger.notes[0]
    assert bench.fake.url.removeprefix("http://") in stranger.notes[0]
    assert KEY not in "".join(stranger.notes)
    monkeypatch.undo()
    friend = bench.provider(name)
    await friend.call(bench.request())
    assert KEY in json.dumps(dict(bench.fake.requests[1].headers))
    assert bench.fake.url.removeprefix("http://") in friend.notes[0]


@pytest.mark.parametrize(
    ("name", "host", "url"),
    [
        ("gemini", "generativelanguage.googleapis.com", "http://generativelanguage.googleapis.com"),
        ("openai", "api.openai.com", "http://api.openai.com/v1"),
        ("openai", "api.openai.com.example.org", "https://api.openai.com.example.org/v1"),
        ("openai", "api.openai.com:8443", "https://api.openai.com:8443/v1"),
    ],
)
def test_what_only_resembles_the_service_s_own_address_gets_no_key_unasked(
    subject_pg: Paradigm, name: str, host: str, url: str
) -> None:
    options = ProviderOptions(subject_pg, model="m", base_url=url, environment=ENVIRONMENT, send_key=False)
    provider = build_provider(name, options)
    assert f"requests go to {host}, without the key" in provider.notes[0]
    asyncio.run(provider.close())


@pytest.mark.parametrize(("name", "host"), [("gemini", "generativelanguage.googleapis.com"), ("openai", "api.openai.com")])
def test_the_service_s_own_host_is_told_too(subject_pg: Paradigm, name: str, host: str) -> None:
    provider = build_provider(name, ProviderOptions(subject_pg, model="m", environment=ENVIRONMENT))
    assert f"Requests go to {host}, with the key in " in provider.notes[0]
    asyncio.run(provider.close())


async def test_openai_base_url_of_the_environment_names_another_server(bench: Bench) -> None:
    environment = {"OPENAI_BASE_URL": bench.fake.openai_url}
    provider = bench.provider("openai", base_url=None, environment=environment)
    reply = await provider.call(bench.request())
    assert reply.details["model"] == "fake-model"
    assert provider.address == bench.fake.openai_url


@pytest.mark.parametrize("name", HTTP)
async def test_no_test_reaches_the_real_providers(bench: Bench, name: str) -> None:
    with pytest.raises((OutsideCallError, ProviderError)):
        await bench.provider(name, base_url=None).call(bench.request())
    with pytest.raises(OutsideCallError):
        socket.getaddrinfo("example.org", 443)


def test_an_installed_package_can_offer_a_provider(subject_pg: Paradigm, monkeypatch: pytest.MonkeyPatch) -> None:
    offered = EntryPoints(
        [
            EntryPoint("mine", "tests.prompts.generating:EchoProvider", "gapsmith.providers"),
            EntryPoint("broken", "no_such_package.at:all", "gapsmith.providers"),
            EntryPoint("wrong", "json:dumps", "gapsmith.providers"),
        ]
    )
    monkeypatch.setattr("gapsmith.templates.plugins.entry_points", lambda **chosen: offered.select(**chosen))
    assert provider_names() == ("lexicon", "gemini", "openai", "broken", "mine", "wrong")
    assert isinstance(build_provider("mine", ProviderOptions(subject_pg)), EchoProvider)
    with pytest.raises(ConfigError, match="cannot be imported"):
        build_provider("broken", ProviderOptions(subject_pg))
    with pytest.raises(ConfigError, match="is a function, not a type"):
        build_provider("wrong", ProviderOptions(subject_pg))
    with pytest.raises(ConfigError, match="no provider 'mime'"):
        build_provider("mime", ProviderOptions(subject_pg))


def test_the_schema_has_every_visible_slot_and_closes_closed_classes(subject_pg: Paradigm) -> None:
    item = slot_schema(subject_pg)["properties"]["items"]["items"]
    assert item["required"] == list(item["properties"]) == [slot.name for slot in subject_pg.visible_slots]
    assert item["properties"]["preposition"]["enum"] == ["about", "of"]
    assert item["additionalProperties"] is False


async def test_what_the_stand_in_is_asked_can_be_looked_at(bench: Bench) -> None:
    await bench.provider("gemini").call(bench.request())
    seen = bench.fake.requests[0]
    assert isinstance(seen, SeenRequest)
    assert "exactly 3 new item sets" in seen.prompt
