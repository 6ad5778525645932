"""What can be asked of instruments for one question: licensing, POSH-BENCH, counts in treebanks, numbers of other tools, studies."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

from gapsmith.app.requests.base import StageRequest, Unset, needed, option
from gapsmith.app.requests.parts import ByConvention, Everything, Models, Selection, TrainedOn
from gapsmith.templates import CONVENTIONS, DRAWS, MINUTES, ConfigError


@dataclass(frozen=True, kw_only=True)
class AnalyzeLicensing(Selection, Models, Everything, ByConvention, TrainedOn):
    """Test licensor × gap designs: flips, divisions, interaction, islands and depth under three metrics.

    For the paradigms that cross a licensor with a gap (embwhq, cleft_adj, cleft_noun, comp_quant, topic, tough, wh_positions, and
    yours): local surprisal, global surprisal of the clause after the licensor by word, and SLOR, each with mixed models over
    items.
    """

    stage: ClassVar[str] = "licensing"
    examples: ClassVar[tuple[str, ...]] = (
        "gapsmith study licensing",
        "gapsmith study licensing -m gpt2 -m bundled --out licensing",
    )

    counts: tuple[Path, ...] = option(
        "How often corpora have the constructions, as `gapsmith study count-constructions --csv` writes it; beside the counts that ship"
        " (repeatable).",
        default=(),
    )
    out: Path | Unset = option("A folder for licensing.md, effects.csv, cells.csv and figures.", "--out", "-o")

    def check(self) -> None:
        if len(self.dataset) > 1:
            raise ConfigError("licensing is about one data set, or about all", hint="Name one with --dataset, or none.")


@dataclass(frozen=True, kw_only=True)
class CountConstructions(StageRequest):
    """Count five filler-gap constructions in a treebank, by patterns over dependencies or over trees in brackets.

    Over trees in brackets, such as the Penn Treebank's, the patterns are the published ones.
    """

    stage: ClassVar[str] = "count-constructions"
    examples: ClassVar[tuple[str, ...]] = (
        "gapsmith study count-constructions en_ewt-ud-train.conllu",
        "gapsmith study count-constructions wsj_0001.mrg wsj_0002.mrg --csv WSJ > counts.csv",
    )

    files: tuple[Path, ...] = needed("CoNLL-U files (.conllu, .conllu.xz), or files of trees in brackets.", argument=True)
    csv: str | Unset = option(
        "Print CSV for `gapsmith study licensing --counts`, the corpus being called so.",
        metavar="NAME",
        only_typed="says how the counts are printed; a result of Python has them as `to_csv(NAME)`",
    )


@dataclass(frozen=True, kw_only=True)
class ComparePosh(ByConvention):
    """Compare all models on POSH-BENCH: right by perplexity, by phenomenon and category, with tests and figures.

    Every model that has scored all pairs of a phenomenon is a row: seeds of a model (NAME-seed1, NAME-seed2) are taken together,
    revisions apart. BLiMP, Zorro and SCaMP files count where their data set is called by benchmark and phenomenon. The authors' scripts
    score by minicons-mean; all conventions that were scored stand side by side where the conclusion differs.
    """

    stage: ClassVar[str] = "posh"

    model: tuple[str, ...] = option("Only this model (repeatable; default: all with scores).", "--model", "-m", default=())
    counts: Path | Unset = option(
        "Counts of right answers by corpus, size, filtering, seed and phenomenon (CSV), fitted beside table 8's.", metavar="FILE"
    )
    grid: tuple[Path, ...] = option(
        "Learners of `gapsmith train grid` (its --out): figures 2, 4 and 5, and their counts fitted as well (repeatable; default: what is in"
        " learners/ of the workspace).",
        metavar="FOLDER",
        default=(),
    )
    method: str = option(
        "How the Bayesian model is fitted: nuts, laplace, or auto: nuts where numpyro is installed.",
        default="auto",
        words=("auto", "nuts", "laplace"),
    )
    seeds: str = option(
        "Which test the tables star where a model has several seeds: pooled, the counts of all seeds together (as the printed tables);"
        " fisher, Fisher's combination of each seed's p (as the authors' script); largest, the largest p of the seeds.",
        default="pooled",
        words=("pooled", "fisher", "largest"),
    )
    draws: Annotated[int, DRAWS] = option("Draws of each of the four chains (nuts; default 1000).", default=1_000)
    out: Path | Unset = option("The folder of the page (default: posh/ in the workspace).", "--out", "-o")


@dataclass(frozen=True, kw_only=True)
class ExplainNumber(StageRequest):
    """Show a sentence's number as another tool makes it, and what each difference to ours comes to."""

    stage: ClassVar[str] = "explain-number"

    sentence: str = needed("The sentence, in quotes.", argument=True)
    like: str = needed(
        "minicons, minicons-mean, lm-eval, babylm, lm-eval-norm, syntaxgym or pangoling.",
    )
    model: str = option("A model of the hub, a directory, or `bundled` (the default).", "--model", "-m", default="bundled")
    word: str | Unset = option("A word of the sentence, instead of all of it.")
    boundary: bool = option("Our number with the word-boundary correction.", default=False)
    against: str | Unset = option("A second sentence: which of the two does each tool prefer?")


@dataclass(frozen=True, kw_only=True)
class Reproduce(StageRequest):
    """Do a published study again: the same design and tests, the published numbers beside ours.

    Each step is printed as the command that you could type yourself. Running it again repeats nothing that is done.
    """

    stage: ClassVar[str] = "reproduce"
    examples: ClassVar[tuple[str, ...]] = ("gapsmith study list", "gapsmith study gaps2025 -m bundled -m gpt2")

    study: str = needed("`list`, a study's name, or a study's file.", argument=True)
    convention: str | Unset = option(
        "How numbers are made of tokens: gapsmith, minicons, minicons-mean, lm-eval or babylm (default: what the study names).",
        words=tuple(CONVENTIONS),
    )
    one_convention: bool = option(
        "Leave out the second scoring convention that the study names beside its own, which takes as long again.", default=False
    )
    record: Path | Unset = option(
        "Write what came out under one model, and who measured it how, as a small JSON file that can be contributed; in `records/` of a study's"
        " folder it is shown as its author's.",
        metavar="FILE",
    )
    model: tuple[str, ...] = option("May be given several times (default: the study's own).", "--model", "-m", default=())
    grid: tuple[str, ...] = option(
        "Where the study trains learners (posh2026): those of this grid, miniature, posh-corpora, posh-biases or a file, too (repeatable).",
        metavar="NAME",
        default=(),
    )
    minutes: Annotated[float | Unset, MINUTES] = option(
        "With --grid miniature: text and training for so many minutes, instead of 30."
    )
    out: Path | Unset = option("The folder for everything (default: the study's name).", "--out", "-o")
