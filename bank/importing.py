"""Bringing a file into the bank: read whole before anything is kept, then kept whole or not at all."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bank.datasets import DATA_SET, FILE_META, TOLD
from bank.fitting import Fit
from bank.formats.foreign import ForeignSet, Json
from bank.records import ItemFilter, NewItem, RunRecord, StoredItem
from bank.store import Bank
from templates import Alignment, Sentence


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did."""

    run: RunRecord
    items: int
    """How many items came in; 0 where the very same file had been imported before."""
    already_there: bool
    """The very same file had been imported before, and nothing was done."""
    unlike: int = 0
    """Where it had: items of the file that are not there any more, or say something else now."""
    changed: int = 0
    """Items that were there and got a new revision from the file."""
    same: int = 0
    """Items that were there and are as the file has them."""
    other_attributes: int = 0
    """Items that were there with other attributes than the file has now; these stay as they are."""


def import_set(
    bank: Bank,
    found: ForeignSet,
    fit: Fit,
    items: Sequence[NewItem],
    *,
    file: str,
    dataset: str,
    said: Mapping[str, Any] | None = None,
    update: bool = False,
    progress: Callable[[int], None] = lambda _: None,
) -> Imported:
    """Keep the items of a file, as `bank.fitting.new_items` made them. `said` is what a person said of the file where it does
    not say it itself: with other answers it is another import.

    Importing the same file into the same data set again does nothing and says so, and how many items are not as the file has
    them any more. With `update`, items whose ids are there already get a new revision where the file says something else
    (their decisions were about the old one), also where the file had been imported before; items that the file does not
    have stay. Raises `BankError` where ids of the file are taken; the bank is then as it was."""
    paradigm = fit.paradigm
    content = found.digest
    options = {key: value for key, value in (said or {}).items() if value}
    extra = "".join(f"\0{key}={value}" for key, value in sorted(options.items()))
    identity = hashlib.sha256(f"import\0{content}\0{paradigm.form_digest}\0{dataset}{extra}".encode()).hexdigest()
    with bank.transaction():
        # Release 0.1.0 bound an import to the bytes of the paradigm's file.
        before = [f"import\0{content}\0{old}\0{dataset}" for old in bank.paradigms.files(paradigm.name)]
        earlier, identity = _earlier(bank, identity, [hashlib.sha256(old.encode()).hexdigest() for old in before])
        known = _known_items(bank, paradigm.name, dataset) if update or earlier is not None else {}
        new = [item for item in items if item.label not in known]
        there = [(known[item.label], item) for item in items if item.label in known]
        differing = [(old, item) for old, item in there if _said_of(old.sentences) != _said_of(item.sentences)]
        other_attributes = sum(dict(old.attributes) != dict(item.attributes) for old, item in there)
        # What was imported once may have been taken out or edited since: only what is there now is there already.
        if earlier is not None and there and not (update and (new or differing)):
            unlike = len(new) + len(differing)
            return Imported(earlier, 0, already_there=True, unlike=unlike, other_attributes=other_attributes)
        home = bank.datasets.make(paradigm.name, dataset, meta={FILE_META: meta_of(found, fit)})
        run = bank.runs.begin(
            kind="import",
            paradigm_id=bank.paradigms.register(paradigm),
            provider="file",
            identity=identity,
            parameters={
                "file": file,
                "sha256": content,
                "dataset": dataset,
                "format": found.shape,
                **options,
                **({TOLD: list(found.told), DATA_SET: bank.datasets.uid(home)} if found.told else {}),
            },
        )
        for number, (old_item, item) in enumerate(differing, 1):
            _revise(bank, old_item, item, run.paradigm_id, file)
            if number % 500 == 0:
                progress(number)
        call_id = bank.runs.intend(run.id, 0, {"file": file})
        bank.runs.reply(call_id, outcome="ok", reply=None)
        bank.items.add(
            run.paradigm_id, new, run_id=run.id, call_id=call_id, progress=lambda n: progress(len(there) + n)
        )
        bank.runs.finish(run.id)
    return Imported(
        bank.runs.get(run.id),
        len(new),
        already_there=False,
        changed=len(differing),
        same=len(there) - len(differing),
        other_attributes=other_attributes,
    )


def meta_of(found: ForeignSet, fit: Fit) -> dict[str, Json]:
    """What a file says as a whole, under the paradigm's names, for a data set to keep; `bank.outgoing` reads it."""
    return {
        "shape": found.shape,
        "name": found.name,
        "meta": dict(found.meta),
        "conditions": list(fit.labels.items()),
        "regions": [[fit.regions[region.name], region.name, region.number] for region in found.regions],
        "predictions": list(found.predictions),
        "metric": found.metric,
        "expected": dict(found.expected),
        "encoding": found.encoding,
        "style": dict(found.style),
        TOLD: list(found.told),
    }


def _earlier(bank: Bank, identity: str, before: Sequence[str]) -> tuple[RunRecord | None, str]:
    """The newest import of the same file into the same data set, and an identity for one more."""
    of_old = (bank.runs.find(f"0.1.0:{old}") for old in before)
    newest = next((run for run in of_old if run is not None), None)
    free, times = identity, 0
    while (done := bank.runs.find(free)) is not None and done.finished_at is not None:
        newest, times = done, times + 1
        free = f"{identity}:{times}"
    return newest, free


def _known_items(bank: Bank, paradigm: str, dataset: str) -> dict[str | None, StoredItem]:
    return {item.label: item for item in bank.items.iterate(ItemFilter(paradigm=paradigm, dataset=dataset))}


def _revise(bank: Bank, there: StoredItem, item: NewItem, paradigm_id: int, file: str) -> None:
    bank.items.revise(
        there.id,
        slots=item.slots,
        sentences=item.sentences,
        author="import",
        note=f"imported again from {file}",
        paradigm_id=paradigm_id,
        raw=item.raw if item.raw is not None else {},
    )


def _said_of(sentences: Sequence[Sentence]) -> list[tuple[object, ...]]:
    """What a file says of sentences: regions too where it gives them, not where they follow from slots."""
    return [(s.condition, s.text, s.regions if s.how is Alignment.GIVEN else None) for s in sentences]
