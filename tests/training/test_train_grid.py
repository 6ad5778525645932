"""`gapsmith train grid`: cells and seeds from a file, hours before anything is trained, going on, and outcomes that count as scores."""

from __future__ import annotations

import csv
import importlib
import json
import resource
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import gapsmith
from gapsmith.app.services import Services
from gapsmith.app.workspace import open_workspace
from gapsmith.scoring.analysis.posh import evaluate, read_posh_counts
from gapsmith.templates import ConfigError, GapsmithError
from gapsmith.training import cell_done, load_grid, run_grid
from tests.conftest import CommandOutcome
from tests.interface import expect_results, expect_table
from tests.printed import result
from tests.processes import Program as Process
from tests.training.conftest import some_text
from tests.training.test_biases import CONFIG

Program = Callable[..., CommandOutcome]

GRID = """
[grid]
seeds = [1, 2]
config = "tiny.toml"
corpus = "text.txt"
facts = { corpus = "baby", size_million = 10, filtered = "yes" }

[all.run]
epochs = 1

[all.rows]
length = 64

[cell.vanilla]

[cell.recency.bias.recency]
start = 0.5
"""


@pytest.fixture
def grid(tmp_path: Path) -> Path:
    (tmp_path / "tiny.toml").write_text(CONFIG, encoding="utf-8")
    (tmp_path / "text.txt").write_text(some_text(30), encoding="utf-8")
    file = tmp_path / "grid.toml"
    file.write_text(GRID, encoding="utf-8")
    return file


def test_cells_are_what_the_file_says_for_all_and_for_each(grid: Path) -> None:
    cells = load_grid(grid)
    assert [cell.name for cell in cells] == ["vanilla-seed1", "vanilla-seed2", "recency-seed1", "recency-seed2"]
    assert [cell.config.run.seed for cell in cells] == [1, 2, 1, 2]
    assert {cell.config.run.epochs for cell in cells} == {1}
    assert {cell.config.rows.length for cell in cells} == {64}
    assert [cell.config.bias.recency is not None for cell in cells] == [False, False, True, True]
    assert [cell.name for cell in load_grid(grid, ["recency"])] == ["recency-seed1", "recency-seed2"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("[cell.vanilla]", "[cell.'a b']"), "cannot be the name of a cell"),
        (("[cell.vanilla]", "[cell.seed1]"), "cannot be the name of a cell"),
        (("[cell.vanilla]", "[cel.vanilla]"), "cel: there is no such key"),
        (("[1, 2]", "[1, 1]"), "not different whole numbers"),
        (("start = 0.5", "begin = 0.5"), r"grid.toml: cell.recency: bias.recency.begin: there is no such key"),
        (('corpus = "text.txt"', 'corpus = "nowhere.txt"'), "nowhere.txt is not there"),
        (('filtered = "yes"', 'fildered = "yes"'), "facts.fildered"),
        (("epochs = 1", "epochs = 0"), r"cell.vanilla: run.epochs"),
        (
            ("[cell.recency.bias.recency]", "[cell.recency.bias.constant]\nslopes = [1.0, 2.0, 3.0]\n[all.bias.dyck]"),
            "cell.vanilla: bias.dyck.start",
        ),
    ],
)
def test_a_grid_that_does_not_go_together_is_refused_before_anything_is_trained(
    grid: Path, change: tuple[str, str], says: str
) -> None:
    grid.write_text(GRID.replace(*change), encoding="utf-8")
    with pytest.raises(ConfigError, match=says):
        load_grid(grid)


def test_hours_and_cost_are_said_first_and_a_dry_run_trains_nothing(grid: Path, tmp_path: Path, gapsmith: Program) -> None:
    out = tmp_path / "out"
    options = ("--out", out, "--workers", 2, "--device", "cpu", "--cell", "recency")
    done = gapsmith("train", "grid", grid, *options, "--dry-run", "--price", "3.5", "--json")
    assert done.code == 0, done.err
    assert "recency: 2 cells of about" in done.err
    assert "in all about" in done.err
    assert "by 2 processes" in done.err
    assert "at $3.5 for an hour of one process, about $0.0" in done.err
    made = expect_results(done.out)[0]
    assert made["cells"] == []
    assert made["estimates"][0]["rate"] > 0
    assert not out.exists()


