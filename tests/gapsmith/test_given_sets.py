"""Sets whose sentences are given, through the commands: checking their paradigms, linting, showing; and paradigm files that
are broken."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gapsmith.app.paradigm_check import check_paradigm
from gapsmith.bank import Bank, ItemFilter, NewItem
from gapsmith.templates import Paradigm, RegionSpan, Sentence, Source, load_paradigm, parse_paradigm
from gapsmith.templates.model import Alignment
from gapsmith.vetting.lint_run import fix_bank, lint_bank
from gapsmith.vetting.rules import load_knowledge
from tests.printed import result, results
from tests.scoring.analysing import add_items

Run = Callable[..., Any]

SUITE = """
name = "suite"
title = "A suite"
items = "given"
final_punctuation = ""
[conditions]
wh = "what, gap"
that = "that, gap"
[[regions]]
name = "comp"
when = { wh = "what", that = "that" }
[[regions]]
name = "gap"
role = "gap"
[[regions]]
name = "end"
[critical]
wh = "end"
that = "end"
[designs.all]
conditions = "all"
[[criteria]]
name = "c"
formula = "wh < that"
design = "all"
"""


def _sentence(condition: str, comp: str, end: str, text: str | None = None) -> Sentence:
    made = text or f"{comp} {end}"
    start = made.index(comp)
    last = made.index(end)
    spans = (
        RegionSpan("comp", start, start + len(comp)),
        RegionSpan("gap", start + len(comp), start + len(comp)),
        RegionSpan("end", last, last + len(end)),
    )
    return Sentence(condition, made, spans, Source.IMPORTED, Alignment.GIVEN)


@pytest.fixture
def paradigm() -> Paradigm:
    return parse_paradigm(SUITE)


def _bank(tmp_path: Path, paradigm: Paradigm, *items: tuple[Sentence, ...]) -> Bank:
    bank = Bank.open(tmp_path / "bank.sqlite", create=True)
    add_items(bank, paradigm, [NewItem(None, sentences, label=str(n)) for n, sentences in enumerate(items)])
    return bank


def _codes(bank: Bank) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for entry in lint_bank(bank, ItemFilter(), knowledge=load_knowledge()).findings:
        if entry.stored.label is not None:
            found.setdefault(entry.stored.label, []).append(entry.stored.finding.code)
    return found


def test_given_sentences_are_linted_by_the_rules_that_need_no_slots(tmp_path: Path, paradigm: Paradigm) -> None:
    sound = (_sentence("wh", "What", "he saw, too."), _sentence("that", "That", "he saw, too."))
    missing = (_sentence("wh", "What", "she met."),)
    same = (_sentence("wh", "What", "they read."), _sentence("that", "What", "they read."))
    typography = (_sentence("wh", "What", "he  ate."), _sentence("that", "that", "he ate"))
    with _bank(tmp_path, paradigm, sound, missing, same, typography) as bank:
        found = _codes(bank)
    assert "0" not in found
    assert found["1"] == ["T001"]
    assert sorted(found["2"]) == ["T005", "T010"]
    assert sorted(found["3"]) == ["T030", "T031", "T032"]


def test_words_in_a_region_that_the_paradigm_says_are_held_against_it(tmp_path: Path, paradigm: Paradigm) -> None:
    with _bank(tmp_path, paradigm, (_sentence("wh", "Whether", "he saw."), _sentence("that", "That", "he saw."))) as bank:
        report = lint_bank(bank, ItemFilter(), knowledge=load_knowledge())
    (finding,) = [entry.stored.finding for entry in report.findings if entry.stored.label == "0"]
    assert finding.code == "T010"
    assert finding.message == "what, gap has 'Whether' in the region comp, where the paradigm says 'what'"


def test_repairs_take_given_regions_along(tmp_path: Path, paradigm: Paradigm) -> None:
    first = _sentence("wh", "what", "he  saw.", " what he  saw.")
    with _bank(tmp_path, paradigm, (first, _sentence("that", "That", "he saw."))) as bank:
        assert [changed for _, changed in fix_bank(bank, ItemFilter())] == [1]
        (item,) = bank.items.iterate(ItemFilter())
    sentence = item.sentences[0]
    assert sentence.text == "What he saw."
    assert sentence.how is Alignment.CARRIED
    assert [(s.name, sentence.text[s.start : s.end]) for s in sentence.regions or ()] == [
        ("comp", "What"),
        ("gap", ""),
        ("end", "he saw."),
    ]


def test_the_check_of_a_given_paradigm_says_what_it_says_and_passes(tmp_path: Path) -> None:
    (tmp_path / "suite.toml").write_text(SUITE, encoding="utf-8")
    results = check_paradigm(load_paradigm(str(tmp_path / "suite.toml")))
    assert all(result.ok for result in results)
    details = [result.detail for result in results]
    assert details[0] == "2 conditions, 3 regions, 1 design, 0 contrasts, 1 criterion"
    assert "`gapsmith import FILE --paradigm suite` brings them" in details[1]
    assert details[3:] == ["wh at end, that at end", "c"]


def test_the_check_asks_the_template_rules_about_items_made_from_the_words() -> None:
    sound = load_paradigm("embedded_wh")
    assert all(result.ok for result in check_paradigm(sound))
    marked = sound.text.replace("[[regions]]", '[[regions]]\nname = "mark"\ntext = "GAP1"\n\n[[regions]]', 1)
    broken = parse_paradigm(marked, path=sound.path)
    (rules,) = [result for result in check_paradigm(broken) if "template rules" in result.what]
    assert not rules.ok
    assert rules.detail.startswith("T0")


@pytest.mark.parametrize("as_json", [False, True])
def test_a_broken_paradigm_file_does_not_hide_the_others(tmp_path: Path, gapsmith: Run, as_json: bool) -> None:
    assert gapsmith("init").code == 0
    folder = tmp_path / "paradigms"
    folder.mkdir(exist_ok=True)
    (folder / "broken.toml").write_text(SUITE.replace("[designs.all]", "[design.all]"), encoding="utf-8")
    (folder / "fine.toml").write_text(SUITE.replace('"suite"', '"fine"'), encoding="utf-8")
    done = gapsmith("paradigm", "list", *(["--json"] if as_json else []))
    assert done.code == 2
    if as_json:
        listed = {entry["name"]: entry for entry in results(done.out)}
        assert {"broken", "fine", "subject_pg"} <= set(listed)
        assert "has no key `design`" in listed["broken"]["error"]
        assert listed["fine"]["given"] is True
        return
    assert all(name in done.out for name in ("fine", "subject_pg", "broken"))
    assert "broken.toml" in done.err
    assert "Did you mean designs?" in done.err
    (folder / "broken.toml").unlink()
    assert gapsmith("paradigm", "list").code == 0


def test_a_paradigm_is_called_by_the_name_in_its_file_and_two_files_cannot_share_one(tmp_path: Path, gapsmith: Run) -> None:
    assert gapsmith("init").code == 0
    folder = tmp_path / "paradigms"
    folder.mkdir(exist_ok=True)
    (folder / "good.toml").write_text(SUITE, encoding="utf-8")
    assert "suite" in [entry["name"] for entry in results(gapsmith("paradigm", "list", "--json").out)]
    for name in ("suite", "good"):
        assert gapsmith("paradigm", "show", name).code == 0
        assert "good.toml" in gapsmith("paradigm", "check", name).out
    (folder / "copy.toml").write_text(SUITE, encoding="utf-8")
    for arguments in (("check", "suite"), ("show", "good"), ("list",)):
        refused = gapsmith("paradigm", *arguments)
        assert refused.code == 2
        assert f"{folder / 'copy.toml'} and {folder / 'good.toml'} have the same name inside, 'suite'" in refused.err


def test_showing_one_and_generating_from_it(tmp_path: Path, gapsmith: Run) -> None:
    assert gapsmith("init").code == 0
    (tmp_path / "suite.toml").write_text(SUITE, encoding="utf-8")
    shown = gapsmith("paradigm", "show", "suite.toml").out
    assert "their sentences come from files" in shown
    assert "c         wh < that" in shown
    data = result(gapsmith("paradigm", "show", "suite.toml", "--json").out)
    assert data["given"] is True
    assert [c["formula"] for c in data["criteria"]] == ["wh < that"]
    assert data["conditions"][0] == {
        "name": "wh",
        "label": "what, gap",
        "status": None,
        "critical": "end",
        "example": None,
    }
    refused = gapsmith("generate", "suite.toml", "-n", 3)
    assert refused.code == 2
    assert "has no words to make sentences from" in refused.err


PAIRS = """{"sentence_good": "The cats sleep.", "sentence_bad": "The cats sleeps.", "UID": "u", "pairID": "0"}
{"sentence_good": "The dog barks.", "sentence_bad": "The dog bark.", "UID": "u", "pairID": "1"}
{"sentence_good": "Girls who know the boy smile.", "sentence_bad": "Girls smiles.", "UID": "u", "pairID": "2"}
"""


def _rows(out: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(out)))


def test_tests_and_items_go_out_as_the_analysis_has_them(tmp_path: Path, gapsmith: Run) -> None:
    """Each criterion by its own measure, and a row for an item that has no value, with the reason."""
    (tmp_path / "pairs.jsonl").write_text(PAIRS, encoding="utf-8")
    assert gapsmith("import", "pairs.jsonl").code == 0
    assert gapsmith("score", "--model", "bundled", "--all").code == 0
    (analysis,) = results(gapsmith("analyze", "--all", "--json").out)
    shares = {own["name"]: own["share"]["estimate"] for own in analysis["criteria"]}
    assert shares["preferred"] != shares["preferred_by_perplexity"], "longer is dearer, and no less usual by the word"
    tests = {row["contrast"]: float(row["estimate"]) for row in _rows(gapsmith("export", "tests", "--all").out)}
    assert tests == pytest.approx(shares)
    holds: dict[str, list[bool]] = {}
    for row in _rows(gapsmith("export", "items", "--all").out):
        holds.setdefault(row["contrast"], []).append(row["as_expected"] in {"1", "True", "true"})
    assert {name: sum(own) / len(own) for name, own in holds.items()} == pytest.approx(shares)
    asked = _rows(gapsmith("export", "tests", "--all", "--measure", "sum").out)
    assert {float(row["estimate"]) for row in asked} == {shares["preferred"]}
    both = gapsmith("export", "tests", "--all", "--measure", "sum", "--measure", "mean")
    assert (both.code, "several measures" in both.err) == (2, True)
    for arguments in (("export", "r", "--all", "-o", "folder"), ("analyze", "--all", "--formula", "auto")):
        nothing = gapsmith(*arguments)
        assert (nothing.code, "[critical]" in nothing.err, "Traceback" in nothing.err) == (2, True, False), nothing.err


def test_an_item_without_a_value_goes_out_with_the_reason(tmp_path: Path, gapsmith: Run) -> None:
    (tmp_path / "paradigms").mkdir()
    (tmp_path / "paradigms" / "suite.toml").write_text(SUITE, encoding="utf-8")
    assert gapsmith("init", ".").code == 0
    paradigm = parse_paradigm(SUITE)
    whole = (_sentence("wh", "who", "left", "who left"), _sentence("that", "that", "left", "that left"))
    with Bank.open(tmp_path / "bank.sqlite") as bank:
        add_items(bank, paradigm, [NewItem({}, whole), NewItem({}, whole[:1])], identity="two")
    assert gapsmith("score", "--model", "bundled", "--all").code == 0
    one, two = _rows(gapsmith("export", "items", "--all").out)
    assert (one["item"], one["reason"], bool(one["as_expected"])) == ("1", "", True)
    assert (two["item"], two["as_expected"]) == ("2", "")
    assert "the item has no sentence in this condition" in two["reason"]
