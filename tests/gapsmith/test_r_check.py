"""`export r --check`: the script is run where R is, and what it gives is held against the fit here."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from gapsmith.app.r_check import check_contrasts_in_r, check_in_r
from gapsmith.stats import MixedFit, export_r, fit_mixed, one_sample_t
from gapsmith.templates import GapsmithError
from tests.stats.test_stats_r_export import r_with_lme4

DATA = Path(__file__).parent.parent / "reference" / "mixed_data.csv"
FORMULA = "surprisal ~ filler * gap + (filler || item) + (1 | word)"


def written(folder: Path) -> MixedFit:
    """The script and its data in a folder, and our fit."""
    data = pd.read_csv(DATA)
    material = export_r(FORMULA, data)
    (folder / "model.R").write_text(material.script, encoding="utf-8")
    (folder / material.data_file).write_text(material.data, encoding="utf-8")
    return fit_mixed(FORMULA, data)


def test_without_r_the_way_out_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fit = written(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GapsmithError, match="Rscript is not on the path") as refused:
        check_in_r(tmp_path, fit, 5)
    assert "--check" in str(refused.value.hint)


@pytest.mark.full
def test_r_and_the_fit_here_agree_and_a_difference_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if reason := r_with_lme4():
        pytest.skip(reason)
    fit = written(tmp_path)
    found = check_in_r(tmp_path, fit, 5)
    # What R has written stays, and a program of its name that does nothing stands for fitting the same once more.
    program = tmp_path / "bin" / "Rscript"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nexit 0\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent))
    assert found.log_likelihood == pytest.approx(fit.log_likelihood, abs=1e-4)
    assert max(found.estimates, found.errors) < 1e-3
    assert "lme4" in found.said
    first = fit.coefficients[0]
    other = replace(fit, coefficients=(replace(first, estimate=first.estimate + first.se), *fit.coefficients[1:]))
    with pytest.raises(GapsmithError, match="R and the fit here differ"):
        check_in_r(tmp_path, other, 5)
    assert fit.log_likelihood is not None
    with pytest.raises(GapsmithError, match="R found a likelier model"):
        check_in_r(tmp_path, replace(fit, log_likelihood=fit.log_likelihood - 1), 5)
    monkeypatch.undo()
    (tmp_path / "model.R").write_text("stop('no such package')", encoding="utf-8")
    with pytest.raises(GapsmithError, match=r"failed in R: .*no such package"):
        check_in_r(tmp_path, fit, 5)


def test_the_reports_tests_go_to_r_by_their_own_measure(gapsmith: Callable[..., Any], tmp_path: Path) -> None:
    """posh_wanna tests the mean by token of the sentence, where the model of the design has the sum at the critical region."""
    assert gapsmith("generate", "posh_wanna", "-n", "8", "--seed", "1").code == 0
    assert gapsmith("score", "--model", "bundled", "--all").code == 0
    formula = "surprisal ~ condition + (1 | item)"
    done = gapsmith("export", "r", "-p", "posh_wanna", "--all", "-m", "bundled", "--formula", formula, "-o", "model")
    assert done.code == 0, done.err
    assert "surprisal (bits) at the critical region of each condition; model bundled, convention gapsmith" in done.err
    assert "criterion correct (a share has an interval and no such test)" in done.err
    script = (tmp_path / "model" / "contrasts.R").read_text(encoding="utf-8")
    assert "# margin: bad@sentence - good@sentence; mean surprisal by token (bits), mean" in script
    items = gapsmith("export", "items", "-p", "posh_wanna", "--all", "-m", "bundled").out
    values = sorted(float(row["value"]) for row in csv.DictReader(items.splitlines()) if row["contrast"] == "margin")
    with (tmp_path / "model" / "contrasts.csv").open(encoding="utf-8") as file:
        assert sorted(float(row["value"]) for row in csv.DictReader(file)) == pytest.approx(values)


def test_a_test_that_r_has_otherwise_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    values = [0.3, 0.1, 0.5, 0.2, -0.1, 0.4]
    test = one_sample_t(values)
    line = f"did,6,{test.estimate},{test.se},{test.df},{test.statistic},{test.p},NA,NA,R,1"
    head = "contrast,n,estimate,se,df,t,p,log_likelihood,here,r,lme4"
    program = tmp_path / "bin" / "Rscript"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nexit 0\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent))
    (tmp_path / "tests.csv").write_text(f"{head}\n{line}\n", encoding="utf-8")
    assert "the same in R (did)" in check_contrasts_in_r(tmp_path, {"did": test}, 1)
    with pytest.raises(GapsmithError, match=r"R and the tests here differ\. did: "):
        check_contrasts_in_r(tmp_path, {"did": one_sample_t([2 * value for value in values])}, 1)


@pytest.mark.full
def test_the_command_ends_compares_and_stops_r_where_it_takes_too_long(gapsmith: Callable[..., Any], tmp_path: Path) -> None:
    if reason := r_with_lme4():
        pytest.skip(reason)
    assert gapsmith("generate", "embedded_wh", "-n", "4", "--seed", "1").code == 0
    assert gapsmith("score", "--model", "bundled", "--all").code == 0
    formula = "surprisal ~ filler_code * gap_code + (1 | item)"
    export = ("export", "r", "-p", "embedded_wh", "--all", "-m", "bundled", "--formula", formula, "-o", "model", "--check")
    done = gapsmith(*export)
    assert done.code == 0, done.err
    assert "for 10 minutes at most (--check-minutes)" in done.err
    assert "the report's tests of W1, W2 and did, each by its own measure" in done.err
    assert "The report's tests are the same in R (W1, W2 and did)" in done.err
    assert "estimates differ by at most" in done.err
    assert (tmp_path / "model" / "fit.csv").is_file()
    late = gapsmith(*export, "--check-minutes", "0.0001")
    assert late.code == 1
    assert "contrasts.R after 0.0001 minutes and was stopped; nothing is compared" in late.err
    assert "Give it longer with --check-minutes" in late.err
    assert (tmp_path / "model" / "model.R").is_file()
    alone = gapsmith(*export[:-1], "--check-minutes", "1")
    assert alone.code != 0
    assert "--check-minutes belongs to --check" in alone.err
