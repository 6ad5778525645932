"""Models, revisions, data sets and kinds of items side by side, with every number known beforehand."""

from __future__ import annotations

import csv
import io
import json
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from scipy import stats as scipy_stats

from gapsmith.bank import Bank, ItemFilter, NewItem, Verdict
from gapsmith.scoring import FrameWish
from gapsmith.scoring.analysis import (
    AUTO,
    Analysis,
    AnalysisOptions,
    ContrastResult,
    analysis_json,
    analyze,
    compare,
    comparison_json,
    fit_formula,
    item_frame,
    item_pairs,
    item_rows,
    r_material,
    result_rows,
    sensitivity,
    sentence_frame,
    step_of,
)
from gapsmith.scoring.analysis import Conclusion as Says
from gapsmith.scoring.observations import ItemKey
from gapsmith.scoring.report import analysis_table, long_frame, make_report, render_html, render_markdown
from gapsmith.scoring.report.comparison import comparison_tables, comparison_text, learning_curve
from gapsmith.scoring.report.latex import latex_table
from gapsmith.scoring.report.markdown import markdown_text
from gapsmith.scoring.report.robustness_tables import model_table, model_text, sensitivity_table, sensitivity_text
from gapsmith.scoring.report.tables import Table, contrast_tables
from gapsmith.stats import holm, one_sample_t
from gapsmith.templates import Sentence, Source, load_paradigm, parse_paradigm, realise
from gapsmith.templates.errors import ConfigError, GapsmithError
from tests.making import made_scorer, made_tokens, registered
from tests.printed import results
from tests.scoring.analysing import (
    CONTROL,
    SCORER,
    add_items,
    approve,
    by_name,
    control_bits,
    fill_control,
    filled_bank,
    published_bits,
    score,
    scored,
    slots_of,
)
from tests.scoring.reporting import DAY, Page


def shifted(by: float) -> Callable[[int, Sentence, str], float]:
    """The control's bits with so much more for the filler."""
    return lambda position, s, region: control_bits(position, s, region) + by * ("pf" in s.condition) * (1 + position % 2)


@pytest.fixture
def bank(tmp_path: Path) -> Any:
    """Two data sets of the control, five items each."""
    with Bank.open(tmp_path / "bank.sqlite", create=True) as opened:
        fill_control(opened, load_paradigm(CONTROL), "one", 0, n=5)
        fill_control(opened, load_paradigm(CONTROL), "two", 10, n=5)
        yield opened


def w1(analysis: Analysis) -> ContrastResult:
    """Its first wh-effect."""
    return by_name(analysis)["W1"]


def test_models_are_compared_item_by_item_and_data_sets_by_their_shares(bank: Bank) -> None:
    score(bank, CONTROL, control_bits)
    score(bank, CONTROL, shifted(2.0), scorer=made_scorer(SCORER, model="other"))
    found = compare(bank, CONTROL, models=("chosen", "other"), datasets=("one", "two"))
    assert found.varying == ("model", "dataset")
    assert [(run.model, run.dataset) for run in found.runs] == [
        ("chosen", "one"),
        ("other", "one"),
        ("chosen", "two"),
        ("other", "two"),
    ]
    for run in found.runs:
        alone = analyze(bank, CONTROL, model=run.model, options=AnalysisOptions(dataset=run.dataset))
        here = w1(run.analysis)
        assert here == replace(w1(alone), p_holm=here.p_holm, family=here.family, verdict=here.verdict)
    # The four runs and what differs between them are one family of tests, corrected once.
    tests = [one.main for run in found.runs for one in run.analysis.contrasts]
    allowed = [own for own in (*tests, *found.differences) if own.p is not None and own.interpretable]
    adjusted = [one.p_holm for run in found.runs for one in run.analysis.contrasts] + [own.p_adj for own in found.differences]
    corrected = holm({str(number): own.p for number, own in enumerate(allowed) if own.p is not None})
    assert [p for p in adjusted if p is not None] == list(corrected.values())
    families = {one.family for run in found.runs for one in run.analysis.contrasts if one.p_holm is not None}
    families |= {own.family for own in found.differences if own.p_adj is not None}
    assert families == {f"the {len(allowed)} tests of this run, unplanned"}
    first, second = (w1(run.analysis).values for run in found.runs[:2])
    paired = scipy_stats.ttest_rel([second[key] for key in first], list(first.values()))
    (own,) = (r for r in found.differences if r.test == "paired t test" and r.contrast == "W1" and r.dataset == "one")
    assert (own.model, own.n) == ("other - chosen", 5)
    assert own.statistic == pytest.approx(float(paired.statistic))
    assert own.p == pytest.approx(float(paired.pvalue))
    shares = [r for r in found.differences if r.test.startswith("chi-square") and r.contrast == "W1"]
    assert [r.dataset for r in shares] == ["one | two", "one | two"]
    # In bits as well as by share, second minus first, as scipy has it.
    means = [r for r in found.differences if r.test == "Welch's t test" and r.contrast == "W1"]
    assert [(r.dataset, r.model) for r in means] == [(r.dataset, r.model) for r in shares]
    for own, (one, two) in zip(means, ((0, 2), (1, 3)), strict=True):
        sides = [list(w1(found.runs[at].analysis).values.values()) for at in (two, one)]
        welch = scipy_stats.ttest_ind(*sides, equal_var=False)
        assert (own.statistic, own.p, own.df) == pytest.approx((float(welch.statistic), float(welch.pvalue), float(welch.df)))
        assert own.n == sum(map(len, sides))
        assert own.ci == pytest.approx(tuple(welch.confidence_interval()))
    text = comparison_text(found)
    assert "other - chosen" in text
    assert "data set" in text
    assert json.loads(json.dumps(comparison_json(found), allow_nan=False))["varying"] == ["model", "dataset"]


