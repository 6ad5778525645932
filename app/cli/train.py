"""`gapsmith train`: make models, and the corpora they learn from."""

from __future__ import annotations

import typer

from gapsmith.app.cli import train_corpus, train_lm, train_parser

app = typer.Typer(help="Train models, and make the corpora they learn from.", no_args_is_help=True)


def register(root: typer.Typer) -> None:
    """Add the group of commands."""
    train_corpus.register(app)
    train_lm.register(app)
    train_parser.register(app)
    root.add_typer(app, name="train")
