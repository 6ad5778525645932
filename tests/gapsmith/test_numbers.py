"""Numbers that people give: refused at every door where they are none or cannot be meant, by the name they were given under."""

from __future__ import annotations

import inspect
import shlex
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gapsmith.app.cli.numbers import GivenNumber
from gapsmith.app.settings import Settings, load_settings
from gapsmith.prompts import Order
from gapsmith.scoring.lm.opening import EngineOptions
from gapsmith.templates import numbers
from gapsmith.templates.errors import ConfigError
from gapsmith.templates.numbers import RealNumber, WholeNumber, ranges_of
from gapsmith.vetting.judges import JudgeOrder
from tests.conftest import CommandOutcome
from tests.gapsmith.walking import commands, functions

pytestmark = pytest.mark.fast

Run = Callable[..., CommandOutcome]
Range = WholeNumber | RealNumber

NUMERIC = ("int", "float")
NO_NUMBERS = ("nan", "inf", "-inf", "1e999", "-1e999", "9" * 5_000, "many", "", "True", "0x10")


def beyond(allowed: Range) -> list[str]:
    """Texts that are no number of this range, however they look."""
    found = [*NO_NUMBERS, repr(allowed.low - 1)]
    if isinstance(allowed, WholeNumber):
        return [*found, str(allowed.high + 1), "1.5"]
    if allowed.above:
        found.append(repr(allowed.low))
    if allowed.high < 1e300:
        found += [repr(allowed.high * 2), *([repr(allowed.high)] if allowed.below else [])]
    return found


def parameters() -> list[tuple[str, Any]]:
    return [(name, parameter) for name, command in commands().items() for parameter in command.params]


def annotated(parameter: Any) -> str:
    """The type of an option or argument, whichever way the library keeps it."""
    descriptor = getattr(parameter, "type_descriptor", None)
    kind = descriptor.annotation if descriptor is not None else parameter.type
    return str(getattr(kind, "__name__", kind) if not getattr(kind, "__args__", ()) else kind.__args__[0].__name__)


def reader_of(parameter: Any) -> Any:
    descriptor = getattr(parameter, "type_descriptor", None)
    return descriptor.parameter_info.parser if descriptor is not None else getattr(parameter.type, "func", None)


RANGED = [(name, own) for name, own in parameters() if isinstance(reader_of(own), GivenNumber)]


def test_every_number_on_the_command_line_says_its_range() -> None:
    numeric = [(name, own) for name, own in parameters() if annotated(own) in ("int", "float", "integer")]
    without = [f"{name} {own.opts}" for name, own in numeric if not isinstance(reader_of(own), GivenNumber)]
    assert not without, "declare them with typer.Option(parser=given(RANGE))"
    assert len(RANGED) > 40


@pytest.mark.parametrize(("name", "parameter"), RANGED, ids=[f"{name} {own.opts[0]}" for name, own in RANGED])
def test_an_option_refuses_what_is_no_number_of_its_range(gapsmith: Run, name: str, parameter: Any) -> None:
    allowed = reader_of(parameter).allowed
    option = max(parameter.opts, key=len)
    for text in ("nan", "inf", "-inf", "9" * 5_000, beyond(allowed)[-1]):
        words = [f"{option}={text}"] if option.startswith("--") else [option, text]
        if not option.startswith("-"):
            words = ["--", text]
        done = gapsmith(*shlex.split(name), *words)
        assert done.code == 2, (text, done.err)
        said = " ".join(done.err.split())
        assert str(allowed) in said, said
        assert (option if option.startswith("-") else "RUN") in said
    assert not list(Path().iterdir()), "nothing is made by a command that is refused"


@given(text=st.one_of(st.text(), st.floats().map(repr), st.integers().map(str)))
def test_whatever_is_typed_is_a_number_of_the_range_or_refused(text: str) -> None:
    for allowed in (numbers.DOLLARS, numbers.PART, numbers.COUNT, numbers.SEED, numbers.TOP_P):
        refused = ""
        number: float = allowed.high
        try:
            number = allowed.read(text, "--x")
        except ConfigError as error:
            refused = str(error)
        assert allowed.low <= number <= allowed.high
        assert not refused or (refused.startswith("--x: ") and refused.endswith(str(allowed)) and len(refused) < 250)


SETTINGS = ranges_of(Settings.__annotations__, vars(inspect.getmodule(Settings)))


def test_every_number_of_the_settings_says_its_range() -> None:
    # A table of numbers is read by its own names and ranges (tests/gapsmith/test_boundary.py).
    numeric = {entry.name for entry in fields(Settings) if any(kind in str(entry.type) for kind in NUMERIC)} - {"limits"}
    assert numeric == set(SETTINGS)