def test_sets_that_share_items_are_compared_with_that_in_view(bank: Bank) -> None:
    paradigm = load_paradigm(CONTROL)
    inner = list(bank.items.iterate(ItemFilter(dataset="one")))[:3]
    items = [NewItem(dict(item.slots or {}), item.sentences, dataset="kept", label=item.label) for item in inner]
    approve(bank, add_items(bank, paradigm, items, identity="kept"))
    score(bank, CONTROL, control_bits)
    found = compare(bank, CONTROL, datasets=("one", "kept"), options=AnalysisOptions(contrasts=("W1",)))
    mean, whole, rest = found.differences
    assert (mean.test, mean.dataset, mean.interpretable) == ("Welch's t test", "one | kept", False)
    assert "share 3 of their items" in mean.note
    assert (whole.dataset, whole.interpretable) == ("one | kept", False)
    assert "share 3 items" in whole.note
    assert (rest.dataset, rest.n) == ("kept | left out", 5)
    table = comparison_tables(found)[1]
    assert any(row[7].startswith("(") for row in table.rows) or whole.p is None


def test_items_of_two_data_sets_are_one_where_they_have_the_same_sentences(tmp_path: Path) -> None:
    with Bank.open(tmp_path / "bank.sqlite", create=True) as bank:
        fill_control(bank, load_paradigm(CONTROL), "whole", 0, n=6)
        fill_control(bank, load_paradigm(CONTROL), "part", 4, n=4)
        score(bank, CONTROL, control_bits)
        found = compare(bank, CONTROL, datasets=("whole", "part"))
    pairs = [pair for pair in item_pairs(found) if pair.contrast == "W1"]
    there = Counter((pair.values[0] is not None, pair.values[1] is not None) for pair in pairs)
    assert there == {(True, False): 4, (True, True): 2, (False, True): 2}
    shared = next(pair for pair in pairs if pair.difference is not None)
    assert (shared.difference, [key and key.dataset for key in shared.keys]) == (0.0, ["whole", "part"])
    assert shared.as_expected[0] == shared.as_expected[1]


def test_items_are_taken_apart_by_an_attribute_or_a_slot(tmp_path: Path) -> None:
    paradigm = load_paradigm(CONTROL)
    with Bank.open(tmp_path / "bank.sqlite", create=True) as bank:
        stream = slots_of(CONTROL)
        items = [
            NewItem(own, realise(paradigm, own), attributes={"depth": n % 2 + 9})
            for n, own in enumerate(next(stream) for _ in range(6))
        ]
        approve(bank, add_items(bank, paradigm, items))
        score(bank, CONTROL, control_bits)
        found = compare(bank, CONTROL, by=("depth",))
        # 9 before 10: numbers go by size.
        assert [run.group for run in found.runs] == ["depth = 9", "depth = 10"]
        one = analyze(bank, CONTROL, options=AnalysisOptions(where={"depth": "9"}))
        assert w1(found.runs[0].analysis).values == w1(one).values
        assert [key.label for key in w1(one).values] == ["1", "3", "5"]
        both = compare(bank, CONTROL, by=("depth", "dataset"))
        assert {run.dataset for run in both.runs} == {"generated"}
        words = compare(bank, CONTROL, by=("verb",))
        assert {run.group for run in words.runs} == {f"verb = {item.slots['verb']}" for item in items if item.slots}
        with pytest.raises(ConfigError, match="no items with 'length'") as raised:
            compare(bank, CONTROL, by=("length",))
        assert "depth" in raised.value.hint
        with pytest.raises(GapsmithError, match="has depth = 11"):
            analyze(bank, CONTROL, options=AnalysisOptions(where={"depth": "11"}))


def steps(bank: Bank, names: dict[str, float]) -> None:
    """The control scored under revisions of one model."""
    for name, by in names.items():
        scorer = registered(bank, made_scorer(SCORER, model="hub/model", revision=f"commit of {name}", weights=name))
        block = bank.scores.block(scorer, {"device": "cpu", "revision": name})
        bits = shifted(by)
        tokens = {
            s.text: scored(s, {span.name: bits(position, s, span.name) for span in s.regions or ()})
            for position, item in enumerate(bank.items.iterate(ItemFilter(paradigm=CONTROL)))
            for s in item.sentences
        }
        bank.scores.add(scorer, list(tokens.values()), block=block)


