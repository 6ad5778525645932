"""Every page of the documentation does what it says: its commands, files and snippets, in order, in an empty directory."""

from __future__ import annotations

import ast
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
import typer

import gapsmith as gapsmith_api
from gapsmith.app.cli.app import app
from tests.conftest import CommandOutcome
from tests.documented import PAGES, ROOT, blocks_of, inline_commands, run_page, try_to_parse
from tests.rooms import ROOMS, files_of, trees_of
from tests.stats.test_stats_r_export import r_with_lme4

Run = Callable[..., CommandOutcome]
MAP = ROOT / "docs" / "architecture.md"
BESIDE = ("benchmarks", "docs", "src/gapsmith", "tests", "tools")
IDS = [str(page.relative_to(ROOT)) for page in PAGES]


def missing_names(page: str) -> list[str]:
    """What a page names in backticks and is not there: modules and what they define, files, folders; modules in a table's row that
    begins with their folder; other words that no source has."""
    missing = []
    for line in re.sub(r"^```.*?^```", "", page, flags=re.MULTILINE | re.DOTALL).splitlines():
        folders = [ROOT / name for name in re.findall(r"`([\w/]+/)`", line.split("|")[1])] if line.startswith("|") else []
        for name in re.findall(r"`([\w./]+)`", line):
            if "/" in name:
                there = (ROOT / name).exists()
            elif name.removeprefix("gapsmith.").partition(".")[0] in ROOMS and "." in name:
                there = is_defined(name.removeprefix("gapsmith."))
            elif "." in name:
                there = any(ROOT.glob(name)) or any(any((ROOT / room).rglob(name)) for room in ROOMS)
            elif folders:
                there = any((folder / f"{name}.py").is_file() for folder in folders)
            else:
                there = name in source_words()
            missing += [] if there else [name]
    return missing


def is_defined(name: str) -> bool:
    """Whether ``room.module``, ``room.module.function`` or ``room.module.Class.member`` is in our sources."""
    parts = name.split(".")
    place = ROOT
    while parts and (place / parts[0]).is_dir():
        place /= parts.pop(0)
    if parts:
        place = place / f"{parts.pop(0)}.py"
        if not place.is_file():
            return False
        body: Sequence[ast.stmt] = ast.parse(place.read_text(encoding="utf-8")).body
        for part in parts:
            found = next((node for node in body if part in names_of(node)), None)
            if found is None:
                return False
            body = found.body if isinstance(found, ast.ClassDef) else ()
    return True


def names_of(node: ast.stmt) -> set[str]:
    """What a statement defines."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {node.name}
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return {target.id for target in targets if isinstance(target, ast.Name)}


@cache
def source_words() -> frozenset[str]:
    """Every word of our sources."""
    texts = (file.read_text(encoding="utf-8") for _, file in files_of(*ROOMS, "tools"))
    return frozenset(word for text in texts for word in re.findall(r"\w+", text))


def first_paragraph(module: ast.Module) -> str:
    """Of a module's docstring, on one line."""
    return " ".join((ast.get_docstring(module) or "").partition("\n\n")[0].split())


