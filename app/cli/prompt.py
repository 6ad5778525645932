"""`gapsmith prompt`: the texts that models are asked with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.numbers import given
from gapsmith.app.cli.options import JsonOption, WorkspaceOption
from gapsmith.templates import COUNT

app = typer.Typer(help="The texts that models are asked with: list, show, copy for editing.", no_args_is_help=True)
NameArgument = Annotated[str, typer.Argument(help="A prompt's name (slots, slots.v1), or the path of a .jinja file.")]


def register(root: typer.Typer) -> None:
    """Add the commands."""
    root.add_typer(app, name="prompt")


@app.command("list")
def list_prompts(workspace: WorkspaceOption = None, as_json: JsonOption = False) -> None:
    """The prompts that come with gapsmith, and those of the workspace."""
    from rich.table import Table

    from gapsmith.app.cli.console import print_json, print_table
    from gapsmith.app.workspace import find_workspace
    from gapsmith.prompts import list_prompts as found_prompts

    found = found_prompts(find_workspace(workspace))
    if as_json:
        print_json(
            [
                {
                    "name": p.name,
                    "version": p.version,
                    "mode": p.mode.value,
                    "title": p.title,
                    "hash": p.hash,
                    "shipped": p.shipped,
                    "path": str(p.path),
                }
                for p in found
            ]
        )
        return
    table = Table("prompt", "mode", "title", "from")
    for p in found:
        table.add_row(p.label, p.mode.value, p.title, "gapsmith" if p.shipped else str(p.path))
    print_table(table)


@app.command("show")
def show(
    name: NameArgument,
    paradigm: Annotated[
        str | None, typer.Option("--paradigm", "-p", help="Render it for this paradigm.", show_default=False)
    ] = None,
    design: Annotated[str | None, typer.Option(help="The conditions, in sentence mode.", show_default=False)] = None,
    n: Annotated[int, typer.Option("-n", parser=given(COUNT), help="How many items it asks for.")] = 10,
    workspace: WorkspaceOption = None,
) -> None:
    """A prompt's template, or with -p the text that a model would get."""
    from gapsmith.app.chosen import adviser
    from gapsmith.app.cli.console import print_text
    from gapsmith.app.workspace import find_workspace, settings_of
    from gapsmith.prompts import Mode, find_prompt, prompt_context, render_prompt
    from gapsmith.templates import load_paradigm

    root = find_workspace(workspace)
    # A plain text is shown as it is, whatever it asks for.
    prompt = find_prompt(name, root, mode=Mode.SENTENCES)
    if paradigm is None:
        print_text(prompt.text)
        return
    loaded = load_paradigm(paradigm, root)
    advice = adviser(settings_of(root), loaded, root).advice()
    context = prompt_context(loaded, n=n, mode=prompt.mode, design=design or prompt.design, advice=advice)
    print_text(render_prompt(prompt, context))


@app.command("copy")
def copy(
    name: NameArgument,
    target: Annotated[
        Path | None,
        typer.Argument(help="A folder, or a file NAME.vN.jinja (default: the workspace's prompts/)."),
    ] = None,
    workspace: WorkspaceOption = None,
) -> None:
    """Copy a prompt for editing. In the workspace's prompts/, a copy takes the place of the original."""
    from gapsmith.app.cli.console import note, print_text
    from gapsmith.app.workspace import find_workspace
    from gapsmith.prompts import copy_prompt, find_prompt
    from gapsmith.templates import ConfigError

    root = find_workspace(workspace)
    if target is None and root is None:
        raise ConfigError(
            "there is no workspace here to copy the prompt into",
            hint="Make one with `gapsmith init`, or say where the copy should go.",
        )
    prompt = find_prompt(name, root)
    copied = copy_prompt(prompt, target if target is not None else (root or Path()) / "prompts")
    print_text(str(copied))
    note(f"Edit it, then: gapsmith generate PARADIGM --prompt {copied} --provider …")
