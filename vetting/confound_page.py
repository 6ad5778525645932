"""What a set repeats and in what its conditions differ, on one page."""

from __future__ import annotations

from typing import Any

from gapsmith.templates import Paradigm
from gapsmith.vetting.rules.setfacts import SetFacts

_TOP = 3


def confound_data(facts: SetFacts) -> dict[str, Any]:
    """The page as JSON: conditions with their means, slots with their words, names by gender, repeated items."""
    return {
        "paradigm": facts.paradigm.name,
        "items": facts.n_items,
        "conditions": [
            {
                "condition": name,
                "label": facts.paradigm.condition(name).label,
                "items": len(measured.words),
                "words": measured.mean("words"),
                "characters": measured.mean("characters"),
                "tokens": measured.mean("tokens"),
                "critical_characters": measured.mean("critical_characters"),
                "critical_tokens": measured.mean("critical_tokens"),
                "critical_log10_per_million": measured.mean("critical_frequency"),
                "critical_not_in_table": measured.critical_rare,
            }
            for name, measured in _ordered(facts)
        ],
        "slots": {
            name: {"distinct": len(words), "shares": dict(list(facts.share(name).items())[:_TOP])}
            for name, words in facts.used.items()
        },
        "names": {slot: dict(counts) for slot, counts in facts.genders.items()},
        "near_duplicates": [{"slot": slot, "items": labels} for slot, labels in facts.near_duplicates()],
        "duplicates": list(facts.duplicates()),
    }


def confound_text(facts: SetFacts) -> str:
    """The page as plain text, at most 100 columns wide."""
    data = confound_data(facts)
    lines = [
        f"{facts.paradigm.title}: {facts.n_items:,} items",
        "",
        *_conditions(data),
        "",
        *_slots(data, facts.paradigm),
    ]
    for slot, counts in data["names"].items():
        other = f", {counts['u']} either" if counts.get("u") else ""
        lines.append(f"names in {slot}: {counts.get('f', 0)} women's, {counts.get('m', 0)} men's{other}")
    repeated = len(data["near_duplicates"]) + len(data["duplicates"])
    lines.append(f"groups of items that are the same but for one slot at most: {repeated}")
    return "\n".join(lines)


def _ordered(facts: SetFacts) -> list[tuple[str, Any]]:
    order = list(facts.paradigm.condition_by_name)
    return sorted(facts.conditions.items(), key=lambda entry: order.index(entry[0]))


def _conditions(data: dict[str, Any]) -> list[str]:
    with_tokens = any(entry["tokens"] is not None for entry in data["conditions"])
    heads = ["condition", "items", "words", "letters", *(["tokens"] if with_tokens else [])]
    heads += ["critical letters", *(["critical tokens"] if with_tokens else []), "per million", "not in table"]
    rows = []
    for entry in data["conditions"]:
        frequency = entry["critical_log10_per_million"]
        row = [entry["label"], str(entry["items"]), _number(entry["words"]), _number(entry["characters"])]
        row += [_number(entry["tokens"])] if with_tokens else []
        row += [_number(entry["critical_characters"])]
        row += [_number(entry["critical_tokens"])] if with_tokens else []
        row += ["–" if frequency is None else f"{10**frequency:,.1f}", str(entry["critical_not_in_table"])]
        rows.append(row)
    widths = [max(len(row[i]) for row in [heads, *rows]) for i in range(len(heads))]
    note = "means over items; “per million”: geometric mean frequency of the critical words that the table has"
    return [_line(row, widths) for row in [heads, *rows]] + [note]


def _slots(data: dict[str, Any], paradigm: Paradigm) -> list[str]:
    lines = ["slot: different words, and the most frequent"]
    for slot in paradigm.visible_slots:
        entry = data["slots"].get(slot.name)
        if entry is not None:
            top = ", ".join(f"{word} {share:.0%}" for word, share in entry["shares"].items())
            lines.append(f"  {slot.name}: {entry['distinct']}; {top}")
    return lines


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"


def _line(cells: list[str], widths: list[int]) -> str:
    first, *rest = [cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(cells, widths, strict=True))]
    return "  ".join([first, *rest]).rstrip()
