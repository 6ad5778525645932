"""`gapsmith train parser` as a program."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import CommandOutcome
from tests.interface import expect_results

Run = Callable[..., CommandOutcome]


@pytest.mark.full
def test_a_parser_is_trained_measured_and_written(gapsmith: Run, treebank: Path, tmp_path: Path) -> None:
    out = tmp_path / "parser"
    done = gapsmith("train", "parser", treebank, "--out", out, "--steps", "2", "--json")
    assert done.code == 0, done.err
    said = expect_results(done.out)[0]
    assert said["test"]["words"] == 49
    files = [path for path in out.rglob("*") if path.is_file()]
    assert said["bytes"] == sum(path.stat().st_size for path in files if path.name != "MODEL_CARD.md")
    assert "step 2" in done.err
    again = gapsmith("train", "parser", treebank, "--out", out, "--steps", "2")
    assert again.code == 2
    assert "not empty" in again.err


def test_a_folder_without_a_treebank(gapsmith: Run, tmp_path: Path) -> None:
    done = gapsmith("train", "parser", tmp_path, "--out", tmp_path / "parser")
    assert done.code == 2
    assert "should hold one train.conllu" in done.err
