"""What tests say of predictions: one-sided, corrected and by design."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gapsmith.bank import Bank
from gapsmith.scoring.analysis import (
    AnalysisOptions,
    analyze,
)
from gapsmith.scoring.analysis import Conclusion as Says
from gapsmith.scoring.analysis.contrasts import judge
from gapsmith.scoring.report import contrast_sentence, contrast_tables, outcome_of
from gapsmith.scoring.report.sentences import PatternVerdict
from gapsmith.stats import holm, one_sample_t
from gapsmith.templates import Sentence
from gapsmith.templates.errors import ConfigError
from tests.scoring.analysing import (
    by_name,
    filled_bank,
    published_bits,
    spread,
)

pytestmark = pytest.mark.fast


@pytest.mark.parametrize(
    ("mean", "t", "alternative", "expected", "verdict"),
    [
        (1.0, 5.0, "two-sided", 1, Says.AS_EXPECTED),
        (1.0, 5.0, "two-sided", -1, Says.OPPOSITE),
        (-1.0, -5.0, "two-sided", -1, Says.AS_EXPECTED),
        (1.0, 1.0, "two-sided", 1, Says.NO_EVIDENCE),
        (1.0, 5.0, "two-sided", 0, Says.ABOVE),
        (-1.0, -5.0, "two-sided", 0, Says.BELOW),
        (1.0, 1.8, "two-sided", 1, Says.NO_EVIDENCE),
        (1.0, 1.8, "greater", 1, Says.AS_EXPECTED),
        (-1.0, -5.0, "greater", 1, Says.NO_EVIDENCE),
        (-1.0, -5.0, "greater", -1, Says.NO_EVIDENCE),
        (1.0, 5.0, "greater", -1, Says.OPPOSITE),
        (1.0, 5.0, "less", -1, Says.NO_EVIDENCE),
        (1.0, 5.0, "less", 1, Says.NO_EVIDENCE),
        (-1.0, -5.0, "less", 0, Says.BELOW),
        (1.0, 5.0, "less", 0, Says.NO_EVIDENCE),
        (1.0, 1.8, "less", 1, Says.NO_EVIDENCE),
    ],
)
def test_verdicts(mean: float, t: float, alternative: str, expected: int, verdict: Says) -> None:
    test = one_sample_t(spread(mean, t, 20), alternative=alternative)
    assert judge(test, expected, test.p, AnalysisOptions()) is verdict


def test_holm_corrects_over_all_tests_of_the_run(bank: Bank) -> None:
    plain = by_name(analyze(bank, "subject_pg", options=AnalysisOptions(holm=False)))
    analysis = analyze(bank, "subject_pg")
    corrected = by_name(analysis)
    # One of the seven has no variance here, and so no p; one compares different words, which no p could give a verdict.
    p_values = {name: p for name, own in plain.items() if (p := own.p_raw) is not None and not own.n_unlike}
    assert len(p_values) == 5
    assert (corrected["delta_pf"].verdict, corrected["delta_pf"].p_holm) == (Says.UNLIKE, None)
    page = (Path(__file__).parents[2] / "docs" / "statistics" / "holm.md").read_text(encoding="utf-8")
    assert "what compares different words" in " ".join(page.split())
    assert {name: corrected[name].p_holm for name in p_values} == holm(p_values)
    notes = [next(note for note in table.notes if "Holm" in note) for table in contrast_tables(analysis)]
    assert all("over the 5 tests of this run, unplanned; verdicts follow it" in note for note in notes)
    assert {name: plain[name].p_holm for name in p_values} == holm(p_values)
    assert all(own.p == own.p_raw for own in plain.values())
    assert corrected["P1"].ttest == plain["P1"].ttest


def test_the_note_counts_the_tests_that_have_a_p(tmp_path: Path) -> None:
    def without_p1(position: int, sentence: Sentence, region: str) -> float:
        return 1.0 if sentence.condition.endswith("pg1_pg2") else published_bits(position, sentence, region)

    with filled_bank(tmp_path / "bank.sqlite", "subject_pg", 33, without_p1) as opened:
        analysis = analyze(opened, "subject_pg", options=AnalysisOptions(contrasts=("P1", "P2", "P3", "P4")))
    results = by_name(analysis)
    rest = {name: results[name].p_raw or 0.0 for name in ("P2", "P3", "P4")}
    assert {name: results[name].p_holm for name in rest} == holm(rest)
    assert any("over the 3 tests of this run, unplanned" in note for note in contrast_tables(analysis)[0].notes)


def test_the_corrected_p_decides_also_of_a_one_sided_test(tmp_path: Path) -> None:
    values = spread(1.0, 2.0, 20)

    def bits(position: int, sentence: Sentence, region: str) -> float:
        if region not in ("adverb", "gap2"):
            return 2.0
        sign = -1 if sentence.condition.endswith("pg2") else 1
        return 20.0 + (sign * values[position] if sentence.condition.startswith("pf") else 0.0)

    with filled_bank(tmp_path / "bank.sqlite", "subject_pg", 20, bits) as opened:
        own = AnalysisOptions(alternative="greater")
        alone = by_name(analyze(opened, "subject_pg", options=replace(own, holm=False)))
        together = by_name(analyze(opened, "subject_pg", options=own))
    assert alone["P4"].verdict is Says.AS_EXPECTED
    assert (alone["P4"].p or 1) < 0.05 < (together["P4"].p or 0)
    assert together["P4"].verdict is Says.NO_EVIDENCE


def test_an_alternative_that_looks_away_never_finds_what_was_expected(bank: Bank) -> None:
    away = analyze(bank, "subject_pg", options=AnalysisOptions(alternative="greater"))
    results = by_name(away)
    # P1 is reliably below 0, as expected; a test for values above 0 has nothing to say of that.
    assert results["P1"].ttest.estimate == pytest.approx(-2.61)
    assert results["P1"].verdict is Says.NO_EVIDENCE
    assert "no evidence of a value above 0" in contrast_sentence(results["P1"])
    assert any("P1 and P2 look away" in caveat for caveat in away.caveats)
    assert outcome_of(away).finding is not PatternVerdict.SHOWN
    assert "either way" not in outcome_of(away).sentence
    assert results["P4"].verdict is Says.AS_EXPECTED


def test_design_and_alternative(bank: Bank) -> None:
    lan = analyze(bank, "subject_pg", options=AnalysisOptions(design="lan2x2", alternative="greater"))
    assert [result.contrast.name for result in lan.contrasts] == ["delta_pf", "delta_mf", "did"]
    assert {result.ttest.alternative for result in lan.contrasts} == {"greater"}
    two = analyze(bank, "subject_pg", options=AnalysisOptions(design="lan2x2"))
    assert [r.ttest.ci_low for r in lan.contrasts] == [r.ttest.ci_low for r in two.contrasts]
    for bad in (AnalysisOptions(design="lan"), AnalysisOptions(contrasts=("P9",))):
        with pytest.raises(ConfigError, match="It has:"):
            analyze(bank, "subject_pg", options=bad)
    with pytest.raises(ConfigError, match="no contrast or criterion in the design"):
        analyze(bank, "subject_pg", options=AnalysisOptions(design="lan2x2", contrasts=("P1",)))
