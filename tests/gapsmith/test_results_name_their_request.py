"""By which request something was made is kept with it: in the bank, in what is written, in JSON. A new stage has to be entered here."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

import gapsmith as api
from gapsmith.app.cli import typed
from gapsmith.app.requests.base import StageRequest
from gapsmith.app.stages.catalogue import STAGES
from gapsmith.bank import Bank
from tests.conftest import CommandOutcome
from tests.interface import expect_results
from tests.printed import results

Run = Callable[..., CommandOutcome]

STORES: dict[str, Sequence[object]] = {
    "generate": ("lan_pg", "-n", 3, "--seed", 5, "-d", "more"),
    "import": ("items.csv", "-d", "theirs"),
    "import-scores": ("scores.csv", "--model", "theirs", "--our-ids", "--unit", "bits", "-d", "generated"),
    "lint": ("--parser", "embedded", "--fail-on", "never"),
    "decide": ("exclude", "1", "-d", "generated", "--reason", "unnatural"),
    "assign": ("--to", "ann", "--to", "ben", "-d", "generated"),
    "packet take": ("ann.xlsx",),
    "dataset load": ("refined10",),
    "dataset rename": ("generated", "mine"),
    "dataset remove": ("generated",),
    "dataset undo": (),
    "bank lead": ("ann",),
    "plan freeze": ("lan_pg",),
    "score": ("-m", "bundled", "--all", "--device", "cpu", "-d", "generated"),
    "context add": ("rain", "lines.txt", "--all", "--model", "bundled"),
    "context draw": ("near", "--type", "unrelated", "--lengths", "10", "--all", "--model", "bundled", "-d", "generated"),
    "paradigm update": ("lan_pg",),
    "agreement": ("--look", "--by", "ben"),
    "annotations": ("decisions", "--look", "--by", "ben"),
}
"""Stages that keep something in the bank, and how they are asked here."""
WRITES: dict[str, tuple[Sequence[object], str]] = {
    "report": (("--all", "-m", "bundled", "-o", "out"), "out/report.md"),
    "audit": (("pairs.csv", "-o", "out.html"), "out.html"),
    "licensing": (("-p", "embwhq", "--all", "-m", "bundled", "-o", "out"), "out/licensing.md"),
    "publish": (("-o", "out", "--all", "-d", "generated"), "out/README.md"),
    "export": (("hub", "-d", "generated", "--all", "-o", "out"), "out/README.md"),
}
"""Stages that write pages, how they are asked here, and where the page is."""
ELSEWHERE = {
    "runs watch": "goes on with a run, which keeps the request that began it: test_a_run_keeps_the_request_that_began_it",
    "bank merge": "brings in what others stored, with their requests: test_requests_come_in_with_a_merge",
    "dataset recognise": "brings files in as import does",
    "posh": "tests/posh/test_posh.py: posh.md",
    "context study": "tests/scoring/test_context_study.py: contexts.md",
    "reproduce": "tests/studies/test_studies.py: study.md, and each step by its own request",
}
NOTHING_KEPT = dict.fromkeys(
    (
        "init",
        "next",
        "analyze",
        "power",
        "plan list",
        "frame",
        "show",
        "rule",
        "studies",
        "doctor",
        "explain-number",
        "count-constructions",
        "dataset list",
        "context list",
        "context show",
        "runs list",
        "runs compare",
        "runs show",
        "runs item",
        "paradigm list",
        "paradigm show",
        "paradigm check",
        "paradigm diff",
        "prompt list",
        "prompt show",
        "bank check",
        "lab",
        "judge results",
        "train counts",
    ),
    "gives its result and keeps none; with --json it names its request",
) | {
    "paradigm draft": "a file to be gone on with",
    "paradigm new": "a file to be gone on with",
    "judge new": "a file to be gone on with, which names its own digest",
    "prompt copy": "a copy, byte for byte",
    "bank backup": "a copy, byte for byte",
    "bank restore": "a copy, byte for byte",
    "bank log": "all that was stored, with the requests by which it was",
    "packet make": "a blind form, which says nothing of how it came about",
    "model convert": "its own record: the model card, with the digests of what it was made of",
    "train corpus": "its own record: recipe, sources and digests",
    "train audit": "a sheet, on which each row says of what it was drawn",
    "train lm": "its own record: configuration, corpus and digests",
    "train grid": "records of its cells: configuration, corpus and digests of each",
    "train parser": "its own record: the model card",
}


def test_every_stage_is_entered_here() -> None:
    entered = [*STORES, *WRITES, *ELSEWHERE, *NOTHING_KEPT]
    assert sorted(entered) == sorted(STAGES)


@pytest.fixture
def place(gapsmith: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace with items, scores of one of them, and files."""
    monkeypatch.setenv("GAPSMITH_ANNOTATOR", "root")
    assert gapsmith("generate", "lan_pg", "-n", 3, "-w", ".").code == 0
    sentence = results(gapsmith("show", "1", "--json").out)[0]["sentences"][0]
    rows = [f"1,{sentence['condition']},{n},{word},1.5" for n, word in enumerate(sentence["text"].split(), 1)]
    (tmp_path / "scores.csv").write_text("\n".join(["item,condition,position,token,surprisal", *rows]) + "\n", encoding="utf-8")
    (tmp_path / "items.csv").write_text("item,condition,sentence\n1,a,He left.\n1,b,He leave.\n", encoding="utf-8")
    (tmp_path / "pairs.csv").write_text("good,bad\nThe man sleeps.,The man sleep.\n", encoding="utf-8")
    (tmp_path / "lines.txt").write_text("It rained all day.\nIt was dark.\n", encoding="utf-8")
    return tmp_path


