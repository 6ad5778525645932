"""The texts that models are asked with: which there are, what one says, a copy for editing."""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gapsmith.app.chosen import adviser
from gapsmith.app.listed import Listed
from gapsmith.app.requests.base import Unset, said, said_or_none
from gapsmith.app.requests.designing import CopyPrompt, ListPrompts, ShowPrompt
from gapsmith.app.services import QUIET, Services
from gapsmith.app.workspace import Workspace, root_of, settings_of
from gapsmith.prompts import Mode, PromptFile, find_prompt, prompt_context, render_prompt
from gapsmith.prompts import copy_prompt as copied_prompt
from gapsmith.prompts import list_prompts as prompts_there
from gapsmith.templates import ConfigError, load_paradigm


class Prompts(Listed[PromptFile]):
    """The prompts there are."""

    __slots__ = ()

    def row_data(self, row: PromptFile) -> dict[str, Any]:
        """A prompt's file as JSON takes it, without its text."""
        return {
            "name": row.name,
            "version": row.version,
            "mode": row.mode.value,
            "title": row.title,
            "hash": row.hash,
            "shipped": row.shipped,
            "path": str(row.path),
        }


@dataclass(frozen=True, slots=True)
class PromptShown:
    """A prompt's template, or the text that a model would get."""

    request: ShowPrompt
    prompt: PromptFile
    text: str

    def __str__(self) -> str:
        return self.text

    def as_data(self) -> dict[str, Any]:
        """The text, and which prompt it is, as JSON takes it."""
        return {"name": self.prompt.label, "hash": self.prompt.hash, "text": self.text}


@dataclass(frozen=True, slots=True)
class PromptCopied:
    """A copy for editing."""

    request: CopyPrompt
    file: Path

    def as_data(self) -> dict[str, Any]:
        """Where it is, as JSON takes it."""
        return {"file": str(self.file)}


def list_prompts(source: Workspace | str | os.PathLike[str] | None, request: ListPrompts, _services: Services = QUIET) -> Prompts:
    """`source` is a workspace or where one is (None: from here upwards); without one there are those that ship."""
    return Prompts(request, tuple(prompts_there(root_of(source))))


def show_prompt(
    source: Workspace | str | os.PathLike[str] | None, request: ShowPrompt, _services: Services = QUIET
) -> PromptShown:
    """Raises `ConfigError` where there is no such prompt or paradigm."""
    root = root_of(source)
    # A plain text is shown as it is, whatever it asks for.
    prompt = find_prompt(request.name, root, mode=Mode.SENTENCES)
    if isinstance(request.paradigm, Unset):
        return PromptShown(request, prompt, prompt.text)
    loaded = load_paradigm(request.paradigm, root)
    settings = source.settings if isinstance(source, Workspace) else settings_of(root)
    advice = adviser(settings, loaded, root).advice()
    design = said_or_none(request.design) or prompt.design
    context = prompt_context(loaded, n=request.n, mode=prompt.mode, design=design, advice=advice)
    return PromptShown(request, prompt, render_prompt(prompt, context))


def copy_prompt(
    source: Workspace | str | os.PathLike[str] | None, request: CopyPrompt, services: Services = QUIET
) -> PromptCopied:
    """Raises `ConfigError` where there is no such prompt, no workspace to copy it into, or the file is there already."""
    root = root_of(source)
    if isinstance(request.target, Unset) and root is None:
        raise ConfigError(
            "there is no workspace here to copy the prompt into",
            hint="Make one with `gapsmith init`, or say where the copy should go.",
        )
    copied = copied_prompt(find_prompt(request.name, root), said(request.target, (root or Path()) / "prompts"))
    services.note(f"Edit it, then: gapsmith generate PARADIGM --prompt {shlex.quote(str(copied))} --provider …")
    return PromptCopied(request, copied)
