"""`gapsmith doctor`: what it says, what it keeps to itself, and when it fails."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gapsmith.app import doctor
from gapsmith.app.cli.app import app
from gapsmith.app.doctor import Check, CheckState, examine
from gapsmith.scoring.lm import golden, kernels
from gapsmith.templates.version import VERSION
from tests.printed import results
from tests.scoring.fake_hub import serve_hub

SECRET = "AIza-this-is-a-secret"


@pytest.fixture(scope="module")
def checks() -> list[Check]:
    """All checks, made once."""
    return list(examine())


def named(checks: list[Check], area: str, name: str) -> Check:
    """The one check of that name."""
    (found,) = [check for check in checks if (check.area, check.name) == (area, name)]
    return found


def test_a_sound_machine_has_no_problem(checks: list[Check]) -> None:
    assert [check for check in checks if check.state is CheckState.PROBLEM] == []
    assert [*dict.fromkeys(check.area for check in checks)] == [
        "machine",
        "leftovers",
        "packages",
        "device",
        "kernels",
        "models",
        "parsers",
        "keys",
        "surprisal",
    ]


def test_versions_are_those_that_are_installed(checks: list[Check]) -> None:
    for package in ("torch", "transformers", "typer"):
        assert named(checks, "packages", package).detail == metadata.version(package)
    assert named(checks, "packages", "gapsmith").detail == VERSION
    assert not any(check.name == "pytest" for check in checks), "what only developers need is left out"


def test_the_bundled_model_is_in_reach_and_right(checks: list[Check]) -> None:
    assert named(checks, "models", "bundled").state is CheckState.OK
    detail = named(checks, "surprisal", "golden values").detail
    assert "267 values of 9 sentences" in detail


def test_what_multiplies_is_said(checks: list[Check], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert named(checks, "kernels", "bundled").detail == "default"
    monkeypatch.setenv("GAPSMITH_KERNEL", "auto")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    kept = kernels.KernelChoice("packed", 1.5, 4e-7, 3e-7, ((256, 256), (256, 8192)))
    monkeypatch.setattr(kernels, "measure", lambda _: kept)
    found = list(doctor._kernels(None))
    assert [check.detail for check in found][:2] == ["packed", kept.in_words]
    assert found[2].detail.startswith(str(tmp_path / "gapsmith" / "kernels.json"))


def test_keys_are_named_and_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("GEMINI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.setenv(variable, SECRET)
    for variable in ("GOOGLE_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(doctor, "_surprisal", lambda _: iter(()))
    done = CliRunner().invoke(app, ["doctor", "--json"])
    assert done.exit_code == 0
    assert SECRET not in done.stdout + done.stderr
    keys = {check["name"]: check["detail"] for check in results(done.stdout) if check["area"] == "keys"}
    assert keys["GEMINI_API_KEY"] == keys["OPENAI_BASE_URL"] == "set"
    assert keys["GOOGLE_API_KEY"] == keys["OPENAI_API_KEY"] == "not set"


def test_wrong_surprisals_make_it_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    """With an allowance below what float32 can give, every machine is wrong."""
    monkeypatch.setattr(golden, "TOLERANCE_BITS", 1e-12)
    done = CliRunner().invoke(app, ["doctor"])
    assert done.exit_code == 1
    assert "problem" in done.stdout
    assert "bits" in done.stdout
    assert "Do not trust surprisals from this machine" in done.stderr


def test_a_missing_package_is_a_problem_and_not_a_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "stanza.resources.common", None)
    found = list(examine())
    assert [check.area for check in found if check.state is CheckState.PROBLEM] == ["parsers"]
    assert named(found, "surprisal", "golden values").state is CheckState.OK


_PARTS = """
import sys
from gapsmith.app import doctor
for part in (doctor._models, doctor._network):
    for check in part():
        print(check.name, check.state, check.detail, sep="|")
"""


def models_and_network(**environment: str) -> dict[str, tuple[str, str]]:
    """State and detail of those checks in a process of its own, since HF_* variables are read at import."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("HF_")}
    done = subprocess.run(
        [sys.executable, "-c", _PARTS], env=kept | environment, capture_output=True, text=True, check=True, timeout=60
    )
    lines = [line.split("|") for line in done.stdout.splitlines()]
    return {name: (state, detail) for name, state, detail in lines}


def test_models_in_the_cache_are_listed_and_the_hub_is_asked_on_request(tmp_path: Path, tiny_gpt2: Path) -> None:
    commit = "0123456789abcdef0123456789abcdef01234567"
    for name, files in (
        ("test--whole", [path.name for path in tiny_gpt2.iterdir()]),
        ("test--half", ["config.json", "tokenizer.json"]),
    ):
        root = tmp_path / f"models--{name}"
        snapshot = root / "snapshots" / commit
        snapshot.mkdir(parents=True)
        (root / "refs").mkdir()
        (root / "refs" / "main").write_text(commit, "utf-8")
        for file in files:
            (snapshot / file).write_bytes((tiny_gpt2 / file).read_bytes())
    with serve_hub({}) as hub:
        found = models_and_network(HF_HUB_CACHE=str(tmp_path), HF_ENDPOINT=hub.address)
        address = hub.address
    assert [*found] == ["bundled", "test/whole", "gpt2", "hub"]
    assert found["test/whole"][0] == "ok"
    assert commit[:10] in found["test/whole"][1]
    assert found["gpt2"] == ("note", "not in the cache of this machine")
    assert found["hub"] == ("ok", "the Hugging Face hub answers")
    gone = models_and_network(HF_HUB_CACHE=str(tmp_path / "none"), HF_ENDPOINT=address)
    assert [*gone] == ["bundled", "gpt2", "hub"]
    assert gone["hub"][0] == "note"
    assert "does not answer" in gone["hub"][1]
    assert "HF_HUB_OFFLINE" in models_and_network(HF_HUB_OFFLINE="1")["hub"][1]


def test_the_network_is_left_alone_unless_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    import socket

    def refuse(*arguments: object, **options: object) -> None:
        raise AssertionError("a connection was tried")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    assert all(check.area != "network" for check in examine())
