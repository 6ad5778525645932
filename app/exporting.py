"""What goes out: the items, in the formats that people use elsewhere. Their numbers: `gapsmith.scoring.report`."""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from gapsmith.app.card import how_made
from gapsmith.app.manifests import Used, write_manifest
from gapsmith.app.requests.base import Unset, said, said_or_none
from gapsmith.app.requests.outgoing import Export
from gapsmith.bank import Bank, ItemFilter, StoredItem, file_of, find_items, outgoing_set, request_line, written_whole
from gapsmith.bank.formats import FORMATS as ITEM_FORMATS
from gapsmith.bank.formats import (
    LINES,
    CardFacts,
    ForeignItem,
    ForeignSet,
    SourceFile,
    UndecidedError,
    defuse,
    first_written,
    latin_square,
    looks_like_formula,
    read_foreign,
    write_dataset_folder,
    write_jspsych,
    write_pcibex,
    written,
)
from gapsmith.scoring import pairs_compared, tasks_of, wh_effect_tasks, write_lm_eval
from gapsmith.templates import ConfigError, FormatError, GapsmithError, Paradigm, count, text_of

if TYPE_CHECKING:
    import pandas

    from gapsmith.scoring.report import NumberTable

T = TypeVar("T")
_NOTHING_WRITTEN = "Nothing was written."

_MEASURED = ("suite", "lm-eval")
"""Kinds that say where sentences are measured."""
_LISTS: Mapping[str, str] = {
    "pcibex": "lists for an experiment in PCIbex: one CSV with a column group",
    "jspsych": "lists for an experiment in jsPsych: a folder with a JSON file per list",
}
_FOLDERS: Mapping[str, str] = {
    "hub": "a data set for the Hugging Face hub: a folder with rows and a card",
    "lm-eval": "tasks for lm-evaluation-harness: a folder",
}


def formats() -> dict[str, str]:
    """Every format by its name, with what it is: those of item sets that are written, then ours for other programs."""
    written_ones = {name: entry.title for name, entry in ITEM_FORMATS.usable() if entry.write or entry.rows}
    return {**written_ones, **_LISTS, **_FOLDERS}


def is_format(kind: str) -> bool:
    """Whether there is a format of that name that is written. Raises `ConfigError` where it cannot be loaded; no other one is."""
    if kind in ITEM_FORMATS:
        entry = ITEM_FORMATS.find(kind)
        return entry.write is not None or entry.rows is not None
    return kind in _LISTS or kind in _FOLDERS


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written."""

    content: bytes
    rows: int
    """Rows of a table, items of everything else."""
    formulas: int
    """Cells that a spreadsheet would run as formulas; defused where that was asked for."""
    format: str = ""
    unfit: tuple[str, ...] = ()
    """Labels of items that the format cannot hold, such as pairs that lack a member."""
    versions: int = 1
    """Versions of the paradigm file that the items were made with; each item was read with its own."""
    left_out: int = 0
    """Sentences that are not in it although nobody asked to leave their conditions out: their condition is not one of the
    paradigm's."""
    shared_labels: int = 0
    """Labels that stand for items of several data sets, in a format that does not name the data set."""
    notes: tuple[str, ...] = ()
    out: Path | None = None
    """Where it was written; without it, `content` is all there is."""
    chosen: bool = True
    """Whether somebody asked for the format."""
    n_items: int = 0
    """Of a treebank: the items whose sentences are in it."""
    table: NumberTable | None = None
    """Of numbers: what was written."""

    def to_frame(self) -> pandas.DataFrame:
        """The table of numbers that was written. Raises `GapsmithError` for item sets."""
        if self.table is None:
            raise GapsmithError(f"{self.format} is no table of numbers", hint="Export one, such as tests or items.")
        return self.table.as_pandas()

    @property
    def in_words(self) -> str:
        """What was written where; empty where nothing was, or the notes say it."""
        if self.out is None or self.format == "r":
            return ""
        of = f" of {count(self.n_items, 'item')}" if self.n_items else ""
        return f"Wrote {count(self.rows, self.unit)}{of} to {self.out}{'' if self.chosen else f' ({self.format})'}"

    @property
    def is_folder(self) -> bool:
        """Whether it was written as a folder, so that there is no content."""
        return self.format in _FOLDERS or self.format in {"jspsych", "r"}

    @property
    def unit(self) -> str:
        """What `rows` counts."""
        units = {"slots": "item", "lm-eval": "pair", "jspsych": "trial", "conllu": "sentence"}
        return units.get(self.format, "sentence" if self.format in ITEM_FORMATS else "row")

    @property
    def needs(self) -> str:
        """What an item must have to go out in the format."""
        return {
            "slots": "slots",
            "region_columns": "regions",
            "region_rows": "regions",
            "suite": "regions",
            "pcibex": "one sentence in each condition",
            "jspsych": "one sentence in each condition",
            "csv": "sentences",
        }.get(self.format, "a good and a bad sentence")


