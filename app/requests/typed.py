"""Requests as one types them, and back: the only place that knows both without a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gapsmith.app.requests.base import RequestField, StageRequest, entries
from gapsmith.templates import ConfigError, did_you_mean

_ELSEWHERE = {"-w": True, "--workspace": True, "--json": False}
"""Options that every command has beside its request, and whether a value follows."""


def as_typed(request: StageRequest) -> tuple[str, ...]:
    """The words that ask for it behind the command's name."""
    values, options = [], []
    for entry in entries(type(request)):
        value = getattr(request, entry.name)
        if not entry.needed and value == entry.default:
            continue
        told = _words(entry, value)
        if entry.option.argument:
            values += told
        elif entry.kind is bool and not entry.many:
            on, _, off = entry.flags[0].partition("/")
            options.append(entry.shown if value else off or on)
        else:
            options += [word for own in told for word in (entry.shown, own)]
    return (*values, *options)


def _words(entry: RequestField, value: Any) -> list[str]:
    if isinstance(value, Mapping):
        return [f"{name}={own}" for name, own in value.items()]
    if isinstance(value, tuple):
        told = ["none" if own is None else str(own) for own in value]
        return [",".join(told)] if entry.option.commas else told
    return ["none" if value is None else str(value)]


def read_typed(kind: type[StageRequest], words: Sequence[str], where: str) -> dict[str, Any]:
    """What the words behind a command's name ask for, as a study file would say it. Raises `ConfigError`."""
    known = {flag: (entry, on) for entry in entries(kind) for both in entry.flags for flag, on in _sides(both)}
    places = [entry for entry in entries(kind) if entry.option.argument]
    given: dict[str, Any] = {}
    left = list(words)
    while left:
        word = left.pop(0)
        flag, equals, value = word.partition("=") if word.startswith("--") else (word, "", "")
        if flag in _ELSEWHERE:
            if _ELSEWHERE[flag] and not equals:
                left = left[1:]
        elif flag in known:
            entry, on = known[flag]
            if entry.kind is bool and not entry.many:
                given[entry.name] = on
                continue
            if not equals:
                if not left:
                    raise ConfigError(f"{where}: {flag} needs a value")
                value = left.pop(0)
            _keep(given, entry, value, f"{where}: {flag}")
        elif word.startswith("-") and word != "-":
            raise ConfigError(f"{where}: {kind.stage} has no {word}", hint=did_you_mean(word, known).strip())
        elif not places:
            raise ConfigError(f"{where}: {kind.stage} takes no {word!r}")
        else:
            _keep(given, places[0], word, f"{where}: {places[0].name}")
            places = places if places[0].many else places[1:]
    return given


def _sides(flag: str) -> list[tuple[str, bool]]:
    on, _, off = flag.partition("/")
    return [(on, True), *([(off, False)] if off else [])]


def _keep(given: dict[str, Any], entry: RequestField, text: str, label: str) -> None:
    if entry.pairs:
        name, _, own = text.partition("=")
        given.setdefault(entry.name, {})[name] = own
        return
    if entry.option.commas:
        value = entry.between_commas(text, label)
    else:
        value = [text if entry.range is None else entry.range.read(text, label)]
    if entry.many:
        given.setdefault(entry.name, []).extend(value)
    else:
        given[entry.name] = value[0]


def as_table(name: str, given: Mapping[str, Any]) -> str:
    """What `given` asks of a stage, as a study file says it."""
    from gapsmith.app.requests.base import toml_value

    heading = ".".join(name.split())
    return "\n".join([f"[step.{heading}]", *(f"{key} = {toml_value(_plain(value))}" for key, value in given.items())])


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Path) else value
