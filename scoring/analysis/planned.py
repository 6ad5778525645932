"""What was planned of an analysis, and where the analysis differs: the only place that decides what a plan says.

A frozen plan decides δ and which tests are corrected together, for the contrasts that it names; what it does not name is unplanned.
Everything else stays as it is asked for, and what differs is said.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from gapsmith.bank import Bank, FrozenPlan, Plan, PlannedContrast, StoredItem
from gapsmith.scoring.analysis.contrasts import alternative_of
from gapsmith.scoring.analysis.names import label
from gapsmith.scoring.analysis.results import FROZEN_LATE, Analysis, AnalysisOptions, Excluded, PlanCheck
from gapsmith.scoring.analysis.selecting import measured_by
from gapsmith.scoring.copies import without_copies
from gapsmith.templates import GAPSMITH, BosPolicy, Contrast, Criterion, Paradigm, count, find_convention, listed, weighted_sum

PLANNED = "the plan"
"""The family of tests that are planned, where nobody named one."""
_SIGNS = {-1: "below 0", 0: "either side of 0", 1: "above 0"}


def plan_of(
    paradigm: Paradigm,
    options: AnalysisOptions,
    contrasts: Sequence[Contrast],
    criteria: Sequence[Criterion],
    *,
    models: Sequence[str] = (),
    datasets: Sequence[str] = (),
    n_items: int | None = None,
    exclusion: Sequence[str] = (),
    linter: str = "",
) -> Plan:
    """What decides an analysis, as JSON takes it: the form and the words of the paradigm, what is tested and how, on which items, by which
    models.

    No models, data sets or number of items: any. `exclusion` says in words what becomes of which items, and `linter` what the linter reads
    them with, as a `linter_digest`."""
    contrasts, criteria = measured_by(options, contrasts, criteria)
    plan: Plan = {
        "form": paradigm.form_digest,
        "lists": paradigm.words_digest,
        "closed": {slot.name: list(slot.closed) for slot in paradigm.slots if slot.closed},
        "exclusion": list(exclusion),
        "linter": linter,
        "contrasts": {one.name: _contrast(one, options) for one in contrasts},
        "criteria": {one.name: {"formula": str(one.formula), "measure": one.measure} for one in criteria},
        "items": "all" if options.all_items else "approved",
        "where": dict(options.where),
        "complete": options.complete,
        "n_items": n_items,
        "datasets": sorted(datasets),
        "models": sorted(models),
        "boundaries": "corrected" if options.corrected else "as scored",
        "convention": options.convention,
        "ties": options.ties,
        "confidence": options.confidence,
        "correction": "holm" if options.holm else "none",
    }
    if options.roles is not None:
        plan["words"] = "roles"
    return plan


def linter_digest(ruleset: str) -> str:
    """What stands for the rules and word lists with which the linter reads items."""
    return hashlib.sha256(ruleset.encode()).hexdigest()[:16]


def _contrast(contrast: Contrast, options: AnalysisOptions) -> PlannedContrast:
    return {
        "formula": weighted_sum(contrast.terms),
        "measure": contrast.measure,
        "expected": contrast.expected,
        "alternative": alternative_of(contrast, options),
        "where": {name: str(value) for name, value in contrast.where.items()},
        "family": contrast.family,
        "delta": contrast.delta,
    }


def newest_plan(bank: Bank, paradigm: str) -> tuple[FrozenPlan, int] | None:
    """The plan that holds for a paradigm, and the how manieth it is."""
    plans = bank.plans.of(paradigm)
    return (plans[-1], len(plans)) if plans else None


def under_plan(contrasts: Sequence[Contrast], frozen: FrozenPlan) -> tuple[Contrast, ...]:
    """The contrasts with the family and the δ that were planned; those of which there is no plan as they are. Of a plan that came after the
    first score, the families say so."""
    plan = frozen.plan

    def planned(contrast: Contrast) -> Contrast:
        said = plan["contrasts"].get(contrast.name)
        if said is None:
            return contrast
        delta = said["delta"] if said["measure"] == contrast.measure else None
        family = said["family"] or PLANNED
        if frozen.n_scored:
            family = f"{family}, {FROZEN_LATE}" if family == PLANNED else f"{family}, of {PLANNED} that was {FROZEN_LATE}"
        return replace(contrast, family=family, delta=delta)

    return tuple(map(planned, contrasts))


def fixed_before(bank: Bank, paradigm: str, contrasts: Sequence[Contrast], items: Iterable[StoredItem]) -> frozenset[str]:
    """The contrasts of which δ, and what it is of, was fixed before any of these items had a score in the bank: by a plan that was frozen
    by then, or by a form of the paradigm that the bank kept by then. The only place that decides it."""
    sized = [one for one in contrasts if one.delta is not None]
    if not sized:
        return frozenset()
    first = bank.scores.first_at(item.id for item in items)
    if first is None:
        return frozenset(one.name for one in sized)
    said: list[Mapping[str, Any]] = [own.plan["contrasts"] for own in bank.plans.of(paradigm) if own.at <= first]
    for form in bank.paradigms.known_by(paradigm, first):
        said.append({one.name: _sized(one) for one in form.contrasts})
    return frozenset(
        one.name
        for one in sized
        if any(one.name in named and all(named[one.name][key] == value for key, value in _sized(one).items()) for named in said)
    )


def _sized(contrast: Contrast) -> dict[str, Any]:
    """What a δ is of, as plans have it."""
    return {
        "formula": weighted_sum(contrast.terms),
        "measure": contrast.measure,
        "expected": contrast.expected,
        "where": {name: str(value) for name, value in contrast.where.items()},
        "delta": contrast.delta,
    }


def check_plan(bank: Bank, analysis: Analysis, items: Sequence[StoredItem], plan: FrozenPlan, number: int) -> PlanCheck:
    """What of an analysis of `items` is not as its paradigm's plan says; of the same sentences given twice one is counted."""
    rulesets = bank.findings.rulesets(item.id for item in items)
    n_items, first = len(without_copies(items)), bank.plans.of(analysis.paradigm.name)[0]
    return PlanCheck(
        digest=plan.digest,
        at=plan.at,
        author=plan.author,
        n_scored=plan.n_scored,
        number=number,
        deviations=(*_deviations(analysis, n_items, plan.plan), *_excluding(analysis, rulesets, plan)),
        exclusion=tuple(plan.plan.get("exclusion", ())),
        first_at=first.at,
        first_scored=first.n_scored,
        other_number=plan.plan["n_items"] not in (None, n_items),
    )


