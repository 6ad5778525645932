"""The pipeline as functions, the long frame as pandas and as files, and where SLOR's unigrams come from."""

from __future__ import annotations

import gzip
import math
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest

import gapsmith as api
from gapsmith.app.workspace import Workspace
from gapsmith.bank import NewItem, Verdict
from gapsmith.scoring import FrameWish, UnigramTables
from gapsmith.scoring.analysis import sentence_frame
from gapsmith.scoring.lm import bundled_directory, find_source, load_tokenizer, token_counter
from gapsmith.scoring.unigrams import count_lines, count_words
from gapsmith.templates import RegionSpan, Sentence, Source, Unigrams, load_paradigm, parse_paradigm, realise
from gapsmith.templates.errors import ConfigError, GapsmithError
from gapsmith.templates.model import Alignment
from tests.making import made_scorer, registered
from tests.scoring.analysing import SCORER, add_items, approve, control_version, fill_control, score


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """A study made with the functions alone: 4 items, vetted and scored."""
    with api.open_workspace(str(tmp_path_factory.mktemp("home") / "study"), create=True) as made:
        assert api.generate(made, "embedded_wh", n=4, seed=1).tally.kept == 4
        assert api.lint(made).n_items == 4
        assert api.decide(made, policy="clean").approved == 4
        assert api.score(made, "bundled").n_scored == 16
        yield made


def test_the_functions_take_a_design_to_numbers(study: Workspace) -> None:
    analysis = api.analyze(study, "embedded_wh")
    table = api.frame(study)
    critical = table[table.critical]
    assert len(critical) == 4 * 4
    values = critical.pivot_table(index="item", columns="condition", values="value")
    w1 = values["pf_pg"] - values["mf_pg"]
    result = analysis["W1"]
    assert result.estimate == pytest.approx(float(w1.mean()))
    assert (result.n, len(result.ci)) == (4, 2)
    (row,) = analysis.to_frame().query("contrast == 'W1'").to_dict("records")
    assert (row["estimate"], row["p"], row["n"]) == (result.estimate, result.p, 4)
    assert "<td>W1</td>" in analysis._repr_html_()
    with pytest.raises(ConfigError, match="there is no contrast 'W9'"):
        analysis["W9"]
    for wrong in (3, {"verb=x"}):
        with pytest.raises(api.GapsmithError, match=r"where|No item"):
            api.analyze(study, "embedded_wh", where=wrong)  # type: ignore[arg-type]  # as callers without a type checker do
    side_by_side = api.analyze(study, "embedded_wh", by="verb")
    assert set(side_by_side.to_frame().columns) >= {"run", "contrast", "estimate", "p"}
    for other in (
        side_by_side,
        api.analyze(study, "embedded_wh", sensitivity=True),
        api.analyze(study, "embedded_wh", formula="auto"),
    ):
        assert other._repr_html_().startswith("<pre>")
        assert "W1" in other._repr_html_() or other.fits
        assert len(other.to_frame()) > 0 or other.fits
    assert {key.label: bits for key, bits in result.values.items()} == pytest.approx(w1.to_dict())


