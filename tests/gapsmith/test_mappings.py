"""A mapping says again what was said of a file: every option that says it, and nothing that nobody said."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook

import gapsmith as api
from gapsmith.app.requests.base import entries
from gapsmith.app.requests.bringing import Import
from gapsmith.app.services import Services
from gapsmith.app.workspace import Workspace
from gapsmith.bank import Brought
from gapsmith.templates import GapsmithError
from tests.bank.test_every_reader_is_looked_over import CLEAN

ROWS = [(n, c, text) for n, pair in enumerate(CLEAN, 1) for c, text in zip(("sg", "pl"), pair, strict=True)]
SILENT = Services(warn=lambda _: None)
FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "strange"
OF_THE_CALL = {"file", "mapping", "save_mapping", "preview", "dataset", "update", "our_ids"}
"""Options that say nothing of how a file is read, but where it is, where its items go and what becomes of those that are there."""


def table(head: str = "item,condition,sentence", line: str = "{n},{c},{t}", *, above: str = "", below: str = "") -> str:
    return f"{above}{head}\n" + "".join(f"{line.format(n=n, c=c, t=t)}\n" for n, c, t in ROWS) + below


def lines(line: str = "{t}", between: str = "") -> str:
    return "".join(f"{between if c == 'sg' and n > 1 else ''}{line.format(n=n, c=c, t=t)}\n" for n, c, t in ROWS)


PAIRS = "item,sg,pl\n" + "".join(f"{n},{one},{other}\n" for n, (one, other) in enumerate(CLEAN, 1))
REGIONS = "item,condition,subject,verb,rest\n" + "".join(
    f"{n},{c},The {w},{v},tired.\n"
    for n, w in enumerate(("farmer", "nurse", "child", "guard"), 1)
    for c, v in (("sg", "is"), ("pl", "are"))
)
TURNED = "\n".join(",".join(row) for row in zip(*[line.split(",") for line in PAIRS.splitlines()], strict=True))
TWICE = [(n, *((a, b) if n % 2 else (b, a))) for n, (a, b) in enumerate(CLEAN, 1)]
SIDE = "item,list1_sentence,list2_sentence,list1_cond,list2_cond\n" + "".join(
    f"{n},{one},{other},{'sg,pl' if n % 2 else 'pl,sg'}\n" for n, one, other in TWICE
)
TABLES = "".join(
    f"# {name}\n\n| item | condition | sentence |\n|---|---|---|\n" + "".join(f"| {n} | {c} | {t} |\n" for n, c, t in rows) + "\n"
    for name, rows in (("One", ROWS[:8]), ("Two", ROWS[8:]))
)
FRAMES = "item,condition,frame,word\n" + "".join(
    f"{n},{c},{t.replace(' is ', ' ___ ').replace(' are ', ' ___ ')},{'is' if c == 'sg' else 'are'}\n" for n, c, t in ROWS
)


def book() -> bytes:
    made = Workbook()
    for name, rows in (("one", ROWS[:8]), ("two", ROWS[8:])):
        sheet = made.create_sheet(name)
        for row in (("item", "condition", "sentence"), *rows):
            sheet.append(row)
    del made["Sheet"]
    stream = io.BytesIO()
    made.save(stream)
    return stream.getvalue()


CASES: dict[str, tuple[str, str | bytes, Any, dict[str, Any]]] = {
    "format": ("a.csv", table(line="{n},{c},A: {t}"), "csv", {}),
    "encoding": ("a.csv", table().replace("The", "Thé").encode("cp1252"), "cp1252", {}),
    "first": ("a.txt", lines(), "bad", {}),
    "item_column": ("a.csv", table("a,b,sentence", "{n},{c},{t}"), ("a",), {"condition_column": ("b",)}),
    "condition_column": ("a.csv", table("item,kind,sentence"), ("kind",), {}),
    "sentence_column": ("a.csv", table("item,condition,a,b", "{n},{c},{t},{t} Yes."), ("b",), {}),
    "strip_prefix": ("a.csv", table(line="{n},{c},A: {t}"), ("A:",), {}),
    "strip_suffix": ("a.csv", table(line="{n},{c},{t} [...]"), ("[...]",), {}),
    "per_item": ("a.txt", lines(), 2, {}),
    "region_mark": ("a.csv", table().replace(" the ", " ~ the "), "~", {}),
    "only": ("a.csv", table("item,condition,list,sentence", "{n},{c},{n},{t}"), ("list=2", "list=3"), {}),
    "leave_out": ("a.csv", table(), ("item=3", "2-3"), {}),
    "header_row": ("a.csv", table(above="Materials\n"), 2, {}),
    "missing": ("a.csv", PAIRS.replace(CLEAN[0][1], "n/a"), ("n/a",), {"sentence_column": ("sg", "pl")}),
    "comment": ("a.csv", table(above="% a remark\n"), "%", {}),
    "headings": ("a.csv", table().partition("\n")[2], "item,condition,sentence", {}),
    "critical": ("a.csv", REGIONS, ("verb",), {}),
    "own_paradigm": ("a.csv", (FIXTURES / "marks.csv").read_text(), True, {}),
    "paradigm": ("a.csv", (FIXTURES / "marks.csv").read_text(), "embedded_wh", {}),
    "region": ("a.csv", REGIONS.replace("rest", "list").replace("tired.", "2."), ("subject", "verb", "list"), {}),
    "attribute": ("a.csv", REGIONS, ("rest",), {}),
    "good": ("a.csv", table("item,condition,ok,sentence", "{n},{c},{c},{t}"), ("ok=sg",), {}),
    "take_out": ("a.csv", table().replace("The", "The <x>"), ("<...>",), {}),
    "clean": ("a.csv", table().replace("The", "<b>The</b>"), ("html",), {}),
    "gap_mark": ("a.csv", table().replace(" the ", " __ the "), ("__",), {}),
    "once": (
        "a.csv",
        table("item,condition,participant,sentence", "{n},{c},1,{t}") + table("", "{n},{c},2,{t}").lstrip(),
        True,
        {},
    ),
    "blank_rows": ("a.csv", table(), True, {}),
    "table": ("a.md", TABLES, "2", {}),
    "transpose": ("a.csv", TURNED, True, {"sentence_column": ("sg", "pl")}),
    "header_rows": ("a.csv", f",verb,verb\n{PAIRS}", 2, {"sentence_column": ("verb_sg", "verb_pl")}),
    "wrapped": ("a.txt", lines().replace(" the ", "\n   the "), True, {"first": "good"}),
    "alternatives": (
        "a.txt",
        "".join(f"{n}. {one.replace(' is ', ' {is/are} ')}\n" for n, (one, _) in enumerate(CLEAN, 1)),
        "crossed",
        {},
    ),
    "stack": ("a.csv", SIDE, True, {}),
    "frame": ("a.csv", FRAMES, ("frame",), {"sentence_column": ("word",)}),
    "items_by_words": ("a.csv", "condition,sentence\n" + "".join(f"{c},{t}\n" for _, c, t in ROWS[::2] + ROWS[1::2]), True, {}),
    "sheet": ("a.xlsx", book(), ("two",), {}),
}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    with api.open_workspace(tmp_path_factory.mktemp("ws"), create=True) as found:
        yield found


def test_every_option_is_of_the_file_or_of_the_call() -> None:
    assert {entry.name for entry in entries(Import)} - OF_THE_CALL == set(CASES)


@pytest.mark.parametrize("name", CASES)
def test_a_mapping_says_every_option_again(workspace: Workspace, tmp_path: Path, name: str) -> None:
    file, content, value, more = CASES[name]
    path = tmp_path / file
    path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def read(**said: Any) -> object:
        try:
            return _understood(api.import_file(workspace, path, preview=True, services=SILENT, **said))
        except GapsmithError as refused:
            return refused.message

    mapping = tmp_path / "mapping.toml"
    said = read(**{name: value, **more}, save_mapping=mapping)
    assert isinstance(said, tuple), said
    assert f"{name} = " in mapping.read_text()
    assert read(mapping=mapping) == said
    assert read(**more) != said


def _understood(came: Brought) -> tuple[object, ...]:
    items = [
        (item.label, dict(item.attributes), [(s.condition, s.text, s.regions, s.mark) for s in item.sentences])
        for item in came.found.items
    ]
    criticals = [condition.critical for condition in came.paradigm.conditions]
    return came.found.shape, items, came.found.told, dict(came.found.expected), came.choice.way, criticals


def _import(workspace: Workspace, path: Path, **said: Any) -> Brought:
    return api.import_file(workspace, path, services=SILENT, **said)


@pytest.mark.parametrize(
    ("other", "asked"),
    [
        (
            table("item,condition,tense,sentence", "{n},{c},past,{t}") + table("", "{n},{c},pres,{t} Yes.").lstrip(),
            "has sg in line",
        ),
        (table(line="{n},{c},A: {t}"), "its sentences begin with A:"),
        (table(below=f"8,pl,{CLEAN[0][0]}\n"), "item 8 has pl in line"),
    ],
)
def test_what_a_file_was_taken_for_overrules_nothing_in_the_next(
    workspace: Workspace, tmp_path: Path, other: str, asked: str
) -> None:
    (tmp_path / "a.csv").write_text(table())
    (tmp_path / "b.csv").write_text(other)
    mapping = tmp_path / "m.toml"
    _import(workspace, tmp_path / "a.csv", preview=True, save_mapping=mapping)
    with pytest.raises(GapsmithError, match=asked) as refused:
        _import(workspace, tmp_path / "b.csv", preview=True, mapping=mapping)
    assert f"{mapping} says --item-column item" in str(refused.value)
    assert "an option beside it goes before it" in str(refused.value)


def test_one_of_two_options_that_answer_one_question_goes_before_both(workspace: Workspace, tmp_path: Path) -> None:
    mapping = tmp_path / "m.toml"
    mapping.write_text('paradigm = "embedded_wh"\n')
    assert _import(workspace, FIXTURES / "marks.csv", preview=True, mapping=mapping).paradigm.name == "embedded_wh"
    own = _import(workspace, FIXTURES / "marks.csv", preview=True, mapping=mapping, own_paradigm=True)
    assert own.paradigm.name == "marks"


def test_a_paradigm_that_was_found_is_found_anew(workspace: Workspace, tmp_path: Path) -> None:
    mapping = tmp_path / "m.toml"
    came = _import(workspace, FIXTURES / "marks.csv", preview=True, save_mapping=mapping)
    assert (came.paradigm.name, "paradigm" in mapping.read_text()) == ("embedded_wh", False)


def test_nothing_comes_in_where_a_mapping_has_no_place(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(table())
    (tmp_path / "m.toml").write_text("# mine\n")
    with api.open_workspace(tmp_path / "ws", create=True) as own:
        for place, why in (("m.toml", "says something else"), ("no/m.toml", "there is no folder"), ("ws", "is a directory")):
            with pytest.raises(GapsmithError, match=why):
                _import(own, tmp_path / "a.csv", save_mapping=tmp_path / place)
        assert not own.bank.datasets.all()
    assert (tmp_path / "m.toml").read_text() == "# mine\n"
