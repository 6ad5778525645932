"""What more items or words would show: the command, its tables and its JSON over scored items."""

from __future__ import annotations

import csv
import json
import math
import re
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from scipy import stats as scipy_stats

from gapsmith import open_workspace, power
from gapsmith.app.paradigm_check import check_paradigm
from gapsmith.bank import Bank
from gapsmith.scoring.analysis import AnalysisOptions, analyze, closed_slots, observed_words, power_of_contrasts
from gapsmith.scoring.observations import slots_read
from gapsmith.scoring.report import power_tables
from gapsmith.stats import half_width, pilot_assumed, pilot_of
from gapsmith.templates import load_paradigm, sample
from tests.interface import expect_table
from tests.making import made_scorer
from tests.printed import results
from tests.scoring.analysing import (
    CONTROL,
    SCORER,
    by_name,
    fill_control,
    filled_bank,
    published_bits,
    score,
    seeded,
)


@pytest.fixture
def bank(tmp_path: Path) -> Any:
    (tmp_path / "gapsmith.toml").touch()
    with filled_bank(tmp_path / "bank.sqlite", "subject_pg", 33, published_bits) as opened:
        yield opened


def test_every_contrast_has_what_its_variances_say(bank: Bank) -> None:
    analysis = analyze(bank, "subject_pg", options=AnalysisOptions(by_region=False))
    for result, own in zip(analysis.contrasts, power_of_contrasts(analysis), strict=True):
        assert own.contrast is result.contrast
        if own.reason:
            assert not own.sizes
            continue
        pilot = pilot_of(result.main, result.words, observed_words(result))
        assert pilot is not None
        for at in own.sizes:
            assert at.half_width == half_width(pilot, at.n)
            assert at.band[0] <= at.smallest <= at.band[1]
        assert [at.smallest for at in own.sizes] == sorted((at.smallest for at in own.sizes), reverse=True)
        assert (own.effect, own.n_needed, own.words) == (None, None, ())
    with pytest.raises(ValueError, match="above 0"):
        power_of_contrasts(analysis, effect=0)


def test_an_effect_that_is_asked_for_needs_items_or_words(bank: Bank) -> None:
    analysis = analyze(bank, "subject_pg", options=AnalysisOptions(contrasts=("P1",), by_region=False))
    (own,) = power_of_contrasts(analysis, effect=100.0)
    assert own.n_needed is not None
    assert own.n_needed < 40
    (small,) = power_of_contrasts(analysis, effect=0.001)
    assert small.n_needed is None or small.n_needed > own.n_needed
    captions = [table.caption for table in power_tables([own], 0.8)]
    assert captions == ["The smallest effect that is found (bits)", "Items that find an effect with 80% (bits)"]


def test_the_command_prints_it_and_json_has_it(bank: Bank, gapsmith: Callable[..., Any]) -> None:
    bank.close()
    shown = gapsmith("power", "-c", "P1", "--effect", "0.5")
    assert shown.code == 0, shown.err
    assert max(map(len, shown.out.splitlines())) <= 80
    assert "∞" in shown.out
    (own,) = results(gapsmith("power", "-c", "P1", "--effect", "0.5", "--json").out)
    assert own["contrast"] == "P1"
    assert own["sizes"][-1]["n"] is None
    assert json.dumps(own, allow_nan=False)
    wrong = gapsmith("power", "--effect", "-1")
    assert (wrong.code, wrong.out) == (2, "")
    assert "above 0" in wrong.err
    assert "--kinds" in gapsmith("power", "--kinds", "models.csv").err


@pytest.mark.full
@pytest.mark.usefixtures("painted")
def test_the_curves_say_what_the_tables_say(bank: Bank, gapsmith: Callable[..., Any], tmp_path: Path) -> None:
    bank.close()
    shown = gapsmith("power", "-c", "P1", "-c", "P2", "--effect", "0.5", "--out", str(tmp_path / "curves"))
    assert shown.code == 0, shown.err
    written = {path.suffix: path for path in (tmp_path / "curves").iterdir()}
    assert set(written) == {".csv", ".svg", ".png"}
    expect_table("power.csv", written[".csv"].read_text(encoding="utf-8"))
    with written[".csv"].open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    json_rows = results(gapsmith("power", "-c", "P1", "-c", "P2", "--effect", "0.5", "--json").out)
    assert [float(row["smallest"]) for row in rows] == [at["smallest"] for own in json_rows for at in own["sizes"]]
    chances = [[at["power"] for at in own["sizes"]] for own in json_rows]
    assert all(own == sorted(own) and 0 < own[0] <= own[-1] <= 1 for own in chances)
    # The picture has a line and a band for each contrast, a limit, and says its numbers to who cannot see it.
    svg = written[".svg"].read_text(encoding="utf-8")
    assert "P1: " in svg
    assert "chance that the effect is found" in svg
    assert f"{json_rows[0]['sizes'][0]['smallest']:.2f} with 12" in svg
    refused = gapsmith("power", "-c", "P1", "--out", str(written[".csv"]))
    assert refused.code == 2
    assert "--out" in refused.err


