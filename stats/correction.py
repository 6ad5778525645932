"""Correction for several tests at once: the only place that changes a p value, by Holm's method. Which tests are one family is
said by those who call: `gapsmith.stats.convert.adjust`, and `gapsmith.scoring.analysis.contrasts` for an analysis."""

from __future__ import annotations

from collections.abc import Mapping


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """Holm's step-down adjusted p values (Holm 1979), under the same names, in the same order.

    The i-th smallest of m is multiplied by m - i + 1 (i from 1), kept from falling below a smaller one's,
    and capped at 1. Reject where the adjusted value is below alpha. Raises ValueError for a p outside [0,
    1].
    """
    for name, p in p_values.items():
        if not 0.0 <= p <= 1.0:
            raise ValueError(f"p of {name} must lie in [0, 1], not {p}")
    adjusted: dict[str, float] = {}
    running = 0.0
    for position, name in enumerate(sorted(p_values, key=lambda key: p_values[key])):
        running = max(running, min(1.0, p_values[name] * (len(p_values) - position)))
        adjusted[name] = running
    return {name: adjusted[name] for name in p_values}
