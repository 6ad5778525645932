"""SHA-256 of files, texts and plain content, in hexadecimal: the one place where they are worked out.

What was written down with them is compared for years: the way content becomes bytes never changes."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from gapsmith.templates.boundary import expect_file


def file_sha256(path: Path) -> str:
    """SHA-256 of the file's bytes."""
    expect_file(path)
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def text_sha256(text: str) -> str:
    """SHA-256 of the text in UTF-8."""
    return hashlib.sha256(text.encode()).hexdigest()


def json_sha256(content: Any, *, ascii_only: bool = False) -> str:
    """SHA-256 of plain content as JSON, keys sorted; `ascii_only` writes other characters as escapes."""
    return text_sha256(json.dumps(content, sort_keys=True, ensure_ascii=ascii_only))
