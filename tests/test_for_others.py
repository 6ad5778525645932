"""What others need to cite, join and use the project: the citation, its metadata, the hook and the action for their stimuli."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml

from tests.conftest import ROOT

SOUND = '{"sentence_good": "The boys sleep.", "sentence_bad": "The boys sleeps."}\n'
FAULTY = '{"sentence_good": "A man left.", "sentence_bad": "*A man leave."}\n'


def read_yaml(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


def project() -> dict[str, Any]:
    found: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return found


def in_bash(script: str, folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """With the program of this environment on the path, as after an installation."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-c", script, "gapsmith-audit", *arguments],
        cwd=folder,
        env={**os.environ, "PATH": path, **variables},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_citation_says_what_the_package_says() -> None:
    citation, package = read_yaml("CITATION.cff"), project()
    assert citation["cff-version"] == "1.2.0"
    assert {"message", "title", "authors"} <= citation.keys()
    assert [author["name"] for author in citation["authors"]] == [author["name"] for author in package["authors"]]
    assert citation["license"] == package["license"]
    assert package["authors"][0]["name"].removeprefix("The ") in (ROOT / "LICENSE").read_text(encoding="utf-8")


def test_the_version_stands_in_one_place() -> None:
    assert project()["dynamic"] == ["version"]
    assert "version" not in read_yaml("CITATION.cff")


def test_the_changelog_begins_with_the_release_to_come_and_stays_short() -> None:
    from gapsmith.templates.version import VERSION

    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    first = next(line for line in text.splitlines() if line.startswith("## "))
    assert first.removeprefix("## ").split()[0] == VERSION.partition(".dev")[0]
    section = text.partition(first)[2].partition("\n## ")[0]
    assert len(section.splitlines()) <= 150, "what a user notices, and no more: the history of the code has the rest"


@pytest.mark.full
def test_the_hook_for_stimuli_of_others_refuses_a_file_with_an_error(tmp_path: Path) -> None:
    (hook,) = read_yaml(".pre-commit-hooks.yaml")
    (tmp_path / "sound.jsonl").write_text(SOUND, encoding="utf-8")
    (tmp_path / "a folder").mkdir()
    (tmp_path / "a folder" / "faulty.jsonl").write_text(FAULTY, encoding="utf-8")
    # As pre-commit does it: the entry, and the names of the files behind it.
    script = f'{hook["entry"]} "$@"'
    passed = in_bash(script, tmp_path, "sound.jsonl")
    assert passed.returncode == 0, passed.stderr
    refused = in_bash(script, tmp_path, "a folder/faulty.jsonl", "sound.jsonl")
    assert refused.returncode == 1
    assert "a folder/faulty.jsonl:1: error T037" in refused.stderr
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a folder", "faulty.jsonl", "sound.jsonl"], "leaves files behind"


@pytest.mark.full
def test_the_action_for_stimuli_of_others_fails_where_it_says(tmp_path: Path) -> None:
    action = read_yaml("action.yml")
    (step,) = (step for step in action["runs"]["steps"] if "gapsmith audit" in step["run"])
    given = {name: entry.get("default", "") for name, entry in action["inputs"].items()}
    for name, value in (("sound", SOUND), ("faulty", FAULTY)):
        (tmp_path / f"{name}.jsonl").write_text(value, encoding="utf-8")

    def done(**inputs: str) -> subprocess.CompletedProcess[str]:
        values = {f"${{{{ inputs.{name} }}}}": value for name, value in {**given, **inputs}.items()}
        return in_bash(step["run"], tmp_path, **{name: values[text] for name, text in step["env"].items()})

    assert done(files="sound.jsonl").returncode == 0
    failed = done(files="*.jsonl")
    assert failed.returncode == 1
    assert "faulty.jsonl:1: error T037" in failed.stderr
    assert (tmp_path / "gapsmith-audit" / "faulty.jsonl.audit.html").is_file()
    assert done(files="*.jsonl", **{"fail-on": "never"}).returncode == 0
    assert done(files="nothing/*.csv").returncode == 2


@pytest.mark.full
def test_the_picture_of_the_readme_says_what_the_demo_says(tmp_path: Path) -> None:
    done = in_bash("gapsmith demo", tmp_path)
    assert done.returncode == 0, done.stderr
    drawn, kept = (
        ElementTree.parse(path).find("{http://www.w3.org/2000/svg}desc")
        for path in (tmp_path / "demo/report/figures/subject_pg-summary.svg", ROOT / "docs/pictures/summary.svg")
    )
    assert drawn is not None
    assert kept is not None
    assert kept.text == drawn.text, "copy the demo's figure over the kept one"
