"""`gapsmith audit`: a published set in, a page and a table out, without a workspace."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from statistics import fmean

import pytest

from gapsmith.scoring.lm import open_engine
from gapsmith.scoring.lm.engine import Request
from tests.conftest import CommandOutcome
from tests.interface import expect_table
from tests.printed import result

Run = Callable[..., CommandOutcome]

PAIRS = [
    {"sentence_good": "The boys sleep.", "sentence_bad": "The boys sleeps.", "pairID": "0"},
    {"sentence_good": "The girl runs.", "sentence_bad": "The girl runs.", "pairID": "1"},
    {"sentence_good": "A man left .", "sentence_bad": "*A man leave.", "pairID": "2"},
    {"sentence_good": "The boys sleep.", "sentence_bad": "The boys sleeps.", "pairID": "3"},
    {"sentence_good": "Who <b>left</b>?", "sentence_bad": "Who leave?", "pairID": "4"},
]


def _pairs(path: Path) -> Path:
    path.write_text("".join(json.dumps(pair) + "\n" for pair in PAIRS))
    return path


def _table(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"), newline="")))


def test_a_set_of_pairs_is_audited_without_a_workspace(gapsmith: Run, tmp_path: Path) -> None:
    _pairs(tmp_path / "pairs.jsonl")
    done = gapsmith("audit", "pairs.jsonl")
    assert done.code == 0, done.err
    assert "minimal pairs as JSON lines" in done.err
    assert "4 of 5 items have a fault" in done.err
    expect_table("audit.csv", (tmp_path / "pairs.jsonl.audit.csv").read_text(encoding="utf-8"))
    rows = _table(tmp_path / "pairs.jsonl.audit.csv")
    assert {(r["line"], r["item"], r["condition"], r["code"]) for r in rows} == {
        ("2", "1", "bad", "T005"),
        ("3", "2", "good", "T031"),
        ("3", "2", "bad", "T037"),
        ("1", "0", "", "C101"),
        ("4", "3", "", "C101"),
        ("5", "4", "good", "T034"),
    }
    copies = {r["item"]: (r["severity"], r["message"]) for r in rows if r["code"] == "C101"}
    assert copies == {"0": ("info", "has the same sentences as item 3"), "3": ("warning", "has the same sentences as item 0")}
    page = (tmp_path / "pairs.jsonl.audit.html").read_text(encoding="utf-8")
    assert "Who <mark>&lt;b&gt;left&lt;/b&gt;</mark>?" in page
    assert "<b>left" not in page
    assert page.index('href="#the-content"') < page.index('<main id="the-content"'), "no way past the head by keyboard"
    assert not list(tmp_path.glob("*.sqlite"))


def test_what_is_missing_doubled_and_empty_in_a_table_is_found_by_its_line(gapsmith: Run, tmp_path: Path) -> None:
    sentences = "".join(f"{n},{name},Dog number {n} has {name * 3} here.\n" for n in range(3) for name in ("a", "b"))
    (tmp_path / "set.csv").write_text(
        f"item,condition,sentence\n{sentences}9,a,One.\n9,a,Two.\n8,a, .\n8,b,Three\u200b.\n8,c,4\n"
    )
    done = gapsmith("audit", "set.csv", "--json", "-o", "out.html")
    assert done.code == 0, done.err
    said = result(done.out)
    assert (said["items"], said["items_with_faults"], said["format"]) == (5, 2, "csv")
    found = {(r["line"], r["item"], r["code"]) for r in _table(tmp_path / "out.csv")}
    assert {("8", "9", "T001"), ("9", "9", "T002"), ("10", "8", "T004"), ("11", "8", "T033")} <= found
    assert "⟨U+200B⟩" in (tmp_path / "out.html").read_text(encoding="utf-8")


def test_a_model_is_asked_with_and_without_the_faulty_items(gapsmith: Run, tmp_path: Path) -> None:
    _pairs(tmp_path / "pairs.jsonl")
    done = gapsmith("audit", "pairs.jsonl", "--model", "bundled", "--json")
    assert done.code == 0, done.err
    by_sum, by_perplexity = result(done.out)["accuracies"]
    assert (by_sum["measure"], by_perplexity["measure"]) == ("sum", "perplexity")
    assert (by_sum["n"], by_sum["n_clean"]) == (4, 1), "a pair that stands twice is one"
    assert by_sum["holds"] >= by_sum["holds_clean"] in (0, 1)
    page = (tmp_path / "pairs.jsonl.audit.html").read_text(encoding="utf-8")
    assert f"({by_sum['holds']} of 4)" in page


def test_a_suites_formulas_are_asked_and_a_reading_of_syntaxgyms_own_is_told(gapsmith: Run, tmp_path: Path) -> None:
    def condition(name: str, *contents: str) -> dict[str, object]:
        regions = [{"region_number": n, "content": content} for n, content in enumerate(contents, 1)]
        return {"condition_name": name, "regions": regions}

    subjects = ("The dog", "A very old whistle", "Nora", "The harbour wall", "My uncle")
    items = [
        {
            "item_number": number,
            "conditions": [
                condition("a", subject, "was in the old house by the sea ."),
                condition("b", "It was in", "it ."),
            ],
        }
        for number, subject in enumerate(subjects, 1)
    ]
    # Nothing has no mean: SyntaxGym has no answer for these, which is no other answer.
    items += [
        {"item_number": number, "conditions": [condition("a", "The dog ran .", ""), condition("b", "It", "ran .")]}
        for number in (6, 7)
    ]
    suite = {
        "meta": {"name": "s", "metric": "mean"},
        "region_meta": {"1": "x", "2": "y"},
        "predictions": [
            {"type": "formula", "formula": formula}
            for formula in ("(2;%a%) < [(2;%b%)", "(*;%a%) < (*;%b%)", "(2;%a%) - (2;%b%)", "(9;%a%) < (2;%b%)")
        ],
        "items": items,
    }
    (tmp_path / "s.json").write_text(json.dumps(suite))
    done = gapsmith("audit", "s.json", "-m", "bundled", "--json")
    assert done.code == 0, done.err
    (row,) = result(done.out)["accuracies"]
    assert (row["name"], row["measure"], row["n"]) == ("(*;%a%) < (*;%b%)", "mean", 6), "the last two are one"
    assert row["one_sided"] == 2
    # By hand: the mean over all tokens, against the means over each region's, added up.
    engine = open_engine("bundled")

    def means(first: str, second: str) -> tuple[float, float]:
        ((tokens,),) = engine.score([Request(f"{first} {second}")])
        cut = sum(end <= len(first) for _, end in tokens.spans.tolist())
        return fmean(tokens.bits), fmean(tokens.bits[:cut]) + fmean(tokens.bits[cut:])

    whole, added = means("It was in", "it .")
    by_hand = [means(subject, "was in the old house by the sea .") for subject in subjects]
    differs = sum((own < whole) != (other < added) for own, other in by_hand)
    assert row["differs"] == differs > 0
    page = (tmp_path / "s.json.audit.html").read_text(encoding="utf-8")
    assert "SyntaxGym adds up the mean" in page
    assert f"different answers for {row['differs'] or 'no'} item" in page
    assert "For 2 items only one of the two has an answer" in page
    # One prediction that cannot be asked does not stop the others.
    assert [entry["number"] for entry in result(done.out)["left_out"]] == [1, 3, 4]
    for said in (done.err, page.replace("<code>", "").replace("</code>", "").replace("&#x27;", "'")):
        assert "rediction 1, (2;%a%) <" in said.replace("&lt;", "<")
        assert "cannot be read at character 11" in said
        assert "rediction 3, (2;%a%) - (2;%b%)" in said
        assert "it is a difference" in said
        assert "there is no condition or region '9' in the file" in said
    assert "s.json: prediction 1" in done.err
    without = gapsmith("audit", "s.json").err
    assert ("prediction 1" in without, "prediction 3" in without) == (True, False)


def test_a_model_about_which_the_file_says_nothing_is_not_asked_and_the_page_says_so(gapsmith: Run, tmp_path: Path) -> None:
    (tmp_path / "set.csv").write_text("item,condition,sentence\n1,a,The dog  ran.\n1,b,The dog runs.\n")
    done = gapsmith("audit", "set.csv", "--model", "bundled")
    assert done.code == 0, done.err
    page = (tmp_path / "set.csv.audit.html").read_text(encoding="utf-8")
    for said in (done.err, page.replace("<code>", "`").replace("</code>", "`")):
        assert "bundled was not asked: nothing in the file says what should be more probable than what" in said
        assert "`gapsmith import` makes a paradigm" in said
    assert "1 of 1 item has a fault" in done.err
    assert ("1 item, 2 sentences" in page, "1 finding<" in page) == (True, True)
    assert "was not asked" not in gapsmith("audit", "set.csv").err


def test_the_table_is_written_over_a_table_of_findings_only(gapsmith: Run, tmp_path: Path) -> None:
    _pairs(tmp_path / "pairs.jsonl")
    for _ in range(2):
        assert gapsmith("audit", "pairs.jsonl", "-o", "out.html").code == 0
    (tmp_path / "mine.csv").write_text("item,condition,sentence\n")
    done = gapsmith("audit", "pairs.jsonl", "-o", "mine.html")
    assert (done.code, "mine.csv: is there already and is no table of findings" in done.err) == (2, True)
    assert (tmp_path / "mine.csv").read_text() == "item,condition,sentence\n"
    assert not (tmp_path / "mine.html").exists()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("none.csv",), "there is no such file"),
        (("pairs.jsonl", "--first", "better"), "--first: there is no 'better'"),
        (("pairs.jsonl", "--format", "excel"), "no format 'excel'"),
        (("pairs.jsonl", "-o", "pairs.jsonl"), "is the file that is read"),
        (("pairs.csv", "-o", "pairs.html"), "is the file that is read"),
        (("pairs.jsonl", "-o", "pairs.csv/page.html"), "cannot be written"),
        (("pairs.jsonl", "-o", "out.csv"), "Name the page otherwise, such as --out out.audit.html"),
        (("pairs.jsonl", "-o", "."), "is a directory"),
        (("slots.jsonl",), "holds slots and no sentences"),
        (("my slots.jsonl",), "`gapsmith import 'my slots.jsonl'` makes the sentences"),
        (("odd.csv",), "No page was written."),
    ],
)
def test_what_cannot_be_done_is_said_and_nothing_is_lost(
    gapsmith: Run, tmp_path: Path, arguments: tuple[str, ...], says: str
) -> None:
    before = _pairs(tmp_path / "pairs.jsonl").read_text()
    (tmp_path / "pairs.csv").write_text("sentence_good,sentence_bad\nA.,B.\n")
    for name in ("slots.jsonl", "my slots.jsonl"):
        (tmp_path / name).write_text('{"item": "1", "slots": {"matrix": "I know"}}\n')
    (tmp_path / "odd.csv").write_text("odd\n")
    there = sorted(tmp_path.iterdir())
    done = gapsmith("audit", *arguments)
    assert done.code == 2
    assert says in done.err
    assert "imported" not in done.err
    assert (tmp_path / "pairs.jsonl").read_text() == before
    assert (tmp_path / "pairs.csv").read_text() == "sentence_good,sentence_bad\nA.,B.\n"
    assert sorted(tmp_path.iterdir()) == there


def test_an_audit_ends_with_1_where_it_is_told_to_and_prints_what_is_so_severe(gapsmith: Run, tmp_path: Path) -> None:
    _pairs(tmp_path / "pairs.jsonl")
    found = gapsmith("audit", "pairs.jsonl", "--fail-on", "error")
    assert found.code == 1
    assert "pairs.jsonl:3: error T037, item 2 (bad): " in found.err
    assert (tmp_path / "pairs.jsonl.audit.html").is_file(), "page and table are written all the same"
    assert gapsmith("audit", "pairs.jsonl", "--fail-on", "error", "--json").code == 1
    assert "error T037" not in gapsmith("audit", "pairs.jsonl", "--fail-on", "never").err
    (tmp_path / "sound.jsonl").write_text(json.dumps(PAIRS[0]) + "\n", encoding="utf-8")
    assert gapsmith("audit", "sound.jsonl", "--fail-on", "error").code == 0
