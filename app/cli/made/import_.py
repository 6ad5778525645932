"""The flags of `gapsmith import`. Written by `python -m tools.doors` from `gapsmith.app.requests.bringing.Import`; changes are made there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.numbers import given
from gapsmith.app.cli.options import JsonOption, WorkspaceOption
from gapsmith.templates import COUNT


def import_(
    file: Annotated[
        Path,
        typer.Argument(
            help="A suite, pairs, regions, slots, or a table of sentences; CSV, xlsx, JSON, text.", show_default=False
        ),
    ],
    paradigm: Annotated[
        str | None,
        typer.Option(
            "--paradigm",
            "-p",
            help="What the items are: a paradigm's name, or a .toml file (default: the one that fits, else a new one).",
            show_default=False,
        ),
    ] = None,
    own_paradigm: Annotated[
        bool, typer.Option("--own-paradigm", help="They are of no paradigm that is here: one is drafted for them.")
    ] = False,
    critical: Annotated[
        list[str] | None,
        typer.Option(
            "--critical",
            metavar="REGION",
            help="In which region this data set is measured, where that is not where its paradigm says: for all conditions, or CONDITION=REGION (repeatable).",
            show_default=False,
        ),
    ] = None,
    dataset: Annotated[
        str | None,
        typer.Option("--dataset", "-d", help="The data set they go into (default: the file's name).", show_default=False),
    ] = None,
    update: Annotated[
        bool, typer.Option("--update", help="Items whose ids are there already get a new revision from the file.")
    ] = False,
    preview: Annotated[
        bool, typer.Option("--preview", help="Show three items, the counts and what was taken for what; keep nothing.")
    ] = False,
    save_mapping: Annotated[
        Path | None,
        typer.Option(
            "--save-mapping",
            help="Write what was said and found out of the columns to this file, for --mapping.",
            show_default=False,
        ),
    ] = None,
    format: Annotated[
        str | None, typer.Option("--format", help="What the file is, where that is not found out.", show_default=False)
    ] = None,
    encoding: Annotated[
        str | None, typer.Option("--encoding", help="Its encoding, if not UTF-8: cp1252, latin-1.", show_default=False)
    ] = None,
    sheet: Annotated[
        list[str] | None,
        typer.Option(
            "--sheet",
            help="Which sheet of a spreadsheet; several are one table, with the name of the sheet in a column sheet (repeatable).",
            show_default=False,
        ),
    ] = None,
    first: Annotated[
        str | None,
        typer.Option(
            "--first", help="Which member of a pair comes first, where the file does not say it: good or bad.", show_default=False
        ),
    ] = None,
    attribute: Annotated[
        list[str] | None,
        typer.Option(
            "--attribute",
            help="A column that is no region; of lines, a label such as C: whose lines are said of their items (repeatable).",
            show_default=False,
        ),
    ] = None,
    region: Annotated[
        list[str] | None,
        typer.Option(
            "--region",
            help="A column that is a region all the same; beside --sentence-column, the one that counts or names the words of rows (repeatable).",
            show_default=False,
        ),
    ] = None,
    item_column: Annotated[
        list[str] | None,
        typer.Option("--item-column", help="The column of the item; several name it together (repeatable).", show_default=False),
    ] = None,
    condition_column: Annotated[
        list[str] | None,
        typer.Option("--condition-column", help="A column of the condition, one per factor (repeatable).", show_default=False),
    ] = None,
    sentence_column: Annotated[
        list[str] | None,
        typer.Option(
            "--sentence-column",
            help="The column of the sentences; several are a column per condition (repeatable).",
            show_default=False,
        ),
    ] = None,
    strip_prefix: Annotated[
        list[str] | None,
        typer.Option(
            "--strip-prefix",
            help="What stands before sentences and is no part of them, such as A: (repeatable; a number in it is any number, dots in brackets anything).",
            show_default=False,
        ),
    ] = None,
    per_item: Annotated[
        int | None,
        typer.Option(
            "--per-item",
            parser=given(COUNT),
            help="How many lines or rows an item has, where nothing in the file names it.",
            show_default=False,
        ),
    ] = None,
    region_mark: Annotated[
        str | None,
        typer.Option("--region-mark", help="What stands between the regions of a sentence, such as /.", show_default=False),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--only",
            metavar="COLUMN=VALUE",
            help="Only rows with this value in that column; several of one column are either (repeatable).",
            show_default=False,
        ),
    ] = None,
    leave_out: Annotated[
        list[str] | None,
        typer.Option(
            "--leave-out",
            metavar="COLUMN=VALUE|NUMBERS",
            help="What is not read: rows with this value in that column, or lines and rows by the numbers that messages give them, such as 4,7-9 ('SHEET!4' where several sheets are read; repeatable).",
            show_default=False,
        ),
    ] = None,
    stack: Annotated[
        bool,
        typer.Option(
            "--stack",
            help="Columns that stand side by side several times, such as list1_cond, list1_sentence, list2_cond, list2_sentence, are rows below each other, and so are several columns of --sentence-column; what tells them apart stands in a column part.",
        ),
    ] = False,
    frame: Annotated[
        list[str] | None,
        typer.Option(
            "--frame",
            help="A column of sentences with a blank, such as ___ or [MASK], or of what they begin or end with: the words of --sentence-column go into it (repeatable).",
            show_default=False,
        ),
    ] = None,
    items_by_words: Annotated[
        bool,
        typer.Option(
            "--items-by-words",
            help="Nothing numbers the items: the sentences of an item are those whose words are much more alike than those of other items.",
        ),
    ] = False,
    header_row: Annotated[
        int | None,
        typer.Option(
            "--header-row",
            parser=given(COUNT),
            help="The row of the headings, or of the first sentence of a text, where something stands above it.",
            show_default=False,
        ),
    ] = None,
    missing: Annotated[
        list[str] | None,
        typer.Option(
            "--missing", help="What a cell holds where there is no sentence, such as n/a (repeatable).", show_default=False
        ),
    ] = None,
    comment: Annotated[
        str | None,
        typer.Option(
            "--comment",
            help="What lines begin with that are comments, such as #; several signs with a space between, such as '# ;'.",
            show_default=False,
        ),
    ] = None,
    transpose: Annotated[bool, typer.Option("--transpose", help="Rows are columns and columns are rows.")] = False,
    headings: Annotated[
        str | None,
        typer.Option(
            "--headings",
            metavar="NAME,NAME",
            help="The headings of a table that has none, such as item,condition,sentence.",
            show_default=False,
        ),
    ] = None,
    header_rows: Annotated[
        int | None,
        typer.Option(
            "--header-rows", parser=given(COUNT), help="How many rows of headings there are, if several.", show_default=False
        ),
    ] = None,
    table: Annotated[
        str | None,
        typer.Option(
            "--table",
            help="Which table of a document is meant, from 1; or all, if they have the same columns.",
            show_default=False,
        ),
    ] = None,
    wrapped: Annotated[
        bool,
        typer.Option(
            "--wrapped",
            help="An indented line goes on with the sentence in the line above, and a cell that begins with a space with the cell before it.",
        ),
    ] = False,
    strip_suffix: Annotated[
        list[str] | None,
        typer.Option(
            "--strip-suffix",
            help="What stands behind sentences and is no part of them, such as '[...]' (repeatable; dots in brackets are anything).",
            show_default=False,
        ),
    ] = None,
    gap_mark: Annotated[
        list[str] | None,
        typer.Option(
            "--gap-mark",
            help="What stands in sentences for a gap, where a word would be, such as __: it is taken out (repeatable).",
            show_default=False,
        ),
    ] = None,
    good: Annotated[
        list[str] | None,
        typer.Option(
            "--good",
            metavar="COLUMN=VALUE",
            help="The value of a column that says that a sentence is acceptable, or, in a row with two sentences, that the first one is; high or low of ratings; or the acceptable condition alone (repeatable).",
            show_default=False,
        ),
    ] = None,
    alternatives: Annotated[
        str | None,
        typer.Option(
            "--alternatives",
            help="Sentences hold alternatives, such as was/*were or {is|are}, each a condition: crossed with those of other places, or parallel to them (the first with the first).",
            show_default=False,
        ),
    ] = None,
    blank_rows: Annotated[
        bool,
        typer.Option(
            "--blank-rows", help="Blank rows part sentences or items: what stands between them is numbered in a column block."
        ),
    ] = False,
    once: Annotated[
        bool,
        typer.Option(
            "--once",
            help="Rows that repeat an item's sentence, one for each participant, are read once; columns of answers, and all that differ between these rows, are left out.",
        ),
    ] = False,
    clean: Annotated[
        list[str] | None,
        typer.Option(
            "--clean",
            metavar="KIND",
            help="What is taken out of sentences, being no word of them: lists, html, markdown, latex, escapes, encoding, subwords, special, tags, capitals, indices, underscores, invisible, brackets, blanks (repeatable).",
            show_default=False,
        ),
    ] = None,
    take_out: Annotated[
        list[str] | None,
        typer.Option(
            "--take-out",
            metavar="TEXT",
            help="What is taken out wherever it stands in sentences, such as '<...>' (repeatable; a number in it is any number, dots in brackets anything).",
            show_default=False,
        ),
    ] = None,
    mapping: Annotated[
        Path | None,
        typer.Option(
            "--mapping", help="A file that says all this, as --save-mapping writes it; options go before it.", show_default=False
        ),
    ] = None,
    our_ids: Annotated[
        bool,
        typer.Option("--our-ids", help="The file names items by their ids alone, and these are ids of this bank as it is now."),
    ] = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Bring items in, from any file of sentences. Their ids are kept.

    What the file is, is found out and said, and --preview shows it. What it does not say is asked, or the file is refused with the
    options that say it. Without --paradigm the fitting one is taken, or one is drafted into the workspace's paradigms/. A file that
    cannot be understood (columns, encoding, a label that means no condition) is refused with the line, and nothing is imported.
    Missing, doubled or malformed sentences come in, and `gapsmith lint` says what is wrong.

    Examples: `gapsmith import items.csv`, `gapsmith import suite.json`, `gapsmith import pairs.txt --first good`, `gapsmith import items.xlsx --preview`.
    """
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("import", flags)
