"""A paradigm in words, for `gapsmith paradigm show`."""

from __future__ import annotations

from typing import Any

from gapsmith.templates import DEFAULT_MEASURE, Condition, Constraint, Contrast, Criterion, Paradigm, realise, weighted_sum
from gapsmith.vetting import marked

_EXPECTED = {-1: "below zero", 0: "exploratory", 1: "above zero"}


def example_filling(paradigm: Paradigm) -> dict[str, str]:
    """The slots' own examples, and the first level of each choice."""
    levels = {choice.name: next(iter(choice.levels)) for choice in paradigm.choices}
    return levels | {slot.name: slot.example or slot.name for slot in paradigm.visible_slots}


def as_data(paradigm: Paradigm) -> dict[str, Any]:
    """Everything, as plain values for JSON. A condition of which no sentence can be made has no example."""
    made = () if paradigm.given else realise(paradigm, example_filling(paradigm))
    sentences = {s.condition: s.text for s in made}
    return {
        "name": paradigm.name,
        "title": paradigm.title,
        "version": paradigm.version,
        "digest": paradigm.digest,
        "description": paradigm.description,
        "source": paradigm.source,
        "given": paradigm.given,
        "factors": {f.name: dict(f.labels) for f in paradigm.factors},
        "conditions": [
            {
                "name": c.name,
                "label": c.label,
                "status": c.status,
                "critical": c.critical,
                "example": sentences.get(c.name),
            }
            for c in paradigm.conditions
        ],
        "regions": [{"name": r.name, "title": r.title, "role": r.role} for r in paradigm.regions],
        "slots": [
            {"name": s.name, "description": s.description, "example": s.example, "max_words": s.max_words}
            for s in paradigm.visible_slots
        ],
        "constraints": [constraint_in_words(c) for c in paradigm.constraints],
        "designs": {d.name: dict(d.labels) for d in paradigm.designs},
        "contrasts": [
            {
                "name": c.name,
                "title": c.title,
                "formula": formula_in_words(c),
                "expected": c.expected,
                "alternative": c.alternative,
                "design": c.design,
                "shares_critical": c.shares_critical,
                "measure": c.measure,
                "where": dict(c.where),
            }
            for c in paradigm.contrasts
        ],
        "criteria": [
            {
                "name": c.name,
                "title": c.title,
                "formula": str(c.formula),
                "design": c.design,
                "measure": c.measure,
                "where": dict(c.where),
            }
            for c in paradigm.criteria
        ],
    }


def as_text(paradigm: Paradigm) -> str:
    """The same for people. The critical region stands between square brackets."""
    lines = [f"{paradigm.name}: {paradigm.title} (version {paradigm.version})", paradigm.description]
    lines += [f"Source: {paradigm.source}"] if paradigm.source else []
    lines += ["", *_conditions(paradigm)]
    if paradigm.given and paradigm.regions:
        names = [r.name if r.title == r.name else f"{r.name} ({r.title})" for r in paradigm.regions]
        lines += ["", f"Regions: {', '.join(names)}"]
    if paradigm.visible_slots:
        lines += ["", "Slots"]
    for slot in paradigm.visible_slots:
        origin = f"lexicon {slot.lexicon}" if slot.lexicon else f"{len(slot.words)} words" if slot.words else "offered"
        lines.append(f"  {slot.name:<12} {slot.description} ({origin}; e.g. {slot.example})")
    if paradigm.constraints:
        lines += ["", "Constraints", *(f"  {constraint_in_words(c)}" for c in paradigm.constraints)]
    lines += ["", "Designs"]
    for design in paradigm.designs:
        renamed = [f"{label} = {name}" for label, name in design.labels.items() if label != name]
        labels = ", ".join(renamed) if renamed else "labels as above"
        lines.append(f"  {design.name:<12} {design.description + ': ' if design.description else ''}{labels}")
    if paradigm.contrasts:
        lines += ["", "Contrasts (surprisal in bits; at the critical region where no other is named)"]
    for contrast in paradigm.contrasts:
        lines.append(f"  {contrast.name:<9} {formula_in_words(contrast)}  [{_EXPECTED[contrast.expected]}]{_ways(contrast)}")
        lines += [f"  {'':<9} {contrast.title}"] if contrast.title != contrast.name else []
    if paradigm.criteria:
        lines += ["", "Criteria (true or false of each item)"]
    for criterion in paradigm.criteria:
        lines.append(f"  {criterion.name:<9} {criterion.formula}{_ways(criterion)}")
        lines += [f"  {'':<9} {criterion.title}"] if criterion.title != criterion.name else []
    return "\n".join(lines)


def _conditions(paradigm: Paradigm) -> list[str]:
    width = max(len(c.name) for c in paradigm.conditions)
    shown = max(12, *(len(c.label) for c in paradigm.conditions))

    def line(condition: Condition, text: str) -> str:
        return f"  {condition.label:<{shown}} {condition.name:<{width}}  {condition.expected:<2}  {text}".rstrip()

    if paradigm.given:
        where = {c.name: f"measured at {c.critical}" if c.critical else "" for c in paradigm.conditions}
        return ["Conditions (their sentences come from files)", *(line(c, where[c.name]) for c in paradigm.conditions)]
    lines = ["Conditions (the critical region is in brackets, an open gap is __)"]
    for sentence in realise(paradigm, example_filling(paradigm)):
        condition = paradigm.condition(sentence.condition)
        lines.append(line(condition, marked(sentence, paradigm)))
    return lines


def _ways(one: Contrast | Criterion) -> str:
    """What is measured, and of which items, where that is not the ordinary."""
    parts = [one.measure] if one.measure != DEFAULT_MEASURE else []
    parts += [f"where {name} = {value}" for name, value in one.where.items()]
    return f"  ({', '.join(parts)})" if parts else ""


def constraint_in_words(constraint: Constraint) -> str:
    """A constraint as a sentence."""
    if constraint.kind == "distinct":
        return f"{' and '.join(constraint.slots)} differ"
    pairs = [f"{slot}'s {column}" for slot, column in zip(constraint.slots, constraint.columns, strict=True)]
    said = f"{pairs[0]} and {pairs[1]} have a value in common"
    return f"{said} in what is sampled" if constraint.kind == "sample" else said


def formula_in_words(contrast: Contrast) -> str:
    """A contrast's formula, as a paradigm file writes it."""
    return weighted_sum(contrast.terms)
