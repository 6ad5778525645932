"""The command that lints published files and measures how often the rules are right on them, on small files of our own."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tools.published_pairs import draw, lint_folder, main, pairs_of, reading_of, sheet_rows


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = tmp_path / "files"
    (files / "one").mkdir(parents=True)
    (files / "two").mkdir()
    rows = [
        {"sentence_good": "The bakers laugh.", "sentence_bad": "The bakers laughs."},
        {"sentence_good": "The widows laughs.", "sentence_bad": "The widows laugh."},
        {"sentence_good": "The sailors laughs.", "sentence_bad": "The sailors laugh."},
    ]
    (files / "one" / "agreement.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    lines = ["Who does Anna wanna wait?", "Why does Anna wanna wait?", "Who does Anna wanna thank?", "Why does Anna wanna thank?"]
    (files / "two" / "wanna.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return files


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def _fill(path: Path, rows: list[dict[str, str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def test_both_shapes_are_read_and_warned_of(folder: Path) -> None:
    assert pairs_of(folder / "two" / "wanna.txt")[0] == ("Why does Anna wanna wait?", "Who does Anna wanna wait?")
    found = lint_folder(folder)
    assert {(w.set, w.file, w.pair, w.code) for w in found} == {
        ("one", "agreement", 2, "L811"),
        ("one", "agreement", 3, "L811"),
        ("two", "wanna", 2, "L809"),
    }
    assert {w.code for w in draw(found, most=1, seed=1)} == {"L811", "L809"}
    assert len(draw(found, most=1, seed=1)) == 2


def test_the_sheet_tells_neither_rule_nor_file(folder: Path) -> None:
    sheet, key = sheet_rows(draw(lint_folder(folder), most=5, seed=1))
    assert [row["id"] for row in sheet] == [row["id"] for row in key]
    assert not {"code", "file", "set", "digest"} & {column for row in sheet for column in row}
    assert not any(code in cell for row in sheet for cell in row.values() for code in ("L811", "L809"))


def test_a_filled_sheet_gives_precision_is_kept_without_texts_and_compared_with_today(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet, key, kept = tmp_path / "sheet.csv", tmp_path / "key.csv", tmp_path / "reading.csv"
    assert main([str(folder), "--sheet", str(sheet), "--key", str(key)]) == 0
    rows = _rows(sheet)
    for row in rows:
        row["true"], row["matters"] = ("no", "") if "wanna" in row["acceptable"] else ("yes", "yes")
    _fill(sheet, rows)
    capsys.readouterr()
    assert main(["--judged", str(sheet), "--key", str(key), "--keep", str(kept)]) == 1
    out = capsys.readouterr().out
    assert "L811: 2 of 2 right, 1.00" in out
    assert "below 0.9: L809" in out
    assert not any(word in kept.read_text(encoding="utf-8") for word in ("widows", "Anna", "thank"))
    (folder / "two" / "wanna.txt").unlink()
    assert main([str(folder), "--reading", str(kept)]) == 0
    assert "2 of 3 judged warnings are given today, of 2 in all" in capsys.readouterr().out


def test_a_pair_that_is_another_today_is_not_counted_as_judged(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet, key, kept = tmp_path / "sheet.csv", tmp_path / "key.csv", tmp_path / "reading.csv"
    main([str(folder), "--sheet", str(sheet), "--key", str(key)])
    _fill(sheet, [row | {"true": "yes", "matters": "yes"} for row in _rows(sheet)])
    main(["--judged", str(sheet), "--key", str(key), "--keep", str(kept)])
    file = folder / "one" / "agreement.jsonl"
    file.write_text(file.read_text(encoding="utf-8").replace("widows", "pilots"), encoding="utf-8")
    capsys.readouterr()
    main([str(folder), "--reading", str(kept)])
    assert "2 of 3 judged warnings are given today, of 3 in all" in capsys.readouterr().out


def test_without_files_nothing_is_measured_and_that_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 1
    assert "nothing was measured" in capsys.readouterr().out


def test_an_answer_that_is_none_and_a_row_without_a_key_are_refused() -> None:
    row = {"id": "001", "true": "perhaps", "matters": ""}
    with pytest.raises(ValueError, match="perhaps"):
        reading_of([row], [])
    with pytest.raises(ValueError, match="001 is not in the key"):
        reading_of([row | {"true": "no"}], [])
    with pytest.raises(ValueError, match="column matters"):
        reading_of([row | {"true": "yes"}], [])
