"""Calibration items are no results, and nobody who may not know it is told which items they are: every place that takes items of a
bank, every command."""

from __future__ import annotations

import ast
import csv
import json
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import fields
from itertools import islice
from pathlib import Path

import pytest

import gapsmith as api
from gapsmith.app.stages.catalogue import STAGES
from gapsmith.bank import Bank, BankError, ItemFilter, NewItem, Verdict
from gapsmith.scoring.analysis.posh import evaluate
from gapsmith.templates import load_paradigm, realise, sample
from gapsmith.vetting.review import load_study, sheet
from tests.conftest import CommandOutcome
from tests.gapsmith.test_blind import COMPUTES, READS, readable
from tests.making import made_tokens, registered
from tests.printed import result, results
from tests.rooms import trees_of
from tests.scoring.analysing import SCORER, add_items, scored

Run = Callable[..., CommandOutcome]

TELLTALE = "telltale"
"""The data set of the calibration items, and the second run made it."""
ID = re.compile(r"\bK\d\d\b")
"""What the bank calls an item, to those who may know it."""


def fill(folder: Path) -> None:
    """Twelve items and four more that calibrate, of a run of their own, shared out to ben and cy by lea."""
    (folder / "gapsmith.toml").write_text("", encoding="utf-8")
    paradigm = load_paradigm("subject_pg")
    with Bank.open(folder / "bank.sqlite", create=True, reader="lea") as bank:
        fillings = sample(paradigm, 3)
        for number, (dataset, n) in enumerate((("generated", 12), (TELLTALE, 4))):
            run = bank.runs.begin(
                kind="import",
                paradigm_id=bank.paradigms.register(paradigm),
                provider="file",
                identity=f"x{number}",
                parameters={"dataset": dataset, "file": f"{dataset}.csv"},
            )
            # All say “will surely”, of which lint has something to say, so that every item is in what is found.
            chosen = [{**own, "linker": "will surely"} for own in islice(fillings, n)]
            # As ids do, they begin anew in every data set.
            items = [
                NewItem(own, realise(paradigm, own), label=f"K{place:02}", dataset=dataset) for place, own in enumerate(chosen, 1)
            ]
            bank.runs.reply(bank.runs.intend(run.id, 0, {}), outcome="ok", reply=f"words of {dataset}", items=items)
        known = bank.items.ids(ItemFilter(dataset=TELLTALE))
        bank.assignments.assign(dict.fromkeys(bank.items.ids(), ("ben", "cy")), dict.fromkeys(known, Verdict.APPROVE), by="lea")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with calibration items."""
    root = tmp_path_factory.mktemp("calibrating")
    fill(root)
    return root


@pytest.fixture
def ws(made: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(made, tmp_path / "ws"))


def by(gapsmith: Run, name: str, ws: Path, *words: object) -> CommandOutcome:
    """A command as somebody gives it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GAPSMITH_ANNOTATOR", name)
        return gapsmith(*words, "-w", ws)


# Who may not know it


def test_what_is_shown_of_an_item_does_not_say_that_it_calibrates(gapsmith: Run, ws: Path) -> None:
    told = by(gapsmith, "ben", ws, "show")
    entries = results(by(gapsmith, "ben", ws, "show", "--json").out)
    assert "no data set or run is named before you have locked" in told.err.replace("\n", " ")
    for said in (told.out, json.dumps(entries)):
        assert TELLTALE not in said
        assert "from run" not in said
    assert {(one["dataset"], one["run"]) for one in entries} == {(None, None)}
    names = [one["item"] for one in entries]
    assert len(set(names)) == 16
    assert names == sorted(names), "in the order in which they came, those that calibrate would stand together"
    with Bank.open(ws / "bank.sqlite", reader="ben") as bank:
        screens = bank.read_by("ben", reviewing=True).gate
        assert screens.veiled
        assert {row.label for row in bank.read_by("ben", reviewing=True).review.rows(author="ben")} == set(names)
    # Named so, an item is found.
    assert names[0] in by(gapsmith, "ben", ws, "show", names[0]).out
    with api.open_workspace(ws, reader="ben") as study:
        assert TELLTALE not in str(api.show_items(study)) + api.show_items(study).to_frame().to_csv()


