"""How often the intervals of Cohen's and Fleiss' kappa and of Krippendorff's alpha hold what is true, simulated.

A cell is a number of units, how many label them, how common the labels are, and a kappa: with that chance all who label a unit
take one label, else each takes one alone. In cells with "apart" two raters like labels to different degrees; in those with
"gaps" a label in three is missing. Only sets in which `gapsmith agreement` shows an interval count. Kept in ``kappa.json`` beside
this file with the seeds and with what the code was; computed again when that has changed. A minute on one core.

Judged by the upper end of the Monte Carlo interval: at least .92 is to be held in every cell.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from gapsmith.stats import wilson_interval
from gapsmith.vetting import agreement
from gapsmith.vetting.agreement import INTERVAL_LABELS, INTERVAL_UNITS, Coincidences, Pattern

_FILE = Path(__file__).with_name("kappa.json")
_SETS, _LEAST_HELD = 4_000, 0.92
_KAPPAS = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.98)
_SIZES = (20, 30, 50, 100, 200, 400)
_SHARES = ((0.5, 0.5), (0.8, 0.2), (0.9, 0.1), (0.95, 0.05), (0.6, 0.3, 0.1), (0.7, 0.28, 0.02))
_SCALE = (0.1, 0.1, 0.2, 0.2, 0.2, 0.1, 0.1)


@dataclass(frozen=True, slots=True)
class _World:
    """Who labels, and how."""

    name: str
    coefficient: str
    shares: tuple[tuple[float, ...], ...]
    """Of each rater, the share of each label that is given alone."""
    gaps: bool = False

    def chances(self, kappa: float) -> dict[Pattern, float]:
        """How likely each pattern of labels is; with gaps, those with fewer than two labels are left out."""
        labels = "abcdefg"[: len(self.shares[0])]
        common = np.mean(self.shares, axis=0)
        found: dict[Pattern, float] = {}
        for places in itertools.product(range(len(labels)), repeat=len(self.shares)):
            alone = np.prod([own[place] for own, place in zip(self.shares, places, strict=True)])
            alike = common[places[0]] if len(set(places)) == 1 else 0.0
            chance = float((1 - kappa) * alone + kappa * alike)
            for kept in itertools.product((True, False), repeat=len(places)) if self.gaps else [(True,) * len(places)]:
                pattern = tuple(labels[place] for place, there in zip(places, kept, strict=True) if there)
                if len(pattern) > 1:
                    given = chance * (2 / 3) ** sum(kept) * (1 / 3) ** (len(kept) - sum(kept)) if self.gaps else chance
                    found[pattern] = found.get(pattern, 0.0) + given
        total = sum(found.values())
        return {pattern: chance / total for pattern, chance in found.items()}


def main() -> None:
    """Print the least that is held for each coefficient and number of units, and every cell that is below the limit."""
    code = sha256(Path(agreement.__file__).read_bytes() + Path(__file__).read_bytes()).hexdigest()[:16]
    kept: dict[str, Any] = json.loads(_FILE.read_text(encoding="utf-8")) if _FILE.exists() else {}
    if kept.get("code") != code:
        cells = {
            f"{world.name}, {kappa:g}, {n}": _cell(world, kappa, n) for world in _worlds() for kappa in _KAPPAS for n in _SIZES
        }
        kept = {"code": code, "from": [INTERVAL_UNITS, INTERVAL_LABELS], "seeds": [0, 0], "sets": _SETS, "cells": cells}
        _FILE.write_text(json.dumps(kept, indent=0, sort_keys=True) + "\n", encoding="utf-8")
    print(f"{'':24}" + "".join(f"{n:>8}" for n in _SIZES) + "   least held, of cells with 400 intervals and more")
    for coefficient in dict.fromkeys(world.coefficient for world in _worlds()):
        names = {world.name for world in _worlds() if world.coefficient == coefficient}
        least = []
        for n in _SIZES:
            own = [
                cell for title, cell in kept["cells"].items() if title.rsplit(", ", 2)[0] in names and title.endswith(f", {n}")
            ]
            least.append(min(cell["held"] / cell["shown"] for cell in own if cell["shown"] >= 400))
        print(f"{coefficient:24}" + "".join(f"{share:8.3f}" for share in least))
    below = [title for title, cell in kept["cells"].items() if cell["shown"] and not _within(cell)]
    print("every cell is within the limit" if not below else f"below {_LEAST_HELD}: {'; '.join(below)}")


def _within(cell: dict[str, int]) -> bool:
    return wilson_interval(cell["held"], cell["shown"])[1] >= _LEAST_HELD


def _worlds() -> Iterator[_World]:
    for shares in (*_SHARES, _SCALE):
        told = " ".join(f"{share:g}" for share in shares)
        yield _World(f"Cohen {told}", "Cohen's kappa", (shares,) * 2)
        yield _World(f"Fleiss {told}", "Fleiss' kappa", (shares,) * (2 if shares is _SCALE else 3))
        yield _World(f"alpha {told}", "Krippendorff's alpha", (shares,) * (2 if shares is _SCALE else 3))
    yield _World("Cohen apart .8 .6", "Cohen's kappa", ((0.8, 0.2), (0.6, 0.4)))
    yield _World("Cohen apart .95 .8", "Cohen's kappa", ((0.95, 0.05), (0.8, 0.2)))
    yield _World("Fleiss five", "Fleiss' kappa", ((0.8, 0.2),) * 5)
    yield _World("alpha gaps .8", "Krippendorff's alpha", ((0.8, 0.2),) * 3, gaps=True)
    yield _World("alpha gaps .95", "Krippendorff's alpha", ((0.95, 0.05),) * 3, gaps=True)


def _cell(world: _World, kappa: float, n: int) -> dict[str, int]:
    chances = world.chances(kappa)
    ordered, small_sample = world.coefficient.startswith("Cohen"), world.coefficient.startswith("Kripp")
    patterns: Sequence[Pattern] = list(chances)
    weights = np.random.default_rng(0).multinomial(n, list(chances.values()), size=_SETS).astype(float)
    coincidences = Coincidences.of(patterns, ordered=ordered, small_sample=small_sample)
    # What is true is the coefficient in very many units.
    true = float(coincidences.estimates(np.array(list(chances.values())) * 1e9))
    counts = np.array([[pattern.count(label) for label in coincidences.labels] for pattern in patterns], dtype=float)
    given = weights @ counts
    shown = weights[given.sum(axis=1) - given.max(axis=1) >= INTERVAL_LABELS] if n >= INTERVAL_UNITS else weights[:0]
    low, high = coincidences.intervals(shown)
    return {"held": int(((low <= true) & (true <= high)).sum()), "shown": len(shown)}


if __name__ == "__main__":
    main()
