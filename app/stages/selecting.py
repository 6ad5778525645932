"""From the paradigms and data sets that a request names to a selection of items; a data set that is not there is refused here."""

from __future__ import annotations

from gapsmith.app.requests.base import said_or_none
from gapsmith.app.requests.parts import OneParadigm, Selection, Within
from gapsmith.bank import Bank, ItemFilter


def selection_of(bank: Bank, request: Selection | Within | OneParadigm) -> ItemFilter:
    """The items of these paradigms and data sets. Raises `ConfigError` for a data set that is not there, and `BankError` where a data
    set would tell the reader which items calibrate, if only by how many of its items are approved after a decision of their own."""
    if said_or_none(request.dataset):
        bank.gate.expect_to_tell_origins("-d", "Leave -d out; an item is named as `gapsmith show` calls it.")
    if isinstance(request, Within | OneParadigm):
        paradigm, dataset = said_or_none(request.paradigm), said_or_none(request.dataset)
        bank.datasets.expect([] if dataset is None else [dataset], [] if paradigm is None else [paradigm])
        return ItemFilter(paradigm=paradigm, dataset=dataset)
    bank.datasets.expect(request.dataset, request.paradigm)
    return ItemFilter(paradigms=request.paradigm, datasets=request.dataset)
