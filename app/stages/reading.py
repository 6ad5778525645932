"""What stages that read a stranger's file make of what was said of it, and how they ask and tell how far it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from gapsmith.app.exporting import write_whole
from gapsmith.app.requests.base import UNSET, Unset, entries, said_or_none, toml_value
from gapsmith.app.requests.bringing import Import
from gapsmith.app.requests.parts import FileReading
from gapsmith.app.services import QUIET, Services
from gapsmith.bank import Brought
from gapsmith.bank.formats import FORMATS, NOTHING_KEPT, FileAnswer, Member, Progress, ReadOptions, UndecidedError, flags_of
from gapsmith.templates import ConfigError, FormatError, bytes_of, in_place, made_of, no_such, text_of

R = TypeVar("R", bound=FileReading)

_FIELDS: Final[Mapping[str, str]] = {
    "encoding": "encoding",
    "sheet": "sheets",
    "first": "first",
    "attribute": "attributes",
    "region": "regions",
    "item_column": "item_columns",
    "condition_column": "condition_columns",
    "sentence_column": "sentence_columns",
    "strip_prefix": "strip_prefixes",
    "per_item": "per_item",
    "region_mark": "region_mark",
    "only": "only",
    "leave_out": "leave_out",
    "stack": "stack",
    "frame": "frames",
    "items_by_words": "items_by_words",
    "header_row": "header_row",
    "missing": "missing",
    "comment": "comment",
    "transpose": "transpose",
    "headings": "headings",
    "header_rows": "header_rows",
    "table": "table",
    "wrapped": "wrapped",
    "strip_suffix": "strip_suffixes",
    "gap_mark": "gap_marks",
    "good": "good",
    "alternatives": "alternatives",
    "blank_rows": "blank_rows",
    "once": "once",
    "clean": "clean",
    "take_out": "take_out",
}
"""Options of a request that says how a file is read, to what readers take."""
_MAPPED = ("format", *_FIELDS, "paradigm", "own_paradigm", "critical")
"""What a mapping can say."""


_EITHER: Final[Mapping[str, Any]] = {"paradigm": UNSET, "own_paradigm": False}
"""Options that answer one question, with what they are where nobody said them: one that is said goes before both of a mapping."""


def read_options(request: FileReading) -> ReadOptions:
    """The options as readers take them."""
    return ReadOptions(
        encoding=said_or_none(request.encoding),
        sheets=request.sheet,
        first=cast("Member | None", said_or_none(request.first)),
        attributes=request.attribute,
        regions=request.region,
        condition_columns=request.condition_column,
        item_columns=request.item_column,
        sentence_columns=request.sentence_column,
        strip_prefixes=request.strip_prefix,
        per_item=said_or_none(request.per_item),
        region_mark=said_or_none(request.region_mark),
        only=request.only,
        leave_out=request.leave_out,
        stack=request.stack,
        frames=request.frame,
        items_by_words=request.items_by_words,
        header_row=said_or_none(request.header_row),
        missing=request.missing,
        comment=said_or_none(request.comment),
        transpose=request.transpose,
        headings=said_or_none(request.headings),
        header_rows=said_or_none(request.header_rows),
        table=said_or_none(request.table),
        wrapped=request.wrapped,
        strip_suffixes=request.strip_suffix,
        gap_marks=request.gap_mark,
        good=request.good,
        alternatives=said_or_none(request.alternatives),
        blank_rows=request.blank_rows,
        once=request.once,
        clean=request.clean,
        take_out=request.take_out,
    )


def with_mapping(request: R) -> R:
    """The request with what its mapping says on top, where the request says nothing itself. Raises `ConfigError` with the key."""
    if isinstance(request.mapping, Unset):
        return request
    path = request.mapping
    try:
        text = text_of(path, "utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read as UTF-8 text ({error})") from None
    known = {entry.name: entry for entry in entries(type(request))}

    def made(found: dict[str, Any]) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        if any(getattr(request, name, default) != default for name, default in _EITHER.items()):
            found = {name: value for name, value in found.items() if name not in _EITHER}
        for name, value in found.items():
            if name not in _MAPPED:
                raise no_such(f"a mapping has no {name!r}", "It has", name, _MAPPED, place=(name,))
            if name in known:
                with in_place(name):
                    read = known[name].read(value, name)
                if name == "format" and read not in FORMATS:
                    raise no_such(f"there is no format {read!r}", "There are", read, FORMATS, place=("format",))
                if getattr(request, name) == known[name].default:
                    fields[name] = read
        return fields

    return replace(request, **made_of(text, str(path), made, what="a mapping"))


@contextmanager
def mapped(request: FileReading) -> Iterator[None]:
    """Around reading a file: a refusal says what the mapping said of it, for whoever looks for the fault in the file alone."""
    try:
        yield
    except FormatError as error:
        if not isinstance(request.mapping, Unset):
            alone = with_mapping(FileReading(mapping=request.mapping))
            says = flags_of({"format": said_or_none(alone.format), **read_options(alone).said()}) or "nothing of how it is read"
            error.hint = f"{request.mapping} says {says}; an option beside it goes before it.\n{error.hint}".strip()
        raise


def mapping_of(came: Brought, request: Import) -> str:
    """What was said and found out of a file, as a mapping: a TOML document. What a file was taken for is not in it unless somebody said
    it: in the next file it would overrule what is asked about there."""
    found = came.found
    said: dict[str, Any] = {"format": found.options.get("as")}
    own = {**found.options}
    for name, value in _understood(found.meta).items():
        own[name] = own.get(name) or value
    said |= {name: own.get(option) for name, option in _FIELDS.items()}
    said |= {"paradigm": came.said_paradigm, "own_paradigm": came.is_own_paradigm, "critical": request.critical}
    head = f"# How {request.file.name} is read: gapsmith import FILE --mapping THIS\n"
    return head + "".join(
        f"{name} = {toml_value(list(value) if isinstance(value, tuple) else value)}\n" for name, value in said.items() if value
    )


def _understood(meta: Mapping[str, Any]) -> dict[str, Any]:
    """The columns as they were understood, by what readers take."""
    if "header" not in meta or "good" in meta:
        return {}
    item = meta.get("item")
    found = {
        "item_columns": [item] if isinstance(item, str) and item else item or [],
        "condition_columns": meta.get("condition", []),
        "sentence_columns": meta["sentences"] if "sentences" in meta else [meta["sentence"]] if "sentence" in meta else [],
        "regions": meta.get("regions", []),
    }
    return {name: value for name, value in found.items() if value}


def expect_room(path: Path, text: str) -> None:
    """Raise `ConfigError` where a mapping has no place: another file is there, or no folder."""
    if path.is_dir():
        raise ConfigError(f"{path} is a directory", hint=f"Name a file in it, such as {path / 'mapping.toml'}. {NOTHING_KEPT}")
    if not path.absolute().parent.is_dir():
        raise ConfigError(f"{path}: there is no folder {path.parent}", hint=f"Make it, or name another file. {NOTHING_KEPT}")
    if path.is_file() and bytes_of(path) != text.encode():
        raise ConfigError(
            f"{path}: is there already, and says something else", hint=f"Name another file, or take it away. {NOTHING_KEPT}"
        )


def save_mapping(path: Path, text: str, services: Services) -> None:
    """Write a mapping, for which `expect_room` found room."""
    write_whole(path, text.encode())
    services.note(f"Wrote {path}; --mapping {path} applies it again")


def asking(services: Services) -> Callable[[UndecidedError, Callable[[FileAnswer], str]], FileAnswer | None]:
    """What a file does not say, asked of whoever answers: with three items as they are with an answer. The answer is told as the
    option that says it."""

    def ask(undecided: UndecidedError, shown: Callable[[FileAnswer], str]) -> FileAnswer | None:
        if services.ask is QUIET.ask:
            return None
        words = [answer.word for answer in undecided.answers]
        if words == ["yes"]:
            words.append("no")
        elif words[:1] == ["1"]:
            words.append("none")
        grids = []
        for answer in undecided.answers[:3]:
            if grid := shown(answer):
                grids.append(f"With {answer.flags or answer.word}:\n{grid}")
        chosen = services.ask("\n".join([*grids, undecided.question]), tuple(words))
        found = next((answer for answer in undecided.answers if answer.word == chosen), None)
        if found is not None and found.flags:
            services.note(f"Settled by {found.flags}")
        return found

    return ask


def reading_shown(services: Services, file: Path) -> Callable[[str, int | None], AbstractContextManager[Progress]]:
    """How far each stage of reading a file is."""
    return lambda stage, total: services.progress(f"reading {file.name}" if stage == "reading" else stage, total)
