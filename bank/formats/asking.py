"""What a reader takes a file for, and what it has to ask: certain from the file, said by somebody, or open.

What is certain or said is an `Assumption`, which a preview lists. What is open ends the reading with an `UndecidedError`: whoever
sits at a terminal is asked, and the answer is the option that settles it; nobody there, the file is refused with these options.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from gapsmith.templates import FormatError

Sureness = Literal["certain", "said", "assumed"]
"""``certain`` follows from the file, ``said`` from an option, ``assumed`` from neither alone: a person should look at it."""

FLAGS: Mapping[str, str] = {
    "format": "--format",
    "encoding": "--encoding",
    "sheets": "--sheet",
    "first": "--first",
    "item_columns": "--item-column",
    "condition_columns": "--condition-column",
    "sentence_columns": "--sentence-column",
    "regions": "--region",
    "attributes": "--attribute",
    "strip_prefixes": "--strip-prefix",
    "per_item": "--per-item",
    "region_mark": "--region-mark",
    "only": "--only",
    "leave_out": "--leave-out",
    "stack": "--stack",
    "frames": "--frame",
    "items_by_words": "--items-by-words",
    "header_row": "--header-row",
    "missing": "--missing",
    "comment": "--comment",
    "transpose": "--transpose",
    "headings": "--headings",
    "header_rows": "--header-rows",
    "table": "--table",
    "wrapped": "--wrapped",
    "strip_suffixes": "--strip-suffix",
    "gap_marks": "--gap-mark",
    "good": "--good",
    "alternatives": "--alternatives",
    "blank_rows": "--blank-rows",
    "once": "--once",
    "clean": "--clean",
    "take_out": "--take-out",
    "paradigm": "--paradigm",
    "own_paradigm": "--own-paradigm",
}
"""What somebody can say of a file, to the option of the command line that says it."""


OVERRULED = "as --format says"
"""Why something is assumed that would be asked about, or refused, if nobody had named the format."""


@dataclass(frozen=True, slots=True)
class FileAnswer:
    """A way to settle a question: what it means, and what of the options of reading it fills."""

    word: str
    """What one types for it."""
    means: str
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def flags(self) -> str:
        """The same as options of the command line."""
        return flags_of(self.options)


@dataclass(frozen=True, slots=True)
class Assumption:
    """One thing that a file was taken for."""

    what: str
    """Such as ``condition``."""
    taken: str
    """Such as ``the columns filler and gap``."""
    why: str
    sure: Sureness = "certain"
    option: str = ""
    """The option that says otherwise; empty where none does."""

    ways: tuple[FileAnswer, ...] = ()
    """What would be answered if it were asked about; none where it would be refused."""

    def __str__(self) -> str:
        return f"{self.what}: {self.taken} ({self.why})"


def flags_of(options: Mapping[str, Any]) -> str:
    """What somebody said of a file, as options of the command line."""
    said = []
    for name, value in options.items():
        values: Sequence[Any] = value if isinstance(value, tuple | list) else () if value is None else (value,)
        said += [FLAGS[name] if one is True else f"{FLAGS[name]} {shlex.quote(str(one))}" for one in values]
    return " ".join(said)


class NoItemsError(FormatError):
    """A file that holds no sentences of items, however it is written: another file is meant."""


class ShapeError(FormatError):
    """A file is refused, and what somebody says of it may take it. `ways` are tried before they are printed; where it `is_open` what the
    file is, so is whatever else one can say of such a file (`gapsmith.bank.formats.offers`)."""

    def __init__(self, message: str, *, hint: str, ways: Sequence[FileAnswer], is_open: bool) -> None:
        super().__init__(message, hint=hint)
        self.ways = tuple(ways)
        self.is_open = is_open


class UndecidedError(FormatError):
    """A file can be read in several ways, or in one that nothing in it makes certain. `question` is what somebody at a terminal is
    asked, and `answers` settle it. `before` and `after` stand around `ways`, the commands that say so, in the hint."""

    def __init__(
        self,
        message: str,
        *,
        question: str,
        answers: Sequence[FileAnswer],
        ways: Sequence[str],
        before: str = "",
        after: str = "",
    ) -> None:
        super().__init__(message)
        self.question = question
        self.answers = tuple(answers)
        self._around = before, after
        self.say(ways)

    def say(self, ways: Sequence[str], *, refused: Sequence[str] = ()) -> None:
        """Put these commands into the hint, and what was tried and does not take the file either."""
        before, after = self._around
        would = ["What would take it:", *(f"  {way}" for way in ways)] if ways else []
        self.hint = "\n".join(filter(None, [before, *refused, *would, after]))

    def with_answers(self, question: str, answers: Sequence[FileAnswer]) -> UndecidedError:
        """The same message with another question."""
        before, after = self._around
        made = UndecidedError(self.message, question=question, answers=answers, ways=(), before=before, after=after)
        made.hint = self.hint
        return made
