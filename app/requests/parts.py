"""Parts of requests that several stages share, so that an option means the same everywhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, get_args

from gapsmith.app.requests.base import StageRequest, Unset, option
from gapsmith.app.settings import WORDS
from gapsmith.stats import TieRule
from gapsmith.templates import (
    CONFIDENCE,
    CONVENTIONS,
    COUNT,
    DOLLARS,
    GAPSMITH,
    NUMBER_IN_BANK,
    PER_MINUTE,
    SEED,
    TEMPERATURE,
    TIMEOUT,
    TOP_P,
)

ASKING, PACE = "Asking a model", "Pace and cost"


@dataclass(frozen=True, kw_only=True)
class Selection(StageRequest):
    """Which items."""

    paradigm: tuple[str, ...] = option("Only items of this paradigm (repeatable; default: all).", "--paradigm", "-p", default=())
    dataset: tuple[str, ...] = option("Only items of this data set (repeatable).", "--dataset", "-d", default=())


@dataclass(frozen=True, kw_only=True)
class Within(StageRequest):
    """Which items, where they are looked at together."""

    paradigm: str | Unset = option("Only items of this paradigm.", "--paradigm", "-p")
    dataset: str | Unset = option("Only items of this data set.", "--dataset", "-d")


@dataclass(frozen=True, kw_only=True)
class OneRun(StageRequest):
    """Of which run."""

    run: Annotated[int | Unset, NUMBER_IN_BANK] = option("Only items of this run.")


@dataclass(frozen=True, kw_only=True)
class SkipChanged(StageRequest):
    """What becomes of items that have other texts than a file is about."""

    skip_changed: bool = option("Leave out items that have other texts here than the file is about.", default=False)


@dataclass(frozen=True, kw_only=True)
class OneParadigm(StageRequest):
    """Which items, of one paradigm."""

    paradigm: str | Unset = option("Whose items; not needed if the bank has one paradigm.", "--paradigm", "-p")
    dataset: str | Unset = option("Only items of this data set.", "--dataset", "-d")


@dataclass(frozen=True, kw_only=True)
class Everything(StageRequest):
    """Whether items count that nobody approved."""

    everything: bool = option("Every item, whatever was decided of it, not only the approved ones.", "--all", default=False)


@dataclass(frozen=True, kw_only=True)
class Looking(StageRequest):
    """Whether others' decisions are looked at."""

    look: bool = option("Look at what others decided before you have locked; that is recorded for every item.", default=False)


@dataclass(frozen=True, kw_only=True)
class Acting(StageRequest):
    """Who does it."""

    by: str | Unset = option("Who does this (default: `annotator` of the settings, else you).")


@dataclass(frozen=True, kw_only=True)
class OurIds(StageRequest):
    """What a file's ids are."""

    our_ids: bool = option("The file names items by their ids alone, and these are ids of this bank as it is now.", default=False)


