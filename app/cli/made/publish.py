"""The flags of `gapsmith publish`. Written by `python -m tools.doors` from `gapsmith.app.requests.measuring.Publish`; changes are made there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gapsmith.app.cli.numbers import given
from gapsmith.app.cli.options import JsonOption, WorkspaceOption
from gapsmith.templates import CONFIDENCE, COUNT, NUMBER_IN_BANK, SEED


def publish(
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", help="The folder to write, new or empty (default: published/ in the workspace).", show_default=False
        ),
    ] = None,
    title: Annotated[
        str | None,
        typer.Option("--title", help="What the set is called (default: its data set's or paradigm's name).", show_default=False),
    ] = None,
    creator: Annotated[
        list[str] | None,
        typer.Option("--creator", help="Who made the set, as they are to be cited (repeatable).", show_default=False),
    ] = None,
    license: Annotated[
        str | None,
        typer.Option("--license", help="Under which licence others may use it, such as cc-by-4.0.", show_default=False),
    ] = None,
    language: Annotated[str | None, typer.Option("--language", help="The language of the sentences.", show_default=False)] = None,
    citation: Annotated[
        Path | None, typer.Option("--citation", help="A BibTeX file with the paper to cite.", show_default=False)
    ] = None,
    words: Annotated[
        str | None,
        typer.Option(
            "--words",
            help="What the words of items are: slots (regions, where items came as sentences), or roles as well, read from sentences that have no slots.",
            show_default=False,
        ),
    ] = None,
    paradigm: Annotated[
        list[str] | None,
        typer.Option("--paradigm", "-p", help="Only items of this paradigm (repeatable; default: all).", show_default=False),
    ] = None,
    dataset: Annotated[
        list[str] | None, typer.Option("--dataset", "-d", help="Only items of this data set (repeatable).", show_default=False)
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Every item, whatever was decided of it, not only the approved ones.")
    ] = False,
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            "-m",
            help="Scores of this model (default: `model` of the settings, else what measured most of the items); several are compared (repeatable).",
            show_default=False,
        ),
    ] = None,
    contexts: Annotated[
        list[str] | None,
        typer.Option(
            "--contexts",
            help="In the contexts of this set, side by side with no context (repeatable; --by context: of every set).",
            show_default=False,
        ),
    ] = None,
    measure: Annotated[
        str | None,
        typer.Option("--measure", help="What a region's tokens come to: sum (default), mean, max, …", show_default=False),
    ] = None,
    scorer: Annotated[
        int | None,
        typer.Option(
            "--scorer",
            parser=given(NUMBER_IN_BANK),
            metavar="ID",
            help="Scores of this scorer, where one model scored with several settings.",
            show_default=False,
        ),
    ] = None,
    corrected: Annotated[
        bool, typer.Option("--corrected", help="Move the probability mass of word boundaries to where words end.")
    ] = False,
    convention: Annotated[
        str | None,
        typer.Option(
            "--convention",
            help="How numbers are made of tokens: gapsmith (default), or as another program makes them: minicons, minicons-mean, lm-eval, babylm. `gapsmith score --convention` computes what it needs.",
            show_default=False,
        ),
    ] = None,
    unigram: Annotated[
        Path | None,
        typer.Option(
            "--unigram",
            metavar="CORPUS",
            help="The text that the model was trained on, in which slor counts tokens (also .xz, .gz).",
            show_default=False,
        ),
    ] = None,
    by: Annotated[
        list[str] | None,
        typer.Option(
            "--by",
            help="Side by side: model, revision, dataset, context, or an attribute or slot of the items (repeatable).",
            show_default=False,
        ),
    ] = None,
    where: Annotated[
        list[str] | None,
        typer.Option(
            "--where",
            metavar="NAME=VALUE",
            help="Only items with this attribute, or word in a slot (repeatable).",
            show_default=False,
        ),
    ] = None,
    design: Annotated[str | None, typer.Option("--design", help="Only the contrasts of this design.", show_default=False)] = None,
    contrast: Annotated[
        list[str] | None,
        typer.Option(
            "--contrast", "-c", help="Only this contrast, by its name or as tables show it (repeatable).", show_default=False
        ),
    ] = None,
    alternative: Annotated[
        str | None,
        typer.Option(
            "--alternative",
            help="expected (the side that is predicted), two-sided, greater or less, for every test (default: what the paradigm says). Intervals stay two-sided.",
            show_default=False,
        ),
    ] = None,
    uncorrected: Annotated[
        bool,
        typer.Option(
            "--uncorrected",
            help="Verdicts follow p as it is, instead of Holm's over all tests of the run, or of each family that the paradigm names.",
        ),
    ] = False,
    confidence: Annotated[
        float | None,
        typer.Option(
            "--confidence",
            parser=given(CONFIDENCE),
            help="Of intervals (0.95: they hold in 95 of 100 samples).",
            show_default=False,
        ),
    ] = None,
    permutations: Annotated[
        int | None,
        typer.Option(
            "--permutations",
            parser=given(COUNT),
            help="How many sign flips are drawn for the permutation test.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", parser=given(SEED), help="Of these draws.", show_default=False)] = None,
    ties: Annotated[
        str | None,
        typer.Option(
            "--ties",
            help="What a difference of exactly 0 comes to in the share of items that are as expected: wrong (default), or excluded from it.",
            show_default=False,
        ),
    ] = None,
    complete: Annotated[
        bool, typer.Option("--complete", help="Only items that have a value for every contrast, so that n is the same.")
    ] = False,
    formula: Annotated[
        list[str] | None,
        typer.Option(
            "--formula",
            help="A mixed model over the critical regions, in R's notation, such as 'surprisal ~ filler*gap2 + (1|item)'; logistic for 'correct ~ ...'; auto: what the design calls for. Several are compared (repeatable).",
            show_default=False,
        ),
    ] = None,
    sensitivity: Annotated[
        bool,
        typer.Option(
            "--sensitivity",
            help="What the contrasts hang on: outliers, single items and words, measure, word boundaries, BOS, status.",
        ),
    ] = False,
    rows: Annotated[
        str | None,
        typer.Option(
            "--rows",
            help="A row of the mixed model: each observation once, or all items and sentences, whose repeats published analyses counted (default: observations).",
            show_default=False,
        ),
    ] = None,
    reduce: Annotated[
        bool | None,
        typer.Option(
            "--reduce/--no-reduce",
            help="Leave out random slopes and correlations that the data do not call for, step by step (default: for auto only).",
            show_default=False,
        ),
    ] = None,
    double_bar: Annotated[
        str | None,
        typer.Option(
            "--double-bar",
            help="(x || g) in the mixed model: contrasts (default), each of x varies by itself; split: as lme4 reads it.",
            show_default=False,
        ),
    ] = None,
    kinds: Annotated[
        Path | None,
        typer.Option(
            "--kinds",
            metavar="FILE",
            help="What the models are (CSV: model, then a column for each thing they differ in, such as family and size; seed tells alike ones apart): means over models, and how kinds differ (default: seeds by the names, NAME-seed1).",
            show_default=False,
        ),
    ] = None,
    look: Annotated[
        bool, typer.Option("--look", help="Look at what others decided before you have locked; that is recorded for every item.")
    ] = False,
    workspace: WorkspaceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write one folder that can be given to OSF, Zenodo or the Hugging Face hub. Nothing is uploaded.

    In it: the approved items (data.jsonl, data.csv) with a card, the paradigm's file, who decided what, the frozen plan, the numbers and
    the report, how to cite it, and SHA256SUMS with a digest of every file. Analyses are asked for as in `gapsmith report`. What there
    is not, such as scores or a plan, is said in the card. The folder has to be new or empty.

    Examples: `gapsmith publish --creator 'Ada Miller' --license cc-by-4.0 -o my-set`, `gapsmith publish -o my-set -p subject_pg -m gpt2 --citation paper.bib`.
    """
    flags = dict(locals())
    from gapsmith.app.cli.door import carry_out

    carry_out("publish", flags)
