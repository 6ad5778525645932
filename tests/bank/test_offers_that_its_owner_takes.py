"""What is offered for a file keeps its design: regions stay regions, and no command reads only what is easy to read of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from gapsmith.bank.formats import ForeignSet, ReadOptions, SourceFile, read_foreign
from gapsmith.bank.formats.asking import UndecidedError
from gapsmith.templates import FormatError

NOUNS = ("girl", "lion", "nurse", "mule")


def put(path: Path, lines: list[str]) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def read(path: Path, **options: object) -> ForeignSet:
    return read_foreign(SourceFile(path, ReadOptions(**options)))  # type: ignore[arg-type]


def hint(path: Path) -> str:
    with pytest.raises(FormatError) as caught:
        read(path)
    return f"{caught.value.message}\n{caught.value.hint}"


def commands(path: Path) -> list[str]:
    return [line.partition(f"{path} ")[2].partition("   (")[0] for line in hint(path).splitlines() if f"{path} --" in line]


def taken(path: Path) -> ForeignSet:
    """The set with the only command that is offered."""
    with pytest.raises(UndecidedError) as caught:
        read(path)
    (answer,) = caught.value.answers
    return read(path, **answer.options)


def test_columns_that_are_numbered_alike_are_regions(tmp_path: Path) -> None:
    rows = [
        f"{n},{number},{gram},The {noun}{'s' if number == 'pl' else ''},near the {noun}s,{verb},often there,today."
        for n, noun in enumerate(NOUNS, 1)
        for number in ("sg", "pl")
        for gram, verb in (("yes", "is"), ("no", "are"))
    ]
    path = put(tmp_path / "a.csv", ["item,noun_number,fits,w1,w2,w3,w4,w5", *rows])
    regions = " ".join(f"--region w{n}" for n in range(1, 6))
    assert commands(path) == [f"--condition-column noun_number --condition-column fits {regions}"]


def test_a_filler_under_the_number_of_an_item_is_left_out_and_no_item(tmp_path: Path) -> None:
    frames = (
        "Ask who the girl thinks {}",
        "I hear whom Lea said {}",
        "Name everyone our boss felt {}",
        "Guess which men Bo claimed {}",
    )
    rows = [
        f"{'AB'[(n + place) % 2]},{n},{kind},{frame.format(end)}.,{'Yes' if n != 2 else 'No'}"
        for n, frame in enumerate(frames, 1)
        for place, (kind, end) in enumerate([("subject", "saw the vet"), ("object", "the vet saw")])
    ]
    fillers = [f"{who},1,filler,It rained all day.,No" for who in "AB"]
    path = put(tmp_path / "a.csv", ["Group,Item,Type,Sentence,Answer", *rows, *fillers])
    assert commands(path) == ["--leave-out Type=filler"]


def test_templates_in_capitals_are_no_sentences(tmp_path: Path) -> None:
    rows = [f"tuples,,,a {noun},sleeps,here" for noun in NOUNS]
    path = put(tmp_path / "a.csv", ["kind,S_A,S_B,SUBJ,V,OBJ", "grammar,THAT SUBJ V OBJ,WHO SUBJ V OBJ,,,", *rows])
    assert not [command for command in commands(path) if "grammar" in command]


def test_lists_with_labels_before_sentences_get_no_command(tmp_path: Path) -> None:
    lines: list[str] = []
    for number in (1, 2):
        for n, noun in enumerate(NOUNS, 1):
            lines += [f"LIST {number}"] if n == 1 else []
            is_now = (n + number) % 2
            lines.append(f"{n}. {'now' if is_now else 'then'}   The {noun} {'sleeps' if is_now else 'slept'} in the barn.")
    path = put(tmp_path / "a.txt", lines)
    assert commands(path) == []
    assert "a row per sentence, and its item, condition and list" in hint(path)


def test_who_spoke_a_sentence_is_no_condition(tmp_path: Path) -> None:
    rows = [
        f"{n}\t{who}\t{form}\tThe {noun} {verb}.\t{900 + n + who}"
        for n, noun in enumerate(NOUNS, 1)
        for form, verb in (("right", "slept"), ("wrong", "sleeped"))
        for who in (1, 2)
    ]
    path = put(tmp_path / "a.tsv", ["stimulus\tC\tform\ttext\tms", *rows])
    assert [command.split()[:3] for command in commands(path)] == [["--condition-column", "form", "--once"]]
    assert len(taken(path).items[0].sentences) == 2


def test_rows_of_one_number_are_no_items_of_their_own(tmp_path: Path) -> None:
    rows = [
        f"| {n} | {licensed} | {word} {noun} has *ever* slept. | {word} {noun} has slept. |"
        for n, noun in enumerate(NOUNS, 1)
        for licensed, word in (("yes", "No"), ("no", "The"))
    ]
    path = put(tmp_path / "a.md", ["| # | licensor | with | without |", "|---|---|---|---|", *rows])
    (command,) = commands(path)
    assert "--stack --item-column '#' --condition-column licensor --condition-column part" in command
    assert "4 items by #" in hint(path)


def test_three_rows_of_headings_are_named_with_the_table_to_make(tmp_path: Path) -> None:
    rows = [f"{n};I know;that;a {noun} sleeps;I know;who;sleeps now" for n, noun in enumerate(NOUNS, 1)]
    path = put(tmp_path / "a.csv", [";full;;;gap;;", ";main;comp;rest;main;comp;rest", "No.;R1;R2;R3;R1;R2;R3", *rows])
    assert "three rows of headings" in hint(path)
    assert "  item,condition,main,comp,rest\n  1,full," in hint(path)


def test_a_blank_line_holds_the_place_of_an_item_in_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    put(
        folder / "long.txt", ["The girl on deck ran.", "The lion at noon hid.", "The nurse by Al sang.", "The mule near us fell."]
    )
    put(folder / "short.txt", ["The girl ran.", "The lion hid.", "The nurse sang.", "The mule fell."])
    put(folder / "rel.txt", ["The girl I saw ran.", "", "The nurse we met sang.", "The mule she led fell."])
    assert [len(item.sentences) for item in read(folder).items] == [3, 2, 3, 3]
    put(folder / "todo.txt", ["send this"])
    said = hint(folder)
    assert "long.txt, rel.txt, short.txt have 4, and todo.txt (1) not" in said
    assert f"gapsmith import {tmp_path / 'texts_items'}" in said


def test_sentences_are_not_left_out_as_if_they_were_a_title(tmp_path: Path) -> None:
    path = put(tmp_path / "a.txt", ["The vase broke.", "A rope snapped.", "My candle melted.", "Her kite crashed.", "It sank."])
    assert not [command for command in commands(path) if "--header-row" in command]