def test_the_functions_bring_items_in_and_everything_out(study: Workspace, tmp_path: Path) -> None:
    out = tmp_path / "items.csv"
    done = api.export(study, out)
    assert (done.format, done.rows) == ("csv", 16)
    with pytest.raises(ConfigError, match="there is no format 'nonsense'"):
        api.export(study, out, "nonsense")
    made = api.report(study, tmp_path / "report")
    assert made.headline in made.files.markdown.read_text(encoding="utf-8")
    assert made.files.html == tmp_path / "report" / "report.html"
    (tmp_path / "occupied").write_text("", encoding="utf-8")
    with pytest.raises(ConfigError, match="cannot be written there"):
        api.report(study, tmp_path / "occupied")
    with api.open_workspace(tmp_path / "theirs", create=True) as theirs:
        with pytest.raises(ConfigError, match="no items yet"):
            api.export(theirs, tmp_path / "nothing.csv")
        came = api.import_file(theirs, out)
        assert (came.paradigm.name, came.dataset, came.imported.items, came.unread) == ("embedded_wh", "items", 4, ())
        assert api.import_file(theirs, str(out)).imported.already_there
        api.export(theirs, tmp_path / "again.csv", everything=True)
        other = tmp_path / "other.csv"
        other.write_text("item,kind,sentence\n1,x,He left.\n1,y,He leave.\n", encoding="utf-8")
        with pytest.raises(GapsmithError):
            api.import_file(theirs, other, paradigm="embedded_wh")
        with (
            pytest.warns(UserWarning, match="nothing is tested yet"),
            pytest.warns(UserWarning, match="say what a native speaker says"),
        ):
            fresh = api.import_file(theirs, other, dataset="mine", condition_column="kind")
        assert (theirs.root / "paradigms" / f"{fresh.paradigm.name}.toml").is_file()
        assert any("is drafted" in line for line in fresh.notes)
    assert (tmp_path / "again.csv").read_bytes() == out.read_bytes()


def test_the_program_runs_as_a_module_and_the_package_imports_nothing_heavy() -> None:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    said = subprocess.run([sys.executable, "-m", "gapsmith", "--version"], capture_output=True, text=True, env=env, check=True)
    assert said.stdout.startswith("gapsmith ")
    heavy = "import gapsmith, sys; print([n for n in ('pandas', 'scipy', 'torch', 'numpy') if n in sys.modules])"
    found = subprocess.run([sys.executable, "-c", heavy], capture_output=True, text=True, env=env, check=True)
    assert found.stdout.strip() == "[]"
    assert all(getattr(api, name).__doc__ for name in dir(api))


def test_measures_wholes_and_the_file_are_the_same_frame(study: Workspace, tmp_path: Path, gapsmith: Callable[..., Any]) -> None:
    table = api.frame(study, measure=("sum", "mean"), whole=True)
    sums, means = (table[table.measure == name].reset_index(drop=True) for name in ("sum", "mean"))
    assert len(sums) == len(means)
    has = sums.value.notna()
    assert np.allclose((means.value * means.n_tokens)[has], sums.value[has])
    whole = sums[sums.region == "*"].set_index(["item", "condition"]).value
    parts = sums[sums.region != "*"].groupby(["item", "condition"]).value.sum()
    assert np.allclose(whole.sort_index(), parts.sort_index())
    empty = sums[(sums.region == "gap") & (sums.condition == "pf_pg")]
    assert empty.value.isna().all()
    assert set(empty.reason) == {"the region is empty"}
    assert empty.observation.isna().all()
    where = ("--measure", "sum", "--measure", "mean", "--whole", "-w", study.root)
    for name, read in (("t.csv", pandas.read_csv), ("t.parquet", pandas.read_parquet)):
        done = gapsmith("export", "long", *where, "-o", tmp_path / name)
        assert done.code == 0, done.err
        again = read(tmp_path / name)
        assert list(again.columns) == list(table.columns)
        assert np.allclose(again.value.to_numpy(), table.value.to_numpy(), equal_nan=True)
    refused = gapsmith("export", "long", "-w", study.root, "-o", tmp_path / "t.xlsx")
    assert (refused.code, ".parquet" in refused.err) == (2, True)


def test_an_observation_is_the_text_up_to_the_end_of_what_is_measured(tmp_path: Path) -> None:
    with api.open_workspace(tmp_path / "w", create=True) as made:
        paradigm = control_version()
        fill_control(made.bank, paradigm, "one", 0, n=1)
        (item,) = made.bank.items.iterate(api.ItemFilter())
        # The same item once more, with other words after all that is measured.
        slots = {**dict(item.slots or {}), "time": "in the old harbour"}
        approve(made.bank, add_items(made.bank, paradigm, [NewItem(slots, realise(paradigm, slots))], identity="two"))
        score(made.bank, paradigm.name, lambda *_: 2.0)
        score(made.bank, paradigm.name, lambda *_: 2.0, scorer=made_scorer(SCORER, model="other"))
        table = api.frame(made)
    filled = table[(table.region == "gap") & (table.condition == "pf_mg")]
    assert len(filled) == 4
    # One text up to the end of the region, under two models.
    assert filled.observation.nunique() == 2
    assert filled.groupby("model").observation.nunique().tolist() == [1, 1]
    after = table[(table.region == "time") & (table.condition == "pf_mg")]
    assert after.observation.nunique() == 4


