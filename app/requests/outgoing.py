"""What can be asked of exports, and of the long frame."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

from gapsmith.app.requests.base import Unset, option
from gapsmith.app.requests.parts import Everything, Looking, MadeBy, ModelledBy, OneParadigm, OneScorer, TrainedOn
from gapsmith.templates import MINUTES, SEED, ConfigError


@dataclass(frozen=True, kw_only=True)
class Framed(OneParadigm, OneScorer, Everything, MadeBy, TrainedOn, Looking):
    """Whose numbers stand in a table, and which."""

    design: str | Unset = option("The conditions and labels, e.g. lan2x2 (default: all conditions).")
    measure: tuple[str, ...] = option(
        "What a stretch's tokens come to in the frame: sum (default), mean, slor, … (repeatable); in tests and items, in place of"
        " each contrast's own.",
        default=(),
    )
    contexts: tuple[str, ...] = option("In the contexts of this set too, in the frame (repeatable).", default=())
    critical_only: bool = option("Only critical regions, in the frame.", "--critical", default=False)
    whole: bool = option("The whole sentence too, as region *, in the frame.", default=False)


@dataclass(frozen=True, kw_only=True)
class MakeFrame(Framed):
    """The long frame: one row per item, condition, region, model and measure, as `gapsmith export long` writes it.

    The columns are described in docs/analysis.md; `observation` names what a value was computed from, so that
    ``table.query("critical").drop_duplicates(["condition", "observation"])`` has each measurement once. Approved items, or with
    `everything` all of them; every model that measured any of them, or `model`.
    """

    stage: ClassVar[str] = "frame"

    model: str | Unset = option("Scores of this model only (default: of each that measured some of it).")


@dataclass(frozen=True, kw_only=True)
class Export(Framed, ModelledBy):
    """Write item sets and numbers for other programs. Approved items, unless you say otherwise.

    Without FORMAT a data set goes out as the file that it came from: equal to it, where nobody edited anything.

    Item sets: csv (a row per sentence), region_columns, region_rows, suite, blimp, pair_table, pair_lines, slots; tables become
    spreadsheets for `-o NAME.xlsx`. Experiments: pcibex and jspsych, Latin squares. Folders: hub (a data set with a card),
    lm-eval (tasks). Parses: conllu. Numbers: long (or parquet), one row per item, condition, region, model and measure;
    tokens, words; tests, items and conditions of the analysis; differences by item between models, data sets or contexts;
    decisions, also those against an item; r: a folder with a script for lme4 and its data.
    The ending of --out (.csv, .parquet, .md, .tex) says how a table of numbers is written.
    """

    stage: ClassVar[str] = "export"

    kind: str | Unset = option(
        "csv, xlsx by the name of --out, suite, slots, long, tests …; see below (default: as the file that came in).",
        metavar="[FORMAT]",
        argument=True,
    )
    model: tuple[str, ...] = option(
        "Scores of this model only, in the long table (default: of each that measured some of it); of several, for differences"
        " (repeatable).",
        "--model",
        "-m",
        default=(),
    )
    status: str | Unset = option(
        "Items that are approved, pending, … (default: approved; of decisions: all, whatever was decided).",
        words=("pending", "approved", "excluded", "flagged", "disputed"),
    )
    out: Path | Unset = option("The file or folder to write (default: stdout).", "--out", "-o")
    excel: bool = option("Put a byte-order mark first, for Excel.", default=False)
    defuse: bool = option("Put an apostrophe before cells that a spreadsheet would run.", default=False)
    uncorrected: bool = option("Verdicts of tests follow p as it is, as in analyze --uncorrected.", default=False)
    formula: str | Unset = option("The mixed model for r (default: what the design calls for).")
    checked: bool = option(
        "r: run the script where R with lme4 is, and compare it with the fit here; an error where they differ.",
        "--check",
        default=False,
    )
    check_minutes: Annotated[float, MINUTES] = option(
        "With --check: how long R may take (default: 10).", default=10.0, unit="minutes"
    )
    conditions: tuple[str, ...] = option("Lists: the conditions, with commas between them.", commas=True, default=())
    fillers: Path | Unset = option("Lists: a file of other sentences.")
    seed: Annotated[int, SEED] = option("Lists and tasks: the seed of their order.", default=1)
    pair: tuple[str, ...] = option("Tasks: two conditions, the better one first (repeatable).", metavar="GOOD,BAD", default=())
    by: str | Unset = option("Tasks: one for each value of this attribute. Differences: model, revision, dataset or context.")
    title: str | Unset = option("Hub: the title on the card.")
    license: str | Unset = option("Hub: such as cc-by-4.0.")
    language: str = option("Hub: the language of the sentences.", default="en")
    citation: Path | Unset = option("Hub: a BibTeX file.")
    parser: str = option("Who parses, for conllu: embedded, spacy:NAME, stanza.", default="embedded")
    on: str | Unset = option(
        "conllu: where sentences are parsed. ray: all processors or GPUs of this machine; ray=ADDRESS: those of a running cluster."
    )
    ids: bool = option(
        "Item sets: also each item's uid and the digest of its texts, by which it is found again when the file comes back."
        " Everything else has them anyway.",
        default=False,
    )

    def check(self) -> None:
        self.pairs  # noqa: B018 - read once, so that what is no pair is refused here

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Of tasks: pairs of conditions, the better one first. Raises `ConfigError` for what is no pair."""
        found = []
        for text in self.pair:
            good, comma, bad = (part.strip() for part in text.partition(","))
            if not (good and comma and bad):
                raise ConfigError(f"--pair {text}: is no pair", hint="Two conditions, the better one first: --pair good,bad.")
            found.append((good, bad))
        return tuple(found)


@dataclass(frozen=True, kw_only=True)
class Publish(OneParadigm, OneScorer, Everything, MadeBy, TrainedOn, Looking):
    """Write one folder that can be given to OSF, Zenodo or the Hugging Face hub. Nothing is uploaded.

    In it: the approved items (data.jsonl, data.csv) with a card, the paradigm's file, who decided what, the frozen plan, the numbers and
    the report of one model, how to cite it, and SHA256SUMS with a digest of every file. What there is not, such as scores or a plan, is
    said in the card. The folder has to be new or empty.
    """

    stage: ClassVar[str] = "publish"
    examples: ClassVar[tuple[str, ...]] = (
        "gapsmith publish --creator 'Ada Miller' --license cc-by-4.0 -o my-set",
        "gapsmith publish -o my-set -p subject_pg -m gpt2 --citation paper.bib",
    )

    out: Path | Unset = option("The folder to write, new or empty (default: published/ in the workspace).", "--out", "-o")
    model: str | Unset = option(
        "Whose numbers (default: `model` of the settings where it has scored the items, else the only one that has).",
        "--model",
        "-m",
    )
    design: str | Unset = option("Only the contrasts of this design.")
    uncorrected: bool = option("Verdicts of tests follow p as it is, as in analyze --uncorrected.", default=False)
    title: str | Unset = option("What the set is called (default: its data set's or paradigm's name).")
    creator: tuple[str, ...] = option("Who made the set, as they are to be cited (repeatable).", default=())
    license: str | Unset = option("Under which licence others may use it, such as cc-by-4.0.")
    language: str = option("The language of the sentences.", default="en")
    citation: Path | Unset = option("A BibTeX file with the paper to cite.")
