"""Settings: who wins, and what a wrong one says."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gapsmith.app.settings import load_settings
from gapsmith.app.workspace import find_workspace, make_workspace, open_workspace
from gapsmith.templates.errors import ConfigError

pytestmark = pytest.mark.fast


def user_file() -> Path:
    """The user's settings file of this test."""
    return Path(os.environ["GAPSMITH_CONFIG"])


def test_flag_beats_environment_beats_workspace_beats_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = tmp_path / "gapsmith.toml"
    user_file().write_text('model = "user"\nannotator = "user"\nprovider = "user"\nparser = "user"\n', encoding="utf-8")
    workspace.write_text('model = "workspace"\nannotator = "workspace"\nprovider = "workspace"\n', encoding="utf-8")
    monkeypatch.setenv("GAPSMITH_MODEL", "environment")
    monkeypatch.setenv("GAPSMITH_ANNOTATOR", "environment")
    settings = load_settings(workspace).with_flags(model="flag", annotator=None)
    assert (settings.model, settings.annotator, settings.provider, settings.parser) == (
        "flag",
        "environment",
        "workspace",
        "user",
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('modle = "gpt2"', "model"),
        ("batch_size = true", "batch_size: True is not a whole number from 1 to 2,147,483,647"),
        ('batch_size = "many"', "batch_size: many is not a whole number"),
        ("model = 3", "model = 3 should be a text, in quotes"),
        ("model = ", "TOML"),
    ],
)
def test_a_wrong_setting_names_the_file_and_the_key(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "gapsmith.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=r"gapsmith\.toml") as caught:
        load_settings(path)
    assert message in str(caught.value)


def test_numbers_in_the_environment_are_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAPSMITH_BATCH_SIZE", "8")
    monkeypatch.setenv("GAPSMITH_MAX_COST", "1")
    settings = load_settings()
    assert (settings.batch_size, settings.max_cost) == (8, 1.0)


def test_a_workspace_is_found_from_below(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_workspace(tmp_path)
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    assert find_workspace() == tmp_path
    with open_workspace() as ws:
        assert ws.root == tmp_path


def test_no_workspace_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no gapsmith workspace") as caught:
        open_workspace(tmp_path)
    assert "gapsmith init" in caught.value.hint


def test_making_a_workspace_twice_keeps_its_settings(tmp_path: Path) -> None:
    make_workspace(tmp_path)
    (tmp_path / "gapsmith.toml").write_text('annotator = "ann"\n', encoding="utf-8")
    make_workspace(tmp_path)
    with open_workspace(tmp_path) as ws:
        assert ws.settings.annotator == "ann"


def test_rules_add_up_over_the_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The user turns one rule off, the workspace another; the environment has the last word on each."""
    user_file().parent.mkdir(parents=True, exist_ok=True)
    user_file().write_text('[rules]\nL207 = "off"\nC140 = "off"\n', encoding="utf-8")
    workspace = tmp_path / "gapsmith.toml"
    workspace.write_text('[rules]\nc140 = "warning"\n', encoding="utf-8")
    assert load_settings(workspace).rules == {"L207": "off", "C140": "warning"}
    monkeypatch.setenv("GAPSMITH_RULES", "L207=info, T=error")
    assert load_settings(workspace).rules == {"L207": "info", "C140": "warning", "T": "error"}