def test_revisions_are_a_learning_curve(bank: Bank) -> None:
    names = {"step2000": -2.0, "step1000": 0.0, "step10000": -4.0}
    steps(bank, names)
    found = compare(bank, CONTROL, by=("revision",))
    assert found.varying == ("revision",)
    assert [run.revision for run in found.runs] == ["step1000", "step2000", "step10000"]
    means = [w1(run.analysis).ttest.estimate or 0.0 for run in found.runs]
    assert means[0] - means[1] == pytest.approx(means[1] - means[2])
    assert means[0] > means[2]
    curve = learning_curve(found)
    assert curve is not None
    assert f"step10000 {w1(found.runs[2].analysis).estimate or 0.0:+.2f}" in curve.alt
    report = make_report([found.runs[0].analysis], made_on=DAY, comparisons=[found])
    page = Page(render_html(report))
    assert page.text.count("step10000") > 3
    assert ("figure", {"id": curve.name}) in page.tags
    assert f"figures/{curve.name}.png" in render_markdown(report)
    # A row of any table says which step it is of.
    wish = FrameWish(critical_only=True)
    table = long_frame(bank, ItemFilter(paradigm=CONTROL, dataset="one"), wish).table.as_pandas()
    assert set(zip(table.revision, table.revision_name, strict=True)) == {(f"commit of {n}", n) for n in names}
    for kind in ("tests", "items", "conditions"):
        rows = analysis_table(kind, tuple(run.analysis for run in found.runs)).rows
        assert {(row["revision"], row["revision_name"]) for row in rows} == {(f"commit of {n}", n) for n in names}
    # A comparison by something else is no curve.
    assert learning_curve(compare(bank, CONTROL, datasets=("one", "two"))) is None
    assert [step_of(name) for name in ("step1000", "checkpoint-20", "main", "0123abcd")] == [1000, 20, None, None]


def test_a_model_that_lacks_a_data_set_is_left_out_and_said(bank: Bank) -> None:
    score(bank, CONTROL, control_bits)
    other = registered(bank, made_scorer(SCORER, model="other"))
    item = next(iter(bank.items.iterate(ItemFilter(dataset="one"))))
    bank.scores.add(other, [scored(s, {span.name: 1.0 for span in s.regions or ()}) for s in item.sentences])
    found = compare(bank, CONTROL, by=("model", "dataset"))
    assert [(run.model, run.dataset) for run in found.runs] == [("chosen", "one"), ("other", "one"), ("chosen", "two")]
    assert any("other two was left out: None of these items has been scored" in note for note in found.notes)
    assert any("different items (n = 5, 1)" in note for note in found.notes)


def test_the_commands_compare_instead_of_taking_the_last(bank: Bank, gapsmith: Callable[..., Any], tmp_path: Path) -> None:
    score(bank, CONTROL, control_bits)
    score(bank, CONTROL, shifted(1.0), scorer=made_scorer(SCORER, model="other"))
    (tmp_path / "gapsmith.toml").write_text("", encoding="utf-8")
    said = gapsmith("analyze", "-m", "chosen", "-m", "other", "-d", "one", "-d", "two", "--json")
    assert said.code == 0, said.err
    (data,) = results(said.out)
    assert [(run["model"], run["dataset"]) for run in data["runs"]] == [
        ("chosen", "one"),
        ("other", "one"),
        ("chosen", "two"),
        ("other", "two"),
    ]
    assert gapsmith("analyze", "--by", "verb").out.count("verb = ") > 3
    assert gapsmith("analyze", "--by", "nothing").code == 2
    assert gapsmith("analyze", "--where", "verb").code == 2
    assert gapsmith("analyze", "-d", "one", "-d", "third").code == 2
    done = gapsmith("report", "-m", "chosen", "-m", "other")
    assert done.code == 0, done.err
    assert "Contrasts side by side" in (tmp_path / "report" / "report.md").read_text(encoding="utf-8")
    assert_a_comparison_leads_to_its_items(tmp_path / "report", gapsmith("export", "differences", "-d", "one").out)
    assert gapsmith("export", "differences", "-m", "chosen").code == 2
    assert gapsmith("export", "items", "-m", "chosen", "-m", "other").code == 2
    assert gapsmith("export", "differences", "--by", "verb").code == 2
    assert "Leave one of the two out." in gapsmith("export", "differences", "--by", "dataset", "-d", "one").err
    tests = list(csv.DictReader(io.StringIO(gapsmith("export", "tests").out)))
    assert {row["model"] for row in tests} == {"chosen", "other"}
    assert {row["test"] for row in tests if row["contrast"] == "W1"} >= {"t test", "share"}


