"""How often what a parser objects to was right, as measured on blind items and stored. The only place that decides whether it is shown."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

PRECISION_FILE = Path(str(resources.files("gapsmith.vetting.rules"))) / "parse_precision.csv"
"""What `tools/measure_parse_rules.py` writes."""
PAIR_PRECISION_FILE = PRECISION_FILE.with_name("pair_precision.csv")
"""What `tools/published_pairs.py` writes."""
BLIND_PRECISION_FILE = PRECISION_FILE.with_name("blind_precision.csv")
"""What `tools/measure_rules.py` writes."""
ENOUGH = 0.9
"""A mark or a finding of a rule is shown unasked where at least this share was right."""
LEAST = 20
"""Of fewer marks or findings a share says too little."""


@dataclass(frozen=True, slots=True)
class Precision:
    """How many marks or findings there were on blind items, and how many of them were right."""

    total: int
    right: int
    items: int

    @property
    def share(self) -> float | None:
        """None where there was none to be right or wrong."""
        return self.right / self.total if self.total else None

    @property
    def is_enough(self) -> bool:
        """Whether it may be shown unasked: there were enough to tell, and nine in ten were right."""
        return self.share is not None and self.total >= LEAST and self.share >= ENOUGH

    def __str__(self) -> str:
        if not self.total:
            return f"never said of {self.items:,} blind items, so nobody knows how often it is right"
        few = ", too few to tell" if self.total < LEAST else ""
        return f"right in {self.right:,} of {self.total:,} on {self.items:,} blind items{few}"


@cache
def precisions() -> Mapping[tuple[str, str], Precision]:
    """(code, ``mark`` or ``finding``) to what was measured."""
    with PRECISION_FILE.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return {(r["code"], r["kind"]): Precision(int(r["total"]), int(r["right"]), int(r["items"])) for r in rows}


def precision_of(code: str, kind: str = "finding") -> Precision | None:
    """What was measured of a rule's findings, or of its marks in a parse; None of rules that look at no parse."""
    return precisions().get((code, kind))


@dataclass(frozen=True, slots=True)
class PairPrecision:
    """How many warnings about published pairs a blind reader found true and of matter: when they were judged, and of those that are given
    today. The second figure is no unseen one: the rule may have been mended by what the reader said. Of a rule that was judged twice it
    is the second reading, of warnings that the first had not seen."""

    total: int
    right: int
    total_today: int
    right_today: int

    @property
    def is_enough(self) -> bool:
        """Whether findings about pairs may weigh more than a remark: nine in ten of what the rule still says were right, or there were too
        few to tell."""
        return self.total_today < LEAST or self.right_today >= ENOUGH * self.total_today

    def __str__(self) -> str:
        first = f"right in {self.right:,} of {self.total:,} warnings about published pairs that a blind reader judged"
        if (self.right, self.total) == (self.right_today, self.total_today):
            return first if self.is_enough else f"{first}: a remark where items are pairs"
        left = (
            f"{self.right_today:,} of the {self.total_today:,} that it still gives"
            if self.total_today
            else "none of which it still gives"
        )
        return f"{first}; mended since: {left}"


BLIND_SETS: Mapping[str, str] = {
    "subject_pg": "in the frame of subject_pg",
    "frames": "in any frame, by the flawed word in the message",
}
"""What items the figures of `BLIND_PRECISION_FILE` are of."""


@cache
def _blind_precisions() -> Mapping[str, Mapping[str, Precision]]:
    found: dict[str, dict[str, Precision]] = {}
    with BLIND_PRECISION_FILE.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            one = Precision(int(row["total"]), int(row["right"]), int(row["items"]))
            found.setdefault(row["code"], {})[row["set"]] = one
    return found


def blind_precisions_of(code: str) -> list[str]:
    """How often a rule's findings named the flaw of a blind item, by set; empty where it said nothing of any."""
    return [
        f"{BLIND_SETS[own]}: {one} (not unseen: rules were mended in sight of most of them)"
        for own, one in _blind_precisions().get(code, {}).items()
    ]


@cache
def pair_precisions() -> Mapping[str, PairPrecision]:
    """Code to what was measured on published pairs."""
    with PAIR_PRECISION_FILE.open(encoding="utf-8", newline="") as file:
        names = ("total", "right", "total_today", "right_today")
        return {row["code"]: PairPrecision(*(int(row[name]) for name in names)) for row in csv.DictReader(file)}


def pair_precision_of(code: str) -> PairPrecision | None:
    """What was measured of a rule's warnings about published pairs; None of rules that gave none."""
    return pair_precisions().get(code)


def is_remark_on_pairs(code: str) -> bool:
    """Whether a rule says no more than a remark of pairs, since a blind reader found too little of what it says of them right."""
    found = pair_precision_of(code)
    return found is not None and not found.is_enough


def in_short(code: str, *, of_pairs: bool = False) -> str:
    """The measurement on blind items of the kind, in few words: of published pairs as they were judged where items are pairs, else the one
    with the most findings behind it; empty where there is none."""
    pairs = pair_precision_of(code)
    measured: list[Precision | PairPrecision | None]
    measured = [pairs] if of_pairs and pairs is not None else [*_blind_precisions().get(code, {}).values(), pairs]
    total, right = max(((one.total, one.right) for one in measured if one is not None), default=(0, 0))
    return f"right in {right:,} of {total:,}" if total else ""


def measurements_of(code: str) -> list[str]:
    """All that was measured of how often a rule is right, in lines for people; one says so where nothing was."""
    told = [f"{kind}: {found}" for kind in ("finding", "mark") if (found := precision_of(code, kind)) is not None]
    of_pairs = pair_precision_of(code)
    told += [str(of_pairs)] if of_pairs is not None else []
    told += blind_precisions_of(code)
    return told or ["not measured: no item that was judged blind had such a finding"]
