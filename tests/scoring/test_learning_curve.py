"""Accuracy while a model is trained: under the contrasts of the workspace's own paradigm file, as every analysis."""

from __future__ import annotations

from pathlib import Path

import gapsmith as api
from gapsmith.scoring import accuracy_by_step
from gapsmith.scoring.lm import bundled_directory
from gapsmith.templates import load_paradigm

_MORE = """
[[contrasts]]
name = "mine"
formula = "pf_pg - mf_pg"
design = "full4"
expected = "positive"
"""


def test_a_contrast_that_the_workspace_added_is_measured(tmp_path: Path) -> None:
    with api.open_workspace(tmp_path, create=True) as made:
        api.generate(made, "embedded_wh", 2, seed=1)
        own = made.root / "paradigms" / "embedded_wh.toml"
        own.parent.mkdir(exist_ok=True)
        own.write_text(f"{load_paradigm('embedded_wh').text}\n{_MORE}", encoding="utf-8")
        wanted = {f"embedded_wh {result.name}" for result in made.paradigm("embedded_wh").contrasts}
        assert "embedded_wh mine" in wanted
        before = made.bank.scores.scorers()
        with accuracy_by_step(made.bank.path, ["embedded_wh"], everything=True, device="cpu") as measure:
            found = measure(bundled_directory())
        assert set(found) == wanted
        assert all(value is not None for value in found.values())
        assert made.bank.scores.scorers() == before
