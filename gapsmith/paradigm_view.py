"""A paradigm in words, for `gapsmith paradigm show`."""

from __future__ import annotations

from typing import Any

from templates import CRITICAL, Paradigm, realise
from templates.model import Constraint, Contrast

__all__ = ["as_data", "as_text", "constraint_in_words", "example_filling", "formula_in_words"]

_EXPECTED = {-1: "below zero", 0: "exploratory", 1: "above zero"}


def example_filling(paradigm: Paradigm) -> dict[str, str]:
    """The slots' own examples."""
    return {slot.name: slot.example or slot.name for slot in paradigm.visible_slots}


def as_data(paradigm: Paradigm) -> dict[str, Any]:
    """Everything, as plain values for JSON."""
    sentences = {s.condition: s.text for s in realise(paradigm, example_filling(paradigm))}
    return {
        "name": paradigm.name,
        "title": paradigm.title,
        "version": paradigm.version,
        "digest": paradigm.digest,
        "description": paradigm.description,
        "source": paradigm.source,
        "factors": {f.name: dict(f.labels) for f in paradigm.factors},
        "conditions": [
            {
                "name": c.name,
                "label": c.label,
                "status": c.status.value,
                "critical": c.critical,
                "example": sentences[c.name],
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
            }
            for c in paradigm.contrasts
        ],
    }


def as_text(paradigm: Paradigm) -> str:
    """The same for people. The critical region stands between square brackets."""
    lines = [f"{paradigm.name}: {paradigm.title} (version {paradigm.version})", paradigm.description]
    lines += [f"Source: {paradigm.source}"] if paradigm.source else []
    lines += ["", "Conditions (the critical region is in brackets)"]
    width = max(len(c.name) for c in paradigm.conditions)
    for sentence in realise(paradigm, example_filling(paradigm)):
        condition = paradigm.condition(sentence.condition)
        span = sentence.span(condition.critical)
        assert span is not None
        text = f"{sentence.text[: span.start]}[{sentence.text[span.start : span.end]}]{sentence.text[span.end :]}"
        lines.append(f"  {condition.label:<12} {condition.name:<{width}}  {condition.status.value:<2}  {text}")
    lines += ["", "Slots"]
    for slot in paradigm.visible_slots:
        origin = f"lexicon {slot.lexicon}" if slot.lexicon else f"{len(slot.words)} words" if slot.words else "offered"
        lines.append(f"  {slot.name:<12} {slot.description} ({origin}; e.g. {slot.example})")
    if paradigm.constraints:
        lines += ["", "Constraints", *(f"  {constraint_in_words(c)}" for c in paradigm.constraints)]
    lines += ["", "Designs"]
    for design in paradigm.designs:
        own = [f"{label} = {name}" for label, name in design.labels.items() if label != name]
        labels = ", ".join(own) if own else "labels as above"
        lines.append(f"  {design.name:<12} {design.description}: {labels}")
    lines += ["", "Contrasts (surprisal in bits at the critical region)"]
    for contrast in paradigm.contrasts:
        lines.append(f"  {contrast.name:<9} {formula_in_words(contrast)}  [{_EXPECTED[contrast.expected]}]")
        lines.append(f"  {'':<9} {contrast.title}")
    return "\n".join(lines)


def constraint_in_words(constraint: Constraint) -> str:
    """A constraint as a sentence."""
    if constraint.kind == "distinct":
        return f"{' and '.join(constraint.slots)} differ"
    pairs = [f"{slot}'s {column}" for slot, column in zip(constraint.slots, constraint.columns, strict=True)]
    said = f"{pairs[0]} and {pairs[1]} have a value in common"
    return f"{said} in what is sampled" if constraint.kind == "sample" else said


def formula_in_words(contrast: Contrast) -> str:
    """A contrast's formula, as a paradigm file writes it."""
    parts = []
    for i, term in enumerate(contrast.terms):
        sign = "- " if term.sign < 0 else "+ " if i else ""
        region = "" if term.region == CRITICAL else f"@{term.region}"
        parts.append(f"{sign}{term.condition}{region}")
    return " ".join(parts)