TELLING = [
    ("show", "-d", TELLTALE),
    ("lint", "-d", TELLTALE),
    ("lint", "--confounds"),
    ("export", "csv", "--all", "-d", TELLTALE),
    ("export", "slots", "--all", "-d", "generated"),
    ("runs", "list"),
    ("runs", "list", "--json"),
    ("runs", "compare"),
    ("show", "--json", "-d", "generated"),
    ("runs", "show", "2"),
    ("runs", "show", "2", "--call", "0"),
    ("runs", "item", "K01", "-d", TELLTALE),
    ("runs", "item", "K01", "-d", TELLTALE, "--json"),
]


@pytest.mark.parametrize("words", TELLING)
def test_runs_and_data_sets_are_shown_to_those_who_may_know(gapsmith: Run, ws: Path, words: tuple[str, ...]) -> None:
    refused = by(gapsmith, "ben", ws, *words)
    assert refused.code != 0
    assert "would tell ben which data sets and runs items are from" in refused.err.replace("\n", " ")
    assert "lea leads this bank and may know" in refused.err.replace("\n", " ")
    assert TELLTALE not in refused.out + refused.err
    assert by(gapsmith, "lea", ws, *words).code == 0
    with Bank.open(ws / "bank.sqlite", reader="ben") as bank:
        bank.review.lock("ben", paradigm=None, dataset=None)
    assert by(gapsmith, "ben", ws, *words).code == 0


def test_python_refuses_it_too(ws: Path) -> None:
    with api.open_workspace(ws, reader="ben") as study:
        for ask in (lambda: api.show_run(study, 2), lambda: api.trace_item(study, "K01", dataset=TELLTALE)):
            with pytest.raises(BankError, match="which data sets and runs"):
                ask()
        with pytest.raises(BankError, match="which data sets and runs"):
            api.show_items(study, dataset=[TELLTALE])


@pytest.mark.parametrize(
    "words", [["export", "csv", "--all"], ["export", "slots", "--all"], ["lint", "--json"], ["lint", "--full", "--level", "info"]]
)
def test_what_is_listed_of_items_tells_no_item_that_calibrates(gapsmith: Run, ws: Path, words: list[str]) -> None:
    """Neither by the order in which items came, nor by a name or a data set, nor by what is found of a set as a whole."""
    known = {one["item"] for one in results(by(gapsmith, "lea", ws, "show", "--json", "-d", TELLTALE).out)}
    names = {one["item"] for one in results(by(gapsmith, "ben", ws, "show", "--json").out)}
    told = by(gapsmith, "ben", ws, *words)
    assert TELLTALE not in told.out + told.err
    places = {name: told.out.index(name) for name in names if name in told.out}
    assert set(places) == names, told.out[:500]
    assert sorted(places, key=places.__getitem__) == sorted(places), "in the order of their names"
    if words[0] == "lint":
        assert "are called as on the screens" in told.err.replace("\n", " ")
    if words[-1] == "--json":
        found = results(told.out)
        assert {one["dataset"] for one in found} == {None}
        assert {one["item"] for one in found} <= names
    # To the lead they are what they were.
    lead = by(gapsmith, "lea", ws, *words)
    assert not any(name in lead.out for name in names)
    assert known


def test_what_a_lint_keeps_of_sets_names_items_alike_whoever_lints(gapsmith: Run, ws: Path, tmp_path: Path) -> None:
    with Bank.open(ws / "bank.sqlite", reader="lea") as bank:
        first, second = (bank.items.get(item_id) for item_id in bank.items.ids()[:2])
        alike = {**(first.slots or {}), "name1": (second.slots or {})["name1"]}
        bank.items.revise(second.id, slots=alike, sentences=realise(load_paradigm("subject_pg"), alike), author="lea")
    kept = []
    for name in ("ben", "lea"):
        own = Path(shutil.copytree(ws, tmp_path / name))
        told = by(gapsmith, name, own, "lint", "--full", "--level", "info")
        assert told.code == 0, told.err
        with Bank.open(own / "bank.sqlite", reader="lea") as bank:
            kept.append([*bank.findings.iterate(), *bank.findings.of_sets("subject_pg")])
    assert kept[0] == kept[1]
    # Some name items, by what these are called in the bank.
    assert any(ID.search(one.finding.message) for one in kept[0])