@pytest.mark.parametrize("name", SETTINGS)
def test_a_setting_refuses_what_is_no_number_of_its_range(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    allowed = SETTINGS[name]
    file = tmp_path / "gapsmith.toml"
    for text in [text for text in beyond(allowed) if text not in ("", "many", "True", "0x10", "1e999", "-1e999")]:
        # TOML itself is in the way of some of them; the line is said then.
        file.write_text(f"{name} = {text}\n", encoding="utf-8")
        with pytest.raises(ConfigError, match=r"gapsmith\.toml") as caught:
            load_settings(file)
        assert str(allowed) in str(caught.value) or "digits" in str(caught.value)
        for said in (f'"{text}"', "true"):
            file.write_text(f"{name} = {said}\n", encoding="utf-8")
            with pytest.raises(ConfigError, match=name):
                load_settings(file)
        file.unlink()
        monkeypatch.setenv(f"GAPSMITH_{name.upper()}", text)
        with pytest.raises(ConfigError, match=f"GAPSMITH_{name.upper()}: ") as caught:
            load_settings()
        assert str(allowed) in str(caught.value)
        monkeypatch.delenv(f"GAPSMITH_{name.upper()}")


def _annotations(what: Any) -> Mapping[str, Any]:
    if is_dataclass(what):
        return {entry.name: entry.type for entry in fields(what)}
    return getattr(what, "__annotations__", {}) if inspect.isfunction(what) else {}


RECORDS = (Order, JudgeOrder, EngineOptions)
"""What the functions hand on; whoever makes one by hand is held to the same."""

NUMBERED = {
    **{name: what for name, what in functions().items() if name != "gapsmith.open_engine"},
    **{f"{record.__module__}.{record.__name__}": record for record in RECORDS},
}
"""`open_engine` hands its numbers on to `EngineOptions`, which is walked here."""

UNRANGED = {
    "gapsmith.ItemFilter": {"ids"},
    "gapsmith.Request": {"spans"},
    "gapsmith.Paradigm": {"version"},
}
"""Numbers that are no limits: rows of a bank and characters of a text, which are looked up, and what a file calls its version."""


def test_every_number_of_a_function_or_record_says_its_range() -> None:
    for name, what in NUMBERED.items():
        said = _annotations(what)
        ranges = ranges_of(said, vars(inspect.getmodule(what))) if said else {}
        numeric = {
            key
            for key, kind in said.items()
            if key != "return" and any(part in str(kind).replace("[", " ").replace(",", " ").split() for part in NUMERIC)
        }
        assert numeric - UNRANGED.get(name, set()) == set(ranges), name


CASES = [
    (name, what, key, allowed)
    for name, what in NUMBERED.items()
    if (said := _annotations(what))
    for key, allowed in ranges_of(said, vars(inspect.getmodule(what))).items()
]


@pytest.mark.parametrize(("name", "what", "key", "allowed"), CASES, ids=[f"{name}-{key}" for name, _, key, _ in CASES])
def test_a_function_refuses_what_is_no_number_of_its_range(name: str, what: Any, key: str, allowed: Range) -> None:
    wrong: list[object] = [float("nan"), float("inf"), float("-inf"), 10**5_000, True, "5", allowed.low - 1]
    if isinstance(allowed, WholeNumber):
        wrong += [allowed.high + 1, 1.5]
    known = inspect.signature(what).parameters
    needed = {"source": None, "paradigm": "lan_pg", "run": 1, "file": "items.csv", "type": "unrelated", "lengths": 20}
    lacking = [name for name in known if known[name].default is inspect.Parameter.empty and name != key]
    given_ = {"paradigm": None} if what is Order else {name: needed.get(name, "x") for name in lacking}
    for value in wrong:
        with pytest.raises(ConfigError) as caught:
            what(**{**given_, key: value})
        assert key in str(caught.value)
        assert str(allowed) in str(caught.value)


def test_an_engine_refuses_a_size_that_is_none() -> None:
    from gapsmith.scoring.lm import open_engine

    for wrong in (0, -1, float("nan"), 2.5, True):
        with pytest.raises(ConfigError, match=r"batch_size: .* is not a whole number from 1"):
            open_engine("bundled", batch_size=wrong)  # type: ignore[arg-type]  # as callers without a type checker do


def test_lengths_are_numbers(gapsmith: Run) -> None:
    for text in ("20,nan", "-5", "0", "9" * 5_000, ""):
        done = gapsmith("context", "draw", "c", "--type", "unrelated", f"--lengths={text}", "--all", "--model", "bundled")
        assert done.code == 2
        assert "--lengths: " in done.err
