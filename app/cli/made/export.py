"""The flags of `gapsmith export`. Written by `python -m tools.doors` from `gapsmith.app.requests.outgoing.Export`; changes are made there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.numbers import given
from gapsmith.app.cli.options import JsonOption, WorkspaceOption
from gapsmith.templates import MINUTES, NUMBER_IN_BANK, SEED


def export(
    kind: Annotated[
        str | None,
        typer.Argument(
            metavar="[FORMAT]",
            help="csv, xlsx by the name of --out, suite, slots, long, tests …; see below (default: as the file that came in).",
            show_default=False,
        ),
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            "-m",
            help="Scores of this model only, in the long table (default: of each that measured some of it); of several, for differences (repeatable).",
            show_default=False,
        ),
    ] = None,
    status: Annotated[
        str | None,
        typer.Option(
            "--status",
            help="Items that are approved, pending, … (default: approved; of decisions: all, whatever was decided).",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="The file or folder to write (default: stdout).", show_default=False)
    ] = None,
    excel: Annotated[bool, typer.Option("--excel", help="Put a byte-order mark first, for Excel.")] = False,
    defuse: Annotated[
        bool, typer.Option("--defuse", help="Put an apostrophe before cells that a spreadsheet would run.")
    ] = False,
    uncorrected: Annotated[
        bool, typer.Option("--uncorrected", help="Verdicts of tests follow p as it is, as in analyze --uncorrected.")
    ] = False,
    formula: Annotated[
        str | None,
        typer.Option("--formula", help="The mixed model for r (default: what the design calls for).", show_default=False),
    ] = None,
    checked: Annotated[
        bool,
        typer.Option(
            "--check",
            help="r: run the script where R with lme4 is, and compare it with the fit here; an error where they differ.",
        ),
    ] = False,
    check_minutes: Annotated[
        float | None,
        typer.Option(
            "--check-minutes", parser=given(MINUTES), help="With --check: how long R may take (default: 10).", show_default=False
        ),
    ] = None,
    conditions: Annotated[
        list[str] | None,
        typer.Option("--conditions", help="Lists: the conditions, with commas between them.", show_default=False),
    ] = None,
    fillers: Annotated[
        Path | None, typer.Option("--fillers", help="Lists: a file of other sentences.", show_default=False)
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option("--seed", parser=given(SEED), help="Lists and tasks: the seed of their order.", show_default=False),
    ] = None,
    pair: Annotated[
        list[str] | None,
        typer.Option(
            "--pair", metavar="GOOD,BAD", help="Tasks: two conditions, the better one first (repeatable).", show_default=False
        ),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(
            "--by",
            help="Tasks: one for each value of this attribute. Differences: model, revision, dataset or context.",
            show_default=False,
        ),
    ] = None,
    title: Annotated[str | None, typer.Option("--title", help="Hub: the title on the card.", show_default=False)] = None,
    license: Annotated[str | None, typer.Option("--license", help="Hub: such as cc-by-4.0.", show_default=False)] = None,
    language: Annotated[
        str | None, typer.Option("--language", help="Hub: the language of the sentences.", show_default=False)
    ] = None,
    citation: Annotated[Path | None, typer.Option("--citation", help="Hub: a BibTeX file.", show_default=False)] = None,
    parser: Annotated[
        str | None, typer.Option("--parser", help="Who parses, for conllu: embedded, spacy:NAME, stanza.", show_default=False)
    ] = None,
    on: Annotated[
        str | None,
        typer.Option(
            "--on",
            help="conllu: where sentences are parsed. ray: all processors or GPUs of this machine; ray=ADDRESS: those of a running cluster.",
            show_default=False,
        ),
    ] = None,
    ids: Annotated[
        bool,
        typer.Option(
            "--ids",
            help="Item sets: also each item's uid and the digest of its texts, by which it is found again when the file comes back. Everything else has them anyway.",
        ),
    ] = False,
    design: Annotated[
        str | None,
        typer.Option("--design", help="The conditions and labels, e.g. lan2x2 (default: all conditions).", show_default=False),
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            help="What a stretch's tokens come to in the frame: sum (default), mean, slor, … (repeatable); in tests and items, in place of each contrast's own.",
            show_default=False,
        ),
    ] = None,
    contexts: Annotated[
        list[str] | None,
        typer.Option("--contexts", help="In the contexts of this set too, in the frame (repeatable).", show_default=False),
    ] = None,
    critical_only: Annotated[bool, typer.Option("--critical", help="Only critical regions, in the frame.")] = False,
    whole: Annotated[bool, typer.Option("--whole", help="The whole sentence too, as region *, in the frame.")] = False,
    paradigm: Annotated[
        str | None,
        typer.Option("--paradigm", "-p", help="Whose items; not needed if the bank has one paradigm.", show_default=False),
    ] = None,
    dataset: Annotated[
        str | None, typer.Option("--dataset", "-d", help="Only items of this data set.", show_default=False)
    ] = None,
    scorer: Annotated[
        int | None,
        typer.Option(
            "--scorer",
            parser=given(NUMBER_IN_BANK),
            metavar="ID",
            help="Scores of this scorer, where one model scored with several settings.",
            show_default=False,
        ),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Every item, whatever was decided of it, not only the approved ones.")
    ] = False,
    corrected: Annotated[
        bool, typer.Option("--corrected", help="Move the probability mass of word boundaries to where words end.")
    ] = False,
    convention: Annotated[
        str | None,
        typer.Option(
            "--convention",
            help="How numbers are made of tokens: gapsmith (default), or as another program makes them: minicons, minicons-mean, lm-eval, babylm. `gapsmith score --convention` computes what it needs.",
            show_default=False,
        ),
    ] = None,
    unigram: Annotated[
        Path | None,
        typer.Option(
            "--unigram",
            metavar="CORPUS",
            help="The text that the model was trained on, in which slor counts tokens (also .xz, .gz).",
            show_default=False,
        ),
    ] = None,
    look: Annotated[
        bool, typer.Option("--look", help="Look at what others decided before you have locked; that is recorded for every item.")
    ] = False,
    rows: Annotated[
        str | None,
        typer.Option(
            "--rows",
            help="A row of the mixed model: each observation once, or all items and sentences, whose repeats published analyses counted (default: observations).",
            show_default=False,
        ),
    ] = None,
    reduce: Annotated[
        bool | None,
        typer.Option(
            "--reduce/--no-reduce",
            help="Leave out random slopes and correlations that the data do not call for, step by step (default: for auto only).",
            show_default=False,
        ),
    ] = None,
    double_bar: Annotated[
        str | None,
        typer.Option(
            "--double-bar",
            help="(x || g) in the mixed model: contrasts (default), each of x varies by itself; split: as lme4 reads it.",
            show_default=False,
        ),
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write item sets and numbers for other programs. Approved items, unless you say otherwise.

    Without FORMAT a data set goes out as the file that it came from: equal to it, where nobody edited anything.

    Item sets: csv (a row per sentence), region_columns, region_rows, suite, blimp, pair_table, pair_lines, slots; tables become
    spreadsheets for `-o NAME.xlsx`. Experiments: pcibex and jspsych, Latin squares. Folders: hub (a data set with a card),
    lm-eval (tasks). Parses: conllu. Numbers: long (or parquet), one row per item, condition, region, model and measure;
    tokens, words; tests, items and conditions of the analysis; differences by item between models, data sets or contexts;
    decisions, also those against an item; r: a folder with a script for lme4 and its data.
    The ending of --out (.csv, .parquet, .md, .tex) says how a table of numbers is written.
    """
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("export", flags)
