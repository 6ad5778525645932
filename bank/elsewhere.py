"""Where to keep what a bank cannot take: folders of the user on this machine, which are most likely on another disk."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import platformdirs


def folders_elsewhere() -> list[Path]:
    """The user's own place for such things, and a folder among the passing files. They may have to be made."""
    return [platformdirs.user_state_path("gapsmith"), Path(tempfile.gettempdir()) / f"gapsmith-{_user()}"]


def is_ours(path: Path) -> bool:
    """Whether a file or folder belongs to the user: where everybody writes, one may have been laid out for us."""
    return not hasattr(os, "getuid") or path.stat().st_uid == os.getuid()


def _user() -> str:
    return str(os.getuid()) if hasattr(os, "getuid") else "user"
