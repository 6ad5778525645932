"""What the stand-in writes: items from the paradigm's own word lists, in the form that the prompt asks for."""

from __future__ import annotations

import csv
import io
import json
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice

from gapsmith.prompts.fake.behaviour import Behaviour
from gapsmith.templates import Design, Paradigm, expand, realise, sample

_HOW_MANY = re.compile(r"\bexactly (\d+)\b|\b(\d+) (?:\w+ ){0,2}item", re.IGNORECASE)
_LONG = 5_000


class FakeWriter:
    """Writes answers. Every good answer has new items, in whatever order the requests come; safe for threads."""

    def __init__(self, paradigm: Paradigm, seed: int = 1) -> None:
        self._paradigm = paradigm
        self._seed = seed
        self._lock = threading.Lock()
        self._stream = self._fresh_stream()

    def draw_ahead(self, n: int) -> None:
        """Draw so many items now, so that the answers cost no time later."""
        with self._lock:
            self._stream = chain(list(islice(self._stream, n)), self._stream)

    def write(self, prompt: str, behaviour: Behaviour) -> str:
        """The text of an answer to this prompt."""
        match = _HOW_MANY.search(prompt)
        n = int(match.group(1) or match.group(2)) if match else 1
        if behaviour is Behaviour.EMPTY:
            return ""
        if behaviour is Behaviour.UNREADABLE:
            return "Désolé, je ne peux pas écrire ces phrases. 申し訳ありませんが、できません。"
        if behaviour is Behaviour.WRONG_SCHEMA:
            return json.dumps({"items": [{"subject": "the story", "object": "Anna"}] * n})
        if behaviour is Behaviour.SURPLUS:
            n *= 2
        fillings = list(islice(self._fresh_stream(), n)) if behaviour is Behaviour.DUPLICATES else self._take(n)
        text = self._csv(prompt, fillings) if "full_sentence" in prompt else self._json(fillings, behaviour)
        if behaviour is Behaviour.PROSE:
            return f"Sure! Here are the sets {{as asked}}:\n\n```\n{text}\n```\n\nLet me know if you need [more]."
        if behaviour in (Behaviour.TRUNCATED, Behaviour.HALF):
            return text[: int(len(text) * 0.7)]
        return text

    def _take(self, n: int) -> list[Mapping[str, str]]:
        with self._lock:
            fillings = list(islice(self._stream, n))
            if len(fillings) < n:
                self._stream = self._fresh_stream()
                fillings += islice(self._stream, n - len(fillings))
            return fillings

    def _fresh_stream(self) -> Iterator[Mapping[str, str]]:
        return expand(self._paradigm) if self._paradigm.exhaustive else sample(self._paradigm, self._seed)

    def _json(self, fillings: Sequence[Mapping[str, str]], behaviour: Behaviour) -> str:
        names = [slot.name for slot in self._paradigm.visible_slots]
        items: list[Mapping[str, object]] = [{name: filling[name] for name in names} for filling in fillings]
        if behaviour is Behaviour.HOSTILE:
            items = [*_hostile(names), *items[3:]]
        return json.dumps({"items": items}, ensure_ascii=False)

    def _csv(self, prompt: str, fillings: Sequence[Mapping[str, str]]) -> str:
        design = self._design(prompt)
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["sentence_type", "item_id", "condition", "full_sentence"])
        for number, filling in enumerate(fillings, 1):
            texts = {s.condition: s.text for s in realise(self._paradigm, filling)}
            for label, condition in design.labels.items():
                writer.writerow([self._paradigm.name, number, label, texts[condition]])
        return out.getvalue()

    def _design(self, prompt: str) -> Design:
        named = [d for d in self._paradigm.designs if all(re.search(rf"\b{re.escape(k)}\b", prompt) for k in d.labels)]
        return max(named or self._paradigm.designs, key=lambda design: len(design.labels))


def _hostile(names: Sequence[str]) -> list[dict[str, str]]:
    ansi = dict.fromkeys(names, "\x1b[31mred\x07")
    markup = dict.fromkeys(names, "[bold]{{ 7 * 7 }}[/] '); DROP TABLE item;--")
    return [ansi, markup, {**dict.fromkeys(names, "x"), names[0]: "y" * _LONG}]
