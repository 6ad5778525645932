"""Making items: a run prepared, carried out, repaired, and what is said of it."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from gapsmith.app.chosen import adviser, generation_order
from gapsmith.app.few_items import few_items
from gapsmith.app.generated import (
    Generated,
    Planned,
    UnfinishedRunError,
    failure_of,
    failure_of_repair,
    pace,
    ranges,
    repair_summary,
    summary,
)
from gapsmith.app.generation import carry_out, carry_out_repair
from gapsmith.app.paradigm_update import other_forms
from gapsmith.app.requests.making import Generate
from gapsmith.app.run_log import write_run_log
from gapsmith.app.services import QUIET, Services
from gapsmith.app.stages.looking import look_or_say
from gapsmith.app.workspace import Workspace
from gapsmith.bank import Bank, ItemFilter
from gapsmith.prompts import Ending, GenerationOutcome, Observer, Prepared, Quiet, Repaired, RunCounts, prepare


def generate(workspace: Workspace, request: Generate, services: Services = QUIET) -> Generated:
    """A `Paradigm` that was made or changed in Python can stand in the place of a name.

    Raises `gapsmith.app.generated.UnfinishedRunError`, whose `generated` says what there is, where the run ends before everything is
    there: a limit of cost, a provider that fails. Raises `ConfigError` for what nobody can do."""
    found = generated(workspace, request, services)
    if found.failure is not None:
        raise found.failure
    return found


def generated(workspace: Workspace, request: Generate, services: Services) -> Generated:
    """The same; a failure is in what comes out."""
    prepared = _prepared(workspace, request, services)
    say_notes(prepared, services)
    plan = prepared.plan
    for line in few_items(
        plan.paradigm, plan.n, by_model=not prepared.provider.finite, chosen=plan.parameters.levels is not None
    ):
        services.warn(line)
    if request.dry_run:
        return Generated(request, planned=Planned(prepared.plan, prepared.price, prepared.estimate(workspace.bank)))
    paradigm = prepared.plan.paradigm
    if prepared.plan.feedback:
        # Reasons for exclusion that the reader may not see are not told to the model.
        look_or_say(workspace.bank, ItemFilter(paradigm=paradigm.name), services, look=False)
    if said := other_forms(workspace.bank, paradigm):
        services.warn(said)
    outcome = _carried_out(prepared, workspace.bank, services)
    failure = told(outcome, prepared, workspace.bank, services)
    repaired = None
    if request.repair and outcome.ending in (Ending.COMPLETE, Ending.EXHAUSTED, Ending.ALREADY_THERE):
        repaired = _repaired(outcome, workspace, request, services)
        failure = failure_of_repair(repaired)
        if failure is not None and repaired.failure is not None:
            _log(failure, outcome, prepared, workspace.bank, services)
    return with_failure(Generated(request, outcome, repaired=repaired), failure)


def with_failure(found: Generated, failure: UnfinishedRunError | None) -> Generated:
    """The result with its failure, which knows the result."""
    if failure is None:
        return found
    found = replace(found, failure=failure)
    failure.generated = found
    return found


def say_notes(prepared: Prepared, services: Services) -> None:
    """Where requests go, and with which key."""
    for line in prepared.provider.notes:
        if line.startswith("warning: "):
            services.warn(line.removeprefix("warning: "))
        else:
            services.note(line)


def told(outcome: GenerationOutcome, prepared: Prepared, bank: Bank, services: Services) -> UnfinishedRunError | None:
    """Say what a go at a run came to; what failed is given back, with the log of the run where one was paid."""
    run, tally = outcome.run, outcome.tally
    services.note(summary(outcome))
    if outcome.unanswered:
        numbers = ranges(call.number for call in outcome.unanswered)
        services.warn(f"calls without an answer, which may have been paid: {numbers} (gapsmith runs show {run.id})")
    if outcome.ending is Ending.EXHAUSTED:
        services.warn(f"the word lists give no more: {tally.in_bank} of {tally.target} items. Another --seed may help.")
    if outcome.ending is Ending.UNDER_WAY:
        services.note(f"Next: gapsmith runs watch {run.id}")
    if outcome.ending is Ending.PARTLY and outcome.failure is not None:
        services.warn(f"some calls failed; the last one: {outcome.failure.message}")
    if outcome.ending in (Ending.COMPLETE, Ending.EXHAUSTED, Ending.ALREADY_THERE):
        services.note(f"Next: gapsmith lint -p {run.paradigm}")
    failure = failure_of(outcome)
    if failure is not None and (outcome.failure is not None or outcome.ending is Ending.GAVE_UP):
        _log(failure, outcome, prepared, bank, services)
    return failure


def _log(failure: UnfinishedRunError, outcome: GenerationOutcome, prepared: Prepared, bank: Bank, services: Services) -> None:
    """A run of a paid provider that failed leaves a log, which the failure names."""
    if prepared.provider.paid and (path := write_run_log(bank, outcome.run.id, failure.message, services.variables)):
        failure.hint = f"{failure.hint} What was asked and what came back: {path}".strip()


def _prepared(workspace: Workspace, request: Generate, services: Services) -> Prepared:
    handed = (services.hand or {}).get("paradigm")
    paradigm = workspace.paradigm(request.paradigm) if handed is None else handed
    order = generation_order(workspace, request, paradigm)
    return prepare(order, workspace.bank, workspace=workspace.root, environment=services.variables)


def unless_gone(say: Callable[[str], None]) -> Callable[[str], None]:
    """A terminal that has gone takes no words; the answers on their way are waited for all the same."""

    def said(message: str) -> None:
        with suppress(OSError):
            say(message)

    return said


def observer_of(services: Services) -> Observer:
    """Who hears what a run says: the one that was handed over, else whoever reads notes."""

    say = unless_gone(services.note)

    class Listener(Quiet):
        def note(self, message: str) -> None:
            say(message)

    found: Observer = (services.hand or {}).get("observer") or Listener()
    return found


def _carried_out(prepared: Prepared, bank: Bank, services: Services) -> GenerationOutcome:
    plan, listener, say = prepared.plan, observer_of(services), unless_gone(services.note)
    with services.progress(f"Generating {plan.paradigm.name}", plan.n) as advance:
        started = time.monotonic()

        class Watcher:
            def progress(self, tally: RunCounts) -> None:
                with suppress(OSError):
                    advance(tally.in_bank, told=pace(tally, time.monotonic() - started))
                listener.progress(tally)

            def note(self, message: str) -> None:
                listener.note(message)

        def interrupted(underway: int) -> None:
            awaited = f"waiting for {underway} answers that are on their way" if underway else "stopping"
            say(f"{awaited}; Ctrl-C again stops at once")

        return carry_out(prepared, bank, Watcher(), on_interrupt=interrupted)


def _repaired(outcome: GenerationOutcome, workspace: Workspace, request: Generate, services: Services) -> Repaired:
    # The provider of the run is closed; a repair is a go of its own, in the same run and within the same limits.
    prepared = _prepared(workspace, replace(request, new_run=False), services)
    say = unless_gone(services.note)
    asked = adviser(workspace.settings, prepared.plan.paradigm, workspace.root)
    repaired = carry_out_repair(
        prepared,
        workspace.bank,
        outcome.run,
        asked.check,
        rounds=request.repair,
        observer=observer_of(services),
        on_interrupt=lambda _: say("waiting for the answer that is on its way; Ctrl-C again stops at once"),
    )
    items = workspace.bank.items.iterate(ItemFilter(run_id=outcome.run.id))
    services.note(f"{repair_summary(repaired)} Rules on words {asked.looked_at(one.slots for one in items if one.slots).told}.")
    return repaired