TELLING_NUMBERS = [("export", "long", "--all"), ("export", "decisions"), ("export", "conllu"), ("analyze", "-d", "generated")]


@pytest.mark.parametrize("words", TELLING_NUMBERS)
def test_numbers_by_data_set_wait_for_the_lock(gapsmith: Run, ws: Path, words: tuple[str, ...]) -> None:
    with Bank.open(ws / "bank.sqlite", reader="ben") as bank:
        bank.decisions.decide(bank.items.ids(), Verdict.APPROVE, author="ben")
    refused = by(gapsmith, "ben", ws, *words)
    assert refused.code != 0
    assert "would tell ben which data sets and runs items are from" in refused.err.replace("\n", " ")


def test_data_sets_are_listed_alike_whatever_one_decides(gapsmith: Run, ws: Path) -> None:
    before = by(gapsmith, "ben", ws, "dataset", "list", "--json").out
    with Bank.open(ws / "bank.sqlite", reader="ben") as bank:
        bank.decisions.decide(bank.items.ids(ItemFilter(dataset=TELLTALE)), Verdict.EXCLUDE, author="ben", reason="odd")
    assert by(gapsmith, "ben", ws, "dataset", "list", "--json").out == before
    assert TELLTALE in before


NAMES_SETS = {"dataset list"}
"""Names data sets with how many items they have: the same whatever one decides, and no item is told."""


