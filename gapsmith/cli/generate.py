"""`gapsmith generate`: new items for a paradigm, from its word lists or from a language model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gapsmith.cli.options import JsonOption, WorkspaceOption

if TYPE_CHECKING:
    from gapsmith.cli.console import ExitCode
    from gapsmith.workspace import Workspace
    from prompts import Estimate, Outcome, Prepared

__all__ = ["register"]

_MODEL_PANEL = "Asking a model"
_PACE_PANEL = "Pace and cost"


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.command("generate")(generate)


def generate(
    paradigm: Annotated[str, typer.Argument(help="A paradigm's name, or the path of a file ending in .toml.")],
    n: Annotated[
        int | None, typer.Option("-n", help="How many new items (default: 40).", show_default=False)
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Every item of an exhaustive paradigm.")] = False,
    seed: Annotated[
        int | None,
        typer.Option(help="For the word lists (default: 1), or sent to the model.", show_default=False),
    ] = None,
    dataset: Annotated[str | None, typer.Option("--dataset", "-d", help="The data set to add to.")] = None,
    new_run: Annotated[bool, typer.Option("--new-run", help="Ask once more although this run is complete.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say how many calls, tokens and dollars, and show a prompt.")
    ] = False,
    provider: Annotated[
        str | None,
        typer.Option(help="lexicon (the paradigm's word lists), gemini, openai …", rich_help_panel=_MODEL_PANEL),
    ] = None,
    model: Annotated[str | None, typer.Option(help="The model's name.", rich_help_panel=_MODEL_PANEL)] = None,
    base_url: Annotated[
        str | None,
        typer.Option(help="A server that speaks the provider's API.", rich_help_panel=_MODEL_PANEL),
    ] = None,
    mode: Annotated[
        str | None,
        typer.Option(help="slots (words; the default) or sentences (CSV).", rich_help_panel=_MODEL_PANEL),
    ] = None,
    design: Annotated[
        str | None, typer.Option(help="The cells to ask for in sentence mode.", rich_help_panel=_MODEL_PANEL)
    ] = None,
    prompt: Annotated[
        str | None,
        typer.Option(help="A prompt's name or file; see `gapsmith prompt list`.", rich_help_panel=_MODEL_PANEL),
    ] = None,
    feedback: Annotated[
        bool,
        typer.Option("--feedback", help="Tell the model why items were excluded.", rich_help_panel=_MODEL_PANEL),
    ] = False,
    temperature: Annotated[float | None, typer.Option(rich_help_panel=_MODEL_PANEL)] = None,
    thinking: Annotated[
        str | None,
        typer.Option(
            help="Tokens (a number), or minimal, low, medium, high.", rich_help_panel=_MODEL_PANEL
        ),
    ] = None,
    max_output_tokens: Annotated[
        int | None, typer.Option(help="Per answer, thinking included.", rich_help_panel=_MODEL_PANEL)
    ] = None,
    n_per_call: Annotated[int | None, typer.Option(help="Items per call.", rich_help_panel=_PACE_PANEL)] = None,
    concurrency: Annotated[
        int | None, typer.Option(help="Calls side by side (default: 4).", rich_help_panel=_PACE_PANEL)
    ] = None,
    rpm: Annotated[int | None, typer.Option(help="Requests per minute.", rich_help_panel=_PACE_PANEL)] = None,
    tpm: Annotated[int | None, typer.Option(help="Tokens per minute.", rich_help_panel=_PACE_PANEL)] = None,
    max_cost: Annotated[
        float | None, typer.Option(help="US dollars, for the whole run.", rich_help_panel=_PACE_PANEL)
    ] = None,
    prices: Annotated[
        Path | None,
        typer.Option(help="A price file of your own, before the others.", rich_help_panel=_PACE_PANEL),
    ] = None,
    timeout: Annotated[
        float, typer.Option(help="Seconds to wait for an answer.", rich_help_panel=_PACE_PANEL)
    ] = 120.0,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make new items for a paradigm and keep them in the bank.

    The same command run again goes on where it stopped, and does nothing where it was complete."""
    from gapsmith.workspace import open_workspace

    flags = dict(locals())
    with open_workspace(workspace, create=True) as ws:
        prepared = _prepare(ws, flags)
        if dry_run:
            _show_estimate(prepared, prepared.estimate(ws.bank), as_json=as_json)
            return
        outcome = _carry_out(prepared, ws)
        code = _report(prepared, outcome, as_json=as_json)
    raise typer.Exit(code)


def _prepare(ws: Workspace, flags: dict[str, Any]) -> Prepared:
    import os

    from bank import DEFAULT_DATASET
    from gapsmith.cli.console import note
    from gapsmith.settings import user_settings_file
    from prompts import Mode, Order, prepare
    from templates.errors import ConfigError

    if ws.created:
        note(f"Made a workspace in {ws.root}")
    chosen = ws.settings.with_flags(
        provider_model=flags["model"],
        **{
            name: flags[name]
            for name in ("provider", "base_url", "temperature", "n_per_call", "concurrency", "rpm", "tpm", "max_cost")
        },
    )
    mode = flags["mode"]
    if mode is not None and mode not in set(Mode):
        raise ConfigError(f"--mode {mode!r} is not known", hint=f"There are: {', '.join(Mode)}.")
    own_prices = (ws.root / "prices.toml", user_settings_file().parent / "prices.toml")
    provider = chosen.provider or "lexicon"
    order = Order(
        paradigm=ws.paradigm(flags["paradigm"]),
        provider=provider,
        n=flags["n"],
        everything=flags["everything"],
        model=chosen.provider_model if provider != "lexicon" else None,
        base_url=chosen.base_url if provider != "lexicon" else None,
        mode=Mode(mode) if mode else None,
        design=flags["design"],
        prompt=flags["prompt"],
        seed=flags["seed"],
        temperature=chosen.temperature if provider != "lexicon" else None,
        max_output_tokens=flags["max_output_tokens"],
        thinking=flags["thinking"],
        n_per_call=chosen.n_per_call if provider != "lexicon" else flags["n_per_call"],
        concurrency=chosen.concurrency if provider != "lexicon" else None,
        rpm=chosen.rpm if provider != "lexicon" else None,
        tpm=chosen.tpm if provider != "lexicon" else None,
        max_cost_usd=chosen.max_cost if provider != "lexicon" else None,
        timeout_s=flags["timeout"],
        feedback=flags["feedback"],
        new_run=flags["new_run"],
        dataset=flags["dataset"] or DEFAULT_DATASET,
        price_files=tuple(p for p in (flags["prices"], *own_prices) if p is not None and (p.is_file() or p is flags["prices"])),
    )
    prepared = prepare(order, ws.bank, workspace=ws.root, environment=os.environ)
    for line in prepared.provider.notes:
        note(line)
    return prepared
