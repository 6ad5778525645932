"""Where a role comes from, beside the slots and regions that may declare any: which are read from sentences, and which from pairs."""

from __future__ import annotations

from dataclasses import dataclass

from gapsmith.templates import ROLES
from gapsmith.vetting.wordset import word_set

FROM_SENTENCES = word_set(
    "matrix determiner noun preposition island name object linker verb verb_phrase adverb subject subject_head bridge question content_noun"
    " extraposing tough adjunct_verb conjunct time controller attractor target licensor licensee rest"
)
"""Roles that are read from sentences of which some leave out words that others have."""
FROM_PAIRS = word_set(
    "wh_word gap_governor island_governor embedding_verb antecedent anaphor controller target licensor licensee changed rest"
)
"""Roles that are read from minimal pairs: *changed* in the starred sentence, the others in the acceptable one."""


@dataclass(frozen=True, slots=True)
class RoleRow:
    """A role, as people look it up."""

    role: str
    words: str
    """What has it."""
    from_sentences: bool
    """Whether it is read from the sentences of items with gaps, where no slot or region declares roles."""
    from_pairs: bool
    """Whether it is read from minimal pairs."""


def role_rows() -> tuple[RoleRow, ...]:
    """Every role."""
    return tuple(RoleRow(name, words, name in FROM_SENTENCES, name in FROM_PAIRS) for name, words in ROLES.items())
