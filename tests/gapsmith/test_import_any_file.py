"""`gapsmith import` and `gapsmith export` on files of every shape: found out, taken in, and given back as they were."""

from __future__ import annotations

import csv
import io
import json
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import pytest

from gapsmith.bank import Bank, ItemFilter
from gapsmith.bank.choosing import choose_paradigm
from gapsmith.bank.formats.catalogue import read_foreign
from gapsmith.bank.formats.source import ReadOptions, SourceFile
from gapsmith.bank.formats.xlsx import read_xlsx, write_xlsx
from gapsmith.bank.importing import ImportOrder, ImportPlace, ImportServices, bring_in
from gapsmith.bank.items import ItemTable
from gapsmith.templates import Alignment, ParadigmError, Source
from tests.conftest import CommandOutcome
from tests.printed import result, results

Run = Callable[..., CommandOutcome]
SAMPLES = Path(__file__).resolve().parents[3] / "shared" / "data" / "formats"

TABLE = """Item,Condition,Sentence,list
1,+filler +gap,I know who the story about is likely to amuse soon.,A
1,-filler +gap,I know that the story about Mary is likely to amuse soon.,A
1,+filler -gap,I know who the story about is likely to amuse Anna soon.,A
1,-filler -gap,I know that the story about Mary is likely to amuse Anna soon.,A
"""
REGIONS = "\n".join(
    [
        "item;cond;np;verb;rest;freq",
        " 1 ;a b;The  boy;sees;her;3",
        " 1 ;b b;The  boy;saw;;3",
        '2;a b;"The ""girl""";sees;her , too;4',
        "2;b b;A girl;saw;, yes;4",
        "",
    ]
)
PAIR = {"sentence_good": "Boys sleep.", "sentence_bad": "Boys sleeps.", "UID": "agree", "pairID": "7"}


def items_of(folder: Path, dataset: str) -> list[Any]:
    with Bank.open(folder / "bank.sqlite") as bank:
        return list(bank.items.iterate(ItemFilter(dataset=dataset)))


def suite(name: str, predictions: list[str]) -> dict[str, Any]:
    def condition(label: str, *words: str) -> dict[str, Any]:
        regions = [{"region_number": n, "content": text} for n, text in enumerate(words, 1)]
        return {"condition_name": label, "regions": regions}

    entries = [
        {
            "item_number": number,
            "conditions": [
                condition("gap", "I know what", "he saw", "", "."),
                condition("no", "I know", "he saw", what, "."),
            ],
        }
        for number, what in enumerate(("it", "her"), 1)
    ]
    return {
        "meta": {"name": name, "metric": "mean"},
        "region_meta": {"1": "start", "2": "verb", "3": "object", "4": "end"},
        "predictions": [{"type": "formula", "formula": text} for text in predictions],
        "items": entries,
    }


# What it is, and whose sentences it holds


