"""Scripts for R that were written are run, and what they give is held against the fit and the tests here."""

from __future__ import annotations

import csv
import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gapsmith.stats import MixedFit, Result
from gapsmith.templates import GapsmithError, listed

_ESTIMATES, _ERRORS = 0.01, 0.01
"""How far estimates may lie apart in standard errors, and standard errors by their size: what no table shows."""
_LIKELIHOOD = {"gaussian": 1e-4, "binomial": 1e-3}
"""By how much our log-likelihood may be lower."""


@dataclass(frozen=True, slots=True)
class CheckedInR:
    """What R gave beside the fit here."""

    software: str
    log_likelihood: float
    ours: float
    estimates: float
    """The largest difference of an estimate, in its standard error."""
    errors: float
    """The largest difference of a standard error, as a share of it."""

    @property
    def said(self) -> str:
        """What came out, in a sentence."""
        return (
            f"{self.software}: log-likelihood {self.log_likelihood:.4f} (here {self.ours:.4f}); estimates differ by at most "
            f"{self.estimates:.2g} standard errors, standard errors by at most {100 * self.errors:.2g} %."
        )


def check_in_r(folder: Path, fit: MixedFit, minutes: float) -> CheckedInR:
    """Run ``model.R`` in that folder and compare. Raises `GapsmithError` where R or lmerTest is not there, where the script fails
    or takes more than so many minutes, and where the two differ by more than rounding and searching can explain; the files stay."""
    if fit.undefined is not None or fit.log_likelihood is None:
        raise GapsmithError(
            f"there is no fit here to compare R with: {fit.undefined}", hint="Leave --check out, or leave random terms out."
        )
    _run(folder, "model.R", minutes)
    rows, summary = _read(folder / "coefficients.csv"), _read(folder / "fit.csv")[0]
    found = CheckedInR(
        software=f"{summary['r']}, lme4 {summary['lme4']}",
        log_likelihood=float(summary["log_likelihood"]),
        ours=fit.log_likelihood,
        estimates=0.0,
        errors=0.0,
    )
    if len(rows) != len(fit.coefficients) or int(summary["rows"]) != fit.n:
        raise GapsmithError(
            f"R fitted {len(rows)} coefficients to {summary['rows']} rows, and here there are {len(fit.coefficients)} and {fit.n}",
            hint=f"{folder / 'model.R'} and its data show what R read.",
        )
    pairs = [(own, float(row["Estimate"]), float(row["Std. Error"])) for own, row in zip(fit.coefficients, rows, strict=True)]
    found = CheckedInR(
        found.software,
        found.log_likelihood,
        found.ours,
        max(abs(own.estimate - estimate) / own.se for own, estimate, _ in pairs),
        max(abs(own.se - se) / own.se for own, _, se in pairs),
    )
    short = _LIKELIHOOD[fit.family]
    if found.log_likelihood > found.ours + short:
        raise GapsmithError(
            f"R found a likelier model. {found.said}", hint="That is a fault of ours: please report it with the folder's files."
        )
    apart = found.estimates > _ESTIMATES or found.errors > _ERRORS
    if apart and found.log_likelihood >= found.ours - short:
        raise GapsmithError(
            f"R and the fit here differ. {found.said}",
            hint=f"More than {_ESTIMATES:g} standard errors or {100 * _ERRORS:g} % is no rounding: compare {folder / 'coefficients.csv'}.",
        )
    return found


def check_contrasts_in_r(folder: Path, tests: Mapping[str, Result], minutes: float) -> str:
    """Run ``contrasts.R`` in that folder, hold each line against the test that the analysis has, and say what came out. Raises `GapsmithError`
    as `check_in_r` does."""
    _run(folder, "contrasts.R", minutes)
    rows = {row["contrast"]: row for row in _read(folder / "tests.csv")}
    apart, most, lower = [], {"estimate": 0.0, "se": 0.0, "df": 0.0, "p": 0.0}, []
    for name, own in tests.items():
        row = rows[name]
        assert own.estimate is not None
        assert own.se is not None
        assert own.df is not None
        assert own.p is not None
        found = {
            "estimate": abs(own.estimate - float(row["estimate"])) / own.se,
            "se": abs(own.se - float(row["se"])) / own.se,
            "df": abs(own.df - float(row["df"])) / own.df,
            "p": abs(own.p - float(row["p"])),
        }
        likelihoods = [float(row[key]) for key in ("log_likelihood", "here") if row[key] not in ("", "NA")]
        if len(likelihoods) == 2 and likelihoods[0] < likelihoods[1] - _LIKELIHOOD["gaussian"]:
            # Where R's search stopped lower, its numbers are those of another place.
            lower.append(name)
            continue
        most = {key: max(most[key], value) for key, value in found.items()}
        if found["estimate"] > _ESTIMATES or max(found["se"], found["df"]) > _ERRORS or int(row["n"]) != own.n:
            apart.append(
                f"{name}: {own.estimate:.5g}, standard error {own.se:.5g}, df {own.df:.5g}, p {own.p:.4g}, n {own.n} here; in R "
                f"{float(row['estimate']):.5g}, {float(row['se']):.5g}, {float(row['df']):.5g}, {float(row['p']):.4g}, {row['n']}"
            )
    if apart:
        raise GapsmithError(
            f"R and the tests here differ. {'; '.join(apart)}",
            hint=f"More than {_ESTIMATES:g} standard errors or {100 * _ERRORS:g} % is no rounding: compare {folder / 'tests.csv'}.",
        )
    alike = [name for name in tests if name not in lower]
    said = (
        f"The report's tests are the same in R ({listed(alike)}): estimates differ by at most {most['estimate']:.2g} standard errors, "
        f"standard errors by {100 * most['se']:.2g} %, degrees of freedom by {100 * most['df']:.2g} %, p by {most['p']:.2g}."
        if alike
        else ""
    )
    if lower:
        said += f" R's search stopped lower than the one here for {listed(lower)}: nothing is compared."
    return said.strip()


def _run(folder: Path, script: str, minutes: float) -> None:
    """Run a script in that folder. Raises `GapsmithError` where there is no R, and where the script fails or takes too long."""
    program = shutil.which("Rscript")
    if program is None:
        raise GapsmithError(
            "Rscript is not on the path, so the scripts were written and not checked",
            hint="Install R with lme4 and lmerTest (Debian, Ubuntu: apt install r-cran-lmertest), or leave --check out.",
        )
    # What R needs is a path and a language; keys in the environment are none of its business.
    environment = {
        name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG", "LC_ALL", "R_LIBS", "TMPDIR")
    }
    try:
        done = subprocess.run(
            [program, script], cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=60 * minutes
        )
    except subprocess.TimeoutExpired:
        raise GapsmithError(
            f"R had not fitted {folder / script} after {minutes:g} minutes and was stopped; nothing is compared",
            hint="Give it longer with --check-minutes, name a formula with fewer random terms with --formula, or run the script yourself.",
        ) from None
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        raise GapsmithError(
            f"{folder / script} failed in R: {' '.join(lines[-3:]) or 'no message'}",
            hint="Where a package is missing: apt install r-cran-lmertest, or install.packages('lmerTest') in R.",
        )


def _read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
