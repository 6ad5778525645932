"""What the application tells prompts about good words and mistakes. It comes from the linter's rules, which prompts know nothing
of: the values here are all that passes between the two."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from gapsmith.bank import Severity


@dataclass(frozen=True, slots=True)
class Avoided:
    """Words that are better not used in a slot, and why."""

    words: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Mistake:
    """A way in which items go wrong."""

    what: str
    why: str
    remedy: str
    bad: str = ""
    """A sentence of the paradigm with the mistake."""
    good: str = ""
    """The same without it; empty where the mistake is that the sentence is good although it is meant to be bad."""


@dataclass(frozen=True, slots=True)
class Advice:
    """About the words of one paradigm."""

    good: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Slot name to words that no rule complains of; of a slot that is closed, all of these, else examples."""
    avoid: Mapping[str, tuple[Avoided, ...]] = field(default_factory=dict)
    """Slot name to words that rules complain of."""
    mistakes: tuple[Mistake, ...] = ()
    example: Mapping[str, str] = field(default_factory=dict)
    """Slot name to word of an item without any comment; empty where there is none."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that is wrong with an item."""

    code: str
    message: str
    remedy: str
    severity: Severity

    @property
    def serious(self) -> bool:
        """Whether it is an error: the item cannot be used so."""
        return self.severity is Severity.ERROR


Check = Callable[[Mapping[str, str]], Sequence[Fault]]
"""From an item's words to what is wrong with it."""
