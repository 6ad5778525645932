"""The log of a bank: everything that was recorded, as one record a line, with the uids that all its copies share.

It goes out of one bank and into another (`gapsmith.bank.merging`). What can be made again is left out: scores, parses, findings
about data sets as wholes and what these say of single items, drafts and settings of the review. The first line says what it is, the
last one how many records there are, so that a file that was cut off is known as one.

The log of one who may not see all of it yet (`gapsmith.bank.seeing`) is *sealed*: it has all of these lines, packed so that nobody reads
them in passing, and a merge takes it only to where its lead is, or into a bank that hides from everybody but that lead what it hid.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from itertools import groupby, islice
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, TypeAlias, Union, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, create_model

from gapsmith.bank.connection import Db
from gapsmith.bank.errors import BankError
from gapsmith.bank.projection import IN_ORDER
from gapsmith.bank.records import CallRecord, RunRecord
from gapsmith.bank.runs import SELECT_CALL, SELECT_RUN, call_record, run_record
from gapsmith.bank.store import Bank
from gapsmith.templates import newer_needed, open_packed, raw_lines, read_json

VERSION, SEALED_VERSION = 1, 2
"""The forms of open logs, and of sealed ones."""
_PACKED = 500
"""So many lines are sealed together."""
_STRICT = ConfigDict(extra="forbid", strict=True)
Uid: TypeAlias = Annotated[str, Field(pattern="^[0-9a-f]{32}$")]
Count: TypeAlias = Annotated[int, Field(ge=0, lt=2**53)]
Time: TypeAlias = Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$")]
"""UTC in ISO 8601: events are put in order by it."""
Object: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class OpeningEntry:
    """The first line: what this is, and the bank that it came from."""

    kind: Literal["gapsmith bank"]
    version: int
    bank: str
    __pydantic_config__: ClassVar[ConfigDict] = _STRICT


@dataclass(frozen=True, slots=True)
class ParadigmEntry:
    """A paradigm's file, under the number by which this log speaks of it."""

    kind: Literal["paradigm"]
    number: Count
    name: str
    version: int
    form: str
    words: str
    predictions: str
    file: str
    path: str
    at: str
    __pydantic_config__: ClassVar[ConfigDict] = _STRICT


@dataclass(frozen=True, slots=True)
class DatasetEntry:
    """A data set, under its name as it stands."""

    kind: Literal["dataset"]
    uid: Uid
    paradigm: str
    name: str
    removed: bool
    meta: Object
    __pydantic_config__: ClassVar[ConfigDict] = _STRICT


@dataclass(frozen=True, slots=True)
class SentenceEntry:
    """A sentence of a revision; spans as `gapsmith.bank.texts.packed_offsets` has them, in hexadecimal."""

    condition: str
    text: str
    regions: tuple[str, ...] | None
    origin: str
    how: str
    spans: Annotated[str, Field(pattern="^([0-9a-f]{2})*$")] | None
    why: str | None
    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True)
class RevisionEntry:
    """A state of an item, with the checksum of its sentences."""

    uid: Uid
    number: Count
    parent: Uid | None
    texts: Uid
    slots: dict[str, str] | None
    raw: Object | None
    paradigm: Count
    call: Uid | None
    author: str | None
    note: str | None
    at: str
    sentences: tuple[SentenceEntry, ...]
    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True)
class ItemEntry:
    """An item with all its revisions, the first one first."""

    kind: Literal["item"]
    uid: Uid
    paradigm: Count
    dataset: Uid
    label: str
    expects: tuple[str, ...] | None
    attributes: Object | None
    run: Uid
    call: Uid | None
    at: str
    revisions: tuple[RevisionEntry, ...]
    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True)
class EventEntry:
    """Something that somebody decided, judged, edited, remarked or took back. `action`: the uid of the first event of the
    action that it is part of."""

    kind: Literal["event"]
    uid: Uid
    bank: str
    seq: Count
    action: Uid
    what: str
    item: Uid | None
    revision: Uid | None
    author: str
    at: Time
    payload: Object
    __pydantic_config__: ClassVar[ConfigDict] = _STRICT


