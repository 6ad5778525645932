"""What runs were worth: how much of what was asked for came back, could be read, was clean and was approved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from gapsmith.bank import BATCH, Bank, CallRecord, ItemFilter, ItemStatus, RunRecord, Severity, StoredItem
from gapsmith.prompts.engine import REPAIR
from gapsmith.prompts.failures import RULES, FailureKind
from gapsmith.prompts.request import Mode
from gapsmith.prompts.usage import Usage
from gapsmith.templates import Paradigm

_MAY_BE_PAID = {kind.value for kind in FailureKind if RULES[kind].may_be_paid}


@dataclass(frozen=True, slots=True)
class RunYield:
    """The counts of one run. Items are counted as they stand now."""

    run: RunRecord
    calls: int
    failed_calls: int
    """Answered with something that was no good, or refused."""
    unanswered: tuple[int, ...]
    """Numbers of the calls without an answer that may have been paid."""
    awaited: tuple[int, ...]
    """Numbers of the calls of a batch that is with the provider."""
    attempts: int
    asked: int
    """Items that the answered calls were to bring; in a run for all there are, a last call counts what there was."""
    returned: int
    duplicates: int
    unreadable: int
    surplus: int
    items: int
    """Items of the run in the bank."""
    read_back: int
    """Items whose words are known: made from slots, or read back, without a rest, from every condition of their design."""
    linted: int
    clean: int
    """Linted items without an error or a warning."""
    approved: int
    excluded: int
    sent_back: int
    """Items with errors that went back to the model, each as often as it did."""
    mended: int
    """Of these, items that came back without an error."""
    sound_before: int | None
    """Items without an error before any went back, as far as they are linted or went back; None where none did."""
    sound_after: int | None
    """Items without an error after that."""
    usage: Usage
    cost_usd: float | None
    """None where no call's cost is known."""
    calls_of_unknown_cost: int

    @property
    def cost_per_approved_usd(self) -> float | None:
        """None where nothing is approved yet, or the cost of a call is not known."""
        if not self.approved or self.cost_usd is None or self.calls_of_unknown_cost:
            return None
        return self.cost_usd / self.approved


@dataclass(frozen=True, slots=True)
class PooledYield:
    """The runs of one paradigm with one provider, model and prompt, taken together."""

    paradigm: str
    provider: str
    model: str | None
    prompt: str | None
    prompt_hash: str | None
    runs: tuple[int, ...]
    asked: int
    returned: int
    read_back: int
    items: int
    clean: int
    linted: int
    approved: int
    cost_usd: float | None
    """None where the cost of a call is not known."""

    @property
    def cost_per_approved_usd(self) -> float | None:
        """None where nothing is approved, or the cost is not known."""
        return self.cost_usd / self.approved if self.approved and self.cost_usd is not None else None

    def as_data(self) -> dict[str, Any]:
        """As JSON takes it."""
        return {**asdict(self), "runs": list(self.runs), "cost_per_approved_usd": self.cost_per_approved_usd}


def compare_runs(yields: Sequence[RunYield]) -> list[PooledYield]:
    """Runs taken together by paradigm, provider, model and prompt (by its hash), in the order of the first of each."""
    groups: dict[tuple[Any, ...], list[RunYield]] = {}
    for one in yields:
        run = one.run
        key = (run.paradigm, run.provider, run.model, run.prompt_name, run.prompt_hash)
        groups.setdefault(key, []).append(one)
    return [_together(key, group) for key, group in groups.items()]


def _together(key: tuple[Any, ...], group: list[RunYield]) -> PooledYield:
    def total(name: str) -> int:
        return sum(getattr(one, name) for one in group)

    unknown = any(one.calls_of_unknown_cost or one.unanswered for one in group)
    cost = None if unknown else sum(one.cost_usd or 0.0 for one in group)
    paradigm, provider, model, prompt, prompt_hash = key
    return PooledYield(
        paradigm=paradigm,
        provider=provider,
        model=model,
        prompt=prompt,
        prompt_hash=prompt_hash,
        runs=tuple(one.run.id for one in group),
        asked=total("asked"),
        returned=total("returned"),
        read_back=total("read_back"),
        items=total("items"),
        clean=total("clean"),
        linted=total("linted"),
        approved=total("approved"),
        cost_usd=cost,
    )


def run_yield(bank: Bank, run: RunRecord) -> RunYield:
    """The yield of a run."""
    counts = dict.fromkeys(("returned", "duplicates", "unreadable", "surplus", "sent_back", "mended"), 0)
    usage = Usage()
    calls = failed = attempts = asked = unknown = 0
    known_cost: float | None = None
    unanswered: list[int] = []
    awaited: list[int] = []
    batch = bank.batches.open(run.id)
    went_back: set[int] = set()
    for call in bank.runs.each_call(run.id):
        calls += 1
        attempts += call.attempts
        free = run.provider == "lexicon" or run.parameters.get("free")
        paid_unseen = call.replied_at is None and not free
        if batch is not None and batch.name and call.request.get(BATCH) == batch.uid and call.replied_at is None:
            awaited.append(call.number)
        elif paid_unseen or call.outcome in _MAY_BE_PAID:
            unanswered.append(call.number)
        if call.replied_at is None:
            continue
        went_back |= set(call.request.get(REPAIR, ()))
        asked += _asked(run, call)
        failed += call.outcome != "ok"
        usage += Usage.from_counts(call.usage)
        for name in counts:
            counts[name] += call.usage.get(name, 0)
        if call.cost_usd is None:
            unknown += 1
        else:
            known_cost = (known_cost or 0.0) + call.cost_usd
    mine = ItemFilter(run_id=run.id)
    items = bank.items.count(mine)
    statuses = bank.items.count_by_status(mine)
    linted = items - len(bank.findings.unlinted(mine))
    faulty = bank.items.count(ItemFilter(run_id=run.id, severity=Severity.WARNING))
    errors = set(bank.items.ids(ItemFilter(run_id=run.id, severity=Severity.ERROR)))
    before = items - len(errors | went_back) if went_back else None
    return RunYield(
        run=run,
        calls=calls,
        failed_calls=failed,
        unanswered=tuple(unanswered),
        awaited=tuple(awaited),
        attempts=attempts,
        asked=asked,
        **counts,
        items=items,
        read_back=_read_back(bank, run, items),
        linted=linted,
        clean=max(0, linted - faulty),
        approved=statuses.get(ItemStatus.APPROVED, 0),
        excluded=statuses.get(ItemStatus.EXCLUDED, 0),
        sound_before=before,
        sound_after=before + counts["mended"] if before is not None else None,
        usage=usage,
        cost_usd=known_cost,
        calls_of_unknown_cost=unknown,
    )


def _asked(run: RunRecord, call: CallRecord) -> int:
    if run.parameters.get("n") is None and call.finish_reason == "exhausted":
        return call.usage.get("returned", 0)
    return int(call.request.get("n", 0))


def _read_back(bank: Bank, run: RunRecord, items: int) -> int:
    if run.kind == "generate" and run.parameters.get("mode") == Mode.SLOTS.value:
        return items
    paradigm = bank.paradigms.load(run.paradigm_id)
    return sum(_is_read_back(item, paradigm) for item in bank.items.iterate(ItemFilter(run_id=run.id)))


def _is_read_back(item: StoredItem, paradigm: Paradigm) -> bool:
    wanted = item.expects if item.expects is not None else tuple(paradigm.condition_by_name)
    return (
        item.slots is not None
        and all(sentence.regions is not None for sentence in item.sentences)
        and {sentence.condition for sentence in item.sentences}.issuperset(wanted)
    )
