"""What a filter has left in: the sheet that is drawn, what comes back, and what is no such sheet; and how large corpora are."""

from __future__ import annotations

import csv
import json
import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from gapsmith.scoring.analysis.posh import printed_size, printed_tokens
from gapsmith.stats import exact_interval
from gapsmith.templates import FormatError
from gapsmith.training.corpus import load_recipe, mix_corpus, open_audit, open_filters, recipe_names
from gapsmith.training.parses import kept_parses
from tests.conftest import CommandOutcome
from tests.interface import expect_results

Program = Callable[..., CommandOutcome]

CATS = """title = "cats"
put_back = 0.05
[[out]]
text = '\\bcats\\b'
[audit]
what = "a sentence with a cat"
text = '\\bcats?\\b'
question = "Is more than one meant?"
"""
LINES = [f"The cat {n} sat {'with cats' if n % 5 == 0 else 'alone'} here." for n in range(60)] + ["Dogs ran off there."] * 40


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a corpus of a hundred sentences without most cats, and some of them put back."""
    folder = tmp_path_factory.mktemp("cats")
    (folder / "a.txt").write_text("\n".join(LINES) + "\n", encoding="utf-8")
    (folder / "cats.toml").write_text(CATS, encoding="utf-8")
    (folder / "r.toml").write_text(
        'filter = ["cats.toml"]\nput_back = true\n[[source]]\nname = "a"\nformat = "sentences"\npath = "a.txt"\nwords = 380\n',
        encoding="utf-8",
    )
    recipe = load_recipe(str(folder / "r.toml"))
    filters = open_filters(recipe.filter, "embedded", kept_parses(folder))
    assert filters is not None
    mix_corpus(recipe, folder / "c", valid_share=0.0, filters=filters, put_back=filters.shares)
    return folder


@pytest.fixture
def made(tmp_path: Path, mixed: Path) -> Path:
    """The corpus, in a folder of its own."""
    shutil.copytree(mixed, tmp_path, dirs_exist_ok=True)
    return tmp_path / "c"


@pytest.fixture(scope="module")
def sheet(mixed: Path) -> list[dict[str, str]]:
    """Five sentences of it, all answered."""
    audit = open_audit(mixed / "c", [str(mixed / "cats.toml")], n=5)
    rows = list(csv.DictReader(audit.sheet(audit.samples()).splitlines()))
    return [own | {"leak": "no"} for own in rows]


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def _write(path: Path, rows: Sequence[dict[str, str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def test_what_is_drawn_comes_back_as_a_rate_with_its_exact_interval(made: Path, gapsmith: Program) -> None:
    told = json.loads((made / "manifest.json").read_text(encoding="utf-8"))
    assert (told["recipe"], told["scale"], told["parser_name"]) == ("r.toml", 1.0, "embedded")
    text = (made / "train.txt").read_text(encoding="utf-8").splitlines()
    back = {entry["line"] for entry in told["put_back"]}
    assert back
    candidates = {n: line for n, line in enumerate(text, 1) if "cat" in line and n not in back}

    drawn = gapsmith("train", "audit", "c", "--out", "s.csv", "--sentences", "10", "--filter", "cats.toml", "--json")
    assert drawn.code == 0, drawn.err
    (row,) = expect_results(drawn.out)
    assert row == {"filter": "cats", "candidates": len(candidates), "drawn": 10, "put_back": len(back)}
    rows = _rows(made.parent / "s.csv")
    assert [(int(own["line"]), own["sentence"]) for own in rows] == sorted(
        (int(r["line"]), candidates[int(r["line"])]) for r in rows
    )
    assert len({own["line"] for own in rows}) == 10
    assert {own["question"] for own in rows} == {"Is more than one meant?"}
    again = gapsmith("train", "audit", "c", "--out", "s.csv", "--sentences", "10", "--filter", "cats.toml")
    assert again.code == 2
    assert "s.csv is there already" in again.err

    for own, said in zip(rows, ["yes", "No", "?", *["no"] * 7], strict=True):
        own["leak"] = said
    _write(made.parent / "s.csv", rows)
    found = gapsmith("train", "audit", "c", "--answers", "s.csv", "--filter", "cats.toml", "--json")
    assert found.code == 0, found.err
    (leak,) = expect_results(found.out)
    assert (leak["read"], leak["leaks"], leak["unclear"], leak["rate"]) == (10, 1, 1, None)
    assert leak["low"] == pytest.approx(exact_interval(1, 10)[0])
    assert leak["high"] == pytest.approx(exact_interval(2, 10)[1])
    shown = gapsmith("train", "audit", "c", "--answers", "s.csv", "--filter", "cats.toml")
    assert "a sentence with a cat" in shown.out


def test_a_sheet_on_which_all_are_read_needs_no_interval(made: Path, gapsmith: Program) -> None:
    assert gapsmith("train", "audit", "c", "--out", "s.csv", "--filter", "cats.toml").code == 0
    rows = _rows(made.parent / "s.csv")
    for own in rows:
        own["leak"] = "no"
    _write(made.parent / "s.csv", rows[::-1])
    (leak,) = json.loads(gapsmith("train", "audit", "c", "--answers", "s.csv", "--filter", "cats.toml", "--json").out)["results"]
    assert (leak["rate"], leak["low"], leak["high"]) == (0, 0, 0)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda rows: rows[0].update(leak=""), "line 2: cats, sentence 1: leak is not answered"),
        (lambda rows: rows[1].update(leak="maybe"), "line 3: leak is 'maybe'"),
        (lambda rows: rows[1].update(sentence="The cat sat."), "line 3: this is not sentence 2"),
        (lambda rows: rows.append(rows[0]), "line 7: sentence 1 of cats is answered twice"),
        (lambda rows: rows.pop(), "sentence 5 of cats is missing (1 of 5)"),
        (lambda rows: rows[0].update(filter="dogs"), "the filter 'dogs' is not one that is asked about"),
        (lambda rows: rows[0].update(drawn="somewhere"), "no sheet of `train audit` does"),
        (lambda rows: [own.update(drawn=own["drawn"].replace("text ", "text 0")) for own in rows], "drawn from another text"),
        (
            lambda rows: [own.update(drawn=own["drawn"].replace("filter ", "filter 0")) for own in rows],
            "another version of the filter",
        ),
        (
            lambda rows: [own.update(drawn=own["drawn"].replace("embedded", "stanza")) for own in rows],
            "drawn from another parser",
        ),
        (lambda rows: rows[0].update(drawn=rows[0]["drawn"].replace("seed 1", "seed 2")), "two drawings are mixed"),
    ],
)
def test_a_sheet_that_is_not_the_one_that_was_drawn_is_refused(
    mixed: Path, tmp_path: Path, sheet: list[dict[str, str]], change: Callable[[list[dict[str, str]]], object], complaint: str
) -> None:
    rows = [dict(own) for own in sheet]
    change(rows)
    _write(tmp_path / "s.csv", rows)
    with pytest.raises(FormatError, match=re.escape(complaint)) as refused:
        open_audit(mixed / "c", [str(mixed / "cats.toml")]).read(tmp_path / "s.csv")
    assert "s.csv" in refused.value.message


def test_a_corpus_that_does_not_fit_its_manifest_or_filter_is_refused(made: Path, gapsmith: Program) -> None:
    ask = ("train", "audit", "c", "--out", "s.csv")
    assert "made with a filter of yours, cats" in gapsmith(*ask).err
    assert "neither --out nor --answers" in gapsmith("train", "audit", "c").err
    assert "--seed with --answers" in gapsmith("train", "audit", "c", "--answers", "s.csv", "--seed", "2").err
    assert "has no manifest.json" in gapsmith("train", "audit", ".", "--out", "s.csv").err
    filter_file = made.parent / "cats.toml"
    filter_file.write_text(CATS.replace("cats?", "cat"), encoding="utf-8")
    assert "cats is not the one that the corpus was made with" in gapsmith(*ask, "--filter", "cats.toml").err
    filter_file.write_text(CATS, encoding="utf-8")
    (made / "train.txt").write_text("Another text.\n", encoding="utf-8")
    assert "is not the text that its manifest is about" in gapsmith(*ask, "--filter", "cats.toml").err
    assert not (made.parent / "s.csv").exists()


def test_the_shipped_filters_ask_what_the_paper_asked(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Is he sure that it can work?\nShe saw herself.\nHe ran.\n" * 3, encoding="utf-8")
    (tmp_path / "r.toml").write_text(
        '[[source]]\nname = "a"\nformat = "sentences"\npath = "a.txt"\nwords = 36\n', encoding="utf-8"
    )
    filters = open_filters(["question-formation", "binding"], "embedded", kept_parses(tmp_path))
    mix_corpus(load_recipe(str(tmp_path / "r.toml")), tmp_path / "c", valid_share=0.0, filters=filters)
    audit = open_audit(tmp_path / "c")
    assert [(own.filter.name, own.candidates, [one.sentence for one in own.drawn]) for own in audit.samples()] == [
        ("question-formation", 3, ["Is he sure that it can work?"] * 3),
        ("binding", 3, ["She saw herself."] * 3),
    ]
    assert [own.audit and own.audit.published for own in audit.filters] == [(0, 1000), (6, 1000)]


def test_sizes_stand_beside_the_printed_ones(made: Path, gapsmith: Program) -> None:
    asked = gapsmith("train", "counts", "c", "--vocabulary", "300", "--vocabulary", "1000", "--json")
    assert asked.code == 0, asked.err
    (found,) = expect_results(asked.out)
    text = [line for line in (made / "train.txt").read_text(encoding="utf-8").splitlines() if line]
    (size,) = found["sizes"]
    assert (size["sentences"], size["words"]) == (len(text), sum(len(line.split()) for line in text))
    assert size["printed_sentences"] is None
    small, large = found["tokens"]
    assert large["entries"] <= 1000
    assert small["tokens"] > large["tokens"] >= size["words"]
    shown = gapsmith("train", "counts", "c", "--vocabulary", "300")
    assert "table 4" in shown.out
    assert "table 9" in shown.out
    assert "has no manifest.json" in gapsmith("train", "counts", ".").err


def test_printed_sizes_are_found_by_the_recipe() -> None:
    assert printed_size("posh-baby-f-30m")["words_per_sentence"] == "7.50"
    assert printed_size("posh-wiki-100m")["sentences"] == "4.3M"
    # Printed as 153,18,669.
    assert printed_tokens("posh-baby-10m", 32768) == 15_318_669
    assert printed_tokens("posh-wiki-100m", 8192) == 181_490_178
    assert printed_tokens("posh-baby-f-10m", 8192) is None
    ours = [name for name in recipe_names() if printed_size(name)]
    assert len(ours) == 11
    assert not printed_size("mine.toml")