def _deviations(analysis: Analysis, n_items: int, plan: Plan) -> list[str]:
    options, paradigm = analysis.options, analysis.paradigm
    # What the file says of families and δ is compared, not what the plan has put in its place.
    in_file = {one.name: one for one in paradigm.contrasts}
    contrasts = [in_file[r.contrast.name] for r in analysis.contrasts]
    contrasts += [in_file[name] for name in analysis.omitted]
    criteria = {one.name: one for one in paradigm.criteria}
    now = plan_of(
        paradigm,
        options,
        contrasts,
        [criteria[r.criterion.name] for r in analysis.criteria],
        models=[analysis.scorer.model],
        datasets=list(analysis.items.by_dataset),
        n_items=n_items,
    )
    found = []
    if now["form"] != plan["form"]:
        found.append(f"conditions, regions or slots of {paradigm.name} are others than they were")
    labels = {one.name: label(one) for one in paradigm.contrasts} | {one.name: label(one) for one in paradigm.criteria}
    found += _of_words(now, plan)
    found += _named(now["contrasts"], plan["contrasts"], "tested", labels)
    found += _named(now["criteria"], plan["criteria"], "counted", labels)
    found += _of_items(now, plan)
    found += _of_scorer(analysis, plan)
    # Plans of before there was a choice say nothing of it.
    chosen, was = {"words": "slots", **now}, {"convention": GAPSMITH, "words": "slots", **plan}
    for name, said in _CHOICES.items():
        if chosen[name] != was[name]:
            found.append(f"{said}: {_shown(was[name])} was planned, and it is {_shown(chosen[name])}")
    return found


