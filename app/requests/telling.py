"""What can be asked of what is there: items, runs, rules, studies, this machine."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

from gapsmith.app.requests.base import UNSET, StageRequest, Unset, needed, option
from gapsmith.app.requests.parts import Acting, Looking, Selection, Within
from gapsmith.templates import COUNT_OR_NONE, NUMBER_IN_BANK, ConfigError


@dataclass(frozen=True, kw_only=True)
class MakeWorkspace(StageRequest):
    """Make a workspace: a directory with a settings file and a bank. What is there already stays as it is."""

    stage: ClassVar[str] = "init"

    directory: Path = option("Where the workspace should be (default: here).", argument=True, default=Path())


@dataclass(frozen=True, kw_only=True)
class ShowItems(Selection, Acting, Looking):
    """Show items: their sentences with gaps (__) and critical regions ([ ]), findings and decisions."""

    stage: ClassVar[str] = "show"

    items: tuple[str, ...] = option("Item ids (default: all).", argument=True, default=())


@dataclass(frozen=True, kw_only=True)
class ExplainRules(StageRequest):
    """Explain a rule: what it finds, an example, the reason, the remedy, the literature."""

    stage: ClassVar[str] = "rule"

    codes: tuple[str, ...] = option("Codes (L101) or prefixes (L, T03); none lists all.", argument=True, default=())
    roles: bool = option("Instead the roles of words that rules ask for, and where each is read.", default=False)


@dataclass(frozen=True, kw_only=True)
class OfParadigms(StageRequest):
    """Which runs."""

    paradigm: tuple[str, ...] = option("Only runs of this paradigm (repeatable).", "--paradigm", "-p", default=())


@dataclass(frozen=True, kw_only=True)
class ListRuns(OfParadigms):
    """Every run with its yield: asked, returned, read back, clean, approved, and what an approved item cost."""

    stage: ClassVar[str] = "runs list"


@dataclass(frozen=True, kw_only=True)
class CompareRuns(OfParadigms):
    """Prompts and models side by side: what their runs brought, and what an approved item cost with each."""

    stage: ClassVar[str] = "runs compare"

    runs: tuple[Annotated[int, NUMBER_IN_BANK], ...] = option(
        "These runs (default: all generations).", argument=True, metavar="[RUN]...", default=()
    )


@dataclass(frozen=True, kw_only=True)
class ShowRun(StageRequest):
    """One run: its settings, its yield and its calls; with --call, one call with its raw answer."""

    stage: ClassVar[str] = "runs show"

    run: Annotated[int, NUMBER_IN_BANK] = needed("The run's number in `gapsmith runs list`.", argument=True, metavar="RUN")
    call: Annotated[int | Unset, COUNT_OR_NONE] = option("Show this call: its prompt and its raw answer.")
    raw: bool = option(
        "With --call: the HTTP body, byte for byte.",
        default=False,
        only_typed="it says what is printed; a result of Python has it as `body`",
    )

    def check(self) -> None:
        if self.raw and self.call is UNSET:
            raise ConfigError("--raw prints the HTTP body of one call", hint="Name it with --call.")


@dataclass(frozen=True, kw_only=True)
class TraceItem(Within):
    """Where an item is from: run, prompt version, call and raw answer."""

    stage: ClassVar[str] = "runs item"

    label: str = needed("The item's id in its data set, as `gapsmith lint` shows it.", argument=True)


@dataclass(frozen=True, kw_only=True)
class ListStudies(StageRequest):
    """List the studies that ship, with what each is about and its paper."""

    stage: ClassVar[str] = "studies"


@dataclass(frozen=True, kw_only=True)
class Examine(StageRequest):
    """Say what is installed, which models and parsers are in reach, which keys are set, and check surprisals.

    Surprisals of the bundled model are compared with values from a separate computation. The exit code is 1 where something
    is wrong; what only some tasks need is a note. Values of keys are never shown. In a workspace, its bank is checked too.
    """

    stage: ClassVar[str] = "doctor"

    online: bool = option("Also ask the Hugging Face hub for an answer.", default=False)
