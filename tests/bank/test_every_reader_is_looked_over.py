"""Whatever reads a file, what it read is looked over: the same oddities, planted in the same items in every format, are each told, asked about
or refused."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.comments import Comment
from openpyxl.styles import Font, PatternFill

from gapsmith.bank.formats import FORMATS, ForeignSet, ReadOptions, SourceFile, read_foreign
from gapsmith.bank.formats.asking import UndecidedError
from gapsmith.bank.formats.catalogue import Format
from gapsmith.bank.formats.foreign import ForeignItem, ForeignSentence
from gapsmith.templates import FormatError

Pairs = Sequence[tuple[str, str]]
NOUNS = (
    ("door", "windows", "old"), ("letter", "lawyers", "long"), ("nurse", "doctors", "tired"), ("road", "houses", "narrow"),
    ("cake", "cherries", "sweet"), ("coat", "guests", "wet"), ("boat", "sailors", "slow"), ("lamp", "tables", "bright"),
)  # fmt: skip
CLEAN: Pairs = tuple((f"The {n} near the {o} is {a}.", f"The {n} near the {o} are {a}.") for n, o, a in NOUNS)


def changed(place: int, one: str | None = None, other: str | None = None) -> Pairs:
    pairs = list(CLEAN)
    pairs[place] = (one or pairs[place][0], other or pairs[place][1])
    return pairs


PLANTS: Mapping[str, tuple[Pairs, str]] = {
    # A sentence that a separator cut.
    "cut": (changed(3, other="The road near the houses"), "The road near the houses"),
    "exchanged": (changed(4, CLEAN[4][1], CLEAN[4][0]), "by 'are'"),
    # An item of which only one sentence was corrected.
    "other words": (changed(2, one="The nurse near the doctor is very tired."), "item 3"),
    "an odd row": (changed(7, "Nobody slept.", "It rained in Leeds all May."), "Nobody slept."),
    "twice": (changed(7, *CLEAN[1]), "The letter near the lawyers is long."),
    "a note": (changed(5, "TODO find a better one.", "The coat near the guests are wet."), "TODO"),
    "a mark": (changed(0, other="The door near the windows are old. → fine"), "→"),
    "small letter": (changed(6, one="the boat near the sailors is slow."), "the boat"),
    "two lines in one": (changed(6, one="The boat near the sailors is slow.The boat is slow."), "slow.The"),
}
"""What is planted, with what whoever imports the file has to see."""


def regions(text: str) -> list[str]:
    words = text.split()
    return [" ".join(words[:2]), " ".join(words[2:5]), words[5] if len(words) > 5 else "", " ".join(words[6:])]


def rows(pairs: Pairs, line: Callable[[int, str, str], str]) -> str:
    return "".join(line(n, c, text) for n, pair in enumerate(pairs, 1) for c, text in zip(("sg", "pl"), pair, strict=True))


def suite(pairs: Pairs) -> str:
    def condition(name: str, text: str) -> dict[str, Any]:
        return {
            "condition_name": name,
            "regions": [{"region_number": n, "content": part} for n, part in enumerate(regions(text), 1)],
        }

    return json.dumps(
        {
            "meta": {"name": "agreement", "metric": "sum"},
            "region_meta": {str(n): f"r{n}" for n in range(1, 5)},
            "predictions": [],
            "items": [
                {"item_number": n, "conditions": [condition(c, t) for c, t in zip(("sg", "pl"), pair, strict=True)]}
                for n, pair in enumerate(pairs, 1)
            ],
        }
    )


FILES: Mapping[str, tuple[str, Callable[[Pairs], str], ReadOptions]] = {
    "suite": ("a.json", suite, ReadOptions()),
    "blimp": (
        "a.jsonl",
        lambda pairs: "".join(
            json.dumps({"sentence_good": g, "sentence_bad": b, "pairID": str(n)}) + "\n" for n, (g, b) in enumerate(pairs, 1)
        ),
        ReadOptions(),
    ),
    "tuples": (
        "a.json",
        lambda pairs: json.dumps([{"s_f": g.split(" "), "s_g": b.split(" ")} for g, b in pairs]),
        ReadOptions(),
    ),
    "json": (
        "a.json",
        lambda pairs: json.dumps([{"item": n, "conditions": {"sg": g, "pl": b}} for n, (g, b) in enumerate(pairs, 1)]),
        ReadOptions(),
    ),
    "region_rows": (
        "a.csv",
        lambda pairs: (
            "item,condition,region_number,content\n"
            + rows(pairs, lambda n, c, text: "".join(f"{n},{c},{k},{part}\n" for k, part in enumerate(regions(text), 1)))
        ),
        ReadOptions(),
    ),
    "csv": (
        "a.csv",
        lambda pairs: "item,condition,sentence\n" + rows(pairs, lambda n, c, text: f"{n},{c},{text}\n"),
        ReadOptions(),
    ),
    "region_columns": (
        "a.csv",
        lambda pairs: (
            "item,condition,subject,attractor,verb,rest\n"
            + rows(pairs, lambda n, c, text: f"{n},{c},{','.join(regions(text))}\n")
        ),
        ReadOptions(regions=("subject", "attractor", "verb", "rest")),
    ),
    "condition_columns": (
        "a.csv",
        lambda pairs: "item,sg,pl\n" + "".join(f"{n},{g},{b}\n" for n, (g, b) in enumerate(pairs, 1)),
        ReadOptions(sentence_columns=("sg", "pl")),
    ),
    "blocks": ("a.txt", lambda pairs: rows(pairs, lambda n, c, text: f"# agr {n} {c}\n{text}\n? Is it? Y\n\n"), ReadOptions()),
    "numbered": (
        "a.txt",
        lambda pairs: "".join(f"{n}a. {g}\n{n}b. {b}\n\n" for n, (g, b) in enumerate(pairs, 1)),
        ReadOptions(),
    ),
    "item_lines": ("a.txt", lambda pairs: "".join(f"{g}\n{b}\n\n" for g, b in pairs), ReadOptions(per_item=2)),
    "pair_table": (
        "a.csv",
        lambda pairs: "sentence_good,sentence_bad\n" + "".join(f"{g},{b}\n" for g, b in pairs),
        ReadOptions(),
    ),
    "pair_lines": ("a.txt", lambda pairs: "".join(f"{g}\n{b}\n\n" for g, b in pairs), ReadOptions(first="good")),
}
"""Of every format the name of a file, how it has pairs of sentences, and what has to be said of it."""
WITHOUT_SENTENCES = {"slots"}
"""Formats that bring words for slots, of which sentences are made elsewhere."""


def shown(path: Path, options: ReadOptions) -> tuple[set[str], ForeignSet | None]:
    """Everything that whoever imports the file gets to see, and the set where it comes in."""
    try:
        found = read_foreign(SourceFile(path, options))
    except UndecidedError as error:
        return {error.message, error.question}, None
    except FormatError as error:
        return {error.message}, None
    return {*found.notes, *map(str, found.assumptions)}, found


def test_every_format_is_walked() -> None:
    assert set(FORMATS) == set(FILES) | WITHOUT_SENTENCES, "a new format needs a file here, in which the oddities are planted"


@pytest.mark.parametrize("plant", PLANTS)
@pytest.mark.parametrize("name", FILES)
def test_what_is_odd_is_told_asked_or_refused_whatever_reads_it(tmp_path: Path, name: str, plant: str) -> None:
    file, made, options = FILES[name]
    path = tmp_path / file
    path.write_text(made(CLEAN), encoding="utf-8")
    before, found = shown(path, options)
    assert found is not None, before
    assert found.shape == name
    assert [tuple(s.text for s in item.sentences) for item in found.items] == list(CLEAN)
    pairs, must_say = PLANTS[plant]
    path.write_text(made(pairs), encoding="utf-8")
    after, _ = shown(path, options)
    assert any(must_say in said for said in after - before), after - before


def test_what_a_package_reads_is_looked_over_and_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.own"
    path.write_text("what only the package can read\n", encoding="utf-8")
    pairs, must_say = PLANTS["a mark"]
    items = tuple(
        ForeignItem(str(n), (ForeignSentence("sg", one, line=1), ForeignSentence("pl", other, line=1)))
        for n, (one, other) in enumerate(pairs, 1)
    )
    theirs = Format("theirs", "of a package", lambda _: None, lambda *_: ForeignSet("theirs", items, ("sg", "pl")))
    monkeypatch.setattr(type(FORMATS), "find", lambda *_: theirs)
    found = read_foreign(SourceFile(path), format="theirs")
    assert any(must_say in str(taken) and taken.sure == "assumed" for taken in found.assumptions)


TABLE = [
    ["item", "condition", "sentence"],
    *([n, c, s] for n, pair in enumerate(CLEAN, 1) for c, s in zip(("sg", "pl"), pair, strict=True)),
]


def strike(sheet: Any) -> None:
    for cell in sheet[6]:
        cell.font = Font(strike=True)


def strike_a_part(sheet: Any) -> None:
    sheet["C6"] = CellRichText(TextBlock(InlineFont(strike=True), "The nurse"), " The maid near the doctors is tired.")


def hide(sheet: Any) -> None:
    sheet.row_dimensions[6].hidden = True


def hide_a_column(sheet: Any) -> None:
    sheet.column_dimensions["B"].hidden = True


def remark(sheet: Any) -> None:
    sheet["C6"].comment = Comment("Checked by two speakers.", "a")


def reject(sheet: Any) -> None:
    sheet["C6"].comment = Comment("do not use, too odd", "a")


def colour(sheet: Any) -> None:
    for cell in sheet[6]:
        cell.fill = PatternFill("solid", fgColor="FFFF0000")


def another(sheet: Any) -> None:
    sheet.parent.create_sheet("old").append(["what was left out"])


@pytest.mark.parametrize(
    ("mark", "must_say", "comes_in"),
    [
        (strike, "struck through", False),
        (strike_a_part, "'The nurse'", False),
        (hide, "row 6 is hidden", True),
        (hide_a_column, "column is hidden, and read like the others: B (condition)", True),
        (remark, "Checked by two speakers.", True),
        (reject, "do not use", False),
        (colour, "rows 6 have a colour", True),
        (another, "not old", True),
    ],
)
def test_what_a_spreadsheet_shows_of_cells_is_told_or_refused(
    tmp_path: Path, mark: Callable[[Any], None], must_say: str, comes_in: bool
) -> None:
    book = Workbook()
    sheet: Any = book.active
    for row in TABLE:
        sheet.append(row)
    mark(sheet)
    book.save(tmp_path / "a.xlsx")
    options = ReadOptions(sheets=("Sheet",))
    told, found = shown(tmp_path / "a.xlsx", options)
    assert (found is not None) == comes_in
    assert any(must_say in said for said in told), told


LONG = "item,condition,sentence{}\n"


def long(extra: Callable[[int, str], str] = lambda *_: "", heading: str = "", labels: Callable[[int], str] = str) -> str:
    lines = (
        f"{labels(n)},{c},{s}{extra(n, c)}\n" for n, pair in enumerate(CLEAN, 1) for c, s in zip(("sg", "pl"), pair, strict=True)
    )
    return LONG.format(heading) + "".join(lines)


@pytest.mark.parametrize(
    ("text", "must_say"),
    [
        (long(lambda n, c: ",replace? too odd" if (n, c) == (3, "sg") else ",", ",comment"), "replace? too odd"),
        (long(lambda n, _: ",old" if n == 3 else ",new", ",version"), "'old'"),
        (long(labels=lambda n: "l" if n == 1 else str(n)), "'l' not"),
        (long(labels=lambda n: str(n + (n > 4))), "without 5"),
        (long(lambda n, _: f",w{n}", ",word"), "columns word become attributes"),
        (long() + "9,sg,The cow is here.\n9,pl,The cow\n", "no mark ends"),
        (long().replace("the windows is", "the windоws is"), "letters of two scripts"),
        (
            long().replace("sg,The door near", "sg,The door isn't near").replace("pl,The door near", "pl,The door isn’t near"),
            "apostrophes",
        ),
        (long().replace("the lawyers is", "the law- yers is"), "parted by a hyphen"),
        (long() + "Mean,,,\n", "Mean"),
    ],
)  # fmt: skip
def test_what_few_items_have_is_told(tmp_path: Path, text: str, must_say: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(text, encoding="utf-8")
    told, found = shown(path, ReadOptions())
    assert found is not None
    assert any(must_say in said for said in told), told


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (long(lambda n, _: ",drop this one" if n == 3 else ",", ",comment"), 7),
        (long(lambda n, _: ",practice" if n < 3 else ",exp", ",type"), 6),
        (long(lambda n, _: "," if n == 3 else ",x", ",verwendet"), 7),
        (long(labels=lambda n: "practice" if n == 1 else str(n)), 7),
        (long() + "101,filler,The boy sleeps in the house.\n102,filler,The dog eats the bone.\n", 8),
        (long() + "".join(f"{n},question,Was it old?\n" for n in range(1, 9)), 8),
        (long() + "9,K,Marrow\n", 8),
    ],
)
def test_what_is_no_item_is_asked_about_and_left_out_by_the_command_that_is_printed(tmp_path: Path, text: str, kept: int) -> None:
    path = tmp_path / "a.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UndecidedError) as caught:
        read_foreign(SourceFile(path))
    answer = next(a for a in caught.value.answers if {"only", "leave_out"} & set(a.options))
    found = read_foreign(SourceFile(path, replace(ReadOptions(), **answer.options)))
    assert len(found.items) == kept
    assert found.conditions == ("sg", "pl")
    assert any("left out, as said with --" in note for note in found.notes)


def test_numbered_sentences_below_a_title_with_a_comma_are_items_and_the_key_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    body = "".join(f"{n}\n{one}\n{other}\n\n" for n, (one, other) in enumerate(CLEAN, 1))
    path.write_text(f"AGREEMENT, final version\n\n{body}Key: the first sentence is acceptable\nin all items.\n", encoding="utf-8")
    with pytest.raises(UndecidedError) as caught:
        read_foreign(SourceFile(path))
    assert "Key: the first sentence is acceptable" in caught.value.hint
    assert caught.value.answers[0].options == {"per_item": 2}
    found = read_foreign(SourceFile(path, ReadOptions(per_item=2)))
    assert [tuple(s.text for s in item.sentences) for item in found.items] == list(CLEAN)
    assert any("Key: the first sentence" in str(taken) for taken in found.assumptions)


def test_lines_in_latin_letters_below_sentences_of_another_script_are_no_sentences(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(
        "(1) a.  太郎が本を三冊買った。\n        Taroo-ga hon-o katta\n        'Taro bought three books.'\n    b. *太郎が本を三枚買った。\n"
        "        Taroo-ga hon-o katta\n\n(2) a.  花子が犬を二匹飼っている。\n        H.-NOM dog-ACC\n    b. *花子が犬を二台飼っている。\n",
        encoding="utf-8",
    )
    found = read_foreign(SourceFile(path))
    assert [s.text for item in found.items for s in item.sentences] == [
        "太郎が本を三冊買った。",
        "太郎が本を三枚買った。",
        "花子が犬を二匹飼っている。",
        "花子が犬を二台飼っている。",
    ]
    assert found.items[0].sentences[0].attributes["translation"] == "'Taro bought three books.'"


def test_numbered_sentences_copied_from_a_page_are_refused_with_the_lines_to_join_and_to_take_out(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    sentences = "".join(
        f"{n}. The {a}/{a}s near the town hall was/were never shown to the care-\ntaker.\n" for n, (a, *_) in enumerate(NOUNS, 1)
    )
    path.write_text(f"Agreement in noun phrases      417\n\n{sentences}\nNote. Item 3 was dropped.\n", encoding="utf-8")
    with pytest.raises(FormatError, match="copied from a page") as caught:
        read_foreign(SourceFile(path))
    assert "care-/taker" in caught.value.hint
    assert "take out lines 1, 20" in caught.value.hint
    whole = "".join(line.replace("care-\n", "care") for line in sentences.splitlines(keepends=True))
    path.write_text(whole, encoding="utf-8")
    assert "--alternatives crossed" in caught.value.hint
    assert len(read_foreign(SourceFile(path, ReadOptions(alternatives="crossed"))).items) == len(NOUNS)


def test_a_column_of_places_says_which_of_two_is_good(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    lines = (f"{n},{b if n % 2 else a},{a if n % 2 else b},{'right' if n % 2 else 'left'}\n" for n, (a, b) in enumerate(CLEAN, 1))
    path.write_text("trial,stimLeft,stimRight,corrAns\n" + "".join(lines), encoding="utf-8")
    with pytest.raises(UndecidedError, match="'corrAns' seems to say row by row") as caught:
        read_foreign(SourceFile(path))
    found = read_foreign(SourceFile(path, replace(ReadOptions(), **caught.value.answers[0].options)))
    assert [tuple(s.text for s in item.sentences) for item in found.items] == list(CLEAN)
    assert found.expected == {"good": "ok", "bad": "*"}
