"""What can be asked of plans: said before an analysis, and held against it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, ClassVar, get_args

from gapsmith.app.requests.base import StageRequest, Unset, needed, option
from gapsmith.app.requests.parts import Acting, Everything, MadeBy
from gapsmith.stats import TieRule
from gapsmith.templates import CONFIDENCE, COUNT


@dataclass(frozen=True, kw_only=True)
class FreezePlan(Acting, MadeBy, Everything):
    """Freeze what is to be analysed, and how, before it is: it is kept in the bank with the time, and never changed.

    The plan takes contrasts, their sides, families and δ from the paradigm's file as it stands, and the rest from here. From then on
    δ and the tests that are corrected together are the plan's; analyses and reports say what is not as planned.
    """

    stage: ClassVar[str] = "plan freeze"
    examples: ClassVar[tuple[str, ...]] = ("gapsmith plan freeze subject_pg --items 40 --model gpt2",)

    paradigm: str = needed("Whose items are to be analysed.", argument=True)
    items: Annotated[int | Unset, COUNT] = option("How many items are to be analysed (default: any number).")
    dataset: tuple[str, ...] = option("Only items of this data set (repeatable; default: all).", "--dataset", "-d", default=())
    model: tuple[str, ...] = option("Scores of this model (repeatable; default: any model).", "--model", "-m", default=())
    contrast: tuple[str, ...] = option(
        "Only this contrast or criterion (repeatable; default: all of the paradigm's).", "--contrast", "-c", default=()
    )
    where: Mapping[str, str] = option(
        "Only items with this attribute, or word in a slot (repeatable).", metavar="NAME=VALUE", default=MappingProxyType({})
    )
    alternative: str | Unset = option(
        "expected (the side that is predicted), two-sided, greater or less, for every test (default: what the paradigm says).",
        words=("expected", "two-sided", "greater", "less"),
    )
    measure: str | Unset = option("Every contrast by this measure (default: its own).")
    uncorrected: bool = option("Verdicts are to follow p as it is.", default=False)
    confidence: Annotated[float, CONFIDENCE] = option("Of intervals and tests (0.95: p < .05).", default=0.95)
    ties: str = option(
        "What a difference of exactly 0 comes to in the share of items that are as expected: wrong (default), or excluded from it.",
        default="wrong",
        words=get_args(TieRule),
    )
    complete: bool = option("Only items that have a value for every contrast.", default=False)
    exclude_rule: tuple[str, ...] = option(
        "By which rule items are approved or left out, in your words (repeatable); the linter's rules are kept with it.",
        default=(),
    )


@dataclass(frozen=True, kw_only=True)
class ListPlans(StageRequest):
    """Show the plans that were frozen, oldest first; the last one of a paradigm holds."""

    stage: ClassVar[str] = "plan list"

    paradigm: str | Unset = option("Only plans of this paradigm.", "--paradigm", "-p")
