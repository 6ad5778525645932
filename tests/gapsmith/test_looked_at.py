"""Wherever it is said what the linter found in items, it is said beside it what it looked at: no door has "no faults" alone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import gapsmith as gapsmith_package
from gapsmith.bank import NOT_KEPT, Bank, ItemFilter, Look, Looked
from gapsmith.bank.log import read_log, write_log
from gapsmith.bank.looks import _KINDS
from gapsmith.bank.merging import merge
from gapsmith.scoring.analysis import analyze
from gapsmith.scoring.report import make_report, render_html, render_markdown
from gapsmith.templates import ROLES
from gapsmith.vetting import lint_bank
from gapsmith.vetting.review import Session
from gapsmith.vetting.rules import RULES, load_knowledge
from gapsmith.vetting.tui import ReviewApp
from gapsmith.vetting.tui.panels import FindingsPanel
from tests.conftest import CommandOutcome
from tests.printed import result
from tests.scoring.analysing import filled_bank
from tests.scoring.reporting import DAY, Page, effects

Run = Callable[..., CommandOutcome]
_READS = re.compile(r"findings\.(for_item|counts|iterate)\(|\bitems_with\(|\bn_clean\b|\bseverity=(Severity\.|severity\b)")
"""How a module comes by what the linter found in items."""
_NO_DOORS = {
    "app/audit_page.py": "its template shows it (`app/pages/audit.html.j2`)",
    "app/auditing.py": "tells a model's answers with and without faulty items, on the same page",
    "prompts/writer.py": "chooses words for a prompt",
    "prompts/yields.py": "counts; `app/stages/runs_told.py` tells both",
}
"""Modules that read findings and say nothing of items, and why."""


LOOK = Look(("verb",), (("L201", ("verb",)), ("L600", ("adverb",))))


def test_every_module_that_reads_findings_reads_what_was_looked_at() -> None:
    """A new door fails here until it shows both."""
    root = Path(gapsmith_package.__file__).parent
    silent = set()
    for room in ("app", "prompts", "scoring", "vetting"):
        for path in sorted((root / room).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            if _READS.search(text) and not re.search(r"\.looked\b|looked_at\(|findings\.look\(", text):
                silent.add(path.relative_to(root).as_posix())
    silent.discard("vetting/lint_run.py")  # makes them; its report has `looked`
    silent = {name for name in silent if not name.startswith("vetting/rules/")}  # they make them
    assert silent - {"vetting/foreign_lint.py"} == set(_NO_DOORS)
    assert "audit.looked.told" in (root / "app/pages/audit.html.j2").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def linted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bank with items that were scored and linted."""
    path = tmp_path_factory.mktemp("looked") / "bank.sqlite"
    with filled_bank(path, "subject_pg", 12, effects(-2.0, -3.0, 1.0, 4.0)) as bank:
        lint_bank(bank, ItemFilter(), knowledge=load_knowledge())
    return path


def test_what_was_looked_at_is_kept_with_each_item_and_goes_with_it(linted: Path, tmp_path: Path) -> None:
    with Bank.open(linted) as bank:
        looked = bank.findings.looked()
        assert looked.n_items == 12
        assert looked.roles["verb"] == 12
        assert "L201" not in looked.blind
        write_log(bank, tmp_path / "log.jsonl")
        first = bank.items.ids()[0]
        with Bank.open(tmp_path / "other.sqlite", create=True) as other:
            merge(other, read_log(tmp_path / "log.jsonl", other), "log")
            assert other.findings.looked().told == looked.told
        bank.findings.replace("subject_pg", {first: bank.findings.for_item(first)}, ruleset="another")
        assert bank.findings.look(first) is None, "what an earlier lint looked at says nothing of a later one"
        assert bank.findings.looked_at(first) == NOT_KEPT


def test_the_measurement_report_says_it(linted: Path) -> None:
    with Bank.open(linted) as bank:
        lint_bank(bank, ItemFilter(), knowledge=load_knowledge())
        told = bank.findings.looked().told
        assert told.startswith("looked at 12 items: matrix frames in 12")
        report = make_report([analyze(bank, "subject_pg")], made_on=DAY)
    assert told in Page(render_html(report)).text
    assert told in render_markdown(report)


@pytest.mark.parametrize("size", [(80, 20), (80, 24), (160, 50)])
async def test_the_review_says_it_at_every_size(linted: Path, size: tuple[int, int]) -> None:
    with Bank.open(linted) as bank:
        lint_bank(bank, ItemFilter(), knowledge=load_knowledge())
        item = bank.items.ids()[0]
        bank.findings.replace("subject_pg", {item: []}, ruleset="r", looks={item: LOOK})
        app = ReviewApp(Session(bank, "ann"))
        async with app.run_test(size=size):
            panel = app.screen.query_one(FindingsPanel)
            shown = " ".join(f"{panel.border_title} {panel._text.plain}".split())
            assert (LOOK.told if size[1] >= 40 else LOOK.short) in shown


def test_commands_say_it(gapsmith: Run, tmp_path: Path) -> None:
    (tmp_path / "two.csv").write_text("item,condition,sentence\n1,a,The key is old.\n1,b,The keys are old.\n", encoding="utf-8")
    for said in (gapsmith("audit", "two.csv").err, (tmp_path / "two.csv.audit.html").read_text(encoding="utf-8")):
        assert "on words apply to these items, the others to what none has" in " ".join(said.split())
    gapsmith("init", ".")
    gapsmith("generate", "subject_pg", "-n", "2", "--seed", "1")
    assert NOT_KEPT in gapsmith("show", "1").out
    assert "looked at 2 items: matrix frames in 2" in " ".join(gapsmith("lint").out.split())
    assert "rules on words looked at matrix frames" in gapsmith("show", "1").out