OF_P1 = """
source("gapsmith.R")
p1 <- gapsmith_differences(gapsmith_read("results.csv"), "pf_pg1_pg2", "mf_pg1_pg2")
cat(nrow(p1), format(mean(p1$difference), digits = 15))
"""
QUICK = {"bank.md", "data.md", "formulas.md", "review.md"}
"""Pages that `make test` tries out; `make test-full` tries all."""
SHOWN = [
    pytest.param(page, id=page.name, marks=() if page.name in QUICK else pytest.mark.full)
    for page in PAGES
    if blocks_of(page.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize("page", SHOWN)
def test_a_page_does_what_it_shows(gapsmith: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, page: Path) -> None:
    run_page(page.read_text(encoding="utf-8"), gapsmith, tmp_path, monkeypatch)


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_commands_in_the_running_text_have_the_options_that_they_are_said_to_have(page: Path) -> None:
    for text in inline_commands(page.read_text(encoding="utf-8")):
        words = shlex.split(text.replace("'", ""), comments=True)[1:]
        command: Any = typer.main.get_command(app)
        while words and hasattr(command, "get_command") and not words[0].startswith("-"):
            found = command.get_command(None, words[0])
            assert found is not None or words[0].isupper() or words[0] == "…", f"{text}: there is no {words[0]!r}"
            if found is None:
                break
            command, words = found, words[1:]
        known = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}
        for flag in (word.partition("=")[0] for word in words if re.match("--?[a-z]", word)):
            assert flag in known | {"--help"}, f"{text}: there is no {flag}"


@pytest.mark.parametrize("page", PAGES, ids=IDS)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for block in blocks_of(text):
        text = text.replace(block.text, "")
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        assert "://" in target or (page.parent / target).exists(), target


@pytest.mark.full
def test_the_r_of_the_pages_runs(gapsmith: Run, tmp_path: Path) -> None:
    if reason := r_with_lme4():
        pytest.skip(reason)
    gapsmith("generate", "subject_pg", "-n", "12", "--seed", "1")
    assert gapsmith("score", "--model", "bundled", "--all").code == 0
    assert gapsmith("export", "long", "--all", "-o", "results.csv").code == 0
    shutil.copy(ROOT / "docs" / "gapsmith.R", tmp_path)
    values = gapsmith_api.analyze(gapsmith_api.open_workspace(tmp_path), everything=True)["P1"].values
    said = subprocess.run(["Rscript", "-e", OF_P1], check=True, cwd=tmp_path, capture_output=True, text=True).stdout.split()
    assert int(said[0]) == len(set(values.values())), "an item is counted twice, or not at all"
    assert float(said[1]) == pytest.approx(fmean(set(values.values())))
    for page in PAGES:
        for block in blocks_of(page.read_text(encoding="utf-8")):
            if block.language == "r":
                subprocess.run(["Rscript", "-e", block.text], check=True, cwd=tmp_path)


def test_the_runner_notices_what_does_not_hold(gapsmith: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def told(page: str) -> str:
        with pytest.raises(AssertionError) as caught:
            run_page(page, gapsmith, tmp_path, monkeypatch)
        return str(caught.value)

    assert "ends with code 2" in told("```console\n$ gapsmith paradigm show nothing\n```\n")
    assert "is not printed" in told("```console\n$ gapsmith --version\ngapsmith 99\n```\n")
    assert "is not understood" in told("    gapsmith lint --no-such-thing   # needs a card\n")
    assert "is not understood" in told("```bash\n# needs a key\ngapsmith nothing\n```\n")
    assert "who runs this" in told("```bash\ncurl example.org\n```\n")
    assert "what is printed" in told("```python\nprint(1)\n```\n\nprints\n\n```text\n2\n```\n")
    assert run_page("```bash\ngapsmith score -m gpt2   # needs a network\n```\n", gapsmith, tmp_path, monkeypatch) == [
        (2, "gapsmith score -m gpt2   # needs a network")
    ]
    run_page("```toml\n# paradigms/a.toml\na = 1\n```\n\n```csv b.csv\nx,y\n```\n", gapsmith, tmp_path, monkeypatch)
    assert (tmp_path / "paradigms" / "a.toml").read_text(encoding="utf-8") == "# paradigms/a.toml\na = 1\n"
    assert (tmp_path / "b.csv").read_text(encoding="utf-8") == "x,y\n"
    try_to_parse(["generate", "subject_pg", "-n", "4"], "here")


def test_the_csv_of_the_page_on_files_comes_back_as_it_went_in(gapsmith: Run, tmp_path: Path) -> None:
    page = (ROOT / "docs" / "data.md").read_text(encoding="utf-8")
    (items,) = [block.text for block in blocks_of(page) if block.file == "items.csv"]
    (tmp_path / "items.csv").write_text(items, encoding="utf-8")
    assert gapsmith("import", "items.csv", "-p", "subject_pg").code == 0
    assert gapsmith("export", "csv", "--design", "lan2x2", "--all").out == items


def test_the_paradigm_of_the_pages_makes_the_sentences_it_is_about(gapsmith: Run, tmp_path: Path) -> None:
    page = (ROOT / "docs" / "paradigms.md").read_text(encoding="utf-8")
    (whole,) = [block.text for block in blocks_of(page) if block.file == "paradigms/npi.toml"]
    (tmp_path / "paradigms").mkdir()
    (tmp_path / "paradigms" / "npi.toml").write_text(whole, encoding="utf-8")
    assert gapsmith("init").code == 0
    assert gapsmith("generate", "npi", "--all").code == 0
    assert "No doctor has ever been to Lima." in gapsmith("export", "csv", "--all").out


def test_the_map_has_every_folder() -> None:
    page = MAP.read_text(encoding="utf-8")
    inner = {file.parent for room in (*ROOMS, *BESIDE) for file in (ROOT / room).rglob("*") if file.is_file()}
    folders = {folder.relative_to(ROOT) for folder in inner if "__pycache__" not in folder.parts}
    # What lies deeper and is no code belongs to the folder above it.
    named = {f for f in folders if len(f.parts) <= 2 and f.parts[0] not in ("tests", "docs")}
    wanted = named | {Path(room) for room in (*ROOMS, *BESIDE)}
    assert not [folder for folder in sorted(wanted) if f"`{folder}/`" not in page]


def test_what_the_map_names_is_there() -> None:
    assert missing_names(MAP.read_text(encoding="utf-8")) == []


def test_a_name_that_is_not_there_is_noticed() -> None:
    right = (
        "`bank.connection.Db.checked`",
        "`bank/sums.py`",
        "`bank/formats/`",
        "`stats.correction`",
        "`Sums`",
        "`__init__.pyi`",
    )
    wrong = (
        "`bank.connection.Db.verified`",
        "`bank.connection.verified`",
        "`bank.connecting`",
        "`bank/summing.py`",
        "`Summings`",
        "`nowhere.py`",
    )
    assert missing_names(f"{' '.join(right)} `gapsmith no-such` {' '.join(wrong)}") == [name.strip("`") for name in wrong]
    assert missing_names("| `scoring/lm/` | `opening`, `results` |") == ["results"]


def test_what_decides_says_so_at_its_top_and_stands_in_the_map() -> None:
    (table,) = re.findall(r"^## Who decides\n(.*?)^## ", MAP.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    listed = re.findall(r"`([\w/]+\.py)`", table)
    saying = {name for name, module in trees_of(*ROOMS) if "only place" in first_paragraph(module)}
    assert len(listed) == len(set(listed))
    assert set(listed) - saying == set(), "stands in the map, and does not say at its top of what it is the only place"
    assert saying - set(listed) == set(), "says that it is the only place of something, and does not stand in the map"


def test_the_index_of_tasks_leads_to_every_page_and_to_headings_that_are_there() -> None:
    docs = ROOT / "docs"
    linked = re.findall(r"\]\(([^)#]+)(?:#([^)]+))?\)", (docs / "README.md").read_text(encoding="utf-8"))
    assert {name for name, _ in linked} >= {page.name for page in docs.glob("*.md")} - {"README.md"}
    for name, heading in linked:
        page = (docs / name).read_text(encoding="utf-8")
        headings = {
            re.sub(r"[^\w -]", "", line.lstrip("# ").casefold()).replace(" ", "-")
            for line in page.splitlines()
            if line[:1] == "#"
        }
        assert not heading or heading in headings, f"{name}#{heading}"
