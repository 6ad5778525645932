"""Scoring only what predictions are about: the same values there, nothing elsewhere, and the rest added later."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from gapsmith.bank import Bank, ItemFilter
from gapsmith.bank.undefined import PART
from gapsmith.scoring.analysis import AnalysisOptions, analyze
from gapsmith.scoring.lm import open_engine
from gapsmith.scoring.score_run import ScoreReport, score_selected, select_texts
from tests.scoring.analysing import filled_bank


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[Bank]:
    with filled_bank(tmp_path / "bank.sqlite", "subject_pg", 3) as bank:
        yield bank


def score(bank: Bank, model: Path, engine: str, *, critical_only: bool) -> ScoreReport:
    selected = select_texts(bank, ItemFilter(), critical_only=critical_only)
    return score_selected(bank, open_engine(str(model), engine=engine), selected)


@pytest.mark.parametrize("engine", ["tree", "batches"])
def test_the_contrasts_are_the_same(bank: Bank, tiny_gpt2: Path, engine: str) -> None:
    part = score(bank, tiny_gpt2, engine, critical_only=True)
    assert part.n_scored == part.n_texts > 10
    assert part.undefined == part.partial == {}
    before = {c.contrast.name: dict(c.values) for c in analyze(bank, "subject_pg").contrasts}
    some = analyze(bank, "subject_pg")
    assert any(mean.mean is None for mean in some.regions)
    whole = score(bank, tiny_gpt2, engine, critical_only=False)
    assert whole.scorer_id == part.scorer_id
    assert whole.n_scored == part.n_texts
    after = analyze(bank, "subject_pg", options=AnalysisOptions())
    for result in after.contrasts:
        assert before[result.contrast.name] == pytest.approx(dict(result.values), abs=1e-4)
    assert all(mean.mean is not None for mean in after.regions if mean.n)


def test_what_is_there_is_not_scored_again_and_says_why_the_rest_is_not(bank: Bank, tiny_gpt2: Path) -> None:
    first = score(bank, tiny_gpt2, "batches", critical_only=True)
    assert score(bank, tiny_gpt2, "batches", critical_only=True).n_scored == 0
    texts = list(select_texts(bank, ItemFilter()).texts)
    kept = bank.scores.get(first.scorer_id, texts)
    for tokens in kept.values():
        assert 0 < tokens.n_values < len(tokens.values)
        assert tokens.reason == PART
        assert np.isnan(tokens.bits).sum() == len(tokens.values) - tokens.n_values
    assert bank.scores.measured(first.scorer_id, texts) == len(texts)
    assert bank.scores.missing(first.scorer_id, texts) == texts
    whole = score(bank, tiny_gpt2, "batches", critical_only=False)
    assert whole.n_scored == len(texts)
    assert score(bank, tiny_gpt2, "batches", critical_only=True).n_scored == 0