@dataclass(frozen=True, kw_only=True)
class FileReading(StageRequest):
    """What a person says of a stranger's file, where it does not say it itself."""

    format: str | Unset = option("What the file is, where that is not found out.")
    encoding: str | Unset = option("Its encoding, if not UTF-8: cp1252, latin-1.")
    sheet: tuple[str, ...] = option(
        "Which sheet of a spreadsheet; several are one table, with the name of the sheet in a column sheet (repeatable).",
        default=(),
    )
    first: str | Unset = option(
        "Which member of a pair comes first, where the file does not say it: good or bad.", words=("good", "bad")
    )
    attribute: tuple[str, ...] = option(
        "A column that is no region; of lines, a label such as C: whose lines are said of their items (repeatable).", default=()
    )
    region: tuple[str, ...] = option(
        "A column that is a region all the same; beside --sentence-column, the one that counts or names the words of rows (repeatable).",
        default=(),
    )
    item_column: tuple[str, ...] = option("The column of the item; several name it together (repeatable).", default=())
    condition_column: tuple[str, ...] = option("A column of the condition, one per factor (repeatable).", default=())
    sentence_column: tuple[str, ...] = option(
        "The column of the sentences; several are a column per condition (repeatable).", default=()
    )
    strip_prefix: tuple[str, ...] = option(
        "What stands before sentences and is no part of them, such as A: (repeatable; a number in it is any number, dots in brackets anything).",
        default=(),
    )
    per_item: Annotated[int | Unset, COUNT] = option("How many lines or rows an item has, where nothing in the file names it.")
    region_mark: str | Unset = option("What stands between the regions of a sentence, such as /.")
    only: tuple[str, ...] = option(
        "Only rows with this value in that column; several of one column are either (repeatable).",
        metavar="COLUMN=VALUE",
        default=(),
    )
    leave_out: tuple[str, ...] = option(
        "What is not read: rows with this value in that column, or lines and rows by the numbers that messages give them, such as 4,7-9"
        " ('SHEET!4' where several sheets are read; repeatable).",
        metavar="COLUMN=VALUE|NUMBERS",
        default=(),
    )
    stack: bool = option(
        "Columns that stand side by side several times, such as list1_cond, list1_sentence, list2_cond, list2_sentence, are rows below each"
        " other, and so are several columns of --sentence-column; what tells them apart stands in a column part.",
        default=False,
    )
    frame: tuple[str, ...] = option(
        "A column of sentences with a blank, such as ___ or [MASK], or of what they begin or end with: the words of --sentence-column go"
        " into it (repeatable).",
        default=(),
    )
    items_by_words: bool = option(
        "Nothing numbers the items: the sentences of an item are those whose words are much more alike than those of other items.",
        default=False,
    )
    header_row: Annotated[int | Unset, COUNT] = option(
        "The row of the headings, or of the first sentence of a text, where something stands above it."
    )
    missing: tuple[str, ...] = option("What a cell holds where there is no sentence, such as n/a (repeatable).", default=())
    comment: str | Unset = option(
        "What lines begin with that are comments, such as #; several signs with a space between, such as '# ;'."
    )
    transpose: bool = option("Rows are columns and columns are rows.", default=False)
    headings: str | Unset = option("The headings of a table that has none, such as item,condition,sentence.", metavar="NAME,NAME")
    header_rows: Annotated[int | Unset, COUNT] = option("How many rows of headings there are, if several.")
    table: str | Unset = option("Which table of a document is meant, from 1; or all, if they have the same columns.")
    wrapped: bool = option(
        "An indented line goes on with the sentence in the line above, and a cell that begins with a space with the cell before it.",
        default=False,
    )
    strip_suffix: tuple[str, ...] = option(
        "What stands behind sentences and is no part of them, such as '[...]' (repeatable; dots in brackets are anything).",
        default=(),
    )
    gap_mark: tuple[str, ...] = option(
        "What stands in sentences for a gap, where a word would be, such as __: it is taken out (repeatable).", default=()
    )
    good: tuple[str, ...] = option(
        "The value of a column that says that a sentence is acceptable, or, in a row with two sentences, that the first one is; high or low of"
        " ratings; or the acceptable condition alone (repeatable).",
        metavar="COLUMN=VALUE",
        default=(),
    )
    alternatives: str | Unset = option(
        "Sentences hold alternatives, such as was/*were or {is|are}, each a condition: crossed with those of other places, or parallel to"
        " them (the first with the first).",
        words=("crossed", "parallel"),
    )
    blank_rows: bool = option(
        "Blank rows part sentences or items: what stands between them is numbered in a column block.", default=False
    )
    once: bool = option(
        "Rows that repeat an item's sentence, one for each participant, are read once; columns of answers, and all that differ between"
        " these rows, are left out.",
        default=False,
    )
    clean: tuple[str, ...] = option(
        "What is taken out of sentences, being no word of them: lists, html, markdown, latex, escapes, encoding, subwords, special, tags,"
        " capitals, indices, underscores, invisible, brackets, blanks (repeatable).",
        metavar="KIND",
        default=(),
    )
    take_out: tuple[str, ...] = option(
        "What is taken out wherever it stands in sentences, such as '<...>' (repeatable; a number in it is any number, dots in brackets"
        " anything).",
        metavar="TEXT",
        default=(),
    )
    mapping: Path | Unset = option("A file that says all this, as --save-mapping writes it; options go before it.")


@dataclass(frozen=True, kw_only=True)
class Models(StageRequest):
    """Whose values are taken."""

    model: tuple[str, ...] = option(
        "Scores of this model (default: `model` of the settings, else what measured most of the items); several are compared"
        " (repeatable).",
        "--model",
        "-m",
        default=(),
    )


