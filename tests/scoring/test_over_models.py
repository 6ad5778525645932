"""Seeds of a model and kinds of models: means over them and differences between them, from the bank to the table."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gapsmith import analyze as analyzed
from gapsmith import open_workspace
from gapsmith.bank import Bank, Verdict
from gapsmith.scoring.analysis import AnalysisOptions, analyze, compare, comparison_json, read_kinds, read_model_name
from gapsmith.scoring.analysis.comparing import RunComparison
from gapsmith.scoring.analysis.model_kinds import kinds_of
from gapsmith.scoring.report.comparison import comparison_tables
from gapsmith.stats import Result, one_sample_t
from gapsmith.templates import ConfigError, load_paradigm
from tests.making import made_scorer
from tests.scoring.analysing import CONTROL, SCORER, by_name, control_bits, fill_control, filled_bank, score, seeded

W1 = AnalysisOptions(contrasts=("W1",), by_region=False)


@pytest.fixture
def bank(tmp_path: Path) -> Any:
    """Ten items; six seeds of one model, three of another."""
    (tmp_path / "gapsmith.toml").touch()
    with Bank.open(tmp_path / "bank.sqlite", create=True) as opened:
        fill_control(opened, load_paradigm(CONTROL), "one", 0, n=10)
        for seed in range(1, 7):
            score(opened, CONTROL, seeded(seed), scorer=made_scorer(SCORER, model=f"mini-seed{seed}"))
        for seed in range(1, 4):
            score(opened, CONTROL, seeded(seed, by=-3.0), scorer=made_scorer(SCORER, model=f"maxi-seed{seed}"))
        yield opened


def seeds(name: str, n: int) -> tuple[str, ...]:
    return tuple(f"{name}-seed{seed}" for seed in range(1, n + 1))


def values(bank: Bank, model: str) -> np.ndarray[Any, Any]:
    return np.array(list(by_name(analyze(bank, CONTROL, model=model, options=W1))["W1"].values.values()))


def over(found: RunComparison, what: str) -> Result:
    (own,) = (own for own in found.over_models if own.details["what"].startswith(what))
    return own


def test_seeds_are_taken_together_and_not_held_against_each_other(bank: Bank) -> None:
    found = compare(bank, CONTROL, models=seeds("mini", 6), options=W1)
    (mean,) = found.over_models
    table = np.array([values(bank, model) for model in seeds("mini", 6)])
    assert mean.estimate == pytest.approx(table.mean())
    assert mean.details["df_models"] == 5
    assert mean.scope.startswith("over other seeds of the kind")
    # Wider than over the same items with the seeds as they are.
    alone = one_sample_t(table.mean(axis=0))
    assert mean.se is not None
    assert alone.se is not None
    assert mean.se > alone.se
    assert found.differences == ()
    assert (mean.n, mean.n_given, mean.unit) == (10, 10, "bits")
    # It is a test of the run, like those of the single seeds.
    assert mean.p_adj is not None
    assert mean.family == "the 7 tests of this run, unplanned"


@pytest.mark.full
def test_kinds_are_compared_over_their_seeds(bank: Bank) -> None:
    found = compare(bank, CONTROL, models=(*seeds("mini", 6), *seeds("maxi", 3)), options=W1)
    difference = over(found, "model: ")
    one, two = (np.array([values(bank, model) for model in seeds(*of)]).mean() for of in (("maxi", 3), ("mini", 6)))
    assert difference.details["what"] == "model: mini - maxi"
    assert difference.estimate == pytest.approx(two - one)
    assert difference.alternative == "two-sided"
    assert over(found, "mean").estimate == pytest.approx((one + two) / 2)
    captions = [table.caption for table in comparison_tables(found)]
    assert captions == ["Contrasts side by side (bits)", "Over models", "Shares over models"]
    (table,) = (table for table in comparison_tables(found) if table.caption == "Over models")
    assert [row[1] for row in table.rows] == ["mean of 9", "model: mini - maxi"]
    assert any(note.startswith("over other seeds of the kind") for note in table.notes)
    assert json.loads(json.dumps(comparison_json(found), allow_nan=False))["over_models"][0]["details"]["models"]


def test_few_seeds_are_named_and_no_sample(bank: Bank) -> None:
    (mean,) = compare(bank, CONTROL, models=seeds("maxi", 3), options=W1).over_models
    assert mean.scope.startswith("for these 3 seeds (maxi-seed1, maxi-seed2, maxi-seed3)")
    alone = one_sample_t(np.array([values(bank, model) for model in seeds("maxi", 3)]).mean(axis=0))
    assert mean.p == pytest.approx(alone.p)


def test_the_order_of_models_says_nothing(bank: Bank) -> None:
    models = (*seeds("mini", 6), *seeds("maxi", 3))
    one, other = (compare(bank, CONTROL, models=own, options=W1).over_models for own in (models, models[::-1]))
    assert one == other


@pytest.mark.full
def test_a_copied_data_set_adds_no_evidence(bank: Bank) -> None:
    models = (*seeds("mini", 6), *seeds("maxi", 3))
    before = compare(bank, CONTROL, models=models, options=W1).over_models
    fill_control(bank, load_paradigm(CONTROL), "copy", 0, n=10)
    after = compare(bank, CONTROL, models=models, options=W1).over_models
    for one, two in zip(before, after, strict=True):
        assert (two.n, two.n_given) == (10, 20)
        assert (one.estimate, one.se, one.df, one.p) == (two.estimate, two.se, two.df, two.p)


def test_words_of_items_are_named_to_no_blind_reader(tmp_path: Path) -> None:
    told = {}
    with filled_bank(tmp_path / "bank.sqlite", "subject_pg", 24) as opened:
        bank = opened.read_by("ann")
        bank.decisions.decide(bank.items.ids(), Verdict.APPROVE, author="ann")
        for seed, kind in enumerate(("mini", "mini", "maxi"), 1):
            score(bank, "subject_pg", seeded(seed), scorer=made_scorer(SCORER, model=f"{kind}-seed{seed}"))
        models = ("mini-seed1", "mini-seed2", "maxi-seed3")
        for name in ("ann", "ben"):
            found = compare(bank.read_by(name), "subject_pg", models=models, options=AnalysisOptions(contrasts=("P1", "did")))
            data = str(comparison_json(found))
            told[name] = [listed for listed in ("2 prepositions (about, of)", "['about', 'of']") if listed in data]
            assert all("2 prepositions" in own.scope for own in found.over_models)
    assert len(told["ann"]) == 2
    assert told["ben"] == []


def test_items_that_a_model_lacks_are_left_out_and_counted(bank: Bank) -> None:
    fill_control(bank, load_paradigm(CONTROL), "two", 20, n=3)
    score(bank, CONTROL, seeded(1), scorer=made_scorer(SCORER, model="mini-seed1"))
    (mean,) = compare(bank, CONTROL, models=seeds("mini", 2), options=W1).over_models
    assert (mean.n, mean.n_given) == (10, 10)
    assert sum(own.n_out for own in mean.restrictions if own.is_lack) == 3


def test_a_table_says_what_models_are(bank: Bank, tmp_path: Path) -> None:
    rows = ["model,family,size,seed"]
    rows += [f"mini-seed{n},{'a' if n < 4 else 'b'},{10 if n % 3 else 100},{n}" for n in range(1, 7)]
    file = tmp_path / "models.csv"
    file.write_text("\n".join(rows), encoding="utf-8")
    found = compare(bank, CONTROL, models=(*seeds("mini", 6), "maxi-seed1"), options=W1, kinds=read_kinds(file))
    assert [own.details["what"] for own in found.over_models] == ["mean", "family: b - a", "size: 100 - 10"]
    assert over(found, "family").scope.startswith("for these 6 models")
    assert "The table of models has no maxi-seed1: left out of the results over models." in found.notes
    # What is in no table is still held against the first model.
    assert {own.model for own in found.differences} == {"maxi-seed1 - mini-seed1"}
    bank.close()
    with open_workspace(tmp_path) as workspace:
        again = analyzed(workspace, model=seeds("mini", 6), contrast="W1", kinds=file)
    assert [own.details["what"] for own in again.comparisons[0].over_models] == ["mean", "family: b - a", "size: 100 - 10"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name,size\na,1", "line 1: there is no column model"),
        ("model,size,size\na,1,2", "line 1: each column has a name of its own"),
        ("model,size\na,1\na,2", "line 3: a is there already"),
        ("model,size\na,1,3", "line 2: 3 cells for 2 columns"),
        ("model,size\na,", "line 2: a has no size"),
    ],
)
def test_a_table_of_models_that_is_none_is_refused_with_its_line(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "models.csv").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=said):
        read_kinds(tmp_path / "models.csv")
    with pytest.raises(ConfigError, match="cannot be read"):
        read_kinds(tmp_path / "none.csv")


def test_a_table_of_models_is_about_several(bank: Bank, gapsmith: Callable[..., Any]) -> None:
    bank.close()
    refused = gapsmith("analyze", "--kinds", "models.csv")
    assert refused.code == 2
    assert "one is analysed" in refused.err


def _read(name: str) -> tuple[str, str, str]:
    own = read_model_name(name)
    return own.model, own.seed, own.step


def test_seed_and_step_are_read_from_a_name() -> None:
    assert _read("runs/mini-seed12") == ("runs/mini", "12", "")
    assert _read("mini_seed_3/final") == ("mini/final", "3", "")
    assert _read("mini_seed1") == ("mini", "1", "")
    assert _read("gpt2") == ("gpt2", "", "")
    assert _read("runs/own-seed3/checkpoints/step-00000050") == ("runs/own", "3", "step-00000050")
    assert _read("runs/a/checkpoint-500") == ("runs/a", "", "checkpoint-500")
    assert _read("models/gpt2_mini_baby_10Mf_32768_42/checkpoint-500") == (
        "models/gpt2_mini_baby_10Mf_32768",
        "42",
        "checkpoint-500",
    )
    with pytest.raises(ConfigError, match=r"run-step5/checkpoint-9 can be read in two ways"):
        read_model_name("run-step5/checkpoint-9")


def test_kinds_are_what_differs_in_the_names_of_models_with_seeds() -> None:
    names = [f"gpt2_mini_{corpus}_10M{f}_32768_{seed}" for corpus, f in (("baby", ""), ("baby", "f")) for seed in (42, 53)]
    assert list(kinds_of(names, None).values()) == [{"filtered": "no"}] * 2 + [{"filtered": "yes"}] * 2
    assert kinds_of(names[:2], None) == {names[0]: {}, names[1]: {}}
    assert (
        list(kinds_of(["a-seed1", "a-seed2", "b-seed1", "b-seed2"], None).values()) == [{"model": "a"}] * 2 + [{"model": "b"}] * 2
    )
    assert kinds_of(["a-seed1", "b-seed1"], None) == {}


def test_data_sets_differ_in_bits_by_their_words_where_these_repeat(tmp_path: Path) -> None:
    """Two sets of one verb list: the difference of their means has the verbs for a sample, and Welch's t no verdict."""
    with Bank.open(tmp_path / "bank.sqlite", create=True) as opened:
        for number, name in enumerate(("one", "two")):
            fill_control(opened, load_paradigm(CONTROL), name, 40 * number, n=40)
        score(opened, CONTROL, control_bits)
        found = compare(opened, CONTROL, datasets=("one", "two"), options=W1)
    words, welch = (own for own in found.differences if not own.test.startswith("chi-square"))
    assert words.interpretable
    assert not welch.interpretable
    assert "words" in words.test
    assert words.p_adj is not None


