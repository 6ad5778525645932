"""`gapsmith train`: make the models that gapsmith ships, or others like them."""

from __future__ import annotations

import typer

from gapsmith.cli import train_parser

__all__ = ["register"]

app = typer.Typer(help="Train the small models that ship with gapsmith, on data of your own.", no_args_is_help=True)


def register(root: typer.Typer) -> None:
    """Add the commands."""
    train_parser.register(app)
    root.add_typer(app, name="train")


@app.callback()
def _group() -> None:
    # With one command only, Typer would drop the group's name.
    pass
