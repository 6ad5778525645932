"""The way of a file into the bank: `bring_in` takes its four steps. Whatever else reads such a file takes the first two.

1. Grid: its rows, lines or JSON, each with its place (`formats.source.SourceFile`).
2. Shape: its format, and what it says in it (`formats.catalogue.read_foreign`, a `ForeignSet`).
3. Fit: the paradigm that takes it and why, and its items (`choosing.choose_paradigm`, a `ParadigmChoice`).
4. Keep: all items or none, in one transaction (`keep_items`, an `Imported`).

Everything is read and checked before a workspace is made or a row is kept. An audit and a draft end after the second step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path

from gapsmith.bank.choosing import ParadigmChoice, choose_paradigm
from gapsmith.bank.datasets import CRITICAL, DATA_SET, FILE_META, MEASURED_ELSEWHERE, TOLD
from gapsmith.bank.fitting import Fit, Unread, new_items
from gapsmith.bank.formats.asking import UndecidedError
from gapsmith.bank.formats.catalogue import read_foreign
from gapsmith.bank.formats.foreign import ADDED, ForeignSet, Json
from gapsmith.bank.formats.grids import grid_of
from gapsmith.bank.formats.grouping import differing_columns
from gapsmith.bank.formats.services import ReadServices
from gapsmith.bank.formats.source import NOTHING_KEPT, ReadOptions, SourceFile
from gapsmith.bank.formats.suspicious import with_sentences
from gapsmith.bank.item_names import ItemReference, digest_of, named_by, without_naming
from gapsmith.bank.matching import Matcher
from gapsmith.bank.names import as_name
from gapsmith.bank.records import ItemFilter, NewItem, RunRecord, StoredItem
from gapsmith.bank.store import Bank
from gapsmith.templates import Alignment, ConfigError, Paradigm, Sentence, text_sha256


@dataclass(frozen=True, slots=True)
class ImportOrder:
    """A file that is to come in, and what somebody said of it."""

    file: Path
    paradigm: str | None = None
    """A name or a .toml file; None takes the one that fits."""
    dataset: str | None = None
    """None calls it after the file."""
    update: bool = False
    """Items that are there get a new revision where the file says something else."""
    our_ids: bool = False
    """With `update`: ids alone say which items are meant."""
    format: str | None = None
    """None finds it out."""
    options: ReadOptions = field(default_factory=ReadOptions)
    attributes: Mapping[str, str] = field(default_factory=dict)
    """What all items of the file are said to have, beside what it says itself."""
    own_paradigm: bool = False
    """Whether none of those that are here makes its sentences: none is tried by its words."""
    critical: tuple[str, ...] = ()
    """In which region the data set is measured, where that is not where its paradigm says: ``REGION``, or ``CONDITION=REGION``."""
    expected_items: int | None = None
    """How many items the file has to have."""

    @property
    def into(self) -> str:
        """The name of the data set."""
        return self.dataset if self.dataset is not None else self.file.stem


@dataclass(frozen=True, slots=True)
class ImportPlace:
    """Where the items go: a workspace's folder, and its bank, which may have yet to be made."""

    root: Path
    there: Callable[[], AbstractContextManager[Bank | None]]
    """The bank as it is; None where there is none yet."""
    made: Callable[[], AbstractContextManager[Bank]]
    """The bank, made where there is none: only when items are about to be kept."""

    @classmethod
    def of(cls, root: Path, bank: Bank) -> ImportPlace:
        """An open bank, which stays open."""
        return cls(root, lambda: nullcontext(bank), lambda: nullcontext(bank))


def _unsaid(_: object) -> None:
    return None


@dataclass(frozen=True, slots=True)
class ImportServices(ReadServices):
    """What an import asks of whoever calls it: what reading a file asks, and somebody to tell what was found out."""

    on_shape: Callable[[ForeignSet], None] = _unsaid
    on_choice: Callable[[ParadigmChoice], None] = _unsaid
    """Called before the items are read back."""
    on_understood: Callable[[Brought], None] = _unsaid
    """Called before anything is kept; what it raises ends the import."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did."""

    run: RunRecord | None
    """None where nothing was kept (`preview`)."""
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
    namesakes: tuple[str, ...] = ()
    """Other paradigms that have a data set of this name."""
    judged: tuple[str, ...] = ()
    """Of the items with a new revision, those that have answers in acceptability studies to their earlier texts."""