def _before(name: str, gapsmith: Run, place: Path) -> None:
    """What has to be there first."""
    if name == "packet take":
        from openpyxl import load_workbook

        assert gapsmith("packet", "make", "ann.xlsx", "--for", "ann").code == 0
        book = load_workbook(place / "ann.xlsx")
        sheet = book.worksheets[0]
        heading, column = next((c.row, c.column) for row in sheet.iter_rows() for c in row if c.value == "decision")
        sheet.cell(heading + 1, column).value = "approve"
        book.save(place / "ann.xlsx")
    if name == "dataset undo":
        assert gapsmith("dataset", "remove", "generated").code == 0
    if name in ("agreement", "annotations"):
        assert gapsmith("decide", "approve", "1", "--by", "ann").code == 0
    if name == "paradigm update":
        own = api.load_paradigm("lan_pg").text.replace('final_punctuation = ""', 'final_punctuation = "."')
        (place / "paradigms").mkdir()
        (place / "paradigms" / "lan_pg.toml").write_text(own, encoding="utf-8")
        assert expect_results(gapsmith("paradigm", "diff", "lan_pg", "--json").out)


def stamps(bank: Path) -> Iterator[dict[str, object]]:
    """Every request that a bank keeps, wherever it does."""
    kept = sqlite3.connect(bank)
    for column, table in (("parameters", "run"), ("provenance", "block"), ("sampler", "context_set"), ("payload", "event")):
        for (text,) in kept.execute(f"SELECT {column} FROM {table}"):
            if (found := json.loads(text).get("request")) is not None:
                yield found
    yield from (json.loads(text) for (text,) in kept.execute("SELECT value FROM property WHERE name LIKE 'lint %'"))
    kept.close()


@pytest.mark.parametrize("name", STORES)
def test_what_is_stored_keeps_its_request(name: str, gapsmith: Run, place: Path) -> None:
    _before(name, gapsmith, place)
    before = list(stamps(place / "bank.sqlite"))
    done = gapsmith(*typed(name).split(), *STORES[name], "--json")
    assert done.code == 0, done.err
    mark = json.loads(done.out)["request"]
    assert mark["stage"] == name
    expect_results(done.out)
    if name == "plan freeze":
        assert expect_results(gapsmith("plan", "list", "--json").out)
    new = [own for own in stamps(place / "bank.sqlite") if own not in before]
    assert [(own["stage"], own["version"], own["digest"]) for own in new], "something was kept"
    assert {(own["stage"], own["version"], own["digest"]) for own in new} == {tuple(mark.values())}
    for own in new:
        assert isinstance(own["toml"], str)
        assert STAGES[name].request_type().from_toml(own["toml"]).digest == mark["digest"]
    with Bank.open(place / "bank.sqlite") as bank:
        assert bank.faults() == []


