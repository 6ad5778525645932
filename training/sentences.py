"""Where a sentence of running English ends."""

from __future__ import annotations

import re

_BOUNDARY = re.compile(r"(?<=[.!?…])([\"'”’)\]]*)\s+(?=[\"'“‘(\[]*[A-Z0-9])")
_LISTED = """
mr mrs ms messrs mme mlle dr prof rev hon st sr jr capt col gen lieut lt maj sgt sen rep gov pres no nos vol vols p pp
ch fig figs ed eds esq vs viz cf e.g i.e a.m p.m jan feb mar apr jun jul aug sep sept oct nov dec
"""
_ABBREVIATIONS = frozenset(_LISTED.split())


def split_sentences(paragraph: str) -> list[str]:
    """The sentences of a paragraph in order, each without white space around it; joined by spaces they are the paragraph.

    A sentence ends at ``.``, ``!``, ``?`` or ``…`` (and closing quotes) before white space and a capital or a digit,
    unless the full stop belongs to a common abbreviation or an initial.
    """
    sentences: list[str] = []
    start = 0
    for match in _BOUNDARY.finditer(paragraph):
        # No abbreviation is longer; all of a long sentence would be looked at again at each full stop in it.
        if match[1] == "" and _abbreviated(paragraph[max(start, match.start() - 50) : match.start()]):
            continue
        sentences.append(" ".join(paragraph[start : match.end(1)].split()))
        start = match.end()
    sentences.append(" ".join(paragraph[start:].split()))
    return [sentence for sentence in sentences if sentence]


def _abbreviated(before: str) -> bool:
    if not before.endswith("."):
        return False
    word = before[:-1].rsplit(maxsplit=1)[-1:] or [""]
    bare = word[0].lstrip("\"'“‘([")
    return bare.lower() in _ABBREVIATIONS or (len(bare) == 1 and bare.isalpha() and bare != "I")