def test_a_table_is_understood_and_its_paradigm_found(gapsmith: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text(TABLE)
    done = gapsmith("import", "mine.csv")
    assert done.code == 0, done.err
    assert "mine.csv: a table with a row per item and condition; 1 item, 4 sentences" in done.err
    assert "columns list become attributes" in done.err
    assert "taken for items of subject_pg" in done.err
    (item,) = items_of(tmp_path, "mine")
    assert (item.paradigm, item.attributes) == ("subject_pg", {"list": "A"})
    assert item.slots["noun"] == "story"
    assert {s.condition for s in item.sentences} == {"pf_pg1_pg2", "mf_mg1_pg2", "pf_pg1_mg2", "mf_mg1_mg2"}
    assert item.expects == ("pf_pg1_pg2", "mf_mg1_pg2", "pf_pg1_mg2", "mf_mg1_mg2")
    assert {s.how for s in item.sentences} == {Alignment.ALIGNED}
    assert not (tmp_path / "paradigms").exists()


def test_a_type_of_sentence_that_is_the_name_of_a_paradigm_decides(gapsmith: Run, tmp_path: Path) -> None:
    rows = ["sentence_type,item,condition,sentence", "lan_pg,1,PFPG,Quite another sentence.", ""]
    (tmp_path / "mine.csv").write_text("\n".join(rows))
    assert "taken for items of lan_pg" in gapsmith("import", "mine.csv").err


@pytest.mark.parametrize("heading", ["sentence_type", "Sentence Type"])
def test_a_label_that_the_named_type_lacks_is_refused_and_nothing_is_left_behind(
    gapsmith: Run, tmp_path: Path, heading: str
) -> None:
    rows = TABLE.replace("+filler +gap", "PFPQ").splitlines()
    rows = [f"{heading},{rows[0]}", *(f"subject_pg,{row}" for row in rows[1:]), ""]
    (tmp_path / "mine.csv").write_text("\n".join(rows))
    done = gapsmith("import", "mine.csv")
    assert done.code == 2
    assert "line 2: subject_pg has no condition 'PFPQ'" in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["mine.csv"]
    # Where a row does not say it, the column decides nothing.
    (tmp_path / "mine.csv").write_text("\n".join(rows).replace("subject_pg,", ",", 1))
    assert "paradigms/mine.toml is drafted" in gapsmith("import", "mine.csv").err


def test_a_second_type_of_sentence_is_said_where_all_else_fits(gapsmith: Run, tmp_path: Path) -> None:
    heading, *rows = TABLE.splitlines()
    rows = [f"sentence_type,{heading}", *(f"subject_pg,{row}" for row in rows), ""]
    (tmp_path / "mine.csv").write_text("\n".join(rows).replace("subject_pg,1,+filler -gap", "subjct_pg,1,+filler -gap"))
    done = gapsmith("import", "mine.csv")
    assert "items read as sentences of subject_pg, but line 4 has a second sentence_type, 'subjct_pg'" in done.err
    assert "paradigms/mine.toml is drafted" in done.err


def test_a_label_that_alone_keeps_the_items_from_a_paradigm_is_said(gapsmith: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text(TABLE.replace("-filler -gap", "-filler -gab"))
    done = gapsmith("import", "mine.csv")
    said = "the items read as sentences of subject_pg, but it has no condition '-filler -gab' (line 5)\n"
    assert said in done.err
    assert "paradigms/mine.toml is drafted" in done.err


def signed(*labels: str) -> str:
    return "\n".join(["item,condition,sentence", *(f"1,{label},It is {label}." for label in labels), ""])


def test_signs_are_those_of_the_factors_that_they_name(gapsmith: Run, tmp_path: Path) -> None:
    number = [f"{one}plural {two}attractor" for one in "+-" for two in "+-"]
    for name, labels in (
        ("number", number),
        ("voice", [label.replace("plural", "passive").replace("attractor", "animate") for label in number]),
        ("short", [label.replace("plural", "plur").replace("attractor", "Attr") for label in number]),
    ):
        (tmp_path / f"{name}.csv").write_text(signed(*labels))
        done = gapsmith("import", f"{name}.csv", *(("-p", "number") if name == "short" else ()))
        assert done.code == 0, done.err
    assert [items_of(tmp_path, name)[0].paradigm for name in ("number", "voice", "short")] == [
        "number",
        "voice",
        "number",
    ]
    assert "labels: +plur +Attr is pplural_pattractor, +plur -Attr is pplural_mattractor" in done.err


def test_two_labels_of_an_item_do_not_become_one_condition(gapsmith: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text(TABLE.replace("-filler -gap", "+f +g"))
    refused = gapsmith("import", "mine.csv", "-p", "subject_pg")
    assert refused.code == 2
    said = "mine.csv, lines 2 and 5: item 1 has both '+filler +gap' and '+f +g', which would be one condition, pf_pg1_pg2"
    assert said in refused.err
    drafted = gapsmith("import", "mine.csv")
    assert "is not taken: lines 2 and 5: item 1 has both '+filler +gap' and '+f +g', which would be one condition" in drafted.err
    assert "labels: +filler +gap is filler_gap" in drafted.err
    # A set that somebody made knows no lines.
    found = read_foreign(SourceFile(tmp_path / "mine.csv"))
    bare = [replace(item, sentences=tuple(replace(s, line=0) for s in item.sentences)) for item in found.items]
    reasons = choose_paradigm(replace(found, items=tuple(bare)), tmp_path / "other", None, file="mine.csv").notes
    assert any(said.partition(" ")[2].startswith("is not taken: item 1 has both '+filler +gap' and") for said in reasons)


def test_a_paradigm_that_cannot_be_drafted_is_said_with_a_command_for_that_very_file(
    gapsmith: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(text: str, *, path: str) -> NoReturn:
        raise ParadigmError(f"{path}, line 3: something is wrong")

    monkeypatch.setattr("gapsmith.bank.choosing.parse_paradigm", refuse)
    (tmp_path / "my files").mkdir()
    (tmp_path / "my files" / "x.csv").write_text("item,condition,sentence\n1,a,One.\n1,b,Two.\n")
    refused = gapsmith("import", "my files/x.csv")
    assert refused.code == 2
    assert "no paradigm can be drafted for it: something is wrong" in refused.err
    assert "`gapsmith paradigm draft 'my files/x.csv' -o mine.toml`" in " ".join(refused.err.split())


def test_regions_whose_names_are_nearly_one_stay_two(gapsmith: Run, tmp_path: Path) -> None:
    text = "item,condition,The NP,verb,the np\n1,a,The boy,sees,her\n1,b,The boy,saw,him\n"
    (tmp_path / "one.csv").write_text(text)
    (tmp_path / "two.csv").write_text(text.replace("boy", "man"))
    assert gapsmith("import", "one.csv").code == 0
    assert gapsmith("import", "two.csv", "-p", "one").code == 0
    assert gapsmith("export", "-d", "two", "--all").out == text.replace("boy", "man")
    (tmp_path / "three.csv").write_text(text.replace("the np", "THE NP"))
    refused = gapsmith("import", "three.csv", "-p", "one")
    assert refused.code == 2
    assert "three.csv: the regions 'The NP' and 'THE NP' would be one region of one, the_np" in refused.err


def test_a_row_per_region_names_its_type_of_sentence_too(gapsmith: Run, tmp_path: Path) -> None:
    rows = ["sentence_type,item,condition,region,content", "lan_pg,1,PFPG,filler,who", "lan_pg,1,PFPQ,filler,who", ""]
    (tmp_path / "mine.csv").write_text("\n".join(rows))
    assert "line 3: lan_pg has no condition 'PFPQ'" in gapsmith("import", "mine.csv").err


def test_pairs_are_pairs_whatever_type_of_sentences_they_are(gapsmith: Run, tmp_path: Path) -> None:
    (tmp_path / "pairs.jsonl").write_text(json.dumps(PAIR | {"sentence_type": "subject_pg"}))
    assert "paradigms/minimal_pairs.toml is drafted" in gapsmith("import", "pairs.jsonl").err


def test_a_column_that_differs_within_an_item_is_said_and_stays_an_attribute_of_the_others(gapsmith: Run, tmp_path: Path) -> None:
    heading, *rows = TABLE.splitlines()
    first = [f"{row},{freq}" for row, freq in zip(rows, "1212", strict=True)]
    second = [f"2{row[1:]},5".replace("story", "book") for row in rows]
    text = "\n".join([f"{heading},freq", *first, *second, ""])
    (tmp_path / "mine.csv").write_text(text)
    done = gapsmith("import", "mine.csv")
    assert "columns list, freq become attributes" in done.err
    said = "freq differs within item 1 (lines 2 and 3), so it is no attribute of that item; it goes out again with the file"
    assert f"warning: {said}" in done.err
    one, two = items_of(tmp_path, "mine")
    assert (one.attributes, two.attributes) == ({"list": "A"}, {"list": "A", "freq": "5"})
    assert gapsmith("export", "csv", "--all").out == text
    # Where it differs within all items it is nobody's attribute, and not called one.
    third = [f"{row},{freq}" for row, freq in zip(rows, "3344", strict=True)]
    both = [*first, *(f"3{row[1:]}".replace("story", "film") for row in third), ""]
    (tmp_path / "more.csv").write_text("\n".join([f"{heading},freq", *both]))
    done = gapsmith("import", "more.csv")
    assert "columns list become attributes" in done.err
    assert "freq differs within 2 items, first within item 1 (lines 2 and 3), so it is no attribute of these" in done.err
    # A cell that is filled in one row of an item only does not differ from blank ones.
    once = [f"{row},{freq}" for row, freq in zip(rows, ("1", "", "", ""), strict=True)]
    (tmp_path / "once.csv").write_text("\n".join([f"{heading},freq", *once, ""]))
    done = gapsmith("import", "once.csv")
    assert "freq is filled for one sentence only within item 1 (lines 2 and 3), so it is no attribute of that item" in done.err
    assert "fill it in each of its rows" in done.err


def test_a_column_that_is_taken_for_no_region_can_be_said_to_be_one(gapsmith: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text("item,condition,np,verb,source\n1,a,She,came,from Paris.\n1,b,She,come,from Paris.\n")
    done = gapsmith("import", "mine.csv")
    assert "not taken for regions: source; if one is, --region source" in done.err
    for command in (("import", "mine.csv", "-d", "whole"), ("audit", "mine.csv"), ("paradigm", "draft", "mine.csv")):
        done = gapsmith(*command, "--region", "source")
        assert (done.code, "regions: np, verb, source" in done.err) == (0, True), done.err
    assert [items_of(tmp_path, name)[0].sentences[0].text for name in ("mine", "whole")] == [
        "She came",
        "She came from Paris.",
    ]


def test_where_none_fits_one_is_drafted_and_the_next_file_of_that_kind_takes_it_by_name(gapsmith: Run, tmp_path: Path) -> None:
    (tmp_path / "my set.csv").write_text(REGIONS)
    done = gapsmith("import", "my set.csv", "--json")
    assert done.code == 0, done.err
    said = result(done.out)
    assert (said["paradigm"], said["drafted"], said["format"], said["items"]) == ("my_set", True, "region_columns", 2)
    assert "paradigms/my_set.toml is drafted" in done.err
    assert "[status]" in done.err
    data = tomllib.loads((tmp_path / "paradigms" / "my_set.toml").read_text())
    assert [region["name"] for region in data["regions"]] == ["np", "verb", "rest"]
    first, second = items_of(tmp_path, "my set")
    assert first.attributes == {"freq": "3"}
    sentence = second.sentences[0]
    assert (sentence.text, sentence.how, sentence.source) == (
        'The "girl" sees her , too',
        Alignment.GIVEN,
        Source.IMPORTED,
    )
    assert sentence.text[slice(*sentence.span("rest")[1:])] == "her , too"
    (tmp_path / "more.csv").write_text(REGIONS.replace("boy", "man"))
    assert gapsmith("import", "more.csv", "-p", "my_set").code == 0
    assert [path.name for path in (tmp_path / "paradigms").iterdir()] == ["my_set.toml"]
    (tmp_path / "others.csv").write_text(REGIONS.replace("boy", "girl"))
    other = gapsmith("import", "others.csv")
    said = "my_set has these conditions and regions too, and is taken only where it is named: --paradigm my_set"
    assert (said in other.err, "paradigms/others.toml is drafted" in other.err) == (True, True)


def test_a_suites_predictions_become_criteria_and_other_ones_make_a_paradigm_of_their_own(gapsmith: Run, tmp_path: Path) -> None:
    formula = "(3;%gap%) < (3;%no%)"
    for name, predictions, named in (
        ("one", [formula], ()),
        ("two", [formula], ("-p", "objects")),
        ("three", ["(2;%gap%) > (2;%no%)"], ()),
    ):
        (tmp_path / f"{name}.json").write_text(json.dumps(suite("objects", predictions)))
        assert gapsmith("import", f"{name}.json", *named).code == 0
    kept = [(item.dataset, item.paradigm) for name in ("one", "two", "three") for item in items_of(tmp_path, name)[:1]]
    assert kept == [("one", "objects"), ("two", "objects"), ("three", "objects_2")]
    criteria = tomllib.loads((tmp_path / "paradigms" / "objects.toml").read_text())["criteria"]
    assert [(c["formula"], c["measure"]) for c in criteria] == [("gap@object < no@object", "mean")]


def test_a_file_stays_with_the_paradigm_that_it_came_in_with_whatever_was_edited_there(gapsmith: Run, tmp_path: Path) -> None:
    text = json.dumps(suite("mine", ["(3;%gap%) < (3;%no%)", "(2;%gap%) - (2;%no%)"]))
    (tmp_path / "mine.json").write_text(text)
    assert gapsmith("import", "mine.json").code == 0
    (drafted,) = (tmp_path / "paradigms").iterdir()
    edited = drafted.read_text().replace('measure = "mean"', 'measure = "max"')
    drafted.write_text(edited[: edited.index("[[contrasts]]")])
    done = gapsmith("import", "mine.json")
    assert f"taken for items of {drafted.stem}, as before" in done.err
    assert "is in data set 'mine' already" in done.err
    assert [path.name for path in (tmp_path / "paradigms").iterdir()] == [drafted.name]


def test_a_suite_that_is_not_named_has_a_paradigm_of_its_own_with_its_metric_and_contrasts(gapsmith: Run, tmp_path: Path) -> None:
    criterion, contrast = "(3;%gap%) < (3;%no%)", "(2;%gap%) - (2;%no%)"
    suites = {
        "one": suite("objects", [criterion]),
        "max": suite("objects", [criterion]),
        "more": suite("objects", [criterion, contrast]),
        "odd": suite("objects", [criterion, "((2;%gap%) > (2;%no%)"]),
    }
    suites["max"]["meta"]["metric"] = "max"
    said = {}
    for name, content in suites.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(content))
        done = gapsmith("import", f"{name}.json")
        assert done.code == 0, done.err
        said[name] = done.err
    kept = {name: items_of(tmp_path, name)[0].paradigm for name in suites}
    assert kept == {"one": "objects", "max": "objects_2", "more": "objects_3", "odd": "objects_4"}
    assert "prediction_2 is left out: the formula cannot be read at character 1" in said["odd"]
    drafted = tomllib.loads((tmp_path / "paradigms" / "objects_3.toml").read_text())
    assert [c["formula"] for c in drafted["contrasts"]] == ["gap@verb - no@verb"]
    assert "already" in gapsmith("import", "one.json").err
    named = gapsmith("import", "max.json", "-p", "objects", "-d", "named")
    assert "prediction_1 of the file is none of objects, and not tested: gap@object < no@object by max" in named.err


def test_a_name_that_a_paradigm_has_inside_its_file_or_in_the_bank_is_not_given_to_another(gapsmith: Run, tmp_path: Path) -> None:
    for name, predictions in (("one", ["(3;%gap%) < (3;%no%)"]), ("two", ["(2;%gap%) > (2;%no%)"])):
        (tmp_path / f"{name}.json").write_text(json.dumps(suite("objects", predictions)))
    (tmp_path / "paradigms").mkdir()
    mine = tmp_path / "paradigms" / "mine.toml"
    assert gapsmith("paradigm", "draft", "one.json", "-o", str(mine)).code == 0
    assert gapsmith("import", "one.json", "-p", "objects").code == 0
    assert "paradigms/objects_2.toml is drafted" in gapsmith("import", "two.json").err
    # The items of a paradigm whose file is gone are still of it, and so are those of the same file again.
    mine.unlink()
    (tmp_path / "paradigms" / "objects_2.toml").unlink()
    assert "taken for items of objects_2, as before" in gapsmith("import", "two.json", "-d", "again").err
    (tmp_path / "three.json").write_text(json.dumps(suite("objects", ["(1;%gap%) > (1;%no%)"])))
    assert "paradigms/objects_3.toml is drafted" in gapsmith("import", "three.json").err


def test_pairs_of_all_files_are_of_one_paradigm(gapsmith: Run, tmp_path: Path) -> None:
    (tmp_path / "agree.jsonl").write_text(json.dumps(PAIR) + "\n")
    (tmp_path / "lines.txt").write_text("Boys sleeps.\nBoys sleep.\n")
    assert gapsmith("import", "agree.jsonl").code == 0
    done = gapsmith("import", "lines.txt", "--first", "bad")
    assert "taken for items of minimal_pairs (Minimal pairs): the paradigm of minimal pairs of all files" in done.err
    kept = [items_of(tmp_path, name)[0] for name in ("agree", "lines")]
    assert [item.paradigm for item in kept] == ["minimal_pairs", "minimal_pairs"]
    assert kept[0].attributes == {"UID": "agree", "pairID": "7"}
    assert kept[1].sentence("good").text == "Boys sleep."
    assert "the first line of each pair is the bad member, as said with --first bad" in done.err
    other = gapsmith("import", "lines.txt", "--first", "good", "-d", "turned")
    assert (other.code, items_of(tmp_path, "turned")[0].sentence("good").text) == (0, "Boys sleeps.")


def test_what_the_named_paradigm_lacks_is_said_and_nothing_is_made(gapsmith: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text(TABLE.replace("-filler -gap", "other"))
    (tmp_path / "regions.csv").write_text(REGIONS.replace("a b", "PFPG").replace("b b", "MFPG"))
    (tmp_path / "slots.jsonl").write_text('{"slots": {"wug": "blick"}}\n')
    for arguments, says in (
        (("mine.csv", "-p", "subject_pg"), "mine.csv, line 5: subject_pg has no condition 'other'"),
        (("regions.csv", "-p", "subject_pg"), "regions.csv: subject_pg has no region 'np'"),
        (("slots.jsonl",), "holds slots that are those of no paradigm here"),
        (("slots.jsonl", "-p", "subject_pg"), "line 1: subject_pg has no slot 'wug'"),
        (("mine.csv", "--format", "suite"), "not JSON"),
        (("none.csv",), "there is no such file"),
    ):
        refused = gapsmith("import", *arguments)
        assert (refused.code, says in refused.err) == (2, True), refused.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.csv", "regions.csv", "slots.jsonl"]


def test_a_paradigm_that_cannot_be_read_is_said_and_hides_no_other(gapsmith: Run, tmp_path: Path) -> None:
    (tmp_path / "paradigms").mkdir()
    (tmp_path / "paradigms" / "broken.toml").write_text("name = ")
    (tmp_path / "mine.csv").write_text(TABLE)
    done = gapsmith("import", "mine.csv")
    assert done.code == 0
    assert "paradigm broken cannot be read and is not tried" in done.err
    assert "taken for items of subject_pg" in done.err
    link = tmp_path / "paradigms" / "broken.toml"
    link.unlink()
    link.symlink_to(tmp_path / "gone.toml")
    done = gapsmith("paradigm", "show", "broken")
    assert f"{link}: is a link to {tmp_path / 'gone.toml'}, where there is no file" in done.err.replace("\n", "")
    link.unlink()
    link.symlink_to(link)
    assert f"{link}: cannot be read" in gapsmith("paradigm", "show", "broken").err.replace("\n", "")


# Sentences of somebody else's that are longer, or odd


def published(object_: str = "the whistle") -> str:
    rows = ["item,condition,sentence"]
    for label, filler, there in (
        ("what_nogap", "what", True),
        ("that_nogap", "that", True),
        ("what_gap", "what", False),
        ("that_gap", "that", False),
    ):
        words = f"I remember {filler} with delight the old sailor carved {object_ if there else ''}"
        rows.append(f"1,{label},{' '.join(words.split())} beside the harbour wall on the last evening.")
    return "\n".join(rows) + "\n"


def test_word_limits_of_generation_do_not_bind(gapsmith: Run, tmp_path: Path) -> None:
    (tmp_path / "wh.csv").write_text(published())
    done = gapsmith("import", "wh.csv", "-p", "embedded_wh")
    assert done.code == 0
    assert "do not read back" not in done.err
    (item,) = items_of(tmp_path, "wh")
    assert item.slots == {
        "matrix": "I remember",
        "subject": "with delight the old sailor",
        "verb": "carved",
        "object": "the whistle",
        "time": "beside the harbour wall on the last evening",
    }
    found = results(gapsmith("lint", "--json", "--fail-on", "never").out)
    long = [finding["severity"] for finding in found if finding["code"] == "T103"]
    assert set(long) == {"info"}


@pytest.mark.parametrize(
    ("old", "new", "says", "is_settled"),
    [
        ("story about", "story regarding", "'regarding' is no preposition of subject_pg (about, of)", False),
        ("I know who", "I know whom", "there is no 'who' (region filler) in 'I know whom the story about", True),
    ],
)
def test_where_a_sentence_does_not_read_back_the_message_names_the_word(
    gapsmith: Run, tmp_path: Path, old: str, new: str, says: str, is_settled: bool
) -> None:
    (tmp_path / "mine.csv").write_text(TABLE.replace(old, new))
    done = gapsmith("import", "mine.csv", "-p", "subject_pg")
    assert done.code == 0
    assert "item 1, pf_pg1_pg2 (line 2): " + says in done.err
    (item,) = items_of(tmp_path, "mine")
    # The sentences with that settle the words by themselves.
    assert (item.slots is not None) is is_settled
    assert ("it is not what the item's words give" if is_settled else says) in item.sentences[0].why
    drafted = gapsmith("import", "mine.csv", "-d", "other")
    assert "4 paradigms here have these conditions and make other sentences (-p NAME: in which word)" in drafted.err


# Out again


SHAPES: dict[str, str | bytes] = {
    "table.csv": TABLE,
    "windows.csv": "\ufeff" + TABLE.replace(",", ";").replace("\n", "\r\n").removesuffix("\r\n"),
    "quoted.csv": "\n".join('"' + line.replace(",", '","') + '"' for line in TABLE.splitlines()) + "\n",
    "shuffled.csv": "".join(TABLE.splitlines(keepends=True)[n] for n in (0, 3, 1, 4, 2)),
    "latin.csv": TABLE.replace("Mary", "Zoë").encode("cp1252"),
    "wide.csv": TABLE.encode("utf-16"),
    "cells.csv": REGIONS,
    "spaced.csv": TABLE.replace("\n1,", "\n 1 ,", 1) + "\n".join(["2,a,x.,A", " 2,b,y.,A", ""]),
    "spaced_cells.csv": REGIONS.replace(" 1 ;b", "1;b"),
    "synonyms.csv": TABLE.replace("+filler +gap", "PFPG") + TABLE.partition("\n")[2].replace("\n1", "\n2").replace("1", "2", 1),
    "rows.csv": "item,condition,region_number,region_name,content,rt\n"
    "1,a,2,verb, sleeps ,7\n1,b,1,np,A  boy,5\n1,a,1,np,Boys,\n1,b,2,verb,,9\n",
    "titled_rows.csv": "item,condition,region_number,region_name,content,number,name,line\n"
    "1,a,1,np,Boys,sg,x,9\n1,a,3,np,him,none,y,8\n1,a,2,,see,none,x,8\n1,b,1,np,Boys,sg,x,7\n1,b,2,,sees,none,z,\n",
    "attributes.csv": "item,condition,list,freq,region_number,region_name,content,rt\n"
    "1,a,A,4.1,1,np,Boys,7\n1,a,A,4.1,2,verb,sleep,7\n1,b,A,4.1,1,np,Boys,8\n1,b,A,4.1,2,verb,sleeps,8\n"
    "2,a,B,,1,np,Girls,7\n2,a,B,,2,verb,sleep,7\n2,b,B,,1,np,Girls,7\n2,b,B,,2,verb,sleeps,7\n",
    "spaced_rows.csv": "item,condition,region_number,content\n 1,a,1,Boys\n 1,a,2,sleep\n1,b,1,A boy\n1,b,2,sleeps\n",
    "suite.json": json.dumps(suite("objects", ["(3;%gap%) < (3;%no%)"]) | {"extra": {"b": 1, "a": "é"}}, indent=2),
    "compact.json": json.dumps(suite("small", []), separators=(",", ":")),
    "pairs.jsonl": json.dumps(PAIR) + "\n" + json.dumps(PAIR | {"pairID": "8", "UID": "ü"}) + "\n",
    "two.tsv": 'Boys sleep.\tBoys sleeps.\nA "b".\tA c.\n',
    "brackets.txt": '[He said "x":z.]\n[He said "x":y.]\n',
    "two.txt": "Boys sleeps.\nBoys sleep.\nB a.\nA b.\n",
    "slots.jsonl": '{"item": 7, "slots": {"matrix": "I know", "determiner": "the", "noun": "story", "preposition": "about", '
    '"name1": "Mary", "linker": "is likely to", "verb": "amuse", "name2": "Anna", "adverb": "soon"}, "note": [1]}\n',
}


# What a person has to say of a file.
SAID = {
    "latin.csv": ("--encoding", "cp1252"),
    "brackets.txt": ("--format", "pair_lines", "--first", "good"),
    "two.tsv": ("--first", "good"),
    "two.txt": ("--first", "bad"),
}


@pytest.mark.parametrize("name", SHAPES)
def test_a_file_goes_out_to_the_byte_as_it_came_in(gapsmith: Run, tmp_path: Path, name: str) -> None:
    content = SHAPES[name]
    raw = content if isinstance(content, bytes) else content.encode()
    (tmp_path / name).write_bytes(raw)
    more = SAID.get(name, ())
    done = gapsmith("import", name, *more)
    assert done.code == 0, done.err
    back = gapsmith("export", "--all", "-o", f"back-{name}")
    assert back.code == 0, back.err
    assert (tmp_path / f"back-{name}").read_bytes() == raw
    already = gapsmith("import", name, *more)
    assert "already" in already.err


def test_columns_of_rows_of_regions_are_the_items_or_the_rows_and_what_goes_lost_is_said(gapsmith: Run, tmp_path: Path) -> None:
    (tmp_path / "attributes.csv").write_text(str(SHAPES["attributes.csv"]))
    done = gapsmith("import", "attributes.csv")
    assert "columns list, freq become attributes" in done.err
    # That reading times are alike in item 2 is chance.
    assert "columns rt are kept with the regions: rt differs within item 1 (lines 2 and 4)" in done.err
    one, two = items_of(tmp_path, "attributes")
    assert (one.attributes, two.attributes) == ({"list": "A", "freq": "4.1"}, {"list": "B", "freq": ""})
    table = gapsmith("export", "csv", "--all")
    assert table.out.splitlines()[1] == "attributes,1,a,Boys sleep,A,4.1"
    assert "not in it, since csv has no place for it: rt" in table.err
    suite = gapsmith("export", "suite", "--all")
    first = json.loads(suite.out)["items"][0]
    assert (first["freq"], first["conditions"][1]["regions"][0]["rt"], "not in it" in suite.err) == ("4.1", "8", False)
    # Another shape has them behind our own columns.
    (tmp_path / "mine.json").write_text(suite.out)
    gapsmith("import", "mine.json")
    rows = gapsmith("export", "region_rows", "-d", "mine", "--all").out.splitlines()
    assert rows[:2] == [
        "item_number,condition_name,region_number,region_name,content,list,freq,rt",
        "1,a,1,np,Boys,A,4.1,7",
    ]


def test_an_edited_sentence_goes_out_edited_and_all_else_as_it_came(gapsmith: Run, tmp_path: Path) -> None:
    (tmp_path / "cells.csv").write_text(REGIONS)
    gapsmith("import", "cells.csv")
    edited = REGIONS.replace("saw;;3", "spotted;;3")
    (tmp_path / "cells.csv").write_text(edited)
    done = gapsmith("import", "cells.csv", "--update")
    assert "1 that were there have a new revision" in done.err
    assert gapsmith("export", "--all").out == edited


def test_an_earlier_file_comes_back_with_an_update_and_only_what_is_there_now_is_there_already(
    gapsmith: Run, tmp_path: Path
) -> None:
    first, second = REGIONS, REGIONS.replace("saw;;3", "spotted;;3")
    assert first != second
    (tmp_path / "cells.csv").write_text(first)
    gapsmith("import", "cells.csv")
    (tmp_path / "cells.csv").write_text(second)
    gapsmith("import", "cells.csv", "--update")
    (tmp_path / "cells.csv").write_text(first)
    again = gapsmith("import", "cells.csv")
    assert (again.code, "already" in again.err) == (0, False)
    assert "1 of its items is no longer there as the file has them; nothing was imported. --update" in again.err
    assert gapsmith("export", "--all").out == second
    for content in (first, second, first):
        (tmp_path / "cells.csv").write_text(content)
        done = gapsmith("import", "cells.csv", "--update")
        assert "1 that were there have a new revision" in done.err
        assert gapsmith("export", "--all").out == content
        assert "is in data set 'cells' already" in gapsmith("import", "cells.csv", "--update").err


def test_a_file_goes_beside_others_into_a_data_set_that_was_taken_out_since(gapsmith: Run, tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text(TABLE)
    (tmp_path / "two.csv").write_text(TABLE.replace("\n1,", "\n2,"))
    gapsmith("import", "one.csv", "-d", "mine")
    gapsmith("dataset", "remove", "mine")
    gapsmith("import", "two.csv", "-d", "mine")
    assert "Imported 1 item" in gapsmith("import", "one.csv", "-d", "mine").err
    assert [item.label for item in items_of(tmp_path, "mine")] == ["2", "1"]


def test_an_update_says_where_attributes_stay_as_they_were(gapsmith: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text(TABLE)
    gapsmith("import", "mine.csv")
    (tmp_path / "mine.csv").write_text(TABLE.replace(",A\n", ",B\n"))
    done = gapsmith("import", "mine.csv", "--update")
    assert "0 that were there have a new revision and wait for a decision; 1 are the same" in done.err
    assert "1 item had other attributes before" in done.err
    assert items_of(tmp_path, "mine")[0].attributes == {"list": "A"}


def test_a_spreadsheet_comes_in_as_text_and_goes_out_as_one(gapsmith: Run, tmp_path: Path) -> None:
    rows = list(csv.reader(io.StringIO(TABLE)))
    rows[1][2], rows[2][2], rows[1][3], rows[2][3] = "=1+1", "NA came", "null", "null"
    write_xlsx(tmp_path / "mine.xlsx", rows)
    done = gapsmith("import", "mine.xlsx", "-p", "subject_pg")
    assert done.code == 0, done.err
    assert "in a spreadsheet" in done.err
    assert "item 1, pf_pg1_pg2 (row 2): " in done.err
    assert [s.text for s in items_of(tmp_path, "mine")[0].sentences][:2] == ["=1+1", "NA came"]
    rows[3][1] = "+filler -hole"
    write_xlsx(tmp_path / "odd.xlsx", rows)
    done = gapsmith("import", "odd.xlsx", "-p", "subject_pg")
    assert "odd.xlsx, row 4: subject_pg has no condition '+filler -hole'" in done.err
    rows[3][1] = "+filler -gap"
    (tmp_path / "odd.xlsx").unlink()
    assert gapsmith("export", "--all", "-o", "back.xlsx").code == 0
    assert [list(cells) for _, cells in read_xlsx(tmp_path / "back.xlsx")] == rows
    assert gapsmith("export", "--all", "--defuse").out.count("'=1+1") == 1
    gapsmith("init", "other")
    (tmp_path / "odd.csv").write_text(TABLE.replace("story", "st\x07ory", 1))
    gapsmith("import", "odd.csv", "-p", "subject_pg", "-w", "other")
    refused = gapsmith("export", "--all", "-w", "other", "-o", "odd.xlsx")
    assert (refused.code, "cell C2: would hold the control character U+0007" in refused.err) == (2, True)
    assert not (tmp_path / "odd.xlsx").exists()


def test_formulas_are_found_in_any_encoding_and_an_encoding_that_is_too_small_is_said(gapsmith: Run, tmp_path: Path) -> None:
    (tmp_path / "wide.csv").write_bytes(TABLE.replace(",", ";").replace(";A", ";=A1").encode("utf-16"))
    gapsmith("import", "wide.csv")
    plain = gapsmith("export", "--all", "-o", "plain.csv")
    # Labels that begin with a sign are formulas to a spreadsheet too.
    assert "8 cells would be run as formulas" in plain.err
    gapsmith("export", "--all", "--defuse", "-o", "defused.csv")
    assert (tmp_path / "defused.csv").read_bytes().decode("utf-16").count(";'=A1") == 4
    (tmp_path / "latin.csv").write_bytes(TABLE.replace("Mary", "Zoë").encode("cp1252"))
    gapsmith("import", "latin.csv", "--encoding", "cp1252")
    (tmp_path / "latin.csv").write_text(TABLE.replace("Mary", "Zoë").replace("Anna", "Ānna"))
    assert gapsmith("import", "latin.csv", "--update").code == 0
    done = gapsmith("export", "-d", "latin", "--all")
    assert ("Ānna" in done.out, "not every character is in cp1252" in done.err) == (True, True)


def test_a_full_disk_behind_stdout_is_an_error_and_no_traceback(gapsmith: Run, tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    (tmp_path / "mine.csv").write_text(TABLE)
    gapsmith("import", "mine.csv")
    command = [sys.executable, "-c", "from gapsmith.app.cli.app import main; main()", "export", "--all"]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, "stdout cannot be written" in done.stderr, "Traceback" in done.stderr) == (2, True, False)


def test_every_shape_is_written_from_items_that_came_from_no_file(gapsmith: Run, tmp_path: Path) -> None:
    gapsmith("generate", "embedded_wh", "-n", "3", "--seed", "1")
    for number, (kind, suffix) in enumerate(
        (("csv", "csv"), ("region_columns", "csv"), ("region_rows", "csv"), ("suite", "json"), ("slots", "jsonl"))
    ):
        name = f"{kind}.{suffix}"
        assert gapsmith("export", kind, "--all", "-d", "generated", "-o", name).code == 0
        done = gapsmith("import", name, "-p", "embedded_wh", "-d", f"set{number}")
        assert done.code == 0, done.err
    first = items_of(tmp_path, "generated")
    for number in range(5):
        again = items_of(tmp_path, f"set{number}")
        assert [(item.label, item.slots) for item in again] == [(item.label, dict(item.slots)) for item in first]
        assert [[(s.condition, s.text, s.regions) for s in item.sentences] for item in again] == [
            [(s.condition, s.text, s.regions) for s in item.sentences] for item in first
        ]
    left_out = gapsmith("export", "pair_lines", "--all", "-d", "generated")
    assert (left_out.out, "3 items are not in it" in left_out.err) == ("", True)
    assert gapsmith("export", "cvs", "--all").code == 2


def test_lists_for_experiments(gapsmith: Run, tmp_path: Path) -> None:
    gapsmith("generate", "embedded_wh", "-n", "4", "--seed", "1")
    (tmp_path / "fill.csv").write_text("item,condition,sentence\nf1,filler,It rains.\n")
    done = gapsmith("export", "pcibex", "--all", "--fillers", "fill.csv", "--seed", "7")
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert {row["group"] for row in rows} == {"A", "B", "C", "D"}
    assert [sum(row["type"] == kind for row in rows) for kind in ("item", "filler")] == [16, 4]
    two = gapsmith("export", "jspsych", "--all", "--conditions", "what_gap,that_gap", "-o", "lists")
    assert two.code == 0, two.err
    assert "2 lists: A, B" in two.err
    trials = json.loads((tmp_path / "lists" / "list_A.json").read_text())
    assert {trial["condition"] for trial in trials} == {"what_gap", "that_gap"}
    assert gapsmith("export", "jspsych", "--all", "-o", "lists").code == 2
    assert gapsmith("export", "jspsych", "--all").code == 2
    assert gapsmith("export", "pcibex", "--all", "--conditions", "wug").code == 2


def test_folders_for_the_hub_and_for_lm_eval(gapsmith: Run, tmp_path: Path) -> None:
    (tmp_path / "agree.jsonl").write_text(json.dumps(PAIR) + "\n")
    gapsmith("import", "agree.jsonl")
    done = gapsmith("export", "hub", "--all", "-o", "hub", "--title", "Agreement", "--license", "cc-by-4.0")
    assert done.code == 0, done.err
    card = (tmp_path / "hub" / "README.md").read_text()
    assert 'pretty_name: "Agreement"' in card
    assert "cc-by-4.0" in card
    assert json.loads((tmp_path / "hub" / "data.jsonl").read_text())["sentence_bad"] == "Boys sleeps."
    tasks = gapsmith("export", "lm-eval", "--all", "-o", "tasks")
    assert tasks.code == 0, tasks.err
    assert (tmp_path / "tasks" / "agree.yaml").exists()
    assert gapsmith("export", "lm-eval", "--all", "-o", "hub").code == 2
    refused = gapsmith("export", "lm-eval", "--all", "-o", "else", "--pair", "good,wug")
    assert (refused.code, "there is no condition 'wug'" in refused.err) == (2, True)
    assert not (tmp_path / "else").exists()
    gapsmith("generate", "embedded_wh", "-n", "2")
    effects = gapsmith("export", "lm-eval", "-p", "embedded_wh", "--all", "-o", "effects")
    assert effects.code == 0, effects.err
    assert len(list((tmp_path / "effects").glob("*_W*.yaml"))) == 2
    gapsmith("generate", "lan_pg", "-n", "2")
    unsaid = gapsmith("export", "lm-eval", "-p", "lan_pg", "--all", "-o", "else")
    assert (unsaid.code, "--pair good,bad" in unsaid.err) == (2, True)
    pairs = gapsmith("export", "lm-eval", "-p", "embedded_wh", "--all", "-o", "else", "--pair", "what_gap,mf_pg")
    assert pairs.code == 0, pairs.err


@pytest.mark.full
def test_reading_making_and_storing_tell_how_far_they_are(tmp_path: Path) -> None:
    path = tmp_path / "many.txt"
    path.write_text("".join(f"Boys sleeps {n}.\nBoys sleep {n}.\n" for n in range(5500)))
    told: dict[str, list[int]] = {}
    with Bank.open(tmp_path / "bank.sqlite", create=True) as bank:
        order = ImportOrder(path, dataset="x", options=ReadOptions(first="bad"))
        services = ImportServices(progress=lambda stage, _: nullcontext(told.setdefault(stage, []).append))
        bring_in(ImportPlace.of(tmp_path, bank), order, services)
        assert bank.items.count() == 5500
        assert list(bank.faults()) == []
    assert told == {"reading": [10_000], "reading back": [1000, 2000, 3000, 4000, 5000], "storing": [5000, 5500]}


# Whole or not at all


def test_an_import_that_fails_leaves_no_drafted_paradigm(gapsmith: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cells.csv").write_text(REGIONS)

    def stop(self: ItemTable, *_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(ItemTable, "_add_sentences", stop)
        stopped = gapsmith("import", "cells.csv")
    assert (stopped.code, "nothing of cells.csv was imported" in stopped.err) == (130, True)
    assert list((tmp_path / "paradigms").iterdir()) == []
    assert gapsmith("import", "cells.csv").code == 0
    assert len(items_of(tmp_path, "cells")) == 2


def test_labels_that_are_taken_refuse_the_whole_file(gapsmith: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("B a.\nA b.\n")
    (tmp_path / "b.txt").write_text("D c.\nC d.\nF e.\nE f.\n")
    assert gapsmith("import", "a.txt", "-d", "x", "--first", "bad").code == 0
    refused = gapsmith("import", "b.txt", "-d", "x", "--first", "bad")
    assert (refused.code, "data set 'x' already has an item '1'" in refused.err) == (2, True)
    assert [item.label for item in items_of(tmp_path, "x")] == ["1"]


COMES_IN: Mapping[str, tuple[str, ...]] = {
    "suite.json": (),
    "region_rows.csv": (),
    "region_columns.csv": (),
    "four_conditions_extra_columns.csv": (),
    "blimp_style.jsonl": (),
    "two_columns.tsv": ("--first", "good"),
    "two_lines_bad_good.txt": ("--first", "bad"),
    "factor_columns.csv": (),
    "four_lines_an_item.txt": ("--per-item", "4"),
    "prefixed_pairs.tsv": ("--strip-prefix", "B:", "--strip-prefix", "A:", "--own-paradigm"),
    "suite_odd_prediction.json": (),
    "tuples.json": (),
}
"""Sample files that are sets of sentences, and what has to be said of each."""
ANSWERS = "holds what people answered, not sentences", "import the list of the sentences themselves"
UNKNOWN = "cannot tell what kind of file this is", "Tables need headings such as item, condition, sentence"
REFUSED: Mapping[str, tuple[str, str]] = {
    "README.md": UNKNOWN,
    "four_lines_an_item.txt": ("neighbouring lines are alike in groups of 4", "--per-item 4"),
    "prefixed_pairs.tsv": ("its sentences begin with B:, A:", "--strip-prefix B: --strip-prefix A:"),
    "prolific_export.csv": ANSWERS,
    "responses_jspsych.json": ANSWERS,
    "responses_long.csv": ANSWERS,
    "responses_pcibex.csv": ANSWERS,
    "surprisals_by_token.txt": ("holds what a model computed, not sentences", "takes the surprisals for the items that are here"),
    "two_columns.tsv": ("nothing in it says which sentence of a pair is the good one", "Say --first good or --first bad"),
    "two_lines_bad_good.txt": ("nothing in it says which sentence of a pair is the good one", "Say --first good or --first bad"),
}
"""Sample files that are refused as long as nothing is said of them: why, and the way out."""


@pytest.mark.shared
@pytest.mark.skipif(not SAMPLES.exists(), reason="the sample files are not beside the checkout")
def test_every_sample_file_comes_in_or_is_refused_with_the_way_out(gapsmith: Run, tmp_path: Path) -> None:
    assert {path.name for path in SAMPLES.iterdir()} == COMES_IN.keys() | REFUSED.keys()
    assert {name for name, said in COMES_IN.items() if said} == COMES_IN.keys() & REFUSED.keys()
    assert gapsmith("init").code == 0
    for name, (why, way_out) in REFUSED.items():
        refused = gapsmith("import", SAMPLES / name)
        told = " ".join(refused.err.split())
        assert refused.code == 2, (name, told)
        assert (name in told, why in told, way_out in told) == (True, True, True), told
        assert told.endswith("Nothing was imported.")
    with Bank.open(tmp_path / "bank.sqlite") as bank:
        assert bank.items.count(ItemFilter()) == 0
    assert not (tmp_path / "paradigms").exists()


@pytest.mark.shared
@pytest.mark.skipif(not SAMPLES.exists(), reason="the sample files are not beside the checkout")
def test_every_sample_file_comes_in_is_linted_scored_analysed_and_goes_out_equal(gapsmith: Run, tmp_path: Path) -> None:
    samples = [SAMPLES / name for name in COMES_IN]
    for path in samples:
        shutil.copyfile(path, tmp_path / path.name)
    for name in ("region_columns.csv", "four_conditions_extra_columns.csv"):
        with (tmp_path / name).open(newline="") as stream:
            write_xlsx(tmp_path / f"{Path(name).stem}_sheet.xlsx", list(csv.reader(stream)))
    files = sorted(path for path in tmp_path.iterdir() if path.is_file())
    assert len(files) == len(samples) + 2
    for path in files:
        done = gapsmith("import", path.name, *COMES_IN.get(path.name, ()))
        assert done.code == 0, done.err
    linted = gapsmith("lint", "--json", "--fail-on", "never")
    assert linted.code == 0, linted.err
    scored = gapsmith("score", "--model", "bundled", "--all")
    assert scored.code == 0, scored.err
    analysed = gapsmith("analyze", "--all", "--json")
    assert analysed.code == 0, analysed.err
    assert "prediction_3" in analysed.out
    for path in files:
        back = tmp_path / f"back-{path.name}"
        assert gapsmith("export", "-d", path.stem, "--all", "-o", back).code == 0
        if path.suffix == ".xlsx":
            assert list(read_xlsx(back)) == list(read_xlsx(path))
        else:
            assert back.read_bytes() == path.read_bytes(), path.name


def test_a_device_is_no_file_and_a_data_set_that_is_not_there_is_named(gapsmith: Run) -> None:
    refused = gapsmith("import", "/dev/zero")
    assert refused.code == 2
    assert "is a device" in refused.err
    assert gapsmith("generate", "lan_pg", "-n", "2").code == 0
    nobody = gapsmith("export", "csv", "-d", "nonesuch", "--all")
    assert nobody.code == 2
    assert "there is no data set 'nonesuch'" in nobody.err
    assert gapsmith("generate", "lan_atb", "-n", "2").code == 0
    nobody = gapsmith("export", "csv", "-d", "nonesuch", "--all")
    assert "there is no data set 'nonesuch'" in nobody.err
    assert "Data sets here: generated." in nobody.err
