"""The predictions of a file, read: which of them can be asked of its items, and why the others cannot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from gapsmith.bank.formats.composing import plain
from gapsmith.bank.formats.foreign import ForeignSet
from gapsmith.templates import DEFAULT_MEASURE, Formula, FormulaError, parse_formula, renamed

RESERVED = frozenset({"critical", "punctuation", "sentence", "next"})
"""Places that formulas know without a file's naming them."""


@dataclass(frozen=True, slots=True)
class SuitePrediction:
    """What a file says should hold of every item."""

    number: int
    """Which of the file's predictions it is, from 1."""
    text: str
    """As the file has it."""
    measure: str
    formula: Formula | None
    """None where it cannot be asked of the file's items."""
    why: str = ""
    """Why it cannot."""

    @property
    def name(self) -> str:
        """What it is called in a paradigm."""
        return f"prediction_{self.number}"


def read_predictions(found: ForeignSet) -> Iterator[SuitePrediction]:
    """Every prediction of the file, in its order and its names."""
    labels = {plain(label) for label in found.conditions}
    places = RESERVED.union(*((region.name, region.number or region.name) for region in found.regions))
    measure = found.metric or DEFAULT_MEASURE
    for number, text in enumerate(found.predictions, 1):
        if not text.strip():
            yield SuitePrediction(number, text, measure, None, "it has no formula in the file")
            continue
        try:
            read = parse_formula(text)
            if not read.is_criterion:
                _ = read.terms  # a sum in which nothing is left, or a constant, is no contrast
        except FormulaError as error:
            yield SuitePrediction(number, text, measure, None, error.message.splitlines()[0])
            continue
        strange = [o.condition for o in read.operands if o.condition not in labels]
        strange += [o.place.name for o in read.operands if o.place.name not in places]
        if strange:
            why = f"there is no condition or region {strange[0]!r} in the file"
            yield SuitePrediction(number, text, measure, None, why)
        else:
            yield SuitePrediction(number, text, measure, read)


def predictions_of(found: ForeignSet, conditions: Mapping[str, str], regions: Mapping[str, str]) -> Iterator[SuitePrediction]:
    """The same in the names of a paradigm: `conditions` and `regions` give the name of each of the file's."""
    labels = {plain(label): name for label, name in conditions.items()}
    places = {**regions, **{own.number: regions[own.name] for own in found.regions if own.number is not None}}
    for prediction in read_predictions(found):
        formula = prediction.formula
        yield prediction if formula is None else replace(prediction, formula=renamed(formula, labels, places))
