"""Items of the bank as a set for the formats to write: under the labels of the file they came from, or of a design."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from gapsmith.bank.datasets import FILE_META
from gapsmith.bank.formats import region_rows
from gapsmith.bank.formats.foreign import ADDED, ForeignItem, ForeignRegion, ForeignSentence, ForeignSet, item_from_raw
from gapsmith.bank.item_names import naming
from gapsmith.bank.records import StoredItem
from gapsmith.bank.store import Bank
from gapsmith.templates import Design, Paradigm

_SHAPE = "bank"


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A set on its way out, and what is not in it."""

    items: ForeignSet
    outside: int
    """Sentences whose condition is not one of the paradigm's, though nobody asked to leave conditions out."""


def file_of(bank: Bank, paradigm: str, datasets: Iterable[str]) -> Mapping[str, Any] | None:
    """What the file said as a whole that the one data set came from; None for several data sets, and for generated items."""
    names = list(datasets)
    if len(names) != 1:
        return None
    found = next((dataset for dataset in bank.datasets.all(paradigm) if dataset.name == names[0]), None)
    return found.meta.get(FILE_META) if found is not None else None


def outgoing_set(
    items: Iterable[StoredItem],
    paradigm: Paradigm,
    design: Design,
    *,
    file: Mapping[str, Any] | None,
    name: str,
    chosen: bool = False,
    as_it_came: bool = False,
) -> Outgoing:
    """The items as a set. Without `file`, conditions have the labels of `design` and regions their names.

    With it, everything is called what it was called there, and a sentence that nobody edited goes out as it came in; if the
    design is `chosen`, its labels are used nevertheless; `as_it_came`, what was given to the items beside it stays here.
    Sentences in conditions that the design lacks are left out."""
    labels = {condition: label for label, condition in design.labels.items()}
    if file is not None and not chosen:
        labels |= {condition: label for condition, label in file["conditions"] if condition in labels}
    known = {condition.name for condition in paradigm.conditions}
    regions = {region: theirs for region, theirs, _ in file["regions"]} if file is not None else {}
    added = set(file["meta"].get(ADDED, ())) if file is not None and as_it_came else set()
    columns = file["meta"]["header"] if file is not None and file["shape"] == region_rows.SHAPE else None
    outside = 0
    made = []
    for item in items:
        kept = item_from_raw(
            item.label,
            tuple((s.condition, s.text, s.regions) for s in item.sentences),
            {name: value for name, value in item.attributes.items() if name not in added} if added else item.attributes,
            item.raw,
            item.slots,
            columns,
        )
        outside += sum(s.condition not in known for s in item.sentences)
        made.append(replace(_renamed(kept, labels, regions, keep_written=not chosen), names=naming(item)))
    conditions = [label for condition, label in labels.items() if condition in known]
    numbered = tuple(ForeignRegion(region, str(n)) for n, region in enumerate(_regions(paradigm, made), 1))
    if file is None:
        expected = {labels[c.name]: c.expected for c in paradigm.conditions if c.name in labels and c.expected}
        return Outgoing(
            ForeignSet(_SHAPE, tuple(made), tuple(conditions), numbered, expected=expected, name=name),
            outside,
        )
    if not chosen:
        came = [label for condition, label in file["conditions"] if condition in labels]
        conditions = [*came, *(label for label in conditions if label not in came)]
    return Outgoing(
        ForeignSet(
            shape=file["shape"],
            items=tuple(made),
            conditions=tuple(conditions),
            regions=tuple(ForeignRegion(theirs, number) for _, theirs, number in file["regions"]) or numbered,
            predictions=tuple(file["predictions"]),
            metric=file["metric"],
            expected=file["expected"],
            meta=file["meta"],
            encoding=file["encoding"],
            style=file["style"],
            name=file["name"],
        ),
        outside,
    )


def _renamed(item: ForeignItem, labels: Mapping[str, str], regions: Mapping[str, str], *, keep_written: bool) -> ForeignItem:
    sentences: list[ForeignSentence] = []
    for sentence in item.sentences:
        if sentence.condition not in labels:
            continue
        given = sentence.regions
        if given is not None and regions:
            given = tuple(replace(region, name=regions.get(region.name, region.name)) for region in given)
        sentences.append(
            replace(
                sentence,
                condition=labels[sentence.condition],
                regions=given,
                written=sentence.written if keep_written else None,
            )
        )
    return replace(item, sentences=tuple(sentences))


def _regions(paradigm: Paradigm, items: list[ForeignItem]) -> list[str]:
    """The paradigm's regions that sentences have, and others that they have, such as the final mark."""
    found = dict.fromkeys(r.name for item in items for s in item.sentences for r in s.regions or ())
    of_paradigm = [region.name for region in paradigm.regions if region.name in found]
    return [*of_paradigm, *(name for name in found if name not in of_paradigm)]
