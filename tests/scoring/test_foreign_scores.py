"""Surprisals from elsewhere: the same values through a table are the same values in the bank."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import gapsmith
from gapsmith.app.cli.app import app
from gapsmith.bank import Bank, BankError, ItemFilter, NewItem
from gapsmith.bank.tokens import NATS_PER_BIT, Tokens
from gapsmith.scoring import FrameWish
from gapsmith.scoring.analysis import AnalysisOptions, analyze, compare, fit_formula, item_pairs, sentence_frame
from gapsmith.scoring.foreign_scores import ScoresReport, import_scores
from gapsmith.scoring.lm import open_engine
from gapsmith.scoring.observations import observe, producer_of
from gapsmith.scoring.report import long_frame, make_report, render_markdown
from gapsmith.scoring.score_run import score_selected, select_texts
from gapsmith.scoring.token_table import word_rows
from gapsmith.templates import RegionSpan, Sentence, Source, parse_paradigm
from gapsmith.templates.errors import ConfigError, FormatError, GapsmithError
from gapsmith.templates.model import Alignment
from tests.making import made_tokens, registered
from tests.scoring.analysing import SCORER, add_items, approve, filled_bank


@pytest.fixture(scope="module")
def scored_file(tmp_path_factory: pytest.TempPathFactory, tiny_gpt2: Path) -> Path:
    path = tmp_path_factory.mktemp("scored") / "bank.sqlite"
    with filled_bank(path, "subject_pg", 3) as bank:
        score_selected(bank, open_engine(str(tiny_gpt2)), select_texts(bank, ItemFilter()))
    return path


@pytest.fixture
def scored(scored_file: Path, tmp_path: Path) -> Iterator[Bank]:
    with Bank.open(Path(shutil.copy(scored_file, tmp_path / "bank.sqlite"))) as bank:
        yield bank


def texts_of(bank: Bank) -> list[str]:
    return list(dict.fromkeys(s.text for item in bank.items.iterate(ItemFilter()) for s in item.sentences))


def scores_of(bank: Bank, scorer: int) -> dict[str, Tokens]:
    return dict(bank.scores.get(scorer, texts_of(bank)))


def written(path: Path, header: Sequence[str], rows: Sequence[Sequence[Any]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([header, *rows])
    return path


def taken_in(bank: Bank, path: Path, unit: str | None = None, **others: Any) -> ScoresReport:
    given = {"our_ids": True, **others}
    return import_scores(bank, path, name="elsewhere", unit=unit, selection=ItemFilter(), **given)


def test_tokens_come_in_as_they_went_out(scored: Bank, tmp_path: Path, tiny_gpt2: Path) -> None:
    engine = open_engine(str(tiny_gpt2))
    rows = [
        (text, piece, repr(float(value)))
        for text, tokens in scores_of(scored, 1).items()
        for piece, value in zip(engine.pieces(tokens.ids or ()), tokens.bits, strict=True)
    ]
    report = taken_in(scored, written(tmp_path / "t.csv", ["sentence", "token", "surprisal_bits"], rows))
    ours, theirs = scores_of(scored, 1), scores_of(scored, report.scorer_id)
    assert report.n_texts == len(ours) > 10
    assert report.without == report.strangers == ()
    for text, tokens in ours.items():
        np.testing.assert_allclose(theirs[text].bits, tokens.bits, rtol=1e-12)


def test_natural_log_probabilities_by_characters_behind_bos(scored: Bank, tmp_path: Path) -> None:
    rows = [
        (text, start, end, repr(-float(value) * NATS_PER_BIT) if number else "NA")
        for text, tokens in scores_of(scored, 1).items()
        for number, ((start, end), value) in enumerate(zip(tokens.spans.tolist(), tokens.bits, strict=True))
    ]
    path = written(tmp_path / "t.tsv", ["Sentence", "Start", "End", "logprob"], rows)
    report = taken_in(scored, path, "nats", log_probabilities=True)
    for text, tokens in scores_of(scored, report.scorer_id).items():
        assert np.isnan(tokens.bits[0])
        np.testing.assert_allclose(tokens.bits[1:], scores_of(scored, 1)[text].bits[1:], rtol=1e-9)


def test_regions_leave_the_rest_without_a_value(scored: Bank, tmp_path: Path) -> None:
    rows = [
        (item.label, s.condition, span.name, 3.5)
        for item in scored.items.iterate(ItemFilter())
        for s in item.sentences
        for span in s.regions or ()
        if span.name in {"adverb", "gap2"}
    ]
    path = written(tmp_path / "r.csv", ["item", "condition", "region", "surprisal"], rows)
    report = taken_in(scored, path, "bits")
    assert report.without == ()
    for text, tokens in scores_of(scored, report.scorer_id).items():
        have = ~np.isnan(tokens.bits)
        assert 1 <= have.sum() < len(have)
        assert set(tokens.bits[have]) == {3.5}
        assert "".join(tokens.piece(n) for n in range(len(have))).replace(" ", "") == text.replace(" ", "")


def test_what_is_over_tokens_is_undefined_where_regions_came_in_as_one(scored: Bank, tmp_path: Path) -> None:
    items = list(scored.items.iterate(ItemFilter()))
    rows = [
        (item.label, s.condition, span.name, 6 if " " in s.text[span.start : span.end] else 2)
        for item in items
        for s in item.sentences
        for span in s.regions or ()
    ]
    path = written(tmp_path / "r.csv", ["item", "condition", "region", "surprisal"], rows)
    scorer = taken_in(scored, path, "bits").scorer_id
    assert taken_in(scored, path, "bits").scorer_id == scorer
    measures = ("sum", "logprob", "mean_word", "mean_char", "mean", "max", "median", "perplexity")
    table = gapsmith.frame(scored, everything=True, model="elsewhere", measure=measures, whole=True)
    assert table.n_tokens.isna().all()
    (filled,) = {s.text[r.start : r.end] for s in items[0].sentences[:1] for r in s.regions or () if r.name == "adverb"}
    one = table[(table.item == items[0].label) & (table.condition == items[0].sentences[0].condition)]
    found = one[one.region == "adverb"].set_index("measure")
    total = 6.0 if " " in filled else 2.0
    assert found.value.dropna().to_dict() == pytest.approx(
        {"sum": total, "logprob": -total, "mean_word": total / len(filled.split()), "mean_char": total / len(filled)}
    )
    assert found.reason["perplexity"] == "perplexity needs the tokens, and these scores are of whole regions"
    assert one[one.region == "*"].set_index("measure").value.notna().sum() == 4
    (contrast, *_) = analyze(
        scored, "subject_pg", scorer_id=scorer, options=AnalysisOptions(all_items=True, measure="mean")
    ).contrasts
    assert not contrast.values
    assert "of whole regions" in contrast.undefined[0].reason
    # A region of one word is that word's; one of several is nobody's.
    words = list(word_rows(scored, ItemFilter(), scorer, {items[0].sentences[0].condition}))
    assert {row["surprisal"] for row in words} == {2.0, 4.0, None}, "a word and the mark after it are two regions"
    assert all(row["n_tokens"] is None for row in words)


def test_the_same_file_twice_is_the_same_scorer(scored: Bank, tmp_path: Path) -> None:
    text = texts_of(scored)[0]
    path = written(tmp_path / "t.csv", ["sentence", "token", "surprisal"], [(text, word, 2) for word in text.split()])
    first, second = taken_in(scored, path, "bits"), taken_in(scored, path, "bits")
    assert (first.scorer_id, first.n_known) == (second.scorer_id, 0)
    assert second.n_known == second.n_texts == 1
    assert len(second.without) == len(texts_of(scored)) - 1
    assert taken_in(scored, path, "nats").scorer_id != first.scorer_id


def test_special_tokens_and_a_first_zero_are_no_values(scored: Bank, tmp_path: Path) -> None:
    text = texts_of(scored)[0]
    words = text.split()
    rows = [(text, "<|endoftext|>", 9), (text, words[0], "0.0"), *((text, f"Ġ{word}", 2) for word in words[1:])]
    report = taken_in(scored, written(tmp_path / "t.csv", ["sentence", "token", "surprisal"], rows), "bits")
    assert len(report.notes) == 2
    [bits] = [tokens.bits for tokens in scores_of(scored, report.scorer_id).values()]
    assert np.isnan(bits[0])
    assert set(bits[1:]) == {2.0}


@pytest.mark.parametrize(
    ("header", "rows", "unit", "says"),
    [
        (["sentence", "token", "surprisal"], [["{t}", "{w}", 1]], None, "unit of 'surprisal' is not said"),
        (["sentence", "token", "surprisal_nats"], [["{t}", "{w}", 1]], "bits", "says nats, but --unit says bits"),
        (["sentence", "token", "surprisal"], [["{t}", "nowhere", 1]], "bits", "line 2: the token 'nowhere' does not go on"),
        (["sentence", "token", "surprisal"], [["{t}", "{w}", 1]], "bits", "the tokens end before"),
        (["sentence", "token", "surprisal"], [["{t}", "{w}", "one"]], "bits", "line 2: 'one' is no number"),
        (["sentence", "token", "surprisal"], [["{t}", "{w}", "inf"]], "bits", "'inf' is no number"),
        (["sentence", "token", "surprisal"], [["{t}", "{w}", -1]], "bits", "no value of the column 'surprisal' is above 0"),
        (["sentence", "token", "surprisal"], [["{t}", "{w}", 1], ["{t}", "x", -1]], "bits", "not go on"),
        (["sentence", "start", "end", "surprisal"], [["{t}", 0, 3, 1], ["{t}", 3, 5, -0.001]], "bits", "is not below 0"),
        (["sentence", "token", "logprob"], [["{t}", "{w}", 1]], "bits", "a log probability is not above 0"),
        (["sentence", "start", "end", "surprisal"], [["{t}", 4, 2, 1]], "bits", "characters 4 to 2"),
        (["sentence", "start", "end", "surprisal"], [["{t}", 0, 3, 1], ["{t}", 2, 5, 1]], "bits", "do not follow"),
        (["sentence", "surprisal"], [["{t}", 1]], "bits", "where in the sentence"),
        (["token", "surprisal"], [["{w}", 1]], "bits", "of which sentence"),
        (["sentence", "token"], [["{t}", "{w}"]], "bits", "no column holds surprisals"),
        (["item", "condition", "region", "surprisal"], [["{i}", "pf_pg1_pg2", "nosuch", 1]], "bits", "has no region 'nosuch'"),
        (["item", "condition", "region", "surprisal"], [["{i}", "pf_pg1_pg2", "adverb", 1]] * 2, "bits", "is there twice"),
        (["sentence", "token", "surprisal"], [["Another sentence.", "Another", 1]], "bits", "none of its 1 sentences"),
        (["sentence", "start", "end", "surprisal"], [["{t}", 0, 3, 1], ["x", 0, 1, 1], ["{t}", 0, 3, 2]], "bits", "twice with"),
    ],
)
def test_what_cannot_be_read_is_named_and_nothing_is_kept(
    scored: Bank, tmp_path: Path, header: list[str], rows: list[list[Any]], unit: str | None, says: str
) -> None:
    item = next(iter(scored.items.iterate(ItemFilter())))
    text = item.sentences[0].text
    here = {"{t}": text, "{w}": text.split()[0], "{i}": item.label}
    path = written(tmp_path / "t.csv", header, [[here.get(cell, cell) for cell in row] for row in rows])
    with pytest.raises((FormatError, ConfigError)) as raised:
        taken_in(scored, path, unit)
    assert says in raised.value.message
    assert len(scored.scores.scorers()) == 1


def test_a_column_of_negative_values_is_asked_for_its_sign(scored: Bank, tmp_path: Path, gapsmith: Any) -> None:
    (tmp_path / "gapsmith.toml").write_text("", encoding="utf-8")
    text = texts_of(scored)[0]
    rows = [(text, word, -2.5) for word in text.split()]
    path = written(tmp_path / "t.csv", ["sentence", "token", "surprisal"], rows)
    asked = gapsmith("import-scores", path, "--model", "them", "--unit", "bits")
    assert (asked.code, "down to -2.5" in asked.err, "--log-prob" in asked.err) == (2, True, True)
    assert len(scored.scores.scorers()) == 1
    refused = gapsmith("import-scores", path, "--model", "them", "--unit", "bits", "--surprisal")
    assert (refused.code, "a surprisal is not below 0" in refused.err) == (2, True)
    taken = gapsmith("import-scores", path, "--model", "them", "--unit", "bits", "--log-prob")
    assert taken.code == 0
    assert set(scores_of(scored, 2)[text].bits) == {2.5}


def test_a_heading_that_says_log_probability_is_believed(scored: Bank, tmp_path: Path) -> None:
    text = texts_of(scored)[0]
    rows = [(text, word, -1.5) for word in text.split()]
    report = taken_in(scored, written(tmp_path / "t.csv", ["sentence", "token", "logprob"], rows), "bits")
    assert set(scores_of(scored, report.scorer_id)[text].bits) == {1.5}


def test_no_engine_leaves_a_surprisal_below_0(scored: Bank) -> None:
    text = texts_of(scored)[0]
    scorer = scored.scores.register("broken", "1", {"model": "broken"})
    a_little = made_tokens(text, [(0, len(text), -0.00005)])
    with pytest.raises(BankError, match=r"broken gives .* a surprisal of -0\.0002 bits, and none is below 0"):
        scored.scores.add(scorer, [made_tokens(text, [(0, len(text), -0.0002)])])
    assert scored.scores.count(scorer) == 0
    scored.scores.add(scorer, [a_little])
    assert scored.scores.count(scorer) == 1


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "a\x1b[31m"])
def test_a_name_that_names_nothing_is_refused(scored: Bank, tmp_path: Path, name: str) -> None:
    path = written(tmp_path / "t.csv", ["sentence", "token", "surprisal"], [("a", "a", 1)])
    with pytest.raises(ConfigError, match=r"needs a name|cannot be called"):
        import_scores(scored, path, name=name, unit="bits", selection=ItemFilter())


def test_the_name_of_a_model_that_scored_here_is_taken(scored: Bank, tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", ["sentence", "token", "surprisal"], [("a", "a", 1)])
    with pytest.raises(ConfigError, match="could not be told apart"):
        import_scores(scored, path, name=scored.scores.scorer(1).model, unit="bits", selection=ItemFilter())


@settings(max_examples=40, deadline=None)
@given(
    words=st.lists(
        st.text(st.characters(codec="utf-8", exclude_categories=["Z", "C"]), min_size=1, max_size=6),
        min_size=1,
        max_size=8,
    )
)
def test_byte_level_pieces_find_their_place(words: list[str]) -> None:
    """Whatever the words are, their byte-level form stands for them."""
    from gapsmith.scoring.foreign_scores import _BYTES, _forms

    characters = {byte: character for character, byte in _BYTES.items()}
    for word in words:
        piece = "".join(characters[byte] for byte in f" {word}".encode())
        assert word.strip() in list(_forms(piece))


def test_the_command_and_the_analysis_of_what_it_took_in(tmp_path: Path, scored_file: Path) -> None:
    root = tmp_path / "ws"
    run = CliRunner()
    assert run.invoke(app, ["init", str(root)]).exit_code == 0
    shutil.copy(scored_file, root / "bank.sqlite")

    def exported(*what: str) -> list[dict[str, str]]:
        done = run.invoke(app, ["export", *what, "-w", str(root)])
        assert done.exit_code == 0, done.output
        return list(csv.DictReader(io.StringIO(done.stdout)))

    # What went out by token and by region comes in under another name, and every contrast is what it was, item by item.
    tokens = [(row["item"], row["condition"], row["token"], row["surprisal"]) for row in exported("tokens")]
    regions = [(row["item"], row["condition"], row["region"], row["value"]) for row in exported("long") if row["value"]]
    before = {(row["contrast"], row["item"]): float(row["value"]) for row in exported("items")}
    for model, level, rows in (("gpt2", "token", tokens), ("gpt2-regions", "region", regions)):
        path = written(tmp_path / f"{model}.csv", ["item", "condition", level, "surprisal_bits"], rows)
        done = run.invoke(app, ["import-scores", str(path), "--model", model, "-w", str(root), "--our-ids", "--json"])
        assert done.exit_code == 0, done.output
        after = {(row["contrast"], row["item"]): float(row["value"]) for row in exported("items", "--model", model)}
        assert after == pytest.approx(before, abs=1e-4)
    analysed = run.invoke(app, ["analyze", "--model", "gpt2", "-w", str(root)])
    assert analysed.exit_code == 0, analysed.output
    nobody = run.invoke(app, ["analyze", "--model", "nobody", "-w", str(root)])
    assert isinstance(nobody.exception, GapsmithError)


READ = """
name = "read"
title = "Read"
items = "given"
final_punctuation = ""
[conditions]
a = "A"
b = "B"
[status]
a = "ok"
b = "*"
[[regions]]
name = "start"
[[regions]]
name = "verb"
[[regions]]
name = "end"
[critical]
a = "verb"
b = "verb"
[[contrasts]]
name = "d"
formula = "a - b"
expected = "positive"
design = "all"
[[criteria]]
name = "k"
formula = "a > b"
design = "all"
[designs.all]
conditions = "all"
"""


def test_values_of_people_that_differ_are_no_one_observation_and_equal_ones_of_a_reading_are(tmp_path: Path) -> None:
    paradigm = parse_paradigm(READ)
    values = {"a": [5, 4, 5, 4, 3, 5], "b": [1, 2, 3, 2, 1, 1]}
    ends = ["today.", "now.", "here.", "there.", "again.", "well."]

    def sentence(condition: str, end: str) -> Sentence:
        begin = "I know who" if condition == "a" else "I know that"
        text = f"{begin} sang {end}"
        n = len(begin)
        spans = (RegionSpan("start", 0, n), RegionSpan("verb", n + 1, n + 5), RegionSpan("end", n + 6, len(text)))
        return Sentence(condition, text, spans, Source.IMPORTED, Alignment.GIVEN)

    with Bank.open(tmp_path / "bank.sqlite", create=True) as bank:
        items = [NewItem(None, tuple(sentence(c, end) for c in values), label=str(n)) for n, end in enumerate(ends, 1)]
        approve(bank, add_items(bank, paradigm, items))
        for name, of in (("people", values), ("tool", {"a": [5] * 6, "b": [1] * 6})):
            rows = [(n, c, "verb", of[c][n - 1]) for n in range(1, 7) for c in of]
            path = written(tmp_path / f"{name}.csv", ["item", "condition", "region", "surprisal_bits"], rows)
            import_scores(bank, path, name=name, unit=None, selection=ItemFilter(), our_ids=True)
        chosen = ItemFilter(paradigm="read")
        for name, n in (("people", 6), ("tool", 1)):
            found = analyze(bank, "read", model=name)
            assert [own.result.n for own in found.conditions] == [n, n]
            assert (found.contrasts[0].n_distinct, found.criteria[0].share.n) == (n, n)
            table = long_frame(bank, chosen, FrameWish(model=name, critical_only=True)).table.as_pandas()
            once = table.drop_duplicates(["condition", "observation"])
            assert len(once) == 2 * n
            frame = sentence_frame(bank, chosen, FrameWish(model=name))
            assert sorted(frame.columns["value"]) == sorted(once.value)
        assert sorted(once.value) == [1, 5]
        # What nobody said of how they were made has no row.
        page = render_markdown(make_report([found], made_on=date(2026, 1, 1)))
        assert [row for row in ("number format", "beginning", "over the tokens") if row in page] == []
        assert "| unit | bits |" in re.sub(" +", " ", page)
        # The tool has read one beginning, and the people are six observations, which are held against it.
        both = compare(bank, "read", models=("people", "tool"))
        assert {(own.contrast, own.n, own.n_undefined) for own in both.differences} == {("d", 6, 0), ("k", 6, 0)}
        fit = fit_formula("surprisal ~ condition + (1|item)", sentence_frame(bank, chosen, FrameWish(model="people")))
        assert fit.n == 12


def read_item(number: int, end: str, *, dataset: str = "one") -> NewItem:
    """An item of READ, of which only the end is its own."""
    sentences = []
    for condition, begin in (("a", "I know who"), ("b", "I know that")):
        text, n = f"{begin} sang {end}", len(begin)
        spans = (RegionSpan("start", 0, n), RegionSpan("verb", n + 1, n + 5), RegionSpan("end", n + 6, len(text)))
        sentences.append(Sentence(condition, text, spans, Source.IMPORTED, Alignment.GIVEN))
    return NewItem(None, tuple(sentences), label=str(number), dataset=dataset)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ([5, 4, 6, 7], [4, 3, 5, 6]),  # the contrast is 1 throughout
        ([5, 4, 5, 4], [1, 1, 1, 1]),  # values tie
        ([400.0, 400.3, 400.1, 400.2], [380.0, 380.3, 380.1, 380.2]),  # reading times, close together
    ],
)
def test_a_table_that_tells_sentences_apart_does_so_in_everything_that_is_counted(
    tmp_path: Path, a: list[float], b: list[float]
) -> None:
    ends = ["today.", "now.", "here.", "there."]
    with Bank.open(tmp_path / "bank.sqlite", create=True) as bank:
        approve(bank, add_items(bank, parse_paradigm(READ), [read_item(n, end) for n, end in enumerate(ends)]))
        rows = [(n, c, "verb", of[n]) for n in range(4) for c, of in (("a", a), ("b", b))]
        path = written(tmp_path / "people.csv", ["item", "condition", "region", "surprisal_bits"], rows)
        import_scores(bank, path, name="people", unit=None, selection=ItemFilter(), our_ids=True)
        found = analyze(bank, "read", options=AnalysisOptions(by_word=True))
        assert [own.result.n for own in found.conditions] == [4, 4]
        assert (found.contrasts[0].n_distinct, found.criteria[0].share.n) == (4, 4)
        assert [own.n for own in found.words] == [4, 4]
        assert len(sentence_frame(bank, ItemFilter(paradigm="read"), FrameWish()).columns["value"]) == 8


def test_items_of_two_sets_are_one_by_their_sentences_whether_or_not_the_values_of_a_set_tie(tmp_path: Path) -> None:
    ends = ["today.", "now.", "here.", "there."]
    with Bank.open(tmp_path / "bank.sqlite", create=True) as bank:
        items = [read_item(n, end, dataset="one") for n, end in enumerate(ends)]
        items += [read_item(n, end, dataset="two") for n, end in enumerate(ends[:2])]
        approve(bank, add_items(bank, parse_paradigm(READ), items))
        rows = [(n, c, "verb", of[n]) for n in range(4) for c, of in (("a", [5, 5, 5, 4]), ("b", [1, 1, 1, 9]))]
        path = written(tmp_path / "people.csv", ["item", "condition", "region", "surprisal_bits"], rows)
        import_scores(bank, path, name="people", unit=None, selection=ItemFilter(dataset="one"), our_ids=True)
        found = compare(bank, "read", datasets=("one", "two"))
    left_out = [(own.contrast, own.n) for own in found.differences if "left out" in own.dataset]
    assert left_out == [("d", 4), ("k", 4)]
    pairs = [pair for pair in item_pairs(found) if pair.contrast == "d"]
    assert [pair.keys[1] is not None for pair in pairs] == [True, True, False, False]


@pytest.mark.parametrize("with_ids", [True, False])
def test_an_item_of_two_sets_is_the_same_one_where_one_set_alone_does_not_show_that_an_engine_reads_on(
    tmp_path: Path, with_ids: bool
) -> None:
    ends = ("today.", "now.")
    items = [read_item(n, end, dataset="one") for n, end in enumerate(ends)] + [read_item(1, ends[1], dataset="two")]
    tokens = []
    for item, verbs in zip(items, ((5.0, 1.0), (1.0, 5.0)), strict=False):
        for sentence, bits in zip(item.sentences, verbs, strict=True):
            cut = sentence.text.index(" sang")
            made = made_tokens(sentence.text, [(0, cut, 1.0), (cut + 1, cut + 5, bits), (cut + 6, len(sentence.text), 2.0)])
            tokens.append(made if with_ids else replace(made, ids=None))
    with Bank.open(tmp_path / "bank.sqlite", create=True) as bank:
        approve(bank, add_items(bank, parse_paradigm(READ), items))
        bank.scores.add(registered(bank, SCORER), tokens)
        found = compare(bank, "read", datasets=("one", "two"))
    met = {
        (own.contrast, first.label): second and second.label for own in item_pairs(found) for first, second in [own.keys] if first
    }
    assert met == {("d", "0"): None, ("d", "1"): "1", ("k", "0"): None, ("k", "1"): "1"}
    assert {(own.contrast, own.n) for own in found.differences if "left out" in own.dataset} == {("d", 2), ("k", 2)}


def _read_on(*, with_ids: bool) -> tuple[list[NewItem], list[Tokens]]:
    """Three sentences with one beginning in each of two conditions. The verb has another value in the last one, and in the second
    one a value that is a rounding away from the first."""
    ends, verbs = ("today.", "now.", "here."), {"a": (5.0, 5.00001, 7.0), "b": (1.0, 1.00001, 2.0)}
    items, tokens = [], []
    for number, end in enumerate(ends):
        sentences = []
        for condition, bits in verbs.items():
            begin = "I know who" if condition == "a" else "I know that"
            text, cut = f"{begin} sang {end}", len(begin)
            places = [(0, cut), (cut + 1, cut + 5), (cut + 6, len(text))]
            regions = tuple(RegionSpan(name, *at) for name, at in zip(("start", "verb", "end"), places, strict=True))
            sentences.append(Sentence(condition, text, regions, Source.IMPORTED, Alignment.GIVEN))
            made = made_tokens(text, [(*at, own) for at, own in zip(places, (1.0, bits[number], 2.0), strict=True)])
            tokens.append(made if with_ids else replace(made, ids=None))
        items.append(NewItem(None, tuple(sentences), label=str(number)))
    return items, tokens


@pytest.mark.parametrize("with_ids", [True, False])
def test_the_frame_tells_an_engines_values_apart_as_analyses_do(tmp_path: Path, with_ids: bool) -> None:
    """Three sentences with one beginning, of which an engine that reads on gives the verb another value in the last one; in the
    second one it is a rounding away from the first. It reads on, so each sentence is an observation, wherever it is measured."""
    paradigm, (items, tokens) = parse_paradigm(READ), _read_on(with_ids=with_ids)
    with Bank.open(tmp_path / "bank.sqlite", create=True) as bank:
        approve(bank, add_items(bank, paradigm, items))
        bank.scores.add(registered(bank, SCORER), tokens)
        found = analyze(bank, "read")
        assert ([own.result.n for own in found.conditions], found.contrasts[0].n_distinct) == ([3, 3], 3)
        table = long_frame(bank, ItemFilter(paradigm="read"), FrameWish()).table.as_pandas()
        counted = table.drop_duplicates(["condition", "region", "observation"]).groupby(["condition", "region"]).size()
        assert set(counted) == {3}


def test_what_reads_on_does_so_for_any_part_of_its_items(tmp_path: Path) -> None:
    """The item that shows it may be among those that are observed, or not."""
    paradigm, (items, tokens) = parse_paradigm(READ), _read_on(with_ids=False)
    with Bank.open(tmp_path / "bank.sqlite", create=True) as bank:
        add_items(bank, paradigm, items[:2])
        scorer = bank.scores.scorer(registered(bank, SCORER))
        bank.scores.add(scorer.id, tokens)
        assert not observe(bank, list(bank.items.iterate()), paradigm, scorer).producer.by_whole_text
        add_items(bank, paradigm, items[2:], identity="two")
        stored = list(bank.items.iterate())
        for some in (stored, stored[:2], stored[2:], stored[::-1], []):
            assert observe(bank, some, paradigm, scorer).producer.by_whole_text
        assert producer_of(bank, scorer, paradigm.name).by_whole_text


def test_a_table_whose_conditions_are_several_columns_goes_by_those_of_the_items_file(tmp_path: Path, gapsmith: Any) -> None:
    rows = [
        (n, one, other, k, word, k + 0.5)
        for n, noun in enumerate(("dog", "fox", "cat"), 1)
        for one in ("that", "zero")
        for other in ("short", "long")
        for k, word in enumerate(["The", noun, one, other, "barks."], 1)
    ]
    table = written(tmp_path / "t.csv", ["item", "comp", "length", "pos", "word", "surprisal_bits"], rows)
    gapsmith("init", ".")
    refused = gapsmith("import", str(table))
    assert "import-scores" in refused.out + refused.err
    said = ("--item-column", "item", "--condition-column", "comp", "--condition-column", "length", "--sentence-column", "word")
    assert gapsmith("import", str(table), *said, "--region", "pos").code == 0
    done = gapsmith("import-scores", str(table), "--model", "elsewhere")
    assert "values for 12 distinct sentences" in done.out + done.err


def test_a_suite_with_values_says_by_its_sentences_whose_they_are(tmp_path: Path, gapsmith: Any) -> None:
    def suite(value: float) -> str:
        regions = [("The dog", 1.5), ("barks", 2.5), (".", 0.5)]
        made: list[dict[str, Any]] = [
            {"region_number": k, "content": c, "metric_value": {"sum": v * value}} for k, (c, v) in enumerate(regions, 1)
        ]
        other = [{**region, "content": region["content"].replace("barks", "bark")} for region in made]
        conditions = [{"condition_name": "sg", "regions": made}, {"condition_name": "pl", "regions": other}]
        meta = {"name": "own", "metric": "sum"}
        names = {"1": "subject", "2": "verb", "3": "end"}
        return json.dumps(
            {"meta": meta, "region_meta": names, "predictions": [], "items": [{"item_number": 1, "conditions": conditions}]}
        )

    (tmp_path / "a.json").write_text(suite(1.0), encoding="utf-8")
    gapsmith("init", ".")
    assert gapsmith("import", str(tmp_path / "a.json")).code != 0
    assert gapsmith("import", str(tmp_path / "a.json"), "--format", "suite").code == 0
    done = gapsmith("import-scores", str(tmp_path / "a.json"), "--model", "elsewhere", "--unit", "bits")
    assert "values for 2 distinct sentences" in done.out + done.err
    # Where all values are 0, none was computed yet.
    (tmp_path / "b.json").write_text(suite(0.0), encoding="utf-8")
    assert gapsmith("import", str(tmp_path / "b.json")).code == 0
