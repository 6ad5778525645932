"""POSH-BENCH over every model that has scored its phenomena."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from gapsmith.app.manifests import Used, write_manifest
from gapsmith.app.requests.base import Unset, said
from gapsmith.app.requests.instruments import ComparePosh
from gapsmith.app.services import QUIET, Services
from gapsmith.app.stages.learners import COUNTS_FILE, grids_in, learners_in
from gapsmith.app.workspace import Workspace
from gapsmith.scoring.analysis import plain_data
from gapsmith.scoring.analysis.posh import Evaluation, Seeds, cannot_be_fitted, evaluate, posh_paradigms, read_posh_counts
from gapsmith.scoring.report import bayes_fits, evaluation_tests, write_evaluation
from gapsmith.templates import ConfigError

if TYPE_CHECKING:
    import pandas


_OF_GRID = "learners of "


@dataclass(frozen=True, slots=True)
class PoshCompared:
    """What every model got right, and where it is written up."""

    request: ComparePosh
    evaluation: Evaluation
    page: Path

    @property
    def notes(self) -> tuple[str, ...]:
        """What was assumed from the names of models, and what was left out."""
        return (*self.evaluation.assumed, *self.evaluation.notes)

    def to_frame(self) -> pandas.DataFrame:
        """A row for every test, as `gapsmith export tests` has those of an analysis; the same as ``tests.csv``."""
        return evaluation_tests(self.evaluation).as_pandas()

    def _repr_html_(self) -> str:
        html: str = self.to_frame().to_html(index=False, escape=True)
        return html

    def as_data(self) -> list[dict[str, Any]]:
        """Every test as JSON takes it: of each model and phenomenon over the counts of all seeds, then seed by seed."""
        return [plain_data(own) for own in self.evaluation.results]


def posh(workspace: Workspace, request: ComparePosh, services: Services = QUIET) -> PoshCompared:
    """All items count, whatever was decided of them. Writes a page with its tables and figures.

    Raises `GapsmithError` where no pair belongs to a phenomenon, or no model has scored any."""
    grids = request.grid or tuple(grids_in(workspace.root))
    learners = [own for grid in grids for own in learners_in(grid)]
    files = {} if isinstance(request.counts, Unset) else {request.counts.name: request.counts}
    files |= {f"{_OF_GRID}{grid.name}": grid / COUNTS_FILE for grid in grids if (grid / COUNTS_FILE).is_file()}
    own = {name: read_posh_counts(file) for name, file in files.items()}
    # Whoever names a file wants it fitted; a grid of which only some cells were trained has the rest of the page.
    unfitted = {name: why for name, counts in own.items() if name.startswith(_OF_GRID) and (why := cannot_be_fitted(counts))}
    found = evaluate(
        workspace.bank, models=request.model, seeds=cast("Seeds", request.seeds), convention=request.convention, say=services.note
    )
    said_of_them = [f"Table 12's model is not fitted to {name}: {why}." for name, why in unfitted.items()]
    found = replace(found, notes=(*found.notes, *said_of_them))
    folder = said(request.out, workspace.root / "posh")
    method = None if request.method == "auto" else request.method
    try:
        fits = bayes_fits(
            {name: counts for name, counts in own.items() if name not in unfitted}, method=method, draws=request.draws
        )
    except ModuleNotFoundError as error:
        raise ConfigError(str(error)) from None
    try:
        written = write_evaluation(found, fits, folder, learners)
        scorers = tuple(own.id for own in workspace.bank.scores.scorers() if not request.model or own.model in request.model)
        write_manifest(
            workspace.bank, [Used(name, scorers=scorers) for name in posh_paradigms(workspace.bank)], folder, written.files
        )
    except OSError as error:
        raise ConfigError(f"{folder}: cannot be written ({error})", hint="Say where with --out DIR.") from None
    return PoshCompared(request, found, written.page)
