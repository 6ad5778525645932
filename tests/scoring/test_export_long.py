"""Item sets and long tables for other programs: each item by its own version, each cell there or counted."""

from __future__ import annotations

import csv
import importlib
import io
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from gapsmith.app import exporting
from gapsmith.app.exporting import Exported
from gapsmith.app.requests.outgoing import Export
from gapsmith.bank import Bank, ItemFilter, NewItem
from gapsmith.bank.item_names import NAMING
from gapsmith.scoring import FrameWish
from gapsmith.scoring.lm import open_engine
from gapsmith.scoring.report import NumbersMade, long_frame
from gapsmith.scoring.score_run import score_selected, select_texts
from gapsmith.templates import Sentence, load_paradigm, parse_paradigm, realise
from gapsmith.templates.errors import GapsmithError
from tests.making import made_scorer, registered
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

ALL = ItemFilter(paradigm=CONTROL)


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[Bank]:
    """An empty bank."""
    with Bank.open(tmp_path / "bank.sqlite", create=True) as opened:
        yield opened


def export(bank: Bank, kind: str, selection: ItemFilter, **more: Any) -> Exported:
    """The items as they go out."""
    return exporting.export(bank, selection, Export(kind=kind, **more))


def framed(bank: Bank, model: str | None = None) -> NumbersMade:
    """The long frame of the control's items."""
    return long_frame(bank, ALL, FrameWish(model=model))


def rows(content: bytes) -> list[dict[str, str]]:
    """The rows of a CSV file."""
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))


def test_every_item_is_read_with_todays_critical_region(bank: Bank, gapsmith: Callable[..., Any], tmp_path: Path) -> None:
    fill_control(bank, load_paradigm(CONTROL), "early", 0)
    fill_control(bank, control_version(('\npg = "time"\n', '\npg = "verb"\n')), "late", 10)
    done = framed(bank)
    critical = {
        (row["dataset"], row["region"]) for row in done.table.rows if row["critical"] and row["condition"].endswith("_pg")
    }
    assert critical == {("early", "time"), ("late", "time")}
    assert done.versions == 1


def test_versions_with_other_cells_are_not_put_into_one_file(bank: Bank) -> None:
    fill_control(bank, load_paradigm(CONTROL), "early", 0)
    text = load_paradigm(CONTROL).text
    other = parse_paradigm(text.replace('"mf', '"nf').replace("mf_", "nf_").replace("mf =", "nf ="), path="x.toml")
    slots = next(slots_of(CONTROL))
    approve(bank, add_items(bank, other, [NewItem(slots, realise(other, slots), dataset="late")], identity="late"))
    for write in (lambda: export(bank, "csv", ALL), lambda: framed(bank)):
        with pytest.raises(GapsmithError, match="has other factors than its file has now") as raised:
            write()
        assert "(--dataset NAME, in Python dataset=NAME; here: early, late)" in raised.value.hint
    assert len(rows(export(bank, "csv", replace(ALL, dataset="early")).content)) == 16


def test_without_a_design_every_cell_is_written(bank: Bank) -> None:
    text = load_paradigm("subject_pg").text
    start = text.index("[designs.full8]") if "[designs.full8]" in text else -1
    assert start >= 0
    end = text.index("[designs.lan2x2]")
    # Only the design of four cells is left, which comes first then.
    bare = parse_paradigm(without_full(text, start, end), path="bare.toml")
    assert [design.name for design in bare.designs] == ["lan2x2"]
    slots = next(slots_of("subject_pg"))
    approve(bank, add_items(bank, bare, [NewItem(slots, realise(bare, slots))]))
    found = rows(export(bank, "csv", ItemFilter(paradigm="subject_pg")).content)
    assert [row["condition"] for row in found] == [condition.name for condition in bare.conditions]
    four = rows(export(bank, "csv", ItemFilter(paradigm="subject_pg"), design="lan2x2").content)
    assert len(four) == 4


