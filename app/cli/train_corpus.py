"""`gapsmith train corpus`: a corpus mixed from several sources."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.numbers import given
from gapsmith.app.cli.options import JsonOption
from gapsmith.templates import FACTOR, PART, SEED


def register(train_app: typer.Typer) -> None:
    """Add the command to the group `train`."""
    train_app.command("corpus")(train_corpus)


def train_corpus(
    recipe: Annotated[str, typer.Argument(help="A TOML file, or posh-10m, posh-30m, posh-50m, posh-100m.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The new folder: train.txt, valid.txt, manifest.json.")],
    sources: Annotated[
        list[str] | None,
        typer.Option("--source", metavar="NAME=PATH", help="Where a source of the recipe lies.", show_default=False),
    ] = None,
    licences: Annotated[
        list[str] | None,
        typer.Option("--licence", metavar="NAME=TEXT", help="The licence of a source.", show_default=False),
    ] = None,
    scale: Annotated[float, typer.Option("--scale", parser=given(FACTOR), help="Times all word counts of the recipe.")] = 1.0,
    valid_share: Annotated[
        float,
        typer.Option("--valid-share", parser=given(PART), help="Further words for validation, as a share of each source's."),
    ] = 0.01,
    seed: Annotated[
        int, typer.Option("--seed", parser=given(SEED), help="Decides which stretches of the sources are taken.")
    ] = 1,
    as_json: JsonOption = False,
) -> None:
    """Mix a corpus from several sources: so many words of each, one sentence on a line, with a manifest.

    The recipes that come along are the mixtures of POSH-BENCH; you say where your CHILDES, BNC and so on lie.
    """
    from gapsmith.app.cli.console import note, print_json
    from gapsmith.training.corpus import load_recipe, mix_corpus

    paths = {name: Path(value) for name, value in _named(sources or (), "--source").items()}
    chosen = load_recipe(recipe).with_given(paths, _named(licences or (), "--licence"), scale=scale)
    mixed = mix_corpus(chosen, out, seed=seed, valid_share=valid_share, say=note)
    if as_json:
        print_json([made.as_data() for made in mixed])
    silent = [made.name for made in mixed if not made.licence and not made.documents]
    if silent:
        note(f"no licence is stated for {', '.join(silent)}: --licence NAME=TEXT keeps it in the manifest")
    note(f"{sum(made.words for made in mixed):,} words in {out}: gapsmith train lm {out} --config mini --out MODEL")


def _named(given: Sequence[str], option: str) -> dict[str, str]:
    """``NAME=VALUE`` as a table; raises `ConfigError` for anything else."""
    from gapsmith.templates import ConfigError

    found: dict[str, str] = {}
    for entry in given:
        name, equals, value = entry.partition("=")
        if not (name and equals and value):
            raise ConfigError(f"{option} {entry!r} is not NAME=VALUE", hint=f"For example {option} CHILDES=…")
        found[name] = value
    return found
