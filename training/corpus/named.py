"""TOML files that are named: one that ships with gapsmith, by its name, or a file, by its path."""

from __future__ import annotations

import importlib.resources
from pathlib import Path

from gapsmith.templates import ConfigError, did_you_mean, text_of


def shipped_names(package: str) -> list[str]:
    """The names of the TOML files in a package."""
    return sorted(f.name.removesuffix(".toml") for f in importlib.resources.files(package).iterdir() if f.name.endswith(".toml"))


def read_named(what: str, name: str, package: str) -> tuple[str, Path]:
    """Text and folder of the file `name`, or of that name in `package`; `what` it is, for messages. Raises `ConfigError`."""
    known = shipped_names(package)
    if name in known:
        return (importlib.resources.files(package) / f"{name}.toml").read_text(encoding="utf-8"), Path()
    path = Path(name).expanduser()
    if not path.is_file():
        hint = f"{did_you_mean(name, known)}Give a TOML file, or one of {', '.join(known)}."
        raise ConfigError(f"there is no {what} {name!r}", hint=hint)
    try:
        return text_of(path, "utf-8-sig"), path.parent
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{name}: cannot be read ({error})") from None