@dataclass(frozen=True, slots=True)
class Brought:
    """What came in from a file: what each step of its way made of it."""

    found: ForeignSet
    choice: ParadigmChoice
    dataset: str
    imported: Imported
    said_paradigm: str | None = None
    """The paradigm as somebody named it, or answered."""
    is_own_paradigm: bool = False
    """Whether somebody said that the items are of none that was here."""

    @property
    def paradigm(self) -> Paradigm:
        """What the items are of."""
        return self.choice.fit.paradigm

    @property
    def notes(self) -> tuple[str, ...]:
        """What the file was taken for, and what a person should look at."""
        return (*self.found.notes, *differing_columns(self.found), *self.choice.notes, *self.choice.to_do)

    @property
    def unread(self) -> tuple[Unread, ...]:
        """Items with sentences that do not read back, each with its reason."""
        return self.choice.unread


UNATTENDED = ImportServices()


def preview(place: ImportPlace, order: ImportOrder, services: ImportServices = UNATTENDED) -> Brought:
    """What `bring_in` would bring in; nothing is kept, nor made. Raises as that does, but for ids that are taken."""
    return _understood(place, order, services)


def bring_in(place: ImportPlace, order: ImportOrder, services: ImportServices = UNATTENDED) -> Brought:
    """Bring the items of a file in. Raises `GapsmithError` where it cannot be understood or kept; nothing is kept then, nor
    made."""
    came = _understood(place, order, services)
    with place.made() as bank:
        return replace(came, imported=keep_items(bank, came.found, came.choice, order, services))


def _understood(place: ImportPlace, order: ImportOrder, services: ImportServices) -> Brought:
    """What the file says, and its items as items of a paradigm; nothing is kept. What neither says is asked."""
    if order.own_paradigm and order.paradigm is not None:
        raise ConfigError(
            f"the items of {order.file} are said to be of {order.paradigm}, and of no paradigm that is here",
            hint="Say --paradigm or --own-paradigm, not both.",
        )
    with place.there() as bank:
        # One that is there may have a name of old.
        if bank is None or order.into not in {one.name for one in bank.datasets.all()}:
            as_name(order.into, "a data set")
    source = SourceFile(order.file, order.options)
    found = read_foreign(source, format=order.format, services=services)
    if order.expected_items not in (None, len(found.items)):
        raise ConfigError(
            f"{order.file}: holds {len(found.items):,} items, and the published file {order.expected_items:,}",
            hint=NOTHING_KEPT,
        )
    found = with_sentences(found)
    if order.attributes:
        own = dict(order.attributes)
        there = {name for item in found.items for name in item.attributes}
        items = tuple(replace(item, attributes={**item.attributes, **own}) for item in found.items)
        found = replace(found, items=items, meta={**found.meta, ADDED: [name for name in own if name not in there]})
    services.on_shape(found)
    while True:
        try:
            choice = _fitted(found, place, order, services)
            break
        except UndecidedError as undecided:
            answer = services.ask(undecided, lambda _: grid_of(found))
            if answer is None or not {"paradigm", "own_paradigm"} & set(answer.options):
                raise
            order = replace(order, **answer.options)
    if _own_regions(found, choice.fit, order):
        where = " ".join(f"--critical {entry}" for entry in order.critical)
        found = replace(found, told=(*found.told, f"{MEASURED_ELSEWHERE}, as said with {where}"))
    came = Brought(
        found,
        choice,
        order.into,
        Imported(None, 0, already_there=False),
        said_paradigm=order.paradigm,
        is_own_paradigm=order.own_paradigm,
    )
    services.on_understood(came)
    return came


