"""Judgements behind contexts of five types and growing lengths, after Sinha et al. (2023)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gapsmith.app.chosen import scoring
from gapsmith.app.context_studies import ContextStudy, study_size
from gapsmith.app.manifests import Used, write_manifest
from gapsmith.app.predicting import ScoringEstimate
from gapsmith.app.requests.base import said, said_or_none
from gapsmith.app.requests.behind import StudyContexts
from gapsmith.app.services import QUIET, Services
from gapsmith.app.stages.selecting import selection_of
from gapsmith.app.workspace import Workspace, trial_bank
from gapsmith.bank import Bank, ItemFilter
from gapsmith.scoring.analysis import plain_data
from gapsmith.scoring.context_study import StudyPlan
from gapsmith.scoring.report import read_effects, results_table
from gapsmith.stats import Result
from gapsmith.templates import ConfigError, find_convention

if TYPE_CHECKING:
    import pandas


_MANY = 5_000
"""Of more items than this the hours are told from some of them."""
_OF_EACH = 10
"""So many of each suite."""


@dataclass(frozen=True, slots=True)
class ContextsStudied:
    """What contexts do to judgements, and where it is written up; of a dry run, how long it will take."""

    request: StudyContexts
    effects: Mapping[str, Result]
    """By their names in studies' files."""
    page: Path | None = None
    estimate: ScoringEstimate | None = None

    def __getitem__(self, name: str) -> Result:
        return self.effects[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.effects)

    def __len__(self) -> int:
        return len(self.effects)

    def to_frame(self) -> pandas.DataFrame:
        """A row for each effect, as `gapsmith export tests` has those of an analysis; the same as ``effects.csv``."""
        return results_table("Effects", list(self.effects.values())).as_pandas()

    def _repr_html_(self) -> str:
        html: str = self.to_frame().to_html(index=False, escape=True, float_format=lambda number: f"{number:.4g}")
        return html

    def as_data(self) -> Any:
        """The effects as JSON takes them; of a dry run, the estimate."""
        if self.estimate is not None:
            return asdict(self.estimate)
        return [plain_data(own) for own in self.effects.values()]


def study(workspace: Workspace, request: StudyContexts, services: Services = QUIET) -> ContextsStudied:
    """Raises `GapsmithError` where no context can be drawn, and `gapsmith.scoring.FailedScoresError` where scores fail."""
    plan = StudyPlan(
        name=request.name,
        lengths=request.lengths,
        seed=request.seed,
        shared=said_or_none(request.shared_contexts),
        suites_by=request.suites_by,
        predictions=request.contrast,
        everything=request.everything,
        perturbed=request.perturbed,
        crossed=request.crossed,
        convention=request.convention,
        sample=said_or_none(request.sample),
    )
    selection_of(workspace.bank, request)
    if not plan.everything:
        # The outcomes that it writes are by item, and before that it names those that are left out.
        every = ItemFilter(paradigms=request.paradigm, datasets=request.dataset)
        workspace.bank.gate.expect_to_tell_items("context study", every, look="`gapsmith show --look`")
    chosen = scoring(workspace.settings, request, model=said_or_none(request.model))
    engine = chosen.open(bos=find_convention(request.convention).beginning, notice=services.note)

    def drawn(bank: Bank, own: StudyPlan, say: Callable[[str], None]) -> ContextStudy:
        return ContextStudy.of(
            bank,
            engine,
            chosen.model,
            own,
            paradigms=request.paradigm,
            datasets=request.dataset,
            text=said_or_none(request.text),
            lines=request.lines,
            say=say,
        )

    if plan.sample is None and study_size(workspace.bank, plan, request.paradigm, request.dataset) > _MANY:
        # Contexts of tens of thousands of items take minutes to draw, and how long it all takes is wanted before.
        with trial_bank(workspace.bank) as trial:
            of_each = max(_OF_EACH, plan.perturbed, plan.crossed)
            predicted = drawn(trial, replace(plan, sample=of_each), services.note).predicted_of_all()
        services.note(f"{predicted.in_words}; drawing the contexts comes on top")
        if request.dry_run:
            return ContextsStudied(request, {}, estimate=predicted)
    # Contexts that are drawn stay under the study's name, and a dry run shall not use it up.
    with trial_bank(workspace.bank) if request.dry_run else nullcontext(workspace.bank) as bank:
        made = drawn(bank, plan, services.note)
        for problem in made.drawn.problems:
            services.note(f"left out: {problem}")
        for line in made.drawn.without_context:
            services.note(line)
        if request.dry_run:
            predicted = made.predicted()
            services.note(predicted.in_words)
            return ContextsStudied(request, {}, estimate=predicted)
        services.note(made.predicted().in_words)
        selected = made.selected
        with services.progress(f"scoring with {chosen.model}", selected.n_wanted) as advance:
            report = made.score(selected, progress=advance)
        services.note(f"{report.n_scored:,} scored now in {report.seconds:.0f} s, {report.n_present:,} already there")
        folder = said(request.out, workspace.root / request.name)
        try:
            written = made.write(made.results(report.scorer_id), folder)
            sets = dict.fromkeys((item.paradigm, item.dataset) for item in made.items)
            used = [Used(*own, scorers=(report.scorer_id,), contexts=True) for own in sets]
            write_manifest(bank, used, folder, written.files)
        except OSError as error:
            raise ConfigError(
                f"{folder}: the study cannot be written there ({error})", hint="Say where with --out DIR."
            ) from None
    return ContextsStudied(request, read_effects(folder), written.page)
