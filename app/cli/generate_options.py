"""The options of `gapsmith generate`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.numbers import given
from gapsmith.templates import COUNT, DOLLARS, NUMBER_IN_BANK, REPAIRS, SEED, TEMPERATURE, TIMEOUT, TOP_P

_MODEL = "Asking a model"
_PACE = "Pace and cost"

ParadigmName = Annotated[str, typer.Argument(help="A paradigm's name, or the path of a file ending in .toml.")]
NItems = Annotated[
    int | None, typer.Option("-n", parser=given(COUNT), help="How many new items (default: 40).", show_default=False)
]
AllFlag = Annotated[bool, typer.Option("--all", help="Every item of an exhaustive paradigm.")]
Seed = Annotated[
    int | None,
    typer.Option(parser=given(SEED), help="For the word lists (default: 1), or sent to the model.", show_default=False),
]
Band = Annotated[
    str | None,
    typer.Option(
        help="How frequent the drawn words are: plain (once in a million words or more; the default), frequent (ten times), "
        "rare (less than once), any.",
        show_default=False,
    ),
]
Levels = Annotated[
    list[str] | None,
    typer.Option(
        "--choose",
        metavar="CHOICE=LEVEL|...",
        help="Only items with these levels of a choice of the paradigm, as `--choose embedding=none` (repeatable).",
        show_default=False,
    ),
]
Dataset = Annotated[str | None, typer.Option("--dataset", "-d", help="The data set to add to.", show_default=False)]
Resume = Annotated[
    int | None,
    typer.Option(
        "--resume",
        parser=given(NUMBER_IN_BANK),
        metavar="RUN",
        help="Go on with this unfinished run although paradigm or prompt have changed since it began.",
        show_default=False,
    ),
]
NewRun = Annotated[bool, typer.Option("--new-run", help="Ask once more although this run is complete.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only say how many calls, tokens, dollars; show a prompt.")]

ProviderName = Annotated[
    str | None,
    typer.Option(
        help="lexicon (the paradigm's own word lists; the default), gemini, openai …",
        show_default=False,
        rich_help_panel=_MODEL,
    ),
]
ModelName = Annotated[str | None, typer.Option(help="The model's name.", show_default=False, rich_help_panel=_MODEL)]
BaseUrl = Annotated[
    str | None,
    typer.Option(help="A server that speaks the provider's API.", show_default=False, rich_help_panel=_MODEL),
]
SendKeyTo = Annotated[
    str | None,
    typer.Option(
        metavar="HOST",
        help="Send your key to this host although only the workspace's file names it.",
        show_default=False,
        rich_help_panel=_MODEL,
    ),
]
ModeName = Annotated[
    str | None,
    typer.Option(help="slots (words, the default) or sentences (CSV).", show_default=False, rich_help_panel=_MODEL),
]
Design = Annotated[
    str | None,
    typer.Option(help="The conditions to ask for in sentence mode.", show_default=False, rich_help_panel=_MODEL),
]
PromptName = Annotated[
    str | None,
    typer.Option(help="A prompt's name or file; see `gapsmith prompt list`.", show_default=False, rich_help_panel=_MODEL),
]
Feedback = Annotated[bool, typer.Option("--feedback", help="Tell the model why items were excluded.", rich_help_panel=_MODEL)]
RepairRounds = Annotated[
    int,
    typer.Option(
        "--repair",
        parser=given(REPAIRS),
        help="Send items with errors back to the model, so many times at most, with what the linter says.",
        rich_help_panel=_MODEL,
    ),
]
Temperature = Annotated[
    float | None, typer.Option(parser=given(TEMPERATURE), help="0 to 2.", show_default=False, rich_help_panel=_MODEL)
]
TopP = Annotated[
    float | None,
    typer.Option(parser=given(TOP_P), help="Above 0, at most 1.", show_default=False, rich_help_panel=_MODEL),
]
ExtraBody = Annotated[
    str | None,
    typer.Option(
        metavar="JSON",
        help="Members for the request beside ours, for servers that take them, such as min_p.",
        show_default=False,
        rich_help_panel=_MODEL,
    ),
]
Api = Annotated[
    str | None,
    typer.Option(help="With openai: chat (the default) or responses.", show_default=False, rich_help_panel=_MODEL),
]
Tier = Annotated[
    str | None,
    typer.Option(help="flex: half the price, answered when there is room.", show_default=False, rich_help_panel=_PACE),
]
Batch = Annotated[
    bool,
    typer.Option(
        "--batch",
        help="Send all calls together: half the price, answers within a day; see `gapsmith runs watch`.",
        rich_help_panel=_PACE,
    ),
]
Reuse = Annotated[
    bool,
    typer.Option(
        "--reuse",
        help="Take answers that earlier runs got to the very same requests, at no cost.",
        rich_help_panel=_PACE,
    ),
]
Free = Annotated[bool, typer.Option("--free", help="The server at --base-url charges nothing.", rich_help_panel=_PACE)]
Thinking = Annotated[
    str | None,
    typer.Option(help="Tokens (a number), or minimal, low, medium, high.", show_default=False, rich_help_panel=_MODEL),
]
MaxOutputTokens = Annotated[
    int | None,
    typer.Option(parser=given(COUNT), help="Per answer, thinking included.", show_default=False, rich_help_panel=_MODEL),
]

NPerCall = Annotated[
    int | None, typer.Option(parser=given(COUNT), help="Items per call.", show_default=False, rich_help_panel=_PACE)
]
Concurrency = Annotated[
    int | None,
    typer.Option(parser=given(COUNT), help="Calls side by side (default: 4).", show_default=False, rich_help_panel=_PACE),
]
Rpm = Annotated[
    int | None,
    typer.Option(parser=given(COUNT), help="Requests per minute.", show_default=False, rich_help_panel=_PACE),
]
Tpm = Annotated[
    int | None, typer.Option(parser=given(COUNT), help="Tokens per minute.", show_default=False, rich_help_panel=_PACE)
]
MaxCost = Annotated[
    float | None,
    typer.Option(parser=given(DOLLARS), help="US dollars, for the whole run.", show_default=False, rich_help_panel=_PACE),
]
Prices = Annotated[
    Path | None,
    typer.Option(help="A price file of your own, before the others.", show_default=False, rich_help_panel=_PACE),
]
Timeout = Annotated[
    float | None,
    typer.Option(
        parser=given(TIMEOUT),
        help="Seconds to wait for an answer (default: 120).",
        show_default=False,
        rich_help_panel=_PACE,
    ),
]