def export(bank: Bank, selection: ItemFilter, request: Export) -> Exported:
    """The selected items, which are all of one paradigm, as the request wants them: without a kind as the file that they came from,
    and as CSV if of none. Folders are written to `out`, whole or not at all; the name of any other file tells tables from
    spreadsheets. Cells that a spreadsheet would run are counted either way.

    Raises `GapsmithError` where nothing is selected, and where the items were made with versions of the paradigm that have
    different conditions."""
    kind, design, out = said_or_none(request.kind), said_or_none(request.design), said_or_none(request.out)
    source = find_items(bank, selection)
    file = file_of(bank, source.newest.name, source.datasets)
    kind = kind or (file["shape"] if file is not None else "csv")
    # Slots go out whatever the forms of the items; everything else under one set of conditions.
    paradigm = source.newest if kind == "slots" else source.common()
    if kind in _MEASURED:
        paradigm = bank.datasets.measured_together(paradigm, source.datasets)
    seen = _Seen(bank.items.iterate(selection))
    items: Iterable[StoredItem] = seen
    if not bank.gate.tells_origins:
        # In the order in which they came, and by what only some files had, those that calibrate would be told from the others.
        own = (replace(item, label=bank.gate.called(item), raw=None, attributes={}) for item in items)
        items, file = sorted(own, key=lambda item: item.label), None
    going = outgoing_set(
        items,
        paradigm,
        source.design(None if kind == "slots" else design),
        file=file,
        name=source.datasets[0] if len(source.datasets) == 1 else paradigm.name,
        chosen=design is not None,
        as_it_came=isinstance(request.kind, Unset),
    )
    used = (
        [Used(source.newest.name, dataset) for dataset in source.datasets] if bank.gate.tells_origins else [Used(paradigm.name)]
    )
    made = how_made(bank, selection) if kind == "hub" and bank.gate.tells_origins else request_line()
    done = _of_items(going.items, kind, paradigm, out, request, lambda folder: write_manifest(bank, used, folder), made)
    if file is not None and kind == file["shape"] and design is None and not (request.ids or request.excel or request.defuse):
        done = replace(done, notes=(*done.notes, *_unlike(bank, selection, seen, done.content, out)))
    return replace(
        done,
        format=kind,
        versions=len(source.versions),
        left_out=0 if kind == "slots" else going.outside,
        shared_labels=source.shared_labels if bank.gate.tells_origins else 0,
    )


class _Seen:
    """Items that go by, with what is known of them afterwards."""

    def __init__(self, items: Iterable[StoredItem]) -> None:
        self._items = items
        self.count = 0
        self.runs: set[int] = set()
        self.is_edited = False

    def __iter__(self) -> Iterator[StoredItem]:
        for item in self._items:
            self.count += 1
            self.runs.add(item.run_id)
            self.is_edited = self.is_edited or item.revision_number > 1
            yield item


def _unlike(bank: Bank, selection: ItemFilter, seen: _Seen, content: bytes, out: Path | None) -> list[str]:
    """In words, that a file which came in does not come out as it was, though all of its items go out and nobody edited one."""
    runs = [bank.runs.get(run) for run in seen.runs]
    everything = bank.items.count(ItemFilter(paradigm=selection.paradigm, dataset=selection.dataset))
    if len(runs) != 1 or runs[0].kind != "import" or seen.is_edited or seen.count != everything:
        return []
    came = runs[0].parameters
    is_another = out is not None and out.suffix.casefold() != Path(str(came.get("file"))).suffix.casefold()
    if not content or is_another or came.get("sha256") == hashlib.sha256(content).hexdigest():
        return []
    left = (
        "what was left out there is not in it, and what is no part of its items, such as blank rows and how numbers are written"
    )
    return [f"not byte for byte {came.get('file', 'the file')} as it came in: {left}, may be otherwise"]


