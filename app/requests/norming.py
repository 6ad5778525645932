"""What can be asked of acceptability studies: to make one, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

from gapsmith.app.requests.base import Unset, needed, option
from gapsmith.app.requests.parts import Acting, Looking, Selection
from gapsmith.bank import ItemStatus
from gapsmith.templates import COUNT, SEED

_FILE = "The study's file."


@dataclass(frozen=True, kw_only=True)
class NewJudging(Selection, Acting):
    """Write the one file that decides an acceptability study: sentences, scale, annotators, order, fillers, practice.

    Every annotator gets a sheet of their own: each item in one condition, by Latin square. The file is read by `review --judge`, in
    the terminal and with --web, by `packet make --judge` and by `judge results`.
    """

    stage: ClassVar[str] = "judge new"
    examples: ClassVar[tuple[str, ...]] = (
        "gapsmith judge new study.toml -p subject_pg --to ann --to ben",
        "gapsmith judge new study.toml -p subject_pg --to ann --to ben --n 12 --seed 1",
        "gapsmith judge new study.toml -p subject_pg --to ann --task choice --condition pf_pg1_pg2 --condition mf_pg1_pg2",
    )

    file: Path = needed("The file to write: NAME.toml.", argument=True)
    to: tuple[str, ...] = needed("Who judges (repeatable).")
    task: str = option(
        "scale (default), categories (ok, questionable, bad) or choice (the better one of two).",
        default="scale",
        words=("scale", "categories", "choice"),
    )
    question: str | Unset = option("What is asked of every sentence (default: how natural it is).")
    points: Annotated[int, COUNT] = option("Of a scale (default: 7).", default=7)
    anchor: tuple[str, ...] = option(
        "What a point is called, from the worst: once for every point (repeatable; default: from completely unnatural to completely"
        " natural).",
        default=(),
    )
    condition: tuple[str, ...] = option(
        "Conditions that are judged (repeatable; default: all). A choice is between two.", default=()
    )
    shown: str = option(
        "one (default): each item in one condition, by Latin square; all: in every condition.",
        default="one",
        words=("one", "all"),
    )
    apart: Annotated[int, COUNT] = option("With --shown all: places between sentences of one item (default: 10).", default=10)
    fillers: tuple[str, ...] = option("Data sets whose items are fillers (repeatable).", default=())
    practice: tuple[str, ...] = option("A sentence to practise on, in the place of ours (repeatable).", default=())
    status: tuple[str, ...] = option(
        "Only items that are approved, pending, …, as far as you may see (repeatable; default: approved as soon as some are).",
        default=(),
        words=tuple(map(str, ItemStatus)),
    )
    n: Annotated[int | Unset, COUNT] = option(
        "How many items, drawn at random by --seed, as many of each paradigm and data set as of the others (default: all).",
        "--n",
        "-n",
    )
    pause_every: Annotated[int, COUNT] = option("Answers from one break to the next (default: 50).", default=50)
    seed: Annotated[int, SEED] = option("Of the orders, and of what is drawn (default: 0).", default=0)


@dataclass(frozen=True, kw_only=True)
class JudgingResults(Acting, Looking):
    """What came of an acceptability study: every answer with its by-person z-score, and marks for answers that came too fast or in
    long runs of the same.

    Nothing is left out: marks are for you to decide on. Others' answers are shown to those who may see them, as in `agreement`.
    """

    stage: ClassVar[str] = "judge results"
    examples: ClassVar[tuple[str, ...]] = ("gapsmith judge results study.toml --csv answers.csv",)

    file: Path = needed(_FILE, argument=True)
    mine: bool = option(
        "Only your own, which needs no lock; items, conditions and fillers are named once your sheet is finished.", default=False
    )
    csv: Path | Unset = option("Write a row for each answer here.")