def test_shares_go_over_seeds_as_contrasts_do(bank: Bank) -> None:
    (share,) = compare(bank, CONTROL, models=seeds("mini", 6), options=W1).shares
    own = np.array([values(bank, model) for model in seeds("mini", 6)])
    (expected,) = (one.expected for one in load_paradigm(CONTROL).contrasts if one.name == "W1")
    assert share.details["observed"] == pytest.approx((own * expected > 0).mean())
    assert share.scope.startswith("over other seeds of the kind")
    (few,) = compare(bank, CONTROL, models=seeds("mini", 3), options=W1).shares
    assert few.scope.startswith("for these 3 seeds (mini-seed1, mini-seed2, mini-seed3)")
    found = compare(bank, CONTROL, models=(*seeds("mini", 6), *seeds("maxi", 3)), options=W1)
    (table,) = (own for own in comparison_tables(found) if own.caption == "Shares over models")
    assert [row[1] for row in table.rows] == ["share over 9", "model: mini - maxi"]


def test_criteria_go_over_seeds(tmp_path: Path) -> None:
    with filled_bank(tmp_path / "bank.sqlite", "posh_wanna", 8) as opened:
        for seed in range(1, 7):
            name = f"mini-seed{seed}"
            score(opened, "posh_wanna", seeded(seed), scorer=made_scorer(SCORER, model=name))
        found = compare(opened, "posh_wanna", models=seeds("mini", 6))
        shares = [share for share in found.shares if share.contrast in found.criteria]
        assert [own.contrast for own in found.shares] == [*found.contrasts, *found.criteria]
        assert shares
        for share in shares:
            own = [one.share for run in found.runs for one in run.analysis.criteria if one.criterion.name == share.contrast]
            assert share.details["observed"] == pytest.approx(np.mean([one.estimate for one in own]))
            assert share.scope.startswith("over other seeds of the kind")
        assert "Shares over models" in [table.caption for table in comparison_tables(found)]
        assert json.loads(json.dumps(comparison_json(found), allow_nan=False))["shares_over_models"]
