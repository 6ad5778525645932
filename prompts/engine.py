"""Runs: calls side by side, each intent on disk before it is sent, each answer and its items in one transaction.

Killed at any moment, a run goes on where it was: what was committed stays, an unanswered call of a free provider is
made again under its own number, and one of a paid provider is left as it is and listed, because it may have been paid.
"""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gapsmith.bank import Bank, CallRecord, ItemFilter, RunRecord
from gapsmith.prompts.budget import ASSUMED, RESERVED, Budget, estimate_tokens
from gapsmith.prompts.context import example_words
from gapsmith.prompts.failures import Action, FailureKind, ProviderError
from gapsmith.prompts.intake import SeenItems
from gapsmith.prompts.lease import RunLease
from gapsmith.prompts.ledger import Ledger
from gapsmith.prompts.limits import RateGate
from gapsmith.prompts.plan import GenerationPlan, RequestPace
from gapsmith.prompts.progress import Ending, GenerationOutcome, Observer, Quiet, RunCounts
from gapsmith.prompts.providers.base import Provider
from gapsmith.prompts.request import CallRequest, Mode, Reply
from gapsmith.prompts.result import CallResult, kept_again, result_of, settled
from gapsmith.prompts.retry import Answer, answer_or_failure
from gapsmith.prompts.reuse import DIGEST, REUSED, KeptAnswers, request_digest
from gapsmith.prompts.schema import slot_schema
from gapsmith.prompts.scrubbing import scrub
from gapsmith.prompts.spill import Spill
from gapsmith.prompts.writer import PromptWriter
from gapsmith.templates import GapsmithError, Sentence, realise

MAX_CALLS_WITHOUT_NEW = 5
"""So many answers in a row without a new item end a run."""

REPAIR = "repair"
"""The name under which a call's request holds the bank ids of the items that it is to mend, where it is to mend some."""

_LONGEST_SEARCH = 500
_TOKENS_PER_SLOT = 12
_TOKENS_PER_SENTENCE = 40
_TYPICAL_PROMPT_CHARS = 4_000


@dataclass(slots=True)
class _CallUnderWay:
    """A call on its way."""

    request: CallRequest
    reserved_usd: float
    call_id: int | None
    """None until the intent is on disk."""
    intended: bool = False
    """Its turn has come: it can no longer be called back."""
    assumed_usd: float = 0.0
    """What its unanswered attempts may have cost, each at its worst."""


