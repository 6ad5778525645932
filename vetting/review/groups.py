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
    """What: ``“will”``, or ``L310 about “stun”``."""
    rows: tuple[QueueRow, ...]
    """All of them, whatever was decided, in the order in which they came."""


def groups_of(session: Session, item_id: int, query: Query) -> tuple[Group, ...]:
    """What the item shares with others among those that fit the query: first each finding, with the word it is about, then
    the words of the slots, rare ones first. Nothing that only this item has, and no word that all of them have."""
    view, everything = session.view(item_id), len(session.rows(query))
    found = [Group(title, tuple(session.rows(narrowed))) for title, narrowed in _by_finding(view, query)]
    words = [Group(title, tuple(session.rows(narrowed))) for title, narrowed in _by_word(view, query)]
    telling = sorted((group for group in words if len(group.rows) < everything), key=lambda group: len(group.rows))
    return tuple(group for group in (*found, *telling) if len(group.rows) > 1)


def _by_finding(view: ReviewedItem, query: Query) -> Iterator[tuple[str, Query]]:
    for group in view.groups:
        word = group.word.strip(".,;:!?")
        about = (word,) if word.isalpha() else ()
        title = f"{visible(group.code)} about “{visible(word)}”" if about else visible(group.code)
        yield title, replace(query, codes=(group.code,), words=(*query.words, *about))


def _by_word(view: ReviewedItem, query: Query) -> Iterator[tuple[str, Query]]:
    words = [word for value in (view.item.slots or {}).values() for word in value.split()]
    for word in dict.fromkeys(words):
        yield f"“{visible(word)}”", replace(query, words=(*query.words, word))
