"""`gapsmith bank`: the file that everything is kept in: whether it is whole, copies of it, and work of several people."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.options import JsonOption, WorkspaceOption
from gapsmith.templates import count

app = typer.Typer(help="The bank: check it, copy it, go back to a copy, bring in what others did.", no_args_is_help=True)


def register(root: typer.Typer) -> None:
    """Add the commands."""
    root.add_typer(app, name="bank")


@app.command("check")
def check(
    file: Annotated[
        Path | None, typer.Argument(help="A bank's file or a workspace (default: the bank here).", show_default=False)
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Whether a bank is whole: the file, every row against its checksum, references, and what follows from its events.

    Nothing is changed. The exit code is 1 where something is wrong. Checksums tell accident, decay and other programs; they
    cannot tell what was changed before they were computed, which is said with the date.
    """
    from gapsmith.app.cli.console import ExitCode, error, note, print_json
    from gapsmith.app.workspace import bank_file
    from gapsmith.bank import Bank, uncopied_bytes

    path = bank_file(file) if file is not None else _bank_here(workspace)
    with Bank.open_copy(path) as bank:
        found = bank.faults()
        items = bank.items.count() if not found else None
        since = None if bank.sums_missing else bank.sums_since() if not found else None
    waiting = uncopied_bytes(path)
    if as_json:
        print_json(
            {
                "bank": str(path),
                "faults": found,
                "items": items,
                "checksums_since": since,
                "bytes_beside_the_file": waiting,
            }
        )
    elif items is not None:
        note(f"{path}: whole: {count(items, 'item')}; file, rows, references, texts and events agree")
        if since is None:
            note(
                "It has no checksums of its rows yet: the first command that opens it computes them, and they vouch from then on."
            )
        else:
            note(f"Its checksums vouch from {since} on: what was changed before that is not known to them.")
    for fault in found if not as_json else ():
        error(f"{path}: {fault}")
    if found:
        if not as_json:
            note("Keep this file as it is, and go on with a copy: gapsmith bank restore FILE.")
        raise typer.Exit(ExitCode.FAILED)
    if waiting and not as_json:
        note(uncopied(path, waiting))


def uncopied(path: Path, waiting: int) -> str:
    """What to say of what lies beside a bank's file."""
    return (
        f"{waiting / 1024:,.0f} KB of it are in {path.name}-wal: a copy of {path.name} alone would lack what is in there."
        " Copy it with `gapsmith bank backup`."
    )


@app.command("backup")
def backup(
    to: Annotated[
        Path | None,
        typer.Argument(help="A file that is not there yet, or a folder (default: beside the bank).", show_default=False),
    ] = None,
    workspace: WorkspaceOption = None,
) -> None:
    """Copy the bank, whole and as of one moment, also while others write to it.

    Copying bank.sqlite by hand loses what still lies in bank.sqlite-wal, most of all after a kill. The copy is one file.
    """
    from gapsmith.app.cli.console import note
    from gapsmith.bank import back_up

    made = back_up(_bank_here(workspace), to)
    note(f"Copied to {made} ({made.stat().st_size / 1e6:,.1f} MB). `gapsmith bank restore {made}` goes back to it.")


@app.command("restore")
def restore(
    file: Annotated[Path, typer.Argument(help="A copy that `gapsmith bank backup` or an upgrade made.")],
    workspace: WorkspaceOption = None,
) -> None:
    """Put a copy in the bank's place, after looking through it. The bank that was there is kept under another name.

    Where there is no workspace yet, one is made around the copy.
    """
    from gapsmith.app.cli.console import note
    from gapsmith.app.workspace import BANK, find_workspace, mark_workspace, place_of
    from gapsmith.bank import restore as put_back

    root = find_workspace(workspace)
    place = root if root is not None else place_of(workspace)
    items, kept = put_back(file, place / BANK)
    if root is None:
        mark_workspace(place)
    if kept is not None:
        note(f"The bank that was there is kept as {kept}")
    note(f"{place / BANK} is what {file} was: {count(items, 'item')}")


@app.command("lead")
def lead(
    name: Annotated[str | None, typer.Argument(help="Who leads from now on (default: say who does).")] = None,
    by: Annotated[
        str | None,
        typer.Option("--by", help="Who hands it on (default: `annotator` of the settings, else you).", show_default=False),
    ] = None,
    workspace: WorkspaceOption = None,
) -> None:
    """Who leads the bank, and so sees what others decide before locking; with a name, hand that on, which only the lead does.

    The lead is who began the bank, in banks of older releases its first author. Whoever neither leads nor has locked gets lists,
    reports and exports without what others decided, or looks on record (--look). All this protects from accident: who opens
    the file with a database tool, or borrows a name, sees everything.
    """
    from gapsmith.app.cli.console import note, print_text
    from gapsmith.app.workspace import open_workspace

    with open_workspace(workspace, reader=by) as ws:
        if name is None:
            print_text(ws.bank.gate.lead or "Nobody leads this bank yet: nobody has decided anything.")
            return
        ws.bank.gate.hand_on(name)
        note(f"{name} leads this bank now; {ws.bank.reader} did until now.")


@app.command("log")
def log(
    file: Annotated[Path, typer.Argument(help="Where to write it, a .jsonl file that is not there yet.")],
    workspace: WorkspaceOption = None,
) -> None:
    """Write all that was recorded to a file, one JSON object a line, for `gapsmith bank merge` elsewhere.

    Everybody's decisions are in it. Scores are not: the other side computes those that it lacks.
    """
    from gapsmith.app.cli.console import note
    from gapsmith.app.workspace import open_workspace
    from gapsmith.bank import write_log

    with open_workspace(workspace) as ws:
        count = write_log(ws.bank, file)
    note(f"{count:,} entries in {file}")


def _bank_here(workspace: Path | None) -> Path:
    from gapsmith.app.workspace import BANK, find_workspace, place_of
    from gapsmith.templates import ConfigError

    root = find_workspace(workspace)
    if root is None:
        raise ConfigError(
            f"{place_of(workspace)}: there is no gapsmith workspace here", hint="Say where it is with --workspace DIR."
        )
    return root / BANK