def assert_a_comparison_leads_to_its_items(folder: Path, exported: str) -> None:
    """Contrast to page, page to item; the same numbers on the page, in the table beside it and in the export."""
    page = Page((folder / "report.html").read_text(encoding="utf-8"))
    links = [dict(attributes).get("href") or "" for tag, attributes in page.tags if tag == "a"]
    (csv_file,) = {link for link in links if link.endswith(".csv")}
    rows = list(csv.DictReader((folder / csv_file).read_text(encoding="utf-8").splitlines()))
    of_one = list(csv.DictReader(io.StringIO(exported)))
    assert [row for row in rows if row["item_dataset"] == "one"] == of_one
    w1 = [row for row in rows if row["contrast"] == "W1"]
    assert len(w1) == 10
    assert all(float(row["difference"]) == pytest.approx(float(row["second_value"]) - float(row["first_value"])) for row in w1)
    # `shifted` adds one bit to the first item, two to the next.
    assert [round(float(row["difference"])) for row in w1] == [1, 2] * 5
    lists = [link for link in links if "compared-W1" in link]
    assert lists
    listed = (folder / lists[0]).read_text(encoding="utf-8")
    items = [dict(attributes).get("href") or "" for tag, attributes in Page(listed).tags if tag == "a"]
    records = [link for link in items if "#item-" in link]
    assert len(records) == 10
    for link in records:
        file, _, anchor = link.partition("#")
        assert f'id="{anchor}"' in (folder / "items" / file).read_text(encoding="utf-8")
    assert "two/2" in listed
    assert "+2.00" in listed


# Tests, conditions, items and decisions as tables


def test_the_rows_of_an_analysis_are_its_numbers(tmp_path: Path) -> None:
    with filled_bank(tmp_path / "bank.sqlite", "subject_pg", 30, published_bits) as bank:
        analysis = analyze(bank, "subject_pg", options=AnalysisOptions(holm=True))
    rows = [row for row in result_rows(analysis) if row["contrast"] == "P1"]
    p1 = by_name(analysis)["P1"]
    # Every sampled slot has six words or more, so that the first line is over other words too.
    assert p1.words.others is None
    tests = [p1.main.test, "t test", p1.wilcoxon.test, p1.permutation.test, "share"]
    assert [row["test"] for row in rows] == tests
    assert (rows[0]["estimate"], rows[0]["p"], rows[0]["p_adj"]) == (p1.main.estimate, p1.main.p, p1.p_holm)
    assert rows[0]["p"] < rows[0]["p_adj"]
    assert (rows[1]["effect_low"], rows[1]["effect_high"]) == p1.ttest.effect_ci
    assert [row["interpretable"] for row in rows] == [True, *(False,) * 4]
    assert [row["verdict"] for row in rows] == [p1.verdict.value, *(None,) * 4]
    table = contrast_tables(analysis)[0]
    assert table.columns[6:8] == ("p", "p Holm")
    means = {own.name: own.result for own in analysis.conditions}
    plain = one_sample_t([20.0] * 30)
    assert means["mf_pg1_pg2"].estimate == plain.estimate
    assert means["pf_pg1_pg2"].n == 30
    assert means["pf_pg1_pg2"].p is None


def test_of_a_crossed_set_only_the_test_that_knows_its_words_can_be_interpreted(tmp_path: Path) -> None:
    """The other tests take combinations of a few words for independent items, and their rows say so."""
    with filled_bank(tmp_path / "bank.sqlite", "lan_pg", 300, _by_words) as bank:
        analysis = analyze(bank, "lan_pg", options=AnalysisOptions(contrasts=("did",), by_region=False))
    (result,) = analysis.contrasts
    assert result.words.these is not None
    first, *rest = result_rows(analysis)
    assert (first["test"], first["interpretable"]) == (result.words.these.test, True)
    assert not any(row["interpretable"] for row in rest)
    assert {row["test"] for row in rest} > {"t test", result.wilcoxon.test, result.permutation.test, result.accuracy.test}
    alone = [row for row in rest if "of words" not in row["test"]]
    assert all("Words repeat over the items" in row["note"] for row in alone)


def _by_words(_: int, sentence: Sentence, region: str) -> float:
    """A value that goes by the words before the region, as a model's does."""
    end = next(span.end for span in sentence.regions or () if span.name == region)
    return 5.0 + crc32(sentence.text[:end].encode()) % 1_000 / 250


@pytest.mark.full
def test_numbers_go_out_as_tables_of_a_paper(bank: Bank, gapsmith: Callable[..., Any], tmp_path: Path) -> None:
    score(bank, CONTROL, control_bits)
    ids = bank.items.ids()
    bank.decisions.decide(ids[:1], Verdict.EXCLUDE, author="Ann", reason="odd_word", comment="50% & more")
    (tmp_path / "gapsmith.toml").write_text("", encoding="utf-8")
    rows = list(csv.DictReader(io.StringIO(gapsmith("export", "decisions", "--all").out)))
    assert len(rows) == 11
    assert ("exclude", "Ann", "odd_word") in {(r["decision"], r["author"], r["reason"]) for r in rows}
    items = list(csv.DictReader(io.StringIO(gapsmith("export", "items", "-d", "two").out)))
    analysis = analyze(bank, CONTROL, options=AnalysisOptions(dataset="two"))
    found = {(r["contrast"], r["item"]): float(r["value"]) for r in items}
    assert found["W1", "1"] == w1(analysis).values[ItemKey("two", "1")]
    assert len(items) == 3 * 5
    for kind in ("tests", "conditions", "items", "decisions", "tokens", "words"):
        for ending in ("csv", "parquet", "md", "tex"):
            done = gapsmith("export", kind, "-o", tmp_path / f"{kind}.{ending}")
            assert done.code == 0, done.err
    assert "\\toprule" in (tmp_path / "conditions.tex").read_text(encoding="utf-8")
    words = list(csv.DictReader(io.StringIO(gapsmith("export", "words").out)))
    tokens = list(csv.DictReader(io.StringIO(gapsmith("export", "tokens").out)))
    assert sum(float(w["surprisal"]) for w in words) == pytest.approx(sum(float(t["surprisal"]) for t in tokens))
    assert len(words) < len(tokens)
    assert gapsmith("export", "r").code == 2
    assert gapsmith("export", "tests", "--formula", "a ~ b").code == 2


