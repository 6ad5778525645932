"""What others say of an item, and how models score it, for those who have locked or looked."""

from __future__ import annotations

from collections.abc import Mapping

from gapsmith.vetting.review.display import fit, visible
from gapsmith.vetting.review.grid import Line
from gapsmith.vetting.review.item_view import ReviewedItem
from gapsmith.vetting.review.notes import notes_of
from gapsmith.vetting.review.region_text import Seg


def others_text(view: ReviewedItem, author: str, scores: Mapping[str, Mapping[str, float | None]]) -> list[Line]:
    """Decisions, judgements by condition, comments, and the surprisal of the critical region by scorer."""
    lines = [Line(note.segs) for note in notes_of(view, author)]
    people = sorted({judgement.author for judgement in view.judgements})
    if people:
        lines.append(Line((Seg("── Judgements ──", ("title",)),)))
        heads = "".join(fit(visible(name), 12) + " " for name in people)
        lines.append(Line((Seg(f"{'':16} expected  {heads}", ("heading",)),)))
    ratings = {(j.condition, j.author): j.rating for j in view.judgements if view.is_on_this_text(j)}
    for row in view.rows if people else ():
        said = "".join(fit(ratings.get((row.condition, name), "–"), 12) + " " for name in people)
        expected = row.expected.value if row.expected is not None else "–"
        lines.append(Line((Seg(f"{fit(visible(row.label), 16)} {expected:<9} {said}"),)))
    lines.append(Line((Seg("── Surprisal of the critical region, in bits ──", ("title",)),)))
    if not scores:
        lines.append(Line((Seg("Not scored yet.", ("note",)),)))
    for scorer, by_condition in scores.items():
        lines.append(Line((Seg(visible(scorer), ("selected",)),)))
        for row in view.rows:
            value = by_condition.get(row.condition)
            shown = f"{value:8.2f}" if value is not None else "       –"
            lines.append(Line((Seg(f"{fit(visible(row.label), 16)} {shown}"),)))
    return lines
