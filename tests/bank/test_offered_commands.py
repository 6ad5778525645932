"""What is printed for a file that is refused takes it: commands are tried before they are printed, and the first keeps most of the file."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gapsmith.bank.formats import ForeignSet, ReadOptions, SourceFile, read_foreign, written
from gapsmith.templates import FormatError
from tests.bank.test_shapes_of_strangers import commands, said
from tests.conftest import CommandOutcome

Run = Callable[..., CommandOutcome]
NOUNS = (
    ("baker", "cake", "oven"),
    ("pilot", "plane", "hangar"),
    ("gardener", "rose", "fence"),
    ("plumber", "pipe", "sink"),
    ("nurse", "chart", "bed"),
    ("judge", "wig", "bench"),
)
LABELS = ("obj_amb", "obj_unamb", "subj_amb", "subj_unamb")
ITEMS = [
    (
        f"When the {a} left the {b} near the {c} fell.",
        f"When the {a} left, the {b} near the {c} fell.",
        f"When the {a} slept the {b} near the {c} fell.",
        f"When the {a} slept, the {b} near the {c} fell.",
    )
    for a, b, c in NOUNS[:4]
]
ROWS = [(n, k, LABELS[k], text) for n, item in enumerate(ITEMS, 1) for k, text in enumerate(item)]
SORTED = sorted(sorted(item) for item in ITEMS)
PAIRS = [(f"The {a} near the {b} was sad.", f"The {a} near the {b} were sad.") for a, b, _ in NOUNS]


def rows(line: Callable[[int, int, str, str], str], head: str = "") -> str:
    return head + "".join(line(*row) for row in ROWS)


def put(folder: Path, name: str, content: Any) -> Path:
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def refused(path: Path) -> FormatError:
    with pytest.raises(FormatError) as caught:
        read_foreign(SourceFile(path))
    return caught.value


def taken(path: Path) -> tuple[str, ForeignSet]:
    """The first command that is printed, and what the file is with it. All others take it, too."""
    printed = commands(refused(path))
    found = []
    for command in printed:
        options, format = said(command)
        found.append(read_foreign(SourceFile(path, options), format=format))
    return printed[0], found[0]


def sentences(found: ForeignSet) -> list[list[str]]:
    return sorted(sorted(s.text for s in item.sentences) for item in found.items)


def linger(comment: str) -> str:
    return f"{comment} Experiment 1, made in 2009\n" + rows(
        lambda n, _, c, t: f"{comment} {n}\n# exp1 {n} {c}\n{t}\n? Did it fall? Y\n\n"
    )


TAKEN: dict[str, tuple[str, str]] = {
    "comments.itm": (linger(";"), "--comment ';'"),
    "percent.txt": (linger("%"), "--comment %"),
    "numbered_blocks.txt": (
        "a = object, b = object with a comma; c and d = subject\n\n"
        + "\n".join(f"Item {n}\n" + "\n".join(item) + "\n" for n, item in enumerate(ITEMS, 1)),
        "--per-item 4",
    ),
    "title_above.txt": (
        "NP/Z sentences for the pilot\n" + "\n".join("\n".join(item) + "\n" for item in ITEMS),
        "--header-row 2",
    ),
}


@pytest.mark.parametrize("name", TAKEN)
def test_texts_with_more_than_items_in_them_take_one_command(tmp_path: Path, name: str) -> None:
    content, flags = TAKEN[name]
    command, found = taken(put(tmp_path, name, content))
    assert flags in command
    assert sentences(found) == SORTED


def test_a_missing_condition_leaves_the_columns_to_be_named(tmp_path: Path) -> None:
    text = rows(
        lambda n, k, c, t: "" if (n, k) == (3, 1) else f'{n},{c},{"check" if k == 2 else "ok"},"{t}"\n', "nr,type,status,txt\n"
    )
    command, found = taken(put(tmp_path, "own.csv", text))
    assert "--condition-column type --item-column nr --sentence-column txt" in command
    assert "--only" not in command
    assert sorted(len(item.sentences) for item in found.items) == [3, 4, 4, 4]


def test_fillers_that_several_groups_have_are_left_out_by_what_they_are(tmp_path: Path) -> None:
    text = rows(lambda n, k, c, t: f'critical,{"ABCD"[(n + k) % 4]},{n},{c},"{t}"\n', "ItemType,Group,Item,Condition,Sentence\n")
    text += "".join(f"filler,{group},{n},filler,Nobody saw the dog number {n}.\n" for group in "ABCD" for n in range(1, 4))
    command, found = taken(put(tmp_path, "own.csv", text))
    assert "--only ItemType=critical" in command
    assert sentences(found) == SORTED
    assert found.conditions == LABELS


def test_numbers_that_begin_anew_on_a_list_take_the_list_with_them(tmp_path: Path) -> None:
    lines = [
        f"{'AB'[n // 3]}\t{n % 3 + 1}\t{label}\t{text}\n"
        for n, pair in enumerate(PAIRS)
        for label, text in zip(("ok", "no"), pair, strict=True)
    ]
    command, found = taken(put(tmp_path, "own.tsv", "list\tpair\tgram\tsentence\n" + "".join(lines)))
    assert "--item-column list --item-column pair" in command
    assert [item.label for item in found.items] == ["A-1", "A-2", "A-3", "B-1", "B-2", "B-3"]
    assert sentences(found) == sorted(sorted(pair) for pair in PAIRS)


def test_rows_without_headings_that_are_items_of_their_own(tmp_path: Path) -> None:
    told = (("gj04", "1", "", "The baker sold the cake."), ("gj04", "0", "*", "The baker sold cake the."))
    more = (
        ("ks08", "1", "", "Who did you see?"),
        ("ks08", "1", "", "They ran home quickly."),
        ("bc01", "0", "*", "Them see he now."),
    )
    path = put(tmp_path, "cola.tsv", "".join("\t".join(row) + "\n" for row in (*told, *more)))
    printed = commands(refused(path))
    whole = [
        said(command) for command in printed if "--per-item 1 --condition-column label" in command and "--good label=1" in command
    ]
    assert whole
    found = read_foreign(SourceFile(path, whole[0][0]))
    assert found.expected == {"1": "ok", "0": "*"}
    assert len(found.items) == 5


def test_no_command_is_printed_that_does_not_take_the_file(tmp_path: Path) -> None:
    head = put(tmp_path, "own.csv", "item,condition,txt\n1,a,He came.\n1,a,He went.\n2,a,She came.\n2,a,She went.\n")
    assert not commands(refused(head))
    empty = tmp_path / "empty.csv"
    empty.write_bytes(b"\xe9\n")
    shown = refused(empty)
    assert not commands(shown)
    assert "it is refused: " in shown.hint


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "spaces.txt",
            '"item" "condition" "sentence"\n' + "".join(f'"{r}" {n} "{c}" "{t}"\n' for r, (n, _, c, t) in enumerate(ROWS, 1)),
        ),
        ("tabs.tsv", "item\tcondition\tsentence\n" + "".join(f"{r}\t{n}\t{c}\t{t}\n" for r, (n, _, c, t) in enumerate(ROWS, 1))),
        (
            "commas.csv",
            '"item","condition","sentence"\n' + "".join(f'"r{r}",{n},"{c}","{t}"\n' for r, (n, _, c, t) in enumerate(ROWS)),
        ),
    ],
)
def test_names_of_rows_without_a_heading_are_no_items(tmp_path: Path, name: str, text: str) -> None:
    found = read_foreign(SourceFile(put(tmp_path, name, text)))
    assert sentences(found) == SORTED
    assert found.conditions == LABELS
    assert any(taken.what == "names of rows" and taken.sure == "assumed" for taken in found.assumptions)


def test_a_comma_in_every_sentence_makes_no_names_of_rows(tmp_path: Path) -> None:
    text = "".join(f"{n}-{k},{t.replace(' the ', ', the ', 1).replace('left,', 'left')},{c}\n" for n, k, c, t in ROWS if not k)
    assert "cells where the first row has" in refused(put(tmp_path, "own.csv", "id,sentence,condition\n" + text)).message


def test_a_slash_within_a_number_parts_no_regions(tmp_path: Path) -> None:
    def line(blank: str, n: int, when: str) -> str:
        parts = ("The shop", f"that the {NOUNS[n][0]}", f"ran {when}", "was closed.")
        return f'{n},{{}},"{f"{blank}/{blank}".join(parts)}"\n'

    for blank in (" ", ""):
        texts = [line(blank, n, "24/7" if n < 2 else "all day") for n in range(4)]
        body = "".join(text.format(c).replace("was", v) for text in texts for c, v in (("sg", "was"), ("pl", "were")))
        path = put(tmp_path, f"own{len(blank)}.csv", "item,condition,sentence\n" + body)
        found = read_foreign(SourceFile(path, ReadOptions(region_mark="/")))
        sentence = found.items[0].sentences[0]
        assert sentence.text == "The shop that the baker ran 24/7 was closed."
        assert [sentence.text[r.start : r.end] for r in sentence.regions or ()][2] == "ran 24/7"
        assert len(found.regions) == 4
        assert any("24/7 stays whole" in note for note in found.notes)
        assert written(found).content == path.read_bytes()
    unequal = put(tmp_path, "unequal.csv", 'item,condition,sentence\n1,a,"He / came."\n1,b,"He / came / in."\n')
    found = read_foreign(SourceFile(unequal, ReadOptions(region_mark="/")))
    assert any("2 to 3 regions" in note for note in found.notes)


def test_one_note_in_brackets_behind_a_sentence_is_asked_about(tmp_path: Path) -> None:
    text = rows(lambda n, k, _, t: f"{n}{'abcd'[k]}. {t}{' [ok, Mary]' if (n, k) == (2, 1) else ''}\n")
    command, found = taken(put(tmp_path, "own.txt", text))
    assert "--strip-suffix '[...]'" in command
    assert sentences(found) == SORTED
    assert found.items[1].sentences[1].attributes == {"in_brackets": "ok, Mary"}


def parts(text: str) -> list[str]:
    words = text.split()
    return [" ".join(words[:4]), " ".join(words[4:6]), " ".join(words[6:])]


NESTED: dict[str, Any] = {
    "records.json": [
        {
            "item": n,
            "type": c,
            "sentence": t,
            "regions": [{"r": name, "w": words} for name, words in zip("xyz", parts(t), strict=True)],
        }
        for n, _, c, t in ROWS
    ],
    "chunks.json": {
        "stimuli": [
            {"nr": n, "versions": [{"manip": c, "text": t, "chunks": parts(t)} for m, _, c, t in ROWS if m == n]}
            for n in range(1, 5)
        ]
    },
    "lettered.json": [{"id": f"{n}{'abcd'[k]}", "sent": t, "regions": parts(t)} for n, k, _, t in ROWS],
    "regions_alone.json": [{"stim": n, "manip": c, "parts": parts(t)} for n, _, c, t in ROWS],
}


@pytest.mark.parametrize("name", NESTED)
def test_regions_beside_a_sentence_are_kept(tmp_path: Path, name: str) -> None:
    path = put(tmp_path, name, NESTED[name])
    try:
        found = read_foreign(SourceFile(path))
    except FormatError:
        found = taken(path)[1]
    assert sentences(found) == SORTED
    for item in found.items:
        for sentence in item.sentences:
            assert [sentence.text[r.start : r.end] for r in sentence.regions or ()] == parts(sentence.text)


def test_what_else_is_said_of_regions_is_told_where_it_is_left_out(tmp_path: Path) -> None:
    told = [{**record, "manip": record["type"]} for record in NESTED["records.json"]]
    for record in told:
        del record["type"]
    found = taken(put(tmp_path, "own.json", told))[1]
    assert any("left out beside sentences and regions: r" in note for note in found.notes)


def test_answers_of_a_script_are_kept_with_their_questions(tmp_path: Path) -> None:
    def script(tail: str) -> str:
        shown = rows(
            lambda n, _, c, t: f' [["{c}", {n}], "DashedSentence", {{s: "{t}"}}, "Question", {{q: "Did it fall?", {tail}}}],\n'
        )
        return f"var items = [\n{shown}];\n"

    for tail, answers, correct in (
        ('as: ["Yes", "No"], hasCorrect: 1', "Yes | No", "No"),
        ('as: [["f", "Yes"], ["j", "No"]], hasCorrect: true', "Yes | No", "Yes"),
        ('as: ["Yes", "No"], hasCorrect: "No"', "Yes | No", "No"),
    ):
        found = read_foreign(SourceFile(put(tmp_path, "own.js", script(tail))))
        assert found.items[0].attributes["question_answers"] == answers
        assert found.items[0].attributes["correct_answer"] == correct
    bare = read_foreign(SourceFile(put(tmp_path, "own.js", script("hasCorrect: false"))))
    assert "correct_answer" not in bare.items[0].attributes


@pytest.mark.parametrize("value", [None, {"sum": None}, {}])
def test_a_suite_whose_values_are_not_computed_is_a_suite(tmp_path: Path, value: object) -> None:
    def suite(own: object) -> dict[str, Any]:
        regions = [{"region_number": 1, "content": "He came.", "metric_value": own}]
        items = [{"item_number": 1, "conditions": [{"condition_name": "a", "regions": regions}]}]
        return {"meta": {"name": "x"}, "region_meta": {"1": "all"}, "predictions": [], "items": items}

    assert read_foreign(SourceFile(put(tmp_path, "own.json", suite(value)))).shape == "suite"
    for there in (3.2, {"sum": 3.2}):
        assert "with a model's surprisals" in refused(put(tmp_path, "values.json", suite(there))).message


def test_slots_of_no_paradigm_are_refused_with_the_commands_that_bring_them_in(gapsmith: Run, tmp_path: Path) -> None:
    records = [{"item": n, "slots": {"noun": a, "thing": b, "place": c}} for n, (a, b, c) in enumerate(NOUNS, 1)]
    path = put(tmp_path, "own.jsonl", "".join(json.dumps(record) + "\n" for record in records))
    shown = gapsmith("import", str(path))
    assert shown.code != 0
    first = next(line for line in shown.err.splitlines() if line.startswith("  gapsmith paradigm new"))
    then = next(line.partition(": ")[2] for line in shown.err.splitlines() if line.startswith("Then: gapsmith import"))
    assert gapsmith(*shlex.split(first)[1:]).code == 0
    assert gapsmith(*shlex.split(then)[1:]).code == 0


# ---- shapes that say all, and what only looks as if it did

QUARTETS = [
    (
        f"The {b} near the {a} is old.",
        f"The {b} near the {a}s is old.",
        f"The {b}s near the {a} are old.",
        f"The {b}s near the {a}s are old.",
    )
    for a, b, _ in NOUNS
]
CROSSED = ("sg_sg", "sg_pl", "pl_sg", "pl_pl")
EVERY = [(n, k, text) for n, item in enumerate(QUARTETS, 1) for k, text in enumerate(item)]
ALL = sorted(sorted(item) for item in QUARTETS)


def test_sections_of_lists_with_number_and_condition_are_items_over_the_lists(tmp_path: Path) -> None:
    parts = [
        f"LIST {one}\n" + "".join(f"{n} {CROSSED[(n + one) % 4]} {item[(n + one) % 4]}\n" for n, item in enumerate(QUARTETS, 1))
        for one in range(1, 5)
    ]
    found = read_foreign(SourceFile(put(tmp_path, "own.txt", "\n".join(parts))))
    assert sentences(found) == ALL
    assert {s.attributes["list"] for s in found.items[0].sentences} == {f"LIST {n}" for n in range(1, 5)}


@pytest.mark.parametrize("sign", [":", " =", " –"])
def test_titles_of_items_and_names_of_conditions_are_no_words(tmp_path: Path, sign: str) -> None:
    text = "".join(
        f"Item {n}: {a} / {b}\n"
        + "".join(f"  • {name}{sign} {text}\n" for name, text in zip(CROSSED, QUARTETS[n - 1], strict=True))
        for n, (a, b, _) in enumerate(NOUNS, 1)
    )
    found = read_foreign(SourceFile(put(tmp_path, "own.txt", text)))
    assert sentences(found) == ALL
    assert found.items[1].attributes == {"title": "pilot / plane"}
    assert written(found).content.decode() == text


def test_glosses_and_translations_stay_with_their_sentences(tmp_path: Path) -> None:
    text = "".join(
        f"({n}) a. Der {a} schläft.\n   the {a} sleep.3SG\n   ‘The {a} sleeps.’\n"
        f"    b. *Der {a} schlafen.\n   the {a} sleep.3PL\n   ‘The {a} sleep.’\n\n"
        for n, (a, *_) in enumerate(NOUNS, 1)
    )
    found = read_foreign(SourceFile(put(tmp_path, "own.txt", text)))
    assert found.expected == {"a": "ok", "b": "*"}
    assert [s.text for s in found.items[0].sentences] == ["Der baker schläft.", "Der baker schlafen."]
    assert found.items[0].sentences[1].attributes == {"gloss": "the baker sleep.3PL", "translation": "‘The baker sleep.’"}
    assert written(found).content.decode() == text


def test_words_under_the_heading_of_sentences_are_put_together(tmp_path: Path) -> None:
    text = "item\tcondition\tinterval\txmin\ttext\n" + "".join(
        f"{n}\t{CROSSED[k]}\t{place}\t{place / 4}\t{word}\n" for n, k, own in EVERY for place, word in enumerate(own.split(), 1)
    )
    command, found = taken(put(tmp_path, "own.txt", text))
    assert "--sentence-column text --region interval" in command
    assert sentences(found) == ALL


def test_merged_cells_of_headings_and_items_are_read_as_they_look(tmp_path: Path) -> None:
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    assert sheet is not None
    rows_of_two: list[list[Any]] = [
        ["Item", "singular", None, "plural", None, "Notes"],
        [None, "sg", "pl", "sg", "pl", None],
        *([n, *item, "x" if n == 2 else None] for n, item in enumerate(QUARTETS, 1)),
    ]
    for row in rows_of_two:
        sheet.append(row)
    book.save(tmp_path / "headings.xlsx")
    command, found = taken(tmp_path / "headings.xlsx")
    assert "--header-rows 2" in command
    assert found.conditions == ("singular_sg", "singular_pl", "plural_sg", "plural_pl")
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    told: list[list[Any]] = [["Set", "Version", "Sentence"], *([n if not k else None, CROSSED[k], text] for n, k, text in EVERY)]
    for row in told:
        sheet.append(row)
    book.save(tmp_path / "items.xlsx")
    command, found = taken(tmp_path / "items.xlsx")
    assert "--condition-column Version" in command
    assert sentences(found) == ALL


def test_stars_between_words_part_regions(tmp_path: Path) -> None:
    lines = [
        f"{n},{CROSSED[k]},{text.replace(' near ', '*near ').replace(' is', '*is').replace(' are', '*are')}\n"
        for n, k, text in EVERY
    ]
    found = read_foreign(SourceFile(put(tmp_path, "own.csv", "item,condition,sentence\n" + "".join(lines))))
    assert sentences(found) == ALL
    assert len(found.regions) == 3


def test_what_stands_in_objects_beside_a_sentence_says_something_of_it(tmp_path: Path) -> None:
    def record(n: int) -> dict[str, Any]:
        own = [
            {
                "cond": dict(zip(("head", "near"), CROSSED[k].split("_"), strict=True)),
                "form": {"raw": text, "tok": [*text[:-1].split(), "."]},
            }
            for m, k, text in EVERY
            if m == n
        ]
        return {"idx": n, "meta": {"by": "us"}, "sents": own}

    path = put(tmp_path, "own.jsonl", "".join(json.dumps(record(n)) + "\n" for n in range(1, 7)))
    command, found = taken(path)
    assert "--condition-column head --condition-column near --item-column idx" in command
    assert sentences(found) == ALL
    assert any("left out beside sentences and regions: tok" in note for note in found.notes)


def test_equal_labels_of_one_item_are_no_items_of_their_own(tmp_path: Path) -> None:
    text = "item,condition,sentence\n" + "".join(f"{n},{'AB'[k % 2]},{own}\n" for n, k, own in EVERY)
    command, found = taken(put(tmp_path, "own.csv", text))
    assert "--per-item 4" in command
    assert sentences(found) == sorted(sorted(item) for item in QUARTETS)
    anew = "item,condition,sentence\n" + "".join(
        f"{n % 3 + 1},{'AB'[k]},{text}\n" for n, pair in enumerate(PAIRS) for k, text in enumerate(pair)
    )
    command, found = taken(put(tmp_path, "anew.csv", anew))
    assert "--per-item 2" in command
    assert sentences(found) == sorted(sorted(pair) for pair in PAIRS)


def test_shuffled_rows_without_items_are_items_by_their_words(tmp_path: Path) -> None:
    told = sorted(EVERY, key=lambda own: (own[0] * 7 + own[1] * 5) % 11)
    path = put(tmp_path, "own.csv", "condition,sentence\n" + "".join(f"{CROSSED[k]},{text}\n" for _, k, text in told))
    assert "No column says which sentences are of one item" in refused(path).hint
    command, found = taken(path)
    assert "--items-by-words" in command
    assert sentences(found) == ALL


def test_letters_that_mean_something_else_in_one_item_are_asked_about(tmp_path: Path) -> None:
    def line(n: int, k: int, text: str, form: str) -> str:
        return form.format(n=n, letter="abcd"[(k + 2) % 4 if n == 3 else k], text=text)

    for name, head, form in (
        ("own.txt", "", "{n}{letter}. {text}\n"),
        ("own.csv", "item,condition,sentence\n", "{n},{letter},{text}\n"),
    ):
        lines = sorted((line(n, k, text, form) for n, k, text in EVERY), key=lambda one: one[:3])
        path = put(tmp_path, name, head + "".join(lines))
        assert "seem to mean other conditions in item 3" in refused(path).message
        assert sentences(taken(path)[1]) == ALL
    swapped = [[item[k] for k in ((1, 0, 3, 2) if n == 4 else range(4))] for n, item in enumerate(QUARTETS)]
    own = put(tmp_path, "order.txt", "\n".join("".join(f"{text}\n" for text in item) for item in swapped))
    assert "stand in another order" in refused(own).message


def test_two_sets_of_labels_for_halves_of_the_items_are_asked_about(tmp_path: Path) -> None:
    text = "item,condition,sentence\n" + "".join(f"{n},{CROSSED[k] if n < 4 else 'ABCD'[k]},{own}\n" for n, k, own in EVERY)
    path = put(tmp_path, "own.csv", text)
    assert "3 items have the conditions sg_sg, sg_pl, pl_sg, pl_pl, and 3 the conditions A, B, C, D" in refused(path).message
    assert len(taken(path)[1].conditions) == 8


def test_what_makes_no_sentences_is_not_offered(tmp_path: Path) -> None:
    text = "".join(f"({n})\tDer {a} schläft.\n\tthe {a} sleeps\n\t‘The {a} sleeps.’\n\n" for n, (a, *_) in enumerate(NOUNS, 1))
    assert not commands(refused(put(tmp_path, "own.txt", text)))


def test_signs_within_sentences_are_no_names_and_no_regions(tmp_path: Path) -> None:
    dashed = [(f"The {a} – a friend – is old.", f"The {a} – a friend – are old.") for a, *_ in NOUNS]
    path = put(tmp_path, "own.txt", "".join(f"{one}\n{other}\n" for one, other in dashed))
    command, found = taken(path)
    assert "--format pair_lines" in command
    assert sentences(found) == sorted(sorted(pair) for pair in dashed)
    starred = [(f"The {a} said C#is old.", f"The {a} said C#are old.") for a, *_ in NOUNS]
    text = "".join(f"{n},{c},{t}\n" for n, pair in enumerate(starred) for c, t in zip(("sg", "pl"), pair, strict=True))
    assert sentences(read_foreign(SourceFile(put(tmp_path, "own.csv", "item,condition,sentence\n" + text)))) == sorted(
        sorted(pair) for pair in starred
    )


def test_what_says_to_excel_how_cells_are_parted_is_left_out_by_a_command(tmp_path: Path) -> None:
    text = "sep=;\nitem;cond;text\n" + "".join(f"{n};{CROSSED[k]};{own}\n" for n, k, own in EVERY)
    command, found = taken(put(tmp_path, "own.csv", text))
    assert "--header-row 2" in command
    assert sentences(found) == ALL


NOT_ALL: dict[str, Callable[[bool], str]] = {
    "pairs.jsonl": lambda is_out: "".join(
        json.dumps({"sentence_good": one, "sentence_bad": two} | ({"excluded": True} if is_out and n == 1 else {})) + "\n"
        for n, (one, two) in enumerate(PAIRS)
    ),
    "rows.tsv": lambda is_out: (
        "item\tcondition\tsentence\tstatus\n"
        + "".join(
            f"{n}\t{label}\t{text}\t{'do not use' if is_out and n == 1 else 'fine'}\n"
            for n, pair in enumerate(PAIRS)
            for label, text in zip(("sg", "pl"), pair, strict=True)
        )
    ),
}


@pytest.mark.parametrize("name", NOT_ALL)
def test_items_that_the_file_says_are_not_to_be_used_are_asked_about(tmp_path: Path, name: str) -> None:
    path = put(tmp_path, name, NOT_ALL[name](True))
    assert "as if they were not to be used" in str(refused(path))
    found = {}
    for command in commands(refused(path)):
        options, format = said(command)
        found["--only" in command or "--leave-out" in command] = read_foreign(SourceFile(path, options), format=format)
    assert len(found[False].items) == len(PAIRS)
    assert [s.text for item in found[True].items for s in item.sentences] == [
        text for n, pair in enumerate(PAIRS) if n != 1 for text in pair
    ]
    assert any("left out, as said with --" in note for note in found[True].notes)
    assert len(read_foreign(SourceFile(put(tmp_path, name, NOT_ALL[name](False)))).items) == len(PAIRS)


def test_what_differs_by_condition_is_no_word_on_which_items_to_use(tmp_path: Path) -> None:
    lines = (f"{n},{c},{t},{o}\n" for n, own in enumerate(PAIRS) for c, t, o in zip(("a", "b"), own, ("yes", "no"), strict=True))
    assert len(read_foreign(SourceFile(put(tmp_path, "a.csv", "item,condition,sentence,omitted\n" + "".join(lines)))).items) == 6


def test_only_of_pairs_names_a_key_that_is_there(tmp_path: Path) -> None:
    path = put(tmp_path, "pairs.jsonl", NOT_ALL["pairs.jsonl"](True))
    for only, says in (("exclude=", "no key for --only exclude="), ("excluded=maybe", "no pair has excluded=maybe")):
        with pytest.raises(FormatError, match=says):
            read_foreign(SourceFile(path, ReadOptions(only=(only,))))


def test_an_item_that_stands_again_as_corrected_is_no_item_of_its_own(tmp_path: Path) -> None:
    lines = [(n, c, t) for n, own in enumerate(PAIRS, 1) for c, t in zip(("sg", "pl"), own, strict=True)]
    head = "no\tcond\tsentence\n"
    whole = put(tmp_path, "a.tsv", head + "".join(f"{n}\t{c}\t{t}\n" for n, c, t in lines))
    again = put(tmp_path, "b.tsv", whole.read_text() + "4\tsg\tThe new one was sad.\n4\tpl\tThe new one were sad.\n")
    command, found = taken(again)
    assert "--leave-out 8-9" in command
    assert "The new one was sad." in [s.text for item in found.items for s in item.sentences if item.label == "4"]
    assert not any("--per-item" in way or "--only" in way for way in commands(refused(again)))


def test_rows_for_practice_are_not_offered_alone(tmp_path: Path) -> None:
    rows = [("PracProc", 901 + n, "P", t) for n, t in enumerate(PAIRS[0])]
    rows += [
        ("TrialProc", n, "" if n == 3 else c, t) for n, own in enumerate(PAIRS[1:], 1) for c, t in zip("ab", own, strict=True)
    ]
    lines = "".join("\t".join(map(str, row)) + "\n" for row in rows)
    assert "Procedure=PracProc" not in str(refused(put(tmp_path, "a.tsv", "Procedure\tItemNo\tCond\tStim\n" + lines)))


def test_lists_are_not_offered_as_items(tmp_path: Path) -> None:
    texts = [f"The {a} put the {b} under the {c}." for a, b, c in NOUNS]
    lists = [texts, [text.replace(" under", " *under") for text in texts[::-1]]]
    content = "\n".join(f"LIST {'AB'[n]}\n" + "".join(f"{k}\t{t}\n" for k, t in enumerate(own, 1)) for n, own in enumerate(lists))
    assert not commands(refused(put(tmp_path, "a.txt", content)))


def test_a_pairing_is_not_offered_where_labels_and_gaps_stand_in_sentences(tmp_path: Path) -> None:
    frames = [
        (f"Which {b} did the {a} say that ___ fell?", f"Which one of them asked a {a} who ___ had left here?")
        for a, b, _ in NOUNS
    ]
    own = "".join(
        f"{n} {label}   {t}\n" for n, pair in enumerate(frames, 1) for label, t in zip(("ok", "out"), pair, strict=True)
    )
    error = refused(put(tmp_path, "a.txt", "## Extraction\n\n" + own))
    assert not [line for line in commands(error) if "--format" in line or "--per-item" in line]
