"""`gapsmith train`: make language models, and the corpora they read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gapsmith.cli.options import JsonOption, WorkspaceOption

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.progress import Progress

__all__ = ["register", "train_app"]

train_app = typer.Typer(no_args_is_help=True, help="Train models: language models, and the corpora they read.")


def register(root: typer.Typer) -> None:
    """Add the group of commands."""
    root.add_typer(train_app, name="train")
    # Further commands of the group are registered here, one line each.


@train_app.command("lm")
def lm(
    corpora: Annotated[
        list[Path],
        typer.Argument(metavar="CORPUS…", help="Text files (.txt, also .xz, .gz) or folders of `train corpus`."),
    ],
    config: Annotated[
        str,
        typer.Option("--config", "-c", help="A TOML file, or mini, xs, xxs, small, gulordava, kneser-ney, add-one."),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", help="The model's folder; a stopped run in it goes on.")],
    valid: Annotated[
        list[Path] | None,
        typer.Option("--valid", help="Text for validation (default: a share of the corpus).", show_default=False),
    ] = None,
    init: Annotated[
        str | None,
        typer.Option("--init", help="Start from this model, with its shape and tokenizer.", show_default=False),
    ] = None,
    lines: Annotated[
        str, typer.Option("--lines", help="What a line of the files is: paragraphs or sentences.")
    ] = "paragraphs",
    overrides: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="KEY=VALUE", help="Change the configuration: run.steps=2000.", show_default=False
        ),
    ] = None,
    device: Annotated[str, typer.Option("--device", help="auto, cpu, cuda, cuda:1, mps.")] = "auto",
    evaluate: Annotated[
        list[str] | None,
        typer.Option(
            "--evaluate",
            metavar="PARADIGM",
            help="At every evaluation, also the accuracy on the workspace's items of this paradigm (repeatable).",
            show_default=False,
        ),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="With --evaluate: all items, not only approved ones.")
    ] = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Train a language model: a GPT-2, an LSTM or n-grams.

    Run the same command again to go on after a stop: it comes to the same losses and weights. What is made is an
    ordinary model folder that `gapsmith score --model` takes.
    """
    from contextlib import ExitStack

    from gapsmith.cli.console import note, print_json
    from gapsmith.learning_curve import accuracy_by_step
    from gapsmith.workspace import open_workspace
    from templates.errors import ConfigError
    from training import find_corpus, load_config, train_lm

    if lines not in ("paragraphs", "sentences"):
        raise ConfigError(f"--lines {lines}: a line is a paragraph or a sentence", hint="Say paragraphs or sentences.")
    settings = load_config(config, overrides or ())
    corpus = find_corpus(corpora, valid or (), lines="sentences" if lines == "sentences" else "paragraphs")
    with ExitStack() as stack:
        hooks = []
        if evaluate:
            with open_workspace(workspace) as ws:
                bank_file = ws.bank.path
            hooks.append(
                stack.enter_context(accuracy_by_step(bank_file, evaluate, everything=everything, device=device))
            )
        bar = stack.enter_context(_training_bar(settings.run.steps))
        made = train_lm(
            settings,
            corpus,
            out,
            init=init,
            device=device,
            evaluations=hooks,
            report=lambda entry: _show(bar, entry),
            say=note,
        )
    if as_json:
        print_json(
            {
                "model": str(made.directory),
                "steps": made.steps,
                "chosen_step": made.chosen_step,
                "valid_loss_nats": made.valid_loss,
                "stopped_early": made.stopped_early,
            }
        )
    chosen = "" if made.chosen_step is None else f", step {made.chosen_step:,} of {made.steps:,}"
    loss = "" if made.valid_loss is None else f", validation loss {made.valid_loss:.4f} nats per token"
    note(f"{made.directory}{chosen}{loss}: gapsmith score --model {made.directory}")


@train_app.command("corpus")
def corpus(
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
    scale: Annotated[float, typer.Option("--scale", help="Times all word counts of the recipe.")] = 1.0,
    valid_share: Annotated[
        float, typer.Option("--valid-share", help="Further words for validation, as a share of each source's.")
    ] = 0.01,
    seed: Annotated[int, typer.Option("--seed", help="Decides which stretches of the sources are taken.")] = 1,
    as_json: JsonOption = False,
) -> None:
    """Mix a corpus from several sources: so many words of each, one sentence on a line, with a manifest.

    The recipes that come along are the mixtures of POSH-BENCH; you say where your CHILDES, BNC and so on lie.
    """
    from gapsmith.cli.console import note, print_json
    from templates.errors import ConfigError
    from training.corpus import load_recipe, mix_corpus

    if not scale > 0.0 or not 0.0 <= valid_share < 1.0:
        raise ConfigError(
            f"--scale {scale:g} --valid-share {valid_share:g}: not possible",
            hint="The scale is above 0, the share from 0 to below 1.",
        )
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
    from templates.errors import ConfigError

    found: dict[str, str] = {}
    for entry in given:
        name, equals, value = entry.partition("=")
        if not (name and equals and value):
            raise ConfigError(f"{option} {entry!r} is not NAME=VALUE", hint=f"For example {option} CHILDES=…")
        found[name] = value
    return found


def _training_bar(steps: int) -> Progress:
    """Steps done, the last loss and the time left; on stderr, and only where that is a terminal."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    from gapsmith.cli.console import stderr

    console = stderr()
    progress = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left:", markup=False),
        TimeRemainingColumn(),
        console=console,
        disable=not console.is_terminal,
    )
    progress.add_task("training", total=steps)
    return progress


def _show(bar: Progress, entry: Mapping[str, Any]) -> None:
    """One step on the bar; evaluations, and where there is no bar also logged steps, as lines."""
    from gapsmith.cli.console import note

    task = bar.tasks[0]
    words = [f"step {entry['step']:,}"]
    if "loss" in entry:
        words.append(f"loss {entry['loss']:.4f}")
        bar.update(task.id, description=f"loss {entry['loss']:.3f}")
        left = (task.total or 0) - entry["step"]
        words.append(f"{_duration(left * entry['seconds'])} left")
    if "valid_loss" in entry:
        words.append(f"validation loss {entry['valid_loss']:.4f}")
    words += [f"{name} {value:.3f}" for name, value in entry.get("measured", {}).items() if value is not None]
    bar.update(task.id, completed=entry["step"])
    if "valid_loss" in entry or "measured" in entry or (bar.disable and len(words) > 1):
        note(", ".join(words))


def _duration(seconds: float) -> str:
    minutes = round(seconds / 60)
    return f"{minutes // 60} h {minutes % 60:02d} min" if minutes >= 60 else f"{minutes} min"