def _of_items(
    items: ForeignSet,
    kind: str,
    paradigm: Paradigm,
    out: Path | None,
    request: Export,
    finish: Callable[[Path], object],
    made: str,
) -> Exported:
    """A set in a format of item sets, as lists, or as a folder, which `finish` then finishes; a card says how it was `made`."""

    def filled(fill: Callable[[Path], T]) -> T:
        def whole(folder: Path) -> T:
            done = fill(folder)
            finish(folder)
            return done

        return into_folder(out, kind, whole)

    if kind in _LISTS:
        return _as_lists(items, kind, filled, request)
    if kind == "hub":
        card = CardFacts(
            said(request.title, items.name) or items.name,
            description=paradigm.description,
            language=request.language,
            license=said_or_none(request.license),
            citation=citation_of(request),
            made=made,
        )
        rows = filled(lambda folder: write_dataset_folder(folder, items, card))
        return Exported(b"", rows, 0)
    if kind == "lm-eval":
        by = said_or_none(request.by)
        effects = () if request.pairs else wh_effect_tasks(items, paradigm, by=by)
        pairs = _pairs(items, paradigm, request.pairs, needed=not effects)
        tasks = (*(tasks_of(items, pairs, by=by) if pairs else ()), *effects)
        filled(lambda folder: write_lm_eval(folder, items.name, tasks, seed=request.seed))
        held = {label for task in tasks for label, _, _ in task.pairs}
        unfit = tuple(item.label for item in items.items if item.label not in held)
        return Exported(b"", sum(len(task.pairs) for task in tasks), 0, unfit=unfit)
    if kind == "csv" and items.shape != "csv":
        items = replace(items, items=tuple(_typed(item, paradigm.name) for item in items.items))
    if request.ids:
        items = with_names(items, kind)
    done = written(items, kind, path=out)
    rows = sum(len(item.sentences) for item in items.items if item.label not in set(done.left_out))
    if done.delimiter is None:
        going = Exported(done.content, rows if kind != "slots" else len(items.items) - len(done.left_out), 0)
    else:
        going = finished(
            done.content, rows, excel=request.excel, defused=request.defuse, delimiter=done.delimiter, encoding=done.encoding
        )
    wanted = items.encoding if items.shape == kind else "utf-8"
    lost = wanted not in ("xlsx", done.encoding) and done.encoding == "utf-8"
    notes = []
    if kind == LINES:
        first = first_written(items)
        notes.append(f"the first line of each pair is the {first} member; whoever reads the file has to be told: --first {first}")
    if lost:
        notes.append(f"not every character is in {wanted}, the encoding of the file that came in: written as UTF-8")
    if done.dropped:
        named = ", ".join(done.dropped[:10]) + (" …" if len(done.dropped) > 10 else "")
        notes.append(f"not in it, since {kind} has no place for {'it' if len(done.dropped) == 1 else 'them'}: {named}")
    return replace(going, unfit=done.left_out, notes=tuple(notes))


def with_names(items: ForeignSet, kind: str) -> ForeignSet:
    """The set with the uid and the digest of the texts of each item among its attributes. Raises `ConfigError` for a format that
    has no place for them."""
    if "items" not in ITEM_FORMATS.find(kind).keeps:
        having = [name for name, entry in ITEM_FORMATS.usable() if "items" in entry.keeps]
        raise ConfigError(f"{kind} has no place for the uid and the digest of items", hint=f"These have: {', '.join(having)}.")
    return replace(
        items,
        items=tuple(replace(item, attributes={**item.attributes, **item.names}) for item in items.items),
    )


def _typed(item: ForeignItem, paradigm: str) -> ForeignItem:
    """The item with the first column of the papers' files, where it has none."""
    return replace(item, attributes={"sentence_type": paradigm, **item.attributes})


def _fillers(file: Path) -> tuple[ForeignItem, ...]:
    """The other sentences of an experiment. Raises `FormatError`; what a pair's order is, no option here says."""
    try:
        return read_foreign(SourceFile(file, unchanged=_NOTHING_WRITTEN)).items
    except UndecidedError as unknown:
        raise FormatError(
            unknown.message,
            hint="Give the fillers as a table with the columns item, condition and sentence, or the two columns of pairs the "
            f"headings sentence_good and sentence_bad. {_NOTHING_WRITTEN}",
        ) from None


def citation_of(request: Export) -> str:
    """The BibTeX that the card of a data set has. Raises `ConfigError`."""
    if isinstance(request.citation, Unset):
        return ""
    try:
        return text_of(request.citation, "utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{request.citation}: cannot be read as UTF-8 text ({error})") from None


