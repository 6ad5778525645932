"""Texts that a grid makes for itself from the stand-ins that ship, filtered as POSH-BENCH's are, before anything is trained."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from gapsmith.templates import ConfigError, text_of
from gapsmith.training.corpus import STAND_INS, Recipe, mix_corpus, open_filters, stand_in
from gapsmith.training.parses import Parses

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


def make_texts(
    texts: Mapping[str, GridText], folder: Path, *, parses: Parses, say: Callable[[str], None] = lambda _: None
) -> None:
    """Make each text that is not there yet below `folder`, as `gapsmith train corpus` makes one, and beside it ``NAME.json``: as what it was
    made. Texts of one stand-in differ only in what is said of them: the same stretches are chosen.

    Raises `ConfigError` where it was made as another, or a stand-in has too few words, and `TrainingError` where it cannot be written.
    """
    for name, asked in texts.items():
        order, told = json.dumps(asdict(asked)), folder / f"{name}.json"
        if told.is_file():
            if text_of(told, "utf-8") != order:
                raise ConfigError(f"{folder / name} is another text than is asked for now", hint="Choose another --out.")
            continue
        # A text without word of what it is was not finished.
        shutil.rmtree(folder / name, ignore_errors=True)
        say(f"making the text {name}, {asked.words:,} words")
        filters = open_filters(asked.filters, "embedded", parses)
        shares = filters.shares if filters is not None and asked.put_back else {}
        mix_corpus(
            Recipe(source=(stand_in(asked.stand_in, asked.words),)), folder / name, filters=filters, put_back=shares, say=say
        )
        told.write_text(order, encoding="utf-8")
