"""Signs at what is left of a file when its sentences are read: labels that number or name items otherwise than the rest, items of another kind,
what attributes say of a few items only, what a spreadsheet shows that no cell says; the only place for these."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from gapsmith.bank.formats.asking import FileAnswer
from gapsmith.bank.formats.cleaning import TAKEN_OUT
from gapsmith.bank.formats.headings import fold, is_of_no_item
from gapsmith.bank.formats.marks import TAKEN_OFF
from gapsmith.bank.formats.said_of import said_of, saying
from gapsmith.bank.formats.signs import RARE, Look, Seen, Sign
from gapsmith.bank.formats.suspicious import says_retired
from gapsmith.templates import whole

_LEAST = 4
"""Of fewer items none is odd."""
_SHOWN = 3
"""So many values of an attribute, or items, are told."""
_VALUES = 3
"""An attribute with more values tells no kinds apart."""
_LABELS = 8
"""So many labels of items at most are put into a command."""
_PRACTISED = re.compile(r"(?:p|pr|prac(?:tice)?|f|fill(?:er)?|t|train(?:ing)?|ex|d|demo|w)[ _.-]?\d{1,3}", re.IGNORECASE)
"""What practice and fillers are called beside items that are numbered alone."""
_PUT_TO_PEOPLE = re.compile(
    r"(?:comprehension_?)?(?:questions?|q|cq|probe|frage|pregunta|vraag)(?:_?\d)?|(?:correct_?)?answers?|antwort|gloss|translation|comments?|notes?|"
    r"context|kontext|contexte|contexto|preamble|background|setting|scenario|intro(?:duction)?"
)
"""Folded names of lines beside the sentences of an item."""
_NUMBER = re.compile(r"\d+")
_AS_IT_STANDS = "as the file has it"


def _kinds(seen: Seen) -> Iterator[Sign]:
    """Conditions and items that are called practice, fillers and the like, beside others that are not."""
    found = seen.found
    odd = [label for label in found.conditions if is_of_no_item(label)]
    if odd and len(odd) < len(found.conditions):
        without = [item for item in found.items if not any(s.condition in odd for s in item.sentences)]
        item, sentence = next((item, s) for item in found.items for s in item.sentences if s.condition in odd)
        if without:
            message = (
                f"the condition {', '.join(odd)} is called as practice and fillers are, and {len(without):,} of {len(found.items):,} items "
                f"have no such sentence; item {item.label} has: {sentence.text[:70]}"
            )
            yield seen.of_kind("conditions", message, odd, line=sentence.line)
            return
    beside = [label for label in found.conditions if _PUT_TO_PEOPLE.fullmatch(fold(label))]
    if beside and len(found.conditions) - len(beside) > 1:
        item, sentence = next((item, s) for item in found.items for s in item.sentences if s.condition in beside)
        called = f"{', '.join(beside)} is called as what is asked or said beside the sentences of an item"
        message = f"{called}; item {item.label} has: {sentence.text[:70]}"
        yield seen.of_kind("conditions", message, beside, line=sentence.line)
        return
    items = [item for item in found.items if is_of_no_item(item.label)]
    if not items or len(items) == len(found.items):
        return
    some = ", ".join(item.label for item in items[:_SHOWN]) + (" …" if len(items) > _SHOWN else "")
    message = f"{len(items):,} of {len(found.items):,} items are called as practice and fillers are ({some})"
    kept = [item for item in found.items if item not in items]
    heading = found.meta.get("item")
    ways: tuple[FileAnswer, ...] = ()
    if seen.source.known.get("is_table") and isinstance(heading, str) and len(kept) <= _LABELS:
        only = (*seen.source.options.only, *(f"{heading}={item.label}" for item in kept))
        ways = (FileAnswer("yes", "they are left out", {"only": only}),)
    yield Sign(
        "items",
        message,
        line=items[0].sentences[0].line if items[0].sentences else items[0].line,
        ways=ways,
        is_refused=not ways,
        question=f"{message}. Are they left out?",
        hint="" if ways else "Take them out of the file.",
    )


def _strangers(seen: Seen) -> Iterator[Sign]:
    """Items that have none of the conditions of nearly all others: a line that was taken for one, another kind of rows."""
    found = seen.found
    times = Counter(condition for item in found.items for condition in {s.condition for s in item.sentences})
    usual = {condition for condition, count in times.items() if count * 2 >= len(found.items)}
    odd = [item for item in found.items if item.sentences and not usual & {s.condition for s in item.sentences}]
    if not usual or not odd or len(found.items) < _LEAST or len(odd) > max(1, RARE * len(found.items)):
        return
    strange = list(dict.fromkeys(s.condition for item in odd for s in item.sentences))
    if any(s.condition in strange for item in found.items if item not in odd for s in item.sentences):
        return
    item = odd[0]
    yield seen.of_kind(
        "items",
        f"item {item.label} has {', '.join(s.condition for s in item.sentences[:_SHOWN])} and none of {', '.join(sorted(usual))}, which the "
        f"others have, as if it were no item: {item.sentences[0].text[:70]}",
        strange,
        line=item.sentences[0].line,
    )


def _numbers(seen: Seen) -> Iterator[Sign]:
    """Labels of items that are made otherwise than the rest, and numbers that are not there."""
    labels = [item.label for item in seen.found.items]
    if len(labels) < _LEAST:
        return
    shapes = Counter(_NUMBER.sub("1", label) for label in labels)
    usual, times = shapes.most_common(1)[0]
    odd = [label for label in labels if _NUMBER.sub("1", label) != usual]
    practice = [item for item in seen.found.items if _PRACTISED.fullmatch(item.label)]
    lacking = {item.label for item in practice if {s.condition for s in item.sentences} < set(seen.found.conditions)}
    if usual.isdecimal() and practice and len(practice) * 2 < len(labels) and len(lacking) == len(practice):
        heading = seen.found.meta.get("item")
        names = ", ".join(item.label for item in practice[:_LABELS])
        ways: tuple[FileAnswer, ...] = ()
        if seen.source.known.get("is_table") and isinstance(heading, str):
            out = (*seen.source.options.leave_out, *(f"{heading}={item.label}" for item in practice))
            ways = (FileAnswer("yes", f"{names} are left out", {"leave_out": out}),)
        yield Sign(
            "items",
            f"{names} are called as practice and fillers are, and lack conditions that the other items have",
            line=practice[0].sentences[0].line,
            ways=ways,
            is_refused=not ways,
            hint="" if ways else "Take them out of the file.",
        )
    elif 0 < len(odd) <= max(1, RARE * len(labels)):
        yield Sign(
            "items",
            f"{times:,} of {len(labels):,} items are called as {next(one for one in labels if one not in odd)!r} is, and "
            f"{', '.join(map(repr, odd[:_SHOWN]))}{' …' if len(odd) > _SHOWN else ''} not",
            _AS_IT_STANDS,
        )
    if usual.count("1") != 1 or times < _LEAST:
        return
    found = (match[0] for label in labels if label not in odd and (match := _NUMBER.search(label)) is not None)
    numbers = {number for digits in found if (number := whole(digits)) is not None}
    if not numbers:
        return
    gone = (
        [n for n in range(min(numbers), max(numbers) + 1) if n not in numbers]
        if max(numbers) - min(numbers) < 2 * len(numbers)
        else []
    )
    if gone:
        without = ", ".join(map(str, gone[:_LABELS])) + (" …" if len(gone) > _LABELS else "")
        yield Sign("items", f"they are numbered {min(numbers)} to {max(numbers)}, without {without}", _AS_IT_STANDS)


def _few_values(seen: Seen) -> Iterator[Sign]:
    """What attributes say of few sentences: of all others nothing, or one other thing."""
    found = seen.found
    count = sum(len(item.sentences) for item in found.items)
    most = max(RARE * count, max((len(item.sentences) for item in found.items), default=1))
    if len(found.items) < _LEAST:
        return
    for name, said in said_of(found, seen.source).items():
        if name in TAKEN_OFF or name == TAKEN_OUT:
            continue
        filled = {value: times for value, times in said.items() if value.strip()}
        total = sum(filled.values())
        if 0 < total <= most:
            rare, instead = filled, "of the others nothing"
        elif 1 < len(filled) <= _VALUES and 0 < total - max(filled.values()) <= most:
            usual = max(filled, key=lambda value: filled[value])
            rare, instead = {value: n for value, n in filled.items() if value != usual}, f"{usual[:40]!r} of the others"
        else:
            continue
        shown: dict[tuple[str, str], None] = {}
        for item, _, value in islice(saying(found, name, rare.keys()), 4 * _SHOWN):
            shown[item.label, value] = None
        says = "; ".join(f"item {label}: {value.strip()[:80]!r}" for label, value in islice(shown, _SHOWN))
        yield Sign(f"attribute {name}", f"it says something of few, and {instead} ({says})", _AS_IT_STANDS)


def _sheet(seen: Seen) -> Iterator[Sign]:
    """What a spreadsheet shows of cells: hidden, struck, with a comment or a colour."""
    for shown in seen.source.shown_of_cells:
        if shown.of_sheets:
            unread = [name for name in shown.of_sheets[1:] if name not in seen.source.options.sheets]
            if unread:
                said = f"{shown.of_sheets[0]} is read, and not {', '.join(unread)}"
                yield Sign(
                    "sheets", said, "as said" if seen.source.options.sheets else "nothing else holds items", option="--sheet"
                )
            continue
        if shown.is_odd or says_retired(shown.said):
            hint = shown.hint or "Delete what is not to be used, or the comment."
            yield Sign("cells", shown.message, line=shown.line, is_refused=True, hint=hint)
        else:
            yield Sign("cells", shown.message, "a cell does not say it")


LOOKS_AT_WHAT_IS_LEFT: tuple[Look, ...] = (_kinds, _strangers, _numbers, _few_values, _sheet)