def test_latex_writes_out_what_it_would_read_otherwise() -> None:
    table = Table("50% & more", ("a_b", "n"), (("x^2 {y} \\z", "-1.00"),), frozenset({1}))
    text = latex_table(table)
    assert r"50\% \& more" in text
    assert r"a\_b & n \\" in text
    assert r"x\textasciicircum{}2 \{y\} \textbackslash{}z & $-$1.00 \\" in text


# One side, complete cases, other measures, missing conditions


def test_the_expected_side_is_tested_where_one_is_expected(tmp_path: Path) -> None:
    with filled_bank(tmp_path / "bank.sqlite", "subject_pg", 12, published_bits) as bank:
        found = by_name(analyze(bank, "subject_pg", options=AnalysisOptions(alternative="expected")))
        two = by_name(analyze(bank, "subject_pg"))
    assert {name: found[name].alternative for name in ("P1", "P2", "P3", "P4")} == {
        "P1": "less",
        "P2": "less",
        "P3": "two-sided",
        "P4": "greater",
    }
    assert found["P1"].p == pytest.approx((two["P1"].p or 0) / 2)
    assert found["P1"].verdict is Says.AS_EXPECTED


def test_complete_cases_are_the_same_items_for_every_contrast(bank: Bank) -> None:
    score(bank, CONTROL, lambda position, s, _: None if position == 1 and s.condition == "pf_mg" else 2.0 + position)
    loose = analyze(bank, CONTROL)
    assert {r.contrast.name: r.n_items for r in loose.contrasts} == {"W1": 10, "W2": 9, "did": 9}
    assert any("not over the same items" in note for note in contrast_tables(loose)[0].notes)
    strict = analyze(bank, CONTROL, options=AnalysisOptions(complete=True))
    assert {r.n_items for r in strict.contrasts} == {9}
    assert any("1 of 10 items lack a value for a contrast (W2 1, did 1)" in note for note in strict.notes)
    assert strict.items.n_selected == 9


def test_a_missing_sentence_of_a_design_is_missing_and_not_of_another_design(tmp_path: Path) -> None:
    paradigm = load_paradigm("subject_pg")
    design = paradigm.design("lan2x2").conditions
    slots = next(slots_of("subject_pg"))
    kept = tuple(s for s in realise(paradigm, slots) if s.condition in design[1:])
    with Bank.open(tmp_path / "bank.sqlite", create=True) as bank:
        approve(bank, add_items(bank, paradigm, [NewItem(slots, kept, expects=design)]))
        score(bank, "subject_pg", published_bits)
        analysis = analyze(bank, "subject_pg", options=AnalysisOptions(contrasts=("delta_pf",)))
        assert analysis.omitted == ("delta_pf",)
        all_of_it = analyze(bank, "subject_pg")
    reasons = {why.condition: why.reason for r in all_of_it.contrasts for why in r.undefined}
    assert all(reason == "the item has no sentence in this condition" for reason in reasons.values()), reasons


def test_a_contrast_without_any_value_does_not_empty_the_complete_cases(tmp_path: Path) -> None:
    """Items that have the sentences of one design only lack a value for the other designs' contrasts, all of them."""
    paradigm = load_paradigm("subject_pg")
    design = paradigm.design("lan2x2").conditions
    with Bank.open(tmp_path / "bank.sqlite", create=True) as bank:
        stream = slots_of("subject_pg")
        items = [
            NewItem(slots, tuple(s for s in realise(paradigm, slots) if s.condition in design), expects=design)
            for slots in islice(stream, 5)
        ]
        approve(bank, add_items(bank, paradigm, items))
        score(bank, "subject_pg", published_bits)
        loose = analyze(bank, "subject_pg")
        strict = analyze(bank, "subject_pg", options=AnalysisOptions(complete=True))
    assert loose.omitted
    assert strict.omitted == loose.omitted
    assert {r.n_items for r in strict.contrasts} == {5}
    assert not any("Complete cases" in note for note in strict.notes)


def test_the_advice_is_to_score_all_where_all_are_asked_for(bank: Bank) -> None:
    with pytest.raises(GapsmithError) as raised:
        analyze(bank, CONTROL, options=AnalysisOptions(all_items=True))
    assert "gapsmith score --model gpt2 --all" in raised.value.hint
    score(bank, CONTROL, control_bits, skip=frozenset({"mf_mg"}))
    caveats = analyze(bank, CONTROL, options=AnalysisOptions(all_items=True)).caveats
    assert any("run `gapsmith score --all` again" in caveat for caveat in caveats)


