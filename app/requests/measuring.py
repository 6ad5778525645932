"""What can be asked of scoring, analyses and reports."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

from gapsmith.app.requests.base import UNSET, StageRequest, Unset, needed, option
from gapsmith.app.requests.parts import ByConvention, Everything, Kinds, Looking, Measured, Models, Running, Selection, Testing
from gapsmith.templates import CONFIDENCE, CONVENTIONS, SIZE, ConfigError


@dataclass(frozen=True, kw_only=True)
class Score(Selection, Everything, Running):
    """Score the approved items with a language model: the surprisal of every token, in bits.

    Each distinct sentence is scored once and kept at once. Run it again to go on after a stop: what the same model has scored
    with the same settings is not scored again.
    """

    stage: ClassVar[str] = "score"
    examples: ClassVar[tuple[str, ...]] = ("gapsmith score", "gapsmith score --model bundled --all")

    model: str | Unset = option(
        "A model of the Hugging Face hub, a directory, or `bundled` (default: `model` of the settings, else gpt2); with an engine"
        " of an installed package, what that one takes (default: its own).",
        "--model",
        "-m",
        setting="model",
    )
    bos: bool = option("Put one beginning-of-sequence token before each sentence.", default=True)
    convention: tuple[str, ...] = option(
        "What this scoring convention (minicons, minicons-mean, lm-eval, babylm, gapsmith) needs, in place of what --bos says; conventions"
        " that need the same are one scorer (repeatable).",
        default=(),
        words=tuple(CONVENTIONS),
    )
    engine: str = option(
        "tree (what sentences share is computed once), batches, or auto: tree where the model can be run so; or an engine of an"
        " installed package, by its name in `gapsmith doctor`.",
        default="auto",
    )
    on: str | Unset = option(
        "ray: all processors or GPUs of this machine, one model each; ray=ADDRESS: those of a running cluster."
    )
    revision: tuple[str, ...] = option(
        "Commit, tag or branch of a model of the hub; may be given several times, and each is a scorer of its own.", default=()
    )
    remove_downloads: bool = option("Remove each revision that had to be fetched, once it has scored everything.", default=False)
    boundary: bool = option(
        "Measure the probability of word boundaries too, for `analyze --corrected`; adds to what was scored without.",
        default=False,
    )
    critical_only: bool = option(
        "Only the words that contrasts and criteria are about: faster; a later run without it adds the rest.", default=False
    )
    contexts: tuple[str, ...] = option("In the contexts of this set too (`gapsmith context`); repeatable.", default=())
    profile: bool = option("Say what took how long, by phase, in wall and processor time.", default=False)
    dry_run: bool = option("Say how many tokens that is and how long it will take; keep nothing.", default=False)

    def check(self) -> None:
        if self.convention and not self.bos:
            raise ConfigError("--convention says how sentences begin, and so does --no-bos", hint="Leave one of them out.")


@dataclass(frozen=True, kw_only=True)
class ConvertModel(StageRequest):
    """Make a folder of a checkpoint of Gulordava et al. (2018), a word-level LSTM, which `gapsmith score --model` takes then.

    The checkpoint is a pickle, which could run code: only tensors are read of it, and what wants to use anything else is refused by name.
    """

    stage: ClassVar[str] = "model convert"
    examples: ClassVar[tuple[str, ...]] = (
        "gapsmith model convert hidden650_batch128_dropout0.2_lr20.0.pt vocab.txt --out gulordava",
    )

    checkpoint: Path = needed("The checkpoint (.pt): a whole RNNModel, or the dictionary of its state.", argument=True)
    vocabulary: Path = needed("The vocab.txt that was published beside it.", argument=True)
    out: Path = needed("The new folder.", "--out", "-o")


@dataclass(frozen=True, kw_only=True)
class AnalysisRequest(Selection, Everything, Measured, Testing, Kinds, Looking):
    """What every request for analyses has, whatever is made of them."""

    words: str = option(
        "What the words of items are: slots (regions, where items came as sentences), or roles as well, read from sentences that have no"
        " slots.",
        words=("slots", "roles"),
        default="slots",
    )

    @property
    def compares(self) -> bool:
        """Whether several models, data sets, contexts or words are asked for side by side."""
        return bool(self.by or self.contexts) or len(self.model) > 1 or len(self.dataset) > 1

    def check(self) -> None:
        for name, asked in (("--formula", bool(self.formula)), ("--sensitivity", self.sensitivity)):
            if asked and self.compares:
                raise ConfigError(f"{name} is about one model and data set", hint="Leave --by out, and name one of each.")
        if self.words == "roles" and self.formula:
            raise ConfigError(
                "--words roles is about the tests of contrasts; a formula names columns", hint="Leave one of the two out."
            )
        if self.kinds is not UNSET and len(self.model) < 2 and "model" not in self.by:
            raise ConfigError(
                "--kinds says what several models are, and one is analysed", hint="Name them with --model, or say --by model."
            )


@dataclass(frozen=True, kw_only=True)
class Analyze(AnalysisRequest):
    """Test the contrasts of every scored paradigm over its approved items.

    Prints for each contrast the mean in bits, t, df, p, a two-sided interval, dz and n, the share of items with the expected
    sign, and what that says. Several models or data sets, and --by, put results side by side.
    """

    stage: ClassVar[str] = "analyze"
    examples: ClassVar[tuple[str, ...]] = (
        "gapsmith analyze",
        "gapsmith analyze -p subject_pg -c P1 -c P4",
        "gapsmith analyze -m gpt2 -m bundled",
        "gapsmith analyze --by verb",
        "gapsmith analyze --design lan2x2 --alternative expected",
    )

    regions: bool | Unset = option("Means of every region too (default: wherever no table is printed).")


@dataclass(frozen=True, kw_only=True)
class PlanPower(Selection, Everything, Models, Kinds, ByConvention, Looking):
    """Say what more items, words or models would show: the smallest effect that is found, from the variances of items that are scored.

    With --effect, or where a contrast's file says the smallest effect that matters (delta), also with what chance and by how many items
    it is found; and, where the words are too few for any number of items, how many words would do. Several data sets and models stand
    by themselves, models that are seeds of one kind together as well. --out draws the curves.
    """

    stage: ClassVar[str] = "power"
    examples: ClassVar[tuple[str, ...]] = (
        "gapsmith power",
        "gapsmith power -p subject_pg -c did --effect 0.5",
        "gapsmith power --effect 0.5 --out power",
    )

    contrast: tuple[str, ...] = option(
        "Only this contrast, by its name or as tables show it (repeatable).", "--contrast", "-c", default=()
    )
    effect: Annotated[float | Unset, SIZE] = option(
        "The effect to find, in the unit of the contrasts (bits), above 0 (default: what their file says matters)."
    )
    power: Annotated[float, CONFIDENCE] = option("The chance with which an effect is to be found.", default=0.8)
    confidence: Annotated[float, CONFIDENCE] = option("Of intervals and tests (0.95: p < .05).", default=0.95)
    out: Path | Unset = option("A folder for power.csv and the curves, a figure for each table.", "--out", "-o")

    def check(self) -> None:
        if self.kinds is not UNSET and len(self.model) < 2:
            raise ConfigError("--kinds says what several models are, and one is analysed", hint="Name them with --model.")


@dataclass(frozen=True, kw_only=True)
class ReportRequest(AnalysisRequest):
    """Write report.html (one file, no network needed), report.md, figures/ and items/, to which its numbers lead.

    Says in plain words what was asked, which model this was and what came out, then shows tables, figures, exclusions with their
    reasons, and how every number was made. Several models or data sets, --contexts and --by add a part that puts them side by
    side, with a curve over the revisions of a model or the lengths of contexts; the other parts are about the first of the
    models, each data set that is named by itself. A report that is already there is replaced.
    """

    stage: ClassVar[str] = "report"

    out: Path | Unset = option("Folder to write it into (default: report/ in the workspace).", "--out", "-o")
