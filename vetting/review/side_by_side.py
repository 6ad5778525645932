"""What everybody says of an item, side by side: for the one who has to decide between them."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import wrap

from gapsmith.bank import Decision
from gapsmith.vetting.review.display import fit, visible
from gapsmith.vetting.review.grid import Line
from gapsmith.vetting.review.item_view import ReviewedItem
from gapsmith.vetting.review.notes import unseen, verdict_words
from gapsmith.vetting.review.region_text import Seg

_LABEL = 9
_COLUMN = 48


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one person decided on the text as it stands."""

    author: str
    decision: Decision


def opinions(view: ReviewedItem) -> tuple[Opinion, ...]:
    """The people's decisions on the current text that may be seen, by name."""
    found = [
        Opinion(decision.author, decision) for decision in view.decisions if decision.by_person and view.is_on_this_text(decision)
    ]
    return tuple(sorted(found, key=lambda one: one.author))


def people_beside(view: ReviewedItem) -> list[str]:
    """Who has a column: whoever decided on the text as it stands, or judged a sentence of it."""
    return sorted({one.author for one in opinions(view)} | {author for author, _ in _judged(view)})


def _judged(view: ReviewedItem) -> dict[tuple[str, str], str]:
    return {
        (judgement.author, judgement.condition): judgement.rating
        for judgement in view.judgements
        if view.is_on_this_text(judgement)
    }


def side_by_side(view: ReviewedItem, width: int) -> list[Line]:
    """A table: a column per person; name with verdict, reasons, remarks, then the judgement of each sentence where they differ from
    each other first, and when it was decided."""
    people, judged, names = opinions(view), _judged(view), people_beside(view)
    if not names:
        return []
    column = max(min((width - _LABEL) // len(names) - 1, _COLUMN), 8)
    by_name = {one.author: one.decision for one in people}

    def folded(label: str, texts: list[str]) -> list[Line]:
        cells = [wrap(text, column) for text in texts]
        height = max(map(len, cells))
        return [line(label if not i else "", [cell[i] if i < len(cell) else "" for cell in cells]) for i in range(height)]

    def line(label: str, texts: list[str], *marks: str) -> Line:
        shown = " ".join(fit(text, column) for text in texts)
        return Line((Seg(fit(label, _LABEL), ("label",)), Seg(shown, marks)))

    def remarks(name: str) -> str:
        said = [by_name[name].comment or ""] if name in by_name else []
        said += [comment.text for comment in view.comments if comment.author == name and view.is_on_this_text(comment)]
        return " / ".join(visible(text) for text in said if text)

    heads = [f"{visible(n)}: {verdict_words(d.verdict, None) if (d := by_name.get(n)) else '–'}" for n in names]
    lines = [line("", heads, "title")]
    if any(decision.reason for decision in by_name.values()):
        lines += folded("reasons", [visible(by_name[n].reason or "") if n in by_name else "" for n in names])
    if any(said := [remarks(name) for name in names]):
        lines += folded("remarks", said)
    differing: list[Line] = []
    alike: list[Line] = []
    for row in view.rows:
        said = [judged.get((name, row.condition), "–") for name in names]
        if any(one != "–" for one in said):
            expected = f" ({row.expected.value})" if row.expected is not None else ""
            differs = len(set(said) - {"–"}) > 1
            (differing if differs else alike).append(line(f"{row.number}{expected}", said, *(("differs",) if differs else ())))
    when = [d.at[:16].replace("T", " ") + unseen(d) if (d := by_name.get(name)) is not None else "" for name in names]
    return [*lines, *differing, *alike, *(folded("when", when) if any(when) else [])]
