"""`gapsmith generate`: new items for a paradigm, from its word lists or from a language model."""

from __future__ import annotations

from dataclasses import replace

from gapsmith.app.cli.console import print_text, say_where
from gapsmith.app.cli.door import Terminal
from gapsmith.app.generated import Generated, Planned
from gapsmith.app.requests.making import Generate
from gapsmith.app.services import Services
from gapsmith.app.stages.generating import generated
from gapsmith.app.workspace import find_workspace, open_workspace, trial_workspace
from gapsmith.templates import count


def run(request: Generate, terminal: Terminal) -> None:
    """Make items, and print what came of it."""
    there = find_workspace(terminal.workspace) is not None
    if request.dry_run:
        with open_workspace(terminal.workspace) if there else trial_workspace(terminal.workspace) as workspace:
            found = generated(workspace, request, terminal.services)
        if terminal.as_json:
            terminal.print_json(request, found.as_data())
        else:
            show(found)
        return
    if not there:
        # A workspace is made only after everything that can be refused has been looked at.
        with trial_workspace(terminal.workspace) as trial:
            generated(trial, replace(request, dry_run=True), Services(warn=lambda _: None))
    with open_workspace(terminal.workspace, create=True) as workspace:
        say_where(workspace)
        found = generated(workspace, request, terminal.services)
    if terminal.as_json:
        terminal.print_json(request, found.as_data())
    else:
        show(found)
    if found.failure is not None:
        raise found.failure


def show(found: Generated) -> None:
    """Print the plan of a dry run; of all else everything was said."""
    if found.planned is not None:
        _show_plan(found.planned)


def _show_plan(planned: Planned) -> None:
    plan, estimate, price = planned.plan, planned.estimate, planned.price
    if estimate.cost_usd is None:
        cost = f"unknown: no price for {plan.parameters.model} (see docs/generation.md)"
    else:
        cost = f"${estimate.cost_usd:.4f}" + (f", by the price of {price.as_of}" if price else "")
    print_text(
        f"calls: {estimate.calls} of {count(plan.n_per_call, 'item')}\n"
        f"tokens: about {estimate.input_tokens} in, {estimate.output_tokens} out, thinking not counted\n"
        f"cost: {cost}\n"
    )
    if estimate.prompt:
        print_text(f"--- the first prompt ---\n{estimate.prompt}")