def _fitted(found: ForeignSet, place: ImportPlace, order: ImportOrder, services: ImportServices) -> ParadigmChoice:
    file = str(order.file)
    with place.there() as bank:
        choice = choose_paradigm(
            found,
            place.root,
            bank,
            file=file,
            named=order.paradigm,
            dataset=order.into,
            update=order.update,
            words=not order.own_paradigm,
            critical=order.critical,
        )
        if bank is not None:
            _expect_same_places(bank, choice.fit, order, found)
    services.on_choice(choice)
    critical_regions(found, choice.fit, order)
    with services.progress("reading back", len(found.items)) as told:
        items, unread = new_items(found, choice.fit, dataset=order.into, file=file, progress=told)
    return replace(choice, items=items, unread=unread)


def keep_items(
    bank: Bank, found: ForeignSet, choice: ParadigmChoice, order: ImportOrder, services: ImportServices = UNATTENDED
) -> Imported:
    """Keep the items of a file, and a drafted paradigm's file with them, or nothing at all.

    Importing the same file into the same data set again does nothing and says so, and how many items are not as the file has
    them any more. With `update`, items whose ids are there already get a new revision where the file says something else
    (their decisions were about the old one), also where the file had been imported before; items that the file does not
    have stay. `_Updated` says which items these are, `our_ids` that ids alone are enough. Raises `BankError` where ids of the
    file are taken, and `ConfigError`, naming the item, where an update is not certain to mean it; the bank is then as it was."""
    drafted = choice.write_draft()
    try:
        with services.progress("storing", len(choice.items)) as told:
            return _kept(bank, found, choice, order, told)
    except BaseException:
        if drafted is not None and choice.fit.paradigm.name not in bank.paradigms.names():
            drafted.unlink(missing_ok=True)
        raise


def _kept(bank: Bank, found: ForeignSet, choice: ParadigmChoice, order: ImportOrder, progress: Callable[[int], None]) -> Imported:
    paradigm, items, dataset, file = choice.fit.paradigm, choice.items, order.into, order.file.name
    content = found.digest
    options = {key: value for key, value in found.options.items() if value}
    extra = "".join(f"\0{key}={value}" for key, value in sorted(options.items()))
    identity = text_sha256(f"import\0{content}\0{paradigm.form_digest}\0{dataset}{extra}")
    _expect_same_places(bank, choice.fit, order, found)
    with bank.transaction():
        # Release 0.1.0 bound an import to the bytes of the paradigm's file.
        before = [f"import\0{content}\0{old}\0{dataset}" for old in bank.paradigms.files(paradigm.name)]
        earlier, identity = _earlier(bank, identity, [text_sha256(old) for old in before])
        if earlier is None and not order.update:
            earlier = _said_otherwise(bank, content, dataset, paradigm.name, items)
        if bank.items.ids(ItemFilter(paradigm=paradigm.name, dataset=dataset)):
            # Which ids the data set has already, and with what sentences, is told by what comes of it.
            bank.gate.expect_to_tell_origins(f"bringing items into the data set {dataset}, which has some,")
        known = _known_items(bank, paradigm.name, dataset) if order.update or earlier is not None else {}
        if order.update:
            matched = _Updated(bank, paradigm.name, dataset, known, file, our_ids=order.our_ids)
            there, new = matched.sorted_out(found, items)
        else:
            there = [(known[item.label], item) for item in items if item.label in known]
            new = [item for item in items if item.label not in known]
        differing = [(old, item) for old, item in there if _said_of(old.sentences) != _said_of(item.sentences)]
        other_attributes = sum(without_naming(old.attributes) != without_naming(item.attributes) for old, item in there)
        # What was imported once may have been taken out or edited since: only what is there now is there already.
        if earlier is not None and there and not (order.update and (new or differing)):
            unlike = len(new) + len(differing)
            return Imported(earlier, 0, already_there=True, unlike=unlike, other_attributes=other_attributes)
        namesakes = tuple(one.paradigm for one in bank.datasets.all() if one.name == dataset and one.paradigm != paradigm.name)
        home = bank.datasets.make(paradigm.name, dataset, meta=_meta(found, choice.fit, order))
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
        answered = set(bank.review.judged_in_studies([old.id for old, _ in differing]))
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
        judged=tuple(
            old.label for old, item in differing if old.id in answered and digest_of(old.sentences) != digest_of(item.sentences)
        ),
        same=len(there) - len(differing),
        other_attributes=other_attributes,
        namesakes=namesakes,
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


