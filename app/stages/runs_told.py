"""What was asked for, what came back, what it was worth, and where an item is from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from gapsmith.app.listed import Listed
from gapsmith.app.requests.base import Unset
from gapsmith.app.requests.telling import CompareRuns, ListRuns, ShowRun, TraceItem
from gapsmith.app.services import QUIET, Services
from gapsmith.app.stages.looking import look_or_say
from gapsmith.app.stages.selecting import selection_of
from gapsmith.app.workspace import Workspace
from gapsmith.bank import Bank, CallRecord, ItemFilter, Looked, RunRecord, StoredItem, naming
from gapsmith.prompts import BODY, EARLIER_BODIES, PooledYield, RunYield, compare_runs, run_yield, unpack_body
from gapsmith.templates import ConfigError


class Runs(Listed[RunYield]):
    """Runs, each with its yield."""

    __slots__ = ()

    def row_data(self, row: RunYield) -> dict[str, Any]:
        """A run as JSON takes it."""
        return yield_data(row)


class RunsCompared(Listed[PooledYield]):
    """What runs brought, taken together by paradigm, provider, model and prompt."""

    __slots__ = ()

    def row_data(self, row: PooledYield) -> dict[str, Any]:
        """A line as JSON takes it."""
        return row.as_data()


@dataclass(frozen=True, slots=True)
class RunShown:
    """One run with its calls; or one of these."""

    request: ShowRun
    worth: RunYield
    calls: tuple[CallRecord, ...]
    """As the reader may see them."""
    call: CallRecord | None = None
    """The one that was asked for."""
    looked: Looked = field(default_factory=Looked)
    """What the rules on words looked at in its items, of which `worth` counts those without a finding."""

    @property
    def run(self) -> RunRecord:
        """The run."""
        return self.worth.run

    @property
    def body(self) -> bytes:
        """The HTTP body of the call that was asked for. Raises `ConfigError` where it has none."""
        if self.call is None or BODY not in self.call.details:
            which = f"call {self.call.number}" if self.call is not None else "a run as a whole"
            raise ConfigError(f"{which} has no HTTP body", hint="Leave out --raw to see what there is.")
        return unpack_body(self.call.details[BODY])

    def as_data(self) -> dict[str, Any]:
        """The run with its calls, or the call that was asked for with prompt and answer, as JSON takes it."""
        if self.call is not None:
            return call_data(self.call, full=True)
        return {
            **yield_data(self.worth),
            "looked_at": self.looked.as_data(),
            "calls_made": [call_data(call) for call in self.calls],
        }


@dataclass(frozen=True, slots=True)
class ItemTraced:
    """Where an item is from."""

    request: TraceItem
    item: StoredItem
    run: RunRecord
    call: CallRecord | None

    def origin(self) -> dict[str, Any]:
        """Run, prompt, call and raw answer."""
        run, call = self.run, self.call
        return {
            "run": run.id,
            "kind": run.kind,
            "provider": run.provider,
            "model": run.model,
            "prompt": run.prompt_name,
            "prompt_hash": run.prompt_hash,
            "call": call.number if call else None,
            "finish_reason": call.finish_reason if call else None,
            "answered_by": call.details.get("model") if call else None,
            "at": call.replied_at if call else run.started_at,
            "reply": call.reply if call else None,
        }

    def as_data(self) -> dict[str, Any]:
        """The same with the item, as JSON takes it."""
        item = self.item
        named = {"item": item.label, **naming(item), "paradigm": item.paradigm, "dataset": item.dataset}
        return {**named, **self.origin(), "request": self.run.request}


def list_runs(workspace: Workspace, request: ListRuns, services: Services = QUIET) -> Runs:
    """Oldest first; counts of decisions are those that the reader may see. Raises `GapsmithError` where it would tell which items
    calibrate: after a decision of one's own the count of its run is another."""
    workspace.bank.gate.expect_to_tell_origins("what was decided by run")
    _say_left_out(workspace.bank, request.paradigm, services)
    return Runs(request, tuple(run_yield(workspace.bank, run) for run in _of(workspace.bank.runs.all(), request.paradigm)))


