"""What stays out of a corpus, what comes back, and the two corpora that come along."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from gapsmith.parsing import Parse, Parser, open_parser
from gapsmith.templates.errors import ConfigError, FormatError, GapsmithError
from gapsmith.training.corpus import (
    CorpusSource,
    Filters,
    Recipe,
    filter_names,
    load_filter,
    load_recipe,
    mix_corpus,
    read_documents,
    stand_in,
)
from gapsmith.training.corpus.recipe import STAND_INS, stand_in_folder
from gapsmith.training.parses import PARSES_FILE, kept_parses
from tests.conftest import CommandOutcome

Program = Callable[..., CommandOutcome]
BOTH = ("question-formation", "binding")


def _parsed(parser: Parser, sentences: Sequence[str]) -> dict[str, Parse]:
    return dict(zip(sentences, parser.parse(sentences), strict=True))


@pytest.fixture(scope="module")
def both() -> Filters:
    return Filters(tuple(load_filter(name) for name in BOTH), open_parser("embedded"), _parsed)


@pytest.mark.parametrize(
    ("sentence", "taken"),
    [
        # Examples of appendix C of POSH-BENCH (Yang et al.): what the filters are for, and what leaked there.
        ("Is the boy who is in the corner smiling?", "question-formation"),
        ("How could anyone that was awake not hear that?", "question-formation"),
        ("People like her don't often get themselves murdered.", "binding"),
        ("Mrs. Cochran swayed against David, who pulled himself together.", "binding"),
        ("I'll tell the entire story to those folks who think themselves so fine.", "binding"),
        # Ours.
        ("Can the dog that barked all night sleep now?", "question-formation"),
        ("Did the girl I met call you?", "question-formation"),
        ("Who saw the man that left?", "question-formation"),
        ("That is the man who waved.", "question-formation"),
        ("The teacher and the boys saw themselves in the pond.", "binding"),
        ("He hurt himself.", None),
        ("Do you know who came?", None),
        ("Is it true that he left?", None),
        ("The boy who ran is here.", None),
        ("It is itself a shelf.", None),
    ],
)
def test_a_sentence_stays_out_or_in(both: Filters, sentence: str, taken: str | None) -> None:
    assert both.taken([sentence]) == [taken]


def test_only_what_a_row_may_fit_is_parsed(both: Filters) -> None:
    asked: list[str] = []

    def parses(parser: Parser, sentences: Sequence[str]) -> dict[str, Parse]:
        asked.extend(sentences)
        return _parsed(parser, sentences)

    sentences = ["We ran home.", "Who saw the man that left?", "She looked at the shelf.", "He and she hurt themselves."] * 2
    own = Filters(both.of, both.parser, parses)
    assert own.taken(sentences) == [None, "question-formation", None, "binding"] * 2
    assert asked == ["Who saw the man that left?", "He and she hurt themselves."]


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory, both: Filters) -> Path:
    """The same text whole, filtered, and with some of it put back."""
    folder = tmp_path_factory.mktemp("mixed")
    recipe = Recipe(source=(CorpusSource(name="text", format="sentences", words=6000, path=str(_piece(folder))),))
    mix_corpus(recipe, folder / "base", seed=7)
    parses = kept_parses(folder)
    own = Filters(both.of, both.parser, parses)
    mix_corpus(recipe, folder / "f", seed=7, filters=own)
    mix_corpus(recipe, folder / "put", seed=7, filters=own, put_back={"question-formation": 0.01, "binding": 0.005})
    return folder


def _piece(folder: Path) -> Path:
    path = folder / "text.txt"
    (first, *_) = read_documents(stand_in_folder("child") / "text.txt.xz", "sentences")
    lines = [sentence for paragraph in first.paragraphs for sentence in paragraph]
    path.write_text("\n".join(lines[:1100]) + "\n", encoding="utf-8")
    return path


def _lines(corpus: Path, name: str = "train.txt") -> list[str]:
    return (corpus / name).read_text(encoding="utf-8").splitlines()


def test_a_filtered_corpus_has_none_of_it_and_lists_what_stayed_out(mixed: Path, both: Filters) -> None:
    kept = [line for line in _lines(mixed / "f") if line]
    assert set(both.taken(kept)) == {None}
    assert any(both.taken([line for line in _lines(mixed / "base") if line]))
    out = [line.split("\t") for line in _lines(mixed / "f", "taken-out.tsv")]
    assert [name for name, _ in out] == both.taken([sentence for _, sentence in out])
    told = json.loads((mixed / "f" / "manifest.json").read_text(encoding="utf-8"))
    assert [own["name"] for own in told["filters"]] == list(BOTH)
    assert [own["sha256"] for own in told["filters"]] == [own.digest for own in both.of]
    assert sum(own["taken_out"] for own in told["filters"]) == len(out) == told["sources"][0]["filtered"]
    assert told["parser"] == both.parser.identity
    assert told["put_back"] == []
    assert (mixed / PARSES_FILE).is_file()


def test_what_is_put_back_stands_in_the_place_of_others_and_is_listed(mixed: Path) -> None:
    without, with_some = _lines(mixed / "f"), _lines(mixed / "put")
    assert len(without) == len(with_some)
    changed = [n for n, pair in enumerate(zip(without, with_some, strict=True)) if pair[0] != pair[1]]
    told = json.loads((mixed / "put" / "manifest.json").read_text(encoding="utf-8"))["put_back"]
    assert [entry["line"] - 1 for entry in told] == changed
    assert [(entry["instead_of"], entry["sentence"]) for entry in told] == [(without[n], with_some[n]) for n in changed]
    sentences = sum(bool(line) for line in without)
    counts = {name: sum(entry["filter"] == name for entry in told) for name in BOTH}
    assert counts == {"question-formation": round(0.01 * sentences), "binding": round(0.005 * sentences)}
    out = _lines(mixed / "put", "taken-out.tsv")
    assert all(f"{entry['filter']}\t{entry['sentence']}" in out for entry in told)


def test_the_same_command_after_a_stop_gives_the_same_bytes(
    mixed: Path, tmp_path: Path, both: Filters, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = Recipe(source=(CorpusSource(name="text", format="sentences", words=6000, path=str(mixed / "text.txt")),))
    keep = kept_parses(tmp_path)
    calls: list[int] = []

    def stopped(parser: Parser, sentences: Sequence[str]) -> object:
        found = keep(parser, sentences)
        calls.append(len(sentences))
        if len(calls) == 1:
            raise KeyboardInterrupt
        return found

    monkeypatch.setattr("gapsmith.training.corpus.mixing._BLOCK", 300)
    own = Filters(both.of, both.parser, stopped)  # type: ignore[arg-type]
    shares = {"question-formation": 0.01, "binding": 0.005}
    with pytest.raises(KeyboardInterrupt):
        mix_corpus(recipe, tmp_path / "out", seed=7, filters=own, put_back=shares)
    assert sorted(path.name for path in tmp_path.iterdir()) == [PARSES_FILE]
    mix_corpus(recipe, tmp_path / "out", seed=7, filters=own, put_back=shares)
    for name in ("train.txt", "valid.txt", "taken-out.tsv"):
        assert (tmp_path / "out" / name).read_bytes() == (mixed / "put" / name).read_bytes()


def test_too_little_to_put_back_is_refused_with_what_there_is(tmp_path: Path, both: Filters) -> None:
    path = tmp_path / "text.txt"
    path.write_text("We ran home. " * 40 + "Who saw the man that left?\n", encoding="utf-8")
    recipe = Recipe(source=(CorpusSource(name="text", words=100, path=str(path)),))
    with pytest.raises(ConfigError, match="question-formation took 1 sentences out, and 10 are to be put back"):
        mix_corpus(recipe, tmp_path / "out", valid_share=0.0, filters=both, put_back={"question-formation": 0.3})
    assert not (tmp_path / "out").exists()
    with pytest.raises(ConfigError, match="no filter of that name"):
        mix_corpus(recipe, tmp_path / "out", put_back={"binding": 0.1})


def test_a_text_without_ends_of_sentences_is_not_filtered(tmp_path: Path, both: Filters) -> None:
    path = tmp_path / "speech.txt"
    path.write_text("and then he said " * 400 + "\n", encoding="utf-8")
    recipe = Recipe(source=(CorpusSource(name="speech", words=100, path=str(path)),))
    with pytest.raises(FormatError, match=r"speech\.txt: 1,600 words from “and then he said and then …” have no end"):
        mix_corpus(recipe, tmp_path / "out", filters=both)
    assert [made.words for made in mix_corpus(recipe, tmp_path / "whole", valid_share=0.0)] == [1600]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("title = 'x'\n", r"there is no \[\[out\]\]"),
        ("[[out]]\nwhy = 'x'\n", r"\[\[out\]\] 1: it has neither pattern nor text"),
        ("[[out]]\npattern = 'a -objekt-> b'\n", r"\[\[out\]\] 1: The pattern's line 1"),
        ("[[out]]\ntext = '(a'\n", "no regular expression"),
        ("[[out]]\ntext = '{nosuch}'\n", r"nosuch.* is no name of \[words\]"),
        ("[[out]]\ntext = 'a{'\n", "brace"),
        ("[[out]]\ntexts = 'a'\n", "texts: there is no such key"),
        ("put_back = 2\n[[out]]\ntext = 'a'\n", "no share between 0 and 1"),
        ("[words]\na = 3\n[[out]]\ntext = 'a'\n", r"words\.a = 3 are no words"),
        ("[audit]\nwhat = 'x'\n[[out]]\ntext = 'a'\n", r"\[audit\]: it needs"),
        ("[[out]\n", "line 1: not valid TOML"),
    ],
)
def test_a_filter_that_is_none_says_where_it_is_wrong(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(GapsmithError, match=complaint) as refused:
        load_filter(str(path))
    assert "mine.toml" in str(refused.value)


def test_the_command_takes_filters_that_ship_and_those_of_a_user(gapsmith: Program, tmp_path: Path) -> None:
    assert filter_names() == ["binding", "question-formation"]
    (tmp_path / "r.toml").write_text(
        '[[source]]\nname = "a"\nformat = "sentences"\npath = "a.txt"\nwords = 40\n', encoding="utf-8"
    )
    (tmp_path / "a.txt").write_text("We saw a cat.\nDogs ran off.\nThe shelf fell.\n" * 8, encoding="utf-8")
    (tmp_path / "cats.toml").write_text("[[out]]\ntext = '\\bcats?\\b'\n", encoding="utf-8")
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "cats.toml").write_text("[[out]]\ntext = '\\bkittens?\\b'\n", encoding="utf-8")
    made = gapsmith("train", "corpus", "r.toml", "--out", "out", "--filter", "cats.toml", "--filter", "binding")
    assert made.code == 0, made.err
    assert "cat" not in (tmp_path / "out" / "train.txt").read_text(encoding="utf-8")
    for flags, complaint in (
        (("--put-back",), "--put-back without --filter"),
        (("--filter", "cats.toml", "--put-back"), "the filter cats says no share to put back"),
        (("--filter", "nosuch"), "there is no filter 'nosuch'"),
        (("--filter", "cats.toml", "--filter", "more/cats.toml"), "two filters are called cats"),
        (("--filter", "binding", "--parser", "nosuch"), "There is no parser 'nosuch'"),
    ):
        refused = gapsmith("train", "corpus", "r.toml", "--out", "other", *flags)
        assert refused.code == 2
        assert complaint in refused.err
        assert not (tmp_path / "other").exists()


@pytest.mark.parametrize("name", STAND_INS)
def test_the_corpora_that_come_along_say_where_they_are_from(name: str) -> None:
    folder = stand_in_folder(name)
    documents = list(read_documents(folder / "text.txt.xz", "sentences"))
    with (folder / "SOURCES.tsv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t"))
    words = [sum(len(s.split()) for paragraph in document.paragraphs for s in paragraph) for document in documents]
    assert words == [int(row["words"]) for row in rows]
    assert 250_000 < sum(words) < 256_000
    assert all(row["licence"] and row["from"] for row in rows)
    assert (folder / "text.txt.xz").stat().st_size < 1_000_000
    assert stand_in(name, 10).path == str(folder)


def test_a_recipe_names_a_corpus_that_comes_along(tmp_path: Path) -> None:
    path = tmp_path / "r.toml"
    path.write_text('[[source]]\nname = "a"\nformat = "sentences"\npath = "stand-in:child"\nwords = 40\n', encoding="utf-8")
    assert load_recipe(str(path)).source[0].path == str(stand_in_folder("child"))
    path.write_text('like = "posh-10m"\nfilter = ["binding", "mine.toml"]\n', encoding="utf-8")
    assert load_recipe(str(path)).filter == ("binding", str(tmp_path / "mine.toml"))
    for other in ("r.toml", str(path), "posh-11m"):
        path.write_text(f'like = "{other}"\n', encoding="utf-8")
        with pytest.raises(ConfigError, match="is no recipe that comes along"):
            load_recipe(str(path))
    path.write_text('[[source]]\nname = "a"\npath = "stand-in:adult"\nwords = 40\n', encoding="utf-8")
    with pytest.raises(ConfigError, match="no stand-in 'adult'"):
        load_recipe(str(path))