@pytest.mark.full
@pytest.mark.usefixtures("painted")
def test_outcomes_feed_posh_and_its_model_and_what_is_done_stays(grid: Path, tmp_path: Path, gapsmith: Program) -> None:
    ws, out = tmp_path / "ws", tmp_path / "out"
    assert gapsmith("init", ws).code == 0
    assert gapsmith("generate", "posh_wanna", "-n", 4, "--seed", 1, "--provider", "lexicon", "-w", ws).code == 0
    command = ("train", "grid", grid, "--out", out, "--workers", 1, "--device", "cpu", "--score", "posh_wanna", "--all", "-w", ws)
    done = gapsmith(*command, "--json")
    assert done.code == 0, done.err
    made = result(done.out)
    assert [cell["problem"] for cell in made["cells"]] == [""] * 4
    for name in ("cells", "counts"):
        expect_table(f"{name}.csv of train grid", (out / f"{name}.csv").read_text(encoding="utf-8"))
    with (out / "cells.csv").open(encoding="utf-8", newline="") as stream:
        assert [row["name"] for row in csv.DictReader(stream)] == [cell["name"] for cell in made["cells"]]
    assert "<svg" in (out / "attention.svg").read_text("utf-8")
    with open_workspace(ws) as workspace:
        found = evaluate(workspace.bank)
        models = {row.model.removeprefix(f"{out}/"): len(own.details["n"]) for (row, _), own in found.outcomes.items()}
    # Slopes as trained and none are models of their own, with as many seeds.
    assert models == {"vanilla": 2, "recency": 2, "recency/slope-0": 2}
    columns = read_posh_counts(Path(made["counts"]))
    assert columns["seed"] == ["1", "2", "1", "2"]
    assert set(columns["size"]) == {10.0}
    assert all(c + w == found_n for c, w, found_n in zip(columns["correct"], columns["wrong"], [4] * 4, strict=True))
    before = {path: path.read_bytes() for path in out.rglob("model.safetensors")}
    again = gapsmith(*command, "--json")
    assert again.code == 0, again.err
    assert "4 of 4 cells are done" in again.err
    assert result(again.out)["estimates"] == []
    assert {path: path.read_bytes() for path in out.rglob("model.safetensors")} == before