def test_forms_with_other_factors_are_no_one_frame(tmp_path: Path) -> None:
    with api.open_workspace(tmp_path / "w", create=True) as made:
        fill_control(made.bank, control_version(), "one", 0, n=1)
        other = control_version(('"mf', '"nf'), ("mf_", "nf_"), ("mf =", "nf ="))
        fill_control(made.bank, other, "two", 5, n=1)
        with pytest.raises(GapsmithError, match="other factors"):
            api.frame(made)
        assert len(api.frame(made, dataset="one").condition.unique()) == 4


def test_columns_have_their_types_also_where_nothing_is_scored_and_in_a_file(
    tmp_path: Path, gapsmith: Callable[..., Any]
) -> None:
    with api.open_workspace(tmp_path / "w", create=True) as made:
        fill_control(made.bank, control_version(), "one", 0, n=2)
        bare = api.frame(made)
        score(made.bank, control_version().name, lambda *_: 2.0, skip=frozenset({"mf_mg"}))
        some = api.frame(made)
        score(made.bank, control_version().name, lambda *_: 2.0)
        full = api.frame(made)
    assert bare.value.isna().all()
    for table in (bare, some, full):
        kinds = {name: str(table[name].dtype) for name in ("value", "scorer", "n_tokens", "n_straddling", "context_length")}
        assert kinds == {"value": "float64", **dict.fromkeys(list(kinds)[1:], "Int64")}
    assert bare.dtypes.to_dict() == some.dtypes.to_dict() == full.dtypes.to_dict()
    done = gapsmith("export", "long", "-w", tmp_path / "w", "-o", tmp_path / "t.parquet")
    assert done.code == 0, done.err
    pandas.testing.assert_frame_equal(pandas.read_parquet(tmp_path / "t.parquet"), full)


def test_what_cannot_be_framed_is_said_also_in_the_words_of_python_and_what_is_there_is_named(
    tmp_path: Path, gapsmith: Callable[..., Any]
) -> None:
    with api.open_workspace(tmp_path / "w", create=True) as made:
        fill_control(made.bank, control_version(), "one", 0, n=2)
        name = control_version().name
        with pytest.raises(ConfigError) as no_set:
            api.frame(made, dataset="zzz")
        assert str(no_set.value) == "there is no data set 'zzz'\nData sets here: one."
        with pytest.raises(ConfigError, match="zzz"):
            api.frame(made, "zzz")
        items = made.bank.items.ids(api.ItemFilter())
        made.bank.decisions.decide(items, Verdict.EXCLUDE, author="Ann", reason="odd")
        with pytest.raises(GapsmithError) as none_approved:
            api.frame(made)
        assert "(2 excluded)" in none_approved.value.message
        assert "everything=True" in none_approved.value.hint
        assert len(api.frame(made, everything=True).item.unique()) == 2
    for kind in ("long", "csv"):
        said = gapsmith("export", kind, "-p", name, "-d", "zzz", "-w", tmp_path / "w")
        assert (said.code, f"Data sets of {name}: one." in said.err) == (2, True)
    assert "--all" in gapsmith("export", "long", "-w", tmp_path / "w").err


TWINS = """
name = "twins"
title = "Twins"
items = "given"
final_punctuation = ""
[factors.gap]
levels = { pg = "+gap", mg = "-gap" }
[factors.gap_code]
levels = { c1 = "one", c2 = "two" }
[factors.attr_list]
levels = { l1 = "first", l2 = "second" }
[factors.value]
levels = { v1 = "high", v2 = "low" }
[[regions]]
name = "all"
[critical]
pg = "all"
mg = "all"
[designs.all]
conditions = "all"
"""


