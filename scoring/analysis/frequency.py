"""How frequent constructions are, and whether that goes with how well a model knows them.

Pearson's r of the licensor × gap coefficient and the count, twice: over one point for each construction, the coefficients of its
sets averaged (it-clefts have two sets and one count), and over one point for each set. Five or six points: no test is made. The
coefficient is negative under surprisal, and positive under SLOR, where the model knows the construction.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gapsmith.scoring.analysis.licensing_effects import METRICS, Licensing
from gapsmith.stats import correlation
from gapsmith.templates import ConfigError, whole

_HEAD = ["construction", "paradigms"]


@dataclass(frozen=True, slots=True)
class ConstructionCount:
    """A construction, the paradigms that test it, and how often corpora have it."""

    construction: str
    paradigms: tuple[str, ...]
    counts: Mapping[str, int]
    """Corpus to count."""


@dataclass(frozen=True, slots=True)
class Correlation:
    """Pearson's r of the interaction and the counts of one corpus."""

    model: str
    metric: str
    corpus: str
    unit: str
    """``construction`` or ``set``: what a point is."""
    n: int
    r: float | None
    """None where there are less than three points, or one of the two does not vary."""


def read_construction_counts(paths: Iterable[Path]) -> tuple[ConstructionCount, ...]:
    """The counts of CSV files with the columns construction, paradigms (joined by ``|``) and one for each corpus; a later file
    adds its corpora. Raises `ConfigError` with file and line."""
    found: dict[str, ConstructionCount] = {}
    for path in paths:
        try:
            rows = list(csv.reader(path.read_text(encoding="utf-8-sig").splitlines()))
        except (OSError, UnicodeDecodeError, csv.Error) as error:
            raise ConfigError(
                f"{path}: cannot be read ({error})", hint="`gapsmith study count-constructions --csv` writes such a file."
            ) from None
        if not rows or rows[0][:2] != _HEAD or len(rows[0]) < 3:
            raise ConfigError(f"{path}, line 1: the columns are construction, paradigms, and one for each corpus")
        for number, row in enumerate(rows[1:], 2):
            if len(row) != len(rows[0]) or None in (counted := [whole(cell.strip()) for cell in row[2:]]):
                raise ConfigError(f"{path}, line {number}: {', '.join(row)!r} is no row of names and whole numbers")
            name, paradigms = row[0].strip(), tuple(part.strip() for part in row[1].split("|") if part.strip())
            before = found[name].counts if name in found else {}
            counts = {corpus: n for corpus, n in zip(rows[0][2:], counted, strict=True) if n is not None}
            found[name] = ConstructionCount(name, paradigms, {**before, **counts})
    return tuple(found.values())


def correlations(results: Sequence[Licensing], counts: Sequence[ConstructionCount]) -> list[Correlation]:
    """Every correlation, by model, metric and corpus; none where no construction is among the results."""
    corpora = dict.fromkeys(corpus for one in counts for corpus in one.counts)
    found = []
    for result in results:
        for metric in METRICS:
            known = {
                name: effect.estimate
                for one in counts
                for name in one.paradigms
                if (effect := result.effect(name, metric.name, "interaction")) is not None and effect.estimate is not None
            }
            for corpus in corpora if known else ():
                own = [one for one in counts if corpus in one.counts]
                sets = [(known[name], one.counts[corpus]) for one in own for name in one.paradigms if name in known]
                means = [
                    (float(np.mean([known[name] for name in one.paradigms if name in known])), one.counts[corpus])
                    for one in own
                    if any(name in known for name in one.paradigms)
                ]
                for unit, points in (("construction", means), ("set", sets)):
                    found.append(Correlation(result.model, metric.name, corpus, unit, len(points), _r(points)))
    return found


def _r(points: Sequence[tuple[float, float]]) -> float | None:
    return correlation([known for known, _ in points], [counted for _, counted in points]).estimate
