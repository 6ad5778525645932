"""`gapsmith generate`: new items for a paradigm, from its word lists or from a language model."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import typer

from gapsmith.app.cli import generate_options as options
from gapsmith.app.cli.options import JsonOption, WorkspaceOption
from gapsmith.templates import count

if TYPE_CHECKING:
    from gapsmith.app.workspace import Workspace
    from gapsmith.prompts import Estimate, GenerationOutcome, Order, Prepared, Repaired, RunCounts

_SILENCE_S = 30.0


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.command("generate")(generate)


def generate(
    paradigm: options.ParadigmName,
    n: options.NItems = None,
    everything: options.AllFlag = False,
    seed: options.Seed = None,
    band: options.Band = None,
    levels: options.Levels = None,
    dataset: options.Dataset = None,
    new_run: options.NewRun = False,
    resume: options.Resume = None,
    dry_run: options.DryRun = False,
    provider: options.ProviderName = None,
    model: options.ModelName = None,
    base_url: options.BaseUrl = None,
    send_key_to: options.SendKeyTo = None,
    mode: options.ModeName = None,
    design: options.Design = None,
    prompt: options.PromptName = None,
    feedback: options.Feedback = False,
    repair: options.RepairRounds = 0,
    temperature: options.Temperature = None,
    top_p: options.TopP = None,
    api: options.Api = None,
    extra_body: options.ExtraBody = None,
    thinking: options.Thinking = None,
    max_output_tokens: options.MaxOutputTokens = None,
    n_per_call: options.NPerCall = None,
    concurrency: options.Concurrency = None,
    rpm: options.Rpm = None,
    tpm: options.Tpm = None,
    max_cost: options.MaxCost = None,
    prices: options.Prices = None,
    tier: options.Tier = None,
    batch: options.Batch = False,
    reuse: options.Reuse = False,
    free: options.Free = False,
    timeout: options.Timeout = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make new items for a paradigm and keep them in the bank.

    The same command run again goes on where it stopped, and does nothing where it was complete."""
    from gapsmith.app.cli.console import say_where
    from gapsmith.app.workspace import find_workspace, open_workspace, trial_workspace

    flags = dict(locals())
    there = find_workspace(workspace) is not None
    if dry_run or not there:
        # A workspace is made only after everything that can be refused has been looked at.
        with open_workspace(workspace) if there else trial_workspace(workspace) as ws:
            prepared = _prepared(ws, flags)
            estimate = prepared.estimate(ws.bank)
        if dry_run:
            _say_notes(prepared)
            _show_estimate(prepared, estimate, as_json=as_json)
            return
    with open_workspace(workspace, create=True) as ws:
        say_where(ws)
        prepared = _prepared(ws, flags)
        _say_notes(prepared)
        _say_of_feedback(ws, prepared)
        _say_of_items(ws, prepared)
        outcome = _carry_out(prepared, ws)
        repaired = _repair(outcome, ws, flags) if repair else None
    if as_json:
        from gapsmith.app.cli.console import print_json

        print_json(outcome_data(outcome) | ({"repair": _repair_data(repaired)} if repaired is not None else {}))
    code = report_outcome(outcome)
    raise typer.Exit(code or (_report_repair(repaired) if repaired is not None else 0))


def _say_of_items(ws: Workspace, prepared: Prepared) -> None:
    from gapsmith.app.cli.console import warning
    from gapsmith.app.paradigm_update import other_forms

    if said := other_forms(ws.bank, prepared.plan.paradigm):
        warning(said)


def _prepared(ws: Workspace, flags: Mapping[str, Any]) -> Prepared:
    from gapsmith.prompts import prepare

    return prepare(_order(ws, flags), ws.bank, workspace=ws.root, environment=os.environ)


def _say_notes(prepared: Prepared) -> None:
    from gapsmith.app.cli.console import note

    for line in prepared.provider.notes:
        note(line)


def _say_of_feedback(ws: Workspace, prepared: Prepared) -> None:
    """That reasons for exclusion which the reader may not see are not told to the model."""
    from gapsmith.app.cli.looking import look_or_say
    from gapsmith.bank import ItemFilter

    if prepared.plan.feedback:
        look_or_say(ws.bank, ItemFilter(paradigm=prepared.plan.paradigm.name), look=False)


