"""The documentation as a site: every page and what it shows, pages made of the program, and nothing from elsewhere."""

from __future__ import annotations

import json
import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from gapsmith.app.stages.catalogue import STAGES
from gapsmith.app.studies import shipped_studies
from gapsmith.templates import paradigm_files
from tests.documented import PAGES, ROOT
from tools.site import build, gathered, outside


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    gathered(folder)
    return folder


def test_every_page_and_what_it_shows_is_there(pages: Path) -> None:
    for page in PAGES:
        copy = (pages / page.relative_to(ROOT)).read_text(encoding="utf-8")
        assert re.sub(r'^(```\w+) title="(.*)"$', r"\1 \2", copy, flags=re.MULTILINE) == page.read_text(encoding="utf-8")
        assert not re.search(r"^ *```\w+ (?!title=)", copy, flags=re.MULTILINE), "mkdocs does not know this fence"
    assert (pages / "tests/vetting/snapshots/item-160x50.svg").is_file()
    assert (pages / "docs/pictures/summary.svg").is_file()


def test_commands_paradigms_and_published_numbers_have_their_pages(pages: Path) -> None:
    made = {name: (pages / "made" / f"{name}.md").read_text(encoding="utf-8") for name in ("commands", "paradigms", "numbers")}
    assert [name for name in STAGES if f"\n## gapsmith {name}\n" not in made["commands"]] == []
    assert [name for name in paradigm_files() if f"\n## {name}: " not in made["paradigms"]] == []
    for study in shipped_studies():
        assert f"\n## {study.name}: " in made["numbers"]
        for place, number in enumerate(study.number, 1):
            printed = f"{number.published:.{number.decimals}f}"
            assert f"(numbers/{study.name}-{place}.md) | {printed} |" in made["numbers"]
            page = (pages / "made" / "numbers" / f"{study.name}-{place}.md").read_text(encoding="utf-8")
            assert printed in page
            assert number.model in page


def test_what_would_be_loaded_from_elsewhere_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<a href="https://example.org">read</a><link rel="canonical" href="https://example.org/a"><img src="x.svg">'
        '<script src="https://example.org/x.js"></script><img src="//example.org/x.png">',
        encoding="utf-8",
    )
    (tmp_path / "b.css").write_text("@font-face{src:url('https://example.org/f.woff')}a{background:url(x.png)}", encoding="utf-8")
    assert outside(tmp_path) == [
        "a.html: script https://example.org/x.js",
        "a.html: img //example.org/x.png",
        "b.css: https://example.org/f.woff",
    ]


@pytest.mark.full
def test_the_site_builds_without_a_broken_link_and_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    if find_spec("material") is None:
        pytest.skip("needs mkdocs-material: pip install 'gapsmith[docs]'")
    build(tmp_path / "site")
    assert outside(tmp_path / "site") == []
    index = json.loads((tmp_path / "site" / "search" / "search_index.json").read_text(encoding="utf-8"))
    assert any("parasitic" in entry["text"] for entry in index["docs"])
