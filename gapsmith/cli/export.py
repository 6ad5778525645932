"""`gapsmith export`: item sets and results for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gapsmith.cli.options import DatasetOption, WorkspaceOption

if TYPE_CHECKING:
    from bank import Bank, ItemFilter
    from gapsmith.exporting import Exported

__all__ = ["register"]


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.command("export")(export_items)


def export_items(
    kind: Annotated[str, typer.Argument(metavar="FORMAT", help="csv, slots, long, parquet or conllu.")],
    paradigm: Annotated[
        str | None,
        typer.Option(
            "--paradigm", "-p", help="Whose items; not needed if the bank has one paradigm.", show_default=False
        ),
    ] = None,
    dataset: DatasetOption = None,
    design: Annotated[
        str | None,
        typer.Option(
            "--design", help="The conditions and labels, e.g. lan2x2 (default: all conditions).", show_default=False
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            "-m",
            help="Scores of this model only, in the long table (default: of each that measured some of it).",
            show_default=False,
        ),
    ] = None,
    status: Annotated[str, typer.Option("--status", help="Items that are approved, pending, …")] = "approved",
    all_items: Annotated[bool, typer.Option("--all", help="Items of every status.")] = False,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="The file to write (default: stdout).", show_default=False)
    ] = None,
    excel: Annotated[bool, typer.Option("--excel", help="Put a byte-order mark first, for Excel.")] = False,
    defused: Annotated[
        bool, typer.Option("--defuse", help="Put an apostrophe before cells that a spreadsheet would run.")
    ] = False,
    parser: Annotated[
        str, typer.Option("--parser", help="Who parses, for conllu: embedded, spacy:NAME, stanza.")
    ] = "embedded",
    workspace: WorkspaceOption = None,
) -> None:
    """Write item sets and results for other programs. Approved items, unless you say otherwise.

    csv: the sentences with item and condition; slots: JSON lines; long and parquet: one row per item, condition, region and
    model, with surprisal in bits; conllu: the parses, with item and condition.
    """
    import sys

    from bank import ItemFilter
    from gapsmith.cli.choices import parse_status
    from gapsmith.cli.console import note
    from gapsmith.exporting import export, write
    from gapsmith.workspace import open_workspace

    with open_workspace(workspace) as ws:
        name = paradigm or only_paradigm(ws.bank.paradigms.names())
        ws.bank.paradigms.newest(name)
        statuses = () if all_items else (parse_status(status),)
        selection = ItemFilter(paradigm=name, dataset=dataset, statuses=statuses)
        if kind == "conllu":
            _export_treebank(ws.bank, selection, parser, out)
            return
        done = export(ws.bank, kind, selection, design=design, model=model, excel=excel, defused=defused)
    if out is None:
        sys.stdout.buffer.write(done.content)
    else:
        write(done, out)
        note(f"Wrote {count(done.rows, 'row')} to {out}")
    _say(done, defused=defused)


def _export_treebank(bank: Bank, selection: ItemFilter, parser: str, out: Path | None) -> None:
    """The items as CoNLL-U; where no items fit, nothing is written and the command says so."""
    import sys

    from gapsmith.cli.console import note
    from gapsmith.exporting import write_whole
    from gapsmith.treebank_export import export_treebank

    done = export_treebank(bank, selection, parser)
    if out is None:
        sys.stdout.buffer.write(done.content)
    else:
        write_whole(out, done.content)
        note(f"Wrote {count(done.sentences, 'sentence')} of {count(done.items, 'item')} to {out}")


def _say(done: Exported, *, defused: bool) -> None:
    """What the user should know of the file that was written."""
    from gapsmith.cli.console import note, warning

    if done.versions > 1:
        note(f"The items were made with {done.versions} versions of the paradigm; each was read with its own.")
    if done.left_out:
        warning(
            f"{count(done.left_out, 'sentence')} not in it: the paradigm has no such condition; `gapsmith lint` names them."
        )
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
    if done.without_slots:
        without = len(done.without_slots)
        have = "has no slots and is" if without == 1 else "have no slots and are"
        warning(f"{count(without, 'item')} {have} not in it: {', '.join(done.without_slots[:10])}")


def count(number: int, noun: str) -> str:
    """The number with its noun."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def only_paradigm(names: list[str]) -> str:
    """The bank's only paradigm. Raises `ConfigError` where there is none, or a choice to be made."""
    from templates.errors import ConfigError

    if len(names) == 1:
        return names[0]
    if not names:
        raise ConfigError("the bank has no items yet", hint="Make some with `gapsmith generate` or `gapsmith import`.")
    raise ConfigError(f"the bank has items of {len(names)} paradigms", hint=f"Say which: -p {' or -p '.join(names)}.")
