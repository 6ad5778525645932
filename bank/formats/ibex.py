"""The items of an experiment in Ibex or PCIbex, saved as JSON: ``[["condition", 1], "DashedSentence", {"s": "A sentence."}, …]`` each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gapsmith.bank.formats.composing import compose, plain

_CALLED = {"question": "question", "answers": "question_answers", "correct": "correct_answer"}
"""The headings of what a script says of a question."""
ITEMS = "items"
"""What the column of kinds says of what has a condition and a number."""


@dataclass(frozen=True, slots=True)
class _Shown:
    name: str
    number: str
    """Empty where the name stands alone, as those of fillers and screens do."""
    sentence: str
    question: str
    answers: str
    """The answers to it, with bars between them."""
    correct: str
    """Which of them is right."""


def ibex_rows(document: Any) -> tuple[list[list[str]], str] | None:
    """The sentences as rows under headings, and in words what was done; None for any other document.

    What is shown without a sentence (separators, instructions) is left out, and fillers have no condition: `kind` names them."""
    if isinstance(document, list) and document and not all(isinstance(one, list) for one in document):
        document = _regrouped(document) or document
    if not isinstance(document, list) or not document or not all(map(_is_entry, document)):
        return None
    shown = [own for entry in document if (own := _shown(entry)) is not None]
    if not any(own.number for own in shown):
        return None
    by_number: dict[str, set[str]] = {}
    for own in shown:
        by_number.setdefault(own.number, set()).add(own.name)
    crossed = {name for names in by_number.values() if len(names) > 1 for name in names}
    beside = [name for name in ("question", "answers", "correct") if any(getattr(own, name) for own in shown)]
    rows = [["item", "condition", "sentence", "kind", *(_CALLED[name] for name in beside)]]
    for place, own in enumerate(shown, 1):
        is_item = bool(own.number) and (own.name in crossed or not crossed)
        label = own.number if is_item else f"{own.name}_{own.number or place}"
        row = [label, own.name if is_item else "", own.sentence, ITEMS if is_item else own.name]
        rows.append([*row, *(getattr(own, name) for name in beside)])
    left = len(document) - len(shown)
    return rows, f"items of Ibex, as rows{f'; {left:,} entries without a sentence are left out' if left else ''}"


def _regrouped(document: Sequence[Any]) -> list[list[Any]] | None:
    """The entries of a list without brackets around each: every one begins with a name and its number."""
    if not isinstance(document[0], list) or any(isinstance(one, list) and len(one) != 2 for one in document):
        return None
    found: list[list[Any]] = []
    for one in document:
        if isinstance(one, list):
            found.append([])
        found[-1].append(one)
    return found


def _is_entry(entry: Any) -> bool:
    """Whether it is a name, alone or in a list with its number, then what shows it, and with what."""
    if not isinstance(entry, list) or len(entry) < 3 or not isinstance(entry[1], str) or not isinstance(entry[2], dict):
        return False
    name = entry[0]
    return isinstance(name, str) or (
        isinstance(name, list) and 0 < len(name) < 4 and isinstance(name[0], str) and _number(name) is not None
    )


def _number(name: Sequence[Any]) -> str | None:
    """The number of an item, empty where it has none (``null``).

    Of a group of items in a Latin square, in a list of its own, that of the item is the first."""
    if len(name) == 1:
        return ""
    own = name[1][0] if isinstance(name[1], list) and name[1] else name[1]
    if own is None:
        return ""
    return str(own) if isinstance(own, int | str) and not isinstance(own, bool) else None


def _shown(entry: Sequence[Any]) -> _Shown | None:
    options = [one for one in entry[2:] if isinstance(one, dict)]
    sentence = next((text for one in options if (text := _text(one.get("s")))), "")
    if not sentence:
        return None
    name = entry[0] if isinstance(entry[0], list) else [entry[0]]
    question = next((text for one in options if (text := _text(one.get("q")))), "")
    asked = next((one for one in options if _text(one.get("q"))), {})
    given = asked.get("as")
    # An answer may have the key before it by which it is given.
    answers = [str(one[-1] if isinstance(one, list) and one else one) for one in given] if isinstance(given, list) else []
    said = asked.get("hasCorrect")
    place = int(said) - (said is True) if isinstance(said, int) and said is not False else -1
    correct = answers[place] if 0 <= place < len(answers) else "" if isinstance(said, bool | None) else str(said)
    return _Shown(plain(name[0]), _number(name) or "", sentence, question, " | ".join(answers), plain(correct))


def _text(value: Any) -> str:
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
        return compose(value)[0]
    return ""
