"""What can be asked of bringing in: items, and numbers from elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import ClassVar

from gapsmith.app.requests.base import StageRequest, Unset, needed, option
from gapsmith.app.requests.parts import FileReading, OurIds, Selection


@dataclass(frozen=True, kw_only=True)
class DraftParadigm(FileReading):
    """Draft a paradigm from a file: its conditions, regions, and what its predictions say, to be read and gone on with."""

    stage: ClassVar[str] = "paradigm draft"
    examples: ClassVar[tuple[str, ...]] = (
        "gapsmith paradigm draft suite.json",
        "gapsmith paradigm draft items.xlsx --name object_gap -o object_gap.toml",
    )

    file: Path = needed("A suite, pairs, regions, or a table of sentences.", argument=True)
    out: Path | Unset = option("The file to write (default: stdout).", "--out", "-o")
    name: str | Unset = option(
        "The paradigm's name: small letters, digits and _, a letter first (default: after the file).", pattern="[a-z][a-z0-9_]*"
    )
    force: bool = option("Write over a file that is there.", default=False)


@dataclass(frozen=True, kw_only=True)
class NewParadigm(StageRequest):
    """Write a paradigm of your own: asks at a terminal for what is not said, writes the file, and checks it.

    A region is one text for all conditions, or one for each level of the factors in brackets, in their order, with | between them. A word in
    braces is a slot; {head_pl} is the plural of the slot head, where its kind is noun.
    """

    stage: ClassVar[str] = "paradigm new"
    examples: ClassVar[tuple[str, ...]] = (
        (
            "gapsmith paradigm new agree --factor 'form: right, wrong' --region 'subject: the {head}' "
            "--region 'verb[form]: is | are' --region 'rest: {rest}' --slot 'head noun: farmer, nurse' --slot 'rest: tired, late' "
            "--status right=ok --status wrong=* --critical verb --contrast 'agreement: wrong - right, positive'"
        ),
        "gapsmith paradigm new agree",
    )

    name: str = needed("What it is called: small letters, digits and _, a letter first.", argument=True)
    title: str | Unset = option("Its title (default: its name).")
    factor: tuple[str, ...] = option("A factor and its levels: 'number: sg, pl' (repeatable).", default=())
    region: tuple[str, ...] = option(
        "A region, in reading order: 'subject: the {head}', or 'verb[number]: is | are' (repeatable).", default=()
    )
    slot: tuple[str, ...] = option(
        "A slot with its words: 'head: farmer, nurse', or 'head noun: …' where its other forms are used (repeatable).", default=()
    )
    status: Mapping[str, str] = option(
        "What a native speaker says of a condition: sg_right=ok, ? or * (repeatable).",
        metavar="CONDITION=STATUS",
        default=MappingProxyType({}),
    )
    critical: tuple[str, ...] = option("Where conditions are measured: a region, or LEVEL=REGION (repeatable).", default=())
    contrast: tuple[str, ...] = option("'NAME: FORMULA, negative|positive|exploratory' (repeatable).", default=())
    final_mark: str = option("The mark at the end of the sentences.", default=".")
    out: Path | Unset = option("The file to write (default: paradigms/NAME.toml of the workspace).", "--out", "-o")
    force: bool = option("Write over a file that is there.", default=False)


@dataclass(frozen=True, kw_only=True)
class Import(FileReading, OurIds):
    """Bring items in, from any file of sentences. Their ids are kept.

    What the file is, is found out and said, and --preview shows it. What it does not say is asked, or the file is refused with the
    options that say it. Without --paradigm the fitting one is taken, or one is drafted into the workspace's paradigms/. A file that
    cannot be understood (columns, encoding, a label that means no condition) is refused with the line, and nothing is imported.
    Missing, doubled or malformed sentences come in, and `gapsmith lint` says what is wrong.
    """

    stage: ClassVar[str] = "import"
    examples: ClassVar[tuple[str, ...]] = (
        "gapsmith import items.csv",
        "gapsmith import suite.json",
        "gapsmith import pairs.txt --first good",
        "gapsmith import items.xlsx --preview",
    )

    file: Path = needed("A suite, pairs, regions, slots, or a table of sentences; CSV, xlsx, JSON, text.", argument=True)
    paradigm: str | Unset = option(
        "What the items are: a paradigm's name, or a .toml file (default: the one that fits, else a new one).", "--paradigm", "-p"
    )
    own_paradigm: bool = option("They are of no paradigm that is here: one is drafted for them.", default=False)
    critical: tuple[str, ...] = option(
        "In which region this data set is measured, where that is not where its paradigm says: for all conditions, or CONDITION=REGION"
        " (repeatable).",
        metavar="REGION",
        default=(),
    )
    dataset: str | Unset = option("The data set they go into (default: the file's name).", "--dataset", "-d")
    update: bool = option("Items whose ids are there already get a new revision from the file.", default=False)
    preview: bool = option("Show three items, the counts and what was taken for what; keep nothing.", default=False)
    save_mapping: Path | Unset = option("Write what was said and found out of the columns to this file, for --mapping.")


@dataclass(frozen=True, kw_only=True)
class ImportScores(Selection, OurIds):
    """Take in surprisals from elsewhere for items that are here, and analyse them like any model's."""

    stage: ClassVar[str] = "import-scores"

    file: Path = needed("CSV, TSV or xlsx with a row per token or per region.", argument=True)
    model: str = needed("What the values are to be called, such as gpt2.", "--model", "-m")
    unit: str | Unset = option("bits or nats, where the heading does not say it.", words=("bits", "nats"))
    log_probabilities: bool | Unset = option("What the values are, where the heading does not say it.", "--log-prob/--surprisal")
    column: Mapping[str, str] = option(
        "What a column is, where its heading does not say it: value, token, region, start, end, item, condition or sentence (repeatable).",
        metavar="WHAT=HEADING",
        default=MappingProxyType({}),
    )