def test_no_column_of_a_factor_stands_for_another(tmp_path: Path) -> None:
    with api.open_workspace(tmp_path / "w", create=True) as made:
        paradigm = parse_paradigm(TWINS, path="twins.toml")
        sentences = [
            Sentence(c.name, f"It {n}.", (RegionSpan("all", 0, len(f"It {n}.")),), Source.IMPORTED, Alignment.GIVEN)
            for n, c in enumerate(paradigm.conditions)
        ]
        add_items(made.bank, paradigm, [NewItem(None, tuple(sentences), label="1", attributes={"list": "A"})])
        score(made.bank, "twins", lambda *_: 2.0)
        table = api.frame(made, everything=True)
        frame = sentence_frame(made.bank, api.ItemFilter(paradigm="twins"), FrameWish())
    assert table.columns.is_unique
    assert set(table.attr_list) == {"A"}
    levels = table[["gap", "factor_gap_code", "factor_attr_list", "factor_value"]].agg("_".join, axis=1)
    assert list(levels) == list(table.condition)
    for name in ("gap_code", "gap_code_code", "factor_attr_list_code", "value_code"):
        assert set(table[name]) == {0.5, -0.5}
    assert set(frame.columns["value"]) == {2.0}
    assert set(frame.columns["list"]) == {"A"}
    assert frame.levels.keys() == {"gap", "factor_gap_code", "attr_list", "factor_value"}
    assert all(set(frame.columns[name]) == set(levels) for name, levels in frame.levels.items())


def test_deciding_needs_one_way_and_is_under_a_name(study: Workspace) -> None:
    with pytest.raises(ConfigError, match="in one way"):
        api.decide(study)
    with pytest.raises(ConfigError, match="there is no 'like'") as unknown:
        api.decide(study, "like", ["1"], by="Ann")
    assert unknown.value.hint == "There are: approve, exclude, flag."
    assert api.decide(study, "flag", ["1"], by="Ann", comment="odd").flagged == 1
    assert api.decide(study, "flag", "1").flagged == 1
    authors = {decision.author for decision in study.bank.decisions.current() if decision.comment in ("odd", None)}
    assert {"Ann", study.bank.reader} <= authors
    with pytest.raises(ConfigError, match="no measure 'nope'"):
        api.frame(study, measure=("nope",))


# SLOR: (log p of the model - log p of the unigrams) / tokens


def test_slor_of_the_bundled_model_takes_its_own_counts(study: Workspace, gapsmith: Callable[..., Any]) -> None:
    table = api.frame(study, measure=("sum", "slor"), whole=True).query("region == '*'")
    sums, slor = (table[table.measure == name].reset_index(drop=True) for name in ("sum", "slor"))
    with np.load(bundled_directory() / "unigrams.npz") as shipped:
        counts = shipped["counts"].astype(float) + 1
    tokenizer = load_tokenizer(bundled_directory())
    for text, total, n, found in zip(sums.content, sums.value, sums.n_tokens, slor.value, strict=True):
        ids = tokenizer.encode(text, add_special_tokens=False).ids
        assert len(ids) == n
        by_chance = sum(math.log2(counts.sum() / counts[number]) for number in ids)
        assert found == pytest.approx((by_chance - total) / n)
    said = gapsmith("export", "long", "--measure", "slor", "-w", study.root)
    assert "the text that the bundled model was trained on" in said.err
    assert "tokens of the model's own tokenizer, add-one" in said.err


def _chance(text: str) -> tuple[float, int]:
    """Bits of the sentence by the bundled model's own counts, add-one, and its tokens."""
    with np.load(bundled_directory() / "unigrams.npz") as shipped:
        counts = shipped["counts"].astype(float) + 1
    ids = load_tokenizer(bundled_directory()).encode(text, add_special_tokens=False).ids
    return sum(math.log2(counts.sum() / counts[number]) for number in ids), len(ids)


