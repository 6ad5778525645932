"""The word lists that the slots of a paradigm name."""

from __future__ import annotations

from collections.abc import Callable

from gapsmith.templates.errors import ParadigmError
from gapsmith.templates.file_errors import Again, Written, placed
from gapsmith.templates.inflection import derived_lexicon, form_lexicon
from gapsmith.templates.lexicon import Lexicon, lexicon_for
from gapsmith.templates.model import Paradigm, Slot


def lexicon_of(paradigm: Paradigm, slot: Slot) -> Lexicon | None:
    """The word list of a slot, with the forms of its words where it says their kind; None where it has none.

    Raises `ParadigmError` naming the paradigm's file and the line where it
    names a list that is not there, and `FormatError` for one that cannot be read."""
    if slot.form_of is not None:
        parent = paradigm.slot_by_name[slot.form_of[0]]
        base = lexicon_of(paradigm, parent)
        return None if base is None else _kept(paradigm, slot, base, lambda: derived_lexicon(paradigm, slot, base))
    listed = _listed(paradigm, slot)
    if not slot.kind or (listed is None and not slot.words):
        return listed
    return _kept(paradigm, slot, listed, lambda: form_lexicon(paradigm, slot, listed))


def _kept(paradigm: Paradigm, slot: Slot, base: Lexicon | None, make: Callable[[], Lexicon]) -> Lexicon:
    """A list that is made of another one, made anew where that one has changed."""
    made: dict[str, tuple[Lexicon | None, Lexicon]] = paradigm.__dict__.setdefault("_forms_made", {})
    if slot.name not in made or made[slot.name][0] is not base:
        try:
            made[slot.name] = base, make()
        except ParadigmError as error:
            raise placed(error, ("slots", slot.name), _file(paradigm, None)) from None
    return made[slot.name][1]


def _listed(paradigm: Paradigm, slot: Slot) -> Lexicon | None:
    if slot.lexicon is None:
        return None
    try:
        return lexicon_for(slot.lexicon, paradigm.path)
    except ParadigmError as error:
        about = f"`slots.{slot.name}.lexicon`: "
        path = ("slots", slot.name, "lexicon")

        def again(text: str) -> str:
            from gapsmith.templates.loading import parse_paradigm

            try:
                lexicon_for(str(parse_paradigm(text, path=paradigm.path).slot_by_name[slot.name].lexicon), paradigm.path)
            except ParadigmError as other:
                return f"{about}{other.message}"
            return ""

        raise placed(error, path, _file(paradigm, again), about=about) from None


def _file(paradigm: Paradigm, again: Again | None) -> Written:
    return Written(paradigm.text, paradigm.path or paradigm.name, again, error=ParadigmError)


def expect_lexicons(paradigm: Paradigm) -> None:
    """Refuse a paradigm one of whose word lists is not there or cannot be read, before anything rests on it. Raises as
    `lexicon_of` does."""
    for slot in paradigm.slots:
        lexicon_of(paradigm, slot)
