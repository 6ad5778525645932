"""What installs is one package, and no module is reachable under two names."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import gapsmith
from tests.conftest import ROOT, modules_of_one_file

ROOMS = ("templates", "stats", "bank", "prompts", "parsing", "vetting", "scoring", "training")


def python(*code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [sys.executable, "-c", "\n".join(code)], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def test_outside_the_checkout_the_rooms_have_no_bare_names(tmp_path: Path) -> None:
    found = python(
        "import importlib.util as look, gapsmith",
        f"print([room for room in {(*ROOMS, 'app')!r} if look.find_spec(room)])",
        f"print(all(look.find_spec('gapsmith.' + room) for room in {(*ROOMS, 'app')!r}))",
        folder=tmp_path,
    )
    assert found.stdout.split("\n")[:2] == ["[]", "True"], found.stderr


def test_a_users_own_scoring_is_not_shadowed_and_does_not_shadow_ours(tmp_path: Path) -> None:
    (tmp_path / "scoring.py").write_text("MINE = True\n", encoding="utf-8")
    found = python("import scoring, gapsmith.scoring as ours", "print(scoring.MINE, hasattr(ours, 'MINE'))", folder=tmp_path)
    assert found.stdout == "True False\n", found.stderr


def test_no_folder_of_the_checkout_shadows_the_package() -> None:
    assert not (ROOT / "gapsmith").exists()
    assert not (ROOT / "gapsmith.py").exists()
    assert Path(gapsmith.__file__).parent == ROOT / "src" / "gapsmith"


@pytest.mark.parametrize("room", [*ROOMS, "app"])
def test_every_room_is_a_folder_of_the_checkout_and_a_package_of_gapsmith(room: str) -> None:
    link = ROOT / "src" / "gapsmith" / room
    assert link.is_symlink()
    assert not link.readlink().is_absolute()
    assert link.resolve() == (ROOT / room).resolve()


def test_a_checkout_without_links_says_what_to_do(tmp_path: Path) -> None:
    """As git writes one where links are off: the path as the text of a file."""
    package = tmp_path / "src" / "gapsmith"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text((ROOT / "src/gapsmith/__init__.py").read_text(encoding="utf-8"), encoding="utf-8")
    (package / "__init__.pyi").write_text((ROOT / "src/gapsmith/__init__.pyi").read_text(encoding="utf-8"), encoding="utf-8")
    for room in (*ROOMS, "app"):
        (package / room).write_text(f"../../{room}", encoding="utf-8")
    found = python("import sys", f"sys.path.insert(0, {str(tmp_path / 'src')!r})", "import gapsmith", folder=tmp_path)
    assert found.returncode == 1
    last = found.stderr.strip().split("\n")[-1]
    assert last.startswith("ImportError: "), found.stderr
    assert "git config core.symlinks true" in last


def test_the_check_for_files_loaded_as_two_modules_finds_one(monkeypatch: pytest.MonkeyPatch) -> None:
    assert modules_of_one_file() == []
    again = ModuleType("templates.errors")
    again.__file__ = str(ROOT / "templates" / "errors.py")
    monkeypatch.setitem(sys.modules, "templates.errors", again)
    (found,) = modules_of_one_file()
    assert found.endswith("errors.py: gapsmith.templates.errors, templates.errors")