def _of_words(now: Plan, plan: Plan) -> list[str]:
    found = []
    there = now["closed"]
    was = plan.get("closed", there)
    for name in dict.fromkeys((*was, *there)):
        if name not in there:
            found.append(f"the words of {name} were all there are, and now they stand for others")
        elif name not in was:
            found.append(f"the words of {name} stood for others, and now they are all there are ({listed(there[name])})")
        elif was[name] != there[name]:
            found.append(f"all the words of {name}: {listed(was[name])} were planned, and now they are {listed(there[name])}")
    if plan.get("lists", now["lists"]) != now["lists"] and not found:
        found.append("word lists, limits or constraints are others than they were")
    return found


def _of_scorer(analysis: Analysis, plan: Plan) -> list[str]:
    """A beginning that the planned convention does not have; what a file of values was made with may not be known."""
    bos, convention = analysis.scorer.bos, find_convention(plan.get("convention", GAPSMITH))
    if bos in (convention.beginning, "not recorded") or analysis.scorer.is_table:
        return []
    before = {own.value: said for own, said in _BEGINNINGS.items()}
    return [
        f"scored with {before.get(bos, bos)} before a sentence; {convention.name}, the planned convention, has {before[convention.beginning]}"
    ]


_BEGINNINGS = {
    BosPolicy.BOS: "a beginning-of-sequence token",
    BosPolicy.NONE: "nothing",
    BosPolicy.SPACE: "a beginning-of-sequence token and a space",
}


def _excluding(analysis: Analysis, rulesets: Mapping[str, int], plan: FrozenPlan) -> list[str]:
    """Rules for leaving items out that are not the planned ones, and items that were left out when one could know more."""
    found = []
    linter = plan.plan.get("linter", "")
    # What is expected of the items comes last in what the bank keeps with a lint; a δ there is no rule.
    others = sum(n for own, n in rulesets.items() if linter_digest(own.rpartition(";")[0]) != linter)
    if linter and others:
        found.append(f"the linter read {others:,} of the items with other rules or word lists than were planned")
    late = [own for own in analysis.account.excluded if own.planned]
    if late:
        found.append(f"left out after the plan was frozen: {excluded_in_words(late)}")
    return found


def excluded_in_words(excluded: Sequence[Excluded]) -> str:
    """How many items were left out, and why."""
    reasons = Counter(own.reason or "no reason given" for own in excluded)
    return f"{count(len(excluded), 'item')} ({', '.join(f'{reason} {n:,}' for reason, n in reasons.most_common())})"


_CHOICES = {
    "items": "the items that are analysed",
    "where": "restricted to",
    "complete": "only items that have every value",
    "boundaries": "the mass of word boundaries",
    "convention": "the scoring convention",
    "ties": "equal values",
    "confidence": "confidence",
    "correction": "correction for several tests",
    "words": "what the words of items are",
}


def _named(now: Mapping[str, Any], plan: Mapping[str, Any], what: str, labels: Mapping[str, str]) -> list[str]:
    found = []
    missing = [labels.get(name, name) for name in plan if name not in now]
    if missing:
        fewer = "; p is corrected over fewer tests than were planned" if what == "tested" else ""
        found.append(f"not {what} here: {listed(missing)}{fewer}")
    added = [labels.get(name, name) for name in now if name not in plan]
    if added:
        found.append(f"{what}, and not in the plan: {listed(added)}")
    for name, own in now.items():
        for key, value in own.items():
            if name in plan and plan[name][key] != value:
                found.append(
                    f"{labels.get(name, name)}: {_said(key, plan[name][key])} was planned, and now it is {_said(key, value)}"
                )
    return found


def _said(key: str, value: Any) -> str:
    if key == "expected":
        return f"expected {_SIGNS[value]}"
    return f"{ {'alternative': 'side', 'delta': 'δ'}.get(key, key) } {_shown(value)}"


def _of_items(now: Plan, plan: Plan) -> list[str]:
    found = []
    (model,) = now["models"]
    if plan["models"] and model not in plan["models"]:
        found.append(f"scored by {model}; planned: {listed(plan['models'])}")
    if plan["datasets"] and now["datasets"] != plan["datasets"]:
        found.append(f"data set {listed(now['datasets'])}; planned: {listed(plan['datasets'])}")
    if plan["n_items"] is not None and plan["n_items"] != now["n_items"]:
        found.append(f"{now['n_items']:,} items; planned: {plan['n_items']:,}")
    return found


def _shown(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} = {own}" for name, own in value.items()) or "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value in (None, "") else str(value)