def test_a_design_whose_factor_moves_two_regions_is_no_confound(tmp_path: Path) -> None:
    text = """
name = "number"
title = "Agreement"
version = 1
description = "A noun and its verb."
items = "sampled"
[factors.number]
levels = { sg = "SG", pl = "PL" }
[factors.mood]
levels = { real = "R", irreal = "I" }
[status]
sg_real = "ok"
sg_irreal = "ok"
pl_real = "ok"
pl_irreal = "ok"
[[regions]]
name = "subject"
title = "subject"
when = { sg = "The {noun}", pl = "The {noun}s" }
[[regions]]
name = "verb"
title = "verb"
when = { sg = "was", pl = "were" }
[[regions]]
name = "rest"
title = "rest"
text = "here"
[[regions]]
name = "end"
title = "end"
when = { real = "now", irreal = "once" }
[critical]
sg = "rest"
pl = "rest"
[slots.noun]
description = "a noun"
example = "cat"
words = ["cat", "dog", "cow", "hen"]
[designs.all4]
description = "all"
conditions = { A = "sg_real", B = "pl_real", C = "sg_irreal", D = "pl_irreal" }
[[contrasts]]
name = "N"
title = "number"
formula = "sg_real - pl_real"
expected = "positive"
design = "all4"
[[contrasts]]
name = "both"
title = "number and mood"
formula = "sg_real - pl_irreal"
expected = "exploratory"
design = "all4"
"""
    paradigm = parse_paradigm(text, path="number.toml")
    with Bank.open(tmp_path / "bank.sqlite", create=True) as bank:
        items = [NewItem({"noun": noun}, realise(paradigm, {"noun": noun})) for noun in ("cat", "dog", "cow")]
        approve(bank, add_items(bank, paradigm, items))
        score(bank, "number", lambda position, s, _: 4.0 + position + len(s.text) % 3)
        analysis = analyze(bank, "number")
    results = by_name(analysis)
    assert (results["N"].together, results["N"].n_unlike) == ((), 0)
    assert not any("different critical words" in caveat or "N compares" in caveat for caveat in analysis.caveats)
    assert results["both"].together == (("number", "mood"),)
    assert any("both compares conditions that change number and mood together" in c for c in analysis.caveats)


def test_a_token_across_an_edge_is_counted(bank: Bank) -> None:
    scorer = registered(bank, SCORER)
    for item in bank.items.iterate(ItemFilter(dataset="one")):
        for s in item.sentences:
            (end,) = (span.end for span in s.regions or () if span.name == "verb")
            bank.scores.add(scorer, [made_tokens(s.text, [(0, end + 3, 4.0), (end + 3, len(s.text), 2.0)])])
    analysis = analyze(bank, CONTROL, options=AnalysisOptions(dataset="one", measure="mean"))
    assert {own.n_straddling for own in analysis.conditions} == {5}
    assert any("across the edge" in caveat for caveat in analysis.caveats)


# What a result hangs on, and mixed models


def test_sensitivity_finds_the_item_that_carries_the_result(bank: Bank) -> None:
    def far(position: int, s: Sentence, _: str) -> float:
        filler = 0.05 * (position % 3) if "pf" in s.condition else 0.0
        return 5.0 + 0.1 * position + filler + (9.0 if position == 2 and s.condition == "pf_pg" else 0.0)

    score(bank, CONTROL, far)
    bank.decisions.decide(bank.items.ids()[:1], Verdict.EXCLUDE, author="Ann", reason="x")
    found = sensitivity(bank, CONTROL, options=AnalysisOptions(contrasts=("W1",)))
    rows = {own.what: own for own in found.variants}
    assert rows["as analysed"].result == replace(w1(found.analysis).main, restrictions=w1(found.analysis).restrictions)
    assert rows["without 1 beyond 3 MAD from the median"].result.n == 8
    (most,) = (own for what, own in rows.items() if what.startswith("without item") and what.endswith("moves it most"))
    assert "one/3" in most.what
    values = {k: v for k, v in w1(found.analysis).values.items() if k.label != "3" or k.dataset != "one"}
    assert most.result.n == len(values)
    assert most.turns == (most.verdict is not w1(found.analysis).verdict)
    assert rows["all items"].result.n == 10
    assert rows["mean surprisal by token"].result.n == 9
    assert any("word boundaries" in line for line in found.not_tried)
    assert any("--no-bos" in line for line in found.not_tried)
    assert "without item one/3" in sensitivity_text(found)