@pytest.mark.full
@pytest.mark.parametrize("command", sorted({*READS, *COMPUTES} - NAMES_SETS - {"review"}))
def test_no_command_names_the_data_set_of_calibration_items(
    gapsmith: Run, ws: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    monkeypatch.chdir(out)
    with Bank.open(ws / "bank.sqlite", reader="ben") as bank:
        bank.decisions.decide(bank.items.ids(), Verdict.APPROVE, author="ben")
        names = {item.label for item in bank.items.iterate()}
    if command.startswith("context"):
        Lead(gapsmith, ws)("context", "draw", "c1", "--all", "--type", "matched", "--lengths", "20", "--model", "bundled")
    for words in {**READS, **COMPUTES}[command]:
        own = ["K01" if word == "Q01" else "K07" if word == "Q07" else word for word in words]
        done = by(gapsmith, "ben", ws, *command.split(), *own)
        written = "".join(readable(path) for path in out.rglob("*") if path.is_file())
        assert TELLTALE not in done.out + done.err + written, words
        # Nor what the bank calls an item, where that was not said.
        assert not set(ID.findall(done.out + done.err + written)) - set(own), words
        # Nor which ones belong together: they are all there, or those that were asked for.
        told = {name for name in names if name in done.out + done.err + written}
        assert len(told) in (0, 1, 2, 16), (words, told)


def test_ones_own_decisions_as_a_table_tell_no_item_that_calibrates_and_are_read_back(
    gapsmith: Run, ws: Path, tmp_path: Path
) -> None:
    with Bank.open(ws / "bank.sqlite", reader="ben") as bank:
        bank.decisions.decide(bank.items.ids()[:14], Verdict.APPROVE, author="ben")
    table = by(gapsmith, "ben", ws, "annotations", "decisions", "--mine").out
    (tmp_path / "own.csv").write_text(table, encoding="utf-8")
    rows = list(csv.DictReader(table.splitlines()))
    assert len(rows) == 14
    assert {row["dataset"] for row in rows} == {""}
    names = [row["item"] for row in rows]
    assert names == sorted(names)
    assert not ID.search(table)
    read = by(gapsmith, "ben", ws, "decide", "--csv", tmp_path / "own.csv")
    assert read.code == 0, read.err
    assert "14 said so before" in read.err


@pytest.mark.parametrize(
    ("words", "way"),
    [
        (("show", "K03"), ("show",)),
        (("show", "-d", TELLTALE), ("show",)),
        (("export", "decisions"), ("annotations", "decisions", "--mine")),
    ],
)
def test_a_refusal_names_a_way_that_is_open(gapsmith: Run, ws: Path, words: tuple[str, ...], way: tuple[str, ...]) -> None:
    with Bank.open(ws / "bank.sqlite", reader="ben") as bank:
        bank.decisions.decide(bank.items.ids()[:3], Verdict.APPROVE, author="ben")
    refused = by(gapsmith, "ben", ws, *words)
    said = " ".join(refused.err.split())
    assert refused.code != 0
    assert f"`gapsmith {' '.join(way)}`" in said
    assert "--dataset" not in said
    assert "Leave out data sets and runs" not in said
    assert by(gapsmith, "ben", ws, *way).code == 0


def test_who_judges_a_study_without_a_terminal_is_told_of_its_packet(
    gapsmith: Run, ws: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ws)
    assert by(gapsmith, "lea", ws, "judge", "new", "s.toml", "--to", "ben", "--task", "categories", "--n", "2").code == 0
    refused = by(gapsmith, "ben", ws, "review", "--judge", "s.toml")
    said = " ".join(refused.err.split())
    assert "the review needs a terminal" in said
    assert "gapsmith packet make FILE.xlsx --judge s.toml --for ben" in said
    assert "gapsmith decide" not in said
    assert by(gapsmith, "ben", ws, "packet", "make", "p.xlsx", "--judge", "s.toml", "--for", "ben").code == 0


NAMING = {
    "show": ["K01"],
    "lint": ["K01"],
    "decide": ["approve", "K01"],
    "runs item": ["K01"],
    "context show": ["c1", "--item", "K01"],
}
"""What one types to name an item, by the command. `context show` is tried where there are contexts."""


def _names_items(request: type) -> bool:
    """Whether a request has a field that names items."""
    return any(own.name in ("item", "items", "label") and "int" not in str(own.type) for own in fields(request))


def test_every_command_that_is_given_items_by_name_is_tried() -> None:
    found = {name for name, stage in STAGES.items() if _names_items(stage.request_type())}
    assert found == NAMING.keys(), "enter what names an item there"


@pytest.mark.parametrize("command", sorted(NAMING.keys() - {"context show"}))
def test_no_command_finds_an_item_by_its_id_for_who_knows_another_name(gapsmith: Run, ws: Path, command: str) -> None:
    """Neither which items an id has, nor how many have it: K01 is one of each data set, K07 of one, K99 of none."""
    told = []
    for name in ("K01", "K07", "K99"):
        refused = by(gapsmith, "ben", ws, *command.split(), *[name if word == "K01" else word for word in NAMING[command]])
        assert refused.code != 0
        told.append((refused.out + refused.err).replace(name, "NAME"))
    assert len(set(told)) == 1, told
    # By the name that it has on screens it is found; ben may not know where one is from.
    code = results(by(gapsmith, "ben", ws, "show", "--json").out)[0]["item"]
    found = by(gapsmith, "ben", ws, *command.split(), *[code if word == "K01" else word for word in NAMING[command]])
    assert (found.code == 0) is (command != "runs item"), found.err


def test_contexts_tell_no_item_that_calibrates(gapsmith: Run, ws: Path, tmp_path: Path) -> None:
    """Neither by which items have any, nor by whose sentences stand in them."""
    (tmp_path / "texts.txt").write_text("It rained all day.\nNobody was at home.\n", encoding="utf-8")
    lead = Lead(gapsmith, ws)
    lead("context", "draw", "own", "--all", "--type", "matched", "--lengths", "20", "--model", "bundled")
    lead("context", "draw", "other", "--all", "--type", "mismatched", "--lengths", "20", "--model", "bundled")
    lead("context", "add", "some", tmp_path / "texts.txt", "--all", "-d", "generated", "--model", "bundled")
    lead("context", "add", "each", tmp_path / "texts.txt", "--all", "--model", "bundled")
    for name in ("own", "other", "some"):
        refused = by(gapsmith, "ben", ws, "context", "show", name, "--json")
        assert refused.code != 0, name
        assert "would tell ben which data sets and runs items are from" in " ".join(refused.err.split())
        assert not refused.out
        with api.open_workspace(ws, reader="ben") as study, pytest.raises(BankError, match="which data sets"):
            api.show_contexts(study, name)
    shown = result(by(gapsmith, "ben", ws, "context", "show", "each", "--json").out)["items"]
    assert len(shown) == 16
    assert [one["item"] for one in shown] == sorted(one["item"] for one in shown)
    assert {one["dataset"] for one in shown} == {None}
    assert TELLTALE in by(gapsmith, "lea", ws, "context", "show", "own", "--json").out


class Lead:
    """Commands of lea's that do what they say."""

    def __init__(self, gapsmith: Run, ws: Path) -> None:
        self._gapsmith, self._ws = gapsmith, ws

    def __call__(self, *words: object) -> None:
        done = by(self._gapsmith, "lea", self._ws, *words)
        assert done.code == 0, done.err


def test_a_bank_calls_no_item_by_its_id_for_who_knows_another_name(ws: Path) -> None:
    with Bank.open(ws / "bank.sqlite", reader="ben") as bank:
        for own in (bank, bank.read_by("ben", reviewing=True)):
            stored = [item.label for item in own.items.iterate()]
            listed = [row.label for row in own.review.rows(author="ben")]
            assert not ID.search(" ".join([*stored, *listed]))
            assert own.items.ids(ItemFilter(labels=("K01",))) == []
            assert len(own.items.ids(ItemFilter(labels=(stored[0],)))) == 1
        bank.review.lock("ben", paradigm=None, dataset=None)
        assert len(bank.items.ids(ItemFilter(labels=("K01", stored[0])))) in (2, 3), (
            "the lock opens the ids, and the other name stays"
        )


def test_no_file_finds_an_item_by_its_id_for_who_knows_another_name(gapsmith: Run, ws: Path, tmp_path: Path) -> None:
    for name in ("K01", "K07"):
        (tmp_path / "said.csv").write_text(f"item,decision\n{name},approve\n", encoding="utf-8")
        refused = by(gapsmith, "ben", ws, "decide", "--csv", tmp_path / "said.csv", "--our-ids")
        assert f"there is no item '{name}' here" in " ".join(refused.err.split())
        assert "called by five letters" in " ".join(refused.err.split())
    shown = by(gapsmith, "lea", ws, "export", "csv", "--all", "-d", TELLTALE).out
    (tmp_path / "again.csv").write_text(shown, encoding="utf-8")
    refused = by(gapsmith, "ben", ws, "import", tmp_path / "again.csv", "-p", "subject_pg", "-d", TELLTALE, "--update")
    assert "would tell ben which data sets and runs items are from" in " ".join(refused.err.split())


def test_a_study_and_what_came_of_it_name_no_item_by_its_id(gapsmith: Run, ws: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ws)
    made = by(
        gapsmith,
        "lea",
        ws,
        "judge",
        "new",
        "s.toml",
        "--to",
        "ben",
        "--task",
        "categories",
        "--n",
        "2",
        "--condition",
        "pf_pg1_pg2",
    )
    assert made.code == 0, made.err
    assert not ID.search((ws / "s.toml").read_text("utf-8"))
    with api.open_workspace(ws, reader="ben") as study:
        own = load_study(Path("s.toml"))
        for one in sheet(own, study.bank, "ben"):
            study.bank.decisions.judge(
                one.item_id, one.condition, "ok", author="ben", study=own.digest, place=one.place, of=one.of, alone=True
            )
    found = by(gapsmith, "ben", ws, "judge", "results", "s.toml", "--csv", "out.csv")
    assert found.code == 0, found.err
    written = (ws / "out.csv").read_text("utf-8")
    assert written.count("\n") == 3
    assert not ID.search(found.out + found.err + written)
    assert by(gapsmith, "lea", ws, "judge", "results", "s.toml", "--csv", "lead.csv").code == 0
    assert ID.search((ws / "lead.csv").read_text("utf-8"))


def test_what_calibrates_is_not_disputed(gapsmith: Run, ws: Path) -> None:
    with Bank.open(ws / "bank.sqlite") as bank:
        (item_id, *_) = bank.items.ids(ItemFilter(dataset=TELLTALE))
        bank.decisions.decide([item_id], Verdict.APPROVE, author="ben")
        bank.decisions.decide([item_id], Verdict.FLAG, author="cy")
    told = by(gapsmith, "lea", ws, "show", "-d", TELLTALE)
    assert "calibrates (approve is known)" in told.out
    assert "disputed" not in told.out
    assert {one["calibrates"] for one in results(by(gapsmith, "lea", ws, "show", "--json").out)} == {None, "approve"}
    assert {one["calibrates"] for one in results(by(gapsmith, "ben", ws, "show", "--json").out)} == {None}
    assert "calibrates (" not in by(gapsmith, "ben", ws, "show").out


def test_who_adjudicates_stays_named_where_items_are_assigned_anew(gapsmith: Run, ws: Path) -> None:
    to = ("--to", "ben", "--to", "cy", "-d", "generated", "--replace")
    assert by(gapsmith, "lea", ws, "assign", *to, "--adjudicator", "dan").code == 0
    again = by(gapsmith, "lea", ws, "assign", *to, "--overlap", "1")
    assert "Adjudicators as before: dan (--adjudicator names others)." in " ".join(again.err.split())
    with Bank.open(ws / "bank.sqlite") as bank:
        assert set(bank.assignments.adjudicators().values()) == {("dan",)}
    assert by(gapsmith, "lea", ws, "assign", *to, "--overlap", "1", "--adjudicator", "eve").code == 0
    with Bank.open(ws / "bank.sqlite") as bank:
        assert set(bank.assignments.adjudicators().values()) == {("eve",)}


# What is to do


def test_what_others_decided_does_not_shorten_anybodys_own_list(gapsmith: Run, ws: Path) -> None:
    with Bank.open(ws / "bank.sqlite") as bank:
        own = bank.items.ids()
        bank.assignments.assign(dict.fromkeys(own[:6], ("lea", "cy")), by="lea")
        bank.decisions.decide(own[:4], Verdict.APPROVE, author="cy")
        bank.decisions.decide(own[:1], Verdict.EXCLUDE, author="lea", reason="odd")
    # The lead sees what cy decided, and it is still to be read.
    why = {one["kind"]: one["why"] for one in results(by(gapsmith, "lea", ws, "next", "--json").out)}
    assert why["decide"].startswith("5 items wait for a decision")


# Results

RESULTS = {
    "app.context_studies._items": "in_results",
    "app.exporting.export": "the caller's choice: app.stages.exports",
    "app.stages.acceptability.judge_new": "its own: `drawn`",
    "app.card.shares": "in_results",
    "app.stages.exports.unfinished_in": "the caller's choice",
    "app.stages.publishing._Folder.left_out": "the caller's choice: app.stages.exports",
    "app.card.how_made": "the caller's choice: app.stages.publishing",
    "app.card.reading_of": "the caller's choice: app.stages.publishing",
    "scoring.analysis.modelling.sentence_frame": "the caller's choice: scoring.analysis.selecting",
    "scoring.analysis.posh.evaluating._sets": "in_results",
    "scoring.analysis.selecting.choose": "in_results",
    "scoring.context_pool.PoolItems.of": "chosen_items",
    "scoring.contexts._items": "chosen_items",
    "scoring.long_frame.long_table": "the caller's choice",
    "scoring.long_frame._Rows.rows": "the caller's choice",
    "scoring.report.links.Trail.__init__": "the caller's choice",
    "scoring.report.number_exports.decision_table": "the caller's choice",
    "scoring.score_run.select_texts": "in_results",
    "scoring.token_table._measured": "the caller's choice",
    "app.treebank_export.export_treebank": "the caller's choice",
    "app.stages.guide._Looking._edited": "in_results",
    "app.stages.guide._Looking._scored": "in_results",
    "vetting.annotators.adjudication": "in_results",
    "vetting.lab.lab_page": "in_results, and says how many calibrate besides",
    "app.role_words.role_words": "in_results",
    "vetting.review.norming.stimuli": "the caller's choice: a study says which",
}
"""What takes items for results or for adjudication, and by what it leaves out those that calibrate."""
ALL_ITEMS = {
    "app.treebank_export._parse_on.texts": "parses of texts",
    "vetting.lint_run.without_origins": "says what they are called",
    "app.linted.Linted.as_data": "what rules say of any item",
    "app.paradigm_update.update_items": "items follow their paradigm",
    "app.stages.acceptability._titles": "by uid",
    "app.stages.acceptability._expect_seen": "by uid",
    "app.manifests._records": "digests, to see what changes; of what is said of them only where it may be known which calibrate",
    "app.manifests.unseen": "counted",
    "app.stages.assigning.assign": "they are assigned",
    "app.stages.assigning._as_before": "they are assigned",
    "app.stages.assigning._calibrating": "says how many calibrate",
    "app.stages.data_sets.load_dataset": "a data set that was named",
    "app.stages.deciding_items._meant": "they are decided on",
    "app.stages.generating._repaired": "what rules say of any item",
    "app.stages.guide._Looking._waiting": "they are decided on",
    "app.stages.guide._Looking._has_locked_some": "they are decided on",
    "app.stages.linting._fix": "repaired, whatever they are for",
    "app.stages.context_sets._expect_to_tell_no_origins": "whether all items are in a set",
    "app.stages.context_sets.show": "what a set holds, to who may know",
    "app.stages.judging.Judging.ask": "judged to vet them",
    "app.stages.runs_told.trace_item": "one that was named",
    "app.stages.what_there_is.show_items": "shown as they stand",
    "vetting.agreement_pages._calibration_lines": "calibration items, to who may know",
    "vetting.agreement_pages.progress_lines": "of those that lack a verdict, as the lab has it",
    "vetting.agreement_pages.as_data": "calibration items, to who may know",
    "vetting.annotation_csv.decisions_csv": "what was decided of any item",
    "vetting.annotation_csv.judgements_csv": "what was judged of any item",
    "vetting.annotation_csv.remarks_csv": "what was remarked on any item",
    "vetting.annotators.adjudicated_apart": "by id",
    "vetting.decide.decide_selected": "by id",
    "vetting.lab._apart": "by id",
    "vetting.annotators.progress": "they are decided on",
    "vetting.annotators.look_at_others": "looks are about all items",
    "vetting.assignment.share_changes": "they are assigned",
    "vetting.decide.resolve_labels": "those that were named",
    "vetting.decide._Standing.__init__": "they are decided on",
    "vetting.decide.decide_by_policy": "they are decided on",
    "vetting.judging_packets.make_judging_packet": "by id",
    "vetting.judging_packets.take_judging_packet": "by id",
    "vetting.lab._after_lock": "by id",
    "vetting.lab._words_read": "by id",
    "vetting.lint_run._as_the_bank_calls_them": "what rules say of any item",
    "vetting.lint_run._needing_repair": "what rules say of any item",
    "vetting.packets.make_packet": "by id",
    "vetting.packets.take_packet": "by uid",
    "vetting.review.acceptability._as_made": "by id",
    "vetting.review.acceptability._items_of": "by uid",
    "vetting.review.session.Session.view": "by id",
    "scoring.context_study.outcomes.read_outcomes": "by id",
    "scoring.context_study.similarity._targets": "by id",
    "scoring.withheld._measured_in_part": "which have scores, whatever they are for",
    "scoring.foreign_scores.import_scores": "takes in what was measured of any text",
    "scoring.observations.reading._all_items": "tells by all texts how a scorer reads",
    "scoring.report.trail._pages": "by id",
    "prompts.context.exclusions": "what is wrong with any item",
    "prompts.repair.Repair._revise": "by id",
    "prompts.repair.Repair._faulty": "what rules say of any item",
    "prompts.repair._is_undecided": "one that was named",
    "prompts.writer.PromptWriter.__init__": "words that are used up",
    "prompts.yields.run_yield": "what a run gave",
    "prompts.yields._read_back": "what a run gave",
}
"""What is about all items, and why."""


def consumers() -> Iterator[str]:
    """Every function of the program that goes through items of a bank, or takes single ones from it."""
    for name, tree in trees_of("app", "vetting", "scoring", "parsing", "prompts", "training"):
        yield from _taking(tree, name.removesuffix(".py").replace("/", "."))


def _taking(node: ast.AST, name: str) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        inner = f"{name}.{child.name}" if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) else name
        called = child.func if isinstance(child, ast.Call) else None
        if isinstance(called, ast.Attribute) and (
            (called.attr in ("iterate", "ids") and _is_items(called.value))
            or (called.attr in ("get", "at") and ast.unparse(called.value).endswith("bank.items"))
        ):
            yield name
        yield from _taking(child, inner)


