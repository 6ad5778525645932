"""Every key of the review screens: what it does, where, and how a file changes it. Help and footer are made from this.

# keys.toml, in the workspace or beside the user's settings
accept = "y"
exclude = ["x", "delete"]
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textual.binding import Binding
from textual.keys import Keys

from templates.errors import ConfigError

__all__ = ["COMMANDS", "Command", "bindings", "changed_keys", "collisions", "key_label", "load_keys"]


@dataclass(frozen=True, slots=True)
class Command:
    """Something that a key does. `name` is what ``keys.toml`` calls it."""

    name: str
    keys: tuple[str, ...]
    title: str
    help: str
    places: tuple[str, ...]
    """Where it works: ``item``, ``queue``."""
    footer: tuple[str, ...] = ()
    """Where the line at the bottom names it."""


_BOTH = ("item", "queue")
COMMANDS: tuple[Command, ...] = (
    Command("accept", ("a",), "accept", "Accept the item and go to the next undecided one.", _BOTH, footer=_BOTH),
    Command("exclude", ("x",), "exclude", "Exclude the item, for a reason from the list.", _BOTH, footer=_BOTH),
    Command("flag", ("f",), "flag", "Flag the item for a second look.", _BOTH, footer=_BOTH),
    Command("skip", ("space",), "skip", "Go to the next item without deciding.", ("item",)),
    Command("undo", ("backspace",), "undo", "Take back what you did last, as often as you like.", _BOTH, footer=_BOTH),
    Command("redo", ("U", "ctrl+r"), "redo", "Do again what you took back.", _BOTH),
    Command(
        "edit", ("e",), "edit", "Change the words in the slots; all sentences follow.", ("item",), footer=("item",)
    ),
    Command("edit_sentence", ("E",), "edit sentence", "Change the selected sentence only.", ("item",)),
    Command("comment", ("c",), "note", "Write a remark.", _BOTH, footer=_BOTH),
    Command("why", ("w",), "why", "Why is this here: run, prompt, raw reply, edits.", ("item",)),
    Command("judge_ok", ("o",), "judge ok", "Judge the selected sentence ok and select the next.", ("item",)),
    Command("judge_questionable", ("?",), "judge ?", "Judge the selected sentence questionable.", ("item",)),
    Command("judge_star", ("*", "s"), "judge *", "Judge the selected sentence bad.", ("item",)),
    Command("parse", ("p",), "parse", "Show the parse of the selected sentence.", ("item",)),
    Command("protocol", ("t",), "protocol", "Show or hide the questions to ask of every item.", ("item",)),
    Command("whole", ("z",), "wrap sentences", "Show all sentences in full instead of aligned.", ("item",)),
    Command("queue", ("g",), "queue", "Go to the queue.", ("item",), footer=("item",)),
    Command("open", ("enter", "g"), "open", "Open the item.", ("queue",), footer=("queue",)),
    Command("back", ("escape",), "back", "From the item to the queue; in the queue, clear the filter.", _BOTH),
    Command("next", ("j",), "next", "Go to the next item.", _BOTH),
    Command("previous", ("k",), "previous", "Go to the previous item.", _BOTH),
    Command("next_undecided", ("n",), "undecided", "Go to the next undecided item.", _BOTH),
    Command("row_down", ("down",), "row down", "Select the next sentence.", ("item",)),
    Command("row_up", ("up",), "row up", "Select the previous sentence.", ("item",)),
    Command("search", ("/",), "search", "Narrow the queue by words and filters.", _BOTH, footer=("queue",)),
    Command("sort", ("s",), "sort", "Read the queue in another order; one of them is random.", ("queue",)),
    Command("accept_all", ("A",), "accept all", "Accept every item of the filtered queue.", ("queue",)),
    Command("exclude_all", ("X",), "exclude all", "Exclude every item of the filtered queue.", ("queue",)),
    Command("flag_all", ("F",), "flag all", "Flag every item of the filtered queue.", ("queue",)),
    Command("annotators", ("i",), "annotators", "Who decided how much, who has locked, agreement.", _BOTH),
    Command(
        "peek",
        ("v",),
        "look at others and scores",
        "See what others say, and scores; on record before you lock.",
        ("item",),
    ),
    Command("lock", ("L",), "lock", "Declare your decisions final, and see the others'.", _BOTH),
    Command("copy", ("y",), "copy", "Copy the item to the clipboard.", ("item",)),
    Command("write", ("Y",), "write to file", "Write the item to a file in the workspace.", ("item",)),
    Command("help", ("f1", "h"), "help", "Explain the panel that has the focus, and the keys.", _BOTH, footer=_BOTH),
    Command("quit", ("ctrl+q",), "leave", "Leave. Everything is saved already.", _BOTH, footer=_BOTH),
)
_BY_NAME = {command.name: command for command in COMMANDS}
_FIXED = {
    "item": ("tab", "shift+tab", "ctrl+p", "ctrl+c", *"123456789"),
    "queue": ("tab", "shift+tab", "ctrl+p", "ctrl+c", "up", "down", "pageup", "pagedown", "home", "end"),
}
"""Keys that mean something of their own in each place and cannot be given away."""
_UNSAFE = ("ctrl+enter", "ctrl+j", "ctrl+m", "ctrl+i", "ctrl+h", "ctrl+[")
_NAMED = {key.value for key in Keys} | {"space", "backspace", "enter", "escape", "delete", "insert"}


def load_keys(paths: Sequence[Path]) -> dict[str, tuple[str, ...]]:
    """The keys of every command, by name, with the files' changes, the later file winning.

    Raises `ConfigError` naming the file for an unknown command or key, a key that terminals do not pass on, or two
    commands on one key in the same place."""
    keys = {command.name: command.keys for command in COMMANDS}
    for path in paths:
        if not path.is_file():
            continue
        try:
            values = tomllib.loads(path.read_text(encoding="utf-8-sig"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise ConfigError(f"{path}: cannot be read as TOML ({error})") from None
        for name, value in values.items():
            if name not in _BY_NAME:
                close = difflib.get_close_matches(name, _BY_NAME, n=1)
                guess = f"Did you mean {close[0]}? " if close else ""
                raise ConfigError(
                    f"{path}: there is no command {name!r}", hint=f"{guess}There are: {', '.join(_BY_NAME)}."
                )
            keys[name] = _keys(value, f"{path}: {name}")
        for place, key, names in collisions(keys):
            raise ConfigError(
                f"{path}: the key {key} would be {' and '.join(names)} at once in the {place}",
                hint="Give one of them another key in this file.",
            )
    return keys


def _keys(value: Any, where: str) -> tuple[str, ...]:
    keys = [value] if isinstance(value, str) else value
    if not isinstance(keys, list) or not keys or not all(isinstance(key, str) for key in keys):
        raise ConfigError(f"{where} should be a key or a list of keys", hint='For example: accept = ["a", "y"]')
    for key in keys:
        if key in _UNSAFE or key.startswith("ctrl+shift+"):
            raise ConfigError(f"{where}: many terminals do not pass {key} on", hint="Take a plain letter.")
        if not _exists(key):
            raise ConfigError(f"{where}: there is no key {key!r}", hint="For example: y, space, f2, ctrl+t, delete.")
    return tuple(keys)


def _exists(key: str) -> bool:
    if len(key) == 1:
        return key.isprintable()
    *modifiers, base = key.split("+")
    return {*modifiers} <= {"ctrl", "alt", "shift"} and (base in _NAMED or (bool(modifiers) and len(base) == 1))


def collisions(keys: Mapping[str, Sequence[str]]) -> list[tuple[str, str, tuple[str, ...]]]:
    """Keys that would do two things in one place: (place, key, command names)."""
    found = []
    for place in _BOTH:
        owners: dict[str, list[str]] = {key: ["a fixed key"] for key in _FIXED[place]}
        for command in COMMANDS:
            if place in command.places:
                for key in keys[command.name]:
                    owners.setdefault(key, []).append(command.name)
        found += [(place, key, tuple(names)) for key, names in owners.items() if len(names) > 1]
    return found


def bindings(place: str, keys: Mapping[str, Sequence[str]]) -> list[Binding]:
    """The bindings of one place."""
    return [
        Binding(
            ",".join(_textual(key) for key in keys[command.name]),
            f"do('{command.name}')",
            command.title,
            show=place in command.footer,
            tooltip=command.help,
            id=f"{place}.{command.name}",
        )
        for command in COMMANDS
        if place in command.places
    ]


def _textual(key: str) -> str:
    # Textual separates keys by commas.
    return "comma" if key == "," else key


def changed_keys(keys: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """What differs from the built-in keys, as Textual's key map asks for it: binding id to keys."""
    return {
        f"{place}.{command.name}": ",".join(_textual(key) for key in keys[command.name])
        for command in COMMANDS
        for place in command.places
        if tuple(keys[command.name]) != command.keys
    }


def key_label(key: str) -> str:
    """A key as people read it."""
    return {"space": "␣", "backspace": "⌫", "escape": "esc", "enter": "⏎", "up": "↑", "down": "↓"}.get(key, key)
