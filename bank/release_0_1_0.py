"""How release 0.1.0 laid the regions of a sentence: a frozen copy, so that old banks read the same for ever.

It reads a paradigm's file by itself, whatever today's loader thinks of that file, and is used by the migration only."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from itertools import product
from typing import Any

Spans = list[tuple[str, int, int]]

_PLACE = re.compile(r"\{([a-z][a-z0-9_]*)\}")


class OldParadigm:
    """The form of a paradigm file as release 0.1.0 read it. Raises `ValueError` for a text that is no such file."""

    def __init__(self, text: str) -> None:
        try:
            raw = tomllib.loads(text)
            self.punctuation: str = raw.get("final_punctuation", ".").strip()
            self.slots = [name for name, table in raw.get("slots", {}).items() if not table.get("latent", False)]
            self.every_slot = list(raw.get("slots", {}))
            self.regions = [str(region["name"]).strip() for region in raw["regions"]]
            self.conditions = {
                "_".join(levels): [_text_for(region, levels) for region in raw["regions"]]
                for levels in product(*(list(table["levels"]) for table in raw["factors"].values()))
            }
            self.designs = {name: self._cells(table) for name, table in raw.get("designs", {}).items()}
        except (KeyError, TypeError, AttributeError, tomllib.TOMLDecodeError) as error:
            raise ValueError(str(error)) from None

    def _cells(self, table: Mapping[str, Any]) -> list[str]:
        cells = table["conditions"]
        return list(self.conditions) if isinstance(cells, str) else list(cells.values())

    def spans(self, condition: str, text: str, slots: Mapping[str, str]) -> Spans | None:
        """The regions of a text as (name, start, end), or None where it did not align."""
        texts = self.conditions.get(condition)
        if texts is None or any(name not in slots for name in self.slots):
            return None
        realised, spans = self._realise(texts, slots)
        return spans if realised == text else self._loose(realised, spans, text)

    def _realise(self, texts: list[str], slots: Mapping[str, str]) -> tuple[str, Spans]:
        text, spans = "", []
        for name, pattern in zip(self.regions, texts, strict=True):
            words = _PLACE.sub(lambda match: slots[match.group(1)], pattern)
            start = len(text) + (1 if text and words else 0)
            text = f"{text} {words}" if text and words else text + words
            spans.append((name, start, len(text)))
        start = len(text)
        text = _capital(text) + self.punctuation
        if self.punctuation:
            spans.append(("punctuation", start, len(text)))
        return text, spans

    @staticmethod
    def _loose(realised: str, regions: Spans, text: str) -> Spans | None:
        spans: Spans = []
        position = 0
        for name, first, last in regions:
            words = realised[first:last].split()
            start = end = position
            for i, word in enumerate(words):
                before = position
                while position < len(text) and text[position].isspace():
                    position += 1
                if before and position == before and name != "punctuation":
                    return None
                found = text[position : position + len(word)]
                if not (found == word or (not spans and i == 0 and _capital(found) == _capital(word))):
                    if name == "punctuation" and position == len(text):
                        break
                    return None
                start = position if i == 0 else start
                position += len(word)
                end = position
            spans.append((name, start if words else position, end if words else position))
        return spans if not text[position:].strip() else None


def _text_for(region: Mapping[str, Any], levels: tuple[str, ...]) -> str:
    best: tuple[int, str] | None = None
    for key, text in region.get("when", {}).items():
        named = key.split("_")
        if set(named) <= set(levels) and (best is None or len(named) > best[0]):
            best = (len(named), text)
    chosen = best[1] if best is not None else region["text"]
    return " ".join(chosen.split())


def _capital(text: str) -> str:
    upper = text[:1].upper()
    return upper + text[1:] if len(upper) == len(text[:1]) else text
