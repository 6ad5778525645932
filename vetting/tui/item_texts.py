"""What the item screen says around the table: where the item stands, what somebody has changed, and the item as plain text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.style import Style
from rich.text import Text

from gapsmith.bank import QueueRow
from gapsmith.vetting.review.display import visible
from gapsmith.vetting.review.edits import changes
from gapsmith.vetting.review.grid import Line
from gapsmith.vetting.review.item_view import ReviewedItem
from gapsmith.vetting.review.notes import diff_segs, verdict_words
from gapsmith.vetting.review.parsing import ParseLine
from gapsmith.vetting.review.region_text import Seg
from gapsmith.vetting.review.session import Session
from gapsmith.vetting.tui.review_screen import SAID
from gapsmith.vetting.tui.styles import line_text


def announcement(
    known: ReviewedItem, fresh: ReviewedItem, author: str, key: str, styles: Mapping[str, Style], *, most: int, dense: bool
) -> Text:
    """What somebody else has changed, of which at most so many sentences are shown, and the key that takes note of it."""
    newest = fresh.edits[-1] if fresh.edits else None
    who = newest.author if newest is not None else "somebody"
    who = "you, in another window," if who == author else visible(who)
    # What to do comes first: where there is little room, the rest is cut.
    text = Text(f"{who} changed this item while you were looking at it. ", styles["warning"], no_wrap=False)
    text.append(f"{key} shows the new text; until then nothing can be decided.")
    found = changes(known.item.sentences, fresh.item.sentences, known.paradigm)
    for change in found[:most]:
        condition = known.paradigm.condition_by_name.get(change.condition)
        text.append(f"\n {visible(condition.label if condition else change.condition)}  ", styles["label"])
        text.append_text(line_text(diff_segs(change.pieces), styles))
    if len(found) > most:
        text.append(f"{'' if dense else chr(10)} and {len(found) - most} more", styles["note"])
    return text


def standing_text(session: Session, row: QueueRow, styles: Mapping[str, Style], *, reasons: bool = True) -> Text:
    """Where an item stands in the eyes of the annotator, with their `reasons` or without."""
    if row.handed_on:
        stands = f"now {row.status.value}" if row.status.value != "pending" else "waiting for a verdict there"
        edited = "edited since you decided; in" if row.outdated else "in"
        return Text(f"↻ {edited} adjudication, {stands}: nothing for you to decide", styles["note"])
    if row.outdated:
        return Text("↻ edited since you decided", styles["warning"])
    if session.adjudicating:
        standing = row.status.value
        shape = {"pending": "·", "disputed": "≠", "approved": "✓", "excluded": "✗", "flagged": "⚑"}[standing]
        words = {"pending": "undecided"}.get(standing, standing)
        if session.by_policy(row):
            return Text(f"p{shape} {words} by policy", styles["note"])
        return Text(f"{shape} {words}", styles["warning" if standing == "disputed" else "note"])
    if row.mine is None:
        if row.people and session.sees_others(row):
            return Text(f"· undecided (others: {row.status.value})", styles["note"])
        if session.by_policy(row) and row.policy is not None:
            return Text(f"p{verdict_words(row.policy, None)} by policy, you: undecided", styles["note"])
        return Text("· undecided", styles["note"])
    return Text(verdict_words(row.mine, row.my_reason if reasons else None), styles[SAID[row.mine]])


def item_text(session: Session, view: ReviewedItem) -> str:
    """An item as lines of plain text."""
    lines = [f"item {view.item.label}, {session.source(view.item)}"]
    for row in view.rows:
        text = row.sentence.text if row.sentence is not None else "(missing)"
        expected = row.expected.value if row.expected is not None else ""
        lines.append(f"{visible(row.label)}\t{expected}\t{visible(text)}")
    lines += [f"{f.code}\t{f.severity.value}\t{visible(f.message)}" for f in view.findings]
    return "\n".join(lines) + "\n"


def parse_lines(sentence: str, words: Sequence[ParseLine]) -> list[Line]:
    """A parse as an indented tree in reading order."""
    lines = [Line((Seg(visible(sentence), ("selected",)),)), Line((Seg(""),))]
    width = max((len(word.word) + 2 * word.depth for word in words), default=0)
    for word in words:
        shown = "  " * word.depth + visible(word.word)
        head = f" of {visible(word.head)}" if word.head else ""
        mark = (Seg("  ← not what the design has here", ("warning",)),) if word.against else ()
        said = (Seg(f"{shown:<{width + 2}}"), Seg(f"{word.tag:<7}", ("label",)), Seg(f"{word.role}{head}"), *mark)
        lines.append(Line(said))
    lines += [Line((Seg(visible(word.against), ("warning",)),)) for word in words if word.against]
    return lines
