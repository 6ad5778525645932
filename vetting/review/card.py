"""An item as a compact card: its sentences in one, with what varies in braces.

``I know {that|‹who›} the story about {Mary|__} is likely to amuse {Anna|__} [soon].``

That says everything about an item whose sentences are what its slots give; any other one wants its table, see `needs_table`.
"""

from __future__ import annotations

from gapsmith.bank import Severity
from gapsmith.templates import PUNCTUATION
from gapsmith.vetting.review.display import NO_SENTENCE, sentence_text, visible
from gapsmith.vetting.review.grid import Line, wrap
from gapsmith.vetting.review.item_view import ReviewedItem
from gapsmith.vetting.review.region_text import Refs, RegionText, Seg, region_texts

_NO_REFS = Refs({}, {}, {})
_NOTHING = (Seg("∅", ("dim",)),)


def needs_table(view: ReviewedItem) -> tuple[str, ...]:
    """Why a card does not do for this item, in words; empty for a clean one: linted, its words looked at, without an error or a
    warning, and every sentence there as its slots give it."""
    found = []
    if view.lint != "current":
        found.append("not linted yet" if view.lint == "never" else "edited after the last lint")
    elif view.look is not None and view.look.is_partial:
        found.append(f"rules on words {visible(view.look.told)}")
    for group in view.groups:
        if group.severity.rank >= Severity.WARNING.rank:
            where = f", {group.where}" if group.where else ""
            found.append(f"{visible(group.code)}{where}: {visible(group.message)}")
    for row in view.rows:
        if row.note:
            found.append(f"{visible(row.label)} is {'there twice' if row.note == 'again' else row.note}")
        elif row.sentence is None or row.sentence.regions is None:
            found.append(f"{visible(row.label)} cannot be aligned with the paradigm")
        elif row.condition in view.expected and view.expected[row.condition].text != row.sentence.text:
            found.append(f"{visible(row.label)} is not what the slots give")
    return tuple(found)


def card_lines(view: ReviewedItem, width: int) -> list[Line]:
    """The sentences of an item in one, wrapped to `width`; the first as it stands where none is aligned."""
    texts = [region_texts(row, view.paradigm, _NO_REFS, view.expected) for row in view.rows]
    aligned = [one for one in texts if one]
    words: list[list[Seg]] = []
    for name in (*(region.name for region in view.paradigm.regions), PUNCTUATION):
        variants = {one[name].text if name in one else "": one.get(name, RegionText(())) for one in aligned}
        if not any(variants):
            continue
        if len(variants) == 1:
            (only,) = variants.values()
            if name == PUNCTUATION and words:
                words[-1].extend(only.words)
            else:
                words += [[Seg(part, seg.marks)] for seg in only.words for part in seg.text.split(" ")]
            continue
        braced = [Seg("{", ("dim",))]
        for i, variant in enumerate(variants.values()):
            braced += [Seg("|", ("dim",))] if i else []
            braced += variant.words or _NOTHING
        words.append([*braced, Seg("}", ("dim",))])
    if not words:
        first = next((row.sentence for row in view.rows if row.sentence is not None), None)
        said = sentence_text(first, view.paradigm) if first is not None else NO_SENTENCE
        words = [[Seg(part)] for part in said.split(" ")]
    return [Line(tuple(segs)) for segs in wrap(words, width)]
