"""Every key of the review screens: what it does, where, and how a file changes it. Help and footer are made from this.

# keys.toml, in the workspace or beside the user's settings
approve = "y"
exclude = ["x", "delete"]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from textual.binding import Binding
from textual.keys import Keys

from gapsmith.templates import ConfigError, did_you_mean, in_place, made_of, no_such, text_of


@dataclass(frozen=True, slots=True)
class KeyCommand:
    """Something that a key does. `name` is what ``keys.toml`` calls it."""

    name: str
    keys: tuple[str, ...]
    title: str
    help: str
    places: tuple[str, ...]
    """Where it works, see `PLACES`."""
    short: str = ""
    """What the line at the bottom calls it, where its title is too long for that."""


PLACES: Mapping[str, str] = {
    "item": "an item",
    "triage": "triage",
    "queue": "the queue",
    "group": "the preview of a decision on many items",
}
"""The places that have keys of their own, and what each is called."""
_ALL = ("item", "triage", "queue")
_ITEM = ("item",)
_QUEUE = ("queue",)
_CARDS = ("item", "triage")
_VERDICTS = ("item", "triage", "group")
COMMANDS: tuple[KeyCommand, ...] = (
    KeyCommand("approve", ("a",), "approve", "Approve the item and go to the next undecided one.", _VERDICTS),
    KeyCommand("exclude", ("x",), "exclude", "Exclude the item, for a reason from the list.", _VERDICTS),
    KeyCommand("flag", ("f",), "flag", "Flag the item for a second look.", _VERDICTS),
    KeyCommand("skip", ("space",), "skip", "Go to the next item without deciding.", _CARDS),
    KeyCommand("undo", ("backspace",), "undo", "Take back what you did last, as often as you like.", _ALL),
    KeyCommand("redo", ("U", "ctrl+r"), "redo", "Do again what you took back.", _ALL),
    KeyCommand("edit", ("e",), "edit", "Change the words in the slots; all sentences follow.", _ITEM),
    KeyCommand("edit_sentence", ("E",), "edit sentence", "Change the selected sentence only.", _ITEM),
    KeyCommand("apply_expected", ("=",), "apply expected", "Write what the slots give instead of the selected sentence.", _ITEM),
    KeyCommand("comment", ("c",), "note", "Write a remark.", _ALL),
    KeyCommand("why", ("w",), "why", "Why is this here: run, prompt, raw reply, edits.", _ITEM),
    KeyCommand("judge_ok", ("o",), "judge ok", "Judge the selected sentence ok and select the next.", _ITEM),
    KeyCommand("judge_questionable", ("m",), "judge ?", "Judge the selected sentence questionable (marginal).", _ITEM),
    KeyCommand("judge_star", ("*",), "judge *", "Judge the selected sentence bad.", _ITEM),
    KeyCommand("parse", ("p",), "parse", "Show the parse of the selected sentence.", _ITEM),
    KeyCommand("parse_rows", ("P",), "parse in the table", "Show or hide role and head under each word of the selected.", _ITEM),
    KeyCommand("protocol", ("t",), "protocol", "Show or hide the questions to ask of every item.", _ITEM),
    KeyCommand("whole", ("z",), "wrap sentences", "Show all sentences in full instead of aligned.", _ITEM),
    KeyCommand("acknowledge", ("enter",), "see the change", "Take note of somebody else's change, and see the new text.", _ITEM),
    KeyCommand(
        "group",
        ("b",),
        "together",
        "Decide at once on all items that share a finding or a word with this one, after a preview.",
        _ALL,
    ),
    KeyCommand("triage", ("G",), "triage", "One compact card per item, for those that are clean.", ("item", "queue")),
    KeyCommand("queue", ("g",), "queue", "Go to the queue.", _CARDS),
    KeyCommand("open", ("enter",), "open", "Open the item.", ("queue", "triage")),
    KeyCommand("back", ("escape",), "back", "To the queue; in the queue, clear the filter.", _ALL),
    KeyCommand("next", ("j",), "next", "Go to the next item.", _ALL),
    KeyCommand("previous", ("k",), "previous", "Go to the previous item.", _ALL),
    KeyCommand("next_undecided", ("n",), "undecided", "Go to the next undecided item.", _ALL),
    KeyCommand("row_down", ("down",), "row down", "Select the next sentence.", _ITEM),
    KeyCommand("row_up", ("up",), "row up", "Select the previous sentence.", _ITEM),
    KeyCommand("search", ("/",), "search", "Narrow the queue by words and filters.", _ALL),
    KeyCommand("sort", ("s",), "sort", "Read the queue in another order; one of them is random.", _QUEUE),
    KeyCommand("approve_all", ("A",), "approve all", "Approve every item of the filtered queue.", _QUEUE),
    KeyCommand("exclude_all", ("X",), "exclude all", "Exclude every item of the filtered queue.", _QUEUE),
    KeyCommand("flag_all", ("F",), "flag all", "Flag every item of the filtered queue.", _QUEUE),
    KeyCommand("look_first", ("a", "x", "f"), "decide", "Open the item: a verdict is about what one has seen.", _QUEUE),
    KeyCommand("annotators", ("i",), "pace and progress", "How far and how fast you are; after locking, the others too.", _ALL),
    KeyCommand(
        "peek",
        ("v",),
        "look at others",
        "See what others say, and scores; on record before you lock.",
        _CARDS,
        short="others",
    ),
    KeyCommand("take", ("T",), "take theirs", "When adjudicating: decide as one of the annotators did.", _ITEM, short="theirs"),
    KeyCommand(
        "other_version",
        ("V",),
        "other version",
        "When adjudicating an item that two copies of the bank edited apart: the next version. A verdict picks the one shown.",
        _ITEM,
        short="version",
    ),
    KeyCommand("lock", ("L",), "lock or unlock", "Declare your decisions final, and see the others'.", _ALL, short="lock"),
    KeyCommand("copy", ("y",), "copy", "Copy the item to the clipboard.", _ITEM),
    KeyCommand("write", ("Y",), "write to file", "Write the item to a file in the workspace.", _ITEM),
    KeyCommand("help", ("?", "f1", "h"), "help", "Explain the panel that has the focus, and the keys.", _ALL),
    KeyCommand("leave", ("ctrl+q",), "leave", "Leave. Everything is saved already.", _ALL),
)
IN_LINE: Mapping[str, str] = {
    "item": "approve exclude flag undo help leave lock peek queue edit comment skip next_undecided search why parse protocol redo group"
    " annotators whole",
    "adjudicating": "approve exclude flag undo help leave take other_version queue edit comment next_undecided search why parse protocol"
    " redo annotators whole",
    "triage": "approve exclude flag undo help leave group lock open queue skip comment peek next_undecided search redo annotators",
    "adjudicating queue": "open search sort undo help leave next_undecided comment redo annotators",
    "queue": "open search sort undo help leave approve_all lock group triage exclude_all flag_all next_undecided comment redo annotators",
}
"""What the line at the bottom of each place names, as far as it reaches: the most wanted first. All else is in the help and the palette."""
_BY_NAME = {command.name: command for command in COMMANDS}
_OF_THE_APP = ("annotators", "help", "leave")
_FIXED = {
    "item": ("tab", "shift+tab", "ctrl+p", "ctrl+c", "ctrl+z", *"123456789"),
    "triage": ("tab", "shift+tab", "ctrl+p", "ctrl+c", "ctrl+z", "up", "down"),
    "queue": ("tab", "shift+tab", "ctrl+p", "ctrl+c", "ctrl+z", "up", "down", "pageup", "pagedown", "home", "end"),
    "group": ("tab", "shift+tab", "ctrl+p", "ctrl+c", "ctrl+z", "up", "down", "pageup", "pagedown", "escape"),
}
"""Keys that mean something of their own in each place and cannot be given away."""
_NO_KEY = "f24"
"""What a command is bound to that has no key left; no keyboard sends it."""
_UNSAFE = ("ctrl+enter", "ctrl+j", "ctrl+m", "ctrl+i", "ctrl+h", "ctrl+[")
_NAMED = {key.value for key in Keys} | {"space", "backspace", "enter", "escape", "delete", "insert"}


def load_keys(paths: Sequence[Path]) -> dict[str, tuple[str, ...]]:
    """The keys of every command, by name, with the files' changes, the later file winning. A command whose built-in key
    a file gives to another one loses it, and stays in the palette.

    Raises `ConfigError` naming the file for an unknown command or key, a key that terminals do not pass on, or two
    commands that files put on one key in the same place."""
    given: dict[str, tuple[str, ...]] = {}
    keys = _with_defaults(given)
    for path in paths:
        if not path.exists():
            continue
        try:
            text = text_of(path, "utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"{path}: cannot be read as UTF-8 text ({error})") from None
        given = made_of(text, str(path), partial(_given, before=given), what="a file of keys")
        keys = _with_defaults(given)
    return keys


def _given(values: Mapping[str, Any], before: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """The keys that a file gives to commands, on top of those of the files before it."""
    given = dict(before)
    for name, value in values.items():
        if name not in _BY_NAME:
            raise no_such(f"there is no command {name!r}", "There are", name, _BY_NAME, place=(name,))
        with in_place(name):
            given[name] = _keys(value, name)
    for place, key, names in collisions(_with_defaults(given)):
        raise ConfigError(
            f"the key {key} would be {' and '.join(names)} at once in the {place}",
            hint="Give one of them another key in this file.",
            place=tuple(name for name in names if name in values)[-1:],
        )
    return given


def _with_defaults(given: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    keys = {}
    for command in COMMANDS:
        taken = {key for name, those in given.items() if set(_BY_NAME[name].places) & set(command.places) for key in those}
        keys[command.name] = given.get(command.name) or tuple(key for key in command.keys if key not in taken)
    return keys


def _keys(value: Any, where: str) -> tuple[str, ...]:
    keys = [value] if isinstance(value, str) else value
    if not isinstance(keys, list) or not keys or not all(isinstance(key, str) for key in keys):
        raise ConfigError(f"{where} should be a key or a list of keys", hint='For example: approve = ["a", "y"]')
    for key in keys:
        if key in _UNSAFE or key.startswith("ctrl+shift+"):
            raise ConfigError(f"{where}: many terminals do not pass {key} on", hint="Take a plain letter.")
        if not _exists(key):
            error = no_such(f"{where}: there is no key {key!r}", "Keys", key, sorted(_NAMED))
            error.hint = f"{did_you_mean(key, _NAMED)}For example: y, space, f2, ctrl+t, delete."
            raise error
    return tuple(keys)


def _exists(key: str) -> bool:
    if len(key) == 1:
        return key.isprintable()
    *modifiers, base = key.split("+")
    return {*modifiers} <= {"ctrl", "alt", "shift"} and (base in _NAMED or (bool(modifiers) and len(base) == 1))


def collisions(keys: Mapping[str, Sequence[str]]) -> list[tuple[str, str, tuple[str, ...]]]:
    """Keys that would do two things in one place: (place, key, command names)."""
    found = []
    for place in PLACES:
        owners: dict[str, list[str]] = {key: ["a fixed key"] for key in _FIXED[place]}
        for command in COMMANDS:
            if place in command.places:
                for key in keys[command.name]:
                    owners.setdefault(key, []).append(command.name)
        found += [(place, key, tuple(names)) for key, names in owners.items() if len(names) > 1]
    return found


def bindings(place: str) -> list[Binding]:
    """The built-in bindings of one place; each names an action of its screen."""
    return [
        Binding(
            ",".join(_textual(key) for key in command.keys),
            action_of(command.name),
            command.title,
            tooltip=command.help,
            id=f"{place}.{command.name}",
        )
        for command in COMMANDS
        if place in command.places
    ]


def action_of(command: str) -> str:
    """The action behind a command, as Textual names it from a screen."""
    return f"app.{command}" if command in _OF_THE_APP else command


def _textual(key: str) -> str:
    # Textual separates keys by commas.
    return "comma" if key == "," else key


def changed_keys(keys: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """What differs from the built-in keys, as Textual's key map asks for it: binding id to keys."""
    return {
        f"{place}.{command.name}": ",".join(_textual(key) for key in keys[command.name]) or _NO_KEY
        for command in COMMANDS
        for place in command.places
        if tuple(keys[command.name]) != command.keys
    }


def key_label(key: str) -> str:
    """A key as people read it."""
    return {"space": "␣", "backspace": "⌫", "escape": "esc", "enter": "⏎", "up": "↑", "down": "↓"}.get(key, key)