def test_data_sets_models_and_their_seeds_are_pilots_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "gapsmith.toml").touch()
    with Bank.open(tmp_path / "bank.sqlite", create=True) as opened:
        fill_control(opened, load_paradigm(CONTROL), "one", 0, n=8)
        fill_control(opened, load_paradigm(CONTROL), "two", 10, n=8)
        for seed in (1, 2, 3):
            score(opened, CONTROL, seeded(seed), scorer=made_scorer(SCORER, model=f"mini-seed{seed}"))
    models = tuple(f"mini-seed{seed}" for seed in (1, 2, 3))
    with open_workspace(tmp_path) as workspace:
        found = power(workspace, dataset=("one", "two"), contrast=("W1",), model=models, effect=0.5)
        (alone,) = power(workspace, dataset="two", contrast="W1", model=models[0], effect=0.5)
    titles = [own.title for own in found.sets]
    assert titles[:4] == [f"{CONTROL}, {name}, {model}" for model in models for name in ("one", "two")][:4]
    assert titles[-2:] == [f"{CONTROL}, {name}, mini, from 3 models" for name in ("one", "two")]
    assert found.sets[1].contrasts == (alone,)
    over = found.sets[-1].contrasts[0]
    assert over.n_models == 6
    assert "for others of their kind" in over.scope
    assert [at.models for at in over.by_models] == [6, 8, 12, 20, 40, math.inf]
    assert over.by_models[0].smallest >= over.by_models[-1].smallest
    frame = found.to_frame()
    assert set(frame["models"].dropna()) >= {1, 6, 8}
    assert [table.caption for table in power_tables([over], 0.8)][1].startswith(
        "The same over other numbers of models, with 8 items"
    )


def test_python_has_the_same_numbers(bank: Bank, tmp_path: Path) -> None:
    alone = by_name(analyze(bank, "subject_pg", options=AnalysisOptions(by_region=False)))
    bank.close()
    with open_workspace(tmp_path) as workspace:
        found = power(workspace, contrast=("P1", "P2"))
    assert [own.contrast.name for own in found] == ["P1", "P2"]
    assert {own.n for own in found} == {alone["P1"].main.n}
    assert set(found.to_frame().columns) >= {"paradigm", "contrast", "items", "smallest"}


def test_a_paradigm_says_how_far_its_word_lists_reach() -> None:
    """Before anything is generated: half the interval that no number of items makes smaller, by Student's t over the words."""
    said = check_paradigm(load_paradigm("subject_pg"))[-1]
    assert said.what.startswith("how far the word lists reach, if a slot's words carry 10% of the variance")
    told = re.findall(r"(\w+) \((\d+) words\): ± ([\d.]+) SD", said.detail)
    found = {name: (int(n), float(half)) for name, n, half in told}
    assert "preposition" not in found
    for n, half in found.values():
        assert half == pytest.approx(scipy_stats.t.ppf(0.975, n - 1) * (0.1 / n) ** 0.5, abs=0.006)
    assert found["adverb"][0] == 12
    assert "with 12 words" not in said.detail
    # As many names as items is a number like another; and what was counted is said.
    assert found["name1"][0] > 50
    assert said.detail.startswith("words counted in 400 items (drawn): ")
    few = check_paradigm(load_paradigm("lan_pg"))[-1].detail
    assert "linker (4 words): ± 0.50 SD, with 12 words 0.20" in few
    assert "name1 (2 words): nothing can be said of other words" in few
    # All slots together reach less far than each of them.
    (together,) = set(re.findall(r"all of them together \(these words of name1(?:, name2)? and adverb\): ± ([\d.]+)", few))
    assert float(together) > 0.5
    assert "for these words of name1 (2), np_verb (5), linker (4), verb (3), object (3) and adverb (2): ± " in few


@pytest.mark.full
def test_the_joint_half_width_is_that_of_power() -> None:
    """What `paradigm check` assumes of words is a pilot like a measured one, for ever more items and for those that are meant."""
    paradigm = load_paradigm("embwhq")
    (joint,) = re.findall(
        r"W2: all of them together: ± ([\d.]+) SD, with 25 items ([\d.]+)", check_paradigm(paradigm, n=25)[-1].detail
    )
    read = {name for term in paradigm.contrast("W2").terms for name in slots_read(paradigm, term.condition, term.place)}
    rows = [{name: own[name] for name in sorted(read)} for own in islice(sample(paradigm.evenly, seed=0), 400)]
    pilot = pilot_assumed(rows, closed_slots(paradigm), share=0.1, others=True)
    assert [float(own) for own in joint] == [pytest.approx(half_width(pilot, n), abs=0.0051) for n in (math.inf, 25)]
    # The variances are shares of one whole, whatever the number of slots.
    for share in (0.1, 0.5):
        own = pilot_assumed(rows, closed_slots(paradigm), share=share)
        assert own.residual + sum(slot.variance for slot in own.slots) == pytest.approx(1)
