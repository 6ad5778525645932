"""What can be asked of designs and of the texts that models are asked with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

from gapsmith.app.requests.base import StageRequest, Unset, needed, option
from gapsmith.app.requests.parts import Acting
from gapsmith.templates import COUNT

_DESIGN = "A paradigm's name, or the path of a file ending in .toml."
_WITH_ITEMS = "A paradigm with items here."
_PROMPT = "A prompt's name (slots, slots.v1), or the path of a .jinja file."


@dataclass(frozen=True, kw_only=True)
class ListParadigms(StageRequest):
    """The paradigms that come with gapsmith, and those of the workspace.

    A file that cannot be read is listed with its fault, and the exit code is then 2.
    """

    stage: ClassVar[str] = "paradigm list"


@dataclass(frozen=True, kw_only=True)
class ShowParadigm(StageRequest):
    """One paradigm: its conditions with an example, slots, constraints and contrasts."""

    stage: ClassVar[str] = "paradigm show"

    name: str = needed(_DESIGN, argument=True)


@dataclass(frozen=True, kw_only=True)
class CheckParadigm(StageRequest):
    """Check a paradigm file and say exactly what was checked."""

    stage: ClassVar[str] = "paradigm check"

    name: str = needed(_DESIGN, argument=True)
    n: Annotated[int | None, COUNT] = option(
        "Items that you mean to make, for the interval that they would give (default: as many as `gapsmith generate` makes).",
        "-n",
        default=None,
    )


@dataclass(frozen=True, kw_only=True)
class DiffParadigm(StageRequest):
    """How a paradigm's file differs from what its items were made with."""

    stage: ClassVar[str] = "paradigm diff"

    name: str = needed(_WITH_ITEMS, argument=True)


@dataclass(frozen=True, kw_only=True)
class UpdateParadigm(Acting):
    """Bring the items of a paradigm to the form that its file has now; decisions and scores stay where the texts do."""

    stage: ClassVar[str] = "paradigm update"

    name: str = needed(_WITH_ITEMS, argument=True)
    dry_run: bool = option("Only say what would change.", default=False)


@dataclass(frozen=True, kw_only=True)
class ListPrompts(StageRequest):
    """The prompts that come with gapsmith, and those of the workspace."""

    stage: ClassVar[str] = "prompt list"


@dataclass(frozen=True, kw_only=True)
class ShowPrompt(StageRequest):
    """A prompt's template, or with -p the text that a model would get."""

    stage: ClassVar[str] = "prompt show"

    name: str = needed(_PROMPT, argument=True)
    paradigm: str | Unset = option("Render it for this paradigm.", "--paradigm", "-p")
    design: str | Unset = option("The conditions, in sentence mode.")
    n: Annotated[int, COUNT] = option("How many items it asks for (default: 10).", "-n", default=10)


@dataclass(frozen=True, kw_only=True)
class CopyPrompt(StageRequest):
    """Copy a prompt for editing. In the workspace's prompts/, a copy takes the place of the original."""

    stage: ClassVar[str] = "prompt copy"

    name: str = needed(_PROMPT, argument=True)
    target: Path | Unset = option("A folder, or a file NAME.vN.jinja (default: the workspace's prompts/).", argument=True)
