"""What can be asked of making items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from gapsmith.app.requests.base import Unset, needed, option
from gapsmith.app.requests.parts import ASKING, PACE, Asking, Reaching
from gapsmith.bank import DEFAULT_DATASET
from gapsmith.templates import COUNT, NUMBER_IN_BANK, REPAIRS, SECONDS_BETWEEN, SEED


@dataclass(frozen=True, kw_only=True)
class Generate(Asking):
    """Make new items for a paradigm and keep them in the bank.

    The same command run again goes on where it stopped, and does nothing where it was complete."""

    stage: ClassVar[str] = "generate"
    examples: ClassVar[tuple[str, ...]] = (
        "gapsmith generate subject_pg -n 20",
        "gapsmith generate subject_pg --provider gemini --model gemini-2.5-flash --dry-run",
    )

    paradigm: str = needed("A paradigm's name, or the path of a file ending in .toml.", argument=True)
    n: Annotated[int | Unset, COUNT] = option("How many new items (default: 40).", "-n")
    everything: bool = option("Every item of an exhaustive paradigm.", "--all", default=False)
    seed: Annotated[int | Unset, SEED] = option("For the word lists (default: 1), or sent to the model.")
    band: str | Unset = option(
        "How frequent the drawn words are: plain (once in a million words or more; the default), frequent (ten times), rare (less"
        " than once), any."
    )
    choose: tuple[str, ...] = option(
        "Only items with these levels of a choice of the paradigm, as `--choose embedding=none` (repeatable); `*` is as many of each.",
        metavar="CHOICE=LEVEL|...",
        default=(),
    )
    dataset: str = option("The data set to add to.", "--dataset", "-d", default=DEFAULT_DATASET)
    new_run: bool = option("Ask once more although this run is complete.", default=False)
    resume: Annotated[int | Unset, NUMBER_IN_BANK] = option(
        "Go on with this unfinished run although paradigm or prompt have changed since it began.", metavar="RUN"
    )
    dry_run: bool = option("Only say how many calls, tokens, dollars; show a prompt.", default=False)
    provider: str | Unset = option(
        "lexicon (the paradigm's own word lists; the default), gemini, openai …", setting="provider", panel=ASKING
    )
    model: str | Unset = option("The model's name.", setting="provider_model", panel=ASKING)
    mode: str | Unset = option("slots (words, the default) or sentences (CSV).", panel=ASKING, words=("slots", "sentences"))
    design: str | Unset = option("The conditions to ask for in sentence mode.", panel=ASKING)
    prompt: str | Unset = option("A prompt's name or file; see `gapsmith prompt list`.", panel=ASKING)
    feedback: bool = option("Tell the model why items were excluded.", panel=ASKING, default=False)
    repair: Annotated[int, REPAIRS] = option(
        "Send items with errors back to the model, so many times at most, with what the linter says.", panel=ASKING, default=0
    )
    n_per_call: Annotated[int | Unset, COUNT] = option("Items per call.", setting="n_per_call", panel=PACE)
    batch: bool = option(
        "Send all calls together: half the price, answers within a day; see `gapsmith runs watch`.", panel=PACE, default=False
    )
    reuse: bool = option("Take answers that earlier runs got to the very same requests, at no cost.", panel=PACE, default=False)


@dataclass(frozen=True, kw_only=True)
class WatchRun(Reaching):
    """Wait for the batch of a run, and take in what it brings, each answer into its call.

    Ctrl-C ends the waiting and not the batch."""

    stage: ClassVar[str] = "runs watch"

    run: Annotated[int, NUMBER_IN_BANK] = needed("The run's number in `gapsmith runs list`.", argument=True, metavar="RUN")
    every: Annotated[float, SECONDS_BETWEEN] = option("Seconds between looks.", default=60.0, unit="seconds")
    once: bool = option("Look once; do not wait for the end.", default=False)
    give_up: bool = option("End the batch: take in what is finished, so that calls can ask for the rest.", default=False)
