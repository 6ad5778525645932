"""The page on training: its recipe and its configuration make a corpus and a model, in small."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from tests.conftest import CommandOutcome

DOCS = Path(__file__).parents[2] / "docs"


def test_the_training_in_the_docs_works(gapsmith: Callable[..., CommandOutcome], tmp_path: Path) -> None:
    text = (DOCS / "training.md").read_text(encoding="utf-8")
    recipe, config = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    (tmp_path / "recipe.toml").write_text(recipe, encoding="utf-8")
    (tmp_path / "config.toml").write_text(config, encoding="utf-8")
    (tmp_path / "childes").mkdir()
    spoken = "".join(f"*MOT:\twhat does the {what} want ?\n" for what in ("doggie", "cat", "cow") * 40)
    (tmp_path / "childes" / "a.cha").write_text(f"@UTF8\n@Begin\n{spoken}@End\n", encoding="utf-8")
    made = gapsmith("train", "corpus", "recipe.toml", "--out", "corpus", "--scale", "1e-4")
    assert made.code == 0, made.err
    small = ("network.hidden=16", "network.layers=1", "tokenizer.vocabulary=300", "run.steps=2")
    options = [option for entry in small for option in ("--set", entry)]
    trained = gapsmith("train", "lm", "corpus", "--config", "config.toml", "--out", "models/mini-1", *options)
    assert trained.code == 0, trained.err
    assert "gapsmith score --model models/mini-1" in trained.err
