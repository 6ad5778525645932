"""`gapsmith train lm`: a language model from text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gapsmith.app.cli.console import note, stderr
from gapsmith.app.cli.door import Terminal
from gapsmith.app.interrupts import stoppable
from gapsmith.app.requests.learning import TrainLm
from gapsmith.app.stages.training import ModelMade, Report, train_lm

if TYPE_CHECKING:
    from rich.progress import Progress


def run(request: TrainLm, terminal: Terminal) -> None:
    """Train, showing how far that is, and print what came of it."""
    with stoppable() as stopping:

        @contextmanager
        def shown(steps: int) -> Iterator[Report]:
            with _shown(steps) as report:

                def told(entry: Mapping[str, Any]) -> None:
                    report(entry)
                    stopping.done(entry.get("is_over", False))

                yield told

        found = train_lm(terminal.workspace, request, replace(terminal.services, hand={"training": shown}))
    if terminal.as_json:
        terminal.print_json(request, as_data(found))
    else:
        show(found)


def as_data(found: ModelMade) -> object:
    """Which step was kept and how good it is, as JSON takes it."""
    made = found.model
    return {
        "model": str(made.directory),
        "steps": made.steps,
        "chosen_step": made.chosen_step,
        "valid_loss_nats": made.valid_loss,
        "stopped_early": made.stopped_early or None,
    }


def show(found: ModelMade) -> None:
    """Say which step was kept, and what one can do with it."""
    made = found.model
    chosen = "" if made.chosen_step is None else f", step {made.chosen_step:,} of {made.steps:,}"
    loss = "" if made.valid_loss is None else f", validation loss {made.valid_loss:.4f} nats per token"
    note(f"{made.directory}{chosen}{loss}: gapsmith score --model {made.directory}")


@contextmanager
def _shown(steps: int) -> Iterator[Report]:
    """Steps done, the last loss and the time left; on stderr, and only where that is a terminal."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

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
    with progress:
        yield lambda entry: _tell(progress, entry)


def _tell(bar: Progress, entry: Mapping[str, Any]) -> None:
    """One step on the bar; evaluations, and where there is no bar also logged steps, as lines."""
    task = bar.tasks[0]
    before = f"{entry['phase']}, " if "phase" in entry else ""
    words = [f"{before}step {entry['step']:,}"]
    bar.update(task.id, total=entry.get("of", task.total))
    if "loss" in entry:
        words.append(f"loss {entry['loss']:.4f}")
        words += [f"divergence from trees {entry['divergence']:.4f}"] if "divergence" in entry else []
        bar.update(task.id, description=f"{before}loss {entry['loss']:.3f}")
        left = (task.total or 0) - entry["step"]
        words.append(f"{_duration(left * entry['seconds'])} left")
    if "valid_loss" in entry:
        words.append(f"validation loss {entry['valid_loss']:.4f}")
    if "valid_loss_slope_0" in entry:
        words.append(f"with slope 0 {entry['valid_loss_slope_0']:.4f}")
    words += [f"{name} {value:.3f}" for name, value in entry.get("measured", {}).items() if value is not None]
    bar.update(task.id, completed=entry["step"])
    if "valid_loss" in entry or "measured" in entry or (bar.disable and len(words) > 1):
        note(", ".join(words))


def _duration(seconds: float) -> str:
    minutes = round(seconds / 60)
    return f"{minutes // 60} h {minutes % 60:02d} min" if minutes >= 60 else f"{minutes} min"