def _order(ws: Workspace, flags: Mapping[str, Any]) -> Order:
    from gapsmith.app.chosen import Asking, generation_order
    from gapsmith.bank import DEFAULT_DATASET
    from gapsmith.prompts import Mode, Order
    from gapsmith.templates import ConfigError

    if flags["mode"] is not None and flags["mode"] not in set(Mode):
        raise ConfigError(f"--mode {flags['mode']!r} is not known", hint=f"There are: {', '.join(Mode)}.")
    order = Order(
        paradigm=ws.paradigm(flags["paradigm"]),
        n=flags["n"],
        everything=flags["everything"],
        mode=Mode(flags["mode"]) if flags["mode"] else None,
        design=flags["design"],
        prompt=flags["prompt"],
        seed=flags["seed"],
        band=flags["band"],
        levels=";".join(flags["levels"]) if flags["levels"] else None,
        batch=flags["batch"],
        reuse=flags["reuse"],
        repair=flags["repair"],
        feedback=flags["feedback"],
        new_run=flags["new_run"],
        resume=flags["resume"],
        dataset=flags["dataset"] or DEFAULT_DATASET,
    )
    return generation_order(ws, order, Asking(**{entry.name: flags[entry.name] for entry in fields(Asking)}))


def _carry_out(prepared: Prepared, ws: Workspace) -> GenerationOutcome:
    from gapsmith.app.cli.console import note, progress_bar
    from gapsmith.app.generation import carry_out

    plan = prepared.plan
    with progress_bar(f"Generating {plan.paradigm.name}", total=plan.n) as bar:
        started = time.monotonic()
        spoken = started

        class Watcher:
            # A terminal that has gone takes no words; the answers on their way are waited for all the same.
            def progress(self, tally: RunCounts) -> None:
                nonlocal spoken
                now = time.monotonic()
                with suppress(OSError):
                    bar.update(bar.task_ids[0], completed=tally.in_bank, told=pace(tally, now - started))
                    if bar.disable and now - spoken >= _SILENCE_S:
                        # In a log there is no bar; a line now and then says that something happens.
                        spoken = now
                        note(f"{count(tally.in_bank, 'item')}; {pace(tally, now - started)}")

            def note(self, message: str) -> None:
                with suppress(OSError):
                    bar.console.print(message, markup=False)

        def interrupted(underway: int) -> None:
            awaited = f"waiting for {underway} answers that are on their way" if underway else "stopping"
            with suppress(OSError):
                note(f"{awaited}; Ctrl-C again stops at once")

        return carry_out(prepared, ws.bank, Watcher(), on_interrupt=interrupted)


def _repair(outcome: GenerationOutcome, ws: Workspace, flags: Mapping[str, Any]) -> Repaired | None:
    from gapsmith.app.chosen import adviser
    from gapsmith.app.cli.console import note
    from gapsmith.app.generation import carry_out_repair
    from gapsmith.prompts import Ending, Quiet

    if outcome.ending not in (Ending.COMPLETE, Ending.EXHAUSTED, Ending.ALREADY_THERE):
        return None
    # The provider of the run is closed; a repair is a go of its own, in the same run and within the same limits.
    prepared = _prepared(ws, {**flags, "new_run": False})

    class Watcher(Quiet):
        def note(self, message: str) -> None:
            with suppress(OSError):
                note(message)

    return carry_out_repair(
        prepared,
        ws.bank,
        outcome.run,
        adviser(ws.settings, prepared.plan.paradigm, ws.root).check,
        rounds=flags["repair"],
        observer=Watcher(),
        on_interrupt=lambda _: note("waiting for the answer that is on its way; Ctrl-C again stops at once"),
    )


def _report_repair(repaired: Repaired) -> int:
    from gapsmith.app.cli.console import ExitCode, error, note

    if not repaired.faulty:
        note("Repair: the linter finds no error in these items.")
        return ExitCode.OK
    cost = f", ${repaired.cost_usd:.4f}" if repaired.cost_usd else ""
    left = repaired.faulty - repaired.mended
    note(
        f"Repair: {count(repaired.faulty, 'item')} had an error; {repaired.mended} have none now"
        f" ({count(repaired.calls, 'call')}{cost})." + (f" {left} wait for a person." if left else "")
    )
    if repaired.stopped:
        error(f"repair: {repaired.stopped}", repaired.failure.hint if repaired.failure else "")
        return ExitCode.PROVIDER if repaired.failure else ExitCode.FAILED
    return ExitCode.OK


