"""Items that share a finding or a word with one, to be decided on at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from gapsmith.bank import QueueRow
from gapsmith.vetting.review.display import visible
from gapsmith.vetting.review.filters import Query
from gapsmith.vetting.review.item_view import ReviewedItem
from gapsmith.vetting.review.session import Session


@dataclass(frozen=True, slots=True)
class Group:
    """Items with something in common."""

    title: str
    """What: ``“picture”``, or ``L310 about “stun”``."""
    rows: tuple[QueueRow, ...]
    """All of them, whatever was decided, in the order in which they came."""


_FRAME_WORDS = frozenset(
    word
    for line in (
        "a an the this that these those to of in on at by for from with about as than not no and or but if because although",
        "into onto over under after before during without within against between through until upon off up down out since while",
        "am is are was were be been being have has had having do does did can could may might must shall should will would",
        "going go gonna used about ought need dare",
        "i you he she it we they me him her us them my your his its our their who whom whose which what there",
    )
    for word in line.split()
)
"""Words of the closed classes of English, and those that only form tenses. They belong to the frame of a sentence: who decides on all items
that have one decides on nothing that these share."""


def groups_of(session: Session, item_id: int, query: Query) -> tuple[Group, ...]:
    """What the item shares with others among those that fit the query: first each finding, with the word it is about, then the
    words of the slots; of either those first that decide most, by items that wait. Nothing that only this item has, no word that
    all of them have, and none that only frames others."""
    view, everything = session.view(item_id), len(session.rows(query))
    found = [Group(title, tuple(session.rows(narrowed))) for title, narrowed in _by_finding(view, query)]
    words = [Group(title, tuple(session.rows(narrowed))) for title, narrowed in _by_word(view, query)]
    telling = [group for group in words if len(group.rows) < everything]

    def used(group: Group) -> tuple[int, int]:
        return -sum(session.undecided(row) for row in group.rows), -len(group.rows)

    return tuple(group for group in (*sorted(found, key=used), *sorted(telling, key=used)) if len(group.rows) > 1)


def _by_finding(view: ReviewedItem, query: Query) -> Iterator[tuple[str, Query]]:
    for group in view.groups:
        word = group.word.strip(".,;:!?")
        about = (word,) if word.isalpha() else ()
        title = f"{visible(group.code)} about “{visible(word)}”" if about else visible(group.code)
        yield title, replace(query, codes=(group.code,), words=(*query.words, *about))


def _by_word(view: ReviewedItem, query: Query) -> Iterator[tuple[str, Query]]:
    values = [value.split() for value in (view.item.slots or {}).values()]
    words = [word for parts in values for word in parts if word.casefold() not in _FRAME_WORDS]
    for word in dict.fromkeys(words):
        yield f"“{visible(word)}”", replace(query, words=(*query.words, word))
