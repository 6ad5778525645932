"""The grids that ship: POSH-BENCH's trainings as the paper has them, and their miniature from one command to the page of its experiments."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import gapsmith
from gapsmith.app.workspace import open_workspace
from gapsmith.scoring.report import Learner, departures
from gapsmith.templates import ConfigError
from gapsmith.training import load_grid, read_grid
from tests.conftest import CommandOutcome

Program = Callable[..., CommandOutcome]
MINIATURE = Path("miniature")


@pytest.fixture
def corpora(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a text for every corpus that the paper's grids name."""
    monkeypatch.chdir(tmp_path)
    for name in ("posh-corpora", "posh-biases"):
        grid = read_grid(Path(name))
        for cell in (grid.shared, *grid.kinds.values()):
            if "corpus" in cell:
                file = tmp_path / str(cell["corpus"])
                file.parent.mkdir(exist_ok=True)
                file.write_text("He slept.\n", encoding="utf-8")
    return tmp_path


@pytest.mark.usefixtures("corpora")
def test_the_papers_grids_have_its_models_with_its_settings() -> None:
    cells = [cell for name in ("posh-corpora", "posh-biases") for cell in load_grid(Path(name))]
    assert len(cells) == 33 + 21
    learners = [Learner(own.kind, str(own.seed), own.name, own.facts, own.config.as_data()) for own in cells]
    assert departures(learners) == []
    assert {own.biases for own in learners if not own.of_corpora} == {
        (),
        ("dyck",),
        ("planting",),
        ("recency",),
        ("constant",),
        ("dyck", "recency"),
        ("constant", "dyck"),
    }


def test_a_corpus_of_the_papers_grids_that_is_not_there_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match=r"corpora/baby-f-10m is not there"):
        load_grid(Path("posh-biases"))


def test_minutes_scale_words_and_steps_evenly() -> None:
    whole, half = read_grid(MINIATURE), read_grid(MINIATURE, 15.0)
    for name, text in half.texts_of().items():
        assert text.words == whole.texts_of()[name].words / 2
    assert {text.words for text in whole.texts_of().values()} == {25_000, 50_000, 75_000, 125_000, 250_000}
    assert set(half.texts_of(["wiki-25k"])) == {"wiki-25k"}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (('"expository"', '"novels"'), r"text.wiki: stand_in = 'novels'"),
        (("words = 400", "words = 0"), r"text.wiki: words = 0 is no number of words"),
        (("words = 400", "word = 400"), r"text.wiki.word: there is no such key"),
        (("words = 400", "words = 400\nput_back = true"), "put_back without a filter"),
        (("words = 400", "words = 400\nfilter = ['no-such']"), "there is no filter 'no-such'"),
        (("words = 400", "words = 400_000"), "child has|expository has .* words, and 404,000 are asked for"),
        (("[grid]", "[grid]\nminutes = 'few'"), "grid.minutes = 'few' is no number of minutes"),
    ],
)
def test_a_text_that_cannot_be_made_is_refused(tmp_path: Path, change: tuple[str, str], says: str) -> None:
    file = tmp_path / "grid.toml"
    file.write_text(
        '[grid]\n[text.wiki]\nstand_in = "expository"\nwords = 400\n[cell.a]\ncorpus = "wiki"\n'.replace(*change),
        encoding="utf-8",
    )
    with pytest.raises(gapsmith.GapsmithError, match=says):
        gapsmith.train_grid(None, file, out=tmp_path / "out", device="cpu", dry_run=True)


def test_only_a_grid_that_says_its_minutes_can_be_scaled(tmp_path: Path, gapsmith: Program) -> None:
    file = tmp_path / "grid.toml"
    file.write_text("[cell.a]\n", encoding="utf-8")
    refused = gapsmith("train", "grid", file, "--out", tmp_path / "out", "--minutes", 5)
    assert refused.code == 2
    assert "does not say for how many minutes it was made" in refused.err
    unknown = gapsmith("train", "grid", "minature", "--out", tmp_path / "out")
    assert unknown.code == 2
    assert "miniature, posh-biases, posh-corpora" in unknown.err
    alone = gapsmith("study", "posh2026", "--minutes", 1, "--out", tmp_path / "study")
    assert alone.code == 2
    assert "--grid miniature" in alone.err
    other = gapsmith("study", "gaps2025", "--grid", "miniature", "--out", tmp_path / "study")
    assert other.code == 2
    assert "trains no learners" in other.err


