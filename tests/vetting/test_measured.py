"""What was measured of rules stands beside them, and is what the kept verdicts say."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from gapsmith.bank import Severity
from gapsmith.templates import Paradigm, Sentence, Source, align
from gapsmith.templates.loading import parse_paradigm
from gapsmith.vetting.loose_items import loose_item
from gapsmith.vetting.rules import (
    PAIR_PRECISION_FILE,
    RULES,
    Linter,
    RuleSelection,
    load_knowledge,
    measurements_of,
    pair_precision_of,
)
from tests.conftest import CommandOutcome
from tests.printed import results
from tests.vetting.foreign_frames import drafted
from tools import published_pairs
from tools.published_pairs import INVENTED, REACH, READINGS, newest, precision_by_code

Run = Callable[..., CommandOutcome]


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_the_table_of_published_pairs_is_what_the_reader_said() -> None:
    readings = [_rows(path) for path in READINGS]
    assert [path.name for path in READINGS] == ["reading1.csv", "reading2.csv"]
    for reading in readings:
        assert {row["code"] for row in reading} <= {*RULES, INVENTED}
        assert all(row["true"] == "no" for row in reading if row["code"] == INVENTED)
    table = {row["code"]: (int(row["right"]), int(row["total"])) for row in _rows(PAIR_PRECISION_FILE)}
    assert table == precision_by_code(newest(readings))


def test_a_rule_that_is_right_too_seldom_in_what_it_still_says_of_published_pairs_only_remarks() -> None:
    paradigm = parse_paradigm(published_pairs._PAIRS)
    knowledge, asked = load_knowledge(), RuleSelection(("G",))
    remarks = set()
    for row in _rows(PAIR_PRECISION_FILE):
        today, right = int(row["total_today"]), int(row["right_today"])
        assert right <= today <= int(row["total"])
        if right < REACH * today:
            remarks.add(row["code"])
    assert remarks == {"G203", "G205", "G206", "L808", "L810"}
    pair = "The cook saw the the clerk.", "The cook saw the the clerks."
    assert ("G205", "info") in _said(paradigm, Linter(paradigm, knowledge), *pair)
    assert ("G205", "warning") in _said(paradigm, Linter(paradigm, knowledge, asked), *pair), "who asks for it has the warning"
    several = drafted(("a", "b", "c"))
    item = loose_item(several, tuple(Sentence(name, pair[0], None, Source.IMPORTED) for name in ("a", "b", "c")))
    found = Linter(several, knowledge).check(item)
    assert {f.severity for f in found if f.code == "G205"} == {Severity.WARNING}, "it was measured on pairs alone"
    assert Linter(paradigm, knowledge).ruleset != Linter(paradigm, knowledge, asked).ruleset


def test_the_reading_has_no_word_of_the_files() -> None:
    """Names of files and digests alone; the files are others'."""
    for row in (row for path in READINGS for row in _rows(path)):
        assert list(row) == ["set", "file", "pair", "code", "digest", "true", "matters"]
        assert not any(" " in value for value in row.values())


def _said(paradigm: Paradigm, linter: Linter, good: str, bad: str) -> list[tuple[str, str]]:
    texts = (("good", good), ("bad", bad))
    item = loose_item(paradigm, tuple(align(paradigm, name, text, {}, Source.IMPORTED) for name, text in texts))
    return [(finding.code, finding.severity.value) for finding in linter.check(item)]


@pytest.fixture(scope="module")
def said() -> Callable[[str, str], list[tuple[str, str]]]:
    """(code, severity) of what is said of a pair by the rules on pairs."""
    paradigm = parse_paradigm(published_pairs._PAIRS)
    linter = Linter(paradigm, load_knowledge())

    def ask(good: str, bad: str) -> list[tuple[str, str]]:
        return [(code, severity) for code, severity in _said(paradigm, linter, good, bad) if code.startswith("L8")]

    return ask


@pytest.mark.parametrize(
    ("good", "bad", "expected"),
    [
        # What a reader found of no matter is a remark, and what is as bad as before stays a warning.
        ("Why would Nora wanna travel?", "Who would Nora wanna travel?", ("L809", "info")),
        ("Why would Nora wanna thank?", "Who would Nora wanna thank?", ("L809", "error")),
        ("Can the cook who will hit the thief wait?", "Will the cook who hit the thief can wait?", ("L804", "info")),
        ("What can't the cook believe he found?", "What can't the cook believe who found?", ("L810", "info")),
        ("What did the cook think that Nora found?", "What did the cook think whether Nora found?", ("L810", "info")),
        ("Every dancer admires herself.", "Every dancer admires himself.", ("L802", "error")),
    ],
)
def test_rules_on_pairs_after_the_reading(
    said: Callable[[str, str], list[tuple[str, str]]], good: str, bad: str, expected: tuple[str, str]
) -> None:
    assert expected in said(good, bad)


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ("Guy thinks milk spoiled itself.", "Guy thinks milk spoiled himself."),
        ("Waters that rise have ruined themselves.", "Waters that rise have ruined itself."),
    ],
)
def test_a_second_clause_and_a_plural_like_a_name_are_left_alone(
    said: Callable[[str, str], list[tuple[str, str]]], good: str, bad: str
) -> None:
    assert ("L802", "error") not in said(good, bad)


def test_a_rule_says_how_often_it_was_right(gapsmith: Run) -> None:
    found = pair_precision_of("L802")
    assert found is not None
    assert str(found) == ("right in 97 of 100 warnings about published pairs that a blind reader judged")
    assert str(found) in " ".join(gapsmith("rule", "L802").out.split())
    remark = " ".join(gapsmith("rule", "L810").out.split())
    assert (
        "right in 82 of 100 warnings about published pairs that a blind reader judged: a remark where items are pairs" in remark
    )
    assert any("blind items" in line for line in measurements_of("L101"))
    assert measurements_of("T038") == ["not measured: no item that was judged blind had such a finding"]
    assert results(gapsmith("rule", "L802", "--json").out)[0]["measured"][0] == str(found)


def test_rules_of_the_workspace_are_explained(gapsmith: Run, tmp_path: Path) -> None:
    gapsmith("init", ".")
    (tmp_path / "lexicons").mkdir(exist_ok=True)
    rows = "code,role,list,property,when,severity,guess,message,remedy\nXMY001,verb,verbs,reciprocal,,info,,“{word}” is mutual,Take another.\n"
    (tmp_path / "lexicons" / "word_rules.csv").write_text(rows, encoding="utf-8")
    shown = gapsmith("rule", "xmy001").out
    assert "XMY001 Rule of the workspace (info)" in " ".join(shown.split())
    assert "verb with reciprocal in verbs" in shown
    assert "Take another." in shown
    assert "XMY001" in gapsmith("rule").out
    assert results(gapsmith("rule", "XMY001", "--json").out)[0]["severity"] == Severity.INFO.value
    assert gapsmith("rule", "XNO001").code != 0
