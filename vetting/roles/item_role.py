"""What a role is: a part that words of an item play in its construction, wherever the item comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from gapsmith.parsing import Tree
from gapsmith.vetting.roles.differences import Differences

Place = tuple[int, int]
"""Characters of a sentence, half-open."""
GAP = None
"""The place of a role in a condition that does not show its words."""


class Origin(StrEnum):
    """What an item's role was read from."""

    SLOT = "slot"
    """A slot that declares it."""
    REGION = "region"
    """A named region that declares it."""
    DIFFERENCE = "difference"
    """What differs between the conditions: words that some of them show and others do not."""
    WORDS = "words"
    """The words of a minimal pair alone: closed classes and the forms of verbs and nouns."""
    PARSE = "parse"
    """The parse of the fullest condition."""


class ItemRole(NamedTuple):
    """Words of an item and what they are in it. `name` is one of `gapsmith.templates.ROLES`."""

    name: str
    form: str
    """The words as they stand in the fullest condition."""
    origin: Origin
    confidence: float
    """1 where somebody declared it; else how sure place and parse are of it: they agree (.95), one of them says it (.85)."""
    at: Place | None = None
    """Where the words stand in the fullest condition; None of a slot, whose sentences say it."""
    lemma: str = ""
    feats: str = ""
    condition: str | None = None
    """The condition that has the words, where the fullest one does not; None for that one."""
    slot: str | None = None
    """The slot that declares the role; None where no slot does."""


@dataclass(frozen=True)
class SlotLayout:
    """What a paradigm has around its slots, alike in every condition that has them."""

    clauses: tuple[tuple[str, str, tuple[str, ...], frozenset[str]], ...] = ()
    """Slot of a subject, slot of its verb, the words between the two, and those before the subject in the conditions: nothing where a slot
    with a role or the beginning is, ``?`` where a slot without one."""
    before: Mapping[str, str] = field(default_factory=dict)
    """Slot to the word right before it."""
    fixed: frozenset[str] = frozenset()
    """All words that are in no slot."""
    determined: frozenset[str] = frozenset()
    """Slots before which a determiner stands, or a slot that may hold one (`has_determiner`)."""


@dataclass(frozen=True)
class ItemRoles:
    """The roles of one item, and what could not be read."""

    roles: tuple[ItemRole, ...] = ()
    """In the order of the sentence."""
    fillers: frozenset[str] = frozenset()
    """The fillers and complementizers that its conditions have, in small letters."""
    unread: str = ""
    """Why there are no roles, or fewer; empty where nothing stood in the way."""
    layout: SlotLayout | None = None
    """What a paradigm has around the slots that declare roles; None where no slot does."""
    future: frozenset[str] = frozenset()
    """Slots that stand in a clause about the future, by what the paradigm has before them."""
    base: str | None = None
    """The fullest condition; None where the roles are of slots."""
    differences: Differences | None = None
    tree: Tree | None = field(default=None, compare=False)
    """The parse of the fullest condition; None where the roles are of slots or nothing was parsed."""

    def named(self, name: str) -> tuple[ItemRole, ...]:
        """The roles of that name."""
        return tuple(role for role in self.roles if role.name == name)

    def places(self, role: ItemRole) -> Mapping[str, Place | None]:
        """Condition to where the words of a role stand in it, or GAP; empty for the roles of slots."""
        if role.condition is not None:
            return {role.condition: role.at}
        return self.differences.counterparts(*role.at) if self.differences is not None and role.at is not None else {}
