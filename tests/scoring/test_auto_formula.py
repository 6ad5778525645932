"""`--formula auto` goes by what was read up to what is measured: a factor that comes later is no column, and a later word no slot."""

from __future__ import annotations

import re
import zlib
from pathlib import Path

import pytest

from gapsmith.bank import Bank, ItemFilter, NewItem
from gapsmith.scoring import FrameWish
from gapsmith.scoring.analysis import AUTO, AnalysisOptions, analyze, fit_formula, sentence_frame
from gapsmith.templates import Alignment, RegionSpan, Sentence, Source, parse_paradigm
from tests.scoring.analysing import add_items, approve, filled_bank, score

LATE = """
name = "late"
title = "A factor behind what is measured"
items = "given"
final_punctuation = ""
[factors.wh]
levels = { that = "that", who = "who" }
[factors.late]
levels = { now = "now", then = "then" }
[[regions]]
name = "start"
[[regions]]
name = "adverb"
[[regions]]
name = "verb"
[[regions]]
name = "tail"
[critical]
that_now = "verb"
that_then = "verb"
who_now = "verb"
who_then = "verb"
[designs.all]
conditions = "all"
"""


def _bits(position: int, sentence: Sentence, region: str) -> float:
    """What a model that reads from left to right could say: before the verb all sentences are alike."""
    return 5 + position * 7 % 11 / 5 + sentence.text.startswith("who") * (position % 5) if region == "verb" else 1.0


def test_auto_has_no_factor_and_no_word_that_come_after_what_is_measured(tmp_path: Path) -> None:
    paradigm = parse_paradigm(LATE, path="late.toml")
    items = []
    for number in range(24):
        sentences = []
        for condition in paradigm.conditions:
            wh, late = condition.levels
            words = (f"{wh} N{number}", f"v{number % 8}s", f"{late} t{number % 6}")
            text, regions = "", []
            for region, word in zip(("start", "verb", "tail"), words, strict=True):
                text += " " if text else ""
                regions.append(RegionSpan(region, len(text), len(text) + len(word)))
                text += word
            sentences.append(Sentence(condition.name, text, tuple(regions), Source.IMPORTED, Alignment.GIVEN))
        items.append(NewItem(None, tuple(sentences), label=str(number)))
    with Bank.open(tmp_path / "bank.sqlite", create=True) as bank:
        add_items(bank, paradigm, items)
        score(bank, "late", _bits)
        frame = sentence_frame(bank, ItemFilter(paradigm="late"), FrameWish())
        every = sentence_frame(bank, ItemFilter(paradigm="late"), FrameWish(), rows="all")
        fit = fit_formula(AUTO, frame)
    assert frame.default == "surprisal ~ wh_code + (1 | item) + (wh_code || verb)"
    assert {"late", "late_code"}.isdisjoint(frame.columns)
    assert len(frame.columns["surprisal"]) == 48
    assert any("late makes no difference up to what is measured" in note for note in frame.notes)
    assert fit.undefined is None
    assert fit.n == 48
    # Who counts all rows has the factor, and what is proposed does not.
    assert len(every.columns["surprisal"]) == 96
    assert "late" in every.columns
    assert "late" not in str(every.default)


def test_items_that_lack_slots_have_a_fixed_column_in_the_proposed_model(tmp_path: Path) -> None:
    """Heads of half of the items are plural, and a slot of their own: effects are weighted equally, as in the test of a contrast."""
    with filled_bank(tmp_path / "bank.sqlite", "agreement_pp", 40, _bits_of_verbs) as bank:
        frame = sentence_frame(bank, ItemFilter(paradigm="agreement_pp"), FrameWish())
    assert str(frame.default).startswith("surprisal ~ form_code * with_head + (")
    assert set(frame.columns["with_head"]) == {1.0, -1.0}
    told = [own == "(not read)" for own in frame.columns["head"]]
    assert told == [own == -1 for own in frame.columns["with_head"]]
    assert any("effects are weighted equally for items with head" in note for note in frame.notes)


