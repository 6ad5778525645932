"""Items in lists, code, drawn tables, values with names, and folders; files that hold no text."""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import pytest

from gapsmith.bank.formats import ReadOptions, SourceFile, read_foreign
from gapsmith.templates import FormatError

PAIRS = (
    ("The key to the cabinet was lost.", "The key to the cabinets was lost."),
    ("The son of the nurse left.", "The son of the nurses left."),
)
ROWS = [
    (str(n), condition, text) for n, pair in enumerate(PAIRS, 1) for condition, text in zip(("one", "many"), pair, strict=True)
]
ITEMS = [(str(n), [("one", one), ("many", many)]) for n, (one, many) in enumerate(PAIRS, 1)]


def lines(form: str, rows: list[tuple[str, str, str]] = ROWS) -> str:
    return "".join(form.format(n, c, t) for n, c, t in rows)


def items(form: str, each: str) -> str:
    return "".join(form.format(label) + "".join(each.format(c, t) for c, t in own) for label, own in ITEMS)


def vector(column: int) -> str:
    return ", ".join(f'"{row[column]}"' for row in ROWS)


WIDE = 40
RULE = f"====  =====  {'=' * WIDE}\n"
READ = {
    "dput.txt": "structure(list(item = c(1, 1, 2, 2), condition = structure(c(1L, 2L, 1L, 2L), "
    'levels = c("one", "many"), class = "factor"),\n'
    f"  sentence = c({vector(2)})), class = \"data.frame\", row.names = c(NA, -4L))\n",
    "frame.R": "# made by hand\nitems <- data.frame(\n  item = rep(1:2, each = 2), "
    f'condition = rep(c("one", "many"), 2),\n  sentence = c({vector(2)}))\n',
    "tribble.R": "x <- tribble(\n  ~item, ~condition, ~sentence,\n" + lines('  {0}, "{1}", "{2}",\n')[:-2] + "\n)\n",
    "records.R": "x <- list(\n" + lines('  list(item = {0}, condition = "{1}", sentence = "{2}"),\n')[:-2] + "\n)\n",
    "nested.md": "# Stimuli\n\n" + items("- Item {}\n", "  - {}\n    - {}\n"),
    "labels.md": items("## Item {}\n", "- **{}**: {}\n") + "\n",
    "points.txt": "Experiment 1\n\n" + items("- Item {}\n", "  - {}: {}\n"),
    "lists.html": "<h1>All</h1><ol>"
    + items("<li>Item {}<ul>", "<li><b>{}</b>: {}</li>").replace("<li>Item 2", "</ul></li><li>Item 2") + "</ul></li></ol>",
    "terms.html": "<dl>" + lines("<dt>{0} {1}</dt><dd>{2}</dd>\n") + "</dl>",
    "named.txt": lines('item={0} condition={1} sentence="{2}"\n'),
    "commas.txt": lines("item={0}, cond={1}, text={2}\n"),
    "colons.txt": lines("id: {0} | cond: {1} | sentence: {2}\n"),
    "records.txt": lines("Item: {0}\nCondition: {1}\nSentence: {2}\n\n"),
    "script.osexp": "define loop own\n"
    + "".join(f'\tsetcycle {k} item {n}\n\tsetcycle {k} condition "{c}"\n\tsetcycle {k} sentence "{t}"\n' for k, (n, c, t) in enumerate(ROWS)),
    "rows.sql": "INSERT INTO stimuli (item, cond, sentence) VALUES\n" + lines("({0},'{1}','{2}'),\n")[:-2] + ";\n",
    "tables.toml": lines('[[item]]\nitem = {0}\ncondition = "{1}"\nsentence = "{2}"\n'),
    "simple.rst": f"{RULE}item  cond   sentence\n{RULE}" + lines("{0:4}  {1:5}  {2}\n") + RULE,
    "base.txt": f" item | cond | sentence\n------+------+{'-' * WIDE}\n" + lines(" {0} | {1} | {2}\n") + "(4 rows)\n",
    "box.txt": "┌─┬─┬─┐\n│item│cond│sentence│\n├─┼─┼─┤\n" + lines("│ {0} │ {1} │ {2} │\n") + "└─┴─┴─┘\n",
    "wiki.txt": "{|\n! item !! cond !! sentence\n" + lines("|-\n| {0} || {1} || {2}\n") + "|}\n",
    "ascii.adoc": "|===\n| item | cond | sentence\n" + lines("| {0} | {1} | {2}\n") + "|===\n",
    "printed.txt": f"  item condition {'sentence':>{WIDE}}\n"
    + "".join(f"{k} {n:>4} {c:>9} {t:>{WIDE}}\n" for k, (n, c, t) in enumerate(ROWS, 1)),
    "frame.txt": f"  item condition {'sentence':>{WIDE}}\n"
    + "".join(f"{k} {n:>4} {c:>9} {t:>{WIDE}}\n" for k, (n, c, t) in enumerate(ROWS)),
    "tiers.TextGrid": 'File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n4\n<exists>\n3\n'
    + "".join(
        f'"IntervalTier"\n"{name}"\n0\n4\n4\n' + "".join(f'{k}\n{k + 1}\n"{row[n]}"\n' for k, row in enumerate(ROWS))
        for n, name in enumerate(("item", "condition", "sentence"))
    ),
    "trials.js": 'PennController.ResetPrefix(null)\n// newTrial("old", newText("Not this one here."))\n'
    + lines('newTrial("t", newText("s", "{2}").print()).log("item", {0}).log("condition", "{1}")\n'),
    "ibex.js": "var items = [\n" + lines('["{1}", {0}], "DashedSentence", {{s: "{2}"}},\n') + "];\n",
}  # fmt: skip
"""Files that say all of it."""


