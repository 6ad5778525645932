"""Sentences whose regions stand between slashes or bars, as in self-paced reading: ``The sailor / carved / the whistle.``"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from gapsmith.bank.formats.asking import Assumption, FileAnswer
from gapsmith.bank.formats.composing import compose
from gapsmith.bank.formats.foreign import ForeignRegion, ForeignSentence, ForeignSet, GivenRegion, Json
from gapsmith.bank.formats.source import SourceFile

_MARKS = ("/", "|", "^", "*", "／", "｜")


def parted(found: ForeignSet, source: SourceFile) -> ForeignSet:
    """The set with regions where its sentences have a mark between them: said, or in every sentence and equally often."""
    texts = [s.text for item in found.items for s in item.sentences if s.text.strip()]
    said = source.options.region_mark
    if any(s.regions is not None for item in found.items for s in item.sentences) or not texts:
        if said is not None:
            source.refuse(0, "has regions already, and --region-mark would part them anew", hint="Leave --region-mark out.")
        return found
    # One sentence with a mark in it shows no habit.
    marks = _MARKS if len(texts) > 1 else ()
    mark = said or next((mark for mark in marks if all(_is_between(text, mark) for text in texts)), None)
    if mark is None:
        return found
    if said is not None and not any(mark in text for text in texts):
        source.refuse(0, f"no sentence has {mark!r} in it", hint="Leave --region-mark out, or name what stands between regions.")
    pattern = _pattern(mark, texts)
    counts = {len(pattern.findall(text)) for text in texts}
    within = {match[0] for text in texts for match in re.finditer(rf"\S*{re.escape(mark)}\S*", pattern.sub(" ", text))}
    if said is None and len(counts) > 1:
        few, many = min(counts), max(counts)
        message = f"its sentences have {mark!r} between {few + 1} to {many + 1} parts, so that a number of a region is not the same everywhere"
        source.ask(
            0,
            message,
            f"{message[0].upper()}{message[1:]}. Are the parts regions nevertheless, numbered from the left?",
            [FileAnswer("yes", "the parts are regions, numbered from the left", {"region_mark": mark})],
            hint="An empty region is written too: 'who / / at sunrise'.",
        )
    width = max(counts) + 1
    items = tuple(replace(item, sentences=tuple(_sentence(s, pattern) for s in item.sentences)) for item in found.items)
    why = "as said" if said else "it stands in every sentence, equally often"
    told = [
        *([f"{', '.join(sorted(within)[:4])} stays whole: there {mark} stands within a word or number"] if within else []),
        *([f"its sentences have {min(counts) + 1} to {width} regions, numbered from the left"] if len(counts) > 1 else []),
    ]
    return replace(
        found,
        items=items,
        regions=tuple(ForeignRegion(f"region_{n}", str(n)) for n in range(1, width + 1)),
        meta={**found.meta, "region_mark": mark},
        notes=(*found.notes, f"{mark} parts {width} regions: region_1 to region_{width}", *told),
        assumptions=(
            *found.assumptions,
            Assumption("regions", f"between {mark}", why, "said" if said else "certain", "--region-mark"),
            *(Assumption("regions", one, "by where the mark stands", "assumed") for one in told),
        ),
    )


def as_written(sentence: ForeignSentence, meta: Mapping[str, Json]) -> str:
    """A sentence as its file has it, with what stands before it and between its regions; else its text."""
    if not meta:
        return sentence.text
    mark = meta.get("region_mark")
    if not mark or sentence.regions is None:
        return sentence.written_text
    parts = [
        sentence.mark + region.content(sentence.text) if not n else region.content(sentence.text)
        for n, region in enumerate(sentence.regions)
    ]
    if any(region.raw is None for region in sentence.regions):
        return f" {mark} ".join(part.strip() for part in parts) + sentence.behind
    return str(mark).join(parts) + sentence.behind


def _is_between(text: str, mark: str) -> bool:
    """Whether a mark stands between parts of a sentence, rather than within a word."""
    if mark == "*":
        return re.search(rf"\w[.,;]?{re.escape(mark)}\w", text) is not None
    return text.count(mark) > 1 or re.search(rf"\s{re.escape(mark)}|{re.escape(mark)}\s", text) is not None


def _pattern(mark: str, texts: Sequence[str]) -> re.Pattern[str]:
    """Where a mark parts regions: where blanks stand beside it if they do in every sentence, and nowhere between two digits (24/7)."""
    sign = re.escape(mark)
    apart = re.compile(rf"(?<=\s){sign}|{sign}(?=\s)|\A{sign}|{sign}\Z")
    return apart if all(apart.search(text) for text in texts) else re.compile(rf"(?<!\d){sign}|{sign}(?!\d)")


def _sentence(sentence: ForeignSentence, pattern: re.Pattern[str]) -> ForeignSentence:
    parts = pattern.split(sentence.text)
    text, spans = compose(parts)
    regions = tuple(
        GivenRegion(f"region_{n}", start, end, raw) for n, ((start, end), raw) in enumerate(zip(spans, parts, strict=True), 1)
    )
    return replace(sentence, text=text, regions=regions)
