"""`gapsmith train lm`: a language model from text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gapsmith.app.cli.options import JsonOption, WorkspaceOption

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.progress import Progress


def register(train_app: typer.Typer) -> None:
    """Add the command to the group `train`."""
    train_app.command("lm")(train_lm)


def train_lm(
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
    lines: Annotated[str, typer.Option("--lines", help="What a line of the files is: paragraphs or sentences.")] = "paragraphs",
    overrides: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Change the configuration: run.steps=2000.", show_default=False),
    ] = None,
    finish: Annotated[
        bool, typer.Option("--finish", help="Train no further: make the model from the best checkpoint there is.")
    ] = False,
    device: Annotated[
        str | None, typer.Option("--device", help="auto (default), cpu, cuda, cuda:1, mps.", show_default=False)
    ] = None,
    evaluate: Annotated[
        list[str] | None,
        typer.Option(
            "--evaluate",
            metavar="PARADIGM",
            help="At every evaluation, also the accuracy on the workspace's items of this paradigm (repeatable).",
            show_default=False,
        ),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="With --evaluate: all items, not only approved ones.")] = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Train a language model: a GPT-2, an LSTM or n-grams.

    Run the same command again to go on after a stop: it comes to the same losses and weights. What is made is an
    ordinary model folder that `gapsmith score --model` takes.
    """
    from contextlib import ExitStack

    from gapsmith.app.chosen import device_for
    from gapsmith.app.cli.console import note, print_json
    from gapsmith.app.workspace import find_workspace, open_workspace, settings_of
    from gapsmith.scoring import accuracy_by_step
    from gapsmith.templates import ConfigError
    from gapsmith.training import find_corpus, load_config
    from gapsmith.training import train_lm as train

    if lines not in ("paragraphs", "sentences"):
        raise ConfigError(f"--lines {lines}: a line is a paragraph or a sentence", hint="Say paragraphs or sentences.")
    settings = load_config(config, overrides or ())
    place = device_for(settings_of(find_workspace(workspace)), device)
    corpus = find_corpus(corpora, valid or (), lines="sentences" if lines == "sentences" else "paragraphs")
    with ExitStack() as stack:
        hooks = []
        if evaluate:
            with open_workspace(workspace) as ws:
                bank_file = ws.bank.path
            hooks.append(
                stack.enter_context(accuracy_by_step(bank_file, evaluate, everything=everything, device=place, say=note))
            )
        bar = stack.enter_context(_training_bar(settings.run.steps))
        made = train(
            settings,
            corpus,
            out,
            init=init,
            device=place,
            evaluations=hooks,
            report=lambda entry: _show(bar, entry),
            say=note,
            finish=finish,
        )
    if as_json:
        print_json(
            {
                "model": str(made.directory),
                "steps": made.steps,
                "chosen_step": made.chosen_step,
                "valid_loss_nats": made.valid_loss,
                "stopped_early": made.stopped_early or None,
            }
        )
    chosen = "" if made.chosen_step is None else f", step {made.chosen_step:,} of {made.steps:,}"
    loss = "" if made.valid_loss is None else f", validation loss {made.valid_loss:.4f} nats per token"
    note(f"{made.directory}{chosen}{loss}: gapsmith score --model {made.directory}")


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

    from gapsmith.app.cli.console import stderr

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
    from gapsmith.app.cli.console import note

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
