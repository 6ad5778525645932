"""Every statistic has a page, and every page says the four things."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

import gapsmith.stats

PAGES = Path(__file__).parents[2] / "docs" / "statistics"
NOT_STATISTICS = {"check_alternative", "without_fit"}


def called(page: Path) -> set[str]:
    """The functions a page names in code."""
    return {name for name in re.findall(r"`(\w+)\(", page.read_text(encoding="utf-8")) if name in dir(gapsmith.stats)}


@pytest.mark.parametrize("page", sorted(PAGES.glob("[!R]*.md")), ids=lambda page: page.stem)
def test_a_page_has_formula_assumptions_missing_values_and_source(page: Path) -> None:
    headings = re.findall(r"^## (.+)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert headings == ["Formula", "Assumptions", "Missing values", "Source"]
    assert called(page)
    assert f"]({page.name})" in (PAGES / "README.md").read_text(encoding="utf-8")


def test_every_statistic_has_a_page() -> None:
    functions = {name for name in dir(gapsmith.stats) if inspect.isfunction(getattr(gapsmith.stats, name))} - NOT_STATISTICS
    named = set().union(*(called(page) for page in PAGES.glob("*.md")))
    listed = set(re.findall(r"`(\w+)`", (PAGES / "README.md").read_text(encoding="utf-8")))
    assert functions <= named | listed
    assert functions <= listed


def test_links_between_pages_lead_somewhere() -> None:
    for page in PAGES.glob("*.md"):
        for target in re.findall(r"\]\(([\w-]+\.md)\)", page.read_text(encoding="utf-8")):
            assert (PAGES / target).is_file(), f"{page.name} links to {target}"
