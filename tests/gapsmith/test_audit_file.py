"""`gapsmith audit`: a published set in, a page and a table out, without a workspace."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Outcome

Run = Callable[..., Outcome]

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
    rows = _table(tmp_path / "pairs.jsonl.audit.csv")
    assert {(r["line"], r["item"], r["condition"], r["code"]) for r in rows} == {
        ("2", "1", "bad", "T005"),
        ("3", "2", "good", "T031"),
        ("3", "2", "bad", "T037"),
        ("4", "3", "", "C101"),
        ("5", "4", "good", "T034"),
    }
    assert next(r for r in rows if r["code"] == "C101")["message"] == "has the same sentences as item 0"
    page = (tmp_path / "pairs.jsonl.audit.html").read_text(encoding="utf-8")
    assert "Who <mark>&lt;b&gt;left&lt;/b&gt;</mark>?" in page
    assert "<b>left" not in page
    assert not list(tmp_path.glob("*.sqlite"))


def test_what_is_missing_doubled_and_empty_in_a_table_is_found_by_its_line(gapsmith: Run, tmp_path: Path) -> None:
    sentences = "".join(f"{n},{name},Dog number {n} has {name * 3} here.\n" for n in range(3) for name in ("a", "b"))
    (tmp_path / "set.csv").write_text(
        f"item,condition,sentence\n{sentences}9,a,One.\n9,a,Two.\n8,a, .\n8,b,Three\u200b.\n8,c,4\n"
    )
    done = gapsmith("audit", "set.csv", "--json", "-o", "out.html")
    assert done.code == 0, done.err
    said = json.loads(done.out)
    assert (said["items"], said["items_with_faults"], said["format"]) == (5, 2, "csv")
    found = {(r["line"], r["item"], r["code"]) for r in _table(tmp_path / "out.csv")}
    assert {("8", "9", "T001"), ("9", "9", "T002"), ("10", "8", "T004"), ("11", "8", "T033")} <= found
    assert "⟨U+200B⟩" in (tmp_path / "out.html").read_text(encoding="utf-8")


def test_a_model_is_asked_with_and_without_the_faulty_items(gapsmith: Run, tmp_path: Path) -> None:
    _pairs(tmp_path / "pairs.jsonl")
    done = gapsmith("audit", "pairs.jsonl", "--model", "bundled", "--json")
    assert done.code == 0, done.err
    by_sum, by_perplexity = json.loads(done.out)["accuracies"]
    assert (by_sum["measure"], by_perplexity["measure"]) == ("sum", "perplexity")
    assert (by_sum["n"], by_sum["n_clean"]) == (5, 1)
    assert by_sum["holds"] >= by_sum["holds_clean"] in (0, 1)
    page = (tmp_path / "pairs.jsonl.audit.html").read_text(encoding="utf-8")
    assert f"({by_sum['holds']} of 5)" in page


def test_a_suites_formulas_are_asked_and_a_reading_of_syntaxgyms_own_is_told(gapsmith: Run, tmp_path: Path) -> None:
    def condition(name: str, *contents: str) -> dict[str, object]:
        regions = [{"region_number": n, "content": content} for n, content in enumerate(contents, 1)]
        return {"condition_name": name, "regions": regions}

    items = [
        {
            "item_number": number,
            "conditions": [
                condition("a", subject, "was in the old house by the sea ."),
                condition("b", f"{subject} was in", "it ."),
            ],
        }
        for number, subject in enumerate(("The dog", "A very old whistle", "Nora", "The harbour wall", "My uncle"), 1)
    ]
    suite = {
        "meta": {"name": "s", "metric": "mean"},
        "region_meta": {"1": "x", "2": "y"},
        "predictions": [{"type": "formula", "formula": "(*;%a%) < (*;%b%)"}],
        "items": items,
    }
    (tmp_path / "s.json").write_text(json.dumps(suite))
    done = gapsmith("audit", "s.json", "-m", "bundled", "--json")
    assert done.code == 0, done.err
    (row,) = json.loads(done.out)["accuracies"]
    assert (row["name"], row["measure"], row["n"]) == ("(*;%a%) < (*;%b%)", "mean", 5)
    page = (tmp_path / "s.json.audit.html").read_text(encoding="utf-8")
    assert ("SyntaxGym adds up the mean" in page) == (row["differs"] > 0)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("none.csv",), "there is no such file"),
        (("pairs.jsonl", "--first", "better"), "no such member"),
        (("pairs.jsonl", "--format", "excel"), "no format 'excel'"),
        (("pairs.jsonl", "-o", "pairs.jsonl"), "is the file that is read"),
        (("pairs.csv", "-o", "pairs.html"), "is the file that is read"),
        (("pairs.jsonl", "-o", "nowhere/page.html"), "cannot be written"),
    ],
)
def test_what_cannot_be_done_is_said_and_nothing_is_lost(
    gapsmith: Run, tmp_path: Path, arguments: tuple[str, ...], says: str
) -> None:
    before = _pairs(tmp_path / "pairs.jsonl").read_text()
    (tmp_path / "pairs.csv").write_text("sentence_good,sentence_bad\nA.,B.\n")
    done = gapsmith("audit", *arguments)
    assert done.code == 2
    assert says in done.err
    assert (tmp_path / "pairs.jsonl").read_text() == before
    assert (tmp_path / "pairs.csv").read_text() == "sentence_good,sentence_bad\nA.,B.\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pairs.csv", "pairs.jsonl"]
