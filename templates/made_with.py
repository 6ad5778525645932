"""What items were made with, read under what is said of it today."""

from __future__ import annotations

from dataclasses import replace

from gapsmith.templates.model import Condition, Paradigm


def read_as(made_with: Paradigm, today: Paradigm) -> Paradigm:
    """The form of `made_with` under the words and predictions of `today`, matched by the names of conditions and regions.

    Where the forms are the same, that is `today`. Else a condition that `today` does not have, or whose critical region
    `made_with` has no words for, keeps its own expectation; designs, contrasts and criteria are those of `today` whose
    conditions `made_with` has."""
    if made_with.form_digest == today.form_digest and made_with.form_digest:
        return today
    declared = {region.name for region in made_with.regions}
    conditions = tuple(_expected(condition, today, declared) for condition in made_with.conditions)
    variants = {chosen: read_as(variant, today.variants.get(chosen, today)) for chosen, variant in made_with.variants.items()}
    names = {condition.name for condition in conditions}
    roles = {region.name: region for region in today.regions}
    parts = {slot.name: slot.parts for slot in today.slots}
    return replace(
        made_with,
        title=today.title,
        clause=today.clause if today.clause in declared else made_with.clause,
        description=today.description,
        source=today.source,
        conditions=conditions,
        variants=variants,
        designs=tuple(d for d in today.designs if names.issuperset(d.conditions)) or made_with.designs,
        regions=tuple(roles.get(region.name, region) for region in made_with.regions),
        slots=tuple(replace(slot, parts=parts.get(slot.name, ())) for slot in made_with.slots),
        contrasts=tuple(c for c in today.contrasts if names.issuperset(term.condition for term in c.terms)),
        criteria=tuple(c for c in today.criteria if names.issuperset(o.condition for o in c.formula.operands)),
        predictions_digest=today.predictions_digest,
    )


def _expected(condition: Condition, today: Paradigm, declared: set[str]) -> Condition:
    new = today.condition_by_name.get(condition.name)
    if new is None:
        return condition
    critical = new.critical
    if critical is not None and (critical not in declared or condition.regions.get(critical) == ""):
        critical = condition.critical
    return replace(condition, status=new.status, label=new.label, critical=critical)
