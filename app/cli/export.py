"""`gapsmith export`: item sets and results for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gapsmith.app.cli.numbers import given
from gapsmith.app.cli.options import DatasetOption, LookOption, UnigramOption, WorkspaceOption
from gapsmith.templates import SEED

if TYPE_CHECKING:
    from gapsmith.app.exporting import Exported, ExportOptions
    from gapsmith.bank import Bank, ItemFilter


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.command("export")(export_items)


def export_items(
    kind: Annotated[
        str | None,
        typer.Argument(
            metavar="[FORMAT]",
            help="csv, xlsx by the name of --out, suite, slots, long, tests …; see below (default: as the file that came in).",
            show_default=False,
        ),
    ] = None,
    paradigm: Annotated[
        str | None,
        typer.Option("--paradigm", "-p", help="Whose items; not needed if the bank has one paradigm.", show_default=False),
    ] = None,
    dataset: DatasetOption = None,
    design: Annotated[
        str | None,
        typer.Option("--design", help="The conditions and labels, e.g. lan2x2 (default: all conditions).", show_default=False),
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            "-m",
            help="Scores of this model only, in the long table (default: of each that measured some of it); of several, for "
            "differences (repeatable).",
            show_default=False,
        ),
    ] = None,
    status: Annotated[str, typer.Option("--status", help="Items that are approved, pending, …")] = "approved",
    all_items: Annotated[bool, typer.Option("--all", help="Items of every status.")] = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="The file or folder to write (default: stdout).", show_default=False),
    ] = None,
    excel: Annotated[bool, typer.Option("--excel", help="Put a byte-order mark first, for Excel.")] = False,
    defused: Annotated[
        bool, typer.Option("--defuse", help="Put an apostrophe before cells that a spreadsheet would run.")
    ] = False,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            help="What a stretch's tokens come to in the frame: sum (default), mean, slor, … (repeatable); in tests and items, "
            "in place of each contrast's own.",
            show_default=False,
        ),
    ] = None,
    corrected: Annotated[
        bool, typer.Option("--corrected", help="Move the mass of word boundaries to the end of words, in the frame.")
    ] = False,
    unigram: UnigramOption = None,
    holm: Annotated[
        bool, typer.Option("--holm", help="Verdicts of tests follow p as corrected by Holm, as in analyze --holm.")
    ] = False,
    contexts: Annotated[
        list[str] | None,
        typer.Option("--contexts", help="In the contexts of this set too, in the frame (repeatable).", show_default=False),
    ] = None,
    critical: Annotated[bool, typer.Option("--critical", help="Only critical regions, in the frame.")] = False,
    whole: Annotated[bool, typer.Option("--whole", help="The whole sentence too, as region *, in the frame.")] = False,
    formula: Annotated[
        str | None,
        typer.Option("--formula", help="The mixed model for r (default: what the design calls for).", show_default=False),
    ] = None,
    conditions: Annotated[
        str | None,
        typer.Option("--conditions", help="Lists: the conditions, with commas between them.", show_default=False),
    ] = None,
    fillers: Annotated[
        Path | None, typer.Option("--fillers", help="Lists: a file of other sentences.", show_default=False)
    ] = None,
    seed: Annotated[int, typer.Option("--seed", parser=given(SEED), help="Lists and tasks: the seed of their order.")] = 1,
    pair: Annotated[
        list[str] | None,
        typer.Option("--pair", help="Tasks: GOOD,BAD, two conditions (repeatable).", show_default=False),
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
    language: Annotated[str, typer.Option("--language", help="Hub: the language of the sentences.")] = "en",
    citation: Annotated[Path | None, typer.Option("--citation", help="Hub: a BibTeX file.", show_default=False)] = None,
    parser: Annotated[str, typer.Option("--parser", help="Who parses, for conllu: embedded, spacy:NAME, stanza.")] = "embedded",
    ids: Annotated[
        bool,
        typer.Option(
            "--ids",
            help="Item sets: also each item's uid and the digest of its texts, by which it is found again when the file comes "
            "back. Everything else has them anyway.",
        ),
    ] = False,
    look: LookOption = False,
    workspace: WorkspaceOption = None,
) -> None:
    """Write item sets and numbers for other programs. Approved items, unless you say otherwise.

    Without FORMAT a data set goes out as the file that it came from: equal to it, where nobody edited anything.

    Item sets: csv (a row per sentence), region_columns, region_rows, suite, blimp, pair_table, pair_lines, slots; tables become
    spreadsheets for `-o NAME.xlsx`. Experiments: pcibex and jspsych, Latin squares. Folders: hub (a data set with a card),
    lm-eval (tasks). Parses: conllu. Numbers: long (or parquet), one row per item, condition, region, model and measure;
    tokens, words; tests, items and conditions of the analysis; differences by item between models, data sets or contexts;
    decisions; r: a folder with a script for lme4 and its data.
    The ending of --out (.csv, .parquet, .md, .tex) says how a table of numbers is written.
    """
    from gapsmith.app.cli.choices import parse_status
    from gapsmith.app.cli.console import note
    from gapsmith.app.cli.export_numbers import export_numbers
    from gapsmith.app.cli.looking import look_or_say
    from gapsmith.app.exporting import export, formats, is_format, write_whole
    from gapsmith.app.workspace import open_workspace
    from gapsmith.bank import ItemFilter, only_paradigm
    from gapsmith.scoring import FrameWish
    from gapsmith.scoring.report import NUMBERS
    from gapsmith.templates import ConfigError, count

    options = _options(
        conditions=conditions,
        fillers=fillers,
        seed=seed,
        pair=pair,
        by=by,
        title=title,
        license=license,
        language=language,
        citation=citation,
        ids=ids,
    )
    with open_workspace(workspace) as ws:
        name = paradigm or only_paradigm(ws.bank, dataset)
        ws.bank.paradigms.newest(name)
        statuses = () if all_items else (parse_status(status),)
        selection = ItemFilter(paradigm=name, dataset=dataset, statuses=statuses)
        look_or_say(ws.bank, selection, look=look)
        if kind == "conllu":
            _export_treebank(ws.bank, selection, parser, out)
            return
        if kind is not None and kind in NUMBERS:
            models = tuple(dict.fromkeys(model or ()))
            if len(models) > 1 and kind != "differences":
                raise ConfigError(
                    f"several models are for differences, not for {kind}",
                    hint="Name one with --model, or leave it out for all of them.",
                )
            wish = FrameWish(
                model=next(iter(models), None),
                models=models,
                design=design,
                measures=tuple(measure or ()),
                critical_only=critical,
                whole=whole,
                corrected=corrected,
                contexts=tuple(contexts or ()),
                holm=holm,
            )
            done = export_numbers(
                ws, kind, selection, wish, out, corpus=unigram, excel=excel, defused=defused, formula=formula, by=by
            )
        elif kind is None or is_format(kind):
            done = export(ws.bank, kind, selection, design=design, excel=excel, defused=defused, out=out, options=options)
        else:
            raise ConfigError(
                f"there is no format {kind!r}",
                hint=f"There are: {', '.join(dict.fromkeys([*formats(), *NUMBERS, 'conllu']))}.",
            )
    if not done.is_folder:
        if out is None:
            _print(done.content)
        else:
            write_whole(out, done.content)
    if out is not None and kind != "r":
        note(f"Wrote {count(done.rows, done.unit)} to {out}{'' if kind else f' ({done.format})'}")
    _say(done, defused=defused)


def _print(content: bytes) -> None:
    """The content on stdout. Raises `ConfigError` where it cannot be written there."""
    import os
    import sys

    from gapsmith.templates import ConfigError

    try:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        # What is left in the buffer would be tried, and complained of, once more at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise ConfigError(f"stdout cannot be written ({error.strerror})", hint="Not all of it went out.") from None


def _options(
    *,
    conditions: str | None,
    fillers: Path | None,
    seed: int,
    pair: list[str] | None,
    by: str | None,
    title: str | None,
    license: str | None,
    language: str,
    citation: Path | None,
    ids: bool,
) -> ExportOptions:
    from gapsmith.app.exporting import ExportOptions
    from gapsmith.templates import ConfigError

    pairs = []
    for text in pair or ():
        good, comma, bad = (part.strip() for part in text.partition(","))
        if not (good and comma and bad):
            raise ConfigError(f"--pair {text}: is no pair", hint="Two conditions, the better one first: --pair good,bad.")
        pairs.append((good, bad))
    try:
        bibtex = citation.read_text(encoding="utf-8") if citation is not None else ""
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{citation}: cannot be read as UTF-8 text ({error})") from None
    return ExportOptions(
        conditions=tuple(name.strip() for name in (conditions or "").split(",") if name.strip()),
        fillers=fillers,
        seed=seed,
        pairs=tuple(pairs),
        by=by,
        title=title,
        license=license,
        language=language,
        citation=bibtex,
        ids=ids,
    )


def _export_treebank(bank: Bank, selection: ItemFilter, parser: str, out: Path | None) -> None:
    """The items as CoNLL-U; where no items fit, nothing is written and the command says so."""
    from gapsmith.app.cli.console import note, warning
    from gapsmith.app.exporting import write_whole
    from gapsmith.app.treebank_export import export_treebank
    from gapsmith.templates import count

    done = export_treebank(bank, selection, parser)
    if done.blank:
        warning(f"Left out {count(len(done.blank), 'sentence')} without a word: {', '.join(done.blank)}")
    if out is None:
        _print(done.content)
    else:
        write_whole(out, done.content)
        note(f"Wrote {count(done.sentences, 'sentence')} of {count(done.items, 'item')} to {out}")


def _say(done: Exported, *, defused: bool) -> None:
    """What the user should know of the file that was written."""
    from gapsmith.app.cli.console import note, warning
    from gapsmith.templates import count

    for said in done.notes:
        note(said)
    if done.versions > 1:
        note(f"The items were made with {done.versions} versions of the paradigm; each was read with its own.")
    if done.left_out:
        warning(f"{count(done.left_out, 'sentence')} not in it: the paradigm has no such condition; `gapsmith lint` names them.")
    if done.shared_labels:
        stand = "stands" if done.shared_labels == 1 else "stand"
        warning(
            f"{count(done.shared_labels, 'id')} {stand} for items of several data sets, which this format does not name; "
            "write one data set with --dataset NAME."
        )
    if done.formulas and not defused:
        warning(
            f"{count(done.formulas, 'cell')} would be run as {'a formula' if done.formulas == 1 else 'formulas'} by a "
            "spreadsheet; --defuse puts an apostrophe there."
        )
    if done.unfit:
        does, lacks = ("is", "has") if len(done.unfit) == 1 else ("are", "have")
        labels = ", ".join(done.unfit[:10]) + (" …" if len(done.unfit) > 10 else "")
        warning(
            f"{count(len(done.unfit), 'item')} {does} not in it, since {done.format} needs {done.needs}, which "
            f"{'it does' if lacks == 'has' else 'they do'} not have: {labels}"
        )
