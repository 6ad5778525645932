"""`gapsmith paradigm`: the designs there are, what one says, and whether a file is sound."""

from __future__ import annotations

from typing import Annotated

import typer

from gapsmith.app.cli.options import JsonOption, WorkspaceOption
from gapsmith.templates import count

app = typer.Typer(help="The designs: list them, show one, check a file of your own.", no_args_is_help=True)
NameArgument = Annotated[str, typer.Argument(help="A paradigm's name, or the path of a file ending in .toml.")]


def register(root: typer.Typer) -> None:
    """Add the commands."""
    root.add_typer(app, name="paradigm")


@app.command("list")
def list_paradigms(workspace: WorkspaceOption = None, as_json: JsonOption = False) -> None:
    """The paradigms that come with gapsmith, and those of the workspace. A file that cannot be read is listed with its fault,
    and the exit code is then 2."""
    from rich.table import Table
    from rich.text import Text

    from gapsmith.app.cli.console import ExitCode, note, print_json, print_table
    from gapsmith.app.workspace import find_workspace
    from gapsmith.templates import GapsmithError, Paradigm, load_paradigm, paradigm_files

    found: dict[str, Paradigm] = {}
    broken: dict[str, tuple[str, GapsmithError]] = {}
    root = find_workspace(workspace)
    for name, path in paradigm_files(root).items():
        try:
            found[name] = load_paradigm(name, root)
        except GapsmithError as error:
            broken[path.stem] = str(path), error
    if as_json:
        print_json(
            [
                {
                    "name": p.name,
                    "title": p.title,
                    "version": p.version,
                    "conditions": [c.name for c in p.conditions],
                    "designs": {d.name: dict(d.labels) for d in p.designs},
                    "exhaustive": p.exhaustive,
                    "given": p.given,
                    "path": p.path,
                }
                for p in found.values()
            ]
            + [
                {"name": name, "path": path, "error": problem.message, "hint": problem.hint}
                for name, (path, problem) in broken.items()
            ]
        )
        if broken:
            raise typer.Exit(ExitCode.USAGE)
        return
    table = Table("name", "title", "conditions", "items", "contrasts, criteria")
    for p in found.values():
        items = "given" if p.given else "all combinations" if p.exhaustive else "sampled"
        contrasts = " ".join([*(c.name for c in p.contrasts), *(c.name for c in p.criteria)])
        table.add_row(*map(Text, (p.name, p.title, str(len(p.conditions)), items, contrasts)))
    for name in broken:
        table.add_row(*map(Text, (name, "cannot be read, see below", "", "", "")))
    print_table(table)
    for problem in dict.fromkeys(str(problem) for _, problem in broken.values()):
        note(problem)
    if broken:
        raise typer.Exit(ExitCode.USAGE)


@app.command("show")
def show(name: NameArgument, workspace: WorkspaceOption = None, as_json: JsonOption = False) -> None:
    """One paradigm: its conditions with an example, slots, constraints and contrasts."""
    from gapsmith.app.cli.console import print_json, print_text
    from gapsmith.app.paradigm_view import as_data, as_text
    from gapsmith.app.workspace import find_workspace
    from gapsmith.templates import load_paradigm

    paradigm = load_paradigm(name, find_workspace(workspace))
    if as_json:
        print_json(as_data(paradigm))
    else:
        print_text(as_text(paradigm))


@app.command("check")
def check(name: NameArgument, workspace: WorkspaceOption = None, as_json: JsonOption = False) -> None:
    """Check a paradigm file and say exactly what was checked."""
    from gapsmith.app.cli.console import ExitCode, print_json, print_text
    from gapsmith.app.paradigm_check import check_paradigm
    from gapsmith.app.workspace import find_workspace
    from gapsmith.templates import load_paradigm

    root = find_workspace(workspace)
    paradigm = load_paradigm(name, root)
    results = check_paradigm(paradigm, root)
    if as_json:
        print_json([{"check": r.what, "ok": r.ok, "warns": r.warns, "detail": r.detail} for r in results])
    else:
        marks = ["warn" if r.warns else "ok  " if r.ok else "FAIL" for r in results]
        lines = [f"{mark}  {r.what}" + (f": {r.detail}" if r.detail else "") for mark, r in zip(marks, results, strict=True)]
        print_text("\n".join([f"{paradigm.name} ({paradigm.path})", *lines]))
    if not all(r.ok for r in results):
        raise typer.Exit(ExitCode.FAILED)


@app.command("diff")
def diff(
    name: Annotated[str, typer.Argument(help="A paradigm with items here.")],
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """How a paradigm's file differs from what its items were made with."""
    from dataclasses import asdict

    from gapsmith.app.cli.console import note, print_json, print_text
    from gapsmith.app.paradigm_update import differences
    from gapsmith.app.workspace import open_workspace

    with open_workspace(workspace) as ws:
        found = differences(ws.bank, name)
        total = sum(items for _, items in ws.bank.paradigms.versions(name))
    if as_json:
        print_json([asdict(difference) for difference in found])
        return
    for difference in found:
        print_text(f"{difference.items:,} of {count(total, 'item')}: another {', '.join(difference.parts)}")
        print_text("\n".join(f"  {line}" for line in difference.changes))
    if not found:
        note(f"{name}: its file is what all {total:,} items were made with")
    elif any("form" in difference.parts for difference in found):
        note(f"`gapsmith paradigm update {name}` brings the items to the file's form")
    else:
        note("today's predictions and words hold for all items; there is nothing to update")


@app.command("update")
def update(
    name: Annotated[str, typer.Argument(help="A paradigm with items here.")],
    by: Annotated[str | None, typer.Option("--by", help="Who does this (default: `annotator` of the settings).")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would change.")] = False,
    workspace: WorkspaceOption = None,
) -> None:
    """Bring the items of a paradigm to the form that its file has now; decisions and scores stay where the texts do."""
    from gapsmith.app.cli.console import note
    from gapsmith.app.paradigm_update import update_items
    from gapsmith.app.workspace import open_workspace

    with open_workspace(workspace, reader=by) as ws:
        done = update_items(ws.bank, name, author=ws.bank.reader, dry_run=dry_run)
    if not done.items:
        note(f"{name}: all items have the form of its file already")
        return
    would = "would be" if dry_run else "were"
    lost = f"; {done.unaligned:,} with a sentence that the form does not give" if done.unaligned else ""
    note(
        f"{name}: {done.items:,} items {would} brought up to date: {done.same_texts:,} keep their texts, decisions and scores, "
        f"{done.new_texts:,} have new texts and wait for decisions{lost}"
    )