def test_the_miniature_in_ten_seconds_says_on_every_page_that_it_is_one(tmp_path: Path, gapsmith: Program) -> None:
    ws = tmp_path / "ws"
    out = ws / "learners" / "miniature"
    assert gapsmith("init", ws).code == 0
    assert (
        gapsmith("generate", "posh_wanna", "-n", 4, "--seed", 1, "-d", "posh_wanna", "--provider", "lexicon", "-w", ws).code == 0
    )
    command = ("train", "grid", "miniature", "--minutes", 0.05, "--cell", "wiki-250k", "--out", out, "--workers", 1)
    done = gapsmith(*command, "--device", "cpu", "--score", "posh_*", "--evaluate", "posh_*", "--all", "-w", ws)
    assert done.code == 0, done.err
    assert done.err.index("in all about") < done.err.index("wiki-250k-seed1 after")
    manifest = json.loads((out / "texts" / "wiki-250k" / "manifest.json").read_text("utf-8"))
    assert {name: own["licence"] for name, own in manifest["sources"][0]["documents"].items()}
    assert gapsmith("study", "posh", "--method", "laplace", "-w", ws).code == 0
    note = "It shows that everything runs, and not which corpus or bias is better."
    pages = [ws / "posh" / "posh.md", ws / "posh" / "experiments.md", out / "wiki-250k-seed1" / "README.md"]
    assert [note in page.read_text("utf-8") for page in pages] == [True] * 3
    page = pages[1].read_text("utf-8")
    assert "depart from tables 5 and 6: hidden size 128 (printed 512)" in page
    assert "| WIKI 0.000416667M (wiki-250k) | 2 |" in page
    assert "of the paper's 11 trainings 11 were not run" in page
    assert "Experiment 3: of 7 conditions 7 were not run" in page
    assert "BLiMP was not run" in page
    assert (ws / "posh" / "size-and-source.svg").is_file()
    assert not (ws / "posh" / "biases-by-epoch.svg").exists()
    assert "Table 12's model is not fitted to learners of miniature: of size there is" in pages[0].read_text("utf-8")


@pytest.mark.full
def test_the_miniature_in_a_minute_runs_every_cell(tmp_path: Path, gapsmith: Program) -> None:
    ws = tmp_path / "ws"
    out = ws / "learners" / "miniature"
    assert gapsmith("init", ws).code == 0
    names = ("posh_wanna", "posh_island_wh", "posh_binding_locality", "posh_question_subject")
    for name in names:
        assert gapsmith("generate", name, "-n", 4, "--seed", 1, "-d", name, "--provider", "lexicon", "-w", ws).code == 0
    command = ("train", "grid", "miniature", "--minutes", 1, "--out", out, "--workers", 2, "--device", "cpu", "--all", "-w", ws)
    done = gapsmith(*command, "--score", "posh_*", "--evaluate", "posh_*", "--json")
    assert done.code == 0, done.err
    with open_workspace(ws) as workspace:
        models = {own.model for own in workspace.bank.scores.scorers()}
    texts = {path.parent.name: path.read_text("utf-8").splitlines() for path in (out / "texts").glob("*/train.txt")}
    sizes = ("25k", "75k", "125k")
    assert all(len(texts[f"baby-f-{size}"]) == len(texts[f"baby-{size}"]) for size in sizes)
    # Eighteen kinds with two seeds; slopes act in four of them, which are scored without them, too. Into a text of some hundred sentences
    # nothing is put back: its learners are those of the filtered text, and one scorer.
    alike = sum(texts[f"baby-f-{size}"] == texts[f"baby-{size}"] for size in sizes)
    assert alike < len(sizes)
    assert len(models) == (18 - alike) * 2 + 4 * 2
    assert len((out / "cells.csv").read_text("utf-8").splitlines()) == 1 + 18 * 2
    assert gapsmith("study", "posh", "--method", "laplace", "-w", ws).code == 0
    page = (ws / "posh" / "experiments.md").read_text("utf-8")
    assert "Experiment 3: of 7 conditions" not in page
    assert "| WIKI 0.00833333M (wiki-250k) | 2 |" in page
    assert "Bayesian mixed model, learners of miniature" in (ws / "posh" / "posh.md").read_text("utf-8")
    for figure in ("size-and-source", "biases-by-epoch", "islands-and-binding"):
        assert f"({figure}.png)" in page
