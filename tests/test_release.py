"""What is released: an archive of the sources, the wheel that is built from it, and the program that is installed from that."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from tests.conftest import ROOT

pytestmark = pytest.mark.full


def run(*command: object, folder: Path) -> str:
    environment = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "VIRTUAL_ENV"}}
    done = subprocess.run(list(map(str, command)), cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("release")
    run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", folder, folder=ROOT)
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        assert not [member.name for member in packed.getmembers() if member.issym()], "links do not build everywhere"
        packed.extractall(folder, filter="data")
    run(
        sys.executable,
        "-m",
        "hatchling",
        "build",
        "-t",
        "wheel",
        "-d",
        folder,
        folder=folder / archive.name.removesuffix(".tar.gz"),
    )
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_holds_one_package_with_all_its_files(wheel: Path) -> None:
    names = {name for name in zipfile.ZipFile(wheel).namelist() if not name.startswith("gapsmith-")}
    assert {name.split("/")[0] for name in names} == {"gapsmith"}
    package = ROOT / "src" / "gapsmith"
    listed = run(
        "git",
        "ls-files",
        *(f"{link.resolve().relative_to(ROOT)}" for link in package.iterdir() if link.is_symlink()),
        folder=ROOT,
    )
    assert names >= {f"gapsmith/{line}" for line in listed.splitlines()}


def test_an_empty_environment_runs_the_demo_from_the_wheel_alone(wheel: Path, tmp_path: Path) -> None:
    """Needs the package index: what the wheel asks for is installed as a user's pip would."""
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env" / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel, folder=tmp_path)
    found = run(
        python,
        "-c",
        "import importlib.util as u; print([n for n in ('templates', 'stats', 'app') if u.find_spec(n)])",
        folder=tmp_path,
    )
    assert found == "[]\n"
    run(tmp_path / "env" / "bin" / "gapsmith", "demo", folder=tmp_path)
    assert list((tmp_path / "demo").rglob("report.html"))