@dataclass(frozen=True, slots=True)
class FindingEntry:
    """A finding about an item by itself."""

    code: str
    severity: Literal["error", "warning", "info"]
    title: str
    message: str
    remedy: str
    condition: str | None
    start: Count | None
    end: Count | None
    slot: str | None
    __pydantic_config__: ClassVar[ConfigDict] = _STRICT


@dataclass(frozen=True, slots=True)
class LintEntry:
    """What a lint said of a revision of an item."""

    kind: Literal["lint"]
    item: Uid
    revision: Uid
    ruleset: str
    at: str
    findings: tuple[FindingEntry, ...]
    looked: str | None = None
    """What the rules on words looked at in it, as the bank keeps it; None where that is not known."""
    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True)
class SealEntry:
    """The second line of a sealed log: from whom it is hidden what, and who leads the bank that it came from."""

    kind: Literal["seal"]
    reader: str
    lead: str | None
    __pydantic_config__: ClassVar[ConfigDict] = _STRICT


@dataclass(frozen=True, slots=True)
class SealedEntry:
    """Lines of a sealed log, compressed, in base64."""

    kind: Literal["sealed"]
    lines: str
    __pydantic_config__: ClassVar[ConfigDict] = _STRICT


@dataclass(frozen=True, slots=True)
class EndEntry:
    """The last line."""

    kind: Literal["end"]
    entries: Count
    __pydantic_config__: ClassVar[ConfigDict] = _STRICT


Entry: TypeAlias = ParadigmEntry | DatasetEntry | RunRecord | CallRecord | ItemEntry | EventEntry | LintEntry


@dataclass(frozen=True, slots=True)
class _Shape:
    """How a record of the bank stands in a log: under which word, without what holds in one bank only."""

    word: str
    left_out: tuple[str, ...]
    renamed: Mapping[str, str] = field(default_factory=dict)
    """The names of fields that are others there: the line's own ``kind`` is what it is about."""
    narrower: Mapping[str, Any] = field(default_factory=dict)
    """What a file may say in fields whose types take more."""

    def columns(self, record: type[RunRecord | CallRecord]) -> dict[str, str]:
        """Field to name in the log."""
        return {f.name: self.renamed.get(f.name, f.name) for f in fields(record) if f.name not in self.left_out}


_SHAPES: Mapping[type[RunRecord | CallRecord], _Shape] = {
    RunRecord: _Shape("run", ("id", "paradigm"), {"kind": "what", "paradigm_id": "paradigm"}, {"uid": Uid, "paradigm_id": Count}),
    CallRecord: _Shape(
        "call",
        ("id", "run_id"),
        narrower={
            "uid": Uid,
            "run": Uid,
            "number": Count,
            "attempts": Count,
            "latency_ms": Count | None,
            # Of what older releases kept there, too.
            "usage": Object,
        },
    ),
}


def _line_model(record: type[RunRecord | CallRecord]) -> type[BaseModel]:
    shape, types = _SHAPES[record], get_type_hints(record)
    told: dict[str, Any] = {name: (shape.narrower.get(own, types[own]), ...) for own, name in shape.columns(record).items()}
    settings: dict[str, Any] = {"__config__": _STRICT, "kind": (Literal[shape.word], ...)}
    model: type[BaseModel] = create_model(f"_{shape.word}", **settings, **told)
    return model


_MODELS = {record: _line_model(record) for record in _SHAPES}
_WRAPPING = (OpeningEntry, SealEntry, SealedEntry, EndEntry)
_EVERY: Any = Union[*_WRAPPING, ParadigmEntry, DatasetEntry, ItemEntry, EventEntry, LintEntry, *_MODELS.values()]
_KINDS: Any = Annotated[_EVERY, Field(discriminator="kind")]
_LINE: TypeAdapter[Any] = TypeAdapter(_KINDS)


