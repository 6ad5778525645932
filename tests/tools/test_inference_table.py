"""The table of the simulation on the page about words that repeat."""

from __future__ import annotations

import pytest

from tools.inference_table import PAGE, rows, section

CELL = {"sets": 1000, "tested": 800, "wider": 0, "items": 190, "wrong": 40, "found": 600, "held": 0}


def test_the_page_has_what_the_file_has() -> None:
    assert section() in PAGE.read_text(encoding="utf-8"), "python -m tools.inference_table writes the page's table anew"


def test_a_row_has_the_worst_rates_of_the_sets_in_which_a_line_is_there() -> None:
    """.05 of the 800 sets that were tested, Wilson's interval up to .067; without line 2 there is nothing to hold."""
    titles = ("lan_pg in parts all none", "subject_pg 12 .10 in preposition", "subject_pg 200 none", "five adverbs 20 none")
    better = {"wrong": 8, "found": 700, "items": 50}
    cells = dict.fromkeys(titles, CELL) | {"lan_pg in parts all as measured": {**CELL, **better}}
    head, _, *lines = rows(cells)
    assert head.count("|") == lines[0].count("|") == 6
    assert [line.split(" | ")[0] for line in lines] == [
        "| 12 of `subject_pg`",
        "| 200 of `subject_pg`",
        "| 20 of `subject_pg`, five adverbs alone",
        "| `lan_pg`, all 8,064, `np` in parts",
    ]
    assert lines[-1] == "| `lan_pg`, all 8,064, `np` in parts | .190 | .050 (.067) | – | .75 |"
    (held,) = list(rows({"subject_pg 12 none": {**CELL, "wider": 900, "held": 855}, "subject_pg 12 as measured": CELL}))[2:]
    assert " | .950 (.934) | " in held


def test_a_cell_of_another_design_is_refused() -> None:
    with pytest.raises(ValueError, match="does not know: other 12 none"):
        list(rows({"other 12 none": CELL}))
