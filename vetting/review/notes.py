"""What is on record about an item, as lines: decisions, judgements, comments, edits with what they changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gapsmith.bank import ELSEWHERE, Decision, Verdict
from gapsmith.templates import Paradigm
from gapsmith.vetting.review.display import visible
from gapsmith.vetting.review.edits import Change, Piece, changes
from gapsmith.vetting.review.item_view import ReviewedItem
from gapsmith.vetting.review.region_text import Seg

VERDICT_SHAPES = {Verdict.APPROVE: "✓", Verdict.EXCLUDE: "✗", Verdict.FLAG: "⚑"}
_MARKS = {Verdict.APPROVE: "approved", Verdict.EXCLUDE: "excluded", Verdict.FLAG: "flagged"}
_MAX_CHANGES = 3
CONTEXT = 3
"""So many words around a change where there is no room for all."""


@dataclass(frozen=True, slots=True)
class Note:
    """One line."""

    segs: tuple[Seg, ...]

    @property
    def text(self) -> str:
        """Without marks."""
        return "".join(seg.text for seg in self.segs)


def verdict_words(verdict: Verdict, reason: str | None) -> str:
    """``✗ excluded: implausible``."""
    words = f"{VERDICT_SHAPES[verdict]} {_MARKS[verdict]}"
    return f"{words}: {visible(reason)}" if reason else words


def notes_of(view: ReviewedItem, author: str, *, beside: Sequence[str] = (), whole: bool = False) -> list[Note]:
    """The notes on an item: decisions first, then judgements, comments and edits, the newest of each last. What the people of `beside`
    say of the text as it stands is left out: it is told elsewhere. With `whole`, sentences that an edit changed stand in full, else only
    the words around a change."""
    notes = _versions(view, whole=whole)
    for decision in view.decisions:
        if not (decision.author in beside and decision.by_person and view.is_on_this_text(decision)):
            notes.append(_decision(decision, view, author))
    notes += _judgements(view, author, beside)
    for comment in view.comments:
        old = "" if view.is_on_this_text(comment) else ", on an earlier text"
        if old or comment.author not in beside:
            notes.append(Note((Seg(f"“{visible(comment.text)}”"), Seg(f" ({_who(comment.author, author)}{old})", ("note",)))))
    notes += _edits(view, author, whole=whole)
    if view.blind:
        notes.append(Note((Seg("What others say is not shown before you lock (L).", ("note",)),)))
    return notes or ([] if beside else [Note((Seg("Nothing yet.", ("note",)),))])


def _versions(view: ReviewedItem, *, whole: bool) -> list[Note]:
    """Where copies of the bank edited the item apart: which version is shown, and how the others differ from it."""
    if len(view.versions) < 2:
        return []
    by_id = {revision.id: revision for revision in view.revisions}
    shown = by_id[view.item.revision_id]
    number = view.versions.index(shown.id) + 1 if shown.id in view.versions else 1
    which = f"edited apart: this is version {number} of {len(view.versions)}"
    notes = [Note((Seg(which, ("warning",)), Seg(f" by {visible(shown.author or 'nobody, as it came')}", ("note",))))]
    for place, revision_id in enumerate(view.versions, start=1):
        if revision_id == shown.id:
            continue
        other = by_id[revision_id]
        notes.append(Note((Seg(f"version {place} by {visible(other.author or 'nobody, as it came')} has", ("selected",)),)))
        notes += _differences(view, changes(shown.sentences, other.sentences, view.paradigm), whole=whole)
    return notes


def _differences(view: ReviewedItem, found: Sequence[Change], *, whole: bool) -> list[Note]:
    context = None if whole else CONTEXT
    alike: dict[tuple[Piece, ...], list[Change]] = {}
    for change in found:
        alike.setdefault(tuple(piece for piece in change.pieces if piece.op != "="), []).append(change)
    notes = []
    for first, *others in list(alike.values())[:_MAX_CHANGES]:
        label = f"  {_label(view.paradigm, first.condition)} "
        notes.append(Note((Seg(label, ("note",)), *diff_segs(first.pieces, context=context))))
        if others:
            notes.append(Note((Seg(f"  and {len(others)} more in the same words", ("note",)),)))
    if rest := sum(map(len, list(alike.values())[_MAX_CHANGES:])):
        notes.append(Note((Seg(f"  and {rest} more in other words", ("note",)),)))
    return notes


def _who(name: str, author: str) -> str:
    return "you" if name == author else visible(name)


_UNSEEN = {"person": ", many at once, not opened"} | {
    kind: f", in a {kind}: whether it was opened is not known" for kind in ELSEWHERE
}
"""What is said of a decision of that kind for which nothing was on screen here."""


def _decision(decision: Decision, view: ReviewedItem, author: str) -> Note:
    segs = [Seg(verdict_words(decision.verdict, decision.reason), (_MARKS[decision.verdict],))]
    if decision.comment:
        segs.append(Seg(f" “{visible(decision.comment)}”"))
    kind = {"adjudication": " as adjudicator", "policy": " (policy)"}.get(decision.kind, "")
    old = "" if view.is_on_this_text(decision) else ", on an earlier text"
    if old and decision.by_person and decision.author == author and view.queue_row.outdated and not view.queue_row.handed_on:
        old += ": decide again"
    when = decision.at[:16].replace("T", " ")
    return Note((*segs, Seg(f" ({_who(decision.author, author)}{kind}, {when}{old}{unseen(decision)})", ("note",))))


def unseen(decision: Decision) -> str:
    """What is to be said of a decision for which nothing was on screen here; empty where something was."""
    return _UNSEEN.get(decision.kind, "") if decision.seen is None else ""


def _judgements(view: ReviewedItem, author: str, beside: Sequence[str]) -> list[Note]:
    notes = []
    by_person: dict[str, dict[str, str]] = {}
    for judgement in view.judgements:
        here = view.is_on_this_text(judgement) and judgement.author not in beside
        if here and not judgement.rating.isdigit():
            by_person.setdefault(judgement.author, {})[judgement.condition] = judgement.rating
    for person, ratings in by_person.items():
        compared = [
            (view.paradigm.condition(name), rating)
            for name, rating in ratings.items()
            if name in view.paradigm.condition_by_name and view.paradigm.condition(name).status is not None
        ]
        if not compared:
            continue
        differing = [(c, rating) for c, rating in compared if rating != c.expected]
        text = f"{len(compared) - len(differing)} of {len(compared)} sentences judged as expected"
        if differing:
            text += "; not " + ", ".join(f"{c.label} ({rating}, expected {c.expected})" for c, rating in differing)
        notes.append(Note((Seg(text, ("warning",) if differing else ()), Seg(f" ({_who(person, author)})", ("note",)))))
    return notes


def _edits(view: ReviewedItem, author: str, *, whole: bool) -> list[Note]:
    notes = []
    sentences = {revision.id: revision.sentences for revision in view.revisions}
    for edit in view.edits:
        undone = ", taken back" if edit.undone else ""
        when = edit.at[:16].replace("T", " ")
        who = Seg(f" ({_who(edit.author, author)}, {when}{undone})", ("note",))
        notes.append(Note((Seg(f"edited {visible(edit.note or '')}", ("selected",)), who)))
        changed = changes(sentences[edit.before], sentences[edit.after], view.paradigm) if not edit.undone else ()
        notes += _differences(view, changed, whole=whole)
    return notes


def _label(paradigm: Paradigm, condition: str) -> str:
    known = paradigm.condition_by_name.get(condition)
    return visible(known.label if known else condition)


def diff_segs(pieces: tuple[Piece, ...], *, context: int | None = CONTEXT) -> list[Seg]:
    """A word diff as marked pieces, ``[-gone-]`` and ``{+new+}``, with `context` words around each change, or with all."""
    segs: list[Seg] = []
    for i, piece in enumerate(pieces):
        segs += [Seg(" ")] if i else []
        text = visible(piece.text)
        if piece.op == "=" and context is not None:
            text = _trimmed(text.split(" "), i > 0, i < len(pieces) - 1, context)
        if piece.op == "-":
            segs.append(Seg(f"[-{text}-]", ("removed",)))
        elif piece.op == "+":
            segs.append(Seg(f"{{+{text}+}}", ("added",)))
        else:
            segs.append(Seg(text))
    return segs


def _trimmed(words: list[str], before: bool, after: bool, context: int) -> str:
    head = words[:context] if before else []
    tail = words[-context:] if after else []
    if len(head) + len(tail) >= len(words):
        return " ".join(words)
    return " ".join([*head, "…", *tail])