def entries(bank: Bank) -> Iterator[Entry]:
    """Everything that was recorded in the bank: what an entry speaks of has come before it."""
    db = bank.db
    uids = {
        table: {row["id"]: row["uid"].hex() for row in db.execute(f"SELECT id, uid FROM {table}")}
        for table in ("dataset", "run", "call", "item", "revision", "event")
    }
    for row in db.checked("paradigm", "SELECT * FROM paradigm ORDER BY id"):
        yield ParadigmEntry(
            "paradigm",
            row["id"],
            row["name"],
            row["version"],
            row["form"],
            row["words"],
            row["predictions"],
            row["file"],
            row["path"],
            row["at"],
        )
    for row in db.checked(
        ("dataset", "dataset_state"),
        "SELECT dataset.*, state.* FROM dataset JOIN dataset_state state ON state.dataset_id = dataset.id ORDER BY dataset.id",
    ):
        yield DatasetEntry(
            "dataset", row["uid"].hex(), row["paradigm"], row["name"], bool(row["removed"]), json.loads(row["meta"])
        )
    for row in db.checked("run", f"{SELECT_RUN} ORDER BY run.id"):
        yield replace(run_record(row), id=0)
    for row in db.checked("call", f"{SELECT_CALL} ORDER BY call.id"):
        yield replace(call_record(row), id=0, run_id=0)
    yield from _items(db, uids)
    for row in db.checked("event", f"SELECT * FROM event ORDER BY {IN_ORDER}"):
        yield EventEntry(
            "event",
            row["uid"].hex(),
            row["bank"],
            row["seq"],
            uids["event"][row["action"]],
            row["kind"],
            uids["item"].get(row["item_id"]),
            uids["revision"].get(row["revision_id"]),
            row["author"],
            row["at"],
            json.loads(row["payload"]),
        )
    for row in db.checked(
        ("lint_state", "ruleset"),
        "SELECT lint_state.*, ruleset.* FROM lint_state JOIN ruleset ON ruleset.id = ruleset_id ORDER BY item_id",
    ):
        seen = db.checked(
            ("look_state", "look"),
            "SELECT look_state.*, look.* FROM look_state JOIN look ON look.id = look_id WHERE item_id = ?",
            (row["item_id"],),
        )
        look = next((str(found["said"]) for found in seen), None)
        # What was found by holding the items of a set against each other says nothing in a bank that has others.
        own = "SELECT * FROM finding WHERE item_id = ? AND items IS NULL ORDER BY id"
        found = db.checked("finding", own, (row["item_id"],))
        findings = (
            FindingEntry(
                f["code"],
                f["severity"],
                f["title"],
                f["message"],
                f["remedy"],
                f["condition"],
                f["start"],
                f["end"],
                f["slot"],
            )
            for f in found
        )
        item, revision = uids["item"][row["item_id"]], uids["revision"][row["revision_id"]]
        yield LintEntry("lint", item, revision, row["identity"], row["at"], tuple(findings), look)


