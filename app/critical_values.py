"""What scorers say of one item at its critical regions, for those who review it."""

from __future__ import annotations

from gapsmith.bank import Bank, StoredItem
from gapsmith.scoring.observations import observe
from gapsmith.templates import CRITICAL_PLACE, DEFAULT_MEASURE, MEASURES, Paradigm


def critical_values(bank: Bank, item: StoredItem, paradigm: Paradigm) -> dict[str, dict[str, float | None]]:
    """Surprisal in bits by scorer and condition, for sentences that were scored; None where it is undefined."""
    paradigm = bank.datasets.measured(paradigm, item.dataset)
    found: dict[str, dict[str, float | None]] = {}
    for scorer in bank.scores.scorers():
        table = observe(bank, [item], paradigm, scorer)
        for condition in paradigm.conditions:
            sentence = table.sentence(0, condition.name)
            if sentence is None or sentence.measured is None or condition.critical is None:
                continue
            column = table.column(condition.name, CRITICAL_PLACE, MEASURES[DEFAULT_MEASURE])
            value = float(column.value[0]) if column.observation[0] else None
            found.setdefault(f"{scorer.model} ({scorer.bos})", {})[condition.name] = value
    return found
