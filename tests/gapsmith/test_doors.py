"""One door: what a stage can be asked is an option of its command, a keyword of its function and a key of files, from one line."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, ClassVar

import pytest

import gapsmith as api
from gapsmith.app.requests.base import UNSET, RequestField, StageRequest, Unset, entries, option
from gapsmith.app.stages.catalogue import STAGES, Stage, own_name
from gapsmith.templates import ConfigError
from tests.conftest import CommandOutcome
from tests.gapsmith.walking import commands
from tests.rooms import ROOT
from tools import doors

Run = Callable[..., CommandOutcome]
ONE_OF: dict[str, dict[str, Any]] = {"decide": {"policy": "clean"}, "train audit": {"out": "sheet.csv"}}
"""What a stage wants said at least, beside what every request of its kind needs."""
PRINTED = {"workspace": "where", "as_json": "how it is printed"}
"""Options that every command has beside the fields of its request."""


def test_what_is_checked_in_is_what_the_requests_make() -> None:
    wanted = doors.files()
    assert {path: path.read_text(encoding="utf-8") for path in wanted} == wanted
    assert {*doors.MADE.glob("*.py"), doors.FUNCTIONS} == set(wanted)


@pytest.mark.parametrize("name", STAGES)
def test_fields_are_options_and_keywords(name: str) -> None:
    stage = STAGES[name]
    fields = {entry.name for entry in entries(stage.request_type())}
    if stage.command:
        options = {own.name for own in commands()[name].params} - {"help"}
        assert options == fields | set(PRINTED) - (set() if stage.source else {"workspace"})
    if stage.python != "-":
        function = getattr(api, stage.python or own_name(name))
        keywords = set(inspect.signature(function).parameters) - {"source", "services"}
        assert keywords == {entry.name for entry in entries(stage.request_type()) if not entry.option.only_typed}


@pytest.mark.parametrize("name", STAGES)
def test_what_has_a_length_is_walked_and_indexed(name: str) -> None:
    module, _, kind = STAGES[name].returns.partition(":")
    if not module.startswith("pandas"):
        found = getattr(import_module(f"gapsmith.{module}"), kind)
        said = {own for own in ("__len__", "__iter__", "__getitem__") if hasattr(found, own)}
        assert "__len__" not in said or len(said) == 3, said


@pytest.mark.parametrize("name", STAGES)
def test_a_hyphen_is_no_name_of_what_is_written(name: str) -> None:
    for entry in entries(STAGES[name].request_type()):
        if entry.name == "out":
            for given in ("-", Path("-")):
                with pytest.raises(ConfigError, match="out: - is not read as standard output"):
                    entry.read(given, "out")
        elif entry.kind is Path and not entry.option.argument:
            with pytest.raises(ConfigError, match="- is neither standard input nor standard output"):
                entry.read("-", entry.name)


@pytest.mark.parametrize("name", STAGES)
def test_a_request_is_plain_data_and_comes_back_from_toml(name: str) -> None:
    kind = STAGES[name].request_type()
    assert kind.stage == name
    asked = {entry.name: _some(entry) for entry in entries(kind) if not entry.option.only_typed}
    try:
        request = kind.of(asked)
    except ConfigError:
        # Not everything goes together.
        least = ONE_OF.get(name, {})
        request = kind.of({entry.name: asked[entry.name] for entry in entries(kind) if entry.needed} | least)
    assert kind.from_toml(request.to_toml()) == request
    assert kind.from_toml(request.to_toml()).digest == request.digest
    with pytest.raises(ConfigError, match=f"asked.toml: {name} has no 'modle'"):
        kind.of({"modle": 1}, "asked.toml")


def _some(entry: RequestField) -> Any:
    if entry.pairs:
        return {"depth": '2"\n\x7f'}
    if entry.option.words:
        value: Any = entry.option.words[-1]
    elif entry.option.pattern:
        value = entry.option.pattern.partition("|")[0]
    elif entry.range is not None:
        value = next(number for number in (1, 20, 0.5) if _is_in(entry, number))
    else:
        value = {bool: True, str: 'ä"\\\n', Path: Path("a b")}[entry.kind]
    return (value,) if entry.many else value


def _is_in(entry: RequestField, number: float) -> bool:
    try:
        entry.read(number, entry.name)
    except ConfigError:
        return False
    return True


@pytest.mark.parametrize("name", [name for name, stage in STAGES.items() if stage.command])
def test_an_option_that_takes_one_value_is_not_said_twice(name: str, gapsmith: Run) -> None:
    kind = STAGES[name].request_type()
    for entry in entries(kind):
        if entry.many or entry.pairs or entry.kind is bool or entry.option.argument:
            continue
        value = str(_some(entry) if entry.kind is not Path else "a")
        done = gapsmith(*name.split(), *_needed(kind), entry.shown, value, entry.shown, value)
        assert (done.code, "is given twice" in done.err) == (2, True), (entry.name, done.err)


def _needed(kind: type[StageRequest]) -> list[str]:
    return [str(_some(entry)) for entry in entries(kind) if entry.option.argument and entry.needed]


def test_nothing_said_is_not_none() -> None:
    kind = STAGES["score"].request_type()
    assert kind.of({}).given() == {}
    assert getattr(kind.of({}), "dtype") is UNSET  # noqa: B009 - a field by its name
    with pytest.raises(ConfigError, match="None is no value"):
        kind.of({"dtype": None})


@dataclass(frozen=True, kw_only=True)
class Made(StageRequest):
    """Do nothing."""

    stage: ClassVar[str] = "made-up"
    colour: str | Unset = option("The colour of nothing.")


def test_a_made_up_option_appears_everywhere_by_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    module = sys.modules[__name__]
    monkeypatch.setitem(sys.modules, "gapsmith.app.requests.made_up", module)
    monkeypatch.setitem(sys.modules, "gapsmith.app.stages.made_up", module)
    stage = Stage("made_up:Made", "made_up:_carry_out", "app.analyzed:Analyzed")
    monkeypatch.setattr(doors, "STAGES", {"made-up": stage})
    command = doors.formatted(doors.command_module("made-up", stage))
    assert 'typer.Option("--colour", help="The colour of nothing.", show_default=False)' in command
    function = doors.formatted(doors.functions_module())
    assert "colour: str | Unset = UNSET" in function
    assert "colour: The colour of nothing." in function
    assert Made.from_toml('colour = "red"').given() == {"colour": "red"}


def _carry_out(_source: object, _request: Made, _services: object) -> None:
    """Nothing."""


def test_requests_hold_no_live_objects() -> None:
    files = sorted((ROOT / "app" / "requests").glob("*.py"))
    assert files
    for name in STAGES:
        for entry in entries(STAGES[name].request_type()):
            assert entry.kind in (bool, int, float, str, Path), (name, entry.name)
