"""How often the test of a contrast is wrong, and how often it finds an effect, simulated on the words of our own paradigms.

Values of mean 0 and variance 1 are made for items of subject_pg, and for all 8,064 of Lan's grammar; words of some slots carry a share
of the variance. A cell is a number of items and a way to share. Kept in ``inference.json`` beside this file, with the seeds
and what the code was; what is there for the same code is not computed again, so that the run can be stopped.

Judged by the upper end of the Monte Carlo interval: line 1 is to reject a true mean of the words it names in at most .065 of the sets, and
the interval of line 2 is to hold the mean over all words in at least .92. Power is for a mean of .4 standard deviations.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from gapsmith.stats import WordTest, one_sample_t, wilson_interval, word_test
from gapsmith.stats import components as _components
from gapsmith.templates import Paradigm, expand, load_paradigm, sample

_FILE = Path(__file__).with_name("inference.json")
_SIZES = (12, 20, 40, 200, 400)
_MOST, _MANY, _FEWER, _AT_ONCE = 12_000, 4_000, 1_000, 250
_POWER_AT = 0.4
_MOST_WRONG, _LEAST_HELD = 0.065, 0.92


@dataclass(frozen=True, slots=True)
class _Cell:
    """A number of items (0: the whole grammar), and which slot carries which share of the variance."""

    paradigm: str
    n: int
    name: str
    shares: Mapping[str, float]

    @property
    def sets(self) -> int:
        # Of few items, and of 200, the true rate is so near the limit that an interval of fewer sets reaches beyond it.
        return _MOST if self.n == 12 else _MANY if 0 < self.n <= 200 else _FEWER

    @property
    def title(self) -> str:
        return f"{self.paradigm} {self.n or 'all'} {self.name}"


def main() -> None:
    """Print type I errors, coverage and power of each cell, and whether they are within the limits."""
    kept = json.loads(_FILE.read_text(encoding="utf-8")) if _FILE.exists() else {}
    code = _code()
    kept = {title: found for title, found in kept.items() if found["code"] == code}
    left = [cell for cell in _cells() if _done(kept, cell) < cell.sets]
    if left:
        hours = sum(_hours(cell, cell.sets - _done(kept, cell)) for cell in left)
        print(f"{len(left)} cells to compute: about {hours:.1f} hours on one core", flush=True)
    print(f"{'cell':34} {'sets':>5} {'t test':>7} {'line 1':>7} {'at most':>8} {'power':>6} {'line 2 holds':>12} {'at least':>8}")
    for cell in _cells():
        while (done := _done(kept, cell)) < cell.sets:
            counted = _simulate(cell, range(done, min(done + _AT_ONCE, cell.sets)))
            before = kept.get(cell.title, {})
            sums = {name: n + before.get(name, 0) for name, n in counted.items()}
            kept[cell.title] = {"code": code, "seeds": [0, sums["sets"] - 1], **sums}
            _FILE.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        print(_line(cell, kept[cell.title]), flush=True)


def _cells() -> Iterator[_Cell]:
    for name, sizes, largest, two in (("subject_pg", _SIZES, "name1", "preposition"), ("lan_pg", (0,), "np", "adverb")):
        slots = [slot.name for slot in load_paradigm(name).slots if len(slot.words) != 1]
        ways = {
            "none": {},
            "as measured": {"verb": 0.15, "adverb": 0.13},
            ".05 everywhere": dict.fromkeys(slots, 0.05),
            f".30 in {largest}": {largest: 0.30},
            f".10 in {two}": {"verb": 0.15, two: 0.10},
        }
        for n in sizes:
            for way, shares in ways.items():
                yield _Cell(name, n, way, shares)


def _done(kept: Mapping[str, Any], cell: _Cell) -> int:
    return int(kept.get(cell.title, {}).get("sets", 0))


def _simulate(cell: _Cell, seeds: range) -> dict[str, int]:
    paradigm = load_paradigm(cell.paradigm)
    closed = {slot.name for slot in paradigm.slots if slot.closed}
    counted = dict.fromkeys(("described", "items", "tested", "wrong", "found", "wider", "held"), 0)
    for seed in seeds:
        rng = np.random.default_rng([cell.n, seed, 7])
        rows = _rows(paradigm, cell.n, seed)
        values = rng.normal(0, math.sqrt(1 - sum(cell.shares.values())), len(rows))
        means = {}
        for slot, share in cell.shares.items():
            words = sorted({row[slot] for row in rows})
            effects = dict(zip(words, rng.normal(0, math.sqrt(share), len(words)), strict=True))
            values += np.array([effects[row[slot]] for row in rows])
            means[slot] = float(np.mean(list(effects.values())))
        counted["items"] += (one_sample_t(values).p or 1.0) < 0.05
        found = word_test(values, rows, closed=closed)
        if found.these is None or found.these.ci is None:
            counted["described"] += 1
            continue
        counted["tested"] += 1
        low, high = found.these.ci
        counted["wrong"] += not low <= sum(means.get(use.name, 0.0) for use in found.of_use("fixed")) <= high
        counted["found"] += low + _POWER_AT > 0 or high + _POWER_AT < 0
        _look_wider(found, means, counted)
    return {"sets": len(seeds), **counted}


def _look_wider(found: WordTest, means: Mapping[str, float], counted: dict[str, int]) -> None:
    """Whether line 2, or line 1 where it is over all words, holds the mean over all words but those of closed slots."""
    wide = found.others or found.these
    if wide is None or wide.ci is None:
        return
    counted["wider"] += 1
    low, high = wide.ci
    counted["held"] += low <= sum(means.get(use.name, 0.0) for use in found.of_use("fixed") if use.closed) <= high


def _rows(paradigm: Paradigm, n: int, seed: int) -> list[dict[str, str]]:
    return list(islice(sample(paradigm, seed), n)) if n else _every(paradigm.name)


@cache
def _every(name: str) -> list[dict[str, str]]:
    return list(expand(load_paradigm(name)))


def _hours(cell: _Cell, sets: int) -> float:
    """From three sets of it."""
    began = time.process_time()
    paradigm = load_paradigm(cell.paradigm)
    for seed in range(3):
        rows = _rows(paradigm, cell.n, seed)
        word_test(np.random.default_rng(seed).normal(size=len(rows)), rows)
    return (time.process_time() - began) / 3 * sets / 3_600


def _code() -> str:
    """What decided: the rule, and the likelihood."""
    own = Path(_components.__file__)
    return sha256(b"".join(own.with_name(name).read_bytes() for name in ("components.py", "word_model.py"))).hexdigest()[:16]


def _line(cell: _Cell, found: Mapping[str, Any]) -> str:
    wrong, tested, held, wider = (found[name] for name in ("wrong", "tested", "held", "wider"))
    most = wilson_interval(wrong, tested)[1] if tested else math.nan
    least = wilson_interval(held, wider)[0] if wider else math.nan
    limits = ("" if not tested or most <= _MOST_WRONG else " over") + ("" if not wider or least >= _LEAST_HELD else " under")
    return (
        f"{cell.title:34} {found['sets']:5,} {found['items'] / found['sets']:7.3f} {wrong / max(1, tested):7.3f} {most:8.3f} "
        f"{found['found'] / max(1, tested):6.2f} {held / max(1, wider):12.3f} {least:8.3f}{limits}"
    )