def _is_items(node: ast.AST) -> bool:
    return ast.unparse(node).endswith("items")


def test_whoever_takes_items_has_said_whether_they_are_results() -> None:
    assert sorted(set(consumers())) == sorted({*RESULTS, *ALL_ITEMS}), (
        "enter it, with how it leaves calibration items out or why not"
    )
    assert not RESULTS.keys() & ALL_ITEMS.keys()


def approve_all(ws: Path) -> set[str]:
    """Approve everything and measure it; the words of calibration items."""
    with Bank.open(ws / "bank.sqlite", reader="lea") as bank:
        scorer = registered(bank, SCORER)
        paradigm = load_paradigm("subject_pg")
        for place, item in enumerate(list(bank.items.iterate())):
            for number, sentence in enumerate(item.sentences):
                critical = str(paradigm.condition(sentence.condition).critical)
                bank.scores.add(scorer, [scored(sentence, {critical: 2.0 + number + 0.01 * place})])
        bank.decisions.decide(bank.items.ids(), Verdict.APPROVE, author="lea")
        return {s.text for item in bank.items.iterate(ItemFilter(dataset=TELLTALE)) for s in item.sentences}


EXPORTS = ("csv", "decisions", "long", "tokens", "words", "slots", "suite", "pcibex", "conllu")