@pytest.mark.parametrize("name", WRITES)
def test_what_is_written_names_its_request(name: str, gapsmith: Run, place: Path) -> None:
    words, page = WRITES[name]
    if name == "licensing":
        assert gapsmith("generate", "embwhq", "-n", 3, "--seed", 1).code == 0
    if name in ("report", "licensing"):
        assert gapsmith("score", "-m", "bundled", "--all", "--device", "cpu").code == 0
    done = gapsmith(*typed(name).split(), *words, "--json")
    assert done.code == 0, done.err
    mark = json.loads(done.out)["request"]
    expect_results(done.out)
    assert f"{mark['stage']}, version {mark['version']}, digest {mark['digest']}" in (place / page).read_text(encoding="utf-8")


def test_all_doors_keep_the_same_request(gapsmith: Run, place: Path) -> None:
    """Typed, called, or read from a file: what is the same has one digest."""
    kind = STAGES["score"].request_type()
    wanted = kind.of({"model": "bundled", "everything": True, "device": "cpu", "dataset": ["generated"]})
    assert gapsmith("score", "-m", "bundled", "--all", "--device", "cpu", "-d", "generated").code == 0
    with api.open_workspace(place) as study:
        (typed_one,) = study.bank.scores.requests(1)
        api.generate(study, "lan_pg", 2, dataset="other", seed=9)
        api.score(study, "bundled", everything=True, device="cpu", dataset=["generated", "other"])
        requests = [request for request, _ in study.bank.scores.requests(1)]
        runs = [run.request for run in study.bank.runs.all()]
    assert typed_one[0] == wanted.stamp({})
    assert requests == [wanted.stamp({}), kind.of({**wanted.given(), "dataset": ["generated", "other"]}).stamp({})]
    generate = STAGES["generate"].request_type()
    assert runs[-1] == generate.of({"paradigm": "lan_pg", "n": 2, "dataset": "other", "seed": 9}).stamp({})
    assert isinstance(wanted, StageRequest)


def test_a_run_keeps_the_request_that_began_it(gapsmith: Run, place: Path) -> None:
    assert gapsmith("generate", "lan_pg", "-n", 3, "--timeout", 9).code == 0
    with api.open_workspace(place) as study:
        (run,) = study.bank.runs.all()
    assert run.request is not None
    assert run.request["toml"] == 'stage = "generate"\nversion = 1\nparadigm = "lan_pg"\nn = 3\n'
    told = gapsmith("runs", "show", 1)
    assert f"request: generate, version 1, digest {run.request['digest']}" in told.out
    assert "toml" not in told.out


def test_requests_come_in_with_a_merge(gapsmith: Run, place: Path) -> None:
    assert gapsmith("decide", "approve", "1").code == 0
    assert gapsmith("init", "two").code == 0
    assert gapsmith("bank", "merge", "bank.sqlite", "-w", "two").code == 0
    kept = {str(own["stage"]) for own in stamps(place / "two" / "bank.sqlite")}
    assert {"generate", "decide"} <= kept


def test_an_item_knows_the_request_of_its_lint(gapsmith: Run, place: Path) -> None:
    assert gapsmith("lint").code == 0
    assert gapsmith("lint", "--parser", "embedded", "1").code == 0
    with api.open_workspace(place) as study:
        first, second, _ = study.bank.items.ids()
        with_parser, without = study.bank.findings.request(first), study.bank.findings.request(second)
    assert with_parser is not None
    assert without is not None
    assert "parser" in with_parser["toml"]
    assert "parser" not in without["toml"]
