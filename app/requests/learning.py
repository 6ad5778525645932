"""What can be asked of training: a corpus, a language model, a parser."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, ClassVar

from gapsmith.app.requests.base import StageRequest, Unset, needed, option
from gapsmith.app.requests.parts import OnDevice
from gapsmith.templates import COUNT, DOLLARS, FACTOR, MINUTES, PART, SEED, ConfigError


@dataclass(frozen=True, kw_only=True)
class TrainCorpus(StageRequest):
    """Mix a corpus from several sources: so many words of each, one sentence on a line, with a manifest.

    The recipes that come along are the corpora of POSH-BENCH: its mixture, BABY-F, BABY and WIKI; you say where your CHILDES, BNC and
    so on lie. With --filter, or in a recipe that names filters, sentences stay out that show a learner directly what it is to find out
    by itself. Parses are kept beside the new folder: the same command goes on where it was stopped, and the next corpus of the same
    text needs none.
    """

    stage: ClassVar[str] = "train corpus"

    recipe: str = needed(
        "A TOML file, or posh-10m, posh-baby-f-10m, posh-baby-10m, posh-wiki-10m (30m, 50m, 100m).", argument=True
    )
    out: Path = needed("The new folder: train.txt, valid.txt, manifest.json.", "--out", "-o")
    sources: Mapping[str, str] = option(
        "Where a source of the recipe lies (repeatable).", "--source", metavar="NAME=PATH", default=MappingProxyType({})
    )
    licences: Mapping[str, str] = option(
        "The licence of a source (repeatable).", "--licence", metavar="NAME=TEXT", default=MappingProxyType({})
    )
    scale: Annotated[float, FACTOR] = option("Times all word counts of the recipe.", default=1.0)
    valid_share: Annotated[float, PART] = option(
        "Further words for validation, as a share of each source's (default: 0.01).", default=0.01
    )
    seed: Annotated[int, SEED] = option("Decides which stretches of the sources are taken (default: 1).", default=1)
    filters: tuple[str, ...] = option(
        "Leave out what this filter takes: question-formation, binding, or a TOML file of yours (repeatable).",
        "--filter",
        metavar="NAME",
        default=(),
    )
    put_back: bool = option(
        "With --filter: replace as many sentences by some that were taken out as each filter's put_back says.", default=False
    )
    parser: str = option("Who parses for --filter: embedded, spacy:NAME, stanza.", default="embedded")

    def check(self) -> None:
        if self.put_back and not self.filters:
            raise ConfigError(
                "--put-back without --filter", hint="What is put back is what a filter has taken out; a recipe says it itself."
            )
        for flag, given in (("--source", self.sources), ("--licence", self.licences)):
            for name, value in given.items():
                if not value:
                    raise ConfigError(f"{flag} {name}= says nothing of {name}", hint=f"For example {flag} CHILDES=…")


@dataclass(frozen=True, kw_only=True)
class TrainAudit(StageRequest):
    """Draw sentences of a filtered corpus for somebody to read, and count from the filled sheet what a filter has left in.

    With --out, a sheet of the sentences that each filter's [audit] is about, at most --sentences of each: POSH-BENCH drew 1,000. A reader
    writes yes, no or ? into its column `leak`. With --answers, the share of leaks with its exact 95 % interval.
    """

    stage: ClassVar[str] = "train audit"
    examples: ClassVar[tuple[str, ...]] = (
        "gapsmith train audit corpora/baby-f-10m --out sheet.csv",
        "gapsmith train audit corpora/baby-f-10m --answers sheet.csv",
    )

    corpus: Path = needed("A folder of `gapsmith train corpus`.", argument=True)
    out: Path | Unset = option("The sheet to write (CSV).", "--out", "-o")
    answers: Path | Unset = option("The sheet, filled in.")
    filters: tuple[str, ...] = option(
        "Only this filter, or one that the corpus was made without: a name, or a TOML file of yours (repeatable).",
        "--filter",
        metavar="NAME",
        default=(),
    )
    sentences: Annotated[int | Unset, COUNT] = option("With --out: so many of each filter (default: 1000).")
    seed: Annotated[int | Unset, SEED] = option("With --out: decides which sentences are drawn (default: 1).")

    def check(self) -> None:
        for name, given in (("--sentences", self.sentences), ("--seed", self.seed)):
            if not isinstance(self.answers, Unset) and not isinstance(given, Unset):
                raise ConfigError(
                    f"{name} with --answers", hint="The sheet says how many were drawn, and by which seed: leave it out."
                )
        if isinstance(self.out, Unset) == isinstance(self.answers, Unset):
            raise ConfigError(
                "--out and --answers together" if not isinstance(self.out, Unset) else "neither --out nor --answers",
                hint="--out SHEET.csv draws sentences; --answers SHEET.csv counts what a reader has written into it.",
            )


@dataclass(frozen=True, kw_only=True)
class TrainCounts(StageRequest):
    """Count sentences, words and tokens of corpora, beside POSH-BENCH's tables 4 and 9 where a corpus is of one of its recipes.

    Tokens are those of a tokenizer trained on the corpus itself, for each size of vocabulary that is named; the paper has 8192, 32768,
    49152 and 65536.
    """

    stage: ClassVar[str] = "train counts"
    examples: ClassVar[tuple[str, ...]] = ("gapsmith train counts corpora/* --vocabulary 8192 --vocabulary 32768",)

    corpora: tuple[Path, ...] = needed("Folders of `gapsmith train corpus`.", argument=True, metavar="CORPUS…")
    vocabulary: tuple[Annotated[int, COUNT], ...] = option(
        "Count tokens under a vocabulary of this size (repeatable).", default=()
    )


@dataclass(frozen=True, kw_only=True)
class TrainLm(OnDevice):
    """Train a language model: a GPT-2, an LSTM or n-grams.

    Run the same command again to go on after a stop: it comes to the same losses and weights. What is made is an
    ordinary model folder that `gapsmith score --model` takes.
    """

    stage: ClassVar[str] = "train lm"

    corpora: tuple[Path, ...] = needed(
        "Text files (.txt, also .xz, .gz) or folders of `train corpus`.", argument=True, metavar="CORPUS…"
    )
    config: str = needed("A TOML file, or mini, xs, xxs, small, gulordava, kneser-ney, add-one.", "--config", "-c")
    out: Path = needed("The model's folder; a stopped run in it goes on.", "--out", "-o")
    valid: tuple[Path, ...] = option("Text for validation (repeatable; default: a share of the corpus).", default=())
    init: str | Unset = option("Start from this model, with its shape and tokenizer.")
    lines: str = option(
        "What a line of the files is: paragraphs (default) or sentences.", default="paragraphs", words=("paragraphs", "sentences")
    )
    overrides: tuple[str, ...] = option(
        "Change the configuration: run.steps=2000 (repeatable).", "--set", metavar="KEY=VALUE", default=()
    )
    finish: bool = option("Train no further: make the model from the best checkpoint there is.", default=False)
    evaluate: tuple[str, ...] = option(
        "At every evaluation, also the accuracy on the workspace's items of this paradigm or data set (repeatable).",
        metavar="NAME",
        default=(),
    )
    everything: bool = option("With --evaluate: all items, not only approved ones.", "--all", default=False)


@dataclass(frozen=True, kw_only=True)
class TrainGrid(OnDevice):
    """Train the learners of a grid: its cells, each with several seeds, each in a folder of its own.

    First it says how long that takes. Run the same command again to go on after a stop: cells that are done stay as they are.
    With --score, the models score the workspace's items, as `gapsmith score` does, for `gapsmith study posh`.
    """

    stage: ClassVar[str] = "train grid"
    examples: ClassVar[tuple[str, ...]] = ("gapsmith train grid biases.toml --out learners --dry-run --price 2.50",)

    file: Path = needed("A TOML file, or miniature, posh-corpora, posh-biases.", argument=True)
    out: Path = needed("The folder for the models; a stopped grid in it goes on.", "--out", "-o")
    cell: tuple[str, ...] = option("Only this cell, with all its seeds (repeatable).", metavar="NAME", default=())
    minutes: Annotated[float | Unset, MINUTES] = option(
        "Make words and steps of a grid that was made for other minutes so much fewer, or more: miniature was made for 30."
    )
    workers: Annotated[int | Unset, COUNT] = option(
        "Processes, with one thread each (default: one for each processor core; one in all on a GPU)."
    )
    on: str | Unset = option("ray: all processors or GPUs of this machine; ray=ADDRESS: those of a running cluster.")
    price: Annotated[float | Unset, DOLLARS] = option("Dollars for an hour of one process, to say what it costs.")
    dry_run: bool = option("Say how long it takes and what it costs; train nothing.", default=False)
    score: tuple[str, ...] = option(
        "Afterwards, score the workspace's items of this paradigm or data set, such as posh_*, with every model (repeatable).",
        metavar="NAME",
        default=(),
    )
    evaluate: tuple[str, ...] = option(
        "At every evaluation, also the accuracy on the workspace's items of this paradigm or data set, such as posh_* (repeatable).",
        metavar="NAME",
        default=(),
    )
    everything: bool = option("With --score and --evaluate: all items, not only approved ones.", "--all", default=False)


@dataclass(frozen=True, kw_only=True)
class TrainParser(StageRequest):
    """Train a parser and a tagger on a UD treebank, measure them on its test sentences, and write them with a card.

    With the defaults and UD English-EWT this makes the parser that ships: about twenty minutes on one processor core.
    What is written stands under the terms of the treebank: `MODEL_CARD.md` in the folder says which sentences it learnt from.
    """

    stage: ClassVar[str] = "train parser"

    treebank: Path = needed("The folder of one UD treebank: train, dev and test as .conllu or .conllu.xz.", argument=True)
    out: Path = needed("A new or empty folder for the parser.", "--out", "-o")
    steps: Annotated[int, COUNT] = option("Updates of the weights (default: 2,400).", default=2_400)
    seed: Annotated[int, SEED] = option("Decides the first weights, the order and the dropout (default: 1).", default=1)
