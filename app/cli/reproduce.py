"""`gapsmith reproduce`: the studies of papers, one command each."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.options import JsonOption


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.command("reproduce")(reproduce)


def reproduce(
    study: Annotated[str, typer.Argument(help="`list`, a study's name, or a study's file.")],
    model: Annotated[
        list[str] | None,
        typer.Option("--model", "-m", help="May be given several times (default: bundled).", show_default=False),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="The folder for everything (default: the study's name).", show_default=False),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Do a published study again: the same design and tests, the published numbers beside ours.

    Each step is printed as the command that you could type yourself. Running it again repeats nothing that is done.
    """
    import sys
    from contextlib import nullcontext, redirect_stdout
    from dataclasses import asdict

    from rich.table import Table
    from rich.text import Text

    from gapsmith.app.cli.console import note, print_json, print_table, print_text
    from gapsmith.app.studies import (
        StudyRun,
        check_contrasts,
        effects_beside,
        load_study,
        numbers_of,
        shipped_studies,
        steps_of,
        write_study,
    )
    from gapsmith.app.studies.writing import comparison_tables, effect_tables
    from gapsmith.app.workspace import open_workspace

    if study == "list":
        found = shipped_studies()
        if as_json:
            print_json([{"name": one.name, "title": one.title, "paper": one.paper} for one in found])
            return
        table = Table("study", "what", "paper")
        for one in found:
            table.add_row(Text(one.name), Text(one.title), Text(one.paper))
        print_table(table)
        return
    wanted = load_study(study)
    folder = out or Path(wanted.name)
    check_contrasts(wanted, folder)
    models = list(dict.fromkeys(model or [wanted.model]))
    # With --json, stdout is for the numbers alone.
    with redirect_stdout(sys.stderr) if as_json else nullcontext():
        _run(list(steps_of(wanted, str(folder), models)), folder)
    with open_workspace(folder) as ws:
        runs = [StudyRun(wanted, ws.bank, name) for name in models]
        rows = numbers_of(wanted, runs)
        effects = effects_beside(wanted, folder, models)
        written = write_study(wanted, runs, rows, folder / "study", effects=effects)
    if as_json:
        numbers = [{**asdict(row), "difference": row.difference, "agrees": row.agrees} for row in rows]
        print_json([*numbers, *map(asdict, effects)])
    else:
        for table_of in (*comparison_tables(rows), *effect_tables(effects)):
            shown = Table(title=Text(table_of.caption))
            for number, column in enumerate(table_of.columns):
                shown.add_column(column, justify="right" if number in table_of.numeric else "left")
            for cells in table_of.rows:
                shown.add_row(*map(Text, cells))
            print_table(shown)
        print_text(f"The whole comparison: {written.page}")
    wrong = [row for row in rows if row.agrees is False]
    if wrong:
        note(f"{len(wrong)} of the numbers that should be equal are not; see {written.page}")
        raise typer.Exit(1)


def _run(steps: list[tuple[str, tuple[str, ...], bool]], folder: Path) -> None:
    """Run the commands; those that are done once only are remembered in the folder."""
    import json
    import shlex
    import sys

    from gapsmith.app.cli.app import app
    from gapsmith.app.cli.console import note

    kept = folder / "study-steps.json"
    done = _done_before(kept)
    for number, (why, arguments, once) in enumerate(steps, 1):
        line = shlex.join(arguments)
        if once and line in done:
            continue
        note(f"\n{number}. {why}\n$ gapsmith {line}")
        code = app(list(arguments), standalone_mode=False)
        sys.stdout.flush()
        if code:
            raise typer.Exit(code)
        if once:
            done.append(line)
            kept.write_text(json.dumps(done, indent=1), encoding="utf-8")


def _done_before(kept: Path) -> list[str]:
    """The commands that were carried out by an earlier go. Raises `ConfigError` where the file does not say so."""
    from gapsmith.templates import ConfigError, DocumentError, read_json

    if not kept.is_file():
        return []
    try:
        done = read_json(kept.read_bytes())
    except (OSError, DocumentError) as error:
        raise ConfigError(f"{kept}: cannot be read ({error})", hint="Name another folder with --out.") from None
    if not isinstance(done, list) or not all(isinstance(line, str) for line in done):
        raise ConfigError(f"{kept}: is no list of commands", hint="Name another folder with --out.")
    return done