_SLOR_OF_WHOLES = """
[[contrasts]]
name = "whole"
formula = "pf_pg@sentence - mf_pg@sentence"
design = "full4"
measure = "slor"
expected = "positive"
[[criteria]]
name = "better"
formula = "pf_pg@sentence > mf_pg@sentence"
measure = "slor"
design = "full4"
"""


def test_slor_of_an_analysis_is_that_of_the_frame(study: Workspace, tmp_path: Path, gapsmith: Callable[..., Any]) -> None:
    folder = shutil.copytree(study.root, tmp_path / "study")
    (folder / "paradigms").mkdir(exist_ok=True)
    shipped = load_paradigm("embedded_wh").text
    (folder / "paradigms" / "embedded_wh.toml").write_text(f"{shipped}\n{_SLOR_OF_WHOLES}", encoding="utf-8")
    with api.open_workspace(folder) as made:
        analysis = api.analyze(made, "embedded_wh")
        table = api.frame(made, whole=True).query("region == '*'").set_index(["item", "condition"])
    (whole,) = (own for own in analysis.contrasts if own.contrast.name == "whole")
    (better,) = analysis.criteria
    wanted = {}
    for item in table.index.unique("item"):
        slor = {}
        for condition in ("pf_pg", "mf_pg"):
            row = table.loc[item, condition]
            chance, n = _chance(row.content)
            slor[condition] = (chance - row.value) / n
        wanted[item] = slor["pf_pg"] - slor["mf_pg"]
    assert {key.label: value for key, value in whole.values.items()} == pytest.approx(wanted)
    assert {key.label: truth for key, truth in better.holds.items()} == {item: v > 0 for item, v in wanted.items()}
    assert any("the text that the bundled model was trained on" in note for note in analysis.notes)
    said = gapsmith("analyze", "--measure", "slor", "-w", folder)
    assert (said.code, "SLOR's unigram table is of the text" in said.err) == (0, True)
    for kind in ("tests", "items", "conditions"):
        done = gapsmith("export", kind, "--measure", "slor", "-w", folder, "-o", tmp_path / f"{kind}.csv")
        assert done.code == 0, done.err
    checked = gapsmith("analyze", "--measure", "slor", "--sensitivity", "-c", "W1", "-w", folder)
    assert (checked.code, "undefined" in checked.out, checked.err.count("unigram table")) == (0, False, 1)


def test_slor_of_scores_without_a_tokenizer_is_undefined_and_the_others_are_not(
    study: Workspace, tmp_path: Path, gapsmith: Callable[..., Any]
) -> None:
    folder = shutil.copytree(study.root, tmp_path / "study")
    gone = str(tmp_path / "gone")
    with api.open_workspace(folder) as made:
        (scorer,) = made.bank.scores.scorers()
        texts = [s.text for item in made.bank.items.iterate(api.ItemFilter()) for s in item.sentences]
        scores = list(made.bank.scores.get(scorer.id, texts).values())
        stranger = registered(made.bank, made_scorer(scorer, model=gone))
        made.bank.scores.add(stranger, scores)
        human = made.bank.scores.register("humans", "sha256:1", {"kind": "table", "name": "humans"}, kind="table")
        made.bank.scores.add(human, [replace(tokens, ids=None) for tokens in scores])
        with pytest.raises(ConfigError, match="no such file"):
            api.frame(made, model="humans", measure=("slor",), unigram=tmp_path / "none.txt")
        with pytest.warns(UserWarning, match="gone is not there"):
            table = api.frame(made, measure=("slor",), whole=True).query("region == '*'")
        with pytest.warns(UserWarning, match="gone is not there"):
            analysis = api.analyze(made, "embedded_wh", model=gone, measure="slor")
    has = table.groupby("model").value.apply(lambda values: values.notna().all())
    assert has.to_dict() == {"bundled": True, gone: False, "humans": False}
    reasons = {model: set(rows.reason) for model, rows in table.groupby("model")}
    assert "made elsewhere" in reasons["humans"].pop()
    assert "gone is not there" in reasons[gone].pop()
    assert all("gone is not there" in own.undefined[0].reason for own in analysis.contrasts)
    done = gapsmith("export", "long", "--measure", "slor", "-w", folder)
    assert done.code == 0
    assert f"no unigram table for {gone}" in done.err


