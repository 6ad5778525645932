"""The only place that says how a sentence is shown as one text: with its open gaps, and what stands there taken away again.

Tables and cards, which show sentences region by region, are in `gapsmith.vetting.review.region_text`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gapsmith.templates import Paradigm, Sentence

GAP = "__"
"""An open gap, as it is shown."""
_MARK = re.compile(rf"(?:^| ){GAP}")


def marked(sentence: Sentence, paradigm: Paradigm, *, critical: bool = True) -> str:
    """The text with its open gaps as ``__`` and, with `critical`, its critical region in brackets; as it is where it is not aligned."""
    condition = paradigm.condition_by_name.get(sentence.condition)
    if condition is None or sentence.regions is None:
        return sentence.text
    said = ""
    for region, words in parts(sentence, paradigm):
        said += f"[{words}]" if critical and region == condition.critical and words.strip(f" {GAP}") else words
    return said


def parts(sentence: Sentence, paradigm: Paradigm) -> Iterator[tuple[str, str]]:
    """An aligned sentence piece by piece, with the region that each is of (none between two regions); an open gap is `` __``."""
    gaps = {region.name for region in paradigm.regions if region.role == "gap"}
    end = 0
    for span in sentence.regions or ():
        if end < span.start:
            yield "", sentence.text[end : span.start]
        words = sentence.text[span.start : span.end]
        yield span.name, f" {GAP}" if not words and span.name in gaps else words
        end = span.end
    if end < len(sentence.text):
        yield "", sentence.text[end:]


def is_marked(shown: str, text: str) -> bool:
    """Whether a text was shown so: as it is, or with gaps marked and nothing else changed."""
    return shown == text or (GAP not in text and _MARK.sub("", shown).strip() == text.strip())
