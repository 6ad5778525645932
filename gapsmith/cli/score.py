"""`gapsmith score`: token surprisals of the items' sentences under a language model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from gapsmith.cli.options import DatasetOption, JsonOption, ParadigmOption, WorkspaceOption

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scoring.score_run import ScoreReport

__all__ = ["register"]

SHOWN = 5
"""How many sentences without a value are named."""


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.command("score")(score)


def score(
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            "-m",
            help="A model of the Hugging Face hub, a directory, or `bundled` (default: `model` of the settings, else gpt2).",
            show_default=False,
        ),
    ] = None,
    paradigm: ParadigmOption = None,
    dataset: DatasetOption = None,
    everything: Annotated[bool, typer.Option("--all", help="All items, not only the approved ones.")] = False,
    bos: Annotated[
        bool, typer.Option("--bos/--no-bos", help="Put one beginning-of-sequence token before each sentence.")
    ] = True,
    dtype: Annotated[
        str | None,
        typer.Option("--dtype", help="float32 (default), bfloat16 or float16.", show_default=False),
    ] = None,
    device: Annotated[
        str | None,
        typer.Option("--device", help="auto (default), cpu, cuda, cuda:1, mps.", show_default=False),
    ] = None,
    batch_size: Annotated[
        int | None, typer.Option("--batch-size", help="Sentences per forward pass (default 32).", show_default=False)
    ] = None,
    revision: Annotated[
        str | None,
        typer.Option("--revision", help="Commit, tag or branch of a model of the hub.", show_default=False),
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Score the approved items with a language model: the surprisal of every token, in bits.

    Each distinct sentence is scored once and kept at once. Run it again to go on after a stop: what the same
    model has scored with the same settings is not scored again.
    """
    from gapsmith.cli.console import ExitCode, note, print_json, progress_bar
    from gapsmith.interrupts import stoppable
    from gapsmith.workspace import open_workspace

    with open_workspace(workspace) as ws, stoppable():
        from bank.records import ItemFilter
        from scoring.lm import DEFAULT_BATCH_SIZE, BosPolicy, open_engine, shadows_hub_name
        from scoring.score_run import score_selected, select_texts

        chosen = ws.settings.with_flags(model=model, dtype=dtype, device=device, batch_size=batch_size)
        selected = select_texts(ws.bank, ItemFilter(paradigm=paradigm, dataset=dataset), everything=everything)
        name = chosen.model or "gpt2"
        engine = open_engine(
            name,
            revision=revision,
            dtype=chosen.dtype or "float32",
            device=chosen.device or "auto",
            bos=BosPolicy.BOS if bos else BosPolicy.NONE,
            batch_size=DEFAULT_BATCH_SIZE if chosen.batch_size is None else chosen.batch_size,
        )
        if shadows_hub_name(name):
            note(
                f"{name} is a directory here, so that is what scores: ./{name}, not the model of this name on the hub."
            )
        with progress_bar(f"scoring with {name}", len(selected.texts)) as bar:
            task = bar.task_ids[0]
            report = score_selected(
                ws.bank, engine, selected, progress=lambda done, total: bar.update(task, completed=done, total=total)
            )
    if as_json:
        print_json(as_data(report))
    for line in as_lines(report):
        note(line)
    if report.n_scored and len(report.undefined) == report.n_scored:
        raise typer.Exit(ExitCode.FAILED)


def as_data(report: ScoreReport) -> dict[str, object]:
    """The report as JSON takes it."""
    from dataclasses import asdict

    return {
        "scorer": report.scorer_id,
        "settings": asdict(report.settings),
        "items": report.n_items,
        "sentences": report.n_sentences,
        "texts": report.n_texts,
        "already_scored": report.n_present,
        "scored_now": report.n_scored,
        "seconds": report.seconds,
        "without_value": [{"text": text, "reason": why} for text, why in report.undefined.items()],
        "partly_without_value": [{"text": text, "reason": why} for text, why in report.partial.items()],
    }


def as_lines(report: ScoreReport) -> list[str]:
    """The report in words."""
    settings = report.settings
    start = "no BOS" if settings.bos == "none" else f"BOS {settings.extra['bos_token']}"
    if settings.extra.get("bos_from") == "eos":
        start += " (the end-of-sequence token, since the tokenizer names no other)"
    counted = (
        f"{_n(report.n_items, 'item')}, {_n(report.n_sentences, 'sentence')}, {report.n_texts:,} of them different"
    )
    done = f"{report.n_scored:,} scored now in {report.seconds:.1f} s, {report.n_present:,} already there"
    model = f"{settings.model} ({settings.revision[:19]}), {settings.dtype} on {settings.extra['device']}, {start}"
    lines = [f"{counted}: {done}", f"model {model}"]
    lines += _undefined_lines(report.undefined, "without a value")
    lines += _undefined_lines(report.partial, "in which some tokens have no value")
    return lines


def _undefined_lines(found: Mapping[str, str], what: str) -> list[str]:
    """One line where all have the same reason, else the first few of them."""
    if not found:
        return []
    reasons = set(found.values())
    if len(reasons) == 1:
        return [f"{_n(len(found), 'sentence')} {what}: {reasons.pop()}"]
    shown = [f"  {text!r}: {why}" for text, why in list(found.items())[:SHOWN]]
    more = [f"  and {len(found) - SHOWN:,} more, which --json lists"] if len(found) > SHOWN else []
    return [f"{_n(len(found), 'sentence')} {what}:", *shown, *more]


def _n(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
