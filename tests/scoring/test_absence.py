"""A δ in a paradigm's file: what is absent, what is undecided, and how tables, sentences and JSON say it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from gapsmith.bank import Bank
from gapsmith.scoring.analysis import Analysis, AnalysisOptions, Conclusion, analysis_json, analyze
from gapsmith.scoring.report import analysis_text, make_report, render_markdown
from gapsmith.templates import ParadigmError, parse_paradigm
from tests.scoring.test_criteria import HEAD, _filled

pytestmark = pytest.mark.fast


def _contrast(name: str, *, expected: str = "positive", delta: str = "") -> str:
    more = f"delta = {delta}\n" if delta else ""
    return f'[[contrasts]]\nname = "{name}"\nformula = "a@vp - b@vp"\nexpected = "{expected}"\ndesign = "all"\n{more}'


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[Bank]:
    with Bank.open(tmp_path / "bank.sqlite", create=True) as opened:
        yield opened


def _analysis(bank: Bank, contrasts: str, mean: float, sd: float, **options: object) -> Analysis:
    """Twenty items whose difference has that mean and SD."""
    values = np.random.default_rng(2).normal(size=20)
    values = mean + sd * (values - values.mean()) / values.std(ddof=1)
    items: list[dict[str, dict[str, float | None]]] = [
        {"a": {f"x{n}": 1.0, f"y{n}": 20.0 + value}, "b": {f"x{n}b": 1.0, f"y{n}": 20.0}} for n, value in enumerate(values)
    ]
    _filled(bank, parse_paradigm(HEAD + contrasts), items)
    return analyze(bank, "mine", options=AnalysisOptions(all_items=True, **options))  # type: ignore[arg-type]  # fields of it


@pytest.mark.parametrize(
    ("mean", "sd", "expected", "says"),
    [
        (1.5, 0.5, "positive", Conclusion.AS_EXPECTED),
        (0.3, 0.3, "positive", Conclusion.SMALL),
        (-1.5, 0.5, "positive", Conclusion.OPPOSITE),
        (0.02, 0.5, "exploratory", Conclusion.ABSENT),
        (-0.3, 4.0, "positive", Conclusion.UNDECIDED),
        (0.5, 3.0, "exploratory", Conclusion.UNDECIDED),
        (1.5, 0.5, "exploratory", Conclusion.ABOVE),
    ],
)
def test_a_size_that_matters_tells_absence_from_not_knowing(
    bank: Bank, mean: float, sd: float, expected: str, says: Conclusion
) -> None:
    (result,) = _analysis(bank, _contrast("c", expected=expected, delta="0.8"), mean, sd).contrasts
    assert result.verdict is says
    assert result.absence is not None
    assert result.absence.delta == 0.8
    assert result.absence.side == (expected == "positive")


def test_without_a_size_nothing_is_absent(bank: Bank) -> None:
    analysis = _analysis(bank, _contrast("c", expected="exploratory"), 0.02, 0.5)
    (result,) = analysis.contrasts
    assert (result.verdict, result.absence) == (Conclusion.NO_EVIDENCE, None)
    assert "δ" not in analysis_text(analysis)


def test_of_another_measure_the_size_says_nothing(bank: Bank) -> None:
    (result,) = _analysis(bank, _contrast("c", expected="exploratory", delta="0.8"), 0.02, 0.5, measure="mean").contrasts
    assert (result.verdict, result.absence) == (Conclusion.NO_EVIDENCE, None)


def test_tables_report_and_json_say_it(bank: Bank) -> None:
    analysis = _analysis(bank, _contrast("c", expected="exploratory", delta="0.8"), 0.02, 0.5)
    (result,) = analysis.contrasts
    assert result.absence is not None
    text = analysis_text(analysis)
    page = render_markdown(make_report([analysis], made_on=date(2026, 1, 2)))
    for shown in (text, page):
        assert "Is there an effect of δ?" in shown
        assert "absent" in shown
    assert max(map(len, text.splitlines())) <= 80
    assert "no effect of the 0.8 that matter" in page
    said = analysis_json(analysis)["contrasts"][0]["absence"]
    assert said["interval"] == pytest.approx(result.absence.interval)
    assert said["log_bayes_factor"] == pytest.approx(result.absence.log_bayes_factor)
    assert math.exp(said["log_bayes_factor"]) < 1


@pytest.mark.parametrize("delta", ["0", "-1", '"a bit"'])
def test_a_size_is_a_number_above_zero(delta: str) -> None:
    with pytest.raises(ParadigmError, match="delta"):
        parse_paradigm(HEAD + _contrast("c", delta=delta))
