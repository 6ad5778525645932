"""Bringing a file into the bank: read whole before anything is kept, then kept whole or not at all."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gapsmith.bank.datasets import DATA_SET, FILE_META, TOLD
from gapsmith.bank.fitting import Fit
from gapsmith.bank.formats.foreign import ForeignSet, Json
from gapsmith.bank.formats.source import NOTHING_KEPT
from gapsmith.bank.item_names import ItemReference, digest_of, named_by, without_naming
from gapsmith.bank.matching import Matcher
from gapsmith.bank.records import ItemFilter, NewItem, RunRecord, StoredItem
from gapsmith.bank.store import Bank
from gapsmith.templates import Alignment, ConfigError, Sentence


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
    our_ids: bool = False,
    progress: Callable[[int], None] = lambda _: None,
) -> Imported:
    """Keep the items of a file, as `gapsmith.bank.fitting.new_items` made them. `said` is what a person said of the file where it does
    not say it itself: with other answers it is another import.

    Importing the same file into the same data set again does nothing and says so, and how many items are not as the file has
    them any more. With `update`, items whose ids are there already get a new revision where the file says something else
    (their decisions were about the old one), also where the file had been imported before; items that the file does not
    have stay. `_Updated` says which items these are, `our_ids` that ids alone are enough. Raises `BankError` where ids of the
    file are taken, and `ConfigError`, naming the item, where an update is not certain to mean it; the bank is then as it was."""
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
        if update:
            there, new = _Updated(bank, paradigm.name, dataset, known, file, our_ids=our_ids).sorted_out(found, items)
        else:
            there = [(known[item.label], item) for item in items if item.label in known]
            new = [item for item in items if item.label not in known]
        differing = [(old, item) for old, item in there if _said_of(old.sentences) != _said_of(item.sentences)]
        other_attributes = sum(without_naming(old.attributes) != without_naming(item.attributes) for old, item in there)
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
        bank.items.add(run.paradigm_id, new, run_id=run.id, call_id=call_id, progress=lambda n: progress(len(there) + n))
        bank.runs.finish(run.id)
    return Imported(
        bank.runs.get(run.id),
        len(new),
        already_there=False,
        changed=len(differing),
        same=len(there) - len(differing),
        other_attributes=other_attributes,
    )


class _Updated:
    """Which items of a data set a file brings up to date.

    An item that the file names by uid and digest of its texts is that one, and only while its texts are those that the file was
    written from. Without these, an id is taken for an item whose ids are a file's own: one that came in from a file, that no
    merge has met with another one of the same id; or for one of which the file has a sentence as it is here or once was."""

    def __init__(
        self,
        bank: Bank,
        paradigm: str,
        dataset: str,
        known: Mapping[str | None, StoredItem],
        file: str,
        *,
        our_ids: bool,
    ) -> None:
        self._bank = bank
        self._dataset = dataset
        self._known = known
        self._file = Path(file)
        self._our_ids = our_ids
        self._finder = Matcher(
            bank, self._file, ItemFilter(paradigm=paradigm, dataset=dataset), our_ids=our_ids, unchanged=NOTHING_KEPT
        )
        self._imported: dict[int, bool] = {}

    def sorted_out(self, found: ForeignSet, items: Sequence[NewItem]) -> tuple[list[tuple[StoredItem, NewItem]], list[NewItem]]:
        """The items that are there, each with what the file has of it, and those that are new."""
        there: list[tuple[StoredItem, NewItem]] = []
        new: list[NewItem] = []
        lines: dict[int, int] = {}
        for given, item in zip(found.items, items, strict=True):
            line = given.sentences[0].line if given.sentences else given.line
            old = self._meant(item, line)
            if old is None:
                new.append(replace(item, attributes=without_naming(item.attributes)))
                continue
            if old.id in lines:
                raise ConfigError(
                    f"{self._file}, lines {lines[old.id]} and {line}: both are item {old.label!r} of {old.dataset}",
                    hint=f"Leave one of them. {NOTHING_KEPT}",
                )
            lines[old.id] = line
            there.append((old, item))
        return there, new

    def _meant(self, item: NewItem, line: int) -> StoredItem | None:
        names = named_by(item.attributes)
        if names is not None and names[0]:
            said = ItemReference(line, item.label or "", names[0].casefold(), names[1].casefold())
            old = self._finder.meant(said)
            if digest_of(old.sentences) != digest_of(item.sentences):
                self._finder.find(said)
            return old
        there: StoredItem | None = self._known.get(item.label)
        if there is not None and digest_of(there.sentences) != digest_of(item.sentences):
            self._expect_certain(there, item, line)
        return there

    def _expect_certain(self, old: StoredItem, item: NewItem, line: int) -> None:
        if self._our_ids or (self._came_from_a_file(old) and not self._is_contested(old)):
            return
        ever = {(s.condition, s.text) for revision in self._bank.items.history(old.id) for s in revision.sentences}
        if any((s.condition, s.text) in ever for s in item.sentences):
            return
        here, there = (one.sentences[0].text if one.sentences else "" for one in (old, item))
        why = (
            "two banks have met in this data set, each with an item of this id"
            if self._came_from_a_file(old)
            else f"the ids of {self._dataset} were given here"
        )
        raise ConfigError(
            f"{self._file}, line {line}: item {old.label!r} is named by its id alone, {why}, and no sentence is the same: "
            f"{here!r} here, {there!r} in the file",
            hint="Export with --ids, change that file and bring it back; or add --our-ids (in Python our_ids=True) where it is "
            f"this item. {NOTHING_KEPT}",
        )

    def _came_from_a_file(self, item: StoredItem) -> bool:
        if item.run_id not in self._imported:
            self._imported[item.run_id] = self._bank.runs.get(item.run_id).kind == "import"
        return self._imported[item.run_id]

    def _is_contested(self, item: StoredItem) -> bool:
        """Whether a merge has found the id taken and has given another one, such as 25-2, to what came."""
        return f"{item.label}-2" in self._known


def meta_of(found: ForeignSet, fit: Fit) -> dict[str, Json]:
    """What a file says as a whole, under the paradigm's names, for a data set to keep; `gapsmith.bank.outgoing` reads it."""
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
