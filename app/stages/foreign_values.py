"""Taking in surprisals that were computed elsewhere."""

from __future__ import annotations

from functools import partial

from gapsmith.app.requests.base import Unset, said_or_none
from gapsmith.app.requests.bringing import ImportScores
from gapsmith.app.services import QUIET, Services
from gapsmith.app.stages.selecting import selection_of
from gapsmith.app.workspace import Workspace
from gapsmith.scoring import ScoresReport, SignNotSaid
from gapsmith.scoring import import_scores as take_scores

SHOWN = 3
"""How many sentences are named."""


def import_scores(workspace: Workspace, request: ImportScores, services: Services = QUIET) -> ScoresReport:
    """What was taken in. Raises `GapsmithError` for a table that cannot be read, or is of no item that was chosen; nothing is
    kept then."""
    take = partial(
        take_scores,
        workspace.bank,
        request.file,
        name=request.model,
        unit=said_or_none(request.unit),
        selection=selection_of(workspace.bank, request),
        our_ids=request.our_ids,
        called=request.column,
    )
    if isinstance(request.log_probabilities, Unset):
        try:
            report = take(log_probabilities=None)
        except SignNotSaid as asked:
            if services.ask(f"{asked.message}\nAre they log probabilities?", ("yes", "no")) != "yes":
                raise
            report = take(log_probabilities=True)
    else:
        report = take(log_probabilities=request.log_probabilities)
    for line in report.notes:
        services.note(line)
    again = f", {report.n_known:,} of them were here before" if report.n_known else ""
    services.note(f"Scorer {report.scorer_id}, {request.model}: values for {report.n_texts:,} distinct sentences{again}.")
    for texts, what in (
        (report.strangers, "of the file are of no item that was chosen and were left out"),
        (report.without, "of the chosen items have no value in the file"),
    ):
        if texts:
            services.warn(f"{len(texts):,} sentences {what}, such as {'; '.join(repr(text) for text in texts[:SHOWN])}")
    return report