def _items(db: Db, uids: Mapping[str, Mapping[int, str]]) -> Iterator[ItemEntry]:
    for table in ("sentence", "layout", "text"):
        # A revision without sentences stands in the query below too, so these are compared by themselves.
        deque(db.checked(table, f"SELECT * FROM {table}"), maxlen=0)
    rows = db.checked(
        "revision",
        "SELECT revision.*, s.text_id, s.spans, s.why, text.text, layout.condition, layout.regions, layout.origin,"
        " layout.how FROM revision LEFT JOIN sentence s ON s.revision_id = revision.id LEFT JOIN text ON text.id = s.text_id"
        " LEFT JOIN layout ON layout.id = s.layout_id"
        " ORDER BY revision.item_id, revision.parent IS NOT NULL, revision.id, s.position",
    )
    items = db.checked("item", "SELECT * FROM item ORDER BY id")
    for (item_id, members), item in zip(groupby(rows, key=lambda row: row["item_id"]), items, strict=True):
        assert item_id == item["id"]
        revisions = []
        for _, sentences in groupby(members, key=lambda row: row["id"]):
            lines = list(sentences)
            row = lines[0]
            revisions.append(
                RevisionEntry(
                    row["uid"].hex(),
                    row["number"],
                    uids["revision"].get(row["parent"]),
                    row["texts"].hex(),
                    json.loads(row["slots"]) if row["slots"] is not None else None,
                    json.loads(row["raw"]) if row["raw"] is not None else None,
                    row["paradigm_id"],
                    uids["call"].get(row["call_id"]),
                    row["author"],
                    row["note"],
                    row["at"],
                    tuple(
                        SentenceEntry(
                            line["condition"],
                            line["text"],
                            _names(line["regions"]),
                            line["origin"],
                            line["how"],
                            line["spans"].hex() if line["spans"] is not None else None,
                            line["why"],
                        )
                        for line in lines
                        if line["text_id"] is not None
                    ),
                )
            )
        yield ItemEntry(
            "item",
            item["uid"].hex(),
            item["paradigm_id"],
            uids["dataset"][item["dataset_id"]],
            item["label"],
            tuple(json.loads(item["expects"])) if item["expects"] is not None else None,
            json.loads(item["attributes"]) if item["attributes"] is not None else None,
            uids["run"][item["run_id"]],
            uids["call"].get(item["call_id"]),
            item["at"],
            tuple(revisions),
        )


def _names(regions: str) -> tuple[str, ...] | None:
    found = json.loads(regions)
    return tuple(found) if found is not None else None


def write_log(bank: Bank, path: Path) -> int:
    """Write the bank's log to a new file, sealed where it would tell the bank's reader what they may not see; how many entries it has.
    Raises `BankError` where the file is there already or cannot be written; then no file is left."""
    name = bank.db.property("bank") or ""
    sealed = bank.gate.hides_in_log
    try:
        file = path.open("x", encoding="utf-8")
    except OSError as error:
        raise BankError(f"{path}: cannot be made ({error.strerror})", hint="Give another name. Nothing was written.") from None
    count = 0
    try:
        with file:
            file.write(_line(OpeningEntry("gapsmith bank", SEALED_VERSION if sealed else VERSION, name)))
            if sealed:
                file.write(_line(SealEntry("seal", bank.reader, bank.gate.lead)))
            lines = map(_line, entries(bank))
            while some := list(islice(lines, _PACKED)):
                count += len(some)
                file.writelines([_line(_sealed("".join(some)))] if sealed else some)
            file.write(_line(EndEntry("end", count)))
    except BaseException as error:
        path.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise BankError(f"{path}: cannot be written ({error.strerror})", hint="No file was left.") from None
        raise
    return count


def _sealed(lines: str) -> SealedEntry:
    return SealedEntry("sealed", base64.b64encode(zlib.compress(lines.encode())).decode("ascii"))


def _opened(path: Path, number: int, entry: SealedEntry) -> list[bytes]:
    try:
        return zlib.decompress(base64.b64decode(entry.lines, validate=True)).splitlines()
    except (ValueError, zlib.error):
        raise BankError(
            f"{path}, line {number}: cannot be unsealed", hint="Copy the file again. Nothing was brought in."
        ) from None


def _line(entry: OpeningEntry | SealEntry | SealedEntry | Entry | EndEntry) -> str:
    said = asdict(entry)
    if isinstance(entry, RunRecord | CallRecord):
        shape = _SHAPES[type(entry)]
        said = {"kind": shape.word, **{name: said[own] for own, name in shape.columns(type(entry)).items()}}
    return json.dumps(said, ensure_ascii=False, separators=(",", ":"), allow_nan=False) + "\n"


