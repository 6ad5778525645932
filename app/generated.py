"""What a generation came to: a result that reads well in Python, and as JSON; and what is said of it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from gapsmith.prompts import Ending, GenerationOutcome, RunCounts
from gapsmith.templates import ConfigError, GapsmithError, count

if TYPE_CHECKING:
    from gapsmith.app.requests.making import Generate, WatchRun
    from gapsmith.bank import RunRecord
    from gapsmith.prompts import Estimate, GenerationPlan, Price, Repaired


@dataclass(frozen=True, slots=True)
class Planned:
    """What a run would ask, of whom, and what that costs."""

    plan: GenerationPlan
    price: Price | None
    estimate: Estimate


@dataclass(frozen=True, slots=True)
class Generated:
    """What was asked for, and what came of it: `tally.kept` new items in the bank, `cost_usd` dollars."""

    request: Generate | WatchRun
    outcome: GenerationOutcome | None = None
    """None of a dry run."""
    planned: Planned | None = None
    """Of a dry run."""
    repaired: Repaired | None = None
    """What sending items with errors back to the model came to, where that was asked for."""
    failure: UnfinishedRunError | None = None
    """Why not everything is there; raised by `gapsmith.generate` and `gapsmith.runs_watch`."""

    @property
    def run(self) -> RunRecord:
        """The run in the bank. Raises `ConfigError` for a dry run."""
        return self._outcome.run

    @property
    def ending(self) -> Ending:
        """Why it came to its end. Raises `ConfigError` for a dry run."""
        return self._outcome.ending

    @property
    def tally(self) -> RunCounts:
        """What was asked, came back and was kept. Raises `ConfigError` for a dry run."""
        return self._outcome.tally

    @property
    def cost_usd(self) -> float | None:
        """What it has cost, or of a dry run would; None where that is not known."""
        if self.planned is not None:
            return self.planned.estimate.cost_usd
        return None if self.tally.calls_of_unknown_cost else self.tally.cost_usd

    @property
    def _outcome(self) -> GenerationOutcome:
        if self.outcome is None:
            raise ConfigError("a dry run makes nothing", hint="`planned` says what it would ask, and what that costs.")
        return self.outcome

    def as_data(self) -> dict[str, Any]:
        """The result as JSON takes it."""
        if self.planned is not None:
            return _planned_data(self.planned)
        repaired = {} if self.repaired is None else {"repair": _repaired_data(self.repaired)}
        return _outcome_data(self._outcome) | repaired


class UnfinishedRunError(GapsmithError):
    """A run has ended before everything was there; `generated` says what is. What was committed is kept."""

    generated: Generated

    def __init__(self, message: str, *, hint: str, of_provider: bool) -> None:
        super().__init__(message, hint=hint)
        self.exit_code = 3 if of_provider else 1


def failure_of(outcome: GenerationOutcome) -> UnfinishedRunError | None:
    """Why a go at a run did not bring everything; None where it did, or a batch is on its way."""
    tally, run, failure = outcome.tally, outcome.run, outcome.failure
    kept = "What was committed is kept; the same command continues this run."
    if outcome.ending is Ending.BUDGET:
        return _unfinished("stopped: the next call might go beyond --max-cost", "Raise it; the same command continues this run.")
    if outcome.ending is Ending.INTERRUPTED:
        return _unfinished("stopped as asked", kept)
    if outcome.ending is Ending.GAVE_UP:
        hint = failure.hint if failure else "Use another prompt, model or --temperature."
        return _unfinished("stopped: several answers in a row brought no new item", hint, of_provider=True)
    if outcome.ending is Ending.FAILED:
        found = failure or GapsmithError("the run failed", hint=kept)
        return _unfinished(found.message, found.hint, of_provider=True)
    if outcome.ending is Ending.PERHAPS_SENT:
        return _unfinished(
            "whether the provider has made the batch is not known: no answer came, and its list does not show it"
            + (f" ({failure.message})" if failure is not None else ""),
            f"It may have been paid and is not sent again. `gapsmith runs watch {run.id}` looks for it once more;"
            " with --give-up it no longer stands in the way.",
            of_provider=True,
        )
    if outcome.ending is Ending.PARTLY:
        return _unfinished(
            f"{tally.in_bank} of {tally.target} items are there, and no batch is under way",
            "The command that began the run asks for the rest, with --batch or without.",
        )
    return None


def failure_of_repair(repaired: Repaired) -> UnfinishedRunError | None:
    """Why not all items with errors were sent back; None where they were."""
    if not repaired.stopped:
        return None
    failure = repaired.failure
    return _unfinished(f"repair: {repaired.stopped}", failure.hint if failure else "", of_provider=failure is not None)


def _unfinished(message: str, hint: str, *, of_provider: bool = False) -> UnfinishedRunError:
    return UnfinishedRunError(message, hint=hint, of_provider=of_provider)


def ranges(numbers: Iterable[int]) -> str:
    """Numbers in words, runs of them as ranges: ``0-2, 5``."""
    spans: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if spans and number <= spans[-1][1] + 1:
            spans[-1] = (spans[-1][0], number)
        else:
            spans.append((number, number))
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in spans)


def pace(tally: RunCounts, seconds: float) -> str:
    """How fast it goes, what it has cost, and how long it will take at that: ``24 items/min, $0.0120, 3 min left``."""
    per_minute = 60 * tally.kept / seconds if seconds > 0 else 0.0
    parts = [f"{per_minute:.0f} items/min" if per_minute >= 10 else f"{per_minute:.1f} items/min"]
    if tally.calls_of_unknown_cost:
        parts.append(f"${tally.cost_usd:.4f} and {count(tally.calls_of_unknown_cost, 'call')} of unknown cost")
    elif tally.cost_usd:
        parts.append(f"${tally.cost_usd:.4f}")
    if tally.missing and per_minute:
        parts.append(f"{math.ceil(tally.missing / per_minute)} min left")
    return ", ".join(parts)


def summary(outcome: GenerationOutcome) -> str:
    """What a go at a run came to, in a line."""
    tally, run = outcome.tally, outcome.run
    wanted = "" if tally.target is None else f" of {tally.target}"
    if outcome.ending is Ending.ALREADY_THERE:
        return (
            f"Already there: run {run.id} is complete with {count(tally.in_bank, 'item')}. "
            "Use --new-run or another --seed for more."
        )
    parts = [f"{count(tally.kept, 'new item')} from {count(tally.calls, 'call')}"]
    if outcome.ending is Ending.UNDER_WAY and outcome.batch is not None:
        state = f", {outcome.batch.status}" if outcome.batch.status else ""
        parts = [f"batch {outcome.batch.name} is with {run.provider}{state}"]
    if tally.reused:
        parts.append(f"{count(tally.reused, 'answer')} taken from earlier runs")
    if tally.duplicates:
        parts.append(count(tally.duplicates, "duplicate"))
    if tally.unreadable:
        parts.append(f"{tally.unreadable} unreadable")
    if tally.surplus:
        parts.append(f"{tally.surplus} more than asked for")
    if tally.failed_calls:
        parts.append(count(tally.failed_calls, "failed call"))
    parts.append(f"run {run.id} has {tally.in_bank}{wanted}")
    if tally.cost_usd:
        parts.append(f"cost ${tally.cost_usd:.4f}")
    if tally.calls_of_unknown_cost:
        parts.append(f"cost of {count(tally.calls_of_unknown_cost, 'call')} unknown")
    return f"{run.paradigm}: {'; '.join(parts)}"


def repair_summary(repaired: Repaired) -> str:
    """What sending items back came to, in a line."""
    if not repaired.faulty:
        return "Repair: the linter finds no error in these items."
    cost = f", ${repaired.cost_usd:.4f}" if repaired.cost_usd else ""
    left = repaired.faulty - repaired.mended
    return (
        f"Repair: {count(repaired.faulty, 'item')} had an error; {repaired.mended} have none now"
        f" ({count(repaired.calls, 'call')}{cost})." + (f" {left} wait for a person." if left else "")
    )


def _outcome_data(outcome: GenerationOutcome) -> dict[str, Any]:
    return {
        "run": outcome.run.id,
        "paradigm": outcome.run.paradigm,
        "provider": outcome.run.provider,
        "model": outcome.run.model,
        "ending": outcome.ending.value,
        **asdict(outcome.tally),
        "unanswered_calls": [call.number for call in outcome.unanswered],
        "batch": {"name": outcome.batch.name, "status": outcome.batch.status, "ended_at": outcome.batch.ended_at}
        if outcome.batch is not None
        else None,
        "error": outcome.failure.message if outcome.failure else None,
    }


def _repaired_data(repaired: Repaired) -> dict[str, Any]:
    return {name: value for name, value in asdict(replace(repaired, failure=None)).items() if name != "failure"}


def _planned_data(planned: Planned) -> dict[str, Any]:
    estimate, price = planned.estimate, planned.price
    return {
        "provider": planned.plan.provider,
        "model": planned.plan.parameters.model,
        "calls": estimate.calls,
        "input_tokens": estimate.input_tokens,
        "output_tokens": estimate.output_tokens,
        "cost_usd": estimate.cost_usd,
        "price_as_of": price.as_of.isoformat() if price else None,
        "prompt": estimate.prompt,
    }
