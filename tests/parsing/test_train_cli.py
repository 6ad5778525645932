"""`gapsmith train parser` as a program."""

from __future__ import annotations

import signal
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import CommandOutcome
from tests.interface import expect_results

Run = Callable[..., CommandOutcome]
# The room has a function of this name.
train_parser = import_module("gapsmith.parsing.train_parser")


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


@pytest.mark.full
@pytest.mark.parametrize(("at", "code"), [("save_small", 0), ("attachment", 130)])
def test_a_request_to_stop_after_the_last_step_is_no_failure(
    at: str, code: int, gapsmith: Run, treebank: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, real = tmp_path / "parser", train_parser.__dict__[at]

    def stopped(*given: Any) -> Any:
        signal.raise_signal(signal.SIGTERM)
        return real(*given)

    monkeypatch.setattr(train_parser, at, stopped)
    done = gapsmith("train", "parser", treebank, "--out", out, "--steps", "2")
    assert done.code == code, done.err
    assert (out / "MODEL_CARD.md").exists() == out.exists() == (code == 0)
    assert ("begins anew" in done.err) == (code != 0)


def test_a_folder_without_a_treebank(gapsmith: Run, tmp_path: Path) -> None:
    done = gapsmith("train", "parser", tmp_path, "--out", tmp_path / "parser")
    assert done.code == 2
    assert "should hold one train.conllu" in done.err
