"""The published files of POSH-BENCH, for whoever has them: ``POSH_BENCH_FILES=FOLDER`` names the folder with the nine files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from typer.testing import CliRunner

from gapsmith.app.cli.app import app
from gapsmith.app.studies import StudyRun, load_study
from gapsmith.bank import Bank
from gapsmith.scoring.analysis.posh import evaluate

FOLDER = "POSH_BENCH_FILES"
PHENOMENA = (
    "adjunct island",
    "complex NP island",
    "wh-island",
    "c-command",
    "locality",
    "object relative",
    "reduced relative",
    "subject relative",
    "wanna",
)
RIGHT = {
    "gapsmith": ((424, 405, 445, 206, 344, 285, 261, 286, 408), 69.2),
    "minicons-mean": ((413, 329, 381, 213, 409, 326, 334, 298, 182), 59.3),
}
"""Of 500 published pairs each, and the mean of the four categories, with the weights that ship."""


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bank]:
    if FOLDER not in os.environ:
        pytest.skip(f"needs the published files: {FOLDER}=FOLDER (github.com/xiulinyang/posh-bench, posh/)")
    root = tmp_path_factory.mktemp("published") / "work"
    for order in (
        ("init", str(root)),
        ("dataset", "recognise", os.environ[FOLDER], "-w", str(root)),
        ("score", "--all", "--model", "bundled", "--convention", "gapsmith", "--convention", "minicons-mean", "-w", str(root)),
    ):
        done = CliRunner().invoke(app, list(order))
        assert done.exit_code == 0, done.output
    with ExitStack() as stack:
        yield stack.enter_context(Bank.open(root / "bank.sqlite"))


@pytest.mark.full
@pytest.mark.parametrize("convention", list(RIGHT))
def test_the_published_pairs_give_the_counts_that_each_convention_gives(bank: Bank, convention: str) -> None:
    found = evaluate(bank, convention=convention)
    counts, overall = RIGHT[convention]
    (row,) = found.rows
    by_name = {part.name: own for (_, part), own in found.outcomes.items()}
    assert {name: by_name[name].details["correct"] for name in PHENOMENA} == {
        name: (n,) for name, n in zip(PHENOMENA, counts, strict=True)
    }
    assert all(by_name[name].details["n"] == (500,) for name in PHENOMENA)
    average = found.average(row, of="categories")
    assert average is not None
    assert round(100 * average[0], 1) == overall
    # The study's page has the same, before ours.
    study = load_study("posh2026").by_convention(convention)
    shares = StudyRun(study, bank, "bundled").published
    assert sorted(shares.values()) == pytest.approx(sorted(n / 500 for n in counts))
