"""Designs of mixed models and the sets they are fitted to, made from seeds: for the comparison with lme4, and its stored sets."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

Columns = dict[str, list[Any]]


@dataclass(frozen=True, slots=True)
class Design:
    """A formula and the sets that it is fitted to."""

    name: str
    formula: str
    make: Callable[[np.random.Generator], Columns]
    family: Literal["gaussian", "binomial"] = "gaussian"
    number: int = 0
    """Its place, which seeds are taken with."""


def _made(
    rng: np.random.Generator, items: int, groups: dict[str, int], copies: int = 1, lost: float = 0.0, *, three: bool = False
) -> Columns:
    """Items in the cells of two factors, with words of `groups` (name to how many) whose effects and slopes are of random sizes,
    often none and often going together."""
    effects = {}
    for name, size in (("item", items), *groups.items()):
        scale = rng.choice([0, 0, 0.2, 0.6, 1.2], size=4)
        drawn = rng.normal(size=(size, 4))
        if rng.random() < 0.3:
            drawn[:, 1:] = drawn[:, :1] * rng.choice([-1, 1], size=3)
        effects[name] = drawn * scale
    rows: Columns = {name: [] for name in ("y", "a", "b", "c", "item", *groups, "right", "wrong")}
    for item in range(items):
        own = {"item": item, **{name: int(rng.integers(size)) for name, size in groups.items()}}
        for a in (-0.5, 0.5):
            for b in (-0.5, 0.5):
                for _ in range(copies):
                    value = float(sum((effects[name][level] @ (1, a, b, 4 * a * b) for name, level in own.items()), rng.normal()))
                    third = int(rng.integers(3))
                    hits = int(rng.binomial(6, 1 / (1 + math.exp(-value)))) if three else int(value + rng.logistic() > 0)
                    if rng.random() < lost:
                        continue
                    row = {"y": value + 3 + a, "a": a, "b": b, "c": f"c{third}", "right": hits, "wrong": 6 - hits}
                    row |= {name: f"{name[0]}{level:03}" for name, level in own.items()}
                    for name, column in rows.items():
                        column.append(row[name])
    return rows


_ALL = (
    Design("words", "y ~ a * b + (1 | item) + (1 | verb) + (1 | noun)", lambda r: _made(r, 30, {"verb": 8, "noun": 6})),
    Design("few", "y ~ a * b + (1 | item) + (1 | verb)", lambda r: _made(r, 12, {"verb": 2})),
    Design("two levels", "y ~ a * b + (a | verb) + (1 | noun)", lambda r: _made(r, 16, {"verb": 2, "noun": 3})),
    Design("slopes", "y ~ a * b + (a + b | verb) + (1 | noun)", lambda r: _made(r, 20, {"verb": 5, "noun": 4})),
    Design("by item", "y ~ a * b + (a | item) + (1 | verb)", lambda r: _made(r, 20, {"verb": 7}, lost=0.1)),
    Design("maximal", "y ~ a * b + (a * b | item)", lambda r: _made(r, 14, {}, copies=2)),
    Design("two slopes", "y ~ a * b + (a | item) + (b | verb)", lambda r: _made(r, 24, {"verb": 6})),
    Design("bars", "y ~ a * b + (a + b || item) + (a * b || verb)", lambda r: _made(r, 24, {"verb": 6}, lost=0.05)),
    Design("many bars", "y ~ a * b + (1 | item) + (a * b || verb) + (a * b || noun)", lambda r: _made(r, 24, {"verb": 6, "noun": 8})),
    Design("three", "y ~ c + a + (1 + c | verb) + (1 | item)", lambda r: _made(r, 24, {"verb": 6})),
    Design("answers", "right ~ a * b + (1 | item) + (1 | verb)", lambda r: _made(r, 40, {"verb": 8}), "binomial"),
    Design("answer slopes", "right ~ a + b + (a | item)", lambda r: _made(r, 40, {}, copies=2), "binomial"),
    Design("counts", "cbind(right, wrong) ~ a * b + (a || item) + (1 | verb)", lambda r: _made(r, 25, {"verb": 6}, three=True), "binomial"),
)  # fmt: skip


def _small(rng: np.random.Generator) -> Columns:
    """5 to 16 items with 3 to 8 words: where a variance of 0 is as likely as another, and two optima can be."""
    while True:
        items = int(rng.integers(5, 17))
        found = _made(rng, items, {"verb": int(rng.integers(3, min(9, items)))})
        # One word for all items is no group.
        if len(set(found["verb"])) > 1:
            return found


_FEW_ITEMS = (
    Design("small, by item", "y ~ a * b + (a + b || item)", _small),
    Design("small, two intercepts", "y ~ a * b + (1 | item) + (1 | verb)", _small),
    Design("small, slope and word", "y ~ a * b + (a || item) + (1 | verb)", _small),
    Design("small, word slopes", "y ~ a * b + (1 | item) + (a * b || verb)", _small),
    Design("small, all", "y ~ a * b + (a + b || item) + (a * b || verb)", _small),
    Design("small, correlated", "y ~ a * b + (a | item) + (1 | verb)", _small),
)
SMALL = {design.name: replace(design, number=100 + number) for number, design in enumerate(_FEW_ITEMS)}
"""What `--formula auto` comes to for few items, before and after random slopes are left out."""
DESIGNS = {design.name: replace(design, number=number) for number, design in enumerate(_ALL)}


def made(design: Design, seed: int) -> Columns:
    """The set of that seed."""
    return design.make(np.random.default_rng([29, design.number, seed]))
