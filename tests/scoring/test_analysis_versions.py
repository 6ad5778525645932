"""Items of several versions of a paradigm, and of several scorers, in one bank."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from gapsmith.bank import Bank, NewItem, Verdict
from gapsmith.scoring.analysis import AnalysisOptions, analysis_json, analyze, analyze_all, find_scorer
from gapsmith.scoring.observations import ItemKey
from gapsmith.scoring.report import make_report, render_html
from gapsmith.templates import load_paradigm, parse_paradigm, realise
from gapsmith.templates.errors import ConfigError, GapsmithError
from tests.making import made_scorer, registered
from tests.printed import results
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


def own_file(bank: Bank, text: str) -> None:
    """Put a version of the control into the workspace, where it stands for the paradigm from now on."""
    folder = bank.path.parent / "paradigms"
    folder.mkdir(exist_ok=True)
    (folder / f"{CONTROL}.toml").write_text(text, encoding="utf-8")


def test_a_contrast_added_after_the_items_works_at_once(bank: Bank) -> None:
    old = load_paradigm(CONTROL)
    fill_control(bank, old, "one", 0)
    score(bank, CONTROL, control_bits)
    before = analyze(bank, CONTROL)
    first = old.contrasts[0]
    late = f"""
[[contrasts]]
name = "late"
formula = "{first.terms[1].condition} - {first.terms[0].condition}"
expected = "exploratory"
design = "{first.design}"
"""
    own_file(bank, old.text + late)
    after = analyze(bank, CONTROL)
    assert [r.contrast.name for r in after.contrasts] == [*(r.contrast.name for r in before.contrasts), "late"]
    assert after.contrasts[-1].n_items == 4
    assert list(after.contrasts[-1].values.values()) == [-v for v in before.contrasts[0].values.values()]


def test_comments_and_the_order_of_tables_change_nothing(bank: Bank) -> None:
    old = load_paradigm(CONTROL)
    first = bank.paradigms.register(old)
    head, rest = old.text.split("[factors", 1)
    tables = ("[factors" + rest).split("\n\n[status]")
    assert len(tables) == 2
    status, others = tables[1].split("\n\n", 1)
    moved = parse_paradigm(f"# mine\n{head}[status]{status}\n\n{tables[0]}\n\n{others}\n# the end\n")
    assert moved.text != old.text
    assert bank.paradigms.register(moved) == first
    digests = ("form_digest", "words_digest", "predictions_digest")
    assert [getattr(moved, name) for name in digests] == [getattr(old, name) for name in digests]


def test_todays_critical_region_holds_for_items_of_every_version(bank: Bank) -> None:
    """Approving an item never decides what is measured, nor does the order in which items came."""
    old = load_paradigm(CONTROL)
    moved = control_version(('\npg = "time"\n', '\npg = "verb"\n'))
    assert [c.critical for c in moved.conditions] != [c.critical for c in old.conditions]
    fill_control(bank, old, "early", 0)
    late = fill_control(bank, moved, "late", 10)
    score(bank, CONTROL, control_bits)
    both = analyze(bank, CONTROL)
    assert [c.critical for c in both.paradigm.conditions] == [c.critical for c in old.conditions]
    assert both.items.n_selected == 8
    bank.decisions.decide(late, Verdict.EXCLUDE, author="Anna", reason="odd")
    kept = analyze(bank, CONTROL)
    assert kept.paradigm.predictions_digest == both.paradigm.predictions_digest
    early = {key: value for key, value in both.contrasts[0].values.items() if key.dataset == "early"}
    assert dict(kept.contrasts[0].values) == early
    own_file(bank, moved.text)
    assert [c.critical for c in analyze(bank, CONTROL).paradigm.conditions] == [c.critical for c in moved.conditions]


def test_items_of_another_form_are_said_and_matched_by_name(bank: Bank) -> None:
    old = load_paradigm(CONTROL)
    fill_control(bank, old, "early", 0)
    other = control_version(('final_punctuation = "."', 'final_punctuation = "!"'))
    assert other.form_digest != old.form_digest
    fill_control(bank, other, "late", 10)
    score(bank, CONTROL, control_bits)
    both = analyze(bank, CONTROL)
    assert both.contrasts[0].n_items == 8
    assert any("4 items were made with another form" in note for note in both.notes)
    assert not analyze(bank, CONTROL, options=AnalysisOptions(dataset="early")).notes


def test_a_paradigm_whose_file_is_gone_or_no_longer_reads_is_still_analysed(bank: Bank) -> None:
    old = control_version(('name = "embedded_wh"', 'name = "mine"'))
    fill_control(bank, old, "one", 0)
    score(bank, "mine", control_bits)
    found = analyze(bank, "mine")
    assert "is not there any more" in found.notes[0]
    assert found.contrasts[0].n_items == 4


@pytest.mark.full
def test_a_scorer_that_stopped_half_way_does_not_replace_a_complete_one(
    bank: Bank, gapsmith: Callable[..., Any], tmp_path: Path
) -> None:
    fill_control(bank, load_paradigm(CONTROL), "one", 0)
    whole = score(bank, CONTROL, control_bits)
    texts = [s.text for item in bank.items.iterate() for s in item.sentences]
    newer = made_scorer(SCORER, model="chosen", window=99)
    half = registered(bank, newer)
    bank.scores.add(half, list(bank.scores.get(whole, texts[:6]).values()))
    taken, notes = find_scorer(bank, texts)
    assert taken.id == whole
    assert f"scorer {half}, 6 of 16 sentences" in notes[0]
    assert "window 99 instead of not recorded" in notes[0]
    assert find_scorer(bank, texts, scorer_id=half)[0].id == half
    with pytest.raises(ConfigError, match="no scorer 77") as raised:
        find_scorer(bank, texts, scorer_id=77)
    assert f"{whole}: chosen" in raised.value.hint
    registered(bank, made_scorer(SCORER, model="other"))
    with pytest.raises(ConfigError, match="is chosen, not other"):
        find_scorer(bank, texts, "other", scorer_id=half)
    (tmp_path / "gapsmith.toml").write_text("", encoding="utf-8")
    asked = gapsmith("analyze", "--scorer", half, "--json")
    assert results(asked.out)[0]["scorer_id"] == half
    assert results(gapsmith("analyze", "--json").out)[0]["scorer_id"] == whole
    assert gapsmith("analyze", "--scorer", 77).code == 2
    assert gapsmith("report", "--scorer", half).code == 0
    # Once it has caught up, the newer one is taken.
    bank.scores.add(half, list(bank.scores.get(whole, texts).values()))
    assert find_scorer(bank, texts)[0].id == half


def test_a_data_set_is_read_with_the_scorer_that_measured_it(bank: Bank) -> None:
    fill_control(bank, load_paradigm(CONTROL), "A", 0)
    first = score(bank, CONTROL, control_bits)
    fill_control(bank, load_paradigm(CONTROL), "B", 10, n=12)
    second = registered(bank, made_scorer(SCORER, model="other"))
    only_b = [s.text for item in bank.items.iterate() if item.dataset == "B" for s in item.sentences]
    whole = score(bank, CONTROL, control_bits, scorer=made_scorer(SCORER, model="scratch"))
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
        newer = registered(bank, made_scorer(SCORER, model="other"))
        bank.scores.add(newer, list(scratch.scores.get(own, texts).values()))
    assert analyze_all(bank, options=AnalysisOptions(dataset="A")).analyses[0].scorer_id == first
    assert analyze_all(bank, options=AnalysisOptions(dataset="B")).analyses[0].scorer_id == newer
    with pytest.raises(GapsmithError) as raised:
        analyze_all(bank, [CONTROL], scorer_id=first, options=AnalysisOptions(dataset="B"))
    assert "--model chosen" in raised.value.hint


def test_a_slash_in_a_name_does_not_make_two_items_one(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    """No new data set gets such a name; banks from before have them."""
    monkeypatch.setattr("gapsmith.bank.datasets.as_name", lambda name, *_, **__: name)
    paradigm = load_paradigm(CONTROL)
    for dataset, label, position in (("a/b", "1", 0), ("a", "b/1", 10)):
        slots = next(islice(slots_of(CONTROL), position, None))
        approve(bank, add_items(bank, paradigm, [NewItem(slots, realise(paradigm, slots), label, dataset)], identity=label))
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
