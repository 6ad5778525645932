"""The table that ``mixed_reference.R`` and the tests fit models to, written to ``mixed_data.csv``.

24 items in eight conditions, a critical word that depends on one factor, a numeric covariate, and an accuracy.

    python tests/reference/mixed_data.py && Rscript tests/reference/mixed_reference.R
"""

from __future__ import annotations

import csv
import itertools
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
ITEMS, WORDS, VERBS = 24, 6, ("annoy", "bother", "disturb")


def main() -> None:
    rng = np.random.default_rng(77)
    by_item = rng.multivariate_normal([0, 0], [[1.4, 0.4], [0.4, 0.5]], ITEMS)
    by_word = {gap: rng.normal(0, 0.8, WORDS) for gap in ("filled", "open")}
    by_verb = dict(zip(VERBS, (0.5, -0.3, 0.1), strict=True))
    with (HERE / "mixed_data.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(
            [
                "item",
                "word",
                "verb",
                "filler",
                "gap",
                "island",
                "length",
                "depth",
                "surprisal",
                "correct",
                "hits",
                "misses",
            ]
        )
        for item, filler, gap, island in itertools.product(range(ITEMS), ("that", "who"), ("filled", "open"), ("no", "yes")):
            verb, word, depth = VERBS[item % 3], item % WORDS, item % 4
            length = int(rng.integers(4, 12))
            f, g, i = (0.5 if level in {"who", "open", "yes"} else -0.5 for level in (filler, gap, island))
            mean = 11 + 0.8 * f + 4 * g + 0.7 * i - 2.5 * f * g + 1.2 * f * g * i + 0.1 * length + by_verb[verb]
            mean += by_item[item, 0] + by_item[item, 1] * 2 * f + by_word[gap][word]
            chance = 1 / (1 + np.exp(-(0.4 + 0.9 * f + by_item[item, 0] / 1.5)))
            hits = int(rng.binomial(8, chance))
            writer.writerow(
                [
                    f"i{item:02}",
                    f"{gap[0]}{word}",
                    verb,
                    filler,
                    gap,
                    island,
                    length,
                    depth,
                    f"{mean + rng.normal(0, 1.1):.4f}",
                    int(rng.random() < chance),
                    hits,
                    8 - hits,
                ]
            )


if __name__ == "__main__":
    main()
