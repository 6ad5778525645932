"""What a report, a study's page or a folder of items was made of: ``manifest.json`` beside it, and what has changed since.

The manifest has digests, no sentence: of each item's texts, of what the reader knew of the decisions on it, of what each scorer says of
its texts; of the paradigm's file and its frozen plans; of the files that were written; and by which program. A digest tells that
something is another one, not what it was. Decisions that the reader could not see have none, so that nobody guesses them from it.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError, with_config
from typing_extensions import TypedDict

import gapsmith
from gapsmith.bank import LATEST, Bank, ItemFilter, Scorer, StoredItem, canonical, digest_of, request_mark
from gapsmith.scoring.analysis import Analysis
from gapsmith.scoring.report import software
from gapsmith.templates import (
    VERSION,
    ConfigError,
    FormatError,
    GapsmithError,
    count,
    file_sha256,
    json_sha256,
    newer_needed,
    read_json,
    text_of,
)

MANIFEST = "manifest.json"
FORM: Final = 1
"""The form of manifests that is written and read."""
_DIGITS = 16
_AT_ONCE = 500
"""Items that are read at a time."""
_STRICT = ConfigDict(extra="forbid")
_Digest = Annotated[str, Field(max_length=64, pattern="^[0-9a-f]+$")]


@with_config(_STRICT)
class ManifestItem(TypedDict):
    """An item, by its uid."""

    name: str
    """Its data set and label."""
    texts: _Digest
    decisions: _Digest | None
    """Its status, and who decided, judged and remarked what; None where the reader was not to see it."""


@with_config(_STRICT)
class ManifestScorer(TypedDict):
    """A scorer, and what it says of the items."""

    name: str
    revision: str
    identity: _Digest
    behind: Literal["nothing", "contexts"]
    """Whether values behind contexts count, too."""
    observations: dict[str, _Digest] | None
    """By the uid of the item; without those of which it says nothing. None where its writer was not to know which items calibrate, which
    are not scored with the others."""


@with_config(_STRICT)
class ManifestPart(TypedDict):
    """What was used of one paradigm."""

    paradigm: str
    dataset: str | None
    """None for all of them."""
    file: _Digest
    plans: list[str]
    items: dict[str, ManifestItem]
    scorers: list[ManifestScorer]


@with_config(_STRICT)
class Manifest(TypedDict):
    """All that `MANIFEST` says."""

    manifest: Literal[1]
    made_at: str
    reader: str
    program: dict[str, str]
    """Versions, the bank's schema, and `build`, a digest of the program's own files."""
    request: dict[str, Any]
    parts: list[ManifestPart]
    files: dict[str, _Digest]
    """SHA-256 by path within the folder."""


@cache
def _form() -> TypeAdapter[Manifest]:
    return TypeAdapter(Manifest)


@dataclass(frozen=True, slots=True)
class Used:
    """What something was made of: the items of a paradigm, and what scorers say of them."""

    paradigm: str
    dataset: str | None = None
    scorers: tuple[int, ...] = ()
    contexts: bool = False
    """Whether values behind contexts were used."""

    @classmethod
    def by(cls, analyses: Iterable[Analysis]) -> tuple[Used, ...]:
        """What analyses used, an entry for each paradigm and data set."""
        found: dict[tuple[str, str | None], Used] = {}
        for own in analyses:
            key = own.paradigm.name, own.options.dataset
            known = found.get(key, cls(*key))
            scorers = tuple(dict.fromkeys((*known.scorers, own.scorer_id)))
            found[key] = replace(known, scorers=scorers, contexts=known.contexts or bool(own.context))
        return tuple(found.values())


@dataclass(frozen=True, slots=True)
class ChangedSince:
    """Something that is not as it was."""

    kind: str
    """item, decisions, observations, scorer, paradigm, plan, file or program."""
    what: str
    said: str

    def __str__(self) -> str:
        return f"{self.kind} {self.what}: {self.said}"

    def as_data(self) -> dict[str, str]:
        """The same as JSON takes it."""
        return asdict(self)


def write_manifest(bank: Bank, used: Sequence[Used], folder: Path, files: Iterable[Path] | None = None) -> Path:
    """Write `MANIFEST` into `folder`, last of all: it has the digests of `files` (None: of all that is there). Raises OSError."""
    path = folder / MANIFEST
    wanted = files if files is not None else (own for own in folder.rglob("*") if own.is_file() and own != path)
    made = Manifest(
        manifest=FORM,
        made_at=datetime.now(UTC).isoformat(timespec="seconds"),
        reader=bank.reader,
        program=dict(program()),
        request=dict(request_mark().get("request", {})),
        parts=[_part(bank, own) for own in used],
        files={own.relative_to(folder).as_posix(): file_sha256(own) for own in sorted(wanted)},
    )
    with path.open("w", encoding="utf-8") as stream:
        json.dump(made, stream, ensure_ascii=False)
        stream.write("\n")
    return path


def read_manifest(place: Path) -> tuple[Path, Manifest]:
    """The manifest in a folder, or the file itself; with the folder that it is about. Raises `GapsmithError`."""
    path = place / MANIFEST if place.is_dir() else place
    try:
        said = read_json(text_of(path))
        if isinstance(said, dict) and type(said.get("manifest")) is int and said["manifest"] != FORM:
            wrote = said["program"].get("gapsmith") if isinstance(said.get("program"), dict) else None
            raise FormatError(f"{path}: is a manifest in form {said['manifest']}; form {FORM} is read", hint=newer_needed(wrote))
        found = _form().validate_python(said, strict=True)
    except FileNotFoundError:
        raise ConfigError(
            f"{place}: there is no {MANIFEST}, which says what a report was made of",
            hint="Name the folder of a report, a study or an export. What older versions wrote has none: write it again.",
        ) from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "as a whole"
        raise FormatError(
            f"{path}: is no manifest that this gapsmith ({VERSION}) can read: {where}: {first['msg']}",
            hint="Was it edited, or written by another version? Write the report again, and keep its folder as it is.",
        ) from None
    except (OSError, ValueError) as error:
        raise FormatError(f"{path}: cannot be read as a manifest ({error})") from None
    return path.parent, found


def changes(bank: Bank, folder: Path, then: Manifest) -> Iterator[ChangedSince]:
    """What is not as it was when the manifest in `folder` was written. Nothing is said of decisions that the reader may not see now,
    or could not see then (`unseen`)."""
    for name, digest in then["files"].items():
        own = folder / name
        if not own.resolve().is_relative_to(folder.resolve()):
            yield ChangedSince("file", name, "lies outside of the folder, and was not looked at")
        elif not own.is_file():
            yield ChangedSince("file", name, "is gone")
        elif file_sha256(own) != digest:
            yield ChangedSince("file", name, "was changed")
    today = program()
    for name in dict.fromkeys((*then["program"], *today)):
        before, after = (said.get(name, "none") for said in (then["program"], today))
        if before != after:
            yield ChangedSince("program", name, f"was {before}, is {after}")
    for part in then["parts"]:
        yield from _part_changes(bank, part)


def written_of(bank: Bank, root: Path, used: Used) -> frozenset[str]:
    """Which stages have written a folder in `root` of what the bank has of `used` now: ``report``, ``publish``. Nothing is said of folders
    elsewhere, nor by which program."""
    wanted = {_identity(scorer) for scorer in bank.scores.scorers() if scorer.id in used.scorers}
    stages = set()
    for path in sorted(root.glob(f"*/{MANIFEST}")):
        try:
            _, found = read_manifest(path)
        except GapsmithError:
            # Somebody's own file, or one of another version: it says of nothing that it is done.
            continue
        stage = str(found["request"].get("stage", ""))
        for part in found["parts"] if stage not in stages else ():
            of_it = part["paradigm"] == used.paradigm and part["dataset"] in (None, used.dataset)
            if of_it and wanted <= {own["identity"] for own in part["scorers"]} and not any(_part_changes(bank, part)):
                stages.add(stage)
    return frozenset(stages)


def unseen(bank: Bank, then: Manifest) -> int:
    """Of how many items the decisions cannot be compared, since the reader may not see them now or could not see them then."""
    hidden = {uid for part in then["parts"] for uid, own in part["items"].items() if own["decisions"] is None}
    left_out = set(bank.gate.hidden())
    for part in then["parts"]:
        selection = ItemFilter(paradigm=part["paradigm"], dataset=part["dataset"])
        hidden |= {item.uid.hex() for item in bank.items.iterate(selection) if item.id in left_out}
    return len(hidden & {uid for part in then["parts"] for uid in part["items"]})


@cache
def program() -> Mapping[str, str]:
    """What decides numbers beside the data: versions, the bank's schema, and a digest of this program's own files."""
    build = hashlib.sha256()
    root = Path(gapsmith.__file__).parent
    for folder, below, names in os.walk(root, followlinks=True):
        below[:] = sorted(name for name in below if name != "__pycache__")
        for name in sorted(names):
            if name.endswith((".py", ".toml", ".j2", ".csv")):
                own = Path(folder, name)
                build.update(own.relative_to(root).as_posix().encode() + b"\0" + hashlib.sha256(own.read_bytes()).digest())
    return {
        **software(),
        "machine": platform.machine(),
        "bank schema": str(LATEST),
        "build": build.hexdigest()[:_DIGITS],
    }


def _part(bank: Bank, used: Used) -> ManifestPart:
    known = {scorer.id: scorer for scorer in bank.scores.scorers()}
    scorers = [known[own] for own in used.scorers]
    items, observed = _records(bank, used, scorers)
    behind: Literal["nothing", "contexts"] = "contexts" if used.contexts else "nothing"
    return ManifestPart(
        paradigm=used.paradigm,
        dataset=used.dataset,
        file=bank.paradigms.current(used.paradigm).paradigm.digest,
        plans=[plan.digest for plan in bank.plans.of(used.paradigm)],
        items=items,
        scorers=[
            ManifestScorer(
                name=scorer.model,
                revision=scorer.revision,
                identity=_identity(scorer),
                behind=behind,
                observations=observed[scorer.id] if bank.gate.tells_origins else None,
            )
            for scorer in scorers
        ],
    )


def _identity(scorer: Scorer) -> str:
    return json_sha256([scorer.revision, canonical(scorer.identity)])[:_DIGITS]


def _records(bank: Bank, used: Used, scorers: Sequence[Scorer]) -> tuple[dict[str, ManifestItem], dict[int, dict[str, str]]]:
    """The items by uid, and by scorer what each says of them; read some at a time."""
    hidden = set(bank.gate.hidden())
    said: dict[int, tuple[tuple[Any, ...], ...]] = {}
    known_rows: dict[tuple[tuple[Any, ...], ...], tuple[tuple[Any, ...], ...]] = {}

    def add(item_id: int, *row: Any) -> None:
        # Of many items the same is said, as by a policy, and is kept once.
        rows = (*said.get(item_id, ()), row)
        said[item_id] = known_rows.setdefault(rows, rows)

    for own in bank.decisions.current():
        add(own.item_id, "decision", own.author, own.kind, own.verdict, own.reason, own.comment)
    for told in bank.decisions.judgements():
        add(told.item_id, "judgement", told.author, told.condition, told.rating, told.text_digest)
    items: dict[str, ManifestItem] = {}
    observed: dict[int, dict[str, str]] = {scorer.id: {} for scorer in scorers}
    for some in _batches(bank.items.iterate(ItemFilter(paradigm=used.paradigm, dataset=used.dataset))):
        for item in some:
            known = None
            if item.id not in hidden:
                rows = sorted(said.get(item.id, ()), key=canonical)
                known = json_sha256([item.status, item.reason, *rows])[:_DIGITS]
            name = f"{item.dataset}/{item.label}" if bank.gate.tells_origins else bank.gate.called(item)
            items[item.uid.hex()] = ManifestItem(name=name, texts=digest_of(item.sentences), decisions=known)
        texts = [sentence.text for item in some for sentence in item.sentences]
        for scorer in scorers:
            found = bank.scores.digests(scorer.id, texts, contexts=used.contexts)
            for item in some:
                values = [found.get(sentence.text, "") for sentence in item.sentences]
                if any(values):
                    observed[scorer.id][item.uid.hex()] = json_sha256(values)[:_DIGITS]
    if not bank.gate.tells_origins:
        # By uid: another order would tell which items came in together.
        items = dict(sorted(items.items()))
        observed = {scorer: dict(sorted(own.items())) for scorer, own in observed.items()}
    return items, observed


def _batches(items: Iterable[StoredItem]) -> Iterator[list[StoredItem]]:
    some: list[StoredItem] = []
    for item in items:
        some.append(item)
        if len(some) == _AT_ONCE:
            yield some
            some = []
    if some:
        yield some


def _part_changes(bank: Bank, then: ManifestPart) -> Iterator[ChangedSince]:
    name = then["paradigm"]
    if name not in bank.paradigms.names():
        yield ChangedSince("paradigm", name, "this bank has no items of it")
        return
    by_identity = {_identity(scorer): scorer for scorer in bank.scores.scorers()}
    there = [scorer for own in then["scorers"] if (scorer := by_identity.get(own["identity"])) is not None]
    contexts = any(own["behind"] == "contexts" for own in then["scorers"])
    now = _part(bank, Used(name, then["dataset"], tuple(scorer.id for scorer in there), contexts))
    if then["file"] != now["file"]:
        yield ChangedSince("paradigm", name, "its file was changed")
    if then["plans"] != now["plans"]:
        new = [digest for digest in now["plans"] if digest not in then["plans"]]
        gone = [digest for digest in then["plans"] if digest not in now["plans"]]
        parts = [f"frozen since: {', '.join(new)}"] * bool(new) + [f"not in this bank: {', '.join(gone)}"] * bool(gone)
        yield ChangedSince("plan", name, "; ".join(parts) or "they stand in another order")
    for uid in dict.fromkeys((*then["items"], *now["items"])):
        yield from _item_changes(then["items"].get(uid), now["items"].get(uid))
    today = {own["identity"]: own["observations"] for own in now["scorers"]}
    for own in then["scorers"]:
        if own["identity"] not in today:
            yield ChangedSince("scorer", own["name"], f"this bank has no values of its revision {own['revision'][:_DIGITS]}")
            continue
        before, after = own["observations"], today[own["identity"]]
        if before is None or after is None:
            continue
        for uid in dict.fromkeys((*before, *after)):
            item = then["items"].get(uid)
            # Of other texts other values are there: that the texts changed has been said.
            if item is None or item["texts"] != now["items"].get(uid, item)["texts"] or before.get(uid) == after.get(uid):
                continue
            if uid not in after:
                if uid in now["items"]:
                    yield ChangedSince("observations", item["name"], f"{own['name']} says nothing of it any more")
            else:
                word = "other values are there" if uid in before else "values are there that were not"
                yield ChangedSince("observations", item["name"], f"{word} of {own['name']}")


def _item_changes(then: ManifestItem | None, now: ManifestItem | None) -> Iterator[ChangedSince]:
    if then is None or now is None:
        if now is not None:
            yield ChangedSince("item", now["name"], "is new")
        elif then is not None:
            yield ChangedSince("item", then["name"], "is not there any more")
        return
    if then["texts"] != now["texts"]:
        yield ChangedSince("item", now["name"], "its sentences were changed")
    if then["name"] != now["name"]:
        yield ChangedSince("item", now["name"], f"was called {then['name']}")
    if then["decisions"] != now["decisions"] and None not in (then["decisions"], now["decisions"]):
        yield ChangedSince("decisions", now["name"], "what was decided or judged of it is another")


def in_words(found: Sequence[ChangedSince], *, most: int = 10) -> Iterator[str]:
    """A line for each change, at most so many of a kind, then how many more there are."""
    for kind in dict.fromkeys(own.kind for own in found):
        own = [change for change in found if change.kind == kind]
        yield from map(str, own[:most])
        if len(own) > most:
            yield f"{kind}: {count(len(own) - most, 'more change')} (`--json` lists all)"
