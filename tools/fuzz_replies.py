"""Odd replies through the real SDKs, against a server on this machine: nothing may end but the one call, nothing be lost.

    python -m tools.fuzz_replies --replies 10000 --seed 1

Each reply is sent once to a provider, read as a run reads it, stored as a run stores it, and looked up again. Exit code 1
and the seeds of the culprits where an error other than a `ProviderError` came out, or a byte is missing.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from gapsmith.bank import Bank
from gapsmith.prompts import CallRequest, Mode, Provider, ProviderError, ProviderOptions, build_provider, slot_schema
from gapsmith.prompts.bodies import BODY, unpack_body
from gapsmith.prompts.fake import Behaviour, FakeServer, RawAnswer, SeenRequest
from gapsmith.prompts.fake.fake_wire import gemini_answer, openai_answer
from gapsmith.prompts.intake import SeenItems
from gapsmith.prompts.plan import GenerationPlan
from gapsmith.prompts.result import result_of
from gapsmith.prompts.retry import Answer
from gapsmith.templates import Paradigm, load_paradigm

_PROMPT = "Write exactly 3 new item sets."
_STATUSES = (200,) * 12 + (201, 206, 226, 300, 307, 400, 401, 403, 404, 418, 422, 429, 451, 500, 502, 503, 529, 599)
_TYPES = (
    "text/html",
    "application/octet-stream",
    "text/event-stream",
    "application/json; charset=utf-16",
    "",
    "x" * 900,
)
_ODD: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    5,
    1.5,
    -0.0,
    1e308,
    10**30,
    -(10**40),
    "",
    " ",
    "x",
    "STOP",
    "stop",
    "\x00",
    "\ud800",
    "\x1b[31m",
    "é" * 50,
    "9" * 50,
    [],
    {},
    [5],
    [None],
    [[]],
    [{}],
    {"a": 1},
    {"error": None},
    [1, "a", None, {"b": []}],
    "{}",
    "[]",
    {"message": {"message": {}}},
    {"text": 5},
    {"parts": "x"},
    {"parts": [None]},
    {"content": [5, {"text": 7}]},
)
_BODIES: tuple[bytes, ...] = (
    b"",
    b" ",
    b"null",
    b"true",
    b"5",
    b'"text"',
    b"[]",
    b"{}",
    b"[5]",
    b"NaN",
    b"{",
    b"[",
    b"\x00" * 100,
    b"\xff\xfe\x00",
    b"[" * 100_000,
    b'{"a":' * 100_000,
    b"[" * 100_000 + b"]" * 100_000,
    b"9" * 5_000,
    b'{"usage": ' + b"9" * 5_000 + b"}",
    b'{"candidates":[5]}',
    b'{"candidates":{}}',
    b'{"candidates":"x"}',
    b'{"choices":[5]}',
    b'{"choices":{}}',
    b'{"choices":"x"}',
    b'{"choices":[[]]}',
    b'{"error":"no"}',
    b'{"error":{"message":[],"code":{},"details":"x"}}',
    b'{"error":[]}',
    b'{"error":{"code":"429","status":5,"details":[5,{"violations":[5]},{"violations":5},{"retryDelay":[]}]}}',
    b"<html><body>Bad gateway</body></html>",
    b"data: {}\n\ndata: [DONE]\n\n",
    b"HTTP/1.1 200 OK\r\n\r\n{}",
    "日本語".encode(),
    b'{"usageMetadata":{"promptTokenCount":-5,"candidatesTokenCount":1e99}}',
)


def odd_answer(chance: random.Random, good: bytes) -> RawAnswer:
    """One odd answer: a body that is odd from its first byte, or a good one with something done to it."""
    way = chance.randrange(8)
    if way == 0:
        body = chance.choice(_BODIES)
    elif way == 1:
        body = good[: chance.randrange(len(good))]
    elif way == 2:
        flipped = bytearray(good)
        for _ in range(chance.randint(1, 20)):
            flipped[chance.randrange(len(flipped))] = chance.randrange(256)
        body = bytes(flipped)
    elif way == 3:
        body = good + chance.choice(_BODIES)
    else:
        document = json.loads(good)
        for _ in range(chance.randint(1, 3)):
            document = _mutated(document, chance)
        body = json.dumps(document, allow_nan=True).encode()
    headers = {}
    if chance.random() < 0.1:
        headers["Content-Type"] = chance.choice(_TYPES)
    if chance.random() < 0.1:
        headers["Retry-After"] = chance.choice(["x", "-5", "1e9", "Wed, 99 Oct 2015", "é", ""])
    if chance.random() < 0.03:
        headers["Content-Encoding"] = chance.choice(["gzip", "deflate", "br", "nonsense"])
        body = gzip.compress(body) if chance.random() < 0.5 else body
    missing = chance.choice([1, 50, 10_000]) if chance.random() < 0.05 else 0
    return RawAnswer(body, chance.choice(_STATUSES), headers, missing)


def _mutated(value: Any, chance: random.Random) -> Any:
    if chance.random() < 0.25 or not isinstance(value, dict | list) or not value:
        return chance.choice(_ODD)
    if isinstance(value, list):
        place = chance.randrange(len(value))
        return [_mutated(inner, chance) if k == place else inner for k, inner in enumerate(value)]
    name = chance.choice(list(value))
    if chance.random() < 0.1:
        return {other: inner for other, inner in value.items() if other != name}
    return {**value, name: _mutated(value[name], chance)}


@dataclass
class Fuzzed:
    """What came of a fuzzing."""

    outcomes: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    """What should not have happened, with the seed of the reply."""


def fuzz(provider_name: str, replies: int, *, seed: int, folder: Path, paradigm: Paradigm | None = None) -> Fuzzed:
    """Send so many odd replies through a provider; reply k is made from `seed + k`."""
    paradigm = paradigm or load_paradigm("lan_pg")
    found = Fuzzed()
    with FakeServer(paradigm) as fake, Bank.open(folder / f"{provider_name}.sqlite", create=True) as bank:
        asyncio.run(_fuzz(found, provider_name, replies, seed, fake, bank, paradigm))
    return found


async def _fuzz(found: Fuzzed, name: str, replies: int, seed: int, fake: FakeServer, bank: Bank, paradigm: Paradigm) -> None:
    url = fake.url if name == "gemini" else fake.openai_url
    provider = build_provider(
        name,
        ProviderOptions(paradigm, model="m", base_url=url, timeout_s=30.0, environment={"OPENAI_API_KEY": "k" * 20}),
    )
    plan = GenerationPlan(paradigm, name, None, 3)
    paradigm_id = bank.paradigms.register(paradigm)
    run = bank.runs.begin(kind="generate", paradigm_id=paradigm_id, provider=name, identity=str(seed), parameters={})
    sent: list[RawAnswer] = []
    answer_of = _maker(fake, name)

    def raw_answer(_: SeenRequest) -> RawAnswer:
        sent.append(answer_of(random.Random(seed + number)))
        return sent[-1]

    fake.raw_answer = raw_answer
    for number in range(replies):
        sent.clear()
        try:
            await _one(found, provider, plan, bank, run.id, number, sent)
        except Exception as error:  # noqa: BLE001 - this is what is being looked for
            found.faults.append(f"seed {seed + number}: {type(error).__name__}: {str(error)[:200]}")
    await provider.close()


def _maker(fake: FakeServer, name: str) -> Callable[[random.Random], RawAnswer]:
    form = gemini_answer if name == "gemini" else openai_answer
    texts = [fake.writer.write(_PROMPT, Behaviour.WELL) for _ in range(4)]
    goods = [json.dumps(form(text, _PROMPT, "m", Behaviour.WELL)).encode() for text in texts]
    return lambda chance: odd_answer(chance, chance.choice(goods))


async def _one(
    found: Fuzzed, provider: Provider, plan: GenerationPlan, bank: Bank, run_id: int, number: int, sent: list[RawAnswer]
) -> None:
    request = CallRequest(number, 0, 3, Mode.SLOTS, prompt=_PROMPT, schema=slot_schema(plan.paradigm))
    call_id = bank.runs.intend(run_id, number, {"n": 3})
    try:
        answer = Answer(await provider.call(request), None, 1, 0, 1)
    except ProviderError as failure:
        answer = Answer(None, failure, 1, 0, 1)
    result = result_of(answer, request, plan, wanted=3, seen=SeenItems(), secrets=provider.secrets)
    record = result.record(None, secrets=provider.secrets)
    bank.runs.reply(call_id, items=result.harvest.items, **record)
    found.outcomes[record["outcome"]] += 1
    kept = unpack_body(bank.runs.call(call_id).details[BODY])
    if kept != sent[-1].body:
        raise AssertionError(f"{len(sent[-1].body)} bytes were sent and {len(kept)} kept")


def main(arguments: Sequence[str] | None = None) -> int:
    """The program."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--replies", type=int, default=10_000, help="in all, half of them for each provider")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    faults = 0
    for name in ("gemini", "openai"):
        with TemporaryDirectory() as folder:
            found = fuzz(name, given.replies // 2, seed=given.seed, folder=Path(folder))
        print(name, dict(found.outcomes.most_common()), file=sys.stderr)
        for fault in found.faults[:50]:
            print(f"{name}: {fault}")
        faults += len(found.faults)
    print(f"{faults} faults", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
