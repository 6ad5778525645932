"""How near our mixed models come to the best of lme4's, over made sets: needs R with lme4 and jsonlite.

    python -m benchmarks.against_lme4 [SETS]
    python -m benchmarks.against_lme4 small [SETS]

Each design is fitted to that many sets (default 40) by lme4's two optimisers, nloptwrap as it comes and bobyqa, and by ours. Printed for each
design: fits, how often ours did not end, how often a variance is 0, the sets in which ours is lower than the better of lme4's by more
than 1e-4 (1e-3 for glmer), the most it is lower, how often lme4's better one is lower than ours, and seconds a fit. Written to
``against_lme4.json`` beside this file: versions, and counts; and the sets that tell most to ``tests/reference/lme4_optima.json``, which
tests hold our fits against.

With ``small`` the designs are those that `--formula auto` comes to for 5 to 16 items (default 500 sets each), the counts are kept in
``against_lme4_small.json`` every 50 sets, and a run that was stopped goes on from there.
"""

from __future__ import annotations

import csv
import json
import math
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from gapsmith.stats import fit_mixed
from tests.reference.made_sets import DESIGNS, SMALL, Columns, Design, made

_FILE = Path(__file__).with_name("against_lme4.json")
_SMALL_FILE = Path(__file__).with_name("against_lme4_small.json")
_SETS, _SMALL_SETS, _BLOCK = 40, 500, 50
_SHORT = {"gaussian": 1e-4, "binomial": 1e-3}
_TOLD = 1e-4

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


_OPTIMA = Path(__file__).parents[1] / "tests" / "reference" / "lme4_optima.json"
_STORED = 2
_ONCE_LOWER = {("maximal", 43), ("many bars", 32), ("many bars", 41), ("answer slopes", 5), ("answer slopes", 53)}
"""Sets in which our search once ended lower than lme4's, or not at a minimum."""


def main() -> None:
    """Print how near ours comes, by design."""
    if sys.argv[1:2] == ["small"]:
        small(int(sys.argv[2]) if len(sys.argv) > 2 else _SMALL_SETS)
        return
    sets = int(sys.argv[1]) if len(sys.argv) > 1 else _SETS
    lines: dict[str, Any] = {}
    # Sets of few items in which an earlier search was lower stay.
    before = json.loads(_OPTIMA.read_text(encoding="utf-8"))["sets"]
    stored: list[dict[str, Any]] = [own for own in before if own["design"] in SMALL]
    versions: dict[str, str] = {}
    for design in DESIGNS.values():
        for line, found, own_versions in _compared(design, range(sets)):
            versions |= own_versions
            lines[f"{design.name} {line['criterion']}"] = line
            found.sort(key=lambda own: -abs(own["usual"] - own["bobyqa"]))
            stored += [own for own in found if (own["design"], own["seed"]) in _ONCE_LOWER]
            stored += [own for own in found if own not in stored][:_STORED]
            print(f"{design.name:14} {line}", flush=True)
    _FILE.write_text(json.dumps({"versions": versions, "designs": lines}, indent=1) + "\n", encoding="utf-8")
    _OPTIMA.write_text(json.dumps({"versions": versions, "sets": stored}, indent=1) + "\n", encoding="utf-8")


def small(sets: int) -> None:
    """Hold sets of few items against lme4, block by block."""
    known: dict[str, Any] = json.loads(_SMALL_FILE.read_text(encoding="utf-8")) if _SMALL_FILE.exists() else {"designs": {}}
    for design in SMALL.values():
        own = known["designs"].setdefault(design.name, {"formula": design.formula, "sets": 0, "lines": {}})
        while own["sets"] < sets:
            block = range(own["sets"], min(own["sets"] + _BLOCK, sets))
            for line, _, versions in _compared(design, block):
                known["versions"] = versions
                before = own["lines"].get(line["criterion"])
                own["lines"][line["criterion"]] = line if before is None else _together(before, line)
            own["sets"] = block.stop
            _SMALL_FILE.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")
        for line in own["lines"].values():
            print(f"{design.name:22} {line}", flush=True)


def _together(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Two counts as one."""
    fits = one["fits"] + other["fits"]
    added = {name: one[name] + other[name] for name in ("unended", "lower", "lme4_lower", "at_zero")}
    seconds = (one["seconds"] * one["fits"] + other["seconds"] * other["fits"]) / fits
    most = max(one["most_lower"], other["most_lower"])
    return {**one, "fits": fits, **added, "most_lower": most, "seconds": round(seconds, 3)}


def _compared(design: Design, seeds: Sequence[int]) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]], dict[str, str]]]:
    """For each criterion: the counts, what lme4 gave for each set, and the versions."""
    data = [made(design, seed) for seed in seeds]
    found = in_r(design, data)
    for place, reml in enumerate((True, False) if design.family == "gaussian" else (False,)):
        criterion = "Laplace" if design.family == "binomial" else "REML" if reml else "ML"
        over, unended, at_zero, seconds, most = 0, 0, 0, 0.0, 0.0
        theirs, lower = [], []
        for seed, columns, fits in zip(seeds, data, found["fits"], strict=True):
            both = [fits[place][name]["log_likelihood"] for name in ("usual", "bobyqa")]
            told = {"design": design.name, "seed": seed, "criterion": criterion}
            if None not in both:
                theirs.append({**told, **dict(zip(("usual", "bobyqa"), both, strict=True))})
            best = max((own for own in both if own is not None), default=-math.inf)
            started = time.process_time()
            fit = fit_mixed(design.formula, columns, family=design.family, reml=reml)
            seconds += time.process_time() - started
            if fit.log_likelihood is None:
                unended += 1
                continue
            most = max(most, best - fit.log_likelihood)
            if best - fit.log_likelihood > _SHORT[design.family]:
                lower.append({**told, "ours": fit.log_likelihood, "best": best})
            at_zero += fit.singular
            over += best - fit.log_likelihood < -_TOLD
        line = {
            "criterion": criterion,
            "fits": len(seeds),
            "unended": unended,
            "at_zero": at_zero,
            "lower": lower,
            "most_lower": most,
            "lme4_lower": over,
            "seconds": round(seconds / len(seeds), 3),
        }
        yield line, theirs, found["versions"]


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
