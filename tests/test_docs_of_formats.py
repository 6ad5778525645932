"""The pages on formulas, files and packages of one's own say what is so."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path

from gapsmith.bank.formats.catalogue import FORMATS
from gapsmith.templates.formula import parse_formula
from gapsmith.templates.measures import MEASURES
from tests.conftest import CommandOutcome

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = ROOT / "tests" / "fixtures" / "example_plugin"


def _blocks(page: str, kind: str) -> list[str]:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{kind}\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE)


def test_the_example_package_is_the_one_that_the_page_shows_or_links_to() -> None:
    page = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
    shown = {}
    for kind in ("toml", "python"):
        for block in _blocks("extending.md", kind):
            first, _, rest = block.partition("\n")
            shown[first.removeprefix("# ")] = rest
    for name, text in shown.items():
        assert (EXAMPLE / name).read_text(encoding="utf-8") == text, name
    linked = set(re.findall(r"\]\(\.\./tests/fixtures/example_plugin/([^)]+)\)", page))
    files = {str(path.relative_to(EXAMPLE)) for path in EXAMPLE.rglob("*.*") if path.suffix in (".py", ".toml")}
    assert set(shown) | linked == files - {"gapsmith_example/__init__.py"}


def test_the_formulas_of_the_page_can_be_read_and_its_measures_are_there() -> None:
    contrasts, criteria = _blocks("formulas.md", "text")
    assert [parse_formula(line).is_criterion for line in contrasts.splitlines()] == [False, False]
    assert [parse_formula(line).is_criterion for line in criteria.splitlines()] == [True, True]
    text = (ROOT / "docs" / "formulas.md").read_text(encoding="utf-8")
    table = text[: text.index("## Formulas")]
    named = {name for row in re.findall(r"^\| (`.*?) \|", table, flags=re.MULTILINE) for name in re.findall(r"`(\w+)`", row)}
    assert named == set(MEASURES)
    for written in re.findall(r"^\| (`.*`) \|", text[text.index("## Formulas") :], flags=re.MULTILINE):
        for formula in re.findall(r"`(.*?)`", written):
            parse_formula(formula)


def test_the_page_on_files_names_the_formats_that_there_are_and_its_commands_run(
    gapsmith: Callable[..., CommandOutcome], tmp_path: Path
) -> None:
    text = (ROOT / "docs" / "data.md").read_text(encoding="utf-8")
    table = text[: text.index("## Whose sentences")]
    assert re.findall(r"^\| `(\w+)` \|", table, flags=re.MULTILINE) == sorted(
        FORMATS, key=lambda name: table.index(f"| `{name}` |")
    )
    (block,) = _blocks("data.md", "sh")
    for line in block.splitlines():
        done = gapsmith(*shlex.split(line)[1:])
        assert done.code == 0, done.err
    assert {path.name for path in tmp_path.iterdir()} >= {"items.json", "items.xlsx", "lists", "hub_folder", "tasks"}