class Generation:
    """One go at a run. `run()` is called once; `stop()` is called from the loop that it runs in."""

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
        reuse: bool = False,
    ) -> None:
        self._bank = bank
        self._reuse = reuse
        self._kept: KeptAnswers | None = None
        self._plan = plan
        self._provider = provider
        self._pace = pace or RequestPace()
        self._budget = budget or Budget(None, cap_usd=None, max_output_tokens=None)
        self._software = software
        self._observer: Observer = observer or Quiet()
        self._stopping = asyncio.Event()
        self._under_way: dict[asyncio.Task[None], _CallUnderWay] = {}
        """Calls whose answer is not here yet."""
        self._tasks: set[asyncio.Task[None]] = set()
        """Those, and answers on their way to the disk."""
        self._ledger = Ledger(bank)
        self._spill = Spill(bank.path, plan.identity)
        self._spilled: list[Path] = []
        """Where the answers went that the bank did not take, one entry for each."""
        self._writer = PromptWriter(plan)
        self._seen = SeenItems()
        self._schema = slot_schema(plan.paradigm, plan.advice) if plan.mode is Mode.SLOTS else None
        self._n_per_call = plan.n_per_call
        self._next_number = 0
        self._next_offset = 0
        self._again: list[CallRecord] = []
        self._without_new = 0
        self._exhausted = False
        self._ending: Ending | None = None
        self._failure: ProviderError | None = None
        self._broken: GapsmithError | None = None
        """What made it impossible to write to the bank."""
        self._tally = RunCounts(plan.n)
        typical = self._tokens_per_call("x" * _TYPICAL_PROMPT_CHARS, plan.n_per_call)
        self._gate = RateGate(rpm=self._pace.rpm, tpm=self._pace.tpm, tokens_per_call=typical)

    async def run(self) -> GenerationOutcome:
        """Ask until the run is complete or something ends it. Failures of calls are in the outcome, not raised."""
        run = self._begin()
        try:
            with RunLease(self._bank.path, run.id):
                # As whoever held the lease before us left it.
                return await self._go(self._bank.runs.get(run.id))
        finally:
            await self._ledger.close()

    async def _go(self, run: RunRecord) -> GenerationOutcome:
        if run.finished_at is not None:
            # A repair of a run that was complete may have left something.
            self._take_in_spill(run)
            return self._outcome(run, Ending.ALREADY_THERE)
        batch = self._bank.batches.open(run.id)
        if batch is not None:
            raise GapsmithError(
                f"run {run.id} has a batch under way, and what it brings would be asked for, and paid, once more",
                hint=f"`gapsmith runs watch {run.id}` takes it in; with --give-up it is ended first.",
            )
        self._load(run)
        try:
            self._launch(run)
            while self._tasks:
                done, _ = await asyncio.wait(self._tasks, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    self._clear(task)
                self._launch(run)
        finally:
            for under_way in self._under_way:
                under_way.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._broken is not None:
            raise self._told_of_spill(self._broken)
        ending = self._ending or Ending.COMPLETE
        if ending is Ending.INTERRUPTED and self._tally.missing == 0:
            # Somebody asked it to stop while the last answers came.
            ending = Ending.COMPLETE
        if ending in (Ending.COMPLETE, Ending.EXHAUSTED):
            self._bank.runs.finish(run.id)
        return self._outcome(self._bank.runs.get(run.id), ending)

    def stop(self) -> int:
        """Begin no more calls; how many are on their way and will still be waited for."""
        self._halt(Ending.INTERRUPTED)
        return sum(under_way.intended for under_way in self._under_way.values())

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
        # An exhaustive set is complete in itself; elsewhere an item that any data set of the paradigm has is no news.
        within = plan.dataset if plan.n is None else None
        self._seen = SeenItems.of_bank(self._bank, ItemFilter(paradigm=plan.paradigm.name, dataset=within))
        self._take_in_spill(run)
        self._tally.in_bank = self._bank.items.count(ItemFilter(run_id=run.id))
        for call in self._bank.runs.each_call(run.id):
            self._budget.take_up(call)
            self._next_number = max(self._next_number, call.number + 1)
            self._next_offset = max(self._next_offset, _end(call))
            self._exhausted = self._exhausted or call.finish_reason == "exhausted"
            if call.replied_at is None and not self._provider.paid and REPAIR not in call.request:
                self._again.append(call)
        self._kept = KeptAnswers(self._bank, run.id) if self._reuse else None
        self._writer = PromptWriter(plan, self._bank)
        if plan.prompt is not None:
            self._seen.add(_example_of(plan))

    def _take_in_spill(self, run: RunRecord) -> None:
        """Bring in the answers that an earlier go had to keep elsewhere."""
        calls = {call.number: call for call in self._bank.runs.each_call(run.id)}
        open_calls = {number: call for number, call in calls.items() if call.replied_at is None}
        taken = 0
        for path, answers in self._spill.waiting():
            with self._bank.transaction():
                for answer in answers:
                    call = open_calls.pop(answer["number"], None)
                    if call is not None:
                        kept = kept_again(answer, self._plan, wanted=int(call.request["n"]), seen=self._seen)
                        self._bank.runs.reply(call.id, **kept)
                        taken += 1
            if all(answer["number"] in calls for answer in answers):
                path.unlink(missing_ok=True)
            else:
                self._observer.note(f"{path} holds answers to calls that this bank does not know of; it stays")
        if taken:
            self._observer.note(f"{taken} answers that an earlier go could not write to the bank are in it now")

    def _told_of_spill(self, error: GapsmithError) -> GapsmithError:
        if not self._spilled:
            return error
        where = ", ".join(sorted({str(path) for path in self._spilled}))
        return GapsmithError(
            f"{error.message}\n{len(self._spilled)} answers that came wait in {where}",
            hint=f"{error.hint} It takes them in.",
        )

    def _launch(self, run: RunRecord) -> None:
        while self._ending is None and len(self._under_way) < max(1, self._pace.concurrency):
            try:
                under_way = self._next_call()
            except GapsmithError as error:
                # A prompt that cannot be written ends the run, and not the calls that are on their way.
                self._break(error)
                return
            if under_way is None:
                return
            self._next_number = max(self._next_number, under_way.request.number + 1)
            self._next_offset = max(self._next_offset, under_way.request.offset + under_way.request.n_items)
            self._under_way[self._begun(self._make_call(run, under_way))] = under_way

    def _next_call(self) -> _CallUnderWay | None:
        call_id = None
        if self._again:
            call = self._again.pop(0)
            call_id = call.id
            request = self._request(call.number, int(call.request["offset"]), int(call.request["n"]))
        elif self._exhausted:
            if not self._under_way:
                self._halt(Ending.EXHAUSTED if self._tally.missing else Ending.COMPLETE)
            return None
        else:
            wanted = self._wanted(sum(under_way.request.n_items for under_way in self._under_way.values()))
            if wanted <= 0:
                return None
            if self._provider.finite:
                # Where all was known already, the search goes on in longer and longer steps.
                wanted = min(max(wanted, _LONGEST_SEARCH), wanted << min(self._without_new, 9))
            request = self._request(self._next_number, self._next_offset, wanted)
        reserved = self._budget.worst_case_usd(request.charged_text)
        if not self._budget.reserve(reserved):
            if not self._under_way:
                self._halt(Ending.BUDGET)
            return None
        return _CallUnderWay(request, reserved, call_id)

    def _wanted(self, asked_for: int) -> int:
        """How many items the next call is for, where others are to bring so many; 0: none."""
        plan, missing = self._plan, self._tally.missing
        wanted = self._n_per_call if missing is None else max(0, min(self._n_per_call, missing - asked_for))
        # A text without variables asks for as many as it asks for.
        plain = plan.prompt is not None and plan.prompt.plain
        return plan.n_per_call if plain and wanted else wanted

    def _request(self, number: int, offset: int, n_items: int) -> CallRequest:
        parameters = self._plan.parameters
        if parameters.seed is not None:
            parameters = replace(parameters, seed=parameters.seed + number)
        prompt = self._writer.write(n_items)
        return CallRequest(number, offset, n_items, self._plan.mode, parameters, prompt, self._schema)

    def _begun(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        return task

    def _clear(self, task: asyncio.Task[None]) -> None:
        self._tasks.remove(task)
        under_way = self._under_way.pop(task, None)
        if not task.cancelled():
            task.result()
        elif under_way is not None:
            self._budget.release(under_way.reserved_usd)

    async def _make_call(self, run: RunRecord, under_way: _CallUnderWay) -> None:
        task = asyncio.current_task()
        assert task is not None
        try:
            answer = await self._answer(run, under_way)
        except Exception as error:  # noqa: BLE001 - whatever it is, the calls that were sent are waited for
            # The intent could not be written: this call was not sent.
            del self._under_way[task]
            self._budget.release(under_way.reserved_usd)
            self._break(error if isinstance(error, GapsmithError) else GapsmithError(f"{type(error).__name__}: {error}"))
            return
        del self._under_way[task]
        self._take_answer(run, under_way, answer)

    async def _answer(self, run: RunRecord, under_way: _CallUnderWay) -> Answer:
        request = under_way.request

        digest = request_digest(self._plan, request) if request.prompt else None
        known = self._kept.take(digest) if self._kept is not None and digest is not None else None
        if known is not None:
            reply, source = known
            under_way.intended = True
            record = as_record(request, 0.0)
            under_way.call_id = await self._ledger.write(lambda bank: bank.runs.intend(run.id, request.number, record))
            self._observer.note(
                f"call {request.number}: run {source.run_id} asked the very same in its call {source.number}; that answer is"
                " taken, at no cost"
            )
            return Answer(reply, None, attempts=0, unanswered=0, latency_ms=None)

        async def send(_attempt: int) -> Reply:
            await self._gate.enter(self._tokens_per_call(request.prompt, request.n_items))
            under_way.intended = True
            if under_way.call_id is None:
                record = as_record(request, under_way.reserved_usd, digest)
                under_way.call_id = await self._ledger.write(lambda bank: bank.runs.intend(run.id, request.number, record))
            elif under_way.assumed_usd:
                # Before the next attempt, so that a run that is killed in it knows of the ones before.
                call_id, noted = under_way.call_id, {ASSUMED: under_way.assumed_usd}
                await self._ledger.write(lambda bank: bank.runs.annotate(call_id, noted))
            try:
                return await self._provider.call(request)
            except ProviderError:
                raise
            except Exception as error:
                if isinstance(error, GapsmithError) and not self._provider.paid:
                    # Such as a word list that has gone: the user's to mend, and told as it is.
                    raise
                # One call's failure, of whatever kind, never ends another call.
                detail = scrub(f"{type(error).__name__}: {error}", self._provider.secrets)
                raise ProviderError(FailureKind.INTERNAL, detail, provider=self._provider.name) from error

        def on_wait(failure: ProviderError, seconds: float) -> None:
            if failure.kind is FailureKind.MINUTE_LIMIT:
                self._gate.pause(seconds)
            self._observer.note(f"call {request.number}: {failure.rule.message}; trying again in {seconds:.1f} s")

        def may_try_again(failure: ProviderError) -> bool:
            if not failure.may_be_paid:
                return True
            under_way.assumed_usd += under_way.reserved_usd
            return self._budget.assume_spent(under_way.reserved_usd)

        return await answer_or_failure(send, stopping=self._stopping, on_wait=on_wait, may_try_again=may_try_again)

    def _take_answer(self, run: RunRecord, under_way: _CallUnderWay, answer: Answer) -> None:
        missing = self._tally.missing
        result = result_of(
            answer,
            under_way.request,
            self._plan,
            wanted=under_way.request.n_items if missing is None else missing,
            seen=self._seen,
            secrets=self._provider.secrets,
        )
        cost = settled(self._budget, under_way.reserved_usd, result, paid=self._provider.paid)
        self._count(under_way.request, result, cost)
        self._judge(result)
        try:
            # The place that has become free is filled before the answer is on disk.
            self._launch(run)
        finally:
            self._begun(self._keep(under_way, result, cost))

    async def _keep(self, under_way: _CallUnderWay, result: CallResult, cost: float | None) -> None:
        call_id = under_way.call_id
        assert call_id is not None
        kept = result.record(cost, secrets=self._provider.secrets, assumed_usd=under_way.assumed_usd)
        try:
            await self._ledger.write(lambda bank: bank.runs.reply(call_id, items=result.harvest.items, **kept))
        except Exception as error:  # noqa: BLE001 - an answer that was paid for is kept, whatever is wrong with the bank
            self._keep_elsewhere(under_way.request.number, kept)
            self._break(error if isinstance(error, GapsmithError) else GapsmithError(f"{type(error).__name__}: {error}"))
            return
        self._observer.progress(self._tally)

    def _keep_elsewhere(self, number: int, kept: dict[str, Any]) -> None:
        # Its items are made again from the answer when it is taken in.
        answer = {"number": number, **kept}
        path = self._spill.keep(answer)
        if path is not None:
            self._spilled.append(path)
        else:
            self._observer.note(f"this answer could be kept nowhere:\n{json.dumps(answer)}")

    def _count(self, request: CallRequest, result: CallResult, cost: float | None) -> None:
        tally, harvest = self._tally, result.harvest
        tally.calls += 1
        of_all = self._plan.n is None and result.exhausted
        tally.asked += harvest.returned if of_all else request.n_items
        tally.returned += harvest.returned
        tally.kept += len(harvest.items)
        tally.in_bank += len(harvest.items)
        tally.duplicates += harvest.duplicates
        tally.unreadable += len(harvest.unreadable)
        tally.surplus += 0 if self._provider.finite else harvest.surplus
        tally.failed_calls += result.failure is not None
        tally.reused += REUSED in result.details
        tally.cost_usd += cost or 0.0
        tally.calls_of_unknown_cost += cost is None
        for item in harvest.items:
            self._writer.note(item.slots)

    def _judge(self, result: CallResult) -> None:
        self._exhausted = self._exhausted or result.exhausted
        failure = result.failure
        if failure is not None and failure.rule.action is not Action.ASK_AGAIN:
            if self._ending is None:
                self._failure = failure
            self._halt(Ending.FAILED)
            return
        if failure is not None:
            if self._ending is None:
                self._failure = failure
            self._observer.note(f"{self._provider.name}: {failure.rule.message}; asking again for what is missing")
            if failure.kind in (FailureKind.TRUNCATED, FailureKind.ODD_ENDING, FailureKind.EMPTY):
                self._n_per_call = max(1, math.ceil(self._n_per_call / 2))
        if REUSED not in result.details:
            self._without_new = 0 if result.harvest.items else self._without_new + 1
        if self._without_new >= MAX_CALLS_WITHOUT_NEW and not self._provider.finite and self._tally.missing != 0:
            self._halt(Ending.GAVE_UP)

    def _break(self, error: GapsmithError) -> None:
        self._broken = self._broken or error
        self._halt(Ending.FAILED)

    def _halt(self, ending: Ending) -> None:
        # Calls whose turn has not come are called back; those that were sent are waited for, as they are paid.
        if self._ending is None:
            self._ending = ending
        self._stopping.set()
        for task, under_way in self._under_way.items():
            if not under_way.intended:
                task.cancel()

    def _outcome(self, run: RunRecord, ending: Ending) -> GenerationOutcome:
        self._tally.in_bank = self._bank.items.count(ItemFilter(run_id=run.id))
        batch = self._bank.batches.open(run.id)
        awaited = {call.id for call in self._bank.batches.calls(batch)} if batch is not None and batch.name else set()
        unanswered = [call for call in self._bank.runs.each_call(run.id) if call.replied_at is None and call.id not in awaited]
        failure = self._failure if ending in (Ending.FAILED, Ending.GAVE_UP) else None
        return GenerationOutcome(run, ending, self._tally, failure, tuple(unanswered) if self._provider.paid else ())

    def _tokens_per_call(self, prompt: str, n_items: int) -> int:
        paradigm = self._plan.paradigm
        if self._plan.mode is Mode.SLOTS:
            per_item = _TOKENS_PER_SLOT * len(paradigm.visible_slots)
        else:
            per_item = _TOKENS_PER_SENTENCE * len(paradigm.conditions)
        return estimate_tokens(prompt) + per_item * n_items


def as_record(request: CallRequest, reserved_usd: float, digest: str | None = None) -> Mapping[str, Any]:
    """A call as the bank keeps it before it is sent."""
    record: dict[str, Any] = {"n": request.n_items, "offset": request.offset}
    if digest is not None:
        record[DIGEST] = digest
    if reserved_usd:
        record[RESERVED] = reserved_usd
    if request.prompt:
        record |= {"prompt": request.prompt, "seed": request.parameters.seed}
    return record


def _end(call: CallRecord) -> int:
    return int(call.request.get("offset", 0)) + int(call.request.get("n", 0))


def _example_of(plan: GenerationPlan) -> tuple[Sentence, ...]:
    # Weak models repeat the example of the prompt; that item is not theirs.
    slots = example_words(plan.paradigm, plan.mode, plan.advice)
    if not slots:
        return ()
    sentences = realise(plan.paradigm, slots)
    if plan.mode is Mode.SLOTS:
        return sentences
    wanted = plan.paradigm.design(plan.design or plan.paradigm.designs[0].name).conditions
    return tuple(s for s in sentences if s.condition in wanted)
