"""Figures of an earlier report in the same folder: which they are, so that those and nothing else can be removed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from gapsmith.templates import file_sha256, read_json, text_of

_LIST = ".gapsmith-figures.json"


def remember(folder: Path, files: Sequence[Path]) -> None:
    """Note in `folder` which files were written there, with the SHA-256 of each."""
    listed = {file.name: file_sha256(file) for file in sorted(files)}
    (folder / _LIST).write_text(json.dumps(listed, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def remove_earlier(folder: Path) -> None:
    """Remove the files that `remember` noted in `folder` and that are still as they were written; no others."""
    try:
        listed = read_json(text_of(folder / _LIST, "utf-8"))
    except (FileNotFoundError, ValueError):
        return
    for name, digest in listed.items() if isinstance(listed, dict) else ():
        file = folder / name
        if file.name == name and file.is_file() and not file.is_symlink() and file_sha256(file) == digest:
            file.unlink()
