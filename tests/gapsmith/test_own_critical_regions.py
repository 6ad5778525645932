"""A data set that says its own critical region: at every door, and in everything that asks where a sentence is measured."""

from __future__ import annotations

import csv
import io
import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from gapsmith.app import functions
from gapsmith.app.critical_values import critical_values
from gapsmith.app.workspace import open_workspace
from gapsmith.bank import Bank, ItemFilter
from gapsmith.bank.datasets import CRITICAL
from gapsmith.scoring.analysis import AnalysisOptions, analyze
from gapsmith.templates import ConfigError, parse_paradigm
from tests.printed import result

Run = Callable[..., Any]

PARADIGM = """
name = "wh"
title = "wh"
items = "given"
final_punctuation = ""
[conditions]
what = "what"
that = "that"
[[regions]]
name = "comp"
[[regions]]
name = "verb"
[[regions]]
name = "end"
[critical]
what = "verb"
that = "verb"
[designs.all]
conditions = "all"
[[criteria]]
name = "c"
formula = "what < that"
design = "all"
"""
BITS = {("what", "verb"): 1.0, ("that", "verb"): 2.0, ("what", "end"): 5.0, ("that", "end"): 3.0}


def _items(noun: str) -> str:
    rows = ["item,condition,comp,verb,end"]
    for n in range(1, 4):
        rows += [f"{n},what,I know what,{noun}{n} saw,today", f"{n},that,I know that,{noun}{n} saw,today"]
    return "\n".join(rows) + "\n"


def _values(noun: str) -> str:
    rows = ["item,condition,region,sentence,surprisal_bits"]
    for n in range(1, 4):
        for condition in ("what", "that"):
            text = f"I know {condition} {noun}{n} saw today"
            rows += [f"{n},{condition},{r},{text},{BITS.get((condition, r), 4.0)}" for r in ("comp", "verb", "end")]
    return "\n".join(rows) + "\n"


@pytest.fixture
def two(gapsmith: Run, tmp_path: Path) -> Run:
    """Data sets ``here``, measured as its paradigm says, and ``there``, measured in another region; both scored and approved."""
    gapsmith("init", ".")
    (tmp_path / "paradigms").mkdir(exist_ok=True)
    (tmp_path / "paradigms" / "wh.toml").write_text(PARADIGM, encoding="utf-8")
    for name, noun in (("here", "he"), ("there", "she")):
        (tmp_path / f"{name}.csv").write_text(_items(noun), encoding="utf-8")
        (tmp_path / f"{name}_values.csv").write_text(_values(noun), encoding="utf-8")
        own = ("--critical", "end") if name == "there" else ()
        done = gapsmith("import", f"{name}.csv", "--paradigm", "wh", *own)
        assert done.code == 0, done.err
        done = gapsmith("import-scores", f"{name}_values.csv", "--model", "m", "--dataset", name)
        assert done.code == 0, done.err
    return gapsmith


def _means(run: Run, name: str) -> dict[str, tuple[str, float]]:
    done = run("analyze", "--paradigm", "wh", "--dataset", name, "--all", "--json")
    assert done.code == 0, done.err
    return {own["name"]: (own["region"], own["result"]["estimate"]) for own in result(done.out)["conditions"]}


def test_a_data_set_is_measured_where_it_says(two: Run, tmp_path: Path) -> None:
    assert _means(two, "here") == {"what": ("verb", 1.0), "that": ("verb", 2.0)}
    assert _means(two, "there") == {"what": ("end", 5.0), "that": ("end", 3.0)}
    with Bank.open(tmp_path / "bank.sqlite") as bank:
        holds = {
            name: analyze(bank, "wh", options=AnalysisOptions(dataset=name, all_items=True)).criteria[0].share.estimate
            for name in ("here", "there")
        }
        assert holds == {"here": 1.0, "there": 0.0}
        paradigm = bank.paradigms.current("wh").paradigm
        seen = [critical_values(bank, item, paradigm) for item in bank.items.iterate(ItemFilter(dataset="there"))]
        assert [next(iter(own.values()))["what"] for own in seen] == [5.0, 5.0, 5.0]
    shown = two("dataset", "list").out
    assert "--critical end" in shown


def test_a_region_that_another_program_wrote_is_refused(two: Run, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "bank.sqlite", isolation_level=None)) as other:
        changed = other.execute(
            f"UPDATE dataset SET meta = json_set(meta, '$.{CRITICAL}.what', 'comp') WHERE meta ->> '$.{CRITICAL}' IS NOT NULL"
        )
        assert changed.rowcount == 1
    refused = two("analyze", "--paradigm", "wh", "--dataset", "there", "--all")
    assert refused.code == 2
    assert "a row of its table 'dataset' is not what was kept" in refused.err


