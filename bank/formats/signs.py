"""What the last look at a set goes by: the set as its looks see it, and a sign that one of them finds."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

from gapsmith.bank.formats.asking import FileAnswer
from gapsmith.bank.formats.foreign import ForeignItem, ForeignSentence, ForeignSet
from gapsmith.bank.formats.source import SourceFile

Entry = tuple[ForeignItem, ForeignSentence]
RARE = 0.2
"""What so few of the items or sentences have is odd in a file."""
_KEPT = 12
"""So many conditions at most are named in a command that leaves others out."""


@dataclass(frozen=True, slots=True)
class Sign:
    """One thing that shows in a set. With `ways` it is asked about; `is_refused`, no answer mends it; else it is told."""

    what: str
    message: str
    why: str = ""
    line: int = 0
    ways: tuple[FileAnswer, ...] = ()
    question: str = ""
    hint: str = ""
    is_refused: bool = False
    option: str = ""


@dataclass(frozen=True, slots=True)
class Seen:
    """What is looked at."""

    found: ForeignSet
    entries: Sequence[Entry]
    """The sentences that are no blank, each with its item."""
    odd: Sequence[Entry]
    """Those that hold more than words and the marks of a sentence."""
    several: Sequence[tuple[ForeignItem, list[frozenset[str]]]]
    """The items of several sentences, with the words of each that is no blank."""
    source: SourceFile

    def of_kind(self, what: str, message: str, kinds: Collection[str], *, line: int = 0) -> Sign:
        """A sign that what is called so as a condition is of another kind than the items: asked about with what leaves it out, where one can
        say that of the file."""
        kept = [label for label in self.found.conditions if label not in kinds]
        ways: tuple[FileAnswer, ...] = ()
        columns = self.found.meta.get("condition")
        means = f"{', '.join(kinds)} {'is' if len(kinds) == 1 else 'are'} left out"
        question = f"{message[0].upper()}{message[1:]}. Is it left out?"
        if self.found.shape == "item_lines":
            means = f"{', '.join(kinds)} of every item, such as a context or a question, becomes an attribute of it; its conditions are "
            means += ", ".join(kept)
            ways = (FileAnswer("yes", means, {"attributes": (*self.source.options.attributes, *kinds)}),)
            question = f"{message[0].upper()}{message[1:]}. Is it said of the item, and no sentence of it?"
        if self.source.known.get("is_table") and len(kept) <= _KEPT:
            if isinstance(columns, list) and len(columns) == 1 and len(self.found.levels) == 0:
                only = (*self.source.options.only, *(f"{columns[0]}={label}" for label in kept))
                ways = (FileAnswer("yes", means, {"only": only}),)
            elif self.found.shape == "condition_columns" and not self.source.options.transpose:
                ways = (FileAnswer("yes", means, {"sentence_columns": tuple(kept)}),)
        return Sign(
            what,
            message,
            line=line,
            ways=ways,
            is_refused=not ways,
            question=question,
            hint="" if ways else "Take it out of the file.",
        )


Look = Callable[[Seen], Iterator[Sign]]
