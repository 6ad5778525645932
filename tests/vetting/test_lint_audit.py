"""The linter measured on items whose flaws are known."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gapsmith.cli.app import app
from templates import FormatError
from tools.build_gold import COLUMNS, GOLD, build
from vetting.audit import Audit, audit, read_gold, shipped_gold
from vetting.rules import RULES, load_knowledge


@pytest.fixture(scope="module")
def shipped() -> Audit:
    """The audit of the shipped gold set."""
    return audit(read_gold(shipped_gold()), load_knowledge())


def test_the_gold_set_is_what_its_script_builds() -> None:
    """Nobody has edited the file by hand."""
    assert GOLD.read_text(encoding="utf-8") == build()


def test_the_gold_set_is_large_and_varied() -> None:
    """At least 300 items, a good third of them sound, and 30 kinds of flaws, each under a code that exists."""
    items = read_gold(shipped_gold())
    flawed = [item for item in items if item.expected]
    assert len(items) >= 300
    assert len(items) - len(flawed) >= 150
    assert len({item.flaw for item in flawed}) >= 30
    assert {code for item in flawed for code in (*item.expected, *item.also)} <= set(RULES)


def test_mechanics_are_all_found(shipped: Audit) -> None:
    """Every planted flaw of family T."""
    found, planted = shipped.recall("T", known=True)
    assert found == planted >= 40


def test_lexical_flaws_with_known_words(shipped: Audit) -> None:
    """98 % of them at the least."""
    found, planted = shipped.recall("L", known=True)
    assert planted >= 150
    assert found / planted >= 0.98


def test_sound_items_are_left_alone(shipped: Audit) -> None:
    """An error or a warning on 2 % of them at the most."""
    assert shipped.n_clean >= 150
    assert len(shipped.false_alarms) / shipped.n_clean <= 0.02


def test_an_unknown_word_is_called_unknown(shipped: Audit) -> None:
    """With the flawed word taken out of the lists the flaw is rarely found, but nearly always the word is questioned."""
    assert shipped.hidden_found < shipped.hidden_planted
    assert shipped.hidden_found + shipped.hidden_questioned >= 0.95 * shipped.hidden_planted


def _gold(path: Path, *items: tuple[str, str, str]) -> Path:
    """A gold file of two-by-two items given as (verb, expected, word)."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for number, (verb, expected, word) in enumerate(items, 1):
            for label, text in {
                "PFPG": f"I know who the story about is likely to {verb} soon.",
                "MFPG": f"I know that the story about Maria is likely to {verb} soon.",
                "PFMG": f"I know who the story about is likely to {verb} Anna soon.",
                "MFMG": f"I know that the story about Maria is likely to {verb} Anna soon.",
            }.items():
                writer.writerow(
                    ("subject_pg", number, "lan2x2", label, text, expected, "a flaw" if expected else "", word, "")
                )
    return path


def test_what_is_counted(tmp_path: Path) -> None:
    """Found, missed, known, unknown, and a false alarm, each once."""
    path = _gold(
        tmp_path / "gold.csv",
        ("win", "L201", "win"),
        ("zorch", "L201", "zorch"),
        ("stun", "L203", "stun"),
        ("eat", "", ""),
    )
    result = audit(read_gold(path), load_knowledge())
    assert result.recall("L201", known=True) == (1, 1)
    assert result.recall("L201", known=False) == (0, 1)
    assert [item.word for item, _ in result.missed] == ["zorch", "stun"]
    assert [item.label for item, _ in result.false_alarms] == ["4"]
    entry = result.codes["L201"]
    assert (entry.right, entry.wrong, entry.precision) == (1, 1, 0.5)


def test_the_command_prints_the_same_numbers(tmp_path: Path) -> None:
    """As text and as JSON, for a file of the user's own; it needs no workspace."""
    path = _gold(tmp_path / "gold.csv", ("win", "L201", "win"), ("eat", "", ""))
    result = CliRunner().invoke(app, ["lint", "--audit", str(path), "--json"])
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    assert data["codes"]["L201"]["found_known"] == 1
    assert data["false_alarms"] == [{"item": "2", "codes": ["L201"]}]
    text = CliRunner().invoke(app, ["lint", "--audit", str(path)]).stdout
    assert "sound items with an error or a warning: 1/1" in text


@pytest.mark.parametrize(
    ("content", "said"),
    [("item_id,condition\n1,PFPG\n", "sentence_type"), (None, "no such file")],
)
def test_a_file_that_is_no_gold_set(tmp_path: Path, content: str | None, said: str) -> None:
    """The missing column, or the missing file, is named."""
    path = tmp_path / "gold.csv"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    with pytest.raises(FormatError, match=said):
        read_gold(path)
