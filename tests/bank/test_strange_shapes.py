"""Files in the shapes that researchers keep: each comes in right, or is refused with a command that then takes it."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from gapsmith.bank.formats import FileAnswer, ForeignSet, ReadOptions, SourceFile, UndecidedError, grid_of, read_foreign, written
from gapsmith.bank.formats.asking import FLAGS
from gapsmith.bank.formats.services import ReadServices
from gapsmith.templates import FormatError

FILES = Path(__file__).resolve().parents[1] / "fixtures" / "strange"
LABELS = ("what_gap", "that_gap", "what_nogap", "that_nogap")
TEXTS = (
    "We heard what the tailor mended before the feast.",
    "We heard that the tailor mended before the feast.",
    "We heard what the tailor mended the coat before the feast.",
    "We heard that the tailor mended the coat before the feast.",
)
ITEMS = 4

SAME: dict[str, tuple[str, ...]] = {
    "filldown.csv": LABELS,
    "item3.txt": ("a", "b", "c", "d"),
    "keyed.json": LABELS,
    "lettered.csv": ("a", "b", "c", "d"),
    "lines.jsonl": LABELS,
    "linger.txt": LABELS,
    "marks.csv": LABELS,
    "marks_mixed.csv": LABELS,
    "named.txt": LABELS,
    "nested.json": LABELS,
    "nested_list.json": LABELS,
    "norms.csv": LABELS,
    "numbered.txt": ("a", "b", "c", "d"),
    "unequal.csv": LABELS,
    "wide.csv": LABELS,
    "wide_semicolon.csv": LABELS,
}
"""Files with the four sentences of item 1 above, to the labels of their conditions."""

ASKED: dict[str, tuple[str, int, int]] = {
    "head_notes.csv": ("--header-row 3", 4, 4),
    "linger_two.txt": ("--only experiment=wh", 4, 4),
    "noitem.csv": ("--per-item 4", 4, 4),
    "pairs_type.csv": ("--condition-column grammatical", 4, 2),
    "prefixed.csv": ("--strip-prefix A:", 4, 4),
    "restart.csv": ("--item-column item --item-column experiment", 8, 4),
    "slash_uneven.csv": ("--region-mark /", 4, 4),
    "three.csv": ("--condition-column filler --condition-column gap --condition-column island", 4, 8),
    "two_factor_cond.csv": ("--condition-column load", 4, 4),
    "wide_latin.csv": ("--encoding cp1252", 2, 2),
}
"""Files that do not say something, to an option that is named, and how many items and conditions they have with the first answer."""

TRAPS: dict[str, str] = {
    "foreign_order_lines.txt": "stand in another order than those of the others, by 'that'",
    "results.csv": "gapsmith import-scores",
    "rr_noorder.csv": "the order of the words is not certain",
    "sg_results.csv": "gapsmith import-scores",
    "trap_ab.csv": "'better' seems to say row by row",
    "trap_equal_labels.csv": "4 of 4 items have a condition twice",
    "trap_filldown_missing.csv": "item 3 has what_gap, that_gap, that_nogap",
    "trap_filldown_shuffled.csv": "whose the row is cannot be told",
    "trap_numbered_twice.txt": "item 2 has 'a' already",
}
"""Files that would come in wrong, to what is said."""


def read(name: str, options: ReadOptions | None = None) -> ForeignSet:
    return read_foreign(SourceFile(FILES / name, options or ReadOptions()))


def texts(found: ForeignSet, item: str = "1") -> dict[str, str]:
    return {s.condition: s.text for one in found.items if one.label == item for s in one.sentences}


@pytest.mark.parametrize("name", SAME)
def test_one_set_in_many_shapes_is_the_same_sentences(name: str) -> None:
    found = read(name)
    assert len(found.items) == ITEMS
    assert found.conditions == SAME[name]
    assert texts(found) == dict(zip(SAME[name], TEXTS, strict=True))
    assert found.assumptions
    assert all(taken.sure in ("certain", "said", "assumed") for taken in found.assumptions)


@pytest.mark.parametrize(
    "name", sorted({*SAME, "slash.csv", "region_lists.json", "tuple_lists.json", "three_cond.csv"} - {"wide_semicolon.csv"})
)
def test_what_came_in_goes_out_to_the_byte(name: str) -> None:
    assert written(read(name)).content == (FILES / name).read_bytes()


@pytest.mark.parametrize("name", ASKED)
def test_what_a_file_does_not_say_is_refused_with_an_option_that_then_takes_it(name: str) -> None:
    flag, items, conditions = ASKED[name]
    with pytest.raises(UndecidedError) as caught:
        read(name)
    assert flag in caught.value.hint
    found = read(name, ReadOptions().with_answer(caught.value.answers[0]))
    assert len(found.items) == items
    assert len(found.conditions) == conditions
    # The command that is shown says the same.
    command = next(line for line in caught.value.hint.splitlines() if line.startswith("  gapsmith import"))
    words = shlex.split(command.partition("   (")[0])
    assert words[2] == str(FILES / name)
    assert set(words[3::2]) <= set(FLAGS.values())


@pytest.mark.parametrize("name", ASKED)
def test_whoever_is_asked_sees_three_items_and_the_answer_is_recorded(name: str) -> None:
    shown: list[str] = []

    def ask(undecided: UndecidedError, show: object) -> FileAnswer:
        assert callable(show)
        shown.append(show(undecided.answers[0]))
        return undecided.answers[0]

    found = read_foreign(SourceFile(FILES / name), services=ReadServices(ask=ask))
    assert shown[-1].count("\n  item ") + 1 == min(3, len(found.items))
    assert any(found.options.values())


@pytest.mark.parametrize("name", TRAPS)
def test_a_trap_is_refused_and_says_why(name: str) -> None:
    with pytest.raises(FormatError, match=re.escape(TRAPS[name])):
        read(name)


def test_every_file_of_the_folder_is_spoken_of() -> None:
    others = {"factors", "german.csv", "levels3.csv", "ling.txt", "ling_mixed.txt", "region_lists.json", "shuffled.csv"}
    others |= {"slash.csv", "three_cond.csv", "tuple_lists.json"}
    assert {path.name for path in FILES.iterdir()} == {*SAME, *ASKED, *TRAPS, *others} - {"factors"}


def test_marks_before_sentences_say_what_is_expected_or_become_an_attribute() -> None:
    assert read("marks.csv").expected == {"what_gap": "ok", "that_gap": "*", "what_nogap": "*", "that_nogap": "ok"}
    mixed = read("marks_mixed.csv")
    assert mixed.expected == {}
    assert {s.attributes["judgement"] for item in mixed.items for s in item.sentences} == {"ok", "??"}
    assert "[??]" in grid_of(mixed)
    assert read("ling_mixed.txt").conditions == ("bad", "good")
    assert read("ling.txt").expected == {"a": "ok", "b": "*"}


def test_factors_are_called_by_their_columns() -> None:
    found = read("three_cond.csv")
    assert dict(found.factors) == {"cond_filler": ("what", "that"), "cond_gap": ("it", "gap"), "cond_island": ("yes", "no")}
    tuples = read("tuple_lists.json")
    assert dict(tuples.factors) == {"filler": ("filler", "nofiller"), "gap": ("gap", "nogap")}
    assert tuples.expected == {"s_fg": "ok", "s_f": "*", "s_g": "*", "s": "ok"}


def test_regions_between_slashes_and_in_lists_are_regions() -> None:
    for name, last in (("slash.csv", "before the feast."), ("region_lists.json", "")):
        found = read(name)
        first = found.items[0].sentences[0]
        assert first.regions is not None
        assert [first.text[r.start : r.end] for r in first.regions][1:4] == ["what", "the tailor", "mended"]
        assert first.text[first.regions[-1].start :] == last


def test_rows_in_any_order_and_headings_of_other_languages() -> None:
    assert texts(read("shuffled.csv")) == dict(zip(LABELS, TEXTS, strict=True))
    assert read("german.csv").conditions == ("sg", "pl")
    assert read("levels3.csv").conditions == ("past", "pres", "fut")


def test_an_option_that_does_not_apply_is_refused(tmp_path: Path) -> None:
    for options, says in (
        (ReadOptions(sentence_columns=("nothing",)), "there is no column 'nothing'"),
        (ReadOptions(strip_prefixes=("Z:",)), "no sentence begins with 'Z:'"),
        (ReadOptions(region_mark="^"), "no sentence has '^' in it"),
        (ReadOptions(only=("list=A",)), "there is no column for --only list=A"),
    ):
        with pytest.raises(FormatError, match=re.escape(says)):
            read("norms.csv", options)
    assert len(read("norms.csv", ReadOptions(only=("item=2",))).items) == 1


ROWS = (
    "item,cond,region,{heading},text\n"
    "1,long,noun,2,the barn\n1,long,tail,3,burned.\n1,long,verb,1,We saw that\n"
    "1,short,noun,2,the barn\n1,short,tail,3,\n1,short,verb,1,We saw\n"
)


CROSSED = (
    "Item,Head,Grammatical,Verb,Sentence\n"
    "1,s,yes,is,The hen is in.\n1,s,no,are,The hen are in.\n1,p,yes,are,The hens are in.\n"
    "1,p,no,is,The hens is in.\n2,s,yes,was,The cow was in.\n2,s,no,were,The cow were in.\n2,p,yes,were,The cows were in.\n"
    "2,p,no,was,The cows was in.\n"
)


def _file(tmp_path: Path, text: str, name: str = "own.csv") -> SourceFile:
    (tmp_path / name).write_text(text)
    return SourceFile(tmp_path / name)


def test_a_column_of_positions_orders_regions_and_it_is_said(tmp_path: Path) -> None:
    text = ROWS.format(heading="pos")
    found = read_foreign(_file(tmp_path, text))
    assert texts(found) == {"long": "We saw that the barn burned.", "short": "We saw the barn"}
    assert any("order of the numbers in pos" in note for note in found.notes)
    assert any(taken.what == "regions" and taken.sure == "assumed" for taken in found.assumptions)
    assert written(found).content.decode() == text


def test_numbers_that_count_regions_otherwise_than_the_rows_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"line 2: .* another order than 'zz' counts them"):
        read_foreign(_file(tmp_path, ROWS.format(heading="zz")))


def test_numbers_of_regions_that_are_no_order_are_kept_with_them(tmp_path: Path) -> None:
    text = ROWS.format(heading="length").replace(",2,", ",17,").replace(",3,", ",4,")
    assert texts(read_foreign(_file(tmp_path, text)))["long"] == "the barn burned. We saw that"


def test_several_experiments_in_a_table_are_asked_for(tmp_path: Path) -> None:
    text = "study,item,cond,sentence\na,1,x,The hen ran.\na,1,y,The hens ran.\nb,1,p,Who left?\nb,1,q,Who did leave?\n"
    source = _file(tmp_path, text)
    with pytest.raises(UndecidedError, match="2 experiments with different conditions: a, b") as caught:
        read_foreign(source)
    assert "--only study=b" in caught.value.hint
    found = read_foreign(SourceFile(source.path, ReadOptions().with_answer(caught.value.answers[1])))
    assert texts(found) == {"p": "Who left?", "q": "Who did leave?"}
    # Experiments with the same conditions under other numbers are one set.
    same = "study,item,cond,sentence\na,1,x,The hen ran.\na,1,y,The hens ran.\nb,2,x,A cat sat.\nb,2,y,Cats sat.\n"
    assert len(read_foreign(_file(tmp_path, same, "same.csv")).items) == 2


def test_one_slip_among_labels_is_refused_by_its_lines(tmp_path: Path) -> None:
    rows = [f"{n},{c},Sentence {n} {c} is here." for n in range(1, 6) for c in "abc"]
    rows[4] = rows[4].replace("2,b", "2,a")
    with pytest.raises(FormatError, match=r"item 2 has a in line 5 and line 6, and 1 of 5 items(.|\n)*Item 2 has no b"):
        read_foreign(_file(tmp_path, "item,cond,sentence\n" + "\n".join(rows) + "\n"))


def test_conditions_with_one_sentence_are_refused(tmp_path: Path) -> None:
    text = "item,cond,lead,sentence\n" + "".join(f"{n},{c},Lead {c}.,The {n}th hen ran.\n" for n in (1, 2) for c in "ab")
    with pytest.raises(FormatError, match=r"line 3: the conditions of an item have the same sentence(.|\n)*'lead'"):
        read_foreign(_file(tmp_path, text))
    assert len(read_foreign(_file(tmp_path, text), format="csv").items) == 2


def test_a_title_above_numbered_examples_is_no_sentence_and_said(tmp_path: Path) -> None:
    text = "Materials of study two\n\n" + (FILES / "numbered.txt").read_text()
    found = read_foreign(_file(tmp_path, text, "own.txt"))
    assert texts(found) == dict(zip("abcd", TEXTS, strict=True))
    assert any("Materials of study two" in note for note in found.notes)
    assert written(found).content.decode() == text


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        ("phrase,nr,agree,\nA hen runs now.,1,si,\nA hen run now.,1,no,\nA cow eats now.,2,si,\nA cow eat now.,2,no,\n", "agree"),
        (
            CROSSED,
            "Head --condition-column Grammatical",
        ),
    ],
)
def test_more_tables_are_refused_with_a_command_that_takes_them(tmp_path: Path, text: str, flags: str) -> None:
    source = _file(tmp_path, text)
    with pytest.raises(UndecidedError) as caught:
        read_foreign(source)
    assert f"--condition-column {flags}" in caught.value.hint
    found = read_foreign(SourceFile(source.path, ReadOptions().with_answer(caught.value.answers[0])))
    assert len(found.items) == 2
    assert all(len(item.sentences) == len(found.conditions) for item in found.items)


def test_a_first_row_that_is_a_sentence_is_not_taken_for_headings(tmp_path: Path) -> None:
    text = "".join(f"{n}\t{c}\tThe hen / that {c} / the cow {n} / ran off.\n" for n in (1, 2, 3) for c in ("met", "saw"))
    with pytest.raises(FormatError, match="no headings"):
        read_foreign(_file(tmp_path, text, "own.tsv"))


def test_numbers_of_items_are_known_in_spanish_too(tmp_path: Path) -> None:
    text = "".join(f"Ítem {n}\na) La casa {n} es grande.\nb) La casa {n} son grande.\n" for n in (1, 2, 3))
    found = read_foreign(_file(tmp_path, text, "own.txt"))
    assert [len(item.sentences) for item in found.items] == [2, 2, 2]
    assert texts(found)["a"] == "La casa 1 es grande."


def _refused(tmp_path: Path, name: str, text: str, match: str, options: ReadOptions | None = None) -> str:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=match) as error:
        read_foreign(SourceFile(path, options or ReadOptions()))
    return error.value.hint


def _read(tmp_path: Path, name: str, text: str, options: ReadOptions | None = None, format: str | None = None) -> ForeignSet:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return read_foreign(SourceFile(path, options or ReadOptions()), format=format)


def test_columns_of_words_go_by_their_numbers(tmp_path: Path) -> None:
    table = "item,cond,w1,w10,w2,w9\n1,a,He,home.,came,quietly\n1,b,He,home.,ran,quietly\n"
    found = _read(tmp_path, "a.csv", table)
    assert [s.text for s in found.items[0].sentences] == ["He came quietly home.", "He ran quietly home."]
    assert any("another order" in note for note in found.notes)
    assert written(found).content.decode() == table
    mixed = table.replace("w1,", "end,", 1)
    assert "--region" in _refused(tmp_path, "b.csv", mixed.replace("w9", "w3").replace("w10,w2", "w10,w2"), "order of")


def test_regions_in_another_order_are_refused_until_all_are_named_in_theirs(tmp_path: Path) -> None:
    table = "item,cond,end,subj,verb\n1,a,at dawn.,The cook,left\n1,b,at dawn.,The cooks,left\n"
    assert "--region end --region subj --region verb" in _refused(tmp_path, "a.csv", table, "order of the words")
    said = _read(tmp_path, "a.csv", table, ReadOptions(regions=("subj", "verb", "end")))
    assert said.items[0].sentences[0].text == "The cook left at dawn."


def test_lists_of_an_experiment_are_no_conditions_unless_said(tmp_path: Path) -> None:
    table = "item,List A,List B\n1,The cook left.,The cooks left.\n2,The maids sang.,The maid sang.\n"
    assert "--sentence-column 'List A'" not in _refused(tmp_path, "a.csv", table, "lists of an experiment")
    said = _read(tmp_path, "a.csv", table, ReadOptions(sentence_columns=("List A", "List B")))
    assert said.conditions == ("List A", "List B")


def test_columns_of_sentences_that_few_rows_have_are_asked_for(tmp_path: Path) -> None:
    table = "no,act,pass,mid\n1,The cat ate the fish.,The fish was eaten by the cat.,The fish eats well.\n"
    table += "".join(f"{n},The cat saw the dog{n}.,The dog{n} was seen by the cat.,\n" for n in range(2, 6))
    hint = _refused(tmp_path, "a.csv", table, "cannot tell what its columns are")
    assert "--sentence-column act --sentence-column pass --sentence-column mid --item-column no" in hint
    said = _read(tmp_path, "a.csv", table, ReadOptions(sentence_columns=("act", "pass", "mid"), item_columns=("no",)))
    assert any("1 of 5 items has a condition that the others do not have (item 1: mid" in note for note in said.notes)


def test_cells_that_hold_no_sentence_are_asked_for(tmp_path: Path) -> None:
    table = "item,condition,sentence\n1,a,He came.\n1,b,n/a\n2,a,TODO\n2,b,They came.\n"
    assert "--missing n/a --missing TODO" in _refused(tmp_path, "a.csv", table, "are no sentences")
    said = _read(tmp_path, "a.csv", table, ReadOptions(missing=("n/a", "todo")))
    assert [s.text for item in said.items for s in item.sentences] == ["He came.", "They came."]
    assert any("2 cells (line 3, line 4)" in str(taken) for taken in said.assumptions)


@pytest.mark.parametrize("label", ["43862", "01-Feb", "2020-02-01"])
def test_labels_that_a_spreadsheet_made_are_refused_with_their_line(tmp_path: Path, label: str) -> None:
    rows = "".join(f"{n},a,He came{n}.\n{n},b,They came{n}.\n" for n in range(1, 4)).replace("3,a", f"3,{label}")
    hint = _refused(tmp_path, "a.csv", f"item,condition,sentence\n{rows}", f"line 6: the condition '{label}' looks like a date")
    assert "--format csv" in hint
    assert label in _read(tmp_path, "a.csv", f"item,condition,sentence\n{rows}", format="csv").conditions


def test_a_label_that_one_item_has_instead_of_that_of_all_others_is_refused(tmp_path: Path) -> None:
    rows = "".join(f"{n},long,He came{n}.\n{n},short,They came{n}.\n" for n in range(1, 5)).replace("3,long", "3,lnog")
    _refused(
        tmp_path, "a.csv", f"item,condition,sentence\n{rows}", "line 6: item 3 alone has a condition 'lnog', and lacks 'long'"
    )


MARKDOWN = """# Stimuli