@pytest.mark.parametrize("what", EXPORTS)
def test_no_export_has_calibration_items_among_the_results(gapsmith: Run, ws: Path, tmp_path: Path, what: str) -> None:
    texts = approve_all(ws)
    out = tmp_path / f"out.{ {'suite': 'json', 'conllu': 'conllu'}.get(what, 'csv') }"
    done = by(gapsmith, "lea", ws, "export", what, "-o", out)
    if done.code != 0:
        assert "parser" in done.err, done.err
        return
    written = readable(out)
    assert TELLTALE not in written
    assert not any(text in written for text in texts)
    assert "4 calibration items left out" in done.err


def test_no_analysis_frame_or_score_counts_calibration_items(gapsmith: Run, ws: Path) -> None:
    approve_all(ws)
    with api.open_workspace(ws, reader="lea") as study:
        found = str(api.analyze(study, "subject_pg"))
        assert "12 items" in found
        assert "16 items" not in found
        with pytest.warns(UserWarning, match="Reading is not finished"):
            assert set(api.frame(study, "subject_pg")["dataset"]) == {"generated"}
    assert "bundled: 96 to score" in by(gapsmith, "lea", ws, "score", "--dry-run", "-m", "bundled").err, "eight of each"


def test_posh_counts_no_calibration_items(tmp_path: Path) -> None:
    paradigm = load_paradigm("posh_wanna")
    with Bank.open(tmp_path / "bank.sqlite", create=True, reader="lea") as bank:
        fillings = islice(sample(paradigm, 5), 8)
        items = [NewItem(own, realise(paradigm, own), dataset="posh_wanna") for own in fillings]
        add_items(bank, paradigm, items, identity="wanna")
        scorer = registered(bank, SCORER)
        for item in bank.items.iterate():
            for sentence in item.sentences:
                bits = 2.0 if sentence.condition == "good" else 3.0
                bank.scores.add(scorer, [made_tokens(sentence.text, [(0, len(sentence.text), bits)], None)])
        (before,) = evaluate(bank).outcomes.values()
        known = bank.items.ids()[:3]
        bank.assignments.assign(dict.fromkeys(bank.items.ids(), ("ben",)), dict.fromkeys(known, Verdict.APPROVE), by="lea")
        (after,) = evaluate(bank).outcomes.values()
    assert (before.n, after.n) == (8, 5)
