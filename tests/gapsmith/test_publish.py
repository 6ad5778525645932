"""`gapsmith publish`: one folder with all that others need, whole or not at all; what there is not is said, and nothing is made up."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Hashable, Iterator
from pathlib import Path

import pytest
import yaml

import gapsmith as api
from gapsmith.app.workspace import Workspace
from gapsmith.bank import ItemFilter
from gapsmith.templates.errors import ConfigError, GapsmithError
from gapsmith.vetting.agreement import RatingTable, cohen_kappa, pairwise_agreement
from gapsmith.vetting.agreement_pages import agreement_report
from tests.interface import expect_table


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """Six items, of which one is left out and one waits; the four approved ones are scored, after a plan was frozen."""
    with api.open_workspace(str(tmp_path_factory.mktemp("home") / "study"), create=True) as made:
        api.generate(made, "embedded_wh", n=6, seed=1)
        api.decide(made, "approve", ["1", "2", "3", "4"], by="ann")
        api.decide(made, "exclude", ["5"], by="ann", reason="unnatural")
        api.freeze_plan(made, "embedded_wh")
        api.score(made, "bundled")
        yield made


def test_the_folder_holds_the_items_the_decisions_the_plan_the_numbers_and_the_report(study: Workspace, tmp_path: Path) -> None:
    (tmp_path / "paper.bib").write_text("@article{miller, title = {Gaps}}\n", encoding="utf-8")
    made = api.publish(
        study,
        tmp_path / "set",
        title="Gaps: a set",
        creator=["Ada Miller"],
        license="cc-by-4.0",
        citation=tmp_path / "paper.bib",
    )
    out = tmp_path / "set"
    there = {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_file()}
    assert set(made.files) == there
    wanted = ("data.jsonl", "data.csv", "paradigm/embedded_wh.toml", "decisions.csv", "plan.json", "citation.bib", "CITATION.cff")
    assert {*wanted, "README.md", "report/report.html", "results/long.csv", "results/tests.csv", "results/items.csv"} <= there

    rows = [json.loads(line) for line in (out / "data.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len({row["item"] for row in rows}) == made.n_items == 4
    decisions = list(csv.DictReader((out / "decisions.csv").read_text(encoding="utf-8").splitlines()))
    assert {"approve", "exclude"} <= {value for row in decisions for value in row.values()}
    (plan,) = json.loads((out / "plan.json").read_text(encoding="utf-8"))
    assert plan["digest"] == api.list_plans(study)[0].digest
    tests = list(csv.DictReader((out / "results" / "tests.csv").read_text(encoding="utf-8").splitlines()))
    found = api.analyze(study)["W1"]
    assert float(next(row for row in tests if row["contrast"] == "W1")["estimate"]) == pytest.approx(found.estimate)

    again = api.load_paradigm(str(out / "paradigm" / "embedded_wh.toml"))
    assert again.form_digest == study.paradigm("embedded_wh").form_digest
    cited = yaml.safe_load((out / "CITATION.cff").read_text(encoding="utf-8"))
    assert (cited["title"], cited["authors"], cited["type"]) == ("Gaps: a set", [{"name": "Ada Miller"}], "dataset")
    card = (out / "README.md").read_text(encoding="utf-8")
    head = yaml.safe_load(card.split("---")[1])
    assert (head["license"], head["pretty_name"]) == ("cc-by-4.0", "Gaps: a set")
    assert made.headline in card
    assert "far too small for claims about language models" in card.partition("## Results")[2]
    assert "4 items were drawn from the word lists of the paradigm's file" in card
    assert "n 6, seed 1" in card.partition("## How it was made")[2]
    assert "| ann | 6 | 5 | 0 | 0 | 5 | 0 | – | no | 0 |" in card
    assert "who leads can see everybody's decisions from the beginning. Nobody adjudicated any item." in card
    expect_table("left-out.csv of publish", (out / "left-out.csv").read_text(encoding="utf-8"))
    left = list(csv.DictReader((out / "left-out.csv").read_text(encoding="utf-8").splitlines()))
    assert {(row["item"], row["status"], row["reason"]) for row in left} == {("5", "excluded", "unnatural"), ("6", "pending", "")}
    assert all(row["sentence"] for row in left)
    assert made.lacks == ()
    assert "What is not here" not in card


def test_every_file_has_its_digest_and_none_a_path_of_this_machine(study: Workspace, tmp_path: Path) -> None:
    api.publish(study, tmp_path / "set")
    out = tmp_path / "set"
    lines = (out / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    sums = {name: digest for digest, name in (line.split("  ", 1) for line in lines)}
    files = {path.relative_to(out).as_posix(): path.read_bytes() for path in out.rglob("*") if path.is_file()}
    own = files.pop("SHA256SUMS")
    # Without a title, what the set is called is the same in all that names it.
    assert yaml.safe_load((out / "README.md").read_text(encoding="utf-8").split("---")[1])["pretty_name"] == "embedded_wh"
    assert sums == {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    for content in (own, *files.values()):
        assert str(tmp_path).encode() not in content
        assert str(study.root).encode() not in content


def test_what_there_is_not_is_said_in_the_card_and_not_made_up(tmp_path: Path) -> None:
    with api.open_workspace(str(tmp_path / "study"), create=True) as study:
        api.generate(study, "embedded_wh", n=2, seed=1)
        with pytest.raises(GapsmithError, match="no item of embedded_wh is selected"):
            api.publish(study, tmp_path / "set")
        assert not (tmp_path / "set").exists()
        api.decide(study, "approve", ["1", "2"])
        made = api.publish(study, tmp_path / "set")
    card = (tmp_path / "set" / "README.md").read_text(encoding="utf-8")
    for lack in ("No plan was frozen", "No model has scored", "Nobody is named", "No licence is stated"):
        assert any(line.startswith(lack) for line in made.lacks), lack
        assert lack in card
    assert not {"CITATION.cff", "plan.json", "results/tests.csv", "report/report.html"} & set(made.files)


def test_a_folder_that_holds_something_stays_as_it_is(study: Workspace, tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(ConfigError, match="there is something already"):
        api.publish(study, tmp_path / "set")
    assert [path.name for path in tmp_path.iterdir()] == ["set"]
    assert [path.name for path in (tmp_path / "set").iterdir()] == ["mine.txt"]


def test_the_tables_have_the_tests_of_the_report(study: Workspace, tmp_path: Path) -> None:
    made = api.publish(study, tmp_path / "set", uncorrected=True)
    tests = (tmp_path / "set" / "results" / "tests.csv").read_text(encoding="utf-8").splitlines()
    page = (tmp_path / "set" / "report" / "report.md").read_text(encoding="utf-8")
    assert made.headline in page
    analysis = api.analyze(study, uncorrected=True)
    rows = [row for row in csv.DictReader(tests) if row["contrast"] in ("W1", "W2") and row["p"]]
    assert {row["model"] for row in rows} == {"bundled"}
    told = [analysis[name].p for name in ("W1", "W2")]
    found = [float(row["p"]) for row in rows]
    assert all(any(p == pytest.approx(own) for own in found) for p in told)
    assert all(f"{p:.4f}".lstrip("0") in page for p in told)


def test_whose_numbers_go_out_is_said_or_refused(tmp_path: Path) -> None:
    with api.open_workspace(str(tmp_path / "study"), create=True) as study:
        api.generate(study, "embedded_wh", n=4, seed=1)
        api.decide(study, "approve", ["1", "2", "3", "4"])
        api.score(study, "bundled")
        api.score(study, "bundled", bos=False)
        api.freeze_plan(study, "embedded_wh")
        with pytest.raises(ConfigError, match=r"2 scorers have measured these items: 1 \(bundled\), 2 \(bundled\)"):
            api.publish(study, tmp_path / "set")
        assert not (tmp_path / "set").exists()
        made = api.publish(study, tmp_path / "set", scorer=2)
        assert any("frozen after the first score" in line for line in made.lacks)
        with pytest.raises(GapsmithError, match="nobody has scored none"):
            api.publish(study, tmp_path / "other", model="nobody")
        with pytest.raises(GapsmithError):
            api.publish(study, tmp_path / "other", "subject_pg")
    assert not (tmp_path / "other").exists()


def test_the_file_that_items_were_made_with_goes_along_where_it_has_changed(tmp_path: Path) -> None:
    with api.open_workspace(str(tmp_path / "study"), create=True) as study:
        own = study.root / "paradigms" / "embedded_wh.toml"
        own.parent.mkdir(exist_ok=True)
        shipped = study.paradigm("embedded_wh").text
        own.write_text(shipped, encoding="utf-8")
        api.generate(study, "embedded_wh", n=2, seed=1)
        api.decide(study, "approve", ["1", "2"])
        title = next(line for line in shipped.splitlines() if line.startswith("title ="))
        own.write_text(shipped.replace(title, 'title = "Another title"'), encoding="utf-8")
        made = api.publish(study, tmp_path / "set")
    files = [name for name in made.files if name.startswith("paradigm/")]
    texts = [(tmp_path / "set" / name).read_text(encoding="utf-8") for name in files]
    assert sorted(title in text for text in texts) == [False, True], files


def test_the_card_says_who_read_what_who_has_not_locked_and_how_far_they_agree(tmp_path: Path) -> None:
    with api.open_workspace(str(tmp_path / "study"), create=True) as study:
        api.generate(study, "embedded_wh", n=6, seed=1)
        everybody = dict.fromkeys(study.bank.items.ids(ItemFilter()), ("ann", "ben", "cy"))
        study.bank.assignments.assign(everybody, by=study.bank.reader)
        for name in ("ann", "ben"):
            api.decide(study, "approve", ["1", "2", "3", "4"], by=name)
        api.decide(study, "exclude", ["5"], by="ann", reason="unnatural")
        lead = study.bank.reader
        api.decide(study, "approve", ["6"], by=lead, early=True)
        made = api.publish(study, tmp_path / "set")
    rows = list(csv.DictReader((tmp_path / "set" / "shares.csv").read_text(encoding="utf-8").splitlines()))
    states = {(row["item"], row["reader"]): row["state"] for row in rows}
    assert len(rows) == len(states) == 18
    assert (states["5", "ann"], states["5", "ben"], states["6", "cy"]) == ("decided", "unread", "settled")
    early = (
        "1 item was adjudicated before everybody had locked (ann, ben and cy had not): 6."
        " 1 of them before all readers had read them: 6 (ann, ben and cy)."
    )
    card = (tmp_path / "set" / "README.md").read_text(encoding="utf-8")
    assert card.count(early) == 1
    assert tuple(line for line in card.splitlines() if line.startswith(("| ann", "| cy"))) == (
        "| ann | 6 | 5 | 1 | 0 | 5 | 0 | – | no | 0 |",
        "| cy | 6 | 0 | 1 | 0 | 0 | 0 | – | no | 0 |",
    )
    assert "4 by two or more, all alike, 1 by one only" in card
    assert (
        f"{lead} leads the bank: who leads can see everybody's decisions from the beginning. Adjudicated: 1 item by {lead}."
        in card
    )
    assert "ann and ben: 4 of 4 = 1.00" in card
    (lack,) = [own for own in made.lacks if "cy has 5 of 6 items left and has not locked" in own]
    # Once, and as every other door says it.
    assert card.count("cy has 5 of 6 items left") == 1
    assert lack in card.partition("## What is not here")[2]


def test_what_was_changed_after_the_lock_goes_out_with_what_stood_before(tmp_path: Path) -> None:
    with api.open_workspace(str(tmp_path / "study"), create=True) as study:
        api.generate(study, "embedded_wh", n=3, seed=1)
        for name in ("ann", "ben"):
            api.decide(study, "approve", ["1", "2"], by=name)
        api.decide(study, "flag", ["2"], by="ann")
        for name in ("ben", "ann"):
            api.decide(study, "approve", ["3"], by=name)
        for locked in (True, False):
            study.bank.review.lock("ann", paradigm=None, dataset=None, locked=locked)
        study.bank.decisions.undo("ann")
        api.decide(study, "approve", ["2"], by="ann")
        part = agreement_report(study.bank).parts[0]
        api.freeze_plan(study, "embedded_wh", items=4)
        api.score(study, "bundled")
        api.publish(study, tmp_path / "set")
    contested = "1 item was disputed until ann, who could see the others' decisions by then, decided otherwise: 2."
    changed = "changed 2 labels: item 2 from flag to approve, item 3 from approve to nothing. Agreement counts what stood before."
    card = (tmp_path / "set" / "README.md").read_text(encoding="utf-8")
    report = (tmp_path / "set" / "report" / "report.md").read_text(encoding="utf-8")
    for text in (card, report):
        assert contested in text
        assert changed in text
        assert "ann and ben: 2 of 3 = 0.67" in text
        assert "1 alike only after a look or a lock" in text
    rows = list(csv.DictReader((tmp_path / "set" / "decisions.csv").read_text(encoding="utf-8").splitlines()))
    own = {(row["item"], row["author"]): (row["decision"], row["opened"], row["blind"], row["said_blind"]) for row in rows}
    assert own["2", "ann"] == ("approve", "no", "no", "flag")
    assert own["2", "ben"] == ("approve", "no", "yes", "")
    assert own["3", "ann"] == ("", "", "no", "approve")
    # All that agreement counts is in the table.
    said = {key: decision if blind == "yes" else before.partition(" ")[0] for key, (decision, _, blind, before) in own.items()}
    units: dict[Hashable, dict[str, str]] = {
        item: {name: said[item, name] for name in ("ann", "ben")} for item in ("1", "2", "3")
    }
    ((first, second, raw, kappa),) = part.pairs
    again = RatingTable(units)
    assert (raw, kappa) == (pairwise_agreement(again, first, second), cohen_kappa(again, first, second))
    section = report.partition("\n## ")[2].partition("\n## ")[2]
    assert (
        section.index("- Planned: ") < section.index("Not as planned: 3 items; planned: 4.") < section.index("### What was asked")
    )
    assert report.count("Not as planned: 3 items; planned: 4.") == 1