@dataclass(frozen=True, kw_only=True)
class Kinds(StageRequest):
    """What several models are."""

    kinds: Path | Unset = option(
        "What the models are (CSV: model, then a column for each thing they differ in, such as family and size; seed tells alike ones"
        " apart): means over models, and how kinds differ (default: seeds by the names, NAME-seed1).",
        metavar="FILE",
    )


@dataclass(frozen=True, kw_only=True)
class ByConvention(StageRequest):
    """By which convention a number is made of what a model says of tokens."""

    convention: str = option(
        "How numbers are made of tokens: gapsmith (default), or as another program makes them: minicons, minicons-mean, lm-eval, babylm."
        " `gapsmith score --convention` computes what it needs.",
        default=GAPSMITH,
        words=tuple(CONVENTIONS),
    )


@dataclass(frozen=True, kw_only=True)
class MadeBy(ByConvention):
    """How a number is made of what a model says of tokens."""

    corrected: bool = option("Move the probability mass of word boundaries to where words end.", default=False)


@dataclass(frozen=True, kw_only=True)
class TrainedOn(StageRequest):
    """What SLOR takes away."""

    unigram: Path | Unset = option(
        "The text that the model was trained on, in which slor counts tokens (also .xz, .gz).", metavar="CORPUS"
    )


@dataclass(frozen=True, kw_only=True)
class OneScorer(StageRequest):
    """By which scorer."""

    scorer: Annotated[int | Unset, NUMBER_IN_BANK] = option(
        "Scores of this scorer, where one model scored with several settings.", metavar="ID"
    )


@dataclass(frozen=True, kw_only=True)
class Values(OneScorer):
    """Which values of a model are taken, and what they come to."""

    contexts: tuple[str, ...] = option(
        "In the contexts of this set, side by side with no context (repeatable; --by context: of every set).", default=()
    )
    measure: str | Unset = option("What a region's tokens come to: sum (default), mean, max, …")


@dataclass(frozen=True, kw_only=True)
class Measured(Models, Values, MadeBy, TrainedOn):
    """Whose values are taken, and what they come to."""


@dataclass(frozen=True, kw_only=True)
class ModelledBy(StageRequest):
    """How a formula becomes a mixed model."""

    rows: str = option(
        "A row of the mixed model: each observation once, or all items and sentences, whose repeats published analyses counted"
        " (default: observations).",
        words=("observations", "all"),
        default="observations",
    )
    reduce: bool | Unset = option(
        "Leave out random slopes and correlations that the data do not call for, step by step (default: for auto only)."
    )
    double_bar: str = option(
        "(x || g) in the mixed model: contrasts (default), each of x varies by itself; split: as lme4 reads it.",
        words=("contrasts", "split"),
        default="contrasts",
    )


@dataclass(frozen=True, kw_only=True)
class Testing(ModelledBy):
    """Which tests, and how."""

    by: tuple[str, ...] = option(
        "Side by side: model, revision, dataset, context, or an attribute or slot of the items (repeatable).", default=()
    )
    where: Mapping[str, str] = option(
        "Only items with this attribute, or word in a slot (repeatable).", metavar="NAME=VALUE", default=MappingProxyType({})
    )
    design: str | Unset = option("Only the contrasts of this design.")
    contrast: tuple[str, ...] = option(
        "Only this contrast, by its name or as tables show it (repeatable).", "--contrast", "-c", default=()
    )
    alternative: str | Unset = option(
        "expected (the side that is predicted), two-sided, greater or less, for every test (default: what the paradigm says)."
        " Intervals stay two-sided.",
        words=("expected", "two-sided", "greater", "less"),
    )
    uncorrected: bool = option(
        "Verdicts follow p as it is, instead of Holm's over all tests of the run, or of each family that the paradigm names.",
        default=False,
    )
    confidence: Annotated[float, CONFIDENCE] = option("Of intervals (0.95: they hold in 95 of 100 samples).", default=0.95)
    permutations: Annotated[int, COUNT] = option("How many sign flips are drawn for the permutation test.", default=9_999)
    seed: Annotated[int, SEED] = option("Of these draws.", default=20_250)
    ties: str = option(
        "What a difference of exactly 0 comes to in the share of items that are as expected: wrong (default), or excluded from it.",
        default="wrong",
        words=get_args(TieRule),
    )
    complete: bool = option("Only items that have a value for every contrast, so that n is the same.", default=False)
    formula: tuple[str, ...] = option(
        "A mixed model over the critical regions, in R's notation, such as 'surprisal ~ filler*gap2 + (1|item)'; logistic for"
        " 'correct ~ ...'; auto: what the design calls for. Several are compared (repeatable).",
        default=(),
    )
    sensitivity: bool = option(
        "What the contrasts hang on: outliers, single items and words, measure, word boundaries, BOS, status.", default=False
    )


