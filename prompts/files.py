"""Prompt files: Jinja2 templates with a version in their name and a mode in their first line.

A file is called ``NAME.vN.jinja``; a change to a shipped prompt is a new version, and the old one stays. Its first
line is a comment that says what the prompt asks for:

    {# mode: slots — Values for the slots of a paradigm #}

A prompt is named with or without its version (the highest one wins), or given as a path. The workspace's ``prompts/``
comes before the shipped ones, so that a copy with the same name takes its place.
"""

from __future__ import annotations

import difflib
import hashlib
import re
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from prompts.failures import PromptError
from prompts.request import Mode

__all__ = ["PromptFile", "copy_prompt", "find_prompt", "list_prompts", "load_prompt_file"]

_NAME = re.compile(r"^(?P<name>[a-z0-9_-]+)\.v(?P<version>\d+)\.jinja$")
_HEADER = re.compile(r"^\{#-?\s*mode:\s*(?P<mode>[a-z]+)\s*(?:[—:-]+\s*(?P<title>.*?))?\s*-?#\}")


@dataclass(frozen=True, slots=True)
class PromptFile:
    """One prompt file, read."""

    name: str
    version: int
    mode: Mode
    title: str
    text: str
    """The whole file."""
    path: Path
    shipped: bool

    @property
    def label(self) -> str:
        """Name and version, as runs record it: ``slots.v1``."""
        return f"{self.name}.v{self.version}"

    @property
    def hash(self) -> str:
        """SHA-256 of the file's text."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def list_prompts(workspace: Path | None = None) -> list[PromptFile]:
    """Every prompt that can be named, one per label, by name and version."""
    found: dict[str, PromptFile] = {}
    for folder in _folders(workspace):
        for path in sorted(folder.glob("*.jinja")) if folder.is_dir() else ():
            prompt = load_prompt_file(path)
            found.setdefault(prompt.label, prompt)
    return sorted(found.values(), key=lambda p: (p.name, p.version))


def find_prompt(wanted: str, workspace: Path | None = None) -> PromptFile:
    """The prompt called `wanted` (``slots``, ``slots.v1``), or the file at the path `wanted`. Raises `PromptError`."""
    if wanted.endswith(".jinja") or "/" in wanted or "\\" in wanted:
        return load_prompt_file(Path(wanted))
    prompts = list_prompts(workspace)
    by_label = {prompt.label: prompt for prompt in prompts}
    if wanted in by_label:
        return by_label[wanted]
    versions = [prompt for prompt in prompts if prompt.name == wanted]
    if versions:
        return max(versions, key=lambda prompt: prompt.version)
    names = [*by_label, *{prompt.name for prompt in prompts}]
    close = difflib.get_close_matches(wanted, names, n=1)
    guess = f"Did you mean {close[0]}? " if close else ""
    raise PromptError(
        f"there is no prompt {wanted!r}",
        hint=f"{guess}There are: {', '.join(by_label)}. A file of your own is given by its path, ending in .jinja.",
    )


def load_prompt_file(path: Path) -> PromptFile:
    """The prompt in a file. Raises `PromptError` where it cannot be read or its first line does not give a mode."""
    match = _NAME.match(path.name)
    if match is None:
        raise PromptError(
            f"{path}: a prompt file is called NAME.vN.jinja, such as slots.v2.jinja",
            hint="Rename it: lower-case letters, digits, _ and - in the name, and a version number.",
        )
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise PromptError(f"{path}: there is no such file", hint="See `gapsmith prompt list`.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise PromptError(f"{path}: cannot be read as UTF-8 text ({error})") from None
    header = _HEADER.match(text)
    modes = ", ".join(Mode)
    if header is None or header["mode"] not in set(Mode):
        said = f" says mode {header['mode']!r}" if header else " does not say what it asks for"
        raise PromptError(
            f"{path}, line 1: the prompt{said}",
            hint=f"Begin the file with {{# mode: slots — a title #}}; the mode is one of: {modes}",
        )
    shipped = path.resolve().parent == _shipped_folder().resolve()
    title = (header["title"] or "").strip()
    return PromptFile(match["name"], int(match["version"]), Mode(header["mode"]), title, text, path, shipped)


def copy_prompt(prompt: PromptFile, target: Path) -> Path:
    """Copy a prompt for editing, into a folder or to a file that is not there yet; the path of the copy."""
    destination = target / prompt.path.name if target.is_dir() or not target.suffix else target
    if _NAME.match(destination.name) is None:
        raise PromptError(
            f"{destination}: a prompt file is called NAME.vN.jinja, such as {prompt.name}.v{prompt.version + 1}.jinja"
        )
    if destination.exists():
        raise PromptError(f"{destination} is there already", hint="Give another file name, or remove it first.")
    destination.parent.mkdir(parents=True, exist_ok=True)
    destination.write_text(prompt.text, encoding="utf-8")
    return destination


def _folders(workspace: Path | None) -> list[Path]:
    own = [workspace / "prompts"] if workspace is not None else []
    return [*own, _shipped_folder()]


def _shipped_folder() -> Path:
    return Path(str(resources.files("prompts"))) / "library"
