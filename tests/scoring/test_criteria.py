"""Criteria over given sentences: how often each holds, by which measure, as SyntaxGym reads it, and what has no value."""

from __future__ import annotations

import csv
import html
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from gapsmith.app.report_files import write_analyses
from gapsmith.bank import Bank, ItemFilter, NewItem, Verdict
from gapsmith.bank.formats.catalogue import read_foreign
from gapsmith.bank.formats.draft import draft_paradigm
from gapsmith.bank.formats.source import SourceFile
from gapsmith.scoring.analysis import Analysis, AnalysisOptions, CriterionResult, analysis_json, analyze, label
from gapsmith.scoring.analysis.tabled import item_rows
from gapsmith.scoring.lm import open_engine
from gapsmith.scoring.report import analysis_text, make_report, render_html, render_markdown
from gapsmith.scoring.report.numbers import percent
from gapsmith.scoring.score_run import score_selected, select_texts
from gapsmith.stats import wilson_interval
from gapsmith.templates import Paradigm, RegionSpan, Sentence, Source, parse_paradigm
from gapsmith.templates.errors import ConfigError
from gapsmith.templates.model import Alignment
from tests.making import made_tokens, registered
from tests.printed import results
from tests.scoring.analysing import SCORER, add_items

SAMPLES = Path(__file__).resolve().parents[3] / "shared" / "data" / "formats"

HEAD = """
name = "mine"
title = "My suite"
items = "given"
final_punctuation = ""
[conditions]
a = "A"
b = "B"
[[regions]]
name = "np"
[[regions]]
name = "gap"
[[regions]]
name = "vp"
[designs.all]
conditions = "all"
"""


def _criterion(formula: str, name: str = "c", measure: str = "sum", more: str = "") -> str:
    return f'[[criteria]]\nname = "{name}"\nformula = "{formula}"\nmeasure = "{measure}"\ndesign = "all"\n{more}\n'


def _sentence(condition: str, words: str, *, regions: bool = True) -> Sentence:
    """``np vp vp``: the first word is the region np, the rest vp, with an empty gap between them."""
    text = " ".join(words.split())
    first = len(text.split()[0])
    spans = (RegionSpan("np", 0, first), RegionSpan("gap", first, first), RegionSpan("vp", first + 1, len(text)))
    return Sentence(condition, text, spans if regions else None, Source.IMPORTED, Alignment.GIVEN, None if regions else "none")