@dataclass(frozen=True, kw_only=True)
class OnDevice(StageRequest):
    """Where something is computed."""

    device: str | Unset = option(
        "auto (default), cpu, cuda, cuda:1, mps.", setting="device", pattern=r"auto|cpu|cuda(:\d{1,3})?|mps"
    )


@dataclass(frozen=True, kw_only=True)
class Running(OnDevice):
    """How a language model is run on this machine."""

    dtype: str | Unset = option("float32 (default), bfloat16 or float16.", setting="dtype", words=WORDS["dtype"])
    kernel: str | Unset = option(
        "What multiplies float32 matrices on the processor: auto (default: the faster of default and packed), default (torch's), packed"
        " (oneDNN's, as exact), or bf16 (oneDNN's, in bfloat16 where that is faster: another scorer).",
        setting="kernel",
        words=WORDS["kernel"],
    )
    batch_size: Annotated[int | Unset, COUNT] = option(
        "Sentences per forward pass of batches (default 32).", setting="batch_size", unit="sentences"
    )


@dataclass(frozen=True, kw_only=True)
class Reaching(StageRequest):
    """How a provider is reached, and what it charges."""

    send_key_to: str | Unset = option(
        "Send your key to this host although only the workspace's file names it.", metavar="HOST", panel=ASKING
    )
    prices: Path | Unset = option("A price file of your own, before the others.", panel=PACE)
    timeout: Annotated[float | Unset, TIMEOUT] = option(
        "Seconds to wait for an answer (default: 120).", setting="timeout", unit="seconds", panel=PACE
    )


@dataclass(frozen=True, kw_only=True)
class Asking(Reaching):
    """How a language model is asked over a network, and what that may cost."""

    base_url: str | Unset = option("A server that speaks the provider's API.", setting="base_url", panel=ASKING)
    temperature: Annotated[float | Unset, TEMPERATURE] = option("0 to 2.", setting="temperature", panel=ASKING)
    top_p: Annotated[float | Unset, TOP_P] = option("Above 0, at most 1.", setting="top_p", panel=ASKING)
    api: str | Unset = option("With openai: chat (the default) or responses.", setting="api", panel=ASKING)
    extra_body: str | Unset = option(
        "Members for the request beside ours, for servers that take them, such as min_p.",
        setting="extra_body",
        metavar="JSON",
        panel=ASKING,
    )
    thinking: str | Unset = option("Tokens (a number), or minimal, low, medium, high.", setting="thinking", panel=ASKING)
    max_output_tokens: Annotated[int | Unset, COUNT] = option(
        "Per answer, thinking included.", setting="max_output_tokens", unit="tokens", panel=ASKING
    )
    concurrency: Annotated[int | Unset, COUNT] = option("Calls side by side (default: 4).", setting="concurrency", panel=PACE)
    rpm: Annotated[float | Unset, PER_MINUTE] = option("Requests per minute.", setting="rpm", panel=PACE)
    tpm: Annotated[float | Unset, PER_MINUTE] = option("Tokens per minute.", setting="tpm", panel=PACE)
    max_cost: Annotated[float | Unset | None, DOLLARS] = option(
        "US dollars, for the whole run; none: no limit, whatever the settings say.",
        setting="max_cost",
        unit="US dollars",
        panel=PACE,
    )
    tier: str | Unset = option("flex: half the price, answered when there is room.", setting="tier", panel=PACE)
    free: bool = option("The server at --base-url charges nothing.", panel=PACE, default=False)
