"""Items of several versions of a paradigm, and of several scorers, in one bank."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from bank import Bank, NewItem, Verdict
from scoring.analysis import AnalysisOptions, ItemKey, analysis_json, analyze, analyze_all, find_scorer
from scoring.report import make_report, render_html
from templates import Paradigm, load_paradigm, realise
from templates.errors import ConfigError, GapsmithError
from tests.scoring.analysing import (
    CONTROL,
    SCORER,
    add_items,
    approve,
    control_bits,
    control_version,
    fill_control,
    score,
    slots_of,
)
from tests.scoring.reporting import DAY


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[Bank]:
    """An empty bank."""
    with Bank.open(tmp_path / "bank.sqlite", create=True) as opened:
        yield opened


def swapped(paradigm: Paradigm) -> Paradigm:
    """The control with the terms of its first contrast the other way round."""
    formula = next(line for line in paradigm.text.splitlines() if line.startswith("formula"))
    left, right = formula.split('"')[1].split(" - ")
    return control_version((formula, f'formula = "{right} - {left}"'))


def test_another_formula_among_the_items_is_no_contrast(bank: Bank) -> None:
    old = load_paradigm(CONTROL)
    fill_control(bank, swapped(old), "early", 0)
    fill_control(bank, old, "late", 10)
    score(bank, CONTROL, control_bits)
    name = old.contrasts[0].name
    with pytest.raises(GapsmithError, match=f"{name} is not the same for all items, since its formula") as raised:
        analyze(bank, CONTROL)
    assert "4 items with" in raised.value.message
    assert "early" in raised.value.message
    assert "--dataset" in raised.value.hint
    assert analyze(bank, CONTROL, options=AnalysisOptions(contrasts=(old.contrasts[1].name,))).items.n_selected == 8
    early, late = (
        analyze(bank, CONTROL, options=AnalysisOptions(dataset=name)).contrasts[0] for name in ("early", "late")
    )
    assert [(t.sign, t.condition) for t in late.contrast.terms] == [
        (t.sign, t.condition) for t in old.contrasts[0].terms
    ]
    assert {(-t.sign, t.condition) for t in early.contrast.terms} == {
        (t.sign, t.condition) for t in late.contrast.terms
    }


def test_another_critical_region_among_the_items_is_said(bank: Bank) -> None:
    old = load_paradigm(CONTROL)
    moved = control_version(('\npg = "time"\n', '\npg = "verb"\n'))
    assert [c.critical for c in moved.conditions] != [c.critical for c in old.conditions]
    fill_control(bank, old, "early", 0)
    late = fill_control(bank, moved, "late", 10)
    score(bank, CONTROL, control_bits)
    with pytest.raises(GapsmithError, match="the critical region of"):
        analyze(bank, CONTROL)
    # Items that were set aside are no obstacle, and their version does not decide how the others are read.
    bank.decisions.decide(late, Verdict.EXCLUDE, author="Anna", reason="odd")
    kept = analyze(bank, CONTROL)
    assert kept.paradigm.digest == old.digest
    assert kept.items.n_selected == 4
    assert kept.comparisons == ()


def test_versions_that_measure_the_same_stay_a_caveat(bank: Bank) -> None:
    fill_control(bank, load_paradigm(CONTROL), "early", 0)
    fill_control(bank, control_version(('title = "Embedded', 'title = "An embedded')), "late", 10)
    score(bank, CONTROL, control_bits)
    both = analyze(bank, CONTROL)
    assert both.items.n_selected == 8
    assert any("different versions" in caveat for caveat in both.caveats)
    assert both.paradigm.title.startswith("An embedded")
    early = analyze(bank, CONTROL, options=AnalysisOptions(dataset="early"))
    assert early.paradigm.title.startswith("Embedded")


def test_a_scorer_that_stopped_half_way_does_not_replace_a_complete_one(
    bank: Bank, gapsmith: Callable[..., Any], tmp_path: Path
) -> None:
    fill_control(bank, load_paradigm(CONTROL), "one", 0)
    whole = score(bank, CONTROL, control_bits)
    texts = [s.text for item in bank.items.iterate() for s in item.sentences]
    newer = replace(SCORER, extra={"device": "cpu", "torch": "9.9"})
    half = bank.scores.register(newer)
    bank.scores.add(half, list(bank.scores.get(whole, texts[:6]).values()))
    taken, _, notes = find_scorer(bank, texts)
    assert taken == whole
    assert f"scorer {half}, 6 of 16 sentences" in notes[0]
    assert "torch 9.9 instead of not recorded" in notes[0]
    assert find_scorer(bank, texts, scorer_id=half)[0] == half
    with pytest.raises(ConfigError, match="no scorer 77") as raised:
        find_scorer(bank, texts, scorer_id=77)
    assert f"{whole}: chosen" in raised.value.hint
    bank.scores.register(replace(SCORER, model="other"))
    with pytest.raises(ConfigError, match="is chosen, not other"):
        find_scorer(bank, texts, "other", scorer_id=half)
    (tmp_path / "gapsmith.toml").write_text("", encoding="utf-8")
    asked = gapsmith("analyze", "--scorer", half, "--json")
    assert json.loads(asked.out)[0]["scorer_id"] == half
    assert json.loads(gapsmith("analyze", "--json").out)[0]["scorer_id"] == whole
    assert gapsmith("analyze", "--scorer", 77).code == 2
    assert gapsmith("report", "--scorer", half).code == 0
    # Once it has caught up, the newer one is taken.
    bank.scores.add(half, list(bank.scores.get(whole, texts).values()))
    assert find_scorer(bank, texts)[0] == half


def test_a_data_set_is_read_with_the_scorer_that_measured_it(bank: Bank) -> None:
    fill_control(bank, load_paradigm(CONTROL), "A", 0)
    first = score(bank, CONTROL, control_bits)
    fill_control(bank, load_paradigm(CONTROL), "B", 10, n=12)
    second = bank.scores.register(replace(SCORER, model="other"))
    only_b = [s.text for item in bank.items.iterate() if item.dataset == "B" for s in item.sentences]
    whole = score(bank, CONTROL, control_bits, scorer=replace(SCORER, model="scratch"))
    bank.scores.add(second, list(bank.scores.get(whole, only_b).values()))
    options = AnalysisOptions(dataset="A")
    assert analyze_all(bank, options=options, model="chosen").analyses[0].scorer_id == first
    with pytest.raises(GapsmithError, match="None of these items has been scored by other") as raised:
        analyze_all(bank, options=options, model="other")
    assert "--model other" in raised.value.hint


def test_a_data_set_is_not_judged_by_scorers_of_others(tmp_path: Path, bank: Bank) -> None:
    fill_control(bank, load_paradigm(CONTROL), "A", 0)
    first = score(bank, CONTROL, control_bits)
    fill_control(bank, load_paradigm(CONTROL), "B", 10, n=12)
    with Bank.open(tmp_path / "scratch.sqlite", create=True) as scratch:
        fill_control(scratch, load_paradigm(CONTROL), "B", 10, n=12)
        own = score(scratch, CONTROL, control_bits)
        texts = [s.text for item in scratch.items.iterate() for s in item.sentences]
        newer = bank.scores.register(replace(SCORER, model="other"))
        bank.scores.add(newer, list(scratch.scores.get(own, texts).values()))
    assert analyze_all(bank, options=AnalysisOptions(dataset="A")).analyses[0].scorer_id == first
    assert analyze_all(bank, options=AnalysisOptions(dataset="B")).analyses[0].scorer_id == newer
    with pytest.raises(GapsmithError) as raised:
        analyze_all(bank, [CONTROL], scorer_id=first, options=AnalysisOptions(dataset="B"))
    assert "--model chosen" in raised.value.hint


def test_a_slash_in_a_name_does_not_make_two_items_one(bank: Bank) -> None:
    paradigm = load_paradigm(CONTROL)
    for dataset, label, position in (("a/b", "1", 0), ("a", "b/1", 10)):
        slots = next(islice(slots_of(CONTROL), position, None))
        approve(
            bank, add_items(bank, paradigm, [NewItem(slots, realise(paradigm, slots), label, dataset)], identity=label)
        )
    score(bank, CONTROL, control_bits)
    analysis = analyze(bank, CONTROL)
    assert analysis.contrasts[0].n_items == 2
    assert set(analysis.contrasts[0].values) == {ItemKey("a/b", "1"), ItemKey("a", "b/1")}
    data = analysis_json(analysis)
    assert [(v["dataset"], v["item"]) for v in data["contrasts"][0]["values"]] == [("a/b", "1"), ("a", "b/1")]
    assert len(data["texts"]) == 2


def test_excluded_items_of_two_data_sets_are_told_apart(bank: Bank) -> None:
    ids = [
        *fill_control(bank, load_paradigm(CONTROL), "one", 0),
        *fill_control(bank, load_paradigm(CONTROL), "two", 10),
    ]
    score(bank, CONTROL, control_bits)
    bank.decisions.decide([ids[0], ids[4]], Verdict.EXCLUDE, author="Anna", reason="odd")
    analysis = analyze(bank, CONTROL)
    assert analysis.account.set_aside[0].labels == ("one/1", "two/1")
    assert "one/1, two/1" in render_html(make_report([analysis], made_on=DAY))
    own = analyze(bank, CONTROL, options=AnalysisOptions(dataset="two"))
    assert own.account.set_aside[0].labels == ("1",)
