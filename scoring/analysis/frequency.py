"""How frequent constructions are, and whether that goes with how well a model knows them.

Pearson's r of the licensor × gap coefficient and the count, twice: over one point for each construction, the coefficients of its
sets averaged (it-clefts have two sets and one count), and over one point for each set. Five or six points: no test is made. The
coefficient is negative under surprisal, and positive under SLOR, where the model knows the construction.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from gapsmith.scoring.analysis.licensing_effects import METRICS, Licensing
from gapsmith.stats import Result, correlation
from gapsmith.templates import ConfigError, text_of, whole

_HEAD = ["construction", "paradigms"]


@dataclass(frozen=True, slots=True)
class ConstructionCount:
    """A construction, the paradigms that test it, and how often corpora have it."""

    construction: str
    paradigms: tuple[str, ...]
    counts: Mapping[str, int]
    """Corpus to count."""


def read_construction_counts(paths: Iterable[Path]) -> tuple[ConstructionCount, ...]:
    """The counts of CSV files with the columns construction, paradigms (joined by ``|``) and one for each corpus; a later file
    adds its corpora. Raises `ConfigError` with file and line."""
    found: dict[str, ConstructionCount] = {}
    for path in paths:
        try:
            rows = list(csv.reader(text_of(path, "utf-8-sig").splitlines()))
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


def correlations(results: Sequence[Licensing], counts: Sequence[ConstructionCount]) -> list[Result]:
    """Pearson's r of the interaction and the counts of each corpus, by model, metric and corpus; none where no construction is among
    the results. Details: ``metric``, ``corpus``, and ``point``, what a point is: a construction or a set."""
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
                for point, points in (("construction", means), ("set", sets)):
                    r = correlation([size for size, _ in points], [counted for _, counted in points])
                    named = {"metric": metric.name, "corpus": corpus, "point": point}
                    title = f"r of {metric.name} and {corpus}, a point for each {point}"
                    found.append(
                        replace(
                            r,
                            contrast=f"r {metric.name} {corpus} {point}",
                            model=result.model,
                            # So few points are described, not tested.
                            ci=None,
                            statistic=None,
                            df=None,
                            p=None,
                            interpretable=False,
                            unit="r",
                            details={**named, "title": title},
                        )
                    )
    return found