Some words about them.

| # | cond | sentence | ok? |
|---|:----:|----------|-----|
| 1 | near | The **cook** left. | yes |
| 1 | far | The *cook* had left \\| gone. | no |
| 2 | near | The maid sang. | yes |
| 2 | far | The maid had sung. | no |

Said at the end.
"""
HTML = """<html><body><p>Saved from a text program.</p><table><tr><th>item</th><th>condition</th><th>sentence</th></tr>
<tr><td rowspan="2">1</td><td>a</td><td>Tea &amp; cake <i>came</i>.</td></tr><tr><td>b</td><td>Tea &amp; cake come.</td></tr>
<tr><td rowspan=2>2</td><td>a</td><td>The bus came.</td></tr><tr><td>b</td><td>The bus come.</td></tr></table></body></html>
"""


def test_a_row_of_totals_below_pairs_is_left_out_and_told(tmp_path: Path) -> None:
    pairs = [(f"The {noun} was old.", f"The {noun} were old.") for noun in ("key", "road", "letter", "label")]
    rows = "".join(f"{n}\tx{n}\t{one}\t{two}\t{len(one)}\n" for n, (one, two) in enumerate(pairs, 1))
    found = _read(tmp_path, "a.tsv", f"Item\tContext\tGood\tBad\tN chars\n{rows}Total\t4\t4\t4\t70\n")
    assert [tuple(s.text for s in item.sentences) for item in found.items] == pairs
    assert any("stands below the table" in note and "Total" in note for note in found.notes)


def test_struck_text_and_notes_in_html_are_no_part_of_sentences_and_are_told(tmp_path: Path) -> None:
    struck = HTML.replace("The bus came.", "The <del>car</del><ins>bus</ins> came.<sup>a</sup>").replace(
        "The bus come.", "The <s>old <i>red</i> </s>bus come on the 5<sup>th</sup>."
    )
    found = _read(tmp_path, "a.html", struck)
    assert [s.text for s in found.items[1].sentences] == ["The bus came.", "The bus come on the 5th."]
    assert {"read as text that is struck left out: car, old, red", "read as notes and indices behind words left out: a"} <= set(
        found.notes
    )


def test_a_table_in_markdown_or_html_is_read_without_what_stands_around_it(tmp_path: Path) -> None:
    _refused(tmp_path, "a.md", MARKDOWN, r"line 8: Markdown, .* The \*cook\* had left")
    found = _read(tmp_path, "a.md", MARKDOWN, format="csv")
    assert [s.text for s in found.items[0].sentences] == ["The cook left.", "The *cook* had left | gone."]
    assert found.items[1].sentences[0].line == 9
    assert (
        found.notes[0]
        == "read as a table in Markdown, without what stands around it: # Stimuli / Some words about them. / Said at the end."
    )
    web = _read(tmp_path, "a.html", HTML)
    assert [(i.label, s.condition, s.text) for i in web.items for s in i.sentences] == [
        ("1", "a", "Tea & cake came."),
        ("1", "b", "Tea & cake come."),
        ("2", "a", "The bus came."),
        ("2", "b", "The bus come."),
    ]
    for one in (found, web):
        again = tmp_path / f"again{one.name}.csv"
        again.write_bytes(written(one).content)
        assert read_foreign(SourceFile(again), format="csv").items[0].sentences[0].text == one.items[0].sentences[0].text


@pytest.mark.parametrize("mark", ["#", "%", ";", "//"])
def test_comments_are_asked_for_and_left_out_where_they_stand(tmp_path: Path, mark: str) -> None:
    table = f"{mark} made in May\nitem,condition,sentence\n1,a,He came.\n{mark} not sure of this\n1,b,He come.\n"
    hint = _refused(tmp_path, "a.csv", table, "line 1: 2 lines that begin with")
    assert f"--comment {shlex.quote(mark)} " in hint
    said = _read(tmp_path, "a.csv", table, ReadOptions(comment=mark))
    assert [(s.line, s.text) for s in said.items[0].sentences] == [(3, "He came."), (5, "He come.")]
    # Slashes within a sentence would part regions.
    within = "" if mark == "//" else f" {mark}"
    lines = f"{mark} two lines each\nHe came for 5{within} more.\nHe come for 5{within} more.   {mark} bad, 50{within} say\n"
    said = _read(tmp_path, "a.txt", lines, ReadOptions(comment=mark, per_item=2))
    assert [s.text for s in said.items[0].sentences] == [f"He came for 5{within} more.", f"He come for 5{within} more."]
    assert f"read as what stands behind {mark} at the end of 1 line" in said.notes
    # A cell that begins with the sign is no comment, whatever parts the cells.
    table = f"{mark} made in May\nitem\tcondition\tsentence\tremark\n1\ta\tHe came.\t{mark} 1\n1\tb\tHe come.\t{mark}x\n"
    said = _read(tmp_path, "a.tsv", table, ReadOptions(comment=mark))
    assert [s.attributes["remark"] for s in said.items[0].sentences] == [f"{mark} 1", f"{mark}x"]


def test_a_mark_before_sentences_is_no_comment(tmp_path: Path) -> None:
    found = _read(tmp_path, "a.csv", "item,condition,sentence\n1,a,He came.\n1,b,#He come.\n2,a,They came.\n2,b,#They comes.\n")
    assert found.items[0].sentences[1].text == "He come."


def test_two_rows_of_headings_and_turned_tables_are_asked_for(tmp_path: Path) -> None:
    two = ",Active,,Passive,\nItem,near,far,near,far\n1,He saw it.,He saw that.,It was seen.,That was seen.\n"
    two += "2,We saw it.,We saw that.,It was seen then.,That was seen then.\n"
    assert "--header-rows 2" in _refused(tmp_path, "two.csv", two, "two rows of headings")
    columns = ("Active_near", "Active_far", "Passive_near", "Passive_far")
    said = _read(tmp_path, "two.csv", two, ReadOptions(header_rows=2, sentence_columns=columns))
    assert [(s.condition, s.text) for s in said.items[0].sentences][2] == ("Passive_near", "It was seen.")
    turned = "Condition,Item 1,Item 2,Item 3\na,The cat saw him.,The dog saw him.,The ox saw him.\n"
    turned += "b,The cat sees him.,The dog sees him.,The ox sees him.\n"
    assert "--transpose" in _refused(tmp_path, "turned.csv", turned, "columns seem to be items")
    said = _read(tmp_path, "turned.csv", turned, ReadOptions(transpose=True, sentence_columns=("a", "b")))
    assert [(i.label, s.text) for i in said.items for s in i.sentences][:2] == [
        ("Item 1", "The cat saw him."),
        ("Item 1", "The cat sees him."),
    ]


def test_headings_of_a_table_without_any_are_asked_for(tmp_path: Path) -> None:
    table = "1\tsr\tThe man that saw him left early.\n1\tor\tThe man that he saw left early.\n"
    table += "2\tsr\tThe aunt that met him sang loudly.\n2\tor\tThe aunt that he met sang loudly.\n"
    assert "--headings item,condition,sentence" in _refused(tmp_path, "a.tsv", table, "first row seems to be no headings")
    said = _read(tmp_path, "a.tsv", table, ReadOptions(headings="item,condition,sentence"))
    assert (len(said.items), said.conditions) == (2, ("sr", "or"))


def test_spaces_and_bars_part_columns_under_known_headings(tmp_path: Path) -> None:
    spaced = "item   cond \tsentence\n1 \ta   He came  home.\n1   b\t\tHe come home.\n2   a   They came.\n2  b   They comes.\n"
    found = _read(tmp_path, "a.txt", spaced)
    assert [s.text for s in found.items[0].sentences] == ["He came home.", "He come home."]
    barred = "ID|cond|sentence\n1|a|He came, late.\n1|b|He come, late.\n"
    found = _read(tmp_path, "b.txt", barred)
    assert found.items[0].sentences[0].text == "He came, late."
    assert written(found).content.decode() == barred


def test_a_number_and_a_condition_before_a_sentence_are_no_part_of_it(tmp_path: Path) -> None:
    lines = "1 a The hawk that he fed left.\n1 b The hawk that fed him left.\n2 a The ox that he saw slept.\n2 b The ox that saw him slept.\n"
    found = _read(tmp_path, "a.txt", lines)
    assert [(i.label, s.condition, s.text) for i in found.items for s in i.sentences][1] == (
        "1",
        "b",
        "The hawk that fed him left.",
    )
    joined = (
        lines.replace("he fed", "he_fed").replace("fed him", "fed_him").replace("he saw", "he_saw").replace("saw him", "saw_him")
    )
    _refused(tmp_path, "b.txt", joined, "underscores stand between the words")


def test_rows_without_a_condition_are_asked_for_by_the_column_that_says_what_they_are(tmp_path: Path) -> None:
    table = "trial,kind,item,condition,sentence\n1,practice,9,,Welcome here.\n2,main,1,a,He came.\n3,main,1,b,He come.\n"
    assert "--only kind=main" in _refused(tmp_path, "a.csv", table, "is empty where kind is practice")
    assert len(_read(tmp_path, "a.csv", table, ReadOptions(only=("kind=main",))).items) == 1


def test_proposed_columns_are_those_whose_items_are_about_one_thing(tmp_path: Path) -> None:
    table = "pair,version,list,text\n" + "".join(
        f"{n},{version},{1 + (n + side) % 2},The {noun} {verb} the door of the barn.\n"
        for n, noun in enumerate(("cook", "maid", "monk", "king"))
        for side, (version, verb) in enumerate((("x", "opens"), ("y", "open")))
    )
    hint = _refused(tmp_path, "a.csv", table, "cannot tell what its columns are")
    assert hint.count("gapsmith import") == 1
    assert "--condition-column version --item-column pair" in hint


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("a.tex", "\\documentclass{article}\n\\begin{document}\nHe came.\n\\end{document}\n", "LaTeX"),
        ("a.js", 'var items = [\n[["a", 1], "DashedSentence", {s: "He came."}],\n];\n', "JavaScript"),
        ("a.conll", "# sent_id = 1\n# text = He came.\n1\tHe\tPRON\n2\tcame\tVERB\n", "CoNLL"),
    ],
)
def test_what_no_program_for_items_wrote_is_called_by_its_name(tmp_path: Path, name: str, text: str, kind: str) -> None:
    hint = _refused(tmp_path, name, text, f"is {kind}, and not read")
    assert ("JSON.stringify" if kind == "JavaScript" else "item,condition,sentence") in hint


def test_a_question_beside_the_sentences_is_no_condition(tmp_path: Path) -> None:
    rows = [
        f"{n},{number},{verb},The label on the {noun}{'s' if number == 'pl' else ''} {verb} peeling off.,Did the {noun} smell?"
        for n, noun in enumerate(("bottle", "basket", "barrel"), 1)
        for number in ("sg", "pl")
        for verb in ("was", "were")
    ]
    hint = _refused(
        tmp_path, "a.csv", "frame,noun,verb,trial text,probe\n" + "\n".join(rows) + "\n", "cannot tell what its columns are"
    )
    assert "--condition-column noun --condition-column verb --item-column frame --sentence-column 'trial text' " in hint
    assert "--sentence-column 'trial text' --sentence-column probe" not in hint


def test_a_heading_over_one_sentence_is_no_slip_of_a_label(tmp_path: Path) -> None:
    table = "no,act,pass,mid,end\n1,The cat ate.,The fish was eaten.,Fish eats well.,\n2,The maid sang.,It was sung.,,It sings well.\n"
    table += "3,The cook left.,It was left.,It leaves well.,\n4,The king fell.,It was felled.,It falls well.,\n"
    said = ReadOptions(sentence_columns=("act", "pass", "mid", "end"), item_columns=("no",))
    assert len(_read(tmp_path, "a.csv", table, said).items) == 4


# ---- what the eighth set of strangers' files showed


def test_labels_of_examples_that_come_again_in_every_item_are_its_conditions(tmp_path: Path) -> None:
    text = "".join(
        f"\\pex<i{n}>\n" + "".join(f"\\a<{c}> {m}Who did {a} {verb} you saw?\n" for c, m, verb in order) + "\\xe\n\n"
        for n, a, order in (
            (1, "Ann", (("bridge", "", "say"), ("manner", "\\ljudge{?} ", "mumble"))),
            (2, "Bob", (("manner", "\\ljudge{?} ", "whisper"), ("bridge", "", "think"))),
        )
    )
    found = _read(tmp_path, "a.tex", text)
    assert found.expected == {"bridge": "ok", "manner": "?"}
    assert [[s.condition for s in item.sentences] for item in found.items] == [["bridge", "manner"], ["manner", "bridge"]]
    assert any("with their labels as conditions" in note for note in found.notes)
    # Labels that number sentences are no conditions.
    numbered = _read(
        tmp_path, "b.tex", text.replace("\\a<bridge>", "\\a<s1>").replace("<manner> \\ljudge{?} Who did Bob", "<s9> Who did Bob")
    )
    assert set(numbered.conditions) == {"a", "b"}


def test_regions_of_a_suite_stand_in_the_order_of_their_numbers_where_most_do(tmp_path: Path) -> None:
    def suite(*turned: int) -> str:
        words = ("The cook", "that sang", "left", ".")
        parts = [{"region_number": n, "content": text} for n, text in enumerate(words, 1)]
        items = [
            {"item_number": n, "conditions": [{"condition_name": "a", "regions": parts[::-1] if n in turned else parts}]}
            for n in (1, 2, 3)
        ]
        return json.dumps({"meta": {"name": "x"}, "region_meta": {"1": "s", "2": "rc", "3": "v", "4": "end"}, "items": items})

    found = _read(tmp_path, "a.json", suite(2))
    assert {s.text for item in found.items for s in item.sentences} == {"The cook that sang left."}
    assert any("in the order of their numbers" in str(taken) for taken in found.assumptions if taken.sure == "assumed")
    assert {s.text for s in _read(tmp_path, "a.json", suite(2), format="suite").items[1].sentences} == {
        ". left that sang The cook"
    }
    # Where most stand otherwise, numbers say which region it is.
    assert _read(tmp_path, "b.json", suite(1, 2, 3)).items[0].sentences[0].text == ". left that sang The cook"


ROWS_OF_PAIRS = "".join(
    f"{n},{c},The {a} {v}.\n" for n, a in enumerate(("cook", "maid", "king"), 1) for c, v in (("sg", "sings"), ("pl", "sing"))
)
OF_R = "".join(
    '"{}" {} "{}" "{}"\n'.format(n, *row.split(",")).replace("cook", '\\"cook\\"')
    for n, row in enumerate(ROWS_OF_PAIRS.splitlines(), 1)
)


@pytest.mark.parametrize(
    ("name", "text", "left_out"),
    [
        ("a.csv", f"item,condition,sentence\n{ROWS_OF_PAIRS}Mean,,\n", "below the table"),
        ("a.csv", f"item,condition,sentence,M\n{ROWS_OF_PAIRS.replace('.', '.,1')}Mean,,,2.5\n", "below the table"),
        (
            "a.csv",
            f"item,condition,sentence\n{ROWS_OF_PAIRS.replace('2,sg', f'item,condition,sentence{chr(10)}2,sg')}",
            "once more",
        ),
        ("a.csv", f"item,condition,sentence\n{ROWS_OF_PAIRS}".replace("\n", "\r"), ""),
        ("a.txt", f'"item" "condition" "sentence"\n{OF_R}', ""),
    ],
)
def test_what_is_no_row_is_left_out_and_line_ends_and_quotes_of_other_programs_are_read(
    tmp_path: Path, name: str, text: str, left_out: str
) -> None:
    found = _read(tmp_path, name, text)
    assert [len(item.sentences) for item in found.items] == [2, 2, 2]
    assert found.items[0].sentences[0].text.replace('"', "") == "The cook sings."
    assert any(left_out in note for note in found.notes) or not left_out


def test_numbered_regions_are_the_only_ones_and_what_stands_behind_the_end_is_none(tmp_path: Path) -> None:
    rows = "".join(
        f"{n},{c},Proc,The {a},that left,{v}.,NULL\n"
        for n, a in enumerate(("cook", "maid", "king", "pope"), 1)
        for c, v in (("1", "sings"), ("2", "sang"))
    )
    found = _read(tmp_path, "a.csv", f"Item,Cond,Procedure,R1,R2,R3,Q\n{rows}")
    assert [region.name for region in found.regions] == ["R1", "R2", "R3"]
    assert any("not Procedure, Q" in str(taken) for taken in found.assumptions if taken.sure == "assumed")
    asked = _refused(
        tmp_path,
        "b.csv",
        f"item,condition,subj,rc,verb,query\n{rows.replace(',Proc', '').replace('NULL', 'Is it so?')}",
        "query stands behind the end",
    )
    assert "--attribute query" in asked


def test_measures_are_no_conditions_and_what_is_said_of_a_row_chooses_none(tmp_path: Path) -> None:
    rows = "".join(
        f"{n};{a};{g};The {noun}{'s' * (a == 'pl')} {'is' if g == 'gram' else 'are'} old.;{k},9{k};"
        f"{'' if n > 1 or k else 'see the letter of May'}\n"
        for n, noun in enumerate(("key", "road", "cup"), 1)
        for k, (a, g) in enumerate((("sg", "gram"), ("pl", "gram"), ("sg", "ungram"), ("pl", "ungram")))
    )
    hint = _refused(tmp_path, "a.csv", f"Item;Attractor;Grammaticality;Sentence;SD;note\n{rows}", "cannot tell")
    first = next(line for line in hint.splitlines() if line.startswith("  gapsmith import"))
    assert "--condition-column Attractor --condition-column Grammaticality" in first
    assert "--only" not in hint


def test_a_note_below_examples_and_signs_of_two_kinds_of_comments(tmp_path: Path) -> None:
    dotted = (
        "Title, all sentences\n\n"
        + "".join(f"{n}.1\tThe {a} sings.\n{n}.2\tThe {a} sing.\n\n" for n, a in enumerate(("cook", "maid", "king", "pope"), 1))
        + "1 = good, 2 = bad\n"
    )
    found = _read(tmp_path, "a.txt", dotted)
    assert found.conditions == ("1", "2")
    assert any("below the last example" in note for note in found.notes)
    pairs = (
        "; typed by Ann\n"
        + "".join(
            f"{n}\n{'* ' * (n % 2)}The {a} {'sing' if n % 2 else 'sings'}.\n{'* ' * (1 - n % 2)}The {a} {'sings' if n % 2 else 'sing'}.\n\n"
            for n, a in enumerate(("cook", "maid", "king"), 1)
        )
        + "# The queen sing.\n"
    )
    said = _read(tmp_path, "b.txt", pairs, ReadOptions(comment="# ;"))
    assert [next(s.text for s in item.sentences if s.condition == "good") for item in said.items] == [
        f"The {a} sings." for a in ("cook", "maid", "king")
    ]


def test_two_tables_a_frame_and_a_script_are_refused_with_the_next_step(tmp_path: Path) -> None:
    two = "EXPERIMENT 1,,\nitem,a,b\n1,He ran.,He run.\n2,She ran.,She run.\n,,\n"
    two += "EXPERIMENT 2,,\nitem,c,d\n1,It fell.,It fall.\n2,We fell.,We fall.\n"
    assert "lines 2 to 4, lines 7 to 9" in _refused(tmp_path, "a.csv", two, "another table begins here")
    frame = "no,frame,high,low\n" + "".join(
        f"{n},The {a} sang with ___.,joy,fish\n" for n, a in enumerate(("cook", "maid", "king", "pope"), 1)
    )
    assert "--frame frame --sentence-column high" in _refused(
        tmp_path, "b.csv", frame, "blank to be filled in, with words of 'high'"
    )
    assert (
        "DMDX" in _refused(tmp_path, "c.itm", '<ep> <fd 30> <nfb>\n<eop>\n+101 "The"/"cook"/"sings";\n', "script of DMDX") or True
    )
