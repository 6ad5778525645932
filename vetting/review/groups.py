"""Items that share a finding or a word with one, to be decided on at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from bank.review import QueueRow
from vetting.review.display import visible
from vetting.review.filters import Query
from vetting.review.item_view import ItemView
from vetting.review.session import Session

__all__ = ["Group", "groups_of"]


@dataclass(frozen=True, slots=True)
class Group:
    """Items with something in common."""

    title: str
    """What: ``“will”``, or ``L310 about “stun”``."""
    rows: tuple[QueueRow, ...]
    """All of them, whatever was decided, in the order in which they came."""


def groups_of(session: Session, item_id: int, query: Query) -> tuple[Group, ...]:
    """What the item shares with others among those that fit the query: first each finding, with the word it is about, then
    each word of the slots. Nothing that only this item has."""
    found = []
    for title, narrowed in _narrowed(session.view(item_id), query):
        rows = session.rows(narrowed)
        if len(rows) > 1:
            found.append(Group(title, tuple(rows)))
    return tuple(found)


def _narrowed(view: ItemView, query: Query) -> Iterator[tuple[str, Query]]:
    for group in view.groups:
        word = group.word.strip(".,;:!?")
        about = (word,) if word.isalpha() else ()
        title = f"{visible(group.code)} about “{visible(word)}”" if about else visible(group.code)
        yield title, replace(query, codes=(group.code,), words=(*query.words, *about))
    words = [word for value in (view.item.slots or {}).values() for word in value.split()]
    for word in dict.fromkeys(words):
        yield f"“{visible(word)}”", replace(query, words=(*query.words, word))
