"""A measure that was made in another way than the usual one has another name, in every table of numbers."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gapsmith.app.cli.app import app
from gapsmith.app.workspace import make_workspace
from gapsmith.bank import Bank, ItemFilter
from gapsmith.scoring import score_selected, select_texts
from gapsmith.scoring.analysis import AnalysisOptions, analyze, compare, item_pair_rows
from gapsmith.scoring.analysis.criteria import analyze_criterion
from gapsmith.scoring.lm import open_engine
from gapsmith.scoring.observations import observe
from gapsmith.scoring.report import NUMBERS
from gapsmith.scoring.report.settings import settings_tables
from gapsmith.scoring.report.tables import criteria_table
from gapsmith.templates import BosPolicy, Criterion, load_paradigm
from gapsmith.templates.formula import parse_formula
from tests.scoring.conftest import save_tiny_gpt2

PARADIGM = "embwhq"
NAMELESS = {
    "tokens": "the surprisal of each token, and no measure of several",
    "words": "the sum over the tokens of a word",
    "parquet": "the long frame",
    "decisions": "no numbers of a model",
    "r": "the script says which measure it models",
}
"""Tables of numbers without a column of measures, and what stands in them."""


def _run(folder: Path, *order: str) -> str:
    done = CliRunner().invoke(app, [*order, "--workspace", str(folder)])
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A workspace for each policy, and one that was scored by both."""
    model = save_tiny_gpt2(tmp_path_factory.mktemp("tiny"), n_positions=64)
    found = {}
    for policies in ("bos", "none", "bos none"):
        made = tmp_path_factory.mktemp("conventions")
        make_workspace(made)
        _run(made, "generate", PARADIGM, "-n", "6", "--seed", "1", "--choose", "embedding=none")
        with Bank.open(made / "bank.sqlite") as bank:
            for policy in policies.split():
                engine = open_engine(str(model), device="cpu", bos=BosPolicy(policy))
                score_selected(bank, engine, select_texts(bank, ItemFilter(), everything=True), boundary=True)
        found[policies] = made
    return found


@pytest.mark.parametrize("kind", [kind for kind in NUMBERS if kind not in (*NAMELESS, "differences")])
def test_the_convention_is_in_the_name_of_the_measure(kind: str, folders: dict[str, Path]) -> None:
    for policy, corrected, said in (
        ("bos", False, ""),
        ("bos", True, ", corrected"),
        ("none", False, ", no BOS"),
        ("none", True, ", corrected, no BOS"),
    ):
        order = ["export", kind, "-p", PARADIGM, "--all", *(["--corrected"] if corrected else [])]
        rows = list(csv.DictReader(io.StringIO(_run(folders[policy], *order))))
        assert {row["measure"] for row in rows} == {f"sum{said}"}, kind


def test_tables_of_a_report_name_it_too(folders: dict[str, Path]) -> None:
    """In a terminal and on the page: the table of criteria has a column of measures, the settings name them with the formulas."""
    with Bank.open(folders["none"] / "bank.sqlite") as bank:
        options = AnalysisOptions(all_items=True, permutations=99, corrected=True)
        analysis = analyze(bank, PARADIGM, options=options)
        items = list(bank.items.iterate())
        paradigm = load_paradigm(PARADIGM)
        one, two, *_ = (condition.name for condition in paradigm.conditions)
        criterion = Criterion("less", "", parse_formula(f"{one} < {two}"), paradigm.designs[0].name)
        table = observe(bank, items, paradigm, analysis.scorer)
    found = replace(analysis, criteria=(analyze_criterion(paradigm, table, criterion, options),))
    shown = criteria_table(found)
    assert shown is not None
    assert [row[1] for row in shown.rows] == ["sum, corrected, no BOS"]
    cells = [cell for own in settings_tables(found) for row in own.rows for cell in row]
    assert any(cell.endswith("(sum, corrected, no BOS)") for cell in cells)


def test_two_conventions_side_by_side_are_both_named(folders: dict[str, Path]) -> None:
    options = AnalysisOptions(all_items=True, permutations=99)
    with Bank.open(folders["bos none"] / "bank.sqlite") as bank:
        one, two = (
            compare(bank, PARADIGM, scorer_id=scorer.id, options=options)
            for scorer in sorted(bank.scores.scorers(), key=lambda own: own.bos)
        )
    # As under two names, which a comparison takes for two models.
    apart = [replace(run, model=run.analysis.scorer.bos) for found in (one, two) for run in found.runs]
    found = replace(one, runs=tuple(apart))
    assert {row["measure"] for row in item_pair_rows(found)} == {"sum | sum, no BOS"}


def test_every_table_of_numbers_has_the_column_or_a_reason(folders: dict[str, Path]) -> None:
    assert set(NAMELESS) <= set(NUMBERS)
    for kind in ("tokens", "words", "decisions"):
        head = _run(folders["bos"], "export", kind, "-p", PARADIGM, *([] if kind == "decisions" else ["--all"])).splitlines()[0]
        assert "measure" not in head.split(","), kind
