"""Parts of a report: each data set that is named has its own; a formula that does not fit one paradigm spoils no other."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

import gapsmith as api
from tests.conftest import CommandOutcome
from tests.printed import results

Run = Callable[..., CommandOutcome]
FORMULA = "surprisal ~ filler*gap + (1|item)"
"""lan_pg has the factor filler, embwhq has none of that name."""


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three data sets of one paradigm, and one of another."""
    place = tmp_path_factory.mktemp("parts")
    with api.open_workspace(place, create=True) as study:
        for seed, (paradigm, dataset) in enumerate(
            [("lan_pg", "set A"), ("lan_pg", "B"), ("lan_pg", "C"), ("embwhq", "B")], start=1
        ):
            with warnings.catch_warnings():
                # Few items are enough here.
                warnings.simplefilter("ignore", UserWarning)
                api.generate(study, paradigm, 4, seed=seed, dataset=dataset)
        api.score(study, "bundled", everything=True, device="cpu")
    return place


def broken_links(folder: Path) -> list[str]:
    """What leads nowhere, and ids that a page has twice."""
    found = []
    for page in folder.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        ids = re.findall(r'id="([^"]+)"', text)
        found += [f"{page.name}: {own} twice" for own in set(ids) if ids.count(own) > 1]
        for link in re.findall(r'href="([^"]+)"', text):
            path, _, anchor = link.partition("#")
            there = page.parent / path if path else page
            if not there.exists() or (anchor and f'id="{anchor}"' not in there.read_text(encoding="utf-8")):
                found.append(f"{page.name}: {link}")
    return found


def test_each_data_set_that_is_named_has_its_own_part(gapsmith: Run, scored: Path, tmp_path: Path) -> None:
    done = gapsmith("report", "--all", "-d", "set A", "-d", "B", "-o", "rep", "-w", scored)
    assert done.code == 0, done.err
    text = (tmp_path / "rep" / "report.md").read_text(encoding="utf-8")
    grammar, object_gap = (api.load_paradigm(name).title for name in ("lan_pg", "embwhq"))
    assert [line.removeprefix("## ") for line in text.splitlines() if ", data set" in line and line.startswith("## ")] == [
        f"{grammar}, data set set A",
        f"{grammar}, data set B",
        f"{object_gap}, data set B",
    ]
    assert "pooled" not in text
    assert "2 paradigms, 12 items" in text
    assert broken_links(tmp_path / "rep") == []
    # What the part says is what the data set alone comes to.
    (alone,) = results(gapsmith("analyze", "--all", "-d", "set A", "-p", "lan_pg", "--json", "-w", scored).out)
    both = gapsmith("analyze", "--all", "-d", "set A", "-d", "B", "-p", "lan_pg", "-w", scored).out
    for contrast in alone["contrasts"]:
        shown = f"{abs(contrast['ttest']['estimate']):.2f}"
        assert shown in text
        assert shown in both


@pytest.mark.full
def test_a_formula_that_does_not_fit_one_paradigm_leaves_the_others(gapsmith: Run, scored: Path, tmp_path: Path) -> None:
    done = gapsmith("report", "--all", "-d", "B", "--formula", FORMULA, "-o", "rep", "-w", scored)
    assert done.code == 0, done.err
    assert "embwhq has no mixed model:" in done.err
    text = (tmp_path / "rep" / "report.md").read_text(encoding="utf-8")
    assert "not fitted, because" in text
    assert "no column 'filler'" in text
    assert "filler\\[pf\\]:gap\\[pg\\]" in text
    analysed = gapsmith("analyze", "--all", "-d", "B", "--formula", FORMULA, "-w", scored)
    assert (analysed.code, "filler[pf]:gap[pg]" in analysed.out, "no column 'filler'" in analysed.out) == (0, True, True)
    none = gapsmith("report", "--all", "-d", "B", "--formula", "surprisal ~ nosuch + (1|item)", "-o", "none", "-w", scored)
    assert (none.code, "no column 'nosuch'" in none.err) == (2, True)
    assert not (tmp_path / "none").exists()
