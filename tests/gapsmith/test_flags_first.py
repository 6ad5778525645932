"""Flags are looked at before a workspace, a file, a model or a hub is; and no key gets into a bank by way of one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import gapsmith as api
from gapsmith.app.requests.base import entries
from gapsmith.app.stages.catalogue import STAGES, own_name, typed
from gapsmith.prompts.fake import FakeServer
from gapsmith.templates import ConfigError, load_paradigm
from tests.conftest import CommandOutcome
from tests.prompts.generating import KEY

Run = Callable[..., CommandOutcome]

WRONG: dict[str, tuple[object, ...]] = {
    "device": ("xyz", "cuda:9999", "CUDA", ""),
    "dtype": ("int8", "float64", ""),
    "kernel": ("fastest", "float32", ""),
    "batch_size": (0, -1, 10_000_000_000),
}
NEEDED: dict[str, tuple[str, ...]] = {
    "audit": ("nosuch.csv",),
    "train lm": ("nosuch.txt", "--config", "mini", "--out", "out"),
    "train grid": ("nosuch.toml", "--out", "out"),
}
KEYWORDS: dict[str, dict[str, object]] = {
    "audit": {"file": "nosuch.csv"},
    "train lm": {"source": None, "corpora": "nosuch.txt", "config": "mini", "out": "out"},
    "train grid": {"source": None, "file": "nosuch.toml", "out": "out"},
}
"""What is said beside; nothing of it is there."""
ASKED = [
    (name, entry.name, value)
    for name, stage in STAGES.items()
    for entry in entries(stage.request_type())
    for value in WRONG.get(entry.name, ())
]


def test_the_stages_that_run_models_are_walked() -> None:
    assert {name for name, _, _ in ASKED} == {"audit", "score", "context study", "train lm", "train grid"}


@pytest.mark.parametrize(("name", "field", "value"), ASKED)
def test_a_flag_that_cannot_be_is_refused_before_anything_is_touched(
    name: str, field: str, value: object, gapsmith: Run, tmp_path: Path
) -> None:
    flag = f"--{field.replace('_', '-')}"
    model = () if name.startswith("train") else ("--model", "nosuch/model")
    done = gapsmith(*typed(name).split(), *NEEDED.get(name, ()), *model, flag, value)
    assert (done.code, done.out) == (2, "")
    assert flag in done.err
    assert "nosuch" not in done.err
    assert "workspace" not in done.err
    assert list(tmp_path.iterdir()) == []
    stage = STAGES[name]
    said = KEYWORDS.get(name, {}) | ({"source": object()} if stage.opens else {})
    with pytest.raises(ConfigError, match=field):
        getattr(api, stage.python or own_name(name))(**said, **{field: value})


@pytest.mark.parametrize(
    ("flag", "value", "told"),
    [
        ("--extra-body", '{"api_key": "sk-zq8wk2v7xp4mtr9cb6"}', "--extra-body holds a key"),
        ("--extra-body", '{"authorization": "' + KEY + '"}', "--extra-body holds a key"),
        ("--base-url", "http://127.0.0.1:9/v1?key=zq8wk2v7xp4mtr9c", "--base-url holds a key"),
        ("--base-url", "http://ann:zq8wk2v7xp4mtr9c@127.0.0.1:9/v1", "--base-url holds a user name or password"),
    ],
)
def test_a_key_in_a_flag_is_refused_and_kept_nowhere(
    flag: str, value: str, told: str, gapsmith: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert gapsmith("generate", "lan_pg", "-n", 2, "-w", ".").code == 0
    with FakeServer(load_paradigm("lan_pg")) as server:
        address = () if flag == "--base-url" else ("--base-url", server.openai_url)
        for command in (("generate", "lan_pg", "-n", 3, "--provider", "openai", "--model", "m"), ("lint", "--judge", "openai:m")):
            done = gapsmith(*command, *address, flag, value)
            assert (done.code, told in done.err) == (2, True), done.err
        assert not server.requests
    for file in tmp_path.iterdir():
        if file.is_file():
            assert b"zq8wk2v7xp4mtr9c" not in file.read_bytes()
            assert KEY.encode() not in file.read_bytes()