@pytest.mark.parametrize("name", READ)
def test_what_names_item_and_condition_comes_in(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(READ[name], encoding="utf-8")
    found = read_foreign(SourceFile(path))
    assert sorted((item.label, s.condition, s.text) for item in found.items for s in item.sentences) == sorted(ROWS)
    where = {s.text: s.line for item in found.items for s in item.sentences}
    source = READ[name].split("\n")
    if not name.endswith((".toml", ".js", ".html")):
        assert all(text in source[line - 1 if found.shape == "json" else place(path, line) - 1] for text, line in where.items())


def place(path: Path, line: int) -> int:
    """The line of the file that a message names."""
    return int(SourceFile(path).place(line).removeprefix("line "))


CHANGED = {
    "filter.R": READ["frame.R"] + "items <- items[items$item > 1, ]\n",
    "pipe.R": READ["frame.R"].rstrip() + " %>%\n  filter(item > 1)\n",
    "cell.R": READ["frame.R"] + 'items$sentence[2] <- "No."\n',
    "labels.R": READ["frame.R"].replace('rep(c("one", "many"), 2)', 'factor(c(1, 2, 1, 2), labels = c("one", "many"))'),
}


@pytest.mark.parametrize("name", CHANGED)
def test_a_table_that_code_changes_is_not_read(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(CHANGED[name], encoding="utf-8")
    with pytest.raises(FormatError) as caught:
        read_foreign(SourceFile(path))
    assert f"gapsmith import {path.with_suffix('.csv')}" in caught.value.hint


def test_lists_of_conditions_whose_sentences_share_no_words_are_no_items(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("- one\n  - The key was lost.\n  - A nurse left early.\n- many\n  - Rain fell.\n  - Two dogs bark now.\n")
    with pytest.raises(FormatError):
        read_foreign(SourceFile(path))


def folder_of(path: Path, files: dict[str, str]) -> Path:
    path.mkdir()
    for name, text in files.items():
        (path / name).write_text(text, encoding="utf-8")
    return path


TEXTS = {c: [t for _, own, t in ROWS if own == c] for c in ("one", "many")}
FOLDERS = {
    "a text a condition": {f"{c}.txt": "\n".join(own) + "\n" for c, own in TEXTS.items()},
    "a text an item": {f"{n}.txt": "".join(f"{c}: {t}\n" for c, t in own) for n, own in ITEMS},
    "a table a condition": {f"{c}.csv": "item,sentence\n" + "".join(f"{n},{t}\n" for n, t in enumerate(own, 1)) for c, own in TEXTS.items()},
    "lists": {f"list{k}.csv": "item,condition,sentence\n" + lines("{0},{1},{2}\n", [ROWS[k], ROWS[3 - k]]) for k in (0, 1)},
}  # fmt: skip


@pytest.mark.parametrize("name", FOLDERS)
def test_a_folder_whose_files_belong_together_comes_in(tmp_path: Path, name: str) -> None:
    path = folder_of(tmp_path / "own", {**FOLDERS[name], "README.md": "About these."})
    found = read_foreign(SourceFile(path))
    assert sorted((item.label, s.condition, s.text) for item in found.items for s in item.sentences) == sorted(ROWS)
    sure = {taken.sure for taken in found.assumptions if taken.what == "text"}
    assert ("assumed" in sure) == (name == "a text a condition")


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({"a.txt": "The key was lost.\nA nurse left.\n", "b.txt": "Rain fell.\nTwo dogs bark.\n"}, "what an item is"),
        ({"a.txt": "The key was lost.\n", "b.txt": "The key was lost.\nA nurse left.\n"}, "other numbers of lines"),
        ({"list1.txt": "The key was lost.\nA nurse left.\n", "list2.txt": "The keys were lost.\nA nurse leaves.\n"}, "lists"),
        ({"a.csv": "item,sentence\n1,He came.\n", "b.csv": "item,sentence\n2,He went.\n"}, "other items"),
        ({"a.csv": "item,condition,sentence\n1,a,He came.\n", "b.csv": "item,condition,sentence\n1,a,He comes.\n"}, "is in"),
    ],
)
def test_a_folder_that_does_not_say_how_its_files_belong_together_is_refused(
    tmp_path: Path, files: dict[str, str], why: str
) -> None:
    path = folder_of(tmp_path / "own", files)
    with pytest.raises(FormatError) as caught:
        read_foreign(SourceFile(path))
    assert why in str(caught.value)
    assert all(f"  gapsmith import {path / name}" in caught.value.hint for name in files)


NO_TEXT = {
    "a.rtf": (b"{\\rtf1 The key.}", "word processor", "a.txt"),
    "a.pdf": (b"%PDF-1.7 x", "PDF", "a.txt"),
    "a.png": (b"\x89PNG\r\n\x1a\n", "picture", "a.csv"),
    "a.sav": (b"$FL2@(#) SPSS", "SPSS", "a.csv"),
    "a.dta": (b"<stata_dta>", "Stata", "a.csv"),
    "a.rds": (gzip.compress(b"X"), "R has saved", "a.csv"),
    "a.csv.gz": (gzip.compress(b"item"), "packed", "a.csv"),
    "a.xls": (b"\xd0\xcf\x11\xe0", ".xls", "a.xlsx"),
    "a.doc": (b"\xd0\xcf\x11\xe0", "word processor", "a.txt"),
}


@pytest.mark.parametrize("name", NO_TEXT)
def test_what_holds_no_text_is_named_with_the_command_for_what_is_made_of_it(tmp_path: Path, name: str) -> None:
    raw, what, made = NO_TEXT[name]
    (tmp_path / name).write_bytes(raw)
    with pytest.raises(FormatError) as caught:
        read_foreign(SourceFile(tmp_path / name))
    assert what in str(caught.value)
    assert f"  gapsmith import {tmp_path / made}" in caught.value.hint.split("\n")


def test_a_packed_folder_is_unpacked_and_its_folder_imported(tmp_path: Path) -> None:
    path = tmp_path / "own.zip"
    with zipfile.ZipFile(path, "w") as packed:
        for name, text in FOLDERS["a text a condition"].items():
            packed.writestr(f"stimuli/{name}", text)
    with pytest.raises(FormatError) as caught:
        read_foreign(SourceFile(path))
    assert (
        f"  python3 -m zipfile -e {path} {tmp_path / 'own'}\n  gapsmith import {tmp_path / 'own' / 'stimuli'}"
        in caught.value.hint
    )


RATED = [("1", *row) for row in zip(PAIRS[0], ("6.8", "2.1"), strict=True)] + [
    ("2", *row) for row in zip(PAIRS[1], ("6", "2"), strict=True)
]


@pytest.mark.parametrize("between", ["", ",agr"])
def test_rows_that_a_rating_alone_tells_apart_are_conditions_by_their_place(tmp_path: Path, between: str) -> None:
    path = tmp_path / "a.csv"
    head = f"item{between and ',condition'},sentence,rating\n"
    path.write_text(head + "".join(f"{n}{between},{t},{r}\n" for n, t, r in RATED))
    with pytest.raises(FormatError) as caught:
        read_foreign(SourceFile(path))
    assert "--item-column item --per-item 2" in caught.value.hint
    options = ReadOptions(item_columns=("item",), per_item=2)
    found = read_foreign(SourceFile(path, options))
    assert [[(s.condition, s.text) for s in item.sentences] for item in found.items] == [
        [("row_1", one), ("row_2", other)] for one, other in PAIRS
    ]
    path.write_text(head + "".join(f"{n}{between},{t},{r}\n" for n, t, r in [*RATED[:2], *RATED[:1:-1]]))
    with pytest.raises(FormatError) as caught:
        read_foreign(SourceFile(path))
    assert "--per-item 2 --good rating=high" in caught.value.hint
    turned = read_foreign(SourceFile(path, ReadOptions(item_columns=("item",), per_item=2, good=("rating=low",))))
    assert [{s.condition: s.text for s in item.sentences} for item in turned.items] == [
        {"bad": one, "good": other} for one, other in PAIRS
    ]
    path.write_text(head + "".join(f"{n}{between},{t},{r}\n" for n, t, r in RATED[:3]))
    with pytest.raises(FormatError, match="item 2 has 1 rows"):
        read_foreign(SourceFile(path, options))
