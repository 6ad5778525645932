"""The word lists that the slots of a paradigm name."""

from __future__ import annotations

from gapsmith.templates.errors import ParadigmError
from gapsmith.templates.lexicon import Lexicon, lexicon_for
from gapsmith.templates.model import Paradigm, Slot
from gapsmith.templates.toml_places import key_lines, line_of


def lexicon_of(paradigm: Paradigm, slot: Slot) -> Lexicon | None:
    """The word list of a slot, None where it has none. Raises `ParadigmError` naming the paradigm's file and the line where it
    names a list that is not there, and `FormatError` for one that cannot be read."""
    if slot.lexicon is None:
        return None
    try:
        return lexicon_for(slot.lexicon, paradigm.path)
    except ParadigmError as error:
        line = line_of(("slots", slot.name, "lexicon"), key_lines(paradigm.text))
        place = f"{paradigm.path or paradigm.name}{f', line {line}' if line else ''}"
        raise ParadigmError(f"{place}: `slots.{slot.name}.lexicon`: {error.message}", hint=error.hint) from None


def expect_lexicons(paradigm: Paradigm) -> None:
    """Refuse a paradigm one of whose word lists is not there or cannot be read, before anything rests on it. Raises as
    `lexicon_of` does."""
    for slot in paradigm.slots:
        lexicon_of(paradigm, slot)
