"""Files of the field: what they are, what is read, what is refused and where, and that they go out as they came in."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gapsmith.bank.formats.catalogue import FORMATS, read_foreign, recognise, written
from gapsmith.bank.formats.composing import compose
from gapsmith.bank.formats.foreign import (
    ForeignItem,
    ForeignRegion,
    ForeignSentence,
    ForeignSet,
    GivenRegion,
    item_from_raw,
    raw_of,
)
from gapsmith.bank.formats.services import ReadServices
from gapsmith.bank.formats.source import ReadOptions, SourceFile
from gapsmith.bank.formats.xlsx import write_xlsx
from gapsmith.templates import ConfigError, FormatError, RegionSpan

pytestmark = pytest.mark.fast

SAMPLES = Path(__file__).resolve().parents[3] / "shared" / "data" / "formats"

SUITE: dict[str, Any] = {
    "meta": {"name": "clitics", "metric": "mean", "author": "ours"},
    "region_meta": {"1": "subject", "2": "clitic", "3": "verb", "4": "end"},
    "predictions": [{"type": "formula", "formula": "(3;%good one%) < (3;%bad%)", "comment": "kept"}],
    "items": [
        {
            "item_number": 1,
            "source": "field notes",
            "conditions": [
                {
                    "condition_name": " good one",
                    "regions": [
                        {"region_number": 1, "content": " The  boy"},
                        {"region_number": 2, "content": "'s"},
                        {"region_number": 3, "content": "asleep ", "oovs": ["x"]},
                        {"region_number": 4, "content": "."},
                    ],
                },
                {
                    "condition_name": "bad",
                    "note": "odd",
                    "regions": [
                        {"region_number": 1, "content": "The boy"},
                        {"region_number": 3, "content": ""},
                        {"region_number": 5, "content": ", asleep"},
                        {"region_number": 4, "content": "."},
                    ],
                },
            ],
        }
    ],
    "version": 2,
}


def write_foreign(path: Path, items: ForeignSet, format: str | None = None) -> tuple[str, ...]:
    done = written(items, format, path=path)
    path.write_bytes(done.content)
    return done.left_out


def _write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


NOTHING_SAID = ReadOptions()


def _refusal(path: Path, content: str | bytes, options: ReadOptions = NOTHING_SAID) -> str:
    _write(path, content)
    with pytest.raises(FormatError) as caught:
        read_foreign(SourceFile(path, options))
    assert str(path) in caught.value.message
    return str(caught.value).replace(str(path), "FILE")


def _lines_of(path: Path) -> list[list[str]]:
    delimiter = "\t" if path.suffix == ".tsv" else ","
    return list(csv.reader(io.StringIO(path.read_text(), newline=""), delimiter=delimiter))


FIRST: dict[str, Literal["good", "bad"]] = {"two_columns.tsv": "good", "two_lines_bad_good.txt": "bad"}
"""What a person has to say of the samples that do not say it."""


@pytest.mark.shared
@pytest.mark.skipif(not SAMPLES.exists(), reason="the sample files are not beside the checkout")
@pytest.mark.parametrize(
    ("name", "format", "n_items", "n_conditions"),
    [
        ("suite.json", "suite", 3, 4),
        ("region_rows.csv", "region_rows", 3, 4),
        ("region_columns.csv", "region_columns", 3, 4),
        ("four_conditions_extra_columns.csv", "csv", 2, 4),
        ("blimp_style.jsonl", "blimp", 3, 2),
        ("two_columns.tsv", "pair_table", 3, 2),
        ("two_lines_bad_good.txt", "pair_lines", 3, 2),
    ],
)
def test_every_sample_file_is_recognised_read_and_goes_out_equal(
    tmp_path: Path, name: str, format: str, n_items: int, n_conditions: int
) -> None:
    path = SAMPLES / name
    assert recognise(SourceFile(path))[0].name == format
    found = read_foreign(SourceFile(path, ReadOptions(first=FIRST.get(name))))
    assert (len(found.items), len(found.conditions)) == (n_items, n_conditions)
    assert all(len(item.sentences) == n_conditions for item in found.items)
    assert write_foreign(tmp_path / name, found) == ()
    assert (tmp_path / name).read_bytes() == path.read_bytes()


@pytest.mark.shared
@pytest.mark.skipif(not SAMPLES.exists(), reason="the sample files are not beside the checkout")
def test_one_set_in_three_shapes_is_the_same_sentences_and_spans() -> None:
    sets = [read_foreign(SourceFile(SAMPLES / name)) for name in ("suite.json", "region_rows.csv", "region_columns.csv")]
    first, *others = [
        [(item.label, [(s.condition, s.text, s.spans) for s in item.sentences]) for item in found.items] for found in sets
    ]
    assert others == [first, first]
    assert first[0][1][2][1] == ("I remember what with delight the old sailor carved beside the harbour wall on the last evening")
    assert sets[0].predictions[2] == "(*;%that_nogap%) < (*;%what_nogap%)"
    assert sets[0].metric == "sum"


# ---- suites


def test_a_suite_with_stray_spaces_clitics_and_unequal_regions(tmp_path: Path) -> None:
    found = read_foreign(SourceFile(_write(tmp_path / "s.json", json.dumps(SUITE))))
    good, bad = found.items[0].sentences
    assert (good.condition, good.text) == ("good one", "The boy's asleep.")
    assert (bad.condition, bad.text) == ("bad", "The boy, asleep.")
    assert [(r.name, bad.text[r.start : r.end]) for r in bad.regions or ()] == [
        ("subject", "The boy"),
        ("verb", ""),
        ("region_5", ", asleep"),
        ("end", "."),
    ]
    assert [(r.number, r.name) for r in found.regions] == [
        ("1", "subject"),
        ("2", "clitic"),
        ("3", "verb"),
        ("4", "end"),
        ("5", "region_5"),
    ]
    assert (found.name, found.metric, dict(found.items[0].attributes)) == ("clitics", "mean", {"source": "field notes"})


def test_a_suite_goes_out_equal_also_from_what_a_store_keeps(tmp_path: Path) -> None:
    found = read_foreign(SourceFile(_write(tmp_path / "s.json", json.dumps(SUITE))))
    item = found.items[0]
    kept = json.loads(json.dumps(raw_of(item)))
    texts = tuple((s.condition, s.text, s.spans) for s in item.sentences)
    again = item_from_raw(item.label, texts, item.attributes, kept)
    path = tmp_path / "s.json"
    assert written(replace(found, items=(again, *found.items[1:]))).content == path.read_bytes()
    write_foreign(tmp_path / "out.json", ForeignSet(**{**_fields(found), "items": (again,)}))
    assert json.loads((tmp_path / "out.json").read_text()) == SUITE


def test_keys_of_a_suite_may_be_called_anything_and_numbers_may_be_written_with_a_point(tmp_path: Path) -> None:
    suite = json.loads(json.dumps(SUITE))
    first = suite["items"][0]["conditions"][0]["regions"]
    first[0] |= {"line": 7, "name": "own", "number": "sg"}
    first[1]["region_number"] = 2.0
    first[2]["content"] = None
    text = json.dumps(suite, indent=1) + "\n"
    found = read_foreign(SourceFile(_write(tmp_path / "a.json", text)))
    assert [region.name for region in found.items[0].sentences[0].regions or ()] == ["subject", "clitic", "verb", "end"]
    write_foreign(tmp_path / "b.json", found)
    assert (tmp_path / "b.json").read_text() == text
    write_foreign(tmp_path / "b.csv", found, "region_rows")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "b.csv").read_text())))
    assert [rows[0][name] for name in ("region_number", "region_name", "line", "name", "number")] == (
        ["1", "subject", "7", "own", "sg"]
    )
    assert (rows[2]["region_name"], rows[2]["content"]) == ("verb", "")


def test_a_table_that_a_bank_kept_with_its_own_keys_among_the_columns_is_read() -> None:
    columns = ("item", "condition", "region", "words", "name")
    spans = (RegionSpan("np", 0, 4), RegionSpan("np_2", 5, 8))
    old = {"sentences": [{"regions": [["np", None, {"line": 3, "name": "x"}], ["np_2", None, {"line": 2, "rt": "7"}]]}]}
    item = item_from_raw("1", (("a", "Boys saw", spans),), {}, old, columns=columns)
    one, two = item.sentences[0].regions or ()
    assert (dict(one.extra), one.title, one.line, dict(two.extra), two.line) == ({"name": "x"}, None, 3, {"rt": "7"}, 2)
    (one, _) = item_from_raw("1", (("a", "Boys saw", spans),), {}, old, columns=columns[:4]).sentences[0].regions or ()
    assert (dict(one.extra), one.title) == ({}, "x")


def test_an_edited_region_is_written_as_it_reads_now(tmp_path: Path) -> None:
    found = read_foreign(SourceFile(_write(tmp_path / "s.json", json.dumps(SUITE))))
    item = found.items[0]
    (_, _, spans), other = [(s.condition, s.text, s.spans) for s in item.sentences]
    edited = item_from_raw(item.label, (("good one", "The cat's asleep.", spans), other), item.attributes, raw_of(item))
    write_foreign(tmp_path / "out.json", ForeignSet(**{**_fields(found), "items": (edited,)}))
    regions = json.loads((tmp_path / "out.json").read_text())["items"][0]["conditions"][0]["regions"]
    assert [region["content"] for region in regions] == ["The cat", "'s", "asleep ", "."]


def _fields(found: ForeignSet) -> dict[str, Any]:
    return {one.name: getattr(found, one.name) for one in fields(ForeignSet)}


def _suite(change: Any) -> str:
    data = json.loads(json.dumps(SUITE))
    change(data)
    return json.dumps(data, indent=1)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda d: d["items"][0].pop("item_number"), "item 1 of the list has no item_number"),
        (lambda d: d["items"].append(d["items"][0]), "line 74: item 1 is there twice, first in line 22"),
        (lambda d: d["items"][0]["conditions"][1].pop("condition_name"), "item 1: a condition has no condition_name"),
        (lambda d: d["items"][0]["conditions"][1].update(regions=[]), "line 50: item 1, bad: there are no regions"),
        (lambda d: d["items"][0]["conditions"][0]["regions"][0].update(content=3), "region 1: its content is no text"),
        (
            lambda d: d["items"][0]["conditions"][0]["regions"][0].update(region_number=2),
            "region 'clitic' is there twice",
        ),
        (lambda d: d["items"].clear(), "the suite has no items"),
        (lambda d: d["meta"].update(author="\ud800"), "half a character"),
    ],
)
def test_a_broken_suite_is_refused_where_it_is_broken(tmp_path: Path, change: Any, says: str) -> None:
    message = _refusal(tmp_path / "s.json", _suite(change))
    assert says in message
    assert "Nothing was imported" in message


def test_broken_json_names_the_line(tmp_path: Path) -> None:
    text = json.dumps(SUITE, indent=1).replace('"bad",', '"bad"', 1)
    assert "FILE, line " in _refusal(tmp_path / "s.json", text)


# ---- tables of sentences


@pytest.mark.parametrize(
    "header",
    ["item,condition,sentence", "Item ID;Cond.;Full Sentence", "itemNumber\tCondition Name\tStimulus", "SET,Cell,text"],
)
def test_headings_as_people_write_them(tmp_path: Path, header: str) -> None:
    mark = next(sign for sign in "\t;," if sign in header)
    rows = [header.split(mark), ["1", " +filler  -gap", "I know that, yes."], ["1", "b", ""]]
    stream = io.StringIO(newline="")
    csv.writer(stream, delimiter=mark).writerows(rows)
    path = _write(tmp_path / "a.csv", stream.getvalue())
    found = read_foreign(SourceFile(path))
    assert [(s.condition, s.text, s.line) for s in found.items[0].sentences] == [
        ("+filler -gap", "I know that, yes.", 2),
        ("b", "", 3),
    ]
    write_foreign(tmp_path / "out.csv", found)
    assert list(csv.reader(io.StringIO((tmp_path / "out.csv").read_text(), newline=""), delimiter=mark)) == rows


def test_columns_that_differ_within_an_item_stay_with_the_sentences_and_rows_keep_their_order(tmp_path: Path) -> None:
    text = "rt,item,condition,sentence,list\n410,1,a,One.,A\n420,2,a,Two.,B\n430,1,b,Three.,A\n,2,b,Four.,B\n"
    found = read_foreign(SourceFile(_write(tmp_path / "a.csv", text)))
    assert [dict(item.attributes) for item in found.items] == [{"list": "A"}, {"list": "B"}]
    assert [[s.attributes["rt"] for s in item.sentences] for item in found.items] == [["410", "430"], ["420", ""]]
    write_foreign(tmp_path / "out.csv", found)
    assert (tmp_path / "out.csv").read_text() == text
    kept = [
        item_from_raw(
            item.label,
            tuple((s.condition, s.text, s.spans) for s in item.sentences),
            item.attributes,
            json.loads(json.dumps(raw_of(item))),
        )
        for item in found.items
    ]
    assert tuple(kept) == found.items


def test_a_column_per_factor_names_the_condition_when_asked_for(tmp_path: Path) -> None:
    text = "item,filler,gap,sentence\n1,who,open,A.\n1,that,open,B.\n"
    path = _write(tmp_path / "a.csv", text)
    with pytest.raises(FormatError, match="cannot tell"):
        read_foreign(SourceFile(path))
    found = read_foreign(SourceFile(path, ReadOptions(condition_columns=("Filler", "gap"))))
    assert found.conditions == ("who open", "that open")
    write_foreign(tmp_path / "out.csv", found)
    assert (tmp_path / "out.csv").read_text() == text


def test_pairs_of_stereotypes_come_in_as_published(tmp_path: Path) -> None:
    """The columns of CrowS-Pairs; the first has no heading and counts the rows. A first column of anything else needs one."""
    head = ",sent_more,sent_less,stereo_antistereo,bias_type"
    rows = [
        "She forgot it because women forget.,He forgot it because men forget.,stereo,gender",
        "The old cat.,The young cat.,stereo,age",
    ]
    text = "\n".join([head, *(f"{number},{row}" for number, row in enumerate(rows))]) + "\n"
    found = read_foreign(SourceFile(_write(tmp_path / "crows.csv", text)))
    first = {sentence.condition: sentence.text for sentence in found.items[0].sentences}
    assert first == {"good": "He forgot it because men forget.", "bad": "She forgot it because women forget."}
    assert [item.attributes["bias_type"] for item in found.items] == ["gender", "age"]
    with pytest.raises(FormatError, match="column 1 has no heading"):
        read_foreign(SourceFile(_write(tmp_path / "other.csv", text.replace("\n1,", "\n7,"))))


def test_missing_sentences_come_in_and_doubled_ones_where_the_format_is_said(tmp_path: Path) -> None:
    path = _write(tmp_path / "a.csv", "item,condition,sentence\n1,a,One.\n1,a,Again.\n2,b,\n")
    with pytest.raises(FormatError, match=r"item 1 has a in line 2 and line 3(.|\n)*Item 1 has no b(.|\n)*--format csv"):
        read_foreign(SourceFile(path))
    found = read_foreign(SourceFile(path), format="csv")
    assert [[s.condition for s in item.sentences] for item in found.items] == [["a", "a"], ["b"]]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("item,condition,sentence\n1,a,One.\n,a,Two.\n", "FILE, line 3: the column 'item' is empty"),
        ("item,condition,sentence\n1, ,One.\n", "FILE, line 2: the column 'condition' is empty"),
        ("item,condition,sentence\n1,a,One, two.\n", "FILE, line 2: 4 cells where the first row has 3"),
        ("item,condition,sentence,sentence\n1,a,x,y\n", "FILE, line 1: the column 'sentence' is there twice"),
        ("item,condition,,sentence\n1,a,x,y\n", "FILE, line 1: column 3 has no heading"),
        ("item,condition,sentence,,\n1,a,x.,,y\n", "FILE, line 2: column 5 holds 'y' and has no heading"),
        # Columns that hold nothing count as they do in the file.
        (",item,condition,,sentence,,\n,1,a,,x.,,y\n", "FILE, line 2: column 7 holds 'y' and has no heading"),
        (",item,condition,,sentence\n,1,a,x,y\n", "FILE, line 1: column 4 has no heading"),
        (",item,condition,,sentence\n,1,a,,One, two.\n", "FILE, line 2: 6 cells where the first row has 5"),
        ("item,condition,sentence\n1,a\n", "line 2: 2 cells where the first row has 3\nEvery row has a cell for each"),
        (f"item,condition,sentence\n1,a,{'x' * 131_073}\n", "line 2: a cell holds more than 131,072 characters"),
        ("sep=;\nitem;condition;sentence\n1;a;x\n", "FILE, line 1: 'sep=;' is no row but says to Excel"),
        ("item,my filler,gap,sentence\n", "such as --condition-column 'my filler' --condition-column gap."),
        ("item,condition,sentence\n", "nothing below the headings"),
        ('item,condition,sentence\n1,a,"One\n', "FILE, line 2: the cells cannot be told apart"),
        ("", "the file is empty"),
        ("\n\n", "the file is empty"),
        ("a,b,c,d\n1,2,3,4\n", "its first row is: a, b, c, d"),
        ('{"what": "ever"}', "JSON of a form that is not known"),
        ('["a"]', "JSON of a form that is not known"),
        (b"item,condition,sentence\n1,a,caf\xe9\n", "FILE, line 2: is not UTF-8 text"),
        (b"item,condition,sentence\n1,a,b\0c\n", "FILE, line 2: holds a NUL"),
        (b"\xd0\xcf\x11\xe0rest", "the old kind"),
        (b"PK\x03\x04rest", "cannot be read as an xlsx workbook"),
    ],
)
def test_a_broken_table_is_refused_where_it_is_broken(tmp_path: Path, text: str | bytes, says: str) -> None:
    assert says in _refusal(tmp_path / "a.csv", text)


def test_empty_columns_without_a_heading_go(tmp_path: Path) -> None:
    rows = [
        ["", "item", "", "condition", "sentence", ""],
        ["", "1", "", "a", "One.", ""],
        ["", "1", " ", "b", "Two.", ""],
    ]
    write_xlsx(tmp_path / "a.xlsx", rows)
    _write(tmp_path / "a.csv", "\n".join(",".join(row) for row in rows))
    for name in ("a.csv", "a.xlsx"):
        found = read_foreign(SourceFile(tmp_path / name))
        assert [s.text for s in found.items[0].sentences] == ["One.", "Two."]
        write_foreign(tmp_path / "out.csv", found)
        assert _lines_of(tmp_path / "out.csv") == [[cell for cell in row if cell.strip()] for row in rows]


def test_other_encodings_are_read_when_said_or_marked_never_guessed(tmp_path: Path) -> None:
    text = "item,condition,sentence\n1,a,café “x”\n"
    path = _write(tmp_path / "a.csv", text.encode("cp1252"))
    with pytest.raises(FormatError, match="line 2") as caught:
        read_foreign(SourceFile(path))
    assert "--encoding cp1252" in caught.value.hint
    found = read_foreign(SourceFile(path, ReadOptions(encoding="cp1252")))
    assert (found.items[0].sentences[0].text, found.encoding) == ("café “x”", "cp1252")
    for encoding in ("utf-16", "utf-8-sig"):
        marked = read_foreign(SourceFile(_write(tmp_path / "b.csv", text.encode(encoding))))
        assert marked.items[0].sentences[0].text == "café “x”"
        assert written(marked).content == text.encode(encoding)
    with pytest.raises(FormatError, match="no encoding 'latin-99'"):
        read_foreign(SourceFile(path, ReadOptions(encoding="latin-99")))


# ---- regions in tables


def test_columns_of_regions_and_columns_of_other_things(tmp_path: Path) -> None:
    text = "item,condition,list,Subject NP,verb,freq,fragment\n1,a,A, the boy ,,4.1,x\n1,b,A,the boy,slept,,y\n"
    path = _write(tmp_path / "a.csv", text)
    found = read_foreign(SourceFile(path))
    assert [r.name for r in found.regions] == ["Subject NP", "verb", "fragment"]
    assert "columns list become attributes" in found.notes  # freq differs within the item
    assert [s.text for s in found.items[0].sentences] == ["the boy x", "the boy slept y"]
    said = read_foreign(SourceFile(path, ReadOptions(attributes=("Fragment",))))
    assert [r.name for r in said.regions] == ["Subject NP", "verb"]
    for again in (found, said):
        write_foreign(tmp_path / "out.csv", again)
        assert (tmp_path / "out.csv").read_text() == text
    assert "no column 'nothing'" in _refusal(path, text, ReadOptions(attributes=("nothing",)))


def test_numbers_are_no_words_and_any_column_is_a_region_when_said(tmp_path: Path) -> None:
    text = (
        "item,condition,intro,year,comma,verb_freq,verb,source,rt\n"
        '1,a,In,1995,",",7,she came,from Paris.,3\n1,b,In,1995,",",7,she come,from Paris.,3\n'
    )
    path = _write(tmp_path / "a.csv", text)
    found = read_foreign(SourceFile(path))
    assert found.items[0].sentences[0].text == "In, she came"
    between = "year, verb_freq stand between regions and were not read as part of the sentence; if one is, --region year"
    assert between in found.notes
    assert "not taken for regions: source, rt; if one is, --region source" in found.notes
    said = read_foreign(SourceFile(path, ReadOptions(regions=("Source", "year"))))
    assert said.items[0].sentences[0].text == "In 1995, she came from Paris."
    between = "verb_freq stands between regions and was not read as part of the sentence; if it is, --region verb_freq"
    assert between in said.notes
    assert "not taken for regions: rt; if one is, --region rt" in said.notes
    for again in (found, said):
        write_foreign(tmp_path / "out.csv", again)
        assert (tmp_path / "out.csv").read_text() == text
    timed = "item,condition,np,rt1,verb,subj_nchar,V1,log10wf,end\n1,a,The boy,310,runs,7,1,2.5,today.\n"
    assert read_foreign(SourceFile(_write(tmp_path / "t.csv", timed))).items[0].sentences[0].text == "The boy runs today."
    assert "no column 'nothing'" in _refusal(path, text, ReadOptions(regions=("nothing",)))
    assert "'item' names the item" in _refusal(path, text, ReadOptions(regions=("item",)))
    both = ReadOptions(regions=("verb",), attributes=("verb",))
    assert "'verb' is said to be a region and to be none" in _refusal(path, text, both)


def test_columns_behind_the_end_of_a_sentence_are_no_regions_unless_said(tmp_path: Path) -> None:
    text = "item,condition,np,verb,punctuation,kinds,depth\n1,a,He,came,.,none,0\n1,b,He,come,.,none,0\n"
    path = _write(tmp_path / "a.csv", text)
    found = read_foreign(SourceFile(path))
    assert [s.text for s in found.items[0].sentences] == ["He came.", "He come."]
    assert dict(found.items[0].attributes) == {"kinds": "none", "depth": "0"}
    assert "not taken for regions: kinds, depth; if one is, --region kinds" in found.notes
    said = read_foreign(SourceFile(path, ReadOptions(regions=("kinds",))))
    assert said.items[0].sentences[0].text == "He came. none"
    comma = 'item,condition,np,punctuation,rest\n1,a,So,",",he came.\n1,b,So,",",he come.\n'
    assert read_foreign(SourceFile(_write(tmp_path / "b.csv", comma))).items[0].sentences[0].text == "So, he came."


def test_rows_of_regions_are_ordered_by_number_and_keep_their_order_in_the_file(tmp_path: Path) -> None:
    rows = [f"1,a,{number},r{number},w{number},n" for number in (1, 10, 2, 9)]
    text = "\n".join(["item_number,condition_name,region_number,region_name,content,note", *rows]) + "\n"
    found = read_foreign(SourceFile(_write(tmp_path / "a.csv", text)))
    assert found.items[0].sentences[0].text == "w1 w2 w9 w10"
    assert [r.name for r in found.regions] == ["r1", "r2", "r9", "r10"]
    write_foreign(tmp_path / "out.csv", found)
    assert (tmp_path / "out.csv").read_text() == text
    pointed = re.sub(r"(,[0-9]+),r", r"\1.0,r", text)
    found = read_foreign(SourceFile(_write(tmp_path / "a.csv", pointed)))
    assert found.items[0].sentences[0].text == "w1 w2 w9 w10"
    write_foreign(tmp_path / "out.csv", found)
    assert (tmp_path / "out.csv").read_text() == pointed


def test_two_regions_of_one_name_are_told_apart_and_it_is_said(tmp_path: Path) -> None:
    text = "item,condition,region_number,region,words\n1,a,1,np,the\n1,a,2,v,saw\n1,a,3,np,it\n"
    found = read_foreign(SourceFile(_write(tmp_path / "a.csv", text)))
    assert [(r.number, r.name) for r in found.regions] == [("1", "np"), ("2", "v"), ("3", "np_3")]
    assert found.notes == ("region 3 is called np_3, since another one is called np",)
    write_foreign(tmp_path / "out.csv", found)
    assert (tmp_path / "out.csv").read_text() == text
    message = _refusal(tmp_path / "a.csv", text + "1,a,3,np,again\n")
    assert "line 5: item 1, a: region 'np_3' is there twice" in message


@pytest.mark.parametrize(
    ("regions", "text"),
    [
        (["The boy", "'s", "asleep", "."], "The boy's asleep."),
        (["The boy", "’s", "n't here", "?"], "The boy’sn't here?"),
        (["He", ", who", "", "slept", ","], "He, who slept,"),
        (["He said", '"', "no", '"', "twice"], 'He said "no" twice'),
        (["He said", '"no"', "(", "twice", ")"], 'He said "no" (twice)'),
        (["", "'Tis", "'em"], "'Tis 'em"),
        (["", " ", ""], ""),
    ],
)
def test_regions_are_joined_as_people_write(regions: list[str], text: str) -> None:
    assert compose(regions)[0] == text


@given(st.lists(st.text(alphabet="ab ,.'\"s(“", max_size=6), max_size=6))
def test_composed_regions_cover_the_sentence_in_order(contents: list[str]) -> None:
    text, spans = compose(contents)
    assert [text[start:end] for start, end in spans] == [" ".join(content.split()) for content in contents]
    reached = 0
    for start, end in spans:
        assert text[reached:start] in ("", " ")
        reached = end
    assert reached == len(text)


# ---- pairs


def test_records_of_any_names_bring_their_fields_along(tmp_path: Path) -> None:
    record = {"bad": "B.", "good": "A.", "UID": "x", "extra": {"deep": [1, None]}, "pairID": "7"}
    found = read_foreign(SourceFile(_write(tmp_path / "a.jsonl", json.dumps(record) + "\n\n")))
    assert [(s.condition, s.text) for s in found.items[0].sentences] == [("good", "A."), ("bad", "B.")]
    assert (found.items[0].label, found.expected) == ("7", {"good": "ok", "bad": "*"})
    write_foreign(tmp_path / "out.jsonl", found)
    assert json.loads((tmp_path / "out.jsonl").read_text()) == record


def test_pooled_records_are_labelled_so_that_no_two_share_a_label(tmp_path: Path) -> None:
    def records(*entries: tuple[str, str]) -> str:
        return "".join(
            json.dumps({"sentence_good": "A.", "sentence_bad": "B.", "UID": uid, "pairID": pair}) + "\n" for uid, pair in entries
        )

    found = read_foreign(SourceFile(_write(tmp_path / "a.jsonl", records(("x", "0"), ("y", "0")))))
    assert [item.label for item in found.items] == ["x-0", "y-0"]
    found = read_foreign(SourceFile(_write(tmp_path / "a.jsonl", records(("x", "0"), ("x", "0")))))
    assert [item.label for item in found.items] == ["1", "2"]
    assert "pairID '0' is there 2 times" in found.notes[0]


def test_prefix_fields_become_regions_where_they_fit(tmp_path: Path) -> None:
    fitting = {
        "sentence_good": "The boys were here.",
        "sentence_bad": "The boys was here.",
        "one_prefix_prefix": "The boys",
        "one_prefix_word_good": "were",
        "one_prefix_word_bad": "was",
    }
    other = fitting | {"sentence_bad": "The boys wash here."}
    two = {
        "sentence_good": "The boys were here.",
        "sentence_bad": "The boy were here.",
        "two_prefix_prefix_good": "The boys",
        "two_prefix_prefix_bad": "The boy",
        "two_prefix_word": "were",
    }
    text = "".join(json.dumps(record) + "\n" for record in (fitting, other, two))
    items = read_foreign(SourceFile(_write(tmp_path / "a.jsonl", text))).items

    def regions(sentence: ForeignSentence) -> list[str] | None:
        return None if sentence.regions is None else [sentence.text[r.start : r.end] for r in sentence.regions]

    assert [regions(s) for s in items[0].sentences] == [["The boys", "were", "here."], ["The boys", "was", "here."]]
    assert [regions(s) for s in items[1].sentences] == [None, None], "'was' is not the word of 'wash'"
    assert [regions(s) for s in items[2].sentences] == [["The boys", "were", "here."], ["The boy", "were", "here."]]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"good": "a", "bad": "b"}\n{"good": "a"}\n', "line 2: there is no text under 'bad'"),
        ('{"good": "a", "bad": "b"}\n{"good": "a", "bad": null}\n', "line 2: there is no text under 'bad'"),
        ('{"good": "a", "bad": "b"}\n{"good": \n', "line 2: not JSON"),
        ('{"good": "a", "bad": "b"}\n[1]\n', "line 2: is no object"),
        ('{"good": "a", "bad": "b"}\n{"good": "\\ud800", "bad": "b"}\n', "line 2: holds half a character"),
        ('{"slots": {"a": "b"}}\n{"slots": {"a": 1}}\n', "line 2: the value of 'a' is not text"),
        ('{"slots": {"a": "b"}}\n{"slots": {}}\n', "line 2: needs an object with `slots`"),
        ('{"item": 1, "slots": {"a": "b"}}\n{"item": "1", "slots": {"a": "b"}}\n', "already, in line 1"),
    ],
)
def test_a_broken_line_of_json_is_refused_by_its_number(tmp_path: Path, text: str, says: str) -> None:
    assert says in _refusal(tmp_path / "a.jsonl", text)


def test_lines_two_by_two_come_in_the_order_that_somebody_says(tmp_path: Path) -> None:
    path = _write(tmp_path / "a.txt", 'He "come here.\r\nHe came\u2028here.\r\n\r\nShe run off.\nShe ran off.\n')
    assert "which sentence of a pair is the good one: of line 1, 'He \"come here.' or " in _refusal(path, path.read_bytes())
    found = read_foreign(SourceFile(path, ReadOptions(first="bad")))
    assert [[s.text for s in item.sentences] for item in found.items] == [
        ["He came\u2028here.", 'He "come here.'],
        ["She ran off.", "She run off."],
    ]
    assert found.told == ("the first line of each pair is the bad member, as said with --first bad",)
    turned = read_foreign(SourceFile(path, ReadOptions(first="good", answered=True)))
    assert turned.items[1].sentences[0].text == "She run off."
    assert turned.told == ("the first line of each pair is the good member, as answered when asked",)
    for again in (found, turned):
        write_foreign(tmp_path / "out.txt", again)
        assert (tmp_path / "out.txt").read_text() == path.read_text()
    assert "line 3: the last line has no partner" in _refusal(path, "A b.\nA c.\nb\n", ReadOptions(first="bad"))
    broken = "A b.\nA c.\n\nA d.\n\nA e.\n"
    assert "line 4: the line has no partner before the blank line" in _refusal(path, broken, ReadOptions(first="bad"))


def test_two_columns_with_headings_without_and_with_loose_quotes(tmp_path: Path) -> None:
    text = 'Ungrammatical,grammatical,field\nB.,"A, yes.",x\n'
    found = read_foreign(SourceFile(_write(tmp_path / "a.csv", text)))
    assert [s.text for s in found.items[0].sentences] == ["A, yes.", "B."]
    assert dict(found.items[0].attributes) == {"field": "x"}
    write_foreign(tmp_path / "out.csv", found)
    assert (tmp_path / "out.csv").read_text() == text
    loose = '"No," he said.\t"No" he.\n"Yes yes\tYes.\n'
    first = ReadOptions(first="good")
    assert [s.text for s in read_foreign(SourceFile(_write(tmp_path / "b.tsv", loose), first)).items[0].sentences] == [
        '"No," he said.',
        '"No" he.',
    ]
    bad_first = read_foreign(SourceFile(_write(tmp_path / "c.tsv", "B c.\tA c.\n"), ReadOptions(first="bad")))
    assert [s.text for s in bad_first.items[0].sentences] == ["A c.", "B c."]
    assert bad_first.told == ("the first column is the bad member, as said with --first bad",)
    assert "of line 1, 'B c.' or 'A c.'" in _refusal(tmp_path / "c.tsv", "B c.\tA c.\n")
    assert "line 2: 3 cells" in _refusal(tmp_path / "d.tsv", "B c.\tA c.\nB d.\tA d.\tC.\n", first)
    # Headings say it, and nobody may say the contrary.
    assert read_foreign(SourceFile(tmp_path / "a.csv", ReadOptions(first="bad"))).items == found.items
    message = _refusal(tmp_path / "a.csv", text, first)
    assert "the headings 'grammatical' and 'Ungrammatical' say which sentence is which, and --first good" in message


def _pairs(found: ForeignSet) -> list[list[str]]:
    return [[s.text for s in item.sentences] for item in found.items]


@pytest.mark.parametrize(
    "text",
    [
        "Today, a cat run.\nToday, a cat runs.\n",
        "Today, a cat run.\nToday, a cat runs.\nCats runs.\nCats run.\n",
        "Today, a cat run; yes.\nToday, a cat runs.\n",
        '"Yes", he say.\n"Yes", he says.\n',
        "1,000 cats runs.\n1,000 cats run.\n",
    ],
)
def test_punctuation_within_lines_makes_no_columns_of_them(tmp_path: Path, text: str) -> None:
    path = _write(tmp_path / "a.txt", text)
    bad_first = ReadOptions(first="bad")
    found = read_foreign(SourceFile(path, bad_first))
    bad, good, *_ = text.splitlines()
    assert (found.shape, _pairs(found)[0]) == ("pair_lines", [good, bad])
    assert "line 1: cannot tell whether a comma" in _refusal(tmp_path / "a.csv", text)
    assert _pairs(read_foreign(SourceFile(tmp_path / "a.csv", bad_first), format="pair_lines")) == _pairs(found)


@pytest.mark.parametrize(
    ("name", "text", "first"),
    [
        ("a.txt", "He came.,He come.\nShe ran.,She run.\n", ["He came.", "He come."]),
        ("a.txt", '"Well, he came.","Well, he come."\nShe ran.,She run.\n', ["Well, he came.", "Well, he come."]),
        ("a.csv", "He came., He come.\nShe ran., She run.\n", ["He came.", "He come."]),
        ("a.csv", "Yes he came.;Yes, he come.\nHe came.;He, come.\n", ["Yes he came.", "Yes, he come."]),
        ("a.csv", "Well, yes, he came.;Well, he come.\nHe came.;He come.\n", ["Well, yes, he came.", "Well, he come."]),
        ("a.csv", '"Yes, yes.",Yes;no.\nHe came.,He come.\n', ["Yes, yes.", "Yes;no."]),
        ("a.csv", '"4 a";"4 b"\n', ["4 a", "4 b"]),
        (
            "a.csv",
            '"The cat sleeps."," The cat sleep."\n"Dogs bark.","Dogs barks."\n',
            ["The cat sleeps.", "The cat sleep."],
        ),
        ("a.csv", '"Yes, he.","  he ""came"", yes"\n"Dogs bark.","Dogs barks."\n', ["Yes, he.", 'he "came", yes']),
        ("a.csv", "He came; yes; no.,He come; no.\nA; b.,A; c.\n", ["He came; yes; no.", "He come; no."]),
    ],
)
def test_what_separates_two_columns_is_found_by_all_rows(tmp_path: Path, name: str, text: str, first: list[str]) -> None:
    found = read_foreign(SourceFile(_write(tmp_path / name, text), ReadOptions(first="good")))
    assert (found.shape, _pairs(found)[0]) == ("pair_table", first)
    assert written(found).content.decode() == text


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("a.txt", "He came.,He come.\nShe ran.\n", 2),
        ("a.txt", "He came.,He come.\nWell, she ran.,Well, she run.\n", 2),
        ("a.csv", "He came.,He come.\nWell, she ran.\n", 2),
    ],
)
def test_where_rows_speak_for_columns_and_against_them_both_ways_out_are_named(
    tmp_path: Path, name: str, text: str, line: int
) -> None:
    message = _refusal(tmp_path / name, text)
    assert f"FILE, line {line}: cannot tell whether a comma separates two columns" in message
    assert "--format pair_lines" in message
    assert "--format pair_table" in message


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.tsv", "Correct sentence\tWrong sentence\nHe came.\tHe come.\n"),
        ("a.csv", "sentence1,sentence2\nhe came,he come\n"),
        ("a.csv", "Gut;Schlecht\nEr kam.;Er kommen.\n"),
        ("a.tsv", "good\tfalsch\nHe\tHim\n"),
    ],
)
def test_a_first_row_that_looks_like_headings_is_no_pair_unless_it_is_said(tmp_path: Path, name: str, text: str) -> None:
    message = _refusal(tmp_path / name, text)
    assert "FILE, line 1: the first row looks like headings, and not ones that are known: " in message
    assert "sentence_good and sentence_bad" in message
    assert len(read_foreign(SourceFile(tmp_path / name, ReadOptions(first="good")), format="pair_table").items) == 2


def test_pairs_with_a_condition_are_pairs_and_the_condition_an_attribute(tmp_path: Path) -> None:
    text = "pair_id,type,good,bad\n1,adjunct,Who came?,Whom came?\n2,wh,What is it?,What are it?\n"
    found = read_foreign(SourceFile(_write(tmp_path / "a.csv", text)))
    assert [(item.label, dict(item.attributes)) for item in found.items] == [
        ("1", {"type": "adjunct"}),
        ("2", {"type": "wh"}),
    ]
    assert _pairs(found)[0] == ["Who came?", "Whom came?"]
    assert found.notes == ("columns type become attributes",)
    text = "item,condition,sentence_good,sentence_bad\n1,a,A.,B.\n1,b,C.,D.\n"
    found = read_foreign(SourceFile(_write(tmp_path / "b.csv", text)))
    assert "item '1' is there 2 times, so items are numbered in order" in found.notes
    write_foreign(tmp_path / "out.csv", found)
    assert (tmp_path / "out.csv").read_text() == text
    # As sentences in rows, neither the file's items nor its conditions stand for ours.
    write_foreign(tmp_path / "rows.csv", found, "csv")
    assert _lines_of(tmp_path / "rows.csv")[0::2] == [
        ["item_id", "condition", "full_sentence", "attribute_condition", "attribute_item"],
        ["1", "bad", "B.", "a", "1"],
        ["2", "bad", "D.", "b", "1"],
    ]
    assert [item.label for item in read_foreign(SourceFile(tmp_path / "rows.csv")).items] == ["1", "2"]
    # Numbers of answers are no sentences.
    counted = read_foreign(SourceFile(_write(tmp_path / "c.csv", "item,condition,np,verb,correct,incorrect\n1,a,He,came.,3,1\n")))
    assert counted.items[0].sentences[0].text == "He came."


def test_answers_beside_regions_are_no_pairs(tmp_path: Path) -> None:
    top = "item,condition,np,verb,question,correct,incorrect\n"
    one, two = "1,a,He,came.,Who?,the dog,the cat\n", "1,b,He,come.,Who?,the dog,the cat\n"
    path = _write(tmp_path / "a.csv", top + one + two)
    answers = ReadOptions(attributes=("question", "correct", "incorrect"))
    found = read_foreign(SourceFile(path, answers))
    assert [s.text for s in found.items[0].sentences] == ["He came.", "He come."]
    assert dict(found.items[0].attributes) == {"question": "Who?", "correct": "the dog", "incorrect": "the cat"}
    with pytest.raises(FormatError, match="ends the sentence stands before others") as unsaid:
        read_foreign(SourceFile(path))
    assert "--attribute incorrect" in unsaid.value.hint
    # With one row for each item it is open.
    message = _refusal(path, top + one)
    assert "line 1: cannot tell whether 'correct' and 'incorrect' are the sentences of pairs, or 'np' is" in message
    assert "--format pair_table" in message
    assert "--attribute correct --attribute incorrect" in message
    assert read_foreign(SourceFile(path, answers)).shape == "region_columns"
    # What is called a sentence is one.
    whole = "item,condition,lemma,sentence_good,sentence_bad\n1,a,come,He came.,Him came.\n"
    assert _pairs(read_foreign(SourceFile(_write(tmp_path / "b.csv", whole)))) == [["He came.", "Him came."]]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (ReadOptions(attributes=("type of it",)), "--attribute 'type of it'"),
        (ReadOptions(regions=("lemma",)), "--region lemma"),
    ],
)
def test_columns_are_not_said_to_be_regions_or_none_where_that_says_nothing(
    tmp_path: Path, options: ReadOptions, said: str
) -> None:
    path = tmp_path / "a.csv"
    for text, name in (
        ("lemma,type of it,good,bad\ncome,a,He came.,Him came.\n", "pair_table"),
        ("item,condition,sentence,lemma,type of it\n1,a,He came.,come,x\n", "csv"),
    ):
        message = _refusal(path, text, options)
        assert f"is read as {name} (" in message
        assert f"which has no use for {said}" in message
        assert "--format region_columns" in message
    with pytest.raises(FormatError, match="line 1: there is no column for the item"):
        read_foreign(SourceFile(_write(path, "lemma,type of it,good\ncome,a,He came.\n"), options), format="region_columns")


# ---- spreadsheets

_CELLS = [
    ["item", "condition", "sentence", "note"],
    ["1", "a", "=1+1", "NA"],
    ["1", "b", "-x", "null"],
    ["2", "a", "  +spaces ", "007"],
    ["2", "b", "@here", "1e5"],
]


def test_text_in_a_spreadsheet_stays_text(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    assert write_xlsx(path, _CELLS) == 5
    found = read_foreign(SourceFile(path))
    assert [[s.text for s in item.sentences] for item in found.items] == [["=1+1", "-x"], ["+spaces", "@here"]]
    assert [s.attributes["note"] for item in found.items for s in item.sentences] == ["NA", "null", "007", "1e5"]
    write_foreign(tmp_path / "b.xlsx", found)
    assert read_foreign(SourceFile(tmp_path / "b.xlsx")).items == found.items
    write_foreign(tmp_path / "b.csv", found)
    assert _lines_of(tmp_path / "b.csv") == _CELLS


def test_numbers_dates_and_empty_rows_of_a_spreadsheet(tmp_path: Path) -> None:
    from datetime import datetime

    from openpyxl import Workbook

    book = Workbook()
    book.create_sheet("empty")
    sheet = book.active
    assert sheet is not None
    for row in (
        ["item", "condition", "sentence", "x", None],
        [1, "a", "S.", 4.1],
        [],
        [2.0, "b", None, True],
        [3, "b", "T.", datetime(2026, 5, 1)],  # noqa: DTZ001  # as a spreadsheet has it
    ):
        sheet.append(row)
    book.save(tmp_path / "a.xlsx")
    found = read_foreign(SourceFile(tmp_path / "a.xlsx"))
    assert [(item.label, item.sentences[0].text, item.sentences[0].line) for item in found.items] == [
        ("1", "S.", 2),
        ("2", "", 4),
        ("3", "T.", 5),
    ]
    assert [item.attributes["x"] for item in found.items] == ["4.1", "TRUE", "2026-05-01"]


def test_formulas_without_a_value_errors_and_several_sheets_are_refused_by_place(tmp_path: Path) -> None:
    from openpyxl import Workbook

    path = tmp_path / "a.xlsx"

    def refusal(*rows: list[Any]) -> str:
        book = Workbook()
        sheet = book.active
        assert sheet is not None
        sheet.title = "Tabelle1"
        for row in (["item", "condition", "sentence"], *rows):
            sheet.append(row)
        book.save(path)
        with pytest.raises(FormatError) as caught:
            read_foreign(SourceFile(path))
        return str(caught.value)

    assert "sheet Tabelle1, cell C3: is a formula without a value" in refusal([1, "a", "x"], [1, "b", '=A1&"x"'])
    assert "sheet Tabelle1, cell C2: is the error #N/A" in refusal([1, "a", "#N/A"])
    book = Workbook()
    for title in ("one", "two"):
        book.create_sheet(title).append(["item", "condition", "sentence"])
        book[title].append([title, "a", "S."])
    book.save(path)
    with pytest.raises(FormatError, match="several sheets hold something: one, two"):
        read_foreign(SourceFile(path))
    assert read_foreign(SourceFile(path, ReadOptions(sheets=("two",)))).items[0].label == "two"
    with pytest.raises(FormatError, match="no sheet 'three'"):
        read_foreign(SourceFile(path, ReadOptions(sheets=("three",))))


_SHEET, _TEXTS = "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml"


def _workbook(path: Path, change: Callable[[str, bytes], bytes] = lambda _, content: content) -> Path:
    """A workbook with a text in a list of texts, as spreadsheet programs write it, and its parts changed."""
    from openpyxl import Workbook
    from openpyxl.xml.constants import SHARED_STRINGS, SHEET_MAIN_NS

    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (["item", "condition", "sentence"], [1, "a", "One."], [1, "b", "Two."]):
        sheet.append(row)
    book.save(path)
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts[_SHEET] = parts[_SHEET].replace(b't="inlineStr"><is><t>One.</t></is>', b't="s"><v>0</v>')
    parts[_TEXTS] = f'<sst xmlns="{SHEET_MAIN_NS}" count="1"><si><t>One.</t></si></sst>'.encode()
    kind = f'<Override PartName="/{_TEXTS}" ContentType="{SHARED_STRINGS}"/></Types>'
    parts["[Content_Types].xml"] = parts["[Content_Types].xml"].replace(b"</Types>", kind.encode())
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, change(name, content))
    return path


def _in(part: str, old: str, new: str) -> Callable[[str, bytes], bytes]:
    def change(name: str, content: bytes) -> bytes:
        assert name != part or old.encode() in content
        return content.replace(old.encode(), new.encode()) if name == part else content

    return change


def test_escapes_of_a_spreadsheet_are_read_and_written(tmp_path: Path) -> None:
    path = _workbook(tmp_path / "a.xlsx", _in(_TEXTS, "One.", "He_x000D_\ncame_x000d_ _x005F_x000D_ x005F_"))
    assert read_foreign(SourceFile(path)).items[0].sentences[0].text == "He\r\ncame\r _x000D_ x005F_"
    inline = '<c r="C2" t="inlineStr"><is><t>A_x005F_x0041_ _x0041_</t></is></c>'
    path = _workbook(tmp_path / "a.xlsx", _in(_SHEET, '<c r="C2" t="s"><v>0</v></c>', inline))
    assert read_foreign(SourceFile(path)).items[0].sentences[0].text == "A_x0041_ A"
    for escape, what in (("_x0000_", "a NUL character"), ("_xD800_", "half a character")):
        with pytest.raises(FormatError, match=f"sheet Sheet, cell C2: holds {what}"):
            read_foreign(SourceFile(_workbook(tmp_path / "a.xlsx", _in(_TEXTS, "One.", f"One{escape}"))))
    texts = ["a\r\nb\rc\n", "_x000D_", "_x000D\r", "_x0041_x0042_", "x005F_", "__x005F_", "_\r_x00E9_", "_x12345_"]
    write_xlsx(path, [["item", "condition", "sentence"], *([str(n), "a", text] for n, text in enumerate(texts))])
    found = read_foreign(SourceFile(path), format="csv")
    assert [item.sentences[0].text for item in found.items] == [text.strip() for text in texts]
    assert [item.sentences[0].written_text for item in found.items] == texts
    # A way out and in as a text file is no other.
    write_foreign(tmp_path / "a.csv", found)
    again = read_foreign(SourceFile(tmp_path / "a.csv"), format="csv")
    assert [item.sentences[0].written_text for item in again.items] == texts


def test_a_formula_whose_value_is_the_empty_text_has_a_value(tmp_path: Path) -> None:
    cell, formula = '<c r="C2" t="s"><v>0</v></c>', '<f>IF(A2=2,"x","")</f>'
    path = _workbook(tmp_path / "a.xlsx", _in(_SHEET, cell, f'<c r="C2" t="str">{formula}<v></v></c>'))
    assert [s.text for s in read_foreign(SourceFile(path)).items[0].sentences] == ["", "Two."]
    for without in (f'<c r="C2">{formula}<v></v></c>', f'<c r="C2" t="str">{formula}</c>'):
        with pytest.raises(FormatError, match="cell C2: is a formula without a value"):
            read_foreign(SourceFile(_workbook(path, _in(_SHEET, cell, without))))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            lambda name, content: content[:-40] if name == _SHEET else content,
            "FILE, sheet Sheet: cannot be read as an xlsx workbook",
        ),
        (
            lambda name, content: content[: content.index(b"</si>")] if name == _TEXTS else content,
            "FILE: cannot be read as an xlsx workbook",
        ),
        (
            lambda name, content: content[: content.index(b'r="C3"')] if name == _SHEET else content,
            "FILE, sheet Sheet: cannot be read as an xlsx workbook",
        ),
        (
            _in(_SHEET, '<c r="C2" t="s"><v>0</v>', '<c r="C2" t="n"><v>abc</v>'),
            "FILE, sheet Sheet, cell C2: says that it is a number, and holds 'abc'",
        ),
        (
            _in(_SHEET, '<c r="C2" t="s"><v>0</v>', '<c r="C2" t="d"><v>soon</v>'),
            "cell C2: says that it is a date, and holds 'soon'",
        ),
        (
            _in(_SHEET, '<c r="C2" t="s"><v>0</v>', '<c r="C2" t="s"><v>99</v>'),
            "cell C2: says that it is one of the workbook's texts, and holds '99'",
        ),
    ],
)
def test_a_damaged_workbook_is_refused_by_file_sheet_and_cell(
    tmp_path: Path, change: Callable[[str, bytes], bytes], says: str
) -> None:
    path = _workbook(tmp_path / "a.xlsx", change)
    with pytest.raises(FormatError) as caught:
        read_foreign(SourceFile(path))
    assert says in caught.value.message.replace(str(path), "FILE")
    assert "save it again as .xlsx" in caught.value.hint


def test_a_workbook_with_a_bad_byte_is_refused_and_a_sheet_for_charts_is_none(tmp_path: Path) -> None:
    from openpyxl import Workbook, load_workbook

    path = _workbook(tmp_path / "a.xlsx")
    with zipfile.ZipFile(path) as archive:
        at = archive.getinfo(_SHEET).header_offset + 30 + len(_SHEET)
        size = archive.getinfo(_SHEET).compress_size
    whole = path.read_bytes()
    for place in range(at, at + size, 7):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        with pytest.raises(FormatError, match=r"a\.xlsx"):
            read_foreign(SourceFile(path))
    path.write_bytes(whole)
    book = load_workbook(path)
    book.create_chartsheet("chart", 0)
    book.save(path)
    assert read_foreign(SourceFile(path)).items[0].sentences[1].text == "Two."
    book = Workbook(write_only=True)
    book.create_chartsheet()
    book.save(path)
    with pytest.raises(FormatError, match="there is nothing in it"):
        read_foreign(SourceFile(path))


def test_what_no_cell_can_hold_is_named_and_no_file_is_left(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    with pytest.raises(FormatError, match=r"cell B2: would hold the control character U\+0007"):
        write_xlsx(path, [["a", "b"], ["c", "d\x07"]])
    with pytest.raises(FormatError, match=r"cell A1: would hold 40,000 characters"):
        write_xlsx(path, [["x" * 40_000]])
    assert not path.exists()


_cells = st.text(st.characters(blacklist_categories=["Cs", "Cc"]), max_size=12)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20)
@given(st.lists(st.tuples(_cells, _cells), min_size=1, max_size=5))
def test_any_text_survives_every_table(tmp_path: Path, cells: list[tuple[str, str]]) -> None:
    items = tuple(
        ForeignItem(str(n), (ForeignSentence("a", text, None, n + 1), ForeignSentence("b", "x", None, n + 1)), {"note": note})
        for n, (text, note) in enumerate(cells, 1)
    )
    made = ForeignSet("other", items, ("a", "b"))
    for name in ("t.csv", "t.tsv", "t.xlsx"):
        write_foreign(tmp_path / name, made, "csv")
        found = read_foreign(SourceFile(tmp_path / name), format="csv")
        # What is written before a sentence as a mark of how it is judged is kept beside it.
        assert [[s.written_text for s in item.sentences] for item in found.items] == [[text, "x"] for text, _ in cells], name
        assert [item.attributes["note"] for item in found.items] == [note for _, note in cells]


# ---- between shapes


def test_a_set_goes_out_in_another_shape_and_what_cannot_is_named(tmp_path: Path) -> None:
    whole = ForeignSentence(
        "good", "The boy slept.", (GivenRegion("np", 0, 7), GivenRegion("vp", 8, 13), GivenRegion("end", 13, 14))
    )
    bare = ForeignSentence("bad", "The boy slept the.")
    pair = ForeignItem("p1", (whole, bare), {"UID": "own"})
    regions = ForeignItem("7", (whole,), {})
    made = ForeignSet("bank", (pair, regions), ("good", "bad"), name="ours", predictions=("(vp;%good%) > 0",))
    made = ForeignSet(**{**_fields(made), "regions": read_foreign(SourceFile(_region_sample(tmp_path))).regions})
    assert write_foreign(tmp_path / "o.jsonl", made, "blimp") == ("7",)
    assert json.loads((tmp_path / "o.jsonl").read_text()) == {
        "sentence_good": "The boy slept.",
        "sentence_bad": "The boy slept the.",
        "UID": "own",
        "pairID": "p1",
    }
    assert write_foreign(tmp_path / "o.json", made, "suite") == ("p1",)
    suite = json.loads((tmp_path / "o.json").read_text())
    assert suite["items"][0]["item_number"] == 7
    assert [r["region_number"] for r in suite["items"][0]["conditions"][0]["regions"]] == [1, 2, 3]
    assert write_foreign(tmp_path / "o.csv", made, "region_columns") == ("p1",)
    assert _lines_of(tmp_path / "o.csv")[1][:5] == ["7", "good", "The boy", "slept", "."]
    assert write_foreign(tmp_path / "r.csv", made, "region_rows") == ("p1",)
    assert read_foreign(SourceFile(tmp_path / "r.csv")).items[0].sentences[0].text == "The boy slept."
    assert write_foreign(tmp_path / "o.txt", made, "pair_lines") == ("7",)
    assert write_foreign(tmp_path / "slots.jsonl", made, "slots") == ("p1", "7")


def test_attributes_that_are_called_like_a_formats_own_columns_do_not_overwrite_them_and_come_back_from_tables(
    tmp_path: Path,
) -> None:
    names = ("full_sentence", "region_name", "conditions", "sentence_good", "slots", "np")
    item = ForeignItem(
        "7",
        tuple(
            ForeignSentence(condition, text, (GivenRegion("np", 0, 4), GivenRegion("vp", 5, len(text))))
            for condition, text in (("good", "Boys sleep"), ("bad", "Boys sleeps"))
        ),
        dict.fromkeys(names, "theirs"),
        {"verb": "sleep"},
    )
    regions = (ForeignRegion("np"), ForeignRegion("vp"))
    made = ForeignSet("bank", (item,), ("good", "bad"), regions)
    said = ReadOptions(attributes=("region_name", "conditions", "sentence_good", "slots"))
    for format, name, is_kept in (
        ("csv", "full_sentence", True),
        ("region_columns", "np", True),
        ("region_rows", "region_name", True),
        ("suite", "conditions", False),
        ("blimp", "sentence_good", False),
        ("pair_table", "sentence_good", True),
        ("slots", "slots", False),
    ):
        done = written(made, format)
        assert done.dropped == (() if is_kept else (name,)), format
        path = _write(tmp_path / "o", done.content)
        (again,) = read_foreign(SourceFile(path, said if format == "region_columns" else ReadOptions()), format=format).items
        assert (again.label, again.attributes.get(name)) == ("7", None), format
        assert again.attributes.get(f"attribute_{name}") == ("theirs" if is_kept else None), format
        assert [s.text for s in again.sentences] == ([] if format == "slots" else ["Boys sleep", "Boys sleeps"])
    assert written(made, "pair_lines").dropped == names


@pytest.mark.parametrize("format", ["region_rows", "region_columns", "csv", "pair_table"])
def test_attributes_beside_our_columns_are_not_taken_for_them(tmp_path: Path, format: str) -> None:
    theirs = {"item": "A7", "Condition": "c", "sentence": "s", "region_index": "9", "attribute_item": "x"}
    items = tuple(
        ForeignItem(
            label,
            tuple(
                ForeignSentence(condition, text, (GivenRegion("np", 0, 4), GivenRegion("vp", 5, len(text))))
                for condition, text in (("good", "Boys sleep"), ("bad", "Boys sleeps"))
            ),
            theirs,
        )
        for label in ("1", "2")
    )
    made = ForeignSet("suite", items, ("good", "bad"), (ForeignRegion("np"), ForeignRegion("vp")))
    done = written(made, format)
    assert done.dropped == ()
    found = read_foreign(SourceFile(_write(tmp_path / "o.csv", done.content)))
    assert found.shape == format
    for label, item in zip(("1", "2"), found.items, strict=True):
        assert item.label == label
        assert [s.text for s in item.sentences] == ["Boys sleep", "Boys sleeps"]
        assert {"A7", "c", "s", "9", "x"} == set(item.attributes.values())
        assert (item.attributes["attribute_attribute_item"], item.attributes["attribute_item"]) == ("A7", "x")


def _region_sample(tmp_path: Path) -> Path:
    return _write(tmp_path / "regions.csv", "item,condition,np,vp,end\n1,a,x,y,.\n")


@pytest.mark.parametrize(
    "text",
    [
        'item,condition,sentence\n1,a,"He, came."\n1,b,He left.\n',
        'item,condition,sentence\n1,a,"He,\ncame."\n1,b,"Say ""x""."\n1,c,He left.\n',
        '"item","condition","sentence","n"\n1,"a","He, came.",\n1,"b","He left.","x"\n',
        'item,condition,sentence,n\r\n1,a,"He, came.",""\r\n1,b,He left.,""\r\n',
    ],
)
def test_quotation_marks_that_a_cell_needs_say_nothing_of_its_column(tmp_path: Path, text: str) -> None:
    path = _write(tmp_path / "a.csv", text)
    if '"n"' in text:
        # An empty cell is bare here though its column is not.
        text = text.replace(',\n1,"b"', ',""\n1,"b"')
    assert written(read_foreign(SourceFile(path))).content.decode() == text


def test_slots_come_in_and_go_out(tmp_path: Path) -> None:
    text = '{"item": 3, "slots": {"verb": "amuse"}, "list": "A"}\n{"item": "b", "slots": {"verb": "be"}, "list": "B"}\n'
    found = read_foreign(SourceFile(_write(tmp_path / "a.jsonl", text)))
    assert [(item.label, dict(item.slots or {}), dict(item.attributes)) for item in found.items] == [
        ("3", {"verb": "amuse"}, {"list": "A"}),
        ("b", {"verb": "be"}, {"list": "B"}),
    ]
    write_foreign(tmp_path / "o.jsonl", found)
    assert (tmp_path / "o.jsonl").read_text() == text


@pytest.mark.full
def test_progress_is_told_on_large_files(tmp_path: Path) -> None:
    path = _write(tmp_path / "a.txt", "".join(f"A{n} b.\nA{n} c.\n" for n in range(12_000)))
    told: list[int] = []
    found = read_foreign(
        SourceFile(path, ReadOptions(first="bad")), services=ReadServices(progress=lambda *_: nullcontext(told.append))
    )
    assert len(found.items) == 12_000
    assert told == [10_000, 20_000]


def test_a_missing_file_and_an_unknown_format_are_said(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="there is no such file"):
        read_foreign(SourceFile(tmp_path / "none.csv"))
    with pytest.raises(ConfigError, match="no format 'excel'"):
        read_foreign(SourceFile(tmp_path / "none.csv"), format="excel")
    assert list(FORMATS)[:14] == [
        "suite",
        "slots",
        "blimp",
        "tuples",
        "json",
        "region_rows",
        "csv",
        "region_columns",
        "condition_columns",
        "blocks",
        "numbered",
        "item_lines",
        "pair_table",
        "pair_lines",
    ]


AROUND = ("1,a,The cat sleeps.,", "1,b,The cat sleep.,", "2,a,The dog barks.,", "2,b,The dog bark.,")
"""Rows that end in a cell without a heading."""


@pytest.mark.parametrize(
    "text",
    [
        "item, condition ,sentence\n" + "".join(f"{row[:-1]}\n" for row in AROUND),
        "item,condition,sentence,\n" + "".join(f"{row}\n" for row in AROUND),
        " item,condition,sentence,,\r\n" + "".join(f"{row},\r\n" for row in AROUND) + ",,,,\r\n,,,,",
        "item,condition,sentence\n" + "".join(f"{row[:-1]}\n" for row in AROUND) + ",,\n,,\n\n",
        "item,condition,sentence,note\n" + "".join(f"{row}\n" for row in AROUND) + ",,,\n",
    ],
)
def test_blanks_around_headings_nameless_columns_and_blank_rows_at_the_end_go_out_again(tmp_path: Path, text: str) -> None:
    found = read_foreign(SourceFile(_write(tmp_path / "a.csv", text)))
    assert [len(item.sentences) for item in found.items] == [2, 2]
    assert written(found).content.decode() == text
    # An item less is its rows less, and nothing else.
    fewer = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("1,"))
    assert written(replace(found, items=found.items[1:])).content.decode() == fewer


def test_blank_lines_between_pairs_go_out_again_where_they_stand_between_all(tmp_path: Path) -> None:
    pairs = [
        f"{own.replace('/', 's ')}\n{own.replace('/', ' ')}\n"
        for own in ("The cat sleep/here.", "Anna read/a book.", "My dog bark/at night.", "Rain fall/on us.")
    ]
    for between, end in (("\n", ""), ("\n\n", "\n\n"), ("", "\n")):
        text = between.join(pairs) + end
        found = read_foreign(SourceFile(_write(tmp_path / "a.txt", text), ReadOptions(first="good")))
        assert written(found).content.decode() == text
        assert written(replace(found, items=found.items[1:])).content.decode() == between.join(pairs[1:]) + end
    odd = "\n".join(pairs[:2]) + "".join(pairs[2:])
    found = read_foreign(SourceFile(_write(tmp_path / "a.txt", odd), ReadOptions(first="good")))
    assert written(found).content.decode() == "".join(pairs)
