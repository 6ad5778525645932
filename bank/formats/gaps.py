"""Signs that stand for a gap where a word would be, such as ``__`` or ``[gap]``: the only place that takes them out of sentences, where
somebody says that they are such; until then it asks, since a blank to be filled in looks the same."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from gapsmith.bank.formats.asking import OVERRULED, Assumption, FileAnswer
from gapsmith.bank.formats.foreign import ForeignSentence, ForeignSet, GivenRegion
from gapsmith.bank.formats.grouping import first_seen
from gapsmith.bank.formats.source import SourceFile

_SIGN = r"_+|[∅Ø]|(?i:\[(?:gap| *|_+|t|e|ec)\]|<(?:gap| *)>|\((?:gap| *)\))"
_AS_TOKEN = r"(?<![^ \t\u00a0/|^])(?:{})(?=[ \t\u00a0/|^.,;:?!…]|\Z)"
_ASKED = re.compile(_AS_TOKEN.format(_SIGN))


def is_gap(token: str) -> bool:
    """Whether a word of a list of words stands for a gap."""
    return re.fullmatch(_SIGN, token.strip()) is not None


def without_gaps(found: ForeignSet, source: SourceFile) -> ForeignSet:
    """The set without the signs that somebody said stand for gaps, empty regions in their places where there are regions. Asks about
    such signs where nobody did."""
    said = source.options.gap_marks
    sentences = [s for item in found.items for s in item.sentences]
    pattern = re.compile(_AS_TOKEN.format("|".join(re.escape(mark) for mark in sorted(said, key=len, reverse=True))))
    if said and not any(pattern.search(s.text) for s in sentences):
        source.refuse(0, f"no sentence has {' or '.join(map(repr, said))} in the place of a word", hint="Leave --gap-mark out.")
    open_ones = [
        s
        for s in sentences
        if ("_" in s.text or not s.text.isascii() or any(sign in s.text for sign in "[(<"))
        and _ASKED.search(s.text)
        and not is_gap(s.text)
    ]
    marks = first_seen(mark for s in open_ones for mark in _ASKED.findall(s.text) if mark not in said)
    if marks and not source.options.as_it_is:
        first = next(s for s in open_ones if set(_ASKED.findall(s.text)) & set(marks))
        listed = ", ".join(marks)
        stands = f"{listed} stands in {len(open_ones):,} of {len(sentences):,} sentences where a word would be, as if for a gap"
        if source.known.get("format") == found.shape:
            told = Assumption(
                "in sentences", f"{stands}, and is taken as a word: {first.text[:80]}", OVERRULED, "assumed", "--gap-mark"
            )
            found = replace(found, assumptions=(*found.assumptions, told))
            marks = ()
    if marks and not source.options.as_it_is:
        taken_out = FileAnswer("yes", "it stands for a gap and is taken out of the sentences", {"gap_marks": (*said, *marks)})
        question = f"{listed} stands in sentences such as: {first.text[:80]}. Does it stand for a gap, where there is no word?"
        answers = [taken_out]
        if frame := _frame(found, open_ones):
            others = tuple(name for name in found.conditions if name != frame)
            means = f"{frame} alone has it, in all its sentences: it is the frame of the others, and no condition; these are {', '.join(others)}"
            also = f"{frame} is a condition as {', '.join(others)} are; {taken_out.means}"
            answers = [
                FileAnswer("frame", means, {"sentence_columns": others}),
                replace(taken_out, word="all", means=also),
            ]
            question += f" Or is {frame} the frame of the others, and no condition (frame), or a condition, too (all)?"
        source.ask(
            first.line,
            f"{stands}: {first.text[:80]}",
            question,
            answers,
            hint=f"If it belongs to the sentences, say --format {found.shape}.",
        )
    if not said:
        return found
    items = tuple(replace(item, sentences=tuple(_without(s, pattern) for s in item.sentences)) for item in found.items)
    count = sum(len(pattern.findall(s.text)) for s in sentences)
    where = ", an empty region where regions are given" if found.regions else ""
    taken = Assumption("gaps", f"{', '.join(said)} taken out {count:,} times{where}", "as said", "said", "--gap-mark")
    note = "signs for gaps are no part of the sentences, and do not go out again with them"
    return replace(found, items=items, assumptions=(*found.assumptions, taken), notes=(*found.notes, note))


def _frame(found: ForeignSet, with_signs: Sequence[ForeignSentence]) -> str:
    """The column of a table with a column per condition in which all sentences have such a sign, where no sentence of another one has; else
    empty."""
    names = {s.condition for s in with_signs}
    if found.shape != "condition_columns" or len(names) != 1 or len(found.conditions) < 3:
        return ""
    (name,) = names
    return name if sum(s.condition == name for item in found.items for s in item.sentences) == len(with_signs) else ""


def _without(sentence: ForeignSentence, pattern: re.Pattern[str]) -> ForeignSentence:
    text = sentence.text
    kept = [True] * len(text)
    for match in pattern.finditer(text):
        start, end = match.span()
        # With the sign goes one of the blanks around it: that before it, at the beginning that behind it.
        start, end = (start - 1, end) if text[start - 1 : start] == " " else (start, end + (text[end : end + 1] == " "))
        kept[start:end] = [False] * (end - start)
    if all(kept):
        return sentence
    places = [0, *accumulate(kept)]
    shorter = "".join(sign for sign, stays in zip(text, kept, strict=True) if stays)
    regions = sentence.regions
    if regions is not None:
        regions = tuple(_moved(region, text, places, shorter, pattern) for region in regions)
    return replace(sentence, text=shorter, regions=regions)


def _moved(region: GivenRegion, text: str, places: Sequence[int], shorter: str, pattern: re.Pattern[str]) -> GivenRegion:
    start, end = places[region.start], places[region.end]
    if pattern.search(text[region.start : region.end]) is None:
        return replace(region, start=start, end=end)
    # A blank that is left at an end of it belongs to no region.
    while start < end and shorter[start] == " ":
        start += 1
    while start < end and shorter[end - 1] == " ":
        end -= 1
    return replace(region, start=start, end=end, raw=None if region.raw is None else pattern.sub("", region.raw))