def compare(workspace: Workspace, request: CompareRuns, services: Services = QUIET) -> RunsCompared:
    """Generations only. Raises `GapsmithError` for a run that is not there, and where it would tell which items calibrate."""
    bank = workspace.bank
    bank.gate.expect_to_tell_origins("what was decided by run")
    _say_left_out(bank, request.paradigm, services)
    chosen = [bank.runs.get(number) for number in request.runs] if request.runs else bank.runs.all()
    made = [run for run in _of(chosen, request.paradigm) if run.kind == "generate"]
    return RunsCompared(request, tuple(compare_runs([run_yield(bank, run) for run in made])))


def show_run(workspace: Workspace, request: ShowRun, services: Services = QUIET) -> RunShown:
    """Raises `GapsmithError` for a run or a call that is not there, and where it would tell which items calibrate."""
    bank = workspace.bank
    bank.gate.expect_to_tell_origins("a run with its calls and answers")
    run = bank.runs.get(request.run)
    calls = tuple(replace(call, request=bank.gate.shown_request(run, call.request)) for call in bank.runs.each_call(run.id))
    if isinstance(request.call, Unset):
        look_or_say(bank, ItemFilter(run_id=run.id), services, look=False)
        return RunShown(request, run_yield(bank, run), calls, looked=bank.findings.looked(ItemFilter(run_id=run.id)))
    chosen = next((call for call in calls if call.number == request.call), None)
    if chosen is None:
        raise ConfigError(
            f"run {run.id} has no call {request.call}",
            hint=f"It has the calls 0 to {len(calls) - 1}." if calls else "It has no calls.",
        )
    return RunShown(request, run_yield(bank, run), calls, chosen)


def trace_item(workspace: Workspace, request: TraceItem, _services: Services = QUIET) -> ItemTraced:
    """Raises `GapsmithError` where no item, or more than one, is called so, and where it would tell which items calibrate."""
    bank, label = workspace.bank, request.label
    bank.gate.expect_to_tell_origins("where an item is from")
    found = list(bank.items.iterate(replace(selection_of(bank, request), labels=(label,))))
    if len(found) != 1:
        several = ", ".join(f"{item.paradigm}/{item.dataset}" for item in found)
        raise ConfigError(
            f"{len(found)} items are called {label!r}" + (f": {several}" if several else ""),
            hint="Narrow it with -p PARADIGM and -d DATASET." if found else "`gapsmith lint` lists the items.",
        )
    (item,) = found
    return ItemTraced(request, item, bank.runs.get(item.run_id), None if item.call_id is None else bank.runs.call(item.call_id))


def _of(runs: Sequence[RunRecord], paradigms: Sequence[str]) -> list[RunRecord]:
    return [run for run in runs if not paradigms or run.paradigm in paradigms]


def _say_left_out(bank: Bank, paradigms: Sequence[str], services: Services) -> None:
    look_or_say(bank, ItemFilter(paradigms=tuple(paradigms)), services, look=False)


def yield_data(y: RunYield) -> dict[str, Any]:
    """A run and its yield as JSON takes them."""
    run = y.run
    counts = {name: value for name, value in asdict(y).items() if name not in ("run", "usage")}
    return {
        "run": run.id,
        "kind": run.kind,
        "paradigm": run.paradigm,
        "provider": run.provider,
        "model": run.model,
        "prompt": run.prompt_name,
        "prompt_hash": run.prompt_hash,
        "parameters": dict(run.settings),
        "request": run.request,
        "started_at": run.started_at,
        "finished_at": run.finished_at,
        **counts,
        "tokens": y.usage.as_counts(),
        "cost_per_approved_usd": y.cost_per_approved_usd,
    }


def call_data(c: CallRecord, *, full: bool = False) -> dict[str, Any]:
    """A call as JSON takes it; `full` with its prompt and answer."""
    data: dict[str, Any] = {
        "call": c.number,
        "asked": c.request.get("n"),
        "intended_at": c.intended_at,
        "replied_at": c.replied_at,
        "outcome": c.outcome,
        "finish_reason": c.finish_reason,
        "counts": dict(c.usage),
        "attempts": c.attempts,
        "latency_ms": c.latency_ms,
        "cost_usd": c.cost_usd,
        "error": c.error,
        "details": {name: value for name, value in c.details.items() if name not in (BODY, EARLIER_BODIES)},
    }
    return {**data, "request": dict(c.request), "reply": c.reply} if full else data
