"""Files that say where their items stand, and say it otherwise than readers expect, have a command each that is printed and takes them: sheets,
columns side by side, a key of the good sentence, rows to leave out, items that nothing numbers."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from openpyxl import Workbook

from gapsmith.bank.formats import ForeignSet, ReadOptions, SourceFile, read_foreign
from gapsmith.bank.formats.leaving_out import as_numbers, left_out_of, without_lines
from gapsmith.templates import FormatError
from tests.bank.test_every_reader_is_looked_over import CLEAN, FILES
from tests.bank.test_offered_commands import put, refused, sentences, taken
from tests.bank.test_shapes_of_strangers import commands, said

PAIRS = [(n, one, other) for n, (one, other) in enumerate(CLEAN, 1)]
ALL = sorted(sorted(pair) for pair in CLEAN)
ROWS = [(n, c, text) for n, *pair in PAIRS for c, text in zip(("sg", "pl"), pair, strict=True)]


def table(head: str, line: Callable[[int, str, str], str], rows: Sequence[tuple[int, str, str]] = ROWS) -> str:
    return f"{head}\n" + "".join(f"{line(*row)}\n" for row in rows)


def turned(n: int, one: str, other: str) -> tuple[str, str]:
    return (one, other) if n % 2 else (other, one)


LONG = table("item,condition,sentence", lambda n, c, t: f"{n},{c},{t}")
SIDE = table(
    "item,list1_cond,list1_sentence,list2_cond,list2_sentence",
    lambda n, one, other: ",".join([str(n), *(x for t in turned(n, one, other) for x in ("sg" if t == one else "pl", t))]),
    PAIRS,
)
AGAIN = [(3, "sg", "The nurse beside the doctors is tired."), (3, "pl", "The nurse beside the doctors are tired.")]
CORRECTED = sorted([*(own for own in ALL if "nurse" not in own[0]), sorted(t for *_, t in AGAIN)])
PAGES = (
    "Agreement in noun phrases      417\n\n"
    + "".join(f"{n}. The {a} near the {b} {{is/are}} shown to the care-\ntaker.\n" for n, (a, b, _) in enumerate((("door", "windows", ""),
      ("nurse", "doctors", ""), ("boat", "sailors", "")), 1))
    + "\n418      K. Lund\n"
)  # fmt: skip

WAYS: dict[str, tuple[str, str, str, list[list[str]]]] = {
    "lists side by side": ("a.csv", SIDE, "--stack", ALL),
    "headings twice": (
        "a.csv",
        table(
            "nr;sentence;rating;sentence;rating",
            lambda n, one, other: f"{n};{one};4,{n};{other};2,{n}",
            PAIRS,
        ),
        "--stack",
        ALL,
    ),
    "pairs side by side": (
        "a.csv",
        "item,good,bad,item,good,bad\n"
        + "".join(
            f"{n},{one},{other},{m},{third},{fourth}\n"
            for (n, one, other), (m, third, fourth) in zip(PAIRS[:4], PAIRS[4:], strict=True)
        ),
        "--stack",
        ALL,
    ),
    "key of JSON lines": (
        "a.jsonl",
        "".join(
            json.dumps(
                {"id": n, "sentence_a": turned(n, *own)[0], "sentence_b": turned(n, *own)[1], "correct": "a" if n % 2 else "b"}
            )
            + "\n"
            for n, *own in PAIRS
        ),
        "--good correct=a",
        ALL,
    ),
    "codes": (
        "a.tsv",
        table("code\tsentence", lambda n, c, t: f"S{n:02}{c}\t{t}", ROWS[::2] + ROWS[1::2]),
        "--item-column code",
        ALL,
    ),
    "no numbers": (
        "a.csv",
        table("cond,text", lambda _, c, t: f"{c},{t}", sorted(ROWS, key=lambda own: (own[0] * 5 + len(own[1] + own[2])) % 7)),
        "--items-by-words",
        ALL,
    ),
    "lists with titles": (
        "a.txt",
        "List A\nno.\tcond\tsentence\n"
        + "".join(f"{n}\t{c}\t{t}\n" for n, c, t in ROWS if (c == "sg") == (n % 2 == 1))
        + "\nList B\nno.\tcond\tsentence\n"
        + "".join(f"{9 - n}\t{c}\t{t}\n" for n, c, t in ROWS[::-1] if (c == "sg") != (n % 2 == 1)),
        "--items-by-words",
        ALL,
    ),
    "rows corrected below": (
        "a.csv",
        LONG + "".join(f"{n},{c},{t}\n" for n, c, t in AGAIN),
        "--leave-out 6-7",
        CORRECTED,
    ),
    "lines corrected below": (
        "a.txt",
        "".join(f"{n}{'ab'[c == 'pl']}. {t}\n" for n, c, t in [*ROWS, *AGAIN]),
        "--leave-out 5-6",
        CORRECTED,
    ),
    "records corrected below": (
        "a.jsonl",
        "".join(json.dumps({"item": n, "cond": c, "text": t}) + "\n" for n, c, t in [*ROWS[::-1], *AGAIN]),
        "--leave-out 12-13",
        CORRECTED,
    ),
    "struck by a status": (
        "a.csv",
        table("item,condition,sentence,status", lambda n, c, t: f"{n},{c},{t},{'struck' if n == 3 else 'ok'}"),
        "--leave-out status=struck",
        [own for own in ALL if "nurse" not in own[0]],
    ),
    "practice under a heading": (
        "a.txt",
        "Practice:\nA dog barked.\nA dog barking.\n\nExperiment:\n" + "".join(f"{one}\n*{other}\n" for _, one, other in PAIRS),
        "--leave-out 1-3,5",
        ALL,
    ),
    "copied pages": (
        "a.txt",
        PAGES,
        "--wrapped",
        sorted(
            sorted(f"The {a} near the {b} {verb} shown to the caretaker." for verb in ("is", "are"))
            for a, b in (("door", "windows"), ("nurse", "doctors"), ("boat", "sailors"))
        ),
    ),
    "a column without a heading": (
        "a.csv",
        table("item,,condition,sentence", lambda n, c, t: f"{n},x{n},{c},{t}"),
        "--headings item,column_2,condition,sentence",
        ALL,
    ),
}


@pytest.mark.parametrize("name", WAYS)
def test_every_command_takes_the_file_and_one_takes_all_of_it(tmp_path: Path, name: str) -> None:
    file, text, option, items = WAYS[name]
    path = put(tmp_path, file, text)
    command, found = taken(path)
    assert option in command
    assert sentences(found) == items


@pytest.mark.parametrize("part", [0, 1])
def test_each_of_two_tables_under_titles_is_read_where_the_other_is_left_out(tmp_path: Path, part: int) -> None:
    for again, between in (("item,type,sentence\n", "\nEXPERIMENT 2\n"), ("type,item,sentence\n", "")):
        top = "EXPERIMENT 1\n" if between else ""
        rows = [f"{n},{c},{t}\n" for n, c, t in ROWS[:8]]
        below = [f"{n},{c},{t}\n" if between else f"{c},{n},{t}\n" for n, c, t in ROWS[8:]]
        path = put(tmp_path, "a.csv", f"{top}item,type,sentence\n{''.join(rows)}{between}{again}{''.join(below)}")
        options, format = said(commands(refused(path))[part])
        assert options.leave_out
        own = CLEAN[4:] if part else CLEAN[:4]
        assert sentences(read_foreign(SourceFile(path, options), format=format)) == sorted(sorted(pair) for pair in own)


def book(path: Path, sheets: dict[str, list[list[object]]]) -> Path:
    made = Workbook()
    made.remove(made.worksheets[0])
    for name, rows in sheets.items():
        sheet = made.create_sheet(name)
        for row in rows:
            sheet.append(row)
    made.save(path)
    return path


def test_every_sheet_has_a_command_and_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    head: list[list[object]] = [["Items (final)"], [None, "which", None, "remarks"], ["item", "bad", "good", None]]
    final: list[list[object]] = [[n, other, one, "check" if n == 2 else None] for n, one, other in PAIRS]
    path = book(
        tmp_path / "a.xlsx",
        {
            "README": [["Sheet items is final."]],
            "old": [["item", "good", "bad"], *([n, f"Old: {one}", other] for n, one, other in PAIRS)],
            "items": [*head, *final],
        },
    )
    error = refused(path)
    first, second = commands(error)
    assert "--sheet README it is refused" in error.hint
    assert ["--sheet items" in first, "--sheet old" in second] == [True, True]
    options, format = said(first)
    found = read_foreign(SourceFile(path, options), format=format)
    assert [tuple(s.text for s in sorted(item.sentences, key=lambda s: s.condition != "good")) for item in found.items] == list(
        CLEAN
    )


def test_headings_in_two_rows_below_a_title_are_one_where_only_both_tell_columns_apart(tmp_path: Path) -> None:
    rows: list[list[object]] = [
        [n, one, other, one.replace("near", "behind"), other.replace("near", "behind")] for n, one, other in PAIRS
    ]
    head: list[list[object]] = [["Materials"], [None, "Near", None, "Behind", None], ["Item", "Sg", "Pl", "Sg", "Pl"]]
    path = book(tmp_path / "a.xlsx", {"notes": [["by K. L."]], "final": [*head, *rows]})
    (command,) = commands(refused(path))
    assert "--header-row 2 --header-rows 2" in command
    options, format = said(command)
    found = read_foreign(SourceFile(path, options), format=format)
    assert found.conditions == ("Near_Sg", "Near_Pl", "Behind_Sg", "Behind_Pl")
    assert [item.sentences[0].text for item in found.items] == [one for _, one, _ in PAIRS]


def test_lists_in_sheets_whose_rows_are_numbered_anew_are_put_together_by_their_words(tmp_path: Path) -> None:
    lists: dict[str, list[list[object]]] = {
        name: [
            ["Presentation list"],
            ["No.", "type", "verb", "sentence"],
            *([k, "exp", c, t] for k, (_, c, t) in enumerate(own, 1)),
            [9, "filler", "-", "Two owls hooted all night."],
        ]
        for name, own in (
            ("List A", [row for row in ROWS if (row[1] == "sg") == (row[0] % 2 == 1)]),
            ("List B", [row for row in ROWS if (row[1] == "sg") != (row[0] % 2 == 1)][::-1]),
        )
    }
    path = book(tmp_path / "a.xlsx", lists)
    first = commands(refused(path))[0]
    assert "--items-by-words --condition-column verb" in first
    assert "--only type=exp" in first
    options, format = said(first)
    assert sentences(read_foreign(SourceFile(path, options), format=format)) == ALL


def test_sentences_of_one_pattern_are_no_items_by_their_words(tmp_path: Path) -> None:
    names = ("Ann", "Ben", "Cleo", "Dan")
    rows = "".join(f"{verb},{name} {verb} here.\n" for name in names for verb in ("sleep", "sleeps"))
    path = put(tmp_path, "a.csv", f"cond,sentence\n{rows}")
    assert not any("--items-by-words" in way for way in commands(refused(path)))
    with pytest.raises(FormatError, match=r"as like those of its own item|do not say clearly"):
        read_foreign(SourceFile(path, ReadOptions(items_by_words=True, condition_columns=("cond",))))


# ---- --leave-out, whatever reads the file


def everything(found: ForeignSet) -> str:
    return " ".join([*map(str, found.assumptions), *found.notes])


@pytest.mark.parametrize("name", FILES)
def test_what_is_said_to_be_left_out_is_left_out_and_told_or_the_file_is_refused(tmp_path: Path, name: str) -> None:
    file, make, options = FILES[name]
    path = put(tmp_path, file, make(CLEAN))
    whole = read_foreign(SourceFile(path, options), format=name)
    lines = path.read_text(encoding="utf-8").split("\n")
    count = max(n for n, line in enumerate(lines, 1) if "bright" in line)
    with pytest.raises(FormatError):
        read_foreign(SourceFile(path, replace(options, leave_out=("99999",))), format=name)
    with pytest.raises(FormatError):
        read_foreign(SourceFile(path, replace(options, leave_out=("no such column=1",))), format=name)
    try:
        found = read_foreign(SourceFile(path, replace(options, leave_out=(str(count),))), format=name)
    except FormatError:
        return
    texts = [s.text for item in found.items for s in item.sentences]
    assert texts != [s.text for item in whole.items for s in item.sentences]
    assert "left out, as said with --leave-out" in everything(found)


def test_rows_are_left_out_by_what_a_column_says(tmp_path: Path) -> None:
    path = put(tmp_path, "a.csv", LONG)
    found = read_foreign(SourceFile(path, ReadOptions(leave_out=("item=3", "item=5", "2-3"))))
    assert [item.label for item in found.items] == ["2", "4", "6", "7", "8"]
    with pytest.raises(FormatError, match="no row has '9'"):
        read_foreign(SourceFile(path, ReadOptions(leave_out=("item=9",))))
    with pytest.raises(FormatError, match="neither a column with a value nor numbers"):
        read_foreign(SourceFile(path, ReadOptions(leave_out=("practice",))))


def test_rows_of_several_sheets_are_named_with_their_sheet(tmp_path: Path) -> None:
    rows: list[list[object]] = [[n, c, t] for n, c, t in ROWS]
    path = book(
        tmp_path / "a.xlsx",
        {"one": [["item", "condition", "sentence"], *rows[:8]], "two": [["item", "condition", "sentence"], *rows[8:]]},
    )
    options = ReadOptions(sheets=("one", "two"), leave_out=("two!2-3",))
    assert [item.label for item in read_foreign(SourceFile(path, options)).items] == ["1", "2", "3", "4", "6", "7", "8"]
    with pytest.raises(FormatError, match=r"there is no row 2"):
        read_foreign(SourceFile(path, ReadOptions(sheets=("one", "two"), leave_out=("2",))))
    alone = ReadOptions(sheets=("two",), leave_out=("2,3",))
    assert [item.label for item in read_foreign(SourceFile(path, alone)).items] == ["6", "7", "8"]


def test_a_line_that_is_left_out_parts_no_block(tmp_path: Path) -> None:
    path = put(tmp_path, "a.txt", "\n".join(f"{one}\nA REMARK\n{other}\n" for one, other in CLEAN))
    lines = [n for n, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1) if line == "A REMARK"]
    options = ReadOptions(per_item=2, leave_out=(as_numbers(lines),))
    assert [tuple(s.text for s in item.sentences) for item in read_foreign(SourceFile(path, options)).items] == list(CLEAN)


def test_numbers_of_lines_are_said_and_taken_apart() -> None:
    assert as_numbers([9, 4, 7, 8, 4]) == "4,7-9"
    assert left_out_of(["4, 7-9", "status=old", "List A!3"]).numbers == {4, 7, 8, 9}
    assert left_out_of(["4, 7-9", "status=old", "List A!3"]).of_sheets == {("List A", 3)}
    text, order, gone = without_lines('a,"b\nc",d\ne\nf', [1], ".csv")
    assert (text, order, [number for number, _ in gone]) == ("e\nf\n\n", (3, 4, 1, 2), [1, 2])
    with pytest.raises(ValueError, match="9"):
        without_lines("a\nb", [9], ".txt")
