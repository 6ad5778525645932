"""`gapsmith train corpus`: the forms of the sources, the words that are taken of each, and the manifest."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gapsmith.templates.errors import ConfigError, FormatError
from gapsmith.training.corpus import load_recipe, read_documents, recipe_names
from tests.conftest import CommandOutcome
from tests.interface import expect_results
from tests.training.conftest import some_text

Program = Callable[..., CommandOutcome]

CHAT = """\
@UTF8
@Begin
@Languages:\teng
@Participants:\tCHI Target_Child, MOT Mother, FAT Father
*MOT:\twhat's that ? \x150_1200\x15
%mor:\tpro:int|what~cop|be&3S
\tpro:dem|that
*CHI:\tdoggie .
*MOT:\t<you want> [/] you want (.) the &-um ball@c [: balloon] [*] ,
\tdon't you ?
*FAT:\the (be)cause &=laughs xxx said +"/.
*MOT:\txxx .
*FAT:\tice_cream [!] for Mommy_Jones [% comment] !
@End
"""


def texts(path: Path, form: str) -> list[list[list[str]]]:
    return [document.paragraphs for document in read_documents(path, form)]


def test_chat(tmp_path: Path) -> None:
    path = tmp_path / "a.cha"
    path.write_text(CHAT, encoding="utf-8")
    assert texts(path, "chat") == [
        [["what's that?", "you want the balloon, don't you?", "he because said.", "ice cream for Mommy Jones!"]]
    ]
    path.write_text("Just some text.\n")
    with pytest.raises(FormatError, match=r"a\.cha: is no CHAT"):
        texts(path, "chat")


def test_subtitles(tmp_path: Path) -> None:
    marked, plain, lines = tmp_path / "a.xml.gz", tmp_path / "b.xml", tmp_path / "c.txt"
    words = ["Do", "n't", "go", ",", "it", "'s", "late", "."]
    body = "".join(f'<w id="1.{n}">{word}</w>' for n, word in enumerate(words))
    marked.write_bytes(gzip.compress(f'<document><s id="1"><time value="0"/>{body}</s></document>'.encode()))
    plain.write_text('<document><s id="1"><time id="T1S"/>- Hello there.<time id="T1E"/></s><s>Bye!</s></document>')
    lines.write_text("- Hello there.\n\nBye!\n")
    assert texts(marked, "subtitles") == [[["Don't go, it's late."]]]
    assert texts(plain, "subtitles") == texts(lines, "subtitles") == [[["Hello there.", "Bye!"]]]
    plain.write_text("<document><s>")
    with pytest.raises(FormatError, match=r"b\.xml: cannot be read as XML"):
        texts(plain, "subtitles")


def test_bnc(tmp_path: Path) -> None:
    path = tmp_path / "A00.xml"
    path.write_text(
        '<bncDoc><teiHeader><p>skip? <s n="0">no</s></p></teiHeader><wtext><div><head><s n="1"><w>Title </w></s></head>'
        '<p><s n="2"><w c5="PNP">He </w><w>left</w><c c5="PUN">. </c></s><s n="3"><w>She </w><mw><w>of </w><w>course </w></mw>'
        "<w>stayed</w><c>.</c></s></p></div></wtext></bncDoc>"
    )
    assert texts(path, "bnc")[0][-2:] == [["Title"], ["He left.", "She of course stayed."]]


def test_gutenberg_and_plain(tmp_path: Path) -> None:
    book, lines = tmp_path / "book.txt", tmp_path / "lines.txt"
    book.write_text(
        "Licence words.\n\n*** START OF THE PROJECT GUTENBERG EBOOK X ***\n\nIt was a dark\nnight. Mr. Li\nslept.\n\nEnd.\n\n"
        "*** END OF THE PROJECT GUTENBERG EBOOK X ***\n\nMore licence.\n"
    )
    lines.write_text("\ufeffOne. Two.\r\nThree.\r\n\r\n\r\nAnother book.\r\n", encoding="utf-8")
    assert texts(book, "gutenberg") == [[["It was a dark night.", "Mr. Li slept."], ["End."]]]
    assert texts(lines, "plain") == [[["One.", "Two."], ["Three."]], [["Another book."]]]
    assert texts(lines, "sentences") == [[["One. Two.", "Three."]], [["Another book."]]]


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """Two sources, and a recipe that mixes them."""
    (tmp_path / "talk").mkdir()
    (tmp_path / "talk" / "a.txt").write_text(some_text(400, 1), encoding="utf-8")
    (tmp_path / "talk" / "b.txt").write_text(some_text(400, 2), encoding="utf-8")
    (tmp_path / "books.txt").write_text(some_text(900, 9).replace("Ann", "Zoë"), encoding="utf-8")
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(
        '[[source]]\nname = "talk"\nformat = "plain"\nwords = 2000\npath = "talk"\nlicence = "CC0"\n'
        '[[source]]\nname = "books"\nwords = 3000\n'
    )
    return recipe


def words_in(path: Path) -> int:
    return len(path.read_text("utf-8").split())


def test_the_words_of_the_recipe_are_taken_to_the_sentence(sources: Path, gapsmith: Program, tmp_path: Path) -> None:
    out = tmp_path / "corpus"
    given = ("--source", f"books={tmp_path / 'books.txt'}")
    done = gapsmith("train", "corpus", sources, "--out", out, *given, "--valid-share", "0.1", "--json")
    assert done.code == 0, done.err
    talk, books = expect_results(done.out)
    assert 2000 <= talk["words"] < 2010
    assert 3000 <= books["words"] < 3010
    assert 200 <= talk["valid_words"] < 210
    assert words_in(out / "train.txt") == talk["words"] + books["words"]
    assert words_in(out / "valid.txt") == talk["valid_words"] + books["valid_words"]
    assert "no licence is stated for books" in done.err
    manifest = json.loads((out / "manifest.json").read_text("utf-8"))
    assert [source["licence"] for source in manifest["sources"]] == ["CC0", ""]
    assert [file["name"] for file in manifest["sources"][0]["files"]] == ["a.txt", "b.txt"]
    digest = hashlib.sha256((tmp_path / "talk" / "a.txt").read_bytes()).hexdigest()
    assert manifest["sources"][0]["files"][0]["sha256"] == digest
    assert manifest["sha256"]["train.txt"] == hashlib.sha256((out / "train.txt").read_bytes()).hexdigest()
    assert sorted(path.name for path in out.iterdir()) == ["manifest.json", "train.txt", "valid.txt"]
    # Every sentence stands in a source, and none in both texts' stretches at once.
    source = set((tmp_path / "books.txt").read_text("utf-8").replace(". ", ".\n").splitlines())
    taken = {line for line in (out / "train.txt").read_text("utf-8").splitlines() if "Zoë" in line}
    assert taken
    assert taken <= source


def test_the_seed_decides_and_nothing_is_written_over(sources: Path, gapsmith: Program, tmp_path: Path) -> None:
    given = ("--source", f"books={tmp_path / 'books.txt'}", "--scale", "0.5")
    found = []
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        assert gapsmith("train", "corpus", sources, "-o", tmp_path / name, *given, "--seed", seed).code == 0
        found.append((tmp_path / name / "train.txt").read_bytes())
    assert found[0] == found[1] != found[2]
    again = gapsmith("train", "corpus", sources, "-o", tmp_path / "a", *given, "--seed", 2)
    assert again.code == 2
    assert (tmp_path / "a" / "train.txt").read_bytes() == found[0]


def test_what_is_missing_is_named(sources: Path, gapsmith: Program, tmp_path: Path) -> None:
    def refused(*arguments: object, text: str, code: int = 2) -> None:
        done = gapsmith("train", "corpus", *arguments, "--out", tmp_path / "out")
        assert (done.code, text in done.err, "Traceback" in done.err) == (code, True, False), done.err
        assert not (tmp_path / "out").exists()

    books = f"books={tmp_path / 'books.txt'}"
    refused(sources, text="books (plain, 3,000 words)")
    refused(sources, "--source", "novels=x", text="no source 'novels'")
    refused(sources, "--source", f"books={tmp_path / 'none'}", text="holds no .txt")
    refused(sources, "--source", "books", text="NAME=VALUE")
    refused(sources, "--source", books, "--scale", "100", text="talk has", code=1)
    refused(sources, "--source", books, "--scale", "nan", text="--scale")
    refused("posh-10m", text="CHILDES (chat, 4,000,000 words)")
    refused("posh-11m", text="posh-100m")
    sources.write_text('[[source]]\nname = "x"\nwords = 5\nform = "plain"\n')
    refused(sources, text="form")
    sources.write_text('[[source]]\nname = "x"\nwords = 5\nformat = "docx"\n')
    refused(sources, text="docx")


def test_documents_that_are_listed_keep_their_licences_and_can_be_chosen(
    gapsmith: Program, tmp_path: Path, gpt2_config: Path
) -> None:
    text = "\n".join(some_text(60, seed) for seed in (1, 2, 3))
    (tmp_path / "train.txt").write_text(text, encoding="utf-8")
    table = tmp_path / "SOURCES.tsv"
    table.write_text("source\tlicence\nnovel_a\tCC0\nnovel_b\tCC BY 4.0\nletters\tsecret\n")
    recipe = tmp_path / "recipe.toml"
    recipe.write_text('[[source]]\nname = "novels"\nwords = 900\npath = "train.txt"\ndocuments = ["novel_*"]\n')
    out = tmp_path / "corpus"
    assert gapsmith("train", "corpus", recipe, "-o", out).code == 0
    documents = json.loads((out / "manifest.json").read_text("utf-8"))["sources"][0]["documents"]
    assert {name: entry["licence"] for name, entry in documents.items()} == {"novel_a": "CC0", "novel_b": "CC BY 4.0"}
    assert 900 <= sum(entry["words"] for entry in documents.values()) < 910
    # The model that is trained on it says so.
    trained = gapsmith("train", "lm", out, "-c", gpt2_config, "-o", tmp_path / "model", "--set", "run.steps=2")
    assert trained.code == 0, trained.err
    card = (tmp_path / "model" / "README.md").read_text("utf-8")
    assert "| CC BY 4.0 |" in card
    assert "secret" not in card
    table.write_text("source\tlicence\nnovel_a\tCC0\nnovel_b\tCC BY 4.0\n")
    wrong = gapsmith("train", "corpus", recipe, "-o", tmp_path / "other")
    assert wrong.code == 2
    assert "lists 2 documents" in wrong.err


def test_the_recipes_that_come_along_are_the_corpora_of_posh_bench() -> None:
    """Table 2, and what appendix C leaves out of it; at 100 million nothing is filtered."""
    sizes = (10, 30, 50, 100)
    recipes = {name: load_recipe(name) for name in recipe_names()}
    assert {name: sum(source.words for source in own.source) for name, own in recipes.items()} == {
        f"posh-{kind}{n}m": n * 1_000_000
        for kind in ("", "baby-f-", "baby-", "wiki-")
        for n in sizes
        if not (kind == "baby-f-" and n == 100)
    }
    for name, own in recipes.items():
        assert len(own.source) == (1 if "wiki" in name else 7)
        filtered = "baby" in name and "100" not in name
        assert own.filter == (("question-formation", "binding") if filtered else ())
        assert own.put_back is (filtered and "-f-" not in name)
    with pytest.raises(ConfigError, match="CHILDES"):
        load_recipe("posh-baby-10m").with_given({}, {})
