"""Runs whose calls travel together, as a batch of the provider's: half the price, and answers within a day or so.

Making a batch is paid for and cannot be done twice for safety's sake, so each step is on disk before it is taken:

    intended     the batch and its calls are in the bank; nothing was sent that costs anything
    submitting   the request that makes it is about to go out, with our tag on it
    submitted    the provider's name for it is known
    ended        what came of it is in the bank, call by call; a call without a line stays unanswered

Killed in between, the next go takes the next step. Where an answer to `submitting` is lost, the batch is looked for in the
provider's list by its tag; while it is not found it may have been paid, and is never sent again unasked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Any

from gapsmith.bank import Bank, BatchRecord, CallRecord, RunRecord
from gapsmith.prompts.bodies import pack_body
from gapsmith.prompts.budget import Budget
from gapsmith.prompts.engine import Generation, as_record
from gapsmith.prompts.failures import Action, FailureKind, ProviderError
from gapsmith.prompts.plan import GenerationPlan, RequestPace
from gapsmith.prompts.pricing import BATCH
from gapsmith.prompts.progress import Ending, GenerationOutcome, Observer
from gapsmith.prompts.providers.base import Provider
from gapsmith.prompts.providers.batching import Batching, BatchLine, BatchLook
from gapsmith.prompts.request import CallRequest, Reply
from gapsmith.prompts.result import result_of, settled
from gapsmith.prompts.retry import Answer, answer_or_failure
from gapsmith.prompts.reuse import request_digest
from gapsmith.prompts.scrubbing import scrub
from gapsmith.templates import ConfigError, GapsmithError

LOOKS_FOR_A_LOST_BATCH_S = (0.0, 3.0, 10.0)
"""The waits before each look into the provider's list, which may lag behind."""

_CLEAR_REFUSALS = range(400, 500)
_UNCLEAR = {408, 409, 425, 499}
_STRAYS_KEPT = 200
_REQUEST_FRAME_BYTES = 2_000


