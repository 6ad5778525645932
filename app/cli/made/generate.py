"""The flags of `gapsmith generate`. Written by `python -m tools.doors` from `gapsmith.app.requests.making.Generate`; changes are made there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.numbers import given
from gapsmith.app.cli.options import JsonOption, WorkspaceOption
from gapsmith.templates import COUNT, DOLLARS, NUMBER_IN_BANK, PER_MINUTE, REPAIRS, SEED, TEMPERATURE, TIMEOUT, TOP_P


def generate(
    paradigm: Annotated[
        str, typer.Argument(help="A paradigm's name, or the path of a file ending in .toml.", show_default=False)
    ],
    n: Annotated[
        int | None, typer.Option("-n", parser=given(COUNT), help="How many new items (default: 40).", show_default=False)
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Every item of an exhaustive paradigm.")] = False,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed", parser=given(SEED), help="For the word lists (default: 1), or sent to the model.", show_default=False
        ),
    ] = None,
    band: Annotated[
        str | None,
        typer.Option(
            "--band",
            help="How frequent the drawn words are: plain (once in a million words or more; the default), frequent (ten times), rare (less than once), any.",
            show_default=False,
        ),
    ] = None,
    choose: Annotated[
        list[str] | None,
        typer.Option(
            "--choose",
            metavar="CHOICE=LEVEL|...",
            help="Only items with these levels of a choice of the paradigm, as `--choose embedding=none` (repeatable); `*` is as many of each.",
            show_default=False,
        ),
    ] = None,
    dataset: Annotated[str | None, typer.Option("--dataset", "-d", help="The data set to add to.", show_default=False)] = None,
    new_run: Annotated[bool, typer.Option("--new-run", help="Ask once more although this run is complete.")] = False,
    resume: Annotated[
        int | None,
        typer.Option(
            "--resume",
            parser=given(NUMBER_IN_BANK),
            metavar="RUN",
            help="Go on with this unfinished run although paradigm or prompt have changed since it began.",
            show_default=False,
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say how many calls, tokens, dollars; show a prompt.")] = False,
    provider: Annotated[
        str | None,
        typer.Option(
            "--provider",
            help="lexicon (the paradigm's own word lists; the default), gemini, openai …",
            show_default=False,
            rich_help_panel="Asking a model",
        ),
    ] = None,
    model: Annotated[
        str | None, typer.Option("--model", help="The model's name.", show_default=False, rich_help_panel="Asking a model")
    ] = None,
    mode: Annotated[
        str | None,
        typer.Option(
            "--mode", help="slots (words, the default) or sentences (CSV).", show_default=False, rich_help_panel="Asking a model"
        ),
    ] = None,
    design: Annotated[
        str | None,
        typer.Option(
            "--design", help="The conditions to ask for in sentence mode.", show_default=False, rich_help_panel="Asking a model"
        ),
    ] = None,
    prompt: Annotated[
        str | None,
        typer.Option(
            "--prompt",
            help="A prompt's name or file; see `gapsmith prompt list`.",
            show_default=False,
            rich_help_panel="Asking a model",
        ),
    ] = None,
    feedback: Annotated[
        bool, typer.Option("--feedback", help="Tell the model why items were excluded.", rich_help_panel="Asking a model")
    ] = False,
    repair: Annotated[
        int | None,
        typer.Option(
            "--repair",
            parser=given(REPAIRS),
            help="Send items with errors back to the model, so many times at most, with what the linter says.",
            show_default=False,
            rich_help_panel="Asking a model",
        ),
    ] = None,
    n_per_call: Annotated[
        int | None,
        typer.Option(
            "--n-per-call", parser=given(COUNT), help="Items per call.", show_default=False, rich_help_panel="Pace and cost"
        ),
    ] = None,
    batch: Annotated[
        bool,
        typer.Option(
            "--batch",
            help="Send all calls together: half the price, answers within a day; see `gapsmith runs watch`.",
            rich_help_panel="Pace and cost",
        ),
    ] = False,
    reuse: Annotated[
        bool,
        typer.Option(
            "--reuse",
            help="Take answers that earlier runs got to the very same requests, at no cost.",
            rich_help_panel="Pace and cost",
        ),
    ] = False,
    base_url: Annotated[
        str | None,
        typer.Option(
            "--base-url", help="A server that speaks the provider's API.", show_default=False, rich_help_panel="Asking a model"
        ),
    ] = None,
    temperature: Annotated[
        float | None,
        typer.Option(
            "--temperature", parser=given(TEMPERATURE), help="0 to 2.", show_default=False, rich_help_panel="Asking a model"
        ),
    ] = None,
    top_p: Annotated[
        float | None,
        typer.Option(
            "--top-p", parser=given(TOP_P), help="Above 0, at most 1.", show_default=False, rich_help_panel="Asking a model"
        ),
    ] = None,
    api: Annotated[
        str | None,
        typer.Option(
            "--api", help="With openai: chat (the default) or responses.", show_default=False, rich_help_panel="Asking a model"
        ),
    ] = None,
    extra_body: Annotated[
        str | None,
        typer.Option(
            "--extra-body",
            metavar="JSON",
            help="Members for the request beside ours, for servers that take them, such as min_p.",
            show_default=False,
            rich_help_panel="Asking a model",
        ),
    ] = None,
    thinking: Annotated[
        str | None,
        typer.Option(
            "--thinking",
            help="Tokens (a number), or minimal, low, medium, high.",
            show_default=False,
            rich_help_panel="Asking a model",
        ),
    ] = None,
    max_output_tokens: Annotated[
        int | None,
        typer.Option(
            "--max-output-tokens",
            parser=given(COUNT),
            help="Per answer, thinking included.",
            show_default=False,
            rich_help_panel="Asking a model",
        ),
    ] = None,
    concurrency: Annotated[
        int | None,
        typer.Option(
            "--concurrency",
            parser=given(COUNT),
            help="Calls side by side (default: 4).",
            show_default=False,
            rich_help_panel="Pace and cost",
        ),
    ] = None,
    rpm: Annotated[
        float | None,
        typer.Option(
            "--rpm", parser=given(PER_MINUTE), help="Requests per minute.", show_default=False, rich_help_panel="Pace and cost"
        ),
    ] = None,
    tpm: Annotated[
        float | None,
        typer.Option(
            "--tpm", parser=given(PER_MINUTE), help="Tokens per minute.", show_default=False, rich_help_panel="Pace and cost"
        ),
    ] = None,
    max_cost: Annotated[
        float | None,
        typer.Option(
            "--max-cost",
            parser=given(DOLLARS, or_none=True),
            help="US dollars, for the whole run; none: no limit, whatever the settings say.",
            show_default=False,
            rich_help_panel="Pace and cost",
        ),
    ] = None,
    tier: Annotated[
        str | None,
        typer.Option(
            "--tier",
            help="flex: half the price, answered when there is room.",
            show_default=False,
            rich_help_panel="Pace and cost",
        ),
    ] = None,
    free: Annotated[
        bool, typer.Option("--free", help="The server at --base-url charges nothing.", rich_help_panel="Pace and cost")
    ] = False,
    send_key_to: Annotated[
        str | None,
        typer.Option(
            "--send-key-to",
            metavar="HOST",
            help="Send your key to this host although only the workspace's file names it.",
            show_default=False,
            rich_help_panel="Asking a model",
        ),
    ] = None,
    prices: Annotated[
        Path | None,
        typer.Option(
            "--prices", help="A price file of your own, before the others.", show_default=False, rich_help_panel="Pace and cost"
        ),
    ] = None,
    timeout: Annotated[
        float | None,
        typer.Option(
            "--timeout",
            parser=given(TIMEOUT),
            help="Seconds to wait for an answer (default: 120).",
            show_default=False,
            rich_help_panel="Pace and cost",
        ),
    ] = None,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make new items for a paradigm and keep them in the bank.

    The same command run again goes on where it stopped, and does nothing where it was complete.

    Examples: `gapsmith generate subject_pg -n 20`, `gapsmith generate subject_pg --provider gemini --model gemini-2.5-flash --dry-run`.
    """
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("generate", flags)
