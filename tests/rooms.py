"""The rooms and their code, for tests that walk all of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ROOMS = tuple(sorted(link.name for link in (ROOT / "src" / "gapsmith").iterdir() if link.is_symlink()))
"""Everything that installs: what is linked into the package."""


def files_of(*folders: str) -> Iterator[tuple[str, Path]]:
    """The modules of these folders of the checkout, by path within it: ``bank/store.py``. A folder without any is a mistake, for
    a walk of nothing finds nothing."""
    for folder in folders:
        files = sorted((ROOT / folder).rglob("*.py"))
        assert files, f"{folder} has no code: what is there to walk?"
        for file in files:
            yield file.relative_to(ROOT).as_posix(), file


def trees_of(*folders: str) -> Iterator[tuple[str, ast.Module]]:
    """The same modules, as trees."""
    for name, file in files_of(*folders):
        yield name, tree_of(file)


def walked(tree: ast.AST) -> list[ast.AST]:
    """All that is in a tree, as `ast.walk` has it; of a whole module found once."""
    if not isinstance(tree, ast.Module):
        return list(ast.walk(tree))
    if tree not in _WALKED:
        _WALKED[tree] = list(ast.walk(tree))
    return _WALKED[tree]


_WALKED: dict[ast.Module, list[ast.AST]] = {}


@cache
def tree_of(file: Path) -> ast.Module:
    """A module of the checkout as a tree, which nobody changes: two dozen tests walk all of the code."""
    return ast.parse(file.read_text(encoding="utf-8"))
