"""The word lists that the slots of a paradigm name."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from gapsmith.templates.errors import FilePlace, ParadigmError
from gapsmith.templates.file_errors import Again, WrittenText, placed
from gapsmith.templates.inflection import NUMBER, derived_lexicon, form_lexicon
from gapsmith.templates.lexicon import FORM, Lexicon, lexicon_for
from gapsmith.templates.model import Paradigm, Slot
from gapsmith.templates.spelling import no_such


def lexicon_of(paradigm: Paradigm, slot: Slot) -> Lexicon | None:
    """The word list of a slot, with the forms of its words where it says their kind; None where it has none.

    Raises `ParadigmError` naming the paradigm's file and the line where it
    names a list or column that is not there, and `FormatError` for one that cannot be read."""
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


def _file(paradigm: Paradigm, again: Again | None) -> WrittenText:
    return WrittenText(paradigm.text, paradigm.path or paradigm.name, again, error=ParadigmError)


def expect_lexicons(paradigm: Paradigm) -> None:
    """Refuse a paradigm one of whose word lists is not there or cannot be read, before anything rests on it. Raises as
    `lexicon_of` does."""
    for slot in paradigm.slots:
        lexicon = lexicon_of(paradigm, slot)
        for column, value in slot.where.items():
            if lexicon is None:
                continue
            path = ("slots", slot.name, "where", column)
            _expect_column(paradigm, slot.name, column, f"slots.{slot.name}.where", path)
            _expect_values(paradigm, lexicon, column, value, path)
        if slot.offered_by is not None and slot.form_of is None:
            _expect_column(paradigm, *slot.offered_by, f"slots.{slot.name}.offered_by", ("slots", slot.name, "offered_by"))
    for number, constraint in enumerate(paradigm.constraints):
        for name, column in zip(constraint.slots, constraint.columns, strict=False):
            if column != NUMBER and paradigm.slot_by_name[name].form_of is None:
                _expect_column(paradigm, name, column, f"constraints.{number + 1}", ("constraints", number))


def _expect_column(paradigm: Paradigm, name: str, column: str, place: str, path: FilePlace) -> None:
    """Refuse a column that the word list of a slot has not; a slot without a list has its words from elsewhere."""
    lexicon = lexicon_of(paradigm, paradigm.slot_by_name[name])
    if lexicon is None or not lexicon.entries or column == FORM or column in lexicon.entries[0].columns:
        return
    columns = [FORM, *lexicon.entries[0].columns]
    message = f"`{place}`: the word list {lexicon.name} of {name!r} has no column {column!r}"
    error = no_such(message, "Columns", column, columns, kind=ParadigmError)
    if error.instead is not None and path[-1] != column:
        # Outside of `where` a column stands behind its slot.
        error.instead = (f"{name}.{column}", f"{name}.{error.instead[1]}")

    raise placed(error, path, _file(paradigm, partial(_wrong_lexicons, paradigm.path)))


def _expect_values(paradigm: Paradigm, lexicon: Lexicon, column: str, asked: str, path: FilePlace) -> None:
    """Refuse what `where` asks of a column that no word of the list has in it."""
    there = list(dict.fromkeys(value for entry in lexicon.entries for value in entry.values(column)))
    for value in asked.split("|"):
        if there and value not in there:
            message = f"`{'.'.join(map(str, path))}`: no word of the list {lexicon.name} has {value!r} there"
            error = no_such(message, "Values", value, there, kind=ParadigmError)
            raise placed(error, path, _file(paradigm, partial(_wrong_lexicons, paradigm.path)))


def _wrong_lexicons(path: str, text: str) -> str:
    """What is wrong with a text of a paradigm file and its word lists; empty where nothing is."""
    from gapsmith.templates.loading import parse_paradigm

    try:
        expect_lexicons(parse_paradigm(text, path=path))
    except ParadigmError as wrong:
        return wrong.message
    return ""
