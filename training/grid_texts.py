"""Texts that a grid makes for itself from the stand-ins that ship, filtered as POSH-BENCH's are, before anything is trained."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from gapsmith.templates import ConfigError, read_json, text_of
from gapsmith.training.checkpoints import write_whole
from gapsmith.training.corpus.stand_ins import stand_in_sentences
from gapsmith.training.text import MANIFEST

STAND_INS = ("child", "expository")
_KEYS = ("stand_in", "words", "filter", "put_back")


@dataclass(frozen=True, slots=True)
class GridText:
    """A text that a grid asks for."""

    stand_in: str
    words: int
    filters: tuple[str, ...] = ()
    """By name; their sentences stay out."""
    put_back: bool = False
    """Whether a few of these sentences replace others, so that both texts have as many."""

    def scaled(self, factor: float) -> GridText:
        """The same with so many times its words, one at least."""
        return replace(self, words=max(1, round(self.words * factor)))


def grid_text(where: str, told: Mapping[str, Any]) -> GridText:
    """What a table ``[text.NAME]`` asks for. Raises `ConfigError`."""
    unknown = [key for key in told if key not in _KEYS]
    if unknown:
        raise ConfigError(f"{where}.{unknown[0]}: there is no such key", hint=f"A text takes {', '.join(_KEYS)}.")
    stand_in, words, filters, put_back = (told.get(key) for key in _KEYS)
    if stand_in not in STAND_INS:
        raise ConfigError(f"{where}: stand_in = {stand_in!r}", hint=f"It is {' or '.join(STAND_INS)}.")
    if type(words) is not int or words < 1:
        raise ConfigError(f"{where}: words = {words!r} is no number of words")
    named = () if filters is None else filters
    if not isinstance(named, (list, tuple)) or not all(isinstance(name, str) for name in named):
        raise ConfigError(
            f"{where}: filter = {filters!r} are no names", hint='For example filter = ["question-formation", "binding"].'
        )
    if put_back not in (None, True, False):
        raise ConfigError(f"{where}: put_back = {put_back!r} is neither true nor false")
    if put_back and not named:
        raise ConfigError(f"{where}: put_back without a filter", hint="What is put back is what a filter has taken out.")
    return GridText(stand_in, words, tuple(named), bool(put_back))


def make_texts(texts: Mapping[str, GridText], folder: Path, say: Callable[[str], None] = lambda _: None) -> None:
    """Make each text that is not there below `folder`: ``train.txt``, a sentence a line, and ``manifest.json``, which says where it is from
    and what stayed out. A text that was made as it is asked for stays.

    Raises `ConfigError` where another text lies there, or a stand-in has too few words.
    """
    for name, asked in texts.items():
        order = json.loads(json.dumps(asdict(asked)))
        file = folder / name / MANIFEST
        if file.is_file():
            if read_json(text_of(file, "utf-8")).get("asked") != order:
                raise ConfigError(f"{folder / name} holds another text than is asked for", hint="Choose another --out.")
            continue
        say(f"making the text {name}, {asked.words:,} words")
        made = _made(asked)
        with write_whole(folder / name) as building:
            (building / "train.txt").write_text("".join(f"{sentence}\n" for sentence in made.sentences), encoding="utf-8")
            manifest = {"asked": order, **made.told}
            (building / MANIFEST).write_text(json.dumps(manifest, indent=1, ensure_ascii=False), encoding="utf-8")


@dataclass(frozen=True)
class _Made:
    sentences: list[str]
    told: Mapping[str, Any]


def _made(asked: GridText) -> _Made:
    sentences, n = [], 0
    for s in stand_in_sentences(asked.stand_in):
        sentences.append(s)
        n += len(s.split())
        if n >= asked.words:
            break
    return _Made(sentences, {})