def without_full(text: str, start: int, end: int) -> str:
    """The paradigm without its design of all cells; contrasts of that design go with it."""
    head, *contrasts = (text[:start] + text[end:]).split("[[contrasts]]")
    kept = [contrast for contrast in contrasts if 'design = "full8"' not in contrast]
    return "[[contrasts]]".join([head, *kept])


def test_a_sentence_in_no_cell_of_the_paradigm_is_counted(bank: Bank, gapsmith: Callable[..., Any], tmp_path: Path) -> None:
    paradigm = load_paradigm(CONTROL)
    slots = next(slots_of(CONTROL))
    sentences = (*realise(paradigm, slots), Sentence("zf_zg", "Nothing of the kind."))
    approve(bank, add_items(bank, paradigm, [NewItem(slots, sentences)]))
    assert export(bank, "csv", ALL).left_out == framed(bank).left_out == 1
    (tmp_path / "gapsmith.toml").write_text("", encoding="utf-8")
    assert "1 sentence not in it" in gapsmith("export", "csv").err


def test_only_models_that_measured_something_have_rows(bank: Bank, gapsmith: Callable[..., Any], tmp_path: Path) -> None:
    fill_control(bank, load_paradigm(CONTROL), "one", 0)
    registered(bank, made_scorer(SCORER, model="empty"))
    first = score(bank, CONTROL, control_bits)
    found = framed(bank).table.rows
    assert {(row["model"], row["scorer"]) for row in found} == {("chosen", first)}
    second = score(bank, CONTROL, control_bits, scorer=made_scorer(SCORER, model="other"))
    both = framed(bank).table.rows
    assert len(both) == 2 * len(found)
    assert {row["scorer"] for row in framed(bank, "other").table.rows} == {second}
    (tmp_path / "gapsmith.toml").write_text("", encoding="utf-8")
    one = gapsmith("export", "long", "--model", "other")
    assert {row["model"] for row in rows(one.out.encode())} == {"other"}
    refused = gapsmith("export", "long", "--model", "empty")
    assert (refused.code, refused.out) == (2, "")
    assert "chosen, other" in refused.err


@pytest.mark.parametrize("kind", ["long", "tokens", "words", "tests", "items", "conditions", "differences", "r"])
def test_one_of_two_scorers_of_a_model_can_be_named(bank: Bank, gapsmith: Callable[..., Any], tmp_path: Path, kind: str) -> None:
    """A table of both does not say which value is whose when it comes back."""
    approve(bank, fill_control(bank, load_paradigm(CONTROL), "one", 0))
    score(bank, CONTROL, control_bits)
    second = score(bank, CONTROL, control_bits, scorer=made_scorer(SCORER, model=SCORER.model, bos="none"))
    (tmp_path / "gapsmith.toml").write_text("", encoding="utf-8")
    if kind not in ("differences", "r"):
        done = gapsmith("export", kind, "--scorer", second)
        assert done.code == 0, done.err
        found = rows(done.out.encode())
        assert found
        both = rows(gapsmith("export", kind).out.encode())
        assert len(both) == 2 * len(found)
    refused = gapsmith("export", kind, "--scorer", 99, *(("-o", tmp_path / "r") if kind == "r" else ()))
    assert (refused.code, refused.out) == (2, "")
    assert "corer" in refused.err
    assert "99" in refused.err


@pytest.mark.parametrize("kind", ["csv", "suite", "decisions", "conllu"])
def test_what_is_of_no_model_has_no_scorer(bank: Bank, gapsmith: Callable[..., Any], tmp_path: Path, kind: str) -> None:
    fill_control(bank, load_paradigm(CONTROL), "one", 0)
    (tmp_path / "gapsmith.toml").write_text("", encoding="utf-8")
    refused = gapsmith("export", kind, "--scorer", score(bank, CONTROL, control_bits))
    assert (refused.code, refused.out) == (2, "")
    assert "--scorer is for tables of a model's numbers" in refused.err


