"""The README's tour, run as it stands: every command works, and every line shown is a line that it prints."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path

from tests.conftest import Outcome

README = Path(__file__).parents[2] / "README.md"


def blocks() -> list[tuple[str, list[str]]]:
    """The commands of the README's console blocks, each with the lines shown below it."""
    found: list[tuple[str, list[str]]] = []
    for block in re.findall(r"```console\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ gapsmith "):
                found.append((line.removeprefix("$ gapsmith "), []))
            else:
                found[-1][1].append(line)
    return found


def test_the_tour_does_what_it_shows(gapsmith: Callable[..., Outcome]) -> None:
    tour = blocks()
    assert len(tour) >= 8
    for command, shown in tour:
        outcome = gapsmith(*shlex.split(command))
        assert outcome.code == 0, f"{command}: {outcome.err}"
        printed = outcome.out + outcome.err
        for line in shown:
            assert line in printed, f"{command} does not print {line!r} but:\n{printed}"


def test_links_in_the_readme_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README.read_text(encoding="utf-8")):
        assert (README.parent / target).exists(), target


def test_the_paradigm_in_the_docs_works(gapsmith: Callable[..., Outcome], tmp_path: Path) -> None:
    text = (README.parent / "docs" / "paradigms.md").read_text(encoding="utf-8")
    whole = next(block for block in re.findall(r"```toml\n(.*?)```", text, re.DOTALL) if block.startswith("name ="))
    (tmp_path / "paradigms").mkdir()
    (tmp_path / "paradigms" / "npi.toml").write_text(whole, encoding="utf-8")
    gapsmith("init")
    checked = gapsmith("paradigm", "check", "npi")
    assert checked.code == 0, checked.out
    assert gapsmith("generate", "npi", "--all").code == 0
    assert "No doctor has ever been to Lima." in gapsmith("export", "csv", "--all").out


def test_the_csv_in_the_docs_is_read_and_given_back(gapsmith: Callable[..., Outcome], tmp_path: Path) -> None:
    text = (README.parent / "docs" / "data.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```\n(sentence_type.*?)```", text, re.DOTALL)
    (tmp_path / "items.csv").write_text(block, encoding="utf-8")
    assert gapsmith("import", "items.csv", "-p", "subject_pg").code == 0
    assert gapsmith("export", "csv", "--design", "lan2x2", "--all").out == block


def test_the_training_in_the_docs_works(gapsmith: Callable[..., Outcome], tmp_path: Path) -> None:
    text = (README.parent / "docs" / "training.md").read_text(encoding="utf-8")
    recipe, config = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    (tmp_path / "recipe.toml").write_text(recipe, encoding="utf-8")
    (tmp_path / "config.toml").write_text(config, encoding="utf-8")
    (tmp_path / "childes").mkdir()
    spoken = "".join(f"*MOT:\twhat does the {what} want ?\n" for what in ("doggie", "cat", "cow") * 40)
    (tmp_path / "childes" / "a.cha").write_text(f"@UTF8\n@Begin\n{spoken}@End\n", encoding="utf-8")
    made = gapsmith("train", "corpus", "recipe.toml", "--out", "corpus", "--scale", "1e-4")
    assert made.code == 0, made.err
    small = ("network.hidden=16", "network.layers=1", "tokenizer.vocabulary=300", "run.steps=2")
    options = [option for entry in small for option in ("--set", entry)]
    trained = gapsmith("train", "lm", "corpus", "--config", "config.toml", "--out", "models/mini-1", *options)
    assert trained.code == 0, trained.err
    assert "gapsmith score --model models/mini-1" in trained.err