_FINDINGS_IN_JSON = re.compile(r'"severity": |"findings": (?!len)')
"""How a module puts findings into what ``--json`` prints."""
_RULES_ONLY = {"app/stages/what_there_is.py": "lists rules, and finds nothing"}


def test_every_json_door_names_the_rules_that_could_not_look(gapsmith: Run, tmp_path: Path) -> None:
    """A module that prints findings as data has a door here; one that is added fails until it says what was looked at."""
    root = Path(gapsmith_package.__file__).parent
    doors = {
        path.relative_to(root).as_posix()
        for room in ("app", "scoring")
        for path in (root / room).rglob("*.py")
        if "def as_data" in (text := path.read_text(encoding="utf-8")) and _FINDINGS_IN_JSON.search(text)
    }
    assert doors | {"app/stages/published.py"} == {"app/linted.py", "app/item_view.py", "app/stages/published.py", *_RULES_ONLY}
    (tmp_path / "two.csv").write_text("item,condition,sentence\n1,a,The key is old.\n1,b,The keys are old.\n", encoding="utf-8")
    audited = result(gapsmith("audit", "two.csv", "--json").out)["looked_at"]
    gapsmith("init", ".")
    gapsmith("generate", "lan_pg", "-n", "2", "--seed", "1")
    assert result(gapsmith("show", "1", "--json").out)["looked_at"] == {"said": NOT_KEPT}
    linted = json.loads(gapsmith("lint", "--json").out)["looked_at"]
    confounds = json.loads(gapsmith("lint", "--confounds", "--json").out)["looked_at"]
    shown = result(gapsmith("show", "1", "--json").out)["looked_at"]
    worth = result(gapsmith("runs", "show", "1", "--json").out)["looked_at"]
    for said in (audited, linted, confounds, shown, worth):
        assert said["said"].startswith("looked at ")
        assert said["could_not_look"]
        assert all(code in RULES and needs for code, needs in said["could_not_look"].items())
    assert linted["items"] == 2
    assert linted["rules"]["L201"] == 2
    assert linted["rules"]["G101"] == 0


def test_items_without_a_word_that_others_have_are_named() -> None:
    seen, other = Look(("noun", "verb"), (("L201", ("verb",)),)), Look(("noun",), (("L201", ("verb",)),))
    looked = Looked()
    for number in range(12):
        looked.add_item(other if number < 5 else seen, "mine", str(number))
    assert looked.told.endswith("; in most items verbs before gaps were found, in items 0, 1, 2, 3 and 1 more none")
    assert looked.as_data()["not_in"] == {"mine": {"verb": ["0", "1", "2", "3", "4"]}}
    assert "in most items" not in looked.nameless.told
    kinds = ("adverb", "noun", "name", "time", "verb")
    several = Looked()
    for number in range(3):
        several.add_item(Look(() if not number else kinds, (("L201", kinds),)), "mine", str(number))
    assert several.told.count("were found, in item 0 none") == 3
    assert several.told.endswith("; 2 more kinds of words are in most items and not in all")
    assert set(_KINDS) >= set(ROLES), "a role that is told by its name in the table alone"


def test_a_row_of_ones_own_that_could_not_look_is_named_with_its_role_and_the_items(gapsmith: Run, tmp_path: Path) -> None:
    """Pairs have no role `verb`: the row is not silent, and what they have is said beside it."""
    pairs = "item,condition,sentence\n1,good,The author laughs.\n1,bad,The author laugh.\n2,good,The boys wait.\n2,bad,The boys waits.\n"
    (tmp_path / "pairs.csv").write_text(pairs, encoding="utf-8")
    gapsmith("init", ".")
    (tmp_path / "lexicons").mkdir(exist_ok=True)
    rows = "code,role,list,property,when,severity,guess,message,remedy\nXMY001,verb,verbs,*,,info,,“{word}”,\n"
    (tmp_path / "lexicons" / "word_rules.csv").write_text(rows, encoding="utf-8")
    gapsmith("import", "pairs.csv")
    said = " ".join(gapsmith("lint").out.split())
    assert "XMY001 reads the role verb, which is not in items 1, 2 (there are controller, target, changed)" in said
    looked = json.loads(gapsmith("lint", "--json").out)["looked_at"]
    assert looked["own_rules_not_in"] == {"XMY001": {"minimal_pairs": ["1", "2"]}}
    assert "of your own not XMY001 (role verb)" in " ".join(gapsmith("show", "1").out.split())
    for told in (gapsmith("runs", "show", "1").out, gapsmith("decide", "--policy", "clean").err):
        assert "rules on words looked at 2 items: nouns that a verb agrees with in 2" in " ".join(told.split())


def test_items_that_were_seen_alike_are_counted_together() -> None:
    seen, unseen = Look(("verb",), (("L201", ("verb",)), ("L600", ("adverb",)))), Look((), (("L201", ("verb",)),), "no gap")
    looked = Looked()
    looked.add(seen, 3)
    looked.add(unseen)
    assert Look.of(seen.kept) == seen
    assert (looked.n_items, looked.rules["L201"], looked.blind) == (4, 3, ("L600",))
    assert looked.told.endswith(
        "1 of 2 rules on words applies to these items, the others to what none has: adverbs after gaps; the words of 1 item could not be told"
        " apart: no gap"
    )
    assert (seen.short, unseen.told) == (
        "1 of 2 rules on words looked",
        "looked at no words; 0 of 1 rules on words apply to it: no gap",
    )
