"""`gapsmith demo`: the whole pipeline on two small sets, with no network and no key."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.command("demo")(demo)


def demo(directory: Annotated[Path, typer.Argument(help="The workspace that the demo makes.")] = Path("demo")) -> None:
    """Show the whole pipeline, offline: generate, lint, decide, score, analyze, report.

    Each step is printed as the command that you could type yourself. Running it again repeats nothing that is done.
    """
    import shlex
    import sys
    from importlib import import_module

    from gapsmith.app.cli.console import note, print_text
    from gapsmith.app.cli.door import Terminal
    from gapsmith.app.demo import conclusion, steps
    from gapsmith.app.stages.catalogue import STAGES, own_name
    from gapsmith.app.workspace import make_workspace, open_workspace

    make_workspace(directory)
    with open_workspace(directory) as workspace:
        for number, step in enumerate(steps(directory), 1):
            note(f"\n{number}. {step.why}\n$ gapsmith {step.line}")
            found = STAGES[step.stage].carry_out(workspace, step.request, Terminal(directory, as_json=False).services)
            import_module(f"gapsmith.app.cli.{own_name(step.stage)}").show(found)
            sys.stdout.flush()
        said = conclusion(workspace.bank)
    where = shlex.quote(str(directory))
    print_text(f"\nIn plain words: {said}")
    print_text(
        "That says something about this small model, which is there so that the tour needs no download, and nothing\n"
        f"about larger ones. For a study, score with a model such as gpt2: gapsmith score --model gpt2 -w {where}"
    )
    print_text(f"\nThe report: {directory / 'report' / 'report.html'}")