def test_only_the_data_sets_that_are_asked_for_have_to_agree(two: Run) -> None:
    for command in ("import", "import-scores"):
        own = ("here.csv", "--paradigm", "wh") if command == "import" else ("here_values.csv", "--model", "m")
        done = two(command, *own, "--dataset", "again")
        assert done.code == 0, done.err
    beside = two("analyze", "--dataset", "here", "--dataset", "again", "--all")
    assert (beside.code, "again" in beside.out) == (0, True), beside.err
    refused = two("analyze", "--dataset", "again", "--dataset", "there", "--all")
    assert "what in end in there, and in verb in again" in refused.err
    assert "--dataset there or --dataset again (" in refused.err
    assert "there is no data set 'nowhere'" in two("analyze", "--dataset", "here", "--dataset", "nowhere", "--all").err


def test_what_is_pooled_is_measured_in_one_region_or_refused(two: Run, tmp_path: Path) -> None:
    refused = two("analyze", "--paradigm", "wh", "--all")
    assert refused.code != 0
    assert "what in verb in here, and in end in there" in refused.err
    assert "--dataset here or --dataset there" in refused.err
    with Bank.open(tmp_path / "bank.sqlite") as bank, pytest.raises(ConfigError, match="measured in different regions"):
        analyze(bank, "wh", options=AnalysisOptions(all_items=True))
    refused = two("export", "suite", "-p", "wh", "--all", "-o", "both.json")
    assert "measured in different regions" in refused.err
    modelled = two("export", "r", "-p", "wh", "--all", "-o", "r.csv")
    assert "measured in different regions" in modelled.err
    assert "[today]" in two("show", "1", "--dataset", "there").out
    # A frame is one table in which every row says what is critical in it.
    done = two("export", "long", "-p", "wh", "--all", "-o", "long.csv")
    assert done.code == 0, done.err
    rows = list(csv.DictReader(io.StringIO((tmp_path / "long.csv").read_text(encoding="utf-8"))))
    critical = {(row["dataset"], row["region"]) for row in rows if row["critical"] in ("1", "True", "true")}
    assert critical == {("here", "verb"), ("there", "end")}


def test_each_condition_may_have_its_own_and_what_cannot_be_measured_is_refused(gapsmith: Run, tmp_path: Path) -> None:
    gapsmith("init", ".")
    (tmp_path / "paradigms").mkdir(exist_ok=True)
    (tmp_path / "paradigms" / "wh.toml").write_text(PARADIGM, encoding="utf-8")
    items = tmp_path / "items.csv"
    items.write_text(re.sub(r"(what,he\d saw),today", r"\1,", _items("he")), encoding="utf-8")
    for said, why in (
        ("nowhere", "no region 'nowhere'"),
        ("who=end", "no condition 'who'"),
        ("end", "empty in every sentence of what"),
    ):
        refused = gapsmith("import", "items.csv", "--paradigm", "wh", "--critical", said)
        assert (refused.code != 0, why in refused.err) == (True, True), refused.err
    with open_workspace(tmp_path) as workspace:
        done = functions.import_file(workspace, "items.csv", paradigm="wh", critical="that=end")
        assert done.imported.items == 3
    with Bank.open(tmp_path / "bank.sqlite") as bank:
        assert bank.datasets.find("items").critical == {"that": "end"}
        measured = bank.datasets.measured(bank.paradigms.current("wh").paradigm, "items")
        assert {c.name: c.critical for c in measured.conditions} == {"what": "verb", "that": "end"}
    more = tmp_path / "more.csv"
    changed = re.sub(r"\n(\d),", r"\n1\1,", _items("we"))
    more.write_text(re.sub(r"(what,we\d saw),today", r"\1,", changed), encoding="utf-8")
    refused = gapsmith("import", "more.csv", "--paradigm", "wh", "--dataset", "items", "--critical", "what=comp")
    assert "is there already, and is measured elsewhere (that in end)" in refused.err
    assert gapsmith("import", "more.csv", "--paradigm", "wh", "--dataset", "items").code == 0


def test_it_goes_with_the_data_set_into_another_bank_and_into_a_study(two: Run, tmp_path: Path) -> None:
    assert two("init", "other").code == 0
    done = two("bank", "merge", "bank.sqlite", "-w", "other")
    assert done.code == 0, done.err
    with Bank.open(tmp_path / "other" / "bank.sqlite") as bank:
        assert bank.datasets.find("there").critical == {"what": "end", "that": "end"}
    study = tmp_path / "own.toml"
    items, paradigm = (json.dumps(str(tmp_path / name)) for name in ("there.csv", "paradigms/wh.toml"))
    step = f'[[step]]\nsay = "Items."\n[step.import]\nfile = {items}\nparadigm = {paradigm}\ncritical = ["end"]\n'
    study.write_text(f'name = "own"\ntitle = "t"\npaper = "p"\nabout = "a"\n\n{step}', encoding="utf-8")
    done = two("study", "own.toml", "--model", "m", "--out", "done")
    assert "--critical end" in done.err + done.out
    with Bank.open(tmp_path / "done" / "bank.sqlite") as bank:
        assert bank.datasets.find("there").critical == {"what": "end", "that": "end"}


def test_a_paradigm_that_is_measured_elsewhere_is_another_only_there() -> None:
    paradigm = parse_paradigm(PARADIGM, path="wh.toml")
    own = paradigm.measured_in({"what": "end"})
    assert [c.critical for c in own.conditions] == ["end", "verb"]
    assert paradigm.measured_in({}) == paradigm