def _bits_of_verbs(position: int, sentence: Sentence, region: str) -> float:
    return 4 + position * 7 % 11 / 5 + len(sentence.text) % 3


@pytest.mark.full
def test_few_items_of_many_kinds_have_a_model_that_is_said_to_be_smaller(tmp_path: Path) -> None:
    """Sixteen items of a dozen kinds: kinds and slopes of every slot together would reproduce each value."""
    with filled_bank(tmp_path / "bank.sqlite", "embwhq", 16, _bits_of_items) as bank:
        frame = sentence_frame(bank, ItemFilter(paradigm="embwhq"), FrameWish())
    fit = fit_formula(AUTO, frame)
    assert fit.undefined is None
    assert fit.coefficient("gap_code").se > 0
    assert "kind_1" not in frame.columns
    assert any("where 5 are needed: the model does not tell the kinds apart" in note for note in frame.notes)
    gone = [step for step in fit.steps if step.why == "all terms together leave no residuals"]
    assert gone
    assert not any(step.kept for step in gone)
    assert fit.expanded is not None
    assert all(f"| {group})" in fit.expanded for group in ("item", "matrix", "verb"))


def _bits_of_items(position: int, sentence: Sentence, region: str) -> float:
    return 6 + zlib.crc32(f"{sentence.text} {region}".encode()) / 2**30


def test_fixed_words_that_some_items_lack_are_fixed_in_the_proposed_model(tmp_path: Path) -> None:
    """Two adverbs that a third of the items lack: with both coded as the test of a contrast has them, auto's effect is that test's."""
    text = re.sub(r"(?s)\[factors.late\].*?\n\[\[regions", "[[regions", LATE, count=1)
    text = re.sub(r"(?s)that_now = .*?\n\[designs", 'that = "verb"\nwho = "verb"\n[designs', text)
    paradigm = parse_paradigm(text + CONTRAST, path="late.toml")
    items = []
    for number in range(36):
        sentences = []
        for condition in paradigm.conditions:
            (wh,) = condition.levels
            words = [f"{wh} N{number}", *([f"a{number % 2}"] if number % 3 else []), f"v{number}s", "now"]
            at, regions, whole = 0, [], " ".join(words)
            for region, word in zip(("start", *(["adverb"] if number % 3 else []), "verb", "tail"), words, strict=True):
                regions.append(RegionSpan(region, at, at + len(word)))
                at += len(word) + 1
            sentences.append(Sentence(condition.name, whole, tuple(regions), Source.IMPORTED, Alignment.GIVEN))
        items.append(NewItem(None, tuple(sentences), label=str(number)))
    with Bank.open(tmp_path / "bank.sqlite", create=True) as bank:
        approve(bank, add_items(bank, paradigm, items))
        score(bank, "late", _bits)
        frame = sentence_frame(bank, ItemFilter(paradigm="late"), FrameWish())
        (result,) = analyze(bank, "late", options=AnalysisOptions(by_region=False)).contrasts
    assert str(frame.default).startswith("surprisal ~ wh_code * (adverb_1 + with_adverb) + ")
    rows = list(zip(frame.columns["adverb"], frame.columns["adverb_1"], frame.columns["with_adverb"], strict=True))
    assert set(rows) == {("a0", 1.0, 1.0), ("a1", -1.0, 1.0), ("(not read)", 0.0, -1.0)}
    assert any(note.startswith("adverb: 2 fixed words, sum coded, 0 for items that lack it") for note in frame.notes)
    assert result.words.these is not None
    fit = fit_formula(AUTO, frame)
    own = fit.coefficient("wh_code")
    # The code is higher for the first level, and the contrast for the second.
    assert -own.estimate == pytest.approx(result.words.these.estimate, rel=1e-6)
    assert own.p == pytest.approx(result.words.these.p, rel=1e-4)


CONTRAST = """
[[contrasts]]
name = "w"
design = "all"
formula = "who - that"
expected = "positive"
"""
