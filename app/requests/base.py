"""The only place that says what a request is: a frozen record of what somebody asked a stage for, and what its fields can be.

A field says its type, range, default, help and the setting behind it; the command line, the functions of ``import gapsmith``
and study files are made from that and take the same names. A request holds plain data: text, numbers, paths, and tuples and
mappings of these. What lives (engines, providers, progress bars) is passed beside it, as `gapsmith.app.services.Services`.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import re
import typing
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from enum import Enum
from functools import cache
from pathlib import Path
from types import MappingProxyType, UnionType
from typing import Annotated, Any, ClassVar, Final, Literal, Self, TypeVar, Union

from gapsmith.templates import ConfigError, RealNumber, WholeNumber, in_place, newer_needed, no_such, read_toml
from gapsmith.templates import shown as shown_number

VERSION = 1
"""Of what requests are as data; a file of a later one is refused."""


class Unset(Enum):
    """That nothing was said: the setting behind the field holds, else what the stage usually does. It is not None."""

    UNSET = "unset"

    def __bool__(self) -> Literal[False]:
        return False

    def __repr__(self) -> str:
        return "UNSET"


UNSET: Final = Unset.UNSET
T = TypeVar("T")
R = TypeVar("R", bound="StageRequest")


def said(value: T | Unset, otherwise: T) -> T:
    """What was said, else the other value."""
    return otherwise if isinstance(value, Unset) else value


def said_or_none(value: T | Unset) -> T | None:
    """What was said; None where nothing was."""
    return None if isinstance(value, Unset) else value


@dataclass(frozen=True, slots=True)
class Option:
    """What there is to say of a field beside its name and type."""

    help: str
    flags: tuple[str, ...] = ()
    """As the command line has it; ``--NAME`` where nothing is said."""
    setting: str | None = None
    """The field of `gapsmith.app.settings.Settings` that holds where nothing was said."""
    usual: str = ""
    """What holds where neither says anything, in words."""
    unit: str = ""
    metavar: str | None = None
    panel: str | None = None
    """The heading of ``--help`` under which it stands."""
    argument: bool = False
    """Whether the command line takes it by its place, without a flag."""
    pattern: str = ""
    """What a text has to look like, as a regular expression; `usual` or the help says it in words."""
    words: tuple[str, ...] = ()
    """The only values that there are."""
    commas: bool = False
    """Whether one may type several values with commas between them."""
    only_typed: str = ""
    """Why only the command line has it: it says how something is printed, or asks somebody at a terminal."""


def option(help: str, *flags: str, default: Any = UNSET, **more: Any) -> Any:
    """A field of a request, with what there is to say of it (`Option`)."""
    metadata = {"option": Option(help, flags, **more)}
    # A mapping cannot be hashed, which a default has to be.
    return (
        field(default_factory=lambda: default, metadata=metadata) if default == {} else field(default=default, metadata=metadata)
    )


def needed(help: str, *flags: str, **more: Any) -> Any:
    """A field that somebody has to fill."""
    return field(metadata={"option": Option(help, flags, **more)})


@dataclass(frozen=True, slots=True)
class RequestField:
    """A field of a request, as all doors see it."""

    name: str
    kind: type
    """bool, int, float, str or Path: of the value, or of each of several."""
    many: bool
    """Whether it is a tuple of these."""
    pairs: bool
    """Whether it is a mapping of names to texts."""
    optional: bool
    """Whether None is a value: that there shall be none, whatever a setting says. The word for it is ``none``."""
    range: WholeNumber | RealNumber | None
    default: Any
    option: Option

    @property
    def needed(self) -> bool:
        """Whether it has to be said."""
        return self.default is dataclasses.MISSING

    @property
    def flags(self) -> tuple[str, ...]:
        """As the command line has it."""
        if self.option.flags or self.option.argument:
            return self.option.flags
        own = f"--{self.name.replace('_', '-')}"
        return (f"{own}/--no-{own[2:]}",) if self.kind is bool and self.default is not False else (own,)

    @property
    def shown(self) -> str:
        """What a person calls it who types it."""
        return next((flag.partition("/")[0] for flag in self.flags if flag.startswith("--")), (*self.flags, self.name)[0])

    def read(self, value: object, label: str) -> Any:
        """The value of the field that was given under that label. Raises `ConfigError`."""
        if value is UNSET and not self.needed:
            return self.default
        if value is None:
            if self.optional:
                return None
            raise ConfigError(f"{label}: None is no value", hint="Leave it out, and the setting or the usual value holds.")
        if self.pairs:
            return MappingProxyType(self._pairs(value, label))
        if not self.many:
            return self._one(value, label)
        if isinstance(value, str | os.PathLike | Mapping) or not isinstance(value, Iterable):
            value = (value,)
        return tuple(dict.fromkeys(self._one(part, label) for part in value))

    def between_commas(self, text: str, label: str) -> list[Any]:
        """The values of a text that somebody typed with commas between them. Raises `ConfigError`."""
        parts = [part.strip() for part in text.split(",")]
        return [self.range.read(part, label) for part in parts] if self.range is not None else [part for part in parts if part]

    def _pairs(self, value: object, label: str) -> dict[str, str]:
        if isinstance(value, Mapping):
            return {str(name): str(own) for name, own in value.items()}
        found: dict[str, str] = {}
        if not isinstance(value, Iterable):
            raise ConfigError(f"{label} {value!r} is not NAME=VALUE", hint=f"For instance {label} depth=2.")
        for part in (value,) if isinstance(value, str) else value:
            name, equals, own = str(part).partition("=")
            if not equals or not name.strip():
                raise ConfigError(f"{label} {str(part)!r} is not NAME=VALUE", hint=f"For instance {label} depth=2.")
            if found.get(name.strip(), own.strip()) != own.strip():
                raise ConfigError(f"{label}: {name.strip()} is given twice, with other values")
            found[name.strip()] = own.strip()
        return found

    def _one(self, value: object, label: str) -> Any:
        if self.optional and value == "none":
            return None
        if self.range is not None:
            if isinstance(value, str):
                raise ConfigError(f"{label}: the text {shown_number(value)!r} is not {self.range}")
            number = self.range.read(value, label)
            return int(number) if self.kind is int else number
        if self.kind is Path and isinstance(value, str | os.PathLike):
            if self.name == "out" and os.fspath(value) == "-":
                raise ConfigError(
                    f"{label}: - is not read as standard output",
                    hint=f"Leave --out out, or name another path. --out is: {self.option.help}",
                )
            if not self.option.argument and os.fspath(value) == "-":
                raise ConfigError(
                    f"{label}: - is neither standard input nor standard output here",
                    hint=f"Name a path, such as ./-, if that is what the file is called. {label} is: {self.option.help}",
                )
            return Path(value)
        if self.kind is str and isinstance(value, Enum) and isinstance(value.value, str):
            value = value.value
        if not isinstance(value, self.kind):
            kind = {bool: "true or false", str: "a text", Path: "a path"}.get(self.kind, f"a {self.kind.__name__}")
            raise ConfigError(f"{label}: {shown_number(value)} is not {kind}")
        if self.option.pattern and re.fullmatch(self.option.pattern, str(value)) is None:
            raise ConfigError(f"{label}: {value!r} is not one that can be", hint=self.option.help)
        if self.option.words:
            word = str(value).strip().casefold()
            if word not in self.option.words:
                raise no_such(f"{label}: there is no {value!r}", "There are", str(value), self.option.words)
            return word
        return value


@dataclass(frozen=True, kw_only=True)
class StageRequest:
    """What a stage was asked for. Every field has been read and is of its type; raises `ConfigError` otherwise."""

    stage: ClassVar[str]
    """What it is called at every door."""
    examples: ClassVar[tuple[str, ...]] = ()
    """Commands that ask for something."""
    from_file: frozenset[str] = field(default=frozenset(), repr=False, compare=False)
    """The fields that a file has said and nobody here: a file may be somebody else's, and agrees to nothing in the name of whoever
    has the keys."""

    def __post_init__(self) -> None:
        for entry in entries(type(self)):
            object.__setattr__(self, entry.name, entry.read(getattr(self, entry.name), entry.name))
        self.check()

    def check(self) -> None:
        """Refuse what does not go together. Raises `ConfigError`."""

    @classmethod
    def of(cls, given: Mapping[str, object], where: str = "") -> Self:
        """The request that a file (`where`) or a command line asks for. Raises `ConfigError` for a name that is no field, with the
        place."""
        known = {entry.name: entry for entry in entries(cls)}
        for name in given:
            if name not in known:
                raise no_such(f"{where}{': ' if where else ''}{cls.stage} has no {name!r}", "It has", name, known, place=(name,))
        lacking = [name for name, entry in known.items() if entry.needed and given.get(name, UNSET) is UNSET]
        if lacking:
            raise ConfigError(f"{where}{': ' if where else ''}{cls.stage} needs {', '.join(lacking)}")
        read = {}
        for name, value in given.items():
            with in_place(name):
                read[name] = known[name].read(value, f"{where}: {name}" if where else name)
        return cls(**read, from_file=frozenset(read) if where else frozenset())

    def given(self) -> dict[str, Any]:
        """What was asked for other than the defaults, as plain data, in the order of the fields."""
        found = {}
        for entry in entries(type(self)):
            value = getattr(self, entry.name)
            if value != entry.default and not entry.option.only_typed:
                found[entry.name] = _plain(value)
        return found

    def as_data(self) -> dict[str, Any]:
        """The request as JSON and TOML take it, with the stage and the version; `request_from` reads it."""
        return {"stage": self.stage, "version": VERSION, **self.given()}

    @property
    def digest(self) -> str:
        """16 hexadecimal digits that are equal for equal requests; results carry them."""
        text = json.dumps(self.as_data(), sort_keys=True, ensure_ascii=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @property
    def mark(self) -> dict[str, Any]:
        """What results say of the request: stage, version and digest."""
        return {"stage": self.stage, "version": VERSION, "digest": self.digest}

    def stamp(self, environment: Mapping[str, str]) -> dict[str, Any]:
        """What a bank keeps of the request with all that is stored by it: its mark, and the whole of it as TOML, without the keys
        of the environment and what looks like one: a request that is refused in the end may have had one in an address."""
        from gapsmith.prompts import keys_in, scrub

        return {**self.mark, "toml": scrub(self.to_toml(), keys_in(environment))}

    def to_toml(self) -> str:
        """The request as a TOML document, without loss."""
        return "".join(f"{name} = {toml_value(value)}\n" for name, value in self.as_data().items())

    @classmethod
    def from_toml(cls, text: str, where: str = "") -> Self:
        """The request that a TOML document holds. Raises `ConfigError`."""
        from gapsmith.templates import DocumentError

        try:
            found = dict(read_toml(text))
        except DocumentError as error:
            raise ConfigError(f"{where or 'the request'}: is no TOML ({error})") from None
        return cls.of(opened(found, cls.stage, where), where or "the request")


def opened(found: Mapping[str, Any], stage: str, where: str = "") -> dict[str, Any]:
    """The fields of a request as data, without its stage and version. Raises `ConfigError` for another stage or a later version."""
    place = f"{where}: " if where else ""
    if found.get("stage", stage) != stage:
        raise ConfigError(f"{place}is a request for {found['stage']!r}, not for {stage!r}")
    version = found.get("version", VERSION)
    if version != VERSION:
        raise ConfigError(f"{place}has version {version!r}", hint=f"Version {VERSION} is read. {newer_needed()}")
    return {name: value for name, value in found.items() if name not in ("stage", "version")}


def entries(kind: type[StageRequest]) -> tuple[RequestField, ...]:
    """The fields of a kind of request."""
    asked: Any = kind
    return _entries(asked)


@cache
def _entries(kind: Any) -> tuple[RequestField, ...]:
    hints = typing.get_type_hints(kind, include_extras=True)
    return tuple(_entry(own, hints[own.name]) for own in fields(kind) if "option" in own.metadata)


def _entry(own: dataclasses.Field[Any], hint: Any) -> RequestField:
    allowed = None
    if typing.get_origin(hint) is Annotated:
        hint, *marks = typing.get_args(hint)
        allowed = next((mark for mark in marks if isinstance(mark, WholeNumber | RealNumber)), None)
    parts = typing.get_args(hint) if typing.get_origin(hint) in (Union, UnionType) else (hint,)
    optional = type(None) in parts
    (value,) = [part for part in parts if part not in (type(None), Unset)]
    many = typing.get_origin(value) is tuple
    pairs = typing.get_origin(value) is Mapping
    inner = str if pairs else typing.get_args(value)[0] if many else value
    if typing.get_origin(inner) is Annotated:
        inner, *marks = typing.get_args(inner)
        allowed = next(mark for mark in marks if isinstance(mark, WholeNumber | RealNumber))
    if inner not in (bool, int, float, str, Path):
        raise TypeError(f"{own.name}: a request holds plain data, and no {inner}")
    if inner in (int, float) and allowed is None:
        raise TypeError(f"{own.name}: say which numbers it may be")
    default = own.default_factory() if own.default_factory is not dataclasses.MISSING else own.default
    return RequestField(own.name, inner, many, pairs, optional, allowed, default, own.metadata["option"])


def _plain(value: Any) -> Any:
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    if isinstance(value, Mapping):
        return dict(value)
    return "none" if value is None else value


def toml_value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        # What JSON escapes, TOML escapes alike; but it wants the one character escaped that JSON leaves alone.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, list):
        return f"[{', '.join(map(toml_value, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{toml_value(name)} = {toml_value(own)}" for name, own in value.items()) + "}"
    return repr(value)