def _repair_data(repaired: Repaired) -> dict[str, Any]:
    from dataclasses import asdict

    return {name: value for name, value in asdict(replace(repaired, failure=None)).items() if name != "failure"}


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


def report_outcome(outcome: GenerationOutcome) -> int:
    """Say what a go at a run came to; the exit code."""
    from gapsmith.app.cli.console import ExitCode, error, note, ranges, warning
    from gapsmith.prompts import Ending

    tally, run = outcome.tally, outcome.run
    note(_summary(outcome))
    if outcome.unanswered:
        numbers = ranges(call.number for call in outcome.unanswered)
        warning(f"calls without an answer, which may have been paid: {numbers} (gapsmith runs show {run.id})")
    if outcome.ending is Ending.EXHAUSTED:
        warning(f"the word lists give no more: {tally.in_bank} of {tally.target} items. Another --seed may help.")
    if outcome.ending is Ending.BUDGET:
        error("stopped: the next call might go beyond --max-cost", "Raise it; the same command continues this run.")
    if outcome.ending is Ending.INTERRUPTED:
        error("stopped as asked", "What was committed is kept; the same command continues this run.")
    if outcome.ending is Ending.GAVE_UP:
        hint = outcome.failure.hint if outcome.failure else "Use another prompt, model or --temperature."
        error("stopped: several answers in a row brought no new item", hint)
    if outcome.ending is Ending.FAILED and outcome.failure is not None:
        error(outcome.failure.message, outcome.failure.hint)
    if outcome.ending is Ending.UNDER_WAY:
        note(f"Next: gapsmith runs watch {run.id}")
        return ExitCode.OK
    if outcome.ending is Ending.PERHAPS_SENT:
        error(
            "whether the provider has made the batch is not known: no answer came, and its list does not show it"
            + (f" ({outcome.failure.message})" if outcome.failure is not None else ""),
            f"It may have been paid and is not sent again. `gapsmith runs watch {run.id}` looks for it once more;"
            " with --give-up it no longer stands in the way.",
        )
        return ExitCode.PROVIDER
    if outcome.ending is Ending.PARTLY:
        if outcome.failure is not None:
            warning(f"some calls failed; the last one: {outcome.failure.message}")
        error(
            f"{tally.in_bank} of {tally.target} items are there, and no batch is under way",
            "The command that began the run asks for the rest, with --batch or without.",
        )
    if outcome.ending in (Ending.COMPLETE, Ending.EXHAUSTED, Ending.ALREADY_THERE):
        note(f"Next: gapsmith lint -p {run.paradigm}")
        return ExitCode.OK
    return ExitCode.PROVIDER if outcome.ending in (Ending.FAILED, Ending.GAVE_UP) else ExitCode.FAILED


def _summary(outcome: GenerationOutcome) -> str:
    from gapsmith.prompts import Ending

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


def outcome_data(outcome: GenerationOutcome) -> dict[str, Any]:
    from dataclasses import asdict

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


def _show_estimate(prepared: Prepared, estimate: Estimate, *, as_json: bool) -> None:
    from gapsmith.app.cli.console import print_json, print_text

    price = prepared.price
    if as_json:
        print_json(
            {
                "provider": prepared.plan.provider,
                "model": prepared.plan.parameters.model,
                "calls": estimate.calls,
                "input_tokens": estimate.input_tokens,
                "output_tokens": estimate.output_tokens,
                "cost_usd": estimate.cost_usd,
                "price_as_of": price.as_of.isoformat() if price else None,
                "prompt": estimate.prompt,
            }
        )
        return
    if estimate.cost_usd is None:
        cost = f"unknown: no price for {prepared.plan.parameters.model} (see docs/generation.md)"
    else:
        cost = f"${estimate.cost_usd:.4f}" + (f", by the price of {price.as_of}" if price else "")
    print_text(
        f"calls: {estimate.calls} of {count(prepared.plan.n_per_call, 'item')}\n"
        f"tokens: about {estimate.input_tokens} in, {estimate.output_tokens} out, thinking not counted\n"
        f"cost: {cost}\n"
    )
    if estimate.prompt:
        print_text(f"--- the first prompt ---\n{estimate.prompt}")