@pytest.mark.full
def test_a_report_shows_mixed_models_and_what_contrasts_hang_on(bank: Bank, gapsmith: Callable[..., Any], tmp_path: Path) -> None:
    score(bank, CONTROL, lambda p, s, r: control_bits(p, s, r) + (p * 7 % 5) / 3 + (len(s.text) * (p + 3) % 7) / 2)
    (tmp_path / "gapsmith.toml").write_text("", encoding="utf-8")
    asked = ("--formula", "surprisal ~ filler*gap + (1|item)", "--sensitivity", "-c", "W1", "-o", tmp_path / "out")
    assert gapsmith("report", *asked).code == 0
    page = Page((tmp_path / "out" / "report.html").read_text(encoding="utf-8"))
    told = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    fit = fit_formula("surprisal ~ filler*gap + (1|item)", sentence_frame(bank, ItemFilter(paradigm=CONTROL), FrameWish()))
    found = sensitivity(bank, CONTROL, options=AnalysisOptions(contrasts=("W1",)))
    # On both pages, cell by cell, with their notes, and what was not tried with the reason.
    for table in (model_table(fit), sensitivity_table(found)):
        assert len(table.rows) > 3
        for words in (table.caption, *table.notes, *(cell for row in table.rows for cell in row)):
            assert markdown_text(words) in told, words
            assert words.replace("-", "\N{MINUS SIGN}") in page.text.replace("-", "\N{MINUS SIGN}"), words
    assert found.not_tried
    for line in found.not_tried:
        # What stands between backticks is an element of its own.
        assert "".join(line.replace("`", "").split()) in "".join(page.text.split()), line
        assert markdown_text(line) in told, line
    places = {attributes["id"] for _, attributes in page.tags if "id" in attributes}
    assert {"mixed-models", "sensitivity"} <= places
    assert {attributes["href"] for tag, attributes in page.tags if tag == "a"} >= {"#mixed-models", "#sensitivity"}
    # Nobody asked: nothing is there.
    assert gapsmith("report", "-c", "W1", "-o", tmp_path / "plain").code == 0
    assert "Mixed model" not in (tmp_path / "plain" / "report.md").read_text(encoding="utf-8")


def test_a_report_says_why_there_is_no_model_and_which_paradigm_one_is_about(bank: Bank) -> None:
    score(bank, CONTROL, lambda *_: 3.0)
    none = fit_formula("surprisal ~ filler*gap + (1|item)", sentence_frame(bank, ItemFilter(paradigm=CONTROL), FrameWish()))
    assert "reproduce every value" in str(none.undefined)
    one = analyze(bank, CONTROL, options=AnalysisOptions(contrasts=("W1",)))
    report = make_report([one, one], made_on=DAY, fits=[none, none])
    page = Page(render_html(report))
    assert page.text.count(f"{none.formula}: not fitted, because {none.undefined}") == 2
    assert f"### {one.paradigm.title}" in render_markdown(report).partition("## Mixed models")[2]
    with pytest.raises(ValueError, match="a mixed model for each"):
        make_report([one, one], made_on=DAY, fits=[none])


@pytest.mark.full
def test_formulas_are_fitted_here_and_in_r(bank: Bank, gapsmith: Callable[..., Any], tmp_path: Path) -> None:
    score(bank, CONTROL, lambda p, s, r: control_bits(p, s, r) + (p * 7 % 5) / 3 + (len(s.text) * (p + 3) % 7) / 2)
    selection = ItemFilter(paradigm=CONTROL)
    frame = sentence_frame(bank, selection, FrameWish())
    assert frame.default is not None
    assert "(filler_code + gap_code || item)" in frame.default
    assert set(frame.columns) >= {"surprisal", "filler", "filler_code", "item", "critical_word", "verb", "dataset"}
    fit = fit_formula("surprisal ~ filler*gap + (1|item)", frame)
    assert fit.n == 40
    analysis = analyze(bank, CONTROL)
    effect = (fit.coefficient("filler[pf]:gap[pg]").estimate) * 4
    did = by_name(analysis)["did"].ttest.estimate or 0.0
    assert abs(effect) == pytest.approx(abs(did))
    logistic = fit_formula("correct ~ 1 + (1|verb)", item_frame(bank.items.iterate(selection), [analysis]))
    assert logistic.family == "binomial"
    (tmp_path / "gapsmith.toml").write_text("", encoding="utf-8")
    assert "filler[pf]:gap[pg]" in gapsmith("analyze", "--formula", "surprisal ~ filler*gap + (1|item)").out
    wrong = gapsmith("analyze", "--formula", "surprisal ~ fill + (1|item)")
    assert (wrong.code, "Columns: surprisal" in wrong.err) == (2, True)
    assert "mean" not in model_text(fit)
    done = gapsmith("export", "r", "-o", tmp_path / "r", "--formula", "surprisal ~ filler*gap + (1|item)")
    assert done.code == 0, done.err
    made_by, _, script = (tmp_path / "r" / "model.R").read_text(encoding="utf-8").partition("\n")
    assert made_by.startswith("# Made by the request export, version 1, digest ")
    head, _, rest = script.partition("\n")
    assert head == "# surprisal is surprisal (bits) at the critical region of each condition; model chosen, convention gapsmith."
    assert rest == r_material("surprisal ~ filler*gap + (1|item)", frame).script
    assert r_material(AUTO, frame).formula == fit_formula(AUTO, frame).expanded
    if shutil.which("Rscript") is None:
        return
    ran = subprocess.run(["Rscript", "model.R"], cwd=tmp_path / "r", capture_output=True, text=True, check=False)
    if "there is no package" in ran.stderr:
        return
    assert ran.returncode == 0, ran.stderr
    in_r = list(csv.reader((tmp_path / "r" / "coefficients.csv").read_text(encoding="utf-8").splitlines()))[1:]
    assert [float(row[1]) for row in in_r] == pytest.approx([own.estimate for own in fit.coefficients], rel=1e-3)
    assert [float(row[2]) for row in in_r] == pytest.approx([own.se for own in fit.coefficients], rel=1e-3)


