"""The flags of `gapsmith lint`. Written by `python -m tools.doors` from `gapsmith.app.requests.checking.Lint`; changes are made there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.numbers import given
from gapsmith.app.cli.options import JsonOption, WorkspaceOption
from gapsmith.templates import COUNT, DOLLARS, PER_MINUTE, SEED, TEMPERATURE, TIMEOUT, TOP_P


def lint(
    items: Annotated[list[str] | None, typer.Argument(help="Item ids (default: all).", show_default=False)] = None,
    select: Annotated[
        list[str] | None,
        typer.Option("--select", help="Only these rules: codes or prefixes, L,T020 (repeatable).", show_default=False),
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option("--ignore", help="All rules but these (repeatable).", show_default=False)
    ] = None,
    fail_on: Annotated[
        str | None,
        typer.Option(
            "--fail-on",
            help="Exit with 1 from this severity on: error, warning, info, never (default: `fail_on` of the settings, else error).",
            show_default=False,
        ),
    ] = None,
    level: Annotated[str | None, typer.Option("--level", help="Show findings from this severity on.", show_default=False)] = None,
    full: Annotated[bool, typer.Option("--full", help="Show every finding of every item, also those of one kind.")] = False,
    fix: Annotated[
        bool, typer.Option("--fix", help="Repair spaces, capitals, final punctuation, invisible characters first.")
    ] = False,
    confounds: Annotated[
        bool, typer.Option("--confounds", help="One page on what the set repeats and how its conditions differ.")
    ] = False,
    tokenizer: Annotated[
        str | None,
        typer.Option("--tokenizer", help="Count tokens as this model does: bundled, gpt2, a path.", show_default=False),
    ] = None,
    parser: Annotated[
        list[str] | None,
        typer.Option(
            "--parser",
            help="Also run the rules on parses, with this parser: embedded, spacy:NAME, stanza (repeatable: a second opinion).",
            show_default=False,
        ),
    ] = None,
    audit: Annotated[
        str | None, typer.Option("--audit", help="Measure the linter itself on a gold file, or on `shipped`.", show_default=False)
    ] = None,
    judge: Annotated[
        list[str] | None,
        typer.Option(
            "--judge",
            metavar="PROVIDER:MODEL",
            help="Ask a language model as well, blind (repeatable). Advisory; may cost money.",
            show_default=False,
            rich_help_panel="Judges",
        ),
    ] = None,
    judge_by: Annotated[
        str | None,
        typer.Option(
            "--judge-by", help="choice (of two sentences) or rating (1 to 7).", show_default=False, rich_help_panel="Judges"
        ),
    ] = None,
    judge_seed: Annotated[
        int | None,
        typer.Option(
            "--judge-seed",
            parser=given(SEED),
            help="Of the order of questions and sentences.",
            show_default=False,
            rich_help_panel="Judges",
        ),
    ] = None,
    paradigm: Annotated[
        list[str] | None,
        typer.Option("--paradigm", "-p", help="Only items of this paradigm (repeatable; default: all).", show_default=False),
    ] = None,
    dataset: Annotated[
        list[str] | None, typer.Option("--dataset", "-d", help="Only items of this data set (repeatable).", show_default=False)
    ] = None,
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
    """Read items with all rules, show what they find, and keep it in the bank.

    Each code is explained by `gapsmith rule CODE`. With --judge, language models are asked as well; what they cost and how they
    are asked is said by the same options as in `gapsmith generate`.

    Examples: `gapsmith lint`, `gapsmith lint -p lan_pg --select L310,L311`, `gapsmith lint --fix --fail-on warning`, `gapsmith lint --confounds`, `gapsmith lint --audit shipped`.
    """
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("lint", flags)
