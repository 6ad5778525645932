"""Repair: items with errors go back to the model with code, words and remedy, once or twice, and then to people. The only place that
decides which faults a model is asked to mend.

An item keeps every version it had: a mended one is a new revision, with the run and the call that it came from in its note, and
it waits for a decision like any other. What a person has decided on or edited is left alone.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from gapsmith.bank import Bank, ItemFilter, ItemStatus, RunRecord, Severity, StoredItem
from gapsmith.prompts.advice import Advice, Check, Fault
from gapsmith.prompts.budget import RESERVED, Budget, estimate_tokens
from gapsmith.prompts.context import prompt_context
from gapsmith.prompts.engine import REPAIR
from gapsmith.prompts.failures import Action, ProviderError
from gapsmith.prompts.files import PromptFile, find_prompt
from gapsmith.prompts.intake import SeenItems
from gapsmith.prompts.lease import RunLease
from gapsmith.prompts.ledger import Ledger
from gapsmith.prompts.limits import RateGate
from gapsmith.prompts.plan import GenerationPlan
from gapsmith.prompts.progress import Observer, Quiet
from gapsmith.prompts.providers.base import Provider
from gapsmith.prompts.rendering import render_prompt
from gapsmith.prompts.replies import parse_slots
from gapsmith.prompts.request import CallRequest, Mode, Reply
from gapsmith.prompts.result import CallResult, result_of, settled
from gapsmith.prompts.retry import answer_or_failure
from gapsmith.prompts.schema import slot_schema
from gapsmith.prompts.spill import Spill
from gapsmith.templates import GapsmithError, Paradigm, ParadigmError, realise

MAX_ROUNDS = 2
"""What a model could not mend in two tries is for a person."""

_ITEMS_PER_CALL = 10


@dataclass(slots=True)
class Repaired:
    """What a repair came to."""

    faulty: int = 0
    """Items with an error, before."""
    sent_back: int = 0
    mended: int = 0
    """Items that have no error any more."""
    better: int = 0
    """Items that have fewer errors, but still some."""
    calls: int = 0
    cost_usd: float = 0.0
    left: int = 0
    """Items with an error that have had their tries, or are not for us to change."""
    stopped: str = ""
    """Why the repair ended before its end, or empty."""
    failure: ProviderError | None = None


@dataclass(frozen=True, slots=True)
class _Faulty:
    item: StoredItem
    faults: tuple[Fault, ...]

    @property
    def n_errors(self) -> int:
        return sum(fault.serious for fault in self.faults)


def to_mend(faults: Iterable[Fault]) -> tuple[Fault, ...]:
    """What a model is asked to mend in an item: its errors and the warnings beside them. Nothing where it has no error, since a warning
    alone is for a person to weigh; a remark is told to nobody who could mend it. Settings that make an error of a rule send its items."""
    told = tuple(fault for fault in faults if fault.severity is not Severity.INFO)
    return told if any(fault.serious for fault in told) else ()


def repair_prompt(
    prompt: PromptFile,
    paradigm: Paradigm,
    faulty: Sequence[tuple[Mapping[str, str], Sequence[Fault]]],
    advice: Advice | None = None,
) -> str:
    """What is sent for items of these words with these faults."""
    context = prompt_context(paradigm, n=len(faulty), mode=Mode.SLOTS, advice=advice)
    context["faulty"] = [
        {"words": {name: words.get(name, "") for name in paradigm.filled}, "faults": [asdict(fault) for fault in faults]}
        for words, faults in faulty
    ]
    return render_prompt(prompt, context)


class Repair:
    """One repair of the items of a run. `run()` is called once."""

    def __init__(
        self,
        bank: Bank,
        plan: GenerationPlan,
        provider: Provider,
        check: Check,
        *,
        budget: Budget,
        rounds: int = 1,
        observer: Observer | None = None,
        gate: RateGate | None = None,
    ) -> None:
        self._bank = bank
        self._plan = plan
        self._provider = provider
        self._check = check
        self._budget = budget
        self._gate = gate or RateGate()
        self._rounds = min(rounds, MAX_ROUNDS)
        self._observer: Observer = observer or Quiet()
        self._author = f"{plan.provider} {plan.parameters.model or ''}".strip()
        self._prompt: PromptFile = find_prompt(REPAIR)
        self._schema = slot_schema(plan.paradigm, plan.advice)
        self._stopping = asyncio.Event()
        self._done = Repaired()

    def stop(self) -> int:
        """Begin no more calls; 1, for the one that may be on its way."""
        self._stopping.set()
        return 1

    async def run(self, run: RunRecord) -> Repaired:
        """Send items back until none is left that may be. Failures of calls are in the result, not raised."""
        ledger = Ledger(self._bank)
        try:
            with RunLease(self._bank.path, run.id):
                await self._go(run, ledger)
        finally:
            await ledger.close()
        return self._done

    async def _go(self, run: RunRecord, ledger: Ledger) -> None:
        seen = SeenItems.of_bank(self._bank, ItemFilter(paradigm=self._plan.paradigm.name))
        for call in self._bank.runs.each_call(run.id):
            self._budget.take_up(call)
        first = True
        while not self._done.stopped:
            faulty, left = self._faulty(run)
            if first:
                self._done.faulty, first = len(faulty) + left, False
            self._done.left = left
            if not faulty:
                return
            for start in range(0, len(faulty), _ITEMS_PER_CALL):
                if self._stopping.is_set():
                    self._done.stopped = "stopped as asked"
                if self._done.stopped:
                    return
                await self._send_back(run, faulty[start : start + _ITEMS_PER_CALL], ledger, seen)

    def _faulty(self, run: RunRecord) -> tuple[list[_Faulty], int]:
        """The items that go back, and how many have errors but do not."""
        tries = Counter(
            item_id
            for call in self._bank.runs.each_call(run.id)
            if call.replied_at is not None
            for item_id in call.request.get(REPAIR, ())
        )
        found: list[_Faulty] = []
        left = 0
        for item in self._bank.items.iterate(ItemFilter(run_id=run.id)):
            faults = to_mend(self._check(item.slots)) if item.slots else ()
            if not faults:
                continue
            if tries[item.id] < self._rounds and self._is_ours(item):
                found.append(_Faulty(item, faults))
            else:
                left += 1
        return found, left

    def _is_ours(self, item: StoredItem) -> bool:
        if not _is_undecided(self._bank, item.id):
            return False
        return item.revision_number == 1 or self._bank.items.history(item.id)[-1].author == self._author

    async def _send_back(self, run: RunRecord, faulty: Sequence[_Faulty], ledger: Ledger, seen: SeenItems) -> None:
        number = 1 + max((call.number for call in self._bank.runs.each_call(run.id)), default=-1)
        request = self._request(number, faulty)
        reserved = self._budget.worst_case_usd(request.charged_text)
        if not self._budget.reserve(reserved):
            self._done.stopped = "the next call might go beyond --max-cost"
            return
        ids = [one.item.id for one in faulty]
        intent: dict[str, Any] = {"n": 0, "offset": 0, REPAIR: ids, "prompt": request.prompt, RESERVED: reserved}
        call_id = await ledger.write(lambda bank: bank.runs.intend(run.id, number, intent))
        assumed = 0.0

        async def send(_attempt: int) -> Reply:
            await self._gate.enter(2 * estimate_tokens(request.charged_text))
            return await self._provider.call(request)

        def may_try_again(failure: ProviderError) -> bool:
            nonlocal assumed
            if not failure.may_be_paid:
                return True
            assumed += reserved
            return self._budget.assume_spent(reserved)

        answer = await answer_or_failure(send, stopping=self._stopping, may_try_again=may_try_again)
        result = result_of(answer, request, self._plan, wanted=0, seen=SeenItems(), secrets=self._provider.secrets)
        cost = settled(self._budget, reserved, result, paid=self._provider.paid)
        # No items of the run come of it, so that it counts none.
        kept = result.record(cost, secrets=self._provider.secrets, assumed_usd=assumed)
        kept["usage"] = result.usage.as_counts()
        try:
            await ledger.write(lambda bank: self._keep(bank, run, call_id, number, faulty, result, kept, seen))
        except Exception as error:
            # The answer has been paid for: the next go at the run takes it in, though not its mended items.
            place = Spill(self._bank.path, self._plan.identity).keep({"number": number, **kept})
            if not isinstance(error, GapsmithError) or place is None:
                raise
            raise GapsmithError(f"{error.message}\nThe answer that came waits in {place}", hint=error.hint) from None
        self._done.calls += 1
        self._done.cost_usd += cost or 0.0
        if result.failure is not None:
            self._done.failure = result.failure
            self._observer.note(f"repair: {result.failure.rule.message}")
            if result.failure.rule.action is not Action.ASK_AGAIN:
                self._done.stopped = result.failure.message

    def _request(self, number: int, faulty: Sequence[_Faulty]) -> CallRequest:
        plan = self._plan
        parameters = plan.parameters
        if parameters.seed is not None:
            parameters = replace(parameters, seed=parameters.seed + number)
        prompt = repair_prompt(self._prompt, plan.paradigm, [(one.item.slots or {}, one.faults) for one in faulty], plan.advice)
        return CallRequest(number, 0, len(faulty), Mode.SLOTS, parameters, prompt, self._schema)

    def _keep(
        self,
        bank: Bank,
        run: RunRecord,
        call_id: int,
        number: int,
        faulty: Sequence[_Faulty],
        result: CallResult,
        kept: Mapping[str, Any],
        seen: SeenItems,
    ) -> None:
        fillings = parse_slots(result.text, self._plan.paradigm).slots if result.text and not result.failure else ()
        mended = better = 0
        # Fillings are told apart by their order, so that an answer with too few or too many says nothing.
        for one, filling in zip(faulty, fillings if len(fillings) == len(faulty) else (), strict=False):
            left = self._revise(bank, run, number, call_id, one, filling, seen)
            mended += left == 0
            better += left is not None and left > 0
        counts = {"sent_back": len(faulty), "mended": mended, "better": better}
        bank.runs.reply(call_id, **{**kept, "usage": {**kept["usage"], **counts}})
        self._done.sent_back += len(faulty)
        self._done.mended += mended
        self._done.better += better

    def _revise(
        self, bank: Bank, run: RunRecord, number: int, call_id: int, one: _Faulty, filling: Mapping[str, str], seen: SeenItems
    ) -> int | None:
        """How many errors the item has in its new version; None where it keeps the old one."""
        now = bank.items.get(one.item.id)
        if now.revision_id != one.item.revision_id or not _is_undecided(bank, now.id):
            return None
        try:
            sentences = realise(self._plan.paradigm, filling)
        except ParadigmError:
            return None
        left = sum(fault.serious for fault in self._check(filling))
        if left >= one.n_errors or not seen.add(sentences):
            return None
        codes = ", ".join(sorted({fault.code for fault in one.faults if fault.serious}))
        note = f"repair of {codes}: run {run.id}, call {number}"
        bank.items.revise(now.id, slots=filling, sentences=sentences, author=self._author, note=note, call_id=call_id)
        return left


def _is_undecided(bank: Bank, item_id: int) -> bool:
    """Whether nobody has decided on the item, whoever runs this: what has been decided on is not written anew."""
    return bool(bank.items.ids(ItemFilter(ids=(item_id,), standing=(ItemStatus.PENDING,))))
