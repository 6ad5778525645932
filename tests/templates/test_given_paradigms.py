"""Paradigms for sentences that someone brings: what they can do without, formulas with weights and places, drafts that load."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Literal

import pytest

from gapsmith.bank import Bank
from gapsmith.bank.formats.catalogue import read_foreign
from gapsmith.bank.formats.draft import draft_paradigm
from gapsmith.bank.formats.source import ReadOptions, SourceFile
from gapsmith.templates import (
    ParadigmError,
    Status,
    load_paradigm,
    paradigm_files,
    parse_paradigm,
    read_as,
    read_back,
    realise,
    sample,
)
from gapsmith.templates.formula import Place, Term, parse_formula

SAMPLES = Path(__file__).resolve().parents[3] / "shared" / "data" / "formats"

PAIRS = """
name = "pairs"
title = "Pairs"
items = "given"
final_punctuation = ""
[conditions]
good = "Good one"
bad = "Bad one"
[designs.all]
conditions = "all"
[[criteria]]
name = "preferred"
formula = "good@sentence < bad@sentence"
design = "all"
[[criteria]]
name = "by_perplexity"
title = "by perplexity"
formula = "good@sentence < bad@sentence"
measure = "perplexity"
design = "all"
where = { field = "syntax" }
"""

SUITE = """
name = "suite"
title = "A suite"
items = "given"
final_punctuation = ""
[factors.filler]
levels = { what = "what", that = "that" }
[factors.gap]
levels = { nogap = "-gap", gap = "+gap" }
[[regions]]
name = "comp"
when = { what = "what", that = "that" }
[[regions]]
name = "object"
when = { gap = "" }
[[regions]]
name = "prep"
[critical]
gap = "prep"
nogap = "object"
[designs.all]
conditions = "all"
[[contrasts]]
name = "half"
formula = "1/2 what_nogap@object - 0.5 that_nogap@object + what_gap - that_gap@next(comp)"
measure = "mean_word"
expected = "exploratory"
design = "all"
family = "halves"
"""

DIGESTS = {
    "embedded_wh": (
        "f247dfaa23fc3bb8473ac8cb9fe4fb52",
        None,
        "97665152a330fffab6c3e64bbb905eda",
    ),
    "lan_atb": (
        "6c4e4501e3977028000ef822e5d21e85",
        "fce442f72c3dd355f1e67a3e4833e5f1",
        "67281a7d6ebc79009650dbd022c8b382",
    ),
    "lan_pg": (
        "dd3a6193aae96156c0b0a3362e816a69",
        "354bb1f14ad6d1d2e3387b1b8ed9160f",
        "9992424854fa457a05efb8a8a847f72a",
    ),
    "subject_pg": (
        "0822a24c3b9d84d39341954664d27f00",
        None,
        "c36cc1defe1999fcda1c4d5306560032",
    ),
}
"""Form, own words and predictions of the shipped files as banks have them; words that are no published list may grow."""


@pytest.mark.parametrize("name", DIGESTS)
def test_the_digests_of_shipped_paradigms_are_those_that_banks_have(name: str) -> None:
    paradigm = load_paradigm(name)
    form, words, predictions = DIGESTS[name]
    assert (paradigm.form_digest, paradigm.predictions_digest) == (form, predictions)
    assert words in {paradigm.own_words_digest, None}


def test_conditions_by_name_need_no_regions_and_no_expectations() -> None:
    paradigm = parse_paradigm(PAIRS)
    assert paradigm.given
    assert not paradigm.exhaustive
    assert [(c.name, c.label, c.levels, c.status, c.critical, dict(c.regions)) for c in paradigm.conditions] == [
        ("good", "Good one", (), None, None, {}),
        ("bad", "Bad one", (), None, None, {}),
    ]
    assert paradigm.resolve_label("bad ONE") == "bad"
    first, second = paradigm.criteria
    assert (first.name, first.title, first.measure, dict(first.where)) == ("preferred", "preferred", "sum", {})
    assert first.formula == parse_formula("(*;%good%) < (*;%bad%)")
    assert (second.title, second.measure, dict(second.where)) == ("by perplexity", "perplexity", {"field": "syntax"})


def test_regions_of_given_sentences_may_say_their_words_be_empty_or_be_silent() -> None:
    paradigm = parse_paradigm(SUITE)
    assert {c.name: (dict(c.regions), c.critical) for c in paradigm.conditions} == {
        "what_nogap": ({"comp": "what"}, "object"),
        "what_gap": ({"comp": "what", "object": ""}, "prep"),
        "that_nogap": ({"comp": "that"}, "object"),
        "that_gap": ({"comp": "that", "object": ""}, "prep"),
    }


def test_a_contrast_has_weights_places_a_measure_and_a_family() -> None:
    (contrast,) = parse_paradigm(SUITE).contrasts
    assert contrast.terms == (
        Term(Fraction(1, 2), "what_nogap", Place("object")),
        Term(Fraction(-1, 2), "that_nogap", Place("object")),
        Term(Fraction(1), "what_gap"),
        Term(Fraction(-1), "that_gap", Place("comp", 1)),
    )
    assert (contrast.measure, contrast.family) == ("mean_word", "halves")


def test_conditions_by_name_take_expectations_by_name() -> None:
    text = PAIRS.replace("[designs.all]", '[status]\ngood = "ok"\nbad = "*"\n[critical]\nbad = "word"\n[designs.all]')
    text = text.replace("[designs.all]", '[[regions]]\nname = "word"\nwhen = { good = "" }\n[designs.all]', 1)
    paradigm = parse_paradigm(text)
    assert [c.status for c in paradigm.conditions] == [Status.OK, Status.STAR]
    assert [c.critical for c in paradigm.conditions] == [None, "word"]
    assert [dict(c.regions) for c in paradigm.conditions] == [{"word": ""}, {}]


@pytest.mark.parametrize(
    ("text", "old", "new", "message"),
    [
        (PAIRS, 'items = "given"\n', "", "`regions` is missing"),
        (SUITE, 'items = "given"\n', "", "`status` is missing"),
        (PAIRS, "[conditions]\n", "[conditionz]\n", "conditionz"),
        (PAIRS, 'good = "Good one"\nbad = "Bad one"\n', "", "the file has neither"),
        (SUITE, "[designs.all]", '[conditions]\na = "A"\n[designs.all]', "the file has both of them"),
        (PAIRS, 'good = "Good one"', '"+good" = "Good one"', "`conditions.+good`"),
        (PAIRS, "[designs.all]", '[status]\ngood = "ok"\n[designs.all]', "says nothing for bad"),
        (PAIRS, "[designs.all]", '[slots.verb]\ndescription = "a verb"\n[designs.all]', "no slot is filled"),
        (PAIRS, "good@sentence < bad@sentence", "good < bad", "in its critical region, and [critical] says none"),
        (PAIRS, "good@sentence < bad@sentence", "good@word < bad@word", "there is no region 'word'"),
        (PAIRS, "good@sentence < bad@sentence", "goood@sentence < bad@sentence", "no condition 'goood'"),
        (PAIRS, "good@sentence < bad@sentence", "good@sentence - bad@sentence", "compares nothing"),
        (PAIRS, "good@sentence < bad@sentence", "good@sentence <", "`criteria.preferred.formula`: the formula cannot be read"),
        (PAIRS, 'measure = "perplexity"', 'measure = "perplexitty"', "there is no measure 'perplexitty'"),
        (PAIRS, 'name = "by_perplexity"', 'name = "preferred"', "'preferred' is there twice"),
        (SUITE, "- 0.5 that_nogap@object", "< 0.5 that_nogap@object", "true or false of an item"),
        (SUITE, 'gap = "prep"', 'gap = "object"', "is empty in the condition what_gap"),
        (SUITE, 'name = "prep"', 'name = "sentence"', "no region can be called 'sentence'"),
    ],
)
def test_what_is_wrong_with_one_is_said(text: str, old: str, new: str, message: str) -> None:
    assert old in text
    with pytest.raises(ParadigmError) as caught:
        parse_paradigm(text.replace(old, new), path="mine.toml")
    assert message in caught.value.message
    assert caught.value.message.startswith("mine.toml")


def test_a_measure_that_is_misspelt_has_a_near_one() -> None:
    with pytest.raises(ParadigmError) as caught:
        parse_paradigm(PAIRS.replace('"perplexity"', '"perplexitty"'))
    assert "Did you mean perplexity?" in caught.value.hint


def test_nothing_is_made_of_a_paradigm_without_words() -> None:
    paradigm = parse_paradigm(PAIRS)
    with pytest.raises(ParadigmError, match="its items are given") as caught:
        realise(paradigm, {})
    assert "gapsmith import" in caught.value.hint
    with pytest.raises(ParadigmError, match="its items are given"):
        next(sample(paradigm, seed=0))
    read = read_back(paradigm, {"good": "A good one.", "bad": "A bad one."})
    assert (read.slots, read.failures) == (None, ())


def test_predictions_and_words_are_no_part_of_the_form() -> None:
    one = parse_paradigm(PAIRS)
    renamed = parse_paradigm(PAIRS.replace("Bad one", "Worse"))
    assert renamed.form_digest == one.form_digest
    assert renamed.predictions_digest != one.predictions_digest
    without = parse_paradigm(PAIRS[: PAIRS.index("[[criteria]]")])
    assert without.form_digest == one.form_digest
    assert without.predictions_digest != one.predictions_digest
    more = parse_paradigm(PAIRS.replace('bad = "Bad one"', 'bad = "Bad one"\nworse = "Worse"'))
    assert more.form_digest != one.form_digest


def test_items_of_an_older_form_are_read_under_todays_criteria_and_critical_regions() -> None:
    own = parse_paradigm(SUITE.replace('gap = "prep"\nnogap = "object"', "").replace("what_gap - ", "what_gap@prep - "))
    criterion = '[[criteria]]\nname = "{}"\nformula = "{}"\ndesign = "all"\n'
    more = criterion.format("kept", "what_gap < that_gap") + criterion.format("new", "even_gap < that_gap")
    levels = SUITE.replace('that = "that" }', 'that = "that", even = "even" }')
    today = parse_paradigm(levels.replace("[[contrasts]]", more + "[[contrasts]]"))
    read = read_as(own, today)
    assert [c.critical for c in read.conditions] == ["object", "prep", "object", "prep"]
    assert [c.name for c in read.criteria] == ["kept"]


def test_a_bank_keeps_and_reads_one_again(tmp_path: Path) -> None:
    paradigm = parse_paradigm(PAIRS)
    with Bank.open(tmp_path / "bank.sqlite", create=True) as bank:
        kept = bank.paradigms.load(bank.paradigms.register(paradigm))
        assert bank.paradigms.register(parse_paradigm("# a comment\n" + PAIRS)) == 1
    assert (kept.criteria, kept.conditions, kept.given) == (paradigm.criteria, paradigm.conditions, True)


@pytest.mark.shared
@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the sample files are not beside the checkout")
@pytest.mark.parametrize(
    ("file", "first"),
    [
        ("blimp_style.jsonl", None),
        ("four_conditions_extra_columns.csv", None),
        ("region_columns.csv", None),
        ("region_rows.csv", None),
        ("suite.json", None),
        ("two_columns.tsv", "good"),
        ("two_lines_bad_good.txt", "bad"),
    ],
)
def test_the_draft_of_every_sample_file_loads(file: str, first: Literal["good", "bad"] | None, tmp_path: Path) -> None:
    draft = draft_paradigm(read_foreign(SourceFile(SAMPLES / file, ReadOptions(first=first))), file=file)
    (tmp_path / "draft.toml").write_text(draft.text, encoding="utf-8")
    paradigm = load_paradigm(str(tmp_path / "draft.toml"))
    assert paradigm.given
    assert {c.name for c in paradigm.conditions} == set(draft.conditions.values())
    assert {label: paradigm.resolve_label(label) for label in draft.conditions} == dict(draft.conditions)
    assert [region.name for region in paradigm.regions] == list(draft.regions.values())


def test_the_shipped_files_load_as_before() -> None:
    for name in paradigm_files():
        paradigm = load_paradigm(name)
        assert not paradigm.given
        assert all(c.status is not None and c.critical is not None for c in paradigm.conditions)
