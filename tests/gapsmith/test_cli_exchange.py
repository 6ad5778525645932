"""Import, export and decide through the command line, on real files."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pandas
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gapsmith.bank.formats import defuse, looks_like_formula
from tests.conftest import CommandOutcome

Run = Callable[..., CommandOutcome]

FOUR = """sentence_type,item_id,condition,full_sentence
subject_pg,A1,PFPG,I know who the story about is likely to amuse soon.
subject_pg,A1,MFPG,I know that the story about Mary is likely to amuse soon.
subject_pg,A1,PFMG,I know who the story about is likely to amuse Anna soon.
subject_pg,A1,MFMG,I know that the story about Mary is likely to amuse Anna soon.
subject_pg,007,PFPG,She heard who the critique of is going to upset eventually.
subject_pg,007,MFPG,She heard that the critique of Tom is going to upset eventually.
subject_pg,007,PFMG,She heard who the critique of is going to upset Ben eventually.
subject_pg,007,MFMG,She heard that the critique of Tom is going to upset Ben eventually.
"""


@pytest.fixture
def four(tmp_path: Path) -> Path:
    path = tmp_path / "four.csv"
    path.write_text(FOUR, encoding="utf-8")
    return path


def test_a_four_condition_file_comes_back_as_it_was(gapsmith: Run, four: Path) -> None:
    assert gapsmith("import", four, "-p", "subject_pg").code == 0
    out = gapsmith("export", "csv", "--design", "lan2x2", "--all")
    assert (out.code, out.out) == (0, FOUR)


def test_an_eight_condition_file_comes_back_as_it_was(gapsmith: Run, tmp_path: Path) -> None:
    gapsmith("generate", "subject_pg", "-n", "5", "--seed", "3")
    first = gapsmith("export", "csv", "--all").out
    assert len(first.splitlines()) == 41
    path = tmp_path / "eight.csv"
    path.write_text(first, encoding="utf-8")
    gapsmith("init", "other")
    assert gapsmith("import", path, "-p", "subject_pg", "-w", "other").code == 0
    assert gapsmith("export", "csv", "--all", "-w", "other").out == first


def test_slots_come_back_as_they_were_and_realise_the_same_sentences(gapsmith: Run, tmp_path: Path) -> None:
    gapsmith("generate", "subject_pg", "-n", "5", "--seed", "3")
    slots = gapsmith("export", "slots", "--all").out
    path = tmp_path / "slots.jsonl"
    path.write_text(slots, encoding="utf-8")
    gapsmith("init", "other")
    assert gapsmith("import", path, "-p", "subject_pg", "-w", "other").code == 0
    assert gapsmith("export", "slots", "--all", "-w", "other").out == slots
    assert gapsmith("export", "csv", "--all", "-w", "other").out == gapsmith("export", "csv", "--all").out


def test_imported_sentences_read_back_into_slots(gapsmith: Run, four: Path) -> None:
    gapsmith("import", four, "-p", "subject_pg")
    entries = [json.loads(line) for line in gapsmith("export", "slots", "--all").out.splitlines()]
    assert [entry["item"] for entry in entries] == ["A1", "007"]
    assert entries[1]["slots"]["matrix"] == "She heard"
    assert entries[1]["slots"]["linker"] == "is going to"


def test_the_same_file_twice_is_imported_once(gapsmith: Run, four: Path) -> None:
    gapsmith("import", four, "-p", "subject_pg")
    again = gapsmith("import", four, "-p", "subject_pg")
    assert again.code == 0
    assert "already" in again.err
    assert len(gapsmith("export", "slots", "--all").out.splitlines()) == 2


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("item_id,condition", "who,what", 1, "cannot tell what its columns are"),
        ("full_sentence\n", "full_sentence,more\n", 2, "4 cells where the first row has 5"),
        ("A1,PFMG", "A1,XXMG", 4, "XXMG"),
        ("subject_pg,007,PFPG", "adjunct_pg,007,PFPG", 6, "adjunct_pg"),
        ("subject_pg,A1,PFPG", "subject_pg,,PFPG", 2, "item_id"),
        ("Mary is likely to amuse soon", "Mary, is likely to amuse soon", 3, "5 cells"),
        ("amuse Anna", '"amuse" Anna", ', 4, "cells"),
    ],
)
def test_a_structural_fault_refuses_the_file_with_its_line(
    gapsmith: Run, four: Path, old: str, new: str, line: int, message: str
) -> None:
    four.write_text(FOUR.replace(old, new, 1), encoding="utf-8")
    outcome = gapsmith("import", four, "-p", "subject_pg")
    assert outcome.code == 2
    assert f"four.csv, line {line}:" in outcome.err
    assert message in outcome.err
    assert gapsmith("export", "csv", "--all").code != 0


def test_a_file_in_another_encoding_is_refused_with_its_line(gapsmith: Run, four: Path) -> None:
    four.write_bytes(FOUR.replace("Anna", "Ánna", 1).encode("latin-1"))
    outcome = gapsmith("import", four, "-p", "subject_pg")
    assert outcome.code == 2
    assert "line 4: is not UTF-8" in outcome.err


@pytest.mark.parametrize("mangle", [lambda t: "\ufeff" + t, lambda t: t.replace(",", ";"), lambda t: t.replace("\n", "\r\n")])
def test_what_spreadsheets_do_to_a_file_is_understood(gapsmith: Run, four: Path, mangle: Callable[[str], str]) -> None:
    four.write_bytes(mangle(FOUR).encode())
    assert gapsmith("import", four, "-p", "subject_pg").code == 0
    assert gapsmith("export", "--all").out == mangle(FOUR)
    assert gapsmith("export", "slots", "--all").out.count("She heard") == 1


def test_missing_doubled_and_malformed_cells_come_in(gapsmith: Run, four: Path) -> None:
    lines = FOUR.splitlines(keepends=True)
    four.write_text("".join([*lines[:4], lines[3].replace("story", "tale"), *lines[5:]]), encoding="utf-8")
    refused = gapsmith("import", four, "-p", "subject_pg")
    assert (refused.code, "--format csv" in refused.err) == (2, True)
    assert gapsmith("import", four, "-p", "subject_pg", "--format", "csv").code == 0
    rows = list(csv.DictReader(io.StringIO(gapsmith("export", "csv", "--design", "lan2x2", "--all").out)))
    assert [row["condition"] for row in rows if row["item_id"] == "A1"] == ["PFPG", "MFPG", "PFMG", "PFMG"]
    assert any("tale" in row["full_sentence"] for row in rows)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"slots": {"noun": 1}}', "not text"),
        ('{"slots": {"nuon": "x"}}', "nuon"),
        ('{"slots": {"noun": "story"}}', "has the value None"),
        ("{", "not JSON"),
        ('["a"]', "slots"),
        ('{"item": 1, "slots": {}}', "slots"),
    ],
)
def test_a_bad_line_of_slots_is_refused(gapsmith: Run, tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "slots.jsonl"
    path.write_text(text + "\n", encoding="utf-8")
    outcome = gapsmith("import", path, "-p", "subject_pg")
    assert outcome.code == 2
    assert "line 1" in outcome.err
    assert message in outcome.err


def test_long_csv_and_parquet_hold_the_same_table(gapsmith: Run, four: Path, tmp_path: Path) -> None:
    gapsmith("import", four, "-p", "subject_pg")
    gapsmith("decide", "approve", "A1", "007", "--by", "ann")
    out = gapsmith("export", "long").out
    gapsmith("export", "parquet", "-o", tmp_path / "x.parquet")
    text = pandas.read_csv(io.StringIO(out), dtype={"item": str})
    table = pandas.read_parquet(tmp_path / "x.parquet")
    assert list(text.columns) == list(table.columns)
    assert len(text) == len(table) == 2 * 4 * 10
    assert set(text["item"]) == {"A1", "007"}
    assert text["value"].isna().all()
    assert set(text["reason"]) == {"the sentence has not been scored"}
    assert set(text["filler_code"]) == {0.5, -0.5}


def test_only_approved_items_go_out_unless_all_is_said(gapsmith: Run, four: Path) -> None:
    gapsmith("import", four, "-p", "subject_pg")
    refused = gapsmith("export", "slots")
    assert refused.code == 1
    assert "--all" in refused.err
    gapsmith("decide", "approve", "007", "--by", "ann")
    assert len(gapsmith("export", "slots").out.splitlines()) == 1


def test_excel_gets_its_byte_order_mark_on_request_only(gapsmith: Run, four: Path) -> None:
    gapsmith("import", four, "-p", "subject_pg")
    assert gapsmith("export", "csv", "--all", "--excel").out.startswith("\ufeff")
    assert not gapsmith("export", "csv", "--all").out.startswith("\ufeff")


def test_cells_that_a_spreadsheet_would_run_are_counted_and_defused_on_request(gapsmith: Run, four: Path) -> None:
    four.write_text(FOUR.replace("I know who the story about is likely to amuse soon.", "=1+1", 1), encoding="utf-8")
    gapsmith("import", four, "-p", "subject_pg")
    plain = gapsmith("export", "csv", "--design", "lan2x2", "--all")
    assert ",=1+1\n" in plain.out
    assert "1 cell would be run as a formula" in plain.err
    assert ",'=1+1\n" in gapsmith("export", "csv", "--design", "lan2x2", "--all", "--defuse").out


@settings(deadline=None)
@given(st.lists(st.lists(st.text(max_size=8), min_size=2, max_size=2), min_size=1, max_size=5))
def test_defusing_changes_formula_cells_only(table: list[list[str]]) -> None:
    out = io.StringIO(newline="")
    csv.writer(out).writerows(table)
    rows = list(csv.reader(io.StringIO(out.getvalue(), newline="")))
    text, changed = defuse(out.getvalue())
    after = list(csv.reader(io.StringIO(text, newline="")))
    assert [
        [c.removeprefix("'") if looks_like_formula(o) else c for c, o in zip(a, b, strict=True)]
        for a, b in zip(after, rows, strict=True)
    ] == rows
    assert changed == sum(looks_like_formula(cell) for row in rows for cell in row)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=60))
def test_any_text_in_a_cell_survives_import_and_export(gapsmith: Run, tmp_path: Path, text: str) -> None:
    path = tmp_path / "any.csv"
    for leftover in [*tmp_path.glob("bank.sqlite*"), tmp_path / "gapsmith.toml"]:
        leftover.unlink(missing_ok=True)
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(["sentence_type", "item_id", "condition", "full_sentence"])
    writer.writerow(["subject_pg", "1", "PFPG", text])
    path.write_text(out.getvalue(), encoding="utf-8", newline="")
    # What is no sentence would be asked about; whoever names the format takes the cells as they are.
    assert gapsmith("import", path, "-p", "subject_pg", "--format", "csv").code == 0
    assert gapsmith("export", "csv", "--design", "lan2x2", "--all", "-o", tmp_path / "back.csv").code == 0
    rows = list(csv.reader(io.StringIO((tmp_path / "back.csv").read_bytes().decode(), newline="")))
    assert rows[1][3] == text


def decided(gapsmith: Run) -> dict[str, int]:
    """How many items each status exports."""
    counts = {}
    for status in ("approved", "excluded", "flagged", "pending"):
        outcome = gapsmith("export", "slots", "--status", status)
        counts[status] = len(outcome.out.splitlines()) if outcome.code == 0 else 0
    return counts


def test_decide_by_id_filter_file_and_policy(gapsmith: Run, four: Path, tmp_path: Path) -> None:
    gapsmith("import", four, "-p", "subject_pg")
    gapsmith("generate", "subject_pg", "-n", "6", "--seed", "1")
    assert gapsmith("decide", "exclude", "A1", "--by", "ann").code == 2
    assert gapsmith("decide", "exclude", "A1", "--by", "ann", "-r", "unnatural").code == 0
    assert gapsmith("decide", "flag", "--text", "critique of", "-d", "four", "--by", "ann").code == 0
    decisions = tmp_path / "d.csv"
    decisions.write_text("item,decision,reason\n1,approve,\n2,exclude,implausible\n", encoding="utf-8")
    bare = gapsmith("decide", "--csv", decisions, "-d", "generated", "--by", "bob")
    assert (bare.code, "d.csv, line 2: item '1' is named by its id alone" in bare.err, "--our-ids" in bare.err) == (
        2,
        True,
        True,
    )
    assert gapsmith("decide", "--csv", decisions, "-d", "generated", "--by", "bob", "--our-ids").code == 0
    assert decided(gapsmith) == {"approved": 1, "excluded": 2, "flagged": 1, "pending": 4}
    early = gapsmith("decide", "--policy", "clean", "-d", "generated")
    assert early.code == 1
    assert "gapsmith lint" in early.err
    assert gapsmith("lint", "--fail-on", "never").code == 0
    assert gapsmith("decide", "--policy", "clean", "-d", "generated").code == 0
    assert decided(gapsmith) == {"approved": 5, "excluded": 2, "flagged": 1, "pending": 0}


def test_a_bad_line_in_a_decision_file_decides_nothing(gapsmith: Run, four: Path, tmp_path: Path) -> None:
    gapsmith("import", four, "-p", "subject_pg")
    decisions = tmp_path / "d.csv"
    for text, message in [
        ("item,decision\nA1,approve\n999,approve\n", "line 3"),
        ("item,decision\nA1,maybe\n", "line 2"),
        ("item,decision\nA1,exclude\n", "reason"),
    ]:
        decisions.write_text(text, encoding="utf-8")
        outcome = gapsmith("decide", "--csv", decisions, "--by", "ann", "--our-ids")
        assert outcome.code == 2
        assert message in outcome.err
    assert decided(gapsmith)["pending"] == 2


def test_an_id_that_two_data_sets_have_must_be_told_apart(gapsmith: Run, four: Path) -> None:
    gapsmith("import", four, "-p", "subject_pg")
    gapsmith("import", four, "-p", "subject_pg", "-d", "again")
    assert "--dataset" in gapsmith("decide", "approve", "A1", "--by", "ann").err
    assert gapsmith("decide", "approve", "A1", "-d", "again", "--by", "ann").code == 0


def test_deciding_on_nothing_in_particular_is_refused(gapsmith: Run, four: Path) -> None:
    gapsmith("import", four, "-p", "subject_pg")
    assert gapsmith("decide").code == 2
    assert gapsmith("decide", "approve", "--by", "ann").code == 2
    assert gapsmith("decide", "approve", "nobody", "--by", "ann").code == 2
    assert gapsmith("decide", "applaud", "A1", "--by", "ann").code == 2


def test_a_link_is_written_through_and_a_device_stays_a_device(gapsmith: Run, tmp_path: Path) -> None:
    gapsmith("generate", "embedded_wh", "-n", "2")
    kept, link = tmp_path / "kept" / "items.csv", tmp_path / "link.csv"
    kept.parent.mkdir()
    link.symlink_to(kept)
    assert gapsmith("export", "csv", "--all", "-o", link).code == 0
    assert link.is_symlink()
    assert kept.read_text(encoding="utf-8").count("\n") == 9
    full = Path("/dev/full")
    if full.exists():
        refused = gapsmith("export", "csv", "--all", "-o", full)
        assert (refused.code, "cannot be written" in refused.err) == (2, True)
        assert full.is_char_device()
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE) as reader:
        assert gapsmith("export", "csv", "--all", "-o", pipe).code == 0
        out, _ = reader.communicate(timeout=30)
    assert out == kept.read_bytes()
    assert pipe.is_fifo()


def test_a_link_in_a_circle_is_said_and_one_that_was_laid_out_is_not_followed(gapsmith: Run, tmp_path: Path) -> None:
    gapsmith("generate", "embedded_wh", "-n", "2")
    loop, mine = tmp_path / "loop", tmp_path / "mine.txt"
    loop.symlink_to(loop)
    refused = gapsmith("export", "csv", "--all", "-o", loop)
    assert (refused.code, "leads round in a circle" in refused.err) == (2, True)
    mine.write_text("mine")
    (tmp_path / ".items.csv.part").symlink_to(mine)
    assert gapsmith("export", "csv", "--all", "-o", "items.csv").code == 0
    assert mine.read_text() == "mine"
    assert (tmp_path / "items.csv").read_text(encoding="utf-8").count("\n") == 9
