"""Asking a judge: an intent in the bank before each call, the raw reply after it, and never the same question twice."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

from gapsmith.bank import Bank, CallRecord
from gapsmith.prompts import (
    Action,
    Answer,
    Budget,
    CallRequest,
    FailureKind,
    Mode,
    ModelParameters,
    ProviderError,
    RateGate,
    RunLease,
    answer_or_failure,
    estimate_tokens,
    find_price,
    load_prices,
    scrub,
)
from gapsmith.prompts.providers import DEFAULT_TIMEOUT_S, Provider, ProviderOptions, build_provider, provider_names
from gapsmith.templates import (
    COUNT,
    DOLLARS,
    PER_MINUTE,
    SEED,
    TEMPERATURE,
    TIMEOUT,
    TOP_P,
    ConfigError,
    Paradigm,
    check_fields,
    json_sha256,
    whole,
)
from gapsmith.vetting.judges.questions import PROMPT_VERSION, JudgeQuestion, prompt_of, read_answer

RUN_KIND = "judge"
_PER_CALL = 10
_TYPICAL_PROMPT_CHARS = 3_000
_TOKENS_PER_ANSWER = 16
_OK = "ok"
_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "answers": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"question": {"type": "integer"}, "answer": {"type": "string"}},
                "required": ["question", "answer"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["answers"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class JudgeSpec:
    """Who judges."""

    provider: str
    model: str

    @property
    def name(self) -> str:
        """As it was written: ``openai:gpt-5.4-mini``."""
        return f"{self.provider}:{self.model}"


def parse_judge(text: str) -> JudgeSpec:
    """``PROVIDER:MODEL``. Raises `ConfigError`."""
    provider, _, model = text.partition(":")
    if not provider or not model:
        raise ConfigError(f"--judge {text}: that is no judge", hint="Write PROVIDER:MODEL, such as openai:gpt-5.4-mini.")
    asking = [name for name in provider_names() if name != "lexicon"]
    if provider not in asking:
        raise ConfigError(f"--judge {text}: {provider!r} cannot judge", hint=f"Providers: {', '.join(asking)}.")
    return JudgeSpec(provider, model)


@dataclass(frozen=True, slots=True)
class JudgeOrder:
    """How a judge is asked. Pace and cost change nothing of what is asked."""

    base_url: str | None = None
    send_key: bool = True
    timeout_s: Annotated[float, TIMEOUT] = DEFAULT_TIMEOUT_S
    temperature: Annotated[float | None, TEMPERATURE] = None
    top_p: Annotated[float | None, TOP_P] = None
    tier: str | None = None
    api: str | None = None
    extra_body: str | None = None
    thinking: str | None = None
    max_output_tokens: Annotated[int | None, COUNT] = 4096
    max_cost_usd: Annotated[float | None, DOLLARS] = None
    concurrency: Annotated[int, COUNT] = 4
    rpm: Annotated[float | None, PER_MINUTE] = None
    tpm: Annotated[float | None, PER_MINUTE] = None
    seed: Annotated[int, SEED] = 1
    """Of the order of the questions and of the two sentences of a choice."""
    price_files: tuple[Path, ...] = ()
    free: bool = False
    """The server at `base_url` charges nothing."""

    def __post_init__(self) -> None:
        check_fields(self)


class JudgeEnding(StrEnum):
    """Why no more was asked."""

    COMPLETE = "complete"
    BUDGET = "the next call might go beyond --max-cost"
    FAILED = "a call failed"


@dataclass
class JudgeReport:
    """What a judge said of the items of one paradigm."""

    judge: str
    run_id: int
    answers: dict[JudgeQuestion, str] = field(default_factory=dict)
    """Question to the condition preferred or the number given."""
    unanswered: list[JudgeQuestion] = field(default_factory=list)
    calls: int = 0
    """Made this time."""
    cost_usd: float | None = 0.0
    """Of the run so far; None where the price is not known."""
    maybe_paid: int = 0
    """Calls of an earlier time that never got an answer: their questions are not asked again."""
    ending: JudgeEnding = JudgeEnding.COMPLETE
    failure: ProviderError | None = None
    notes: tuple[str, ...] = ()


async def ask_judge(
    spec: JudgeSpec,
    questions: Sequence[JudgeQuestion],
    paradigm: Paradigm,
    bank: Bank,
    order: JudgeOrder,
    *,
    environment: Mapping[str, str],
) -> JudgeReport:
    """Ask what has not been asked yet, in calls of ten questions, and collect all answers.

    A question that was answered in an earlier call of the same judge with the same seed is not asked again; one whose
    answer could not be read is asked again by the next command, and once more in this one. Raises `ConfigError` where the
    provider cannot be built or the cap cannot be kept, and `GapsmithError` where another process asks the same judge."""
    provider = build_provider(
        spec.provider,
        ProviderOptions(
            paradigm=paradigm,
            model=spec.model,
            base_url=order.base_url,
            send_key=order.send_key,
            timeout_s=order.timeout_s,
            seed=order.seed,
            environment=environment,
        ),
    )
    try:
        session = _Session(spec, questions, paradigm, bank, order, provider)
        with RunLease(bank.path, session.run_id):
            return await session.run()
    finally:
        await provider.close()


class _Session:
    """One judge over the items of one paradigm."""

    def __init__(
        self,
        spec: JudgeSpec,
        questions: Sequence[JudgeQuestion],
        paradigm: Paradigm,
        bank: Bank,
        order: JudgeOrder,
        provider: Provider,
    ) -> None:
        self._questions = {question.key: question for question in questions}
        self._all = list(questions)
        self._bank = bank
        self._order = order
        self._provider = provider
        self._parameters = ModelParameters(
            model=spec.model,
            temperature=order.temperature,
            max_output_tokens=order.max_output_tokens,
            thinking=order.thinking,
            top_p=order.top_p,
            tier=order.tier,
            api=order.api,
            extra_body=order.extra_body,
        )
        provider.check(self._parameters)
        price = find_price(load_prices(order.price_files), spec.provider, spec.model, provider.address)
        self._priced = price is not None or order.free
        decisive = {
            "kind": RUN_KIND,
            "prompt": PROMPT_VERSION,
            "paradigm": paradigm.name,
            "judge": spec.name,
            "base_url": provider.address,
            "parameters": asdict(self._parameters),
            "seed": order.seed,
        }
        cap = None if order.free else order.max_cost_usd
        budget = Budget(price, cap_usd=cap, max_output_tokens=order.max_output_tokens, model=spec.model)
        run = bank.runs.begin(
            kind=RUN_KIND,
            paradigm_id=bank.paradigms.register(paradigm),
            provider=spec.provider,
            model=spec.model,
            identity=json_sha256(decisive, ascii_only=True),
            parameters=decisive,
            prompt_name=PROMPT_VERSION,
            prompt_hash=None,
            prompt_text=None,
        )
        self.run_id = run.id
        self._budget = budget
        self._report = JudgeReport(spec.name, run.id, notes=provider.notes)
        self._said: dict[str, str] = {}
        self._lost: set[str] = set()
        self._number = 0
        self._stopping = asyncio.Event()
        typical = estimate_tokens("x" * _TYPICAL_PROMPT_CHARS) + _PER_CALL * _TOKENS_PER_ANSWER
        self._pace = RateGate(rpm=order.rpm, tpm=order.tpm, tokens_per_call=typical)

    async def run(self) -> JudgeReport:
        """Ask, at most twice, what has no answer."""
        for call in self._bank.runs.each_call(self.run_id):
            self._take(call)
        gate = asyncio.Semaphore(max(1, self._order.concurrency))
        for _ in range(2):
            open_keys = [k for k in self._questions if k not in self._said and k not in self._lost]
            groups = [open_keys[i : i + _PER_CALL] for i in range(0, len(open_keys), _PER_CALL)]
            if not groups or self._stopping.is_set():
                break
            await asyncio.gather(*(self._one(group, gate) for group in groups))
        report = self._report
        for question in self._all:
            answer = self._said.get(question.key)
            read = read_answer(question, answer) if answer is not None else None
            if read is None:
                report.unanswered.append(question)
            else:
                report.answers[question] = read
        if not report.unanswered and report.ending is JudgeEnding.COMPLETE:
            self._bank.runs.finish(self.run_id)
        report.cost_usd = self._budget.spent_usd if self._priced else None
        return report

    def _take(self, call: CallRecord) -> None:
        self._number = max(self._number, call.number + 1)
        keys = [str(key) for key in call.request.get("keys", ())]
        if call.replied_at is None:
            self._lost.update(keys)
            self._report.maybe_paid += 1
            self._budget.assume_spent(self._budget.worst_case_usd("x" * int(call.request.get("characters", 0))))
            return
        self._budget.assume_spent(call.cost_usd or 0.0)
        if call.outcome == _OK and call.reply is not None:
            self._keep(keys, call.reply)

    def _keep(self, keys: Sequence[str], reply: str) -> int:
        kept = 0
        for number, answer in _answers(reply).items():
            if 1 <= number <= len(keys):
                question = self._questions.get(keys[number - 1])
                if question is not None and read_answer(question, answer) is not None:
                    self._said[keys[number - 1]] = answer
                    kept += 1
        return kept

    async def _one(self, keys: list[str], gate: asyncio.Semaphore) -> None:
        async with gate:
            if self._stopping.is_set():
                return
            prompt = prompt_of([self._questions[key] for key in keys])
            reserved = self._budget.worst_case_usd(prompt)
            if not self._budget.reserve(reserved):
                self._stop(JudgeEnding.BUDGET)
                return
            number, self._number = self._number, self._number + 1
            call_id = self._bank.runs.intend(
                self.run_id,
                number,
                {"keys": keys, "n": len(keys), "offset": 0, "characters": len(prompt), "prompt": prompt},
            )
            request = CallRequest(number, 0, len(keys), Mode.SLOTS, self._parameters, prompt, _SCHEMA)

            async def send(_attempt: int) -> Any:
                await self._pace.enter(estimate_tokens(prompt) + len(keys) * _TOKENS_PER_ANSWER)
                return await self._provider.call(request)

            answer = await answer_or_failure(send, stopping=self._stopping, may_try_again=lambda f: self._may_retry(f, reserved))
            self._settle(call_id, keys, answer, reserved)

    def _may_retry(self, failure: ProviderError, reserved: float) -> bool:
        return not failure.may_be_paid or self._budget.assume_spent(reserved)

    def _settle(self, call_id: int, keys: list[str], answer: Answer, reserved: float) -> None:
        reply, failure = answer.reply, answer.failure
        source = reply if reply is not None else failure
        usage = source.usage if source is not None else None
        refused = failure is not None and failure.reply is None and not failure.may_be_paid
        cost: float | None = 0.0
        if refused or usage is None:
            self._budget.release(reserved)
        else:
            cost = self._budget.settle(reserved, usage, source.details.get("tier") if source is not None else None)
        text = reply.text if reply is not None else failure.reply if failure is not None else None
        if text is not None:
            text = scrub(text, self._provider.secrets, guess=False)
        if failure is None and text is not None and not self._keep(keys, text):
            failure = ProviderError(FailureKind.UNREADABLE, reply=text, provider=self._provider.name)
        self._bank.runs.reply(
            call_id,
            outcome=failure.kind.value if failure is not None else _OK,
            reply=text,
            finish_reason=source.finish_reason if source is not None else None,
            usage=usage.as_counts() if usage is not None else {},
            attempts=answer.attempts,
            latency_ms=answer.latency_ms,
            cost_usd=cost,
            error=failure.message if failure is not None else None,
            details=dict(source.details) if source is not None else {},
        )
        self._report.calls += 1
        if failure is not None:
            self._report.failure = failure
            if failure.rule.action is not Action.ASK_AGAIN:
                self._stop(JudgeEnding.FAILED)

    def _stop(self, ending: JudgeEnding) -> None:
        if not self._stopping.is_set():
            self._report.ending = ending
        self._stopping.set()


def _answers(reply: str) -> dict[int, str]:
    """Question number to answer, from JSON that may have words or a Markdown fence around it."""
    decoder = json.JSONDecoder()
    position = reply.find("{")
    while position >= 0:
        try:
            data, _ = decoder.raw_decode(reply, position)
        except (ValueError, RecursionError):
            data = None
        if isinstance(data, dict) and isinstance(data.get("answers"), list):
            return {
                number: str(entry["answer"])
                for entry in data["answers"]
                if isinstance(entry, dict) and "answer" in entry
                if (number := whole(str(entry.get("question", "")))) is not None
            }
        position = reply.find("{", position + 1)
    return {}
