"""The flags of `gapsmith audit`. Written by `python -m tools.doors` from `gapsmith.app.requests.checking.AuditSet`; changes are made there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.numbers import given
from gapsmith.app.cli.options import JsonOption
from gapsmith.templates import COUNT


def audit(
    file: Annotated[
        Path, typer.Argument(help="A suite, pairs, regions, or a table of sentences; CSV, xlsx, JSON, text.", show_default=False)
    ],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="The page to write (default: FILE.audit.html here).", show_default=False)
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            "--model", "-m", help="Also how often a model is right, with and without the faulty items.", show_default=False
        ),
    ] = None,
    fail_on: Annotated[
        str | None,
        typer.Option(
            "--fail-on",
            help="Exit with 1 where there is a finding of this severity or a worse one, and print these: error, warning, info, never.",
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
    dtype: Annotated[
        str | None, typer.Option("--dtype", help="float32 (default), bfloat16 or float16.", show_default=False)
    ] = None,
    kernel: Annotated[
        str | None,
        typer.Option(
            "--kernel",
            help="What multiplies float32 matrices on the processor: auto (default: the faster of default and packed), default (torch's), packed (oneDNN's, as exact), or bf16 (oneDNN's, in bfloat16 where that is faster: another scorer).",
            show_default=False,
        ),
    ] = None,
    batch_size: Annotated[
        int | None,
        typer.Option(
            "--batch-size", parser=given(COUNT), help="Sentences per forward pass of batches (default 32).", show_default=False
        ),
    ] = None,
    device: Annotated[
        str | None, typer.Option("--device", help="auto (default), cpu, cuda, cuda:1, mps.", show_default=False)
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Read a published set with the rules that need no paradigm; one HTML page and a CSV, no workspace.

    Examples: `gapsmith audit suite.json`, `gapsmith audit blimp.jsonl --model gpt2`, `gapsmith audit pairs.txt --first good`, `gapsmith audit items.csv --fail-on error`.
    """
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("audit", flags)
