"""Looking after the batch of a run."""

from __future__ import annotations

from gapsmith.app.chosen import watching
from gapsmith.app.generated import Generated
from gapsmith.app.generation import carry_out_watch
from gapsmith.app.requests.making import WatchRun
from gapsmith.app.services import QUIET, Services
from gapsmith.app.stages.generating import observer_of, say_notes, told, unless_gone, with_failure
from gapsmith.app.workspace import Workspace
from gapsmith.prompts import prepare_watch
from gapsmith.templates import ConfigError


def watch(workspace: Workspace, request: WatchRun, services: Services = QUIET) -> Generated:
    """Raises `gapsmith.app.generated.UnfinishedRunError`, whose `generated` says what there is, where the batch is gone and items are
    missing. Raises `ConfigError` where the run has no batch."""
    found = watched(workspace, request, services)
    if found.failure is not None:
        raise found.failure
    return found


def watched(workspace: Workspace, request: WatchRun, services: Services) -> Generated:
    """The same; a failure is in what comes out."""
    bank = workspace.bank
    run = bank.runs.get(request.run)
    if not bank.batches.of_run(run.id):
        raise ConfigError(f"run {run.id} has no batch", hint="`gapsmith generate ... --batch` sends one.")
    how = watching(workspace, run, request, services.variables)
    prepared = prepare_watch(
        bank,
        run,
        send_key=how.send_key,
        environment=services.variables,
        price_files=how.price_files,
        timeout_s=how.timeout_s,
    )
    say_notes(prepared, services)
    say = unless_gone(services.note)
    outcome = carry_out_watch(
        prepared,
        bank,
        # The watch goes on where its terminal has gone away.
        observer_of(services),
        every_s=None if request.once else request.every,
        give_up=request.give_up,
        on_interrupt=lambda _: say("the batch goes on; the same command looks after it again"),
    )
    return with_failure(Generated(request, outcome), told(outcome, prepared, bank, services))
