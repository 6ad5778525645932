"""Every statistic is on a page, and every page says the four things."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

import gapsmith.stats

PAGES = Path(__file__).parents[2] / "docs" / "statistics"
NOT_STATISTICS = {"check_alternative", "parse_formula", "without_fit"}


@pytest.mark.parametrize("page", sorted(PAGES.glob("[!R]*.md")), ids=lambda page: page.stem)
def test_a_page_has_what_is_computed_assumptions_missing_values_and_source(page: Path) -> None:
    headings = re.findall(r"^## (.+)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert len(headings) > 3
    assert headings[-3:] == ["Assumptions", "Missing values", "Source"]
    assert f"]({page.name})" in (PAGES / "README.md").read_text(encoding="utf-8")


def test_every_statistic_is_in_the_list() -> None:
    functions = {name for name in dir(gapsmith.stats) if inspect.isfunction(getattr(gapsmith.stats, name))} - NOT_STATISTICS
    assert functions <= set(re.findall(r"`(\w+)`", (PAGES / "README.md").read_text(encoding="utf-8")))