def critical_regions(found: ForeignSet, fit: Fit, order: ImportOrder) -> dict[str, str]:
    """In which region each condition is measured, as `order` says it: by the paradigm's names. Raises `ConfigError` for a condition or
    region that is not there, and for a region that no sentence of a condition has words in."""
    said: dict[str, str] = {}
    for entry in order.critical:
        name, equals, region = entry.rpartition("=")
        known = {**{condition: condition for condition in fit.conditions.values()}, **fit.conditions}
        regions = {**{own.name: own.name for own in fit.paradigm.regions}, **fit.regions}
        if equals and name.strip() not in known:
            raise ConfigError(
                f"--critical {entry}: there is no condition {name.strip()!r}", hint=f"Conditions: {', '.join(known)}."
            )
        if region.strip() not in regions:
            there = f"Regions: {', '.join(regions)}." if regions else "The items have no regions."
            raise ConfigError(f"--critical {entry}: there is no region {region.strip()!r}", hint=there)
        own = [known[name.strip()]] if equals else list(dict.fromkeys(fit.conditions.values()))
        said |= dict.fromkeys(own, regions[region.strip()])
    if said and found.regions:
        for condition, region in said.items():
            given = [
                any(fit.regions[one.name] == region and one.start < one.end for one in s.regions or ())
                for item in found.items
                for s in item.sentences
                if fit.conditions[s.condition] == condition
            ]
            if given and not any(given):
                raise ConfigError(
                    f"--critical: region {region!r} is empty in every sentence of {condition}, so nothing can be measured there",
                    hint="Name a region that has words, for each condition: --critical CONDITION=REGION.",
                )
    return said


def _own_regions(found: ForeignSet, fit: Fit, order: ImportOrder) -> dict[str, str]:
    """The same, where the paradigm does not say it: a drafted one does."""
    said = critical_regions(found, fit, order)
    return {} if fit.paradigm.measured_in(said) == fit.paradigm else said


def _meta(found: ForeignSet, fit: Fit, order: ImportOrder) -> dict[str, Json]:
    critical = _own_regions(found, fit, order)
    return {FILE_META: meta_of(found, fit), **({CRITICAL: critical} if critical else {})}


def _expect_same_places(bank: Bank, fit: Fit, order: ImportOrder, found: ForeignSet) -> None:
    """Refuse items for a data set that is there and is measured elsewhere than is said of them."""
    said = critical_regions(found, fit, order)
    there = next((one for one in bank.datasets.all(fit.paradigm.name) if one.name == order.into), None)
    if said and there is not None and fit.paradigm.measured_in(there.critical) != fit.paradigm.measured_in(said):
        now = ", ".join(f"{name} in {region}" for name, region in there.critical.items()) or "where its paradigm says"
        raise ConfigError(
            f"data set {order.into!r} is there already, and is measured elsewhere ({now})",
            hint=f"Bring the items into a data set of another name: --dataset NAME. {NOTHING_KEPT}",
        )


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


def _said_otherwise(bank: Bank, content: str, dataset: str, paradigm: str, items: Sequence[NewItem]) -> RunRecord | None:
    """An import of the same file into the same data set with other words about it, where that came to the same items."""
    runs = [
        run
        for run in bank.runs.all()
        if run.kind == "import"
        and run.paradigm == paradigm
        and (run.parameters.get("sha256"), run.parameters.get("dataset")) == (content, dataset)
        and run.finished_at is not None
    ]
    if not runs:
        return None
    there = _known_items(bank, paradigm, dataset)
    same = ((old := there.get(item.label)) is not None and _said_of(old.sentences) == _said_of(item.sentences) for item in items)
    return runs[-1] if all(same) else None


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
