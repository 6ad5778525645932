"""Runs: calls side by side, each intent on disk before it is sent, each answer and its items in one transaction.

Killed at any moment, a run goes on where it was: what was committed stays, an unanswered call of a free provider is
made again under its own number, and one of a paid provider is left as it is and listed, because it may have been paid.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from bank import Bank, CallRecord, ItemFilter, RunRecord
from prompts.budget import Budget, estimate_tokens
from prompts.failures import Action, FailureKind, ProviderError
from prompts.intake import Harvest, SeenItems, harvest
from prompts.limits import RateGate
from prompts.plan import GenerationPlan, Pace
from prompts.progress import Ending, Observer, Outcome, Quiet, Tally
from prompts.providers.base import Provider
from prompts.request import CallRequest, Mode, Reply
from prompts.retry import Answer, answer_or_failure
from prompts.schema import slot_schema
from prompts.scrub import scrub
from prompts.usage import Usage
from prompts.writer import PromptWriter
from templates import Sentence, realise

__all__ = ["MAX_BARREN_CALLS", "Generation"]

MAX_BARREN_CALLS = 5
"""So many answers in a row without a new item end a run."""

_TOKENS_PER_SLOT = 12
_TOKENS_PER_SENTENCE = 40


@dataclass(slots=True)
class _Flight:
    """A call on its way."""

    request: CallRequest
    reserved_usd: float
    call_id: int | None
    """None until the intent is written, which is when its turn comes."""


class Generation:
    """One go at a run. `run()` is called once; `stop()` is called from the loop that it runs in."""

    def __init__(
        self,
        bank: Bank,
        plan: GenerationPlan,
        provider: Provider,
        *,
        pace: Pace | None = None,
        budget: Budget | None = None,
        software: str = "",
        observer: Observer | None = None,
    ) -> None:
        self._bank = bank
        self._plan = plan
        self._provider = provider
        self._pace = pace or Pace()
        self._budget = budget or Budget(None, cap_usd=None, max_output_tokens=None)
        self._software = software
        self._observer: Observer = observer or Quiet()
        self._stopping = asyncio.Event()
        self._interrupted = False
        self._flights: dict[asyncio.Task[Answer], _Flight] = {}
        self._writer = PromptWriter(plan)
        self._seen = SeenItems()
        self._schema = slot_schema(plan.paradigm) if plan.mode is Mode.SLOTS else None
        self._n_per_call = plan.n_per_call
        self._next_number = 0
        self._next_offset = 0
        self._again: list[CallRecord] = []
        self._barren = 0
        self._exhausted = False
        self._ending: Ending | None = None
        self._failure: ProviderError | None = None
        self._gate = RateGate(rpm=self._pace.rpm, tpm=self._pace.tpm, tokens_per_call=self._tokens_per_call("x" * 4000))
        self._tally = Tally(plan.n)
        self._run: RunRecord | None = None

    async def run(self) -> Outcome:
        """Ask until the run is complete or something ends it. Failures of calls are in the outcome, not raised."""
        run = self._begin()
        if run.finished_at is not None:
            return self._outcome(run, Ending.ALREADY_THERE)
        self._load(run)
        try:
            while not self._over():
                self._launch(run)
                if not self._flights:
                    break
                await self._collect(run)
        finally:
            for task in self._flights:
                task.cancel()
            await asyncio.gather(*self._flights, return_exceptions=True)
        ending = self._ending or Ending.COMPLETE
        if ending in (Ending.COMPLETE, Ending.EXHAUSTED):
            self._bank.runs.finish(run.id)
        return self._outcome(self._bank.runs.get(run.id), ending)

    def stop(self) -> int:
        """Begin no more calls; how many are on their way and will still be waited for."""
        self._interrupted = True
        self._halt(Ending.INTERRUPTED)
        return sum(flight.call_id is not None for flight in self._flights.values())

    def _begin(self) -> RunRecord:
        plan = self._plan
        paradigm_id = self._bank.paradigms.register(plan.paradigm)
        return self._bank.runs.begin(
            kind="generate",
            paradigm_id=paradigm_id,
            provider=plan.provider,
            model=plan.parameters.model,
            identity=plan.identity,
            parameters={**plan.record(), "software": self._software},
            prompt_name=plan.prompt.label if plan.prompt else None,
            prompt_hash=plan.prompt.hash if plan.prompt else None,
            prompt_text=plan.prompt.text if plan.prompt else None,
        )

    def _load(self, run: RunRecord) -> None:
        plan = self._plan
        self._tally.in_bank = self._bank.items.count(ItemFilter(run_id=run.id))
        for call in self._bank.runs.each_call(run.id):
            self._next_number = max(self._next_number, call.number + 1)
            self._next_offset = max(self._next_offset, _end(call))
            self._exhausted = self._exhausted or call.finish_reason == "exhausted"
            if call.replied_at is None and not self._provider.paid:
                self._again.append(call)
        # An exhaustive set is complete in itself; elsewhere an item that any data set of the paradigm has is no news.
        within = plan.dataset if plan.n is None else None
        self._seen = SeenItems.of_bank(self._bank, ItemFilter(paradigm=plan.paradigm.name, dataset=within))
        self._writer = PromptWriter(plan, self._bank)
        if plan.prompt is not None:
            self._seen.add(_example_of(plan))

    def _over(self) -> bool:
        if self._ending is not None and not self._flights:
            return True
        return self._tally.missing == 0 and not self._flights

    def _launch(self, run: RunRecord) -> None:
        while self._ending is None and len(self._flights) < max(1, self._pace.concurrency):
            request, call_id = self._next_request()
            if request is None:
                return
            reserved = self._budget.worst_case_usd(request.prompt)
            if not self._budget.reserve(reserved):
                if not self._flights:
                    self._halt(Ending.BUDGET)
                return
            self._next_number = max(self._next_number, request.number + 1)
            self._next_offset = max(self._next_offset, request.offset + request.n_items)
            flight = _Flight(request, reserved, call_id)
            self._flights[asyncio.create_task(self._fly(run, flight))] = flight

    def _next_request(self) -> tuple[CallRequest | None, int | None]:
        if self._again:
            call = self._again.pop(0)
            return self._request(call.number, int(call.request["offset"]), int(call.request["n"])), call.id
        if self._exhausted:
            if not self._flights:
                self._halt(Ending.EXHAUSTED if self._tally.missing else Ending.COMPLETE)
            return None, None
        wanted = self._n_per_call
        if self._tally.missing is not None:
            underway = sum(flight.request.n_items for flight in self._flights.values())
            wanted = min(wanted, self._tally.missing - underway)
        if wanted <= 0:
            return None, None
        return self._request(self._next_number, self._next_offset, wanted), None

    def _request(self, number: int, offset: int, n_items: int) -> CallRequest:
        parameters = self._plan.parameters
        if parameters.seed is not None:
            parameters = replace(parameters, seed=parameters.seed + number)
        return CallRequest(
            number=number,
            offset=offset,
            n_items=n_items,
            mode=self._plan.mode,
            parameters=parameters,
            prompt=self._writer.write(n_items),
            schema=self._schema,
        )

    async def _fly(self, run: RunRecord, flight: _Flight) -> Answer:
        request = flight.request

        async def send(_attempt: int) -> Reply:
            await self._gate.enter(self._tokens_per_call(request.prompt, request.n_items))
            if flight.call_id is None:
                flight.call_id = self._bank.runs.intend(run.id, request.number, _as_record(request))
            return await self._provider.call(request)

        def on_wait(failure: ProviderError, seconds: float) -> None:
            if failure.kind is FailureKind.MINUTE_LIMIT:
                self._gate.pause(seconds)
            self._observer.note(f"call {request.number}: {failure.rule.message}; trying again in {seconds:.1f} s")

        def may_try_again(failure: ProviderError) -> bool:
            return not failure.may_be_paid or self._budget.assume_spent(flight.reserved_usd)

        return await answer_or_failure(send, stopping=self._stopping, on_wait=on_wait, may_try_again=may_try_again)

    async def _collect(self, run: RunRecord) -> None:
        done, _ = await asyncio.wait(self._flights, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            flight = self._flights.pop(task)
            if task.cancelled():
                self._budget.release(flight.reserved_usd)
                continue
            self._commit(flight, task.result())
            # The place that has become free is filled before the next answer is read.
            self._launch(run)

    def _commit(self, flight: _Flight, answer: Answer) -> None:
        assert flight.call_id is not None
        text, finish_reason, usage, failure = self._content(answer)
        crop = self._harvest(text, flight.request, failure)
        readable = bool(crop.items) or crop.duplicates > 0 or crop.surplus > 0
        if failure is None and not readable and finish_reason != "exhausted":
            failure = ProviderError(FailureKind.UNREADABLE, reply=text, usage=usage, provider=self._provider.name)
        cost = self._settle(flight, usage, failure)
        counts = {**usage.as_counts(), **crop.as_counts()}
        if answer.unanswered:
            counts["unanswered_attempts"] = answer.unanswered
        self._bank.runs.reply(
            flight.call_id,
            outcome=failure.kind.value if failure else "ok",
            reply=text,
            items=crop.items,
            finish_reason=finish_reason,
            usage=counts,
            attempts=answer.attempts,
            latency_ms=answer.latency_ms,
            cost_usd=cost,
            error=self._scrub(str(failure.message)) if failure else "; ".join(crop.unreadable[:5]) or None,
        )
        for item in crop.items:
            self._writer.note(item.slots)
        self._count(flight.request, crop, cost, failure)
        self._judge(failure, crop)
        self._observer.progress(self._tally)

    def _settle(self, flight: _Flight, usage: Usage, failure: ProviderError | None) -> float | None:
        if not self._provider.paid:
            return 0.0
        if failure is not None and failure.reply is None and not usage.told and not failure.may_be_paid:
            # Refused before any work was done.
            self._budget.release(flight.reserved_usd)
            return 0.0
        return self._budget.settle(flight.reserved_usd, usage)

    def _content(self, answer: Answer) -> tuple[str | None, str | None, Usage, ProviderError | None]:
        if answer.reply is not None:
            reply = answer.reply
            if reply.finish_reason == "exhausted":
                self._exhausted = True
            return self._scrub(reply.text, guess=False), reply.finish_reason, reply.usage, None
        failure = answer.failure
        assert failure is not None
        text = self._scrub(failure.reply, guess=False) if failure.reply is not None else None
        return text, failure.finish_reason, failure.usage, failure

    def _harvest(self, text: str | None, request: CallRequest, failure: ProviderError | None) -> Harvest:
        # What is whole in an answer that broke off has been paid for and is kept; a blocked answer is not looked at.
        if text is None or (failure is not None and failure.kind is not FailureKind.TRUNCATED):
            return Harvest((), 0, 0, 0, ())
        missing = self._tally.missing
        return harvest(
            text,
            self._plan.paradigm,
            mode=self._plan.mode,
            design=self._plan.design,
            wanted=request.n_items if missing is None else min(request.n_items, missing),
            seen=self._seen,
            dataset=self._plan.dataset,
            cut=failure is not None,
        )

    def _count(self, request: CallRequest, crop: Harvest, cost: float | None, failure: ProviderError | None) -> None:
        tally = self._tally
        tally.calls += 1
        tally.asked += request.n_items
        tally.returned += crop.returned
        tally.kept += len(crop.items)
        tally.in_bank += len(crop.items)
        tally.duplicates += crop.duplicates
        tally.unreadable += len(crop.unreadable)
        tally.surplus += crop.surplus
        tally.failed_calls += failure is not None
        tally.cost_usd += cost or 0.0
        tally.calls_of_unknown_cost += cost is None

    def _judge(self, failure: ProviderError | None, crop: Harvest) -> None:
        if failure is not None and failure.rule.action is not Action.ASK_AGAIN:
            if self._ending is None:
                self._failure = failure
            self._halt(Ending.FAILED)
            return
        if failure is not None:
            self._failure = failure
            self._observer.note(f"{self._provider.name}: {failure.rule.message}; asking again for what is missing")
            if failure.kind in (FailureKind.TRUNCATED, FailureKind.EMPTY):
                self._n_per_call = max(1, math.ceil(self._n_per_call / 2))
        self._barren = 0 if crop.items else self._barren + 1
        if self._barren >= MAX_BARREN_CALLS and not self._provider.finite and self._tally.missing != 0:
            self._halt(Ending.GAVE_UP)

    def _halt(self, ending: Ending) -> None:
        # Calls whose turn has not come are called back; those that were sent are waited for, as they are paid.
        if self._ending is None:
            self._ending = ending
        self._stopping.set()
        for task, flight in self._flights.items():
            if flight.call_id is None:
                task.cancel()

    def _outcome(self, run: RunRecord, ending: Ending) -> Outcome:
        self._tally.in_bank = self._bank.items.count(ItemFilter(run_id=run.id))
        unanswered = [call for call in self._bank.runs.each_call(run.id) if call.replied_at is None]
        failure = self._failure if ending in (Ending.FAILED, Ending.GAVE_UP) else None
        return Outcome(run, ending, self._tally, failure, tuple(unanswered) if self._provider.paid else ())

    def _tokens_per_call(self, prompt: str, n_items: int | None = None) -> int:
        slots = self._plan.mode is Mode.SLOTS
        per_item = (
            _TOKENS_PER_SLOT * len(self._plan.paradigm.visible_slots)
            if slots
            else _TOKENS_PER_SENTENCE * len(self._plan.paradigm.conditions)
        )
        return estimate_tokens(prompt) + per_item * (n_items or self._plan.n_per_call)

    def _scrub(self, text: str, *, guess: bool = True) -> str:
        # Half a surrogate pair is no text that can be stored; its escape can.
        whole = text.encode("utf-8", "backslashreplace").decode("utf-8")
        return scrub(whole, self._provider.secrets, guess=guess)


def _as_record(request: CallRequest) -> Mapping[str, Any]:
    record: dict[str, Any] = {"n": request.n_items, "offset": request.offset}
    if request.prompt:
        record |= {"prompt": request.prompt, "seed": request.parameters.seed}
    return record


def _end(call: CallRecord) -> int:
    return int(call.request.get("offset", 0)) + int(call.request.get("n", 0))


def _example_of(plan: GenerationPlan) -> tuple[Sentence, ...]:
    # Weak models repeat the example of the prompt; that item is not theirs.
    slots = {slot.name: slot.example for slot in plan.paradigm.visible_slots}
    if not all(slots.values()):
        return ()
    sentences = realise(plan.paradigm, slots)
    if plan.mode is Mode.SLOTS:
        return sentences
    wanted = plan.paradigm.design(plan.design or plan.paradigm.designs[0].name).conditions
    return tuple(s for s in sentences if s.condition in wanted)