def test_a_directory_is_no_file_to_write_to(bank: Bank, gapsmith: Callable[..., Any], tmp_path: Path) -> None:
    fill_control(bank, load_paradigm(CONTROL), "one", 0)
    (tmp_path / "gapsmith.toml").write_text("", encoding="utf-8")
    folder = tmp_path / "out"
    folder.mkdir()
    refused = gapsmith("export", "csv", "-o", folder)
    assert refused.code == 2
    assert "is a directory" in refused.err
    assert not (tmp_path / ".out.part").exists()
    assert list(folder.iterdir()) == []


def test_ids_that_two_data_sets_share_are_counted_where_the_file_cannot_tell_them_apart(
    bank: Bank, gapsmith: Callable[..., Any], tmp_path: Path
) -> None:
    fill_control(bank, load_paradigm(CONTROL), "one", 0)
    fill_control(bank, load_paradigm(CONTROL), "two", 10, n=3)
    assert [export(bank, kind, ALL).shared_labels for kind in ("csv", "slots")] == [3, 3]
    assert export(bank, "csv", replace(ALL, dataset="two")).shared_labels == 0
    (tmp_path / "gapsmith.toml").write_text("", encoding="utf-8")
    assert "3 ids stand for items of several data sets" in gapsmith("export", "csv").err


def test_tokens_and_words_are_what_the_network_gives(
    bank: Bank, gapsmith: Callable[..., Any], tmp_path: Path, tiny_gpt2: Path
) -> None:
    """A row a token, in the order of the sentence, with minus log2 of the probability that the network itself gives it."""
    import torch

    transformers: Any = importlib.import_module("transformers")
    fill_control(bank, load_paradigm(CONTROL), "one", 0, n=2)
    score_selected(bank, open_engine(str(tiny_gpt2)), select_texts(bank, ALL))
    (tmp_path / "gapsmith.toml").write_text("", encoding="utf-8")
    tokens, words = (rows(gapsmith("export", kind).out.encode()) for kind in ("tokens", "words"))
    head = ["paradigm", "dataset", "item", "condition", "model", "revision", "revision_name", "scorer", "number"]
    assert list(tokens[0]) == [*head, "token", "token_id", "start", "end", "region", "surprisal", "reason", *NAMING]
    assert list(words[0]) == [*head, "word", "start", "end", "region", "n_tokens", "surprisal", "reason", *NAMING]

    tokenizer = transformers.AutoTokenizer.from_pretrained(tiny_gpt2)
    network = transformers.AutoModelForCausalLM.from_pretrained(tiny_gpt2)
    n = 0
    for item in bank.items.iterate(ALL):
        for sentence in item.sentences:
            own, by_word = (
                [row for row in table if (row["item"], row["condition"]) == (item.label, sentence.condition)]
                for table in (tokens, words)
            )
            ids = tokenizer(sentence.text, add_special_tokens=False)["input_ids"]
            with torch.no_grad():
                logits = network(torch.tensor([[0, *ids]])).logits[0, :-1].double()
            bits = -torch.log_softmax(logits, -1)[range(len(ids)), ids].numpy() / np.log(2)
            assert [int(row["number"]) for row in own] == list(range(1, len(ids) + 1))
            assert [int(row["token_id"]) for row in own] == ids
            np.testing.assert_allclose([float(row["surprisal"]) for row in own], bits, rtol=1e-4)
            assert "".join(row["token"] for row in own) == sentence.text
            assert [row["word"] for row in by_word] == sentence.text.split()
            assert sum(float(row["surprisal"]) for row in by_word) == pytest.approx(float(bits.sum()), rel=1e-4)
            assert sum(int(row["n_tokens"]) for row in by_word) == len(ids)
            regions = {span.name: sentence.text[span.start : span.end] for span in sentence.regions or ()}
            assert all(row["token"].strip() in regions[row["region"]] for row in own)
            n += len(ids)
    assert len(tokens) == n
    assert gapsmith("export", "tokens", "-o", tmp_path / "t.parquet").code == 0
    whole = pd.read_parquet(tmp_path / "t.parquet")
    assert whole["surprisal"].tolist() == [float(row["surprisal"]) for row in tokens]
    refused = gapsmith("export", "tokens", "--contexts", "near")
    assert (refused.code, refused.out) == (2, "")
    assert "--contexts is for long" in refused.err
