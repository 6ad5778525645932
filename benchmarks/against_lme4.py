"""How near our mixed models come to the best of lme4's, over made sets: needs R with lme4 and jsonlite.

    python -m benchmarks against_lme4 [SETS]

Each design is fitted to that many sets (default 40) by lme4's two optimisers, nloptwrap as it comes and bobyqa, and by ours. Printed for each
design: fits, how often ours did not end, how often it is lower than the better of lme4's by more than 1e-4 (1e-3 for glmer), the
most it is lower, how often lme4's better one is lower than ours, and seconds a fit. Written to ``against_lme4.json`` beside this file: versions,
counts, and the sets in which one of the three differs from the best, which `tests/reference/optima.py` takes up.
"""

from __future__ import annotations

import csv
import json
import math
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gapsmith.stats import fit_mixed

_FILE = Path(__file__).with_name("against_lme4.json")
_SETS = 40
_SHORT = {"gaussian": 1e-4, "binomial": 1e-3}
_TOLD = 1e-4

Columns = dict[str, list[Any]]


@dataclass(frozen=True, slots=True)
class Design:
    """A formula and the sets that it is fitted to."""

    name: str
    formula: str
    make: Callable[[np.random.Generator], Columns]
    family: str = "gaussian"


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


DESIGNS = (
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

_R = """
suppressPackageStartupMessages(library(lme4)); options(contrasts = c("contr.sum", "contr.poly"))
jobs <- jsonlite::fromJSON("jobs.json", simplifyVector = FALSE)
quiet <- list(check.conv.singular = "ignore", calc.derivs = FALSE)
fit <- function(job, data, reml, optimizer) tryCatch({
  warned <- FALSE
  started <- proc.time()[[3]]
  found <- withCallingHandlers(
    if (job$family == "gaussian") lmer(as.formula(job$formula), data, REML = reml,
        control = do.call(lmerControl, c(quiet, if (optimizer == "bobyqa") list(optimizer = "bobyqa"))))
    else glmer(as.formula(job$formula), data, family = binomial,
        control = do.call(glmerControl, c(quiet, if (optimizer == "bobyqa") list(optimizer = "bobyqa")))),
    warning = function(w) { warned <<- TRUE; invokeRestart("muffleWarning") },
    message = function(m) invokeRestart("muffleMessage"))
  list(log_likelihood = as.numeric(logLik(found)), warned = warned, seconds = proc.time()[[3]] - started)
}, error = function(e) list(log_likelihood = NA, warned = TRUE, seconds = 0))
out <- lapply(jobs, function(job) {
  data <- read.csv(job$file, stringsAsFactors = TRUE)
  lapply(if (job$family == "gaussian") c(TRUE, FALSE) else FALSE, function(reml)
    list(usual = fit(job, data, reml, "usual"), bobyqa = fit(job, data, reml, "bobyqa")))
})
writeLines(jsonlite::toJSON(list(versions = list(R = R.version.string, lme4 = as.character(packageVersion("lme4")),
  nloptr = as.character(packageVersion("nloptr")), minqa = as.character(packageVersion("minqa"))), fits = out),
  auto_unbox = TRUE, digits = NA, na = "null"), "out.json")
"""


def main() -> None:
    """Print how near ours comes, by design."""
    sets = int(sys.argv[1]) if len(sys.argv) > 1 else _SETS
    kept: dict[str, Any] = {"sets": sets, "designs": {}, "telling": []}
    for number, design in enumerate(DESIGNS):
        for line, telling, versions in _compared(design, number, sets):
            kept["designs"][f"{design.name} {line['criterion']}"] = line
            kept["telling"] += telling
            kept["versions"] = versions
            print(f"{design.name:14} {line}", flush=True)
    _FILE.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def made(design: Design, number: int, seed: int) -> Columns:
    """The set of that seed of the design at that place."""
    return design.make(np.random.default_rng([29, number, seed]))


def _compared(design: Design, number: int, sets: int) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]], dict[str, str]]]:
    data = [made(design, number, seed) for seed in range(sets)]
    found = in_r(design, data)
    for place, reml in enumerate((True, False) if design.family == "gaussian" else (False,)):
        short, over, unended, seconds, most, telling, warned = 0, 0, 0, 0.0, 0.0, [], 0
        for seed, (columns, fits) in enumerate(zip(data, found["fits"], strict=True)):
            theirs = [fits[place][name]["log_likelihood"] for name in ("usual", "bobyqa")]
            best = max((own for own in theirs if own is not None), default=-math.inf)
            warned += fits[place]["usual"]["warned"]
            started = time.process_time()
            try:
                fit = fit_mixed(design.formula, columns, family=design.family, reml=reml)  # type: ignore[arg-type]
            except ValueError as error:
                print(design.name, seed, error)
                continue
            seconds += time.process_time() - started
            ours = fit.log_likelihood
            unended += ours is None
            if ours is None:
                telling.append({"design": design.name, "seed": seed, "reml": reml, "lme4": theirs, "why": fit.undefined})
                continue
            lower = best - ours
            most = max(most, lower)
            short += lower > _SHORT[design.family]
            over += lower < -_TOLD
            if lower > _SHORT[design.family] or any(own is None or own < ours - 10 * _TOLD for own in theirs):
                telling.append({"design": design.name, "seed": seed, "reml": reml, "lme4": theirs, "ours": ours})
        line = {
            "criterion": "Laplace" if design.family == "binomial" else "REML" if reml else "ML",
            "fits": sets, "unended": unended, "lower": short, "most_lower": most, "lme4_lower": over, "lme4_warned": warned,
            "seconds": round(seconds / sets, 3),
        }  # fmt: skip
        yield line, telling, found["versions"]


def in_r(design: Design, data: list[Columns]) -> Any:
    """What lme4 makes of the sets: versions, and for each the log-likelihoods by criterion and optimiser."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        jobs = []
        for seed, columns in enumerate(data):
            with (folder / f"{seed}.csv").open("w", newline="", encoding="utf-8") as file:
                writer = csv.writer(file, lineterminator="\n")
                writer.writerow(columns)
                writer.writerows(zip(*columns.values(), strict=True))
            jobs.append({"formula": design.formula, "family": design.family, "file": f"{seed}.csv"})
        (folder / "jobs.json").write_text(json.dumps(jobs), encoding="utf-8")
        (folder / "run.R").write_text(_R, encoding="utf-8")
        subprocess.run(["Rscript", "run.R"], cwd=folder, check=True)
        return json.loads((folder / "out.json").read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
