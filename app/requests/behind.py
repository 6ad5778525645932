"""What can be asked of contexts: to draw some, and to study what they do."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

from gapsmith.app.requests.base import UNSET, StageRequest, Unset, needed, option
from gapsmith.app.requests.parts import ByConvention, Everything, OneParadigm, Running, Selection
from gapsmith.templates import COUNT, COUNT_OR_NONE, SEED, ConfigError

_NAME = "The name of the context set."


@dataclass(frozen=True, kw_only=True)
class Growing(StageRequest):
    """How contexts are drawn."""

    suites_by: str = option(
        "An attribute that takes data sets apart into suites (BLiMP's UID); else a data set is one.", default=""
    )
    shared_contexts: Annotated[int | Unset, COUNT] = option(
        "So many contexts for all items of a suite, not one each.", "--shared-contexts", "--shared"
    )
    text: Path | Unset = option("For unrelated: a file of running text (default: a sample that comes along).")
    lines: bool = option("The file has one sentence a line.", default=False)
    seed: Annotated[int, SEED] = option("The same seed draws the same contexts (default 1).", default=1)


@dataclass(frozen=True, kw_only=True)
class Counting(StageRequest):
    """Whose tokens say how long a context is."""

    model: str | Unset = option(
        "Whose tokens are counted, and whose window bounds contexts (default: `model` of the settings, else gpt2).",
        "--model",
        "-m",
        setting="model",
    )


@dataclass(frozen=True, kw_only=True)
class AddContexts(Counting, OneParadigm, Everything):
    """Keep the texts of a file as contexts: every item is scored behind each of them."""

    stage: ClassVar[str] = "context add"
    examples: ClassVar[tuple[str, ...]] = ("gapsmith context add rain lines.txt",)

    name: str = needed(_NAME, argument=True)
    file: Path = needed("A file with one context a line.", argument=True)
    running: bool = option("The whole file is one context, a running text.", default=False)


@dataclass(frozen=True, kw_only=True)
class ListContexts(StageRequest):
    """The context sets, with how they were drawn."""

    stage: ClassVar[str] = "context list"


@dataclass(frozen=True, kw_only=True)
class ShowContexts(StageRequest):
    """Show how a set was drawn, and the contexts of its first items, with their real lengths."""

    stage: ClassVar[str] = "context show"

    name: str = needed(_NAME, argument=True)
    item: str | Unset = option("Only the contexts of the item with this id.", "--item", "-i")
    limit: Annotated[int | Unset, COUNT] = option(
        "At most so many items (default: 3 where they are printed for people, else all).", "--limit", "-n"
    )


@dataclass(frozen=True, kw_only=True)
class DrawContexts(Counting, Growing, OneParadigm, Everything):
    """Draw a context for every item, grown sentence by sentence to each of the lengths, and keep them under a name."""

    stage: ClassVar[str] = "context draw"
    examples: ClassVar[tuple[str, ...]] = ("gapsmith context draw near --type matched --lengths 20,40,80",)

    name: str = needed(_NAME, argument=True)
    type: str = needed(
        "matched (other items of the same suite), mismatched (of other suites), unrelated (sentences of running text).",
        words=("matched", "mismatched", "unrelated"),
    )
    lengths: tuple[Annotated[int, COUNT], ...] = needed(
        "Tokens to grow to, with commas between them.", commas=True, unit="tokens"
    )
    member: str = option(
        "Which sentences of items: acceptable (default) or unacceptable.",
        default="acceptable",
        words=("acceptable", "unacceptable"),
    )
    from_suite: tuple[str, ...] = option("For mismatched: only of this suite (repeatable).", "--from", default=())
    perturb: str = option(
        "What is added to each sentence: none (default), adverb-before, adverb-after, phrase-before, clause-before, clause-after,"
        " quote, all.",
        default="none",
    )

    def check(self) -> None:
        if not self.lengths:
            raise ConfigError("lengths: there are none", hint="For instance --lengths 20,40,80, in Python lengths=[20, 40, 80].")
        if self.text is not UNSET and self.type != "unrelated":
            raise ConfigError("only unrelated contexts are sentences of a file", hint="Say --type unrelated --text FILE.")
        if self.from_suite and self.type != "mismatched":
            raise ConfigError("--from is for mismatched contexts", hint="Say --type mismatched, or leave --from out.")


@dataclass(frozen=True, kw_only=True)
class StudyContexts(Selection, Growing, Everything, ByConvention, Running):
    """Score items behind matched, mismatched and unrelated contexts of growing length, and write what that does to judgements.

    Suites are data sets, or the values of --suites-by. Accuracy by length and type, a mixed logistic regression, perturbed
    contexts, suites behind each other, similarity of context and item; as a page with figures and tables for R. Run it again to
    go on.
    """

    stage: ClassVar[str] = "context study"

    name: str = option("What the study's context sets are called (default: study).", default="study")
    contrast: tuple[str, ...] = option(
        "What counts as right (repeatable; default: all that expect something).", "--contrast", "-c", default=()
    )
    lengths: tuple[Annotated[int, COUNT], ...] = option(
        "Tokens to grow to, with commas between them (default: what the window allows, at most 1000, and 1/2, 1/4, 1/8 of it).",
        commas=True,
        unit="tokens",
        default=(),
    )
    perturbed: Annotated[int, COUNT_OR_NONE] = option(
        "So many items of each suite behind perturbed contexts too (default 10).", default=10, unit="items"
    )
    crossed: Annotated[int, COUNT_OR_NONE] = option(
        "So many items of each suite behind each other suite alone (default 10).", default=10, unit="items"
    )
    sample: Annotated[int | Unset, COUNT] = option(
        "Only so many items of each suite, drawn by the seed, behind contexts of all of them (default: all).", unit="items"
    )
    model: str | Unset = option("The model (default: `model` of the settings, else gpt2).", "--model", "-m", setting="model")
    dry_run: bool = option("Say how long scoring will take; score nothing, and keep nothing.", default=False)
    out: Path | Unset = option("The folder of the page (default: the study's name in the workspace).", "--out", "-o")
