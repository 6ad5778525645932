"""What can be asked of data sets and banks as a whole."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from gapsmith.app.requests.base import StageRequest, Unset, needed, option
from gapsmith.app.requests.parts import Acting

_NAME, _WHOSE = "The data set's name.", "Of this paradigm, where several have a data set of that name."


@dataclass(frozen=True, kw_only=True)
class LoadDataset(StageRequest):
    """Put a vetted data set that comes with gapsmith into the workspace, with the decisions of its two readers."""

    stage: ClassVar[str] = "dataset load"

    name: str = needed("gaps40 or refined10.", argument=True, words=("gaps40", "refined10"))


@dataclass(frozen=True, kw_only=True)
class RecogniseDatasets(StageRequest):
    """Bring in a published benchmark as it was downloaded: BLiMP, SyntaxGym's suites, POSH-BENCH.

    The folder's files are checked against a manifest of names, counts and digests. Every file becomes a data set, its items with
    the attributes phenomenon and category. What is missing, or not as published, is said.
    """

    stage: ClassVar[str] = "dataset recognise"
    examples: ClassVar[tuple[str, ...]] = (
        "gapsmith dataset recognise blimp/data",
        "gapsmith dataset recognise test_suites --dry-run",
    )

    folder: Path = needed("The folder as it was downloaded and unpacked.", argument=True)
    benchmark: str | Unset = option(
        "Which one it is (default: found out by its files).", words=("blimp", "posh-bench", "syntaxgym")
    )
    first: str | Unset = option(
        "Which member of a pair comes first, where its files do not say it: good or bad.", words=("good", "bad")
    )
    dry_run: bool = option("Only say what is there, missing and changed.", default=False)
    changed: bool = option("Bring in files that are not as published, too.", default=False)


@dataclass(frozen=True, kw_only=True)
class RenameDataset(Acting):
    """Give a data set another name. `gapsmith dataset undo` takes it back."""

    stage: ClassVar[str] = "dataset rename"

    name: str = needed(_NAME, argument=True)
    new: str = needed("Its new name.", argument=True)
    paradigm: str | Unset = option(_WHOSE, "--paradigm", "-p")


@dataclass(frozen=True, kw_only=True)
class RemoveDataset(Acting):
    """Take a data set out of all lists, scores and analyses. Nothing is deleted: `gapsmith dataset undo` brings it back."""

    stage: ClassVar[str] = "dataset remove"

    name: str = needed(_NAME, argument=True)
    paradigm: str | Unset = option(_WHOSE, "--paradigm", "-p")


@dataclass(frozen=True, kw_only=True)
class UndoDataset(Acting):
    """Take back the last renaming or removal, where that was the last thing you did."""

    stage: ClassVar[str] = "dataset undo"


@dataclass(frozen=True, kw_only=True)
class MergeBanks(StageRequest):
    """Bring in what was done in copies of this bank, or in other banks: items, edits, decisions, judgements, comments.

    The other bank is not touched. What is known stays; a second merge of the same finds nothing. An item that two people edited
    apart is disputed: `gapsmith review --adjudicate` shows both versions. Nobody sees more of the others' decisions than before.
    From a bank.rescued-TIME.sqlite, scores and parses come in, too.
    """

    stage: ClassVar[str] = "bank merge"

    sources: tuple[Path, ...] = needed("Other workspaces, their bank.sqlite, or files of `gapsmith bank log`.", argument=True)
    dry_run: bool = option("Say what would come in; change nothing.", default=False)