@pytest.mark.full
@pytest.mark.parametrize("late", [True, False])
def test_a_request_to_stop_after_the_last_cell_is_no_failure(
    late: bool, grid: Path, tmp_path: Path, gapsmith: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is left is to write what came of them; before that, cells that are done stay."""
    command = ("train", "grid", grid, "--out", tmp_path / "out", "--workers", 1, "--device", "cpu", "--cell", "vanilla")
    place = "app.stages.learner_grid.draw_grid" if late else "training.grid.train_cell"
    real = importlib.import_module(f"gapsmith.{place.rpartition('.')[0]}").__dict__[place.rpartition(".")[2]]

    def stopped(*given: Any, **more: Any) -> Any:
        found = real(*given, **more)
        signal.raise_signal(signal.SIGTERM)
        return found

    with monkeypatch.context() as patched:
        patched.setattr(f"gapsmith.{place}", stopped)
        done = gapsmith(*command)
    assert done.code == (0 if late else 130), done.err
    assert (tmp_path / "out" / "cells.csv").exists() == late
    again = gapsmith(*command)
    assert again.code == 0, again.err
    assert f"{2 if late else 1} of 2 cells are done" in again.err


@pytest.mark.full
def test_a_cell_that_fails_leaves_the_others_alone_and_is_named(grid: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    # Somebody else's folder stands where one cell is to go.
    (out / "vanilla-seed2").mkdir(parents=True)
    (out / "vanilla-seed2" / "thesis.tex").write_text("x", encoding="utf-8")
    notes: list[str] = []
    with pytest.raises(GapsmithError, match=r"1 of 4 cells are not done: vanilla-seed2: .* holds no training run") as failed:
        gapsmith.train_grid(None, grid, out=out, workers=1, device="cpu", services=Services(note=notes.append))
    assert failed.value.hint
    assert [cell_done(cell, out) is not None for cell in load_grid(grid)] == [True, False, True, True]
    (out / "vanilla-seed2" / "thesis.tex").unlink()
    made = run_grid(load_grid(grid), out, device="cpu")
    assert [own.problem for own in made] == [""] * 4
    # Another text is another cell.
    (tmp_path / "text.txt").write_text(some_text(31), encoding="utf-8")
    assert [cell_done(cell, out) for cell in load_grid(grid)] == [None] * 4
    assert "train differs" in run_grid(load_grid(grid, ["vanilla"]), out, device="cpu")[0].problem


@pytest.mark.full
def test_every_epoch_is_measured_on_a_paradigm_and_on_a_data_set_with_both_slopes(
    grid: Path, tmp_path: Path, gapsmith: Program
) -> None:
    ws, out = tmp_path / "ws", tmp_path / "out"
    assert gapsmith("init", ws).code == 0
    assert gapsmith("generate", "posh_wanna", "-n", 4, "--seed", 1, "--provider", "lexicon", "-w", ws).code == 0
    with open_workspace(ws) as workspace:
        (dataset,) = {own.name for own in workspace.bank.datasets.all()}
    examined = ("--evaluate", "posh_wanna", "--evaluate", dataset, "--all", "-w", ws, "--cell", "recency")
    done = gapsmith("train", "grid", grid, "--out", out, "--workers", 1, "--device", "cpu", *examined)
    assert done.code == 0, done.err
    entries = [json.loads(line) for line in (out / "recency-seed2" / "log.jsonl").read_text("utf-8").splitlines()]
    (measured,) = [entry["measured"] for entry in entries if "measured" in entry]
    names = {name.removesuffix(", slope 0") for name in measured}
    assert len(measured) == 2 * len(names)
    assert {name.split()[0] for name in names} == {"posh_wanna", dataset}
    missing = gapsmith("train", "grid", grid, "--out", tmp_path / "no", "--workers", 1, "--evaluate", "nowhere", "-w", ws)
    assert missing.code in (1, 2)
    assert "nowhere" in missing.err


@pytest.mark.full
def test_a_disk_that_fills_is_said_of_each_cell_and_nothing_is_lost(grid: Path, tmp_path: Path, gapsmith: Program) -> None:
    out = tmp_path / "out"
    grid.write_text(f"{GRID}\n[cell.both.bias]\nplanting = {{}}\ndyck = {{ steps = 4 }}\n", encoding="utf-8")
    # No file may grow beyond so many bytes: too few for parses; and, of a cell that wants none, for the optimiser's state.
    for cell, limit, said in (
        ("both", 40_000, "parses.sqlite: the disk failed"),
        ("recency", 60_000, "2 of 2 cells are not done"),
    ):
        command = ["train", "grid", str(grid), "--out", str(out), "--workers", "1", "--device", "cpu", "--cell", cell]
        limited = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (limit, limit))
        with Process(*command, folder=tmp_path / f"run-{cell}", before=limited) as process:
            assert process.wait() in (1, 2)
        assert said in process.err
        assert "Traceback" not in process.err
        assert not list(out.rglob("cell.json"))
    for cell in ("both", "recency"):
        assert gapsmith("train", "grid", grid, "--out", out, "--workers", 1, "--device", "cpu", "--cell", cell).code == 0
    assert len(list(out.rglob("cell.json"))) == 4


@pytest.mark.full
def test_several_processes_train_what_one_does(grid: Path, tmp_path: Path) -> None:
    grid.write_text(GRID.replace("[cell.vanilla]", "[cell.planted.bias.planting]\nweight = 0.5"), encoding="utf-8")
    cells = load_grid(grid)
    one = run_grid(cells, tmp_path / "one", device="cpu")
    two = run_grid(cells, tmp_path / "two", device="cpu", workers=2)
    assert [own.problem for own in (*one, *two)] == [""] * 8
    for a, b in zip(one, two, strict=True):
        assert a.valid_loss == pytest.approx(b.valid_loss, abs=1e-4)
