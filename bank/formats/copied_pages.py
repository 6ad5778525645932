"""Numbered sentences as they are copied from the pages of a book: wrapped, with words parted at the ends of lines and running heads between
them. Which lines go on and which are of no sentence is found here; that they are put together so is for somebody to say, who sees the words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from gapsmith.bank.formats.alternatives import choices_of
from gapsmith.bank.formats.likeness import likeness_of

_NUMBERED = re.compile(r"\s*[(\[]?(?P<number>\d{1,4})[)\].:]+\s+(?=\S+\s)")
_ENDED = re.compile(r"[.?!…][\"'”’»)\]]*\s*\Z")
_PARTED = re.compile(r"(?P<begun>[^\W\d_]+)-\s*\Z")
_WORD = re.compile(r"\s*[^\W\d_]+")
_MARKED = re.compile(r"\s*(?:[*#%]|\?+(?=\S)|[-–•+]\s|[(\[]?[A-Za-z][.):\]]\s)")
"""A mark of judgement before a sentence, a dash or a letter of a list."""
_LETTERED = re.compile(r"\s*(?:[(\[][A-Za-z][)\]]|[a-z][.):])\s+(?=\S+\s)")
"""The letter of a further sentence of an item."""
_HEAD = re.compile(r"\S\s{3,}\d{1,4}\s*\Z|\A\s*\d{1,4}\s{3,}\S|\A\s*\d{1,4}\s*\Z")
"""The head or the foot of a page: its number, with a wide gap beside it."""
_LEAST = 3
_NAMED = 6


@dataclass(frozen=True, slots=True)
class CopiedPages:
    """What the lines of such a text are, by number from 1."""

    first: int
    """The line of the first sentence."""
    going_on: tuple[int, ...]
    """The lines that go on with the sentence above them."""
    parted: tuple[str, ...]
    """The words that are parted, such as ``care-/taker``."""
    apart: tuple[int, ...]
    """The lines that are of no sentence."""
    has_alternatives: bool

    @property
    def message(self) -> str:
        """What shows."""
        lines = f"line{'s' if len(self.going_on) > 1 else ''} {_listed(self.going_on)}"
        return f"numbered sentences go on in the next line, as text that was copied from a page does ({lines})"

    @property
    def step(self) -> str:
        """What to do."""
        said = ["Write every numbered sentence in one line"]
        if self.parted:
            said.append(
                f", its words whole ({', '.join(self.parted[:_NAMED])}: whether the hyphen belongs to the word, no line says)"
            )
        if self.apart:
            several = len(self.apart) > 1
            said.append(
                f"; take out line{'s' if several else ''} {_listed(self.apart)}, which {'belong' if several else 'belongs'} to no sentence"
            )
        said.append(". Then import the file again")
        said.append(", with --alternatives crossed for the alternatives within its sentences." if self.has_alternatives else ".")
        return "".join(said)


def put_together(lines: Sequence[str], copied: CopiedPages) -> tuple[list[str], tuple[int, ...], tuple[str, ...]]:
    """The lines with those that go on behind the sentence that they go on with; the number of each in the text, from 1; and the words that
    were parted. A hyphen at the end of a line goes, unless the word is written with it elsewhere."""
    kept: list[str] = []
    numbers: list[int] = []
    going_on = set(copied.going_on)
    text = "\n".join(lines)
    words: list[str] = []
    place = 0
    for number, line in enumerate(lines, 1):
        if number not in going_on:
            kept.append(line)
            numbers.append(number)
            place = len(kept) - 1 if line.strip() and number >= copied.first and number not in copied.apart else place
            continue
        before = kept[place].rstrip()
        if (cut := _PARTED.search(before)) and (rest := _WORD.match(line)):
            hyphened = f"{cut['begun']}-{rest[0].strip()}"
            is_written = re.search(rf"(?<!\w){re.escape(hyphened)}(?!\w)", text) is not None
            words.append(hyphened if is_written else hyphened.replace("-", ""))
            kept[place] = (before if is_written else before.removesuffix("-")) + line.strip()
        else:
            kept[place] = f"{before} {line.strip()}"
    return kept, tuple(numbers), tuple(words)


def copied_pages(lines: Sequence[str]) -> CopiedPages | None:
    """What the lines of a text copied from pages are; None for other texts: sentences are numbered upwards, and some go on in a line below
    without a number."""
    begins = [(n, match) for n, line in enumerate(lines) if (match := _NUMBERED.match(line)) is not None]
    numbers = [int(match["number"]) for _, match in begins]
    if len(begins) < _LEAST or any(after <= before for before, after in pairwise(numbers)):
        return None
    going_on: list[int] = []
    apart: list[int] = []
    parted: list[str] = []
    is_open = is_apart = False
    sentences: list[str] = []
    for n, line in enumerate(lines):
        if (begun := _NUMBERED.match(line)) is not None:
            sentences.append(line[begun.end() :])
            is_apart = False
        elif not line.strip():
            is_apart = True
            continue
        elif is_open and not is_apart and _MARKED.match(line):
            return None  # a sentence of its own
        elif sentences and (begun := _LETTERED.match(line)) is not None:
            # Another sentence of the item, which may go on, too.
            sentences.append(line[begun.end() :])
            is_apart = False
        elif is_open and not _HEAD.search(line) and (not is_apart or line.lstrip()[:1].islower()):
            if not is_apart and likeness_of([(sentences[-1], line)]).alike:
                return None
            going_on.append(n + 1)
            begun_in = next(before for before in reversed(lines[:n]) if before.strip() and not _HEAD.search(before))
            if (cut := _PARTED.search(begun_in)) and (rest := _WORD.match(line)):
                parted.append(f"{cut['begun']}-/{rest[0].strip()}")
            sentences[-1] += f" {line.strip()}"
            is_apart = False
        else:
            is_apart = is_open
            apart.append(n + 1)
            continue
        is_open = _ENDED.search(line) is None
    if not going_on:
        return None
    held = sum(bool(choices_of(text)) for text in sentences) * 2 > len(sentences)
    return CopiedPages(begins[0][0] + 1, tuple(going_on), tuple(parted), tuple(apart), held)


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers[:_NAMED])) + (" …" if len(numbers) > _NAMED else "")
