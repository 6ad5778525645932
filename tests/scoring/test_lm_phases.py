"""What took how long: each moment belongs to one phase."""

from __future__ import annotations

from pathlib import Path

import pytest

import gapsmith as api
from gapsmith.scoring.lm import measured_phases, phase, phase_lines


def test_a_moment_counts_for_the_innermost_phase(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(100))
    monkeypatch.setattr("gapsmith.scoring.lm.phases.time.perf_counter", lambda: float(next(clock)))
    monkeypatch.setattr("gapsmith.scoring.lm.phases.time.process_time", lambda: 0.0)
    with measured_phases() as measured:
        for _ in range(2):
            with phase("outer"), phase("inner"):
                pass
        times = measured.times
    # Nine readings of a clock that goes on by one: eight before the last.
    assert [(one.name, one.wall) for one in times] == [("outer", 4.0), ("inner", 2.0), ("all else", 3.0)]
    assert phase_lines(times)[-1].split() == ["together", "9.00", "s", "0.00", "s"]


def test_nothing_is_measured_unless_asked() -> None:
    with phase("unseen"), measured_phases() as measured:
        pass
    assert [one.name for one in measured.times] == ["all else"]


def test_score_says_what_took_how_long_when_asked(tmp_path: Path, tiny_gpt2: Path) -> None:
    with api.open_workspace(tmp_path / "study", create=True) as study:
        api.generate(study, "lan_pg", 2)
        asked = api.score(study, str(tiny_gpt2), everything=True, device="cpu", profile=True)
        named = {one.name for one in asked.phases}
        assert {"weights", "network", "texts to tokens", "bank: keeping values", "all else"} <= named
        assert asked[0].provenance["kernel"] == "default"
        (kept, n_texts), *others = study.bank.scores.provenance(asked[0].scorer_id)
        assert (kept["kernel"], n_texts, others) == ("default", asked.n_scored, [])
        assert api.score(study, str(tiny_gpt2), everything=True, device="cpu").phases == ()
