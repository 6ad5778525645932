"""Plans: what is to be analysed, and how, frozen before it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, cast

from gapsmith.app.chosen import as_said, linter_rules
from gapsmith.app.listed import Listed
from gapsmith.app.requests.base import said_or_none
from gapsmith.app.requests.plans import FreezePlan, ListPlans
from gapsmith.app.services import QUIET, Services
from gapsmith.app.workspace import Workspace
from gapsmith.bank import FrozenPlan
from gapsmith.scoring.analysis import AnalysisOptions, chosen_predictions, linter_digest, plan_of
from gapsmith.stats import Alternative, TieRule
from gapsmith.templates import MEASURES


@dataclass(frozen=True, slots=True)
class PlanFrozen:
    """A plan that is kept now."""

    request: FreezePlan
    plan: FrozenPlan

    def as_data(self) -> dict[str, Any]:
        """The same as JSON takes it."""
        return plan_data(self.plan)


class PlansListed(Listed[FrozenPlan]):
    """Plans, oldest first."""

    __slots__ = ()

    def row_data(self, row: FrozenPlan) -> dict[str, Any]:
        """A plan as JSON takes it."""
        return plan_data(row)


def plan_data(plan: FrozenPlan) -> dict[str, Any]:
    """A plan as JSON takes it."""
    return {
        "paradigm": plan.paradigm,
        "digest": plan.digest,
        "at": plan.at,
        "by": plan.author,
        "n_scored": plan.n_scored,
        "plan": dict(plan.plan),
    }


def freeze_plan(workspace: Workspace, request: FreezePlan, services: Services = QUIET) -> PlanFrozen:
    """Raises `GapsmithError` for what the paradigm does not have, and where its newest plan says the same."""
    bank = as_said(workspace, request.by).bank
    paradigm = workspace.paradigm(request.paradigm)
    there = bank.items.datasets(paradigm.name)
    # A plan may come before what it is about; a name that was mistyped is then seen by what is said.
    for name in request.dataset:
        if name not in there:
            services.warn(f"There is no data set {name!r} of {paradigm.name} yet; the plan is about one that will be called so.")
    paradigm = bank.datasets.measured_together(paradigm, [name for name in there if name in (request.dataset or there)])
    measure = said_or_none(request.measure)
    options = AnalysisOptions(
        all_items=request.everything,
        contrasts=request.contrast,
        alternative=cast("Alternative | Literal['expected'] | None", said_or_none(request.alternative)),
        confidence=request.confidence,
        holm=not request.uncorrected,
        ties=cast("TieRule", request.ties),
        complete=request.complete,
        where=request.where,
        measure=None if measure is None else MEASURES.find(measure).name,
        corrected=request.corrected,
        convention=request.convention,
    )
    contrasts, criteria = chosen_predictions(paradigm, options)
    plan = plan_of(
        paradigm,
        options,
        contrasts,
        criteria,
        models=request.model,
        datasets=request.dataset,
        n_items=said_or_none(request.items),
        exclusion=request.exclude_rule,
        linter=linter_digest(linter_rules(workspace)),
    )
    frozen = bank.plans.freeze(paradigm.name, plan, by=bank.reader)
    scored = f"{frozen.n_scored:,} of its items have scores already" if frozen.n_scored else "nothing of it is scored yet"
    services.note(f"Frozen: the plan {frozen.digest} of {paradigm.name}, {frozen.at[:16].replace('T', ' ')}; {scored}.")
    return PlanFrozen(request, frozen)


def list_plans(workspace: Workspace, request: ListPlans, services: Services = QUIET) -> PlansListed:
    """The plans there are. Raises `GapsmithError` for one that does not agree with its digest."""
    found = workspace.bank.plans.of(said_or_none(request.paradigm))
    if not found:
        services.note("No plan was frozen yet; `gapsmith plan freeze PARADIGM` freezes one.")
    return PlansListed(request, found)
