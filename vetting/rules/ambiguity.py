"""L3: strings with a second parse in which the island is none, or needs no gap."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bank import Severity
from vetting.rules.model import Hit, ItemRule
from vetting.rules.view import ItemView

__all__ = ["RULES"]

_GERUND = re.compile(r"\b(\w+)['’]s (\w+ing)\b(?: (\w+))?")
_INTENT = re.compile(r"\bintent to\b")
_NOUNS_IN_ING = frozenset(
    {
        "painting",
        "drawing",
        "recording",
        "writing",
        "finding",
        "wedding",
        "building",
        "meeting",
        "feeling",
        "warning",
        "ruling",
        "clothing",
        "ceiling",
        "evening",
        "morning",
        "king",
        "ring",
        "thing",
        "spring",
        "string",
        "wing",
        "offspring",
        "sibling",
    }
)
"""Words in -ing that are nouns whatever follows; before *of* and *about* any known noun counts."""


def _possessive_gerund(view: ItemView) -> Iterator[Hit]:
    for name, texts in view.cells.items():
        match = _GERUND.search(texts[0])
        if match is None or match.group(2).casefold() in _NOUNS_IN_ING:
            continue
        owner, gerund = match.group(1), match.group(2)
        yield Hit(
            f"“{owner}'s {gerund}” is also “{owner} is {gerund}”, a clause and no island",
            condition=name,
            start=match.start(),
            end=match.end(2),
        )
        return


def _intent_to(view: ItemView) -> Iterator[Hit]:
    for name, texts in view.cells.items():
        match = _INTENT.search(texts[0])
        if match is not None:
            yield Hit(
                "“intent to” is close to “intent on …ing” and “intention of …ing”, two repairs of the sentence",
                condition=name,
                start=match.start(),
                end=match.end(),
            )
            return


RULES = (
    ItemRule("L310", Severity.ERROR, _possessive_gerund),
    ItemRule("L311", Severity.ERROR, _intent_to),
)
