"""What can be asked of the linter: of items, of itself, of a published set."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

from gapsmith.app.requests.base import Unset, needed, option
from gapsmith.app.requests.parts import Asking, FileReading, Running, Selection
from gapsmith.app.settings import WORDS
from gapsmith.templates import SEED

_JUDGES = "Judges"
_PRINTED = "it says what is printed"
NEVER = "never"
"""The `fail_on` with which nothing that is found ends a command with 1."""


@dataclass(frozen=True, kw_only=True)
class Lint(Selection, Asking):
    """Read items with all rules, show what they find, and keep it in the bank.

    Each code is explained by `gapsmith rule CODE`. With --judge, language models are asked as well; what they cost and how they
    are asked is said by the same options as in `gapsmith generate`.
    """

    stage: ClassVar[str] = "lint"
    examples: ClassVar[tuple[str, ...]] = (
        "gapsmith lint",
        "gapsmith lint -p lan_pg --select L310,L311",
        "gapsmith lint --fix --fail-on warning",
        "gapsmith lint --confounds",
        "gapsmith lint --audit shipped",
    )

    items: tuple[str, ...] = option("Item ids (default: all).", argument=True, default=())
    select: tuple[str, ...] = option("Only these rules: codes or prefixes, L,T020 (repeatable).", default=())
    ignore: tuple[str, ...] = option("All rules but these (repeatable).", default=())
    fail_on: str | Unset = option(
        "Exit with 1 from this severity on: error, warning, info, never (default: `fail_on` of the settings, else error).",
        setting="fail_on",
        words=WORDS["fail_on"],
        only_typed="it says with which code the command ends",
    )
    level: str = option(
        "Show findings from this severity on.", default="warning", words=("error", "warning", "info"), only_typed=_PRINTED
    )
    full: bool = option("Show every finding of every item, also those of one kind.", default=False, only_typed=_PRINTED)
    fix: bool = option("Repair spaces, capitals, final punctuation, invisible characters first.", default=False)
    confounds: bool = option(
        "One page on what the set repeats and how its conditions differ.", default=False, only_typed=_PRINTED
    )
    tokenizer: str | Unset = option("Count tokens as this model does: bundled, gpt2, a path.")
    parser: tuple[str, ...] = option(
        "Also run the rules on parses, with this parser: embedded, spacy:NAME, stanza (repeatable: a second opinion).", default=()
    )
    audit: str | Unset = option("Measure the linter itself on a gold file, or on `shipped`.")
    judge: tuple[str, ...] = option(
        "Ask a language model as well, blind (repeatable). Advisory; may cost money.",
        metavar="PROVIDER:MODEL",
        panel=_JUDGES,
        default=(),
    )
    judge_by: str = option(
        "choice (of two sentences) or rating (1 to 7).", panel=_JUDGES, default="choice", words=("choice", "rating")
    )
    judge_seed: Annotated[int, SEED] = option("Of the order of questions and sentences.", panel=_JUDGES, default=1)


@dataclass(frozen=True, kw_only=True)
class AuditSet(FileReading, Running):
    """Read a published set with the rules that need no paradigm; one HTML page and a CSV, no workspace."""

    stage: ClassVar[str] = "audit"
    examples: ClassVar[tuple[str, ...]] = (
        "gapsmith audit suite.json",
        "gapsmith audit blimp.jsonl --model gpt2",
        "gapsmith audit pairs.txt --first good",
        "gapsmith audit items.csv --fail-on error",
    )

    file: Path = needed("A suite, pairs, regions, or a table of sentences; CSV, xlsx, JSON, text.", argument=True)
    out: Path | Unset = option("The page to write (default: FILE.audit.html here).", "--out", "-o")
    model: str | Unset = option("Also how often a model is right, with and without the faulty items.", "--model", "-m")
    fail_on: str = option(
        "Exit with 1 where there is a finding of this severity or a worse one, and print these: error, warning, info, never.",
        default=NEVER,
        words=WORDS["fail_on"],
        only_typed="it says with which code the command ends",
    )
