"""Effects of studies as results: the file that they are read back from, and one table for all doors."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gapsmith.scoring.report import (
    effect_number,
    effect_value,
    markdown_table,
    read_effects,
    render_text,
    results_table,
    shown_effects,
)
from gapsmith.scoring.report.effect_tables import EFFECTS_FILE, write_effects
from gapsmith.scoring.report.latex import latex_table
from gapsmith.stats import Restriction, Result
from gapsmith.templates import FormatError

NUMBERS = st.none() | st.floats(-40, 40)
RESULTS = st.builds(
    Result,
    test=st.just("t test over suites"),
    contrast=st.text(min_size=1, max_size=8),
    estimate=NUMBERS,
    ci=st.none() | st.tuples(st.floats(-40, 0), st.floats(0, 40)),
    p=st.none() | st.floats(0, 1),
    n=st.integers(0, 9),
    n_given=st.none() | st.integers(0, 99),
    unit=st.sampled_from(("share", "r", "bits", "")),
    assumes=st.sampled_from(((), ("suites are independent",))),
    restrictions=st.lists(
        st.builds(Restriction, st.just("unscored"), st.integers(5, 9), st.integers(1, 5), st.text()), max_size=2
    ).map(tuple),
    undefined=st.none() | st.text(min_size=1, max_size=8),
    details=st.fixed_dictionaries({"title": st.text(max_size=8)}, optional={"shown": st.just("p")}),
)


@given(st.lists(RESULTS, max_size=4, unique_by=lambda own: own.contrast))
def test_effects_come_back_as_they_were_written(tmp_path_factory: pytest.TempPathFactory, effects: list[Result]) -> None:
    folder = tmp_path_factory.mktemp("effects")
    write_effects(folder, effects, model="tiny")
    assert list(read_effects(folder).values()) == effects
    assert list(read_effects(folder)) == [own.contrast for own in effects]
    assert json.loads((folder / EFFECTS_FILE).read_text(encoding="utf-8"))["model"] == "tiny"


@pytest.mark.parametrize("text", ["", "[]", '{"effects": [{"name": "x", "what": "x", "value": 1.0, "kind": "points"}]}'])
def test_a_file_of_another_kind_or_release_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / EFFECTS_FILE).write_text(text, encoding="utf-8")
    with pytest.raises(FormatError, match=r"does not hold a study.s effects"):
        read_effects(tmp_path)


RESTRICTED = (Restriction("unscored", 12, 4, "left out: the sentence has not been scored"),)
EFFECTS = (
    Result(
        test="t test over suites",
        contrast="delta unrelated",
        estimate=0.125,
        ci=(-0.5, 0.75),
        p=0.02,
        n=3,
        n_given=8,
        unit="share",
        restrictions=RESTRICTED,
        details={"title": "change behind unrelated (points)"},
    ),
    Result(
        test="z", contrast="p length", estimate=1.5, p=0.0412, n=8, unit="log-odds", details={"title": "length, p", "shown": "p"}
    ),
    Result(
        test="z", contrast="p other", n=0, undefined="not drawn", unit="log-odds", details={"title": "other, p", "shown": "p"}
    ),
    Result(
        test="Pearson correlation", contrast="r baseline", estimate=-0.25, p=0.5, n=9, unit="r", details={"title": "baseline, r"}
    ),
)


def test_an_effect_is_shown_as_what_it_is_about_wherever_it_is_shown() -> None:
    assert [effect_value(own) for own in EFFECTS] == ["+12.5", ".0412", "none (not drawn)", "-0.25"]
    assert [effect_number(own) for own in EFFECTS] == [0.125, 0.0412, None, -0.25]
    table = shown_effects("Effects", EFFECTS)
    assert table.rows[0] == ("change behind unrelated (points)", "+12.5", "[-50.0, +75.0]", ".0200", "3")
    assert table.rows[1] == ("length, p", ".0412", "", "", "8")
    said = "8 of 12 items: left out: the sentence has not been scored"
    assert "+12.5" in render_text(table)
    for shown in (markdown_table(table), latex_table(table)):
        assert "12.5" in shown
        assert said in " ".join(shown.replace("\\", "").split())
    found = results_table("Effects", EFFECTS)
    rows = list(csv.DictReader(io.StringIO(found.as_csv())))
    assert [(row["contrast"], row["unit"]) for row in rows] == [(own.contrast, own.unit) for own in EFFECTS]
    assert rows[0]["restriction"] == said
    for shown in (found.as_markdown(), found.as_latex(), found.as_pandas().to_html()):
        assert "delta unrelated" in shown
