"""A parse to look at while reviewing, from a pipeline that is installed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from templates.errors import GapsmithError

__all__ = ["ParseLine", "Parser", "installed_parser"]


@dataclass(frozen=True, slots=True)
class ParseLine:
    """One word of a parse; `depth` in the tree counts from 0 at the root, and `head` is empty there."""

    word: str
    tag: str
    relation: str
    head: str
    depth: int


Parser = Callable[[str], Sequence[ParseLine]]
"""Parses one sentence. Raises `GapsmithError` with a hint where no pipeline is there. Slow: for threads."""


def installed_parser(name: str | None = None) -> Parser:
    """A parser over the spaCy pipeline called `name`, or the first English one that is installed; it is loaded by the
    first parse."""

    def parse(sentence: str) -> list[ParseLine]:
        return [
            ParseLine(token.text, token.pos_, token.dep_, "" if token.head is token else token.head.text, _depth(token))
            for token in _pipeline(name)(sentence)
        ]

    return parse


def _depth(token: Any) -> int:
    return sum(1 for _ in token.ancestors)


@lru_cache(maxsize=2)
def _pipeline(name: str | None) -> Any:
    import spacy
    from spacy.util import get_installed_models

    installed = sorted(get_installed_models())
    chosen = name or next((one for one in installed if one.startswith("en_")), None)
    if chosen is None:
        raise GapsmithError(
            "no spaCy pipeline for English is installed, so there is no parse to show",
            hint="Install one, for example: python -m spacy download en_core_web_sm",
        )
    try:
        return spacy.load(chosen)
    except OSError:
        raise GapsmithError(
            f"the spaCy pipeline {chosen!r} cannot be loaded",
            hint=f"Installed: {', '.join(installed) or 'none'}. Set `parser` in gapsmith.toml.",
        ) from None
