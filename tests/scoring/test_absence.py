"""A δ in a paradigm's file: what is absent, what is undecided, and how tables, sentences and JSON say it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gapsmith
from gapsmith.bank import Bank
from gapsmith.scoring.analysis import (
    DELTA_LATE,
    Analysis,
    AnalysisOptions,
    Conclusion,
    ContrastResult,
    analysis_json,
    analyze,
    plan_of,
    sensitivity,
)
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


def _rewritten(bank: Bank, tmp_path: Path, contrasts: str) -> None:
    """The paradigm's file as somebody changes it, of which the bank is not told."""
    folder = tmp_path / "paradigms"
    folder.mkdir(exist_ok=True)
    (folder / "mine.toml").write_text(HEAD + contrasts, encoding="utf-8")


def _again(bank: Bank) -> ContrastResult:
    (result,) = analyze(bank, "mine", options=AnalysisOptions(all_items=True)).contrasts
    return result


@pytest.mark.parametrize("mean", [0.02, 0.3])
def test_a_size_said_after_scoring_makes_nothing_absent(bank: Bank, tmp_path: Path, mean: float) -> None:
    """The numbers stay, and the reason is said; what was registered before counts."""
    before = _analysis(bank, _contrast("c", expected="exploratory", delta="0.8"), mean, 0.4).contrasts[0]
    assert before.delta_fixed
    _rewritten(bank, tmp_path, _contrast("c", expected="exploratory", delta="0.9"))
    analysis = analyze(bank, "mine", options=AnalysisOptions(all_items=True))
    (late,) = analysis.contrasts
    assert before.verdict in (Conclusion.ABSENT, Conclusion.SMALL)
    assert late.verdict in (Conclusion.NO_EVIDENCE, Conclusion.ABOVE)
    assert late.absence is not None
    assert before.absence is not None
    assert late.absence.interval == before.absence.interval
    page = render_markdown(make_report([analysis], made_on=date(2026, 1, 2)))
    for shown in (analysis_text(analysis), page):
        assert DELTA_LATE in " ".join(shown.split())
    assert analysis_json(analysis)["contrasts"][0]["delta_fixed"] is False
    _rewritten(bank, tmp_path, _contrast("c", expected="exploratory", delta="0.8"))
    assert _again(bank).verdict is before.verdict


@pytest.mark.parametrize("change", [("expected", '"positive"', '"negative"'), ("formula", "b@vp", "b@sentence")])
def test_a_size_of_another_contrast_was_not_fixed(bank: Bank, tmp_path: Path, change: tuple[str, str, str]) -> None:
    contrasts = _contrast("c", delta="0.8")
    assert _analysis(bank, contrasts, 0.02, 0.4).contrasts[0].delta_fixed
    _, old, new = change
    _rewritten(bank, tmp_path, contrasts.replace(old, new))
    assert not _again(bank).delta_fixed


def test_a_plan_fixes_the_size_before_scoring_and_not_after(bank: Bank, tmp_path: Path) -> None:
    without, sized = (_contrast("c", expected="exploratory", delta=delta) for delta in ("", "0.8"))
    _analysis(bank, without, 0.02, 0.4)
    _rewritten(bank, tmp_path, sized)
    paradigm = bank.paradigms.newest("mine")
    plan = plan_of(paradigm, AnalysisOptions(all_items=True), paradigm.contrasts, ())
    bank.plans.freeze("mine", plan, by="lea")
    late = _again(bank)
    assert (late.verdict, late.delta_fixed) == (Conclusion.NO_EVIDENCE, False)
    # The same items, with scores that came only now.
    with Bank.open(tmp_path / "other.sqlite", create=True) as other:
        other.plans.freeze("mine", plan, by="lea")
        _rewritten(other, tmp_path, sized)
        _analysis(other, without, 0.02, 0.4)
        assert _again(other).verdict is Conclusion.ABSENT


def test_only_one_function_says_what_a_size_makes_of_a_test() -> None:
    """Everything else judges through `judge_result`, so that a late δ is late everywhere."""
    rooms = [Path(gapsmith.__file__).parent / name for name in ("app", "scoring")]
    for name, allowed in {
        "evidence_of_absence(": {"contrasts.py"},
        ".presence(": {"contrasts.py"},
        "absence_of(": {"contrasts.py", "families.py"},
        "fixed_before(": {"planned.py", "run.py"},
        " judge(": {"contrasts.py", "licensing_effects.py"},
    }.items():
        users = {file.name for room in rooms for file in room.rglob("*.py") if name in file.read_text(encoding="utf-8")}
        assert users <= allowed, f"{name} is used elsewhere too"


def test_what_hangs_on_what_takes_delta_into_account(bank: Bank) -> None:
    """A verdict that stays absent has not turned."""
    _analysis(bank, _contrast("c", expected="exploratory", delta="0.8"), 0.02, 0.2)
    found = sensitivity(bank, "mine", options=AnalysisOptions(all_items=True))
    assert found.variants[0].verdict is Conclusion.ABSENT
    assert not found.variants[0].turns


@pytest.mark.parametrize(("mean", "says"), [(1.5, Conclusion.OPPOSITE), (0.3, Conclusion.OPPOSITE), (0.02, Conclusion.ABSENT)])
def test_an_effect_on_the_other_side_is_not_absent(bank: Bank, mean: float, says: Conclusion) -> None:
    """Nor where the test looks at the predicted side only."""
    contrasts = _contrast("c", expected="negative", delta="0.8")
    (result,) = _analysis(bank, contrasts, mean, 0.4, alternative="expected").contrasts
    assert result.alternative == "less"
    assert result.verdict is says


def test_the_other_side_is_corrected_for_several_tests_too(bank: Bank) -> None:
    """Evidence that the correction takes away makes it undecided, not absent."""
    more = "".join(_contrast(f"c{n}", expected="negative", delta="0.8") for n in range(6))
    found = _analysis(bank, more, 0.22, 0.4, alternative="expected").contrasts
    assert {own.verdict for own in found} == {Conclusion.UNDECIDED}


@pytest.mark.parametrize(
    "command",
    [
        ("analyze",),
        ("analyze", "--json"),
        ("analyze", "--json", "--by", "dataset"),
        ("analyze", "--json", "--sensitivity"),
        ("export", "tests"),
        ("report",),
    ],
    ids=" ".join,
)
def test_every_door_knows_when_a_size_came(tmp_path: Path, gapsmith: Callable[..., Any], command: tuple[str, ...]) -> None:
    """Where it came in time they say absent, so that this can fail."""
    (tmp_path / "gapsmith.toml").write_text("", encoding="utf-8")
    with Bank.open(tmp_path / "bank.sqlite", create=True) as bank:
        _analysis(bank, _contrast("c", expected="exploratory", delta="0.8"), 0.02, 0.2)
    said = []
    for delta in ("0.8", "0.9"):
        _rewritten(bank, tmp_path, _contrast("c", expected="exploratory", delta=delta))
        out = tmp_path / f"rep {delta}"
        done = gapsmith(*command, "--all", "-p", "mine", *(("-o", out) if command[0] == "report" else ()))
        assert done.code == 0, done.err
        shown = (out / "report.md").read_text(encoding="utf-8") if command[0] == "report" else done.out
        said.append(re.findall(r"\babsent\b(?!:)", " ".join(shown.split()).replace(DELTA_LATE, "")))
    in_time, late = said
    assert in_time
    assert not late