def read_log(path: Path, bank: Bank) -> Iterator[Entry]:
    """The entries of a file that `write_log` wrote, to be brought into that bank. Raises `BankError` naming the line of whatever is
    wrong with it, and where it is sealed and this bank would show its reader what it hides."""
    count, ended, own_copy = 0, False, False
    names: dict[int, str] = {}
    try:
        with open_packed(path) as file:
            for number, line in enumerate(raw_lines(path, file), start=1):
                if number == 1:
                    _expect_known_form(path, line)
                said = _read(path, number, line)
                if ended:
                    raise BankError(f"{path}, line {number}: stands after the end of the log")
                if (number == 1) != isinstance(said, OpeningEntry):
                    raise BankError(f"{path}: is not the log of a bank", hint="`gapsmith bank log FILE` writes one.")
                if isinstance(said, OpeningEntry):
                    own_copy = said.bank == bank.db.property("bank")
                elif isinstance(said, SealEntry):
                    if not own_copy:
                        _expect_hidden(path, said, bank)
                elif isinstance(said, EndEntry):
                    ended = True
                    if said.entries != count:
                        raise BankError(f"{path}: {said.entries:,} entries were written and {count:,} are here")
                else:
                    packed = _opened(path, number, said) if isinstance(said, SealedEntry) else None
                    for one in [said] if packed is None else (_read(path, number, own) for own in packed):
                        if isinstance(one, _WRAPPING):
                            raise BankError(f"{path}, line {number}: has sealed what is no entry", hint="Nothing was brought in.")
                        entry = _entry(one, names)
                        if isinstance(entry, ParadigmEntry):
                            names[entry.number] = entry.name
                        count += 1
                        yield entry
    except OSError as error:
        raise BankError(f"{path}: cannot be read ({error.strerror})") from None
    if not ended:
        raise BankError(
            f"{path}: breaks off after {count:,} entries",
            hint="Copy it again, or write it again with `gapsmith bank log`.",
        )


def _expect_known_form(path: Path, line: bytes) -> None:
    """Raise `BankError` for a log in a form of another gapsmith, whatever else its first line says."""
    try:
        said = read_json(line.decode("utf-8"))
    except ValueError:
        return  # What it is instead is said when it is read.
    if isinstance(said, dict) and said.get("kind") == "gapsmith bank" and said.get("version") not in (VERSION, SEALED_VERSION):
        raise BankError(
            f"{path}: was written in form {said.get('version')}; this gapsmith reads forms {VERSION} and {SEALED_VERSION}",
            hint=f"{newer_needed(said.get('program'))} Nothing was brought in.",
        )


def _expect_hidden(path: Path, seal: SealEntry, bank: Bank) -> None:
    if seal.lead in (bank.reader, bank.gate.lead):
        return
    lead = seal.lead or "nobody"
    raise BankError(
        f"{path}: is sealed, since {seal.reader} may not see yet what others said in the bank that it is from; {lead} leads that bank, and"
        f" {bank.gate.lead or 'nobody'} this one",
        hint=f"Send it to {lead}, who merges it. Or lock first (L in `gapsmith review`), and write it again: then it is not sealed."
        " Nothing was brought in.",
    )


def _read(path: Path, number: int, line: bytes) -> Any:
    """A line as it stands."""
    try:
        return _LINE.validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise BankError(
            f"{path}, line {number}: {f'{place}: ' if place else ''}{first['msg']}",
            hint="Nothing was brought in. `gapsmith bank log FILE` writes such a file.",
        ) from None


def _entry(said: Any, names: Mapping[int, str]) -> Entry:
    """A line that is no opening, seal or end, as an entry."""
    for record, model in _MODELS.items():
        if isinstance(said, model):
            known = {own: getattr(said, name) for own, name in _SHAPES[record].columns(record).items()}
            if record is CallRecord:
                return CallRecord(id=0, run_id=0, **known)
            return RunRecord(id=0, paradigm=names.get(known["paradigm_id"], ""), **known)
    entry: Entry = said
    return entry