def test_everything_in_an_analysis_is_json(bank: Bank) -> None:
    score(bank, CONTROL, control_bits)
    data = json.loads(json.dumps(analysis_json(analyze(bank, CONTROL)), allow_nan=False))
    assert data["contrasts"][0]["ttest"]["n"] == 10
    assert data["conditions"][0]["result"]["test"] == "mean"


PAIRS = """
name = "pairs"
title = "Pairs"
items = "given"
final_punctuation = ""
[conditions]
good = "good"
bad = "bad"
[designs.all]
conditions = "all"
[[criteria]]
name = "prefers"
formula = "good@sentence < bad@sentence"
design = "all"
"""


def test_criteria_of_pairs_stand_side_by_side_and_go_out(tmp_path: Path) -> None:
    paradigm = parse_paradigm(PAIRS, path="pairs.toml")
    with Bank.open(tmp_path / "bank.sqlite", create=True) as bank:
        tokens = []
        items = []
        for n, kind in enumerate(["island", "island", "agreement", "agreement"]):
            texts = {"good": f"Fine {n}", "bad": f"Worse {n}"}
            sentences = tuple(Sentence(c, text, None, Source.IMPORTED) for c, text in texts.items())
            items.append(NewItem(None, sentences, label=str(n), attributes={"kind": kind}))
            tokens += [made_tokens(text, [(0, len(text), 3.0 + (n == 1) * (c == "good"))]) for c, text in texts.items()]
            tokens[-1] = made_tokens(texts["bad"], [(0, len(texts["bad"]), 3.5)])
        approve(bank, add_items(bank, paradigm, items))
        bank.scores.add(registered(bank, SCORER), tokens)
        found = compare(bank, "pairs", by=("kind",))
        (table,) = comparison_tables(found)
        assert [(row[1], row[2], row[4]) for row in table.rows] == [
            ("kind = agreement", "100%", "2"),
            ("kind = island", "50.0%", "2"),
        ]
        assert learning_curve(found) is None
        report = make_report([analyze(bank, "pairs")], made_on=DAY, comparisons=[found])
        assert "Criteria side by side" in Page(render_html(report)).text
        whole = analyze(bank, "pairs")
    assert [own.region for own in whole.conditions] == ["sentence", "sentence"]
    assert [own.result.estimate for own in whole.conditions] == [3.25, 3.5]
    (row,) = result_rows(whole)
    assert (row["contrast"], row["test"], row["estimate"], row["verdict"]) == ("prefers", "share of items", 0.75, None)
    assert {own["item"]: own["as_expected"] for own in item_rows(whole)} == {
        "0": True,
        "1": False,
        "2": True,
        "3": True,
    }


def test_models_and_data_sets_are_compared_by_their_criteria(tmp_path: Path, gapsmith: Callable[..., Any]) -> None:
    paradigm = parse_paradigm(PAIRS, path="pairs.toml")
    (tmp_path / "gapsmith.toml").write_text("", encoding="utf-8")
    # Which of eight pairs each model prefers the good member of.
    prefers = {"chosen": [1, 1, 0, 0, 0, 0, 0, 1], "other": [1, 0, 1, 1, 1, 1, 1, 1]}
    with Bank.open(tmp_path / "bank.sqlite", create=True) as bank:
        for dataset, members in (("one", range(5)), ("two", range(5, 8))):
            items = [
                NewItem(
                    None,
                    tuple(Sentence(c, f"{c} {n}", None, Source.IMPORTED) for c in ("good", "bad")),
                    label=str(n),
                    dataset=dataset,
                )
                for n in members
            ]
            approve(bank, add_items(bank, paradigm, items, identity=dataset))
        for model, right in prefers.items():
            bits = {f"{c} {n}": 2.0 + (c == "good") * (1 - 2 * own) for n, own in enumerate(right) for c in ("good", "bad")}
            scorer = registered(bank, made_scorer(SCORER, model=model))
            bank.scores.add(scorer, [made_tokens(text, [(0, len(text), own)]) for text, own in bits.items()])
        found = compare(bank, "pairs", models=("chosen", "other"))
        (own,) = found.differences
        assert (own.contrast, own.test, own.model, own.n) == ("prefers", "McNemar (exact)", "other - chosen", 8)
        assert own.estimate == 4 / 8
        assert own.p == pytest.approx(float(scipy_stats.binomtest(5, 6).pvalue))
        assert "McNemar" in comparison_text(found)
        sets = compare(bank, "pairs", models=("other",), datasets=("one", "two"))
        assert {(own.contrast, own.test.split(" ")[0]) for own in sets.differences} == {("prefers", "chi-square")}
        report = make_report([analyze(bank, "pairs", model="chosen")], made_on=DAY, comparisons=[found])
        assert "McNemar" in Page(render_html(report)).text
    rows = list(csv.DictReader(io.StringIO(gapsmith("export", "differences", "-m", "chosen", "-m", "other").out)))
    assert [(row["contrast"], row["item"], row["first_value"]) for row in rows] == [("prefers", str(n), "") for n in range(8)]
    for name, column in (("chosen", "first_as_expected"), ("other", "second_as_expected")):
        assert [int(row[column]) for row in rows] == prefers[name]