def _words(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    for word in text.split():
        at = text.index(word, at)
        yield at, at + len(word)
        at += len(word)


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[Bank]:
    with Bank.open(tmp_path / "bank.sqlite", create=True) as opened:
        yield opened


def _filled(
    bank: Bank,
    paradigm: Paradigm,
    items: list[dict[str, dict[str, float | None]]],
    attributes: Sequence[Mapping[str, Any]] = (),
) -> None:
    """Items from condition to words with their bits."""
    new = [
        NewItem(
            None,
            tuple(_sentence(condition, " ".join(words)) for condition, words in item.items()),
            label=str(number),
            attributes=attributes[number] if attributes else {},
        )
        for number, item in enumerate(items)
    ]
    add_items(bank, paradigm, new)
    tokens = {}
    for item in items:
        for words in item.values():
            text = " ".join(words)
            pieces = [(start, end, bits) for (start, end), bits in zip(_words(text), words.values(), strict=True)]
            tokens[text] = made_tokens(text, pieces, "not asked for")
    bank.scores.add(registered(bank, SCORER), list(tokens.values()))


def _analyzed(bank: Bank, **options: Any) -> Analysis:
    return analyze(bank, "mine", options=AnalysisOptions(all_items=True, **options))


def _by_name(analysis: Analysis) -> dict[str, CriterionResult]:
    return {result.criterion.name: result for result in analysis.criteria}


ITEMS: list[dict[str, dict[str, float | None]]] = [
    {"a": {"x0": 1, "yy": 2, "z": 4}, "b": {"x0b": 2, "yy": 2, "z": 5}},
    {"a": {"x1": 6, "yy": 2, "z": 1}, "b": {"x1b": 2, "yy": 2, "z": 5}},
    {"a": {"x2": 1, "yy": None, "z": 4}, "b": {"x2b": 2, "yy": 2, "z": 5}},
    {"a": {"x3": 3, "yy": 2, "z": 4}},
]


def _contrast(name: str, measure: str = "sum", more: str = "") -> str:
    return (
        f'[[contrasts]]\nname = "{name}"\nformula = "a@sentence - b@sentence"\nexpected = "negative"\ndesign = "all"\n'
        f'measure = "{measure}"\n{more}\n'
    )


_BOTH_WAYS = (
    _contrast("d")
    + _contrast("one_sided", more='alternative = "less"')
    + _contrast("own", "logprob")
    + _criterion("a@sentence < b@sentence | a@np = 99")
    + _criterion("[a@vp - b@vp < 1] & [b@np > 1/2 * (a@np - 2)]", "by_one")
    + _criterion("b@sentence < a@sentence", "own_criterion", "logprob")
)


def test_a_measure_that_grows_as_surprisal_falls_turns_what_was_written_for_surprisal(bank: Bank) -> None:
    _filled(bank, parse_paradigm(HEAD + _BOTH_WAYS), ITEMS[:2])
    plain, turned = _analyzed(bank, alternative="expected"), _analyzed(bank, alternative="expected", measure="logprob")
    assert [one.contrast.expected for one in plain.contrasts] == [-1, -1, -1]
    assert [one.contrast.expected for one in turned.contrasts] == [1, 1, -1]
    for name in ("d", "one_sided"):
        before, after = (next(one for one in found.contrasts if one.contrast.name == name) for found in (plain, turned))
        assert list(after.values.values()) == [-value for value in before.values.values()]
        assert (after.ttest.p, after.verdict, after.accuracy.estimate) == (
            before.ttest.p,
            before.verdict,
            before.accuracy.estimate,
        )
    assert [one.alternative for one in _analyzed(bank, measure="logprob").contrasts] == [
        "two-sided",
        "greater",
        "two-sided",
    ]
    truths, again = _by_name(plain), _by_name(turned)
    assert {name: one.holds for name, one in again.items()} == {name: one.holds for name, one in truths.items()}
    assert str(again["c"].criterion.formula) == "a@sentence > b@sentence | a@np = -99"
    # What a file says by that measure itself is as it stands; by surprisal it is the other way round.
    assert str(again["own_criterion"].criterion.formula) == "b@sentence < a@sentence"
    assert again["own_criterion"].holds == truths["own_criterion"].holds
    by_sum = _analyzed(bank, measure="sum")
    assert [one.contrast.expected for one in by_sum.contrasts] == [-1, -1, 1]
    assert _by_name(by_sum)["own_criterion"].holds == truths["own_criterion"].holds
    (said,) = (one for one in turned.caveats if "the other way round" in one)
    assert said.endswith(": d, one_sided, c, by_one.")
    assert not any("the other way round" in one for one in plain.caveats)


def test_a_one_sided_test_of_what_is_not_predicted_is_said_to_turn(bank: Bank) -> None:
    looks = _contrast("looks", more='alternative = "less"').replace("negative", "exploratory")
    _filled(bank, parse_paradigm(HEAD + looks), ITEMS[:2])
    found = _analyzed(bank, measure="logprob")
    assert (found.contrasts[0].contrast.expected, found.contrasts[0].alternative) == (0, "greater")
    (said,) = (one for one in found.caveats if "the other way round" in one)
    assert said.endswith(": looks.")
    # Where the options say to which side a test looks, nothing of the file turns.
    asked = _analyzed(bank, measure="logprob", alternative="two-sided")
    assert not any("the other way round" in one for one in asked.caveats)


def test_what_a_criterion_compares_stands_beside_whether_it_holds(bank: Bank, tmp_path: Path) -> None:
    formulas = (
        _criterion("a@sentence < b@sentence")
        + _criterion("a@np + 1 < 2 * b@np", "weighed")
        + _criterion("[a@vp < 1] & [b@np > 1]", "both")
    )
    _filled(bank, parse_paradigm(HEAD + formulas), ITEMS[:3])
    found = _analyzed(bank)
    c, weighed, both = (_by_name(found)[name] for name in ("c", "weighed", "both"))
    first, second, third = found.texts
    assert {name: dict(values) for name, values in c.measured.items()} == {
        "a@sentence": {first: 7.0, second: 9.0},
        "b@sentence": {first: 9.0, second: 9.0},
    }
    assert dict(c.difference) == {first: -2.0, second: 0.0}
    assert dict(weighed.difference) == {first: -2.0, second: 3.0, third: -2.0}
    assert (dict(both.difference), both.measured["a@vp"][first]) == ({}, 6.0)
    row = next(
        line for line in render_markdown(make_report([found], made_on=date(2026, 1, 1))).splitlines() if "| 0 | x0" in line
    )
    assert row.replace(" ", "").startswith("|0|x0yyz|7.00|9.00|1.00|2.00|6.00|-2.00|holds|-2.00|holds|doesnot|")
    write_analyses(bank, [found], tmp_path / "report")
    page = (tmp_path / "report" / "items" / "mine-criterion-c.html").read_text(encoding="utf-8")
    assert "left side minus right side" in page
    assert "−2.00" in page
    exported = {(row["contrast"], row["item"]): row["value"] for row in item_rows(found)}
    assert (exported["c", "0"], exported["both", "0"]) == (-2.0, None)


def test_values_are_called_by_the_measure_that_was_asked_for(bank: Bank, gapsmith: Callable[..., Any], tmp_path: Path) -> None:
    _filled(bank, parse_paradigm(HEAD + _BOTH_WAYS), ITEMS[:2])
    found = _analyzed(bank, measure="perplexity")
    said = " ".join(analysis_text(found).split())
    assert "Other contrasts (perplexity)" in said
    assert "differences in perplexity" in said
    assert "(bits)" not in said
    assert "c perplexity" in said
    assert {one["measure"] for one in analysis_json(found)["criteria"]} == {"perplexity"}
    assert {one["contrast"]["measure"] for one in analysis_json(found)["contrasts"]} == {"perplexity"}
    written = render_markdown(make_report([found], made_on=date(2026, 1, 1)))
    assert "Mean of each contrast in perplexity" in written
    assert "Items and their values (perplexity)" in written
    assert "Conditions over the whole sentence: perplexity\n" in written.replace("**", "")
    assert re.search(r"found [-+][0-9.]+ perplexity", written)
    mixed = " ".join(analysis_text(_analyzed(bank)).split())
    assert "Other contrasts (bits)" in mixed
    assert "own: differences in log-probability (bits)" in mixed
    (tmp_path / "gapsmith.toml").touch()
    for kind in ("tests", "items", "conditions"):
        for asked, wanted in (
            ((), {"sum"} if kind == "conditions" else {"sum", "logprob"}),
            (("--measure", "mean"), {"mean"}),
        ):
            done = gapsmith("export", kind, "--all", *asked, "-o", tmp_path / "t.csv")
            assert done.code == 0, done.err
            assert {row["measure"] for row in csv.DictReader((tmp_path / "t.csv").read_text().splitlines())} == wanted
    write_analyses(bank, [found], tmp_path / "report")
    pages = {page.name: page.read_text(encoding="utf-8") for page in (tmp_path / "report").rglob("*.html")}
    lists = [text for name, text in pages.items() if "-condition-" in name or "-contrast-" in name]
    assert len(lists) == 5
    assert all(">perplexity</th>" in text and ">bits</th>" not in text for text in lists)
    beside = " ".join(gapsmith("analyze", "--all", "--by", "dataset", "--measure", "logprob").out.split())
    assert beside.count("measured by logprob: log-probability") == 2
    assert "the other way round than in the file, whose measure falls as this one grows: d, one_sided, c, by_one." in beside
    unknown = gapsmith("analyze", "--all", "--measure", "nope")
    assert (unknown.code, "no measure 'nope'" in unknown.err) == (2, True)


def test_the_share_of_items_for_which_it_holds_has_its_interval_and_what_has_no_value_is_counted(bank: Bank) -> None:
    paradigm = parse_paradigm(HEAD + _criterion("a@vp < b@vp & a@np < b@np"))
    _filled(bank, paradigm, ITEMS)
    (result,) = _analyzed(bank).criteria
    assert {key.label: truth for key, truth in result.holds.items()} == {"0": True, "1": False}
    assert (result.n_items, result.n_holds, result.share.estimate, result.share.n) == (2, 1, 0.5, 2)
    assert result.share.ci == wilson_interval(1, 2)
    assert (result.share.n_undefined, result.share.contrast, result.share.p) == (2, "c", None)
    assert [(entry.condition, entry.reason, entry.count) for entry in result.undefined] == [
        ("a@vp", "not asked for", 1),
        ("b@vp", "the item has no sentence in this condition", 1),
    ]


def test_brackets_bind_as_syntaxgym_writes_them_and_an_empty_region_adds_nothing(bank: Bank) -> None:
    paradigm = parse_paradigm(
        HEAD
        + _criterion("[(vp;%a%) > 99] | [(np;%a%) < (np;%b%) & (gap;%a%) = 0]", "either")
        + _criterion("[(np;%a%) < (np;%b%) | (vp;%a%) > 99] & (np;%a%) > 99", "both")
    )
    _filled(bank, paradigm, ITEMS[:2])
    results = _by_name(_analyzed(bank))
    assert list(results["either"].holds.values()) == [True, False]
    assert list(results["both"].holds.values()) == [False, False]


def test_pairs_are_compared_by_the_sum_and_by_perplexity(bank: Bank) -> None:
    # In the second pair the good sentence is longer: less probable as a whole, and more so by the word.
    sentence = "a@sentence < b@sentence"
    paradigm = parse_paradigm(HEAD + _criterion(sentence, "sum") + _criterion(sentence, "ppl", "perplexity"))
    items: list[dict[str, dict[str, float | None]]] = [
        {"a": {"u": 1, "v": 2}, "b": {"ub": 3, "v": 2}},
        {"a": {"w": 2, "v": 2, "t": 2}, "b": {"wb": 2, "v": 3}},
    ]
    _filled(bank, paradigm, items)
    results = _by_name(_analyzed(bank))
    assert list(results["sum"].holds.values()) == [True, False]
    assert list(results["ppl"].holds.values()) == [True, True]
    table = analysis_text(_analyzed(bank))
    assert re.search(r"perplexity +100%", table)
    assert re.search(r"sum +50\.0%", table)


def test_an_empty_member_of_a_pair_has_no_value_and_is_not_preferred(gapsmith: Callable[..., Any], tmp_path: Path) -> None:
    pairs = [("The cats sleep.", "The cats sleeps."), ("", "The dogs barks."), ("The man came.", ""), ("  ", "A dogs.")]
    lines = [
        json.dumps({"sentence_good": good, "sentence_bad": bad, "UID": "u", "pairID": str(number)})
        for number, (good, bad) in enumerate(pairs)
    ]
    (tmp_path / "e.jsonl").write_text("\n".join(lines))
    assert gapsmith("import", "e.jsonl").code == 0
    assert gapsmith("score", "--model", "bundled", "--all").code == 0
    with Bank.open(tmp_path / "bank.sqlite") as opened:
        analysis = analyze(opened, "minimal_pairs", options=AnalysisOptions(all_items=True))
    for result in analysis.criteria:
        assert [key.label for key in result.holds] == ["0"]
        assert [(entry.condition, entry.reason, entry.count) for entry in result.undefined] == [
            ("good@sentence", "the text is empty", 2),
            ("bad@sentence", "the text is empty", 1),
        ]


def test_where_restricts_to_items_by_their_attributes(bank: Bank) -> None:
    where = 'where = { list = "A", frequency = 4.1 }'
    other = _criterion("a@np < b@np", "none", more='where = { list = "C" }')
    paradigm = parse_paradigm(HEAD + _criterion("a@np < b@np", more=where) + other)
    _filled(bank, paradigm, ITEMS[:3], [{"list": "A", "frequency": "4.1"}, {"list": "B", "frequency": 4.1}, {"list": "A"}])
    results = _by_name(_analyzed(bank))
    assert [key.label for key in results["c"].holds] == ["0"]
    assert (results["none"].share.n, results["none"].share.estimate, results["none"].share.undefined) == (
        0,
        None,
        "no item has list = C",
    )
    assert "none: no item has list = C" in " ".join(analysis_text(_analyzed(bank)).split())


def test_to_a_blind_reader_the_order_of_items_says_nothing(bank: Bank) -> None:
    formulas = _criterion("a@sentence < b@sentence") + _criterion("a@vp < b@vp", "vp", "mean")
    _filled(bank, parse_paradigm(HEAD + formulas), [ITEMS[1], ITEMS[0], ITEMS[2]])
    bank.decisions.decide(bank.items.ids(), Verdict.APPROVE, author="ann")
    ben = analyze(bank.read_by("ben"), "mine").for_reader()
    assert [(list(own.holds.values()), own.measured) for own in ben.criteria] == [([True, False], {}), ([True, True], {})]
    assert ben.example.label == "0"
    assert not [
        own for own in make_report([ben], made_on=date(2026, 1, 1)).sections[0].figures if "sentences" in own.drawing.name
    ]


def test_criteria_about_different_items_say_so_and_share_a_column(bank: Bank) -> None:
    whole, few = "a@sentence < b@sentence", 'where = { depth = "0" }'
    formulas = _criterion(whole, "flat", more=few) + _criterion(whole, "deep", more='where = { depth = "1" }')
    _filled(bank, parse_paradigm(HEAD + formulas), ITEMS[:2], [{"depth": "0"}, {"depth": "1"}])
    report = make_report([_analyzed(bank)], made_on=date(2026, 1, 1))
    said = "“A” is the more probable sentence than “B” in {} of 1 item where depth = {}"
    assert f"{said.format(1, 0)} and {said.format(0, 1)}." in report.headline
    assert f"{said.format(1, 0)} (100%)" in report.sections[0].outcome.sentence
    values = report.sections[0].values
    (column,) = (place for place, name in enumerate(values.columns) if name.startswith("a@sentence: "))
    assert [row[column] for row in values.rows] == ["7.00", "9.00"]


@pytest.mark.usefixtures("painted")
def test_what_words_repeat_in_is_drawn_without_intervals(bank: Bank) -> None:
    again: list[dict[str, dict[str, float | None]]] = [
        {"a": {np: 1, vp: 4}, "b": {f"{np}b": 2, vp: 5}} for np, vp in (("x0", "vv"), ("x0", "ww"), ("x1", "yy"))
    ]
    other = _criterion("a@vp < 9", "vp", more='where = { depth = "0" }')
    _filled(bank, parse_paradigm(HEAD + _criterion("a@sentence < b@sentence") + other), again, [{"depth": "0"}] * 3)
    found = _analyzed(bank)
    assert all(own.words.repeats for own in found.criteria)
    drawn = {
        own.drawing.name.rsplit("-", 1)[-1]: own for own in make_report([found], made_on=date(2026, 1, 1)).sections[0].figures
    }
    told = "".join(drawn[kind].drawing.alt + drawn[kind].drawing.svg for kind in ("criteria", "sentences"))
    assert not any(sign in told for sign in ("95% int", "95 % int", "[", "  of"))
    for text in (drawn["sentences"].drawing.alt, *(own.caption for own in drawn.values())):
        assert "since their words repeat" in text or "where their words repeat" in text
    assert "a@vp &lt; 9 where depth = 0" in drawn["criteria"].drawing.svg
    assert drawn["criteria"].drawing.svg.count(">chance<") == 1


def test_syntaxgyms_reading_of_a_sentence_is_computed_too_and_the_difference_said(bank: Bank) -> None:
    paradigm = parse_paradigm(
        HEAD.replace('[[regions]]\nname = "gap"\n', "")
        + _criterion("(*;%a%) < (*;%b%)", "mean", "mean")
        + _criterion("(*;%a%) < (*;%b%)", "sum")
        + _criterion("(np;%a%) < (np;%b%)", "np", "mean")
    )
    # Over all tokens 12/3 < 13/3; region by region 6 + (2 + 4)/2 = 9 > 2 + (5 + 6)/2 = 7.5.
    items: list[dict[str, dict[str, float | None]]] = [
        {"a": {"xa": 6, "yy": 2, "z": 4}, "b": {"xb": 2, "yy": 5, "z": 6}},
        {"a": {"ua": 1, "yy": 2, "z": 4}, "b": {"ub": 2, "yy": 5, "z": 6}},
        # Here the second region is empty, and nothing has no mean.
        {"a": {"wa": 1}, "b": {"wb": 2}},
    ]
    new = []
    for number, item in enumerate(items):
        made = []
        for condition, words in item.items():
            text = " ".join(words)
            spans = (RegionSpan("np", 0, 2), RegionSpan("vp", min(3, len(text)), len(text)))
            made.append(Sentence(condition, text, spans, Source.IMPORTED, Alignment.GIVEN))
        new.append(NewItem(None, tuple(made), label=str(number)))
    add_items(bank, paradigm, new)
    tokens = [
        made_tokens(" ".join(w), [(s, e, b) for (s, e), b in zip(_words(" ".join(w)), w.values(), strict=True)])
        for item in items
        for w in item.values()
    ]
    bank.scores.add(registered(bank, SCORER), tokens)
    results = _by_name(_analyzed(bank))
    mean, plain = results["mean"], results["sum"]
    assert mean.syntaxgym is not None
    assert (mean.n_holds, mean.syntaxgym.n_holds, mean.n_items, mean.syntaxgym.n) == (3, 1, 3, 2)
    assert [key.label for key in mean.syntaxgym.differing] == ["0"]
    assert [key.label for key in mean.syntaxgym.lacking] == ["2"]
    assert plain.syntaxgym is not None
    assert (plain.syntaxgym.differing, dict(plain.syntaxgym.lacking)) == ((), {})
    assert results["np"].syntaxgym is None
    text = " ".join(analysis_text(_analyzed(bank)).split())
    assert "as SyntaxGym" in text
    assert "mean: SyntaxGym takes * as the sum of each region's mean" in text
    assert "the two do not agree for 1 item: 0" in text
    assert "there is no value for 1 item, because a region has none" in text
    bank.decisions.decide(bank.items.ids(), Verdict.APPROVE, author="ann")
    blind = " ".join(analysis_text(analyze(bank.read_by("ben"), "mine").for_reader()).split())
    assert "the two do not agree for 1 item mean" in blind
    assert "left out 1" not in blind


def test_tokens_across_the_edge_of_what_is_measured_are_counted_and_said(bank: Bank) -> None:
    paradigm = parse_paradigm(
        HEAD
        + _criterion("a@np < b@np")
        + _criterion("a@sentence < b@sentence", "whole")
        + '[[contrasts]]\nname = "d"\nformula = "a@vp - b@vp"\nexpected = "exploratory"\ndesign = "all"\n'
    )
    add_items(bank, paradigm, [NewItem(None, (_sentence("a", "xx yy z"), _sentence("b", "xb yy z")), label="1")])
    across = made_tokens("xx yy z", [(0, 1, 1.0), (1, 5, 2.0), (5, 7, 1.0)])
    bank.scores.add(registered(bank, SCORER), [across, made_tokens("xb yy z", [(0, 2, 4.0), (2, 5, 2.0), (5, 7, 1.0)])])
    analysis = _analyzed(bank)
    assert {name: result.n_straddling for name, result in _by_name(analysis).items()} == {"c": 1, "whole": 0}
    assert analysis.contrasts[0].n_straddling == 1
    assert any("across the edge" in said and "d in 1 of 1 items; c in 1 of 1 items" in said for said in analysis.caveats)


def test_items_that_read_alike_up_to_what_is_measured_are_one_observation(bank: Bank) -> None:
    paradigm = parse_paradigm(HEAD + _criterion("a@np < b@np"))
    items: list[dict[str, dict[str, float | None]]] = [
        {"a": {"x": 1, "yy": 2}, "b": {"w": 2, "yy": 2}},
        {"a": {"x": 1, "zz": 2}, "b": {"w": 2, "zz": 2}},
        {"a": {"v": 3, "zz": 2}, "b": {"w": 2, "zz": 2}},
    ]
    _filled(bank, paradigm, items)
    (result,) = (analysis := _analyzed(bank)).criteria
    assert (result.n_items, result.share.n, result.share.n_given, result.share.estimate) == (3, 2, 3, 0.5)
    assert any("one observation: c (2 for 3 items)" in said for said in analysis.caveats)


def test_where_a_region_has_no_mean_syntaxgyms_reading_has_no_value_and_is_no_disagreement(bank: Bank) -> None:
    _filled(bank, parse_paradigm(HEAD + _criterion("a@sentence < b@sentence", measure="mean")), ITEMS[:2])
    (result,) = (analysis := _analyzed(bank)).criteria
    assert result.n_items == 2
    assert result.syntaxgym is not None
    assert (result.syntaxgym.n, result.syntaxgym.differing) == (0, ())
    assert {key.label: why for key, why in result.syntaxgym.lacking.items()} == dict.fromkeys(
        ("0", "1"), "a@gap: the region is empty"
    )
    text = " ".join(analysis_text(analysis).split())
    assert (
        "c: as SyntaxGym reads *, the sum of each region's mean, there is no value for 2 items, because a region has none "
        "(a@gap: the region is empty): 0, 1"
    ) in text
    assert "do not agree" not in text
    assert "it is the same" not in text
    (found,) = analysis_json(analysis)["criteria"]
    assert found["syntaxgym"]["lacking"][0] == {
        "dataset": "generated",
        "item": "0",
        "reason": "a@gap: the region is empty",
    }


def test_a_contrast_of_another_measure_and_weight_has_its_value_by_hand(bank: Bank) -> None:
    formula = "1/2 a@next(np) - 1/2 b@sentence"
    contrast = f'[[contrasts]]\nname = "d"\nformula = "{formula}"\nexpected = "negative"\ndesign = "all"\nmeasure = "mean"\n'
    _filled(bank, parse_paradigm(HEAD + contrast), ITEMS[:2])
    (result,) = _analyzed(bank).contrasts
    assert list(result.values.values()) == [0.5 * 3 - 0.5 * 3, pytest.approx(0.5 * 1.5 - 0.5 * 3)]
    assert "d: differences in mean surprisal by token (bits)" in " ".join(analysis_text(_analyzed(bank)).split())


def test_slor_without_a_table_of_counts_has_no_value_and_says_why(bank: Bank) -> None:
    _filled(bank, parse_paradigm(HEAD + _criterion("a@sentence > b@sentence", measure="slor")), ITEMS[:1])
    (result,) = _analyzed(bank).criteria
    assert result.undefined[0].reason == "SLOR needs a table of unigram counts for the model's tokenizer"


def test_the_verdicts_of_exported_tests_are_those_of_the_analysis(
    bank: Bank, gapsmith: Callable[..., Any], tmp_path: Path
) -> None:
    _filled(
        bank,
        parse_paradigm(HEAD + "".join(_contrast(place).replace("@sentence", f"@{place}") for place in ("np", "vp", "sentence"))),
        [
            {"a": {f"x{n}": 5 + noise, "yy": 1}, "b": {f"x{n}b": 5, "yy": 1 + more}}
            for n, (more, noise) in enumerate(zip((1, 1.2, 0.9, 2.5), (1, -1, 2, -2), strict=True))
        ],
    )
    (tmp_path / "gapsmith.toml").touch()
    verdicts = {}
    for flags in (("--uncorrected",), ()):
        analysed = results(gapsmith("analyze", "--all", "--json", *flags).out)[0]["contrasts"]
        verdicts[flags] = {one["contrast"]["name"]: one["verdict"] for one in analysed}
        out = gapsmith("export", "tests", "--all", *flags).out
        rows = [row for row in csv.DictReader(out.splitlines()) if row["verdict"]]
        assert {row["contrast"]: row["verdict"] for row in rows} == verdicts[flags]
        (vp,) = (row for row in rows if row["contrast"] == "vp")
        assert float(vp["p"]) < 0.05 < float(vp["p_adj"])
    assert [own["vp"] for own in verdicts.values()] == ["as expected", "no evidence"]
    assert [own["np"] for own in verdicts.values()] == ["no verdict", "no verdict"]  # its words differ


def test_tests_of_a_family_are_corrected_together(bank: Bank) -> None:
    entry = '[[contrasts]]\nname = "{}"\nformula = "a@{} - b@{}"\nexpected = "exploratory"\ndesign = "all"\nfamily = "{}"\n'
    families = {"one": "np", "two": "vp", "three": "sentence"}
    text = "".join(entry.format(n, p, p, "f" if n != "three" else "g") for n, p in families.items())
    bits = (((1, 5), (3, 4)), ((2, 6), (2, 4)), ((1, 3), (4, 2)))
    items: list[dict[str, dict[str, float | None]]] = [
        {"a": {f"x{n}": a, f"y{n}": c}, "b": {f"X{n}": b, f"y{n}": d}} for n, ((a, b), (c, d)) in enumerate(bits)
    ]
    _filled(bank, parse_paradigm(HEAD + text), items)
    results = {result.contrast.name: result for result in _analyzed(bank, holm=True).contrasts}
    raw = {name: result.p_raw for name, result in results.items()}
    assert raw["one"] is not None
    assert raw["two"] is not None
    low, high = sorted((raw["one"], raw["two"]))
    assert sorted(p for n in ("one", "two") if (p := results[n].p_holm) is not None) == [
        pytest.approx(min(1, 2 * low)),
        pytest.approx(max(min(1, 2 * low), high)),
    ]
    assert results["three"].p_holm == pytest.approx(raw["three"])


def test_criteria_can_be_asked_for_by_name(bank: Bank) -> None:
    _filled(bank, parse_paradigm(HEAD + _criterion("a@np < b@np") + _criterion("a@np > b@np", "other")), ITEMS[:2])
    assert list(_by_name(_analyzed(bank, contrasts=("Other",)))) == ["other"]
    with pytest.raises(ConfigError, match="It has: c, other") as caught:
        _analyzed(bank, contrasts=("othr",))
    assert caught.value.hint == "Did you mean other?"


def test_the_text_the_json_and_the_report_show_them(bank: Bank) -> None:
    two = _criterion("a@np < b@np", "first") + _criterion("a@vp < b@vp", "second")
    _filled(bank, parse_paradigm(HEAD + two + _criterion("a@sentence < b@sentence", "whole")), ITEMS)
    analysis = _analyzed(bank)
    text = analysis_text(analysis)
    assert "Criteria" in text
    assert "first: a@np < b@np" in text
    data = json.loads(json.dumps(analysis_json(analysis), allow_nan=False))
    first = data["criteria"][0]
    assert (first["name"], first["formula"], first["measure"], first["n_items"], first["n_holds"]) == (
        "first",
        "a@np < b@np",
        "sum",
        3,
        2,
    )
    assert first["values"][1] == {"dataset": "generated", "item": "1", "holds": False}
    assert first["share"]["estimate"] == pytest.approx(2 / 3)
    report = make_report([analysis], made_on=date(2026, 1, 1))
    for page in (render_html(report), render_markdown(report)):
        assert "66.7%" in page
        assert "second" in page
        assert "does not" in page
    assert report.headline.startswith("“My suite” under the model chosen: ")
    assert report.headline in html.unescape(render_html(report))
    drawn = {figure.drawing.name.rsplit("-", 1)[-1]: figure.drawing for figure in report.sections[0].figures}
    shares = [result for result in analysis.criteria if result.share.estimate is not None]
    assert all(f"{label(own.criterion)}: {percent(own.share.estimate)} " in drawn["criteria"].alt for own in shares)
    whole = shares[-1].measured["a@sentence"]
    assert f"A: {sum(whole.values()) / len(whole):.2f} [" in drawn["sentences"].alt
    assert report.sections[0].curves_missing.endswith("and no contrast is tested here.")


@pytest.mark.shared
@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the sample files are not beside the checkout")
def test_the_formulas_of_the_sample_suite_have_the_truth_values_of_a_spreadsheet(bank: Bank) -> None:
    """The sheet: for every condition a row of region sums, each token counted where its first letter stands."""
    suite = read_foreign(SourceFile(SAMPLES / "suite.json"))
    draft = draft_paradigm(suite, file="suite.json")
    paradigm = parse_paradigm(draft.text)
    add_items(bank, paradigm, [_given(item, draft.conditions, draft.regions) for item in suite.items])
    engine = open_engine("bundled")
    score_selected(bank, engine, select_texts(bank, ItemFilter(), everything=True))
    (scorer,) = bank.scores.scorers()
    analysis = analyze(bank, paradigm.name, options=AnalysisOptions(all_items=True))
    order = [region.name for region in suite.regions]
    expected: dict[str, list[bool]] = {"prediction_1": [], "prediction_2": [], "prediction_3": []}
    for item in suite.items:
        scores = bank.scores.get(scorer.id, [s.text for s in item.sentences])
        sheet: dict[str, list[float]] = {}
        for sentence in item.sentences:
            tokens = scores[sentence.text]
            row = [0.0] * len(order)
            for (start, end), nats in zip(tokens.spans.tolist(), tokens.values.tolist(), strict=True):
                letter = next(i for i in range(start, end) if not sentence.text[i].isspace())
                home = next(r.name for r in sentence.regions or () if r.start <= letter < r.end)
                row[order.index(home)] += nats / math.log(2)
            sheet[sentence.condition] = row
        f6, t6 = sheet["what_nogap"][5], sheet["that_nogap"][5]
        f7, t7 = sheet["what_gap"][6], sheet["that_gap"][6]
        expected["prediction_1"].append(f6 > t6 and f7 < t7)
        expected["prediction_2"].append(f6 - t6 > f7 - t7)
        expected["prediction_3"].append(sum(sheet["that_nogap"]) < sum(sheet["what_nogap"]))
    found = {result.criterion.name: list(result.holds.values()) for result in analysis.criteria}
    assert found == expected
    everything = [truth for row in expected.values() for truth in row]
    assert 0 < everything.count(True) < len(everything), "some hold and some do not, so that the comparison says something"
    for result in analysis.criteria:
        assert result.share.estimate == expected[result.criterion.name].count(True) / len(suite.items)


def _given(item: Any, conditions: Mapping[str, str], regions: Mapping[str, str]) -> NewItem:
    sentences = tuple(
        Sentence(
            conditions[s.condition],
            s.text,
            tuple(RegionSpan(regions[r.name], r.start, r.end) for r in s.regions or ()),
            Source.IMPORTED,
            Alignment.GIVEN,
        )
        for s in item.sentences
    )
    return NewItem(None, sentences, label=item.label, attributes=dict(item.attributes))