@pytest.mark.full
def test_a_stand_in_for_the_models_own_frequencies_is_warned_of_in_python(study: Workspace, tmp_path: Path) -> None:
    with api.open_workspace(shutil.copytree(study.root, tmp_path / "study")) as made:
        (scorer,) = made.bank.scores.scorers()
        texts = [s.text for item in made.bank.items.iterate(api.ItemFilter()) for s in item.sentences]
        other = made_scorer(scorer, model=str(bundled_directory()), weights="sha256:other")
        made.bank.scores.add(registered(made.bank, other), list(made.bank.scores.get(scorer.id, texts).values()))
        with pytest.warns(UserWarning, match="SLOR is approximate"):
            table = api.frame(made, model=other.model, measure=("slor",))
        assert any("English words" in note for note in table.attrs["notes"])
        with pytest.warns(UserWarning, match="SLOR is approximate"):
            analysis = api.analyze(made, "embedded_wh", model=other.model, measure="slor")
    assert any("English words" in note for note in analysis.notes)
    assert analysis.contrasts[0].values


def test_a_corpus_is_counted_once_and_a_stand_in_is_called_approximate(study: Workspace, tmp_path: Path) -> None:
    (scorer,) = study.bank.scores.scorers()
    words = {"know": 5, "sings": 2}

    def tables(corpus: Path | None = None) -> UnigramTables:
        return UnigramTables(lambda: words, corpus=corpus, cache=tmp_path / "cache")

    corpus = tmp_path / "corpus.txt.gz"
    corpus.write_bytes(gzip.compress(b"I know who sings.\n\nI know.\n"))
    of_corpus = tables(corpus)
    table = of_corpus(scorer)
    assert isinstance(table, Unigrams)
    n = sum(map(token_counter("bundled"), ("I know who sings.", "I know.")))
    assert of_corpus.notes == (f"SLOR's unigram table is of corpus.txt.gz ({n} tokens of the model's own tokenizer, add-one).",)
    assert of_corpus.doubts == ()
    tokenizer = load_tokenizer(bundled_directory())
    (know,) = tokenizer.encode(" know", add_special_tokens=False).ids
    v = tokenizer.get_vocab_size()
    assert table.bits[know] == pytest.approx(math.log2((n + v) / 3))
    assert table.bits.max() == pytest.approx(math.log2(n + v))
    (kept,) = (tmp_path / "cache").iterdir()
    np.save(kept, 2 * np.load(kept))
    again = tables(corpus)(scorer)
    assert isinstance(again, Unigrams)
    assert again.bits[know] == pytest.approx(math.log2((2 * n + v) / 5))
    stranger = made_scorer(scorer, model="bundled", weights="sha256:other", tokenizer=find_source("bundled").tokenizer)
    stand_in = tables()
    chance = stand_in(stranger)
    assert isinstance(chance, Unigrams)
    assert "approximate" in "".join(stand_in.doubts)
    n = count_words(words, tokenizer).sum()
    assert chance.bits[know] == pytest.approx(math.log2((n + v) / 6))
    with pytest.raises(ConfigError, match="no such file"):
        tables(tmp_path / "none.txt")(scorer)
    (tmp_path / "empty.txt").write_text("\n\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="no text to count"):
        tables(tmp_path / "empty.txt")(scorer)
    assert "is not the one that scorer" in str(tables()(made_scorer(scorer, model="bundled", tokenizer="sha256:other")))


def test_words_are_counted_by_their_tokens_behind_a_space() -> None:
    tokenizer = load_tokenizer(bundled_directory())
    found = count_words({"know": 5, "sings": 2}, tokenizer)
    whole = count_lines([" know", " sings"], tokenizer)
    assert found.sum() == sum(
        n * len(tokenizer.encode(f" {w}", add_special_tokens=False).ids) for w, n in (("know", 5), ("sings", 2))
    )
    assert whole.sum() > 0
