"""The command that lints published files and measures how often the rules are right on them, on small files of our own."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tools.published_pairs import draw_sheet, lint_folder, main, pairs_of, precision_by_code


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = [
        {"sentence_good": "The bakers laugh.", "sentence_bad": "The bakers laughs."},
        {"sentence_good": "The widows laughs.", "sentence_bad": "The widows laugh."},
    ]
    (tmp_path / "agreement.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    lines = ["Who does Anna wanna wait?", "Why does Anna wanna wait?", "Who does Anna wanna thank?", "Why does Anna wanna thank?"]
    (tmp_path / "wanna.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path


def test_both_shapes_are_read_and_warned_of(folder: Path) -> None:
    assert pairs_of(folder / "wanna.txt")[0] == ("Why does Anna wanna wait?", "Who does Anna wanna wait?")
    found = lint_folder(folder)
    assert {key: [hit[0] for hit in hits] for key, hits in found.items()} == {
        ("agreement", "L811"): ["The widows laughs."],
        ("wanna", "L809"): ["Why does Anna wanna thank?"],
    }
    assert len(draw_sheet(found, most=1, seed=1)) == 2


def test_a_filled_sheet_gives_precision_and_fails_below_the_reach(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet = folder / "sheet.csv"
    assert main([str(folder), "--out", str(sheet)]) == 0
    with sheet.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    for row in rows:
        row["right"] = "yes" if row["code"] == "L811" else "no"
    assert precision_by_code(rows) == {"L809": (0, 1), "L811": (1, 1)}
    with sheet.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    capsys.readouterr()
    assert main(["--judged", str(sheet)]) == 1
    assert "below 0.9: L809" in capsys.readouterr().out


def test_without_files_nothing_is_measured_and_that_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 1
    assert "nothing was measured" in capsys.readouterr().out


def test_another_word_than_yes_or_no_is_refused() -> None:
    with pytest.raises(ValueError, match="perhaps"):
        precision_by_code([{"code": "L811", "right": "perhaps"}])