class BatchGeneration(Generation):
    """One go at a run by batch: send one where none is open, else see how the open one stands and take in what it brings.

    With `every_s`, it is looked at again and again until it has ended. With `only_watch`, none is sent. With `give_up`, the
    open one is ended: what the provider has finished is taken in, and what is lost no longer stands in the way."""

    def __init__(
        self,
        bank: Bank,
        plan: GenerationPlan,
        provider: Provider,
        *,
        pace: RequestPace | None = None,
        budget: Budget | None = None,
        software: str = "",
        observer: Observer | None = None,
        every_s: float | None = None,
        only_watch: bool = False,
        give_up: bool = False,
    ) -> None:
        super().__init__(bank, plan, provider, pace=pace, budget=budget, software=software, observer=observer)
        if not isinstance(provider, Batching):
            raise ConfigError(f"provider {plan.provider!r} takes no batches", hint="Leave out --batch.")
        self._batching: Batching = provider
        self._every_s = every_s
        self._only_watch = only_watch
        self._give_up = give_up

    async def _go(self, run: RunRecord) -> GenerationOutcome:
        batch = self._bank.batches.open(run.id) or (self._with_gaps(run) if self._only_watch else None)
        if batch is None and run.finished_at is not None:
            return self._outcome(run, Ending.ALREADY_THERE)
        self._load(run)
        if batch is None and not self._only_watch:
            batch = self._intended(run)
            if batch is None:
                return self._done(run, Ending.BUDGET if self._tally.missing else Ending.COMPLETE)
            return self._done(run, await self._submit(batch), batch)
        if batch is None:
            return self._done(run, Ending.PARTLY if self._tally.missing else Ending.COMPLETE)
        return self._done(run, await self._settle(batch), batch)

    def _with_gaps(self, run: RunRecord) -> BatchRecord | None:
        """The last batch that left calls unanswered: a line that was missing may be there later."""
        for batch in reversed(self._bank.batches.of_run(run.id)):
            if batch.name is not None and any(call.replied_at is None for call in self._bank.batches.calls(batch)):
                return batch
        return None

    async def _settle(self, batch: BatchRecord) -> Ending:
        """Bring an open batch one or more steps further."""
        if batch.name is None and batch.submitting_at is None:
            if self._give_up:
                self._drop(batch, ProviderError(FailureKind.NOT_DONE, "it was never sent", provider=self._provider.name))
                return Ending.PARTLY
            ending = await self._submit(batch)
        elif batch.name is None:
            ending = await self._find(batch)
            if ending is Ending.PERHAPS_SENT and self._give_up:
                self._bank.batches.note(batch.id, "perhaps sent, given up")
                self._bank.batches.end(batch.id)
                return Ending.PARTLY
        else:
            ending = Ending.UNDER_WAY
        batch = self._bank.batches.get(batch.id)
        if ending is not Ending.UNDER_WAY or batch.name is None:
            return ending
        return await self._await(batch, batch.name)

    def _intended(self, run: RunRecord) -> BatchRecord | None:
        """A new batch for what is missing, on disk; None where nothing is missing or the budget allows nothing."""
        calls: dict[int, Mapping[str, Any]] = {}
        asked = size = 0
        while len(calls) < self._batching.most_requests and (wanted := self._wanted(asked)) > 0:
            request = self._request(self._next_number, self._next_offset, wanted)
            reserved = self._budget.worst_case_usd(request.charged_text, BATCH)
            size += len(request.charged_text.encode("utf-8", "replace")) + _REQUEST_FRAME_BYTES
            if size > self._batching.most_bytes or not self._budget.reserve(reserved):
                self._observer.note(f"this batch is for {asked} items; a later one asks for the rest")
                break
            kept = as_record(request, reserved, request_digest(self._plan, request))
            calls[request.number] = {**kept, **self._budget.as_kept()}
            self._next_number, self._next_offset = request.number + 1, request.offset + wanted
            asked += wanted
        return self._bank.batches.intend(run.id, calls) if calls else None

    def _request_of(self, call: CallRecord) -> CallRequest:
        parameters = replace(self._plan.parameters, seed=call.request.get("seed"))
        prompt = str(call.request.get("prompt", ""))
        offset, n_items = int(call.request["offset"]), int(call.request["n"])
        return CallRequest(call.number, offset, n_items, self._plan.mode, parameters, prompt, self._schema)

    async def _submit(self, batch: BatchRecord) -> Ending:
        """Send a batch that was never sent."""
        requests = {_key(batch, call): self._request_of(call) for call in self._bank.batches.calls(batch)}
        staged: list[Any] = []

        async def send(_attempt: int) -> Reply:
            if not staged:
                staged.append(await self._batching.stage(requests))
            self._bank.batches.submitting(batch.id)
            try:
                return Reply(await self._batching.submit(_tag(batch), staged[0]))
            except ProviderError as failure:
                if _is_refusal(failure):
                    self._bank.batches.refused(batch.id)
                raise

        def was_refused(_: ProviderError) -> bool:
            return self._bank.batches.get(batch.id).submitting_at is None

        answer = await answer_or_failure(send, stopping=self._stopping, on_wait=self._tell, may_try_again=was_refused)
        if answer.reply is not None:
            self._bank.batches.submitted(batch.id, answer.reply.text)
            return Ending.UNDER_WAY
        assert answer.failure is not None
        if was_refused(answer.failure):
            return self._drop(batch, answer.failure)
        self._observer.note(f"{answer.failure.message} Looking for the batch in the provider's list")
        return await self._find(batch)

    async def _find(self, batch: BatchRecord) -> Ending:
        """Look for a batch of which nobody knows whether it was made."""
        since = datetime.fromisoformat(batch.submitting_at or batch.intended_at)
        for wait_s in LOOKS_FOR_A_LOST_BATCH_S:
            await self._pause(wait_s)
            try:
                name = await self._batching.search(_tag(batch), since)
            except ProviderError as failure:
                self._failure = failure
                return Ending.PERHAPS_SENT
            if name is not None:
                self._bank.batches.submitted(batch.id, name)
                return Ending.UNDER_WAY
            if self._stopping.is_set():
                break
        return Ending.PERHAPS_SENT

    async def _await(self, batch: BatchRecord, name: str) -> Ending:
        """Look until the batch has ended, or once; then take in what it brings."""
        if self._give_up and batch.ended_at is None:
            # Where it has ended by itself, there is nothing to cancel; the look says so.
            with suppress(ProviderError):
                await self._batching.cancel(name)
        told = ""
        while True:
            try:
                look = await self._batching.look(name)
                self._bank.batches.note(batch.id, look.status)
                lines = await self._batching.lines(look) if look.ended else []
            except ProviderError as failure:
                ending = self._missed(batch, failure)
                if ending is not None:
                    return ending
            else:
                if look.ended:
                    return self._take_in(batch, look, lines)
                state = ", ".join(words for words in (look.status, look.counts) if words)
                if state != told:
                    told = state
                    self._observer.note(f"batch {name}: {state}")
            if self._every_s is None:
                return Ending.UNDER_WAY
            await self._pause(self._every_s)
            if self._stopping.is_set():
                return Ending.INTERRUPTED

    def _missed(self, batch: BatchRecord, failure: ProviderError) -> Ending | None:
        """What a look that failed means: an ending, or None where the next look may do better."""
        if failure.body is not None and failure.kind is FailureKind.GARBLED:
            self._bank.batches.note(batch.id, "garbled", {"http_body": pack_body(failure.body, self._provider.secrets)})
        if failure.kind is FailureKind.UNKNOWN_MODEL and self._give_up:
            # The provider no longer knows of it.
            self._bank.batches.note(batch.id, "unknown to the provider, given up")
            self._bank.batches.end(batch.id)
            return Ending.PARTLY
        if self._every_s is not None and failure.rule.action is Action.RETRY:
            self._observer.note(f"{failure.rule.message}; looking again in {self._every_s:g} s")
            return None
        self._failure = failure
        return Ending.FAILED

    def _take_in(self, batch: BatchRecord, look: BatchLook, lines: list[BatchLine]) -> Ending:
        waiting = {_key(batch, call): call for call in self._bank.batches.calls(batch) if call.replied_at is None}
        known = {_key(batch, call) for call in self._bank.batches.calls(batch)}
        strays: list[BatchLine] = []
        for line in lines:
            call = waiting.pop(line.key, None) if line.key is not None else None
            if call is not None:
                self._keep_line(call, line)
            elif line.key not in known:
                strays.append(line)
            if self._stopping.is_set():
                return Ending.INTERRUPTED
        if look.untouched:
            self._refuse(waiting.values(), ProviderError(FailureKind.BAD_REQUEST, look.error, provider=self._plan.provider))
        details: dict[str, Any] = {"answered": len(known) - len(waiting), "of": len(known)}
        if strays:
            self._observer.note(f"{len(strays)} lines of the batch are no answers to what was asked; they are kept with it")
            details["strays"] = [pack_body(line.raw, self._provider.secrets) for line in strays[:_STRAYS_KEPT]]
        if look.error:
            details["error"] = look.error
            self._observer.note(f"batch {batch.name}: {look.error}")
        self._bank.batches.note(batch.id, look.status, details)
        self._bank.batches.end(batch.id)
        return Ending.COMPLETE if self._tally.missing == 0 else Ending.PARTLY

    def _keep_line(self, call: CallRecord, line: BatchLine) -> None:
        request, missing = self._request_of(call), self._tally.missing
        reply, failure = line.reply, line.failure
        if reply is not None:
            reply = replace(reply, details={**reply.details, "tier": BATCH})
        elif failure is not None:
            failure.details = {**failure.details, "tier": BATCH}
        result = result_of(
            Answer(reply, failure, attempts=1, unanswered=0, latency_ms=None),
            request,
            self._plan,
            wanted=request.n_items if missing is None else missing,
            seen=self._seen,
            secrets=self._provider.secrets,
        )
        cost = settled(self._budget, 0.0, result, paid=self._provider.paid, kept=call.request)
        record = result.record(cost, secrets=self._provider.secrets)
        try:
            self._bank.runs.reply(call.id, items=result.harvest.items, **record)
        except GapsmithError as error:
            raise GapsmithError(
                f"{error.message}\nThe provider keeps the answers for some weeks: nothing is lost.",
                hint=f"{error.hint} `gapsmith runs watch {call.run_id}` takes in the rest.".strip(),
            ) from None
        self._count(request, result, cost)
        if result.failure is not None:
            self._failure = result.failure
        self._observer.progress(self._tally)

    def _drop(self, batch: BatchRecord, failure: ProviderError) -> Ending:
        """End a batch that the provider did not make."""
        with self._bank.transaction():
            self._refuse(self._bank.batches.calls(batch), failure)
            self._bank.batches.note(batch.id, "not made")
            self._bank.batches.end(batch.id)
        self._failure = failure
        return Ending.FAILED

    def _refuse(self, calls: Any, failure: ProviderError) -> None:
        error = scrub(failure.message, self._provider.secrets)
        for call in calls:
            self._bank.runs.reply(call.id, outcome=failure.kind.value, reply=None, attempts=1, cost_usd=0.0, error=error)
            self._tally.calls += 1
            self._tally.failed_calls += 1
        self._failure = failure

    async def _pause(self, seconds: float) -> None:
        # Running out is how the pause ends, unless it is stopped before.
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stopping.wait(), seconds)

    def _tell(self, failure: ProviderError, seconds: float) -> None:
        self._observer.note(f"the batch: {failure.rule.message}; trying again in {seconds:.1f} s")

    def _done(self, run: RunRecord, ending: Ending, batch: BatchRecord | None = None) -> GenerationOutcome:
        if ending is Ending.COMPLETE:
            self._bank.runs.finish(run.id)
        outcome = self._outcome(self._bank.runs.get(run.id), ending)
        latest = self._bank.batches.get(batch.id) if batch is not None else None
        return replace(outcome, failure=self._failure, batch=latest)


def _tag(batch: BatchRecord) -> str:
    return f"gapsmith-run-{batch.run_id}-{batch.uid}"


def _key(batch: BatchRecord, call: CallRecord) -> str:
    return f"{batch.uid}-{call.number}"


def _is_refusal(failure: ProviderError) -> bool:
    """Whether the provider certainly did not do what it was asked."""
    if failure.kind is FailureKind.REDIRECTED:
        return True
    if failure.status is not None:
        return failure.status in _CLEAR_REFUSALS and failure.status not in _UNCLEAR
    return failure.kind is FailureKind.CONNECTION and not failure.may_be_paid
