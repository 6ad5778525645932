"""Values over crossed words, written to ``crossing_data.csv`` for ``crossing_reference.R`` and the tests.

Three sets: every combination of the words of five slots (with effects of the words, as in a set whose t is large only because its
words repeat), two slots of which one does nothing at all, and a random half of a third crossing.

    python tests/reference/crossing_data.py && Rscript tests/reference/crossing_reference.R
"""

from __future__ import annotations

import csv
import itertools
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent


def values(
    rng: np.random.Generator, sizes: tuple[int, ...], sds: tuple[float, ...], mean: float, residual: float
) -> list[list[str]]:
    """One row per combination: the words' numbers, then mean + the effect of each word + noise."""
    effects = [rng.normal(0, sd, size) if sd else np.zeros(size) for size, sd in zip(sizes, sds, strict=True)]
    rows = []
    for words in itertools.product(*(range(size) for size in sizes)):
        value = mean + sum(effect[word] for effect, word in zip(effects, words, strict=True)) + rng.normal(0, residual)
        rows.append([*(f"w{word}" for word in words), f"{value:.6f}"])
    return rows


def main() -> None:
    rng = np.random.default_rng(20_261)
    sets = {
        "exhaustive": values(rng, (12, 4, 3, 3, 2), (1.5, 1.0, 1.2, 0.6, 0.4), 0.5, 2.0),
        "singular": values(rng, (8, 6, 1, 1, 1), (1.0, 0.0, 0.0, 0.0, 0.0), 1.0, 1.5),
        "half": values(rng, (15, 6, 4, 1, 1), (2.0, 0.7, 0.9, 0.0, 0.0), -0.6, 1.0),
    }
    half = sets["half"]
    sets["half"] = [half[position] for position in sorted(rng.choice(len(half), len(half) // 2, replace=False))]
    with (HERE / "crossing_data.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["set", "noun", "linker", "verb", "object", "adverb", "value"])
        for name, rows in sets.items():
            writer.writerows([name, *row] for row in rows)


if __name__ == "__main__":
    main()
