"""The predictions of a file, read: which of them can be asked of its items, and why the others cannot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bank.formats.composing import plain
from bank.formats.foreign import ForeignSet
from templates.formula import Formula, FormulaError, parse_formula

RESERVED = frozenset({"critical", "punctuation", "sentence", "next"})
"""Places that formulas know without a file's naming them."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """One of a file's formulas."""

    number: int
    """Which of the file's predictions it is, from 1."""
    text: str
    formula: Formula | None
    """None where it cannot be asked of the file's items."""
    why: str = ""
    """Why it cannot."""


def read_predictions(found: ForeignSet) -> Iterator[Prediction]:
    """Every prediction of the file, in its order."""
    labels = {plain(label) for label in found.conditions}
    places = RESERVED.union(*((region.name, region.number or region.name) for region in found.regions))
    for number, text in enumerate(found.predictions, 1):
        try:
            read = parse_formula(text)
        except FormulaError as error:
            yield Prediction(number, text, None, error.message.splitlines()[0])
            continue
        strange = [o.condition for o in read.operands if o.condition not in labels]
        strange += [o.place.name for o in read.operands if o.place.name not in places]
        if strange:
            yield Prediction(number, text, None, f"there is no condition or region {strange[0]!r} in the file")
        else:
            yield Prediction(number, text, read)
