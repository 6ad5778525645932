"""What can be asked of data sets and banks as a whole."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from gapsmith.app.requests.base import StageRequest, Unset, needed, option
from gapsmith.app.requests.parts import Acting

_NAME, _WHOSE = "The data set's name.", "Of this paradigm, where several have a data set of that name."


@dataclass(frozen=True, kw_only=True)
class ListDatasets(StageRequest):
    """The data sets, with how many items each has, and what people had to say of their files."""

    stage: ClassVar[str] = "dataset list"

    paradigm: tuple[str, ...] = option("Only those of this paradigm (repeatable).", "--paradigm", "-p", default=())
    removed: bool = option("Also those that were taken out.", default=False)


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


@dataclass(frozen=True, kw_only=True)
class CheckBank(StageRequest):
    """Whether a bank is whole: the file, every row against its checksum, references, and what follows from its events.

    Nothing is changed. The exit code is 1 where something is wrong. Checksums tell accident, decay and other programs; they
    cannot tell what was changed before they were computed, which is said with the date.
    """

    stage: ClassVar[str] = "bank check"

    file: Path | Unset = option("A bank's file or a workspace (default: the bank here).", argument=True)
    report: Path | Unset = option(
        "Also say what has changed since this report, study or export was written: its folder, or the manifest.json in it."
    )


@dataclass(frozen=True, kw_only=True)
class BackUpBank(StageRequest):
    """Copy the bank, whole and as of one moment, also while others write to it.

    Copying bank.sqlite by hand loses what still lies in bank.sqlite-wal, most of all after a kill. The copy is one file.
    """

    stage: ClassVar[str] = "bank backup"

    to: Path | Unset = option("A file that is not there yet, or a folder (default: beside the bank).", argument=True)


@dataclass(frozen=True, kw_only=True)
class RestoreBank(StageRequest):
    """Put a copy in the bank's place, after looking through it. The bank that was there is kept under another name.

    Where there is no workspace yet, one is made around the copy.
    """

    stage: ClassVar[str] = "bank restore"

    file: Path = needed("A copy that `gapsmith bank backup` or an upgrade made.", argument=True)


@dataclass(frozen=True, kw_only=True)
class LeadBank(Acting):
    """Who leads the bank, and so sees what others decide before locking; with a name, hand that on, which only the lead does.

    The lead is who began the bank, in banks of older releases its first author. Whoever neither leads nor has locked gets lists,
    reports and exports without what others decided, or looks on record (--look). All this protects from accident: who opens
    the file with a database tool, or borrows a name, sees everything.
    """

    stage: ClassVar[str] = "bank lead"

    name: str | Unset = option("Who leads from now on (default: say who does).", argument=True)


@dataclass(frozen=True, kw_only=True)
class LogBank(StageRequest):
    """Write all that was recorded to a file, one JSON object a line, for `gapsmith bank merge` elsewhere.

    Everybody's decisions are in it; where you may not see these yet, it is sealed, and only who leads the bank can merge it or a copy of
    the bank. Scores are not in it: the other side computes those that it lacks.
    """

    stage: ClassVar[str] = "bank log"

    file: Path = needed("Where to write it, a .jsonl file that is not there yet.", argument=True)