def _as_lists(items: ForeignSet, kind: str, filled: Callable[[Callable[[Path], int]], int], request: Export) -> Exported:
    fillers = () if isinstance(request.fillers, Unset) else _fillers(request.fillers)
    lists = latin_square(items, conditions=request.conditions, fillers=fillers, seed=request.seed)
    notes = [f"{len(lists.lists)} lists: {', '.join(one.group for one in lists.lists)}"]
    if lists.unbalanced:
        notes.append(
            f"{lists.unbalanced} items too many for every condition to come equally often on a list; take them out, or add "
            f"{len(lists.lists) - lists.unbalanced}"
        )
    if kind == "pcibex":
        text = io.StringIO(newline="")
        rows = write_pcibex(text, lists)
        done = finished(text.getvalue().encode(), rows, excel=request.excel, defused=request.defuse)
    else:

        def fill(folder: Path) -> int:
            _expect_empty(folder)
            folder.mkdir(exist_ok=True)
            trials = 0
            for one in lists.lists:
                with (folder / f"list_{one.group}.json").open("w", encoding="utf-8", newline="") as stream:
                    trials += write_jspsych(stream, one)
            return trials

        done = Exported(b"", filled(fill), 0)
    return replace(done, unfit=lists.left_out, notes=tuple(notes))


def _pairs(items: ForeignSet, paradigm: Paradigm, asked: Iterable[tuple[str, str]], *, needed: bool) -> list[tuple[str, str]]:
    """Pairs of labels, the better one first: those asked for, else those that criteria of whole sentences compare."""
    labels = {paradigm.resolve_label(label) or label: label for label in items.conditions}
    wanted = list(asked) or list(pairs_compared([criterion.formula for criterion in paradigm.criteria]))
    if not wanted and needed:
        raise ConfigError(
            f"{paradigm.name} does not say which of two sentences should be the more probable one",
            hint=f"Name two conditions, the better one first: --pair good,bad. Conditions: {', '.join(items.conditions)}.",
        )
    found = []
    for pair in wanted:
        for name in pair:
            if name not in items.conditions and (paradigm.resolve_label(name) or name) not in labels:
                raise ConfigError(f"there is no condition {name!r}", hint=f"Conditions: {', '.join(items.conditions)}.")
        good, bad = (labels.get(paradigm.resolve_label(name) or name, name) for name in pair)
        found.append((good, bad))
    return found


def into_folder(out: Path | None, kind: str, fill: Callable[[Path], T]) -> T:
    """What `fill` writes into a folder, whole or not at all. Raises `ConfigError` where it cannot be written or is not empty."""
    if out is None:
        raise ConfigError(f"{kind} is a folder", hint="Say where it goes: -o DIR, new or empty.")
    _expect_empty(out)
    target = out.resolve()
    try:
        with written_whole(target) as made:
            return fill(made)
    except OSError as error:
        raise ConfigError(f"{out}: cannot be written ({error.strerror})") from None


def _expect_empty(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ConfigError(f"{folder}: there is something already", hint="Name a folder that is new or empty.")


def write_whole(path: Path, content: bytes) -> None:
    """Write a file, whole or not at all; through a link to what it points to, and into a pipe or device as it is. Raises
    `ConfigError`."""
    if path.is_dir():
        raise ConfigError(f"{path} is a directory", hint=f"Name a file in it, such as -o {path / 'items.csv'}.")
    target = Path(os.path.realpath(path))
    try:
        if target.is_symlink():
            raise ConfigError(f"{path}: is a link that leads round in a circle", hint="Name another file.")
        if target.exists() and not target.is_file():
            with target.open("wb") as stream:
                stream.write(content)
            return
        with written_whole(target) as made:
            made.write_bytes(content)
    except OSError as error:
        raise ConfigError(f"{path}: cannot be written ({error.strerror})") from None


def finished(content: bytes, rows: int, *, excel: bool, defused: bool, delimiter: str = ",", encoding: str = "utf-8") -> Exported:
    """CSV with its formulas counted, and with a mark or without them where that is asked for; for Excel in UTF-8."""
    import csv

    if not (excel or defused):
        # As it is, and no copy of it is made, since it may be the numbers of millions of words.
        with io.TextIOWrapper(io.BytesIO(content), encoding=encoding, newline="") as stream:
            cells = (cell.removeprefix("\ufeff") for row in csv.reader(stream, delimiter=delimiter) for cell in row)
            return Exported(content, rows, sum(map(looks_like_formula, cells)))
    text = content.decode(encoding)
    marked = excel or text.startswith("\ufeff")
    text = text.removeprefix("\ufeff")
    if defused:
        text, formulas = defuse(text, delimiter)
    else:
        formulas = sum(
            looks_like_formula(cell) for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) for cell in row
        )
    return Exported((("\ufeff" if marked else "") + text).encode("utf-8" if excel else encoding), rows, formulas)
