"""The page of experiments 1 to 3, of learners that somebody has trained: what stands beside what is printed, and what was not run."""

from __future__ import annotations

from pathlib import Path

from gapsmith.scoring.analysis.posh import Evaluation, Part, PhenomenonRow
from gapsmith.scoring.analysis.posh.evaluating import share_right
from gapsmith.scoring.report import Learner, departures
from gapsmith.scoring.report.posh_experiments import Experiments, not_run, settings_table, write_experiments
from gapsmith.scoring.report.written import WrittenPage

_SHAPE = {"network": {"hidden": 512, "heads": 8, "layers": 4}, "tokenizer": {"vocabulary": 32768}}
_BIASED = {
    "rows": {"length": 32, "unit": "sentences"},
    "run": {"epochs": 10, "batch": 512, "patience": 0},
    "schedule": {"learning_rate": 1e-4, "shape": "linear", "warmup": 0},
    "optimiser": {"weight_decay": 0.1},
}
WANNA, WH = Part("POSH", "wanna", "wanna"), Part("POSH", "island", "wh-island")
BLIMP = Part("BLiMP", "island", "wh_island")


def biased(kind: str, seed: int, **bias: object) -> Learner:
    settings = {**_SHAPE, **_BIASED, "network": {**_SHAPE["network"], "dropout": 0.1}, "bias": bias}
    way = tuple(
        {"posh_wanna correct": share, "posh_wanna margin": 0.0, "posh_wanna correct, slope 0": 1.0 - share}
        for share in (0.2, 0.4)
    )
    return Learner(kind, str(seed), f"grids/biases/{kind}-seed{seed}", {}, settings, way)


def on_wiki(seed: int) -> Learner:
    facts = {"corpus": "wiki", "size_million": "10", "filtered": "no"}
    return Learner("wiki-10m", str(seed), f"grids/corpora/wiki-10m-seed{seed}", facts, _SHAPE)


def evaluation() -> Evaluation:
    rows = {
        "grids/biases/none": {WANNA: ([40, 60], [100, 100]), WH: ([70, 70], [100, 100]), BLIMP: ([50, 60], [100, 100])},
        "grids/biases/recency": {WANNA: ([80, 90], [100, 100]), WH: ([10, 20], [100, 100])},
        "grids/biases/recency/slope-0": {WANNA: ([30, 30], [100, 100]), WH: ([55, 55], [100, 100])},
        "grids/corpora/wiki-10m": {WANNA: ([21], [100]), WH: ([78], [100])},
    }
    return Evaluation(
        {
            (PhenomenonRow(model, ""), part): share_right(*counts, model=model, dataset=part.benchmark, contrast=part.name)
            for model, parts in rows.items()
            for part, counts in parts.items()
        },
        (),
    )


LEARNERS = [on_wiki(1), *(biased("none", s) for s in (1, 2)), *(biased("recency", s, recency={"rate": 0.6}) for s in (1, 2))]


def test_learners_stand_beside_printed_numbers_and_say_of_how_much_they_are(tmp_path: Path) -> None:
    written = WrittenPage(tmp_path)
    write_experiments(evaluation(), LEARNERS, written)
    page = written.page.read_text("utf-8")
    # Of three islands one is there: no column calls it islands.
    assert "| training | seeds | island (1 of 3 phenomena) | wanna | mean of these |" in page
    assert "| WIKI 10M (corpora/wiki-10m) | 1 | 78.0 | 21.0 | 49.5 |" in page
    assert "| printed: WIKI 10M | 3 | 66.8 (4.1) | 20.7 (14.3) | – |" in page
    # Both slopes at test, each with what was measured of it; BLiMP where it was scored and nothing where it was not.
    assert "| biases/recency | recency | 2 | 15.0 (7.1) | 85.0 (7.1) | 50.0 (7.1) | – |" in page
    assert "| biases/recency, slope 0 | recency | 2 | 55.0 (0.0) | 30.0 (0.0) | 42.5 (0.0) | – |" in page
    assert "| biases/none | none | 2 | 70.0 (0.0) | 50.0 (14.1) | 60.0 (7.1) | 55.0 (7.1) |" in page
    assert "biases/recency, wanna: last 40.0 %" in page
    assert "biases/recency, slope 0, wanna: last 60.0 %" in page
    assert {file.stem for file in tmp_path.glob("*.svg")} == {"size-and-source", "biases-by-epoch", "islands-and-binding"}


def test_what_was_not_run_is_said_and_never_filled() -> None:
    said = "\n".join(not_run(Experiments(evaluation(), LEARNERS)))
    assert "of the paper's 11 trainings 10 were not run: BABY-F 10M, BABY 10M, BABY-F 30M" in said
    assert "WIKI 10M has 1 seed of 3." in said
    assert "of 7 conditions 5 were not run: Dyck; trees (TPT); linear control (constant slopes)" in said
    assert "BLiMP: 1 of table 10's 7 phenomena are here." in said
    assert "Zorro was not run" in said
    unscored = "\n".join(not_run(Experiments(evaluation(), [*LEARNERS, biased("dyck", 1, dyck={})])))
    assert "Trained and not scored: biases/dyck." in unscored


def test_a_setting_that_is_not_the_papers_is_named() -> None:
    assert departures([biased("none", 1)]) == []
    wide = biased("none", 1)
    wide.settings["network"]["hidden"] = 128
    assert departures([wide]) == ["hidden size 128 (printed 512)", "feed-forward size 512 (printed 2048)"]
    rows = {row[0]: row[1:] for row in settings_table([wide]).rows}
    assert rows["hidden size"] == ("512", "768", "512", "–", "128")
    assert rows["batch"] == ("32", "32", "512", "–", "512")
